//! Runs steps side by side, and says at the end what each of them took.
//!
//! Steps of one lane run one after the other, the lanes at the same time: while one compiles, another runs what is compiled, and a
//! third waits for the network. What a step prints is kept in `target/test-logs`, and shown when the step ends.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::SKIPPED;
use crate::{program, root, say, target};

/// What a step occupies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Installs.
    Network,
    /// Compiles.
    Build,
    /// Runs what is compiled.
    Run,
}

const LANES: [Lane; 3] = [Lane::Network, Lane::Build, Lane::Run];

/// One command, and what it is for.
pub(crate) struct Step {
    pub(crate) title: &'static str,
    pub(crate) lane: Lane,
    /// Titles of the steps that must have ended before.
    pub(crate) needs: &'static [&'static str],
    /// What it may take on an idle machine with two cores.
    pub(crate) budget: Duration,
    program: Program,
    /// Where it runs, from the root of the workspace.
    folder: &'static str,
    pub(crate) arguments: Vec<OsString>,
    variables: Vec<(&'static str, OsString)>,
}

enum Program {
    Cargo,
    /// Another chore. It is called directly: cargo would wait for whoever compiles.
    Xtask,
}

impl Step {
    /// A call of cargo, its arguments separated by spaces.
    pub(crate) fn cargo(title: &'static str, arguments: &str) -> Step {
        Step::new(title, Program::Cargo, arguments)
    }

    /// A chore, its arguments separated by spaces.
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

    /// And one more argument.
    pub(crate) fn and(mut self, argument: impl Into<OsString>) -> Step {
        self.arguments.push(argument.into());
        self
    }

    /// The command as one would type it.
    fn typed(&self) -> String {
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

/// Runs one step here, in the terminal.
pub(crate) fn run(step: &Step) -> Result<(), String> {
    say(&format!("$ {}", step.typed()));
    program::succeed(&mut step.command()?)
}

/// How a step ended.
struct Ended {
    title: &'static str,
    wall: Duration,
    /// Of the command and everything it waited for, where the system tells.
    cpu: Option<Duration>,
    budget: Duration,
    skipped: Vec<String>,
}

#[derive(Default)]
struct State {
    done: Vec<&'static str>,
    ended: Vec<Ended>,
    failed: Vec<String>,
}

/// Runs all steps. After the first that fails no other is begun.
pub(crate) fn run_all(steps: &[Step], budget: Duration) -> ExitCode {
    let began = Instant::now();
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
                    if !perform(step, logs, state, began) {
                        break;
                    }
                }
            });
        }
    });
    let state = state.0.into_inner().unwrap_or_else(PoisonError::into_inner);
    say(&table(&state.ended, began.elapsed(), budget));
    for failure in &state.failed {
        say(&format!("failed: {failure}"));
    }
    if state.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for what a step needs, runs it and prints its output. False if it failed, or another has.
fn perform(step: &Step, logs: &Path, (state, changed): &(Mutex<State>, Condvar), began: Instant) -> bool {
    let mut now = lock(state);
    while now.failed.is_empty() && !step.needs.iter().all(|title| now.done.contains(title)) {
        now = changed.wait(now).unwrap_or_else(PoisonError::into_inner);
    }
    if !now.failed.is_empty() {
        return false;
    }
    say(&format!("{:>8}  {} …", shown(began.elapsed()), step.title));
    drop(now);
    let started = Instant::now();
    let log = logs.join(step.title.replace([' ', ':', ',', '*'], "-")).with_extension("log");
    let (cpu, result) = match logged(step, &log) {
        Ok((cpu, status)) if status.success() => (cpu, Ok(())),
        Ok((cpu, status)) => (cpu, Err(status.to_string())),
        Err(why) => (None, Err(why)),
    };
    let printed = fs::read(&log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let skipped = printed.lines().filter_map(|line| line.strip_prefix(SKIPPED)).map(str::to_owned).collect();
    let wall = started.elapsed();
    let mut now = lock(state);
    say(&format!("\n=== {}\n$ {}\n{}", step.title, step.typed(), printed.trim_end()));
    say(&format!("{:>8}  {} ended after {}", shown(began.elapsed()), step.title, shown(wall)));
    now.ended.push(Ended { title: step.title, wall, cpu, budget: step.budget, skipped });
    now.done.push(step.title);
    if let Err(why) = &result {
        now.failed.push(format!("{} ({why}); alone: {}", step.title, step.typed()));
    }
    changed.notify_all();
    result.is_ok()
}

/// Runs a step with its output in a file.
fn logged(step: &Step, log: &Path) -> Result<(Option<Duration>, ExitStatus), String> {
    let file = |error: std::io::Error| format!("{}: {error}", log.display());
    let out = File::create(log).map_err(file)?;
    let mut command = step.command()?;
    command.stdin(Stdio::null()).stdout(out.try_clone().map_err(file)?).stderr(out);
    let mut child = command.spawn().map_err(|error| format!("does not start: {error}"))?;
    let cpu = cpu(&child);
    let status = child.wait().map_err(|error| error.to_string())?;
    Ok((cpu, status))
}

/// Waits for the end of a process. Returns the CPU time of it and of all it has waited for, which Linux tells of a process that has
/// ended until its parent asks how.
fn cpu(child: &Child) -> Option<Duration> {
    let file = PathBuf::from("/proc").join(child.id().to_string()).join("stat");
    loop {
        let stat = fs::read_to_string(&file).ok()?;
        let (state, ticks) = times(&stat)?;
        if state == "Z" {
            return Some(Duration::from_millis(10 * ticks));
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// The state of a process, and its hundredths of a second on a core: fields 3 and 14 to 17, after a name in brackets.
fn times(stat: &str) -> Option<(&str, u64)> {
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(11..15)?.iter().map(|field| field.parse::<u64>().ok());
    Some((fields.first()?, ticks.sum::<Option<u64>>()?))
}

/// A row for each step in the order in which they ended, and a sum.
fn table(ended: &[Ended], wall: Duration, budget: Duration) -> String {
    let cpu = |cpu: Option<Duration>| cpu.map_or_else(|| String::from("–"), shown);
    let row = |wall: Duration, time: Option<Duration>, budget: Duration, title: &str| {
        let limit = if budget == Duration::MAX { String::from("–") } else { shown(budget) };
        let over = if wall > budget { "  over budget" } else { "" };
        format!("{:>9} {:>9} {limit:>9}  {title}{over}\n", shown(wall), cpu(time))
    };
    let mut text = format!("\n{:>9} {:>9} {:>9}  step\n", "wall", "CPU", "budget");
    for step in ended {
        text += &row(step.wall, step.cpu, step.budget, step.title);
    }
    let all = ended.iter().map(|step| step.cpu).sum();
    text += &row(wall, all, budget, "all steps");
    for step in ended {
        for why in &step.skipped {
            text += &format!("skipped: {}: {why}\n", step.title);
        }
    }
    text
}

/// `1:05.2`, minutes and seconds.
fn shown(time: Duration) -> String {
    let tenths = (time.as_secs_f64() * 10.0).round() as u64;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_from_proc() {
        let stat = "71 (a (strange) name) Z 1 2 3 4 5 6 7 8 9 10 500 20 3000 100 20 0 1 0 99";
        assert_eq!(times(stat), Some(("Z", 3620)));
        assert_eq!(times("71 (cut"), None);
    }

    #[test]
    fn the_table_names_what_is_over_budget_and_what_was_skipped() {
        let ended = |title, wall, cpu: Option<u64>, budget| Ended {
            title,
            wall: Duration::from_secs(wall),
            cpu: cpu.map(Duration::from_secs),
            budget: Duration::from_secs(budget),
            skipped: if title == "browser" { vec!["no chromium".into()] } else { Vec::new() },
        };
        let text =
            table(&[ended("tests", 61, Some(120), 60), ended("browser", 1, Some(1), 60)], Duration::from_secs(65), {
                Duration::from_secs(1080)
            });
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[2], ["1:01.0", "2:00.0", "1:00.0", "tests", "over", "budget"]);
        assert_eq!(lines[3], ["0:01.0", "0:01.0", "1:00.0", "browser"]);
        assert_eq!(lines[4], ["1:05.0", "2:01.0", "18:00.0", "all", "steps"]);
        assert!(text.ends_with("skipped: browser: no chromium\n"), "{text}");
        let unknown =
            table(&[ended("a", 1, None, 9), ended("b", 1, Some(1), 9)], Duration::from_secs(2), Duration::MAX);
        assert!(unknown.lines().last().is_some_and(|line| line.contains('–')), "{unknown}");
    }

    #[test]
    fn a_step_is_typed_as_it_runs() {
        let step = Step::xtask("x", "book --long").and("README").folder("examples");
        assert_eq!(step.typed(), "cargo xtask book --long README  (in examples)");
    }
}
