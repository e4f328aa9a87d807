//! Kalah to the last seed: MT again, written for this one game.
//!
//! What is in the stores decides nothing that is still to come. So a position is its twelve pits, seen from the side to move,
//! and worth what that side will store from here on, less what the other will: positions that differ in their stores alone
//! are one, and the seeds that are left bound the value from both sides before anything is searched.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use emtee::{Game, mix};

use super::{Board, Pit};

/// Solves positions exactly. Holds a table, so that one solver is best kept for many positions.
///
/// ```
/// use emtee_games::kalah::{Board, Solver};
/// // South captures eight, and North has one seed left.
/// let board: Board = "0,0,0,1,0,0,19/0,7,0,0,0,1,20 S".parse()?;
/// let (score, best) = Solver::with_entries(1 << 10).try_pass(&board, 5).unwrap();
/// assert_eq!((score, best.unwrap().to_string()), (6, "4".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    entries: Box<[Entry]>,
    nodes: u64,
    stop: Option<Arc<AtomicBool>>,
    stopped: bool,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// The value is at least this,
    lower: i8,
    /// and at most this.
    upper: i8,
    /// The best move found, 6 for none.
    best: u8,
    /// How many seeds are in the pits.
    seeds: u8,
}

const EMPTY: Entry = Entry { key: 0, lower: -48, upper: 48, best: NO_PIT, seeds: 0 };
const NO_PIT: u8 = 6;

/// What an entry of the solver's table takes.
pub const ENTRY_BYTES: usize = size_of::<Entry>();

/// No table has more: 64 GB of them, or 1 GB where addresses have 32 bits.
const MOST_ENTRIES: usize = if usize::BITS > 32 { 1 << (usize::BITS / 2) } else { 1 << 26 };

/// How many visits pass between two looks at the stop flag.
const INTERVAL: u64 = 1 << 12;

/// With fewer seeds than this, positions are not worth remembering.
const HASHED: i32 = 4;

/// The pits of the side to move and those of the other, with a store between them that is empty between moves: the
/// circle that the side to move sows around.
type Circle = [u8; 13];

const STORE: usize = 6;

/// A move made.
#[derive(Clone, Copy)]
struct Sown {
    pit: u8,
    rank: i32,
    next: Circle,
    /// What it brought the side that moved, less what the other side sweeps up if the game is over.
    gain: i32,
    again: bool,
    over: bool,
}

const NOTHING_SOWN: Sown = Sown { pit: 0, rank: 0, next: [0; 13], gain: 0, again: false, over: false };

fn sum(pits: &[u8]) -> i32 {
    pits.iter().map(|&n| i32::from(n)).sum()
}

fn sow(circle: &Circle, pit: usize) -> Sown {
    let mut next = *circle;
    let seeds = std::mem::take(&mut next[pit]);
    if seeds >= 13 {
        next.iter_mut().for_each(|n| *n += seeds / 13);
    }
    let mut at = pit;
    for _ in 0..seeds % 13 {
        at = if at == 12 { 0 } else { at + 1 };
        next[at] += 1;
    }
    let mut gain = i32::from(std::mem::take(&mut next[STORE]));
    let opposite = 12 - at;
    if at < STORE && next[at] == 1 && next[opposite] > 0 {
        gain += 1 + i32::from(std::mem::take(&mut next[opposite]));
        next[at] = 0;
    }
    let (own, other) = (sum(&next[..STORE]), sum(&next[STORE + 1..]));
    let over = own == 0 || other == 0;
    if over {
        gain += own - other;
    }
    let again = at == STORE;
    if !again {
        for near in 0..STORE {
            next.swap(near, near + 7);
        }
    }
    Sown { pit: pit as u8, rank: 0, next, gain, again, over }
}

fn key(circle: &Circle) -> u64 {
    let word = |pits: &[u8]| pits.iter().fold(0, |word, &n| word << 8 | u64::from(n));
    mix(word(&circle[..STORE]) ^ mix(word(&circle[STORE + 1..]) | 1 << 63))
}

impl Solver {
    /// A solver with a table of about so many entries of [`ENTRY_BYTES`].
    pub fn with_entries(entries: usize) -> Solver {
        let entries = entries.clamp(2, MOST_ENTRIES);
        let entries = if entries.is_power_of_two() { entries } else { entries.next_power_of_two() / 2 };
        Solver { entries: vec![EMPTY; entries].into(), nodes: 0, stop: None, stopped: false }
    }

    /// A flag that ends any pass while it is up.
    pub fn stop_flag(mut self, flag: Arc<AtomicBool>) -> Solver {
        self.stop = Some(flag);
        self
    }

    /// Positions visited since the solver was made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// One pass: will the side to move lead by more than `alpha` seeds at the end? Returns g, fail-soft, and the move that has
    /// it; nothing if the stop flag went up first.
    pub fn try_pass(&mut self, board: &Board, alpha: i32) -> Option<(i32, Option<Pit>)> {
        self.stopped = false;
        let lead = board.lead();
        if board.outcome().is_some() {
            return Some((lead, None));
        }
        let mut circle = [0; 13];
        circle[..STORE].copy_from_slice(board.pits(board.turn()));
        circle[STORE + 1..].copy_from_slice(board.pits(!board.turn()));
        let (g, best) = self.expand(&circle, alpha - lead, NO_PIT);
        (!self.stopped).then_some((lead + g, (best < NO_PIT).then_some(Pit(best))))
    }

    /// MT: is the value of the position greater than `alpha`?
    fn mt(&mut self, circle: &Circle, alpha: i32) -> i32 {
        self.nodes += 1;
        let seeds = sum(circle);
        if seeds <= alpha {
            return seeds;
        }
        if -seeds > alpha {
            return -seeds;
        }
        let key = key(circle);
        let slot = key as usize & (self.entries.len() - 1);
        let mut best = NO_PIT;
        if seeds >= HASHED {
            if let Some(entry) = [slot, slot ^ 1].map(|at| self.entries[at]).iter().find(|entry| entry.key == key) {
                if i32::from(entry.lower) > alpha {
                    return entry.lower.into();
                }
                if i32::from(entry.upper) <= alpha {
                    return entry.upper.into();
                }
                best = entry.best;
            }
            if self.nodes.is_multiple_of(INTERVAL) && self.stop.as_ref().is_some_and(|stop| stop.load(Relaxed)) {
                self.stopped = true;
            }
        }
        let (g, best) = self.expand(circle, alpha, best);
        if seeds >= HASHED && !self.stopped {
            self.store(slot, key, seeds as u8, alpha, g, best);
        }
        g
    }

    /// The moves of a position, the best known first, until one fails high.
    fn expand(&mut self, circle: &Circle, alpha: i32, known: u8) -> (i32, u8) {
        let mut room = [NOTHING_SOWN; 6];
        let mut count = 0;
        for pit in (0..STORE).rev().filter(|&pit| circle[pit] > 0) {
            let mut sown = sow(circle, pit);
            // Another move first, then what brings most.
            sown.rank = 8 * sown.gain + 20 * i32::from(sown.again) + if sown.pit == known { 1000 } else { 0 };
            room[count] = sown;
            count += 1;
        }
        let sown = &mut room[..count];
        let (mut g, mut best) = (-127, NO_PIT);
        for at in 0..count {
            let next =
                (at..count).fold(at, |next, other| if sown[other].rank > sown[next].rank { other } else { next });
            sown.swap(at, next);
            let c = &sown[at];
            let v = match (c.over, c.again) {
                (true, _) => c.gain,
                (_, true) => c.gain + self.mt(&c.next, alpha - c.gain),
                (_, false) => c.gain - self.mt(&c.next, c.gain - alpha - 1),
            };
            if self.stopped {
                break; // Whatever this is, it is no bound.
            }
            if v > g {
                (g, best) = (v, c.pit);
            }
            if v > alpha {
                break;
            }
        }
        (g, best)
    }

    fn store(&mut self, slot: usize, key: u64, seeds: u8, alpha: i32, g: i32, best: u8) {
        // The place that has the position, else the one with the smaller tree below it.
        let [first, second] = [self.entries[slot], self.entries[slot ^ 1]];
        let at = match () {
            () if first.key == key => slot,
            () if second.key == key || second.seeds < first.seeds => slot ^ 1,
            () => slot,
        };
        let entry = &mut self.entries[at];
        if entry.key != key {
            *entry = Entry { key, seeds, ..EMPTY };
        }
        if g > alpha {
            entry.lower = entry.lower.max(g as i8);
            entry.best = best;
        } else {
            entry.upper = entry.upper.min(g as i8);
            if entry.best == NO_PIT {
                entry.best = best;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_games;
    use emtee::{Budget, OwnEvaluation, player};

    /// The search of the game itself, to its end.
    #[test]
    fn late_positions_have_their_minimax_scores() {
        let mut solver = Solver::with_entries(1 << 12);
        let mut solved = 0;
        random_games(&Board::default(), 40, 11, |board| {
            let seeds = sum(board.pits(board.turn())) + sum(board.pits(!board.turn()));
            if board.outcome().is_some() || seeds > 10 {
                return;
            }
            let found = player(OwnEvaluation).hash("1MB").build().unwrap().think(board, Budget::UNLIMITED).unwrap();
            let score = found.value.unwrap().get();
            for alpha in [score - 2, score - 1, score, score + 1] {
                let (g, best) = solver.try_pass(board, alpha).unwrap();
                assert_eq!(g > alpha, score > alpha, "{board} at {alpha}");
                let best = board.play(best.unwrap());
                if g > alpha {
                    let mut search = player(OwnEvaluation).hash("1MB").build().unwrap();
                    let value = search.think(&best, Budget::UNLIMITED).unwrap().value.unwrap().get();
                    let value = if best.turn() == board.turn() { value } else { -value };
                    assert!(value >= g, "{board} at {alpha}");
                }
            }
            solved += 1;
        });
        assert!(solved > 100, "{solved}");
    }

    #[test]
    fn a_raised_flag_stops_it() {
        let flag = Arc::new(AtomicBool::new(true));
        let mut solver = Solver::with_entries(1 << 10).stop_flag(flag);
        assert_eq!(solver.try_pass(&Board::default(), 0), None);
    }
}
