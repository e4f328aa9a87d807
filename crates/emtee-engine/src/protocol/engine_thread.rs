//! The engine of a protocol handler: idle, or thinking on its own thread while more lines are handled.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{Builder, Scope, ScopedJoinHandle};

use emtee::mix;

use super::lines::Output;
use crate::error::Error;
use crate::registry::Entry;
use crate::session::{Control, Engine, Play};

/// Enough for the deepest search of the largest position.
const STACK: usize = 32 << 20;

/// A task for the engine's thread.
pub(crate) type Task<'scope> = Box<dyn FnOnce(&mut dyn Engine, &Control) + Send + 'scope>;

/// An engine and the thread on which it thinks.
pub(crate) struct EngineThread<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    game: &'env dyn Entry,
    play: Play,
    /// The engine, while it is idle.
    engine: Option<Box<dyn Engine>>,
    /// The thread, while the engine thinks. It returns the engine, or `None` if the engine panicked.
    thread: Option<ScopedJoinHandle<'scope, Option<Box<dyn Engine>>>>,
    control: Control,
    output: &'env Output<'env>,
}

impl<'scope, 'env> EngineThread<'scope, 'env> {
    pub(crate) fn new(
        scope: &'scope Scope<'scope, 'env>,
        game: &'env dyn Entry,
        play: Play,
        engine: Box<dyn Engine>,
        output: &'env Output<'env>,
    ) -> EngineThread<'scope, 'env> {
        EngineThread { scope, game, play, engine: Some(engine), thread: None, control: Control::default(), output }
    }

    pub(crate) fn write_lines(&self, lines: &str) {
        self.output.write_lines(lines);
    }

    /// The output, for use on another thread.
    pub(crate) fn output(&self) -> &'env Output<'env> {
        self.output
    }

    /// How the engine plays.
    pub(crate) fn play(&self) -> &Play {
        &self.play
    }

    /// Stops the search, if there is one. It may still write lines.
    pub(crate) fn stop(&self) {
        self.control.stop();
    }

    /// No more commands will follow: see [`Control::finish`].
    pub(crate) fn finish(&self) {
        self.control.finish();
    }

    /// The opponent has played the expected move.
    pub(crate) fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// Stops the search and waits until it has written everything.
    pub(crate) fn stop_and_wait(&mut self) {
        self.control.stop();
        if let Some(thread) = self.thread.take() {
            self.engine = thread.join().ok().flatten();
        }
    }

    /// Changes how the engine plays, if the new options are valid. This may take time, so it happens before a clock runs.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Play)) -> Result<(), Error> {
        let mut play = self.play.clone();
        change(&mut play);
        if play == self.play {
            return Ok(());
        }
        self.stop_and_wait();
        let mut engine = self.take_engine()?;
        let changed = engine.reconfigure(&play);
        self.engine = Some(engine);
        changed.map(|()| self.play = play)
    }

    /// The names of the algorithms that the engine can change to.
    pub(crate) fn algorithms(&self) -> Vec<String> {
        self.game.algorithms(&self.play).iter().map(ToString::to_string).collect()
    }

    /// Starts a new game: clears everything.
    pub(crate) fn new_game(&mut self) -> Result<(), Error> {
        self.next_seed()?;
        self.stop_and_wait();
        let mut engine = self.take_engine()?;
        engine.new_game()?;
        self.engine = Some(engine);
        Ok(())
    }

    /// Changes the seed for a new game, so that the book may choose other moves.
    pub(crate) fn next_seed(&mut self) -> Result<(), Error> {
        let seed = mix(self.play.seed.wrapping_add(1));
        if self.play.book.is_some() { self.change(|play| play.seed = seed) } else { Ok(()) }
    }

    /// Takes the idle engine. A new one is built if the last one panicked.
    fn take_engine(&mut self) -> Result<Box<dyn Engine>, Error> {
        self.engine.take().map_or_else(|| self.game.engine(&self.play), Ok)
    }

    /// Runs a task on the engine's thread, after stopping the current one. If the engine panics, `fallback` is written.
    pub(crate) fn start(&mut self, fallback: String, task: Task<'scope>) -> Result<(), Error> {
        self.stop_and_wait();
        let mut engine = self.take_engine()?;
        self.control = Control::default();
        let (control, output) = (self.control.clone(), self.output);
        let work = move || match catch_unwind(AssertUnwindSafe(|| task(&mut *engine, &control))) {
            Ok(()) => Some(engine),
            Err(_) => {
                output.write_lines(&fallback);
                None
            }
        };
        let thread = Builder::new().stack_size(STACK).spawn_scoped(self.scope, work);
        self.thread = Some(thread.map_err(|error| Error::NoThread { why: error.to_string() })?);
        Ok(())
    }
}
