//! Selective search: switched off, it is the exact search; switched on, it is correct about wins, zugzwang, stalemate and
//! repetition.

use emtee::research::Reuse;
use emtee::{Algorithm, Budget, Game, OwnEvaluation, Search, Selective, Size, Value, legal_moves, mix, player};
use emtee_games::chess::Board;
use emtee_games::{checkers, connect4, othello};

const ALGORITHMS: [Algorithm; 4] =
    [Algorithm::MtdF, Algorithm::MtdGallop { step: 8 }, Algorithm::NegaScout, Algorithm::BASELINE];

fn board(fen: &str) -> Board {
    fen.parse().unwrap()
}

fn search(algorithm: Algorithm, selective: Selective) -> Search<Board, OwnEvaluation> {
    player(OwnEvaluation).algorithm(algorithm).selective(selective).build().unwrap()
}

/// Every algorithm finds the value of plain minimax in every iteration.
fn agrees_with_minimax<G: Game>(n: &G, depth: u8, selective: Option<Selective>) {
    let values = |algorithm: Algorithm, selective: Option<Selective>| -> Vec<Value> {
        let builder = player(OwnEvaluation).algorithm(algorithm).deepen_by(1);
        let builder = match selective {
            Some(selective) => builder.selective(selective).with(|options| options.reuse = Some(Reuse::EqualDepth)),
            None => builder,
        };
        let found = builder.build().unwrap().think(n, Budget::depth(depth)).unwrap();
        found.iterations.iter().map(|iteration| iteration.value.unwrap()).collect()
    };
    let known = values(Algorithm::Minimax, None);
    assert_eq!(known.len(), usize::from(depth));
    for algorithm in ALGORITHMS {
        assert_eq!(values(algorithm, selective), known, "{algorithm}, {selective:?}");
    }
}

#[test]
fn without_any_technique_it_is_the_exact_search() {
    for selective in [None, Some(Selective::NONE)] {
        agrees_with_minimax(&middlegame(), 3, selective);
        agrees_with_minimax(&othello::Board::default(), 5, selective);
        agrees_with_minimax(&checkers::Board::default(), 6, selective);
        agrees_with_minimax(&connect4::Board::default(), 6, selective);
    }
}

/// Techniques that never apply in a game leave the selective recursion exact.
#[test]
fn techniques_that_never_apply_leave_it_exact() {
    // Connect Four has no null move, no forced moves, no ProbCut predictions and no noisy moves.
    for names in [
        "null-move",
        "forced-extensions",
        "probcut",
        "delta-pruning",
        "null-move,forced-extensions,probcut,delta-pruning",
    ] {
        let selective: Selective = names.parse().unwrap();
        assert!(selective.is_on());
        for columns in ["", "4455", "44444352"] {
            agrees_with_minimax(&columns.parse::<connect4::Board>().unwrap(), 6, Some(selective));
        }
    }
}

/// The tests above would pass if an option had no effect.
#[test]
fn every_technique_changes_the_search() {
    let nodes = |selective| {
        let found = search(Algorithm::MtdF, selective).think(&middlegame(), Budget::depth(10)).unwrap();
        (found.counts.nodes(), found.counts.quiet_nodes)
    };
    let all = nodes(Selective::ALL);
    for name in Selective::names().filter(|&name| name != "probcut") {
        assert_ne!(nodes(format!("all,-{name}").parse().unwrap()), all, "{name}");
    }
    // Chess has no ProbCut predictions; Othello has.
    let nodes = |selective| {
        let mut ai = player(OwnEvaluation).selective(selective).build().unwrap();
        ai.think(&othello::Board::default(), Budget::depth(8)).unwrap().counts.nodes()
    };
    assert_ne!(nodes("probcut".parse().unwrap()), nodes(Selective::NONE));
}

fn middlegame() -> Board {
    board("2r2qk1/r2n1pp1/p3N2p/2pp4/8/Q3P3/PP2BPPP/2R2RK1 b - - 0 19")
}

/// Positions and the number of plies to the win.
const MATES: [(&str, u8); 8] = [
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3),
    ("8/6K1/1p1B1RB1/8/2Q5/2n1kP1N/3b4/4n3 w - - 0 1", 3),
    ("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", 5),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 5),
    ("6k1/5ppp/8/8/8/8/5PPP/2R3K1 w - - 0 1", 1),
    ("5rk1/5Npp/8/3Q4/8/8/6PP/7K w - - 0 1", 5),
    ("7k/8/4K3/8/8/8/8/6Q1 w - - 0 1", 3),
];

#[test]
fn mates_are_found_and_never_too_short() {
    for (fen, plies) in MATES {
        let exact = search(Algorithm::MtdF, Selective::NONE).think(&board(fen), Budget::depth(plies)).unwrap();
        assert_eq!(exact.value, Some(Value::win_in(u32::from(plies))), "{fen}");
        for algorithm in ALGORITHMS {
            let found = search(algorithm, Selective::ALL).think(&board(fen), Budget::depth(plies + 4)).unwrap();
            assert!(found.value.unwrap().wins_in().is_some(), "{algorithm} in {fen}: {:?}", found.value);
            assert!(found.value <= exact.value, "{algorithm} in {fen}: {:?}", found.value);
        }
    }
}

#[test]
fn several_threads_find_mates_and_never_too_short_ones() {
    for (n, (fen, plies)) in MATES.into_iter().enumerate() {
        for threads in [2, 3, 8] {
            let algorithm = ALGORITHMS[(n + threads) % ALGORITHMS.len()];
            let mut ai = player(OwnEvaluation)
                .algorithm(algorithm)
                .selective(Selective::ALL)
                .threads(threads)
                .with(|options| options.share_from = 0)
                .build()
                .unwrap();
            ai.set_game(&[]).unwrap();
            let found = ai.think(&board(fen), Budget::depth(plies + 4)).unwrap();
            let wins_in = found.value.and_then(Value::wins_in);
            let context = format!("{algorithm}, {threads} threads in {fen}: {:?}", found.value);
            assert!(found.complete && wins_in.is_some_and(|wins_in| wins_in >= u32::from(plies)), "{context}");
            assert!(legal_moves(&board(fen)).contains(&found.best_move.unwrap()), "{context}");
        }
    }
}

/// Small tables lose other threads' results, and threads finish in any order: the search completes and returns a legal move.
#[test]
fn many_selective_searches_with_several_threads() {
    for seed in 0..150 {
        let mut n = othello::Board::default();
        for step in 0..seed % 40 {
            let moves = legal_moves(&n);
            let Some(&m) = moves.get((mix(seed << 8 | step) % moves.len().max(1) as u64) as usize) else { break };
            n = n.play(m);
        }
        let entries = [1 << 4, 1 << 8, 1 << 14][(seed % 3) as usize];
        let builder = player(OwnEvaluation).selective(Selective::ALL).table(Size::of_entries(entries));
        let mut ai = builder.threads(2 + seed as usize % 7).with(|options| options.share_from = 0).build().unwrap();
        let found = ai.think(&n, Budget::depth(7)).unwrap();
        assert_eq!(found.best_move.is_some(), !legal_moves(&n).is_empty(), "{n}");
        assert!(found.best_move.is_none_or(|m| legal_moves(&n).contains(&m)), "{n}");
    }
}

#[test]
fn wins_and_losses_are_proven() {
    // Along random games the exact search confirms every win and loss.
    let mut random = 11;
    let mut proven = 0;
    for _ in 0..40 {
        let mut n = board("8/5k2/3R4/2K5/8/1r6/4Q3/6q1 w - - 0 1");
        let mut selective = search(Algorithm::MtdF, Selective::ALL);
        for _ in 0..12 {
            let moves = legal_moves(&n);
            if moves.is_empty() {
                break;
            }
            let value = selective.think(&n, Budget::depth(4)).unwrap().value.unwrap();
            if let Some(plies) = value.wins_in().or(value.loses_in()).filter(|&plies| plies <= 5) {
                let depth = Budget::depth(plies.max(1) as u8);
                let exact = search(Algorithm::MtdF, Selective::NONE).think(&n, depth).unwrap().value.unwrap();
                assert!(
                    if value.wins_in().is_some() { exact >= value } else { exact <= value },
                    "{n}: {value}, {exact}"
                );
                proven += 1;
            }
            random += 1;
            n = n.play(moves[(mix(random) % moves.len() as u64) as usize]);
        }
    }
    assert!(proven >= 10, "too few wins and losses: {proven}");
}

#[test]
fn there_is_no_null_move_where_zugzwang_is_likely() {
    for (reason, fen) in [
        ("only pawns", "8/8/8/3Kp3/4Pk2/8/8/8 w - - 0 1"),
        ("one minor piece", "kbK5/pp6/RP6/8/8/8/8/8 b - - 0 1"),
        ("check", "4k3/8/8/8/8/8/4q3/R3K2R w KQ - 0 1"),
        ("no move, with a bishop that is pinned", "7r/8/8/8/8/8/5k1B/7K w - - 0 1"),
    ] {
        assert!(board(fen).null_move().is_none(), "{reason}: {fen}");
    }
    assert!(Board::default().null_move().is_some_and(|after| after.turn() != Board::default().turn()));
}

#[test]
fn zugzwang_is_found() {
    // The side to move loses the pawn, and with it the game.
    let trebuchet = board("8/8/8/3Kp3/4Pk2/8/8/8 w - - 0 1");
    // After the rook sacrifice on a6 Black is in zugzwang: every move allows mate.
    let morphy = board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    for algorithm in ALGORITHMS {
        let value = search(algorithm, Selective::ALL).think(&trebuchet, Budget::depth(8)).unwrap().value;
        assert!(value < Value::score(-50), "{algorithm}: {value:?}");
        let found = search(algorithm, Selective::ALL).think(&morphy, Budget::depth(6)).unwrap();
        assert_eq!(found.best_move.unwrap().to_string(), "a1a6", "{algorithm}");
    }
}

#[test]
fn stalemate_is_not_pruned_away() {
    for (fen, m) in [
        ("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "f2f7"),
        // White has only a bishop that cannot move.
        ("r7/8/8/8/8/8/5k1B/7K b - - 0 1", "a8h8"),
    ] {
        let n = board(fen);
        let m = n.read_move(m).unwrap();
        for algorithm in ALGORITHMS {
            let worth = search(algorithm, Selective::ALL).worth(&n, m, Budget::depth(6)).unwrap();
            assert_eq!(worth, Some(Value::default()), "{algorithm} in {fen}");
        }
    }
}

#[test]
fn a_draw_by_repetition_is_found() {
    let n = board("6k1/6p1/8/7Q/8/8/rq4PP/7K w - - 0 1");
    for algorithm in ALGORITHMS {
        let mut ai = search(algorithm, Selective::ALL);
        ai.set_game(&[]).unwrap();
        assert_eq!(ai.think(&n, Budget::depth(8)).unwrap().value, Some(Value::default()), "{algorithm}");
    }
}

#[test]
fn searches_are_reproducible() {
    let n = board("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9");
    for algorithm in ALGORITHMS {
        let think = || search(algorithm, Selective::ALL).think(&n, Budget::nodes(20_000)).unwrap();
        let (once, twice) = (think(), think());
        assert_eq!((once.value, once.pv, once.counts), (twice.value, twice.pv, twice.counts));
    }
}

#[test]
fn full_width_algorithms_refuse_selective_search() {
    for (name, message) in [
        ("alpha-beta", "alpha-beta does not support selective search; choose an MT driver or NegaScout"),
        ("minimax", "minimax does not support selective search; choose an MT driver or NegaScout"),
    ] {
        let builder = player(OwnEvaluation).algorithm(name.parse().unwrap()).selective(Selective::ALL);
        assert_eq!(builder.build::<Board>().err().map(|error| error.to_string()).as_deref(), Some(message));
    }
}

#[test]
fn moves_are_recovered_from_their_codes() {
    let mut random = 5;
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "8/P6k/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        let mut n = board(fen);
        for _ in 0..60 {
            let moves = legal_moves(&n);
            let codes: Vec<u16> = moves.iter().map(|&m| m.code()).collect();
            for code in 0..=u16::MAX {
                let known = codes.iter().position(|&known| known == code).map(|index| moves[index]);
                assert_eq!(n.move_from_code(code), known, "{code:#x} in {n}");
            }
            let Some(&m) = moves.get((mix(random) % moves.len().max(1) as u64) as usize) else { break };
            random += 1;
            n = n.play(m);
        }
    }
}
