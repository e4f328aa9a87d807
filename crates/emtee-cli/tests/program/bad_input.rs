//! Bad input: exit code 2, empty standard output, and one error line that names the wrong part and a correction.

use crate::{Folder, Run, command, emtee, emtee_reading};

fn check(run: &Run, line: &str, parts: &[&str]) {
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{line}: {run:?}");
    assert!(run.stderr.starts_with("error: ") && run.stderr.ends_with('\n'), "{line}: {run:?}");
    assert_eq!(run.stderr.lines().count(), 1, "{line}: {run:?}");
    for part in parts {
        assert!(run.stderr.contains(part), "{line}: {part} is not in {}", run.stderr);
    }
}

fn refused(line: &str, parts: &[&str]) {
    check(&emtee(line), line, parts);
}

#[test]
fn mcts_is_refused_where_it_makes_no_sense() {
    for (line, part) in [
        ("compare kalah --depth 3 --algorithms mcts", "mcts finds no minimax values"),
        ("tree paper --algorithm uct", "mcts finds no minimax values"),
        ("search kalah --algorithm mcts --nodes 9 --etc 2", "mcts grows a tree of simulations; leave --etc out"),
        ("search kalah --algorithm mcts --nodes 9 --grain 2", "leave --grain out"),
        ("search kalah --algorithm mcts --nodes 9 --guess previous", "leave --guess out"),
        ("engine chess --algorithm mcts --selective all", "mcts has no selective search"),
        ("bench kalah --threads 1 --algorithm mcts", "mcts finds no minimax values"),
    ] {
        refused(line, &[part]);
    }
}

#[test]
fn misspelled_names_get_a_suggestion() {
    for (line, parts) in [
        ("search conect4", ["'conect4'", "did you mean 'connect4'?"]),
        ("compare kala --depth 3", ["'kala'", "did you mean 'kalah'?"]),
        ("perft tic-tac-tow --depth 3", ["'tic-tac-tow'", "did you mean 'tictactoe'?"]),
        ("check conect4", ["'conect4'", "did you mean 'connect4'?"]),
        ("bench kalha", ["'kalha'", "did you mean 'kalah'?"]),
        ("search kalah --algorithm mtdg", ["'mtdg'", "did you mean 'mtd-f'?"]),
        ("tree paper --algorithm alfabeta", ["'alfabeta'", "did you mean 'alpha-beta'?"]),
        ("compare kalah --depth 3 --algorithms sss,negascut", ["'negascut'", "did you mean 'negascout'?"]),
        ("search kalah --dept 3", ["'--dept'", "did you mean '--depth'?"]),
        ("search kalah --entires 3", ["'--entires'", "did you mean '--entries'?"]),
        ("perft kalah --depth 3 --jsno", ["'--jsno'", "did you mean '--json'?"]),
        ("--jso bench", ["'--jso'", "did you mean '--json'?"]),
        ("serch kalah", ["'serch'", "did you mean 'search'?"]),
        ("pertf kalah", ["'pertf'", "did you mean 'perft'?"]),
        ("help", ["'help'", "try 'emtee --help'"]),
        ("search kalah --bounds three", ["'three'", "one or two"]),
        ("search kalah --guess last", ["'last'", "previous, two-back, better or average"]),
    ] {
        refused(line, &parts);
    }
}

#[test]
fn missing_and_extra_arguments_are_named() {
    for (line, parts) in [
        ("", ["no command was given", "'emtee --help'"]),
        ("--json", ["no command was given", "'emtee --help'"]),
        ("search", ["<GAME>", "'emtee search --help'"]),
        ("compare kalah", ["--depth", "'emtee compare --help'"]),
        ("perft kalah", ["--depth", "'emtee perft --help'"]),
        ("tree", ["<FILE|paper>", "'emtee tree --help'"]),
        ("search kalah and more", ["'and'", "'emtee search --help'"]),
        ("search kalah -x", ["'-x'", "'emtee search --help'"]),
        ("search kalah --position", ["--position", "value is required"]),
        ("search kalah --depth 3 --depth 4", ["--depth", "multiple times"]),
        ("search kalah --hash 1MB --entries 9", ["--hash", "--entries"]),
        ("search kalah --position x --positions y", ["--position", "--positions"]),
        ("compare kalah --depth 3 --algorithms ,", ["no algorithm", "--algorithms all"]),
    ] {
        refused(line, &parts);
    }
}

#[test]
fn errors_of_numbers_sizes_and_times_give_the_valid_values() {
    for (line, parts) in [
        ("search kalah --depth 0", ["--depth '0'", "from 1 to 250"]),
        ("search kalah --depth 9999", ["--depth '9999'", "from 1 to 250"]),
        ("search kalah --depth -1", ["--depth '-1'", "from 1 to 250"]),
        ("search kalah --depth 3.5", ["--depth '3.5'", "from 1 to 250"]),
        ("compare kalah --depth x", ["--depth 'x'", "from 1 to 250"]),
        ("perft kalah --depth 251", ["--depth '251'", "from 0 to 250"]),
        ("check kalah --depth 0", ["--depth '0'", "from 1 to 250"]),
        ("check kalah --games none", ["--games 'none'", "from 1"]),
        ("check kalah --seed -1", ["--seed '-1'", "from 0"]),
        ("search kalah --nodes 0", ["--nodes '0'", "from 1"]),
        ("search kalah --nodes 1e6", ["--nodes '1e6'", "from 1"]),
        ("search kalah --top 0", ["--top '0'", "from 1 to 255"]),
        ("search kalah --etc 256", ["--etc '256'", "from 0 to 255"]),
        ("search kalah --step 11", ["--step '11'", "from 1 to 10"]),
        ("search kalah --grain 0", ["--grain '0'", "from 1 to 31000"]),
        ("search kalah --threads 4 --algorithm minimax", ["minimax", "one thread"]),
        ("search kalah --time 5parsecs", ["--time '5parsecs'", "5s, 200ms or 2m"]),
        ("search kalah --time -5s", ["--time '-5s'", "5s, 200ms or 2m"]),
        ("search kalah --time 1e99h", ["--time '1e99h'", "5s, 200ms or 2m"]),
        ("search kalah --hash 64XB", ["'64XB'", "64MB, 2GB or 512KB"]),
        ("search kalah --hash MB", ["'MB'", "64MB, 2GB or 512KB"]),
        ("search kalah --hash 0", ["'0'", "64MB, 2GB or 512KB"]),
        ("search kalah --hash -5MB", ["'-5MB'", "64MB, 2GB or 512KB"]),
        ("search kalah --entries 0", ["--entries '0'", "from 1"]),
        ("search kalah --algorithm mtd-step:0", ["'mtd-step:0'", "from 1 to 31000"]),
        ("search kalah --algorithm sss:3", ["'sss:3'", "mtd-gallop, mtd-step, aspiration-negascout"]),
        ("tree paper --first 31001 -a mtd-f", ["--first '31001'", "±31000"]),
        ("tree paper --infinity 101", ["101 cannot stand for infinity", "take 102 or more"]),
        ("tree paper --infinity -5", ["--infinity '-5'", "from 1 to 31000"]),
        ("tree paper --infinity 31001", ["--infinity '31001'", "from 1 to 31000"]),
        ("tree paper --entries 0", ["--entries '0'", "choose a whole number from 1"]),
        ("perft chess 5", ["'5' is not expected", "--depth 5"]),
    ] {
        refused(line, &parts);
    }
}

#[test]
fn errors_of_positions_and_moves_give_the_reason() {
    for (line, parts) in [
        ("search connect4 --position 48", ["'48' is not a position of connect4", "move 2", "from 1 to 7"]),
        ("search connect4 --position 4444444", ["'4444444'", "move 7", "column 4 is full"]),
        ("search tictactoe --position XO", ["'XO' is not a position of tictactoe", "", ""]),
        ("search kalah --position 1,2,3␣S", ["'1,2,3 S' is not a position of kalah", "", ""]),
        ("perft connect4 --depth 2 --moves 4␣9", ["'9' is not a legal move", "the moves are", "7"]),
        ("search tictactoe --position XXXOO---- --moves 6", ["'6' cannot be played", "the game is over", ""]),
        ("compare tictactoe --depth 2 --position XXXOO----", ["the game is over", "'XXXOO----'", ""]),
    ] {
        refused(line, &parts);
    }
    let listed = emtee_reading("search connect4 --positions -", b"44\n\n49\n");
    check(&listed, "--positions -", &["line 3 of standard input", "'49'", "move 2"]);
}

#[test]
fn no_option_is_ignored_silently() {
    for (line, parts) in [
        (
            "search chess --depth 2 --algorithm minimax --in-play",
            ["minimax does not use the game history", "choose another algorithm"],
        ),
        ("search kalah --depth 2 --algorithm minimax --hash 1MB", ["minimax uses no table", "leave --hash out"]),
        ("search kalah --depth 2 --algorithm stockman-sss --etc 2", ["stockman-sss uses no table", "leave --etc out"]),
        ("search kalah --depth 2 --algorithm minimax --bounds two", ["minimax uses no table", "leave --bounds out"]),
        ("search kalah --depth 2 --algorithm sss --guess two-back", ["sss does not begin with a guess", "--guess"]),
        ("tree paper --algorithm dual --first 5", ["dual does not begin with a guess", "leave --first out"]),
        ("tree paper --algorithm minimax --entries 5", ["minimax uses no table", "leave --entries out"]),
        ("tree paper --compare stockman-sss,minimax --entries 5", ["stockman-sss uses no table", "--entries"]),
        ("solve kalah --mate 3", ["kalah has no mates", "leave --mate out"]),
        (
            "engine chess --algorithm alpha-beta --selective all",
            ["alpha-beta does not support selective search", "choose an MT driver"],
        ),
        ("engine chess --algorithm minimax", ["minimax does not use the game history", "choose another algorithm"]),
        ("engine chess --protocol gtp", ["no engine here supports gtp for chess", "choose uci"]),
        ("engine othello --protocol hub", ["no engine here supports hub for othello", "choose nboard or uci"]),
        ("search kalah --set paper", ["kalah has no sets of positions", ""]),
        (
            "compare kalah --depth 2 --algorithms mtd-f:tuned",
            ["'mtd-f:tuned' is not a step", "only aspiration-negascout has kinds"],
        ),
        ("compare kalah --depth 2 --algorithms baselines --guess previous", ["has its own guess", "leave --guess out"]),
        ("search chess --set papers", ["chess has no set 'papers'", "choose paper or tuning or tune or held-out"]),
        ("bench kalah --positions 3", ["--threads", "is missing"]),
    ] {
        refused(line, &parts);
    }
}

#[test]
fn a_table_larger_than_memory_is_refused_before_any_output() {
    for line in [
        "search connect4 --depth 2 --hash 100000TB",
        "search connect4 --depth 2 --entries 9999999999999999",
        "tree paper --entries 9999999999999999",
        "compare connect4 --depth 2 --hash 100000TB",
        "compare connect4 --depth 2 --hash 100000TB --json",
        "solve connect4 --hash 100000TB",
        "solve kalah --hash 100000TB",
        "solve othello --hash 100000TB",
        "engine chess --hash 100000TB",
        "play chess --hash 100000TB",
    ] {
        refused(line, &["larger than the memory", "choose a smaller one"]);
    }
    let read = |file| std::fs::read_to_string(file).unwrap_or_default();
    let memory = read("/proc/meminfo");
    let kilobytes = memory.split_whitespace().nth(1).and_then(|n| n.parse::<u64>().ok());
    // Some systems overcommit any amount, and others have that much memory.
    if kilobytes.is_some_and(|n| n < 250 << 20) && read("/proc/sys/vm/overcommit_memory").trim() != "1" {
        refused("search connect4 --depth 2 --hash 500GB", &["a table of 500GB is larger than the memory"]);
    }
}

#[test]
fn unreadable_and_unwritable_files_are_refused() {
    let folder = Folder::new("files");
    let here = folder.path("");
    let here = here.trim_end_matches('/');
    let empty = folder.file("empty", "");
    let comments = folder.file("comments", "\n# nothing\n  \n");
    let garbage = folder.file("garbage", [0xff, 0xfe, 0, 1, 0x80, 0xc0, b'(', b'1']);
    let nul = folder.file("nul", "(1 \0 2)");
    let missing = folder.path("missing");
    for (line, parts) in [
        (format!("tree {missing}"), ["cannot read", missing.as_str()]),
        (format!("tree {here}"), ["cannot read", here]),
        (format!("tree {garbage}"), ["cannot read", "not UTF-8"]),
        (format!("tree {nul}"), ["column 4", "\\0"]),
        (format!("tree {empty}"), ["there is no tree here", "((41 5) (12 90))"]),
        (format!("search kalah --positions {missing}"), ["cannot read", missing.as_str()]),
        (format!("search kalah --positions {here}"), ["cannot read", here]),
        (format!("search kalah --positions {garbage}"), ["cannot read", "not UTF-8"]),
        (format!("search kalah --positions {empty}"), ["there are no positions in", empty.as_str()]),
        (format!("compare kalah --depth 2 --positions {comments}"), ["there are no positions in", comments.as_str()]),
        (format!("tree paper --svg {here}/no/where.svg"), ["cannot write", "where.svg"]),
        (format!("tree paper --json --svg {here}"), ["cannot write", here]),
    ] {
        refused(&line, &parts);
    }
    check(&emtee_reading("perft kalah --depth 1 --positions -", b""), "-", &["no positions in standard input"]);
}

#[test]
fn errors_of_malformed_trees_give_the_location() {
    for (tree, parts) in [
        ("5", "the tree is a single leaf"),
        ("", "there is no tree here"),
        ("(1 2", "line 1, column 1: this list is not closed"),
        ("(1\n (2 x))", "line 2, column 5: expected an integer, 'win', 'loss', 'draw' or a list, found 'x'"),
        ("(1 2))", "line 1, column 6: expected the end, found ')'"),
        ("(1 ())", "line 1, column 4: a node needs at least one child"),
        ("(1 99999)", "line 1, column 4: a leaf of 99999 is outside ±31000"),
        ("(1 max 2)", "line 1, column 4: 'max' belongs at the beginning of a list"),
        ("[1, [2, 3]", "line 1, column 10: this is not JSON"),
        ("[1, [2, 3.5]]", "[1][1]: expected an integer, found 3.5"),
        ("{\"mix\": [1, 2]}", "the root: expected"),
        (&"(".repeat(300), "lists nest more than 200 deep"),
        (&"[".repeat(100_000), "this is not JSON"),
    ] {
        check(&emtee_reading("tree -", tree.as_bytes()), tree, &[parts]);
    }
    let wide = format!("({})", "(1 2) ".repeat(1_000));
    let folder = Folder::new("wide");
    let line = format!("tree - --svg {}", folder.path("wide.svg"));
    check(&emtee_reading(&line, wide.as_bytes()), &line, &["--svg draws up to 2000 nodes", "3001"]);
}

#[test]
fn errors_are_one_printable_line() {
    for name in ["a\nb", "\u{1b}[31mred\u{1b}[0m", "\u{2028}\u{85}\r\n", "\u{7}\t", &"long".repeat(1_000)] {
        let run = Run::of(command(&["search", name]).output().unwrap());
        check(&run, name, &["there is no game", "choose chess or "]);
        assert!(!run.stderr.trim_end().contains(char::is_control) && run.stderr.chars().count() < 600, "{run:?}");
    }
}

#[test]
fn moves_are_read_in_the_usual_notation() {
    for (line, same) in [
        ("chess --moves e4,c5␣Nf3", "chess --moves e2e4␣c7c5␣g1f3"),
        ("othello --moves f5d6c3", "othello --moves f5␣d6␣C3"),
        ("checkers --position B:W7,16,23:B2 --moves 2x20", "checkers --position B:W7,16,23:B2 --moves 2x11x20"),
    ] {
        let [a, b] = [line, same].map(|line| emtee(&format!("perft {line} --depth 1 --json")).row());
        assert_eq!(a["position"], b["position"], "{line}");
    }
    for (line, parts) in [
        ("chess --moves e5", "'e5' is not a legal move here"),
        ("chess --moves e4,,e9", "'e9' is not a move: write it like e2e4, Nf3, exd5, e8=Q or O-O"),
        ("othello --moves f5d6h8", "'f5d6h8' cannot be played: move 3, h8, is not legal"),
        ("checkers --moves 11-14", "'11-14' is not a legal move here; from 11 one can play 11-15, 11-16"),
    ] {
        let run = emtee(&format!("search {line}"));
        assert_eq!((run.code, run.stderr), (Some(2), format!("error: {parts}\n")));
    }
}
