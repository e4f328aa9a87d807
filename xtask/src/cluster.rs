//! The examples for clusters, run for real on this machine: a Slurm of one node, and Ray.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::{Profile, build, install, starts, succeed};
use crate::{root, say, target};

const SLURM: [&str; 4] = ["slurmctld", "slurmd", "slurm-client", "munge"];
const RAY: &str = "ray==2.60.0";

/// A minute is plenty for any of the jobs.
const PATIENCE: Duration = Duration::from_secs(120);

const EXPERIMENT: &str = r#"
title = "On a cluster"
figures = [9, 11]

[[game]]
name = "connect4"
depth = 6
positions = { random = 4, plies = 4 }
"#;

/// Runs the examples with the program `emtee-mpi` of this folder, and compares what they find with what one machine finds.
pub(crate) fn run(emtee_mpi: &Path) -> Result<(), String> {
    let emtee = build(Profile::Test)?;
    let folder = target().join("cluster");
    let _ = fs::remove_dir_all(&folder);
    make(&folder)?;
    let file = folder.join("experiment.toml");
    write(&file, EXPERIMENT)?;
    let place = Place { folder, file, programs: [parent(&emtee), parent(emtee_mpi)] };
    let one = place.folder.join("one");
    succeed(place.command("emtee").arg("experiment").arg(&place.file).arg("--out").arg(&one).stdout(Stdio::null()))?;
    slurm(&place, &one)?;
    on_ray(&place, &one)
}

struct Place {
    folder: PathBuf,
    file: PathBuf,
    /// Where our programs lie.
    programs: [PathBuf; 2],
}

impl Place {
    /// A command that finds our programs, in the folder of these tests.
    fn command(&self, name: impl AsRef<std::ffi::OsStr>) -> Command {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = self.programs.iter().cloned().chain(std::env::split_paths(&path));
        let mut command = Command::new(name);
        command.current_dir(&self.folder).env("PATH", std::env::join_paths(all).unwrap_or(path));
        command
    }
}

/// An array of parts and its merge, and the same by MPI, on a Slurm of one node.
fn slurm(place: &Place, one: &Path) -> Result<(), String> {
    let missing = packages();
    if !missing.is_empty() {
        install(&missing)?;
    }
    let cluster = Cluster::start(&place.folder.join("slurm"))?;
    let examples = root().join("examples/cluster");
    let submit = |arguments: &[&str], script: &str, rest: &[&Path]| -> Result<String, String> {
        let mut sbatch = place.command("sbatch");
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
    let (parts, ranks) = (place.folder.join("parts"), place.folder.join("ranks"));
    let job = submit(&["--array=1-3"], "array.sbatch", &[&place.file, &parts])?;
    submit(&["--wait", &format!("--dependency=afterok:{job}")], "merge.sbatch", &[&parts])?;
    same(one, &parts.join("whole"))?;
    submit(&["--wait", "--ntasks=2"], "mpi.sbatch", &[&place.file, &ranks])?;
    same(one, &ranks)?;
    say("Slurm: an array of 3 parts and its merge, and 2 ranks, have the rows of one machine");
    Ok(())
}

/// The packages that are missing.
pub(crate) fn packages() -> Vec<&'static str> {
    let is_there = ["slurmctld", "slurmd", "sbatch", "munged"].iter().all(|name| starts(name, "-V"));
    if is_there { Vec::new() } else { SLURM.into() }
}

/// A Python of our own under the build folder, with Ray in it.
pub(crate) fn ray() -> Result<PathBuf, String> {
    let environment = target().join("ray");
    let python = environment.join("bin/python");
    let ready = environment.join("ready");
    if !(fs::read_to_string(&ready).is_ok_and(|has| has == RAY) && python.exists()) {
        succeed(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", RAY];
        succeed(Command::new(&python).args(install))?;
        write(&ready, RAY)?;
    }
    Ok(python)
}

/// The parts as tasks of Ray.
fn on_ray(place: &Place, one: &Path) -> Result<(), String> {
    let python = ray()?;
    let out = place.folder.join("ray");
    let script = root().join("examples/cluster/shards_on_ray.py");
    let mut command = place.command(&python);
    // Nothing is reported to anybody.
    command.env("RAY_USAGE_STATS_ENABLED", "0").arg("-B").arg(script).arg(&place.file).arg(&out).arg("3");
    succeed(command.stdout(Stdio::null()).stderr(Stdio::null()))?;
    same(one, &out.join("whole"))?;
    say("Ray: 3 parts and their merge have the rows of one machine");
    Ok(())
}

/// Whether two experiments have the same rows, but for times and machines.
fn same(one: &Path, other: &Path) -> Result<(), String> {
    for (table, left_out) in [("runs", "machine"), ("iterations", "seconds"), ("passes", "")] {
        let (one, other) = (rows(one, table, left_out)?, rows(other, table, left_out)?);
        if one != other || one.len() < 10 {
            return Err(format!("{table} differ: {} rows on one machine, {} on the cluster", one.len(), other.len()));
        }
    }
    Ok(())
}

/// The rows of a table, sorted, without a field.
fn rows(folder: &Path, table: &str, left_out: &str) -> Result<Vec<String>, String> {
    let file = folder.join("data").join(table).with_extension("jsonl");
    let text = fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let row = |line: &str| {
        let mut row: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line)?;
        row.remove(left_out);
        serde_json::to_string(&row)
    };
    let rows: Result<Vec<String>, _> = text.lines().map(row).collect();
    let mut rows = rows.map_err(|error| format!("{}: {error}", file.display()))?;
    rows.sort();
    Ok(rows)
}

/// A Slurm of one node, with a munge of its own. It ends when this is dropped.
struct Cluster {
    folder: PathBuf,
    conf: PathBuf,
}

impl Cluster {
    fn start(folder: &Path) -> Result<Cluster, String> {
        for name in ["munge", "state", "spool"] {
            make(&folder.join(name))?;
        }
        let key = folder.join("munge/key");
        let random = fs::File::open("/dev/urandom").and_then(|mut from| {
            let mut bytes = [0; 1024];
            std::io::Read::read_exact(&mut from, &mut bytes).map(|()| bytes)
        });
        fs::write(&key, random.map_err(|error| error.to_string())?).map_err(|error| error.to_string())?;
        succeed(Command::new("chmod").arg("400").arg(&key))?;
        let at = |name: &str| folder.join(name).display().to_string();
        let hostname = Command::new("hostname").arg("-s").output().map_err(|error| error.to_string())?;
        let host = String::from_utf8_lossy(&hostname.stdout).trim().to_owned();
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let conf = folder.join("slurm.conf");
        let lines = [
            String::from("ClusterName=emtee\nSlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\nMpiDefault=none"),
            format!("SlurmctldHost={host}(127.0.0.1)\nSlurmctldPort=16817\nSlurmdPort=16818"),
            format!("AuthInfo=socket={}", at("munge.sock")),
            format!("StateSaveLocation={}\nSlurmdSpoolDir={}", at("state"), at("spool")),
            format!("SlurmctldPidFile={}\nSlurmdPidFile={}", at("slurmctld.pid"), at("slurmd.pid")),
            format!("SlurmctldLogFile={}\nSlurmdLogFile={}", at("slurmctld.log"), at("slurmd.log")),
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
            munged.arg(format!("--{option}={}", at(file)));
        }
        succeed(munged.arg(format!("--seed-file={}", at("munge/seed"))))?;
        succeed(Command::new("slurmctld").arg("-f").arg(&cluster.conf))?;
        succeed(Command::new("slurmd").arg("-f").arg(&cluster.conf))?;
        let began = Instant::now();
        while !cluster.is_idle() {
            if began.elapsed() > PATIENCE {
                return Err(format!("Slurm does not come up; its logs are in {}", folder.display()));
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

fn make(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))
}
