//! Connect Four as a solver sees it: only what can still matter is a move.
//!
//! The rules are those of [`Board`], told so that MT has less to look at:
//!
//! * a side that can complete four has won, without playing it;
//! * a side has lost that cannot stop the other from doing so with its next stone;
//! * a move that lets the other side complete four at once is no move;
//! * a game that neither side can win any more is drawn.
//!
//! The game ends with points: the stones that the winner has left, one more than that to be exact, so that a sooner win
//! is worth more, a loss as much less than nothing, and a draw nothing. Points do not age, and the plies that are left
//! follow from the position; so every entry of the table answers wherever its position occurs.

use emtee::{Game, MoveOrdering, Moves, Outcome, Side, Tuning};

use super::{BOTTOM, Board, Column, FULL, ORDER, bit, completions, has_four};

/// A position of Connect Four with the game's long way to its end cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Solving {
    board: Board,
}

/// The points of the soonest win there is: the winner's fourth stone.
pub const MOST_POINTS: i32 = 18;

/// The plies that a game lasts at most.
const CELLS: u32 = 42;

impl Solving {
    /// This position, unless its game is over.
    pub fn new(board: &Board) -> Option<Solving> {
        board.outcome().is_none().then_some(Solving { board: *board })
    }

    /// The position itself.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// How many plies are left at most.
    pub fn plies_left(&self) -> u32 {
        CELLS - self.stones()
    }

    fn stones(&self) -> u32 {
        self.board.all.count_ones()
    }

    /// The points for winning with the stone that the side to move plays after `plies` more of both.
    fn points(&self, plies: u32) -> i32 {
        // The winner's stones after that move, its last one included.
        let played = (self.stones() + plies) / 2 + 1;
        (CELLS / 2 + 1 - played) as i32
    }

    /// In how many plies a game ends that is worth so many points to the side to move; nothing if it is drawn.
    pub fn distance(&self, points: i32) -> Option<u32> {
        let stones = self.stones();
        // The stones on the board when the winner has made its last move.
        let played = CELLS / 2 + 1 - points.unsigned_abs();
        let first_wins = (self.board.turn() == Side::First) == (points > 0);
        let end = if first_wins { 2 * played - 1 } else { 2 * played };
        (points != 0).then(|| end.saturating_sub(stones))
    }

    /// The open cells that do not lose at once.
    #[inline(always)]
    fn safe(&self) -> u64 {
        let open = (self.board.all + BOTTOM) & FULL;
        let theirs = completions(self.board.other()) & FULL;
        let blocks = theirs & open;
        let forced = if blocks == 0 { open } else { blocks };
        // Two cells to fill are one too many.
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
                // How many cells would then complete four.
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
    fn it_keeps_the_laws() {
        laws::check(&Solving::new(&Board::default()).unwrap(), &OwnEvaluation, 100, 1).unwrap();
    }

    /// The search of the game itself, to its end, finds the same value and the same distance.
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
            let mut short = player(|_: &Solving| 0).hash("1MB").store_leaves(false).etc(4).build().unwrap();
            let points = short.think(&start, Budget::depth(start.plies_left() as u8)).unwrap().value.unwrap().get();
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
