//! Moves: generating, counting and playing them.

use emtee::Side;

use super::board::{Board, HAS_STEP, KING_ROWS, ROTATIONS, Square, squares_of, step};

/// A move: a step, or all jumps of a turn. Two paths of jumps between the same squares are two moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    captured: u32,
    /// Two bits for the direction of each jump, or of the step. Above them the number of jumps.
    path: u32,
    from: u8,
    to: u8,
}

/// A side has twelve pieces, so there are at most twelve jumps of two bits each.
const JUMPS_SHIFT: u32 = 24;

impl Move {
    #[inline(always)]
    fn step(from: u32, to: u32, d: usize) -> Move {
        Move { captured: 0, path: d as u32, from: from.trailing_zeros() as u8, to: to.trailing_zeros() as u8 }
    }

    /// The square the piece starts from.
    pub const fn from(self) -> Square {
        Square { bit: self.from }
    }

    /// The square it ends on.
    pub const fn to(self) -> Square {
        Square { bit: self.to }
    }

    /// The number of captured pieces.
    pub const fn captures(self) -> u32 {
        self.captured.count_ones()
    }

    /// Whether it is a jump.
    pub const fn is_jump(self) -> bool {
        self.captured != 0
    }

    /// Every square the piece touches, the first and the last included.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        let jumps = self.path >> JUMPS_SHIFT;
        let mut square = self.from().mask();
        let touched = (0..jumps.max(1)).map(move |jump| {
            let d = (self.path >> (2 * jump) & 3) as usize;
            square = if jumps == 0 { step(square, d) } else { step(step(square, d), d) };
            square
        });
        std::iter::once(self.from().mask()).chain(touched).flat_map(squares_of)
    }

    #[inline(always)]
    pub(super) const fn captured(self) -> u32 {
        self.captured
    }

    #[inline(always)]
    pub(super) const fn mask_from(self) -> u32 {
        1 << (self.from & 31)
    }

    #[inline(always)]
    pub(super) const fn mask_to(self) -> u32 {
        1 << (self.to & 31)
    }

    /// The direction of a step.
    #[inline(always)]
    pub(super) const fn direction(self) -> usize {
        (self.path & 3) as usize
    }

    /// The code of the move: its directions, then its first square. It is the same in every position, except for moves
    /// of more than five jumps, which use their index in the list.
    ///
    /// A 1 bit above the directions marks their number. The mark of a step is 8, which no number of jumps produces. The
    /// first square is in the low bits, so that the codes of all steps are close together.
    #[inline(always)]
    pub(super) const fn code(self, index: usize) -> u16 {
        let jumps = self.path >> JUMPS_SHIFT;
        let directions = self.path & ((1 << JUMPS_SHIFT) - 1);
        let path = match jumps {
            0 => 8 | directions,
            1..=5 => 1 << (2 * jumps) | directions,
            _ => 512 | (index as u32 & 511),
        };
        (path << 5) as u16 | self.from as u16
    }
}

/// A sequence of jumps that is not finished.
#[derive(Clone, Copy)]
struct JumpSequence {
    from: u32,
    to: u32,
    captured: u32,
    directions: u32,
    count: u32,
    king: bool,
}

impl JumpSequence {
    #[inline(always)]
    fn extended(self, over: u32, to: u32, d: usize) -> JumpSequence {
        JumpSequence {
            to,
            captured: self.captured | over,
            // This fits: no constructor of Board allows more than twelve pieces per side.
            directions: self.directions | (d as u32) << (2 * self.count),
            count: self.count + 1,
            ..self
        }
    }

    #[inline(always)]
    fn finish(self) -> Move {
        Move {
            captured: self.captured,
            path: self.directions | self.count << JUMPS_SHIFT,
            from: self.from.trailing_zeros() as u8,
            to: self.to.trailing_zeros() as u8,
        }
    }
}

/// The forward directions of a side are `FORWARD` and `FORWARD + 1`. The move generators of the sides differ only in
/// this.
const BLACK: usize = 2;
const WHITE: usize = 0;

impl Board {
    /// The pieces of the side to move that can jump. If there are any, one of them must.
    #[inline(always)]
    pub(super) fn jumpers(&self) -> u32 {
        match self.turn {
            Side::First => self.jumpers_of::<BLACK>(),
            Side::Second => self.jumpers_of::<WHITE>(),
        }
    }

    #[inline(always)]
    fn jumpers_of<const FORWARD: usize>(&self) -> u32 {
        let (own, _) = self.own_and_other();
        let kings = own & self.kings;
        let mut jumpers = own & (self.jump_sources(FORWARD) | self.jump_sources(FORWARD + 1));
        if kings != 0 {
            jumpers |= kings & (self.jump_sources(FORWARD ^ 2) | self.jump_sources((FORWARD + 1) ^ 2));
        }
        jumpers
    }

    /// The squares from which a piece of the side to move could jump in direction `d`.
    #[inline(always)]
    fn jump_sources(&self, d: usize) -> u32 {
        let (_, other) = self.own_and_other();
        let over = other & HAS_STEP[d] & self.empty().rotate_right(ROTATIONS[d]);
        HAS_STEP[d] & over.rotate_right(ROTATIONS[d])
    }

    /// Whether the side to move has a step. It is not legal if there is a jump.
    #[inline(always)]
    pub(super) fn has_step(&self) -> bool {
        let (own, _) = self.own_and_other();
        let forward = if self.turn == Side::First { BLACK } else { WHITE };
        let kings = own & self.kings;
        let reached =
            step(own, forward) | step(own, forward + 1) | step(kings, forward ^ 2) | step(kings, (forward + 1) ^ 2);
        reached & self.empty() != 0
    }

    /// Calls `visit` for every legal move.
    #[inline(always)]
    pub(super) fn each_move(&self, mut visit: impl FnMut(Move)) {
        let jumpers = self.jumpers();
        if jumpers != 0 {
            self.each_jump(jumpers, &mut visit);
        } else {
            self.each_step(&mut visit);
        }
    }

    #[inline(always)]
    pub(super) fn each_step(&self, visit: &mut impl FnMut(Move)) {
        match self.turn {
            Side::First => self.each_step_of::<BLACK>(visit),
            Side::Second => self.each_step_of::<WHITE>(visit),
        }
    }

    #[inline(always)]
    fn each_step_of<const FORWARD: usize>(&self, visit: &mut impl FnMut(Move)) {
        let (own, _) = self.own_and_other();
        let mut steps = |pieces: u32, d: usize| {
            let mut reached = step(pieces, d) & self.empty();
            while reached != 0 {
                let to = reached & reached.wrapping_neg();
                visit(Move::step(to.rotate_right(ROTATIONS[d]), to, d));
                reached ^= to;
            }
        };
        let kings = own & self.kings;
        if kings != 0 {
            steps(kings, FORWARD ^ 2);
            steps(kings, (FORWARD + 1) ^ 2);
        }
        steps(own, FORWARD);
        steps(own, FORWARD + 1);
    }

    /// Calls `visit` for every path of jumps of the pieces `jumpers`.
    #[inline(always)]
    pub(super) fn each_jump(&self, jumpers: u32, visit: &mut impl FnMut(Move)) {
        match self.turn {
            Side::First => self.each_jump_of::<BLACK, _>(jumpers, visit),
            Side::Second => self.each_jump_of::<WHITE, _>(jumpers, visit),
        }
    }

    fn each_jump_of<const FORWARD: usize, S: FnMut(Move)>(&self, mut jumpers: u32, visit: &mut S) {
        let (_, other) = self.own_and_other();
        while jumpers != 0 {
            let from = jumpers & jumpers.wrapping_neg();
            jumpers ^= from;
            let king = self.kings & from != 0;
            let start = JumpSequence { from, to: from, captured: 0, directions: 0, count: 0, king };
            // The square it starts from counts as empty.
            continue_jumps::<FORWARD, S>(start, other, self.empty() | from, visit);
        }
    }

    /// The number of legal moves.
    pub fn count_moves(&self) -> u64 {
        let jumpers = self.jumpers();
        if jumpers != 0 {
            let mut count = 0;
            self.each_jump(jumpers, &mut |_| count += 1);
            return count;
        }
        let (own, _) = self.own_and_other();
        let forward = if self.turn == Side::First { BLACK } else { WHITE };
        let reached = |pieces, d| u64::from((step(pieces, d) & self.empty()).count_ones());
        let kings = own & self.kings;
        reached(own, forward)
            + reached(own, forward + 1)
            + reached(kings, forward ^ 2)
            + reached(kings, (forward + 1) ^ 2)
    }

    /// The number of lines of exactly `depth` plies. The moves of the last ply are counted in bulk.
    ///
    /// ```
    /// use emtee_games::checkers::Board;
    /// assert_eq!(Board::default().perft(6), 36_768);
    /// ```
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_moves(),
            _ => {
                let mut lines = 0;
                self.each_move(|m| lines += self.after(m).perft(depth - 1));
                lines
            }
        }
    }

    /// The position after a move.
    #[inline(always)]
    pub(super) fn after(&self, m: Move) -> Board {
        let (from, to) = (m.mask_from(), m.mask_to());
        let (own, other) = self.own_and_other();
        let (own, other) = (own & !from | to, other & !m.captured);
        let moved_king = self.kings & from != 0;
        let crowned = to & KING_ROWS[self.turn.index()];
        let kings = self.kings & !(from | m.captured) | if moved_king { to } else { crowned };
        let pieces = if self.turn == Side::First { [own, other] } else { [other, own] };
        Board { pieces, kings, turn: !self.turn }
    }
}

/// Continues a sequence of jumps in every direction until no further jump is possible. A man that reaches the king row
/// has no forward direction left, so its sequence ends there.
fn continue_jumps<const FORWARD: usize, S: FnMut(Move)>(jumps: JumpSequence, other: u32, empty: u32, visit: &mut S) {
    jump_once::<FORWARD, S>(jumps, other, empty, FORWARD, visit);
    jump_once::<FORWARD, S>(jumps, other, empty, FORWARD + 1, visit);
    if jumps.king {
        jump_once::<FORWARD, S>(jumps, other, empty, FORWARD ^ 2, visit);
        jump_once::<FORWARD, S>(jumps, other, empty, (FORWARD + 1) ^ 2, visit);
    }
}

/// Jumps in one direction, if possible, and continues from there.
#[inline(always)]
fn jump_once<const FORWARD: usize, S: FnMut(Move)>(
    jumps: JumpSequence,
    other: u32,
    empty: u32,
    d: usize,
    visit: &mut S,
) {
    let over = step(jumps.to, d) & other;
    let to = step(over, d) & empty;
    if to == 0 {
        return;
    }
    // No piece is jumped twice.
    let (extended, left) = (jumps.extended(over, to, d), other & !over);
    if has_jump::<FORWARD>(to, jumps.king, left, empty) {
        continue_jumps::<FORWARD, S>(extended, left, empty, visit);
    } else {
        visit(extended.finish());
    }
}

/// Whether a piece can jump from a square.
#[inline(always)]
fn has_jump<const FORWARD: usize>(from: u32, king: bool, other: u32, empty: u32) -> bool {
    let landing = |d: usize| step(step(from, d) & other, d);
    let mut to = landing(FORWARD) | landing(FORWARD + 1);
    if king {
        to |= landing(FORWARD ^ 2) | landing((FORWARD + 1) ^ 2);
    }
    to & empty != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fen: &str, counts: &[u64]) {
        let board: Board = fen.parse().unwrap();
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(board.perft(depth), count, "{fen} at depth {depth}");
        }
    }

    #[test]
    fn the_start_has_the_known_counts() {
        let start = Board::default().to_string();
        check(&start, &[7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931, 3_963_680, 18_391_564]);
    }

    #[test]
    fn rules_that_are_often_misunderstood() {
        // A king can end on its starting square.
        check("W:WK26:B14,15,22,23", &[2, 0]);
        // A man that becomes a king stops.
        check("B:W26,27:B22", &[1, 2, 4, 8, 32, 56]);
        // Any jump may be chosen, not the longest alone.
        check("B:W14,15,23:B10", &[2, 6, 12, 36, 58, 196]);
        // Several paths between the same squares are several moves.
        check("W:WK32:B27,19,11,10,18,26", &[3, 8, 16]);
        check("W:W29:B25,22", &[0]);
    }

    #[test]
    fn positions_with_kings_and_of_the_middle_game() {
        check("B:WK32,K28:BK1,K5,K14", &[6, 12, 80, 475, 3365, 14_164, 105_407]);
        let ending = "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29";
        check(ending, &[5, 38, 178, 1378, 5836, 40_745, 197_933, 1_377_007]);
        let middle = "W:W32,31,30,28,25,24,23,19,18:B17,12,7,6,5,4,3,2,1";
        check(middle, &[11, 91, 672, 4542, 27_556, 162_788, 905_763, 5_026_494]);
        let london = "W:W13,14,15,21,25,27,30,31,32:B1,3,5,6,7,8,18,19,20";
        check(london, &[12, 59, 273, 1248, 5758, 24_851, 109_753, 467_458, 2_011_785]);
    }

    #[test]
    fn generated_and_counted_moves_agree() {
        let generated = |board: &Board| {
            let mut moves = 0;
            board.each_move(|_| moves += 1);
            moves
        };
        let mut board = Board::default();
        for ply in 0u64..200 {
            assert_eq!(generated(&board), board.count_moves());
            let mut all = Vec::new();
            board.each_move(|m| all.push(m));
            let Some(&m) = all.get((emtee::mix(ply) % all.len().max(1) as u64) as usize) else { break };
            board = board.after(m);
        }
    }

    #[test]
    fn long_jumps_have_unique_codes_and_all_their_squares() {
        let board: Board = "W:WK26:B14,15,22,23,6,7".parse().unwrap();
        let mut all = Vec::new();
        board.each_move(|m| all.push(m));
        let mut texts: Vec<String> = all.iter().map(Move::to_string).collect();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), all.len());
        let mut codes: Vec<u16> = all.iter().enumerate().map(|(index, m)| m.code(index)).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), all.len());
        assert!(all.iter().all(|m| m.squares().count() as u32 == m.captures() + 1));
    }
}
