//! Positions in few bytes, for files of many.

use emtee::{Game, Side};

/// The bytes of a board.
pub const PACKED: usize = 24;

/// A game whose boards fit into 24 bytes, whose turn it is aside. What counts moves without progress is left out.
pub trait Packed: Game {
    /// The board; nothing of one that has more pieces than a game begins with.
    fn packed(&self) -> Option<[u8; PACKED]>;

    /// The position that has this board; nothing if the bytes stand for none.
    fn unpacked(board: &[u8; PACKED], turn: Side) -> Option<Self>;

    /// Whether a static evaluation can do the position justice, `best` being the move that a search would play.
    fn is_quiet(&self, best: Self::Move) -> bool;
}

/// Whole words as bytes, the lowest first, and zeros behind them.
pub(crate) fn pack_words<const N: usize>(words: impl IntoIterator<Item = [u8; N]>) -> [u8; PACKED] {
    let mut bytes = [0; PACKED];
    for (to, from) in bytes.chunks_exact_mut(N).zip(words) {
        to.copy_from_slice(&from);
    }
    bytes
}

/// A word of a board that was packed so.
pub(crate) fn word<const N: usize>(board: &[u8; PACKED], at: usize) -> [u8; N] {
    let mut word = [0; N];
    word.copy_from_slice(&board[at * N..][..N]);
    word
}

/// Along a random game every position comes back from its bytes, as its text and its key.
#[cfg(test)]
pub(crate) fn come_back<G: Packed + std::fmt::Display>(start: G, seed: u64, plies: u64, text: impl Fn(&G) -> String) {
    let mut board = start;
    for ply in 0..plies {
        let bytes = board.packed().expect("a position of a game");
        let again = G::unpacked(&bytes, board.turn()).expect("it was a position");
        assert_eq!((text(&again), again.key()), (text(&board), board.key()), "{board}");
        let moves = emtee::legal_moves(&board);
        let Some(&m) = moves.get((emtee::mix(seed + ply) % moves.len().max(1) as u64) as usize) else { break };
        board = board.play(m);
    }
}
