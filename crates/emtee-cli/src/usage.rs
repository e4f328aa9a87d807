//! The command line as its users meet it: help that knows their games, and one line for each mistake.

use std::error::Error;
use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ErrorKind};
use clap::{Command, CommandFactory};
use emtee::Algorithm;
use emtee_engine::{Registry, near};

use crate::args::Args;
use crate::commands::compare::BEST_KNOWN;
use crate::failure::Failure;

/// What the program is called: in a program of your own, as you called it.
pub(crate) fn name(arguments: &[OsString]) -> String {
    let stem = arguments.first().and_then(|path| Path::new(path).file_stem());
    match stem.map(|stem| stem.to_string_lossy().into_owned()) {
        Some(stem) if !stem.is_empty() => stem,
        _ => String::from(OURS),
    }
}

/// What it is called in the text of its help.
const OURS: &str = "emtee";

/// Commands that are not in every build, and the feature that brings each.
const LEFT_OUT: [(&str, &str); 4] = [("reproduce", "lab"), ("experiment", "lab"), ("merge", "lab"), ("serve", "web")];

/// The command line of a program of this name, with the games there are in its help.
pub(crate) fn command(registry: &Registry, name: &str) -> Command {
    let names: Vec<&str> = registry.names().collect();
    let names = names.join(", ");
    let mut positions = String::from("The games, and how the start of each is written:");
    for game in registry.iter() {
        positions += &format!("\n  {:<10} {}", game.name(), game.start().text());
    }
    let algorithms = Algorithm::ALL.map(Algorithm::name);
    let algorithms = algorithms.chunks(6).map(|some| some.join(" ")).collect::<Vec<_>>().join("\n  ");
    let algorithms = format!("The algorithms:\n  {algorithms}");
    let figures = figures();
    let compared = format!("Those compared by default:\n  {}", BEST_KNOWN.replace(',', " "));

    let mut all = Args::command().display_name(name).bin_name(name);
    let takes_game = |command: &Command| command.get_arguments().any(|arg| arg.get_id() == "game");
    let about_games = all.get_subcommands().filter(|command| takes_game(command));
    let about_games: Vec<String> = about_games.map(|command| command.get_name().to_owned()).collect();
    let examples = |after: &str| examples(after, registry, name, &about_games);
    if name != OURS {
        // The version is ours, not that of the user's program.
        all = all.version(concat!("(emtee ", env!("CARGO_PKG_VERSION"), ")"));
    }
    let after = all.get_after_help().map(|after| examples(&after.to_string())).unwrap_or_default();
    all.after_help(after).mut_subcommands(|command| {
        let has = |name: &str| command.get_arguments().any(|arg| arg.get_id() == name);
        let (game, position) = (has("game"), has("position"));
        let (searches, compares) = (has("algorithm") || has("algorithms"), has("algorithms"));
        let mut after = command.get_after_help().map(|after| examples(&after.to_string())).unwrap_or_default();
        for (wanted, text) in
            [(has("figures"), &figures), (searches, &algorithms), (compares, &compared), (position, &positions)]
        {
            if wanted {
                after += &format!("\n\n{text}");
            }
        }
        let command = command.after_help(after).mut_args(|arg| {
            // A number below zero is a number, and what is wrong with it is said by whoever reads it.
            if arg.get_action().takes_values() && !arg.is_positional() { arg.allow_negative_numbers(true) } else { arg }
        });
        if !game {
            return command;
        }
        command.mut_arg("game", |arg| {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            arg.help(format!("{help}: {names}"))
        })
    })
}

/// The examples of a help text, for a program of this name with these games; `about_games` are the commands that take one. An
/// example about a game it does not have is about its own first game instead, or left out if it says more than that.
fn examples(after: &str, registry: &Registry, name: &str, about_games: &[String]) -> String {
    let example = |line: &str| {
        let Some(example) = line.strip_prefix(&format!("  {OURS} ")) else { return Some(line.to_owned()) };
        let mut words = example.split(' ');
        let game = words.next().filter(|command| about_games.iter().any(|other| other == command)).and(words.next());
        let absent = game.filter(|game| !game.starts_with('-') && !registry.names().any(|name| name == *game));
        let example = match absent.zip(registry.names().next()) {
            Some(_) if example.contains(['"', '\'']) || example.contains("--position") => return None,
            Some((absent, own)) => example.replacen(absent, own, 1),
            None => example.to_owned(),
        };
        Some(format!("  {name} {example}"))
    };
    after.lines().filter_map(example).collect::<Vec<_>>().join("\n")
}

#[cfg(feature = "lab")]
fn figures() -> String {
    let figures = emtee_lab::Study::ALL.map(emtee_lab::Study::name);
    // Those of the paper and the first others in a line, the rest in another.
    let (first, rest) = figures.split_at(10);
    format!("The figures, those of the paper by their numbers:\n  {}\n  {}", first.join(" "), rest.join(" "))
}

/// No command has figures then.
#[cfg(not(feature = "lab"))]
fn figures() -> String {
    String::new()
}

/// What is wrong with these arguments, in one line.
pub(crate) fn refuse(error: &clap::Error, command: &Command, arguments: &[OsString]) -> Failure {
    let context = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let chosen = arguments.iter().skip(1).find_map(|argument| command.find_subcommand(argument));
    let program = command.get_bin_name().unwrap_or(OURS);
    let help = match chosen {
        Some(chosen) => format!("try '{program} {} --help'", chosen.get_name()),
        None => format!("try '{program} --help'"),
    };
    match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            Failure::bad(format!("no command was given; {help}"))
        }
        ErrorKind::InvalidSubcommand => {
            let name = context(ContextKind::InvalidSubcommand);
            if let Some((_, feature)) = LEFT_OUT.iter().find(|(command, _)| *command == name) {
                return Failure::bad(format!(
                    "this program was built without '{name}'; build it with the feature '{feature}' of emtee-cli"
                ));
            }
            match near(&name, command.get_subcommands().map(Command::get_name)) {
                Some(near) => Failure::bad(format!("there is no command '{name}'; did you mean '{near}'? Or {help}")),
                None => Failure::bad(format!("there is no command '{name}'; {help}")),
            }
        }
        ErrorKind::UnknownArgument => {
            let name = context(ContextKind::InvalidArg);
            let arguments = chosen.unwrap_or(command).get_arguments();
            let options: Vec<&str> = arguments.filter_map(|arg| arg.get_long()).chain(["json"]).collect();
            let option = name.strip_prefix("--");
            match option.and_then(|option| near(option, options.iter().copied())) {
                Some(near) => Failure::bad(format!("there is no option '{name}'; did you mean '--{near}'? Or {help}")),
                None if option.is_some() => Failure::bad(format!("there is no option '{name}'; {help}")),
                None if name.parse::<u8>().is_ok() && options.contains(&"depth") => {
                    Failure::bad(format!("'{name}' is not expected here; did you mean '--depth {name}'? Or {help}"))
                }
                None => Failure::bad(format!("'{name}' is not expected here; {help}")),
            }
        }
        ErrorKind::MissingRequiredArgument => {
            Failure::bad(format!("{} is missing; {help}", context(ContextKind::InvalidArg)))
        }
        ErrorKind::ValueValidation => {
            let (option, value) = (context(ContextKind::InvalidArg), context(ContextKind::InvalidValue));
            let option = option.split(' ').next().unwrap_or_default();
            let why = error.source().map(ToString::to_string).unwrap_or_default();
            // Most reasons quote the value themselves.
            if why.contains(&format!("'{value}'")) {
                Failure::bad(format!("{option}: {why}"))
            } else {
                Failure::bad(format!("{option} '{value}': {why}"))
            }
        }
        _ => {
            // The message, without the usage that follows.
            let text = error.render().to_string();
            let text = text.split("\n\nUsage:").next().unwrap_or_default();
            let text = text.split("\n\nFor more information").next().unwrap_or_default();
            Failure::bad(text.trim_start_matches("error:").trim())
        }
    }
}
