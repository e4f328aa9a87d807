//! Every algorithm, whatever its table, finds the value of plain minimax and a move that has it.

use emtee::research::Keep;
use emtee::{Algorithm, Budget, Game, OwnEvaluation, Size, player};

use crate::common::{Hashed, Rules, assert_right};

/// Every algorithm × table of 1, 64, 2^16 entries × one or two bounds × ETC × deepening by 1 or 2.
fn every_way<G: Game + std::fmt::Debug>(n: &G, depth: u8) {
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
                        let told = format!("{algorithm}, {entries} entries, {keep:?}, ETC {etc:?}, by {step}: {n:?}");
                        assert_right(n, depth, &found, &told);
                    }
                }
            }
        }
    }
}

#[test]
fn on_hashed_games() {
    for seed in 0..40 {
        let rules = Rules { seed, ..Rules::TREE };
        for rules in [
            rules,
            Rules { places: 5, ..rules },
            Rules { loud: 2, ..rules },
            Rules { spread: 30_000, again: 0, ..rules },
            Rules { ends: 3, spread: 1, ..rules },
        ] {
            every_way(&rules.root(), 5);
        }
    }
}

/// A game seen through other eyes: values that are a hash of the position, with ties everywhere.
#[derive(Clone, Debug, Hash)]
struct Strange<G>(G);

impl<G: Game> Game for Strange<G> {
    type Move = G::Move;
    fn turn(&self) -> emtee::Side {
        self.0.turn()
    }
    fn moves(&self, moves: &mut emtee::Moves<G::Move>) {
        self.0.moves(moves);
    }
    fn play(&self, m: G::Move) -> Self {
        Strange(self.0.play(m))
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
fn on_connect_four() {
    for columns in ["", "44", "443", "4444335", "1122335"] {
        let board: emtee_games::connect4::Board = columns.parse().unwrap();
        every_way(&Strange(board), 5);
        every_way(&board, 4);
    }
}

#[test]
fn on_kalah_where_sides_move_again() {
    let start = emtee_games::kalah::Board::default();
    every_way(&Strange(start), 5);
    every_way(&start, 5);
    let mut board = start;
    for which in [2, 4, 0, 3, 1, 2] {
        let moves = emtee::legal_moves(&board);
        board = board.play(moves[which % moves.len()]);
        every_way(&Strange(board), 4);
    }
}

#[test]
fn on_tic_tac_toe_to_the_end() {
    for cells in ["X-O-X-O--", "----X----", "XO-------"] {
        let board: emtee_games::tictactoe::Board = cells.parse().unwrap();
        every_way(&Strange(board), 6);
        every_way(&board, 9);
    }
}

#[test]
fn on_synthetic_trees_and_graphs() {
    for transpositions in [0, 40] {
        let parameters = emtee_games::synthetic::Synthetic { depth: 6, transpositions, ..Default::default() };
        every_way(&parameters.root().unwrap(), 6);
    }
}

/// Breaks the rule that a value depends on the position alone: the evaluation knows the path, the key does not.
#[derive(Clone, Debug, Hash)]
struct Path(Hashed, u64);

impl Game for Path {
    type Move = u8;
    fn turn(&self) -> emtee::Side {
        self.0.turn()
    }
    fn moves(&self, moves: &mut emtee::Moves<u8>) {
        self.0.moves(moves);
    }
    fn play(&self, m: u8) -> Path {
        Path(self.0.play(m), emtee::mix(self.1 + u64::from(m) + 1))
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
fn every_driver_ends_even_when_values_depend_on_the_path() {
    let mut crossings = 0;
    for seed in 0..60 {
        let root = Path(Rules { seed, places: 3, ends: 0, ..Rules::TREE }.root(), seed);
        for algorithm in Algorithm::ALL {
            for entries in [1, 64, 1 << 16] {
                let builder = player(OwnEvaluation).algorithm(algorithm);
                let builder = if algorithm.is_oracle() { builder } else { builder.table(Size::of_entries(entries)) };
                let found = builder.build().unwrap().think(&root, Budget::depth(6)).unwrap();
                assert!(found.complete && found.best_move.is_some(), "{algorithm}");
                for iteration in &found.iterations {
                    // Each pass narrows what is open, of which there is as much as there are values.
                    assert!(iteration.passes.len() <= 65_536 * 4, "{algorithm}: {} passes", iteration.passes.len());
                    crossings += iteration.crossings;
                }
            }
        }
    }
    assert!(crossings > 0, "the contradictions of this game are seen");
}
