//! The opening book options of the protocols.

use emtee_engine::Book;

use super::*;

/// The contents of files for the engine, which reads none itself.
fn read(file: &str) -> Result<String, String> {
    match file {
        "a4.book" => Ok(String::from("emtee book chess\na2a4 0\n h7h5 0\n")),
        "two words" => Ok(String::from("emtee book checkers\n9-13 0\n 22-18 0\n")),
        "bad" => Ok(String::from("emtee book chess\na2a5 0\n")),
        _ => Err(format!("cannot read {file}")),
    }
}

#[test]
fn uci_plays_from_a_book_on_request() {
    let session = Session::with("chess", |setup| setup.read_file = read);
    let first = |position: &str, go: &str| {
        session.send(format!("position {position}"));
        session.send(go);
        session.until("bestmove")
    };
    session.send("uci");
    let lines = session.until("uciok");
    for option in ["option name OwnBook type check default false", "option name Book File type string default <empty>"]
    {
        assert!(lines.iter().any(|line| line == option), "{option}");
    }
    session.send("setoption name Book File value a4.book");
    assert!(first("startpos", "go depth 2").len() > 1, "it is off");
    session.send("setoption name OwnBook value true");
    assert_eq!(first("startpos", "go wtime 1000 btime 1000"), ["bestmove a2a4 ponder h7h5"]);
    assert_eq!(first("startpos moves a2a4", "go depth 2"), ["bestmove h7h5"]);
    assert!(first("startpos moves a2a4 h7h5", "go depth 2").len() > 1, "the book ends here");
    session.send("setoption name UCI_AnalyseMode value true");
    assert!(first("startpos", "go depth 2").len() > 1, "no book in analysis");
    session.send("setoption name UCI_AnalyseMode value false");
    session.send("ucinewgame");
    assert_eq!(first("startpos", "go movetime 10"), ["bestmove a2a4 ponder h7h5"]);
    session.send("setoption name Book File value bad");
    let why = session.expect("info string");
    assert!(why.starts_with("info string bad: line 2: 'a2a5' is not a legal move here"), "{why}");
    session.send("setoption name Book File value nowhere");
    assert_eq!(session.expect("info string"), "info string cannot read nowhere");
    assert_eq!(first("startpos", "go movetime 10"), ["bestmove a2a4 ponder h7h5"], "the old one is kept");
    session.send("setoption name OwnBook value perhaps");
    assert_eq!(session.expect("info string"), "info string OwnBook is true or false");
    session.send("setoption name Book File value <empty>");
    assert_eq!(first("startpos", "go movetime 10").len(), 1, "chess has a book of its own");
    session.send("setoption name OwnBook value false");
    assert!(first("startpos", "go depth 2").len() > 1);
}

#[test]
fn a_game_without_a_book_reports_it() {
    let session = Session::new("kalah");
    session.send("setoption name OwnBook value true");
    assert_eq!(
        session.expect("info string"),
        "info string no opening book comes with kalah; 'emtee book kalah --out FILE' makes one"
    );
    session.send("go depth 2");
    assert!(session.until("bestmove").len() > 1);
}

#[test]
fn hub_plays_from_a_book_on_request() {
    let session = Session::with("checkers", |setup| setup.read_file = read);
    session.send("hub");
    let lines = session.until("wait");
    for line in ["param name=book value=false type=bool", "param name=book-file value=\"\" type=string"] {
        assert!(lines.iter().any(|other| other == line), "{line}");
    }
    session.send("level depth=2");
    session.send("set-param name=book-file value=\"two words\"");
    session.send("set-param name=book value=true");
    session.send("go think");
    assert_eq!(session.until("done"), ["done move=9-13 ponder=22-18"]);
    session.send("go analyze");
    assert!(session.until("done").len() > 1);
    session.send("set-param name=book value=1");
    assert_eq!(session.expect("error"), "error message=\"book is true or false\"");
}

#[test]
fn nboard_plays_from_the_book_it_was_set_up_with() {
    let session = Session::with("othello", |setup| {
        let registry = Registry::standard();
        let book = Book::read("emtee book othello\nf5 1\n d6 -1\n", registry.get("othello").unwrap()).unwrap();
        setup.play.book = Some(book.into());
    });
    session.send("nboard 2");
    session.send("set depth 2");
    session.send("move F5");
    session.send("go");
    assert_eq!(session.expect("==="), "=== D6/-1.00/0.00");
    session.send("hint 1");
    session.expect("search ");
    session.send("analyze");
    session.expect("analysis 0 ");
    session.expect("status");
}
