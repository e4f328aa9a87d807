//! The exact endgame: the score of a position with perfect play to the last square.
//!
//! The search is MT again, written for this one game: every question is a null window, every answer a bound, and a small
//! driver steps from bound to bound as MTD-f does. Final scores are even (empty squares go to the winner), so questions are
//! asked at odd numbers and a pass settles two discs.
//!
//! What makes it fast, from the last square up:
//!
//! | empties | what is done |
//! |---|---|
//! | 1 to 4 | written out in `last`: no moves listed, the last disc counted by table |
//! | 5 | squares in quarters with an odd number of empties first |
//! | 6 and more | moves that leave the opponent the fewest replies first; stable discs cut off |
//! | 9 and more | a hash table |
//! | 13 and more | moves sorted by the pattern evaluation too, searched a few plies where the tree is large; replies looked up in the table first |

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use emtee::Game;

use super::board::{Board, POINTS_PER_DISC, Squares, final_score};
use super::endgame_table::{EndgameTable, Entry};
use super::evaluate::{Patterns, WEIGHTS_PER_DISC, patterns};
use super::last::last_4;
use super::machine::{Avx2, Machine, Portable, available};
use super::moves::Move;
use super::stable::stable;

/// From this many empties on, moves are sorted by the replies they leave.
const SORTED: u32 = 6;
/// From this many empties on, nodes are kept in the table.
const HASHED: u32 = 9;
/// With more empties than this, moves are also sorted by the evaluation.
const EVALUATED: u32 = 12;

/// From this many empties on, a node looks whether it should stop: every millisecond or so.
const LOOKS_UP: u32 = 12;

/// What an entry of the solver's table takes.
pub const ENTRY_BYTES: usize = size_of::<Entry>();

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
    table: EndgameTable,
    nodes: u64,
    stop: Option<Stop>,
    /// So many nodes, and no more.
    limit: u64,
    stopped: bool,
    patterns: &'static Patterns,
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
    /// Positions visited.
    pub nodes: u64,
    /// Null-window searches made.
    pub passes: u32,
}

impl Default for Solver {
    /// A solver with 2^20 entries, 24 MB.
    fn default() -> Solver {
        Solver::with_entries(1 << 20)
    }
}

impl Solver {
    /// A solver with a table of about so many entries of 24 bytes.
    pub fn with_entries(entries: usize) -> Solver {
        Solver {
            table: EndgameTable::new(entries),
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
        self.stopped = false;
        let nodes = self.nodes;
        let mut passes = 0;
        let (mut lower, mut upper, mut best_move) = (-64, 64, None);
        let moves = emtee::legal_moves(board);
        if moves.is_empty() {
            return Some(Solution { score: board.final_score(), best_move: None, nodes: 0, passes });
        }
        let mut guess = Solver::guess(board);
        while lower < upper {
            // MTD-f: is it as much as the guess? Once that is known: is it more?
            let alpha = if guess == lower { guess + 1 } else { guess - 1 };
            let (g, m) = self.root(board, &moves, alpha, best_move);
            if self.stopped {
                return None;
            }
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

    /// Where to look first: the evaluation as an even score, for scores are even.
    pub fn guess(board: &Board) -> i32 {
        board.evaluate().div_euclid(2 * POINTS_PER_DISC) * 2
    }

    /// One pass: is the score greater than `alpha`? Returns g, fail-soft, and the move that has it; nothing if the stop flag
    /// went up first.
    pub fn try_pass(&mut self, board: &Board, alpha: i32) -> Option<(i32, Option<Move>)> {
        self.stopped = false;
        let moves = emtee::legal_moves(board);
        if moves.is_empty() {
            return Some((board.final_score(), None));
        }
        let answer = self.root(board, &moves, alpha, None);
        (!self.stopped).then_some(answer)
    }

    /// Positions visited since the solver was made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// One pass over the root's moves, the one given first.
    fn root(&mut self, board: &Board, moves: &[Move], alpha: i32, first: Option<Move>) -> (i32, Option<Move>) {
        let mut children: Vec<(i32, Move, Board)> = moves
            .iter()
            .map(|&m| {
                let child = board.play(m);
                let depth = if board.empties() > 16 { 3 } else { 1 };
                let value = -self.probe(child.own(), child.opponent(), depth, -i32::MAX, i32::MAX);
                (if Some(m) == first { i32::MAX } else { value }, m, child)
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

    fn node(&mut self, own: u64, opponent: u64, alpha: i32) -> i32 {
        if available() { Avx2::node(self, own, opponent, alpha) } else { Portable::node(self, own, opponent, alpha) }
    }

    /// A few plies of alpha-beta on the evaluation, to sort moves by. In 1/32 of a disc, as weights are.
    fn probe(&self, own: u64, opponent: u64, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        let placements = super::mobility(own, opponent);
        if placements == 0 {
            if super::mobility(opponent, own) == 0 {
                return final_score(own, opponent) * WEIGHTS_PER_DISC;
            }
            return -self.probe(opponent, own, depth, -beta, -alpha);
        }
        if depth == 0 {
            return self.patterns.score(own, opponent);
        }
        let mut best = -i32::MAX;
        for square in Squares(placements) {
            let flipped = super::flips(own, opponent, square);
            let v = -self.probe(opponent ^ flipped, own | flipped | 1 << square, depth - 1, -beta, -alpha);
            best = best.max(v);
            alpha = alpha.max(v);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

const QUARTERS: [u64; 4] = [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];
const CORNERS: u64 = 0x8100_0000_0000_0081;
const BESIDE_CORNERS: u64 = 0x42c3_0000_0000_c342;

/// The empty squares in quarters that have an odd number of them.
#[inline(always)]
fn odd_quarters(empty: u64) -> u64 {
    QUARTERS.iter().fold(0, |odd, quarter| odd | quarter & ((empty & quarter).count_ones() as u64 & 1).wrapping_neg())
        & empty
}

/// Whether the opponent's stable discs alone keep the score at or below `alpha`; if so, the bound they give.
#[inline(always)]
fn hopeless(own: u64, opponent: u64, alpha: i32, empties: u32) -> Option<i32> {
    if alpha < 2 * empties as i32 - 2 {
        return None;
    }
    let bound = 64 - 2 * stable(opponent, own).count_ones() as i32;
    (bound <= alpha).then_some(bound)
}

/// Is the score greater than `alpha`? With fewer than [`SORTED`] empty squares. Fail-soft.
#[inline(always)]
pub(crate) fn few_body<M: Machine>(own: u64, opponent: u64, alpha: i32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let empty = !(own | opponent);
    let empties = empty.count_ones();
    let odd = odd_quarters(empty);
    if empties <= 4 {
        return few_squares::<M>(own, opponent, alpha, empty, odd, nodes);
    }
    if let Some(bound) = hopeless(own, opponent, alpha, empties) {
        return bound;
    }
    let placements = M::mobility(own, opponent);
    if placements == 0 {
        if M::mobility(opponent, own) == 0 {
            return final_score(own, opponent);
        }
        return -M::few(opponent, own, -alpha - 1, nodes);
    }
    let mut best = -127;
    let rest = placements & !CORNERS;
    let calm = rest & !BESIDE_CORNERS;
    for group in [
        placements & CORNERS & odd,
        calm & odd,
        placements & CORNERS & !odd,
        rest & !calm & odd,
        calm & !odd,
        rest & !calm & !odd,
    ] {
        for square in Squares(group) {
            let flipped = M::flips(own, opponent, square);
            let v = -M::few(opponent ^ flipped, own | flipped | 1 << square, -alpha - 1, nodes);
            if v > best {
                best = v;
                if v > alpha {
                    return v;
                }
            }
        }
    }
    best
}

/// At most four empty squares.
#[inline(always)]
fn few_squares<M: Machine>(own: u64, opponent: u64, alpha: i32, empty: u64, odd: u64, nodes: &mut u64) -> i32 {
    if empty.count_ones() == 4 {
        let mut squares = [0; 4];
        let ordered = Squares(odd).chain(Squares(empty & !odd));
        for (place, square) in squares.iter_mut().zip(ordered) {
            *place = square;
        }
        return last_4::<M>(own, opponent, alpha, squares, nodes);
    }
    // Only a position given with so few empties comes here.
    let placements = M::mobility(own, opponent);
    if placements == 0 {
        if M::mobility(opponent, own) == 0 {
            return final_score(own, opponent);
        }
        return -M::few(opponent, own, -alpha - 1, nodes);
    }
    let mut best = -127;
    for square in Squares(placements) {
        let flipped = M::flips(own, opponent, square);
        best = best.max(-M::few(opponent ^ flipped, own | flipped | 1 << square, -alpha - 1, nodes));
    }
    best
}

/// A move being sorted, and where it leads.
#[derive(Clone, Copy)]
struct Candidate {
    rank: i32,
    square: u8,
    own: u64,
    opponent: u64,
}

/// Is the score greater than `alpha`? Returns g, fail-soft: above `alpha` the score is at least g, else at most g.
#[inline(always)]
pub(crate) fn node_body<M: Machine>(solver: &mut Solver, own: u64, opponent: u64, alpha: i32) -> i32 {
    let empty = !(own | opponent);
    let empties = empty.count_ones();
    if empties < SORTED {
        return M::few(own, opponent, alpha, &mut solver.nodes);
    }
    solver.nodes += 1;
    if let Some(bound) = hopeless(own, opponent, alpha, empties) {
        return bound;
    }
    let mut table_move = 64;
    if empties >= HASHED
        && let Some(entry) = solver.table.retrieve(own, opponent)
    {
        if i32::from(entry.lower) > alpha {
            return entry.lower.into();
        }
        if i32::from(entry.upper) <= alpha {
            return entry.upper.into();
        }
        table_move = entry.best;
    }
    let placements = M::mobility(own, opponent);
    if placements == 0 {
        if M::mobility(opponent, own) == 0 {
            return final_score(own, opponent);
        }
        return -M::node(solver, opponent, own, -alpha - 1);
    }
    if empties >= LOOKS_UP && (solver.nodes >= solver.limit || solver.stop.as_ref().is_some_and(|stop| stop())) {
        solver.stopped = true;
        return alpha;
    }
    let mut room = [Candidate { rank: 0, square: 0, own: 0, opponent: 0 }; 34];
    let mut count = 0;
    let odd = odd_quarters(empty);
    for square in Squares(placements) {
        let flipped = M::flips(own, opponent, square);
        let (child_own, child_opponent) = (opponent ^ flipped, own | flipped | 1 << square);
        if child_own == 0 {
            return 64;
        }
        if empties > EVALUATED
            && let Some(entry) = solver.table.retrieve(child_own, child_opponent)
            && -i32::from(entry.upper) > alpha
        {
            return -i32::from(entry.upper);
        }
        room[count] = Candidate { rank: 0, square, own: child_own, opponent: child_opponent };
        count += 1;
    }
    let candidates = &mut room[..count];
    if count > 1 {
        for c in candidates.iter_mut() {
            c.rank = rank::<M>(solver, c, empties, table_move, odd);
        }
    }
    let mut best = -127;
    let mut best_square = 64;
    for at in 0..count {
        let next = (at..count)
            .fold(at, |next, other| if candidates[other].rank > candidates[next].rank { other } else { next });
        candidates.swap(at, next);
        let c = candidates[at];
        let v = -M::node(solver, c.own, c.opponent, -alpha - 1);
        if solver.stopped {
            return alpha; // Whatever this is, it is no bound.
        }
        if v > best {
            best = v;
            best_square = c.square;
            if v > alpha {
                break;
            }
        }
    }
    if empties >= HASHED {
        solver.table.store(own, opponent, alpha, best, best_square, empties);
    }
    best
}

/// How early a move should be tried: few replies, corners, odd quarters; the evaluation where the tree below is large.
#[inline(always)]
fn rank<M: Machine>(solver: &Solver, c: &Candidate, empties: u32, table_move: u8, odd: u64) -> i32 {
    if c.square == table_move {
        return i32::MAX;
    }
    let replies = M::mobility(c.own, c.opponent);
    let weighted = replies.count_ones() + (replies & CORNERS).count_ones();
    let bit = 1u64 << c.square;
    let mut rank = -(weighted as i32) * 16 + i32::from(odd & bit != 0) * 8;
    rank += i32::from(CORNERS & bit != 0) * 12;
    if empties > EVALUATED {
        let depth = match empties {
            ..=15 => 0,
            16..=18 => 1,
            19..=21 => 2,
            _ => 3,
        };
        // A reply weighs as much as a disc of evaluation.
        rank -= solver.probe(c.own, c.opponent, depth, -i32::MAX, i32::MAX) * 16 / WEIGHTS_PER_DISC;
    }
    rank
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

    /// Numbers 1, 8, 20 and 21 of the FFO test suite.
    #[test]
    fn ffo_positions_are_solved() {
        let mut solver = Solver::default();
        for (text, score) in [
            ("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", 18),
            ("---X-X--X-XXXX--XXXXOXXXXXXOOOOOXXOXXXO-XOXXXXO-XOOXXX--XOOXXO-- O", 8),
            ("XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X", 6),
            ("OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O", 0),
        ] {
            let board: Board = text.parse().unwrap();
            assert_eq!(solver.solve(&board).score, score, "{text}");
        }
    }
}
