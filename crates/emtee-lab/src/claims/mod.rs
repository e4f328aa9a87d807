//! The paper's claims and our goals, each with its number, ours, and the rule it is judged by.
//!
//! Every rule is about an interval, never about a mean alone: a claim holds if all of the 95 % interval lies on its side of the
//! limit, fails if all of it lies on the other, and is undecided otherwise.

mod goals;
mod paper;

use std::fmt;

use crate::estimate::Estimate;
use crate::plan::Subject;
use crate::results::Results;

pub(crate) use paper::guessed;

/// Whose claim it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// The paper's.
    Paper,
    /// Ours, and that of later work.
    Goal,
}

/// A claim, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Claim {
    /// Whose it is.
    pub source: Source,
    /// Where it is made.
    pub section: &'static str,
    /// What is claimed.
    pub claim: &'static str,
    /// The paper's number, or the goal.
    pub paper: &'static str,
    /// What must lie where for it to hold.
    pub rule: String,
    /// Our number.
    pub here: String,
    /// Whether it holds.
    pub verdict: Verdict,
}

/// Whether a claim holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// In every game.
    Holds,
    /// In some games, and not in others.
    Mixed {
        /// Where it holds.
        holds: Vec<String>,
        /// Where it fails.
        fails: Vec<String>,
        /// Where the interval does not say.
        undecided: Vec<String>,
    },
    /// In none.
    Fails,
    /// The intervals do not say.
    Undecided,
}

impl Verdict {
    /// One for all games, from those of each: yes, no, or nothing.
    fn of(found: impl IntoIterator<Item = (String, Option<bool>)>) -> Verdict {
        let [mut holds, mut fails, mut undecided] = [const { Vec::new() }; 3];
        for (game, answer) in found {
            match answer {
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
                let parts = [("in ", holds), ("not in ", fails), ("undecided in ", undecided)];
                let told: Vec<String> = parts
                    .iter()
                    .filter(|(_, games)| !games.is_empty())
                    .map(|(word, games)| format!("{word}{}", games.join(", ")))
                    .collect();
                f.write_str(&told.join("; "))
            }
        }
    }
}

/// A number for people, and whether the claim holds with it; nothing if that cannot be said.
struct Finding {
    text: String,
    holds: Option<bool>,
}

impl Finding {
    fn new(text: impl Into<String>, holds: impl Into<Option<bool>>) -> Finding {
        Finding { text: text.into(), holds: holds.into() }
    }

    /// Whether a ratio lies below a limit.
    fn below(ratio: Estimate, limit: f64) -> Finding {
        Finding::new(ratio.percent(), ratio.is_below(limit))
    }

    /// Whether it lies above.
    fn above(ratio: Estimate, limit: f64) -> Finding {
        Finding::new(ratio.percent(), ratio.is_below(limit).map(|below| !below))
    }

    /// Whether it lies between two limits.
    fn between(number: Estimate, text: String, low: f64, high: f64) -> Finding {
        let holds = match (number.is_below(low), number.is_below(high)) {
            (Some(false), Some(true)) => Some(true),
            (Some(true), _) | (_, Some(false)) => Some(false),
            _ => None,
        };
        Finding::new(text, holds)
    }

    /// With a word behind its number.
    fn of(mut self, what: &str) -> Finding {
        self.text = format!("{} {what}", self.text);
        self
    }
}

/// What is claimed, where, with which number, and the rule it is judged by.
struct Question {
    section: &'static str,
    claim: &'static str,
    paper: &'static str,
    rule: &'static str,
}

/// Collects the claims that the results say something about.
struct Tester<'r> {
    results: &'r Results<'r>,
    source: Source,
    claims: Vec<Claim>,
}

impl Tester<'_> {
    /// A claim about every game.
    fn each(&mut self, question: Question, find: impl Fn(&Subject) -> Option<Finding>) {
        self.of(question, |_| true, find);
    }

    /// A claim about some games.
    fn of(&mut self, question: Question, about: impl Fn(&str) -> bool, find: impl Fn(&Subject) -> Option<Finding>) {
        let subjects = self.results.plan.subjects.iter().filter(|subject| about(&subject.name));
        let found: Vec<(String, Finding)> =
            subjects.filter_map(|subject| Some((subject.name.clone(), find(subject)?))).collect();
        if found.is_empty() {
            return;
        }
        let here: Vec<String> = found.iter().map(|(game, finding)| format!("{game} {}", finding.text)).collect();
        let verdict = Verdict::of(found.into_iter().map(|(game, finding)| (game, finding.holds)));
        self.push(question, here.join("; "), verdict);
    }

    /// A claim about all games together.
    fn together(&mut self, question: Question, finding: Option<Finding>) {
        if let Some(Finding { text, holds }) = finding {
            self.push(question, text, Verdict::of([(String::new(), holds)]));
        }
    }

    fn push(&mut self, question: Question, here: String, verdict: Verdict) {
        let Question { section, claim, paper, rule } = question;
        let (source, rule) = (self.source, rule.to_owned());
        self.claims.push(Claim { source, section, claim, paper, rule, here, verdict });
    }
}

/// Tests every claim that was measured.
pub(crate) fn claims(results: &Results) -> Vec<Claim> {
    let mut test = Tester { results, source: Source::Paper, claims: Vec::new() };
    paper::front_and_section_3(&mut test);
    paper::section_4(&mut test);
    test.source = Source::Goal;
    goals::goals(&mut test);
    test.claims
}

/// 12345.6 as 12,346.
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
    fn verdicts_name_the_games_where_they_differ() {
        let of = |answers: [Option<bool>; 3]| {
            let games = ["checkers", "othello", "chess"].map(String::from);
            Verdict::of(games.into_iter().zip(answers)).to_string()
        };
        let (yes, no, open) = (Some(true), Some(false), None);
        assert_eq!(of([yes, yes, yes]), "yes");
        assert_eq!(of([no, no, no]), "no");
        assert_eq!(of([open, open, open]), "undecided");
        assert_eq!(of([yes, no, open]), "in checkers; not in othello; undecided in chess");
        assert_eq!(of([open, no, no]), "not in othello, chess; undecided in checkers");
    }

    #[test]
    fn a_number_between_limits_is_so_with_its_interval() {
        let number = |low, high| Estimate::share(&[(low, 1.0), (high, 1.0)], 1).unwrap();
        let holds = |low, high| Finding::between(number(low, high), String::new(), 3.0, 4.0).holds;
        assert_eq!(holds(3.1, 3.9), Some(true));
        assert_eq!(holds(2.0, 2.9), Some(false));
        assert_eq!(holds(4.1, 4.9), Some(false));
        assert_eq!(holds(2.9, 3.5), None);
        assert_eq!(thousands(1_234_567.8), "1,234,568");
    }
}
