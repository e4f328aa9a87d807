//! The engine of a dialogue: idle, or thinking on a thread of its own while the dialogue goes on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{Builder, Scope, ScopedJoinHandle};

use emtee::mix;

use super::lines::Voice;
use crate::error::Error;
use crate::registry::Entry;
use crate::session::{Control, Engine, Play};

/// Enough for the deepest search of the largest position.
const STACK: usize = 32 << 20;

/// What an engine is asked to do on its thread.
pub(crate) type Task<'scope> = Box<dyn FnOnce(&mut dyn Engine, &Control) + Send + 'scope>;

/// An engine and the thread that it thinks on.
pub(crate) struct EngineThread<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    game: &'env dyn Entry,
    play: Play,
    /// The engine, if it does not think.
    engine: Option<Box<dyn Engine>>,
    /// The engine, if it thinks. Comes back empty if that broke it.
    thread: Option<ScopedJoinHandle<'scope, Option<Box<dyn Engine>>>>,
    control: Control,
    voice: &'env Voice<'env>,
}

impl<'scope, 'env> EngineThread<'scope, 'env> {
    pub(crate) fn new(
        scope: &'scope Scope<'scope, 'env>,
        game: &'env dyn Entry,
        play: Play,
        engine: Box<dyn Engine>,
        voice: &'env Voice<'env>,
    ) -> EngineThread<'scope, 'env> {
        EngineThread { scope, game, play, engine: Some(engine), thread: None, control: Control::default(), voice }
    }

    pub(crate) fn say(&self, lines: &str) {
        self.voice.say(lines);
    }

    /// For those who speak from another thread.
    pub(crate) fn voice(&self) -> &'env Voice<'env> {
        self.voice
    }

    /// How the engine plays.
    pub(crate) fn play(&self) -> &Play {
        &self.play
    }

    /// Ends the thinking, if there is any. It may still have something to say.
    pub(crate) fn stop(&self) {
        self.control.stop();
    }

    /// Lets the thinking come to its end, and stops it where it has none.
    pub(crate) fn finish(&self) {
        self.control.finish();
    }

    /// The opponent has played the expected move.
    pub(crate) fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// Ends the thinking, and waits until it has said all it has to say.
    pub(crate) fn settle(&mut self) {
        self.control.stop();
        if let Some(thread) = self.thread.take() {
            self.engine = thread.join().ok().flatten();
        }
    }

    /// Plays otherwise from now on, if that can be. Takes its time, so that no move has to.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Play)) -> Result<(), Error> {
        let mut play = self.play.clone();
        change(&mut play);
        if play == self.play {
            return Ok(());
        }
        self.settle();
        let mut engine = self.idle()?;
        let changed = engine.reconfigure(&play);
        self.engine = Some(engine);
        changed.map(|()| self.play = play)
    }

    /// The names of the algorithms that it can change to as it is.
    pub(crate) fn algorithms(&self) -> Vec<String> {
        self.game.algorithms(&self.play).iter().map(ToString::to_string).collect()
    }

    /// Forgets everything.
    pub(crate) fn new_game(&mut self) -> Result<(), Error> {
        self.choose_anew()?;
        self.settle();
        let mut engine = self.idle()?;
        engine.new_game()?;
        self.engine = Some(engine);
        Ok(())
    }

    /// Another game begins, and need not be like the last: a book chooses otherwise.
    pub(crate) fn choose_anew(&mut self) -> Result<(), Error> {
        let seed = mix(self.play.seed.wrapping_add(1));
        if self.play.book.is_some() { self.change(|play| play.seed = seed) } else { Ok(()) }
    }

    /// The engine; a new one where there is none, because the last one broke.
    fn idle(&mut self) -> Result<Box<dyn Engine>, Error> {
        self.engine.take().map_or_else(|| self.game.engine(&self.play), Ok)
    }

    /// Gives the engine something to do on a thread of its own, after what it does now. If it breaks, `otherwise` is said.
    pub(crate) fn begin(&mut self, otherwise: String, task: Task<'scope>) -> Result<(), Error> {
        self.settle();
        let mut engine = self.idle()?;
        self.control = Control::default();
        let (control, voice) = (self.control.clone(), self.voice);
        let work = move || match catch_unwind(AssertUnwindSafe(|| task(&mut *engine, &control))) {
            Ok(()) => Some(engine),
            Err(_) => {
                voice.say(&otherwise);
                None
            }
        };
        let thread = Builder::new().stack_size(STACK).spawn_scoped(self.scope, work);
        self.thread = Some(thread.map_err(|error| Error::NoThread { why: error.to_string() })?);
        Ok(())
    }
}
