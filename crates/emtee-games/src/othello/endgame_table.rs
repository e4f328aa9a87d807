//! The transposition table of the endgame solver.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use emtee::research::request_huge_pages;

/// The bounds of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// f⁻
    pub(crate) lower: i8,
    /// f⁺
    pub(crate) upper: i8,
    /// The best move found, 64 for none.
    pub(crate) best: u8,
    /// The selectivity level of the bounds. They are valid at this level and below.
    pub(crate) level: u8,
    /// The number of empty squares: the size of the subtree.
    empties: u8,
}

impl Known {
    /// The bound that causes a cutoff at `alpha`, if there is one.
    #[inline(always)]
    pub(crate) fn cutoff(&self, alpha: i32) -> Option<i32> {
        let (lower, upper) = (i32::from(self.lower), i32::from(self.upper));
        if lower > alpha { Some(lower) } else { (upper <= alpha).then_some(upper) }
    }
}

const UNKNOWN: Known = Known { lower: -64, upper: 64, best: 64, level: 0, empties: 0 };

impl Known {
    /// In 32 bits. Not 0, which is an empty entry: a stored position has empty squares.
    #[inline(always)]
    fn to_bits(self) -> u32 {
        let bound = |bound: i8| (i32::from(bound) + 64) as u32;
        let rest = u32::from(self.best) << 16 | u32::from(self.level) << 23 | u32::from(self.empties) << 25;
        bound(self.lower) | bound(self.upper) << 8 | rest
    }

    #[inline(always)]
    fn from_bits(bits: u32) -> Known {
        let bound = |bits: u32| ((bits & 0xff) as i32 - 64) as i8;
        Known {
            lower: bound(bits),
            upper: bound(bits >> 8),
            best: (bits >> 16 & 0x7f) as u8,
            level: (bits >> 23 & 3) as u8,
            empties: (bits >> 25) as u8,
        }
    }
}

/// The entries of a bucket, which is a cache line.
const WAYS: usize = 3;
const WORDS: usize = 8;

/// The words of a bucket: three of own discs, three of the opponent's, and the bounds in half a word each.
type Bucket = [AtomicU64; WORDS];

/// The size of an entry in bytes, including its share of the padding.
pub(crate) const ENTRY_BYTES: usize = (WORDS * 8).div_ceil(WAYS);

/// Buckets of [`WAYS`] entries, shared by threads without a lock.
///
/// Positions are stored in full: a hash collision can cost time, but never causes a wrong score. Both words of a position are
/// combined with its bounds, and the second with the first, so that words of different entries match no position.
#[derive(Debug)]
pub(crate) struct EndgameTable {
    words: Box<[AtomicU64]>,
    /// The first word that starts a cache line.
    start: usize,
    buckets: usize,
}

/// A position as the table stores it.
#[derive(Clone, Copy)]
struct Stored {
    own: u64,
    opponent: u64,
}

impl Stored {
    #[inline(always)]
    fn new(own: u64, opponent: u64) -> Stored {
        Stored { own, opponent: opponent ^ own.wrapping_mul(0x9e37_79b9_7f4a_7c15) }
    }

    #[inline(always)]
    fn is_at(self, bucket: &Bucket, way: usize) -> bool {
        let spread = spread(bits(bucket, way));
        bucket[way].load(Relaxed) ^ spread == self.own && bucket[WAYS + way].load(Relaxed) ^ spread == self.opponent
    }

    #[inline(always)]
    fn find(self, bucket: &Bucket) -> Option<usize> {
        (0..WAYS).find(|&way| self.is_at(bucket, way))
    }

    #[inline(always)]
    fn write(self, bucket: &Bucket, way: usize, known: Known) {
        let bits = known.to_bits();
        bucket[way].store(self.own ^ spread(bits), Relaxed);
        bucket[WAYS + way].store(self.opponent ^ spread(bits), Relaxed);
        // A concurrent change of the other half is lost; then that entry matches no position.
        let word = &bucket[2 * WAYS + way / 2];
        let shift = 32 * (way as u32 % 2);
        word.store(word.load(Relaxed) & !(0xffff_ffff << shift) | u64::from(bits) << shift, Relaxed);
    }
}

/// The bounds of an entry, 0 if it is empty.
#[inline(always)]
fn bits(bucket: &Bucket, way: usize) -> u32 {
    (bucket[2 * WAYS + way / 2].load(Relaxed) >> (32 * (way % 2))) as u32
}

#[inline(always)]
fn spread(bits: u32) -> u64 {
    u64::from(bits) << 32 | u64::from(bits)
}

impl EndgameTable {
    /// A table of about `entries` entries. The system does not touch its pages yet.
    pub(crate) fn new(entries: usize) -> EndgameTable {
        let buckets = entries.div_ceil(WAYS).clamp(1, 1 << 28).next_power_of_two();
        let words: Box<[AtomicU64]> = bytemuck::allocation::zeroed_slice_box(buckets * WORDS + WORDS - 1);
        request_huge_pages(&words);
        let start = words.as_ptr().align_offset(64).min(WORDS - 1);
        EndgameTable { words, start, buckets }
    }

    #[inline(always)]
    fn bucket(&self, own: u64, opponent: u64) -> &Bucket {
        // A folded 128-bit product: every bit of both sides affects every bit of the index.
        let product = u128::from(own ^ 0x9e37_79b9_7f4a_7c15) * u128::from(opponent ^ 0xd1b5_4a32_d192_ed03);
        let index = (product as u64 ^ (product >> 64) as u64) as usize & (self.buckets - 1);
        let rest = &self.words[self.start + index * WORDS..];
        rest.first_chunk().unwrap_or_else(|| unreachable!("a table has whole buckets"))
    }

    /// The bounds of a position.
    #[inline(always)]
    pub(crate) fn retrieve(&self, own: u64, opponent: u64) -> Option<Known> {
        let bucket = self.bucket(own, opponent);
        // An empty entry matches no position, since the side to move has discs.
        Stored::new(own, opponent).find(bucket).map(|way| Known::from_bits(bits(bucket, way)))
    }

    /// Stores the result g of a pass at γ = `alpha` + ½.
    #[inline(always)]
    pub(crate) fn store(&self, (own, opponent): (u64, u64), alpha: i32, g: i32, best: u8, level: u8) {
        let bucket = self.bucket(own, opponent);
        let stored = Stored::new(own, opponent);
        let found = stored.find(bucket);
        // A new position replaces the one with the smallest subtree.
        let empties = |way| bits(bucket, way) >> 25;
        let way = found
            .unwrap_or_else(|| (1..WAYS).fold(0, |least, way| if empties(way) < empties(least) { way } else { least }));
        let old = Known::from_bits(bits(bucket, way));
        let mut known = match found {
            None => Known { empties: (own | opponent).count_zeros() as u8, level, ..UNKNOWN },
            Some(_) if old.level < level => Known { level, best: old.best, empties: old.empties, ..UNKNOWN },
            Some(_) => old,
        };
        let same_level = known.level == level;
        if g > alpha {
            known.best = best;
            if same_level {
                known.lower = known.lower.max(g as i8);
            }
        } else {
            if known.best == 64 {
                known.best = best;
            }
            if same_level {
                known.upper = known.upper.min(g as i8);
            }
        }
        stored.write(bucket, way, known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITION: (u64, u64) = (3, 12);

    fn bounds(table: &EndgameTable) -> (i8, i8, u8, u8) {
        table.retrieve(POSITION.0, POSITION.1).map(|known| (known.lower, known.upper, known.best, known.level)).unwrap()
    }

    #[test]
    fn bounds_of_a_lower_level_are_replaced_but_their_move_is_kept() {
        let table = EndgameTable::new(100);
        assert!(table.retrieve(3, 12).is_none());
        table.store(POSITION, 9, 14, 20, 0);
        table.store(POSITION, 19, 16, 21, 0);
        assert_eq!(bounds(&table), (14, 16, 20, 0));
        table.store(POSITION, 5, 4, 22, 2);
        assert_eq!(bounds(&table), (-64, 4, 20, 2));
        // Exact bounds are kept when a lower level stores other bounds.
        table.store(POSITION, 9, 10, 23, 1);
        table.store(POSITION, 1, 0, 24, 1);
        assert_eq!(bounds(&table), (-64, 4, 23, 2));
    }

    #[test]
    fn bounds_fit_into_32_bits() {
        for known in [UNKNOWN, Known { lower: 64, upper: 64, best: 63, level: 2, empties: 60 }] {
            let known = Known { lower: known.lower, upper: -64, ..known };
            assert_eq!(format!("{:?}", Known::from_bits(known.to_bits())), format!("{known:?}"));
        }
    }

    #[test]
    fn words_of_different_entries_match_no_position() {
        let (a, b) = (EndgameTable::new(1), EndgameTable::new(1));
        a.store((3, 12), 9, 14, 20, 2);
        b.store((5, 48), 9, 14, 20, 2);
        // The bounds are the same; the discs come from different positions.
        a.words[a.start + WAYS].store(b.words[b.start + WAYS].load(Relaxed), Relaxed);
        for own in [3, 5] {
            assert!([12, 48].iter().all(|&opponent| a.retrieve(own, opponent).is_none()));
        }
    }

    #[test]
    fn the_smallest_subtree_is_replaced() {
        let table = EndgameTable::new(1);
        for discs in [10, 30, 20, 15] {
            table.store(((1 << discs) - 1, 0), 1, 2, 0, 2);
        }
        let kept = [10, 15, 20, 30].map(|discs| table.retrieve((1 << discs) - 1, 0).is_some());
        assert_eq!(kept, [true, true, true, false]);
    }
}
