//! The position, and its implementation of [`Game`].

use std::hash::Hash;

use cozy_chess as cozy;
use cozy_chess::{Color, Piece, Rank, Square};
use emtee::{Game, Levels, MoveOrdering, Moves, Outcome, Quiescence, Selective, Side, Tuning, mix};

use super::moves::Move;
use super::see::SEE_VALUES;
use super::{evaluate, keys, moves};

/// A chess position: pieces, side to move, castling rights, en passant and the two clocks.
///
/// `{}` writes FEN, [`FromStr`](std::str::FromStr) reads it, and `{:#}` draws the board.
///
/// ```
/// use emtee_games::chess::Board;
/// let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// assert_eq!(Board::default().to_string(), start);
/// assert_eq!(start.parse(), Ok(Board::default()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    pub(super) rules: cozy::Board,
}

impl Board {
    /// Whether the king of the side to move is attacked.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        !self.rules.checkers().is_empty()
    }

    /// Plies since the last capture or pawn move. At 100 a player can claim a draw; the clock stops there.
    pub fn halfmove_clock(&self) -> u8 {
        self.rules.halfmove_clock()
    }

    /// The number of the move, as in FEN: it increases after each move of Black.
    pub fn move_number(&self) -> u16 {
        self.rules.fullmove_number()
    }

    /// Whether no sequence of moves can mate: only kings, or kings and one minor piece.
    pub fn is_insufficient_material(&self) -> bool {
        let minors = self.rules.pieces(Piece::Knight) | self.rules.pieces(Piece::Bishop);
        let kings = self.rules.pieces(Piece::King);
        self.rules.occupied() == minors | kings && minors.len() <= 1
    }

    /// Whether the move is a capture, en passant included.
    #[inline(always)]
    pub fn is_capture(&self, m: Move) -> bool {
        self.rules.colors(!self.rules.side_to_move()).has(m.to()) || self.is_en_passant(m)
    }

    /// Whether the move is an en-passant capture: a pawn moves diagonally to an empty square.
    #[inline(always)]
    pub(super) fn is_en_passant(&self, m: Move) -> bool {
        self.rules.pieces(Piece::Pawn).has(m.from())
            && m.from().file() != m.to().file()
            && !self.rules.occupied().has(m.to())
    }

    /// The target square of an en-passant capture, after any double pawn step.
    #[inline(always)]
    pub(super) fn en_passant_square(&self) -> Option<Square> {
        let rank = Rank::Third.relative_to(!self.rules.side_to_move());
        self.rules.en_passant().map(|file| Square::new(file, rank))
    }

    /// Whether an en-passant capture is legal. After most double pawn steps none is, and then the key must not contain
    /// the square, because transpositions would be missed.
    fn en_passant_is_possible(&self) -> bool {
        let Some(to) = self.en_passant_square() else { return false };
        let side = self.rules.side_to_move();
        let capturers = cozy::get_pawn_attacks(to, !side) & self.rules.colored_pieces(side, Piece::Pawn);
        !capturers.is_empty() && self.rules.generate_moves_for(capturers, |moves| moves.to.has(to))
    }

    /// The number of lines of exactly `depth` plies. The moves of the last ply are counted in bulk.
    ///
    /// ```
    /// use emtee_games::chess::Board;
    /// assert_eq!(Board::default().perft(4), 197_281);
    /// ```
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut lines = 0;
        self.rules.generate_moves(|moves| {
            if depth == 1 {
                lines += moves.len() as u64;
            } else {
                for m in moves {
                    let mut rules = self.rules.clone();
                    rules.play_unchecked(m);
                    lines += Board { rules }.perft(depth - 1);
                }
            }
            false
        });
        lines
    }

    /// The same position with the colours exchanged: the ranks flipped, and the other side to move.
    pub fn mirrored(&self) -> Board {
        let mut builder = cozy::BoardBuilder::empty();
        for square in self.rules.occupied() {
            let piece = self.rules.piece_on(square).zip(self.rules.color_on(square).map(|color| !color));
            *builder.square_mut(square.flip_rank()) = piece;
        }
        builder.side_to_move = !self.rules.side_to_move();
        for color in Color::ALL {
            *builder.castle_rights_mut(!color) = *self.rules.castle_rights(color);
        }
        builder.en_passant = self.en_passant_square().map(|square| square.flip_rank());
        builder.halfmove_clock = self.rules.halfmove_clock();
        builder.fullmove_number = self.rules.fullmove_number();
        // The mirror of a legal position is legal.
        builder.build().map_or_else(|_| self.clone(), |rules| Board { rules })
    }
}

impl Game for Board {
    type Move = Move;

    const TUNING: Tuning = Tuning {
        ordering: MoveOrdering::FULL,
        store_leaves: true,
        // A twelfth of a pawn. MTD-f needs a third of the passes that a grain of 1 needs, and plays equally well:
        // `cargo xtask match chess --against fine`.
        grain: 8,
        // Enhanced transposition cutoffs: 8 % less time to depth 7.
        etc: Some(2),
        // For their distances see the book, under matches. Below one node per legal move, fewer nodes make no
        // difference.
        levels: Levels([
            (100, 420),
            (110, 300),
            (130, 220),
            (170, 160),
            (320, 106),
            (620, 75),
            (1_400, 46),
            (3_200, 28),
            (8_000, 15),
            (30_000, 0),
        ]),
        // Measured in `docs/book/selective.md`.
        selective: Selective { probcut: false, ..Selective::ALL },
    };

    /// The fifty-move rule.
    const DRAWN_AFTER: Option<u32> = Some(100);

    #[inline(always)]
    fn halfmove_clock(&self) -> Option<u32> {
        Some(u32::from(self.rules.halfmove_clock()))
    }

    #[inline(always)]
    fn turn(&self) -> Side {
        match self.rules.side_to_move() {
            Color::White => Side::First,
            Color::Black => Side::Second,
        }
    }

    #[inline]
    fn moves(&self, moves: &mut Moves<Move>) {
        moves::list_all(self, moves);
    }

    #[inline(always)]
    fn play(&self, m: Move) -> Board {
        let mut rules = self.rules.clone();
        rules.play_unchecked(m.to_rules());
        Board { rules }
    }

    /// Always `None`. A position without moves is detected when its moves are listed; draws by rule belong to a search
    /// in play.
    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        None
    }

    #[inline]
    fn evaluate(&self) -> i32 {
        evaluate::evaluate(self)
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        let key = self.rules.hash_without_ep();
        match self.rules.en_passant() {
            Some(file) if self.en_passant_is_possible() => key ^ mix(0x656e_7061_7373 + file as u64),
            _ => key,
        }
    }

    #[inline]
    fn key_after(&self, m: Move) -> Option<u64> {
        keys::after(self, m)
    }

    #[inline(always)]
    fn code(&self, m: Move, _: usize) -> u16 {
        m.code()
    }

    fn stuck(&self) -> Outcome {
        if self.in_check() { Outcome::Lost } else { Outcome::Drawn }
    }

    /// In check all moves, otherwise captures and queen promotions with SEE ≥ 0. Lines end because each of these moves
    /// uses up material; checks at the horizon are evaded, but not generated. With four queens or more the number of
    /// such lines explodes: then only captures with SEE > 0 are searched, and checks are ignored.
    #[inline]
    fn noisy_moves(&self, moves: &mut Moves<Move>) -> Quiescence {
        if self.in_check() && !moves::has_many_queens(self) {
            moves::list_all(self, moves);
            return Quiescence::Forced;
        }
        if moves::list_noisy(self, moves) { Quiescence::Optional } else { Quiescence::Quiet }
    }

    #[inline(always)]
    fn forced(&self) -> bool {
        self.in_check()
    }

    /// `None` in check, without a legal move, and with less than a rook or two minor pieces, because of zugzwang.
    #[inline(always)]
    fn null_move(&self) -> Option<Board> {
        let rules = &self.rules;
        let side = rules.side_to_move();
        let pieces = rules.colors(side) & !rules.pieces(Piece::Pawn) & !rules.pieces(Piece::King);
        let heavy = pieces & (rules.pieces(Piece::Rook) | rules.pieces(Piece::Queen));
        if (heavy.is_empty() && pieces.len() < 2) || !rules.generate_moves(|_| true) {
            return None;
        }
        rules.null_move().map(|rules| Board { rules })
    }

    #[inline(always)]
    fn move_from_code(&self, code: u16) -> Option<Move> {
        let m = Move::from_code(code)?;
        let castles = self.rules.colors(self.rules.side_to_move()).has(m.to());
        (castles == m.is_castling() && self.rules.is_legal(m.to_rules())).then_some(m)
    }

    #[inline(always)]
    fn tactical_gain(&self, m: Move) -> Option<i32> {
        let victim = if m.is_castling() { None } else { self.rules.piece_on(m.to()) };
        let taken = victim.or_else(|| self.is_en_passant(m).then_some(Piece::Pawn));
        let (taken, gained) = (
            taken.map(|piece| SEE_VALUES[piece as usize]),
            m.promotion().map(|p| SEE_VALUES[p as usize] - SEE_VALUES[0]),
        );
        if taken.is_none() && gained.is_none() { None } else { Some(taken.unwrap_or(0) + gained.unwrap_or(0)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::perft;
    use emtee::{Budget, OwnEvaluation, laws, legal_moves, player};

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    const THIRD: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

    fn board(fen: &str) -> Board {
        fen.parse().unwrap()
    }

    #[test]
    fn perft_counts_are_right() {
        for (fen, counts) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[20, 400, 8902, 197_281, 4_865_609][..]),
            (KIWIPETE, &[48, 2039, 97_862, 4_085_603]),
            (THIRD, &[14, 191, 2812, 43_238, 674_624]),
        ] {
            for (depth, &count) in (1..).zip(counts) {
                assert_eq!(perft(&board(fen), depth), count, "{fen} at depth {depth}");
                assert_eq!(board(fen).perft(depth), count, "{fen} at depth {depth}, the last ply in bulk");
            }
        }
    }

    #[test]
    fn the_laws_of_games_hold() {
        for fen in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", KIWIPETE, THIRD] {
            laws::check(&board(fen), &OwnEvaluation, 40, 1).unwrap();
        }
    }

    #[test]
    fn all_algorithms_agree() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "2r2qk1/r2n1pp1/p3N2p/2pp4/8/Q3P3/PP2BPPP/2R2RK1 b - - 0 19",
            THIRD,
        ] {
            laws::agree(&board(fen), &OwnEvaluation, 3).unwrap();
        }
        laws::agree(&board(KIWIPETE), &OwnEvaluation, 2).unwrap();
    }

    #[test]
    fn only_a_possible_en_passant_capture_is_in_the_key() {
        let key = |fen| board(fen).key();
        // No capture is possible: the square is not in the key.
        assert_eq!(key("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"), key("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"));
        // A pawn can capture.
        assert_ne!(key("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), key("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1"));
        // The pawn that could capture is pinned.
        assert_eq!(key("8/8/8/8/k2pP2Q/8/8/4K3 b - e3 0 1"), key("8/8/8/8/k2pP2Q/8/8/4K3 b - - 0 1"));
    }

    #[test]
    fn keys_are_kept_up_to_date() {
        let mut random = 3;
        for fen in [KIWIPETE, THIRD] {
            let mut board = board(fen);
            for _ in 0..200 {
                let moves = legal_moves(&board);
                let Some(&m) = moves.get((mix(random) % moves.len().max(1) as u64) as usize) else { break };
                random += 1;
                board = board.play(m);
                assert_eq!(board.key(), board.to_string().parse::<Board>().unwrap().key());
            }
        }
    }

    #[test]
    fn mate_is_lost_and_stalemate_drawn() {
        let mated = board("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
        assert!(legal_moves(&mated).is_empty());
        assert_eq!(mated.stuck(), Outcome::Lost);
        let stalemate = board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        assert!(legal_moves(&stalemate).is_empty());
        assert_eq!(stalemate.stuck(), Outcome::Drawn);
    }

    #[test]
    fn mates_are_found() {
        for (fen, depth, value) in [
            ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1, "win in 1"),
            ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3, "win in 3"),
        ] {
            let found = player(OwnEvaluation).build().unwrap().think(&board(fen), Budget::depth(depth)).unwrap();
            assert_eq!(found.value.unwrap().to_string(), value, "{fen}");
        }
    }

    #[test]
    fn many_queens_do_not_explode_quiescence_search() {
        for fen in [
            "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
            "k2q1q2/q2q4/1q1q1q1q/2q5/5Q2/Q1Q1Q1Q1/4Q2Q/2Q1Q2K w - - 0 1",
            "r1n1n1b1/1P1P1P1P/1N1N1N2/2RnQrRq/2pKp3/3BNQbQ/k7/4Bq2 w - - 0 1",
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        ] {
            let found = player(OwnEvaluation).build().unwrap().think(&board(fen), Budget::depth(1)).unwrap();
            assert!(found.counts.quiet_nodes < 100_000, "{fen}: {:?}", found.counts);
            laws::check(&board(fen), &OwnEvaluation, 2, 1).unwrap();
        }
    }

    #[test]
    fn the_mirror_of_the_mirror_is_the_position() {
        for fen in [KIWIPETE, THIRD, "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"] {
            assert_ne!(board(fen).mirrored(), board(fen));
            assert_eq!(board(fen).mirrored().mirrored(), board(fen));
        }
    }

    #[test]
    fn positions_and_moves_are_small() {
        assert_eq!((size_of::<Board>(), size_of::<Move>()), (104, 2));
    }
}
