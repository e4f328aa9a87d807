//! Which moves look good before anything is searched.
//!
//! An exchange leaves the other side hardly a choice for several plies, so the tree below it is small: where it costs nothing it
//! is worth a try before the quiet moves, even at nodes that these would cut off as well. Measured on the tuning set to depth 15
//! with MTD-f (`emtee compare checkers --set tuning --depth 15`), in million nodes and first-move cuts: no hints for steps 11.7 and 93.8 %; steps into
//! a jump last, be it an exchange or a loss, 14.5 and 96.3 %; losses last 11.5 and 96.9 %; even exchanges first and losses last,
//! as here, 8.8 and 96.8 %. Crowning first, finer classes of exchanges and losses, or moves that threaten a jump before other
//! quiet ones changed the nodes by less than 1 %.

use emtee::Side;

use super::board::{Board, HAS_STEP, ROTATIONS, step};
use super::moves::Move;

/// An exchange that costs no more than this in material and places comes first.
const EVEN: i32 = -30;
/// A step that costs more than this, most of a man, comes last.
const LOSS: i32 = -60;

/// Steps: even or better exchanges, then quiet steps, then losses. Those of a class are left to killers and history.
pub(super) struct Steps<'b> {
    board: &'b Board,
    /// Where the other side could jump over whoever comes there, as things stand.
    attacked: u32,
    /// Which pieces of our own keep the other side from a jump by standing where it would land.
    plugs: u32,
    /// Pieces of the other side, by the direction in which we would run into them, that could jump back that way.
    facing: [u32; 4],
    /// Whether the other side could jump now, if it were its turn: then every step is looked at by itself.
    threatened: bool,
    /// What material and places are worth here, once that was asked for.
    here: Option<i32>,
}

impl<'b> Steps<'b> {
    #[inline(always)]
    pub(super) fn new(board: &'b Board) -> Steps<'b> {
        let (own, other) = board.own_and_other();
        let (kings, empty) = (other & board.kings, board.empty());
        let backward = if board.turn == Side::First { 0 } else { 2 };
        let (mut attacked, mut plugs, mut facing) = (0, 0, [0; 4]);
        let mut look = |jumpers: u32, d: usize| {
            let reached = step(jumpers, d);
            attacked |= reached & HAS_STEP[d] & empty.rotate_right(ROTATIONS[d]);
            plugs |= step(reached & own, d);
            facing[d ^ 2] = reached;
        };
        look(other, backward);
        look(other, backward + 1);
        if kings != 0 {
            look(kings, backward ^ 2);
            look(kings, (backward + 1) ^ 2);
        }
        Steps { board, attacked, plugs, facing, threatened: attacked & own != 0, here: None }
    }

    /// Whether the other side cannot jump after this step: not over the piece that was moved, for which the square that it
    /// has left counts as empty, nor to that square.
    #[inline(always)]
    fn is_quiet(&self, m: Move) -> bool {
        let unsafe_squares = self.attacked | self.facing[m.direction()];
        !self.threatened && m.mask_to() & unsafe_squares == 0 && m.mask_from() & self.plugs == 0
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
        let here = *self.here.get_or_insert_with(|| self.board.placed());
        // Which class it is in is all that is asked: the other side looks no further than that.
        match -settled(&after, -(here + EVEN), -(here + LOSS - 1)) - here {
            EVEN.. => 1,
            LOSS..EVEN => 0,
            _ => -1,
        }
    }
}

/// Jumps: the more men and kings they capture the better.
#[inline(always)]
pub(super) fn jump_hint(board: &Board, m: Move) -> i16 {
    let captured = m.captured();
    (2 * captured.count_ones() + (captured & board.kings).count_ones()) as i16
}

/// Beyond every evaluation.
const WORST: i32 = 32_000;

/// What material and places are worth when all jumps have been made: exact between α and β, else a bound on that side.
fn settled(board: &Board, mut alpha: i32, beta: i32) -> i32 {
    let jumpers = board.jumpers();
    if jumpers == 0 {
        return if board.has_step() { board.placed() } else { -WORST };
    }
    let mut best = -WORST;
    board.each_jump(jumpers, &mut |m| {
        if alpha < beta {
            best = best.max(-settled(&board.after(m), -beta, -alpha));
            alpha = alpha.max(best);
        }
    });
    best
}

#[cfg(test)]
mod tests {
    use emtee::{Game, legal_moves, mix};

    use super::*;

    /// Exactly those steps are quiet after which there is nothing to jump, as long as there was nothing before.
    #[test]
    fn quiet_steps_leave_nothing_to_jump() {
        let mut seen = [0; 2];
        for game in 0..400 {
            let mut board = Board::default();
            for ply in 0..150 {
                let moves = legal_moves(&board);
                if moves.is_empty() {
                    break;
                }
                let order = Steps::new(&board);
                let threatened = Board { turn: !board.turn, ..board }.jumpers() != 0;
                assert_eq!(order.threatened, threatened, "{board}");
                if board.jumpers() == 0 && !threatened {
                    for &m in &moves {
                        let quiet = board.after(m).jumpers() == 0;
                        assert_eq!(order.is_quiet(m), quiet, "{board} {m}");
                        seen[usize::from(quiet)] += 1;
                    }
                }
                board = board.play(moves[(mix(1_000 * game + ply) % moves.len() as u64) as usize]);
            }
        }
        assert!(seen.iter().all(|&seen| seen > 5_000), "{seen:?}");
    }
}
