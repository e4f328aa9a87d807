//! English draughts, or American checkers: 32 squares, forced captures, kings that step one square.
//!
//! ```
//! use emtee::Game;
//! use emtee_games::checkers::Board;
//!
//! let board: Board = "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29".parse()?;
//! assert_eq!(board.to_string(), "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29");
//! let after = board.play(board.parse_move("22-17")?);
//! println!("{after:#}");
//! # Ok::<(), emtee_games::Error>(())
//! ```
//!
//! Rules that are often misunderstood:
//!
//! * If there is a jump, one must be made, but not necessarily the longest.
//! * A jump continues until no further jump is possible.
//! * A man that reaches the king row stops there.
//! * A piece is jumped at most once, and the square on which the move starts counts as empty.
//! * A side that cannot move has lost.
//!
//! Each path of jumps is a separate move. Draws by repetition or by a count of moves belong to a search in play (with
//! game history), not to a position.

mod board;
mod dispatch;
pub mod endings;
mod evaluate;
mod features;
mod moves;
mod network;
mod notation;
mod order;
mod packed;
mod pdn;
mod set;
mod weights;

use board::KING_ROWS;
pub use board::{Board, Piece, Square};
use emtee::{Game, Levels, MoveOrdering, Moves, Outcome, Quiescence, Selective, Side, Tuning};
pub use evaluate::tuning;
pub use moves::Move;
#[doc(alias("NNUE", "neural network"))]
pub use network::Network;
pub use pdn::{PdnGame, PdnResult, read_pdn};
pub use set::{paper_set, tuning_set};

impl Game for Board {
    type Move = Move;

    const TUNING: Tuning = Tuning {
        ordering: MoveOrdering::FULL,
        store_leaves: true,
        // Late move reductions alone: 57.5 % ± 6 of 100 games against the exact search at 5,000 nodes per move
        // (`cargo xtask match checkers-search`). Extending jumps does not help, since quiescence search resolves them:
        // 32.5 % ± 9 of 40 games.
        selective: Selective { late_move_reductions: true, ..Selective::NONE },
        // A man is worth about 100. A grain of 1 needs more passes and does not play better:
        // `cargo xtask match checkers --against fine`.
        grain: 4,
        // Enhanced transposition cutoffs: transpositions are frequent, and a search to depth 15 takes 27 % less time.
        etc: Some(2),
        // For their distances see the book, under matches. Most games between good players are drawn, so the
        // margins of the high levels stay wide.
        levels: Levels([
            (16, 560),
            (36, 330),
            (66, 265),
            (125, 215),
            (230, 181),
            (550, 145),
            (1_300, 120),
            (3_500, 95),
            (10_000, 65),
            (40_000, 0),
        ]),
    };

    #[inline(always)]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline(always)]
    fn moves(&self, moves: &mut Moves<Move>) {
        let jumpers = self.jumpers();
        if jumpers != 0 {
            self.each_jump(jumpers, &mut |m| moves.push_hinted(m, order::jump_hint(self, m)));
        } else {
            let mut order = order::StepOrder::new(self);
            self.each_step(&mut |m| moves.push_hinted(m, order.hint(m)));
        }
    }

    #[inline(always)]
    fn play(&self, m: Move) -> Board {
        self.after(m)
    }

    /// Always `None`. A side that cannot move has lost: see [`stuck`](Game::stuck).
    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        None
    }

    #[inline(always)]
    fn evaluate(&self) -> i32 {
        dispatch::evaluate(self)
    }

    /// Moves of kings are reversible, and the board has no clock: `u32::MAX` if there are kings.
    #[inline(always)]
    fn halfmove_clock(&self) -> Option<u32> {
        (self.kings != 0).then_some(u32::MAX)
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.mixed()
    }

    #[inline(always)]
    fn code(&self, m: Move, index: usize) -> u16 {
        m.code(index)
    }

    fn stuck(&self) -> Outcome {
        Outcome::Lost
    }

    /// A position is quiet unless the side to move must jump or cannot move.
    #[inline(always)]
    fn noisy_moves(&self, moves: &mut Moves<Move>) -> Quiescence {
        let jumpers = self.jumpers();
        if jumpers != 0 {
            self.each_jump(jumpers, &mut |m| moves.push_hinted(m, order::jump_hint(self, m)));
            Quiescence::Forced
        } else if self.has_step() {
            Quiescence::Quiet
        } else {
            Quiescence::Forced
        }
    }

    /// Whether the side to move must jump or cannot move.
    #[inline(always)]
    fn forced(&self) -> bool {
        self.jumpers() != 0 || !self.has_step()
    }

    /// The captured material, plus 30 points for crowning a man.
    #[inline(always)]
    fn tactical_gain(&self, m: Move) -> Option<i32> {
        let (men, kings) = (m.captured() & !self.kings, m.captured() & self.kings);
        let crowned = m.mask_from() & !self.kings != 0 && m.mask_to() & KING_ROWS[self.turn.index()] != 0;
        let gain = 100 * men.count_ones() + 130 * kings.count_ones() + if crowned { 30 } else { 0 };
        (gain > 0).then_some(gain as i32)
    }
}

#[cfg(test)]
mod tests {
    use emtee::{Budget, OwnEvaluation, laws, player};

    use super::*;

    #[test]
    fn it_keeps_the_laws() {
        let checked = laws::check(&Board::default(), &OwnEvaluation, 200, 1).unwrap();
        assert!(checked.keys > 10_000, "{checked:?}");
        let kings: Board = "B:WK24,K28,K30,K32,21,22:BK1,K2,K5,K9,11,12".parse().unwrap();
        laws::check(&kings, &OwnEvaluation, 50, 2).unwrap();
    }

    #[test]
    fn all_algorithms_agree() {
        laws::agree(&Board::default(), &OwnEvaluation, 6).unwrap();
        for position in paper_set().iter().step_by(3) {
            laws::agree(&position.text.parse::<Board>().unwrap(), &OwnEvaluation, 4).unwrap();
        }
    }

    #[track_caller]
    fn think(fen: &str, depth: u8) -> (String, Option<String>) {
        let board: Board = fen.parse().unwrap();
        let found = player(OwnEvaluation).build().unwrap().think(&board, Budget::depth(depth)).unwrap();
        (found.value.unwrap().to_string(), found.best_move.map(|m| m.to_string()))
    }

    #[test]
    fn a_side_that_cannot_move_has_lost() {
        assert_eq!(think("W:W29:B25,22", 3).0, "loss in 0");
        // At the horizon too: the last man is blocked.
        assert_eq!(think("B:W29:B25,18", 1), ("win in 1".into(), Some("18-22".into())));
        assert_eq!(think("B:W18:B14", 1), ("win in 1".into(), Some("14x23".into())));
    }
}
