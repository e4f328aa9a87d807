//! Fuzz targets `uci`, `hub` and `nboard`, which send arbitrary bytes to an engine.
//!
//! ```text
//! cargo install cargo-fuzz
//! RUSTC_BOOTSTRAP=1 cargo fuzz run uci fuzz/corpus/uci fuzz/seeds/uci -- -max_total_time=60
//! ```

use std::io;
use std::sync::LazyLock;
use std::time::Duration;

use emtee::Size;
use emtee_engine::{Play, Registry, Setup, run_protocol};

/// Sends the input and then `quit`, which stops a search without a limit, to an engine of a game.
pub fn run_engine(game: &str, input: &[u8]) {
    static GAMES: LazyLock<Registry> = LazyLock::new(Registry::standard);
    let mut setup = Setup::new(Play::default().with_hash(Size::of_bytes(1 << 16)));
    setup.max_hash = 1;
    setup.move_time = Some(Duration::from_millis(1));
    let game = GAMES.get(game).expect("a built-in game");
    let input = [input, &b"\nquit\n"[..]].concat();
    run_protocol(game, &setup, &mut &*input, &mut io::sink()).expect("the protocol ends without an I/O error");
}
