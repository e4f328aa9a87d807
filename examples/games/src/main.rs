//! Six games with every command of `emtee`.
//!
//! ```text
//! cargo run --release -p games -- play ataxx
//! cargo run --release -p games -- check amazons
//! ```

use std::process::ExitCode;

use emtee_cli::Kit;
use games::{amazons, ataxx, breakthrough, dots, gomoku, hex, simple};

fn main() -> ExitCode {
    emtee_cli::program()
        .game_with("breakthrough", Kit::<breakthrough::Board>::new().evaluator("zero", |_: &_| 0))
        .game_with("ataxx", Kit::<ataxx::Board>::new().evaluator("simple", simple::ataxx))
        .game_with("dots", Kit::<dots::Board>::new().evaluator("zero", |_: &_| 0))
        .game_with("hex", Kit::<hex::Board>::new().evaluator("simple", simple::hex))
        .game_with("amazons", Kit::<amazons::Board>::new().evaluator("simple", simple::amazons))
        .game_with("gomoku", Kit::<gomoku::Board>::new().evaluator("simple", simple::gomoku))
        .run()
}
