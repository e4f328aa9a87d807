//! The evaluations: trained patterns, and a plain evaluation for comparison.

use std::sync::OnceLock;

use emtee::Evaluate;

use super::Board;
use super::board::POINTS_PER_DISC;
use super::dispatch::{Avx2, Cpu, Portable, available};
use super::moves::mobility;
use super::patterns::{LANES, Layout};

/// The number of game stages, each with its own weights.
pub const STAGES: usize = 15;

/// The unit of weights is 1/32 of a disc: rounding 48 of them adds less than a tenth of a disc to the error.
pub const WEIGHTS_PER_DISC: i32 = 32;

/// Evaluations are at most 63 discs: only a finished game can score 64.
const LIMIT: i32 = 63 * POINTS_PER_DISC;

/// The stage of a position with this number of empty squares.
#[inline(always)]
pub const fn stage(empties: u32) -> usize {
    let placed = 60u32.saturating_sub(empties) as usize;
    // Stages have four plies each, the first and the last one five.
    let stage = placed.saturating_sub(1) / 4;
    if stage < STAGES { stage } else { STAGES - 1 }
}

/// The trained evaluation: the expected final disc difference for the side to move, in points.
#[inline]
pub fn evaluate(board: &Board) -> i32 {
    patterns().evaluate(board)
}

/// Decodes embedded weights. A test checks that they decode. Panics instead of silently playing with weights of 0.
fn included(bytes: &[u8]) -> Patterns {
    Patterns::decode(bytes).unwrap_or_else(|| panic!("the weights of Othello in this program cannot be decoded"))
}

/// The pattern tables, decoded on first use.
#[inline(always)]
pub(crate) fn patterns() -> &'static Patterns {
    static PATTERNS: OnceLock<Patterns> = OnceLock::new();
    PATTERNS.get_or_init(|| included(include_bytes!("weights.bin")))
}

/// The evaluation by the same patterns with weights learnt from self-play.
///
/// Engines use it. Experiments use [`evaluate`], so that their counts stay comparable.
///
/// ```
/// use emtee::Evaluate;
/// use emtee_games::othello::{Board, Learnt};
/// // Black has two corners and the edge between them.
/// let board: Board = "XXXXXXXX---XO------XXO----XOXXO---OOXO---OOOOO------------------ X".parse()?;
/// assert!(Learnt.evaluate(&board) > 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Learnt;

impl Evaluate<Board> for Learnt {
    #[inline]
    fn evaluate(&self, board: &Board) -> i32 {
        static PATTERNS: OnceLock<Patterns> = OnceLock::new();
        let patterns = PATTERNS.get_or_init(|| included(include_bytes!("learnt.bin")));
        patterns.evaluate(board)
    }
}

/// The weights of every stage, and their layout.
#[derive(Debug)]
pub struct Patterns {
    layout: Layout,
    /// The raw weights, [`STAGE_LEN`] per stage: a power of two, so that a masked index needs no bounds check.
    weights: Vec<i16>,
}

/// The length of a stage in `weights`.
const STAGE_LEN: usize = 1 << 18;

impl Patterns {
    fn zeroed(layout: Layout) -> Patterns {
        debug_assert!(layout.raw <= STAGE_LEN);
        Patterns { weights: vec![0; STAGE_LEN * STAGES], layout }
    }

    /// Builds the tables from distinct weights, stage by stage, in 1/[`WEIGHTS_PER_DISC`] of a disc. `None` if their number is
    /// wrong.
    pub fn from_weights(stages: &[Vec<i16>]) -> Option<Patterns> {
        Patterns::with_layout(Layout::new(), stages)
    }

    fn with_layout(layout: Layout, stages: &[Vec<i16>]) -> Option<Patterns> {
        let mut patterns = Patterns::zeroed(layout);
        if stages.len() != STAGES || stages.iter().any(|stage| stage.len() != patterns.layout.count) {
            return None;
        }
        for (table, weights) in patterns.weights.chunks_mut(STAGE_LEN).zip(stages) {
            for (weight, &number) in table.iter_mut().zip(&patterns.layout.distinct) {
                *weight = weights[number as usize];
            }
        }
        Some(patterns)
    }

    /// The evaluation of a position, in points.
    #[inline(always)]
    pub fn evaluate(&self, board: &Board) -> i32 {
        let sum = self.score(board.own(), board.opponent());
        let points = (sum * POINTS_PER_DISC + WEIGHTS_PER_DISC / 2).div_euclid(WEIGHTS_PER_DISC);
        points.clamp(-LIMIT, LIMIT)
    }

    /// The evaluation before rounding, in 1/[`WEIGHTS_PER_DISC`] of a disc.
    #[inline(always)]
    pub(crate) fn score(&self, own: u64, opponent: u64) -> i32 {
        if available() { Avx2::score(self, own, opponent) } else { Portable::score(self, own, opponent) }
    }

    /// The body of [`Cpu::score`].
    #[inline(always)]
    pub(crate) fn score_body<M: Cpu>(&self, own: u64, opponent: u64) -> i32 {
        let features = self.layout.features_body::<M>(own, opponent);
        let weights: &[i16; STAGE_LEN] = &self.weights.as_chunks().0[stage((own | opponent).count_zeros())];
        let indices: [u32; LANES] = std::array::from_fn(|lane| self.layout.offsets[lane] + u32::from(features[lane]));
        indices.iter().map(|&index| i32::from(weights[index as usize & (STAGE_LEN - 1)])).sum()
    }

    /// Decodes the output of [`encode`]; `None` for other bytes.
    pub fn decode(bytes: &[u8]) -> Option<Patterns> {
        let layout = Layout::new();
        let count = layout.count;
        let mut rest = bytes.strip_prefix(HEADER)?;
        let mut stages = Vec::new();
        for _ in 0..STAGES {
            let mut stage = Vec::with_capacity(count);
            while stage.len() < count {
                match read_varint(&mut rest)? {
                    0 => {
                        let zeros = stage.len() + read_varint(&mut rest)? as usize + 1;
                        if zeros > count {
                            return None;
                        }
                        stage.resize(zeros, 0);
                    }
                    n => stage.push(i16::try_from((n >> 1) as i32 ^ -((n & 1) as i32)).ok()?),
                }
            }
            stages.push(stage);
        }
        if rest.is_empty() { Patterns::with_layout(layout, &stages) } else { None }
    }
}

const HEADER: &[u8] = b"emtee othello 1\n";

/// Encodes distinct weights, stage by stage, as variable-length integers with the sign in the lowest bit. A zero is followed by
/// the number of further zeros: half of the patterns never occurred in a game.
pub fn encode(stages: &[Vec<i16>]) -> Vec<u8> {
    let mut bytes = HEADER.to_vec();
    for stage in stages {
        let mut index = 0;
        while index < stage.len() {
            let zeros = stage[index..].iter().take_while(|&&weight| weight == 0).count();
            if zeros > 0 {
                write_varint(&mut bytes, 0);
                write_varint(&mut bytes, zeros as u32 - 1);
                index += zeros;
            } else {
                let weight = i32::from(stage[index]);
                write_varint(&mut bytes, (weight << 1 ^ weight >> 31) as u32);
                index += 1;
            }
        }
    }
    bytes
}

/// LEB128: seven bits per byte, lowest first; the top bit is set if more bytes follow.
fn write_varint(bytes: &mut Vec<u8>, mut n: u32) {
    while n >= 128 {
        bytes.push(n as u8 | 128);
        n >>= 7;
    }
    bytes.push(n as u8);
}

fn read_varint(bytes: &mut &[u8]) -> Option<u32> {
    let mut n = 0u32;
    for index in 0..5 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        n |= u32::from(byte & 127).checked_shl(7 * index)?;
        if byte < 128 {
            return Some(n);
        }
    }
    None
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The plain evaluation for comparison: each additional move is worth 3/4 of a disc, a corner ten discs, and a disc on the
/// diagonal next to an empty corner costs four discs.
pub fn plain(board: &Board) -> i32 {
    let (own, opponent) = (board.own(), board.opponent());
    let mobility = mobility(own, opponent).count_ones() as i32 - mobility(opponent, own).count_ones() as i32;
    let corners = (own & CORNERS).count_ones() as i32 - (opponent & CORNERS).count_ones() as i32;
    let empty_corners = CORNERS & !(own | opponent);
    let beside = (empty_corners & 1) << 9
        | (empty_corners & 1 << 7) << 7
        | (empty_corners & 1 << 56) >> 7
        | (empty_corners & 1 << 63) >> 9;
    let risky = (own & beside).count_ones() as i32 - (opponent & beside).count_ones() as i32;
    POINTS_PER_DISC * (3 * mobility + 40 * corners - 16 * risky) / 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use emtee::Game;

    #[test]
    fn embedded_weights_are_decoded() {
        assert!(Patterns::decode(include_bytes!("weights.bin")).is_some());
        assert!(Patterns::decode(include_bytes!("learnt.bin")).is_some());
        for value in [evaluate(&Board::default()), Learnt.evaluate(&Board::default())] {
            assert_eq!(value.abs() / (4 * POINTS_PER_DISC), 0, "the start position is about even");
        }
    }

    #[test]
    fn weights_survive_encoding() {
        let count = Layout::new().count;
        let weight =
            |index: usize| if index.is_multiple_of(3) { 0 } else { (emtee::mix(index as u64) % 4001) as i16 - 2000 };
        let stages: Vec<Vec<i16>> =
            (0..STAGES).map(|stage| (0..count).map(|index| weight(index * 16 + stage)).collect()).collect();
        let bytes = encode(&stages);
        let (once, twice) = (Patterns::decode(&bytes).unwrap(), Patterns::from_weights(&stages).unwrap());
        assert_eq!(once.weights, twice.weights);
        assert!(Patterns::decode(&bytes[..bytes.len() - 1]).is_none(), "too short");
        assert!(Patterns::decode(&[&bytes[..], &[1]].concat()).is_none(), "too long");
        assert!(Patterns::decode(b"").is_none());
    }

    #[test]
    fn symmetric_positions_have_the_same_value() {
        let mut board = Board::default();
        for ply in 0..50 {
            for symmetry in 0..8 {
                let turned = board.transformed(symmetry);
                assert_eq!(evaluate(&turned), evaluate(&board));
                assert_eq!(Learnt.evaluate(&turned), Learnt.evaluate(&board));
                assert_eq!(plain(&turned), plain(&board));
            }
            let moves = emtee::legal_moves(&board);
            if moves.is_empty() {
                break;
            }
            board = board.play(moves[ply * 7 % moves.len()]);
        }
    }

    #[test]
    fn colours_do_not_matter() {
        let board = Board::default().play(super::super::Move::to(44).unwrap());
        let swapped = Board::new(board.white(), board.black(), !board.turn()).unwrap();
        assert_eq!(evaluate(&swapped), evaluate(&board));
    }

    #[test]
    fn portable_and_avx2_evaluations_agree() {
        if !available() {
            return;
        }
        for position in super::super::paper_set() {
            let board: Board = position.text.parse().unwrap();
            let (own, opponent) = (board.own(), board.opponent());
            assert_eq!(Avx2::score(patterns(), own, opponent), Portable::score(patterns(), own, opponent));
            for square in super::super::Squares(board.placements()) {
                assert_eq!(Avx2::hint(own, opponent, square), Portable::hint(own, opponent, square));
            }
        }
    }

    #[test]
    fn stages_follow_the_discs() {
        assert_eq!([60, 56, 55, 52, 51, 4, 3, 0].map(stage), [0, 0, 1, 1, 2, 13, 14, 14]);
    }
}
