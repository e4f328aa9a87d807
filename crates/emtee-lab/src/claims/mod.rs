//! The paper's claims and our goals. Each has the paper's number, our result, a decision rule and a verdict.
//!
//! Rules apply to intervals, not to means: a claim holds if the whole 95 % interval lies on its side of the limit, fails if
//! the whole interval lies on the other side, and is undecided otherwise.

mod goals;
mod paper;
pub(crate) mod sections;

use std::fmt;

use crate::estimate::{Comparison, Estimate};
use crate::plan::Subject;
use crate::results::Results;

pub(crate) use paper::first_guess_ratio;

/// The source of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// The paper.
    Paper,
    /// A goal of this library, or a claim of later work.
    Goal,
}

/// A claim and its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Claim {
    /// The source of the claim.
    pub source: Source,
    /// The section of the paper.
    pub section: &'static str,
    /// The text of the claim.
    pub claim: &'static str,
    /// The number in the paper, or the goal.
    pub paper: &'static str,
    /// The condition under which it holds.
    pub rule: String,
    /// Our result.
    pub here: String,
    /// Whether the claim holds.
    pub verdict: Verdict,
    /// The games in which it holds, in which it fails, and in which it is undecided.
    pub cells: [usize; 3],
}

/// Whether a claim holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// It holds in every game.
    Holds,
    /// The verdicts of the games differ.
    Mixed {
        /// Games in which it holds.
        holds: Vec<String>,
        /// Games in which it fails.
        fails: Vec<String>,
        /// Games in which it is undecided.
        undecided: Vec<String>,
    },
    /// It fails in every game.
    Fails,
    /// It is undecided in every game.
    Undecided,
}

impl Verdict {
    /// Whether it holds in at least one game.
    pub const fn holds_somewhere(&self) -> bool {
        match self {
            Verdict::Holds => true,
            Verdict::Mixed { holds, .. } => !holds.is_empty(),
            Verdict::Fails | Verdict::Undecided => false,
        }
    }

    /// Combines the verdicts of the games: `Some(true)` holds, `Some(false)` fails, `None` is undecided.
    fn of(verdicts: impl IntoIterator<Item = (String, Option<bool>)>) -> Verdict {
        let [mut holds, mut fails, mut undecided] = [const { Vec::new() }; 3];
        for (game, holds_here) in verdicts {
            match holds_here {
                Some(true) => holds.push(game),
                Some(false) => fails.push(game),
                None => undecided.push(game),
            }
        }
        match (holds.is_empty(), fails.is_empty(), undecided.is_empty()) {
            (_, true, true) => Verdict::Holds,
            (true, _, true) => Verdict::Fails,
            (true, true, _) => Verdict::Undecided,
            _ => Verdict::Mixed { holds, fails, undecided },
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Holds => f.write_str("yes"),
            Verdict::Fails => f.write_str("no"),
            Verdict::Undecided => f.write_str("undecided"),
            Verdict::Mixed { holds, fails, undecided } => {
                let parts = [("yes in ", holds), ("no in ", fails), ("undecided in ", undecided)];
                let texts: Vec<String> = parts
                    .iter()
                    .filter(|(_, games)| !games.is_empty())
                    .map(|(word, games)| format!("{word}{}", games.join(", ")))
                    .collect();
                f.write_str(&texts.join("; "))
            }
        }
    }
}

/// A result as text, and whether the claim holds; `None`: undecided.
struct Finding {
    /// What the number is about, if it is not clear from the claim.
    label: Option<String>,
    text: String,
    holds: Option<bool>,
}

impl Finding {
    fn new(text: impl Into<String>, holds: impl Into<Option<bool>>) -> Finding {
        Finding { label: None, text: text.into(), holds: holds.into() }
    }

    /// Holds if the first of two algorithms needs less; fails if they are equal within 1 %.
    fn fewer(ratio: Estimate) -> Finding {
        Finding::compared(ratio, Comparison::Better)
    }

    /// Holds if the first of two algorithms needs more; fails if they are equal within 1 %.
    fn more(ratio: Estimate) -> Finding {
        Finding::compared(ratio, Comparison::Worse)
    }

    fn compared(ratio: Estimate, expected: Comparison) -> Finding {
        let comparison = ratio.comparison();
        let text = match comparison {
            Comparison::Equal => format!("{}, equal within 1 %", ratio.percent()),
            _ => ratio.percent(),
        };
        Finding::new(text, if comparison == Comparison::Undecided { None } else { Some(comparison == expected) })
    }

    /// Holds if the ratio is below a limit.
    fn below(ratio: Estimate, limit: f64) -> Finding {
        Finding::new(ratio.percent(), ratio.is_below(limit))
    }

    /// Holds if the ratio is above a limit.
    fn above(ratio: Estimate, limit: f64) -> Finding {
        Finding::new(ratio.percent(), ratio.is_below(limit).map(|below| !below))
    }

    /// Holds if the number is between two limits.
    fn between(number: Estimate, text: String, low: f64, high: f64) -> Finding {
        let holds = match (number.is_below(low), number.is_below(high)) {
            (Some(false), Some(true)) => Some(true),
            (Some(true), _) | (_, Some(false)) => Some(false),
            _ => None,
        };
        Finding::new(text, holds)
    }

    /// Adds a label, printed before the number.
    fn labelled(self, label: impl Into<String>) -> Finding {
        Finding { label: Some(label.into()), ..self }
    }

    /// The result in one game: `othello, Alpha-Beta: 111.6 % (110.3–113.1)`.
    fn in_game(&self, game: &str) -> String {
        match &self.label {
            Some(label) => format!("{game}, {label}: {}", self.text),
            None => format!("{game}: {}", self.text),
        }
    }
}

const FEWER: &str = "interval below 100 %, not equal within 1 %";
const MORE: &str = "interval above 100 %, not equal within 1 %";

/// A claim before it is tested.
struct Statement {
    section: &'static str,
    claim: &'static str,
    paper: &'static str,
    rule: &'static str,
}

/// Tests claims against the results. Claims without results are omitted.
struct Tester<'r> {
    results: &'r Results<'r>,
    source: Source,
    claims: Vec<Claim>,
}

impl Tester<'_> {
    /// Tests a claim about every game.
    fn every_game(&mut self, statement: Statement, test: impl Fn(&Subject) -> Option<Finding>) {
        self.games(statement, |_| true, test);
    }

    /// Tests a claim about the games with these names.
    fn games(
        &mut self,
        statement: Statement,
        about: impl Fn(&str) -> bool,
        test: impl Fn(&Subject) -> Option<Finding>,
    ) {
        let subjects = self.results.plan.subjects.iter().filter(|subject| about(&subject.name));
        let findings: Vec<(String, Finding)> =
            subjects.filter_map(|subject| Some((subject.name.clone(), test(subject)?))).collect();
        if findings.is_empty() {
            return;
        }
        let here: Vec<String> = findings.iter().map(|(game, finding)| finding.in_game(game)).collect();
        self.push(
            statement,
            here.join("; "),
            findings.into_iter().map(|(game, finding)| (game, finding.holds)).collect(),
        );
    }

    /// Tests a claim that does not depend on the game.
    fn overall(&mut self, statement: Statement, finding: Option<Finding>) {
        if let Some(Finding { text, holds, .. }) = finding {
            self.push(statement, text, vec![(String::new(), holds)]);
        }
    }

    fn push(&mut self, statement: Statement, here: String, verdicts: Vec<(String, Option<bool>)>) {
        let Statement { section, claim, paper, rule } = statement;
        let (source, rule) = (self.source, rule.to_owned());
        let cells = [Some(true), Some(false), None];
        let cells = cells.map(|answer| verdicts.iter().filter(|(_, holds)| *holds == answer).count());
        let verdict = Verdict::of(verdicts);
        self.claims.push(Claim { source, section, claim, paper, rule, here, verdict, cells });
    }
}

/// Tests all claims with results.
pub(crate) fn claims(results: &Results) -> Vec<Claim> {
    let mut test = Tester { results, source: Source::Paper, claims: Vec::new() };
    paper::abstract_to_section_3(&mut test);
    paper::section_4(&mut test);
    test.source = Source::Goal;
    goals::goals(&mut test);
    test.claims
}

/// Rounds and adds thousands separators: 12345.6 becomes `12,346`.
fn thousands(count: f64) -> String {
    let digits = format!("{count:.0}");
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap_or("")).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixed_verdicts_list_the_games() {
        let of = |answers: [Option<bool>; 3]| {
            let games = ["checkers", "othello", "chess"].map(String::from);
            Verdict::of(games.into_iter().zip(answers)).to_string()
        };
        let (yes, no, undecided) = (Some(true), Some(false), None);
        assert_eq!(of([yes, yes, yes]), "yes");
        assert_eq!(of([no, no, no]), "no");
        assert_eq!(of([undecided, undecided, undecided]), "undecided");
        assert_eq!(of([yes, no, undecided]), "yes in checkers; no in othello; undecided in chess");
        assert_eq!(of([undecided, no, no]), "no in othello, chess; undecided in checkers");
    }

    #[test]
    fn better_and_equal_exclude_each_other() {
        let ratio = |low: f64, high: f64| Estimate::ratio(&[low, high], 1).unwrap();
        for (low, high, fewer, more) in [
            (0.90, 0.95, Some(true), Some(false)),
            (0.992, 0.998, Some(false), Some(false)),
            (0.97, 1.02, None, None),
            (1.05, 1.10, Some(false), Some(true)),
        ] {
            let ratio = ratio(low, high);
            assert_eq!((Finding::fewer(ratio).holds, Finding::more(ratio).holds), (fewer, more), "{low} {high}");
        }
        assert!(Finding::fewer(ratio(0.992, 0.998)).text.ends_with(", equal within 1 %"));
    }

    #[test]
    fn between_limits_applies_to_the_whole_interval() {
        let number = |low, high| Estimate::share(&[(low, 1.0), (high, 1.0)], 1).unwrap();
        let holds = |low, high| Finding::between(number(low, high), String::new(), 3.0, 4.0).holds;
        assert_eq!(holds(3.1, 3.9), Some(true));
        assert_eq!(holds(2.0, 2.9), Some(false));
        assert_eq!(holds(4.1, 4.9), Some(false));
        assert_eq!(holds(2.9, 3.5), None);
        assert_eq!(thousands(1_234_567.8), "1,234,568");
    }
}
