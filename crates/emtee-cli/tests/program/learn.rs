//! Learning an evaluation, and using it.

use crate::{Folder, Run, column, emtee};

/// Learns tic-tac-toe, which takes a fraction of a second.
fn learn(folder: &Folder, name: &str, more: &str) -> Run {
    let [out, run] = ["learned", "run"].map(|ending| folder.path(&format!("{name}.{ending}")));
    emtee(&format!("learn tictactoe --work 20000000 --json --out {out} --folder {run} {more}"))
}

#[test]
fn a_learned_evaluation_is_an_evaluator_of_all_commands() {
    let folder = Folder::new("learn");
    let rows = learn(&folder, "one", "").rows();
    let (summary, generations) = rows.split_last().expect("rows");
    assert_eq!(
        (&summary["summary"], &summary["game"], &summary["work"]),
        (&true.into(), &"tictactoe".into(), &20_000_000.into())
    );
    assert_eq!(column(generations, "generation"), (0..generations.len()).collect::<Vec<_>>());
    assert!(generations.len() > 3 && generations[0]["elo"].is_null(), "{rows:?}");
    for row in &generations[1..] {
        let [low, elo, high] = ["elo_low", "elo", "elo_high"].map(|field| row[field].as_f64().expect("a number"));
        assert!(low < elo && elo < high, "{row}");
        assert_eq!(row["accepted"], elo >= 0.0, "{row}");
    }
    let bytes = std::fs::read(folder.0.join("one.learned")).expect("a file");
    assert_eq!(summary["bytes"], bytes.len());
    let curve = std::fs::read_to_string(folder.0.join("one.run/learning-curve.svg")).expect("a figure");
    assert_eq!(curve.matches("<circle").count(), generations.len() - 1);

    let learned = format!("learned:{}", folder.path("one.learned"));
    let value = |more: &str| emtee(&format!("search tictactoe --depth 2 --json {more}")).row()["value"].clone();
    assert_ne!(value(&format!("--evaluator {learned}")), value(""));
    let compared = emtee(&format!("compare tictactoe --depth 3 --evaluator {learned} --algorithms mtd-f,sss,minimax"));
    assert!(compared.text().contains("all values agree"), "{}", compared.stdout);
    let games = format!("match tictactoe mtd-f,evaluator={learned},name=a mtd-f,name=b --games 2 --depth 2 --json");
    assert_eq!(emtee(&games).row()["games"], 2);
    // The run is finished: it is not learned again.
    assert_eq!(learn(&folder, "one", "").rows(), rows);
    // Equal work gives equal bytes; another seed gives others.
    learn(&folder, "two", "").rows();
    learn(&folder, "three", "--seed 2").rows();
    let [two, three] =
        ["two", "three"].map(|name| std::fs::read(folder.0.join(format!("{name}.learned"))).expect("a file"));
    assert!(two == bytes && three != bytes);
}

#[test]
fn bad_files_and_folders_are_refused() {
    let folder = Folder::new("learn-refused");
    learn(&folder, "one", "").rows();
    let bytes = std::fs::read(folder.0.join("one.learned")).expect("a file");
    let other = folder.file("other", "what is this?");
    let cut = folder.file("cut", &bytes[..bytes.len() / 2]);
    let one = folder.path("one.learned");
    for (line, message) in [
        (
            format!("search tictactoe --evaluator learned:{other}"),
            "other' is not a learned evaluation that can be used: it is not a file of 'emtee learn'",
        ),
        (format!("search tictactoe --evaluator learned:{cut}"), "the file is damaged or incomplete; learn it again"),
        (format!("search connect4 --evaluator learned:{one}"), "it was learned for tictactoe, not for connect4"),
        (format!("search tictactoe --evaluator learned:{}", folder.path("no")), "No such file"),
        (String::from("search tictactoe --evaluator learned:/dev/zero"), "it is too large for a file of 'emtee learn'"),
        (format!("learn tictactoe --work 5000 --out {}", folder.path("no/file")), "--out: there is no folder"),
        (String::from("search tictactoe --evaluator none"), "choose own or learned:FILE"),
        (
            format!("learn tictactoe --work 20000000 --seed 2 --folder {}", folder.path("one.run")),
            "one.run holds another run (tictactoe, seed 1, --work 20000000); choose another --folder",
        ),
        (String::from("learn tictactoe --minutes 0"), "--minutes '0': choose a whole number from 1"),
        (String::from("learn tictactoe --minutes 1 --work 5000"), "--minutes"),
        (format!("learn tictactoe --work 5000 --folder {other}"), "other"),
        (String::from("learn nothing"), "nothing"),
    ] {
        let run = emtee(&line);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{line}: {run:?}");
        assert!(run.stderr.starts_with("error: ") && run.stderr.lines().count() == 1, "{line}: {run:?}");
        assert!(run.stderr.contains(message), "{line}: {}", run.stderr);
    }
}
