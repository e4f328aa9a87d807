//! Moves, and the move lists of a position.

use std::fmt;

use cozy_chess as cozy;
use cozy_chess::{BitBoard, Color, File, Piece, PieceMoves, Rank, Square};
use emtee::Moves;

use super::board::Board;
use super::order;
use super::see::see;

/// A move in 16 bits. `{}` is UCI notation, with castling as the move of the king (`e1g1`). `{:#}` writes castling as
/// king takes rook (`e1h1`), as UCI does in Chess960.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

const TO_SHIFT: u32 = 6;
const PROMOTION_SHIFT: u32 = 12;
const CASTLE: u16 = 1 << 15;

impl Move {
    /// A move with its squares, the piece that a pawn promotes to, and whether it is castling.
    #[inline(always)]
    pub(super) const fn new(from: Square, to: Square, promotion: Option<Piece>, castle: bool) -> Move {
        let promotion = match promotion {
            Some(piece) => piece as u16,
            None => 0, // A pawn cannot promote to a pawn.
        };
        let castle = if castle { CASTLE } else { 0 };
        Move(from as u16 | (to as u16) << TO_SHIFT | promotion << PROMOTION_SHIFT | castle)
    }

    /// The square it starts from.
    #[inline(always)]
    pub(super) fn from(self) -> Square {
        Square::index(usize::from(self.0 & 63))
    }

    /// The square it ends on. For castling the square of the rook, as in the rules crate.
    #[inline(always)]
    pub(super) fn to(self) -> Square {
        Square::index(usize::from(self.0 >> TO_SHIFT & 63))
    }

    /// The piece that a pawn promotes to.
    #[inline(always)]
    pub(super) fn promotion(self) -> Option<Piece> {
        match self.0 >> PROMOTION_SHIFT & 7 {
            0 => None,
            piece => Some(Piece::index(usize::from(piece))),
        }
    }

    /// Whether it is a promotion.
    #[inline(always)]
    pub fn is_promotion(self) -> bool {
        self.0 >> PROMOTION_SHIFT & 7 != 0
    }

    /// Whether it is castling.
    #[inline(always)]
    pub fn is_castling(self) -> bool {
        self.0 & CASTLE != 0
    }

    /// The code of the move: 16 bits, the same in every position.
    #[inline(always)]
    pub const fn code(self) -> u16 {
        self.0
    }

    /// The move with this code, legal or not. `None` if no move has this code.
    #[inline(always)]
    pub(super) fn from_code(code: u16) -> Option<Move> {
        (code >> PROMOTION_SHIFT & 7 <= Piece::Queen as u16).then_some(Move(code))
    }

    #[inline(always)]
    pub(super) fn to_rules(self) -> cozy::Move {
        cozy::Move { from: self.from(), to: self.to(), promotion: self.promotion() }
    }

    /// The square on which the king ends when castling.
    pub(super) fn king_target(self) -> Square {
        let file = if self.from().file() < self.to().file() { File::G } else { File::C };
        Square::new(file, self.from().rank())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to = if self.is_castling() && !f.alternate() { self.king_target() } else { self.to() };
        write!(f, "{}{to}", self.from())?;
        match self.promotion() {
            Some(piece) => write!(f, "{piece}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:#}")
    }
}

/// Queens first: underpromotions are rarely best.
pub(super) const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Knight, Piece::Rook, Piece::Bishop];

pub(super) const LAST_RANKS: BitBoard = BitBoard(Rank::First.bitboard().0 | Rank::Eighth.bitboard().0);

/// All legal moves, with ordering hints.
#[inline(always)]
pub(super) fn list_all(board: &Board, list: &mut Moves<Move>) {
    let rules = &board.rules;
    let side = rules.side_to_move();
    let (ours, theirs) = (rules.colors(side), rules.colors(!side));
    let en_passant = board.en_passant_square().map_or(BitBoard::EMPTY, Square::bitboard);
    let threats = order::Threats::new(board);
    rules.generate_moves(|PieceMoves { piece, from, to }| {
        if piece == Piece::Pawn {
            for square in to & (theirs | en_passant) & !LAST_RANKS {
                push_capture(board, piece, Move::new(from, square, None, false), list);
            }
            for square in to & LAST_RANKS {
                for promotion in PROMOTIONS {
                    let m = Move::new(from, square, Some(promotion), false);
                    list.push_hinted(m, order::promotion(board, m, promotion));
                }
            }
            for square in to & !(theirs | en_passant | LAST_RANKS) {
                list.push(Move::new(from, square, None, false));
            }
        } else {
            for square in to & theirs {
                push_capture(board, piece, Move::new(from, square, None, false), list);
            }
            let threatened = threats.against(piece);
            let leaves_threat = i16::from(threatened.has(from));
            for square in to & !theirs {
                let hint = leaves_threat - i16::from(threatened.has(square));
                list.push_hinted(Move::new(from, square, None, ours.has(square)), hint);
            }
        }
        false
    });
}

#[inline(always)]
fn push_capture(board: &Board, piece: Piece, m: Move, list: &mut Moves<Move>) {
    list.push_hinted(m, order::capture(board, piece, m));
}

/// Captures and queen promotions with SEE ≥ 0; with many queens only captures with SEE > 0. Returns whether there are
/// any.
#[inline(always)]
pub(super) fn list_noisy(board: &Board, list: &mut Moves<Move>) -> bool {
    let rules = &board.rules;
    let side = rules.side_to_move();
    let theirs = rules.colors(!side);
    let en_passant = board.en_passant_square().map_or(BitBoard::EMPTY, Square::bitboard);
    // Moves of the king and pawn pushes are slow to generate and rarely noisy: generate them only if they can be.
    let pawns = rules.colored_pieces(side, Piece::Pawn);
    let king = rules.king(side);
    let mut movers = rules.colors(side) & !pawns & !king.bitboard();
    movers |= pawns & (pawn_sources(theirs | en_passant, side) | Rank::Seventh.relative_to(side).bitboard());
    if !(cozy::get_king_moves(king) & theirs).is_empty() {
        movers |= king.bitboard();
    }
    let many_queens = has_many_queens(board);
    let before = list.len();
    rules.generate_moves_for(movers, |PieceMoves { piece, from, to }| {
        let is_pawn = piece == Piece::Pawn;
        let targets = if is_pawn { to & (theirs | en_passant | LAST_RANKS) } else { to & theirs };
        for square in targets {
            if is_pawn && LAST_RANKS.has(square) {
                let m = Move::new(from, square, Some(Piece::Queen), false);
                let hint = order::promotion(board, m, Piece::Queen);
                if hint > 0 {
                    list.push_hinted(m, hint);
                }
            } else {
                let m = Move::new(from, square, None, false);
                let hint = order::capture(board, piece, m);
                if hint > 0 && (!many_queens || see(board, m) > 0) {
                    list.push_hinted(m, hint);
                }
            }
        }
        false
    });
    list.len() > before
}

/// The squares from which pawns of a colour attack any of `targets`.
#[inline(always)]
pub(super) fn pawn_sources(targets: BitBoard, side: Color) -> BitBoard {
    const NOT_A: u64 = !File::A.bitboard().0;
    const NOT_H: u64 = !File::H.bitboard().0;
    let targets = targets.0;
    BitBoard(match side {
        Color::White => (targets & NOT_A) >> 9 | (targets & NOT_H) >> 7,
        Color::Black => (targets & NOT_H) << 9 | (targets & NOT_A) << 7,
    })
}

/// Whether there are more than three queens: too many captures and checks for quiescence search.
#[inline(always)]
pub(super) fn has_many_queens(board: &Board) -> bool {
    board.rules.pieces(Piece::Queen).len() > 3
}
