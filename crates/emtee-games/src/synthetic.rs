//! Synthetic trees: made-up games of any size, with the properties of real ones turned up or down.
//!
//! Nothing is stored. A position is a number, its children's numbers are hashed from it, and everything else follows
//! from the numbers: the same seed is the same tree, on every machine, at any depth.
//!
//! # The model
//!
//! **Values.** All values are as the first side sees them. The root is worth 0, and a child c of n is worth
//!
//! ```text
//! v(c) = ρ · v(n) + step(c)          ρ = correlation / 100
//! ```
//!
//! where the steps are independent, uniform, and of such a size that no value leaves ±`range`. With a `correlation` of
//! 0 every leaf is independent of all else; with 100 a leaf is the sum of the steps on the way to it (the incremental
//! model), and what one sees at an inner node says much about what is below. In between, the correlation of parents and
//! children is about ρ. [`evaluate`](Game::evaluate) shows v at every node and the game ends with v at `depth`; both
//! are rounded to multiples of `grain`.
//!
//! **Ordering.** Children are numbered at random. In `ordering` % of the positions the move that looks best, by the v
//! of its child, is listed first; elsewhere the order is left to chance, which puts the best first once in `width`
//! times.
//!
//! **Width.** Each position has between `width - spread` and `width + spread` moves, all equally likely.
//!
//! **Transpositions.** The children of a position are paired, first and second, third and fourth (the last three form a
//! group when their number is odd). For each pair of its children, a position has it in common with its own partner
//! with a chance of `transpositions` %: both lead to the same two positions. Such a position takes after both parents,
//! its v starting from their mean. So of the moves made after the first ply, `transpositions` % lead to a position with
//! a second parent, and the number of different positions grows by a factor of only width · (1 - transpositions / 200)
//! a ply. A position with two parents is the same whichever way it was reached: its moves, its value and all below are
//! hashed from numbers that both parents agree on.

use std::fmt;
use std::str::FromStr;

use emtee::{Game, MoveOrdering, Moves, Outcome, Side, Tuning, mix};

use crate::error::{Error, quoted};
use crate::parameters::FRACTION;
pub use crate::parameters::Synthetic;

/// A place in the tree that children are hashed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Spot {
    id: u64,
    value: i32,
}

impl Synthetic {
    /// The first position, or what is wrong with the parameters.
    ///
    /// ```
    /// use emtee_games::synthetic::Synthetic;
    /// let error = Synthetic { width: 4, spread: 4, ..Synthetic::default() }.root().unwrap_err();
    /// assert_eq!(error.to_string(), "spread=4 is impossible: it must be less than width=4");
    /// ```
    pub fn root(self) -> Result<Position, Error> {
        self.check()?;
        let start = Spot { id: mix(self.seed.wrapping_add(0x5eed_0000)), value: 0 };
        Ok(Position { game: self, step: self.step(), depth: 0, own: start, group: start })
    }
}

/// A position of a [`Synthetic`] tree.
///
/// The root is written as the parameters, other positions with an `at=` that holds the numbers they are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    game: Synthetic,
    /// The largest step.
    step: i32,
    depth: u8,
    own: Spot,
    /// What this position and its partners share: the common children come from here.
    group: Spot,
}

/// A move: the number of a child, shown from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Branch(u16);

impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// Different purposes need independent numbers from one id.
#[derive(Clone, Copy)]
enum Purpose {
    Child,
    Group,
    Step,
    Width,
    Order,
    Share,
}

/// A number that follows from an id, different for every purpose and n.
fn derive(id: u64, purpose: Purpose, n: u16) -> u64 {
    mix(id ^ mix(((purpose as u64) << 16 | u64::from(n)) + 1))
}

/// Uniform in 0..n, from the high bits.
fn below(random: u64, n: u64) -> u64 {
    ((u128::from(random) * u128::from(n)) >> 64) as u64
}

impl Position {
    /// The parameters of the tree.
    pub fn game(&self) -> Synthetic {
        self.game
    }

    /// The number of plies from the root.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// The number of moves, unless the game is over. Partners have equally many, so that they can share all children.
    fn width(&self) -> u16 {
        let Synthetic { width, spread, .. } = self.game;
        let widths = 2 * u64::from(spread) + 1;
        width - spread + below(derive(self.group.id, Purpose::Width, 0), widths) as u16
    }

    /// How good the position is for the first side, rounded to the grain.
    fn points(&self) -> i32 {
        let grain = i64::from(self.game.grain) << FRACTION;
        let steps = (i64::from(self.own.value.unsigned_abs()) + grain / 2) / grain;
        let most = i64::from(self.game.range / self.game.grain);
        self.own.value.signum() * (steps.min(most) * i64::from(self.game.grain)) as i32
    }

    /// The n-th child of a spot.
    fn spot(&self, parent: Spot, n: u16) -> Spot {
        let id = derive(parent.id, Purpose::Child, n);
        let step = below(derive(id, Purpose::Step, 0), 2 * self.step as u64 + 1) as i64 - i64::from(self.step);
        let value = i64::from(parent.value) * i64::from(self.game.correlation) / 100 + step;
        let limit = i64::from(self.game.limit());
        Spot { id, value: value.clamp(-limit, limit) as i32 }
    }

    /// Whether the children of this group come from the position and its partners together.
    fn shares(&self, group: u16) -> bool {
        below(derive(self.group.id, Purpose::Share, group), 100) < u64::from(self.game.transpositions)
    }

    /// The group of a child, and whom its members come from.
    fn origin(&self, width: u16, child: u16) -> (u16, Spot) {
        // An odd one out joins the last pair.
        let group = (child / 2).min((width / 2).saturating_sub(1));
        (group, if self.shares(group) { self.group } else { self.own })
    }

    /// The child that looks best to the side to move, the first of several.
    fn best_looking(&self, width: u16) -> u16 {
        let sign = if self.turn() == Side::First { -1 } else { 1 };
        let looks = |&child: &u16| sign * i64::from(self.spot(self.origin(width, child).1, child).value);
        (0..width).min_by_key(looks).unwrap_or(0)
    }
}

impl Game for Position {
    type Move = Branch;

    const TUNING: Tuning = Tuning {
        // Moves are mere numbers, and a number that was good elsewhere means nothing here.
        ordering: MoveOrdering::HINTS,
        store_leaves: true,
        etc: None,
        ..Tuning::DEFAULT
    };

    fn turn(&self) -> Side {
        if self.depth.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn moves(&self, moves: &mut Moves<Branch>) {
        let width = self.width();
        let on_purpose = below(derive(self.own.id, Purpose::Order, 0), 100) < u64::from(self.game.ordering);
        let first = if on_purpose { self.best_looking(width) } else { 0 };
        moves.push(Branch(first));
        for child in (0..width).filter(|&child| child != first) {
            moves.push(Branch(child));
        }
    }

    fn play(&self, Branch(child): Branch) -> Position {
        let width = self.width();
        let (group, origin) = self.origin(width, child);
        let members = 2 * group..if group + 1 < width / 2 { 2 * group + 2 } else { width };
        let (count, sum) = members
            .map(|member| i64::from(self.spot(origin, member).value))
            .fold((0, 0), |(count, sum), value| (count + 1, sum + value));
        Position {
            depth: self.depth.saturating_add(1),
            own: self.spot(origin, child),
            group: Spot { id: derive(origin.id, Purpose::Group, group), value: (sum / count) as i32 },
            ..*self
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.depth >= self.game.depth).then(|| Outcome::Points(self.evaluate()))
    }

    fn evaluate(&self) -> i32 {
        if self.turn() == Side::First { self.points() } else { -self.points() }
    }

    fn key(&self) -> u64 {
        self.own.id
    }

    fn code(&self, Branch(child): Branch, _: usize) -> u16 {
        child
    }
}

/// The root of the default tree.
impl Default for Position {
    fn default() -> Position {
        match Synthetic::default().root() {
            Ok(root) => root,
            Err(error) => unreachable!("the default parameters are sound: {error}"),
        }
    }
}

impl FromStr for Position {
    type Err = Error;

    /// The parameters, and for a position below the root an `at=` as [`Display`](fmt::Display) writes it.
    fn from_str(text: &str) -> Result<Position, Error> {
        let (parameters, at) = match text.split_once("at=") {
            Some((parameters, at)) => (parameters, Some(at.trim())),
            None => (text, None),
        };
        let root = parameters.parse::<Synthetic>()?.root()?;
        at.map_or(Ok(root), |at| root.at(at))
    }
}

impl Position {
    /// The position of this tree that a text names.
    fn at(self, text: &str) -> Result<Position, Error> {
        let refused = || Error::new(format!("at: expected depth:id:value:id:value, found {}", quoted(text)));
        let words: Vec<&str> = text.split(':').collect();
        let [depth, own_id, own_value, group_id, group_value] = words[..] else { return Err(refused()) };
        let spot = |id, value: &str| {
            let id = u64::from_str_radix(id, 16).ok()?;
            let value: i32 = value.parse().ok()?;
            (value.unsigned_abs() <= self.game.limit().unsigned_abs()).then_some(Spot { id, value })
        };
        let depth = depth.parse().ok().filter(|depth| (1..=self.game.depth).contains(depth)).ok_or_else(refused)?;
        let own = spot(own_id, own_value).ok_or_else(refused)?;
        let group = spot(group_id, group_value).ok_or_else(refused)?;
        Ok(Position { depth, own, group, ..self })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.game)?;
        if self.depth > 0 {
            let Position { depth, own, group, .. } = self;
            write!(f, " at={depth}:{:x}:{}:{:x}:{}", own.id, own.value, group.id, group.value)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_game, perft, random_games, refusal};
    use emtee::legal_moves;
    use proptest::prelude::*;
    use std::collections::{HashMap, HashSet};

    fn root(text: &str) -> Position {
        text.parse().unwrap()
    }

    fn children(position: &Position) -> Vec<Position> {
        legal_moves(position).into_iter().map(|m| position.play(m)).collect()
    }

    #[test]
    fn laws_texts_and_keys() {
        for text in [
            "",
            "seed=7 width=5 spread=3 depth=30 transpositions=50",
            "width=1 depth=200 correlation=100",
            "width=2 transpositions=100 range=31000 grain=31000",
        ] {
            check_game(&root(text), PartialEq::eq);
        }
    }

    #[test]
    fn a_seed_is_a_tree() {
        assert_eq!(root("seed=3"), root("seed=3"));
        let leaves = |text| {
            let mut leaves = Vec::new();
            random_games(&root(text), 20, 1, |position| leaves.push(position.evaluate()));
            leaves
        };
        assert_eq!(leaves("seed=3"), leaves("seed=3"));
        assert_ne!(leaves("seed=3"), leaves("seed=4"));
        // So that nobody's figures change unnoticed.
        assert_eq!(leaves("seed=3 depth=4")[..5], [0, -100, 369, -185, 326]);
    }

    #[test]
    fn widths_are_as_asked() {
        assert_eq!(perft(&root("width=3 depth=6"), 6), 729);
        assert_eq!(perft(&root("width=3 depth=6"), 7), 0, "the game ends");
        let mut seen = HashMap::new();
        random_games(&root("width=4 spread=2 depth=50"), 100, 1, |position| {
            *seen.entry(legal_moves(position).len()).or_insert(0) += 1;
        });
        for width in 2..=6 {
            assert!((800..1200).contains(&seen[&width]), "{seen:?}");
        }
        assert_eq!(seen.len(), 6, "those and the ends of games");
    }

    #[test]
    fn transpositions_are_as_many_as_asked() {
        for (text, share) in
            [("width=6", 0), ("width=6", 30), ("width=7", 60), ("width=6 spread=2", 50), ("width=5", 100)]
        {
            let start = root(&format!("{text} transpositions={share} depth=20"));
            let mut level: HashSet<Position> = HashSet::from([start]);
            for depth in 1..=5 {
                let mut parents: HashMap<Position, usize> = HashMap::new();
                for child in level.iter().flat_map(children) {
                    *parents.entry(child).or_insert(0) += 1;
                }
                let edges: usize = parents.values().sum();
                let shared: usize = parents.values().filter(|&&parents| parents > 1).sum();
                let found = 100.0 * shared as f64 / edges as f64;
                let wanted = if depth == 1 { 0.0 } else { f64::from(share) };
                if depth == 1 || depth == 5 {
                    assert!((found - wanted).abs() < 4.0, "{text}: {found} % of depth {depth}, not {wanted} %");
                }
                let keys: HashSet<u64> = parents.keys().map(Position::key).collect();
                assert_eq!(keys.len(), parents.len(), "equal keys mean equal positions");
                level = parents.into_keys().collect();
            }
        }
    }

    /// Pearson's r of the values of parents and children far from the root.
    fn correlation(text: &str) -> f64 {
        let mut pairs = Vec::new();
        random_games(&root(text), 300, 1, |position| {
            if position.depth >= 15 && position.outcome().is_none() {
                let child = position.play(Branch(0));
                pairs.push((f64::from(position.points()), f64::from(child.points())));
            }
        });
        let n = pairs.len() as f64;
        let (mx, my) = (pairs.iter().map(|p| p.0).sum::<f64>() / n, pairs.iter().map(|p| p.1).sum::<f64>() / n);
        let covariance: f64 = pairs.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
        let (vx, vy) = pairs.iter().fold((0.0, 0.0), |(vx, vy), (x, y)| (vx + (x - mx).powi(2), vy + (y - my).powi(2)));
        covariance / (vx * vy).sqrt()
    }

    #[test]
    fn correlation_is_as_asked() {
        for (percent, low, high) in [(0, -0.05, 0.05), (50, 0.42, 0.58), (90, 0.84, 0.94), (100, 0.94, 1.0)] {
            let r = correlation(&format!("depth=30 range=31000 correlation={percent}"));
            assert!((low..=high).contains(&r), "{percent} %: {r}");
        }
        let r = correlation("depth=30 range=31000 correlation=90 transpositions=100");
        assert!((0.6..0.95).contains(&r), "children take after both parents: {r}");
    }

    #[test]
    fn the_best_looking_move_is_first_as_often_as_asked() {
        for (ordering, low, high) in [(0, 0.18, 0.32), (50, 0.56, 0.69), (100, 1.0, 1.0)] {
            let (mut first, mut all) = (0.0, 0.0);
            random_games(&root(&format!("depth=20 range=31000 ordering={ordering}")), 100, 1, |position| {
                // A child's evaluation is for its own side to move: the least is best for us.
                let looks: Vec<i32> = children(position).iter().map(Position::evaluate).collect();
                if let Some(best) = looks.iter().min() {
                    all += 1.0;
                    first += f64::from(u8::from(looks[0] == *best));
                }
            });
            assert!((low..=high).contains(&(first / all)), "{ordering} %: {}", first / all);
        }
    }

    #[test]
    fn values_keep_to_range_and_grain() {
        for text in ["range=50 grain=20 depth=3", "range=31000 grain=1 correlation=100", "range=7 grain=7"] {
            let Synthetic { range, grain, .. } = root(text).game;
            let mut seen = HashSet::new();
            random_games(&root(text), 500, 1, |position| {
                let points = position.points();
                assert!(points.abs() <= i32::from(range) && points % i32::from(grain) == 0, "{points}");
                seen.insert(points);
            });
            assert!(seen.len() > 1, "{text}");
        }
    }

    #[test]
    fn refusals() {
        assert_eq!(refusal::<Position>("width=0"), "width=0 is impossible: it must be between 1 and 1000");
        for at in
            ["", "1", "0:1:1:1:1", "9:1:1:1:1", "1:x:1:1:1", "1:1:999999999:1:1", "1:1:1:1:1:1", "1:1:1:1:-2147483648"]
        {
            let reason = format!("at: expected depth:id:value:id:value, found '{at}'");
            assert_eq!(refusal::<Position>(&format!("depth=8 at={at}")), reason);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "((seed|width|depth|at|range)=[0-9a-f:-]{0,12}[ ,]?){0,4}|\\PC{0,30}") {
            if let Ok(position) = text.parse::<Position>() {
                prop_assert_eq!(position.to_string().parse(), Ok(position));
                if position.outcome().is_none() {
                    prop_assert!(!legal_moves(&position).is_empty());
                    children(&position).iter().for_each(|child| { child.evaluate(); });
                }
            }
        }
    }
}
