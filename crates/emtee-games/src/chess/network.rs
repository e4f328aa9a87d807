//! An evaluation that was learnt from games of the program against itself.

use std::cell::RefCell;
use std::sync::LazyLock;

use cozy_chess::{Color, Piece};
use emtee::{Evaluate, Game};

use super::board::Board;
use crate::network::{self, Seen, View};

/// Judges positions as [`Board::evaluate`](Game::evaluate) does, and adds what a network says is missing: 768 features, what stands
/// where, seen by either side.
///
/// Engines play with it, inside [`Endgames`](super::Endgames). Experiments do without, so that their counts stay comparable.
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
const WORDS: usize = Color::NUM * Piece::NUM;
const WIDTH: usize = 64;

static NETWORK: LazyLock<network::Network<WIDTH>> = LazyLock::new(|| {
    let read = network::Network::read(include_bytes!("network.bin"), WORDS * SQUARES, |feature| feature);
    read.unwrap_or_else(|| unreachable!("the file is as long as a network"))
});

/// What a thread has seen last: by White and by Black, with their king on the left and on the right.
type Views = [[View<WORDS, WIDTH>; 2]; Color::NUM];

thread_local! {
    static VIEWS: RefCell<Views> = const { RefCell::new([[View::EMPTY; 2]; Color::NUM]) };
}

/// Black sees the board upside down.
const UPSIDE_DOWN: usize = 56;
/// The own king is seen on the left: a board and its mirror image are worth the same.
const LEFT_TO_RIGHT: usize = 7;
const RIGHT: usize = 4;

impl Evaluate<Board> for Network {
    #[inline]
    fn evaluate(&self, board: &Board) -> i32 {
        VIEWS.with_borrow_mut(|views| judge(board, views))
    }
}

fn judge(board: &Board, views: &mut Views) -> i32 {
    let rules = &board.rules;
    let [white, black] = views;
    let [white, black] = [(Color::White, white), (Color::Black, black)].map(|(side, views)| {
        let king_is_right = rules.king(side) as usize & RIGHT != 0;
        let turn = if side == Color::White { 0 } else { UPSIDE_DOWN };
        let turn = if king_is_right { turn ^ LEFT_TO_RIGHT } else { turn };
        let mut words = [0; WORDS];
        for (kind, word) in words.iter_mut().enumerate() {
            let of = if kind < Piece::NUM { side } else { !side };
            *word = (rules.colors(of) & rules.pieces(Piece::ALL[kind % Piece::NUM])).0;
        }
        Seen { view: &mut views[usize::from(king_is_right)], words, turn }
    });
    let seen = if rules.side_to_move() == Color::White { [white, black] } else { [black, white] };
    let stage = (rules.occupied().len() as usize - 1) / 4;
    let missing = network::judge::<SQUARES, WORDS, WIDTH>(&NETWORK, stage, seen);
    (board.evaluate() + missing).clamp(-30_000, 30_000)
}

#[cfg(test)]
mod tests {
    use emtee::{legal_moves, mix};

    use super::*;

    #[test]
    fn a_value_is_that_of_the_position_alone() {
        let (mut board, mut kings) = (Board::default(), std::collections::HashSet::new());
        for ply in 0..300u64 {
            let value = Network.evaluate(&board);
            assert_eq!(value, Network.evaluate(&board.mirrored()), "{board}");
            if ply % 10 == 0 {
                let fresh = std::thread::scope(|scope| scope.spawn(|| Network.evaluate(&board)).join());
                assert_eq!(fresh.ok(), Some(value), "{board}");
            }
            kings.insert(board.rules.king(Color::White) as usize & RIGHT);
            let moves = legal_moves(&board);
            // A game that has ended begins anew: all pieces change at once.
            board = match moves.get((mix(ply) % moves.len().max(1) as u64) as usize) {
                Some(&m) => board.play(m),
                None => Board::default(),
            };
        }
        assert_eq!(kings.len(), 2, "the king was on both sides");
    }

    /// Without castling, left and right are the same to the network.
    #[test]
    fn what_it_adds_is_the_same_from_left_to_right() {
        let added = |fen: &str| {
            let board: Board = fen.parse().unwrap();
            Network.evaluate(&board) - board.evaluate()
        };
        for (left, right) in [
            ("2k5/ppp5/8/3n4/8/8/PPP3B1/2KR4 w - - 0 1", "5k2/5ppp/8/4n3/8/8/1B3PPP/4RK2 w - - 0 1"),
            ("1k6/8/8/q7/8/8/8/6KR b - - 0 1", "6k1/8/8/7q/8/8/8/RK6 b - - 0 1"),
        ] {
            assert_eq!(added(left), added(right), "{left}");
        }
    }
}
