//! Dots and Boxes with strictly alternating turns, because in `minimax` a player cannot move twice in a row.

use emtee::{Game, Moves, Outcome, Side};

use crate::first_game::FirstGame;

/// The number of boxes in a row and in a column.
const SIZE: usize = 4;
/// The number of edges. Horizontal edges come first, then vertical ones.
const EDGES: u8 = 2 * (SIZE * (SIZE + 1)) as u8;

/// The four edges of each box.
const BOXES: [u64; SIZE * SIZE] = {
    let mut boxes = [0; SIZE * SIZE];
    let mut index = 0;
    while index < SIZE * SIZE {
        let (row, column) = (index / SIZE, index % SIZE);
        let vertical = SIZE * (SIZE + 1) + row * (SIZE + 1) + column;
        boxes[index] = 1 << index | 1 << (index + SIZE) | 1 << vertical | 1 << (vertical + 1);
        index += 1;
    }
    boxes
};

/// A position. The player who draws the fourth edge of a box owns it; the player with more boxes wins.
#[derive(Clone, Debug, PartialEq, Hash, Default)]
pub(crate) struct Dots {
    edges: u64,
    /// The boxes of the side to move minus those of the other side.
    ahead: i8,
    turn: Side,
}

impl Dots {
    /// The position after these edges are drawn.
    fn after(drawn: &[u8]) -> Dots {
        drawn.iter().fold(Dots::default(), |dots, &edge| dots.play(edge))
    }
}

/// Positions with boxes to take now and more to compete for, as lists of edges: one constructed, the others after twelve to
/// fifteen random moves.
const POSITIONS: [&[u8]; 5] = [
    &[0, 5, 11, 14, 17, 22, 26, 30, 33, 38, 2, 8, 20, 35, 12, 24],
    &[7, 20, 32, 37, 6, 14, 26, 31, 28, 39, 0, 19],
    &[5, 7, 18, 6, 28, 0, 31, 20, 13, 12, 8, 11, 35],
    &[24, 32, 4, 21, 5, 34, 18, 33, 29, 37, 28, 20, 22, 27],
    &[36, 19, 1, 23, 39, 29, 27, 5, 25, 28, 18, 17, 15, 3, 13],
];

impl Game for Dots {
    type Move = u8;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<u8>) {
        self.list(|edge| moves.push(edge));
    }

    fn play(&self, edge: u8) -> Dots {
        let edges = self.edges | 1 << edge;
        let made = BOXES.iter().filter(|&four| four >> edge & 1 == 1 && four & edges == *four).count();
        Dots { edges, ahead: -(self.ahead + made as i8), turn: !self.turn }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.edges.count_ones() == u32::from(EDGES)).then_some(match self.ahead {
            1.. => Outcome::Won,
            0 => Outcome::Drawn,
            _ => Outcome::Lost,
        })
    }

    /// Ten points per box, and three for each box that the side to move can complete.
    fn evaluate(&self) -> i32 {
        let completable = BOXES.iter().filter(|&four| (four & self.edges).count_ones() == 3).count();
        10 * i32::from(self.ahead) + 3 * completable as i32
    }
}

impl FirstGame for Dots {
    const NAME: &str = "dots";
    const TITLE: &str = "Dots and Boxes";
    const DEPTHS: &[u8] = &[6, 7, 8, 9, 10];

    fn positions() -> Vec<Dots> {
        POSITIONS.map(Dots::after).into()
    }

    fn list(&self, push: impl FnMut(u8)) {
        (0..EDGES).filter(|edge| self.edges >> edge & 1 == 0).for_each(push);
    }

    fn hash_for_minimax(&self) -> u64 {
        // The side to move follows from the edges.
        emtee::mix(self.edges | (self.ahead as u8 as u64) << EDGES)
    }

    fn index(edge: u8) -> u16 {
        edge.into()
    }

    const INDICES: u16 = EDGES as u16;
}
