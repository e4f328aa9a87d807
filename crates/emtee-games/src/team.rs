//! What the threads of a solver share besides the table.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

const SLOTS: usize = 1 << 10;

/// The threads of one pass. Each searches the same root; a child that another thread is searching is searched last. The first
/// thread to finish the pass ends it.
pub(crate) struct Team {
    /// The keys of the children being searched, by their hash. A key that overwrites another costs time only.
    in_progress: Box<[AtomicU64]>,
    done: AtomicBool,
}

impl Team {
    pub(crate) fn new() -> Team {
        let in_progress = bytemuck::allocation::zeroed_slice_box(SLOTS);
        Team { in_progress, done: AtomicBool::new(false) }
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.in_progress[(key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize % SLOTS]
    }

    /// Whether a thread is searching the child with this key, which is not 0.
    pub(crate) fn is_searching(&self, key: u64) -> bool {
        self.slot(key).load(Relaxed) == key
    }

    pub(crate) fn begin(&self, key: u64) {
        self.slot(key).store(key, Relaxed);
    }

    pub(crate) fn end(&self, key: u64) {
        self.slot(key).store(0, Relaxed);
    }

    /// Whether a thread has finished the pass, or was stopped.
    pub(crate) fn is_done(&self) -> bool {
        self.done.load(Relaxed)
    }

    pub(crate) fn finish(&self) {
        self.done.store(true, Relaxed);
    }
}

/// Searches children in this order until `search` returns true. After the first, children that another thread is searching
/// come last.
pub(crate) fn search_shared<T: Copy>(
    team: &Team,
    children: impl IntoIterator<Item = T>,
    key: impl Fn(T) -> u64,
    mut search: impl FnMut(T) -> bool,
) {
    let mut deferred = Vec::new();
    let searched = |child: T, search: &mut dyn FnMut(T) -> bool| {
        let key = key(child);
        team.begin(key);
        let done = search(child);
        team.end(key);
        done
    };
    for (index, child) in children.into_iter().enumerate() {
        if index > 0 && team.is_searching(key(child)) {
            deferred.push(child);
        } else if searched(child, &mut search) {
            return;
        }
    }
    deferred.into_iter().any(|child| searched(child, &mut search));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_being_searched_come_last() {
        let team = Team::new();
        team.begin(1);
        team.begin(3);
        let mut order = Vec::new();
        search_shared(
            &team,
            [1, 2, 3, 4, 5],
            |n| n,
            |n| {
                order.push(n);
                n == 3
            },
        );
        assert_eq!(order, [1, 2, 4, 5, 3]);
        let mut order = Vec::new();
        search_shared(
            &team,
            [7, 8],
            |n| n,
            |n| {
                order.push(n);
                true
            },
        );
        assert_eq!(order, [7]);
        assert!(!team.is_searching(1) && !team.is_searching(7), "searched children are removed");
    }
}
