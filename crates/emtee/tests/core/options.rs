//! Options that cannot be combined, numbers outside their range, and the state of a search after an error or a panic.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use emtee::research::{Deepening, Message, Mode, Options, PassResult, Peers, Polled, Reuse, Widen};
use emtee::{
    Algorithm, Bounds, Budget, Builder, Error, Evaluate, Game, Grain, Level, MoveOrdering, Moves, Outcome,
    OwnEvaluation, Quiescence, Selective, Side, Size, Value, legal_moves, mix, player,
};
use emtee_games::{chess, connect4};

use crate::common::{Rules, after, minimax};

fn refused<E: Evaluate<connect4::Board>>(builder: Builder<E>) -> String {
    builder.build::<connect4::Board>().err().map(|error| error.to_string()).unwrap_or_default()
}

fn with(change: impl FnOnce(&mut Options)) -> String {
    refused(player(OwnEvaluation).with(change))
}

#[test]
fn exact_and_selective_options_exclude_each_other() {
    let both = "selective search has no enhanced transposition cutoffs; leave out `etc` or `selective`";
    let selective = chess::Board::TUNING.selective;
    assert_eq!(refused(player(OwnEvaluation).selective(selective).etc(2)), both);
    assert_eq!(refused(player(OwnEvaluation).etc(2).selective(selective)), both);
    assert_eq!(refused(player(OwnEvaluation).etc(2).selective(Selective::NONE)), "");
    assert_eq!(refused(player(OwnEvaluation).selective(selective).etc(0)), "");
}

#[test]
fn numbers_outside_their_range_are_refused() {
    let algorithm = |algorithm| with(|options| options.algorithm = algorithm);
    let width = |width| algorithm(Algorithm::AspirationNegaScout { width, widen: Widen::Open });
    for bad in [0, -1, i32::MIN, 31_001, i32::MAX] {
        let message = format!("a step of {bad} cannot be used; choose 1 to 31000");
        assert_eq!(width(bad), message);
        assert_eq!(algorithm(Algorithm::MtdStep { step: bad }), message);
        assert_eq!(algorithm(Algorithm::MtdGallop { step: bad }), message);
        let unit = Mode::Selective(Selective { margin_unit: bad, ..Selective::ALL });
        assert_eq!(
            with(|options| options.mode = unit),
            format!("a margin unit of {bad} cannot be used; choose 1 to 31000")
        );
        let grain = Grain { grain: bad, evaluator: OwnEvaluation };
        assert_eq!(refused(player(grain)), format!("a grain of {bad} cannot be used; choose 1 to 31000"));
    }
    assert_eq!([1, 31_000].map(width), ["", ""]);
    let confidence = Mode::Selective(Selective { probcut_threshold: -1, ..Selective::ALL });
    assert_eq!(
        with(|options| options.mode = confidence),
        "a ProbCut threshold of -1 cannot be used; choose 0 to 10000"
    );
    assert_eq!(
        with(|options| options.deepening = Deepening::By(0)),
        "a step of deepening of 0 cannot be used; choose 1 to 250"
    );
}

fn score(points: i32) -> Value {
    Value::score(points).unwrap()
}

#[test]
fn a_value_outside_the_range_is_an_error() {
    let range = |lower, upper| Bounds { lower: score(lower), upper: score(upper) };
    assert_eq!(
        with(|options| options.range = range(5, 5)),
        "no value lies between 5 and 5; the range needs a lower and a greater end"
    );
    for algorithm in ["mtd-best", "scout", "minimax", "stockman-sss"] {
        let builder = player(OwnEvaluation).algorithm(algorithm.parse().unwrap());
        let message = refused(builder.with(|options| options.range = range(-5, 5)));
        assert_eq!(message, format!("{algorithm} does not support a range; leave it out"));
    }
    let selective = |options: &mut Options| (options.range, options.mode) = (range(-5, 5), Selective::ALL.into());
    assert_eq!(
        with(|options| selective(options)),
        "mtd-f does not support a range in selective search; leave out the range or the switches"
    );
    let (n, depth) = (Rules { spread: 30, ends: 0, ..Rules::TREE }.root(), 4);
    let f = minimax(&n, depth);
    for algorithm in ["mtd-f", "sss", "dual", "mtd-bi", "negascout", "alpha-beta", "aspiration-negascout"] {
        for (below, above) in [(1, 0), (9, 7), (0, 5), (-3, 9), (9, -3)] {
            let range = Bounds { lower: f - below, upper: f + above };
            let builder = player(OwnEvaluation).algorithm(algorithm.parse().unwrap()).fixed_depth();
            let mut search = builder.with(|options| options.range = range).build().unwrap();
            let found = search.think(&n, Budget::depth(depth));
            if range.lower < f && f < range.upper {
                let found = found.unwrap();
                assert_eq!((found.value, found.best_move.is_some()), (Some(f), true), "{algorithm} in {range}");
            } else {
                assert!(matches!(found, Err(Error::BadRange { value: Some(_), .. })), "{algorithm} in {range}");
            }
        }
    }
}

#[test]
fn the_longest_duration_is_a_valid_time_limit() {
    let board = connect4::Board::default();
    let budget = Budget::time(Duration::MAX).and_depth(5);
    let mut ai = player(OwnEvaluation).build().unwrap();
    assert!(ai.think(&board, budget).unwrap().complete);
    ai.start(&board, budget).unwrap();
    let mut polls = 0;
    while let emtee::Poll::Thinking { .. } = ai.poll(Budget::time(Duration::MAX)).unwrap() {
        polls += 1;
        assert!(polls < 100);
    }
}

/// A regression test: without the table move in the ordering, the first move of the list was searched instead of the best, or
/// one move was searched twice and another never.
#[test]
fn selective_search_works_without_the_table_move() {
    let by = Selective { forced_extensions: true, ..Selective::NONE };
    for seed in 0..40 {
        let n: connect4::Board = after(4 + seed % 20, seed);
        let builder = player(OwnEvaluation).selective(by).deepen_by(1).table(Size::of_entries(1 << 10));
        let builder = builder.with(|options| {
            (options.ordering, options.reuse) = (Some(MoveOrdering::AS_GIVEN), Some(Reuse::EqualDepth))
        });
        let found = builder.build().unwrap().think(&n, Budget::depth(6)).unwrap();
        // Nothing is forced in Connect Four, so nothing is extended.
        assert_eq!(found.value, Some(minimax(&n, 6)), "seed {seed}");
    }
}

/// With every switch off, the selective recursion visits the same nodes as the exact one.
#[test]
fn selective_search_with_every_switch_off_visits_what_exact_search_visits() {
    fn counted<G: Game>(n: &G, algorithm: Algorithm, mode: Mode, depth: u8) -> [u64; 6] {
        let builder = player(OwnEvaluation).algorithm(algorithm).deepen_by(1).table(Size::of_entries(1 << 12));
        let builder = builder.with(|options| (options.mode, options.reuse) = (mode, Some(Reuse::EqualDepth)));
        let counts = builder.build().unwrap().think(n, Budget::depth(depth)).unwrap().counts;
        [counts.interior, counts.nbp, counts.table_answers, counts.quiet_nodes, counts.cut_nodes, counts.moves_at_cuts]
    }
    fn same<G: Game + Default>(depth: u8) {
        for algorithm in [Algorithm::MtdF, Algorithm::NegaScout, Algorithm::BASELINE, Algorithm::Dual] {
            for seed in 0..4 {
                let n: G = after(2 + 3 * seed, seed);
                let exact = counted(&n, algorithm, Mode::Exact { etc: Some(0) }, depth);
                let selective = counted(&n, algorithm, Mode::Selective(Selective::NONE), depth);
                assert_eq!(selective, exact, "{}, {algorithm}, seed {seed}", std::any::type_name::<G>());
            }
        }
    }
    same::<emtee_games::othello::Board>(6);
    same::<emtee_games::checkers::Board>(9);
    same::<chess::Board>(4);
    same::<connect4::Board>(9);
    same::<emtee_games::kalah::Board>(8);
    same::<emtee_games::othello::Board>(6);
    same::<emtee_games::checkers::Board>(9);
}

/// Margins make values between the multiples of the grain. Here the grain is greater than all evaluations.
#[test]
fn a_search_with_a_coarse_grain_has_a_value_and_a_move() {
    let coarse = Grain { grain: 1_000, evaluator: OwnEvaluation };
    for by in [Selective { reverse_futility: true, ..Selective::NONE }, Selective::ALL] {
        for algorithm in ["mtd-bi", "mtd-step", "mtd-f", "sss", "dual", "mtd-gallop"] {
            let mut ai = player(coarse).algorithm(algorithm.parse().unwrap()).selective(by).build().unwrap();
            for seed in 0..4 {
                let n: chess::Board = after(10 + seed, seed);
                let found = ai.think(&n, Budget::depth(4)).unwrap();
                let value = found.value.unwrap();
                assert!(found.complete && found.best_move.is_some(), "{algorithm}, seed {seed}");
                assert!(value.get() % 1_000 == 0 || value.is_proven(), "{algorithm}, seed {seed}: {value}");
            }
        }
    }
}

/// Four moves with the least and the greatest hints.
#[derive(Clone, Hash)]
struct Hinted(u64);

impl Game for Hinted {
    type Move = u8;
    fn turn(&self) -> Side {
        if self.0.ilog2().is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn moves(&self, moves: &mut Moves<u8>) {
        moves.push_hinted(0, i16::MIN);
        moves.push_hinted(1, i16::MIN + 1);
        moves.extend_hinted([(2, i16::MAX), (3, i16::MIN)]);
    }
    fn play(&self, m: u8) -> Hinted {
        Hinted(self.0 << 2 | u64::from(m))
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn evaluate(&self) -> i32 {
        (mix(self.0) % 21) as i32 - 10
    }
}

#[test]
fn the_least_hint_does_not_overflow() {
    let full = |options: &mut Options| options.ordering = Some(MoveOrdering::FULL);
    let found = player(OwnEvaluation).with(full).build().unwrap().think(&Hinted(1), Budget::depth(6)).unwrap();
    assert_eq!(found.value, Some(minimax(&Hinted(1), 6)));
}

#[test]
fn an_unfinished_ranking_is_reported_if_it_has_a_move() {
    let board = connect4::Board::default();
    let mut reported = 0;
    for nodes in 1..400 {
        let mut ai = player(OwnEvaluation).principal_variation(false).deepen_by(1).build().unwrap();
        let found = ai.think_of(&board, &[], 3, Budget::depth(3).and_nodes(nodes), &mut ()).unwrap();
        let Some(last) = found.unfinished.filter(|last| !last.ranked.is_empty()) else { continue };
        reported += 1;
        assert_eq!(last.best_move, Some(last.ranked[0].m), "{nodes} nodes");
        assert_eq!(last.f, last.ranked[0].f, "{nodes} nodes");
        if found.depth == 0 {
            assert_eq!(found.ranked, last.ranked, "{nodes} nodes");
        }
    }
    assert!(reported > 20, "{reported}");
}

#[test]
fn one_of_the_moves_to_search_must_be_legal() {
    let full: connect4::Board = "444444".parse().unwrap();
    let other = legal_moves(&connect4::Board::default()).into_iter().find(|m| !legal_moves(&full).contains(m));
    let four = other.unwrap();
    let mut ai = player(OwnEvaluation).build().unwrap();
    let error = ai.think_of(&full, &[four], 1, Budget::depth(3), &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "none of the moves to choose from is legal in this position");
    let one = legal_moves(&full)[0];
    assert_eq!(ai.think_of(&full, &[four, one], 1, Budget::depth(3), &mut ()).unwrap().best_move, Some(one));
}

#[test]
fn an_evaluation_out_of_range_is_reported_through_a_grain_too() {
    for value in [31_001, -31_001, i32::MIN, i32::MAX] {
        let too_large = Grain { grain: 8, evaluator: move |_: &connect4::Board| value };
        let found = player(too_large).build().unwrap().think(&connect4::Board::default(), Budget::depth(2));
        assert_eq!(found.unwrap_err(), Error::EvaluationOutOfRange { value });
    }
}

/// Endless captures, which violate the law of `Game::noisy_moves`.
#[derive(Clone, Hash)]
struct Endless(u64);

impl Game for Endless {
    type Move = u8;
    fn turn(&self) -> Side {
        if self.0.is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn moves(&self, moves: &mut Moves<u8>) {
        (0..2).for_each(|m| moves.push(m));
    }
    fn play(&self, _: u8) -> Endless {
        Endless(self.0 + 1)
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn noisy_moves(&self, moves: &mut Moves<u8>) -> Quiescence {
        self.moves(moves);
        Quiescence::Forced
    }
}

#[test]
fn an_endless_line_of_noisy_moves_is_an_error() {
    for threads in [1, 2] {
        let builder = player(OwnEvaluation).threads(threads).with(|options| options.share_from = 0);
        let error = builder.build().unwrap().think(&Endless(0), Budget::depth(3)).unwrap_err();
        let message =
            "a line of noisy moves is longer than 256 plies, and every such line must end; see Game::noisy_moves";
        assert_eq!(error.to_string(), message);
    }
}

/// An evaluator that panics when its counter reaches one.
struct Panicking(Arc<AtomicU64>);

impl<G: Game> Evaluate<G> for Panicking {
    fn evaluate(&self, n: &G) -> i32 {
        assert!(self.0.fetch_sub(1, Relaxed) != 1, "{}", crate::common::PANIC);
        n.evaluate()
    }
}

/// A panic during a singular search or the proof of a principal variation does not change the next search.
#[test]
fn a_panic_does_not_change_the_next_search() {
    crate::random_options::expect_panics();
    let board: chess::Board = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -".parse().unwrap();
    let search_after_panics = |selective: Selective, fuses: &[u64]| {
        let fuse = Arc::new(AtomicU64::new(0));
        let builder = player(Panicking(fuse.clone())).selective(selective).deepen_by(1);
        let mut search = builder.build::<chess::Board>().unwrap();
        search.set_game(&[]).unwrap();
        for &evaluations in fuses {
            fuse.store(evaluations, Relaxed);
            let depth = if selective.is_on() { 9 } else { 3 };
            let result = panic::catch_unwind(AssertUnwindSafe(|| search.think(&board, Budget::depth(depth))));
            assert!(result.is_err(), "{evaluations}");
        }
        fuse.store(0, Relaxed);
        search.clear().unwrap();
        let found = search.think(&board, Budget::depth(if selective.is_on() { 6 } else { 3 })).unwrap();
        (found.value, found.best_move, found.pv.clone(), found.counts)
    };
    for selective in [chess::Board::TUNING.selective, Selective::NONE] {
        let fresh = search_after_panics(selective, &[]);
        let after = search_after_panics(selective, &[3, 200, 1_500, 2_500]);
        assert_eq!(after, fresh, "{selective}");
    }
}

/// Peers that send and receive nothing.
#[derive(Debug)]
pub(crate) struct Silent;

impl Peers for Silent {
    fn number(&self) -> usize {
        0
    }
    fn least_effort(&self) -> u32 {
        u32::MAX
    }
    fn begin(&self, _: usize) {}
    fn send(&self, _: Message) {}
    fn poll(&self, _: usize, _: u64, _: &mut dyn FnMut(Message)) -> Polled {
        Polled::Continue(64)
    }
    fn end(&self, _: usize) {}
    fn agree(&self, own: Option<PassResult>) -> Option<PassResult> {
        own
    }
}

#[test]
fn reconfigure_keeps_the_peers() {
    let peers: Arc<dyn Peers> = Arc::new(Silent);
    let mut search = player(OwnEvaluation).build::<connect4::Board>().unwrap();
    search.research().set_peers(Some(peers.clone())).unwrap();
    let mut options = Options::default();
    for threads in [2, 1] {
        options.threads = threads;
        search.reconfigure(options).unwrap();
        assert_eq!(Arc::strong_count(&peers), 2, "{threads} threads");
        let found = search.think(&connect4::Board::default(), Budget::depth(6)).unwrap();
        assert_eq!((found.complete, found.parallel.map(|parallel| parallel.threads)), (true, Some(threads)));
    }
    options.algorithm = Algorithm::Minimax;
    let alone = "minimax searches on one thread; choose an MT driver or NegaScout for more";
    assert_eq!(search.reconfigure(options).unwrap_err().to_string(), alone);
    search.research().set_peers(None).unwrap();
    assert_eq!(Arc::strong_count(&peers), 1);
    search.reconfigure(options).unwrap();
    assert_eq!(search.research().set_peers(Some(peers)).unwrap_err().to_string(), alone);
}

#[test]
fn the_defaults_of_a_builder_are_the_default_options() {
    let found = |builder: Builder<OwnEvaluation>| {
        let found = builder.build().unwrap().think(&connect4::Board::default(), Budget::depth(8)).unwrap();
        (found.value, found.counts, found.iterations.len())
    };
    assert_eq!(found(player(OwnEvaluation)), found(player(OwnEvaluation).options(Options::default())));
}

#[test]
fn levels_work_with_every_algorithm() {
    for algorithm in Algorithm::ALL {
        let mut search = player(OwnEvaluation).algorithm(algorithm).build().unwrap();
        let limit = Budget::depth(3);
        let chosen = search.choose_observed(&connect4::Board::default(), Level::new(3).unwrap(), 1, limit, &mut ());
        assert!(chosen.unwrap().m.is_some(), "{algorithm}");
    }
}
