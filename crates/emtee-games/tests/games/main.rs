//! The games through their public door. One program, so that their searches are compiled once.

mod agreement;
mod laws;
mod readers;
mod selective;
