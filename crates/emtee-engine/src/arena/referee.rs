//! Whoever watches over a game: knows the rules, the clocks, and when enough is enough.

use std::time::{Duration, Instant};

use emtee::Side;
use serde::{Deserialize, Serialize};

use super::{Clocks, Fault, HalfPoints, Limits, Opening, Played, Player, PlayerSpec};
use crate::duration::read_duration;
use crate::error::Error;
use crate::registry::Entry;

/// What a game is played by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Referee {
    /// How long the players may think.
    pub control: TimeControl,
    /// How much later than that an answer may come.
    pub margin: Duration,
    /// How long a move without a time may take before its player counts as hanging.
    pub patience: Duration,
    /// A game is won when both players say so.
    pub win_at: Option<Agreement>,
    /// A game is drawn when both players say so.
    pub draw_at: Option<Agreement>,
    /// A game of so many plies, the opening not counted, is a draw.
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

/// How long players may think.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// The time for a move.
    pub move_time: Option<Duration>,
    /// The time for the game, and what each move adds.
    pub clock: Option<(Duration, Duration)>,
    /// How deep, in plies.
    pub depth: Option<u8>,
    /// How many nodes a move.
    pub nodes: Option<u64>,
}

impl TimeControl {
    /// Reads a clock like `10s+0.1s`, or `5m`.
    pub fn read_clock(text: &str) -> Result<(Duration, Duration), String> {
        let bad = |_| String::from("write a clock like 10s+0.1s: the time for the game, and what each move adds");
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let base = read_duration(base.trim()).map_err(bad)?;
        let increment = read_duration(increment.trim()).map_err(bad)?;
        if base.is_zero() { Err(String::from("a clock must have time on it")) } else { Ok((base, increment)) }
    }
}

/// What players have to say, and how often in a row, for a game to end: `600:4` is 600 or more for 4 moves of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    /// A value.
    pub value: u32,
    /// Moves of each side.
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

/// A game that was played, as `--json` prints it and records keep it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GameRow {
    /// The game.
    pub game: String,
    /// Its number in the match, from 1.
    pub number: u64,
    /// Who moved first.
    pub first: String,
    /// Who moved second.
    pub second: String,
    /// `1-0` if the first side won, `0-1` if the second did, `1/2-1/2`.
    pub result: String,
    /// The half points of the player named first in the match.
    pub half_points: HalfPoints,
    /// The points the first side won by, in a game that ends with points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<i32>,
    /// Why it ended, in a word.
    pub ending: String,
    /// Who forfeited the game, if anybody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<String>,
    /// What there is to say about the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Where it began; nothing for the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// How many of the moves are the opening.
    pub opening: usize,
    /// The moves.
    pub moves: Vec<String>,
    /// The seconds each side thought.
    pub seconds: [f64; 2],
    /// By how many milliseconds each side overran its time at worst.
    pub overrun_ms: [f64; 2],
}

/// A player at the board.
pub(crate) struct Seat<'p> {
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

    fn forfeit(by: Side, fault: &Fault) -> End {
        let detail = Some(fault.to_string());
        End { forfeit: Some(by).filter(|_| *fault != Fault::Resigned), detail, ..End::won(!by, fault.name()) }
    }
}

/// How long past its time a player is listened to, so that it can be told how late it was.
const GRACE: Duration = Duration::from_secs(2);

/// A game could not be finished.
#[derive(Debug)]
pub(crate) enum Unfinished {
    /// Somebody stopped the match.
    Stopped,
    /// The opening is no good.
    Opening(Error),
}

impl From<Error> for Unfinished {
    fn from(error: Error) -> Unfinished {
        Unfinished::Opening(error)
    }
}

impl Referee {
    /// Plays a game. `seats` are the first side and the second.
    pub(crate) fn play(
        &self,
        game: &dyn Entry,
        opening: &Opening,
        seats: [Seat<'_>; 2],
    ) -> Result<GameRow, Unfinished> {
        let names = [&seats[0], &seats[1]].map(|seat| seat.spec.name.clone());
        let mut progress = GameInProgress::new(self, seats);
        let mut moves = opening.moves.clone();
        let end = progress.play(game, opening, &mut moves)?;
        let result = match end.winner {
            Some(Side::First) => "1-0",
            Some(Side::Second) => "0-1",
            None => "1/2-1/2",
        };
        let forfeit = end.forfeit.map(|side| names[side.index()].clone());
        let [first, second] = names;
        Ok(GameRow {
            game: game.name().to_owned(),
            first,
            second,
            result: result.to_owned(),
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

/// A game that is being played: the clocks, and the two players.
struct GameInProgress<'r, 'p> {
    referee: &'r Referee,
    seats: [Seat<'p>; 2],
    left: [Duration; 2],
    thought: [Duration; 2],
    overrun: [Duration; 2],
    /// For how many plies in a row it has looked like a win of this side, and like a draw.
    winning: (Side, u32),
    drawish: u32,
}

impl<'r, 'p> GameInProgress<'r, 'p> {
    fn new(referee: &'r Referee, seats: [Seat<'p>; 2]) -> GameInProgress<'r, 'p> {
        let base = referee.control.clock.map_or(Duration::ZERO, |(base, _)| base);
        let zero = [Duration::ZERO; 2];
        GameInProgress {
            referee,
            seats,
            left: [base; 2],
            thought: zero,
            overrun: zero,
            winning: (Side::First, 0),
            drawish: 0,
        }
    }

    fn play(&mut self, game: &dyn Entry, opening: &Opening, moves: &mut Vec<String>) -> Result<End, Unfinished> {
        let start = opening.start(game)?;
        let mut now = opening.end(game)?;
        for side in [Side::First, Side::Second] {
            match self.seats[side.index()].player.new_game() {
                Err(Fault::Stopped) => return Err(Unfinished::Stopped),
                Err(fault) => return Ok(End::forfeit(side, &fault)),
                Ok(()) => {}
            }
        }
        loop {
            if let Some(ending) = now.ending() {
                let End { forfeit, detail, .. } = End::drawn("");
                let ending_name = ending.why.name().to_owned();
                return Ok(End { winner: ending.winner, points: ending.points, ending: ending_name, forfeit, detail });
            }
            if moves.len() - opening.moves.len() >= self.referee.longest as usize {
                return Ok(End::drawn("length"));
            }
            // A pass that is forced is no choice, and protocols disagree about how to ask for it.
            let legal = now.moves();
            let m = if legal == ["pass"] {
                legal[0].clone()
            } else {
                let side = now.turn();
                let from_start = opening.position.is_none();
                let played = Played { start: start.as_ref(), from_start, moves, now: now.as_ref() };
                match self.ask(side, &played, &legal) {
                    Err(Fault::Stopped) => return Err(Unfinished::Stopped),
                    Err(fault) => return Ok(End::forfeit(side, &fault)),
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

    /// The move of a side and what it thinks of it, within its time.
    fn ask(&mut self, side: Side, played: &Played<'_>, legal: &[String]) -> Result<(String, Option<i32>), Fault> {
        let at = side.index();
        let (limits, allowed) = self.limits(side);
        let margin = self.seats[at].spec.margin.unwrap_or(self.referee.margin);
        let began = Instant::now();
        let reply = self.seats[at].player.choose(played, &limits);
        let took = began.elapsed();
        self.thought[at] += took;
        let late = allowed.map_or(Duration::ZERO, |allowed| took.saturating_sub(allowed));
        self.overrun[at] = self.overrun[at].max(late);
        let reply = reply?;
        if late > margin {
            return Err(Fault::Overran(late));
        }
        if let Some(clocks) = limits.clocks {
            self.left[at] = self.left[at].saturating_sub(took) + clocks.increment;
        }
        let written = |m: &&String| m.eq_ignore_ascii_case(reply.m.trim());
        let m = legal.iter().find(|m| **m == reply.m).or_else(|| legal.iter().find(written));
        Ok((m.cloned().ok_or(Fault::Illegal(reply.m))?, reply.value))
    }

    /// What a side may use for its next move, and the time of it.
    fn limits(&self, side: Side) -> (Limits, Option<Duration>) {
        let (spec, control) = (self.seats[side.index()].spec, &self.referee.control);
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

    /// Whether both sides have agreed for long enough. A player who says nothing agrees to nothing.
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
