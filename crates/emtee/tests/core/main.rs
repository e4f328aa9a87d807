//! Tests of the library against plain minimax on small trees. They are one program, so that its searches are compiled once.

mod aborts;
mod agreement;
mod common;
mod counts;
mod edge_cases;
mod guarantees;
mod in_play;
mod laws;
mod level;
mod options;
mod other_libraries;
mod peers;
mod random_options;
#[cfg(feature = "serde")]
mod serialization;
mod theory;
mod threads;
