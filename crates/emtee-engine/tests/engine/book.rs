//! Opening books.

use std::collections::HashMap;
use std::sync::Arc;

use emtee_engine::internals::{book_line, book_of, book_round_trip};
use emtee_engine::{Book, BookBuilder, BookTask, Choice, Clock, Control, Play, Registry};

const OTHELLO: &str = "emtee book othello\nf5 0\n d6 0\n  c3 0\n f6 -3\n";

fn think(book: &str, game: &str, line: &[&str], clock: &Clock, seed: u64) -> Choice {
    let registry = Registry::standard();
    let game = registry.get(game).unwrap();
    let book = Some(Book::read(book, game).unwrap().into());
    let play = Play { book, seed, ..Play::default() }.with_hash(emtee::Size::of_bytes(1 << 20));
    let position = game.start().after_all(line).unwrap();
    game.engine(&play).unwrap().think(&*position, clock, &Control::default(), &mut |_| ()).unwrap()
}

fn task(positions: usize) -> BookTask {
    BookTask { positions, nodes: 500, plies: 12, threads: 1 }
}

fn built(game: &str, task: &BookTask, from: Option<&str>) -> String {
    let registry = Registry::standard();
    let game = registry.get(game).unwrap();
    let mut builder = from.map_or_else(|| BookBuilder::new(game), |text| BookBuilder::resume(text, game).unwrap());
    assert!(builder.run(task, &Arc::default(), &mut |_| ()).unwrap());
    assert!(builder.searched() >= task.positions.min(8));
    builder.text()
}

#[test]
fn a_written_book_can_be_read() {
    let registry = Registry::standard();
    for game in ["othello", "checkers", "chess", "connect4", "kalah"] {
        let text = built(game, &task(8), None);
        assert_eq!(book_round_trip(&text, registry.get(game).unwrap()).unwrap(), text);
    }
}

#[test]
fn a_book_does_not_depend_on_threads_or_resuming() {
    for game in ["othello", "checkers"] {
        let whole = built(game, &task(24), None);
        assert_eq!(built(game, &BookTask { threads: 3, ..task(24) }, None), whole);
        let half = built(game, &task(8), None);
        assert_ne!(half, whole);
        assert_eq!(built(game, &task(24), Some(&half)), whole);
    }
}

#[test]
fn damaged_files_get_one_line_errors() {
    let registry = Registry::standard();
    let othello = registry.get("othello").unwrap();
    for (text, why) in [
        ("", "it does not begin with 'emtee book othello'"),
        ("f5 0\n", "it does not begin with 'emtee book othello'"),
        ("emtee book chess\ne2e4 0\n", "it is a book of chess, not of othello"),
        ("emtee book othello\n# nothing\n", "it contains no moves"),
        ("emtee book othello\nf5\n", "line 2: write a move and its value, like 'e4 12'"),
        ("emtee book othello\nf5 0 1\n", "line 2: write a move and its value, like 'e4 12'"),
        ("emtee book othello\nf5 x\n", "line 2: values lie within ±31000"),
        ("emtee book othello\nf5 31001\n", "line 2: values lie within ±31000"),
        ("emtee book othello\n f5 0\n", "line 2: a reply is indented by one more space than its move"),
        ("emtee book othello\nf5 0\n  d6 0\n", "line 3: a reply is indented by one more space than its move"),
        ("emtee book othello\nf5d6 0\n", "line 2: 'f5d6' is not a legal move here; the moves are "),
        ("emtee book othello\nf5 0\n f5 0\n", "line 3: 'f5' is not a legal move here; the moves are "),
    ] {
        let error = Book::read(text, othello).unwrap_err();
        assert!(error.starts_with(why), "{text:?}: {error}");
        assert_eq!(error.lines().count(), 1);
    }
}

#[test]
fn mirror_images_are_one_position() {
    for (line, replies) in [("f5", ["d6"]), ("d3", ["c5"]), ("c4", ["e3"]), ("e6", ["f4"])] {
        let choice = think(OTHELLO, "othello", &[line], &Clock::nodes(100), 0);
        assert!(choice.from_book);
        assert_eq!((choice.best_move.as_deref(), choice.row.counts.nodes()), (Some(replies[0]), 0), "{line}");
    }
    // The start position has four moves, which are equal by symmetry.
    let first: Vec<_> = (0..40).map(|seed| think(OTHELLO, "othello", &[], &Clock::nodes(1), seed).best_move).collect();
    assert!(["f5", "d3", "c4", "e6"].iter().all(|m| first.contains(&Some((*m).to_owned()))));
}

#[test]
fn values_are_backed_up() {
    // White's reply makes 11-15 bad, whatever its stored value.
    let book = "emtee book checkers\n11-15 40\n 22-18 90\n 23-19 -5\n10-15 3\n10-14 0\n9-14 -30\n";
    let chosen: Vec<_> =
        (0..40).filter_map(|seed| think(book, "checkers", &[], &Clock::nodes(1), seed).best_move).collect();
    assert!(chosen.iter().all(|m| m == "10-15" || m == "10-14"), "{chosen:?}");
    assert!(["10-15", "10-14"].iter().all(|m| chosen.iter().any(|chosen| chosen == m)), "both are good");
    let choice = think(book, "checkers", &["11-15"], &Clock::nodes(1), 0);
    assert_eq!((choice.best_move.as_deref(), choice.row.value), (Some("22-18"), Some(90)));
}

#[test]
fn analysis_does_not_use_the_book() {
    let clock = Clock::nodes(300);
    for clock in [
        Clock { analysis: true, ..clock.clone() },
        Clock { lines: 2, ..clock.clone() },
        Clock { mate: Some(3), ..clock.clone() },
        Clock { moves: vec!["d6".into()], ..clock.clone() },
    ] {
        let choice = think(OTHELLO, "othello", &["f5"], &clock, 0);
        assert!(!choice.from_book && choice.row.counts.nodes() > 0, "{clock:?}");
    }
    let choice = think(OTHELLO, "othello", &["f5", "d6", "c3"], &clock, 0);
    assert!(!choice.from_book, "the book ends here");
    let choice = think(OTHELLO, "othello", &["f5", "f4"], &clock, 0);
    assert!(!choice.from_book, "not in the book");
}

#[test]
fn book_moves_use_the_chosen_notation() {
    let registry = Registry::standard();
    let game = registry.get("checkers").unwrap();
    let book = Book::read("emtee book checkers\n11-15 0\n 22-18 0\n  15x22 0\n   25x18 0\n", game).unwrap();
    let play = Play { alternate: true, book: Some(book.into()), ..Play::default() };
    let position = game.start().after_all(&["11-15", "22-18"]).unwrap();
    let choice =
        game.engine(&play).unwrap().think(&*position, &Clock::ms(1), &Control::default(), &mut |_| ()).unwrap();
    assert_eq!((choice.best_move.as_deref(), choice.ponder.as_deref()), (Some("15x22x18"), Some("25x18x22")));
}

/// A file for any purpose: whatever the book contains, the move is legal.
#[test]
fn no_book_plays_an_illegal_move() {
    let registry = Registry::standard();
    for name in ["othello", "checkers", "chess"] {
        let game = registry.get(name).unwrap();
        // All positions after the moves of random games, by their keys and by wrong keys.
        for seed in 0..20 {
            let position = game.start().after_random(seed as u32, seed);
            let mut values = HashMap::from([(position.book_key(), 0)]);
            for (index, m) in position.moves().iter().enumerate() {
                values.insert(position.after(m).unwrap().book_key() ^ (index as u64 & 1), 0);
            }
            let book = book_of(values, 1);
            if let Some(line) = book_line(&book, &*position, seed) {
                assert!(position.moves().contains(&line[0]));
                assert!(position.after_all(&line.iter().map(String::as_str).collect::<Vec<_>>()).is_ok());
            }
        }
    }
}

#[test]
fn a_book_avoids_repetitions() {
    let book = "emtee book chess\ng1f3 0\n g8f6 0\n  f3g1 0\n   f6g8 0\ne2e4 -40\n";
    let around = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for seed in 0..20 {
        let choice = think(book, "chess", &around[..1], &Clock::nodes(100), seed);
        assert_eq!(choice.best_move.as_deref(), Some("g8f6"));
        let choice = think(book, "chess", &around[..3], &Clock::nodes(100), seed);
        assert!(!choice.from_book, "the start has occurred");
    }
}

#[test]
fn game_records_come_first() {
    let registry = Registry::standard();
    let game = registry.get("connect4").unwrap();
    let task = BookTask { positions: 8, nodes: 3_000, plies: 8, threads: 1 };
    // Without these games, this line would not be expanded early.
    let games = "4 4 4 4 4 2 1-0\n4 4 4 4 4 2 0-1\n# a remark\n[Position \"1\"]\n7 7 7 7\n";
    let mut builder = BookBuilder::new(game);
    assert_eq!(builder.add_games(games.as_bytes(), 8).unwrap(), (2, 0));
    builder.run(&task, &Arc::default(), &mut |_| ()).unwrap();
    let text = builder.text();
    assert!(text.contains("\n4 ") && text.contains("\n    4 "), "{text}");
    assert!(!built("connect4", &task, None).contains("\n    4 "));
}

/// Collections of game records, including unreadable games.
#[test]
fn collections_are_read() {
    let registry = Registry::standard();
    let mut wthor = vec![0; 16 + 2 * 68];
    wthor[4] = 2;
    wthor[16 + 8..16 + 11].copy_from_slice(&[56, 64, 33]);
    wthor[16 + 68 + 8] = 11;
    let ggf = "(;GM[Othello]PB[a]PW[b]RE[?]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)";
    for (game, bytes, expected) in [
        ("chess", b"[Event \"?\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"?\"]\n\n1. e5 *\n".to_vec(), (1, 1)),
        ("chess", b"[FEN \"7k/8/8/8/8/8/R7/7K w - - 0 1\"]\n\n1. Ra8# 1-0\n".to_vec(), (0, 0)),
        ("checkers", b"[Event \"?\"]\n1. 11-15 23-19 *\n[Event \"?\"]\n1. 11-15 23-18 *\n".to_vec(), (2, 0)),
        ("othello", wthor.clone(), (1, 1)),
        ("othello", format!("{ggf}\n{ggf}(;no").into_bytes(), (2, 1)),
    ] {
        assert_eq!(BookBuilder::new(registry.get(game).unwrap()).add_games(&bytes, 4), Ok(expected), "{game}");
    }
    let short = BookBuilder::new(registry.get("othello").unwrap()).add_games(b"ab", 4);
    assert_eq!(short.unwrap_err(), "the file is too short: 0 games do not fit into 2 bytes");
}

#[test]
fn built_in_books_are_valid() {
    let registry = Registry::standard();
    for name in ["othello", "checkers", "chess"] {
        let game = registry.get(name).unwrap();
        let book = Book::own(game).unwrap();
        assert!(book.positions() >= 500 && game.book().unwrap().len() < 100_000, "{name}");
        assert!(book_line(&book, &*game.start(), 1).is_some_and(|line| line.len() >= 4));
    }
    let none = Book::own(registry.get("kalah").unwrap()).unwrap_err();
    assert_eq!(none.to_string(), "no opening book comes with kalah; 'emtee book kalah --out FILE' makes one");
}
