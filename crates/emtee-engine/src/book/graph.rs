//! The graph of a book: positions, the moves between them, and the backup of values.

use std::collections::{HashMap, VecDeque};

use crate::error::Error;
use crate::position::Position;

/// The positions reachable from the start. Positions with the same key are one node.
pub(crate) struct Graph {
    /// The start position comes first.
    pub(crate) nodes: Vec<Node>,
    by_key: HashMap<u64, usize>,
}

pub(crate) struct Node {
    pub(crate) position: Box<dyn Position>,
    pub(crate) key: u64,
    /// The value for the side to move: that of the best move or, without moves, the stored value.
    pub(crate) value: i32,
    /// Whether the game is over here.
    pub(crate) over: bool,
    /// The minimum distance from the start, in moves.
    pub(crate) ply: u32,
    /// The good moves. Empty in a position that was not searched.
    pub(crate) moves: Vec<Edge>,
}

pub(crate) struct Edge {
    pub(crate) m: String,
    /// The node after the move.
    pub(crate) to: usize,
    /// The stored value, for the side that plays the move.
    stored: i32,
}

impl Graph {
    pub(crate) fn new(start: Box<dyn Position>) -> Graph {
        let mut graph = Graph { nodes: Vec::new(), by_key: HashMap::new() };
        graph.find(start, 0);
        graph
    }

    /// The node of a position. A new one gets this value.
    fn find(&mut self, position: Box<dyn Position>, value: i32) -> usize {
        let key = position.book_key();
        *self.by_key.entry(key).or_insert_with(|| {
            let over = position.ending().is_some();
            self.nodes.push(Node { position, key, value, over, ply: 0, moves: Vec::new() });
            self.nodes.len() - 1
        })
    }

    /// Adds a move with its value for the side that plays it, and returns the node after it. A move to the same node as
    /// another move, such as a mirror image, is not stored.
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
            moves.push(Edge { m: m.to_owned(), to, stored: value });
        }
        Ok(to)
    }

    /// The value of a move for the side that plays it. A move that leads back towards the start has its stored value,
    /// so that no value depends on itself.
    pub(crate) fn move_value(&self, from: &Node, edge: &Edge) -> i32 {
        let to = &self.nodes[edge.to];
        match (to.ply > from.ply, to.position.turn() == from.position.turn()) {
            (false, _) => edge.stored,
            (true, true) => to.value,
            (true, false) => -to.value,
        }
    }

    /// Recomputes the plies and backs up the values: the value of a position is that of its best move, whatever was
    /// stored for it. Returns the nodes, those near the start first.
    pub(crate) fn update(&mut self) -> Vec<usize> {
        let order = self.count_plies();
        for &index in order.iter().rev() {
            let node = &self.nodes[index];
            if let Some(best) = node.moves.iter().map(|edge| self.move_value(node, edge)).max() {
                self.nodes[index].value = best;
            }
        }
        order
    }

    fn count_plies(&mut self) -> Vec<usize> {
        let mut seen = vec![false; self.nodes.len()];
        let (mut order, mut queue) = (Vec::with_capacity(self.nodes.len()), VecDeque::from([(0, 0)]));
        seen[0] = true;
        while let Some((index, ply)) = queue.pop_front() {
            self.nodes[index].ply = ply;
            order.push(index);
            for edge in &self.nodes[index].moves {
                if !std::mem::replace(&mut seen[edge.to], true) {
                    queue.push_back((edge.to, ply + 1));
                }
            }
        }
        order
    }

    /// The value of every position for its side to move, by key.
    pub(crate) fn values(&self) -> HashMap<u64, i32> {
        self.nodes.iter().map(|node| (node.key, node.value)).collect()
    }
}
