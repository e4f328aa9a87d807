//! Game records in the usual formats: PGN for chess, PDN for checkers, GGF for Othello, and plain text for the other
//! games.

mod ggf;
mod pdn;
#[cfg(feature = "games")]
mod pgn;
mod plain;

use emtee::Side;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ending::Ending;
use crate::position::Position;
use crate::registry::Entry;

/// A game record.
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
    /// The names of the players: first the side that moves first.
    pub names: [String; 2],
    /// The initial position. `None`: the start position.
    pub position: Option<String>,
    /// The moves, in the game's own notation.
    pub moves: Vec<String>,
    /// The result.
    pub result: GameResult,
    /// Other tags: names and values.
    pub tags: Vec<(String, String)>,
}

/// The result in a game record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameResult {
    /// The game was not finished.
    #[default]
    Unfinished,
    /// A draw.
    Drawn,
    /// A win of this side, with the points if the game has points.
    Won(Side, Option<i32>),
}

impl GameResult {
    /// The result of a finished game. `None` gives an unfinished one.
    pub fn of(ending: Option<Ending>) -> GameResult {
        match ending {
            None => GameResult::Unfinished,
            Some(Ending { winner: None, .. }) => GameResult::Drawn,
            Some(Ending { winner: Some(side), points, .. }) => GameResult::Won(side, points),
        }
    }

    /// The winner. `None`: a draw, or not finished.
    pub const fn winner(self) -> Option<Side> {
        match self {
            GameResult::Won(side, _) => Some(side),
            GameResult::Unfinished | GameResult::Drawn => None,
        }
    }

    /// The same result, with the points of the winner if it was won by points.
    pub fn with_points(self, points: Option<i32>) -> GameResult {
        match self {
            GameResult::Won(side, _) => GameResult::Won(side, points),
            other => other,
        }
    }

    /// The usual text, `1-0` if the first side won.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::Unfinished => "*",
            GameResult::Drawn => "1/2-1/2",
            GameResult::Won(Side::First, _) => "1-0",
            GameResult::Won(Side::Second, _) => "0-1",
        }
    }

    /// The result of such a text, without points.
    pub fn read(text: &str) -> Option<GameResult> {
        match text {
            "*" => Some(GameResult::Unfinished),
            "1/2-1/2" => Some(GameResult::Drawn),
            "1-0" => Some(GameResult::Won(Side::First, None)),
            "0-1" => Some(GameResult::Won(Side::Second, None)),
            _ => None,
        }
    }
}

/// As its text, without points.
impl Serialize for GameResult {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.text())
    }
}

impl<'de> Deserialize<'de> for GameResult {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<GameResult, D::Error> {
        let text = String::deserialize(from)?;
        GameResult::read(&text).ok_or_else(|| D::Error::custom(format!("'{text}' is not a result")))
    }
}

/// A format of game records.
#[derive(Clone, Copy, Debug)]
pub struct RecordFormat {
    /// The file name extension.
    pub extension: &'static str,
    /// Returns `None` if the record does not fit the format, for example because of an illegal move.
    write: fn(&Record) -> Option<String>,
    read: fn(&str) -> Result<Record, String>,
    /// Passes on the first moves of each game of a collection, up to a maximum number. Games from another initial
    /// position are skipped. Returns the number of games that could not be read.
    each_line: EachLine,
}

type EachLine = fn(&[u8], usize, &mut dyn FnMut(Vec<String>)) -> Result<usize, String>;

impl RecordFormat {
    #[cfg(feature = "games")]
    /// PGN, of chess.
    pub const PGN: RecordFormat =
        RecordFormat { extension: "pgn", write: pgn::write, read: pgn::read, each_line: pgn::each_line };
    /// PDN, of checkers.
    pub const PDN: RecordFormat =
        RecordFormat { extension: "pdn", write: pdn::write, read: pdn::read, each_line: pdn::each_line };
    /// GGF, of Othello.
    pub const GGF: RecordFormat =
        RecordFormat { extension: "ggf", write: ggf::write, read: ggf::read, each_line: ggf::each_line };
    /// Plain text with the moves in the notation of the game.
    pub const PLAIN: RecordFormat =
        RecordFormat { extension: "txt", write: |_| None, read: plain::read, each_line: plain::each_line };
}

impl Record {
    /// The game as text that ends with an empty line.
    pub fn write(&self, game: &dyn Entry) -> String {
        (game.conventions().record.write)(self).unwrap_or_else(|| plain::write(self, game.name()))
    }

    /// Reads a game, the first one if there are several.
    pub fn read(text: &str, game: &dyn Entry) -> Result<Record, String> {
        let record = (game.conventions().record.read)(text)?;
        record.end(game).map(|_| record)
    }

    /// Passes on the first moves of each game of a collection, up to `most`. Returns the number of games that could not
    /// be read.
    pub(crate) fn each_line(
        bytes: &[u8],
        game: &dyn Entry,
        most: usize,
        shown: &mut dyn FnMut(Vec<String>),
    ) -> Result<usize, String> {
        (game.conventions().record.each_line)(bytes, most, shown)
    }

    /// The final position, with its game history.
    pub fn end(&self, game: &dyn Entry) -> Result<Box<dyn Position>, String> {
        let start = self.position.as_ref().map_or_else(|| Ok(game.start()), |text| game.position(text));
        let start = start.map_err(|error| error.to_string())?;
        self.moves.iter().enumerate().try_fold(start, |position, (ply, m)| {
            position.after(m).map_err(|error| format!("move {}: {error}", ply + 1))
        })
    }

    fn start<B: std::str::FromStr + Default>(&self) -> Option<B> {
        self.position.as_ref().map_or_else(|| Some(B::default()), |text| text.parse().ok())
    }

    fn all_tags(&self, first: &str, second: &str) -> Vec<(String, String)> {
        let mut tags = self.tags.clone();
        for (tag, name) in [first, second].iter().zip(&self.names) {
            let name = if name.is_empty() { "?" } else { name };
            tags.push(((*tag).to_owned(), name.to_owned()));
        }
        tags.push(("Result".to_owned(), self.result.text().to_owned()));
        tags
    }

    /// Adds the tags of a file.
    fn with_tags(mut self, tags: Vec<(String, String)>, first: &str, second: &str) -> Record {
        for (tag, value) in tags {
            match tag.as_str() {
                tag if tag == first => self.names[0] = value,
                tag if tag == second => self.names[1] = value,
                "FEN" | "SetUp" | "Result" | "GameType" | "Game" | "Position" => {}
                _ => self.tags.push((tag, value)),
            }
        }
        self
    }
}

/// The first moves, in the game's own notation.
fn first_moves<M: ToString>(moves: impl IntoIterator<Item = M>, most: usize) -> Vec<String> {
    moves.into_iter().take(most).map(|m| m.to_string()).collect()
}

/// The position, or `None` if it is the start position.
fn custom_start<B: Default + ToString>(start: &B) -> Option<String> {
    let text = start.to_string();
    (text != B::default().to_string()).then_some(text)
}
