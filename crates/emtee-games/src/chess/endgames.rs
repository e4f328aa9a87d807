//! What players know about endings and weights cannot say: advantages that cannot be won.

use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};
use emtee::{Evaluate, Game, OwnEvaluation};

use super::board::Board;
use super::kpk;
use super::pawns::distance;

/// Judges positions as another evaluator does, but for endings whose advantage cannot be won, or hardly:
/// king and pawn against king (exactly), a rook's pawn whose corner is held, opposite bishops, rook endings.
///
/// Where one side has nothing but its king, [`Board::evaluate`](Game::evaluate) says how far the other has come.
///
/// Engines play with it. Experiments do without, so that their counts stay comparable.
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

/// What a pawn that will be a queen adds.
const QUEENS: i32 = 500;

/// Of an advantage as the weights see it.
const WHOLE: i32 = 64;

/// With more pieces than these, nothing here applies.
const MOST_OFFICERS: u32 = 4;

impl<E: Evaluate<Board>> Evaluate<Board> for Endgames<E> {
    #[inline]
    fn evaluate(&self, board: &Board) -> i32 {
        let rules = &board.rules;
        let officers = rules.occupied() & !rules.pieces(Piece::Pawn) & !rules.pieces(Piece::King);
        if officers.len() > MOST_OFFICERS { self.0.evaluate(board) } else { judge(&self.0, board, officers) }
    }
}

/// The value of an ending.
#[inline(never)]
fn judge(others: &impl Evaluate<Board>, board: &Board, officers: BitBoard) -> i32 {
    let rules = &board.rules;
    let bare = Color::ALL.into_iter().any(|side| rules.colors(side).len() == 1);
    let value = if bare { board.evaluate() } else { others.evaluate(board) };
    if kpk::is_king_and_pawn(board, officers) {
        let pawns = rules.colored_pieces(Color::White, Piece::Pawn);
        let strong = if pawns.is_empty() { Color::Black } else { Color::White };
        let sign = if rules.side_to_move() == strong { 1 } else { -1 };
        return if kpk::pawn_has_won(board) { value + sign * QUEENS } else { 0 };
    }
    let ahead = if value > 0 { rules.side_to_move() } else { !rules.side_to_move() };
    value * share(board, officers, ahead) / WHOLE
}

/// How much of a side's advantage can be won, in 64ths.
fn share(board: &Board, officers: BitBoard, strong: Color) -> i32 {
    let rules = &board.rules;
    let (ours, theirs) = (officers & rules.colors(strong), officers & rules.colors(!strong));
    let pawns = rules.colored_pieces(strong, Piece::Pawn);
    if theirs.is_empty() && (is_corner_held(board, ours, pawns, strong) || are_one_coloured(board, ours, pawns)) {
        return 0;
    }
    let more = pawns.len() as i32 - rules.colored_pieces(!strong, Piece::Pawn).len() as i32;
    let [rooks, bishops, queens] = [Piece::Rook, Piece::Bishop, Piece::Queen].map(|piece| rules.pieces(piece));
    if (ours.len(), theirs.len()) == (1, 1) && officers == rooks {
        return rook_ending(board, strong, pawns, more);
    }
    if (ours.len(), theirs.len()) == (1, 0) && officers == queens {
        return queen_against_pawn(board, strong);
    }
    let one_each = (ours & bishops).len() == 1 && (theirs & bishops).len() == 1;
    if one_each && (bishops & BitBoard::DARK_SQUARES).len() == 1 && ours.len() == theirs.len() {
        // Alone, they hold two pawns as often as not; with a rook each, attack and defence are no longer the same.
        return match (officers == bishops, more) {
            (true, ..=1) => 24,
            (true, 2) => 44,
            (false, ..=1) if rooks.len() == 2 => 48,
            _ => WHOLE,
        };
    }
    WHOLE
}

/// Whether there is nothing but bishops of one colour: whoever stands on the other is safe.
fn are_one_coloured(board: &Board, ours: BitBoard, pawns: BitBoard) -> bool {
    let dark = ours & BitBoard::DARK_SQUARES;
    pawns.is_empty() && (ours & !board.rules.pieces(Piece::Bishop)).is_empty() && (dark.is_empty() || dark == ours)
}

/// Whether a bare king holds the corner in which a rook's pawn would become a queen, against pawns on that file alone: with
/// no other piece, with bishops that never get there, or with a knight once the pawn has gone too far.
fn is_corner_held(board: &Board, ours: BitBoard, pawns: BitBoard, strong: Color) -> bool {
    let rules = &board.rules;
    let files = [File::A, File::H].into_iter().find(|file| (pawns & !file.bitboard()).is_empty());
    let (Some(file), false) = (files, pawns.is_empty()) else { return false };
    let corner = Square::new(file, Rank::Eighth.relative_to(strong));
    let king = rules.king(!strong);
    if distance(king, corner) > 1 {
        return false;
    }
    let colour = if BitBoard::DARK_SQUARES.has(corner) { BitBoard::DARK_SQUARES } else { BitBoard::LIGHT_SQUARES };
    let wrong = (ours & rules.pieces(Piece::Bishop)) & !colour;
    let knight = ours == rules.pieces(Piece::Knight) & rules.colors(strong) && ours.len() == 1;
    let too_far = pawns.len() == 1 && !(pawns & Rank::Seventh.relative_to(strong).bitboard()).is_empty();
    ours == wrong || knight && too_far && king == corner
}

/// A rook each.
fn rook_ending(board: &Board, strong: Color, pawns: BitBoard, more: i32) -> i32 {
    let rules = &board.rules;
    let all = rules.pieces(Piece::Pawn);
    if all.len() == 1
        && more == 1
        && let Some(pawn) = pawns.next_square()
    {
        // A king in front of the pawn holds it, as long as the pawn is not too far.
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
    match (more, one_wing) {
        (..=1, true) => 28,
        (..=1, false) => 48,
        _ => WHOLE,
    }
}

/// A queen against a pawn of a rook or a bishop about to become one beside its king: a draw, unless the other king is near.
fn queen_against_pawn(board: &Board, strong: Color) -> i32 {
    let rules = &board.rules;
    let pawns = rules.pieces(Piece::Pawn);
    let seventh = pawns & rules.colors(!strong) & Rank::Seventh.relative_to(!strong).bitboard();
    let Some(pawn) = seventh.next_square().filter(|_| pawns.len() == 1) else { return WHOLE };
    let near = match pawn.file() {
        File::A | File::H => 4,
        File::C | File::F => 3,
        _ => return WHOLE,
    };
    let beside = distance(rules.king(!strong), pawn) <= 1;
    if beside && distance(rules.king(strong), pawn) > near { 4 } else { WHOLE }
}

#[cfg(test)]
mod tests {
    use emtee::{Budget, Grain, Value, laws, player};

    use super::*;

    const KNOWING: Endgames = Endgames(OwnEvaluation);

    fn board(fen: &str) -> Board {
        fen.parse().unwrap()
    }

    /// What is drawn, and what a search to depth 8 makes of it, with what is known and without.
    const DRAWS: [&str; 14] = [
        // King and pawn: no opposition, a rook's pawn, a king in front.
        "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1",
        "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1",
        "k7/8/K7/P7/8/8/8/8 w - - 0 1",
        "8/8/8/7p/8/7k/8/7K b - - 0 1",
        // Pawns of one rook's file, and the corner is held.
        "k7/8/K7/P7/P7/P7/8/8 w - - 0 1",
        "8/7p/7p/8/8/6k1/8/7K b - - 0 1",
        // The wrong bishop, or two of them.
        "k7/8/1K6/P7/8/8/8/2B5 w - - 0 1",
        "1k6/8/P7/K7/8/4B3/8/8 w - - 0 1",
        "8/8/8/8/5b2/6k1/7p/7K b - - 0 1",
        "k7/8/1K6/P7/8/8/1B6/2B5 w - - 0 1",
        // A knight, and the pawn has gone too far.
        "k7/P7/8/2K5/8/8/8/4N3 w - - 0 1",
        // A queen against a pawn of a bishop or a rook, and nobody to help her.
        "8/8/8/8/8/8/2pk4/Q6K w - - 0 1",
        "7K/4Q3/8/8/8/8/pk6/8 w - - 0 1",
        "K7/8/8/8/8/8/5pk1/1Q6 w - - 0 1",
    ];

    #[test]
    fn dead_draws_are_worth_next_to_nothing() {
        for fen in DRAWS {
            let at = board(fen);
            for at in [at.clone(), at.mirrored()] {
                let mut search = player(Grain { grain: 8, evaluator: KNOWING }).build().unwrap();
                let value = search.think(&at, Budget::depth(8)).unwrap().value.unwrap().get();
                assert!(value.abs() <= 72, "{at}: {value}");
            }
        }
        for fen in &DRAWS[..11] {
            assert_eq!(KNOWING.evaluate(&board(fen)), 0, "{fen}");
        }
    }

    #[test]
    fn what_is_won_stays_won() {
        for fen in [
            "4k3/8/4K3/4P3/8/8/8/8 b - - 0 1",
            "8/8/k7/8/8/8/7P/7K w - - 0 1",
            // The right bishop, a king too far away, another file.
            "k7/8/1K6/P7/8/8/8/5B2 w - - 0 1",
            "8/8/8/1K3k2/P7/8/8/2B5 w - - 0 1",
            "1k6/8/1K6/1P6/8/8/8/2B5 w - - 0 1",
            // A knight in time; bishops of both colours.
            "k7/8/P7/2K5/8/8/8/4N3 w - - 0 1",
            "k7/8/1K6/P7/8/8/1BB5/8 w - - 0 1",
            // A queen against the pawn of a knight, and with her king near.
            "8/8/8/8/7Q/8/1pk5/7K w - - 0 1",
            "8/8/8/8/2K5/8/2pk4/Q7 w - - 0 1",
        ] {
            let at = board(fen);
            for at in [at.clone(), at.mirrored()] {
                let mut search = player(KNOWING).build().unwrap();
                let value = search.think(&at, Budget::depth(8)).unwrap().value.unwrap();
                let value = if at.rules.side_to_move() == strong(&at) { value } else { -value };
                assert!(value > Value::score(250).unwrap(), "{at}: {value}");
            }
        }
    }

    /// Who has more.
    fn strong(board: &Board) -> Color {
        let worth = |side| {
            let count = |piece| board.rules.colored_pieces(side, piece).len();
            count(Piece::Pawn) + 3 * (count(Piece::Knight) + count(Piece::Bishop)) + 9 * count(Piece::Queen)
        };
        if worth(Color::White) > worth(Color::Black) { Color::White } else { Color::Black }
    }

    #[test]
    fn some_advantages_are_worth_less() {
        let part = |fen: &str| {
            let at = board(fen);
            let (with, without) = (KNOWING.evaluate(&at), at.evaluate());
            assert_eq!(KNOWING.evaluate(&at.mirrored()), with, "{fen}");
            assert!(without.abs() > 40, "{fen}: {without}");
            f64::from(with) / f64::from(without)
        };
        for (fen, least, most) in [
            ("8/4k3/8/4P3/4K3/8/r7/4R3 w - - 0 1", 0.1, 0.3), // Philidor's: the king is in front.
            ("k7/8/8/4P3/4K3/8/r7/4R3 w - - 0 1", 0.7, 0.9),
            ("8/5pk1/6p1/7p/7P/r4PP1/5PK1/4R3 w - - 0 1", 0.3, 0.6), // Four against three on one wing.
            ("8/3b1k2/4p3/3p4/3P4/1PB1P1P1/5K2/8 w - - 0 1", 0.2, 0.8), // Bishops that never meet.
            ("r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1.0, 1.0),
            ("8/5k2/8/8/3PP3/8/5K2/8 w - - 0 1", 1.0, 1.0),
        ] {
            let part = part(fen);
            assert!((least..=most).contains(&part), "{fen}: {part}");
        }
    }

    #[test]
    fn it_keeps_the_laws() {
        for fen in ["8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", "8/5k2/r5p1/8/8/6P1/R4PK1/8 w - - 0 1"] {
            laws::check(&board(fen), &KNOWING, 30, 1).unwrap();
            laws::agree(&board(fen), &KNOWING, 4).unwrap();
        }
    }
}
