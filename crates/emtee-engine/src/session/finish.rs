//! The end of a game, solved while the clock runs.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use emtee::{Game, Value};
use emtee_games::othello::endgame::Solver;
use emtee_games::othello::{Board, Move, POINTS_PER_DISC};

use super::control::Control;
use crate::row::Row;

/// Solves the end of a game instead of searching it.
pub(crate) trait Finish<G: Game>: Send {
    /// Whether so many nodes will probably do.
    fn is_near(&self, board: &G, nodes: u64) -> bool;

    /// What is proved before the nodes or the control end it, if that is enough to choose a move.
    fn finish(&mut self, board: &G, nodes: u64, control: &Control) -> Option<Ending<G::Move>>;

    /// Forgets everything.
    fn clear(&mut self);
}

/// Makes someone who plays the end of G.
pub(crate) type Finisher<G> = fn() -> Box<dyn Finish<G>>;

/// A position solved.
pub(crate) struct Ending<M> {
    /// What it is worth, or what the best move makes at least of it.
    pub(crate) value: i32,
    /// Whether that is exact, or only who wins is known.
    pub(crate) exact: bool,
    /// The best move and what follows.
    pub(crate) line: Vec<M>,
    /// Plies to the end.
    pub(crate) plies: u8,
    pub(crate) nodes: u64,
}

impl<M> Ending<M> {
    /// The row of a search that has looked at the position, with what is now known of it.
    pub(crate) fn conclude(&self, mut row: Row, written: impl Fn(&M) -> String, time: Duration) -> Row {
        row.depth = self.plies;
        row.value = Some(self.value);
        row.value_text = Value::score(self.value).unwrap_or_default().to_string();
        (row.win_in, row.loss_in) = (None, None);
        (row.lower, row.upper) = (self.value, if self.exact { self.value } else { row.upper.max(self.value) });
        row.pv = self.line.iter().map(written).collect();
        row.best_move = row.pv.first().cloned();
        row.counts.interior += self.nodes;
        row.seconds = time.as_secs_f64();
        row.exact = self.exact;
        row.complete = true;
        row
    }
}

/// Nodes of the solver that fit into a second on a slow machine.
const A_SECOND: f64 = 10e6;

/// How many nodes fit into this much time; all that may be needed where there is no limit.
pub(crate) fn nodes_in(time: Option<Duration>) -> u64 {
    time.map_or(200_000_000, |time| (time.as_secs_f64() * A_SECOND) as u64)
}

/// Othello's endgame solver.
pub(crate) struct OthelloEnd {
    solver: Solver,
    /// What its table has.
    entries: u64,
}

/// From what a few thousand nodes fill to 32 MB, which takes longer to make than a short game takes to play.
const ENTRIES: RangeInclusive<u64> = 1 << 12..=1 << 20;

/// What it takes to know who wins, in parts of what it takes to know the score.
const OUTCOME_SHARE: f64 = 0.4;

/// Nodes that a position with so many empty squares takes, on average: measured on the FFO positions from 14 to 19, and
/// from 20 to 26.
fn expected(empties: u32) -> f64 {
    42_000.0 * 2.02f64.powi(empties as i32 - 14)
}

impl OthelloEnd {
    pub(crate) fn boxed() -> Box<dyn Finish<Board>> {
        Box::new(OthelloEnd::new(*ENTRIES.start()))
    }

    fn new(entries: u64) -> OthelloEnd {
        OthelloEnd { solver: Solver::with_entries(entries as usize), entries }
    }

    /// Sees to it that so many nodes fill the table at most.
    fn make_room(&mut self, nodes: u64) {
        let wanted = nodes.clamp(*ENTRIES.start(), *ENTRIES.end()).next_power_of_two();
        if self.entries < wanted {
            *self = OthelloEnd::new(wanted);
        }
    }

    /// Who wins, unless the score can be had at once; then the score. What is known when it is stopped is left in `known`.
    fn narrow(&mut self, board: &Board, outcome_first: bool, known: &mut Known) -> Option<()> {
        let solver = &mut self.solver;
        let pass = |solver: &mut Solver, alpha: i32, known: &mut Known| {
            let (g, best) = solver.try_pass(board, alpha)?;
            if g > alpha {
                (known.lower, known.best) = (g, best.or(known.best));
            } else {
                known.upper = g;
            }
            Some(g)
        };
        if outcome_first && pass(solver, 1, known)? < 1 {
            pass(solver, -1, known)?;
        }
        let mut guess = solver.estimate(board).clamp(known.lower, known.upper);
        while known.lower < known.upper {
            guess = pass(solver, if guess == known.lower { guess + 1 } else { guess - 1 }, known)?;
        }
        Some(())
    }
}

/// What is proved of a score.
struct Known {
    lower: i32,
    upper: i32,
    best: Option<Move>,
}

impl Finish<Board> for OthelloEnd {
    fn is_near(&self, board: &Board, nodes: u64) -> bool {
        OUTCOME_SHARE * expected(board.empties()) * 2.0 <= nodes as f64
    }

    fn finish(&mut self, board: &Board, nodes: u64, control: &Control) -> Option<Ending<Move>> {
        self.make_room(nodes);
        let listener = control.clone();
        self.solver.stop_when(Some(Arc::new(move || listener.is_due())));
        let before = self.solver.nodes();
        self.solver.limit_nodes(Some(before + nodes));
        let outcome_first = expected(board.empties()) * 2.0 > nodes as f64;
        let mut known = Known { lower: -64, upper: 64, best: None };
        let exact = self.narrow(board, outcome_first, &mut known).is_some();
        // A win or a draw is held on to; who has lost had better go on looking for what is hard to refute.
        let enough = exact || known.lower > 0 || known.lower == 0 && known.upper < 2;
        let best = known.best.or_else(|| emtee::legal_moves(board).first().copied()).filter(|_| enough)?;
        let mut line = vec![best];
        let (mut n, mut score) = (board.play(best), -known.lower);
        while exact && !n.is_over() && score > -64 {
            let Some((_, Some(m))) = self.solver.try_pass(&n, score - 1) else { break };
            line.push(m);
            n = n.play(m);
            score = -score;
        }
        Some(Ending {
            value: known.lower * POINTS_PER_DISC,
            exact,
            line,
            plies: board.empties() as u8,
            nodes: self.solver.nodes() - before,
        })
    }

    fn clear(&mut self) {
        *self = OthelloEnd::new(self.entries);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ffo(number: usize) -> Board {
        let text = [
            "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", // number 1: g8 wins by 18
            "OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O", // number 21: g5 draws
        ];
        text[number].parse().unwrap()
    }

    #[test]
    fn the_end_is_played_perfectly() {
        let mut end = OthelloEnd::new(1 << 16);
        for (number, value, best) in [(0, 18, "g8"), (1, 0, "g5")] {
            let ending = end.finish(&ffo(number), 100_000_000, &Control::default()).unwrap();
            assert!(ending.exact);
            assert_eq!((ending.value, ending.line[0].to_string()), (value * POINTS_PER_DISC, best.into()));
            let last = ending.line.iter().fold(ffo(number), |board, &m| board.play(m));
            assert!(last.is_over());
        }
    }

    #[test]
    fn what_is_proved_before_a_stop_is_used() {
        // Ever more nodes, until they are enough to know who wins: a move that wins, but perhaps not by most.
        let fresh = || OthelloEnd::new(1 << 16);
        let limits = (1..100).map(|thousands| thousands * 1_000);
        let known = limits.filter_map(|nodes| fresh().finish(&ffo(0), nodes, &Control::default())).next();
        let won = known.expect("a hundred thousand nodes are enough");
        assert!(!won.exact && won.value > 0, "who wins is known before the score: {}", won.value);
        let reply = Solver::default().solve(&ffo(0).play(won.line[0]));
        assert!(reply.score < 0);
        let control = Control::default();
        control.stop();
        let mut end = fresh();
        assert!(end.finish(&ffo(1), 100_000_000, &control).is_none());
        assert!(end.finish(&ffo(1), 100, &Control::default()).is_none());
    }

    #[test]
    fn the_table_is_as_large_as_the_nodes_need() {
        let mut end = OthelloEnd::new(*ENTRIES.start());
        let mut after = |nodes| {
            end.finish(&ffo(0), nodes, &Control::default());
            end.entries
        };
        assert_eq!([2_000, 100_000, 2_000, u64::MAX].map(&mut after), [1 << 12, 1 << 17, 1 << 17, 1 << 20]);
        // Who needed it in one game will in the next, and had better have it before the clock runs.
        end.clear();
        assert_eq!(end.entries, 1 << 20);
    }

    #[test]
    fn more_time_solves_from_further_away() {
        let end = OthelloEnd::new(2);
        let farthest = |time: Option<Duration>| {
            (0..60).rev().find(|&empties| expected(empties) * OUTCOME_SHARE * 2.0 <= nodes_in(time) as f64)
        };
        assert!(farthest(Some(Duration::from_millis(10))) < farthest(Some(Duration::from_secs(1))));
        assert!(farthest(Some(Duration::from_secs(1))) < farthest(None));
        assert!(!end.is_near(&Board::default(), nodes_in(None)));
        assert!(end.is_near(&ffo(0), nodes_in(Some(Duration::from_millis(100)))));
    }
}
