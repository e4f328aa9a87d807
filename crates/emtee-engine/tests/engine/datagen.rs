//! Training data.

use std::ops;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use emtee::Side;
use emtee_engine::datagen::*;
use emtee_engine::internals::training_game;
use emtee_engine::{Position, Registry, Solve};

/// Converts a value of the first side into one for this side.
fn seen_by(side: Side, value: i32) -> i32 {
    if side == Side::First { value } else { -value }
}

fn task(game: &str, threads: usize) -> Datagen {
    Datagen { game: game.to_owned(), nodes: 200, seed: 7, threads }
}

fn played(task: &Datagen, games: ops::Range<u32>) -> Vec<TrainingRecord> {
    let mut all = Vec::new();
    let mut keep = |records: &[TrainingRecord]| {
        all.extend_from_slice(records);
        true
    };
    task.run(&Registry::standard(), games, &Arc::default(), &mut keep).unwrap();
    all
}

#[test]
fn records_are_the_positions_of_the_game() {
    let registry = Registry::standard();
    for name in ["chess", "othello", "checkers"] {
        let game = registry.get(name).unwrap();
        let task = task(name, 1);
        for number in [0, 5] {
            let (records, opening, row) = training_game(&task, game, number).unwrap();
            assert!(records.len() >= 10, "{name}: {}", records.len());
            let mut now = game.start();
            let mut texts = vec![without_clocks(now.as_ref())];
            for m in &row.moves {
                now = now.after(m).unwrap();
                texts.push(without_clocks(now.as_ref()));
            }
            let (first, second) = (opening.moves.len(), row.moves.len());
            let mut ply = first;
            for (index, record) in records.iter().enumerate() {
                let again = TrainingRecord::from_bytes(&record.to_bytes());
                assert_eq!(again, *record);
                let position = game.unpacked(&record.board, record.turn).unwrap();
                assert_eq!((record.game, record.last), (number, index + 1 == records.len()));
                if !record.exact {
                    // In order, each of them once.
                    ply += texts[ply..second].iter().position(|text| *text == without_clocks(&*position)).unwrap() + 1;
                    let sign = seen_by(record.turn, 1);
                    let won = row.result.winner().map_or(0, |winner| seen_by(winner, 1));
                    if name != "othello" {
                        assert_eq!(i32::from(record.result) * sign, won);
                    }
                }
            }
        }
    }
}

fn without_clocks(position: &dyn Position) -> String {
    let text = position.text();
    let words = if position.game() == "chess" { 4 } else { 9 };
    text.split(' ').take(words).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_end_of_othello_is_exact() {
    let records = played(&task("othello", 1), 0..3);
    let registry = Registry::standard();
    let game = registry.get("othello").unwrap();
    let exact: Vec<_> = records.iter().filter(|record| record.exact).collect();
    assert!(exact.len() >= 30, "{}", exact.len());
    for record in &exact {
        assert_eq!(record.score, i16::from(record.result));
    }
    for record in exact.iter().step_by(5) {
        let position = game.unpacked(&record.board, record.turn).unwrap();
        let solved = position.tools().unwrap().solve(&Solve::default(), &mut |_| ()).unwrap();
        assert_eq!(solved.value, Some(i32::from(record.score)), "{}", position.text());
    }
    let first = records.iter().find(|record| !record.exact).unwrap();
    let end = records.iter().find(|record| record.last).unwrap();
    assert_eq!(seen_by(first.turn, first.result.into()), seen_by(end.turn, end.result.into()), "one result per game");
}

#[test]
fn games_depend_only_on_the_seed_and_their_number() {
    for name in ["chess", "othello", "checkers"] {
        let whole = played(&task(name, 1), 0..4);
        assert_eq!(played(&task(name, 3), 0..4), whole, "{name}: on threads, in order");
        let parts = [played(&task(name, 1), 0..1), played(&task(name, 2), 1..4)].concat();
        assert_eq!(parts, whole, "{name}: in two parts");
        let other = played(&Datagen { seed: 8, ..task(name, 1) }, 0..1);
        assert_ne!(other, whole[..other.len().min(whole.len())], "{name}");
        let first_boards: Vec<_> =
            (0..4).map(|game| whole.iter().find(|record| record.game == game).unwrap().board).collect();
        let different: std::collections::HashSet<_> = first_boards.iter().collect();
        assert_eq!(different.len(), first_boards.len(), "{name}: another opening for every game");
    }
}

#[test]
fn a_run_ends_with_enough_records_or_on_a_stop() {
    let registry = Registry::standard();
    for threads in [1, 3] {
        let mut games = 0;
        let enough = &mut |_: &[TrainingRecord]| {
            games += 1;
            games < 2
        };
        task("checkers", threads).run(&registry, 0..1_000, &Arc::default(), enough).unwrap();
        assert_eq!(games, 2);
        let mut shown = Vec::new();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = &mut |records: &[TrainingRecord]| {
            shown.push(records[0].game);
            stop.store(true, Relaxed);
            true
        };
        task("checkers", threads).run(&registry, 0..1_000, &stop, stopped).unwrap();
        assert!((1..100).contains(&shown.len()), "no more games are started: {shown:?}");
        assert!(shown.iter().copied().eq(0..shown.len() as u32), "none is left out: {shown:?}");
    }
    let none = task("kalah", 1).run(&registry, 0..1, &Arc::default(), &mut |_| true).unwrap_err();
    let text = "there is no training data for kalah; choose chess or othello or checkers";
    assert_eq!(none.to_string(), text);
}

#[test]
fn headers_are_read_and_others_refused() {
    let header = Header::of(&Datagen { nodes: 5_000, ..task("checkers", 1) });
    let bytes = header.to_bytes();
    assert_eq!(Header::from_bytes(&bytes), Some(header));
    for index in [0, 15, 24, 28] {
        let mut other = bytes;
        other[index] ^= 0x20;
        assert_eq!(Header::from_bytes(&other), None, "{index}");
    }
}
