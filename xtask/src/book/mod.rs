//! README and the book: every command in them is run, every Rust block compiled and run, and what they show compared.
//!
//! A fenced block is told by its first word, and by more words after it:
//!
//! * `console`: lines that begin with `$` are commands, what follows is what they print. A line `…` stands for any lines, `…`
//!   within a line for any text. Times are not compared, nor how wide columns are.
//! * `sh`: every line is a command.
//! * `rust` or `toml` whose first line is a comment with the name of a file is that file. `// src/dots.rs: into impl Game`
//!   puts the rest at the end of a block of that file, `// src/dots.rs: instead of fn evaluate` in its place.
//! * any other `rust` block is a program of its own, or the body of one.
//! * `long` behind any of them: it takes over 20 seconds, and belongs to `cargo xtask book --long`.
//! * `fails`: the commands are expected to be refused. `stays`: they run until they are stopped.
//!
//! The pages share a folder in which the repository seems to lie, so that what several tutorials need is compiled once; README has one
//! of its own. `emtee` is the program as it is now.

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

/// What takes longer is for the long run.
const SHORT: Duration = Duration::from_secs(20);

/// How long a command is watched that would never end.
const WATCHED: Duration = Duration::from_secs(3);

/// Works through the pages, or those that are named: what is marked as long, or everything else.
pub(crate) fn run(long: bool, only: &[String]) -> Result<(), String> {
    let pages = pages::all()?;
    pages::check(&pages)?;
    if let Some(unknown) = only.iter().find(|name| !pages.iter().any(|page| page.name == **name)) {
        let names: Vec<&str> = pages.iter().map(|page| page.name.as_str()).collect();
        return Err(format!("there is no page '{unknown}'; choose of {}", names.join(", ")));
    }
    let wanted = |name: &String| only.is_empty() || only.contains(name);
    let chosen: Vec<&pages::Page> = pages.iter().filter(|page| wanted(&page.name)).collect();
    let folder = workplace();
    prepare(&folder)?;
    let program = program::build(Profile::Test)?;
    let program = program.parent().ok_or("the program lies nowhere")?;
    let (mut count, began) = (0, Instant::now());
    let programs: Vec<(String, String)> = chosen.iter().flat_map(|page| programs(page)).collect();
    if !long && !programs.is_empty() {
        say(&format!("{} Rust blocks", programs.len()));
        run_programs(&folder, &programs)?;
    }
    for page in chosen {
        let place = if page.name == "README" { folder.join("README") } else { folder.clone() };
        let mut session = Session { place, program, page: &page.name, long, count: 0 };
        for block in &page.blocks {
            session.block(block)?;
        }
        count += session.count;
    }
    let what = if long { "long commands" } else { "commands" };
    say(&format!("{count} {what} did what the pages say, in {:.0} s", began.elapsed().as_secs_f64()));
    Ok(())
}

/// Where pages are worked through: outside of the repository, since cargo looks for a workspace above. One for each clone.
fn workplace() -> PathBuf {
    let clone: String = root().to_string_lossy().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    std::env::temp_dir().join(format!("emtee-book{clone}"))
}

/// A fresh folder for the pages, in which the repository lies as `emtee`, and one for README, which is read inside of the repository:
/// there its files are at hand.
fn prepare(folder: &Path) -> Result<(), String> {
    let error = |error: std::io::Error| format!("cannot prepare {}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(error)?;
    }
    let readme = folder.join("README");
    fs::create_dir_all(&readme).map_err(error)?;
    for place in [folder, &readme] {
        symlink(root(), &place.join("emtee")).map_err(error)?;
    }
    for entry in fs::read_dir(root()).map_err(error)? {
        let entry = entry.map_err(error)?;
        let name = entry.file_name();
        if !["target", ".git"].iter().any(|left_out| name == *left_out) {
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

/// The Rust blocks of a page that stand for themselves, with where they stand.
fn programs(page: &pages::Page) -> Vec<(String, String)> {
    let rust = page.blocks.iter().filter(|block| matches!(block.kind, Kind::Program));
    rust.map(|block| (format!("{}, line {}", page.name, block.line), block.text.clone())).collect()
}

/// Compiles all programs as one, and runs one after the other.
fn run_programs(folder: &Path, programs: &[(String, String)]) -> Result<(), String> {
    let project = folder.join("blocks");
    let mut main = String::from("type Result = std::result::Result<(), Box<dyn std::error::Error>>;\n");
    for (at, (_, text)) in programs.iter().enumerate() {
        let run = if text.contains("fn main()") {
            let ends = if text.contains("fn main() {") { "main(); Ok(())" } else { "main().map_err(Into::into)" };
            format!("{text}\npub fn run() -> super::Result {{ {ends} }}\n")
        } else {
            format!("pub fn run() -> super::Result {{\n{text}\n;Ok(())\n}}\n")
        };
        main += &format!("#[allow(unused, clippy::all)]\nmod block_{at} {{\n{run}}}\n");
    }
    main += "fn main() -> Result {\n";
    for (at, (place, _)) in programs.iter().enumerate() {
        main += &format!("    eprintln!(\"    {place}\");\n    block_{at}::run()?;\n");
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
    let run = program::succeed(&mut rustc).and_then(|()| program::succeed(&mut Command::new(project.join("main"))));
    run.map_err(|why| format!("a Rust block fails ({why}); see {}", project.join("main.rs").display()))
}

/// The libraries that the blocks use, as the tests have them.
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
        files.into_iter().find(|file| file.extension().is_some_and(|ending| ending == "rlib"))
    };
    ["emtee", "emtee_games"]
        .into_iter()
        .map(|name| Ok((name.to_owned(), find(name).ok_or_else(|| format!("cargo names no library {name}"))?)))
        .collect()
}

/// A page that is worked through.
struct Session<'s> {
    place: PathBuf,
    program: &'s Path,
    page: &'s str,
    long: bool,
    count: usize,
}

impl Session<'_> {
    fn block(&mut self, block: &Block) -> Result<(), String> {
        let place = format!("{}, line {}", self.page, block.line);
        match &block.kind {
            Kind::File(edit) => edit.apply(&self.place, &block.text).map_err(|why| format!("{place}: {why}")),
            Kind::Commands if block.long == self.long => {
                let commands = block.commands();
                for (command, expected) in &commands {
                    self.command(command, expected.as_deref(), block, &place)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn command(&mut self, line: &str, expected: Option<&str>, block: &Block, place: &str) -> Result<(), String> {
        let began = Instant::now();
        let (output, code) = self.shell(line, block.stays)?;
        let took = began.elapsed();
        say(&format!("{:>7.1} s  {place}: {line}", took.as_secs_f64()));
        self.count += 1;
        let told = format!("{place}: $ {line}");
        match (block.fails, code) {
            (false, Some(0)) | (true, Some(1..)) => {}
            _ if block.stays => {}
            _ => return Err(format!("{told}\n{output}\nended with {code:?}")),
        }
        if let Some(expected) = expected
            && let Err(why) = compare::matches(expected, &output)
        {
            return Err(format!("{told}\n{why}\nThe whole output:\n{output}"));
        }
        if took > SHORT && !block.long && !line.starts_with("cargo") && !line.contains("cargo") {
            return Err(format!("{told}\ntook {} s: mark the block as long", took.as_secs()));
        }
        Ok(())
    }

    /// Runs a line in a shell, and stays where it went.
    fn shell(&mut self, line: &str, stays: bool) -> Result<(String, Option<i32>), String> {
        let book = target().join("book");
        fs::create_dir_all(&book).map_err(|error| error.to_string())?;
        let home = book.join("cwd");
        // The versions that everything else is tested with.
        if self.place.join("Cargo.toml").exists() && !self.place.join("Cargo.lock").exists() {
            fs::copy(root().join("Cargo.lock"), self.place.join("Cargo.lock")).map_err(|error| error.to_string())?;
        }
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(self.program.to_path_buf()).chain(std::env::split_paths(&paths));
        let path = std::env::join_paths(all).map_err(|error| error.to_string())?;
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{{ {line}\n}} 2>&1; code=$?; pwd > '{}'; exit $code", home.display()));
        shell.current_dir(&self.place).env("PATH", path).env("COLUMNS", "80").env("NO_COLOR", "1");
        shell.env("CARGO_TARGET_DIR", book.join("target")).env("CARGO_INSTALL_ROOT", book.join("installed"));
        shell.env("EMTEE_DATA", book.join("data")).env("CARGO_TERM_QUIET", "true");
        // What the tutorials build is built quickly: nodes are the same, and times are not compared.
        shell.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
        shell.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
        shell.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = shell.spawn().map_err(|error| format!("sh does not start: {error}"))?;
        if stays {
            std::thread::sleep(WATCHED);
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                return Err(format!("'{line}' ended by itself: {status}"));
            }
            stop(&child);
        }
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        if let Ok(folder) = fs::read_to_string(&home) {
            self.place = PathBuf::from(folder.trim_end());
        }
        Ok((String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code()))
    }
}

/// Ends what a shell has started, and then the shell.
fn stop(shell: &std::process::Child) {
    let id = shell.id().to_string();
    let _ = Command::new("pkill").args(["-INT", "-P", &id]).status();
    std::thread::sleep(Duration::from_millis(200));
    let _ = Command::new("kill").arg(&id).status();
}
