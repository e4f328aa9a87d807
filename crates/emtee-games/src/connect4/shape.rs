//! Boards of any size that fits into 64 bits.
//!
//! A column takes one bit more than it has cells: the bit above the top cell is always empty, so that no line of four runs
//! from one column into the next.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind, quoted};

/// The columns and rows of a board: four columns or more, and `columns × (rows + 1)` is at most 64.
///
/// ```
/// use emtee_games::connect4::Shape;
/// assert_eq!("8x7".parse(), Ok(Shape::new(8, 7).unwrap()));
/// assert_eq!(Shape::new(8, 8), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    columns: u8,
    rows: u8,
}

impl Shape {
    /// Seven columns and six rows.
    pub const STANDARD: Shape = Shape { columns: 7, rows: 6 };

    /// A shape. `None` if it has fewer than four columns or no rows, or does not fit into 64 bits.
    pub const fn new(columns: u8, rows: u8) -> Option<Shape> {
        // With four columns all distances on a line are less than 64 bits.
        if columns >= 4 && rows > 0 && columns as u32 * (rows as u32 + 1) <= 64 {
            Some(Shape { columns, rows })
        } else {
            None
        }
    }

    /// The number of columns.
    pub const fn columns(self) -> u32 {
        self.columns as u32
    }

    /// The number of rows.
    pub const fn rows(self) -> u32 {
        self.rows as u32
    }

    /// The number of cells.
    pub const fn cells(self) -> u32 {
        self.columns() * self.rows()
    }

    /// The distance in bits from a cell to its right neighbour.
    pub(super) const fn right(self) -> u32 {
        self.rows() + 1
    }

    /// The number of bits of a board.
    pub(super) const fn bits(self) -> u32 {
        self.columns() * self.right()
    }

    pub(super) const fn bit(self, column: u32, row: u32) -> u64 {
        1 << (column * self.right() + row)
    }

    /// The bottom row.
    pub(super) const fn bottom(self) -> u64 {
        let (mut cells, mut column) = (0, 0);
        while column < self.columns() {
            cells |= self.bit(column, 0);
            column += 1;
        }
        cells
    }

    /// All cells.
    pub(super) const fn full(self) -> u64 {
        // Row by row: the bottom row times a column would overflow on the tallest board.
        let (mut cells, mut row) = (0, 0);
        while row < self.rows() {
            cells |= self.bottom() << row;
            row += 1;
        }
        cells
    }

    /// The cells of a column.
    pub(super) const fn column(self, column: u32) -> u64 {
        (self.bit(column, self.rows() - 1) - self.bit(column, 0)) | self.bit(column, self.rows() - 1)
    }

    /// The name of a column: 1 to 9, then a to z.
    pub(super) fn name(column: u32) -> char {
        char::from_digit(column + 1, 36).unwrap_or('?')
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

impl FromStr for Shape {
    type Err = Error;

    fn from_str(text: &str) -> Result<Shape, Error> {
        let numbers = text.split_once('x').map(|(columns, rows)| (columns.parse(), rows.parse()));
        let Some((Ok(columns), Ok(rows))) = numbers else {
            let message = format!("expected a size like 7x6, found {}", quoted(text));
            return Err(Error::new(ErrorKind::Syntax, message));
        };
        Shape::new(columns, rows).ok_or_else(|| {
            let message = "needs four columns or more, one row or more, and columns × (rows + 1) at most 64";
            Error::new(
                ErrorKind::Number,
                format!("a board of {columns} columns and {rows} rows is refused: it {message}"),
            )
        })
    }
}
