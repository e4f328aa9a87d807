//! `emtee solve`: exact values.

use crate::emtee;

#[test]
fn a_row_has_the_value_and_the_line() {
    let row = emtee("solve connect4 --position 415161 --json").row();
    assert_eq!((&row["game"], &row["position"]), (&"connect4".into(), &"415161".into()));
    assert_eq!((&row["value"], &row["win_in"], &row["outcome"]), (&31_999.into(), &1.into(), &"win".into()));
    assert_eq!((&row["best_move"], row["pv"].as_array().map(Vec::len)), (&row["pv"][0], Some(1)));
    assert_eq!(row["exact"], true);
    assert!(row["nodes"].as_u64() > Some(0) && row["seconds"].as_f64() > Some(0.0));

    let row = emtee("solve tictactoe --outcome --json").row();
    assert_eq!((&row["value"], &row["outcome"]), (&0.into(), &"draw".into()));
    let row = emtee("solve kalah --position 0,0,0,1,0,0,19/0,7,0,0,0,1,20␣S --json").row();
    assert_eq!((&row["value"], &row["best_move"]), (&6.into(), &"4".into()));
    let ffo = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--␣X";
    let row = emtee(&format!("solve othello --position {ffo} --json")).row();
    assert_eq!((&row["value"], &row["best_move"]), (&18.into(), &"g8".into()));
    let row = emtee(&format!("solve othello --position {ffo} --outcome --json")).row();
    assert_eq!((&row["value"], &row["outcome"]), (&1.into(), &"win".into()));
}

#[test]
fn mates_are_found_or_ruled_out() {
    let row = emtee("solve chess --position kbK5/pp6/1P6/8/8/8/8/R7␣w␣-␣-␣0␣1 --json").row();
    assert_eq!((&row["win_in"], row["pv"].to_string()), (&3.into(), r#"["a1a6","b7a6","b6b7"]"#.into()));
    let row = emtee("solve chess --mate 1 --json").row();
    assert_eq!((&row["value"], &row["exact"], &row["mate_within"]), (&().into(), &true.into(), &1.into()));
    assert!(emtee("solve chess --mate 1").text().contains("no mate in 1 for the side to move"));
}

#[test]
fn text_output_has_the_value_and_the_line() {
    let run = emtee("solve tictactoe --position XX-OO----");
    assert!(run.text().contains("\nwin in 1 for the side to move, by 3\nline 3\nproved in "), "{}", run.text());
    let over = emtee("solve tictactoe --position XXXOO----");
    assert!(over.text().contains("\nloss in 0 for the side to move\nproved in "), "{}", over.text());
}

#[test]
fn unsolved_positions_are_reported() {
    let late = emtee("solve checkers --time 30ms");
    assert_eq!(late.code, Some(1));
    assert!(late.stderr.contains("not solved within the time limit"), "{}", late.stderr);
    let late = emtee("solve othello --time 20ms --json");
    assert!(
        late.code == Some(1) && late.stdout.contains(r#""exact":false"#) && late.stdout.contains(r#""value":null"#)
    );
    let refused = emtee("solve kalah --mate 2");
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""));
    assert!(refused.stderr.contains("kalah has no mates; leave --mate out"), "{}", refused.stderr);
    assert!(emtee("solve chess --mate 0").stderr.contains("--mate '0'"));
}

#[test]
fn connect_four_has_boards_of_other_sizes() {
    let row = emtee("solve connect4 --columns 5 --rows 4 --threads 2 --json").row();
    assert_eq!((&row["game"], &row["position"]), (&"connect4".into(), &"5x4".into()));
    assert_eq!((&row["outcome"], &row["exact"]), (&"draw".into(), &true.into()));
    assert_eq!(row["pv"].as_array().map(Vec::len), Some(20), "a drawn game fills the board");
    let row = emtee("solve connect4 --columns 9 --position 112233 --json").row();
    assert_eq!((&row["win_in"], &row["best_move"]), (&1.into(), &"4".into()));
    for (options, message) in [
        ("connect4 --columns 8 --rows 8", "a board of 8 columns and 8 rows is refused"),
        ("connect4 --columns 3", "a board of 3 columns and 6 rows is refused"),
        ("connect4 --columns 5 --position 6", "expected a column from 1 to 5, found '6'"),
        ("connect4 --columns 8 --rows 7 --hash 1MB", "a board of 8x7 needs a table of 32MB or more"),
        ("kalah --rows 5", "the board of kalah has one size; leave --columns and --rows out"),
    ] {
        let refused = emtee(&format!("solve {options}"));
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{options}");
        assert!(refused.stderr.contains(message), "{}", refused.stderr);
    }
}

#[test]
fn several_threads_find_the_same_values() {
    for position in [
        "connect4 --position 4444432622",
        "kalah --position 0,0,0,1,0,0,19/0,7,0,0,0,1,20␣S",
        "chess --position kbK5/pp6/1P6/8/8/8/8/R7␣w␣-␣-␣0␣1",
        "tictactoe",
        "checkers --position B:W6:B1",
    ] {
        let [one, two] =
            ["1", "2"].map(|threads| emtee(&format!("solve {position} --outcome --threads {threads} --json")).row());
        assert_eq!((&one["value"], &one["exact"]), (&two["value"], &true.into()), "{position}");
    }
}
