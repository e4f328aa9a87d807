//! The switches of selective search.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::error::Error;

/// The techniques of selective search, each with a switch.
///
/// [`Tuning::selective`](crate::Tuning::selective) has the switches that pay in a game;
/// [`Builder::selective`](crate::Builder::selective) turns them on. Switches are parsed and displayed by name:
///
/// ```
/// use emtee::Selective;
/// let all: Selective = "all".parse()?;
/// assert!(all.null_move && all.late_move_reductions);
/// let most: Selective = "all,-null-move".parse()?;
/// assert_eq!(most, Selective { null_move: false, ..Selective::ALL });
/// let two: Selective = "null-move,late-move-reductions".parse()?;
/// assert_eq!(two.to_string(), "null-move,late-move-reductions");
/// assert_eq!("none".parse(), Ok(Selective::NONE));
/// # Ok::<(), emtee::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Selective {
    /// Null-move pruning: if a reduced search after passing ([`Game::null_move`](crate::Game::null_move)) fails high, the
    /// node is cut off.
    pub null_move: bool,
    /// Reverse futility pruning: near the horizon, a node whose static evaluation exceeds γ by a margin is cut off.
    #[doc(alias("reverse futility pruning", "static null-move pruning", "RFP"))]
    pub reverse_futility: bool,
    /// Futility pruning: near the horizon, quiet moves are pruned if the static evaluation is below γ by a margin.
    #[doc(alias = "futility pruning")]
    pub futility: bool,
    /// Late-move reductions: moves late in the ordering are searched less deeply, and re-searched if they fail high.
    #[doc(alias("late move reductions", "LMR"))]
    pub late_move_reductions: bool,
    /// Late-move pruning: near the horizon, quiet moves late in the ordering are pruned.
    #[doc(alias("late move pruning", "LMP"))]
    pub late_move_pruning: bool,
    /// SEE pruning: near the horizon, captures that lose material by static exchange evaluation are pruned.
    #[doc(alias("SEE", "static exchange evaluation"))]
    pub see_pruning: bool,
    /// Forced extensions: positions without a free choice ([`Game::forced`](crate::Game::forced)), as in check, are searched
    /// one ply deeper.
    #[doc(alias = "check extension")]
    pub forced_extensions: bool,
    /// Singular extensions: a move that is better than all others by a margin is searched one ply deeper.
    #[doc(alias = "singular extension")]
    pub singular_extensions: bool,
    /// Internal iterative reduction: nodes without a table move are searched one ply less deeply.
    #[doc(alias("internal iterative reduction", "IIR"))]
    pub internal_iterative_reduction: bool,
    /// Delta pruning: below the horizon, captures that cannot reach γ are pruned.
    #[doc(alias = "delta pruning")]
    pub delta_pruning: bool,
    /// ProbCut: if a shallower search predicts ([`Game::probcut`](crate::Game::probcut)) on which side of γ the value lies,
    /// the node is cut off.
    pub probcut: bool,
    /// ProbCut: the least distance of a prediction from γ, in hundredths of a standard deviation.
    pub probcut_threshold: i32,
    /// The unit of all margins: the value of the least piece, in points of the evaluation.
    pub margin_unit: i32,
}

/// A switch: its name, its deprecated name of earlier versions, which is still parsed, and its field.
type Switch = (&'static str, Option<&'static str>, fn(&mut Selective) -> &mut bool);

const SWITCHES: [Switch; 11] = [
    ("null-move", None, |s| &mut s.null_move),
    ("reverse-futility", None, |s| &mut s.reverse_futility),
    ("futility", None, |s| &mut s.futility),
    ("late-move-reductions", Some("reductions"), |s| &mut s.late_move_reductions),
    ("late-move-pruning", Some("late-moves"), |s| &mut s.late_move_pruning),
    ("see-pruning", Some("exchanges"), |s| &mut s.see_pruning),
    ("forced-extensions", Some("extensions"), |s| &mut s.forced_extensions),
    ("singular-extensions", Some("singular"), |s| &mut s.singular_extensions),
    ("internal-iterative-reduction", Some("internal-reduction"), |s| &mut s.internal_iterative_reduction),
    ("delta-pruning", Some("delta"), |s| &mut s.delta_pruning),
    ("probcut", None, |s| &mut s.probcut),
];

fn renamed(name: &str) -> Option<&'static str> {
    SWITCHES.iter().find(|(_, old, _)| *old == Some(name)).map(|(new, ..)| *new)
}

impl Selective {
    /// No switch: the search is the exact one, node for node.
    pub const NONE: Selective = Selective::with_all(false);

    /// Every switch.
    pub const ALL: Selective = Selective::with_all(true);

    const fn with_all(on: bool) -> Selective {
        Selective {
            null_move: on,
            reverse_futility: on,
            futility: on,
            late_move_reductions: on,
            late_move_pruning: on,
            see_pruning: on,
            forced_extensions: on,
            singular_extensions: on,
            internal_iterative_reduction: on,
            delta_pruning: on,
            probcut: on,
            probcut_threshold: 150,
            margin_unit: 100,
        }
    }

    /// The names of the switches.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SWITCHES.iter().map(|(name, ..)| *name)
    }

    /// The deprecated names in a text to be parsed, each with its new name.
    pub fn deprecated(text: &str) -> impl Iterator<Item = (&str, &'static str)> {
        let names = text.split(',').map(|word| word.trim().trim_start_matches('-'));
        names.filter_map(|name| Some((name, renamed(name)?)))
    }

    /// Whether any switch is on.
    pub fn is_on(mut self) -> bool {
        SWITCHES.iter().any(|(.., switch)| *switch(&mut self))
    }
}

/// No switch.
impl Default for Selective {
    fn default() -> Selective {
        Selective::NONE
    }
}

impl fmt::Display for Selective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut by = *self;
        let on: Vec<&str> = SWITCHES.iter().filter(|(.., switch)| *switch(&mut by)).map(|(name, ..)| *name).collect();
        match on.len() {
            0 => f.pad("none"),
            all if all == SWITCHES.len() => f.pad("all"),
            _ => f.pad(&on.join(",")),
        }
    }
}

impl FromStr for Selective {
    type Err = Error;

    fn from_str(text: &str) -> Result<Selective, Error> {
        let mut by = Selective::NONE;
        for word in text.split(',').map(str::trim) {
            let (name, on) = word.strip_prefix('-').map_or((word, true), |name| (name, false));
            let name = renamed(name).unwrap_or(name);
            match SWITCHES.iter().find(|(known, ..)| *known == name) {
                Some((.., switch)) => *switch(&mut by) = on,
                None if name == "all" && on => by = Selective::ALL,
                None if name == "none" && on => by = Selective::NONE,
                None => {
                    let choices = "all, none, null-move, reverse-futility, futility, late-move-reductions, late-move-pruning, \
                                   see-pruning, forced-extensions, singular-extensions, internal-iterative-reduction, \
                                   delta-pruning or probcut, separated by commas, with a minus before each switch to turn off";
                    return Err(Error::BadChoice {
                        what: "switch of selective search",
                        text: word.to_string(),
                        choices,
                    });
                }
            }
        }
        Ok(by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn switches_are_written_and_read_back() {
        for (name, _, switch) in SWITCHES {
            let mut one = Selective::NONE;
            *switch(&mut one) = true;
            assert!(one.is_on());
            assert_eq!(one.to_string(), name);
            assert_eq!(name.parse(), Ok(one));
            let mut others = Selective::ALL;
            *switch(&mut others) = false;
            assert_eq!(others.to_string().parse(), Ok(others));
            assert_eq!(format!("all,-{name}").parse(), Ok(others));
        }
        assert!(!Selective::NONE.is_on());
        assert_eq!(Selective::ALL.to_string(), "all");
    }

    #[test]
    fn deprecated_names_are_read() {
        let old = "all,-exchanges, delta";
        assert_eq!(old.parse::<Selective>(), "all,-see-pruning".parse());
        let names: Vec<_> = Selective::deprecated(old).collect();
        assert_eq!(names, [("exchanges", "see-pruning"), ("delta", "delta-pruning")]);
        assert!(Selective::names().all(|name| renamed(name).is_none()));
    }

    #[test]
    fn the_error_lists_every_switch() {
        let error = "all,-nul-move".parse::<Selective>().unwrap_err().to_string();
        assert!(error.starts_with("'-nul-move' is not a switch of selective search; choose "), "{error}");
        for name in Selective::names() {
            assert!(error.contains(name), "{name} is not in: {error}");
        }
    }
}
