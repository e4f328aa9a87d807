//! Games written down as their players do: PGN for chess, PDN for checkers, GGF for Othello, plain text for the others.

mod ggf;
mod pdn;
#[cfg(feature = "games")]
mod pgn;
mod plain;

use emtee::Side;

use crate::ending::Ending;
use crate::position::Position;
use crate::registry::Entry;

/// A game on paper.
///
/// ```
/// use emtee_engine::{Record, Registry};
/// let registry = Registry::standard();
/// let chess = registry.get("chess")?;
/// let record = Record { moves: vec!["e2e4".into(), "e7e5".into()], ..Record::default() };
/// let text = record.write(chess);
/// assert!(text.contains("1. e4 e5 *"));
/// assert_eq!(Record::read(&text, chess)?.moves, record.moves);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The players: who moves first, and who second.
    pub names: [String; 2],
    /// Where it began; nothing for the start of the game.
    pub position: Option<String>,
    /// The moves, as the game itself writes them.
    pub moves: Vec<String>,
    /// How it ended.
    pub result: GameResult,
    /// Anything else there is to say: names and texts.
    pub notes: Vec<(String, String)>,
}

/// How a game on paper ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameResult {
    /// Not at all.
    #[default]
    Open,
    /// In a draw.
    Drawn,
    /// With a win of this side, by points where there are points.
    Won(Side, Option<i32>),
}

impl GameResult {
    /// As it is at the end of a game.
    pub fn of(ending: Option<Ending>) -> GameResult {
        match ending {
            None => GameResult::Open,
            Some(Ending { winner: None, .. }) => GameResult::Drawn,
            Some(Ending { winner: Some(side), points, .. }) => GameResult::Won(side, points),
        }
    }

    /// `1-0` if the first side won.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::Open => "*",
            GameResult::Drawn => "1/2-1/2",
            GameResult::Won(Side::First, _) => "1-0",
            GameResult::Won(Side::Second, _) => "0-1",
        }
    }

    /// What such a text means, points left aside.
    pub fn read(text: &str) -> Option<GameResult> {
        match text {
            "*" => Some(GameResult::Open),
            "1/2-1/2" => Some(GameResult::Drawn),
            "1-0" => Some(GameResult::Won(Side::First, None)),
            "0-1" => Some(GameResult::Won(Side::Second, None)),
            _ => None,
        }
    }
}

/// How games are written down.
#[derive(Clone, Copy, Debug)]
pub struct RecordFormat {
    /// What the names of such files end in.
    pub extension: &'static str,
    /// Nothing if the record does not fit the format, which a game that never was may not.
    write: fn(&Record) -> Option<String>,
    read: fn(&str) -> Result<Record, String>,
    /// Shows the first moves of each game of a collection, so many at most. Those that begin elsewhere than at the start are passed
    /// over, and those that cannot be read are counted.
    each_line: EachLine,
}

type EachLine = fn(&[u8], usize, &mut dyn FnMut(Vec<String>)) -> Result<usize, String>;

impl RecordFormat {
    #[cfg(feature = "games")]
    pub(crate) const PGN: RecordFormat =
        RecordFormat { extension: "pgn", write: pgn::write, read: pgn::read, each_line: pgn::each_line };
    pub(crate) const PDN: RecordFormat =
        RecordFormat { extension: "pdn", write: pdn::write, read: pdn::read, each_line: pdn::each_line };
    pub(crate) const GGF: RecordFormat =
        RecordFormat { extension: "ggf", write: ggf::write, read: ggf::read, each_line: ggf::each_line };
    pub(crate) const PLAIN: RecordFormat =
        RecordFormat { extension: "txt", write: |_| None, read: plain::read, each_line: plain::each_line };
}

impl Record {
    /// The game as a text that ends with an empty line.
    pub fn write(&self, game: &dyn Entry) -> String {
        (game.conventions().record.write)(self).unwrap_or_else(|| plain::write(self, game.name()))
    }

    /// Reads a game, the first if there are several.
    pub fn read(text: &str, game: &dyn Entry) -> Result<Record, String> {
        let record = (game.conventions().record.read)(text)?;
        record.end(game).map(|_| record)
    }

    /// The first moves of each game of a collection, at most so many: shows them, and counts the games that could not be read.
    pub(crate) fn each_line(
        bytes: &[u8],
        game: &dyn Entry,
        most: usize,
        shown: &mut dyn FnMut(Vec<String>),
    ) -> Result<usize, String> {
        (game.conventions().record.each_line)(bytes, most, shown)
    }

    /// The position at its end, the moves before it known.
    pub fn end(&self, game: &dyn Entry) -> Result<Box<dyn Position>, String> {
        let start = self.position.as_ref().map_or_else(|| Ok(game.start()), |text| game.position(text));
        let start = start.map_err(|error| error.to_string())?;
        self.moves
            .iter()
            .enumerate()
            .try_fold(start, |position, (at, m)| position.after(m).map_err(|error| format!("move {}: {error}", at + 1)))
    }

    fn start<B: std::str::FromStr + Default>(&self) -> Option<B> {
        self.position.as_ref().map_or_else(|| Some(B::default()), |text| text.parse().ok())
    }

    fn tags(&self, first: &str, second: &str) -> Vec<(String, String)> {
        let mut tags = self.notes.clone();
        for (tag, name) in [first, second].iter().zip(&self.names) {
            let name = if name.is_empty() { "?" } else { name };
            tags.push(((*tag).to_owned(), name.to_owned()));
        }
        tags.push(("Result".to_owned(), self.result.text().to_owned()));
        tags
    }

    /// Takes over what the tags of a file say.
    fn with_tags(mut self, tags: Vec<(String, String)>, first: &str, second: &str) -> Record {
        for (tag, value) in tags {
            match tag.as_str() {
                tag if tag == first => self.names[0] = value,
                tag if tag == second => self.names[1] = value,
                "FEN" | "SetUp" | "Result" | "GameType" | "Game" | "Position" => {}
                _ => self.notes.push((tag, value)),
            }
        }
        self
    }
}

/// The first of some moves, as the game writes them.
fn first_moves<M: ToString>(moves: impl IntoIterator<Item = M>, most: usize) -> Vec<String> {
    moves.into_iter().take(most).map(|m| m.to_string()).collect()
}

/// The position, unless it is where games usually begin.
fn unusual<B: Default + ToString>(start: &B) -> Option<String> {
    let text = start.to_string();
    (text != B::default().to_string()).then_some(text)
}
