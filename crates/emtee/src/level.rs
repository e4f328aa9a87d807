//! Levels of play: so many nodes, and a choice among moves that are nearly as good as the best.
//!
//! Which moves those are is a question that MT answers cheaply. The exact value of a second-best move takes a search; that
//! it is worth at least best − margin takes one pass at γ = best − margin, and most of that pass is in the table already.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::error::Error;
use crate::game::{Evaluate, Game, legal_moves};
use crate::key::mix;
use crate::limits::{Budget, MAX_DEPTH};
use crate::observer::{Observer, Passes};
use crate::parallel::Alone;
use crate::search::{Found, Search};
use crate::value::{Gamma, Value, Window};

/// How strong to play, from 1 to 10.
///
/// A level is a number of nodes, so it is the same on every machine, and a margin: how much worse than the best a move may
/// be and still be played. Every game has its own [`Levels`]. See [`Search::choose`].
///
/// ```
/// use emtee::Level;
/// assert!(Level::new(3)? < Level::new(4)?);
/// assert_eq!(Level::new(11).unwrap_err().to_string(), "'11' is not a level; choose a number from 1 to 10");
/// # Ok::<(), emtee::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// What the ten levels of a game are, the weakest first: how many nodes each looks at before it chooses, and its margin in
/// hundredths of the [spread](Search::choose). A game has steps of about equal size where they were measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels(pub [(u64, u32); 10]);

impl Levels {
    /// Those of a game that nobody has measured: they begin with the first reply, and end where a move takes a tenth of a second.
    pub const USUAL: Levels = Levels([
        (30, 300),
        (60, 220),
        (120, 160),
        (250, 120),
        (600, 85),
        (1_500, 60),
        (4_000, 40),
        (10_000, 22),
        (30_000, 10),
        (100_000, 0),
    ]);

    /// How many nodes a level looks at before it chooses.
    pub const fn nodes(&self, level: Level) -> u64 {
        self.0[level.0 as usize - 1].0
    }

    /// How much worse than the best a move may be, where moves differ by `spread` on average.
    const fn margin(&self, level: Level, spread: i32) -> i32 {
        (spread as i64 * self.0[level.0 as usize - 1].1 as i64 / 100) as i32
    }
}

impl Level {
    /// The weakest.
    pub const LOWEST: Level = Level(1);
    /// The strongest.
    pub const HIGHEST: Level = Level(10);

    /// A level from 1 to 10.
    pub fn new(level: u8) -> Result<Level, Error> {
        if (1..=10).contains(&level) { Ok(Level(level)) } else { Err(no_level(&level.to_string())) }
    }

    /// From 1 to 10.
    pub const fn get(self) -> u8 {
        self.0
    }
}

fn no_level(text: &str) -> Error {
    Error::BadChoice { what: "level", text: text.to_string(), choices: "a number from 1 to 10" }
}

impl FromStr for Level {
    type Err = Error;
    fn from_str(text: &str) -> Result<Level, Error> {
        text.trim().parse().ok().and_then(|level| Level::new(level).ok()).ok_or_else(|| no_level(text.trim()))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A move chosen at a level.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Chosen<M> {
    /// The move; nothing if the game is over.
    pub m: Option<M>,
    /// The moves it was chosen from, in the game's order.
    pub among: Vec<M>,
    /// What they are worth at least.
    pub at_least: Value,
    /// The search for the best move.
    pub found: Found<M>,
}

/// What a search has proved of the game it plays, and will not give away.
#[derive(Clone, Debug)]
pub(crate) struct Guarantee {
    /// Where the game may stand when it is to move again.
    keys: Vec<u64>,
    /// How deep it has to look then to find it again.
    depth: u8,
    /// What it is worth at least.
    floor: Value,
}

impl<G: Game, E: Evaluate<G>> Search<G, E> {
    /// Chooses a move as a player of some level would: any move that is as good as the best, or nearly, by the seed.
    ///
    /// The best move is found within the level's nodes. Then each other move is asked one question by one pass of MT: is it
    /// worth at least best − margin? No exact value is needed, and the table knows most of the answer. The margin is in
    /// proportion to the spread of the position, by how much its moves differ on average when they are evaluated at once, so
    /// it fits any evaluation.
    ///
    /// What is proved is not given away. A winning move is followed by a winning move until the game is won, whatever the
    /// level's nodes, as long as a million of them find it again; a move that loses by force is not chosen while there are others; and where all lines were seen to
    /// their end, a win or a draw is kept.
    ///
    /// The same position, level, seed and memory give the same move.
    ///
    /// ```
    /// use emtee::{Game, Level, player};
    /// use emtee_games::connect4::Board;
    ///
    /// let mut ai = player(Board::evaluate).hash("1MB").build()?;
    /// let chosen = ai.choose(&Board::default(), Level::new(4)?, 1)?;
    /// assert!(chosen.among.contains(&chosen.m.unwrap()));
    /// # Ok::<(), emtee::Error>(())
    /// ```
    pub fn choose(&mut self, position: &G, level: Level, seed: u64) -> Result<Chosen<G::Move>, Error> {
        self.choose_observed(position, level, seed, Budget::UNLIMITED, &mut Passes(&mut ()))
    }

    /// The same, with limits of your own beside those of the level, and shows every node of the search for the best move to an observer.
    pub fn choose_observed(
        &mut self,
        position: &G,
        level: Level,
        seed: u64,
        budget: Budget,
        observer: &mut impl Observer<G>,
    ) -> Result<Chosen<G::Move>, Error> {
        let guarantee = self.guarantee.take().filter(|guarantee| guarantee.keys.contains(&position.key()));
        let nodes = G::TUNING.levels.nodes(level).min(budget.nodes.unwrap_or(u64::MAX));
        let mut found = self.think_observed(position, Budget { nodes: Some(nodes), ..budget }, observer)?;
        if found.depth == 0 && found.value.is_none() {
            // However few the nodes, there is a move, and a value to compare the others with.
            found = self.think_observed(position, Budget::depth(1), observer)?;
        }
        if let Some(guarantee) = &guarantee {
            found = self.find_again(position, guarantee, found, budget, observer)?;
        }
        let value = found.value.unwrap_or(found.f.lower);
        let all_lines_end = guarantee.is_none() && found.complete && budget.depth.is_none();
        let floor = guarantee.map(|guarantee| guarantee.floor).max(floor(value, all_lines_end));
        // Nor does a stop leave it without one.
        let Some(best) = found.best_move.or_else(|| legal_moves(position).first().copied()) else {
            return Ok(Chosen { m: None, among: Vec::new(), at_least: value, found });
        };
        let margin = G::TUNING.levels.margin(level, self.spread(position));
        let at_least = match value {
            value if value.is_proven() => value,
            value => (value - margin).max(floor.unwrap_or(NO_LOSS)).min(value),
        };
        let among = self.at_least(position, at_least, level, best, &found)?;
        let pick = mix(mix(seed) ^ position.key()) % among.len() as u64;
        let m = among[pick as usize];
        if let Some(floor) = floor {
            self.guarantee = Some(Guarantee::new(position, m, floor, value, found.depth));
        }
        Ok(Chosen { m: Some(m), among, at_least, found })
    }

    /// Looks deeper than the level would, until what was guaranteed is found again, or is not to be found in a second or so.
    fn find_again(
        &mut self,
        position: &G,
        guarantee: &Guarantee,
        mut found: Found<G::Move>,
        budget: Budget,
        observer: &mut impl Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        let mut left = AGAIN;
        for depth in found.depth.saturating_add(1)..=guarantee.depth {
            if found.value.is_some_and(|value| value >= guarantee.floor) {
                break;
            }
            let once = budget.and_depth(depth).and_nodes(left);
            let deeper = self.iterate_among(position, &[], found.value, once, observer)?;
            if !deeper.complete {
                break;
            }
            left = left.saturating_sub(deeper.counts.nodes());
            found = deeper;
        }
        Ok(found)
    }

    /// The moves worth at least so much, the best among them, each other one asked by a pass.
    fn at_least(
        &mut self,
        position: &G,
        bound: Value,
        level: Level,
        best: G::Move,
        found: &Found<G::Move>,
    ) -> Result<Vec<G::Move>, Error> {
        let moves = legal_moves(position);
        if bound == Value::NEG_INFINITY {
            return Ok(Vec::from([best])); // Nothing is known to compare with.
        }
        let codes: Vec<u16> = moves.iter().enumerate().map(|(index, &m)| position.code(m, index)).collect();
        let gamma = Gamma::below(bound);
        let mut among = Vec::new();
        for (index, &m) in moves.iter().enumerate() {
            let others: Vec<u16> = codes.iter().copied().filter(|code| *code != codes[index]).collect();
            if m == best || self.ask(position, found.depth, gamma, &others, G::TUNING.levels.nodes(level))? {
                among.push(m);
            }
        }
        Ok(among)
    }

    /// One pass: is the position worth more than γ without some of its moves? No, if the answer takes too long.
    fn ask(&mut self, position: &G, depth: u8, gamma: Gamma, without: &[u16], nodes: u64) -> Result<bool, Error> {
        let window = Window::null(gamma);
        let asked = self.question(position, depth, without, nodes, &mut Passes(&mut ()), |run, root| {
            run.ask(window, |run| run.worker().pass::<Alone>(root, depth, 0, window))
        });
        match asked {
            Ok(pass) => Ok(pass.g > gamma),
            Err(Error::Stopped) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// By how much the moves differ on average, each evaluated at once.
    fn spread(&self, position: &G) -> i32 {
        let turn = position.turn();
        let children = legal_moves(position).into_iter().map(|m| position.play(m)).filter(|c| c.outcome().is_none());
        let values: Vec<i64> = children
            .map(|child| {
                let value = i64::from(self.evaluator.evaluate(&child));
                if child.turn() == turn { value } else { -value }
            })
            .collect();
        let count = values.len().max(1) as i64;
        let mean = values.iter().sum::<i64>() / count;
        (values.iter().map(|value| (value - mean).abs()).sum::<i64>() / count) as i32
    }
}

/// Nodes that whoever has proved something may take to find it again.
const AGAIN: u64 = 1_000_000;

/// Better than any loss by force.
const NO_LOSS: Value = match Value::score(-Value::MAX_SCORE) {
    Some(value) => value,
    None => Value::NEG_INFINITY,
};

/// What is proved of a position of this value, if anything is: a win, or the kind of its end when all lines end.
fn floor(value: Value, all_lines_end: bool) -> Option<Value> {
    match value.get() {
        _ if value.wins_in().is_some() => Some(Value::win_in(Value::MAX_DISTANCE)),
        1.. if all_lines_end => Value::score(1),
        0 if all_lines_end => Value::score(0),
        _ => None,
    }
}

impl Guarantee {
    /// What is kept when `m` is played in a position of this value, seen at this depth.
    fn new<G: Game>(position: &G, m: G::Move, floor: Value, value: Value, depth: u8) -> Guarantee {
        let child = position.play(m);
        let again = child.turn() == position.turn();
        let keys = if again {
            Vec::from([child.key()])
        } else {
            legal_moves(&child).into_iter().map(|reply| child.play(reply).key()).collect()
        };
        let plies = value.wins_in().map_or(depth, |plies| plies.min(u32::from(MAX_DEPTH)) as u8);
        Guarantee { keys, depth: plies.saturating_sub(if again { 1 } else { 2 }).max(1), floor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_a_win_is_proved_before_all_lines_have_ended() {
        let score = |points| Value::score(points).unwrap_or_default();
        let win = Some(Value::win_in(Value::MAX_DISTANCE));
        for (value, open, ended) in [
            (Value::win_in(3), win, win),
            (score(7), None, Some(score(1))),
            (score(0), None, Some(score(0))),
            (score(-7), None, None),
            (Value::loss_in(2), None, None),
        ] {
            assert_eq!((floor(value, false), floor(value, true)), (open, ended), "{value}");
        }
    }
}
