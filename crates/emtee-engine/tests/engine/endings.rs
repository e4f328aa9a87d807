//! Endings databases of checkers, in searches and engines.

use emtee_engine::{Clock, Control, Play, Position, Registry, Settings, Solve};

use std::sync::{Arc, LazyLock};

use emtee::Budget;
use emtee_games::checkers;
use emtee_games::checkers::endings::{Database, Endings, Wdl};

static THREE: LazyLock<Arc<Endings>> = LazyLock::new(|| Arc::new(Endings::build(3)));

/// The database of a player may grow between two moves.
#[test]
fn an_engine_uses_a_database_that_has_grown() {
    let database = Database::from(Arc::new(Endings::build(2)));
    let small = Play::default().with_hash(emtee::Size::of_bytes(1 << 20));
    let play = Play { endings: Some(database.clone()), ..small };
    let checkers = Registry::standard();
    let checkers = checkers.get("checkers").unwrap();
    // One piece more than the first database covers.
    let position = checkers.position("B:WK1:BK14,6").unwrap();
    let mut engine = checkers.engine(&play).unwrap();
    let mut value = || {
        let choice = engine.think(&*position, &Clock::depth(2), &Control::default(), &mut |_| ()).unwrap();
        choice.row.value.unwrap()
    };
    assert!(value().abs() < 20_000);
    database.complete(THREE.clone());
    assert!(value().abs() >= 20_000);
    assert!(engine.reconfigure(&play).is_ok());
}

/// The king cannot win against this man, but it has the better chances.
#[test]
fn draws_are_told_apart_only_in_play() {
    let registry = Registry::standard();
    let checkers = registry.get("checkers").unwrap();
    let position = checkers.position("B:W29:BK15").unwrap();
    let board: checkers::Board = position.text().parse().unwrap();
    assert_eq!(THREE.value(&board), Some(Wdl::Draw));
    let settings = with!(Settings::default(), endings = Some(THREE.clone().into()), in_play = true);
    assert_eq!(position.search(&settings, Budget::depth(3), &mut |_| ()).unwrap().value, Some(0));
    let small = Play::default().with_hash(emtee::Size::of_bytes(1 << 20));
    let play = Play { endings: Some(THREE.clone().into()), ..small };
    let value = |play: &Play| {
        let mut engine = checkers.engine(play).unwrap();
        let choice = engine.think(&*position, &Clock::depth(3), &Control::default(), &mut |_| ()).unwrap();
        choice.row.value.unwrap()
    };
    assert!((4..=40).contains(&value(&play)), "{}", value(&play));
    assert_eq!(value(&Play { chances: false, ..play.clone() }), 0);
    assert_eq!(value(&Play { level: Some(emtee::Level::new(9).unwrap()), ..play }), 0);
}

#[test]
fn checkers_probes_and_other_games_refuse() {
    let registry = Registry::standard();
    let settings = with!(Settings::default(), endings = Some(THREE.clone().into()));
    let small = Play::default().with_hash(emtee::Size::of_bytes(1 << 20));
    let play = Play { endings: Some(THREE.clone().into()), ..small };
    let position = registry.get("checkers").unwrap().position("B:WK1:BK14,6").unwrap();
    let row = position.search(&settings, Budget::depth(3), &mut |_| ()).unwrap();
    assert_eq!(row.value.map(i32::signum), Some(expected(&*position)));
    let two = with!(settings.clone(), lines = 2);
    let top = position.search(&two, Budget::depth(3), &mut |_| ()).unwrap().top.unwrap();
    assert_eq!((top.len(), top[0].value), (2, row.value));
    let worth = position.worth(row.best_move.as_deref().unwrap(), &settings, 3).unwrap();
    assert_eq!(Some(worth), row.value);
    let mut engine = registry.get("checkers").unwrap().engine(&play).unwrap();
    let choice = engine.think(&*position, &Clock::depth(5), &Control::default(), &mut |_| ()).unwrap();
    // The game's own evaluation is never this high: the engine also probes the database.
    assert!(choice.row.value.unwrap().abs() >= 20_000);

    let chess = registry.get("chess").unwrap();
    let error = chess.start().search(&settings, Budget::depth(1), &mut |_| ()).unwrap_err();
    assert_eq!(error.to_string(), "there are no endings databases for chess");
    assert_eq!(chess.engine(&play).err(), Some(error.clone()));
    let task = with!(Solve::default(), endings = Some(THREE.clone()));
    assert_eq!(chess.start().tools().unwrap().solve(&task, &mut |_| ()).err(), Some(error));
}

fn expected(position: &dyn Position) -> i32 {
    let board: checkers::Board = position.text().parse().unwrap();
    THREE.value(&board).unwrap() as i32 - 1
}
