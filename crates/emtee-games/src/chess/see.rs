//! Static exchange evaluation (SEE): the material that a move wins after all profitable recaptures on its target
//! square.

use cozy_chess as cozy;
use cozy_chess::{BitBoard, Color, Piece, Square};

use super::board::Board;
use super::moves::Move;

/// The piece values of SEE. A knight and a bishop have the same value, so that trading one for the other is even.
pub(super) const SEE_VALUES: [i32; Piece::NUM] = [100, 325, 325, 500, 975, 10_000];

/// Static exchange evaluation: the material that the move wins, in centipawns, if both sides keep capturing on its
/// target square with their least valuable attacker for as long as it pays. X-ray attackers count. Pins are ignored.
///
/// ```
/// use emtee_games::chess::{Board, see};
/// // A rook takes a pawn that is defended by a pawn.
/// let board: Board = "4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1".parse()?;
/// let m = board.read_move("d2d6")?;
/// assert_eq!(see(&board, m), 100 - 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn see(board: &Board, m: Move) -> i32 {
    let Some(mut exchange) = Exchange::after(board, m) else { return 0 };
    // The gain of the capturing side after each capture. There is at most one capture per piece on the board.
    let mut gain = [0; 33];
    gain[0] = exchange.first_gain;
    let mut last = 0;
    while let Some(captured) = exchange.recapture() {
        last += 1;
        gain[last] = captured - gain[last - 1];
    }
    // Minimax from the end: a side stops if the next capture loses material.
    for ply in (1..=last).rev() {
        gain[ply - 1] = -gain[ply].max(-gain[ply - 1]);
    }
    gain[0]
}

/// Whether [`see`] ≥ 0: the move does not lose material. Faster than [`see`], because it stops as soon as the sign is
/// known.
#[inline]
pub(super) fn see_ge_zero(board: &Board, m: Move) -> bool {
    let Some(mut exchange) = Exchange::after(board, m) else { return true };
    if exchange.first_gain < 0 {
        return false;
    }
    // The balance of the side to capture if it captures and there is no recapture. If that is not enough, nothing is.
    let mut balance = SEE_VALUES[exchange.piece as usize] - exchange.first_gain;
    let mut result = true;
    while balance >= i32::from(result) && exchange.recapture().is_some() {
        result = !result;
        balance = SEE_VALUES[exchange.piece as usize] - balance;
    }
    result
}

/// A sequence of captures on one square.
struct Exchange<'b> {
    board: &'b Board,
    /// The target square.
    square: Square,
    occupied: BitBoard,
    attackers: BitBoard,
    /// The side that captures next.
    side: Color,
    /// The piece on the target square, which the next capture takes.
    piece: Piece,
    /// The material won by the first move.
    first_gain: i32,
}

impl<'b> Exchange<'b> {
    /// The exchange after its first move. `None` for castling.
    #[inline(always)]
    fn after(board: &'b Board, m: Move) -> Option<Exchange<'b>> {
        if m.is_castling() {
            return None;
        }
        let rules = &board.rules;
        let (from, to) = (m.from(), m.to());
        let side = rules.side_to_move();
        let mut occupied = rules.occupied() & !from.bitboard() | to.bitboard();
        let mut first_gain = 0;
        if let Some(victim) = rules.piece_on(to) {
            first_gain = SEE_VALUES[victim as usize];
        } else if board.is_en_passant(m) {
            first_gain = SEE_VALUES[Piece::Pawn as usize];
            occupied &= !Square::new(to.file(), from.rank()).bitboard();
        }
        let mut piece = rules.piece_on(from)?;
        if let Some(promotion) = m.promotion() {
            first_gain += SEE_VALUES[promotion as usize] - SEE_VALUES[Piece::Pawn as usize];
            piece = promotion;
        }
        let attackers = attackers(board, to, occupied);
        Some(Exchange { board, square: to, occupied, attackers, side: !side, piece, first_gain })
    }

    /// Captures with the least valuable attacker. Returns the value of the captured piece, or `None` if there is no
    /// capture.
    #[inline(always)]
    fn recapture(&mut self) -> Option<i32> {
        let rules = &self.board.rules;
        let ours = self.attackers & self.occupied & rules.colors(self.side);
        if ours.is_empty() {
            return None;
        }
        let piece = Piece::ALL.into_iter().find(|&piece| !(ours & rules.pieces(piece)).is_empty())?;
        // A king cannot capture a defended piece.
        if piece == Piece::King && !(self.attackers & self.occupied & rules.colors(!self.side)).is_empty() {
            return None;
        }
        let from = (ours & rules.pieces(piece)).next_square()?;
        self.occupied &= !from.bitboard();
        // X-ray attackers behind the capturing piece.
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            let diagonal = rules.pieces(Piece::Bishop) | rules.pieces(Piece::Queen);
            self.attackers |= cozy::get_bishop_moves(self.square, self.occupied) & diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            let straight = rules.pieces(Piece::Rook) | rules.pieces(Piece::Queen);
            self.attackers |= cozy::get_rook_moves(self.square, self.occupied) & straight;
        }
        let captured = SEE_VALUES[self.piece as usize];
        self.piece = piece;
        self.side = !self.side;
        Some(captured)
    }
}

/// All attackers of a square, of both colours.
#[inline(always)]
fn attackers(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let rules = &board.rules;
    let (queens, pawns) = (rules.pieces(Piece::Queen), rules.pieces(Piece::Pawn));
    let attackers = cozy::get_pawn_attacks(square, Color::White) & pawns & rules.colors(Color::Black)
        | cozy::get_pawn_attacks(square, Color::Black) & pawns & rules.colors(Color::White)
        | cozy::get_knight_moves(square) & rules.pieces(Piece::Knight)
        | cozy::get_king_moves(square) & rules.pieces(Piece::King)
        | cozy::get_bishop_moves(square, occupied) & (rules.pieces(Piece::Bishop) | queens)
        | cozy::get_rook_moves(square, occupied) & (rules.pieces(Piece::Rook) | queens);
    attackers & occupied
}

#[cfg(test)]
mod tests {
    use super::*;
    use emtee::{Game, legal_moves, mix};

    #[test]
    fn known_exchanges() {
        for (fen, m, won) in [
            // An undefended pawn.
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
            // A pawn that is defended by a pawn.
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
            // Attacked twice and defended once, the second rook behind the first.
            ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
            // A queen behind a bishop on the diagonal.
            ("4k3/8/4p3/3n4/8/1B6/Q7/4K3 w - - 0 1", "b3d5", 100),
            // A king does not recapture a defended piece.
            ("8/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
            // It recaptures an undefended one.
            ("8/8/3k4/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", 100 - 500),
            // En passant, and a rook that recaptures through both pawns.
            ("3rk3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
            // Promotion, safe and not.
            ("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 975 - 100),
            ("1r5k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100),
            ("1r5k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 500 + 975 - 100),
            // A quiet move to an attacked square.
            ("4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1", "d1d5", -500),
            ("4k2r/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", 0),
        ] {
            let board: Board = fen.parse().unwrap();
            assert_eq!(see(&board, board.read_move(m).unwrap()), won, "{m} in {fen}");
        }
    }

    /// The same by recursion: capture with the least valuable attacker, or stop.
    fn reference(exchange: &mut Exchange<'_>) -> i32 {
        match exchange.recapture() {
            None => 0,
            Some(captured) => (captured - reference(exchange)).max(0),
        }
    }

    #[test]
    fn see_agrees_with_the_recursive_definition() {
        let mut random = 11;
        let mut nonnegative = 0;
        for _ in 0..150 {
            let mut board = Board::default();
            for _ in 0..120 {
                let moves = legal_moves(&board);
                for &m in &moves {
                    let value = see(&board, m);
                    if let Some(mut exchange) = Exchange::after(&board, m) {
                        assert_eq!(value, exchange.first_gain - reference(&mut exchange), "{m} in {board}");
                    }
                    assert_eq!(see_ge_zero(&board, m), value >= 0, "{m} in {board}");
                    nonnegative += u32::from(value >= 0);
                }
                random += 1;
                let Some(&m) = moves.get((mix(random) % moves.len().max(1) as u64) as usize) else { break };
                board = board.play(m);
            }
        }
        assert!(nonnegative > 10_000);
    }
}
