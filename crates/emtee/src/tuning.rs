//! What a game tells the search about itself, as measured.

use crate::level::Levels;
use crate::memory::history::MoveOrdering;
use crate::selective::Selective;

/// The options that pay in a game. A search uses them unless it is given others.
///
/// ```
/// use emtee::{MoveOrdering, Tuning};
/// const TUNING: Tuning = Tuning { ordering: MoveOrdering::FULL, grain: 8, ..Tuning::DEFAULT };
/// assert_eq!(TUNING.etc, Tuning::DEFAULT.etc);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// What sorts the moves. History pays in games whose [`code`](crate::Game::code) names the same move alike in other
    /// positions. Try [`MoveOrdering::FULL`] where moves answer threats, and [`MoveOrdering::HINTS`] where hints say it all.
    pub ordering: MoveOrdering,
    /// What evaluations may be rounded to: the largest step that plays no worse. Finer values tell noise from noise, and
    /// cost MTD-f passes.
    ///
    /// Searches by name round so. A program does it with [`Grain`](crate::Grain), around the evaluator of its choice.
    pub grain: i32,
    /// What selective search may use in play, where it was measured to pay.
    pub selective: Selective,
    /// The ten levels of play, where they were measured to be equally far apart.
    pub levels: Levels,
    /// The least height at which enhanced transposition cutoffs save time, if they do: children are looked up in the table before
    /// any of them is searched. Where lines often meet it pays lower down. The value is the same with and without.
    pub etc: Option<u8>,
    /// Whether leaves go through the table too. That pays where evaluating takes longer than a look into memory. The value is the
    /// same with and without; leaves are evaluated more often without.
    pub store_leaves: bool,
}

impl Tuning {
    /// For a game of which nothing has been measured.
    pub const DEFAULT: Tuning = Tuning {
        ordering: MoveOrdering::HISTORY,
        grain: 1,
        selective: Selective::NONE,
        levels: Levels::USUAL,
        etc: Some(4),
        store_leaves: false,
    };
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning::DEFAULT
    }
}
