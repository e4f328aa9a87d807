//! The threads that searches run on.
//!
//! A search allocates megabytes for its table. Allocators keep the freed memory of a thread for its next allocation, so with a
//! new thread for each search the server held 738 MB after `cargo xtask load-test`, and 83 before. A fixed number of threads holds
//! no more than their own searches need.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// A job of the pool.
type Work = Box<dyn FnOnce() + Send>;

/// A thread pool. Its threads end when it is dropped and their work is done.
pub(crate) struct Pool(Mutex<Sender<Work>>);

impl Pool {
    /// A pool with this many threads.
    pub(crate) fn new(threads: usize) -> std::io::Result<Pool> {
        let (sender, work) = channel();
        let work = Arc::new(Mutex::new(work));
        for _ in 0..threads {
            let work = work.clone();
            std::thread::Builder::new().name("search".into()).spawn(move || serve(&work))?;
        }
        Ok(Pool(Mutex::new(sender)))
    }

    /// Runs a job on the next free thread.
    pub(crate) fn run(&self, work: impl FnOnce() + Send + 'static) {
        let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The threads outlive the pool, so the channel has a receiver.
        let _ = sender.send(Box::new(work));
    }
}

fn serve(work: &Mutex<Receiver<Work>>) {
    loop {
        let next = work.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(next) = next else { return };
        // The rules of a user-defined game may panic; the thread must survive that.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(next));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_survives_a_panic() {
        let pool = Pool::new(1).unwrap();
        let (sender, done) = channel();
        pool.run(|| panic!("a game that panics"));
        pool.run(move || sender.send(7).unwrap());
        assert_eq!(done.recv(), Ok(7));
    }
}
