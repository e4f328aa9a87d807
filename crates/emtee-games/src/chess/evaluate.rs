//! The evaluation in centipawns: a weighted sum of features, tapered from middlegame to endgame.
//!
//! It is linear in its weights, so that they can be tuned: [`trace`] returns the feature counts that [`evaluate_with`]
//! multiplies by the weights. `examples/tune_chess.rs` fits the weights to the results of self-play games.

use std::sync::LazyLock;

use cozy_chess::{BitBoard, Color, Piece, Square};

use super::board::Board;
use super::features::{self, GROUPS, on_square};
use super::pawns::{self, Pawns};
use super::{dispatch, handwritten, king, pieces, weights};

pub use super::features::COUNT;

/// The weights of all features. Middlegame and endgame share one number, so that one addition adds both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    packed: [i32; COUNT],
    /// Material and piece-square weight together, from White's side, by colour, piece and square.
    on_square: [[[i32; Square::NUM]; Piece::NUM]; Color::NUM],
}

/// The weights that [`evaluate`] uses.
static TUNED: Weights = Weights::new(&weights::TUNED);

impl Weights {
    /// Weights from pairs of a middlegame and an endgame weight, one pair per feature.
    pub const fn new(pairs: &[(i16, i16); COUNT]) -> Weights {
        let mut packed = [0; COUNT];
        let mut index = 0;
        while index < COUNT {
            packed[index] = pack(pairs[index].0, pairs[index].1);
            index += 1;
        }
        let mut on_square = [[[0; Square::NUM]; Piece::NUM]; Color::NUM];
        let mut index = 0;
        while index < Square::NUM * Piece::NUM {
            let (piece, square) = (Piece::ALL[index / Square::NUM], Square::ALL[index % Square::NUM]);
            let material = if matches!(piece, Piece::King) { 0 } else { packed[features::MATERIAL + piece as usize] };
            let white = packed[features::on_square(piece, square, Color::White)];
            let black = packed[features::on_square(piece, square, Color::Black)];
            on_square[Color::White as usize][piece as usize][square as usize] = material + white;
            on_square[Color::Black as usize][piece as usize][square as usize] = -(material + black);
            index += 1;
        }
        Weights { packed, on_square }
    }

    /// The tuned weights.
    pub fn tuned() -> &'static Weights {
        &TUNED
    }

    /// Material and piece-square weights alone, not tuned: the usual piece values, pieces in the centre, advanced
    /// pawns, and in the middlegame a king on its first rank. The baseline for other evaluations.
    pub fn plain() -> &'static Weights {
        static PLAIN: LazyLock<Weights> = LazyLock::new(|| Weights::new(&handwritten::plain()));
        &PLAIN
    }

    /// [`plain`](Weights::plain), and hand-written weights for all other features. The tuner starts here.
    pub fn handwritten() -> &'static Weights {
        static HANDWRITTEN: LazyLock<Weights> = LazyLock::new(|| Weights::new(&handwritten::pairs()));
        &HANDWRITTEN
    }

    /// The weights as pairs of middlegame and endgame.
    pub fn pairs(&self) -> Vec<(i16, i16)> {
        self.packed.iter().map(|&packed| unpack(packed)).map(|(mg, eg)| (mg as i16, eg as i16)).collect()
    }
}

#[inline(always)]
const fn pack(mg: i16, eg: i16) -> i32 {
    ((eg as i32) << 16) + mg as i32
}

#[inline(always)]
const fn unpack(packed: i32) -> (i32, i32) {
    (packed as i16 as i32, (packed + 0x8000) >> 16)
}

/// The groups of features: a name, the number of the first feature, and how many there are.
pub fn groups() -> impl Iterator<Item = (&'static str, usize, usize)> {
    GROUPS.iter().map(|group| (group.name, group.first, group.len))
}

/// The value for the side to move, with the tuned weights.
#[inline]
pub fn evaluate(board: &Board) -> i32 {
    evaluate_with(&TUNED, board)
}

/// The value for the side to move, with these weights.
#[inline]
pub fn evaluate_with(weights: &Weights, board: &Board) -> i32 {
    dispatch::evaluate(weights, board)
}

/// The same without runtime CPU detection.
#[inline(always)]
pub(super) fn evaluate_portable(weights: &Weights, board: &Board) -> i32 {
    let mut sum = Sum { weights, packed: 0 };
    collect(board, &mut sum);
    let (mg, eg) = unpack(sum.packed);
    let phase = phase(board);
    let eg = eg * scale_factor(board, eg) / FULL_SCALE;
    let value = (mg * phase + eg * (FULL_PHASE - phase)) / FULL_PHASE;
    let value = value.clamp(-30_000, 30_000);
    if board.rules.side_to_move() == Color::White { value } else { -value }
}

/// The feature counts of a position, from White's side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Features, each with White's count minus Black's. A feature can occur several times.
    pub counts: Vec<(u16, i8)>,
    /// The share of the middlegame weights, from 0 to 1.
    pub middlegame: f32,
    /// The share of the endgame weights, from 0 to 1. It is scaled down in drawish endgames.
    pub endgame: f32,
}

/// The feature counts of a position. The weights only decide which side is ahead, for the endgame scale.
pub fn trace(weights: &Weights, board: &Board) -> Trace {
    let mut trace = Trace::default();
    collect(board, &mut trace);
    let mut sum = Sum { weights, packed: 0 };
    collect(board, &mut sum);
    let (_, eg) = unpack(sum.packed);
    let phase = phase(board) as f32 / FULL_PHASE as f32;
    trace.middlegame = phase;
    trace.endgame = (1.0 - phase) * scale_factor(board, eg) as f32 / FULL_SCALE as f32;
    trace
}

/// Receives the features of a position.
pub(super) trait FeatureSink {
    /// `side` has the feature `count` times.
    fn add(&mut self, side: Color, feature: usize, count: i32);

    /// `side` has a piece on a square.
    fn add_piece(&mut self, side: Color, piece: Piece, square: Square);

    /// `side` has the feature once for each square of a set. Fast for sets that are mostly empty.
    #[inline(always)]
    fn add_each(&mut self, side: Color, feature: usize, mut set: BitBoard) {
        // Without a popcnt instruction, counting bits costs more than testing for an empty set.
        while !set.is_empty() {
            self.add(side, feature, 1);
            set.0 &= set.0 - 1;
        }
    }
}

struct Sum<'w> {
    weights: &'w Weights,
    packed: i32,
}

impl FeatureSink for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, side: Color, feature: usize, count: i32) {
        let weight = count * self.weights.packed[feature];
        self.packed += if matches!(side, Color::White) { weight } else { -weight };
    }

    #[inline(always)]
    fn add_piece(&mut self, side: Color, piece: Piece, square: Square) {
        self.packed += self.weights.on_square[side as usize][piece as usize][square as usize];
    }
}

impl FeatureSink for Trace {
    fn add(&mut self, side: Color, feature: usize, count: i32) {
        if count != 0 {
            let count = if side == Color::White { count } else { -count };
            self.counts.push((feature as u16, count as i8));
        }
    }

    fn add_piece(&mut self, side: Color, piece: Piece, square: Square) {
        if piece != Piece::King {
            self.add(side, features::MATERIAL + piece as usize, 1);
        }
        self.add(side, on_square(piece, square, side), 1);
    }
}

const FULL_PHASE: i32 = 24;
const FULL_SCALE: i32 = 64;

/// 24 with all pieces on the board, 0 with pawns and kings alone.
#[inline(always)]
fn phase(board: &Board) -> i32 {
    let count = |piece| board.rules.pieces(piece).len() as i32;
    let phase = count(Piece::Knight) + count(Piece::Bishop) + 2 * count(Piece::Rook) + 4 * count(Piece::Queen);
    phase.min(FULL_PHASE)
}

/// Endgame scale factor in 64ths: lower in drawish endgames.
#[inline(always)]
fn scale_factor(board: &Board, eg: i32) -> i32 {
    let rules = &board.rules;
    let side = if eg > 0 { Color::White } else { Color::Black };
    let piece_values = |side| {
        let count = |piece| rules.colored_pieces(side, piece).len() as i32;
        3 * (count(Piece::Knight) + count(Piece::Bishop)) + 5 * count(Piece::Rook) + 10 * count(Piece::Queen)
    };
    // Without pawns, an advantage of a minor piece or less rarely wins.
    if rules.colored_pieces(side, Piece::Pawn).is_empty() {
        let (ours, theirs) = (piece_values(side), piece_values(!side));
        if ours - theirs <= 3 {
            return if ours <= 3 { 0 } else { 12 };
        }
        // Two knights cannot force mate.
        if ours == 6 && rules.colored_pieces(side, Piece::Knight).len() == 2 {
            return 4;
        }
        return FULL_SCALE;
    }
    // Opposite-coloured bishops, and no other pieces.
    let others = rules.pieces(Piece::Knight) | rules.pieces(Piece::Rook) | rules.pieces(Piece::Queen);
    if !others.is_empty() {
        return FULL_SCALE;
    }
    let bishops = rules.pieces(Piece::Bishop);
    let one_each = bishops.len() == 2 && (bishops & rules.colors(side)).len() == 1;
    if one_each && (bishops & BitBoard::DARK_SQUARES).len() == 1 { 36 } else { FULL_SCALE }
}

/// Adds all features of a position to `sink`.
#[inline(always)]
fn collect(board: &Board, sink: &mut impl FeatureSink) {
    let white_pawns = Pawns::new(board, Color::White);
    let black_pawns = Pawns::new(board, Color::Black);
    pawns::collect(board, Color::White, &white_pawns, &black_pawns, sink);
    pawns::collect(board, Color::Black, &black_pawns, &white_pawns, sink);
    let white = pieces::collect(board, Color::White, &white_pawns, &black_pawns, sink);
    let black = pieces::collect(board, Color::Black, &black_pawns, &white_pawns, sink);
    king::collect(board, Color::White, &white_pawns, &white, &black, sink);
    king::collect(board, Color::Black, &black_pawns, &black, &white, sink);
    pieces::threats(board, Color::White, &white, &black, sink);
    pieces::threats(board, Color::Black, &black, &white, sink);
    sink.add(board.rules.side_to_move(), features::TEMPO, 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use emtee::{Game, legal_moves, mix};

    #[test]
    fn weights_are_packed_and_unpacked() {
        for pair in [(0, 0), (-1, 1), (1, -1), (-300, -300), (30_000, -30_000), (-30_000, 30_000)] {
            assert_eq!(unpack(pack(pair.0, pair.1)), (i32::from(pair.0), i32::from(pair.1)));
        }
        assert_eq!(Weights::new(&weights::TUNED).pairs(), weights::TUNED);
    }

    /// Positions along random games.
    fn random_games(mut visit: impl FnMut(&Board)) {
        let mut random = 7;
        for _ in 0..60 {
            let mut board = Board::default();
            for _ in 0..150 {
                visit(&board);
                let moves = legal_moves(&board);
                if moves.is_empty() {
                    break;
                }
                random += 1;
                board = board.play(moves[(mix(random) % moves.len() as u64) as usize]);
            }
        }
    }

    #[test]
    fn mirrored_positions_have_the_same_value() {
        random_games(|board| {
            assert_eq!(board.evaluate(), board.mirrored().evaluate(), "{board}");
            let plain = Weights::plain();
            assert_eq!(evaluate_with(plain, board), evaluate_with(plain, &board.mirrored()), "{board}");
        });
    }

    #[test]
    fn the_trace_adds_up_to_the_evaluation() {
        let weights = Weights::tuned().pairs();
        random_games(|board| {
            let trace = trace(Weights::tuned(), board);
            let (mut mg, mut eg) = (0.0, 0.0);
            for &(feature, count) in &trace.counts {
                let weight = weights[usize::from(feature)];
                mg += f32::from(count) * f32::from(weight.0);
                eg += f32::from(count) * f32::from(weight.1);
            }
            let sum = mg * trace.middlegame + eg * trace.endgame;
            let value = if board.turn() == emtee::Side::First { board.evaluate() } else { -board.evaluate() };
            assert!((sum - value as f32).abs() < 2.5, "{sum} {value} {board}");
        });
    }

    #[test]
    fn insufficient_material_is_close_to_a_draw() {
        for fen in ["8/8/8/3k4/8/8/4K3/8 w - - 0 1", "8/8/8/3k4/8/3N4/4K3/8 w - - 0 1"] {
            let board: Board = fen.parse().unwrap();
            assert!(board.is_insufficient_material());
            assert!(board.evaluate().abs() <= 25, "{fen}: {}", board.evaluate());
        }
    }

    #[test]
    fn a_queen_is_worth_most() {
        for weights in [Weights::plain(), Weights::tuned()] {
            let material: Vec<i16> = weights.pairs()[features::MATERIAL..][..5].iter().map(|pair| pair.0).collect();
            assert!(material.windows(2).all(|pair| pair[0] < pair[1] + 60), "{material:?}");
        }
    }
}
