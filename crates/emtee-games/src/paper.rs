//! Positions that belong together.

/// A position of a set, and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaperPosition {
    /// The position, as its game reads it.
    pub text: &'static str,
    /// The game it was played in, and where.
    pub source: &'static str,
}

/// A position in a list of them.
pub(crate) const fn at(text: &'static str, source: &'static str) -> PaperPosition {
    PaperPosition { text, source }
}
