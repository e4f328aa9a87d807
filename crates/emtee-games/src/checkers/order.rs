//! Which moves look good before anything is searched.
//!
//! An exchange leaves the other side hardly a choice for several plies, so the tree below it is small: where it costs nothing it
//! is worth a try before the quiet moves, even at nodes that these would cut off as well. Measured on the tuning set to depth 15
//! with MTD-f (`emtee compare checkers --set tuning --depth 15`), in million nodes and first-move cuts: no hints for steps 11.7 and 93.8 %; steps into
//! a jump last, be it an exchange or a loss, 14.5 and 96.3 %; losses last 11.5 and 96.9 %; even exchanges first and losses last,
//! as here, 8.8 and 96.8 %. Crowning first, finer classes of exchanges and losses, or moves that threaten a jump before other
//! quiet ones changed the nodes by less than 1 %.

use super::board::Board;
use super::moves::Move;

/// An exchange that costs no more than this in material and places comes first.
const EVEN: i32 = -30;
/// A step that costs more than this, most of a man, comes last.
const LOSS: i32 = -60;

/// Steps: even or better exchanges, then quiet steps, then losses. Those of a class are left to killers and history.
///
/// `here` is what the position's material and places are worth, once that was asked for.
#[inline(always)]
pub(super) fn step_hint(board: &Board, here: &mut Option<i32>, m: Move) -> i16 {
    let after = board.after(m);
    if after.jumpers() == 0 {
        return 0;
    }
    let here = *here.get_or_insert_with(|| board.placed());
    match -settled(&after, -WORST, WORST) - here {
        EVEN.. => 1,
        LOSS..EVEN => 0,
        _ => -1,
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

/// What material and places are worth when all jumps have been made.
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
