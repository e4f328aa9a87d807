//! Connect Four on boards of any [`Shape`], for [solving](super::solver). [`Board`](super::Board) is faster to search.

use std::fmt;
use std::str::FromStr;

use emtee::{Game, Moves, Outcome, Side};

use super::notation::{self, Stones};
use super::shape::Shape;
use super::{completions_by, has_four_by};
use crate::drawing::{Drawing, Drawn};
use crate::error::Error;

/// A position on a board of any shape. X moves first.
///
/// It is written as the shape and the rows from the top, or read as the shape and the columns played. Columns are named 1 to
/// 9, then a, b and so on.
///
/// ```
/// use emtee_games::connect4::sized::Board;
/// let board: Board = "5x4 3344".parse()?;
/// assert_eq!(board.to_string(), "5x4 -----/-----/--OO-/--XX-");
/// # Ok::<(), emtee_games::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    pub(super) shape: Shape,
    /// The stones of the side to move.
    pub(super) own: u64,
    /// All stones.
    pub(super) all: u64,
}

/// A column, displayed as 1 to 9, then a, b and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Column(pub(super) u8);

impl Column {
    /// The column with this number, from 1 to 32.
    pub const fn new(number: u8) -> Option<Column> {
        if matches!(number, 1..=32) { Some(Column(number - 1)) } else { None }
    }

    /// Its number, from 1.
    pub const fn number(self) -> u8 {
        self.0 + 1
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Shape::name(self.0.into()))
    }
}

impl Board {
    /// The empty board.
    pub const fn new(shape: Shape) -> Board {
        Board { shape, own: 0, all: 0 }
    }

    /// The shape of the board.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The number of stones.
    pub const fn stones(&self) -> u32 {
        self.all.count_ones()
    }

    /// The column that completes four, if there is one.
    pub fn winning_move(&self) -> Option<Column> {
        let wins = completions_by(self.own, self.shape.right()) & self.open();
        (wins != 0).then(|| Column((wins.trailing_zeros() / self.shape.right()) as u8))
    }

    /// The lowest empty cell of each column.
    pub(super) const fn open(&self) -> u64 {
        (self.all + self.shape.bottom()) & self.shape.full()
    }

    /// The stones of the side that has just moved.
    pub(super) const fn other(&self) -> u64 {
        self.own ^ self.all
    }

    const fn first_to_move(&self) -> bool {
        self.stones().is_multiple_of(2)
    }

    /// The stones of X and of O.
    pub(super) const fn by_colour(&self) -> Stones {
        if self.first_to_move() { [self.own, self.other()] } else { [self.other(), self.own] }
    }

    fn side_to_move(&self) -> char {
        if self.first_to_move() { 'X' } else { 'O' }
    }
}

impl Default for Board {
    fn default() -> Board {
        Board::new(Shape::STANDARD)
    }
}

impl From<super::Board> for Board {
    fn from(board: super::Board) -> Board {
        Board { shape: Shape::STANDARD, own: board.own, all: board.all }
    }
}

impl Game for Board {
    type Move = Column;

    fn turn(&self) -> Side {
        if self.first_to_move() { Side::First } else { Side::Second }
    }

    fn moves(&self, moves: &mut Moves<Column>) {
        // From the centre outwards.
        let columns = self.shape.columns();
        for n in 0..columns {
            let offset = n.div_ceil(2);
            let column = if n % 2 == 1 { (columns - 1) / 2 + offset } else { (columns - 1) / 2 - offset };
            if self.open() & self.shape.column(column) != 0 {
                moves.push(Column(column as u8));
            }
        }
    }

    fn play(&self, column: Column) -> Board {
        let all = self.all | (self.all + self.shape.bit(column.0.into(), 0));
        Board { shape: self.shape, own: self.other(), all }
    }

    fn outcome(&self) -> Option<Outcome> {
        if has_four_by(self.other(), self.shape.right()) {
            Some(Outcome::Lost)
        } else {
            (self.all == self.shape.full()).then_some(Outcome::Drawn)
        }
    }
}

impl FromStr for Board {
    type Err = Error;

    /// Reads the shape, 7x6 if it is left out, then the columns played or the rows from the top separated by `/`.
    fn from_str(text: &str) -> Result<Board, Error> {
        let text = text.trim();
        // A shape starts with its columns and an x; neither notation does.
        let head = text.split_whitespace().next().unwrap_or_default();
        let sized = head.split_once('x').is_some_and(|(columns, _)| columns.bytes().all(|c| c.is_ascii_digit()));
        let sized = sized && !head.contains('/') && !head.starts_with('x');
        let (shape, stones) = if sized { (head.parse()?, &text[head.len()..]) } else { (Shape::STANDARD, text) };
        let [x, o] = notation::read(shape, stones)?;
        let own = if x.count_ones() == o.count_ones() { x } else { o };
        Ok(Board { shape, own, all: x | o })
    }
}

impl Drawn for Board {
    fn drawing(&self) -> Drawing {
        notation::drawing(self.shape, self.by_colour(), self.side_to_move())
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return notation::write_board(f, self.shape, self.by_colour(), self.side_to_move());
        }
        write!(f, "{} ", self.shape)?;
        notation::write_rows(f, self.shape, self.by_colour())
    }
}
