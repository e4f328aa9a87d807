//! The paper's claims, each with its number and ours.

use std::fmt;

use emtee::Algorithm;

use crate::plan::Subject;
use crate::ratio::Ratio;
use crate::results::{LEAVES, Metric, NODES, Results, depths, title};
use crate::simulation::{CONDITIONS, Switches};
use crate::spec::{RunKind, Spec};
use crate::study::BEST;

/// A claim, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Claim {
    /// Where it is made.
    pub section: &'static str,
    /// What is claimed.
    pub claim: &'static str,
    /// The paper's number.
    pub paper: &'static str,
    /// Ours.
    pub here: String,
    /// Whether it holds.
    pub verdict: Verdict,
}

/// Whether a claim holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// In every game.
    Holds,
    /// In these games, and not in others.
    Partly(Vec<String>),
    /// In none.
    Fails,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Holds => f.write_str("yes"),
            Verdict::Partly(games) => write!(f, "in {}", games.join(", ")),
            Verdict::Fails => f.write_str("no"),
        }
    }
}

/// A number for people, and whether the claim holds with it.
type Finding = Option<(String, bool)>;

/// Collects the claims that the results say something about.
struct Tester<'r> {
    results: &'r Results<'r>,
    claims: Vec<Claim>,
}

impl Tester<'_> {
    /// A claim about every game.
    fn each(
        &mut self,
        section: &'static str,
        claim: &'static str,
        paper: &'static str,
        find: impl Fn(&Subject) -> Finding,
    ) {
        self.of(section, claim, paper, |_| true, find);
    }

    /// A claim about some games.
    fn of(
        &mut self,
        section: &'static str,
        claim: &'static str,
        paper: &'static str,
        about: impl Fn(&str) -> bool,
        find: impl Fn(&Subject) -> Finding,
    ) {
        let subjects = self.results.plan.subjects.iter().filter(|subject| about(&subject.name));
        let found: Vec<(String, String, bool)> = subjects
            .filter_map(|subject| find(subject).map(|(text, holds)| (subject.name.clone(), text, holds)))
            .collect();
        if found.is_empty() {
            return;
        }
        let here: Vec<String> = found.iter().map(|(game, text, _)| format!("{game} {text}")).collect();
        let holding: Vec<String> = found.iter().filter(|(.., holds)| *holds).map(|(game, ..)| game.clone()).collect();
        let verdict = match holding.len() {
            0 => Verdict::Fails,
            n if n == found.len() => Verdict::Holds,
            _ => Verdict::Partly(holding),
        };
        self.claims.push(Claim { section, claim, paper, here: here.join("; "), verdict });
    }

    /// A claim about all games together.
    fn together(&mut self, section: &'static str, claim: &'static str, paper: &'static str, finding: Finding) {
        if let Some((here, holds)) = finding {
            let verdict = if holds { Verdict::Holds } else { Verdict::Fails };
            self.claims.push(Claim { section, claim, paper, here, verdict });
        }
    }
}

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

/// Tests every claim that was measured.
pub(crate) fn claims(results: &Results) -> Vec<Claim> {
    let mut test = Tester { results, claims: Vec::new() };
    abstract_and_section_3(&mut test);
    section_4(&mut test);
    goals(&mut test);
    test.claims
}

/// Whether a ratio lies below a limit. One whose interval includes the limit is marked: other positions might turn it.
fn below(ratio: Ratio, limit: f64) -> (String, bool) {
    let open = (ratio.low..ratio.high).contains(&limit);
    (format!("{}{}", ratio.percent(), if open { UNSURE } else { "" }), ratio.mean < limit)
}

/// Behind a number whose interval includes the limit that it is held against.
pub(crate) const UNSURE: &str = " ~";

/// 12345.6 as 12,346.
fn thousands(count: f64) -> String {
    let digits = format!("{count:.0}");
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap_or("")).collect();
    groups.join(",")
}

fn one_digit(value: f64) -> String {
    format!("{value:.1}")
}

fn abstract_and_section_3(test: &mut Tester) {
    let results = test.results;
    let plan = results.plan;
    let against = |subject: &Subject, algorithm, metric: Metric| {
        results.against_baseline(subject, algorithm, subject.depth, metric)
    };
    test.each(
        "abstract",
        "leaf counts of the algorithms differ by less than 20 % in real games",
        "< 20 %",
        |subject| {
            let found =
                COMPARED.iter().filter_map(|&algorithm| Some((algorithm, against(subject, algorithm, LEAVES)?.mean)));
            let all: Vec<(Algorithm, f64)> = found.chain([(Algorithm::BASELINE, 1.0)]).collect();
            let most = all.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
            let least = all.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
            let spread = 100.0 * (most.1 / least.1 - 1.0);
            (all.len() > 2)
                .then(|| (format!("{spread:.0} % ({} over {})", title(most.0), title(least.0)), spread < 20.0))
        },
    );
    let simulated = |switches: Switches, one: Algorithm, other: Algorithm| {
        let trees = switches.trees(plan);
        let pair = |tree: &String| (switches.spec(plan, tree, one), switches.spec(plan, tree, other));
        let pairs: Vec<_> = trees.iter().map(pair).collect();
        let depth = pairs.first()?.0.depth;
        results.pairs(pairs, depth, LEAVES)
    };
    let [first, .., last] = CONDITIONS;
    test.together(
        "abstract, 4.4",
        "fixed-depth simulations show Alpha-Beta with almost twice the leaves of SSS*",
        "almost 100 % more",
        simulated(last, Algorithm::AlphaBeta, Algorithm::Sss).map(|ratio| {
            (format!("{:+.0} % on synthetic trees as in the literature", 100.0 * (ratio.mean - 1.0)), ratio.mean > 1.6)
        }),
    );
    test.together(
        "4.1, 4.4",
        "with order, memory, deepening and correlation that difference goes away",
        "< 20 %",
        simulated(first, Algorithm::AlphaBeta, Algorithm::Sss).map(|ratio| {
            let more = 100.0 * (ratio.mean - 1.0);
            (format!("{more:+.0} % on synthetic trees made like a game"), more < 20.0)
        }),
    );
    for (claim, metric) in [
        ("MTD-f evaluates fewer leaves than Aspiration NegaScout", LEAVES),
        ("MTD-f visits fewer nodes than Aspiration NegaScout", NODES),
    ] {
        test.each("abstract, 4.4", claim, "< 100 %", |subject| {
            Some(below(against(subject, Algorithm::MtdF, metric)?, 1.0))
        });
    }
    test.each("abstract, 4.5", "MTD-f takes less time than Aspiration NegaScout", "< 100 %", |subject| {
        Some(below(results.time(subject, Algorithm::MtdF, subject.depth)?, 1.0))
    });
    let trees = |subject: &Subject, depth: u8| {
        let sizes = subject.positions.iter().filter_map(|position| {
            let graph = results.get(&plan.minimal(subject, position))?;
            let row = graph.minimal.iter().find(|row| row.depth == depth)?;
            Some((row.max_tree as f64, row.min_tree as f64))
        });
        let (max, min): (Vec<f64>, Vec<f64>) = sizes.unzip();
        Some((results.ratio(&max)?.mean, results.ratio(&min)?.mean, max.iter().fold(0.0, |a: f64, &b| a.max(b))))
    };
    test.each(
        "3",
        "at odd depths the min solution tree is the smaller one",
        "w^⌊d/2⌋ against w^⌈d/2⌉",
        |subject| {
            let odd = depths(subject.depth, subject.step).into_iter().rfind(|depth| depth % 2 == 1 && *depth > 1)?;
            let (max, min, _) = trees(subject, odd)?;
            Some((format!("min {}, max {} positions at depth {odd}", thousands(min), thousands(max)), min < max))
        },
    );
    test.each("3.2", "every driver of MT evaluates fewer leaves than Alpha-Beta", "fewer", |subject| {
        let alpha_beta = against(subject, Algorithm::AlphaBeta, LEAVES)?.mean;
        let drivers =
            plan.drivers().into_iter().filter_map(|driver| Some((driver, against(subject, driver, LEAVES)?.mean)));
        let (worst, most) = drivers.max_by(|a, b| a.1.total_cmp(&b.1))?;
        let percent = 100.0 * most / alpha_beta;
        Some((format!("at most {percent:.1} % of Alpha-Beta's ({})", title(worst)), percent < 100.0))
    });
    test.each("3.3, 4.2", "a table of 2²⁰ entries holds the solution trees", "2²⁰", |subject| {
        let (.., largest) = trees(subject, subject.depth)?;
        Some((format!("at most {} positions", thousands(largest)), largest < f64::from(1 << 20)))
    });
    test.each(
        "3.4",
        "a first guess close to f makes MTD-f better than the baseline",
        "< 100 % near h = f",
        |subject| Some(below(guessed(results, subject, 0)?, 1.0)),
    );
    test.each("3.4", "guesses far from f are the worst", "rises to both sides", |subject| {
        let offsets = &plan.experiment.study.offsets;
        let (least, most) = (*offsets.iter().min()?, *offsets.iter().max()?);
        let [far_below, right, far_above] = [least, 0, most].map(|offset| guessed(results, subject, offset));
        let [below, right, above] = [far_below?, right?, far_above?].map(|ratio| 100.0 * ratio.mean);
        let text = format!("{below:.1} % at {least}, {right:.1} % at 0, {above:.1} % at +{most}");
        Some((text, below > right && above > right))
    });
    test.each("3", "MTD-best can be smaller than the minimal tree", "potential", |subject| {
        let (mut smaller, mut of) = (0, 0);
        for position in &subject.positions {
            let leaves = results.get(&plan.count(subject, position, BEST[0]))?.last_leaves()?;
            let minimal =
                results.get(&plan.minimal(subject, position))?.minimal.iter().find(|row| row.depth == subject.depth)?;
            smaller += u32::from(leaves < minimal.nbp);
            of += 1;
        }
        Some((format!("in {smaller} of {of} positions"), smaller > 0))
    });
}

/// Figure 10 at one offset.
pub(crate) fn guessed(results: &Results, subject: &Subject, offset: i32) -> Option<Ratio> {
    let plan = results.plan;
    let pair = |position: &String| {
        let told = Spec { kind: RunKind::Guessing { offset }, ..plan.count(subject, position, Algorithm::MtdF) };
        (told, plan.count(subject, position, Algorithm::BASELINE))
    };
    results.pairs(subject.positions.iter().map(pair), subject.depth, LEAVES)
}

fn section_4(test: &mut Tester) {
    let results = test.results;
    let against = |subject: &Subject, algorithm, metric: Metric| {
        results.against_baseline(subject, algorithm, subject.depth, metric)
    };
    for PaperGame { name, branching, .. } in PAPER {
        test.of(
            "4.4",
            "average branching factor",
            branching,
            |game| game == name,
            |subject| {
                let (expected, found) = (branching.parse::<f64>().ok()?, results.plan.branching(&subject.name)?);
                // The paper averages over its trees, this over the set and the positions one ply on.
                Some((format!("{found:.1} moves"), (expected / 1.4..expected * 1.4).contains(&found)))
            },
        );
    }
    test.each("4.4", "MTD-f saves at least 5 % of the leaves on average", "≤ 95 %", |subject| {
        Some(below(against(subject, Algorithm::MtdF, LEAVES)?, 0.95))
    });
    test.each("4.4", "MTD-f calls MT three to four times an iteration", "3 to 4", |subject| {
        let passes = results.passes_per_iteration(subject, Algorithm::MtdF, None)?;
        Some((one_digit(passes), passes <= 4.05))
    });
    for (claim, algorithm) in [
        ("SSS* needs dozens to hundreds of MT calls", Algorithm::Sss),
        ("DUAL* needs dozens to hundreds of MT calls", Algorithm::Dual),
    ] {
        test.each("4.4", claim, "dozens to hundreds", |subject| {
            let passes = results.passes_per_iteration(subject, algorithm, Some(subject.depth))?;
            Some((format!("{passes:.0} in the last iteration"), passes >= 24.0))
        });
    }
    for (claim, algorithm) in [
        ("SSS* visits more nodes than Aspiration NegaScout", Algorithm::Sss),
        ("DUAL* visits more nodes than Aspiration NegaScout", Algorithm::Dual),
    ] {
        test.each("4.4", claim, "> 100 %", |subject| {
            let ratio = against(subject, algorithm, NODES)?;
            Some((ratio.percent(), ratio.mean > 1.0))
        });
    }
    let between = |subject: &Subject, one, other, metric: Metric| {
        let (one, other) = (against(subject, one, metric)?.mean, against(subject, other, metric)?.mean);
        Some(100.0 * one / other)
    };
    test.each("4.4", "DUAL* is more efficient than SSS*", "fewer nodes", |subject| {
        let percent = between(subject, Algorithm::Dual, Algorithm::Sss, NODES)?;
        Some((format!("{percent:.0} % of the nodes of SSS*"), percent < 100.0))
    });
    test.of(
        "4.4",
        "in checkers SSS* evaluates more leaves than Alpha-Beta",
        "more",
        |game| game == NARROWEST,
        |subject| {
            let percent = between(subject, Algorithm::Sss, Algorithm::AlphaBeta, LEAVES)?;
            Some((format!("{percent:.0} % of Alpha-Beta's"), percent > 100.0))
        },
    );
    let sss = |name: &str| {
        let subject = results.plan.subjects.iter().find(|subject| subject.name == name)?;
        Some(100.0 * against(subject, Algorithm::Sss, LEAVES)?.mean)
    };
    let found: Vec<f64> = PAPER.iter().filter_map(|game| sss(game.name)).collect();
    test.together(
        "4.4",
        "the larger the branching factor, the better SSS* (checkers, Othello, chess)",
        "falling",
        (found.len() == PAPER.len()).then(|| {
            let all: Vec<String> = found.iter().map(|percent| format!("{percent:.0} %")).collect();
            (format!("{} of the baseline's leaves", all.join(", ")), found.is_sorted_by(|percent, next| percent > next))
        }),
    );
    test.each("4.4", "Aspiration NegaScout is better than Alpha-Beta", "Alpha-Beta > 100 %", |subject| {
        let ratio = against(subject, Algorithm::AlphaBeta, LEAVES)?;
        Some((format!("Alpha-Beta {}", ratio.percent()), ratio.mean > 1.0))
    });
    test.each("4.4", "MTD-f out-performs Alpha-Beta", "fewer leaves", |subject| {
        let percent = between(subject, Algorithm::MtdF, Algorithm::AlphaBeta, LEAVES)?;
        Some((format!("{percent:.1} % of Alpha-Beta's leaves"), percent < 100.0))
    });
    for PaperGame { name, tried, .. } in PAPER {
        test.of(
            "4.4",
            "moves tried at a cut node",
            tried,
            |game| game == name,
            |subject| {
                let (_, found) = results.ordering(subject, Algorithm::BASELINE, |_| true)?;
                let expected: f64 = tried.parse().ok()?;
                Some((format!("{found:.2}"), found < expected + 0.05))
            },
        );
    }
    let first = |subject: &Subject, limit: f64, heights: &dyn Fn(usize) -> bool| {
        let (share, _) = results.ordering(subject, Algorithm::BASELINE, heights)?;
        Some((format!("{:.1} %", 100.0 * share), share > limit))
    };
    test.each("4.4", "the first move cuts off at over 95 % of the cut nodes", "> 95 %", |subject| {
        first(subject, 0.95, &|_| true)
    });
    test.each("4.4", "at the upper half of the tree at 97 to 98 %", "97–98 %", |subject| {
        first(subject, 0.97, &|height| height > usize::from(subject.depth) / 2)
    });
    test.each("4.4", "and near the leaves at over 90 % (80 % in Othello)", "> 90 %, Othello > 80 %", |subject| {
        let paper = PAPER.iter().find(|game| game.name == subject.name);
        first(subject, paper.map_or(NEAR_LEAVES, |game| game.near_leaves), &|height| height <= 2)
    });
    for PaperGame { name, time, .. } in PAPER {
        test.of(
            "4.5",
            "time of MTD-f against Aspiration NegaScout",
            time,
            |game| game == name,
            |subject| {
                let percent: f64 = time.trim_end_matches(" %").parse().ok()?;
                Some(below(results.time(subject, Algorithm::MtdF, subject.depth)?, percent / 100.0 + 0.005))
            },
        );
    }
    test.each("4.6", "MTD-best (prove-best) is slightly better than MTD-f", "a few percent fewer leaves", |subject| {
        let percent = between(subject, BEST[0], Algorithm::MtdF, LEAVES)?;
        Some((format!("{percent:.1} % of MTD-f's leaves"), percent < 100.0))
    });
    test.each("4.6", "MTD-best confirms its first candidate about half of the time", "about half", |subject| {
        let [prove, disprove] = BEST.map(|algorithm| results.confirmed(subject, algorithm));
        let (prove, disprove) = (100.0 * prove?, 100.0 * disprove?);
        Some((format!("{prove:.0} % (disprove-rest {disprove:.0} %)"), (35.0..65.0).contains(&prove)))
    });
}

/// What later work says, and what this library wants of its default driver.
fn goals(test: &mut Tester) {
    let results = test.results;
    let plan = results.plan;
    let driver = Algorithm::default();
    let against = |subject: &Subject, metric: Metric| results.against_baseline(subject, driver, subject.depth, metric);
    test.each("goal", "the default driver: leaves", "≤ 95 %", |subject| Some(below(against(subject, LEAVES)?, 0.95)));
    test.each("goal", "the default driver: nodes", "< 100 %", |subject| Some(below(against(subject, NODES)?, 1.0)));
    test.each("goal", "the default driver: time", "< 100 %", |subject| {
        Some(below(results.time(subject, driver, subject.depth)?, 1.0))
    });
    test.each("goal", "the default driver: passes an iteration", "≤ 4", |subject| {
        let passes = results.passes_per_iteration(subject, driver, None)?;
        Some((one_digit(passes), passes <= 4.0))
    });
    let over = |subject: &Subject, etc: u8, limit: f64| {
        let ratio = results.over_minimal(subject, driver, etc)?;
        let Ratio { mean, low, high, .. } = ratio;
        Some((format!("{mean:.2} ({low:.2}–{high:.2})"), mean <= limit))
    };
    test.each("goal", "the default driver: leaves over the minimal graph, without ETC", "≤ 1.05", |subject| {
        over(subject, 0, 1.05)
    });
    test.each("goal", "the default driver: leaves over the minimal graph, with ETC", "< 1.00", |subject| {
        over(subject, plan.experiment.study.with_etc, 0.9999)
    });
    test.each("later work", "enhanced transposition cutoffs make trees at least 25 % smaller", "≤ 75 %", |subject| {
        let lowest = plan.experiment.study.etc.iter().copied().filter(|&etc| etc > 0).min()?;
        let pair = |position: &String| {
            let sampled = plan.sampled(subject, position, Algorithm::MtdF);
            (Spec { etc: lowest, ..sampled.clone() }, Spec { etc: 0, ..sampled })
        };
        let ratio = results.pairs(subject.sample.iter().map(pair), subject.study_depth, LEAVES)?;
        Some((format!("{} from height {lowest}", ratio.percent()), ratio.mean <= 0.75))
    });
}
