//! What the library promises in so many words, each with the test that would notice.

use std::sync::Arc;
use std::time::Duration;

use emtee::research::{Deepening, Gamma, Iteration, Kind, Mode, Observer, Options, Reuse, Window};
use emtee::{
    Alarm, Algorithm, Bounds, Budget, Error, Evaluate, Game, Grain, Moves, Outcome, OwnEvaluation, Selective, Side,
    Size, Value, legal_moves, mix, player,
};
use emtee_games::connect4::Board;
use emtee_games::{chess, kalah, othello, tictactoe};

use crate::common::after;
use crate::options::Silent;

/// What playing each move is worth, by plain minimax.
fn worths<G: Game>(board: &G, depth: u8) -> Vec<(G::Move, Value)> {
    let mut oracle = player(OwnEvaluation).algorithm(Algorithm::Minimax).fixed_depth().build().unwrap();
    let worth = |m| (m, oracle.worth(board, m, Budget::depth(depth)).unwrap().expect("a legal move"));
    legal_moves(board).into_iter().map(worth).collect()
}

#[test]
fn ten_thousand_rankings_name_no_move_twice_and_every_value_is_right() {
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
        let wanted = count.min(legal_moves(&board).len());
        assert!(ranked.len() <= wanted);
        cut_short += u64::from(ranked.first().is_some_and(|first| first.depth < 4));
        if ranked.first().is_some_and(|first| first.depth > 1) {
            assert_eq!(ranked.len(), wanted, "seed {seed}: a limit leaves all of them");
        }
        let values: Vec<Value> = ranked.iter().map(|ranked| ranked.f.exact().expect("an exact value")).collect();
        assert!(values.is_sorted_by(|a, b| a >= b), "seed {seed}: {values:?}");
        for (at, one) in ranked.iter().enumerate() {
            assert!(ranked[..at].iter().all(|other| other.m != one.m), "seed {seed}: a move stands twice");
            let worths = known.entry((plies, position, one.depth)).or_insert_with(|| worths(&board, one.depth));
            let worth = worths.iter().find(|(m, _)| *m == one.m).expect("a legal move").1;
            assert_eq!(values[at], worth, "seed {seed}, move {}, depth {}", one.m, one.depth);
            let better = worths.iter().filter(|(_, worth)| *worth > values[at]).count();
            assert!(better <= at, "seed {seed}: a better move was passed over");
        }
    }
    assert!(cut_short > 1_000, "limits have cut rankings short: {cut_short}");
}

#[test]
fn rankings_hold_for_every_algorithm() {
    let board: kalah::Board = after(6, 3);
    let worths = worths(&board, 4);
    for algorithm in Algorithm::ALL {
        let ranked =
            player(OwnEvaluation).algorithm(algorithm).build().unwrap().rank(&board, Budget::depth(4), 4).unwrap();
        assert_eq!(ranked.len(), 4, "{algorithm}");
        for one in &ranked {
            let worth = worths.iter().find(|(m, _)| *m == one.m).unwrap().1;
            assert!(one.f.contains(worth), "{algorithm}");
            assert_eq!(one.pv.first(), Some(&one.m));
        }
    }
}

#[test]
fn a_worth_that_was_cut_short_is_none() {
    let board = Board::default();
    let m = legal_moves(&board)[0];
    let mut ai = player(OwnEvaluation).build().unwrap();
    assert_eq!(ai.worth(&board, m, Budget::depth(9).and_nodes(500)).unwrap(), None);
    assert!(ai.worth(&board, m, Budget::depth(5)).unwrap().is_some());
}

/// The recursion that serves windows, threads and play is MT where it is asked MT's question: node for node.
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
            let mut by_team_of_one = make();
            by_team_of_one.research().set_peers(Some(Arc::new(Silent))).unwrap();
            let mut g = Value::default();
            for depth in 1..=depth {
                for step in [0, 3, -3, 1, -1] {
                    let gamma = Gamma::below(g + step);
                    let pass = by_mt.research().pass(&board, depth, gamma).unwrap();
                    let same = by_window.research().window(&board, depth, Window::null(gamma)).unwrap();
                    assert!(pass == same, "depth {depth}, {gamma}: {:?} {:?}", pass.counts, same.counts);
                    let same = by_team_of_one.research().pass(&board, depth, gamma).unwrap();
                    assert!(pass == same, "team, depth {depth}, {gamma}: {:?} {:?}", pass.counts, same.counts);
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
fn a_single_pass_obeys_every_option() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    let (board, gamma) = (chess::Board::default(), Gamma::below(Value::default()));
    let flag = Arc::new(AtomicBool::new(true));
    let mut ai = player(OwnEvaluation).stop_flag(flag.clone()).build::<chess::Board>().unwrap();
    assert_eq!(ai.research().pass(&board, 6, gamma).unwrap_err(), Error::Stopped);
    flag.store(false, Relaxed);
    let exact = ai.research().pass(&board, 5, gamma).unwrap();
    let mut selective =
        player(OwnEvaluation).selective(chess::Board::TUNING.selective).build::<chess::Board>().unwrap();
    let fewer = selective.research().pass(&board, 5, gamma).unwrap();
    assert!(fewer.counts.nodes() < exact.counts.nodes(), "what may be left out is left out");
    let mut team = player(OwnEvaluation).threads(2).build::<chess::Board>().unwrap();
    let shared = team.research().pass(&board, 5, gamma).unwrap();
    assert_eq!(shared.g > gamma, exact.g > gamma);
}

#[test]
fn exact_stays_true_however_often_a_search_is_used() {
    let board: tictactoe::Board = after(2, 5);
    let opening = tictactoe::Board::default();
    let mut ai = player(OwnEvaluation).deepen_by(1).build().unwrap();
    for round in 0..400 {
        // A shallow search rests on evaluations, whatever the table remembers of deeper or older ones.
        let shallow = ai.think(&opening, Budget::depth(2)).unwrap();
        assert!(!shallow.iterations[1].exact, "round {round}");
    }
    let solved = ai.think(&board, Budget::UNLIMITED).unwrap();
    assert!(solved.iterations.last().unwrap().exact && solved.depth <= 7);
}

#[test]
fn enhanced_cuts_are_counted_only_where_they_are_made() {
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
fn other_options_keep_the_table_unless_they_are_about_it() {
    let (board, depth) = (Board::default(), Budget::depth(8));
    let mut options = Options::default();
    // One iteration: otherwise the shallow ones, which the deep ones have overwritten, would be searched again.
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
        assert!(again.counts.nbp < first.counts.nbp / 2, "what was learned is still there");
    }
    options.reuse = Some(Reuse::AtLeastDepth);
    ai.reconfigure(options).unwrap();
    assert!(ai.think(&board, depth).unwrap().counts.nbp > first.counts.nbp / 2, "another table, with nothing in it");
    options.algorithm = Algorithm::AlphaBeta;
    let refused = ai.reconfigure(options).unwrap_err().to_string();
    assert_eq!(refused, "alpha-beta searches on one thread; choose an MT driver or NegaScout for more");
}

/// An observer that notes how long the lines of the iterations are.
#[derive(Default)]
struct Lines(Vec<(u8, usize)>);

impl<G: Game> Observer<G> for Lines {
    fn iteration(&mut self, iteration: &Iteration<G::Move>) {
        self.0.push((iteration.depth, iteration.pv.len()));
    }
}

#[test]
fn a_search_to_a_depth_deepens_by_two_and_every_line_that_is_seen_is_proved() {
    let board = Board::default();
    let mut ai = player(OwnEvaluation).build().unwrap();
    let lines = |found: &emtee::Found<_>| -> Vec<(u8, usize)> {
        found.iterations.iter().map(|iteration| (iteration.depth, iteration.pv.len())).collect()
    };
    // Nobody looks before the end: only the last line is proved.
    assert_eq!(lines(&ai.think(&board, Budget::depth(7)).unwrap()), [(1, 1), (3, 1), (5, 1), (7, 7)]);
    let mut seen = Lines::default();
    ai.clear().unwrap();
    ai.think_observed(&board, Budget::depth(7), &mut seen).unwrap();
    assert_eq!(seen.0, [(1, 1), (3, 3), (5, 5), (7, 7)]);
    // Whoever may be stopped at any moment goes on ply by ply, and always has a line.
    ai.clear().unwrap();
    let found = ai.think(&board, Budget::depth(5).and_nodes(1_000_000)).unwrap();
    assert_eq!(lines(&found), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]);
    let mut by_one = player(OwnEvaluation).deepen_by(1).build().unwrap();
    assert_eq!(by_one.think(&board, Budget::depth(3)).unwrap().iterations.len(), 3);
}

#[test]
fn evaluations_are_rounded_to_their_grain() {
    let rounded = |grain: i32, points: i32| Grain { grain, evaluator: |&points: &i32| points }.evaluate(&points);
    for (grain, points, told) in
        [(1, -7, -7), (0, 9, 9), (4, 1, 0), (4, 2, 4), (4, -2, -4), (8, 11, 8), (8, 12, 16), (8, -13, -16)]
    {
        assert_eq!(rounded(grain, points), told, "{points} by {grain}");
    }
    let most = rounded(7, Value::MAX_SCORE);
    assert!(most <= Value::MAX_SCORE && most % 7 == 0 && most > Value::MAX_SCORE - 7);
}

#[test]
fn a_list_of_moves_knows_whether_it_is_empty() {
    let mut moves = Moves::new();
    assert!(moves.is_empty());
    moves.push(3u8);
    assert!(!moves.is_empty() && moves.len() == 1);
    moves.push_hinted(5, 2);
    moves.truncate(1);
    assert_eq!((moves.get(0), moves.get(1)), (Some(3), None));
}

#[test]
fn there_are_limits_to_threads() {
    let built = |threads| player(OwnEvaluation).threads(threads).build::<Board>();
    assert!(built(emtee::MAX_THREADS).is_ok());
    for threads in [emtee::MAX_THREADS + 1, emtee::MAX_THREADS + 2, usize::MAX] {
        let refused = Error::TooManyThreads { threads, most: emtee::MAX_THREADS };
        assert_eq!(built(threads).err(), Some(refused));
    }
}

#[test]
fn what_is_known_of_a_position_ends_its_visit() {
    // Everything is known but the root, so no search goes further than its children.
    let mut ai = player(Between(3, 3)).deepen_by(1).build::<Board>().unwrap();
    let found = ai.think(&Board::default(), Budget::depth(7)).unwrap();
    assert_eq!(found.value.unwrap().get().abs(), 3);
    assert!(found.counts.nodes() < 200, "{:?}", found.counts);
    assert!(found.iterations.last().unwrap().exact);
    // Between two bounds it is the evaluation that decides.
    let mut ai = player(Between(3, 9)).deepen_by(1).build::<Board>().unwrap();
    let found = ai.think(&Board::default(), Budget::depth(3)).unwrap();
    assert!(found.iterations.iter().all(|iteration| !iteration.exact));
}

#[test]
fn heights_add_up_to_the_whole_with_one_thread_and_with_two() {
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

/// Counts what it is told.
#[derive(Default)]
struct Told {
    asked: usize,
    answered: usize,
    iterations: usize,
}

impl<G: Game> Observer<G> for Told {
    fn looks(&self) -> bool {
        true
    }
    fn pass(&mut self, _: Window) {
        self.asked += 1;
    }
    fn passed(&mut self, _: u8, _: &emtee::research::Pass<G::Move>) {
        self.answered += 1;
    }
    fn iteration(&mut self, _: &Iteration<G::Move>) {
        self.iterations += 1;
    }
}

#[test]
fn whoever_watches_passes_is_told_of_each() {
    let mut told = Told::default();
    let mut ai = player(OwnEvaluation).deepen_by(1).build::<Board>().unwrap();
    let mut watcher = emtee::research::Passes(&mut told as &mut dyn Observer<Board>);
    let found = ai.think_observed(&Board::default(), Budget::depth(5), &mut watcher).unwrap();
    assert_eq!((told.asked, told.answered, told.iterations), (found.passes(), found.passes(), 5));
    // Somebody looks, so every iteration has proved its line.
    assert!(found.iterations.iter().all(|iteration| iteration.pv.len() == usize::from(iteration.depth)));
}

#[test]
fn small_things_are_as_they_are_written() {
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
    // The clock goes on.
    let began = emtee::system_clock();
    while emtee::system_clock() == began {}
}

#[test]
fn whoever_is_told_the_value_asks_no_more_than_it_must() {
    let board: Board = after(4, 3);
    let depth = Budget::depth(6);
    let found = player(OwnEvaluation).deepen_by(1).build().unwrap().think(&board, depth).unwrap();
    let values: Vec<Value> = found.iterations.iter().map(|iteration| iteration.value.unwrap()).collect();
    let around = Algorithm::AspirationNegaScout { width: 1, widen: emtee::research::Widen::Open };
    for (algorithm, passes) in [(Algorithm::MtdF, 2), (around, 1)] {
        let builder = player(OwnEvaluation).deepen_by(1).algorithm(algorithm).guesses(values.clone());
        let told = builder.build().unwrap().think(&board, depth).unwrap();
        assert_eq!(told.value, found.value);
        for iteration in &told.iterations {
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

/// A game with few moves at first, and then with more than there are codes, which it gives out several times.
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
fn too_many_moves_are_counted_and_refused() {
    let refused = player(OwnEvaluation).build().unwrap().think(&Wide(0), Budget::depth(2));
    assert_eq!(refused.unwrap_err(), Error::TooManyMoves { moves: 70_000 });
}

/// Knows that a value lies between two numbers.
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
fn what_nobody_says_has_a_default() {
    let game = Large(0);
    assert_eq!(game.halfmove_clock(), None);
    assert_eq!([70_000, 80_000].map(|m| game.code(m, 3)), [0x8003; 2]);
    assert_eq!(game.code(80_000, 0x9000), 0xffff);
    // Without an evaluation nothing is known at the horizon.
    let found = player(OwnEvaluation).build().unwrap().think(&game, Budget::depth(5)).unwrap();
    assert_eq!(found.value.unwrap().get(), 0);
    // Oracles have no table, so next to no memory goes to it.
    let oracle = player(OwnEvaluation).algorithm(Algorithm::Minimax).build::<Board>().unwrap();
    assert!(oracle.table_entries() <= 4);
    assert!(player(OwnEvaluation).build::<Board>().unwrap().table_entries() > 1 << 16);
}

#[test]
fn what_an_evaluator_knows_is_rounded_as_its_evaluations_are() {
    let known = |between| Grain { grain: 4, evaluator: between }.known(&()).unwrap();
    let score = |points| Value::score(points).unwrap();
    assert_eq!(known(Between(-5, 3)), Bounds { lower: score(-4), upper: score(4) });
    assert_eq!(known(Between(9, i32::MAX)), Bounds { lower: score(8), upper: Value::INFINITY });
    assert_eq!(Evaluate::<()>::grain(&|_: &()| 5), 1);
    assert!(Evaluate::<()>::known(&Grain { grain: 4, evaluator: |_: &()| 5 }, &()).is_none());
}

#[test]
fn an_alarm_rings_when_it_is_told_to_and_not_before() {
    let alarm = std::sync::Arc::new(Alarm::default());
    let mut ai = player(OwnEvaluation).build::<Board>().unwrap();
    ai.set_alarm(Some(alarm.clone()));
    let mut complete = || ai.think(&Board::default(), Budget::depth(6)).unwrap().complete;
    alarm.clear();
    assert!(complete());
    alarm.set(Duration::MAX);
    assert!(complete());
    alarm.set(Duration::from_secs(1 << 30));
    assert!(complete());
    alarm.ring();
    assert!(!complete());
}
