//! The Game of the Amazons on a board of 6×6. An amazon moves like a queen in chess, and shoots an arrow that moves like a queen
//! and blocks its cell. The side that cannot move loses.

use std::fmt;
use std::str::FromStr;

use emtee::{Game, Moves, Outcome, Side};
use emtee_learn::Features;

use crate::grid::{DIRECTIONS, Square, ray, read_board, write_board};

const SIZE: usize = 6;
const CELLS: usize = SIZE * SIZE;

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// An arrow.
    Arrow,
    /// An amazon of a side.
    Amazon(Side),
}

/// A position. Cells are numbered from the top left.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    cells: [Cell; CELLS],
    turn: Side,
}

/// The cells from which an amazon moves, to which it moves, and of its arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub from: u8,
    pub to: u8,
    pub arrow: u8,
}

/// The cells that a queen reaches from a cell.
fn reach(cells: &[Cell; CELLS], from: u8) -> impl Iterator<Item = u8> {
    DIRECTIONS.into_iter().flat_map(move |direction| {
        ray::<{ SIZE as i8 }>(from, direction).take_while(|&to| cells[to as usize] == Cell::Empty)
    })
}

impl Board {
    fn amazons(&self, side: Side) -> impl Iterator<Item = u8> {
        (0..CELLS as u8).filter(move |&cell| self.cells[cell as usize] == Cell::Amazon(side))
    }

    /// The number of moves of a queen in which a side reaches each cell.
    pub fn distances(&self, side: Side) -> [u8; CELLS] {
        let mut distances = [u8::MAX; CELLS];
        let mut now: Vec<u8> = self.amazons(side).collect();
        for distance in 1.. {
            let mut next = Vec::new();
            for &from in &now {
                for to in reach(&self.cells, from) {
                    if distances[to as usize] == u8::MAX {
                        distances[to as usize] = distance;
                        next.push(to);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            now = next;
        }
        distances
    }

    /// What `emtee learn` sees: the board, how many cells each side reaches first, and how many its amazons reach at once.
    pub fn features(&self, f: &mut Features) {
        f.board(SIZE, SIZE);
        let [first, second] = [Side::First, Side::Second].map(|side| self.distances(side));
        for cell in 0..CELLS {
            match self.cells[cell] {
                Cell::Amazon(side) => f.piece(cell, side, 0),
                Cell::Arrow => f.mark(cell, 0),
                Cell::Empty if first[cell] < second[cell] => f.count(0, Side::First, 1),
                Cell::Empty if first[cell] > second[cell] => f.count(0, Side::Second, 1),
                Cell::Empty => f.count(0, Side::First, 0),
            }
            f.count(1, Side::First, i32::from(first[cell] == 1) - i32::from(second[cell] == 1));
        }
    }
}

impl Default for Board {
    fn default() -> Board {
        "--oo--/o----o/------/------/x----x/--xx-- x".parse().expect("it is the start position")
    }
}

impl Game for Board {
    type Move = Move;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<Move>) {
        for from in self.amazons(self.turn) {
            // The cell that the amazon leaves is empty for its arrow.
            let mut left = self.cells;
            left[from as usize] = Cell::Empty;
            for to in reach(&self.cells, from) {
                reach(&left, to).for_each(|arrow| moves.push(Move { from, to, arrow }));
            }
        }
    }

    fn play(&self, m: Move) -> Board {
        let mut next = self.clone();
        next.cells[m.from as usize] = Cell::Empty;
        next.cells[m.to as usize] = Cell::Amazon(self.turn);
        next.cells[m.arrow as usize] = Cell::Arrow;
        next.turn = !self.turn;
        next
    }

    fn outcome(&self) -> Option<Outcome> {
        let can_move = self.amazons(self.turn).any(|from| reach(&self.cells, from).next().is_some());
        (!can_move).then_some(Outcome::Lost)
    }

    /// A number below 2¹⁶: three cells are too much for the usual code.
    fn code(&self, m: Move, _: usize) -> u16 {
        const N: u16 = CELLS as u16;
        (u16::from(m.from) * N + u16::from(m.to)) * N + u16::from(m.arrow)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [from, to, arrow] =
            [self.from, self.to, self.arrow].map(|cell| Square { cell, columns: SIZE as u8, rows: SIZE as u8 });
        write!(f, "{from}{to}/{arrow}")
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let symbol = |cell| match cell {
            Cell::Amazon(Side::First) => 'x',
            Cell::Amazon(Side::Second) => 'o',
            Cell::Arrow => '#',
            Cell::Empty => '-',
        };
        write_board(f, self.cells.map(symbol), SIZE, self.turn)
    }
}

impl FromStr for Board {
    type Err = String;

    fn from_str(text: &str) -> Result<Board, String> {
        let (symbols, turn) = read_board::<CELLS>(text, SIZE, "xo#-")?;
        let cells = symbols.map(|symbol| match symbol {
            'x' => Cell::Amazon(Side::First),
            'o' => Cell::Amazon(Side::Second),
            '#' => Cell::Arrow,
            _ => Cell::Empty,
        });
        Ok(Board { cells, turn })
    }
}
