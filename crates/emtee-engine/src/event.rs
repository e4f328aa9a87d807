//! What a search reports while it runs.

use emtee::research::Counts;

use crate::row::Row;

/// An event of a search. Engines report passes and root moves too, once a search takes longer than a second.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// A pass of an unfinished iteration.
    Pass(&'e Unfinished),
    /// A root move whose search begins.
    RootMove {
        /// The depth of the iteration.
        depth: u8,
        /// The move.
        m: &'e str,
        /// Its number, from 1.
        number: usize,
    },
    /// A finished iteration.
    Iteration(&'e Row),
    /// The result of the search.
    Result(&'e Row),
}

impl<'e> Event<'e> {
    /// The row of a finished iteration.
    pub fn iteration(&self) -> Option<&'e Row> {
        match *self {
            Event::Iteration(row) => Some(row),
            _ => None,
        }
    }

    /// The row of a finished iteration, or of a game that is over, so that there is nothing to search.
    pub fn row(&self) -> Option<&'e Row> {
        match *self {
            Event::Iteration(row) => Some(row),
            Event::Result(row) if row.complete && row.depth == 0 => Some(row),
            _ => None,
        }
    }
}

/// What the passes of an unfinished iteration have proved so far.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Unfinished {
    /// The depth of the iteration.
    pub depth: u8,
    /// The greatest distance from the root that was searched, without quiescence.
    pub deepest: u8,
    /// f⁻.
    pub lower: i32,
    /// f⁺.
    pub upper: i32,
    /// The bounds as text.
    pub text: String,
    /// The best move: the one that failed high last, or that of the last iteration.
    pub best_move: Option<String>,
    /// The principal variation, as far as it is known.
    pub pv: Vec<String>,
    /// The passes of the finished iterations.
    pub passes: usize,
    /// The counts of the search.
    pub counts: Counts,
    /// The time taken.
    pub seconds: f64,
    /// The share of the table in use, in thousandths.
    pub table_used: Option<u32>,
}
