//! Recorded parts of search trees.

use emtee::Budget;
use emtee_engine::{Branch, Explored, Registry, Settings};

fn explored(line: &[&str], plies: usize) -> Explored {
    let start = Registry::standard().get("connect4").unwrap().start();
    start.tools().unwrap().explore(&Settings::default(), Budget::depth(7), line, plies).unwrap()
}

#[test]
fn counts_of_children_add_up() {
    let all = explored(&[], 2);
    assert_eq!(all.root.children.len(), 7);
    assert_eq!(all.leaves, all.root.leaves());
    let below: u64 = all.root.children.iter().map(Branch::leaves).sum();
    assert_eq!(below, all.leaves, "every leaf lies below a move of the root");
    let visits = |branch: &Branch| branch.passes.iter().map(|work| work.visits).sum::<u64>();
    assert_eq!(visits(&all.root) as usize, all.passes.len(), "each pass begins at the root");
    // The passes' own counts.
    assert_eq!(all.leaves, all.passes.iter().map(|pass| pass.nbp).sum::<u64>());
    assert_eq!(all.nodes, all.passes.iter().map(|pass| pass.nodes).sum::<u64>());
}

#[test]
fn a_longer_line_shows_the_same_numbers() {
    let all = explored(&[], 2);
    let four = all.root.children.iter().find(|child| child.line == ["4"]).unwrap();
    let alone = explored(&["4"], 1);
    assert_eq!((&alone.root.passes, alone.root.lower, alone.root.upper), (&four.passes, four.lower, four.upper));
    assert_eq!(alone.root.children.len(), four.children.len());
    assert_eq!((alone.nodes, alone.leaves), (all.nodes, all.leaves));
}

#[test]
fn an_unvisited_line_has_empty_counts() {
    let line = ["1", "1", "1", "1", "1", "1", "7", "7"];
    let deep = explored(&line, 1);
    assert_eq!((deep.root.line().len(), deep.root.end, deep.root.leaves()), (8, None, 0));
    let start = Registry::standard().get("connect4").unwrap().start();
    let error = start.tools().unwrap().explore(&Settings::default(), Budget::depth(2), &["9"], 1).unwrap_err();
    assert_eq!(error.to_string(), "'9' is not a legal move here; the moves are 4 3 5 2 6 1 7");
}

#[test]
fn the_tools_use_the_evaluator_of_the_settings() {
    let registry = Registry::standard();
    let position = registry.get("chess").unwrap().start().after_random(12, 3);
    let settings = |evaluator: Option<&str>| with!(Settings::default(), evaluator = evaluator.map(str::to_owned));
    let [own, network] = [settings(None), settings(Some("network"))];
    let tools = position.tools().unwrap();
    let mut values = Vec::new();
    for settings in [&own, &network] {
        let row = position.search(settings, Budget::depth(3), &mut |_| ()).unwrap();
        let explored = tools.explore(settings, Budget::depth(3), &[], 1).unwrap();
        assert_eq!((explored.row.value, explored.row.counts), (row.value, row.counts));
        assert_eq!(tools.minimal_graphs(settings, 3).unwrap().last().map(|graph| graph.value), row.value);
        let leaves: u64 = tools.evaluations(settings, 3).unwrap().iter().map(|iteration| iteration.nbp).sum();
        assert_eq!(leaves, row.counts.nbp);
        values.push((row.value, row.counts.nbp));
    }
    assert_ne!(values[0], values[1], "both evaluators give the same value");
}
