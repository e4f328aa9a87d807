//! The engine of any game.

use std::any::Any;
use std::fmt::Display;
use std::time::Duration;

use emtee::research::{Counts, Iteration, Observer, Pass};
use emtee::{Budget, MAX_DEPTH, Size, Value, legal_moves};

use super::clock::Allowance;
use super::finish::{Finish, nodes_in};
use super::manager::Manager;
use super::{Choice, Clock, Control, Engine, Play};
use crate::error::Error;
use crate::kit::Kit;
use crate::position::{At, Playable, Position, find};
use crate::row::Row;
use crate::search::AnySearch;

/// An engine of G.
pub(crate) struct GameEngine<G: Playable> {
    game: String,
    kit: Kit<G>,
    play: Play,
    search: Box<dyn AnySearch<G>>,
    /// Who plays the end of the game.
    end: Option<Box<dyn Finish<G>>>,
}

/// Before the end is solved, a fifth of the time or of the nodes goes into a search, so that there is a move; not more than to
/// this depth.
const LOOK: u8 = 12;

impl<G: Playable> GameEngine<G> {
    pub(crate) fn new(game: &str, kit: Kit<G>, play: &Play) -> Result<GameEngine<G>, Error> {
        let search = Self::ready(game, &kit, play)?;
        let mut engine = GameEngine { game: game.to_owned(), kit, play: play.clone(), search, end: None };
        engine.hire_finisher();
        Ok(engine)
    }

    /// The search of one who plays so, or why there is none.
    pub(crate) fn search(game: &str, kit: &Kit<G>, play: &Play) -> Result<Box<dyn AnySearch<G>>, Error> {
        let mut settings = play.settings(G::TUNING.selective);
        settings.evaluator = settings.evaluator.or_else(|| kit.played_with());
        let mut search = kit.search(game, &settings)?;
        search.set_game(&[])?;
        Ok(search)
    }

    /// The same, with everything done that takes long, before a clock runs: memory, and what the game builds on its first
    /// evaluation.
    fn ready(game: &str, kit: &Kit<G>, play: &Play) -> Result<Box<dyn AnySearch<G>>, Error> {
        let mut search = Self::search(game, kit, play)?;
        search.think(&(kit.start)(), &[], 1, Budget::depth(1), &mut ())?;
        search.clear()?;
        search.touch_table();
        Ok(search)
    }

    fn hire_finisher(&mut self) {
        self.end = self.kit.finisher.filter(|_| self.play.solving).map(|finisher| finisher());
    }
}

impl<G: Playable> Engine for GameEngine<G> {
    fn new_game(&mut self) -> Result<(), Error> {
        self.search.clear()?;
        if let Some(end) = &mut self.end {
            end.clear();
        }
        Ok(())
    }

    fn reconfigure(&mut self, play: &Play) -> Result<(), Error> {
        // What cannot be is found out on a small search, before anything is given up.
        let small = Self::search(&self.game, &self.kit, &play.clone().with_hash(Size::of_entries(1)))?;
        let same_memory = self.play.hash() == play.hash();
        let evaluation = |play: &Play| {
            let chances = play.endings.is_some() && play.tells_draws_apart();
            (play.evaluator.clone(), play.endings.clone(), chances)
        };
        if same_memory && evaluation(&self.play) == evaluation(play) {
            let [old, new] =
                [&self.play, play].map(|play| self.kit.settings(play.settings(G::TUNING.selective)).options());
            self.search.reconfigure(new)?;
            if old.mode.selective() != new.mode.selective() {
                self.search.forget_bounds();
            }
        } else {
            // The old table goes before the new one comes: two may not fit.
            self.search = small;
            match Self::ready(&self.game, &self.kit, play) {
                Ok(search) => self.search = search,
                Err(error) => {
                    self.search = Self::ready(&self.game, &self.kit, &self.play)?;
                    return Err(error);
                }
            }
        }
        let solving = std::mem::replace(&mut self.play, play.clone()).solving;
        if solving != play.solving {
            self.hire_finisher();
        }
        Ok(())
    }

    fn think(
        &mut self,
        position: &dyn Position,
        clock: &Clock,
        control: &Control,
        shown: &mut dyn FnMut(&Row),
    ) -> Result<Choice, Error> {
        let any: &dyn Any = position;
        let Some(at) = any.downcast_ref::<At<G>>() else {
            return Err(Error::OtherGame { game: self.game.clone(), position: position.game().to_owned() });
        };
        if let Some(choice) = self.ask_book(at, clock) {
            return Ok(choice);
        }
        let mut among = Vec::new();
        for m in &clock.moves {
            among.extend(at.read(&at.board, m)?.first());
        }
        let legal = legal_moves(&at.board);
        let legal = if among.is_empty() { &legal } else { &among };
        let mut clock = clock.clone();
        if legal.len() == 1 && clock.allowance(self.play.overhead).is_some() {
            // There is nothing to choose; a look is enough to say what it is worth.
            clock.depth = Some(clock.depth.unwrap_or(MAX_DEPTH).min(4));
        }
        let allowance = clock.allowance(self.play.overhead);
        let mut thinking = Thinking {
            manager: Manager::new(control, allowance, &clock),
            about: Row {
                alternate: self.play.alternate,
                lines: clock.lines,
                ..Row::about(&self.game, at.text(), self.play.options.algorithm)
            },
            mate: clock.mate,
            root_moves: clock.root_moves,
            root_move_shown: Duration::ZERO,
            iterations: Vec::new(),
            since: Counts::default(),
            shown,
            control,
        };
        // A database that was on its way may have arrived.
        self.search.renew();
        self.search.set_game(&at.before)?;
        self.search.set_alarm(control.alarm());
        let mut budget = Budget::UNLIMITED;
        (budget.depth, budget.nodes) =
            (clock.depth.map(|depth| depth.clamp(1, MAX_DEPTH)), clock.nodes.map(|n| n.max(1)));
        // Whoever asks about some moves, or for several of them, wants to know what they are worth.
        let free = among.is_empty() && clock.lines <= 1;
        let row = if let (Some(level), true) = (self.play.level, free) {
            let chosen = self.search.choose(&at.board, level, self.play.seed, budget, &mut thinking)?;
            thinking.about.concluding(&chosen.found).but_playing(chosen.m)
        } else if free
            && budget.depth.is_none()
            && let Some(row) = self.finish(&at.board, budget, allowance, &mut thinking)?
        {
            row
        } else {
            let found = self.search.think(&at.board, &among, clock.lines, budget, &mut thinking)?;
            thinking.about.concluding(&found)
        };
        if legal.is_empty() {
            // The game is over: there is nothing to search, but something to say.
            (thinking.shown)(&row);
        }
        control.wait(clock.infinite);
        // Stopped before anything was known, an engine still has a move.
        let best_move = row.best_move.clone().or_else(|| legal.first().map(|m| row.written(m)));
        let ponder = row.pv.get(1).cloned();
        Ok(Choice { best_move, ponder, from_book: false, row })
    }
}

impl<G: Playable> GameEngine<G> {
    /// What the book says, if it is asked and knows.
    fn ask_book(&self, at: &At<G>, clock: &Clock) -> Option<Choice> {
        let book = self.play.book.as_ref().filter(|_| clock.wants_a_move())?;
        let line = book.line(at, self.play.seed)?;
        let about = Row {
            alternate: self.play.alternate,
            value: Some(line.value),
            complete: true,
            ..Row::about(&self.game, at.text(), self.play.options.algorithm)
        };
        let (mut board, mut pv) = (at.board.clone(), Vec::new());
        for m in &line.moves {
            let m = find(&board, m).ok()?;
            pv.push(about.written(&m));
            board = board.play(m);
        }
        let (best_move, ponder) = (pv.first().cloned(), pv.get(1).cloned());
        Some(Choice { best_move: best_move.clone(), ponder, from_book: true, row: Row { best_move, pv, ..about } })
    }

    /// The end of the game, solved after a look at the position, if there is time for it.
    fn finish(
        &mut self,
        board: &G,
        budget: Budget,
        allowance: Option<Allowance>,
        thinking: &mut Thinking<'_, G::Move>,
    ) -> Result<Option<Row>, Error> {
        let time = allowance.map(|allowance| allowance.target.unwrap_or(allowance.most));
        let nodes = budget.nodes.unwrap_or_else(|| nodes_in(time));
        let Some(end) = self.end.as_mut().filter(|end| end.is_near(board, nodes)) else { return Ok(None) };
        let part =
            Budget { depth: Some(LOOK), nodes: budget.nodes.map(|nodes| nodes / 5), time: time.map(|time| time / 5) };
        let look = self.search.think(board, &[], 1, part, thinking)?;
        // Nodes of a budget are for both; those that time allows are a guess, and the clock decides.
        let nodes = budget.nodes.map_or(u64::MAX / 2, |nodes| nodes.saturating_sub(look.counts.nodes()));
        let about = thinking.about.clone();
        let Some(ending) = end.finish(board, nodes, thinking.control) else { return Ok(Some(about.concluding(&look))) };
        let looked = Row { counts: look.counts, ..thinking.row() };
        let row = ending.conclude(looked, |m| about.written(m), thinking.manager.thought());
        (thinking.shown)(&row);
        Ok(Some(row))
    }
}

/// Sees every pass and every iteration: tells the time manager, and whoever wants to see.
struct Thinking<'t, M> {
    manager: Manager<'t, M>,
    control: &'t Control,
    about: Row,
    mate: Option<u32>,
    root_moves: bool,
    /// When the last of them was shown.
    root_move_shown: Duration,
    iterations: Vec<Iteration<M>>,
    /// What the passes since the last of them cost.
    since: Counts,
    shown: &'t mut dyn FnMut(&Row),
}

/// Before this nobody can read what a pass says, and passes would flicker.
const READABLE: Duration = Duration::from_secs(1);

/// Moves of the root are shown no more often than this.
const FLICKER: Duration = Duration::from_millis(100);

impl<M: Display + Copy + PartialEq> Thinking<'_, M> {
    /// What is known after the iterations so far.
    fn row(&self) -> Row {
        self.about.clone().after(&self.iterations)
    }

    /// Shows a row, with the time as it is: what iterations took is less, and would be earlier than what a pass has said.
    fn show(&mut self, mut row: Row) {
        row.seconds = self.manager.thought().as_secs_f64();
        (self.shown)(&row);
    }
}

impl<G: Playable> Observer<G> for Thinking<'_, G::Move> {
    fn passed(&mut self, depth: u8, pass: &Pass<G::Move>) {
        // A pass is about one of several lines, and does not say which.
        if self.about.lines > 1 {
            return;
        }
        self.manager.passed(pass);
        self.since += pass.counts;
        if self.manager.thought() >= READABLE {
            self.show(self.row().bounded(depth, pass, self.since));
        }
    }

    fn root_move(&mut self, depth: u8, m: G::Move, number: usize) {
        if !self.root_moves {
            return;
        }
        let thought = self.manager.thought();
        if thought >= READABLE.max(self.root_move_shown + FLICKER) {
            self.root_move_shown = thought;
            let root_move = Some((self.about.written(&m), number));
            self.show(Row { depth, root_move, ..self.about.clone() });
        }
    }

    fn iteration(&mut self, iteration: &Iteration<G::Move>) {
        self.iterations.push(iteration.clone());
        self.since = Counts::default();
        self.manager.finished(iteration.best_move, iteration.value);
        let moves = iteration.value.and_then(Value::wins_in).map(|plies| plies.div_ceil(2));
        if self.mate.zip(moves).is_some_and(|(most, moves)| moves <= most) {
            self.control.stop();
        }
        self.show(self.row());
    }
}
