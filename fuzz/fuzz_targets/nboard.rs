#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|said: &[u8]| emtee_fuzz::converse("othello", said));
