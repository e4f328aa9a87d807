//! Tests of the cluster examples on this machine: a Slurm cluster of one node, and Ray.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::{Profile, build, install, starts, succeed};
use crate::{root, say, target};

const SLURM: [&str; 4] = ["slurmctld", "slurmd", "slurm-client", "munge"];
const RAY: &str = "ray==2.60.0";

/// The time limit for Slurm to start.
const START_TIMEOUT: Duration = Duration::from_secs(120);

const EXPERIMENT: &str = r#"
title = "On a cluster"
figures = [9, 11]

[[game]]
name = "connect4"
depth = 6
positions = { random = 4, plies = 4 }
"#;

/// Runs the examples with this program `emtee-mpi`, and compares their results with those of a run without a cluster.
pub(crate) fn run(emtee_mpi: &Path) -> Result<(), String> {
    let emtee = build(Profile::Test)?;
    let folder = target().join("cluster");
    let _ = fs::remove_dir_all(&folder);
    create_dir(&folder)?;
    let file = folder.join("experiment.toml");
    write(&file, EXPERIMENT)?;
    let setup = Setup { folder, file, programs: [parent(&emtee), parent(emtee_mpi)] };
    let reference = setup.folder.join("one");
    let mut emtee = setup.command("emtee");
    succeed(emtee.arg("experiment").arg(&setup.file).arg("--out").arg(&reference).stdout(Stdio::null()))?;
    run_slurm(&setup, &reference)?;
    run_ray(&setup, &reference)
}

/// The files of a test.
struct Setup {
    folder: PathBuf,
    file: PathBuf,
    /// The folders of our programs.
    programs: [PathBuf; 2],
}

impl Setup {
    /// A command in the folder of the tests, with our programs in its path.
    fn command(&self, name: impl AsRef<std::ffi::OsStr>) -> Command {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = self.programs.iter().cloned().chain(std::env::split_paths(&path));
        let mut command = Command::new(name);
        command.current_dir(&self.folder).env("PATH", std::env::join_paths(all).unwrap_or(path));
        command
    }
}

/// Runs a job array and its merge, and the same experiment with MPI, on a Slurm cluster of one node.
fn run_slurm(setup: &Setup, reference: &Path) -> Result<(), String> {
    let missing = packages();
    if !missing.is_empty() {
        install(&missing)?;
    }
    let cluster = Cluster::start(&setup.folder.join("slurm"))?;
    let examples = root().join("examples/cluster");
    let submit = |arguments: &[&str], script: &str, rest: &[&Path]| -> Result<String, String> {
        let mut sbatch = setup.command("sbatch");
        sbatch
            .env("SLURM_CONF", &cluster.conf)
            .env("EMTEE_MPIRUN", "--allow-run-as-root --oversubscribe --bind-to none");
        sbatch.arg("--parsable").args(arguments).arg(examples.join(script)).args(rest);
        let output = sbatch.stderr(Stdio::inherit()).output().map_err(|error| format!("sbatch: {error}"))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
            false => Err(format!("sbatch {script}: {}", output.status)),
        }
    };
    let (parts, ranks) = (setup.folder.join("parts"), setup.folder.join("ranks"));
    let job = submit(&["--array=1-3"], "array.sbatch", &[&setup.file, &parts])?;
    submit(&["--wait", &format!("--dependency=afterok:{job}")], "merge.sbatch", &[&parts])?;
    compare_results(reference, &parts.join("whole"))?;
    submit(&["--wait", "--ntasks=2"], "mpi.sbatch", &[&setup.file, &ranks])?;
    compare_results(reference, &ranks)?;
    say("Slurm: an array of 3 parts and its merge, and 2 ranks, have the same rows as one machine");
    Ok(())
}

/// The missing packages.
pub(crate) fn packages() -> Vec<&'static str> {
    let installed = ["slurmctld", "slurmd", "sbatch", "munged"].iter().all(|name| starts(name, "-V"));
    if installed { Vec::new() } else { SLURM.into() }
}

/// A virtual environment in the build folder with Ray, created if needed.
pub(crate) fn ray() -> Result<PathBuf, String> {
    let environment = target().join("ray");
    let python = environment.join("bin/python");
    let ready = environment.join("ready");
    if !(fs::read_to_string(&ready).is_ok_and(|installed| installed == RAY) && python.exists()) {
        succeed(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", RAY];
        succeed(Command::new(&python).args(install))?;
        write(&ready, RAY)?;
    }
    Ok(python)
}

/// Runs the parts as Ray tasks.
fn run_ray(setup: &Setup, reference: &Path) -> Result<(), String> {
    let python = ray()?;
    let out = setup.folder.join("ray");
    let script = root().join("examples/cluster/shards_on_ray.py");
    let mut command = setup.command(&python);
    // No usage reports.
    command.env("RAY_USAGE_STATS_ENABLED", "0").arg("-B").arg(script).arg(&setup.file).arg(&out).arg("3");
    succeed(command.stdout(Stdio::null()).stderr(Stdio::null()))?;
    compare_results(reference, &out.join("whole"))?;
    say("Ray: 3 parts and their merge have the same rows as one machine");
    Ok(())
}

/// Compares the rows of two experiments, without times and machines.
fn compare_results(reference: &Path, cluster: &Path) -> Result<(), String> {
    for (table, ignored) in [("runs", "machine"), ("iterations", "seconds"), ("passes", "")] {
        let (expected, found) = (rows(reference, table, ignored)?, rows(cluster, table, ignored)?);
        if expected != found || expected.len() < 10 {
            let counts = format!("{} rows on one machine, {} on the cluster", expected.len(), found.len());
            return Err(format!("{table} differ: {counts}"));
        }
    }
    Ok(())
}

/// The rows of a table, sorted, without a field.
fn rows(folder: &Path, table: &str, ignored: &str) -> Result<Vec<String>, String> {
    let file = folder.join("data").join(table).with_extension("jsonl");
    let text = fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let row = |line: &str| {
        let mut row: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line)?;
        row.remove(ignored);
        serde_json::to_string(&row)
    };
    let rows: Result<Vec<String>, _> = text.lines().map(row).collect();
    let mut rows = rows.map_err(|error| format!("{}: {error}", file.display()))?;
    rows.sort();
    Ok(rows)
}

/// A Slurm cluster of one node with its own munge daemon, stopped on drop.
struct Cluster {
    folder: PathBuf,
    conf: PathBuf,
}

impl Cluster {
    fn start(folder: &Path) -> Result<Cluster, String> {
        for name in ["munge", "state", "spool"] {
            create_dir(&folder.join(name))?;
        }
        let key = folder.join("munge/key");
        let random = fs::File::open("/dev/urandom").and_then(|mut from| {
            let mut bytes = [0; 1024];
            std::io::Read::read_exact(&mut from, &mut bytes).map(|()| bytes)
        });
        fs::write(&key, random.map_err(|error| error.to_string())?).map_err(|error| error.to_string())?;
        succeed(Command::new("chmod").arg("400").arg(&key))?;
        let path = |name: &str| folder.join(name).display().to_string();
        let hostname = Command::new("hostname").arg("-s").output().map_err(|error| error.to_string())?;
        let host = String::from_utf8_lossy(&hostname.stdout).trim().to_owned();
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let conf = folder.join("slurm.conf");
        let lines = [
            String::from("ClusterName=emtee\nSlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\nMpiDefault=none"),
            format!("SlurmctldHost={host}(127.0.0.1)\nSlurmctldPort=16817\nSlurmdPort=16818"),
            format!("AuthInfo=socket={}", path("munge.sock")),
            format!("StateSaveLocation={}\nSlurmdSpoolDir={}", path("state"), path("spool")),
            format!("SlurmctldPidFile={}\nSlurmdPidFile={}", path("slurmctld.pid"), path("slurmd.pid")),
            format!("SlurmctldLogFile={}\nSlurmdLogFile={}", path("slurmctld.log"), path("slurmd.log")),
            String::from("ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nReturnToService=2"),
            String::from(
                "SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nSchedulerParameters=batch_sched_delay=0",
            ),
            format!("NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory=500 State=UNKNOWN"),
            format!("PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP"),
        ];
        write(&conf, &(lines.join("\n") + "\n"))?;
        let cluster = Cluster { folder: folder.to_owned(), conf };
        let mut munged = Command::new("munged");
        munged.arg("--force").arg(format!("--key-file={}", key.display()));
        for (option, file) in [("socket", "munge.sock"), ("pid-file", "munge/pid"), ("log-file", "munge/log")] {
            munged.arg(format!("--{option}={}", path(file)));
        }
        succeed(munged.arg(format!("--seed-file={}", path("munge/seed"))))?;
        succeed(Command::new("slurmctld").arg("-f").arg(&cluster.conf))?;
        succeed(Command::new("slurmd").arg("-f").arg(&cluster.conf))?;
        let started = Instant::now();
        while !cluster.is_idle() {
            if started.elapsed() > START_TIMEOUT {
                return Err(format!("Slurm does not start; its logs are in {}", folder.display()));
            }
            thread::sleep(Duration::from_millis(200));
        }
        Ok(cluster)
    }

    fn is_idle(&self) -> bool {
        let mut sinfo = Command::new("sinfo");
        sinfo.args(["--noheader", "--format=%t"]).env("SLURM_CONF", &self.conf).stderr(Stdio::null());
        sinfo.output().is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim() == "idle")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for file in ["slurmd.pid", "slurmctld.pid", "munge/pid"] {
            if let Ok(pid) = fs::read_to_string(self.folder.join(file)) {
                let _ = Command::new("kill").arg(pid.trim()).status();
            }
        }
    }
}

fn parent(file: &Path) -> PathBuf {
    file.parent().map(Path::to_owned).unwrap_or_default()
}

fn create_dir(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))
}
