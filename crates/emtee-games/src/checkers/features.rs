//! What the evaluation looks at: the kinds of knowledge that Chinook's had, each a number that the tuner gives a weight.

use emtee::Side;

use super::board::{Board, HAS_STEP, KING_ROWS, ROTATIONS, Square, bit_of, squares, squares_of, step, turned};

/// Where each kind of knowledge has its weights.
pub const MAN: usize = 0;
/// A king.
pub const KING: usize = MAN + 1;
/// A man on one of the squares 1 to 28, numbered from its own side: centre, edges, advancement.
pub const MAN_AT: usize = KING + 1;
/// A king on one of the squares 1 to 32, numbered from its own side.
pub const KING_AT: usize = MAN_AT + 28;
/// Which of the four squares of the own king row men still guard, as a number of four bits.
pub const BACK_RANK: usize = KING_AT + 32;
/// A man that nothing can stop from becoming a king in 1, 2, 3 or 4 steps.
pub const RUNAWAY: usize = BACK_RANK + 16;
/// Steps of men after which the man cannot be jumped.
pub const SAFE_MAN_STEPS: usize = RUNAWAY + 4;
/// The same of kings.
pub const SAFE_KING_STEPS: usize = SAFE_MAN_STEPS + 1;
/// Kings without a safe step.
pub const TRAPPED_KINGS: usize = SAFE_KING_STEPS + 1;
/// Men without a safe step.
pub const HELD_MEN: usize = TRAPPED_KINGS + 1;
/// Men without any step.
pub const BLOCKED_MEN: usize = HELD_MEN + 1;
/// A man on 28, numbered from its own side, with an enemy on 32: it will never be a king while that one stays.
pub const DOG_HOLE: usize = BLOCKED_MEN + 1;
/// The only side with kings.
pub const FIRST_KING: usize = DOG_HOLE + 1;
/// Pairs of men on neighbouring squares, along one diagonal and along the other: neither can be jumped that way.
pub const PAIRS: usize = FIRST_KING + 1;
/// The other side threatens to jump, with one piece or with more.
pub const THREATS: usize = PAIRS + 2;
/// With as many pieces each, the side to move has "the move", the opposition of draughts.
pub const THE_MOVE: usize = THREATS + 2;
/// The right to move.
pub const TURN: usize = THE_MOVE + 1;
/// How many features there are.
pub const COUNT: usize = TURN + 1;

/// A side's pieces, with the board turned so that it moves down (like Black, directions 2 and 3).
#[derive(Clone, Copy)]
pub(super) struct View {
    pub(super) men: u32,
    pub(super) kings: u32,
    other: u32,
    other_kings: u32,
}

impl View {
    /// The view of the side to move, and of the other.
    #[inline(always)]
    pub(super) fn both(board: &Board) -> [View; 2] {
        let [black, white] = board.pieces;
        let kings = board.kings;
        let first = View { men: black & !kings, kings: black & kings, other: white, other_kings: white & kings };
        let (black, white, kings) = (turned(black), turned(white), turned(kings));
        let second = View { men: white & !kings, kings: white & kings, other: black, other_kings: black & kings };
        match board.turn {
            Side::First => [first, second],
            Side::Second => [second, first],
        }
    }

    #[inline(always)]
    const fn empty(&self) -> u32 {
        !(self.men | self.kings | self.other)
    }
}

/// Shows every feature of the position that is not 0 to `see`, with how much of it the side to move has more than the other.
pub fn features(board: &Board, mut see: impl FnMut(usize, i32)) {
    for (view, sign) in View::both(board).into_iter().zip([1, -1]) {
        for (word, material, places) in [(view.men, MAN, MAN_AT), (view.kings, KING, KING_AT)] {
            for square in squares_of(word) {
                see(material, sign);
                see(places + usize::from(square.number()) - 1, sign);
            }
        }
    }
    shape(board, &View::both(board), |feature, count| {
        if count != 0 {
            see(feature, count);
        }
    });
}

/// All features but material and places, which the evaluation looks up faster.
#[inline(always)]
pub(super) fn shape(board: &Board, views: &[View; 2], mut see: impl FnMut(usize, i32)) {
    for (view, sign) in views.iter().zip([1, -1]) {
        see(BACK_RANK + back_rank(view.men), sign);
        runaways(view, |distance, count| see(RUNAWAY + distance - 1, sign * count));
        steps(view, |feature, count| see(feature, sign * count));
        let dog_hole = view.men & const { squares(28, 28) } != 0 && view.other & const { squares(32, 32) } != 0;
        see(DOG_HOLE, if dog_hole { sign } else { 0 });
        for d in [2, 3] {
            see(PAIRS + d - 2, sign * ones(view.men & step(view.men, d)));
        }
        see(FIRST_KING, if view.kings != 0 && view.other_kings == 0 { sign } else { 0 });
    }
    let threats = Board { turn: !board.turn, ..*board }.jumpers().count_ones();
    see(THREATS, i32::from(threats == 1));
    see(THREATS + 1, i32::from(threats > 1));
    see(THE_MOVE, the_move(&views[0]));
    see(TURN, 1);
}

#[inline(always)]
fn ones(word: u32) -> i32 {
    word.count_ones() as i32
}

/// The men on squares 1 to 4 as four bits.
#[inline(always)]
fn back_rank(men: u32) -> usize {
    let bit = |number: u8| (men >> bit_of(number) & 1) as usize;
    bit(1) | bit(2) << 1 | bit(3) << 2 | bit(4) << 3
}

/// Shows how many men are out of reach at each distance from the king row. One step away a free square is enough; further
/// away nobody may stand in the cone ahead.
#[inline(always)]
fn runaways(view: &View, mut see: impl FnMut(usize, i32)) {
    const ROWS: [u32; 4] = [squares(25, 28), squares(21, 24), squares(17, 20), squares(13, 16)];
    let goal = view.empty() & KING_ROWS[0];
    see(1, ones(view.men & ROWS[0] & (step(goal, 0) | step(goal, 1))));
    let mut stopped = view.other;
    for (distance, row) in ROWS.into_iter().enumerate() {
        stopped |= step(stopped, 0) | step(stopped, 1);
        if distance > 0 {
            see(distance + 1, ones(view.men & row & !stopped));
        }
    }
}

/// Mobility: which steps leave the piece where it cannot be jumped, and which pieces have none.
#[inline(always)]
fn steps(view: &View, mut see: impl FnMut(usize, i32)) {
    let empty = view.empty();
    // Squares that an enemy could jump over as things stand.
    let mut attacked = 0;
    for d in 0..4 {
        let enemies = if d < 2 { view.other } else { view.other_kings };
        attacked |= step(enemies, d) & HAS_STEP[d] & empty.rotate_right(ROTATIONS[d]);
    }
    let (mut men_steps, mut king_steps, mut mobile, mut free) = (0, 0, 0, 0);
    for d in 0..4 {
        // The square left behind is empty too: an enemy straight ahead, if it can come this way, could jump back over it.
        let facing = if d < 2 { view.other_kings } else { view.other };
        let safe = empty & !attacked & !step(facing, d ^ 2);
        let men = if d < 2 { 0 } else { step(view.men, d) };
        let kings = step(view.kings, d);
        men_steps += ones(men & safe);
        king_steps += ones(kings & safe);
        mobile |= step((men | kings) & safe, d ^ 2);
        free |= step(men & empty, d ^ 2);
    }
    see(SAFE_MAN_STEPS, men_steps);
    see(SAFE_KING_STEPS, king_steps);
    see(TRAPPED_KINGS, ones(view.kings & !mobile));
    see(HELD_MEN, ones(view.men & !mobile));
    see(BLOCKED_MEN, ones(view.men & !free));
}

/// +1 if the side to move has the move, -1 if the other has it, 0 when the sides differ in strength.
#[inline(always)]
fn the_move(view: &View) -> i32 {
    const SYSTEM: u32 = squares(1, 4) | squares(9, 12) | squares(17, 20) | squares(25, 28);
    let own = view.men | view.kings;
    if own.count_ones() != view.other.count_ones() {
        return 0;
    }
    if ((own | view.other) & SYSTEM).count_ones() % 2 == 1 { 1 } else { -1 }
}

/// What a feature is called.
pub fn name(feature: usize) -> String {
    let at = |base: usize| feature - base;
    match feature {
        MAN => "man".into(),
        KING => "king".into(),
        MAN_AT..KING_AT => format!("man on {}", at(MAN_AT) + 1),
        KING_AT..BACK_RANK => format!("king on {}", at(KING_AT) + 1),
        BACK_RANK..RUNAWAY => {
            let guards = (1..=4u8).filter(|&n| at(BACK_RANK) >> (n - 1) & 1 == 1).filter_map(Square::new);
            let guards: Vec<String> = guards.map(|square| square.to_string()).collect();
            format!("back rank {}", if guards.is_empty() { "empty".into() } else { guards.join(" ") })
        }
        RUNAWAY..SAFE_MAN_STEPS => format!("runaway {} from the king row", at(RUNAWAY) + 1),
        SAFE_MAN_STEPS => "safe steps of men".into(),
        SAFE_KING_STEPS => "safe steps of kings".into(),
        TRAPPED_KINGS => "trapped kings".into(),
        HELD_MEN => "men without a safe step".into(),
        BLOCKED_MEN => "men without a step".into(),
        DOG_HOLE => "man in the dog hole".into(),
        FIRST_KING => "the only kings".into(),
        PAIRS..THREATS => format!("pairs, diagonal {}", at(PAIRS) + 1),
        THREATS..THE_MOVE => format!("threatened by {}", ["one piece", "several"][at(THREATS)]),
        THE_MOVE => "the move".into(),
        _ => "the right to move".into(),
    }
}
