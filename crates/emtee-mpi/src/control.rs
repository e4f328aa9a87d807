//! The control messages between rank 0 and the other ranks.

use emtee_cli::Job;
use serde::{Deserialize, Serialize};

/// The identity of a rank: ranks that do not match are refused before any work begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    pub(crate) host: String,
    pub(crate) version: String,
    /// A hash of the program file, different for each build.
    pub(crate) build: u64,
    pub(crate) arguments: Vec<String>,
}

/// Sent by rank 0 to the other ranks, unless it says "to rank 0".
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Control {
    /// To rank 0: this rank has started.
    Hello(Identity),
    /// Every second without any other message; also to rank 0 while there is work.
    Alive,
    /// A job begins. `ranks_on_host`: the ranks that share the host of the receiver, itself included.
    Job { job: Job, ranks_on_host: usize },
    /// A search by all ranks begins.
    SharedSearch { job: String, number: u64 },
    /// To rank 0: the number of tasks that this rank does at once.
    Ready { slots: usize },
    /// A task of the job.
    Task { number: usize, text: String },
    /// To rank 0: a result of a task.
    Result { number: usize, text: String },
    /// To rank 0: a task is finished, or was stopped.
    Finished { number: usize },
    /// To rank 0: the job failed, and why.
    Failed(String),
    /// Stop the tasks in progress.
    Stop,
    /// The job is over.
    JobOver,
    /// The program ends.
    Exit,
}
