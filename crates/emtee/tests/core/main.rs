//! What the core promises, held against plain minimax on small trees. One program, so that its searches are compiled once.

mod aborts;
mod agreement;
mod common;
mod corners;
mod counts;
mod in_play;
mod laws;
mod level;
mod machines;
mod options;
mod peers;
mod promises;
mod random_options;
mod theory;
mod threads;
