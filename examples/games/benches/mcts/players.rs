//! The players of emtee.

use std::sync::Arc;

use emtee::{Budget, Evaluate, Game, OwnEvaluation, Search, legal_moves};
use emtee_learn::{Features, Learned, Model};
use emtee_mcts::{Leaf, Mcts, Options};

/// A player of G.
pub(crate) trait Player<G: Game> {
    fn new_game(&mut self);

    fn choose(&mut self, before: &[G], position: &G) -> G::Move;
}

/// Monte-Carlo tree search by the rules alone: with random moves to the end of the game.
pub(crate) struct MctsPlayer<G: Game> {
    mcts: Mcts<G, OwnEvaluation>,
    budget: Budget,
}

impl<G: Game> MctsPlayer<G> {
    pub(crate) fn new(ms: u64) -> MctsPlayer<G> {
        let options = Options { leaf: Leaf::Rollout, ..Options::default() };
        MctsPlayer { mcts: Mcts::new(OwnEvaluation, options).expect("valid options"), budget: Budget::ms(ms) }
    }
}

impl<G: Game> Player<G> for MctsPlayer<G> {
    fn new_game(&mut self) {
        self.mcts.clear();
    }

    fn choose(&mut self, before: &[G], position: &G) -> G::Move {
        self.mcts.set_game(before);
        let found = self.mcts.think(position, self.budget).expect("a search");
        found.best_move.expect("a move")
    }
}

/// MTD-f with an evaluation.
struct MtdFPlayer<G: Game, E> {
    search: Search<G, E>,
    budget: Budget,
}

/// A player of MTD-f, with the library's defaults.
pub(crate) fn mtd_f<G: Game + 'static, E: Evaluate<G> + 'static>(evaluate: E, ms: u64) -> Box<dyn Player<G>> {
    let mut search = emtee::player(evaluate).hash("64MB").build::<G>().expect("valid options");
    search.touch_table();
    Box::new(MtdFPlayer { search, budget: Budget::ms(ms) })
}

/// A player of MTD-f with the evaluation of a file of `emtee learn`.
pub(crate) fn learned<G, F>(file: &str, features: F, ms: u64) -> Box<dyn Player<G>>
where
    G: Game + 'static,
    F: Fn(&G, &mut Features) + Sync + 'static,
{
    let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let model = Model::from_bytes(&bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
    mtd_f(Learned::new(Arc::new(model), features), ms)
}

impl<G: Game, E: Evaluate<G>> Player<G> for MtdFPlayer<G, E> {
    fn new_game(&mut self) {
        self.search.clear().expect("an empty table");
    }

    fn choose(&mut self, before: &[G], position: &G) -> G::Move {
        self.search.set_game(before).expect("an algorithm for play");
        let found = self.search.think(position, self.budget).expect("a search");
        found.best_move.unwrap_or_else(|| legal_moves(position)[0])
    }
}
