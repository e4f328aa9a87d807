//! Jobs of ranks on this machine, and queries of the files that they write.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;

const PROGRAM: &str = env!("CARGO_BIN_EXE_emtee-mpi");

/// The longest time of a job in these tests.
const LONGEST: Duration = Duration::from_secs(300);

/// A job, and the process of its launcher once started.
pub(crate) struct Job {
    command: Command,
    child: Option<Child>,
    /// The TMPDIR of this job alone: concurrent launchers would delete the folder of each other.
    _folder: Folder,
}

/// How a job ended.
pub(crate) struct Output {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Job {
    /// A job of this many ranks.
    pub(crate) fn new(ranks: usize, arguments: &[&str]) -> Job {
        Job::of(&[(ranks, arguments)])
    }

    /// Two ranks with different arguments.
    #[allow(dead_code)]
    pub(crate) fn two_kinds(first: &[&str], second: &[&str]) -> Job {
        Job::of(&[(1, first), (1, second)])
    }

    fn of(kinds: &[(usize, &[&str])]) -> Job {
        let mut command = Command::new("mpirun");
        // The tests run many ranks on few cores, possibly as root.
        command.args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]);
        for (index, (ranks, arguments)) in kinds.iter().enumerate() {
            if index > 0 {
                command.arg(":");
            }
            command.args(["-n", &ranks.to_string(), PROGRAM]).args(*arguments);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        static JOBS: AtomicUsize = AtomicUsize::new(0);
        let folder = Folder::new(&JOBS.fetch_add(1, Relaxed).to_string());
        command.env("TMPDIR", &folder.0);
        Job { command, child: None, _folder: folder }
    }

    /// How long a rank may be silent.
    #[allow(dead_code)]
    pub(crate) fn patience(mut self, time: &str) -> Job {
        self.command.env("EMTEE_MPI_PATIENCE", time);
        self
    }

    pub(crate) fn start(mut self) -> Job {
        self.child = Some(self.command.spawn().expect("mpirun starts"));
        self
    }

    /// Runs to its end.
    pub(crate) fn output(self) -> Output {
        self.start().ends_within(LONGEST)
    }

    /// Waits for the end, at most this long.
    pub(crate) fn ends_within(mut self, time: Duration) -> Output {
        let mut child = self.child.take().expect("the job was started");
        let (mut stdout, mut stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let out = thread::spawn(move || {
            let mut text = String::new();
            stdout.read_to_string(&mut text).map(|_| text).unwrap_or_default()
        });
        let err = thread::spawn(move || {
            let mut text = String::new();
            stderr.read_to_string(&mut text).map(|_| text).unwrap_or_default()
        });
        let began = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if began.elapsed() > time {
                send(child.id(), "KILL");
                panic!("the job hangs: no end after {time:?}");
            }
            thread::sleep(Duration::from_millis(20));
        };
        Output { status, stdout: out.join().unwrap(), stderr: err.join().unwrap() }
    }

    fn launcher(&self) -> u32 {
        self.child.as_ref().expect("the job was started").id()
    }

    /// Sends a signal to the launcher.
    #[allow(dead_code)]
    pub(crate) fn signal(&self, signal: &str) {
        send(self.launcher(), signal);
    }

    /// Sends a signal to a rank: the child of the launcher with this rank in its environment.
    #[allow(dead_code)]
    pub(crate) fn signal_rank(&self, rank: usize, signal: &str) {
        let variable = format!("OMPI_COMM_WORLD_RANK={rank}\0");
        let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", self.launcher())).unwrap();
        let is_rank = |pid: &&str| {
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            String::from_utf8_lossy(&environment).contains(&variable)
        };
        let pid = children.split_whitespace().find(is_rank).expect("the rank runs");
        send(pid.parse().unwrap(), signal);
    }
}

fn send(pid: u32, signal: &str) {
    assert!(Command::new("kill").args(["-s", signal, &pid.to_string()]).status().unwrap().success());
}

/// A folder that is deleted at the end of a test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("emtee-mpi-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    #[allow(dead_code)]
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn database(out: &Path) -> Connection {
    Connection::open(out.join("results.sqlite")).unwrap()
}

/// The first column of the result of a query.
#[allow(dead_code)]
pub(crate) fn column(out: &Path, query: &str) -> Vec<String> {
    let database = database(out);
    let mut query = database.prepare(query).unwrap();
    let rows = query.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// The number of finished runs.
#[allow(dead_code)]
pub(crate) fn runs(out: &Path) -> i64 {
    if !out.join("results.sqlite").exists() {
        return 0;
    }
    database(out).query_row("SELECT count(*) FROM runs", [], |row| row.get(0)).unwrap_or(0)
}

/// All rows of all tables without the columns `seconds` and `machine`, as sorted lines.
#[allow(dead_code)]
pub(crate) fn counted(out: &Path) -> Vec<String> {
    let database = database(out);
    let mut lines = Vec::new();
    for table in ["about", "experiments", "runs", "iterations", "passes", "heights", "minimal", "evaluations"] {
        let mut query = database.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let names: Vec<String> = query.column_names().map(str::to_owned).collect();
        let mut rows = query.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let cells = names.iter().enumerate().filter(|(_, name)| *name != "seconds" && *name != "machine");
            let cells: Vec<String> =
                cells.map(|(index, name)| format!("{name}={:?}", row.get_ref(index).unwrap())).collect();
            lines.push(format!("{table}: {}", cells.join(" ")));
        }
    }
    lines.sort();
    lines
}

#[allow(dead_code)]
pub(crate) fn wait_until(longest: Duration, ready: impl Fn() -> bool) {
    let began = Instant::now();
    while !ready() {
        assert!(began.elapsed() < longest, "the condition did not hold within {longest:?}");
        thread::sleep(Duration::from_millis(10));
    }
}
