//! Ataxx on a board of 7×7. A stone grows onto a neighbouring cell, or jumps two cells; the stones of the other side next to the
//! target change sides. More stones win.

use std::fmt;
use std::str::FromStr;

use emtee::{Game, Moves, Outcome, Side};
use emtee_learn::Features;

use crate::grid::{Square, read_board, write_board};

const SIZE: usize = 7;
const CELLS: usize = SIZE * SIZE;

/// A position. Cells are numbered from the top left.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    cells: [Option<Side>; CELLS],
    turn: Side,
}

/// A move. Cells are numbered from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// No other move is possible.
    Pass,
    /// A new stone.
    Grow(u8),
    /// A stone moves, two cells away.
    Jump(u8, u8),
}

/// The cells at a distance of at most `most`, and at least `least`, from a cell.
fn around(cell: u8, least: i8, most: i8) -> impl Iterator<Item = u8> {
    let (row, column) = (cell as i8 / SIZE as i8, cell as i8 % SIZE as i8);
    let rows = (row - most).max(0)..=(row + most).min(SIZE as i8 - 1);
    rows.flat_map(move |to| {
        let columns = (column - most).max(0)..=(column + most).min(SIZE as i8 - 1);
        columns.map(move |next| (to, next))
    })
    .filter(move |&(to, next)| (to - row).abs().max((next - column).abs()) >= least)
    .map(|(to, next)| (to * SIZE as i8 + next) as u8)
}

impl Board {
    /// The number of stones of a side.
    pub fn stones(&self, side: Side) -> i32 {
        self.cells.iter().filter(|&&cell| cell == Some(side)).count() as i32
    }

    /// Whether a side can grow or jump.
    fn can_move(&self, side: Side) -> bool {
        let empty = (0..CELLS as u8).filter(|&cell| self.cells[cell as usize].is_none());
        empty.into_iter().any(|to| around(to, 1, 2).any(|from| self.cells[from as usize] == Some(side)))
    }

    /// What `emtee learn` sees.
    pub fn features(&self, f: &mut Features) {
        f.board(SIZE, SIZE);
        for (cell, stone) in self.cells.iter().enumerate() {
            if let Some(side) = stone {
                f.piece(cell, *side, 0);
                f.count(0, *side, 1);
            }
        }
    }
}

impl Default for Board {
    fn default() -> Board {
        let mut cells = [None; CELLS];
        (cells[0], cells[CELLS - 1]) = (Some(Side::First), Some(Side::First));
        (cells[SIZE - 1], cells[CELLS - SIZE]) = (Some(Side::Second), Some(Side::Second));
        Board { cells, turn: Side::First }
    }
}

impl Game for Board {
    type Move = Move;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<Move>) {
        for to in (0..CELLS as u8).filter(|&cell| self.cells[cell as usize].is_none()) {
            let own = |from: &u8| self.cells[*from as usize] == Some(self.turn);
            if around(to, 1, 1).any(|from| own(&from)) {
                moves.push(Move::Grow(to));
            }
            around(to, 2, 2).filter(own).for_each(|from| moves.push(Move::Jump(from, to)));
        }
        if moves.is_empty() {
            moves.push(Move::Pass);
        }
    }

    fn play(&self, m: Move) -> Board {
        let mut next = self.clone();
        next.turn = !self.turn;
        let to = match m {
            Move::Pass => return next,
            Move::Grow(to) => to,
            Move::Jump(from, to) => {
                next.cells[from as usize] = None;
                to
            }
        };
        next.cells[to as usize] = Some(self.turn);
        for neighbour in around(to, 1, 1) {
            if next.cells[neighbour as usize].is_some() {
                next.cells[neighbour as usize] = Some(self.turn);
            }
        }
        next
    }

    fn outcome(&self) -> Option<Outcome> {
        let (own, other) = (self.stones(self.turn), self.stones(!self.turn));
        if own == 0 {
            return Some(Outcome::Lost);
        }
        if other > 0 && (self.can_move(self.turn) || self.can_move(!self.turn)) {
            return None;
        }
        Some(match own - other {
            1.. => Outcome::Won,
            0 => Outcome::Drawn,
            _ => Outcome::Lost,
        })
    }

    /// Jumps can repeat a position.
    fn halfmove_clock(&self) -> Option<u32> {
        Some(u32::MAX)
    }
}

fn square(cell: u8) -> Square {
    Square { cell, columns: SIZE as u8, rows: SIZE as u8 }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Move::Pass => f.write_str("pass"),
            Move::Grow(to) => square(to).fmt(f),
            Move::Jump(from, to) => write!(f, "{}{}", square(from), square(to)),
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let symbol = |cell| match cell {
            Some(Side::First) => 'x',
            Some(Side::Second) => 'o',
            None => '-',
        };
        write_board(f, self.cells.map(symbol), SIZE, self.turn)
    }
}

impl FromStr for Board {
    type Err = String;

    fn from_str(text: &str) -> Result<Board, String> {
        let (symbols, turn) = read_board::<CELLS>(text, SIZE, "xo-")?;
        let cells = symbols.map(|symbol| match symbol {
            'x' => Some(Side::First),
            'o' => Some(Side::Second),
            _ => None,
        });
        Ok(Board { cells, turn })
    }
}
