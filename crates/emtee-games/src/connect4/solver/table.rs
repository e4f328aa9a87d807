//! The transposition table of the solver: 8 bytes per entry, shared by threads without a lock.
//!
//! A key has as many bits as the board. A multiplication by an odd number permutes the keys; the first bits then select a
//! bucket, and the others are stored. So an entry identifies its position: there are no collisions.
//!
//! ```text
//! entry:   rest of the key 44 bits | work 6 bits | f⁻ + 64, 7 bits | f⁺ + 64, 7 bits
//! ```
//!
//! An entry is one word, so that another thread never reads half of it. An empty entry is 0.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use emtee::research::request_huge_pages;

/// The entries of a bucket: half a cache line.
const WAYS: usize = 4;

const WORDS_PER_LINE: usize = 8;

/// The size of an entry in bytes.
pub const ENTRY_BYTES: usize = 8;

const KEY_SHIFT: u32 = 20;
const WORK_SHIFT: u32 = 14;
const LOWER_SHIFT: u32 = 7;
const BOUND_MASK: u64 = 0x7f;
const DATA_MASK: u64 = (1 << KEY_SHIFT) - 1;
const BIAS: i32 = 64;

/// A bound beyond every value.
pub(super) const UNBOUNDED: i32 = 60;

/// A new table has at most this many buckets: 128 KB.
const FIRST_BITS: u32 = 12;

/// It grows when this many entries were stored for each that fits. Measured in positions with 12 stones: a table of 64 MB from
/// the start takes three times as long, since most lookups miss the processor's cache.
const STORES_PER_ENTRY: u64 = 1;

/// A table of buckets.
#[derive(Debug)]
pub(super) struct Table {
    words: Box<[AtomicU64]>,
    /// The first word that starts a cache line, so that no bucket is in two.
    start: usize,
    key_bits: u32,
    key_mask: u64,
    /// The key bits that select a bucket: the table uses 2^`bits` buckets. Changed only while one thread uses the table.
    bits: AtomicU32,
    first_bits: u32,
    most_bits: u32,
    /// Entries stored since the table grew.
    stores: AtomicU64,
}

/// The place of a position: its bucket, and the rest of its key.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    bucket: usize,
    rest: u64,
}

impl Table {
    /// The bits that select a bucket, at least, so that the rest of the key fits into an entry.
    const fn least_bits(key_bits: u32) -> u32 {
        key_bits.saturating_sub(u64::BITS - KEY_SHIFT)
    }

    /// The least number of entries for keys of this many bits.
    pub(super) const fn least_entries(key_bits: u32) -> usize {
        WAYS << Table::least_bits(key_bits)
    }

    /// A table of at most `entries` entries, but not less than [`least_entries`](Table::least_entries).
    pub(super) fn new(entries: usize, key_bits: u32) -> Table {
        let least_bits = Table::least_bits(key_bits);
        let most_bits = (entries / WAYS).max(1).ilog2().clamp(least_bits, key_bits - 1);
        let first_bits = FIRST_BITS.clamp(least_bits, most_bits);
        let words: Box<[AtomicU64]> = bytemuck::allocation::zeroed_slice_box((WAYS << most_bits) + WORDS_PER_LINE - 1);
        request_huge_pages(&words);
        let start = words.as_ptr().align_offset(64).min(WORDS_PER_LINE - 1);
        Table {
            words,
            start,
            key_bits,
            key_mask: u64::MAX >> (u64::BITS - key_bits),
            bits: AtomicU32::new(first_bits),
            first_bits,
            most_bits,
            stores: AtomicU64::new(0),
        }
    }

    /// Empties the table and makes it small.
    pub(super) fn clear(&mut self) {
        *self.bits.get_mut() = self.first_bits;
        *self.stores.get_mut() = 0;
        (0..1 << self.first_bits).flat_map(|index| self.bucket(index)).for_each(|entry| entry.store(0, Relaxed));
    }

    #[inline(always)]
    fn bucket(&self, index: usize) -> &[AtomicU64; WAYS] {
        let rest = &self.words[self.start + index * WAYS..];
        rest.first_chunk().unwrap_or_else(|| unreachable!("a table has whole buckets"))
    }

    /// Makes the table ready for a pass. A table that threads share cannot grow, so it takes its full size.
    pub(super) fn prepare(&mut self, is_shared: bool) {
        while is_shared && *self.bits.get_mut() < self.most_bits {
            self.grow();
        }
    }

    /// Doubles the part of the memory in use. The entries of a bucket move to two buckets, which are never before it, so the
    /// last buckets are moved first.
    #[cold]
    #[inline(never)]
    fn grow(&self) {
        self.stores.store(0, Relaxed);
        let bits = self.bits.load(Relaxed);
        if bits == self.most_bits {
            return;
        }
        let rest_bits = self.key_bits - bits - 1;
        for index in (0..1 << bits).rev() {
            let old = self.bucket(index).each_ref().map(|entry| entry.load(Relaxed));
            let mut new = [[0; WAYS]; 2];
            let mut counts = [0; 2];
            for entry in old.into_iter().filter(|&entry| entry != 0) {
                let rest = entry >> KEY_SHIFT;
                let half = (rest >> rest_bits) as usize;
                new[half][counts[half]] = (rest & ((1 << rest_bits) - 1)) << KEY_SHIFT | entry & DATA_MASK;
                counts[half] += 1;
            }
            for (half, entries) in new.into_iter().enumerate() {
                for (place, entry) in self.bucket(2 * index + half).iter().zip(entries) {
                    place.store(entry, Relaxed);
                }
            }
        }
        self.bits.store(bits + 1, Relaxed);
    }

    #[inline(always)]
    pub(super) fn slot(&self, key: u64) -> Slot {
        let spread = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) & self.key_mask;
        let rest_bits = self.key_bits - self.bits.load(Relaxed);
        Slot { bucket: (spread >> rest_bits) as usize, rest: spread & ((1 << rest_bits) - 1) }
    }

    /// f⁻ and f⁺ of a position.
    #[inline(always)]
    pub(super) fn retrieve(&self, slot: Slot) -> Option<(i32, i32)> {
        let found = |entry: &u64| entry >> KEY_SHIFT == slot.rest && entry & DATA_MASK != 0;
        let entry = self.bucket(slot.bucket).iter().map(|entry| entry.load(Relaxed)).find(found)?;
        Some((bound(entry >> LOWER_SHIFT), bound(entry)))
    }

    /// Stores g of a pass at γ = `bound` − ½, the result of visiting `work` positions. In a full bucket it replaces the entry
    /// with the least work.
    #[inline(always)]
    pub(super) fn store(&self, slot: Slot, asked: i32, g: i32, work: u64) {
        let bucket = self.bucket(slot.bucket);
        let (mut lower, mut upper) = (-UNBOUNDED, UNBOUNDED);
        let (mut target, mut least) = (&bucket[0], u64::MAX);
        for place in bucket {
            let entry = place.load(Relaxed);
            if entry >> KEY_SHIFT == slot.rest && entry & DATA_MASK != 0 {
                (lower, upper, target) = (bound(entry >> LOWER_SHIFT), bound(entry), place);
                break;
            }
            let work = entry >> WORK_SHIFT & 0x3f;
            if work < least {
                (target, least) = (place, work);
            }
        }
        if g >= asked {
            lower = lower.max(g)
        } else {
            upper = upper.min(g)
        }
        let work = u64::from(u64::BITS - work.leading_zeros());
        let bounds = ((lower + BIAS) as u64) << LOWER_SHIFT | (upper + BIAS) as u64;
        target.store(slot.rest << KEY_SHIFT | work << WORK_SHIFT | bounds, Relaxed);
    }

    /// Counts a stored entry of a table that one thread uses; the table grows as it fills.
    #[inline(always)]
    pub(super) fn count(&self) {
        let stores = self.stores.load(Relaxed) + 1;
        self.stores.store(stores, Relaxed);
        if stores >> self.bits.load(Relaxed) >= STORES_PER_ENTRY * WAYS as u64 {
            self.grow();
        }
    }
}

#[inline(always)]
fn bound(bits: u64) -> i32 {
    (bits & BOUND_MASK) as i32 - BIAS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(entries: usize) -> Table {
        Table::new(entries, 49)
    }

    #[test]
    fn bounds_are_merged() {
        let t = table(1 << 16);
        let slot = t.slot(12_345);
        assert_eq!(t.retrieve(slot), None);
        t.store(slot, 3, 5, 10);
        t.store(slot, 9, 7, 10);
        assert_eq!(t.retrieve(slot), Some((5, 7)));
        t.store(slot, 6, 6, 10);
        assert_eq!(t.retrieve(slot), Some((6, 7)));
        t.store(t.slot(7), -18, -18, 1);
        assert_eq!(t.retrieve(t.slot(7)), Some((-18, UNBOUNDED)));
    }

    #[test]
    fn a_slot_identifies_the_key() {
        let t = table(1 << 10);
        let mut seen = std::collections::HashSet::new();
        assert!((0..20_000u64).all(|key| {
            let Slot { bucket, rest } = t.slot((key * 0x1_2345_6789) & ((1 << 49) - 1));
            seen.insert((bucket, rest))
        }));
    }

    #[test]
    fn a_growing_table_keeps_its_entries() {
        let mut t = table(1 << 20);
        let keys: Vec<u64> = (1..1_000u64).map(|n| (n * 0x1_0203_0405) & ((1 << 49) - 1)).collect();
        for (n, &key) in keys.iter().enumerate() {
            t.store(t.slot(key), 0, n as i32 % 18, 1 + n as u64);
        }
        for _ in 0..10 {
            for (n, &key) in keys.iter().enumerate() {
                assert_eq!(t.retrieve(t.slot(key)), Some((n as i32 % 18, UNBOUNDED)), "{key}");
            }
            t.grow();
        }
        assert_eq!(t.bits.load(Relaxed), t.most_bits);
        t.clear();
        assert!(keys.iter().all(|&key| t.retrieve(t.slot(key)).is_none()));
        t.prepare(true);
        assert!(keys.iter().all(|&key| t.retrieve(t.slot(key)).is_none()), "old entries do not return");
    }

    #[test]
    fn the_entry_with_the_least_work_is_replaced() {
        let t = Table::new(1, 40);
        let keys: Vec<u64> = (1..200u64).map(|n| n << 20).filter(|&key| t.slot(key).bucket == 0).take(5).collect();
        for (&key, work) in keys.iter().zip([100, 1_000, 10, 10_000, 50]) {
            t.store(t.slot(key), 1, 1, work);
        }
        let kept: Vec<bool> = keys.iter().map(|&key| t.retrieve(t.slot(key)).is_some()).collect();
        assert_eq!(kept, [true, true, false, true, true]);
    }
}
