//! Game records.

use emtee_engine::{GameResult, Record, Registry};

#[test]
fn games_are_written_and_read_again() {
    let registry = Registry::standard();
    for game in registry.iter() {
        for (seed, plies) in [(1, 0), (2, 9), (3, 300)] {
            let end = game.start().after_random(plies, seed);
            let result = GameResult::of(end.ending());
            let names = ["Ann".to_owned(), "level 4".to_owned()];
            let record = Record { names, moves: end.line(), result, ..Record::default() };
            let text = record.write(game);
            let read = Record::read(&text, game).unwrap_or_else(|error| panic!("{}: {error}\n{text}", game.name()));
            assert_eq!((&read.moves, &read.names), (&record.moves, &record.names), "{text}");
            assert_eq!(read.result.text(), record.result.text(), "{text}");
            assert_eq!(read.end(game).unwrap().text(), end.text());
        }
    }
}

#[test]
fn other_initial_positions_are_written_too() {
    let registry = Registry::standard();
    for (game, position, m) in [
        ("chess", "7k/8/8/8/8/8/R7/7K w - - 0 1", "a2a8"),
        ("checkers", "W:W32:B1", "32-28"),
        ("othello", "---------------------------XO------OX--------------------------- X", "e3"),
        ("connect4", "4455", "1"),
    ] {
        let game = registry.get(game).unwrap();
        let record = Record { position: Some(position.into()), moves: vec![m.into()], ..Record::default() };
        let read = Record::read(&record.write(game), game).unwrap();
        assert_eq!(read.end(game).unwrap().text(), record.end(game).unwrap().text(), "{}", game.name());
    }
}

#[test]
fn bad_files_get_one_line_errors() {
    let registry = Registry::standard();
    for (game, text, error) in [
        ("chess", "", "it contains no game"),
        ("chess", "1. e5 *", "line 1: move 1: 'e5' is not a legal move here"),
        ("connect4", "4 9", "move 2: '9' is not a legal move here; the moves are 4 3 5 2 6 1 7"),
        ("othello", "f5", "the GGF game is wrong at byte 0: there is no \"(;\", with which a game begins"),
    ] {
        assert_eq!(Record::read(text, registry.get(game).unwrap()).unwrap_err(), error);
    }
}
