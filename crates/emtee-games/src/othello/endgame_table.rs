//! The transposition table of the endgame solver.

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

/// The entries of one cache line. Positions are stored in full: a hash collision can cost time, but never causes a wrong score.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket {
    own: [u64; WAYS],
    opponent: [u64; WAYS],
    known: [Known; WAYS],
}

const WAYS: usize = 3;

const EMPTY: Bucket = Bucket { own: [0; WAYS], opponent: [0; WAYS], known: [UNKNOWN; WAYS] };

/// The size of an entry in bytes, including its share of the padding.
pub(crate) const ENTRY_BYTES: usize = size_of::<Bucket>().div_ceil(WAYS);

/// Buckets of [`WAYS`] entries.
#[derive(Debug)]
pub(crate) struct EndgameTable {
    buckets: Box<[Bucket]>,
}

impl EndgameTable {
    /// A table of about `entries` entries.
    pub(crate) fn new(entries: usize) -> EndgameTable {
        let buckets = entries.div_ceil(WAYS).clamp(1, 1 << 28).next_power_of_two();
        EndgameTable { buckets: vec![EMPTY; buckets].into() }
    }

    #[inline(always)]
    fn bucket(&self, own: u64, opponent: u64) -> usize {
        // A folded 128-bit product: every bit of both sides affects every bit of the index.
        let product = u128::from(own ^ 0x9e37_79b9_7f4a_7c15) * u128::from(opponent ^ 0xd1b5_4a32_d192_ed03);
        (product as u64 ^ (product >> 64) as u64) as usize & (self.buckets.len() - 1)
    }

    /// The bounds of a position.
    #[inline(always)]
    pub(crate) fn retrieve(&self, own: u64, opponent: u64) -> Option<Known> {
        let bucket = &self.buckets[self.bucket(own, opponent)];
        (0..WAYS).find(|&way| bucket.own[way] == own && bucket.opponent[way] == opponent).map(|way| bucket.known[way])
    }

    /// Stores the result g of a pass at γ = `alpha` + ½.
    #[inline(always)]
    pub(crate) fn store(&mut self, (own, opponent): (u64, u64), alpha: i32, g: i32, best: u8, level: u8) {
        let index = self.bucket(own, opponent);
        let bucket = &mut self.buckets[index];
        let found = (0..WAYS).find(|&way| bucket.own[way] == own && bucket.opponent[way] == opponent);
        // A new position replaces the one with the smallest subtree.
        let way = found.unwrap_or_else(|| {
            (1..WAYS).fold(
                0,
                |least, way| {
                    if bucket.known[way].empties < bucket.known[least].empties { way } else { least }
                },
            )
        });
        let known = &mut bucket.known[way];
        if found.is_none() {
            (bucket.own[way], bucket.opponent[way]) = (own, opponent);
            *known = Known { empties: (own | opponent).count_zeros() as u8, level, ..UNKNOWN };
        } else if known.level < level {
            *known = Known { level, best: known.best, empties: known.empties, ..UNKNOWN };
        }
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
        let mut table = EndgameTable::new(100);
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
    fn the_smallest_subtree_is_replaced() {
        let mut table = EndgameTable::new(1);
        for discs in [10, 30, 20, 15] {
            table.store(((1 << discs) - 1, 0), 1, 2, 0, 2);
        }
        let kept = [10, 15, 20, 30].map(|discs| table.retrieve((1 << discs) - 1, 0).is_some());
        assert_eq!(kept, [true, true, true, false]);
    }
}
