//! The transposition table: what MT remembers from pass to pass.
//!
//! An entry is two words, 16 bytes, without a lock. The first word is the key XOR the second, so that an entry torn by two
//! threads that write at once matches no key and is never believed.
//!
//! ```text
//! second word:   f⁻ 16 bits | f⁺ 16 bits | move 16 bits | depth 8 bits | generation 8 bits, never 0
//! ```

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;
use core::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use crate::error::Error;
use crate::prefetch::prefetch;
use crate::value::{Bounds, Value};

/// The code of no move.
pub(crate) const NO_MOVE: u16 = u16::MAX;

/// How many entries share a cache line of 64 bytes, and so a place.
const WAYS: usize = 4;
const WORDS_PER_LINE: usize = 8;

/// How much an entry keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Keep {
    /// Both bounds, as in figure 1.
    #[default]
    TwoBounds,
    /// The newest bound alone, as in the three programs of the paper (section 4.2).
    OneBound,
}

/// Which entries may answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reuse {
    /// Those searched to the same depth: every search then has one right answer, the minimax value.
    #[default]
    EqualDepth,
    /// Also those searched deeper: stronger play, at values that depend on what was searched before.
    AtLeastDepth,
}

/// The size of a table, in entries of 16 bytes.
///
/// ```
/// use emtee::Size;
/// assert_eq!("64MB".parse::<Size>()?.entries(), 1 << 22);
/// assert_eq!(Size::of_entries(1 << 20).to_string(), "16MB");
/// assert_eq!("64 potatoes".parse::<Size>().unwrap_err().to_string(),
///     "'64 potatoes' is not a size; write it like 64MB, 2GB or 512KB");
/// # Ok::<(), emtee::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    entries: usize,
}

impl Size {
    /// What one entry takes.
    pub const ENTRY_BYTES: usize = 16;

    /// So many entries, at least one.
    pub const fn of_entries(entries: usize) -> Size {
        Size { entries: if entries == 0 { 1 } else { entries } }
    }

    /// As many entries as fit.
    pub const fn of_bytes(bytes: usize) -> Size {
        Size::of_entries(bytes / Self::ENTRY_BYTES)
    }

    /// How many entries.
    pub const fn entries(self) -> usize {
        self.entries
    }

    /// How many bytes.
    pub const fn bytes(self) -> usize {
        self.entries.saturating_mul(Self::ENTRY_BYTES)
    }
}

/// The paper's 2^20 entries.
impl Default for Size {
    fn default() -> Size {
        Size::of_entries(1 << 20)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.bytes();
        for (shift, unit) in [(30, "GB"), (20, "MB"), (10, "KB")] {
            if bytes >= 1 << shift && bytes.is_multiple_of(1 << shift) {
                return write!(f, "{}{unit}", bytes >> shift);
            }
        }
        write!(f, "{bytes}B")
    }
}

impl FromStr for Size {
    type Err = Error;

    fn from_str(text: &str) -> Result<Size, Error> {
        let bad = || Error::BadSize { text: text.to_string() };
        let trimmed = text.trim();
        let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = trimmed.split_at(digits);
        let number: usize = number.parse().map_err(|_| bad())?;
        let shift = match unit.trim().to_ascii_uppercase().as_str() {
            "" | "B" => 0,
            "K" | "KB" | "KIB" => 10,
            "M" | "MB" | "MIB" => 20,
            "G" | "GB" | "GIB" => 30,
            "T" | "TB" | "TIB" => 40,
            _ => return Err(bad()),
        };
        let bytes =
            number.checked_mul(1usize << shift).filter(|&bytes| bytes <= isize::MAX as usize).ok_or_else(bad)?;
        if bytes < Size::ENTRY_BYTES { Err(bad()) } else { Ok(Size::of_bytes(bytes)) }
    }
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The bounds, if they answer a question of the depth asked; unknown otherwise.
    pub(crate) f: Bounds,
    /// The code of the best move, whatever depth it was found at.
    pub(crate) best: u16,
    /// Whether the bounds were stored in the current generation.
    pub(crate) fresh: bool,
}

impl Entry {
    pub(crate) const NOT_FOUND: Entry = Entry { f: Bounds::UNKNOWN, best: NO_MOVE, fresh: true };
}

/// The second word of an entry.
#[derive(Clone, Copy)]
struct Data(u64);

impl Data {
    fn new(f: Bounds, best: u16, depth: u8, generation: u8) -> Data {
        let f = u64::from(f.lower.to_bits()) | u64::from(f.upper.to_bits()) << 16;
        Data(f | u64::from(best) << 32 | u64::from(depth) << 48 | u64::from(generation) << 56)
    }
    fn bounds(self) -> Bounds {
        Bounds { lower: Value::from_bits(self.0 as u16), upper: Value::from_bits((self.0 >> 16) as u16) }
    }
    fn best(self) -> u16 {
        (self.0 >> 32) as u16
    }
    fn depth(self) -> u8 {
        (self.0 >> 48) as u8
    }
    fn generation(self) -> u8 {
        (self.0 >> 56) as u8
    }
    /// A zeroed slot holds nothing.
    fn is_empty(self) -> bool {
        self.generation() == 0
    }
    /// How much a newcomer hesitates to overwrite this.
    fn worth(self, generation: u8) -> i32 {
        if self.is_empty() {
            return i32::MIN;
        }
        let age = generation.wrapping_sub(self.generation());
        i32::from(self.depth()) - 2 * i32::from(age)
    }
}

/// A table of a fixed size, shared by all that search with it.
pub(crate) struct Table {
    words: Box<[AtomicU64]>,
    /// The first word that starts a cache line.
    aligned: usize,
    lines: usize,
    ways: usize,
    size: Size,
    keep: Keep,
    reuse: Reuse,
    generation: AtomicU8,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("Table({}, {:?}, {:?})", self.size, self.keep, self.reuse))
    }
}

impl Table {
    pub(crate) fn new(size: Size, keep: Keep, reuse: Reuse) -> Result<Table, Error> {
        let ways = size.entries().min(WAYS);
        let lines = size.entries() / ways;
        let (words, aligned) = zeroed(lines, size)?;
        Ok(Table { words, aligned, lines, ways, size, keep, reuse, generation: AtomicU8::new(1) })
    }

    /// How many entries fit.
    pub(crate) fn entries(&self) -> usize {
        self.lines * self.ways
    }

    /// Forgets everything, at once: new pages come zeroed, and only those that are used are ever touched.
    pub(crate) fn clear(&mut self) -> Result<(), Error> {
        // The old memory goes first, so that the two never stand side by side.
        self.words = Box::default();
        (self.words, self.aligned) = zeroed(self.lines, self.size)?;
        *self.generation.get_mut() = 1;
        Ok(())
    }

    /// Forgets every bound, and keeps the best moves.
    pub(crate) fn forget_bounds(&mut self) {
        let (slots, _) = self.words[self.aligned..].as_chunks::<2>();
        for [check, word] in slots {
            let old = Data(word.load(Relaxed));
            if !old.is_empty() {
                let data = Data::new(Bounds::UNKNOWN, old.best(), old.depth(), old.generation());
                let key = check.load(Relaxed) ^ old.0;
                check.store(key ^ data.0, Relaxed);
                word.store(data.0, Relaxed);
            }
        }
    }

    /// Writes to every line, so that the system hands out the pages now.
    pub(crate) fn touch(&self) {
        for word in self.words.iter().step_by(WORDS_PER_LINE) {
            word.store(word.load(Relaxed), Relaxed);
        }
    }

    /// Begins a new generation: what is in the table stays, and gives way first.
    pub(crate) fn next_generation(&self) {
        let next = self.generation.load(Relaxed).wrapping_add(1).max(1);
        self.generation.store(next, Relaxed);
    }

    /// The line of a key, as pairs of words. The number of lines is any number: the key is scaled to it.
    #[inline(always)]
    fn line(&self, spread: u64) -> &[[AtomicU64; 2]] {
        let line = ((u128::from(spread) * self.lines as u128) >> 64) as usize;
        let at = self.aligned + line * WORDS_PER_LINE;
        let (slots, _) = self.words[at..at + WORDS_PER_LINE].as_chunks();
        &slots[..self.ways]
    }

    /// The position with this key will soon be asked about.
    #[inline(always)]
    pub(crate) fn expect(&self, key: u64) {
        prefetch(&self.line(spread(key))[0]);
    }

    /// What is known of the position with this key, searched to this depth.
    #[inline(always)]
    pub(crate) fn retrieve(&self, key: u64, depth: u8) -> Entry {
        let key = spread(key);
        for slot in self.line(key) {
            let data = Data(slot[1].load(Relaxed));
            if slot[0].load(Relaxed) ^ data.0 == key && !data.is_empty() {
                let answers = match self.reuse {
                    Reuse::EqualDepth => data.depth() == depth,
                    Reuse::AtLeastDepth => data.depth() >= depth,
                };
                let f = if answers { data.bounds() } else { Bounds::UNKNOWN };
                return Entry { f, best: data.best(), fresh: data.generation() == self.generation.load(Relaxed) };
            }
        }
        Entry::NOT_FOUND
    }

    /// Remembers the bounds `f` of a position searched to this depth, of which `g` is the newest. Bounds of the same depth
    /// that are there already are kept beside it; a table of one bound keeps `g` alone.
    #[inline]
    pub(crate) fn store(&self, key: u64, depth: u8, f: Bounds, g: Value, best: u16) {
        let key = spread(key);
        let generation = self.generation.load(Relaxed);
        let line = self.line(key);
        let f = if self.keep == Keep::OneBound { only(g, f) } else { f };
        let write = |slot: &[AtomicU64; 2], f: Bounds, best: u16| {
            let data = Data::new(f, best, depth, generation);
            slot[0].store(key ^ data.0, Relaxed);
            slot[1].store(data.0, Relaxed);
        };
        let mut least = (i32::MAX, &line[0]);
        for slot in line {
            let old = Data(slot[1].load(Relaxed));
            if slot[0].load(Relaxed) ^ old.0 == key && !old.is_empty() {
                let both = old.depth() == depth && self.keep == Keep::TwoBounds;
                let f = if both { merge(f, old.bounds()) } else { f };
                return write(slot, f, if best == NO_MOVE { old.best() } else { best });
            }
            let worth = old.worth(generation);
            if worth < least.0 {
                least = (worth, slot);
            }
        }
        write(least.1, f, best);
    }

    /// How full the table is, in thousandths, from a sample: entries of the current generation.
    pub(crate) fn permille_used(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = self.lines.min(250);
        let used = (0..sample)
            .flat_map(|line| (0..self.ways).map(move |way| self.aligned + line * WORDS_PER_LINE + 2 * way + 1))
            .filter(|&word| Data(self.words[word].load(Relaxed)).generation() == generation)
            .count();
        (used * 1000 / (sample * self.ways)) as u32
    }
}

/// Games' keys may be small numbers, and neighbours: spread over all bits, one to one, no torn entry looks like another's.
#[inline(always)]
pub(crate) const fn spread(key: u64) -> u64 {
    let x = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^ (x >> 32)
}

/// Both bounds together. Where they contradict each other, which only values that depend on the path or equal keys of
/// different positions bring about, the newer stands alone.
fn merge(new: Bounds, old: Bounds) -> Bounds {
    let f = Bounds { lower: new.lower.max(old.lower), upper: new.upper.min(old.upper) };
    if f.crossed() { new } else { f }
}

/// The bounds that `g` itself is.
fn only(g: Value, f: Bounds) -> Bounds {
    Bounds {
        lower: if f.lower == g { g } else { Value::NEG_INFINITY },
        upper: if f.upper == g { g } else { Value::INFINITY },
    }
}

/// Zeroed memory for so many lines, and where the first of them starts. The system hands it out untouched.
fn zeroed(lines: usize, size: Size) -> Result<(Box<[AtomicU64]>, usize), Error> {
    let too_large = || Error::TableTooLarge { size: size.to_string() };
    let words =
        lines.checked_mul(WORDS_PER_LINE).and_then(|n| n.checked_add(WORDS_PER_LINE - 1)).ok_or_else(too_large)?;
    if words > isize::MAX as usize / 8 {
        return Err(too_large());
    }
    let words: Box<[AtomicU64]> = bytemuck::allocation::try_zeroed_slice_box(words).map_err(|()| too_large())?;
    let aligned = words.as_ptr().align_offset(64).min(WORDS_PER_LINE - 1);
    Ok((words, aligned))
}

/// The names of the choices, for errors and reports.
impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Keep::TwoBounds => "two",
            Keep::OneBound => "one",
        })
    }
}

impl FromStr for Keep {
    type Err = Error;
    fn from_str(text: &str) -> Result<Keep, Error> {
        match text {
            "two" | "2" => Ok(Keep::TwoBounds),
            "one" | "1" => Ok(Keep::OneBound),
            _ => Err(Error::BadChoice { what: "number of bounds", text: String::from(text), choices: "one or two" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(entries: usize, kept: Keep) -> Table {
        Table::new(Size::of_entries(entries), kept, Reuse::EqualDepth).unwrap()
    }
    fn at_least(v: i32) -> Bounds {
        Bounds { lower: Value::score(v).unwrap(), upper: Value::INFINITY }
    }
    fn at_most(v: i32) -> Bounds {
        Bounds { lower: Value::NEG_INFINITY, upper: Value::score(v).unwrap() }
    }

    fn keep(t: &Table, key: u64, depth: u8, f: Bounds, best: u16) {
        let g = if f.lower == Value::NEG_INFINITY { f.upper } else { f.lower };
        t.store(key, depth, f, g, best);
    }

    #[test]
    fn two_bounds_merge_at_equal_depth_only() {
        let t = table(64, Keep::TwoBounds);
        keep(&t, 7, 3, at_least(5), 1);
        keep(&t, 7, 3, at_most(9), NO_MOVE);
        let entry = t.retrieve(7, 3);
        assert_eq!((entry.f.lower.get(), entry.f.upper.get(), entry.best), (5, 9, 1));
        assert_eq!(t.retrieve(7, 2).f, Bounds::UNKNOWN);
        assert_eq!(t.retrieve(7, 2).best, 1);
        keep(&t, 7, 4, at_most(2), 3);
        assert_eq!(t.retrieve(7, 4).f, at_most(2));
    }

    #[test]
    fn one_bound_keeps_the_newest_and_exact_values() {
        let t = table(64, Keep::OneBound);
        keep(&t, 7, 3, at_least(5), 1);
        keep(&t, 7, 3, at_most(9), NO_MOVE);
        assert_eq!(t.retrieve(7, 3).f, at_most(9));
        let exact = Bounds::exactly(Value::score(4).unwrap());
        keep(&t, 7, 3, exact, NO_MOVE);
        assert_eq!(t.retrieve(7, 3).f, exact);
    }

    #[test]
    fn contradictions_leave_the_newer_bound() {
        let t = table(64, Keep::TwoBounds);
        keep(&t, 7, 3, at_least(5), 1);
        keep(&t, 7, 3, at_most(2), 1);
        assert_eq!(t.retrieve(7, 3).f, at_most(2));
    }

    #[test]
    fn any_number_of_entries_works() {
        for entries in [1, 2, 3, 4, 5, 7, 64, 100, 1 << 16] {
            let t = table(entries, Keep::TwoBounds);
            assert!(t.entries() <= entries && t.entries() > entries / 2);
            for key in 0..1000 {
                keep(&t, key, 1, at_least(key as i32), key as u16);
                assert_eq!(t.retrieve(key, 1).best, key as u16, "the newest is always kept");
            }
        }
    }

    #[test]
    fn deeper_entries_outlive_shallower_ones_and_old_ones_give_way() {
        let t = table(4, Keep::TwoBounds);
        keep(&t, 1, 9, at_least(1), 0);
        for key in 2..100 {
            keep(&t, key, 1, at_least(1), 0);
        }
        assert_ne!(t.retrieve(1, 9), Entry::NOT_FOUND);
        for _ in 0..10 {
            t.next_generation();
        }
        for key in 2..100 {
            keep(&t, key, 1, at_least(1), 0);
        }
        assert_eq!(t.retrieve(1, 9), Entry::NOT_FOUND);
    }

    #[test]
    fn an_entry_is_sixteen_bytes_and_starts_its_line() {
        let t = table(1 << 10, Keep::TwoBounds);
        assert!(t.words.len() * 8 <= (1 << 10) * 16 + 64);
        assert_eq!(t.words[t.aligned..].as_ptr() as usize % 64, 0);
    }

    #[test]
    fn a_deeper_entry_answers_only_where_that_was_chosen() {
        let t = Table::new(Size::of_entries(4), Keep::TwoBounds, Reuse::AtLeastDepth).unwrap();
        keep(&t, 1, 9, at_least(1), 0);
        assert_eq!(t.retrieve(1, 4).f, at_least(1));
        assert_eq!(t.retrieve(1, 10).f, Bounds::UNKNOWN);
    }

    #[test]
    fn absurd_sizes_are_errors() {
        for size in [Size::of_bytes(usize::MAX), Size::of_bytes(isize::MAX as usize), Size::of_bytes(1 << 50)] {
            let error = Table::new(size, Keep::TwoBounds, Reuse::EqualDepth).unwrap_err().to_string();
            assert!(error.contains("larger than the memory"), "{error}");
        }
        for bad in ["", "MB", "-1MB", "1.5GB", "12 parsecs", "99999999999999999999GB", "3B"] {
            assert!(bad.parse::<Size>().is_err(), "{bad}");
        }
    }
}
