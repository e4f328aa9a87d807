//! One file per command.

pub(crate) mod args;
pub(crate) mod bench;
mod bench_threads;
pub(crate) mod book;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod contest;
pub(crate) mod datagen;
pub(crate) mod engine;
#[cfg(feature = "lab")]
pub(crate) mod lab;
pub(crate) mod manual;
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

/// Inputs larger than this are a mistake.
const LARGEST_INPUT: u64 = 64 << 20;

/// The positions asked for: the start of the game if none.
fn positions(registry: &Registry, args: &PositionArgs) -> Result<Vec<Box<dyn Position>>, Failure> {
    let game = registry.get(&args.game)?;
    let mut positions = match (&args.positions, &args.set) {
        (Some(file), _) => listed(game, file)?,
        (None, Some(set)) => game.set(set)?,
        _ if args.position.is_empty() => vec![game.start()],
        _ => args.position.iter().map(|text| game.position(text)).collect::<Result<_, _>>()?,
    };
    for m in args.moves.as_deref().unwrap_or_default().split([' ', ',', '\t']).filter(|m| !m.is_empty()) {
        positions = positions.iter().map(|position| position.after(m)).collect::<Result<_, _>>()?;
    }
    Ok(positions)
}

/// Positions one a line; what follows a # is a remark.
fn listed(game: &dyn Entry, file: &str) -> Result<Vec<Box<dyn Position>>, Failure> {
    let text = read(file)?;
    let mut positions = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for line in emtee_engine::positions(line) {
            let at = at + 1;
            positions.push(game.position(line).map_err(|e| Failure::bad(format!("line {at} of {}: {e}", name(file))))?);
        }
    }
    if positions.is_empty() {
        return Err(Failure::bad(format!("there are no positions in {}", name(file))));
    }
    Ok(positions)
}

/// What a file is called in a message.
pub(crate) fn name(file: &str) -> &str {
    if file == "-" { "standard input" } else { file }
}

/// A whole text file, or standard input for `-`.
pub(crate) fn read(file: &str) -> Result<String, Failure> {
    let cannot = |why: &dyn ToString| Failure::bad(format!("cannot read {}: {}", name(file), why.to_string()));
    let source: Box<dyn Read> = match file {
        "-" => Box::new(std::io::stdin().lock()),
        _ => Box::new(std::fs::File::open(file).map_err(|error| cannot(&error))?),
    };
    let mut bytes = Vec::new();
    source.take(LARGEST_INPUT + 1).read_to_end(&mut bytes).map_err(|error| cannot(&error))?;
    if bytes.len() as u64 > LARGEST_INPUT {
        return Err(cannot(&"it is larger than 64 MB"));
    }
    String::from_utf8(bytes).map_err(|_| cannot(&"it is not UTF-8 text"))
}
