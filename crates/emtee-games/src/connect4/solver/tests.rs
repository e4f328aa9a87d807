use emtee::{Budget, Game, OwnEvaluation, Value, legal_moves, player};

use super::*;
use crate::testing::random_games;

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

/// The points of a value of the generic search.
fn points_of(board: &Board, value: Value) -> i32 {
    let most = most_points(board.shape());
    let fits = |points: &i32| match points.signum() {
        1 => distance(board, *points).map(Value::win_in) == Some(value),
        0 => value == Value::default(),
        _ => distance(board, *points).map(Value::loss_in) == Some(value),
    };
    (-most..=most).find(fits).unwrap_or_else(|| panic!("{board}: {value}"))
}

fn searched(board: &Board) -> i32 {
    let mut search = player(OwnEvaluation).hash("1MB").build().unwrap();
    points_of(board, search.think(board, Budget::UNLIMITED).unwrap().value.unwrap())
}

/// Positions of random games with at most `left` empty cells, with the values of a search to the end of the game.
fn check_late_positions(shape: &str, left: u32, games: u64) -> [u32; 3] {
    let start = board(shape);
    let mut solver = Solver::with_entries(start.shape(), 1 << 12);
    let mut results = [0; 3];
    random_games(&start, games, 5, |board| {
        if board.outcome().is_some() || board.shape().cells() - board.stones() > left {
            return;
        }
        let value = searched(board);
        assert_eq!(solver.solve(board), value, "{board}");
        for bound in value - 1..=value + 1 {
            let (g, best) = solver.pass(board, bound, &mut |_| false).unwrap();
            assert_eq!(g >= bound, value >= bound, "{board} at {bound}");
            assert!(if g >= bound { g <= value } else { g >= value }, "{board}: {g} is no bound on {value}");
            assert_eq!(g >= bound, best.is_some(), "{board} at {bound}");
            if let Some(best) = best {
                let child = board.play(best);
                let v = if child.outcome().is_some() { value } else { -solver.solve(&child) };
                assert!(v >= g, "{board} {best}: {v}, but {g} was proved");
            }
        }
        results[(value.signum() + 1) as usize] += 1;
    });
    assert!(results.iter().sum::<u32>() > 5, "{shape}: {results:?}");
    results
}

#[test]
fn late_positions_have_their_minimax_values() {
    let results = check_late_positions("7x6", 12, 100);
    assert!(results.iter().all(|&count| count > 2), "{results:?}");
}

/// Even and odd numbers of rows and columns, and the extremes.
#[test]
fn other_shapes_have_their_minimax_values() {
    let mut results = [0; 3];
    for (shape, games) in
        [("6x5", 20), ("5x5", 15), ("8x7", 600), ("5x8", 150), ("9x6", 400), ("12x4", 200), ("4x15", 400)]
    {
        let more = check_late_positions(shape, 11, games);
        results = std::array::from_fn(|outcome| results[outcome] + more[outcome]);
    }
    assert!(results.iter().all(|&count| count > 20), "{results:?}");
}

#[test]
fn small_boards_are_solved() {
    for shape in ["4x4", "4x5", "5x4"] {
        let start = board(shape);
        assert_eq!(Solver::with_entries(start.shape(), 1 << 14).solve(&start), searched(&start), "{shape}");
    }
}

/// The distances are those of BitBully 0.0.79.
#[test]
fn known_distances() {
    for (text, plies, sign) in [("7x6 4444432622", 30, -1), ("7x6 44444326221", 23, 1), ("7x6 112233", 1, 1)] {
        let board = board(text);
        let points = Solver::with_entries(board.shape(), 1 << 16).solve(&board);
        assert_eq!((distance(&board, points), points.signum()), (Some(plies), sign), "{text}");
    }
}

#[test]
fn threads_and_table_sizes_do_not_change_values() {
    let mut seed = 0;
    random_games(&board("7x6"), 12, 7, |board| {
        if board.outcome().is_some() || board.stones() != 18 {
            return;
        }
        seed += 1;
        let value = Solver::with_entries(board.shape(), 1 << 16).solve(board);
        assert_eq!(Solver::with_entries(board.shape(), 1).solve(board), value, "{board}");
        assert_eq!(Solver::with_entries(board.shape(), 1 << 16).threads(3).solve(board), value, "{board}");
    });
    assert!(seed > 5, "{seed}");
}

#[test]
fn a_cleared_solver_repeats_its_counts() {
    let board = board("7x6 4444432622");
    let mut solver = Solver::with_entries(board.shape(), 1 << 16);
    let value = solver.solve(&board);
    let nodes = solver.nodes();
    solver.clear();
    assert_eq!((solver.solve(&board), solver.nodes()), (value, 2 * nodes));
}

#[test]
fn a_watch_stops_the_pass() {
    let start = Board::default();
    for threads in [1, 2] {
        let mut solver = Solver::with_entries(start.shape(), 1 << 16).threads(threads);
        assert_eq!(solver.pass(&start, 1, &mut |_| true), None);
        let mut reported = 0;
        assert_eq!(
            solver.pass(&start, 1, &mut |nodes| {
                reported = nodes;
                nodes > 100_000
            }),
            None
        );
        assert!(reported > 100_000, "{reported}");
    }
}

#[test]
fn portable_and_avx2_code_agree() {
    random_games(&board("7x6"), 20, 9, |board| {
        if decided(board).is_some() || !(22..30).contains(&board.stones()) || board.outcome().is_some() {
            return;
        }
        let solver = Solver::with_entries(board.shape(), 1 << 14);
        let run = |expand: fn(&mut Thread<'_, '_>, &Node, i32) -> (i32, u64)| {
            let table = Table::new(1 << 14, board.shape().bits());
            let shared = Shared { geometry: &solver.geometry, table: &table, team: None };
            let mut thread = Thread::new(&shared, None);
            (expand(&mut thread, &Node::new(&solver.geometry, board), 1), thread.nodes)
        };
        assert_eq!(run(cpu::expand_root), run(cpu::expand_portable), "{board}");
    });
}

#[test]
fn every_legal_move_of_a_wide_board_is_read() {
    let board = board("32x1 ");
    assert_eq!(legal_moves(&board).len(), 32);
    assert_eq!(Solver::with_entries(board.shape(), 1).solve(&self::board("32x1 123456789abcdefghijklmnopqrst")), 0);
}
