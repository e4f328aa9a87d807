//! First games played at equal time, on one thread each: emtee with its defaults against `minimax`. Two games begin with each
//! random opening, one with either side.
//!
//! `minimax` has a timer of its own. emtee gets the CPU time per move that `minimax` has used on average, so that the load of the
//! machine does not decide.

use std::time::Duration;

use cpu_time::ThreadTime;
use emtee::{Budget, Game, Outcome, OwnEvaluation, Search, Side, legal_moves, player};
use minimax::Strategy;

use crate::first_game::{FirstGame, minimax_algorithms, minimax_search, random_position};
use crate::measure::timed;

/// Random plies of an opening.
const PLIES: usize = 4;

/// Plies after which a game is a draw.
const LONGEST: usize = 300;

/// The moves of a player and their CPU time.
#[derive(Default)]
struct Used {
    moves: u32,
    time: Duration,
}

impl Used {
    fn add<T>(&mut self, choose: impl FnOnce() -> T) -> T {
        let (time, m) = timed(choose);
        self.moves += 1;
        self.time += time;
        m
    }

    fn per_move(&self) -> Option<Duration> {
        self.time.checked_div(self.moves)
    }

    fn ms(&self) -> f64 {
        1e3 * self.per_move().unwrap_or_default().as_secs_f64()
    }
}

/// Plays `games` games against the two strongest algorithms of `minimax`, and prints the results.
pub(crate) fn play<G: FirstGame>(games: u64, ms: u64) {
    let is_strong = |name: &str| matches!(name, "PVS, history" | "MTD(f), history");
    for (name, options) in minimax_algorithms().into_iter().filter(|(name, _)| is_strong(name)) {
        let cpu_clock = || ThreadTime::now().as_duration();
        let mut own: Search<G, OwnEvaluation> = player(OwnEvaluation).clock(cpu_clock).build().expect("the defaults");
        let mut rival = minimax_search::<G>(options.with_table_byte_size(16 << 20));
        rival.set_timeout(Duration::from_millis(ms));
        let (mut own_used, mut rival_used) = (Used::default(), Used::default());
        let mut points = [0_u64; 3];
        for number in 0..games {
            own.clear().expect("an empty table");
            let side = if number % 2 == 0 { Side::First } else { Side::Second };
            let mut positions = vec![random_position::<G>(PLIES, 1_000 + number / 2)];
            let outcome = loop {
                let (position, before) = positions.split_last().expect("a position");
                if let Some(outcome) = result(position, before) {
                    break if position.turn() == side { outcome } else { -outcome };
                }
                let m = if position.turn() == side {
                    let time = rival_used.per_move().unwrap_or(Duration::from_millis(ms));
                    own.set_game(before).expect("an algorithm for play");
                    own_used.add(|| own.think(position, Budget::time(time)).expect("a search").best_move)
                } else {
                    rival_used.add(|| rival.choose_move(position))
                };
                // On a busy machine the timer of `minimax` may end the search before it has a move.
                let next = position.play(m.unwrap_or_else(|| legal_moves(position)[0]));
                positions.push(next);
            };
            points[(1 + outcome) as usize] += 1;
        }
        let [lost, drawn, won] = points;
        let score = (won as f64 + drawn as f64 / 2.0) / games as f64;
        let margin = 1.96 * (score * (1.0 - score) / games as f64).sqrt();
        println!(
            "{}, {:.1} ms per move (minimax {:.1}): emtee against minimax {name}: +{won} ={drawn} -{lost}, {:.0} % ± {:.0}",
            G::TITLE,
            own_used.ms(),
            rival_used.ms(),
            100.0 * score,
            100.0 * margin
        );
    }
}

/// How a game has ended for the side to move: 1 if it has won.
fn result<G: Game + PartialEq>(position: &G, before: &[G]) -> Option<i32> {
    match position.outcome() {
        Some(Outcome::Won) => Some(1),
        Some(Outcome::Lost) => Some(-1),
        Some(Outcome::Drawn) => Some(0),
        Some(Outcome::Points(points)) => Some(points.signum()),
        None if before.contains(position) || before.len() >= LONGEST => Some(0),
        None => None,
    }
}
