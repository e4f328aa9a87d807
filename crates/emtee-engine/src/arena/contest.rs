//! A whole match: pairs of games on several threads.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::thread;

use emtee::Side;

use super::referee::{ActivePlayer, PlayError};
use super::{GameRow, HalfPoints, Opening, Openings, Player, PlayerError, PlayerSpec, Referee, Score, Sprt, Verdict};
use crate::error::Error;
use crate::registry::{Entry, Registry};

/// A match between two players.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Contest {
    /// The game.
    pub game: String,
    /// The players. The score is that of the first one.
    pub players: [PlayerSpec; 2],
    /// The time control and the rules of adjudication.
    pub referee: Referee,
    /// The openings.
    pub openings: Openings,
    /// The maximum number of games.
    pub games: u64,
    /// The number of concurrent games.
    pub concurrency: usize,
    /// A sequential test that ends the match once it is decided.
    pub sprt: Option<Sprt>,
}

/// Why a match did not finish.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContestError {
    /// A player cannot play at all.
    Player {
        /// The player.
        name: String,
        /// The reason.
        error: PlayerError,
    },
    /// The game or an opening is not valid.
    Game(Error),
    /// The match was stopped from outside. The finished games are valid.
    Stopped,
}

impl fmt::Display for ContestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContestError::Player { name, error } => write!(f, "'{name}' cannot play: {error}"),
            ContestError::Game(error) => write!(f, "{error}"),
            ContestError::Stopped => f.write_str("the match was stopped"),
        }
    }
}

impl std::error::Error for ContestError {}

impl From<Error> for ContestError {
    fn from(error: Error) -> ContestError {
        ContestError::Game(error)
    }
}

/// Both players, ready to play.
type Players = [Box<dyn Player>; 2];

/// The results so far, by game number.
#[derive(Default)]
struct Results {
    half_points: BTreeMap<u64, HalfPoints>,
    score: Score,
}

impl Results {
    /// Adds a game by its number from 1. Games 1 and 2 are a pair, 3 and 4, and so on.
    fn add(&mut self, number: u64, half_points: HalfPoints) {
        if number == 0 || self.half_points.insert(number, half_points).is_some() {
            return;
        }
        self.score.add_game(half_points);
        let partner = ((number - 1) ^ 1) + 1;
        if let Some(&other) = self.half_points.get(&partner) {
            self.score.add_pair([half_points, other]);
        }
    }
}

impl Contest {
    /// A match of 100 games, one at a time.
    pub fn new(game: &str, a: PlayerSpec, b: PlayerSpec) -> Contest {
        let mut players = [a, b];
        if players[0].name == players[1].name {
            players[1].name += " (2)";
        }
        Contest {
            game: game.to_owned(),
            players,
            referee: Referee::default(),
            openings: Openings::Random { plies: 6, seed: 1 },
            games: 100,
            concurrency: 1,
            sprt: None,
        }
    }

    /// The score of the games so far.
    pub fn score(games: &[GameRow]) -> Score {
        let mut results = Results::default();
        games.iter().for_each(|game| results.add(game.number, game.half_points));
        results.score
    }

    /// Plays the games that are not in `done`. `shown` gets every finished game.
    pub fn run(
        &self,
        registry: &Registry,
        done: &[GameRow],
        stop: &Arc<AtomicBool>,
        shown: &mut dyn FnMut(&GameRow),
    ) -> Result<Score, ContestError> {
        let game = registry.get(&self.game)?;
        let mut results = Results::default();
        done.iter().for_each(|row| results.add(row.number, row.half_points));
        let pairs = self.pairs_left(done);
        if pairs.is_empty() {
            return Ok(results.score);
        }
        // A player that cannot play at all is found before the first game.
        let mut ready = Some(self.players(game, stop)?);
        for (player, spec) in ready.iter_mut().flatten().zip(&self.players) {
            player.new_game().map_err(|error| match error {
                PlayerError::Stopped => ContestError::Stopped,
                error => ContestError::Player { name: spec.name.clone(), error },
            })?;
        }

        let (next, enough) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.concurrency.clamp(1, pairs.len()) {
                let (sender, players) = (sender.clone(), ready.take());
                let (pairs, next, enough) = (&pairs, &next, &enough);
                scope.spawn(move || {
                    let played = self.work(game, players, pairs, next, enough, stop, &sender);
                    if let Err(error) = played {
                        enough.store(true, Relaxed);
                        let _ = sender.send(Err(error));
                    }
                });
            }
            drop(sender);
            let mut failure = None;
            for played in receiver {
                match played {
                    Ok(row) => {
                        results.add(row.number, row.half_points);
                        shown(&row);
                        if self.decided(&results.score) {
                            enough.store(true, Relaxed);
                        }
                    }
                    Err(error) => failure = failure.or(Some(error)),
                }
            }
            failure.map_or(Ok(results.score), Err)
        })
    }

    /// The remaining games by number, in pairs: both games of a pair have the same opening and the same engine
    /// processes. Empty if the match is decided.
    pub fn pairs_left(&self, done: &[GameRow]) -> Vec<Vec<u64>> {
        if self.decided(&Contest::score(done)) {
            return Vec::new();
        }
        let done: BTreeSet<u64> = done.iter().map(|row| row.number).collect();
        let wanted: Vec<u64> = (1..=self.games).filter(|number| !done.contains(number)).collect();
        wanted.chunk_by(|a, b| (a - 1) / 2 == (b - 1) / 2).map(<[u64]>::to_vec).collect()
    }

    /// Plays one of these pairs.
    pub fn play_pair(
        &self,
        registry: &Registry,
        pair: &[u64],
        stop: &Arc<AtomicBool>,
        shown: &mut dyn FnMut(&GameRow),
    ) -> Result<(), ContestError> {
        let game = registry.get(&self.game)?;
        let mut players = self.players(game, stop)?;
        self.pair(game, &mut players, pair, &AtomicBool::new(false), stop, &mut |row| shown(&row))
    }

    /// Whether this score decides the match before all games are played.
    pub fn decided(&self, score: &Score) -> bool {
        self.sprt.is_some_and(|sprt| sprt.verdict(score) != Verdict::Undecided)
    }

    fn players(&self, game: &dyn Entry, stop: &Arc<AtomicBool>) -> Result<Players, ContestError> {
        let make = |spec: &PlayerSpec| {
            spec.player(game, stop).map_err(|error| ContestError::Player { name: spec.name.clone(), error })
        };
        Ok([make(&self.players[0])?, make(&self.players[1])?])
    }

    /// A worker thread: plays one pair after the other.
    #[expect(clippy::too_many_arguments, reason = "they are what the threads share")]
    fn work(
        &self,
        game: &dyn Entry,
        players: Option<Players>,
        pairs: &[Vec<u64>],
        next: &AtomicUsize,
        enough: &AtomicBool,
        stop: &Arc<AtomicBool>,
        sender: &mpsc::Sender<Result<GameRow, ContestError>>,
    ) -> Result<(), ContestError> {
        let mut players = players.map_or_else(|| self.players(game, stop), Ok)?;
        while let Some(pair) = pairs.get(next.fetch_add(1, Relaxed)) {
            self.pair(game, &mut players, pair, enough, stop, &mut |row| {
                let _ = sender.send(Ok(row));
            })?;
        }
        Ok(())
    }

    fn pair(
        &self,
        game: &dyn Entry,
        players: &mut Players,
        pair: &[u64],
        enough: &AtomicBool,
        stop: &Arc<AtomicBool>,
        shown: &mut dyn FnMut(GameRow),
    ) -> Result<(), ContestError> {
        let Some(first) = pair.first() else { return Ok(()) };
        let opening = self.openings.of((first - 1) / 2, game)?;
        for &number in pair {
            if stop.load(Relaxed) {
                return Err(ContestError::Stopped);
            }
            if enough.load(Relaxed) {
                return Ok(());
            }
            shown(self.game(game, players, &opening, number)?);
        }
        Ok(())
    }

    /// Plays a game by its number from 1. The first player moves first in the odd games.
    fn game(
        &self,
        game: &dyn Entry,
        [a, b]: &mut Players,
        opening: &Opening,
        number: u64,
    ) -> Result<GameRow, ContestError> {
        let a_first = number % 2 == 1;
        let [a, b] = [(a, &self.players[0]), (b, &self.players[1])]
            .map(|(player, spec)| ActivePlayer { player: player.as_mut(), spec });
        let players = if a_first { [a, b] } else { [b, a] };
        let mut row = self.referee.play(game, opening, players).map_err(|error| match error {
            PlayError::Stopped => ContestError::Stopped,
            PlayError::Opening(error) => ContestError::Game(error),
        })?;
        row.number = number;
        let side = if a_first { Side::First } else { Side::Second };
        row.half_points = row.result.winner().map_or(1, |winner| 2 * u8::from(winner == side));
        Ok(row)
    }
}
