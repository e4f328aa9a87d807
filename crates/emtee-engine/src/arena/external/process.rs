//! A program that is talked to in lines, and that may die or hang at any time.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use crate::arena::Fault;

/// Lines that wait to be read. A program that writes more than this has to wait itself.
const LINES: usize = 4_096;

/// Longer lines are cut.
const LONGEST_LINE: u64 = 1 << 16;

/// How often a wait looks at the stop flag.
const GLANCE: Duration = Duration::from_millis(20);

/// How long a program may take to leave when it is told to.
const FAREWELL: Duration = Duration::from_millis(300);

/// A running program.
pub(crate) struct Process {
    child: Child,
    to: Option<ChildStdin>,
    from: Receiver<String>,
    stop: Arc<AtomicBool>,
}

impl Process {
    /// Starts a program with its arguments.
    pub(crate) fn start(words: &[String], stop: Arc<AtomicBool>) -> Result<Process, Fault> {
        let cannot = |why: String| Fault::CannotStart(why);
        let (program, arguments) = words.split_first().ok_or_else(|| cannot(String::from("no program is named")))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A Ctrl-C meant for the match must not end the engines in the middle of a game.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| cannot(format!("'{program}' cannot be started: {error}")))?;
        let (to, out) = (child.stdin.take(), child.stdout.take());
        let (sender, from) = sync_channel(LINES);
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

    /// Says a line.
    pub(crate) fn send(&mut self, line: &str) -> Result<(), Fault> {
        let to = self.to.as_mut().ok_or(Fault::Died)?;
        to.write_all(format!("{line}\n").as_bytes()).and_then(|()| to.flush()).map_err(|_| Fault::Died)
    }

    /// The next line.
    pub(crate) fn line(&mut self, until: Instant) -> Result<String, Fault> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.from.recv_timeout(left.min(GLANCE)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Died),
                Err(RecvTimeoutError::Timeout) if self.stop.load(Relaxed) => return Err(Fault::Stopped),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Fault::Silent),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Reads on until a line answers.
    pub(crate) fn wait<T>(&mut self, until: Instant, mut answer: impl FnMut(&str) -> Option<T>) -> Result<T, Fault> {
        loop {
            if let Some(found) = answer(self.line(until)?.trim()) {
                return Ok(found);
            }
        }
    }

    /// Forgets what was said so far.
    pub(crate) fn drain(&mut self) {
        while self.from.try_recv().is_ok() {}
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.send("quit");
        self.to = None;
        let until = Instant::now() + FAREWELL;
        loop {
            self.drain();
            match self.child.try_wait() {
                Ok(Some(_)) => return,
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(5)),
                _ => break,
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A line, without its end; nothing at the end of all.
fn read_line(reader: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
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

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn lines_go_both_ways() {
        let mut cat = shell("cat");
        cat.send("one").unwrap();
        cat.send("two 2").unwrap();
        let two = cat.wait(soon(), |line| line.strip_prefix("two ").map(str::to_owned));
        assert_eq!(two.unwrap(), "2");
    }

    #[test]
    fn the_dead_the_silent_and_the_missing_are_told_apart() {
        assert_eq!(shell("exit 3").line(soon()), Err(Fault::Died));
        assert_eq!(shell("sleep 30").line(Instant::now() + Duration::from_millis(30)), Err(Fault::Silent));
        let missing = Process::start(&["/no/such/engine".into()], Arc::default()).err();
        assert!(
            matches!(missing, Some(Fault::CannotStart(why)) if why.starts_with("'/no/such/engine' cannot be started"))
        );
        let stopped = Arc::new(AtomicBool::new(true));
        let mut sleeper = Process::start(&["sleep".into(), "30".into()], stopped).unwrap();
        assert_eq!(sleeper.line(soon()), Err(Fault::Stopped));
    }

    #[test]
    fn a_flood_does_no_harm() {
        let mut flood = shell("while :; do echo abcdefgh; done");
        assert_eq!(flood.line(soon()).unwrap(), "abcdefgh");
        drop(flood);
        let mut endless = shell("tr '\\0' x < /dev/zero");
        assert_eq!(endless.line(soon()).unwrap().len(), LONGEST_LINE as usize);
    }
}
