//! The three kinds of Aspiration NegaScout that other algorithms are compared with.

use std::fmt;
use std::str::FromStr;

use emtee::research::{Guess, Widen};
use emtee::{Algorithm, Error};

/// A kind of Aspiration NegaScout. Window and rule of each kind are those that took the fewest nodes of its own on the
/// positions of `tune`.
///
/// ```
/// use emtee_engine::{Baseline, Registry};
///
/// assert_eq!(Baseline::of_algorithm("aspiration-negascout:practice")?, Some(Baseline::Practice));
/// assert_eq!(Baseline::of_algorithm("mtd-f")?, None);
/// let registry = Registry::standard();
/// let chess = registry.get("chess")?;
/// assert_eq!(chess.baseline(Baseline::Tuned).algorithm.to_string(), "aspiration-negascout:16:double");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Baseline {
    /// The paper's kind: after a failure the window opens fully on that side. The paper gives neither window nor rule.
    Opened,
    /// The strongest kind: any rule without an average, with two known bounds.
    #[default]
    Tuned,
    /// Current practice in chess programs: the window grows by a third after each failure, after a fail low β moves to the
    /// middle, and the centre is the average of past values.
    Practice,
}

impl Baseline {
    /// All kinds, the paper's first.
    pub const ALL: [Baseline; 3] = [Baseline::Opened, Baseline::Tuned, Baseline::Practice];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Baseline::Opened => "opened",
            Baseline::Tuned => "tuned",
            Baseline::Practice => "practice",
        }
    }

    /// The name as an algorithm: `aspiration-negascout:opened`.
    pub fn algorithm_name(self) -> String {
        format!("{}:{self}", Algorithm::BASELINE)
    }

    /// What it is, in a few words.
    pub const fn title(self) -> &'static str {
        match self {
            Baseline::Opened => "the paper's kind",
            Baseline::Tuned => "the tuned baseline",
            Baseline::Practice => "current practice",
        }
    }

    /// The kind that an algorithm's name selects, as in `aspiration-negascout:opened`. `None`: the name has no kind. An error
    /// if another algorithm is given a kind.
    pub fn of_algorithm(text: &str) -> Result<Option<Baseline>, Error> {
        let Some((algorithm, kind)) = text.trim().split_once(':') else { return Ok(None) };
        let Ok(kind) = kind.trim().parse() else { return Ok(None) };
        match algorithm.parse::<Algorithm>()? {
            Algorithm::AspirationNegaScout { .. } => Ok(Some(kind)),
            _ => Err(Error::BadChoice {
                what: "step",
                text: text.to_owned(),
                choices: "a number; only aspiration-negascout has kinds",
            }),
        }
    }
}

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Baseline {
    type Err = Error;

    fn from_str(text: &str) -> Result<Baseline, Error> {
        let name = text.trim().to_ascii_lowercase();
        let choices = "opened, tuned or practice";
        let unknown = || Error::BadChoice { what: "baseline", text: text.to_owned(), choices };
        Baseline::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(unknown)
    }
}

/// The settings of a baseline in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BaselineSettings {
    /// Aspiration NegaScout with its window and rule.
    pub algorithm: Algorithm,
    /// The centre of its window.
    pub guess: Guess,
}

/// The windows of the baselines of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Windows {
    /// That of the paper's kind.
    pub(crate) opened: i32,
    /// That of the tuned baseline, and its rule.
    pub(crate) tuned: (i32, Widen),
    /// That of current practice.
    pub(crate) practice: i32,
}

impl Windows {
    /// Those of a game for which nothing was measured.
    pub(crate) const DEFAULT: Windows = Windows { opened: 16, tuned: (16, Widen::Open), practice: 16 };

    /// The settings of a baseline, if the best guess of the game is `guess`.
    pub(crate) const fn settings(self, kind: Baseline, guess: Guess) -> BaselineSettings {
        let ((width, widen), guess) = match kind {
            Baseline::Opened => ((self.opened, Widen::Open), guess),
            Baseline::Tuned => (self.tuned, guess),
            Baseline::Practice => ((self.practice, Widen::Grow), Guess::Average),
        };
        BaselineSettings { algorithm: Algorithm::AspirationNegaScout { width, widen }, guess }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_from_algorithm_names() {
        for kind in Baseline::ALL {
            assert_eq!(kind.to_string().parse::<Baseline>().unwrap(), kind);
            assert_eq!(Baseline::of_algorithm(&format!("ANS:{kind}")).unwrap(), Some(kind));
        }
        assert_eq!(Baseline::of_algorithm("aspiration-negascout:16:open").unwrap(), None);
        let error = |text: &str| Baseline::of_algorithm(text).unwrap_err().to_string();
        assert!(error("mtd-f:tuned").contains("only aspiration-negascout has kinds"));
        assert!(error("asp:tuned").contains("there is no algorithm 'asp'"));
        let wrong = "best".parse::<Baseline>().unwrap_err().to_string();
        assert_eq!(wrong, "'best' is not a baseline; choose opened, tuned or practice");
    }
}
