//! Games of self-play, and matches between two evaluations.

use std::collections::BTreeMap;

use emtee::{Budget, Evaluate, Game, Outcome, Search, Side, Value, legal_moves, mix};

use crate::Features;
use crate::fit::{Samples, sigmoid};
use crate::model::{Scale, UNIT};

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub struct Thought<M> {
    /// The move. `None`: no move was found within the nodes.
    pub best_move: Option<M>,
    /// Its value for the side to move.
    pub value: Option<Value>,
    /// The nodes that were searched.
    pub nodes: u64,
}

/// A search with an evaluation that is being learned. [`emtee::Search`] is one.
pub trait Searcher<G: Game> {
    /// Searches a position with a number of nodes. Must depend only on the positions since the last [`clear`](Searcher::clear).
    fn search(&mut self, position: &G, nodes: u64) -> Result<Thought<G::Move>, String>;

    /// Clears the memory of the search.
    fn clear(&mut self) -> Result<(), String>;
}

impl<G: Game, E: Evaluate<G>> Searcher<G> for Search<G, E> {
    fn search(&mut self, position: &G, nodes: u64) -> Result<Thought<G::Move>, String> {
        let found = self.think(position, Budget::nodes(nodes)).map_err(|error| error.to_string())?;
        Ok(Thought { best_move: found.best_move, value: found.value, nodes: found.counts.nodes() })
    }

    fn clear(&mut self) -> Result<(), String> {
        Search::clear(self).map_err(|error| error.to_string())
    }
}

/// A game of self-play: for each move its number in the list of legal moves, and the value that the search found, for the
/// side to move. [`RANDOM`] stands for a random move.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) generation: u32,
    pub(crate) moves: Vec<(u16, i32)>,
    /// The result for the first side: 0 to 1, or points.
    pub(crate) result: f32,
}

/// The value of a random move.
pub(crate) const RANDOM: i32 = i32::MIN;

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// The nodes per move. 0: all moves are random, but for moves that win at once.
    pub(crate) nodes: u64,
    /// The greatest number of random moves at the start.
    pub(crate) opening: u64,
    /// One move in this many is random.
    pub(crate) random: u64,
    /// A game of this length is a draw.
    pub(crate) longest: usize,
}

/// The result for the side to move, and whether the game ends with points.
fn result_of(outcome: Outcome) -> (f32, bool) {
    match outcome {
        Outcome::Won => (1.0, false),
        Outcome::Lost => (0.0, false),
        Outcome::Drawn => (0.5, false),
        Outcome::Points(points) => (points as f32, true),
    }
}

/// Plays games from a start position.
pub(crate) struct Player<'g, G: Game> {
    pub(crate) start: &'g G,
    pub(crate) rules: Rules,
    /// The nodes searched so far.
    pub(crate) nodes: u64,
    /// Whether a game has ended with points.
    pub(crate) points: bool,
    /// The numbers of legal moves, added up, and how many positions they are of.
    pub(crate) branches: (u64, u64),
}

impl<'g, G: Game> Player<'g, G> {
    pub(crate) fn new(start: &'g G, rules: Rules) -> Player<'g, G> {
        Player { start, rules, nodes: 0, points: false, branches: (0, 0) }
    }

    /// Plays a game between the searchers of the two sides. All depends on the seed; `opening` random moves come first.
    pub(crate) fn game(
        &mut self,
        searchers: &mut [Option<&mut dyn Searcher<G>>; 2],
        seed: u64,
        opening: u64,
    ) -> Result<Record, String> {
        for searcher in searchers.iter_mut().flatten() {
            searcher.clear()?;
        }
        let mut record = Record { generation: 0, moves: Vec::new(), result: 0.5 };
        let mut board = self.start.clone();
        let mut seen: BTreeMap<u64, u32> = BTreeMap::new();
        loop {
            let ended = |board: &G, outcome: Outcome| {
                let (result, points) = result_of(outcome);
                let other = if points { -result } else { 1.0 - result };
                (if board.turn() == Side::First { result } else { other }, points)
            };
            let moves = legal_moves(&board);
            if moves.is_empty() {
                let (result, points) = ended(&board, board.outcome().unwrap_or_else(|| board.stuck()));
                record.result = result;
                self.points |= points;
                return Ok(record);
            }
            if board.halfmove_clock().is_some() {
                let times = seen.entry(board.key()).or_default();
                *times += 1;
                if *times == 3 {
                    record.result = ended(&board, board.repeated()).0;
                    return Ok(record);
                }
            }
            let ply = record.moves.len();
            if ply >= self.rules.longest {
                record.result = if self.points { 0.0 } else { 0.5 };
                return Ok(record);
            }
            self.branches = (self.branches.0 + moves.len() as u64, self.branches.1 + 1);
            let random = mix(mix(seed) ^ mix(ply as u64 + 1));
            let any = (random % moves.len() as u64) as usize;
            let by_search =
                ply as u64 >= opening && (self.rules.random == 0 || !(random >> 32).is_multiple_of(self.rules.random));
            let searcher = searchers[board.turn().index()].as_deref_mut().filter(|_| by_search);
            let (index, value) = match searcher {
                Some(searcher) if moves.len() > 1 => {
                    let found = searcher.search(&board, self.rules.nodes)?;
                    self.nodes += found.nodes.max(1);
                    let index = found.best_move.and_then(|best| moves.iter().position(|&m| m == best));
                    (index.unwrap_or(any), found.value.map_or(RANDOM, |value| value.get()))
                }
                // A move without a choice has no value of its own.
                Some(_) => (0, RANDOM),
                None => {
                    self.nodes += 1;
                    (self.winning(&board, &moves).filter(|_| ply as u64 >= opening).unwrap_or(any), RANDOM)
                }
            };
            record.moves.push((index.min(usize::from(u16::MAX)) as u16, value));
            board = board.play(moves[index]);
        }
    }

    /// A move that wins at once, for games without a search.
    fn winning(&self, board: &G, moves: &[G::Move]) -> Option<usize> {
        moves.iter().position(|&m| {
            let child = board.play(m);
            let won = if child.turn() == board.turn() { Outcome::Won } else { Outcome::Lost };
            child.outcome() == Some(won)
        })
    }

    /// Plays pairs of games from random openings, with colours swapped: the results of each pair for `a`, from 0 to 2, and the
    /// number of games.
    pub(crate) fn match_of(
        &mut self,
        a: &mut dyn Searcher<G>,
        b: &mut dyn Searcher<G>,
        seed: u64,
        nodes: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<f32>, String> {
        let (before, mut pairs) = (self.nodes, Vec::new());
        let rules = self.rules;
        self.rules.random = 0;
        while (self.nodes - before < nodes || pairs.len() < LEAST_PAIRS) && !stop() {
            let seed = mix(mix(seed) ^ mix(pairs.len() as u64 + 1));
            let opening = 2 + mix(seed) % rules.opening.max(1);
            let first = self.game(&mut [Some(&mut *a), Some(&mut *b)], seed, opening)?.result;
            let second = self.game(&mut [Some(&mut *b), Some(&mut *a)], seed, opening)?.result;
            let score =
                |result: f32| if self.points { 0.5 + 0.5 * f32::from(result.total_cmp(&0.0) as i8) } else { result };
            pairs.push(score(first) + if self.points { score(-second) } else { 1.0 - score(second) });
        }
        self.rules = rules;
        Ok(pairs)
    }
}

/// A match has at least this many pairs of games.
const LEAST_PAIRS: usize = 8;

/// The weight of what follows against a search's own value, in the target of a position (λ of TD(λ)).
const LAMBDA: f32 = 0.8;

impl Record {
    /// Adds the positions of the game to `samples`, with their targets.
    pub(crate) fn add_to<G: Game>(
        &self,
        start: &G,
        features: &dyn Fn(&G, &mut Features),
        scale: Scale,
        number: u32,
        samples: &mut Samples,
    ) {
        let mut boards = Vec::with_capacity(self.moves.len());
        let mut board = start.clone();
        for &(index, _) in &self.moves {
            let Some(&m) = legal_moves(&board).get(usize::from(index)) else { break };
            let after = board.play(m);
            boards.push(std::mem::replace(&mut board, after));
        }
        let only_random = self.moves.iter().all(|&(_, value)| value == RANDOM);
        // What follows, for the first side. `None`: a random move followed.
        let mut following = Some(self.result);
        for (board, &(_, value)) in boards.iter().zip(&self.moves).rev() {
            let first = board.turn() == Side::First;
            let seen = |target: f32| match (first, scale) {
                (true, _) => target,
                (false, Scale::Result) => 1.0 - target,
                (false, Scale::Points) => -target,
            };
            let own = match value {
                RANDOM if only_random => following.map(seen),
                RANDOM => None,
                _ if scale == Scale::Points => Some(value as f32),
                _ => Some(sigmoid(value as f32 / UNIT)),
            };
            let Some(own) = own else {
                following = None;
                continue;
            };
            let own = seen(own);
            let target = following.map_or(own, |following| LAMBDA * following + (1.0 - LAMBDA) * own);
            following = Some(target);
            let mut f = Features::new(board.turn());
            features(board, &mut f);
            samples.push(&f, seen(target), number);
        }
    }
}
