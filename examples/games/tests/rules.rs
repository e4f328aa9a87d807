//! The rules of the six games: numbers of lines of play from other programs, and rules written a second time.

use std::collections::BTreeSet;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use emtee::{Game, Outcome, OwnEvaluation, Side, laws, legal_moves, mix};
use games::{amazons, ataxx, breakthrough, dots, gomoku, hex};

fn perft<G: Game>(board: &G, depth: u32) -> u64 {
    let children = legal_moves(board).into_iter().map(|m| board.play(m));
    if depth == 0 { 1 } else { children.map(|child| perft(&child, depth - 1)).sum() }
}

/// The positions of random games.
fn random_positions<G: Game + Default>(games: u64) -> Vec<G> {
    let mut positions = Vec::new();
    for game in 0..games {
        let mut board = G::default();
        for ply in 0..200 {
            positions.push(board.clone());
            let moves = legal_moves(&board);
            let Some(&m) = moves.get((mix(1_000 * game + ply) % moves.len().max(1) as u64) as usize) else { break };
            board = board.play(m);
        }
    }
    positions
}

/// The contract of `Game`, and texts that can be read again.
fn check<G: Game + Default + Display + FromStr<Err: Debug> + PartialEq + Debug>() {
    laws::check(&G::default(), &OwnEvaluation, 3, 1).unwrap();
    for board in random_positions::<G>(3) {
        if board.outcome().is_none() {
            assert_eq!(board.to_string().parse::<G>().unwrap(), board);
        }
    }
}

#[test]
fn every_game_keeps_the_laws_and_its_texts_can_be_read() {
    check::<breakthrough::Board>();
    check::<ataxx::Board>();
    check::<dots::Board>();
    check::<hex::Board>();
    check::<amazons::Board>();
    check::<gomoku::Board>();
}

/// The numbers of libataxx.
#[test]
fn lines_of_ataxx_are_counted() {
    let start = ataxx::Board::default();
    assert_eq!(start.to_string(), "x-----o/-------/-------/-------/-------/-------/o-----x x");
    assert_eq!([1, 2, 3, 4].map(|depth| perft(&start, depth)), [16, 256, 6_460, 155_888]);
    let empty = "-------/-------/-------/-------";
    for (text, counts) in [
        (format!("{empty}/ooooooo/ooooooo/xxxxxxx x"), [1, 75, 249, 14_270]),
        (format!("{empty}/ooooooo/ooooooo/xxxxxxx o"), [75, 249, 14_270, 452_980]),
        (String::from("-------/-------/-------/--x-o--/-------/-------/------- x"), [23, 419, 7_887, 168_317]),
    ] {
        let board: ataxx::Board = text.parse().unwrap();
        assert_eq!([1, 2, 3, 4].map(|depth| perft(&board, depth)), counts, "{text}");
    }
}

#[test]
fn ataxx_ends_when_neither_side_can_move() {
    let full = "xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx";
    for (text, outcome) in [
        (format!("{full}/ooooooo/ooooooo/ooooooo x"), Some(Outcome::Won)),
        (format!("{full}/ooooooo/ooooooo/ooooooo o"), Some(Outcome::Lost)),
        (format!("{full}/ooooooo/ooooooo/oooooo- x"), None),
        ("-------/-------/-------/-------/-------/-------/o------ x".to_owned(), Some(Outcome::Lost)),
    ] {
        assert_eq!(text.parse::<ataxx::Board>().unwrap().outcome(), outcome, "{text}");
    }
}

/// The symbols of a board, its size, and the symbol of the side to move.
fn symbols(text: &str) -> (Vec<u8>, usize, u8) {
    let (rows, side) = text.split_once(' ').unwrap();
    let size = rows.split('/').count();
    (rows.bytes().filter(|&symbol| symbol != b'/').collect(), size, side.as_bytes()[0])
}

/// Whether a queen moves from one cell to another.
fn queen_moves(cells: &[u8], size: usize, from: usize, to: usize) -> bool {
    let [row, column, to_row, to_column] = [from / size, from % size, to / size, to % size].map(|n| n as isize);
    let (down, right) = (to_row - row, to_column - column);
    let length = down.abs().max(right.abs());
    let straight = down == 0 || right == 0 || down.abs() == right.abs();
    let at = |step: isize| ((row + down / length * step) * size as isize + column + right / length * step) as usize;
    from != to && straight && (1..=length).all(|step| cells[at(step)] == b'-')
}

/// All triples of cells are tried.
#[test]
fn moves_of_amazons_are_those_of_the_rules() {
    for board in random_positions::<amazons::Board>(4) {
        let (cells, size, side) = symbols(&board.to_string());
        let mut expected = BTreeSet::new();
        for from in (0..cells.len()).filter(|&from| cells[from] == side) {
            for to in (0..cells.len()).filter(|&to| queen_moves(&cells, size, from, to)) {
                let mut moved = cells.clone();
                (moved[from], moved[to]) = (b'-', side);
                let arrows = (0..cells.len()).filter(|&arrow| queen_moves(&moved, size, to, arrow));
                expected.extend(arrows.map(|arrow| {
                    let mut after = moved.clone();
                    after[arrow] = b'#';
                    after
                }));
            }
        }
        let moves = legal_moves(&board);
        let found: BTreeSet<Vec<u8>> = moves.iter().map(|&m| symbols(&board.play(m).to_string()).0).collect();
        assert_eq!((&found, moves.len()), (&expected, expected.len()), "{board}");
        assert_eq!(board.outcome(), expected.is_empty().then_some(Outcome::Lost), "{board}");
    }
}

/// A side has won at Hex if its stones connect its edges: found by joining groups until nothing changes.
#[test]
fn hex_is_won_by_a_connection() {
    let wins = |cells: &[u8], size: usize, side: u8| {
        let across = |cell: usize| if side == b'x' { cell / size } else { cell % size };
        let mut joined: BTreeSet<usize> = (0..cells.len()).filter(|&c| cells[c] == side && across(c) == 0).collect();
        loop {
            let touches = |cell: usize| {
                joined.iter().any(|&other| {
                    let [down, right] = [cell / size, cell % size].map(|n| n as isize);
                    let (down, right) = (down - (other / size) as isize, right - (other % size) as isize);
                    matches!((down, right), (0, 1 | -1) | (1 | -1, 0) | (-1, 1) | (1, -1))
                })
            };
            let new: Vec<usize> = (0..cells.len()).filter(|&c| cells[c] == side && touches(c)).collect();
            let before = joined.len();
            joined.extend(new);
            if joined.len() == before {
                return joined.into_iter().any(|cell| across(cell) == size - 1);
            }
        }
    };
    let mut won = 0;
    for board in random_positions::<hex::Board>(40) {
        let (cells, size, side) = symbols(&board.to_string());
        let other = if side == b'x' { b'o' } else { b'x' };
        assert!(!wins(&cells, size, side), "{board}");
        assert_eq!(board.outcome().is_some(), wins(&cells, size, other), "{board}");
        won += u32::from(board.outcome().is_some());
    }
    assert_eq!(won, 40, "a game of Hex has a winner");
    assert_eq!(hex::Board::default().stones_missing(Side::First), 7);
}

#[test]
fn gomoku_is_won_by_five_in_a_row() {
    let wins = |cells: &[u8], size: usize, side: u8| {
        (0..cells.len()).any(|cell| {
            [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(down, right): (isize, isize)| {
                (0..5).all(|step| {
                    let (row, column) = ((cell / size) as isize + down * step, (cell % size) as isize + right * step);
                    let inside = (0..size as isize).contains(&row) && (0..size as isize).contains(&column);
                    inside && cells[row as usize * size + column as usize] == side
                })
            })
        })
    };
    let mut won = 0;
    for board in random_positions::<gomoku::Board>(40) {
        let (cells, size, side) = symbols(&board.to_string());
        let other = if side == b'x' { b'o' } else { b'x' };
        assert_eq!(board.outcome().is_some(), wins(&cells, size, other), "{board}");
        won += u32::from(board.outcome().is_some());
    }
    assert!(won > 20, "{won}");
    assert_eq!([1, 2, 3].map(|depth| perft(&gomoku::Board::default(), depth)), [81, 81 * 80, 81 * 80 * 79]);
}

/// The rule on the drawn board: a box is taken when all four cells beside it are edges.
#[test]
fn boxes_are_taken_by_their_last_edge() {
    let boxes = |board: &dots::Board| {
        let drawing = format!("{board:#}");
        let rows: Vec<Vec<char>> = drawing.lines().take(9).map(|row| row.chars().collect()).collect();
        let drawn = |row: usize, column: usize| "-|".contains(rows[row][3 * column + 1]);
        let centres = (0..16).map(|index| (2 * (index / 4) + 1, 2 * (index % 4) + 1));
        centres
            .filter(|&(row, column)| {
                drawn(row - 1, column) && drawn(row + 1, column) && drawn(row, column - 1) && drawn(row, column + 1)
            })
            .count() as i32
    };
    for game in 0..20 {
        let (mut board, mut scores) = (dots::Board::default(), [0; 2]);
        for ply in 0..40 {
            let moves = legal_moves(&board);
            assert_eq!(moves.len(), 40 - ply);
            let after = board.play(moves[(mix(100 * game + ply as u64) % moves.len() as u64) as usize]);
            let taken = boxes(&after) - boxes(&board);
            scores[board.turn().index()] += taken;
            assert_eq!(after.turn(), if taken > 0 { board.turn() } else { !board.turn() });
            board = after;
            let turn = board.turn().index();
            assert_eq!(board.evaluate(), 10 * (scores[turn] - scores[1 - turn]));
        }
        let turn = board.turn().index();
        assert_eq!(board.outcome(), Some(Outcome::Points(10 * (scores[turn] - scores[1 - turn]))));
        assert_eq!(scores[0] + scores[1], 16);
    }
}

#[test]
fn errors_give_the_reason() {
    for (text, reason) in [
        ("", "the side to move is missing after the rows: x or o"),
        ("-------/------- x", "a board has 7 rows separated by /, and this one has 2"),
        ("-------/-------/-------/------/-------/-------/------- x", "row 4 has 6 cells instead of 7"),
        ("-------/-------/-------/---#---/-------/-------/------- x", "d4: expected one of xo-, found '#'"),
    ] {
        assert_eq!(text.parse::<hex::Board>().unwrap_err(), reason, "{text}");
    }
    assert_eq!("-- 0 a".parse::<dots::Board>().unwrap_err(), "the edges are 40 of x and -, not '--'");
}
