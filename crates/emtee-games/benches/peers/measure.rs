//! Programs side by side: one thread each, its processor time, runs interleaved, medians.

use std::time::Duration;

use cpu_time::ThreadTime;

/// What a program did with a depth.
#[derive(Clone, Copy, Default)]
pub(crate) struct Run {
    pub(crate) time: Duration,
    pub(crate) value: i32,
    /// If it tells them.
    pub(crate) nodes: u64,
}

/// A program under measurement: prepares, searches by the clock, and says what it found.
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) run: Box<dyn Fn(u8) -> Run>,
}

/// How long something takes this thread.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = ThreadTime::now();
    let done = work();
    (start.elapsed(), done)
}

/// The runs of a program, in the order they were made.
pub(crate) struct Row {
    pub(crate) name: String,
    runs: Vec<Run>,
}

impl Row {
    pub(crate) fn seconds(&self) -> f64 {
        let mut times: Vec<Duration> = self.runs.iter().map(|run| run.time).collect();
        times.sort();
        times.get(times.len() / 2).copied().unwrap_or_default().as_secs_f64()
    }

    fn last(&self) -> Run {
        self.runs.last().copied().unwrap_or_default()
    }
}

/// Runs all programs in turn, so many times, but for those that are left out of a round. The rows so far are there to
/// decide by.
pub(crate) fn interleaved(
    programs: &[Program],
    depth: u8,
    rounds: usize,
    left_out: impl Fn(usize, &str, &[Row]) -> bool,
) -> Vec<Row> {
    let mut rows: Vec<Row> =
        programs.iter().map(|program| Row { name: program.name.clone(), runs: Vec::new() }).collect();
    for round in 0..rounds {
        for (at, program) in programs.iter().enumerate() {
            if !left_out(round, &program.name, &rows) {
                let run = (program.run)(depth);
                rows[at].runs.push(run);
            }
        }
    }
    rows.retain(|row| !row.runs.is_empty());
    rows
}

/// A line for each program, with its ratio to the first.
pub(crate) fn print(rows: &[Row]) {
    let ours = rows.first().map_or(0.0, Row::seconds);
    for row in rows {
        let (seconds, Run { value, nodes, .. }) = (row.seconds(), row.last());
        let speed = nodes as f64 / seconds / 1e6;
        let speed = if nodes > 0 { format!("{nodes} nodes, {speed:.1} million/s") } else { String::new() };
        println!("{:<58} {seconds:>9.4}  {:>6.2}×  value {value} {speed}", row.name, seconds / ours);
    }
}

/// The median of the fastest program that is meant, in seconds.
pub(crate) fn best(rows: &[Row], meant: impl Fn(&str) -> bool) -> f64 {
    rows.iter().filter(|row| meant(&row.name)).map(Row::seconds).fold(f64::INFINITY, f64::min)
}

/// Whether all programs found the same value.
pub(crate) fn agree(rows: &[Row]) -> bool {
    rows.windows(2).all(|pair| pair[0].last().value == pair[1].last().value)
}
