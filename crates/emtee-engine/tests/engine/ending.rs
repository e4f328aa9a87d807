//! How games end.

use emtee::Side;
use emtee_engine::{EndReason, Registry};

fn check(game: &str, position: &str, moves: &str, expected: Option<(Option<Side>, Option<i32>, EndReason)>) {
    let mut position = Registry::standard().get(game).unwrap().position(position).unwrap();
    for m in moves.split_whitespace() {
        assert_eq!(position.ending(), None, "{game} before {m}");
        position = position.after(m).unwrap();
    }
    let ending = position.ending().map(|ending| (ending.winner, ending.points, ending.reason));
    assert_eq!(ending, expected, "{game} {moves}");
}

#[test]
fn games_end_as_their_rules_say() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let won = |side| Some((Some(side), None, EndReason::Position));
    check("chess", start, "f2f3 e7e5 g2g4 d8h4", won(Side::Second));
    check("chess", "7k/8/6Q1/8/8/8/8/7K b - - 0 1", "", Some((None, None, EndReason::Position)));
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    check("chess", start, shuffle, Some((None, None, EndReason::Repetition)));
    check("chess", "7k/8/8/8/8/8/R7/7K w - - 98 80", "a2a3 h8g8", Some((None, None, EndReason::CountedMoves)));
    check("chess", "7k/8/8/8/8/8/r7/1K6 w - - 0 80", "b1a2", Some((None, None, EndReason::Material)));
    check("connect4", "", "1 2 1 2 1 2 1", won(Side::First));
    check("checkers", "B:WK1:B28", "28-32", None);
    check("checkers", "B:W32:B28", "", won(Side::Second));
}

#[test]
fn a_mate_takes_precedence_over_the_fiftieth_move() {
    check("chess", "6k1/5ppp/8/8/8/8/8/R6K w - - 99 90", "a1a8", Some((Some(Side::First), None, EndReason::Position)));
}

#[test]
fn points_are_those_of_the_first_side() {
    // White has no discs left; the side to move does not matter.
    let board = format!("{}{} O", "X".repeat(10), "-".repeat(54));
    check("othello", &board, "", Some((Some(Side::First), Some(64), EndReason::Position)));
}
