//! `emtee tree`: an algorithm on a tree that is written down, pass by pass, as section 2.2 of the paper tells it.

mod draw;
mod story;

use emtee::{Bounds, Budget, MAX_DEPTH, Ordering, OwnEvaluation, Size, Value, player};
use emtee_engine::Row;
use emtee_games::tree::Tree;
use serde::Serialize;

use crate::args::TreeArgs;
use crate::commands::read;
use crate::failure::Failure;
use crate::output::Output;
use story::{Chapter, Story};

/// What `--json` prints: a search's row, and what only a tree can tell.
#[derive(Serialize)]
struct TreeRow {
    #[serde(flatten)]
    row: Row,
    /// The leaf values in the order they were evaluated, from MAX's side.
    leaves: Vec<i32>,
    /// What happened pass by pass.
    story: Vec<Chapter>,
}

pub(crate) fn run(args: &TreeArgs, output: &mut Output) -> Result<(), Failure> {
    let tree = load(args)?;
    let root = tree.root();
    if root.leaf().is_some() {
        return Err(Failure::bad("the tree is a single leaf: there is nothing to search"));
    }
    let depth = u8::try_from(root.height()).unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
    // One fixed depth in the given order, every leaf stored and nothing evicted: room for each node many times over.
    let mut builder = player(OwnEvaluation).algorithm(args.algorithm).fixed_depth().ordering(Ordering::AS_GIVEN);
    if !args.algorithm.is_oracle() {
        builder = builder.table(Size::of_entries((64 * tree.nodes().len()).clamp(1 << 12, 1 << 24)));
    }
    if let Some(range) = range(&tree) {
        builder = builder.range(range);
    }
    if let Some(first) = args.first {
        builder = builder.first_guess(first);
    }
    let mut story = Story::of(&tree);
    let found = builder.build()?.think_observed(&root, Budget::depth(depth), &mut story)?;
    story.finish(&found);
    let row = Row::about("tree", tree.to_string(), args.algorithm).concluding(&found);

    if let Some(file) = &args.svg {
        let text = draw::svg(&tree, &story, args.algorithm);
        std::fs::write(file, text).map_err(|e| Failure::bad(format!("cannot write {}: {e}", file.display())))?;
    }
    if output.json() {
        let leaves = story.leaves();
        return output.object(&TreeRow { row, leaves, story: story.chapters });
    }
    story.tell(&row, output)?;
    match &args.svg {
        Some(file) => output.line(format!("drawn in {}", file.display())),
        None => Ok(()),
    }
}

fn load(args: &TreeArgs) -> Result<Tree, Failure> {
    let tree = match args.tree.as_str() {
        "paper" => Tree::paper(),
        file => read(file)?.parse::<Tree>().map_err(|e| Failure::bad(format!("{file}: {e}")))?,
    };
    match args.infinity {
        Some(infinity) => tree.with_infinity(infinity).map_err(Failure::bad),
        None => Ok(tree),
    }
}

fn range(tree: &Tree) -> Option<Bounds> {
    let upper = Value::score(tree.infinity()?)?;
    Some(Bounds { lower: -upper, upper })
}
