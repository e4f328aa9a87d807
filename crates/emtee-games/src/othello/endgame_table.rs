//! What the endgame solver remembers.

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// The score is at least this,
    pub(crate) lower: i8,
    /// and at most this.
    pub(crate) upper: i8,
    /// The best move found, 64 for none.
    pub(crate) best: u8,
    /// How sure the bounds are: those of one level answer at that level and below.
    pub(crate) level: u8,
    /// How many squares are empty: how large the tree below is.
    empties: u8,
}

impl Known {
    /// The bound that says whether the score is greater than `alpha`, if one does.
    #[inline(always)]
    pub(crate) fn answer(&self, alpha: i32) -> Option<i32> {
        let (lower, upper) = (i32::from(self.lower), i32::from(self.upper));
        if lower > alpha { Some(lower) } else { (upper <= alpha).then_some(upper) }
    }
}

const NOTHING: Known = Known { lower: -64, upper: 64, best: 64, level: 0, empties: 0 };

/// Entries that share a line of the processor's cache. Positions are kept whole: a hash clash may cost time, never a wrong
/// score.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket {
    own: [u64; WAYS],
    opponent: [u64; WAYS],
    known: [Known; WAYS],
}

const WAYS: usize = 3;

const EMPTY: Bucket = Bucket { own: [0; WAYS], opponent: [0; WAYS], known: [NOTHING; WAYS] };

/// What an entry takes, its share of what fills up the line included.
pub(crate) const ENTRY_BYTES: usize = size_of::<Bucket>().div_ceil(WAYS);

/// Buckets of entries; a position may be anywhere in its bucket.
#[derive(Debug)]
pub(crate) struct EndgameTable {
    buckets: Box<[Bucket]>,
}

impl EndgameTable {
    /// About so many entries.
    pub(crate) fn new(entries: usize) -> EndgameTable {
        let buckets = entries.div_ceil(WAYS).clamp(1, 1 << 28).next_power_of_two();
        EndgameTable { buckets: vec![EMPTY; buckets].into() }
    }

    #[inline(always)]
    fn place(&self, own: u64, opponent: u64) -> usize {
        // One wide product folded: every bit of both sides reaches every bit of the place.
        let product = u128::from(own ^ 0x9e37_79b9_7f4a_7c15) * u128::from(opponent ^ 0xd1b5_4a32_d192_ed03);
        (product as u64 ^ (product >> 64) as u64) as usize & (self.buckets.len() - 1)
    }

    /// What is known of a position.
    #[inline(always)]
    pub(crate) fn retrieve(&self, own: u64, opponent: u64) -> Option<Known> {
        let bucket = &self.buckets[self.place(own, opponent)];
        (0..WAYS).find(|&way| bucket.own[way] == own && bucket.opponent[way] == opponent).map(|way| bucket.known[way])
    }

    /// Keeps what a null-window search at `alpha` has found.
    #[inline(always)]
    pub(crate) fn store(&mut self, (own, opponent): (u64, u64), alpha: i32, g: i32, best: u8, level: u8) {
        let place = self.place(own, opponent);
        let bucket = &mut self.buckets[place];
        let found = (0..WAYS).find(|&way| bucket.own[way] == own && bucket.opponent[way] == opponent);
        // A new position takes the place of the one with the smallest tree below it.
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
            *known = Known { empties: (own | opponent).count_zeros() as u8, level, ..NOTHING };
        } else if known.level < level {
            *known = Known { level, best: known.best, empties: known.empties, ..NOTHING };
        }
        let sure = known.level == level;
        if g > alpha {
            known.best = best;
            if sure {
                known.lower = known.lower.max(g as i8);
            }
        } else {
            if known.best == 64 {
                known.best = best;
            }
            if sure {
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
    fn bounds_of_a_lower_level_give_way_and_leave_their_move() {
        let mut table = EndgameTable::new(100);
        assert!(table.retrieve(3, 12).is_none());
        table.store(POSITION, 9, 14, 20, 0);
        table.store(POSITION, 19, 16, 21, 0);
        assert_eq!(bounds(&table), (14, 16, 20, 0));
        table.store(POSITION, 5, 4, 22, 2);
        assert_eq!(bounds(&table), (-64, 4, 20, 2));
        // What is proved stays when a lower level finds something else.
        table.store(POSITION, 9, 10, 23, 1);
        table.store(POSITION, 1, 0, 24, 1);
        assert_eq!(bounds(&table), (-64, 4, 23, 2));
    }

    #[test]
    fn the_smallest_tree_makes_room() {
        let mut table = EndgameTable::new(1);
        for discs in [10, 30, 20, 15] {
            table.store(((1 << discs) - 1, 0), 1, 2, 0, 2);
        }
        let kept = [10, 15, 20, 30].map(|discs| table.retrieve((1 << discs) - 1, 0).is_some());
        assert_eq!(kept, [true, true, true, false]);
    }
}
