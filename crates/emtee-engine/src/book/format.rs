//! The file of a book: a text that people can read, and write.
//!
//! ```text
//! emtee book othello
//! # A move and what it is worth to whoever plays it. Replies stand one space further in.
//! f5 0
//!  d6 0
//!   c3 -1
//!  f6 -2
//! ```
//!
//! Only the values of the last moves count: those before them are the best of what follows. Where a position is reached in
//! two ways, what follows it stands below the first.

use std::collections::HashSet;
use std::fmt::Write;

use emtee::Value;

use super::graph::Graph;
use crate::registry::Entry;

/// What a file begins with, before the name of the game.
const HEAD: &str = "emtee book ";

impl Graph {
    /// Reads a book, or says what is wrong with it and where.
    pub(crate) fn read(text: &str, game: &dyn Entry) -> Result<Graph, String> {
        let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.split('#').next().unwrap_or_default()));
        let mut lines = lines.filter(|(_, line)| !line.trim().is_empty());
        match lines.next().and_then(|(_, first)| first.strip_prefix(HEAD)).map(str::trim) {
            None => return Err(format!("it does not begin with '{HEAD}{}'", game.name())),
            Some(other) if other != game.name() => {
                return Err(format!("it is a book of {other}, not of {}", game.name()));
            }
            Some(_) => {}
        }
        let mut graph = Graph::new(game.start());
        // The positions on the way to the last line, the start first.
        let mut line_of = vec![0];
        for (at, line) in lines {
            let bad = |why: &dyn ToString| format!("line {at}: {}", why.to_string());
            let words: Vec<&str> = line.split_whitespace().collect();
            let ply = line.len() - line.trim_start_matches(' ').len();
            let [m, value] = words[..] else { return Err(bad(&"it has to be a move and its value, like 'e4 12'")) };
            let value = value.parse().ok().filter(|value| (-Value::MAX_SCORE..=Value::MAX_SCORE).contains(value));
            let value = value.ok_or_else(|| bad(&format!("values lie within ±{}", Value::MAX_SCORE)))?;
            if ply >= line_of.len() {
                return Err(bad(&"a reply stands one space further in than its move"));
            }
            line_of.truncate(ply + 1);
            line_of.push(graph.add(line_of[ply], m, value).map_err(|error| bad(&error))?);
        }
        if graph.nodes.len() == 1 {
            return Err(String::from("there are no moves in it"));
        }
        graph.settle();
        Ok(graph)
    }

    /// The book as a text, which is the same for the same positions however they came about.
    pub(crate) fn text(&self, game: &str) -> String {
        let mut text = format!("{HEAD}{game}\n{REMARK}");
        self.write(0, &mut HashSet::from([self.nodes[0].key]), 0, &mut text);
        text
    }

    fn write(&self, at: usize, written: &mut HashSet<u64>, ply: usize, text: &mut String) {
        let node = &self.nodes[at];
        let mut moves: Vec<_> = node.moves.iter().map(|edge| (-self.worth(node, edge), &edge.m, edge.to)).collect();
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

const REMARK: &str = "# A move and what it is worth to whoever plays it. Replies stand one space further in.\n";
