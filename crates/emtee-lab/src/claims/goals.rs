//! Goals for the default driver, and claims of later work.

use emtee::Algorithm;

use super::{FEWER, Finding, Statement, Tester};
use crate::plan::Subject;
use crate::results::{LEAVES, Metric, NODES};
use crate::spec::Spec;

pub(super) fn goals(test: &mut Tester) {
    let results = test.results;
    let plan = results.plan;
    let driver = Algorithm::default();
    let against = |subject: &Subject, metric: Metric| results.against_baseline(subject, driver, subject.depth, metric);
    let goal = |claim, paper, rule| Statement { section: "goal", claim, paper, rule };
    test.every_game(goal("the default driver: leaves", "≤ 95 %", "interval below 95 %"), |subject| {
        Some(Finding::below(against(subject, LEAVES)?, 0.95))
    });
    test.every_game(goal("the default driver: nodes", "< 100 %", FEWER), |subject| {
        Some(Finding::fewer(against(subject, NODES)?))
    });
    test.every_game(goal("the default driver: time", "< 100 %", FEWER), |subject| {
        Some(Finding::fewer(results.time(subject, driver, subject.depth)?))
    });
    test.every_game(goal("the default driver: passes per iteration", "≤ 4", "interval below 4"), |subject| {
        let passes = results.passes_per_iteration(subject, driver, None)?;
        Some(Finding::new(passes.number(1), passes.is_below(4.0)))
    });
    test.every_game(
        goal("the default driver with h = f: leaves relative to the baseline with h = f", "< 100 %", FEWER),
        |subject| {
            let pair = |position: &String| {
                (plan.first_guess(subject, position, 0), plan.baseline_first_guess(subject, position))
            };
            Some(Finding::fewer(results.pairs(subject.positions.iter().map(pair), subject.depth, LEAVES)?))
        },
    );
    test.every_game(
        goal("the default driver: first-move cutoffs at cut nodes", "≥ 97 %", "interval above 97 %"),
        |subject| Some(Finding::above(results.first_cuts(subject, driver, |_| true)?, 0.97)),
    );
    let over = |subject: &Subject, etc: u8, limit: f64| {
        let over = results.over_minimal(subject, driver, etc)?;
        Some(Finding::new(over.number(2), over.is_below(limit)))
    };
    test.every_game(
        goal("the default driver: leaves over the minimal graph, without ETC", "≤ 1.05", "interval below 1.05"),
        |subject| over(subject, 0, 1.05),
    );
    test.every_game(
        goal("the default driver: leaves over the minimal graph, with ETC", "< 1.00", "interval below 1.00"),
        |subject| over(subject, plan.experiment.study.with_etc, 1.0),
    );
    let statement = Statement {
        section: "later work",
        claim: "enhanced transposition cutoffs make the trees at least 25 % smaller",
        paper: "≤ 75 %",
        rule: "interval below 75 %",
    };
    test.every_game(statement, |subject| {
        let lowest = plan.experiment.study.etc.iter().copied().filter(|&etc| etc > 0).min()?;
        let pair = |position: &String| {
            let sampled = plan.sampled(subject, position, Algorithm::MtdF);
            (Spec { etc: lowest, ..sampled.clone() }, Spec { etc: 0, ..sampled })
        };
        let ratio = results.pairs(subject.sample.iter().map(pair), subject.study_depth, LEAVES)?;
        Some(Finding::below(ratio, 0.75).labelled(format!("ETC from height {lowest}")))
    });
}
