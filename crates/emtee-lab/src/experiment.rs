//! An experiment as data: a small TOML file.
//!
//! ```
//! use emtee_lab::Experiment;
//!
//! let experiment: Experiment = r#"
//!     title = "MTD-f on Kalah"
//!     figures = [9, 11, 12, "passes"]
//!
//!     [[game]]
//!     name = "kalah"
//!     depth = 7
//!     positions = { random = 5, plies = 6 }
//! "#.parse()?;
//! assert_eq!(experiment.games[0].step, 1);
//! # Ok::<(), emtee_lab::Error>(())
//! ```

use std::path::PathBuf;
use std::str::FromStr;

use emtee::research::{Guess, Keep, Widen};
use emtee::{Algorithm, MAX_DEPTH, MAX_THREADS, Size, Value};
use emtee_engine::Baseline;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::figure_kind::FigureKind;
use crate::ratios::{RatioChoice, Sweep};

/// What to run and which figures to draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Experiment {
    /// Title of the report.
    pub title: String,
    /// Whether the report tests the paper's claims and our goals against the results.
    #[serde(default)]
    pub claims: bool,
    /// The figures, by number or name.
    #[serde(default = "all_figures")]
    pub figures: Vec<FigureKind>,
    /// The algorithms to compare. `default` is the library's default driver.
    #[serde(default = "default_algorithms")]
    pub algorithms: Vec<Named>,
    /// The algorithms to time against the baseline.
    #[serde(default = "default_timed")]
    pub timed: Vec<Named>,
    /// Search settings of all algorithms.
    #[serde(default)]
    pub search: Search,
    /// The values that the figures vary.
    #[serde(default)]
    pub study: StudySettings,
    /// Ratios of two searches with different settings.
    #[serde(rename = "ratio", default, skip_serializing_if = "Vec::is_empty")]
    pub ratios: Vec<RatioChoice>,
    /// Sweeps of one setting over several values.
    #[serde(rename = "sweep", default, skip_serializing_if = "Vec::is_empty")]
    pub sweeps: Vec<Sweep>,
    /// The games.
    #[serde(rename = "game")]
    pub games: Vec<GameChoice>,
}

/// A game, its positions and its search depths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct GameChoice {
    /// Name of the game.
    pub name: String,
    /// Search depth.
    pub depth: u8,
    /// Plies from one iteration to the next.
    #[serde(default = "one")]
    pub step: u8,
    /// The positions to search.
    #[serde(default)]
    pub positions: Positions,
    /// Number of positions for the figures that vary a setting, evenly spaced from the first to the last; `None`: all.
    #[serde(default)]
    pub sample: Option<usize>,
    /// Search depth of the figures that vary a setting; `None`: `depth`.
    #[serde(default)]
    pub study_depth: Option<u8>,
    /// Half-width of the baseline's aspiration window; `None`: the game's own window and rule.
    #[serde(default)]
    pub window: Option<i32>,
    /// Re-search rule when the value lies outside the window: `open`, `double` or `grow`.
    #[serde(default)]
    pub rule: Option<Text<Widen>>,
}

/// The positions of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
#[non_exhaustive]
pub enum Positions {
    /// A position set of the game, for example `paper` or `held-out`, or several sets joined by `+`.
    Set(String),
    /// The positions in a file, one per line; `#` starts a comment.
    File {
        /// Path of the file.
        file: PathBuf,
    },
    /// A list of positions.
    Listed(Vec<String>),
    /// Positions after random moves.
    Random {
        /// Number of positions.
        random: u32,
        /// Number of random moves.
        #[serde(default = "eight")]
        plies: u32,
        /// Random seed.
        #[serde(default = "first_seed")]
        seed: u64,
        /// The position before the random moves; `None`: the starting position of the game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
    },
}

impl Default for Positions {
    fn default() -> Positions {
        Positions::Listed(Vec::new())
    }
}

/// Search settings of all algorithms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Search {
    /// Size of the transposition table, in entries.
    pub entries: usize,
    /// Number of bounds per table entry, `one` or `two`.
    pub bounds: Text<Keep>,
    /// Lowest height of enhanced transposition cutoffs; 0 for none.
    pub etc: u8,
    /// Grain: evaluations are rounded to multiples of this; `None`: each game's own grain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grain: Option<i32>,
    /// Number of threads per search, 0 for all cores. Algorithms that cannot share work use one thread. With more than one
    /// thread, counts differ from run to run, and times are wall-clock times.
    pub threads: usize,
    /// Source of first guesses, `previous`, `two-back`, `better` or `average`; `None`: the best one for each game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guess: Option<Text<Guess>>,
    /// Name of the evaluator; `None`: each game's own evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluator: Option<String>,
}

impl Default for Search {
    fn default() -> Search {
        Search {
            entries: Size::default().entries(),
            bounds: Text(Keep::default()),
            etc: 0,
            grain: None,
            threads: 1,
            guess: None,
            evaluator: None,
        }
    }
}

/// The values that the figures vary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct StudySettings {
    /// First guesses, as offsets h − f from the value (figure 10).
    pub offsets: Vec<i32>,
    /// Table sizes, in entries.
    pub entries: Vec<usize>,
    /// Lowest heights of enhanced transposition cutoffs.
    pub etc: Vec<u8>,
    /// Lowest height of enhanced transposition cutoffs in figures that switch them on or off.
    pub with_etc: u8,
    /// Table size for minimal graphs, in entries: large enough that no entry is overwritten.
    pub minimal_entries: usize,
    /// Grains of the evaluation, in points.
    pub grains: Vec<i32>,
    /// Number of ABBA rounds per timed pair.
    pub rounds: u32,
    /// Number of synthetic trees per condition.
    pub trees: u32,
    /// Random seed of the synthetic trees and of the bootstrap.
    pub seed: u64,
}

impl Default for StudySettings {
    fn default() -> StudySettings {
        StudySettings {
            offsets: vec![-100, -50, -20, -10, -5, -2, -1, 0, 1, 2, 5, 10, 20, 50, 100],
            entries: (10..=20).step_by(2).map(|bits| 1 << bits).collect(),
            etc: vec![1, 2, 3, 4],
            with_etc: 2,
            minimal_entries: 1 << 22,
            grains: vec![1, 2, 5, 10, 20, 50, 100],
            rounds: 2,
            trees: 8,
            seed: 1,
        }
    }
}

/// An algorithm, read by name. `default` is the default driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named(pub Algorithm);

/// A value that is read from and written as a single word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text<T>(pub T);

impl<'d> Deserialize<'d> for Named {
    fn deserialize<D: serde::Deserializer<'d>>(from: D) -> Result<Named, D::Error> {
        let name = String::deserialize(from)?;
        match name.as_str() {
            "default" => Ok(Named(Algorithm::default())),
            _ => name.parse().map(Named).map_err(serde::de::Error::custom),
        }
    }
}

impl Serialize for Named {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

impl<'d, T: FromStr<Err: std::fmt::Display>> Deserialize<'d> for Text<T> {
    fn deserialize<D: serde::Deserializer<'d>>(from: D) -> Result<Text<T>, D::Error> {
        String::deserialize(from)?.parse().map(Text).map_err(serde::de::Error::custom)
    }
}

impl Serialize for Text<Keep> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(bounds(self.0))
    }
}

impl Serialize for Text<Baseline> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

impl Serialize for Text<Widen> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

impl Serialize for Text<Guess> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

/// The number of bounds per entry as a word.
pub(crate) fn bounds(keep: Keep) -> &'static str {
    match keep {
        Keep::OneBound => "one",
        Keep::TwoBounds => "two",
    }
}

/// Scales of the built-in experiment.
const SCALES: [&str; 5] = ["quick", "paper", "primary", "full", "deep"];

fn all_figures() -> Vec<FigureKind> {
    FigureKind::ALL.to_vec()
}

fn default_algorithms() -> Vec<Named> {
    let names = ["mtd-f", "default", "sss", "dual", "mtd-bi", "mtd-step", "negascout", "alpha-beta"];
    names.iter().map(|name| Named(name.parse().unwrap_or_default())).collect()
}

fn default_timed() -> Vec<Named> {
    vec![Named(Algorithm::MtdF), Named(Algorithm::default())]
}

fn one() -> u8 {
    1
}

fn eight() -> u32 {
    8
}

fn first_seed() -> u64 {
    1
}

impl FromStr for Experiment {
    type Err = Error;

    fn from_str(text: &str) -> Result<Experiment, Error> {
        let experiment: Experiment = toml::from_str(text).map_err(|error| {
            let before = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = text[..before].matches('\n').count() + 1;
            Error::bad(format!("line {line}: {}", error.message()))
        })?;
        experiment.checked()
    }
}

impl Experiment {
    /// The built-in experiment at a scale.
    pub fn reproduce(scale: &str) -> Result<Experiment, Error> {
        let text = match scale {
            "quick" => include_str!("../experiments/quick.toml"),
            "paper" => include_str!("../experiments/paper.toml"),
            "primary" => include_str!("../experiments/primary.toml"),
            "full" => include_str!("../experiments/full.toml"),
            "deep" => include_str!("../experiments/deep.toml"),
            _ => {
                let nearest = emtee_engine::nearest(scale, SCALES).unwrap_or("quick");
                return Err(Error::bad(format!("there is no scale '{scale}'; did you mean '{nearest}'?")));
            }
        };
        text.parse()
    }

    /// The experiment as TOML, with all defaults written out.
    pub fn to_toml(&self) -> Result<String, Error> {
        toml::to_string(self).map_err(|error| Error::Failed(error.to_string()))
    }

    /// The experiment with these games only.
    pub fn only_games(mut self, names: &[String]) -> Result<Experiment, Error> {
        for name in names {
            if !self.games.iter().any(|game| game.name == *name) {
                let nearest =
                    emtee_engine::nearest(name, self.games.iter().map(|game| game.name.as_str())).unwrap_or_default();
                return Err(Error::bad(format!(
                    "there is no game '{name}' in this experiment; did you mean '{nearest}'?"
                )));
            }
        }
        self.games.retain(|game| names.contains(&game.name));
        self.checked()
    }

    /// The experiment with these figures only.
    pub fn only_figures(mut self, names: &[String]) -> Result<Experiment, Error> {
        self.figures = names.iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
        self.checked()
    }

    /// The experiment with this number of threads per search.
    pub fn with_threads(mut self, threads: usize) -> Result<Experiment, Error> {
        self.search.threads = threads;
        self.checked()
    }

    fn checked(mut self) -> Result<Experiment, Error> {
        let mut seen = Vec::new();
        self.figures.retain(|kind| {
            let new = !seen.contains(kind);
            seen.push(*kind);
            new
        });
        dedup(&mut self.algorithms);
        dedup(&mut self.timed);
        self.timed.retain(|named| named.0 != Algorithm::BASELINE);
        let bad = |text: String| Err(Error::Bad(text));
        if self.games.is_empty() {
            return bad(String::from("an experiment needs a [[game]]"));
        }
        if self.figures.is_empty() && self.ratios.is_empty() && self.sweeps.is_empty() {
            return bad(String::from("an experiment needs a figure; omit 'figures' for all figures"));
        }
        for (index, game) in self.games.iter().enumerate() {
            let name = &game.name;
            if self.games[..index].iter().any(|other| other.name == *name) {
                return bad(format!("the game '{name}' is listed twice"));
            }
            let depths = [game.depth, game.study_depth.unwrap_or(1)];
            if let Some(depth) = depths.iter().find(|depth| !(1..=MAX_DEPTH).contains(depth)) {
                return bad(format!("{name}: depth {depth} is impossible; choose 1 to {MAX_DEPTH}"));
            }
            if !(1..=10).contains(&game.step) {
                return bad(format!("{name}: step {} is impossible; choose 1 to 10", game.step));
            }
            if let Some(window) = game.window
                && !(1..=Value::MAX_SCORE).contains(&window)
            {
                return bad(format!("{name}: window {window} is impossible; choose 1 to {}", Value::MAX_SCORE));
            }
            if game.window.is_none() && game.rule.is_some() {
                return bad(format!("{name}: a rule needs a window; add window = N"));
            }
            if game.sample == Some(0) || matches!(game.positions, Positions::Random { random: 0, .. }) {
                return bad(format!("{name}: choose at least one position"));
            }
            if let Positions::Random { random, plies, .. } = game.positions
                && (random > 10_000 || plies > 1_000)
            {
                return bad(format!("{name}: choose at most 10000 random positions after at most 1000 plies"));
            }
        }
        let study = &self.study;
        let mut sizes = study.entries.iter().copied().chain([self.search.entries, study.minimal_entries]);
        if let Some(size) = sizes.find(|size| !(1..=1 << 40).contains(size)) {
            return bad(format!("a table of {size} entries is impossible"));
        }
        let mut grains = study.grains.iter().copied().chain(self.search.grain);
        if let Some(grain) = grains.find(|grain| !(1..=Value::MAX_SCORE).contains(grain)) {
            return bad(format!("grain {grain} is impossible; choose 1 to {}", Value::MAX_SCORE));
        }
        if self.search.threads > MAX_THREADS {
            return bad(format!("{} threads are too many; choose at most {MAX_THREADS}", self.search.threads));
        }
        if !(1..=1_000).contains(&study.rounds) || !(1..=10_000).contains(&study.trees) {
            return bad(String::from("choose 1 to 1000 rounds and 1 to 10000 trees"));
        }
        if self.study.offsets.iter().any(|offset| offset.abs() > Value::MAX_SCORE) {
            return bad(format!("an offset is too large; choose −{0} to {0}", Value::MAX_SCORE));
        }
        Ok(self)
    }
}

fn dedup(algorithms: &mut Vec<Named>) {
    let mut seen = Vec::new();
    algorithms.retain(|named| {
        let new = !seen.contains(named);
        seen.push(*named);
        new
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_experiments_survive_a_round_trip() {
        for scale in SCALES {
            let experiment = Experiment::reproduce(scale).unwrap();
            assert_eq!(experiment.to_toml().unwrap().parse::<Experiment>().unwrap(), experiment);
        }
        let paper = Experiment::reproduce("paper").unwrap();
        let depths: Vec<_> = paper.games.iter().map(|game| (game.name.as_str(), game.depth, game.step)).collect();
        assert_eq!(depths, [("checkers", 15, 2), ("othello", 9, 1), ("chess", 7, 1)]);
        assert_eq!(paper.search.entries, 1 << 20);
    }

    #[test]
    fn errors_are_one_line() {
        let kalah = "[[game]]\nname = \"kalah\"\ndepth = 5\n";
        for (text, expected) in [
            ("", "line 1: missing field `title`"),
            ("title = \"x\"", "line 1: missing field `game`"),
            ("title = \"x\"\ngame = []", "an experiment needs a [[game]]"),
            (&format!("title = \"x\"\nfigure = [1]\n{kalah}"), "line 2: unknown field `figure`"),
            (&format!("title = \"x\"\nfigures = [15]\n{kalah}"), "line 2: there is no figure '15'; did you mean '10'?"),
            (&format!("title = \"x\"\nfigures = [\"tabel-size\"]\n{kalah}"), "did you mean 'table-size'?"),
            (&format!("title = \"x\"\nalgorithms = [\"mtdg\"]\n{kalah}"), "line 2: there is no algorithm 'mtdg'"),
            (&format!("title = \"x\"\n{kalah}{kalah}"), "the game 'kalah' is listed twice"),
            (&format!("title = \"x\"\n{kalah}step = 0"), "kalah: step 0 is impossible"),
            (&format!("title = \"x\"\n{kalah}positions = {{ random = 0 }}"), "choose at least one position"),
            (&format!("title = \"x\"\n{kalah}[search]\nbounds = \"three\""), "line 6: 'three'"),
            (&format!("title = \"x\"\n{kalah}[search]\ngrain = 0"), "grain 0 is impossible"),
            ("title = ", "line 1: "),
        ] {
            let error = text.parse::<Experiment>().unwrap_err().to_string();
            assert!(error.contains(expected) && error.lines().count() == 1, "{text}\n{error}");
        }
        assert_eq!(
            Experiment::reproduce("papper").unwrap_err().to_string(),
            "there is no scale 'papper'; did you mean 'paper'?"
        );
    }
}
