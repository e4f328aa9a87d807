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
//! The rules that trip people: any jump may be chosen but one must be taken; a turn of jumps is completed; a man that reaches
//! the king row stops there; a piece is jumped once at most, and the square a turn starts from counts as empty; who cannot move
//! has lost. Each way to jump is a move of its own. Draws by repetition or by a count of moves are a matter for those who
//! play a game, not for a position.

mod board;
pub mod endings;
mod evaluate;
mod features;
mod machine;
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
pub use network::Network;
pub use pdn::{PdnGame, PdnResult, read_pdn};
pub use set::{paper_set, tuning_set};

impl Game for Board {
    type Move = Move;

    const TUNING: Tuning = Tuning {
        ordering: MoveOrdering::FULL,
        store_leaves: true,
        // Reductions alone: 57.5 % ± 6 of 100 games against the exact search at 5,000 nodes a move (`cargo xtask match
        // checkers-search`). A jump is no reason to look deeper, since the horizon plays it out anyway: extensions got 32.5 % ± 9
        // of 40 games.
        selective: Selective { late_move_reductions: true, ..Selective::NONE },
        // A man is worth about 100. Single points take more passes, and play no better: `cargo xtask match checkers --against
        // fine`.
        grain: 4,
        // Lines meet all the time: looking children up first takes 27 % of the time off a search to depth 15.
        etc: Some(2),
        // How far apart they are stands in the book, under matches. Most games of good players are drawn, so the margins stay wide.
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
            let mut order = order::Steps::new(self);
            self.each_step(&mut |m| moves.push_hinted(m, order.hint(m)));
        }
    }

    #[inline(always)]
    fn play(&self, m: Move) -> Board {
        self.after(m)
    }

    /// Always nothing: a side that cannot move has lost, and [`stuck`](Game::stuck) says so.
    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        None
    }

    #[inline(always)]
    fn evaluate(&self) -> i32 {
        machine::evaluate(self)
    }

    /// Kings go back and forth; nobody counts.
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

    /// A position is loud when the side to move must jump, or cannot move at all.
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

    /// Whether there is a jump to be made, or nothing at all.
    #[inline(always)]
    fn forced(&self) -> bool {
        self.jumpers() != 0 || !self.has_step()
    }

    /// What a jump captures, and a crown.
    #[inline(always)]
    fn tactical_gain(&self, m: Move) -> Option<i32> {
        let (men, kings) = (m.captured() & !self.kings, m.captured() & self.kings);
        let crowned = m.mask_from() & !self.kings != 0 && m.mask_to() & KING_ROWS[self.turn.index()] != 0;
        let prize = 100 * men.count_ones() + 130 * kings.count_ones() + if crowned { 30 } else { 0 };
        (prize > 0).then_some(prize as i32)
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
    fn who_cannot_move_has_lost() {
        assert_eq!(think("W:W29:B25,22", 3).0, "loss in 0");
        // At the horizon as well: the last man is shut in.
        assert_eq!(think("B:W29:B25,18", 1), ("win in 1".into(), Some("18-22".into())));
        assert_eq!(think("B:W18:B14", 1), ("win in 1".into(), Some("14x23".into())));
    }
}
