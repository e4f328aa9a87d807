//! The search a user holds: build it once, then let it think.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::AtomicBool;
use core::time::Duration;

use crate::algorithm::Guess;
use crate::deepening::Plan;
use crate::error::Error;
use crate::game::{Evaluate, Game, Moves};
use crate::level::Promise;
use crate::limits::{Alarm, Budget, Clock, Limits, MAX_DEPTH, Stopped};
use crate::line::{Line, game_of};
use crate::observer::{Observer, Passes};
use crate::ordering::{Memory, Ordering};
use crate::selective::Sieve;
use crate::session::{Ended, Session};
use crate::stats::{Counts, Cuts, Iteration, Pass, Tally};
use crate::table::Table;
use crate::threads::{Hands, Open, Team, Teamwork};
use crate::value::{Bounds, Gamma, Value, Window};
use crate::worker::Worker;

/// A search, with its memory. One thinks about one position at a time, and remembers what it found.
pub struct Search<G: Game, E> {
    pub(crate) evaluator: E,
    pub(crate) plan: Plan,
    pub(crate) table: Table,
    pub(crate) store_leaves: bool,
    pub(crate) etc: Option<u8>,
    pub(crate) ordering: Ordering,
    pub(crate) step: Option<u8>,
    pub(crate) guess: Guess,
    pub(crate) first_guess: Option<Value>,
    pub(crate) range: Bounds,
    pub(crate) pv: bool,
    pub(crate) clock: Option<Clock>,
    pub(crate) stop: Option<Arc<AtomicBool>>,
    pub(crate) alarm: Option<Arc<Alarm>>,
    pub(crate) moves: Moves<G::Move>,
    pub(crate) memory: Memory,
    pub(crate) sieve: Sieve,
    /// The keys of the game so far, in play.
    pub(crate) game: Option<Vec<u64>>,
    /// What the last choice has proved of the game.
    pub(crate) promise: Option<Promise>,
    pub(crate) session: Option<Session<G>>,
    /// The helpers, and what all threads share.
    pub(crate) hands: Hands<G::Move>,
    pub(crate) share_from: u64,
    pub(crate) team: Option<Team>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Found<M> {
    /// The best move: of the last finished iteration, or one that failed high in the unfinished one, and so is proved
    /// better. Nothing if the game is over, or if the search was stopped before it knew anything.
    pub best_move: Option<M>,
    /// The value, from the last finished iteration. Nothing before the first, or from MTD-best, which finds the move alone.
    pub value: Option<Value>,
    /// What is proved of the value at [`depth`](Found::depth).
    pub f: Bounds,
    /// The line both sides would play, every move of it proved.
    pub pv: Vec<M>,
    /// The depth of the last finished iteration.
    pub depth: u8,
    /// Whether the search came to its end, rather than being stopped by a limit.
    pub complete: bool,
    /// The finished iterations.
    pub iterations: Vec<Iteration<M>>,
    /// The one that was stopped.
    pub unfinished: Option<Iteration<M>>,
    /// Everything counted, over all iterations.
    pub counts: Counts,
    /// The quality of the move ordering by height, from the horizon up.
    pub heights: Vec<Cuts>,
    /// How long it took, where there is a clock.
    pub time: Duration,
    /// How several threads worked together.
    pub teamwork: Option<Teamwork>,
}

impl<M> Found<M> {
    /// How many passes the finished iterations took.
    pub fn passes(&self) -> usize {
        self.iterations.iter().map(|iteration| iteration.passes.len()).sum()
    }
}

/// How a search in slices stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Poll<M> {
    /// No search was started.
    Idle,
    /// It needs more slices. This is the best move so far, and how deep it has been proved.
    Thinking {
        /// The best move so far.
        best_move: Option<M>,
        /// The depth of the last finished iteration.
        depth: u8,
        /// How many nodes it took so far.
        nodes: u64,
    },
    /// It is done.
    Done(Box<Found<M>>),
}

/// A move and what is proved of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RankedMove<M> {
    /// The move.
    pub m: M,
    /// What the position is worth if it is played.
    pub f: Bounds,
}

impl<G: Game, E: Evaluate<G>> Search<G, E> {
    /// Thinks about a position until the budget is spent.
    pub fn think(&mut self, position: &G, budget: Budget) -> Result<Found<G::Move>, Error> {
        self.think_observed(position, budget, &mut Passes(&mut ()))
    }

    /// Thinks, and shows every node to an observer.
    pub fn think_observed(
        &mut self,
        position: &G,
        budget: Budget,
        observer: &mut impl Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        self.think_among(position, &[], budget, observer)
    }

    /// Thinks about some of the moves, as if there were no others; about all of them if none is named.
    pub fn think_among(
        &mut self,
        position: &G,
        among: &[G::Move],
        budget: Budget,
        observer: &mut impl Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        let mut session = self.open(position, budget)?;
        if !among.is_empty() {
            session.consider_only(position, &crate::game::legal_moves(position), among);
        }
        while session.ended.is_none() {
            self.advance(&mut session, Budget::UNLIMITED, observer)?;
        }
        Ok(session.found())
    }

    /// One iteration alone, at the depth of the budget, about some of the moves, beginning with a guess.
    pub fn iterate_among(
        &mut self,
        position: &G,
        among: &[G::Move],
        guess: Option<Value>,
        budget: Budget,
        observer: &mut impl Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        let (step, first_guess) = (self.step.take(), self.first_guess);
        self.first_guess = guess.or(first_guess);
        let found = self.think_among(position, among, budget, observer);
        (self.step, self.first_guess) = (step, first_guess);
        found
    }

    /// Begins to think, without doing anything yet: [`poll`](Search::poll) does. Ends any thinking under way.
    pub fn start(&mut self, position: &G, budget: Budget) -> Result<(), Error> {
        self.session = Some(self.open(position, budget)?);
        Ok(())
    }

    /// Thinks for one slice, and says how things stand. Made for frame loops, and for places without threads.
    ///
    /// ```
    /// use emtee::{Budget, Game, Poll, player};
    /// use emtee_games::connect4::Board;
    ///
    /// let mut ai = player(Board::evaluate).build()?;
    /// ai.start(&Board::default(), Budget::depth(6))?;
    /// let found = loop {
    ///     match ai.poll(Budget::nodes(100))? {
    ///         Poll::Done(found) => break found,
    ///         _ => { /* draw a frame */ }
    ///     }
    /// };
    /// assert_eq!(found.depth, 6);
    /// # Ok::<(), emtee::Error>(())
    /// ```
    pub fn poll(&mut self, slice: Budget) -> Result<Poll<G::Move>, Error> {
        let Some(mut session) = self.session.take() else { return Ok(Poll::Idle) };
        self.advance(&mut session, slice, &mut Passes(&mut ()))?;
        if session.ended.is_some() {
            return Ok(Poll::Done(Box::new(session.found())));
        }
        let (best_move, depth) = (session.best_move(), session.finished_depth());
        let poll = Poll::Thinking { best_move, depth, nodes: session.nodes };
        self.session = Some(session);
        Ok(poll)
    }

    /// Ends the thinking under way, and says what it has found.
    pub fn stop(&mut self) -> Option<Found<G::Move>> {
        let mut session = self.session.take()?;
        session.ended.get_or_insert(Ended::Stopped);
        Some(session.found())
    }

    /// The best `count` moves with what is proved of each, best first: exact values, but for a limit that cuts the search
    /// short and for MTD-best.
    ///
    /// Each move after the first costs one more search without those before it, which the table makes cheap.
    pub fn rank(&mut self, position: &G, budget: Budget, count: usize) -> Result<Vec<RankedMove<G::Move>>, Error> {
        let mut ranked: Vec<RankedMove<G::Move>> = Vec::new();
        let mut session = self.open(position, budget)?;
        let moves = crate::game::legal_moves(position).len();
        let mut depth = None;
        while ranked.len() < count.min(moves) {
            while session.ended.is_none() {
                self.advance(&mut session, Budget::UNLIMITED, &mut Passes(&mut ()))?;
            }
            let (Some(best), Some(last)) = (session.best, session.iterations.last()) else { break };
            if depth.is_some_and(|depth| depth != last.depth) {
                break;
            }
            ranked.push(RankedMove { m: best.m, f: last.f });
            depth = Some(last.depth);
            if session.ended == Some(Ended::Stopped) {
                break;
            }
            session.without(best, self.range);
        }
        Ok(ranked)
    }

    /// The value of the position if `m` is played, or nothing if that is no legal move or a limit cut the search short.
    pub fn worth(&mut self, position: &G, m: G::Move, budget: Budget) -> Result<Option<Value>, Error> {
        let moves = crate::game::legal_moves(position);
        let mut session = self.open(position, budget)?;
        session.consider_only(position, &moves, &[m]);
        while session.ended.is_none() && moves.contains(&m) {
            self.advance(&mut session, Budget::UNLIMITED, &mut Passes(&mut ()))?;
        }
        Ok(session.found().value.filter(|_| moves.contains(&m)))
    }

    /// One call of MT: is the value of the position greater than γ, searched to this depth?
    ///
    /// Returns g, fail-soft: if g < γ the value is at most g, else at least g.
    ///
    /// ```
    /// use emtee::{Game, Gamma, Value, player};
    /// use emtee_games::tictactoe::Board;
    /// let mut ai = player(Board::evaluate).build()?;
    /// let won = Gamma::below(Value::win_in(Value::MAX_DISTANCE));
    /// assert!(ai.mt(&Board::default(), 9, won)? < won); // Tic-tac-toe is no win.
    /// # Ok::<(), emtee::Error>(())
    /// ```
    pub fn mt(&mut self, position: &G, depth: u8, gamma: Gamma) -> Result<Value, Error> {
        Ok(self.pass(position, depth, gamma)?.g)
    }

    /// The same as [`mt`](Search::mt), with what it cost.
    pub fn pass(&mut self, position: &G, depth: u8, gamma: Gamma) -> Result<Pass<G::Move>, Error> {
        check_depth(depth)?;
        let mut tally = Tally::new();
        let mut unobserved = ();
        let (mut worker, _) = self.worker(&mut tally, Limits::new(None, None, None), &mut unobserved, &[]);
        worker.horizon = depth;
        let g = worker.alone(position, depth, 0, Window::null(gamma));
        let best_move = worker.root_move.map(|best| best.m);
        match (worker.fault, g) {
            (Some(fault), _) => Err(fault),
            (None, Ok(g)) => {
                let window = Window::null(gamma);
                Ok(Pass { window, g, f: window.proves(g), about: None, best_move, counts: tally.counts })
            }
            (None, Err(Stopped)) => unreachable!("there is nothing to stop it"),
        }
    }

    /// Searches in play from now on: the positions of the game before the one to be searched, oldest first.
    ///
    /// In play a position that has occurred before means what the game says ([`Game::repeated`]), and so does a long run of
    /// [`reversible`](Game::reversible) moves. Such values depend on the path: none of them, and no bound that rests on
    /// one, is stored.
    ///
    /// ```
    /// use emtee::{Budget, Game, player};
    /// use emtee_games::chess::Board;
    /// // Black is a rook ahead and about to mate, but White can check for ever.
    /// let board: Board = "6k1/6p1/8/7Q/8/8/rq4PP/7K w - - 0 1".parse()?;
    /// let mut ai = player(Board::evaluate).build()?;
    /// ai.set_game(&[])?;
    /// let found = ai.think(&board, Budget::depth(6))?;
    /// assert_eq!(found.value.unwrap().get(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// The oracles know position and depth alone, and refuse.
    pub fn set_game(&mut self, before: &[G]) -> Result<(), Error> {
        if let Plan::Named(algorithm) = self.plan
            && algorithm.is_oracle()
        {
            let option = "does not know what came before; choose another algorithm in play";
            return Err(Error::Unsupported { algorithm: algorithm.to_string(), option });
        }
        self.game = Some(game_of(before));
        Ok(())
    }

    /// Lets an alarm end what is searched from now on, or none.
    pub fn set_alarm(&mut self, alarm: Option<Arc<Alarm>>) {
        self.alarm = alarm;
    }

    /// Searches positions alone again.
    pub fn forget_game(&mut self) {
        self.game = None;
    }

    /// Forgets every bound and keeps the best moves: what follows is searched anew, in the best order known.
    ///
    /// ```
    /// use emtee::{Game, Gamma, Value, player};
    /// use emtee_games::connect4::Board;
    /// let (board, gamma) = (Board::default(), Gamma::below(Value::default()));
    /// let mut ai = player(Board::evaluate).build()?;
    /// let first = ai.pass(&board, 6, gamma)?;
    /// assert_eq!(ai.pass(&board, 6, gamma)?.counts.nbp, 0); // All of it is known.
    /// ai.forget_bounds();
    /// let anew = ai.pass(&board, 6, gamma)?;
    /// assert!(anew.counts.nbp > 0 && anew.counts.nbp <= first.counts.nbp);
    /// # Ok::<(), emtee::Error>(())
    /// ```
    pub fn forget_bounds(&mut self) {
        self.table.forget_bounds();
    }

    /// Forgets everything learned, at once however large the table.
    pub fn clear(&mut self) -> Result<(), Error> {
        self.memory.clear();
        self.sieve.clear();
        self.promise = None;
        for hand in &mut self.hands {
            hand.memory.clear();
            hand.sieve.clear();
        }
        self.table.clear()
    }

    /// Takes the table's memory from the system now, rather than page by page during the first search.
    pub fn touch_table(&self) {
        self.table.touch();
    }

    /// How many entries the table has.
    pub fn table_entries(&self) -> usize {
        self.table.entries()
    }

    /// How full the table is with what the last iteration needed, in thousandths.
    pub fn permille_used(&self) -> u32 {
        self.table.permille_used()
    }

    /// The hands of this search, and its plan.
    pub(crate) fn worker<'s, O>(
        &'s mut self,
        tally: &'s mut Tally,
        limits: Limits<'s>,
        observer: &'s mut O,
        excluded: &'s [u16],
    ) -> (Worker<'s, G, E, O>, &'s mut Plan) {
        self.moves.list.clear();
        let worker = Worker {
            evaluator: &self.evaluator,
            table: &self.table,
            moves: &mut self.moves,
            memory: &mut self.memory,
            tally,
            limits: limits.with(self.team.as_ref()),
            observer,
            ordering: self.ordering,
            store_leaves: self.store_leaves,
            etc: self.etc,
            horizon: 0,
            excluded,
            learning: true,
            sieve: &mut self.sieve,
            line: self.game.as_mut().map(|keys| Line::new(keys)),
            root_move: None,
            estimated: false,
            fault: None,
            hands: &mut self.hands,
            team: self.team.as_ref(),
            large: false,
            shared: false,
            open: Open::new(),
            number: 0,
        };
        (worker, &mut self.plan)
    }
}

pub(crate) fn check_depth(depth: u8) -> Result<(), Error> {
    if (1..=MAX_DEPTH).contains(&depth) { Ok(()) } else { Err(Error::BadDepth { depth }) }
}
