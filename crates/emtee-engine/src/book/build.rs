//! Building books by search: the most promising unexpanded position is searched, its good moves are added to the book,
//! and their values are backed up to the start.
//!
//! The most promising position is chosen by drop-out expansion: the cost of a position grows with each ply and with
//! each concession on the way to it. So the best lines are expanded deeply, and the others as deeply as their values
//! justify. If game records are given, their positions come first: the most frequent ones, as long as the search does
//! not reject the moves that lead to them.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::{ops, thread};

use emtee::{Size, Value};

use super::games::GameTree;
use super::graph::Graph;
use crate::error::Error;
use crate::registry::Entry;
use crate::session::{Clock, Control, Engine, Play};

/// The options of building a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookTask {
    /// The total number of positions to search, including those of a resumed book. Rounded up to a multiple of eight.
    pub positions: usize,
    /// The nodes per position.
    pub nodes: u64,
    /// The maximum distance from the start, in plies.
    pub plies: u32,
    /// The number of threads, with one position each. It does not change the book.
    pub threads: usize,
}

/// Positions are chosen in batches of this size, whatever the number of threads. Batches end at multiples of this size,
/// so a resumed build chooses the same positions.
const BATCH: usize = 8;

/// The number of best moves ranked in each position.
const LINES: usize = 6;

/// The cost of a ply, and the margin for keeping a move, as fractions of a clear lead.
const PLY_COST_PART: i32 = 10;
const MARGIN_PART: i32 = 4;

/// The table entries per node of a search.
const ENTRIES_PER_NODE: u64 = 2;
const ENTRIES: ops::RangeInclusive<u64> = 1 << 14..=1 << 22;

/// Moves with their values for the side that plays them.
type GoodMoves = Vec<(String, i32)>;

/// A book under construction.
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
    games: GameTree,
}

impl<'g> BookBuilder<'g> {
    /// A book that contains only the start position.
    pub fn new(game: &'g dyn Entry) -> BookBuilder<'g> {
        BookBuilder { game, graph: Graph::new(game.start()), games: GameTree::default() }
    }

    /// Resumes a book. The error says what is wrong with it.
    pub fn resume(text: &str, game: &'g dyn Entry) -> Result<BookBuilder<'g>, String> {
        Ok(BookBuilder { game, graph: Graph::read(text, game)?, games: GameTree::default() })
    }

    /// Adds the first moves of recorded games: PGN, PDN, GGF and WTHOR, or one game per line. Returns the number of
    /// games read and the number that could not be read.
    pub fn add_games(&mut self, bytes: &[u8], plies: u32) -> Result<(usize, usize), String> {
        self.games.add(bytes, self.game, plies as usize)
    }

    /// The number of positions searched.
    pub fn searched(&self) -> usize {
        self.graph.nodes.iter().filter(|node| !node.moves.is_empty()).count()
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.graph.nodes.len()
    }

    /// The book as text, as it is stored in a file.
    pub fn text(&self) -> String {
        self.graph.text(self.game.name())
    }

    /// Searches until the book has enough positions, no position is left, or the stop flag is set. `shown` is called
    /// after each batch. Returns whether the build is complete.
    pub fn run(
        &mut self,
        task: &BookTask,
        stop: &Arc<AtomicBool>,
        shown: &mut dyn FnMut(&BookBuilder<'g>),
    ) -> Result<bool, Error> {
        let mut counts = HashMap::new();
        self.games.count(&*self.game.start(), &mut counts);
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
            let Some(results) = self.search_all(&leaves, &mut engines, task.nodes, stop)? else { return Ok(false) };
            for (node_index, moves) in leaves.into_iter().zip(results) {
                for (m, value) in moves {
                    self.graph.add(node_index, &m, value)?;
                }
            }
            self.graph.update();
            shown(self);
        }
    }

    /// The positions to search next, the most promising first. Only positions from game records, while there are any.
    fn promising(&mut self, plies: u32, counts: &HashMap<u64, u32>) -> Vec<usize> {
        let order = self.graph.update();
        let nodes = &self.graph.nodes;
        let mut costs = vec![i64::MAX; nodes.len()];
        costs[0] = 0;
        for &node_index in &order {
            let node = &nodes[node_index];
            for edge in node.moves.iter().filter(|edge| nodes[edge.to].ply > node.ply) {
                let loss = node.value - self.graph.move_value(node, edge);
                let cost = costs[node_index].saturating_add(i64::from(part(self.game, PLY_COST_PART) + loss));
                costs[edge.to] = costs[edge.to].min(cost);
            }
        }
        let occurrences = |node_index: usize| counts.get(&nodes[node_index].key).copied().unwrap_or_default();
        let unexpanded = |&node_index: &usize| {
            nodes[node_index].moves.is_empty() && !nodes[node_index].over && nodes[node_index].ply < plies
        };
        let mut leaves: Vec<usize> = order.into_iter().filter(unexpanded).collect();
        if leaves.iter().any(|&node_index| occurrences(node_index) > 0) {
            leaves.retain(|&node_index| occurrences(node_index) > 0);
        }
        leaves.sort_by_key(|&node_index| {
            (Reverse(occurrences(node_index)), costs[node_index], nodes[node_index].ply, nodes[node_index].key)
        });
        leaves
    }

    /// Searches several positions and returns their good moves. `None` if the stop flag is set.
    fn search_all(
        &self,
        leaves: &[usize],
        engines: &mut [Box<dyn Engine>],
        nodes: u64,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<Vec<GoodMoves>>, Error> {
        let (next, results) = (AtomicUsize::new(0), Mutex::new(vec![Ok(Vec::new()); leaves.len()]));
        thread::scope(|scope| {
            for engine in engines {
                let (next, results) = (&next, &results);
                scope.spawn(move || {
                    while let leaf = next.fetch_add(1, Relaxed)
                        && leaf < leaves.len()
                        && !stop.load(Relaxed)
                    {
                        let good = self.good_moves(leaves[leaf], engine.as_mut(), nodes, stop);
                        results.lock().unwrap_or_else(PoisonError::into_inner)[leaf] = good;
                    }
                });
            }
        });
        let results: Result<_, Error> =
            results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect();
        Ok(Some(results?).filter(|_| !stop.load(Relaxed)))
    }

    /// The moves of a position that are not much worse than the best one. The result does not depend on earlier
    /// searches or on the path to the position.
    fn good_moves(
        &self,
        node_index: usize,
        engine: &mut dyn Engine,
        nodes: u64,
        stop: &Arc<AtomicBool>,
    ) -> Result<GoodMoves, Error> {
        let node = &self.graph.nodes[node_index];
        let position = self.game.position(&node.position.text())?;
        let clock = Clock { lines: LINES, analysis: true, ..Clock::nodes(nodes) };
        engine.new_game()?;
        let choice = engine.think(&*position, &clock, &Control::with_flag(stop.clone()), &mut |_| ())?;
        let known = choice.row.top.iter().flatten().filter_map(|top| Some((top.m.clone(), top.value?)));
        let mut moves: GoodMoves = known.collect();
        if moves.is_empty() {
            // A single legal move is not ranked, and with too few nodes nothing is.
            moves.extend(choice.best_move.map(|m| (m, choice.row.value.unwrap_or(node.value))));
        }
        for (_, value) in &mut moves {
            *value = (*value).clamp(-Value::MAX_SCORE, Value::MAX_SCORE);
        }
        let best = moves.iter().map(|(_, value)| *value).max().unwrap_or_default();
        moves.retain(|(_, value)| *value >= best - part(self.game, MARGIN_PART));
        Ok(moves)
    }
}

/// A fraction of a clear lead, at least 1.
fn part(game: &dyn Entry, of: i32) -> i32 {
    (game.conventions().clear_lead / of).max(1)
}

/// Plays like an engine.
fn player(nodes: u64) -> Play {
    let entries = nodes.saturating_mul(ENTRIES_PER_NODE).clamp(*ENTRIES.start(), *ENTRIES.end());
    Play::default().with_hash(Size::of_entries(entries.next_power_of_two() as usize))
}
