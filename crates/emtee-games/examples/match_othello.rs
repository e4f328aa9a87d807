//! Matches of Othello: pairs of games from the same opening with sides swapped.
//!
//! ```text
//! cargo xtask match othello --pairs 100 --depth 4 [--against WEIGHTS_FILE]
//! cargo xtask match othello --pairs 100 --nodes 20000 --first mtd-f:probcut --second mtd-f:none
//! cargo xtask match othello --pairs 100 --nodes 20000 --first mtd-f:probcut --weights FILE --second mtd-f:probcut
//! ```
//!
//! The first form compares the trained evaluation with the plain one, or with other weights, at equal fixed depth. The
//! other forms compare two search configurations with the same number of nodes per move. A configuration is an
//! algorithm, a colon and the options of selective search ([`emtee::Selective`]); `probcut=120` sets the threshold of
//! ProbCut. Both sides use the same evaluation, or the first the weights of the file `--weights` and the second those
//! of `--against`. Both sides play the last `--solve` empty squares perfectly, because games are decided before that.

use emtee::research::Reuse;
use emtee::{Budget, Evaluate, Game, Search, Selective, Side, mix, player};
use emtee_games::othello::evaluate::{self, Patterns};
use emtee_games::othello::{Board, Move, endgame};

mod options;
use options::{only, option};

/// The number of random plies before a game.
const OPENING_PLIES: u64 = 8;

fn opening(number: u64) -> Board {
    let mut board = Board::default();
    for ply in 0..OPENING_PLIES {
        let moves = emtee::legal_moves(&board);
        if moves.is_empty() {
            break;
        }
        board = board.play(moves[(mix(number * 64 + ply) % moves.len() as u64) as usize]);
    }
    board
}

fn choose<E: Evaluate<Board>>(search: &mut Search<Board, E>, board: &Board, budget: Budget) -> Chosen {
    let found = search.think(board, budget)?;
    Ok((found.best_move.unwrap_or(Move::PASS), u64::from(found.depth)))
}

/// A move and the depth of its search.
type Chosen = Result<(Move, u64), emtee::Error>;

type Evaluation = Box<dyn Fn(&Board) -> i32 + Sync>;

/// The evaluation of a file of weights, the plain one, or that of the game.
fn evaluation(name: &str) -> Result<Evaluation, Box<dyn std::error::Error>> {
    Ok(match name {
        "" => Box::new(Board::evaluate),
        "plain" => Box::new(evaluate::plain),
        file => {
            let weights = Patterns::decode(&std::fs::read(file)?).ok_or_else(|| format!("{file} has no weights"))?;
            Box::new(move |board| weights.evaluate(board))
        }
    })
}

/// A player with a search configuration and an evaluation.
fn searcher(
    configuration: &str,
    weights: &str,
) -> Result<impl FnMut(&Board, Budget) -> Chosen + use<>, Box<dyn std::error::Error>> {
    let (algorithm, selective) = configuration.split_once(':').unwrap_or((configuration, "none"));
    let own = Board::TUNING.selective;
    let (selective, threshold) = match selective.split_once('=') {
        Some((selective, threshold)) => (selective, threshold.parse()?),
        None => (selective, own.probcut_threshold),
    };
    let parsed: Selective = selective.parse()?;
    let selective = Selective { probcut_threshold: threshold, margin_unit: own.margin_unit, ..parsed };
    let builder = player(evaluation(weights)?)
        .algorithm(algorithm.parse()?)
        .selective(selective)
        .with(|options| options.reuse = Some(Reuse::AtLeastDepth));
    let mut search = builder.principal_variation(false).hash("16MB").build()?;
    Ok(move |board: &Board, budget: Budget| choose(&mut search, board, budget))
}

/// Plays a match between two search configurations.
fn compare_searches(first: &str, second: &str, pairs: u64) -> Result<(), Box<dyn std::error::Error>> {
    let budget = Budget::nodes(option("--nodes", 20_000));
    let solved_empties: u32 = option("--solve", 14);
    let [weights, against] = ["--weights", "--against"].map(|name| option(name, String::new()));
    let (mut a, mut b) = (searcher(first, &weights)?, searcher(second, &against)?);
    let mut solver = endgame::Solver::default();
    // The first side's points in each pair, and the depths and moves of both.
    let (mut points, mut discs, mut depths) = (Vec::new(), 0, [[0; 2]; 2]);
    for number in option("--from", 0)..option("--from", 0) + pairs {
        let mut pair = 0.0;
        for side in [Side::First, Side::Second] {
            let mut board = opening(number);
            while !board.is_over() {
                let ours = board.turn() == side;
                let m = if board.empties() <= solved_empties {
                    solver.solve(&board).best_move.unwrap_or(Move::PASS)
                } else {
                    let (m, depth) = if ours { a(&board, budget)? } else { b(&board, budget)? };
                    let counted = &mut depths[usize::from(!ours)];
                    (counted[0], counted[1]) = (counted[0] + depth, counted[1] + 1);
                    m
                };
                board = board.play(m);
            }
            let score = if board.turn() == side { board.final_score() } else { -board.final_score() };
            discs += score;
            pair += f64::from(score.signum() + 1) / 2.0;
        }
        points.push(pair / 2.0);
    }
    let games = 2 * points.len();
    let share = points.iter().sum::<f64>() / pairs as f64;
    let variance = points.iter().map(|pair| (pair - share).powi(2)).sum::<f64>() / pairs as f64;
    let [first_depth, second_depth] = depths.map(|[depth, moves]| depth as f64 / moves.max(1) as f64);
    println!(
        "{first} against {second}, {games} games in pairs: {:.1} % of the points, ± {:.1} (95 %), {:+.1} discs per game, depth {first_depth:.1} against {second_depth:.1}",
        100.0 * share,
        196.0 * (variance / pairs as f64).sqrt(),
        f64::from(discs) / games as f64
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    only(&["--pairs", "--depth", "--weights", "--against", "--first", "--second", "--nodes", "--solve", "--from"]);
    let (depth, pairs): (u8, u64) = (option("--depth", 4), option("--pairs", 200));
    let first: String = option("--first", String::new());
    if !first.is_empty() {
        return compare_searches(&first, &option("--second", String::from("mtd-f:none")), pairs);
    }
    let mut trained = player(Board::evaluate).principal_variation(false).build()?;
    let against: String = option("--against", String::from("plain"));
    let mut opponent = player(evaluation(&against)?).principal_variation(false).build()?;
    let (mut won, mut drawn, mut lost, mut discs) = (0, 0, 0, 0);
    for number in 0..pairs {
        for side in [Side::First, Side::Second] {
            let mut board = opening(number);
            while !board.is_over() {
                let m = if board.turn() == side {
                    choose(&mut trained, &board, Budget::depth(depth))?.0
                } else {
                    choose(&mut opponent, &board, Budget::depth(depth))?.0
                };
                board = board.play(m);
            }
            let score = if board.turn() == side { board.final_score() } else { -board.final_score() };
            discs += score;
            match score.signum() {
                1 => won += 1,
                0 => drawn += 1,
                _ => lost += 1,
            }
        }
    }
    let games = won + drawn + lost;
    println!(
        "trained against {} at depth {depth}, {games} games in pairs: {won} won, {drawn} drawn, {lost} lost, {:.1} % of the points, {:+.1} discs per game",
        against,
        100.0 * (f64::from(won) + f64::from(drawn) / 2.0) / f64::from(games),
        f64::from(discs) / f64::from(games)
    );
    Ok(())
}
