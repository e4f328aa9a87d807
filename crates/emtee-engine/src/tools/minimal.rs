//! The left-first minimal graph: the smallest part of the graph that a search must visit, given its best moves.
//!
//! To find f, a search has to prove a lower bound, by a min solution tree, and an upper bound, by a max solution tree.
//! Here both are searched with f and the best move of every position known in advance, so that γ = f − ½ and γ = f + ½
//! are the only passes. Together they visit the minimal graph of these best moves. Other best moves may give a smaller
//! graph: each round uses the best moves found in the round before, and the smallest graph counts.
//!
//! With enhanced transposition cutoffs, the two proofs can reuse each other's results at transpositions, whatever the
//! best moves are. That graph is smaller still, and the closest to the real minimal graph, which is too expensive to
//! find.

use emtee::research::{Counts, Deepening, Gamma};
use emtee::{Algorithm, Budget, Game};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::now::now;
use crate::search::ObservedSearch;
use crate::settings::Settings;

/// The left-first minimal graph of a position at one depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MinimalGraph {
    /// The depth.
    pub depth: u8,
    /// f, the value at this depth.
    pub value: i32,
    /// Its leaf evaluations.
    pub nbp: u64,
    /// All visits of its two proofs together.
    pub nodes: u64,
    /// The positions of the max solution tree, which proves the upper bound: expanded and evaluated ones.
    pub max_tree: u64,
    /// The positions of the min solution tree, which proves the lower bound.
    pub min_tree: u64,
    /// The number of rounds.
    pub rounds: u32,
}

/// A graph that has not shrunk for several rounds rarely shrinks later.
const MAX_ROUNDS: u32 = 8;

/// The settings of the search: MTD-f has the fewest passes.
pub(super) fn settings(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    settings.options.algorithm = Algorithm::MtdF;
    settings.options.principal_variation = false;
    settings
}

/// The minimal graphs, found with a search that has these [`settings`].
pub(super) fn minimal_graphs<G: Game>(
    search: &mut dyn ObservedSearch<G>,
    board: &G,
    settings: &Settings,
    depth: u8,
) -> Result<Vec<MinimalGraph>, Error> {
    search.observe_nodes(false);
    let stopped = || settings.stop.as_ref().is_some_and(|stop| stop.is_due(settings.clock.or(Some(now))));
    let step = match settings.options.deepening {
        Deepening::By(plies) => usize::from(plies.max(1)),
        Deepening::Auto | Deepening::Fixed => 1,
    };
    let mut graphs = Vec::new();
    for depth in ((depth - 1) % step as u8 + 1..=depth).step_by(step) {
        let found = search.think(board, &[], 1, Budget::depth(depth), &mut ())?;
        let Some(value) = found.value.filter(|_| found.complete && found.depth == depth) else { break };
        let mut smallest: Option<MinimalGraph> = None;
        for rounds in 1..=MAX_ROUNDS {
            search.forget_bounds();
            let max_tree = search.pass(board, depth, Gamma::above(value), &mut ())?.counts;
            let below = search.pass(board, depth, Gamma::below(value), &mut ())?.counts;
            let both = max_tree + below;
            // The second pass found a part of its tree in the table, where the first had left it; alone, its tree is
            // larger.
            search.forget_bounds();
            let min_tree = search.pass(board, depth, Gamma::below(value), &mut ())?.counts;
            let positions = |counts: Counts| counts.interior + counts.nbp;
            let graph = MinimalGraph {
                depth,
                value: value.get(),
                nbp: both.nbp,
                nodes: both.nodes(),
                max_tree: positions(max_tree),
                min_tree: positions(min_tree),
                rounds,
            };
            let smaller = smallest.is_none_or(|smallest| graph.nbp < smallest.nbp);
            smallest = Some(match smallest {
                Some(smallest) if !smaller => MinimalGraph { rounds, ..smallest },
                _ => graph,
            });
            if !smaller || stopped() {
                break;
            }
        }
        graphs.extend(smallest);
        if stopped() {
            graphs.pop();
            break;
        }
    }
    Ok(graphs)
}

#[cfg(test)]
mod tests {
    use emtee::OwnEvaluation;
    use emtee::research::{Mode, Mtd};
    use emtee_games::{connect4, synthetic};

    use super::*;
    use crate::search::build_observed;

    fn graphs<G: Game + 'static>(board: &G, settings: &Settings, depth: u8) -> Vec<MinimalGraph> {
        let settings = super::settings(settings);
        let mut search = build_observed(&settings, OwnEvaluation, None::<Mtd>).unwrap();
        minimal_graphs(search.as_mut(), board, &settings, depth).unwrap()
    }

    #[test]
    fn a_uniform_tree_has_the_known_minimal_tree() {
        let tree: synthetic::Position = "width=3 depth=5 seed=4".parse().unwrap();
        let graphs = graphs(&tree, &Settings::default(), 5);
        for graph in &graphs {
            let (up, down) = (u32::from(graph.depth.div_ceil(2)), u32::from(graph.depth / 2));
            let formula = 3u64.pow(up) + 3u64.pow(down) - 1;
            // Fail-soft bounds can end a line early, and equal values can be met twice: never more leaves than the
            // formula gives.
            assert!(graph.nbp <= formula && graph.nbp * 10 > formula * 7, "{graph:?}, formula {formula}");
        }
        assert_eq!(graphs.len(), 5);
    }

    #[test]
    fn etc_makes_the_graph_smaller() {
        let graph = |etc| {
            let mut settings = Settings::default();
            settings.options.mode = Mode::Exact { etc: Some(etc) };
            *graphs(&connect4::Board::default(), &settings, 8).last().unwrap()
        };
        let (without, with) = (graph(0), graph(1));
        assert_eq!(with.value, without.value);
        assert!(with.nbp < without.nbp, "{with:?} {without:?}");
    }

    #[test]
    fn the_counts_of_a_graph_are_consistent() {
        let settings = Settings::default();
        let graphs = graphs(&connect4::Board::default(), &settings, 8);
        let last = graphs.last().unwrap();
        assert!(last.depth == 8 && last.rounds >= 2 && last.nbp > 0 && last.nodes > last.nbp, "{last:?}");
        assert!(last.max_tree > 0 && last.min_tree > 0 && last.max_tree + last.min_tree > last.nbp);
    }
}
