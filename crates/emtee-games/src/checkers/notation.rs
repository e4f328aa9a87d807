//! Notation: PDN's FEN for positions, square numbers for moves, and a drawn board.

use std::fmt;
use std::str::FromStr;

use emtee::Side;

use super::board::{Board, KING_ROWS, Square, squares_of};
use super::moves::Move;
use crate::drawing::{Cell, Drawing, Drawn, Ground, Ink};
use crate::error::{Error, ErrorKind, quoted};

/// The number of pieces with which a side starts.
const MAX_PIECES: u32 = 12;

/// `11-15` for a step, `22x15x8` for jumps, with every square that the piece touches. `{:#}` writes a jump as in the
/// Hub protocol: from, to, and every captured square, `22x8x11x18`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.is_jump() { "x" } else { "-" };
        let mut numbers: Vec<u8> = self.squares().map(Square::number).collect();
        if f.alternate() && self.is_jump() {
            numbers =
                [self.from().number(), self.to().number()].into_iter().chain(self::numbers(self.captured())).collect();
        }
        f.pad(&numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(mark))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// PDN's FEN: `B:W21,22:B1,K22`. `{:#}` draws the board.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return self.draw(f);
        }
        f.write_str(letter(self.turn))?;
        for side in [Side::Second, Side::First] {
            write!(f, ":{}", letter(side))?;
            let pieces = self.pieces[side.index()];
            let men = numbers(pieces & !self.kings).into_iter().map(|number| ("", number));
            let kings = numbers(pieces & self.kings).into_iter().map(|number| ("K", number));
            for (index, (crown, number)) in men.chain(kings).enumerate() {
                write!(f, "{}{crown}{number}", if index == 0 { "" } else { "," })?;
            }
        }
        Ok(())
    }
}

fn letter(side: Side) -> &'static str {
    match side {
        Side::First => "B",
        Side::Second => "W",
    }
}

fn name(side: Side) -> &'static str {
    match side {
        Side::First => "Black",
        Side::Second => "White",
    }
}

fn numbers(word: u32) -> Vec<u8> {
    let mut numbers: Vec<u8> = squares_of(word).map(Square::number).collect();
    numbers.sort_unstable();
    numbers
}

impl Board {
    /// Black is at the top. Men are `b` and `w`, kings `B` and `W`. The numbers at the sides are those of the first and
    /// the last square of a row.
    fn draw(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..8u8 {
            write!(f, "{:2} ", 4 * row + 1)?;
            for column in 0..8u8 {
                let symbol = match square_at(row, column).map(|square| self.piece(square)) {
                    None => ' ',
                    Some(None) => '·',
                    Some(Some(piece)) => match (piece.side, piece.king) {
                        (Side::First, false) => 'b',
                        (Side::First, true) => 'B',
                        (Side::Second, false) => 'w',
                        (Side::Second, true) => 'W',
                    },
                };
                write!(f, " {symbol}")?;
            }
            writeln!(f, "  {:2}", 4 * row + 4)?;
        }
        write!(f, "{} to move", name(self.turn))
    }

    /// Reads a move: `11-15`, `22x15`, or with every square touched, `22x15x8`.
    ///
    /// Only the squares matter, not the separator, because some files write steps with an `x`. If two paths of jumps
    /// fit, the text must give all squares.
    ///
    /// ```
    /// use emtee_games::checkers::Board;
    /// let board = Board::default();
    /// assert_eq!(board.parse_move("11x15").unwrap().to_string(), "11-15");
    /// assert_eq!(board.parse_move("11-14").unwrap_err().to_string(), "'11-14' is not a legal move here; from 11 one can play 11-15, 11-16");
    /// ```
    pub fn parse_move(&self, text: &str) -> Result<Move, Error> {
        match self.fitting_moves(text)?.as_slice() {
            [m] => Ok(*m),
            several => Err(Error::new(
                ErrorKind::AmbiguousMove,
                format!("{} can be {}: give every square", quoted(text), list(several, " or ")),
            )),
        }
    }

    /// The moves that fit a text, at least one. Moves that lead to the same position count once.
    pub(super) fn fitting_moves(&self, text: &str) -> Result<Vec<Move>, Error> {
        let mut touched = Vec::new();
        for part in text.trim().split(['-', 'x', 'X', ':', '*']) {
            let square = part.parse().ok().and_then(Square::new);
            let Some(square) = square else {
                let what = if part.is_empty() {
                    format!("{} is not a move: write it like 11-15 or 22x15", quoted(text))
                } else {
                    format!(
                        "{} in the move {} is not a square: squares are numbered 1 to 32",
                        quoted(part),
                        quoted(text)
                    )
                };
                return Err(Error::new(ErrorKind::Syntax, what));
            };
            touched.push(square);
        }
        let [from, between @ .., to] = touched.as_slice() else {
            return Err(Error::new(
                ErrorKind::Syntax,
                format!("{} is not a move: write it like 11-15 or 22x15", quoted(text)),
            ));
        };
        let mut all = Vec::new();
        self.each_move(|m| all.push(m));
        let exact = |m: &&Move| m.squares().eq(touched.iter().copied());
        if let Some(m) = all.iter().find(exact) {
            return Ok(vec![*m]);
        }
        let mut fitting: Vec<Move> = Vec::new();
        for m in all.iter().filter(|m| m.from() == *from && m.to() == *to) {
            let mut squares = m.squares();
            let fits = between.iter().all(|square| squares.any(|other| other == *square));
            // One path is enough for each resulting position.
            if fits && fitting.iter().all(|other| self.after(*other) != self.after(*m)) {
                fitting.push(*m);
            }
        }
        if fitting.is_empty() { Err(self.refuse(text, *from, &all)) } else { Ok(fitting) }
    }

    #[cold]
    fn refuse(&self, text: &str, from: Square, all: &[Move]) -> Error {
        let own: Vec<Move> = all.iter().copied().filter(|m| m.from() == from).collect();
        let why = match self.piece(from) {
            _ if all.is_empty() => format!("{} has no move left", name(self.turn)),
            None => format!("{from} is empty"),
            Some(piece) if piece.side != self.turn => format!("{} is to move", name(self.turn)),
            _ if all[0].is_jump() => format!("you must capture: {}", list(all, ", ")),
            _ if !own.is_empty() => format!("from {from} one can play {}", list(&own, ", ")),
            _ => format!("the piece on {from} cannot move"),
        };
        Error::new(ErrorKind::IllegalMove, format!("{} is not a legal move here; {why}", quoted(text)))
    }
}

/// Empty squares show their numbers.
impl Drawn for Board {
    fn drawing(&self) -> Drawing {
        let cell = |row: usize, column: usize| {
            let ground = Ground::chequered(row, column);
            let Some(square) = square_at(row as u8, column as u8) else { return Cell::new("", Ink::Faint, ground) };
            match self.piece(square) {
                None => Cell::new(square, Ink::Faint, ground),
                Some(piece) => {
                    let ink = if piece.side == Side::First { Ink::Black } else { Ink::White };
                    Cell::new(if piece.king { '♚' } else { '●' }, ink, ground)
                }
            }
        };
        let mut drawing = Drawing::board(8, 8, cell).captioned(format!("{} to move", name(self.turn)));
        for (index, row) in drawing.rows.iter_mut().enumerate() {
            row.names = [4 * index + 1, 4 * index + 4].map(|number| number.to_string());
        }
        drawing
    }
}

/// The square in a row and a column from the top left, if it is played on.
fn square_at(row: u8, column: u8) -> Option<Square> {
    if (row + column) % 2 == 1 { Square::new(4 * row + column / 2 + 1) } else { None }
}

fn list(moves: &[Move], between: &str) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(between)
}

/// Reads PDN's FEN. The two sides can be in either order, squares can be ranges (`1-12`), and a full stop can end it.
impl FromStr for Board {
    type Err = Error;

    fn from_str(text: &str) -> Result<Board, Error> {
        let shape = || {
            let found = quoted(text);
            Error::new(
                ErrorKind::Syntax,
                format!("{found} is not a checkers position: write one like B:W21,22,K30:B1,2,3 (B is to move)"),
            )
        };
        let whole = text.trim();
        let whole = whole.strip_suffix('.').unwrap_or(whole);
        let mut parts = whole.split(':').map(str::trim);
        let turn = match parts.next() {
            Some("B" | "b") => Side::First,
            Some("W" | "w") => Side::Second,
            _ => return Err(shape()),
        };
        let mut board = Board { pieces: [0; 2], kings: 0, turn };
        let mut listed = [false; 2];
        for part in parts {
            let side = match part.chars().next() {
                Some('B' | 'b') => Side::First,
                Some('W' | 'w') => Side::Second,
                _ => return Err(shape()),
            };
            if std::mem::replace(&mut listed[side.index()], true) {
                return Err(Error::new(ErrorKind::Duplicate, format!("{}'s pieces are listed twice", name(side))));
            }
            let squares = part[1..].trim();
            if !squares.is_empty() {
                squares.split(',').try_for_each(|entry| board.place(side, entry.trim()))?;
            }
        }
        if listed != [true; 2] { Err(shape()) } else { Ok(board) }
    }
}

impl Board {
    /// Places the pieces of an entry: `7`, `K7` or `5-8`.
    fn place(&mut self, side: Side, entry: &str) -> Result<(), Error> {
        let (king, plain) = match entry.strip_prefix(['K', 'k']) {
            Some(plain) => (true, plain),
            None => (false, entry),
        };
        let (first, last) = plain.split_once('-').unwrap_or((plain, plain));
        let number = |text: &str| {
            let square = text.trim().parse().ok().and_then(Square::new);
            square.map(Square::number).ok_or_else(|| {
                let what = match text.trim() {
                    "" => "a number is missing".into(),
                    text => format!("{} is not a square: squares are numbered 1 to 32", quoted(text)),
                };
                Error::new(ErrorKind::Number, format!("{}'s pieces: {what}", name(side)))
            })
        };
        let (first, last) = (number(first)?, number(last)?);
        if first > last {
            return Err(Error::new(
                ErrorKind::Number,
                format!("{}'s pieces: {first}-{last} runs backwards", name(side)),
            ));
        }
        for square in (first..=last).filter_map(Square::new) {
            self.put(side, king, square)?;
        }
        Ok(())
    }

    fn put(&mut self, side: Side, king: bool, square: Square) -> Result<(), Error> {
        let mask = square.mask();
        if self.piece(square).is_some() {
            return Err(Error::new(ErrorKind::Duplicate, format!("square {square} is named twice")));
        }
        if !king && KING_ROWS[side.index()] & mask != 0 {
            let who = name(side);
            return Err(Error::new(
                ErrorKind::IllegalPosition,
                format!("{who}'s man on {square} stands on its king row: write K{square}"),
            ));
        }
        self.pieces[side.index()] |= mask;
        if king {
            self.kings |= mask;
        }
        if self.pieces[side.index()].count_ones() > MAX_PIECES {
            return Err(Error::new(
                ErrorKind::IllegalPosition,
                format!("{} has more than {MAX_PIECES} pieces", name(side)),
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use emtee::Game;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn positions_round_trip() {
        for (text, written) in [
            ("B:W21-32:B1-12", "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"),
            ("W:B 1, k9 :W K4,31 .", "W:W31,K4:B1,K9"),
            ("b:w:bK1", "B:W:BK1"),
        ] {
            let board: Board = text.parse().unwrap();
            assert_eq!(board.to_string(), written);
            assert_eq!(written.parse(), Ok(board));
        }
        assert_eq!("B:W21-32:B1-12".parse(), Ok(Board::default()));
    }

    #[test]
    fn invalid_positions_are_refused_with_a_reason() {
        for (text, reason) in [
            ("", "'' is not a checkers position: write one like B:W21,22,K30:B1,2,3 (B is to move)"),
            ("B:W1K", "White's pieces: '1K' is not a square: squares are numbered 1 to 32"),
            ("B:W21:W22", "White's pieces are listed twice"),
            ("B:W21", "'B:W21' is not a checkers position: write one like B:W21,22,K30:B1,2,3 (B is to move)"),
            ("B:W33:B1", "White's pieces: '33' is not a square: squares are numbered 1 to 32"),
            ("B:W21,:B1", "White's pieces: a number is missing"),
            ("B:W21:B21", "square 21 is named twice"),
            ("B:W22-21:B1", "White's pieces: 22-21 runs backwards"),
            ("B:W3:B1", "White's man on 3 stands on its king row: write K3"),
            ("B:W21-32:B1-13", "Black has more than 12 pieces"),
        ] {
            assert_eq!(text.parse::<Board>().unwrap_err().to_string(), reason);
        }
    }

    #[test]
    fn a_board_is_drawn_with_its_numbers() {
        let board: Board = "W:W31,32,K4:B1,5,K9".parse().unwrap();
        let drawn = " 1    b   ·   ·   W   4
 5  b   ·   ·   ·     8
 9    B   ·   ·   ·  12
13  ·   ·   ·   ·    16
17    ·   ·   ·   ·  20
21  ·   ·   ·   ·    24
25    ·   ·   ·   ·  28
29  ·   ·   w   w    32
White to move";
        assert_eq!(format!("{board:#}"), drawn);
    }

    #[test]
    fn moves_are_read_by_their_squares() {
        let start = Board::default();
        for text in ["11-15", "11x15", " 11-15 ", "11:15"] {
            assert_eq!(start.parse_move(text).unwrap().to_string(), "11-15");
        }
        let round: Board = "W:WK26:B14,15,22,23".parse().unwrap();
        // Both paths capture the same men.
        assert_eq!(round.parse_move("26x26").unwrap().captures(), 4);
        let path = round.parse_move("26x17x10x19x26").unwrap();
        assert_eq!((path.to_string(), format!("{path:#}")), ("26x17x10x19x26".into(), "26x26x14x15x22x23".into()));
        assert_eq!(round.parse_move("26x19x10x17x26").unwrap().to_string(), "26x19x10x17x26");
    }

    #[test]
    fn illegal_moves_are_refused_with_a_reason() {
        let start = "B:W21-32:B1-12";
        for (fen, text, reason) in [
            (start, "", "'' is not a move: write it like 11-15 or 22x15"),
            (start, "11", "'11' is not a move: write it like 11-15 or 22x15"),
            (start, "11-", "'11-' is not a move: write it like 11-15 or 22x15"),
            (start, "11-33", "'33' in the move '11-33' is not a square: squares are numbered 1 to 32"),
            (start, "15-19", "'15-19' is not a legal move here; 15 is empty"),
            (start, "22-18", "'22-18' is not a legal move here; Black is to move"),
            (start, "11-14", "'11-14' is not a legal move here; from 11 one can play 11-15, 11-16"),
            (start, "1-5", "'1-5' is not a legal move here; the piece on 1 cannot move"),
            ("B:W18:B1,14", "1-5", "'1-5' is not a legal move here; you must capture: 14x23"),
            ("W:W29:B25,22", "29-25", "'29-25' is not a legal move here; White has no move left"),
            ("B:W7,15,16,23,24:B2", "2x27", "'2x27' can be 2x11x18x27 or 2x11x20x27: give every square"),
        ] {
            let board: Board = fen.parse().unwrap();
            assert_eq!(board.parse_move(text).unwrap_err().to_string(), reason);
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in any::<String>(), near in "[BWKbwk:,0-9 .x-]{0,40}") {
            for text in [text, near] {
                if let Ok(board) = text.parse::<Board>() {
                    prop_assert_eq!(board.to_string().parse(), Ok(board));
                    prop_assert!(board.evaluate().abs() <= 31_000);
                }
                let _ = Board::default().parse_move(&text);
            }
        }
    }
}
