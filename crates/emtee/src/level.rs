//! Levels of play: a number of nodes, and a choice among moves that are nearly as good as the best.
//!
//! MT finds these moves cheaply. The exact value of a second-best move takes a search. To prove that it is worth at least
//! best − margin takes one pass at γ = best − margin, and most of that pass is answered by the table.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::error::Error;
use crate::game::{Evaluate, Game, legal_moves};
use crate::key::mix;
use crate::limits::{Budget, MAX_DEPTH};
use crate::observer::{Observer, Passes};
use crate::parallel::Unshared;
use crate::search::{Found, Search};
use crate::value::{Gamma, Value, Window};

/// A playing strength, from 1 to 10.
///
/// A level has a number of nodes, so that it is the same on every machine, and a margin: the amount by which a move that is
/// played may be worse than the best. Every game has its own [`Levels`]. See [`Search::choose`].
///
/// ```
/// use emtee::Level;
/// assert!(Level::new(3)? < Level::new(4)?);
/// assert_eq!(Level::new(11).unwrap_err().to_string(), "'11' is not a level; choose a number from 1 to 10");
/// # Ok::<(), emtee::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// The ten levels of a game, the weakest first: the number of nodes searched, and the margin in hundredths of the
/// [spread](Search::choose). If they were measured for a game, the levels are about equally far apart in strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels(pub [(u64, u32); 10]);

impl Levels {
    /// The levels of a game for which none were measured: from a search of the first replies to a tenth of a second
    /// per move.
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

    /// The number of nodes that a level searches.
    pub const fn nodes(&self, level: Level) -> u64 {
        self.0[level.0 as usize - 1].0
    }

    /// The margin of a level in a position whose moves differ by `spread` on average.
    const fn margin(&self, level: Level, spread: i32) -> i32 {
        (spread as i64 * self.0[level.0 as usize - 1].1 as i64 / 100) as i32
    }
}

impl Level {
    /// The weakest level.
    pub const LOWEST: Level = Level(1);
    /// The strongest level.
    pub const HIGHEST: Level = Level(10);

    /// A level from 1 to 10.
    pub fn new(level: u8) -> Result<Level, Error> {
        if (1..=10).contains(&level) { Ok(Level(level)) } else { Err(bad_level(&level.to_string())) }
    }

    /// The level as a number from 1 to 10.
    pub const fn get(self) -> u8 {
        self.0
    }
}

fn bad_level(text: &str) -> Error {
    Error::BadChoice { what: "level", text: text.to_string(), choices: "a number from 1 to 10" }
}

impl FromStr for Level {
    type Err = Error;
    fn from_str(text: &str) -> Result<Level, Error> {
        text.trim().parse().ok().and_then(|level| Level::new(level).ok()).ok_or_else(|| bad_level(text.trim()))
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Chosen<M> {
    /// The move. `None` if the game is over.
    pub m: Option<M>,
    /// The moves it was chosen from, in the game's order.
    pub among: Vec<M>,
    /// The least value of these moves.
    pub at_least: Value,
    /// The search for the best move.
    pub found: Found<M>,
}

/// The best move of a search, without a choice.
impl<M: Copy> From<Found<M>> for Chosen<M> {
    fn from(found: Found<M>) -> Chosen<M> {
        let at_least = found.value.unwrap_or(found.f.lower);
        Chosen { m: found.best_move, among: found.best_move.into_iter().collect(), at_least, found }
    }
}

/// A proven least value of the game in progress, which the following moves must keep.
#[derive(Clone, Debug)]
pub(crate) struct Guarantee {
    /// The keys of the positions in which the side can be to move again.
    keys: Vec<u64>,
    /// The depth at which the search finds the value again in these positions.
    depth: u8,
    /// The least value.
    floor: Value,
}

impl<G: Game, E: Evaluate<G>> Search<G, E> {
    /// Chooses a move at a level. The seed selects among the moves whose value is within the level's margin of the best.
    ///
    /// The best move is searched with the level's nodes. Then one pass of MT for each other move tests whether it is worth at
    /// least best − margin. No exact value is needed, and the table answers most of the pass. The margin is proportional to the
    /// spread of the position, which is the mean difference between the static evaluations after its moves. So it fits any
    /// evaluation.
    ///
    /// Proven results are kept:
    ///
    /// * A winning move is followed by winning moves until the game is won, at any level, as long as a million nodes suffice
    ///   to find the win again.
    /// * A move that loses by force is not chosen if there are others.
    /// * If all lines were searched to the end of the game, a win or a draw is kept.
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

    /// The same as [`choose`](Search::choose), with additional limits, and with an observer of the search for the best move.
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
            // The nodes did not suffice for one iteration. Depth 1 gives a move, and a value to compare the others with.
            found = self.think_observed(position, Budget::depth(1), observer)?;
        }
        if let Some(guarantee) = &guarantee {
            found = self.find_again(position, guarantee, found, budget, observer)?;
        }
        let value = found.value.unwrap_or(found.f.lower);
        let all_lines_end = guarantee.is_none() && found.complete && budget.depth.is_none();
        let floor = guarantee.map(|guarantee| guarantee.floor).max(floor(value, all_lines_end));
        // If the search was stopped before it had a move, any legal move is played.
        let Some(best) = found.best_move.or_else(|| legal_moves(position).first().copied()) else {
            return Ok(Chosen { m: None, among: Vec::new(), at_least: value, found });
        };
        let margin = G::TUNING.levels.margin(level, self.spread(position));
        let at_least = match value {
            value if value.is_proven() => value,
            value => (value - margin).max(floor.unwrap_or(NO_LOSS)).min(value),
        };
        let among = self.moves_worth(position, at_least, level, best, &found)?;
        let pick = mix(mix(seed) ^ position.key()) % among.len() as u64;
        let m = among[pick as usize];
        if let Some(floor) = floor {
            self.guarantee = Some(Guarantee::new(position, m, floor, value, found.depth));
        }
        Ok(Chosen { m: Some(m), among, at_least, found })
    }

    /// Searches deeper than the level's nodes allow, until the guaranteed value is found again or [`FIND_AGAIN_NODES`] are used
    /// up, which takes about a second.
    fn find_again(
        &mut self,
        position: &G,
        guarantee: &Guarantee,
        mut found: Found<G::Move>,
        budget: Budget,
        observer: &mut impl Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        let mut left = FIND_AGAIN_NODES;
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

    /// The moves worth at least `bound`: the best move, and those of the others for which one pass proves it.
    fn moves_worth(
        &mut self,
        position: &G,
        bound: Value,
        level: Level,
        best: G::Move,
        found: &Found<G::Move>,
    ) -> Result<Vec<G::Move>, Error> {
        let moves = legal_moves(position);
        if bound == Value::NEG_INFINITY {
            return Ok(Vec::from([best])); // There is no value to compare with.
        }
        let codes: Vec<u16> = moves.iter().enumerate().map(|(index, &m)| position.code(m, index)).collect();
        let gamma = Gamma::below(bound);
        let mut among = Vec::new();
        for (index, &m) in moves.iter().enumerate() {
            let others: Vec<u16> = codes.iter().copied().filter(|code| *code != codes[index]).collect();
            if m == best || self.exceeds(position, found.depth, gamma, &others, G::TUNING.levels.nodes(level))? {
                among.push(m);
            }
        }
        Ok(among)
    }

    /// Whether one pass proves that the position is worth more than γ `without` some of its moves. False if it takes more than
    /// `nodes`.
    fn exceeds(&mut self, position: &G, depth: u8, gamma: Gamma, without: &[u16], nodes: u64) -> Result<bool, Error> {
        let window = Window::null(gamma);
        let pass = self.single_pass(position, depth, without, nodes, &mut Passes(&mut ()), |run, root| {
            run.measure(window, |run| run.worker().run_pass::<Unshared>(root, depth, 0, window))
        });
        match pass {
            Ok(pass) => Ok(pass.g > gamma),
            Err(Error::Stopped) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The mean deviation of the static evaluations after the moves.
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

/// The most nodes that are searched to find a guaranteed value again.
const FIND_AGAIN_NODES: u64 = 1_000_000;

/// The least value that is not a forced loss.
const NO_LOSS: Value = Value::score(-Value::MAX_SCORE).unwrap();

/// The least value that is proved by a search with this value, if any: a win, or if all lines end, a win on points or a draw.
fn floor(value: Value, all_lines_end: bool) -> Option<Value> {
    match value.get() {
        _ if value.wins_in().is_some() => Some(Value::win_in(Value::MAX_DISTANCE)),
        1.. if all_lines_end => Value::score(1),
        0 if all_lines_end => Value::score(0),
        _ => None,
    }
}

impl Guarantee {
    /// The guarantee after `m` is played in a position with this value, found at this depth.
    fn new<G: Game>(position: &G, m: G::Move, floor: Value, value: Value, depth: u8) -> Guarantee {
        let child = position.play(m);
        let same_side = child.turn() == position.turn();
        let keys = if same_side {
            Vec::from([child.key()])
        } else {
            legal_moves(&child).into_iter().map(|reply| child.play(reply).key()).collect()
        };
        let plies = value.wins_in().map_or(depth, |plies| plies.min(u32::from(MAX_DEPTH)) as u8);
        Guarantee { keys, depth: plies.saturating_sub(if same_side { 1 } else { 2 }).max(1), floor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_win_is_proved_if_some_lines_do_not_end() {
        let score = |points| Value::score(points).unwrap_or_default();
        let win = Some(Value::win_in(Value::MAX_DISTANCE));
        for (value, some_end, all_end) in [
            (Value::win_in(3), win, win),
            (score(7), None, Some(score(1))),
            (score(0), None, Some(score(0))),
            (score(-7), None, None),
            (Value::loss_in(2), None, None),
        ] {
            assert_eq!((floor(value, false), floor(value, true)), (some_end, all_end), "{value}");
        }
    }
}
