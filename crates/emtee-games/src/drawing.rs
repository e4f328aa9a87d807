//! A board as a grid of cells, for terminals and pages to paint.
//!
//! A game gives the content of each cell and its meaning. The painter chooses colours and shapes.

/// A game whose positions can be drawn as a board of cells.
pub trait Drawn {
    /// The board, its coordinates and the side to move.
    fn drawing(&self) -> Drawing;
}

/// A board of cells with coordinates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The rows from the top.
    pub rows: Vec<Row>,
    /// The column labels above and below the board; empty for none.
    pub columns: [Vec<String>; 2],
    /// The side to move, and further remarks.
    pub caption: String,
}

/// A row of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The row labels on the left and the right; empty for none.
    pub names: [String; 2],
    /// The cells from the left.
    pub cells: Vec<Cell>,
}

/// A cell of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The content, at most three characters wide.
    pub text: String,
    /// The meaning of the text.
    pub ink: Ink,
    /// The background.
    pub ground: Ground,
    /// Whether the last move changed it.
    pub changed: bool,
}

/// The meaning of a cell's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ink {
    /// The label of an empty square, or decoration.
    #[default]
    Faint,
    /// A white piece.
    White,
    /// A black piece.
    Black,
    /// A yellow piece.
    Yellow,
}

/// The background of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ground {
    /// None: the cell is not part of the board.
    #[default]
    Bare,
    /// A light square.
    Light,
    /// A dark square.
    Dark,
    /// Green cloth.
    Green,
    /// A blue frame.
    Blue,
}

impl Ground {
    /// The background of a square of a chequered board whose top left square is light.
    pub fn chequered(row: usize, column: usize) -> Ground {
        if (row + column).is_multiple_of(2) { Ground::Light } else { Ground::Dark }
    }
}

impl Cell {
    /// A cell that is not marked as changed.
    pub fn new(text: impl ToString, ink: Ink, ground: Ground) -> Cell {
        Cell { text: text.to_string(), ink, ground, changed: false }
    }
}

impl Drawing {
    /// A board of `rows` rows and `columns` columns, without labels and caption.
    pub fn board(rows: usize, columns: usize, cell: impl Fn(usize, usize) -> Cell) -> Drawing {
        let rows = (0..rows).map(|row| Row {
            names: Default::default(),
            cells: (0..columns).map(|column| cell(row, column)).collect(),
        });
        Drawing { rows: rows.collect(), ..Drawing::default() }
    }

    /// Labels the rows, on both sides.
    pub fn rows_named(mut self, name: impl Fn(usize) -> String) -> Drawing {
        for (index, row) in self.rows.iter_mut().enumerate() {
            row.names = [name(index), name(index)];
        }
        self
    }

    /// Labels the columns with one character each, above and below.
    pub fn columns_named(mut self, names: &str) -> Drawing {
        let names: Vec<String> = names.chars().map(String::from).collect();
        self.columns = [names.clone(), names];
        self
    }

    /// Sets the caption.
    pub fn captioned(self, caption: impl Into<String>) -> Drawing {
        Drawing { caption: caption.into(), ..self }
    }

    /// Marks the cells that decided the game, given as rows and columns.
    pub fn marked(mut self, cells: impl IntoIterator<Item = (usize, usize)>) -> Drawing {
        for (row, column) in cells {
            self.rows[row].cells[column].changed = true;
        }
        self
    }

    /// Marks the cells whose content differs from `before`. If cells are marked already, as those of a winning row are,
    /// only they stay marked.
    pub fn since(mut self, before: &Drawing) -> Drawing {
        if self.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.changed) {
            return self;
        }
        for (row, old) in self.rows.iter_mut().zip(&before.rows) {
            for (cell, old) in row.cells.iter_mut().zip(&old.cells) {
                cell.changed = cell.text != old.text || cell.ink != old.ink;
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use emtee::{Game, legal_moves};

    use super::*;
    use crate::{checkers, chess, connect4, kalah, othello, tictactoe};

    /// All rows have the same width, every text fits, and the first move changes as many cells as expected.
    fn check<G: Game + Drawn + Default>(changed: usize) {
        let start = G::default();
        let drawing = start.drawing();
        let width = drawing.rows[0].cells.len();
        for row in &drawing.rows {
            assert_eq!(row.cells.len(), width);
            assert!(row.cells.iter().all(|cell| cell.text.chars().count() <= 3 && !cell.changed));
        }
        for names in &drawing.columns {
            assert!(names.is_empty() || names.len() == width, "{names:?}");
        }
        assert!(!drawing.caption.is_empty() && !drawing.caption.contains('\n'));
        let after = start.play(legal_moves(&start)[0]).drawing().since(&drawing);
        assert_eq!(after.rows.iter().flat_map(|row| &row.cells).filter(|cell| cell.changed).count(), changed);
    }

    #[test]
    fn every_game_is_drawn() {
        check::<chess::Board>(2);
        check::<othello::Board>(2);
        check::<checkers::Board>(2);
        check::<connect4::Board>(1);
        check::<tictactoe::Board>(1);
        check::<kalah::Board>(5);
    }

    /// Three or four in a row are marked, and nothing else.
    #[test]
    fn winning_rows_are_marked() {
        let marked = |drawing: &Drawing| -> Vec<(usize, usize)> {
            let cells = drawing.rows.iter().enumerate();
            let cells = cells.flat_map(|(row, cells)| cells.cells.iter().enumerate().map(move |cell| (row, cell)));
            cells.filter(|(_, (_, cell))| cell.changed).map(|(row, (column, _))| (row, column)).collect()
        };
        let (before, after) = ("XX-OO----", "XXXOO----");
        let [before, after] = [before, after].map(|text| text.parse::<tictactoe::Board>().unwrap().drawing());
        assert_eq!(marked(&after.since(&before)), [(0, 0), (0, 1), (0, 2)]);
        let [before, after] = ["121212", "1212121"].map(|text| text.parse::<connect4::Board>().unwrap().drawing());
        assert_eq!(marked(&after.since(&before)), [(2, 0), (3, 0), (4, 0), (5, 0)]);
        let slanted = "12233434464".parse::<connect4::Board>().unwrap().drawing();
        assert_eq!(marked(&slanted), [(2, 3), (3, 2), (4, 1), (5, 0)]);
    }

    #[test]
    fn pieces_are_drawn_on_their_squares() {
        let cell = |drawing: &Drawing, row: usize, column: usize| drawing.rows[row].cells[column].clone();
        let chess = chess::Board::default().drawing();
        assert_eq!(cell(&chess, 7, 4), Cell::new('♚', Ink::White, Ground::Dark));
        assert_eq!(cell(&chess, 0, 3), Cell::new('♛', Ink::Black, Ground::Dark));
        assert_eq!((cell(&chess, 7, 7).ground, &chess.rows[0].names[0][..]), (Ground::Light, "8"));
        let othello = othello::Board::default().drawing();
        assert_eq!(cell(&othello, 3, 4), Cell::new('●', Ink::Black, Ground::Green));
        let checkers = "B:W32:BK1".parse::<checkers::Board>().unwrap().drawing();
        assert_eq!(cell(&checkers, 0, 1), Cell::new('♚', Ink::Black, Ground::Dark));
        assert_eq!(cell(&checkers, 7, 6), Cell::new('●', Ink::White, Ground::Dark));
        assert_eq!(cell(&checkers, 7, 4), Cell::new(31, Ink::Faint, Ground::Dark));
        let connect4 = "42".parse::<connect4::Board>().unwrap().drawing();
        assert_eq!(cell(&connect4, 5, 3), Cell::new('X', Ink::Yellow, Ground::Blue));
        assert_eq!(cell(&connect4, 5, 1), Cell::new('O', Ink::White, Ground::Blue));
    }
}
