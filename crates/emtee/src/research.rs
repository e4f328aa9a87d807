//! For researchers: single passes of MT, windows, drivers, observers, counts, and the options of the search as data.
//!
//! A game maker needs none of this. It is for comparing algorithms and for writing new ones.
//!
//! ```
//! use emtee::research::Gamma;
//! use emtee::{Game, Value, player};
//! use emtee_games::tictactoe::Board;
//! let mut ai = player(Board::evaluate).build()?;
//! let won = Gamma::below(Value::win_in(Value::MAX_DISTANCE));
//! assert!(ai.research().mt(&Board::default(), 9, won)? < won); // Tic-tac-toe is not a win.
//! # Ok::<(), emtee::Error>(())
//! ```

use alloc::sync::Arc;
use core::mem;

use crate::error::Error;
use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::memory::table::{Size, Table};
use crate::node::Keyed;
use crate::parallel::Unshared;
use crate::run::{Plan, Run};
use crate::search::{Search, check_depth};
use crate::stats::Tally;
use crate::value::Value;

#[doc(alias("figure 8"))]
pub use crate::algorithm::Driver;
pub use crate::algorithm::{
    DUAL, Guess, MTD_BI, MTD_F, MTD_F_FIGURE_8, Mtd, Progress, SSS, Strategy, Widen, mtd_gallop, mtd_step,
};
#[doc(alias("iterative deepening"))]
pub use crate::builder::Deepening;
pub use crate::builder::{Mode, Options};
pub use crate::game::Grain;
pub use crate::memory::history::MoveOrdering;
pub use crate::memory::huge_pages::request_huge_pages;
#[doc(alias("transposition table", "TT"))]
pub use crate::memory::table::{Keep, Reuse};
pub use crate::observer::{End, Observer, Passes, Visit};
pub use crate::parallel::{Message, ParallelStats, PassResult, Peers, Polled};
pub use crate::selective::ProbCut;
#[doc(alias("iterative deepening"))]
pub use crate::stats::Iteration;
pub use crate::stats::{Counts, Cuts, Pass};
#[doc(alias("null window", "zero window"))]
pub use crate::value::Gamma;
pub use crate::value::{Kind, Window};

impl<G: Game, E: Evaluate<G>> Search<G, E> {
    /// The search's interface for research.
    pub fn research(&mut self) -> Research<'_, G, E> {
        Research { search: self }
    }
}

/// Single passes and other low-level operations of a [`Search`].
pub struct Research<'s, G: Game, E> {
    search: &'s mut Search<G, E>,
}

impl<G: Game, E: Evaluate<G>> Research<'_, G, E> {
    /// One call of MT: tests whether the value of the position, searched to this depth, is greater than γ.
    ///
    /// Returns g, fail-soft: if g < γ the value is at most g, else at least g.
    #[doc(alias("figure 1", "memory-enhanced test", "fail-soft", "zero-window search"))]
    pub fn mt(&mut self, position: &G, depth: u8, gamma: Gamma) -> Result<Value, Error> {
        Ok(self.pass(position, depth, gamma)?.g)
    }

    /// The same as [`mt`](Research::mt), with the counts and bounds of the pass.
    pub fn pass(&mut self, position: &G, depth: u8, gamma: Gamma) -> Result<Pass<G::Move>, Error> {
        self.pass_observed(position, depth, gamma, &mut Passes(&mut ()))
    }

    /// The same as [`pass`](Research::pass), with an observer.
    ///
    /// It uses all options of the search: selective search, threads, and a [`Stop`](crate::Stop). If
    /// that stops the pass, the result is [`Error::Stopped`]. The table keeps what the pass has stored, so the same pass
    /// can be continued by calling it again.
    pub fn pass_observed(
        &mut self,
        position: &G,
        depth: u8,
        gamma: Gamma,
        observer: &mut impl Observer<G>,
    ) -> Result<Pass<G::Move>, Error> {
        let window = Window::null(gamma);
        self.search.single_pass(position, depth, &[], u64::MAX, observer, |run, root| {
            run.parallel = true;
            run.measure(window, |run| run.run_pass(root, depth, 0, window))
        })
    }

    /// A fail-soft search of a window by NegaScout's recursion. With a null window it visits the same nodes as
    /// [`mt`](Research::mt).
    pub fn window(&mut self, position: &G, depth: u8, window: Window) -> Result<Pass<G::Move>, Error> {
        self.search.single_pass(position, depth, &[], u64::MAX, &mut Passes(&mut ()), |run, root| {
            run.measure(window, |run| run.worker().run_pass::<Unshared>(root, depth, 0, window))
        })
    }

    /// Connects the search with those of other machines, or disconnects it. All must have the same options and make the same
    /// sequence of passes. MTD-best does not, so it is an error.
    pub fn set_peers(&mut self, peers: Option<Arc<dyn Peers>>) -> Result<(), Error> {
        if let (Some(_), Plan::Named(algorithm)) = (&peers, &self.search.plan) {
            algorithm.check_shares_work()?;
        }
        self.search.team = self.search.options.team(peers);
        Ok(())
    }

    /// Clears all bounds in the table and keeps the best moves, so that the following searches repeat the work with the best
    /// move ordering known.
    ///
    /// ```
    /// use emtee::research::Gamma;
    /// use emtee::{Game, Value, player};
    /// use emtee_games::connect4::Board;
    /// let (board, gamma) = (Board::default(), Gamma::below(Value::default()));
    /// let mut ai = player(Board::evaluate).build()?;
    /// let first = ai.research().pass(&board, 6, gamma)?;
    /// assert!(ai.research().pass(&board, 6, gamma)?.counts.nbp < first.counts.nbp / 2); // The table answers most of it.
    /// ai.research().forget_bounds();
    /// let anew = ai.research().pass(&board, 6, gamma)?;
    /// assert!(anew.counts.nbp > first.counts.nbp / 2 && anew.counts.nbp <= first.counts.nbp);
    /// # Ok::<(), emtee::Error>(())
    /// ```
    pub fn forget_bounds(&mut self) {
        self.search.table.forget_bounds();
    }

    /// Takes the table out of a search that is no longer used, for [`reuse_table`](Research::reuse_table). The search keeps a
    /// table of one entry.
    pub fn release_table(&mut self) -> Result<SpareTable, Error> {
        let smallest = Table::new(Size::of_entries(1), Keep::default(), Reuse::default())?;
        Ok(SpareTable(mem::replace(&mut self.search.table, smallest)))
    }

    /// Uses the memory of another search's table instead of new memory, which the system would provide page by page during the
    /// search. The table is empty. Nothing happens if the sizes differ. Returns whether the memory is used.
    ///
    /// ```
    /// use emtee::{Budget, Game, player};
    /// use emtee_games::connect4::Board;
    /// let new = || player(Board::evaluate).hash("1MB").build::<Board>();
    /// let mut first = new()?;
    /// let found = first.think(&Board::default(), Budget::depth(6))?;
    /// let mut second = new()?;
    /// let spare = first.research().release_table()?;
    /// assert!(second.research().reuse_table(spare)?);
    /// assert_eq!(second.think(&Board::default(), Budget::depth(6))?.counts, found.counts);
    /// # Ok::<(), emtee::Error>(())
    /// ```
    pub fn reuse_table(&mut self, spare: SpareTable) -> Result<bool, Error> {
        self.search.table.reuse(spare.0)
    }
}

/// The table of a search that is no longer used; see [`Research::reuse_table`].
#[derive(Debug)]
pub struct SpareTable(Table);

impl<G: Game, E: Evaluate<G>> Search<G, E> {
    /// A single pass by `search`, `without` some of the moves of the root, which is stopped after `nodes` nodes.
    pub(crate) fn single_pass<O: Observer<G>>(
        &mut self,
        position: &G,
        depth: u8,
        without: &[u16],
        nodes: u64,
        observer: &mut O,
        search: impl FnOnce(&mut Run<'_, G, E, O>, &Keyed<G>) -> Result<Pass<G::Move>, Stopped>,
    ) -> Result<Pass<G::Move>, Error> {
        check_depth(depth)?;
        if self.options.size.is_some() {
            self.table.use_all();
        }
        let mut tally = Tally::new();
        let root = Keyed::new(position);
        let pass = self.run(&mut tally, (nodes, None), observer, without, |run, _| {
            run.setup.horizon = depth;
            search(run, &root)
        })?;
        pass.map_err(|Stopped| Error::Stopped)
    }
}
