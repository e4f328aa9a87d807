//! Hex on a board of 7×7. The first side, x, connects the top with the bottom; the second, o, the left with the right.

use std::fmt;
use std::str::FromStr;

use emtee::{Game, Moves, Outcome, Side};
use emtee_learn::Features;

use crate::grid::{Square, read_board, write_board};

const SIZE: usize = 7;
const CELLS: usize = SIZE * SIZE;

/// A position. Cells are numbered from the top left; each row is half a cell further right than the row above it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    cells: [Option<Side>; CELLS],
    /// Whether the last move connected two edges.
    won: bool,
    turn: Side,
}

/// The cell of a new stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(pub u8);

/// The neighbours of a cell: up to six.
fn neighbours(cell: usize) -> impl Iterator<Item = usize> {
    let (row, column) = ((cell / SIZE) as isize, (cell % SIZE) as isize);
    let steps = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)];
    steps.into_iter().filter_map(move |(down, right)| {
        let (row, column) = (row + down, column + right);
        let inside = (0..SIZE as isize).contains(&row) && (0..SIZE as isize).contains(&column);
        inside.then_some((row * SIZE as isize + column) as usize)
    })
}

impl Board {
    /// Whether a side has connected its edges.
    fn is_connected(&self, side: Side) -> bool {
        self.stones_missing(side) == 0
    }

    /// The least number of stones with which a side would connect its edges, if the other side did not move.
    pub fn stones_missing(&self, side: Side) -> i32 {
        const FAR: i32 = CELLS as i32;
        let cost = |cell: usize| match self.cells[cell] {
            Some(owner) if owner == side => Some(0),
            None => Some(1),
            _ => None,
        };
        let (first, last) = match side {
            Side::First => (0..SIZE, CELLS - SIZE),
            Side::Second => (0..CELLS, SIZE - 1),
        };
        let is_last = |cell: usize| if side == Side::First { cell >= last } else { cell % SIZE == last };
        let step = if side == Side::First { 1 } else { SIZE };
        let mut missing = [FAR; CELLS];
        // Cells at a distance, and those at the next distance.
        let (mut now, mut next): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        for cell in first.step_by(step) {
            match cost(cell) {
                Some(0) => now.push(cell),
                Some(_) => next.push(cell),
                None => {}
            }
        }
        for distance in 0..=FAR {
            while let Some(cell) = now.pop() {
                if missing[cell] <= distance {
                    continue;
                }
                missing[cell] = distance;
                if is_last(cell) {
                    return distance;
                }
                for neighbour in neighbours(cell) {
                    match cost(neighbour) {
                        Some(0) => now.push(neighbour),
                        Some(_) => next.push(neighbour),
                        None => {}
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            std::mem::swap(&mut now, &mut next);
        }
        FAR
    }

    /// What `emtee learn` sees: the stones, as if each side connected the top with the bottom, and the stones missing.
    pub fn features(&self, f: &mut Features) {
        f.board(SIZE, SIZE);
        for (cell, stone) in self.cells.iter().enumerate() {
            let mirrored = cell % SIZE * SIZE + cell / SIZE;
            if let Some(side) = stone {
                f.piece(if self.turn == Side::First { cell } else { mirrored }, *side, 0);
            }
        }
        for side in [Side::First, Side::Second] {
            f.count(0, side, -self.stones_missing(side));
        }
    }
}

impl Default for Board {
    fn default() -> Board {
        Board { cells: [None; CELLS], won: false, turn: Side::First }
    }
}

impl Game for Board {
    type Move = Move;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<Move>) {
        (0..CELLS as u8).filter(|&cell| self.cells[cell as usize].is_none()).for_each(|cell| moves.push(Move(cell)));
    }

    fn play(&self, Move(cell): Move) -> Board {
        let mut next = self.clone();
        next.cells[cell as usize] = Some(self.turn);
        next.won = next.is_connected(self.turn);
        next.turn = !self.turn;
        next
    }

    fn outcome(&self) -> Option<Outcome> {
        self.won.then_some(Outcome::Lost)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Square { cell: self.0, columns: SIZE as u8, rows: SIZE as u8 }.fmt(f)
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
        let board = Board { cells, won: false, turn };
        if board.is_connected(turn) {
            return Err("the game is over: the side to move has already connected its edges".into());
        }
        Ok(Board { won: board.is_connected(!turn), ..board })
    }
}
