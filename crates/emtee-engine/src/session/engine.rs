//! The engine of any game.

use std::any::Any;
use std::fmt::Display;
use std::time::Duration;

use emtee::research::{Iteration, Observer, Pass};
use emtee::{Budget, MAX_DEPTH, Size, Value, legal_moves};

use super::clock::Allowance;
use super::finish::{Finish, nodes_in};
use super::manager::Manager;
use super::{Choice, Clock, Control, Engine, Play};
use crate::error::Error;
use crate::kit::Kit;
use crate::position::{At, Playable, Position};
use crate::row::{Row, TopMove};
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
        let mut search = kit.search(game, &play.settings(G::SELECTIVE))?;
        search.set_game(&[])?;
        Ok(search)
    }

    /// The same, with everything done that takes long, before a clock runs: memory, and what the game builds on its first
    /// evaluation.
    fn ready(game: &str, kit: &Kit<G>, play: &Play) -> Result<Box<dyn AnySearch<G>>, Error> {
        let search = Self::search(game, kit, play)?;
        search.touch_table();
        G::default().evaluate();
        Ok(search)
    }

    fn hire_finisher(&mut self) {
        self.end = self.kit.finisher.filter(|_| self.play.solving).map(|finisher| finisher());
    }
}

impl<G: Playable> Engine for GameEngine<G> {
    fn new_game(&mut self) -> Result<(), Error> {
        self.search.clear()?;
        self.search.touch_table();
        if let Some(end) = &mut self.end {
            end.clear();
        }
        Ok(())
    }

    fn reconfigure(&mut self, play: &Play) -> Result<(), Error> {
        if !self.play.shares_search(play, G::SELECTIVE) {
            // What cannot be is found out on a small search, before anything is given up. Then the old table goes before the
            // new one comes: two may not fit.
            let small = Play { hash: Size::of_entries(1), ..play.clone() };
            self.search = Self::search(&self.game, &self.kit, &small)?;
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
            about: Row { alternate: self.play.alternate, ..Row::about(&self.game, at.text(), self.play.algorithm) },
            mate: clock.mate,
            iterations: Vec::new(),
            silent: false,
            shown,
            control,
        };
        self.search.set_game(&at.before)?;
        self.search.set_alarm(control.alarm());
        let mut budget = Budget::UNLIMITED;
        (budget.depth, budget.nodes) =
            (clock.depth.map(|depth| depth.clamp(1, MAX_DEPTH)), clock.nodes.map(|n| n.max(1)));
        let row = if clock.lines > 1 && legal.len() > 1 {
            self.lines(&at.board, legal, clock.lines, budget, &mut thinking)?
        } else if let (Some(level), true) = (self.play.level, among.is_empty()) {
            let chosen = self.search.choose(&at.board, level, self.play.seed, budget, &mut thinking)?;
            thinking.about.concluding(&chosen.found).but_playing(chosen.m)
        } else if among.is_empty()
            && budget.depth.is_none()
            && let Some(row) = self.finish(&at.board, budget, allowance, &mut thinking)?
        {
            row
        } else {
            let found = self.search.think(&at.board, &among, budget, &mut thinking)?;
            thinking.about.concluding(&found)
        };
        control.wait(clock.infinite);
        // Stopped before anything was known, an engine still has a move.
        let best_move = row.best_move.clone().or_else(|| legal.first().map(|m| row.written(m)));
        let ponder = row.pv.get(1).cloned();
        Ok(Choice { best_move, ponder, row })
    }
}

impl<G: Playable> GameEngine<G> {
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
        let look = self.search.think(board, &[], part, thinking)?;
        // Nodes of a budget are for both; those that time allows are a guess, and the clock decides.
        let nodes = budget.nodes.map_or(u64::MAX / 2, |nodes| nodes.saturating_sub(look.counts.nodes()));
        let about = thinking.about.clone();
        let Some(ending) = end.finish(board, nodes, thinking.control) else { return Ok(Some(about.concluding(&look))) };
        let row = ending.conclude(thinking.row(), |m| about.written(m), thinking.manager.thought());
        (thinking.shown)(&row);
        Ok(Some(row))
    }

    /// The best few moves, each searched without those before it, iteration by iteration.
    fn lines(
        &mut self,
        board: &G,
        legal: &[G::Move],
        count: usize,
        budget: Budget,
        thinking: &mut Thinking<'_, G::Move>,
    ) -> Result<Row, Error> {
        thinking.silent = true;
        let (mut spent, mut guesses, mut known) = (0, vec![None; count.min(legal.len())], None);
        'deeper: for depth in 1..=budget.depth.unwrap_or(MAX_DEPTH) {
            let (mut left, mut top, mut exact) = (legal.to_vec(), Vec::new(), true);
            for (line, guess) in guesses.iter_mut().enumerate() {
                let mut once = Budget::depth(depth);
                once.nodes = budget.nodes.map(|nodes| nodes.saturating_sub(spent).max(1));
                let found = match line {
                    0 => self.search.iterate(board, &left, *guess, once, thinking)?,
                    _ => self.search.iterate(board, &left, *guess, once, &mut ())?,
                };
                spent += found.counts.nodes();
                let (true, Some(best)) = (found.complete, found.best_move) else { break 'deeper };
                left.retain(|m| *m != best);
                *guess = found.value;
                exact &= found.iterations.last().is_some_and(|iteration| iteration.exact);
                top.extend(TopMove::of(&found, &thinking.about));
            }
            let mut row = thinking.row();
            row.top = Some(top);
            row.nodes = spent;
            (thinking.shown)(&row);
            known = row.top;
            if exact || budget.nodes.is_some_and(|nodes| spent >= nodes) {
                break;
            }
        }
        let mut row = thinking.row();
        (row.top, row.nodes) = (known, spent);
        Ok(row)
    }
}

/// Sees every pass and every iteration: tells the time manager, and whoever wants to see.
struct Thinking<'t, M> {
    manager: Manager<'t, M>,
    control: &'t Control,
    about: Row,
    mate: Option<u32>,
    iterations: Vec<Iteration<M>>,
    /// Whether somebody else shows the iterations.
    silent: bool,
    shown: &'t mut dyn FnMut(&Row),
}

/// Before this nobody can read what a pass says, and passes would flicker.
const READABLE: Duration = Duration::from_secs(1);

impl<M: Display + Copy> Thinking<'_, M> {
    /// What is known after the iterations so far.
    fn row(&self) -> Row {
        self.about.clone().after(&self.iterations)
    }
}

impl<G: Playable> Observer<G> for Thinking<'_, G::Move> {
    fn passed(&mut self, depth: u8, pass: &Pass<G::Move>) {
        self.manager.passed(pass);
        if !self.silent && self.manager.thought() >= READABLE {
            let mut row = self.row().bounded(depth, pass);
            row.seconds = self.manager.thought().as_secs_f64();
            (self.shown)(&row);
        }
    }

    fn iteration(&mut self, iteration: &Iteration<G::Move>) {
        self.iterations.push(iteration.clone());
        self.manager.finished(iteration.best_move, iteration.value);
        let moves = iteration.value.and_then(Value::wins_in).map(|plies| plies.div_ceil(2));
        if self.mate.zip(moves).is_some_and(|(most, moves)| moves <= most) {
            self.control.stop();
        }
        if !self.silent {
            let row = self.row();
            (self.shown)(&row);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::registry::Registry;

    fn small() -> Play {
        Play { hash: emtee::Size::of_bytes(1 << 20), ..Play::default() }
    }

    #[test]
    fn every_game_has_an_engine_that_moves_however_little_time_there_is() {
        let registry = Registry::standard();
        for game in registry.iter() {
            let mut engine = game.engine(&small()).unwrap();
            let clocks = [Clock::ms(0), Clock::left(Duration::ZERO, Duration::ZERO), Clock::nodes(1), Clock::depth(1)];
            for clock in clocks {
                let start = game.start();
                let choice = engine.think(&*start, &clock, &Control::default(), &mut |_| ()).unwrap();
                assert!(start.after(&choice.best_move.unwrap()).is_ok(), "{} {clock:?}", game.name());
            }
            let stopped = Control::default();
            stopped.stop();
            let clock = Clock { infinite: true, ..Clock::default() };
            let choice = engine.think(&*game.start(), &clock, &stopped, &mut |_| ()).unwrap();
            assert!(choice.best_move.is_some());
        }
    }

    #[test]
    fn a_game_that_is_over_has_no_move_and_a_wrong_game_is_refused() {
        let registry = Registry::standard();
        let mut engine = registry.get("tictactoe").unwrap().engine(&small()).unwrap();
        let over = registry.get("connect4").unwrap().position("1212121").unwrap();
        let error = engine.think(&*over, &Clock::ms(1), &Control::default(), &mut |_| ()).unwrap_err();
        assert_eq!(error.to_string(), "an engine for tictactoe cannot think about connect4");
        let mut engine = registry.get("connect4").unwrap().engine(&small()).unwrap();
        let choice = engine.think(&*over, &Clock::ms(1), &Control::default(), &mut |_| ()).unwrap();
        assert_eq!(choice.best_move, None);
    }

    #[test]
    fn pondering_lasts_until_the_opponent_has_moved() {
        let registry = Registry::standard();
        let game = registry.get("kalah").unwrap();
        let mut engine = game.engine(&small()).unwrap();
        let control = Control::default();
        let hit = control.clone();
        let clock = Clock { ponder: true, ..Clock::ms(1) };
        let (said, heard) = std::sync::mpsc::channel();
        let other = thread::spawn(move || {
            let depth = heard.iter().find(|depth| *depth >= 5); // Well over a millisecond's work.
            hit.ponder_hit();
            depth
        });
        let mut shown = |row: &Row| said.send(row.depth).unwrap_or(());
        let choice = engine.think(&*game.start(), &clock, &control, &mut shown).unwrap();
        drop(said);
        assert!(other.join().unwrap().is_some());
        assert!(choice.row.depth >= 5 && choice.best_move.is_some());
    }

    #[test]
    fn only_the_moves_named_are_looked_at() {
        let registry = Registry::standard();
        let game = registry.get("connect4").unwrap();
        let mut engine = game.engine(&small()).unwrap();
        let clock = Clock { moves: vec!["1".into(), "7".into()], ..Clock::depth(6) };
        let choice = engine.think(&*game.start(), &clock, &Control::default(), &mut |_| ()).unwrap();
        assert!(["1", "7"].contains(&choice.best_move.unwrap().as_str()));
        let clock = Clock { moves: vec!["8".into()], ..Clock::depth(6) };
        assert!(engine.think(&*game.start(), &clock, &Control::default(), &mut |_| ()).is_err());
    }

    #[test]
    fn several_lines_are_those_of_separate_searches() {
        let registry = Registry::standard();
        let game = registry.get("connect4").unwrap();
        let mut play = small();
        play.algorithm = "mtd-f".parse().unwrap();
        let clock = Clock { lines: 7, ..Clock::depth(6) };
        let mut engine = game.engine(&play).unwrap();
        let mut rows = Vec::new();
        let choice =
            engine.think(&*game.start(), &clock, &Control::default(), &mut |row| rows.push(row.clone())).unwrap();
        assert_eq!(rows.iter().map(|row| row.depth).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
        let top = choice.row.top.unwrap();
        assert_eq!(top.len(), 7);
        assert!(top.is_sorted_by(|a, b| a.value >= b.value));
        for m in &top {
            assert_eq!(m.pv.first(), Some(&m.m));
        }
        assert_eq!(choice.best_move, Some(top[0].m.clone()));
    }

    #[test]
    fn a_mate_that_is_asked_for_ends_the_search() {
        let registry = Registry::standard();
        let game = registry.get("chess").unwrap();
        let mut engine = game.engine(&small()).unwrap();
        let position = game.position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
        let clock = Clock { mate: Some(1), ..Clock::default() };
        let choice = engine.think(&*position, &clock, &Control::default(), &mut |_| ()).unwrap();
        assert_eq!((choice.best_move.as_deref(), choice.row.win_in), (Some("a1a8"), Some(1)));
    }
}
