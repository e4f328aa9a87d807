//! Learns an evaluation of a board game from its rules, by self-play.
#![doc = include_str!("../README.md")]

mod features;
mod file;
mod fit;
mod geometry;
mod learned;
mod learner;
mod model;
mod play;
mod state;
mod symmetry;

pub use features::{Features, MAX_CELLS, MAX_COUNTERS, MAX_KINDS};
pub use file::BadModel;
pub use learned::Learned;
pub use learner::{FeaturesOf, Generation, Learner, MakeSearcher, Task};
pub use model::Model;
pub use play::{Searcher, Thought};
