//! The parameters of a synthetic tree, and their notation.

use std::fmt;
use std::str::FromStr;

use emtee::Value;

use crate::error::{Error, ErrorKind, quoted};

/// The parameters of a synthetic tree. The [module](crate::synthetic) describes the model.
///
/// ```
/// use emtee::{Budget, Game, player};
/// use emtee_games::synthetic::{Position, Synthetic};
///
/// let root = Synthetic { width: 8, depth: 40, transpositions: 20, ..Synthetic::default() }.root()?;
/// let mut ai = player(Position::evaluate).build()?;
/// assert!(ai.think(&root, Budget::depth(5))?.best_move.is_some());
///
/// let same: Position = "width=8 depth=40 transpositions=20".parse()?;
/// assert_eq!(root, same);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Synthetic {
    /// The seed: another seed gives another tree.
    pub seed: u64,
    /// The average number of moves.
    pub width: u16,
    /// The largest difference between the number of moves and its average.
    pub spread: u16,
    /// The number of plies after which the game ends.
    pub depth: u8,
    /// The correlation of the values of parents and children, in percent.
    pub correlation: u8,
    /// The share of positions that list the best-looking move first on purpose, in percent.
    pub ordering: u8,
    /// The share of moves after the first ply that lead to a position with two parents, in percent.
    pub transpositions: u8,
    /// The largest absolute value.
    pub range: u16,
    /// Values are multiples of this.
    pub grain: u16,
}

/// A tree of width 4 and depth 8 without transpositions, with move ordering as good as in real games.
impl Default for Synthetic {
    fn default() -> Synthetic {
        Synthetic {
            seed: 1,
            width: 4,
            spread: 0,
            depth: 8,
            correlation: 90,
            ordering: 75,
            transpositions: 0,
            range: 1000,
            grain: 1,
        }
    }
}

impl Synthetic {
    /// Refuses parameters outside their ranges.
    pub(crate) fn check(self) -> Result<(), Error> {
        let between = |name: &str, value: u16, low: u16, high: u16| match value {
            _ if (low..=high).contains(&value) => Ok(()),
            _ => {
                let message = format!("{name}={value} is impossible: it must be between {low} and {high}");
                Err(Error::new(ErrorKind::Number, message))
            }
        };
        between("width", self.width, 1, 1000)?;
        if self.spread >= self.width {
            let Synthetic { width, spread, .. } = self;
            let message = format!("spread={spread} is impossible: it must be less than width={width}");
            return Err(Error::new(ErrorKind::Number, message));
        }
        between("depth", self.depth.into(), 1, 200)?;
        between("correlation", self.correlation.into(), 0, 100)?;
        between("ordering", self.ordering.into(), 0, 100)?;
        between("transpositions", self.transpositions.into(), 0, 100)?;
        between("range", self.range, 1, Value::MAX_SCORE as u16)?;
        between("grain", self.grain, 1, self.range)
    }

    /// The largest step. If all steps have this size and the same sign, they sum to `range`: step = range / (1 + ρ + ρ² + …).
    pub(crate) fn step(self) -> i32 {
        const ONE: i64 = 1 << 20;
        let weight = |n: &i64| Some(n * i64::from(self.correlation) / 100);
        let sum: i64 = std::iter::successors(Some(ONE), weight).take(self.depth.into()).sum();
        (i64::from(self.limit()) * ONE / sum) as i32
    }

    /// `range` in fixed point.
    pub(crate) fn limit(self) -> i32 {
        i32::from(self.range) << FRACTION
    }
}

/// Values are fixed-point numbers with this many fractional bits, so that small steps are not rounded away.
pub(crate) const FRACTION: u32 = 16;

/// The settings in a text, as pairs of name and value.
fn settings(text: &str) -> impl Iterator<Item = Result<(&str, &str), Error>> {
    text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty()).map(|word| {
        word.split_once('=').ok_or_else(|| {
            Error::new(ErrorKind::Syntax, format!("expected a setting like width=4, found {}", quoted(word)))
        })
    })
}

fn number<N: FromStr>(name: &str, text: &str) -> Result<N, Error> {
    text.parse()
        .map_err(|_| Error::new(ErrorKind::Number, format!("{name}: expected a number, found {}", quoted(text))))
}

impl Synthetic {
    fn set(&mut self, name: &str, text: &str) -> Result<(), Error> {
        match name {
            "seed" => self.seed = number(name, text)?,
            "width" => self.width = number(name, text)?,
            "spread" => self.spread = number(name, text)?,
            "depth" => self.depth = number(name, text)?,
            "correlation" => self.correlation = number(name, text)?,
            "ordering" => self.ordering = number(name, text)?,
            "transpositions" => self.transpositions = number(name, text)?,
            "range" => self.range = number(name, text)?,
            "grain" => self.grain = number(name, text)?,
            _ => {
                let names = "seed, width, spread, depth, correlation, ordering, transpositions, range or grain";
                let message = format!("there is no setting {}; choose {names}", quoted(name));
                return Err(Error::new(ErrorKind::UnknownName, message));
            }
        }
        Ok(())
    }
}

impl FromStr for Synthetic {
    type Err = Error;

    /// Reads settings like `seed=1 width=4 depth=8`, in any order. Settings left out have their default.
    fn from_str(text: &str) -> Result<Synthetic, Error> {
        let mut game = Synthetic::default();
        let mut named = Vec::new();
        for setting in settings(text) {
            let (name, value) = setting?;
            game.set(name, value)?;
            if named.contains(&name) {
                return Err(Error::new(ErrorKind::Duplicate, format!("{name} is set twice")));
            }
            named.push(name);
        }
        game.check()?;
        Ok(game)
    }
}

impl fmt::Display for Synthetic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Synthetic { seed, width, spread, depth, correlation, ordering, transpositions, range, grain } = self;
        write!(f, "seed={seed} width={width} spread={spread} depth={depth} correlation={correlation} ")?;
        write!(f, "ordering={ordering} transpositions={transpositions} range={range} grain={grain}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::refusal;

    #[test]
    fn parameters_are_written_and_read() {
        let all = "seed=1 width=4 spread=0 depth=8 correlation=90 ordering=75 transpositions=0 range=1000 grain=1";
        assert_eq!(Synthetic::default().to_string(), all);
        assert_eq!(all.parse(), Ok(Synthetic::default()));
        assert_eq!("".parse(), Ok(Synthetic::default()));
        assert_eq!("depth=9,\n width=3".parse(), Ok(Synthetic { width: 3, depth: 9, ..Synthetic::default() }));
    }

    #[test]
    fn refusals() {
        for (text, reason) in [
            ("width", "expected a setting like width=4, found 'width'"),
            ("width=x", "width: expected a number, found 'x'"),
            ("depth=256", "depth: expected a number, found '256'"),
            (
                "breadth=3",
                "there is no setting 'breadth'; choose seed, width, spread, depth, correlation, ordering, \
                 transpositions, range or grain",
            ),
            ("width=3 width=3", "width is set twice"),
            ("width=0", "width=0 is impossible: it must be between 1 and 1000"),
            ("width=3 spread=3", "spread=3 is impossible: it must be less than width=3"),
            ("depth=0", "depth=0 is impossible: it must be between 1 and 200"),
            ("correlation=101", "correlation=101 is impossible: it must be between 0 and 100"),
            ("ordering=101", "ordering=101 is impossible: it must be between 0 and 100"),
            ("transpositions=200", "transpositions=200 is impossible: it must be between 0 and 100"),
            ("range=31001", "range=31001 is impossible: it must be between 1 and 31000"),
            ("grain=1001", "grain=1001 is impossible: it must be between 1 and 1000"),
        ] {
            assert_eq!(refusal::<Synthetic>(text), reason, "{text}");
        }
    }
}
