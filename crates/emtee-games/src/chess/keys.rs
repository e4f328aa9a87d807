//! The key of the position after a move, without making the move.
//!
//! The rules crate does not export its Zobrist keys. They are recovered from the keys of positions that differ in one
//! piece.

use std::sync::LazyLock;

use cozy_chess as cozy;
use cozy_chess::{Color, Piece, Rank, Square};

use super::Board;
use super::moves::Move;

static ZOBRIST: LazyLock<Zobrist> = LazyLock::new(Zobrist::recover);

/// The Zobrist keys of the pieces and of the side to move. Those of kings all contain the same constant, which cancels
/// out because each side always has one king.
struct Zobrist {
    pieces: [[[u64; Square::NUM]; Piece::NUM]; Color::NUM],
    turn: u64,
}

impl Zobrist {
    fn recover() -> Zobrist {
        let mut pieces = [[[0; Square::NUM]; Piece::NUM]; Color::NUM];
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in Square::ALL {
                    pieces[color as usize][piece as usize][square as usize] = piece_key(color, piece, square);
                }
            }
        }
        let kings = [(Color::White, Piece::King, Square::A1), (Color::Black, Piece::King, Square::H8)];
        let turn = Color::ALL.iter().filter_map(|&turn| key(&kings, turn)).fold(0, |turn, key| turn ^ key);
        Zobrist { pieces, turn }
    }
}

/// The Zobrist key of a piece on a square; 0 for pawns on the first and last rank.
fn piece_key(color: Color, piece: Piece, square: Square) -> u64 {
    let difference = |own: Square, other: Square, turn: Color| {
        let kings = [(color, Piece::King, own), (!color, Piece::King, other)];
        let added = (color, piece, square);
        let with = if piece == Piece::King { [added, kings[1], added] } else { [kings[0], kings[1], added] };
        let free = square != other && (piece == Piece::King || square != own);
        if free { Some(key(&kings, turn)? ^ key(&with, turn)?) } else { None }
    };
    let own = if piece == Piece::King || square != Square::A1 { Square::A1 } else { Square::C2 };
    // Try squares for the other king until the position is legal: that king must not be attacked.
    let others = || Square::ALL.into_iter().rev().flat_map(|other| Color::ALL.map(|turn| (other, turn)));
    others().find_map(|(other, turn)| difference(own, other, turn)).unwrap_or(0)
}

/// The key of the position with these pieces. `None` if it is illegal.
fn key(pieces: &[(Color, Piece, Square)], turn: Color) -> Option<u64> {
    let mut builder = cozy::BoardBuilder::empty();
    for &(color, piece, square) in pieces {
        *builder.square_mut(square) = Some((piece, color));
    }
    builder.side_to_move = turn;
    builder.build().ok().map(|board| board.hash_without_ep())
}

/// The key after a quiet move or a capture. `None` for castling, moves that end castling rights, double pawn steps, en
/// passant and promotions.
#[inline]
pub(super) fn after(board: &Board, m: Move) -> Option<u64> {
    let (rules, from, to) = (&board.rules, m.from(), m.to());
    let (side, piece) = (rules.side_to_move(), rules.piece_on(from)?);
    let may_castle = |color: Color| {
        let rights = rules.castle_rights(color);
        rights.short.is_some() || rights.long.is_some()
    };
    let special = match piece {
        Piece::Pawn => {
            let last = Rank::Eighth.relative_to(side);
            let double = from.rank() == Rank::Second.relative_to(side) && to.rank() == Rank::Fourth.relative_to(side);
            double || to.rank() == last || board.is_en_passant(m)
        }
        Piece::King | Piece::Rook => may_castle(side),
        _ => false,
    };
    if special {
        return None;
    }
    let zobrist = &*ZOBRIST;
    let own = &zobrist.pieces[side as usize][piece as usize];
    let mut key = rules.hash_without_ep() ^ zobrist.turn ^ own[from as usize] ^ own[to as usize];
    if rules.colors(!side).has(to) {
        let taken = rules.piece_on(to)?;
        if taken == Piece::Rook && may_castle(!side) {
            return None;
        }
        key ^= zobrist.pieces[!side as usize][taken as usize][to as usize];
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use emtee::{Game, legal_moves, mix};

    use super::*;

    #[test]
    fn it_is_the_key_of_the_position_after_the_move() {
        let (mut known, mut all, mut random) = (0, 0, 1);
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            for _ in 0..20 {
                let mut board: Board = fen.parse().unwrap();
                for _ in 0..60 {
                    let moves = legal_moves(&board);
                    for &m in &moves {
                        all += 1;
                        if let Some(key) = board.key_after(m) {
                            known += 1;
                            assert_eq!(key, board.play(m).key(), "{board} {m}");
                        }
                    }
                    let Some(&m) = moves.get((mix(random) % moves.len().max(1) as u64) as usize) else { break };
                    random += 1;
                    board = board.play(m);
                }
            }
        }
        assert!(known * 4 > all * 3, "{known} of {all}");
    }
}
