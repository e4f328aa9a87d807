//! Answers that come line by line while a search runs, and stop it when nobody reads them any more.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use emtee_engine::Control;
use http_body::Frame;
use serde::Serialize;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::pool::Pool;
use crate::refusal::Refusal;

/// How searches are stopped: those of the lab by a flag, an engine by its control.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop {
    pub(crate) flag: Arc<AtomicBool>,
    pub(crate) control: Control,
}

impl Stop {
    pub(crate) fn stop(&self) {
        self.flag.store(true, Relaxed);
        self.control.stop();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.flag.load(Relaxed)
    }
}

/// Where a search says what it found: an object a line.
#[derive(Clone)]
pub(crate) struct Lines(Sender<Bytes>);

impl Lines {
    /// Sends an object. Where nobody reads, nothing happens: the search is being stopped.
    pub(crate) fn send(&self, object: &impl Serialize) {
        if let Ok(mut line) = serde_json::to_vec(object) {
            line.push(b'\n');
            let _ = self.0.blocking_send(line.into());
        }
    }
}

/// Lines that wait for a slow reader.
const WAITING: usize = 64;

/// Runs a search on a thread of the pool and sends what it says. It is stopped when the client goes away, and after `limit`.
pub(crate) fn stream(
    pool: &Pool,
    limit: Duration,
    search: impl FnOnce(&Lines, &Stop) -> Result<(), Refusal> + Send + 'static,
) -> Response {
    let (sender, lines) = channel(WAITING);
    let stop = Stop::default();
    let own = stop.clone();
    pool.run(move || {
        let lines = Lines(sender);
        if let Err(refusal) = search(&lines, &own) {
            lines.send(&serde_json::json!({ "error": refusal.to_string() }));
        }
    });
    let late = stop.clone();
    let alarm = tokio::spawn(async move {
        tokio::time::sleep(limit).await;
        late.stop();
    });
    let body = Body::new(Stream { lines, stop, alarm });
    ([("content-type", "application/x-ndjson"), ("cache-control", "no-store")], body).into_response()
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
