//! The ranks of a job and their control messages. Apart from the packets of a search (`mpi_transport.rs`), only this file calls
//! MPI.
//!
//! MPI's own blocking calls spin, which takes a core from a thread that searches. So waiting here means to probe, sleep and
//! probe again.

use std::cell::{Cell, RefCell};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use mpi::Threading;
use mpi::environment::Universe;
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::{CommunicatorCollectives, Destination, MatchedReceiveVec, Source};

use crate::control::Control;
use crate::mpi_transport;

/// How long a rank may be silent: `EMTEE_MPI_PATIENCE`, like 60s.
const PATIENCE: Duration = Duration::from_secs(60);

/// The interval between two probes of an idle rank.
const PROBE_INTERVAL: Duration = Duration::from_micros(200);

/// The MPI tag of control messages.
const CONTROL_TAG: i32 = 0;

/// The ranks of this job.
pub(crate) struct Ranks {
    /// Dropping it ends MPI.
    _universe: Universe,
    world: SimpleCommunicator,
    pub(crate) patience: Duration,
    last_sent: RefCell<Vec<Instant>>,
    /// A rank does not respond any more: the job ends with an abort.
    broken: Cell<bool>,
}

impl Ranks {
    /// Starts MPI. From now on a panic aborts all ranks: the others would wait forever for this one.
    pub(crate) fn join() -> Result<Ranks, String> {
        let patience = match std::env::var("EMTEE_MPI_PATIENCE") {
            Err(_) => PATIENCE,
            Ok(text) => {
                emtee_engine::read_duration(&text).map_err(|why| format!("EMTEE_MPI_PATIENCE '{text}': {why}"))?
            }
        };
        let (mut universe, _) = mpi::initialize_with_threading(Threading::Funneled)
            .ok_or("MPI does not start; run it with mpirun, or with srun on a cluster")?;
        let default_hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            default_hook(panic);
            SimpleCommunicator::world().abort(1);
        }));
        let world = universe.world();
        universe.set_buffer_size(mpi_transport::buffer_size(world.size() as usize));
        let last_sent = RefCell::new(vec![Instant::now(); world.size() as usize]);
        Ok(Ranks { _universe: universe, world, patience, last_sent, broken: Cell::new(false) })
    }

    /// The number of this rank, from 0.
    pub(crate) fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    /// The number of ranks.
    pub(crate) fn size(&self) -> usize {
        self.world.size() as usize
    }

    /// The host of this rank.
    pub(crate) fn host() -> String {
        mpi::environment::processor_name().unwrap_or_else(|_| String::from("a machine without a name"))
    }

    /// Sends a message. A long one blocks until the receiver reads it, so send it only to a rank that is receiving.
    pub(crate) fn send(&self, to: usize, message: &Control) {
        let bytes = serde_json::to_vec(message)
            .unwrap_or_else(|error| unreachable!("a control message cannot be serialized: {error}"));
        self.world.process_at_rank(to as i32).send_with_tag(&bytes[..], CONTROL_TAG);
        self.last_sent.borrow_mut()[to] = Instant::now();
    }

    /// Sends a message to all ranks but rank 0.
    pub(crate) fn send_to_all(&self, message: &Control) {
        (1..self.size()).for_each(|to| self.send(to, message));
    }

    /// Sends a heartbeat to a rank if nothing else was sent to it for a while.
    pub(crate) fn send_alive(&self, to: usize) {
        let interval = (self.patience / 4).min(Duration::from_secs(1));
        if self.last_sent.borrow()[to].elapsed() >= interval {
            self.send(to, &Control::Alive);
        }
    }

    /// The next message that has arrived, if any, with the rank that sent it.
    pub(crate) fn receive(&self) -> Option<(usize, Control)> {
        let probed = self.world.any_process().immediate_matched_probe_with_tag(CONTROL_TAG)?;
        let (bytes, status): (Vec<u8>, _) = probed.matched_receive_vec();
        let message = serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("a message is unreadable: {error}"));
        Some((status.source_rank() as usize, message))
    }

    /// Waits until all ranks have called this.
    pub(crate) fn barrier(&self) {
        self.world.barrier();
    }

    /// Sleeps until the next probe.
    pub(crate) fn sleep(&self) {
        std::thread::sleep(PROBE_INTERVAL);
    }

    /// A rank does not respond any more: [`finish`](Ranks::finish) will abort.
    pub(crate) fn mark_broken(&self) {
        self.broken.set(true);
    }

    /// Ends all ranks; called on rank 0.
    pub(crate) fn finish(&self, code: ExitCode) -> ExitCode {
        if self.broken.get() {
            self.abort();
        }
        self.send_to_all(&Control::Exit);
        code
    }

    /// Kills all ranks.
    pub(crate) fn abort(&self) -> ! {
        self.world.abort(1)
    }
}
