//! Opening books: building, continuing, playing from them, errors.

use crate::{Folder, emtee, emtee_reading};

const LINE: &str = "book othello --nodes 300 --json";

#[test]
fn a_book_is_built_and_continued() {
    let folder = Folder::new("book");
    let [whole, parts] = ["whole", "parts"].map(|name| folder.path(name));
    let row = emtee(&format!("{LINE} --positions 16 --out {whole}")).row();
    assert_eq!((&row["searched"], &row["complete"], &row["new"]), (&16.into(), &true.into(), &16.into()), "{row}");
    let text = std::fs::read_to_string(&whole).expect("a file");
    assert_eq!(row["bytes"].as_u64(), Some(text.len() as u64));
    emtee(&format!("{LINE} --positions 8 --out {parts}")).row();
    let row = emtee(&format!("{LINE} --positions 16 --threads 2 --out {parts}")).row();
    assert_eq!(row["new"], 8);
    assert_eq!(std::fs::read_to_string(&parts).expect("a file"), text);
    let run = emtee(&format!("book othello --nodes 300 --positions 16 --out {parts}"));
    assert!(run.text().contains("positions known, 16 searched"), "{}", run.stdout);
}

#[test]
fn games_are_read_from_files_and_folders() {
    let folder = Folder::new("book-games");
    std::fs::create_dir(folder.path("games")).expect("a folder");
    let one = folder.file("games/one.pdn", "[Event \"?\"]\n1. 9-13 22-18 *\n");
    folder.file("games/match.jsonl", "{}");
    folder.file("games/two.pdn", "[Event \"?\"]\n1. 9-13 22-18 *\n");
    let (games, out) = (folder.path("games"), folder.path("book"));
    let row = emtee(&format!("book checkers --nodes 300 --positions 3 --games {games} {one} --out {out} --json")).row();
    assert_eq!((&row["games"], &row["unread_games"], &row["searched"]), (&3.into(), &0.into(), &8.into()));
}

#[test]
fn engines_and_matches_play_from_a_book() {
    let folder = Folder::new("book-used");
    let book = folder.file("one.book", "emtee book chess\na2a4 0\n h7h5 0\n");
    let run = emtee_reading(&format!("engine chess --book {book}"), b"uci\ngo depth 2\n");
    assert!(run.text().contains("option name OwnBook type check default true"));
    assert!(run.text().ends_with("uciok\nbestmove a2a4 ponder h7h5\n"), "{}", run.stdout);
    let run = emtee_reading("engine othello --book own", b"go\n");
    assert!(!run.text().contains("search ") && run.text().contains("=== "), "{}", run.stdout);
    let set = format!("setoption name Book File value {book}\nsetoption name OwnBook value true\ngo depth 2\n");
    assert_eq!(emtee_reading("engine chess", set.as_bytes()).text(), "bestmove a2a4 ponder h7h5\n");
    // In a match only the player with the setting `book`.
    let players = format!("mtd-f,book={book},hash=1MB mtd-f,hash=1MB");
    let line = format!("match chess {players} --games 2 --plies 0 --nodes 20 --longest 4 --json");
    let rows = emtee(&line).rows();
    for row in &rows[..2] {
        let has_book = row["first"].as_str().is_some_and(|name| name.contains("book="));
        assert_eq!(row["moves"][0] == "a2a4", has_book, "{row}");
    }
    let run = emtee_reading(&format!("play chess --time 10ms --side second --book {book} --json"), b"info\nquit\n");
    assert!(run.text().contains("\"a2a4\""), "{}", run.stdout);
}

#[test]
fn bad_books_and_games_are_refused() {
    let folder = Folder::new("book-refused");
    let bad = folder.file("bad", "emtee book chess\ne2e5 0\n");
    let other = folder.file("other", "what is this?");
    let out = folder.path("out");
    for (line, message) in [
        (format!("engine chess --book {bad}"), "bad: line 2: 'e2e5' is not a legal move here"),
        (format!("engine chess --book {other}"), "other: it does not begin with 'emtee book chess'"),
        (format!("engine chess --book {out}"), "out: No such file"),
        (
            String::from("engine kalah --book own"),
            "no opening book comes with kalah; 'emtee book kalah --out FILE' makes one",
        ),
        (format!("play othello --book {bad}"), "bad: it is a book of chess, not of othello"),
        (format!("match chess mtd-f,book={bad} mtd-f"), "bad: line 2: 'e2e5' is not a legal move here"),
        (format!("book chess --out {bad}"), "cannot continue the book "),
        (format!("book chess --games {out} --out {out}"), "out: No such file"),
        (format!("book chess --games {other} --out {out}"), "no game in the files of --games can be read"),
    ] {
        let run = emtee(&line);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{line}: {run:?}");
        assert!(run.stderr.contains(message) && run.stderr.lines().count() == 1, "{line}: {}", run.stderr);
    }
    assert_eq!(std::fs::read_to_string(&other).expect("a file"), "what is this?");
}
