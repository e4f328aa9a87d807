//! Levels: reproducible, keep proven results, and are stronger the higher they are.

use emtee::{Algorithm, Budget, Game, Level, Outcome, OwnEvaluation, Search, Side, Value, legal_moves, mix, player};
use emtee_games::{connect4, kalah, othello, tictactoe};

fn search<G: Game>() -> Search<G, OwnEvaluation> {
    player(OwnEvaluation).hash("1MB").build().unwrap()
}

fn level(n: u8) -> Level {
    Level::new(n).unwrap()
}

fn random_position<G: Game + Default>(plies: u64, seed: u64) -> G {
    (0..plies).fold(G::default(), |board, ply| {
        let moves = legal_moves(&board);
        if moves.is_empty() { board } else { board.play(moves[(mix(seed * 100 + ply) % moves.len() as u64) as usize]) }
    })
}

#[test]
fn a_seed_gives_the_same_move_and_other_seeds_other_moves() {
    let choose = |seed| search().choose(&othello::Board::default(), level(2), seed).unwrap().m;
    let play = |seed| {
        let mut ai = search::<kalah::Board>();
        ai.choose(&random_position(4, 3), level(1), seed).unwrap().m
    };
    for seed in 0..10 {
        assert_eq!(choose(seed), choose(seed));
        assert_eq!(play(seed), play(seed));
    }
    assert!((1..20).any(|seed| choose(seed) != choose(0)));
    assert!((1..20).any(|seed| play(seed) != play(0)));
}

/// Checks that the moves chosen from are exactly those with values of at least `at_least`.
fn check_margin<G: Game<Move: std::fmt::Debug> + Default>(plies: u64) {
    let mut chosen_from_several = 0;
    for seed in 0..12 {
        let board: G = random_position(plies, seed);
        if legal_moves(&board).is_empty() {
            continue;
        }
        let chosen = search().choose(&board, level(4), seed).unwrap();
        chosen_from_several += u32::from(chosen.among.len() > 1);
        assert!(chosen.among.contains(&chosen.m.unwrap()));
        for m in legal_moves(&board) {
            let worth = search().worth(&board, m, Budget::depth(chosen.found.depth)).unwrap().unwrap();
            let among = chosen.among.contains(&m);
            let best = chosen.found.best_move == Some(m);
            assert!(!among || best || worth >= chosen.at_least, "{m:?} is worth {worth}, not {}", chosen.at_least);
            assert!(among || worth < chosen.at_least, "{m:?} is worth {worth}, at least {}", chosen.at_least);
        }
    }
    assert!(chosen_from_several > 2);
}

#[test]
fn moves_are_chosen_within_the_margin() {
    check_margin::<connect4::Board>(6);
    check_margin::<othello::Board>(12);
    check_margin::<kalah::Board>(5);
}

/// The value of a finished game for a side.
fn value_for<G: Game>(board: &G, side: Side) -> i32 {
    let value = match board.outcome().unwrap_or_else(|| board.stuck()) {
        Outcome::Won => 1,
        Outcome::Lost => -1,
        Outcome::Drawn => 0,
        Outcome::Points(points) => points.signum(),
    };
    if board.turn() == side { value } else { -value }
}

/// Plays games against a random opponent and checks that a proven win is won, even if the later searches have few nodes.
/// Returns the number of proven wins.
fn check_proven_wins<G: Game + Default>(games: u64, plies: u64) -> u32 {
    let mut wins = 0;
    for seed in 0..games {
        let mut ai = search::<G>();
        let mut board: G = random_position(plies, seed);
        let side = board.turn();
        let mut proven = -1;
        for ply in 0.. {
            let moves = legal_moves(&board);
            if moves.is_empty() {
                break;
            }
            let m = if board.turn() == side {
                let budget = if proven == 1 { Budget::nodes(1) } else { Budget::UNLIMITED };
                let level = level(1 + (seed % 4) as u8);
                let chosen = ai.choose_observed(&board, level, seed, budget, &mut ()).unwrap();
                if chosen.found.value.is_some_and(|value| value.wins_in().is_some()) {
                    proven = 1;
                }
                chosen.m.unwrap()
            } else {
                moves[(mix(seed ^ ply << 20) % moves.len() as u64) as usize]
            };
            board = board.play(m);
        }
        let value = value_for(&board, side);
        assert!(value >= proven, "game {seed}: {proven} was proved, and the result is {value}");
        wins += u32::from(proven == 1);
    }
    wins
}

#[test]
fn proven_wins_are_won() {
    assert!(check_proven_wins::<tictactoe::Board>(100, 1) > 20);
    assert!(check_proven_wins::<connect4::Board>(60, 8) > 20);
}

#[test]
fn wins_on_points_are_kept_if_all_lines_were_searched_to_the_end() {
    for seed in 0..30 {
        let mut board: othello::Board = random_position(52, seed);
        let side = board.turn();
        let mut ai = search();
        let mut proven: Option<Value> = None;
        while !legal_moves(&board).is_empty() {
            let moves = legal_moves(&board);
            let m = if board.turn() == side {
                let chosen = ai.choose(&board, level(6), seed).unwrap();
                if chosen.found.complete {
                    proven = proven.max(chosen.found.value);
                }
                chosen.m.unwrap()
            } else {
                moves[(mix(seed) % moves.len() as u64) as usize]
            };
            board = board.play(m);
        }
        if proven.is_some_and(|value| value.get() > 0) {
            assert_eq!(value_for(&board, side), 1, "{seed}");
        }
    }
}

#[test]
fn a_move_that_loses_by_force_is_not_chosen() {
    // X threatens to complete a row: O must prevent it, even at a low level.
    let board: tictactoe::Board = "XX-/-O-/---".parse().unwrap();
    for seed in 0..20 {
        let chosen = search().choose(&board, level(2), seed).unwrap();
        assert_eq!(chosen.m.map(|m| m.to_string()).as_deref(), Some("3"), "{seed}");
    }
}

#[test]
fn there_is_a_move_with_one_node_and_none_if_the_game_is_over() {
    let mut ai = search::<othello::Board>();
    let chosen = ai.choose_observed(&othello::Board::default(), Level::HIGHEST, 0, Budget::nodes(1), &mut ()).unwrap();
    assert!(chosen.m.is_some());
    assert_eq!(chosen.found.depth, 1, "depth 1 is always searched");
    // MTD-best has no value, and searches all the nodes of the level.
    let mut best = player(OwnEvaluation).algorithm(Algorithm::MtdBest(Default::default())).build().unwrap();
    let chosen = best.choose(&othello::Board::default(), level(5), 0).unwrap();
    assert!(chosen.found.value.is_none() && chosen.found.depth > 1);
    let over: connect4::Board = "1212121".parse().unwrap();
    assert_eq!(search().choose(&over, Level::LOWEST, 0).unwrap().m, None);
}

/// The half points that one level scores against another in pairs of games.
fn score<G: Game + Default>(strong: u8, weak: u8, pairs: u64) -> i32 {
    let mut points = 0;
    for game in 0..2 * pairs {
        let side = if game % 2 == 0 { Side::First } else { Side::Second };
        let mut players = [search::<G>(), search::<G>()];
        let mut board: G = random_position(2, game / 2);
        while !legal_moves(&board).is_empty() {
            let by_strong = board.turn() == side;
            let n = if by_strong { strong } else { weak };
            board = board.play(players[usize::from(by_strong)].choose(&board, level(n), game).unwrap().m.unwrap());
        }
        points += 1 + value_for(&board, side);
    }
    points
}

#[test]
fn higher_levels_are_stronger() {
    for weak in 1..=3 {
        for points in [score::<connect4::Board>(weak + 2, weak, 20), score::<othello::Board>(weak + 2, weak, 20)] {
            assert!(points > 40, "level {} scored {points} of 80 half points against level {weak}", weak + 2);
        }
    }
}

#[test]
fn the_margin_is_proportional_to_the_spread() {
    let margins = othello::Board::TUNING.levels.0.map(|(_, margin)| margin as i32);
    for seed in 0..6 {
        let board: othello::Board = random_position(10, seed);
        let values = legal_moves(&board).into_iter().map(|m| {
            let child = board.play(m);
            if child.turn() == board.turn() { child.evaluate() } else { -child.evaluate() }
        });
        let values: Vec<i32> = values.collect();
        let mean = |values: &[i32]| values.iter().sum::<i32>() / values.len() as i32;
        let deviations: Vec<i32> = values.iter().map(|value| (value - mean(&values)).abs()).collect();
        for (n, margin) in (1..9).zip(margins) {
            let chosen = search().choose(&board, level(n), seed).unwrap();
            let margin_used = chosen.found.value.unwrap().get() - chosen.at_least.get();
            assert_eq!(margin_used, mean(&deviations) * margin / 100, "level {}", level(n).get());
            assert_eq!((level(n).get(), level(n).to_string()), (n, n.to_string()));
        }
    }
}
