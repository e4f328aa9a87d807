//! `emtee completions` and `emtee man`: shell completions and manual pages.

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Command};
use clap_complete::Shell;

use crate::failure::Failure;
use crate::output::{Output, counted};

/// Print shell completions
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee completions bash > ~/.local/share/bash-completion/completions/emtee\n  emtee completions zsh > ~/.zfunc/_emtee\n  emtee completions fish > ~/.config/fish/completions/emtee.fish"
)]
pub(crate) struct CompletionsArgs {
    /// Shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}

/// Print the manual page, or write one page per command
#[derive(ClapArgs)]
#[command(after_help = "Examples:\n  emtee man | man -l -\n  emtee man --out ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// Folder for one page per command
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

pub(crate) fn completions(command: &Command, args: &CompletionsArgs, output: &mut Output) -> Result<(), Failure> {
    no_json(output, "completions")?;
    let mut command = command.clone();
    let name = command.get_bin_name().unwrap_or("emtee").to_owned();
    let mut bytes = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut bytes);
    output.line(String::from_utf8_lossy(&bytes).trim_end())
}

pub(crate) fn man(command: &Command, args: &ManArgs, output: &mut Output) -> Result<(), Failure> {
    no_json(output, "man")?;
    let name = command.get_bin_name().unwrap_or("emtee").to_owned();
    let mut command = command.clone();
    command.build();
    let Some(folder) = &args.out else { return output.line(page(&command, &name)?.trim_end()) };
    std::fs::create_dir_all(folder).map_err(|error| cannot(folder, &error))?;
    let write = |name: &str, page: String| {
        let file = folder.join(format!("{name}.1"));
        std::fs::write(&file, page).map_err(|error| cannot(&file, &error))
    };
    write(&name, page(&command, &name)?)?;
    let mut pages = 1;
    for one in command.get_subcommands() {
        let name = format!("{name}-{}", one.get_name());
        write(&name, page(one, &name)?)?;
        pages += 1;
    }
    output.line(format!("{} in {}", counted(pages, "page", "pages"), folder.display()))
}

/// Renders the manual page of a command.
fn page(command: &Command, name: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    clap_mangen::Man::new(command.clone()).title(name.to_uppercase()).render(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn cannot(file: &Path, error: &std::io::Error) -> Failure {
    Failure::Failed(format!("cannot write {}: {error}", file.display()))
}

fn no_json(output: &Output, command: &str) -> Result<(), Failure> {
    if output.json() { Err(Failure::bad(format!("{command} has no JSON output; leave --json out"))) } else { Ok(()) }
}
