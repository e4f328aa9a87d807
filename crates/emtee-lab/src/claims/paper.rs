//! The claims of the paper, in the order of the paper.

use emtee::Algorithm;
use emtee_engine::{Baseline, TreeSearch};
use emtee_games::tree::Tree;

use super::{FEWER, Finding, MORE, Statement, Tester, thousands};
use crate::baselines;
use crate::estimate::{Comparison, Estimate};
use crate::figure_kind::{BEST, named};
use crate::plan::Subject;
use crate::results::{LEAVES, Metric, NODES, Results, depths, title};
use crate::simulation::{self, CONDITIONS, Condition};
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
    /// The share of cut nodes near the leaves at which the first move cuts off.
    near_leaves: f64,
}

/// The paper's games, by branching factor.
const PAPER: [PaperGame; 3] = [
    PaperGame { name: "checkers", branching: "3", tried: "1.1", near_leaves: 0.9 },
    PaperGame { name: "othello", branching: "10", tried: "1.2", near_leaves: 0.8 },
    PaperGame { name: "chess", branching: "36", tried: "1.2", near_leaves: 0.9 },
];

/// The same share for games that are not in the paper.
const NEAR_LEAVES: f64 = 0.9;

/// The game in which SSS* evaluates more leaves than Alpha-Beta, according to the paper.
const NARROWEST: &str = PAPER[0].name;

/// A claim of the paper.
const fn claim(section: &'static str, claim: &'static str, paper: &'static str, rule: &'static str) -> Statement {
    Statement { section, claim, paper, rule }
}

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
    headlines(test);
    test.every_game(
        claim(
            "4.4",
            "MTD-f consistently evaluates fewer leaves than Aspiration NegaScout",
            "consistently better",
            "fewer leaves in more than half of the positions that differ, sign test p < 5 %",
        ),
        |subject| {
            let ratio = against(subject, Algorithm::MtdF, LEAVES)?;
            let (less, total, p) = (ratio.less, ratio.less + ratio.more, ratio.sign_test());
            let text = format!("fewer leaves in {less} of {total} positions that differ, p {}", p_text(p));
            Some(Finding::new(text, if p < 0.05 { Some(less > ratio.more) } else { None }))
        },
    );
    equivalence(test);
    solution_trees(test);
    test.every_game(
        claim(
            "3.2, 4.1",
            "under iterative deepening every driver of MT evaluates fewer leaves than Alpha-Beta",
            "no proof",
            "driver with the most leaves: interval below 100 %, not equal within 1 %",
        ),
        |subject| {
            let over = |driver| Some((driver, results.between(subject, driver, Algorithm::AlphaBeta, LEAVES)?));
            let drivers = plan.drivers().into_iter().filter_map(over);
            let (worst, most) = drivers.max_by(|a, b| a.1.mean.total_cmp(&b.1.mean))?;
            Some(Finding::fewer(most).labelled(format!("{} over Alpha-Beta", title(worst))))
        },
    );
    let guess_ratio = |subject: &Subject, offset: i32| first_guess_ratio(results, subject, offset);
    test.every_game(
        claim(
            "3.4",
            "with a first guess close to f, MTD-f evaluates fewer leaves than the baseline",
            "< 100 % near h = f",
            FEWER,
        ),
        |subject| Some(Finding::fewer(guess_ratio(subject, 0)?)),
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
            "2.2",
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
            "2.1, 2.3",
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
    let trees = random_trees();
    let held = |pairs: &[(&str, &str)], holds: fn((u64, i32), (u64, i32)) -> bool| {
        let one = |tree: &Tree, name: &str| leaves(tree, name).map(|(nbp, value)| (nbp, value.get()));
        let search = |tree: &Tree, (name, other): (&str, &str)| Some(holds(one(tree, name)?, one(tree, other)?));
        let all: Option<Vec<bool>> = trees
            .iter()
            .flat_map(|tree| pairs.iter().map(move |&pair| (tree, pair)))
            .map(|(t, p)| search(t, p))
            .collect();
        all.map(|all| {
            let held = all.iter().filter(|held| **held).count();
            Finding::new(format!("in {held} of {} searches", all.len()), held == all.len())
        })
    };
    test.overall(
        claim(
            "2.3",
            "MTD+∞ and MTD−∞ evaluate as many leaves as SSS* and DUAL*, on random trees",
            "theorem",
            "the same value and number of leaves on every tree",
        ),
        held(&[("sss", "stockman-sss"), ("dual", "stockman-dual")], |one, other| one == other),
    );
    test.overall(
        claim(
            "2.3, 3.2",
            "at fixed depth MTD-f, SSS*, DUAL* and MTD-bi never evaluate more leaves than Alpha-Beta",
            "theorem",
            "never more, on random trees without transpositions, in a fixed move order",
        ),
        held(
            &[("mtd-f", "alpha-beta"), ("sss", "alpha-beta"), ("dual", "alpha-beta"), ("mtd-bi", "alpha-beta")],
            |one, other| one.0 <= other.0 && one.1 == other.1,
        ),
    );
}

/// Fifty random trees: uniform ones of width 2 to 4 and depth 3 to 5.
fn random_trees() -> Vec<Tree> {
    fn write(text: &mut String, width: u64, depth: u64, state: &mut u64) {
        if depth == 0 {
            *state = emtee::mix(*state);
            *text += &(*state % 100).to_string();
            return;
        }
        text.push('(');
        for child in 0..width {
            if child > 0 {
                text.push(' ');
            }
            write(text, width, depth - 1, state);
        }
        text.push(')');
    }
    let tree = |seed: u64| {
        let mut text = String::new();
        write(&mut text, 2 + seed % 3, 3 + seed / 3 % 3, &mut emtee::mix(seed + 1));
        text.parse().ok()
    };
    (0..50).filter_map(tree).collect()
}

/// MTD-f against each baseline: the abstract, and sections 4.4 and 4.5.
fn headlines(test: &mut Tester) {
    const TEXTS: [(Baseline, [&str; 4]); 3] = [
        (
            Baseline::Opened,
            [
                "MTD-f evaluates fewer leaves than Aspiration NegaScout: the paper's kind",
                "MTD-f visits fewer nodes than Aspiration NegaScout: the paper's kind",
                "MTD-f takes less time than Aspiration NegaScout: the paper's kind",
                "MTD-f saves at least 5 % of the leaves: the paper's kind",
            ],
        ),
        (
            Baseline::Tuned,
            [
                "MTD-f evaluates fewer leaves than Aspiration NegaScout: tuned",
                "MTD-f visits fewer nodes than Aspiration NegaScout: tuned",
                "MTD-f takes less time than Aspiration NegaScout: tuned",
                "MTD-f saves at least 5 % of the leaves: tuned",
            ],
        ),
        (
            Baseline::Practice,
            [
                "MTD-f evaluates fewer leaves than Aspiration NegaScout: current practice",
                "MTD-f visits fewer nodes than Aspiration NegaScout: current practice",
                "MTD-f takes less time than Aspiration NegaScout: current practice",
                "MTD-f saves at least 5 % of the leaves: current practice",
            ],
        ),
    ];
    let rows = baselines::rows(test.results);
    let row = |subject: &Subject, kind: Baseline| {
        rows.iter().find(|row| row.game == subject.name && row.baseline == kind).cloned()
    };
    for (kind, [leaves, nodes, time, five]) in TEXTS {
        let rule = "both depths pooled: p < 5 % after Holm's correction, not equal within 1 %";
        test.every_game(claim("abstract, 4.4", leaves, "< 100 %", rule), |subject| {
            let row = row(subject, kind)?;
            let verdict = row.verdict();
            let holds = (verdict != Comparison::Undecided).then_some(verdict == Comparison::Better);
            Some(Finding { holds, ..Finding::fewer(row.leaves) })
        });
        test.every_game(claim("abstract, 4.4", nodes, "< 100 %", FEWER), |subject| {
            Some(Finding::fewer(row(subject, kind)?.nodes))
        });
        test.every_game(claim("abstract, 4.5", time, "95 %, chess 90 %", FEWER), |subject| {
            Some(Finding::fewer(row(subject, kind)?.time?))
        });
        test.every_game(claim("4.4", five, "≤ 95 %", "both depths pooled: interval below 95 %"), |subject| {
            Some(Finding::below(row(subject, kind)?.leaves, 0.95))
        });
    }
}

/// Section 3.3: the growth of the solution trees.
fn growth(test: &mut Tester) {
    let results = test.results;
    let plan = results.plan;
    test.every_game(
        claim(
            "3.3",
            "two more plies multiply the max solution tree by at most the branching factor",
            "O(w^⌈d/2⌉)",
            "interval of the growth over the branching factor below 100 %",
        ),
        |subject| {
            let (width, before) =
                (plan.branching(&subject.name)?, subject.depth.checked_sub(2).filter(|&depth| depth > 0)?);
            let growth = |position: &String| {
                let graph = results.get(&plan.minimal(subject, position))?;
                let size = |depth| graph.minimal.iter().find(|row| row.depth == depth).map(|row| row.max_tree as f64);
                Some(size(subject.depth)? / size(before)? / width)
            };
            let ratios: Vec<f64> = subject.positions.iter().filter_map(growth).collect();
            let label = format!("from depth {before} to {}, {width:.1} moves", subject.depth);
            Some(Finding::below(results.ratio(&ratios)?, 1.0).labelled(label))
        },
    );
}

/// Section 4.4: whether SSS* and DUAL* need more storage than the baseline.
fn storage(test: &mut Tester) {
    /// Fewer entries cannot hold the tree of any game here, for any algorithm.
    const TIGHT: usize = 1 << 12;
    const AMPLE: usize = 1 << 16;
    let results = test.results;
    let plan = results.plan;
    let sizes = &plan.experiment.study.entries;
    let rule = "from the small table to the largest one its leaves decrease by at most 5 % more than the baseline's";
    for (text, algorithm, least) in [
        (
            "SSS* needs no more storage than Aspiration NegaScout: tables that hold its solution tree",
            Algorithm::Sss,
            AMPLE,
        ),
        ("SSS* needs no more storage than Aspiration NegaScout: tables that do not", Algorithm::Sss, TIGHT),
        (
            "DUAL* needs no more storage than Aspiration NegaScout: tables that hold its solution tree",
            Algorithm::Dual,
            AMPLE,
        ),
        ("DUAL* needs no more storage than Aspiration NegaScout: tables that do not", Algorithm::Dual, TIGHT),
    ] {
        test.every_game(claim("3.3, 4.4", text, "as much storage", rule), |subject| {
            let (small, large) = (*sizes.iter().filter(|&&size| size >= least).min()?, *sizes.iter().max()?);
            let reduction = |position: &String, algorithm: Algorithm| {
                let sized = |entries| Spec { entries, ..plan.sampled(subject, position, algorithm) };
                let leaves = |spec: Spec| Some(LEAVES(results.get(&spec)?.at(subject.study_depth)?));
                Some(leaves(sized(small))? / leaves(sized(large))?)
            };
            let ratio =
                |position: &String| Some(reduction(position, algorithm)? / reduction(position, Algorithm::BASELINE)?);
            let ratios: Vec<f64> = subject.sample.iter().filter_map(ratio).collect();
            let finding = Finding::below((large > small).then(|| results.ratio(&ratios))??, 1.05);
            Some(finding.labelled(format!("2^{} entries", small.ilog2())))
        });
    }
}

/// Section 4.4: branching factors. In checkers the paper distinguishes positions with captures.
fn branching(test: &mut Tester) {
    let plan = test.results.plan;
    let close = |measured: f64, expected: f64| {
        let holds = (expected / 1.2..expected * 1.2).contains(&measured);
        Finding::new(format!("{measured:.1} moves"), holds)
    };
    for PaperGame { name, branching, .. } in PAPER {
        if name == NARROWEST {
            continue;
        }
        test.games(
            claim("4.4", "average branching factor", branching, "within 20 % of the paper's number"),
            |game| game == name,
            |subject| Some(close(plan.branching(&subject.name)?, branching.parse().ok()?)),
        );
    }
    for (text, paper, captures) in
        [("moves in positions with a capture", "1.2", true), ("moves in other positions", "8", false)]
    {
        test.games(
            claim("4.4", text, paper, "within 20 % of the paper's number"),
            |game| game == NARROWEST,
            |subject| Some(close(plan.moves_by_capture(&subject.name)?[usize::from(!captures)], paper.parse().ok()?)),
        );
    }
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
    growth(test);
    storage(test);
    test.every_game(
        claim(
            "3",
            "MTD-best evaluates fewer leaves than the left-first minimal graph has",
            "has the potential",
            "leaves of the last iteration over those of the graph: interval below 1",
        ),
        |subject| {
            let over = results.over_minimal(subject, BEST[0], 0)?;
            let text = format!("{}, smaller in {} of {} positions", over.number(2), over.less, over.positions);
            Some(Finding::new(text, over.is_below(1.0)))
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
    branching(test);
    test.every_game(
        claim(
            "3, 4.2",
            "SSS* needs only one bound per table entry",
            "only one bound",
            "interval of the leaves with one bound over two bounds not above 101 %, largest table",
        ),
        |subject| {
            let entries = *plan.experiment.study.entries.iter().max()?;
            let pair = |position: &String| {
                let sized = |one_bound| Spec { entries, one_bound, ..plan.sampled(subject, position, Algorithm::Sss) };
                (sized(true), sized(false))
            };
            let ratio = results.pairs(subject.sample.iter().map(pair), subject.study_depth, LEAVES)?;
            Some(Finding::new(ratio.percent(), ratio.is_below(1.01)))
        },
    );
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
        claim(
            "4.4",
            "MTD-f calls MT three to four times per iteration, close to the minimum of two",
            "3 to 4",
            "interval not above 4",
        ),
        |subject| {
            let passes = results.passes_per_iteration(subject, Algorithm::MtdF, None)?;
            Some(Finding::new(passes.number(2), passes.is_below(4.0)))
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
        test.every_game(claim("4.4", text, "> 100 %", MORE), |subject| {
            Some(Finding::more(against(subject, algorithm, NODES)?))
        });
    }
    let between = |subject: &Subject, one, other, metric: Metric| results.between(subject, one, other, metric);
    test.every_game(claim("4.4", "DUAL* visits fewer nodes than SSS*", "fewer nodes", FEWER), |subject| {
        Some(Finding::fewer(between(subject, Algorithm::Dual, Algorithm::Sss, NODES)?).labelled("DUAL* over SSS*"))
    });
    test.games(
        claim("4.4", "in checkers SSS* evaluates more leaves than Alpha-Beta", "generally worse", MORE),
        |game| game == NARROWEST,
        |subject| {
            let ratio = between(subject, Algorithm::Sss, Algorithm::AlphaBeta, LEAVES)?;
            Some(Finding::more(ratio).labelled("SSS* over Alpha-Beta"))
        },
    );
    trend(test);
    test.every_game(
        claim("4.4", "Alpha-Beta evaluates more leaves than Aspiration NegaScout", "> 100 %", MORE),
        |subject| Some(Finding::more(against(subject, Algorithm::AlphaBeta, LEAVES)?).labelled("Alpha-Beta")),
    );
    for (section, text, one, other) in [
        ("1, 4.4", "MTD-f evaluates fewer leaves than Alpha-Beta", Algorithm::MtdF, Algorithm::AlphaBeta),
        ("1, 4.4", "MTD-f evaluates fewer leaves than NegaScout", Algorithm::MtdF, Algorithm::NegaScout),
        ("1, 4.4", "MTD-f evaluates fewer leaves than SSS*", Algorithm::MtdF, Algorithm::Sss),
        ("1, 4.4", "MTD-f evaluates fewer leaves than DUAL*", Algorithm::MtdF, Algorithm::Dual),
        ("2.1, 4.4", "NegaScout evaluates fewer leaves than Alpha-Beta", Algorithm::NegaScout, Algorithm::AlphaBeta),
    ] {
        test.every_game(claim(section, text, "fewer leaves", FEWER), |subject| {
            let ratio = between(subject, one, other, LEAVES)?;
            Some(Finding::fewer(ratio).labelled(format!("{} over {}", title(one), title(other))))
        });
    }
    test.every_game(
        claim(
            "4.4",
            "all algorithms come close to the left-first minimal graph",
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
    open_list(test);
    for (text, strategy, name) in [
        ("MTD-best (prove-best) evaluates slightly fewer leaves than MTD-f", BEST[0], "prove-best over MTD-f"),
        ("MTD-best (disprove-rest) evaluates slightly fewer leaves than MTD-f", BEST[1], "disprove-rest over MTD-f"),
    ] {
        test.every_game(claim("4.6", text, "a few percent fewer leaves", FEWER), |subject| {
            Some(Finding::fewer(between(subject, strategy, Algorithm::MtdF, LEAVES)?).labelled(name))
        });
    }
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

/// The cost of an OPEN list: Stockman's SSS* against SSS* as a driver of MT, on uniform trees at fixed depth.
fn open_list(test: &mut Tester) {
    let results = test.results;
    let specs = simulation::open_list_specs(results.plan);
    let depth = specs.first().map_or(1, |spec| spec.depth);
    test.overall(
        claim(
            "1, 4.1",
            "SSS* with an OPEN list takes more time than SSS* as a driver of MT",
            "too much overhead",
            MORE,
        ),
        results.timed(specs, depth).map(|ratio| {
            let finding = Finding::more(ratio);
            Finding { text: format!("Stockman's SSS* over MTD+∞: {}", finding.text), ..finding }
        }),
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
            "appears to be a function",
            "Spearman rank correlation over the games below 0, exact permutation test p < 5 %",
        ),
        (3..=8).contains(&all.len()).then(|| {
            let texts: Vec<String> = all
                .iter()
                .map(|(width, game, ratio)| format!("{game} ({width:.1} moves): {}", ratio.percent()))
                .collect();
            let (correlation, p) = rank_correlation(&all.iter().map(|(_, _, ratio)| ratio.mean).collect::<Vec<_>>());
            let text = format!("ρ = {correlation:.2}, p {}; {}", p_text(p), texts.join("; "));
            Finding::new(text, (p < 0.05).then_some(correlation < 0.0))
        }),
    );
}

/// A p-value in a sentence.
fn p_text(p: f64) -> String {
    if p < 0.001 { "< 0.001".into() } else { format!("= {p:.3}") }
}

/// Spearman's rank correlation of the values with their order, and its exact two-sided p-value over all permutations.
fn rank_correlation(values: &[f64]) -> (f64, f64) {
    let n = values.len();
    let rank = |value: f64| values.iter().filter(|other| **other < value).count();
    let ranks: Vec<usize> = values.iter().map(|value| rank(*value)).collect();
    let distance = |ranks: &[usize]| -> usize { ranks.iter().enumerate().map(|(i, r)| i.abs_diff(*r).pow(2)).sum() };
    let correlation = |ranks: &[usize]| 1.0 - 6.0 * distance(ranks) as f64 / ((n * n * n - n) as f64);
    let measured = correlation(&ranks);
    let (mut extreme, mut total) = (0u32, 0u32);
    permutations(&mut (0..n).collect::<Vec<_>>(), 0, &mut |order| {
        total += 1;
        extreme += u32::from(correlation(order).abs() >= measured.abs() - 1e-12);
    });
    (measured, f64::from(extreme) / f64::from(total))
}

fn permutations(order: &mut [usize], from: usize, visit: &mut dyn FnMut(&[usize])) {
    if from == order.len() {
        return visit(order);
    }
    for index in from..order.len() {
        order.swap(from, index);
        permutations(order, from + 1, visit);
        order.swap(from, index);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_correlations_have_exact_p_values() {
        assert_eq!(rank_correlation(&[1.0, 2.0, 3.0, 4.0]), (1.0, 2.0 / 24.0));
        assert_eq!(rank_correlation(&[3.0, 2.0, 1.0]), (-1.0, 2.0 / 6.0));
        let (correlation, p) = rank_correlation(&[1.0, 3.0, 2.0, 5.0, 4.0, 6.0]);
        assert!((correlation - (1.0 - 24.0 / 210.0)).abs() < 1e-12 && p < 0.05, "{correlation} {p}");
    }

    #[test]
    fn random_trees_differ() {
        let trees = random_trees();
        assert_eq!(trees.len(), 50);
        assert!(trees.iter().all(|tree| (3..=5).contains(&tree.height())));
        assert_ne!(trees[0].to_string(), trees[9].to_string());
    }
}
