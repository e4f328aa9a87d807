//! Perft of the three games, to larger depths than in the tests.
//!
//! ```text
//! cargo xtask check perft [MOST] [CHECKERS_FILE]
//! ```
//!
//! Counts above MOST (default: 250,000,000) are skipped. In a file of checkers counts, a line `depth count` is for the
//! starting position, and `name | FEN | count count …` for another position.

use std::process::ExitCode;
use std::time::Instant;

use emtee::{Game, Moves};
use emtee_games::{checkers, chess, othello};

/// Chess positions and their counts, from depth 1 on.
const CHESS: [(&str, &[u64]); 3] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324]),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603, 193_690_690],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624, 11_030_083]),
];

/// A pass counts as a ply, and a game that ends early as a line.
const OTHELLO: &[u64] = &[4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284, 212_258_800];

/// Every path of jumps is a move.
const CHECKERS: &[u64] = &[
    7,
    49,
    302,
    1_469,
    7_361,
    36_768,
    179_740,
    845_931,
    3_963_680,
    18_391_564,
    85_242_128,
    388_623_673,
    1_766_623_630,
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let most = match arguments.next().map(|most| most.parse::<u64>()) {
        None => 250_000_000,
        Some(Ok(most)) => most,
        Some(Err(_)) => {
            eprintln!("usage: cargo xtask check perft [MOST] [CHECKERS_FILE]; MOST is a number");
            return ExitCode::from(2);
        }
    };
    let mut counts = Counts { most, right: 0, skipped: 0 };
    match counts.all(arguments.next()) {
        Ok(()) => {
            println!("{} counts are right, {} above {most} were skipped", counts.right, counts.skipped);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

struct Counts {
    most: u64,
    right: u32,
    skipped: u32,
}

impl Counts {
    fn all(&mut self, file: Option<String>) -> Result<(), String> {
        for (fen, known) in CHESS {
            let board: chess::Board = fen.parse().map_err(|error| format!("{fen}: {error}"))?;
            self.check(&format!("chess {fen}"), known, |depth| perft(&board, depth))?;
        }
        self.check("othello", OTHELLO, |depth| othello::perft(&othello::Board::default(), depth))?;
        self.check("checkers", CHECKERS, |depth| checkers::Board::default().perft(depth))?;
        let Some(file) = file else { return Ok(()) };
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
        for (index, line) in
            text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty())
        {
            let bad = |why: &str| format!("line {} of {file}: {why}", index + 1);
            let number = |text: &str| text.parse::<u64>().map_err(|_| bad(&format!("{text:?} is not a count")));
            if let [_, fen, known] = line.split('|').collect::<Vec<_>>().as_slice() {
                let board: checkers::Board = fen.parse().map_err(|error| bad(&format!("{error}")))?;
                let known = known.split_whitespace().map(number).collect::<Result<Vec<u64>, _>>()?;
                self.check(&format!("checkers {board}"), &known, |depth| board.perft(depth))?;
            } else if let [depth, count] = line.split_whitespace().collect::<Vec<_>>().as_slice() {
                let depth = number(depth)? as u32;
                self.one("checkers", depth, number(count)?, &|depth| checkers::Board::default().perft(depth))?;
            } else {
                return Err(bad("neither 'depth count' nor 'name | FEN | count …'"));
            }
        }
        Ok(())
    }

    fn check(&mut self, what: &str, known: &[u64], count: impl Fn(u32) -> u64) -> Result<(), String> {
        (1..).zip(known).try_for_each(|(depth, &known)| self.one(what, depth, known, &count))
    }

    fn one(&mut self, what: &str, depth: u32, known: u64, count: &dyn Fn(u32) -> u64) -> Result<(), String> {
        if known > self.most {
            self.skipped += 1;
            return Ok(());
        }
        let start = Instant::now();
        let found = count(depth);
        if found != known {
            return Err(format!("{what} at depth {depth}: {found}, not {known}"));
        }
        println!("{what} at depth {depth}: {found}, {:.2} s", start.elapsed().as_secs_f64());
        self.right += 1;
        Ok(())
    }
}

/// Perft without bulk counting.
fn perft(board: &chess::Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Moves::new();
    board.moves(&mut moves);
    moves.iter().map(|m| perft(&board.play(m), depth - 1)).sum()
}
