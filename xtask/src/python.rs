//! The Python package: builds it, installs it into a virtual environment, and tests it there.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Subcommand;

use crate::program::{cargo, features, skip, succeed};
use crate::{root, say, target};

/// The Python packages for building and testing, in tested versions.
const PACKAGES: [&str; 14] = [
    "maturin==1.16.0",
    "pytest==9.2.0",
    "mypy==2.4.1",
    "basedpyright==1.40.2",
    "numpy==2.4.6",
    "pandas==3.1.1",
    "polars==2.1.0",
    "chess==1.11.2",
    "easyAI==2.0.12",
    "open_spiel==2.0.2",
    "nbclient==0.11.0",
    "nbformat==5.11.1",
    "ipykernel==7.4.0",
    "typing_extensions==4.16.0",
];

/// The linker for wheels that run on any Linux.
const ZIG: &str = "ziglang==0.17.0";

#[derive(Subcommand)]
pub(crate) enum What {
    /// Build the release files: the wheel for any Linux with glibc 2.17, and the sources
    Wheel,
    /// Compare the package with similar ones: calls, easyai or openspiel, and the arguments of that benchmark
    Bench { name: String, rest: Vec<String> },
}

pub(crate) fn run(what: Option<What>) -> Result<(), String> {
    match what {
        None => test(),
        Some(What::Wheel) => wheel(),
        Some(What::Bench { name, rest }) => bench(&name, &rest),
    }
}

/// Builds a wheel with the profile of the tests, installs it and runs the tests, the type checks and the notebooks.
fn test() -> Result<(), String> {
    let python = match environment() {
        Ok(python) => python,
        Err(why) => return skip("the Python package", &why, &["Python 3.10 or later with venv", "packages from PyPI"]),
    };
    let built = target().join("python/wheels");
    let _ = fs::remove_dir_all(&built);
    let mut build = maturin(&python);
    // Maturin builds only this package, which would compile its dependencies again with fewer features.
    build.env(REAL_CARGO, cargo()).env("CARGO", std::env::current_exe().map_err(|error| error.to_string())?);
    build.args(["build", "--quiet", "--profile", "dev", "--compatibility", "linux", "--out"]).arg(&built);
    succeed(&mut build)?;
    install(&python, &only_file(&built)?)?;
    tests(&python)
}

/// The variable with the path of the real cargo, set if this program replaces it.
const REAL_CARGO: &str = "EMTEE_CARGO";

/// Replaces cargo for maturin. Compiles with the packages, features and profile of the tests, so that nothing is compiled
/// twice. Passes all other calls to cargo.
pub(crate) fn stand_in_for_cargo() -> Option<Result<(), String>> {
    let real = std::env::var_os(REAL_CARGO)?;
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut command = Command::new(&real);
    if arguments.first().is_some_and(|first| first == "rustc") {
        // Examples and tests enable more features than libraries, so an example is included.
        let line = format!("build --workspace {} --lib --example tictactoe", features());
        command.args(line.split_whitespace()).args(["--message-format", "json-render-diagnostics"]).current_dir(root());
    } else {
        command.args(arguments);
    }
    Some(succeed(command.env("CARGO", &real).env_remove(REAL_CARGO)))
}

/// Builds the release files: the wheel for any Linux with glibc 2.17, and the sources, from which another wheel is built as
/// a check.
fn wheel() -> Result<(), String> {
    let python = environment()?;
    let mut zig = Command::new(&python);
    succeed(zig.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ZIG]))?;
    let out = target().join("python/dist");
    let _ = fs::remove_dir_all(&out);
    succeed(
        maturin(&python)
            .args(["build", "--profile", "wheel", "--zig", "--compatibility", "manylinux_2_17", "--out"])
            .arg(&out),
    )?;
    let wheel = only_file(&out)?;
    succeed(maturin(&python).args(["sdist", "--out"]).arg(&out))?;
    let sources = files(&out)?.into_iter().find(|file| file.extension().is_some_and(|end| end == "gz"));
    let again = target().join("python/again");
    let _ = fs::remove_dir_all(&again);
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"])
        .arg(&again)
        .arg(sources.ok_or("no sources")?);
    pip.env("CARGO_TARGET_DIR", target().join("python/sources"));
    succeed(&mut pip)?;
    only_file(&again)?;
    install(&python, &wheel)?;
    tests(&python)?;
    for file in files(&out)? {
        say(&file.display().to_string());
    }
    Ok(())
}

/// Runs a benchmark of the installed package.
fn bench(name: &str, rest: &[String]) -> Result<(), String> {
    let python = environment()?;
    let script = root().join("python/bench").join(name).with_extension("py");
    succeed(Command::new(python).arg("-B").arg(script).args(rest))
}

fn tests(python: &Path) -> Result<(), String> {
    let module = |name: &str| {
        let mut command = in_package(python);
        command.args(["-B", "-m", name]);
        command
    };
    let mut pytest = module("pytest");
    // A test compares the numbers of the package with those of the program.
    let program = target().join("debug/emtee");
    if program.exists() {
        pytest.env("EMTEE_PROGRAM", program);
    }
    succeed(pytest.args(["-q", "-p", "no:cacheprovider", "tests"]))?;
    let cache = target().join("python/mypy");
    succeed(module("mypy").arg("--cache-dir").arg(cache).args(["--config-file", "pyproject.toml"]))
}

/// A command in the folder of the package that imports the installed package, not the sources.
fn in_package(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root().join("python")).env("PYTHONSAFEPATH", "1");
    command
}

fn maturin(python: &Path) -> Command {
    let mut command = in_package(python);
    command.args(["-m", "maturin"]).env("CARGO_TARGET_DIR", target());
    // Use the toolchain that runs this program. Maturin finds PyPI's zig through the first Python in the path.
    command.env("CARGO", cargo());
    if let (Some(programs), Some(path)) = (python.parent(), std::env::var_os("PATH")) {
        let path = std::iter::once(programs.to_owned()).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(path).unwrap_or_default());
    }
    command
}

fn install(python: &Path, wheel: &Path) -> Result<(), String> {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall"]);
    succeed(pip.arg(wheel))
}

/// A virtual environment in the build folder with all packages, created if needed.
pub(crate) fn environment() -> Result<PathBuf, String> {
    let folder = target().join("python/venv");
    let python = folder.join("bin/python");
    let ready = folder.join("ready");
    let required = PACKAGES.join(" ");
    if fs::read_to_string(&ready).is_ok_and(|installed| installed == required) && python.exists() {
        return Ok(python);
    }
    create_environment(&folder)?;
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]).args(PACKAGES);
    succeed(&mut pip)?;
    fs::write(&ready, required).map_err(|error| format!("cannot write {}: {error}", ready.display()))?;
    Ok(python)
}

fn create_environment(folder: &Path) -> Result<(), String> {
    let recent = "import sys; sys.exit(sys.version_info < (3, 10))";
    succeed(Command::new("python3").args(["-c", recent]).stdout(Stdio::null()).stderr(Stdio::null()))?;
    succeed(
        Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder).stdout(Stdio::null()).stderr(Stdio::null()),
    )
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let read = fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    Ok(read.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect())
}

fn only_file(folder: &Path) -> Result<PathBuf, String> {
    match &files(folder)?[..] {
        [file] => Ok(file.clone()),
        others => Err(format!("{} has {} files instead of one", folder.display(), others.len())),
    }
}
