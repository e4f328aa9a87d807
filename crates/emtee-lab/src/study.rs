//! The figures by name. Each is a study: it knows the runs it needs.

use std::fmt;
use std::str::FromStr;

use emtee::Algorithm;
use emtee::research::Strategy;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::plan::{Plan, Subject};
use crate::simulation;
use crate::spec::Spec;

/// A figure, and the question behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Study {
    /// 9: how each driver converges on one position.
    Convergence,
    /// 10: tree size against the first guess.
    FirstGuess,
    /// 11: leaves.
    Leaves,
    /// 12: total nodes.
    Nodes,
    /// 13: time.
    Time,
    /// 14: MTD-best.
    Best,
    /// MTD-bi and MTD-step, with one and two bounds an entry.
    TwoBounds,
    /// Every algorithm against the size of the table.
    TableSize,
    /// Passes per iteration.
    Passes,
    /// Moves tried at cut nodes, by height.
    Ordering,
    /// The sizes of the solution trees against the table.
    SolutionTrees,
    /// Distance to the left-first minimal graph.
    MinimalGraph,
    /// Where the distance to the minimal graph comes from.
    Distance,
    /// What a wrong first guess costs.
    GuessError,
    /// Enhanced transposition cutoffs by height.
    Etc,
    /// The grain of the evaluation.
    Grain,
    /// Synthetic trees, one switch at a time.
    Simulation,
}

impl Study {
    /// All of them, those of the paper first.
    pub const ALL: [Study; 17] = [
        Study::Convergence,
        Study::FirstGuess,
        Study::Leaves,
        Study::Nodes,
        Study::Time,
        Study::Best,
        Study::TwoBounds,
        Study::TableSize,
        Study::Passes,
        Study::Ordering,
        Study::SolutionTrees,
        Study::MinimalGraph,
        Study::Distance,
        Study::GuessError,
        Study::Etc,
        Study::Grain,
        Study::Simulation,
    ];

    /// The number of the figure in the paper, or a name.
    pub const fn name(self) -> &'static str {
        match self {
            Study::Convergence => "9",
            Study::FirstGuess => "10",
            Study::Leaves => "11",
            Study::Nodes => "12",
            Study::Time => "13",
            Study::Best => "14",
            Study::TwoBounds => "two-bounds",
            Study::TableSize => "table-size",
            Study::Passes => "passes",
            Study::Ordering => "ordering",
            Study::SolutionTrees => "solution-trees",
            Study::MinimalGraph => "minimal-graph",
            Study::Distance => "distance",
            Study::GuessError => "guess-error",
            Study::Etc => "etc",
            Study::Grain => "grain",
            Study::Simulation => "simulation",
        }
    }

    /// The name of its file, without an ending.
    pub fn file(self) -> String {
        match self.name() {
            name if name.starts_with(|c: char| c.is_ascii_digit()) => format!("figure-{name:0>2}"),
            name => name.to_owned(),
        }
    }
}

impl fmt::Display for Study {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Study {
    type Err = Error;

    fn from_str(text: &str) -> Result<Study, Error> {
        let name = text.trim().to_ascii_lowercase().replace(['_', ' '], "-");
        let names = Study::ALL.map(Study::name);
        Study::ALL.into_iter().find(|study| study.name() == name).ok_or_else(|| {
            let nearest = emtee_engine::nearest(&name, names).unwrap_or_default();
            Error::bad(format!(
                "there is no figure '{text}'; did you mean '{nearest}'? The figures are {}",
                names.join(", ")
            ))
        })
    }
}

impl Serialize for Study {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.name().parse::<u8>() {
            Ok(number) => to.serialize_u8(number),
            Err(_) => to.serialize_str(self.name()),
        }
    }
}

impl<'d> Deserialize<'d> for Study {
    fn deserialize<D: serde::Deserializer<'d>>(from: D) -> Result<Study, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(i64),
            Name(String),
        }
        let name = match Written::deserialize(from)? {
            Written::Number(number) => number.to_string(),
            Written::Name(name) => name,
        };
        name.parse().map_err(serde::de::Error::custom)
    }
}

/// Both strategies of MTD-best.
pub(crate) const BEST: [Algorithm; 2] =
    [Algorithm::MtdBest(Strategy::ProveBest), Algorithm::MtdBest(Strategy::DisproveRest)];

/// The drivers that need both bounds (section 4.2), with MTD-f beside them.
pub(crate) const TWO_BOUNDS: [&str; 4] = ["mtd-bi", "mtd-step", "mtd-gallop", "mtd-f"];

/// MTD-f and its accelerated kin.
pub(crate) const GRAINED: [&str; 4] = ["mtd-f", "mtd-gallop", "mtd-bi", "mtd-step"];

/// Algorithms by name.
pub(crate) fn named(names: &[&str]) -> Vec<Algorithm> {
    names.iter().filter_map(|name| name.parse().ok()).collect()
}

impl Study {
    /// The runs it needs.
    pub(crate) fn specs(self, plan: &Plan) -> Vec<Spec> {
        plan.subjects.iter().flat_map(|subject| self.of(plan, subject)).chain(self.apart(plan)).collect()
    }

    /// Those on one of the games.
    fn of(self, plan: &Plan, subject: &Subject) -> Vec<Spec> {
        let mut specs = Vec::new();
        let mut everywhere = |algorithms: &[Algorithm]| {
            for position in &subject.positions {
                specs.extend(algorithms.iter().map(|&algorithm| plan.count(subject, position, algorithm)));
            }
        };
        match self {
            Study::Leaves | Study::Nodes | Study::Passes => everywhere(&plan.algorithms()),
            Study::Best => {
                everywhere(&[Algorithm::BASELINE, Algorithm::MtdF, BEST[0], BEST[1]]);
                specs.extend(subject.positions.iter().map(|position| plan.minimal(subject, position)));
            }
            Study::Ordering => everywhere(&[Algorithm::BASELINE, Algorithm::MtdF]),
            Study::Convergence => {
                specs.extend(
                    plan.drivers().into_iter().map(|driver| plan.count(subject, &subject.positions[0], driver)),
                );
            }
            Study::FirstGuess => {
                for position in &subject.positions {
                    specs.push(plan.count(subject, position, Algorithm::BASELINE));
                    specs.push(plan.baseline_told(subject, position));
                    let offsets = &plan.experiment.study.offsets;
                    specs.extend(offsets.iter().map(|&offset| plan.told(subject, position, offset)));
                }
            }
            Study::Time => {
                for named in &plan.experiment.timed {
                    specs.extend(subject.positions.iter().map(|position| plan.timed(subject, position, named.0)));
                }
            }
            Study::TwoBounds => {
                for position in &subject.sample {
                    for one_bound in [false, true] {
                        for algorithm in named(&TWO_BOUNDS).into_iter().chain([Algorithm::BASELINE]) {
                            specs.push(Spec { one_bound, ..plan.sampled(subject, position, algorithm) });
                        }
                    }
                }
            }
            Study::TableSize => {
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
            Study::SolutionTrees => {
                specs.extend(subject.positions.iter().map(|position| plan.minimal(subject, position)));
            }
            Study::MinimalGraph => {
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
            Study::Distance => {
                for position in &subject.positions {
                    specs.push(plan.minimal(subject, position));
                    specs.push(plan.told(subject, position, 0));
                    specs.push(plan.roomy(plan.told(subject, position, 0)));
                    specs.push(plan.count(subject, position, Algorithm::MtdF));
                    specs.push(plan.count(subject, position, Algorithm::BASELINE));
                }
            }
            Study::GuessError => {
                everywhere(&[Algorithm::BASELINE, Algorithm::MtdF]);
                specs.extend(subject.positions.iter().map(|position| plan.minimal(subject, position)));
            }
            Study::Etc => {
                for position in &subject.sample {
                    for algorithm in [Algorithm::BASELINE, Algorithm::MtdF] {
                        for etc in plan.etc_heights() {
                            specs.push(Spec { etc, ..plan.sampled(subject, position, algorithm) });
                        }
                    }
                    specs.extend(plan.experiment.study.etc.iter().map(|&etc| plan.etc_timed(subject, position, etc)));
                }
            }
            Study::Grain => {
                for position in &subject.sample {
                    for &grain in &plan.experiment.study.grains {
                        for algorithm in named(&GRAINED).into_iter().chain([Algorithm::BASELINE]) {
                            specs.push(Spec { grain, ..plan.sampled(subject, position, algorithm) });
                        }
                    }
                }
            }
            Study::Simulation => everywhere(&simulation::algorithms()),
        }
        specs
    }

    /// Those on no game of the experiment.
    fn apart(self, plan: &Plan) -> Vec<Spec> {
        match self {
            Study::Simulation => simulation::specs(plan),
            _ => Vec::new(),
        }
    }
}
