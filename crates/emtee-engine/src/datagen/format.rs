//! The file format of training data: a header of 64 bytes, then 32 bytes per position. Numbers are little-endian.
//!
//! The header:
//!
//! | bytes | |
//! |---|---|
//! | 0–15 | `emtee positions` and a line feed |
//! | 16–23 | the game, padded with zeros |
//! | 24–27 | the version of the format, 1 |
//! | 28–31 | bytes per position, 32 |
//! | 32–39 | nodes per move |
//! | 40–47 | the seed |
//! | 48–63 | the version of emtee, padded with zeros |
//!
//! A position:
//!
//! | bytes | |
//! |---|---|
//! | 0–23 | the board, as its game packs it: see [`emtee_games::packed`] |
//! | 24–25 | the score of the search, for the side to move; wins and losses lie beyond ±31,000 |
//! | 26 | the result of the game, for the side to move: 1, 0, −1; in Othello, discs |
//! | 27 | 1 if the second side is to move, 2 if this is the last position of its game, 4 if the score is exact |
//! | 28–31 | the number of its game, from 0 |

use emtee::Side;
use emtee_games::packed::PACKED;

/// The header of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// The game.
    pub game: String,
    /// Nodes per move.
    pub nodes: u64,
    /// The seed of the games.
    pub seed: u64,
    /// The version of emtee that played the games.
    pub player: String,
}

const MAGIC: &[u8; 16] = b"emtee positions\n";
const VERSION: u32 = 1;
const GAME: usize = 8;
const PLAYER: usize = 16;

impl Header {
    /// The length in bytes.
    pub const BYTES: usize = 64;

    /// The header of data from this task, made by this version of emtee.
    pub fn of(task: &super::Datagen) -> Header {
        let player = env!("CARGO_PKG_VERSION").to_owned();
        Header { game: task.game.clone(), nodes: task.nodes, seed: task.seed, player }
    }

    /// The header as bytes.
    pub fn to_bytes(&self) -> [u8; Header::BYTES] {
        let mut bytes = [0; Header::BYTES];
        let fields: [&[u8]; 7] = [
            MAGIC,
            &filled::<GAME>(&self.game),
            &VERSION.to_le_bytes(),
            &(TrainingRecord::BYTES as u32).to_le_bytes(),
            &self.nodes.to_le_bytes(),
            &self.seed.to_le_bytes(),
            &filled::<PLAYER>(&self.player),
        ];
        let mut offset = 0;
        for field in fields {
            bytes[offset..][..field.len()].copy_from_slice(field);
            offset += field.len();
        }
        bytes
    }

    /// Reads a header. `None` if it is not one of this version.
    pub fn from_bytes(bytes: &[u8; Header::BYTES]) -> Option<Header> {
        let text = |from: usize, length: usize| {
            let text = std::str::from_utf8(&bytes[from..][..length]).ok()?;
            Some(text.trim_end_matches('\0').to_owned())
        };
        let number = |from: usize| u64::from_le_bytes(part(bytes, from));
        let short = |from: usize| u32::from_le_bytes(part(bytes, from));
        let ours = bytes[..16] == *MAGIC && short(24) == VERSION && short(28) == TrainingRecord::BYTES as u32;
        let header = Header { game: text(16, GAME)?, nodes: number(32), seed: number(40), player: text(48, PLAYER)? };
        ours.then_some(header)
    }
}

fn filled<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let length = text.len().min(N);
    bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
    bytes
}

fn part<const N: usize>(bytes: &[u8], from: usize) -> [u8; N] {
    let mut part = [0; N];
    part.copy_from_slice(&bytes[from..][..N]);
    part
}

/// A position of a game for training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingRecord {
    /// The board.
    pub board: [u8; PACKED],
    /// The score of the search, for the side to move.
    pub score: i16,
    /// The result of the game, for the side to move.
    pub result: i8,
    /// The side to move.
    pub turn: Side,
    /// Whether the score is exact.
    pub exact: bool,
    /// Whether it is the last position of its game.
    pub last: bool,
    /// The number of its game.
    pub game: u32,
}

const SECOND: u8 = 1;
const LAST: u8 = 2;
const EXACT: u8 = 4;

impl TrainingRecord {
    /// The length in bytes.
    pub const BYTES: usize = 32;

    /// The record as bytes.
    pub fn to_bytes(&self) -> [u8; TrainingRecord::BYTES] {
        let mut bytes = [0; TrainingRecord::BYTES];
        bytes[..24].copy_from_slice(&self.board);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26..27].copy_from_slice(&self.result.to_le_bytes());
        let flags = [(SECOND, self.turn == Side::Second), (LAST, self.last), (EXACT, self.exact)];
        bytes[27] = flags.iter().filter(|(_, set)| *set).map(|(flag, _)| flag).sum();
        bytes[28..].copy_from_slice(&self.game.to_le_bytes());
        bytes
    }

    /// Reads a record.
    pub fn from_bytes(bytes: &[u8; TrainingRecord::BYTES]) -> TrainingRecord {
        let flag = |flag: u8| bytes[27] & flag != 0;
        TrainingRecord {
            board: part(bytes, 0),
            score: i16::from_le_bytes(part(bytes, 24)),
            result: i8::from_le_bytes(part(bytes, 26)),
            turn: if flag(SECOND) { Side::Second } else { Side::First },
            exact: flag(EXACT),
            last: flag(LAST),
            game: u32::from_le_bytes(part(bytes, 28)),
        }
    }
}
