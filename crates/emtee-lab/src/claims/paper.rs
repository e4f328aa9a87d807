//! The paper's claims, in its order.

use emtee::Algorithm;
use emtee_engine::TreeSearch;
use emtee_games::tree::Tree;

use super::{Finding, Question, Tester, thousands};
use crate::estimate::Estimate;
use crate::plan::Subject;
use crate::results::{LEAVES, Metric, NODES, Results, depths, title};
use crate::simulation::{CONDITIONS, Switches};
use crate::spec::Spec;
use crate::study::{BEST, named};

/// What the paper compares (section 4.2).
const COMPARED: [Algorithm; 5] =
    [Algorithm::MtdF, Algorithm::Sss, Algorithm::Dual, Algorithm::NegaScout, Algorithm::AlphaBeta];

/// What the paper says of one of its games.
struct PaperGame {
    name: &'static str,
    /// The average branching factor.
    branching: &'static str,
    /// Moves tried at a cut node.
    tried: &'static str,
    /// The time of MTD-f against Aspiration NegaScout, in percent.
    time: &'static str,
    /// The share of the cut nodes near the leaves that the first move cuts.
    near_leaves: f64,
}

/// The paper's games, by branching factor.
const PAPER: [PaperGame; 3] = [
    PaperGame { name: "checkers", branching: "3", tried: "1.1", time: "95 %", near_leaves: 0.9 },
    PaperGame { name: "othello", branching: "10", tried: "1.2", time: "95 %", near_leaves: 0.8 },
    PaperGame { name: "chess", branching: "36", tried: "1.2", time: "90 %", near_leaves: 0.9 },
];

/// The same share in a game that is not one of the paper's.
const NEAR_LEAVES: f64 = 0.9;

/// The game in which SSS* evaluates more leaves than Alpha-Beta.
const NARROWEST: &str = PAPER[0].name;

/// A claim of the paper's.
const fn claim(section: &'static str, claim: &'static str, paper: &'static str, rule: &'static str) -> Question {
    Question { section, claim, paper, rule }
}

const BELOW: &str = "interval below 100 %";
const ABOVE: &str = "interval above 100 %";

pub(super) fn front_and_section_3(test: &mut Tester) {
    let results = test.results;
    let plan = results.plan;
    let against = |subject: &Subject, algorithm, metric: Metric| {
        results.against_baseline(subject, algorithm, subject.depth, metric)
    };
    test.each(
        claim(
            "abstract",
            "leaf counts of the algorithms differ by less than 20 % in real games",
            "< 20 %",
            "interval of most over least below 120 %",
        ),
        |subject| {
            let found =
                COMPARED.iter().filter_map(|&algorithm| Some((algorithm, against(subject, algorithm, LEAVES)?.mean)));
            let all: Vec<(Algorithm, f64)> = found.chain([(Algorithm::BASELINE, 1.0)]).collect();
            let most = all.iter().max_by(|a, b| a.1.total_cmp(&b.1))?.0;
            let least = all.iter().min_by(|a, b| a.1.total_cmp(&b.1))?.0;
            let ratio = results.between(subject, most, least, LEAVES).filter(|_| all.len() > 2)?;
            Some(Finding::below(ratio, 1.2).of(&format!("({} over {})", title(most), title(least))))
        },
    );
    simulations(test);
    for (text, metric) in [
        ("MTD-f evaluates fewer leaves than Aspiration NegaScout", LEAVES),
        ("MTD-f visits fewer nodes than Aspiration NegaScout", NODES),
    ] {
        test.each(claim("abstract, 4.4", text, "< 100 %", BELOW), |subject| {
            Some(Finding::below(against(subject, Algorithm::MtdF, metric)?, 1.0))
        });
    }
    test.each(claim("abstract, 4.5", "MTD-f takes less time than Aspiration NegaScout", "< 100 %", BELOW), |subject| {
        Some(Finding::below(results.time(subject, Algorithm::MtdF, subject.depth)?, 1.0))
    });
    test.each(
        claim(
            "abstract, 4.4",
            "and does so consistently",
            "in almost every case",
            "in more than half of the positions, sign test below 5 %",
        ),
        |subject| {
            let ratio = against(subject, Algorithm::MtdF, LEAVES)?;
            let (less, of, p) = (ratio.less, ratio.positions, ratio.sign_test());
            let text = format!("fewer leaves in {less} of {of}, p = {p:.4}");
            Some(Finding::new(text, if p < 0.05 { Some(less > ratio.more) } else { None }))
        },
    );
    equivalence(test);
    solution_trees(test);
    test.each(claim("3.2", "every driver of MT evaluates fewer leaves than Alpha-Beta", "fewer", BELOW), |subject| {
        let over = |driver| Some((driver, results.between(subject, driver, Algorithm::AlphaBeta, LEAVES)?));
        let drivers = plan.drivers().into_iter().filter_map(over);
        let (worst, most) = drivers.max_by(|a, b| a.1.mean.total_cmp(&b.1.mean))?;
        Some(Finding::below(most, 1.0).of(&format!("of Alpha-Beta's ({}, the worst)", title(worst))))
    });
    let guessed = |subject: &Subject, offset: i32| guessed(results, subject, offset);
    test.each(
        claim("3.4", "a first guess close to f makes MTD-f better than the baseline", "< 100 % near h = f", BELOW),
        |subject| Some(Finding::below(guessed(subject, 0)?, 1.0)),
    );
    test.each(
        claim("3.4", "guesses far from f are the worst", "rises to both sides", "both ends above the interval at 0"),
        |subject| {
            let offsets = &plan.experiment.study.offsets;
            let (least, most) = (*offsets.iter().min()?, *offsets.iter().max()?);
            let [far_below, right, far_above] =
                [guessed(subject, least)?, guessed(subject, 0)?, guessed(subject, most)?];
            let [below, at, above] = [far_below, right, far_above].map(|ratio| 100.0 * ratio.mean);
            let text = format!("{below:.1} % at {least}, {at:.1} % at 0, {above:.1} % at +{most}");
            let holds = far_below.mean > right.high && far_above.mean > right.high;
            let fails = far_below.mean < right.low || far_above.mean < right.low;
            Some(Finding::new(text, if holds { Some(true) } else { fails.then_some(false) }))
        },
    );
}

/// Synthetic trees against the games.
fn simulations(test: &mut Tester) {
    let results = test.results;
    let plan = results.plan;
    let simulated = |switches: Switches, one: Algorithm, other: Algorithm| {
        let trees = switches.trees(plan);
        let pair = |tree: &String| (switches.spec(plan, tree, one), switches.spec(plan, tree, other));
        let pairs: Vec<_> = trees.iter().map(pair).collect();
        let depth = pairs.first()?.0.depth;
        results.pairs(pairs, depth, LEAVES)
    };
    let more = |ratio: Estimate| Finding::new(format!("Alpha-Beta has {} of SSS*'s", ratio.percent()), None);
    let [first, .., last] = CONDITIONS;
    test.together(
        claim(
            "abstract, 4.4",
            "fixed-depth simulations show Alpha-Beta with almost twice the leaves of SSS*",
            "almost 100 % more",
            "interval above 175 %, on uniform trees as in the literature",
        ),
        simulated(last, Algorithm::AlphaBeta, Algorithm::Sss)
            .map(|ratio| Finding { holds: ratio.is_below(1.75).map(|below| !below), ..more(ratio) }),
    );
    test.together(
        claim(
            "4.1, 4.4",
            "with order, memory, deepening and correlation that difference goes away",
            "< 20 %",
            "interval below 120 %, on trees made like a game",
        ),
        simulated(first, Algorithm::AlphaBeta, Algorithm::Sss)
            .map(|ratio| Finding { holds: ratio.is_below(1.2), ..more(ratio) }),
    );
    let moved: Vec<(&str, Estimate)> = CONDITIONS[1..CONDITIONS.len() - 1]
        .iter()
        .filter_map(|&switches| Some((switches.name, simulated(switches, Algorithm::AlphaBeta, Algorithm::Sss)?)))
        .collect();
    let base = simulated(first, Algorithm::AlphaBeta, Algorithm::Sss);
    test.together(
        claim(
            "4.1",
            "each thing that simulations leave out changes the answer",
            "seven concerns",
            "each mean outside the interval of the trees made like a game",
        ),
        base.filter(|_| !moved.is_empty()).map(|base| {
            let told: Vec<String> =
                moved.iter().map(|(name, ratio)| format!("{name} {:.0} %", 100.0 * ratio.mean)).collect();
            let same = moved.iter().filter(|(_, ratio)| (base.low..=base.high).contains(&ratio.mean)).count();
            Finding::new(format!("{}, like a game {}", told.join(", "), base.percent()), same == 0)
        }),
    );
}

/// Section 2: MT's drivers are the algorithms whose names they have.
fn equivalence(test: &mut Tester) {
    let leaves = |tree: &Tree, name: &str| {
        let found = TreeSearch::by(name.parse().ok()?).run(tree, &mut ()).ok()?;
        Some((found.counts.nbp, found.value?))
    };
    let tree = Tree::paper();
    test.together(
        claim("2.3", "the worked example: SSS* as MT finds 35 in four passes", "35, 4 passes", "the same"),
        TreeSearch::by(Algorithm::Sss).run(&tree, &mut ()).ok().map(|found| {
            let (value, passes) = (found.value.map_or(0, |value| value.get()), found.passes());
            Finding::new(format!("{value}, {passes} passes"), (value, passes) == (35, 4))
        }),
    );
    test.together(
        claim(
            "2.1, 2.2",
            "MTD+∞ and MTD−∞ evaluate the leaves that SSS* and DUAL* evaluate",
            "the same",
            "the same number and value, on the paper's tree",
        ),
        (|| {
            let [sss, stockman, dual, stockman_dual] = [
                leaves(&tree, "sss")?,
                leaves(&tree, "stockman-sss")?,
                leaves(&tree, "dual")?,
                leaves(&tree, "stockman-dual")?,
            ];
            let text = format!("SSS* {} and {}, DUAL* {} and {} leaves", sss.0, stockman.0, dual.0, stockman_dual.0);
            Some(Finding::new(text, sss == stockman && dual == stockman_dual))
        })(),
    );
}

/// Storage: the solution trees and the table.
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
    test.each(
        claim(
            "3",
            "at odd depths the min solution tree is the smaller one",
            "w^⌊d/2⌋ against w^⌈d/2⌉",
            "interval of min over max below 100 %",
        ),
        |subject| {
            let odd = depths(subject.depth, subject.step).into_iter().rfind(|depth| depth % 2 == 1 && *depth > 1)?;
            let ratios: Vec<f64> = trees(subject, odd).into_iter().map(|(max, min)| min / max).collect();
            Some(Finding::below(results.ratio(&ratios)?, 1.0).of(&format!("at depth {odd}")))
        },
    );
    test.each(
        claim(
            "3.3, 4.2",
            "a table of 2²⁰ entries holds the solution trees",
            "2²⁰",
            "the two trees of every position together below 2²⁰",
        ),
        |subject| {
            let sums: Vec<f64> = trees(subject, subject.depth).into_iter().map(|(max, min)| max + min).collect();
            let largest = sums.iter().copied().reduce(f64::max)?;
            let fit = sums.iter().filter(|sum| **sum < f64::from(1 << 20)).count();
            let text = format!("in {fit} of {} positions, at most {} entries", sums.len(), thousands(largest));
            Some(Finding::new(text, fit == sums.len()))
        },
    );
    let sizes = &plan.experiment.study.entries;
    for (text, algorithm) in
        [("SSS* needs no larger table than Aspiration NegaScout", Algorithm::Sss), ("nor does DUAL*", Algorithm::Dual)]
    {
        test.each(
            claim("4.4", text, "as much storage", "from 2¹⁶ entries to the largest it gains no more than 5 % more"),
            |subject| {
                let (small, large) = (*sizes.iter().find(|&&size| size >= 1 << 16)?, *sizes.iter().max()?);
                let gain = |position: &String, algorithm: Algorithm| {
                    let sized = |entries| Spec { entries, ..plan.sampled(subject, position, algorithm) };
                    let leaves = |spec: Spec| Some(LEAVES(results.get(&spec)?.at(subject.study_depth)?));
                    Some(leaves(sized(small))? / leaves(sized(large))?)
                };
                let ratio = |position: &String| Some(gain(position, algorithm)? / gain(position, Algorithm::BASELINE)?);
                let ratios: Vec<f64> = subject.sample.iter().filter_map(ratio).collect();
                (large > small).then(|| results.ratio(&ratios))?.map(|ratio| Finding::below(ratio, 1.05))
            },
        );
    }
    test.each(
        claim("3", "MTD-best can be smaller than the minimal tree", "potential", "in at least one position"),
        |subject| {
            let (mut smaller, mut of) = (0, 0);
            for position in &subject.positions {
                let leaves = results.get(&plan.count(subject, position, BEST[0]))?.last_leaves()?;
                let graph = results.get(&plan.minimal(subject, position))?;
                let minimal = graph.minimal.iter().find(|row| row.depth == subject.depth)?;
                smaller += u32::from(leaves < minimal.nbp);
                of += 1;
            }
            Some(Finding::new(format!("in {smaller} of {of} positions"), smaller > 0))
        },
    );
}

/// Figure 10 at one offset.
pub(crate) fn guessed(results: &Results, subject: &Subject, offset: i32) -> Option<Estimate> {
    let plan = results.plan;
    let pair =
        |position: &String| (plan.told(subject, position, offset), plan.count(subject, position, Algorithm::BASELINE));
    results.pairs(subject.positions.iter().map(pair), subject.depth, LEAVES)
}

pub(super) fn section_4(test: &mut Tester) {
    let results = test.results;
    let plan = results.plan;
    let against = |subject: &Subject, algorithm, metric: Metric| {
        results.against_baseline(subject, algorithm, subject.depth, metric)
    };
    for PaperGame { name, branching, .. } in PAPER {
        test.of(
            claim("4.4", "average branching factor", branching, "within 20 % of it"),
            |game| game == name,
            |subject| {
                let (expected, found) = (branching.parse::<f64>().ok()?, plan.branching(&subject.name)?);
                Some(Finding::new(format!("{found:.1} moves"), (expected / 1.2..expected * 1.2).contains(&found)))
            },
        );
    }
    for algorithm in ["mtd-bi", "mtd-step"].into_iter().flat_map(|name| named(&[name])) {
        let text = match algorithm {
            Algorithm::MtdBi => "MTD-bi needs both bounds in an entry",
            _ => "MTD-step needs both bounds in an entry",
        };
        test.each(
            claim("4.2", text, "not testable with one", "interval of one bound over two above 105 %"),
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
    test.each(
        claim("4.4", "MTD-f saves at least 5 % of the leaves on average", "≤ 95 %", "interval below 95 %"),
        |subject| Some(Finding::below(against(subject, Algorithm::MtdF, LEAVES)?, 0.95)),
    );
    test.each(
        claim("4.4", "MTD-f calls MT three to four times an iteration", "3 to 4", "interval between 3 and 4"),
        |subject| {
            let passes = results.passes_per_iteration(subject, Algorithm::MtdF, None)?;
            Some(Finding::between(passes, passes.number(2), 3.0, 4.0))
        },
    );
    for (text, algorithm) in [
        ("SSS* needs dozens to hundreds of MT calls", Algorithm::Sss),
        ("DUAL* needs dozens to hundreds of MT calls", Algorithm::Dual),
    ] {
        test.each(claim("4.4", text, "dozens to hundreds", "interval above 24, last iteration"), |subject| {
            let passes = results.passes_per_iteration(subject, algorithm, Some(subject.depth))?;
            Some(Finding::new(passes.number(0), passes.is_below(24.0).map(|below| !below)))
        });
    }
    for (text, algorithm) in [
        ("SSS* visits more nodes than Aspiration NegaScout", Algorithm::Sss),
        ("DUAL* visits more nodes than Aspiration NegaScout", Algorithm::Dual),
    ] {
        test.each(claim("4.4", text, "> 100 %", ABOVE), |subject| {
            Some(Finding::above(against(subject, algorithm, NODES)?, 1.0))
        });
    }
    let between = |subject: &Subject, one, other, metric: Metric| results.between(subject, one, other, metric);
    test.each(claim("4.4", "DUAL* is more efficient than SSS*", "fewer nodes", BELOW), |subject| {
        Some(Finding::below(between(subject, Algorithm::Dual, Algorithm::Sss, NODES)?, 1.0).of("of the nodes of SSS*"))
    });
    test.of(
        claim("4.4", "in checkers SSS* evaluates more leaves than Alpha-Beta", "more", ABOVE),
        |game| game == NARROWEST,
        |subject| {
            let ratio = between(subject, Algorithm::Sss, Algorithm::AlphaBeta, LEAVES)?;
            Some(Finding::above(ratio, 1.0).of("of Alpha-Beta's"))
        },
    );
    trend(test);
    test.each(claim("4.4", "Aspiration NegaScout is better than Alpha-Beta", "Alpha-Beta > 100 %", ABOVE), |subject| {
        Some(Finding::above(against(subject, Algorithm::AlphaBeta, LEAVES)?, 1.0).of("has Alpha-Beta"))
    });
    test.each(claim("4.4", "MTD-f out-performs Alpha-Beta", "fewer leaves", BELOW), |subject| {
        let ratio = between(subject, Algorithm::MtdF, Algorithm::AlphaBeta, LEAVES)?;
        Some(Finding::below(ratio, 1.0).of("of Alpha-Beta's leaves"))
    });
    test.each(
        claim("4.4", "all algorithms come close to the minimal tree", "close", "the worst: interval below 1.25"),
        |subject| {
            let over = |algorithm| Some((algorithm, results.over_minimal(subject, algorithm, 0)?));
            let all: Vec<(Algorithm, Estimate)> = plan.algorithms().into_iter().filter_map(over).collect();
            let (worst, most) = all.iter().max_by(|a, b| a.1.mean.total_cmp(&b.1.mean))?;
            let (best, least) = all.iter().min_by(|a, b| a.1.mean.total_cmp(&b.1.mean))?;
            let text = format!("{} ({}) to {} ({})", least.number(2), title(*best), most.number(2), title(*worst));
            Some(Finding::new(text, most.is_below(1.25)))
        },
    );
    ordering(test);
    for PaperGame { name, time, .. } in PAPER {
        test.of(
            claim("4.5", "time of MTD-f against Aspiration NegaScout", time, "interval not above the paper's number"),
            |game| game == name,
            |subject| {
                let percent: f64 = time.trim_end_matches(" %").parse().ok()?;
                Some(Finding::below(results.time(subject, Algorithm::MtdF, subject.depth)?, percent / 100.0))
            },
        );
    }
    test.each(
        claim("4.6", "MTD-best (prove-best) is slightly better than MTD-f", "a few percent fewer leaves", BELOW),
        |subject| {
            Some(Finding::below(between(subject, BEST[0], Algorithm::MtdF, LEAVES)?, 1.0).of("of MTD-f's leaves"))
        },
    );
    test.each(
        claim(
            "4.6",
            "MTD-best confirms its first candidate about half of the time",
            "about half",
            "interval between 40 and 60 %",
        ),
        |subject| {
            let [prove, disprove] = BEST.map(|algorithm| results.confirmed(subject, algorithm));
            let text = format!("{} (disprove-rest {:.0} %)", prove?.percent(), 100.0 * disprove?.mean);
            Some(Finding::between(prove?, text, 0.4, 0.6))
        },
    );
}

/// SSS* against the branching factor.
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
    test.together(
        claim(
            "4.4",
            "the larger the branching factor, the better SSS*",
            "falling",
            "each interval below that of the game before it",
        ),
        (all.len() >= 3).then(|| {
            let told: Vec<String> = all
                .iter()
                .map(|(width, game, ratio)| format!("{game} ({width:.1} moves) {}", ratio.percent()))
                .collect();
            let falling = all.windows(2).all(|two| two[1].2.high < two[0].2.low);
            let rising = all.windows(2).any(|two| two[1].2.low > two[0].2.high);
            Finding::new(told.join("; "), if falling { Some(true) } else { rising.then_some(false) })
        }),
    );
}

/// Move ordering.
fn ordering(test: &mut Tester) {
    let results = test.results;
    for PaperGame { name, tried, .. } in PAPER {
        test.of(
            claim("4.4", "moves tried at a cut node", tried, "interval not above it, rounded as the paper rounds"),
            |game| game == name,
            |subject| {
                let found = results.moves_tried(subject, Algorithm::BASELINE, |_| true)?;
                let expected: f64 = tried.parse().ok()?;
                Some(Finding::new(found.number(2), found.is_below(expected + 0.05)))
            },
        );
    }
    let first = |subject: &Subject, limit: f64, heights: &dyn Fn(usize) -> bool| {
        Some(Finding::above(results.first_cuts(subject, Algorithm::BASELINE, heights)?, limit))
    };
    test.each(
        claim("4.4", "the first move cuts off at over 95 % of the cut nodes", "> 95 %", "interval above 95 %"),
        |subject| first(subject, 0.95, &|_| true),
    );
    test.each(
        claim("4.4", "at the upper half of the tree at 97 to 98 %", "97–98 %", "interval above 97 %"),
        |subject| first(subject, 0.97, &|height| height > usize::from(subject.depth) / 2),
    );
    test.each(
        claim(
            "4.4",
            "and near the leaves at over 90 % (80 % in Othello)",
            "> 90 %, Othello > 80 %",
            "interval above it, at heights 1 and 2",
        ),
        |subject| {
            let paper = PAPER.iter().find(|game| game.name == subject.name);
            first(subject, paper.map_or(NEAR_LEAVES, |game| game.near_leaves), &|height| height <= 2)
        },
    );
}
