//! The positions of a book, the moves between them, and how values come back along them.

use std::collections::{HashMap, VecDeque};

use crate::error::Error;
use crate::position::Position;

/// Positions that are reached from a first one. Those that share a key are one.
pub(crate) struct Graph {
    /// The first position comes first.
    pub(crate) nodes: Vec<Node>,
    by_key: HashMap<u64, usize>,
}

pub(crate) struct Node {
    pub(crate) position: Box<dyn Position>,
    pub(crate) key: u64,
    /// What it is worth to the side to move: the best of its moves, or what was said of it where it has none.
    pub(crate) value: i32,
    /// Whether the game is over here.
    pub(crate) over: bool,
    /// How many moves it is away from the first position, at least.
    pub(crate) ply: u32,
    /// The good moves; none in a position that nobody has looked at.
    pub(crate) moves: Vec<Edge>,
}

pub(crate) struct Edge {
    pub(crate) m: String,
    /// Where it leads.
    pub(crate) to: usize,
    /// What was said of it, for the side that plays it.
    said: i32,
}

impl Graph {
    pub(crate) fn new(start: Box<dyn Position>) -> Graph {
        let mut graph = Graph { nodes: Vec::new(), by_key: HashMap::new() };
        graph.find(start, 0);
        graph
    }

    /// Where the position stands, which is worth this if it is new.
    fn find(&mut self, position: Box<dyn Position>, value: i32) -> usize {
        let key = position.book_key();
        *self.by_key.entry(key).or_insert_with(|| {
            let over = position.ending().is_some();
            self.nodes.push(Node { position, key, value, over, ply: 0, moves: Vec::new() });
            self.nodes.len() - 1
        })
    }

    /// A move from a node, worth this to the side that plays it, and where it leads. A move that leads where another one does
    /// already, as a mirror image may, is not kept.
    pub(crate) fn add(&mut self, from: usize, m: &str, value: i32) -> Result<usize, Error> {
        let position = &self.nodes[from].position;
        let legal = position.moves();
        if !legal.iter().any(|legal| legal == m) {
            return Err(Error::BadMove { text: m.to_owned(), legal });
        }
        let after = position.after(m)?;
        let theirs = if after.turn() == position.turn() { value } else { -value };
        let to = self.find(after, theirs);
        let moves = &mut self.nodes[from].moves;
        if moves.iter().all(|edge| edge.to != to) {
            moves.push(Edge { m: m.to_owned(), to, said: value });
        }
        Ok(to)
    }

    /// What a move is worth to the side that plays it. One that leads back towards the start is worth what was said of it, so
    /// that no value depends on itself.
    pub(crate) fn worth(&self, from: &Node, edge: &Edge) -> i32 {
        let to = &self.nodes[edge.to];
        match (to.ply > from.ply, to.position.turn() == from.position.turn()) {
            (false, _) => edge.said,
            (true, true) => to.value,
            (true, false) => -to.value,
        }
    }

    /// Counts the plies anew, and brings values back: a position is worth its best move, whatever was said of it before. What it
    /// returns are the nodes, those near the start first.
    pub(crate) fn settle(&mut self) -> Vec<usize> {
        let order = self.count_plies();
        for &at in order.iter().rev() {
            let node = &self.nodes[at];
            if let Some(best) = node.moves.iter().map(|edge| self.worth(node, edge)).max() {
                self.nodes[at].value = best;
            }
        }
        order
    }

    fn count_plies(&mut self) -> Vec<usize> {
        let mut seen = vec![false; self.nodes.len()];
        let (mut order, mut queue) = (Vec::with_capacity(self.nodes.len()), VecDeque::from([(0, 0)]));
        seen[0] = true;
        while let Some((at, ply)) = queue.pop_front() {
            self.nodes[at].ply = ply;
            order.push(at);
            for edge in &self.nodes[at].moves {
                if !std::mem::replace(&mut seen[edge.to], true) {
                    queue.push_back((edge.to, ply + 1));
                }
            }
        }
        order
    }

    /// What every position is worth to its side to move, by key.
    pub(crate) fn values(&self) -> HashMap<u64, i32> {
        self.nodes.iter().map(|node| (node.key, node.value)).collect()
    }
}
