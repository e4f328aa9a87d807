//! A child process with line-based communication. It may exit or hang at any time.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use crate::arena::PlayerError;

/// The capacity of the queue of unread lines. A program that writes more has to wait.
const MAX_UNREAD_LINES: usize = 4_096;

/// Longer lines are split.
const MAX_LINE_LENGTH: u64 = 1 << 16;

/// How often a wait polls the stop flag.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// How long a program may take to exit after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_millis(300);

/// A running program.
pub(crate) struct Process {
    child: Child,
    to: Option<ChildStdin>,
    from: Receiver<String>,
    stop: Arc<AtomicBool>,
}

impl Process {
    /// Starts a program with its arguments.
    pub(crate) fn start(words: &[String], stop: Arc<AtomicBool>) -> Result<Process, PlayerError> {
        let cannot = |why: String| PlayerError::CannotStart(why);
        let (program, arguments) = words.split_first().ok_or_else(|| cannot(String::from("no program is named")))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A Ctrl-C meant for the match must not end the engines in the middle of a game.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| cannot(format!("'{program}' cannot be started: {error}")))?;
        let (to, out) = (child.stdin.take(), child.stdout.take());
        let (sender, from) = sync_channel(MAX_UNREAD_LINES);
        if let Some(out) = out {
            std::thread::spawn(move || {
                let mut reader = BufReader::new(out);
                while let Some(line) = read_line(&mut reader) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Process { child, to, from, stop })
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        let to = self.to.as_mut().ok_or(PlayerError::Died)?;
        to.write_all(format!("{line}\n").as_bytes()).and_then(|()| to.flush()).map_err(|_| PlayerError::Died)
    }

    /// The next line.
    pub(crate) fn line(&mut self, until: Instant) -> Result<String, PlayerError> {
        loop {
            if self.stop.load(Relaxed) {
                return Err(PlayerError::Stopped);
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.from.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(PlayerError::Died),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(PlayerError::Silent),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Reads lines until `answer` accepts one.
    pub(crate) fn wait<T>(
        &mut self,
        until: Instant,
        mut answer: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, PlayerError> {
        loop {
            if let Some(found) = answer(self.line(until)?.trim()) {
                return Ok(found);
            }
        }
    }

    /// Discards the lines received so far.
    pub(crate) fn drain(&mut self) {
        while self.from.try_recv().is_ok() {}
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

impl Process {
    /// Ends the program: with `quit`, and if it does not exit soon, by killing it and the programs that it has started.
    fn end(&mut self) {
        let _ = self.send("quit");
        self.to = None;
        let until = Instant::now() + QUIT_TIMEOUT;
        loop {
            self.drain();
            match self.child.try_wait() {
                Ok(Some(_)) => return,
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(5)),
                _ => break,
            }
        }
        // The program is the leader of its process group: of a script, this ends the engine that it has started.
        #[cfg(unix)]
        if let Ok(leader) = self.child.id().try_into() {
            let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(leader), nix::sys::signal::Signal::SIGKILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads a line without its end. `None` at the end of the output.
fn read_line(reader: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    match reader.by_ref().take(MAX_LINE_LENGTH).read_until(b'\n', &mut bytes) {
        Ok(n) if n > 0 => Some(String::from_utf8_lossy(&bytes).trim_end().to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Process {
        let words = ["sh", "-c", script].map(String::from);
        Process::start(&words, Arc::default()).unwrap()
    }

    fn deadline() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn lines_go_both_ways() {
        let mut cat = shell("cat");
        cat.send("one").unwrap();
        cat.send("two 2").unwrap();
        let two = cat.wait(deadline(), |line| line.strip_prefix("two ").map(str::to_owned));
        assert_eq!(two.unwrap(), "2");
    }

    #[test]
    fn exited_hanging_and_missing_programs_have_different_errors() {
        assert_eq!(shell("exit 3").line(deadline()), Err(PlayerError::Died));
        assert_eq!(shell("sleep 30").line(Instant::now() + Duration::from_millis(30)), Err(PlayerError::Silent));
        let missing = Process::start(&["/no/such/engine".into()], Arc::default()).err();
        assert!(
            matches!(missing, Some(PlayerError::CannotStart(why)) if why.starts_with("'/no/such/engine' cannot be started"))
        );
        let stopped = Arc::new(AtomicBool::new(true));
        let mut sleeper = Process::start(&["sleep".into(), "30".into()], stopped).unwrap();
        assert_eq!(sleeper.line(deadline()), Err(PlayerError::Stopped));
    }

    #[cfg(unix)]
    #[test]
    fn programs_started_by_a_script_are_killed_with_it() {
        let mut script = shell("sleep 1000 & echo started; wait");
        assert_eq!(script.line(deadline()).unwrap(), "started");
        script.end();
        // The output ends when the last program that could write to it has ended.
        assert_eq!(script.line(deadline()), Err(PlayerError::Died));
    }

    #[test]
    fn a_flood_of_output_is_bounded() {
        let mut flood = shell("while :; do echo abcdefgh; done");
        assert_eq!(flood.line(deadline()).unwrap(), "abcdefgh");
        drop(flood);
        let mut endless = shell("tr '\\0' x < /dev/zero");
        assert_eq!(endless.line(deadline()).unwrap().len(), MAX_LINE_LENGTH as usize);
    }
}
