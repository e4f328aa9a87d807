//! Positions for training: games of an engine against itself, judged by its searches and by how they ended.
//!
//! Game number i depends on the seed and on i alone. So games can be played at once and in any order, and whoever stops
//! goes on with the next number later.

mod format;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::{ops, sync, thread};

use emtee::{Algorithm, Side, Size, mix};

use crate::arena::referee::{Seat, Unfinished};
use crate::arena::{
    Agreement, Fault, GameRow, Limits, Opening, Played, Player, PlayerKind, PlayerSpec, Referee, Reply, TimeControl,
};
use crate::error::Error;
use crate::position::Position;
use crate::registry::{Entry, Registry};
use crate::session::Play;
use crate::solve::Solve;

pub use format::{Header, TrainingRecord};

/// How games are played that are for training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TrainingGames {
    /// How many random moves they begin with, at least and at most.
    pub opening: (u32, u32),
    /// They are won when both sides say so.
    pub win_at: Option<Agreement>,
    /// They are drawn when both sides say so.
    pub draw_at: Option<Agreement>,
    /// They are over after so many moves, the opening included.
    pub longest: u32,
    /// Whether what is left then is solved. If not, it is a draw.
    pub solve: bool,
}

/// What positions for training are made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datagen {
    /// The game.
    pub game: String,
    /// How many nodes a move.
    pub nodes: u64,
    /// Which games.
    pub seed: u64,
    /// How many at once, on one thread each.
    pub threads: usize,
}

/// A table that holds what a player has seen lately: so many entries for each node of a move.
const ENTRIES_PER_NODE: u64 = 32;

/// Games are no longer than a few dozen moves.
const ENTRIES: ops::RangeInclusive<u64> = 1 << 14..=1 << 22;

impl Datagen {
    /// Plays these games and shows the positions of each, in the order of the games, until `shown` has enough of them or the
    /// flag goes up. The games that are being played then are finished, and shown if there is not enough.
    pub fn run(
        &self,
        registry: &Registry,
        games: ops::Range<u32>,
        stop: &AtomicBool,
        shown: &mut dyn FnMut(&[TrainingRecord]) -> bool,
    ) -> Result<(), Error> {
        let game = registry.get(&self.game)?;
        let rules = game.training_games().ok_or_else(|| Error::NoTraining { game: game.name().to_owned() })?;
        let (next, enough) = (AtomicU32::new(games.start), AtomicBool::new(false));
        let (sender, receiver) = sync::mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, games.len().max(1)) {
                let (sender, next, enough, games) = (sender.clone(), &next, &enough, &games);
                scope.spawn(move || {
                    let mut table = match Table::new(self, game, rules) {
                        Ok(table) => table,
                        Err(error) => return drop(sender.send((games.start, Err(error)))),
                    };
                    while !stop.load(Relaxed) && !enough.load(Relaxed) {
                        let number = next.fetch_add(1, Relaxed);
                        if !games.contains(&number) {
                            break;
                        }
                        let _ = sender.send((number, table.game(number)));
                    }
                });
            }
            drop(sender);
            let (mut wanted, mut early) = (games.start, BTreeMap::new());
            for (number, played) in receiver {
                early.insert(number, played);
                while let Some(played) = early.remove(&wanted) {
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

    /// How both sides play: as engines do, with a table that is soon cleared.
    fn player(&self) -> Result<PlayerSpec, Error> {
        let mut spec: PlayerSpec =
            Algorithm::default().name().parse().map_err(|why| Error::TrainingGame { number: 0, why })?;
        let wanted = self.nodes.saturating_mul(ENTRIES_PER_NODE).clamp(*ENTRIES.start(), *ENTRIES.end());
        let size = Size::of_entries(wanted.next_power_of_two() as usize);
        spec.kind = PlayerKind::Ours(Box::new(Play::default().with_hash(size)));
        Ok(spec)
    }
}

/// The records of a game, and the same game once more, as the referee has it.
pub(crate) fn game_twice(
    task: &Datagen,
    game: &dyn Entry,
    number: u32,
) -> Result<(Vec<TrainingRecord>, Opening, GameRow), Error> {
    let failed = |why: &str| Error::TrainingGame { number, why: why.to_owned() };
    let rules = game.training_games().ok_or_else(|| failed("the game has no training games"))?;
    let mut table = Table::new(task, game, rules)?;
    let records = table.game(number)?;
    let opening = table.opening(number);
    let [first, second] = &mut table.players;
    let seats = [first, second].map(|player| Seat { player, spec: &table.spec });
    let row = table.referee.play(game, &opening, seats).map_err(|_| failed("it was stopped"))?;
    Ok((records, opening, row))
}

/// Where one game after the other is played.
struct Table<'g> {
    game: &'g dyn Entry,
    rules: &'g TrainingGames,
    referee: Referee,
    spec: PlayerSpec,
    players: [Recorder; 2],
    seed: u64,
}

impl<'g> Table<'g> {
    fn new(task: &Datagen, game: &'g dyn Entry, rules: &'g TrainingGames) -> Result<Table<'g>, Error> {
        let spec = task.player()?;
        let player = || {
            let made = spec.player(game, &Arc::default());
            let made = made.map_err(|fault| Error::TrainingGame { number: 0, why: fault.to_string() });
            made.map(|player| Recorder { player, values: Vec::new() })
        };
        let players = [player()?, player()?];
        let control = TimeControl { nodes: Some(task.nodes), ..TimeControl::default() };
        let referee = Referee { control, win_at: rules.win_at, draw_at: rules.draw_at, ..Referee::default() };
        Ok(Table { game, rules, referee, spec, players, seed: task.seed })
    }

    /// The positions of a game, the first of them first.
    fn game(&mut self, number: u32) -> Result<Vec<TrainingRecord>, Error> {
        let failed = |why: String| Error::TrainingGame { number, why };
        let opening = self.opening(number);
        self.referee.longest = self.rules.longest.saturating_sub(opening.moves.len() as u32);
        let [first, second] = &mut self.players;
        let seats = [first, second].map(|player| Seat { player, spec: &self.spec });
        let row = self.referee.play(self.game, &opening, seats).map_err(|unfinished| match unfinished {
            Unfinished::Stopped => failed(Fault::Stopped.to_string()),
            Unfinished::Opening(error) => error,
        })?;
        if row.forfeit.is_some() {
            return Err(failed(row.detail.unwrap_or(row.ending)));
        }
        self.records(number, &row)
    }

    /// Random moves, as many as the number of the game says, from which the game goes on.
    fn opening(&self, number: u32) -> Opening {
        let (least, most) = self.rules.opening;
        let seed = mix(mix(self.seed) ^ u64::from(number));
        let plies = least + (mix(seed) % u64::from(most - least + 1)) as u32;
        let begun = (0..).map(|attempt| self.game.start().after_random(plies, mix(seed ^ attempt << 48)));
        // Random moves that end a game are rare in all games that are trained for.
        let open = begun.take(1_000).find(|end| end.ending().is_none());
        Opening { position: None, moves: open.map(|end| end.line()).unwrap_or_default() }
    }

    /// The game once more, with what its players thought of it.
    fn records(&self, number: u32, row: &GameRow) -> Result<Vec<TrainingRecord>, Error> {
        let mut values: Vec<(usize, i32)> = self.players.iter().flat_map(|player| player.values.clone()).collect();
        values.sort_unstable();
        let mut values = values.into_iter().peekable();
        let mut positions = Vec::new();
        let mut now = self.game.start();
        for (ply, m) in row.moves.iter().enumerate() {
            if let Some((_, value)) = values.next_if(|&(at, _)| at == ply) {
                positions.extend(Judged::new(now.as_ref(), m, value, false));
            }
            now = now.after(m)?;
        }
        let mut result = match (row.points, row.result.as_str()) {
            (Some(points), _) => points,
            (None, "1-0") => 1,
            (None, "0-1") => -1,
            (None, _) => 0,
        };
        if self.rules.solve && now.ending().is_none() {
            result = solved(now.as_ref(), &mut positions)?;
        }
        let last = positions.len().saturating_sub(1);
        let record = |(at, judged): (usize, Judged)| TrainingRecord {
            board: judged.board,
            score: judged.value.clamp(i16::MIN.into(), i16::MAX.into()) as i16,
            result: seen_by(judged.turn, result).clamp(i8::MIN.into(), i8::MAX.into()) as i8,
            turn: judged.turn,
            exact: judged.exact,
            last: at == last,
            game: number,
        };
        Ok(positions.into_iter().enumerate().map(record).collect())
    }
}

/// A value of the first side, or one that is to become such.
fn seen_by(side: Side, value: i32) -> i32 {
    if side == Side::First { value } else { -value }
}

/// The rest of a game as it should be played: its positions, and its result for the first side.
fn solved(from: &dyn Position, positions: &mut Vec<Judged>) -> Result<i32, Error> {
    let task = Solve { hash: Some(SOLVER), ..Solve::default() };
    let solved = from.solve(&task, &mut |_| ())?;
    let result = seen_by(from.turn(), solved.value.unwrap_or_default());
    let mut now = from.after_all(&[])?;
    for m in &solved.pv {
        // To pass is no choice.
        if now.moves().len() > 1 || m != "pass" {
            positions.extend(Judged::new(now.as_ref(), m, seen_by(now.turn(), result), true));
        }
        now = now.after(m)?;
    }
    Ok(result)
}

/// The table of whoever solves the rest.
const SOLVER: Size = Size::of_bytes(4 << 20);

/// A position of a game, and what a search thinks of it.
struct Judged {
    board: [u8; emtee_games::packed::PACKED],
    turn: Side,
    value: i32,
    exact: bool,
}

impl Judged {
    fn new(position: &dyn Position, best: &str, value: i32, exact: bool) -> Option<Judged> {
        position.packed(best).map(|board| Judged { board, turn: position.turn(), value, exact })
    }
}

/// A player, and what it thought at each ply of the game.
struct Recorder {
    player: Box<dyn Player>,
    values: Vec<(usize, i32)>,
}

impl Player for Recorder {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.values.clear();
        self.player.new_game()
    }

    fn choose(&mut self, game: &Played<'_>, limits: &Limits) -> Result<Reply, Fault> {
        let reply = self.player.choose(game, limits)?;
        self.values.extend(reply.value.map(|value| (game.moves.len(), value)));
        Ok(reply)
    }
}
