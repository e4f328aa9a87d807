//! Every algorithm, whatever its table, finds the value of plain minimax and a move that has it.

mod common;

use common::{Rules, assert_right};
use emtee::{Algorithm, Budget, Game, Keep, OwnEvaluation, Size, player};

/// Every algorithm × table of 1, 64, 2^16 entries × one or two bounds × ETC × deepening by 1 or 2.
fn every_way<G: Game + std::fmt::Debug>(n: &G, depth: u8) {
    for algorithm in Algorithm::ALL {
        for entries in [1, 64, 1 << 16] {
            for keep in [Keep::OneBound, Keep::TwoBounds] {
                for etc in [None, Some(1), Some(3)] {
                    for step in [1, 2] {
                        let mut builder = player(OwnEvaluation).algorithm(algorithm).deepen_by(step);
                        if !algorithm.is_oracle() {
                            builder = builder.table(Size::of_entries(entries)).keep(keep);
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
