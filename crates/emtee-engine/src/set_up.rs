//! Positions that are set up by hand on a drawn board.

use emtee::Side;
use emtee_games::drawing::{Cell, Ground, Ink};

/// How a game is set up by hand: the pieces to put on the cells of its [drawing](crate::Position::drawing), and the text of the
/// position that results.
///
/// ```
/// use emtee_engine::{Kit, Piece, SetUp};
/// use emtee_games::drawing::Ink;
/// use emtee_games::tictactoe::Board;
///
/// const PIECES: &[Piece] =
///     &[Piece::new("X", "X", Ink::Yellow), Piece::new("O", "O", Ink::White), Piece::new("empty", "", Ink::Faint)];
/// let kit: Kit<Board> = Kit::new().drawn().set_up(SetUp {
///     pieces: PIECES,
///     turn: false,
///     text: |cells, _| cells.iter().flatten().map(|cell| if cell.ink == Ink::Faint { "-" } else { &cell.text }).collect(),
/// });
/// # let _ = kit;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SetUp {
    /// The pieces to choose from. The last one is the empty cell.
    pub pieces: &'static [Piece],
    /// Whether the side to move is chosen. If not, it follows from the pieces.
    pub turn: bool,
    /// Writes the position with these cells of a drawing, from the top left, and this side to move. The text need not be
    /// a legal position.
    pub text: fn(&[Vec<Cell>], Side) -> String,
}

/// A piece that is put on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The name that a player chooses.
    pub label: &'static str,
    /// The text of the cell.
    pub text: &'static str,
    /// The ink of the cell.
    pub ink: Ink,
    /// The only background where the piece may stand. `None`: any cell of the board.
    pub ground: Option<Ground>,
    /// Added to the number in the cell, instead of replacing its text.
    pub add: i8,
}

impl Piece {
    /// A piece that may stand on any cell of the board.
    pub const fn new(label: &'static str, text: &'static str, ink: Ink) -> Piece {
        Piece { label, text, ink, ground: None, add: 0 }
    }

    /// A piece that may stand only on cells with this background.
    pub const fn only_on(self, ground: Ground) -> Piece {
        Piece { ground: Some(ground), ..self }
    }

    /// Changes the number in a cell by `add`.
    pub const fn counter(label: &'static str, add: i8) -> Piece {
        Piece { add, ..Piece::new(label, "", Ink::White) }
    }
}
