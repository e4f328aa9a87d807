//! The program with its own notation and its own evaluators: in a game, a match, the explorer and an experiment.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_own_program"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What the program prints. It must succeed.
fn output(arguments: &[&str], input: &str) -> String {
    let mut child = program(arguments).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{arguments:?}: {error}");
    String::from_utf8(done.stdout).unwrap()
}

/// A word like `a2-a3`.
fn is_move(word: &str, sign: u8) -> bool {
    let bytes = word.as_bytes();
    bytes.len() == 5 && bytes[2] == sign && [1, 4].iter().all(|&at| bytes[at].is_ascii_digit())
}

#[test]
fn a_game_is_played_in_its_own_notation() {
    let game = output(&["play", "breakthrough", "--level", "1", "--seed", "1"], "a1-a2\nb2-b3\nquit\n");
    assert!(game.contains("your own pawn is there"), "{game}");
    let moves = game.split_whitespace().filter(|word| is_move(word.trim_matches(|c| ",.:".contains(c)), b'-')).count();
    assert!(moves >= 1, "the reply of the engine: {game}");
}

#[test]
fn its_evaluators_play_a_match() {
    let players = ["mtd-f,evaluator=material,nodes=200", "mtd-f,evaluator=race,nodes=200"];
    let rows = output(&["match", "breakthrough", players[0], players[1], "--games", "2", "--seed", "1", "--json"], "");
    let games: Vec<&str> = rows.lines().filter(|row| row.contains("\"moves\"")).collect();
    assert_eq!(games.len(), 2, "{rows}");
    assert!(games.iter().all(|row| !row.contains("forfeit\":\"")), "{rows}");
    let refused = program(&["search", "breakthrough", "--depth", "2", "--evaluator", "taste"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let why = String::from_utf8_lossy(&refused.stderr);
    assert!(why.contains("breakthrough has no evaluator 'taste' here; choose own or material or race"), "{why}");
}

/// White is ahead for the game's own evaluation and in the race, with as many pawns as Black.
const MIDDLE: &str = "b--bb-bb/bbbbb-b-/b-b-bb-b/---w----/--------/w-www---/w---w-ww/w-wwwwww w";

#[test]
fn evaluators_give_different_values() {
    let value = |evaluator: &str| {
        let search =
            ["search", "breakthrough", "--position", MIDDLE, "--depth", "3", "--evaluator", evaluator, "--json"];
        let rows = output(&search, "");
        let last = rows.lines().last().unwrap().to_owned();
        last.split("\"value\":").nth(1).unwrap().split(',').next().unwrap().to_owned()
    };
    assert_ne!(value("own"), value("race"));
    assert_ne!(value("material"), value("race"));
}

/// A server, stopped at the end of the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_explorer_shows_its_notation() {
    let mut server = Server(program(&["serve", "--port", "0", "--json"]).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).unwrap().split('/').next().unwrap();
    let address = address.trim_end_matches(['"', '}', '\n']);
    let post = |request: &str, body: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(
            stream,
            "POST /api/{request} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        answer
    };
    let board = post("position", r#"{"game":"breakthrough","moves":["a2-a3"]}"#);
    assert!(board.contains(r#""written":["a2-a3"]"#), "{board}");
    let found = post("analyse", r#"{"game":"breakthrough","depth":3,"evaluator":"material"}"#);
    assert!(found.lines().any(|line| line.contains("\"done\":true")), "{found}");
    assert!(found.split('"').any(|word| is_move(word, b'-')), "{found}");
}

#[test]
fn an_experiment_compares_its_evaluators() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("evaluators");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("evaluators.toml");
    let text = "title = \"Evaluators\"\nfigures = [11]\n[[game]]\nname = \"breakthrough\"\ndepth = 3\n\
                positions = \"middle\"\n[[ratio]]\nname = \"material over race\"\n\
                of = { algorithm = \"mtd-f\", evaluator = \"material\" }\nover = { algorithm = \"mtd-f\", evaluator = \"race\" }\n";
    std::fs::write(&file, text).unwrap();
    let out = folder.join("out");
    output(&["experiment", file.to_str().unwrap(), "--out", out.to_str().unwrap(), "--jobs", "1"], "");
    let report = std::fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains("material over race"), "{report}");
}
