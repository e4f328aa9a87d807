//! Learning on small games, with small amounts of work.

use std::sync::Arc;

use emtee::{Algorithm, Budget, Evaluate, Game, Side, legal_moves, mix, player};
use emtee_games::{connect4, tictactoe};
use emtee_learn::{BadModel, Features, Generation, Learned, Learner, Model, Searcher, Task};

/// The cells of a board from its text: `X` and `O`.
fn tictactoe_features(board: &tictactoe::Board, f: &mut Features) {
    f.board(3, 3);
    for (cell, symbol) in board.to_string().chars().take(9).enumerate() {
        match symbol {
            'X' => f.piece(cell, Side::First, 0),
            'O' => f.piece(cell, Side::Second, 0),
            _ => {}
        }
    }
}

/// The cells of a board from its drawing.
fn connect4_features(board: &connect4::Board, f: &mut Features) {
    f.board(6, 7);
    let symbols = format!("{board:#}");
    let cells = symbols.chars().filter(|symbol| "XO.".contains(*symbol)).take(42);
    for (cell, symbol) in cells.enumerate() {
        match symbol {
            'X' => f.piece(cell, Side::First, 0),
            'O' => f.piece(cell, Side::Second, 0),
            _ => {}
        }
    }
}

type Listed<G> = fn(&G, &mut Features);

fn learner<G: Game + Default + 'static>(features: Listed<G>, seed: u64, work: u64) -> Learner<G> {
    let task = Task { game: "a game".into(), seed, work };
    Learner::new(task, G::default(), Arc::new(features)).unwrap()
}

fn step<G: Game + 'static>(learner: &mut Learner<G>, features: Listed<G>, stop: bool) -> Option<Generation> {
    let make = &mut |model: &Arc<Model>| {
        let search = player(Learned::new(model.clone(), features)).hash("256KB").build::<G>();
        Ok(Box::new(search.map_err(|error| error.to_string())?) as Box<dyn Searcher<G>>)
    };
    learner.generation(make, &|| stop).unwrap()
}

fn learned<G: Game + Default + 'static>(features: Listed<G>, seed: u64, work: u64) -> Vec<u8> {
    let mut learner = learner(features, seed, work);
    while !learner.is_done() {
        let row = step(&mut learner, features, false).unwrap();
        println!("{row:?}");
    }
    learner.model().unwrap().to_bytes()
}

const WORK: u64 = 20_000_000;

#[test]
fn equal_seeds_and_work_give_equal_weights() {
    let one = learned(tictactoe_features, 1, WORK);
    assert_eq!(learned(tictactoe_features, 1, WORK), one);
    assert_ne!(learned(tictactoe_features, 2, WORK), one);
    assert_ne!(learned(tictactoe_features, 1, 2 * WORK), one);
}

#[test]
fn a_stopped_run_continues_as_if_it_had_not_been_stopped() {
    let mut first = learner(tictactoe_features, 1, WORK);
    (0..3).for_each(|_| assert!(step(&mut first, tictactoe_features, false).is_some()));
    // What a stopped generation had done is dropped.
    assert_eq!(step(&mut first, tictactoe_features, true), None);
    assert_eq!(first.generations().len(), 3);
    let mut second = learner(tictactoe_features, 1, WORK);
    assert_eq!(second.resume(&first.to_bytes()), Ok(true));
    assert_eq!(second.generations(), first.generations());
    while !second.is_done() {
        step(&mut second, tictactoe_features, false).unwrap();
    }
    assert_eq!(second.model().unwrap().to_bytes(), learned(tictactoe_features, 1, WORK));
    // The state of another task.
    assert_eq!(learner(tictactoe_features, 2, WORK).resume(&first.to_bytes()), Ok(false));
    assert_eq!(learner(tictactoe_features, 1, WORK).resume(&first.to_bytes()[..99]), Err(BadModel::Damaged));
}

#[test]
fn files_are_read_again_and_damage_is_found() {
    let bytes = learned(tictactoe_features, 1, WORK);
    let model = Model::from_bytes(&bytes).unwrap();
    assert_eq!((model.to_bytes(), model.game()), (bytes.clone(), "a game"));
    assert_eq!(Model::from_bytes(b"something else").unwrap_err(), BadModel::Format);
    for at in (8..bytes.len()).step_by(5) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        assert_eq!(Model::from_bytes(&damaged).unwrap_err(), BadModel::Damaged, "byte {at}");
        assert_eq!(Model::from_bytes(&bytes[..at]).unwrap_err(), BadModel::Damaged, "{at} bytes");
    }
}

/// Every algorithm finds the same value with a learned evaluation: it is a function of the position.
#[test]
fn searches_stay_exact() {
    let model = Arc::new(Model::from_bytes(&learned(connect4_features, 1, WORK)).unwrap());
    let evaluator = || Learned::new(model.clone(), connect4_features);
    let values = ["minimax", "mtd-f", "sss", "alpha-beta"].map(|name| {
        let algorithm: Algorithm = name.parse().unwrap();
        let mut search = player(evaluator()).algorithm(algorithm).build::<connect4::Board>().unwrap();
        search.think(&"4453".parse().unwrap(), Budget::depth(4)).unwrap().value
    });
    assert!(values.iter().all(|value| *value == values[0] && value.is_some()), "{values:?}");
    // Mirror images have the same evaluation: Connect Four gives them the same key.
    for (left, right) in [("11223", "77665"), ("4413", "4475"), ("3321452", "5567436")] {
        let [left, right] = [left, right].map(|text| evaluator().evaluate(&text.parse().unwrap()));
        assert_eq!(left, right);
        assert_ne!(left, 0);
    }
}

/// A second of learning is worth something: at equal depth it wins more games than a search without an evaluation.
#[test]
fn a_learned_evaluation_plays_better_than_none() {
    let model = Arc::new(Model::from_bytes(&learned(connect4_features, 1, 20 * WORK)).unwrap());
    let mut ours = player(Learned::new(model, connect4_features)).hash("256KB").build::<connect4::Board>().unwrap();
    let mut none = player(|_: &connect4::Board| 0).hash("256KB").build::<connect4::Board>().unwrap();
    let mut points = 0.0;
    for game in 0..40_u64 {
        let ours_first = game % 2 == 0;
        let mut board = connect4::Board::default();
        for ply in 0.. {
            let moves = legal_moves(&board);
            if moves.is_empty() {
                break;
            }
            let is_ours = (board.turn() == Side::First) == ours_first;
            let best = if ply < 4 {
                moves.get((mix(mix(game / 2) ^ ply) % moves.len() as u64) as usize).copied()
            } else if is_ours {
                ours.think(&board, Budget::depth(3)).unwrap().best_move
            } else {
                none.think(&board, Budget::depth(3)).unwrap().best_move
            };
            board = board.play(best.unwrap_or(moves[0]));
        }
        points += match board.outcome() {
            Some(emtee::Outcome::Lost) if (board.turn() == Side::First) != ours_first => 1.0,
            Some(emtee::Outcome::Lost) => 0.0,
            _ => 0.5,
        };
    }
    assert!(points > 26.0, "{points} of 40");
}

#[test]
fn features_that_cannot_be_used_are_errors() {
    let error = |features: Listed<tictactoe::Board>| {
        let task = Task { game: "x".into(), seed: 1, work: WORK };
        match Learner::new(task, tictactoe::Board::default(), Arc::new(features)) {
            Err(error) => error,
            Ok(mut learner) => {
                let make = &mut |_: &Arc<Model>| Err(String::from("no search"));
                loop {
                    if let Err(error) = learner.generation(make, &|| false) {
                        break error;
                    }
                }
            }
        }
    };
    assert_eq!(error(|_, _| {}), "the features must begin with the size of the board: f.board(rows, columns)");
    assert!(error(|_, f| f.board(20, 20)).starts_with("the features of a position are out of range"));
    assert!(error(|_, f| f.piece(999, Side::First, 0)).starts_with("the features of a position are out of range"));
    assert_eq!(
        error(|board, f| f.board(3, legal_moves(board).len().max(3))),
        "the board has the same size in all positions"
    );
    assert_eq!(
        error(|board, f| {
            f.board(3, 3);
            if legal_moves(board).len() == 5 {
                f.count(0, Side::First, 1);
            }
        }),
        "the same counters are counted in all positions, if need be with 0"
    );
}
