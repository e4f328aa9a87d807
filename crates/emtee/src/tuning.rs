//! The default options of a game, as measured.

use crate::level::Levels;
use crate::memory::history::MoveOrdering;
use crate::selective::Selective;

/// The options with which a game is searched best. They are the defaults of its searches.
///
/// ```
/// use emtee::{MoveOrdering, Tuning};
/// const TUNING: Tuning = Tuning { ordering: MoveOrdering::FULL, grain: 8, ..Tuning::DEFAULT };
/// assert_eq!(TUNING.etc, Tuning::DEFAULT.etc);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// The move ordering. History pays in games whose [`code`](crate::Game::code) is the same for the same move in other
    /// positions. Try [`MoveOrdering::FULL`] if moves answer threats, and [`MoveOrdering::HINTS`] if the hints order the moves
    /// well enough.
    pub ordering: MoveOrdering,
    /// The grain to which evaluations can be rounded: the largest step that plays no worse. A finer grain only adds passes to
    /// MTD-f, because such small differences between evaluations are noise.
    ///
    /// The engine and the program round to it. With this library alone, put [`Grain`](crate::Grain) around the evaluator.
    pub grain: i32,
    /// The techniques of selective search that were measured to pay in play.
    pub selective: Selective,
    /// The ten levels of play. If they were measured, they are equally far apart in strength.
    pub levels: Levels,
    /// The least height at which enhanced transposition cutoffs (ETC) save time, if they do: all children are looked up in the
    /// table before any of them is searched. In games with many transpositions they pay at lower heights. The value is the
    /// same with and without them.
    pub etc: Option<u8>,
    /// Whether leaves are stored in the table. It pays if an evaluation takes longer than a table lookup. Without it leaves
    /// are evaluated more often. The value is the same with and without it.
    pub store_leaves: bool,
}

impl Tuning {
    /// The options of a game for which nothing was measured.
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
