//! Compares two search configurations of chess, with the same evaluation and the same budget per move:
//!
//! ```text
//! cargo xtask match search --first mtd-f:all --second mtd-f:all,-null-move --pairs 100 --ms 10
//! ```
//!
//! A configuration is an algorithm, a colon and the options of selective search ([`emtee::Selective`]): `mtd-f:none` is
//! the exact search. `--second each` plays the first configuration against itself without each of the options that
//! chess uses, in turn. Every opening is played twice with colours swapped. `--ms` is CPU time, so that other load on
//! the machine matters little. `--nodes N` limits nodes instead, and gives the same result on every machine.

use std::cell::RefCell;
use std::time::Duration;

use emtee::{Algorithm, Budget, Found, Game, Grain, OwnEvaluation, Search, Selective, Side, Size, mix, player};
use emtee_games::chess::evaluate::Weights;
use emtee_games::chess::{Board, Move};

#[allow(dead_code)]
mod chess_games;
use chess_games::{Player, game, in_parallel, opening, take};
mod options;
use options::{only, option};

/// The budget per move.
#[derive(Clone, Copy)]
struct MoveBudget {
    ms: u64,
    nodes: Option<u64>,
}

struct Searcher {
    search: Search<Board, Grain<OwnEvaluation>>,
    budget: MoveBudget,
    plies: u64,
    depths: u64,
}

/// The CPU time of this thread.
fn thread_time() -> Duration {
    cpu_time::ThreadTime::now().as_duration()
}

impl Searcher {
    fn new(configuration: &str, budget: MoveBudget, size: Size) -> Result<Searcher, String> {
        let (algorithm, options) = configuration.rsplit_once(':').unwrap_or((configuration, "all"));
        let algorithm: Algorithm = algorithm.parse().map_err(|error: emtee::Error| error.to_string())?;
        let selective: Selective = options.parse().map_err(|error: emtee::Error| error.to_string())?;
        let evaluator = Grain { grain: Board::TUNING.grain, evaluator: OwnEvaluation };
        let builder = player(evaluator).algorithm(algorithm).selective(selective).table(size).clock(thread_time);
        let search = builder.principal_variation(false).build().map_err(|error| error.to_string())?;
        Ok(Searcher { search, budget, plies: 0, depths: 0 })
    }

    fn think(&mut self, before: &[Board], board: &Board) -> Found<Move> {
        self.search.set_game(before).expect("the algorithm supports game history");
        let budget = match self.budget.nodes {
            None => Budget::ms(self.budget.ms),
            Some(nodes) => Budget::nodes(nodes),
        };
        let found = self.search.think(board, budget).expect("evaluations are in range");
        self.plies += 1;
        self.depths += u64::from(found.depth);
        found
    }
}

/// The result of a match: the first side's points in each game of a pair, and the mean search depth of each side.
struct Score {
    points: Vec<[f32; 2]>,
    depths: [f64; 2],
}

impl Score {
    fn count(&self, wanted: f32) -> usize {
        self.points.iter().flatten().filter(|&&points| points == wanted).count()
    }

    /// The share of the points and its margin (95 %). The margin is from the variance over pairs, because the two games
    /// of an opening are not independent.
    fn share(&self) -> (f64, f64) {
        let pairs = self.points.len() as f64;
        let share = (self.count(1.0) as f64 + self.count(0.5) as f64 / 2.0) / (2.0 * pairs);
        let deviation = |[a, b]: &[f32; 2]| (f64::from(a + b) / 2.0 - share).powi(2);
        let variance = self.points.iter().map(deviation).sum::<f64>() / pairs;
        (share, 1.96 * (variance / pairs).sqrt())
    }
}

fn elo(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

/// The settings of a match.
struct Match {
    pairs: usize,
    budget: MoveBudget,
    size: Size,
    seed: u64,
    threads: usize,
}

impl Match {
    fn play(&self, configurations: &[String; 2]) -> Score {
        let results = in_parallel(self.pairs, self.threads, |done: &mut dyn FnMut(usize, _), next| {
            let mut opening_player = Player::new(Weights::tuned(), 4);
            let mut sides = configurations.clone().map(|configuration| self.searcher(&configuration));
            while let Some(pair) = take(next, self.pairs) {
                let start = opening(mix(self.seed ^ mix(pair as u64)), &mut opening_player);
                let points = [Side::First, Side::Second].map(|first| play_game(&start, &mut sides, first));
                let depths = sides.each_mut().map(|side| [take_count(&mut side.plies), take_count(&mut side.depths)]);
                done(pair, (points, depths));
                if pair % 10 == 9 {
                    eprintln!("{} of {} pairs", pair + 1, self.pairs);
                }
            }
        });
        let depth = |side: usize| {
            let sum = |what: usize| results.iter().map(|(_, depths)| depths[side][what]).sum::<u64>() as f64;
            sum(1) / sum(0)
        };
        Score { depths: [depth(0), depth(1)], points: results.iter().map(|(points, _)| *points).collect() }
    }

    fn searcher(&self, configuration: &str) -> Searcher {
        Searcher::new(configuration, self.budget, self.size).unwrap_or_else(|why| {
            eprintln!("{configuration:?} is not a search configuration: {why}");
            std::process::exit(2)
        })
    }
}

fn take_count(count: &mut u64) -> u64 {
    std::mem::take(count)
}

/// Plays a game in which the first side has the colour `first`. Returns its points.
fn play_game(start: &Board, sides: &mut [Searcher; 2], first: Side) -> f32 {
    for side in sides.iter_mut() {
        side.search.clear().expect("a table can be cleared");
    }
    let before = RefCell::new(Vec::new());
    let choose = |board: &Board| {
        let side = usize::from(board.turn() != first);
        let found = sides[side].think(&before.borrow(), board);
        before.borrow_mut().push(board.clone());
        found
    };
    let white = game(start, choose, |_, _| {});
    if first == Side::First { white } else { 1.0 - white }
}

fn main() {
    only(&["--first", "--second", "--pairs", "--ms", "--nodes", "--hash", "--seed", "--threads"]);
    let first: String = option("--first", String::from("mtd-f:all"));
    let second: String = option("--second", String::from("mtd-f:none"));
    let nodes: u64 = option("--nodes", 0);
    let settings = Match {
        pairs: option("--pairs", 100).max(1),
        budget: MoveBudget { ms: option("--ms", 10), nodes: (nodes > 0).then_some(nodes) },
        size: option("--hash", Size::of_entries(1 << 18)),
        seed: option("--seed", 1000),
        threads: option("--threads", 1),
    };
    let without = |name| format!("{first},-{name}");
    let used = Board::TUNING.selective.to_string();
    let seconds: Vec<String> =
        if second == "each" { used.split(',').map(without).collect() } else { vec![second.clone()] };
    // Report invalid configurations before the first game.
    for configuration in seconds.iter().chain([&first]) {
        drop(settings.searcher(configuration));
    }
    for second in seconds {
        let configurations = [first.clone(), second];
        let score = settings.play(&configurations);
        let (won, drawn, lost) = (score.count(1.0), score.count(0.5), score.count(0.0));
        let (share, margin) = score.share();
        println!(
            "{} against {}, {} games: +{won} ={drawn} -{lost}",
            configurations[0],
            configurations[1],
            2 * settings.pairs
        );
        println!("mean depth {:.1} against {:.1}", score.depths[0], score.depths[1]);
        println!("{:.1} % of the points, ± {:.1} (95 %)", share * 100.0, margin * 100.0);
        println!("Elo {:+.0}, from {:+.0} to {:+.0}", elo(share), elo(share - margin), elo(share + margin));
    }
}
