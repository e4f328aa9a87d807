//! Six games with every command of `emtee`.
//!
//! ```text
//! cargo run --release -p games --features program -- play ataxx
//! cargo run --release -p games --features program -- check amazons
//! cargo run --release -p games --features program -- learn gomoku --minutes 10
//! cargo run --release -p games --features program -- \
//!     match gomoku mtd-f,evaluator=learned:gomoku.learned mtd-f,evaluator=simple --time 50ms
//! ```

use std::process::ExitCode;

use emtee_cli::Kit;
use games::{amazons, ataxx, breakthrough_features, dots, gomoku, hex, simple};

fn main() -> ExitCode {
    emtee_cli::program()
        .game_with("breakthrough", Kit::new().features(breakthrough_features).evaluator("zero", |_: &_| 0))
        .game_with("ataxx", Kit::new().features(ataxx::Board::features).evaluator("simple", simple::ataxx))
        .game_with("dots", Kit::new().features(dots::Board::features).evaluator("zero", |_: &_| 0))
        .game_with("hex", Kit::new().features(hex::Board::features).evaluator("simple", simple::hex))
        .game_with("amazons", Kit::new().features(amazons::Board::features).evaluator("simple", simple::amazons))
        .game_with("gomoku", Kit::new().features(gomoku::Board::features).evaluator("simple", simple::gomoku))
        .run()
}
