//! The commands, one module each.

pub(crate) mod args;
pub(crate) mod bench;
mod bench_threads;
pub(crate) mod book;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod datagen;
pub(crate) mod engine;
#[cfg(feature = "lab")]
pub(crate) mod lab;
pub(crate) mod learn;
pub(crate) mod manual;
pub(crate) mod matches;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod search;
#[cfg(feature = "web")]
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod tablebase;
pub(crate) mod tree;

use std::io::Read;

use emtee_engine::{Entry, Position, Registry};

use self::args::PositionArgs;
use crate::failure::Failure;

/// Larger input files are refused.
const MAX_INPUT_BYTES: u64 = 64 << 20;

/// The positions chosen by the options; the start of the game by default.
fn positions(registry: &Registry, args: &PositionArgs) -> Result<Vec<Box<dyn Position>>, Failure> {
    positions_on(registry, args, "")
}

/// The same for a game whose positions are texts after a description of the `board`, if that is not empty.
fn positions_on(registry: &Registry, args: &PositionArgs, board: &str) -> Result<Vec<Box<dyn Position>>, Failure> {
    let game = registry.get(&args.game)?;
    let mut positions = match (&args.positions, &args.set) {
        (Some(file), _) => listed(game, file, board)?,
        (None, Some(set)) => game.set(set)?,
        _ if args.position.is_empty() && board.is_empty() => vec![game.start()],
        _ if args.position.is_empty() => vec![game.position(board)?],
        _ => args.position.iter().map(|text| game.position(&on(board, text))).collect::<Result<_, _>>()?,
    };
    for m in args.moves.as_deref().unwrap_or_default().split([' ', ',', '\t']).filter(|m| !m.is_empty()) {
        positions = positions.iter().map(|position| position.after(m)).collect::<Result<_, _>>()?;
    }
    Ok(positions)
}

/// The text of a position on a board.
fn on(board: &str, text: &str) -> String {
    if board.is_empty() { text.to_owned() } else { format!("{board} {text}") }
}

/// Reads a file of positions, one per line; `#` begins a comment.
fn listed(game: &dyn Entry, file: &str, board: &str) -> Result<Vec<Box<dyn Position>>, Failure> {
    let text = read(file)?;
    let mut positions = Vec::new();
    for (number, text) in (1..).zip(text.lines()) {
        for text in emtee_engine::positions(text) {
            let bad = |error| Failure::bad(format!("line {number} of {}: {error}", name(file)));
            positions.push(game.position(&on(board, text)).map_err(bad)?);
        }
    }
    if positions.is_empty() {
        return Err(Failure::bad(format!("there are no positions in {}", name(file))));
    }
    Ok(positions)
}

/// The name of a file in messages.
pub(crate) fn name(file: &str) -> &str {
    if file == "-" { "standard input" } else { file }
}

/// Reads a text file, or standard input for `-`.
pub(crate) fn read(file: &str) -> Result<String, Failure> {
    let cannot = |why: &dyn ToString| Failure::bad(format!("cannot read {}: {}", name(file), why.to_string()));
    let source: Box<dyn Read> = match file {
        "-" => Box::new(std::io::stdin().lock()),
        _ => Box::new(std::fs::File::open(file).map_err(|error| cannot(&error))?),
    };
    let mut bytes = Vec::new();
    source.take(MAX_INPUT_BYTES + 1).read_to_end(&mut bytes).map_err(|error| cannot(&error))?;
    if bytes.len() as u64 > MAX_INPUT_BYTES {
        return Err(cannot(&"it is larger than 64 MB"));
    }
    String::from_utf8(bytes).map_err(|_| cannot(&"it is not UTF-8 text"))
}
