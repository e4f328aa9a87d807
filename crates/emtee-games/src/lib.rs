//! Games for emtee.

pub mod othello;
