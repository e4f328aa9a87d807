//! Recordings of searches on a tree: all events of a search in their order, for the page to replay.
//!
//! ```
//! use emtee_web::{Recording, Run};
//! use emtee_games::tree::Tree;
//!
//! let recording = Recording::of(&Tree::paper(), &[Run::by("sss".parse()?)])?;
//! assert!(recording.to_json().contains(r#""algorithm":"sss""#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! All values, bounds and γs are from MAX's side, whichever side is to move.

use emtee::research::{End, Gamma, Window};
use emtee::{Algorithm, Bounds, Value};
use emtee_engine::{TreeEvent, TreeRecorder, TreeSearch, tree_names, uses_first_guess};
use emtee_games::tree::{Leaf, Tree, TreeNode};
use serde::Serialize;

use crate::refusal::Refusal;

/// The most nodes of a tree: the drawing of a larger one is unreadable.
pub const LARGEST_TREE: usize = 1_500;

/// The most visits of a recorded search; a longer one is aborted.
const MAX_VISITS: u64 = 40_000;

/// A run to be recorded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Run {
    /// How the tree is searched.
    pub search: TreeSearch,
    /// The bounds of the passes if a user chose them instead of the algorithm's driver. γ lies just below each.
    pub bounds: Option<Vec<Value>>,
}

impl Run {
    /// A run of this algorithm.
    pub fn by(algorithm: Algorithm) -> Run {
        Run { search: TreeSearch::by(algorithm), bounds: None }
    }
}

/// A tree and the recorded runs of one or several algorithms.
#[derive(Debug, Serialize)]
pub struct Recording {
    /// The tree as a nested list.
    text: String,
    /// The value that stands for infinity.
    infinity: Option<i32>,
    /// The nodes in breadth-first order, from left to right.
    nodes: Vec<Node>,
    runs: Vec<Recorded>,
}

#[derive(Debug, Serialize)]
struct Node {
    parent: u32,
    max: bool,
    name: String,
    /// The value of a leaf.
    value: Option<i32>,
    /// The word at a leaf that has no number.
    word: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Recorded {
    algorithm: String,
    /// Whether a user chose γ.
    driven: bool,
    /// Whether the algorithm begins with a guess.
    guesses: bool,
    /// Whether it has a table.
    table: bool,
    /// Whether its passes are calls of MT.
    mt: bool,
    first: Option<i32>,
    entries: Option<usize>,
    bounds: Option<Vec<i32>>,
    value: Option<i32>,
    /// The principal variation.
    pv: Vec<u32>,
    complete: bool,
    steps: Vec<Step>,
}

/// An event, as an array that begins with its kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Step {
    /// A pass begins: γ twice, or the two ends of a window.
    Pass(&'static str, f64, f64),
    /// A node is about to be visited, with this γ or window.
    Enter(&'static str, u32, f64, f64),
    /// A node has been visited: g, its bounds, how the visit ended.
    Leave(&'static str, u32, i32, i32, i32, &'static str),
    /// A pass is finished: g, the bounds of the root or of the child that it searched, that child.
    PassEnd(&'static str, i32, i32, i32, Option<u32>),
}

impl Recording {
    /// Records the runs on a tree.
    pub fn of(tree: &Tree, runs: &[Run]) -> Result<Recording, Refusal> {
        let nodes = tree.nodes().len();
        if nodes > LARGEST_TREE {
            return Err(Refusal::bad(format!("a tree of {nodes} nodes cannot be drawn; the most are {LARGEST_TREE}")));
        }
        if tree.root().leaf().is_some() {
            return Err(Refusal::bad("the tree is a single leaf: there is nothing to search"));
        }
        let names = tree_names(tree)?;
        let node = |(n, name): (TreeNode<'_>, String)| Node {
            parent: n.parent().map_or(0, TreeNode::id),
            max: n.is_max(),
            name,
            value: n.value().map(Value::get),
            word: n.leaf().and_then(word),
        };
        Ok(Recording {
            text: tree.to_string(),
            infinity: tree.infinity(),
            nodes: tree.nodes().zip(names).map(node).collect(),
            runs: runs.iter().map(|run| record(tree, run)).collect::<Result<_, _>>()?,
        })
    }

    /// The recording as JSON for the page.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("numbers and texts can be written")
    }
}

fn word(leaf: Leaf) -> Option<&'static str> {
    match leaf {
        Leaf::Points(_) => None,
        Leaf::Win => Some("win"),
        Leaf::Loss => Some("loss"),
        Leaf::Draw => Some("draw"),
    }
}

fn record(tree: &Tree, run: &Run) -> Result<Recorded, Refusal> {
    let mut search = run.search.clone();
    search.nodes = Some(MAX_VISITS);
    let algorithm = search.algorithm;
    if search.first.is_some() && !uses_first_guess(algorithm) {
        return Err(Refusal::bad(format!("{algorithm} does not begin with a guess; leave it out")));
    }
    if search.entries.is_some() && algorithm.is_oracle() {
        return Err(Refusal::bad(format!("{algorithm} has no table; leave its size out")));
    }
    let mut recorder = TreeRecorder::default();
    let max = tree.root().is_max();
    let mut recorded = Recorded {
        algorithm: algorithm.to_string(),
        driven: run.bounds.is_some(),
        guesses: uses_first_guess(algorithm),
        table: !algorithm.is_oracle(),
        mt: algorithm.driver().is_some() || matches!(algorithm, Algorithm::MtdBest(_)),
        first: search.first.map(Value::get),
        entries: search.entries,
        bounds: run.bounds.as_ref().map(|bounds| bounds.iter().map(|bound| bound.get()).collect()),
        value: None,
        pv: Vec::new(),
        complete: true,
        steps: Vec::new(),
    };
    match &run.bounds {
        Some(bounds) => {
            let mut bounds = bounds.iter();
            // The bounds are from MAX's side; at a root where MIN moves γ is negated.
            let gamma = |bound: &Value| if max { Gamma::below(*bound) } else { -Gamma::below(*bound) };
            let f = search.passes(tree, &mut recorder, &mut |_| bounds.next().map(gamma))?;
            recorded.value = f.exact().map(|value| if max { value } else { -value }.get());
        }
        None => {
            let found = search.run(tree, &mut recorder)?;
            recorded.value = found.value.map(|value| if max { value } else { -value }.get());
            recorded.complete = found.complete;
            let mut node = tree.root();
            for &number in &found.pv {
                let Some(child) = node.child(number) else { break };
                node = child;
                recorded.pv.push(node.id());
            }
        }
    }
    recorded.steps = recorder.events.into_iter().map(|event| Step::of(tree, event)).collect();
    Ok(recorded)
}

/// The two ends of a window from MAX's side; γ twice for a null window.
fn ends(window: Window, max: bool) -> (f64, f64) {
    let (low, high) = (window.low.as_f64(), window.high.as_f64());
    if max { (low, high) } else { (-high, -low) }
}

fn bounds(f: Bounds, max: bool) -> (i32, i32) {
    let (lower, upper) = (f.lower.get(), f.upper.get());
    if max { (lower, upper) } else { (-upper, -lower) }
}

impl Step {
    /// The event from MAX's side.
    fn of(tree: &Tree, event: TreeEvent) -> Step {
        let root = tree.root();
        let is_max = |id: u32| tree.node(id).is_none_or(|n| n.is_max());
        let from_max = |value: Value, max: bool| if max { value } else { -value }.get();
        match event {
            TreeEvent::PassStart(window) => {
                let (low, high) = ends(window, root.is_max());
                Step::Pass("pass", low, high)
            }
            TreeEvent::PassEnd(pass) => {
                let (lower, upper) = bounds(pass.f, root.is_max());
                let about = pass.about.and_then(|number| root.child(number)).map(TreeNode::id);
                Step::PassEnd("passed", from_max(pass.g, root.is_max()), lower, upper, about)
            }
            TreeEvent::Enter { node, window } => {
                let (low, high) = ends(window, is_max(node));
                Step::Enter("enter", node, low, high)
            }
            TreeEvent::Leave { node, visit } => {
                let (lower, upper) = bounds(visit.f, is_max(node));
                let end = match visit.end {
                    End::Expanded => "expanded",
                    End::Evaluated => "evaluated",
                    End::Answered => "answered",
                };
                Step::Leave("leave", node, from_max(visit.g, is_max(node)), lower, upper, end)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(tree: &str, algorithm: &str) -> Recorded {
        let tree = if tree == "paper" { Tree::paper() } else { tree.parse().unwrap() };
        record(&tree, &Run::by(algorithm.parse().unwrap())).unwrap()
    }

    fn passes(steps: &[Step]) -> Vec<(f64, i32)> {
        let gammas =
            steps.iter().filter_map(|step| if let Step::Pass(_, gamma, _) = step { Some(*gamma) } else { None });
        let results = steps.iter().filter_map(|step| if let Step::PassEnd(_, g, ..) = step { Some(*g) } else { None });
        gammas.zip(results).collect()
    }

    fn evaluated(steps: &[Step]) -> Vec<i32> {
        let leaf = |step: &Step| match step {
            Step::Leave(_, _, g, _, _, "evaluated") => Some(*g),
            _ => None,
        };
        steps.iter().filter_map(leaf).collect()
    }

    #[test]
    fn the_four_passes_of_the_paper() {
        let sss = recorded("paper", "sss");
        assert_eq!(passes(&sss.steps), [(999.5, 41), (40.5, 36), (35.5, 35), (34.5, 35)]);
        assert_eq!(evaluated(&sss.steps), [41, 12, 34, 36, 5, 35, 50, 36]);
        assert_eq!((sss.value, sss.complete, sss.pv.len()), (Some(35), true, 4));
    }

    #[test]
    fn every_enter_has_its_leave() {
        for algorithm in Algorithm::ALL {
            let mut entered = Vec::new();
            for step in recorded("paper", &algorithm.to_string()).steps {
                match step {
                    Step::Enter(_, id, ..) => entered.push(id),
                    Step::Leave(_, id, ..) => assert_eq!(entered.pop(), Some(id), "{algorithm}"),
                    _ => {}
                }
            }
            // The oracles with OPEN lists have no nested visits, and the visits of MTD-best begin below the root.
            assert!(entered.is_empty(), "{algorithm}: {entered:?}");
        }
    }

    #[test]
    fn a_tree_that_min_begins_is_recorded_from_max_s_side() {
        let run = recorded("(min (max 3 4) 9)", "sss");
        assert_eq!(run.value, Some(4));
        assert!(evaluated(&run.steps).iter().all(|value| [3, 4, 9].contains(value)));
        assert!(passes(&run.steps).iter().all(|(_, g)| *g > 0), "{:?}", run.steps);
    }

    #[test]
    fn chosen_bounds_of_sss_give_the_steps_of_sss() {
        let tree = Tree::paper();
        let bounds = [1000, 41, 36, 35].map(|bound| Value::score(bound).unwrap()).to_vec();
        let chosen = record(&tree, &Run { bounds: Some(bounds), ..Run::by(Algorithm::Sss) }).unwrap();
        assert_eq!(chosen.steps, recorded("paper", "sss").steps);
        assert_eq!(chosen.value, Some(35));
    }

    #[test]
    fn contradictory_runs_are_refused() {
        let refused = |tree: &str, run: Run| Recording::of(&tree.parse().unwrap(), &[run]).unwrap_err().to_string();
        let guess = Value::score(3);
        let mut run = Run::by(Algorithm::Sss);
        run.search.first = guess;
        assert_eq!(refused("(1 2)", run), "sss does not begin with a guess; leave it out");
        let mut run = Run::by(Algorithm::Minimax);
        run.search.entries = Some(4);
        assert_eq!(refused("(1 2)", run), "minimax has no table; leave its size out");
        assert_eq!(refused("7", Run::by(Algorithm::Sss)), "the tree is a single leaf: there is nothing to search");
    }
}
