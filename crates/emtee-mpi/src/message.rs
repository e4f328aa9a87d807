//! What ranks say to each other.

use emtee_cli::Job;
use serde::{Deserialize, Serialize};

/// What a rank is, so that those that do not fit together are found out before they begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    pub(crate) host: String,
    pub(crate) version: String,
    /// A number that another build of the program does not have.
    pub(crate) build: u64,
    pub(crate) arguments: Vec<String>,
}

/// Everything but the first goes from rank 0 to the others or back.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Message {
    /// To rank 0: I am here.
    Hello(Identity),
    /// To rank 0, every second in which nothing else is said; and back, while there is work.
    Alive,
    /// A job begins, of which a rank does so many tasks at once.
    Job { job: Job, neighbours: usize },
    /// A search that all make together begins.
    Together { job: String, number: u64 },
    /// To rank 0: how many tasks this rank takes at once.
    Ready { places: usize },
    /// A task of the job.
    Task { number: usize, text: String },
    /// To rank 0: something that a task has found.
    Result { number: usize, text: String },
    /// To rank 0: a task is done, or was stopped.
    Finished { number: usize },
    /// To rank 0: this cannot be done, and here is why.
    Failed(String),
    /// Whatever is being done is to stop.
    Stop,
    /// The job is over.
    Rest,
    /// The program is over.
    End,
}
