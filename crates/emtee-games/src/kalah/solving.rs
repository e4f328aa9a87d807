//! An exact solver of Kalah: MT specialised for this game.
//!
//! The seeds already in the stores do not affect the rest of the game. So a node is the twelve pits, seen from the side to
//! move, and its value is the number of seeds that side will still store minus the number the other side will. Positions
//! that differ only in their stores share one entry, and the number of seeds left bounds the value from both sides before
//! the search.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use emtee::research::request_huge_pages;
use emtee::{Clock, Game, Stop, mix};

use super::{Board, Pit};
use crate::team::{Team, search_shared};

/// Solves positions exactly. It owns a table: reuse one solver for many positions.
///
/// ```
/// use emtee_games::kalah::{Board, Solver};
/// // South captures eight, and North has one seed left.
/// let board: Board = "0,0,0,1,0,0,19/0,7,0,0,0,1,20 S".parse()?;
/// let (score, best) = Solver::with_entries(1 << 10).try_pass(&board, 5).unwrap();
/// assert_eq!((score, best.unwrap().to_string()), (6, "4".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    table: Arc<Table>,
    nodes: u64,
    stop: Option<Stop>,
    clock: Option<Clock>,
    stopped: bool,
    /// The solvers of the other threads, which share the table.
    helpers: Vec<Solver>,
    /// The threads of the current pass, if there are several.
    team: Option<Arc<Team>>,
}

/// Two words per entry, shared by threads without a lock: the key is combined with the bounds, so that words of different
/// entries match no position.
type Table = [[AtomicU64; 2]];

/// The bounds of a position.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    /// f⁻
    lower: i8,
    /// f⁺
    upper: i8,
    /// The best move found, or [`NO_PIT`].
    best: u8,
    /// The number of seeds in the pits.
    seeds: u8,
}

const EMPTY: Entry = Entry { key: 0, lower: -48, upper: 48, best: NO_PIT, seeds: 0 };
const NO_PIT: u8 = 6;

impl Entry {
    #[inline(always)]
    fn load([key, data]: &[AtomicU64; 2]) -> Entry {
        let data = data.load(Relaxed);
        let [lower, upper, best, seeds, ..] = data.to_le_bytes();
        Entry { key: key.load(Relaxed) ^ data, lower: lower as i8, upper: upper as i8, best, seeds }
    }

    #[inline(always)]
    fn store(self, [key, data]: &[AtomicU64; 2]) {
        let bytes = [self.lower as u8, self.upper as u8, self.best, self.seeds, 0, 0, 0, 0];
        let bits = u64::from_le_bytes(bytes);
        key.store(self.key ^ bits, Relaxed);
        data.store(bits, Relaxed);
    }
}

/// The size of a table entry in bytes.
pub const ENTRY_BYTES: usize = 16;

/// From this many seeds on, several threads avoid searching the same child.
const SHARED_FROM: i32 = 16;

/// The largest table: 64 GB, or 1 GB if addresses have 32 bits.
const MAX_ENTRIES: usize = if usize::BITS > 32 { 1 << (usize::BITS / 2) } else { 1 << 26 };

/// The number of visits between two checks whether to stop.
const STOP_INTERVAL: u64 = 1 << 12;

/// Positions with fewer seeds are not stored.
const MIN_STORED_SEEDS: i32 = 4;

/// The circle that the side to move sows around: its pits, its store, and the pits of the other side. The store is empty
/// between moves.
type Circle = [u8; 13];

const STORE: usize = 6;

/// A move and the position after it.
#[derive(Clone, Copy)]
struct Sown {
    pit: u8,
    /// The ordering score; the highest is searched first.
    rank: i32,
    next: Circle,
    /// The seeds that the move stores. If it ends the game, plus the seeds its side sweeps minus those the other side sweeps.
    gain: i32,
    again: bool,
    over: bool,
}

const NO_MOVE: Sown = Sown { pit: 0, rank: 0, next: [0; 13], gain: 0, again: false, over: false };

fn sum(pits: &[u8]) -> i32 {
    pits.iter().map(|&n| i32::from(n)).sum()
}

fn sow(circle: &Circle, pit: usize) -> Sown {
    let mut next = *circle;
    let seeds = std::mem::take(&mut next[pit]);
    if seeds >= 13 {
        next.iter_mut().for_each(|n| *n += seeds / 13);
    }
    let mut place = pit;
    for _ in 0..seeds % 13 {
        place = if place == 12 { 0 } else { place + 1 };
        next[place] += 1;
    }
    let mut gain = i32::from(std::mem::take(&mut next[STORE]));
    let opposite = 12 - place;
    if place < STORE && next[place] == 1 && next[opposite] > 0 {
        gain += 1 + i32::from(std::mem::take(&mut next[opposite]));
        next[place] = 0;
    }
    let (own, other) = (sum(&next[..STORE]), sum(&next[STORE + 1..]));
    let over = own == 0 || other == 0;
    if over {
        gain += own - other;
    }
    let again = place == STORE;
    if !again {
        for pit in 0..STORE {
            next.swap(pit, pit + 7);
        }
    }
    Sown { pit: pit as u8, rank: 0, next, gain, again, over }
}

fn key(circle: &Circle) -> u64 {
    let word = |pits: &[u8]| pits.iter().fold(0, |word, &n| word << 8 | u64::from(n));
    mix(word(&circle[..STORE]) ^ mix(word(&circle[STORE + 1..]) | 1 << 63))
}

impl Solver {
    /// A solver with a table of about `entries` entries of [`ENTRY_BYTES`] bytes.
    pub fn with_entries(entries: usize) -> Solver {
        let entries = entries.clamp(2, MAX_ENTRIES);
        let entries = if entries.is_power_of_two() { entries } else { entries.next_power_of_two() / 2 };
        let table: Box<Table> = bytemuck::allocation::zeroed_slice_box(entries);
        request_huge_pages(&table);
        Solver::sharing(table.into())
    }

    /// A solver with this table.
    fn sharing(table: Arc<Table>) -> Solver {
        Solver { table, nodes: 0, stop: None, clock: None, stopped: false, helpers: Vec::new(), team: None }
    }

    /// Searches with this many threads. Scores are the same, counts are not.
    pub fn threads(mut self, threads: usize) -> Solver {
        self.helpers = (1..threads).map(|_| Solver::sharing(self.table.clone())).collect();
        self
    }

    /// What stops every pass from outside.
    pub fn stop(mut self, stop: impl Into<Stop>) -> Solver {
        self.stop = Some(stop.into());
        self
    }

    /// The clock for the time of a [`Stop`]. Without one, only its flag and [`Stop::now`] stop the solver.
    pub fn clock(mut self, clock: Clock) -> Solver {
        self.clock = Some(clock);
        self
    }

    /// The number of positions visited since the solver was created.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// One pass at γ = `alpha` + ½, where the value is the final lead of the side to move. Returns g, fail-soft, and its move;
    /// `None` if it was stopped first.
    pub fn try_pass(&mut self, board: &Board, alpha: i32) -> Option<(i32, Option<Pit>)> {
        self.stopped = false;
        let lead = board.lead();
        if board.outcome().is_some() {
            return Some((lead, None));
        }
        let mut circle = [0; 13];
        circle[..STORE].copy_from_slice(board.pits(board.turn()));
        circle[STORE + 1..].copy_from_slice(board.pits(!board.turn()));
        let (g, best) = self.root(&circle, alpha - lead)?;
        Some((lead + g, (best < NO_PIT).then_some(Pit(best))))
    }

    /// Searches the root with all threads; the first to finish ends the pass. `None` if it was stopped first.
    fn root(&mut self, circle: &Circle, alpha: i32) -> Option<(i32, u8)> {
        let mut helpers = std::mem::take(&mut self.helpers);
        let team = (!helpers.is_empty()).then(|| Arc::new(Team::new()));
        self.team.clone_from(&team);
        let finish = &|solver: &mut Solver| {
            let result = solver.expand(circle, alpha, NO_PIT);
            let result = (!solver.stopped).then_some(result);
            solver.team.iter().for_each(|team| team.finish());
            result
        };
        let result = std::thread::scope(|scope| {
            let running: Vec<_> = helpers
                .iter_mut()
                .map(|helper| {
                    (helper.team, helper.stop, helper.clock) = (team.clone(), self.stop.clone(), self.clock);
                    (helper.nodes, helper.stopped) = (0, false);
                    scope.spawn(move || finish(helper))
                })
                .collect();
            let own = finish(self);
            let results = running.into_iter().map(|helper| helper.join().unwrap_or_default());
            results.fold(own, |result, other| result.or(other))
        });
        self.nodes += helpers.iter().map(|helper| helper.nodes).sum::<u64>();
        (self.helpers, self.team) = (helpers, None);
        result
    }

    fn must_stop(&self) -> bool {
        let stop = self.stop.as_ref().is_some_and(|stop| stop.is_due(self.clock));
        stop || self.team.as_ref().is_some_and(|team| team.is_done())
    }

    /// MT at γ = `alpha` + ½. Returns g.
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
        let slot = key as usize & (self.table.len() - 1);
        let mut best = NO_PIT;
        if seeds >= MIN_STORED_SEEDS {
            if let Some(entry) =
                [slot, slot ^ 1].map(|slot| Entry::load(&self.table[slot])).iter().find(|entry| entry.key == key)
            {
                if i32::from(entry.lower) > alpha {
                    return entry.lower.into();
                }
                if i32::from(entry.upper) <= alpha {
                    return entry.upper.into();
                }
                best = entry.best;
            }
            if self.nodes.is_multiple_of(STOP_INTERVAL) && self.must_stop() {
                self.stopped = true;
            }
        }
        let (g, best) = self.expand(circle, alpha, best);
        if seeds >= MIN_STORED_SEEDS && !self.stopped {
            self.store(slot, key, seeds as u8, alpha, g, best);
        }
        g
    }

    /// Searches the moves of a position, the table move `known` first, until one fails high.
    fn expand(&mut self, circle: &Circle, alpha: i32, known: u8) -> (i32, u8) {
        let mut buffer = [NO_MOVE; 6];
        let mut count = 0;
        for pit in (0..STORE).rev().filter(|&pit| circle[pit] > 0) {
            let mut sown = sow(circle, pit);
            // Moves that earn another move first, then by seeds gained.
            sown.rank = 8 * sown.gain + 20 * i32::from(sown.again) + if sown.pit == known { 1000 } else { 0 };
            buffer[count] = sown;
            count += 1;
        }
        let sown = &mut buffer[..count];
        let (mut g, mut best) = (-127, NO_PIT);
        if sum(circle) >= SHARED_FROM
            && let Some(team) = self.team.clone()
        {
            let ordered = (0..count).map(|i| next(sown, i));
            search_shared(
                &team,
                ordered,
                |c| key(&c.next) | 1,
                |c| {
                    let v = self.child(&c, alpha);
                    if !self.stopped && v > g {
                        (g, best) = (v, c.pit);
                    }
                    self.stopped || v > alpha
                },
            );
            return (g, best);
        }
        for i in 0..count {
            let c = next(sown, i);
            let v = self.child(&c, alpha);
            if self.stopped {
                break; // `v` is not a bound.
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

    /// The value of a move, at γ = `alpha` + ½.
    #[inline(always)]
    fn child(&mut self, c: &Sown, alpha: i32) -> i32 {
        match (c.over, c.again) {
            (true, _) => c.gain,
            (_, true) => c.gain + self.mt(&c.next, alpha - c.gain),
            (_, false) => c.gain - self.mt(&c.next, c.gain - alpha - 1),
        }
    }

    fn store(&self, slot: usize, key: u64, seeds: u8, alpha: i32, g: i32, best: u8) {
        // The slot with this position, else the one with fewer seeds, that is, with the smaller subtree.
        let [first, second] = [slot, slot ^ 1].map(|slot| Entry::load(&self.table[slot]));
        let target = match () {
            () if first.key == key => slot,
            () if second.key == key || second.seeds < first.seeds => slot ^ 1,
            () => slot,
        };
        let mut entry = if target == slot { first } else { second };
        if entry.key != key {
            entry = Entry { key, seeds, ..EMPTY };
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
        entry.store(&self.table[target]);
    }
}

/// Selection sort step: swaps the move with the best rank from `start` on to `start` and returns it.
#[inline(always)]
fn next(sown: &mut [Sown], start: usize) -> Sown {
    let best =
        (start..sown.len()).fold(start, |best, other| if sown[other].rank > sown[best].rank { other } else { best });
    sown.swap(start, best);
    sown[start]
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::testing::random_games;
    use emtee::{Budget, OwnEvaluation, player};

    /// The expected scores are those of a search of [`Board`] to the end of the game.
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
    fn threads_do_not_change_scores() {
        let mut solved = 0;
        random_games(&Board::default(), 8, 11, |board| {
            let seeds = sum(board.pits(board.turn())) + sum(board.pits(!board.turn()));
            if board.outcome().is_some() || !(17..20).contains(&seeds) {
                return;
            }
            let [mut one, mut three] = [1, 3].map(|threads| Solver::with_entries(1 << 12).threads(threads));
            for alpha in [-5, -1, 1, 5] {
                let values = [&mut one, &mut three].map(|solver| solver.try_pass(board, alpha).unwrap().0 > alpha);
                assert_eq!(values[0], values[1], "{board} at {alpha}");
            }
            solved += 1;
        });
        assert!(solved > 5, "{solved}");
    }

    #[test]
    fn a_flag_ends_the_pass() {
        for threads in [1, 2] {
            let flag = Arc::new(AtomicBool::new(true));
            let mut solver = Solver::with_entries(1 << 10).stop(flag).threads(threads);
            assert_eq!(solver.try_pass(&Board::default(), 0), None);
        }
    }
}
