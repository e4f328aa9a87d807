//! Every position with few pieces has a number, and every number below the total is a position.
//!
//! Positions are seen from the side to move, as Black: a position with White to move is turned round first. Those with the same
//! material make a slice. Inside it, first comes where the men stand, then the kings of the side to move, then those of
//! the other: positions that differ by the kings alone lie together.

use std::fmt;

use emtee::Side;

use super::super::board::{Board, KING_ROWS, Square, row_and_column, squares_of, turned};

/// The most pieces there are numbers for.
pub const MOST_PIECES: usize = 6;

/// What one side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Force {
    /// How many men.
    pub men: u8,
    /// How many kings.
    pub kings: u8,
}

impl Force {
    /// How many pieces.
    pub const fn pieces(self) -> usize {
        (self.men + self.kings) as usize
    }
}

/// What both sides have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material {
    /// The side to move.
    pub own: Force,
    /// The other side.
    pub other: Force,
}

impl Material {
    /// How many pieces there are on the board.
    pub const fn pieces(self) -> usize {
        self.own.pieces() + self.other.pieces()
    }

    /// How many of them are men.
    pub(super) const fn men(self) -> usize {
        (self.own.men + self.other.men) as usize
    }

    /// The same, with the other side to move.
    pub(super) const fn swapped(self) -> Material {
        Material { own: self.other, other: self.own }
    }

    fn of(board: &Board) -> Material {
        let force = |side| {
            let (men, kings) = board.count(side);
            Force { men: men as u8, kings: kings as u8 }
        };
        Material { own: force(Side::First), other: force(Side::Second) }
    }

    /// A number below `MATERIALS`.
    fn number(self) -> usize {
        const BASE: usize = MOST_PIECES + 1;
        [self.own.men, self.own.kings, self.other.men, self.other.kings].iter().fold(0, |n, &c| n * BASE + c as usize)
    }
}

/// `1m1k v 2m0k`: the side to move comes first.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Material { own, other } = self;
        f.pad(&format!("{}m{}k v {}m{}k", own.men, own.kings, other.men, other.kings))
    }
}

const MATERIALS: usize = (MOST_PIECES + 1).pow(4);

/// Where men can stand: Black's, and White's.
const MEN: [u32; 2] = [!KING_ROWS[0], !KING_ROWS[1]];

/// The numbers of all positions with the same material.
#[derive(Clone, Debug)]
pub(super) struct Slice {
    pub(super) material: Material,
    /// The first number.
    pub(super) start: usize,
    /// How many ways to place the men come before each way to place those of the side to move.
    before: Vec<u32>,
    /// In how many ways the men can be placed.
    pub(super) placings: usize,
    /// And then the kings.
    pub(super) kings: usize,
    /// And the kings of the other side, once all else stands.
    pub(super) other_kings: usize,
}

impl Slice {
    fn new(material: Material, start: usize) -> Slice {
        let (men, other) = (u32::from(material.own.men), u32::from(material.other.men));
        let mut before = Vec::new();
        let mut placings = 0;
        for own in subsets(MEN[0], men) {
            before.push(placings as u32);
            placings += choose((MEN[1] & !own).count_ones(), other) as usize;
        }
        let free = 32 - men - other;
        let [own_kings, other_kings] = [material.own.kings, material.other.kings].map(u32::from);
        let other_kings = choose(free - own_kings, other_kings) as usize;
        Slice { material, start, before, placings, kings: choose(free, own_kings) as usize * other_kings, other_kings }
    }

    /// How many positions there are.
    pub(super) fn len(&self) -> usize {
        self.placings * self.kings
    }

    /// The number of the first position with these men.
    #[inline(always)]
    pub(super) fn first(&self, own: u32, other: u32) -> usize {
        let placing = self.before[rank(own, MEN[0]) as usize] + rank(other, MEN[1] & !own);
        self.start + placing as usize * self.kings
    }

    /// Every way to place the men, in order.
    pub(super) fn men(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let [own, other] = [self.material.own.men, self.material.other.men].map(u32::from);
        subsets(MEN[0], own).flat_map(move |men| subsets(MEN[1] & !men, other).map(move |others| (men, others)))
    }
}

/// The numbers of all positions with up to so many pieces.
#[derive(Clone, Debug)]
pub(super) struct Index {
    pub(super) pieces: usize,
    pub(super) slices: Vec<Slice>,
    /// Which slice has a material, by [`Material::number`].
    of: Vec<u16>,
    pub(super) len: usize,
}

impl Index {
    /// The slices with fewer pieces come first, and of those with as many, the ones with fewer men.
    pub(super) fn new(pieces: usize) -> Index {
        let mut materials = Vec::new();
        for n in 2..=pieces {
            for own in 1..n {
                for men in 0..=own {
                    for other_men in 0..=n - own {
                        let force = |pieces: usize, men: usize| Force { men: men as u8, kings: (pieces - men) as u8 };
                        materials.push(Material { own: force(own, men), other: force(n - own, other_men) });
                    }
                }
            }
        }
        materials.sort_by_key(|m| (m.pieces(), m.men(), *m));
        let mut of = vec![u16::MAX; MATERIALS];
        let mut len = 0;
        let slices: Vec<Slice> = materials
            .into_iter()
            .enumerate()
            .map(|(at, material)| {
                of[material.number()] = at as u16;
                let slice = Slice::new(material, len);
                len += slice.len();
                slice
            })
            .collect();
        Index { pieces, slices, of, len }
    }

    pub(super) fn slice(&self, material: Material) -> &Slice {
        &self.slices[usize::from(self.of[material.number()])]
    }

    /// The number of a position in which Black is to move and both sides have pieces, no more than there are numbers for.
    #[inline(always)]
    pub(super) fn of(&self, board: &Board) -> usize {
        let [own, other] = board.pieces;
        let men = !board.kings;
        let slice = self.slice(Material::of(board));
        let (own_kings, other_kings) = (own & board.kings, other & board.kings);
        slice.first(own & men, other & men)
            + kings_rank(slice.other_kings, own & men | other & men, own_kings, other_kings)
    }

    /// The position with a number below [`len`](Index::len).
    pub(super) fn board(&self, number: usize) -> Board {
        let slice = &self.slices[self.slices.partition_point(|slice| slice.start <= number) - 1];
        let Material { own, other } = slice.material;
        let (placing, kings) = ((number - slice.start) / slice.kings, (number - slice.start) % slice.kings);
        let at = slice.before.partition_point(|&before| before as usize <= placing) - 1;
        let men = unrank(at as u32, own.men, MEN[0]);
        let other_men = unrank(placing as u32 - slice.before[at], other.men, MEN[1] & !men);
        let free = !(men | other_men);
        let own_kings = unrank((kings / slice.other_kings) as u32, own.kings, free);
        let other_kings = unrank((kings % slice.other_kings) as u32, other.kings, free & !own_kings);
        seen(men, other_men, own_kings, other_kings)
    }
}

/// A position with Black to move.
#[inline(always)]
pub(super) const fn seen(own_men: u32, other_men: u32, own_kings: u32, other_kings: u32) -> Board {
    Board { pieces: [own_men | own_kings, other_men | other_kings], kings: own_kings | other_kings, turn: Side::First }
}

/// The place of the kings among all ways to place them around the men.
#[inline(always)]
pub(super) fn kings_rank(other_ways: usize, men: u32, own_kings: u32, other_kings: u32) -> usize {
    rank(own_kings, !men) as usize * other_ways + rank(other_kings, !men & !own_kings) as usize
}

/// How far all men have come: a step of a man that does not crown it takes this up by one.
pub(super) fn advance(own: u32, other: u32) -> usize {
    let rows = |word: u32| -> i32 { squares_of(word).map(Square::number).map(|number| row_and_column(number).0).sum() };
    (rows(own) + rows(turned(other))) as usize
}

/// The place of a set of squares among all sets as large within `within`, in the order of [`subsets`].
#[inline(always)]
fn rank(mut set: u32, within: u32) -> u32 {
    let (mut rank, mut place) = (0, 0);
    while set != 0 {
        let below = (within & ((set & set.wrapping_neg()) - 1)).count_ones();
        place += 1;
        rank += CHOOSE[place][below as usize];
        set &= set - 1;
    }
    rank
}

/// The set of `size` squares within `within` that has this place.
fn unrank(mut rank: u32, size: u8, within: u32) -> u32 {
    let mut set = 0;
    for place in (1..=usize::from(size)).rev() {
        let below = CHOOSE[place].partition_point(|&ways| ways <= rank) - 1;
        rank -= CHOOSE[place][below];
        set |= nth(within, below);
    }
    set
}

/// The square of `word` that has `n` others below it.
fn nth(mut word: u32, n: usize) -> u32 {
    for _ in 0..n {
        word &= word - 1;
    }
    word & word.wrapping_neg()
}

/// All sets of `size` squares within `within`.
pub(super) fn subsets(within: u32, size: u32) -> impl Iterator<Item = u32> {
    let lowest = move |size: u32| {
        (0..size).fold((0, within), |(set, rest), _| (set | rest & rest.wrapping_neg(), rest & rest.wrapping_sub(1))).0
    };
    let first = (size <= within.count_ones()).then(|| lowest(size));
    std::iter::successors(first, move |&set| {
        // The lowest square that has a free one above it moves up; those below it begin anew.
        let (carried, over) = (set | !within).overflowing_add(set & set.wrapping_neg());
        let kept = carried & within;
        (set != 0 && !over).then(|| kept | lowest(size - kept.count_ones()))
    })
}

/// `CHOOSE[k][n]`: in how many ways k of n squares can be chosen.
static CHOOSE: [[u32; 33]; MOST_PIECES + 1] = {
    let mut choose = [[0; 33]; MOST_PIECES + 1];
    let mut n = 0;
    while n <= 32 {
        choose[0][n] = 1;
        let mut k = 1;
        while k <= MOST_PIECES && n > 0 {
            choose[k][n] = choose[k][n - 1] + choose[k - 1][n - 1];
            k += 1;
        }
        n += 1;
    }
    choose
};

fn choose(n: u32, k: u32) -> u32 {
    CHOOSE[k as usize][n as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_positions_are_one_to_one() {
        let index = Index::new(3);
        assert_eq!(index.len, 3_488 + 196_032);
        for number in 0..index.len {
            let board = index.board(number);
            assert_eq!(index.of(&board), number, "{board}");
        }
        let index = Index::new(5);
        assert_eq!(index.len, 3_488 + 196_032 + 6_209_316 + 139_450_808);
        for number in (0..index.len).step_by(9_973) {
            let board = index.board(number);
            assert_eq!(index.of(&board), number, "{board}");
            assert!(board.to_string().parse::<Board>() == Ok(board), "{board}");
        }
    }

    #[test]
    fn sets_come_in_the_order_of_their_places() {
        for (within, size) in
            [(u32::MAX, 2), (0x0f0f_1234, 3), (0x8000_0001, 2), (0b111, 3), (0b111, 4), (0, 0), (7, 0)]
        {
            let mut ways = 0;
            for (place, set) in subsets(within, size).enumerate() {
                assert_eq!((set.count_ones(), set & !within), (size, 0));
                assert_eq!(rank(set, within), place as u32);
                assert_eq!(unrank(place as u32, size as u8, within), set);
                ways += 1;
            }
            assert_eq!(ways, choose(within.count_ones(), size));
        }
    }

    #[test]
    fn a_step_of_a_man_is_an_advance() {
        let board: Board = "B:W24,32:B1,10,18".parse().unwrap();
        let [own, other] = board.pieces;
        board.each_step(&mut |m| {
            let [own_after, other_after] = board.after(m).pieces;
            assert_eq!(advance(own_after, other_after), advance(own, other) + 1);
        });
    }
}
