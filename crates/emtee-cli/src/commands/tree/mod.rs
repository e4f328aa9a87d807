//! `emtee tree`: algorithms on a tree that is written down, pass by pass, as section 2.2 of the paper tells it.

mod compare;
mod draw;
mod story;

use clap::Args as ClapArgs;
use emtee::{Algorithm, Value};
use emtee_engine::{Row, TreeSearch, tree_names};
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
    after_help = "Examples:\n  emtee tree paper\n  emtee tree tree.txt --algorithm mtd-f --first 12 --svg passes.svg\n  emtee tree paper --compare sss,mtd-f --html lecture.html\n  emtee tree paper --entries 4\n  echo '((41 5) (12 90))' | emtee tree -"
)]
pub(crate) struct TreeArgs {
    /// A file with a tree like ((41 5) (12 90)) or [[41,5],[12,90]], - for standard input, or paper
    #[arg(value_name = "FILE|paper")]
    pub(crate) tree: String,

    /// The algorithm
    #[arg(long, short, value_name = "A", default_value = "sss")]
    pub(crate) algorithm: Algorithm,

    /// Two algorithms side by side instead, separated by a comma
    #[arg(long, value_name = "A,B", conflicts_with = "algorithm", value_parser = pair)]
    pub(crate) compare: Option<Pair>,

    /// The first guess, for the algorithms that begin with one
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = score)]
    pub(crate) first: Option<Value>,

    /// What stands for infinity: more than any leaf [default: 1000 for the paper's tree]
    #[arg(long, value_name = "N", value_parser = whole(1, Value::MAX_SCORE))]
    pub(crate) infinity: Option<i32>,

    /// The number of entries in the table [default: enough to forget nothing]
    #[arg(long, value_name = "N", value_parser = whole(1, usize::MAX))]
    pub(crate) entries: Option<usize>,

    /// Draw the passes into this file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<std::path::PathBuf>,

    /// Write a page that steps through the passes into this file; it needs nothing else
    #[cfg(feature = "web")]
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<std::path::PathBuf>,
}

/// Two algorithms.
#[derive(Clone, Copy)]
pub(crate) struct Pair([Algorithm; 2]);

fn pair(text: &str) -> Result<Pair, String> {
    let names: Vec<&str> = text.split(',').map(str::trim).collect();
    let [one, other] = names[..] else { return Err(String::from("name two algorithms, like sss,mtd-f")) };
    let algorithm = |name: &str| name.parse::<Algorithm>().map_err(|error| error.to_string());
    let pair = [algorithm(one)?, algorithm(other)?];
    if pair[0] == pair[1] { Err(String::from("name two different algorithms")) } else { Ok(Pair(pair)) }
}

impl TreeArgs {
    /// Refuses what would change nothing.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.entries.is_some() && self.algorithms().iter().all(|algorithm| algorithm.is_oracle()) {
            return Err(Failure::bad(format!("{} uses no table; leave --entries out", self.algorithms()[0])));
        }
        match self.searches().iter().any(|search| search.first.is_some()) {
            true => Ok(()),
            false if self.first.is_none() => Ok(()),
            // Not one of them begins with a guess.
            false => check_guess(self.algorithms()[0], "--first"),
        }
    }

    fn algorithms(&self) -> Vec<Algorithm> {
        self.compare.map_or_else(|| vec![self.algorithm], |Pair(pair)| pair.to_vec())
    }

    /// The searches asked for: those that begin with a guess are told it, those with a table its size.
    fn searches(&self) -> Vec<TreeSearch> {
        let search = |algorithm| {
            let mut search = TreeSearch::by(algorithm);
            search.first = self.first.filter(|_| emtee_engine::begins_with_a_guess(algorithm));
            search.entries = self.entries.filter(|_| !algorithm.is_oracle());
            search
        };
        self.algorithms().into_iter().map(search).collect()
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
    let names = tree_names(&tree)?;
    let mut told = Vec::new();
    for search in args.searches() {
        let mut story = Story::of(&tree, &names);
        let found = search.run(&tree, &mut story)?;
        story.finish(&found);
        told.push((Row::about("tree", tree.to_string(), search.algorithm).concluding(&found), story));
    }
    if let Some(file) = &args.svg {
        let stories: Vec<_> = args.algorithms().into_iter().zip(told.iter().map(|(_, story)| story)).collect();
        write(file, &draw::svg(&tree, &stories))?;
    }
    #[cfg(feature = "web")]
    if let Some(file) = &args.html {
        write(file, &page(args, &tree)?)?;
    }
    if output.json() {
        return told.into_iter().try_for_each(|(row, story)| {
            let leaves = story.leaves();
            output.object(&TreeRow { row, leaves, story: story.chapters })
        });
    }
    match &told[..] {
        [one, other] => compare::tell(&tree, [one, other], output)?,
        _ => told.iter().try_for_each(|(row, story)| story.tell(row, output))?,
    }
    if let Some(file) = &args.svg {
        output.line(format!("drawn in {}", file.display()))?;
    }
    #[cfg(feature = "web")]
    if let Some(file) = &args.html {
        output.line(format!("a page to step through it is in {}", file.display()))?;
    }
    Ok(())
}

fn write(file: &std::path::Path, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text).map_err(|e| Failure::bad(format!("cannot write {}: {e}", file.display())))
}

/// The stepper as one file.
#[cfg(feature = "web")]
fn page(args: &TreeArgs, tree: &Tree) -> Result<String, Failure> {
    let run = |search: TreeSearch| {
        let mut run = emtee_web::Run::by(search.algorithm);
        run.search = search;
        run
    };
    let runs: Vec<emtee_web::Run> = args.searches().into_iter().map(run).collect();
    let recording = emtee_web::Recording::of(tree, &runs).map_err(Failure::bad)?;
    let names: Vec<String> = args.algorithms().iter().map(Algorithm::to_string).collect();
    let on = if args.tree == "paper" { "the paper's tree" } else { "a tree" };
    Ok(emtee_web::stepper(&recording, &format!("{} on {on}", names.join(" and "))))
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

fn score(text: &str) -> Result<Value, String> {
    let bad = || format!("a value is a number within ±{}", Value::MAX_SCORE);
    text.parse().ok().and_then(Value::score).ok_or_else(bad)
}
