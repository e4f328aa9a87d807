//! Text output: help, tables, boards.

use crate::{Run, command, emtee, emtee_reading, words};

#[test]
fn every_help_text_has_an_example() {
    let all = emtee("--help");
    let commands = [
        "search",
        "solve",
        "compare",
        "tree",
        "perft",
        "bench",
        "check",
        "play",
        "match",
        "engine",
        "tablebase",
        "book",
        "learn",
        "datagen",
        "completions",
        "man",
    ];
    let lab = if cfg!(feature = "lab") { &["reproduce", "experiment", "merge"][..] } else { &[] };
    for &command in commands.iter().chain(lab) {
        assert!(all.text().contains(&format!("\n  {command} ")), "{command}");
        let help = emtee(&format!("{command} --help"));
        let (_, examples) = help.text().split_once("\nExamples:\n").unwrap_or_else(|| panic!("{command}"));
        assert!(examples.starts_with(&format!("  emtee {command}")), "{examples}");
        assert!(help.text().contains("--json"));
        assert!(help.text().lines().all(|line| line.chars().count() <= 120), "{}", help.text());
        if !["tree", "reproduce", "experiment", "merge", "tablebase", "datagen", "completions", "man"]
            .contains(&command)
        {
            assert!(help.text().contains("chess, othello, checkers, connect4, kalah, tictactoe"), "{command}");
        }
    }
    assert!(all.text().contains("\n  emtee compare connect4 --depth 12"));
    if cfg!(feature = "lab") {
        assert!(emtee("reproduce --help").text().contains("9 10 11 12 13 14 two-bounds"), "the figures are listed");
    }
    assert!(emtee("search --help").text().contains("aspiration-negascout"), "the algorithms are listed");
    assert!(emtee("search --help").text().contains("4,4,4,4,4,4,0/4,4,4,4,4,4,0 S"), "positions are shown");
    assert!(emtee("--version").text().starts_with("emtee "));
}

/// The examples of the help texts, with smaller limits.
#[test]
fn the_examples_work() {
    for line in [
        "search connect4 --position 4455 --depth 8",
        "search kalah --time 50ms --top 3",
        "solve connect4 --position 4455",
        "solve chess --position 7k/8/5K2/8/8/8/8/R7␣w␣-␣-␣0␣1 --mate 2",
        "compare connect4 --depth 6",
        "compare kalah --depth 5 --algorithms all --json",
        "tree paper",
        "perft connect4 --depth 5",
        "perft kalah --depth 4 --divide",
        "check connect4 --games 20 --depth 3",
    ] {
        emtee(line).text();
    }
    emtee_reading("tree -", b"((41 5) (12 90))\n").text();
}

#[test]
fn a_search_shows_the_board_the_iterations_and_the_best_move() {
    let run = emtee("search tictactoe --position XX-OO---- --depth 3");
    let lines: Vec<&str> = run.text().lines().collect();
    assert_eq!(lines[..4], ["X X 3", "O O 6", "7 8 9", "X to move"]);
    assert_eq!(lines[5], "depth         value  move            nodes  passes       time  line");
    assert!(lines[6].starts_with("    1      win in 1  3                   8       2  "), "{}", lines[6]);
    assert!(lines[6].ends_with("  3"));
    assert_eq!(lines[10], "best move 3, value win in 1");

    let stopped = emtee("search connect4 --nodes 50");
    assert!(stopped.text().contains("\nstopped by a limit after depth 2\n"));
    let nothing = emtee("search connect4 --nodes 1");
    assert!(nothing.text().ends_with("X to move\n\nstopped before the first iteration was finished: no result\n"));
    let over = emtee("search tictactoe --position XXXOO----");
    assert!(over.text().ends_with("O to move\n\nthe game is over: the side to move has lost\n"));
    let ranked = emtee("search kalah --depth 5 --top 2");
    let ranks: Vec<&str> = ranked.text().lines().filter(|line| line.ends_with("  depth 5")).collect();
    assert!(ranks.len() == 2 && ranks[0].starts_with("  1. ") && ranks[1].starts_with("  2. "), "{ranks:?}");
}

#[test]
fn the_columns_of_a_comparison_are_aligned() {
    for (line, values) in [
        ("compare tictactoe --depth 8 --algorithms all", true),
        (
            "compare kalah --depth 3 --position 4,4,4,4,4,4,0/4,4,4,4,4,4,0␣S --position 4,4,4,4,4,4,0/4,4,4,4,4,4,0␣N",
            false,
        ),
    ] {
        let run = emtee(line);
        let lines: Vec<&str> = run.text().lines().collect();
        let rule = lines.iter().position(|line| line.starts_with('─')).unwrap();
        let width = lines[rule].chars().count();
        let headings: Vec<&str> = lines[rule - 1].split_whitespace().collect();
        assert_eq!(headings[0], "algorithm");
        assert!(!headings.contains(&"value"), "all values agree, so the value is below the table");
        assert_eq!(run.text().contains("\nvalue "), values);
        let rows: Vec<&&str> = lines[rule + 1..].iter().take_while(|line| !line.is_empty()).collect();
        assert!(rows.len() >= 7);
        for row in rows.iter().filter(|row| !row.contains("only)")) {
            assert_eq!(row.chars().count(), width, "{row}");
        }
        assert!(lines.iter().all(|line| line.trim_end() == *line));
        assert_eq!(lines.last(), Some(&"all values agree"));
    }
    let unchecked = emtee("compare kalah --depth 3 --deeper-answers");
    assert!(unchecked.text().ends_with("values are not compared: --deeper-answers may change them\n"));
}

#[test]
fn a_tree_shows_the_passes_of_the_paper() {
    let run = emtee("tree paper");
    for line in [
        "sss on a tree of 31 nodes, 16 of them leaves; all values from MAX's side",
        "pass 1   γ = 999.5   g = 41, fails low: f ≤ 41",
        "  leaves evaluated  e=41 g=12 k=34 m=36",
        "  nodes visited     a ≤ 41  b ≤ 41  c ≤ 41  d ≤ 41  f ≤ 12  h ≤ 36  i ≤ 36  j ≤ 34  l ≤ 36",
        "pass 4   γ = 34.5   g = 35, fails high: f ≥ 35",
        "value 35, best move to h: 4 passes, 8 leaves evaluated of 16",
    ] {
        assert!(run.text().lines().any(|printed| printed == line), "{line}\n{}", run.text());
    }
    assert!(emtee("tree paper -a alpha-beta").text().ends_with(": 1 pass, 12 leaves evaluated of 16\n"));
    // A pass of MTD-best searches one child; its bound is that of the child.
    let best = emtee("tree paper -a mtd-best");
    assert!(best.text().contains("g = 12, fails low: f(b) ≤ 12"), "{}", best.text());
    // If MIN moves first, the search is from the side of MIN.
    let min = emtee_reading("tree -", b"(min (3 4) (5 6))");
    assert!(min.text().contains("γ, g and the value from the side of MIN"), "{}", min.text());
    assert!(min.text().contains("○ a = 4") && min.text().contains("value -4"), "{}", min.text());
}

#[test]
fn a_comparison_shows_the_move_ordering_by_height() {
    let run = emtee("compare connect4 --depth 7");
    let (_, by_height) = run.text().split_once("by height").unwrap();
    let (_, table) = by_height.split_once("\n\n").unwrap();
    let lines: Vec<&str> = ["", ""].into_iter().chain(table.lines()).collect();
    let headings: Vec<&str> = lines[2].split_whitespace().collect();
    // Not all seven fit: the first ones and the baseline.
    assert_eq!(headings, ["height", "mtd-f", "mtd-gallop", "sss", "dual", "aspiration-negascout"]);
    let heights: Vec<&str> = lines[4..]
        .iter()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(heights, ["7", "6", "5", "4", "3", "2", "1"]);
    assert!(lines[4..].iter().take_while(|line| !line.is_empty()).all(|line| line.contains(" % ")));
}

#[test]
fn a_board_is_painted_if_there_are_colours() {
    let run = |variable: &str| {
        let arguments = words("search chess --moves e2e4 --depth 1");
        Run::of(command(&arguments).env(variable, "1").output().unwrap())
    };
    let painted = run("CLICOLOR_FORCE");
    assert!(painted.text().contains('\u{1b}') && painted.text().contains('♚'), "{}", painted.text());
    assert_eq!(painted.text().matches("48;5;136m").count(), 2, "the squares of the last move");
    let plain = run("NO_COLOR");
    assert!(plain.text().starts_with("8  r n b q k b n r\n") && !plain.text().contains('\u{1b}'));
}

/// Minimax in chess, four plies deep, would take minutes.
#[test]
fn a_check_goes_as_deep_as_the_game_allows() {
    for (line, depth) in [
        ("check chess --games 2", 2),
        ("check othello --games 2", 4),
        ("check tictactoe --games 2", 4),
        ("check tictactoe --games 2 --depth 5", 5),
    ] {
        let run = emtee(line);
        assert!(
            run.text().contains(&format!("\nall algorithms agree with minimax at depth {depth}\n")),
            "{}",
            run.text()
        );
    }
}

/// Tables and prose fit the width of the terminal.
#[test]
fn output_fits_the_terminal() {
    for columns in [80, 120] {
        for line in [
            "compare kalah --depth 4",
            "compare connect4 --depth 7 --algorithms all",
            "match connect4 mtd-f,level=2,hash=4MB,seed=11 alpha-beta,depth=2,hash=4MB,seed=12 --games 2",
            "check tictactoe --games 20",
        ] {
            let run = Run::of(command(&words(line)).env("COLUMNS", columns.to_string()).output().unwrap());
            let widest = run.text().lines().max_by_key(|line| line.chars().count()).unwrap_or_default();
            assert!(widest.chars().count() <= columns, "{columns}: {widest}");
        }
    }
}

/// Insignificant times are not shown.
#[test]
fn short_searches_are_repeated_until_their_times_are_significant() {
    let row = |line: &str| {
        let text = emtee(line).text().to_owned();
        text.lines().find(|line| line.starts_with("mtd-f ")).unwrap().to_owned()
    };
    let long = row("compare connect4 --depth 11");
    assert!(long.contains(" ms "), "{long}");
    let short = row("compare kalah --depth 3");
    assert!(short.contains(" – "), "{short}");
}
