//! The search object: trees that are kept between moves, limits, threads, and results.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use emtee::research::{Counts, Iteration, Observer};
use emtee::{
    Bounds, Budget, Clock, Error, Evaluate, Found, Game, Level, MAX_DEPTH, MAX_THREADS, Moves, RankedMove, Stop, Value,
    legal_moves, mix,
};

use crate::options::{Leaf, Options};
use crate::simulation::{Setup, Worker, result_of};
use crate::tree::{Node, ROOT, Tree};

/// A Monte-Carlo tree search and its memory. It keeps the tree of a game from move to move.
pub struct Mcts<G: Game, E> {
    evaluator: E,
    options: Options,
    clock: Option<Clock>,
    stop: Option<Stop>,
    /// One for each thread.
    workers: Vec<Worker<G::Move>>,
    /// The positions before the root, oldest first. `None`: the search is not in play.
    game: Option<Vec<G>>,
    /// The position whose tree the workers have.
    known: Option<Known<G>>,
    /// Measured once.
    sample: Option<Sample>,
}

/// A searched position.
struct Known<G> {
    root: G,
    /// The keys of the positions before it, in games whose positions can repeat.
    before: Vec<u64>,
}

/// The value of a share of wins: the expected result in thousandths, from −1000 to 1000.
///
/// ```
/// use emtee_mcts::{expected, win_rate};
/// assert_eq!(expected(0.75).get(), 500);
/// assert_eq!(win_rate(expected(0.75)), 0.75);
/// assert_eq!(win_rate(emtee::Value::loss_in(4)), 0.0);
/// ```
pub fn expected(win_rate: f64) -> Value {
    Value::score(((2.0 * win_rate.clamp(0.0, 1.0) - 1.0) * 1_000.0).round() as i32).unwrap_or_default()
}

/// The share of wins of a value, where a draw is half a win: the inverse of [`expected`], and 1 or 0 if a win or a loss is
/// proved.
pub fn win_rate(value: Value) -> f64 {
    f64::from(value.get().clamp(-1_000, 1_000) + 1_000) / 2_000.0
}

impl<G: Game, E: Evaluate<G>> Mcts<G, E> {
    /// A search with this evaluator, which is called only if leaves are [evaluated](Leaf::Evaluation).
    pub fn new(evaluator: E, options: Options) -> Result<Mcts<G, E>, Error> {
        let mut mcts = Mcts {
            evaluator,
            options,
            #[cfg(feature = "std")]
            clock: Some(emtee::system_clock),
            #[cfg(not(feature = "std"))]
            clock: None,
            stop: None,
            workers: Vec::new(),
            game: None,
            known: None,
            sample: None,
        };
        mcts.set_options(options)?;
        Ok(mcts)
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the options. The tree is kept if the memory, the threads and the way to find the value of a leaf stay the
    /// same.
    pub fn set_options(&mut self, mut options: Options) -> Result<(), Error> {
        if cfg!(not(feature = "std")) || options.threads == 0 {
            let machine = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
            options.threads = if cfg!(feature = "std") { machine } else { 1 };
        }
        if options.threads > MAX_THREADS {
            return Err(Error::TooManyThreads { threads: options.threads, most: MAX_THREADS });
        }
        let memory = |options: &Options| (options.size, options.threads, options.leaf);
        if self.workers.is_empty() || memory(&self.options) != memory(&options) {
            let bytes = options.size.bytes() / options.threads;
            self.workers = (0..options.threads).map(|_| Worker::new(bytes)).collect();
            self.known = None;
        }
        self.options = options;
        Ok(())
    }

    /// Sets the clock. A time limit needs one.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock = Some(clock);
    }

    /// Sets or removes what stops the following searches from outside.
    pub fn set_stop(&mut self, stop: Option<Stop>) {
        self.stop = stop;
    }

    /// Makes the following searches searches *in play*. `before` is the game history: the positions before the one to be
    /// searched, oldest first. Repeated positions then have the outcome [`Game::repeated`], and the tree of the last search is
    /// kept if the game has continued from there.
    pub fn set_game(&mut self, before: &[G]) {
        self.game = Some(before.to_vec());
    }

    /// Ends play: the following searches ignore the game history.
    pub fn forget_game(&mut self) {
        self.game = None;
    }

    /// The greatest number of positions in the tree.
    pub fn tree_nodes(&self) -> usize {
        self.workers.iter().map(|worker| worker.tree.capacity()).sum()
    }

    /// The evaluator, for changes between two searches. [Clear](Mcts::clear) the tree if its values change.
    pub fn evaluator_mut(&mut self) -> &mut E {
        &mut self.evaluator
    }

    /// Forgets the tree: the next search is like the first.
    pub fn clear(&mut self) {
        (self.known, self.sample) = (None, None);
    }

    /// Searches a position until the budget is used up or its value is proved.
    pub fn think(&mut self, position: &G, budget: Budget) -> Result<Found<G::Move>, Error> {
        self.think_of(position, &[], 1, budget, &mut ())
    }

    /// Searches only the moves in `among`, as if there were no others, and ranks the best `lines` moves. If `among` is empty,
    /// all moves are searched. Illegal moves are ignored; it is an error if none is legal.
    ///
    /// The observer gets an [`Iteration`] whenever the number of simulations has doubled.
    pub fn think_of(
        &mut self,
        position: &G,
        among: &[G::Move],
        lines: usize,
        budget: Budget,
        observer: &mut dyn Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        if budget.time.is_some() && self.clock.is_none() {
            return Err(Error::NoClock);
        }
        if let Some(depth) = budget.depth.filter(|depth| !(1..=MAX_DEPTH).contains(depth)) {
            return Err(Error::BadDepth { depth });
        }
        let started = self.clock.map(|clock| clock());
        let legal = legal_moves(position);
        if !among.is_empty() && !legal.is_empty() && !legal.iter().any(|m| among.contains(m)) {
            return Err(Error::NoLegalMove);
        }
        self.prepare(position, among);
        let sample = *self.sample.get_or_insert_with(|| Sample::new(position, &self.evaluator));
        let scale = if self.options.leaf == Leaf::Rollout { 0.0 } else { sample.scale };
        let amaf = self.options.amaf.unwrap_or(if sample.takes_cells { AMAF } else { 0.0 });
        let before = self.known.as_ref().map_or(&[][..], |known| &known.before);
        let setup =
            Setup { root: position, among, before, evaluator: &self.evaluator, scale, amaf, options: &self.options };
        let limits = Limits {
            // A result needs a move, and a move a simulation or two: one finds the moves.
            nodes: budget.nodes.unwrap_or(u64::MAX).max(1),
            depth: budget.depth.filter(|_| !legal.is_empty()),
            due: started.zip(budget.time).map(|(started, time)| started + time),
            clock: self.clock,
            stop: self.stop.as_ref(),
            done: AtomicBool::new(false),
            simulations: AtomicU64::new(0),
        };
        let mut progress = Progress {
            lines,
            started,
            clock: self.clock,
            iterations: Vec::new(),
            reported: Counts::default(),
            observer,
        };
        let (own, others) = self.workers.split_at_mut(1);
        let own = &mut own[0];
        let finished = if others.is_empty() {
            own.run(&setup, &limits, |worker, count| progress.report(&[&worker.tree], position, worker.deepest, count))
        } else {
            std::thread::scope(|scope| {
                let handles: Vec<_> = others
                    .iter_mut()
                    .map(|worker| {
                        let (setup, limits) = (&setup, &limits);
                        std::thread::Builder::new().spawn_scoped(scope, move || worker.run(setup, limits, |_, _| {}))
                    })
                    .collect();
                // While the threads run, only the first one's tree can be read.
                let mut finished = own.run(&setup, &limits, |worker, count| {
                    progress.report(&[&worker.tree], position, worker.deepest, count);
                });
                for handle in handles {
                    match handle.map_err(|_| Error::NoThread)?.join() {
                        Ok(proved) => finished |= proved,
                        // The code of the game panicked.
                        Err(panic) => std::panic::resume_unwind(panic),
                    }
                }
                Ok::<bool, Error>(finished)
            })?
        };
        if let Some(fault) = self.workers.iter_mut().find_map(|worker| worker.fault.take()) {
            self.known = None;
            return Err(fault);
        }
        let trees: Vec<&Tree<G::Move>> = self.workers.iter().map(|worker| &worker.tree).collect();
        let simulations = limits.simulations.load(Relaxed);
        let deepest = self.workers.iter().map(|worker| worker.deepest).max().unwrap_or_default();
        progress.report(&trees, position, deepest, simulations);
        let mut found = Found::default();
        if let Some(last) = progress.iterations.last() {
            (found.best_move, found.value, found.f) = (last.best_move, last.value, last.f);
            (found.pv, found.ranked, found.depth) = (last.pv.clone(), last.ranked.clone(), last.depth);
        }
        found.complete = finished || legal.is_empty();
        found.counts = counts(simulations);
        found.time = progress.elapsed();
        found.iterations = progress.iterations;
        if !among.is_empty() {
            self.known = None;
        }
        Ok(found)
    }

    /// Chooses a move at a level: the move that is best after the level's number of simulations. The weaker the level, the
    /// more the result depends on the seed.
    pub fn choose(
        &mut self,
        position: &G,
        level: Level,
        seed: u64,
        budget: Budget,
        observer: &mut dyn Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        let own = std::mem::replace(&mut self.options.seed, seed);
        let nodes = simulations(level).min(budget.nodes.unwrap_or(u64::MAX));
        let found = self.think_of(position, &[], 1, Budget { nodes: Some(nodes), ..budget }, observer);
        self.options.seed = own;
        found
    }

    /// Prepares the trees for a position: those of the last search, as far as they belong to it.
    fn prepare(&mut self, position: &G, among: &[G::Move]) {
        let repeats = position.halfmove_clock().is_some();
        let game = self.game.as_deref().unwrap_or_default();
        let keys = if repeats { game.iter().map(G::key).collect() } else { Vec::new() };
        // The positions from the last root to this one, and whether the same positions lie before the last root.
        let key = position.key();
        let line = self.known.take().filter(|_| among.is_empty()).and_then(|known| {
            let known_key = known.root.key();
            if known_key == key {
                return (known.before == keys).then(Vec::new);
            }
            let at = game.iter().rposition(|earlier| earlier.key() == known_key)?;
            let same_past = !repeats || known.before == keys[..at];
            same_past.then(|| [vec![known.root], game[at + 1..].to_vec()].concat())
        });
        for (number, worker) in self.workers.iter_mut().enumerate() {
            let reused = line.as_ref().is_some_and(|line| worker.follow(line, key));
            if !reused {
                worker.tree.clear();
            }
            worker.deepest = 0;
            worker.seed(mix(self.options.seed) ^ key ^ (number as u64) << 32);
        }
        self.known = Some(Known { root: position.clone(), before: keys });
    }
}

/// The simulations of a level: twice as many as one level below.
fn simulations(level: Level) -> u64 {
    8 << u32::from(level.get())
}

impl<M: Copy + PartialEq> Worker<M> {
    /// Makes the node of a position the root: `line` begins with the root, and the moves lead through its positions to one with
    /// this key. False if the tree does not contain it.
    fn follow<G: Game<Move = M>>(&mut self, line: &[G], key: u64) -> bool {
        let mut root = ROOT;
        for (index, position) in line.iter().enumerate() {
            let next = line.get(index + 1).map_or(key, G::key);
            let children = self.tree.children(root);
            let child = children.iter().position(|child| child.m.is_some_and(|m| position.play(m).key() == next));
            let Some(child) = child else { return false };
            root = self.tree.first(root) + child as u32;
        }
        if root == ROOT {
            return !line.is_empty() || self.tree.node(ROOT).is_expanded();
        }
        // The bounds and the mean are from the side that chose the move. The root has those of the side to move.
        let same_side = line.last().is_some_and(|last| {
            let m = self.tree.node(root).m;
            m.is_some_and(|m| last.play(m).turn() == last.turn())
        });
        self.tree.keep(root, 0);
        self.tree.turn_root(same_side);
        true
    }

    /// Simulates until a limit is reached. Returns whether the search is complete: the value is proved, or the depth reached.
    fn run<G, E>(
        &mut self,
        setup: &Setup<'_, G, E>,
        limits: &Limits<'_>,
        mut report: impl FnMut(&Worker<M>, u64),
    ) -> bool
    where
        G: Game<Move = M>,
        E: Evaluate<G>,
    {
        // Ends the search for all threads, also if the game panics.
        let _done = Done(&limits.done);
        let mut next_report = 64;
        loop {
            let finished =
                self.tree.node(ROOT).proven().is_some() || limits.depth.is_some_and(|depth| self.reaches(depth));
            // A move needs the list of moves.
            let has_moves = self.tree.node(ROOT).is_expanded();
            if finished || self.fault.is_some() || has_moves && limits.are_reached() {
                return finished;
            }
            let count = limits.simulations.fetch_add(1, Relaxed) + 1;
            if count > limits.nodes {
                limits.simulations.fetch_sub(1, Relaxed);
                return false;
            }
            self.simulate(setup);
            if count >= next_report {
                next_report = 2 * count;
                report(self, count);
            }
        }
    }

    /// Whether the principal variation has at least this number of moves.
    fn reaches(&self, depth: u8) -> bool {
        let visits = self.tree.node(ROOT).visits as usize;
        // Every move of the root is tried before the first result.
        self.deepest >= usize::from(depth)
            && visits > self.tree.children(ROOT).len()
            && line(&self.tree, ROOT, usize::from(depth)).len() >= usize::from(depth)
    }
}

/// Sets a flag when dropped.
struct Done<'f>(&'f AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// What ends a search.
struct Limits<'l> {
    nodes: u64,
    depth: Option<u8>,
    due: Option<Duration>,
    clock: Option<Clock>,
    stop: Option<&'l Stop>,
    /// A thread has finished.
    done: AtomicBool,
    /// The simulations of all threads.
    simulations: AtomicU64,
}

impl Limits<'_> {
    fn are_reached(&self) -> bool {
        self.done.load(Relaxed)
            || self.stop.is_some_and(|stop| stop.is_due(self.clock))
            || self.due.zip(self.clock).is_some_and(|(due, clock)| clock() >= due)
    }
}

/// Makes the results.
struct Progress<'p, G: Game> {
    lines: usize,
    started: Option<Duration>,
    clock: Option<Clock>,
    iterations: Vec<Iteration<G::Move>>,
    /// The counts of the iterations so far.
    reported: Counts,
    observer: &'p mut dyn Observer<G>,
}

impl<G: Game> Progress<'_, G> {
    fn elapsed(&self) -> Duration {
        self.started.zip(self.clock).map_or(Duration::ZERO, |(started, clock)| clock().saturating_sub(started))
    }

    /// Adds an iteration with the results of these trees, and reports it.
    fn report(&mut self, trees: &[&Tree<G::Move>], position: &G, deepest: usize, simulations: u64) {
        let new = simulations.saturating_sub(self.reported.nbp);
        let before: Duration = self.iterations.iter().map(|iteration| iteration.time).sum();
        let mut iteration = Iteration::default();
        let ranked = rank(trees, self.lines.max(1));
        let root = merged(trees, ROOT as usize, None);
        let exact = root.proven();
        iteration.value = exact.or_else(|| ranked.first().map(|best| best.value));
        iteration.f = root.f;
        iteration.exact = exact.is_some();
        if let Some(best) = ranked.first() {
            (iteration.best_move, iteration.pv) = (Some(best.m), best.pv.clone());
        }
        if ranked.is_empty() {
            // The game is over.
            iteration.value = over(position);
            iteration.f = iteration.value.map_or(Bounds::UNKNOWN, |value| Bounds { lower: value, upper: value });
            iteration.exact = true;
        }
        iteration.depth = depth(iteration.pv.len());
        let whole = |best: &Best<G::Move>| {
            let bounds = best.proven.unwrap_or(Bounds { lower: best.value, upper: best.value });
            RankedMove::new(best.m, bounds, iteration.depth.max(1), best.pv.clone())
        };
        iteration.ranked = ranked.iter().map(whole).collect();
        iteration.counts = counts(new);
        iteration.time = self.elapsed().saturating_sub(before);
        iteration.deepest = depth(deepest);
        let (used, room) = trees.iter().fold((0, 0), |(used, room), tree| (used + tree.len(), room + tree.capacity()));
        iteration.table_used = Some((used * 1_000 / room.max(1)) as u32);
        self.reported.nbp = simulations;
        self.observer.iteration(&iteration);
        self.iterations.push(iteration);
    }
}

/// The value of a position that has no moves.
fn over<G: Game>(position: &G) -> Option<Value> {
    let mut moves = Moves::new();
    let outcome = position.outcome().or_else(|| {
        position.moves(&mut moves);
        moves.is_empty().then(|| position.stuck())
    });
    outcome.map(crate::simulation::value_of)
}

/// One simulation is one leaf.
fn counts(simulations: u64) -> Counts {
    let mut counts = Counts::default();
    counts.nbp = simulations;
    counts
}

fn depth(plies: usize) -> u8 {
    plies.min(usize::from(MAX_DEPTH)) as u8
}

/// The results of a node in all trees.
struct Merged {
    visits: u64,
    wins: f64,
    f: Bounds,
}

impl Merged {
    fn mean(&self) -> f64 {
        if self.visits == 0 { 0.5 } else { self.wins / self.visits as f64 }
    }

    fn standing(&self) -> Standing {
        Standing::new(self.f.lower, self.proven(), self.visits, self.mean())
    }

    /// See [`Node::proven`].
    fn proven(&self) -> Option<Value> {
        let Bounds { lower, upper } = self.f;
        match () {
            () if lower.wins_in().is_some() || lower == upper => Some(lower),
            () if upper.loses_in().is_some() => Some(upper),
            () => None,
        }
    }
}

/// The sum over all trees of the root, or of a child of the root with this index.
fn merged<M: Copy>(trees: &[&Tree<M>], root: usize, child: Option<usize>) -> Merged {
    let mut sum = Merged { visits: 0, wins: 0.0, f: Bounds::UNKNOWN };
    for tree in trees {
        let node: &Node<M> = match child {
            None => tree.node(root as u32),
            // The thread was stopped before its first simulation.
            Some(index) => match tree.children(ROOT).get(index) {
                Some(node) => node,
                None => continue,
            },
        };
        sum.visits += u64::from(node.visits);
        sum.wins += f64::from(node.mean) * f64::from(node.visits);
        sum.f = Bounds { lower: sum.f.lower.max(node.lower()), upper: sum.f.upper.min(node.upper()) };
    }
    sum
}

/// A ranked move of the root.
struct Best<M> {
    m: M,
    value: Value,
    proven: Option<Bounds>,
    pv: Vec<M>,
}

/// The best moves of the root, best first: proven wins, then by visits, then proven losses.
fn rank<M: Copy>(trees: &[&Tree<M>], lines: usize) -> Vec<Best<M>> {
    let Some(tree) = trees.iter().max_by_key(|tree| tree.children(ROOT).len()) else { return Vec::new() };
    let mut moves: Vec<(usize, M, Merged)> = Vec::new();
    for (index, child) in tree.children(ROOT).iter().enumerate() {
        moves.extend(child.m.map(|m| (index, m, merged(trees, ROOT as usize, Some(index)))));
    }
    moves.sort_by(|(_, _, a), (_, _, b)| b.standing().compare(&a.standing()));
    secure_first(&mut moves, |(_, _, of)| of.standing(), merged(trees, ROOT as usize, None).proven().is_some());
    moves.truncate(lines);
    let best = |(index, m, of): (usize, M, Merged)| {
        let most = trees.iter().max_by_key(|tree| tree.children(ROOT).get(index).map_or(0, |child| child.visits));
        let below = most.filter(|tree| tree.children(ROOT).len() > index);
        let mut pv = vec![m];
        if let Some(tree) = below {
            pv.extend(line(tree, tree.first(ROOT) + index as u32, usize::from(MAX_DEPTH) - 1));
        }
        let proven = of.proven();
        let value = proven.unwrap_or_else(|| expected(of.mean()));
        Best { m, value, proven: proven.map(|_| of.f), pv }
    };
    moves.into_iter().map(best).collect()
}

/// What a move is ranked by.
#[derive(Clone, Copy)]
struct Standing {
    lower: Value,
    /// The proven win or loss, else 0.
    proven: i32,
    visits: u64,
    mean: f64,
}

impl Standing {
    fn new(lower: Value, proven: Option<Value>, visits: u64, mean: f64) -> Standing {
        let proven = proven.filter(|value| value.is_proven()).map_or(0, Value::get);
        Standing { lower, proven, visits, mean }
    }

    /// Wins from the nearest on, then by visits, and losses from the furthest on.
    fn compare(&self, other: &Standing) -> Ordering {
        (self.proven, self.visits).cmp(&(other.proven, other.visits)).then(self.mean.total_cmp(&other.mean))
    }
}

/// Puts the move with the greatest proven value first if it is worth as much as the first one seems to be, or if the value of
/// the position is proved. A proven move is not simulated again, so that its visits say nothing.
fn secure_first<T>(sorted: &mut [T], standing: impl Fn(&T) -> Standing, is_proven: bool) {
    let Some(first) = sorted.first().map(&standing) else { return };
    let bound = |of: &T| standing(of).lower;
    let secure = (0..sorted.len()).rev().max_by_key(|&index| bound(&sorted[index]));
    let Some(secure) = secure.filter(|&index| bound(&sorted[index]) > bound(&sorted[0])) else { return };
    let lower = bound(&sorted[secure]);
    let is_safe = lower != Value::NEG_INFINITY && lower.loses_in().is_none();
    if is_safe && (first.proven < 0 || is_proven || f64::from(result_of(lower)) >= first.mean) {
        sorted[..=secure].rotate_right(1);
    }
}

/// The best moves from a node on.
fn line<M: Copy>(tree: &Tree<M>, mut node: u32, longest: usize) -> Vec<M> {
    let mut moves = Vec::new();
    let standing = |child: &&(usize, &Node<M>)| {
        let child = child.1;
        Standing::new(child.lower(), child.proven(), child.visits.into(), child.mean.into())
    };
    while moves.len() < longest {
        let children: Vec<(usize, &Node<M>)> = tree.children(node).iter().enumerate().collect();
        let most = children.iter().rev().max_by(|a, b| standing(a).compare(&standing(b)));
        let secure = children.iter().rev().max_by_key(|child| child.1.lower());
        let mut two: Vec<&(usize, &Node<M>)> = most.into_iter().chain(secure).collect();
        secure_first(&mut two, |child| standing(child), tree.node(node).proven().is_some());
        let Some(&&(index, child)) = two.first() else { break };
        if child.visits == 0 && child.proven().is_none() {
            break;
        }
        moves.extend(child.m);
        node = tree.first(node) + index as u32;
    }
    moves
}

/// What some games of random moves show about a game and its evaluator.
#[derive(Clone, Copy)]
struct Sample {
    /// The mean size of the evaluations. 0: all of them are 0.
    scale: f32,
    /// Whether the sides alternate and every move takes one of the free cells: the other moves stay legal for the other side.
    takes_cells: bool,
}

impl Sample {
    fn new<G: Game, E: Evaluate<G>>(start: &G, evaluator: &E) -> Sample {
        let (mut sum, mut count, mut takes_cells) = (0.0_f64, 0_u32, true);
        for game in 0..SAMPLE_GAMES {
            let mut position = start.clone();
            let mut moves = legal_moves(&position);
            for ply in 0..SAMPLE_PLIES {
                let Some(&m) = moves.get((mix(game << 32 | ply) % moves.len().max(1) as u64) as usize) else { break };
                let next = position.play(m);
                let next_moves = legal_moves(&next);
                if !next_moves.is_empty() {
                    sum += f64::from(evaluator.evaluate(&next)).abs();
                    count += 1;
                    let is_left = |left: &G::Move| *left != m && moves.contains(left);
                    let one_less = next_moves.len() + 1 == moves.len() && next_moves.iter().all(is_left);
                    takes_cells &= one_less && next.turn() != position.turn();
                }
                (position, moves) = (next, next_moves);
            }
        }
        Sample { scale: (sum / f64::from(count.max(1))) as f32, takes_cells: takes_cells && count > 0 }
    }
}

const SAMPLE_GAMES: u64 = 4;
const SAMPLE_PLIES: u64 = 60;

/// The weight of AMAF in games in which every move takes a cell. Measured with 500 simulations per move and a weight of 300: it
/// wins 90 % of 20 games of Hex and 80 % of 30 of Gomoku, but 39 % of 60 of Dots and Boxes and 43 % of 30 of Breakthrough.
/// Weights from 300 to 1000 differ little.
const AMAF: f32 = 1_000.0;
