//! Kalah(6,4), the commercial mancala game: a move can earn another move, so the same side can move several times in a row.
//!
//! Rule sets differ. These are the rules here:
//!
//! * Sowing goes counterclockwise, one seed per pit, including the own store and skipping the other store. A long lap can drop
//!   a seed into the pit it started from.
//! * If the last seed falls into the own store, the side moves again.
//! * If the last seed falls into an empty own pit, it captures the seeds in the opposite pit, and the capturing seed goes to
//!   the store with them. If the opposite pit is empty, nothing is captured and the seed stays (no "empty captures").
//! * The game is over as soon as the pits of one side are empty. The other side moves the seeds left in its pits to its store.
//! * The result is the difference of the stores: play continues for points after the game is won.

mod solving;

use std::fmt;
use std::str::FromStr;

use emtee::{Game, MoveOrdering, Moves, Outcome, Side, Tuning, mix};

use crate::drawing::{Cell, Drawing, Drawn, Ground, Ink};
use crate::error::{Error, ErrorKind, quoted};

pub use solving::{ENTRY_BYTES, Solver};

/// A position of Kalah. South moves first.
///
/// It is written as South's six pits in the order of sowing and South's store, the same for North, and `S` or `N` for
/// the side to move.
///
/// ```
/// use emtee::Game;
/// use emtee_games::kalah::{Board, Pit};
///
/// let start = Board::default();
/// assert_eq!(start.to_string(), "4,4,4,4,4,4,0/4,4,4,4,4,4,0 S");
///
/// let third = Pit::new(3).unwrap();
/// let again = start.play(third); // the last of four seeds falls into the store
/// assert_eq!(again.to_string(), "4,4,0,5,5,5,1/4,4,4,4,4,4,0 S");
/// assert_eq!(again.turn(), start.turn());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// Counterclockwise: South's pits and store, North's pits and store. Either both sides have seeds in their pits or neither
    /// does.
    seeds: [u8; 14],
    turn: Side,
}

/// A pit, displayed as 1 to 6 in the order of sowing: 6 is next to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pit(pub(crate) u8);

impl Pit {
    /// The pit with this number, from 1 to 6.
    pub const fn new(number: u8) -> Option<Pit> {
        if matches!(number, 1..=6) { Some(Pit(number - 1)) } else { None }
    }
}

impl fmt::Display for Pit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// The number of seeds in the game.
const SEEDS: u32 = 48;

/// The index of a side's first pit. Its store is six places later.
const fn first_pit(side: Side) -> usize {
    7 * side.index()
}

impl Board {
    /// The seeds in the six pits of a side, in the order of sowing.
    pub fn pits(&self, side: Side) -> &[u8] {
        &self.seeds[first_pit(side)..first_pit(side) + 6]
    }

    /// The seeds in the store of a side.
    pub fn store(&self, side: Side) -> u8 {
        self.seeds[first_pit(side) + 6]
    }

    /// The store of the side to move minus the other store.
    fn lead(&self) -> i32 {
        i32::from(self.store(self.turn)) - i32::from(self.store(!self.turn))
    }

    /// If the pits of one side are empty, moves the other side's seeds to its store.
    fn sweep(&mut self) {
        let empty = |side| self.pits(side) == [0; 6];
        if empty(Side::First) || empty(Side::Second) {
            for side in [Side::First, Side::Second] {
                let left: u8 = self.pits(side).iter().sum();
                self.seeds[first_pit(side)..first_pit(side) + 6].fill(0);
                self.seeds[first_pit(side) + 6] += left;
            }
        }
    }
}

/// Four seeds in every pit.
impl Default for Board {
    fn default() -> Board {
        Board { seeds: [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0], turn: Side::First }
    }
}

impl Board {
    /// Lists the moves, each converted by `into`, from the store outwards. Moves that earn another move have the better hint.
    pub(crate) fn list<M: Copy>(&self, moves: &mut Moves<M>, into: impl Fn(Pit) -> M) {
        for pit in (0..6).rev() {
            let seeds = self.pits(self.turn)[usize::from(pit)];
            if seeds > 0 {
                // A lap is 13 places long.
                let again = seeds % 13 == 6 - pit;
                moves.push_hinted(into(Pit(pit)), i16::from(again));
            }
        }
    }
}

impl Game for Board {
    type Move = Pit;

    const TUNING: Tuning = Tuning {
        ordering: MoveOrdering::FULL,
        // Measured: ETC from 2 plies up takes 0.2 % fewer nodes and more time.
        etc: None,
        ..Tuning::DEFAULT
    };

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<Pit>) {
        self.list(moves, |pit| pit);
    }

    fn play(&self, pit: Pit) -> Board {
        let mut board = *self;
        let own_store = first_pit(self.turn) + 6;
        let other_store = first_pit(!self.turn) + 6;
        let mut place = first_pit(self.turn) + usize::from(pit.0);
        let sown = std::mem::take(&mut board.seeds[place]);
        for _ in 0..sown {
            place = if place == 13 { 0 } else { place + 1 };
            if place == other_store {
                place = if place == 13 { 0 } else { place + 1 };
            }
            board.seeds[place] += 1;
        }
        let own_pits = first_pit(self.turn)..own_store;
        if own_pits.contains(&place) && board.seeds[place] == 1 {
            let opposite = 12 - place;
            if board.seeds[opposite] > 0 {
                board.seeds[own_store] += 1 + std::mem::take(&mut board.seeds[opposite]);
                board.seeds[place] = 0;
            }
        }
        if place != own_store {
            board.turn = !self.turn;
        }
        board.sweep();
        board
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.pits(Side::First) == [0; 6]).then(|| Outcome::Points(self.lead()))
    }

    /// The difference of the stores, in the unit of the final score.
    fn evaluate(&self) -> i32 {
        self.lead()
    }

    fn key(&self) -> u64 {
        // North's store follows from the other counts: there are always 48 seeds.
        let word = |seeds: &[u8]| seeds.iter().fold(0, |word, &n| word << 8 | u64::from(n));
        mix(word(&self.seeds[..7]) ^ mix(word(&self.seeds[7..13]) | (self.turn.index() as u64) << 63))
    }

    fn code(&self, pit: Pit, _: usize) -> u16 {
        u16::from(pit.0)
    }
}

impl FromStr for Board {
    type Err = Error;

    /// Reads seven numbers, `/`, seven numbers, and `S` or `N`. Commas and white space separate numbers. The text of a finished
    /// game may have the last seeds still in their pits.
    fn from_str(text: &str) -> Result<Board, Error> {
        let text = text.trim();
        let (counts, turn) = if let Some(counts) = text.strip_suffix(['S', 's']) {
            (counts, Side::First)
        } else if let Some(counts) = text.strip_suffix(['N', 'n']) {
            (counts, Side::Second)
        } else {
            return Err(Error::new(
                ErrorKind::Syntax,
                "the side to move is missing: end with S for South or N for North",
            ));
        };
        let Some((south, north)) = counts.split_once('/') else {
            return Err(Error::new(ErrorKind::Syntax, "expected a / between South's seeds and North's"));
        };
        let mut board = Board { seeds: [0; 14], turn };
        for (name, side, text) in [("South", Side::First, south), ("North", Side::Second, north)] {
            let counts = read_counts(name, text)?;
            board.seeds[first_pit(side)..first_pit(side) + 7].copy_from_slice(&counts);
        }
        let total: u32 = board.seeds.iter().map(|&n| u32::from(n)).sum();
        if total != SEEDS {
            return Err(Error::new(
                ErrorKind::IllegalPosition,
                format!("there are {SEEDS} seeds in the game, and {total} here"),
            ));
        }
        board.sweep();
        Ok(board)
    }
}

/// Reads the six pits and the store of one side.
fn read_counts(name: &str, text: &str) -> Result<[u8; 7], Error> {
    let mut counts = [0; 7];
    let mut read = 0;
    for word in text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty()) {
        let Ok(seeds) = word.parse() else {
            let message = format!("{name}: expected a number of seeds, found {}", quoted(word));
            return Err(Error::new(ErrorKind::Number, message));
        };
        if let Some(count) = counts.get_mut(read) {
            *count = seeds;
        }
        read += 1;
    }
    if read != 7 {
        let message = format!("{name}: expected six pits and a store, found {read} numbers");
        return Err(Error::new(ErrorKind::Length, message));
    }
    Ok(counts)
}

/// North's pits on top, from right to left, South's at the bottom, and the stores at the sides.
impl Drawn for Board {
    fn drawing(&self) -> Drawing {
        let cell = |row: usize, column: usize| match (row, column) {
            (1, 0) => Cell::new(self.store(Side::Second), Ink::Yellow, Ground::Dark),
            (1, 7) => Cell::new(self.store(Side::First), Ink::Yellow, Ground::Dark),
            (0, 1..=6) => Cell::new(self.pits(Side::Second)[6 - column], Ink::White, Ground::Light),
            (2, 1..=6) => Cell::new(self.pits(Side::First)[column - 1], Ink::White, Ground::Light),
            _ => Cell::default(),
        };
        let mut drawing = Drawing::board(3, 8, cell).columns_named(" 123456 ");
        drawing.columns[0].reverse();
        drawing.captioned(format!("{} to move", if self.turn == Side::First { "South" } else { "North" }))
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (south, north) = (self.pits(Side::First), self.pits(Side::Second));
        let (south_store, north_store) = (self.store(Side::First), self.store(Side::Second));
        if !f.alternate() {
            for (pits, store, end) in [(south, south_store, "/"), (north, north_store, " ")] {
                pits.iter().try_for_each(|seeds| write!(f, "{seeds},"))?;
                write!(f, "{store}{end}")?;
            }
            return f.write_str(if self.turn == Side::First { "S" } else { "N" });
        }
        let row = |f: &mut fmt::Formatter<'_>, pits: &[u8]| {
            writeln!(f, "    {}", pits.iter().map(|n| format!("{n:3}")).collect::<String>())
        };
        let backwards = |pits: &[u8]| pits.iter().rev().copied().collect::<Vec<u8>>();
        let numbers = [1, 2, 3, 4, 5, 6];
        row(f, &backwards(&numbers))?;
        row(f, &backwards(north))?;
        writeln!(f, "{north_store:3}{:20}{south_store:3}", "")?;
        row(f, south)?;
        row(f, &numbers)?;
        write!(f, "{} to move", if self.turn == Side::First { "South" } else { "North" })
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

    /// The text of the position after some moves, given as numbers of pits.
    fn after(text: &str, pits: &[u8]) -> String {
        pits.iter().fold(board(text), |board, &pit| board.play(Pit::new(pit).unwrap())).to_string()
    }

    const START: &str = "4,4,4,4,4,4,0/4,4,4,4,4,4,0 S";

    #[test]
    fn openings() {
        for (pits, text) in [
            (&[1][..], "0,5,5,5,5,4,0/4,4,4,4,4,4,0 N"),
            (&[3], "4,4,0,5,5,5,1/4,4,4,4,4,4,0 S"),
            (&[3, 6], "4,4,0,5,5,0,2/5,5,5,5,4,4,0 N"),
            // North's second pit now holds five, which reach the store: North moves again.
            (&[6, 2], "4,4,4,4,4,0,1/5,0,6,5,5,5,1 N"),
            (&[6, 2, 1], "4,4,4,4,4,0,1/0,1,7,6,6,6,1 S"),
            (&[3, 6, 2, 6], "5,5,1,6,5,0,2/5,0,6,6,5,0,2 S"),
        ] {
            assert_eq!(after(START, pits), text, "{pits:?}");
        }
    }

    #[test]
    fn captures() {
        for (before, pit, text) in [
            // The last seed falls into the empty fifth pit of South, opposite North's second.
            ("4,0,0,1,0,1,10/1,7,0,0,0,1,23 S", 4, "4,0,0,0,0,1,18/1,0,0,0,0,1,23 N"),
            // Nothing opposite, nothing captured.
            ("4,0,0,1,0,1,10/8,0,0,0,0,1,23 S", 4, "4,0,0,0,1,1,10/8,0,0,0,0,1,23 N"),
            // An empty pit of the other side captures nothing.
            ("4,0,0,1,0,2,10/0,7,0,0,0,1,23 S", 6, "4,0,0,1,0,0,11/1,7,0,0,0,1,23 N"),
            // Thirteen seeds go once around to the pit they started from, including South's store but not North's.
            ("13,1,0,0,0,0,0/1,0,0,0,0,1,32 S", 1, "0,2,1,1,1,1,4/2,1,1,1,1,0,32 N"),
            // North captures.
            ("0,3,0,0,0,0,20/0,0,0,1,0,1,23 N", 4, "0,0,0,0,0,0,20/0,0,0,0,0,1,27 S"),
        ] {
            assert_eq!(after(before, &[pit]), text.parse::<Board>().unwrap().to_string(), "{before}");
        }
    }

    #[test]
    fn the_last_seeds_are_swept() {
        // South's last seed falls into its store; North keeps the seeds in its pits.
        let end = board("0,0,0,0,0,1,20/3,0,0,0,0,1,23 S").play(Pit(5));
        assert_eq!(end.to_string(), "0,0,0,0,0,0,21/0,0,0,0,0,0,27 S");
        assert_eq!(end.outcome(), Some(Outcome::Points(-6)));
        assert_eq!(board("0,0,0,0,0,0,20/3,0,0,0,0,1,24 N").outcome(), Some(Outcome::Points(8)));
        assert_eq!(board("0,0,0,0,0,0,24/0,0,0,0,0,0,24 N").outcome(), Some(Outcome::Points(0)));
        assert_eq!(board("0,0,0,0,0,1,40/1,0,0,0,0,0,6 N").outcome(), None, "a won game goes on");
    }

    #[test]
    fn exactly_the_moves_that_earn_another_are_hinted() {
        random_games(&Board::default(), 50, 4, |board| {
            for m in emtee::legal_moves(board) {
                let again = board.pits(board.turn)[usize::from(m.0)] % 13 == 6 - m.0;
                let next = board.play(m);
                assert!(next.outcome().is_some() || again == (next.turn == board.turn), "{board:#}\n{m}");
            }
        });
    }

    #[test]
    fn seeds_are_never_lost() {
        random_games(&Board::default(), 300, 5, |board| {
            assert_eq!(board.seeds.iter().map(|&n| u32::from(n)).sum::<u32>(), SEEDS);
            assert_eq!(board.pits(Side::First) == [0; 6], board.pits(Side::Second) == [0; 6]);
        });
    }

    /// The counts are those of an independent program.
    #[test]
    fn perft_of_the_start() {
        for (depth, count) in [1, 6, 35, 185, 942, 4690, 23_233, 114_430, 563_055].into_iter().enumerate() {
            assert_eq!(perft(&Board::default(), depth as u32), count, "depth {depth}");
        }
    }

    #[test]
    fn moves_are_numbered_from_1() {
        let shown = |number| Pit::new(number).map(|m| m.to_string());
        assert_eq!((shown(0), shown(1), shown(6), shown(7)), (None, Some("1".into()), Some("6".into()), None));
    }

    #[test]
    fn laws_texts_and_keys() {
        check_game(&Board::default(), PartialEq::eq);
    }

    #[test]
    fn boards_are_drawn() {
        let drawn = concat!(
            "      6  5  4  3  2  1\n",
            "      4  4  4  4  4  4\n",
            "  0                      1\n",
            "      4  4  0  5  5  5\n",
            "      1  2  3  4  5  6\n",
            "South to move"
        );
        assert_eq!(format!("{:#}", board("4 4 0 5 5 5 1 / 4 4 4 4 4 4 0 s")), drawn);
    }

    #[test]
    fn refusals() {
        for (text, reason) in [
            ("", "the side to move is missing: end with S for South or N for North"),
            ("4,4,4,4,4,4,0/4,4,4,4,4,4,0", "the side to move is missing: end with S for South or N for North"),
            ("4,4,4,4,4,4,0 S", "expected a / between South's seeds and North's"),
            ("4,4,4,4,4,0/4,4,4,4,4,4,0 S", "South: expected six pits and a store, found 6 numbers"),
            ("4,4,4,4,4,4,0/4,4,4,4,4,4,0,0 S", "North: expected six pits and a store, found 8 numbers"),
            ("4,4,4,4,4,4,0/4,4,x,4,4,4,0 S", "North: expected a number of seeds, found 'x'"),
            ("4,4,4,4,4,4,0/4,4,-4,4,4,4,0 S", "North: expected a number of seeds, found '-4'"),
            ("4,4,4,4,4,4,0/4,4,300,4,4,4,0 S", "North: expected a number of seeds, found '300'"),
            ("4,4,4,4,4,4,0/4,4,4,4,4,4,1 S", "there are 48 seeds in the game, and 49 here"),
        ] {
            assert_eq!(refusal::<Board>(text), reason, "{text}");
        }
    }

    proptest! {
        #[test]
        fn boards_are_read_as_they_are_written(thrown in proptest::collection::vec(0usize..14, SEEDS as usize), north: bool) {
            let mut counts = [0; 14];
            thrown.into_iter().for_each(|pit| counts[pit] += 1);
            let listed = |counts: &[u8]| counts.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
            let (south_counts, north_counts) = counts.split_at(7);
            let turn = if north { 'N' } else { 'S' };
            let text = format!("{}/{} {turn}", listed(south_counts), listed(north_counts));
            let board: Board = text.parse().unwrap();
            prop_assert_eq!(board.to_string().parse(), Ok(board));
            // The last seeds of a finished game are swept into the stores.
            prop_assert!(board.to_string() == text || board.outcome().is_some(), "{} as {}", text, board);
        }

        /// Hardly any of these texts has 48 seeds. Most are refused, and none causes a panic.
        #[test]
        fn any_text_is_read_or_refused(text in "([0-9]{1,3},){6}[0-9]{1,3}/([0-9],){6}[0-9] [SN]|\\PC{0,30}") {
            if let Ok(board) = text.parse::<Board>() {
                prop_assert_eq!(board.to_string().parse(), Ok(board));
            }
        }
    }
}
