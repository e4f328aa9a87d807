//! The exact endgame: the score of a position with perfect play to the last square.
//!
//! The search is MT again, written for this one game: every question is a null window, every answer a bound, and a small
//! driver steps from bound to bound as MTD-f does. Final scores are even (empty squares go to the winner), so questions are
//! asked at odd numbers and a pass settles two discs.
//!
//! What makes it fast, from the last square up:
//!
//! | empties | what is done | where |
//! |---|---|---|
//! | 1 to 4 | written out: no moves listed, the last disc counted by table | `last` |
//! | 5 | squares in quarters with an odd number of empties first | `endgame_few` |
//! | 6 and more | moves that leave the opponent the fewest replies first; stable discs cut off | `endgame_node` |
//! | 7 to 10 | a hash table that the processor's cache holds | `endgame_table` |
//! | 11 and more | a large hash table | |
//! | 12 and more | moves sorted by the pattern evaluation too, searched a few plies where the tree is large; replies looked up in the table first | `endgame_shallow` |
//! | 18 and more | every question is first put to two selective searches, which leave out what the evaluation makes unlikely | here |
//!
//! The selective searches find about what the score is, so that few exact passes are needed, and leave the best moves in the
//! table. What they believe is marked as such there: an exact pass takes moves from it, never a bound.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use emtee::Game;

use super::board::{Board, POINTS_PER_DISC};
use super::endgame_table::EndgameTable;
use super::evaluate::{Patterns, patterns};
use super::machine::{Avx2, Machine, Portable, available};
use super::moves::Move;

/// The level of proved scores. Those below it are for estimates.
pub(crate) const EXACT: u8 = 2;

/// From this many empties on, estimates come first: they cost little beside what the better order of moves saves.
const ESTIMATED: u32 = 18;

/// 256 KB: it stays in the cache of one core.
const NEAR_ENTRIES: usize = 3 << 12;

/// What an entry of the solver's table takes.
pub const ENTRY_BYTES: usize = super::endgame_table::ENTRY_BYTES;

/// Solves positions exactly. Holds a table, so that one solver is best kept for many positions.
///
/// ```
/// use emtee_games::othello::{Board, endgame::Solver};
/// // FFO test position 1: g8 wins by 18.
/// let board: Board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X".parse()?;
/// let solution = Solver::default().solve(&board);
/// assert_eq!(solution.score, 18);
/// assert_eq!(solution.best_move.unwrap().to_string(), "g8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    /// What is known of positions with many empty squares,
    pub(crate) far: EndgameTable,
    /// and of those with few: small enough to stay in the processor's cache.
    pub(crate) near: EndgameTable,
    pub(crate) nodes: u64,
    pub(crate) stop: Option<Stop>,
    /// So many nodes, and no more.
    pub(crate) limit: u64,
    pub(crate) stopped: bool,
    /// How sure an answer is to be: below [`EXACT`], what the evaluation makes unlikely is left out.
    pub(crate) level: u8,
    pub(crate) patterns: &'static Patterns,
}

/// Whether solving is to end.
pub type Stop = Arc<dyn Fn() -> bool + Send + Sync>;

/// What [`Solver::solve`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Solution {
    /// The disc difference at the end for the side to move, empty squares to the winner.
    pub score: i32,
    /// A move that has it; nothing if the game is over.
    pub best_move: Option<Move>,
    /// Positions visited, but for those by which moves are sorted.
    pub nodes: u64,
    /// Null-window searches made, but for estimates.
    pub passes: u32,
}

impl Default for Solver {
    /// A solver with 2^20 entries or more, 32 MB.
    fn default() -> Solver {
        Solver::with_entries(1 << 20)
    }
}

impl Solver {
    /// A solver with a table of so many entries or up to twice as many, 22 bytes each.
    pub fn with_entries(entries: usize) -> Solver {
        Solver {
            far: EndgameTable::new(entries),
            near: EndgameTable::new(NEAR_ENTRIES),
            level: EXACT,
            nodes: 0,
            stop: None,
            limit: u64::MAX,
            stopped: false,
            patterns: patterns(),
        }
    }

    /// A flag that ends any solving while it is up: see [`try_solve`](Solver::try_solve).
    pub fn stop_flag(mut self, flag: Arc<AtomicBool>) -> Solver {
        self.stop_when(Some(Arc::new(move || flag.load(Relaxed))));
        self
    }

    /// What ends any solving while it says so; asked every millisecond or so.
    pub fn stop_when(&mut self, stop: Option<Stop>) {
        self.stop = stop;
    }

    /// Ends any solving after so many nodes in all, [`nodes`](Solver::nodes) included.
    pub fn limit_nodes(&mut self, nodes: Option<u64>) {
        self.limit = nodes.unwrap_or(u64::MAX);
    }

    /// The exact score of a position, and a move that has it, however long it takes: no stop and no limit is heeded.
    pub fn solve(&mut self, board: &Board) -> Solution {
        let (stop, limit) = (self.stop.take(), std::mem::replace(&mut self.limit, u64::MAX));
        let solution = self.try_solve(board);
        (self.stop, self.limit) = (stop, limit);
        solution.unwrap_or_else(|| unreachable!("there is nothing to stop it"))
    }

    /// As [`solve`](Solver::solve), or nothing if it was stopped first. What the table learned until then stays.
    pub fn try_solve(&mut self, board: &Board) -> Option<Solution> {
        let nodes = self.nodes;
        let moves = emtee::legal_moves(board);
        if moves.is_empty() {
            return Some(Solution { score: board.final_score(), best_move: None, nodes: 0, passes: 0 });
        }
        let (mut guess, mut best_move) = (self.estimate(board), None);
        let (mut lower, mut upper, mut passes) = (-64, 64, 0);
        while lower < upper {
            let alpha = question(guess, lower);
            let (g, m) = self.pass(board, &moves, alpha, best_move)?;
            passes += 1;
            if g > alpha {
                lower = g;
                best_move = m;
            } else {
                upper = g;
            }
            guess = g;
        }
        if best_move.is_none() {
            // Every pass failed low, down to the worst score there is: any move has it.
            best_move = moves.first().copied();
        }
        Some(Solution { score: lower, best_move, nodes: self.nodes - nodes, passes })
    }

    /// Where to look first: an even score that is likely, by a search that leaves out what the evaluation makes unlikely where
    /// there are many empty squares, else by the evaluation alone. If it is stopped, what was likely until then.
    pub fn estimate(&mut self, board: &Board) -> i32 {
        self.stopped = false;
        let mut guess = board.evaluate().div_euclid(2 * POINTS_PER_DISC) * 2;
        let moves = emtee::legal_moves(board);
        if moves.is_empty() || board.empties() < ESTIMATED {
            return guess;
        }
        let mut best_move = None;
        for level in 0..EXACT {
            let (mut lower, mut upper) = (-64, 64);
            while lower < upper {
                let alpha = question(guess, lower);
                let (g, m) = self.root(board, &moves, alpha, best_move, level);
                if self.stopped {
                    return guess;
                }
                // An evaluation may be odd. It is even numbers that stand between two questions.
                if g > alpha {
                    lower = g + (g & 1);
                    best_move = m;
                    guess = lower;
                } else {
                    upper = g - (g & 1);
                    guess = upper;
                }
            }
        }
        guess
    }

    /// One pass: is the score greater than `alpha`? Returns g, fail-soft, and the move that has it; nothing if the stop flag
    /// went up first.
    pub fn try_pass(&mut self, board: &Board, alpha: i32) -> Option<(i32, Option<Move>)> {
        let moves = emtee::legal_moves(board);
        if moves.is_empty() {
            return Some((board.final_score(), None));
        }
        self.pass(board, &moves, alpha, None)
    }

    /// Positions visited since the solver was made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A pass at every level, the last of them exact: each leaves its moves in the table for the next.
    fn pass(
        &mut self,
        board: &Board,
        moves: &[Move],
        alpha: i32,
        mut first: Option<Move>,
    ) -> Option<(i32, Option<Move>)> {
        self.stopped = false;
        let from = if board.empties() < ESTIMATED { EXACT } else { 0 };
        let mut answer = (-64, None);
        for level in from..=EXACT {
            answer = self.root(board, moves, alpha, first, level);
            if self.stopped {
                return None;
            }
            if answer.0 > alpha {
                first = answer.1;
            }
        }
        Some(answer)
    }

    /// One pass over the root's moves, the one given first.
    fn root(
        &mut self,
        board: &Board,
        moves: &[Move],
        alpha: i32,
        first: Option<Move>,
        level: u8,
    ) -> (i32, Option<Move>) {
        self.level = level;
        let depth = if board.empties() > 16 { 3 } else { 1 };
        let mut children: Vec<(i32, Move, Board)> = moves
            .iter()
            .map(|&m| {
                let child = board.play(m);
                (if Some(m) == first { i32::MAX } else { -self.shallow(&child, depth) }, m, child)
            })
            .collect();
        children.sort_by_key(|&(value, ..)| -value);
        let mut best = (-127, None);
        for (_, m, child) in children {
            let v = -self.node(child.own(), child.opponent(), -alpha - 1);
            if self.stopped {
                break;
            }
            if v > best.0 {
                best = (v, Some(m));
            }
            if v > alpha {
                break;
            }
        }
        best
    }

    fn shallow(&self, board: &Board, depth: u32) -> i32 {
        let (own, opponent) = (board.own(), board.opponent());
        if available() {
            Avx2::shallow(self, own, opponent, depth, -i32::MAX, i32::MAX)
        } else {
            Portable::shallow(self, own, opponent, depth, -i32::MAX, i32::MAX)
        }
    }

    fn node(&mut self, own: u64, opponent: u64, alpha: i32) -> i32 {
        if available() { Avx2::node(self, own, opponent, alpha) } else { Portable::node(self, own, opponent, alpha) }
    }
}

/// MTD-f: is it as much as the guess? Once that is known: is it more?
fn question(guess: i32, lower: i32) -> i32 {
    if guess == lower { guess + 1 } else { guess - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emtee::mix;

    /// Plain negamax, by the rules alone.
    fn negamax(board: &Board) -> i32 {
        let moves = emtee::legal_moves(board);
        moves.iter().map(|&m| -negamax(&board.play(m))).max().unwrap_or_else(|| board.final_score())
    }

    fn random_ending(seed: u64, empties: u32) -> Board {
        let mut board = Board::default();
        for ply in 0..80 {
            let moves = emtee::legal_moves(&board);
            if moves.is_empty() || board.empties() <= empties {
                break;
            }
            board = board.play(moves[(mix(seed * 128 + ply) % moves.len() as u64) as usize]);
        }
        board
    }

    #[test]
    fn small_endings_have_their_negamax_scores() {
        let mut solver = Solver::with_entries(1 << 10);
        for seed in 0..400 {
            let board = random_ending(seed, (seed % 9) as u32);
            let solution = solver.solve(&board);
            assert_eq!(solution.score, negamax(&board), "{board}");
            match solution.best_move {
                Some(m) => assert_eq!(-negamax(&board.play(m)), solution.score, "{board} {m}"),
                None => assert!(board.is_over()),
            }
        }
    }

    #[test]
    fn both_machines_find_the_same() {
        let mut solver = Solver::with_entries(1 << 10);
        for seed in 0..40 {
            let board = random_ending(seed, 10);
            let score = solver.solve(&board).score;
            for alpha in [score - 1, score + 1] {
                let g = Portable::node(&mut Solver::with_entries(1 << 10), board.own(), board.opponent(), alpha);
                assert_eq!(g > alpha, score > alpha, "{board}");
            }
        }
    }

    #[test]
    fn a_raised_flag_stops_it() {
        let flag = Arc::new(AtomicBool::new(true));
        let mut solver = Solver::with_entries(1 << 10).stop_flag(flag.clone());
        let board = random_ending(1, 30);
        assert_eq!(solver.try_solve(&board), None);
        let small = random_ending(1, 9);
        let score = solver.solve(&small).score;
        flag.store(false, Relaxed);
        assert_eq!(solver.try_solve(&small).map(|solution| solution.score), Some(score));
    }

    /// Numbers 1, 8, 20, 21 and 29 of the FFO test suite. The last has enough empty squares for estimates.
    #[test]
    fn ffo_positions_are_solved() {
        let mut solver = Solver::default();
        for (text, score) in [
            ("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", 18),
            ("---X-X--X-XXXX--XXXXOXXXXXXOOOOOXXOXXXO-XOXXXXO-XOOXXX--XOOXXO-- O", 8),
            ("XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X", 6),
            ("OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O", 0),
            ("-OXXXX----OXXO--XXOOXOOOXXXOOXOOXXOOXOOOXXXXOO-XX-XXO----------- X", 10),
        ] {
            let board: Board = text.parse().unwrap();
            assert_eq!(solver.solve(&board).score, score, "{text}");
        }
    }
}
