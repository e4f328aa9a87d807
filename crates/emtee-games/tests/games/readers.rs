//! No text and no bytes make a reader of the three games panic, and every error message is one short line.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use emtee::{Game, legal_moves};
use emtee_games::othello::notation::{Obf, read_moves};
use emtee_games::{checkers, chess, othello};
use proptest::prelude::*;

/// A random change at a place of a text.
#[derive(Clone, Debug)]
enum Change {
    Replace(char),
    Insert(char),
    Delete(usize),
    Repeat(usize),
    Cut,
}

fn change() -> impl Strategy<Value = Change> {
    // Characters with a meaning in one of the formats, and any others.
    let significant: Vec<char> =
        "XO-*;:,./ \n\t\"'()[]{}$%!?+#=xKQkqwbBW0123456789aehNFENPBé½…\u{feff}\0".chars().collect();
    let letter = prop_oneof![4 => prop::sample::select(significant), 1 => any::<char>()];
    prop_oneof![
        4 => letter.clone().prop_map(Change::Replace),
        4 => letter.prop_map(Change::Insert),
        3 => (1usize..6).prop_map(Change::Delete),
        2 => (1usize..20).prop_map(Change::Repeat),
        1 => Just(Change::Cut),
    ]
}

/// One of these texts with random changes.
fn mutated(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    let changes = prop::collection::vec((any::<prop::sample::Index>(), change()), 1..5);
    (prop::sample::select(texts), changes).prop_map(|(text, changes)| {
        let mut letters: Vec<char> = text.chars().collect();
        for (place, change) in changes {
            let start = place.index(letters.len() + 1);
            let end = |length: usize| (start + length).min(letters.len());
            match change {
                Change::Replace(c) if start < letters.len() => letters[start] = c,
                Change::Replace(c) | Change::Insert(c) => letters.insert(start, c),
                Change::Delete(length) => drop(letters.drain(start..end(length))),
                Change::Repeat(length) => {
                    let copy = letters[start..end(length)].to_vec();
                    letters.splice(start..start, copy);
                }
                Change::Cut => letters.truncate(start),
            }
        }
        letters.into_iter().collect()
    })
}

/// Any text, any bytes decoded lossily, or a mutation of one of these texts.
fn text(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    let bytes = prop::collection::vec(any::<u8>(), 0..200);
    prop_oneof![
        1 => any::<String>(),
        1 => bytes.prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        6 => mutated(texts),
    ]
}

type Checked = Result<(), TestCaseError>;

/// An error message is not empty and fits into one line of a terminal.
fn check_message(error: impl Display) -> Checked {
    let message = error.to_string();
    prop_assert!(!message.is_empty() && message.chars().count() < 400, "{message}");
    prop_assert!(!message.chars().any(char::is_control), "{message:?}");
    Ok(())
}

/// Reads a text. What was read survives writing and reading it again; else the error message is checked.
fn read<T: FromStr<Err: Display> + Display + Debug + PartialEq>(text: &str) -> Result<Option<T>, TestCaseError> {
    match text.parse::<T>() {
        Ok(read) => {
            let again = read.to_string().parse::<T>().ok();
            prop_assert_eq!(again.as_ref(), Some(&read));
            Ok(Some(read))
        }
        Err(error) => check_message(error).map(|()| None),
    }
}

/// Plays some moves from a position and evaluates it after each.
fn play_on<G: Game>(board: &G) -> Checked {
    let mut board = board.clone();
    for ply in 0..6 {
        prop_assert!(board.evaluate().abs() <= 31_000);
        let moves = legal_moves(&board);
        let Some(&m) = moves.get(ply % moves.len().max(1)) else { break };
        board = board.play(m);
    }
    Ok(())
}

const FENS: &[&str] = &[
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 99 65535",
    "1rk2r2/8/8/8/8/8/8/1RK2R2 b FBfb - 0 1",
];
const CHESS_MOVES: &[&str] = &["e2e4", "e1g1", "e1h1", "Nf3", "Nxd7+", "dxe6", "d6", "O-O", "O-O-O", "Qxf6!?", "h3g2"];
const PGN: &[&str] = &[
    "[Event \"A \\\"quoted\\\" event\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1.a8=Q+ {a queen} Kd7 $14 2.Qb7+! (2.Qa7+ Kc6 (2...Kc8 3.Qa8+)) Kd6 ; rest\n3.Qb6+ 1/2-1/2\n\n1. e4 e5 0-1",
    "% escaped\n1. c4 e6 2. Nf3 d5 3. d4 Nf6 4. Nc3 Be7 5. Bg5 O-O 6. e3 h6 7. Bh4 b6 8. cxd5 Nxd5 *",
];
const OBF: &[&str] = &[
    "---------------------------OX------XO--------------------------- X; d3:+2; c4:-4; % start",
    "-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- O;",
];
const OTHELLO_GAMES: &[&str] = &["f5d6c3d3c4f4f6f3e6e7", "F5 d6,c3 D3c4 pass", "f5f6e6f4e3c5c4--"];
const GGF: &[&str] = &[
    "(;GM[Othello]PB[Ann]PW[Bob]RE[+4.000]PC[Here]TI[5:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5//1.5]W[D6/0.3/2]B[C3];)",
];
const CHECKERS_FENS: &[&str] = &["B:W21-32:B1-12", "W:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29.", "b:w:bK1"];
const CHECKERS_MOVES: &[&str] = &["11-15", "22x15", "22x15x8", "9:14", "10*14"];
const PDN: &[&str] = &[
    "\u{feff}[Event \"One\"]\n[Result \"1-0\"]\n1. 9-14 $1 23-18! 2. 14x23 { shot } 27x18 (26x19 {)} (1. 2-3)) 3.5-9 ; to the end\n 1-0\n\n[FEN \"W:W31,K4:B1,K9\"]\n1... 31-27 2. 9-6 *",
    "[FEN \"B:W7,15,16,23,24:B2\"]\n1. 2x27 24-19 *",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3_000) })]

    #[test]
    fn chess_positions(text in text(FENS)) {
        if let Some(board) = read::<chess::Board>(&text)? {
            play_on(&board)?;
        }
    }

    #[test]
    fn chess_moves(text in text(CHESS_MOVES)) {
        for fen in FENS {
            let board: chess::Board = fen.parse().unwrap();
            match board.read_move(&text) {
                Ok(m) => prop_assert_eq!(board.read_move(&board.san(m)), Ok(m)),
                Err(error) => check_message(error)?,
            }
        }
    }

    #[test]
    fn chess_games(text in text(PGN)) {
        for game in chess::pgn::games(&text) {
            match game {
                Ok(game) => {
                    for (board, m) in game.positions().zip(&game.moves) {
                        prop_assert!(legal_moves(&board).contains(m), "{} in {}", m, board);
                    }
                }
                Err(error) => check_message(error)?,
            }
        }
    }

    #[test]
    fn othello_positions(text in text(OBF)) {
        if let Some(board) = read::<othello::Board>(&text)? {
            play_on(&board)?;
        }
        read::<Obf>(&text)?;
    }

    #[test]
    fn othello_games(list in text(OTHELLO_GAMES), ggf in text(GGF)) {
        if let Err(error) = read_moves(&othello::Board::default(), &list) {
            check_message(error)?;
        }
        if let Err(error) = list.parse::<othello::Move>() {
            check_message(error)?;
        }
        for text in [list, ggf] {
            match text.parse::<othello::Ggf>() {
                Ok(game) => {
                    let again = game.to_string().parse::<othello::Ggf>();
                    prop_assert_eq!(again.map(|game| game.board()), Ok(game.board()));
                }
                Err(error) => check_message(error)?,
            }
        }
    }

    /// Files with a valid or a random header and random moves, some of them legal.
    #[test]
    fn othello_files(
        header in prop::collection::vec(any::<u8>(), 0..20),
        count in 0u8..4,
        squares in prop::collection::vec(prop_oneof![3 => 11u8..89, 1 => any::<u8>()], 0..204),
        random_header in any::<bool>(),
    ) {
        let mut bytes = header;
        if !random_header {
            bytes.resize(16, 0);
            bytes[4..8].copy_from_slice(&[count, 0, 0, 0]);
        }
        bytes.extend(squares);
        match othello::wthor::read(&bytes) {
            Ok(games) => {
                for error in games.iter().filter_map(|game| game.replay().err()) {
                    check_message(error)?;
                }
            }
            Err(error) => check_message(error)?,
        }
    }

    #[test]
    fn checkers_positions_and_moves(fen in text(CHECKERS_FENS), m in text(CHECKERS_MOVES)) {
        let mut boards: Vec<checkers::Board> = CHECKERS_FENS.iter().map(|fen| fen.parse().unwrap()).collect();
        if let Some(board) = read::<checkers::Board>(&fen)? {
            play_on(&board)?;
            boards.push(board);
        }
        for board in boards {
            match board.parse_move(&m) {
                Ok(m) => prop_assert!(legal_moves(&board).contains(&m)),
                Err(error) => check_message(error)?,
            }
        }
    }

    #[test]
    fn checkers_games(text in text(PDN)) {
        match checkers::read_pdn(&text) {
            Ok(games) => {
                for game in games {
                    let written = game.to_string();
                    let again = checkers::read_pdn(&written).unwrap_or_default();
                    prop_assert!(again.iter().any(|again| again.moves == game.moves), "{written}");
                }
            }
            Err(error) => check_message(error)?,
        }
    }
}
