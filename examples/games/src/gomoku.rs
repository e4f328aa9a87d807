//! Gomoku on a board of 9×9: five or more in a row win.

use std::fmt;
use std::str::FromStr;

use emtee::{Game, Moves, Outcome, Side};
use emtee_learn::Features;

use crate::grid::{Square, ray, read_board, write_board};

const SIZE: usize = 9;
const CELLS: usize = SIZE * SIZE;

/// A position. Cells are numbered from the top left.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    cells: [Option<Side>; CELLS],
    /// Whether the last move made five in a row.
    won: bool,
    turn: Side,
}

/// The cell of a new stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(pub u8);

impl Board {
    /// The number of stones in a row through a cell.
    fn row_through(&self, cell: u8, (down, right): (i8, i8)) -> usize {
        let side = self.cells[cell as usize];
        let length = |direction| {
            ray::<{ SIZE as i8 }>(cell, direction).take_while(|&at| self.cells[at as usize] == side).count()
        };
        1 + length((down, right)) + length((-down, -right))
    }

    fn has_five(&self, cell: u8) -> bool {
        [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|direction| self.row_through(cell, direction) >= 5)
    }

    /// The numbers of stones of the side to move and of the other side in every row of five cells.
    pub fn rows_of_five(&self) -> impl Iterator<Item = [i32; 2]> {
        let rows =
            (0..CELLS as u8).flat_map(|cell| [(0, 1), (1, 0), (1, 1), (1, -1)].map(|direction| (cell, direction)));
        rows.filter_map(|(cell, direction)| {
            let (mut stones, mut length) = ([0; 2], 0);
            for at in std::iter::once(cell).chain(ray::<{ SIZE as i8 }>(cell, direction)).take(5) {
                length += 1;
                if let Some(side) = self.cells[at as usize] {
                    stones[usize::from(side != self.turn)] += 1;
                }
            }
            (length == 5).then_some(stones)
        })
    }

    /// What `emtee learn` sees.
    pub fn features(&self, f: &mut Features) {
        f.board(SIZE, SIZE);
        for (cell, stone) in self.cells.iter().enumerate() {
            if let Some(side) = stone {
                f.piece(cell, *side, 0);
            }
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
        next.won = next.has_five(cell);
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
        let mut board = Board { cells, won: false, turn };
        let five = |side| (0..CELLS as u8).any(|cell| board.cells[cell as usize] == Some(side) && board.has_five(cell));
        if five(turn) {
            return Err("the game is over: the side to move already has five in a row".into());
        }
        board.won = five(!turn);
        Ok(board)
    }
}
