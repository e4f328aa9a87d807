//! WTHOR, the federation's collection of tournament games: `.wtb` files, one per year.

use std::fmt;

use emtee::Game;

use super::{Board, Move};

const HEADER: usize = 16;
const RECORD: usize = 68;

/// One game of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The number of the tournament in the collection.
    pub tournament: u16,
    /// The number of the Black player.
    pub black: u16,
    /// The number of the White player.
    pub white: u16,
    /// Black's discs at the end.
    pub black_discs: u8,
    /// Black's discs after perfect play from the depth given in the header of the file, if it was computed.
    pub theoretical: u8,
    /// The squares of the moves, 10 × row + column, both from 1; 0 after the last move. Passes are not included.
    pub moves: [u8; 60],
}

/// Why a file or a game could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The file is shorter than its header says.
    Short {
        /// The number of games given in the header.
        games: usize,
        /// The number of bytes in the file.
        bytes: usize,
    },
    /// A move is illegal.
    Illegal {
        /// The number of the move, from 1.
        at: usize,
        /// The byte that encodes it.
        byte: u8,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Short { games, bytes } => {
                write!(f, "the file is too short: {games} games do not fit into {bytes} bytes")
            }
            Error::Illegal { at, byte } => write!(f, "move {at} of the game, {byte}, is not legal"),
        }
    }
}

impl std::error::Error for Error {}

/// The games of a `.wtb` file.
pub fn read(bytes: &[u8]) -> Result<Vec<Record>, Error> {
    let short = |games| Error::Short { games, bytes: bytes.len() };
    let count =
        bytes.get(4..8).and_then(|count| count.try_into().ok()).map(u32::from_le_bytes).ok_or(short(0))? as usize;
    let body = bytes.get(HEADER..).ok_or(short(count))?;
    if body.len() / RECORD < count {
        return Err(short(count));
    }
    let record = |game: &[u8]| {
        let word = |offset: usize| u16::from_le_bytes([game[offset], game[offset + 1]]);
        let mut moves = [0; 60];
        moves.copy_from_slice(&game[8..]);
        Record {
            tournament: word(0),
            black: word(2),
            white: word(4),
            black_discs: game[6],
            theoretical: game[7],
            moves,
        }
    };
    Ok(body.chunks_exact(RECORD).take(count).map(record).collect())
}

impl Record {
    /// Every position of the game and the move played there, with passes inserted. The last position has no move.
    pub fn replay(&self) -> Result<Vec<(Board, Option<Move>)>, Error> {
        let mut board = Board::default();
        let mut line = Vec::with_capacity(64);
        for (index, &byte) in self.moves.iter().enumerate().take_while(|&(_, &byte)| byte != 0) {
            let illegal = Error::Illegal { at: index + 1, byte };
            if board.placements() == 0 && !board.is_over() {
                line.push((board, Some(Move::PASS)));
                board = board.play(Move::PASS);
            }
            let (row, column) = (byte / 10, byte % 10);
            if !(1..=8).contains(&row) || !(1..=8).contains(&column) {
                return Err(illegal);
            }
            let m = Move::to(8 * (row - 1) + column - 1).ok_or(illegal.clone())?;
            line.push((board, Some(m)));
            board = board.play_legal(m).ok_or(illegal)?;
        }
        line.push((board, None));
        Ok(line)
    }

    /// The recorded final score: Black's discs minus White's.
    pub fn black_score(&self) -> i32 {
        2 * i32::from(self.black_discs) - 64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_and_replayed() {
        let mut bytes = vec![0; HEADER + RECORD];
        bytes[4] = 1;
        bytes[HEADER..HEADER + 8].copy_from_slice(&[116, 0, 2, 1, 3, 0, 40, 38]);
        bytes[HEADER + 8..HEADER + 11].copy_from_slice(&[56, 64, 33]);
        let games = read(&bytes).unwrap();
        assert_eq!((games[0].tournament, games[0].black, games[0].white), (116, 258, 3));
        assert_eq!(games[0].black_score(), 16);
        let line = games[0].replay().unwrap();
        let moves: Vec<String> = line.iter().filter_map(|(_, m)| m.map(|m| m.to_string())).collect();
        assert_eq!(moves.concat(), "f5d6c3");
    }

    #[test]
    fn errors_name_what_is_wrong() {
        assert_eq!(read(&[]).unwrap_err().to_string(), "the file is too short: 0 games do not fit into 0 bytes");
        let mut bytes = vec![0; HEADER];
        bytes[4] = 9;
        assert_eq!(read(&bytes).unwrap_err().to_string(), "the file is too short: 9 games do not fit into 16 bytes");
        let record = |byte| {
            let mut moves = [0; 60];
            moves[0] = byte;
            Record { tournament: 0, black: 0, white: 0, black_discs: 32, theoretical: 32, moves }
        };
        for byte in [11, 99, 255, 5] {
            let error = record(byte).replay().unwrap_err().to_string();
            assert_eq!(error, format!("move 1 of the game, {byte}, is not legal"));
        }
    }
}
