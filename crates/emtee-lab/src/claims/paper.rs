//! The claims of the paper, in the order of the paper.

use emtee::Algorithm;
use emtee_engine::TreeSearch;
use emtee_games::tree::Tree;

use super::{Finding, Statement, Tester, thousands};
use crate::estimate::Estimate;
use crate::figure_kind::{BEST, named};
use crate::plan::Subject;
use crate::results::{LEAVES, Metric, NODES, Results, depths, title};
use crate::simulation::{CONDITIONS, Condition};
use crate::spec::Spec;

/// The algorithms that the paper compares (section 4.2).
const COMPARED: [Algorithm; 5] =
    [Algorithm::MtdF, Algorithm::Sss, Algorithm::Dual, Algorithm::NegaScout, Algorithm::AlphaBeta];

/// The paper's numbers for one of its games.
struct PaperGame {
    name: &'static str,
    /// The average branching factor.
    branching: &'static str,
    /// Moves tried per cut node.
    tried: &'static str,
    /// The time of MTD-f relative to Aspiration NegaScout, in percent.
    time: &'static str,
    /// The share of cut nodes near the leaves at which the first move cuts off.
    near_leaves: f64,
}

/// The paper's games, by branching factor.
const PAPER: [PaperGame; 3] = [
    PaperGame { name: "checkers", branching: "3", tried: "1.1", time: "95 %", near_leaves: 0.9 },
    PaperGame { name: "othello", branching: "10", tried: "1.2", time: "95 %", near_leaves: 0.8 },
    PaperGame { name: "chess", branching: "36", tried: "1.2", time: "90 %", near_leaves: 0.9 },
];

/// The same share for games that are not in the paper.
const NEAR_LEAVES: f64 = 0.9;

/// The game in which SSS* evaluates more leaves than Alpha-Beta, according to the paper.
const NARROWEST: &str = PAPER[0].name;

/// A claim of the paper.
const fn claim(section: &'static str, claim: &'static str, paper: &'static str, rule: &'static str) -> Statement {
    Statement { section, claim, paper, rule }
}

const BELOW: &str = "interval below 100 %";
const ABOVE: &str = "interval above 100 %";

pub(super) fn abstract_to_section_3(test: &mut Tester) {
    let results = test.results;
    let plan = results.plan;
    let against = |subject: &Subject, algorithm, metric: Metric| {
        results.against_baseline(subject, algorithm, subject.depth, metric)
    };
    test.every_game(
        claim(
            "abstract",
            "leaf counts of the algorithms differ by less than 20 % in real games",
            "< 20 %",
            "interval of the largest over the smallest count below 120 %",
        ),
        |subject| {
            let measured =
                COMPARED.iter().filter_map(|&algorithm| Some((algorithm, against(subject, algorithm, LEAVES)?.mean)));
            let all: Vec<(Algorithm, f64)> = measured.chain([(Algorithm::BASELINE, 1.0)]).collect();
            let most = all.iter().max_by(|a, b| a.1.total_cmp(&b.1))?.0;
            let least = all.iter().min_by(|a, b| a.1.total_cmp(&b.1))?.0;
            let ratio = results.between(subject, most, least, LEAVES).filter(|_| all.len() > 2)?;
            Some(Finding::below(ratio, 1.2).labelled(format!("{} over {}", title(most), title(least))))
        },
    );
    simulations(test);
    for (text, metric) in [
        ("MTD-f evaluates fewer leaves than Aspiration NegaScout", LEAVES),
        ("MTD-f visits fewer nodes than Aspiration NegaScout", NODES),
    ] {
        test.every_game(claim("abstract, 4.4", text, "< 100 %", BELOW), |subject| {
            Some(Finding::below(against(subject, Algorithm::MtdF, metric)?, 1.0))
        });
    }
    test.every_game(
        claim("abstract, 4.5", "MTD-f takes less time than Aspiration NegaScout", "< 100 %", BELOW),
        |subject| Some(Finding::below(results.time(subject, Algorithm::MtdF, subject.depth)?, 1.0)),
    );
    test.every_game(
        claim(
            "abstract, 4.4",
            "MTD-f consistently evaluates fewer leaves than Aspiration NegaScout",
            "in almost every case",
            "fewer leaves in more than half of the positions, sign test p < 5 %",
        ),
        |subject| {
            let ratio = against(subject, Algorithm::MtdF, LEAVES)?;
            let (less, total, p) = (ratio.less, ratio.positions, ratio.sign_test());
            let text = format!("fewer leaves in {less} of {total} positions, p = {p:.4}");
            Some(Finding::new(text, if p < 0.05 { Some(less > ratio.more) } else { None }))
        },
    );
    equivalence(test);
    solution_trees(test);
    test.every_game(
        claim(
            "3.2",
            "every driver of MT evaluates fewer leaves than Alpha-Beta",
            "fewer",
            "driver with the most leaves: interval below 100 %",
        ),
        |subject| {
            let over = |driver| Some((driver, results.between(subject, driver, Algorithm::AlphaBeta, LEAVES)?));
            let drivers = plan.drivers().into_iter().filter_map(over);
            let (worst, most) = drivers.max_by(|a, b| a.1.mean.total_cmp(&b.1.mean))?;
            Some(Finding::below(most, 1.0).labelled(format!("{} over Alpha-Beta", title(worst))))
        },
    );
    let guess_ratio = |subject: &Subject, offset: i32| first_guess_ratio(results, subject, offset);
    test.every_game(
        claim(
            "3.4",
            "with a first guess close to f, MTD-f evaluates fewer leaves than the baseline",
            "< 100 % near h = f",
            BELOW,
        ),
        |subject| Some(Finding::below(guess_ratio(subject, 0)?, 1.0)),
    );
    test.every_game(
        claim(
            "3.4",
            "first guesses far from f cost the most leaves",
            "increasing on both sides",
            "both ends above the interval at h = f",
        ),
        |subject| {
            let offsets = &plan.experiment.study.offsets;
            let (least, most) = (*offsets.iter().min()?, *offsets.iter().max()?);
            let [far_below, exact, far_above] =
                [guess_ratio(subject, least)?, guess_ratio(subject, 0)?, guess_ratio(subject, most)?];
            let [below, at_value, above] = [far_below, exact, far_above].map(|ratio| 100.0 * ratio.mean);
            let text = format!("{below:.1} % at h − f = {least:+}, {at_value:.1} % at 0, {above:.1} % at {most:+}");
            let holds = far_below.mean > exact.high && far_above.mean > exact.high;
            let fails = far_below.mean < exact.low || far_above.mean < exact.low;
            Some(Finding::new(text, if holds { Some(true) } else { fails.then_some(false) }))
        },
    );
}

/// Simulations on synthetic trees.
fn simulations(test: &mut Tester) {
    let results = test.results;
    let plan = results.plan;
    let simulated = |condition: Condition, one: Algorithm, other: Algorithm| {
        let trees = condition.trees(plan);
        let pair = |tree: &String| (condition.spec(plan, tree, one), condition.spec(plan, tree, other));
        let pairs: Vec<_> = trees.iter().map(pair).collect();
        let depth = pairs.first()?.0.depth;
        results.pairs(pairs, depth, LEAVES)
    };
    let over_sss = |ratio: Estimate| Finding::new(format!("Alpha-Beta over SSS*: {}", ratio.percent()), None);
    let [game_like, .., literature] = CONDITIONS;
    test.overall(
        claim(
            "abstract, 4.4",
            "in fixed-depth simulations Alpha-Beta evaluates almost twice the leaves of SSS*",
            "almost 100 % more",
            "interval above 175 %, on uniform trees as in the literature",
        ),
        simulated(literature, Algorithm::AlphaBeta, Algorithm::Sss)
            .map(|ratio| Finding { holds: ratio.is_below(1.75).map(|below| !below), ..over_sss(ratio) }),
    );
    test.overall(
        claim(
            "4.1, 4.4",
            "with move ordering, memory, deepening and correlation the difference disappears",
            "< 20 %",
            "interval below 120 %, on game-like trees",
        ),
        simulated(game_like, Algorithm::AlphaBeta, Algorithm::Sss)
            .map(|ratio| Finding { holds: ratio.is_below(1.2), ..over_sss(ratio) }),
    );
    let switched_off: Vec<(&str, Estimate)> = CONDITIONS[1..CONDITIONS.len() - 1]
        .iter()
        .filter_map(|&condition| Some((condition.name, simulated(condition, Algorithm::AlphaBeta, Algorithm::Sss)?)))
        .collect();
    let base = simulated(game_like, Algorithm::AlphaBeta, Algorithm::Sss);
    test.overall(
        claim(
            "4.1",
            "each property that simulations omit changes the ratio of Alpha-Beta to SSS*",
            "seven concerns",
            "each mean outside the interval of the game-like trees",
        ),
        base.filter(|_| !switched_off.is_empty()).map(|base| {
            let texts: Vec<String> =
                switched_off.iter().map(|(name, ratio)| format!("{name}: {:.0} %", 100.0 * ratio.mean)).collect();
            let same = switched_off.iter().filter(|(_, ratio)| (base.low..=base.high).contains(&ratio.mean)).count();
            Finding::new(format!("{}, game-like: {}", texts.join(", "), base.percent()), same == 0)
        }),
    );
}

/// Section 2: the MT drivers are equivalent to SSS* and DUAL*.
fn equivalence(test: &mut Tester) {
    let leaves = |tree: &Tree, name: &str| {
        let result = TreeSearch::by(name.parse().ok()?).run(tree, &mut ()).ok()?;
        Some((result.counts.nbp, result.value?))
    };
    let tree = Tree::paper();
    test.overall(
        claim(
            "2.3",
            "the worked example: SSS* as an MT driver returns 35 after four passes",
            "35, 4 passes",
            "the same value and number of passes",
        ),
        TreeSearch::by(Algorithm::Sss).run(&tree, &mut ()).ok().map(|result| {
            let (value, passes) = (result.value.map_or(0, |value| value.get()), result.passes());
            Finding::new(format!("{value}, {passes} passes"), (value, passes) == (35, 4))
        }),
    );
    test.overall(
        claim(
            "2.1, 2.2",
            "MTD+∞ and MTD−∞ evaluate the same leaves as SSS* and DUAL*",
            "the same",
            "the same value and number of leaves on the tree of the paper",
        ),
        (|| {
            let [sss, stockman, dual, stockman_dual] = [
                leaves(&tree, "sss")?,
                leaves(&tree, "stockman-sss")?,
                leaves(&tree, "dual")?,
                leaves(&tree, "stockman-dual")?,
            ];
            let text =
                format!("MTD+∞: {}, SSS*: {}, MTD−∞: {}, DUAL*: {} leaves", sss.0, stockman.0, dual.0, stockman_dual.0);
            Some(Finding::new(text, sss == stockman && dual == stockman_dual))
        })(),
    );
}

/// Storage: solution trees and table size.
fn solution_trees(test: &mut Tester) {
    let results = test.results;
    let plan = results.plan;
    let trees = |subject: &Subject, depth: u8| -> Vec<(f64, f64)> {
        let size = |position: &String| {
            let graph = results.get(&plan.minimal(subject, position))?;
            let row = graph.minimal.iter().find(|row| row.depth == depth)?;
            Some((row.max_tree as f64, row.min_tree as f64))
        };
        subject.positions.iter().filter_map(size).collect()
    };
    test.every_game(
        claim(
            "3",
            "at odd depths the min solution tree is smaller than the max solution tree",
            "w^⌊d/2⌋ and w^⌈d/2⌉",
            "interval of min over max below 100 %",
        ),
        |subject| {
            let odd = depths(subject.depth, subject.step).into_iter().rfind(|depth| depth % 2 == 1 && *depth > 1)?;
            let ratios: Vec<f64> = trees(subject, odd).into_iter().map(|(max, min)| min / max).collect();
            Some(Finding::below(results.ratio(&ratios)?, 1.0).labelled(format!("depth {odd}")))
        },
    );
    test.every_game(
        claim(
            "3.3, 4.2",
            "a table of 2²⁰ entries holds the solution trees",
            "2²⁰",
            "both trees of every position together have fewer than 2²⁰ positions",
        ),
        |subject| {
            let sums: Vec<f64> = trees(subject, subject.depth).into_iter().map(|(max, min)| max + min).collect();
            let largest = sums.iter().copied().reduce(f64::max)?;
            let fitting = sums.iter().filter(|sum| **sum < f64::from(1 << 20)).count();
            let text = format!("{fitting} of {} positions, largest {} entries", sums.len(), thousands(largest));
            Some(Finding::new(text, fitting == sums.len()))
        },
    );
    let sizes = &plan.experiment.study.entries;
    for (text, algorithm) in [
        ("SSS* needs no larger table than Aspiration NegaScout", Algorithm::Sss),
        ("DUAL* needs no larger table than Aspiration NegaScout", Algorithm::Dual),
    ] {
        test.every_game(
            claim(
                "4.4",
                text,
                "as much storage",
                "from 2¹⁶ entries to the largest table its leaves decrease by at most 5 % more than the baseline's",
            ),
            |subject| {
                let (small, large) = (*sizes.iter().find(|&&size| size >= 1 << 16)?, *sizes.iter().max()?);
                let reduction = |position: &String, algorithm: Algorithm| {
                    let sized = |entries| Spec { entries, ..plan.sampled(subject, position, algorithm) };
                    let leaves = |spec: Spec| Some(LEAVES(results.get(&spec)?.at(subject.study_depth)?));
                    Some(leaves(sized(small))? / leaves(sized(large))?)
                };
                let ratio = |position: &String| {
                    Some(reduction(position, algorithm)? / reduction(position, Algorithm::BASELINE)?)
                };
                let ratios: Vec<f64> = subject.sample.iter().filter_map(ratio).collect();
                (large > small).then(|| results.ratio(&ratios))?.map(|ratio| Finding::below(ratio, 1.05))
            },
        );
    }
    test.every_game(
        claim(
            "3",
            "MTD-best can evaluate fewer leaves than the minimal tree has",
            "possible",
            "in at least one position",
        ),
        |subject| {
            let (mut smaller, mut total) = (0, 0);
            for position in &subject.positions {
                let leaves = results.get(&plan.count(subject, position, BEST[0]))?.last_leaves()?;
                let graph = results.get(&plan.minimal(subject, position))?;
                let minimal = graph.minimal.iter().find(|row| row.depth == subject.depth)?;
                smaller += u32::from(leaves < minimal.nbp);
                total += 1;
            }
            Some(Finding::new(format!("in {smaller} of {total} positions"), smaller > 0))
        },
    );
}

/// The leaves of MTD-f with the first guess f + `offset`, relative to the baseline (figure 10).
pub(crate) fn first_guess_ratio(results: &Results, subject: &Subject, offset: i32) -> Option<Estimate> {
    let plan = results.plan;
    let pair = |position: &String| {
        (plan.first_guess(subject, position, offset), plan.count(subject, position, Algorithm::BASELINE))
    };
    results.pairs(subject.positions.iter().map(pair), subject.depth, LEAVES)
}

pub(super) fn section_4(test: &mut Tester) {
    let results = test.results;
    let plan = results.plan;
    let against = |subject: &Subject, algorithm, metric: Metric| {
        results.against_baseline(subject, algorithm, subject.depth, metric)
    };
    for PaperGame { name, branching, .. } in PAPER {
        test.games(
            claim("4.4", "average branching factor", branching, "within 20 % of the paper's number"),
            |game| game == name,
            |subject| {
                let (expected, measured) = (branching.parse::<f64>().ok()?, plan.branching(&subject.name)?);
                Some(Finding::new(format!("{measured:.1} moves"), (expected / 1.2..expected * 1.2).contains(&measured)))
            },
        );
    }
    for algorithm in ["mtd-bi", "mtd-step"].into_iter().flat_map(|name| named(&[name])) {
        let text = match algorithm {
            Algorithm::MtdBi => "MTD-bi needs two bounds per table entry",
            _ => "MTD-step needs two bounds per table entry",
        };
        test.every_game(
            claim(
                "4.2",
                text,
                "not testable with one",
                "interval of the leaves with one bound over two bounds above 105 %",
            ),
            |subject| {
                let pair = |position: &String| {
                    let sampled = |one_bound| Spec { one_bound, ..plan.sampled(subject, position, algorithm) };
                    (sampled(true), sampled(false))
                };
                let ratio = results.pairs(subject.sample.iter().map(pair), subject.study_depth, LEAVES)?;
                Some(Finding::above(ratio, 1.05))
            },
        );
    }
    test.every_game(
        claim("4.4", "MTD-f saves at least 5 % of the leaves on average", "≤ 95 %", "interval below 95 %"),
        |subject| Some(Finding::below(against(subject, Algorithm::MtdF, LEAVES)?, 0.95)),
    );
    test.every_game(
        claim("4.4", "MTD-f calls MT three to four times per iteration", "3 to 4", "interval between 3 and 4"),
        |subject| {
            let passes = results.passes_per_iteration(subject, Algorithm::MtdF, None)?;
            Some(Finding::between(passes, passes.number(2), 3.0, 4.0))
        },
    );
    for (text, algorithm) in [
        ("SSS* needs dozens to hundreds of MT calls", Algorithm::Sss),
        ("DUAL* needs dozens to hundreds of MT calls", Algorithm::Dual),
    ] {
        test.every_game(
            claim("4.4", text, "dozens to hundreds", "interval above 24 in the last iteration"),
            |subject| {
                let passes = results.passes_per_iteration(subject, algorithm, Some(subject.depth))?;
                Some(Finding::new(passes.number(0), passes.is_below(24.0).map(|below| !below)))
            },
        );
    }
    for (text, algorithm) in [
        ("SSS* visits more nodes than Aspiration NegaScout", Algorithm::Sss),
        ("DUAL* visits more nodes than Aspiration NegaScout", Algorithm::Dual),
    ] {
        test.every_game(claim("4.4", text, "> 100 %", ABOVE), |subject| {
            Some(Finding::above(against(subject, algorithm, NODES)?, 1.0))
        });
    }
    let between = |subject: &Subject, one, other, metric: Metric| results.between(subject, one, other, metric);
    test.every_game(claim("4.4", "DUAL* visits fewer nodes than SSS*", "fewer nodes", BELOW), |subject| {
        Some(Finding::below(between(subject, Algorithm::Dual, Algorithm::Sss, NODES)?, 1.0).labelled("DUAL* over SSS*"))
    });
    test.games(
        claim("4.4", "in checkers SSS* evaluates more leaves than Alpha-Beta", "more", ABOVE),
        |game| game == NARROWEST,
        |subject| {
            let ratio = between(subject, Algorithm::Sss, Algorithm::AlphaBeta, LEAVES)?;
            Some(Finding::above(ratio, 1.0).labelled("SSS* over Alpha-Beta"))
        },
    );
    trend(test);
    test.every_game(
        claim("4.4", "Alpha-Beta evaluates more leaves than Aspiration NegaScout", "> 100 %", ABOVE),
        |subject| Some(Finding::above(against(subject, Algorithm::AlphaBeta, LEAVES)?, 1.0).labelled("Alpha-Beta")),
    );
    test.every_game(claim("4.4", "MTD-f outperforms Alpha-Beta", "fewer leaves", BELOW), |subject| {
        let ratio = between(subject, Algorithm::MtdF, Algorithm::AlphaBeta, LEAVES)?;
        Some(Finding::below(ratio, 1.0).labelled("MTD-f over Alpha-Beta"))
    });
    test.every_game(
        claim(
            "4.4",
            "all algorithms come close to the minimal tree",
            "close",
            "largest ratio of leaves to the minimal graph: interval below 1.25",
        ),
        |subject| {
            let over = |algorithm| Some((algorithm, results.over_minimal(subject, algorithm, 0)?));
            let all: Vec<(Algorithm, Estimate)> = plan.algorithms().into_iter().filter_map(over).collect();
            let (worst, largest) = all.iter().max_by(|a, b| a.1.mean.total_cmp(&b.1.mean))?;
            let (best, smallest) = all.iter().min_by(|a, b| a.1.mean.total_cmp(&b.1.mean))?;
            let text = format!("{} {} to {} {}", title(*best), smallest.number(2), title(*worst), largest.number(2));
            Some(Finding::new(text, largest.is_below(1.25)))
        },
    );
    ordering(test);
    for PaperGame { name, time, .. } in PAPER {
        test.games(
            claim("4.5", "time of MTD-f relative to Aspiration NegaScout", time, "interval below the paper's number"),
            |game| game == name,
            |subject| {
                let percent: f64 = time.trim_end_matches(" %").parse().ok()?;
                Some(Finding::below(results.time(subject, Algorithm::MtdF, subject.depth)?, percent / 100.0))
            },
        );
    }
    test.every_game(
        claim(
            "4.6",
            "MTD-best (prove-best) evaluates slightly fewer leaves than MTD-f",
            "a few percent fewer leaves",
            BELOW,
        ),
        |subject| {
            Some(
                Finding::below(between(subject, BEST[0], Algorithm::MtdF, LEAVES)?, 1.0)
                    .labelled("prove-best over MTD-f"),
            )
        },
    );
    test.every_game(
        claim(
            "4.6",
            "MTD-best confirms its first candidate in about half of the iterations",
            "about half",
            "interval between 40 and 60 %",
        ),
        |subject| {
            let [prove, disprove] = BEST.map(|algorithm| results.confirmed(subject, algorithm));
            let text = format!("prove-best {}, disprove-rest {:.0} %", prove?.percent(), 100.0 * disprove?.mean);
            Some(Finding::between(prove?, text, 0.4, 0.6))
        },
    );
}

/// SSS* relative to the baseline, by branching factor.
fn trend(test: &mut Tester) {
    let results = test.results;
    let mut all: Vec<(f64, String, Estimate)> = results
        .plan
        .subjects
        .iter()
        .filter_map(|subject| {
            let ratio = results.against_baseline(subject, Algorithm::Sss, subject.depth, LEAVES)?;
            Some((results.plan.branching(&subject.name)?, subject.name.clone(), ratio))
        })
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    test.overall(
        claim(
            "4.4",
            "the leaves of SSS* relative to Aspiration NegaScout decrease with the branching factor",
            "decreasing",
            "each interval below that of the game with the next smaller branching factor",
        ),
        (all.len() >= 3).then(|| {
            let texts: Vec<String> = all
                .iter()
                .map(|(width, game, ratio)| format!("{game} ({width:.1} moves): {}", ratio.percent()))
                .collect();
            let falling = all.windows(2).all(|two| two[1].2.high < two[0].2.low);
            let rising = all.windows(2).any(|two| two[1].2.low > two[0].2.high);
            Finding::new(texts.join("; "), if falling { Some(true) } else { rising.then_some(false) })
        }),
    );
}

/// Quality of the move ordering.
fn ordering(test: &mut Tester) {
    let results = test.results;
    for PaperGame { name, tried, .. } in PAPER {
        test.games(
            claim(
                "4.4",
                "moves tried per cut node",
                tried,
                "interval not above the paper's number after rounding to one decimal",
            ),
            |game| game == name,
            |subject| {
                let measured = results.moves_tried(subject, Algorithm::BASELINE, |_| true)?;
                let expected: f64 = tried.parse().ok()?;
                Some(Finding::new(measured.number(2), measured.is_below(expected + 0.05)))
            },
        );
    }
    let first = |subject: &Subject, limit: f64, heights: &dyn Fn(usize) -> bool| {
        Some(Finding::above(results.first_cuts(subject, Algorithm::BASELINE, heights)?, limit))
    };
    test.every_game(
        claim("4.4", "the first move cuts off at more than 95 % of the cut nodes", "> 95 %", "interval above 95 %"),
        |subject| first(subject, 0.95, &|_| true),
    );
    test.every_game(
        claim(
            "4.4",
            "in the upper half of the tree the first move cuts off at 97 to 98 %",
            "97–98 %",
            "interval above 97 %",
        ),
        |subject| first(subject, 0.97, &|height| height > usize::from(subject.depth) / 2),
    );
    test.every_game(
        claim(
            "4.4",
            "near the leaves the first move cuts off at more than 90 % (Othello: 80 %)",
            "> 90 %, Othello > 80 %",
            "interval above the paper's number, at heights 1 and 2",
        ),
        |subject| {
            let paper = PAPER.iter().find(|game| game.name == subject.name);
            first(subject, paper.map_or(NEAR_LEAVES, |game| game.near_leaves), &|height| height <= 2)
        },
    );
}
