//! Node counts of small searches. They change with any change of the move ordering, the table or the stopping conditions.
//!
//! `CHANGED=1 cargo test -p emtee --test core counts -- --nocapture` prints the numbers. A commit that is meant to change them
//! says so.

use emtee::research::Strategy;
use emtee::{Algorithm, Budget, Game, MoveOrdering, OwnEvaluation, Selective, Size, player};
use emtee_games::{checkers, chess, connect4, kalah, othello, tictactoe};

/// Leaves, nodes, cut nodes, first-move cuts and quiet nodes of a search.
fn counted<G: Game + Default>(
    algorithm: Algorithm,
    depth: u8,
    ordering: Option<MoveOrdering>,
    selective: Selective,
) -> [u64; 5] {
    counted_from(&G::default(), algorithm, depth, ordering, selective)
}

fn counted_from<G: Game>(
    position: &G,
    algorithm: Algorithm,
    depth: u8,
    ordering: Option<MoveOrdering>,
    selective: Selective,
) -> [u64; 5] {
    let builder =
        player(OwnEvaluation).deepen_by(1).algorithm(algorithm).table(Size::of_entries(1 << 12)).selective(selective);
    let builder = builder.store_leaves(true).with(|options| options.ordering = ordering);
    let mut search = builder.build::<G>().unwrap();
    let mut sums = [0; 5];
    // The second search uses what the first has stored. The third begins with a cleared memory.
    for round in 0..3 {
        if round == 2 {
            search.clear().unwrap();
        }
        let counts = search.think(position, Budget::depth(depth)).unwrap().counts;
        let these = [counts.nbp, counts.nodes(), counts.cut_nodes, counts.first_move_cuts, counts.quiet_nodes];
        for (sum, count) in sums.iter_mut().zip(these) {
            *sum = 7 * *sum + count;
        }
    }
    sums
}

#[test]
fn node_counts_are_unchanged() {
    let baseline = Algorithm::BASELINE;
    let (full, none) = (Some(MoveOrdering::FULL), Selective::NONE);
    // A tactical position: captures, checks, a pin, and moves that are much better than all others.
    let sharp: chess::Board = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -".parse().unwrap();
    let checked: chess::Board = "rnbqk1nr/pppp1ppp/8/4p3/1bPP4/8/PP2PPPP/RNBQKBNR w KQkq -".parse().unwrap();
    let rows: [(&str, [u64; 5]); 22] = [
        ("chess", counted::<chess::Board>(Algorithm::MtdF, 4, None, none)),
        ("chess, baseline", counted::<chess::Board>(baseline, 4, None, none)),
        ("chess, selective", counted::<chess::Board>(Algorithm::MtdF, 8, None, chess::Board::TUNING.selective)),
        ("chess, selective baseline", counted::<chess::Board>(baseline, 8, None, chess::Board::TUNING.selective)),
        (
            "chess, hints alone",
            counted::<chess::Board>(baseline, 7, Some(MoveOrdering::HINTS), chess::Board::TUNING.selective),
        ),
        ("chess, sharp", counted_from(&sharp, Algorithm::MtdF, 10, None, chess::Board::TUNING.selective)),
        ("chess, sharp baseline", counted_from(&sharp, baseline, 10, None, chess::Board::TUNING.selective)),
        ("chess, in check", counted_from(&checked, Algorithm::MtdF, 8, None, chess::Board::TUNING.selective)),
        ("othello", counted::<othello::Board>(Algorithm::MtdF, 6, None, none)),
        ("othello, selective", counted::<othello::Board>(Algorithm::MtdF, 9, None, othello::Board::TUNING.selective)),
        ("checkers", counted::<checkers::Board>(Algorithm::MtdF, 8, None, none)),
        (
            "checkers, selective",
            counted::<checkers::Board>(Algorithm::MtdF, 12, None, checkers::Board::TUNING.selective),
        ),
        ("connect4", counted::<connect4::Board>(Algorithm::Sss, 7, None, none)),
        ("connect4, everything", counted::<connect4::Board>(Algorithm::MtdF, 7, full, none)),
        ("connect4, alpha-beta", counted::<connect4::Board>(Algorithm::AlphaBeta, 7, full, none)),
        ("connect4, selective", counted::<connect4::Board>(Algorithm::MtdF, 8, None, Selective::ALL)),
        ("kalah", counted::<kalah::Board>(Algorithm::MtdF, 6, None, none)),
        ("kalah, history", counted::<kalah::Board>(Algorithm::MtdF, 6, Some(MoveOrdering::HISTORY), none)),
        ("kalah, scout", counted::<kalah::Board>(Algorithm::Scout, 6, None, none)),
        ("kalah, best move", counted::<kalah::Board>(Algorithm::MtdBest(Strategy::ProveBest), 6, None, none)),
        ("kalah, best node", counted::<kalah::Board>(Algorithm::MtdBest(Strategy::Separate), 6, None, none)),
        ("tictactoe", counted::<tictactoe::Board>(Algorithm::MtdBi, 7, None, none)),
    ];
    let text: String = rows.iter().map(|(name, counts)| format!("{name}: {counts:?}\n")).collect();
    if std::env::var_os("CHANGED").is_some() {
        println!("{text}");
    }
    assert_eq!(text, EXPECTED, "if this is meant, say so in the commit");
}

const EXPECTED: &str = "\
chess: [51501, 117784, 24395, 22789, 6147]
chess, baseline: [54415, 121028, 24110, 22625, 6504]
chess, selective: [116500, 371882, 36577, 32077, 20500]
chess, selective baseline: [168853, 337901, 43306, 36556, 38007]
chess, hints alone: [282400, 444929, 45150, 19650, 26650]
chess, sharp: [1575685, 4259833, 515377, 488477, 2753300]
chess, sharp baseline: [1461317, 2380789, 377152, 353495, 1989271]
chess, in check: [148500, 364242, 44706, 39056, 119050]
othello: [22253, 57289, 15526, 12084, 0]
othello, selective: [79800, 175891, 43263, 34563, 0]
checkers: [121008, 302525, 63552, 51596, 183768]
checkers, selective: [425850, 1058540, 337484, 290584, 556400]
connect4: [62760, 182077, 39498, 37136, 0]
connect4, everything: [65800, 154354, 35948, 33608, 0]
connect4, alpha-beta: [68875, 158010, 31939, 30198, 0]
connect4, selective: [35750, 104910, 33056, 31706, 0]
kalah: [17815, 39591, 14365, 13787, 0]
kalah, history: [17722, 39635, 14572, 13994, 0]
kalah, scout: [18106, 38157, 13317, 12810, 0]
kalah, best move: [15694, 34186, 13103, 12589, 0]
kalah, best node: [18360, 42669, 16873, 15695, 0]
tictactoe: [50753, 159199, 50941, 41871, 0]
";
