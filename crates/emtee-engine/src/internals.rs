//! What the tests in `tests/engine` need of private parts. They search every game, so they are not unit tests: those would compile
//! every search of every game a second time.

use std::collections::HashMap;

use crate::arena::external::uci;
use crate::arena::referee::Seat;
use crate::arena::{GameRow, Limits, Opening, Played, Player, PlayerSpec, Referee};
use crate::book::{Book, Graph};
use crate::datagen::{self, Datagen, TrainingRecord};
use crate::error::Error;
use crate::position::Position;
use crate::protocol::{Setup, nboard_clock};
use crate::registry::Entry;
use crate::session::Clock;

/// The text of a book, read and written again.
pub fn book_again(text: &str, game: &dyn Entry) -> Result<String, String> {
    Ok(Graph::read(text, game)?.text(game.name()))
}

/// A book with these values by the keys of positions; moves that are worse by no more than `near` are as good as the best.
pub fn book_of(values: HashMap<u64, i32>, near: i32) -> Book {
    Book { values, near }
}

/// The moves that a book has for a position.
pub fn book_line(book: &Book, position: &dyn Position, seed: u64) -> Option<Vec<String>> {
    book.line(position, seed).map(|line| line.moves)
}

/// How an external engine is told a position.
pub fn uci_position(game: &Played<'_>) -> String {
    uci::position(game)
}

/// How an external engine is told to search.
pub fn uci_go(limits: &Limits) -> String {
    uci::go(limits)
}

/// The limits of a search by NBoard, at the start of the game.
pub fn clock_of_nboard(game: &dyn Entry, setup: &Setup) -> Clock {
    nboard_clock(game, setup)
}

/// A game for training: its records, and the opening and moves of the same game as the referee has it.
pub fn training_game(
    task: &Datagen,
    game: &dyn Entry,
    number: u32,
) -> Result<(Vec<TrainingRecord>, Opening, GameRow), Error> {
    datagen::game_twice(task, game, number)
}

/// A game between two players.
pub fn play(
    referee: &Referee,
    game: &dyn Entry,
    players: [&mut dyn Player; 2],
    specs: &[PlayerSpec; 2],
) -> Option<GameRow> {
    let [first, second] = players;
    let seats = [Seat { player: first, spec: &specs[0] }, Seat { player: second, spec: &specs[1] }];
    referee.play(game, &Opening::default(), seats).ok()
}
