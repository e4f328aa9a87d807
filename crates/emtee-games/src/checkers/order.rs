//! Move ordering hints.
//!
//! After an exchange the replies are forced for several plies, so the tree below it is small. Even exchanges are
//! therefore searched before the quiet moves, also at nodes where a quiet move would cut off too. Measured on the
//! tuning set to depth 15 with MTD-f (`emtee compare checkers --set tuning --depth 15`):
//!
//! | order | million nodes | first-move cuts |
//! |---|---|---|
//! | no hints for steps | 11.7 | 93.8 % |
//! | steps into a jump last, exchanges and losses alike | 14.5 | 96.3 % |
//! | losses last | 11.5 | 96.9 % |
//! | even exchanges first, losses last (used here) | 8.8 | 96.8 % |
//!
//! Crowning first, finer classes of exchanges and losses, or moves that threaten a jump before other quiet moves
//! changed the nodes by less than 1 %.

use emtee::Side;

use super::board::{Board, HAS_STEP, ROTATIONS, step};
use super::moves::Move;

/// An exchange that loses no more than this, in material and piece-square points, is even.
const EVEN: i32 = -30;
/// A step that loses more than this, most of a man, is a loss.
const LOSS: i32 = -60;

/// Hints for steps: even or better exchanges, then quiet steps, then losses. Killers and history order the steps of a
/// class.
pub(super) struct StepOrder<'b> {
    board: &'b Board,
    /// Empty squares on which a piece could be jumped now.
    attacked: u32,
    /// Own pieces that prevent a jump because they occupy its landing square.
    blockers: u32,
    /// Squares next to enemy pieces, by the direction of our step towards them, on which such a piece could jump back
    /// over us.
    facing: [u32; 4],
    /// Whether the other side could jump now, if it were its turn. Then no step is assumed to be quiet.
    threatened: bool,
    /// Material and piece-square points of the position, computed when first needed.
    static_value: Option<i32>,
}

impl<'b> StepOrder<'b> {
    #[inline(always)]
    pub(super) fn new(board: &'b Board) -> StepOrder<'b> {
        let (own, other) = board.own_and_other();
        let (kings, empty) = (other & board.kings, board.empty());
        let backward = if board.turn == Side::First { 0 } else { 2 };
        let (mut attacked, mut blockers, mut facing) = (0, 0, [0; 4]);
        let mut add = |jumpers: u32, d: usize| {
            let reached = step(jumpers, d);
            attacked |= reached & HAS_STEP[d] & empty.rotate_right(ROTATIONS[d]);
            blockers |= step(reached & own, d);
            facing[d ^ 2] = reached;
        };
        add(other, backward);
        add(other, backward + 1);
        if kings != 0 {
            add(kings, backward ^ 2);
            add(kings, (backward + 1) ^ 2);
        }
        StepOrder { board, attacked, blockers, facing, threatened: attacked & own != 0, static_value: None }
    }

    /// Whether the other side cannot jump after this step: neither over the moved piece, whose old square counts as
    /// empty, nor onto its old square.
    #[inline(always)]
    fn is_quiet(&self, m: Move) -> bool {
        let unsafe_squares = self.attacked | self.facing[m.direction()];
        !self.threatened && m.mask_to() & unsafe_squares == 0 && m.mask_from() & self.blockers == 0
    }

    #[inline(always)]
    pub(super) fn hint(&mut self, m: Move) -> i16 {
        if self.is_quiet(m) { 0 } else { self.hint_of_exchange(m) }
    }

    fn hint_of_exchange(&mut self, m: Move) -> i16 {
        let after = self.board.after(m);
        if after.jumpers() == 0 {
            return 0;
        }
        let before = *self.static_value.get_or_insert_with(|| self.board.material_and_squares());
        // The window is just wide enough to tell the three classes apart.
        match -quiesce(&after, -(before + EVEN), -(before + LOSS - 1)) - before {
            EVEN.. => 1,
            LOSS..EVEN => 0,
            _ => -1,
        }
    }
}

/// The hint of a jump: more captured material first.
#[inline(always)]
pub(super) fn jump_hint(board: &Board, m: Move) -> i16 {
    let captured = m.captured();
    (2 * captured.count_ones() + (captured & board.kings).count_ones()) as i16
}

/// Worse than every evaluation.
const WORST: i32 = 32_000;

/// Alpha-beta quiescence search on material and piece-square points: exact inside the window, otherwise a bound.
fn quiesce(board: &Board, mut alpha: i32, beta: i32) -> i32 {
    let jumpers = board.jumpers();
    if jumpers == 0 {
        return if board.has_step() { board.material_and_squares() } else { -WORST };
    }
    let mut best = -WORST;
    board.each_jump(jumpers, &mut |m| {
        if alpha < beta {
            best = best.max(-quiesce(&board.after(m), -beta, -alpha));
            alpha = alpha.max(best);
        }
    });
    best
}

#[cfg(test)]
mod tests {
    use emtee::{Game, legal_moves, mix};

    use super::*;

    /// A step is quiet if and only if the other side cannot jump after it, provided it could not jump before.
    #[test]
    fn quiet_steps_leave_nothing_to_jump() {
        let mut counts = [0; 2];
        for game in 0..400 {
            let mut board = Board::default();
            for ply in 0..150 {
                let moves = legal_moves(&board);
                if moves.is_empty() {
                    break;
                }
                let order = StepOrder::new(&board);
                let threatened = Board { turn: !board.turn, ..board }.jumpers() != 0;
                assert_eq!(order.threatened, threatened, "{board}");
                if board.jumpers() == 0 && !threatened {
                    for &m in &moves {
                        let quiet = board.after(m).jumpers() == 0;
                        assert_eq!(order.is_quiet(m), quiet, "{board} {m}");
                        counts[usize::from(quiet)] += 1;
                    }
                }
                board = board.play(moves[(mix(1_000 * game + ply) % moves.len() as u64) as usize]);
            }
        }
        assert!(counts.iter().all(|&count| count > 5_000), "{counts:?}");
    }
}
