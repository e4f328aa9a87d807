//! For researchers: single passes, tables without bounds, drivers, windows and everything that is counted.
//!
//! A game maker needs nothing of this. Whoever compares algorithms, or writes one, finds here what the paper talks about.
//!
//! ```
//! use emtee::research::Gamma;
//! use emtee::{Game, Value, player};
//! use emtee_games::tictactoe::Board;
//! let mut ai = player(Board::evaluate).build()?;
//! let won = Gamma::below(Value::win_in(Value::MAX_DISTANCE));
//! assert!(ai.research().mt(&Board::default(), 9, won)? < won); // Tic-tac-toe is no win.
//! # Ok::<(), emtee::Error>(())
//! ```

use alloc::sync::Arc;

use crate::error::Error;
use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::node::Keyed;
use crate::parallel::Alone;
use crate::run::{Plan, Run};
use crate::search::{Search, check_depth};
use crate::stats::Tally;
use crate::value::Value;

pub use crate::algorithm::{
    DUAL, Driver, Guess, MTD_BI, MTD_F, MTD_F_FIGURE_8, Mtd, Progress, SSS, Strategy, Widen, mtd_gallop, mtd_step,
};
pub use crate::builder::{Deepening, Mode, Options};
pub use crate::game::Grain;
pub use crate::memory::history::MoveOrdering;
pub use crate::memory::table::{Keep, Reuse};
pub use crate::observer::{End, Observer, Passes, Visit};
pub use crate::parallel::{Message, ParallelStats, PassResult, Peers, Polled};
pub use crate::selective::ProbCut;
pub use crate::stats::{Counts, Cuts, Iteration, Pass};
pub use crate::value::{Gamma, Kind, Window};

impl<G: Game, E: Evaluate<G>> Search<G, E> {
    /// The search, as a researcher handles it.
    pub fn research(&mut self) -> Research<'_, G, E> {
        Research { search: self }
    }
}

/// A search, one question at a time.
pub struct Research<'s, G: Game, E> {
    search: &'s mut Search<G, E>,
}

impl<G: Game, E: Evaluate<G>> Research<'_, G, E> {
    /// One call of MT: is the value of the position greater than γ, searched to this depth?
    ///
    /// Returns g, fail-soft: if g < γ the value is at most g, else at least g.
    pub fn mt(&mut self, position: &G, depth: u8, gamma: Gamma) -> Result<Value, Error> {
        Ok(self.pass(position, depth, gamma)?.g)
    }

    /// The same as [`mt`](Research::mt), with what it cost.
    pub fn pass(&mut self, position: &G, depth: u8, gamma: Gamma) -> Result<Pass<G::Move>, Error> {
        self.pass_observed(position, depth, gamma, &mut Passes(&mut ()))
    }

    /// The same, shown to an observer.
    ///
    /// All options of the search hold: what it leaves out, its threads, its [stop flag](crate::Builder::stop_flag) and its
    /// [alarm](Search::set_alarm). A pass that they end is [`Error::Stopped`]. What the table learned until then stays, so that
    /// the same pass goes on from there.
    pub fn pass_observed(
        &mut self,
        position: &G,
        depth: u8,
        gamma: Gamma,
        observer: &mut impl Observer<G>,
    ) -> Result<Pass<G::Move>, Error> {
        let window = Window::null(gamma);
        self.search.question(position, depth, &[], u64::MAX, observer, |run, root| {
            run.parallel = true;
            run.ask(window, |run| run.question(root, depth, 0, window))
        })
    }

    /// A search of a window, fail-soft, by the recursion that serves NegaScout. With a null window it visits what
    /// [`mt`](Research::mt) visits.
    pub fn window(&mut self, position: &G, depth: u8, window: Window) -> Result<Pass<G::Move>, Error> {
        self.search.question(position, depth, &[], u64::MAX, &mut Passes(&mut ()), |run, root| {
            run.ask(window, |run| run.worker().pass::<Alone>(root, depth, 0, window))
        })
    }

    /// Searches together with other machines from now on, or with none. All must be given the same options, and make the same
    /// questions; MTD-best does not.
    pub fn set_peers(&mut self, peers: Option<Arc<dyn Peers>>) -> Result<(), Error> {
        if let (Some(_), Plan::Named(algorithm)) = (&peers, &self.search.plan) {
            algorithm.check_shares_work()?;
        }
        self.search.team = self.search.options.team(peers);
        Ok(())
    }

    /// Forgets every bound and keeps the best moves: what follows is searched anew, in the best order known.
    ///
    /// ```
    /// use emtee::research::Gamma;
    /// use emtee::{Game, Value, player};
    /// use emtee_games::connect4::Board;
    /// let (board, gamma) = (Board::default(), Gamma::below(Value::default()));
    /// let mut ai = player(Board::evaluate).build()?;
    /// let first = ai.research().pass(&board, 6, gamma)?;
    /// assert!(ai.research().pass(&board, 6, gamma)?.counts.nbp < first.counts.nbp / 2); // Most of it is known.
    /// ai.research().forget_bounds();
    /// let anew = ai.research().pass(&board, 6, gamma)?;
    /// assert!(anew.counts.nbp > first.counts.nbp / 2 && anew.counts.nbp <= first.counts.nbp);
    /// # Ok::<(), emtee::Error>(())
    /// ```
    pub fn forget_bounds(&mut self) {
        self.search.table.forget_bounds();
    }
}

impl<G: Game, E: Evaluate<G>> Search<G, E> {
    /// One question about a position, without some of its moves and within so many nodes.
    pub(crate) fn question<O: Observer<G>>(
        &mut self,
        position: &G,
        depth: u8,
        without: &[u16],
        nodes: u64,
        observer: &mut O,
        ask: impl FnOnce(&mut Run<'_, G, E, O>, &Keyed<G>) -> Result<Pass<G::Move>, Stopped>,
    ) -> Result<Pass<G::Move>, Error> {
        check_depth(depth)?;
        let mut tally = Tally::new();
        let root = Keyed::new(position);
        let asked = self.run(&mut tally, (nodes, None), observer, without, |run, _| {
            run.setup.horizon = depth;
            ask(run, &root)
        })?;
        asked.map_err(|Stopped| Error::Stopped)
    }
}
