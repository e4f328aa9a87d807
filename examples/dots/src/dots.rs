use emtee::{Game, Moves, Outcome, Side};

/// Boxes per row and per column.
const SIZE: usize = 3;

/// The number of edges: the horizontal ones first, then the vertical ones, each row by row.
const EDGES: u8 = 24;

/// The value of a box: more than one, so that an evaluation can be finer than a box.
const BOX: i32 = 10;

/// A position: the edges drawn, one bit each, the lead, and the side to move.
#[derive(Clone, Debug, Default, Hash)]
pub struct Dots {
    pub edges: u32,
    /// By how many boxes the side to move is ahead.
    pub lead: i8,
    pub turn: Side,
}

/// The four edges of a box.
fn edges_of(index: usize) -> u32 {
    let left = SIZE * (SIZE + 1) + index / SIZE * (SIZE + 1) + index % SIZE;
    1 << index | 1 << (index + SIZE) | 1 << left | 1 << (left + 1)
}

impl Dots {
    pub fn is_drawn(&self, edge: u8) -> bool {
        self.edges >> edge & 1 == 1
    }

    /// The number of boxes with exactly this many edges.
    fn boxes_with(&self, edges: u32) -> i32 {
        (0..SIZE * SIZE).filter(|&index| (edges_of(index) & self.edges).count_ones() == edges).count() as i32
    }
}

impl Game for Dots {
    type Move = u8;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<u8>) {
        (0..EDGES).filter(|&edge| !self.is_drawn(edge)).for_each(|edge| moves.push(edge));
    }

    fn play(&self, edge: u8) -> Dots {
        let mut next = Dots { edges: self.edges | 1 << edge, ..self.clone() };
        let completed = next.boxes_with(4) - self.boxes_with(4);
        if completed > 0 {
            next.lead += completed as i8; // The same side moves again.
        } else {
            next.lead = -self.lead; // The lead is that of the side to move.
            next.turn = !self.turn;
        }
        next
    }

    /// The result, from the point of view of the side to move.
    fn outcome(&self) -> Option<Outcome> {
        (self.edges.count_ones() == u32::from(EDGES)).then_some(Outcome::Points(BOX * i32::from(self.lead)))
    }

    /// The boxes so far.
    fn evaluate(&self) -> i32 {
        BOX * i32::from(self.lead)
    }
}
