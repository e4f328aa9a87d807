//! Solves positions of Connect Four from the standard input, one per line, each with an empty table and without a book, and writes
//! the points, the processor time in seconds and the nodes.

use std::io::{BufRead, Write};

use connect_four_ai::{Position, Solver};
use cpu_time::ThreadTime;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut solver = Solver::empty();
    for line in std::io::stdin().lock().lines() {
        let mut position = Position::new();
        for column in line?.bytes() {
            position.play((column - b'1').into());
        }
        solver.reset();
        let start = ThreadTime::now();
        let points = solver.solve(&position);
        println!("{points} {:.9} {}", start.elapsed().as_secs_f64(), solver.explored_positions);
        std::io::stdout().flush()?;
    }
    Ok(())
}
