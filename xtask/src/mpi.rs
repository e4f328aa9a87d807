//! Many machines: `emtee-mpi` built, and tested with real ranks on this one.

use std::process::{Command, Stdio};

use clap::Subcommand;

use crate::program::{self, example, is_ci, skip, starts, succeed, workspace};
use crate::{cluster, target};

/// What Debian calls them: the launcher, what programs are built with, and what reads C headers for Rust.
const PACKAGES: [&str; 3] = ["openmpi-bin", "libopenmpi-dev", "libclang-dev"];

#[derive(Subcommand)]
pub(crate) enum What {
    /// The examples for Slurm and Ray, which CI runs too
    Cluster,
}

pub(crate) fn run(what: Option<What>, tests: bool) -> Result<(), String> {
    if let Err(why) = install() {
        return skip("emtee-mpi", &why, &PACKAGES);
    }
    if let Some(What::Cluster) = what {
        return examples();
    }
    if tests {
        succeed(&mut workspace("test", "--test ranks --test search --test disorder"))?;
    }
    // It compares itself with one thread.
    succeed(Command::new(example("owners")?).args(["othello", "7", "4", "2"]))?;
    // Two packages more, and daemons: in CI, or when asked for.
    if is_ci() { examples() } else { Ok(()) }
}

/// The examples for Slurm and Ray, with the programs as the tests have them.
fn examples() -> Result<(), String> {
    succeed(&mut workspace("test --quiet", "--test ranks --no-run"))?;
    cluster::run(&target().join("debug/emtee-mpi"))
}

/// Whether there is an MPI to build and run with, and a libclang to read its headers.
pub(crate) fn is_there() -> bool {
    starts("mpirun", "--version") && starts("mpicc", "--version") && is_installed("libclang-dev")
}

/// Installs an MPI unless it is there.
pub(crate) fn install() -> Result<(), String> {
    if is_there() {
        return Ok(());
    }
    program::install(&PACKAGES)?;
    if is_there() { Ok(()) } else { Err("mpirun does not start".into()) }
}

/// Whether Debian has installed a package; assumed where there is no dpkg.
fn is_installed(package: &str) -> bool {
    let mut command = Command::new("dpkg");
    command.args(["--status", package]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().map_or(true, |status| status.success())
}
