//! The long tasks, most of them examples of emtee-games: checks on collections of games, training, matches, measurements.

use std::ffi::OsString;
use std::path::Path;

use crate::runner::Step;

/// A task with a name of two words.
pub(crate) struct Long {
    pub(crate) words: [&'static str; 2],
    /// Its arguments. Capitalised words outside brackets are required paths.
    pub(crate) takes: &'static str,
    pub(crate) about: &'static str,
    /// The arguments of cargo.
    runs: &'static str,
}

/// All long tasks in the order of the list.
pub(crate) const LONG: &[Long] = &[
    Long {
        words: ["check", "agreement"],
        takes: "",
        about: "check that all algorithms find the same values on the paper's positions, at every depth",
        runs: "test --release -p emtee-games --test games agreement -- --ignored --nocapture",
    },
    Long {
        words: ["check", "protocols"],
        takes: "",
        about: "check that engines survive a million random lines per protocol",
        runs: "test --release -p emtee-engine --test engine protocol_fuzz -- --ignored --nocapture",
    },
    Long {
        words: ["check", "perft"],
        takes: "[MOST] [FILE]",
        about: "check perft counts of the three games up to MOST nodes, and those in a FILE for checkers",
        runs: "run --release -p emtee-games --example check_perft --",
    },
    Long {
        words: ["check", "wthor"],
        takes: "DIR",
        about: "replay the Othello games in a folder of .wtb files and compare the final scores",
        runs: "run --release -p emtee-games --example check_wthor --",
    },
    Long {
        words: ["check", "pdn"],
        takes: "FILE…",
        about: "replay the checkers games of PDN files, write them and read them again",
        runs: "run --release -p emtee-games --example check_pdn --",
    },
    Long {
        words: ["train", "othello"],
        takes: "GAMES OUT [POSITIONS…]",
        about: "train the pattern evaluation on a folder of .wtb files, or none, and on files of `emtee datagen`; write its weights",
        runs: "run --release -p emtee-games --example train_othello --",
    },
    Long {
        words: ["train", "checkers"],
        takes: "DIR OUT",
        about: "tune the evaluation on a folder of PDN files; write its weights as Rust code",
        runs: "run --release -p emtee-games --example tune_checkers --",
    },
    Long {
        words: ["train", "chess"],
        takes: "[--games N,N] [--depth N] [--seed N] [--epochs N] [--threads N] [--write OUT]",
        about: "tune the evaluation on self-play games",
        runs: "run --release -p emtee-games --example tune_chess --",
    },
    Long {
        words: ["sample", "othello"],
        takes: "DIR OUT",
        about: "sample positions for experiments from games in a folder of .wtb files that were not used for training",
        runs: "run --release -p emtee-games --example sample_positions -- othello",
    },
    Long {
        words: ["sample", "checkers"],
        takes: "DIR OUT",
        about: "sample positions from a folder of PDN files",
        runs: "run --release -p emtee-games --example sample_positions -- checkers",
    },
    Long {
        words: ["sample", "chess"],
        takes: "[judging] OUT",
        about: "sample positions from self-play games: the sets tune and held-out, or judging",
        runs: "run --release -p emtee-games --example sample_positions -- chess",
    },
    Long {
        words: ["check", "results"],
        takes: "",
        about: "search a random 5 % of the committed rows of the main comparison again, and compare them to the node",
        runs: "test --release -p emtee-lab --lib -- --ignored --nocapture five_percent",
    },
    Long {
        words: ["match", "chess"],
        takes: "[--pairs N] [--depth N] [--seed N] [--threads N] [--against plain|handwritten|fine|WEIGHTS]",
        about: "play the tuned evaluation against material and piece-square tables, at equal depth",
        runs: "run --release -p emtee-games --example match_chess --",
    },
    Long {
        words: ["match", "search"],
        takes: "[--first CONFIG] [--second CONFIG|each] [--pairs N] [--ms N | --nodes N] [--hash SIZE] [--seed N] [--threads N]",
        about: "play two search configurations in chess, such as mtd-f:all and mtd-f:all,-null-move, in paired games at equal time",
        runs: "run --release -p emtee-games --example match_search --",
    },
    Long {
        words: ["match", "othello"],
        takes: "[--pairs N] [--depth N] [--against plain|WEIGHTS] | [--first CONFIG] [--second CONFIG] [--nodes N]",
        about: "play the trained evaluation against mobility and corners, or two search configurations against each other",
        runs: "run --release -p emtee-games --example match_othello --",
    },
    Long {
        words: ["match", "checkers"],
        takes: "[--pairs N] [--depth N] [--seed N]",
        about: "play the tuned evaluation against material",
        runs: "run --release -p emtee-games --example match_checkers --",
    },
    Long {
        words: ["match", "checkers-search"],
        takes: "[--first CONFIG] [--second CONFIG] [--pairs N] [--nodes N] [--seed N] [--plies N] [--endings FILE]",
        about: "play two search configurations against each other, with or without endings databases",
        runs: "run --release -p emtee-games --example match_checkers_search --",
    },
    Long {
        words: ["measure", "ffo"],
        takes: "FILE [FIRST LAST]",
        about: "solve the Othello endgames of the FFO test suite, 1 to 39 or FIRST to LAST",
        runs: "run --release -p emtee-games --example ffo --",
    },
    Long {
        words: ["measure", "probcut"],
        takes: "[--games DIR] [--positions N] [--depth N] [--seed N]",
        about: "measure how well shallow searches of Othello predict deep ones",
        runs: "run --release -p emtee-games --example measure_probcut --",
    },
    Long {
        words: ["measure", "drivers"],
        takes: "GAME FILE [DEPTH] [POSITIONS] [WINDOW]",
        about: "compare MTD-f with Aspiration NegaScout in selective search, with each switch alone and with all",
        runs: "run --release -p emtee-games --example measure_drivers --",
    },
    Long {
        words: ["measure", "speed"],
        takes: "[chess] [othello] [checkers]",
        about: "measure the speed of the three games as ratios to other programs",
        runs: "run --release -p emtee-games --example speed --",
    },
    Long {
        words: ["measure", "evaluations"],
        takes: "GAME FILE [OUT]",
        about: "measure how well evaluations of chess and checkers predict the results in a FILE of datagen; write OUT for the trainer",
        runs: "run --release -p emtee-games --example measure_evaluations --",
    },
    Long {
        words: ["measure", "parts"],
        takes: "",
        about: "measure the nanoseconds of Othello's basic operations",
        runs: "run --release -p emtee-games --example parts_othello --",
    },
];

/// The step for a task and its arguments.
pub(crate) fn step(words: &[OsString]) -> Result<Step, String> {
    let (word, rest) = words.split_first().ok_or("name a task")?;
    let word = &*word.to_string_lossy();
    if !LONG.iter().any(|long| long.words[0] == word) {
        return Err(format!("there is no task '{word}'; cargo xtask --help lists them"));
    }
    let second = rest.first().map(|second| second.to_string_lossy()).unwrap_or_default();
    let Some(long) = LONG.iter().find(|long| long.words == [word, &second]) else {
        let known: Vec<&str> = LONG.iter().filter(|long| long.words[0] == word).map(|long| long.words[1]).collect();
        return Err(format!("'{word}' must be followed by one of {}", known.join(", ")));
    };
    let arguments = &rest[1..];
    let mut step = Step::cargo(long.about, long.runs);
    let required: Vec<&str> =
        long.takes.split(' ').take_while(|name| name.starts_with(|c: char| c.is_ascii_uppercase())).collect();
    if arguments.len() < required.len() {
        return Err(format!("{} is missing: cargo xtask {word} {second} {}", required[arguments.len()], long.takes));
    }
    if long.takes.is_empty() && !arguments.is_empty() {
        return Err(format!("{word} {second} takes no arguments, found '{}'", arguments[0].display()));
    }
    let takes_several = required.last().is_some_and(|name| name.ends_with('…'));
    for (index, argument) in arguments.iter().enumerate() {
        let path = Path::new(argument);
        let name = required.get(index).copied().or(takes_several.then_some("FILE"));
        if name.is_some_and(|name| name.starts_with("DIR")) && !path.is_dir() {
            return Err(format!("there is no folder '{}'", path.display()));
        }
        if name.is_some_and(|name| name.starts_with("FILE")) && !path.is_file() {
            return Err(format!("there is no file '{}'", path.display()));
        }
        // Cargo runs in the root of the workspace, not in the current folder.
        let is_path = name.is_some() || path.is_file() || (index > 0 && arguments[index - 1] == "--write");
        let absolute = std::path::absolute(path).ok().filter(|_| is_path);
        step.arguments.push(absolute.map_or_else(|| argument.clone(), Into::into));
    }
    Ok(step)
}

/// The list of the long tasks for `--help`.
pub(crate) fn listed() -> String {
    let line = |long: &Long| {
        let [word, second] = long.words;
        format!("\ncargo xtask {word} {second} {}\n    {}", long.takes, long.about).replace(" \n", "\n")
    };
    LONG.iter()
        .map(line)
        .fold(String::from("Tasks that take minutes, or need files that are not part of the project:"), |a, b| a + &b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(line: &str, message: &str) {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        assert_eq!(step(&words).err().as_deref(), Some(message));
    }

    #[test]
    fn errors_name_what_is_wrong() {
        refused("chek", "there is no task 'chek'; cargo xtask --help lists them");
        refused("check", "'check' must be followed by one of agreement, protocols, perft, wthor, pdn, results");
        refused(
            "check everything",
            "'check' must be followed by one of agreement, protocols, perft, wthor, pdn, results",
        );
        refused("check agreement now", "check agreement takes no arguments, found 'now'");
        refused("check wthor", "DIR is missing: cargo xtask check wthor DIR");
        refused("check wthor nowhere", "there is no folder 'nowhere'");
        refused("check pdn Cargo.toml nothing", "there is no file 'nothing'");
        refused("train othello src", "OUT is missing: cargo xtask train othello GAMES OUT [POSITIONS…]");
        refused("measure ffo nothing 40 44", "there is no file 'nothing'");
    }

    #[test]
    fn paths_are_made_absolute() {
        let step = step(&["check".into(), "pdn".into(), "Cargo.toml".into()]).unwrap_or_else(|error| panic!("{error}"));
        let file = std::path::absolute("Cargo.toml").unwrap();
        assert_eq!(step.arguments.last(), Some(&file.into_os_string()));
        assert_eq!(step.arguments[0], "run");
    }

    #[test]
    fn all_are_listed() {
        let listed = listed();
        assert_eq!(listed.matches("cargo xtask ").count(), LONG.len());
        assert!(listed.contains("\ncargo xtask check agreement\n    check that all algorithms"));
    }
}
