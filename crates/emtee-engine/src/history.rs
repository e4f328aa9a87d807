//! The positions before a position in a game, and the moves between them.

use std::sync::Arc;

use emtee::Game;

/// The history of a game: a list that positions of one game share, so that playing a move copies nothing.
pub(crate) struct History<G: Game>(Option<Arc<Link<G>>>);

struct Link<G: Game> {
    position: G,
    m: G::Move,
    earlier: History<G>,
}

impl<G: Game> Default for History<G> {
    fn default() -> History<G> {
        History(None)
    }
}

impl<G: Game> Clone for History<G> {
    fn clone(&self) -> History<G> {
        History(self.0.clone())
    }
}

impl<G: Game> History<G> {
    /// This history, then a position and the move played in it.
    pub(crate) fn then(self, position: G, m: G::Move) -> History<G> {
        History(Some(Arc::new(Link { position, m, earlier: self })))
    }

    /// The positions and the moves played in them, latest first.
    pub(crate) fn latest_first(&self) -> impl Iterator<Item = (&G, G::Move)> {
        std::iter::successors(self.0.as_deref(), |link| link.earlier.0.as_deref()).map(|link| (&link.position, link.m))
    }

    /// The positions, oldest first.
    pub(crate) fn positions(&self) -> Vec<G> {
        let mut positions: Vec<G> = self.latest_first().map(|(position, _)| position.clone()).collect();
        positions.reverse();
        positions
    }

    /// The moves, oldest first.
    pub(crate) fn moves(&self) -> Vec<G::Move> {
        let mut moves: Vec<G::Move> = self.latest_first().map(|(_, m)| m).collect();
        moves.reverse();
        moves
    }
}

/// One link after the other: dropping them recursively would overflow the stack after a very long game.
impl<G: Game> Drop for History<G> {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.earlier.0.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use emtee::legal_moves;
    use emtee_games::kalah::Board;

    use super::*;

    #[test]
    fn positions_share_their_history() {
        let start = Board::default();
        let first = legal_moves(&start)[0];
        let common = History::default().then(start, first);
        let after = start.play(first);
        let both = legal_moves(&after).into_iter().map(|m| common.clone().then(after, m));
        for history in both {
            assert_eq!((history.positions().len(), history.moves().len()), (2, 2));
            assert_eq!(history.moves()[0], first);
        }
        assert_eq!(common.positions(), [start]);
    }

    #[test]
    fn a_long_history_is_dropped() {
        let start = Board::default();
        let m = legal_moves(&start)[0];
        let mut history = History::default();
        for _ in 0..500_000 {
            history = history.then(start, m);
        }
        drop(history);
    }
}
