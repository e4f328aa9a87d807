//! Tests of README and the book: runs every command, compiles and runs every Rust block, and compares the output.
//!
//! The first word of a fenced block is its language; flags can follow:
//!
//! * `console`: lines that begin with `$` are commands, the lines after them are their output. A line `…` matches any
//!   lines, `…` within a line matches any text. Times and column widths are not compared.
//! * `sh`: every line is a command.
//! * `rust` or `toml` with a file name in a comment on the first line: the content of that file.
//!   `// src/dots.rs: into impl Game` inserts the rest at the end of that code block of the file,
//!   `// src/dots.rs: instead of fn evaluate` replaces that item.
//! * any other `rust` block: a program, or the body of its `main`.
//! * the flag `long`: it takes over 20 seconds and is run by `cargo xtask book --long`.
//! * the flag `fails`: the commands must fail. `stays`: they run until they are stopped.
//!
//! The pages share a working folder with a link to the repository, so that dependencies of several tutorials are compiled once.
//! README has its own folder. `emtee` is the program built from the current sources.

mod blocks;
mod compare;
mod edit;
mod pages;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{self, Profile};
use crate::{root, say, target};
use blocks::{Block, Kind};

/// The time limit of a command in a block without the flag `long`.
const MAX_TIME: Duration = Duration::from_secs(20);

/// The time after which a command with the flag `stays` is stopped.
const STAY_TIME: Duration = Duration::from_secs(3);

/// Tests all pages, or those in `only`: the blocks with the flag `long`, or all others.
pub(crate) fn run(long: bool, only: &[String]) -> Result<(), String> {
    let pages = pages::all()?;
    pages::check(&pages)?;
    if let Some(unknown) = only.iter().find(|name| !pages.iter().any(|page| page.name == **name)) {
        let names: Vec<&str> = pages.iter().map(|page| page.name.as_str()).collect();
        return Err(format!("there is no page '{unknown}'; choose one of {}", names.join(", ")));
    }
    let is_selected = |name: &String| only.is_empty() || only.contains(name);
    let selected: Vec<&pages::Page> = pages.iter().filter(|page| is_selected(&page.name)).collect();
    let folder = working_folder();
    prepare(&folder)?;
    let program = program::build(Profile::Test)?;
    let program = program.parent().ok_or("the program has no folder")?;
    let (mut count, started) = (0, Instant::now());
    let programs: Vec<(String, String)> = selected.iter().flat_map(|page| programs(page)).collect();
    if !long && !programs.is_empty() {
        say(&format!("{} Rust blocks", programs.len()));
        run_programs(&folder, &programs)?;
    }
    for page in selected {
        let folder = if page.name == "README" { folder.join("README") } else { folder.clone() };
        let mut session = Session { folder, program, page: &page.name, long, count: 0 };
        for block in &page.blocks {
            session.block(block)?;
        }
        count += session.count;
    }
    let what = if long { "long commands" } else { "commands" };
    say(&format!("{count} {what} agree with the pages, in {:.0} s", started.elapsed().as_secs_f64()));
    Ok(())
}

/// The folder in which the commands run. It is outside the repository, since cargo searches parent folders for a workspace.
/// Each clone has its own.
fn working_folder() -> PathBuf {
    let clone: String = root().to_string_lossy().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    std::env::temp_dir().join(format!("emtee-book{clone}"))
}

/// Creates an empty folder for the pages with a link `emtee` to the repository, and one for README, whose commands run in
/// the root of the repository: it has links to all files of the root.
fn prepare(folder: &Path) -> Result<(), String> {
    let error = |error: std::io::Error| format!("cannot prepare {}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(error)?;
    }
    let readme = folder.join("README");
    fs::create_dir_all(&readme).map_err(error)?;
    for parent in [folder, &readme] {
        symlink(root(), &parent.join("emtee")).map_err(error)?;
    }
    for entry in fs::read_dir(root()).map_err(error)? {
        let entry = entry.map_err(error)?;
        let name = entry.file_name();
        if !["target", ".git"].iter().any(|ignored| name == *ignored) {
            symlink(&entry.path(), &readme.join(&name)).map_err(error)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn symlink(from: &Path, to: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

#[cfg(not(unix))]
fn symlink(from: &Path, to: &Path) -> std::io::Result<()> {
    std::os::windows::fs::symlink_dir(from, to)
}

/// The Rust programs of a page, each with its location.
fn programs(page: &pages::Page) -> Vec<(String, String)> {
    let rust = page.blocks.iter().filter(|block| matches!(block.kind, Kind::Program));
    rust.map(|block| (format!("{}, line {}", page.name, block.line), block.text.clone())).collect()
}

/// Compiles all programs into one and runs them in turn.
fn run_programs(folder: &Path, programs: &[(String, String)]) -> Result<(), String> {
    let project = folder.join("blocks");
    let mut main = String::from("type Result = std::result::Result<(), Box<dyn std::error::Error>>;\n");
    for (index, (_, text)) in programs.iter().enumerate() {
        let run = if text.contains("fn main()") {
            let call = if text.contains("fn main() {") { "main(); Ok(())" } else { "main().map_err(Into::into)" };
            format!("{text}\npub fn run() -> super::Result {{ {call} }}\n")
        } else {
            format!("pub fn run() -> super::Result {{\n{text}\n;Ok(())\n}}\n")
        };
        main += &format!("#[allow(unused, clippy::all)]\nmod block_{index} {{\n{run}}}\n");
    }
    main += "fn main() -> Result {\n";
    for (index, (location, _)) in programs.iter().enumerate() {
        main += &format!("    eprintln!(\"    {location}\");\n    block_{index}::run()?;\n");
    }
    main += "    Ok(())\n}\n";
    let write = || fs::create_dir_all(&project).and_then(|()| fs::write(project.join("main.rs"), main));
    write().map_err(|error| format!("{}: {error}", project.display()))?;
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition=2024", "-Copt-level=1", "main.rs", "-o", "main"]).current_dir(&project);
    for (name, file) in libraries()? {
        rustc.arg("--extern").arg(format!("{name}={}", file.display()));
        rustc.arg("-L").arg(format!("dependency={}", file.parent().unwrap_or(&file).display()));
    }
    let result = program::succeed(&mut rustc).and_then(|()| program::succeed(&mut Command::new(project.join("main"))));
    result.map_err(|error| format!("a Rust block fails ({error}); see {}", project.join("main.rs").display()))
}

/// The libraries that the blocks use, as built for the tests.
fn libraries() -> Result<Vec<(String, PathBuf)>, String> {
    let mut cargo = program::workspace("test --quiet", "--no-run --test program --message-format json");
    let output = cargo.stderr(Stdio::inherit()).output().map_err(|error| format!("cargo does not start: {error}"))?;
    let artifacts = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .collect::<Vec<_>>();
    let find = |name: &str| {
        let built = artifacts
            .iter()
            .find(|artifact| artifact["target"]["name"] == name && artifact["target"]["kind"][0] == "lib")?;
        let files = built["filenames"].as_array()?.iter().filter_map(|file| file.as_str()).map(PathBuf::from);
        files.into_iter().find(|file| file.extension().is_some_and(|extension| extension == "rlib"))
    };
    ["emtee", "emtee_games", "emtee_mcts"]
        .into_iter()
        .map(|name| Ok((name.to_owned(), find(name).ok_or_else(|| format!("cargo has not built the library {name}"))?)))
        .collect()
}

/// The state while a page is tested.
struct Session<'s> {
    /// The current folder of the shell.
    folder: PathBuf,
    program: &'s Path,
    page: &'s str,
    long: bool,
    count: usize,
}

impl Session<'_> {
    fn block(&mut self, block: &Block) -> Result<(), String> {
        let location = format!("{}, line {}", self.page, block.line);
        match &block.kind {
            Kind::File(edit) => edit.apply(&self.folder, &block.text).map_err(|error| format!("{location}: {error}")),
            Kind::Commands if block.long == self.long => {
                let commands = block.commands();
                for (command, expected) in &commands {
                    self.command(command, expected.as_deref(), block, &location)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn command(&mut self, line: &str, expected: Option<&str>, block: &Block, location: &str) -> Result<(), String> {
        let started = Instant::now();
        let (output, code) = self.shell(line, block.stays)?;
        let took = started.elapsed();
        say(&format!("{:>7.1} s  {location}: {line}", took.as_secs_f64()));
        self.count += 1;
        let context = format!("{location}: $ {line}");
        match (block.fails, code) {
            (false, Some(0)) | (true, Some(1..)) => {}
            _ if block.stays => {}
            _ => return Err(format!("{context}\n{output}\nended with {code:?}")),
        }
        if let Some(expected) = expected
            && let Err(difference) = compare::matches(expected, &output)
        {
            return Err(format!("{context}\n{difference}\nThe complete output:\n{output}"));
        }
        if took > MAX_TIME && !block.long && !line.starts_with("cargo") && !line.contains("cargo") {
            return Err(format!("{context}\ntook {} s: mark the block as long", took.as_secs()));
        }
        Ok(())
    }

    /// Runs a line in a shell and keeps its current folder for the next line.
    fn shell(&mut self, line: &str, stays: bool) -> Result<(String, Option<i32>), String> {
        let book = target().join("book");
        fs::create_dir_all(&book).map_err(|error| error.to_string())?;
        let current = book.join("cwd");
        // The same versions of dependencies as in the workspace.
        if self.folder.join("Cargo.toml").exists() && !self.folder.join("Cargo.lock").exists() {
            fs::copy(root().join("Cargo.lock"), self.folder.join("Cargo.lock")).map_err(|error| error.to_string())?;
        }
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(self.program.to_path_buf()).chain(std::env::split_paths(&paths));
        let path = std::env::join_paths(all).map_err(|error| error.to_string())?;
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{{ {line}\n}} 2>&1; code=$?; pwd > '{}'; exit $code", current.display()));
        shell.current_dir(&self.folder).env("PATH", path).env("COLUMNS", "80").env("NO_COLOR", "1");
        shell.env("CARGO_TARGET_DIR", book.join("target")).env("CARGO_INSTALL_ROOT", book.join("installed"));
        shell.env("EMTEE_DATA", book.join("data")).env("CARGO_TERM_QUIET", "true");
        // Fast builds of the tutorials: node counts are the same, and times are not compared.
        shell.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
        shell.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
        shell.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = shell.spawn().map_err(|error| format!("sh does not start: {error}"))?;
        if stays {
            std::thread::sleep(STAY_TIME);
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                return Err(format!("'{line}' ended without being stopped: {status}"));
            }
            stop(&child);
        }
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        if let Ok(folder) = fs::read_to_string(&current) {
            self.folder = PathBuf::from(folder.trim_end());
        }
        Ok((String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code()))
    }
}

/// Stops the processes that a shell has started, and then the shell.
fn stop(shell: &std::process::Child) {
    let id = shell.id().to_string();
    let _ = Command::new("pkill").args(["-INT", "-P", &id]).status();
    std::thread::sleep(Duration::from_millis(200));
    let _ = Command::new("kill").arg(&id).status();
}
