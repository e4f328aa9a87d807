//! The steps of `cargo xtask test`, in order and with time budgets.

use std::time::Duration;

use crate::program::{features, is_ci};
use crate::runner::{Lane, Step};
use crate::target;

/// The budget of the whole run on an idle machine with two cores.
pub(crate) const BUDGET: Duration = Duration::from_secs(18 * 60);

/// The example outside the workspace, like a user's program.
pub(crate) const OUTSIDE: &str = "examples/own_program";

const INSTALL_MPI: &str = "install: MPI";
const INSTALL_DEBIAN: &str = "install: Debian packages";
const INSTALL_PYTHON: &str = "install: Python packages";
const BUILD: &str = "build the tests";
const PAGE: &str = "the page without a server";
const OUTSIDE_TESTS: &str = "outside: tests";

/// All steps. Budgets are in seconds for a fresh clone on an idle machine with two cores, without the time for the network.
///
/// Steps that compile use the same packages, features and profile, so that no crate is compiled twice in the same mode. For
/// steps of the lane `Run` everything is already built.
pub(crate) fn all() -> Vec<Step> {
    let features = features();
    let workspace =
        |title, before: &str, after: &str| Step::cargo(title, &format!("{before} --workspace {features} {after}"));
    let mut steps = vec![
        Step::xtask(INSTALL_MPI, "install mpi").lane(Lane::Network, 120),
        Step::xtask(INSTALL_DEBIAN, "install debian").lane(Lane::Network, 180),
        Step::xtask(INSTALL_PYTHON, "install python").lane(Lane::Network, 180),
        Step::cargo("format", "fmt --all --check").lane(Lane::Build, 10),
        Step::cargo("outside: format", "fmt --check").folder(OUTSIDE).lane(Lane::Build, 5),
        outside("outside: lints", "clippy --all-targets", "-- -D warnings").lane(Lane::Build, 45),
        Step::cargo("lints without std", "clippy -p emtee --no-default-features -- -D warnings").lane(Lane::Build, 10),
        Step::cargo("the games without features", "check -p emtee-games --no-default-features").lane(Lane::Build, 10),
        Step::cargo("the program without its features", "clippy -p emtee-cli --no-default-features -- -D warnings")
            .lane(Lane::Build, 20),
        workspace("lints", "clippy", "--all-targets --features games/program -- -D warnings")
            .needs(&[INSTALL_MPI])
            .lane(Lane::Build, 90),
        workspace(BUILD, "test", "--no-run --tests").needs(&[INSTALL_MPI]).lane(Lane::Build, 400),
        workspace("build the examples", "build", "--example page --example tictactoe --example owners")
            .lane(Lane::Build, 20),
        Step::xtask(PAGE, "page --tests").needs(&[INSTALL_DEBIAN]).lane(Lane::Build, 110),
        outside(OUTSIDE_TESTS, "test", "").lane(Lane::Build, 60),
        outside("outside: every algorithm on a new game", "run --quiet", "-- check breakthrough --games 10 --depth 3")
            .lane(Lane::Build, 20),
        outside(
            "outside: an experiment on a new game",
            "run --quiet",
            "-- experiment breakthrough.toml --jobs 2 --out",
        )
        .and(target().join("breakthrough"))
        .lane(Lane::Build, 10),
        workspace("doc tests", "test", "--doc").lane(Lane::Build, 40),
        workspace("docs", "doc", "--no-deps").with("RUSTDOCFLAGS", "-D warnings").lane(Lane::Build, 30),
        // These have nothing to compile and run in parallel with the lane `Run`.
        Step::xtask("the proofs", "proof").needs(&[INSTALL_DEBIAN]).lane(Lane::Build, 90),
        Step::xtask("the explorer in a browser", "browser").needs(&[PAGE]).lane(Lane::Build, 80),
        workspace("tests", "test", "--tests").needs(&[BUILD]).lane(Lane::Run, 270),
        Step::xtask("an example that plays", "example tictactoe").needs(&[BUILD]).lane(Lane::Run, 10),
        Step::xtask("the Python package", "python").needs(&[BUILD, INSTALL_PYTHON]).lane(Lane::Run, 120),
        Step::xtask("complete games through the protocols", "clients 10 0.03")
            .needs(&[INSTALL_PYTHON])
            .lane(Lane::Run, 60),
        Step::xtask("README and the book", "book").lane(Lane::Run, 180),
        Step::xtask("many machines", "mpi --no-tests").needs(&[INSTALL_DEBIAN]).lane(Lane::Run, 90),
    ];
    if is_ci() {
        steps.push(Step::xtask("packages", "dist --tested").lane(Lane::Run, 30));
    }
    steps
}

/// Cargo in the example outside the workspace, with the build folder and profile of the workspace, so that shared
/// dependencies are built once.
fn outside(title: &'static str, before: &str, after: &str) -> Step {
    let (command, rest) = before.split_once(' ').unwrap_or((before, ""));
    let line = format!("{command} --config ../../xtask/outside.toml {rest} {after}");
    Step::cargo(title, &line).folder(OUTSIDE).with("CARGO_TARGET_DIR", target())
}
