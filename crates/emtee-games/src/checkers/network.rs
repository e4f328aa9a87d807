//! The network evaluation of checkers, trained on self-play games.

use std::cell::RefCell;
use std::sync::LazyLock;

use emtee::{Evaluate, Side};

use super::board::{Board, Square, turned};
use crate::network::{self, Accumulator, Perspective};

/// The output of a network. A man is worth about 100 points.
///
/// The network is (128 → 64)×2 → 1×8 with squared clipped ReLU (SCReLU): 128 features (men and kings of both sides, by
/// square) in each side's perspective, 64 hidden neurons per perspective, 8 output buckets.
///
/// Engines use it. Experiments do not, so that their counts stay comparable.
///
/// ```
/// use emtee::Evaluate;
/// use emtee_games::checkers::{Board, Network};
/// let a_man_ahead: Board = "B:W21,22,23,24:B1,2,3,4,5".parse()?;
/// assert!(Network.evaluate(&a_man_ahead) > 0);
/// # Ok::<(), emtee_games::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Network;

const SQUARES: usize = 32;
/// Men and kings of both sides.
const KINDS: usize = 4;
const WIDTH: usize = 64;

static NETWORK: LazyLock<network::Network<WIDTH>> = LazyLock::new(|| {
    // The trainer numbers squares as players do; the board has its own order of bits.
    let number = |bit: usize| usize::from(Square { bit: bit as u8 }.number()) - 1;
    let row_of = |feature: usize| feature / SQUARES * SQUARES + number(feature % SQUARES);
    let read = network::Network::read(include_bytes!("network.bin"), KINDS * SQUARES, row_of);
    read.unwrap_or_else(|| unreachable!("the file is as long as a network"))
});

/// A thread's accumulators: the perspective of Black, and that of White.
type Accumulators = [Accumulator<KINDS, WIDTH>; 2];

thread_local! {
    static ACCUMULATORS: RefCell<Accumulators> = const { RefCell::new([Accumulator::EMPTY; 2]) };
}

impl Evaluate<Board> for Network {
    #[inline]
    fn evaluate(&self, board: &Board) -> i32 {
        ACCUMULATORS.with_borrow_mut(|accumulators| evaluate(board, accumulators))
    }
}

fn evaluate(board: &Board, [black, white]: &mut Accumulators) -> i32 {
    let bitboards =
        |[own, other]: [u32; 2], kings: u32| [own & !kings, own & kings, other & !kings, other & kings].map(u64::from);
    let [first, second] = board.pieces;
    let black = Perspective { accumulator: black, bitboards: bitboards([first, second], board.kings), flip: 0 };
    let flipped = bitboards([second, first].map(turned), turned(board.kings));
    let white = Perspective { accumulator: white, bitboards: flipped, flip: 0 };
    let perspectives = if board.turn == Side::First { [black, white] } else { [white, black] };
    let bucket = ((first | second).count_ones() as usize).saturating_sub(1) / 3;
    network::evaluate::<SQUARES, KINDS, WIDTH>(&NETWORK, bucket, perspectives).clamp(-5_000, 5_000)
}

#[cfg(test)]
mod tests {
    use emtee::{Game, legal_moves, mix};

    use super::*;

    #[test]
    fn values_depend_on_the_position_alone() {
        let mut board = Board::default();
        for ply in 0..300u64 {
            let value = Network.evaluate(&board);
            let [black, white] = board.pieces.map(turned);
            let other = Board { pieces: [white, black], kings: turned(board.kings), turn: !board.turn };
            assert_eq!(value, Network.evaluate(&other), "{board}");
            if ply % 10 == 0 {
                let fresh = std::thread::scope(|scope| scope.spawn(|| Network.evaluate(&board)).join());
                assert_eq!(fresh.ok(), Some(value), "{board}");
            }
            let moves = legal_moves(&board);
            board = match moves.get((mix(ply) % moves.len().max(1) as u64) as usize) {
                Some(&m) => board.play(m),
                None => Board::default(),
            };
        }
    }

    #[test]
    fn more_pieces_are_worth_more() {
        let value = |fen: &str| Network.evaluate(&fen.parse().unwrap());
        let even = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
        assert!(value(even).abs() < 40, "{}", value(even));
        let one_man_less = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11";
        assert!(value(one_man_less) < value(even) - 40, "{}", value(one_man_less));
        assert!(value("W:WK18,K22:BK1,K2,K3") < value("W:WK18,K22:BK1,K2") - 30);
    }
}
