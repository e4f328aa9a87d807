//! The passes as an SVG drawing, one tree per pass, as in figures 4 to 7 of the paper.

use std::collections::BTreeMap;
use std::fmt::Write;

use emtee::Algorithm;
use emtee_games::tree::{Tree, TreeNode};

use super::recorder::{PassRecord, Recorder, relation};

const LEAF_SPACING: f64 = 56.0;
const LEVEL_SPACING: f64 = 74.0;
const MARGIN: f64 = 44.0;
const TITLE: f64 = 64.0;
const RADIUS: f64 = 13.0;

/// Styles for light and dark pages. Literal colours instead of CSS variables, which some SVG viewers do not support.
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

/// Draws one column per algorithm, with its passes from top to bottom.
pub(super) fn svg(tree: &Tree, columns: &[(Algorithm, &Recorder)]) -> String {
    let layout = Layout::of(tree);
    let panel = TITLE + LEVEL_SPACING * f64::from(tree.root().height()) + 2.0 * MARGIN;
    let column = (layout.leaves * LEAF_SPACING + 2.0 * MARGIN).max(620.0);
    let most = columns.iter().map(|(_, recorder)| recorder.passes.len()).max().unwrap_or(0);
    let (width, height) = (column * columns.len() as f64, panel * most as f64 + 16.0);
    let names: Vec<String> = columns.iter().map(|(algorithm, _)| algorithm.to_string()).collect();
    let title = names.join(" and ");
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">\n\
         <title>{title}, pass by pass</title>\n<style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n"
    );
    for (x, (name, (_, recorder))) in names.iter().zip(columns).enumerate() {
        for (y, pass) in recorder.passes.iter().enumerate() {
            let shown = Panel { tree, recorder, layout: &layout, pass, earlier: &recorder.passes[..y] };
            let (right, down, number) = (column * x as f64, panel * y as f64, y + 1);
            let _ = writeln!(out, "<g transform=\"translate({right:.0} {down:.0})\">");
            let title = if columns.len() > 1 { format!("{name}, pass {number}") } else { format!("Pass {number}") };
            shown.draw(&title, &mut out);
            out += "</g>\n";
        }
    }
    out + "</svg>\n"
}

/// The coordinates of the nodes.
struct Layout {
    positions: Vec<(f64, f64)>,
    /// The number of leaves.
    leaves: f64,
}

impl Layout {
    fn of(tree: &Tree) -> Layout {
        let mut layout = Layout { positions: vec![(0.0, 0.0); tree.nodes().len()], leaves: 0.0 };
        layout.place(tree.root());
        layout
    }

    /// Places the leaves side by side, every other node above the middle of its children. Returns the x coordinate of the node.
    fn place(&mut self, n: TreeNode) -> f64 {
        let (mut first, mut last) = (None, 0.0);
        for child in n.children() {
            last = self.place(child);
            first.get_or_insert(last);
        }
        let x = match first {
            Some(first) => (first + last) / 2.0,
            None => {
                self.leaves += 1.0;
                MARGIN + (self.leaves - 0.5) * LEAF_SPACING
            }
        };
        self.positions[n.id() as usize] = (x, TITLE + MARGIN + f64::from(n.depth()) * LEVEL_SPACING);
        x
    }
}

/// The drawing of one pass.
struct Panel<'s, 't> {
    tree: &'t Tree,
    recorder: &'s Recorder<'t>,
    layout: &'s Layout,
    pass: &'s PassRecord,
    earlier: &'s [PassRecord],
}

impl Panel<'_, '_> {
    fn draw(&self, title: &str, out: &mut String) {
        let g = self.pass.g.map(|g| format!("g = {g}")).unwrap_or_default();
        let result = format!("{g}{}", self.pass.verdict(", "));
        let new_leaves: Vec<String> =
            self.pass.leaves.iter().map(|leaf| format!("{} = {}", leaf.name, leaf.value)).collect();
        let new_leaves = if new_leaves.is_empty() {
            String::from("no new leaf")
        } else {
            format!("new leaves {}", new_leaves.join(", "))
        };
        let _ = writeln!(
            out,
            "<text class=\"title\" x=\"{MARGIN}\" y=\"28\">{title}: {}, {result}</text>\n<text class=\"note\" x=\"{MARGIN}\" y=\"52\">{new_leaves}</text>",
            self.pass.request
        );
        // The bounds of each node after this pass; those of earlier passes still hold.
        let mut known = BTreeMap::new();
        for node in self.earlier.iter().flat_map(|pass| &pass.nodes).chain(&self.pass.nodes) {
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
        if self.pass.leaves.iter().any(|leaf| leaf.id == id) {
            "fresh"
        } else if self.pass.visited.contains(&id) {
            "visited"
        } else if self.earlier.iter().any(|pass| pass.visited.contains(&id)) {
            "known"
        } else {
            "unseen"
        }
    }

    fn edge(&self, n: TreeNode, out: &mut String) {
        let Some(parent) = n.parent() else { return };
        let ((x, y), (px, py)) = (self.layout.positions[n.id() as usize], self.layout.positions[parent.id() as usize]);
        let visited = if self.pass.visited.contains(&n.id()) { "visited" } else { "" };
        let _ = writeln!(out, "<path class=\"edge {visited}\" d=\"M{px:.1} {py:.1}L{x:.1} {y:.1}\"/>");
    }

    fn node(&self, n: TreeNode, known: &str, out: &mut String) {
        let (x, y) = self.layout.positions[n.id() as usize];
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
                self.recorder.name(n.id())
            );
        }
        if let Some(value) = n.value() {
            let _ = writeln!(
                out,
                "<text class=\"leaf {state}\" x=\"{x:.1}\" y=\"{:.1}\">{value}</text>",
                y + RADIUS + 17.0
            );
        } else if state != "unseen" && !known.is_empty() {
            // On the side away from the parent, where there is no edge.
            let left = n.parent().is_some_and(|parent| x < self.layout.positions[parent.id() as usize].0);
            let (class, x) = if left { ("bound left", x - RADIUS - 5.0) } else { ("bound", x + RADIUS + 5.0) };
            let _ = writeln!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>", y + 1.0, known.trim());
        }
    }
}
