//! The patterns of the evaluation, and the fast computation of their indices.
//!
//! A pattern is a list of squares. Its index is the base-3 number of their contents (0 empty, 1 the side to move, 2 the other
//! side). Twelve shapes have 46 instances on the board; the symmetric instances of a shape share one table of weights. Two more
//! features are the mobilities of the two sides. That makes [`LANES`] features per position.
//!
//! All 46 indices are sums over squares, so they are computed together: each of the 16 half rows of own discs and 16 half rows
//! of the opponent's selects a vector, and the vectors are added. This takes 96 additions of 256 bits and 24 KB of tables.
//! Computing one index at a time takes 92 bit extractions and as many table look-ups. No incremental state in the board is
//! needed.

use super::dispatch::{Cpu, Portable};

/// The features of a position: 46 pattern indices, the mobility of the side to move and that of the opponent.
pub const LANES: usize = 48;

/// The number of pattern features.
const INSTANCES: usize = 46;

/// The cap of the mobility features.
const MAX_MOBILITY: u16 = 31;

/// One instance of each shape, as squares.
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
    let mut i = 0;
    while i < N {
        squares[i] = names[2 * i] - b'a' + 8 * (names[2 * i + 1] - b'1');
        i += 1;
    }
    squares
}

/// The layout of the weight tables, and the weights that symmetric patterns share.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The offset of each lane's table in the raw weights of a stage.
    pub offsets: [u32; LANES],
    /// The number of raw weights of a stage.
    pub raw: usize,
    /// The distinct weight of each raw weight: a pattern and its mirror image share one.
    pub distinct: Vec<u32>,
    /// The number of distinct weights of a stage.
    pub count: usize,
    /// The contribution of each half row to the pattern indices, for each of its 16 sets of discs.
    sums: Box<[[Lanes; 16]; 16]>,
}

/// One number per lane, aligned for vector loads.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Lanes([u16; LANES]);

impl Layout {
    /// Computes the tables.
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
            let instances = instances(shape);
            for instance in &instances {
                layout.offsets[lane] = layout.raw as u32;
                for (digit, &square) in instance.iter().enumerate() {
                    for set in (0..16).filter(|set| set >> (square % 4) & 1 == 1) {
                        layout.sums[usize::from(square / 4)][set].0[lane] += 3u16.pow(digit as u32);
                    }
                }
                lane += 1;
            }
            layout.add_table(&mirrored(&mirror(shape)));
        }
        debug_assert_eq!(lane, INSTANCES);
        for lane in INSTANCES..LANES {
            layout.offsets[lane] = layout.raw as u32;
            let same: Vec<usize> = (0..=usize::from(MAX_MOBILITY)).collect();
            layout.add_table(&same);
        }
        layout
    }

    /// Adds a table. `twins` is the index of each index's mirror image.
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

    /// The features of a position: for each lane, the index into its table.
    pub fn features(&self, own: u64, opponent: u64) -> [u16; LANES] {
        self.features_body::<Portable>(own, opponent)
    }

    #[inline(always)]
    pub(crate) fn features_body<M: Cpu>(&self, own: u64, opponent: u64) -> [u16; LANES] {
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
        ones[INSTANCES] = (M::mobility(own, opponent).count_ones() as u16).min(MAX_MOBILITY);
        ones[INSTANCES + 1] = (M::mobility(opponent, own).count_ones() as u16).min(MAX_MOBILITY);
        ones
    }
}

/// The image of a square under one of the eight symmetries of the board.
fn turned(square: u8, symmetry: u8) -> u8 {
    let (mut row, mut column) = (square / 8, square % 8);
    column ^= 7 * (symmetry & 1);
    row ^= 7 * (symmetry >> 1 & 1);
    if symmetry >> 2 == 1 { 8 * column + row } else { 8 * row + column }
}

/// The distinct instances of a shape on the board.
fn instances(shape: &[u8]) -> Vec<Vec<u8>> {
    let mut instances: Vec<Vec<u8>> = Vec::new();
    for symmetry in 0..8 {
        let instance: Vec<u8> = shape.iter().map(|&square| turned(square, symmetry)).collect();
        let known = |other: &Vec<u8>| instance.iter().all(|square| other.contains(square));
        if !instances.iter().any(known) {
            instances.push(instance);
        }
    }
    instances
}

/// For each square of a shape, the index of its mirror image in the shape. Every shape is symmetric.
fn mirror(shape: &[u8]) -> Vec<u32> {
    let index = |square| shape.iter().position(|&other| other == square).map(|index| index as u32);
    let images = (1..8).filter_map(|symmetry| {
        shape.iter().map(|&square| index(turned(square, symmetry))).collect::<Option<Vec<u32>>>()
    });
    let same: Vec<u32> = (0..shape.len() as u32).collect();
    images.into_iter().find(|image| *image != same).unwrap_or(same)
}

/// The index of the mirror image of every pattern, by the pattern's index.
fn mirrored(mirror: &[u32]) -> Vec<usize> {
    let mut images = vec![0];
    for &place in mirror {
        // Each square adds a digit, so the number of indices triples.
        let before = images.len();
        for digit in [1, 2] {
            let value = digit * 3usize.pow(place);
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
    fn twelve_shapes_have_46_instances() {
        let counts: Vec<usize> = SHAPES.iter().map(|shape| instances(shape).len()).collect();
        assert_eq!(counts, [4, 4, 4, 4, 4, 4, 4, 2, 4, 4, 4, 4]);
        assert_eq!(counts.iter().sum::<usize>(), INSTANCES);
    }

    #[test]
    fn features_are_the_base_three_numbers_of_the_squares() {
        let layout = Layout::new();
        for board in some_boards() {
            let features = layout.features(board.own(), board.opponent());
            for (lane, instance) in SHAPES.iter().flat_map(|shape| instances(shape)).enumerate() {
                let digit = |square: u8| (board.own() >> square & 1) + 2 * (board.opponent() >> square & 1);
                let index = instance.iter().rev().fold(0, |index, &square| 3 * index + digit(square));
                assert_eq!(u64::from(features[lane]), index, "lane {lane}");
            }
        }
    }

    #[test]
    fn mirroring_twice_is_the_identity() {
        for shape in SHAPES {
            let mirror = mirror(shape);
            let images = mirrored(&mirror);
            assert_eq!(images.len(), 3usize.pow(shape.len() as u32));
            for (index, &image) in images.iter().enumerate() {
                assert_eq!(images[image], index);
                let digit = |index: usize, place: u32| index / 3usize.pow(place) % 3;
                assert!((0..).zip(&mirror).all(|(place, &to)| digit(index, place) == digit(image, to)), "{index}");
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
