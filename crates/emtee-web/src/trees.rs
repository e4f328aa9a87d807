//! Trees, pasted or random, searched by one or several algorithms and recorded.

use emtee::{Algorithm, Game, Outcome, Value, legal_moves};
use emtee_engine::{Registry, TreeSearch};
use emtee_games::synthetic::{Position, Synthetic};
use emtee_games::tree::{Leaf, Shape, Tree};
use serde::Deserialize;

use crate::recording::{LARGEST_TREE, Recording, Run};
use crate::refusal::Refusal;

/// A request to search a tree.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TreeRequest {
    /// A nested list or JSON; the paper's tree if neither this nor `random` is given.
    #[serde(default)]
    tree: Option<String>,
    #[serde(default)]
    random: Option<Random>,
    /// The value that stands for infinity: 1000 for the paper's tree.
    #[serde(default)]
    infinity: Option<i32>,
    runs: Vec<RunRequest>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RunRequest {
    algorithm: String,
    #[serde(default)]
    first: Option<i32>,
    #[serde(default)]
    entries: Option<usize>,
    /// The bounds of the passes, chosen by a user: γ lies just below each.
    #[serde(default)]
    bounds: Option<Vec<i32>>,
}

/// The parameters of a random tree.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Random {
    width: u16,
    depth: u8,
    /// The percentage of positions in which the move that looks best comes first.
    order: u8,
    seed: u64,
}

/// The most algorithms side by side.
const MAX_RUNS: usize = 4;
const MAX_PASSES: usize = 200;
const MAX_ENTRIES: usize = 1 << 16;

/// The registry is not used: trees are not a game of it.
pub(crate) fn tree(_: &Registry, body: TreeRequest) -> Result<Recording, Refusal> {
    let tree = body.tree()?;
    if body.runs.len() > MAX_RUNS {
        return Err(Refusal::bad(format!("at most {MAX_RUNS} algorithms fit side by side")));
    }
    let runs: Vec<Run> = body.runs.iter().map(RunRequest::run).collect::<Result<_, _>>()?;
    Recording::of(&tree, &runs)
}

impl TreeRequest {
    fn tree(&self) -> Result<Tree, Refusal> {
        let tree = match (&self.tree, &self.random) {
            (Some(_), Some(_)) => return Err(Refusal::bad("give either tree or random, not both")),
            (Some(text), None) if text.trim() == "paper" => Tree::paper(),
            (Some(text), None) => text.parse().map_err(Refusal::bad)?,
            (None, Some(random)) => random.tree()?,
            (None, None) => Tree::paper(),
        };
        match self.infinity {
            Some(infinity) => tree.with_infinity(infinity).map_err(Refusal::bad),
            None => Ok(tree),
        }
    }
}

impl RunRequest {
    fn run(&self) -> Result<Run, Refusal> {
        let algorithm: Algorithm = self.algorithm.parse()?;
        let value = |value: i32| {
            Value::score(value).ok_or_else(|| Refusal::bad(format!("{value} is outside ±{}", Value::MAX_SCORE)))
        };
        let mut search = TreeSearch::by(algorithm);
        search.first = self.first.map(value).transpose()?;
        search.entries = self.entries;
        if search.entries.is_some_and(|entries| !(1..=MAX_ENTRIES).contains(&entries)) {
            return Err(Refusal::bad(format!("a table can have 1 to {MAX_ENTRIES} entries here")));
        }
        let mut run = Run::by(algorithm);
        run.search = search;
        if let Some(bounds) = &self.bounds {
            if algorithm.driver().is_none() {
                return Err(Refusal::bad(format!("{algorithm} has no γ to choose")));
            }
            if bounds.len() > MAX_PASSES {
                return Err(Refusal::bad(format!("at most {MAX_PASSES} passes can be chosen")));
            }
            // Infinity is allowed: drivers begin with it.
            let bound = |&bound: &i32| match bound {
                bound if bound.abs() == Value::INFINITY.get() => Ok(Value::INFINITY),
                bound => value(bound),
            };
            run.bounds = Some(bounds.iter().map(bound).collect::<Result<_, _>>()?);
        }
        Ok(run)
    }
}

impl Random {
    fn tree(&self) -> Result<Tree, Refusal> {
        let Random { width, depth, order, seed } = *self;
        let leaves = u64::from(width).saturating_pow(u32::from(depth));
        if width == 0 || depth == 0 || leaves.saturating_mul(2) > LARGEST_TREE as u64 {
            return Err(Refusal::bad(format!("a tree of width {width} and depth {depth} cannot be drawn")));
        }
        let synthetic =
            Synthetic { seed, width, depth, ordering: order, correlation: 60, range: 99, ..Synthetic::default() };
        let root = synthetic.root().map_err(Refusal::bad)?;
        Tree::from_nested(&shape(&root)).map_err(Refusal::bad)
    }
}

/// A synthetic position with its whole subtree, as an explicit tree.
fn shape(position: &Position) -> Shape {
    match position.outcome() {
        Some(Outcome::Points(points)) => {
            let max = position.turn() == emtee::Side::First;
            Shape::Leaf(Leaf::Points(if max { points } else { -points }))
        }
        _ => {
            let children = legal_moves(position).into_iter().map(|m| shape(&position.play(m))).collect();
            Shape::Node { side: None, children }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_tree_depends_on_its_seed_alone() {
        let tree = |seed| Random { width: 3, depth: 3, order: 60, seed }.tree().unwrap();
        assert_eq!(tree(1), tree(1));
        assert_ne!(tree(1), tree(2));
        let one = tree(1);
        let leaves: Vec<i32> = one.nodes().filter_map(|n| n.value()).map(Value::get).collect();
        assert_eq!((leaves.len(), one.nodes().len()), (27, 40));
        assert!(leaves.iter().all(|value| value.abs() <= 99) && leaves.iter().any(|value| *value != 0), "{leaves:?}");
        assert!(Random { width: 10, depth: 9, order: 60, seed: 1 }.tree().is_err());
        assert!(Random { width: 0, depth: 1, order: 60, seed: 1 }.tree().is_err());
        assert!(Random { width: 2, depth: 3, order: 101, seed: 1 }.tree().is_err());
    }
}
