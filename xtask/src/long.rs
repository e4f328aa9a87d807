//! The long chores: checks over collections of games, trainers, matches and measurements, which are examples of the games.

use std::ffi::OsString;
use std::path::Path;

use crate::runner::Step;

/// A chore, named by two words.
pub(crate) struct Long {
    pub(crate) words: [&'static str; 2],
    /// What it takes. A word in capitals is a path, and has to be there unless it is in brackets.
    pub(crate) takes: &'static str,
    pub(crate) about: &'static str,
    /// What cargo is asked to run.
    runs: &'static str,
}

/// All of them, in the order they are listed.
pub(crate) const LONG: &[Long] = &[
    Long {
        words: ["check", "agreement"],
        takes: "",
        about: "all algorithms find the same values on the paper's positions, at every depth",
        runs: "test --release -p emtee-games --test games agreement -- --ignored --nocapture",
    },
    Long {
        words: ["check", "protocols"],
        takes: "",
        about: "a million lines of noise for each protocol leave the engines alive",
        runs: "test --release -p emtee-engine --test noise -- --ignored --nocapture",
    },
    Long {
        words: ["check", "perft"],
        takes: "[MOST] [FILE]",
        about: "count the rules of the three games up to MOST lines, and a FILE of counts for checkers",
        runs: "run --release -p emtee-games --example check_perft --",
    },
    Long {
        words: ["check", "wthor"],
        takes: "DIR",
        about: "replay the Othello games of a folder of .wtb files to their recorded scores",
        runs: "run --release -p emtee-games --example check_wthor --",
    },
    Long {
        words: ["check", "pdn"],
        takes: "FILE…",
        about: "replay the checkers games of PDN files, and read them back as written",
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
        about: "tune the evaluation on a folder of PDN files, and write its weights as Rust",
        runs: "run --release -p emtee-games --example tune_checkers --",
    },
    Long {
        words: ["train", "chess"],
        takes: "[--games N,N] [--depth N] [--seed N] [--epochs N] [--threads N] [--write OUT]",
        about: "tune the evaluation on games against itself",
        runs: "run --release -p emtee-games --example tune_chess --",
    },
    Long {
        words: ["sample", "othello"],
        takes: "DIR OUT",
        about: "draw positions for experiments from games of a folder of .wtb files that were not learned from",
        runs: "run --release -p emtee-games --example sample_positions -- othello",
    },
    Long {
        words: ["sample", "checkers"],
        takes: "DIR OUT",
        about: "the same from a folder of PDN files",
        runs: "run --release -p emtee-games --example sample_positions -- checkers",
    },
    Long {
        words: ["sample", "chess"],
        takes: "OUT",
        about: "the same from games of the program against itself",
        runs: "run --release -p emtee-games --example sample_positions -- chess",
    },
    Long {
        words: ["match", "chess"],
        takes: "[--pairs N] [--depth N] [--seed N] [--threads N] [--against plain|sketch|fine|WEIGHTS]",
        about: "the tuned evaluation against material and squares, at equal depth",
        runs: "run --release -p emtee-games --example match_chess --",
    },
    Long {
        words: ["match", "search"],
        takes: "[--first WAY] [--second WAY|each] [--pairs N] [--ms N | --nodes N] [--hash SIZE] [--seed N] [--threads N]",
        about: "two ways to search chess, like mtd-f:all and mtd-f:all,-null-move, in paired games at equal time",
        runs: "run --release -p emtee-games --example match_search --",
    },
    Long {
        words: ["match", "othello"],
        takes: "[--pairs N] [--depth N] [--against plain|WEIGHTS] | [--first WAY] [--second WAY] [--nodes N]",
        about: "the trained evaluation against mobility and corners, or one way to search against another",
        runs: "run --release -p emtee-games --example match_othello --",
    },
    Long {
        words: ["match", "checkers"],
        takes: "[--pairs N] [--depth N] [--seed N]",
        about: "the tuned evaluation against material",
        runs: "run --release -p emtee-games --example match_checkers --",
    },
    Long {
        words: ["match", "checkers-search"],
        takes: "[--first WAY] [--second WAY] [--pairs N] [--nodes N] [--seed N] [--plies N] [--endings FILE]",
        about: "one way to search against another, with endings databases or without",
        runs: "run --release -p emtee-games --example match_checkers_search --",
    },
    Long {
        words: ["measure", "ffo"],
        takes: "FILE [FIRST LAST]",
        about: "solve the Othello endgames of the FFO test, 1 to 39 or those asked for",
        runs: "run --release -p emtee-games --example ffo --",
    },
    Long {
        words: ["measure", "probcut"],
        takes: "[--games DIR] [--positions N] [--depth N] [--seed N]",
        about: "how well shallow searches of Othello predict deep ones",
        runs: "run --release -p emtee-games --example measure_probcut --",
    },
    Long {
        words: ["measure", "speed"],
        takes: "[chess] [othello] [checkers]",
        about: "the speed of the three games beside other programs, as ratios",
        runs: "run --release -p emtee-games --example speed --",
    },
    Long {
        words: ["measure", "judgements"],
        takes: "GAME FILE [OUT]",
        about: "how well evaluations of chess and checkers know the results in a FILE of datagen; OUT is for the trainer",
        runs: "run --release -p emtee-games --example judge_positions --",
    },
    Long {
        words: ["measure", "parts"],
        takes: "",
        about: "nanoseconds of Othello's small operations",
        runs: "run --release -p emtee-games --example parts_othello --",
    },
];

/// The step that a chore and its arguments ask for, or what is wrong with them.
pub(crate) fn step(words: &[OsString]) -> Result<Step, String> {
    let (word, rest) = words.split_first().ok_or("name a chore")?;
    let word = &*word.to_string_lossy();
    if !LONG.iter().any(|long| long.words[0] == word) {
        return Err(format!("there is no chore '{word}'; cargo xtask --help lists them"));
    }
    let second = rest.first().map(|second| second.to_string_lossy()).unwrap_or_default();
    let Some(long) = LONG.iter().find(|long| long.words == [word, &second]) else {
        let known: Vec<&str> = LONG.iter().filter(|long| long.words[0] == word).map(|long| long.words[1]).collect();
        return Err(format!("'{word}' is followed by one of {}", known.join(", ")));
    };
    let given = &rest[1..];
    let mut step = Step::cargo(long.about, long.runs);
    let needed: Vec<&str> =
        long.takes.split(' ').take_while(|name| name.starts_with(|c: char| c.is_ascii_uppercase())).collect();
    if given.len() < needed.len() {
        return Err(format!("{} is missing: cargo xtask {word} {second} {}", needed[given.len()], long.takes));
    }
    if long.takes.is_empty() && !given.is_empty() {
        return Err(format!("{word} {second} takes no arguments, and was given '{}'", given[0].display()));
    }
    let several = needed.last().is_some_and(|name| name.ends_with('…'));
    for (at, argument) in given.iter().enumerate() {
        let path = Path::new(argument);
        let name = needed.get(at).copied().or(several.then_some("FILE"));
        if name.is_some_and(|name| name.starts_with("DIR")) && !path.is_dir() {
            return Err(format!("there is no folder '{}'", path.display()));
        }
        if name.is_some_and(|name| name.starts_with("FILE")) && !path.is_file() {
            return Err(format!("there is no file '{}'", path.display()));
        }
        // Cargo runs in the root of the workspace, the user may be elsewhere.
        let is_path = name.is_some() || path.is_file() || (at > 0 && given[at - 1] == "--write");
        let absolute = std::path::absolute(path).ok().filter(|_| is_path);
        step.arguments.push(absolute.map_or_else(|| argument.clone(), Into::into));
    }
    Ok(step)
}

/// A line for each, and what it does.
pub(crate) fn listed() -> String {
    let line = |long: &Long| {
        let [word, second] = long.words;
        format!("\ncargo xtask {word} {second} {}\n    {}", long.takes, long.about).replace(" \n", "\n")
    };
    LONG.iter()
        .map(line)
        .fold(String::from("Chores that take minutes, or files that are not part of the project:"), |a, b| a + &b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(line: &str, why: &str) {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let refused = step(&words);
        assert_eq!(refused.err().as_deref(), Some(why));
    }

    #[test]
    fn what_is_wrong_is_said_in_a_line() {
        refused("chek", "there is no chore 'chek'; cargo xtask --help lists them");
        refused("check", "'check' is followed by one of agreement, protocols, perft, wthor, pdn");
        refused("check everything", "'check' is followed by one of agreement, protocols, perft, wthor, pdn");
        refused("check agreement now", "check agreement takes no arguments, and was given 'now'");
        refused("check wthor", "DIR is missing: cargo xtask check wthor DIR");
        refused("check wthor nowhere", "there is no folder 'nowhere'");
        refused("check pdn Cargo.toml nothing", "there is no file 'nothing'");
        refused("train othello src", "OUT is missing: cargo xtask train othello GAMES OUT [POSITIONS…]");
        refused("measure ffo nothing 40 44", "there is no file 'nothing'");
    }

    #[test]
    fn a_step_has_its_arguments_with_whole_paths() {
        let step = step(&["check".into(), "pdn".into(), "Cargo.toml".into()]).unwrap_or_else(|why| panic!("{why}"));
        let file = std::path::absolute("Cargo.toml").unwrap();
        assert_eq!(step.arguments.last(), Some(&file.into_os_string()));
        assert_eq!(step.arguments[0], "run");
    }

    #[test]
    fn all_are_listed() {
        let listed = listed();
        assert_eq!(listed.matches("cargo xtask ").count(), LONG.len());
        assert!(listed.contains("\ncargo xtask check agreement\n    all algorithms"));
    }
}
