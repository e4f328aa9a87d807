//! Ataxx on a board of 7×7: a stone grows onto a neighbouring cell or jumps two cells, and takes the stones next to its target.

use emtee::{Game, Moves, Outcome, Side};

use crate::first_game::{FirstGame, random_positions};

const SIZE: usize = 7;
const CELLS: usize = SIZE * SIZE;

/// A position. Cells are numbered from the top left.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Ataxx {
    cells: [Option<Side>; CELLS],
    turn: Side,
}

/// A move. Cells are numbered from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Move {
    Pass,
    Grow(u8),
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

impl Ataxx {
    fn stones(&self, side: Side) -> i32 {
        self.cells.iter().filter(|&&cell| cell == Some(side)).count() as i32
    }

    fn can_move(&self, side: Side) -> bool {
        let mut empty = (0..CELLS as u8).filter(|&cell| self.cells[cell as usize].is_none());
        empty.any(|to| around(to, 1, 2).any(|from| self.cells[from as usize] == Some(side)))
    }
}

impl Default for Ataxx {
    fn default() -> Ataxx {
        let mut cells = [None; CELLS];
        (cells[0], cells[CELLS - 1]) = (Some(Side::First), Some(Side::First));
        (cells[SIZE - 1], cells[CELLS - SIZE]) = (Some(Side::Second), Some(Side::Second));
        Ataxx { cells, turn: Side::First }
    }
}

impl Game for Ataxx {
    type Move = Move;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<Move>) {
        self.list(|m| moves.push(m));
    }

    fn play(&self, m: Move) -> Ataxx {
        let mut next = Ataxx { turn: !self.turn, ..self.clone() };
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
        if own > 0 && other > 0 && (self.can_move(self.turn) || self.can_move(!self.turn)) {
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

    /// Ten points per stone.
    fn evaluate(&self) -> i32 {
        10 * (self.stones(self.turn) - self.stones(!self.turn))
    }
}

impl FirstGame for Ataxx {
    const NAME: &str = "ataxx";
    const TITLE: &str = "Ataxx";
    const DEPTHS: &[u8] = &[3, 4, 5, 6];

    fn positions() -> Vec<Ataxx> {
        random_positions(8)
    }

    fn list(&self, mut push: impl FnMut(Move)) {
        let mut any = false;
        for to in (0..CELLS as u8).filter(|&cell| self.cells[cell as usize].is_none()) {
            let own = |from: &u8| self.cells[*from as usize] == Some(self.turn);
            let grows = around(to, 1, 1).any(|from| own(&from)).then_some(Move::Grow(to));
            for m in grows.into_iter().chain(around(to, 2, 2).filter(own).map(|from| Move::Jump(from, to))) {
                any = true;
                push(m);
            }
        }
        if !any {
            push(Move::Pass);
        }
    }

    fn index(m: Move) -> u16 {
        match m {
            Move::Pass => 0,
            Move::Grow(to) => 1 + u16::from(to),
            Move::Jump(from, to) => 50 + 49 * u16::from(from) + u16::from(to),
        }
    }

    const INDICES: u16 = 50 + 49 * 49;
}
