//! The list of games.

use emtee_engine::{Baseline, Clock, Control, Entry, Play, Registry, Settings};

use std::collections::HashSet;

use emtee::{Algorithm, Budget};
use emtee_games::drawing::Cell;

/// Equal node counts and equal texts.
#[test]
fn small_games_are_the_same_as_one_type() {
    let (each, one) = (Registry::default().with_small(), Registry::default().with_small_as_one());
    assert_eq!(each.names().collect::<Vec<_>>(), one.names().collect::<Vec<_>>());
    for (each, one) in each.iter().zip(one.iter()) {
        assert_eq!(
            (each.conventions().bottom, Baseline::ALL.map(|kind| each.baseline(kind))),
            (one.conventions().bottom, Baseline::ALL.map(|kind| one.baseline(kind)))
        );
        for (plies, algorithm) in
            (0..4).zip([Algorithm::MtdF, Algorithm::NegaScout, Algorithm::Sss, Algorithm::Minimax])
        {
            let [own, other] = [each, one].map(|game| game.start().after_random(3 * plies, 7));
            assert_eq!((own.text(), own.moves(), own.drawing()), (other.text(), other.moves(), other.drawing()));
            assert_eq!(own.illegal_reason("1"), other.illegal_reason("1"));
            assert_eq!(one.position(&own.text()).unwrap().text(), own.text());
            let mut settings = Settings::default();
            settings.options.algorithm = algorithm;
            let rows = [&own, &other].map(|position| {
                let row = position.search(&settings, Budget::depth(5), &mut |_| ()).unwrap();
                (row.value, row.pv, row.counts)
            });
            assert_eq!(rows[0], rows[1], "{} by {algorithm}", each.name());
            let choices = [(each, &own), (one, &other)].map(|(game, position)| {
                let mut engine = game.engine(&Play::default()).unwrap();
                let choice = engine.think(&**position, &Clock::depth(6), &Control::default(), &mut |_| ()).unwrap();
                (choice.best_move, choice.row.counts)
            });
            assert_eq!(choices[0], choices[1], "{} in play", each.name());
        }
        let bad = |game: &dyn Entry| game.position("?").err().map(|error| error.to_string());
        assert_eq!(bad(each), bad(one));
    }
}

/// What is drawn can be set up: the text of the cells is a position with the same drawing.
#[test]
fn drawn_positions_can_be_set_up() {
    for registry in [Registry::standard(), Registry::default().with_small_as_one()] {
        for game in registry.iter() {
            let set_up = game.set_up().unwrap();
            for seed in 0..40 {
                let position = game.start().after_random(seed as u32, seed);
                let cells: Vec<_> = position.drawing().unwrap().rows.into_iter().map(|row| row.cells).collect();
                let text = (set_up.text)(&cells, position.turn());
                match game.position(&text) {
                    Ok(set_up) => {
                        let again: Vec<_> = set_up.drawing().unwrap().rows.into_iter().map(|row| row.cells).collect();
                        let plain = |rows: &[Vec<Cell>]| -> Vec<_> {
                            rows.iter().flatten().map(|cell| (cell.text.clone(), cell.ink)).collect()
                        };
                        assert_eq!(plain(&again), plain(&cells), "{}: {text}", game.name());
                        assert_eq!(set_up.turn(), position.turn(), "{}: {text}", game.name());
                    }
                    // Some games refuse texts of finished games on purpose.
                    Err(error) => assert!(position.moves().is_empty(), "{}: {error}", game.name()),
                }
            }
            // Cells of another size are no panic. Without cells, some games read an empty board.
            let _ = game.position(&(set_up.text)(&[], emtee::Side::First));
            // The last piece empties a cell.
            assert_eq!(set_up.pieces.last().unwrap().label, "empty");
        }
    }
}

/// Every position of every set can be searched, none occurs twice, and no two sets share one.
#[test]
fn sets_are_legal_and_disjoint() {
    for game in Registry::standard().iter() {
        let mut seen = HashSet::new();
        for set in game.sets() {
            let positions = game.set(set).unwrap();
            assert!(positions.len() >= if set == "tune" || set == "held-out" { 200 } else { 20 });
            for position in positions {
                assert!(!position.moves().is_empty(), "{}, {set}: {}", game.name(), position.text());
                assert!(seen.insert(position.text()), "{}, {set}: {} again", game.name(), position.text());
            }
        }
    }
}
