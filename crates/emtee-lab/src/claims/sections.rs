//! The paper section by section: every experiment and claim, how it is rerun, and the deviations.

use super::Claim;
use crate::figure_kind::FigureKind;

/// How an experiment or a claim of the paper is rerun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rerun {
    /// Claims of the report whose text begins like this.
    Claims(&'static str),
    /// A figure.
    Figure(FigureKind),
    /// A part of the program or of its tests.
    Code(&'static str),
    /// Not rerun, for this reason.
    Not(&'static str),
}

/// An experiment or a claim of the paper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) section: &'static str,
    pub(crate) text: &'static str,
    pub(crate) rerun: Rerun,
    pub(crate) deviation: &'static str,
}

const fn item(section: &'static str, text: &'static str, rerun: Rerun, deviation: &'static str) -> Item {
    Item { section, text, rerun, deviation }
}

use FigureKind as Fig;
use Rerun::{Claims, Code, Figure, Not};

/// Everything in the paper that can be tested, in its order.
pub(crate) const ITEMS: &[Item] = &[
    item(
        "abstract",
        "leaf counts of the algorithms vary by less than 20 %",
        Claims("leaf counts of the algorithms"),
        "largest over smallest count of six algorithms",
    ),
    item(
        "abstract",
        "some simulations: Alpha-Beta expands almost 100 % more leaves",
        Claims("in fixed-depth simulations"),
        "our own synthetic trees",
    ),
    item(
        "abstract",
        "MTD-f outperforms Aspiration NegaScout on leaves",
        Claims("MTD-f evaluates fewer leaves than Aspiration"),
        "three kinds of baseline: the paper specifies neither window nor re-search rule",
    ),
    item("abstract", "… on total nodes", Claims("MTD-f visits fewer nodes"), "the same"),
    item("abstract", "… and on execution time", Claims("MTD-f takes less time"), "processor time, ABBA"),
    item(
        "1",
        "MTD-f outperforms SSS*, DUAL*, Alpha-Beta and NegaScout on average",
        Claims("MTD-f evaluates fewer leaves than"),
        "leaves, per game",
    ),
    item("1", "MT-based SSS* removes the OPEN list", Claims("SSS* with an OPEN list"), "timed on four uniform trees"),
    item(
        "2.1",
        "Scout-based algorithms never evaluate more unique leaves than Alpha-Beta",
        Claims("at fixed depth MTD-f"),
        "MT drivers on random trees",
    ),
    item(
        "2.1",
        "on perfectly ordered trees all visit the minimal tree",
        Code("tests of the library: tests/core/theory.rs"),
        "exact counts on uniform trees",
    ),
    item(
        "2.1",
        "the advantage of NegaScout over Alpha-Beta is small in practice",
        Claims("NegaScout evaluates fewer leaves"),
        "none",
    ),
    item(
        "2.2",
        "the worked example, figures 3 to 7",
        Claims("the worked example"),
        "none; `emtee tree paper` shows every pass",
    ),
    item(
        "2.3",
        "MTD+∞ expands the same leaves in the same order as SSS*",
        Claims("MTD+∞ and MTD−∞ evaluate"),
        "the order is compared in tests of the library",
    ),
    item(
        "2.3",
        "a sequence of MT calls never expands more leaves than Alpha-Beta",
        Claims("at fixed depth MTD-f"),
        "holds without transpositions and in a fixed move order",
    ),
    item(
        "3, fig. 8",
        "SSS*, DUAL*, C*, MTD-f, MTD-step and MTD-best as one driver",
        Code("`Driver` of the library, a few lines each"),
        "first bound of MTD-f is the guess; figure 8 adds one",
    ),
    item(
        "3",
        "min solution trees are smaller than max solution trees at odd depths",
        Claims("at odd depths the min"),
        "measured on minimal graphs, with transpositions",
    ),
    item("3", "SSS* needs one bound per entry", Claims("SSS* needs only one bound"), "none"),
    item(
        "3",
        "MTD-best can build trees smaller than the minimal tree",
        Claims("MTD-best evaluates fewer leaves than"),
        "left-first minimal graph instead of minimal tree",
    ),
    item("3, fig. 9", "convergence of the drivers", Figure(Fig::Convergence), "measured instead of sketched"),
    item("3.1", "elegance", Not("a judgement; the drivers are a few lines each"), "–"),
    item(
        "3.2",
        "drivers search fewer nodes than one-pass Alpha-Beta",
        Claims("under iterative deepening every driver"),
        "the proof is for fixed depth; section 4.1 says so",
    ),
    item("3.3", "space O(w^⌈d/2⌉)", Claims("two more plies multiply"), "growth over two plies"),
    item(
        "3.3",
        "a transposition table stores the solution trees",
        Claims("a table of 2²⁰ entries"),
        "sizes of both trees of minimal graphs",
    ),
    item("3.4, fig. 10", "tree size against the first guess", Figure(Fig::FirstGuess), "three games instead of one"),
    item("3.4", "a guess close to f beats the baseline", Claims("with a first guess close to f"), "none"),
    item(
        "3.4",
        "±∞ are in a sense the worst first guesses",
        Claims("first guesses far from f"),
        "±100 points, and SSS* and DUAL*",
    ),
    item(
        "4.1",
        "simulations omit seven properties of game trees",
        Claims("each property that simulations omit"),
        "six of them switched off one at a time; execution time is section 4.5",
    ),
    item(
        "4.1",
        "SSS* with an OPEN list has too much overhead",
        Claims("SSS* with an OPEN list"),
        "our own implementation with a heap",
    ),
    item(
        "4.2",
        "20 positions per game, checkers 15, Othello 9, chess 7 plies",
        Code("`emtee reproduce --scale paper`"),
        "other programs and positions; evaluation grain as stated",
    ),
    item("4.2", "solution trees fit comfortably in 2²⁰ entries", Claims("a table of 2²⁰ entries"), "none"),
    item(
        "4.2",
        "MTD-bi and MTD-step not presented: they need two bounds",
        Claims("MTD-bi needs two bounds"),
        "run with one and with two bounds",
    ),
    item(
        "4.3",
        "Aspiration NegaScout as the base line",
        Figure(Fig::Baselines),
        "three kinds, window chosen by its own cost",
    ),
    item("4.4, fig. 11", "leaves of six algorithms by depth", Figure(Fig::Leaves), "two more drivers"),
    item("4.4, fig. 12", "total nodes of six algorithms by depth", Figure(Fig::Nodes), "two more drivers"),
    item("4.4", "at least 5 % fewer leaves on average", Claims("MTD-f saves at least 5 %"), "per game and baseline"),
    item("4.4", "consistently fewer leaves", Claims("MTD-f consistently"), "sign test over positions"),
    item(
        "4.4",
        "MT is called three to four times per iteration",
        Claims("MTD-f calls MT"),
        "fewer calls count as holding",
    ),
    item(
        "4.4",
        "SSS* and DUAL* perform dozens to hundreds of MT searches",
        Claims("SSS* needs dozens"),
        "last iteration",
    ),
    item(
        "4.4",
        "SSS* and DUAL* visit more nodes than the base line",
        Claims("SSS* visits more nodes"),
        "tuned baseline",
    ),
    item("4.4", "DUAL* is more efficient than SSS*", Claims("DUAL* visits fewer nodes"), "none"),
    item("4.4", "in checkers SSS* is worse than Alpha-Beta", Claims("in checkers SSS*"), "leaves at the full depth"),
    item(
        "4.4",
        "SSS* improves with the branching factor",
        Claims("the leaves of SSS* relative"),
        "rank correlation; three games cannot decide it",
    ),
    item(
        "4.4",
        "SSS* uses as much storage as the base line",
        Claims("SSS* needs no more storage"),
        "small and large tables",
    ),
    item("4.4", "Aspiration NegaScout is better than Alpha-Beta", Claims("Alpha-Beta evaluates more leaves"), "none"),
    item(
        "4.4",
        "all algorithms converge on the minimal tree",
        Claims("all algorithms come close"),
        "left-first minimal graph",
    ),
    item(
        "4.4",
        "branching factors 3, 10 and 36",
        Claims("average branching factor"),
        "checkers: moves with and without captures",
    ),
    item("4.4", "1.1 to 1.2 moves per cut node, first move > 95 %", Claims("the first move cuts off"), "by height"),
    item("4.5, fig. 13", "execution time", Figure(Fig::Time), "processor time"),
    item(
        "4.5",
        "5 % faster in checkers and Othello, 10 % in chess",
        Claims("MTD-f takes less time"),
        "judged against 100 %",
    ),
    item(
        "4.6, fig. 14",
        "MTD-best evaluates slightly fewer leaves",
        Claims("MTD-best (prove-best)"),
        "both strategies",
    ),
    item("4.6", "the candidate is confirmed about half of the time", Claims("MTD-best confirms"), "none"),
    item("5", "simulation parameters can mislead", Figure(Fig::Simulation), "one property at a time"),
];

/// The headings of [`table`].
pub(crate) const HEADINGS: [&str; 5] = ["section", "experiment or claim", "rerun", "verdict", "deviation"];

/// The table: section, claim, rerun, verdict, deviation.
pub(crate) fn table(claims: &[Claim], figures: &[FigureKind]) -> Vec<[String; 5]> {
    let row = |item: &Item| {
        let (rerun, verdict) = match item.rerun {
            Rerun::Claims(start) => {
                let matching: Vec<&Claim> = claims.iter().filter(|claim| claim.claim.starts_with(start)).collect();
                let of = |claim: &&Claim| match matching.len() {
                    1 => claim.verdict.to_string(),
                    _ => format!("{}: {}", distinct(claim.claim, start), claim.verdict),
                };
                match matching.is_empty() {
                    true => (String::from("not in this run"), String::from("–")),
                    false => (String::from("claims"), matching.iter().map(of).collect::<Vec<_>>().join("; ")),
                }
            }
            Rerun::Figure(kind) if figures.contains(&kind) => {
                (format!("figure {kind}"), String::from("see the figure"))
            }
            Rerun::Figure(kind) => (format!("figure {kind}, not in this run"), String::from("–")),
            Rerun::Code(place) => (place.to_owned(), String::from("yes")),
            Rerun::Not(why) => (String::from("no"), why.to_owned()),
        };
        [item.section.to_owned(), item.text.to_owned(), rerun, verdict, item.deviation.to_owned()]
    };
    ITEMS.iter().map(row).collect()
}

/// The part of a claim after the words that several claims share.
fn distinct<'c>(claim: &'c str, start: &str) -> &'c str {
    let rest = claim[start.len()..].trim_start_matches([':', ' ']);
    rest.rsplit(": ").next().filter(|rest| !rest.is_empty()).unwrap_or(claim)
}
