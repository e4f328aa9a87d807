//! The figures by name, and the runs that each of them needs.

use std::fmt;
use std::str::FromStr;

use emtee::Algorithm;
use emtee::research::Strategy;
use emtee_engine::Baseline;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::plan::{Plan, Subject};
use crate::simulation;
use crate::spec::Spec;

/// The figures that a report can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FigureKind {
    /// The answer: MTD-f against the three baselines, at two depths of different parity.
    Baselines,
    /// Figure 9: the convergence of each driver on one position.
    Convergence,
    /// Figure 10: tree size against the first guess.
    FirstGuess,
    /// Figure 11: leaves.
    Leaves,
    /// Figure 12: total nodes.
    Nodes,
    /// Figure 13: execution time.
    Time,
    /// Figure 14: MTD-best.
    Best,
    /// MTD-bi and MTD-step with one and two bounds per table entry.
    TwoBounds,
    /// Leaves against the table size, for every algorithm.
    TableSize,
    /// Passes per iteration.
    Passes,
    /// Move ordering by height: first-move cutoffs and moves tried at cut nodes.
    Ordering,
    /// The sizes of the solution trees compared with the table size.
    SolutionTrees,
    /// Distance to the left-first minimal graph.
    MinimalGraph,
    /// The components of the distance to the minimal graph.
    Distance,
    /// The cost of an error of the first guess.
    GuessError,
    /// Enhanced transposition cutoffs by height.
    Etc,
    /// Passes and nodes against the grain of the evaluation.
    Grain,
    /// MTD-f against the baseline by the error of the first guess in grains, a line per game.
    Choice,
    /// Synthetic trees, with one property switched off at a time.
    Simulation,
}

impl FigureKind {
    /// All figures: the answer, those of the paper, and more.
    pub const ALL: [FigureKind; 19] = [
        FigureKind::Baselines,
        FigureKind::Convergence,
        FigureKind::FirstGuess,
        FigureKind::Leaves,
        FigureKind::Nodes,
        FigureKind::Time,
        FigureKind::Best,
        FigureKind::TwoBounds,
        FigureKind::TableSize,
        FigureKind::Passes,
        FigureKind::Ordering,
        FigureKind::SolutionTrees,
        FigureKind::MinimalGraph,
        FigureKind::Distance,
        FigureKind::GuessError,
        FigureKind::Etc,
        FigureKind::Grain,
        FigureKind::Choice,
        FigureKind::Simulation,
    ];

    /// The number of the figure in the paper, or its name.
    pub const fn name(self) -> &'static str {
        match self {
            FigureKind::Baselines => "baselines",
            FigureKind::Convergence => "9",
            FigureKind::FirstGuess => "10",
            FigureKind::Leaves => "11",
            FigureKind::Nodes => "12",
            FigureKind::Time => "13",
            FigureKind::Best => "14",
            FigureKind::TwoBounds => "two-bounds",
            FigureKind::TableSize => "table-size",
            FigureKind::Passes => "passes",
            FigureKind::Ordering => "ordering",
            FigureKind::SolutionTrees => "solution-trees",
            FigureKind::MinimalGraph => "minimal-graph",
            FigureKind::Distance => "distance",
            FigureKind::GuessError => "guess-error",
            FigureKind::Etc => "etc",
            FigureKind::Grain => "grain",
            FigureKind::Choice => "choice",
            FigureKind::Simulation => "simulation",
        }
    }

    /// The file name without its extension.
    pub fn file(self) -> String {
        match self.name() {
            name if name.starts_with(|c: char| c.is_ascii_digit()) => format!("figure-{name:0>2}"),
            name => name.to_owned(),
        }
    }
}

impl fmt::Display for FigureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for FigureKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<FigureKind, Error> {
        let name = text.trim().to_ascii_lowercase().replace(['_', ' '], "-");
        let names = FigureKind::ALL.map(FigureKind::name);
        FigureKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
            let nearest = emtee_engine::nearest(&name, names).unwrap_or_default();
            Error::bad(format!(
                "there is no figure '{text}'; did you mean '{nearest}'? The figures are {}",
                names.join(", ")
            ))
        })
    }
}

impl Serialize for FigureKind {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.name().parse::<u8>() {
            Ok(number) => to.serialize_u8(number),
            Err(_) => to.serialize_str(self.name()),
        }
    }
}

impl<'d> Deserialize<'d> for FigureKind {
    fn deserialize<D: serde::Deserializer<'d>>(from: D) -> Result<FigureKind, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum NumberOrName {
            Number(i64),
            Name(String),
        }
        let name = match NumberOrName::deserialize(from)? {
            NumberOrName::Number(number) => number.to_string(),
            NumberOrName::Name(name) => name,
        };
        name.parse().map_err(serde::de::Error::custom)
    }
}

/// Both strategies of MTD-best.
pub(crate) const BEST: [Algorithm; 2] =
    [Algorithm::MtdBest(Strategy::ProveBest), Algorithm::MtdBest(Strategy::DisproveRest)];

/// The drivers that need both bounds (section 4.2), and MTD-f for comparison.
pub(crate) const TWO_BOUNDS: [&str; 4] = ["mtd-bi", "mtd-step", "mtd-gallop", "mtd-f"];

/// MTD-f and the drivers with larger steps.
pub(crate) const GRAINED: [&str; 4] = ["mtd-f", "mtd-gallop", "mtd-bi", "mtd-step"];

/// Algorithms by name.
pub(crate) fn named(names: &[&str]) -> Vec<Algorithm> {
    names.iter().filter_map(|name| name.parse().ok()).collect()
}

impl FigureKind {
    /// The runs of the figure.
    pub(crate) fn specs(self, plan: &Plan) -> Vec<Spec> {
        if self == FigureKind::Baselines {
            return baseline_specs(plan);
        }
        plan.subjects
            .iter()
            .flat_map(|subject| self.game_specs(plan, subject))
            .chain(self.synthetic_specs(plan))
            .collect()
    }

    /// The runs on a game of the experiment.
    fn game_specs(self, plan: &Plan, subject: &Subject) -> Vec<Spec> {
        let mut specs = Vec::new();
        let mut all_positions = |algorithms: &[Algorithm]| {
            for position in &subject.positions {
                specs.extend(algorithms.iter().map(|&algorithm| plan.count(subject, position, algorithm)));
            }
        };
        match self {
            FigureKind::Leaves | FigureKind::Nodes | FigureKind::Passes => all_positions(&plan.algorithms()),
            FigureKind::Best => {
                all_positions(&[Algorithm::BASELINE, Algorithm::MtdF, BEST[0], BEST[1]]);
                specs.extend(subject.positions.iter().map(|position| plan.minimal(subject, position)));
            }
            FigureKind::Ordering => all_positions(&[Algorithm::BASELINE, Algorithm::MtdF]),
            FigureKind::Convergence => {
                specs.extend(
                    plan.drivers().into_iter().map(|driver| plan.count(subject, &subject.positions[0], driver)),
                );
            }
            FigureKind::FirstGuess => {
                for position in &subject.positions {
                    specs.push(plan.count(subject, position, Algorithm::BASELINE));
                    specs.push(plan.baseline_first_guess(subject, position));
                    let offsets = &plan.experiment.study.offsets;
                    specs.extend(offsets.iter().map(|&offset| plan.first_guess(subject, position, offset)));
                }
            }
            FigureKind::Time => {
                for named in &plan.experiment.timed {
                    specs.extend(subject.positions.iter().map(|position| plan.timed(subject, position, named.0)));
                }
            }
            FigureKind::TwoBounds => {
                for position in &subject.sample {
                    for one_bound in [false, true] {
                        for algorithm in named(&TWO_BOUNDS).into_iter().chain([Algorithm::BASELINE]) {
                            specs.push(Spec { one_bound, ..plan.sampled(subject, position, algorithm) });
                        }
                    }
                }
            }
            FigureKind::TableSize => {
                for position in &subject.sample {
                    for &entries in &plan.experiment.study.entries {
                        for one_bound in [false, true] {
                            let sized =
                                |algorithm| Spec { entries, one_bound, ..plan.sampled(subject, position, algorithm) };
                            specs.extend(plan.algorithms().into_iter().map(sized));
                        }
                    }
                    specs.push(plan.sampled(subject, position, Algorithm::BASELINE));
                }
            }
            FigureKind::SolutionTrees => {
                specs.extend(subject.positions.iter().map(|position| plan.minimal(subject, position)));
            }
            FigureKind::MinimalGraph => {
                for position in &subject.sample {
                    specs.push(plan.minimal_with_etc(subject, position));
                    specs.extend(
                        plan.contenders().into_iter().map(|algorithm| plan.evaluations(subject, position, algorithm)),
                    );
                }
                for position in &subject.positions {
                    specs.push(plan.minimal(subject, position));
                    for algorithm in plan.contenders() {
                        for etc in [0, plan.experiment.study.with_etc] {
                            specs.push(Spec { etc, ..plan.count(subject, position, algorithm) });
                        }
                    }
                }
            }
            FigureKind::Distance => {
                for position in &subject.positions {
                    specs.push(plan.minimal(subject, position));
                    specs.push(plan.first_guess(subject, position, 0));
                    specs.push(plan.with_lossless_table(plan.first_guess(subject, position, 0)));
                    specs.push(plan.count(subject, position, Algorithm::MtdF));
                    specs.push(plan.count(subject, position, Algorithm::BASELINE));
                }
            }
            FigureKind::GuessError => {
                all_positions(&[Algorithm::BASELINE, Algorithm::MtdF]);
                specs.extend(subject.positions.iter().map(|position| plan.minimal(subject, position)));
            }
            FigureKind::Etc => {
                for position in &subject.sample {
                    for algorithm in [Algorithm::BASELINE, Algorithm::MtdF] {
                        for etc in plan.etc_heights() {
                            specs.push(Spec { etc, ..plan.sampled(subject, position, algorithm) });
                        }
                    }
                    specs.extend(plan.experiment.study.etc.iter().map(|&etc| plan.etc_timed(subject, position, etc)));
                }
            }
            FigureKind::Grain | FigureKind::Choice => {
                let compared = if self == FigureKind::Grain { &GRAINED[..] } else { &GRAINED[..1] };
                for position in &subject.sample {
                    for &grain in &plan.experiment.study.grains {
                        for algorithm in named(compared).into_iter().chain([Algorithm::BASELINE]) {
                            specs.push(Spec { grain, ..plan.sampled(subject, position, algorithm) });
                        }
                    }
                }
            }
            FigureKind::Simulation => all_positions(&simulation::algorithms()),
            // Its runs are listed position by position.
            FigureKind::Baselines => {}
        }
        specs
    }

    /// The runs on synthetic trees.
    fn synthetic_specs(self, plan: &Plan) -> Vec<Spec> {
        match self {
            FigureKind::Simulation => simulation::specs(plan),
            _ => Vec::new(),
        }
    }
}

/// The runs of the main comparison: those of the first position of every game, then those of the second, and so on. An
/// execution that is stopped has then measured as many positions of each game.
fn baseline_specs(plan: &Plan) -> Vec<Spec> {
    let most = plan.subjects.iter().map(|subject| subject.positions.len()).max().unwrap_or(0);
    let mut specs = Vec::new();
    for index in 0..most {
        for subject in &plan.subjects {
            let Some(position) = subject.positions.get(index) else { continue };
            for depth in plan.pooled_depths(subject) {
                specs.push(plan.pooled(subject, plan.count(subject, position, Algorithm::MtdF), depth));
                for kind in Baseline::ALL {
                    specs.push(plan.pooled(subject, plan.baseline(subject, position, kind), depth));
                }
            }
        }
    }
    if plan.experiment.timed.iter().any(|named| named.0 == Algorithm::MtdF) {
        for subject in &plan.subjects {
            for position in &subject.sample {
                specs.extend(Baseline::ALL.map(|kind| plan.timed_against(subject, position, kind)));
            }
        }
    }
    specs
}
