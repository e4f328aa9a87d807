//! The passes as a picture, one tree a pass, like figures 4 to 7.

use std::collections::BTreeMap;
use std::fmt::Write;

use emtee::Algorithm;
use emtee_games::tree::{Tree, TreeNode};

use super::story::{Chapter, Story, relation};

const ACROSS: f64 = 56.0;
const DOWN: f64 = 74.0;
const MARGIN: f64 = 44.0;
const TITLE: f64 = 64.0;
const RADIUS: f64 = 13.0;

/// Readable on white and on a dark page alike. Plain colours rather than variables: not every viewer knows those.
const STYLE: &str = "\
text { font-family: 'Helvetica Neue', Helvetica, Arial, sans-serif; fill: #1b1f24; font-size: 13px; text-anchor: middle; } \
.page { fill: #ffffff; } .title { font-size: 17px; font-weight: 600; text-anchor: start; } .note { text-anchor: start; } \
.edge { stroke: #c4cad1; stroke-width: 1.2; fill: none; } .edge.visited { stroke: #1b1f24; stroke-width: 1.8; } \
.node { fill: #ffffff; stroke: #c4cad1; stroke-width: 1.2; } .node.known { fill: #eef2f7; } \
.node.visited { fill: #dce7f5; stroke: #1b1f24; stroke-width: 1.8; } .node.fresh { fill: #c2410c; stroke: #c2410c; } \
.name { font-style: italic; } .name.fresh { fill: #ffffff; } .bound { font-size: 12px; fill: #0b6e99; text-anchor: start; } \
.bound.left { text-anchor: end; } .leaf.fresh { fill: #c2410c; font-weight: 600; } .leaf.unseen { fill: #8b949e; } \
@media (prefers-color-scheme: dark) { text { fill: #e6e8eb; } .page, .node { fill: #14171a; } .edge, .node { stroke: #4a5058; } \
.edge.visited, .node.visited { stroke: #e6e8eb; } .node.known { fill: #1e252d; } .node.visited { fill: #2b3b4d; } \
.node.fresh { fill: #fb923c; stroke: #fb923c; } .name.fresh { fill: #14171a; } .bound { fill: #5cc0e8; } .leaf.fresh { fill: #fb923c; } }";

/// Draws every pass below the one before, and algorithms side by side.
pub(super) fn svg(tree: &Tree, told: &[(Algorithm, &Story)]) -> String {
    let places = Places::of(tree);
    let panel = TITLE + DOWN * f64::from(tree.root().height()) + 2.0 * MARGIN;
    let column = (places.leaves * ACROSS + 2.0 * MARGIN).max(620.0);
    let most = told.iter().map(|(_, story)| story.chapters.len()).max().unwrap_or(0);
    let (width, height) = (column * told.len() as f64, panel * most as f64 + 16.0);
    let names: Vec<String> = told.iter().map(|(algorithm, _)| algorithm.to_string()).collect();
    let title = names.join(" and ");
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">\n\
         <title>{title}, pass by pass</title>\n<style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n"
    );
    for (x, (name, (_, story))) in names.iter().zip(told).enumerate() {
        for (at, chapter) in story.chapters.iter().enumerate() {
            let shown = Panel { tree, story, places: &places, chapter, earlier: &story.chapters[..at] };
            let (right, down, pass) = (column * x as f64, panel * at as f64, at + 1);
            let _ = writeln!(out, "<g transform=\"translate({right:.0} {down:.0})\">");
            // One alone need not say who it is.
            let whose = if told.len() > 1 { format!("{name}, pass {pass}") } else { format!("Pass {pass}") };
            shown.draw(&whose, &mut out);
            out += "</g>\n";
        }
    }
    out + "</svg>\n"
}

/// Where each node stands.
struct Places {
    at: Vec<(f64, f64)>,
    leaves: f64,
}

impl Places {
    fn of(tree: &Tree) -> Places {
        let mut places = Places { at: vec![(0.0, 0.0); tree.nodes().len()], leaves: 0.0 };
        places.put(tree.root());
        places
    }

    /// Leaves side by side, every other node above the middle of its children.
    fn put(&mut self, n: TreeNode) -> f64 {
        let (mut first, mut last) = (None, 0.0);
        for child in n.children() {
            last = self.put(child);
            first.get_or_insert(last);
        }
        let x = match first {
            Some(first) => (first + last) / 2.0,
            None => {
                self.leaves += 1.0;
                MARGIN + (self.leaves - 0.5) * ACROSS
            }
        };
        self.at[n.id() as usize] = (x, TITLE + MARGIN + f64::from(n.depth()) * DOWN);
        x
    }
}

/// One pass.
struct Panel<'s, 't> {
    tree: &'t Tree,
    story: &'s Story<'t>,
    places: &'s Places,
    chapter: &'s Chapter,
    earlier: &'s [Chapter],
}

impl Panel<'_, '_> {
    fn draw(&self, whose: &str, out: &mut String) {
        let g = self.chapter.g.map(|g| format!("g = {g}")).unwrap_or_default();
        let answer = format!("{g}{}", self.chapter.verdict(", "));
        let fresh: Vec<String> =
            self.chapter.leaves.iter().map(|leaf| format!("{} = {}", leaf.name, leaf.value)).collect();
        let fresh =
            if fresh.is_empty() { String::from("no new leaf") } else { format!("new leaves {}", fresh.join(", ")) };
        let _ = writeln!(
            out,
            "<text class=\"title\" x=\"{MARGIN}\" y=\"28\">{whose}: {}, {answer}</text>\n<text class=\"note\" x=\"{MARGIN}\" y=\"52\">{fresh}</text>",
            self.chapter.asked
        );
        // What is known of each node: from this pass, or from an earlier one.
        let mut known = BTreeMap::new();
        for node in self.earlier.iter().flat_map(|chapter| &chapter.nodes).chain(&self.chapter.nodes) {
            known.insert(node.id, relation(node.f));
        }
        for n in self.tree.nodes() {
            self.edge(n, out);
        }
        for n in self.tree.nodes() {
            self.node(n, known.get(&n.id()).map_or("", |text| text), out);
        }
    }

    fn state(&self, n: TreeNode) -> &'static str {
        let id = n.id();
        if self.chapter.leaves.iter().any(|leaf| leaf.id == id) {
            "fresh"
        } else if self.chapter.visited.contains(&id) {
            "visited"
        } else if self.earlier.iter().any(|chapter| chapter.visited.contains(&id)) {
            "known"
        } else {
            "unseen"
        }
    }

    fn edge(&self, n: TreeNode, out: &mut String) {
        let Some(parent) = n.parent() else { return };
        let ((x, y), (px, py)) = (self.places.at[n.id() as usize], self.places.at[parent.id() as usize]);
        let visited = if self.chapter.visited.contains(&n.id()) { "visited" } else { "" };
        let _ = writeln!(out, "<path class=\"edge {visited}\" d=\"M{px:.1} {py:.1}L{x:.1} {y:.1}\"/>");
    }

    fn node(&self, n: TreeNode, known: &str, out: &mut String) {
        let (x, y) = self.places.at[n.id() as usize];
        let state = self.state(n);
        let size = 2.0 * RADIUS;
        let _ = if n.is_max() {
            writeln!(
                out,
                "<rect class=\"node {state}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{size}\" height=\"{size}\" rx=\"2\"/>",
                x - RADIUS,
                y - RADIUS
            )
        } else {
            writeln!(out, "<circle class=\"node {state}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>")
        };
        if state != "unseen" {
            let _ = writeln!(
                out,
                "<text class=\"name {state}\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
                y + 4.5,
                self.story.name(n.id())
            );
        }
        if let Some(value) = n.value() {
            let _ = writeln!(
                out,
                "<text class=\"leaf {state}\" x=\"{x:.1}\" y=\"{:.1}\">{value}</text>",
                y + RADIUS + 17.0
            );
        } else if state != "unseen" && !known.is_empty() {
            // On the far side from the parent, where no edge runs.
            let left = n.parent().is_some_and(|parent| x < self.places.at[parent.id() as usize].0);
            let (class, x) = if left { ("bound left", x - RADIUS - 5.0) } else { ("bound", x + RADIUS + 5.0) };
            let _ = writeln!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>", y + 1.0, known.trim());
        }
    }
}
