//! Connect Four for solving: forced results end the game early, and losing moves are not listed.
//!
//! The values are those of [`Board`], but the tree is smaller:
//!
//! * A side that can complete four has won, without playing the move.
//! * A side that cannot prevent the other side from completing four with its next stone has lost.
//! * A move that lets the other side complete four at once is not listed.
//! * A game that neither side can win is drawn.
//!
//! The game ends with points: a win scores the number of stones the winner has left plus one, so that a faster win scores
//! more; a loss scores the negative of that, a draw 0. Points do not age, and the number of plies left follows from the
//! position. So a table entry is valid wherever its position occurs.

use emtee::{Game, MoveOrdering, Moves, Outcome, Side, Tuning};

use super::{BOTTOM, Board, Column, FULL, ORDER, bit, completions, has_four};

/// A position of Connect Four whose game ends as soon as its result is forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Solving {
    board: Board,
}

/// The points of the fastest possible win, with the winner's fourth stone.
pub const MOST_POINTS: i32 = 18;

/// The number of plies of the longest game.
const CELLS: u32 = 42;

impl Solving {
    /// The position as a solver sees it; `None` if the game is over.
    pub fn new(board: &Board) -> Option<Solving> {
        board.outcome().is_none().then_some(Solving { board: *board })
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The largest number of plies left.
    pub fn plies_left(&self) -> u32 {
        CELLS - self.stones()
    }

    fn stones(&self) -> u32 {
        self.board.all.count_ones()
    }

    /// The points if the side that plays after `plies` more plies wins with that stone.
    fn points(&self, plies: u32) -> i32 {
        // The winner's stones after that move.
        let played = (self.stones() + plies) / 2 + 1;
        (CELLS / 2 + 1 - played) as i32
    }

    /// The number of plies to the end of a game that scores `points` for the side to move; `None` for a draw.
    pub fn distance(&self, points: i32) -> Option<u32> {
        let stones = self.stones();
        // The winner's stones after its last move.
        let played = CELLS / 2 + 1 - points.unsigned_abs();
        let first_wins = (self.board.turn() == Side::First) == (points > 0);
        let end = if first_wins { 2 * played - 1 } else { 2 * played };
        (points != 0).then(|| end.saturating_sub(stones))
    }

    /// The playable cells that do not lose at once.
    #[inline(always)]
    fn safe(&self) -> u64 {
        let open = (self.board.all + BOTTOM) & FULL;
        let theirs = completions(self.board.other()) & FULL;
        let blocks = theirs & open;
        let forced = if blocks == 0 { open } else { blocks };
        // Two threats cannot both be blocked.
        if forced & (forced - 1) != 0 && blocks != 0 {
            return 0;
        }
        forced & !(theirs >> 1)
    }
}

impl Game for Solving {
    type Move = Column;

    const TUNING: Tuning = Tuning { ordering: MoveOrdering::HINTS, ..Tuning::DEFAULT };

    #[inline(always)]
    fn turn(&self) -> Side {
        self.board.turn
    }

    #[inline]
    fn moves(&self, moves: &mut Moves<Column>) {
        let empty = FULL ^ self.board.all;
        let safe = self.safe();
        for column in ORDER {
            let cell = safe & (bit(u32::from(column), 0) * 0x7f);
            if cell != 0 {
                // The number of cells that would then complete four.
                let threats = completions(self.board.own | cell) & (empty ^ cell);
                moves.push_hinted(Column(column), threats.count_ones() as i16);
            }
        }
    }

    #[inline(always)]
    fn play(&self, column: Column) -> Solving {
        Solving { board: self.board.play(column) }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let Board { own, all, .. } = self.board;
        let open = (all + BOTTOM) & FULL;
        if completions(own) & open != 0 {
            return Some(Outcome::Points(self.points(0)));
        }
        let empty = FULL ^ all;
        if empty == 0 || !has_four(own | empty) && !has_four(self.board.other() | empty) {
            return Some(Outcome::Drawn);
        }
        (self.safe() == 0).then(|| Outcome::Points(-self.points(1)))
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.board.key()
    }

    #[inline(always)]
    fn code(&self, column: Column, index: usize) -> u16 {
        self.board.code(column, index)
    }
}

#[cfg(test)]
mod tests {
    use emtee::{Budget, OwnEvaluation, Value, laws, player};

    use super::*;
    use crate::testing::random_games;

    #[test]
    fn laws() {
        laws::check(&Solving::new(&Board::default()).unwrap(), &OwnEvaluation, 100, 1).unwrap();
    }

    /// A search of [`Board`] to the end of the game finds the same value and the same distance.
    #[test]
    fn late_positions_have_their_minimax_values() {
        let mut solved = [0; 3];
        random_games(&Board::default(), 400, 5, |board| {
            let Some(start) = Solving::new(board) else { return };
            if start.plies_left() > 13 {
                return;
            }
            let mut plain = player(OwnEvaluation).hash("1MB").build().unwrap();
            let value = plain.think(board, Budget::UNLIMITED).unwrap().value.unwrap();
            let mut solver = player(|_: &Solving| 0).hash("1MB").store_leaves(false).etc(4).build().unwrap();
            let points = solver.think(&start, Budget::depth(start.plies_left() as u8)).unwrap().value.unwrap().get();
            let distance = start.distance(points);
            match points.signum() {
                1 => assert_eq!(Some(value), distance.map(Value::win_in), "{board}"),
                0 => assert_eq!((value.get(), distance), (0, None), "{board}"),
                _ => assert_eq!(Some(value), distance.map(Value::loss_in), "{board}"),
            }
            solved[(points.signum() + 1) as usize] += 1;
        });
        assert!(solved.iter().all(|&count| count > 10), "{solved:?}");
    }
}
