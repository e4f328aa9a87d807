//! Engine matches: players of all kinds, a referee, openings, and statistics.
//!
//! A [`Contest`] describes a whole match. It plays pairs of games, each pair from one opening with colours swapped, on
//! the given number of threads. A callback gets every finished game; storing it is up to the caller.
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

mod built_in;
mod contest;
pub(crate) mod external;
mod opening;
mod player;
mod player_error;
pub(crate) mod referee;
mod spec;
mod statistics;

pub use contest::{Contest, ContestError};
pub use opening::{Opening, Openings};
pub use player::{Clocks, GameSoFar, Limits, Player, Reply};
pub use player_error::PlayerError;
pub use referee::{Agreement, GameRow, Referee, TimeControl};
pub use spec::{PlayerKind, PlayerSpec};
pub use statistics::{Estimate, HalfPoints, Score, Sprt, Verdict, elo_of, normal, share_of};
