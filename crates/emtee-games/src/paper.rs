//! The type of the paper's and the tuning positions.

/// A position of an experiment's set, and its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaperPosition {
    /// The position in the notation of its game.
    pub text: &'static str,
    /// The game it comes from, and the place in that game.
    pub source: &'static str,
}

/// Shorthand for the tables of positions.
pub(crate) const fn position(text: &'static str, source: &'static str) -> PaperPosition {
    PaperPosition { text, source }
}
