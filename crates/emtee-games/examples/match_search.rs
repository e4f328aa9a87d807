//! Two ways to search chess, with the same evaluation and the same budget a move:
//!
//! ```text
//! cargo xtask match search --first mtd-f:all --second mtd-f:all,-null-move --pairs 100 --ms 10
//! ```
//!
//! A way to search is an algorithm, a colon and the switches of selective search ([`emtee::Selective`]): `mtd-f:none` is the exact
//! search. Every opening is played twice, with colours exchanged. `--ms` is CPU time, so that a busy machine disturbs little;
//! `--nodes N` counts nodes instead, and is the same everywhere.

use std::cell::RefCell;
use std::time::Duration;

use emtee::{Algorithm, Budget, Found, Game, OwnEvaluation, Search, Selective, Side, Size, mix, player};
use emtee_games::chess::evaluate::Weights;
use emtee_games::chess::{Board, Move};

#[allow(dead_code)]
mod chess_games;
use chess_games::{Player, game, in_parallel, opening, take};
mod options;
use options::{only, option};

/// What each side may spend on a move.
#[derive(Clone, Copy)]
struct Allowance {
    ms: u64,
    nodes: Option<u64>,
}

struct Searcher {
    search: Search<Board, OwnEvaluation>,
    allowance: Allowance,
    plies: u64,
    depths: u64,
}

/// The time this thread has worked.
fn worked() -> Duration {
    cpu_time::ThreadTime::now().as_duration()
}

impl Searcher {
    fn new(way: &str, allowance: Allowance, size: Size) -> Result<Searcher, String> {
        let (algorithm, switches) = way.split_once(':').unwrap_or((way, "all"));
        let algorithm: Algorithm = algorithm.parse().map_err(|error: emtee::Error| error.to_string())?;
        let switches: Selective = switches.parse().map_err(|error: emtee::Error| error.to_string())?;
        let builder = player(OwnEvaluation).algorithm(algorithm).selective(switches).table(size).clock(worked);
        let search = builder.principal_variation(false).build().map_err(|error| error.to_string())?;
        Ok(Searcher { search, allowance, plies: 0, depths: 0 })
    }

    fn think(&mut self, before: &[Board], board: &Board) -> Found<Move> {
        self.search.set_game(before).expect("the algorithm knows what came before");
        let budget = match self.allowance.nodes {
            None => Budget::ms(self.allowance.ms),
            Some(nodes) => Budget::nodes(nodes),
        };
        let found = self.search.think(board, budget).expect("evaluations are in range");
        self.plies += 1;
        self.depths += u64::from(found.depth);
        found
    }
}

fn main() {
    only(&["--first", "--second", "--pairs", "--ms", "--nodes", "--hash", "--seed", "--threads"]);
    let ways = [option("--first", String::from("mtd-f:all")), option("--second", String::from("mtd-f:none"))];
    let pairs: usize = option("--pairs", 100);
    let nodes: u64 = option("--nodes", 0);
    let allowance = Allowance { ms: option("--ms", 10), nodes: (nodes > 0).then_some(nodes) };
    let size: Size = option("--hash", Size::of_entries(1 << 18));
    let seed: u64 = option("--seed", 1000);
    let threads = option("--threads", 1);
    for way in &ways {
        if let Err(why) = Searcher::new(way, allowance, Size::of_entries(4)) {
            eprintln!("{way:?} is no way to search: {why}");
            std::process::exit(2);
        }
    }
    // The first side's points in each game of a pair, and the depths both reached.
    let results = in_parallel(pairs, threads, |done: &mut dyn FnMut(usize, ([f32; 2], [u64; 4])), next| {
        let mut judge = Player::new(Weights::tuned(), 4);
        let mut sides = ways.clone().map(|way| Searcher::new(&way, allowance, size).expect("it was tried above"));
        while let Some(at) = take(next, pairs) {
            let start = opening(mix(seed ^ mix(at as u64)), &mut judge);
            let points = [Side::First, Side::Second].map(|first| {
                for side in &mut sides {
                    side.search.clear().expect("a table can be cleared");
                }
                let before = RefCell::new(Vec::new());
                let white = game(
                    &start,
                    |board| {
                        let side = usize::from(board.turn() != first);
                        let found = sides[side].think(&before.borrow(), board);
                        before.borrow_mut().push(board.clone());
                        found
                    },
                    |_, _| {},
                );
                if first == Side::First { white } else { 1.0 - white }
            });
            let [a, b] = &mut sides;
            let depths = [a, b].map(|side| [std::mem::take(&mut side.plies), std::mem::take(&mut side.depths)]);
            done(at, (points, [depths[0][0], depths[0][1], depths[1][0], depths[1][1]]));
            if at % 10 == 9 {
                eprintln!("{} of {pairs} pairs", at + 1);
            }
        }
    });
    let points: Vec<[f32; 2]> = results.iter().map(|(points, _)| *points).collect();
    let count = |wanted: f32| points.iter().flatten().filter(|&&points| points == wanted).count();
    let (won, drawn, lost) = (count(1.0), count(0.5), count(0.0));
    let share = (won as f64 + drawn as f64 / 2.0) / (2.0 * pairs as f64);
    // The spread of whole pairs: the two games of an opening are not independent.
    let spread: f64 = points.iter().map(|[a, b]| (f64::from(a + b) / 2.0 - share).powi(2)).sum::<f64>() / pairs as f64;
    let margin = 1.96 * (spread / pairs as f64).sqrt();
    let elo = |share: f64| 400.0 * (share / (1.0 - share)).log10();
    let depth = |at: usize| {
        let sum = |at: usize| results.iter().map(|(_, depths)| depths[at]).sum::<u64>() as f64;
        sum(at + 1) / sum(at)
    };
    println!("{} against {}, {} games: +{won} ={drawn} -{lost}", ways[0], ways[1], 2 * pairs);
    println!("mean depth {:.1} against {:.1}", depth(0), depth(2));
    println!("{:.1} % of the points, ± {:.1} (95 %)", share * 100.0, margin * 100.0);
    println!("Elo {:+.0}, from {:+.0} to {:+.0}", elo(share), elo(share - margin), elo(share + margin));
}
