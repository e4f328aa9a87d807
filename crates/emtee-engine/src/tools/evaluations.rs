//! Repeated leaf evaluations: how many different positions the leaf evaluations of a search were spent on.

use std::collections::HashSet;

use emtee::research::{End, Iteration, Observer, Visit};
use emtee::{Budget, Game};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::search::ObservedSearch;

/// The leaf evaluations of one iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evaluations {
    /// Its depth.
    pub depth: u8,
    /// The number of leaf evaluations.
    pub nbp: u64,
    /// The number of different positions among them.
    pub positions: u64,
}

pub(super) fn evaluations<G: Game>(
    search: &mut dyn ObservedSearch<G>,
    board: &G,
    depth: u8,
) -> Result<Vec<Evaluations>, Error> {
    let mut counter = LeafCounter::default();
    search.think(board, &[], 1, Budget::depth(depth), &mut counter)?;
    Ok(counter.finished)
}

#[derive(Default)]
struct LeafCounter {
    seen: HashSet<u64>,
    nbp: u64,
    finished: Vec<Evaluations>,
}

impl<G: Game> Observer<G> for LeafCounter {
    fn leave(&mut self, position: &G, visit: &Visit) {
        if visit.end == End::Evaluated {
            self.nbp += 1;
            self.seen.insert(position.key());
        }
    }

    fn iteration(&mut self, iteration: &Iteration<G::Move>) {
        let positions = self.seen.len() as u64;
        self.finished.push(Evaluations { depth: iteration.depth, nbp: std::mem::take(&mut self.nbp), positions });
        self.seen.clear();
    }
}

#[cfg(test)]
mod tests {
    use emtee::research::Mtd;
    use emtee::{Algorithm, OwnEvaluation, Size};
    use emtee_games::connect4;

    use super::*;
    use crate::search::build_observed;
    use crate::settings::Settings;

    /// In Connect Four no position occurs at two distances from the root, and a large table evicts none of its leaves.
    #[test]
    fn leaves_are_evaluated_again_only_after_an_eviction() {
        let again = |entries: usize| -> u64 {
            let mut settings = Settings::default();
            settings.options.size = Some(Size::of_entries(entries));
            settings.options.algorithm = Algorithm::MtdF;
            settings.options.principal_variation = false;
            let mut search = build_observed(&settings, OwnEvaluation, None::<Mtd>).unwrap();
            let all = evaluations(search.as_mut(), &connect4::Board::default(), 8).unwrap();
            assert_eq!(all.len(), 8);
            all.iter().map(|one| one.nbp - one.positions).sum()
        };
        assert_eq!(again(1 << 20), 0);
        assert!(again(1 << 8) > 100);
    }
}
