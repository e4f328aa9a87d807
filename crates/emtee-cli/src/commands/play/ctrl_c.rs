//! Ctrl-C during a game: the engine moves at once if it is searching; otherwise the program saves the game and exits.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use emtee_engine::{Control, Entry, Record};

use crate::failure::Failure;
use crate::interrupt::{self, HandlerGuard};

/// What the handler needs: the running search and the game to save.
#[derive(Default)]
struct State {
    /// The running search, until it is stopped.
    search: Option<Control>,
    /// The record of the game.
    record: String,
}

/// The Ctrl-C handler of a game, installed until it is dropped.
pub(super) struct CtrlC {
    state: Arc<Mutex<State>>,
    /// The file name, with `#` for a number.
    pattern: String,
    _guard: HandlerGuard,
}

impl CtrlC {
    pub(super) fn new(game: &dyn Entry) -> CtrlC {
        let state: Arc<Mutex<State>> = Arc::default();
        let pattern = format!("{}-#.{}", game.name(), game.conventions().record.extension);
        let (shared, name) = (state.clone(), pattern.clone());
        let guard = interrupt::handle_with(move || {
            let mut state = lock(&shared);
            if let Some(control) = state.search.take() {
                return control.stop();
            }
            save(&name, &state.record).report();
            std::process::exit(130)
        });
        CtrlC { state, pattern, _guard: guard }
    }

    /// Called when the engine starts searching.
    pub(super) fn search_started(&self, control: &Control, record: &Record, game: &dyn Entry) {
        *lock(&self.state) = State { search: Some(control.clone()), record: record.write(game) };
    }

    /// Called when the program waits for input.
    pub(super) fn waiting_for_input(&self, record: &Record, game: &dyn Entry) {
        *lock(&self.state) = State { search: None, record: record.write(game) };
    }

    /// Saves the game, and returns the reason to exit with.
    pub(super) fn save_and_exit(&self) -> Failure {
        save(&self.pattern, &lock(&self.state).record)
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes the game to a new file: `chess-1.pgn`.
fn save(pattern: &str, text: &str) -> Failure {
    let names = (1..).map(|number: u32| pattern.replace('#', &number.to_string()));
    let file = names.into_iter().find(|name| !Path::new(name).exists()).unwrap_or_default();
    match std::fs::write(&file, text) {
        Ok(()) => Failure::Interrupted(format!("game saved as {file}")),
        Err(error) => Failure::Interrupted(format!("game not saved: cannot write {file}: {error}")),
    }
}
