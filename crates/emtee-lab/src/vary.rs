//! Questions of one's own: two settings against each other, or one setting swept over some values.
//!
//! ```toml
//! [[ratio]]
//! name = "what cutoffs by children save"
//! of = { algorithm = "mtd-f", etc = 2 }
//! over = { algorithm = "mtd-f" }
//!
//! [[sweep]]
//! name = "windows of the baseline"
//! vary = "window"
//! values = [2, 4, 8, 16]
//! ```

use emtee::Algorithm;
use emtee::research::{Guess, Keep, Widen};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::experiment::{Named, Text};
use crate::plan::{Plan, Subject};
use crate::results::{LEAVES, NODES, Results, heading};
use crate::spec::Spec;

/// What is different about a search. What is not said is as in the rest of the experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Variation {
    /// The algorithm; the baseline if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<Named>,
    /// The window of Aspiration NegaScout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<i32>,
    /// What follows a window that the value lies outside of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Text<Widen>>,
    /// Where first guesses come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guess: Option<Text<Guess>>,
    /// What evaluations are rounded to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grain: Option<i32>,
    /// Enhanced transposition cutoffs from this height up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub etc: Option<u8>,
    /// How many threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// The size of the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<usize>,
    /// How many bounds an entry keeps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Text<Keep>>,
}

/// Two settings against each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RatioChoice {
    /// What it is called.
    pub name: String,
    /// What is measured.
    pub of: Variation,
    /// What it is measured against; the baseline if not given.
    #[serde(default)]
    pub over: Variation,
}

/// One setting swept over some values, each against the search without the change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Sweep {
    /// What it is called.
    pub name: String,
    /// Which setting: a field of [`Variation`].
    pub vary: String,
    /// Its values.
    pub values: Vec<toml::Value>,
    /// What else is different, in both.
    #[serde(default)]
    pub of: Variation,
}

impl Variation {
    /// The search of a position, with these differences.
    fn spec(&self, plan: &Plan, subject: &Subject, position: &str) -> Spec {
        let algorithm = self.algorithm.map_or(Algorithm::BASELINE, |named| named.0);
        let mut spec = plan.count(subject, position, algorithm);
        if let Algorithm::AspirationNegaScout { width, widen } = &mut spec.algorithm {
            *width = self.window.unwrap_or(*width);
            *widen = self.rule.map_or(*widen, |rule| rule.0);
        }
        spec.guess = self.guess.map_or(spec.guess, |guess| guess.0);
        spec.grain = self.grain.unwrap_or(spec.grain);
        spec.etc = self.etc.unwrap_or(spec.etc);
        spec.entries = self.entries.unwrap_or(spec.entries);
        spec.one_bound = self.bounds.map_or(spec.one_bound, |bounds| bounds.0 == Keep::OneBound);
        if spec.algorithm.shares_work() {
            spec.threads = self.threads.unwrap_or(spec.threads);
        }
        spec
    }

    /// Whether it says something that does not go together.
    fn check(&self) -> Result<(), String> {
        let windowed = self.algorithm.is_none_or(|named| matches!(named.0, Algorithm::AspirationNegaScout { .. }));
        if !windowed && (self.window.is_some() || self.rule.is_some()) {
            return Err(String::from("only aspiration-negascout has a window and a rule"));
        }
        let numbers = [self.window, self.grain].into_iter().flatten();
        if numbers.clone().any(|number| !(1..=emtee::Value::MAX_SCORE).contains(&number)) {
            return Err(format!("windows and grains are numbers from 1 to {}", emtee::Value::MAX_SCORE));
        }
        if self.entries.is_some_and(|entries| !(1..=1 << 40).contains(&entries)) {
            return Err(String::from("such a table is impossible"));
        }
        if self.threads.is_some_and(|threads| threads > emtee::MAX_THREADS) {
            return Err(format!("choose at most {} threads", emtee::MAX_THREADS));
        }
        Ok(())
    }
}

impl Sweep {
    /// One pair for each value.
    fn ratios(&self) -> Result<Vec<RatioChoice>, Error> {
        let bad = |why: String| Error::bad(format!("sweep '{}': {why}", self.name));
        let each = |value: &toml::Value| {
            let mut table = toml::Table::try_from(&self.of).map_err(|error| bad(error.to_string()))?;
            table.insert(self.vary.clone(), value.clone());
            let of: Variation = table.try_into().map_err(|error: toml::de::Error| bad(error.message().to_owned()))?;
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            Ok(RatioChoice { name: format!("{}: {} {value}", self.name, self.vary), of, over: self.of.clone() })
        };
        self.values.iter().map(each).collect()
    }
}

/// All pairs of an experiment, in order.
pub(crate) fn ratios(ratios: &[RatioChoice], sweeps: &[Sweep]) -> Result<Vec<RatioChoice>, Error> {
    let mut all = ratios.to_vec();
    for sweep in sweeps {
        all.extend(sweep.ratios()?);
    }
    for RatioChoice { name, of, over } in &all {
        of.check().and(over.check()).map_err(|why| Error::bad(format!("'{name}': {why}")))?;
    }
    Ok(all)
}

/// The runs they need.
pub(crate) fn specs(plan: &Plan) -> Vec<Spec> {
    let mut specs = Vec::new();
    for RatioChoice { of, over, .. } in &plan.ratios {
        for subject in &plan.subjects {
            for position in &subject.positions {
                specs.extend([of, over].map(|variation| variation.spec(plan, subject, position)));
            }
        }
    }
    specs
}

/// What was found: a heading, then a row for each pair and game.
pub(crate) fn table(results: &Results) -> Vec<Vec<String>> {
    let plan = results.plan;
    let headings = ["ratio", "game", "n", "leaves", "nodes", "verdict on nodes"];
    let mut rows = vec![headings.map(String::from).to_vec()];
    for RatioChoice { name, of, over } in &plan.ratios {
        for subject in &plan.subjects {
            let pairs = || {
                let pair = |position: &String| (of.spec(plan, subject, position), over.spec(plan, subject, position));
                subject.positions.iter().map(pair)
            };
            let found = |metric| results.pairs(pairs(), subject.depth, metric);
            let (Some(leaves), Some(nodes)) = (found(LEAVES), found(NODES)) else { continue };
            rows.push(vec![
                name.clone(),
                heading(&subject.name),
                nodes.positions.to_string(),
                leaves.percent(),
                nodes.percent(),
                nodes.comparison().name().into(),
            ]);
        }
    }
    if rows.len() > 1 { rows } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use emtee_engine::Registry;

    use super::*;
    use crate::experiment::Experiment;

    const START: &str = "title = \"x\"\nfigures = []\n[[game]]\nname = \"tictactoe\"\ndepth = 3\n";

    fn plan(text: &str) -> Result<Plan, Error> {
        Plan::new(format!("{START}{text}").parse::<Experiment>()?, &Registry::standard())
    }

    #[test]
    fn a_sweep_is_a_pair_for_each_value() {
        let plan = plan("[[sweep]]\nname = \"w\"\nvary = \"window\"\nvalues = [2, 5]\n").unwrap();
        assert_eq!(
            plan.ratios.iter().map(|ratio| ratio.name.as_str()).collect::<Vec<_>>(),
            ["w: window 2", "w: window 5"]
        );
        let algorithms: Vec<String> = plan.specs.iter().map(|spec| spec.algorithm.to_string()).collect();
        assert_eq!(algorithms, ["aspiration-negascout:2", "aspiration-negascout", "aspiration-negascout:5"]);
        // Written and read again it is the same.
        let again: Experiment = plan.experiment.to_toml().unwrap().parse().unwrap();
        assert_eq!(again, plan.experiment);
    }

    #[test]
    fn a_ratio_changes_what_it_says_and_nothing_else() {
        let plan = plan(
            "[[ratio]]\nname = \"r\"\nof = { algorithm = \"mtd-f\", etc = 2, guess = \"previous\", bounds = \"one\" }\n\
             over = { algorithm = \"mtd-f\" }\n",
        )
        .unwrap();
        let [of, over] = &plan.specs[..] else { panic!("{:?}", plan.specs) };
        assert_eq!((of.etc, of.guess, of.one_bound), (2, Guess::Previous, true));
        assert_eq!(&Spec { etc: over.etc, guess: over.guess, one_bound: over.one_bound, ..of.clone() }, over);
    }

    #[test]
    fn what_does_not_go_together_is_told() {
        for (text, told) in [
            (
                "[[ratio]]\nname = \"r\"\nof = { algorithm = \"sss\", window = 3 }",
                "'r': only aspiration-negascout has a window",
            ),
            ("[[ratio]]\nname = \"r\"\nof = { windows = 3 }", "unknown field `windows`"),
            ("[[sweep]]\nname = \"s\"\nvary = \"colour\"\nvalues = [1]", "sweep 's': unknown field `colour`"),
            ("[[sweep]]\nname = \"s\"\nvary = \"grain\"\nvalues = [0]", "windows and grains are numbers from 1"),
            ("[[sweep]]\nname = \"s\"\nvary = \"rule\"\nvalues = [\"halve\"]", "'halve' is not a re-search rule"),
        ] {
            let error = plan(text).err().unwrap().to_string();
            assert!(error.contains(told) && error.lines().count() == 1, "{text}\n{error}");
        }
    }
}
