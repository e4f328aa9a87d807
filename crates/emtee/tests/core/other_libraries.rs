//! Tests for ten bugs that were seen in other libraries.

use emtee::research::{Keep, Reuse};
use emtee::{Algorithm, Budget, Error, Game, Moves, Outcome, OwnEvaluation, Quiescence, Side, Size, Value, player};
use emtee_games::tictactoe::Board;

use crate::common::{Rules, minimax, think, worth};

fn that_find_values(algorithms: impl IntoIterator<Item = Algorithm>) -> impl Iterator<Item = Algorithm> {
    algorithms.into_iter().filter(|algorithm| algorithm.finds_value())
}

/// 1. A win in one is played at once.
#[test]
fn a_win_in_one_is_played() {
    let board: Board = "XX-OO----".parse().unwrap();
    for algorithm in Algorithm::ALL {
        for depth in 1..=5 {
            let found = think(algorithm, &board, depth).unwrap();
            assert_eq!(found.best_move.unwrap().to_string(), "3", "{algorithm}, depth {depth}");
            if algorithm.finds_value() {
                assert_eq!(found.value, Some(Value::win_in(1)), "{algorithm}, depth {depth}");
            }
        }
    }
    // A loss is delayed as long as possible.
    let lost: Board = "X-O-X---O".parse().unwrap();
    for algorithm in that_find_values(Algorithm::ALL) {
        assert_eq!(think(algorithm, &lost, 6).unwrap().value, Some(minimax(&lost, 6)));
    }
}

/// 2. Values are integers, so no driver steps for ever between two neighbouring values.
#[test]
fn every_driver_ends_on_fine_values() {
    let n = Rules { seed: 2, spread: 31_000, ends: 0, width: 3, ..Rules::TREE }.root();
    for algorithm in that_find_values(Algorithm::ALL) {
        assert_eq!(think(algorithm, &n, 6).unwrap().value, Some(minimax(&n, 6)), "{algorithm}");
    }
}

/// 3. A search that a limit stops returns only what was proved.
#[test]
fn a_stopped_search_returns_proved_values() {
    let draw = Board::default();
    for algorithm in that_find_values(Algorithm::ALL) {
        for nodes in [1, 2, 5, 17, 60, 200, 999] {
            let mut search = player(OwnEvaluation).algorithm(algorithm).build().unwrap();
            let found = search.think(&draw, Budget::depth(9).and_nodes(nodes)).unwrap();
            match found.depth {
                0 => assert_eq!(found.value, None),
                depth => assert_eq!(found.value, Some(minimax(&draw, depth)), "{algorithm}, {nodes} nodes"),
            }
        }
    }
}

/// A game of exchanges: the side to move may capture, and be recaptured, or not capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Exchange {
    balance: i32,
    captures: u8,
    side: Side,
}

impl Game for Exchange {
    type Move = bool;
    fn turn(&self) -> Side {
        self.side
    }
    fn moves(&self, moves: &mut Moves<bool>) {
        moves.push(false);
        if self.captures > 0 {
            moves.push(true);
        }
    }
    fn play(&self, capture: bool) -> Exchange {
        // A queen captures a pawn and is recaptured: one point won, nine lost.
        let gain = if !capture {
            0
        } else if self.captures == 2 {
            1
        } else {
            9
        };
        Exchange { balance: -(self.balance + gain), captures: self.captures - u8::from(capture), side: !self.side }
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn evaluate(&self) -> i32 {
        self.balance
    }
    fn noisy_moves(&self, moves: &mut Moves<bool>) -> Quiescence {
        if self.captures == 0 {
            return Quiescence::Quiet;
        }
        moves.push(true);
        Quiescence::Optional
    }
}

/// 4. A bad exchange need not be continued.
#[test]
fn quiescence_search_may_stand_pat() {
    let n = Exchange { balance: 0, captures: 2, side: Side::First };
    for algorithm in that_find_values(Algorithm::ALL) {
        let found = think(algorithm, &n, 1).unwrap();
        assert_eq!(found.value, Value::score(0), "{algorithm}");
        assert_eq!(found.best_move, Some(false), "{algorithm}");
    }
}

/// 5. An option that an algorithm does not support is an error, not ignored.
#[test]
fn options_without_effect_are_errors() {
    for oracle in Algorithm::ALL.into_iter().filter(|algorithm| algorithm.is_oracle()) {
        let refused = |builder: emtee::Builder<OwnEvaluation>| match builder.algorithm(oracle).build::<Board>() {
            Err(Error::Unsupported { .. }) => (),
            Err(other) => panic!("{oracle}: {other}"),
            Ok(_) => panic!("{oracle} accepts an option that it ignores"),
        };
        refused(player(OwnEvaluation).etc(2));
        refused(player(OwnEvaluation).hash("1MB"));
        refused(player(OwnEvaluation).with(|options| options.keep = Some(Keep::OneBound)));
        refused(player(OwnEvaluation).with(|options| options.reuse = Some(Reuse::AtLeastDepth)));
        refused(player(OwnEvaluation).store_leaves(false));
    }
    let error = player(OwnEvaluation).algorithm(Algorithm::Minimax).etc(2).build::<Board>().err().unwrap();
    assert_eq!(error.to_string(), "minimax uses no table, so there are no enhanced transposition cutoffs");
}

/// 6. Values are from the point of view of the side to move, in every algorithm and at every ply.
#[test]
fn values_are_for_the_side_to_move() {
    let (first, second): (Board, Board) = ("XX-OO----".parse().unwrap(), "XX-OO---X".parse().unwrap());
    assert_ne!(first.turn(), second.turn());
    for algorithm in that_find_values(Algorithm::ALL) {
        for depth in 1..=4 {
            let both = [&first, &second].map(|board| think(algorithm, board, depth).unwrap().value.unwrap());
            assert_eq!(both, [Value::win_in(1), Value::win_in(1)], "{algorithm}, depth {depth}");
        }
    }
}

/// 7. The same search twice visits the same nodes.
#[test]
fn runs_are_reproducible() {
    let n = Rules { seed: 77, width: 6, ..Rules::TREE }.root();
    for algorithm in Algorithm::ALL {
        let untimed = || {
            let mut found = think(algorithm, &n, 6).unwrap();
            found.time = Default::default();
            found.iterations.iter_mut().for_each(|iteration| iteration.time = Default::default());
            found
        };
        assert_eq!(untimed(), untimed(), "{algorithm}");
    }
}

/// 8. If the same side moves again, values and bounds are not negated.
#[test]
fn the_same_side_may_move_again() {
    for seed in 0..50 {
        let n = Rules { seed, same_side: 2, ..Rules::TREE }.root();
        for algorithm in that_find_values(Algorithm::ALL) {
            let found = think(algorithm, &n, 6).unwrap();
            assert_eq!(found.value, Some(minimax(&n, 6)), "{algorithm}, seed {seed}");
            assert_eq!(worth(&n, found.best_move.unwrap(), 6), minimax(&n, 6), "{algorithm}, seed {seed}");
        }
    }
}

/// 9. Entries keep both bounds until they are equal. So a second search of the same position expands only the root.
#[test]
fn bounds_merge_and_exact_values_stay_exact() {
    let n = Rules { seed: 5, width: 5, ..Rules::TREE }.root();
    let builder = player(OwnEvaluation).fixed_depth().principal_variation(false).store_leaves(true);
    let mut search = builder.build().unwrap();
    let first = search.think(&n, Budget::depth(6)).unwrap();
    let again = search.think(&n, Budget::depth(6)).unwrap();
    assert_eq!(first.value, again.value);
    assert_eq!((again.counts.nbp, again.counts.interior), (0, again.passes() as u64), "only the root is expanded");
}

/// 10. The public items suffice to use the library: this file is in a crate of its own.
#[test]
fn the_public_items_can_be_used() {
    let mut search = player(Board::evaluate).hash("1MB").algorithm(Algorithm::MtdBi).build().unwrap();
    assert_eq!(search.think(&Board::default(), Budget::depth(9)).unwrap().value, Some(Value::default()));
    let ranked = search.rank(&Board::default(), Budget::depth(9), 9).unwrap();
    assert_eq!(ranked.len(), 9);
    assert!(ranked.iter().all(|ranked| ranked.f.exact() == Some(Value::default())), "every opening draws");
    let tight: Board = "X---O----".parse().unwrap();
    let ranked = search.rank(&tight, Budget::depth(7), 7).unwrap();
    for pair in ranked.windows(2) {
        assert!(pair[0].f.exact() >= pair[1].f.exact(), "best first");
    }
    for ranked in &ranked {
        assert_eq!(ranked.f.exact(), Some(worth(&tight, ranked.m, 7)));
    }
    assert_eq!(Size::of_entries(1 << 20).bytes(), 16 << 20);
}

/// An evaluation outside the range of scores is an error that names it.
#[test]
fn evaluations_out_of_range_are_errors() {
    let mut search = player(|_: &Board| 40_000).build().unwrap();
    let error = search.think(&Board::default(), Budget::depth(2)).unwrap_err();
    assert_eq!(error, Error::EvaluationOutOfRange { value: 40_000 });
    assert_eq!(
        error.to_string(),
        "an evaluation of 40000 is outside ±31000, the range of scores; scale the evaluator down"
    );
}
