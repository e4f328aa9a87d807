//! The algorithms, one file each, and their names.

use alloc::borrow::ToOwned;
use alloc::format;
use core::fmt;
use core::str::FromStr;

use crate::error::{Error, named};

mod aspiration;
mod best;
mod driver;
mod minimax;
mod mt;
mod stockman;
mod window;

pub use aspiration::Widen;
pub(crate) use aspiration::aspiration;
pub(crate) use best::Proof;
pub use best::Strategy;
pub(crate) use driver::mtd;
pub use driver::{DUAL, Driver, MTD_BI, MTD_F, MTD_F_FIGURE_8, Mtd, Progress, SSS, mtd_gallop, mtd_step};
pub(crate) use stockman::Mirror;
pub(crate) use window::Wide;

/// A search algorithm.
///
/// ```
/// use emtee::Algorithm;
/// assert_eq!("mtd-f".parse::<Algorithm>()?, Algorithm::MtdF);
/// assert_eq!("SSS*".parse::<Algorithm>()?, Algorithm::Sss);
/// assert_eq!("mtd-step:50".parse::<Algorithm>()?, Algorithm::MtdStep { step: 50 });
/// assert_eq!("mtd-g".parse::<Algorithm>().unwrap_err().to_string(),
///     "there is no algorithm 'mtd-g'; did you mean 'mtd-f'?");
/// # Ok::<(), emtee::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Algorithm {
    /// MTD-f, starting at the approximation itself.
    #[default]
    #[doc(alias("MTD(f)"))]
    MtdF,
    /// MTD-f exactly as figure 8 prints it: the first bound is one above the approximation.
    MtdFFigure8,
    /// MTD-f with growing steps.
    MtdGallop {
        /// The first step, in points.
        step: i32,
    },
    /// MTD+∞: SSS*.
    #[doc(alias("SSS*"))]
    Sss,
    /// MTD−∞: DUAL*.
    #[doc(alias("DUAL*"))]
    Dual,
    /// MTD-bi: C*.
    #[doc(alias("C*"))]
    MtdBi,
    /// MTD-step.
    MtdStep {
        /// How far each bound lies below the g of the pass before, in points.
        step: i32,
    },
    /// MTD-best, and its later relative, Best Node Search.
    #[doc(alias("Best Node Search", "BNS"))]
    MtdBest(Strategy),
    /// NegaScout with an aspiration window around the guess: the baseline.
    #[doc(alias("aspiration window"))]
    AspirationNegaScout {
        /// How far the window extends from the guess to either side, in points.
        width: i32,
        /// How the window is widened if the value lies outside.
        widen: Widen,
    },
    /// NegaScout, also called principal variation search.
    #[doc(alias("PVS", "principal variation search"))]
    NegaScout,
    /// Pearl's Scout, with MT as its Test.
    Scout,
    /// Alpha-Beta.
    #[doc(alias("alpha-beta", "alpha beta"))]
    AlphaBeta,
    /// Plain minimax, an oracle.
    Minimax,
    /// Stockman's SSS*, an oracle.
    #[doc(alias("OPEN list"))]
    StockmanSss,
    /// DUAL* with its OPEN list, an oracle.
    StockmanDual,
    /// Monte-Carlo tree search, which is in the crate `emtee-mcts`: it finds no minimax values, and the searches of this
    /// crate refuse it.
    #[doc(alias("UCT", "Monte-Carlo tree search"))]
    Mcts,
}

/// The default step, or half width of the window, of the algorithms that have one.
const DEFAULT_STEP: i32 = 16;

impl Algorithm {
    /// The algorithm that all others are compared with.
    pub const BASELINE: Algorithm = Algorithm::AspirationNegaScout { width: DEFAULT_STEP, widen: Widen::Open };

    /// All algorithms that find minimax values, the drivers of MT first.
    pub const ALL: [Algorithm; 17] = [
        Algorithm::MtdF,
        Algorithm::MtdFFigure8,
        Algorithm::MtdGallop { step: DEFAULT_STEP },
        Algorithm::Sss,
        Algorithm::Dual,
        Algorithm::MtdBi,
        Algorithm::MtdStep { step: DEFAULT_STEP },
        Algorithm::MtdBest(Strategy::ProveBest),
        Algorithm::MtdBest(Strategy::DisproveRest),
        Algorithm::MtdBest(Strategy::Separate),
        Algorithm::BASELINE,
        Algorithm::NegaScout,
        Algorithm::Scout,
        Algorithm::AlphaBeta,
        Algorithm::Minimax,
        Algorithm::StockmanSss,
        Algorithm::StockmanDual,
    ];

    /// The name, without a step or a width.
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::MtdF => "mtd-f",
            Algorithm::MtdFFigure8 => "mtd-f-figure8",
            Algorithm::MtdGallop { .. } => "mtd-gallop",
            Algorithm::Sss => "sss",
            Algorithm::Dual => "dual",
            Algorithm::MtdBi => "mtd-bi",
            Algorithm::MtdStep { .. } => "mtd-step",
            Algorithm::MtdBest(Strategy::ProveBest) => "mtd-best",
            Algorithm::MtdBest(Strategy::DisproveRest) => "mtd-best-disprove-rest",
            Algorithm::MtdBest(Strategy::Separate) => "bns",
            Algorithm::AspirationNegaScout { .. } => "aspiration-negascout",
            Algorithm::NegaScout => "negascout",
            Algorithm::Scout => "scout",
            Algorithm::AlphaBeta => "alpha-beta",
            Algorithm::Minimax => "minimax",
            Algorithm::StockmanSss => "stockman-sss",
            Algorithm::StockmanDual => "stockman-dual",
            Algorithm::Mcts => "mcts",
        }
    }

    /// All algorithms, with [`Algorithm::Mcts`].
    pub fn named() -> impl DoubleEndedIterator<Item = Algorithm> {
        Algorithm::ALL.into_iter().chain([Algorithm::Mcts])
    }

    /// Whether it starts from the range that contains all values ([`Options::range`](crate::research::Options::range)).
    pub const fn uses_range(self) -> bool {
        !self.is_oracle() && !matches!(self, Algorithm::Scout | Algorithm::MtdBest(_) | Algorithm::Mcts)
    }

    /// Whether this is an oracle: it uses no table, and a lot of memory or time.
    pub const fn is_oracle(self) -> bool {
        matches!(self, Algorithm::Minimax | Algorithm::StockmanSss | Algorithm::StockmanDual)
    }

    /// An error for the oracles, whose values depend on position and depth alone.
    pub(crate) fn check_in_play(self) -> Result<(), Error> {
        let option = "does not use the game history; choose another algorithm in play";
        if self.is_oracle() { Err(Error::Unsupported { algorithm: format!("{self}"), option }) } else { Ok(()) }
    }

    /// Whether several threads can share a search by it: every driver of MT, and NegaScout.
    pub const fn shares_work(self) -> bool {
        !self.is_oracle() && !matches!(self, Algorithm::AlphaBeta | Algorithm::Scout | Algorithm::Mcts)
    }

    /// An error for [`Algorithm::Mcts`], whose values are not minimax values.
    pub fn check_is_minimax(self) -> Result<(), Error> {
        let option = "finds no minimax values, so it is for playing and for single searches; choose another algorithm";
        if self == Algorithm::Mcts { Err(Error::Unsupported { algorithm: format!("{self}"), option }) } else { Ok(()) }
    }

    pub(crate) fn check_shares_work(self) -> Result<(), Error> {
        let option = "searches on one thread; choose an MT driver or NegaScout for more";
        if self.shares_work() { Ok(()) } else { Err(Error::Unsupported { algorithm: format!("{self}"), option }) }
    }

    /// Whether it finds the minimax value, not only the best move.
    pub const fn finds_value(self) -> bool {
        !matches!(self, Algorithm::MtdBest(_) | Algorithm::Mcts)
    }

    /// The driver of an algorithm that is MTD(first, next).
    pub const fn driver(self) -> Option<Mtd> {
        match self {
            Algorithm::MtdF => Some(driver::MTD_F),
            Algorithm::MtdFFigure8 => Some(driver::MTD_F_FIGURE_8),
            Algorithm::MtdGallop { step } => Some(driver::mtd_gallop(step)),
            Algorithm::Sss => Some(driver::SSS),
            Algorithm::Dual => Some(driver::DUAL),
            Algorithm::MtdBi => Some(driver::MTD_BI),
            Algorithm::MtdStep { step } => Some(driver::mtd_step(step)),
            _ => None,
        }
    }

    pub(crate) fn step(&mut self) -> Option<&mut i32> {
        match self {
            Algorithm::MtdGallop { step } | Algorithm::MtdStep { step } => Some(step),
            Algorithm::AspirationNegaScout { width, .. } => Some(width),
            _ => None,
        }
    }
}

/// Aliases. Hyphens, underscores, spaces, stars and case are ignored.
const ALIASES: [(&str, &str); 11] = [
    ("mtd-best-prove-best", "mtd-best"),
    ("best-node-search", "bns"),
    ("mtd+inf", "sss"),
    ("mtd-inf", "dual"),
    ("c*", "mtd-bi"),
    ("ab", "alpha-beta"),
    ("pvs", "negascout"),
    ("aspiration", "aspiration-negascout"),
    ("ans", "aspiration-negascout"),
    ("negamax", "minimax"),
    ("uct", "mcts"),
];

impl FromStr for Algorithm {
    type Err = Error;

    fn from_str(text: &str) -> Result<Algorithm, Error> {
        let plain = |name: &str| name.replace(['-', '_', ' ', '*', '(', ')'], "");
        let lower = text.trim().to_ascii_lowercase();
        let (name, step) = lower.split_once(':').map_or((&*lower, None), |(name, step)| (name, Some(step)));
        let alias = ALIASES.iter().find(|(alias, _)| plain(alias) == plain(name)).map(|(_, name)| *name);
        let wanted = plain(alias.unwrap_or(name));
        let mut algorithm = Algorithm::named().find(|a| plain(a.name()) == wanted).ok_or_else(|| {
            let prefix = |other: &str| other.chars().zip(name.chars()).take_while(|(a, b)| a == b).count() as i32;
            let score = |other: &&str| 2 * prefix(other) - other.len().abs_diff(name.len()) as i32;
            let nearest = Algorithm::named().map(Algorithm::name).rev().max_by_key(score).unwrap_or_default();
            Error::UnknownAlgorithm { name: text.to_owned(), nearest }
        })?;
        if let Some(step) = step {
            let step = match (&mut algorithm, step.split_once(':')) {
                (Algorithm::AspirationNegaScout { widen, .. }, Some((width, rule))) => {
                    *widen = rule.parse()?;
                    width
                }
                _ => step,
            };
            let bad = |choices| Error::BadChoice { what: "step", text: text.to_owned(), choices };
            let parameter =
                algorithm.step().ok_or(bad("an algorithm that has one: mtd-gallop, mtd-step, aspiration-negascout"))?;
            *parameter =
                step.parse().ok().filter(|step| (1..=31_000).contains(step)).ok_or(bad("a number from 1 to 31000"))?;
        }
        Ok(algorithm)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut copy = *self;
        match (copy.step(), self) {
            (Some(step), Algorithm::AspirationNegaScout { widen: widen @ (Widen::Double | Widen::Grow), .. }) => {
                f.pad(&format!("{}:{step}:{widen}", self.name()))
            }
            (Some(&mut step), _) if step != DEFAULT_STEP => f.pad(&format!("{}:{step}", self.name())),
            _ => f.pad(self.name()),
        }
    }
}

/// The source of an iteration's first guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Guess {
    /// The value of the previous iteration.
    Previous,
    /// The value of the last iteration of the same parity, two plies shallower: values often alternate between odd and even
    /// depths.
    TwoBack,
    /// The one of the two that would have guessed the values so far better. Measured with MTD-f: 3 to 5 % fewer nodes than
    /// [`Guess::Previous`] in Othello, checkers and Connect Four, 2 % more in chess.
    #[default]
    Better,
    /// The average of all values so far, in which each value has half the weight of the next one: the centre of the aspiration
    /// window in current chess programs.
    Average,
}

named!(
    Guess, "guess", "previous, two-back, better or average",
    Previous: "previous", TwoBack: "two-back" | "twoback", Better: "better", Average: "average"
);

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn names_round_trip() {
        for algorithm in Algorithm::named() {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        let spelled = [
            ("mtdf", "mtd-f"),
            ("MTD(f)", "mtd-f"),
            ("MTD_bi", "mtd-bi"),
            ("SSS*", "sss"),
            ("Alpha Beta", "alpha-beta"),
        ];
        for (alias, name) in ALIASES.into_iter().chain(spelled) {
            assert_eq!(alias.parse::<Algorithm>().unwrap().name(), name);
        }
        assert_eq!("aspiration-negascout:40".parse::<Algorithm>().unwrap().to_string(), "aspiration-negascout:40");
        for rule in ["aspiration-negascout:4:double", "aspiration-negascout:16:double", "aspiration-negascout:16:grow"]
        {
            assert_eq!(rule.parse::<Algorithm>().unwrap().to_string(), rule);
        }
        for name in ["mtd-step", "mtd-gallop", "aspiration-negascout"] {
            assert_eq!(alloc::format!("{name}:{DEFAULT_STEP}").parse::<Algorithm>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn algorithms_that_are_mtd_have_a_driver() {
        let names = Algorithm::ALL.into_iter().filter(|algorithm| algorithm.driver().is_some()).map(Algorithm::name);
        assert!(names.eq(["mtd-f", "mtd-f-figure8", "mtd-gallop", "sss", "dual", "mtd-bi", "mtd-step"]));
    }

    #[test]
    fn all_but_three_find_the_value() {
        let names = Algorithm::ALL.into_iter().filter(|algorithm| !algorithm.finds_value()).map(Algorithm::name);
        assert!(names.eq(["mtd-best", "mtd-best-disprove-rest", "bns"]));
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (text, message) in [
            ("mtdg", "there is no algorithm 'mtdg'; did you mean 'mtd-f'?"),
            ("alfa-beta", "there is no algorithm 'alfa-beta'; did you mean 'alpha-beta'?"),
            ("ans:4:twice", "'twice' is not a re-search rule; choose open, double or grow"),
            ("mtd-step:4:double", "'mtd-step:4:double' is not a step; choose a number from 1 to 31000"),
            ("mtd-step:0", "'mtd-step:0' is not a step; choose a number from 1 to 31000"),
            (
                "sss:3",
                "'sss:3' is not a step; choose an algorithm that has one: mtd-gallop, mtd-step, aspiration-negascout",
            ),
        ] {
            assert_eq!(text.parse::<Algorithm>().unwrap_err().to_string(), message);
        }
    }
}
