//! Synthetic trees beside the real games: what section 4.1 holds against simulations, one switch at a time.
//!
//! The trees begin as much like a game as the model allows. Then each of the things that simulations leave out is switched
//! off alone, and at last all of them, which is what the literature simulated.

use emtee::Algorithm;
use emtee::research::Guess;
use emtee_engine::Registry;

use crate::plan::Plan;
use crate::spec::{RunKind, Spec};
use crate::study::named;

/// One way to make the trees, and to search them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Switches {
    pub(crate) name: &'static str,
    /// Whether some positions have more moves than others.
    pub(crate) variable_width: bool,
    pub(crate) transpositions: bool,
    pub(crate) ordering: bool,
    pub(crate) correlation: bool,
    pub(crate) memory: bool,
    pub(crate) deepening: bool,
}

const ALL_ON: Switches = Switches {
    name: "like a game",
    variable_width: true,
    transpositions: true,
    ordering: true,
    correlation: true,
    memory: true,
    deepening: true,
};

/// From what is like a game to what was simulated.
pub(crate) const CONDITIONS: [Switches; 8] = [
    ALL_ON,
    Switches { name: "fixed width", variable_width: false, ..ALL_ON },
    Switches { name: "no transpositions", transpositions: false, ..ALL_ON },
    Switches { name: "no deepening", deepening: false, ..ALL_ON },
    Switches { name: "no memory", memory: false, ..ALL_ON },
    Switches { name: "no ordering", ordering: false, ..ALL_ON },
    Switches { name: "no correlation", correlation: false, ..ALL_ON },
    Switches {
        name: "none of them",
        variable_width: false,
        transpositions: false,
        ordering: false,
        correlation: false,
        memory: false,
        deepening: false,
    },
];

const WIDTH: u16 = 8;
const DEPTH: u8 = 7;

/// What is compared.
pub(crate) fn algorithms() -> Vec<Algorithm> {
    let mut all = named(&["mtd-f", "sss", "dual", "negascout", "alpha-beta"]);
    all.push(Algorithm::BASELINE);
    all
}

impl Switches {
    /// The positions: the roots of so many trees.
    pub(crate) fn trees(self, plan: &Plan) -> Vec<String> {
        let correlation = if self.correlation { 90 } else { 0 };
        let ordering = if self.ordering { 85 } else { 0 };
        let spread = if self.variable_width { WIDTH / 2 } else { 0 };
        let transpositions = if self.transpositions { 10 } else { 0 };
        let study = &plan.experiment.study;
        (0..u64::from(study.trees))
            .map(|n| {
                let seed = study.seed.wrapping_mul(10_007).wrapping_add(n);
                // Deeper than any search, so that the horizon and not the end of the game makes the leaves.
                format!(
                    "seed={seed} width={WIDTH} spread={spread} depth=40 correlation={correlation} ordering={ordering} \
                     transpositions={transpositions} range=1000 grain=1"
                )
            })
            .collect()
    }

    /// A run. Where there is no memory it is taken from the depth-first algorithms alone: without it the best-first ones
    /// would not be what they are, and this is how the literature counted.
    pub(crate) fn spec(self, plan: &Plan, tree: &str, algorithm: Algorithm) -> Spec {
        let starved = !self.memory && algorithm.driver().is_none();
        Spec {
            kind: RunKind::Count,
            game: String::from(Registry::SYNTHETIC),
            position: tree.to_owned(),
            algorithm,
            depth: DEPTH,
            step: u8::from(self.deepening),
            entries: if starved { 1 } else { plan.experiment.search.entries },
            one_bound: false,
            etc: 0,
            grain: 1,
            threads: 1,
            guess: Guess::default(),
            evaluator: None,
        }
    }
}

/// All runs on synthetic trees.
pub(crate) fn specs(plan: &Plan) -> Vec<Spec> {
    let mut specs = Vec::new();
    for switches in CONDITIONS {
        for tree in switches.trees(plan) {
            specs.extend(algorithms().into_iter().map(|algorithm| switches.spec(plan, &tree, algorithm)));
        }
    }
    specs
}
