//! Connections: not too many at once, and none that nobody uses.
//!
//! A connection is for one request. Where all places are taken, others wait until the system lets them in. A client has a
//! while to say what it wants, and a while to read what it is told; a search that says nothing for long is not its fault.

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

/// The most at once: a browser has six for a page.
pub(crate) const MOST: usize = 256;

/// How long a client may take to ask, and to take what it is given.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A listener with so many places.
pub(crate) struct Bounded {
    listener: TcpListener,
    places: Arc<Semaphore>,
    patience: Duration,
}

impl Bounded {
    pub(crate) fn new(listener: TcpListener, most: usize, patience: Duration) -> Bounded {
        Bounded { listener, places: Arc::new(Semaphore::new(most)), patience }
    }
}

impl Listener for Bounded {
    type Io = Connection;
    type Addr = std::net::SocketAddr;

    async fn accept(&mut self) -> (Connection, Self::Addr) {
        // Nobody closes the semaphore: there is always a place in the end.
        let place = self.places.clone().acquire_owned().await.ok();
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let alarm = Box::pin(sleep(self.patience));
        (Connection { stream, alarm, patience: self.patience, waiting: Waiting::ForClient, _place: place }, address)
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

/// Whom a connection waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waiting {
    /// It is to ask, or to read.
    ForClient,
    /// The answer has begun, and all there is of it has been sent.
    ForUs,
}

/// A connection that has a place.
pub(crate) struct Connection {
    stream: TcpStream,
    alarm: Pin<Box<Sleep>>,
    patience: Duration,
    waiting: Waiting,
    _place: Option<OwnedSemaphorePermit>,
}

impl Connection {
    /// Whether the client has had its time.
    fn late(&mut self, context: &mut Context<'_>) -> bool {
        self.waiting == Waiting::ForClient && self.alarm.as_mut().poll(context).is_ready()
    }

    /// What came of writing: something was taken, or the client's time begins.
    fn written<T>(&mut self, context: &mut Context<'_>, came: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        let began = self.waiting == Waiting::ForUs;
        self.waiting = if came.is_ready() { Waiting::ForUs } else { Waiting::ForClient };
        if came.is_pending() {
            if began {
                self.alarm.as_mut().reset(Instant::now() + self.patience);
            }
            if self.late(context) {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
        }
        came
    }
}

impl AsyncRead for Connection {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, read: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let connection = self.get_mut();
        let came = Pin::new(&mut connection.stream).poll_read(context, read);
        if came.is_pending() && connection.late(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        came
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let connection = self.get_mut();
        let came = Pin::new(&mut connection.stream).poll_write(context, bytes);
        connection.written(context, came)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let connection = self.get_mut();
        let came = Pin::new(&mut connection.stream).poll_write_vectored(context, bytes);
        connection.written(context, came)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let connection = self.get_mut();
        let came = Pin::new(&mut connection.stream).poll_flush(context);
        ready!(connection.written(context, came))?;
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

    const PATIENCE: Duration = Duration::from_millis(300);

    /// An answer that begins at once, and says nothing for longer than clients may.
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

    /// A server with two places and little patience.
    fn serve() -> std::net::SocketAddr {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let slow = || async { Body::new(Slow(vec!["late", "soon"], Box::pin(sleep(PATIENCE * 3)))) };
        let site = Router::new().route("/slow", get(slow)).route("/", get(|| async { "soon" }));
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                let listener = Bounded::new(TcpListener::from_std(listener).unwrap(), 2, PATIENCE);
                axum::serve(listener, site).await
            })
        });
        address
    }

    fn asked(address: std::net::SocketAddr, path: &str) -> String {
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
    fn who_says_nothing_loses_the_place_and_others_get_it() {
        let address = serve();
        let began = Instant::now();
        let silent = [TcpStream::connect(address).unwrap(), TcpStream::connect(address).unwrap()];
        // Both places are taken, until those who say nothing have had their time.
        assert!(asked(address, "/").ends_with("soon"));
        assert!(began.elapsed() >= PATIENCE, "{:?}", began.elapsed());
        assert!(silent.into_iter().all(|stream| read(stream).is_empty()));
    }

    #[test]
    fn an_answer_may_take_its_time() {
        let answer = asked(serve(), "/slow");
        assert!(answer.contains("soon") && answer.contains("late"), "{answer}");
    }
}
