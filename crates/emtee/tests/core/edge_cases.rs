//! Edge cases that do not occur in ordinary games. Each has its own small game or options.

use std::time::Duration;

use emtee::research::{Gamma, Observer, ProbCut, Window};
use emtee::{
    Algorithm, Budget, Error, Game, Moves, Outcome, OwnEvaluation, Poll, Selective, Side, Value, legal_moves, mix,
    player,
};
use emtee_games::chess;
use emtee_games::connect4::Board;

use crate::common::{Hashed, Rules, after, minimax};

/// A given number of moves at the root, whose codes are made of their indices. The game ends after one move.
#[derive(Clone, Hash)]
struct WideRoot {
    moves: u64,
    over: bool,
}

impl Game for WideRoot {
    type Move = u64;
    fn turn(&self) -> Side {
        if self.over { Side::Second } else { Side::First }
    }
    fn moves(&self, moves: &mut Moves<u64>) {
        (0..self.moves).for_each(|m| moves.push(1 << 20 | m));
    }
    fn play(&self, _: u64) -> WideRoot {
        WideRoot { over: true, ..*self }
    }
    fn outcome(&self) -> Option<Outcome> {
        self.over.then_some(Outcome::Lost)
    }
}

#[test]
fn as_many_moves_as_codes_are_supported() {
    let think =
        |moves| player(OwnEvaluation).build().unwrap().think(&WideRoot { moves, over: false }, Budget::depth(1));
    for moves in [0x7ffe, 0x7fff] {
        assert_eq!(think(moves).unwrap().value, Some(Value::win_in(1)), "{moves}");
    }
    for moves in [0x8000, 0x8001] {
        assert_eq!(think(moves).unwrap_err(), Error::TooManyMoves { moves: moves as usize });
    }
}

#[test]
fn a_mate_at_the_horizon_is_seen() {
    let board: chess::Board = "7k/R7/6K1/8/8/8/8/8 w - - 0 1".parse().unwrap();
    let found = player(OwnEvaluation).build().unwrap().think(&board, Budget::depth(1)).unwrap();
    assert_eq!(found.value, Some(Value::win_in(1)));
}

#[test]
fn a_search_by_several_threads_reports_parallel_statistics() {
    let threads = |threads| {
        let found = player(OwnEvaluation).threads(threads).build().unwrap().think(&Board::default(), Budget::depth(4));
        found.unwrap().parallel.map(|parallel| parallel.threads)
    };
    assert_eq!([1, 2, 3].map(threads), [None, Some(2), Some(3)]);
}

#[test]
fn the_best_move_of_a_stopped_ranking_is_its_first() {
    for seed in 0..4 {
        let board: Board = after(2 * seed, seed);
        for nodes in (50..2_000).step_by(50) {
            let mut ai = player(OwnEvaluation).principal_variation(false).build().unwrap();
            let budget = Budget::depth(6).and_nodes(nodes);
            let found = ai.think_of(&board, &[], 3, budget, &mut ()).unwrap();
            let first = found.ranked.first().map(|first| first.m);
            assert!(found.depth == 0 || found.best_move == first, "seed {seed}, {nodes} nodes");
        }
    }
}

/// Three forced captures in every position, until ply 18.
#[derive(Clone, Hash)]
struct Captures {
    id: u64,
    ply: u8,
}

impl Game for Captures {
    type Move = u8;
    fn turn(&self) -> Side {
        if self.ply.is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn moves(&self, moves: &mut Moves<u8>) {
        (0..3).for_each(|m| moves.push(m));
    }
    fn play(&self, m: u8) -> Captures {
        Captures { id: mix(self.id * 3 + u64::from(m)) >> 8, ply: self.ply + 1 }
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn evaluate(&self) -> i32 {
        (self.id % 100) as i32
    }
    fn noisy_moves(&self, moves: &mut Moves<u8>) -> emtee::Quiescence {
        if self.ply > 18 {
            return emtee::Quiescence::Quiet;
        }
        self.moves(moves);
        emtee::Quiescence::Forced
    }
}

#[test]
fn a_stop_flag_stops_the_quiescence_search() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
    let (flag, evaluated) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let (raised, counted) = (flag.clone(), evaluated.clone());
    let raise = move |n: &Captures| {
        raised.store(counted.fetch_add(1, Relaxed) > 0, Relaxed);
        n.evaluate()
    };
    let mut ai = player(raise).stop(flag).build().unwrap();
    let found = ai.think(&Captures { id: 1, ply: 0 }, Budget::depth(1)).unwrap();
    assert!(!found.complete);
    assert!(evaluated.load(Relaxed) < 1_000, "{evaluated:?}");
}

#[test]
fn a_long_slice_finishes_a_search_and_a_short_one_does_not() {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    /// A clock that advances by a second at every call.
    fn ticking() -> Duration {
        static SECONDS: AtomicU64 = AtomicU64::new(0);
        Duration::from_secs(SECONDS.fetch_add(1, Relaxed))
    }
    let (board, depth) = (Board::default(), Budget::depth(8));
    let build = || player(OwnEvaluation).deepen_by(1).clock(ticking).build().unwrap();
    let whole = build().think(&board, depth).unwrap();
    let mut ai = build();
    ai.start(&board, depth).unwrap();
    let Poll::Done(found) = ai.poll(Budget::nodes(whole.counts.nodes())).unwrap() else {
        panic!("the slice is long enough")
    };
    assert_eq!((found.value, found.complete), (whole.value, true));
    let mut ai = build();
    ai.start(&board, depth).unwrap();
    let mut slices = 1;
    let found = loop {
        match ai.poll(Budget::time(Duration::from_secs(4))).unwrap() {
            Poll::Done(found) => break found,
            _ => slices += 1,
        }
    };
    assert_eq!((found.value, found.complete), (whole.value, true));
    assert!(slices > 3, "{slices}");
}

/// A game whose ProbCut model predicts every search by one of the same depth.
#[derive(Clone, Hash)]
struct BadProbCut(Hashed);

impl Game for BadProbCut {
    type Move = u8;
    fn turn(&self) -> Side {
        self.0.turn()
    }
    fn moves(&self, moves: &mut Moves<u8>) {
        self.0.moves(moves);
    }
    fn play(&self, m: u8) -> BadProbCut {
        BadProbCut(self.0.play(m))
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
    fn evaluate(&self) -> i32 {
        self.0.evaluate()
    }
    fn probcut(&self, depth: u8) -> Option<ProbCut> {
        Some(ProbCut { depth, slope: 1_000, offset: 0, sigma: 0 })
    }
}

#[test]
fn probcut_uses_only_shallower_searches() {
    let selective = Selective { probcut: true, ..Selective::NONE };
    for seed in 0..10 {
        let n = BadProbCut(Rules { seed, ..Rules::TREE }.root());
        let found = player(OwnEvaluation).selective(selective).fixed_depth().build().unwrap();
        let found = { found }.think(&n, Budget::depth(5)).unwrap();
        assert_eq!(found.value, Some(minimax(&n, 5)), "seed {seed}");
    }
}

/// Records the root moves that are reported in the last iteration.
#[derive(Default)]
struct RootMoves(u8, Vec<usize>);

impl<G: Game> Observer<G> for RootMoves {
    fn root_move(&mut self, depth: u8, _: G::Move, number: usize) {
        if depth > self.0 {
            *self = RootMoves(depth, Vec::new());
        }
        self.1.push(number);
    }
}

#[test]
fn selective_search_reports_root_moves_and_a_principal_variation() {
    // Two rooks against a bare king: mate in two.
    let board: chess::Board = "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1".parse().unwrap();
    let mut ai = player(OwnEvaluation).selective(chess::Board::TUNING.selective).build().unwrap();
    let mut root = RootMoves::default();
    let found = ai.think_observed(&board, Budget::depth(6).and_nodes(1_000_000), &mut root).unwrap();
    assert_eq!(found.value, Some(Value::win_in(3)));
    assert_eq!((root.0, root.1.first()), (6, Some(&1)));
    assert_eq!(found.pv.len(), 3);
    let mated = found.pv.iter().fold(board, |board, &m| board.play(m));
    assert!(legal_moves(&mated).is_empty() && mated.stuck() == Outcome::Lost);
}

/// Futility pruning. Seven plies from the horizon a side that is far behind searches only one quiet move, eight plies from it
/// all of them.
#[test]
fn futility_pruning_is_used_only_near_the_horizon() {
    let selective = Selective { futility: true, ..Selective::NONE };
    // That side moves at odd distances from the horizon in the first search, at even ones in the second.
    let visits = [10, 11].map(|depth| {
        let mut ai = player(OwnEvaluation).selective(selective).build::<chess::Board>().unwrap();
        // The other side would have to win twenty pawns.
        let gamma = Gamma::below(Value::score(-20 * selective.margin_unit).unwrap());
        let pass = ai.research().pass(&chess::Board::default(), depth, gamma).unwrap();
        assert!(pass.g > gamma);
        pass.counts.nodes()
    });
    assert!(visits[0] < 1_000 && visits[1] > 3_000, "{visits:?}");
}

/// A game with one move in every position, without an end.
#[derive(Clone, Hash)]
struct SingleLine(u32);

impl Game for SingleLine {
    type Move = u8;
    fn turn(&self) -> Side {
        if self.0.is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn moves(&self, moves: &mut Moves<u8>) {
        moves.push(0);
    }
    fn play(&self, _: u8) -> SingleLine {
        SingleLine(self.0 + 1)
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn forced(&self) -> bool {
        true
    }
}

#[test]
fn forced_extensions_reach_at_most_three_times_the_depth() {
    let deepest = |extensions: bool, depth: u8| {
        let selective = Selective { forced_extensions: extensions, ..Selective::NONE };
        let mut ai = player(|_: &SingleLine| 0).selective(selective).build().unwrap();
        ai.think(&SingleLine(0), Budget::depth(depth)).unwrap().iterations.last().map(|last| last.deepest)
    };
    // Each ply up to twice the depth is extended by one, except the root.
    assert_eq!([2, 5, 9].map(|depth| deepest(true, depth)), [Some(5), Some(14), Some(26)]);
    assert_eq!([2, 5, 9].map(|depth| deepest(false, depth)), [Some(2), Some(5), Some(9)]);
}

/// Records the positions after a root move, in the order of the visits.
struct Visited(Vec<Hashed>);

impl Observer<Hashed> for Visited {
    fn enter(&mut self, n: &Hashed, _: u8, _: Window) {
        if n.ply == 1 {
            self.0.push(*n);
        }
    }
}

#[test]
fn the_order_of_moves_does_not_depend_on_which_are_searched() {
    for seed in 0..10 {
        let n = Rules { seed, width: 9, ..Rules::TREE }.root();
        let moves = legal_moves(&n);
        let visited = |among: &[u8]| {
            let mut visited = Visited(Vec::new());
            let builder = player(OwnEvaluation).algorithm(Algorithm::AlphaBeta).principal_variation(false);
            builder.build().unwrap().think_of(&n, among, 1, Budget::depth(1), &mut visited).unwrap();
            visited.0
        };
        let all = visited(&moves);
        assert_eq!(all.len(), moves.len());
        for &left_out in moves.iter().filter(|_| moves.len() > 1) {
            let among: Vec<u8> = moves.iter().copied().filter(|&m| m != left_out).collect();
            let expected: Vec<Hashed> = all.iter().copied().filter(|&c| c != n.play(left_out)).collect();
            assert_eq!(visited(&among), expected, "seed {seed}, without {left_out}");
        }
    }
}
