//! Breakthrough on a board of 8×8: a pawn moves one square forward, straight or diagonally, and captures diagonally. A pawn on
//! the last row wins.

use emtee::{Game, Moves, Outcome, Side};

use crate::first_game::{FirstGame, random_positions};

const SIZE: i8 = 8;

/// A position. Squares are numbered row by row; the first side's pawns go towards higher rows.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Breakthrough {
    squares: [Option<Side>; 64],
    turn: Side,
}

/// A move from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Move {
    from: u8,
    to: u8,
}

/// The rows that a pawn of a side on this square has advanced.
fn advanced(side: Side, square: usize) -> usize {
    if side == Side::First { square / 8 } else { 7 - square / 8 }
}

impl Default for Breakthrough {
    fn default() -> Breakthrough {
        let mut squares = [None; 64];
        squares[..16].fill(Some(Side::First));
        squares[48..].fill(Some(Side::Second));
        Breakthrough { squares, turn: Side::First }
    }
}

impl Game for Breakthrough {
    type Move = Move;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<Move>) {
        self.list(|m| moves.push(m));
    }

    fn play(&self, m: Move) -> Breakthrough {
        let mut next = Breakthrough { turn: !self.turn, ..self.clone() };
        next.squares[m.from as usize] = None;
        next.squares[m.to as usize] = Some(self.turn);
        next
    }

    fn outcome(&self) -> Option<Outcome> {
        let last_row = if self.turn == Side::First { &self.squares[..8] } else { &self.squares[56..] };
        (last_row.contains(&Some(!self.turn)) || !self.squares.contains(&Some(self.turn))).then_some(Outcome::Lost)
    }

    /// Ten points per pawn, and the square of the rows that it has advanced.
    fn evaluate(&self) -> i32 {
        const WORTH: [i32; 8] = [10, 11, 14, 19, 26, 35, 46, 59];
        let worth = |square: usize, side| WORTH[advanced(side, square)] * if side == self.turn { 1 } else { -1 };
        self.squares.iter().enumerate().filter_map(|(square, pawn)| pawn.map(|side| worth(square, side))).sum()
    }
}

impl FirstGame for Breakthrough {
    const NAME: &str = "breakthrough";
    const TITLE: &str = "Breakthrough";
    const DEPTHS: &[u8] = &[4, 5, 6, 7];

    fn positions() -> Vec<Breakthrough> {
        random_positions(12)
    }

    fn list(&self, mut push: impl FnMut(Move)) {
        let step = if self.turn == Side::First { SIZE } else { -SIZE };
        for from in (0..64_u8).filter(|&from| self.squares[from as usize] == Some(self.turn)) {
            for aside in -1..=1 {
                let column = from as i8 % SIZE + aside;
                let to = from as i8 + step + aside;
                if (0..SIZE).contains(&column) && (0..64).contains(&to) {
                    let pawn = self.squares[to as usize];
                    if pawn.is_none() || aside != 0 && pawn == Some(!self.turn) {
                        push(Move { from, to: to as u8 });
                    }
                }
            }
        }
    }

    fn index(m: Move) -> u16 {
        3 * u16::from(m.from) + u16::from((m.to + 16 - m.from) % 8 + 1) % 8
    }

    const INDICES: u16 = 3 * 64;
}
