//! The engine of any game.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use emtee::research::{Counts, Iteration, Observer, Pass};
use emtee::{Algorithm, Budget, MAX_DEPTH, Size, Value, legal_moves};

use super::clock::Allowance;
use super::manager::Manager;
use super::{Choice, Clock, Control, EndgameSolver, Engine, Play, nodes_in};
use crate::error::Error;
use crate::event::Event;
use crate::kit::Kit;
use crate::position::{GamePosition, Playable, Position, find};
use crate::row::{Row, RowMaker};
use crate::search::{GameSearch, downcast};

/// An engine of G.
pub(crate) struct GameEngine<G: Playable> {
    game: String,
    kit: Arc<Kit<G>>,
    play: Play,
    search: Box<dyn GameSearch<G>>,
    /// The solver for the end of the game.
    endgame: Option<Box<dyn EndgameSolver<G>>>,
}

/// The maximum depth of the search before the endgame solver. It takes a fifth of the time or of the nodes and makes
/// sure that there is a move.
const PRELIMINARY_DEPTH: u8 = 12;

impl<G: Playable> GameEngine<G> {
    pub(crate) fn new(game: &str, kit: Arc<Kit<G>>, play: &Play) -> Result<GameEngine<G>, Error> {
        let search = Self::prepared_search(game, &kit, play)?;
        let mut engine = GameEngine { game: game.to_owned(), kit, play: play.clone(), search, endgame: None };
        engine.set_endgame_solver();
        Ok(engine)
    }

    /// The search of an engine that plays this way, or an error if the options cannot be combined.
    pub(crate) fn search(game: &str, kit: &Kit<G>, play: &Play) -> Result<Box<dyn GameSearch<G>>, Error> {
        let mut settings = play.settings(G::TUNING.selective);
        settings.evaluator = settings.evaluator.or_else(|| kit.play_evaluator());
        let mut search = kit.search(game, &settings)?;
        search.set_game(&[])?;
        Ok(search)
    }

    /// The same, with all slow preparations done before a clock runs: allocating the table, and what the game builds on
    /// its first evaluation.
    fn prepared_search(game: &str, kit: &Kit<G>, play: &Play) -> Result<Box<dyn GameSearch<G>>, Error> {
        let mut search = Self::search(game, kit, play)?;
        search.think(&(kit.start)(), &[], 1, Budget::depth(1), &mut ())?;
        search.clear()?;
        search.touch_table();
        Ok(search)
    }

    fn set_endgame_solver(&mut self) {
        self.endgame = self.kit.endgame_solver.filter(|_| self.play.solving).map(|make| make());
    }
}

impl<G: Playable> Engine for GameEngine<G> {
    fn new_game(&mut self) -> Result<(), Error> {
        self.search.clear()?;
        if let Some(end) = &mut self.endgame {
            end.clear();
        }
        Ok(())
    }

    fn reconfigure(&mut self, play: &Play) -> Result<(), Error> {
        // Invalid options are found with a small search, before the old one is dropped.
        let small = Self::search(&self.game, &self.kit, &play.clone().with_hash(Size::of_entries(1)))?;
        let is_mcts = |play: &Play| play.options.algorithm == Algorithm::Mcts;
        let same_memory = self.play.hash() == play.hash() && is_mcts(&self.play) == is_mcts(play);
        let evaluation = |play: &Play| {
            let chances = play.endings.is_some() && play.distinguishes_draws();
            (play.evaluator.clone(), play.endings.clone(), chances)
        };
        if same_memory && evaluation(&self.play) == evaluation(play) {
            let [old, new] =
                [&self.play, play].map(|play| self.kit.settings(play.settings(G::TUNING.selective)).options);
            self.search.reconfigure(new)?;
            if old.mode.selective() != new.mode.selective() {
                self.search.forget_bounds();
            }
        } else {
            // The old table is freed before the new one is allocated: both may not fit into memory.
            self.search = small;
            match Self::prepared_search(&self.game, &self.kit, play) {
                Ok(search) => self.search = search,
                Err(error) => {
                    self.search = Self::prepared_search(&self.game, &self.kit, &self.play)?;
                    return Err(error);
                }
            }
        }
        let solving = std::mem::replace(&mut self.play, play.clone()).solving;
        if solving != play.solving {
            self.set_endgame_solver();
        }
        Ok(())
    }

    fn think(
        &mut self,
        position: &dyn Position,
        clock: &Clock,
        control: &Control,
        event: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Choice, Error> {
        let position: &GamePosition<G> = downcast(position, &self.game)?;
        if let Some(choice) = self.book_move(position, clock) {
            return Ok(choice);
        }
        let mut among = Vec::new();
        for m in &clock.moves {
            among.extend(position.read(&position.board, m)?.first());
        }
        let legal = legal_moves(&position.board);
        let legal = if among.is_empty() { &legal } else { &among };
        let mut clock = clock.clone();
        if legal.len() == 1 && clock.allowance(self.play.overhead).is_some() {
            // A forced move: a shallow search gives it a value.
            clock.depth = Some(clock.depth.unwrap_or(MAX_DEPTH).min(4));
        }
        let allowance = clock.allowance(self.play.overhead);
        let mut observer = ThinkObserver {
            manager: Manager::new(control, allowance, &clock),
            maker: self.row_maker(position).with_lines(clock.lines),
            mate: clock.mate,
            root_moves: clock.root_moves,
            root_move_shown: Duration::ZERO,
            iterations: Vec::new(),
            unfinished: Counts::default(),
            event,
            control,
        };
        // A larger endings database may be available since the last move.
        self.search.renew();
        self.search.set_game(&position.history.positions())?;
        self.search.set_stop(control.stops());
        let mut budget = Budget::UNLIMITED;
        (budget.depth, budget.nodes) =
            (clock.depth.map(|depth| depth.clamp(1, MAX_DEPTH)), clock.nodes.map(|n| n.max(1)));
        // A search of chosen moves or of several lines has to report values, so no level and no endgame solver is used.
        let free = among.is_empty() && clock.lines <= 1;
        let row = if let (Some(level), true) = (self.play.level, free) {
            let chosen = self.search.choose(&position.board, level, self.play.seed, budget, &mut observer)?;
            observer.maker.played(&chosen.found, chosen.m)
        } else if free
            && budget.depth.is_none()
            && let Some(row) = self.solve_end(&position.board, budget, allowance, &mut observer)?
        {
            row
        } else {
            let found = self.search.think(&position.board, &among, clock.lines, budget, &mut observer)?;
            observer.maker.result(&found)
        };
        (observer.event)(&Event::Result(&row));
        control.wait(clock.infinite);
        // A search stopped before its first result still returns a legal move.
        let best_move = row.best_move.clone().or_else(|| legal.first().map(|m| observer.maker.written(m)));
        let ponder = row.pv.get(1).cloned();
        Ok(Choice { best_move, ponder, from_book: false, row })
    }
}

impl<G: Playable> GameEngine<G> {
    fn row_maker(&self, position: &GamePosition<G>) -> RowMaker {
        let maker = RowMaker::new(&self.game, position.text(), self.play.options.algorithm);
        maker.with_alternate_moves(self.play.alternate)
    }

    /// The book's move, if the book applies and contains the position.
    fn book_move(&self, position: &GamePosition<G>, clock: &Clock) -> Option<Choice> {
        let book = self.play.book.as_ref().filter(|_| clock.only_needs_a_move())?;
        let line = book.line(position, self.play.seed)?;
        let maker = self.row_maker(position);
        let (mut board, mut pv) = (position.board.clone(), Vec::new());
        for m in &line.moves {
            let m = find(&board, m).ok()?;
            pv.push(maker.written(&m));
            board = board.play(m);
        }
        let (best_move, ponder) = (pv.first().cloned(), pv.get(1).cloned());
        let row = Row { value: Some(line.value), complete: true, best_move: best_move.clone(), pv, ..maker.empty() };
        Some(Choice { best_move, ponder, from_book: true, row })
    }

    /// Solves the end of the game after a preliminary search, if there is enough time.
    fn solve_end(
        &mut self,
        board: &G,
        budget: Budget,
        allowance: Option<Allowance>,
        observer: &mut ThinkObserver<'_, G::Move>,
    ) -> Result<Option<Row>, Error> {
        let time = allowance.map(|allowance| allowance.target.unwrap_or(allowance.max));
        let nodes = budget.nodes.unwrap_or_else(|| nodes_in(time));
        let Some(end) = self.endgame.as_mut().filter(|end| end.is_solvable(board, nodes)) else { return Ok(None) };
        let part = Budget {
            depth: Some(PRELIMINARY_DEPTH),
            nodes: budget.nodes.map(|nodes| nodes / 5),
            time: time.map(|time| time / 5),
        };
        let preliminary = self.search.think(board, &[], 1, part, observer)?;
        // A node budget covers both the search and the solver. Under a clock, the number of nodes is only an estimate.
        let nodes = budget.nodes.map_or(u64::MAX / 2, |nodes| nodes.saturating_sub(preliminary.counts.nodes()));
        let Some(solved) = end.solve(board, nodes, observer.control) else {
            return Ok(Some(observer.maker.result(&preliminary)));
        };
        let row = Row { counts: preliminary.counts, ..observer.row() };
        let row = solved.apply_to(row, &observer.maker, observer.manager.elapsed());
        (observer.event)(&Event::Iteration(&row));
        Ok(Some(row))
    }
}

/// Observes passes and iterations, for the time manager, and reports events.
struct ThinkObserver<'t, M> {
    manager: Manager<'t, M>,
    control: &'t Control,
    maker: RowMaker,
    mate: Option<u32>,
    root_moves: bool,
    /// When a root move was last shown.
    root_move_shown: Duration,
    iterations: Vec<Iteration<M>>,
    /// The counts of the passes since the last finished iteration.
    unfinished: Counts,
    event: &'t mut dyn FnMut(&Event<'_>),
}

/// Passes are not shown before this time: there would be too many to read.
const SHOW_PASSES_AFTER: Duration = Duration::from_secs(1);

/// Root moves are shown no more often than this.
const ROOT_MOVE_INTERVAL: Duration = Duration::from_millis(100);

impl<M: Display + Copy + PartialEq> ThinkObserver<'_, M> {
    /// The row after the finished iterations, with the elapsed time. The sum over the iterations is less, so times could
    /// otherwise run backwards after a pass.
    fn row(&self) -> Row {
        Row { seconds: self.manager.elapsed().as_secs_f64(), ..self.maker.iterations(&self.iterations) }
    }
}

impl<G: Playable> Observer<G> for ThinkObserver<'_, G::Move> {
    fn passed(&mut self, depth: u8, pass: &Pass<G::Move>) {
        // A pass with several lines belongs to one of them, but does not say which one.
        if self.maker.lines > 1 {
            return;
        }
        self.manager.passed(pass);
        self.unfinished += pass.counts;
        if self.manager.elapsed() >= SHOW_PASSES_AFTER {
            let unfinished = self.maker.unfinished(self.row(), depth, pass, self.unfinished);
            (self.event)(&Event::Pass(&unfinished));
        }
    }

    fn root_move(&mut self, depth: u8, m: G::Move, number: usize) {
        if !self.root_moves {
            return;
        }
        let elapsed = self.manager.elapsed();
        if elapsed >= SHOW_PASSES_AFTER.max(self.root_move_shown + ROOT_MOVE_INTERVAL) {
            self.root_move_shown = elapsed;
            (self.event)(&Event::RootMove { depth, m: &self.maker.written(&m), number });
        }
    }

    fn iteration(&mut self, iteration: &Iteration<G::Move>) {
        self.iterations.push(iteration.clone());
        self.unfinished = Counts::default();
        self.manager.finished(iteration.best_move, iteration.value);
        let moves = iteration.value.and_then(Value::wins_in).map(|plies| plies.div_ceil(2));
        if self.mate.zip(moves).is_some_and(|(most, moves)| moves <= most) {
            self.control.stop();
        }
        let row = self.row();
        (self.event)(&Event::Iteration(&row));
    }
}
