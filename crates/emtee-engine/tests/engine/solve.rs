//! Exact values, compared with a search of each game to its end and with known results.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use emtee::Budget;

use emtee::Size;
use emtee_engine::{Position, Registry, Settings, Solve, Solved};

fn position(game: &str, text: &str) -> Box<dyn Position> {
    Registry::standard().get(game).unwrap().position(text).unwrap()
}

fn solve(position: &dyn Position, only_outcome: bool) -> Solved {
    let task = with!(Solve::default(), only_outcome = only_outcome, hash = Some(Size::of_bytes(1 << 20)));
    let solved = position.tools().unwrap().solve(&task, &mut |_| ()).unwrap();
    assert!(solved.exact);
    solved
}

/// The line is legal, and its end has the right value.
fn check_line(position: &dyn Position, solved: &Solved) {
    assert_eq!(solved.best_move, solved.pv.first().cloned());
    let mut n = position.after_random(0, 0);
    for m in &solved.pv {
        n = n.after(m).unwrap_or_else(|error| panic!("{} after {}: {error}", position.text(), solved.pv.join(" ")));
    }
    if let Some(plies) = solved.win_in.or(solved.loss_in) {
        assert_eq!(solved.pv.len(), plies as usize, "{}", position.text());
        assert!(n.moves().is_empty(), "{}", position.text());
    }
}

#[test]
fn solvers_agree_with_the_search() {
    for (game, plies) in [("connect4", 28..36), ("kalah", 32..44), ("othello", 54..58)] {
        let start = Registry::standard().get(game).unwrap().start();
        let mut agreed = 0;
        for (seed, plies) in plies.cycle().take(30).enumerate() {
            let position = start.after_random(plies, seed as u64);
            let found = position.search(&Settings::default(), Budget::nodes(30_000), &mut |_| ()).unwrap();
            if !found.complete {
                continue;
            }
            agreed += 1;
            let points = if game == "othello" { emtee_games::othello::POINTS_PER_DISC } else { 1 };
            let value = found.value.map(|value| if value.abs() < 31_000 { value / points } else { value });
            let solved = solve(position.as_ref(), false);
            assert_eq!((solved.value, solved.win_in), (value, found.win_in), "{game} {}", position.text());
            check_line(position.as_ref(), &solved);
            let outcome = solve(position.as_ref(), true);
            assert_eq!(outcome.value, value.map(i32::signum), "{game} {}", position.text());
            assert_eq!(outcome.outcome, solved.outcome);
            check_line(position.as_ref(), &outcome);
        }
        assert!(agreed > 12, "{agreed} positions of {game} were small enough");
    }
}

#[test]
fn the_line_ends_with_the_score() {
    let position = position("othello", "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X");
    let solved = solve(position.as_ref(), false);
    assert_eq!((solved.value, solved.best_move.as_deref()), (Some(18), Some("g8")));
    let end = solved.pv.iter().fold(position, |n, m| n.after(m).unwrap());
    let over = end.tools().unwrap().solve(&Solve::default(), &mut |_| ()).unwrap();
    assert_eq!(over.value.map(i32::abs), Some(18));
    assert!(over.pv.is_empty());
}

/// One move before the end, and after it.
#[test]
fn ends_of_connect_four() {
    let won = solve(position("connect4", "415161").as_ref(), false);
    assert_eq!((won.win_in, won.passes > 0), (Some(1), true));
    let over = solve(position("connect4", "4152637").as_ref(), false);
    assert_eq!((over.best_move, over.outcome), (None, Some("loss")));
}

/// The first moves of Connect Four: the centre wins, its neighbours draw, the others lose. Takes minutes each.
#[test]
#[ignore = "takes long"]
fn first_moves_of_connect_four() {
    for (text, outcome) in [("4", "loss"), ("3", "draw"), ("2", "win"), ("1", "win")] {
        let task = with!(Solve::default(), only_outcome = true, hash = Some(Size::of_bytes(1 << 30)));
        let solved = position("connect4", text).tools().unwrap().solve(&task, &mut |_| ()).unwrap();
        assert_eq!(solved.outcome, Some(outcome), "after {text}, for the side that answers");
    }
}

#[test]
fn tic_tac_toe_is_drawn() {
    let solved = solve(Registry::standard().get("tictactoe").unwrap().start().as_ref(), false);
    assert_eq!((solved.value, solved.outcome, solved.pv.len()), (Some(0), Some("draw"), 9));
}

#[test]
fn mates_are_found_or_excluded() {
    let mate = |text: &str, mate| {
        let task = with!(Solve::default(), mate = mate);
        let solved = position("chess", text).tools().unwrap().solve(&task, &mut |_| ()).unwrap();
        assert!(solved.exact);
        (solved.text.clone(), solved.pv.join(" "))
    };
    let smothered = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    assert_eq!(mate(smothered, None), ("mate in 2".into(), "a1a6 b7a6 b6b7".into()));
    assert_eq!(mate(smothered, Some(1)), ("no mate in 1".into(), String::new()));
    let (text, line) = mate("8/8/8/8/8/5k2/7q/5K2 b - - 0 1", None);
    assert_eq!((text.as_str(), line.split(' ').count()), ("mate in 1", 1));
    assert!(
        position("kalah", "4,4,4,4,4,4,0/4,4,4,4,4,4,0 S")
            .tools()
            .unwrap()
            .solve(&with!(Solve::default(), mate = Some(1)), &mut |_| ())
            .is_err()
    );
}

#[test]
fn a_stop_flag_leaves_the_position_unsolved() {
    for game in ["connect4", "kalah", "othello", "chess", "checkers"] {
        let task = with!(Solve::default(), stop = Some(Arc::new(AtomicBool::new(true)).into()));
        let start = Registry::standard().get(game).unwrap().start();
        let solved = start.tools().unwrap().solve(&task, &mut |_| ()).unwrap();
        assert!(!solved.exact && solved.value.is_none(), "{game}");
    }
}
