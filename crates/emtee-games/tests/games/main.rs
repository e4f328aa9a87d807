//! Tests of the games through their public API. They are one program, so that each search is compiled once.

mod agreement;
mod cpu_features;
mod laws;
mod readers;
mod selective;
