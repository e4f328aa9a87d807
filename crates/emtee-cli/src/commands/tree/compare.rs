//! Two algorithms on the same tree side by side: their passes, and the nodes that each of them visited.

use emtee_engine::Row;
use emtee_games::tree::{Tree, TreeNode};

use super::recorder::{PassRecord, Recorder};
use crate::failure::Failure;
use crate::output::{FAINT, GOOD, HEADING, MARK, Output, counted};
use crate::text_table::{Cell, TextTable};

/// The search of one algorithm.
type Search<'t> = (Row, Recorder<'t>);

pub(super) fn print(tree: &Tree, [one, other]: [&Search<'_>; 2], output: &mut Output) -> Result<(), Failure> {
    let names = [&one.0.algorithm, &other.0.algorithm];
    let (nodes, leaves) = (tree.nodes().len(), tree.nodes().filter(|n| n.leaf().is_some()).count());
    output.line(format!(
        "{HEADING}{}{HEADING:#} and {HEADING}{}{HEADING:#} on a tree of {nodes} nodes, {leaves} of them leaves\n",
        names[0], names[1]
    ))?;
    passes([one, other], output)?;
    if nodes <= 200 {
        output.line("")?;
        outline(tree, [one, other], output)?;
    }
    output.line("")?;
    for (row, _) in [one, other] {
        output.line(format!(
            "{HEADING}{}{HEADING:#}: value {MARK}{}{MARK:#}, {}, {} evaluated of {leaves}",
            row.algorithm,
            row.value_text,
            counted(row.passes as u64, "pass", "passes"),
            counted(row.counts.nbp, "leaf", "leaves")
        ))?;
    }
    for visited_by in [[true, false], [false, true], [true, true]] {
        let leaf = |n: &TreeNode| {
            n.leaf().is_some() && [one, other].map(|(_, recorder)| recorder.visits(n.id())) == visited_by
        };
        let named: Vec<String> = tree
            .nodes()
            .filter(leaf)
            .map(|n| format!("{}={}", one.1.name(n.id()), n.value().map_or(0, |value| value.get())))
            .collect();
        let label = match visited_by {
            [true, true] => String::from("leaves of both"),
            [first, _] => format!("leaves of {} only", names[usize::from(!first)]),
        };
        let named = if named.is_empty() { String::from("none") } else { named.join(" ") };
        output.line(format!("{label}: {GOOD}{named}{GOOD:#}"))?;
    }
    Ok(())
}

/// Prints the passes of both algorithms, with the passes of the same number on one line.
fn passes(searches: [&Search<'_>; 2], output: &mut Output) -> Result<(), Failure> {
    let mut table =
        TextTable::new([String::from("pass")].into_iter().chain(
            searches.iter().flat_map(|(row, _)| [format!("<{}", row.algorithm), "g".into(), "<new leaves".into()]),
        ));
    let most = searches.iter().map(|(_, recorder)| recorder.passes.len()).max().unwrap_or(0);
    for index in 0..most {
        let mut line: Vec<Cell> = vec![(index + 1).to_string().into()];
        for (_, recorder) in searches {
            line.extend(cells(recorder.passes.get(index)));
        }
        table.row(line);
    }
    table.print(output).map(drop)
}

fn cells(pass: Option<&PassRecord>) -> [Cell; 3] {
    let Some(pass) = pass else { return ["", "", ""].map(Cell::from) };
    let leaves: Vec<String> = pass.leaves.iter().map(|leaf| format!("{}={}", leaf.name, leaf.value)).collect();
    let g = pass.g.map(|g| g.to_string()).unwrap_or_default();
    [pass.request.clone().into(), Cell::styled(g, MARK), Cell::styled(leaves.join(" "), GOOD)]
}

/// Prints the tree with the final bounds of both algorithms at each node.
fn outline(tree: &Tree, searches: [&Search<'_>; 2], output: &mut Output) -> Result<(), Failure> {
    output.line(format!("{FAINT}□ MAX moves  ○ MIN moves  · never visited{FAINT:#}"))?;
    let mut lines = Vec::new();
    branches(tree.root(), "", "", &mut lines);
    let mut table = TextTable::new(
        [String::from("<node")].into_iter().chain(searches.map(|(row, _)| format!("<{}", row.algorithm))),
    );
    for (branch, n) in &lines {
        let side = match n.leaf() {
            Some(_) => "",
            None if n.is_max() => "□ ",
            None => "○ ",
        };
        let known = |(_, recorder): &Search<'_>| match recorder.visits(n.id()) {
            true => Cell::from(recorder.known(*n)),
            false => Cell::styled("·", FAINT),
        };
        let name = format!("{branch}{side}{}", searches[0].1.name(n.id()));
        table.row([Cell::from(name)].into_iter().chain(searches.map(known)).collect());
    }
    table.print(output).map(drop)
}

/// Collects the nodes from top to bottom, each with the lines of the branches that lead to it.
fn branches<'t>(n: TreeNode<'t>, here: &str, below: &str, lines: &mut Vec<(String, TreeNode<'t>)>) {
    lines.push((here.to_owned(), n));
    let mut children = n.children().peekable();
    while let Some(child) = children.next() {
        let (branch, rest) = if children.peek().is_some() { ("├─ ", "│  ") } else { ("└─ ", "   ") };
        branches(child, &format!("{below}{branch}"), &format!("{below}{rest}"), lines);
    }
}
