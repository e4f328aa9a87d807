//! Engines with a clock.

use std::time::Duration;

use emtee::Size;
use emtee_engine::{Clock, Control, Event, Play, Registry};

use std::thread;

fn small() -> Play {
    Play::default().with_hash(Size::of_bytes(1 << 20))
}

#[test]
fn every_engine_moves_even_without_time() {
    let registry = Registry::standard();
    for game in registry.iter() {
        let mut engine = game.engine(&small()).unwrap();
        let clocks = [Clock::ms(0), Clock::left(Duration::ZERO, Duration::ZERO), Clock::nodes(1), Clock::depth(1)];
        for clock in clocks {
            let start = game.start();
            let choice = engine.think(&*start, &clock, &Control::default(), &mut |_| ()).unwrap();
            assert!(start.after(&choice.best_move.unwrap()).is_ok(), "{} {clock:?}", game.name());
        }
        let stopped = Control::default();
        stopped.stop();
        let clock = Clock { infinite: true, ..Clock::default() };
        let choice = engine.think(&*game.start(), &clock, &stopped, &mut |_| ()).unwrap();
        assert!(choice.best_move.is_some());
    }
}

#[test]
fn finished_games_have_no_move_and_wrong_games_are_refused() {
    let registry = Registry::standard();
    let mut engine = registry.get("tictactoe").unwrap().engine(&small()).unwrap();
    let over = registry.get("connect4").unwrap().position("1212121").unwrap();
    let error = engine.think(&*over, &Clock::ms(1), &Control::default(), &mut |_| ()).unwrap_err();
    assert_eq!(error.to_string(), "an engine for tictactoe cannot search a position of connect4");
    let mut engine = registry.get("connect4").unwrap().engine(&small()).unwrap();
    let choice = engine.think(&*over, &Clock::ms(1), &Control::default(), &mut |_| ()).unwrap();
    assert_eq!(choice.best_move, None);
}

#[test]
fn pondering_lasts_until_the_opponent_has_moved() {
    let registry = Registry::standard();
    let game = registry.get("kalah").unwrap();
    let mut engine = game.engine(&small()).unwrap();
    let control = Control::default();
    let hit = control.clone();
    let clock = Clock { ponder: true, ..Clock::ms(1) };
    let (sender, receiver) = std::sync::mpsc::channel();
    let other = thread::spawn(move || {
        let depth = receiver.iter().find(|depth| *depth >= 5); // Takes well over a millisecond.
        hit.ponder_hit();
        depth
    });
    let mut shown = |event: &Event<'_>| event.iteration().map_or((), |row| sender.send(row.depth).unwrap_or(()));
    let choice = engine.think(&*game.start(), &clock, &control, &mut shown).unwrap();
    drop(sender);
    assert!(other.join().unwrap().is_some());
    assert!(choice.row.depth >= 5 && choice.best_move.is_some());
}

#[test]
fn only_the_given_moves_are_searched() {
    let registry = Registry::standard();
    let game = registry.get("connect4").unwrap();
    let mut engine = game.engine(&small()).unwrap();
    let clock = Clock { moves: vec!["1".into(), "7".into()], ..Clock::depth(6) };
    let choice = engine.think(&*game.start(), &clock, &Control::default(), &mut |_| ()).unwrap();
    assert!(["1", "7"].contains(&choice.best_move.unwrap().as_str()));
    let clock = Clock { moves: vec!["8".into()], ..Clock::depth(6) };
    assert!(engine.think(&*game.start(), &clock, &Control::default(), &mut |_| ()).is_err());
}

#[test]
fn several_lines_are_those_of_separate_searches() {
    let registry = Registry::standard();
    let game = registry.get("connect4").unwrap();
    let mut play = small();
    play.options.algorithm = "mtd-f".parse().unwrap();
    let clock = Clock { lines: 7, ..Clock::depth(6) };
    let mut engine = game.engine(&play).unwrap();
    let mut rows = Vec::new();
    let choice = engine
        .think(&*game.start(), &clock, &Control::default(), &mut |event| rows.extend(event.iteration().cloned()))
        .unwrap();
    assert_eq!(rows.iter().map(|row| row.depth).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    for row in &rows {
        let top = row.top.as_ref().unwrap();
        assert!(top.len() == 7 && top.iter().all(|top| top.depth == row.depth), "all lines of a depth together");
    }
    let top = choice.row.top.unwrap();
    assert_eq!(top.len(), 7);
    assert!(top.is_sorted_by(|a, b| a.value >= b.value));
    for m in &top {
        assert_eq!(m.pv.first(), Some(&m.m));
    }
    assert_eq!(choice.best_move, Some(top[0].m.clone()));
}

#[test]
fn a_requested_mate_ends_the_search() {
    let registry = Registry::standard();
    let game = registry.get("chess").unwrap();
    let mut engine = game.engine(&small()).unwrap();
    let position = game.position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
    let clock = Clock { mate: Some(1), ..Clock::default() };
    let choice = engine.think(&*position, &clock, &Control::default(), &mut |_| ()).unwrap();
    assert_eq!((choice.best_move.as_deref(), choice.row.win_in), (Some("a1a8"), Some(1)));
}
