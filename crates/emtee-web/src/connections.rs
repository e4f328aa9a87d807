//! Limits on connections: their number, and the time that a client may take.
//!
//! A connection is for one request. At the limit, further connections wait in the backlog of the system. A client has a time
//! limit for the header of its request, for the body, and for reading each part of the response. A search that sends nothing
//! for long is not limited.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use crate::refusal::Refusal;

/// The limits of the connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The most connections at once: a browser opens six for a page.
    pub(crate) connections: usize,
    /// The time for the header, for the body, and for reading each part of the response.
    pub(crate) client_time: Duration,
    /// The most bytes of a body.
    pub(crate) body: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { connections: 256, client_time: Duration::from_secs(10), body: 256 << 10 }
    }
}

/// Serves connections until the future is dropped.
pub(crate) async fn serve(listener: TcpListener, site: Router, limits: Limits) {
    let permits = Arc::new(Semaphore::new(limits.connections));
    loop {
        // The semaphore is never closed, so this waits for a permit and does not fail.
        let permit = permits.clone().acquire_owned().await;
        match listener.accept().await {
            Ok((stream, _)) => {
                let site = site.clone();
                tokio::spawn(async move {
                    serve_connection(stream, site, limits).await;
                    drop(permit);
                });
            }
            // For example too many open files: other connections have to end first.
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
}

/// Serves the request of a connection. A client that exceeds a limit is disconnected.
async fn serve_connection(stream: TcpStream, site: Router, limits: Limits) {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.client_time));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.client_time)
        .keep_alive(false)
        .serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(site));
    // An error is a client that disconnected or exceeded a limit: there is no client to report it to.
    let _ = connection.await;
}

/// The request with its body in memory.
pub(crate) async fn with_whole_body(request: Request, limits: Limits) -> Result<Request, Refusal> {
    let (head, body) = request.into_parts();
    match timeout(limits.client_time, to_bytes(body, limits.body)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(head, Body::from(bytes))),
        Ok(Err(_)) => Err(Refusal::new(413, "the request is too large")),
        Err(_) => Err(Refusal::new(408, "the request was not sent in time")),
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpStream};
    use std::pin::Pin;
    use std::task::{Context, Poll, ready};

    use axum::body::Bytes;
    use axum::middleware::{Next, from_fn};
    use axum::response::IntoResponse;
    use axum::routing::{get, post};
    use http_body::Frame;
    use tokio::time::Sleep;

    use super::*;

    const LIMITS: Limits = Limits { connections: 2, client_time: Duration::from_millis(300), body: 1_000 };

    /// A response that begins at once, then sends nothing for longer than the time limit of clients.
    struct Slow(Vec<&'static str>, Pin<Box<Sleep>>);

    impl http_body::Body for Slow {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            if self.0.len() == 1 {
                ready!(self.1.as_mut().poll(context));
            }
            Poll::Ready(self.0.pop().map(|text| Ok(Frame::data(Bytes::from(text)))))
        }
    }

    /// A response without an end.
    struct Endless;

    impl http_body::Body for Endless {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(&[b' '; 1 << 16])))))
        }
    }

    /// A server for two connections with a short time limit.
    fn start() -> SocketAddr {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let slow = || async { Body::new(Slow(vec!["late", "soon"], Box::pin(sleep(LIMITS.client_time * 3)))) };
        let whole = |request: Request, next: Next| async {
            match with_whole_body(request, LIMITS).await {
                Ok(request) => next.run(request).await,
                Err(refusal) => refusal.into_response(),
            }
        };
        let site = Router::new()
            .route("/slow", get(slow))
            .route("/endless", get(|| async { Body::new(Endless) }))
            .route("/", get(|| async { "soon" }))
            .route("/", post(|body: Bytes| async move { format!("{} bytes", body.len()) }))
            .layer(from_fn(whole));
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move { serve(TcpListener::from_std(listener).unwrap(), site, LIMITS).await });
        });
        address
    }

    /// A connection that has sent this text.
    fn sent(address: SocketAddr, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// All that the server sends before it closes the connection. Panics if it stays open.
    fn read(mut stream: TcpStream) -> String {
        let mut bytes = Vec::new();
        match stream.read_to_end(&mut bytes) {
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => panic!("the connection stays open"),
            _ => String::from_utf8(bytes).unwrap(),
        }
    }

    fn get_body(address: SocketAddr, path: &str) -> String {
        read(sent(address, &format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n")))
    }

    /// Two connections that have sent this text hold all permits. Another client is answered nevertheless. Returns what the
    /// two receive.
    fn held_by(text: &str) -> [String; 2] {
        let address = start();
        let held = [sent(address, text), sent(address, text)];
        assert!(get_body(address, "/").ends_with("soon"), "{text}");
        held.map(read)
    }

    #[test]
    fn clients_that_send_half_a_header_do_not_keep_others_out() {
        for half in ["", "G", "GET / HTTP/1.1\r\nHo"] {
            let answers = held_by(half);
            assert!(answers.iter().all(|answer| !answer.contains("200")), "{half}: {answers:?}");
        }
    }

    #[test]
    fn clients_that_send_half_a_body_do_not_keep_others_out() {
        for half in ["", "x"] {
            let answers = held_by(&format!("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{half}"));
            assert!(answers.iter().all(|answer| answer.starts_with("HTTP/1.1 408")), "{half}: {answers:?}");
        }
    }

    #[test]
    fn clients_that_do_not_read_do_not_keep_others_out() {
        held_by("GET /endless HTTP/1.1\r\nhost: x\r\n\r\n");
    }

    #[test]
    fn a_slow_response_is_not_cut_off() {
        let answer = get_body(start(), "/slow");
        assert!(answer.contains("soon") && answer.contains("late"), "{answer}");
    }

    #[test]
    fn a_connection_is_for_one_request_of_limited_size() {
        let post = |length: usize| {
            let head = format!("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: {length}\r\n\r\n");
            read(sent(start(), &format!("{head}{}", "x".repeat(length))))
        };
        let answer = post(1_000);
        assert!(answer.contains("connection: close") && answer.ends_with("1000 bytes"), "{answer}");
        assert!(post(1_001).starts_with("HTTP/1.1 413"));
    }
}
