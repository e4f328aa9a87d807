//! Measuring programs against each other: one thread each, CPU time, interleaved runs, medians.

use std::time::Duration;

use cpu_time::ThreadTime;

/// The result of one search.
#[derive(Clone, Copy, Default)]
pub(crate) struct Run {
    pub(crate) time: Duration,
    pub(crate) value: i32,
    /// 0 if the program does not count them.
    pub(crate) nodes: u64,
}

/// A program to measure. `run` searches to a depth; the setup is outside the measured time.
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) run: Box<dyn Fn(u8) -> Run>,
}

/// The result of `work` and its CPU time on this thread.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = ThreadTime::now();
    let result = work();
    (start.elapsed(), result)
}

/// The runs of a program in order.
pub(crate) struct Row {
    pub(crate) name: String,
    runs: Vec<Run>,
}

impl Row {
    /// The median time.
    pub(crate) fn seconds(&self) -> f64 {
        let mut times: Vec<Duration> = self.runs.iter().map(|run| run.time).collect();
        times.sort();
        times.get(times.len() / 2).copied().unwrap_or_default().as_secs_f64()
    }

    fn last(&self) -> Run {
        self.runs.last().copied().unwrap_or_default()
    }
}

/// Runs all programs in turn for a number of rounds. `skip` decides from the round, the name of the program and the rows so far
/// whether a program is left out of a round.
pub(crate) fn run_interleaved(
    programs: &[Program],
    depth: u8,
    rounds: usize,
    skip: impl Fn(usize, &str, &[Row]) -> bool,
) -> Vec<Row> {
    let mut rows: Vec<Row> =
        programs.iter().map(|program| Row { name: program.name.clone(), runs: Vec::new() }).collect();
    for round in 0..rounds {
        for (index, program) in programs.iter().enumerate() {
            if !skip(round, &program.name, &rows) {
                let run = (program.run)(depth);
                rows[index].runs.push(run);
            }
        }
    }
    rows.retain(|row| !row.runs.is_empty());
    rows
}

/// Prints one line per program, with the ratio of its time to that of the first.
pub(crate) fn print(rows: &[Row]) {
    let first = rows.first().map_or(0.0, Row::seconds);
    for row in rows {
        let (seconds, Run { value, nodes, .. }) = (row.seconds(), row.last());
        let speed = nodes as f64 / seconds / 1e6;
        let speed = if nodes > 0 { format!("{nodes} nodes, {speed:.1} million/s") } else { String::new() };
        println!("{:<58} {seconds:>9.4}  {:>6.2}×  value {value} {speed}", row.name, seconds / first);
    }
}

/// The median time in seconds of the fastest program whose name matches.
pub(crate) fn fastest(rows: &[Row], matches: impl Fn(&str) -> bool) -> f64 {
    rows.iter().filter(|row| matches(&row.name)).map(Row::seconds).fold(f64::INFINITY, f64::min)
}

/// Whether all programs found the same value.
pub(crate) fn values_agree(rows: &[Row]) -> bool {
    rows.windows(2).all(|pair| pair[0].last().value == pair[1].last().value)
}
