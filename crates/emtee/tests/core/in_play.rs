//! Searches in play: repetitions count, and values that depend on the path are not stored in the table.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use emtee::{
    Algorithm, Budget, Evaluate, Game, Grain, Moves, Outcome, OwnEvaluation, Selective, Side, Size, legal_moves, mix,
    player,
};

/// A walk on a small random graph, in which positions repeat often.
#[derive(Clone, Debug, Hash, PartialEq)]
struct Walk {
    seed: u64,
    vertex: u64,
    turn: Side,
}

const VERTICES: u64 = 12;

impl Walk {
    fn new(seed: u64) -> Walk {
        Walk { seed, vertex: 0, turn: Side::First }
    }
    fn random(&self, salt: u64) -> u64 {
        mix(self.seed ^ mix(self.vertex * 2 + self.turn.index() as u64) ^ mix(salt))
    }
}

impl Game for Walk {
    type Move = u8;
    const DRAWN_AFTER: Option<u32> = None;

    fn turn(&self) -> Side {
        self.turn
    }
    fn moves(&self, moves: &mut Moves<u8>) {
        for n in 0..2 + (self.random(1) % 2) as u8 {
            moves.push(n);
        }
    }
    fn play(&self, n: u8) -> Walk {
        Walk { vertex: self.random(2 + u64::from(n)) % VERTICES, turn: !self.turn, ..self.clone() }
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn evaluate(&self) -> i32 {
        (self.random(9) % 21) as i32 - 10
    }
    fn halfmove_clock(&self) -> Option<u32> {
        Some(u32::MAX)
    }
}

/// The minimax value of a position at a depth, without game history.
fn minimax(n: &Walk, depth: u8) -> i32 {
    if depth == 0 {
        return n.evaluate();
    }
    legal_moves(n).into_iter().map(|m| -minimax(&n.play(m), depth - 1)).max().unwrap()
}

#[test]
fn values_that_depend_on_the_path_are_not_stored() {
    let mut differ = 0;
    for seed in 0..300 {
        let root = Walk::new(seed);
        let before = [root.play(0).play(1), root.play(1)];
        for algorithm in [Algorithm::MtdF, Algorithm::BASELINE, Algorithm::AlphaBeta, Algorithm::Sss] {
            for etc in [false, true] {
                // A single iteration, since later iterations would overwrite the entries of earlier ones.
                let builder = player(OwnEvaluation).algorithm(algorithm).table(Size::of_entries(1 << 10)).fixed_depth();
                let builder = if etc { builder.etc(1) } else { builder };
                let mut search = builder.build::<Walk>().unwrap();
                search.set_game(&before).unwrap();
                let in_play = search.think(&root, Budget::depth(7)).unwrap().value.unwrap().get();
                search.forget_game();
                let alone = search.think(&root, Budget::depth(7)).unwrap().value.unwrap().get();
                let true_value = minimax(&root, 7);
                assert_eq!(alone, true_value, "{algorithm}, seed {seed}: a draw by repetition was stored");
                differ += u32::from(in_play != true_value);
            }
        }
    }
    assert!(differ > 300, "repetitions changed only {differ} of 2,400 searches");
}

/// Values that depend on the path can contradict each other. Values of positions never do.
#[test]
fn contradictions_occur_only_in_play() {
    for algorithm in [Algorithm::MtdF, Algorithm::MtdBest(Default::default())] {
        let crossings = |in_play: bool| -> u32 {
            let crossed = |seed| {
                let root = Walk::new(seed);
                let mut search = player(OwnEvaluation).algorithm(algorithm).deepen_by(1).build::<Walk>().unwrap();
                if in_play {
                    search.set_game(&[root.play(0).play(1), root.play(1)]).unwrap();
                }
                let found = search.think(&root, Budget::depth(7)).unwrap();
                found.iterations.iter().map(|iteration| iteration.crossings).sum::<u32>()
            };
            (0..300).map(crossed).sum()
        };
        assert_eq!(crossings(false), 0, "{algorithm}");
        assert!(crossings(true) > 0, "{algorithm}");
    }
}

#[test]
fn perpetual_check_is_a_draw_in_play() {
    use emtee_games::chess::Board;
    // Black is a rook ahead and about to mate, but White has perpetual check on e8 and h5.
    let board: Board = "6k1/6p1/8/7Q/8/8/rq4PP/7K w - - 0 1".parse().unwrap();
    let value = |in_play: bool, algorithm, depth| {
        let mut search = player(Board::evaluate).algorithm(algorithm).build().unwrap();
        if in_play {
            search.set_game(&[]).unwrap();
        }
        let found = search.think(&board, Budget::depth(depth)).unwrap();
        found.value.unwrap().get()
    };
    for algorithm in [Algorithm::MtdF, Algorithm::BASELINE, Algorithm::MtdGallop { step: 8 }] {
        assert!(value(false, algorithm, 6) < -300);
        assert_eq!(value(true, algorithm, 6), 0);
    }
}

#[test]
fn fifty_moves_are_a_draw_unless_the_last_one_mates() {
    use emtee_games::chess::Board;
    let value = |fen: &str, in_play: bool| {
        let mut search = player(Board::evaluate).build().unwrap();
        if in_play {
            search.set_game(&[]).unwrap();
        }
        search.think(&fen.parse::<Board>().unwrap(), Budget::depth(3)).unwrap().value.unwrap().to_string()
    };
    // A rook ahead, with nothing to capture and no pawns.
    let idle = "7k/8/8/8/8/8/R7/K7 w - - 98 80";
    assert_eq!(value(idle, true), "0");
    assert_ne!(value(idle, false), "0");
    let mating = "7k/R7/6K1/8/8/8/8/8 w - - 99 80";
    assert_eq!(value(mating, true), "win in 1");
}

#[test]
fn oracles_do_not_search_in_play() {
    let mut search = player(OwnEvaluation).algorithm(Algorithm::Minimax).build::<Walk>().unwrap();
    let refused = search.set_game(&[]).unwrap_err().to_string();
    assert_eq!(refused, "minimax does not use the game history; choose another algorithm in play");
}

/// An evaluator whose factor changes when `renew` is called.
struct Renewable {
    factor: i32,
    next: Arc<AtomicI32>,
}

impl Evaluate<Walk> for Renewable {
    fn evaluate(&self, n: &Walk) -> i32 {
        n.evaluate() * self.factor
    }
    fn renew(&mut self) -> bool {
        let next = self.next.load(Relaxed);
        std::mem::replace(&mut self.factor, next) != next
    }
}

#[test]
fn an_evaluator_changes_only_by_renew() {
    for selective in [Selective::NONE, Selective { late_move_reductions: true, ..Selective::NONE }] {
        let next = Arc::new(AtomicI32::new(1));
        let evaluator = Renewable { factor: 1, next: next.clone() };
        let mut search = player(Grain { grain: 1, evaluator }).selective(selective).build().unwrap();
        let fresh = |factor: i32| {
            let mut search = player(move |n: &Walk| n.evaluate() * factor).selective(selective).build().unwrap();
            search.think(&Walk::new(5), Budget::depth(1)).unwrap().value
        };
        let mut value = || search.think(&Walk::new(5), Budget::depth(1)).unwrap().value;
        assert_eq!(value(), fresh(1));
        next.store(7, Relaxed);
        assert_eq!(value(), fresh(1), "renew was not called");
        search.renew();
        let mut value = || search.think(&Walk::new(5), Budget::depth(1)).unwrap().value;
        assert_ne!(fresh(7), fresh(1));
        assert_eq!(value(), fresh(7), "no old bound and no cached evaluation is used");
    }
}
