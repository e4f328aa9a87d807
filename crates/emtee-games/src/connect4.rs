//! Connect Four on the usual board of seven columns and six rows.
//!
//! The benchmark among the small games: a position is two words, a move is one addition, and the test for four in a row is a
//! dozen shifts. Each column takes seven bits: six cells from the bottom up and one that is always empty, so that no line of
//! four runs from the top of one column into the bottom of the next:
//!
//! ```text
//!  6 13 20 27 34 41 48   always empty
//!  5 12 19 26 33 40 47   the top row
//!  …
//!  0  7 14 21 28 35 42   the bottom row
//! ```

mod notation;
mod shape;
pub mod sized;
pub mod solver;

use std::fmt;
use std::ops::{BitAnd, BitOr, Shl, Shr};
use std::str::FromStr;

use emtee::{Game, MoveOrdering, Moves, Outcome, Side, Tuning};

use crate::drawing::{Drawing, Drawn};
use crate::error::Error;

pub use shape::Shape;

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
    /// The same two in the mirror image, which has the same value and shares the key.
    image_own: u64,
    image_all: u64,
    turn: Side,
}

/// A column, displayed as 1 to 7 from the left.
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
/// The distance in bits from a cell to its right neighbour.
const RIGHT: u32 = HEIGHT + 1;

const BOTTOM: u64 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28 | 1 << 35 | 1 << 42;
const TOP: u64 = BOTTOM << (HEIGHT - 1);
const FULL: u64 = BOTTOM * ((1 << HEIGHT) - 1);
/// The three middle columns, which most lines of four cross.
const MIDDLE: u64 = ((1 << HEIGHT) - 1) * (1 << 14 | 1 << 21 | 1 << 28);

/// A bitboard with its columns in reverse order.
const fn mirrored(word: u64) -> u64 {
    const COLUMN: u64 = 0x7f;
    const CENTRE: u64 = COLUMN << (3 * RIGHT);
    const LEFT: u64 = (1 << (3 * RIGHT)) - 1;
    const FIRST_OF_THREE: u64 = COLUMN | COLUMN << (4 * RIGHT);
    const BETWEEN: u64 = COLUMN << RIGHT | CENTRE | COLUMN << (5 * RIGHT);
    // Swap the three columns left of the centre with the three right of it, then the outer two of each three.
    let word = word & CENTRE | (word & LEFT) << (4 * RIGHT) | word >> (4 * RIGHT);
    word & BETWEEN | (word & FIRST_OF_THREE) << (2 * RIGHT) | word >> (2 * RIGHT) & FIRST_OF_THREE
}

/// The columns from the centre outwards.
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
    has_four_by(stones, RIGHT)
}

/// The distances in bits to the neighbours above, on the right, and on both diagonals.
#[inline(always)]
const fn directions(right: u32) -> [u32; 4] {
    [1, right, right - 1, right + 1]
}

/// Whether there are four in a row, where the right neighbour of a cell is `right` bits away.
#[inline(always)]
fn has_four_by(stones: u64, right: u32) -> bool {
    let fours = directions(right).map(|step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step)
    });
    // One branch for all four directions: most positions have no four.
    fours[0] | fours[1] | fours[2] | fours[3] != 0
}

/// The cells of every four in a row.
fn four_by(stones: u64, right: u32) -> u64 {
    directions(right).into_iter().fold(0, |cells, step| {
        let pairs = stones & stones >> step;
        let first = pairs & pairs >> (2 * step);
        (0..4).fold(cells, |cells, n| cells | first << (n * step))
    })
}

/// The stones of both sides. Operations on the pair let the compiler emit one vector instruction instead of two.
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

/// The cells that would complete four of `stones`, whether occupied or not: for one side, or for [`Both`] at once.
#[inline(always)]
fn completions<S>(stones: S) -> S
where
    S: Copy + BitAnd<Output = S> + BitOr<Output = S> + Shl<u32, Output = S> + Shr<u32, Output = S>,
{
    completions_by(stones, RIGHT)
}

/// The same for a board where the right neighbour of a cell is `right` bits away.
#[inline(always)]
fn completions_by<S>(stones: S, right: u32) -> S
where
    S: Copy + BitAnd<Output = S> + BitOr<Output = S> + Shl<u32, Output = S> + Shr<u32, Output = S>,
{
    // In a vertical line only the top cell can be missing.
    let mut cells = stones << 1 & stones << 2 & stones << 3;
    for step in [right, right - 1, right + 1] {
        let (before, after) = (stones << step, stones >> step);
        let pairs = stones & after;
        cells = cells | pairs << (2 * step) & (stones << (3 * step) | after);
        cells = cells | pairs >> step & (stones >> (3 * step) | before);
    }
    cells
}

/// The empty cells where one more stone makes three of a line of four whose fourth cell is empty. Also contains some occupied
/// cells. Cells that complete four may or may not be included.
#[inline(always)]
fn threat_makers(stones: u64, empty: u64) -> u64 {
    // In a vertical line only the cells above the stones can be missing.
    let mut cells = stones << 1 & stones << 2 & empty >> 1;
    let ours_or_empty = stones | empty;
    for step in [RIGHT, RIGHT - 1, RIGHT + 1] {
        // Lines of four by their first cell: those without an opposing stone and with two or more stones of ours.
        let pairs = ours_or_empty & ours_or_empty >> step;
        let open = pairs & pairs >> (2 * step);
        let next = stones >> step;
        let (both, either) = (stones & next, stones | next);
        let lines = open & (both | both >> (2 * step) | either & either >> (2 * step));
        // All cells of these lines.
        let halves = lines | lines << step;
        cells |= halves | halves << (2 * step);
    }
    cells
}

/// The bottom cell of each column with a cell in `cells`. `cells` has at most one cell per column.
#[inline(always)]
const fn columns(cells: u64) -> u64 {
    // The addition carries into the bit above the column.
    (cells + FULL) >> HEIGHT & BOTTOM
}

impl Board {
    const fn new(own: u64, all: u64, turn: Side) -> Board {
        Board { own, all, image_own: mirrored(own), image_all: mirrored(all), turn }
    }

    /// The cells that would complete four for the side to move and for the other side, whether occupied or not.
    #[inline(always)]
    fn completions(&self) -> [u64; 2] {
        completions(Both([self.own, self.other()])).0
    }

    /// The stones of the side that has just moved.
    #[inline(always)]
    const fn other(&self) -> u64 {
        self.own ^ self.all
    }

    /// A number that identifies the position.
    #[inline(always)]
    pub const fn number(&self) -> u64 {
        // In a column of n stones the sum lies between 2ⁿ − 1 and 2ⁿ⁺¹ − 2.
        self.own + self.all
    }

    /// The smaller of the numbers of the position and its mirror image, and whether it is that of the image.
    #[inline(always)]
    const fn canonical_number(&self) -> (u64, bool) {
        let (number, image) = (self.number(), self.image_own + self.image_all);
        if image < number { (image, true) } else { (number, false) }
    }

    /// The number of empty cells that complete four in a row for the side to move, reachable now or later.
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

    /// The number of columns that are not full.
    #[inline]
    pub fn mobility(&self) -> u32 {
        (TOP & !self.all).count_ones()
    }

    #[inline(always)]
    const fn has_room(&self, column: u8) -> bool {
        self.all & TOP & bit(column as u32, HEIGHT - 1) == 0
    }

    /// The stones of X and of O. The bit of a cell is 7·column + row, both from 0, from the bottom on the left.
    pub fn stones(&self) -> [u64; 2] {
        if self.turn == Side::First { [self.own, self.other()] } else { [self.other(), self.own] }
    }

    fn side_to_move(&self) -> char {
        if self.turn == Side::First { 'X' } else { 'O' }
    }
}

impl Board {
    /// Lists the moves, each converted by `into`.
    #[inline(always)]
    pub(crate) fn list<M: Copy>(&self, moves: &mut Moves<M>, into: impl Fn(Column) -> M) {
        // Order of the playable cells: those that win, those that block a win of the other side, those that create a new
        // threat. Measured: 95 % of cut nodes are cut by the first move, and depth 14 takes half the nodes of the plain order.
        let open = (self.all + BOTTOM) & FULL;
        let [wins, blocks] = self.completions().map(|cells| cells & open);
        let threats = if wins | blocks == 0 { threat_makers(self.own, FULL ^ self.all) & open } else { 0 };
        // Each column's hint is stored at the bit of its bottom cell.
        let hints = columns(wins) << 2 | columns(blocks) << 1 | columns(threats);
        let hinted = |column: u8| (into(Column(column)), (hints >> (u32::from(column) * RIGHT)) as i16 & 7);
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
        // Measured at depth 14: with killers a quarter more nodes, with history 2 % more.
        ordering: MoveOrdering::HINTS,
        // Measured: ETC from 3 plies up takes 7 to 10 % fewer nodes and a fifth more time.
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
        // The addition carries up the column into its first empty cell.
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

    /// Eight points for each empty cell that completes four, one point for each stone in the three middle columns.
    #[inline]
    fn evaluate(&self) -> i32 {
        let count = |cells: u64| cells.count_ones() as i32;
        let [ours, theirs] = self.completions().map(|cells| cells & (FULL ^ self.all));
        let threats = if ours == theirs { 0 } else { count(ours) - count(theirs) };
        // One population count for both sides: our stones, and the cells without a stone of theirs.
        let middle = count((self.own & MIDDLE) << (3 * RIGHT) | !self.other() & MIDDLE) - count(MIDDLE);
        8 * threats + middle
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        // The multiplication spreads the bits. Keys of related positions must not differ in only one or two bits: a torn table
        // entry must not look like the entry of another position.
        self.canonical_number().0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    #[inline(always)]
    fn key_after(&self, column: Column) -> Option<u64> {
        Some(self.play(column).key())
    }

    #[inline(always)]
    fn move_from_code(&self, code: u16) -> Option<Column> {
        let column = Column(if self.canonical_number().1 { 6u16.wrapping_sub(code) } else { code } as u8);
        (code < 7 && self.has_room(column.0)).then_some(column)
    }

    #[inline(always)]
    fn has_choice(&self) -> bool {
        let open = TOP & !self.all;
        open & open.wrapping_sub(1) != 0
    }

    #[inline(always)]
    fn code(&self, column: Column, _: usize) -> u16 {
        // The column in the mirror image if the key is that of the image.
        u16::from(if self.canonical_number().1 { 6 - column.0 } else { column.0 })
    }
}

impl FromStr for Board {
    type Err = Error;

    /// Reads the columns played, from the first move on, or six rows from the top separated by `/`. White space is ignored. The
    /// empty text is the start position.
    fn from_str(text: &str) -> Result<Board, Error> {
        let [x, o] = notation::read(Shape::STANDARD, text)?;
        let (own, turn) = if x.count_ones() == o.count_ones() { (x, Side::First) } else { (o, Side::Second) };
        Ok(Board::new(own, x | o, turn))
    }
}

impl Drawn for Board {
    fn drawing(&self) -> Drawing {
        notation::drawing(Shape::STANDARD, self.stones(), self.side_to_move())
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.alternate() {
            false => notation::write_rows(f, Shape::STANDARD, self.stones()),
            true => notation::write_board(f, Shape::STANDARD, self.stones(), self.side_to_move()),
        }
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
    fn perft_of_the_start() {
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
    fn mirror_images_share_keys_codes_and_values() {
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

    /// Every line of four on the board, cell by cell.
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
    fn fours_and_completions_match_the_69_lines() {
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
    fn threat_makers_match_the_69_lines() {
        let lines = lines();
        let mut made = 0;
        random_games(&Board::default(), 500, 4, |board| {
            let (open, empty) = ((board.all + BOTTOM) & FULL, FULL ^ board.all);
            if completions(board.own) & open != 0 {
                return; // `threat_makers` is unspecified here.
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
    fn columns_are_marked_at_their_bottoms() {
        assert_eq!(columns(0), 0);
        assert_eq!(columns(BOTTOM), BOTTOM);
        assert_eq!(columns(TOP), BOTTOM);
        assert_eq!(columns(bit(2, 3) | bit(6, 0)), bit(2, 0) | bit(6, 0));
    }

    #[test]
    fn mirroring_reverses_the_columns() {
        for (column, row) in (0..7).flat_map(|column| (0..6).map(move |row| (column, row))) {
            assert_eq!(mirrored(bit(column, row)), bit(6 - column, row));
        }
        // The bit above a column too, which position numbers use.
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
    fn outcomes() {
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
            ("-------/-------/-------/-------/OOO----/XXXX--O", "X has four in a row, but O has moved since"),
            ("-------/-------/-------/-------/XXX----/OOOOXX-", "O has four in a row, but X has moved since"),
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
