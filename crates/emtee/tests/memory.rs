//! Memory: MT does not allocate during a pass, and a large table takes no memory until it is used.
#![allow(unsafe_code)] // A global allocator needs `unsafe`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use emtee::research::{Driver, MTD_F, Progress};
use emtee::{Algorithm, Budget, Game, OwnEvaluation, Selective, Size, Value, player};
use emtee_games::{checkers, chess, othello};

/// Counts the allocations of each thread.
struct Counting;

thread_local! {
    static COUNT: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

// SAFETY: every call is forwarded to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        unsafe { System.dealloc(memory, layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations() -> u64 {
    COUNT.with(|count| count.get())
}

/// MTD-f that records the allocations between two calls of `next`, which are those of a pass.
struct RecordingMtdF {
    last: u64,
    during: Arc<Mutex<Vec<u64>>>,
}

impl Driver for RecordingMtdF {
    fn next(&mut self, progress: &Progress) -> Value {
        let now = allocations();
        if progress.passes > 0 {
            self.during.lock().unwrap().push(now - self.last);
        }
        let next = { MTD_F }.next(progress);
        self.last = allocations();
        next
    }
}

fn passes_allocate_nothing<G: Game>(n: &G, depth: u8) {
    selective_passes_allocate_nothing(n, depth, Selective::NONE);
}

fn selective_passes_allocate_nothing<G: Game>(n: &G, depth: u8, by: Selective) {
    // The first evaluation may build tables of the game, which are not part of the search.
    n.evaluate();
    // Enough capacity, so that recording does not allocate.
    let during = Arc::new(Mutex::new(Vec::with_capacity(10_000)));
    let driver = RecordingMtdF { last: 0, during: during.clone() };
    let mut search = player(OwnEvaluation).deepen_by(1).driver(driver).selective(by).build().unwrap();
    let found = search.think(n, Budget::depth(depth)).unwrap();
    assert!(found.counts.nodes() > 10_000, "the search is too small: {}", found.counts.nodes());
    let during = during.lock().unwrap();
    assert!(during.len() > usize::from(depth));
    assert!(during.iter().all(|&count| count == 0), "{during:?}");
}

#[test]
fn nothing_is_allocated_while_mt_searches() {
    passes_allocate_nothing(&emtee_games::connect4::Board::default(), 10);
    passes_allocate_nothing(&emtee_games::kalah::Board::default(), 10);
}

#[test]
fn chess_allocates_nothing() {
    passes_allocate_nothing(&chess::paper_set()[7].text.parse::<chess::Board>().unwrap(), 5);
}

#[test]
fn selective_search_allocates_nothing() {
    let n: chess::Board = chess::paper_set()[7].text.parse().unwrap();
    selective_passes_allocate_nothing(&n, 9, Selective::ALL);
}

#[test]
fn othello_allocates_nothing() {
    passes_allocate_nothing(&othello::paper_set()[7].text.parse::<othello::Board>().unwrap(), 7);
}

#[test]
fn checkers_allocates_nothing() {
    passes_allocate_nothing(&checkers::paper_set()[7].text.parse::<checkers::Board>().unwrap(), 11);
}

#[test]
fn allocations_do_not_grow_with_the_search() {
    let board = emtee_games::connect4::Board::default();
    for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| !algorithm.is_oracle()) {
        let count = |depth| {
            let mut search = player(OwnEvaluation).algorithm(algorithm).principal_variation(false).build().unwrap();
            let before = allocations();
            let found = search.think(&board, Budget::depth(depth)).unwrap();
            (allocations() - before, found.counts.nodes(), found.passes())
        };
        let ((shallow, few, _), (deep, many, passes)) = (count(6), count(9));
        assert!(many > 5 * few, "{algorithm}");
        // A few for the record of each iteration, whatever its number of nodes. MTD-best also lists its root moves.
        assert!(deep - shallow <= 3 * 12 + passes as u64 / 64, "{algorithm}: {shallow}, then {deep}");
    }
}

#[test]
fn clearing_a_table_allocates_nothing() {
    let mut search = player(OwnEvaluation).build::<emtee_games::tictactoe::Board>().unwrap();
    let mut cleared = || {
        let before = allocations();
        search.clear().unwrap();
        let new = allocations() - before;
        search.touch_table();
        new
    };
    // Before and after its pages are touched.
    assert_eq!([cleared(), cleared()], [0, 0]);
}

fn resident_megabytes() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    (pages.unwrap_or(0) * 4096) >> 20
}

static LARGE: AtomicU64 = AtomicU64::new(0);

#[test]
#[cfg(target_pointer_width = "64")]
fn a_table_of_four_gigabytes_touches_only_what_it_needs() {
    let before = resident_megabytes();
    let mut search = player(OwnEvaluation).table(Size::of_bytes(4 << 30)).build().unwrap();
    let board = emtee_games::tictactoe::Board::default();
    for _ in 0..3 {
        LARGE.fetch_add(search.think(&board, Budget::depth(9)).unwrap().counts.nodes(), Ordering::Relaxed);
        search.clear().unwrap();
    }
    assert_eq!(search.table_entries(), 1 << 28);
    let grown = resident_megabytes().saturating_sub(before);
    assert!(grown < 200, "{grown} MB are resident");
}
