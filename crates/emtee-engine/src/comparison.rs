//! Algorithms on the same positions, relative to a baseline.
//!
//! The program, the explorer, the lab and the Python package take the baseline, the settings and the means from here, so that
//! the same question has the same answer everywhere.

use emtee::research::{Guess, Mode};
use emtee::{Algorithm, Budget};
use serde::Serialize;

use crate::baseline::Baseline;
use crate::registry::{Entry, Registry};
use crate::row::Row;
use crate::settings::Settings;

/// Node limit of the oracles, which visit the whole tree.
const ORACLE_NODES: u64 = 300_000;

/// The algorithms of a comparison, each once, by the names that they have in its results.
///
/// ```
/// use emtee_engine::{Comparison, Cost, Registry};
///
/// let registry = Registry::standard();
/// let game = registry.get("kalah")?;
/// let comparison = Comparison::new(game, ["mtd-f", "sss"])?;
/// let costs = comparison.algorithms.iter().map(|(_, algorithm)| {
///     let mut settings = Comparison::settings(game);
///     settings.options.algorithm = *algorithm;
///     let row = game.start().search(&settings, Comparison::budget(*algorithm, 5), &mut |_| ())?;
///     Ok(vec![(0, Cost::from(&row))])
/// });
/// let standings = comparison.standings(&costs.collect::<Result<Vec<_>, emtee_engine::Error>>()?);
/// assert_eq!(standings[comparison.baseline].nodes_pct, Some(100.0));
/// # Ok::<(), emtee_engine::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// Names and algorithms.
    pub algorithms: Vec<(String, Algorithm)>,
    /// The index of the baseline: Aspiration NegaScout with the window of the game.
    pub baseline: usize,
}

impl Comparison {
    /// The algorithms of these names, `all` for all of them, `baselines` for the three [kinds](Baseline) of Aspiration NegaScout,
    /// and the tuned baseline of the game. Aspiration NegaScout without a window is the tuned baseline.
    pub fn new<'n>(game: &dyn Entry, names: impl IntoIterator<Item = &'n str>) -> Result<Comparison, emtee::Error> {
        Comparison::by_kind(&|kind| game.baseline(kind).algorithm, names)
    }

    /// The same for a game that is not in the registry.
    pub fn with_baseline<'n>(
        baseline: Algorithm,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<Comparison, emtee::Error> {
        let default = |kind| Registry::default_baseline(kind).algorithm;
        Comparison::by_kind(&|kind| if kind == Baseline::Tuned { baseline } else { default(kind) }, names)
    }

    fn by_kind<'n>(
        kinds: &dyn Fn(Baseline) -> Algorithm,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<Comparison, emtee::Error> {
        let baseline = kinds(Baseline::Tuned);
        let mut algorithms: Vec<(String, Algorithm)> = Vec::new();
        let mut add = |name: String, algorithm: Algorithm| {
            if !algorithms.iter().any(|(_, known)| *known == algorithm) {
                algorithms.push((name, algorithm));
            }
        };
        let tuned = |algorithm| if algorithm == Algorithm::BASELINE { baseline } else { algorithm };
        for name in names.into_iter().map(str::trim).filter(|name| !name.is_empty()) {
            if name == "all" {
                Algorithm::ALL.into_iter().for_each(|algorithm| add(algorithm.to_string(), tuned(algorithm)));
                continue;
            }
            let chosen = match name {
                "baselines" => Baseline::ALL.to_vec(),
                _ => Baseline::of_algorithm(name)?.into_iter().collect(),
            };
            if !chosen.is_empty() {
                chosen.into_iter().for_each(|kind| add(kind.algorithm_name(), kinds(kind)));
                continue;
            }
            let algorithm: Algorithm = name.parse()?;
            algorithm.check_is_minimax()?;
            match name.contains(':') {
                true => add(name.to_owned(), algorithm),
                false => add(algorithm.to_string(), tuned(algorithm)),
            }
        }
        add(Algorithm::BASELINE.to_string(), baseline);
        let baseline = algorithms.iter().position(|(_, algorithm)| *algorithm == baseline).unwrap_or_default();
        Ok(Comparison { algorithms, baseline })
    }

    /// The guess of an algorithm that has its own, by its name: that of current practice is the average of past values.
    pub fn own_guess(name: &str) -> Option<Guess> {
        (name == Baseline::Practice.algorithm_name()).then_some(Guess::Average)
    }

    /// The settings of a comparison: a table of 2^20 entries that stores leaves, the first guesses that are best for the game, no
    /// enhanced transposition cutoffs, and no visits for the principal variation. They are the defaults of an experiment.
    pub fn settings(game: &dyn Entry) -> Settings {
        let mut settings = Settings::default();
        settings.options.guess = game.guess();
        settings.options.mode = Mode::Exact { etc: Some(0) };
        settings.options.principal_variation = false;
        settings
    }

    /// The budget of a search to this depth. Oracles have a limit of 300,000 nodes too.
    pub fn budget(algorithm: Algorithm, depth: u8) -> Budget {
        let budget = Budget::depth(depth);
        if algorithm.is_oracle() { budget.and_nodes(ORACLE_NODES) } else { budget }
    }

    /// The [standings](standings()) of the algorithms.
    pub fn standings(&self, costs: &[Vec<(usize, Cost)>]) -> Vec<Standing> {
        standings(self.baseline, costs)
    }
}

/// The sums of each algorithm over its positions, and its geometric means relative to the baseline over the positions that both
/// have. `costs` has the positions of each algorithm, by number, and what they cost.
pub fn standings(baseline: usize, costs: &[Vec<(usize, Cost)>]) -> Vec<Standing> {
    let empty = Vec::new();
    let base = costs.get(baseline).unwrap_or(&empty);
    let standing = |own: &Vec<(usize, Cost)>| {
        let percent = |of: fn(&Cost) -> f64| {
            let ratio = |(position, cost): &(usize, Cost)| {
                let (_, base) = base.iter().find(|(other, _)| other == position)?;
                Some(of(cost) / of(base))
            };
            geometric_mean(own.iter().filter_map(ratio)).map(|mean| 100.0 * mean)
        };
        Standing {
            positions: own.len(),
            nbp: own.iter().map(|(_, cost)| cost.nbp).sum(),
            nodes: own.iter().map(|(_, cost)| cost.nodes).sum(),
            passes: own.iter().map(|(_, cost)| cost.passes).sum(),
            seconds: own.iter().map(|(_, cost)| cost.seconds).sum(),
            nbp_pct: percent(|cost| cost.nbp as f64),
            nodes_pct: percent(|cost| cost.nodes as f64),
            seconds_pct: percent(|cost| cost.seconds),
        }
    };
    costs.iter().map(standing).collect()
}

/// What a search cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Leaf evaluations.
    pub nbp: u64,
    /// All visits.
    pub nodes: u64,
    /// The number of passes.
    pub passes: usize,
    /// The time taken.
    pub seconds: f64,
}

impl From<&Row> for Cost {
    fn from(row: &Row) -> Cost {
        Cost { nbp: row.counts.nbp, nodes: row.counts.nodes(), passes: row.passes, seconds: row.seconds }
    }
}

/// An algorithm in a comparison: sums, and geometric means of the ratios to the baseline in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Standing {
    /// The number of positions.
    pub positions: usize,
    /// Leaf evaluations.
    pub nbp: u64,
    /// All visits.
    pub nodes: u64,
    /// The number of passes.
    pub passes: usize,
    /// The time taken.
    pub seconds: f64,
    /// Leaf evaluations in percent of those of the baseline. `None`: no position is shared with it.
    pub nbp_pct: Option<f64>,
    /// Visits in percent.
    pub nodes_pct: Option<f64>,
    /// Time in percent.
    pub seconds_pct: Option<f64>,
}

/// The geometric mean of the positive finite ratios; `None` if there are none.
pub fn geometric_mean(ratios: impl IntoIterator<Item = f64>) -> Option<f64> {
    let valid = ratios.into_iter().filter(|ratio| *ratio > 0.0 && ratio.is_finite());
    let (sum, count) = valid.fold((0.0, 0.0), |(sum, count), ratio| (sum + ratio.ln(), count + 1.0));
    (count > 0.0).then(|| f64::exp(sum / count))
}

#[cfg(test)]
mod tests {
    use emtee::research::Widen;

    use super::*;

    const GAME: Algorithm = Algorithm::AspirationNegaScout { width: 16, widen: Widen::Double };

    #[test]
    fn the_baseline_has_the_window_of_the_game() {
        let of = |names: &[&str]| Comparison::with_baseline(GAME, names.iter().copied()).unwrap();
        let names = |comparison: &Comparison| comparison.algorithms.iter().map(|(name, _)| name.clone()).collect();
        let added = of(&["mtd-f", "mtdf", " "]);
        let expected: Vec<String> = names(&added);
        assert_eq!((expected, added.baseline), (vec!["mtd-f".into(), "aspiration-negascout".into()], 1));
        assert_eq!(added.algorithms[1].1, GAME);
        // A window that is named is another algorithm beside the baseline.
        let windowed = of(&["aspiration-negascout:7", "aspiration-negascout"]);
        let expected: Vec<String> = names(&windowed);
        assert_eq!(expected, ["aspiration-negascout:7", "aspiration-negascout"]);
        assert_eq!((windowed.algorithms[1].1, windowed.baseline), (GAME, 1));
        let all = of(&["all"]);
        assert_eq!(all.algorithms.len(), Algorithm::ALL.len());
        assert_eq!(all.algorithms[all.baseline].1, GAME);
        assert!(Comparison::with_baseline(GAME, ["mtd-g"]).is_err());
    }

    #[test]
    fn means_are_geometric_and_over_shared_positions() {
        let comparison = Comparison::with_baseline(GAME, ["mtd-f"]).unwrap();
        let cost = |nodes: u64| Cost { nbp: nodes, nodes, passes: 1, seconds: 0.0 };
        let own = vec![(0, cost(50)), (1, cost(800)), (3, cost(7))];
        let base = vec![(0, cost(100)), (1, cost(100)), (2, cost(1))];
        let standings = comparison.standings(&[own, base]);
        assert!((standings[0].nodes_pct.unwrap() - 200.0).abs() < 1e-9, "the mean of 1/2 and 8 is 2");
        assert_eq!((standings[0].nodes, standings[0].positions, standings[0].seconds_pct), (857, 3, None));
        assert_eq!(standings[1].nodes_pct, Some(100.0));
        assert_eq!(geometric_mean([]), None);
    }
}
