//! Endings databases: win, draw or loss for every position with few pieces.
//!
//! ```
//! use emtee_games::checkers::{Board, endings::{Endings, Wdl}};
//!
//! let endings = Endings::build(3);
//! let board: Board = "B:WK32:BK18,K19".parse()?;
//! assert_eq!(endings.value(&board), Some(Wdl::Win));
//! let read = Endings::from_bytes(&endings.to_bytes())?;
//! assert_eq!(read.value(&board), Some(Wdl::Win));
//! # Ok::<(), emtee_games::Error>(())
//! ```
//!
//! [`Judge`] lets a search ask it.
//!
//! Values are those of the game without draws by repetition or by a count of moves: a win can be forced, however long it
//! takes. A position in which the side to move must capture has a value like any other; the database leaves it out, and
//! works it out from those after the captures when it is asked.

mod build;
mod cores;
mod database;
mod file;
mod index;
mod judge;
mod runs;
mod value;
mod verify;

use std::fmt;
use std::io::Read;
use std::sync::atomic::AtomicBool;

use emtee::Side;

use super::board::Board;
use crate::error::Error;
pub use database::Database;
pub use index::{Force, MOST_PIECES, Material};
pub use judge::Judge;
pub use value::{Counts, Wdl};

/// How many positions one core takes at a time, where they are looked at one by one.
const SHARE: usize = 1 << 14;

/// The values of all positions with up to so many pieces. Shared by threads as it is.
#[derive(Clone)]
pub struct Endings {
    index: index::Index,
    /// By slice.
    counts: Vec<Counts>,
    packed: file::Packed,
}

impl Endings {
    /// Works out all positions with up to `pieces` pieces, from 2 to [`MOST_PIECES`].
    ///
    /// # Panics
    ///
    /// If there are fewer or more.
    pub fn build(pieces: usize) -> Endings {
        assert!((2..=MOST_PIECES).contains(&pieces), "endings have 2 to {MOST_PIECES} pieces");
        match Endings::build_until(pieces, &AtomicBool::new(false), &|_| ()) {
            Some(endings) => endings,
            None => unreachable!("nobody stops it"),
        }
    }

    /// The same, for those who watch: `seen` is told how many positions are done, of [`positions`], and nothing comes back
    /// if `stop` goes up or the number of pieces cannot be.
    pub fn build_until(pieces: usize, stop: &AtomicBool, seen: &(dyn Fn(u64) + Sync)) -> Option<Endings> {
        if !(2..=MOST_PIECES).contains(&pieces) {
            return None;
        }
        let values = build::build(pieces, stop, seen)?;
        let count = |slice: &index::Slice| {
            let end = slice.start + slice.len();
            let share = |first: usize| {
                let mut counts = Counts::default();
                (first..end.min(first + SHARE)).for_each(|number| counts.add(values.get(number)));
                counts
            };
            let shares = cores::map((slice.start..end).step_by(SHARE).collect(), share);
            shares.into_iter().fold(Counts::default(), Counts::and)
        };
        let counts: Vec<Counts> = values.index.slices.iter().map(count).collect();
        let quiet = |number| (!values.loud(number)).then(|| values.get(number));
        let packed = file::Packed::new(values.index.len, quiet);
        Some(Endings { index: values.index, counts, packed })
    }

    /// The most pieces whose positions are in it.
    pub fn pieces(&self) -> usize {
        self.index.pieces
    }

    /// What a position is worth to the side to move; nothing if it has too many pieces.
    #[inline(always)]
    pub fn value(&self, board: &Board) -> Option<Wdl> {
        let pieces = (board.pieces[0] | board.pieces[1]).count_ones();
        (pieces as usize <= self.index.pieces).then(|| self.settled(board))
    }

    /// Captures are played out: each leads to fewer pieces.
    fn settled(&self, board: &Board) -> Wdl {
        let (own, other) = board.own_and_other();
        if own == 0 || other == 0 {
            return if own == 0 { Wdl::Loss } else { Wdl::Win };
        }
        let jumpers = board.jumpers();
        if jumpers == 0 {
            let seen = if board.turn == Side::First { *board } else { board.mirrored() };
            return self.packed.get(self.index.of(&seen));
        }
        let mut best = Wdl::Loss;
        board.each_jump(jumpers, &mut |m| {
            if best != Wdl::Win {
                best = best.max(-self.settled(&board.after(m)));
            }
        });
        best
    }

    /// How many positions with each material are won, drawn and lost for the side to move.
    ///
    /// Positions are counted once for both colours: Black to move, and White to move on the board turned round, are one.
    pub fn counts(&self) -> impl Iterator<Item = (Material, Counts)> + '_ {
        self.index.slices.iter().map(|slice| slice.material).zip(self.counts.iter().copied())
    }

    /// One of the positions, with Black to move, chosen by a number.
    pub fn sample(&self, which: u64) -> Board {
        self.index.board((which % self.index.len as u64) as usize)
    }

    /// Checks every value against those of the positions after it, and the counts. `seen` is told how many positions are
    /// done. False if `stop` went up first.
    pub fn verify(&self, stop: &AtomicBool, seen: &(dyn Fn(u64) + Sync)) -> Result<bool, Error> {
        verify::verify(self, stop, seen)
    }

    /// The same for `count` positions drawn by a seed, and not the counts. Each material has its share of them.
    pub fn verify_some(
        &self,
        count: u64,
        seed: u64,
        stop: &AtomicBool,
        seen: &(dyn Fn(u64) + Sync),
    ) -> Result<bool, Error> {
        verify::verify_some(self, count, seed, stop, seen)
    }

    /// The database as a file holds it.
    pub fn to_bytes(&self) -> Vec<u8> {
        file::write(self)
    }

    /// Reads what [`to_bytes`](Endings::to_bytes) wrote, or says what is wrong with it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Endings, Error> {
        Endings::read(bytes)
    }

    /// Reads a file, or says what is wrong with it.
    ///
    /// What is no database is refused by its first bytes, however much follows, and a damaged one by the first block
    /// that is wrong. Whatever the header says, no more is read or kept than a database of so many pieces can need.
    ///
    /// ```
    /// use emtee_games::checkers::endings::Endings;
    ///
    /// let error = Endings::read(std::io::repeat(0)).unwrap_err();
    /// assert_eq!(error.to_string(), "this is no endings database");
    /// ```
    pub fn read(from: impl Read) -> Result<Endings, Error> {
        Ok(file::read(from, file::Reading { most: MOST_PIECES, on_all_cores: true })?.0)
    }

    /// The same, in the background: no other core is taken from whoever is at work there.
    pub fn read_on_one_core(from: impl Read) -> Result<Endings, Error> {
        Ok(file::read(from, file::Reading { most: MOST_PIECES, on_all_cores: false })?.0)
    }

    /// Reads no more of a file than the positions with up to `pieces` pieces, at least 2. Says too how many the file has.
    ///
    /// ```
    /// use emtee_games::checkers::endings::Endings;
    ///
    /// let file = Endings::build(3).to_bytes();
    /// let (two, all) = Endings::read_up_to(&*file, 2)?;
    /// assert_eq!((two.pieces(), all), (2, 3));
    /// # Ok::<(), emtee_games::Error>(())
    /// ```
    pub fn read_up_to(from: impl Read, pieces: usize) -> Result<(Endings, usize), Error> {
        file::read(from, file::Reading { most: pieces.max(2), on_all_cores: true })
    }
}

/// There is one database of so many pieces.
impl PartialEq for Endings {
    fn eq(&self, other: &Endings) -> bool {
        self.pieces() == other.pieces() && self.counts == other.counts
    }
}

impl Eq for Endings {}

impl fmt::Debug for Endings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endings of {} pieces", self.pieces())
    }
}

/// How many bytes of memory a database of up to `pieces` pieces takes, at most [`MOST_PIECES`].
pub fn memory(pieces: usize) -> u64 {
    positions(pieces).div_ceil(4)
}

/// How many positions there are with up to `pieces` pieces, at most [`MOST_PIECES`].
pub fn positions(pieces: usize) -> u64 {
    index::Index::new(pieces.min(MOST_PIECES)).len as u64
}

#[cfg(test)]
mod tests {
    use emtee::{Game, legal_moves, mix};

    use super::*;

    #[track_caller]
    fn totals(endings: &Endings, pieces: usize, [wins, draws, losses]: [u64; 3]) {
        let counts = endings.counts().filter(|(material, _)| material.pieces() == pieces).map(|(_, counts)| counts);
        assert_eq!(counts.fold(Counts::default(), Counts::and), Counts { wins, draws, losses }, "{pieces} pieces");
    }

    /// Counts of another generator.
    #[test]
    fn the_totals_are_as_known() {
        let endings = Endings::build(4);
        totals(&endings, 2, [716, 2_370, 402]);
        totals(&endings, 3, [100_250, 8_477, 87_305]);
        totals(&endings, 4, [2_574_304, 1_717_922, 1_917_090]);
        for (material, [wins, draws, losses]) in [
            ("0m1k v 0m1k", [230, 654, 108]),
            ("1m0k v 1m0k", [102, 611, 47]),
            ("0m2k v 0m1k", [14_846, 34, 0]),
            ("1m0k v 2m0k", [96, 757, 9_083]),
            ("1m1k v 0m2k", [72_023, 273_419, 32_138]),
            ("1m1k v 1m1k", [161_772, 485_306, 14_122]),
            ("2m0k v 2m0k", [26_945, 95_631, 3_088]),
        ] {
            let found = endings.counts().find(|(m, _)| m.to_string() == material).unwrap();
            assert_eq!(found.1, Counts { wins, draws, losses }, "{material}");
        }
        assert_eq!(positions(4), endings.counts().map(|(_, counts)| counts.positions()).sum::<u64>());
    }

    #[test]
    fn every_value_is_the_best_of_those_after_it() {
        let mut endings = Endings::build(3);
        let go_on = AtomicBool::new(false);
        assert_eq!(endings.verify(&go_on, &|_| ()), Ok(true));
        assert_eq!(endings.verify(&AtomicBool::new(true), &|_| ()), Ok(false));
        assert!(Endings::build_until(3, &AtomicBool::new(true), &|_| ()).is_none());
        assert_eq!(endings.verify_some(1_000, 1, &go_on, &|_| ()), Ok(true));
        assert_eq!(endings.verify_some(1_000, 1, &AtomicBool::new(true), &|_| ()), Ok(false));
        // And what is wrong is found.
        let board: Board = "B:WK32:BK18,K19".parse().unwrap();
        endings.packed.put(endings.index.of(&board), Wdl::Draw);
        let error = endings.verify(&go_on, &|_| ()).unwrap_err().to_string();
        assert!(error.contains("and the database says"), "{error}");
        // It is before or after a few positions in 200,000: all of them are more than a sample is likely to miss.
        let error = endings.verify_some(2_000_000, 1, &go_on, &|_| ()).unwrap_err().to_string();
        assert!(error.contains("and the database says"), "{error}");
        let mut endings = Endings::build(2);
        endings.counts[0].wins += 1;
        let error = endings.verify(&go_on, &|_| ()).unwrap_err().to_string();
        assert_eq!(
            error,
            "with 0m1k v 0m1k: 230, 654 and 108 positions are won, drawn and lost, not as many as the header says"
        );
    }

    #[test]
    fn known_endings() {
        let endings = Endings::build(4);
        for (position, value) in [
            // Two kings catch one that is out of the double corner, but not one that is in it with its guard.
            ("B:WK32:BK18,K19", Some(Wdl::Win)),
            ("W:WK32:BK18,K19", Some(Wdl::Loss)),
            ("B:W29:B", Some(Wdl::Loss)),
            ("W:W29:B25,22", Some(Wdl::Loss)),
            ("B:W18:B14", Some(Wdl::Win)),
            ("B:WK32,K28:BK1,K5,K14", None),
        ] {
            assert_eq!(endings.value(&position.parse().unwrap()), value, "{position}");
        }
    }

    /// A position and its mirror image are worth the same, whoever is to move.
    #[test]
    fn colours_do_not_matter() {
        let endings = Endings::build(4);
        for game in 0..200 {
            let mut board = endings.index.board((mix(game) % endings.index.len as u64) as usize);
            for ply in 0..20 {
                assert_eq!(endings.value(&board), endings.value(&board.mirrored()));
                let moves = legal_moves(&board);
                if moves.is_empty() {
                    break;
                }
                board = board.play(moves[(mix(game << 8 | ply) % moves.len() as u64) as usize]);
            }
        }
    }
}
