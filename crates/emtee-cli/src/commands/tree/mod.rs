//! `emtee tree`: an algorithm on a tree that is written down, pass by pass, as section 2.2 of the paper tells it.

mod draw;
mod story;

use clap::Args as ClapArgs;
use emtee::{Algorithm, Bounds, Budget, MAX_DEPTH, Ordering, OwnEvaluation, Size, Value, player};
use emtee_engine::Row;
use emtee_games::tree::Tree;
use serde::Serialize;

use crate::commands::args::{check_guess, whole};
use crate::commands::{name, read};
use crate::failure::Failure;
use crate::output::Output;
use story::{Chapter, Story};

/// Run an algorithm on a tree you write down, and show every pass
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee tree paper\n  emtee tree tree.txt --algorithm mtd-f --first 12 --svg passes.svg\n  echo '((41 5) (12 90))' | emtee tree -"
)]
pub(crate) struct TreeArgs {
    /// A file with a tree like ((41 5) (12 90)) or [[41,5],[12,90]], - for standard input, or paper
    #[arg(value_name = "FILE|paper")]
    pub(crate) tree: String,

    /// The algorithm
    #[arg(long, short, value_name = "A", default_value = "sss")]
    pub(crate) algorithm: Algorithm,

    /// The first guess, for the algorithms that begin with one
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = score)]
    pub(crate) first: Option<Value>,

    /// What stands for infinity: more than any leaf [default: 1000 for the paper's tree]
    #[arg(long, value_name = "N", value_parser = whole(1, Value::MAX_SCORE))]
    pub(crate) infinity: Option<i32>,

    /// Draw the passes into this file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<std::path::PathBuf>,
}

impl TreeArgs {
    /// Refuses what would change nothing.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.first.is_some() { check_guess(self.algorithm, "--first") } else { Ok(()) }
    }
}

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

/// The largest tree that is drawn: beyond, nobody could read the picture.
const LARGEST_DRAWING: usize = 2_000;

pub(crate) fn run(args: &TreeArgs, output: &mut Output) -> Result<(), Failure> {
    args.check()?;
    let tree = load(args)?;
    let nodes = tree.nodes().len();
    if args.svg.is_some() && nodes > LARGEST_DRAWING {
        return Err(Failure::bad(format!("--svg draws up to {LARGEST_DRAWING} nodes, and this tree has {nodes}")));
    }
    let root = tree.root();
    if root.leaf().is_some() {
        return Err(Failure::bad("the tree is a single leaf: there is nothing to search"));
    }
    let depth = root.height().min(MAX_DEPTH);
    // One fixed depth in the given order, every leaf stored and nothing evicted: room for each node many times over.
    let mut builder = player(OwnEvaluation)
        .algorithm(args.algorithm)
        .fixed_depth()
        .with(|options| options.ordering = Some(Ordering::AS_GIVEN));
    if !args.algorithm.is_oracle() {
        builder = builder.table(Size::of_entries((64 * nodes).clamp(1 << 12, 1 << 24)));
    }
    if let Some(range) = range(&tree) {
        builder = builder.with(|options| options.range = range);
    }
    if let Some(first) = args.first {
        builder = builder.with(|options| options.first_guess = Some(first));
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
        file => read(file)?.parse::<Tree>().map_err(|e| Failure::bad(format!("{}: {e}", name(file))))?,
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

fn score(text: &str) -> Result<Value, String> {
    let bad = || format!("a value is a number within ±{}", Value::MAX_SCORE);
    text.parse().ok().and_then(Value::score).ok_or_else(bad)
}
