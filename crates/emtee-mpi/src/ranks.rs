//! The other processes, and how to reach them. Nobody else calls MPI.
//!
//! MPI's own calls wait by turning in circles, which takes a core from somebody who searches. So whoever waits here looks, and
//! sleeps, and looks again.

use std::cell::{Cell, RefCell};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use mpi::Threading;
use mpi::environment::Universe;
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::{CommunicatorCollectives, Destination, MatchedReceiveVec, Source};

use crate::message::Message;
use crate::post;

/// How long a rank may be silent: `EMTEE_MPI_PATIENCE`, like 60s.
const PATIENCE: Duration = Duration::from_secs(60);

/// A rank that has nothing to do looks this often.
const NAP: Duration = Duration::from_micros(200);

/// Messages have a tag of their own.
const MESSAGE: i32 = 0;

/// The ranks of this job.
pub(crate) struct Ranks {
    /// Dropped last of all, which ends MPI.
    _universe: Universe,
    world: SimpleCommunicator,
    pub(crate) patience: Duration,
    last_sent: RefCell<Vec<Instant>>,
    /// Some rank will never answer again: there is no orderly end.
    broken: Cell<bool>,
}

impl Ranks {
    /// Joins the others. From now on a panic ends them all: one rank less, and the others would wait forever.
    pub(crate) fn join() -> Result<Ranks, String> {
        let patience = match std::env::var("EMTEE_MPI_PATIENCE") {
            Err(_) => PATIENCE,
            Ok(text) => {
                emtee_engine::read_duration(&text).map_err(|why| format!("EMTEE_MPI_PATIENCE '{text}': {why}"))?
            }
        };
        let (mut universe, _) = mpi::initialize_with_threading(Threading::Funneled)
            .ok_or("MPI does not start; run it with mpirun, or with srun on a cluster")?;
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            usual(panic);
            SimpleCommunicator::world().abort(1);
        }));
        let world = universe.world();
        universe.set_buffer_size(post::buffer(world.size() as usize));
        let last_sent = RefCell::new(vec![Instant::now(); world.size() as usize]);
        Ok(Ranks { _universe: universe, world, patience, last_sent, broken: Cell::new(false) })
    }

    /// Which one this is.
    pub(crate) fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    /// How many there are.
    pub(crate) fn size(&self) -> usize {
        self.world.size() as usize
    }

    /// Where this one runs.
    pub(crate) fn host() -> String {
        mpi::environment::processor_name().unwrap_or_else(|_| String::from("a machine without a name"))
    }

    /// Sends a message. Long ones go to ranks that are listening, and wait until they are heard.
    pub(crate) fn send(&self, to: usize, message: &Message) {
        let bytes = serde_json::to_vec(message).unwrap_or_else(|error| unreachable!("messages are plain: {error}"));
        self.world.process_at_rank(to as i32).send_with_tag(&bytes[..], MESSAGE);
        self.last_sent.borrow_mut()[to] = Instant::now();
    }

    /// Sends a message to all but rank 0.
    pub(crate) fn tell_all(&self, message: &Message) {
        (1..self.size()).for_each(|to| self.send(to, message));
    }

    /// Lets a rank know that this one lives, if it has heard nothing for long.
    pub(crate) fn reassure(&self, to: usize) {
        let often = (self.patience / 4).min(Duration::from_secs(1));
        if self.last_sent.borrow()[to].elapsed() >= often {
            self.send(to, &Message::Alive);
        }
    }

    /// The next message, if there is one, and who sent it.
    pub(crate) fn receive(&self) -> Option<(usize, Message)> {
        let probed = self.world.any_process().immediate_matched_probe_with_tag(MESSAGE)?;
        let (bytes, status): (Vec<u8>, _) = probed.matched_receive_vec();
        let message = serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("a message is unreadable: {error}"));
        Some((status.source_rank() as usize, message))
    }

    /// Waits until all are here.
    pub(crate) fn meet(&self) {
        self.world.barrier();
    }

    /// Sleeps a little.
    pub(crate) fn nap(&self) {
        std::thread::sleep(NAP);
    }

    /// A rank will not answer any more.
    pub(crate) fn give_up(&self) {
        self.broken.set(true);
    }

    /// The end, on rank 0.
    pub(crate) fn finish(&self, code: ExitCode) -> ExitCode {
        if self.broken.get() {
            self.abort();
        }
        self.tell_all(&Message::End);
        code
    }

    /// Ends all ranks, whatever they do.
    pub(crate) fn abort(&self) -> ! {
        self.world.abort(1)
    }
}
