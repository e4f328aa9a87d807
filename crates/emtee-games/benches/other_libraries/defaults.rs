//! First games searched to a fixed depth: emtee with its defaults, and the exact configurations of `minimax`, the fastest of which
//! counts.

use std::env;
use std::process::Command;
use std::time::Duration;

use emtee::{Budget, OwnEvaluation, Search};
use minimax::{IterativeOptions, Strategy};

use crate::first_game::{FirstGame, MinimaxSearch, emtee_search, minimax_algorithms, minimax_search};
use crate::measure::{Program, Row, Run, fastest, print, run_interleaved, timed, values_agree};

/// What is measured.
#[derive(Clone, Copy, PartialEq)]
enum Measured {
    /// The second search of a position: the first one is not measured, and the table is empty again.
    Search,
    /// Creating the table and one search, in a process of its own.
    TableAndSearch,
}

/// A search of one position to a depth.
type SearchFn<G> = Box<dyn Fn(Measured, &G, u8) -> Run>;

/// Values beyond this are wins and losses; the libraries have different numbers for them.
const WON: i32 = 30_000;

fn emtee<G: FirstGame>() -> (String, SearchFn<G>) {
    let run = |measured, position: &G, depth| {
        let think =
            |search: &mut Search<G, OwnEvaluation>| search.think(position, Budget::depth(depth)).expect("a search");
        let (time, found) = match measured {
            Measured::Search => {
                let mut search = emtee_search();
                think(&mut search);
                search.clear().expect("an empty table");
                timed(|| think(&mut search))
            }
            Measured::TableAndSearch => timed(|| think(&mut emtee_search())),
        };
        let value = found.value.map_or(0, |value| value.get().clamp(-WON, WON));
        Run { time, value, nodes: found.counts.nodes() }
    };
    ("emtee, defaults".into(), Box::new(run))
}

fn minimax<G: FirstGame>(name: &str, options: IterativeOptions, step: u8) -> (String, SearchFn<G>) {
    let run = move |measured, position: &G, depth| {
        let build = || {
            let mut search: MinimaxSearch<G> =
                minimax_search(if step == 2 { options.with_double_step_increment() } else { options });
            search.set_max_depth(depth);
            search
        };
        let choose = |search: &mut MinimaxSearch<G>| {
            search.choose_move(position);
            i32::from(search.root_value()).clamp(-WON, WON)
        };
        let (time, value) = match measured {
            Measured::Search => {
                choose(&mut build());
                // `minimax` cannot clear its table, but writes all of a new one.
                let mut search = build();
                timed(|| choose(&mut search))
            }
            Measured::TableAndSearch => timed(|| choose(&mut build())),
        };
        Run { time, value, nodes: 0 }
    };
    (format!("minimax {name}, step {step}, {} MB", options.table_byte_size >> 20), Box::new(run))
}

fn searches<G: FirstGame>() -> Vec<(String, SearchFn<G>)> {
    let mut searches = vec![emtee()];
    for (bytes, step) in [(1 << 20, 1), (1 << 20, 2), (16 << 20, 1), (16 << 20, 2)] {
        for (name, options) in minimax_algorithms() {
            searches.push(minimax(name, options.with_table_byte_size(bytes), step));
        }
    }
    searches
}

/// The searches as programs that search all positions. Times, values and nodes are sums.
fn programs<G: FirstGame>(measured: Measured) -> Vec<Program> {
    let program = |(number, (name, search)): (usize, (String, SearchFn<G>))| {
        let positions = G::positions();
        let run = move |depth| {
            positions.iter().enumerate().fold(Run::default(), |sum, (index, position)| {
                let run = match measured {
                    Measured::Search => search(measured, position, depth),
                    Measured::TableAndSearch => run_in_process::<G>(number, index, depth),
                };
                Run { time: sum.time + run.time, value: sum.value + run.value, nodes: sum.nodes + run.nodes }
            })
        };
        Program { name, run: Box::new(run) }
    };
    searches::<G>().into_iter().enumerate().map(program).collect()
}

/// Runs one search in a new process: memory freed by an earlier search would be cheaper to allocate.
fn run_in_process<G: FirstGame>(search: usize, position: usize, depth: u8) -> Run {
    let mut program = Command::new(env::current_exe().expect("this program"));
    let arguments = [search, position, depth.into()].map(|number| number.to_string());
    let output = program.args([ONE_SEARCH, G::NAME]).args(arguments).output().expect("this program again");
    let printed = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<i64> = printed.split_whitespace().map(|number| number.parse().expect("a number")).collect();
    let [time, value, nodes] = numbers[..] else { panic!("expected three numbers, found {printed}") };
    Run { time: Duration::from_nanos(time as u64), value: value as i32, nodes: nodes as u64 }
}

/// The argument with which this program runs one search of a game, given by three numbers, and exits.
pub(crate) const ONE_SEARCH: &str = "one-search";

/// Runs one search and prints its nanoseconds, value and nodes.
pub(crate) fn run_one_search<G: FirstGame>(numbers: &[String]) {
    let numbers: Vec<usize> = numbers.iter().filter_map(|number| number.parse().ok()).collect();
    let [search, position, depth] = numbers[..] else { panic!("{ONE_SEARCH} takes three numbers") };
    let run = (searches::<G>()[search].1)(Measured::TableAndSearch, &G::positions()[position], depth as u8);
    println!("{} {} {}", run.time.as_nanos(), run.value, run.nodes);
}

/// Whether a configuration of `minimax` is so much slower than the fastest one that it is not run again.
fn is_too_slow(name: &str, rows: &[Row]) -> bool {
    let is_minimax = |name: &str| name.starts_with("minimax");
    let own = fastest(rows, |other| other == name);
    is_minimax(name) && own > 1.5 * fastest(rows, is_minimax)
}

/// Prints two tables per depth: the time of the search alone, and with creating the table.
pub(crate) fn compare<G: FirstGame>(depths: &[u8]) {
    for &depth in if depths.is_empty() { G::DEPTHS } else { depths } {
        let rounds = 5;
        for (measured, title) in [(Measured::Search, "search only"), (Measured::TableAndSearch, "table and search")] {
            let skip = |round: usize, name: &str, rows: &[Row]| round > 0 && is_too_slow(name, rows);
            let rows = run_interleaved(&programs::<G>(measured), depth, rounds, skip);
            println!(
                "\n{}, five positions to depth {depth}, {title}: medians of up to {rounds} interleaved runs",
                G::TITLE
            );
            print(&rows);
            let minimax = fastest(&rows, |name| name.starts_with("minimax"));
            println!("emtee with its defaults / best minimax: {:.2}", rows[0].seconds() / minimax);
            if !values_agree(&rows) {
                println!("error: the values differ, so the programs do not search the same game");
            }
        }
    }
}
