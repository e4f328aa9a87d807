//! The threads that searches run on.
//!
//! A search takes megabytes for its table. Allocators keep what a thread has given back for its next request, so with a new
//! thread for each search the server held 738 MB after `cargo xtask crowd`, and 83 before. A few threads that stay hold no
//! more than their own searches need.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// A search to be run.
type Work = Box<dyn FnOnce() + Send>;

/// Threads that wait for work. They end when the pool is dropped and their work is done.
pub(crate) struct Pool(Mutex<Sender<Work>>);

impl Pool {
    /// So many threads.
    pub(crate) fn new(threads: usize) -> std::io::Result<Pool> {
        let (sender, work) = channel();
        let work = Arc::new(Mutex::new(work));
        for _ in 0..threads {
            let work = work.clone();
            std::thread::Builder::new().name("search".into()).spawn(move || serve(&work))?;
        }
        Ok(Pool(Mutex::new(sender)))
    }

    /// Has one of the threads do this, as soon as one is free.
    pub(crate) fn run(&self, work: impl FnOnce() + Send + 'static) {
        let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The threads outlive the pool, so there is somebody to receive it.
        let _ = sender.send(Box::new(work));
    }
}

fn serve(work: &Mutex<Receiver<Work>>) {
    loop {
        let next = work.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(next) = next else { return };
        // The rules of a game that somebody else wrote may go wrong; the thread is still needed.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(next));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_also_after_a_panic() {
        let pool = Pool::new(1).unwrap();
        let (sender, done) = channel();
        pool.run(|| panic!("a game that goes wrong"));
        pool.run(move || sender.send(7).unwrap());
        assert_eq!(done.recv(), Ok(7));
    }
}
