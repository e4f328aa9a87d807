//! Dots and Boxes with turns that always alternate, so that `minimax` can play it: there the same player cannot move again.
//!
//! The game is written as one writes a first game: the four methods, a plain evaluation, `#[derive(Hash)]` and the key that
//! comes with it. emtee searches with its defaults. `minimax` has the same rules and evaluation and a quicker hash, and the
//! best of its exact configurations counts.

use std::env;
use std::process::Command;
use std::time::Duration;

use emtee::{Budget, Game, Moves, Outcome, OwnEvaluation, Search, Side, player};
use minimax::{Evaluation, Evaluator, IterativeOptions, IterativeSearch, Strategy, Winner};

use crate::measure::{Program, Row, Run, agree, best, interleaved, print, timed};

/// Boxes in a row, and in a column.
const SIZE: usize = 4;
/// Edges: those that lie come first, then those that stand.
const EDGES: u8 = 2 * (SIZE * (SIZE + 1)) as u8;

/// The four edges of each box.
const BOXES: [u64; SIZE * SIZE] = {
    let mut boxes = [0; SIZE * SIZE];
    let mut at = 0;
    while at < SIZE * SIZE {
        let (row, column) = (at / SIZE, at % SIZE);
        let standing = SIZE * (SIZE + 1) + row * (SIZE + 1) + column;
        boxes[at] = 1 << at | 1 << (at + SIZE) | 1 << standing | 1 << (standing + 1);
        at += 1;
    }
    boxes
};

/// Who draws the fourth edge of a box has it; who has more boxes in the end wins.
#[derive(Clone, Debug, PartialEq, Hash, Default)]
struct Dots {
    edges: u64,
    /// How many boxes the side to move is ahead.
    ahead: i8,
    turn: Side,
}

impl Dots {
    /// A game that has begun, with these edges drawn.
    fn begun(drawn: &[u8]) -> Dots {
        drawn.iter().fold(Dots::default(), |dots, &edge| dots.play(edge))
    }
}

/// Positions with boxes to be had now and more to be fought for: one made for it, and what twelve to fifteen random moves led to.
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

    /// Ten points a box, and some for those that the side to move can make.
    fn evaluate(&self) -> i32 {
        let can_be_made = BOXES.iter().filter(|&four| (four & self.edges).count_ones() == 3).count();
        10 * i32::from(self.ahead) + 3 * can_be_made as i32
    }
}

/// The same game for `minimax`.
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
        // Whose turn it is follows from the edges.
        emtee::mix(dots.edges | (dots.ahead as u8 as u64) << EDGES)
    }
    fn table_index(edge: u8) -> u16 {
        edge.into()
    }
    fn max_table_index() -> u16 {
        EDGES.into()
    }
}

#[derive(Clone, Default)]
struct Same;

impl Evaluator for Same {
    type G = Rules;
    fn evaluate(&self, dots: &Dots) -> Evaluation {
        dots.evaluate() as Evaluation
    }
}

/// What the clock sees.
#[derive(Clone, Copy, PartialEq)]
enum Clock {
    /// The search: the table was made before, and its pages touched.
    Search,
    /// All of it, in a program that starts, searches once and ends.
    Whole,
}

/// One search of one position to a depth.
type One = Box<dyn Fn(Clock, &Dots, u8) -> Run>;

fn emtee_search() -> (String, One) {
    let run = |clock, dots: &Dots, depth| {
        let build = || -> Search<Dots, OwnEvaluation> { player(OwnEvaluation).build().expect("the defaults") };
        let think =
            |search: &mut Search<Dots, OwnEvaluation>| search.think(dots, Budget::depth(depth)).expect("a search");
        let (time, found) = match clock {
            Clock::Search => {
                let mut search = build();
                search.touch_table();
                timed(|| think(&mut search))
            }
            Clock::Whole => timed(|| think(&mut build())),
        };
        Run { time, value: found.value.map_or(0, |value| value.get()), nodes: found.counts.nodes() }
    };
    ("emtee, defaults".into(), Box::new(run))
}

fn minimax_search(name: &str, options: IterativeOptions, step: u8) -> (String, One) {
    let run = move |clock, dots: &Dots, depth| {
        let build = || {
            let options = if step == 2 { options.with_double_step_increment() } else { options };
            let mut search = IterativeSearch::new(Same, options);
            search.set_max_depth(depth);
            search
        };
        let choose = |search: &mut IterativeSearch<Same>| {
            search.choose_move(dots);
            i32::from(search.root_value())
        };
        let (time, value) = match clock {
            Clock::Search => {
                let mut search = build();
                timed(|| choose(&mut search))
            }
            Clock::Whole => timed(|| choose(&mut build())),
        };
        Run { time, value, nodes: 0 }
    };
    (format!("minimax {name}, step {step}, {} MB", options.table_byte_size >> 20), Box::new(run))
}

fn searches() -> Vec<(String, One)> {
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

/// The searches as programs that search all positions: times, values and nodes are sums.
fn programs(clock: Clock) -> Vec<Program> {
    let program = |(at, (name, one)): (usize, (String, One))| {
        let run = move |depth| {
            (0..POSITIONS.len()).fold(Run::default(), |sum, position| {
                let run = match clock {
                    Clock::Search => one(clock, &Dots::begun(POSITIONS[position]), depth),
                    Clock::Whole => by_itself(at, position, depth),
                };
                Run { time: sum.time + run.time, value: sum.value + run.value, nodes: sum.nodes + run.nodes }
            })
        };
        Program { name, run: Box::new(run) }
    };
    searches().into_iter().enumerate().map(program).collect()
}

/// One search in a process of its own: memory that an earlier one gave back would come cheaper.
fn by_itself(search: usize, position: usize, depth: u8) -> Run {
    let mut program = Command::new(env::current_exe().expect("this program"));
    let arguments = [search, position, depth.into()].map(|number| number.to_string());
    let output = program.arg(ONE_SEARCH).args(arguments).output().expect("this program again");
    let told = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<i64> = told.split_whitespace().map(|number| number.parse().expect("a number")).collect();
    let [time, value, nodes] = numbers[..] else { panic!("three numbers, not {told}") };
    Run { time: Duration::from_nanos(time as u64), value: value as i32, nodes: nodes as u64 }
}

/// What makes this program do one search, told by three numbers, and end.
pub(crate) const ONE_SEARCH: &str = "one-search";

/// Does one search, and tells its nanoseconds, value and nodes.
pub(crate) fn one_search(numbers: &[String]) {
    let numbers: Vec<usize> = numbers.iter().filter_map(|number| number.parse().ok()).collect();
    let [search, position, depth] = numbers[..] else { panic!("{ONE_SEARCH} takes three numbers") };
    let run = (searches()[search].1)(Clock::Whole, &Dots::begun(POSITIONS[position]), depth as u8);
    println!("{} {} {}", run.time.as_nanos(), run.value, run.nodes);
}

/// Whether a program is so far behind the best of its kind that it need not run again.
fn hopeless(name: &str, rows: &[Row]) -> bool {
    let is_peer = |name: &str| name.starts_with("minimax");
    let own = best(rows, |other| other == name);
    is_peer(name) && own > 1.5 * best(rows, is_peer)
}

/// Prints two tables for each depth: by the clock of the search, and by that of the whole.
pub(crate) fn compare(depths: &[u8]) {
    for &depth in depths {
        let rounds = if depth <= 8 { 9 } else { 5 };
        for (clock, told) in [(Clock::Search, "the search alone"), (Clock::Whole, "the table and all")] {
            let left_out = |round: usize, name: &str, rows: &[Row]| round > 0 && hopeless(name, rows);
            let rows = interleaved(&programs(clock), depth, rounds, left_out);
            println!(
                "\nDots and Boxes, five positions to depth {depth}, {told}: medians of up to {rounds} interleaved runs"
            );
            print(&rows);
            let minimax = best(&rows, |name| name.starts_with("minimax"));
            println!("best minimax / emtee with its defaults: {:.2}×", minimax / rows[0].seconds());
            if !agree(&rows) {
                println!("the values differ: they do not search the same game");
            }
        }
    }
}
