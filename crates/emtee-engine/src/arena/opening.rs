//! Openings of the games of a match.

use emtee::{Budget, Size, mix};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::position::Position;
use crate::registry::Entry;
use crate::settings::Settings;

/// An opening: a position, and moves from there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The position. `None`: the start position.
    pub position: Option<String>,
    /// The moves.
    pub moves: Vec<String>,
}

impl Opening {
    /// The position before its moves.
    pub fn start(&self, game: &dyn Entry) -> Result<Box<dyn Position>, Error> {
        self.position.as_ref().map_or_else(|| Ok(game.start()), |text| game.position(text))
    }

    /// The position after its moves.
    pub fn end(&self, game: &dyn Entry) -> Result<Box<dyn Position>, Error> {
        self.moves.iter().try_fold(self.start(game)?, |position, m| position.after(m))
    }
}

/// The source of openings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Openings {
    /// Random moves, chosen by a seed so that the position is about even.
    Random {
        /// The number of moves.
        plies: u32,
        /// The seed.
        seed: u64,
    },
    /// A list, repeated as often as needed.
    Listed(Vec<Opening>),
}

/// The most even of this many random openings is chosen.
const CANDIDATES: u64 = 12;

/// The nodes of the search that evaluates a candidate.
const NODES: u64 = 4_000;

impl Openings {
    /// The opening of a pair of games.
    pub fn of(&self, pair: u64, game: &dyn Entry) -> Result<Opening, Error> {
        match self {
            Openings::Listed(openings) if !openings.is_empty() => {
                Ok(openings[(pair % openings.len() as u64) as usize].clone())
            }
            Openings::Listed(_) => Ok(Opening::default()),
            Openings::Random { plies, seed } => {
                let seed = mix(mix(*seed) ^ pair);
                // In games that may end earlier, openings are shorter.
                let lengths = std::iter::successors(Some(*plies), |&plies| (plies > 0).then_some(plies / 2));
                for plies in lengths {
                    if let Some(opening) = most_even(game, plies, seed)? {
                        return Ok(opening);
                    }
                }
                Ok(Opening::default())
            }
        }
    }

    /// Reads openings, one per line: a position, or moves from the start position. Empty lines and lines that begin
    /// with `#` are skipped.
    pub fn read(text: &str, game: &dyn Entry) -> Result<Openings, String> {
        let mut openings = Vec::new();
        for (number, line) in text.lines().enumerate().map(|(number, line)| (number + 1, line.trim())) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let opening = read_opening(line, game).map_err(|why| format!("line {number}: {why}"))?;
            let end = opening.end(game).map_err(|error| format!("line {number}: {error}"))?;
            if end.ending().is_some() {
                return Err(format!("line {number}: the opening ends the game"));
            }
            openings.push(opening);
        }
        if openings.is_empty() { Err(String::from("there are no openings")) } else { Ok(Openings::Listed(openings)) }
    }
}

/// Reads a position, or moves in the notation of players.
fn read_opening(line: &str, game: &dyn Entry) -> Result<Opening, String> {
    let not_a_position = match game.position(line) {
        Ok(_) => return Ok(Opening { position: Some(line.to_owned()), moves: Vec::new() }),
        Err(error) => error,
    };
    let mut position = game.start();
    let mut moves = Vec::new();
    for word in line.split([' ', ',', '\t']).filter(|word| !word.is_empty()) {
        let Ok(after) = position.after(word) else {
            // If the first words are moves, the error is about the next move.
            return Err(match position.after(word).err() {
                Some(error) if !moves.is_empty() => error.to_string(),
                _ => not_a_position.to_string(),
            });
        };
        moves.extend(after.line().into_iter().skip(moves.len()));
        position = after;
    }
    Ok(Opening { position: None, moves })
}

/// The most even of several openings of this length. `None` if all of them end the game.
fn most_even(game: &dyn Entry, plies: u32, seed: u64) -> Result<Option<Opening>, Error> {
    let mut settings = Settings::default();
    settings.options.size = Some(Size::of_entries(1 << 14));
    settings.options.principal_variation = false;
    let mut best: Option<(u32, Opening)> = None;
    for candidate in 0..CANDIDATES {
        let end = game.start().after_random(plies, mix(seed ^ candidate << 48));
        let moves = end.line();
        if moves.len() < plies as usize || end.ending().is_some() {
            continue;
        }
        let row = end.search(&settings, Budget::nodes(NODES), &mut |_| ())?;
        let lead = row.value.unwrap_or(i32::MAX).unsigned_abs();
        if best.as_ref().is_none_or(|(least, _)| lead < *least) {
            best = Some((lead, Opening { position: None, moves }));
        }
    }
    Ok(best.map(|(_, opening)| opening))
}
