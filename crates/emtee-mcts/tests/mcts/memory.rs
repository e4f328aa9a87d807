//! The tree: its size, and what is kept between moves.

use emtee::{Budget, Game, OwnEvaluation, Side, Size};
use emtee_games::connect4::Board;
use emtee_mcts::{Leaf, Mcts, Options};

use crate::games::Nim;

#[test]
fn a_full_tree_still_finds_a_forced_win() {
    // White threatens two rows at once.
    let position: Board = "44535".parse().unwrap();
    let mut exact = emtee::player(OwnEvaluation).build().unwrap();
    let value = exact.think(&position, Budget::depth(12)).unwrap().value.unwrap();
    let options = Options { size: Size::of_bytes(32 << 10), leaf: Leaf::Rollout, ..Options::default() };
    let mut small = Mcts::new(OwnEvaluation, options).unwrap();
    let found = small.think(&position, Budget::nodes(60_000)).unwrap();
    let used = found.iterations.iter().filter_map(|iteration| iteration.table_used).max().unwrap();
    assert!((500..=1_000).contains(&used), "the tree was {used} thousandths full");
    assert!(found.best_move.is_some());
    if let Some(plies) = value.loses_in() {
        assert!(found.value.unwrap().get() < 0, "a loss in {plies}: {}", found.value.unwrap());
    }
}

#[test]
fn the_size_may_be_tiny() {
    let options = Options { size: Size::of_entries(1), leaf: Leaf::Rollout, ..Options::default() };
    let mut tiny = Mcts::new(OwnEvaluation, options).unwrap();
    let found = tiny.think(&Board::default(), Budget::nodes(20_000)).unwrap();
    assert_eq!(found.counts.nodes(), 20_000);
    assert_eq!(found.best_move.unwrap().to_string(), "4");
}

#[test]
fn the_tree_is_kept_from_move_to_move_in_play() {
    let start = Nim { matches: 15, turn: Side::First };
    let mut mcts = Mcts::new(OwnEvaluation, Options::default()).unwrap();
    mcts.set_game(&[]);
    let first = mcts.think(&start, Budget::nodes(100_000)).unwrap();
    let plies = first.value.unwrap().wins_in().unwrap();
    let replied = start.play(first.best_move.unwrap());
    let mut game = vec![start, replied.clone()];
    // The win is proved for every reply: the tree has its proof.
    for reply in emtee::legal_moves(&replied) {
        let position = replied.play(reply);
        let mut same = Mcts::new(OwnEvaluation, Options::default()).unwrap();
        same.set_game(&[]);
        same.think(&game[0], Budget::nodes(100_000)).unwrap();
        same.set_game(&game);
        let next = same.think(&position, Budget::nodes(1)).unwrap();
        assert!(next.value.unwrap().wins_in().is_some_and(|left| left <= plies - 2), "after {reply}");
        assert_eq!(next.best_move, Some(position.matches % 4));
    }
    // A position that does not continue the game has a tree of its own.
    game.truncate(1);
    mcts.set_game(&game);
    let other = Nim { matches: 21, turn: Side::First };
    let found = mcts.think(&other, Budget::nodes(1)).unwrap();
    assert!(!found.complete && found.counts.nodes() == 1);
}

#[test]
fn an_analysis_of_the_same_position_continues() {
    let mut mcts = Mcts::new(OwnEvaluation, Options { leaf: Leaf::Rollout, ..Options::default() }).unwrap();
    let position = Nim { matches: 13, turn: Side::First };
    let mut searched = 0;
    while !mcts.think(&position, Budget::nodes(20)).unwrap().complete {
        searched += 20;
        assert!(searched < 100_000);
    }
}
