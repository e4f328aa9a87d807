//! Proven values agree with the exact search.

use emtee::{Budget, Evaluate, Found, Game, OwnEvaluation, Side, Value, legal_moves, player};
use emtee_games::{connect4, kalah, tictactoe};
use emtee_mcts::{Leaf, Mcts, Options, win_rate};

use crate::games::{Nim, Waiting, after_random};

fn mcts<G: Game>(options: Options) -> Mcts<G, OwnEvaluation> {
    Mcts::new(OwnEvaluation, options).unwrap()
}

/// The exact value, which all lines of a small game reach.
fn exact<G: Game>(position: &G) -> Value {
    let mut search = player(OwnEvaluation).build().unwrap();
    let found = search.think(position, Budget::depth(60)).unwrap();
    found.value.unwrap()
}

/// A win, a draw or a loss; points count as they are.
fn class(value: Value) -> i32 {
    if value.is_proven() { value.get().signum() * 1_000 } else { value.get() }
}

/// Checks that a proved result is the exact value, and that the best move keeps it.
fn check<G: Game>(position: &G, found: &Found<G::Move>) {
    let value = exact(position);
    assert_eq!(class(found.value.unwrap()), class(value));
    assert!(found.f.lower <= value && value <= found.f.upper, "{value} is not in {}", found.f);
    let best = position.play(found.best_move.unwrap());
    let kept = if best.outcome().is_some() || legal_moves(&best).is_empty() {
        return;
    } else if best.turn() == position.turn() {
        exact(&best)
    } else {
        -exact(&best)
    };
    assert_eq!(class(kept), class(value), "the best move keeps the value");
}

#[test]
fn tictactoe_is_solved() {
    let mut solved = 0;
    for seed in 0..40 {
        let Some(position) = after_random(&tictactoe::Board::default(), seed % 7, seed) else { continue };
        for leaf in [Leaf::Rollout, Leaf::Evaluation { plies: 0 }] {
            let found = mcts(Options { leaf, ..Options::default() }).think(&position, Budget::nodes(200_000)).unwrap();
            assert!(found.complete, "{position}: {:?}", found.value);
            check(&position, &found);
            solved += 1;
        }
    }
    assert!(solved > 50);
}

#[test]
fn endings_of_connect_four_are_solved() {
    let mut solved = 0;
    for seed in 0..60 {
        let Some(position) = after_random(&connect4::Board::default(), 28, seed) else { continue };
        for look_ahead in [false, true] {
            let mut mcts = mcts(Options { look_ahead, seed, leaf: Leaf::Rollout, ..Options::default() });
            let found = mcts.think(&position, Budget::nodes(100_000)).unwrap();
            assert!(found.complete, "{position}");
            check(&position, &found);
            solved += 1;
        }
    }
    assert!(solved > 20);
}

#[test]
fn games_with_points_in_which_a_side_moves_again_are_solved() {
    let mut solved = 0;
    for seed in 0..400 {
        let Some(position) = after_random(&kalah::Board::default(), 40, seed) else { continue };
        let mut mcts = mcts(Options { leaf: Leaf::Rollout, ..Options::default() });
        let found = mcts.think(&position, Budget::nodes(3_000)).unwrap();
        if found.complete {
            check(&position, &found);
            solved += 1;
        }
    }
    assert!(solved > 20, "{solved} positions are solved");
}

#[test]
fn nim_is_won_unless_the_matches_are_a_multiple_of_four() {
    for matches in 1..=21 {
        let position = Nim { matches, turn: Side::Second };
        let found = mcts(Options::default()).think(&position, Budget::nodes(100_000)).unwrap();
        assert!(found.complete, "{matches} matches");
        match matches % 4 {
            0 => assert!(found.value.unwrap().loses_in().is_some()),
            take => {
                assert!(found.value.unwrap().wins_in().is_some());
                assert_eq!(found.best_move, Some(take));
                assert_eq!(win_rate(found.value.unwrap()), 1.0);
            }
        }
    }
}

#[test]
fn a_forced_win_is_found_and_a_loss_avoided_in_few_simulations() {
    // Two of three columns let the other side win at once.
    let wins: connect4::Board = "112233".parse().unwrap();
    let found = mcts(Options::default()).think(&wins, Budget::nodes(20)).unwrap();
    assert_eq!(found.best_move.map(|m| m.to_string()).as_deref(), Some("4"));
    let threatened: connect4::Board = "11223".parse().unwrap();
    let found = mcts(Options::default()).think(&threatened, Budget::nodes(200)).unwrap();
    assert_eq!(found.best_move.map(|m| m.to_string()).as_deref(), Some("4"));
    assert!(found.value.unwrap().loses_in().is_none());
}

#[test]
fn moves_are_ranked_by_visits_with_losses_last() {
    let threatened: connect4::Board = "11223".parse().unwrap();
    let mut mcts = mcts(Options::default());
    let found = mcts.think_of(&threatened, &[], 7, Budget::nodes(2_000), &mut ()).unwrap();
    assert_eq!(found.ranked.len(), 7);
    assert_eq!(Some(found.ranked[0].m), found.best_move);
    assert!(found.ranked[1..].iter().all(|ranked| ranked.f.upper.loses_in() == Some(2)));
    assert!(found.ranked.iter().all(|ranked| ranked.pv.first() == Some(&ranked.m)));
}

#[test]
fn only_the_given_moves_are_searched() {
    let wins: connect4::Board = "112233".parse().unwrap();
    let others: Vec<_> = legal_moves(&wins).into_iter().filter(|m| m.to_string() != "4").collect();
    let mut mcts = mcts(Options::default());
    let found = mcts.think_of(&wins, &others, 9, Budget::nodes(500), &mut ()).unwrap();
    assert_eq!(found.ranked.len(), others.len());
    assert!(others.contains(&found.best_move.unwrap()));
    let all = mcts.think(&wins, Budget::nodes(500)).unwrap();
    assert_eq!(all.best_move.unwrap().to_string(), "4", "the restriction holds for one search");
}

#[test]
fn repetitions_end_the_game_in_play() {
    let position = Waiting { turn: Side::First, resigned: false };
    let mut mcts = mcts(Options::default());
    mcts.set_game(&[]);
    let found = mcts.think(&position, Budget::nodes(5_000)).unwrap();
    assert_eq!((found.best_move, found.value), (Some(false), Some(Value::default())));
    assert!(found.complete, "waiting is a draw by repetition, resigning loses");
}

#[test]
fn a_finished_game_has_its_value() {
    let over = Nim { matches: 0, turn: Side::First };
    let found = mcts(Options::default()).think(&over, Budget::UNLIMITED).unwrap();
    assert_eq!((found.best_move, found.value, found.complete), (None, Some(Value::loss_in(0)), true));
}

#[test]
fn an_evaluation_outside_the_range_is_an_error() {
    let options = Options { leaf: Leaf::Evaluation { plies: 0 }, ..Options::default() };
    let mut mcts = Mcts::new(|_: &connect4::Board| 40_000, options).unwrap();
    let error = mcts.think(&connect4::Board::default(), Budget::nodes(100)).unwrap_err();
    assert_eq!(error, emtee::Error::EvaluationOutOfRange { value: 40_000 });
}

#[test]
fn the_evaluator_is_used_only_if_it_has_values() {
    fn evaluations<G: Game>(position: &G, evaluator: impl Evaluate<G>) -> Value {
        let mut mcts = Mcts::new(evaluator, Options::default()).unwrap();
        mcts.think(position, Budget::nodes(300)).unwrap().value.unwrap()
    }
    let position = connect4::Board::default();
    let rollouts = |leaf| {
        let mut mcts = Mcts::new(|_: &connect4::Board| 0, Options { leaf, ..Options::default() }).unwrap();
        mcts.think(&position, Budget::nodes(300)).unwrap().value.unwrap()
    };
    assert_eq!(evaluations(&position, |_: &connect4::Board| 0), rollouts(Leaf::Rollout));
    assert_ne!(evaluations(&position, OwnEvaluation), rollouts(Leaf::Rollout));
}
