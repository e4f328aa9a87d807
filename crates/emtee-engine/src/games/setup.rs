//! Positions that are set up on a drawn board: the texts of their cells. Reading the text checks whether they are legal.

use emtee::Side;
use emtee_games::drawing::{Cell, Ground, Ink};

use crate::set_up::{Piece, SetUp};

type Cells = [Vec<Cell>];

const EMPTY: Piece = Piece::new("empty", "", Ink::Faint);

/// The empty cell of boards whose drawing has a point there.
const EMPTY_POINT: Piece = Piece::new("empty", "·", Ink::Faint);

/// The text of a cell in a colour; `None` outside the board.
fn at(cells: &Cells, row: usize, column: usize) -> Option<(&str, Ink)> {
    let cell = cells.get(row)?.get(column)?;
    Some((&cell.text, cell.ink))
}

/// One letter per turn.
fn by_turn(turn: Side, letters: [&'static str; 2]) -> &'static str {
    letters[turn.index()]
}

const FIGURES: [(&str, char); 6] = [("♚", 'k'), ("♛", 'q'), ("♜", 'r'), ("♝", 'b'), ("♞", 'n'), ("♟", 'p')];

pub(super) const CHESS: SetUp = SetUp {
    pieces: &[
        Piece::new("white ♚", "♚", Ink::White),
        Piece::new("white ♛", "♛", Ink::White),
        Piece::new("white ♜", "♜", Ink::White),
        Piece::new("white ♝", "♝", Ink::White),
        Piece::new("white ♞", "♞", Ink::White),
        Piece::new("white ♟", "♟", Ink::White),
        Piece::new("black ♚", "♚", Ink::Black),
        Piece::new("black ♛", "♛", Ink::Black),
        Piece::new("black ♜", "♜", Ink::Black),
        Piece::new("black ♝", "♝", Ink::Black),
        Piece::new("black ♞", "♞", Ink::Black),
        Piece::new("black ♟", "♟", Ink::Black),
        EMPTY,
    ],
    turn: true,
    text: chess,
};

/// FEN, with castling rights for kings and rooks on their initial squares.
fn chess(cells: &Cells, turn: Side) -> String {
    let row = |cells: &Vec<Cell>| {
        let (mut text, mut empty) = (String::new(), 0);
        for cell in cells {
            match FIGURES.iter().find(|(figure, _)| *figure == cell.text) {
                None => empty += 1,
                Some(&(_, letter)) => {
                    if empty > 0 {
                        text += &empty.to_string();
                    }
                    empty = 0;
                    text.push(if cell.ink == Ink::White { letter.to_ascii_uppercase() } else { letter });
                }
            }
        }
        if empty > 0 { text + &empty.to_string() } else { text }
    };
    let mut castling = String::new();
    for (row, ink, letters) in [(7, Ink::White, ["K", "Q"]), (0, Ink::Black, ["k", "q"])] {
        for (letter, rook) in letters.into_iter().zip([7, 0]) {
            if at(cells, row, 4) == Some(("♚", ink)) && at(cells, row, rook) == Some(("♜", ink)) {
                castling += letter;
            }
        }
    }
    let rows: Vec<String> = cells.iter().map(row).collect();
    let castling = if castling.is_empty() { "-" } else { &castling };
    format!("{} {} {castling} - 0 1", rows.join("/"), by_turn(turn, ["w", "b"]))
}

pub(super) const OTHELLO: SetUp = SetUp {
    pieces: &[Piece::new("black", "●", Ink::Black), Piece::new("white", "●", Ink::White), EMPTY_POINT],
    turn: true,
    text: othello,
};

/// A letter per square.
fn othello(cells: &Cells, turn: Side) -> String {
    let letter = |cell: &Cell| match cell.ink {
        Ink::Black => 'X',
        Ink::White => 'O',
        _ => '-',
    };
    let squares: String = cells.iter().flatten().map(letter).collect();
    format!("{squares} {}", by_turn(turn, ["X", "O"]))
}

pub(super) const CHECKERS: SetUp = SetUp {
    pieces: &[
        Piece::new("black man", "●", Ink::Black).only_on(Ground::Dark),
        Piece::new("black king", "♚", Ink::Black).only_on(Ground::Dark),
        Piece::new("white man", "●", Ink::White).only_on(Ground::Dark),
        Piece::new("white king", "♚", Ink::White).only_on(Ground::Dark),
        EMPTY,
    ],
    turn: true,
    text: checkers,
};

/// PDN's FEN.
fn checkers(cells: &Cells, turn: Side) -> String {
    let pieces = |ink: Ink| {
        let mut squares = Vec::new();
        for (row, cells) in cells.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate().filter(|(_, cell)| cell.ink == ink && !cell.text.is_empty())
            {
                squares.push(format!("{}{}", if cell.text == "♚" { "K" } else { "" }, 4 * row + column / 2 + 1));
            }
        }
        squares.join(",")
    };
    format!("{}:W{}:B{}", by_turn(turn, ["B", "W"]), pieces(Ink::White), pieces(Ink::Black))
}

pub(super) const CONNECT4: SetUp = SetUp {
    pieces: &[Piece::new("yellow", "X", Ink::Yellow), Piece::new("red", "O", Ink::White), EMPTY_POINT],
    turn: false,
    text: connect4,
};

/// A letter per square, row by row. The number of stones is the side to move.
fn connect4(cells: &Cells, _: Side) -> String {
    let rows: Vec<String> = cells.iter().map(|cells| cells.iter().map(stone).collect()).collect();
    rows.join("/")
}

pub(super) const TICTACTOE: SetUp = SetUp {
    pieces: &[Piece::new("X", "X", Ink::Yellow), Piece::new("O", "O", Ink::White), EMPTY],
    turn: false,
    text: tictactoe,
};

/// A letter per square. The number of marks is the side to move.
fn tictactoe(cells: &Cells, _: Side) -> String {
    cells.iter().flatten().map(stone).collect()
}

fn stone(cell: &Cell) -> &str {
    if cell.ink == Ink::Faint { "-" } else { &cell.text }
}

pub(super) const KALAH: SetUp = SetUp {
    pieces: &[
        Piece::counter("one more seed", 1),
        Piece::counter("one seed less", -1),
        Piece::new("empty", "0", Ink::White),
    ],
    turn: true,
    text: kalah,
};

/// The pits and the store of each side.
fn kalah(cells: &Cells, turn: Side) -> String {
    let seeds = |row, column| at(cells, row, column).map_or("", |(text, _)| text);
    let south: Vec<&str> = (1..=6).map(|column| seeds(2, column)).chain([seeds(1, 7)]).collect();
    let north: Vec<&str> = (1..=6).map(|column| seeds(0, 7 - column)).chain([seeds(1, 0)]).collect();
    format!("{}/{} {}", south.join(","), north.join(","), by_turn(turn, ["S", "N"]))
}
