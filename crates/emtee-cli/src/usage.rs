//! Help texts with the games of the program, and one-line errors for wrong arguments.

use std::error::Error;
use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ErrorKind};
use clap::{Command, CommandFactory};
use emtee::Algorithm;
use emtee_engine::{Entry, Registry, near};

use crate::args::Args;
use crate::commands::compare::DEFAULT_ALGORITHMS;
use crate::failure::Failure;

/// The name of the program: the file name it was started with.
pub(crate) fn name(arguments: &[OsString]) -> String {
    let stem = arguments.first().and_then(|path| Path::new(path).file_stem());
    match stem.map(|stem| stem.to_string_lossy().into_owned()) {
        Some(stem) if !stem.is_empty() => stem,
        _ => String::from(EMTEE),
    }
}

/// The program name in the help texts of the source.
const EMTEE: &str = "emtee";

/// Optional commands, and the feature that includes each.
const OPTIONAL: [(&str, &str); 4] = [("reproduce", "lab"), ("experiment", "lab"), ("merge", "lab"), ("serve", "web")];

/// Whether a command supports a game.
type Supports = fn(&dyn Entry) -> bool;

/// Commands that support only some games. A program without such a game does not list them.
const SPECIAL: [(&str, Supports); 2] =
    [("tablebase", |game| game.has_endings()), ("datagen", |game| game.training_games().is_some())];

/// The command line of a program with this name; its help lists the games of the registry.
pub(crate) fn command(registry: &Registry, name: &str) -> Command {
    let names: Vec<&str> = registry.names().collect();
    let mut positions = String::from("Games, each with its start position:");
    for game in registry.iter() {
        positions += &format!("\n  {:<10} {}", game.name(), game.start().text());
    }
    let listed = |with_mcts: bool| {
        let all: Vec<&str> = Algorithm::named()
            .filter(|algorithm| with_mcts || *algorithm != Algorithm::Mcts)
            .map(Algorithm::name)
            .collect();
        format!("Algorithms:\n  {}", all.chunks(6).map(|some| some.join(" ")).collect::<Vec<_>>().join("\n  "))
    };
    let (algorithms, minimax_algorithms) = (listed(true), listed(false));
    let figures = figures();
    let compared = format!("Compared by default:\n  {}", DEFAULT_ALGORITHMS.replace(',', " "));

    let mut all = Args::command().display_name(name).bin_name(name);
    let takes_game = |command: &Command| command.get_arguments().any(|arg| arg.get_id() == "game");
    let game_commands = all.get_subcommands().filter(|command| takes_game(command));
    let game_commands: Vec<String> = game_commands.map(|command| command.get_name().to_owned()).collect();
    let examples = |after: &str| examples(after, registry, name, &game_commands);
    if name != EMTEE {
        // The version is that of emtee, not of the user's program.
        all = all.version(concat!("(emtee ", env!("CARGO_PKG_VERSION"), ")"));
    }
    let after = all.get_after_help().map(|after| examples(&after.to_string())).unwrap_or_default();
    all.after_help(after).mut_subcommands(|command| {
        let has = |name: &str| command.get_arguments().any(|arg| arg.get_id() == name);
        let (game, position) = (has("game"), has("position"));
        let compares = has("algorithms");
        // MCTS is not compared with minimax algorithms, and does not search explicit trees.
        let minimax = compares || command.get_name() == "tree";
        let searches = !minimax && has("algorithm");
        let mut after = command.get_after_help().map(|after| examples(&after.to_string())).unwrap_or_default();
        for (included, text) in [
            (has("figures"), &figures),
            (searches, &algorithms),
            (minimax, &minimax_algorithms),
            (compares, &compared),
            (position, &positions),
        ] {
            if included {
                after += &format!("\n\n{text}");
            }
        }
        let special = SPECIAL.iter().find(|(special, _)| *special == command.get_name());
        let supported: Vec<&str> = match special {
            Some((_, supports)) => registry.iter().filter(|game| supports(*game)).map(Entry::name).collect(),
            None => names.clone(),
        };
        let command = command.hide(special.is_some() && supported.is_empty()).after_help(after).mut_args(|arg| {
            // A negative number reaches the parser of the option, which reports the valid range.
            if arg.get_action().takes_values() && !arg.is_positional() { arg.allow_negative_numbers(true) } else { arg }
        });
        if !game {
            return command;
        }
        command.mut_arg("game", |arg| {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            arg.help(format!("{help}: {}", supported.join(", ")))
        })
    })
}

/// The examples of a help text for a program with this name and these games. `game_commands` are the commands that take a game.
/// In an example with an unknown game, the first game of the registry replaces it; if the example also contains a position or
/// a quoted argument, it is dropped.
fn examples(after: &str, registry: &Registry, name: &str, game_commands: &[String]) -> String {
    let example = |line: &str| {
        let Some(example) = line.strip_prefix(&format!("  {EMTEE} ")) else { return Some(line.to_owned()) };
        let mut words = example.split(' ');
        let game = words.next().filter(|command| game_commands.iter().any(|other| other == command)).and(words.next());
        let unknown = game.filter(|game| !game.starts_with('-') && !registry.names().any(|name| name == *game));
        let example = match unknown.zip(registry.names().next()) {
            Some(_) if example.contains(['"', '\'']) || example.contains("--position") => return None,
            Some((unknown, first)) => example.replacen(unknown, first, 1),
            None => example.to_owned(),
        };
        Some(format!("  {name} {example}"))
    };
    after.lines().filter_map(example).collect::<Vec<_>>().join("\n")
}

#[cfg(feature = "lab")]
fn figures() -> String {
    let figures = emtee_lab::FigureKind::ALL.map(emtee_lab::FigureKind::name);
    // The figures of the paper and the first others on one line, the rest on the next.
    let (first, rest) = figures.split_at(10);
    format!("Figures, those of the paper by number:\n  {}\n  {}", first.join(" "), rest.join(" "))
}

/// Without the lab no command has figures.
#[cfg(not(feature = "lab"))]
fn figures() -> String {
    String::new()
}

/// The one-line error for wrong arguments.
pub(crate) fn refuse(error: &clap::Error, command: &Command, arguments: &[OsString]) -> Failure {
    let context = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let chosen = arguments.iter().skip(1).find_map(|argument| command.find_subcommand(argument));
    let program = command.get_bin_name().unwrap_or(EMTEE);
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
            if let Some((_, feature)) = OPTIONAL.iter().find(|(command, _)| *command == name) {
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
            // Most reasons already quote the value.
            if why.contains(&format!("'{value}'")) {
                Failure::bad(format!("{option}: {why}"))
            } else {
                Failure::bad(format!("{option} '{value}': {why}"))
            }
        }
        _ => {
            // The message of clap without the usage that follows it.
            let text = error.render().to_string();
            let text = text.split("\n\nUsage:").next().unwrap_or_default();
            let text = text.split("\n\nFor more information").next().unwrap_or_default();
            Failure::bad(text.trim_start_matches("error:").trim())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn help(registry: &Registry, name: &str) -> Option<String> {
        let mut all = command(registry, EMTEE);
        let found = all.find_subcommand_mut(name).unwrap();
        (!found.is_hide_set()).then(|| found.render_help().to_string())
    }

    #[test]
    fn commands_that_no_game_supports_are_not_listed() {
        let small = Registry::default().with_small();
        for (name, _) in SPECIAL {
            assert_eq!(help(&small, name), None, "{name}");
        }
        assert!(help(&small, "search").is_some_and(|help| help.contains("kalah")));
        assert!(help(&Registry::default(), "search").is_some());
        let all = Registry::standard();
        assert!(help(&all, "datagen").unwrap().contains("Game: chess, othello, checkers\n"));
        assert!(help(&all, "tablebase").unwrap().contains("Game: checkers\n"));
    }
}
