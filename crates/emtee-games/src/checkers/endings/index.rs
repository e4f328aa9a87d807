//! The index: a one-to-one mapping between the positions with few pieces and the numbers below their total.
//!
//! The side to move is always Black: a position with White to move is turned first. Positions with the same material
//! form a slice. Inside a slice, positions are ordered by the placing of the men, then by the kings of the side to
//! move, then by the kings of the other side. Positions that differ only in their kings are therefore neighbours.

use std::fmt;

use emtee::Side;

use super::super::board::{Board, KING_ROWS, Square, row_and_column, squares_of, turned};

/// The most pieces that the index supports.
pub const MOST_PIECES: usize = 6;

/// The material of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Force {
    /// The number of men.
    pub men: u8,
    /// The number of kings.
    pub kings: u8,
}

impl Force {
    /// The number of pieces.
    pub const fn pieces(self) -> usize {
        (self.men + self.kings) as usize
    }
}

/// The material of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material {
    /// The side to move.
    pub own: Force,
    /// The other side.
    pub other: Force,
}

impl Material {
    /// The number of pieces on the board.
    pub const fn pieces(self) -> usize {
        self.own.pieces() + self.other.pieces()
    }

    /// The number of men on the board.
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

/// `1m1k v 2m0k`, the side to move first.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Material { own, other } = self;
        f.pad(&format!("{}m{}k v {}m{}k", own.men, own.kings, other.men, other.kings))
    }
}

const MATERIALS: usize = (MOST_PIECES + 1).pow(4);

/// The squares on which men can stand: Black's, and White's.
const MEN_SQUARES: [u32; 2] = [!KING_ROWS[0], !KING_ROWS[1]];

/// The numbers of all positions with the same material.
#[derive(Clone, Debug)]
pub(super) struct Slice {
    pub(super) material: Material,
    /// The first number.
    pub(super) start: usize,
    /// For each placing of the men of the side to move, the number of placings of all men before it.
    placings_before: Vec<u32>,
    /// The number of placings of the men.
    pub(super) placings: usize,
    /// The number of placings of all kings, for given men.
    pub(super) kings: usize,
    /// The number of placings of the kings of the other side, for all other pieces given.
    pub(super) other_kings: usize,
}

impl Slice {
    fn new(material: Material, start: usize) -> Slice {
        let (men, other) = (u32::from(material.own.men), u32::from(material.other.men));
        let mut placings_before = Vec::new();
        let mut placings = 0;
        for own in subsets(MEN_SQUARES[0], men) {
            placings_before.push(placings as u32);
            placings += choose((MEN_SQUARES[1] & !own).count_ones(), other) as usize;
        }
        let free = 32 - men - other;
        let [own_kings, other_kings] = [material.own.kings, material.other.kings].map(u32::from);
        let other_kings = choose(free - own_kings, other_kings) as usize;
        Slice {
            material,
            start,
            placings_before,
            placings,
            kings: choose(free, own_kings) as usize * other_kings,
            other_kings,
        }
    }

    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.placings * self.kings
    }

    /// The number of the first position with these men.
    #[inline(always)]
    pub(super) fn first(&self, own: u32, other: u32) -> usize {
        let placing = self.placings_before[rank(own, MEN_SQUARES[0]) as usize] + rank(other, MEN_SQUARES[1] & !own);
        self.start + placing as usize * self.kings
    }

    /// All placings of the men, in order.
    pub(super) fn men(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let [own, other] = [self.material.own.men, self.material.other.men].map(u32::from);
        subsets(MEN_SQUARES[0], own)
            .flat_map(move |men| subsets(MEN_SQUARES[1] & !men, other).map(move |others| (men, others)))
    }
}

/// The numbers of all positions with up to a number of pieces.
#[derive(Clone, Debug)]
pub(super) struct Index {
    pub(super) pieces: usize,
    pub(super) slices: Vec<Slice>,
    /// The index of the slice of a material, by [`Material::number`].
    slice_of: Vec<u16>,
    pub(super) len: usize,
}

impl Index {
    /// Slices with fewer pieces come first; with equally many pieces, those with fewer men.
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
        let mut slice_of = vec![u16::MAX; MATERIALS];
        let mut len = 0;
        let slices: Vec<Slice> = materials
            .into_iter()
            .enumerate()
            .map(|(index, material)| {
                slice_of[material.number()] = index as u16;
                let slice = Slice::new(material, len);
                len += slice.len();
                slice
            })
            .collect();
        Index { pieces, slices, slice_of, len }
    }

    pub(super) fn slice(&self, material: Material) -> &Slice {
        &self.slices[usize::from(self.slice_of[material.number()])]
    }

    /// The number of a position. Black must be to move, both sides must have pieces, and there must be at most
    /// `self.pieces` pieces.
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
        let own_placing = slice.placings_before.partition_point(|&before| before as usize <= placing) - 1;
        let men = unrank(own_placing as u32, own.men, MEN_SQUARES[0]);
        let other_men = unrank(placing as u32 - slice.placings_before[own_placing], other.men, MEN_SQUARES[1] & !men);
        let free = !(men | other_men);
        let own_kings = unrank((kings / slice.other_kings) as u32, own.kings, free);
        let other_kings = unrank((kings % slice.other_kings) as u32, other.kings, free & !own_kings);
        position(men, other_men, own_kings, other_kings)
    }
}

/// The position with these pieces and Black to move.
#[inline(always)]
pub(super) const fn position(own_men: u32, other_men: u32, own_kings: u32, other_kings: u32) -> Board {
    Board { pieces: [own_men | own_kings, other_men | other_kings], kings: own_kings | other_kings, turn: Side::First }
}

/// The rank of the kings among all their placings, for given men.
#[inline(always)]
pub(super) fn kings_rank(other_placings: usize, men: u32, own_kings: u32, other_kings: u32) -> usize {
    rank(own_kings, !men) as usize * other_placings + rank(other_kings, !men & !own_kings) as usize
}

/// The sum of the rows by which all men have advanced. A step of a man that does not crown it increases it by one.
pub(super) fn advance(own: u32, other: u32) -> usize {
    let rows = |word: u32| -> i32 { squares_of(word).map(Square::number).map(|number| row_and_column(number).0).sum() };
    (rows(own) + rows(turned(other))) as usize
}

/// The rank of a set of squares among all sets of the same size within `within`, in the order of [`subsets`].
#[inline(always)]
fn rank(mut set: u32, within: u32) -> u32 {
    let (mut rank, mut size) = (0, 0);
    while set != 0 {
        let below = (within & ((set & set.wrapping_neg()) - 1)).count_ones();
        size += 1;
        rank += CHOOSE[size][below as usize];
        set &= set - 1;
    }
    rank
}

/// The inverse of [`rank`]: the set of `size` squares within `within` with this rank.
fn unrank(mut rank: u32, size: u8, within: u32) -> u32 {
    let mut set = 0;
    for size in (1..=usize::from(size)).rev() {
        let below = CHOOSE[size].partition_point(|&ways| ways <= rank) - 1;
        rank -= CHOOSE[size][below];
        set |= nth(within, below);
    }
    set
}

/// The n-th lowest square of `word`, from 0.
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
        // The lowest square with a free one above it moves up; the squares below it are reset to the lowest.
        let (carried, over) = (set | !within).overflowing_add(set & set.wrapping_neg());
        let kept = carried & within;
        (set != 0 && !over).then(|| kept | lowest(size - kept.count_ones()))
    })
}

/// `CHOOSE[k][n]`: the binomial coefficient, n choose k.
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
    fn subsets_are_in_the_order_of_their_ranks() {
        for (within, size) in
            [(u32::MAX, 2), (0x0f0f_1234, 3), (0x8000_0001, 2), (0b111, 3), (0b111, 4), (0, 0), (7, 0)]
        {
            let mut count = 0;
            for (expected, set) in subsets(within, size).enumerate() {
                assert_eq!((set.count_ones(), set & !within), (size, 0));
                assert_eq!(rank(set, within), expected as u32);
                assert_eq!(unrank(expected as u32, size as u8, within), set);
                count += 1;
            }
            assert_eq!(count, choose(within.count_ones(), size));
        }
    }

    #[test]
    fn a_step_of_a_man_increases_the_advance_by_one() {
        let board: Board = "B:W24,32:B1,10,18".parse().unwrap();
        let [own, other] = board.pieces;
        board.each_step(&mut |m| {
            let [own_after, other_after] = board.after(m).pieces;
            assert_eq!(advance(own_after, other_after), advance(own, other) + 1);
        });
    }
}
