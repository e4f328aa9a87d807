//! Exact values: what a position is worth when both sides play perfectly, and a line that shows it.
//!
//! Every solver is MT with a few null windows. How many, and what a value counts, is the game's affair:
//!
//! | game | how | a value is |
//! |---|---|---|
//! | Connect Four | to the end of the game: a win? a draw? how soon? | `win in n`, 0, `loss in n` |
//! | Othello | MTD-f by two discs a pass, in the endgame solver | discs |
//! | Kalah | MTD-f by two seeds a pass, in a solver that looks at the pits alone | seeds |
//! | chess | a pass a move: mate in 1? in 2? | `win in n` |
//! | checkers | deeper and deeper, until an endings database says who wins; without one like any other game | who wins, or `win in n` |
//! | any other | deeper and deeper, until no value rests on an evaluation | a win, a loss, or points |

mod checkers;
#[cfg(feature = "games")]
mod chess;
mod connect4;
mod plain;
mod points;

pub(crate) use checkers::checkers;
#[cfg(feature = "games")]
pub(crate) use chess::mates;
pub(crate) use connect4::connect4;
pub(crate) use plain::plain;
pub(crate) use points::{kalah, othello};

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use emtee::research::{Kind, Observer, Window};
use emtee::{Game, Outcome, Size, Value};
use emtee_games::checkers::endings::Endings;
use serde::Serialize;

use crate::error::Error;
use crate::now::now;

/// What is to be solved, and with what.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Solve {
    /// The size of the table; each game has a default of its own.
    pub hash: Option<Size>,
    /// Whether only who wins is asked, not how soon or by how much.
    pub only_outcome: bool,
    /// Look for a mate in at most so many moves, and for nothing else.
    pub mate: Option<u32>,
    /// An endings database. Only checkers has such.
    pub endings: Option<Arc<Endings>>,
    /// A flag that stops it.
    pub stop: Option<Arc<AtomicBool>>,
}

/// How far a solver has come.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Solving {
    /// Positions visited.
    pub nodes: u64,
    /// Passes begun.
    pub passes: u32,
    /// What is asked now, and what is known already.
    pub text: String,
}

/// What was found, as `--json` prints it.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Solved {
    /// The game.
    pub game: String,
    /// The position.
    pub position: String,
    /// The value for the side to move: wins as large integers, points as the game counts them, 1, 0 or −1 if only the outcome
    /// was asked. Nothing if it is not known.
    pub value: Option<i32>,
    /// Plies to the win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_in: Option<u32>,
    /// Plies to the loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_in: Option<u32>,
    /// `win`, `draw` or `loss`, for the side to move.
    pub outcome: Option<&'static str>,
    /// A best move; nothing if the game is over.
    pub best_move: Option<String>,
    /// The line both sides would play, every move of it proved.
    pub pv: Vec<String>,
    /// Positions visited, the line included.
    pub nodes: u64,
    /// Passes made, without those for the line.
    pub passes: u32,
    /// How long it took.
    pub seconds: f64,
    /// Whether the question is answered.
    pub exact: bool,
    /// Chess: a mate was looked for in at most so many moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate_within: Option<u32>,
    /// The answer as a person reads it, or what is known without one.
    #[serde(skip)]
    pub text: String,
}

/// What a game's solver found.
pub(crate) struct Solution<M> {
    pub(crate) answer: Answer,
    /// Every move of it proved.
    pub(crate) line: Vec<M>,
}

/// What can be said of a position.
pub(crate) enum Answer {
    /// Its value.
    Value(Value),
    /// Points, with what they count.
    Points(i32, &'static str),
    /// Who wins, as the sign says.
    Outcome(i32),
    /// Mate in so many moves.
    Mate(u32),
    /// There is no mate in so many moves.
    NoMate(u32),
    /// It is not solved. This much is known.
    Open(String),
}

impl Answer {
    /// A value or no more than its sign.
    pub(crate) fn value(value: Value, task: &Solve) -> Answer {
        if task.only_outcome { Answer::Outcome(value.get().signum()) } else { Answer::Value(value) }
    }
}

/// What a finished game is worth.
pub(crate) fn over<G: Game>(board: &G, task: &Solve) -> Solution<G::Move> {
    let value = match board.outcome().unwrap_or_else(|| board.stuck()) {
        Outcome::Won => Value::win_in(0),
        Outcome::Lost => Value::loss_in(0),
        Outcome::Drawn => Value::default(),
        Outcome::Points(points) => Value::score(points).unwrap_or_default(),
    };
    Solution { answer: Answer::value(value, task), line: Vec::new() }
}

/// Why a solver gave up.
pub(crate) enum Halt {
    /// The stop flag.
    Stopped,
    /// Something is wrong.
    Error(Error),
}

impl From<emtee::Error> for Halt {
    fn from(error: emtee::Error) -> Halt {
        match error {
            emtee::Error::Stopped => Halt::Stopped,
            error => Halt::Error(error.into()),
        }
    }
}

/// Counts what solvers do, and shows it now and then.
pub(crate) struct SolveProgress<'s> {
    pub(crate) nodes: u64,
    pub(crate) passes: u32,
    /// What is asked, and what is known.
    pub(crate) text: String,
    shown: &'s mut dyn FnMut(&Solving),
    last: Duration,
}

/// How many visits pass between two looks at the clock.
const INTERVAL: u64 = 1 << 16;

/// How often progress is shown.
const OFTEN: Duration = Duration::from_millis(100);

impl<'s> SolveProgress<'s> {
    pub(crate) fn new(shown: &'s mut dyn FnMut(&Solving)) -> SolveProgress<'s> {
        SolveProgress { nodes: 0, passes: 0, text: String::new(), shown, last: now() }
    }

    /// A new question is asked.
    pub(crate) fn asks(&mut self, text: impl fmt::Display) {
        self.text = text.to_string();
        self.passes += 1;
        self.show();
    }

    /// So many visits were made elsewhere.
    pub(crate) fn visited(&mut self, nodes: u64) {
        self.nodes = nodes;
        if now().saturating_sub(self.last) >= OFTEN {
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
        if self.nodes.is_multiple_of(INTERVAL) {
            self.visited(self.nodes);
        }
    }
}

impl Solved {
    /// A row about what a solver has found.
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
            Answer::Open(known) => {
                solved.exact = false;
                solved.text.clone_from(known);
            }
        }
        solved
    }
}
