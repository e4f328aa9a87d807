//! The three games keep the library's laws and two more: a position read from its own text has the same key and evaluation,
//! and a position with exchanged colours has the same value.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use emtee::{Game, OwnEvaluation, laws, legal_moves, mix};
use emtee_games::{PaperPosition, checkers, chess, othello};

/// The maximum length of random games.
const MAX_PLIES: u64 = 200;

fn check<G>(set: &[PaperPosition], mirrored: impl Fn(&G) -> G)
where
    G: Game + Default + Display + FromStr<Err: Debug>,
{
    let read = |text: &str| text.parse::<G>().unwrap();
    let starts: Vec<G> = std::iter::once(G::default()).chain(set.iter().map(|position| read(position.text))).collect();
    let mut positions = 0;
    for (number, start) in (0u64..).zip(&starts) {
        laws::check(start, &OwnEvaluation, 5, number).unwrap();
        for game in 0..5 {
            let mut board = start.clone();
            for ply in 0..MAX_PLIES {
                positions += 1;
                let again = read(&board.to_string());
                assert_eq!((again.key(), again.turn()), (board.key(), board.turn()), "{board}");
                assert_eq!(again.evaluate(), board.evaluate(), "{board}");
                let mirror = mirrored(&board);
                assert_eq!(mirror.turn(), !board.turn(), "{board}");
                assert_eq!(mirror.evaluate(), board.evaluate(), "{board}");
                assert_eq!(legal_moves(&mirror).len(), legal_moves(&board).len(), "{board}");
                assert_eq!(mirrored(&mirror).key(), board.key(), "{board}");
                let moves = legal_moves(&board);
                if moves.is_empty() {
                    break;
                }
                let which = mix(number << 32 | game << 16 | ply) % moves.len() as u64;
                board = board.play(moves[which as usize]);
            }
        }
    }
    assert!(positions > 2_000, "{positions}");
}

#[test]
fn chess_keeps_the_laws() {
    check(chess::paper_set(), chess::Board::mirrored);
}

#[test]
fn othello_keeps_the_laws() {
    check(othello::paper_set(), |board: &othello::Board| {
        othello::Board::new(board.white(), board.black(), !board.turn()).unwrap()
    });
}

#[test]
fn checkers_keeps_the_laws() {
    check(checkers::paper_set(), checkers::Board::mirrored);
}
