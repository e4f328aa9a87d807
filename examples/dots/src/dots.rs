use emtee::{Game, Moves, Outcome, Side};

/// Boxes in a row, and in a column.
const SIZE: usize = 3;

/// Edges that lie, then edges that stand, each row by row.
const EDGES: u8 = 24;

/// What a box is worth: more than one, so that an evaluation has room for finer judgements.
const BOX: i32 = 10;

/// A position: which edges are drawn, one bit each, and who is ahead.
#[derive(Clone, Debug, Default, Hash)]
pub struct Dots {
    pub edges: u32,
    /// How many boxes the side to move is ahead.
    pub lead: i8,
    pub turn: Side,
}

/// The four edges of a box.
fn edges_of(at: usize) -> u32 {
    let standing = SIZE * (SIZE + 1) + at / SIZE * (SIZE + 1) + at % SIZE;
    1 << at | 1 << (at + SIZE) | 1 << standing | 1 << (standing + 1)
}

impl Dots {
    pub fn is_drawn(&self, edge: u8) -> bool {
        self.edges >> edge & 1 == 1
    }

    /// How many boxes have exactly so many edges.
    fn boxes_with(&self, edges: u32) -> i32 {
        (0..SIZE * SIZE).filter(|&at| (edges_of(at) & self.edges).count_ones() == edges).count() as i32
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
        let made = next.boxes_with(4) - self.boxes_with(4);
        if made > 0 {
            next.lead += made as i8; // And the same side moves again.
        } else {
            next.lead = -self.lead; // The other side sees it the other way round.
            next.turn = !self.turn;
        }
        next
    }

    /// For the side to move.
    fn outcome(&self) -> Option<Outcome> {
        (self.edges.count_ones() == u32::from(EDGES)).then_some(Outcome::Points(BOX * i32::from(self.lead)))
    }

    /// The boxes so far.
    fn evaluate(&self) -> i32 {
        BOX * i32::from(self.lead)
    }
}
