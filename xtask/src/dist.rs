//! `cargo xtask dist`: binary packages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{self, Profile};
use crate::runner::{self, Step};
use crate::{root, say, target};

/// The shells with completions, and the path of each completion below `/usr`.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/emtee"),
    ("zsh", "share/zsh/vendor-completions/_emtee"),
    ("fish", "share/fish/vendor_completions.d/emtee.fish"),
];

const DOCUMENTS: [&str; 5] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "CITATION.cff"];

/// Checks whether all crates can be published, without publishing them.
pub(crate) fn publish() -> Result<(), String> {
    runner::run(&Step::cargo("can the crates be published?", "publish --workspace --dry-run --allow-dirty"))
}

/// Builds a tarball and, if `dpkg-deb` is installed, a Debian package, which is installed into a separate folder and run.
/// `tested`: packages the program built for the tests, to check the packaging.
pub(crate) fn run(tested: bool) -> Result<(), String> {
    let folder = target().join("dist");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let program = program::build(if tested { Profile::Test } else { Profile::Release })?;
    let name = format!("emtee-{VERSION}-{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let tree = folder.join(&name);
    lay_out(&program, &tree)?;
    // `strip` is part of binutils, like the linker.
    call(Command::new("strip").arg(tree.join("bin/emtee")))?;
    let tarball = format!("{name}.tar.gz");
    call(
        Command::new("tar")
            .args(["--create", "--gzip", "--owner=0", "--group=0", "--file", &tarball, &name])
            .current_dir(&folder),
    )?;
    print_size(&folder.join(&tarball));
    check_installation(&tree.join("bin/emtee"), &tree)?;
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        say("dpkg-deb is not installed, so no .deb was built");
        return Ok(());
    }
    let package = debian(&folder, &tree)?;
    print_size(&package);
    install(&folder, &package)
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Copies all files into `tree`, with the layout of `/usr`.
fn lay_out(program: &Path, tree: &Path) -> Result<(), String> {
    let to = |file: &str| -> Result<PathBuf, String> {
        let path = tree.join(file);
        let folder = path.parent().unwrap_or(tree);
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(path)
    };
    let copy =
        |from: &Path, to: &Path| fs::copy(from, to).map(|_| ()).map_err(|error| format!("{}: {error}", from.display()));
    copy(program, &to("bin/emtee")?)?;
    for (shell, file) in SHELLS {
        let text = call(Command::new(program).args(["completions", shell]))?;
        fs::write(to(file)?, text).map_err(|error| format!("{file}: {error}"))?;
    }
    let pages = to("share/man/man1/emtee.1")?;
    let pages = pages.parent().unwrap_or(tree);
    call(Command::new(program).args(["man", "--out"]).arg(pages))?;
    let mut names: Vec<PathBuf> = files(pages)?;
    names.sort();
    call(Command::new("gzip").args(["--best", "--no-name"]).args(names))?;
    for document in DOCUMENTS {
        copy(&root().join(document), &to(&format!("share/doc/emtee/{document}"))?)?;
    }
    Ok(())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let error = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::read_dir(folder).map_err(error)?.map(|entry| entry.map(|entry| entry.path()).map_err(error)).collect()
}

/// Builds the Debian package.
fn debian(folder: &Path, tree: &Path) -> Result<PathBuf, String> {
    let files = folder.join("debian");
    let error = |error: std::io::Error| format!("{}: {error}", files.display());
    fs::create_dir_all(files.join("DEBIAN")).map_err(error)?;
    call(Command::new("cp").arg("--recursive").arg(tree).arg(files.join("usr")))?;
    // The copyright file of a Debian package names the owner and contains the licences.
    let licences =
        ["LICENSE-MIT", "LICENSE-APACHE"].map(|name| fs::read_to_string(root().join(name)).unwrap_or_default());
    let copyright =
        format!("emtee, by the emtee developers, under either of these licences.\n\n{}", licences.join("\n\n"));
    fs::write(files.join("usr/share/doc/emtee/copyright"), copyright).map_err(error)?;
    let architecture = call(Command::new("dpkg").arg("--print-architecture"))?;
    let architecture = architecture.trim();
    let kilobytes = call(Command::new("du").args(["--summarize", "--block-size=1K"]).arg(files.join("usr")))?;
    let kilobytes = kilobytes.split_whitespace().next().unwrap_or("0").to_owned();
    let control = format!(
        "Package: emtee\nVersion: {VERSION}-1\nSection: games\nPriority: optional\nArchitecture: {architecture}\n\
         Maintainer: The emtee developers <emtee@localhost>\nInstalled-Size: {kilobytes}\nDepends: libc6, libgcc-s1\n\
         Description: minimax search by MT and its drivers\n \
         Plays and analyses chess, Othello, checkers, Connect Four and Kalah, speaks\n \
         UCI, NBoard and Hub, and reruns the experiments of the paper \"A New Paradigm\n \
         for Minimax Search\" with MTD-f, SSS*, DUAL* and the Alpha-Beta family.\n"
    );
    fs::write(files.join("DEBIAN/control"), control).map_err(error)?;
    let package = folder.join(format!("emtee_{VERSION}-1_{architecture}.deb"));
    call(Command::new("dpkg-deb").args(["--build", "--root-owner-group"]).arg(&files).arg(&package))?;
    Ok(package)
}

/// Installs the package with dpkg below a folder, without changing the system.
fn install(folder: &Path, package: &Path) -> Result<(), String> {
    let system = folder.join("system");
    let records = system.join("var/lib/dpkg");
    for part in ["info", "updates", "triggers"] {
        fs::create_dir_all(records.join(part)).map_err(|error| format!("{}: {error}", records.display()))?;
    }
    fs::write(records.join("status"), "").map_err(|error| error.to_string())?;
    let mut dpkg = Command::new("dpkg");
    dpkg.arg(format!("--root={}", system.display()));
    dpkg.args(["--force-not-root", "--force-depends", "--force-bad-path", "--install"]).arg(package);
    call(dpkg.env("PATH", format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap_or_default())))?;
    check_installation(&system.join("usr/bin/emtee"), &system.join("usr"))
}

/// Checks that the program runs and that all files exist.
fn check_installation(program: &Path, usr: &Path) -> Result<(), String> {
    let version = call(Command::new(program).arg("--version"))?;
    if version.trim() != format!("emtee {VERSION}") {
        return Err(format!("{} has the version '{}'", program.display(), version.trim()));
    }
    let found = call(Command::new(program).args(["search", "connect4", "--position", "4455", "--depth", "5"]))?;
    if !found.contains("value win in 3") {
        return Err(format!("{} does not find the win:\n{found}", program.display()));
    }
    let mut expected: Vec<&str> = SHELLS.iter().map(|(_, file)| *file).collect();
    expected.extend(["share/man/man1/emtee.1.gz", "share/man/man1/emtee-search.1.gz", "share/doc/emtee/LICENSE-MIT"]);
    match expected.iter().find(|file| !usr.join(file).exists()) {
        Some(missing) => Err(format!("{} is missing below {}", missing, usr.display())),
        None => {
            say(&format!("{} runs", program.display()));
            Ok(())
        }
    }
}

fn print_size(file: &Path) {
    let bytes = fs::metadata(file).map_or(0, |data| data.len());
    say(&format!("{}, {:.1} MB", file.display(), bytes as f64 / f64::from(1 << 20)));
}

/// Runs a command and returns its output.
fn call(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name} does not start: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("{name}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
}
