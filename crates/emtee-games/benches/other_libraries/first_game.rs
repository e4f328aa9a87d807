//! Games written like a first game: the four required methods, a plain evaluation, `#[derive(Hash)]`, the default key and codes,
//! no hints. emtee searches them with its defaults, `minimax` with the same rules and evaluation.

use std::fmt::Debug;
use std::marker::PhantomData;

use emtee::{Game, Outcome, OwnEvaluation, Search, legal_moves, mix, player};
use minimax::{Evaluation, Evaluator, IterativeOptions, IterativeSearch, Winner};

/// A first game, and what `minimax` needs besides.
pub(crate) trait FirstGame: Game<Move: Eq + Debug> + Debug + Default + PartialEq + 'static {
    /// The argument that selects the game.
    const NAME: &str;
    const TITLE: &str;
    /// The depths that are measured by default.
    const DEPTHS: &[u8];

    fn positions() -> Vec<Self>;

    /// Lists the moves, for either library.
    fn list(&self, push: impl FnMut(Self::Move));

    /// The number of a move in the history tables of `minimax`, below `INDICES`.
    fn index(m: Self::Move) -> u16;
    const INDICES: u16;

    fn hash_for_minimax(&self) -> u64 {
        self.key()
    }
}

/// Five positions after random moves, the first after `plies` of them and each next one after one more. No game is over.
pub(crate) fn random_positions<G: FirstGame>(plies: usize) -> Vec<G> {
    (0..5).map(|number| random_position(plies + number, number as u64)).collect()
}

/// A position after this many random moves, in which the game is not over.
pub(crate) fn random_position<G: FirstGame>(plies: usize, seed: u64) -> G {
    for attempt in 0.. {
        let mut random = mix(seed << 32 | attempt);
        let mut position = G::default();
        for _ in 0..plies {
            random = mix(random.wrapping_add(1));
            let moves = legal_moves(&position);
            let Some(&m) = moves.get((random % moves.len().max(1) as u64) as usize) else { break };
            position = position.play(m);
        }
        if !legal_moves(&position).is_empty() {
            return position;
        }
    }
    unreachable!("games have openings")
}

/// The defaults of emtee.
pub(crate) fn emtee_search<G: FirstGame>() -> Search<G, OwnEvaluation> {
    player(OwnEvaluation).build().expect("the defaults")
}

/// The game for `minimax`.
pub(crate) struct Rules<G>(PhantomData<G>);

impl<G: FirstGame> minimax::Game for Rules<G> {
    type S = G;
    type M = G::Move;

    fn generate_moves(position: &G, moves: &mut Vec<G::Move>) -> Option<Winner> {
        if let Some(winner) = Self::get_winner(position) {
            return Some(winner);
        }
        position.list(|m| moves.push(m));
        None
    }
    fn apply(position: &mut G, m: G::Move) -> Option<G> {
        Some(position.play(m))
    }
    fn get_winner(position: &G) -> Option<Winner> {
        position.outcome().map(|outcome| match outcome {
            Outcome::Lost => Winner::PlayerJustMoved,
            Outcome::Won => Winner::PlayerToMove,
            _ => Winner::Draw,
        })
    }
    fn zobrist_hash(position: &G) -> u64 {
        position.hash_for_minimax()
    }
    fn table_index(m: G::Move) -> u16 {
        G::index(m)
    }
    fn max_table_index() -> u16 {
        G::INDICES
    }
}

/// The same evaluation for `minimax`.
#[derive(Clone)]
pub(crate) struct SameEvaluation<G>(PhantomData<G>);

impl<G: FirstGame> Evaluator for SameEvaluation<G> {
    type G = Rules<G>;
    fn evaluate(&self, position: &G) -> Evaluation {
        position.evaluate() as Evaluation
    }
}

pub(crate) type MinimaxSearch<G> = IterativeSearch<SameEvaluation<G>>;

pub(crate) fn minimax_search<G: FirstGame>(options: IterativeOptions) -> MinimaxSearch<G> {
    IterativeSearch::new(SameEvaluation(PhantomData), options)
}

/// The algorithms of `minimax` that search the full tree.
pub(crate) fn minimax_algorithms() -> [(&'static str, IterativeOptions); 5] {
    let plain = IterativeOptions::new();
    let history = plain.with_countermove_history();
    [
        ("PVS", plain),
        ("PVS, history", history),
        ("PVS, history, countermoves", history.with_countermoves()),
        ("PVS, history, aspiration", history.with_aspiration_window(5)),
        ("MTD(f), history", history.with_mtdf()),
    ]
}
