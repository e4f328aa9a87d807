//! The network evaluation of chess, trained on self-play games.

use std::cell::RefCell;
use std::sync::LazyLock;

use cozy_chess::{Color, Piece};
use emtee::{Evaluate, Game};

use super::board::Board;
use crate::network::{self, Accumulator, Perspective};

/// The sum of [`Board::evaluate`](Game::evaluate) and the output of a network that was trained on the difference.
///
/// The network is (768 → 64)×2 → 1×8 with squared clipped ReLU (SCReLU): 768 features (kind of piece and square) in
/// each side's perspective, 64 hidden neurons per perspective, 8 output buckets.
///
/// Engines use it, inside [`Endgames`](super::Endgames). Experiments do not, so that their counts stay comparable.
///
/// ```
/// use emtee::{Evaluate, Game};
/// use emtee_games::chess::{Board, Network};
/// let a_rook_ahead: Board = "4k3/pppp4/8/8/8/8/PPPP4/R3K3 w Q - 0 1".parse()?;
/// assert!(Network.evaluate(&a_rook_ahead) > 200);
/// assert_eq!(Network.evaluate(&a_rook_ahead), Network.evaluate(&a_rook_ahead.mirrored()));
/// # Ok::<(), emtee_games::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Network;

const SQUARES: usize = 64;
const KINDS: usize = Color::NUM * Piece::NUM;
const WIDTH: usize = 64;

static NETWORK: LazyLock<network::Network<WIDTH>> = LazyLock::new(|| {
    let read = network::Network::read(include_bytes!("network.bin"), KINDS * SQUARES, |feature| feature);
    read.unwrap_or_else(|| unreachable!("the file is as long as a network"))
});

/// A thread's accumulators: by colour, for a king on the files a to d and on e to h.
type Accumulators = [[Accumulator<KINDS, WIDTH>; 2]; Color::NUM];

thread_local! {
    static ACCUMULATORS: RefCell<Accumulators> = const { RefCell::new([[Accumulator::EMPTY; 2]; Color::NUM]) };
}

/// Flips the ranks: Black's perspective.
const FLIP_RANKS: usize = 56;
/// Flips the files if the own king is on the files e to h. A board and its mirror image have the same value.
const FLIP_FILES: usize = 7;
/// The bit of a square that is set on the files e to h.
const FILES_E_TO_H: usize = 4;

impl Evaluate<Board> for Network {
    #[inline]
    fn evaluate(&self, board: &Board) -> i32 {
        ACCUMULATORS.with_borrow_mut(|accumulators| evaluate(board, accumulators))
    }
}

fn evaluate(board: &Board, accumulators: &mut Accumulators) -> i32 {
    let rules = &board.rules;
    let [white, black] = accumulators;
    let [white, black] = [(Color::White, white), (Color::Black, black)].map(|(side, accumulators)| {
        let is_mirrored = rules.king(side) as usize & FILES_E_TO_H != 0;
        let flip = if side == Color::White { 0 } else { FLIP_RANKS };
        let flip = if is_mirrored { flip ^ FLIP_FILES } else { flip };
        let mut bitboards = [0; KINDS];
        for (kind, bitboard) in bitboards.iter_mut().enumerate() {
            let owner = if kind < Piece::NUM { side } else { !side };
            *bitboard = (rules.colors(owner) & rules.pieces(Piece::ALL[kind % Piece::NUM])).0;
        }
        Perspective { accumulator: &mut accumulators[usize::from(is_mirrored)], bitboards, flip }
    });
    let perspectives = if rules.side_to_move() == Color::White { [white, black] } else { [black, white] };
    let bucket = (rules.occupied().len() as usize - 1) / 4;
    let correction = network::evaluate::<SQUARES, KINDS, WIDTH>(&NETWORK, bucket, perspectives);
    (board.evaluate() + correction).clamp(-30_000, 30_000)
}

#[cfg(test)]
mod tests {
    use emtee::{legal_moves, mix};

    use super::*;

    #[test]
    fn values_depend_on_the_position_alone() {
        let (mut board, mut kings) = (Board::default(), std::collections::HashSet::new());
        for ply in 0..300u64 {
            let value = Network.evaluate(&board);
            assert_eq!(value, Network.evaluate(&board.mirrored()), "{board}");
            if ply % 10 == 0 {
                let fresh = std::thread::scope(|scope| scope.spawn(|| Network.evaluate(&board)).join());
                assert_eq!(fresh.ok(), Some(value), "{board}");
            }
            kings.insert(board.rules.king(Color::White) as usize & FILES_E_TO_H);
            let moves = legal_moves(&board);
            // At the end of a game start a new one: all pieces change at once.
            board = match moves.get((mix(ply) % moves.len().max(1) as u64) as usize) {
                Some(&m) => board.play(m),
                None => Board::default(),
            };
        }
        assert_eq!(kings.len(), 2, "the king was on both halves of the board");
    }

    /// The network does not know castling rights, so mirroring the files does not change its output.
    #[test]
    fn mirroring_the_files_keeps_the_output() {
        let output = |fen: &str| {
            let board: Board = fen.parse().unwrap();
            Network.evaluate(&board) - board.evaluate()
        };
        for (left, right) in [
            ("2k5/ppp5/8/3n4/8/8/PPP3B1/2KR4 w - - 0 1", "5k2/5ppp/8/4n3/8/8/1B3PPP/4RK2 w - - 0 1"),
            ("1k6/8/8/q7/8/8/8/6KR b - - 0 1", "6k1/8/8/7q/8/8/8/RK6 b - - 0 1"),
        ] {
            assert_eq!(output(left), output(right), "{left}");
        }
    }
}
