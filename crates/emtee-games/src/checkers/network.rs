//! An evaluation that was learnt from games of the program against itself.

use std::cell::RefCell;
use std::sync::LazyLock;

use emtee::{Evaluate, Side};

use super::board::{Board, Square, turned};
use crate::network::{self, Seen, View};

/// Judges positions by a network: 128 features, what stands where, seen by either side. A man is worth about 100 points.
///
/// Engines play with it. Experiments do without, so that their counts stay comparable.
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
/// Men and kings of either side.
const WORDS: usize = 4;
const WIDTH: usize = 64;

static NETWORK: LazyLock<network::Network<WIDTH>> = LazyLock::new(|| {
    // The trainer numbers squares as players do, the board has its own bits.
    let number = |bit: usize| usize::from(Square { bit: bit as u8 }.number()) - 1;
    let from = |feature: usize| feature / SQUARES * SQUARES + number(feature % SQUARES);
    let read = network::Network::read(include_bytes!("network.bin"), WORDS * SQUARES, from);
    read.unwrap_or_else(|| unreachable!("the file is as long as a network"))
});

/// What a thread has seen last, by Black and by White.
type Views = [View<WORDS, WIDTH>; 2];

thread_local! {
    static VIEWS: RefCell<Views> = const { RefCell::new([View::EMPTY; 2]) };
}

impl Evaluate<Board> for Network {
    #[inline]
    fn evaluate(&self, board: &Board) -> i32 {
        VIEWS.with_borrow_mut(|views| judge(board, views))
    }
}

fn judge(board: &Board, [black, white]: &mut Views) -> i32 {
    let words =
        |[own, other]: [u32; 2], kings: u32| [own & !kings, own & kings, other & !kings, other & kings].map(u64::from);
    let [first, second] = board.pieces;
    let black = Seen { view: black, words: words([first, second], board.kings), turn: 0 };
    let white = Seen { view: white, words: words([second, first].map(turned), turned(board.kings)), turn: 0 };
    let seen = if board.turn == Side::First { [black, white] } else { [white, black] };
    let stage = ((first | second).count_ones() as usize).saturating_sub(1) / 3;
    network::judge::<SQUARES, WORDS, WIDTH>(&NETWORK, stage, seen).clamp(-5_000, 5_000)
}

#[cfg(test)]
mod tests {
    use emtee::{Game, legal_moves, mix};

    use super::*;

    #[test]
    fn a_value_is_that_of_the_position_alone() {
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
    fn pieces_are_worth_what_players_say() {
        let value = |fen: &str| Network.evaluate(&fen.parse().unwrap());
        let even = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
        assert!(value(even).abs() < 40, "{}", value(even));
        let a_man_less = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11";
        assert!(value(a_man_less) < value(even) - 40, "{}", value(a_man_less));
        assert!(value("W:WK18,K22:BK1,K2,K3") < value("W:WK18,K22:BK1,K2") - 30);
    }
}
