//! In play, what came before counts; the table must not learn of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use emtee::{
    Algorithm, Budget, Evaluate, Game, Grain, Moves, Outcome, OwnEvaluation, Selective, Side, Size, legal_moves, mix,
    player,
};

/// A walk on a small graph, made of a seed, where positions recur all the time.
#[derive(Clone, Debug, Hash, PartialEq)]
struct Walk {
    seed: u64,
    place: u64,
    turn: Side,
}

const PLACES: u64 = 12;

impl Walk {
    fn new(seed: u64) -> Walk {
        Walk { seed, place: 0, turn: Side::First }
    }
    fn draw(&self, salt: u64) -> u64 {
        mix(self.seed ^ mix(self.place * 2 + self.turn.index() as u64) ^ mix(salt))
    }
}

impl Game for Walk {
    type Move = u8;
    const DRAWN_AFTER: Option<u32> = None;

    fn turn(&self) -> Side {
        self.turn
    }
    fn moves(&self, moves: &mut Moves<u8>) {
        for n in 0..2 + (self.draw(1) % 2) as u8 {
            moves.push(n);
        }
    }
    fn play(&self, n: u8) -> Walk {
        Walk { place: self.draw(2 + u64::from(n)) % PLACES, turn: !self.turn, ..self.clone() }
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn evaluate(&self) -> i32 {
        (self.draw(9) % 21) as i32 - 10
    }
    fn halfmove_clock(&self) -> Option<u32> {
        Some(u32::MAX)
    }
}

/// The value of a position at a depth, by itself.
fn minimax(n: &Walk, depth: u8) -> i32 {
    if depth == 0 {
        return n.evaluate();
    }
    legal_moves(n).into_iter().map(|m| -minimax(&n.play(m), depth - 1)).max().unwrap()
}

#[test]
fn the_table_learns_nothing_of_the_path() {
    let mut differ = 0;
    for seed in 0..300 {
        let root = Walk::new(seed);
        let before = [root.play(0).play(1), root.play(1)];
        for algorithm in [Algorithm::MtdF, Algorithm::BASELINE, Algorithm::AlphaBeta, Algorithm::Sss] {
            for etc in [false, true] {
                // Without iterations, that would overwrite what the ones before have stored.
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
    assert!(differ > 300, "repetitions decided {differ} of 2,400 searches");
}

/// Values that depend on the path can contradict each other. Those of positions alone never do.
#[test]
fn contradictions_are_counted_in_play_and_there_are_none_elsewhere() {
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
fn a_position_of_the_game_so_far_recurs() {
    use emtee_games::chess::Board;
    // Black is a rook ahead and about to mate, but White checks for ever on e8 and h5.
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
fn fifty_moves_draw_but_mate_comes_first() {
    use emtee_games::chess::Board;
    let value = |fen: &str, in_play: bool| {
        let mut search = player(Board::evaluate).build().unwrap();
        if in_play {
            search.set_game(&[]).unwrap();
        }
        search.think(&fen.parse::<Board>().unwrap(), Budget::depth(3)).unwrap().value.unwrap().to_string()
    };
    // A rook ahead, and nothing to be taken or pushed.
    let idle = "7k/8/8/8/8/8/R7/K7 w - - 98 80";
    assert_eq!(value(idle, true), "0");
    assert_ne!(value(idle, false), "0");
    let mating = "7k/R7/6K1/8/8/8/8/8 w - - 99 80";
    assert_eq!(value(mating, true), "win in 1");
}

#[test]
fn oracles_refuse_to_play() {
    let mut search = player(OwnEvaluation).algorithm(Algorithm::Minimax).build::<Walk>().unwrap();
    let refused = search.set_game(&[]).unwrap_err().to_string();
    assert_eq!(refused, "minimax does not know what came before; choose another algorithm in play");
}

/// An evaluator that learns something between searches.
struct Learner {
    known: i32,
    news: Arc<AtomicI32>,
}

impl Evaluate<Walk> for Learner {
    fn evaluate(&self, n: &Walk) -> i32 {
        n.evaluate() * self.known
    }
    fn renew(&mut self) -> bool {
        let news = self.news.load(Relaxed);
        std::mem::replace(&mut self.known, news) != news
    }
}

#[test]
fn an_evaluator_learns_between_searches_and_not_before() {
    for selective in [Selective::NONE, Selective { late_move_reductions: true, ..Selective::NONE }] {
        let news = Arc::new(AtomicI32::new(1));
        let learner = Learner { known: 1, news: news.clone() };
        let mut search = player(Grain { grain: 1, evaluator: learner }).selective(selective).build().unwrap();
        let fresh = |by: i32| {
            let mut search = player(move |n: &Walk| n.evaluate() * by).selective(selective).build().unwrap();
            search.think(&Walk::new(5), Budget::depth(1)).unwrap().value
        };
        let mut value = || search.think(&Walk::new(5), Budget::depth(1)).unwrap().value;
        assert_eq!(value(), fresh(1));
        news.store(7, Relaxed);
        assert_eq!(value(), fresh(1), "nobody has asked it to take that up");
        search.renew();
        let mut value = || search.think(&Walk::new(5), Budget::depth(1)).unwrap().value;
        assert_ne!(fresh(7), fresh(1));
        assert_eq!(value(), fresh(7), "no bound and no evaluation is left of what was known before");
    }
}
