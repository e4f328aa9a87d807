//! Guarantees of the documentation, each with a test.

use std::sync::Arc;
use std::time::Duration;

use emtee::research::{Deepening, Gamma, Iteration, Kind, Mode, Observer, Options, Reuse, Window};
use emtee::{
    Algorithm, Bounds, Budget, Error, Evaluate, Game, Grain, Moves, Outcome, OwnEvaluation, Selective, Side, Size,
    Stop, Value, legal_moves, mix, player,
};
use emtee_games::connect4::Board;
use emtee_games::{chess, kalah, othello, tictactoe};

use crate::common::after;
use crate::options::Silent;

/// The value of every move, by plain minimax.
fn move_values<G: Game>(board: &G, depth: u8) -> Vec<(G::Move, Value)> {
    let mut oracle = player(OwnEvaluation).algorithm(Algorithm::Minimax).fixed_depth().build().unwrap();
    let worth = |m| (m, oracle.worth(board, m, Budget::depth(depth)).unwrap().expect("a legal move"));
    legal_moves(board).into_iter().map(worth).collect()
}

#[test]
fn ten_thousand_rankings_are_right() {
    let mut known = std::collections::BTreeMap::new();
    let mut cut_short = 0;
    for seed in 0..10_000u64 {
        let plies = seed % 20;
        let position = seed / 20 % 4;
        let board: Board = after(plies, position);
        let mut ai = player(OwnEvaluation).table(Size::of_entries(1 << 10)).principal_variation(false).build().unwrap();
        let (count, nodes) = (1 + mix(seed) as usize % 7, 1 + mix(seed ^ 99) % 3_000);
        let budget = Budget::depth(4).and_nodes(nodes);
        let ranked = ai.rank(&board, budget, count).unwrap();
        let expected = count.min(legal_moves(&board).len());
        assert!(ranked.len() <= expected);
        cut_short += u64::from(ranked.first().is_some_and(|first| first.depth < 4));
        if ranked.first().is_some_and(|first| first.depth > 1) {
            assert_eq!(ranked.len(), expected, "seed {seed}: the ranking is incomplete");
        }
        let values: Vec<Value> = ranked.iter().map(|ranked| ranked.f.exact().expect("an exact value")).collect();
        assert!(values.is_sorted_by(|a, b| a >= b), "seed {seed}: {values:?}");
        for (index, entry) in ranked.iter().enumerate() {
            assert!(ranked[..index].iter().all(|other| other.m != entry.m), "seed {seed}: a move is listed twice");
            let worths =
                known.entry((plies, position, entry.depth)).or_insert_with(|| move_values(&board, entry.depth));
            let worth = worths.iter().find(|(m, _)| *m == entry.m).expect("a legal move").1;
            assert_eq!(values[index], worth, "seed {seed}, move {}, depth {}", entry.m, entry.depth);
            let better = worths.iter().filter(|(_, worth)| *worth > values[index]).count();
            assert!(better <= index, "seed {seed}: a better move is missing");
        }
    }
    assert!(cut_short > 1_000, "too few rankings were cut short: {cut_short}");
}

#[test]
fn every_algorithm_can_rank() {
    let board: kalah::Board = after(6, 3);
    let worths = move_values(&board, 4);
    for algorithm in Algorithm::ALL {
        let ranked =
            player(OwnEvaluation).algorithm(algorithm).build().unwrap().rank(&board, Budget::depth(4), 4).unwrap();
        assert_eq!(ranked.len(), 4, "{algorithm}");
        for entry in &ranked {
            let worth = worths.iter().find(|(m, _)| *m == entry.m).unwrap().1;
            assert!(entry.f.contains(worth), "{algorithm}");
            assert_eq!(entry.pv.first(), Some(&entry.m));
        }
    }
}

#[test]
fn the_worth_of_a_move_is_none_after_a_limit() {
    let board = Board::default();
    let m = legal_moves(&board)[0];
    let mut ai = player(OwnEvaluation).build().unwrap();
    assert_eq!(ai.worth(&board, m, Budget::depth(9).and_nodes(500)).unwrap(), None);
    assert!(ai.worth(&board, m, Budget::depth(5)).unwrap().is_some());
}

/// With a null window, the recursion for windows, threads and play visits the same nodes as MT.
#[test]
fn null_windows_visit_the_nodes_of_mt() {
    fn check<G: Game + Default>(depth: u8, etc: u8) {
        for seed in 0..6 {
            let board: G = after(4 + seed, seed);
            if board.outcome().is_some() {
                continue;
            }
            let make = || {
                let mut options = Options::default();
                options.mode = Mode::Exact { etc: Some(etc) };
                (options.size, options.store_leaves) = (Some(Size::of_entries(1 << 14)), Some(seed % 2 == 0));
                player(OwnEvaluation).options(options).build::<G>().unwrap()
            };
            let (mut by_mt, mut by_window) = (make(), make());
            let mut with_peers = make();
            with_peers.research().set_peers(Some(Arc::new(Silent))).unwrap();
            let mut g = Value::default();
            for depth in 1..=depth {
                for step in [0, 3, -3, 1, -1] {
                    let gamma = Gamma::below(g + step);
                    let pass = by_mt.research().pass(&board, depth, gamma).unwrap();
                    let same = by_window.research().window(&board, depth, Window::null(gamma)).unwrap();
                    assert!(pass == same, "depth {depth}, {gamma}: {:?} {:?}", pass.counts, same.counts);
                    let same = with_peers.research().pass(&board, depth, gamma).unwrap();
                    assert!(pass == same, "with peers, depth {depth}, {gamma}: {:?} {:?}", pass.counts, same.counts);
                    g = pass.g;
                }
            }
        }
    }
    check::<Board>(7, 0);
    check::<Board>(7, 2);
    check::<kalah::Board>(5, 0);
    check::<tictactoe::Board>(6, 0);
    check::<othello::Board>(4, 0);
    check::<chess::Board>(3, 2);
}

#[test]
fn a_single_pass_uses_the_options_of_the_search() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    let (board, gamma) = (chess::Board::default(), Gamma::below(Value::default()));
    let flag = Arc::new(AtomicBool::new(true));
    let mut ai = player(OwnEvaluation).stop(flag.clone()).build::<chess::Board>().unwrap();
    assert_eq!(ai.research().pass(&board, 6, gamma).unwrap_err(), Error::Stopped);
    flag.store(false, Relaxed);
    let exact = ai.research().pass(&board, 5, gamma).unwrap();
    let mut selective =
        player(OwnEvaluation).selective(chess::Board::TUNING.selective).build::<chess::Board>().unwrap();
    let fewer = selective.research().pass(&board, 5, gamma).unwrap();
    assert!(fewer.counts.nodes() < exact.counts.nodes(), "selective search must visit fewer nodes");
    let mut team = player(OwnEvaluation).threads(2).build::<chess::Board>().unwrap();
    let shared = team.research().pass(&board, 5, gamma).unwrap();
    assert_eq!(shared.g > gamma, exact.g > gamma);
}

#[test]
fn exact_is_right_in_repeated_searches() {
    let board: tictactoe::Board = after(2, 5);
    let opening = tictactoe::Board::default();
    let mut ai = player(OwnEvaluation).deepen_by(1).build().unwrap();
    for round in 0..400 {
        // A shallow search depends on evaluations, whatever the table has from deeper or older searches.
        let shallow = ai.think(&opening, Budget::depth(2)).unwrap();
        assert!(!shallow.iterations[1].exact, "round {round}");
    }
    let solved = ai.think(&board, Budget::UNLIMITED).unwrap();
    assert!(solved.iterations.last().unwrap().exact && solved.depth <= 7);
}

#[test]
fn enhanced_cuts_are_counted_only_if_etc_is_on() {
    for threads in [1, 2] {
        for seed in 0..10 {
            let board: Board = after(seed, seed);
            let think = |etc: u8| {
                let builder = player(OwnEvaluation).threads(threads).etc(etc);
                let mut ai = builder.with(|options| options.share_from = 0).build::<Board>().unwrap();
                ai.think(&board, Budget::depth(8)).unwrap().counts.enhanced_cuts
            };
            assert_eq!(think(0), 0);
            assert!(think(1) > 0);
        }
    }
}

#[test]
fn reconfigure_keeps_the_table_unless_its_options_change() {
    let (board, depth) = (Board::default(), Budget::depth(8));
    let mut options = Options::default();
    // A single iteration: shallow iterations would be searched again, since the deep ones have overwritten their entries.
    (options.store_leaves, options.deepening) = (Some(true), Deepening::Fixed);
    let mut ai = player(OwnEvaluation).options(options).build::<Board>().unwrap();
    let first = ai.think(&board, depth).unwrap();
    for change in [
        |options: &mut Options| options.threads = 2,
        |options: &mut Options| options.algorithm = Algorithm::NegaScout,
        |options: &mut Options| options.principal_variation = false,
    ] {
        change(&mut options);
        ai.reconfigure(options).unwrap();
        let again = ai.think(&board, depth).unwrap();
        assert_eq!(again.value, first.value);
        assert!(again.counts.nbp < first.counts.nbp / 2, "the table was kept");
    }
    options.reuse = Some(Reuse::AtLeastDepth);
    ai.reconfigure(options).unwrap();
    assert!(ai.think(&board, depth).unwrap().counts.nbp > first.counts.nbp / 2, "the table is new and empty");
    options.algorithm = Algorithm::AlphaBeta;
    let refused = ai.reconfigure(options).unwrap_err().to_string();
    assert_eq!(refused, "alpha-beta searches on one thread; choose an MT driver or NegaScout for more");
}

/// Records the lengths of the principal variations of the iterations.
#[derive(Default)]
struct Lines(Vec<(u8, usize)>);

impl<G: Game> Observer<G> for Lines {
    fn iteration(&mut self, iteration: &Iteration<G::Move>) {
        self.0.push((iteration.depth, iteration.pv.len()));
    }
}

#[test]
fn a_search_to_a_depth_deepens_by_two_and_proves_the_lines_that_are_observed() {
    let board = Board::default();
    let mut ai = player(OwnEvaluation).build().unwrap();
    let lines = |found: &emtee::Found<_>| -> Vec<(u8, usize)> {
        found.iterations.iter().map(|iteration| (iteration.depth, iteration.pv.len())).collect()
    };
    // Without an observer, only the last principal variation is proved.
    assert_eq!(lines(&ai.think(&board, Budget::depth(7)).unwrap()), [(1, 1), (3, 1), (5, 1), (7, 7)]);
    let mut seen = Lines::default();
    ai.clear().unwrap();
    ai.think_observed(&board, Budget::depth(7), &mut seen).unwrap();
    assert_eq!(seen.0, [(1, 1), (3, 3), (5, 5), (7, 7)]);
    // A search with another limit deepens ply by ply and proves every principal variation.
    ai.clear().unwrap();
    let found = ai.think(&board, Budget::depth(5).and_nodes(1_000_000)).unwrap();
    assert_eq!(lines(&found), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]);
    let mut by_one = player(OwnEvaluation).deepen_by(1).build().unwrap();
    assert_eq!(by_one.think(&board, Budget::depth(3)).unwrap().iterations.len(), 3);
}

#[test]
fn evaluations_are_rounded_to_their_grain() {
    let rounded = |grain: i32, points: i32| Grain { grain, evaluator: |&points: &i32| points }.evaluate(&points);
    for (grain, points, expected) in
        [(1, -7, -7), (0, 9, 9), (4, 1, 0), (4, 2, 4), (4, -2, -4), (8, 11, 8), (8, 12, 16), (8, -13, -16)]
    {
        assert_eq!(rounded(grain, points), expected, "{points} by {grain}");
    }
    let most = rounded(7, Value::MAX_SCORE);
    assert!(most <= Value::MAX_SCORE && most % 7 == 0 && most > Value::MAX_SCORE - 7);
}

#[test]
fn lists_of_moves() {
    let mut moves = Moves::new();
    assert!(moves.is_empty());
    moves.push(3u8);
    assert!(!moves.is_empty() && moves.len() == 1);
    moves.push_hinted(5, 2);
    moves.truncate(1);
    assert_eq!((moves.get(0), moves.get(1)), (Some(3), None));
}

#[test]
fn the_number_of_threads_is_limited() {
    let built = |threads| player(OwnEvaluation).threads(threads).build::<Board>();
    assert!(built(emtee::MAX_THREADS).is_ok());
    for threads in [emtee::MAX_THREADS + 1, emtee::MAX_THREADS + 2, usize::MAX] {
        let refused = Error::TooManyThreads { threads, most: emtee::MAX_THREADS };
        assert_eq!(built(threads).err(), Some(refused));
    }
}

#[test]
fn known_bounds_cut_nodes_off() {
    // The value of every position but the root is known, so no search is deeper than the children of the root.
    let mut ai = player(Between(3, 3)).deepen_by(1).build::<Board>().unwrap();
    let found = ai.think(&Board::default(), Budget::depth(7)).unwrap();
    assert_eq!(found.value.unwrap().get().abs(), 3);
    assert!(found.counts.nodes() < 200, "{:?}", found.counts);
    assert!(found.iterations.last().unwrap().exact);
    // With a lower and an upper bound that differ, the evaluation is needed.
    let mut ai = player(Between(3, 9)).deepen_by(1).build::<Board>().unwrap();
    let found = ai.think(&Board::default(), Budget::depth(3)).unwrap();
    assert!(found.iterations.iter().all(|iteration| !iteration.exact));
}

#[test]
fn statistics_by_height_add_up_with_one_thread_and_with_two() {
    for threads in [1, 2] {
        let mut ai = player(OwnEvaluation).threads(threads).build::<Board>().unwrap();
        let found = ai.think(&Board::default(), Budget::depth(9)).unwrap();
        let sum = |of: fn(&emtee::research::Cuts) -> u64| found.heights.iter().map(of).sum::<u64>();
        assert!(found.counts.cut_nodes > 1_000);
        assert_eq!(sum(|cuts| cuts.cut_nodes), found.counts.cut_nodes, "{threads}");
        assert_eq!(sum(|cuts| cuts.first_move_cuts), found.counts.first_move_cuts, "{threads}");
        assert_eq!(sum(|cuts| cuts.moves_tried), found.counts.moves_at_cuts, "{threads}");
        assert!(found.heights.iter().filter(|cuts| cuts.cut_nodes > 0).count() >= 7, "{:?}", found.heights);
    }
}

/// Counts the calls.
#[derive(Default)]
struct CallCounts {
    passes_begun: usize,
    passes_finished: usize,
    iterations: usize,
}

impl<G: Game> Observer<G> for CallCounts {
    fn enabled(&self) -> bool {
        true
    }
    fn pass(&mut self, _: Window) {
        self.passes_begun += 1;
    }
    fn passed(&mut self, _: u8, _: &emtee::research::Pass<G::Move>) {
        self.passes_finished += 1;
    }
    fn iteration(&mut self, _: &Iteration<G::Move>) {
        self.iterations += 1;
    }
}

#[test]
fn passes_forwards_every_pass_and_iteration() {
    let mut counts = CallCounts::default();
    let mut ai = player(OwnEvaluation).deepen_by(1).build::<Board>().unwrap();
    let mut observer = emtee::research::Passes(&mut counts as &mut dyn Observer<Board>);
    let found = ai.think_observed(&Board::default(), Budget::depth(5), &mut observer).unwrap();
    let calls = (counts.passes_begun, counts.passes_finished, counts.iterations);
    assert_eq!(calls, (found.passes(), found.passes(), 5));
    // There is an observer, so every iteration has proved its principal variation.
    assert!(found.iterations.iter().all(|iteration| iteration.pv.len() == usize::from(iteration.depth)));
}

#[test]
fn parsing_kinds_and_budgets() {
    let table = player(OwnEvaluation).table(Size::of_entries(1 << 12)).build::<Board>().unwrap();
    assert_eq!(table.table_entries(), 1 << 12);
    let read = |text: &str| text.parse::<Selective>();
    assert_eq!(read("all").unwrap(), Selective::ALL);
    assert_eq!(read("none").unwrap(), Selective::NONE);
    assert_eq!(read("all,none").unwrap(), Selective::NONE);
    assert_eq!(read("all,-null-move").unwrap(), Selective { null_move: false, ..Selective::ALL });
    for bad in ["-all", "-none", "every"] {
        assert!(read(bad).is_err(), "{bad}");
    }
    assert_eq!([0, 1].map(|plies| Value::win_in(plies).kind()), [0, 1].map(|plies| Kind::Win { plies }));
    assert_eq!([0, 1].map(|plies| Value::loss_in(plies).kind()), [0, 1].map(|plies| Kind::Loss { plies }));
    assert_eq!(Value::INFINITY.kind(), Kind::Infinite { positive: true });
    assert_eq!((Value::loss_in(4).loses_in(), Value::win_in(4).loses_in()), (Some(4), None));
    assert_eq!((Value::win_in(4).wins_in(), Value::loss_in(4).wins_in()), (Some(4), None));
    assert_eq!(Gamma::below(Value::score(41).unwrap()).as_f64(), 40.5);
    for value in [Value::default(), Value::win_in(3), Value::loss_in(0)] {
        assert_eq!(Value::from_integer(value.get()), Some(value));
    }
    assert_eq!([32_001, -32_001, i32::MIN].map(Value::from_integer), [None; 3]);
    let seven = Duration::from_millis(7);
    assert_eq!(Budget::ms(7), Budget { time: Some(seven), ..Budget::UNLIMITED });
    let all = Budget { depth: Some(5), nodes: Some(6), time: Some(seven) };
    assert_eq!(Budget::depth(5).and_nodes(6).and_time(seven), all);
    assert_eq!(Budget::time(seven).and_depth(5).and_nodes(6), all);
    // The clock advances.
    let began = emtee::system_clock();
    while emtee::system_clock() == began {}
}

#[test]
fn a_search_with_the_right_guesses_needs_the_fewest_passes() {
    let board: Board = after(4, 3);
    let depth = Budget::depth(6);
    let found = player(OwnEvaluation).deepen_by(1).build().unwrap().think(&board, depth).unwrap();
    let values: Vec<Value> = found.iterations.iter().map(|iteration| iteration.value.unwrap()).collect();
    let around = Algorithm::AspirationNegaScout { width: 1, widen: emtee::research::Widen::Open };
    for (algorithm, passes) in [(Algorithm::MtdF, 2), (around, 1)] {
        let builder = player(OwnEvaluation).deepen_by(1).algorithm(algorithm).guesses(values.clone());
        let guided = builder.build().unwrap().think(&board, depth).unwrap();
        assert_eq!(guided.value, found.value);
        for iteration in &guided.iterations {
            assert_eq!(iteration.passes.len(), passes, "{algorithm}, depth {}", iteration.depth);
        }
    }
}

/// Two moves that are too large for codes of their own.
#[derive(Clone, Hash)]
struct Large(u8);

impl Game for Large {
    type Move = u64;
    fn turn(&self) -> Side {
        if self.0.is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn moves(&self, moves: &mut Moves<u64>) {
        [70_000, 80_000].into_iter().for_each(|m| moves.push(m));
    }
    fn play(&self, _: u64) -> Large {
        Large(self.0 + 1)
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.0 == 9).then_some(Outcome::Won)
    }
}

/// A game with three moves at the root and then 70,000, which is more than there are codes, so that some share a code.
#[derive(Clone, Hash)]
struct Wide(u32);

impl Game for Wide {
    type Move = u32;
    fn turn(&self) -> Side {
        if self.0 == 0 { Side::First } else { Side::Second }
    }
    fn moves(&self, moves: &mut Moves<u32>) {
        (0..if self.0 == 0 { 3 } else { 70_000 }).for_each(|m| moves.push(m));
    }
    fn play(&self, _: u32) -> Wide {
        Wide(self.0 + 1)
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.0 == 2).then_some(Outcome::Drawn)
    }
    fn code(&self, m: u32, _: usize) -> u16 {
        (m % 1_000) as u16
    }
}

#[test]
fn too_many_moves_are_an_error() {
    let refused = player(OwnEvaluation).build().unwrap().think(&Wide(0), Budget::depth(2));
    assert_eq!(refused.unwrap_err(), Error::TooManyMoves { moves: 70_000 });
}

/// Known bounds, and the lower bound as the evaluation.
struct Between(i32, i32);

impl<G> Evaluate<G> for Between {
    fn evaluate(&self, _: &G) -> i32 {
        self.0
    }
    fn known(&self, _: &G) -> Option<Bounds> {
        let [lower, upper] = [self.0, self.1].map(|points| Value::score(points).unwrap_or(Value::INFINITY));
        Some(Bounds { lower, upper })
    }
}

#[test]
fn defaults_of_a_game() {
    let game = Large(0);
    assert_eq!(game.halfmove_clock(), None);
    assert_eq!([70_000, 80_000].map(|m| game.code(m, 3)), [0x8003; 2]);
    assert_eq!(game.code(80_000, 0x9000), 0xffff);
    // The default evaluation is 0.
    let found = player(OwnEvaluation).build().unwrap().think(&game, Budget::depth(5)).unwrap();
    assert_eq!(found.value.unwrap().get(), 0);
    // Oracles do not use the table, so it is as small as possible.
    let oracle = player(OwnEvaluation).algorithm(Algorithm::Minimax).build::<Board>().unwrap();
    assert!(oracle.table_entries() <= 4);
    assert!(player(OwnEvaluation).build::<Board>().unwrap().table_entries() > 1 << 16);
}

#[test]
fn known_bounds_are_rounded_as_evaluations_are() {
    let known = |between| Grain { grain: 4, evaluator: between }.known(&()).unwrap();
    let score = |points| Value::score(points).unwrap();
    assert_eq!(known(Between(-5, 3)), Bounds { lower: score(-4), upper: score(4) });
    assert_eq!(known(Between(9, i32::MAX)), Bounds { lower: score(8), upper: Value::INFINITY });
    assert_eq!(Evaluate::<()>::grain(&|_: &()| 5), 1);
    assert!(Evaluate::<()>::known(&Grain { grain: 4, evaluator: |_: &()| 5 }, &()).is_none());
}

#[test]
fn a_search_stops_at_its_time_and_not_before() {
    let stop = Stop::default();
    let mut ai = player(OwnEvaluation).build::<Board>().unwrap();
    ai.set_stop(Some(stop.clone()));
    let mut complete = || ai.think(&Board::default(), Budget::depth(6)).unwrap().complete;
    stop.clear();
    assert!(complete());
    stop.at(Duration::MAX);
    assert!(complete());
    stop.at(Duration::from_secs(1 << 30));
    assert!(complete());
    stop.now();
    assert!(!complete());
}
