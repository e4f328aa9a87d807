//! Random arguments and random bytes: no panics, and every error is one line.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::{Folder, Run, command, emtee_reading, words};

fn check(run: &Run) -> Result<(), TestCaseError> {
    prop_assert!(matches!(run.code, Some(0 | 2)), "{run:?}");
    if run.code == Some(2) {
        prop_assert_eq!(&run.stdout, "");
        prop_assert_eq!(run.stderr.lines().count(), 1, "{:?}", run);
        prop_assert!(run.stderr.starts_with("error: "));
        prop_assert!(!run.stderr.trim_end().contains(char::is_control), "{:?}", run);
    } else {
        prop_assert_eq!(&run.stderr, "");
    }
    Ok(())
}

/// Commands that are fast with any additional arguments.
const COMMANDS: [&str; 7] = [
    "",
    "search tictactoe --nodes 200",
    "search kalah --nodes 200 --json",
    "compare tictactoe --depth 2",
    "perft tictactoe --depth 2",
    "check tictactoe --games 2",
    "tree paper --json",
];

/// Words with a meaning for some command.
const WORDS: [&str; 40] = [
    "search",
    "compare",
    "tree",
    "perft",
    "check",
    "kalah",
    "tictactoe",
    "paper",
    "-",
    "--",
    "---",
    "=",
    "--json",
    "--help",
    "-h",
    "--version",
    "--position",
    "--positions",
    "--moves",
    "--algorithm",
    "-a",
    "--algorithms",
    "--hash",
    "--entries",
    "--bounds",
    "--etc",
    "--step",
    "--guess",
    "--grain",
    "--threads",
    "--top",
    "--first",
    "--infinity",
    "--divide",
    "--seed",
    "all",
    "mtd-step:7",
    "64MB",
    "--depth=3",
    "--time=1ms",
];

fn argument() -> impl Strategy<Value = OsString> {
    let text = prop_oneof![
        4 => select(&WORDS[..]).prop_map(String::from),
        2 => any::<String>(),
        1 => "\\PC{0,12}",
        1 => "[-+]?[0-9]{1,3}[a-zA-Z.:*]{0,2}",
        1 => (select(&WORDS[..]), any::<String>()).prop_map(|(option, value)| format!("{option}={value}")),
    ];
    let bytes = prop_oneof![
        9 => text.prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 0..12),
    ];
    // Arguments cannot contain a zero byte.
    bytes.prop_map(|bytes| OsString::from_vec(bytes.into_iter().filter(|byte| *byte != 0).collect()))
}

/// Text that resembles a tree.
fn tree_like_text() -> impl Strategy<Value = String> {
    let token = select(
        &["(", ")", "(", ")", "[", "]", ",", " ", "1", " -2", " 31000", " win", "max ", "\"loss\"", "{", "}"][..],
    );
    prop::collection::vec(token, 0..24).prop_map(|tokens| tokens.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arguments(line in select(&COMMANDS[..]), extra in prop::collection::vec((any::<Index>(), argument()), 1..4)) {
        let folder = Folder::new("random");
        let mut arguments: Vec<OsString> = words(line).into_iter().map(OsString::from).collect();
        for (index, argument) in extra {
            let index = index.index(arguments.len() + 1);
            arguments.insert(index, argument);
        }
        let run = command(&arguments).current_dir(&folder.0).output().expect("the program runs");
        check(&Run::of(run))?;
    }

    #[test]
    fn trees(bytes in prop_oneof![
        2 => tree_like_text().prop_map(String::into_bytes),
        1 => any::<String>().prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 0..200),
    ], algorithm in select(&["sss", "mtd-f", "mtd-best", "stockman-dual"][..])) {
        check(&emtee_reading(&format!("tree - --json --algorithm {algorithm}"), &bytes))?;
    }

    #[test]
    fn positions(
        game in select(&["connect4", "kalah", "tictactoe"][..]),
        bytes in prop_oneof![
            "[-XO./1-7, SN0\n#]{0,60}".prop_map(String::into_bytes),
            prop::collection::vec(any::<u8>(), 0..80),
        ],
    ) {
        check(&emtee_reading(&format!("search {game} --nodes 50 --json --positions -"), &bytes))?;
    }
}

#[test]
fn files_without_a_tree_are_refused() {
    let folder = Folder::new("random-file");
    let bytes: Vec<u8> = (0..10_000u64).map(|n| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect();
    let file = folder.file("random", bytes);
    let run = Run::of(command(&["tree", &file]).output().unwrap());
    assert_eq!(run.code, Some(2));
    // An endless file is refused too.
    let mut endless = Command::new(env!("CARGO_BIN_EXE_emtee"));
    let endless = endless.args(["tree", "/dev/zero"]).stdin(Stdio::null()).output().unwrap();
    let run = Run::of(endless);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("cannot read /dev/zero: it is larger than 64 MB"), "{run:?}");
}
