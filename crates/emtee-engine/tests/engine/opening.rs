//! Openings of matches.

use emtee_engine::Registry;
use emtee_engine::arena::{Opening, Openings};

#[test]
fn random_openings_are_legal_and_repeatable() {
    let registry = Registry::standard();
    for game in registry.iter() {
        let openings = Openings::Random { plies: 6, seed: 5 };
        let all: Vec<Opening> = (0..4).map(|pair| openings.of(pair, game).unwrap()).collect();
        assert_eq!(openings.of(2, game).unwrap(), all[2]);
        assert!(all.iter().any(|opening| *opening != all[0]), "{}", game.name());
        for opening in &all {
            assert!(opening.end(game).unwrap().ending().is_none(), "{}", game.name());
        }
        let other = Openings::Random { plies: 6, seed: 6 };
        assert!((0..4).any(|pair| other.of(pair, game).unwrap() != all[pair as usize]));
    }
}

#[test]
fn opening_files_have_positions_or_moves() {
    let registry = Registry::standard();
    let chess = registry.get("chess").unwrap();
    let text = "# two openings\n\ne4 c5 Nf3\n7k/8/8/8/8/8/R7/7K w - - 0 1\n";
    let Openings::Listed(listed) = Openings::read(text, chess).unwrap() else { panic!() };
    assert_eq!(listed[0].moves, ["e2e4", "c7c5", "g1f3"]);
    assert_eq!(listed[1].position.as_deref(), Some("7k/8/8/8/8/8/R7/7K w - - 0 1"));
    assert_eq!(Openings::Listed(listed.clone()).of(3, chess).unwrap(), listed[1]);
    for (text, why) in [
        ("", "there are no openings"),
        ("e4 e4", "line 1: 'e4' is not a legal move here"),
        ("e4\nf3 e5 g4 Qh4", "line 2: the opening ends the game"),
    ] {
        assert_eq!(Openings::read(text, chess).unwrap_err(), why);
    }
    let othello = registry.get("othello").unwrap();
    let Openings::Listed(listed) = Openings::read("f5d6c3", othello).unwrap() else { panic!() };
    assert_eq!(listed[0].moves, ["f5", "d6", "c3"]);
}
