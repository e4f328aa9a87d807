//! Conversations of any bytes with an engine, for the fuzzer: after `cargo install cargo-fuzz`,
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run uci fuzz/corpus/uci fuzz/seeds/uci -- -max_total_time=60`, and the same for `hub` and `nboard`.

use std::io;
use std::sync::LazyLock;
use std::time::Duration;

use emtee::Size;
use emtee_engine::{Play, Registry, Setup, speak};

/// Says all of it to an engine of the game, and then to quit: what it thinks about may take longer than anybody waits.
pub fn converse(game: &str, said: &[u8]) {
    static GAMES: LazyLock<Registry> = LazyLock::new(Registry::standard);
    let mut setup = Setup::new(Play::default().with_hash(Size::of_bytes(1 << 16)));
    setup.most_hash = 1;
    setup.move_time = Some(Duration::from_millis(1));
    let game = GAMES.get(game).expect("it is one of ours");
    let said = [said, &b"\nquit\n"[..]].concat();
    speak(game, &setup, &mut &*said, &mut io::sink()).expect("an engine that was set up so goes on");
}
