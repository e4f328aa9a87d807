//! What the program knows about Breakthrough beyond its rules. All of it is optional.

use emtee::{Side, legal_moves};
use emtee_cli::Kit;

use crate::breakthrough::{Board, Move};

/// Two evaluators besides the game's own, the notation of players, reasons why a move is illegal, and a set of positions.
pub fn kit() -> Kit<Board> {
    Kit::new()
        .evaluator("material", |board: &Board| board.pawns(board.turn) - board.pawns(!board.turn))
        .evaluator("race", |board: &Board| board.furthest(board.turn) - board.furthest(!board.turn))
        .notation(written, read)
        .illegal_reason(illegal_reason)
        .positions("middle", include_str!("../middle.txt"))
}

/// `a2-a3`, or `a2xb3` for a capture.
fn written(board: &Board, m: Move) -> String {
    let [from, to] = m.squares();
    let sign = if board.pawn_on(m.to()).is_some() { 'x' } else { '-' };
    format!("{from}{sign}{to}")
}

/// The sign can be left out, and must be right if it is given.
fn read(board: &Board, text: &str) -> Result<Vec<Move>, String> {
    let plain = |text: &str| text.replace(['-', 'x'], "").to_ascii_lowercase();
    let found = legal_moves(board).into_iter().find(|&m| plain(&m.to_string()) == plain(text));
    let m = found.ok_or_else(|| String::from("write the two squares of a legal move, like a2-a3 or a2xb3"))?;
    match text.chars().find(|sign| "-x".contains(*sign)) {
        Some(sign) if !written(board, m).contains(sign) => Err(format!("the move is written {}", written(board, m))),
        _ => Ok(vec![m]),
    }
}

fn illegal_reason(board: &Board, text: &str) -> Option<String> {
    let squares: Vec<u8> = text.replace(['-', 'x'], "").as_bytes().chunks(2).filter_map(square).collect();
    let [from, to] = squares[..] else { return None };
    if legal_moves(board).iter().any(|m| (m.from(), m.to()) == (from, to)) {
        return None;
    }
    let (column, row) = (from % 8, i16::from(from / 8));
    let forward = if board.turn == Side::First { 1 } else { -1 };
    Some(match (board.pawn_on(from), board.pawn_on(to)) {
        (None, _) => String::from("there is no pawn on that square"),
        (Some(side), _) if side != board.turn => String::from("that pawn belongs to the other side"),
        _ if i16::from(to / 8) != row + forward || column.abs_diff(to % 8) > 1 => {
            String::from("a pawn moves one square forward, straight or diagonally")
        }
        (_, Some(side)) if side == board.turn => String::from("your own pawn is there"),
        _ => String::from("a pawn captures diagonally only"),
    })
}

/// A square like `a1` as its number.
fn square(text: &[u8]) -> Option<u8> {
    match text {
        [column @ b'a'..=b'h', row @ b'1'..=b'8'] => Some(8 * (row - b'1') + (column - b'a')),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_written_as_they_are_read() {
        let middle: Board =
            "--------/-w----b-/--b-----/---w-w--/b-------/-w-b----/---w--w-/----w--- b".parse().unwrap();
        for board in [Board::default(), middle] {
            for m in legal_moves(&board) {
                let text = written(&board, m);
                assert_eq!(read(&board, &text), Ok(vec![m]));
                assert_eq!(read(&board, &m.to_string()), Ok(vec![m]));
                assert_eq!(illegal_reason(&board, &text), None);
            }
        }
        assert_eq!(read(&Board::default(), "a2xa3"), Err("the move is written a2-a3".into()));
        assert!(read(&Board::default(), "a2-a4").is_err());
    }

    #[test]
    fn illegal_moves_have_reasons() {
        let start = Board::default();
        for (text, reason) in [
            ("a4-a5", "there is no pawn on that square"),
            ("a7-a6", "that pawn belongs to the other side"),
            ("a2-a4", "a pawn moves one square forward, straight or diagonally"),
            ("a1-a2", "your own pawn is there"),
        ] {
            assert_eq!(illegal_reason(&start, text).as_deref(), Some(reason), "{text}");
        }
        assert_eq!(illegal_reason(&start, "help"), None);
        let blocked: Board =
            "--------/--------/--------/----b---/----w---/--------/--------/-------- w".parse().unwrap();
        assert_eq!(illegal_reason(&blocked, "e4-e5").as_deref(), Some("a pawn captures diagonally only"));
    }
}
