//! The rival, on a virtual clock: transposition-driven scheduling, where each position has a rank that owns it and questions
//! travel to their owners.
//!
//! ```text
//! cargo run --release --example owners -- othello 13 16 3
//! ```
//!
//! names the game, the depth, the ranks and the height up to which an owner searches what is below by itself. Two positions
//! after random moves, MTD-f in steps of two plies, children in the order of their evaluations, tables without limit. A first
//! child is asked alone, then all others at once; who needs no answer any more says so. Ready nodes are visited from left to
//! right. The network is that of `emtee-mpi simulate`: 10 µs, letters of 0.5 µs at either end that wait for 5 µs, notes of 60 ns
//! (they carry a position), and visits of 600 ns.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use emtee::{Game, Outcome, legal_moves, mix};

const VISIT: u64 = 600;
const LATENCY: u64 = 10_000;
const LETTER: u64 = 500;
const NOTE: u64 = 60;
const FLUSH: u64 = 5_000;
/// How long the 48 bytes of a note take to leave, at 1,000 megabytes a second.
const BYTES: u64 = 48;

const INFINITY: i32 = 1 << 20;
const WIN: i32 = 100_000;

/// Is the value at least so much?
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Question {
    key: u64,
    depth: u8,
    least: i32,
}

impl Question {
    fn of_child<G: Game>(self, child: &Child<G>) -> Question {
        let least = if child.again { self.least } else { 1 - self.least };
        Question { key: child.key, depth: self.depth - 1, least }
    }
}

#[derive(Clone)]
struct Child<G> {
    key: u64,
    position: G,
    /// Whether the same side moves again.
    again: bool,
}

impl<G> Child<G> {
    fn back(&self, value: i32) -> i32 {
        if self.again { value } else { -value }
    }
}

fn ended<G: Game>(position: &G) -> Option<i32> {
    position.outcome().map(|outcome| match outcome {
        Outcome::Won => WIN,
        Outcome::Lost => -WIN,
        Outcome::Drawn => 0,
        Outcome::Points(points) => points,
    })
}

/// The children, the one that was best before first, then by their evaluations.
fn children<G: Game>(position: &G, best: Option<u64>) -> Vec<Child<G>> {
    let child = |m| {
        let child = position.play(m);
        Child { key: child.key(), again: child.turn() == position.turn(), position: child }
    };
    let mut children: Vec<Child<G>> = legal_moves(position).into_iter().map(child).collect();
    children.sort_by_cached_key(|child| {
        let value = ended(&child.position).unwrap_or_else(|| child.position.evaluate());
        (Some(child.key) != best, -child.back(value))
    });
    children
}

/// Bounds by key and depth, and best children by key.
#[derive(Default)]
struct Table {
    bounds: HashMap<(u64, u8), (i32, i32)>,
    best: HashMap<u64, u64>,
}

impl Table {
    fn answer(&self, asked: Question) -> Option<i32> {
        let &(lower, upper) = self.bounds.get(&(asked.key, asked.depth))?;
        if lower >= asked.least { Some(lower) } else { Some(upper).filter(|&upper| upper < asked.least) }
    }

    fn store(&mut self, asked: Question, g: i32, best: Option<u64>) {
        let bounds = self.bounds.entry((asked.key, asked.depth)).or_insert((-INFINITY, INFINITY));
        if g >= asked.least {
            bounds.0 = bounds.0.max(g);
            best.and_then(|best| self.best.insert(asked.key, best));
        } else {
            bounds.1 = bounds.1.min(g);
        }
    }

    /// MT, on one rank.
    fn mt<G: Game>(&mut self, position: &G, asked: Question, visits: &mut u64) -> i32 {
        *visits += 1;
        if let Some(g) = self.answer(asked) {
            return g;
        }
        let (mut g, mut best) = (-INFINITY, None);
        if let Some(value) = ended(position) {
            g = value;
        } else if asked.depth == 0 {
            return position.evaluate();
        } else {
            let children = children(position, self.best.get(&asked.key).copied());
            if children.is_empty() {
                g = 0;
            }
            for child in &children {
                let v = child.back(self.mt(&child.position, asked.of_child(child), visits));
                if v > g {
                    (g, best) = (v, Some(child.key));
                }
                if g >= asked.least {
                    break;
                }
            }
        }
        self.store(asked, g, best);
        g
    }
}

/// Who wants to know: a question of a rank's, by one of its children, or the driver.
#[derive(Clone, Copy, PartialEq)]
struct Asker {
    rank: usize,
    of: Option<(Question, usize)>,
}

enum Message<G> {
    Ask { position: G, asked: Question, path: Vec<u8>, asker: Asker },
    Answer { asker: Asker, g: i32 },
    Withdraw { asked: Question, asker: Asker },
}

/// A node that is being answered.
struct Node<G> {
    position: G,
    /// Where it stands in the tree, from left to right.
    path: Vec<u8>,
    begun: bool,
    children: Vec<Child<G>>,
    next: usize,
    open: Vec<usize>,
    g: i32,
    best: Option<u64>,
    askers: Vec<Asker>,
}

struct Rank<G> {
    clock: u64,
    /// When it goes on, the end of time while it has nothing to do.
    turn: u64,
    table: Table,
    nodes: HashMap<Question, Node<G>>,
    ready: BTreeMap<(Vec<u8>, u64), Question>,
    inbox: BinaryHeap<Reverse<(u64, u64)>>,
    /// For each rank, since when and what.
    outbox: Vec<(u64, Vec<Message<G>>)>,
    visits: u64,
}

struct Cluster<G> {
    ranks: Vec<Rank<G>>,
    /// Up to this height an owner searches by itself.
    alone: u8,
    letters: HashMap<u64, Vec<Message<G>>>,
    /// Who is to go on, and when.
    turns: BinaryHeap<Reverse<(u64, usize)>>,
    counter: u64,
    /// The answer of the pass, and when it was there.
    answer: Option<(i32, u64)>,
}

impl<G: Game> Cluster<G> {
    fn new(ranks: usize, alone: u8) -> Cluster<G> {
        let rank = |_| Rank {
            clock: 0,
            turn: u64::MAX,
            table: Table::default(),
            nodes: HashMap::new(),
            ready: BTreeMap::new(),
            inbox: BinaryHeap::new(),
            outbox: (0..ranks).map(|_| (0, Vec::new())).collect(),
            visits: 0,
        };
        let (letters, turns) = (HashMap::new(), BinaryHeap::new());
        Cluster { ranks: (0..ranks).map(rank).collect(), alone, letters, turns, counter: 0, answer: None }
    }

    fn owner(&self, key: u64) -> usize {
        (mix(key ^ 0x55) % self.ranks.len() as u64) as usize
    }

    fn number(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    /// A rank goes on then, unless it does so before.
    fn call(&mut self, rank: usize, at: u64) {
        let own = &mut self.ranks[rank];
        let at = at.max(own.clock);
        if at < own.turn {
            own.turn = at;
            self.turns.push(Reverse((at, rank)));
        }
    }

    fn spend_visits(&mut self, rank: usize, visits: u64) {
        self.ranks[rank].visits += visits;
        self.ranks[rank].clock += visits * VISIT;
    }

    fn post(&mut self, from: usize, to: usize, note: Message<G>) {
        if from == to {
            return self.take(to, note);
        }
        let rank = &mut self.ranks[from];
        rank.clock += NOTE;
        let (since, notes) = &mut rank.outbox[to];
        if notes.is_empty() {
            *since = rank.clock;
        }
        notes.push(note);
    }

    /// Sends what has waited long enough, or everything.
    fn flush(&mut self, from: usize, everything: bool) {
        for to in 0..self.ranks.len() {
            let rank = &mut self.ranks[from];
            let (since, notes) = &mut rank.outbox[to];
            if notes.is_empty() || !everything && rank.clock - *since < FLUSH {
                continue;
            }
            let notes = std::mem::take(notes);
            rank.clock += LETTER;
            let at = rank.clock + LATENCY + BYTES * notes.len() as u64;
            let number = self.number();
            self.letters.insert(number, notes);
            self.ranks[to].inbox.push(Reverse((at, number)));
            self.call(to, at);
        }
    }

    fn take(&mut self, rank: usize, note: Message<G>) {
        match note {
            Message::Ask { position, asked, path, asker } => {
                if let Some(g) = self.ranks[rank].table.answer(asked) {
                    self.spend_visits(rank, 1);
                    return self.post(rank, asker.rank, Message::Answer { asker, g });
                }
                // Whoever asks the same waits for the same answer: nothing is done twice.
                if let Some(node) = self.ranks[rank].nodes.get_mut(&asked) {
                    return node.askers.push(asker);
                }
                let number = self.number();
                self.ranks[rank].ready.insert((path.clone(), number), asked);
                let (children, open, askers) = (Vec::new(), Vec::new(), vec![asker]);
                let (begun, next, g, best) = (false, 0, -INFINITY, None);
                let node = Node { position, path, begun, children, next, open, g, best, askers };
                self.ranks[rank].nodes.insert(asked, node);
            }
            Message::Answer { asker, g } => {
                let Some((asked, index)) = asker.of else {
                    self.answer = Some((g, self.ranks[rank].clock));
                    return;
                };
                let Some(node) = self.ranks[rank].nodes.get_mut(&asked) else { return };
                let Some(at) = node.open.iter().position(|&open| open == index) else { return };
                node.open.swap_remove(at);
                let v = node.children[index].back(g);
                if v > node.g {
                    (node.g, node.best) = (v, Some(node.children[index].key));
                }
                if node.g >= asked.least || node.open.is_empty() && node.next == node.children.len() {
                    self.finish(rank, asked);
                } else {
                    self.ask_children(rank, asked);
                }
            }
            Message::Withdraw { asked, asker } => {
                let Some(node) = self.ranks[rank].nodes.get_mut(&asked) else { return };
                node.askers.retain(|&other| other != asker);
                if node.askers.is_empty() {
                    self.withdraw_children(rank, asked);
                    self.ranks[rank].nodes.remove(&asked);
                }
            }
        }
    }

    /// The first child alone, and once its answer is there all others.
    fn ask_children(&mut self, rank: usize, asked: Question) {
        while let Some(node) = self.ranks[rank].nodes.get_mut(&asked) {
            let waits = node.g == -INFINITY && !node.open.is_empty();
            if node.next == node.children.len() || waits {
                return;
            }
            let index = node.next;
            node.next += 1;
            node.open.push(index);
            let child = node.children[index].clone();
            let path = [&node.path[..], &[index as u8]].concat();
            let asker = Asker { rank, of: Some((asked, index)) };
            let note = Message::Ask { asked: asked.of_child(&child), position: child.position, path, asker };
            self.post(rank, self.owner(child.key), note);
        }
    }

    fn withdraw_children(&mut self, rank: usize, asked: Question) {
        let Some(node) = self.ranks[rank].nodes.get(&asked) else { return };
        let open: Vec<(usize, Question)> =
            node.open.iter().map(|&index| (index, asked.of_child(&node.children[index]))).collect();
        for (index, of_child) in open {
            let asker = Asker { rank, of: Some((asked, index)) };
            self.post(rank, self.owner(of_child.key), Message::Withdraw { asked: of_child, asker });
        }
    }

    fn finish(&mut self, rank: usize, asked: Question) {
        self.withdraw_children(rank, asked);
        let Some(node) = self.ranks[rank].nodes.remove(&asked) else { return };
        self.ranks[rank].table.store(asked, node.g, node.best);
        for asker in node.askers {
            self.post(rank, asker.rank, Message::Answer { asker, g: node.g });
        }
    }

    /// Reads letters and visits a node. Returns whether there was one.
    fn go_on(&mut self, rank: usize) -> bool {
        while let Some(&Reverse((at, number))) = self.ranks[rank].inbox.peek()
            && at <= self.ranks[rank].clock
        {
            self.ranks[rank].inbox.pop();
            let notes = self.letters.remove(&number).unwrap_or_default();
            self.ranks[rank].clock += LETTER + NOTE * notes.len() as u64;
            for note in notes {
                self.take(rank, note);
            }
        }
        while let Some(((path, _), asked)) = self.ranks[rank].ready.pop_first() {
            let own = &mut self.ranks[rank];
            let Some(node) = own.nodes.get_mut(&asked).filter(|node| !node.begun && node.path == path) else {
                continue;
            };
            node.begun = true;
            let mut visits = 1;
            if ended(&node.position).is_some() || asked.depth <= self.alone {
                visits = 0;
                node.g = own.table.mt(&node.position, asked, &mut visits);
            } else {
                node.children = children(&node.position, own.table.best.get(&asked.key).copied());
            }
            self.spend_visits(rank, visits);
            let node = &mut self.ranks[rank].nodes.get_mut(&asked);
            match node {
                Some(node) if node.children.is_empty() => {
                    if node.g == -INFINITY {
                        node.g = 0; // There is no move.
                    }
                    self.finish(rank, asked);
                }
                _ => self.ask_children(rank, asked),
            }
            self.flush(rank, false);
            return true;
        }
        self.flush(rank, true);
        false
    }

    /// One pass, begun by all ranks when the last one has ended.
    fn pass(&mut self, root: &G, depth: u8, least: i32) -> i32 {
        let now = self.answer.map_or(0, |(_, at)| at);
        for rank in &mut self.ranks {
            (rank.clock, rank.turn) = (now, u64::MAX);
            rank.nodes.clear();
            rank.ready.clear();
            rank.inbox.clear();
            rank.outbox.iter_mut().for_each(|(_, notes)| notes.clear());
        }
        self.letters.clear();
        self.turns.clear();
        self.answer = None;
        let asked = Question { key: root.key(), depth, least };
        let owner = self.owner(asked.key);
        let asker = Asker { rank: owner, of: None };
        self.take(owner, Message::Ask { position: root.clone(), asked, path: Vec::new(), asker });
        self.call(owner, now);
        loop {
            if let Some((g, _)) = self.answer {
                return g;
            }
            let Some(Reverse((at, rank))) = self.turns.pop() else { unreachable!("a question is open") };
            if at != self.ranks[rank].turn {
                continue;
            }
            (self.ranks[rank].clock, self.ranks[rank].turn) = (at, u64::MAX);
            let next = if self.go_on(rank) {
                Some(self.ranks[rank].clock)
            } else {
                self.ranks[rank].inbox.peek().map(|Reverse((at, _))| *at)
            };
            if let Some(next) = next {
                self.call(rank, next);
            }
        }
    }
}

/// MTD-f in steps of two plies.
fn mtd_f<G: Game>(root: &G, depth: u8, mut pass: impl FnMut(Question) -> i32) -> i32 {
    let mut g = root.evaluate();
    for depth in (2 - depth % 2..=depth).step_by(2) {
        let (mut lower, mut upper) = (-INFINITY, INFINITY);
        while lower < upper {
            let least = if g == lower { g + 1 } else { g };
            g = pass(Question { key: root.key(), depth, least });
            if g >= least {
                lower = g;
            } else {
                upper = g;
            }
        }
    }
    g
}

/// A position after so many random moves, with a choice.
fn position<G: Game>(start: &G, plies: usize, mut seed: u64) -> G {
    loop {
        let mut position = start.clone();
        for _ in 0..plies {
            let moves = legal_moves(&position);
            seed = mix(seed + 1);
            let Some(&m) = moves.get((seed % moves.len().max(1) as u64) as usize) else { break };
            position = position.play(m);
        }
        if legal_moves(&position).len() > 1 {
            return position;
        }
    }
}

fn compare<G: Game>(start: &G, plies: usize, depth: u8, ranks: usize, alone: u8) {
    for seed in [7919, 15_838] {
        let root = position(start, plies, seed);
        let (mut table, mut visits) = (Table::default(), 0);
        let value = mtd_f(&root, depth, |asked| table.mt(&root, asked, &mut visits));
        let mut cluster = Cluster::new(ranks, alone);
        let found = mtd_f(&root, depth, |asked| cluster.pass(&root, asked.depth, asked.least));
        assert_eq!(found, value, "an owner's answer is that of one thread");
        let (one, all) = (visits * VISIT, cluster.answer.map_or(1, |(_, at)| at));
        let nodes = cluster.ranks.iter().map(|rank| rank.visits).sum::<u64>() as f64 / visits as f64;
        let (speedup, seconds) = (one as f64 / all as f64, one as f64 / 1e9);
        println!(
            "depth {depth}, {ranks} ranks: speedup {speedup:.1}, {nodes:.2} times the nodes, {seconds:.2} s on one"
        );
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |at: usize| arguments.get(at).and_then(|number| number.parse::<u8>().ok()).filter(|&number| number > 0);
    let (Some(game), Some(depth), Some(ranks), Some(alone)) = (arguments.first(), number(1), number(2), number(3))
    else {
        eprintln!("error: name a game, a depth, ranks and a height, each at least 1: othello 13 16 3");
        std::process::exit(2);
    };
    match game.as_str() {
        "othello" => compare(&emtee_games::othello::Board::default(), 10, depth, ranks.into(), alone),
        "checkers" => compare(&emtee_games::checkers::Board::default(), 8, depth, ranks.into(), alone),
        "chess" => compare(&emtee_games::chess::Board::default(), 8, depth, ranks.into(), alone),
        _ => {
            eprintln!("error: the games are othello, checkers and chess");
            std::process::exit(2);
        }
    }
}
