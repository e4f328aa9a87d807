//! How a game ends: by its rules, by a repetition, or by the count of moves.

use std::fmt;

use emtee::{Game, Outcome, Side, legal_moves};

use crate::history::History;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ending {
    /// The winner. `None`: a draw.
    pub winner: Option<Side>,
    /// The points by which the first side won, in a game that ends with points.
    pub points: Option<i32>,
    /// Why the game is over.
    pub reason: EndReason,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndReason {
    /// The rules end the game in this position.
    Position,
    /// The position has occurred three times.
    Repetition,
    /// Too many consecutive moves without progress.
    CountedMoves,
    /// Neither side can win any more.
    Material,
}

impl EndReason {
    /// A short name, used in records.
    pub const fn name(self) -> &'static str {
        match self {
            EndReason::Position => "position",
            EndReason::Repetition => "repetition",
            EndReason::CountedMoves => "counted-moves",
            EndReason::Material => "material",
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            EndReason::Position => "by the rules",
            EndReason::Repetition => "by repetition",
            EndReason::CountedMoves => "by the count of moves without progress",
            EndReason::Material => "by insufficient material",
        })
    }
}

/// A position that has occurred this often before ends the game.
const OCCURRED_BEFORE: usize = 2;

/// How the game ends here, after this history. `None`: the game continues.
pub(crate) fn ending<G: Game>(board: &G, history: &History<G>, dead: Option<fn(&G) -> bool>) -> Option<Ending> {
    let over = board.outcome().or_else(|| legal_moves(board).is_empty().then(|| board.stuck()));
    let (outcome, reason) = if let Some(outcome) = over {
        (outcome, EndReason::Position)
    } else if dead.is_some_and(|dead| dead(board)) {
        (Outcome::Drawn, EndReason::Material)
    } else {
        let halfmove_clock = board.halfmove_clock()?;
        let key = board.key();
        let recent = history.latest_first().take(halfmove_clock as usize);
        if recent.filter(|(position, _)| position.key() == key).count() >= OCCURRED_BEFORE {
            (board.repeated(), EndReason::Repetition)
        } else if G::DRAWN_AFTER.is_some_and(|most| halfmove_clock >= most) {
            (Outcome::Drawn, EndReason::CountedMoves)
        } else {
            return None;
        }
    };
    let turn = board.turn();
    let (winner, points) = match outcome {
        Outcome::Won => (Some(turn), None),
        Outcome::Lost => (Some(!turn), None),
        Outcome::Drawn => (None, None),
        Outcome::Points(points) => {
            let winner = match points {
                0 => None,
                points if points > 0 => Some(turn),
                _ => Some(!turn),
            };
            (winner, Some(if turn == Side::First { points } else { -points }))
        }
    };
    Some(Ending { winner, points, reason })
}
