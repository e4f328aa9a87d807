//! `emtee-mpi network`: how long a letter takes, how many a second, how many bytes.

use std::time::Instant;

use clap::Args;
use serde_json::json;

use super::Failure;
use crate::post::MpiPost;
use crate::ranks::Ranks;
use emtee_engine::cluster::mail::{MOST_WORDS, Transport};

/// How long letters take from rank 0 to each other rank, and how many go through
#[derive(Args)]
pub(crate) struct NetworkArgs {
    /// How many letters
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    letters: u32,
}

/// So many letters are on their way at once when the rate is measured.
const AT_ONCE: u32 = 8;

pub(crate) fn run(ranks: &Ranks, args: &NetworkArgs, as_json: bool) -> Result<(), Failure> {
    if ranks.size() < 2 {
        return Err((2, String::from("a network takes two ranks or more; start it with mpirun -n 2")));
    }
    let post = MpiPost::new(ranks.rank(), ranks.size(), ranks.patience);
    for other in 1..ranks.size() {
        if ranks.rank() == other {
            (0..2 * args.letters + args.letters / AT_ONCE).for_each(|_| echo(&post));
        }
        if ranks.rank() > 0 {
            continue;
        }
        let short = round_trips(&post, other, args.letters, 2);
        let long = round_trips(&post, other, args.letters, MOST_WORDS);
        // Several letters at once, one answer: what writing and reading cost when nobody waits.
        let began = Instant::now();
        for _ in 0..args.letters / AT_ONCE {
            (0..AT_ONCE).for_each(|_| post.send(other, &[9; 2], true));
            next(&post);
        }
        let each = began.elapsed().as_secs_f64() / f64::from(args.letters / AT_ONCE * AT_ONCE).max(1.0);
        let bandwidth = 8.0 * (MOST_WORDS - 2) as f64 / ((long - short) / 2.0).max(1e-9);
        if as_json {
            let row = json!({ "rank": other, "latency_us": 1e6 * short / 2.0, "letter_us": 1e6 * each,
                "megabytes_per_second": bandwidth / 1e6 });
            println!("{row}");
        } else {
            println!(
                "rank 0 to {other}: {:.1} µs one way, {:.2} µs a letter when many are sent, {:.0} MB/s",
                1e6 * short / 2.0,
                1e6 * each,
                bandwidth / 1e6
            );
        }
    }
    Ok(())
}

/// The seconds of a round trip, the median of many.
fn round_trips(post: &MpiPost, to: usize, count: u32, words: usize) -> f64 {
    let letter = vec![1; words];
    let mut times: Vec<f64> = (0..count)
        .map(|_| {
            let began = Instant::now();
            post.send(to, &letter, true);
            next(post);
            began.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The next letter. Whoever measures does not sleep.
fn next(post: &MpiPost) -> (usize, Vec<u64>) {
    loop {
        if let Some(letter) = post.receive() {
            return letter;
        }
        std::thread::yield_now();
    }
}

/// Answers a letter, or the last of several at once.
fn echo(post: &MpiPost) {
    let (from, mut letter) = next(post);
    if letter[0] == 9 {
        for _ in 1..AT_ONCE {
            letter = next(post).1;
        }
    }
    post.send(from, &letter, true);
}
