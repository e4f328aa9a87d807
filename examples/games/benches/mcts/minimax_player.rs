//! The crate `minimax`: its tree search, on one thread. Random games of up to 400 plies; the default is 100, which is too short
//! for Ataxx.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::time::Duration;

use emtee::{Game, Moves, Outcome};
use minimax::{MCTSOptions, MonteCarloTreeSearch, Strategy, Winner};

use crate::players::Player;

/// The rules of G for `minimax`.
struct Rules<G>(PhantomData<G>);

impl<G: Game + 'static> minimax::Game for Rules<G>
where
    G::Move: Debug + Eq + 'static,
{
    type S = G;
    type M = G::Move;

    fn generate_moves(position: &G, moves: &mut Vec<G::Move>) -> Option<Winner> {
        if let Some(winner) = Self::get_winner(position) {
            return Some(winner);
        }
        let mut list = Moves::new();
        position.moves(&mut list);
        moves.extend(list.iter());
        moves.is_empty().then(|| winner(position.stuck()))
    }

    fn apply(position: &mut G, m: G::Move) -> Option<G> {
        Some(position.play(m))
    }

    fn get_winner(position: &G) -> Option<Winner> {
        position.outcome().map(winner)
    }
}

fn winner(outcome: Outcome) -> Winner {
    match outcome {
        Outcome::Won | Outcome::Points(1..) => Winner::PlayerToMove,
        Outcome::Lost | Outcome::Points(..=-1) => Winner::PlayerJustMoved,
        Outcome::Drawn | Outcome::Points(0) => Winner::Draw,
    }
}

pub(crate) struct MinimaxPlayer<G: Game + 'static>(MonteCarloTreeSearch<Rules<G>>)
where
    G::Move: Debug + Eq + 'static;

impl<G: Game + 'static> MinimaxPlayer<G>
where
    G::Move: Debug + Eq + 'static,
{
    pub(crate) fn new(ms: u64) -> MinimaxPlayer<G>
    where
        G::Move: Sync,
    {
        let mut search =
            MonteCarloTreeSearch::new(MCTSOptions::default().with_num_threads(1).with_max_rollout_depth(400));
        search.set_timeout(Duration::from_millis(ms));
        MinimaxPlayer(search)
    }
}

impl<G: Game + 'static> Player<G> for MinimaxPlayer<G>
where
    G::Move: Debug + Eq + Send + Sync + 'static,
{
    fn new_game(&mut self) {}

    fn choose(&mut self, _: &[G], position: &G) -> G::Move {
        self.0.choose_move(position).expect("a move")
    }
}
