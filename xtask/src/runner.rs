//! Runs steps in parallel and prints a table of their times.
//!
//! The steps of a lane run one after the other, and the lanes run in parallel: one compiles, one runs compiled programs,
//! and one waits for the network. The output of a step is saved in `target/test-logs` and printed when the step ends.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::SKIPPED;
use crate::{program, root, say, target};

/// The resource that a step uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Installs packages.
    Network,
    /// Compiles.
    Build,
    /// Runs compiled programs.
    Run,
}

const LANES: [Lane; 3] = [Lane::Network, Lane::Build, Lane::Run];

/// A command with a title.
pub(crate) struct Step {
    pub(crate) title: &'static str,
    pub(crate) lane: Lane,
    /// The titles of the steps that must end before it starts.
    pub(crate) needs: &'static [&'static str],
    /// The expected maximum time on an idle machine with two cores.
    pub(crate) budget: Duration,
    program: Program,
    /// The folder in which it runs, relative to the root of the workspace.
    folder: &'static str,
    pub(crate) arguments: Vec<OsString>,
    variables: Vec<(&'static str, OsString)>,
}

enum Program {
    Cargo,
    /// Another task. It is called directly: through cargo it would wait for the build lock.
    Xtask,
}

impl Step {
    /// A call of cargo with arguments separated by spaces.
    pub(crate) fn cargo(title: &'static str, arguments: &str) -> Step {
        Step::new(title, Program::Cargo, arguments)
    }

    /// A task with arguments separated by spaces.
    pub(crate) fn xtask(title: &'static str, arguments: &str) -> Step {
        Step::new(title, Program::Xtask, arguments)
    }

    fn new(title: &'static str, program: Program, arguments: &str) -> Step {
        let arguments = arguments.split_whitespace().map(OsString::from).collect();
        let (lane, needs, budget) = (Lane::Build, &[][..], Duration::MAX);
        Step { title, lane, needs, budget, program, folder: "", arguments, variables: Vec::new() }
    }

    pub(crate) fn lane(mut self, lane: Lane, seconds: u64) -> Step {
        (self.lane, self.budget) = (lane, Duration::from_secs(seconds));
        self
    }

    pub(crate) fn needs(mut self, titles: &'static [&'static str]) -> Step {
        self.needs = titles;
        self
    }

    pub(crate) fn folder(mut self, folder: &'static str) -> Step {
        self.folder = folder;
        self
    }

    pub(crate) fn with(mut self, variable: &'static str, value: impl Into<OsString>) -> Step {
        self.variables.push((variable, value.into()));
        self
    }

    /// Adds an argument.
    pub(crate) fn and(mut self, argument: impl Into<OsString>) -> Step {
        self.arguments.push(argument.into());
        self
    }

    /// The command as typed in a shell.
    fn command_line(&self) -> String {
        let start = match self.program {
            Program::Cargo => "cargo",
            Program::Xtask => "cargo xtask",
        };
        let words = self.arguments.iter().map(|word| word.to_string_lossy());
        let line = words.fold(String::from(start), |line, word| line + " " + &word);
        if self.folder.is_empty() { line } else { format!("{line}  (in {})", self.folder) }
    }

    fn command(&self) -> Result<Command, String> {
        let mut command = match self.program {
            Program::Cargo => Command::new(program::cargo()),
            Program::Xtask => Command::new(std::env::current_exe().map_err(|error| error.to_string())?),
        };
        command.args(&self.arguments).current_dir(root().join(self.folder));
        command.envs(self.variables.iter().map(|(variable, value)| (variable, value)));
        Ok(command)
    }
}

/// Runs one step with its output in the terminal.
pub(crate) fn run(step: &Step) -> Result<(), String> {
    say(&format!("$ {}", step.command_line()));
    program::succeed(&mut step.command()?)
}

/// A step that has ended.
struct Finished {
    title: &'static str,
    wall: Duration,
    /// The CPU time of the command and of its child processes, if the system reports it.
    cpu: Option<Duration>,
    budget: Duration,
    skipped: Vec<String>,
}

#[derive(Default)]
struct State {
    done: Vec<&'static str>,
    finished: Vec<Finished>,
    failed: Vec<String>,
}

/// Runs all steps. After a failure no other step starts.
pub(crate) fn run_all(steps: &[Step], budget: Duration) -> ExitCode {
    let started = Instant::now();
    let logs = target().join("test-logs");
    if let Err(error) = fs::create_dir_all(&logs) {
        say(&format!("error: {}: {error}", logs.display()));
        return ExitCode::FAILURE;
    }
    let state = (Mutex::new(State::default()), Condvar::new());
    thread::scope(|scope| {
        for lane in LANES {
            let (state, logs) = (&state, &logs);
            scope.spawn(move || {
                for step in steps.iter().filter(|step| step.lane == lane) {
                    if !run_step(step, logs, state, started) {
                        break;
                    }
                }
            });
        }
    });
    let state = state.0.into_inner().unwrap_or_else(PoisonError::into_inner);
    say(&table(&state.finished, started.elapsed(), budget));
    for failure in &state.failed {
        say(&format!("failed: {failure}"));
    }
    if state.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for the steps that a step needs, runs it and prints its output. Returns false if it or another step failed.
fn run_step(step: &Step, logs: &Path, (state, changed): &(Mutex<State>, Condvar), run_started: Instant) -> bool {
    let mut now = lock(state);
    while now.failed.is_empty() && !step.needs.iter().all(|title| now.done.contains(title)) {
        now = changed.wait(now).unwrap_or_else(PoisonError::into_inner);
    }
    if !now.failed.is_empty() {
        return false;
    }
    say(&format!("{:>8}  {} …", minutes(run_started.elapsed()), step.title));
    drop(now);
    let started = Instant::now();
    let log = logs.join(step.title.replace([' ', ':', ',', '*'], "-")).with_extension("log");
    let (cpu, result) = match run_logged(step, &log) {
        Ok((cpu, status)) if status.success() => (cpu, Ok(())),
        Ok((cpu, status)) => (cpu, Err(status.to_string())),
        Err(error) => (None, Err(error)),
    };
    let printed = fs::read(&log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let skipped = printed.lines().filter_map(|line| line.strip_prefix(SKIPPED)).map(str::to_owned).collect();
    let wall = started.elapsed();
    let mut now = lock(state);
    say(&format!("\n=== {}\n$ {}\n{}", step.title, step.command_line(), printed.trim_end()));
    say(&format!("{:>8}  {} ended after {}", minutes(run_started.elapsed()), step.title, minutes(wall)));
    now.finished.push(Finished { title: step.title, wall, cpu, budget: step.budget, skipped });
    now.done.push(step.title);
    if let Err(error) = &result {
        now.failed.push(format!("{} ({error}); to run it alone: {}", step.title, step.command_line()));
    }
    changed.notify_all();
    result.is_ok()
}

/// Runs a step with its output in a file.
fn run_logged(step: &Step, log: &Path) -> Result<(Option<Duration>, ExitStatus), String> {
    let file = |error: std::io::Error| format!("{}: {error}", log.display());
    let out = File::create(log).map_err(file)?;
    let mut command = step.command()?;
    command.stdin(Stdio::null()).stdout(out.try_clone().map_err(file)?).stderr(out);
    let mut child = command.spawn().map_err(|error| format!("does not start: {error}"))?;
    let cpu = wait_for_cpu_time(&child);
    let status = child.wait().map_err(|error| error.to_string())?;
    Ok((cpu, status))
}

/// Waits for a process to end. Returns the CPU time of it and of its child processes, which Linux reports until the parent
/// collects the exit status.
fn wait_for_cpu_time(child: &Child) -> Option<Duration> {
    let file = PathBuf::from("/proc").join(child.id().to_string()).join("stat");
    loop {
        let stat = fs::read_to_string(&file).ok()?;
        let (state, ticks) = state_and_ticks(&stat)?;
        if state == "Z" {
            return Some(Duration::from_millis(10 * ticks));
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// The state of a process and its CPU time in hundredths of a second: fields 3 and 14 to 17, after the name in brackets.
fn state_and_ticks(stat: &str) -> Option<(&str, u64)> {
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(11..15)?.iter().map(|field| field.parse::<u64>().ok());
    Some((fields.first()?, ticks.sum::<Option<u64>>()?))
}

/// One row per step in the order in which they ended, and a sum.
fn table(finished: &[Finished], wall: Duration, budget: Duration) -> String {
    let cpu = |cpu: Option<Duration>| cpu.map_or_else(|| String::from("–"), minutes);
    let row = |wall: Duration, time: Option<Duration>, budget: Duration, title: &str| {
        let limit = if budget == Duration::MAX { String::from("–") } else { minutes(budget) };
        let over = if wall > budget { "  over budget" } else { "" };
        format!("{:>9} {:>9} {limit:>9}  {title}{over}\n", minutes(wall), cpu(time))
    };
    let mut text = format!("\n{:>9} {:>9} {:>9}  step\n", "wall", "CPU", "budget");
    for step in finished {
        text += &row(step.wall, step.cpu, step.budget, step.title);
    }
    let all = finished.iter().map(|step| step.cpu).sum();
    text += &row(wall, all, budget, "all steps");
    for step in finished {
        for reason in &step.skipped {
            text += &format!("skipped: {}: {reason}\n", step.title);
        }
    }
    text
}

/// Minutes and seconds, like `1:05.2`.
fn minutes(time: Duration) -> String {
    let tenths = (time.as_secs_f64() * 10.0).round() as u64;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_from_proc() {
        let stat = "71 (a (strange) name) Z 1 2 3 4 5 6 7 8 9 10 500 20 3000 100 20 0 1 0 99";
        assert_eq!(state_and_ticks(stat), Some(("Z", 3620)));
        assert_eq!(state_and_ticks("71 (cut"), None);
    }

    #[test]
    fn the_table_marks_steps_over_budget_and_lists_skipped_ones() {
        let finished = |title, wall, cpu: Option<u64>, budget| Finished {
            title,
            wall: Duration::from_secs(wall),
            cpu: cpu.map(Duration::from_secs),
            budget: Duration::from_secs(budget),
            skipped: if title == "browser" { vec!["no chromium".into()] } else { Vec::new() },
        };
        let text = table(
            &[finished("tests", 61, Some(120), 60), finished("browser", 1, Some(1), 60)],
            Duration::from_secs(65),
            Duration::from_secs(1080),
        );
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[2], ["1:01.0", "2:00.0", "1:00.0", "tests", "over", "budget"]);
        assert_eq!(lines[3], ["0:01.0", "0:01.0", "1:00.0", "browser"]);
        assert_eq!(lines[4], ["1:05.0", "2:01.0", "18:00.0", "all", "steps"]);
        assert!(text.ends_with("skipped: browser: no chromium\n"), "{text}");
        let unknown =
            table(&[finished("a", 1, None, 9), finished("b", 1, Some(1), 9)], Duration::from_secs(2), Duration::MAX);
        assert!(unknown.lines().last().is_some_and(|line| line.contains('–')), "{unknown}");
    }

    #[test]
    fn steps_have_command_lines() {
        let step = Step::xtask("x", "book --long").and("README").folder("examples");
        assert_eq!(step.command_line(), "cargo xtask book --long README  (in examples)");
    }
}
