//! Training positions: generating, continuing, errors.

use crate::{Folder, emtee};

const LINE: &str = "datagen checkers --nodes 50 --seed 3 --json";

#[test]
fn a_continued_file_is_identical() {
    let folder = Folder::new("datagen");
    let [whole, parts] = ["whole", "parts"].map(|name| folder.path(name));
    let row = emtee(&format!("{LINE} --games 6 --out {whole}")).row();
    assert_eq!((&row["games"], &row["complete"]), (&6.into(), &true.into()), "{row}");
    let bytes = std::fs::read(&whole).expect("a file");
    assert_eq!(Some(bytes.len() as u64), row["positions"].as_u64().map(|positions| 64 + 32 * positions));

    emtee(&format!("{LINE} --games 2 --out {parts}")).row();
    assert!(std::fs::read(&parts).is_ok_and(|part| part.len() < bytes.len() && bytes.starts_with(&part)));
    // As after a power failure: a part of the next game, ending inside a position.
    let two = std::fs::metadata(&parts).expect("a file").len() as usize;
    std::fs::write(&parts, &bytes[..two + 3 * 32 + 5]).expect("a file");
    let row = emtee(&format!("{LINE} --games 6 --threads 2 --out {parts}")).row();
    assert_eq!(row["new_positions"].as_u64(), Some(((bytes.len() - two) / 32) as u64));
    assert!(std::fs::read(&parts).expect("a file") == bytes);
    // The file already has more games, and is not changed.
    let row = emtee(&format!("{LINE} --games 5 --out {parts}")).row();
    assert_eq!((&row["games"], &row["new_positions"]), (&6.into(), &0.into()));
    assert!(std::fs::read(&parts).expect("a file") == bytes);
}

#[test]
fn the_last_game_is_complete() {
    let folder = Folder::new("datagen-positions");
    let [one, two] = ["one", "two"].map(|name| folder.path(name));
    let text = emtee(&format!("datagen othello --nodes 50 --positions 100 --out {one}"));
    assert!(text.text().contains("positions of 3 games"), "{}", text.stdout);
    emtee(&format!("datagen othello --nodes 50 --positions 30 --out {two}")).text();
    let again = emtee(&format!("datagen othello --nodes 50 --positions 100 --threads 3 --out {two}"));
    assert!(again.text().contains("; new ones are appended"), "{}", again.stdout);
    let [one, two] = [one, two].map(|file| std::fs::read(file).expect("a file"));
    assert!(one == two && one.len() >= 64 + 3_200);
    assert_eq!(one[one.len() - 5] & 2, 2, "the last of its game");
}

#[test]
fn bad_input_is_refused() {
    let folder = Folder::new("datagen-refused");
    let other = folder.file("other", "what is this?");
    let made = folder.path("made");
    emtee(&format!("{LINE} --games 1 --out {made}")).row();
    let before = std::fs::read(&made).expect("a file");
    for (line, message) in [
        (
            format!("datagen kalah --out {made}"),
            "there is no training data for kalah; choose chess or othello or checkers",
        ),
        (format!("{LINE} --out {other}"), "other is not a file of training positions; name another file with --out"),
        (
            format!("datagen checkers --nodes 60 --seed 3 --out {made}"),
            "holds other positions (--nodes was 50, and is 60); choose another --out",
        ),
        (format!("datagen chess --nodes 50 --seed 3 --out {made}"), "(the game was checkers, and is chess)"),
        (format!("datagen checkers --nodes 50 --out {made}"), "(--seed was 3, and is 1)"),
        (format!("{LINE} --out {}", folder.path("no/such/file")), "no/such/file"),
        (format!("{LINE} --games 0 --out {made}"), "--games '0': choose a whole number from 1"),
        (format!("{LINE} --games 1 --positions 1 --out {made}"), "--positions"),
        (String::from("datagen chess"), "--out <FILE> is missing; try 'emtee datagen --help'"),
    ] {
        let run = emtee(&line);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{line}: {run:?}");
        assert!(run.stderr.starts_with("error: ") && run.stderr.lines().count() == 1, "{line}: {run:?}");
        assert!(run.stderr.contains(message), "{line}: {}", run.stderr);
    }
    assert!(std::fs::read(&made).expect("a file") == before);
}
