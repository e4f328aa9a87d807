//! Two algorithms on the same tree, side by side: their passes, and which nodes each of them visited.

use emtee_engine::Row;
use emtee_games::tree::{Tree, TreeNode};

use super::story::{Chapter, Story};
use crate::failure::Failure;
use crate::output::{FAINT, GOOD, HEADING, MARK, Output, counted};
use crate::text_table::{Cell, TextTable};

/// One of the two.
type Told<'t> = (Row, Story<'t>);

pub(super) fn tell(tree: &Tree, [one, other]: [&Told<'_>; 2], output: &mut Output) -> Result<(), Failure> {
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
    for which in [[true, false], [false, true], [true, true]] {
        let leaf = |n: &TreeNode| n.leaf().is_some() && [one, other].map(|told| told.1.visits(n.id())) == which;
        let named: Vec<String> = tree
            .nodes()
            .filter(leaf)
            .map(|n| format!("{}={}", one.1.name(n.id()), n.value().map_or(0, |value| value.get())))
            .collect();
        let whose = match which {
            [true, true] => String::from("leaves of both"),
            [own, _] => format!("leaves of {} alone", names[usize::from(!own)]),
        };
        let named = if named.is_empty() { String::from("none") } else { named.join(" ") };
        output.line(format!("{whose}: {GOOD}{named}{GOOD:#}"))?;
    }
    Ok(())
}

/// The passes of both, in the same lines.
fn passes(told: [&Told<'_>; 2], output: &mut Output) -> Result<(), Failure> {
    let mut table = TextTable::new(
        [String::from("pass")]
            .into_iter()
            .chain(told.iter().flat_map(|(row, _)| [format!("<{}", row.algorithm), "g".into(), "<new leaves".into()])),
    );
    let most = told.iter().map(|(_, story)| story.chapters.len()).max().unwrap_or(0);
    for at in 0..most {
        let mut line: Vec<Cell> = vec![(at + 1).to_string().into()];
        for (_, story) in told {
            line.extend(cells(story.chapters.get(at)));
        }
        table.row(line);
    }
    table.print(output).map(drop)
}

fn cells(chapter: Option<&Chapter>) -> [Cell; 3] {
    let Some(chapter) = chapter else { return ["", "", ""].map(Cell::from) };
    let leaves: Vec<String> = chapter.leaves.iter().map(|leaf| format!("{}={}", leaf.name, leaf.value)).collect();
    let g = chapter.g.map(|g| g.to_string()).unwrap_or_default();
    [chapter.asked.clone().into(), Cell::styled(g, MARK), Cell::styled(leaves.join(" "), GOOD)]
}

/// The tree once, with what each of them knows at the end.
fn outline(tree: &Tree, told: [&Told<'_>; 2], output: &mut Output) -> Result<(), Failure> {
    output.line(format!("{FAINT}□ MAX moves  ○ MIN moves  · never visited{FAINT:#}"))?;
    let mut lines = Vec::new();
    branches(tree.root(), "", "", &mut lines);
    let mut table =
        TextTable::new([String::from("<node")].into_iter().chain(told.map(|(row, _)| format!("<{}", row.algorithm))));
    for (branch, n) in &lines {
        let side = match n.leaf() {
            Some(_) => "",
            None if n.is_max() => "□ ",
            None => "○ ",
        };
        let known = |(_, story): &Told<'_>| match story.visits(n.id()) {
            true => Cell::from(story.known(*n)),
            false => Cell::styled("·", FAINT),
        };
        let name = format!("{branch}{side}{}", told[0].1.name(n.id()));
        table.row([Cell::from(name)].into_iter().chain(told.map(known)).collect());
    }
    table.print(output).map(drop)
}

/// The nodes from top to bottom, each with the branches that lead to it.
fn branches<'t>(n: TreeNode<'t>, here: &str, below: &str, lines: &mut Vec<(String, TreeNode<'t>)>) {
    lines.push((here.to_owned(), n));
    let mut children = n.children().peekable();
    while let Some(child) = children.next() {
        let (branch, rest) = if children.peek().is_some() { ("├─ ", "│  ") } else { ("└─ ", "   ") };
        branches(child, &format!("{below}{branch}"), &format!("{below}{rest}"), lines);
    }
}
