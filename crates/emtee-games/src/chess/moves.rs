//! Moves, and the lists of them that a search asks for.

use std::fmt;

use cozy_chess as cozy;
use cozy_chess::{BitBoard, Color, File, Piece, PieceMoves, Rank, Square};
use emtee::Moves;

use super::board::Board;
use super::exchange::exchange;
use super::order;

/// A move, in 16 bits. `{}` is UCI, with castling as the king's step (`e1g1`); `{:#}` writes castling as king takes rook
/// (`e1h1`), as UCI has it for Chess960.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

const TO_SHIFT: u32 = 6;
const PROMOTION_SHIFT: u32 = 12;
const CASTLE: u16 = 1 << 15;

impl Move {
    /// From, to, what a pawn becomes, and whether it is castling.
    #[inline(always)]
    pub(super) const fn new(from: Square, to: Square, promotion: Option<Piece>, castle: bool) -> Move {
        let promotion = match promotion {
            Some(piece) => piece as u16,
            None => 0, // No pawn becomes a pawn.
        };
        let castle = if castle { CASTLE } else { 0 };
        Move(from as u16 | (to as u16) << TO_SHIFT | promotion << PROMOTION_SHIFT | castle)
    }

    /// Where it starts.
    #[inline(always)]
    pub(super) fn from(self) -> Square {
        Square::index(usize::from(self.0 & 63))
    }

    /// Where it ends. For castling the rook's square, as in the rules crate.
    #[inline(always)]
    pub(super) fn to(self) -> Square {
        Square::index(usize::from(self.0 >> TO_SHIFT & 63))
    }

    /// What a pawn becomes.
    #[inline(always)]
    pub(super) fn promotion(self) -> Option<Piece> {
        match self.0 >> PROMOTION_SHIFT & 7 {
            0 => None,
            piece => Some(Piece::index(usize::from(piece))),
        }
    }

    /// Whether a pawn becomes another piece.
    #[inline(always)]
    pub fn is_promotion(self) -> bool {
        self.0 >> PROMOTION_SHIFT & 7 != 0
    }

    /// Whether king and rook move together.
    #[inline(always)]
    pub fn is_castling(self) -> bool {
        self.0 & CASTLE != 0
    }

    /// 16 bits that name the move in any position.
    #[inline(always)]
    pub const fn code(self) -> u16 {
        self.0
    }

    /// The move with this code, legal or not. Nothing if no move has it.
    #[inline(always)]
    pub(super) fn from_code(code: u16) -> Option<Move> {
        (code >> PROMOTION_SHIFT & 7 <= Piece::Queen as u16).then_some(Move(code))
    }

    #[inline(always)]
    pub(super) fn to_rules(self) -> cozy::Move {
        cozy::Move { from: self.from(), to: self.to(), promotion: self.promotion() }
    }

    /// Where the king ends up when castling.
    pub(super) fn king_lands_on(self) -> Square {
        let file = if self.from().file() < self.to().file() { File::G } else { File::C };
        Square::new(file, self.from().rank())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to = if self.is_castling() && !f.alternate() { self.king_lands_on() } else { self.to() };
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

/// Queens first: whoever wants something else, rarely does.
pub(super) const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Knight, Piece::Rook, Piece::Bishop];

pub(super) const LAST_RANKS: BitBoard = BitBoard(Rank::First.bitboard().0 | Rank::Eighth.bitboard().0);

/// All legal moves, with hints.
#[inline(always)]
pub(super) fn list_all(board: &Board, list: &mut Moves<Move>) {
    let rules = &board.rules;
    let side = rules.side_to_move();
    let (ours, theirs) = (rules.colors(side), rules.colors(!side));
    let en_passant = board.en_passant_square().map_or(BitBoard::EMPTY, Square::bitboard);
    let danger = order::Danger::new(board);
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
            let danger = danger.to(piece);
            let threatened = i16::from(danger.has(from));
            for square in to & !theirs {
                let hint = threatened - i16::from(danger.has(square));
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

/// Captures and promotions to a queen that do not lose material; with many queens only captures that win some. Whether there
/// are any.
#[inline(always)]
pub(super) fn list_loud(board: &Board, list: &mut Moves<Move>) -> bool {
    let rules = &board.rules;
    let side = rules.side_to_move();
    let theirs = rules.colors(!side);
    let en_passant = board.en_passant_square().map_or(BitBoard::EMPTY, Square::bitboard);
    // A king's moves and a pawn's steps cost much to list and are rarely captures: only those that may be are asked for.
    let pawns = rules.colored_pieces(side, Piece::Pawn);
    let king = rules.king(side);
    let mut asked = rules.colors(side) & !pawns & !king.bitboard();
    asked |= pawns & (pawn_sources(theirs | en_passant, side) | Rank::Seventh.relative_to(side).bitboard());
    if !(cozy::get_king_moves(king) & theirs).is_empty() {
        asked |= king.bitboard();
    }
    let crowded = is_crowded(board);
    let before = list.len();
    rules.generate_moves_for(asked, |PieceMoves { piece, from, to }| {
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
                if hint > 0 && (!crowded || exchange(board, m) > 0) {
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

/// Whether there are so many queens that trades and checks could go on and on, in any order.
#[inline(always)]
pub(super) fn is_crowded(board: &Board) -> bool {
    board.rules.pieces(Piece::Queen).len() > 3
}
