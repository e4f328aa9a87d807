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
use crate::estimate::Estimate;
use crate::experiment::{Named, Text};
use crate::plan::{Plan, Subject};
use crate::results::{LEAVES, NODES, Results, VIRTUAL_TIME, heading};
use crate::spec::{RunKind, Spec};

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
    /// How many threads on a virtual clock: as if each had a core of its own, and the same on every machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_threads: Option<usize>,
    /// The size of the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<usize>,
    /// How many bounds an entry keeps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Text<Keep>>,
    /// What positions are evaluated with, by name; `own` for the game's own evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluator: Option<String>,
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
    /// Whether it is searched to `study_depth` only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shallow: bool,
}

/// One setting swept over some values, each against the same search without the change.
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
    /// What all values are measured against, instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<Variation>,
    /// Whether it is searched to `study_depth` only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shallow: bool,
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
        spec.evaluator = self.evaluator.clone().or(spec.evaluator);
        spec.one_bound = self.bounds.map_or(spec.one_bound, |bounds| bounds.0 == Keep::OneBound);
        if spec.algorithm.shares_work() {
            spec.threads = self.threads.or(self.virtual_threads).unwrap_or(spec.threads);
            if self.virtual_threads.is_some() {
                spec.kind = RunKind::Virtual;
            }
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
        if self.threads.or(self.virtual_threads).is_some_and(|threads| threads > emtee::MAX_THREADS) {
            return Err(format!("choose at most {} threads", emtee::MAX_THREADS));
        }
        if self.virtual_threads == Some(0) {
            return Err(String::from("there is at least one virtual thread"));
        }
        if self.threads.is_some() && self.virtual_threads.is_some() {
            return Err(String::from("threads are real or virtual, not both"));
        }
        let shares = self.algorithm.is_none_or(|named| named.0.shares_work());
        if !shares && (self.threads.is_some() || self.virtual_threads.is_some()) {
            return Err(String::from("this algorithm searches on one thread; choose an MT driver or NegaScout"));
        }
        Ok(())
    }
}

impl RatioChoice {
    /// Whether both run on the virtual clock, so that their times can be compared.
    fn is_virtual(&self) -> bool {
        self.of.virtual_threads.is_some() && self.over.virtual_threads.is_some()
    }

    /// How deep the game is searched.
    fn depth(&self, subject: &Subject) -> u8 {
        if self.shallow { subject.study_depth } else { subject.depth }
    }

    /// The two searches of each position of a game.
    fn pairs<'p>(&'p self, plan: &'p Plan, subject: &'p Subject) -> impl Iterator<Item = (Spec, Spec)> + 'p {
        let spec = |variation: &Variation, position: &str| Spec {
            depth: self.depth(subject),
            ..variation.spec(plan, subject, position)
        };
        subject.positions.iter().map(move |position| (spec(&self.of, position), spec(&self.over, position)))
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
            let over = self.over.as_ref().unwrap_or(&self.of).clone();
            let name = format!("{}: {} {value}", self.name, self.vary.replace('_', " "));
            Ok(RatioChoice { name, of, over, shallow: self.shallow })
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
    for RatioChoice { name, of, over, .. } in &all {
        of.check().and(over.check()).map_err(|why| Error::bad(format!("'{name}': {why}")))?;
    }
    Ok(all)
}

/// The runs they need.
pub(crate) fn specs(plan: &Plan) -> Vec<Spec> {
    let mut specs = Vec::new();
    for ratio in &plan.ratios {
        for subject in &plan.subjects {
            specs.extend(ratio.pairs(plan, subject).flat_map(|(of, over)| [of, over]));
        }
    }
    specs
}

/// What was found of a ratio in a game.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RatioRow {
    /// What the ratio is called.
    pub name: String,
    /// The game.
    pub game: String,
    /// Leaves of the one over those of the other.
    pub leaves: Estimate,
    /// Nodes of the one over those of the other.
    pub nodes: Estimate,
    /// Time on the virtual clock, where both have one.
    pub virtual_time: Option<Estimate>,
}

impl RatioRow {
    /// The headings of [`RatioRow::cells`].
    pub const HEADINGS: [&str; 7] = ["ratio", "game", "n", "nodes", "verdict on nodes", "leaves", "virtual time"];

    /// The row as text.
    pub fn cells(&self) -> [String; 7] {
        [
            self.name.clone(),
            heading(&self.game),
            self.nodes.positions.to_string(),
            self.nodes.percent(),
            self.nodes.comparison().name().into(),
            self.leaves.percent(),
            self.virtual_time.map_or_else(|| "–".into(), |time| time.percent()),
        ]
    }
}

/// What was found: a row for each pair and game.
pub(crate) fn rows(results: &Results) -> Vec<RatioRow> {
    let plan = results.plan;
    let mut rows = Vec::new();
    for ratio in &plan.ratios {
        for subject in &plan.subjects {
            let found = |metric| results.pairs(ratio.pairs(plan, subject), ratio.depth(subject), metric);
            let (Some(leaves), Some(nodes)) = (found(LEAVES), found(NODES)) else { continue };
            let virtual_time = found(VIRTUAL_TIME).filter(|_| ratio.is_virtual());
            rows.push(RatioRow { name: ratio.name.clone(), game: subject.name.clone(), leaves, nodes, virtual_time });
        }
    }
    rows
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
    fn a_sweep_can_be_measured_against_anything_and_less_deeply() {
        let plan = plan(
            "study_depth = 2\n[[sweep]]\nname = \"w\"\nvary = \"window\"\nvalues = [2]\nof = { rule = \"double\" }\nover = {}\n\
             shallow = true\n",
        )
        .unwrap();
        let told: Vec<_> = plan.specs.iter().map(|spec| (spec.algorithm.to_string(), spec.depth)).collect();
        assert_eq!(told, [("aspiration-negascout:2:double".into(), 2), ("aspiration-negascout".into(), 2)]);
    }

    #[test]
    fn virtual_threads_take_the_same_time_wherever_they_run() {
        let text = "[[ratio]]\nname = \"r\"\nof = { algorithm = \"mtd-f\", virtual_threads = 4 }\nover = { virtual_threads = 4 }\n";
        let plan = plan(text).unwrap();
        let [of, over] = &plan.specs[..] else { panic!("{:?}", plan.specs) };
        assert!(of.identity().starts_with("virtual tictactoe") && of.identity().ends_with("threads=4"));
        let stop = Default::default();
        let measured = |spec: &Spec| crate::measure(spec, &Registry::standard(), &stop).unwrap().unwrap();
        for spec in [of, over] {
            let one = measured(spec);
            assert!(one.iterations.last().unwrap().seconds > 0.0);
            assert_eq!(one, measured(spec));
        }
    }

    #[test]
    fn another_evaluator_is_another_run() {
        let text = "[[ratio]]\nname = \"r\"\nof = { evaluator = \"own\" }\n";
        let plan = plan(text).unwrap();
        let [of, over] = &plan.specs[..] else { panic!("{:?}", plan.specs) };
        assert_eq!(of.identity(), over.identity() + " evaluator=own");
        let stop = Default::default();
        let chess =
            Spec { game: "chess".into(), position: "k7/8/K7/P7/8/8/8/8 w - - 0 1".into(), depth: 3, ..over.clone() };
        let value = |evaluator: Option<&str>| {
            let spec = Spec { evaluator: evaluator.map(str::to_owned), ..chess.clone() };
            let found = crate::measure(&spec, &Registry::standard(), &stop).unwrap().unwrap();
            found.iterations.last().unwrap().value.unwrap()
        };
        assert_eq!(value(Some("network")), 0, "a dead draw");
        assert!(value(Some("own")) > 50 && value(None) == value(Some("own")));
    }

    #[test]
    fn what_does_not_go_together_is_told() {
        for (text, told) in [
            (
                "[[ratio]]\nname = \"r\"\nof = { algorithm = \"alpha-beta\", threads = 2 }",
                "'r': this algorithm searches on one thread",
            ),
            ("[[ratio]]\nname = \"r\"\nof = { threads = 2, virtual_threads = 2 }", "real or virtual, not both"),
            ("[[ratio]]\nname = \"r\"\nof = { virtual_threads = 0 }", "at least one virtual thread"),
            (
                "[[ratio]]\nname = \"r\"\nof = { algorithm = \"sss\", window = 3 }",
                "'r': only aspiration-negascout has a window",
            ),
            ("[[ratio]]\nname = \"r\"\nof = { windows = 3 }", "unknown field `windows`"),
            ("[[sweep]]\nname = \"s\"\nvary = \"colour\"\nvalues = [1]", "sweep 's': unknown field `colour`"),
            ("[[sweep]]\nname = \"s\"\nvary = \"grain\"\nvalues = [0]", "windows and grains are numbers from 1"),
            (
                "[[ratio]]\nname = \"r\"\nof = { evaluator = \"network\" }",
                "tictactoe has no evaluator 'network'; choose own",
            ),
            ("[[sweep]]\nname = \"s\"\nvary = \"rule\"\nvalues = [\"halve\"]", "'halve' is not a re-search rule"),
        ] {
            let error = plan(text).err().unwrap().to_string();
            assert!(error.contains(told) && error.lines().count() == 1, "{text}\n{error}");
        }
    }
}
