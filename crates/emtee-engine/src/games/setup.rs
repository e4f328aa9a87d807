//! Positions that are set up on a drawn board: the texts of their cells. Reading the text checks whether they are legal.

use emtee::Side;
use emtee_games::drawing::{Cell, Ink};

type Cells = [Vec<Cell>];

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

/// FEN, with castling rights for kings and rooks on their initial squares.
pub(super) fn chess(cells: &Cells, turn: Side) -> String {
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

/// A letter per square.
pub(super) fn othello(cells: &Cells, turn: Side) -> String {
    let letter = |cell: &Cell| match cell.ink {
        Ink::Black => 'X',
        Ink::White => 'O',
        _ => '-',
    };
    let squares: String = cells.iter().flatten().map(letter).collect();
    format!("{squares} {}", by_turn(turn, ["X", "O"]))
}

/// PDN's FEN.
pub(super) fn checkers(cells: &Cells, turn: Side) -> String {
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

/// A letter per square, row by row. The number of stones is the side to move.
pub(super) fn connect4(cells: &Cells, _: Side) -> String {
    let rows: Vec<String> = cells.iter().map(|cells| cells.iter().map(stone).collect()).collect();
    rows.join("/")
}

/// A letter per square. The number of marks is the side to move.
pub(super) fn tictactoe(cells: &Cells, _: Side) -> String {
    cells.iter().flatten().map(stone).collect()
}

fn stone(cell: &Cell) -> &str {
    if cell.ink == Ink::Faint { "-" } else { &cell.text }
}

/// The pits and the store of each side.
pub(super) fn kalah(cells: &Cells, turn: Side) -> String {
    let seeds = |row, column| at(cells, row, column).map_or("", |(text, _)| text);
    let south: Vec<&str> = (1..=6).map(|column| seeds(2, column)).chain([seeds(1, 7)]).collect();
    let north: Vec<&str> = (1..=6).map(|column| seeds(0, 7 - column)).chain([seeds(1, 0)]).collect();
    format!("{}/{} {}", south.join(","), north.join(","), by_turn(turn, ["S", "N"]))
}
