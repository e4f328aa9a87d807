//! On the paper's positions all algorithms find the same value at every depth; at small depths they are compared with plain
//! minimax. `cargo xtask check agreement` runs the complete test.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use cpu_time::ProcessTime;
use emtee::{Algorithm, Budget, Game, OwnEvaluation, Value, player};
use emtee_games::{PaperPosition, checkers, chess, othello};

/// The depths of the search: `oracles` is for the oracles, which search the full tree, and `all` for the other algorithms.
struct Depths {
    all: u8,
    oracles: u8,
}

/// The number of values compared.
#[derive(Default)]
struct Compared {
    values: u32,
    with_oracles: u32,
}

fn agree<G>(positions: &[&PaperPosition], depths: &Depths) -> Compared
where
    G: Game + FromStr<Err: Debug> + Display,
{
    let mut compared = Compared::default();
    for position in positions {
        let board: G = position.text.parse().unwrap();
        // The value at each depth, as the first algorithm found it.
        let mut values: Vec<Value> = Vec::new();
        for algorithm in Algorithm::ALL {
            let depth = if algorithm.is_oracle() { depths.oracles } else { depths.all };
            let builder = player(OwnEvaluation).algorithm(algorithm).deepen_by(1).principal_variation(false);
            let mut search = builder.build().unwrap();
            let found = search.think(&board, Budget::depth(depth)).unwrap();
            assert_eq!(found.iterations.len(), usize::from(depth), "{algorithm} in {board}");
            if values.is_empty() {
                values = found.iterations.iter().map(|iteration| iteration.value.unwrap()).collect();
            }
            for (iteration, &value) in found.iterations.iter().zip(&values) {
                let context = format!("{algorithm} at depth {} in {board}", iteration.depth);
                match iteration.value {
                    Some(found) => assert_eq!(found, value, "{context}"),
                    // MTD-best proves a best move: its value must be the root's.
                    None => {
                        assert!(iteration.f.contains(value), "{context}");
                        let mut reference = player(OwnEvaluation).principal_variation(false).build().unwrap();
                        let best = iteration.best_move.unwrap();
                        let worth = reference.worth(&board, best, Budget::depth(iteration.depth)).unwrap();
                        assert_eq!(worth, Some(value), "{context}");
                    }
                }
                compared.values += 1;
                compared.with_oracles += u32::from(algorithm.is_oracle());
            }
        }
    }
    compared
}

/// Compares on every `step`-th position of the three sets.
fn agree_on_three_games(step: usize, chess: Depths, othello: Depths, checkers: Depths) {
    fn every(set: &'static [PaperPosition], step: usize) -> Vec<&'static PaperPosition> {
        set.iter().step_by(step).collect()
    }
    let run = |name: &str, depths: &Depths, agree: &dyn Fn(&Depths) -> Compared| {
        let start = ProcessTime::now();
        let compared = agree(depths);
        println!(
            "{name}: {} values agree to depth {}, {} of them by oracles to depth {}; {:.1} s of CPU time",
            compared.values,
            depths.all,
            compared.with_oracles,
            depths.oracles,
            start.elapsed().as_secs_f64()
        );
    };
    run("chess", &chess, &|depths| agree::<chess::Board>(&every(chess::paper_set(), step), depths));
    run("othello", &othello, &|depths| agree::<othello::Board>(&every(othello::paper_set(), step), depths));
    run("checkers", &checkers, &|depths| agree::<checkers::Board>(&every(checkers::paper_set(), step), depths));
}

#[test]
fn on_some_positions() {
    agree_on_three_games(
        7,
        Depths { all: 3, oracles: 2 },
        Depths { all: 4, oracles: 3 },
        Depths { all: 7, oracles: 4 },
    );
}

#[test]
#[ignore = "minutes: cargo xtask check agreement"]
fn on_the_whole_paper_sets() {
    agree_on_three_games(
        1,
        Depths { all: 5, oracles: 3 },
        Depths { all: 7, oracles: 5 },
        Depths { all: 11, oracles: 8 },
    );
}
