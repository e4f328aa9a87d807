//! Answers that come line by line while a search runs, and stop it when nobody reads them any more.

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

/// Lines that wait for a slow reader.
const WAITING: usize = 64;

/// Runs a search on threads of the pool, one for each room that it has or that is left, and sends what it says. It is
/// stopped when the client goes away, and after its limit.
pub(crate) fn stream(site: &Site, room: OwnedSemaphorePermit, search: Arc<dyn Search>) -> Response {
    let rooms: Vec<_> = [room].into_iter().chain((1..search.most_threads()).map_while(|_| site.room().ok())).collect();
    let (sender, lines) = channel(WAITING);
    let said = Lines::new(move |mut line| {
        line.push(b'\n');
        // Where nobody reads, nothing happens: the search is being stopped.
        let _ = sender.blocking_send(line.into());
    });
    let (stop, limit) = (Stop::default(), search.limit());
    let (own, pool) = (stop.clone(), site.pool.clone());
    site.pool.run(move || {
        search.begin(rooms.len(), &said);
        let (working, done) = mpsc::channel::<()>();
        let mut rooms = rooms.into_iter();
        let _room = rooms.next();
        for room in rooms {
            let (search, said, stop, working) = (search.clone(), said.clone(), own.clone(), working.clone());
            pool.run(move || {
                work(&*search, &said, &stop);
                drop((room, working));
            });
        }
        drop(working);
        work(&*search, &said, &own);
        // Nothing is ever sent: it ends when all have let go of it.
        let _ = done.recv();
        search.end(&said, &own);
    });
    let late = stop.clone();
    let alarm = tokio::spawn(async move {
        tokio::time::sleep(limit).await;
        late.stop();
    });
    let body = Body::new(Stream { lines, stop, alarm });
    ([("content-type", "application/x-ndjson"), ("cache-control", "no-store")], body).into_response()
}

fn work(search: &dyn Search, said: &Lines, stop: &Stop) {
    if let Err(refusal) = search.work(said, stop) {
        said.send(&refusal);
    }
}

struct Stream {
    lines: Receiver<Bytes>,
    stop: Stop,
    alarm: tokio::task::JoinHandle<()>,
}

/// The page has gone, or has everything.
impl Drop for Stream {
    fn drop(&mut self) {
        self.stop.stop();
        self.alarm.abort();
    }
}

impl http_body::Body for Stream {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.get_mut().lines.poll_recv(context).map(|line| line.map(|line| Ok(Frame::data(line))))
    }
}
