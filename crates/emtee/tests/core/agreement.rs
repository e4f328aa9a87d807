//! Every algorithm, with any table, finds the value of plain minimax and a move with that value.

use emtee::research::Keep;
use emtee::{Algorithm, Budget, Game, OwnEvaluation, Size, player};

use crate::common::{Hashed, Rules, assert_right};

/// Every algorithm × table of 1, 64, 2^16 entries × one or two bounds × ETC × deepening by 1 or 2.
fn check_all_combinations<G: Game + std::fmt::Debug>(n: &G, depth: u8) {
    for algorithm in Algorithm::ALL {
        for entries in [1, 64, 1 << 16] {
            for keep in [Keep::OneBound, Keep::TwoBounds] {
                for etc in [None, Some(1), Some(3)] {
                    for step in [1, 2] {
                        let mut builder = player(OwnEvaluation).algorithm(algorithm).deepen_by(step);
                        if !algorithm.is_oracle() {
                            builder =
                                builder.table(Size::of_entries(entries)).with(|options| options.keep = Some(keep));
                            if let Some(depth) = etc {
                                builder = builder.etc(depth);
                            }
                        } else if entries > 1 || keep == Keep::TwoBounds || etc.is_some() {
                            continue;
                        }
                        let found = builder.build().unwrap().think(n, Budget::depth(depth)).unwrap();
                        let context =
                            format!("{algorithm}, {entries} entries, {keep:?}, ETC {etc:?}, by {step}: {n:?}");
                        assert_right(n, depth, &found, &context);
                    }
                }
            }
        }
    }
}

#[test]
fn hashed_games() {
    for seed in 0..40 {
        let rules = Rules { seed, ..Rules::TREE };
        for rules in [
            rules,
            Rules { positions_per_ply: 5, ..rules },
            Rules { noisy: 2, ..rules },
            Rules { spread: 30_000, same_side: 0, ..rules },
            Rules { ends: 3, spread: 1, ..rules },
        ] {
            check_all_combinations(&rules.root(), 5);
        }
    }
}

/// A game with another evaluation: a hash of the position in a small range, so that ties are frequent.
#[derive(Clone, Debug, Hash)]
struct HashEvaluated<G>(G);

impl<G: Game> Game for HashEvaluated<G> {
    type Move = G::Move;
    fn turn(&self) -> emtee::Side {
        self.0.turn()
    }
    fn moves(&self, moves: &mut emtee::Moves<G::Move>) {
        self.0.moves(moves);
    }
    fn play(&self, m: G::Move) -> Self {
        HashEvaluated(self.0.play(m))
    }
    fn outcome(&self) -> Option<emtee::Outcome> {
        self.0.outcome()
    }
    fn evaluate(&self) -> i32 {
        (emtee::mix(self.0.key()) % 7) as i32 - 3
    }
    fn key(&self) -> u64 {
        self.0.key()
    }
    fn code(&self, m: G::Move, index: usize) -> u16 {
        self.0.code(m, index)
    }
}

#[test]
fn connect_four() {
    for columns in ["", "44", "443", "4444335", "1122335"] {
        let board: emtee_games::connect4::Board = columns.parse().unwrap();
        check_all_combinations(&HashEvaluated(board), 5);
        check_all_combinations(&board, 4);
    }
}

#[test]
fn kalah_where_a_side_can_move_again() {
    let start = emtee_games::kalah::Board::default();
    check_all_combinations(&HashEvaluated(start), 5);
    check_all_combinations(&start, 5);
    let mut board = start;
    for index in [2, 4, 0, 3, 1, 2] {
        let moves = emtee::legal_moves(&board);
        board = board.play(moves[index % moves.len()]);
        check_all_combinations(&HashEvaluated(board), 4);
    }
}

#[test]
fn tic_tac_toe_to_the_end_of_the_game() {
    for cells in ["X-O-X-O--", "----X----", "XO-------"] {
        let board: emtee_games::tictactoe::Board = cells.parse().unwrap();
        check_all_combinations(&HashEvaluated(board), 6);
        check_all_combinations(&board, 9);
    }
}

#[test]
fn synthetic_trees_and_graphs() {
    for transpositions in [0, 40] {
        let parameters = emtee_games::synthetic::Synthetic { depth: 6, transpositions, ..Default::default() };
        check_all_combinations(&parameters.root().unwrap(), 6);
    }
}

/// A game that violates a law: the evaluation depends on the path, the key does not.
#[derive(Clone, Debug, Hash)]
struct PathDependent(Hashed, u64);

impl Game for PathDependent {
    type Move = u8;
    fn turn(&self) -> emtee::Side {
        self.0.turn()
    }
    fn moves(&self, moves: &mut emtee::Moves<u8>) {
        self.0.moves(moves);
    }
    fn play(&self, m: u8) -> PathDependent {
        PathDependent(self.0.play(m), emtee::mix(self.1 + u64::from(m) + 1))
    }
    fn outcome(&self) -> Option<emtee::Outcome> {
        self.0.outcome()
    }
    fn evaluate(&self) -> i32 {
        (self.1 % 60_001) as i32 - 30_000
    }
    fn key(&self) -> u64 {
        self.0.key()
    }
}

#[test]
fn every_driver_ends_even_if_values_depend_on_the_path() {
    let mut crossings = 0;
    for seed in 0..60 {
        let root = PathDependent(Rules { seed, positions_per_ply: 3, ends: 0, ..Rules::TREE }.root(), seed);
        for algorithm in Algorithm::ALL {
            for entries in [1, 64, 1 << 16] {
                let builder = player(OwnEvaluation).algorithm(algorithm);
                let builder = if algorithm.is_oracle() { builder } else { builder.table(Size::of_entries(entries)) };
                let found = builder.build().unwrap().think(&root, Budget::depth(6)).unwrap();
                assert!(found.complete && found.best_move.is_some(), "{algorithm}");
                for iteration in &found.iterations {
                    // Each pass narrows the bounds, so there are at most as many passes as values.
                    assert!(iteration.passes.len() <= 65_536 * 4, "{algorithm}: {} passes", iteration.passes.len());
                    crossings += iteration.crossings;
                }
            }
        }
    }
    assert!(crossings > 0, "no contradiction was counted");
}
