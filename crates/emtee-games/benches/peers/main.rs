//! emtee beside other libraries, to a fixed depth, with the same rules and evaluation.
//!
//! ```text
//! cargo bench -p emtee-games --bench peers [-- connect4|dots] [DEPTH …]
//! ```
//!
//! One thread each, its processor time (other programs may be running), runs interleaved, medians. Of the options of
//! `minimax` those that search everything are tried (no null move, no singular extension), and the fastest counts; it
//! shuffles its root, hence the medians.

mod connect4;
mod dots;
mod measure;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    if arguments.first().is_some_and(|first| first == dots::ONE_SEARCH) {
        return dots::one_search(&arguments[1..]);
    }
    let named = |game: &str| arguments.iter().any(|argument| argument == game);
    let depths: Vec<u8> = arguments.iter().filter_map(|depth| depth.parse().ok()).collect();
    let all = !named("connect4") && !named("dots");
    if named("connect4") || all {
        connect4::compare(if depths.is_empty() { &[12, 14, 16] } else { &depths });
    }
    if named("dots") || all && depths.is_empty() {
        dots::compare(if depths.is_empty() { &[6, 7, 8, 9, 10] } else { &depths });
    }
}
