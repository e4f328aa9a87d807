//! Connect Four: emtee compared with the crates `minimax` and `mtdf`.
//!
//! Creating the tables is not measured, and every program touches the pages of its table before it starts. The options of
//! `minimax` that vary: algorithm, table size, one or two plies per iteration, and whether a position and its mirror image
//! share a table entry, as in emtee.

use emtee::{Algorithm, Budget, Game as _, Moves, OwnEvaluation, Size, player};
use emtee_games::connect4::{Board, Column};
use minimax::{Evaluation, Evaluator, IterativeOptions, IterativeSearch, Strategy, Winner};
use mtdf::game::GameState;

use crate::measure::{Program, Run, fastest, print, run_interleaved, timed};

/// The game for `minimax`. `MIRROR`: a position and its mirror image share a table entry.
struct Rules<const MIRROR: bool>;

impl<const MIRROR: bool> minimax::Game for Rules<MIRROR> {
    type S = Board;
    type M = Column;

    fn generate_moves(board: &Board, moves: &mut Vec<Column>) -> Option<Winner> {
        if let Some(winner) = Self::get_winner(board) {
            return Some(winner);
        }
        let mut list = Moves::new();
        board.moves(&mut list);
        moves.extend(list.iter());
        None
    }
    fn apply(board: &mut Board, m: Column) -> Option<Board> {
        Some(board.play(m))
    }
    fn get_winner(board: &Board) -> Option<Winner> {
        board.outcome().map(|outcome| match outcome {
            emtee::Outcome::Lost => Winner::PlayerJustMoved,
            emtee::Outcome::Won => Winner::PlayerToMove,
            _ => Winner::Draw,
        })
    }
    fn zobrist_hash(board: &Board) -> u64 {
        emtee::mix(if MIRROR { board.key() } else { board.number() })
    }
    fn table_index(m: Column) -> u16 {
        Board::default().code(m, 0)
    }
    fn max_table_index() -> u16 {
        7
    }
}

/// The same evaluation for `minimax`.
#[derive(Clone, Default)]
struct SameEvaluation<const MIRROR: bool>;

impl<const MIRROR: bool> Evaluator for SameEvaluation<MIRROR> {
    type G = Rules<MIRROR>;
    fn evaluate(&self, board: &Board) -> Evaluation {
        board.evaluate() as Evaluation
    }
}

/// The game for `mtdf`.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State(Board);

impl GameState for State {
    fn evaluate(&self) -> mtdf::game::Evaluation {
        match self.0.outcome() {
            // The value of a win exceeds every evaluation.
            Some(emtee::Outcome::Lost) => mtdf::game::Evaluation::Exact(-self.turn().sign() * 30_000.0),
            Some(_) => mtdf::game::Evaluation::Exact(0.0),
            None => mtdf::game::Evaluation::Heuristic(self.turn().sign() * self.0.evaluate() as f32),
        }
    }
    fn moves(&self) -> impl IntoIterator<Item = State> {
        emtee::legal_moves(&self.0).into_iter().map(|m| State(self.0.play(m)))
    }
    fn turn(&self) -> mtdf::game::Player {
        match self.0.turn() {
            emtee::Side::First => mtdf::game::Player::Maximizing,
            emtee::Side::Second => mtdf::game::Player::Minimizing,
        }
    }
}

fn emtee_search(algorithm: Algorithm, bytes: usize, leaves: bool, etc: u8, step: u8) -> Program {
    let run = move |depth| {
        let builder = player(OwnEvaluation).algorithm(algorithm).table(Size::of_bytes(bytes)).store_leaves(leaves);
        let builder = if etc > 0 { builder.etc(etc) } else { builder };
        let builder = builder.deepen_by(step).principal_variation(false);
        let mut search = builder.build().expect("a table of this size");
        search.touch_table();
        let (time, found) = timed(|| search.think(&Board::default(), Budget::depth(depth)).expect("a search"));
        Run { time, value: found.value.map_or(0, |value| value.get()), nodes: found.counts.nodes() }
    };
    let stored = if leaves { ", leaves stored" } else { "" };
    let etc = if etc > 0 { ", ETC" } else { "" };
    Program { name: format!("emtee {algorithm}, step {step}, {} MB{stored}{etc}", bytes >> 20), run: Box::new(run) }
}

fn minimax_search<const MIRROR: bool>(name: &str, options: IterativeOptions, step: u8) -> Program {
    let run = move |depth| {
        let options = if step == 2 { options.with_double_step_increment() } else { options };
        let mut search = IterativeSearch::new(SameEvaluation::<MIRROR>, options);
        search.set_max_depth(depth);
        let (time, _) = timed(|| search.choose_move(&Board::default()));
        Run { time, value: i32::from(search.root_value()), nodes: 0 }
    };
    let mirror = if MIRROR { ", mirrored" } else { "" };
    let name = format!("minimax {name}, step {step}{mirror}, {} MB", options.table_byte_size >> 20);
    Program { name, run: Box::new(run) }
}

fn mtdf_search() -> Program {
    let run = |depth| {
        let bot = mtdf::mtdf::MTDBot::new();
        let (time, (value, _)) = timed(|| bot.mtdf_serial(&State(Board::default()), &usize::from(depth), None));
        Run { time, value: value as i32, nodes: 0 }
    };
    Program { name: "mtdf serial".into(), run: Box::new(run) }
}

fn programs() -> Vec<Program> {
    let mut programs = vec![
        emtee_search(Algorithm::MtdF, 1 << 20, false, 0, 2),
        emtee_search(Algorithm::MtdF, 1 << 20, false, 3, 2),
        emtee_search(Algorithm::MtdF, 16 << 20, false, 0, 2),
        emtee_search(Algorithm::MtdF, 1 << 20, false, 0, 1),
        emtee_search(Algorithm::MtdF, 16 << 20, true, 0, 1),
        emtee_search(Algorithm::BASELINE, 1 << 20, false, 0, 2),
        mtdf_search(),
    ];
    for (bytes, step) in [(1 << 20, 1), (1 << 20, 2), (16 << 20, 1), (16 << 20, 2)] {
        let plain = IterativeOptions::new().with_table_byte_size(bytes);
        let history = plain.with_countermove_history();
        for (name, options) in [
            ("PVS", plain),
            ("PVS, history", history),
            ("PVS, history, countermoves", history.with_countermoves()),
            ("PVS, history, aspiration", history.with_aspiration_window(5)),
            ("MTD(f), history", history.with_mtdf()),
        ] {
            programs.push(minimax_search::<false>(name, options, step));
            programs.push(minimax_search::<true>(name, options, step));
        }
    }
    programs
}

fn perft(board: &Board, depth: u8, moves: &mut Moves<Column>) -> u64 {
    if depth == 0 {
        return 1;
    }
    if board.outcome().is_some() {
        return 0;
    }
    let first = moves.len();
    board.moves(moves);
    let mut lines = 0;
    for index in first..moves.len() {
        lines += moves.get(index).map_or(0, |m| perft(&board.play(m), depth - 1, moves));
    }
    moves.truncate(first);
    lines
}

/// Prints a table for each depth.
pub(crate) fn compare(depths: &[u8]) {
    let programs = programs();
    for &depth in depths {
        // mtdf stores whole states in its table: too slow for many runs.
        let rounds = if depth <= 12 { 9 } else { 5 };
        let rows = run_interleaved(&programs, depth, rounds, |round, name, _| {
            name.starts_with("mtdf") && (round > 2 || depth > 14)
        });
        println!("\nConnect Four, depth {depth}: seconds to depth, medians of {rounds} interleaved runs");
        print(&rows);
        let ours = rows[0].seconds();
        let minimax =
            |mirrored| fastest(&rows, |name| name.starts_with("minimax") && name.contains("mirrored") == mirrored);
        println!("emtee mtd-f / best minimax: {:.2}", ours / minimax(false));
        println!("emtee mtd-f / best minimax with mirrored hashes: {:.2}", ours / minimax(true));
        let mtdf = fastest(&rows, |name| name.starts_with("mtdf"));
        if mtdf.is_finite() {
            println!("emtee mtd-f / mtdf: {:.4}", ours / mtdf);
        }
    }
    let (time, lines) = timed(|| perft(&Board::default(), 9, &mut Moves::new()));
    println!("\nbare perft without bulk counting: {:.1} million lines/s", lines as f64 / time.as_secs_f64() / 1e6);
}
