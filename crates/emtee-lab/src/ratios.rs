//! User-defined ratios and sweeps. A ratio compares two settings. A sweep compares several values of one setting.
//!
//! ```toml
//! [[ratio]]
//! name = "savings of enhanced transposition cutoffs"
//! of = { algorithm = "mtd-f", etc = 2 }
//! over = { algorithm = "mtd-f" }
//!
//! [[sweep]]
//! name = "baseline windows"
//! vary = "window"
//! values = [2, 4, 8, 16]
//! ```

use emtee::Algorithm;
use emtee::research::{Guess, Keep, Widen};
use emtee_engine::Baseline;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::estimate::Estimate;
use crate::experiment::{Named, Text};
use crate::plan::{Plan, Subject};
use crate::results::{LEAVES, NODES, Results, VIRTUAL_TIME, heading};
use crate::spec::{RunKind, Spec};

/// The settings in which a search differs from the rest of the experiment. `None`: no difference.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Variation {
    /// The algorithm; the baseline if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<Named>,
    /// The kind of baseline, if no algorithm is given; the tuned one if neither is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Text<Baseline>>,
    /// The half-width of the window of Aspiration NegaScout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<i32>,
    /// The re-search rule when the value lies outside the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Text<Widen>>,
    /// Source of first guesses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guess: Option<Text<Guess>>,
    /// Grain: evaluations are rounded to multiples of this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grain: Option<i32>,
    /// Lowest height of enhanced transposition cutoffs; 0 for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub etc: Option<u8>,
    /// Number of threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// Number of threads on a virtual clock, as if each had its own core. The results are the same on every machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_threads: Option<usize>,
    /// Size of the transposition table, in entries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<usize>,
    /// Number of bounds per table entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Text<Keep>>,
    /// Name of the evaluator; `own` for the game's own evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluator: Option<String>,
}

/// The ratio of two searches with different settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RatioChoice {
    /// Its name in the report.
    pub name: String,
    /// The numerator.
    pub of: Variation,
    /// The denominator; the baseline if omitted.
    #[serde(default)]
    pub over: Variation,
    /// Whether the searches end at `study_depth`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shallow: bool,
}

/// One setting swept over several values. Each is compared with the same search without the change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Sweep {
    /// Its name in the report.
    pub name: String,
    /// The setting: a field of [`Variation`].
    pub vary: String,
    /// Its values.
    pub values: Vec<toml::Value>,
    /// Differences common to both searches.
    #[serde(default)]
    pub of: Variation,
    /// The denominator for all values, instead of `of`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<Variation>,
    /// Whether the searches end at `study_depth`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shallow: bool,
}

impl Variation {
    /// The run of a position with these differences.
    fn spec(&self, plan: &Plan, subject: &Subject, position: &str) -> Spec {
        let algorithm = self.algorithm.map_or(Algorithm::BASELINE, |named| named.0);
        let mut spec = match self.baseline {
            Some(kind) => plan.baseline(subject, position, kind.0),
            None => plan.count(subject, position, algorithm),
        };
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

    /// Fails if the settings are invalid or contradict each other.
    fn check(&self) -> Result<(), String> {
        let windowed = self.algorithm.is_none_or(|named| matches!(named.0, Algorithm::AspirationNegaScout { .. }));
        if !windowed && (self.window.is_some() || self.rule.is_some()) {
            return Err(String::from("only aspiration-negascout has a window and a rule"));
        }
        if self.algorithm.is_some() && self.baseline.is_some() {
            return Err(String::from("choose 'algorithm' or 'baseline', not both"));
        }
        let numbers = [self.window, self.grain].into_iter().flatten();
        if numbers.clone().any(|number| !(1..=emtee::Value::MAX_SCORE).contains(&number)) {
            return Err(format!("windows and grains must be from 1 to {}", emtee::Value::MAX_SCORE));
        }
        if self.entries.is_some_and(|entries| !(1..=1 << 40).contains(&entries)) {
            return Err(String::from("tables have 1 to 2^40 entries"));
        }
        if self.threads.or(self.virtual_threads).is_some_and(|threads| threads > emtee::MAX_THREADS) {
            return Err(format!("choose at most {} threads", emtee::MAX_THREADS));
        }
        if self.virtual_threads == Some(0) {
            return Err(String::from("choose at least one virtual thread"));
        }
        if self.threads.is_some() && self.virtual_threads.is_some() {
            return Err(String::from("choose 'threads' or 'virtual_threads', not both"));
        }
        let shares_work = self.algorithm.is_none_or(|named| named.0.shares_work());
        if !shares_work && (self.threads.is_some() || self.virtual_threads.is_some()) {
            return Err(String::from("this algorithm searches on one thread; choose an MT driver or NegaScout"));
        }
        Ok(())
    }
}

impl RatioChoice {
    /// Whether both searches run on the virtual clock. Only then can their times be compared.
    fn is_virtual(&self) -> bool {
        self.of.virtual_threads.is_some() && self.over.virtual_threads.is_some()
    }

    /// The search depth in a game.
    fn depth(&self, subject: &Subject) -> u8 {
        if self.shallow { subject.study_depth } else { subject.depth }
    }

    /// The pair of runs of each position of a game.
    fn pairs<'p>(&'p self, plan: &'p Plan, subject: &'p Subject) -> impl Iterator<Item = (Spec, Spec)> + 'p {
        let spec = |variation: &Variation, position: &str| Spec {
            depth: self.depth(subject),
            ..variation.spec(plan, subject, position)
        };
        subject.positions.iter().map(move |position| (spec(&self.of, position), spec(&self.over, position)))
    }
}

impl Sweep {
    /// One ratio per value.
    fn ratios(&self) -> Result<Vec<RatioChoice>, Error> {
        let invalid = |why: String| Error::bad(format!("sweep '{}': {why}", self.name));
        let ratio = |value: &toml::Value| {
            let mut table = toml::Table::try_from(&self.of).map_err(|error| invalid(error.to_string()))?;
            table.insert(self.vary.clone(), value.clone());
            let of: Variation =
                table.try_into().map_err(|error: toml::de::Error| invalid(error.message().to_owned()))?;
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let over = self.over.as_ref().unwrap_or(&self.of).clone();
            let name = format!("{}: {} {value}", self.name, self.vary.replace('_', " "));
            Ok(RatioChoice { name, of, over, shallow: self.shallow })
        };
        self.values.iter().map(ratio).collect()
    }
}

/// All ratios of an experiment, then those of its sweeps, in order.
pub(crate) fn all(ratios: &[RatioChoice], sweeps: &[Sweep]) -> Result<Vec<RatioChoice>, Error> {
    let mut all = ratios.to_vec();
    for sweep in sweeps {
        all.extend(sweep.ratios()?);
    }
    for RatioChoice { name, of, over, .. } in &all {
        of.check().and(over.check()).map_err(|why| Error::bad(format!("'{name}': {why}")))?;
    }
    Ok(all)
}

/// The runs of all ratios.
pub(crate) fn specs(plan: &Plan) -> Vec<Spec> {
    let mut specs = Vec::new();
    for ratio in &plan.ratios {
        for subject in &plan.subjects {
            specs.extend(ratio.pairs(plan, subject).flat_map(|(of, over)| [of, over]));
        }
    }
    specs
}

/// The result of a ratio in a game.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RatioRow {
    /// Name of the ratio.
    pub name: String,
    /// The game.
    pub game: String,
    /// Ratio of the leaves.
    pub leaves: Estimate,
    /// Ratio of the total nodes.
    pub nodes: Estimate,
    /// Ratio of the virtual times, if both searches run on the virtual clock.
    pub virtual_time: Option<Estimate>,
}

impl RatioRow {
    /// The headings of [`RatioRow::cells`].
    pub const HEADINGS: [&str; 7] = ["ratio", "game", "n", "nodes", "verdict on nodes", "leaves", "virtual time"];

    /// The cells of the row.
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

/// The results: one row per ratio and game.
pub(crate) fn rows(results: &Results) -> Vec<RatioRow> {
    let plan = results.plan;
    let mut rows = Vec::new();
    for ratio in &plan.ratios {
        for subject in &plan.subjects {
            let measured = |metric| results.pairs(ratio.pairs(plan, subject), ratio.depth(subject), metric);
            let (Some(leaves), Some(nodes)) = (measured(LEAVES), measured(NODES)) else { continue };
            let virtual_time = measured(VIRTUAL_TIME).filter(|_| ratio.is_virtual());
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
    fn a_sweep_has_one_ratio_per_value() {
        let plan = plan("[[sweep]]\nname = \"w\"\nvary = \"window\"\nvalues = [2, 5]\n").unwrap();
        assert_eq!(
            plan.ratios.iter().map(|ratio| ratio.name.as_str()).collect::<Vec<_>>(),
            ["w: window 2", "w: window 5"]
        );
        let algorithms: Vec<String> = plan.specs.iter().map(|spec| spec.algorithm.to_string()).collect();
        assert_eq!(algorithms, ["aspiration-negascout:2", "aspiration-negascout", "aspiration-negascout:5"]);
        // It survives a round trip.
        let again: Experiment = plan.experiment.to_toml().unwrap().parse().unwrap();
        assert_eq!(again, plan.experiment);
    }

    #[test]
    fn a_ratio_changes_only_the_given_settings() {
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
    fn a_sweep_can_have_its_own_denominator_and_depth() {
        let plan = plan(
            "study_depth = 2\n[[sweep]]\nname = \"w\"\nvary = \"window\"\nvalues = [2]\nof = { rule = \"double\" }\nover = {}\n\
             shallow = true\n",
        )
        .unwrap();
        let runs: Vec<_> = plan.specs.iter().map(|spec| (spec.algorithm.to_string(), spec.depth)).collect();
        assert_eq!(runs, [("aspiration-negascout:2:double".into(), 2), ("aspiration-negascout".into(), 2)]);
    }

    #[test]
    fn virtual_times_are_reproducible() {
        let text = "[[ratio]]\nname = \"r\"\nof = { algorithm = \"mtd-f\", virtual_threads = 4 }\nover = { virtual_threads = 4 }\n";
        let plan = plan(text).unwrap();
        let [of, over] = &plan.specs[..] else { panic!("{:?}", plan.specs) };
        assert!(of.identity().starts_with("virtual tictactoe") && of.identity().ends_with("threads=4"));
        let stop = Default::default();
        let measured = |spec: &Spec| crate::measure(spec, &Registry::standard(), &stop).unwrap().unwrap();
        for spec in [of, over] {
            let outcome = measured(spec);
            assert!(outcome.iterations.last().unwrap().seconds > 0.0);
            assert_eq!(outcome, measured(spec));
        }
    }

    #[test]
    fn baselines_have_their_windows_and_guesses() {
        let text = "[[sweep]]\nname = \"b\"\nvary = \"baseline\"\nvalues = [\"opened\", \"tuned\", \"practice\"]\n\
                    over = { algorithm = \"mtd-f\" }\n";
        let plan = plan(text).unwrap();
        let runs: Vec<String> = plan.specs.iter().map(|spec| format!("{} {}", spec.algorithm, spec.guess)).collect();
        let practice = "aspiration-negascout:16:grow average";
        // The kinds of a game without measured windows: two of them are the same.
        assert_eq!(runs, ["aspiration-negascout better", "mtd-f better", practice]);
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
            let outcome = crate::measure(&spec, &Registry::standard(), &stop).unwrap().unwrap();
            outcome.iterations.last().unwrap().value.unwrap()
        };
        assert_eq!(value(Some("network")), 0, "a dead draw");
        assert!(value(Some("own")) > 50 && value(None) == value(Some("own")));
    }

    #[test]
    fn invalid_settings_are_reported() {
        for (text, expected) in [
            (
                "[[ratio]]\nname = \"r\"\nof = { algorithm = \"alpha-beta\", threads = 2 }",
                "'r': this algorithm searches on one thread",
            ),
            (
                "[[ratio]]\nname = \"r\"\nof = { threads = 2, virtual_threads = 2 }",
                "choose 'threads' or 'virtual_threads', not both",
            ),
            ("[[ratio]]\nname = \"r\"\nof = { virtual_threads = 0 }", "choose at least one virtual thread"),
            (
                "[[ratio]]\nname = \"r\"\nof = { algorithm = \"sss\", window = 3 }",
                "'r': only aspiration-negascout has a window",
            ),
            (
                "[[ratio]]\nname = \"r\"\nof = { algorithm = \"mtd-f\", baseline = \"tuned\" }",
                "choose 'algorithm' or 'baseline', not both",
            ),
            ("[[ratio]]\nname = \"r\"\nof = { baseline = \"best\" }", "'best' is not a baseline"),
            ("[[ratio]]\nname = \"r\"\nof = { windows = 3 }", "unknown field `windows`"),
            ("[[sweep]]\nname = \"s\"\nvary = \"colour\"\nvalues = [1]", "sweep 's': unknown field `colour`"),
            ("[[sweep]]\nname = \"s\"\nvary = \"grain\"\nvalues = [0]", "windows and grains must be from 1"),
            (
                "[[ratio]]\nname = \"r\"\nof = { evaluator = \"network\" }",
                "tictactoe has no evaluator 'network'; choose own",
            ),
            ("[[sweep]]\nname = \"s\"\nvary = \"rule\"\nvalues = [\"halve\"]", "'halve' is not a re-search rule"),
        ] {
            let error = plan(text).err().unwrap().to_string();
            assert!(error.contains(expected) && error.lines().count() == 1, "{text}\n{error}");
        }
    }
}
