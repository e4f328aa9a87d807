//! Training data: positions from self-play, with the scores of the searches and the results of the games.
//!
//! A game depends only on the seed and on its number. So games can be played concurrently and in any order, and a
//! stopped run can continue with the next number.

mod format;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::{ops, sync, thread};

use emtee::{Algorithm, Side, Size, mix};

use crate::arena::referee::{ActivePlayer, PlayError};
use crate::arena::{
    Agreement, GameRow, GameSoFar, Limits, Opening, Player, PlayerError, PlayerKind, PlayerSpec, Referee, Reply,
    TimeControl,
};
use crate::error::Error;
use crate::position::Position;
use crate::registry::{Entry, Registry};
use crate::session::Play;
use crate::solve::Solve;

pub use format::{Header, TrainingRecord};

/// The settings of the games for training data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TrainingGames {
    /// The minimum and maximum number of random moves at the start.
    pub opening: (u32, u32),
    /// When a game is adjudicated as a win.
    pub win_at: Option<Agreement>,
    /// When a game is adjudicated as a draw.
    pub draw_at: Option<Agreement>,
    /// The maximum number of moves, the opening included.
    pub longest: u32,
    /// Whether the position after the last move is solved. If not, the game is a draw.
    pub solve: bool,
}

impl TrainingGames {
    /// Games that begin with this least and most number of random moves, and are draws after `longest` moves.
    pub const fn new(opening: (u32, u32), longest: u32) -> TrainingGames {
        TrainingGames { opening, win_at: None, draw_at: None, longest, solve: false }
    }
}

/// The options of generating training data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datagen {
    /// The game.
    pub game: String,
    /// The nodes per move.
    pub nodes: u64,
    /// The seed of the games.
    pub seed: u64,
    /// The number of threads, with one game each.
    pub threads: usize,
}

/// The table entries per node of a move. The table also holds the results of earlier moves.
const ENTRIES_PER_NODE: u64 = 32;

/// The table's range of sizes. Games are a few dozen moves long.
const ENTRIES: ops::RangeInclusive<u64> = 1 << 14..=1 << 22;

impl Datagen {
    /// Plays these games and passes the positions of each to `shown`, in the order of the games, until it returns
    /// `false` or the stop flag is set. Games in progress are then dropped: a number stands for the same game in
    /// every run.
    pub fn run(
        &self,
        registry: &Registry,
        games: ops::Range<u32>,
        stop: &Arc<AtomicBool>,
        shown: &mut dyn FnMut(&[TrainingRecord]) -> bool,
    ) -> Result<(), Error> {
        let game = registry.get(&self.game)?;
        let settings = game
            .training_games()
            .ok_or_else(|| Error::NoTraining { game: game.name().to_owned(), games: registry.with_training() })?;
        let (next, enough) = (AtomicU32::new(games.start), AtomicBool::new(false));
        let (sender, receiver) = sync::mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, games.len().max(1)) {
                let (sender, next, enough, games) = (sender.clone(), &next, &enough, &games);
                scope.spawn(move || {
                    let mut runner = match GameRunner::new(self, game, settings, stop) {
                        Ok(runner) => runner,
                        Err(error) => return drop(sender.send((games.start, Err(error)))),
                    };
                    while !stop.load(Relaxed) && !enough.load(Relaxed) {
                        let number = next.fetch_add(1, Relaxed);
                        if !games.contains(&number) {
                            break;
                        }
                        let Some(played) = runner.game(number).transpose() else { break };
                        let _ = sender.send((number, played));
                    }
                });
            }
            drop(sender);
            let (mut wanted, mut out_of_order) = (games.start, BTreeMap::new());
            for (number, played) in receiver {
                out_of_order.insert(number, played);
                while let Some(played) = out_of_order.remove(&wanted) {
                    wanted += 1;
                    if enough.load(Relaxed) {
                        continue;
                    }
                    let failed = played.as_ref().err().cloned();
                    if failed.is_some() || played.is_ok_and(|records| !shown(&records)) {
                        enough.store(true, Relaxed);
                    }
                    if let Some(error) = failed {
                        return Err(error);
                    }
                }
            }
            Ok(())
        })
    }

    /// Both sides play like engines, with a table that is fast to clear.
    fn player(&self) -> Result<PlayerSpec, Error> {
        let mut spec: PlayerSpec =
            Algorithm::default().name().parse().map_err(|why| Error::TrainingGame { number: 0, why })?;
        let wanted = self.nodes.saturating_mul(ENTRIES_PER_NODE).clamp(*ENTRIES.start(), *ENTRIES.end());
        let size = Size::of_entries(wanted.next_power_of_two() as usize);
        spec.kind = PlayerKind::BuiltIn(Box::new(Play::default().with_hash(size)));
        Ok(spec)
    }
}

/// The records of a game, and the opening and row of the same game played again by the referee.
pub(crate) fn records_and_game(
    task: &Datagen,
    game: &dyn Entry,
    number: u32,
) -> Result<(Vec<TrainingRecord>, Opening, GameRow), Error> {
    let failed = |why: &str| Error::TrainingGame { number, why: why.to_owned() };
    let settings = game.training_games().ok_or_else(|| failed("the game has no training games"))?;
    let mut runner = GameRunner::new(task, game, settings, &Arc::default())?;
    let records = runner.game(number)?.ok_or_else(|| failed("it was stopped"))?;
    let opening = runner.opening(number);
    let [first, second] = &mut runner.players;
    let players = [first, second].map(|player| ActivePlayer { player, spec: &runner.spec });
    let row = runner.referee.play(game, &opening, players).map_err(|_| failed("it was stopped"))?;
    Ok((records, opening, row))
}

/// Plays one game after the other.
struct GameRunner<'g> {
    game: &'g dyn Entry,
    settings: &'g TrainingGames,
    referee: Referee,
    spec: PlayerSpec,
    players: [Recorder; 2],
    seed: u64,
    stop: Arc<AtomicBool>,
}

impl<'g> GameRunner<'g> {
    fn new(
        task: &Datagen,
        game: &'g dyn Entry,
        settings: &'g TrainingGames,
        stop: &Arc<AtomicBool>,
    ) -> Result<GameRunner<'g>, Error> {
        let spec = task.player()?;
        let player = || {
            let made = spec.player(game, stop);
            let made = made.map_err(|error| Error::TrainingGame { number: 0, why: error.to_string() });
            made.map(|player| Recorder { player, values: Vec::new() })
        };
        let players = [player()?, player()?];
        let control = TimeControl { nodes: Some(task.nodes), ..TimeControl::default() };
        let referee = Referee { control, win_at: settings.win_at, draw_at: settings.draw_at, ..Referee::default() };
        Ok(GameRunner { game, settings, referee, spec, players, seed: task.seed, stop: stop.clone() })
    }

    /// The positions of a game, in order. `None` if it was stopped.
    fn game(&mut self, number: u32) -> Result<Option<Vec<TrainingRecord>>, Error> {
        let opening = self.opening(number);
        self.referee.longest = self.settings.longest.saturating_sub(opening.moves.len() as u32);
        let [first, second] = &mut self.players;
        let players = [first, second].map(|player| ActivePlayer { player, spec: &self.spec });
        let row = match self.referee.play(self.game, &opening, players) {
            Ok(row) => row,
            Err(PlayError::Stopped) => return Ok(None),
            Err(PlayError::Opening(error)) => return Err(error),
        };
        if row.forfeit.is_some() {
            let why = row.detail.unwrap_or(row.ending);
            return Err(Error::TrainingGame { number, why });
        }
        let records = self.records(number, &row)?;
        // A stopped solver has proved nothing.
        Ok(Some(records).filter(|_| !self.stop.load(Relaxed)))
    }

    /// The random moves at the start of a game, from its number.
    fn opening(&self, number: u32) -> Opening {
        let (least, most) = self.settings.opening;
        let seed = mix(mix(self.seed) ^ u64::from(number));
        let plies = least + (mix(seed) % u64::from(most - least + 1)) as u32;
        let attempts = (0..).map(|attempt| self.game.start().after_random(plies, mix(seed ^ attempt << 48)));
        // In these games, random moves rarely end the game.
        let end = attempts.take(1_000).find(|end| end.ending().is_none());
        Opening { position: None, moves: end.map(|end| end.line()).unwrap_or_default() }
    }

    /// The records of a finished game, with the scores of its players.
    fn records(&self, number: u32, row: &GameRow) -> Result<Vec<TrainingRecord>, Error> {
        let mut values: Vec<(usize, i32)> = self.players.iter().flat_map(|player| player.values.clone()).collect();
        values.sort_unstable();
        let mut values = values.into_iter().peekable();
        let mut positions = Vec::new();
        let mut now = self.game.start();
        for (ply, m) in row.moves.iter().enumerate() {
            if let Some((_, value)) = values.next_if(|&(value_ply, _)| value_ply == ply) {
                positions.extend(ScoredPosition::new(now.as_ref(), m, value, false));
            }
            now = now.after(m)?;
        }
        let mut result = match (row.points, row.result.winner()) {
            (Some(points), _) => points,
            (None, Some(winner)) => seen_by(winner, 1),
            (None, None) => 0,
        };
        if self.settings.solve && now.ending().is_none() {
            result = solve_rest(now.as_ref(), &mut positions, &self.stop)?;
        }
        let last = positions.len().saturating_sub(1);
        let record = |(index, scored): (usize, ScoredPosition)| TrainingRecord {
            board: scored.board,
            score: scored.value.clamp(i16::MIN.into(), i16::MAX.into()) as i16,
            result: seen_by(scored.turn, result).clamp(i8::MIN.into(), i8::MAX.into()) as i8,
            turn: scored.turn,
            exact: scored.exact,
            last: index == last,
            game: number,
        };
        Ok(positions.into_iter().enumerate().map(record).collect())
    }
}

/// Converts a value between the first side's view and the view of `side`.
fn seen_by(side: Side, value: i32) -> i32 {
    if side == Side::First { value } else { -value }
}

/// Solves the rest of a game: adds its positions and returns its result for the first side.
fn solve_rest(from: &dyn Position, positions: &mut Vec<ScoredPosition>, stop: &Arc<AtomicBool>) -> Result<i32, Error> {
    let task = Solve { hash: Some(SOLVER_HASH), stop: Some(stop.clone().into()), ..Solve::default() };
    let solved = from.tools()?.solve(&task, &mut |_| ())?;
    let result = seen_by(from.turn(), solved.value.unwrap_or_default());
    let mut now = from.after_all(&[])?;
    for m in &solved.pv {
        // A forced pass is not recorded.
        if now.moves().len() > 1 || m != "pass" {
            positions.extend(ScoredPosition::new(now.as_ref(), m, seen_by(now.turn(), result), true));
        }
        now = now.after(m)?;
    }
    Ok(result)
}

/// The size of the solver's table.
const SOLVER_HASH: Size = Size::of_bytes(4 << 20);

/// A position of a game and its score.
struct ScoredPosition {
    board: [u8; emtee_games::packed::PACKED],
    turn: Side,
    value: i32,
    exact: bool,
}

impl ScoredPosition {
    fn new(position: &dyn Position, best: &str, value: i32, exact: bool) -> Option<ScoredPosition> {
        position.tools().ok()?.packed(best).map(|board| ScoredPosition { board, turn: position.turn(), value, exact })
    }
}

/// A player whose values are recorded at each ply.
struct Recorder {
    player: Box<dyn Player>,
    values: Vec<(usize, i32)>,
}

impl Player for Recorder {
    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.values.clear();
        self.player.new_game()
    }

    fn choose(&mut self, game: &GameSoFar<'_>, limits: &Limits) -> Result<Reply, PlayerError> {
        let reply = self.player.choose(game, limits)?;
        self.values.extend(reply.value.map(|value| (game.moves.len(), value)));
        Ok(reply)
    }
}
