//! emtee compared with other libraries, with the same rules and evaluation: time to a fixed depth, and games at equal time.
//!
//! ```text
//! cargo bench -p emtee-games --bench other_libraries [-- connect4|dots|ataxx|breakthrough [DEPTH …]]
//! cargo bench -p emtee-games --bench other_libraries -- games ataxx|breakthrough|dots [GAMES [MS]]
//! ```
//!
//! One thread per program. Measured is the CPU time of the thread, since other programs may be running. Runs are
//! interleaved, and medians are reported. `minimax` runs with all combinations of options that search the full tree (no
//! null move, no singular extension), and the fastest counts. It shuffles the moves of the root, hence the medians.

mod ataxx;
mod breakthrough;
mod connect4;
mod defaults;
mod dots_and_boxes;
mod first_game;
mod matches;
mod measure;

use ataxx::Ataxx;
use breakthrough::Breakthrough;
use dots_and_boxes::Dots;
use first_game::FirstGame;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let (first, rest) = match arguments.split_first() {
        Some((first, rest)) => (first.as_str(), rest),
        None => ("all", &[][..]),
    };
    let depths: Vec<u8> = rest.iter().filter_map(|depth| depth.parse().ok()).collect();
    match first {
        "connect4" => connect4::compare(if depths.is_empty() { &[12, 14, 16] } else { &depths }),
        "all" => {
            connect4::compare(&[12, 14, 16]);
            defaults::compare::<Dots>(&[]);
            defaults::compare::<Ataxx>(&[]);
            defaults::compare::<Breakthrough>(&[]);
        }
        "games" | defaults::ONE_SEARCH => {
            let (name, rest) = rest.split_first().map_or(("", rest), |(name, rest)| (name.as_str(), rest));
            with_game(first, name, rest);
        }
        _ => with_game("compare", first, rest),
    }
}

fn with_game(task: &str, name: &str, numbers: &[String]) {
    match name {
        Dots::NAME => run::<Dots>(task, numbers),
        Ataxx::NAME => run::<Ataxx>(task, numbers),
        Breakthrough::NAME => run::<Breakthrough>(task, numbers),
        _ => {
            eprintln!("error: '{name}' is not a game; choose connect4, dots, ataxx or breakthrough");
            std::process::exit(2);
        }
    }
}

fn run<G: FirstGame>(task: &str, arguments: &[String]) {
    let numbers: Vec<u64> = arguments.iter().filter_map(|number| number.parse().ok()).collect();
    let number = |index: usize, default| numbers.get(index).copied().unwrap_or(default);
    match task {
        "games" => matches::play::<G>(number(0, 400), number(1, 10)),
        defaults::ONE_SEARCH => defaults::run_one_search::<G>(arguments),
        _ => defaults::compare::<G>(&numbers.iter().map(|&depth| depth as u8).collect::<Vec<_>>()),
    }
}
