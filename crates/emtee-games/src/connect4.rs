//! Connect Four on the usual board of seven columns and six rows.
//!
//! The benchmark among the small games: a position is two words, a move an addition, and a row of four a dozen shifts.
//! Each column takes seven bits, six cells from the bottom up and one that stays empty, so that no line of four can run
//! from the top of one column into the bottom of the next:
//!
//! ```text
//!  6 13 20 27 34 41 48   always empty
//!  5 12 19 26 33 40 47   the top row
//!  …
//!  0  7 14 21 28 35 42   the bottom row
//! ```

mod solving;

use std::fmt;
use std::ops::{BitAnd, BitOr, Shl, Shr};
use std::str::FromStr;

use emtee::{Game, MoveOrdering, Moves, Outcome, Side, Tuning};

use crate::drawing::{Cell, Drawing, Drawn, Ground, Ink};
use crate::error::{Error, quoted};

pub use solving::{MOST_POINTS, Solving};

/// A position of Connect Four. X moves first.
///
/// It is written as the columns played so far, or as six rows from the top with `X`, `O` and `-`.
///
/// ```
/// use emtee_games::connect4::Board;
/// let board: Board = "4453".parse()?;
/// assert_eq!(board, "-------/-------/-------/-------/---O---/--OXX--".parse()?);
/// assert_eq!(board.mobility(), 7);
/// # Ok::<(), emtee_games::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Board {
    /// The stones of the side to move.
    own: u64,
    /// All stones.
    all: u64,
    /// The same two in the mirror image, which has the same value and should have the same key.
    image_own: u64,
    image_all: u64,
    turn: Side,
}

/// A column, shown as 1 to 7 from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Column(pub(crate) u8);

impl Column {
    /// The column with this number, from 1 to 7.
    pub const fn new(number: u8) -> Option<Column> {
        if matches!(number, 1..=7) { Some(Column(number - 1)) } else { None }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

const WIDTH: u32 = 7;
const HEIGHT: u32 = 6;
/// From a cell to its neighbour on the right.
const RIGHT: u32 = HEIGHT + 1;
/// To the neighbours above, on the right, and on both diagonals.
const DIRECTIONS: [u32; 4] = [1, RIGHT, RIGHT - 1, RIGHT + 1];

const BOTTOM: u64 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28 | 1 << 35 | 1 << 42;
const TOP: u64 = BOTTOM << (HEIGHT - 1);
const FULL: u64 = BOTTOM * ((1 << HEIGHT) - 1);
/// The three columns in the middle, which most lines of four run through.
const MIDDLE: u64 = ((1 << HEIGHT) - 1) * (1 << 14 | 1 << 21 | 1 << 28);

/// A word with the columns from right to left.
const fn mirrored(word: u64) -> u64 {
    const COLUMN: u64 = 0x7f;
    const CENTRE: u64 = COLUMN << (3 * RIGHT);
    const LEFT: u64 = (1 << (3 * RIGHT)) - 1;
    const FIRST_OF_THREE: u64 = COLUMN | COLUMN << (4 * RIGHT);
    const BETWEEN: u64 = COLUMN << RIGHT | CENTRE | COLUMN << (5 * RIGHT);
    // The three columns on either side of the centre change places, and then the outer two of each three.
    let word = word & CENTRE | (word & LEFT) << (4 * RIGHT) | word >> (4 * RIGHT);
    word & BETWEEN | (word & FIRST_OF_THREE) << (2 * RIGHT) | word >> (2 * RIGHT) & FIRST_OF_THREE
}

/// From the centre outwards.
const ORDER: [u8; 7] = [3, 2, 4, 1, 5, 0, 6];

#[inline(always)]
const fn bit(column: u32, row: u32) -> u64 {
    1 << (column * RIGHT + row)
}

/// The bottom cells of a column and of its mirror image.
#[inline(always)]
const fn bottoms(column: u8) -> [u64; 2] {
    const CELLS: [[u64; 2]; 8] = {
        let mut cells = [[0; 2]; 8];
        let mut column = 0;
        while column < WIDTH {
            cells[column as usize] = [bit(column, 0), bit(WIDTH - 1 - column, 0)];
            column += 1;
        }
        cells
    };
    CELLS[(column & 7) as usize]
}

#[inline(always)]
fn has_four(stones: u64) -> bool {
    let fours = DIRECTIONS.map(|step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step)
    });
    // One branch for all four directions: most positions have none.
    fours[0] | fours[1] | fours[2] | fours[3] != 0
}

/// The cells of every four in a row.
fn fours(stones: u64) -> u64 {
    DIRECTIONS.into_iter().fold(0, |cells, step| {
        let pairs = stones & stones >> step;
        let first = pairs & pairs >> (2 * step);
        cells | first | first << step | first << (2 * step) | first << (3 * step)
    })
}

/// The stones of both sides, worked on together, so that the compiler can make one instruction of two.
#[derive(Clone, Copy)]
struct Both([u64; 2]);

impl BitAnd for Both {
    type Output = Both;
    #[inline(always)]
    fn bitand(self, other: Both) -> Both {
        Both([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }
}

impl BitOr for Both {
    type Output = Both;
    #[inline(always)]
    fn bitor(self, other: Both) -> Both {
        Both([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }
}

impl Shl<u32> for Both {
    type Output = Both;
    #[inline(always)]
    fn shl(self, by: u32) -> Both {
        Both(self.0.map(|stones| stones << by))
    }
}

impl Shr<u32> for Both {
    type Output = Both;
    #[inline(always)]
    fn shr(self, by: u32) -> Both {
        Both(self.0.map(|stones| stones >> by))
    }
}

/// The cells that would complete four of `stones`, taken or not: of one side, or of both at once.
#[inline(always)]
fn completions<S>(stones: S) -> S
where
    S: Copy + BitAnd<Output = S> + BitOr<Output = S> + Shl<u32, Output = S> + Shr<u32, Output = S>,
{
    // Upwards only the cell on top can be missing.
    let mut cells = stones << 1 & stones << 2 & stones << 3;
    for step in [RIGHT, RIGHT - 1, RIGHT + 1] {
        let (before, after) = (stones << step, stones >> step);
        let pairs = stones & after;
        cells = cells | pairs << (2 * step) & (stones << (3 * step) | after);
        cells = cells | pairs >> step & (stones >> (3 * step) | before);
    }
    cells
}

/// The empty cells where one more stone makes three of a line of four whose fourth cell is empty, and cells that are
/// taken. Where a stone would complete four, it may or may not be among them.
#[inline(always)]
fn threat_makers(stones: u64, empty: u64) -> u64 {
    // Upwards only the cell on top can be missing.
    let mut cells = stones << 1 & stones << 2 & empty >> 1;
    let ours_or_empty = stones | empty;
    for step in [RIGHT, RIGHT - 1, RIGHT + 1] {
        // Lines of four by their first cell: those that the other side has no stone in, and two or more are ours.
        let pairs = ours_or_empty & ours_or_empty >> step;
        let open = pairs & pairs >> (2 * step);
        let next = stones >> step;
        let (both, either) = (stones & next, stones | next);
        let lines = open & (both | both >> (2 * step) | either & either >> (2 * step));
        // And all their cells.
        let halves = lines | lines << step;
        cells |= halves | halves << (2 * step);
    }
    cells
}

/// One bit for each column with a cell in `cells`, at its bottom. A column has one such cell at most.
#[inline(always)]
const fn columns(cells: u64) -> u64 {
    // The carry goes into the bit above the column.
    (cells + FULL) >> HEIGHT & BOTTOM
}

impl Board {
    const fn new(own: u64, all: u64, turn: Side) -> Board {
        Board { own, all, image_own: mirrored(own), image_all: mirrored(all), turn }
    }

    /// The cells that would complete four for the side to move, and for the other one, taken or not.
    #[inline(always)]
    fn completions(&self) -> [u64; 2] {
        completions(Both([self.own, self.other()])).0
    }

    /// The stones of the side that has just moved.
    #[inline(always)]
    const fn other(&self) -> u64 {
        self.own ^ self.all
    }

    /// A number that no other position has.
    #[inline(always)]
    pub const fn number(&self) -> u64 {
        // In a column of n stones the sum lies between 2ⁿ − 1 and 2ⁿ⁺¹ − 2.
        self.own + self.all
    }

    /// The number of the position or of its mirror image, whichever is less; and whether it is the image's.
    #[inline(always)]
    const fn least_number(&self) -> (u64, bool) {
        let (number, image) = (self.number(), self.image_own + self.image_all);
        if image < number { (image, true) } else { (number, false) }
    }

    /// How many empty cells would complete four in a row for the side to move, now or later.
    ///
    /// ```
    /// use emtee_games::connect4::Board;
    /// let board: Board = "41516".parse()?; // X has 4, 5 and 6 of the bottom row, O two in column 1
    /// assert_eq!(board.threats(), 0); // O is to move
    /// let board: Board = "415161".parse()?;
    /// assert_eq!(board.threats(), 2); // X: 3 and 7
    /// # Ok::<(), emtee_games::Error>(())
    /// ```
    #[inline]
    pub fn threats(&self) -> u32 {
        (completions(self.own) & (FULL ^ self.all)).count_ones()
    }

    /// How many columns have room.
    #[inline]
    pub fn mobility(&self) -> u32 {
        (TOP & !self.all).count_ones()
    }

    #[inline(always)]
    const fn has_room(&self, column: u8) -> bool {
        self.all & TOP & bit(column as u32, HEIGHT - 1) == 0
    }

    /// `X`, `O` or what an empty cell is to be shown as.
    fn symbol(&self, cell: u64, empty: char) -> char {
        let x = if self.turn() == Side::First { self.own } else { self.other() };
        match (self.all & cell != 0, x & cell != 0) {
            (false, _) => empty,
            (true, true) => 'X',
            (true, false) => 'O',
        }
    }
}

impl Board {
    /// Lists the moves, each as `of` writes it.
    #[inline(always)]
    pub(crate) fn list<M: Copy>(&self, moves: &mut Moves<M>, of: impl Fn(Column) -> M) {
        // The cells that a stone can fall into: those of them that win come first, then those that deny the other side a
        // win, then those that leave a new cell that would win. Measured: 95 % of cut nodes are cut by the first move, and
        // depth 14 takes half the nodes of the plain order.
        let open = (self.all + BOTTOM) & FULL;
        let [wins, blocks] = self.completions().map(|cells| cells & open);
        let makers = if wins | blocks == 0 { threat_makers(self.own, FULL ^ self.all) & open } else { 0 };
        // Each column's hint stands at its bottom.
        let hints = columns(wins) << 2 | columns(blocks) << 1 | columns(makers);
        let hinted = |column: u8| (of(Column(column)), (hints >> (u32::from(column) * RIGHT)) as i16 & 7);
        if self.all & TOP == 0 {
            return moves.extend_hinted(ORDER.map(hinted));
        }
        for column in ORDER.into_iter().filter(|&column| self.has_room(column)) {
            let (m, hint) = hinted(column);
            moves.push_hinted(m, hint);
        }
    }
}

impl Game for Board {
    type Move = Column;

    const TUNING: Tuning = Tuning {
        // Measured: killers cost a quarter more nodes at depth 14, history two in a hundred.
        ordering: MoveOrdering::HINTS,
        // Measured: from 3 plies up, 7 to 10 in a hundred nodes less and a fifth more time.
        etc: None,
        ..Tuning::DEFAULT
    };

    #[inline(always)]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn moves(&self, moves: &mut Moves<Column>) {
        self.list(moves, |column| column);
    }

    #[inline(always)]
    fn play(&self, column: Column) -> Board {
        // The carry of the addition runs up the column and stops in the first empty cell.
        let [bottom, image] = bottoms(column.0);
        let (all, image_all) = (self.all | (self.all + bottom), self.image_all | (self.image_all + image));
        let image_own = self.image_own ^ self.image_all;
        Board { own: self.other(), all, image_own, image_all, turn: !self.turn }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if has_four(self.other()) {
            Some(Outcome::Lost)
        } else if self.all == FULL {
            Some(Outcome::Drawn)
        } else {
            None
        }
    }

    /// Eight points for each empty cell that would complete four, one for each stone in the three columns of the
    /// middle.
    #[inline]
    fn evaluate(&self) -> i32 {
        let count = |cells: u64| cells.count_ones() as i32;
        let [ours, theirs] = self.completions().map(|cells| cells & (FULL ^ self.all));
        let threats = if ours == theirs { 0 } else { count(ours) - count(theirs) };
        // Both sides in one word: our stones, and the cells that are not theirs.
        let middle = count((self.own & MIDDLE) << (3 * RIGHT) | !self.other() & MIDDLE) - count(MIDDLE);
        8 * threats + middle
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        // The product spreads the bits, so that two keys do not differ in one or two: a torn table entry must not look
        // like the entry of a neighbour.
        self.least_number().0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    #[inline(always)]
    fn key_after(&self, column: Column) -> Option<u64> {
        Some(self.play(column).key())
    }

    #[inline(always)]
    fn move_from_code(&self, code: u16) -> Option<Column> {
        let column = Column(if self.least_number().1 { 6u16.wrapping_sub(code) } else { code } as u8);
        (code < 7 && self.has_room(column.0)).then_some(column)
    }

    #[inline(always)]
    fn has_choice(&self) -> bool {
        let open = TOP & !self.all;
        open & open.wrapping_sub(1) != 0
    }

    #[inline(always)]
    fn code(&self, column: Column, _: usize) -> u16 {
        // As in the mirror image, if that gave the key.
        u16::from(if self.least_number().1 { 6 - column.0 } else { column.0 })
    }
}

impl FromStr for Board {
    type Err = Error;

    /// The columns played, from the first move on, or six rows from the top separated by `/`. White space means
    /// nothing, and the empty text is the start.
    fn from_str(text: &str) -> Result<Board, Error> {
        if text.contains('/') { from_rows(text) } else { from_columns(text) }
    }
}

fn from_columns(text: &str) -> Result<Board, Error> {
    let mut board = Board::default();
    for (played, c) in text.chars().filter(|c| !c.is_whitespace()).enumerate() {
        let refused = |reason: String| Err(Error::new(format!("move {}: {reason}", played + 1)));
        let Some(column @ 0..7) = c.to_digit(10).and_then(|digit| digit.checked_sub(1)) else {
            return refused(format!("expected a column from 1 to 7, found {}", quoted(c.encode_utf8(&mut [0; 4]))));
        };
        if board.outcome().is_some() {
            return refused(format!("the game was over after move {played}"));
        }
        if !board.has_room(column as u8) {
            return refused(format!("column {c} is full"));
        }
        board = board.play(Column(column as u8));
    }
    Ok(board)
}

fn from_rows(text: &str) -> Result<Board, Error> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != HEIGHT as usize {
        return Err(Error::new(format!("a board has {HEIGHT} rows, and this one has {}", rows.len())));
    }
    let (mut x, mut o) = (0, 0);
    for (number, (row, line)) in (0..HEIGHT).rev().zip(rows).enumerate() {
        let number = number + 1;
        let mut cells = 0;
        for c in line.chars().filter(|c| !c.is_whitespace()) {
            let cell = if cells < WIDTH { bit(cells, row) } else { 0 };
            cells += 1;
            match c {
                'X' | 'x' => x |= cell,
                'O' | 'o' => o |= cell,
                '-' | '.' | '_' => {}
                _ => {
                    let found = quoted(c.encode_utf8(&mut [0; 4]));
                    let place = format!("row {number}, column {cells}");
                    return Err(Error::new(format!("{place}: expected X, O or -, found {found}")));
                }
            }
        }
        if cells != WIDTH {
            return Err(Error::new(format!("row {number}: a row has {WIDTH} cells, and this one has {cells}")));
        }
    }
    check(x, o)?;
    let (own, turn) = if x.count_ones() == o.count_ones() { (x, Side::First) } else { (o, Side::Second) };
    Ok(Board::new(own, x | o, turn))
}

/// Whether gravity and the order of moves allow these stones. Whether play can really lead here is not looked into.
fn check(x: u64, o: u64) -> Result<(), Error> {
    let all = x | o;
    let refused = |reason: String| Err(Error::new(reason));
    let floating = all & !(all << 1 | BOTTOM);
    if floating != 0 {
        let (column, row) = (floating.trailing_zeros() / RIGHT, floating.trailing_zeros() % RIGHT);
        let (column, row) = (column + 1, HEIGHT - row);
        return refused(format!("row {row}, column {column}: nothing is under this stone"));
    }
    let (xs, os) = (x.count_ones(), o.count_ones());
    if xs != os && xs != os + 1 {
        return refused(format!("X has {xs} stones and O has {os}, but X moves first: X has as many as O or one more"));
    }
    let (winner, name, rival) = match (has_four(x), has_four(o)) {
        (false, false) => return Ok(()),
        (true, true) => return refused("X and O cannot both have four in a row".into()),
        (true, false) => (x, 'X', 'O'),
        (false, true) => (o, 'O', 'X'),
    };
    if (name == 'X') == (xs == os) {
        return refused(format!("{name} has four in a row, and yet {rival} moved after that"));
    }
    let topmost = all & !(all >> 1);
    let last_moves = (0..64).map(|n| 1 << n).filter(|stone| winner & topmost & stone != 0);
    if last_moves.into_iter().all(|stone: u64| has_four(winner ^ stone)) {
        return refused(format!("{name} has four in a row, but not by a last move"));
    }
    Ok(())
}

impl Drawn for Board {
    fn drawing(&self) -> Drawing {
        let cell = |row: usize, column: usize| {
            let symbol = self.symbol(bit(column as u32, HEIGHT - 1 - row as u32), '·');
            let ink = match symbol {
                'X' => Ink::Yellow,
                'O' => Ink::White,
                _ => Ink::Faint,
            };
            Cell::new(symbol, ink, Ground::Blue)
        };
        let turn = if self.turn() == Side::First { 'X' } else { 'O' };
        let mut drawing = Drawing::board(HEIGHT as usize, WIDTH as usize, cell).columns_named("1234567");
        drawing.columns[0].clear();
        let won = (0..WIDTH).flat_map(|column| (0..HEIGHT).map(move |row| (column, row)));
        let won = won.filter(|&(column, row)| fours(self.other()) & bit(column, row) != 0);
        let won = won.map(|(column, row)| ((HEIGHT - 1 - row) as usize, column as usize));
        drawing.marked(won).captioned(format!("{turn} to move"))
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            for row in (0..HEIGHT).rev() {
                (0..WIDTH).try_for_each(|column| write!(f, "{}", self.symbol(bit(column, row), '-')))?;
                f.write_str(if row > 0 { "/" } else { "" })?;
            }
            return Ok(());
        }
        for row in (0..HEIGHT).rev() {
            for column in 0..WIDTH {
                write!(f, "{}{}", self.symbol(bit(column, row), '.'), if column + 1 < WIDTH { ' ' } else { '\n' })?;
            }
        }
        write!(f, "1 2 3 4 5 6 7\n{} to move", if self.turn() == Side::First { 'X' } else { 'O' })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_game, perft, random_games, refusal};
    use proptest::prelude::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    #[test]
    fn lines_of_play_are_counted() {
        let counts = [1, 7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234, 39_394_572];
        for (depth, count) in counts.into_iter().enumerate() {
            assert_eq!(perft(&Board::default(), depth as u32), count, "depth {depth}");
        }
    }

    #[test]
    fn moves_are_numbered_from_1() {
        let shown = |number| Column::new(number).map(|m| m.to_string());
        assert_eq!((shown(0), shown(1), shown(7), shown(8)), (None, Some("1".into()), Some("7".into()), None));
    }

    #[test]
    fn laws_texts_and_keys() {
        check_game(&Board::default(), |a, b| a == b || *a == image(b));
    }

    fn image(board: &Board) -> Board {
        Board::new(mirrored(board.own), mirrored(board.all), board.turn)
    }

    #[test]
    fn mirror_images_share_key_codes_and_worth() {
        random_games(&Board::default(), 200, 5, |board| {
            let image = image(board);
            assert_eq!((image.key(), image.evaluate()), (board.key(), board.evaluate()));
            if *board != image {
                for column in 0..7 {
                    assert_eq!(image.code(Column(6 - column), 0), board.code(Column(column), 0), "{board}");
                }
            }
        });
    }

    /// Every line of four on the board, found cell by cell.
    fn lines() -> Vec<u64> {
        let mut lines = Vec::new();
        for (column, row) in (0..7).flat_map(|column| (0..6).map(move |row| (column, row))) {
            for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let cells: Vec<_> = (0..4).map(|n| (column + n * right, row + n * up)).collect();
                if cells.iter().all(|&(c, r)| (0..7).contains(&c) && (0..6).contains(&r)) {
                    lines.push(cells.iter().fold(0, |line, &(c, r)| line | bit(c as u32, r as u32)));
                }
            }
        }
        lines
    }

    #[test]
    fn shifts_find_what_the_69_lines_find() {
        let lines = lines();
        assert_eq!(lines.len(), 69);
        random_games(&Board::default(), 500, 3, |board| {
            let four = lines.iter().any(|&line| board.other() & line == line);
            assert_eq!(has_four(board.other()), four, "{board:#}");
            let completes = |cell: u64| lines.iter().any(|&line| line & cell != 0 && (board.own | cell) & line == line);
            let cells = (0..49).map(|n| 1 << n).filter(|&cell| FULL & !board.all & cell != 0 && completes(cell));
            assert_eq!(board.threats(), cells.count() as u32, "{board:#}");
        });
    }

    #[test]
    fn threats_are_made_where_the_69_lines_say() {
        let lines = lines();
        let mut made = 0;
        random_games(&Board::default(), 500, 4, |board| {
            let (open, empty) = ((board.all + BOTTOM) & FULL, FULL ^ board.all);
            if completions(board.own) & open != 0 {
                return; // Nobody asks.
            }
            let makes = |cell: u64| {
                lines.iter().any(|&line| {
                    let others = line & !cell;
                    line & cell != 0 && (others & board.own).count_ones() == 2 && others & empty & !board.own != 0
                })
            };
            let cells = (0..49).map(|n| 1 << n).filter(|&cell| open & cell != 0 && makes(cell));
            let cells = cells.fold(0, |cells, cell: u64| cells | cell);
            assert_eq!(threat_makers(board.own, empty) & open, cells, "{board:#}");
            made += u32::from(cells != 0);
        });
        assert!(made > 2_000, "{made}");
    }

    #[test]
    fn columns_go_by_their_cells() {
        assert_eq!(columns(0), 0);
        assert_eq!(columns(BOTTOM), BOTTOM);
        assert_eq!(columns(TOP), BOTTOM);
        assert_eq!(columns(bit(2, 3) | bit(6, 0)), bit(2, 0) | bit(6, 0));
    }

    #[test]
    fn mirrors_turn_columns_round() {
        for (column, row) in (0..7).flat_map(|column| (0..6).map(move |row| (column, row))) {
            assert_eq!(mirrored(bit(column, row)), bit(6 - column, row));
        }
        // Also the bit above a column, which a number may need.
        assert_eq!(mirrored(bit(0, 6) | bit(4, 6)), bit(6, 6) | bit(2, 6));
    }

    #[test]
    fn columns_are_tried_from_the_centre() {
        let moves = |text| emtee::legal_moves(&board(text)).iter().map(Column::to_string).collect::<String>();
        assert_eq!(moves(""), "4352617");
        assert_eq!(moves("444444"), "352617");
        assert_eq!(moves("777777"), "435261");
    }

    #[test]
    fn ends_are_seen() {
        for (columns, outcome) in [
            ("", None),
            ("121212", None),
            ("1212121", Some(Outcome::Lost)),
            ("1122334", Some(Outcome::Lost)),
            ("12233434464", Some(Outcome::Lost)),
            ("111111222222333333544444455555677777766666", Some(Outcome::Drawn)),
        ] {
            assert_eq!(board(columns).outcome(), outcome, "{columns}");
        }
    }

    #[test]
    fn evaluation_is_for_the_side_to_move() {
        assert_eq!(board("").evaluate(), 0);
        assert_eq!(board("4").evaluate(), -1);
        // X threatens on both sides of the bottom row, O on top of column 1.
        assert_eq!(board("415161").evaluate(), 16 - 8 + 2);
    }

    #[test]
    fn boards_are_drawn() {
        let drawn = ". . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. . . O . . .\n. . O X X . .\n\
                     1 2 3 4 5 6 7\nX to move";
        assert_eq!(format!("{:#}", board("44 53")), drawn);
    }

    #[test]
    fn refusals() {
        for (text, reason) in [
            ("448", "move 3: expected a column from 1 to 7, found '8'"),
            ("0", "move 1: expected a column from 1 to 7, found '0'"),
            ("4 x", "move 2: expected a column from 1 to 7, found 'x'"),
            ("4444444", "move 7: column 4 is full"),
            ("12121212", "move 8: the game was over after move 7"),
            ("X/O", "a board has 6 rows, and this one has 2"),
            ("-------/-------/-------/-------/-------/------", "row 6: a row has 7 cells, and this one has 6"),
            ("--------/-------/-------/-------/-------/-------", "row 1: a row has 7 cells, and this one has 8"),
            ("-------/-------/---z---/-------/-------/-------", "row 3, column 4: expected X, O or -, found 'z'"),
            ("-------/-------/-------/---X---/-------/-------", "row 4, column 4: nothing is under this stone"),
            (
                "-------/-------/-------/-------/-------/XX-----",
                "X has 2 stones and O has 0, but X moves first: X has as many as O or one more",
            ),
            ("-------/-------/-------/-------/XXXX---/OOOO---", "X and O cannot both have four in a row"),
            ("-------/-------/-------/-------/OOO----/XXXX--O", "X has four in a row, and yet O moved after that"),
            ("-------/-------/-------/-------/XXX----/OOOOXX-", "O has four in a row, and yet X moved after that"),
            ("-------/-------/-------/-------/OOXO---/XXXX--O", "X has four in a row, but not by a last move"),
        ] {
            assert_eq!(refusal::<Board>(text), reason, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[1-7]{0,45}|([XO-]{7}/){5}[XO-]{7}|\\PC{0,20}") {
            if let Ok(board) = text.parse::<Board>() {
                prop_assert_eq!(board.to_string().parse(), Ok(board));
            }
        }
    }
}
