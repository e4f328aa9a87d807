//! Responses that are streamed line by line while a search runs. The search stops if the client disconnects.

use std::pin::Pin;
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use http_body::Frame;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{Receiver, channel};

use crate::search::{Lines, Search, Stop};
use crate::server::Site;

/// The most lines buffered for a slow client.
const MAX_BUFFERED: usize = 64;

/// Runs a search on threads of the pool and streams its lines. The search gets one thread for its permit, and one for each
/// further permit that is free. It is stopped when the client disconnects, and after its time limit.
pub(crate) fn stream(site: &Site, permit: OwnedSemaphorePermit, search: Arc<dyn Search>) -> Response {
    let permits: Vec<_> =
        [permit].into_iter().chain((1..search.max_threads()).map_while(|_| site.search_permit().ok())).collect();
    let (sender, receiver) = channel(MAX_BUFFERED);
    let lines = Lines::new(move |mut line| {
        line.push(b'\n');
        // Sending fails if the client has disconnected: the search is being stopped then.
        let _ = sender.blocking_send(line.into());
    });
    let (stop, limit) = (Stop::default(), search.limit());
    let (own, pool) = (stop.clone(), site.pool.clone());
    site.pool.run(move || {
        search.begin(permits.len(), &lines);
        let (working, done) = mpsc::channel::<()>();
        let mut permits = permits.into_iter();
        let _permit = permits.next();
        for permit in permits {
            let (search, lines, stop, working) = (search.clone(), lines.clone(), own.clone(), working.clone());
            pool.run(move || {
                work(&*search, &lines, &stop);
                drop((permit, working));
            });
        }
        drop(working);
        work(&*search, &lines, &own);
        // Nothing is sent: this returns when all threads have dropped their sender.
        let _ = done.recv();
        search.end(&lines, &own);
    });
    let timeout = stop.clone();
    let timer = tokio::spawn(async move {
        tokio::time::sleep(limit).await;
        timeout.stop();
    });
    let body = Body::new(Stream { lines: receiver, stop, timer });
    ([("content-type", "application/x-ndjson"), ("cache-control", "no-store")], body).into_response()
}

fn work(search: &dyn Search, lines: &Lines, stop: &Stop) {
    if let Err(refusal) = search.work(lines, stop) {
        lines.send(&refusal);
    }
}

struct Stream {
    lines: Receiver<Bytes>,
    stop: Stop,
    timer: tokio::task::JoinHandle<()>,
}

/// The client has disconnected, or has read everything.
impl Drop for Stream {
    fn drop(&mut self) {
        self.stop.stop();
        self.timer.abort();
    }
}

impl http_body::Body for Stream {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.get_mut().lines.poll_recv(context).map(|line| line.map(|line| Ok(Frame::data(line))))
    }
}
