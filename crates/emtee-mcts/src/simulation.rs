//! A simulation: down the tree, one new leaf, random moves to the end of the game, and back.

use emtee::{Error, Evaluate, Game, Moves, Outcome, Side, Value, legal_moves, mix};

use crate::options::{Leaf, Options};
use crate::tree::{Node, ROOT, Tree};

/// What all threads of a search read.
pub(crate) struct Setup<'s, G: Game, E> {
    pub(crate) root: &'s G,
    /// The moves of the root to search. Empty: all.
    pub(crate) among: &'s [G::Move],
    /// The keys of the positions before the root.
    pub(crate) before: &'s [u64],
    pub(crate) evaluator: &'s E,
    /// The evaluation that multiplies the odds of a win by e. 0: there is no evaluation.
    pub(crate) scale: f32,
    /// See [`Options::amaf`].
    pub(crate) amaf: f32,
    pub(crate) options: &'s Options,
}

/// A thread's tree, and its memory for one simulation.
pub(crate) struct Worker<M> {
    pub(crate) tree: Tree<M>,
    random: u64,
    moves: Moves<M>,
    path: Vec<Step>,
    /// The keys of the positions of the path, in games whose positions can repeat.
    keys: Vec<u64>,
    /// The side and the code of every move of the simulation, for AMAF.
    played: Vec<(Side, u16)>,
    /// For each side and code, the last update of AMAF that contained it.
    stamps: [Vec<u32>; 2],
    stamp: u32,
    /// The moves from the root to the last leaf.
    pub(crate) deepest: usize,
    pub(crate) fault: Option<Error>,
}

/// A node of a simulation's path.
#[derive(Clone, Copy)]
struct Step {
    node: u32,
    /// The side that chose the move to it.
    chooser: Side,
    /// The side to move.
    turn: Side,
}

/// How a node can be expanded.
enum Expansion {
    Done,
    /// The tree is full.
    Full,
    /// The game is over.
    Over(Value),
}

impl<M: Copy + PartialEq> Worker<M> {
    pub(crate) fn new(bytes: usize) -> Worker<M> {
        Worker {
            tree: Tree::new(bytes),
            random: 1,
            moves: Moves::new(),
            path: Vec::new(),
            keys: Vec::new(),
            played: Vec::new(),
            stamps: [Vec::new(), Vec::new()],
            stamp: 0,
            deepest: 0,
            fault: None,
        }
    }

    pub(crate) fn seed(&mut self, seed: u64) {
        self.random = mix(seed) | 1;
    }

    /// A random number below `count`.
    fn random_below(&mut self, count: usize) -> usize {
        // xorshift64*
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        let number = self.random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        ((number * count as u64) >> 32) as usize
    }

    /// One simulation.
    pub(crate) fn simulate<G, E>(&mut self, setup: &Setup<'_, G, E>)
    where
        G: Game<Move = M>,
        E: Evaluate<G>,
    {
        if self.tree.is_full {
            self.tree.make_room();
        }
        self.path.clear();
        self.keys.clear();
        self.played.clear();
        let mut position = setup.root.clone();
        let mut turn = position.turn();
        let (mut node, mut chooser) = (ROOT, turn);
        let (result, side) = loop {
            self.path.push(Step { node, chooser, turn });
            if let Some(value) = self.tree.node(node).proven() {
                break (result_of(value), chooser);
            }
            if node != ROOT
                && let Some(value) = self.repetition(&position, setup)
            {
                self.prove(value, turn);
                break (result_of(value), turn);
            }
            if !self.tree.node(node).is_expanded() {
                let visits = self.tree.node(node).visits;
                if node != ROOT && visits < setup.options.expand_at {
                    break (self.roll_out(position, visits == 0, setup), turn);
                }
                match self.expand(node, &position, setup) {
                    Expansion::Done => {}
                    Expansion::Full => break (self.roll_out(position, false, setup), turn),
                    Expansion::Over(value) => {
                        self.prove(value, turn);
                        break (result_of(value), turn);
                    }
                }
            }
            let (look_ahead, visits) = (setup.options.look_ahead, self.tree.node(node).visits);
            if look_ahead > 0 && (visits == look_ahead || node == ROOT && visits == 0) {
                self.look_ahead(&position);
                if let Some(value) = self.tree.node(node).proven() {
                    break (result_of(value), chooser);
                }
            }
            let child = self.select(node, chooser == turn, setup.options.exploration, setup.amaf);
            let Some(m) = self.tree.node(child).m else { break (0.5, turn) };
            self.played.push((turn, self.tree.node(child).code));
            position = position.play(m);
            (node, chooser, turn) = (child, turn, position.turn());
        };
        self.back_up(result, side, setup.amaf > 0.0);
    }

    /// The value for the side to move if the position ends the game in play: by repetition, or by a count of moves.
    fn repetition<G: Game<Move = M>, E>(&mut self, position: &G, setup: &Setup<'_, G, E>) -> Option<Value> {
        let clock = position.halfmove_clock()? as usize;
        if self.keys.is_empty() {
            self.keys.push(setup.root.key());
        }
        let key = position.key();
        let earlier = self.keys.iter().rev().chain(setup.before.iter().rev());
        let repeated = earlier.take(clock).any(|&earlier| earlier == key);
        self.keys.push(key);
        if repeated {
            return Some(value_of(position.repeated()));
        }
        let limit = G::DRAWN_AFTER?;
        (clock >= limit as usize && position.outcome().is_none()).then(Value::default)
    }

    /// Adds the children of a node to the tree.
    fn expand<G: Game<Move = M>, E>(&mut self, node: u32, position: &G, setup: &Setup<'_, G, E>) -> Expansion {
        // The root is expanded even if the game is over by the rules in play. With an outcome it has no moves.
        if let Some(outcome) = position.outcome() {
            return Expansion::Over(value_of(outcome));
        }
        self.moves.truncate(0);
        position.moves(&mut self.moves);
        if self.moves.is_empty() {
            return Expansion::Over(value_of(position.stuck()));
        }
        if self.moves.len() > usize::from(u16::MAX) {
            self.fault = Some(Error::TooManyMoves { moves: self.moves.len() });
            return Expansion::Full;
        }
        let chosen: Vec<Node<M>>;
        let child = |(index, m): (usize, M)| Node::new(Some(m), position.code(m, index));
        let expanded = if node == ROOT && !setup.among.is_empty() {
            let moves = self.moves.iter().enumerate();
            chosen = moves.filter(|(_, m)| setup.among.contains(m)).map(child).collect();
            self.tree.expand(node, chosen.into_iter())
        } else {
            let moves = &self.moves;
            self.tree.expand(node, Indexed { moves, next: 0, child })
        };
        if !expanded {
            return Expansion::Full;
        }
        Expansion::Done
    }

    /// Tests all moves of the last node of the path for the end of the game.
    fn look_ahead<G: Game<Move = M>>(&mut self, position: &G) {
        let Some(&Step { node, turn, .. }) = self.path.last() else { return };
        let mut ended = false;
        for child in self.tree.children_mut(node) {
            let Some(m) = child.m else { continue };
            let after = position.play(m);
            if let Some(outcome) = after.outcome() {
                let value = seen_by_chooser(value_of(outcome), after.turn() == turn);
                ended |= child.narrow(value, value);
                if value.wins_in().is_some() {
                    break;
                }
            }
        }
        if ended {
            self.update_proofs(self.path.len());
        }
    }

    /// The child with the greatest upper confidence bound. Proved children are left out: simulations are for the others.
    fn select(&mut self, node: u32, same_side: bool, exploration: f32, amaf: f32) -> u32 {
        let parent = self.tree.node(node);
        let unvisited = if same_side { parent.mean } else { 1.0 - parent.mean };
        let explore = exploration * (parent.visits.max(1) as f32).ln().sqrt();
        let first = self.tree.first(node);
        let count = self.tree.children(node).len();
        let start = self.random_below(count);
        let children = self.tree.children(node);
        let (mut best, mut best_bound) = (start, f32::NEG_INFINITY);
        // Of equal children the first after a random one is taken.
        for range in [start..count, 0..start] {
            for (index, child) in range.clone().zip(&children[range]) {
                if child.proven().is_some() {
                    continue;
                }
                let visits = child.visits as f32;
                let mut mean = if child.visits == 0 { unvisited } else { child.mean };
                if child.amaf_visits > 0 {
                    // The weight of AMAF falls with the visits (Gelly and Silver's hand-selected schedule).
                    let weight = (amaf / (3.0 * visits + amaf)).sqrt();
                    let weight = if child.visits == 0 { 1.0 } else { weight };
                    mean += weight * (child.amaf_mean - mean);
                }
                let bound = mean + explore / (visits + 1.0).sqrt();
                if bound > best_bound {
                    (best, best_bound) = (index, bound);
                }
            }
        }
        first + best as u32
    }

    /// Plays random moves. Returns the result for the side to move.
    fn roll_out<G, E>(&mut self, mut position: G, is_new: bool, setup: &Setup<'_, G, E>) -> f32
    where
        G: Game<Move = M>,
        E: Evaluate<G>,
    {
        let side = position.turn();
        let seen = |position: &G, result: f32| if position.turn() == side { result } else { 1.0 - result };
        let (longest, evaluated) = match setup.options.leaf {
            Leaf::Evaluation { plies } => (plies, true),
            Leaf::Auto if setup.scale > 0.0 => (EVALUATED_AFTER, true),
            Leaf::Auto | Leaf::Rollout => {
                (setup.options.longest.unwrap_or_else(|| longest_simulation(&position)), false)
            }
        };
        let amaf = setup.amaf > 0.0;
        for ply in 0.. {
            let mut over = position.outcome();
            if over.is_none() && (ply < longest || ply == 0 && is_new) {
                self.moves.truncate(0);
                position.moves(&mut self.moves);
                if self.moves.is_empty() {
                    over = Some(position.stuck());
                }
            }
            if let Some(outcome) = over {
                let value = value_of(outcome);
                if ply == 0 && is_new {
                    self.prove(value, side);
                }
                return seen(&position, result_of(value));
            }
            if ply >= longest {
                break;
            }
            let index = self.random_below(self.moves.len());
            let Some(m) = self.moves.get(index) else { break };
            if amaf {
                self.played.push((position.turn(), position.code(m, index)));
            }
            position = position.play(m);
        }
        if !evaluated {
            return 0.5;
        }
        let evaluation = setup.evaluator.evaluate(&position);
        if evaluation.unsigned_abs() > Value::MAX_SCORE as u32 {
            self.fault = Some(Error::EvaluationOutOfRange { value: evaluation });
        }
        seen(&position, 1.0 / (1.0 + (-evaluation as f32 / setup.scale.max(1.0)).exp()))
    }

    /// Records that the last node of the path has this value for the side `turn`.
    fn prove(&mut self, value: Value, turn: Side) {
        let Some(step) = self.path.last() else { return };
        let value = if step.node == ROOT { value } else { seen_by_chooser(value, step.chooser == turn) };
        self.tree.node_mut(step.node).narrow(value, value);
        self.update_proofs(self.path.len() - 1);
    }

    /// Narrows the bounds of the first `count` nodes of the path by those of their children, from the last one up.
    fn update_proofs(&mut self, count: usize) {
        for step in self.path[..count].iter().rev() {
            let (mut lower, mut upper) = (Value::NEG_INFINITY, Value::NEG_INFINITY);
            for child in self.tree.children(step.node) {
                lower = lower.max(child.lower());
                upper = upper.max(child.upper());
            }
            let same_side = step.chooser == step.turn;
            let (lower, upper) = match step.node {
                ROOT => (lower, upper),
                _ if same_side => (lower.age(), upper.age()),
                _ => (-upper.age(), -lower.age()),
            };
            if !self.tree.node_mut(step.node).narrow(lower, upper) {
                break;
            }
        }
    }

    /// Adds the result of a simulation, which is that of `side`, to the nodes of the path.
    fn back_up(&mut self, result: f32, side: Side, amaf: bool) {
        self.deepest = self.deepest.max(self.path.len() - 1);
        // What is proved of a node limits its result: a side that has a draw does not get less.
        let mut seen = if side == Side::First { result } else { 1.0 - result };
        for step in self.path.iter().rev() {
            let node = self.tree.node_mut(step.node);
            let (least, most) = (result_of(node.lower()), result_of(node.upper()));
            let own = if step.chooser == Side::First { seen } else { 1.0 - seen };
            let own = own.clamp(least, most);
            node.add(own);
            seen = if step.chooser == Side::First { own } else { 1.0 - own };
        }
        if !amaf {
            return;
        }
        self.stamp = match self.stamp.checked_add(1) {
            Some(stamp) => stamp,
            None => {
                self.stamps = [Vec::new(), Vec::new()];
                1
            }
        };
        let mut unstamped = self.played.len();
        for (depth, step) in self.path.iter().enumerate().rev() {
            for &(side, code) in &self.played[depth.min(unstamped)..unstamped] {
                let stamps = &mut self.stamps[side.index()];
                // A code with the highest bit is the index of a move in its list: it means nothing elsewhere.
                if code < 1 << 15 {
                    if stamps.len() <= usize::from(code) {
                        stamps.resize(usize::from(code) + 1, 0);
                    }
                    stamps[usize::from(code)] = self.stamp;
                }
            }
            unstamped = unstamped.min(depth);
            let (stamps, result) =
                (&self.stamps[step.turn.index()], if step.turn == side { result } else { 1.0 - result });
            for child in self.tree.children_mut(step.node) {
                if stamps.get(usize::from(child.code)).is_some_and(|&stamp| stamp == self.stamp) {
                    child.add_amaf(result);
                }
            }
        }
    }
}

/// The longest random games. Measured in Ataxx: with 60 plies instead of 1000, 13 of 18 games are won.
const LONGEST: u32 = 1_000;
const LONGEST_REPEATING: u32 = 80;

/// The plies after which a random game from this position is a draw by default.
fn longest_simulation<G: Game>(position: &G) -> u32 {
    if position.halfmove_clock().is_some() { LONGEST_REPEATING } else { LONGEST }
}

/// Whether at least half of some random games end before a simulation is cut off. If not, simulations tell little.
///
/// Measured with 20 ms per move: 50 to 100 % against a search with an evaluation of 0 in five games whose random games end; 27 %
/// in Ataxx, where nine in ten are cut off.
///
/// ```
/// use emtee_games::{chess, connect4};
/// assert!(emtee_mcts::simulations_end(&connect4::Board::default()));
/// assert!(!emtee_mcts::simulations_end(&chess::Board::default()));
/// ```
pub fn simulations_end<G: Game>(start: &G) -> bool {
    let ends = |game: &u64| {
        let mut position = start.clone();
        (0..longest_simulation(start)).any(|ply| {
            let moves = legal_moves(&position);
            if !moves.is_empty() {
                position = position.play(moves[(mix(game << 32 | u64::from(ply)) % moves.len() as u64) as usize]);
            }
            moves.is_empty()
        })
    };
    2 * (0..TRIED_GAMES).filter(ends).count() as u64 >= TRIED_GAMES
}

/// The random games that are tried.
const TRIED_GAMES: u64 = 8;

/// The random moves before an evaluation.
const EVALUATED_AFTER: u32 = 0;

/// The children of a node, one for each move of a list.
struct Indexed<'m, M, F> {
    moves: &'m Moves<M>,
    next: usize,
    child: F,
}

impl<M: Copy, F: Fn((usize, M)) -> Node<M>> Iterator for Indexed<'_, M, F> {
    type Item = Node<M>;

    fn next(&mut self) -> Option<Node<M>> {
        let m = self.moves.get(self.next)?;
        self.next += 1;
        Some((self.child)((self.next - 1, m)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.moves.len() - self.next;
        (left, Some(left))
    }
}

impl<M: Copy, F: Fn((usize, M)) -> Node<M>> ExactSizeIterator for Indexed<'_, M, F> {}

/// The value of an outcome, for the side to move.
pub(crate) fn value_of(outcome: Outcome) -> Value {
    match outcome {
        Outcome::Won => Value::win_in(0),
        Outcome::Lost => Value::loss_in(0),
        Outcome::Drawn => Value::default(),
        Outcome::Points(points) => Value::score(points.clamp(-Value::MAX_SCORE, Value::MAX_SCORE)).unwrap_or_default(),
    }
}

/// A value, one ply earlier, from the side that moved.
fn seen_by_chooser(value: Value, same_side: bool) -> Value {
    if same_side { value.age() } else { -value.age() }
}

/// The result of a game with this value: 1 for a win, also on points, and 0 for a loss.
pub(crate) fn result_of(value: Value) -> f32 {
    match value.get() {
        0 => 0.5,
        1.. => 1.0,
        _ => 0.0,
    }
}
