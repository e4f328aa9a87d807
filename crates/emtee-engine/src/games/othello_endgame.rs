//! Othello's endgame solver under a clock.

use std::ops::RangeInclusive;

use emtee::Game;
use emtee_games::othello::endgame::Solver;
use emtee_games::othello::{Board, Move, POINTS_PER_DISC};

use crate::now::now;
use crate::session::{Control, EndgameSolution, EndgameSolver};

/// Othello's endgame solver.
pub(crate) struct OthelloEndgame {
    solver: Solver,
    /// The size of the solver's table.
    entries: u64,
}

/// From what a few thousand nodes fill up to 32 MB. The largest table takes longer to allocate than a short game takes
/// to play.
const ENTRIES: RangeInclusive<u64> = 1 << 12..=1 << 20;

/// The cost of finding the winner, relative to the cost of the exact score.
const OUTCOME_SHARE: f64 = 0.4;

/// The average number of nodes for this many empty squares, measured on the FFO positions with 14 to 19 and with 20 to
/// 26.
fn expected_nodes(empties: u32) -> f64 {
    42_000.0 * 2.02f64.powi(empties as i32 - 14)
}

impl OthelloEndgame {
    pub(crate) fn boxed() -> Box<dyn EndgameSolver<Board>> {
        Box::new(OthelloEndgame::new(*ENTRIES.start()))
    }

    fn new(entries: u64) -> OthelloEndgame {
        OthelloEndgame { solver: Solver::with_entries(entries as usize).clock(now), entries }
    }

    /// Enlarges the table so that this many nodes do not overfill it.
    fn grow_table(&mut self, nodes: u64) {
        let wanted = nodes.clamp(*ENTRIES.start(), *ENTRIES.end()).next_power_of_two();
        if self.entries < wanted {
            *self = OthelloEndgame::new(wanted);
        }
    }

    /// Narrows the bounds on the score: first the winner if `outcome_first`, then the exact score. A stop leaves the
    /// proved bounds in `bounds`.
    fn narrow(&mut self, board: &Board, outcome_first: bool, bounds: &mut ScoreBounds) -> Option<()> {
        let solver = &mut self.solver;
        let pass = |solver: &mut Solver, alpha: i32, bounds: &mut ScoreBounds| {
            let (g, best) = solver.try_pass(board, alpha)?;
            if g > alpha {
                (bounds.lower, bounds.best) = (g, best.or(bounds.best));
            } else {
                bounds.upper = g;
            }
            Some(g)
        };
        if outcome_first && pass(solver, 1, bounds)? < 1 {
            pass(solver, -1, bounds)?;
        }
        let mut guess = solver.estimate(board).clamp(bounds.lower, bounds.upper);
        while bounds.lower < bounds.upper {
            guess = pass(solver, if guess == bounds.lower { guess + 1 } else { guess - 1 }, bounds)?;
        }
        Some(())
    }
}

/// Proved bounds on the score.
struct ScoreBounds {
    lower: i32,
    upper: i32,
    best: Option<Move>,
}

impl EndgameSolver<Board> for OthelloEndgame {
    fn is_solvable(&self, board: &Board, nodes: u64) -> bool {
        OUTCOME_SHARE * expected_nodes(board.empties()) * 2.0 <= nodes as f64
    }

    fn solve(&mut self, board: &Board, nodes: u64, control: &Control) -> Option<EndgameSolution<Move>> {
        self.grow_table(nodes);
        self.solver.set_stop(Some(control.stops()));
        let before = self.solver.nodes();
        self.solver.limit_nodes(Some(before + nodes));
        let outcome_first = expected_nodes(board.empties()) * 2.0 > nodes as f64;
        let mut bounds = ScoreBounds { lower: -64, upper: 64, best: None };
        let exact = self.narrow(board, outcome_first, &mut bounds).is_some();
        // A proved win or draw is good enough. In a lost position a search finds moves that are harder to refute.
        let enough = exact || bounds.lower > 0 || bounds.lower == 0 && bounds.upper < 2;
        let best = bounds.best.or_else(|| emtee::legal_moves(board).first().copied()).filter(|_| enough)?;
        let mut line = vec![best];
        let (mut n, mut score) = (board.play(best), -bounds.lower);
        while exact && !n.is_over() && score > -64 {
            let Some((_, Some(m))) = self.solver.try_pass(&n, score - 1) else { break };
            line.push(m);
            n = n.play(m);
            score = -score;
        }
        Some(EndgameSolution {
            value: bounds.lower * POINTS_PER_DISC,
            exact,
            line,
            plies: board.empties() as u8,
            nodes: self.solver.nodes() - before,
        })
    }

    fn clear(&mut self) {
        *self = OthelloEndgame::new(self.entries);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::session::nodes_in;

    fn ffo(number: usize) -> Board {
        let text = [
            "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", // number 1: g8 wins by 18
            "OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O", // number 21: g5 draws
        ];
        text[number].parse().unwrap()
    }

    #[test]
    fn endgames_are_solved_exactly() {
        let mut end = OthelloEndgame::new(1 << 16);
        for (number, value, best) in [(0, 18, "g8"), (1, 0, "g5")] {
            let solved = end.solve(&ffo(number), 100_000_000, &Control::default()).unwrap();
            assert!(solved.exact);
            assert_eq!((solved.value, solved.line[0].to_string()), (value * POINTS_PER_DISC, best.into()));
            let last = solved.line.iter().fold(ffo(number), |board, &m| board.play(m));
            assert!(last.is_over());
        }
    }

    #[test]
    fn a_winner_proved_before_a_stop_is_used() {
        // Increase the limit until the winner is known. The move then wins, but perhaps not by the most.
        let fresh = || OthelloEndgame::new(1 << 16);
        let limits = (1..100).map(|thousands| thousands * 1_000);
        let bounds = limits.filter_map(|nodes| fresh().solve(&ffo(0), nodes, &Control::default())).next();
        let won = bounds.expect("a hundred thousand nodes are enough");
        assert!(!won.exact && won.value > 0, "the winner is known before the score: {}", won.value);
        let reply = Solver::default().solve(&ffo(0).play(won.line[0]));
        assert!(reply.score < 0);
        let control = Control::default();
        control.stop();
        let mut end = fresh();
        assert!(end.solve(&ffo(1), 100_000_000, &control).is_none());
        assert!(end.solve(&ffo(1), 100, &Control::default()).is_none());
    }

    #[test]
    fn the_table_grows_with_the_node_limit() {
        let mut end = OthelloEndgame::new(*ENTRIES.start());
        let mut after = |nodes| {
            end.solve(&ffo(0), nodes, &Control::default());
            end.entries
        };
        assert_eq!([2_000, 100_000, 2_000, u64::MAX].map(&mut after), [1 << 12, 1 << 17, 1 << 17, 1 << 20]);
        // The table keeps its size for the next game, so that it is not enlarged while the clock runs.
        end.clear();
        assert_eq!(end.entries, 1 << 20);
    }

    #[test]
    fn more_time_allows_more_empty_squares() {
        let end = OthelloEndgame::new(2);
        let farthest = |time: Option<Duration>| {
            (0..60).rev().find(|&empties| expected_nodes(empties) * OUTCOME_SHARE * 2.0 <= nodes_in(time) as f64)
        };
        assert!(farthest(Some(Duration::from_millis(10))) < farthest(Some(Duration::from_secs(1))));
        assert!(farthest(Some(Duration::from_secs(1))) < farthest(None));
        assert!(!end.is_solvable(&Board::default(), nodes_in(None)));
        assert!(end.is_solvable(&ffo(0), nodes_in(Some(Duration::from_millis(100)))));
    }
}
