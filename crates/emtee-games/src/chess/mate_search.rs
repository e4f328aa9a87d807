//! Chess as a mate search sees it: every outcome but mate is a draw.

use cozy_chess::{Piece, PieceMoves};
use emtee::{Game, MoveOrdering, Moves, Outcome, Side, Tuning};

use super::board::Board;
use super::moves::{LAST_RANKS, Move, PROMOTIONS};

/// A position of a mate search, and the number of plies left. The attacker is the side to move if that number is odd.
///
/// Every outcome but mate is a draw. On the attacker's last ply only checks are listed. Before that, checks are ordered
/// first, those with the fewest replies before the others.
///
/// ```
/// use emtee::research::Gamma;
/// use emtee::{Value, player};
/// use emtee_games::chess::{Board, MateSearch};
/// let board: Board = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1".parse()?;
/// let mate_in_1 = Gamma::below(Value::win_in(1));
/// assert!(player(|_: &MateSearch| 0).build()?.research().mt(&MateSearch::new(&board, 1), 1, mate_in_1)? > mate_in_1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MateSearch {
    board: Board,
    plies: u8,
}

impl MateSearch {
    /// Searches for mate within this many plies.
    pub fn new(board: &Board, plies: u8) -> MateSearch {
        MateSearch { board: board.clone(), plies }
    }

    fn is_attacker_to_move(&self) -> bool {
        self.plies % 2 == 1
    }

    /// The attacker's moves: all of them, or only checks on the last ply.
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
                    PROMOTIONS.iter().for_each(|&promotion| push(Move::new(from, square, Some(promotion), false)));
                } else {
                    push(Move::new(from, square, None, ours.has(square)));
                }
            }
            false
        });
    }
}

/// The number of legal moves. The four promotions of a pawn to one square count once.
fn count_moves(board: &Board) -> i16 {
    let mut count = 0;
    board.rules.generate_moves(|moves| {
        count += moves.to.len() as i16;
        false
    });
    count
}

impl Game for MateSearch {
    type Move = Move;

    const TUNING: Tuning = Tuning { ordering: MoveOrdering::FULL, store_leaves: true, etc: None, ..Tuning::DEFAULT };

    fn turn(&self) -> Side {
        self.board.turn()
    }

    #[inline]
    fn moves(&self, moves: &mut Moves<Move>) {
        if self.is_attacker_to_move() { self.list_attacks(moves) } else { self.board.moves(moves) }
    }

    #[inline]
    fn play(&self, m: Move) -> MateSearch {
        MateSearch { board: self.board.play(m), plies: self.plies.saturating_sub(1) }
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
        if self.board.in_check() && !self.is_attacker_to_move() { Outcome::Lost } else { Outcome::Drawn }
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
            laws::check(&MateSearch::new(&board, plies), &OwnEvaluation, 5, 1).unwrap();
        }
    }

    /// A search of chess itself finds the same mates at the same depth.
    #[test]
    fn chess_search_finds_the_same_mates() {
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
                let g = player(|_: &MateSearch| 0)
                    .build()
                    .unwrap()
                    .research()
                    .mt(&MateSearch::new(&board, plies), plies, gamma)
                    .unwrap();
                assert_eq!(g > gamma, mate.is_some_and(|mate| mate <= moves), "{fen} in {moves}");
                let found = player(OwnEvaluation).build().unwrap().think(&board, Budget::depth(plies + 1)).unwrap();
                assert_eq!(found.value.is_some_and(|value| value > gamma), g > gamma, "{fen} in {moves}");
            }
        }
    }
}
