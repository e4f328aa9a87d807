//! Tic-tac-toe: the smallest game worth searching, useful for tests.

use std::fmt;
use std::str::FromStr;

use emtee::{Game, MoveOrdering, Moves, Outcome, Side, Tuning};

use crate::drawing::{Cell, Drawing, Drawn, Ground, Ink};
use crate::error::{Error, ErrorKind, quoted};

/// A position of tic-tac-toe. X moves first.
///
/// The notation is row by row with `X`, `O` and `-`. The side to move follows from the number of stones.
///
/// ```
/// use emtee::{Budget, player};
/// use emtee_games::tictactoe::Board;
///
/// let board: Board = "XO- -XO ---".parse()?;
/// assert_eq!(board.to_string(), "XO--XO---");
/// assert_eq!(format!("{board:#}"), "X O 3\n4 X O\n7 8 9\nX to move");
///
/// let mut ai = player(|_: &Board| 0).build()?;
/// let found = ai.think(&board, Budget::depth(9))?;
/// assert_eq!(found.value.unwrap().to_string(), "win in 1");
/// assert_eq!(found.best_move.unwrap().to_string(), "9");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Board {
    /// The squares of X and of O, one bit per square, indexed by [`Side::index`].
    stones: [u16; 2],
}

/// A square, displayed as 1 to 9, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub(crate) u8);

impl Square {
    /// The square with this number, from 1 to 9.
    pub const fn new(number: u8) -> Option<Square> {
        if matches!(number, 1..=9) { Some(Square(number - 1)) } else { None }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

const FULL: u16 = 0o777;

/// Rows, columns and diagonals: one octal digit per row.
const LINES: [u16; 8] = [0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124];

/// The centre, the corners, the edges: in decreasing number of lines through them.
const ORDER: [u8; 9] = [4, 0, 2, 6, 8, 1, 3, 5, 7];

fn has_row(stones: u16) -> bool {
    LINES.iter().any(|&line| line & !stones == 0)
}

impl Board {
    /// The stones of the side to move and of the other side.
    fn own_and_other(&self) -> (u16, u16) {
        let turn = self.turn();
        (self.stones[turn.index()], self.stones[(!turn).index()])
    }

    /// `X`, `O`, or `empty` for an empty square.
    fn symbol(&self, square: u8, empty: char) -> char {
        match self.stones.map(|stones| stones >> square & 1 == 1) {
            [true, _] => 'X',
            [_, true] => 'O',
            _ => empty,
        }
    }
}

impl Board {
    /// Lists the moves, each converted by `into`.
    pub(crate) fn list<M: Copy>(&self, moves: &mut Moves<M>, into: impl Fn(Square) -> M) {
        let empty = FULL & !(self.stones[0] | self.stones[1]);
        for square in ORDER.into_iter().filter(|square| empty >> square & 1 == 1) {
            moves.push(into(Square(square)));
        }
    }
}

impl Game for Board {
    type Move = Square;

    const TUNING: Tuning = Tuning { ordering: MoveOrdering::FULL, etc: None, ..Tuning::DEFAULT };

    fn turn(&self) -> Side {
        let [x, o] = self.stones.map(u16::count_ones);
        if x == o { Side::First } else { Side::Second }
    }

    fn moves(&self, moves: &mut Moves<Square>) {
        self.list(moves, |square| square);
    }

    fn play(&self, square: Square) -> Board {
        let mut board = *self;
        board.stones[self.turn().index()] |= 1 << square.0;
        board
    }

    fn outcome(&self) -> Option<Outcome> {
        let (own, other) = self.own_and_other();
        if has_row(other) { Some(Outcome::Lost) } else { (own | other == FULL).then_some(Outcome::Drawn) }
    }

    /// The number of lines the side to move can still complete minus that of the other side.
    fn evaluate(&self) -> i32 {
        let (own, other) = self.own_and_other();
        let lines_without = |rival: u16| LINES.iter().filter(|&line| line & rival == 0).count() as i32;
        lines_without(other) - lines_without(own)
    }

    fn key(&self) -> u64 {
        emtee::mix(u64::from(self.stones[0]) << 16 | u64::from(self.stones[1]))
    }

    fn code(&self, square: Square, _: usize) -> u16 {
        u16::from(square.0)
    }
}

impl FromStr for Board {
    type Err = Error;

    /// Reads nine of `X`, `O` and `-` (or `.`, `_`), row by row. White space and `/` are ignored.
    fn from_str(text: &str) -> Result<Board, Error> {
        let mut board = Board::default();
        let mut squares = 0;
        for c in text.chars().filter(|&c| !c.is_whitespace() && c != '/') {
            // Squares after the ninth are only counted, for the message.
            let bit = 1_u16.checked_shl(squares).unwrap_or(0) & FULL;
            match c {
                'X' | 'x' => board.stones[0] |= bit,
                'O' | 'o' => board.stones[1] |= bit,
                '-' | '.' | '_' => {}
                _ => {
                    let found = quoted(c.encode_utf8(&mut [0; 4]));
                    let message = format!("square {}: expected X, O or -, found {found}", squares + 1);
                    return Err(Error::new(ErrorKind::Syntax, message));
                }
            }
            squares += 1;
        }
        if squares != 9 {
            return Err(Error::new(ErrorKind::Length, format!("a board has 9 squares, and this one has {squares}")));
        }
        board.check()?;
        Ok(board)
    }
}

impl Board {
    /// Refuses positions that play cannot reach.
    fn check(self) -> Result<(), Error> {
        let [x, o] = self.stones.map(u16::count_ones);
        let reason = match self.stones.map(has_row) {
            _ if x != o && x != o + 1 => {
                format!("X has {x} stones and O has {o}, but X moves first: X has as many as O or one more")
            }
            [true, true] => "X and O cannot both have three in a row".into(),
            [true, _] if x == o => "X has three in a row, but O has moved since".into(),
            [_, true] if x != o => "O has three in a row, but X has moved since".into(),
            _ => return Ok(()),
        };
        Err(Error::new(ErrorKind::IllegalPosition, reason))
    }
}

impl Drawn for Board {
    fn drawing(&self) -> Drawing {
        let cell = |row: usize, column: usize| {
            let square = (3 * row + column) as u8;
            let symbol = self.symbol(square, (b'1' + square) as char);
            let ink = match symbol {
                'X' => Ink::Yellow,
                'O' => Ink::White,
                _ => Ink::Faint,
            };
            Cell::new(symbol, ink, Ground::chequered(row, column))
        };
        let turn = if self.turn() == Side::First { 'X' } else { 'O' };
        let (_, other) = self.own_and_other();
        let rows = LINES.iter().filter(|&line| line & !other == 0);
        let won = rows.flat_map(|line| (0..9).filter(move |square| line >> square & 1 == 1));
        let won = won.map(|square| (square / 3, square % 3));
        Drawing::board(3, 3, cell).marked(won).captioned(format!("{turn} to move"))
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return (0..9).try_for_each(|square| write!(f, "{}", self.symbol(square, '-')));
        }
        for square in 0..9 {
            let end = if square % 3 == 2 { '\n' } else { ' ' };
            // Empty squares show their number, which is the name of the move.
            write!(f, "{}{end}", self.symbol(square, (b'1' + square) as char))?;
        }
        write!(f, "{} to move", if self.turn() == Side::First { 'X' } else { 'O' })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_game, perft, refusal};
    use proptest::prelude::*;

    #[test]
    fn perft_of_the_start() {
        let counts = [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0];
        for (depth, count) in counts.into_iter().enumerate() {
            assert_eq!(perft(&Board::default(), depth as u32), count, "depth {depth}");
        }
    }

    #[test]
    fn moves_are_numbered_from_1() {
        let shown = |number| Square::new(number).map(|m| m.to_string());
        assert_eq!((shown(0), shown(1), shown(9), shown(10)), (None, Some("1".into()), Some("9".into()), None));
    }

    #[test]
    fn laws_texts_and_keys() {
        check_game(&Board::default(), PartialEq::eq);
    }

    #[test]
    fn outcomes() {
        for (text, outcome) in [
            ("---------", None),
            ("XXXOO----", Some(Outcome::Lost)),
            ("OOOXX-X--", Some(Outcome::Lost)),
            ("XOXXOOOXX", Some(Outcome::Drawn)),
            ("XOXOXOXOX", Some(Outcome::Lost)),
        ] {
            assert_eq!(text.parse::<Board>().unwrap().outcome(), outcome, "{text}");
        }
    }

    #[test]
    fn the_centre_is_worth_four_lines() {
        assert_eq!("---------".parse::<Board>().unwrap().evaluate(), 0);
        assert_eq!("----X----".parse::<Board>().unwrap().evaluate(), -4);
    }

    #[test]
    fn separators_are_ignored() {
        assert_eq!("x.o/_X_/ - - -\n".parse::<Board>().unwrap().to_string(), "X-O-X----");
    }

    #[test]
    fn refusals() {
        for (text, reason) in [
            ("", "a board has 9 squares, and this one has 0"),
            ("XO", "a board has 9 squares, and this one has 2"),
            ("XO--------------------", "a board has 9 squares, and this one has 22"),
            ("XO?------", "square 3: expected X, O or -, found '?'"),
            ("XX-------", "X has 2 stones and O has 0, but X moves first: X has as many as O or one more"),
            ("O--------", "X has 0 stones and O has 1, but X moves first: X has as many as O or one more"),
            ("XXXOOO---", "X and O cannot both have three in a row"),
            ("XXXOO---O", "X has three in a row, but O has moved since"),
            ("OOOXX-XX-", "O has three in a row, but X has moved since"),
        ] {
            assert_eq!(refusal::<Board>(text), reason, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[XOxo./_ -]{0,12}|\\PC{0,20}") {
            if let Ok(board) = text.parse::<Board>() {
                prop_assert_eq!(board.to_string().parse(), Ok(board));
            }
        }
    }
}
