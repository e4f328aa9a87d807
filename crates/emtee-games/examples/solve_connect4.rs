//! Solves positions of Connect Four from the standard input, one per line, each with an empty table, and writes the points,
//! the processor time in seconds and the nodes. `cargo xtask bench solvers` compares it with others.
//!
//! ```text
//! cargo run --release -p emtee-games --example solve_connect4 -- MEGABYTES
//! ```

use std::io::{BufRead, Write};

use cpu_time::ThreadTime;
use emtee_games::connect4::Shape;
use emtee_games::connect4::sized::Board;
use emtee_games::connect4::solver::{ENTRY_BYTES, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let megabytes: usize = std::env::args().nth(1).ok_or("usage: solve_connect4 MEGABYTES")?.parse()?;
    let mut solver = Solver::with_entries(Shape::STANDARD, (megabytes << 20) / ENTRY_BYTES);
    for line in std::io::stdin().lock().lines() {
        let board: Board = line?.parse()?;
        solver.clear();
        let (start, nodes) = (ThreadTime::now(), solver.nodes());
        let points = solver.solve(&board);
        let seconds = start.elapsed().as_secs_f64();
        println!("{points} {seconds:.9} {}", solver.nodes() - nodes);
        std::io::stdout().flush()?;
    }
    Ok(())
}
