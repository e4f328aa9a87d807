//! Repeated leaf evaluations: how many different positions the leaf evaluations of a search were spent on.

use std::collections::HashSet;

use emtee::research::{End, Iteration, Observer, Visit};
use emtee::{Budget, OwnEvaluation};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::position::Playable;
use crate::settings::Settings;
use crate::trees::DynObserver;

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

pub(crate) fn evaluations<G: Playable>(board: &G, settings: &Settings, depth: u8) -> Result<Vec<Evaluations>, Error> {
    let mut search = settings.builder::<G, _>(OwnEvaluation).build::<G>()?;
    let mut counter = LeafCounter::default();
    search.think_observed(board, Budget::depth(depth), &mut DynObserver(&mut counter))?;
    Ok(counter.finished)
}

#[derive(Default)]
struct LeafCounter {
    seen: HashSet<u64>,
    nbp: u64,
    finished: Vec<Evaluations>,
}

impl<G: Playable> Observer<G> for LeafCounter {
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
    use emtee::{Algorithm, Size};
    use emtee_games::connect4;

    use super::*;

    /// In Connect Four no position occurs at two distances from the root, and a large table evicts none of its leaves.
    #[test]
    fn leaves_are_evaluated_again_only_after_an_eviction() {
        let again = |entries: usize| -> u64 {
            let mut settings = Settings::default();
            settings.options.size = Some(Size::of_entries(entries));
            settings.options.algorithm = Algorithm::MtdF;
            settings.options.principal_variation = false;
            let all = evaluations(&connect4::Board::default(), &settings, 8).unwrap();
            assert_eq!(all.len(), 8);
            all.iter().map(|one| one.nbp - one.positions).sum()
        };
        assert_eq!(again(1 << 20), 0);
        assert!(again(1 << 8) > 100);
    }
}
