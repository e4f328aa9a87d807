//! One search on many machines: what they tell each other ([`mail`]), and the same in virtual time ([`simulator`]), where the
//! threads of one machine can be simulated as well.

pub mod mail;
pub mod simulator;
