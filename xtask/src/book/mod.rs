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
//! * `long` behind any of them: it takes over 20 seconds, and belongs to `cargo xtask book long`.
//! * `fails`: the commands are expected to be refused. `stays`: they run until they are stopped.
//!
//! Pages work in a folder of their own in which the repository seems to lie. `emtee` is the program as it is now.

mod blocks;
mod compare;
mod edit;
mod pages;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{program, root, say, target};
use blocks::{Block, Kind};

/// What takes longer is for the long run.
const SHORT: Duration = Duration::from_secs(20);

/// How long a command is watched that would never end.
const WATCHED: Duration = Duration::from_secs(3);

pub(crate) fn run(arguments: &[OsString]) -> Result<(), String> {
    let words: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
    let long = words.first().is_some_and(|word| word == "long");
    let only: Vec<&str> = words.iter().skip(usize::from(long)).map(|word| &**word).collect();
    let pages = pages::all()?;
    pages::check(&pages)?;
    if let Some(unknown) = only.iter().find(|name| !pages.iter().any(|page| page.name == **name)) {
        let names: Vec<&str> = pages.iter().map(|page| page.name.as_str()).collect();
        return Err(format!("there is no page '{unknown}'; choose of {}", names.join(", ")));
    }
    let wanted = |name: &str| only.is_empty() || only.contains(&name);
    let chosen: Vec<&pages::Page> = pages.iter().filter(|page| wanted(&page.name)).collect();
    let folder = workplace();
    let program = program::build("test")?;
    let program = program.parent().ok_or("the program lies nowhere")?;
    let (mut count, began) = (0, Instant::now());
    let programs: Vec<(String, String)> = chosen.iter().flat_map(|page| programs(page)).collect();
    if !long && !programs.is_empty() {
        say(&format!("{} Rust blocks", programs.len()));
        run_programs(&folder, &programs)?;
    }
    for page in chosen {
        let place = prepare(&folder, &page.name)?;
        let mut session = Session { place: place.clone(), program, page: &page.name, long, count: 0 };
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

/// A fresh folder for a page, in which the repository lies as `emtee`. README is read inside of the repository, so there its files
/// are at hand.
fn prepare(folder: &Path, page: &str) -> Result<PathBuf, String> {
    let error = |error: std::io::Error| format!("cannot prepare {}: {error}", folder.display());
    let place = folder.join(page);
    if place.exists() {
        fs::remove_dir_all(&place).map_err(error)?;
    }
    fs::create_dir_all(&place).map_err(error)?;
    symlink(root(), &place.join("emtee")).map_err(error)?;
    if page == "README" {
        for entry in fs::read_dir(root()).map_err(error)? {
            let entry = entry.map_err(error)?;
            let name = entry.file_name();
            if !["target", ".git"].iter().any(|left_out| name == *left_out) {
                symlink(&entry.path(), &place.join(&name)).map_err(error)?;
            }
        }
    }
    Ok(place)
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
    let crates = ["emtee", "emtee-games"];
    let paths = crates.map(|name| format!("{name} = {{ path = {:?} }}\n", root().join("crates").join(name)));
    let manifest = format!(
        "[package]\nname = \"blocks\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{}\n\
         [profile.dev]\nopt-level = 1\n\n[workspace]\n",
        paths.concat()
    );
    let write = |name: &str, text: &str| {
        let path = project.join(name);
        let folder = path.parent().unwrap_or(&path);
        fs::create_dir_all(folder).and_then(|()| fs::write(&path, text)).map_err(|error| format!("{name}: {error}"))
    };
    write("src/main.rs", &main)?;
    write("Cargo.toml", &manifest)?;
    fs::copy(root().join("Cargo.lock"), project.join("Cargo.lock")).map_err(|error| format!("Cargo.lock: {error}"))?;
    let mut cargo = Command::new(program::cargo());
    cargo.args(["run", "--quiet"]).current_dir(&project).env("CARGO_TARGET_DIR", target().join("book/target"));
    let status = cargo.status().map_err(|error| error.to_string())?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("a Rust block fails; see {}", project.join("src/main.rs").display()))
    }
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
