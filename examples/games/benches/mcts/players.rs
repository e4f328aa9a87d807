//! The players of emtee.

use emtee::{Budget, Game, OwnEvaluation, Search, legal_moves};
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

/// MTD-f by the rules alone: all positions in which the game goes on have the value 0.
pub(crate) struct MtdFPlayer<G: Game> {
    search: Search<G, fn(&G) -> i32>,
    budget: Budget,
}

impl<G: Game> MtdFPlayer<G> {
    pub(crate) fn new(ms: u64) -> MtdFPlayer<G> {
        let zero: fn(&G) -> i32 = |_| 0;
        let mut search = emtee::player(zero).hash("64MB").build::<G>().expect("valid options");
        search.touch_table();
        MtdFPlayer { search, budget: Budget::ms(ms) }
    }
}

impl<G: Game> Player<G> for MtdFPlayer<G> {
    fn new_game(&mut self) {
        self.search.clear().expect("an empty table");
    }

    fn choose(&mut self, before: &[G], position: &G) -> G::Move {
        self.search.set_game(before).expect("an algorithm for play");
        let found = self.search.think(position, self.budget).expect("a search");
        found.best_move.unwrap_or_else(|| legal_moves(position)[0])
    }
}
