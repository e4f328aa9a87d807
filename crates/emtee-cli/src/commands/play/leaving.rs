//! Ctrl-C in the middle of a game: "move now" while the engine thinks, and otherwise a way out that keeps the game.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use emtee_engine::{Control, Entry, Record};

use crate::failure::Failure;
use crate::interrupt::{self, Instead};

/// What is to be kept, and who is to be stopped.
#[derive(Default)]
struct Now {
    /// The engine, as long as it thinks and has not been told to move.
    thinking: Option<Control>,
    /// The game so far.
    text: String,
}

/// Watches for Ctrl-C as long as it lives.
pub(super) struct Leaving {
    now: Arc<Mutex<Now>>,
    name: String,
    _instead: Instead,
}

impl Leaving {
    pub(super) fn new(game: &dyn Entry) -> Leaving {
        let now: Arc<Mutex<Now>> = Arc::default();
        let name = format!("{}-#.{}", game.name(), game.conventions().record.extension);
        let (shared, place) = (now.clone(), name.clone());
        let instead = interrupt::instead(move || {
            let mut now = lock(&shared);
            if let Some(control) = now.thinking.take() {
                return control.stop();
            }
            save(&place, &now.text).report();
            std::process::exit(130)
        });
        Leaving { now, name, _instead: instead }
    }

    /// The engine begins to think about this game.
    pub(super) fn thinks(&self, control: &Control, record: &Record, game: &dyn Entry) {
        *lock(&self.now) = Now { thinking: Some(control.clone()), text: record.write(game) };
    }

    /// It is the person's turn in this game.
    pub(super) fn waits(&self, record: &Record, game: &dyn Entry) {
        *lock(&self.now) = Now { thinking: None, text: record.write(game) };
    }

    /// Leaves with the game saved.
    pub(super) fn leave(&self) -> Failure {
        save(&self.name, &lock(&self.now).text)
    }
}

fn lock(now: &Mutex<Now>) -> MutexGuard<'_, Now> {
    now.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes the game to a file that is not there yet: `chess-1.pgn`.
fn save(name: &str, text: &str) -> Failure {
    let names = (1..).map(|number: u32| name.replace('#', &number.to_string()));
    let file = names.into_iter().find(|name| !Path::new(name).exists()).unwrap_or_default();
    match std::fs::write(&file, text) {
        Ok(()) => Failure::Interrupted(format!("the game is saved as {file}")),
        Err(error) => Failure::Interrupted(format!("the game is not saved: cannot write {file}: {error}")),
    }
}
