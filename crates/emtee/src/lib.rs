//! Minimax search for two-player games: MT, a null-window search with memory, and the drivers that turn it into SSS*,
//! DUAL*, C*, MTD-f and more. It follows *A New Paradigm for Minimax Search* by Plaat, Schaeffer, Pijls and de Bruin
//! (1994). The name **emtee** is pronounced "MT".
//!
//! You write the rules of a game; this library finds the best move. It supports games of two players with perfect
//! information: no dice, no hidden cards, no simultaneous moves. All members of the family use one procedure and one
//! transposition table, so a game maker can take the default and a researcher can compare them.
//!
//! # Where to start
//!
//! * **Write a game**: implement [`Game`], make a player with [`player`] and call [`Search::think`], as in
//!   [Write a game](#write-a-game). `examples/tictactoe.rs` is a complete program. [`laws`] has checks for your tests, and
//!   [`Search::poll`] searches inside a frame loop (`examples/frame_loop.rs`).
//! * **Compare algorithms**: choose an [`Algorithm`] by its name and compare the [`Counts`](research::Counts) of its
//!   searches, as in [Compare algorithms](#compare-algorithms). [`research`] has single passes of MT, drivers, windows and
//!   observers. `emtee compare` and `emtee reproduce` of the program run whole experiments.
//! * **Read the search**: begin with `src/algorithm/mt.rs`, which is figure 1 of the paper on one screen.
//!   [Read the search](#read-the-search) lists the other files in order.
//!
//! # Write a game
//!
//! A position is a value with four methods: the side to move, the legal moves, the position after a move, and the outcome.
//! Everything else has a default; see [`Game`].
//!
//! ```
//! use emtee::{Budget, Game, Moves, Outcome, Side, player};
//!
//! /// A row of coins. Take one from either end; the richer player wins.
//! #[derive(Clone, Hash)]
//! struct Coins { row: &'static [i32], lead: i32, turn: Side }
//!
//! #[derive(Clone, Copy, Debug, PartialEq, Hash)]
//! enum End { Left, Right }
//!
//! impl Game for Coins {
//!     type Move = End;
//!     fn turn(&self) -> Side { self.turn }
//!     fn moves(&self, moves: &mut Moves<End>) {
//!         moves.push(End::Left);
//!         moves.push(End::Right);
//!     }
//!     fn play(&self, end: End) -> Coins {
//!         let taken = if end == End::Left { self.row.split_first() } else { self.row.split_last() };
//!         let (coin, row) = taken.expect("the row is not empty");
//!         Coins { row, lead: -(self.lead + coin), turn: !self.turn } // The lead of the other side, which moves now.
//!     }
//!     fn outcome(&self) -> Option<Outcome> { self.row.is_empty().then_some(Outcome::Points(self.lead)) }
//!     fn evaluate(&self) -> i32 { self.lead }
//! }
//!
//! let coins = Coins { row: &[3, 9, 1, 2], lead: 0, turn: Side::First };
//! let mut ai = player(Coins::evaluate).build()?;
//! let found = ai.think(&coins, Budget::ms(100))?;
//! assert_eq!(found.best_move, Some(End::Right)); // Taking the 3 would leave the 9 to the opponent.
//! assert_eq!(found.value.unwrap().get(), 7);
//! # Ok::<(), emtee::Error>(())
//! ```
//!
//! [`player`] takes the evaluation, which is any function from a position to a score, and returns a [`Builder`] with all
//! options. [`Search::think`] ends when its [`Budget`] is used up: a depth, a time, a number of nodes, or a combination of
//! them. Without a depth limit it also ends when the game is solved, as here. The search keeps its table from one call to
//! the next.
//!
//! # The value
//!
//! [`Found::value`] is the minimax value of the position, searched to [`Found::depth`] plies, **for the side to move**. It
//! is a function of the position and the depth alone: every algorithm, with a table of any size, finds the same value.
//! (The exceptions are for stronger play: [`Reuse::AtLeastDepth`](research::Reuse::AtLeastDepth), [`Selective`] search,
//! and repetitions in play, after [`Search::set_game`].) A value is one of these:
//!
//! * a score within ±31,000, from an evaluation or from a game that ended with points;
//! * a proven win or loss with its distance in plies: `win in 5`, `loss in 4`. A nearer win is the greater value.
//!
//! [`Found::f`] has the proven bounds on the value, and [`Found::pv`] is the principal variation, every move of which is
//! proved. If a limit stopped the search, [`Found::complete`] is false. The result is then that of the last finished depth,
//! except that the move comes from the unfinished depth if it is proved to be better.
//!
//! ```
//! use emtee::research::Kind;
//! use emtee::{Budget, Game, player};
//! use emtee_games::connect4::Board;
//!
//! let board: Board = "4455".parse().unwrap(); // Two stones each in the middle columns.
//! let found = player(Board::evaluate).build()?.think(&board, Budget::UNLIMITED)?;
//! assert_eq!(found.value.unwrap().kind(), Kind::Win { plies: 3 });
//! assert_eq!(found.value.unwrap().to_string(), "win in 3");
//! assert_eq!(found.pv.len(), 3);
//! # Ok::<(), emtee::Error>(())
//! ```
//!
//! # Compare algorithms
//!
//! | [`Algorithm`] | name | the paper's name |
//! |---|---|---|
//! | [`MtdF`](Algorithm::MtdF) | `mtd-f` | MTD-f, the first bound is the guess itself (the default) |
//! | [`MtdFFigure8`](Algorithm::MtdFFigure8) | `mtd-f-figure8` | MTD-f as printed in figure 8: the first bound is the guess plus one |
//! | [`MtdGallop`](Algorithm::MtdGallop) | `mtd-gallop` | none: MTD-f in growing steps, for fine-grained evaluations |
//! | [`Sss`](Algorithm::Sss) | `sss` | MTD+∞, which is SSS* |
//! | [`Dual`](Algorithm::Dual) | `dual` | MTD−∞, which is DUAL* |
//! | [`MtdBi`](Algorithm::MtdBi) | `mtd-bi` | MTD-bi, which is C* |
//! | [`MtdStep`](Algorithm::MtdStep) | `mtd-step` | MTD-step |
//! | [`MtdBest`](Algorithm::MtdBest) | `mtd-best`, `mtd-best-disprove-rest` | MTD-best: the best move without its value |
//! | [`MtdBest`](Algorithm::MtdBest) | `bns` | none: Best Node Search, a later algorithm that searches all moves with the same γ |
//! | [`AspirationNegaScout`](Algorithm::AspirationNegaScout) | `aspiration-negascout` | Aspiration NegaScout, the baseline |
//! | [`NegaScout`](Algorithm::NegaScout) | `negascout` | NegaScout |
//! | [`Scout`](Algorithm::Scout) | `scout` | Pearl's Scout, with MT as its Test |
//! | [`AlphaBeta`](Algorithm::AlphaBeta) | `alpha-beta` | Alpha-Beta |
//! | [`Minimax`](Algorithm::Minimax) | `minimax` | minimax by its definition, an oracle without a table |
//! | [`StockmanSss`](Algorithm::StockmanSss), [`StockmanDual`](Algorithm::StockmanDual) | `stockman-sss`, `stockman-dual` | SSS* and DUAL* with their OPEN lists, oracles |
//!
//! [`Found::counts`] has the counts of a search: leaves (NBP), interior nodes, cut nodes and more. [`Found::iterations`]
//! has those of every iteration and every pass.
//!
//! ```
//! use emtee::{Algorithm, Budget, Game, player};
//! use emtee_games::kalah::Board;
//!
//! let mut values = Vec::new();
//! for name in ["mtd-f", "sss", "dual", "mtd-bi", "negascout", "minimax"] {
//!     let mut search = player(Board::evaluate).algorithm(name.parse()?).build()?;
//!     let found = search.think(&Board::default(), Budget::depth(4))?;
//!     println!("{name}: {} leaves, {} nodes", found.counts.nbp, found.counts.nodes());
//!     values.push(found.value);
//! }
//! assert!(values.iter().all(|value| *value == values[0]));
//! # Ok::<(), emtee::Error>(())
//! ```
//!
//! ## Write a driver
//!
//! A driver chooses the bound of the next pass of MT from the results of the passes before it
//! ([`Progress`](research::Progress)). It never sees a position. A closure is a driver;
//! [`Driver`](research::Driver) is the trait. Whatever bounds a driver chooses, the search ends and its value is right.
//!
//! ```
//! use emtee::research::Progress;
//! use emtee::{Budget, Game, player};
//! use emtee_games::connect4::Board;
//!
//! // This is all of MTD-f:
//! let mtd_f = |s: &Progress| if s.passes == 0 || s.failed_low() { s.g } else { s.g + 1 };
//! let found = player(Board::evaluate).driver(mtd_f).build()?.think(&Board::default(), Budget::depth(8))?;
//! for pass in found.iterations.iter().flat_map(|iteration| &iteration.passes) {
//!     println!("γ = {}: g = {}, bounds {}", pass.window.low, pass.g, pass.f);
//! }
//! # assert_eq!(found.value, player(Board::evaluate).build()?.think(&Board::default(), Budget::depth(8))?.value);
//! # Ok::<(), emtee::Error>(())
//! ```
//!
//! [`Research::mt`](research::Research::mt) makes a single pass, if you want to write the loop as well.
//!
//! ## Observe every node
//!
//! An [`Observer`](research::Observer) is called for every node, and costs nothing if there is none.
//!
//! ```
//! use emtee::research::{End, Observer, Visit};
//! use emtee::{Budget, Game, player};
//! use emtee_games::tree::{Tree, TreeNode};
//!
//! /// The leaves, in the order they are evaluated.
//! struct Leaves(Vec<i32>);
//! impl Observer<TreeNode<'_>> for Leaves {
//!     fn leave(&mut self, _: &TreeNode<'_>, visit: &Visit) {
//!         if visit.end == End::Evaluated { self.0.push(visit.g.get()); }
//!     }
//! }
//!
//! let tree = Tree::paper(); // The worked example of section 2.2.
//! let mut leaves = Leaves(Vec::new());
//! let mut sss = player(TreeNode::evaluate).algorithm("SSS*".parse()?).fixed_depth().build()?;
//! let found = sss.think_observed(&tree.root(), Budget::depth(4), &mut leaves)?;
//! assert_eq!(found.value.unwrap().get(), 35);
//! assert_eq!(leaves.0, [41, 12, 34, 36, 5, 35, 50, 36]);
//! # Ok::<(), emtee::Error>(())
//! ```
//!
//! # Search in slices
//!
//! For frame loops, and for targets without threads, [`Search::start`], [`Search::poll`] and [`Search::stop`] do in slices
//! what `think` does in one call, with the same result.
//!
//! ```
//! use emtee::{Budget, Game, Poll, player};
//! use emtee_games::connect4::Board;
//!
//! let mut ai = player(Board::evaluate).build()?;
//! ai.start(&Board::default(), Budget::depth(8))?;
//! let found = loop {
//!     match ai.poll(Budget::nodes(1_000))? {
//!         Poll::Thinking { best_move, depth, .. } => println!("depth {depth}: {best_move:?}"), // Draw a frame.
//!         Poll::Done(found) => break found,
//!         Poll::Idle => unreachable!("it was started"),
//!     }
//! };
//! assert_eq!(found.depth, 8);
//! # Ok::<(), emtee::Error>(())
//! ```
//!
//! # Test a game
//!
//! The search relies on what a game's methods return and does not check it. Call two checks from a test of yours:
//! [`laws::check`] plays random games and looks for violations of the [`Game`] contract, and [`laws::agree`] compares every
//! algorithm with plain minimax.
//!
//! ```
//! use emtee::{OwnEvaluation, laws};
//! use emtee_games::kalah::Board;
//!
//! laws::check(&Board::default(), &OwnEvaluation, 20, 1)?;
//! laws::agree(&Board::default(), &OwnEvaluation, 3)?;
//! # Ok::<(), laws::Violation>(())
//! ```
//!
//! # Read the search
//!
//! In this order:
//!
//! 1. `algorithm/mt.rs`: MT, figure 1 of the paper.
//! 2. `algorithm/driver.rs`: figure 8 and its drivers.
//! 3. `value.rs`: why there is no ε, and how a win carries its distance.
//! 4. `node/`: retrieve, children, evaluate and store, which all algorithms share.
//! 5. `algorithm/window.rs`: the exact search of any window: NegaScout, Alpha-Beta and Scout.
//! 6. `selective/search.rs`: the search for play: null move, late-move reductions (LMR), futility pruning and the others.
//! 7. `memory/table.rs`: the transposition table. `parallel/`: threads, and the in-progress table of ABDADA.
//!
//! The words of the paper, and where they are:
//!
//! | in the paper | here | in the file |
//! |---|---|---|
//! | figure 1, MT | [`Research::mt`](research::Research::mt) | `algorithm/mt.rs`, which fits on one screen |
//! | γ = bound − ε | [`Gamma`](research::Gamma), which no value equals | `value.rs` |
//! | f⁻, f⁺ | [`Bounds`] | `value.rs` |
//! | figure 8, MTD(*first*, *next*) | [`Driver`](research::Driver), [`SSS`](research::SSS), [`MTD_F`](research::MTD_F) … | `algorithm/driver.rs` |
//! | MTD-best | [`Algorithm::MtdBest`] | `algorithm/best.rs` |
//! | *retrieve*, *store*, the table | [`Size`], [`Keep`](research::Keep), [`Reuse`](research::Reuse) | `memory/table.rs`; `node/`, which all algorithms share |
//! | iterative deepening, the first guess | [`Options`](research::Options), [`Iteration`](research::Iteration) | `run/iteration.rs`, `run/session.rs` |
//! | leaves (NBP), total nodes | [`Counts`](research::Counts), [`Pass`](research::Pass) | `stats.rs` |
//! | Alpha-Beta, NegaScout, Aspiration NegaScout | [`Algorithm`] | `algorithm/window.rs`, `algorithm/aspiration.rs` |
//! | SSS* with its OPEN list | [`Algorithm::StockmanSss`] | `algorithm/stockman.rs` |
//!
//! # Serialization
//!
//! The feature `serde` implements its traits for results, counts, limits and options. A [`Value`] is a number, an [`Algorithm`]
//! and a [`Size`] are their texts.
//!
//! # Without the standard library (`no_std`)
//!
//! With `default-features = false` the crate is `no_std` and needs `alloc`. There is no clock then: pass one to
//! [`Builder::clock`], or search to a depth.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod algorithm;
mod builder;
mod error;
mod game;
mod key;
pub mod laws;
mod level;
mod limits;
mod memory;
mod node;
mod observer;
mod parallel;
pub mod research;
mod run;
mod search;
mod selective;
#[cfg(feature = "serde")]
mod serialization;
mod stats;
mod tuning;
mod value;

// Aliases are here because rustdoc ignores those of types in private modules.
pub use algorithm::Algorithm;
pub use builder::{Builder, player};
pub use error::Error;
#[doc(alias("quiescence search", "stand pat"))]
pub use game::Quiescence;
pub use game::{Evaluate, Game, Grain, Moves, Outcome, OwnEvaluation, Side, legal_moves};
pub use key::{key_of, mix};
#[doc(alias("difficulty", "strength"))]
pub use level::Level;
pub use level::{Chosen, Levels};
#[doc(alias("time limit", "node limit"))]
pub use limits::Budget;
#[cfg(feature = "std")]
pub use limits::system_clock;
pub use limits::{Clock, MAX_DEPTH, Stop};
#[doc(alias("killer heuristic", "history heuristic", "countermove", "move picker"))]
pub use memory::history::MoveOrdering;
#[doc(alias("transposition table", "TT", "hash size"))]
pub use memory::table::Size;
pub use parallel::MAX_THREADS;
pub use search::{Found, Poll, Search};
pub use selective::Selective;
pub use stats::RankedMove;
pub use tuning::Tuning;
pub use value::{Bounds, Value};
