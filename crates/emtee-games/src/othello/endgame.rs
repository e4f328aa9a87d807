//! The endgame solver: the exact score of a position, with perfect play to the last square.
//!
//! The search is MT specialised for this game: every pass has a null window and returns a bound, and a small driver
//! converges as MTD-f does. Final scores are even (empty squares are counted for the winner), so `alpha` is odd and a pass
//! resolves two discs.
//!
//! The techniques by the number of empty squares:
//!
//! | empties | technique | module |
//! |---|---|---|
//! | 1 to 4 | unrolled code without move lists; the discs flipped by the last move come from a table | `last_moves` |
//! | 5 | fixed move order with parity: quadrants with an odd number of empties first | `endgame_few` |
//! | 6 and more | fastest-first: moves that leave the fewest replies; stability cutoffs | `endgame_node` |
//! | 7 to 10 | a small transposition table that fits into the processor's cache | `endgame_table` |
//! | 11 and more | a large transposition table | |
//! | 12 and more | moves also sorted by the pattern evaluation, in large trees after a shallow search; enhanced transposition cutoff | `endgame_shallow` |
//! | 18 and more | every pass is preceded by two selective passes, which prune by the evaluation | here |
//!
//! The selective passes approximate the score, so that few exact passes are needed, and store best moves. Their entries have a
//! lower selectivity level: an exact pass uses their moves, never their bounds.

use std::sync::Arc;

use emtee::{Clock, Game, Stop};

use super::board::{Board, POINTS_PER_DISC};
use super::dispatch::{Avx2, Cpu, Portable, available};
use super::endgame_node::{SHARED_FROM, child_key};
use super::endgame_table::EndgameTable;
use super::evaluate::{Patterns, patterns};
use super::moves::Move;
use crate::team::{Team, search_shared};

/// The selectivity level of exact scores. Lower levels are selective.
pub(crate) const EXACT: u8 = 2;

/// From this many empties on, selective passes come first: they cost little compared with what the better move order saves.
const SELECTIVE_FROM: u32 = 18;

/// 256 KB: fits into the cache of one core.
const SMALL_ENTRIES: usize = 3 << 12;

/// The size of a table entry in bytes.
pub const ENTRY_BYTES: usize = super::endgame_table::ENTRY_BYTES;

/// Solves positions exactly. It owns a table: reuse one solver for many positions.
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
    /// The table for positions with many empty squares.
    pub(crate) large: Arc<EndgameTable>,
    /// The table for positions with few empty squares. It fits into the processor's cache.
    pub(crate) small: EndgameTable,
    pub(crate) nodes: u64,
    pub(crate) stop: Option<Stop>,
    pub(crate) clock: Option<Clock>,
    /// The maximum of `nodes`.
    pub(crate) limit: u64,
    pub(crate) stopped: bool,
    /// The selectivity level of the pass: below [`EXACT`], nodes are pruned by the evaluation.
    pub(crate) level: u8,
    pub(crate) patterns: &'static Patterns,
    /// The solvers of the other threads, which share the large table.
    helpers: Vec<Solver>,
    /// The threads of the current pass, if there are several.
    pub(crate) team: Option<Arc<Team>>,
}

/// The result of [`Solver::solve`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Solution {
    /// The final disc difference for the side to move, empty squares counted for the winner.
    pub score: i32,
    /// A move with this score; `None` if the game is over.
    pub best_move: Option<Move>,
    /// The number of positions visited, without those visited for sorting moves.
    pub nodes: u64,
    /// The number of passes, without those of the estimate.
    pub passes: u32,
}

impl Default for Solver {
    /// A solver with 2^20 entries or more, 32 MB.
    fn default() -> Solver {
        Solver::with_entries(1 << 20)
    }
}

impl Solver {
    /// A solver with a table of `entries` to twice as many entries, 22 bytes each.
    pub fn with_entries(entries: usize) -> Solver {
        Solver::sharing(Arc::new(EndgameTable::new(entries)))
    }

    /// A solver with this large table.
    fn sharing(large: Arc<EndgameTable>) -> Solver {
        Solver {
            large,
            small: EndgameTable::new(SMALL_ENTRIES),
            level: EXACT,
            nodes: 0,
            stop: None,
            clock: None,
            limit: u64::MAX,
            stopped: false,
            patterns: patterns(),
            helpers: Vec::new(),
            team: None,
        }
    }

    /// Searches positions with many empty squares with this many threads. Scores are the same, counts are not.
    pub fn threads(mut self, threads: usize) -> Solver {
        self.helpers = (1..threads).map(|_| Solver::sharing(self.large.clone())).collect();
        self
    }

    /// What stops the solver from outside: see [`try_solve`](Solver::try_solve). It is checked about every millisecond.
    pub fn stop(mut self, stop: impl Into<Stop>) -> Solver {
        self.stop = Some(stop.into());
        self
    }

    /// Sets or removes what stops the solver from outside.
    pub fn set_stop(&mut self, stop: Option<Stop>) {
        self.stop = stop;
    }

    /// The clock for the time of a [`Stop`]. Without one, only its flag and [`Stop::now`] stop the solver.
    pub fn clock(mut self, clock: Clock) -> Solver {
        self.clock = Some(clock);
        self
    }

    /// Stops the solver when its total [`nodes`](Solver::nodes) reach a limit.
    pub fn limit_nodes(&mut self, nodes: Option<u64>) {
        self.limit = nodes.unwrap_or(u64::MAX);
    }

    /// The exact score of a position and a move with that score. Ignores the stop condition and the node limit.
    pub fn solve(&mut self, board: &Board) -> Solution {
        let (stop, limit) = (self.stop.take(), std::mem::replace(&mut self.limit, u64::MAX));
        let solution = self.try_solve(board);
        (self.stop, self.limit) = (stop, limit);
        solution.unwrap_or_else(|| unreachable!("there is no stop condition and no limit"))
    }

    /// Like [`solve`](Solver::solve), but `None` if it was stopped first. The table keeps its entries.
    pub fn try_solve(&mut self, board: &Board) -> Option<Solution> {
        let nodes = self.nodes;
        let moves = emtee::legal_moves(board);
        if moves.is_empty() {
            return Some(Solution { score: board.final_score(), best_move: None, nodes: 0, passes: 0 });
        }
        let (mut guess, mut best_move) = (self.estimate(board), None);
        let (mut lower, mut upper, mut passes) = (-64, 64, 0);
        while lower < upper {
            let alpha = window(guess, lower);
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
            // Every pass failed low, down to the lowest score: every move has it.
            best_move = moves.first().copied();
        }
        Some(Solution { score: lower, best_move, nodes: self.nodes - nodes, passes })
    }

    /// The first guess: an even score. With many empty squares it is the result of selective passes, else of the evaluation. If
    /// it is stopped, the result so far.
    pub fn estimate(&mut self, board: &Board) -> i32 {
        self.stopped = false;
        let mut guess = board.evaluate().div_euclid(2 * POINTS_PER_DISC) * 2;
        let moves = emtee::legal_moves(board);
        if moves.is_empty() || board.empties() < SELECTIVE_FROM {
            return guess;
        }
        let mut best_move = None;
        for level in 0..EXACT {
            let (mut lower, mut upper) = (-64, 64);
            while lower < upper {
                let alpha = window(guess, lower);
                let (g, m) = self.root(board, &moves, alpha, best_move, level);
                if self.stopped {
                    return guess;
                }
                // A bound from the evaluation can be odd. Guesses are even, so that `alpha` is odd.
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

    /// One pass at γ = `alpha` + ½. Returns g, fail-soft, and its move; `None` if the solver was stopped first.
    pub fn try_pass(&mut self, board: &Board, alpha: i32) -> Option<(i32, Option<Move>)> {
        let moves = emtee::legal_moves(board);
        if moves.is_empty() {
            return Some((board.final_score(), None));
        }
        self.pass(board, &moves, alpha, None)
    }

    /// The number of positions visited since the solver was created.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A pass at each level, the last one exact. Each stores best moves for the next.
    fn pass(
        &mut self,
        board: &Board,
        moves: &[Move],
        alpha: i32,
        mut first: Option<Move>,
    ) -> Option<(i32, Option<Move>)> {
        self.stopped = false;
        let from = if board.empties() < SELECTIVE_FROM { EXACT } else { 0 };
        let mut result = (-64, None);
        for level in from..=EXACT {
            result = self.root(board, moves, alpha, first, level);
            if self.stopped {
                return None;
            }
            if result.0 > alpha {
                first = result.1;
            }
        }
        Some(result)
    }

    /// Whether a condition stops the search now, or another thread has finished the pass.
    pub(crate) fn must_stop(&self) -> bool {
        self.nodes >= self.limit
            || self.stop.as_ref().is_some_and(|stop| stop.is_due(self.clock))
            || self.team.as_ref().is_some_and(|team| team.is_done())
    }

    /// One pass at the root by all threads, the move `first` first. The first thread to finish it ends it.
    fn root(
        &mut self,
        board: &Board,
        moves: &[Move],
        alpha: i32,
        first: Option<Move>,
        level: u8,
    ) -> (i32, Option<Move>) {
        if self.helpers.is_empty() || board.empties() < SHARED_FROM {
            return self.root_alone(board, moves, alpha, first, level);
        }
        let team = Arc::new(Team::new());
        let mut helpers = std::mem::take(&mut self.helpers);
        self.team = Some(team.clone());
        let finish = &|solver: &mut Solver| {
            let result = solver.root_alone(board, moves, alpha, first, level);
            (!solver.stopped).then(|| {
                team.finish();
                result
            })
        };
        let result = std::thread::scope(|scope| {
            let running: Vec<_> = helpers
                .iter_mut()
                .map(|helper| {
                    (helper.team, helper.stop, helper.clock) = (self.team.clone(), self.stop.clone(), self.clock);
                    (helper.nodes, helper.stopped) = (0, false);
                    scope.spawn(move || finish(helper))
                })
                .collect();
            let own = finish(self);
            // If this thread met its limit of nodes, the others stop too.
            team.finish();
            let results = running.into_iter().map(|helper| helper.join().unwrap_or_default());
            results.fold(own, |result, other| result.or(other))
        });
        self.nodes += helpers.iter().map(|helper| helper.nodes).sum::<u64>();
        (self.helpers, self.team, self.stopped) = (helpers, None, result.is_none());
        result.unwrap_or((alpha, None))
    }

    /// One pass at the root by this thread.
    fn root_alone(
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
        if let Some(team) = self.team.clone() {
            let key = |(_, _, child): (i32, Move, Board)| child_key(child.own(), child.opponent());
            search_shared(&team, children, key, |(_, m, child)| {
                let v = -self.node(child.own(), child.opponent(), -alpha - 1);
                if !self.stopped && v > best.0 {
                    best = (v, Some(m));
                }
                self.stopped || v > alpha
            });
            return best;
        }
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

/// MTD-f's next window: tests whether the score is at least the guess; if the guess is the lower bound, whether it is greater.
fn window(guess: i32, lower: i32) -> i32 {
    if guess == lower { guess + 1 } else { guess - 1 }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    use super::*;
    use emtee::mix;

    /// Plain negamax.
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
    fn portable_and_avx2_agree() {
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
    fn threads_do_not_change_scores() {
        for seed in 0..6 {
            let board = random_ending(seed, 17);
            let score = Solver::with_entries(1 << 16).solve(&board).score;
            let mut solver = Solver::with_entries(1 << 16).threads(3);
            let solution = solver.solve(&board);
            assert_eq!(solution.score, score, "{board}");
            let best = board.play(solution.best_move.unwrap());
            assert_eq!(-Solver::with_entries(1 << 16).solve(&best).score, score, "{board}");
            let stopped = Arc::new(AtomicBool::new(true));
            assert_eq!(Solver::with_entries(1 << 10).threads(2).stop(stopped).try_solve(&board), None);
        }
    }

    #[test]
    fn a_flag_stops_the_solver() {
        let flag = Arc::new(AtomicBool::new(true));
        let mut solver = Solver::with_entries(1 << 10).stop(flag.clone());
        let board = random_ending(1, 30);
        assert_eq!(solver.try_solve(&board), None);
        let small = random_ending(1, 9);
        let score = solver.solve(&small).score;
        flag.store(false, Relaxed);
        assert_eq!(solver.try_solve(&small).map(|solution| solution.score), Some(score));
    }

    /// Numbers 1, 8, 20, 21 and 29 of the FFO test suite. The last has enough empty squares for selective passes.
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
