//! Simulations on synthetic trees, for comparison with real games (section 4.1).
//!
//! The first condition models a game as closely as the tree model allows. Each further condition switches off one property
//! that simulations omit. The last condition switches off all of them, as in the simulations of the literature.

use emtee::Algorithm;
use emtee::research::Guess;
use emtee_engine::Registry;

use crate::figure_kind::named;
use crate::plan::Plan;
use crate::spec::{RunKind, Spec};

/// A condition: the properties of the trees and of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    pub(crate) name: &'static str,
    /// Whether the number of moves differs between positions.
    pub(crate) variable_width: bool,
    pub(crate) transpositions: bool,
    pub(crate) ordering: bool,
    pub(crate) correlation: bool,
    pub(crate) memory: bool,
    pub(crate) deepening: bool,
}

const GAME_LIKE: Condition = Condition {
    name: "game-like",
    variable_width: true,
    transpositions: true,
    ordering: true,
    correlation: true,
    memory: true,
    deepening: true,
};

/// All conditions, from the game-like one to that of the literature.
pub(crate) const CONDITIONS: [Condition; 8] = [
    GAME_LIKE,
    Condition { name: "fixed width", variable_width: false, ..GAME_LIKE },
    Condition { name: "no transpositions", transpositions: false, ..GAME_LIKE },
    Condition { name: "no deepening", deepening: false, ..GAME_LIKE },
    Condition { name: "no memory", memory: false, ..GAME_LIKE },
    Condition { name: "no ordering", ordering: false, ..GAME_LIKE },
    Condition { name: "no correlation", correlation: false, ..GAME_LIKE },
    Condition {
        name: "all switched off",
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

/// The compared algorithms.
pub(crate) fn algorithms() -> Vec<Algorithm> {
    let mut all = named(&["mtd-f", "sss", "dual", "negascout", "alpha-beta"]);
    all.push(Algorithm::BASELINE);
    all
}

impl Condition {
    /// The positions: the roots of `study.trees` trees.
    pub(crate) fn trees(self, plan: &Plan) -> Vec<String> {
        let correlation = if self.correlation { 90 } else { 0 };
        let ordering = if self.ordering { 85 } else { 0 };
        let spread = if self.variable_width { WIDTH / 2 } else { 0 };
        let transpositions = if self.transpositions { 10 } else { 0 };
        let study = &plan.experiment.study;
        (0..u64::from(study.trees))
            .map(|n| {
                let seed = study.seed.wrapping_mul(10_007).wrapping_add(n);
                // The trees are deeper than any search, so all leaves are at the horizon.
                format!(
                    "seed={seed} width={WIDTH} spread={spread} depth=40 correlation={correlation} ordering={ordering} \
                     transpositions={transpositions} range=1000 grain=1"
                )
            })
            .collect()
    }

    /// The run of a tree. Without memory only the depth-first algorithms lose their table, as in the literature: the best-first
    /// algorithms depend on theirs.
    pub(crate) fn spec(self, plan: &Plan, tree: &str, algorithm: Algorithm) -> Spec {
        let no_table = !self.memory && algorithm.driver().is_none() && !algorithm.is_oracle();
        Spec {
            kind: RunKind::Count,
            game: String::from(Registry::SYNTHETIC),
            position: tree.to_owned(),
            algorithm,
            depth: DEPTH,
            step: u8::from(self.deepening),
            entries: if no_table { 1 } else { plan.experiment.search.entries },
            one_bound: false,
            etc: 0,
            grain: 1,
            threads: 1,
            guess: Guess::default(),
            evaluator: None,
        }
    }
}

/// Number of trees on which the OPEN list is timed.
const OPEN_LIST_TREES: usize = 4;

/// The time of Stockman's SSS* relative to SSS* as a driver of MT, on the trees of the literature.
pub(crate) fn open_list_specs(plan: &Plan) -> Vec<Spec> {
    let [.., literature] = CONDITIONS;
    let timed = |tree: &String| {
        let kind = RunKind::Time {
            rounds: plan.experiment.study.rounds,
            against: Algorithm::Sss,
            against_etc: 0,
            against_guess: None,
        };
        Spec { kind, ..literature.spec(plan, tree, Algorithm::StockmanSss) }
    };
    literature.trees(plan).iter().take(OPEN_LIST_TREES).map(timed).collect()
}

/// All runs on synthetic trees.
pub(crate) fn specs(plan: &Plan) -> Vec<Spec> {
    let mut specs = Vec::new();
    for condition in CONDITIONS {
        for tree in condition.trees(plan) {
            specs.extend(algorithms().into_iter().map(|algorithm| condition.spec(plan, &tree, algorithm)));
        }
    }
    if !plan.experiment.timed.is_empty() {
        specs.extend(open_list_specs(plan));
    }
    specs
}
