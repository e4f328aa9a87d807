//! Breakthrough, by Dan Troyka (2000), on the board of 8×8.
//!
//! Each side begins with two rows of pawns. A pawn moves one square forward, straight or diagonally, and captures
//! diagonally only. A side wins when a pawn reaches the last row, and loses when it has no pawns.

use std::fmt;
use std::str::FromStr;

use emtee::{Game, MoveOrdering, Moves, Outcome, Quiescence, Side, Tuning};

/// A position, as the side to move sees it: its own pawns move up the board, from bit 0 (its left corner) towards bit 63.
///
/// So the rules are the same code for both sides. Each move turns the board, which is one instruction:
/// [`u64::swap_bytes`] reverses the order of the rows.
///
/// Its text has the rows from the top, from White's point of view, and the side to move: `b` and `w` are pawns, `-` is
/// an empty square.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    own: u64,
    other: u64,
    pub turn: Side,
}

/// A move from one square to another, numbered a1, b1, … h8. Its text is like `a2a3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    from: u8,
    to: u8,
}

const HOME_ROWS: u64 = 0xffff;
const FIRST_ROW: u64 = 0xff;
const LAST_ROW: u64 = FIRST_ROW << 56;
const LEFT_COLUMN: u64 = 0x0101_0101_0101_0101;
const RIGHT_COLUMN: u64 = LEFT_COLUMN << 7;

/// The value of a pawn on each row: it increases towards the last row, with a small bonus on the first, which it guards.
const WORTH: [i32; 8] = [12, 10, 11, 13, 16, 21, 30, 0];

/// Added to the hint of a capture, so that captures come first. Among equals, moves to the most advanced rows come first.
const CAPTURE_HINT: i16 = 8;

impl Move {
    /// The square that the pawn leaves, numbered a1, b1, … h8.
    pub fn from(self) -> u8 {
        self.from
    }

    /// The target square.
    pub fn to(self) -> u8 {
        self.to
    }

    /// Both squares, as text.
    pub fn squares(self) -> [String; 2] {
        [self.from, self.to].map(|at| format!("{}{}", (b'a' + at % 8) as char, at / 8 + 1))
    }
}

/// The numbers of the squares in a set.
fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as u8;
        set &= set.wrapping_sub(1);
        (square < 64).then_some(square)
    })
}

fn worth(pawns: u64) -> i32 {
    (0..8).map(|row| WORTH[row] * (pawns >> (8 * row) & FIRST_ROW).count_ones() as i32).sum()
}

impl Board {
    /// XORed onto a square, converts between the view of the side to move and White's.
    fn flip(&self) -> u8 {
        if self.turn == Side::First { 0 } else { 56 }
    }

    /// The pawns of a side, from its own view.
    fn of(&self, side: Side) -> u64 {
        if side == self.turn { self.own } else { self.other.swap_bytes() }
    }

    /// The number of pawns of a side.
    pub fn pawns(&self, side: Side) -> i32 {
        self.of(side).count_ones() as i32
    }

    /// The row that the most advanced pawn of a side has reached, from 1.
    pub fn furthest(&self, side: Side) -> i32 {
        8 - self.of(side).leading_zeros() as i32 / 8
    }

    /// The side whose pawn is on a square.
    pub fn pawn_on(&self, square: u8) -> Option<Side> {
        let on = |pawns: u64| pawns >> (square ^ self.flip()) & 1 == 1;
        if on(self.own) { Some(self.turn) } else { on(self.other).then_some(!self.turn) }
    }

    /// Lists the moves to `targets`.
    fn moves_to(&self, targets: u64, moves: &mut Moves<Move>) {
        let left = (self.own & !LEFT_COLUMN) << 7 & !self.own;
        let straight = self.own << 8 & !(self.own | self.other);
        let right = (self.own & !RIGHT_COLUMN) << 9 & !self.own;
        for (step, to) in [(7, left), (8, straight), (9, right)] {
            for to in squares(to & targets) {
                let capture = self.other >> to & 1 == 1;
                let hint = i16::from(to / 8) + if capture { CAPTURE_HINT } else { 0 };
                moves.push_hinted(Move { from: (to - step) ^ self.flip(), to: to ^ self.flip() }, hint);
            }
        }
    }
}

impl Default for Board {
    fn default() -> Board {
        Board { own: HOME_ROWS, other: HOME_ROWS.swap_bytes(), turn: Side::First }
    }
}

impl Game for Board {
    type Move = Move;

    const TUNING: Tuning = Tuning {
        // A move has the same code in all positions, so killers and history are useful.
        ordering: MoveOrdering::FULL,
        ..Tuning::DEFAULT
    };

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<Move>) {
        self.moves_to(u64::MAX, moves);
    }

    fn play(&self, m: Move) -> Board {
        let (from, to) = (1 << (m.from ^ self.flip()), 1 << (m.to ^ self.flip()));
        let (own, other) = (self.own & !from | to, self.other & !to);
        Board { own: other.swap_bytes(), other: own.swap_bytes(), turn: !self.turn }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.other & FIRST_ROW != 0 || self.own == 0).then_some(Outcome::Lost)
    }

    fn evaluate(&self) -> i32 {
        worth(self.own) - worth(self.other.swap_bytes())
    }

    /// The same code for the same move in all positions.
    fn code(&self, m: Move, _: usize) -> u16 {
        u16::from(m.from) << 6 | u16::from(m.to)
    }

    /// Captures, and steps onto the last row.
    fn noisy_moves(&self, moves: &mut Moves<Move>) -> Quiescence {
        let before = moves.len();
        self.moves_to(self.other | LAST_ROW, moves);
        if moves.len() == before { Quiescence::Quiet } else { Quiescence::Optional }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.squares().concat())
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (white, black) = match self.turn {
            Side::First => (self.own, self.other),
            Side::Second => (self.other.swap_bytes(), self.own.swap_bytes()),
        };
        for row in (0..8).rev() {
            if f.alternate() {
                write!(f, "{} ", row + 1)?;
            }
            for at in 8 * row..8 * row + 8 {
                let symbol = match (white >> at & 1, black >> at & 1) {
                    (1, _) => 'w',
                    (_, 1) => 'b',
                    _ => '-',
                };
                if f.alternate() { write!(f, " {symbol}")? } else { write!(f, "{symbol}")? }
            }
            match (f.alternate(), row) {
                (true, _) => writeln!(f)?,
                (false, 0) => {}
                (false, _) => write!(f, "/")?,
            }
        }
        match (f.alternate(), self.turn) {
            (true, Side::First) => write!(f, "   a b c d e f g h\nWhite to move"),
            (true, Side::Second) => write!(f, "   a b c d e f g h\nBlack to move"),
            (false, Side::First) => write!(f, " w"),
            (false, Side::Second) => write!(f, " b"),
        }
    }
}

impl FromStr for Board {
    type Err = String;

    fn from_str(text: &str) -> Result<Board, String> {
        let (rows, side) = text.trim().rsplit_once(' ').ok_or("the side to move is missing after the rows: w or b")?;
        let turn = match side {
            "w" | "W" => Side::First,
            "b" | "B" => Side::Second,
            _ => return Err(format!("the side to move is w or b, not '{side}'")),
        };
        let rows: Vec<&str> = rows.trim().split('/').collect();
        if rows.len() != 8 {
            return Err(format!("a board has 8 rows separated by /, and this one has {}", rows.len()));
        }
        let (mut white, mut black) = (0_u64, 0_u64);
        for (row, text) in (1..=8).rev().zip(rows) {
            let columns = text.chars().count();
            if columns != 8 {
                return Err(format!("row {row} has {columns} squares instead of 8"));
            }
            for (column, symbol) in ('a'..).zip(text.chars()) {
                let square = 1 << (8 * (row - 1) + (column as u8 - b'a'));
                match symbol {
                    'w' | 'W' => white |= square,
                    'b' | 'B' => black |= square,
                    '-' | '.' => {}
                    _ => return Err(format!("{column}{row}: expected w, b or -, found '{symbol}'")),
                }
            }
        }
        let (own, other) = match turn {
            Side::First => (white, black),
            Side::Second => (black.swap_bytes(), white.swap_bytes()),
        };
        if own & LAST_ROW != 0 || other == 0 {
            return Err("the game is over: the side to move has already won".into());
        }
        Ok(Board { own, other, turn })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emtee::{Budget, OwnEvaluation, Value, laws, legal_moves, player};

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    fn perft(board: &Board, depth: u32) -> u64 {
        let children = legal_moves(board).into_iter().map(|m| board.play(m));
        if depth == 0 { 1 } else { children.map(|child| perft(&child, depth - 1)).sum() }
    }

    #[test]
    fn lines_of_play_are_counted() {
        let start = Board::default();
        assert_eq!([1, 2, 3, 4].map(|depth| perft(&start, depth)), [22, 484, 11_132, 256_036]);
        // A position with captures, wins and edges, counted by another program.
        let middle = board("--------/-w----b-/--b-----/---w-w--/b-------/-w-b----/---w--w-/----w--- b");
        assert_eq!([1, 2, 3, 4, 5].map(|depth| perft(&middle, depth)), [10, 184, 1_494, 25_407, 203_330]);
    }

    #[test]
    fn it_keeps_the_laws() {
        laws::check(&Board::default(), &OwnEvaluation, 30, 1).unwrap();
        laws::agree(&Board::default(), &OwnEvaluation, 3).unwrap();
    }

    #[test]
    fn a_pawn_does_not_capture_straight_ahead() {
        let blocked = board("--------/--------/--------/----b---/----w---/--------/--------/-------- w");
        let moves: Vec<String> = legal_moves(&blocked).iter().map(Move::to_string).collect();
        assert_eq!(moves, ["e4d5", "e4f5"]);
        assert_eq!(blocked.evaluate(), 0);
    }

    #[test]
    fn a_race_is_won_in_time() {
        // White needs three moves and Black six: the fifth ply wins.
        let race = board("--------/-------b/--------/w-------/--------/--------/--------/-------- w");
        let mut ai = player(OwnEvaluation).build().unwrap();
        let found = ai.think(&race, Budget::UNLIMITED).unwrap();
        assert_eq!(found.value, Some(Value::win_in(5)));
    }

    #[test]
    fn finished_games_are_recognised() {
        for (text, outcome) in [
            ("w-------/--------/--------/----b---/--------/--------/--------/-------- b", Some(Outcome::Lost)),
            ("--------/--------/--------/----b---/--------/--------/--------/-------- w", Some(Outcome::Lost)),
            ("--------/--------/--------/----b---/--------/--------/--------/w------- w", None),
        ] {
            assert_eq!(board(text).outcome(), outcome, "{text}");
        }
    }

    #[test]
    fn positions_round_trip() {
        let start = "bbbbbbbb/bbbbbbbb/--------/--------/--------/--------/wwwwwwww/wwwwwwww w";
        assert_eq!(Board::default().to_string(), start);
        assert_eq!(board(start), Board::default());
        let drawn = format!("{:#}", Board::default().play(Move { from: 8, to: 17 }));
        assert!(drawn.starts_with("8  b b b b b b b b\n"), "{drawn}");
        assert!(drawn.ends_with(
            "3  - w - - - - - -\n2  - w w w w w w w\n1  w w w w w w w w\n   a b c d e f g h\nBlack to move"
        ));
    }

    #[test]
    fn errors_give_the_reason() {
        let empty = "--------/--------/--------/--------";
        for (text, reason) in [
            ("", "the side to move is missing after the rows: w or b"),
            ("bbbbbbbb x", "the side to move is w or b, not 'x'"),
            ("bbbbbbbb w", "a board has 8 rows separated by /, and this one has 1"),
            (&format!("{empty}/{empty}- w"), "row 1 has 9 squares instead of 8"),
            (&format!("-----é--/{empty}/w-------/--------/-------- b"), "f8: expected w, b or -, found 'é'"),
            (
                &format!("w-------/{empty}/--------/--------/-------b w"),
                "the game is over: the side to move has already won",
            ),
        ] {
            assert_eq!(text.parse::<Board>().unwrap_err(), reason, "{text}");
        }
    }
}
