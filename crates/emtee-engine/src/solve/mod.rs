//! Solvers: the exact value of a position under perfect play, and a line that proves it.
//!
//! Every solver is MT with a few null windows. The windows and the unit of the value depend on the game:
//!
//! | game | how | a value is |
//! |---|---|---|
//! | Connect Four | in a solver of its own, for any board: a win? a draw? how soon? | `win in n`, 0, `loss in n` |
//! | Othello | MTD-f in steps of two discs, in the endgame solver | discs |
//! | Kalah | MTD-f in steps of two seeds, in a solver whose state is the pits | seeds |
//! | chess | one pass per number of moves: mate in 1? in 2? | `win in n` |
//! | checkers | iterative deepening until an endings database gives the outcome; without a database like any other game | the outcome, or `win in n` |
//! | any other | iterative deepening until the value no longer depends on an evaluation | a win, a loss, or points |

mod plain;

pub(crate) use plain::plain;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use emtee::research::{Kind, Observer, Window};
use emtee::{Game, Outcome, Size, Stop, Value};
use emtee_games::checkers::endings::Endings;
use serde::Serialize;

use crate::error::Error;
use crate::now::now;

/// What to solve, and with which resources.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Solve {
    /// The size of the table. Each game has its own default.
    pub hash: Option<Size>,
    /// Find only the winner, not how soon or by how much.
    pub only_outcome: bool,
    /// Only look for a mate in at most this many moves.
    pub mate: Option<u32>,
    /// An endings database. Only checkers has databases.
    pub endings: Option<Arc<Endings>>,
    /// The number of threads, 0 for all cores.
    pub threads: usize,
    /// What stops the solver from outside.
    pub stop: Option<Stop>,
}

impl Default for Solve {
    fn default() -> Solve {
        Solve { hash: None, only_outcome: false, mate: None, endings: None, threads: 1, stop: None }
    }
}

/// The progress of a solver.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Solving {
    /// Positions visited.
    pub nodes: u64,
    /// Passes started.
    pub passes: u32,
    /// The current pass, and what is proved already.
    pub text: String,
}

/// The result, as `--json` prints it.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Solved {
    /// The game.
    pub game: String,
    /// The position.
    pub position: String,
    /// The value for the side to move: wins as large integers, points in the game's unit, or 1, 0, −1 if only the
    /// outcome was requested. `None` if it is not known.
    pub value: Option<i32>,
    /// Plies to the win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_in: Option<u32>,
    /// Plies to the loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_in: Option<u32>,
    /// `win`, `draw` or `loss`, for the side to move.
    pub outcome: Option<&'static str>,
    /// A best move. `None` if the game is over.
    pub best_move: Option<String>,
    /// The principal variation, every move of it proved.
    pub pv: Vec<String>,
    /// Positions visited, including those for the line.
    pub nodes: u64,
    /// Passes, without those for the line.
    pub passes: u32,
    /// The time taken.
    pub seconds: f64,
    /// Whether the position is solved.
    pub exact: bool,
    /// Chess: the limit on the number of moves to mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate_within: Option<u32>,
    /// The result as text, or what is known without one.
    #[serde(skip)]
    pub text: String,
}

/// Solves a position of a game.
pub type SolveBy<G> = fn(&G, &Solve, &mut SolveProgress<'_>) -> Result<Solution<<G as Game>::Move>, SolveError>;

/// The result of a game's solver.
#[derive(Clone, Debug)]
pub struct Solution<M> {
    /// The statement.
    pub answer: Answer,
    /// Every move of it is proved.
    pub line: Vec<M>,
}

/// A proved statement about a position.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Its value.
    Value(Value),
    /// Points, and their unit.
    Points(i32, &'static str),
    /// The outcome, by its sign.
    Outcome(i32),
    /// Mate in this many moves.
    Mate(u32),
    /// There is no mate in this many moves.
    NoMate(u32),
    /// Not solved. The text says what is known.
    Unsolved(String),
}

impl Answer {
    /// The value, or only its outcome if that was requested.
    pub fn value(value: Value, task: &Solve) -> Answer {
        if task.only_outcome { Answer::Outcome(value.get().signum()) } else { Answer::Value(value) }
    }
}

/// The value of a finished game.
pub(crate) fn over<G: Game>(board: &G, task: &Solve) -> Solution<G::Move> {
    let value = match board.outcome().unwrap_or_else(|| board.stuck()) {
        Outcome::Won => Value::win_in(0),
        Outcome::Lost => Value::loss_in(0),
        Outcome::Drawn => Value::default(),
        Outcome::Points(points) => Value::score(points).unwrap_or_default(),
    };
    Solution { answer: Answer::value(value, task), line: Vec::new() }
}

/// Why a solver stopped without a result.
#[derive(Clone, Debug)]
pub enum SolveError {
    /// The stop flag was set.
    Stopped,
    /// An error.
    Error(Error),
}

impl From<emtee::Error> for SolveError {
    fn from(error: emtee::Error) -> SolveError {
        match error {
            emtee::Error::Stopped => SolveError::Stopped,
            error => SolveError::Error(error.into()),
        }
    }
}

/// Counts nodes and passes, and reports progress at intervals.
pub struct SolveProgress<'s> {
    /// Positions visited.
    pub nodes: u64,
    /// Passes started.
    pub passes: u32,
    /// The current pass, and what is proved already.
    pub text: String,
    shown: &'s mut dyn FnMut(&Solving),
    last: Duration,
}

/// Visits between two readings of the clock.
const CLOCK_INTERVAL: u64 = 1 << 16;

/// The interval between two reports.
const SHOW_INTERVAL: Duration = Duration::from_millis(100);

impl<'s> SolveProgress<'s> {
    pub(crate) fn new(shown: &'s mut dyn FnMut(&Solving)) -> SolveProgress<'s> {
        SolveProgress { nodes: 0, passes: 0, text: String::new(), shown, last: now() }
    }

    /// Starts a pass.
    pub fn begin_pass(&mut self, text: impl fmt::Display) {
        self.text = text.to_string();
        self.passes += 1;
        self.show();
    }

    /// Sets the number of visits made by another solver.
    pub fn visited(&mut self, nodes: u64) {
        self.nodes = nodes;
        if now().saturating_sub(self.last) >= SHOW_INTERVAL {
            self.show();
        }
    }

    fn show(&mut self) {
        self.last = now();
        (self.shown)(&Solving { nodes: self.nodes, passes: self.passes, text: self.text.clone() });
    }
}

impl<G: Game> Observer<G> for SolveProgress<'_> {
    #[inline(always)]
    fn enter(&mut self, _: &G, _: u8, _: Window) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_INTERVAL) {
            self.visited(self.nodes);
        }
    }
}

impl Solved {
    /// The row for the result of a solver.
    pub(crate) fn new<M: fmt::Display>(
        solution: &Solution<M>,
        progress: &SolveProgress<'_>,
        task: &Solve,
        time: Duration,
    ) -> Solved {
        let sign = |n: i32| match n {
            1.. => "win",
            0 => "draw",
            _ => "loss",
        };
        let pv: Vec<String> = solution.line.iter().map(M::to_string).collect();
        let mut solved = Solved {
            best_move: pv.first().cloned(),
            pv,
            nodes: progress.nodes,
            passes: progress.passes,
            seconds: time.as_secs_f64(),
            exact: true,
            mate_within: task.mate,
            ..Solved::default()
        };
        match &solution.answer {
            Answer::Value(value) => {
                (solved.win_in, solved.loss_in) = match value.kind() {
                    Kind::Win { plies } => (Some(plies), None),
                    Kind::Loss { plies } => (None, Some(plies)),
                    _ => (None, None),
                };
                solved.value = Some(value.get());
                solved.outcome = Some(sign(value.get()));
                solved.text = match value.kind() {
                    Kind::Score(0) => String::from("a draw"),
                    _ => value.to_string(),
                };
            }
            Answer::Mate(moves) => {
                solved.win_in = Some(2 * moves - 1);
                solved.value = Some(Value::win_in(2 * moves - 1).get());
                solved.outcome = Some("win");
                solved.text = format!("mate in {moves}");
            }
            Answer::Points(points, unit) => {
                solved.value = Some(*points);
                solved.outcome = Some(sign(*points));
                solved.text = match points {
                    0 => String::from("a draw"),
                    1.. => format!("a win by {points} {unit}"),
                    _ => format!("a loss by {} {unit}", -points),
                };
            }
            Answer::Outcome(outcome) => {
                solved.value = Some(*outcome);
                solved.outcome = Some(sign(*outcome));
                solved.text = format!("a {}", sign(*outcome));
            }
            Answer::NoMate(moves) => solved.text = format!("no mate in {moves}"),
            Answer::Unsolved(known) => {
                solved.exact = false;
                solved.text.clone_from(known);
            }
        }
        solved
    }
}
