//! Static exchange evaluation: what a move wins once every capture on its square is made that pays.

use cozy_chess as cozy;
use cozy_chess::{BitBoard, Color, Piece, Square};

use super::board::Board;
use super::moves::Move;

/// What the pieces count in an exchange. A knight and a bishop count the same, so that trading them is no loss.
pub(super) const VALUES: [i32; Piece::NUM] = [100, 325, 325, 500, 975, 10_000];

/// What the move wins, in centipawns, if both sides go on taking on its square with their least valuable piece for as long
/// as it pays. Pins are not seen; pieces behind others that move away are.
///
/// ```
/// use emtee_games::chess::{Board, exchange};
/// // A rook takes a pawn that a pawn defends.
/// let board: Board = "4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1".parse()?;
/// let m = board.read_move("d2d6")?;
/// assert_eq!(exchange(&board, m), 100 - 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn exchange(board: &Board, m: Move) -> i32 {
    let Some(mut fight) = Fight::begin(board, m) else { return 0 };
    // What the side that takes has won so far, capture by capture: at most one for each piece on the board.
    let mut won = [0; 33];
    won[0] = fight.won;
    let mut last = 0;
    while let Some(prize) = fight.recapture() {
        last += 1;
        won[last] = prize - won[last - 1];
    }
    // Back from the end: each side stops where going on is worse.
    for at in (1..=last).rev() {
        won[at - 1] = -won[at].max(-won[at - 1]);
    }
    won[0]
}

/// Whether the move wins or keeps even: [`exchange`] ≥ 0, found without following every capture.
#[inline]
pub(super) fn is_sound(board: &Board, m: Move) -> bool {
    let Some(mut fight) = Fight::begin(board, m) else { return true };
    if fight.won < 0 {
        return false;
    }
    // What the side to take would be ahead by if it took and nobody took back. Not ahead then: never.
    let mut ahead = VALUES[fight.on_square as usize] - fight.won;
    let mut sound = true;
    while ahead >= i32::from(sound) && fight.recapture().is_some() {
        sound = !sound;
        ahead = VALUES[fight.on_square as usize] - ahead;
    }
    sound
}

/// A square that is fought over.
struct Fight<'b> {
    board: &'b Board,
    square: Square,
    occupied: BitBoard,
    attackers: BitBoard,
    /// Who may take next.
    side: Color,
    /// What stands on the square and may be taken.
    on_square: Piece,
    /// What the first move won.
    won: i32,
}

impl<'b> Fight<'b> {
    /// After the first move. Nothing for castling, which starts no fight.
    #[inline(always)]
    fn begin(board: &'b Board, m: Move) -> Option<Fight<'b>> {
        if m.is_castling() {
            return None;
        }
        let rules = &board.rules;
        let (from, to) = (m.from(), m.to());
        let side = rules.side_to_move();
        let mut occupied = rules.occupied() & !from.bitboard() | to.bitboard();
        let mut won = 0;
        if let Some(victim) = rules.piece_on(to) {
            won = VALUES[victim as usize];
        } else if board.is_en_passant(m) {
            won = VALUES[Piece::Pawn as usize];
            occupied &= !Square::new(to.file(), from.rank()).bitboard();
        }
        let mut on_square = rules.piece_on(from)?;
        if let Some(promotion) = m.promotion() {
            won += VALUES[promotion as usize] - VALUES[Piece::Pawn as usize];
            on_square = promotion;
        }
        let attackers = attackers(board, to, occupied);
        Some(Fight { board, square: to, occupied, attackers, side: !side, on_square, won })
    }

    /// Takes with the least valuable piece, and says what that won. Nothing if nothing can take.
    #[inline(always)]
    fn recapture(&mut self) -> Option<i32> {
        let rules = &self.board.rules;
        let ours = self.attackers & self.occupied & rules.colors(self.side);
        if ours.is_empty() {
            return None;
        }
        let piece = Piece::ALL.into_iter().find(|&piece| !(ours & rules.pieces(piece)).is_empty())?;
        // A king may not take what is defended.
        if piece == Piece::King && !(self.attackers & self.occupied & rules.colors(!self.side)).is_empty() {
            return None;
        }
        let from = (ours & rules.pieces(piece)).next_square()?;
        self.occupied &= !from.bitboard();
        // Whatever stood behind it can take now.
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            let diagonal = rules.pieces(Piece::Bishop) | rules.pieces(Piece::Queen);
            self.attackers |= cozy::get_bishop_moves(self.square, self.occupied) & diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            let straight = rules.pieces(Piece::Rook) | rules.pieces(Piece::Queen);
            self.attackers |= cozy::get_rook_moves(self.square, self.occupied) & straight;
        }
        let prize = VALUES[self.on_square as usize];
        self.on_square = piece;
        self.side = !self.side;
        Some(prize)
    }
}

/// Everything that attacks a square, of both colours.
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
    fn exchanges_add_up() {
        for (fen, m, won) in [
            // Nothing defends it.
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
            // A pawn does.
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
            // Twice attacked, once defended, the second rook behind the first.
            ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
            // A queen behind a bishop on the diagonal.
            ("4k3/8/4p3/3n4/8/1B6/Q7/4K3 w - - 0 1", "b3d5", 100),
            // A king does not take what is defended.
            ("8/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
            // It does take what is not.
            ("8/8/3k4/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", 100 - 500),
            // En passant, and a rook that the two pawns hid.
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
            assert_eq!(exchange(&board, board.read_move(m).unwrap()), won, "{m} in {fen}");
        }
    }

    /// The same by trying: take with the least valuable piece, or leave it.
    fn slow(fight: &mut Fight<'_>) -> i32 {
        match fight.recapture() {
            None => 0,
            Some(prize) => (prize - slow(fight)).max(0),
        }
    }

    #[test]
    fn quick_and_slow_answers_agree() {
        let mut random = 11;
        let mut sound = 0;
        for _ in 0..150 {
            let mut board = Board::default();
            for _ in 0..120 {
                let moves = legal_moves(&board);
                for &m in &moves {
                    let value = exchange(&board, m);
                    if let Some(mut fight) = Fight::begin(&board, m) {
                        assert_eq!(value, fight.won - slow(&mut fight), "{m} in {board}");
                    }
                    assert_eq!(is_sound(&board, m), value >= 0, "{m} in {board}");
                    sound += u32::from(value >= 0);
                }
                random += 1;
                let Some(&m) = moves.get((mix(random) % moves.len().max(1) as u64) as usize) else { break };
                board = board.play(m);
            }
        }
        assert!(sound > 10_000);
    }
}
