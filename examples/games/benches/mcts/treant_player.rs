//! The crate `treant`: UCT with its solver, on one thread. Results are from 0 to 1000; an exploration constant of 1000 was
//! better than its example's 0.5 of the result's range.

use std::cell::Cell;
use std::marker::PhantomData;
use std::time::{Duration, Instant};

use emtee::{Game, Moves, Outcome, Side, legal_moves};
use treant::tree_policy::UCTPolicy;
use treant::{Evaluator, GameState, MCTS, MCTSManager, ProvenValue, SearchHandle};

use crate::players::Player;

#[derive(Clone)]
struct State<G>(G);

fn over<G: Game>(position: &G) -> Option<Outcome> {
    position.outcome().or_else(|| legal_moves(position).is_empty().then(|| position.stuck()))
}

/// 1, 0 or −1.
fn sign(outcome: Outcome) -> i64 {
    match outcome {
        Outcome::Won => 1,
        Outcome::Lost => -1,
        Outcome::Drawn => 0,
        Outcome::Points(points) => points.signum().into(),
    }
}

impl<G: Game> GameState for State<G> {
    type Move = G::Move;
    type Player = Side;
    type MoveList = Vec<G::Move>;

    fn current_player(&self) -> Side {
        self.0.turn()
    }

    fn available_moves(&self) -> Vec<G::Move> {
        legal_moves(&self.0)
    }

    fn make_move(&mut self, m: &G::Move) {
        self.0 = self.0.play(*m);
    }

    fn terminal_value(&self) -> Option<ProvenValue> {
        over(&self.0).map(|outcome| match sign(outcome) {
            1 => ProvenValue::Win,
            0 => ProvenValue::Draw,
            _ => ProvenValue::Loss,
        })
    }
}

struct Spec<G>(PhantomData<fn(G)>);

impl<G: Game + 'static> MCTS for Spec<G>
where
    G::Move: 'static,
{
    type State = State<G>;
    type Eval = Rollout;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = ();

    fn solver_enabled(&self) -> bool {
        true
    }
}

/// Random moves to the end of the game.
struct Rollout;

thread_local! {
    static RANDOM: Cell<u64> = const { Cell::new(1) };
}

fn random_below(count: usize) -> usize {
    let mut random = RANDOM.get();
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    RANDOM.set(random);
    (((random >> 32) * count as u64) >> 32) as usize
}

impl<G: Game + 'static> Evaluator<Spec<G>> for Rollout
where
    G::Move: 'static,
{
    /// A side, and its result.
    type StateEvaluation = (Side, i64);

    fn evaluate_new_state(
        &self,
        state: &State<G>,
        moves: &Vec<G::Move>,
        _: Option<SearchHandle<Spec<G>>>,
    ) -> (Vec<()>, (Side, i64)) {
        let (mut position, mut list) = (state.0.clone(), Moves::new());
        for _ in 0..400 {
            if position.outcome().is_some() {
                break;
            }
            list.truncate(0);
            position.moves(&mut list);
            let Some(m) = list.get(random_below(list.len())) else { break };
            position = position.play(m);
        }
        let result = 500 + 500 * over(&position).map_or(0, sign);
        (vec![(); moves.len()], (position.turn(), result))
    }

    fn evaluate_existing_state(&self, _: &State<G>, found: &(Side, i64), _: SearchHandle<Spec<G>>) -> (Side, i64) {
        *found
    }

    fn interpret_evaluation_for_player(&self, &(side, result): &(Side, i64), player: &Side) -> i64 {
        if side == *player { result } else { 1_000 - result }
    }
}

pub(crate) struct TreantPlayer {
    time: Duration,
}

impl TreantPlayer {
    pub(crate) fn new(ms: u64) -> TreantPlayer {
        TreantPlayer { time: Duration::from_millis(ms) }
    }
}

impl<G: Game + 'static> Player<G> for TreantPlayer
where
    G::Move: 'static,
{
    fn new_game(&mut self) {}

    fn choose(&mut self, _: &[G], position: &G) -> G::Move {
        let started = Instant::now();
        let spec = Spec::<G>(PhantomData);
        let mut search = MCTSManager::new(State(position.clone()), spec, Rollout, UCTPolicy::new(1_000.0), ());
        while started.elapsed() < self.time && search.root_proven_value() == ProvenValue::Unknown {
            search.playout();
        }
        search.best_move().expect("a move")
    }
}
