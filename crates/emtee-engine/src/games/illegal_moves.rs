//! Explanations of illegal moves in the small games, Othello and checkers. Chess has its own.

use emtee::{Game, legal_moves};
use emtee_games::{checkers, connect4, kalah, othello, small, tictactoe};

/// Reads a text as a number. The flag says whether it is a legal move.
fn number<G: Game<Move: std::fmt::Display>>(board: &G, text: &str) -> Option<(u64, bool)> {
    let number: u64 = text.parse().ok()?;
    Some((number, legal_moves(board).iter().any(|m| m.to_string() == text)))
}

pub(crate) fn tictactoe(board: &tictactoe::Board, text: &str) -> Option<String> {
    match number(board, text)? {
        (_, true) => None,
        (1..=9, _) => Some("that square is taken".into()),
        _ => Some("the squares are numbered 1 to 9".into()),
    }
}

pub(crate) fn connect4(board: &connect4::Board, text: &str) -> Option<String> {
    match number(board, text)? {
        (_, true) => None,
        (column @ 1..=7, _) => Some(format!("column {column} is full")),
        _ => Some("the columns are numbered 1 to 7".into()),
    }
}

pub(crate) fn kalah(board: &kalah::Board, text: &str) -> Option<String> {
    match number(board, text)? {
        (_, true) => None,
        (pit @ 1..=6, _) => Some(format!("your pit {pit} is empty")),
        _ => Some("your pits are numbered 1 to 6, 6 next to the store".into()),
    }
}

pub(crate) fn small(board: &small::Board, text: &str) -> Option<String> {
    match board {
        small::Board::Connect4(board) => connect4(board, text),
        small::Board::Kalah(board) => kalah(board, text),
        small::Board::TicTacToe(board) => tictactoe(board, text),
    }
}

pub(crate) fn othello(board: &othello::Board, text: &str) -> Option<String> {
    let m: othello::Move = text.parse().ok()?;
    if board.is_legal(m) {
        None
    } else if m.is_pass() {
        Some("you have a move, so you cannot pass".into())
    } else if board.is_taken(m) {
        Some("that square is taken".into())
    } else {
        Some(format!("a disc on {m} would flip no discs"))
    }
}

pub(crate) fn checkers(board: &checkers::Board, text: &str) -> Option<String> {
    // A text without digits is not a move. The parser explains everything else.
    if !text.contains(|letter: char| letter.is_ascii_digit()) {
        return None;
    }
    board.parse_move(text).err().map(|error| error.to_string())
}
