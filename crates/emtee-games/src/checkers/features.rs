//! The features of the evaluation, of the same kinds as Chinook's. The tuner finds a weight for each.

use emtee::Side;

use super::board::{Board, HAS_STEP, KING_ROWS, ROTATIONS, Square, bit_of, squares, squares_of, step, turned};

/// A man. This and the following constants are the first feature of each kind.
pub const MAN: usize = 0;
/// A king.
pub const KING: usize = MAN + 1;
/// A man on one of the squares 1 to 28, numbered from its own side: centre, edges, advancement.
pub const MAN_AT: usize = KING + 1;
/// A king on one of the squares 1 to 32, numbered from its own side.
pub const KING_AT: usize = MAN_AT + 28;
/// Which of the squares 1 to 4, the back rank, its men still guard, as a 4-bit number.
pub const BACK_RANK: usize = KING_AT + 32;
/// A runaway man: it becomes a king in 1, 2, 3 or 4 steps, and the other side cannot stop it.
pub const RUNAWAY: usize = BACK_RANK + 16;
/// Safe steps of men: the man cannot be jumped afterwards.
pub const SAFE_MAN_STEPS: usize = RUNAWAY + 4;
/// Safe steps of kings.
pub const SAFE_KING_STEPS: usize = SAFE_MAN_STEPS + 1;
/// Kings without a safe step.
pub const TRAPPED_KINGS: usize = SAFE_KING_STEPS + 1;
/// Men without a safe step.
pub const HELD_MEN: usize = TRAPPED_KINGS + 1;
/// Men without any step.
pub const BLOCKED_MEN: usize = HELD_MEN + 1;
/// The dog hole: a man on 28, numbered from its own side, with an enemy piece on 32. It cannot become a king while that
/// piece stays.
pub const DOG_HOLE: usize = BLOCKED_MEN + 1;
/// Kings when the other side has none.
pub const FIRST_KING: usize = DOG_HOLE + 1;
/// Pairs of men on diagonally neighbouring squares, for each diagonal: neither can be jumped along it.
pub const PAIRS: usize = FIRST_KING + 1;
/// The other side threatens to jump with one piece, or with several.
pub const THREATS: usize = PAIRS + 2;
/// Which side has "the move", the opposition of draughts, if both have the same number of pieces.
pub const THE_MOVE: usize = THREATS + 2;
/// The side to move.
pub const TURN: usize = THE_MOVE + 1;
/// The number of features.
pub const COUNT: usize = TURN + 1;

/// A position from one side's perspective: the board is turned so that this side moves down, like Black (directions 2
/// and 3).
#[derive(Clone, Copy)]
pub(super) struct Perspective {
    pub(super) men: u32,
    pub(super) kings: u32,
    other: u32,
    other_kings: u32,
}

impl Perspective {
    /// The perspective of the side to move, and that of the other.
    #[inline(always)]
    pub(super) fn both(board: &Board) -> [Perspective; 2] {
        let [black, white] = board.pieces;
        let kings = board.kings;
        let first = Perspective { men: black & !kings, kings: black & kings, other: white, other_kings: white & kings };
        let (black, white, kings) = (turned(black), turned(white), turned(kings));
        let second =
            Perspective { men: white & !kings, kings: white & kings, other: black, other_kings: black & kings };
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

/// Calls `visit` for every feature that is not 0, with the count of the side to move minus that of the other.
pub fn features(board: &Board, mut visit: impl FnMut(usize, i32)) {
    for (perspective, sign) in Perspective::both(board).into_iter().zip([1, -1]) {
        for (word, material, first_square) in [(perspective.men, MAN, MAN_AT), (perspective.kings, KING, KING_AT)] {
            for square in squares_of(word) {
                visit(material, sign);
                visit(first_square + usize::from(square.number()) - 1, sign);
            }
        }
    }
    positional_features(board, &Perspective::both(board), |feature, count| {
        if count != 0 {
            visit(feature, count);
        }
    });
}

/// All features but material and piece-square, for which the evaluation has tables.
#[inline(always)]
pub(super) fn positional_features(board: &Board, perspectives: &[Perspective; 2], mut visit: impl FnMut(usize, i32)) {
    for (perspective, sign) in perspectives.iter().zip([1, -1]) {
        visit(BACK_RANK + back_rank(perspective.men), sign);
        runaways(perspective, |distance, count| visit(RUNAWAY + distance - 1, sign * count));
        steps(perspective, |feature, count| visit(feature, sign * count));
        let dog_hole =
            perspective.men & const { squares(28, 28) } != 0 && perspective.other & const { squares(32, 32) } != 0;
        visit(DOG_HOLE, if dog_hole { sign } else { 0 });
        for d in [2, 3] {
            visit(PAIRS + d - 2, sign * ones(perspective.men & step(perspective.men, d)));
        }
        visit(FIRST_KING, if perspective.kings != 0 && perspective.other_kings == 0 { sign } else { 0 });
    }
    let threats = Board { turn: !board.turn, ..*board }.jumpers().count_ones();
    visit(THREATS, i32::from(threats == 1));
    visit(THREATS + 1, i32::from(threats > 1));
    visit(THE_MOVE, the_move(&perspectives[0]));
    visit(TURN, 1);
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

/// Calls `visit` with the number of runaway men at each distance from the king row. At distance 1 an empty square ahead
/// is enough. At larger distances there must be no enemy piece in the cone ahead.
#[inline(always)]
fn runaways(perspective: &Perspective, mut visit: impl FnMut(usize, i32)) {
    const ROWS: [u32; 4] = [squares(25, 28), squares(21, 24), squares(17, 20), squares(13, 16)];
    let goal = perspective.empty() & KING_ROWS[0];
    visit(1, ones(perspective.men & ROWS[0] & (step(goal, 0) | step(goal, 1))));
    let mut stopped = perspective.other;
    for (distance, row) in ROWS.into_iter().enumerate() {
        stopped |= step(stopped, 0) | step(stopped, 1);
        if distance > 0 {
            visit(distance + 1, ones(perspective.men & row & !stopped));
        }
    }
}

/// Mobility: the steps after which a piece cannot be jumped, and the pieces without such steps.
#[inline(always)]
fn steps(perspective: &Perspective, mut visit: impl FnMut(usize, i32)) {
    let empty = perspective.empty();
    // Squares on which a piece could be jumped now.
    let mut attacked = 0;
    for d in 0..4 {
        let enemies = if d < 2 { perspective.other } else { perspective.other_kings };
        attacked |= step(enemies, d) & HAS_STEP[d] & empty.rotate_right(ROTATIONS[d]);
    }
    let (mut men_steps, mut king_steps, mut mobile, mut free) = (0, 0, 0, 0);
    for d in 0..4 {
        // The square that the piece leaves becomes empty: an enemy piece beyond the target that moves this way could
        // jump over it.
        let facing = if d < 2 { perspective.other_kings } else { perspective.other };
        let safe = empty & !attacked & !step(facing, d ^ 2);
        let men = if d < 2 { 0 } else { step(perspective.men, d) };
        let kings = step(perspective.kings, d);
        men_steps += ones(men & safe);
        king_steps += ones(kings & safe);
        mobile |= step((men | kings) & safe, d ^ 2);
        free |= step(men & empty, d ^ 2);
    }
    visit(SAFE_MAN_STEPS, men_steps);
    visit(SAFE_KING_STEPS, king_steps);
    visit(TRAPPED_KINGS, ones(perspective.kings & !mobile));
    visit(HELD_MEN, ones(perspective.men & !mobile));
    visit(BLOCKED_MEN, ones(perspective.men & !free));
}

/// +1 if the side to move has the move, -1 if the other has it, 0 if the numbers of pieces differ.
#[inline(always)]
fn the_move(perspective: &Perspective) -> i32 {
    const SYSTEM: u32 = squares(1, 4) | squares(9, 12) | squares(17, 20) | squares(25, 28);
    let own = perspective.men | perspective.kings;
    if own.count_ones() != perspective.other.count_ones() {
        return 0;
    }
    if ((own | perspective.other) & SYSTEM).count_ones() % 2 == 1 { 1 } else { -1 }
}

/// The name of a feature.
pub fn name(feature: usize) -> String {
    let offset = |base: usize| feature - base;
    match feature {
        MAN => "man".into(),
        KING => "king".into(),
        MAN_AT..KING_AT => format!("man on {}", offset(MAN_AT) + 1),
        KING_AT..BACK_RANK => format!("king on {}", offset(KING_AT) + 1),
        BACK_RANK..RUNAWAY => {
            let guards = (1..=4u8).filter(|&n| offset(BACK_RANK) >> (n - 1) & 1 == 1).filter_map(Square::new);
            let guards: Vec<String> = guards.map(|square| square.to_string()).collect();
            format!("back rank {}", if guards.is_empty() { "empty".into() } else { guards.join(" ") })
        }
        RUNAWAY..SAFE_MAN_STEPS => format!("runaway {} from the king row", offset(RUNAWAY) + 1),
        SAFE_MAN_STEPS => "safe steps of men".into(),
        SAFE_KING_STEPS => "safe steps of kings".into(),
        TRAPPED_KINGS => "trapped kings".into(),
        HELD_MEN => "men without a safe step".into(),
        BLOCKED_MEN => "men without a step".into(),
        DOG_HOLE => "man in the dog hole".into(),
        FIRST_KING => "the only kings".into(),
        PAIRS..THREATS => format!("pairs, diagonal {}", offset(PAIRS) + 1),
        THREATS..THE_MOVE => format!("threatened by {}", ["one piece", "several"][offset(THREATS)]),
        THE_MOVE => "the move".into(),
        _ => "side to move".into(),
    }
}
