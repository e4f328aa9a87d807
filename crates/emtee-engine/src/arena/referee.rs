//! The referee plays a game between two players: it applies the rules, keeps the clocks, and adjudicates.

use std::time::{Duration, Instant};

use emtee::Side;
use serde::{Deserialize, Serialize};

use super::{Clocks, GameSoFar, HalfPoints, Limits, Opening, Player, PlayerError, PlayerSpec};
use crate::duration::read_duration;
use crate::error::Error;
use crate::record::GameResult;
use crate::registry::Entry;

/// The conditions under which games are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Referee {
    /// The time control.
    pub control: TimeControl,
    /// How much an answer may exceed its time.
    pub margin: Duration,
    /// For moves without a time limit: the time after which a player counts as hanging.
    pub patience: Duration,
    /// A game is adjudicated as a win when both players agree.
    pub win_at: Option<Agreement>,
    /// A game is adjudicated as a draw when both players agree.
    pub draw_at: Option<Agreement>,
    /// A game of this many plies, without the opening, is a draw.
    pub longest: u32,
}

impl Default for Referee {
    fn default() -> Referee {
        Referee {
            control: TimeControl::default(),
            margin: Duration::from_millis(50),
            patience: Duration::from_secs(600),
            win_at: None,
            draw_at: None,
            longest: 600,
        }
    }
}

/// A time control.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// The time per move.
    pub move_time: Option<Duration>,
    /// The time for the game, and the increment per move.
    pub clock: Option<(Duration, Duration)>,
    /// The depth in plies.
    pub depth: Option<u8>,
    /// The nodes per move.
    pub nodes: Option<u64>,
}

impl TimeControl {
    /// Reads a clock like `10s+0.1s`, or `5m`.
    pub fn read_clock(text: &str) -> Result<(Duration, Duration), String> {
        let bad = |_| String::from("write a clock like 10s+0.1s: the time for the game, and what each move adds");
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let base = read_duration(base.trim()).map_err(bad)?;
        let increment = read_duration(increment.trim()).map_err(bad)?;
        if base.is_zero() { Err(String::from("a clock needs a time greater than 0")) } else { Ok((base, increment)) }
    }
}

/// When a game is adjudicated: `600:4` means a value of 600 or more, reported by both players for 4 consecutive moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    /// The value.
    pub value: u32,
    /// The number of consecutive moves of each side.
    pub moves: u32,
}

impl std::str::FromStr for Agreement {
    type Err = String;
    fn from_str(text: &str) -> Result<Agreement, String> {
        let bad = || String::from("write a value and a number of moves, like 600:4");
        let (value, moves) = text.split_once(':').unwrap_or((text, "4"));
        let agreement = Agreement {
            value: value.trim().parse().map_err(|_| bad())?,
            moves: moves.trim().parse().map_err(|_| bad())?,
        };
        if (1..=1_000).contains(&agreement.moves) { Ok(agreement) } else { Err(bad()) }
    }
}

/// A finished game, as `--json` prints it and as records store it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GameRow {
    /// The game.
    pub game: String,
    /// Its number in the match, from 1.
    pub number: u64,
    /// The player that moved first.
    pub first: String,
    /// The player that moved second.
    pub second: String,
    /// The result, without points: in JSON `1-0` if the first side won, `0-1` if the second did, `1/2-1/2` for a draw.
    pub result: GameResult,
    /// The half points of the match's first player.
    pub half_points: HalfPoints,
    /// The points by which the first side won, in a game that ends with points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<i32>,
    /// Why the game ended, as a short name.
    pub ending: String,
    /// The player that forfeited the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<String>,
    /// Details of the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The initial position. `None`: the start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The number of opening moves.
    pub opening: usize,
    /// The moves, the opening included.
    pub moves: Vec<String>,
    /// The thinking time of each side in seconds.
    pub seconds: [f64; 2],
    /// The greatest overrun of each side in milliseconds.
    pub overrun_ms: [f64; 2],
}

/// A running player and its description.
pub(crate) struct ActivePlayer<'p> {
    pub(crate) player: &'p mut dyn Player,
    pub(crate) spec: &'p PlayerSpec,
}

/// How a game ended.
struct End {
    winner: Option<Side>,
    points: Option<i32>,
    ending: String,
    forfeit: Option<Side>,
    detail: Option<String>,
}

impl End {
    fn drawn(ending: &str) -> End {
        End { winner: None, points: None, ending: ending.to_owned(), forfeit: None, detail: None }
    }

    fn won(winner: Side, ending: &str) -> End {
        End { winner: Some(winner), ..End::drawn(ending) }
    }

    fn forfeit(by: Side, error: &PlayerError) -> End {
        let detail = Some(error.to_string());
        End { forfeit: Some(by).filter(|_| *error != PlayerError::Resigned), detail, ..End::won(!by, error.name()) }
    }
}

/// Grace period after a player's time: an answer within it is measured and reported as late.
const GRACE: Duration = Duration::from_secs(2);

/// Why a game was not finished.
#[derive(Debug)]
pub(crate) enum PlayError {
    /// The match was stopped.
    Stopped,
    /// The opening is not valid.
    Opening(Error),
}

impl From<Error> for PlayError {
    fn from(error: Error) -> PlayError {
        PlayError::Opening(error)
    }
}

impl Referee {
    /// Plays a game. `players` are the first side and the second side.
    pub(crate) fn play(
        &self,
        game: &dyn Entry,
        opening: &Opening,
        players: [ActivePlayer<'_>; 2],
    ) -> Result<GameRow, PlayError> {
        let names = [&players[0], &players[1]].map(|player| player.spec.name.clone());
        let mut progress = GameInProgress::new(self, players);
        let mut moves = opening.moves.clone();
        let end = progress.play(game, opening, &mut moves)?;
        let result = end.winner.map_or(GameResult::Drawn, |side| GameResult::Won(side, None));
        let forfeit = end.forfeit.map(|side| names[side.index()].clone());
        let [first, second] = names;
        Ok(GameRow {
            game: game.name().to_owned(),
            first,
            second,
            result,
            points: end.points,
            ending: end.ending,
            forfeit,
            detail: end.detail,
            position: opening.position.clone(),
            opening: opening.moves.len(),
            moves,
            seconds: progress.thought.map(|time| time.as_secs_f64()),
            overrun_ms: progress.overrun.map(|time| time.as_secs_f64() * 1e3),
            ..GameRow::default()
        })
    }
}

/// A game in progress: the clocks and the two players.
struct GameInProgress<'r, 'p> {
    referee: &'r Referee,
    players: [ActivePlayer<'p>; 2],
    left: [Duration; 2],
    thought: [Duration; 2],
    overrun: [Duration; 2],
    /// The number of consecutive plies with a winning value for this side, and with a drawn value.
    winning: (Side, u32),
    drawish: u32,
}

impl<'r, 'p> GameInProgress<'r, 'p> {
    fn new(referee: &'r Referee, players: [ActivePlayer<'p>; 2]) -> GameInProgress<'r, 'p> {
        let base = referee.control.clock.map_or(Duration::ZERO, |(base, _)| base);
        let zero = [Duration::ZERO; 2];
        GameInProgress {
            referee,
            players,
            left: [base; 2],
            thought: zero,
            overrun: zero,
            winning: (Side::First, 0),
            drawish: 0,
        }
    }

    fn play(&mut self, game: &dyn Entry, opening: &Opening, moves: &mut Vec<String>) -> Result<End, PlayError> {
        let start = opening.start(game)?;
        let mut now = opening.end(game)?;
        for side in [Side::First, Side::Second] {
            match self.players[side.index()].player.new_game() {
                Err(PlayerError::Stopped) => return Err(PlayError::Stopped),
                Err(error) => return Ok(End::forfeit(side, &error)),
                Ok(()) => {}
            }
        }
        loop {
            if let Some(ending) = now.ending() {
                let End { forfeit, detail, .. } = End::drawn("");
                let ending_name = ending.reason.name().to_owned();
                return Ok(End { winner: ending.winner, points: ending.points, ending: ending_name, forfeit, detail });
            }
            if moves.len() - opening.moves.len() >= self.referee.longest as usize {
                return Ok(End::drawn("length"));
            }
            // Forced passes are played here, since protocols disagree on how to request them.
            let legal = now.moves();
            let m = if legal == ["pass"] {
                legal[0].clone()
            } else {
                let side = now.turn();
                let from_start = opening.position.is_none();
                let game_so_far = GameSoFar { start: start.as_ref(), from_start, moves, current: now.as_ref() };
                match self.request_move(side, &game_so_far, &legal) {
                    Err(PlayerError::Stopped) => return Err(PlayError::Stopped),
                    Err(error) => return Ok(End::forfeit(side, &error)),
                    Ok(reply) => {
                        if let Some(end) = self.adjudicate(side, reply.1) {
                            return Ok(end);
                        }
                        reply.0
                    }
                }
            };
            now = now.after(&m)?;
            moves.push(m);
        }
    }

    /// Requests a move from a side, with its value, within its time.
    fn request_move(
        &mut self,
        side: Side,
        game_so_far: &GameSoFar<'_>,
        legal: &[String],
    ) -> Result<(String, Option<i32>), PlayerError> {
        let side_index = side.index();
        let (limits, allowed) = self.limits(side);
        let margin = self.players[side_index].spec.margin.unwrap_or(self.referee.margin);
        let began = Instant::now();
        let reply = self.players[side_index].player.choose(game_so_far, &limits);
        let took = began.elapsed();
        self.thought[side_index] += took;
        let late = allowed.map_or(Duration::ZERO, |allowed| took.saturating_sub(allowed));
        self.overrun[side_index] = self.overrun[side_index].max(late);
        let reply = reply?;
        if late > margin {
            return Err(PlayerError::Overran(late));
        }
        if let Some(clocks) = limits.clocks {
            self.left[side_index] = self.left[side_index].saturating_sub(took) + clocks.increment;
        }
        let written = |m: &&String| m.eq_ignore_ascii_case(reply.m.trim());
        let m = legal.iter().find(|m| **m == reply.m).or_else(|| legal.iter().find(written));
        Ok((m.cloned().ok_or(PlayerError::Illegal(reply.m))?, reply.value))
    }

    /// The limits of a side's next move, and its time.
    fn limits(&self, side: Side) -> (Limits, Option<Duration>) {
        let (spec, control) = (self.players[side.index()].spec, &self.referee.control);
        let mut limits = if spec.has_own_limits() {
            Limits { move_time: spec.move_time, depth: spec.depth, nodes: spec.nodes, ..Limits::default() }
        } else {
            let clocks = control.clock.map(|(_, increment)| Clocks { left: self.left, increment });
            let &TimeControl { move_time, depth, nodes, .. } = control;
            Limits { move_time, clocks, depth, nodes, ..Limits::default() }
        };
        let left = limits.clocks.as_ref().map(|clocks| clocks.left[side.index()]);
        let allowed = limits.move_time.into_iter().chain(left).min();
        let margin = spec.margin.unwrap_or(self.referee.margin);
        limits.patience = allowed.map_or(self.referee.patience, |allowed| allowed + margin + GRACE);
        (limits, allowed)
    }

    /// Counts agreement on a win or a draw. A player that reports no value agrees to neither.
    fn adjudicate(&mut self, side: Side, value: Option<i32>) -> Option<End> {
        let value = value.map(|value| if side == Side::First { value } else { -value });
        if let Some(win) = self.referee.win_at {
            let winner = match value {
                Some(value) if value.unsigned_abs() >= win.value => {
                    Some(if value > 0 { Side::First } else { Side::Second })
                }
                _ => None,
            };
            self.winning = match (winner, self.winning) {
                (Some(winner), (before, plies)) if winner == before => (winner, plies + 1),
                (Some(winner), _) => (winner, 1),
                (None, (before, _)) => (before, 0),
            };
            if self.winning.1 >= 2 * win.moves {
                return Some(End::won(self.winning.0, "agreed-win"));
            }
        }
        if let Some(draw) = self.referee.draw_at {
            let even = value.is_some_and(|value| value.unsigned_abs() <= draw.value);
            self.drawish = if even { self.drawish + 1 } else { 0 };
            if self.drawish >= 2 * draw.moves {
                return Some(End::drawn("agreed-draw"));
            }
        }
        None
    }
}
