//! Exact values of Connect Four positions, with the distance of the win, on boards of any [`Shape`].
//!
//! The search is MT specialised for this game: a [`pass`](Solver::pass) has a null window and returns a bound, and a driver
//! bisects the distance. The techniques:
//!
//! * Moves that let the other side complete four at once are not generated. A side whose moves all do has lost.
//! * The last plies are handled in the parent: a child that has lost, or that cannot win soon enough, is not visited.
//! * Moves that create most cells completing four are searched first, then those nearest to the centre.
//! * The follow-up rule: if every column has an even number of empty cells, the side not to move can always answer in the same
//!   column. Then the side to move gets every lower cell of these pairs at most, and the other side gets the upper ones.
//! * A side without an open line of four cannot win.
//! * A position and its mirror image share a table entry of 8 bytes, which identifies the position exactly. The table grows as
//!   it fills, so that a short search stays within the processor's cache.
//! * Enhanced transposition cutoffs.
//!
//! A win scores the number of stones the winner has left plus one, so that a faster win scores more; a loss scores the
//! negative of that, a draw 0. Points do not age, so a table entry is valid wherever its position occurs.

mod cpu;
mod node;
mod table;
#[cfg(test)]
mod tests;

use self::node::{Geometry, Node, Thread};
use self::table::Table;
use super::completions_by;
use super::shape::Shape;
use super::sized::{Board, Column};
use crate::team::Team;

pub use self::table::ENTRY_BYTES;

/// Reports the visits so far about every millisecond, and stops the solver by returning true.
pub type Watch<'w> = dyn FnMut(u64) -> bool + 'w;

/// Solves positions of one shape exactly.
///
/// ```
/// use emtee_games::connect4::sized::Board;
/// use emtee_games::connect4::solver::{Solver, distance};
/// let board: Board = "7x6 4444432622".parse()?;
/// let mut solver = Solver::with_entries(board.shape(), 1 << 20);
/// let points = solver.solve(&board);
/// assert_eq!((points, distance(&board, points)), (-2, Some(30))); // a loss in 30 plies
/// # Ok::<(), emtee_games::Error>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    geometry: Geometry,
    table: Table,
    threads: usize,
    nodes: u64,
}

/// What the threads of a pass share.
struct Shared<'s> {
    geometry: &'s Geometry,
    table: &'s Table,
    /// `None`: there is one thread.
    team: Option<Team>,
}

/// The points of the fastest possible win.
pub const fn most_points(shape: Shape) -> i32 {
    points(shape, 7)
}

/// The points of a win with the stone number `end` on the board.
const fn points(shape: Shape, end: u32) -> i32 {
    shape.cells().div_ceil(2) as i32 + 1 - end.div_ceil(2) as i32
}

/// The number of plies to the end of a game that scores `points` for the side to move; `None` for a draw.
pub const fn distance(board: &Board, points: i32) -> Option<u32> {
    if points == 0 {
        return None;
    }
    // The number of the winner's last stone among its own, then among all.
    let own = board.shape().cells().div_ceil(2) + 1 - points.unsigned_abs();
    let first_wins = board.stones().is_multiple_of(2) == (points > 0);
    Some((if first_wins { 2 * own - 1 } else { 2 * own }).saturating_sub(board.stones()))
}

/// The bound that the next pass asks for: is it a win, is it a draw, then the middle of the remaining distances.
pub const fn next_bound(lower: i32, upper: i32) -> i32 {
    match (lower, upper) {
        (..=0, 1..) => 1,
        (..=-1, 0) => 0,
        _ => lower + (upper - lower + 1) / 2,
    }
}

impl Solver {
    /// The least number of table entries for a shape: with fewer, an entry could not identify its position.
    pub const fn least_entries(shape: Shape) -> usize {
        Table::least_entries(shape.bits())
    }

    /// A solver with a table of at most `entries` entries of [`ENTRY_BYTES`], or of the
    /// [least number](Solver::least_entries).
    pub fn with_entries(shape: Shape, entries: usize) -> Solver {
        Solver { geometry: Geometry::new(shape), table: Table::new(entries, shape.bits()), threads: 1, nodes: 0 }
    }

    /// Searches with this many threads. Values are the same, counts are not.
    pub fn threads(mut self, threads: usize) -> Solver {
        self.threads = threads.max(1);
        self
    }

    /// The number of positions visited since the solver was created.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Empties the table. It is small again, and keeps its memory.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// The points of a position for the side to move.
    ///
    /// # Panics
    ///
    /// If the position is not of the solver's shape.
    pub fn solve(&mut self, board: &Board) -> i32 {
        let most = most_points(board.shape());
        let (mut lower, mut upper) = (-most, most);
        while lower < upper {
            let bound = next_bound(lower, upper);
            let (g, _) = self.pass(board, bound, &mut |_| false).unwrap_or_else(|| unreachable!("nothing stops it"));
            if g >= bound { lower = g } else { upper = g }
        }
        lower
    }

    /// One pass: is the value at least `bound` points? Returns g, fail-soft, and a move with this value if g ≥ `bound`. `None`
    /// if `watch` stopped it. The game must not be over.
    ///
    /// # Panics
    ///
    /// If the position is not of the solver's shape.
    pub fn pass(&mut self, board: &Board, bound: i32, watch: &mut Watch<'_>) -> Option<(i32, Option<Column>)> {
        assert_eq!(board.shape(), self.geometry.shape, "a position of another shape");
        self.nodes += 1; // The root.
        if let Some((g, best)) = decided(board) {
            return Some((g, best.filter(|_| g >= bound)));
        }
        self.table.prepare(self.threads > 1);
        let shared = Shared { geometry: &self.geometry, table: &self.table, team: (self.threads > 1).then(Team::new) };
        let shared = &shared;
        let before = self.nodes;
        let (result, nodes) = std::thread::scope(|scope| {
            let helper = || {
                let mut thread = Thread::new(shared, None);
                let result = thread.root(board, bound);
                (result, thread.nodes)
            };
            let helpers: Vec<_> = (1..self.threads).map(|_| scope.spawn(helper)).collect();
            let mut total = |nodes: u64| watch(before + nodes);
            let mut thread = Thread::new(shared, Some(&mut total));
            let (mut result, mut nodes) = (thread.root(board, bound), thread.nodes);
            for helper in helpers {
                let (other, visited) = helper.join().unwrap_or_default();
                result = result.or(other);
                nodes += visited;
            }
            (result, nodes)
        });
        self.nodes += nodes;
        result.map(|(g, best)| (g, best.filter(|_| g >= bound)))
    }
}

/// The result of a position that is decided by the next stones, with a move.
fn decided(board: &Board) -> Option<(i32, Option<Column>)> {
    let shape = board.shape();
    let stones = board.stones();
    if let Some(m) = board.winning_move() {
        return Some((points(shape, stones + 1), Some(m)));
    }
    let open = board.open();
    let column = |cells: u64| Column((cells.trailing_zeros() / shape.right()) as u8);
    if stones + 1 >= shape.cells() {
        return Some((0, (open != 0).then(|| column(open))));
    }
    let theirs = completions_by(board.other(), shape.right()) & shape.full() & !board.all;
    let blocks = theirs & open;
    let first = if blocks == 0 { open } else { blocks };
    (node::safe(theirs, open) == 0).then(|| (-points(shape, stones + 2), Some(column(first))))
}

impl Thread<'_, '_> {
    /// Searches the root. `None` if the pass was stopped, or if another thread has finished it.
    fn root(&mut self, board: &Board, bound: i32) -> Option<(i32, Option<Column>)> {
        let root = Node::new(self.shared.geometry, board);
        let result = cpu::expand_root(self, &root, bound);
        if self.stopped {
            return None;
        }
        if let Some(team) = &self.shared.team {
            team.finish();
        }
        let right = board.shape().right();
        let (g, cell) = result;
        Some((g, (cell != 0).then(|| Column((cell.trailing_zeros() / right) as u8))))
    }
}
