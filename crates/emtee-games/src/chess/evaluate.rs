//! What a position is worth, in centipawns: weights for what is seen on the board, tapered from middlegame to endgame.
//!
//! The evaluation is linear in its weights, so that they can be fitted: [`trace`] gives the counts that [`evaluate_with`]
//! multiplies by them. `examples/tune_chess.rs` fits them to the results of games of the program against itself.

use std::sync::LazyLock;

use cozy_chess::{BitBoard, Color, Piece, Square};

use super::board::Board;
use super::features::{self, GROUPS, on_square};
use super::pawns::{self, Pawns};
use super::{king, machine, pieces, sketch, weights};

pub use super::features::COUNT;

/// The weights of all features. Middlegame and endgame share a number, so that one addition does for both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    packed: [i32; COUNT],
    /// A piece of White's or Black's on a square: what it is worth anywhere, and what it is worth there, to White.
    on_square: [[[i32; Square::NUM]; Piece::NUM]; Color::NUM],
}

/// The weights that [`evaluate`] uses.
static TUNED: Weights = Weights::new(&weights::TUNED);

impl Weights {
    /// A weight for the middlegame and one for the endgame for every feature.
    pub const fn new(pairs: &[(i16, i16); COUNT]) -> Weights {
        let mut packed = [0; COUNT];
        let mut at = 0;
        while at < COUNT {
            packed[at] = pack(pairs[at].0, pairs[at].1);
            at += 1;
        }
        let mut on_square = [[[0; Square::NUM]; Piece::NUM]; Color::NUM];
        let mut at = 0;
        while at < Square::NUM * Piece::NUM {
            let (piece, square) = (Piece::ALL[at / Square::NUM], Square::ALL[at % Square::NUM]);
            let material = if matches!(piece, Piece::King) { 0 } else { packed[features::MATERIAL + piece as usize] };
            let white = packed[features::on_square(piece, square, Color::White)];
            let black = packed[features::on_square(piece, square, Color::Black)];
            on_square[Color::White as usize][piece as usize][square as usize] = material + white;
            on_square[Color::Black as usize][piece as usize][square as usize] = -(material + black);
            at += 1;
        }
        Weights { packed, on_square }
    }

    /// The weights that the tuner found.
    pub fn tuned() -> &'static Weights {
        &TUNED
    }

    /// Material and squares alone, not tuned: the usual piece values, pieces to the centre, pawns forward, the king at home
    /// while there are queens. What an evaluation has to beat.
    pub fn plain() -> &'static Weights {
        static PLAIN: LazyLock<Weights> = LazyLock::new(|| Weights::new(&sketch::plain()));
        &PLAIN
    }

    /// [`plain`](Weights::plain), and for everything else what a chess player would write down. The tuner starts here.
    pub fn sketch() -> &'static Weights {
        static SKETCH: LazyLock<Weights> = LazyLock::new(|| Weights::new(&sketch::pairs()));
        &SKETCH
    }

    /// The weights as pairs.
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

/// The value for the side to move, with other weights.
#[inline]
pub fn evaluate_with(weights: &Weights, board: &Board) -> i32 {
    machine::evaluate(weights, board)
}

/// The same for any machine.
#[inline(always)]
pub(super) fn evaluate_anywhere(weights: &Weights, board: &Board) -> i32 {
    let mut sum = Sum { weights, packed: 0 };
    look(board, &mut sum);
    let (mg, eg) = unpack(sum.packed);
    let phase = phase(board);
    let eg = eg * scale(board, eg) / FULL_SCALE;
    let value = (mg * phase + eg * (FULL_PHASE - phase)) / FULL_PHASE;
    let value = value.clamp(-30_000, 30_000);
    if board.rules.side_to_move() == Color::White { value } else { -value }
}

/// What the evaluation counts in a position, from White's side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Features, and how often White has them more than Black. The same feature may come up several times.
    pub counts: Vec<(u16, i8)>,
    /// How much the middlegame counts, from 0 to 1.
    pub middlegame: f32,
    /// How much the endgame counts, from 0 to 1: less where even an advantage can hardly be won.
    pub endgame: f32,
}

/// Takes the evaluation apart. The weights only say who is ahead.
pub fn trace(weights: &Weights, board: &Board) -> Trace {
    let mut trace = Trace::default();
    look(board, &mut trace);
    let mut sum = Sum { weights, packed: 0 };
    look(board, &mut sum);
    let (_, eg) = unpack(sum.packed);
    let phase = phase(board) as f32 / FULL_PHASE as f32;
    trace.middlegame = phase;
    trace.endgame = (1.0 - phase) * scale(board, eg) as f32 / FULL_SCALE as f32;
    trace
}

/// Who listens to what is seen.
pub(super) trait Listener {
    /// `side` has the feature `count` times.
    fn see(&mut self, side: Color, feature: usize, count: i32);

    /// `side` has a piece on a square.
    fn see_piece(&mut self, side: Color, piece: Piece, square: Square);

    /// `side` has the feature once for each square of a set that is empty more often than not.
    #[inline(always)]
    fn see_few(&mut self, side: Color, feature: usize, mut set: BitBoard) {
        // Without a machine instruction for it, counting bits costs more than finding none.
        while !set.is_empty() {
            self.see(side, feature, 1);
            set.0 &= set.0 - 1;
        }
    }
}

struct Sum<'w> {
    weights: &'w Weights,
    packed: i32,
}

impl Listener for Sum<'_> {
    #[inline(always)]
    fn see(&mut self, side: Color, feature: usize, count: i32) {
        let weight = count * self.weights.packed[feature];
        self.packed += if matches!(side, Color::White) { weight } else { -weight };
    }

    #[inline(always)]
    fn see_piece(&mut self, side: Color, piece: Piece, square: Square) {
        self.packed += self.weights.on_square[side as usize][piece as usize][square as usize];
    }
}

impl Listener for Trace {
    fn see(&mut self, side: Color, feature: usize, count: i32) {
        if count != 0 {
            let count = if side == Color::White { count } else { -count };
            self.counts.push((feature as u16, count as i8));
        }
    }

    fn see_piece(&mut self, side: Color, piece: Piece, square: Square) {
        if piece != Piece::King {
            self.see(side, features::MATERIAL + piece as usize, 1);
        }
        self.see(side, on_square(piece, square, side), 1);
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

/// How much of an endgame advantage can be won, in 64ths.
#[inline(always)]
fn scale(board: &Board, eg: i32) -> i32 {
    let rules = &board.rules;
    let side = if eg > 0 { Color::White } else { Color::Black };
    let weight = |side| {
        let count = |piece| rules.colored_pieces(side, piece).len() as i32;
        3 * (count(Piece::Knight) + count(Piece::Bishop)) + 5 * count(Piece::Rook) + 10 * count(Piece::Queen)
    };
    // Without pawns it takes more than a minor piece to win.
    if rules.colored_pieces(side, Piece::Pawn).is_empty() {
        let (ours, theirs) = (weight(side), weight(!side));
        if ours - theirs <= 3 {
            return if ours <= 3 { 0 } else { 12 };
        }
        // Two knights cannot force mate.
        if ours == 6 && rules.colored_pieces(side, Piece::Knight).len() == 2 {
            return 4;
        }
        return FULL_SCALE;
    }
    // Bishops that never meet, and nothing else.
    let others = rules.pieces(Piece::Knight) | rules.pieces(Piece::Rook) | rules.pieces(Piece::Queen);
    if !others.is_empty() {
        return FULL_SCALE;
    }
    let bishops = rules.pieces(Piece::Bishop);
    let one_each = bishops.len() == 2 && (bishops & rules.colors(side)).len() == 1;
    if one_each && (bishops & BitBoard::DARK_SQUARES).len() == 1 { 36 } else { FULL_SCALE }
}

/// Looks at everything.
#[inline(always)]
fn look(board: &Board, listener: &mut impl Listener) {
    let white_pawns = Pawns::new(board, Color::White);
    let black_pawns = Pawns::new(board, Color::Black);
    pawns::look(board, Color::White, &white_pawns, &black_pawns, listener);
    pawns::look(board, Color::Black, &black_pawns, &white_pawns, listener);
    let white = pieces::look(board, Color::White, &white_pawns, &black_pawns, listener);
    let black = pieces::look(board, Color::Black, &black_pawns, &white_pawns, listener);
    king::look(board, Color::White, &white_pawns, &white, &black, listener);
    king::look(board, Color::Black, &black_pawns, &black, &white, listener);
    pieces::threats(board, Color::White, &white, &black, listener);
    pieces::threats(board, Color::Black, &black, &white, listener);
    listener.see(board.rules.side_to_move(), features::TEMPO, 1);
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
    fn some_positions(mut visit: impl FnMut(&Board)) {
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
    fn a_mirrored_position_is_worth_the_same() {
        some_positions(|board| {
            assert_eq!(board.evaluate(), board.mirrored().evaluate(), "{board}");
            let plain = Weights::plain();
            assert_eq!(evaluate_with(plain, board), evaluate_with(plain, &board.mirrored()), "{board}");
        });
    }

    #[test]
    fn the_trace_adds_up_to_the_evaluation() {
        let weights = Weights::tuned().pairs();
        some_positions(|board| {
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
    fn what_cannot_be_won_is_a_draw() {
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
