//! Limits on connections: their number, and the time a client may be idle.
//!
//! A connection is for one request. At the limit, further connections wait in the backlog of the system. A client has a time
//! limit to send its request, and one to read each part of the response. A search that sends nothing for long is not limited.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// The most connections at once: a browser opens six for a page.
pub(crate) const MAX_CONNECTIONS: usize = 256;

/// How long a client may take to send its request, and to read each part of the response.
pub(crate) const CLIENT_TIMEOUT: Duration = Duration::from_secs(20);

/// A listener with a limit on the number of connections.
pub(crate) struct Bounded {
    listener: TcpListener,
    permits: Arc<Semaphore>,
    timeout: Duration,
}

impl Bounded {
    pub(crate) fn new(listener: TcpListener, max: usize, timeout: Duration) -> Bounded {
        Bounded { listener, permits: Arc::new(Semaphore::new(max)), timeout }
    }
}

impl Listener for Bounded {
    type Io = Connection;
    type Addr = std::net::SocketAddr;

    async fn accept(&mut self) -> (Connection, Self::Addr) {
        // The semaphore is never closed, so this waits for a permit and does not fail.
        let permit = self.permits.clone().acquire_owned().await.ok();
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let timer = Box::pin(sleep(self.timeout));
        (Connection { stream, timer, timeout: self.timeout, waiting: WaitingFor::Client, _permit: permit }, address)
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

/// The side that a connection waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WaitingFor {
    /// The client has to send its request, or to read the response.
    Client,
    /// The response has begun, and all of it so far is sent.
    Server,
}

/// A connection with its permit.
pub(crate) struct Connection {
    stream: TcpStream,
    timer: Pin<Box<Sleep>>,
    timeout: Duration,
    waiting: WaitingFor,
    _permit: Option<OwnedSemaphorePermit>,
}

impl Connection {
    /// Whether the client has exceeded its time limit.
    fn timed_out(&mut self, context: &mut Context<'_>) -> bool {
        self.waiting == WaitingFor::Client && self.timer.as_mut().poll(context).is_ready()
    }

    /// Handles the result of a write: if the client does not read, its time limit starts.
    fn written<T>(&mut self, context: &mut Context<'_>, result: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        let was_server = self.waiting == WaitingFor::Server;
        self.waiting = if result.is_ready() { WaitingFor::Server } else { WaitingFor::Client };
        if result.is_pending() {
            if was_server {
                self.timer.as_mut().reset(Instant::now() + self.timeout);
            }
            if self.timed_out(context) {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
        }
        result
    }
}

impl AsyncRead for Connection {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, read: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let connection = self.get_mut();
        let result = Pin::new(&mut connection.stream).poll_read(context, read);
        if result.is_pending() && connection.timed_out(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        result
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let connection = self.get_mut();
        let result = Pin::new(&mut connection.stream).poll_write(context, bytes);
        connection.written(context, result)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let connection = self.get_mut();
        let result = Pin::new(&mut connection.stream).poll_write_vectored(context, bytes);
        connection.written(context, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let connection = self.get_mut();
        let result = Pin::new(&mut connection.stream).poll_flush(context);
        ready!(connection.written(context, result))?;
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::time::Instant;

    use axum::Router;
    use axum::body::{Body, Bytes};
    use axum::routing::get;
    use http_body::Frame;

    use super::*;

    const TIMEOUT: Duration = Duration::from_millis(300);

    /// A response that begins at once, then sends nothing for longer than the time limit of clients.
    struct Slow(Vec<&'static str>, Pin<Box<Sleep>>);

    impl http_body::Body for Slow {
        type Data = Bytes;
        type Error = std::convert::Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
            if self.0.len() == 1 {
                ready!(self.1.as_mut().poll(context));
            }
            Poll::Ready(self.0.pop().map(|text| Ok(Frame::data(Bytes::from(text)))))
        }
    }

    /// A server for two connections with a short time limit.
    fn serve() -> std::net::SocketAddr {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let slow = || async { Body::new(Slow(vec!["late", "soon"], Box::pin(sleep(TIMEOUT * 3)))) };
        let site = Router::new().route("/slow", get(slow)).route("/", get(|| async { "soon" }));
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                let listener = Bounded::new(TcpListener::from_std(listener).unwrap(), 2, TIMEOUT);
                axum::serve(listener, site).await
            })
        });
        address
    }

    fn get_body(address: std::net::SocketAddr, path: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").as_bytes()).unwrap();
        read(stream)
    }

    fn read(mut stream: TcpStream) -> String {
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        text
    }

    #[test]
    fn an_idle_client_is_disconnected_and_others_are_served() {
        let address = serve();
        let began = Instant::now();
        let silent = [TcpStream::connect(address).unwrap(), TcpStream::connect(address).unwrap()];
        // Both permits are taken until the silent clients exceed the time limit.
        assert!(get_body(address, "/").ends_with("soon"));
        assert!(began.elapsed() >= TIMEOUT, "{:?}", began.elapsed());
        assert!(silent.into_iter().all(|stream| read(stream).is_empty()));
    }

    #[test]
    fn a_slow_response_is_not_cut_off() {
        let answer = get_body(serve(), "/slow");
        assert!(answer.contains("soon") && answer.contains("late"), "{answer}");
    }
}
