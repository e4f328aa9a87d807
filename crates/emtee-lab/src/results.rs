//! The results of an experiment, and the ratios for figures and claims.

use std::collections::HashMap;

use emtee::Algorithm;
use emtee::research::{Strategy, Widen};
use emtee_engine::{Height, PassRow};

use crate::database::Database;
use crate::error::Error;
use crate::estimate::Estimate;
use crate::outcome::{IterationRow, Outcome};
use crate::plan::{Plan, Subject};
use crate::spec::Spec;

/// All results of a plan.
pub(crate) struct Results<'p> {
    pub(crate) plan: &'p Plan,
    outcomes: HashMap<i64, Outcome>,
    database: &'p Database,
}

/// A measure at the end of an iteration, cumulative.
pub(crate) type Metric = fn(&IterationRow) -> f64;

pub(crate) const LEAVES: Metric = |row| row.counts.nbp as f64;
pub(crate) const NODES: Metric = |row| row.counts.nodes() as f64;
/// Visits of quiescence search.
pub(crate) const QUIESCENCE: Metric = |row| row.counts.quiet_nodes as f64;
/// Only for runs on the virtual clock. Processor times are compared in interleaved rounds ([`Results::timed`]).
pub(crate) const VIRTUAL_TIME: Metric = |row| row.seconds;

impl<'p> Results<'p> {
    pub(crate) fn load(plan: &'p Plan, database: &'p Database) -> Result<Results<'p>, Error> {
        Ok(Results { plan, outcomes: database.outcomes()?, database })
    }

    pub(crate) fn get(&self, spec: &Spec) -> Option<&Outcome> {
        self.outcomes.get(&spec.number())
    }

    pub(crate) fn passes(&self, spec: &Spec) -> Result<Vec<PassRow>, Error> {
        self.database.passes(spec.number())
    }

    pub(crate) fn ratio(&self, ratios: &[f64]) -> Option<Estimate> {
        Estimate::ratio(ratios, self.plan.experiment.study.seed)
    }

    /// The mean ratio of pairs of runs at one depth.
    pub(crate) fn pairs(
        &self,
        pairs: impl IntoIterator<Item = (Spec, Spec)>,
        depth: u8,
        metric: Metric,
    ) -> Option<Estimate> {
        let ratios: Vec<f64> = pairs
            .into_iter()
            .filter_map(|(one, other)| Some(metric(self.get(&one)?.at(depth)?) / metric(self.get(&other)?.at(depth)?)))
            .collect();
        self.ratio(&ratios)
    }

    /// An algorithm relative to the baseline, over all positions of a game.
    pub(crate) fn against_baseline(
        &self,
        subject: &Subject,
        algorithm: Algorithm,
        depth: u8,
        metric: Metric,
    ) -> Option<Estimate> {
        let pair = |position: &String| {
            let count = |algorithm| self.plan.count(subject, position, algorithm);
            (count(algorithm), count(Algorithm::BASELINE))
        };
        self.pairs(subject.positions.iter().map(pair), depth, metric)
    }

    /// The time of an algorithm relative to the baseline.
    pub(crate) fn time(&self, subject: &Subject, algorithm: Algorithm, depth: u8) -> Option<Estimate> {
        self.timed(subject.positions.iter().map(|position| self.plan.timed(subject, position, algorithm)), depth)
    }

    /// The mean ratio of times: the geometric mean over the rounds, then over the positions.
    pub(crate) fn timed(&self, specs: impl IntoIterator<Item = Spec>, depth: u8) -> Option<Estimate> {
        let of_position = |spec: Spec| {
            let times = self.get(&spec)?.times.iter().filter(|time| time.depth == depth && time.against > 0.0);
            let logs: Vec<f64> = times.map(|time| (time.seconds / time.against).ln()).collect();
            (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
        };
        let ratios: Vec<f64> = specs.into_iter().filter_map(of_position).collect();
        self.ratio(&ratios)
    }

    /// One algorithm relative to another, over all positions of a game.
    pub(crate) fn between(
        &self,
        subject: &Subject,
        one: Algorithm,
        other: Algorithm,
        metric: Metric,
    ) -> Option<Estimate> {
        let count = |position: &String, algorithm| self.plan.count(subject, position, algorithm);
        let pair = |position: &String| (count(position, one), count(position, other));
        self.pairs(subject.positions.iter().map(pair), subject.depth, metric)
    }

    /// The sum of a count over the sum of its whole, over all positions of a game; `None` if a run is missing.
    fn share(
        &self,
        subject: &Subject,
        algorithm: Algorithm,
        of: impl Fn(&Outcome) -> Option<(u64, u64)>,
    ) -> Option<Estimate> {
        let part = |position: &String| {
            let (part, whole) = of(self.get(&self.plan.count(subject, position, algorithm))?)?;
            Some((part as f64, whole as f64))
        };
        let parts: Option<Vec<(f64, f64)>> = subject.positions.iter().map(part).collect();
        Estimate::share(&parts?, self.plan.experiment.study.seed)
    }

    /// Passes per iteration: over all iterations, or at one depth.
    pub(crate) fn passes_per_iteration(
        &self,
        subject: &Subject,
        algorithm: Algorithm,
        depth: Option<u8>,
    ) -> Option<Estimate> {
        self.share(subject, algorithm, |outcome| {
            let rows = &outcome.iterations;
            let selected = |index: &usize| depth.is_none_or(|depth| rows[*index].depth == depth);
            let passes = |index: usize| rows[index].passes - if index > 0 { rows[index - 1].passes } else { 0 };
            let all = (0..rows.len()).filter(selected);
            Some((all.clone().map(passes).sum(), all.count() as u64))
        })
    }

    /// The leaves of a minimal graph at one depth.
    pub(crate) fn minimal_leaves(&self, graph: &Spec, depth: u8) -> Option<f64> {
        Some(self.get(graph)?.minimal.iter().find(|row| row.depth == depth)?.nbp as f64)
    }

    /// Leaves of the minimal graph with enhanced transposition cutoffs over those of the graph without, over the sample.
    pub(crate) fn minimal_with_etc(&self, subject: &Subject) -> Option<Estimate> {
        let of_position = |position: &String| {
            let with = self.minimal_leaves(&self.plan.minimal_with_etc(subject, position), subject.depth)?;
            Some(with / self.minimal_leaves(&self.plan.minimal(subject, position), subject.depth)?)
        };
        let ratios: Vec<f64> = subject.sample.iter().filter_map(of_position).collect();
        self.ratio(&ratios)
    }

    /// Leaves of the last iteration over those of the minimal graph.
    pub(crate) fn over_minimal(&self, subject: &Subject, algorithm: Algorithm, etc: u8) -> Option<Estimate> {
        let of_position = |position: &String| {
            let run = self.get(&Spec { etc, ..self.plan.count(subject, position, algorithm) })?;
            let minimal = self.minimal_leaves(&self.plan.minimal(subject, position), subject.depth)?;
            Some(run.last_leaves()? as f64 / minimal)
        };
        let ratios: Vec<f64> = subject.positions.iter().filter_map(of_position).collect();
        self.ratio(&ratios)
    }

    /// Leaves of the iteration of one depth over those of its minimal graph.
    pub(crate) fn over_minimal_at(&self, subject: &Subject, algorithm: Algorithm, depth: u8) -> Option<Estimate> {
        let of_position = |position: &String| {
            let leaves = self.get(&self.plan.count(subject, position, algorithm))?.leaves_of(depth)?;
            Some(leaves as f64 / self.minimal_leaves(&self.plan.minimal(subject, position), depth)?)
        };
        let ratios: Vec<f64> = subject.positions.iter().filter_map(of_position).collect();
        self.ratio(&ratios)
    }

    /// The share of an algorithm's leaf evaluations that repeat an evaluation of the same iteration, over the sample.
    pub(crate) fn reevaluated(&self, subject: &Subject, algorithm: Algorithm) -> Option<f64> {
        let (mut nbp, mut positions) = (0, 0);
        for position in &subject.sample {
            for row in &self.get(&self.plan.evaluations(subject, position, algorithm))?.evaluations {
                nbp += row.nbp;
                positions += row.positions;
            }
        }
        (nbp > 0).then(|| (nbp - positions) as f64 / nbp as f64)
    }

    /// The share of cut nodes at which the first move cuts off, at the given heights.
    pub(crate) fn first_cuts(
        &self,
        subject: &Subject,
        algorithm: Algorithm,
        heights: impl Fn(usize) -> bool,
    ) -> Option<Estimate> {
        self.per_cut_node(subject, algorithm, heights, |row| row.first_move_cuts)
    }

    /// Moves tried per cut node, at the given heights.
    pub(crate) fn moves_tried(
        &self,
        subject: &Subject,
        algorithm: Algorithm,
        heights: impl Fn(usize) -> bool,
    ) -> Option<Estimate> {
        self.per_cut_node(subject, algorithm, heights, |row| row.moves_at_cuts)
    }

    /// The mean of a count per cut node, at the given heights.
    fn per_cut_node(
        &self,
        subject: &Subject,
        algorithm: Algorithm,
        heights: impl Fn(usize) -> bool,
        of: fn(&Height) -> u64,
    ) -> Option<Estimate> {
        self.share(subject, algorithm, |outcome| {
            let rows = outcome.heights.iter().filter(|row| heights(row.height));
            Some(rows.fold((0, 0), |sum, row| (sum.0 + of(row), sum.1 + row.cut_nodes)))
        })
    }

    /// The share of iterations in which MTD-best confirmed its first candidate, without the first iteration.
    pub(crate) fn confirmed(&self, subject: &Subject, algorithm: Algorithm) -> Option<Estimate> {
        self.share(subject, algorithm, |outcome| {
            let rows = outcome.iterations.get(1..)?;
            let confirmed: Option<u64> = rows.iter().map(|row| row.confirmed.map(u64::from)).sum();
            Some((confirmed?, rows.len() as u64))
        })
    }

    /// The leaves of the last iteration of one run over those of another, over all positions of a game.
    pub(crate) fn last_leaves(
        &self,
        subject: &Subject,
        one: impl Fn(&str) -> Spec,
        other: impl Fn(&str) -> Spec,
    ) -> Option<Estimate> {
        let leaves = |spec: Spec| Some(self.get(&spec)?.last_leaves()? as f64);
        let ratio = |position: &String| Some(leaves(one(position))? / leaves(other(position))?);
        let ratios: Vec<f64> = subject.positions.iter().filter_map(ratio).collect();
        self.ratio(&ratios)
    }
}

/// The iteration depths of a search.
pub(crate) fn depths(depth: u8, step: u8) -> Vec<u8> {
    let step = step.max(1);
    ((depth - 1) % step + 1..=depth).step_by(usize::from(step)).collect()
}

/// The name of an algorithm, as in the paper.
pub(crate) fn title(algorithm: Algorithm) -> String {
    match algorithm {
        Algorithm::MtdF => "MTD-f".into(),
        Algorithm::MtdFFigure8 => "MTD-f (fig. 8)".into(),
        Algorithm::MtdGallop { .. } => "MTD-gallop".into(),
        Algorithm::Sss => "SSS*".into(),
        Algorithm::Dual => "DUAL*".into(),
        Algorithm::MtdBi => "MTD-bi".into(),
        Algorithm::MtdStep { .. } => "MTD-step".into(),
        Algorithm::MtdBest(Strategy::ProveBest) => "prove-best".into(),
        Algorithm::MtdBest(Strategy::DisproveRest) => "disprove-rest".into(),
        Algorithm::MtdBest(Strategy::Separate) => "BNS".into(),
        Algorithm::BASELINE => "Asp. NegaScout".into(),
        Algorithm::AspirationNegaScout { width, widen: Widen::Open } => format!("Asp. NegaScout {width}"),
        Algorithm::AspirationNegaScout { width, widen: Widen::Grow } => format!("Asp. NegaScout {width}×4/3"),
        Algorithm::AspirationNegaScout { width, .. } => format!("Asp. NegaScout {width}×2"),
        Algorithm::NegaScout => "NegaScout".into(),
        Algorithm::Scout => "Scout".into(),
        Algorithm::AlphaBeta => "Alpha-Beta".into(),
        other => other.to_string(),
    }
}

/// The name of a game, capitalized.
pub(crate) fn heading(game: &str) -> String {
    let mut letters = game.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
