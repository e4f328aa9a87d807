//! Two ways to search checkers, with the same evaluation, in paired games:
//!
//! ```text
//! cargo xtask match checkers-search --first mtd-f:forced-extensions --second mtd-f:none --pairs 100 --nodes 20000
//! ```
//!
//! A way to search is an algorithm, a colon and the switches of selective search ([`emtee::Selective`]); `mtd-f:none` is the exact search, `mtd-f:own`
//! what the game has chosen. A second colon may follow, and then a limit of this way alone: `9` plies, `50000n` nodes or `100ms`. `--endings FILE`
//! lets the first ask an endings database, `--both FILE` both. Each opening of `--plies` random moves is played twice with colours changed. A game is
//! drawn when a position comes about for the third time, or after 40 moves of each side without a capture or an advance of a man.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use emtee::research::Reuse;
use emtee::{Algorithm, Budget, Game, Search, Selective, Side, Size, legal_moves, player};
use emtee_games::checkers::endings::{Endings, Judge};
use emtee_games::checkers::{Board, Network};

mod checkers_openings;
use checkers_openings::openings;
mod options;
use options::{only, option};

/// As many plies as a ballot of tournament play, and some more so that openings differ.
const OPENING_PLIES: usize = 6;
const QUIET_PLIES: u32 = 80;

/// What engines play with.
type Evaluator = Judge<Network>;

struct Player {
    search: Search<Board, Evaluator>,
    budget: Budget,
    plies: u64,
    depths: u64,
}

impl Player {
    fn new(way: &str, budget: Budget, endings: &str) -> Result<Player, String> {
        let mut parts = way.split(':');
        let algorithm = parts.next().unwrap_or_default();
        let algorithm: Algorithm = algorithm.parse().map_err(|error: emtee::Error| error.to_string())?;
        let switches = match parts.next() {
            None | Some("own") => Board::TUNING.selective,
            Some(text) => text.parse().map_err(|error: emtee::Error| error.to_string())?,
        };
        let switches = Selective { margin_unit: Board::TUNING.selective.margin_unit, ..switches };
        let budget = parts.next().map_or(Ok(budget), limit)?;
        let endings = match endings {
            "" => None,
            file => {
                let from = std::fs::File::open(file).map_err(|error| format!("{file}: {error}"))?;
                Some(Arc::new(Endings::read(from).map_err(|error| format!("{file}: {error}"))?))
            }
        };
        let search = player(Judge::beside(endings, Network))
            .algorithm(algorithm)
            .selective(switches)
            .with(|options| options.reuse = Some(Reuse::AtLeastDepth));
        let search = search.table(option("--hash", Size::of_entries(1 << 18))).clock(worked).principal_variation(false);
        Ok(Player { search: search.build().map_err(|error| error.to_string())?, budget, plies: 0, depths: 0 })
    }
}

/// The time this thread has worked, so that a busy machine disturbs little.
fn worked() -> Duration {
    cpu_time::ThreadTime::now().as_duration()
}

fn limit(text: &str) -> Result<Budget, String> {
    let number = |text: &str| text.parse().map_err(|_| format!("{text:?} is no limit"));
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
    let ways = [option("--first", String::from("mtd-f:own")), option("--second", String::from("mtd-f:none"))];
    let (pairs, nodes, seed): (usize, u64, u64) =
        (option("--pairs", 100), option("--nodes", 20_000), option("--seed", 1));
    let both = option("--both", String::new());
    let endings = [option("--endings", both.clone()), both];
    let made = |at: usize| Player::new(&ways[at], Budget::nodes(nodes), &endings[at]);
    let mut players = [0, 1].map(|at| {
        made(at).unwrap_or_else(|why| {
            eprintln!("{:?} is no way to search: {why}", ways[at]);
            std::process::exit(2)
        })
    });
    let mut results = Vec::new();
    for (at, opening) in openings(seed, option("--plies", OPENING_PLIES)).take(pairs).enumerate() {
        let points = [Side::First, Side::Second].map(|colour| play(opening, colour, &mut players));
        if points.contains(&0.0) {
            eprintln!("{opening}: {} points as Black, {} as White", points[0], points[1]);
        }
        results.push(points);
        if at % 10 == 9 {
            eprintln!("{} of {pairs} pairs: {:?}", at + 1, counts(&results));
        }
    }
    let (won, drawn, lost) = counts(&results);
    let share = results.iter().flatten().sum::<f64>() / (2 * pairs) as f64;
    // The spread of whole pairs: the two games of an opening are not independent.
    let spread = results.iter().map(|[a, b]| ((a + b) / 2.0 - share).powi(2)).sum::<f64>() / pairs as f64;
    let margin = 1.96 * (spread / pairs as f64).sqrt();
    let elo = |share: f64| 400.0 * (share / (1.0 - share)).log10();
    println!("{} against {}, {} games: +{won} ={drawn} -{lost}", ways[0], ways[1], 2 * pairs);
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
        player.search.set_game(&before).expect("the algorithm knows what came before");
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
