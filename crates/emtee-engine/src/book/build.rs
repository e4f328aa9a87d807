//! Books are built by searching: the most promising position that nobody has looked at is searched, its good moves join the
//! book, and their values go back towards the start.
//!
//! Which one is the most promising is drop-out expansion: each ply away from the start costs something, and so does what a
//! player would give away on the way there. So the best lines are followed deeply, and the others as deeply as they are good.
//! Games on paper, if there are any, come first: positions that were played often, as far as the search has nothing against the
//! moves that lead to them.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::{ops, thread};

use emtee::{Size, Value};

use super::games::Played;
use super::graph::Graph;
use crate::error::Error;
use crate::registry::Entry;
use crate::session::{Clock, Control, Engine, Play};

/// How a book is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookTask {
    /// How many positions are searched in all, those of a book that is gone on with included; the next multiple of eight.
    pub positions: usize,
    /// How many nodes a position.
    pub nodes: u64,
    /// How many plies from the start at most.
    pub plies: u32,
    /// How many positions at once, on one thread each. The book is the same.
    pub threads: usize,
}

/// So many positions are chosen at a time, however many threads there are. Whoever stops goes on with the same ones, since
/// they end where the number of all is a multiple of it.
const BATCH: usize = 8;

/// So many of the best moves of a position are looked at.
const LINES: usize = 6;

/// What a ply costs, and what a move may be worse than the best to be kept: parts of a clear lead.
const PLY: i32 = 10;
const MARGIN: i32 = 4;

/// The table of a search: so many entries for each node.
const ENTRIES_PER_NODE: u64 = 2;
const ENTRIES: ops::RangeInclusive<u64> = 1 << 14..=1 << 22;

/// Moves, and what they are worth to whoever plays them.
type GoodMoves = Vec<(String, i32)>;

/// A book that grows.
///
/// ```
/// use emtee_engine::{Book, BookBuilder, BookTask, Registry};
/// let registry = Registry::standard();
/// let game = registry.get("othello")?;
/// let mut builder = BookBuilder::new(game);
/// let task = BookTask { positions: 4, nodes: 1_000, plies: 10, threads: 1 };
/// builder.run(&task, &Default::default(), &mut |_| ())?;
/// let book = Book::read(&builder.text(), game)?;
/// assert_eq!(book.positions(), builder.positions());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BookBuilder<'g> {
    game: &'g dyn Entry,
    graph: Graph,
    played: Played,
}

impl<'g> BookBuilder<'g> {
    /// A book with the start of the game in it, and nothing else.
    pub fn new(game: &'g dyn Entry) -> BookBuilder<'g> {
        BookBuilder { game, graph: Graph::new(game.start()), played: Played::default() }
    }

    /// Goes on with a book, or says what is wrong with it.
    pub fn resume(text: &str, game: &'g dyn Entry) -> Result<BookBuilder<'g>, String> {
        Ok(BookBuilder { game, graph: Graph::read(text, game)?, played: Played::default() })
    }

    /// Takes the first moves of games into account: PGN, PDN, GGF and WTHOR, or the moves of a game in a line. How many games
    /// were read, and how many could not be.
    pub fn add_games(&mut self, bytes: &[u8], plies: u32) -> Result<(usize, usize), String> {
        self.played.add(bytes, self.game, plies as usize)
    }

    /// How many positions were searched.
    pub fn searched(&self) -> usize {
        self.graph.nodes.iter().filter(|node| !node.moves.is_empty()).count()
    }

    /// How many positions it has.
    pub fn positions(&self) -> usize {
        self.graph.nodes.len()
    }

    /// The book as a file has it.
    pub fn text(&self) -> String {
        self.graph.text(self.game.name())
    }

    /// Searches until there are as many positions as wanted, there is nothing left to search, or the flag goes up. After each
    /// few it shows how many there are. Whether it came to its end.
    pub fn run(
        &mut self,
        task: &BookTask,
        stop: &AtomicBool,
        shown: &mut dyn FnMut(&BookBuilder<'g>),
    ) -> Result<bool, Error> {
        let mut counts = HashMap::new();
        self.played.count(&*self.game.start(), &mut counts);
        let mut engines = Vec::new();
        for _ in 0..task.threads.clamp(1, BATCH) {
            engines.push(self.game.engine(&player(task.nodes))?);
        }
        loop {
            let searched = self.searched();
            let mut leaves = self.promising(task.plies, &counts);
            leaves.truncate(BATCH - searched % BATCH);
            if searched >= task.positions.next_multiple_of(BATCH) || leaves.is_empty() {
                return Ok(true);
            }
            let Some(judged) = self.judge(&leaves, &mut engines, task.nodes, stop)? else { return Ok(false) };
            for (at, moves) in leaves.into_iter().zip(judged) {
                for (m, value) in moves {
                    self.graph.add(at, &m, value)?;
                }
            }
            self.graph.settle();
            shown(self);
        }
    }

    /// The positions to search next, the most promising first; only those of games on paper while there are any.
    fn promising(&mut self, plies: u32, counts: &HashMap<u64, u32>) -> Vec<usize> {
        let order = self.graph.settle();
        let nodes = &self.graph.nodes;
        let mut costs = vec![i64::MAX; nodes.len()];
        costs[0] = 0;
        for &at in &order {
            let node = &nodes[at];
            for edge in node.moves.iter().filter(|edge| nodes[edge.to].ply > node.ply) {
                let given_away = node.value - self.graph.worth(node, edge);
                let cost = costs[at].saturating_add(i64::from(part(self.game, PLY) + given_away));
                costs[edge.to] = costs[edge.to].min(cost);
            }
        }
        let played = |at: usize| counts.get(&nodes[at].key).copied().unwrap_or_default();
        let open = |&at: &usize| nodes[at].moves.is_empty() && !nodes[at].over && nodes[at].ply < plies;
        let mut leaves: Vec<usize> = order.into_iter().filter(open).collect();
        if leaves.iter().any(|&at| played(at) > 0) {
            leaves.retain(|&at| played(at) > 0);
        }
        leaves.sort_by_key(|&at| (Reverse(played(at)), costs[at], nodes[at].ply, nodes[at].key));
        leaves
    }

    /// The good moves of several positions. Nothing if the flag went up.
    fn judge(
        &self,
        leaves: &[usize],
        engines: &mut [Box<dyn Engine>],
        nodes: u64,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<GoodMoves>>, Error> {
        let (next, judged) = (AtomicUsize::new(0), Mutex::new(vec![Ok(Vec::new()); leaves.len()]));
        thread::scope(|scope| {
            for engine in engines {
                let (next, judged) = (&next, &judged);
                scope.spawn(move || {
                    while let at = next.fetch_add(1, Relaxed)
                        && at < leaves.len()
                        && !stop.load(Relaxed)
                    {
                        let good = self.good_moves(leaves[at], engine.as_mut(), nodes, stop);
                        judged.lock().unwrap_or_else(PoisonError::into_inner)[at] = good;
                    }
                });
            }
        });
        let judged: Result<_, Error> =
            judged.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect();
        Ok(Some(judged?).filter(|_| !stop.load(Relaxed)))
    }

    /// The moves of a position that are not much worse than the best, whatever was searched before it and however it was
    /// reached.
    fn good_moves(
        &self,
        at: usize,
        engine: &mut dyn Engine,
        nodes: u64,
        stop: &AtomicBool,
    ) -> Result<GoodMoves, Error> {
        let node = &self.graph.nodes[at];
        let position = self.game.position(&node.position.text())?;
        let clock = Clock { lines: LINES, analysis: true, ..Clock::nodes(nodes) };
        let control = Control::default();
        engine.new_game()?;
        let choice = engine.think(&*position, &clock, &control, &mut |_| {
            if stop.load(Relaxed) {
                control.stop();
            }
        })?;
        let known = choice.row.top.iter().flatten().filter_map(|top| Some((top.m.clone(), top.value?)));
        let mut moves: GoodMoves = known.collect();
        if moves.is_empty() {
            // One move alone is not ranked, and too few nodes rank none.
            moves.extend(choice.best_move.map(|m| (m, choice.row.value.unwrap_or(node.value))));
        }
        for (_, value) in &mut moves {
            *value = (*value).clamp(-Value::MAX_SCORE, Value::MAX_SCORE);
        }
        let best = moves.iter().map(|(_, value)| *value).max().unwrap_or_default();
        moves.retain(|(_, value)| *value >= best - part(self.game, MARGIN));
        Ok(moves)
    }
}

/// A part of what the players of a game call a clear lead, and at least a point.
fn part(game: &dyn Entry, of: i32) -> i32 {
    (game.conventions().clear_lead / of).max(1)
}

/// Plays as engines do.
fn player(nodes: u64) -> Play {
    let entries = nodes.saturating_mul(ENTRIES_PER_NODE).clamp(*ENTRIES.start(), *ENTRIES.end());
    Play::default().with_hash(Size::of_entries(entries.next_power_of_two() as usize))
}
