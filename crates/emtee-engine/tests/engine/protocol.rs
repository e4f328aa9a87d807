//! Dialogues held in memory, as a program around an engine would hold them.

mod answers;
mod books;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use emtee::Size;

use emtee_engine::{Error, Play, Protocol, Registry, Setup, speak};

/// The other side of a dialogue.
struct Talk {
    to: Option<Sender<Vec<u8>>>,
    from: Receiver<String>,
    thread: JoinHandle<Result<(), Error>>,
}

struct Ear(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Ear {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let count = self.1.len().min(into.len());
        into[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

struct Mouth(Sender<String>, Vec<u8>);

impl Write for Mouth {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend_from_slice(bytes);
        while let Some(end) = self.1.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.1.drain(..=end).collect();
            let line = String::from_utf8_lossy(&line).trim_end().to_owned();
            self.0.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Talk {
    fn with(game: &'static str, change: impl FnOnce(&mut Setup)) -> Talk {
        let mut setup = Setup::new(Play::default().with_hash(Size::of_bytes(1 << 20)));
        setup.most_hash = 4;
        change(&mut setup);
        let (to, heard) = channel();
        let (said, from) = channel();
        let thread = thread::spawn(move || {
            let registry = Registry::standard();
            let mut input: Box<dyn BufRead> = Box::new(BufReader::new(Ear(heard, Vec::new())));
            speak(registry.get(game)?, &setup, &mut *input, &mut Mouth(said, Vec::new()))
        });
        Talk { to: Some(to), from, thread }
    }

    fn about(game: &'static str) -> Talk {
        Talk::with(game, |_| ())
    }

    fn say(&self, line: impl AsRef<[u8]>) {
        let bytes = [line.as_ref(), b"\n"].concat();
        self.to.as_ref().unwrap().send(bytes).unwrap();
    }

    /// Everything said up to the first line that begins so.
    fn until(&self, begin: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.from.recv_timeout(Duration::from_secs(120)) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("'{begin}' never came ({error}): {lines:#?}"),
            }
            if lines.last().is_some_and(|line| line.starts_with(begin)) {
                return lines;
            }
        }
    }

    /// The first line that begins so.
    fn expect(&self, begin: &str) -> String {
        self.until(begin).pop().unwrap()
    }

    /// Says nothing more, and hears the rest.
    fn end(mut self) -> Vec<String> {
        self.to = None;
        self.thread.join().unwrap().unwrap();
        self.from.iter().collect()
    }
}

#[test]
fn uci_introduces_itself_and_plays() {
    let talk = Talk::about("chess");
    talk.say("uci");
    let lines = talk.until("uciok");
    assert!(lines[0].starts_with("id name emtee "), "{lines:?}");
    assert!(lines.contains(&"option name UCI_Elo type spin default 1950 min 1000 max 1950".into()), "{lines:?}");
    for option in ["Hash", "Clear Hash", "Threads", "MultiPV", "Move Overhead", "Ponder", "UCI_Chess960", "UCI_Elo"] {
        let begin = format!("option name {option} type ");
        assert!(lines.iter().any(|line| line.starts_with(&begin)), "{option}");
    }
    talk.say("isready");
    assert_eq!(talk.expect("readyok"), "readyok");
    talk.say("position startpos moves e2e4 e7e5");
    talk.say("go depth 4");
    let lines = talk.until("bestmove");
    let depths: Vec<&str> = lines.iter().filter_map(|line| line.split(' ').nth(2)).take(4).collect();
    assert_eq!(depths, ["1", "2", "3", "4"], "one line an iteration: {lines:#?}");
    for part in [" seldepth ", " score cp ", " nodes ", " nps ", " hashfull ", " time ", " pv "] {
        assert!(lines[3].contains(part), "{}", lines[3]);
    }
    talk.say("quit");
    assert_eq!(talk.end(), [""; 0]);
}

#[test]
fn uci_answers_while_it_thinks_and_when_it_is_stopped() {
    let talk = Talk::about("chess");
    talk.say("go infinite");
    talk.expect("info depth 3");
    talk.say("isready");
    talk.expect("readyok");
    talk.say("stop");
    talk.expect("bestmove");
    // A second `go` ends the first, and each is answered once.
    for go in ["go infinite", "go wtime 999999 btime 999999", "go ponder movetime 1", "go depth 2"] {
        talk.say(go);
    }
    talk.say("isready");
    for _ in 0..4 {
        talk.expect("bestmove");
    }
    assert!(talk.end().iter().all(|line| line == "readyok"));
}

#[test]
fn uci_ponders_until_the_opponent_has_moved() {
    let talk = Talk::about("chess");
    talk.say("position startpos moves e2e4 e7e5");
    talk.say("go ponder movetime 1");
    let before = talk.until("info depth 5");
    assert!(before.iter().all(|line| !line.starts_with("bestmove")), "{before:?}");
    talk.say("ponderhit");
    talk.expect("bestmove");
    // It waits even when it knows everything.
    talk.say("position fen 7k/8/5KQ1/8/8/8/8/8 w - - 0 1");
    talk.say("go ponder wtime 1000 btime 1000");
    talk.expect("info depth 1 ");
    talk.say("isready");
    assert!(talk.until("readyok").iter().all(|line| !line.starts_with("bestmove")));
    talk.say("stop");
    assert_eq!(talk.expect("bestmove"), "bestmove g6g7");
    talk.end();
}

#[test]
fn uci_finds_mates_and_says_how_far() {
    let talk = Talk::about("chess");
    talk.say("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    talk.say("go mate 1");
    let lines = talk.until("bestmove a1a8");
    assert!(lines[lines.len() - 2].contains(" score mate 1 "), "{lines:?}");
    talk.say("position fen 7k/8/5KQ1/8/8/8/8/8 b - - 0 1");
    talk.say("go depth 3");
    talk.expect("bestmove (none)"); // Stalemate.
    talk.end();
}

#[test]
fn uci_writes_castling_as_the_gui_reads_it() {
    let talk = Talk::about("chess");
    let fen = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (chess960, castling) in [("false", "e1g1"), ("true", "e1h1")] {
        talk.say(format!("setoption name UCI_Chess960 value {chess960}"));
        for read in ["e1g1", "e1h1"] {
            talk.say(format!("{fen} moves {read} e8e7"));
            talk.say("go depth 1");
            assert!(!talk.expect("bestmove").contains("none"));
        }
        talk.say(fen);
        talk.say(format!("go depth 1 searchmoves {castling}"));
        talk.expect(&format!("bestmove {castling}"));
    }
    // The king may step to where castling would take it, and both are different moves.
    talk.say("position fen 4k3/8/8/8/8/8/8/5K1R w K - 0 1 moves f1g1 e8e7");
    talk.say("go depth 1 searchmoves h1h2");
    talk.expect("bestmove h1h2");
    talk.say("position fen 4k3/8/8/8/8/8/8/5K1R w K - 0 1 moves f1h1 e8e7");
    talk.say("go depth 1 searchmoves f1e1");
    talk.expect("bestmove f1e1");
    talk.end();
}

#[test]
fn uci_shows_several_lines() {
    let talk = Talk::about("chess");
    talk.say("setoption name MultiPV value 3");
    talk.say("go depth 3");
    let lines = talk.until("bestmove");
    assert_eq!(lines.len(), 3 * 3 + 1, "{lines:#?}");
    for (at, line) in lines[..9].iter().enumerate() {
        assert!(line.starts_with(&format!("info depth {} ", at / 3 + 1)), "{line}");
        assert!(line.contains(&format!(" multipv {} ", at % 3 + 1)), "{line}");
    }
    talk.end();
}

#[test]
fn uci_plays_weaker_when_it_is_asked_to() {
    let talk = Talk::about("chess");
    talk.say("setoption name UCI_LimitStrength value true");
    talk.say("setoption name UCI_Elo value 1000");
    talk.say("go infinite");
    talk.say("stop");
    talk.expect("bestmove");
    talk.say("go wtime 60000 btime 60000");
    let lines = talk.until("bestmove");
    let nodes = |line: &String| line.split(" nodes ").nth(1)?.split(' ').next()?.parse::<u64>().ok();
    let counted: Vec<u64> = lines.iter().filter_map(nodes).collect();
    assert!(!counted.is_empty() && counted.iter().all(|nodes| *nodes <= 2_000), "{lines:?}");
    talk.end();
}

#[test]
fn uci_survives_what_makes_no_sense() {
    let talk = Talk::about("chess");
    for line in [
        "position fen not a position",
        "position startpos moves e2e5",
        "position",
        "setoption name Hash value 99999999",
        "setoption name Hash value -1",
        "setoption name Threads value 9999",
        "setoption name Nonsense value 3",
        "setoption name Algorithm value minimax",
        "setoption Hash 3",
        "setoption name UCI_Elo value high",
        "setoption name UCI_Elo value 3000",
        "go depth 1 searchmoves e2e5",
    ] {
        talk.say(line);
        let complaint = talk.expect("info string ");
        assert!(complaint.len() < 400, "{complaint}");
    }
    talk.expect("bestmove");
    for line in ["", "   ", "hello", "go go go", "stop stop", "\u{0}\u{1}", "ponderhit", "register later", "debug on"] {
        talk.say(line);
    }
    talk.say([0xff, 0xfe, b'u', b'c', b'i']);
    talk.say(vec![b'x'; 3 << 20]);
    talk.expect("info string a line is longer");
    talk.say("isready");
    talk.expect("readyok");
    talk.say("setoption name Algorithm value aspiration-negascout");
    talk.say("setoption name Hash value 2");
    // A game of a hundred thousand moves.
    talk.say(format!("position startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(25_000)));
    talk.say("go nodes 100");
    talk.expect("bestmove");
    talk.say("go depth 2 searchmoves Nf3");
    talk.expect("bestmove g1f3");
    talk.say("setoption name Threads value 2");
    talk.say("ucinewgame");
    talk.say("go nodes 20000");
    talk.expect("bestmove");
    talk.say("go infinite");
    talk.expect("info depth 4");
    talk.say("stop");
    talk.expect("bestmove");
    talk.end();
}

#[test]
fn uci_speaks_of_any_game() {
    let talk = Talk::with("kalah", |setup| setup.protocol = Some(Protocol::Uci));
    talk.say("position startpos");
    talk.say("go depth 5");
    talk.expect("bestmove");
    talk.end();
    let registry = Registry::standard();
    let mut setup = Setup::new(Play::default());
    setup.protocol = Some(Protocol::Hub);
    let refused = speak(registry.get("chess").unwrap(), &setup, &mut io::empty(), &mut io::sink()).unwrap_err();
    assert_eq!(refused.to_string(), "no engine here speaks hub of chess; choose uci");
}

#[test]
fn an_engine_ends_when_nobody_speaks_or_listens() {
    let talk = Talk::about("chess");
    talk.say("go infinite");
    let rest = talk.end();
    assert_eq!(rest.iter().filter(|line| line.starts_with("bestmove")).count(), 1, "{rest:?}");
    let mut talk = Talk::about("chess");
    talk.from = channel().1;
    for _ in 0..2 {
        talk.say("isready");
    }
    // The other end is still there, but not for us.
    talk.thread.join().unwrap().unwrap();
}

#[test]
fn hub_shakes_hands_and_plays() {
    let talk = Talk::about("checkers");
    talk.say("hub");
    let lines = talk.until("wait");
    assert!(lines[0].starts_with("id name=emtee "), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("param name=variant value=english ")));
    talk.say("set-param name=hash value=2");
    talk.say("init");
    talk.expect("ready");
    talk.say("new-game");
    talk.say("pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-15 22-18 15x22x18\"");
    talk.say("level depth=5");
    talk.say("go think");
    let lines = talk.until("done move=");
    assert!(lines[0].starts_with("info depth=1 score="), "{lines:?}");
    let done = &lines[lines.len() - 1];
    assert!(done.starts_with("done move=25x18x22") || done.starts_with("done move=26x17x22"), "{done}");
    talk.say("level infinite");
    talk.say("go analyze");
    talk.expect("info depth=3");
    talk.say("ping");
    talk.expect("pong");
    talk.say("stop");
    talk.expect("done move=");
    talk.say("level move-time=0.001");
    talk.say("go ponder");
    talk.expect("info depth=6");
    talk.say("ponder-hit");
    talk.expect("done move=");
    talk.say("quit");
    talk.end();
}

#[test]
fn hub_writes_all_captured_squares() {
    let talk = Talk::about("checkers");
    talk.say("level depth=3");
    talk.say("pos pos=WeeeeeeeeeeeeebbeeeeeebbeeWeeeeee");
    talk.say("go think");
    talk.expect("done move=26x26x14x15x22x23");
    // In any order when read.
    talk.say("pos pos=WeeeeeeeeeeeeebbeeeeeebbeeWeeeeeb moves=\"26x26x23x14x22x15\"");
    talk.expect("error message="); // A man of Black's cannot stand on 32.
    talk.say("pos pos=WbeeeeeeeeeeeebbeeeeeebbeeWeeeeee moves=\"26x26x23x14x22x15\"");
    talk.say("go think");
    talk.expect("done move=1-");
    talk.end();
}

#[test]
fn hub_survives_what_makes_no_sense() {
    let talk = Talk::about("checkers");
    for line in [
        "pos",
        "pos pos=W",
        "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
        "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-16 \"\"",
        "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"1-5\"",
        "level",
        "level time=soon",
        "set-param name=variant value=frisian",
        "set-param",
    ] {
        talk.say(line);
        if line != "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-16 \"\"" {
            talk.expect("error message=\"");
        }
    }
    talk.say("pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww");
    talk.say("go nowhere");
    talk.say("stop");
    talk.expect("done move=");
    talk.say("pos pos=WbeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeB");
    talk.say("go think");
    talk.expect("error message=\"the game is over\"");
    talk.say("ping");
    talk.expect("pong");
    talk.end();
}

const GGF: &str = "(;GM[Othello]PB[Ann]PW[Bob]RE[?]TI[5:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)";

#[test]
fn nboard_plays_hints_and_analyzes() {
    let talk = Talk::about("othello");
    talk.say("nboard 2");
    talk.expect("set myname emtee");
    talk.say("set depth 4");
    talk.say(format!("set game {GGF}"));
    talk.say("ping 1");
    talk.expect("pong 1");
    talk.say("go");
    let lines = talk.until("=== ");
    assert!(lines.iter().any(|line| line.starts_with("search ")), "{lines:?}");
    let answer = lines.last().unwrap().trim_start_matches("=== ");
    let m = answer.split('/').next().unwrap();
    assert_eq!((m.len(), answer.split('/').count()), (2, 3), "{answer}");
    talk.say(format!("move {answer}"));
    talk.say("hint 3");
    talk.expect("status analyzing");
    let lines = talk.until("status");
    let last: Vec<&String> = lines.iter().filter(|line| line.split(' ').nth(4) == Some("4")).collect();
    assert_eq!(last.len(), 3, "{lines:#?}");
    talk.say("analyze");
    let lines = talk.until("analysis 0 ");
    let plies: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("analysis ")?.split(' ').next()).collect();
    assert_eq!(plies, ["3", "2", "1", "0"]);
    talk.say("learn");
    talk.expect("learned");
    talk.say("quit");
    talk.end();
}

#[test]
fn nboard_knows_what_is_exact_and_passes() {
    let talk = Talk::about("othello");
    talk.say("set depth 60");
    let board = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO-".replace('X', "*");
    talk.say(format!("set game (;GM[Othello]PB[]PW[]RE[?]TY[8]BO[8 {board} O];)"));
    talk.say("hint 1");
    talk.expect("status analyzing");
    let lines = talk.until("status");
    let exact = |line: &String| line.starts_with("search PA") && line.ends_with(" -64.00 0 100%");
    assert!(lines.iter().any(exact), "{lines:?}");
    talk.say("go");
    talk.expect("=== PA/-64.00/");
    talk.end();
}

#[test]
fn nboard_survives_what_makes_no_sense() {
    let talk = Talk::about("othello");
    for line in ["set game (;", "set game", "move Z9", "move", "set depth deep", "set contempt 3"] {
        talk.say(line);
        talk.expect("status ");
    }
    for line in ["", "set", "nonsense", "F5", "hint x"] {
        talk.say(line);
    }
    talk.say("ping 7");
    talk.expect("pong 7");
    talk.end();
}

/// Whatever is offered can be chosen, from whatever the engine was before.
#[test]
fn every_algorithm_on_offer_is_accepted() {
    for game in ["chess", "kalah"] {
        let talk = Talk::with(game, |setup| setup.protocol = Some(Protocol::Uci));
        talk.say("uci");
        let options = talk.until("uciok");
        let line = options.iter().find(|line| line.starts_with("option name Algorithm ")).unwrap();
        let names: Vec<&str> = line.split(" var ").skip(1).collect();
        assert!(names.len() >= 8 && names.contains(&"mtd-f"), "{line}");
        for name in names {
            talk.say(format!("setoption name Algorithm value {name}"));
        }
        talk.say("isready");
        assert_eq!(talk.until("readyok"), ["readyok"]);
        talk.end();
    }
    let talk = Talk::about("checkers");
    talk.say("hub");
    let parameters = talk.until("wait");
    let line = parameters.iter().find(|line| line.starts_with("param name=algorithm ")).unwrap();
    let names = line.split("values=\"").nth(1).unwrap().trim_end_matches('"');
    assert!(names.contains("mtd-f "), "{line}");
    for name in names.split(' ') {
        talk.say(format!("set-param name=algorithm value={name}"));
    }
    talk.say("ping");
    assert_eq!(talk.until("pong"), ["pong"]);
    talk.end();
}

/// What an engine plays now is on offer, steps and all, as programs around it expect of a default.
#[test]
fn the_present_algorithm_is_on_offer() {
    for (algorithm, selective) in [("mtd-step:50", true), ("alpha-beta", false)] {
        let talk = Talk::with("chess", |setup| {
            setup.play.options.algorithm = algorithm.parse().unwrap();
            setup.play.selective = selective;
        });
        talk.say("uci");
        let line = talk.expect("option name Algorithm ");
        assert!(
            line.contains(&format!(" default {algorithm} ")) && line.contains(&format!(" var {algorithm}")),
            "{line}"
        );
        talk.end();
    }
}

/// The nodes of a search to the same depth, before and after a line.
fn nodes_around(talk: &Talk, line: &str) -> [u64; 2] {
    let nodes = || {
        talk.say("go depth 7");
        let lines = talk.until("bestmove");
        let last = lines.iter().rfind(|line| line.starts_with("info depth 7 ")).unwrap();
        last.split(" nodes ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap().parse().unwrap()
    };
    let before = nodes();
    talk.say(line);
    [before, nodes()]
}

/// A table that is kept knows most of what is asked again.
#[test]
fn options_that_do_not_concern_the_table_keep_it() {
    for line in [
        "setoption name Move Overhead value 77",
        "setoption name UCI_Chess960 value true",
        "setoption name UCI_Elo value 1300",
        "setoption name Ponder value true",
        "setoption name Hash value 1",
        "setoption name Threads value 2",
        "setoption name Algorithm value mtd-gallop",
        "setoption name Algorithm value negascout",
        // Nor does what is refused.
        "setoption name Algorithm value minimax",
        "setoption name Algorithm value alpha-beta",
        "setoption name Hash value 99999999",
        "setoption name Threads value 99999",
    ] {
        let [before, after] = nodes_around(&Talk::about("chess"), line);
        assert!(after * 4 < before, "{line}: {before} nodes before, {after} after");
    }
    for line in ["setoption name Clear Hash", "setoption name Hash value 2", "ucinewgame"] {
        let [before, after] = nodes_around(&Talk::about("chess"), line);
        assert!(after * 4 > before, "{line}: {before} nodes before, {after} after");
    }
}

/// What is said to an engine that hears no more after this, and all it answers.
fn piped(game: &str, said: &str) -> String {
    let registry = Registry::standard();
    let setup = Setup::new(Play::default().with_hash(Size::of_bytes(1 << 20)));
    let mut answered = Vec::new();
    speak(registry.get(game).unwrap(), &setup, &mut said.as_bytes(), &mut answered).unwrap();
    String::from_utf8(answered).unwrap()
}

#[test]
fn the_end_of_the_input_waits_for_a_limited_search() {
    let pos = "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";
    for (game, said, found, answer) in [
        ("chess", String::from("position startpos\ngo depth 6\n"), "info depth 6 ", "bestmove "),
        ("chess", String::from("position startpos\ngo depth 6"), "info depth 6 ", "bestmove "),
        ("chess", String::from("go nodes 5000"), "info depth 3 ", "bestmove "),
        ("chess", String::from("go movetime 200"), "info depth 3 ", "bestmove "),
        ("chess", String::from("go ponder depth 5\nponderhit"), "info depth 5 ", "bestmove "),
        ("checkers", format!("{pos}\nlevel depth=6\ngo think\n"), "info depth=6 ", "done move="),
        ("checkers", format!("{pos}\nlevel nodes=5000\ngo think\n"), "info depth=5 ", "done move="),
        ("othello", String::from("set depth 6\ngo\n"), " 0 6\n", "=== "),
        ("othello", String::from("set depth 3\nmove F5\nanalyze\n"), "analysis 1 ", "analysis 0 "),
    ] {
        let answered = piped(game, &said);
        assert!(answered.contains(found) && answered.contains(answer), "{said}: {answered}");
    }
}

#[test]
fn the_end_of_the_input_stops_what_has_no_end() {
    for (game, said, answer) in [
        ("chess", "go infinite\n", "bestmove "),
        ("chess", "go\n", "bestmove "),
        ("chess", "go ponder movetime 1\n", "bestmove "),
        ("chess", "go mate 5\n", "bestmove "),
        ("chess", "go depth 200\nquit\n", "bestmove "),
        ("checkers", "level infinite\ngo think\n", "done move="),
        ("checkers", "level depth=5\ngo ponder\n", "done move="),
    ] {
        let answered = piped(game, said);
        assert_eq!(answered.matches(answer).count(), 1, "{said}: {answered}");
    }
}

/// Whoever hears the first few lines and no more.
struct Deaf(usize);

impl Write for Deaf {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_search_that_nobody_hears_of_is_not_finished() {
    let registry = Registry::standard();
    let setup = Setup::new(Play::default().with_hash(Size::of_bytes(1 << 20)));
    // Nobody would live to see depth 100.
    speak(registry.get("chess").unwrap(), &setup, &mut &b"go depth 100\n"[..], &mut Deaf(4)).unwrap();
}
