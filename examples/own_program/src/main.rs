//! A new game with every command of `emtee`: search, compare, perft, bench, check, experiments and the explorer page.
//!
//! ```text
//! cargo run --release -- search breakthrough --time 2s
//! cargo run --release -- compare breakthrough --depth 6
//! cargo run --release -- check breakthrough
//! cargo run --release -- experiment breakthrough.toml
//! cargo run --release -- serve --open
//! ```

mod breakthrough;
mod kit;

use std::process::ExitCode;

fn main() -> ExitCode {
    emtee_cli::program().game_with("breakthrough", kit::kit()).run()
}
