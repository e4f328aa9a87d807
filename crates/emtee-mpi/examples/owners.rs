//! Transposition-driven scheduling on a virtual clock, to compare with `emtee-mpi search`: each position is owned by one rank,
//! and a request to search it is sent to its owner.
//!
//! ```text
//! cargo run --release --example owners -- othello 13 16 3
//! ```
//!
//! The arguments are the game, the depth, the ranks and the height up to which an owner searches a subtree by itself. Two
//! positions after random moves, MTD-f in steps of two plies, children in the order of their evaluations, unbounded tables. The
//! first child is requested alone, then all others at once; a request that is not needed any more is cancelled. Ready nodes are
//! visited from left to right. The network is that of `emtee-mpi simulate`: a latency of 10 µs, packets that cost 0.5 µs at
//! either end and are sent after 5 µs, messages of 60 ns (they carry a position), and visits of 600 ns.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use emtee::{Game, Outcome, legal_moves, mix};

// All times in nanoseconds.
const VISIT: u64 = 600;
const LATENCY: u64 = 10_000;
const PACKET_COST: u64 = 500;
const MESSAGE_COST: u64 = 60;
const FLUSH_INTERVAL: u64 = 5_000;
/// The transmission time of a message of 48 bytes, at 1,000 megabytes per second.
const TRANSMISSION: u64 = 48;

const INFINITY: i32 = 1 << 20;
const WIN: i32 = 100_000;

/// A search request: is the value at least `least`?
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Request {
    key: u64,
    depth: u8,
    least: i32,
}

impl Request {
    fn of_child<G: Game>(self, child: &Child<G>) -> Request {
        let least = if child.same_turn { self.least } else { 1 - self.least };
        Request { key: child.key, depth: self.depth - 1, least }
    }
}

#[derive(Clone)]
struct Child<G> {
    key: u64,
    position: G,
    /// Whether the same side moves again.
    same_turn: bool,
}

impl<G> Child<G> {
    fn to_parent(&self, value: i32) -> i32 {
        if self.same_turn { value } else { -value }
    }
}

fn final_value<G: Game>(position: &G) -> Option<i32> {
    position.outcome().map(|outcome| match outcome {
        Outcome::Won => WIN,
        Outcome::Lost => -WIN,
        Outcome::Drawn => 0,
        Outcome::Points(points) => points,
    })
}

/// The children: the best child of the table first, then by their evaluations.
fn children<G: Game>(position: &G, best: Option<u64>) -> Vec<Child<G>> {
    let child = |m| {
        let child = position.play(m);
        Child { key: child.key(), same_turn: child.turn() == position.turn(), position: child }
    };
    let mut children: Vec<Child<G>> = legal_moves(position).into_iter().map(child).collect();
    children.sort_by_cached_key(|child| {
        let value = final_value(&child.position).unwrap_or_else(|| child.position.evaluate());
        (Some(child.key) != best, -child.to_parent(value))
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
    fn lookup(&self, request: Request) -> Option<i32> {
        let &(lower, upper) = self.bounds.get(&(request.key, request.depth))?;
        if lower >= request.least { Some(lower) } else { Some(upper).filter(|&upper| upper < request.least) }
    }

    fn store(&mut self, request: Request, g: i32, best: Option<u64>) {
        let bounds = self.bounds.entry((request.key, request.depth)).or_insert((-INFINITY, INFINITY));
        if g >= request.least {
            bounds.0 = bounds.0.max(g);
            best.and_then(|best| self.best.insert(request.key, best));
        } else {
            bounds.1 = bounds.1.min(g);
        }
    }

    /// MT on one rank.
    fn mt<G: Game>(&mut self, position: &G, request: Request, visits: &mut u64) -> i32 {
        *visits += 1;
        if let Some(g) = self.lookup(request) {
            return g;
        }
        let (mut g, mut best) = (-INFINITY, None);
        if let Some(value) = final_value(position) {
            g = value;
        } else if request.depth == 0 {
            return position.evaluate();
        } else {
            let children = children(position, self.best.get(&request.key).copied());
            if children.is_empty() {
                g = 0;
            }
            for child in &children {
                let v = child.to_parent(self.mt(&child.position, request.of_child(child), visits));
                if v > g {
                    (g, best) = (v, Some(child.key));
                }
                if g >= request.least {
                    break;
                }
            }
        }
        self.store(request, g, best);
        g
    }
}

/// The sender of a request: a rank with the request of the parent and the index of the child; without them, the driver.
#[derive(Clone, Copy, PartialEq)]
struct Requester {
    rank: usize,
    parent: Option<(Request, usize)>,
}

enum Message<G> {
    Search { position: G, request: Request, path: Vec<u8>, requester: Requester },
    Answer { requester: Requester, g: i32 },
    Cancel { request: Request, requester: Requester },
}

/// A node that is being searched.
struct Node<G> {
    position: G,
    /// The indices of the moves that lead to it: their order is that of the tree from left to right.
    path: Vec<u8>,
    visited: bool,
    children: Vec<Child<G>>,
    next: usize,
    /// The children that are requested and not answered.
    pending: Vec<usize>,
    g: i32,
    best: Option<u64>,
    requesters: Vec<Requester>,
}

struct Rank<G> {
    clock: u64,
    /// The time of its next step; `u64::MAX` if it is idle.
    turn: u64,
    table: Table,
    nodes: HashMap<Request, Node<G>>,
    ready: BTreeMap<(Vec<u8>, u64), Request>,
    inbox: BinaryHeap<Reverse<(u64, u64)>>,
    /// For each rank, the waiting messages and the time of the first.
    outbox: Vec<(u64, Vec<Message<G>>)>,
    visits: u64,
}

struct Cluster<G> {
    ranks: Vec<Rank<G>>,
    /// Up to this height an owner searches by itself.
    local_height: u8,
    packets: HashMap<u64, Vec<Message<G>>>,
    /// The times of the next steps.
    turns: BinaryHeap<Reverse<(u64, usize)>>,
    counter: u64,
    /// The result of the pass and its time.
    result: Option<(i32, u64)>,
}

impl<G: Game> Cluster<G> {
    fn new(ranks: usize, local_height: u8) -> Cluster<G> {
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
        let (packets, turns) = (HashMap::new(), BinaryHeap::new());
        Cluster { ranks: (0..ranks).map(rank).collect(), local_height, packets, turns, counter: 0, result: None }
    }

    fn owner(&self, key: u64) -> usize {
        (mix(key ^ 0x55) % self.ranks.len() as u64) as usize
    }

    fn next_number(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    /// Schedules a step of a rank at a time, unless an earlier one is scheduled.
    fn schedule(&mut self, rank: usize, time: u64) {
        let own = &mut self.ranks[rank];
        let time = time.max(own.clock);
        if time < own.turn {
            own.turn = time;
            self.turns.push(Reverse((time, rank)));
        }
    }

    fn spend_visits(&mut self, rank: usize, visits: u64) {
        self.ranks[rank].visits += visits;
        self.ranks[rank].clock += visits * VISIT;
    }

    fn send(&mut self, from: usize, to: usize, message: Message<G>) {
        if from == to {
            return self.handle(to, message);
        }
        let rank = &mut self.ranks[from];
        rank.clock += MESSAGE_COST;
        let (since, messages) = &mut rank.outbox[to];
        if messages.is_empty() {
            *since = rank.clock;
        }
        messages.push(message);
    }

    /// Sends the messages that have waited long enough, or all.
    fn flush(&mut self, from: usize, everything: bool) {
        for to in 0..self.ranks.len() {
            let rank = &mut self.ranks[from];
            let (since, messages) = &mut rank.outbox[to];
            if messages.is_empty() || !everything && rank.clock - *since < FLUSH_INTERVAL {
                continue;
            }
            let messages = std::mem::take(messages);
            rank.clock += PACKET_COST;
            let arrival = rank.clock + LATENCY + TRANSMISSION * messages.len() as u64;
            let number = self.next_number();
            self.packets.insert(number, messages);
            self.ranks[to].inbox.push(Reverse((arrival, number)));
            self.schedule(to, arrival);
        }
    }

    fn handle(&mut self, rank: usize, message: Message<G>) {
        match message {
            Message::Search { position, request, path, requester } => {
                if let Some(g) = self.ranks[rank].table.lookup(request) {
                    self.spend_visits(rank, 1);
                    return self.send(rank, requester.rank, Message::Answer { requester, g });
                }
                // The same request from another rank waits for the same answer: nothing is searched twice.
                if let Some(node) = self.ranks[rank].nodes.get_mut(&request) {
                    return node.requesters.push(requester);
                }
                let number = self.next_number();
                self.ranks[rank].ready.insert((path.clone(), number), request);
                let (children, pending, requesters) = (Vec::new(), Vec::new(), vec![requester]);
                let (visited, next, g, best) = (false, 0, -INFINITY, None);
                let node = Node { position, path, visited, children, next, pending, g, best, requesters };
                self.ranks[rank].nodes.insert(request, node);
            }
            Message::Answer { requester, g } => {
                let Some((request, index)) = requester.parent else {
                    self.result = Some((g, self.ranks[rank].clock));
                    return;
                };
                let Some(node) = self.ranks[rank].nodes.get_mut(&request) else { return };
                let Some(place) = node.pending.iter().position(|&child| child == index) else { return };
                node.pending.swap_remove(place);
                let v = node.children[index].to_parent(g);
                if v > node.g {
                    (node.g, node.best) = (v, Some(node.children[index].key));
                }
                if node.g >= request.least || node.pending.is_empty() && node.next == node.children.len() {
                    self.finish(rank, request);
                } else {
                    self.request_children(rank, request);
                }
            }
            Message::Cancel { request, requester } => {
                let Some(node) = self.ranks[rank].nodes.get_mut(&request) else { return };
                node.requesters.retain(|&other| other != requester);
                if node.requesters.is_empty() {
                    self.cancel_children(rank, request);
                    self.ranks[rank].nodes.remove(&request);
                }
            }
        }
    }

    /// Requests the first child alone, and all others after its answer.
    fn request_children(&mut self, rank: usize, request: Request) {
        while let Some(node) = self.ranks[rank].nodes.get_mut(&request) {
            let waiting = node.g == -INFINITY && !node.pending.is_empty();
            if node.next == node.children.len() || waiting {
                return;
            }
            let index = node.next;
            node.next += 1;
            node.pending.push(index);
            let child = node.children[index].clone();
            let path = [&node.path[..], &[index as u8]].concat();
            let requester = Requester { rank, parent: Some((request, index)) };
            let message =
                Message::Search { request: request.of_child(&child), position: child.position, path, requester };
            self.send(rank, self.owner(child.key), message);
        }
    }

    fn cancel_children(&mut self, rank: usize, request: Request) {
        let Some(node) = self.ranks[rank].nodes.get(&request) else { return };
        let pending: Vec<(usize, Request)> =
            node.pending.iter().map(|&index| (index, request.of_child(&node.children[index]))).collect();
        for (index, child_request) in pending {
            let requester = Requester { rank, parent: Some((request, index)) };
            self.send(rank, self.owner(child_request.key), Message::Cancel { request: child_request, requester });
        }
    }

    fn finish(&mut self, rank: usize, request: Request) {
        self.cancel_children(rank, request);
        let Some(node) = self.ranks[rank].nodes.remove(&request) else { return };
        self.ranks[rank].table.store(request, node.g, node.best);
        for requester in node.requesters {
            self.send(rank, requester.rank, Message::Answer { requester, g: node.g });
        }
    }

    /// One step: reads packets and visits a node. Returns whether there was a node.
    fn step(&mut self, rank: usize) -> bool {
        while let Some(&Reverse((arrival, number))) = self.ranks[rank].inbox.peek()
            && arrival <= self.ranks[rank].clock
        {
            self.ranks[rank].inbox.pop();
            let messages = self.packets.remove(&number).unwrap_or_default();
            self.ranks[rank].clock += PACKET_COST + MESSAGE_COST * messages.len() as u64;
            for message in messages {
                self.handle(rank, message);
            }
        }
        while let Some(((path, _), request)) = self.ranks[rank].ready.pop_first() {
            let own = &mut self.ranks[rank];
            let Some(node) = own.nodes.get_mut(&request).filter(|node| !node.visited && node.path == path) else {
                continue;
            };
            node.visited = true;
            let mut visits = 1;
            if final_value(&node.position).is_some() || request.depth <= self.local_height {
                visits = 0;
                node.g = own.table.mt(&node.position, request, &mut visits);
            } else {
                node.children = children(&node.position, own.table.best.get(&request.key).copied());
            }
            self.spend_visits(rank, visits);
            let node = &mut self.ranks[rank].nodes.get_mut(&request);
            match node {
                Some(node) if node.children.is_empty() => {
                    if node.g == -INFINITY {
                        node.g = 0; // No legal move.
                    }
                    self.finish(rank, request);
                }
                _ => self.request_children(rank, request),
            }
            self.flush(rank, false);
            return true;
        }
        self.flush(rank, true);
        false
    }

    /// One pass. All ranks begin at the time of the last result.
    fn pass(&mut self, root: &G, depth: u8, least: i32) -> i32 {
        let now = self.result.map_or(0, |(_, time)| time);
        for rank in &mut self.ranks {
            (rank.clock, rank.turn) = (now, u64::MAX);
            rank.nodes.clear();
            rank.ready.clear();
            rank.inbox.clear();
            rank.outbox.iter_mut().for_each(|(_, messages)| messages.clear());
        }
        self.packets.clear();
        self.turns.clear();
        self.result = None;
        let request = Request { key: root.key(), depth, least };
        let owner = self.owner(request.key);
        let requester = Requester { rank: owner, parent: None };
        self.handle(owner, Message::Search { position: root.clone(), request, path: Vec::new(), requester });
        self.schedule(owner, now);
        loop {
            if let Some((g, _)) = self.result {
                return g;
            }
            let Some(Reverse((time, rank))) = self.turns.pop() else { unreachable!("a request is pending") };
            if time != self.ranks[rank].turn {
                continue;
            }
            (self.ranks[rank].clock, self.ranks[rank].turn) = (time, u64::MAX);
            let next = if self.step(rank) {
                Some(self.ranks[rank].clock)
            } else {
                self.ranks[rank].inbox.peek().map(|Reverse((arrival, _))| *arrival)
            };
            if let Some(next) = next {
                self.schedule(rank, next);
            }
        }
    }
}

/// MTD-f in steps of two plies.
fn mtd_f<G: Game>(root: &G, depth: u8, mut pass: impl FnMut(Request) -> i32) -> i32 {
    let mut g = root.evaluate();
    for depth in (2 - depth % 2..=depth).step_by(2) {
        let (mut lower, mut upper) = (-INFINITY, INFINITY);
        while lower < upper {
            let least = if g == lower { g + 1 } else { g };
            g = pass(Request { key: root.key(), depth, least });
            if g >= least {
                lower = g;
            } else {
                upper = g;
            }
        }
    }
    g
}

/// A position after this many random moves that has at least two legal moves.
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

fn compare<G: Game>(start: &G, plies: usize, depth: u8, ranks: usize, local_height: u8) {
    for seed in [7919, 15_838] {
        let root = position(start, plies, seed);
        let (mut table, mut visits) = (Table::default(), 0);
        let value = mtd_f(&root, depth, |request| table.mt(&root, request, &mut visits));
        let mut cluster = Cluster::new(ranks, local_height);
        let found = mtd_f(&root, depth, |request| cluster.pass(&root, request.depth, request.least));
        assert_eq!(found, value, "the ranks find the value of one thread");
        let (one_thread, all_ranks) = (visits * VISIT, cluster.result.map_or(1, |(_, time)| time));
        let nodes = cluster.ranks.iter().map(|rank| rank.visits).sum::<u64>() as f64 / visits as f64;
        let (speedup, seconds) = (one_thread as f64 / all_ranks as f64, one_thread as f64 / 1e9);
        println!(
            "depth {depth}, {ranks} ranks: speedup {speedup:.1}, {nodes:.2} times the nodes, {seconds:.2} s on one thread"
        );
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |index: usize| arguments.get(index).and_then(|number| number.parse::<u8>().ok()).filter(|&number| number > 0);
    let (Some(game), Some(depth), Some(ranks), Some(local_height)) =
        (arguments.first(), number(1), number(2), number(3))
    else {
        eprintln!("error: name a game, a depth, ranks and a height, each at least 1: othello 13 16 3");
        std::process::exit(2);
    };
    match game.as_str() {
        "othello" => compare(&emtee_games::othello::Board::default(), 10, depth, ranks.into(), local_height),
        "checkers" => compare(&emtee_games::checkers::Board::default(), 8, depth, ranks.into(), local_height),
        "chess" => compare(&emtee_games::chess::Board::default(), 8, depth, ranks.into(), local_height),
        _ => {
            eprintln!("error: the games are othello, checkers and chess");
            std::process::exit(2);
        }
    }
}
