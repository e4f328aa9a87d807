//! What a game shows of a position: the content of the cells, and counters.

use emtee::Side;

/// The most cells of a board.
pub const MAX_CELLS: usize = 256;

/// The most counters.
pub const MAX_COUNTERS: usize = 16;

/// The most kinds of pieces of a side, and of marks.
pub const MAX_KINDS: u8 = 8;

/// The features of a position, as a game lists them: what is on which cell, and counters.
///
/// A game fills it in a function like this one. Cells are numbered row by row; those that are not mentioned are empty. The
/// same number of rows, columns and counters must be given in all positions.
///
/// ```
/// use emtee::Side;
/// use emtee_learn::Features;
///
/// struct Board { squares: [Option<Side>; 9], turn: Side }
///
/// impl Board {
///     fn features(&self, f: &mut Features) {
///         f.board(3, 3);
///         for (cell, &square) in self.squares.iter().enumerate() {
///             if let Some(side) = square {
///                 f.piece(cell, side, 0);
///             }
///         }
///     }
/// }
///
/// let board = Board { squares: [Some(Side::First), None, None, None, None, None, None, None, None], turn: Side::Second };
/// let mut f = Features::new(board.turn);
/// board.features(&mut f);
/// assert_eq!(f.cells(), [2, 0, 0, 0, 0, 0, 0, 0, 0]); // A piece of the other side.
/// ```
#[derive(Clone, Debug)]
pub struct Features {
    turn: Side,
    rows: u8,
    columns: u8,
    cells: [u8; MAX_CELLS],
    counters: [i32; MAX_COUNTERS],
    counted: u8,
    /// Whether something did not fit.
    bad: bool,
}

impl Features {
    /// No features yet, of a position with this side to move.
    pub fn new(turn: Side) -> Features {
        Features {
            turn,
            rows: 0,
            columns: 0,
            cells: [0; MAX_CELLS],
            counters: [0; MAX_COUNTERS],
            counted: 0,
            bad: false,
        }
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The size of the board, which has at most [`MAX_CELLS`] cells. Cells are numbered row by row. A board of rows and columns
    /// that are not next to each other in the game, such as hexagons or edges, is described by the grid that fits best.
    pub fn board(&mut self, rows: usize, columns: usize) {
        self.bad |= rows * columns > MAX_CELLS || rows > 64 || columns > 64;
        (self.rows, self.columns) = (rows.min(64) as u8, columns.min(64) as u8);
    }

    /// A piece of a side on a cell. `kind` is the number of the kind of piece, from 0.
    #[inline(always)]
    pub fn piece(&mut self, cell: usize, side: Side, kind: u8) {
        self.set(cell, 3 * kind + if side == self.turn { 1 } else { 2 }, kind);
    }

    /// A cell with something on it that belongs to no side, such as a wall. `kind` is its number, from 0.
    #[inline(always)]
    pub fn mark(&mut self, cell: usize, kind: u8) {
        self.set(cell, 3 * kind + 3, kind);
    }

    #[inline(always)]
    fn set(&mut self, cell: usize, state: u8, kind: u8) {
        match self.cells.get_mut(cell) {
            Some(content) if kind < MAX_KINDS => *content = state,
            _ => self.bad = true,
        }
    }

    /// Adds `n` to a counter of a side, such as its pieces in hand, its moves or its lead. `counter` is the number of the counter,
    /// from 0. What counts is the difference between the sides.
    #[inline(always)]
    pub fn count(&mut self, counter: usize, side: Side, n: i32) {
        match self.counters.get_mut(counter) {
            Some(total) => *total += if side == self.turn { n } else { -n },
            None => self.bad = true,
        }
        self.counted = self.counted.max(counter as u8 + 1);
    }

    /// The features that are stored of a position.
    pub(crate) fn set_all(&mut self, (rows, columns): (usize, usize), cells: &[u8], counters: &[i32]) {
        self.board(rows, columns);
        self.cells[..cells.len()].copy_from_slice(cells);
        self.counters[..counters.len()].copy_from_slice(counters);
        self.counted = counters.len() as u8;
    }

    /// The content of the cells, seen by the side to move: 0 is empty, 1 + 3·kind a piece of its own, 2 + 3·kind a piece of
    /// the other side, 3 + 3·kind a mark.
    pub fn cells(&self) -> &[u8] {
        &self.cells[..(usize::from(self.rows) * usize::from(self.columns)).min(MAX_CELLS)]
    }

    /// The counters: for each the difference between the side to move and the other side.
    pub fn counters(&self) -> &[i32] {
        &self.counters[..usize::from(self.counted).min(MAX_COUNTERS)]
    }

    /// The numbers of rows and columns.
    pub fn size(&self) -> (usize, usize) {
        (self.rows.into(), self.columns.into())
    }

    /// Whether a cell, a kind or a counter was out of range.
    pub fn is_bad(&self) -> bool {
        self.bad
    }
}
