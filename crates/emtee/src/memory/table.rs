//! The transposition table: the memory of MT from pass to pass.
//!
//! An entry is two words, 16 bytes, without a lock; `slot.rs` explains why threads may share it.
//!
//! ```text
//! second word:   f⁻ 16 bits | f⁺ 16 bits | move 16 bits | depth 8 bits | generation 7 bits, never 0 | estimated 1 bit
//! ```

use alloc::boxed::Box;
use alloc::string::ToString;
use core::fmt;
use core::str::FromStr;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::huge_pages::{HUGE_PAGE, request_huge_pages};
use super::prefetch::prefetch;
use super::slot;
use crate::error::{Error, named};
use crate::value::{Bounds, Value};

/// The code for the absence of a move.
pub(crate) const NO_MOVE: u16 = u16::MAX;

/// The number of entries in a bucket, which is a cache line of 64 bytes.
const WAYS: usize = 4;
const WORDS_PER_LINE: usize = 8;

/// The two words of an entry.
type Slot = [AtomicU64; 2];
/// The words of a bucket.
type Line = [AtomicU64; WORDS_PER_LINE];

/// The bounds that a table entry keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Keep {
    /// Both bounds, as in figure 1.
    #[default]
    TwoBounds,
    /// Only the newest bound, as in the three programs of the paper (section 4.2).
    OneBound,
}

/// The depths of table entries whose bounds may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Reuse {
    /// Only entries of the same depth: the value of a search is then always the minimax value.
    #[default]
    EqualDepth,
    /// Entries of the same or greater depth: stronger play, with values that depend on what was searched before.
    AtLeastDepth,
}

/// The size of the transposition table, in entries of 16 bytes.
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
    /// The size of an entry, in bytes.
    pub const ENTRY_BYTES: usize = 16;

    /// A size of `entries` entries, at least one.
    pub const fn of_entries(entries: usize) -> Size {
        Size { entries: if entries == 0 { 1 } else { entries } }
    }

    /// As many entries as fit in `bytes` bytes.
    pub const fn of_bytes(bytes: usize) -> Size {
        Size::of_entries(bytes / Self::ENTRY_BYTES)
    }

    /// The number of entries.
    pub const fn entries(self) -> usize {
        self.entries
    }

    /// The number of bytes.
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
            "B" => 0,
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

/// The result of a table lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The bounds, if they may be used at the requested depth; otherwise unknown.
    pub(crate) f: Bounds,
    /// The code of the best move, found at any depth.
    pub(crate) best: u16,
    /// Whether the bounds depend on a static evaluation, not on finished games alone.
    pub(crate) estimated: bool,
}

impl Entry {
    pub(crate) const NOT_FOUND: Entry = Entry { f: Bounds::UNKNOWN, best: NO_MOVE, estimated: false };

    /// The entry with its move alone.
    #[cold]
    #[inline(never)]
    pub(crate) fn move_only(self) -> Entry {
        Entry { best: self.best, ..Entry::NOT_FOUND }
    }
}

/// The second word of an entry.
#[derive(Clone, Copy)]
struct Data(u64);

const ESTIMATED: u64 = 1 << 63;
const LAST_GENERATION: u8 = 127;

impl Data {
    #[inline(always)]
    fn new(f: Bounds, best: u16, depth: u8, generation: u8, estimated: bool) -> Data {
        let f = u64::from(f.lower.to_bits()) | u64::from(f.upper.to_bits()) << 16;
        let age = u64::from(generation) << 56 | if estimated { ESTIMATED } else { 0 };
        Data(f | u64::from(best) << 32 | u64::from(depth) << 48 | age)
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
        (self.0 >> 56) as u8 & LAST_GENERATION
    }
    fn estimated(self) -> bool {
        self.0 & ESTIMATED != 0
    }
    /// Whether the slot is empty: a zeroed slot is.
    fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// Replacement priority: higher is kept longer. An empty slot counts as older than any entry.
    #[inline(always)]
    fn priority(self, generation: u8) -> i32 {
        let age = generation.wrapping_sub(self.generation()) & LAST_GENERATION;
        i32::from(self.depth()) - 2 * i32::from(age)
    }
}

/// A transposition table, shared by all threads of a search.
#[derive(Debug)]
pub(crate) struct Table {
    words: Box<[AtomicU64]>,
    /// The first word that starts a cache line.
    start: usize,
    /// The number of lines in use, at first, and allocated.
    lines: usize,
    first_lines: usize,
    most_lines: usize,
    ways: usize,
    size: Size,
    keep: Keep,
    reuse: Reuse,
    /// From 1 to 127, then from 1 again. It only affects which entries are replaced first.
    generation: u8,
    /// Whether all pages were touched at once; clearing then keeps them.
    touched: bool,
}

/// A table that grows with the search starts with this many entries unless its size was chosen.
pub(crate) const FIRST_ENTRIES: usize = 1 << 10;

/// The entries of a growing table per visit made so far, each up to a size of the table: enough for an iteration several times as
/// large as all before it. Up to 2 MB entries cost no cache misses, and eight of them save a tenth of the nodes in Ataxx and Dots
/// and Boxes compared with four. Beyond 64 MB the system needs longer to provide the memory.
const ENTRIES_PER_VISIT: [(u64, u64); 3] = [(8, 1 << 17), (4, 1 << 22), (2, u64::MAX)];

/// Clearing zeroes up to this many lines, 64 MB. If more are in use, new memory costs less, since its pages are zeroed only as
/// they are used.
const ZEROED_LINES: usize = 1 << 20;

/// The number of lines of a large table: two megabytes.
const LARGE_LINES: usize = 1 << 15;

impl Table {
    pub(crate) fn new(size: Size, keep: Keep, reuse: Reuse) -> Result<Table, Error> {
        let ways = size.entries().min(WAYS);
        let lines = size.entries() / ways;
        let (words, start) = zeroed(lines, size)?;
        Ok(Table {
            words,
            start,
            lines,
            first_lines: lines,
            most_lines: lines,
            ways,
            size,
            keep,
            reuse,
            generation: 1,
            touched: false,
        })
    }

    /// The same table, using only a part of its memory at first: a short search then touches few pages.
    pub(crate) fn growing(mut self, first_entries: usize) -> Table {
        self.first_lines = self.lines.min((first_entries / WAYS).max(1));
        self.lines = self.first_lines;
        self
    }

    /// Replaces this table by a spare one if they have the same size, so that the system need not provide memory again.
    /// Returns whether it did.
    pub(crate) fn reuse(&mut self, spare: Table) -> Result<bool, Error> {
        let shape = |table: &Table| (table.ways, table.first_lines, table.most_lines);
        if shape(self) != shape(&spare) {
            return Ok(false);
        }
        *self = Table { keep: self.keep, reuse: self.reuse, size: self.size, ..spare };
        self.clear()?;
        Ok(true)
    }

    /// The number of entries that fit.
    pub(crate) fn entries(&self) -> usize {
        self.most_lines * self.ways
    }

    /// Clears the table; a growing table becomes small again. It zeroes the lines in use if they are few or all pages were
    /// touched in advance. Otherwise it takes new zeroed memory from the system, and touches only pages that are used.
    pub(crate) fn clear(&mut self) -> Result<(), Error> {
        self.generation = 1;
        let used = core::mem::replace(&mut self.lines, self.first_lines);
        if self.touched || used <= ZEROED_LINES {
            let used = if self.touched { self.most_lines } else { used };
            let words = &mut self.words[self.start..self.start + used * WORDS_PER_LINE];
            words.iter_mut().for_each(|word| *word.get_mut() = 0);
            return Ok(());
        }
        self.clear_with(zeroed)
    }

    fn clear_with(&mut self, zeroed: fn(usize, Size) -> Result<Zeroed, Error>) -> Result<(), Error> {
        // Free the old memory first, so that both are never allocated at once.
        self.words = Box::default();
        let failed = match zeroed(self.most_lines, self.size) {
            Ok(memory) => {
                (self.words, self.start) = memory;
                return Ok(());
            }
            Err(failed) => failed,
        };
        // Continue with the smallest table.
        (self.words, self.start) = self::zeroed(1, self.size)?;
        (self.lines, self.first_lines, self.most_lines) = (1, 1, 1);
        self.size = Size::of_entries(self.ways);
        Err(failed)
    }

    /// Removes all bounds, and keeps the best moves.
    pub(crate) fn forget_bounds(&mut self) {
        let (slots, _) = self.words[self.start..].as_chunks::<2>();
        for slot in slots {
            let (key, old) = slot::read(slot);
            let old = Data(old);
            if !old.is_empty() {
                let data = Data::new(Bounds::UNKNOWN, old.best(), old.depth(), old.generation(), false);
                slot::write(slot, key, data.0);
            }
        }
    }

    /// Writes to every line, including lines that a growing table does not use yet, so that the system allocates the pages now.
    pub(crate) fn touch(&mut self) {
        self.touched = true;
        for word in self.words[self.start..].iter().step_by(WORDS_PER_LINE) {
            word.store(word.load(Relaxed), Relaxed);
        }
    }

    /// Begins a new generation: older entries stay, but are replaced first. A growing table uses more of its memory,
    /// depending on the number of visits so far.
    pub(crate) fn next_generation(&mut self, visits: u64) {
        self.generation = if self.generation == LAST_GENERATION { 1 } else { self.generation + 1 };
        let entries = ENTRIES_PER_VISIT.map(|(per_visit, most)| visits.saturating_mul(per_visit).min(most));
        let wanted = usize::try_from(entries.into_iter().max().unwrap_or(0)).unwrap_or(usize::MAX) / WAYS;
        if self.lines < self.most_lines && self.lines < wanted {
            self.grow(wanted.next_power_of_two().min(self.most_lines));
        }
    }

    /// Uses all lines, for callers that do not count visits.
    pub(crate) fn use_all(&mut self) {
        if self.lines < self.most_lines {
            self.grow(self.most_lines);
        }
    }

    /// Uses more lines. Every entry moves to its new line, which is never before its old one, so the last lines are moved
    /// first.
    #[cold]
    fn grow(&mut self, lines: usize) {
        let old = core::mem::replace(&mut self.lines, lines);
        for line in (0..old).rev() {
            let word = self.start + line * WORDS_PER_LINE;
            let mut moving = [(0, 0); WAYS];
            for (way, entry) in moving.iter_mut().enumerate() {
                let slot = [&self.words[word + 2 * way], &self.words[word + 2 * way + 1]];
                let data = slot[1].swap(0, Relaxed);
                *entry = (slot[0].swap(0, Relaxed) ^ data, data);
            }
            for (key, data) in moving.into_iter().filter(|(_, data)| !Data(*data).is_empty()) {
                slot::write(self.slot_to_replace(self.line(key)), key, data);
            }
        }
    }

    /// The line of a key. The key is scaled to the number of lines, which can be any number.
    #[inline(always)]
    fn line(&self, spread: u64) -> &Line {
        let line = ((u128::from(spread) * self.lines as u128) >> 64) as usize;
        let rest = &self.words[self.start + line * WORDS_PER_LINE..];
        rest.first_chunk().unwrap_or_else(|| unreachable!("a table has whole lines"))
    }

    /// The slot of a line with the least replacement priority.
    #[inline(never)]
    fn slot_to_replace<'t>(&self, line: &'t Line) -> &'t Slot {
        let slots = &slots(line)[..self.ways];
        let mut chosen = (i32::MAX, &slots[0]);
        for slot in slots {
            let priority = Data(slot::read(slot).1).priority(self.generation);
            if priority < chosen.0 {
                chosen = (priority, slot);
            }
        }
        chosen.1
    }

    /// Whether the table is too large for a cache, so that a lookup takes long.
    #[inline(always)]
    pub(crate) fn is_large(&self) -> bool {
        self.lines >= LARGE_LINES
    }

    /// Prefetches the lines of these keys.
    #[inline(always)]
    pub(crate) fn prefetch(&self, keys: impl Iterator<Item = u64>) {
        keys.for_each(|key| prefetch(self.line(spread(key))));
    }

    /// *retrieve*: the bounds of the position with this key at this depth, and its best move.
    #[inline(always)]
    pub(crate) fn retrieve(&self, key: u64, depth: u8) -> Entry {
        let key = spread(key);
        let mut found = Data(0);
        for slot in slots(self.line(key)) {
            let (stored_key, data) = slot::read(slot);
            if stored_key == key {
                found = Data(data);
                break;
            }
            if Data(data).is_empty() {
                break; // The slots behind it are empty too.
            }
        }
        if found.is_empty() {
            return Entry::NOT_FOUND;
        }
        if found.depth() != depth && (found.depth() < depth || self.reuse == Reuse::EqualDepth) {
            return Entry { best: found.best(), ..Entry::NOT_FOUND };
        }
        Entry { f: found.bounds(), best: found.best(), estimated: found.estimated() }
    }

    /// The data of a position's entry, if it has this depth, to be sent to another table of the same kind.
    pub(crate) fn data(&self, key: u64, depth: u8) -> Option<u64> {
        let key = spread(key);
        let found = slots(self.line(key)).iter().map(slot::read).find(|(stored_key, _)| *stored_key == key)?;
        (Data(found.1).depth() == depth).then_some(found.1)
    }

    /// Stores the data of another table's entry. Returns its depth.
    pub(crate) fn store_data(&self, key: u64, data: u64) -> u8 {
        let data = Data(data);
        let (f, best, estimated) = (data.bounds(), data.best(), data.estimated());
        let g = if f.lower == Value::NEG_INFINITY { f.upper } else { f.lower };
        self.store(key, data.depth(), Entry { f, best, estimated }, g);
        data.depth()
    }

    /// *store*: stores the bounds of a position at this depth; `g` is the newest of them. They are merged with stored bounds
    /// of the same depth. A table of one bound keeps only `g`.
    ///
    /// A shallower entry replaces a deeper one, in selective search too: the deeper entry did not answer the current window.
    /// Keeping it if it is at least 2, 4 or 6 plies deeper took 2.2, 1.5 and 1.6 % more nodes in sharp chess positions with
    /// MTD-f, and 7, 4 and −0.2 % more with aspiration.
    #[inline(always)]
    pub(crate) fn store(&self, key: u64, depth: u8, entry: Entry, g: Value) {
        let key = spread(key);
        let line = self.line(key);
        let Entry { mut f, mut best, mut estimated } = entry;
        if self.keep == Keep::OneBound {
            f = newest_bound(g, f);
        }
        let mut target = None;
        for (way, slot) in slots(line).iter().enumerate() {
            let (stored_key, old) = slot::read(slot);
            let old = Data(old);
            if old.is_empty() {
                target = Some(slot).filter(|_| way == 0 || way < self.ways);
                break;
            }
            if stored_key == key {
                if old.depth() == depth && self.keep == Keep::TwoBounds {
                    f = old.bounds().narrowed(f);
                    estimated |= old.estimated();
                }
                if best == NO_MOVE {
                    best = old.best();
                }
                target = Some(slot);
                break;
            }
        }
        let data = Data::new(f, best, depth, self.generation, estimated);
        slot::write(target.unwrap_or_else(|| self.slot_to_replace(line)), key, data.0);
    }

    /// The share of entries of the current generation, in thousandths, from a sample.
    pub(crate) fn permille_used(&self) -> u32 {
        let sample = self.lines.min(250);
        let used = (0..sample)
            .flat_map(|line| (0..self.ways).map(move |way| self.start + line * WORDS_PER_LINE + 2 * way + 1))
            .filter(|&word| Data(self.words[word].load(Relaxed)).generation() == self.generation)
            .count();
        (used * 1000 / (sample * self.ways)) as u32
    }
}

/// The slots of a line, which are filled in order. A table of less than a line leaves the last slots empty.
#[inline(always)]
fn slots(line: &Line) -> &[Slot] {
    line.as_chunks().0
}

/// Spreads a key over all 64 bits, one to one. A game's keys may be small, adjacent numbers; spread, a torn entry does not
/// match another key.
#[inline(always)]
pub(crate) const fn spread(key: u64) -> u64 {
    let x = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^ (x >> 32)
}

/// Only the bounds that equal `g`.
#[inline(never)]
fn newest_bound(g: Value, f: Bounds) -> Bounds {
    Bounds {
        lower: if f.lower == g { g } else { Value::NEG_INFINITY },
        upper: if f.upper == g { g } else { Value::INFINITY },
    }
}

/// The words of a table, and the index of the first one that starts a cache line.
type Zeroed = (Box<[AtomicU64]>, usize);

/// The lines of a large table that are in small pages, 64 KB: a short search that uses no more of the table does not wait for
/// a huge page.
const LINES_IN_SMALL_PAGES: usize = 1 << 10;

/// Allocates zeroed memory for `lines` lines, and finds where the first one starts. The system does not touch its pages.
fn zeroed(lines: usize, size: Size) -> Result<Zeroed, Error> {
    let too_large = || Error::TableTooLarge { size: size.to_string() };
    // Where a large table starts depends on the first huge page.
    let is_large = lines >= LARGE_LINES;
    let (alignment, before) = if is_large { (HUGE_PAGE, LINES_IN_SMALL_PAGES * WORDS_PER_LINE) } else { (64, 0) };
    let slack = alignment / size_of::<AtomicU64>();
    let words = lines.checked_mul(WORDS_PER_LINE).and_then(|n| n.checked_add(slack - 1)).ok_or_else(too_large)?;
    let words: Box<[AtomicU64]> = bytemuck::allocation::try_zeroed_slice_box(words).map_err(|()| too_large())?;
    let boundary = words.as_ptr().align_offset(alignment).min(slack - 1);
    let start = if boundary >= before { boundary - before } else { boundary + slack - before };
    if is_large {
        request_huge_pages(&words[start..]);
    }
    Ok((words, start))
}

named!(Keep, "number of bounds", "one or two", TwoBounds: "two" | "2", OneBound: "one" | "1");

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

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
        t.store(key, depth, Entry { f, best, estimated: false }, g);
    }

    #[test]
    fn a_table_that_cannot_be_cleared_becomes_small() {
        let mut t = table(64, Keep::TwoBounds);
        let failed = t.clear_with(|_, size| Err(Error::TableTooLarge { size: size.to_string() }));
        assert_eq!(failed, Err(Error::TableTooLarge { size: "1KB".to_string() }));
        keep(&t, 7, 3, at_least(5), 1);
        assert_eq!((t.entries(), t.retrieve(7, 3).f), (4, at_least(5)));
        t.next_generation(1 << 40);
        assert!(t.clear().is_ok());
        assert_eq!(t.retrieve(7, 3), Entry::NOT_FOUND);
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
    fn a_contradiction_keeps_the_newer_bound() {
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
    fn deeper_entries_are_kept_longer_and_old_ones_are_replaced() {
        let mut t = table(4, Keep::TwoBounds);
        keep(&t, 1, 9, at_least(1), 0);
        for key in 2..100 {
            keep(&t, key, 1, at_least(1), 0);
        }
        assert_ne!(t.retrieve(1, 9), Entry::NOT_FOUND);
        for _ in 0..10 {
            t.next_generation(0);
        }
        for key in 2..100 {
            keep(&t, key, 1, at_least(1), 0);
        }
        assert_eq!(t.retrieve(1, 9), Entry::NOT_FOUND);
    }

    #[test]
    fn the_estimated_flag_survives_new_generations() {
        let mut t = table(64, Keep::TwoBounds);
        let entry = |f, estimated| Entry { f, best: 0, estimated };
        t.store(1, 3, entry(at_least(5), true), Value::score(5).unwrap());
        t.store(2, 3, entry(at_least(5), false), Value::score(5).unwrap());
        for _ in 0..1000 {
            t.next_generation(0);
            assert!(t.retrieve(1, 3).estimated && !t.retrieve(2, 3).estimated);
        }
        t.store(2, 3, entry(at_most(9), true), Value::score(9).unwrap());
        assert!(t.retrieve(2, 3).estimated, "one of its bounds is estimated");
    }

    #[test]
    fn permille_used_counts_the_current_generation() {
        let mut t = table(1 << 10, Keep::TwoBounds);
        assert_eq!(t.permille_used(), 0);
        (0..100_000).for_each(|key| keep(&t, key, 1, at_least(1), 1));
        assert_eq!(t.permille_used(), 1000);
        t.next_generation(0);
        assert_eq!(t.permille_used(), 0);
        (0..200).for_each(|key| keep(&t, key, 1, at_least(1), 1));
        assert!((150..250).contains(&t.permille_used()), "{}", t.permille_used());
    }

    #[test]
    fn an_entry_can_be_sent_to_another_table() {
        for kept in [Keep::TwoBounds, Keep::OneBound] {
            let (ours, theirs) = (table(64, kept), table(64, kept));
            for (key, f) in [(7, at_least(5)), (8, at_most(5))] {
                keep(&ours, key, 3, f, 1);
                assert_eq!(ours.data(key, 2), None);
                let sent = ours.data(key, 3).unwrap();
                assert_eq!(theirs.store_data(key, sent), 3);
                assert_eq!((theirs.retrieve(key, 3).f, theirs.retrieve(key, 3).best), (f, 1), "{kept}");
            }
        }
    }

    #[test]
    fn a_growing_table_keeps_its_entries_and_reaches_its_size() {
        for entries in [100, 1 << 12, 5_000, 1 << 16] {
            let mut t = table(entries, Keep::TwoBounds).growing(FIRST_ENTRIES);
            assert_eq!(t.entries(), table(entries, Keep::TwoBounds).entries());
            assert!(t.lines * WAYS <= FIRST_ENTRIES, "it starts small");
            let few = t.lines.min(200) as u64;
            for key in 0..few {
                keep(&t, key, 1, at_least(key as i32), key as u16);
            }
            let kept: Vec<u64> = (0..few).filter(|&key| t.retrieve(key, 1).best == key as u16).collect();
            for visits in [1, 300, 2_000, 1 << 40] {
                t.next_generation(visits);
                assert!(kept.iter().all(|&key| t.retrieve(key, 1).best == key as u16), "{entries} {visits}");
            }
            assert_eq!(t.lines, t.most_lines);
            t.clear().unwrap();
            assert!(t.lines * WAYS <= FIRST_ENTRIES, "it is small again");
            t.next_generation(1 << 40);
            assert!(kept.iter().all(|&key| t.retrieve(key, 1) == Entry::NOT_FOUND), "old entries do not return");
        }
    }

    #[test]
    fn a_spare_table_of_the_same_size_is_reused_and_empty() {
        let mut t = table(64, Keep::TwoBounds);
        let spare = table(64, Keep::OneBound);
        keep(&spare, 7, 3, at_least(5), 1);
        let memory = spare.words.as_ptr();
        assert_eq!((t.reuse(spare), t.words.as_ptr()), (Ok(true), memory));
        assert_eq!(t.retrieve(7, 3), Entry::NOT_FOUND);
        keep(&t, 7, 3, at_least(5), 1);
        keep(&t, 7, 3, at_most(9), 1);
        assert_eq!(t.retrieve(7, 3).f.lower.get(), 5, "it keeps two bounds, as before");
        assert_eq!(t.reuse(table(128, Keep::TwoBounds)), Ok(false));
        assert_eq!(t.words.as_ptr(), memory);
    }

    #[test]
    fn an_entry_is_sixteen_bytes_and_starts_its_line() {
        let t = table(1 << 10, Keep::TwoBounds);
        assert!(t.words.len() * 8 <= (1 << 10) * 16 + 64);
        assert_eq!(t.words[t.start..].as_ptr() as usize % 64, 0);
    }

    #[test]
    fn a_large_table_has_its_first_lines_in_small_pages() {
        // The system chooses where memory begins, so several tables are allocated at once.
        let tables: Vec<Table> = (0..8).map(|n| table((1 << 17) + 1000 * n, Keep::TwoBounds)).collect();
        for t in &tables {
            let first_huge = t.words[t.start..].as_ptr() as usize + LINES_IN_SMALL_PAGES * 64;
            assert_eq!(first_huge % HUGE_PAGE, 0);
            assert!(t.start + t.lines * WORDS_PER_LINE <= t.words.len());
            keep(t, u64::MAX, 3, at_least(5), 1);
            assert_eq!(t.retrieve(u64::MAX, 3).f, at_least(5));
        }
    }

    #[test]
    fn a_deeper_entry_is_used_only_with_at_least_depth() {
        let t = Table::new(Size::of_entries(4), Keep::TwoBounds, Reuse::AtLeastDepth).unwrap();
        keep(&t, 1, 9, at_least(1), 0);
        assert_eq!(t.retrieve(1, 4).f, at_least(1));
        assert_eq!(t.retrieve(1, 10).f, Bounds::UNKNOWN);
    }

    /// After the last generation they start again at 1; an old entry then counts as older than an empty slot.
    #[test]
    fn nothing_is_replaced_while_a_slot_is_empty() {
        let mut t = table(4, Keep::TwoBounds);
        (1..LAST_GENERATION).for_each(|_| t.next_generation(0));
        keep(&t, 1, 0, at_least(1), 1);
        t.next_generation(0);
        assert_eq!(t.generation, 1);
        (2..=4).for_each(|key| keep(&t, key, 0, at_least(1), 1));
        assert!((1..=4).all(|key| t.retrieve(key, 0) != Entry::NOT_FOUND));
    }

    #[test]
    fn sizes_have_units() {
        let bytes = |text: &str| text.parse::<Size>().unwrap().bytes();
        assert_eq!(["64B", "3kb", "2 MiB", "5G"].map(bytes), [64, 3 << 10, 2 << 20, 5 << 30]);
        assert_eq!(["5KB", "2MB", "3GB"].map(|text| text.parse::<Size>().unwrap().to_string()), ["5KB", "2MB", "3GB"]);
        #[cfg(target_pointer_width = "64")]
        assert_eq!(bytes("1TB"), 1 << 40);
    }

    #[test]
    fn absurd_sizes_are_errors() {
        for size in [Size::of_bytes(usize::MAX), Size::of_bytes(isize::MAX as usize), Size::of_bytes(1 << 50)] {
            let error = Table::new(size, Keep::TwoBounds, Reuse::EqualDepth).unwrap_err().to_string();
            assert!(error.contains("larger than the memory"), "{error}");
        }
        for bad in ["", "64", "MB", "-1MB", "1.5GB", "12 parsecs", "99999999999999999999GB", "3B"] {
            assert!(bad.parse::<Size>().is_err(), "{bad}");
        }
    }
}
