//! Access to private parts for the tests in `tests/engine`. Those tests search every game. As unit tests they would
//! compile every search of every game a second time.

use std::collections::HashMap;

use crate::arena::external::uci;
use crate::arena::referee::ActivePlayer;
use crate::arena::{GameRow, GameSoFar, Limits, Opening, Player, PlayerSpec, Referee};
use crate::book::{Book, Graph};
use crate::datagen::{self, Datagen, TrainingRecord};
use crate::error::Error;
use crate::position::Position;
use crate::protocol::{Setup, nboard_clock};
use crate::registry::Entry;
use crate::session::Clock;

/// Reads the text of a book and writes it again.
pub fn book_round_trip(text: &str, game: &dyn Entry) -> Result<String, String> {
    Ok(Graph::read(text, game)?.text(game.name()))
}

/// A book with these values by position key. Moves within `margin` of the best one count as equally good.
pub fn book_of(values: HashMap<u64, i32>, margin: i32) -> Book {
    Book { values, margin }
}

/// The line that a book gives for a position.
pub fn book_line(book: &Book, position: &dyn Position, seed: u64) -> Option<Vec<String>> {
    book.line(position, seed).map(|line| line.moves)
}

/// The command that sends a position to a UCI engine.
pub fn uci_position(game: &GameSoFar<'_>) -> String {
    uci::position(game)
}

/// The command that starts a search of a UCI engine.
pub fn uci_go(limits: &Limits) -> String {
    uci::go(limits)
}

/// The limits of a search over NBoard, at the start of the game.
pub fn clock_of_nboard(game: &dyn Entry, setup: &Setup) -> Clock {
    nboard_clock(game, setup)
}

/// The training records of a game, and the opening and the row of the same game from the referee.
pub fn training_game(
    task: &Datagen,
    game: &dyn Entry,
    number: u32,
) -> Result<(Vec<TrainingRecord>, Opening, GameRow), Error> {
    datagen::records_and_game(task, game, number)
}

/// Plays a game between two players.
pub fn play(
    referee: &Referee,
    game: &dyn Entry,
    players: [&mut dyn Player; 2],
    specs: &[PlayerSpec; 2],
) -> Option<GameRow> {
    let [first, second] = players;
    let players = [ActivePlayer { player: first, spec: &specs[0] }, ActivePlayer { player: second, spec: &specs[1] }];
    referee.play(game, &Opening::default(), players).ok()
}
