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
        let reversible = board.reversible()?;
        let key = board.key();
        let recent = before.iter().rev().take(reversible as usize);
        if recent.filter(|position| position.key() == key).count() >= OCCURRED_BEFORE {
            (board.repeated(), Why::Repetition)
        } else if G::DRAWN_AFTER.is_some_and(|most| reversible >= most) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    fn check(game: &str, position: &str, moves: &str, expected: Option<(Option<Side>, Option<i32>, Why)>) {
        let mut position = Registry::standard().get(game).unwrap().position(position).unwrap();
        for m in moves.split_whitespace() {
            assert_eq!(position.ending(), None, "{game} before {m}");
            position = position.after(m).unwrap();
        }
        let expected = expected.map(|(winner, points, why)| Ending { winner, points, why });
        assert_eq!(position.ending(), expected, "{game} {moves}");
    }

    #[test]
    fn games_end_as_their_rules_say() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let won = |side| Some((Some(side), None, Why::Position));
        check("chess", start, "f2f3 e7e5 g2g4 d8h4", won(Side::Second));
        check("chess", "7k/8/6Q1/8/8/8/8/7K b - - 0 1", "", Some((None, None, Why::Position)));
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        check("chess", start, shuffle, Some((None, None, Why::Repetition)));
        check("chess", "7k/8/8/8/8/8/R7/7K w - - 98 80", "a2a3 h8g8", Some((None, None, Why::CountedMoves)));
        check("chess", "7k/8/8/8/8/8/r7/1K6 w - - 0 80", "b1a2", Some((None, None, Why::Material)));
        check("connect4", "", "1 2 1 2 1 2 1", won(Side::First));
        check("checkers", "B:WK1:B28", "28-32", None);
        check("checkers", "B:W32:B28", "", won(Side::Second));
    }

    #[test]
    fn a_mate_counts_more_than_the_fiftieth_move() {
        check("chess", "6k1/5ppp/8/8/8/8/8/R6K w - - 99 90", "a1a8", Some((Some(Side::First), None, Why::Position)));
    }

    #[test]
    fn points_are_those_of_the_first_side() {
        // White has nothing left, whoever is to move.
        let board = format!("{}{} O", "X".repeat(10), "-".repeat(54));
        check("othello", &board, "", Some((Some(Side::First), Some(64), Why::Position)));
    }
}
