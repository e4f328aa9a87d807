//! Synthetic trees: generated games of any size, with adjustable properties of real games.
//!
//! The tree is not stored. A position has a number, its children's numbers are hashes of it, and everything else is derived
//! from these numbers. The same seed gives the same tree, on every machine, at any depth.
//!
//! # The model
//!
//! **Values.** All values are from the first side's view. The root has the value 0, and a child c of n has the value
//!
//! ```text
//! v(c) = ρ · v(n) + step(c)          ρ = correlation / 100
//! ```
//!
//! where the steps are independent and uniform, and small enough that no value leaves ±`range`. With `correlation=0` every
//! leaf is independent of all others. With `correlation=100` the value of a leaf is the sum of the steps on its path (the
//! incremental model), so the value of an inner node predicts the values below it. In between, the correlation of parents
//! and children is about ρ. [`evaluate`](Game::evaluate) returns v at every node, and the game ends with v at `depth`. Both
//! are rounded to multiples of `grain`.
//!
//! **Ordering.** Children are numbered at random. In `ordering` % of the positions the best-looking move, by the v of its
//! child, is listed first. In the others the order is random: the best-looking move is first with probability 1 / `width`.
//!
//! **Width.** The number of moves of a position is uniform between `width - spread` and `width + spread`.
//!
//! **Transpositions.** The children of a position are grouped into pairs: first and second, third and fourth, and so on. If
//! their number is odd, the last three form one group. The positions of a group are partners. With probability
//! `transpositions` %, partners share the children of a pair: both have moves to the same two positions. The v of a shared
//! child starts from the mean of its parents. So after the first ply, `transpositions` % of the moves lead to a position
//! with a second parent, and the number of different positions grows by a factor of only
//! width · (1 - transpositions / 200) per ply. A shared position does not depend on the path to it: its moves, its value
//! and everything below are hashed from numbers that both parents share.

use std::fmt;
use std::str::FromStr;

use emtee::{Game, MoveOrdering, Moves, Outcome, Side, Tuning, mix};

use crate::error::{Error, ErrorKind, quoted};
use crate::parameters::FRACTION;
pub use crate::parameters::Synthetic;

/// An origin from which children are hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Origin {
    id: u64,
    value: i32,
}

impl Synthetic {
    /// The root of the tree. An error if the parameters are out of range.
    ///
    /// ```
    /// use emtee_games::synthetic::Synthetic;
    /// let error = Synthetic { width: 4, spread: 4, ..Synthetic::default() }.root().unwrap_err();
    /// assert_eq!(error.to_string(), "spread=4 is impossible: it must be less than width=4");
    /// ```
    pub fn root(self) -> Result<Position, Error> {
        self.check()?;
        let start = Origin { id: mix(self.seed.wrapping_add(0x5eed_0000)), value: 0 };
        Ok(Position { game: self, step: self.step(), depth: 0, own: start, group: start })
    }
}

/// A position of a [`Synthetic`] tree.
///
/// The text of the root is its parameters. Other positions add `at=` with their own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    game: Synthetic,
    /// The largest step of a value.
    step: i32,
    depth: u8,
    own: Origin,
    /// The origin that this position shares with its partners. Their common children are hashed from it.
    group: Origin,
}

/// A move: the number of a child, displayed from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Branch(u16);

impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// What a derived number is for. Different purposes get independent numbers from one id.
#[derive(Clone, Copy)]
enum Purpose {
    Child,
    Group,
    Step,
    Width,
    Order,
    Share,
}

/// The pseudo-random number of an id for a purpose and a number n.
fn derive(id: u64, purpose: Purpose, n: u16) -> u64 {
    mix(id ^ mix(((purpose as u64) << 16 | u64::from(n)) + 1))
}

/// A uniform number in 0..n, from the high bits of `random`.
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

    /// The number of moves, unless the game is over. Partners have the same number, so that they can share all children.
    fn width(&self) -> u16 {
        let Synthetic { width, spread, .. } = self.game;
        let widths = 2 * u64::from(spread) + 1;
        width - spread + below(derive(self.group.id, Purpose::Width, 0), widths) as u16
    }

    /// The value for the first side, rounded to the grain.
    fn points(&self) -> i32 {
        let grain = i64::from(self.game.grain) << FRACTION;
        let steps = (i64::from(self.own.value.unsigned_abs()) + grain / 2) / grain;
        let most = i64::from(self.game.range / self.game.grain);
        self.own.value.signum() * (steps.min(most) * i64::from(self.game.grain)) as i32
    }

    /// The n-th child of an origin.
    fn child(&self, parent: Origin, n: u16) -> Origin {
        let id = derive(parent.id, Purpose::Child, n);
        let step = below(derive(id, Purpose::Step, 0), 2 * self.step as u64 + 1) as i64 - i64::from(self.step);
        let value = i64::from(parent.value) * i64::from(self.game.correlation) / 100 + step;
        let limit = i64::from(self.game.limit());
        Origin { id, value: value.clamp(-limit, limit) as i32 }
    }

    /// Whether the position shares this group of children with its partners.
    fn shares(&self, group: u16) -> bool {
        below(derive(self.group.id, Purpose::Share, group), 100) < u64::from(self.game.transpositions)
    }

    /// The group of a child, and the origin of the group's members.
    fn origin(&self, width: u16, child: u16) -> (u16, Origin) {
        // With an odd number the last child joins the last pair.
        let group = (child / 2).min((width / 2).saturating_sub(1));
        (group, if self.shares(group) { self.group } else { self.own })
    }

    /// The child with the best v for the side to move; the first of equals.
    fn best_looking(&self, width: u16) -> u16 {
        let sign = if self.turn() == Side::First { -1 } else { 1 };
        let rank = |&child: &u16| sign * i64::from(self.child(self.origin(width, child).1, child).value);
        (0..width).min_by_key(rank).unwrap_or(0)
    }
}

impl Game for Position {
    type Move = Branch;

    const TUNING: Tuning = Tuning {
        // Killers and history have no meaning: the same move number in another position is an unrelated move.
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
            .map(|member| i64::from(self.child(origin, member).value))
            .fold((0, 0), |(count, sum), value| (count + 1, sum + value));
        Position {
            depth: self.depth.saturating_add(1),
            own: self.child(origin, child),
            group: Origin { id: derive(origin.id, Purpose::Group, group), value: (sum / count) as i32 },
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
            Err(error) => unreachable!("the default parameters are valid: {error}"),
        }
    }
}

impl FromStr for Position {
    type Err = Error;

    /// Reads the parameters and, for a position below the root, `at=` as [`Display`](fmt::Display) writes it.
    fn from_str(text: &str) -> Result<Position, Error> {
        let (parameters, numbers) = match text.split_once("at=") {
            Some((parameters, numbers)) => (parameters, Some(numbers.trim())),
            None => (text, None),
        };
        let root = parameters.parse::<Synthetic>()?.root()?;
        numbers.map_or(Ok(root), |numbers| root.descendant(numbers))
    }
}

impl Position {
    /// Reads the numbers of a position below this root.
    fn descendant(self, text: &str) -> Result<Position, Error> {
        let refused = || {
            let message = format!("at: expected depth:id:value:id:value, found {}", quoted(text));
            Error::new(ErrorKind::Syntax, message)
        };
        let words: Vec<&str> = text.split(':').collect();
        let [depth, own_id, own_value, group_id, group_value] = words[..] else { return Err(refused()) };
        let origin = |id, value: &str| {
            let id = u64::from_str_radix(id, 16).ok()?;
            let value: i32 = value.parse().ok()?;
            (value.unsigned_abs() <= self.game.limit().unsigned_abs()).then_some(Origin { id, value })
        };
        let depth = depth.parse().ok().filter(|depth| (1..=self.game.depth).contains(depth)).ok_or_else(refused)?;
        let own = origin(own_id, own_value).ok_or_else(refused)?;
        let group = origin(group_id, group_value).ok_or_else(refused)?;
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
    fn the_seed_determines_the_tree() {
        assert_eq!(root("seed=3"), root("seed=3"));
        let leaves = |text| {
            let mut leaves = Vec::new();
            random_games(&root(text), 20, 1, |position| leaves.push(position.evaluate()));
            leaves
        };
        assert_eq!(leaves("seed=3"), leaves("seed=3"));
        assert_ne!(leaves("seed=3"), leaves("seed=4"));
        // Published figures depend on these values.
        assert_eq!(leaves("seed=3 depth=4")[..5], [0, -100, 369, -185, 326]);
    }

    #[test]
    fn widths_match_the_parameters() {
        assert_eq!(perft(&root("width=3 depth=6"), 6), 729);
        assert_eq!(perft(&root("width=3 depth=6"), 7), 0, "the game ends");
        let mut seen = HashMap::new();
        random_games(&root("width=4 spread=2 depth=50"), 100, 1, |position| {
            *seen.entry(legal_moves(position).len()).or_insert(0) += 1;
        });
        for width in 2..=6 {
            assert!((800..1200).contains(&seen[&width]), "{seen:?}");
        }
        assert_eq!(seen.len(), 6, "the widths 2 to 6, and 0 at the end");
    }

    #[test]
    fn transpositions_match_the_parameter() {
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
                let expected = if depth == 1 { 0.0 } else { f64::from(share) };
                if depth == 1 || depth == 5 {
                    assert!((found - expected).abs() < 4.0, "{text}: {found} % at depth {depth}, not {expected} %");
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
    fn correlation_matches_the_parameter() {
        for (percent, low, high) in [(0, -0.05, 0.05), (50, 0.42, 0.58), (90, 0.84, 0.94), (100, 0.94, 1.0)] {
            let r = correlation(&format!("depth=30 range=31000 correlation={percent}"));
            assert!((low..=high).contains(&r), "{percent} %: {r}");
        }
        let r = correlation("depth=30 range=31000 correlation=90 transpositions=100");
        assert!((0.6..0.95).contains(&r), "children start from the mean of both parents: {r}");
    }

    #[test]
    fn ordering_matches_the_parameter() {
        for (ordering, low, high) in [(0, 0.18, 0.32), (50, 0.56, 0.69), (100, 1.0, 1.0)] {
            let (mut first, mut all) = (0.0, 0.0);
            random_games(&root(&format!("depth=20 range=31000 ordering={ordering}")), 100, 1, |position| {
                // A child's evaluation is for its own side to move: the lowest is best.
                let values: Vec<i32> = children(position).iter().map(Position::evaluate).collect();
                if let Some(best) = values.iter().min() {
                    all += 1.0;
                    first += f64::from(u8::from(values[0] == *best));
                }
            });
            assert!((low..=high).contains(&(first / all)), "{ordering} %: {}", first / all);
        }
    }

    #[test]
    fn values_respect_range_and_grain() {
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
