//! Nothing is allocated while MT searches one of the three games, quiet leaves included.
#![allow(unsafe_code)] // A counting allocator has to be one.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::{Arc, Mutex};

use emtee::{Budget, Driver, Game, MTD_F, OwnEvaluation, Progress, Value, player};
use emtee_games::{checkers, chess, othello};

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// MTD-f, noting how many allocations there were between two of its decisions: that is, during passes.
struct Watching {
    last: u64,
    during: Arc<Mutex<Vec<u64>>>,
}

impl Driver for Watching {
    fn next(&mut self, progress: &Progress) -> Value {
        let now = COUNT.get();
        if progress.passes > 0 {
            self.during.lock().unwrap().push(now - self.last);
        }
        let next = { MTD_F }.next(progress);
        self.last = COUNT.get();
        next
    }
}

fn passes_allocate_nothing<G: Game>(n: &G, depth: u8) {
    // What a game builds once, on its first evaluation, is no part of a search.
    n.evaluate();
    // Room for the notes, so that taking them does not show.
    let during = Arc::new(Mutex::new(Vec::with_capacity(10_000)));
    let watching = Watching { last: 0, during: during.clone() };
    let mut search = player(OwnEvaluation).driver(watching).build().unwrap();
    let found = search.think(n, Budget::depth(depth)).unwrap();
    assert!(found.counts.nodes() > 10_000, "a search worth the name: {}", found.counts.nodes());
    let during = during.lock().unwrap();
    assert!(during.len() > usize::from(depth));
    assert!(during.iter().all(|&count| count == 0), "{during:?}");
}

#[test]
fn chess_allocates_nothing() {
    let board: chess::Board = chess::paper_set()[7].text.parse().unwrap();
    passes_allocate_nothing(&board, 5);
}

#[test]
fn othello_allocates_nothing() {
    let board: othello::Board = othello::paper_set()[7].text.parse().unwrap();
    passes_allocate_nothing(&board, 7);
}

#[test]
fn checkers_allocates_nothing() {
    let board: checkers::Board = checkers::paper_set()[7].text.parse().unwrap();
    passes_allocate_nothing(&board, 11);
}
