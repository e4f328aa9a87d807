//! The passes of a search on a tree, from its events, in the terms of the paper: nodes by their letters, and their bounds after each
//! pass, from MAX's side.

use emtee::research::{End, Visit, Window};
use emtee::{Bounds, Found, Value};
use emtee_engine::{Row, TreeEvent};
use emtee_games::tree::{Tree, TreeNode};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{FAINT, GOOD, HEADING, MARK, Output, counted};

/// One pass.
#[derive(Serialize)]
pub(super) struct PassRecord {
    /// γ or the window, as text.
    #[serde(rename = "window")]
    pub(super) request: String,
    /// γ; `None` for a window that is not null.
    gamma: Option<f64>,
    /// The result; `None` if the pass was not finished.
    pub(super) g: Option<i32>,
    /// Whether the pass failed low; `None` for a window that is not null.
    pub(super) failed_low: Option<bool>,
    /// The child of the root that the pass searches, for drivers that search one child at a time (MTD-best).
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    /// The leaves evaluated, in order.
    pub(super) leaves: Vec<LeafSeen>,
    /// The interior nodes visited, with their bounds after the pass.
    pub(super) nodes: Vec<NodeSeen>,
    #[serde(skip)]
    window: Window,
    /// The numbers of all nodes visited.
    #[serde(skip)]
    pub(super) visited: Vec<u32>,
}

impl PassRecord {
    /// Whether the pass failed low or high and the bound that this proves, after a separator. Empty for a window that is not
    /// null.
    pub(super) fn verdict(&self, separator: &str) -> String {
        let f = self.about.as_ref().map_or_else(|| String::from("f"), |name| format!("f({name})"));
        match (self.g, self.failed_low) {
            (Some(g), Some(true)) => format!("{separator}fails low: {f} ≤ {g}"),
            (Some(g), Some(false)) => format!("{separator}fails high: {f} ≥ {g}"),
            (Some(_), None) => String::new(),
            (None, _) => String::from("unfinished"),
        }
    }
}

/// A leaf that was evaluated.
#[derive(Serialize)]
pub(super) struct LeafSeen {
    pub(super) name: String,
    pub(super) value: i32,
    #[serde(skip)]
    pub(super) id: u32,
}

/// An interior node that was visited.
#[derive(Serialize, Clone)]
pub(super) struct NodeSeen {
    pub(super) name: String,
    max: bool,
    lower: i32,
    upper: i32,
    #[serde(skip)]
    pub(super) id: u32,
    #[serde(skip)]
    pub(super) f: Bounds,
}

/// The passes of a search.
pub(super) struct Recorder<'t> {
    tree: &'t Tree,
    /// The letter of each node, the same for every algorithm.
    names: &'t [String],
    /// Whether each node has been visited.
    visited: Vec<bool>,
    /// The bounds of each node, from MAX's side.
    known: Vec<Option<Bounds>>,
    pub(super) passes: Vec<PassRecord>,
}

impl<'t> Recorder<'t> {
    /// The passes of a search with these events and this result.
    pub(super) fn of(tree: &'t Tree, names: &'t [String], events: &[TreeEvent], found: &Found<u16>) -> Recorder<'t> {
        let nodes = tree.nodes().len();
        let mut recorder =
            Recorder { tree, names, visited: vec![false; nodes], known: vec![None; nodes], passes: Vec::new() };
        for event in events {
            match *event {
                TreeEvent::PassStart(window) => recorder.pass(window),
                TreeEvent::Enter { node, .. } => recorder.enter(node),
                TreeEvent::Leave { node, visit } => {
                    if let Some(n) = tree.node(node) {
                        recorder.leave(n, &visit);
                    }
                }
                TreeEvent::PassEnd(_) => {}
            }
        }
        recorder.finish(found);
        recorder
    }

    /// All leaf values in the order they were evaluated, from MAX's side.
    pub(super) fn leaves(&self) -> Vec<i32> {
        self.passes.iter().flat_map(|pass| pass.leaves.iter().map(|leaf| leaf.value)).collect()
    }

    /// The letter of a node.
    pub(super) fn name(&self, id: u32) -> &'t str {
        self.names.get(id as usize).map_or("", String::as_str)
    }

    /// The name of a child of the root.
    fn child(&self, number: u16) -> String {
        self.tree.root().child(number).map(|child| self.name(child.id()).to_owned()).unwrap_or_default()
    }

    /// Adds the result of each pass.
    fn finish(&mut self, found: &Found<u16>) {
        let passes = found.iterations.iter().flat_map(|iteration| &iteration.passes);
        for (index, pass) in passes.enumerate().take(self.passes.len()) {
            let about = pass.about.map(|number| self.child(number));
            let record = &mut self.passes[index];
            record.g = Some(pass.g.get());
            record.failed_low = record.window.is_null().then(|| pass.g < record.window.low);
            record.about = about;
            // In alphabetical order.
            record.nodes.sort_by(|a, b| (a.name.len(), &a.name).cmp(&(b.name.len(), &b.name)));
        }
    }

    /// Prints the passes and the tree.
    pub(super) fn print(&self, row: &Row, output: &mut Output) -> Result<(), Failure> {
        let (nodes, leaves) = (self.tree.nodes().len(), self.tree.nodes().filter(|n| n.leaf().is_some()).count());
        let sides = if self.tree.root().is_max() {
            "all values from MAX's side"
        } else {
            "nodes and leaves from MAX's side; γ, g and the value from the side of MIN, which moves first"
        };
        output.line(format!(
            "{HEADING}{}{HEADING:#} on a tree of {nodes} nodes, {leaves} of them leaves; {sides}\n",
            row.algorithm
        ))?;
        for (index, pass) in self.passes.iter().enumerate() {
            let g = pass.g.map(|g| format!("g = {MARK}{g}{MARK:#}")).unwrap_or_default();
            output.line(format!(
                "{HEADING}pass {}{HEADING:#}   {}   {g}{}",
                index + 1,
                pass.request,
                pass.verdict(", ")
            ))?;
            let new: Vec<String> = pass.leaves.iter().map(|leaf| format!("{}={}", leaf.name, leaf.value)).collect();
            let new = if new.is_empty() { String::from("none") } else { new.join(" ") };
            output.line(format!("  leaves evaluated  {GOOD}{new}{GOOD:#}"))?;
            let known: Vec<String> =
                pass.nodes.iter().map(|node| format!("{}{}", node.name, relation(node.f))).collect();
            output.line(format!("  nodes visited     {}\n", known.join("  ")))?;
        }
        if nodes <= 200 {
            output.line(format!("{FAINT}□ MAX moves  ○ MIN moves  faint: never visited{FAINT:#}"))?;
            self.outline(self.tree.root(), "", "", output)?;
            output.line("")?;
        }
        let to = row.best_move.as_deref().and_then(|number| number.parse().ok());
        output.line(format!(
            "value {MARK}{}{MARK:#}, best move to {}: {}, {} evaluated of {leaves}",
            row.value_text,
            to.map_or_else(|| String::from("-"), |number| self.child(number)),
            counted(row.passes as u64, "pass", "passes"),
            counted(row.counts.nbp, "leaf", "leaves")
        ))
    }

    /// Whether a node was visited.
    pub(super) fn visits(&self, id: u32) -> bool {
        self.visited[id as usize]
    }

    /// The value of a leaf, or the final bounds of an interior node, as text.
    pub(super) fn known(&self, n: TreeNode) -> String {
        match n.value() {
            Some(value) => format!("= {value}"),
            None => self.known[n.id() as usize].map(relation).unwrap_or_default().trim().to_owned(),
        }
    }

    /// A node with its value or final bounds, as coloured text.
    fn node_text(&self, n: TreeNode) -> String {
        let (id, name) = (n.id() as usize, self.name(n.id()));
        let side = if n.is_max() { "□" } else { "○" };
        match (self.visited[id], n.value()) {
            (true, Some(value)) => format!("{GOOD}{name} = {value}{GOOD:#}"),
            (true, None) => format!("{side} {name}{}", self.known[id].map(relation).unwrap_or_default()),
            (false, Some(value)) => format!("{FAINT}{name} = {value}{FAINT:#}"),
            (false, None) => format!("{FAINT}{side} {name}{FAINT:#}"),
        }
    }

    /// Prints the tree with the final bounds.
    fn outline(&self, n: TreeNode, here: &str, below: &str, output: &mut Output) -> Result<(), Failure> {
        let text = self.node_text(n);
        output.line(format!("  {FAINT}{here}{FAINT:#}{text}"))?;
        let mut children = n.children().peekable();
        while let Some(child) = children.next() {
            let (branch, rest) = if children.peek().is_some() { ("├─ ", "│  ") } else { ("└─ ", "   ") };
            self.outline(child, &format!("{below}{branch}"), &format!("{below}{rest}"), output)?;
        }
        Ok(())
    }
}

/// The bounds of a node as text to follow its name.
pub(super) fn relation(f: Bounds) -> String {
    let known = |value: Value| value.get().abs() < Value::INFINITY.get();
    match (known(f.lower), known(f.upper)) {
        (true, true) if f.lower == f.upper => format!(" = {}", f.lower),
        (true, true) => format!(" ∈ [{}, {}]", f.lower, f.upper),
        (true, false) => format!(" ≥ {}", f.lower),
        (false, true) => format!(" ≤ {}", f.upper),
        (false, false) => String::new(),
    }
}

impl Recorder<'_> {
    fn pass(&mut self, window: Window) {
        let null = window.is_null();
        let request = if null {
            format!("γ = {}", window.low)
        } else {
            format!("window ({}, {})", window.alpha(), window.beta())
        };
        self.passes.push(PassRecord {
            request,
            gamma: null.then(|| window.low.as_f64()),
            g: None,
            failed_low: None,
            about: None,
            leaves: Vec::new(),
            nodes: Vec::new(),
            window,
            visited: Vec::new(),
        });
    }

    fn enter(&mut self, node: u32) {
        self.visited[node as usize] = true;
        if let Some(pass) = self.passes.last_mut() {
            pass.visited.push(node);
        }
    }

    fn leave(&mut self, n: TreeNode<'_>, visit: &Visit) {
        let Bounds { lower, upper } = visit.f;
        let f = if n.is_max() { visit.f } else { Bounds { lower: -upper, upper: -lower } };
        // The search expands the root without its stored bounds; the bounds of earlier passes still hold.
        let known = &mut self.known[n.id() as usize];
        let before = known.unwrap_or(Bounds::UNKNOWN);
        let both = Bounds { lower: f.lower.max(before.lower), upper: f.upper.min(before.upper) };
        let f = if both.crossed() { f } else { both };
        *known = Some(f);
        let name = self.name(n.id()).to_owned();
        let Some(pass) = self.passes.last_mut() else { return };
        match visit.end {
            End::Evaluated => {
                let value = if n.is_max() { visit.g } else { -visit.g };
                pass.leaves.push(LeafSeen { name, value: value.get(), id: n.id() });
            }
            End::Expanded | End::Answered if n.leaf().is_none() => {
                let (lower, upper) = (f.lower.get(), f.upper.get());
                pass.nodes.retain(|seen| seen.id != n.id());
                pass.nodes.push(NodeSeen { name, max: n.is_max(), lower, upper, id: n.id(), f });
            }
            _ => {}
        }
    }
}
