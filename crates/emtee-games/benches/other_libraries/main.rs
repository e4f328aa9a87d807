//! emtee compared with other libraries: time to a fixed depth, with the same rules and evaluation.
//!
//! ```text
//! cargo bench -p emtee-games --bench other_libraries [-- connect4|dots] [DEPTH …]
//! ```
//!
//! One thread per program. Measured is the CPU time of the thread, since other programs may be running. Runs are
//! interleaved, and medians are reported. `minimax` runs with all combinations of options that search the full tree (no
//! null move, no singular extension), and the fastest counts. It shuffles the moves of the root, hence the medians.

mod connect4;
mod dots_and_boxes;
mod measure;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    if arguments.first().is_some_and(|first| first == dots_and_boxes::ONE_SEARCH) {
        return dots_and_boxes::run_one_search(&arguments[1..]);
    }
    let named = |game: &str| arguments.iter().any(|argument| argument == game);
    let depths: Vec<u8> = arguments.iter().filter_map(|depth| depth.parse().ok()).collect();
    let all = !named("connect4") && !named("dots");
    if named("connect4") || all {
        connect4::compare(if depths.is_empty() { &[12, 14, 16] } else { &depths });
    }
    if named("dots") || all && depths.is_empty() {
        dots_and_boxes::compare(if depths.is_empty() { &[6, 7, 8, 9, 10] } else { &depths });
    }
}
