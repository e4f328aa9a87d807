//! Engines survive arbitrary input and continue to answer.
//!
//! A million lines per protocol: `cargo xtask check protocols`.

use std::io::{self, Write};
use std::time::Duration;

use emtee::{Size, mix};
use emtee_engine::{Play, Registry, Setup, run_protocol};

/// The input for a protocol, and a command that must be answered.
struct ProtocolInput {
    game: &'static str,
    lines: &'static [&'static str],
    words: &'static [&'static str],
    /// A command that requests an answer, and the first word of the answer.
    request: &'static str,
    answer: &'static str,
}

const UCI: ProtocolInput = ProtocolInput {
    game: "chess",
    lines: &[
        "uci",
        "isready",
        "ucinewgame",
        "setoption name Hash value 2",
        "setoption name MultiPV value 3",
        "setoption name MultiPV value 1",
        "setoption name UCI_Chess960 value true",
        "setoption name UCI_LimitStrength value true",
        "setoption name UCI_Elo value 1000",
        "setoption name Algorithm value aspiration-negascout",
        "setoption name Clear Hash",
        "position startpos",
        "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1",
        "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "go",
        "go depth 2",
        "go nodes 50",
        "go infinite",
        "go ponder wtime 1000 btime 1000 winc 10 binc 10 movestogo 4",
        "go movetime 1 searchmoves e2e4 d2d4",
        "go mate 2",
        "stop",
        "ponderhit",
        "debug on",
    ],
    words: &[
        "e1g1",
        "moves",
        "-1",
        "99999999999999999999",
        "value",
        "name",
        "fen",
        "startpos",
        "a7a8q",
        "0000",
        "w",
        "/",
    ],
    request: "isready",
    answer: "readyok",
};

const HUB: ProtocolInput = ProtocolInput {
    game: "checkers",
    lines: &[
        "hub",
        "init",
        "new-game",
        "ping",
        "set-param name=hash value=2",
        "set-param name=variant value=english",
        "set-param name=algorithm value=sss",
        "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww",
        "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-15 22-18 15x22x18\"",
        "pos pos=WeeeeeeeeeeeeebbeeeeeebbeeWeeeeee moves=\"26x26x14x15x22x23\"",
        "level depth=3",
        "level nodes=50",
        "level move-time=0.001",
        "level moves=3 time=0.01 inc=0.01",
        "level infinite",
        "go think",
        "go ponder",
        "go analyze",
        "stop",
        "ponder-hit",
    ],
    words: &["pos=", "=", "\"", "moves=\"", "1e999", "-1", "x", "name=", "NaN", "99999999999999999999", "W"],
    request: "ping",
    answer: "pong",
};

const NBOARD: ProtocolInput = ProtocolInput {
    game: "othello",
    lines: &[
        "nboard 2",
        "ping 3",
        "set depth 2",
        "set depth 1",
        "set contempt 3",
        "set game (;GM[Othello]PB[a]PW[b]RE[?]TI[5:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)",
        "move F5/1.0/0.1",
        "move D6",
        "move PA",
        "hint 2",
        "go",
        "learn",
        "analyze",
    ],
    words: &["PA", "Z9", "(;", ";)", "BO[8", "[", "]", "/", "set", "game", "-1", "99999999999999999999"],
    request: "ping",
    answer: "pong",
};

struct RandomLines {
    state: u64,
}

impl RandomLines {
    fn below(&mut self, count: usize) -> usize {
        self.state = self.state.wrapping_add(1);
        (mix(self.state) % count.max(1) as u64) as usize
    }

    /// A line that is valid, nearly valid, or arbitrary bytes.
    fn line(&mut self, protocol: &ProtocolInput) -> Vec<u8> {
        let mut line = protocol.lines[self.below(protocol.lines.len())].as_bytes().to_vec();
        match self.below(8) {
            0..3 => {}
            3 => {
                for _ in 0..=self.below(4) {
                    let index = self.below(line.len());
                    line[index] = self.below(256) as u8;
                }
            }
            4 => line.truncate(self.below(line.len() + 1)),
            5 | 6 => {
                let word = protocol.words[self.below(protocol.words.len())];
                let index = self.below(line.len() + 1);
                line.splice(index..index, format!(" {word} ").bytes());
            }
            _ => line = (0..self.below(200)).map(|_| self.below(256) as u8).collect(),
        }
        line.retain(|byte| *byte != b'\n');
        // `quit` is the one command that must end the engine.
        if String::from_utf8_lossy(&line).trim().starts_with("quit") { Vec::new() } else { line }
    }
}

/// Counts the expected answers.
struct AnswerCounter {
    wanted: &'static str,
    found: usize,
    rest: Vec<u8>,
}

impl Write for AnswerCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend_from_slice(bytes);
        while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            self.found += usize::from(first_word(&line) == self.wanted);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn first_word(line: &[u8]) -> String {
    String::from_utf8_lossy(line).split_whitespace().next().unwrap_or_default().to_owned()
}

/// Sends this many random lines, with a final request, and expects an answer to each request.
fn survives(protocol: &ProtocolInput, lines: usize, seed: u64) {
    let mut random = RandomLines { state: seed };
    let (mut input, mut requests) = (Vec::new(), 0);
    for index in 0..lines {
        // Random lines may be requests too. All of them are counted: otherwise a few early answers could hide that the
        // last ones are missing.
        let line = if index + 1 == lines { protocol.request.into() } else { random.line(protocol) };
        requests += usize::from(first_word(&line) == protocol.request);
        input.extend(line);
        input.push(b'\n');
    }
    assert!(requests > lines / 200, "{requests} requests in {lines} lines");
    // The result of the last search is not needed.
    input.extend(b"quit\n");
    let registry = Registry::standard();
    let mut setup = Setup::new(Play::default().with_hash(Size::of_bytes(1 << 18)));
    setup.max_hash = 2;
    setup.move_time = Some(Duration::from_millis(1));
    let mut answers = AnswerCounter { wanted: protocol.answer, found: 0, rest: Vec::new() };
    run_protocol(registry.get(protocol.game).unwrap(), &setup, &mut &input[..], &mut answers).unwrap();
    assert_eq!(answers.found, requests, "{} stopped answering", protocol.game);
}

#[test]
fn uci_survives_random_lines() {
    survives(&UCI, 50_000, 1);
}

#[test]
fn hub_survives_random_lines() {
    survives(&HUB, 50_000, 2);
}

#[test]
fn nboard_survives_random_lines() {
    survives(&NBOARD, 50_000, 3);
}

#[test]
#[ignore = "minutes: cargo xtask check protocols"]
fn a_million_lines() {
    std::thread::scope(|scope| {
        for (protocol, seed) in [(&UCI, 4), (&HUB, 5), (&NBOARD, 6)] {
            scope.spawn(move || survives(protocol, 1_000_000, seed));
        }
    });
}
