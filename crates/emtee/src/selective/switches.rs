//! The switches of selective search.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::error::Error;

/// What a search in play leaves out, each by a switch of its own.
///
/// A game says in [`Tuning::selective`](crate::Tuning::selective) what pays in it; [`Builder::selective`](crate::Builder::selective) turns it on.
/// Switches can be read and written:
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
pub struct Selective {
    /// If passing ([`Game::null_move`](crate::Game::null_move)) is good enough, some move will be: tested by a shallower search.
    pub null_move: bool,
    /// Near the horizon, a position that is better than γ by a margin is taken to fail high.
    pub reverse_futility: bool,
    /// Near the horizon, moves that win nothing are left out where the position is worse than γ by a margin.
    pub futility: bool,
    /// Moves far down the list are searched less deeply, and again if they turn out well.
    pub late_move_reductions: bool,
    /// Near the horizon, moves far down the list are left out.
    pub late_move_pruning: bool,
    /// Near the horizon, moves that lose material by exchange are left out.
    pub see_pruning: bool,
    /// Positions that leave no choice ([`Game::forced`](crate::Game::forced)) are searched one ply deeper.
    pub forced_extensions: bool,
    /// A move that is better than all others by a margin is searched one ply deeper.
    pub singular_extensions: bool,
    /// Positions for which the table has no move are searched one ply less deeply.
    pub internal_iterative_reduction: bool,
    /// Below the horizon, captures that cannot reach γ are left out.
    pub delta_pruning: bool,
    /// Where a shallower search predicts ([`Game::probcut`](crate::Game::probcut)) on which side of γ the value lies, it
    /// is believed.
    pub probcut: bool,
    /// How many hundredths of a standard deviation a prediction has to be clear of γ.
    pub probcut_threshold: i32,
    /// How many points of the evaluation the least piece is worth: the unit of all margins.
    pub margin_unit: i32,
}

/// A switch: its name, and where it is.
type Switch = (&'static str, fn(&mut Selective) -> &mut bool);

const SWITCHES: [Switch; 11] = [
    ("null-move", |s| &mut s.null_move),
    ("reverse-futility", |s| &mut s.reverse_futility),
    ("futility", |s| &mut s.futility),
    ("late-move-reductions", |s| &mut s.late_move_reductions),
    ("late-move-pruning", |s| &mut s.late_move_pruning),
    ("see-pruning", |s| &mut s.see_pruning),
    ("forced-extensions", |s| &mut s.forced_extensions),
    ("singular-extensions", |s| &mut s.singular_extensions),
    ("internal-iterative-reduction", |s| &mut s.internal_iterative_reduction),
    ("delta-pruning", |s| &mut s.delta_pruning),
    ("probcut", |s| &mut s.probcut),
];

/// Names of earlier versions, which are still read.
const RENAMED: [(&str, &str); 7] = [
    ("reductions", "late-move-reductions"),
    ("late-moves", "late-move-pruning"),
    ("exchanges", "see-pruning"),
    ("extensions", "forced-extensions"),
    ("singular", "singular-extensions"),
    ("internal-reduction", "internal-iterative-reduction"),
    ("delta", "delta-pruning"),
];

fn renamed(name: &str) -> Option<&'static str> {
    RENAMED.iter().find(|(old, _)| *old == name).map(|(_, new)| *new)
}

impl Selective {
    /// Nothing is left out: the search is the exact one, node for node.
    pub const NONE: Selective = Selective::with_all(false);

    /// Everything.
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
        SWITCHES.iter().map(|(name, _)| *name)
    }

    /// The deprecated names in a text that is to be parsed, each with the name that has taken its place.
    pub fn deprecated(text: &str) -> impl Iterator<Item = (&str, &'static str)> {
        let names = text.split(',').map(|word| word.trim().trim_start_matches('-'));
        names.filter_map(|name| Some((name, renamed(name)?)))
    }

    /// Whether any switch is on.
    pub fn is_on(mut self) -> bool {
        SWITCHES.iter().any(|(_, switch)| *switch(&mut self))
    }
}

/// Nothing is left out.
impl Default for Selective {
    fn default() -> Selective {
        Selective::NONE
    }
}

impl fmt::Display for Selective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut by = *self;
        let on: Vec<&str> = SWITCHES.iter().filter(|(_, switch)| *switch(&mut by)).map(|(name, _)| *name).collect();
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
            match SWITCHES.iter().find(|(known, _)| *known == name) {
                Some((_, switch)) => *switch(&mut by) = on,
                None if name == "all" && on => by = Selective::ALL,
                None if name == "none" && on => by = Selective::NONE,
                None => {
                    let choices = "all, none, null-move, reverse-futility, futility, late-move-reductions, late-move-pruning, \
                                   see-pruning, forced-extensions, singular-extensions, internal-iterative-reduction, \
                                   delta-pruning or probcut, separated by commas, with a minus before what is not wanted";
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
        for (name, switch) in SWITCHES {
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
