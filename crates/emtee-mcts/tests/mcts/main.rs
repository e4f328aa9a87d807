//! Tests of Monte-Carlo tree search: proven values, limits, memory, threads.

mod games;
mod limits;
mod memory;
mod values;
