//! How a game ends at the board: by its rules, and by what came before.

use std::fmt;

use emtee::{Game, Outcome, Side, legal_moves};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ending {
    /// Who won; nobody in a draw.
    pub winner: Option<Side>,
    /// The points the first side won by, in a game that ends with points.
    pub points: Option<i32>,
    /// Why it is over.
    pub why: Why,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// The rules say so of the position.
    Position,
    /// The position has occurred for the third time.
    Repetition,
    /// Too many moves in a row changed nothing for good.
    CountedMoves,
    /// Nobody can win any more.
    Material,
}

impl Why {
    /// In a word or two, as it stands in records.
    pub const fn name(self) -> &'static str {
        match self {
            Why::Position => "position",
            Why::Repetition => "repetition",
            Why::CountedMoves => "counted-moves",
            Why::Material => "material",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Why::Position => "by the rules",
            Why::Repetition => "by repetition",
            Why::CountedMoves => "by the count of moves without progress",
            Why::Material => "for want of material",
        })
    }
}

/// A position that has occurred so often before ends the game.
const OCCURRED_BEFORE: usize = 2;

/// How the game ends here, given the positions before, oldest first; nothing while it goes on.
pub(crate) fn ending<G: Game>(board: &G, before: &[G], dead: Option<fn(&G) -> bool>) -> Option<Ending> {
    let over = board.outcome().or_else(|| legal_moves(board).is_empty().then(|| board.stuck()));
    let (outcome, why) = if let Some(outcome) = over {
        (outcome, Why::Position)
    } else if dead.is_some_and(|dead| dead(board)) {
        (Outcome::Drawn, Why::Material)
    } else {
        let halfmove_clock = board.halfmove_clock()?;
        let key = board.key();
        let recent = before.iter().rev().take(halfmove_clock as usize);
        if recent.filter(|position| position.key() == key).count() >= OCCURRED_BEFORE {
            (board.repeated(), Why::Repetition)
        } else if G::DRAWN_AFTER.is_some_and(|most| halfmove_clock >= most) {
            (Outcome::Drawn, Why::CountedMoves)
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
    Some(Ending { winner, points, why })
}
