//! Endings databases: building, finding, probing, errors.

use crate::{Folder, Run, command, emtee, words};

#[test]
fn a_database_is_built_once_and_verified() {
    let folder = Folder::new("tablebase");
    let file = folder.path("three");
    let rows = emtee(&format!("tablebase checkers --pieces 3 --out {file} --verify --json")).rows();
    let summaries: Vec<_> = rows.iter().filter(|row| row["summary"] == true).collect();
    assert_eq!(summaries.len(), 2);
    let [won, drawn, lost] = ["wins", "draws", "losses"].map(|what| summaries[1][what].as_u64());
    assert_eq!([won, drawn, lost], [Some(100_250), Some(8_477), Some(87_305)]);
    let kings = rows.iter().find(|row| row["material"] == "0m2k v 0m1k").expect("a row for every material");
    assert_eq!((&kings["wins"], &kings["draws"]), (&14_846.into(), &34.into()));
    let last = &rows[rows.len() - 1];
    assert_eq!((&last["built"], &last["verified"], &last["positions"]), (&true.into(), &true.into(), &199_520.into()));
    assert_eq!(last["bytes"].as_u64(), std::fs::metadata(&file).ok().map(|about| about.len()));

    let again = emtee(&format!("tablebase checkers --pieces 3 --out {file}"));
    assert!(again.text().contains("(already built)"), "{}", again.stdout);
    assert!(again.text().contains("100,250"), "{}", again.stdout);
    let some = emtee(&format!("tablebase checkers --pieces 3 --out {file} --verify --sample 5000"));
    assert!(some.text().contains("verified: 5,000 random values are the best of"), "{}", some.stdout);
    let left: Vec<_> = std::fs::read_dir(&folder.0).expect("a folder").collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

/// Runs with its own folder for databases.
fn with_folder(folder: &Folder, line: &str) -> Run {
    Run::of(command(&words(line)).env("EMTEE_DATA", &folder.0).output().expect("the program runs"))
}

#[test]
fn the_default_folder_is_searched() {
    let folder = Folder::new("tablebase-home");
    with_folder(&folder, "tablebase checkers --pieces 3 --json").rows();
    assert!(folder.0.join("checkers-3.endings").exists());
    // Without a database no search ends: the king can move back and forth.
    let draw = with_folder(&folder, "solve checkers --position B:WK1:BK5 --json").row();
    assert_eq!((&draw["outcome"], &draw["exact"]), (&"draw".into(), &true.into()));
    let win = with_folder(&folder, "solve checkers --position B:WK32:BK18,K19 --json").row();
    assert_eq!(win["outcome"], "win");
    let line = win["pv"].as_array().expect("a line");
    let moves: Vec<_> = line.iter().filter_map(|m| m.as_str()).collect();
    let end =
        emtee(&format!("search checkers --position B:WK32:BK18,K19 --moves {} --depth 1 --json", moves.join(",")));
    assert_eq!(end.row()["loss_in"], 0, "the line ends with the game");
    // One piece more than in the database: the search reaches it.
    let four = with_folder(&folder, "solve checkers --position B:W18,K32:BK19,15 --json").row();
    assert_eq!(four["exact"], true);
}

#[test]
fn a_search_uses_a_named_database_only() {
    let folder = Folder::new("tablebase-search");
    let file = folder.path("three");
    emtee(&format!("tablebase checkers --pieces 3 --out {file} --json")).rows();
    let search = "search checkers --position B:WK32:BK18,K19 --depth 2 --json";
    let with = emtee(&format!("{search} --endings {file}")).row();
    assert!(with["value"].as_i64() >= Some(20_000), "{with}");
    let without = with_folder(&folder, search).row();
    assert!(without["value"].as_i64() < Some(20_000), "{without}");
    let players = format!("mtd-f,endings={file},chances=no mtd-f,endings={file}");
    let last = emtee(&format!("match checkers {players} --games 2 --nodes 100 --json")).row();
    assert_eq!(last["games"], 2, "{last}");
}

#[test]
fn bad_files_are_refused() {
    let folder = Folder::new("tablebase-refused");
    let file = folder.path("two");
    emtee(&format!("tablebase checkers --pieces 2 --out {file} --json")).rows();
    let other = folder.file("other", "what is this?");
    let mut bytes = std::fs::read(&file).expect("a file");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    let damaged = folder.file("damaged", bytes);
    for (line, message) in [
        (String::from("tablebase chess --pieces 3"), "error: there are no endings databases for chess"),
        (String::from("tablebase checkers --pieces 7"), "error: --pieces '7': choose a whole number from 2 to 6"),
        (String::from("tablebase checkers --pieces 3 --sample 9"), "error: --verify is missing"),
        (String::from("engine chess --endings none.such"), "error: there are no endings databases for chess"),
        (format!("search chess --depth 1 --endings {file}"), "error: there are no endings databases for chess"),
        (format!("match chess mtd-f,endings={file} mtd-f"), "error: there are no endings databases for chess"),
        (format!("tablebase checkers --pieces 3 --out {file}"), "has 2 pieces; name another file with --out"),
        (
            format!("tablebase checkers --pieces 3 --out {other}"),
            "this is not an endings database; remove it, or name another",
        ),
        (
            format!("search checkers --depth 1 --endings {damaged}"),
            "the file is damaged: block 1 does not match its checksum",
        ),
        (format!("solve checkers --endings {}", folder.path("nowhere")), "error: cannot use "),
        (format!("solve checkers --endings {}", folder.path("")), "error: cannot use "),
        // An endless file is refused by its header.
        #[cfg(unix)]
        (String::from("search checkers --depth 1 --endings /dev/zero"), "this is not an endings database"),
    ] {
        let run = emtee(&line);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{line}");
        assert!(run.stderr.contains(message) && run.stderr.lines().count() == 1, "{line}: {}", run.stderr);
    }
    // More positions than there are, and more than fit into memory.
    let all = emtee(&format!("tablebase checkers --pieces 2 --out {file} --verify --sample 18446744073709551615"));
    let message = "error: --sample 18446744073709551615 exceeds the number of positions, 3488; leave it out to check all of them\n";
    assert_eq!((all.code, all.stderr.as_str()), (Some(2), message));
    let nowhere = emtee(&format!("tablebase checkers --pieces 2 --out {other}/file"));
    assert_eq!(nowhere.code, Some(1), "{nowhere:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_file() {
    let folder = Folder::new("tablebase-stopped");
    let line = format!("tablebase checkers --pieces 5 --out {}", folder.path("five"));
    let child = command(&words(&line)).spawn().expect("the program runs");
    // If the handler is not installed yet, which may take long on a busy machine, the signal kills the process.
    std::thread::sleep(std::time::Duration::from_millis(500));
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    let run = Run::of(child.wait_with_output().expect("it ends"));
    assert!(matches!(run.code, None | Some(130)) && run.stdout.is_empty(), "{run:?}");
    assert_eq!(std::fs::read_dir(&folder.0).expect("a folder").count(), 0);
}
