//! `emtee tree`: algorithms on an explicit tree, pass by pass, as in section 2.2 of the paper.

mod compare;
mod draw;
mod recorder;

use clap::Args as ClapArgs;
use emtee::{Algorithm, Value};
use emtee_engine::{Row, TreeRecorder, TreeSearch, tree_names};
use emtee_games::tree::Tree;
use serde::Serialize;

use crate::commands::args::{check_guess, integer};
use crate::commands::{name, read};
use crate::failure::Failure;
use crate::output::Output;
use recorder::{PassRecord, Recorder};

/// Search an explicit tree and show every pass
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee tree paper\n  emtee tree tree.txt --algorithm mtd-f --first 12 --svg passes.svg\n  emtee tree paper --compare sss,mtd-f --html lecture.html\n  emtee tree paper --entries 4\n  echo '((41 5) (12 90))' | emtee tree -"
)]
pub(crate) struct TreeArgs {
    /// File with a tree like ((41 5) (12 90)) or [[41,5],[12,90]], - for standard input, or paper
    #[arg(value_name = "FILE|paper")]
    pub(crate) tree: String,

    /// Search algorithm
    #[arg(long, short, value_name = "A", default_value = "sss")]
    pub(crate) algorithm: Algorithm,

    /// Two algorithms to show side by side, separated by a comma
    #[arg(long, value_name = "A,B", conflicts_with = "algorithm", value_parser = pair)]
    pub(crate) compare: Option<Pair>,

    /// First guess, for algorithms that begin with one
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = score)]
    pub(crate) first: Option<Value>,

    /// Value of infinity, greater than any leaf [default: 1000 for the paper's tree]
    #[arg(long, value_name = "N", value_parser = integer(1, Value::MAX_SCORE))]
    pub(crate) infinity: Option<i32>,

    /// Number of entries in the table [default: enough to lose nothing]
    #[arg(long, value_name = "N", value_parser = integer(1, usize::MAX))]
    pub(crate) entries: Option<usize>,

    /// File for a drawing of the passes
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<std::path::PathBuf>,

    /// File for a self-contained page that steps through the passes
    #[cfg(feature = "web")]
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<std::path::PathBuf>,
}

/// The algorithms of `--compare`.
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
    /// Refuses options without effect.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.entries.is_some() && self.algorithms().iter().all(|algorithm| algorithm.is_oracle()) {
            return Err(Failure::bad(format!("{} uses no table; leave --entries out", self.algorithms()[0])));
        }
        match self.searches().iter().any(|search| search.first.is_some()) {
            true => Ok(()),
            false if self.first.is_none() => Ok(()),
            // None of the algorithms begins with a guess.
            false => check_guess(self.algorithms()[0], "--first"),
        }
    }

    fn algorithms(&self) -> Vec<Algorithm> {
        self.compare.map_or_else(|| vec![self.algorithm], |Pair(pair)| pair.to_vec())
    }

    /// The searches, with the first guess and the table size for the algorithms that use them.
    fn searches(&self) -> Vec<TreeSearch> {
        let search = |algorithm| {
            let mut search = TreeSearch::by(algorithm);
            search.first = self.first.filter(|_| emtee_engine::uses_first_guess(algorithm));
            search.entries = self.entries.filter(|_| !algorithm.is_oracle());
            search
        };
        self.algorithms().into_iter().map(search).collect()
    }
}

/// The row of `--json`: a search row, and fields that only a tree has.
#[derive(Serialize)]
struct TreeRow {
    #[serde(flatten)]
    row: Row,
    /// The leaf values in the order they were evaluated, from MAX's side.
    leaves: Vec<i32>,
    /// The passes in order.
    #[serde(rename = "pass_details")]
    passes: Vec<PassRecord>,
}

/// The maximum number of nodes of a drawn tree; a drawing of a larger one is unreadable.
const MAX_DRAWN_NODES: usize = 2_000;

pub(crate) fn run(args: &TreeArgs, output: &mut Output) -> Result<(), Failure> {
    args.check()?;
    let tree = load(args)?;
    let nodes = tree.nodes().len();
    if args.svg.is_some() && nodes > MAX_DRAWN_NODES {
        return Err(Failure::bad(format!("--svg draws up to {MAX_DRAWN_NODES} nodes, and this tree has {nodes}")));
    }
    let root = tree.root();
    if root.leaf().is_some() {
        return Err(Failure::bad("the tree is a single leaf: there is nothing to search"));
    }
    let names = tree_names(&tree)?;
    let mut searched = Vec::new();
    for search in args.searches() {
        let mut recorder = TreeRecorder::default();
        let found = search.run(&tree, &mut recorder)?;
        let recorder = Recorder::of(&tree, &names, &recorder.events, &found);
        searched.push((Row::of("tree", tree.to_string(), search.algorithm, &found), recorder));
    }
    if let Some(file) = &args.svg {
        let recorders = searched.iter().map(|(_, recorder)| recorder);
        let columns: Vec<_> = args.algorithms().into_iter().zip(recorders).collect();
        write(file, &draw::svg(&tree, &columns))?;
    }
    #[cfg(feature = "web")]
    if let Some(file) = &args.html {
        write(file, &page(args, &tree)?)?;
    }
    if output.json() {
        return searched.into_iter().try_for_each(|(row, recorder)| {
            let leaves = recorder.leaves();
            output.object(&TreeRow { row, leaves, passes: recorder.passes })
        });
    }
    match &searched[..] {
        [one, other] => compare::print(&tree, [one, other], output)?,
        _ => searched.iter().try_for_each(|(row, recorder)| recorder.print(row, output))?,
    }
    if let Some(file) = &args.svg {
        output.line(format!("passes drawn in {}", file.display()))?;
    }
    #[cfg(feature = "web")]
    if let Some(file) = &args.html {
        output.line(format!("page to step through the passes written to {}", file.display()))?;
    }
    Ok(())
}

fn write(file: &std::path::Path, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text).map_err(|e| Failure::bad(format!("cannot write {}: {e}", file.display())))
}

/// The page of `--html` as one file.
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
