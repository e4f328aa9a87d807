//! Compares two search configurations of checkers, with the same evaluation, in paired games:
//!
//! ```text
//! cargo xtask match checkers-search --first mtd-f:forced-extensions --second mtd-f:none --pairs 100 --nodes 20000
//! ```
//!
//! A configuration is an algorithm, a colon and the options of selective search ([`emtee::Selective`]): `mtd-f:none` is
//! the exact search, `mtd-f:own` uses the options of the game. After a second colon it can have its own budget: `9`
//! plies, `50000n` nodes or `100ms`. With `--endings FILE` the first configuration probes an endings database, with
//! `--both FILE` both do.
//!
//! Each opening of `--plies` random moves is played twice with colours swapped. A game is drawn by threefold
//! repetition, or after 40 moves of each side without a capture or a move of a man.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use emtee::research::Reuse;
use emtee::{Algorithm, Budget, Game, Search, Selective, Side, Size, legal_moves, player};
use emtee_games::checkers::endings::{Endings, EndingsEvaluator};
use emtee_games::checkers::{Board, Network};

mod checkers_openings;
use checkers_openings::openings;
mod options;
use options::{only, option};

/// The plies of a tournament ballot, and some more for diversity.
const OPENING_PLIES: usize = 6;
const QUIET_PLIES: u32 = 80;

/// The evaluator of engines.
type Evaluator = EndingsEvaluator<Network>;

struct Player {
    search: Search<Board, Evaluator>,
    budget: Budget,
    plies: u64,
    depths: u64,
}

impl Player {
    fn new(configuration: &str, budget: Budget, endings: &str) -> Result<Player, String> {
        let mut parts = configuration.split(':');
        let algorithm = parts.next().unwrap_or_default();
        let algorithm: Algorithm = algorithm.parse().map_err(|error: emtee::Error| error.to_string())?;
        let selective = match parts.next() {
            None | Some("own") => Board::TUNING.selective,
            Some(text) => text.parse().map_err(|error: emtee::Error| error.to_string())?,
        };
        let selective = Selective { margin_unit: Board::TUNING.selective.margin_unit, ..selective };
        let budget = parts.next().map_or(Ok(budget), limit)?;
        let endings = match endings {
            "" => None,
            file => {
                let from = std::fs::File::open(file).map_err(|error| format!("{file}: {error}"))?;
                Some(Arc::new(Endings::read(from).map_err(|error| format!("{file}: {error}"))?))
            }
        };
        let search = player(EndingsEvaluator::with_evaluator(endings, Network))
            .algorithm(algorithm)
            .selective(selective)
            .with(|options| options.reuse = Some(Reuse::AtLeastDepth));
        let search =
            search.table(option("--hash", Size::of_entries(1 << 18))).clock(thread_time).principal_variation(false);
        Ok(Player { search: search.build().map_err(|error| error.to_string())?, budget, plies: 0, depths: 0 })
    }
}

/// The CPU time of this thread, so that other load on the machine matters little.
fn thread_time() -> Duration {
    cpu_time::ThreadTime::now().as_duration()
}

fn limit(text: &str) -> Result<Budget, String> {
    let number = |text: &str| text.parse().map_err(|_| format!("{text:?} is not a budget"));
    if let Some(ms) = text.strip_suffix("ms") {
        Ok(Budget::ms(number(ms)?))
    } else if let Some(nodes) = text.strip_suffix('n') {
        Ok(Budget::nodes(number(nodes)?))
    } else {
        Ok(Budget::depth(number(text)?.clamp(1, 100) as u8))
    }
}

fn main() {
    only(&["--first", "--second", "--pairs", "--nodes", "--seed", "--hash", "--endings", "--both", "--plies"]);
    let configurations = [option("--first", String::from("mtd-f:own")), option("--second", String::from("mtd-f:none"))];
    let (pairs, nodes, seed): (usize, u64, u64) =
        (option("--pairs", 100), option("--nodes", 20_000), option("--seed", 1));
    let both = option("--both", String::new());
    let endings = [option("--endings", both.clone()), both];
    let new_player = |index: usize| Player::new(&configurations[index], Budget::nodes(nodes), &endings[index]);
    let mut players = [0, 1].map(|index| {
        new_player(index).unwrap_or_else(|why| {
            eprintln!("{:?} is not a search configuration: {why}", configurations[index]);
            std::process::exit(2)
        })
    });
    let mut results = Vec::new();
    for (pair, opening) in openings(seed, option("--plies", OPENING_PLIES)).take(pairs).enumerate() {
        let points = [Side::First, Side::Second].map(|colour| play(opening, colour, &mut players));
        if points.contains(&0.0) {
            eprintln!("{opening}: {} points as Black, {} as White", points[0], points[1]);
        }
        results.push(points);
        if pair % 10 == 9 {
            eprintln!("{} of {pairs} pairs: {:?}", pair + 1, counts(&results));
        }
    }
    let (won, drawn, lost) = counts(&results);
    let share = results.iter().flatten().sum::<f64>() / (2 * pairs) as f64;
    // The variance over pairs, because the two games of an opening are not independent.
    let variance = results.iter().map(|[a, b]| ((a + b) / 2.0 - share).powi(2)).sum::<f64>() / pairs as f64;
    let margin = 1.96 * (variance / pairs as f64).sqrt();
    let elo = |share: f64| 400.0 * (share / (1.0 - share)).log10();
    println!("{} against {}, {} games: +{won} ={drawn} -{lost}", configurations[0], configurations[1], 2 * pairs);
    let [first, second] = players.map(|player| player.depths as f64 / player.plies.max(1) as f64);
    println!("mean depth {first:.1} against {second:.1}");
    println!("{:.1} % of the points, ± {:.1} (95 %)", share * 100.0, margin * 100.0);
    println!("Elo {:+.0}, from {:+.0} to {:+.0}", elo(share), elo(share - margin), elo(share + margin));
}

fn counts(results: &[[f64; 2]]) -> (usize, usize, usize) {
    let count = |wanted: f64| results.iter().flatten().filter(|&&points| points == wanted).count();
    (count(1.0), count(0.5), count(0.0))
}

/// The first player's points.
fn play(start: Board, first_side: Side, players: &mut [Player; 2]) -> f64 {
    for player in players.iter_mut() {
        player.search.clear().expect("clearing works");
    }
    let (mut board, mut before) = (start, Vec::new());
    let mut seen: HashMap<Board, u32> = HashMap::new();
    let mut quiet_plies = 0;
    loop {
        let times = seen.entry(board).or_default();
        *times += 1;
        if *times == 3 || quiet_plies == QUIET_PLIES {
            return 0.5;
        }
        let player = &mut players[usize::from(board.turn() != first_side)];
        player.search.set_game(&before).expect("the algorithm supports game history");
        let found = player.search.think(&board, player.budget).expect("the position can be searched");
        let Some(m) = found.best_move.or_else(|| legal_moves(&board).first().copied()) else {
            return if board.turn() == first_side { 0.0 } else { 1.0 };
        };
        player.plies += 1;
        player.depths += u64::from(found.depth);
        let man = board.piece(m.from()).is_some_and(|piece| !piece.king);
        quiet_plies = if man || m.is_jump() { 0 } else { quiet_plies + 1 };
        before.push(board);
        board = board.play(m);
    }
}
