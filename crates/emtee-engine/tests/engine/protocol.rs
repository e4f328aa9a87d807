//! Protocol sessions in memory, from the side of the program that uses the engine.

mod answers;
mod books;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use emtee::Size;

use emtee_engine::{Error, Play, Protocol, Registry, Setup, run_protocol};

/// A session with an engine.
struct Session {
    to: Option<Sender<Vec<u8>>>,
    from: Receiver<String>,
    thread: JoinHandle<Result<(), Error>>,
}

struct InputPipe(Receiver<Vec<u8>>, Vec<u8>);

impl Read for InputPipe {
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

struct OutputPipe(Sender<String>, Vec<u8>);

impl Write for OutputPipe {
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

impl Session {
    fn with(game: &'static str, change: impl FnOnce(&mut Setup)) -> Session {
        let mut setup = Setup::new(Play::default().with_hash(Size::of_bytes(1 << 20)));
        setup.max_hash = 4;
        change(&mut setup);
        let (to, input) = channel();
        let (output, from) = channel();
        let thread = thread::spawn(move || {
            let registry = Registry::standard();
            let mut input: Box<dyn BufRead> = Box::new(BufReader::new(InputPipe(input, Vec::new())));
            run_protocol(registry.get(game)?, &setup, &mut *input, &mut OutputPipe(output, Vec::new()))
        });
        Session { to: Some(to), from, thread }
    }

    fn new(game: &'static str) -> Session {
        Session::with(game, |_| ())
    }

    fn send(&self, line: impl AsRef<[u8]>) {
        let bytes = [line.as_ref(), b"\n"].concat();
        self.to.as_ref().unwrap().send(bytes).unwrap();
    }

    /// All lines up to the first one with this prefix.
    fn until(&self, prefix: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.from.recv_timeout(Duration::from_secs(120)) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("no line starts with '{prefix}' ({error}): {lines:#?}"),
            }
            if lines.last().is_some_and(|line| line.starts_with(prefix)) {
                return lines;
            }
        }
    }

    /// The first line with this prefix.
    fn expect(&self, prefix: &str) -> String {
        self.until(prefix).pop().unwrap()
    }

    /// Ends the input and returns the remaining lines.
    fn end(mut self) -> Vec<String> {
        self.to = None;
        self.thread.join().unwrap().unwrap();
        self.from.iter().collect()
    }
}

#[test]
fn uci_lists_its_options_and_plays() {
    let session = Session::new("chess");
    session.send("uci");
    let lines = session.until("uciok");
    assert!(lines[0].starts_with("id name emtee "), "{lines:?}");
    assert!(lines.contains(&"option name UCI_Elo type spin default 1950 min 1000 max 1950".into()), "{lines:?}");
    for option in ["Hash", "Clear Hash", "Threads", "MultiPV", "Move Overhead", "Ponder", "UCI_Chess960", "UCI_Elo"] {
        let prefix = format!("option name {option} type ");
        assert!(lines.iter().any(|line| line.starts_with(&prefix)), "{option}");
    }
    session.send("isready");
    assert_eq!(session.expect("readyok"), "readyok");
    session.send("position startpos moves e2e4 e7e5");
    session.send("go depth 4");
    let lines = session.until("bestmove");
    let depths: Vec<&str> = lines.iter().filter_map(|line| line.split(' ').nth(2)).take(4).collect();
    assert_eq!(depths, ["1", "2", "3", "4"], "one line per iteration: {lines:#?}");
    for part in [" seldepth ", " score cp ", " nodes ", " nps ", " hashfull ", " time ", " pv "] {
        assert!(lines[3].contains(part), "{}", lines[3]);
    }
    session.send("quit");
    assert_eq!(session.end(), [""; 0]);
}

#[test]
fn uci_answers_while_thinking_and_after_a_stop() {
    let session = Session::new("chess");
    session.send("go infinite");
    session.expect("info depth 3");
    session.send("isready");
    session.expect("readyok");
    session.send("stop");
    session.expect("bestmove");
    // A second `go` ends the first one, and each gets one answer.
    for go in ["go infinite", "go wtime 999999 btime 999999", "go ponder movetime 1", "go depth 2"] {
        session.send(go);
    }
    session.send("isready");
    for _ in 0..4 {
        session.expect("bestmove");
    }
    assert!(session.end().iter().all(|line| line == "readyok"));
}

#[test]
fn uci_ponders_until_the_opponent_has_moved() {
    let session = Session::new("chess");
    session.send("position startpos moves e2e4 e7e5");
    session.send("go ponder movetime 1");
    let before = session.until("info depth 5");
    assert!(before.iter().all(|line| !line.starts_with("bestmove")), "{before:?}");
    session.send("ponderhit");
    session.expect("bestmove");
    // It waits even when the result is exact.
    session.send("position fen 7k/8/5KQ1/8/8/8/8/8 w - - 0 1");
    session.send("go ponder wtime 1000 btime 1000");
    session.expect("info depth 1 ");
    session.send("isready");
    assert!(session.until("readyok").iter().all(|line| !line.starts_with("bestmove")));
    session.send("stop");
    assert_eq!(session.expect("bestmove"), "bestmove g6g7");
    session.end();
}

#[test]
fn uci_shows_the_distance_to_mate() {
    let session = Session::new("chess");
    session.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    session.send("go mate 1");
    let lines = session.until("bestmove a1a8");
    assert!(lines[lines.len() - 2].contains(" score mate 1 "), "{lines:?}");
    session.send("position fen 7k/8/5KQ1/8/8/8/8/8 b - - 0 1");
    session.send("go depth 3");
    session.expect("bestmove (none)"); // Stalemate.
    session.end();
}

#[test]
fn uci_writes_castling_in_the_chosen_notation() {
    let session = Session::new("chess");
    let fen = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (chess960, castling) in [("false", "e1g1"), ("true", "e1h1")] {
        session.send(format!("setoption name UCI_Chess960 value {chess960}"));
        for read in ["e1g1", "e1h1"] {
            session.send(format!("{fen} moves {read} e8e7"));
            session.send("go depth 1");
            assert!(!session.expect("bestmove").contains("none"));
        }
        session.send(fen);
        session.send(format!("go depth 1 searchmoves {castling}"));
        session.expect(&format!("bestmove {castling}"));
    }
    // The king may also step to the square where castling would put it; the two moves differ.
    session.send("position fen 4k3/8/8/8/8/8/8/5K1R w K - 0 1 moves f1g1 e8e7");
    session.send("go depth 1 searchmoves h1h2");
    session.expect("bestmove h1h2");
    session.send("position fen 4k3/8/8/8/8/8/8/5K1R w K - 0 1 moves f1h1 e8e7");
    session.send("go depth 1 searchmoves f1e1");
    session.expect("bestmove f1e1");
    session.end();
}

#[test]
fn uci_shows_several_lines() {
    let session = Session::new("chess");
    session.send("setoption name MultiPV value 3");
    session.send("go depth 3");
    let lines = session.until("bestmove");
    assert_eq!(lines.len(), 3 * 3 + 1, "{lines:#?}");
    for (index, line) in lines[..9].iter().enumerate() {
        assert!(line.starts_with(&format!("info depth {} ", index / 3 + 1)), "{line}");
        assert!(line.contains(&format!(" multipv {} ", index % 3 + 1)), "{line}");
    }
    session.end();
}

#[test]
fn uci_limits_its_strength_on_request() {
    let session = Session::new("chess");
    session.send("setoption name UCI_LimitStrength value true");
    session.send("setoption name UCI_Elo value 1000");
    session.send("go infinite");
    session.send("stop");
    session.expect("bestmove");
    session.send("go wtime 60000 btime 60000");
    let lines = session.until("bestmove");
    let nodes = |line: &String| line.split(" nodes ").nth(1)?.split(' ').next()?.parse::<u64>().ok();
    let counted: Vec<u64> = lines.iter().filter_map(nodes).collect();
    assert!(!counted.is_empty() && counted.iter().all(|nodes| *nodes <= 2_000), "{lines:?}");
    session.end();
}

#[test]
fn uci_survives_invalid_input() {
    let session = Session::new("chess");
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
        session.send(line);
        let complaint = session.expect("info string ");
        assert!(complaint.len() < 400, "{complaint}");
    }
    session.expect("bestmove");
    for line in ["", "   ", "hello", "go go go", "stop stop", "\u{0}\u{1}", "ponderhit", "register later", "debug on"] {
        session.send(line);
    }
    session.send([0xff, 0xfe, b'u', b'c', b'i']);
    session.send(vec![b'x'; 3 << 20]);
    session.expect("info string a line is longer");
    session.send("isready");
    session.expect("readyok");
    session.send("setoption name Algorithm value aspiration-negascout");
    session.send("setoption name Hash value 2");
    // A game of a hundred thousand moves.
    session.send(format!("position startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(25_000)));
    session.send("go nodes 100");
    session.expect("bestmove");
    session.send("go depth 2 searchmoves Nf3");
    session.expect("bestmove g1f3");
    session.send("setoption name Threads value 2");
    session.send("ucinewgame");
    session.send("go nodes 20000");
    session.expect("bestmove");
    session.send("go infinite");
    session.expect("info depth 4");
    session.send("stop");
    session.expect("bestmove");
    session.end();
}

#[test]
fn uci_supports_every_game() {
    let session = Session::with("kalah", |setup| setup.protocol = Some(Protocol::Uci));
    session.send("position startpos");
    session.send("go depth 5");
    session.expect("bestmove");
    session.end();
    let registry = Registry::standard();
    let mut setup = Setup::new(Play::default());
    setup.protocol = Some(Protocol::Hub);
    let refused = run_protocol(registry.get("chess").unwrap(), &setup, &mut io::empty(), &mut io::sink()).unwrap_err();
    assert_eq!(refused.to_string(), "no engine here supports hub for chess; choose uci");
}

#[test]
fn an_engine_ends_with_its_input_or_output() {
    let session = Session::new("chess");
    session.send("go infinite");
    let rest = session.end();
    assert_eq!(rest.iter().filter(|line| line.starts_with("bestmove")).count(), 1, "{rest:?}");
    let mut session = Session::new("chess");
    session.from = channel().1;
    for _ in 0..2 {
        session.send("isready");
    }
    // The reader of the output is gone, the writer of the input is not.
    session.thread.join().unwrap().unwrap();
}

#[test]
fn hub_lists_its_parameters_and_plays() {
    let session = Session::new("checkers");
    session.send("hub");
    let lines = session.until("wait");
    assert!(lines[0].starts_with("id name=emtee "), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("param name=variant value=english ")));
    session.send("set-param name=hash value=2");
    session.send("init");
    session.expect("ready");
    session.send("new-game");
    session.send("pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-15 22-18 15x22x18\"");
    session.send("level depth=5");
    session.send("go think");
    let lines = session.until("done move=");
    assert!(lines[0].starts_with("info depth=1 score="), "{lines:?}");
    let done = &lines[lines.len() - 1];
    assert!(done.starts_with("done move=25x18x22") || done.starts_with("done move=26x17x22"), "{done}");
    session.send("level infinite");
    session.send("go analyze");
    session.expect("info depth=3");
    session.send("ping");
    session.expect("pong");
    session.send("stop");
    session.expect("done move=");
    session.send("level move-time=0.001");
    session.send("go ponder");
    session.expect("info depth=6");
    session.send("ponder-hit");
    session.expect("done move=");
    session.send("quit");
    session.end();
}

#[test]
fn hub_writes_all_captured_squares() {
    let session = Session::new("checkers");
    session.send("level depth=3");
    session.send("pos pos=WeeeeeeeeeeeeebbeeeeeebbeeWeeeeee");
    session.send("go think");
    session.expect("done move=26x26x14x15x22x23");
    // Captured squares are accepted in any order.
    session.send("pos pos=WeeeeeeeeeeeeebbeeeeeebbeeWeeeeeb moves=\"26x26x23x14x22x15\"");
    session.expect("error message="); // A black man cannot stand on 32.
    session.send("pos pos=WbeeeeeeeeeeeebbeeeeeebbeeWeeeeee moves=\"26x26x23x14x22x15\"");
    session.send("go think");
    session.expect("done move=1-");
    session.end();
}

#[test]
fn hub_survives_invalid_input() {
    let session = Session::new("checkers");
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
        session.send(line);
        if line != "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-16 \"\"" {
            session.expect("error message=\"");
        }
    }
    session.send("pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww");
    session.send("go nowhere");
    session.send("stop");
    session.expect("done move=");
    session.send("pos pos=WbeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeB");
    session.send("go think");
    session.expect("error message=\"the game is over\"");
    session.send("ping");
    session.expect("pong");
    session.end();
}

const GGF: &str = "(;GM[Othello]PB[Ann]PW[Bob]RE[?]TI[5:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)";

#[test]
fn nboard_plays_hints_and_analyzes() {
    let session = Session::new("othello");
    session.send("nboard 2");
    session.expect("set myname emtee");
    session.send("set depth 4");
    session.send(format!("set game {GGF}"));
    session.send("ping 1");
    session.expect("pong 1");
    session.send("go");
    let lines = session.until("=== ");
    assert!(lines.iter().any(|line| line.starts_with("search ")), "{lines:?}");
    let answer = lines.last().unwrap().trim_start_matches("=== ");
    let m = answer.split('/').next().unwrap();
    assert_eq!((m.len(), answer.split('/').count()), (2, 3), "{answer}");
    session.send(format!("move {answer}"));
    session.send("hint 3");
    session.expect("status analyzing");
    let lines = session.until("status");
    let last: Vec<&String> = lines.iter().filter(|line| line.split(' ').nth(4) == Some("4")).collect();
    assert_eq!(last.len(), 3, "{lines:#?}");
    session.send("analyze");
    let lines = session.until("analysis 0 ");
    let plies: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("analysis ")?.split(' ').next()).collect();
    assert_eq!(plies, ["3", "2", "1", "0"]);
    session.send("learn");
    session.expect("learned");
    session.send("quit");
    session.end();
}

#[test]
fn nboard_shows_exact_values_and_passes() {
    let session = Session::new("othello");
    session.send("set depth 60");
    let board = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO-".replace('X', "*");
    session.send(format!("set game (;GM[Othello]PB[]PW[]RE[?]TY[8]BO[8 {board} O];)"));
    session.send("hint 1");
    session.expect("status analyzing");
    let lines = session.until("status");
    let exact = |line: &String| line.starts_with("search PA") && line.ends_with(" -64.00 0 100%");
    assert!(lines.iter().any(exact), "{lines:?}");
    session.send("go");
    session.expect("=== PA/-64.00/");
    session.end();
}

#[test]
fn nboard_survives_invalid_input() {
    let session = Session::new("othello");
    for line in ["set game (;", "set game", "move Z9", "move", "set depth deep", "set contempt 3"] {
        session.send(line);
        session.expect("status ");
    }
    for line in ["", "set", "nonsense", "F5", "hint x"] {
        session.send(line);
    }
    session.send("ping 7");
    session.expect("pong 7");
    session.end();
}

/// Every listed algorithm is accepted, whatever the current one is.
#[test]
fn every_listed_algorithm_is_accepted() {
    for game in ["chess", "kalah"] {
        let session = Session::with(game, |setup| setup.protocol = Some(Protocol::Uci));
        session.send("uci");
        let options = session.until("uciok");
        let line = options.iter().find(|line| line.starts_with("option name Algorithm ")).unwrap();
        let names: Vec<&str> = line.split(" var ").skip(1).collect();
        assert!(names.len() >= 8 && names.contains(&"mtd-f"), "{line}");
        for name in names {
            session.send(format!("setoption name Algorithm value {name}"));
        }
        session.send("isready");
        assert_eq!(session.until("readyok"), ["readyok"]);
        session.end();
    }
    let session = Session::new("checkers");
    session.send("hub");
    let parameters = session.until("wait");
    let line = parameters.iter().find(|line| line.starts_with("param name=algorithm ")).unwrap();
    let names = line.split("values=\"").nth(1).unwrap().trim_end_matches('"');
    assert!(names.contains("mtd-f "), "{line}");
    for name in names.split(' ') {
        session.send(format!("set-param name=algorithm value={name}"));
    }
    session.send("ping");
    assert_eq!(session.until("pong"), ["pong"]);
    session.end();
}

/// The current algorithm is listed with its parameter, as programs expect of a default.
#[test]
fn the_present_algorithm_is_listed() {
    for (algorithm, selective) in [("mtd-step:50", true), ("alpha-beta", false)] {
        let session = Session::with("chess", |setup| {
            setup.play.options.algorithm = algorithm.parse().unwrap();
            setup.play.selective = selective;
        });
        session.send("uci");
        let line = session.expect("option name Algorithm ");
        assert!(
            line.contains(&format!(" default {algorithm} ")) && line.contains(&format!(" var {algorithm}")),
            "{line}"
        );
        session.end();
    }
}

/// The nodes of a search to the same depth, before and after a line.
fn nodes_around(session: &Session, line: &str) -> [u64; 2] {
    let nodes = || {
        session.send("go depth 7");
        let lines = session.until("bestmove");
        let last = lines.iter().rfind(|line| line.starts_with("info depth 7 ")).unwrap();
        last.split(" nodes ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap().parse().unwrap()
    };
    let before = nodes();
    session.send(line);
    [before, nodes()]
}

/// A repeated search with the same table needs far fewer nodes.
#[test]
fn options_unrelated_to_the_table_keep_it() {
    for line in [
        "setoption name Move Overhead value 77",
        "setoption name UCI_Chess960 value true",
        "setoption name UCI_Elo value 1300",
        "setoption name Ponder value true",
        "setoption name Hash value 1",
        "setoption name Threads value 2",
        "setoption name Algorithm value mtd-gallop",
        "setoption name Algorithm value negascout",
        // Refused options keep it too.
        "setoption name Algorithm value minimax",
        "setoption name Algorithm value alpha-beta",
        "setoption name Hash value 99999999",
        "setoption name Threads value 99999",
    ] {
        let [before, after] = nodes_around(&Session::new("chess"), line);
        assert!(after * 4 < before, "{line}: {before} nodes before, {after} after");
    }
    for line in ["setoption name Clear Hash", "setoption name Hash value 2", "ucinewgame"] {
        let [before, after] = nodes_around(&Session::new("chess"), line);
        assert!(after * 4 > before, "{line}: {before} nodes before, {after} after");
    }
}

/// All answers of an engine to a script.
fn run_script(game: &str, script: &str) -> String {
    let registry = Registry::standard();
    let setup = Setup::new(Play::default().with_hash(Size::of_bytes(1 << 20)));
    let mut answered = Vec::new();
    run_protocol(registry.get(game).unwrap(), &setup, &mut script.as_bytes(), &mut answered).unwrap();
    String::from_utf8(answered).unwrap()
}

#[test]
fn the_end_of_the_input_waits_for_a_limited_search() {
    let pos = "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";
    for (game, script, found, answer) in [
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
        let answered = run_script(game, &script);
        assert!(answered.contains(found) && answered.contains(answer), "{script}: {answered}");
    }
}

#[test]
fn the_end_of_the_input_stops_an_unlimited_search() {
    for (game, script, answer) in [
        ("chess", "go infinite\n", "bestmove "),
        ("chess", "go\n", "bestmove "),
        ("chess", "go ponder movetime 1\n", "bestmove "),
        ("chess", "go mate 5\n", "bestmove "),
        ("chess", "go depth 200\nquit\n", "bestmove "),
        ("checkers", "level infinite\ngo think\n", "done move="),
        ("checkers", "level depth=5\ngo ponder\n", "done move="),
    ] {
        let answered = run_script(game, script);
        assert_eq!(answered.matches(answer).count(), 1, "{script}: {answered}");
    }
}

/// An output that closes after a few lines.
struct ClosingOutput(usize);

impl Write for ClosingOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_output_stops_the_search() {
    let registry = Registry::standard();
    let setup = Setup::new(Play::default().with_hash(Size::of_bytes(1 << 20)));
    // A search to depth 100 would never end.
    run_protocol(registry.get("chess").unwrap(), &setup, &mut &b"go depth 100\n"[..], &mut ClosingOutput(4)).unwrap();
}
