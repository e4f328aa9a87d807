//! What happened on the tree, in the paper's terms: nodes named in the order they are first visited, and after each pass
//! what is known of them, from MAX's side.

use emtee::research::{End, Observer, Visit, Window};
use emtee::{Bounds, Found, Value};
use emtee_engine::Row;
use emtee_games::tree::{Tree, TreeNode};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{FAINT, GOOD, HEADING, MARK, Output, counted};

/// One pass.
#[derive(Serialize)]
pub(super) struct Chapter {
    /// What was asked, as it is read.
    pub(super) asked: String,
    /// γ; nothing for a window.
    gamma: Option<f64>,
    /// What was answered.
    pub(super) g: Option<i32>,
    /// Whether it failed low.
    pub(super) failed_low: Option<bool>,
    /// The child of the root that was asked about, where a pass asks about one (MTD-best).
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    /// The leaves evaluated, in order.
    pub(super) leaves: Vec<LeafSeen>,
    /// The interior nodes visited and what is known of them after the pass.
    pub(super) nodes: Vec<NodeSeen>,
    #[serde(skip)]
    window: Window,
    /// All nodes visited, by their number in the tree.
    #[serde(skip)]
    pub(super) visited: Vec<u32>,
}

impl Chapter {
    /// How the pass failed and what that proves, after a separator; nothing for a window, which need not fail.
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

/// The whole story.
pub(super) struct Story<'t> {
    tree: &'t Tree,
    /// The name of each node, once it has been visited.
    pub(super) names: Vec<Option<String>>,
    named: usize,
    /// What is known of each node, from MAX's side.
    known: Vec<Option<Bounds>>,
    pub(super) chapters: Vec<Chapter>,
}

impl<'t> Story<'t> {
    pub(super) fn of(tree: &'t Tree) -> Story<'t> {
        let nodes = tree.nodes().len();
        Story { tree, names: vec![None; nodes], named: 0, known: vec![None; nodes], chapters: Vec::new() }
    }

    /// All leaf values in the order they were evaluated, from MAX's side.
    pub(super) fn leaves(&self) -> Vec<i32> {
        self.chapters.iter().flat_map(|chapter| chapter.leaves.iter().map(|leaf| leaf.value)).collect()
    }

    pub(super) fn name(&self, id: u32) -> &str {
        self.names.get(id as usize).and_then(Option::as_deref).unwrap_or("")
    }

    /// The name of a child of the root.
    fn child(&self, number: u16) -> String {
        self.tree.root().child(number).map(|child| self.name(child.id()).to_owned()).unwrap_or_default()
    }

    /// Adds what each pass answered.
    pub(super) fn finish(&mut self, found: &Found<u16>) {
        let passes = found.iterations.iter().flat_map(|iteration| &iteration.passes);
        for (at, pass) in passes.enumerate().take(self.chapters.len()) {
            let about = pass.about.map(|number| self.child(number));
            let chapter = &mut self.chapters[at];
            chapter.g = Some(pass.g.get());
            chapter.failed_low = chapter.window.is_null().then(|| pass.g < chapter.window.low);
            chapter.about = about;
            // In the order of the alphabet, which is that of their first visit.
            chapter.nodes.sort_by(|a, b| (a.name.len(), &a.name).cmp(&(b.name.len(), &b.name)));
        }
    }

    /// The story for people.
    pub(super) fn tell(&self, row: &Row, output: &mut Output) -> Result<(), Failure> {
        let (nodes, leaves) = (self.tree.nodes().len(), self.tree.nodes().filter(|n| n.leaf().is_some()).count());
        let seen = if self.tree.root().is_max() {
            "all values as MAX sees them"
        } else {
            "nodes and leaves as MAX sees them; γ, g and the value as MIN does, who moves first"
        };
        output.line(format!(
            "{HEADING}{}{HEADING:#} on a tree of {nodes} nodes, {leaves} of them leaves; {seen}\n",
            row.algorithm
        ))?;
        for (at, chapter) in self.chapters.iter().enumerate() {
            let g = chapter.g.map(|g| format!("g = {MARK}{g}{MARK:#}")).unwrap_or_default();
            output.line(format!(
                "{HEADING}pass {}{HEADING:#}   {}   {g}{}",
                at + 1,
                chapter.asked,
                chapter.verdict(", ")
            ))?;
            let fresh: Vec<String> =
                chapter.leaves.iter().map(|leaf| format!("{}={}", leaf.name, leaf.value)).collect();
            let fresh = if fresh.is_empty() { String::from("none") } else { fresh.join(" ") };
            output.line(format!("  leaves evaluated  {GOOD}{fresh}{GOOD:#}"))?;
            let known: Vec<String> =
                chapter.nodes.iter().map(|node| format!("{}{}", node.name, relation(node.f))).collect();
            output.line(format!("  nodes visited     {}\n", known.join("  ")))?;
        }
        if nodes <= 200 {
            output.line(format!("{FAINT}□ MAX moves  ○ MIN moves  without a letter: never visited{FAINT:#}"))?;
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

    /// The tree, with what is known at the end.
    fn outline(&self, n: TreeNode, here: &str, below: &str, output: &mut Output) -> Result<(), Failure> {
        let id = n.id() as usize;
        let side = if n.is_max() { "□" } else { "○" };
        let text = match (&self.names[id], n.value(), self.known[id]) {
            (Some(name), Some(value), _) => format!("{GOOD}{name} = {value}{GOOD:#}"),
            (Some(name), None, known) => format!("{side} {name}{}", known.map(relation).unwrap_or_default()),
            (None, Some(value), _) => format!("{FAINT}{value}{FAINT:#}"),
            (None, None, _) => format!("{FAINT}{side}{FAINT:#}"),
        };
        output.line(format!("  {FAINT}{here}{FAINT:#}{text}"))?;
        let mut children = n.children().peekable();
        while let Some(child) = children.next() {
            let (branch, rest) = if children.peek().is_some() { ("├─ ", "│  ") } else { ("└─ ", "   ") };
            self.outline(child, &format!("{below}{branch}"), &format!("{below}{rest}"), output)?;
        }
        Ok(())
    }
}

/// What is known of a node, as it is read behind its name.
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

/// a, b, … z, aa, ab, …
fn letters(mut n: usize) -> String {
    let mut name = Vec::new();
    loop {
        name.insert(0, b'a' + (n % 26) as u8);
        if n < 26 {
            return name.into_iter().map(char::from).collect();
        }
        n = n / 26 - 1;
    }
}

impl<'t> Observer<TreeNode<'t>> for Story<'t> {
    fn pass(&mut self, window: Window) {
        let null = window.is_null();
        let asked = if null {
            format!("γ = {}", window.low)
        } else {
            format!("window ({}, {})", window.alpha(), window.beta())
        };
        self.chapters.push(Chapter {
            asked,
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

    fn enter(&mut self, n: &TreeNode<'t>, _: u8, _: Window) {
        let name = &mut self.names[n.id() as usize];
        if name.is_none() {
            *name = Some(letters(self.named));
            self.named += 1;
        }
        if let Some(chapter) = self.chapters.last_mut() {
            chapter.visited.push(n.id());
        }
    }

    fn leave(&mut self, n: &TreeNode<'t>, visit: &Visit) {
        let Bounds { lower, upper } = visit.f;
        let f = if n.is_max() { visit.f } else { Bounds { lower: -upper, upper: -lower } };
        // The root is expanded as if nothing were known of it: what earlier passes proved still holds.
        let known = &mut self.known[n.id() as usize];
        let before = known.unwrap_or(Bounds::UNKNOWN);
        let both = Bounds { lower: f.lower.max(before.lower), upper: f.upper.min(before.upper) };
        let f = if both.crossed() { f } else { both };
        *known = Some(f);
        let name = self.name(n.id()).to_owned();
        let Some(chapter) = self.chapters.last_mut() else { return };
        match visit.end {
            End::Evaluated => {
                let value = if n.is_max() { visit.g } else { -visit.g };
                chapter.leaves.push(LeafSeen { name, value: value.get(), id: n.id() });
            }
            End::Expanded | End::Answered if n.leaf().is_none() => {
                let (lower, upper) = (f.lower.get(), f.upper.get());
                chapter.nodes.retain(|seen| seen.id != n.id());
                chapter.nodes.push(NodeSeen { name, max: n.is_max(), lower, upper, id: n.id(), f });
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn names_go_on_after_z() {
        let names = [0, 25, 26, 27, 51, 52, 701, 702].map(letters);
        assert_eq!(names, ["a", "z", "aa", "ab", "az", "ba", "zz", "aaa"]);
    }
}
