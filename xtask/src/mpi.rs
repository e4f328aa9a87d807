//! Builds `emtee-mpi` and tests it with several MPI ranks on this machine.

use std::process::{Command, Stdio};

use clap::Subcommand;

use crate::program::{self, example, is_ci, skip, starts, succeed, workspace};
use crate::{cluster, target};

/// The Debian packages: the launcher, the headers and libraries, and libclang for generating bindings.
const PACKAGES: [&str; 3] = ["openmpi-bin", "libopenmpi-dev", "libclang-dev"];

#[derive(Subcommand)]
pub(crate) enum What {
    /// Run the examples for Slurm and Ray, as CI does
    Cluster,
}

pub(crate) fn run(what: Option<What>, tests: bool) -> Result<(), String> {
    if let Err(why) = install() {
        return skip("emtee-mpi", &why, &PACKAGES);
    }
    if let Some(What::Cluster) = what {
        return cluster_examples();
    }
    if tests {
        succeed(&mut workspace("test", "--test ranks --test search --test faults"))?;
    }
    // Compares its results with those of one thread.
    succeed(Command::new(example("owners")?).args(["othello", "7", "4", "2"]))?;
    // Requires more packages and daemons: only in CI or on request.
    if is_ci() { cluster_examples() } else { Ok(()) }
}

/// Runs the examples for Slurm and Ray with the programs built for the tests.
fn cluster_examples() -> Result<(), String> {
    succeed(&mut workspace("test --quiet", "--test ranks --no-run"))?;
    cluster::run(&target().join("debug/emtee-mpi"))
}

/// Whether MPI and libclang are installed.
pub(crate) fn is_available() -> bool {
    starts("mpirun", "--version") && starts("mpicc", "--version") && is_installed("libclang-dev")
}

/// Installs MPI if it is missing.
pub(crate) fn install() -> Result<(), String> {
    if is_available() {
        return Ok(());
    }
    program::install(&PACKAGES)?;
    if is_available() { Ok(()) } else { Err("mpirun does not start".into()) }
}

/// Whether a Debian package is installed. Assumed if there is no dpkg.
fn is_installed(package: &str) -> bool {
    let mut command = Command::new("dpkg");
    command.args(["--status", package]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().map_or(true, |status| status.success())
}
