//! Endgame knowledge that weights cannot express: material advantages that do not win.

use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};
use emtee::{Evaluate, Game, OwnEvaluation};

use super::board::Board;
use super::kpk;
use super::pawns::distance;

/// Another evaluator with corrections for drawn and drawish endgames: king and pawn against king (exact), a rook's pawn
/// whose corner the bare king holds, opposite-coloured bishops, rook endgames, queen against a pawn on the seventh
/// rank.
///
/// If one side has only its king, [`Board::evaluate`](Game::evaluate) is used instead of the other evaluator.
///
/// Engines use it. Experiments do not, so that their counts stay comparable.
///
/// ```
/// use emtee::{Evaluate, Game, OwnEvaluation};
/// use emtee_games::chess::{Board, Endgames};
/// let drawn: Board = "k7/8/K7/P7/8/8/8/8 w - - 0 1".parse()?;
/// assert!(drawn.evaluate() > 100);
/// assert_eq!(Endgames(OwnEvaluation).evaluate(&drawn), 0);
/// # Ok::<(), emtee_games::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Endgames<E = OwnEvaluation>(pub E);

/// Added to the value of a won king and pawn endgame.
const KPK_WIN_BONUS: i32 = 500;

/// The scale factor of an advantage that is not scaled down.
const FULL_SCALE: i32 = 64;

/// With more pieces than this, kings and pawns not counted, no correction applies.
const MAX_PIECES: u32 = 4;

impl<E: Evaluate<Board>> Evaluate<Board> for Endgames<E> {
    #[inline]
    fn evaluate(&self, board: &Board) -> i32 {
        let rules = &board.rules;
        let pieces = rules.occupied() & !rules.pieces(Piece::Pawn) & !rules.pieces(Piece::King);
        if pieces.len() > MAX_PIECES { self.0.evaluate(board) } else { evaluate_endgame(&self.0, board, pieces) }
    }
}

/// The value of an endgame. `pieces` are all pieces but kings and pawns.
#[inline(never)]
fn evaluate_endgame(evaluator: &impl Evaluate<Board>, board: &Board, pieces: BitBoard) -> i32 {
    let rules = &board.rules;
    let bare = Color::ALL.into_iter().any(|side| rules.colors(side).len() == 1);
    let value = if bare { board.evaluate() } else { evaluator.evaluate(board) };
    if kpk::is_kpk(board, pieces) {
        let pawns = rules.colored_pieces(Color::White, Piece::Pawn);
        let strong = if pawns.is_empty() { Color::Black } else { Color::White };
        let sign = if rules.side_to_move() == strong { 1 } else { -1 };
        return if kpk::is_win(board) { value + sign * KPK_WIN_BONUS } else { 0 };
    }
    let ahead = if value > 0 { rules.side_to_move() } else { !rules.side_to_move() };
    value * scale_factor(board, pieces, ahead) / FULL_SCALE
}

/// The scale factor for an advantage of the side `strong`, in 64ths.
fn scale_factor(board: &Board, pieces: BitBoard, strong: Color) -> i32 {
    let rules = &board.rules;
    let (ours, theirs) = (pieces & rules.colors(strong), pieces & rules.colors(!strong));
    let pawns = rules.colored_pieces(strong, Piece::Pawn);
    if theirs.is_empty()
        && (is_drawn_rook_pawn(board, ours, pawns, strong) || only_same_coloured_bishops(board, ours, pawns))
    {
        return 0;
    }
    let extra_pawns = pawns.len() as i32 - rules.colored_pieces(!strong, Piece::Pawn).len() as i32;
    let [rooks, bishops, queens] = [Piece::Rook, Piece::Bishop, Piece::Queen].map(|piece| rules.pieces(piece));
    if (ours.len(), theirs.len()) == (1, 1) && pieces == rooks {
        return rook_endgame(board, strong, pawns, extra_pawns);
    }
    if (ours.len(), theirs.len()) == (1, 0) && pieces == queens {
        return queen_against_pawn(board, strong);
    }
    let one_each = (ours & bishops).len() == 1 && (theirs & bishops).len() == 1;
    if one_each && (bishops & BitBoard::DARK_SQUARES).len() == 1 && ours.len() == theirs.len() {
        // Opposite-coloured bishops. Without other pieces they often hold against two extra pawns. With rooks the
        // attacker has better chances.
        return match (pieces == bishops, extra_pawns) {
            (true, ..=1) => 24,
            (true, 2) => 44,
            (false, ..=1) if rooks.len() == 2 => 48,
            _ => FULL_SCALE,
        };
    }
    FULL_SCALE
}

/// Whether a side has only bishops, all on squares of one colour. It cannot win.
fn only_same_coloured_bishops(board: &Board, ours: BitBoard, pawns: BitBoard) -> bool {
    let dark = ours & BitBoard::DARK_SQUARES;
    pawns.is_empty() && (ours & !board.rules.pieces(Piece::Bishop)).is_empty() && (dark.is_empty() || dark == ours)
}

/// Whether a bare king holds the promotion corner of a rook's pawn, and all pawns are on that file. The strong side has
/// no other piece, only bishops of the wrong colour, or a knight with the pawn already on the seventh rank.
fn is_drawn_rook_pawn(board: &Board, ours: BitBoard, pawns: BitBoard, strong: Color) -> bool {
    let rules = &board.rules;
    let rook_file = [File::A, File::H].into_iter().find(|file| (pawns & !file.bitboard()).is_empty());
    let (Some(file), false) = (rook_file, pawns.is_empty()) else { return false };
    let corner = Square::new(file, Rank::Eighth.relative_to(strong));
    let king = rules.king(!strong);
    if distance(king, corner) > 1 {
        return false;
    }
    let colour = if BitBoard::DARK_SQUARES.has(corner) { BitBoard::DARK_SQUARES } else { BitBoard::LIGHT_SQUARES };
    let wrong_bishops = (ours & rules.pieces(Piece::Bishop)) & !colour;
    let knight = ours == rules.pieces(Piece::Knight) & rules.colors(strong) && ours.len() == 1;
    let on_seventh = pawns.len() == 1 && !(pawns & Rank::Seventh.relative_to(strong).bitboard()).is_empty();
    ours == wrong_bishops || knight && on_seventh && king == corner
}

/// The scale factor of an endgame with one rook on each side.
fn rook_endgame(board: &Board, strong: Color, pawns: BitBoard, extra_pawns: i32) -> i32 {
    let rules = &board.rules;
    let all = rules.pieces(Piece::Pawn);
    if all.len() == 1
        && extra_pawns == 1
        && let Some(pawn) = pawns.next_square()
    {
        // A king in front of the pawn usually draws if the pawn is not yet on the sixth rank.
        let ranks =
            |square: Square| if strong == Color::White { square.rank() as i32 } else { 7 - square.rank() as i32 };
        let king = rules.king(!strong);
        let beside = (king.file() as i32 - pawn.file() as i32).abs() <= 1;
        let rook_pawn = matches!(pawn.file(), File::A | File::H);
        return match () {
            () if beside && ranks(king) > ranks(pawn) && ranks(pawn) < 5 => 12,
            () if beside && ranks(king) > ranks(pawn) || rook_pawn => 32,
            () => 52,
        };
    }
    const LEFT: BitBoard = BitBoard(0x0f0f_0f0f_0f0f_0f0f);
    let one_wing = (all & LEFT).is_empty() || (all & !LEFT).is_empty();
    match (extra_pawns, one_wing) {
        (..=1, true) => 28,
        (..=1, false) => 48,
        _ => FULL_SCALE,
    }
}

/// The scale factor of a queen against a rook's or bishop's pawn on the seventh rank beside its king. It is a draw
/// unless the king of the strong side is near.
fn queen_against_pawn(board: &Board, strong: Color) -> i32 {
    let rules = &board.rules;
    let pawns = rules.pieces(Piece::Pawn);
    let seventh = pawns & rules.colors(!strong) & Rank::Seventh.relative_to(!strong).bitboard();
    let Some(pawn) = seventh.next_square().filter(|_| pawns.len() == 1) else { return FULL_SCALE };
    let near = match pawn.file() {
        File::A | File::H => 4,
        File::C | File::F => 3,
        _ => return FULL_SCALE,
    };
    let beside = distance(rules.king(!strong), pawn) <= 1;
    if beside && distance(rules.king(strong), pawn) > near { 4 } else { FULL_SCALE }
}

#[cfg(test)]
mod tests {
    use emtee::{Budget, Grain, Value, laws, player};

    use super::*;

    const ENDGAMES: Endgames = Endgames(OwnEvaluation);

    fn board(fen: &str) -> Board {
        fen.parse().unwrap()
    }

    /// Drawn positions. The first eleven have a static value of 0.
    const DRAWS: [&str; 14] = [
        // King and pawn: no opposition, a rook's pawn, a king in front of the pawn.
        "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1",
        "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1",
        "k7/8/K7/P7/8/8/8/8 w - - 0 1",
        "8/8/8/7p/8/7k/8/7K b - - 0 1",
        // Pawns on one rook's file, and the bare king holds the corner.
        "k7/8/K7/P7/P7/P7/8/8 w - - 0 1",
        "8/7p/7p/8/8/6k1/8/7K b - - 0 1",
        // One or two bishops of the wrong colour.
        "k7/8/1K6/P7/8/8/8/2B5 w - - 0 1",
        "1k6/8/P7/K7/8/4B3/8/8 w - - 0 1",
        "8/8/8/8/5b2/6k1/7p/7K b - - 0 1",
        "k7/8/1K6/P7/8/8/1B6/2B5 w - - 0 1",
        // A knight, with the pawn already on the seventh rank.
        "k7/P7/8/2K5/8/8/8/4N3 w - - 0 1",
        // A queen against a bishop's or rook's pawn, with her king far away.
        "8/8/8/8/8/8/2pk4/Q6K w - - 0 1",
        "7K/4Q3/8/8/8/8/pk6/8 w - - 0 1",
        "K7/8/8/8/8/8/5pk1/1Q6 w - - 0 1",
    ];

    #[test]
    fn dead_draws_have_values_close_to_zero() {
        for fen in DRAWS {
            let board = board(fen);
            for board in [board.clone(), board.mirrored()] {
                let mut search = player(Grain { grain: 8, evaluator: ENDGAMES }).build().unwrap();
                let value = search.think(&board, Budget::depth(8)).unwrap().value.unwrap().get();
                assert!(value.abs() <= 72, "{board}: {value}");
            }
        }
        for fen in &DRAWS[..11] {
            assert_eq!(ENDGAMES.evaluate(&board(fen)), 0, "{fen}");
        }
    }

    #[test]
    fn won_endgames_are_not_scaled_down() {
        for fen in [
            "4k3/8/4K3/4P3/8/8/8/8 b - - 0 1",
            "8/8/k7/8/8/8/7P/7K w - - 0 1",
            // A bishop of the right colour; a bare king too far away; another file.
            "k7/8/1K6/P7/8/8/8/5B2 w - - 0 1",
            "8/8/8/1K3k2/P7/8/8/2B5 w - - 0 1",
            "1k6/8/1K6/1P6/8/8/8/2B5 w - - 0 1",
            // A knight with the pawn not yet on the seventh rank; bishops of both colours.
            "k7/8/P7/2K5/8/8/8/4N3 w - - 0 1",
            "k7/8/1K6/P7/8/8/1BB5/8 w - - 0 1",
            // A queen against a knight's pawn, and one with her king near.
            "8/8/8/8/7Q/8/1pk5/7K w - - 0 1",
            "8/8/8/8/2K5/8/2pk4/Q7 w - - 0 1",
        ] {
            let board = board(fen);
            for board in [board.clone(), board.mirrored()] {
                let mut search = player(ENDGAMES).build().unwrap();
                let value = search.think(&board, Budget::depth(8)).unwrap().value.unwrap();
                let value = if board.rules.side_to_move() == strong(&board) { value } else { -value };
                assert!(value > Value::score(250).unwrap(), "{board}: {value}");
            }
        }
    }

    /// The side with more material.
    fn strong(board: &Board) -> Color {
        let worth = |side| {
            let count = |piece| board.rules.colored_pieces(side, piece).len();
            count(Piece::Pawn) + 3 * (count(Piece::Knight) + count(Piece::Bishop)) + 9 * count(Piece::Queen)
        };
        if worth(Color::White) > worth(Color::Black) { Color::White } else { Color::Black }
    }

    #[test]
    fn drawish_endgames_are_scaled_down() {
        let ratio = |fen: &str| {
            let board = board(fen);
            let (with, without) = (ENDGAMES.evaluate(&board), board.evaluate());
            assert_eq!(ENDGAMES.evaluate(&board.mirrored()), with, "{fen}");
            assert!(without.abs() > 40, "{fen}: {without}");
            f64::from(with) / f64::from(without)
        };
        for (fen, least, most) in [
            ("8/4k3/8/4P3/4K3/8/r7/4R3 w - - 0 1", 0.1, 0.3), // Philidor: the king is in front of the pawn.
            ("k7/8/8/4P3/4K3/8/r7/4R3 w - - 0 1", 0.7, 0.9),
            ("8/5pk1/6p1/7p/7P/r4PP1/5PK1/4R3 w - - 0 1", 0.3, 0.6), // Four against three on one wing.
            ("8/3b1k2/4p3/3p4/3P4/1PB1P1P1/5K2/8 w - - 0 1", 0.2, 0.8), // Opposite-coloured bishops.
            ("r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1.0, 1.0),
            ("8/5k2/8/8/3PP3/8/5K2/8 w - - 0 1", 1.0, 1.0),
        ] {
            let ratio = ratio(fen);
            assert!((least..=most).contains(&ratio), "{fen}: {ratio}");
        }
    }

    #[test]
    fn it_keeps_the_laws() {
        for fen in ["8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", "8/5k2/r5p1/8/8/6P1/R4PK1/8 w - - 0 1"] {
            laws::check(&board(fen), &ENDGAMES, 30, 1).unwrap();
            laws::agree(&board(fen), &ENDGAMES, 4).unwrap();
        }
    }
}
