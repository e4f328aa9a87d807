//! The text format of a book.
//!
//! ```text
//! emtee book othello
//! # A move and its value for the side that plays it. Replies are indented by one more space.
//! f5 0
//!  d6 0
//!   c3 -1
//!  f6 -2
//! ```
//!
//! Only the values of final moves count: other values are backed up from the replies. If a position is reached in two
//! ways, its replies follow the first occurrence.

use std::collections::HashSet;
use std::fmt::Write;

use emtee::Value;

use super::graph::Graph;
use crate::registry::Entry;

/// The first line, before the name of the game.
const HEADER: &str = "emtee book ";

impl Graph {
    /// Reads a book. The error says what is wrong and in which line.
    pub(crate) fn read(text: &str, game: &dyn Entry) -> Result<Graph, String> {
        let lines =
            text.lines().enumerate().map(|(number, line)| (number + 1, line.split('#').next().unwrap_or_default()));
        let mut lines = lines.filter(|(_, line)| !line.trim().is_empty());
        match lines.next().and_then(|(_, first)| first.strip_prefix(HEADER)).map(str::trim) {
            None => return Err(format!("it does not begin with '{HEADER}{}'", game.name())),
            Some(other) if other != game.name() => {
                return Err(format!("it is a book of {other}, not of {}", game.name()));
            }
            Some(_) => {}
        }
        let mut graph = Graph::new(game.start());
        // The positions on the path to the last line, the start position first.
        let mut line_of = vec![0];
        for (number, line) in lines {
            let bad = |why: &dyn ToString| format!("line {number}: {}", why.to_string());
            let words: Vec<&str> = line.split_whitespace().collect();
            let ply = line.len() - line.trim_start_matches(' ').len();
            let [m, value] = words[..] else { return Err(bad(&"write a move and its value, like 'e4 12'")) };
            let value = value.parse().ok().filter(|value| (-Value::MAX_SCORE..=Value::MAX_SCORE).contains(value));
            let value = value.ok_or_else(|| bad(&format!("values lie within ±{}", Value::MAX_SCORE)))?;
            if ply >= line_of.len() {
                return Err(bad(&"a reply is indented by one more space than its move"));
            }
            line_of.truncate(ply + 1);
            line_of.push(graph.add(line_of[ply], m, value).map_err(|error| bad(&error))?);
        }
        if graph.nodes.len() == 1 {
            return Err(String::from("it contains no moves"));
        }
        graph.update();
        Ok(graph)
    }

    /// The book as text. It depends only on the positions and not on how they were added.
    pub(crate) fn text(&self, game: &str) -> String {
        let mut text = format!("{HEADER}{game}\n{COMMENT}");
        self.write(0, &mut HashSet::from([self.nodes[0].key]), 0, &mut text);
        text
    }

    fn write(&self, node_index: usize, written: &mut HashSet<u64>, ply: usize, text: &mut String) {
        let node = &self.nodes[node_index];
        let mut moves: Vec<_> =
            node.moves.iter().map(|edge| (-self.move_value(node, edge), &edge.m, edge.to)).collect();
        moves.sort_unstable();
        for (loss, m, to) in moves {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{:ply$}{m} {}", "", -loss);
            if written.insert(self.nodes[to].key) {
                self.write(to, written, ply + 1, text);
            }
        }
    }
}

const COMMENT: &str = "# A move and its value for the side that plays it. Replies are indented by one more space.\n";
