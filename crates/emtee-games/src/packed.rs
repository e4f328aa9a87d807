//! Positions packed into 24 bytes, for large files of training positions.

use emtee::{Game, Side};

/// The size of a packed board in bytes.
pub const PACKED: usize = 24;

/// A game whose boards fit into 24 bytes. The side to move is stored elsewhere; move counters and the halfmove clock are
/// not stored.
pub trait Packed: Game {
    /// The packed board; `None` if it has more pieces than the start position.
    fn packed(&self) -> Option<[u8; PACKED]>;

    /// The position that was packed into these bytes; `None` if they do not encode one.
    fn unpacked(board: &[u8; PACKED], turn: Side) -> Option<Self>;

    /// Whether the position is quiet enough for a static evaluation. `best` is the move that a search would play.
    fn is_quiet(&self, best: Self::Move) -> bool;
}

/// Words as bytes, lowest first, padded with zeros.
pub(crate) fn pack_words<const N: usize>(words: impl IntoIterator<Item = [u8; N]>) -> [u8; PACKED] {
    let mut bytes = [0; PACKED];
    for (to, from) in bytes.chunks_exact_mut(N).zip(words) {
        to.copy_from_slice(&from);
    }
    bytes
}

/// Word number `index` of a board that [`pack_words`] packed.
pub(crate) fn word<const N: usize>(board: &[u8; PACKED], index: usize) -> [u8; N] {
    let mut word = [0; N];
    word.copy_from_slice(&board[index * N..][..N]);
    word
}

/// Checks along a random game that every position unpacks to the same text and key.
#[cfg(test)]
pub(crate) fn check_round_trip<G: Packed + std::fmt::Display>(
    start: G,
    seed: u64,
    plies: u64,
    text: impl Fn(&G) -> String,
) {
    let mut board = start;
    for ply in 0..plies {
        let bytes = board.packed().expect("a position of a game");
        let again = G::unpacked(&bytes, board.turn()).expect("the bytes of a position");
        assert_eq!((text(&again), again.key()), (text(&board), board.key()), "{board}");
        let moves = emtee::legal_moves(&board);
        let Some(&m) = moves.get((emtee::mix(seed + ply) % moves.len().max(1) as u64) as usize) else { break };
        board = board.play(m);
    }
}
