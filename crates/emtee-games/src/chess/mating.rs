//! Chess as someone sees it who looks for a mate and for nothing else.

use cozy_chess::{Piece, PieceMoves};
use emtee::{Game, MoveOrdering, Moves, Outcome, Side, Tuning};

use super::board::Board;
use super::moves::{LAST_RANKS, Move, PROMOTIONS};

/// A position, and how many plies are left to mate in. The side that moves when their number is odd attacks.
///
/// Everything but a mate is a draw. The last move has to give check, so no other is listed; before that, checks come first,
/// those that leave the fewest replies before the others.
///
/// ```
/// use emtee::research::Gamma;
/// use emtee::{Value, player};
/// use emtee_games::chess::{Board, Mating};
/// let board: Board = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1".parse()?;
/// let mate_in_1 = Gamma::below(Value::win_in(1));
/// assert!(player(|_: &Mating| 0).build()?.research().mt(&Mating::new(&board, 1), 1, mate_in_1)? > mate_in_1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mating {
    board: Board,
    plies: u8,
}

impl Mating {
    /// Mate within so many plies.
    pub fn new(board: &Board, plies: u8) -> Mating {
        Mating { board: board.clone(), plies }
    }

    fn attacks(&self) -> bool {
        self.plies % 2 == 1
    }

    /// The attacker's moves: all of them, or on the last ply those that give check.
    fn list_attacks(&self, list: &mut Moves<Move>) {
        let rules = &self.board.rules;
        let ours = rules.colors(rules.side_to_move());
        let mut push = |m: Move| {
            let next = self.board.play(m);
            if next.in_check() {
                let replies = if self.plies > 1 { count_moves(&next) } else { 0 };
                list.push_hinted(m, 1000 - replies);
            } else if self.plies > 1 {
                list.push(m);
            }
        };
        rules.generate_moves(|PieceMoves { piece, from, to }| {
            for square in to {
                if piece == Piece::Pawn && LAST_RANKS.has(square) {
                    PROMOTIONS.iter().for_each(|&becomes| push(Move::new(from, square, Some(becomes), false)));
                } else {
                    push(Move::new(from, square, None, ours.has(square)));
                }
            }
            false
        });
    }
}

/// How many legal moves there are, those of a pawn on its way to promotion once.
fn count_moves(board: &Board) -> i16 {
    let mut count = 0;
    board.rules.generate_moves(|moves| {
        count += moves.to.len() as i16;
        false
    });
    count
}

impl Game for Mating {
    type Move = Move;

    const TUNING: Tuning = Tuning { ordering: MoveOrdering::FULL, store_leaves: true, etc: None, ..Tuning::DEFAULT };

    fn turn(&self) -> Side {
        self.board.turn()
    }

    #[inline]
    fn moves(&self, moves: &mut Moves<Move>) {
        if self.attacks() { self.list_attacks(moves) } else { self.board.moves(moves) }
    }

    #[inline]
    fn play(&self, m: Move) -> Mating {
        Mating { board: self.board.play(m), plies: self.plies.saturating_sub(1) }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.plies > 0 {
            return None;
        }
        let mated = self.board.in_check() && !self.board.rules.generate_moves(|_| true);
        Some(if mated { Outcome::Lost } else { Outcome::Drawn })
    }

    fn key(&self) -> u64 {
        self.board.key()
    }

    fn code(&self, m: Move, _: usize) -> u16 {
        m.code()
    }

    fn stuck(&self) -> Outcome {
        if self.board.in_check() && !self.attacks() { Outcome::Lost } else { Outcome::Drawn }
    }
}

#[cfg(test)]
mod tests {
    use emtee::research::Gamma;
    use emtee::{Budget, OwnEvaluation, Value, laws, player};

    use super::*;

    #[test]
    fn it_keeps_the_laws() {
        for plies in [3, 4] {
            let board: Board = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4".parse().unwrap();
            laws::check(&Mating::new(&board, plies), &OwnEvaluation, 5, 1).unwrap();
        }
    }

    /// A search of chess itself finds the same mates, and as soon.
    #[test]
    fn mates_are_those_of_chess() {
        for (fen, mate) in [
            ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", Some(1)),
            ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", Some(1)),
            ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", Some(2)),
            ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", Some(2)),
            ("8/8/8/8/8/2k5/1q6/K7 w - - 0 1", None),
            ("8/8/8/8/8/k7/p7/K7 w - - 0 1", None),
        ] {
            let board: Board = fen.parse().unwrap();
            for moves in 1..=2u8 {
                let plies = 2 * moves - 1;
                let gamma = Gamma::below(Value::win_in(plies.into()));
                let g = player(|_: &Mating| 0)
                    .build()
                    .unwrap()
                    .research()
                    .mt(&Mating::new(&board, plies), plies, gamma)
                    .unwrap();
                assert_eq!(g > gamma, mate.is_some_and(|mate| mate <= moves), "{fen} in {moves}");
                let found = player(OwnEvaluation).build().unwrap().think(&board, Budget::depth(plies + 1)).unwrap();
                assert_eq!(found.value.is_some_and(|value| value > gamma), g > gamma, "{fen} in {moves}");
            }
        }
    }
}
