//! Dots and Boxes with strictly alternating turns, because in `minimax` a player cannot move twice in a row.
//!
//! The game is written like a first game: the four required methods, a plain evaluation, `#[derive(Hash)]` and the default
//! key. emtee searches with its defaults. `minimax` has the same rules and evaluation and a faster hash, and the fastest of
//! its exact configurations counts.

use std::env;
use std::process::Command;
use std::time::Duration;

use emtee::{Budget, Game, Moves, Outcome, OwnEvaluation, Search, Side, player};
use minimax::{Evaluation, Evaluator, IterativeOptions, IterativeSearch, Strategy, Winner};

use crate::measure::{Program, Row, Run, fastest, print, run_interleaved, timed, values_agree};

/// The number of boxes in a row and in a column.
const SIZE: usize = 4;
/// The number of edges. Horizontal edges come first, then vertical ones.
const EDGES: u8 = 2 * (SIZE * (SIZE + 1)) as u8;

/// The four edges of each box.
const BOXES: [u64; SIZE * SIZE] = {
    let mut boxes = [0; SIZE * SIZE];
    let mut index = 0;
    while index < SIZE * SIZE {
        let (row, column) = (index / SIZE, index % SIZE);
        let vertical = SIZE * (SIZE + 1) + row * (SIZE + 1) + column;
        boxes[index] = 1 << index | 1 << (index + SIZE) | 1 << vertical | 1 << (vertical + 1);
        index += 1;
    }
    boxes
};

/// A position. The player who draws the fourth edge of a box owns it; the player with more boxes wins.
#[derive(Clone, Debug, PartialEq, Hash, Default)]
struct Dots {
    edges: u64,
    /// The boxes of the side to move minus those of the other side.
    ahead: i8,
    turn: Side,
}

impl Dots {
    /// The position after these edges are drawn.
    fn after(drawn: &[u8]) -> Dots {
        drawn.iter().fold(Dots::default(), |dots, &edge| dots.play(edge))
    }
}

/// Positions with boxes to take now and more to compete for, as lists of edges: one constructed, the others after twelve to
/// fifteen random moves.
const POSITIONS: [&[u8]; 5] = [
    &[0, 5, 11, 14, 17, 22, 26, 30, 33, 38, 2, 8, 20, 35, 12, 24],
    &[7, 20, 32, 37, 6, 14, 26, 31, 28, 39, 0, 19],
    &[5, 7, 18, 6, 28, 0, 31, 20, 13, 12, 8, 11, 35],
    &[24, 32, 4, 21, 5, 34, 18, 33, 29, 37, 28, 20, 22, 27],
    &[36, 19, 1, 23, 39, 29, 27, 5, 25, 28, 18, 17, 15, 3, 13],
];

impl Game for Dots {
    type Move = u8;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<u8>) {
        (0..EDGES).filter(|edge| self.edges >> edge & 1 == 0).for_each(|edge| moves.push(edge));
    }

    fn play(&self, edge: u8) -> Dots {
        let edges = self.edges | 1 << edge;
        let made = BOXES.iter().filter(|&four| four >> edge & 1 == 1 && four & edges == *four).count();
        Dots { edges, ahead: -(self.ahead + made as i8), turn: !self.turn }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.edges.count_ones() == u32::from(EDGES)).then_some(match self.ahead {
            1.. => Outcome::Won,
            0 => Outcome::Drawn,
            _ => Outcome::Lost,
        })
    }

    /// Ten points per box, and three for each box that the side to move can complete.
    fn evaluate(&self) -> i32 {
        let completable = BOXES.iter().filter(|&four| (four & self.edges).count_ones() == 3).count();
        10 * i32::from(self.ahead) + 3 * completable as i32
    }
}

/// The game for `minimax`.
struct Rules;

impl minimax::Game for Rules {
    type S = Dots;
    type M = u8;

    fn generate_moves(dots: &Dots, moves: &mut Vec<u8>) -> Option<Winner> {
        if let Some(winner) = Self::get_winner(dots) {
            return Some(winner);
        }
        moves.extend((0..EDGES).filter(|edge| dots.edges >> edge & 1 == 0));
        None
    }
    fn apply(dots: &mut Dots, edge: u8) -> Option<Dots> {
        Some(dots.play(edge))
    }
    fn get_winner(dots: &Dots) -> Option<Winner> {
        dots.outcome().map(|outcome| match outcome {
            Outcome::Lost => Winner::PlayerJustMoved,
            Outcome::Won => Winner::PlayerToMove,
            _ => Winner::Draw,
        })
    }
    fn zobrist_hash(dots: &Dots) -> u64 {
        // The side to move follows from the edges.
        emtee::mix(dots.edges | (dots.ahead as u8 as u64) << EDGES)
    }
    fn table_index(edge: u8) -> u16 {
        edge.into()
    }
    fn max_table_index() -> u16 {
        EDGES.into()
    }
}

/// The same evaluation for `minimax`.
#[derive(Clone, Default)]
struct SameEvaluation;

impl Evaluator for SameEvaluation {
    type G = Rules;
    fn evaluate(&self, dots: &Dots) -> Evaluation {
        dots.evaluate() as Evaluation
    }
}

/// What is measured.
#[derive(Clone, Copy, PartialEq)]
enum Measured {
    /// The search. The table is created and its pages are touched before.
    Search,
    /// Creating the table and one search, in a process of its own.
    TableAndSearch,
}

/// A search of one position to a depth.
type SearchFn = Box<dyn Fn(Measured, &Dots, u8) -> Run>;

fn emtee_search() -> (String, SearchFn) {
    let run = |measured, dots: &Dots, depth| {
        let build = || -> Search<Dots, OwnEvaluation> { player(OwnEvaluation).build().expect("the defaults") };
        let think =
            |search: &mut Search<Dots, OwnEvaluation>| search.think(dots, Budget::depth(depth)).expect("a search");
        let (time, found) = match measured {
            Measured::Search => {
                let mut search = build();
                search.touch_table();
                timed(|| think(&mut search))
            }
            Measured::TableAndSearch => timed(|| think(&mut build())),
        };
        Run { time, value: found.value.map_or(0, |value| value.get()), nodes: found.counts.nodes() }
    };
    ("emtee, defaults".into(), Box::new(run))
}

fn minimax_search(name: &str, options: IterativeOptions, step: u8) -> (String, SearchFn) {
    let run = move |measured, dots: &Dots, depth| {
        let build = || {
            let options = if step == 2 { options.with_double_step_increment() } else { options };
            let mut search = IterativeSearch::new(SameEvaluation, options);
            search.set_max_depth(depth);
            search
        };
        let choose = |search: &mut IterativeSearch<SameEvaluation>| {
            search.choose_move(dots);
            i32::from(search.root_value())
        };
        let (time, value) = match measured {
            Measured::Search => {
                let mut search = build();
                timed(|| choose(&mut search))
            }
            Measured::TableAndSearch => timed(|| choose(&mut build())),
        };
        Run { time, value, nodes: 0 }
    };
    (format!("minimax {name}, step {step}, {} MB", options.table_byte_size >> 20), Box::new(run))
}

fn searches() -> Vec<(String, SearchFn)> {
    let mut searches = vec![emtee_search()];
    for (bytes, step) in [(1 << 20, 1), (1 << 20, 2), (16 << 20, 1), (16 << 20, 2)] {
        let plain = IterativeOptions::new().with_table_byte_size(bytes);
        let history = plain.with_countermove_history();
        for (name, options) in [
            ("PVS", plain),
            ("PVS, history", history),
            ("PVS, history, countermoves", history.with_countermoves()),
            ("PVS, history, aspiration", history.with_aspiration_window(5)),
            ("MTD(f), history", history.with_mtdf()),
        ] {
            searches.push(minimax_search(name, options, step));
        }
    }
    searches
}

/// The searches as programs that search all positions. Times, values and nodes are sums.
fn programs(measured: Measured) -> Vec<Program> {
    let program = |(number, (name, search)): (usize, (String, SearchFn))| {
        let run = move |depth| {
            (0..POSITIONS.len()).fold(Run::default(), |sum, position| {
                let run = match measured {
                    Measured::Search => search(measured, &Dots::after(POSITIONS[position]), depth),
                    Measured::TableAndSearch => run_in_process(number, position, depth),
                };
                Run { time: sum.time + run.time, value: sum.value + run.value, nodes: sum.nodes + run.nodes }
            })
        };
        Program { name, run: Box::new(run) }
    };
    searches().into_iter().enumerate().map(program).collect()
}

/// Runs one search in a new process: memory freed by an earlier search would be cheaper to allocate.
fn run_in_process(search: usize, position: usize, depth: u8) -> Run {
    let mut program = Command::new(env::current_exe().expect("this program"));
    let arguments = [search, position, depth.into()].map(|number| number.to_string());
    let output = program.arg(ONE_SEARCH).args(arguments).output().expect("this program again");
    let printed = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<i64> = printed.split_whitespace().map(|number| number.parse().expect("a number")).collect();
    let [time, value, nodes] = numbers[..] else { panic!("expected three numbers, found {printed}") };
    Run { time: Duration::from_nanos(time as u64), value: value as i32, nodes: nodes as u64 }
}

/// The argument with which this program runs one search, given by three numbers, and exits.
pub(crate) const ONE_SEARCH: &str = "one-search";

/// Runs one search and prints its nanoseconds, value and nodes.
pub(crate) fn run_one_search(numbers: &[String]) {
    let numbers: Vec<usize> = numbers.iter().filter_map(|number| number.parse().ok()).collect();
    let [search, position, depth] = numbers[..] else { panic!("{ONE_SEARCH} takes three numbers") };
    let run = (searches()[search].1)(Measured::TableAndSearch, &Dots::after(POSITIONS[position]), depth as u8);
    println!("{} {} {}", run.time.as_nanos(), run.value, run.nodes);
}

/// Whether a configuration of `minimax` is so much slower than the fastest one that it is not run again.
fn is_too_slow(name: &str, rows: &[Row]) -> bool {
    let is_minimax = |name: &str| name.starts_with("minimax");
    let own = fastest(rows, |other| other == name);
    is_minimax(name) && own > 1.5 * fastest(rows, is_minimax)
}

/// Prints two tables per depth: the time of the search alone, and with creating the table.
pub(crate) fn compare(depths: &[u8]) {
    for &depth in depths {
        let rounds = if depth <= 8 { 9 } else { 5 };
        for (measured, title) in [(Measured::Search, "search only"), (Measured::TableAndSearch, "table and search")] {
            let skip = |round: usize, name: &str, rows: &[Row]| round > 0 && is_too_slow(name, rows);
            let rows = run_interleaved(&programs(measured), depth, rounds, skip);
            println!(
                "\nDots and Boxes, five positions to depth {depth}, {title}: medians of up to {rounds} interleaved runs"
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
