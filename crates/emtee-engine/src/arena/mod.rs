//! Engine against engine: players of every kind, a referee, openings, and what the games prove.
//!
//! A [`Contest`] is the whole of a match as data. It plays pairs of games, each pair from one opening with the colours
//! swapped, on as many threads as it is told, and shows every game as it ends. What is kept of them is up to the caller.
//!
//! ```
//! use emtee_engine::Registry;
//! use emtee_engine::arena::{Contest, TimeControl};
//!
//! let registry = Registry::standard();
//! let mut contest = Contest::new("tictactoe", "mtd-f".parse()?, "alpha-beta,depth=1".parse()?);
//! contest.games = 4;
//! contest.referee.control = TimeControl { depth: Some(9), ..TimeControl::default() };
//! let score = contest.run(&registry, &[], &Default::default(), &mut |game| assert!(game.forfeit.is_none()))?;
//! assert_eq!(score.games(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contest;
pub(crate) mod external;
mod fault;
mod opening;
mod ours;
mod player;
pub(crate) mod referee;
mod spec;
mod statistics;

pub use contest::{Contest, ContestError};
pub use fault::Fault;
pub use opening::{Opening, Openings};
pub use player::{Clocks, Limits, Played, Player, Reply};
pub use referee::{Agreement, GameRow, Referee, TimeControl};
pub use spec::{PlayerKind, PlayerSpec};
pub use statistics::{Estimate, HalfPoints, Score, Sprt, Verdict, elo_of, normal, share_of};
