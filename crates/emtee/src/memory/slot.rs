//! The two words of a table entry, and why a torn entry is never accepted.
//!
//! Threads write without a lock, so a reader may see one word of one entry and one of another. The first word is the key
//! XOR the second: two words that do not belong together give another key, and match nothing.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// 64 bits that threads share, read and written whole, in no particular order.
pub(crate) trait Word {
    fn get(&self) -> u64;
    fn set(&self, bits: u64);
}

impl Word for AtomicU64 {
    #[inline(always)]
    fn get(&self) -> u64 {
        self.load(Relaxed)
    }
    #[inline(always)]
    fn set(&self, bits: u64) {
        self.store(bits, Relaxed);
    }
}

/// The data of a slot, and the key that it belongs to unless the entry is torn.
#[inline(always)]
pub(crate) fn read<W: Word>([check, data]: &[W; 2]) -> (u64, u64) {
    let data = data.get();
    (check.get() ^ data, data)
}

/// Writes an entry into a slot.
#[inline(always)]
pub(crate) fn write<W: Word>([check, word]: &[W; 2], key: u64, data: u64) {
    check.set(key ^ data);
    word.set(data);
}

#[cfg(test)]
mod tests {
    use super::*;
    use loom::sync::Arc;
    use loom::sync::atomic::AtomicU64 as Modelled;
    use loom::thread;

    impl Word for Modelled {
        fn get(&self) -> u64 {
            self.load(Relaxed)
        }
        fn set(&self, bits: u64) {
            self.store(bits, Relaxed);
        }
    }

    /// Entries as tables hold them: spread keys, full words.
    const ENTRIES: [(u64, u64); 3] = [
        (0x9e37_79b9_7f4a_7c15, 0x0102_0003_8123_7fff),
        (0x9e37_79b9_7f4a_7c15, 0x0102_0004_8123_0011),
        (0x3c6e_f372_fe94_f82b, 0x0107_0009_1234_5678),
    ];

    /// Checks that in every memory order, data read under a key was written under that key.
    fn check_torn_entries(writes: fn(&[Modelled; 2], u64, u64), reads: fn(&[Modelled; 2]) -> (u64, u64)) {
        // Two threads write: another position, or the same one with other bounds.
        for entries in [[ENTRIES[0], ENTRIES[1]], [ENTRIES[0], ENTRIES[2]]] {
            loom::model(move || {
                let slot = Arc::new([Modelled::new(0), Modelled::new(0)]);
                let writers = entries.map(|(key, data)| {
                    let slot = slot.clone();
                    thread::spawn(move || writes(&slot, key, data))
                });
                let (key, data) = reads(&slot);
                let known = entries.iter().any(|(under, _)| *under == key);
                assert!(!known || entries.contains(&(key, data)), "{data:x} was never written under {key:x}");
                for writer in writers {
                    writer.join().unwrap();
                }
            });
        }
    }

    #[test]
    fn accepted_entries_were_written() {
        check_torn_entries(write, read);
    }

    /// Checks the model itself: without the XOR it finds the bug.
    #[test]
    #[should_panic(expected = "was never written under")]
    fn without_xor_torn_entries_are_accepted() {
        let plain = |slot: &[Modelled; 2], key, data| {
            slot[0].set(key);
            slot[1].set(data);
        };
        check_torn_entries(plain, |slot| (slot[0].get(), slot[1].get()));
    }
}
