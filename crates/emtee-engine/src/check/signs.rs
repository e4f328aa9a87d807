//! The sign of evaluations and outcomes, the most common mistake. Both are for the side to move, and near the end of a
//! game they should correlate.

use emtee::{Game, Outcome, Side};

use super::{Finding, Walk};

/// The number of plies before the end over which evaluations are compared with results.
const LAST_PLIES: usize = 8;

/// Each of the last plies up to this number is also checked by itself.
const EACH_PLY: usize = 4;

/// A win, in points.
const WIN: f64 = 1.0;

/// An evaluation and the result of the game, both for the side to move.
struct Pair {
    evaluation: f64,
    result: f64,
    /// The side to move, and the side to move at the end of the game.
    turns: [Side; 2],
    plies_left: usize,
}

/// A warning about a correlation that is not clear enough for a violation.
pub(super) fn warning<G: Game>(walks: &[Walk<G>]) -> Option<String> {
    let pairs: Vec<Pair> = walks.iter().filter(|walk| walk.ended).flat_map(pairs).collect();
    let all = Correlation::of(pairs.iter());
    let doubtful = all.r < 0.0 && all.games >= 16 && all.r.abs() * (all.games as f64).sqrt() >= 2.0;
    doubtful.then(|| {
        format!(
            "`evaluate` contradicts the result slightly more often than not (correlation {:+.2} over the last {LAST_PLIES} \
             plies of {} random games); if this is unexpected, check the signs of `evaluate` and `outcome`, which are for \
             the side to move",
            all.r, all.games
        )
    })
}

pub(super) fn check<G: Game>(walks: &[Walk<G>]) -> Result<(), Finding> {
    let pairs: Vec<Pair> = walks.iter().filter(|walk| walk.ended).flat_map(pairs).collect();
    let over = |chosen: &dyn Fn(&Pair) -> bool| Correlation::of(pairs.iter().filter(|pair| chosen(pair)));
    let law = "an evaluation predicts the result";
    for (which, name, detail) in [
        (0, "evaluate", "its sign is right with one side to move and wrong with the other"),
        (1, "outcome", "its sign is right if one side is to move at the end and wrong if the other is"),
    ] {
        let [first, second] = [Side::First, Side::Second].map(|side| over(&|pair| pair.turns[which] == side));
        if first.is_clear() && second.is_clear() && first.r.signum() != second.r.signum() {
            let detail = format!(
                "`{name}` seems to be for one side of the board, not for the side to move: {detail} (correlation \
                 {:+.2} and {:+.2})",
                first.r, second.r
            );
            return found(law, detail, walks);
        }
    }
    let all = over(&|_| true);
    if all.is_clear() && all.r < 0.0 {
        let detail = format!(
            "`evaluate` and `outcome` contradict each other, so one of them has the wrong sign; both are for the side to \
             move (correlation {:+.2} over the last {LAST_PLIES} plies of {} random games)",
            all.r, all.games
        );
        return found(law, detail, walks);
    }
    for plies in 1..=EACH_PLY {
        let some = over(&|pair| pair.plies_left == plies);
        if some.is_clear() && some.r < 0.0 {
            let detail = format!(
                "{} before the end, `evaluate` contradicts the result (correlation {:+.2} in {} random games); check \
                 that `turn` is right after every move, and that `play` changes signs only when the turn changes",
                if plies == 1 { String::from("one ply") } else { format!("{plies} plies") },
                some.r,
                some.games
            );
            return found(law, detail, walks);
        }
    }
    Ok(())
}

/// The finding, with the position in which evaluation and result contradict each other most.
fn found<G: Game>(law: &str, detail: String, walks: &[Walk<G>]) -> Result<(), Finding> {
    let ended = walks.iter().filter(|walk| walk.ended);
    let of = |walk: &Walk<G>| {
        pairs(walk).into_iter().map(|pair| (pair.evaluation * pair.result, pair.plies_left)).reduce(smaller)
    };
    let worst = ended.filter_map(|walk| Some((of(walk)?, walk))).reduce(|a, b| if b.0.0 < a.0.0 { b } else { a });
    let path = worst.map(|((_, left), walk)| walk.path[..walk.path.len() - left].to_vec()).unwrap_or_default();
    Err(Finding { law: law.into(), detail, path })
}

fn smaller(a: (f64, usize), b: (f64, usize)) -> (f64, usize) {
    if b.0 < a.0 { b } else { a }
}

/// The last positions of a game with their results.
fn pairs<G: Game>(walk: &Walk<G>) -> Vec<Pair> {
    let Some((end, before)) = walk.line.split_last() else { return Vec::new() };
    let outcome = end.outcome().unwrap_or_else(|| end.stuck());
    let points = match outcome {
        Outcome::Won => WIN,
        Outcome::Lost => -WIN,
        Outcome::Drawn => 0.0,
        Outcome::Points(points) => f64::from(points),
    };
    let one = |(left, board): (usize, &G)| Pair {
        evaluation: f64::from(board.evaluate()),
        result: if board.turn() == end.turn() { points } else { -points },
        turns: [board.turn(), end.turn()],
        plies_left: left + 1,
    };
    before.iter().rev().take(LAST_PLIES).enumerate().map(one).collect()
}

/// The correlation of evaluations and results.
struct Correlation {
    r: f64,
    /// The number of games. Positions of the same game are not independent.
    games: usize,
}

impl Correlation {
    fn of<'p>(pairs: impl Iterator<Item = &'p Pair>) -> Correlation {
        let pairs: Vec<&Pair> = pairs.collect();
        let mean =
            |of: &dyn Fn(&Pair) -> f64| pairs.iter().map(|pair| of(pair)).sum::<f64>() / pairs.len().max(1) as f64;
        let (x, y) = (mean(&|pair| pair.evaluation), mean(&|pair| pair.result));
        let product = mean(&|pair| (pair.evaluation - x) * (pair.result - y));
        let spread = mean(&|pair| (pair.evaluation - x).powi(2)) * mean(&|pair| (pair.result - y).powi(2));
        let r = if spread > 0.0 { product / spread.sqrt() } else { 0.0 };
        let games = (1..=LAST_PLIES).map(|plies| pairs.iter().filter(|pair| pair.plies_left == plies).count()).max();
        Correlation { r, games: games.unwrap_or(0) }
    }

    /// Whether chance is an unlikely cause.
    fn is_clear(&self) -> bool {
        self.games >= 16 && self.r.abs() >= 0.3 && self.r.abs() * (self.games as f64).sqrt() >= 3.0
    }
}
