//! The patterns of the evaluation, and the fast way to read them off the board.
//!
//! A pattern is a list of squares; its index is the base-3 number of what stands on them (0 empty, 1 the side to move, 2 the
//! other side). Twelve shapes lie on the board in 46 places, the symmetric places of a shape sharing one table of weights.
//! Two more features are the mobility of either side. That makes [`LANES`] numbers a position.
//!
//! All 46 indices are sums over squares, so they are computed together: 16 half rows of own discs and 16 of the
//! opponent's look up a vector each, and the vectors are added. That takes 96 additions of 256 bits, and 24 KB of tables,
//! where one index at a time takes 92 extractions and as many table look-ups; and it needs no memory in the board.

use super::machine::{Machine, Portable};

/// Features of a position: 46 pattern indices, the side to move's mobility and the opponent's.
pub const LANES: usize = 48;

/// The patterns among them.
const PLACES: usize = 46;

/// Mobility above this counts as this.
const MOST_MOVES: u16 = 31;

/// One place of each shape, as squares.
const SHAPES: [&[u8]; 12] = [
    &squares::<9>("a1b1c1a2b2c2a3b3c3"),
    &squares::<10>("a5a4a3a2a1b2b1c1d1e1"),
    &squares::<10>("b2a1b1c1d1e1f1g1h1g2"),
    &squares::<10>("a1c1d1c2d2e2f2e1f1h1"),
    &squares::<8>("a2b2c2d2e2f2g2h2"),
    &squares::<8>("a3b3c3d3e3f3g3h3"),
    &squares::<8>("a4b4c4d4e4f4g4h4"),
    &squares::<8>("a1b2c3d4e5f6g7h8"),
    &squares::<7>("b1c2d3e4f5g6h7"),
    &squares::<6>("c1d2e3f4g5h6"),
    &squares::<5>("d1e2f3g4h5"),
    &squares::<4>("e1f2g3h4"),
];

const fn squares<const N: usize>(names: &str) -> [u8; N] {
    let names = names.as_bytes();
    assert!(names.len() == 2 * N);
    let mut squares = [0; N];
    let mut at = 0;
    while at < N {
        squares[at] = names[2 * at] - b'a' + 8 * (names[2 * at + 1] - b'1');
        at += 1;
    }
    squares
}

/// Where the tables of weights lie, and which weights are one.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Where each lane's table begins among a stage's raw weights.
    pub offsets: [u32; LANES],
    /// How many raw weights a stage has.
    pub raw: usize,
    /// For each raw weight its number among the distinct ones: a pattern and its mirror image are one.
    pub distinct: Vec<u32>,
    /// How many distinct weights a stage has.
    pub count: usize,
    /// What each half row adds to the pattern indices, for each of its 16 sets of discs.
    sums: Box<[[Lanes; 16]; 16]>,
}

/// One number a lane, aligned for vector loads.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Lanes([u16; LANES]);

impl Layout {
    /// Works out the tables.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Layout {
        let mut layout = Layout {
            offsets: [0; LANES],
            raw: 0,
            distinct: Vec::new(),
            count: 0,
            sums: Box::new([[Lanes([0; LANES]); 16]; 16]),
        };
        let mut lane = 0;
        for shape in SHAPES {
            let places = places(shape);
            for place in &places {
                layout.offsets[lane] = layout.raw as u32;
                for (at, &square) in place.iter().enumerate() {
                    for set in (0..16).filter(|set| set >> (square % 4) & 1 == 1) {
                        layout.sums[usize::from(square / 4)][set].0[lane] += 3u16.pow(at as u32);
                    }
                }
                lane += 1;
            }
            layout.add_table(&mirrored(&mirror(shape)));
        }
        debug_assert_eq!(lane, PLACES);
        for lane in PLACES..LANES {
            layout.offsets[lane] = layout.raw as u32;
            let same: Vec<usize> = (0..=usize::from(MOST_MOVES)).collect();
            layout.add_table(&same);
        }
        layout
    }

    /// A table of as many weights as there are twins: the index that each index's mirror image has.
    fn add_table(&mut self, twins: &[usize]) {
        let base = self.raw;
        for (index, &twin) in twins.iter().enumerate() {
            if twin < index {
                self.distinct.push(self.distinct[base + twin]);
            } else {
                self.distinct.push(self.count as u32);
                self.count += 1;
            }
        }
        self.raw += twins.len();
    }

    /// The features of a position, given as the discs of the side to move and the other's: each an index into its lane's table.
    pub fn features(&self, own: u64, opponent: u64) -> [u16; LANES] {
        self.features_body::<Portable>(own, opponent)
    }

    #[inline(always)]
    pub(crate) fn features_body<M: Machine>(&self, own: u64, opponent: u64) -> [u16; LANES] {
        let (mut ones, mut twos) = ([0u16; LANES], [0u16; LANES]);
        for half in 0..16 {
            let mine = &self.sums[half][(own >> (4 * half) & 15) as usize].0;
            let theirs = &self.sums[half][(opponent >> (4 * half) & 15) as usize].0;
            for lane in 0..LANES {
                ones[lane] += mine[lane];
                twos[lane] += theirs[lane];
            }
        }
        for lane in 0..LANES {
            ones[lane] += 2 * twos[lane];
        }
        ones[PLACES] = (M::mobility(own, opponent).count_ones() as u16).min(MOST_MOVES);
        ones[PLACES + 1] = (M::mobility(opponent, own).count_ones() as u16).min(MOST_MOVES);
        ones
    }
}

/// A square under one of the eight symmetries of the board.
fn turned(square: u8, symmetry: u8) -> u8 {
    let (mut row, mut column) = (square / 8, square % 8);
    column ^= 7 * (symmetry & 1);
    row ^= 7 * (symmetry >> 1 & 1);
    if symmetry >> 2 == 1 { 8 * column + row } else { 8 * row + column }
}

/// The different places a shape has on the board.
fn places(shape: &[u8]) -> Vec<Vec<u8>> {
    let mut places: Vec<Vec<u8>> = Vec::new();
    for symmetry in 0..8 {
        let place: Vec<u8> = shape.iter().map(|&square| turned(square, symmetry)).collect();
        let known = |other: &Vec<u8>| place.iter().all(|square| other.contains(square));
        if !places.iter().any(known) {
            places.push(place);
        }
    }
    places
}

/// For each square of a shape the place that its mirror image has in the shape. Every shape is its own mirror image.
fn mirror(shape: &[u8]) -> Vec<u32> {
    let place = |square| shape.iter().position(|&other| other == square).map(|at| at as u32);
    let images = (1..8).filter_map(|symmetry| {
        shape.iter().map(|&square| place(turned(square, symmetry))).collect::<Option<Vec<u32>>>()
    });
    let same: Vec<u32> = (0..shape.len() as u32).collect();
    images.into_iter().find(|image| *image != same).unwrap_or(same)
}

/// The index of the mirror image of every pattern, by the pattern's index.
fn mirrored(mirror: &[u32]) -> Vec<usize> {
    let mut images = vec![0];
    for &at in mirror {
        // One more square is one more digit, the highest so far: three times as many indices.
        let before = images.len();
        for digit in [1, 2] {
            let value = digit * 3usize.pow(at);
            images.extend_from_within(..before);
            let from = images.len() - before;
            images[from..].iter_mut().for_each(|image| *image += value);
        }
    }
    images
}

#[cfg(test)]
mod tests {
    use super::super::Board;
    use super::*;
    use emtee::{Game, mix};

    fn some_boards() -> Vec<Board> {
        let mut boards = Vec::new();
        for game in 0..20 {
            let mut board = Board::default();
            for ply in 0..60 {
                let moves = emtee::legal_moves(&board);
                if moves.is_empty() {
                    break;
                }
                board = board.play(moves[(mix(game * 64 + ply) % moves.len() as u64) as usize]);
                boards.push(board);
            }
        }
        boards
    }

    #[test]
    fn twelve_shapes_have_forty_six_places() {
        let places: Vec<usize> = SHAPES.iter().map(|shape| places(shape).len()).collect();
        assert_eq!(places, [4, 4, 4, 4, 4, 4, 4, 2, 4, 4, 4, 4]);
        assert_eq!(places.iter().sum::<usize>(), PLACES);
    }

    #[test]
    fn features_are_the_base_three_numbers_of_the_squares() {
        let layout = Layout::new();
        for board in some_boards() {
            let features = layout.features(board.own(), board.opponent());
            for (lane, place) in SHAPES.iter().flat_map(|shape| places(shape)).enumerate() {
                let digit = |square: u8| (board.own() >> square & 1) + 2 * (board.opponent() >> square & 1);
                let index = place.iter().rev().fold(0, |index, &square| 3 * index + digit(square));
                assert_eq!(u64::from(features[lane]), index, "lane {lane}");
            }
        }
    }

    #[test]
    fn images_of_images_are_themselves() {
        for shape in SHAPES {
            let mirror = mirror(shape);
            let images = mirrored(&mirror);
            assert_eq!(images.len(), 3usize.pow(shape.len() as u32));
            for (index, &image) in images.iter().enumerate() {
                assert_eq!(images[image], index);
                let digit = |index: usize, at: u32| index / 3usize.pow(at) % 3;
                assert!((0..).zip(&mirror).all(|(at, &to)| digit(index, at) == digit(image, to)), "{index}");
            }
        }
    }

    #[test]
    fn symmetric_boards_have_the_same_distinct_features() {
        let layout = Layout::new();
        let distinct = |board: &Board| {
            let features = layout.features(board.own(), board.opponent());
            let mut numbers: Vec<u32> = (0..LANES)
                .map(|lane| layout.distinct[layout.offsets[lane] as usize + usize::from(features[lane])])
                .collect();
            numbers.sort_unstable();
            numbers
        };
        for board in some_boards() {
            for symmetry in 1..8 {
                assert_eq!(distinct(&board.transformed(symmetry)), distinct(&board));
            }
        }
    }
}
