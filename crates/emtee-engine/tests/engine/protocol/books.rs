//! Opening books, as the options of the protocols have them.

use emtee_engine::Book;

use super::*;

/// What stands in files, for those who cannot read any.
fn read(file: &str) -> Result<String, String> {
    match file {
        "a4.book" => Ok(String::from("emtee book chess\na2a4 0\n h7h5 0\n")),
        "two words" => Ok(String::from("emtee book checkers\n9-13 0\n 22-18 0\n")),
        "bad" => Ok(String::from("emtee book chess\na2a5 0\n")),
        _ => Err(format!("cannot read {file}")),
    }
}

#[test]
fn uci_plays_from_a_book_when_it_is_told_to() {
    let talk = Talk::with("chess", |setup| setup.read = read);
    let first = |position: &str, go: &str| {
        talk.say(format!("position {position}"));
        talk.say(go);
        talk.until("bestmove")
    };
    talk.say("uci");
    let lines = talk.until("uciok");
    for option in ["option name OwnBook type check default false", "option name Book File type string default <empty>"]
    {
        assert!(lines.iter().any(|line| line == option), "{option}");
    }
    talk.say("setoption name Book File value a4.book");
    assert!(first("startpos", "go depth 2").len() > 1, "it is off");
    talk.say("setoption name OwnBook value true");
    assert_eq!(first("startpos", "go wtime 1000 btime 1000"), ["bestmove a2a4 ponder h7h5"]);
    assert_eq!(first("startpos moves a2a4", "go depth 2"), ["bestmove h7h5"]);
    assert!(first("startpos moves a2a4 h7h5", "go depth 2").len() > 1, "the book ends here");
    talk.say("setoption name UCI_AnalyseMode value true");
    assert!(first("startpos", "go depth 2").len() > 1, "whoever analyses wants to know");
    talk.say("setoption name UCI_AnalyseMode value false");
    talk.say("ucinewgame");
    assert_eq!(first("startpos", "go movetime 10"), ["bestmove a2a4 ponder h7h5"]);
    talk.say("setoption name Book File value bad");
    let why = talk.expect("info string");
    assert!(why.starts_with("info string bad: line 2: 'a2a5' is not a legal move here"), "{why}");
    talk.say("setoption name Book File value nowhere");
    assert_eq!(talk.expect("info string"), "info string cannot read nowhere");
    assert_eq!(first("startpos", "go movetime 10"), ["bestmove a2a4 ponder h7h5"], "the old one is kept");
    talk.say("setoption name OwnBook value perhaps");
    assert_eq!(talk.expect("info string"), "info string OwnBook is true or false");
    talk.say("setoption name Book File value <empty>");
    assert_eq!(first("startpos", "go movetime 10").len(), 1, "chess has a book of its own");
    talk.say("setoption name OwnBook value false");
    assert!(first("startpos", "go depth 2").len() > 1);
}

#[test]
fn a_game_without_a_book_says_so() {
    let talk = Talk::about("kalah");
    talk.say("setoption name OwnBook value true");
    assert_eq!(
        talk.expect("info string"),
        "info string no opening book comes with kalah; 'emtee book kalah --out FILE' makes one"
    );
    talk.say("go depth 2");
    assert!(talk.until("bestmove").len() > 1);
}

#[test]
fn hub_plays_from_a_book_when_it_is_told_to() {
    let talk = Talk::with("checkers", |setup| setup.read = read);
    talk.say("hub");
    let lines = talk.until("wait");
    for line in ["param name=book value=false type=bool", "param name=book-file value=\"\" type=string"] {
        assert!(lines.iter().any(|said| said == line), "{line}");
    }
    talk.say("level depth=2");
    talk.say("set-param name=book-file value=\"two words\"");
    talk.say("set-param name=book value=true");
    talk.say("go think");
    assert_eq!(talk.until("done"), ["done move=9-13 ponder=22-18"]);
    talk.say("go analyze");
    assert!(talk.until("done").len() > 1);
    talk.say("set-param name=book value=1");
    assert_eq!(talk.expect("error"), "error message=\"book is true or false\"");
}

#[test]
fn nboard_plays_from_the_book_it_was_set_up_with() {
    let talk = Talk::with("othello", |setup| {
        let registry = Registry::standard();
        let book = Book::read("emtee book othello\nf5 1\n d6 -1\n", registry.get("othello").unwrap()).unwrap();
        setup.play.book = Some(book.into());
    });
    talk.say("nboard 2");
    talk.say("set depth 2");
    talk.say("move F5");
    talk.say("go");
    assert_eq!(talk.expect("==="), "=== D6/-1.00/0.00");
    talk.say("hint 1");
    talk.expect("search ");
    talk.say("analyze");
    talk.expect("analysis 0 ");
    talk.expect("status");
}
