//! A search inside a frame loop, without threads: `cargo run --release -p emtee --example frame_loop`
//!
//! A game draws sixty frames per second. In each frame the search gets four milliseconds, and its progress is printed. When
//! the time is up, the search is stopped and its result is printed.

use std::thread;
use std::time::{Duration, Instant};

use emtee::{Budget, Game, Poll, player};
use emtee_games::connect4::Board;

const FRAME: Duration = Duration::from_micros(16_667);
const FRAMES: u32 = 45;

fn main() -> Result<(), emtee::Error> {
    let board = Board::default();
    println!("{board:#}\n");

    let mut ai = player(Board::evaluate).build()?;
    ai.start(&board, Budget::UNLIMITED)?; // Only prepares the search: `poll` searches.

    for frame in 1..=FRAMES {
        let began = Instant::now();
        match ai.poll(Budget::ms(4))? {
            Poll::Thinking { best_move, depth, .. } => {
                let best = best_move.map_or("…".to_owned(), |m| m.to_string());
                println!("frame {frame:2}: depth {depth:2}, best so far {best}, {:4.1} ms", ms(began.elapsed()));
            }
            Poll::Done(found) => {
                // The game is solved.
                println!("frame {frame:2}: the value is {}", found.value.unwrap_or_default());
                return Ok(());
            }
            Poll::Idle => return Ok(()), // No search was started.
        }
        thread::sleep(FRAME.saturating_sub(began.elapsed()));
    }

    // The time is up. If the result is not needed, dropping `ai` is enough.
    if let Some(found) = ai.stop() {
        let line: Vec<String> = found.pv.iter().map(|m| m.to_string()).collect();
        println!("\nstopped at depth {}: value {}, line {}", found.depth, found.f, line.join(" "));
    }
    Ok(())
}

fn ms(time: Duration) -> f64 {
    1e3 * time.as_secs_f64()
}
