//! Endings databases: win, draw or loss of every position with few pieces.
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
//! [`EndingsEvaluator`] probes a database during a search.
//!
//! Values ignore draws by repetition and by a count of moves: a win can be forced, but it can take any number of moves.
//! Positions in which the side to move must capture are not stored. A probe computes their values by searching the
//! captures.

mod build;
mod cores;
mod database;
mod evaluator;
mod file;
mod index;
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
pub use evaluator::EndingsEvaluator;
pub use index::{Force, MOST_PIECES, Material};
pub use value::{Counts, Wdl};

/// The number of positions in a unit of parallel work.
const CHUNK: usize = 1 << 14;

/// The values of all positions with up to a number of pieces. Threads can share it.
#[doc(alias("tablebase", "endgame database"))]
#[derive(Clone)]
pub struct Endings {
    index: index::Index,
    /// By slice.
    counts: Vec<Counts>,
    packed: file::Packed,
}

impl Endings {
    /// Computes the values of all positions with up to `pieces` pieces, from 2 to [`MOST_PIECES`].
    ///
    /// # Panics
    ///
    /// If `pieces` is not in this range.
    pub fn build(pieces: usize) -> Endings {
        assert!((2..=MOST_PIECES).contains(&pieces), "endings have 2 to {MOST_PIECES} pieces");
        match Endings::build_until(pieces, &AtomicBool::new(false), &|_| ()) {
            Some(endings) => endings,
            None => unreachable!("`stop` is never set"),
        }
    }

    /// Like [`build`](Endings::build), with progress: `progress` is called with the number of positions done, out of
    /// [`positions`]. Returns `None` if `stop` is set or `pieces` is out of range.
    pub fn build_until(pieces: usize, stop: &AtomicBool, progress: &(dyn Fn(u64) + Sync)) -> Option<Endings> {
        if !(2..=MOST_PIECES).contains(&pieces) {
            return None;
        }
        let values = build::build(pieces, stop, progress)?;
        let count = |slice: &index::Slice| {
            let end = slice.start + slice.len();
            let chunk = |first: usize| {
                let mut counts = Counts::default();
                (first..end.min(first + CHUNK)).for_each(|number| counts.add(values.get(number)));
                counts
            };
            let chunks = cores::map((slice.start..end).step_by(CHUNK).collect(), chunk);
            chunks.into_iter().fold(Counts::default(), Counts::and)
        };
        let counts: Vec<Counts> = values.index.slices.iter().map(count).collect();
        let stored = |number| (!values.must_capture(number)).then(|| values.get(number));
        let packed = file::Packed::new(values.index.len, stored);
        Some(Endings { index: values.index, counts, packed })
    }

    /// The highest number of pieces in the database.
    pub fn pieces(&self) -> usize {
        self.index.pieces
    }

    /// The value of a position for the side to move. `None` if it has too many pieces.
    #[inline(always)]
    pub fn value(&self, board: &Board) -> Option<Wdl> {
        let pieces = (board.pieces[0] | board.pieces[1]).count_ones();
        (pieces as usize <= self.index.pieces).then(|| self.probe(board))
    }

    /// Looks up a position. If the side to move must capture, searches the captures, which lead to fewer pieces.
    fn probe(&self, board: &Board) -> Wdl {
        let (own, other) = board.own_and_other();
        if own == 0 || other == 0 {
            return if own == 0 { Wdl::Loss } else { Wdl::Win };
        }
        let jumpers = board.jumpers();
        if jumpers == 0 {
            let normalised = if board.turn == Side::First { *board } else { board.mirrored() };
            return self.packed.get(self.index.of(&normalised));
        }
        let mut best = Wdl::Loss;
        board.each_jump(jumpers, &mut |m| {
            if best != Wdl::Win {
                best = best.max(-self.probe(&board.after(m)));
            }
        });
        best
    }

    /// The numbers of positions with each material that are won, drawn and lost for the side to move.
    ///
    /// A position with White to move counts as the same position as its mirror image with Black to move.
    pub fn counts(&self) -> impl Iterator<Item = (Material, Counts)> + '_ {
        self.index.slices.iter().map(|slice| slice.material).zip(self.counts.iter().copied())
    }

    /// A position of the database, with Black to move, chosen by a number.
    pub fn sample(&self, which: u64) -> Board {
        self.index.board((which % self.index.len as u64) as usize)
    }

    /// Checks every value against those of its successors, and the counts. `progress` is called with the number of
    /// positions done. Returns false if `stop` was set.
    pub fn verify(&self, stop: &AtomicBool, progress: &(dyn Fn(u64) + Sync)) -> Result<bool, Error> {
        verify::verify(self, stop, progress)
    }

    /// Checks the values of `count` positions drawn by a seed, and not the counts. The positions are drawn from all
    /// materials, in proportion to their sizes.
    pub fn verify_some(
        &self,
        count: u64,
        seed: u64,
        stop: &AtomicBool,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<bool, Error> {
        verify::verify_some(self, count, seed, stop, progress)
    }

    /// The database in the file format.
    pub fn to_bytes(&self) -> Vec<u8> {
        file::write(self)
    }

    /// Reads the output of [`to_bytes`](Endings::to_bytes).
    pub fn from_bytes(bytes: &[u8]) -> Result<Endings, Error> {
        Endings::read(bytes)
    }

    /// Reads a file.
    ///
    /// A file that is not a database is refused after its first bytes, and a damaged one at the first damaged block. No
    /// header can cause more reads or allocations than a database of its number of pieces can need.
    ///
    /// ```
    /// use emtee_games::checkers::endings::Endings;
    ///
    /// let error = Endings::read(std::io::repeat(0)).unwrap_err();
    /// assert_eq!(error.to_string(), "this is not an endings database");
    /// ```
    pub fn read(from: impl Read) -> Result<Endings, Error> {
        Ok(file::read(from, file::ReadOptions { max_pieces: MOST_PIECES, on_all_cores: true })?.0)
    }

    /// Reads a file on one core, so that other threads are not slowed down.
    pub fn read_on_one_core(from: impl Read) -> Result<Endings, Error> {
        Ok(file::read(from, file::ReadOptions { max_pieces: MOST_PIECES, on_all_cores: false })?.0)
    }

    /// Reads only the positions with up to `pieces` pieces, at least 2, of a file. Also returns the number of pieces of
    /// the file.
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
        file::read(from, file::ReadOptions { max_pieces: pieces.max(2), on_all_cores: true })
    }
}

/// Databases with the same number of pieces and the same counts are equal.
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

/// The memory of a database of up to `pieces` pieces in bytes. `pieces` is at most [`MOST_PIECES`].
pub fn memory(pieces: usize) -> u64 {
    positions(pieces).div_ceil(4)
}

/// The number of positions with up to `pieces` pieces. `pieces` is at most [`MOST_PIECES`].
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

    /// Counts from another generator.
    #[test]
    fn the_totals_are_the_known_ones() {
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
    fn verification_accepts_a_database_and_finds_errors() {
        let mut endings = Endings::build(3);
        let stop = AtomicBool::new(false);
        assert_eq!(endings.verify(&stop, &|_| ()), Ok(true));
        assert_eq!(endings.verify(&AtomicBool::new(true), &|_| ()), Ok(false));
        assert!(Endings::build_until(3, &AtomicBool::new(true), &|_| ()).is_none());
        assert_eq!(endings.verify_some(1_000, 1, &stop, &|_| ()), Ok(true));
        assert_eq!(endings.verify_some(1_000, 1, &AtomicBool::new(true), &|_| ()), Ok(false));
        // Errors are found.
        let board: Board = "B:WK32:BK18,K19".parse().unwrap();
        endings.packed.put(endings.index.of(&board), Wdl::Draw);
        let error = endings.verify(&stop, &|_| ()).unwrap_err().to_string();
        assert!(error.contains("and the database says"), "{error}");
        // The wrong value affects a few positions in 200,000. A sample of 2,000,000 is not likely to miss all of them.
        let error = endings.verify_some(2_000_000, 1, &stop, &|_| ()).unwrap_err().to_string();
        assert!(error.contains("and the database says"), "{error}");
        let mut endings = Endings::build(2);
        endings.counts[0].wins += 1;
        let error = endings.verify(&stop, &|_| ()).unwrap_err().to_string();
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

    /// A position and its mirror image have the same value.
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
