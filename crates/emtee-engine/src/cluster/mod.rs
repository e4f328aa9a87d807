//! One search on many machines: the protocol between ranks ([`protocol`]) and the same protocol in virtual time
//! ([`simulator`]), which can also simulate the threads of one machine.

pub mod protocol;
pub mod simulator;
