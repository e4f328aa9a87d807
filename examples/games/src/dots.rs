//! Dots and Boxes with 4×4 boxes. The side that draws the fourth edge of a box gets it and moves again. `examples/dots` is the
//! same game with 3×3 boxes, as in the tutorial.

use std::fmt;
use std::str::FromStr;

use emtee::{Game, Moves, Outcome, Side};
use emtee_learn::Features;

/// Boxes per row and per column.
const SIZE: usize = 4;

/// The rows and columns of the drawing: dots, edges and boxes.
const WIDTH: usize = 2 * SIZE + 1;

/// The number of edges.
const EDGES: usize = 2 * SIZE * (SIZE + 1);

/// The value of a box: more than one, so that an evaluation can be finer than a box.
const BOX: i32 = 10;

/// A position: the edges drawn, one bit each, the lead of the side to move in boxes, and that side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    edges: u64,
    lead: i8,
    turn: Side,
}

/// The number of an edge: row by row of the drawing, in which rows of horizontal and of vertical edges alternate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge(pub u8);

impl Edge {
    /// The cell of the drawing: each row of the drawing has an edge in every other cell.
    fn cell(self) -> usize {
        2 * usize::from(self.0) + 1
    }
}

/// The edges of a box.
fn edges_of(index: usize) -> u64 {
    let centre = (2 * (index / SIZE) + 1) * WIDTH + 2 * (index % SIZE) + 1;
    [centre - WIDTH, centre - 1, centre + 1, centre + WIDTH].into_iter().map(|cell| 1 << (cell / 2)).sum()
}

impl Board {
    fn is_drawn(&self, edge: Edge) -> bool {
        self.edges >> edge.0 & 1 == 1
    }

    /// The number of edges drawn around a box.
    fn drawn_around(&self, index: usize) -> u32 {
        (edges_of(index) & self.edges).count_ones()
    }

    /// The number of boxes with all four edges.
    fn completed(&self) -> i8 {
        (0..SIZE * SIZE).filter(|&index| self.drawn_around(index) == 4).count() as i8
    }

    /// What `emtee learn` sees: the edges, and the number of edges around each box.
    pub fn features(&self, f: &mut Features) {
        f.board(WIDTH, WIDTH);
        (0..EDGES as u8).map(Edge).filter(|&edge| self.is_drawn(edge)).for_each(|edge| f.mark(edge.cell(), 0));
        f.count(0, self.turn, self.lead.into());
        for index in 0..SIZE * SIZE {
            let drawn = self.drawn_around(index);
            let cell = (2 * (index / SIZE) + 1) * WIDTH + 2 * (index % SIZE) + 1;
            if drawn > 1 {
                f.mark(cell, drawn as u8 - 2);
            }
            f.count(1, self.turn, i32::from(drawn == 3));
        }
    }
}

impl Game for Board {
    type Move = Edge;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<Edge>) {
        (0..EDGES as u8).map(Edge).filter(|&edge| !self.is_drawn(edge)).for_each(|edge| moves.push(edge));
    }

    fn play(&self, edge: Edge) -> Board {
        let mut next = Board { edges: self.edges | 1 << edge.0, ..self.clone() };
        let completed = next.completed() - self.completed();
        if completed > 0 {
            next.lead += completed; // The same side moves again.
        } else {
            next.lead = -self.lead; // The lead is that of the side to move.
            next.turn = !self.turn;
        }
        next
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.edges.count_ones() as usize == EDGES).then_some(Outcome::Points(BOX * i32::from(self.lead)))
    }

    /// The boxes so far.
    fn evaluate(&self) -> i32 {
        BOX * i32::from(self.lead)
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The edges as x and -, the lead of the side to move, and that side, a or b. `{:#}` draws the board, with the numbers of the
/// free edges.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = if self.turn == Side::First { 'a' } else { 'b' };
        if !f.alternate() {
            let edges = (0..EDGES as u8).map(|edge| if self.is_drawn(Edge(edge)) { 'x' } else { '-' });
            return write!(f, "{} {} {side}", edges.collect::<String>(), self.lead);
        }
        for cell in 0..WIDTH * WIDTH {
            let (row, column) = (cell / WIDTH, cell % WIDTH);
            let edge = Edge((cell / 2) as u8);
            match (row % 2, column % 2) {
                (0, 0) => write!(f, " + ")?,
                (1, 1) => write!(f, "   ")?,
                _ if !self.is_drawn(edge) => write!(f, "{edge:>2} ", edge = edge.0)?,
                (0, _) => write!(f, "---")?,
                _ => write!(f, " | ")?,
            }
            if column == WIDTH - 1 {
                writeln!(f)?;
            }
        }
        write!(f, "{side} to move, {:+} boxes", self.lead)
    }
}

impl FromStr for Board {
    type Err = String;

    fn from_str(text: &str) -> Result<Board, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [drawn, lead, side] = words[..] else { return Err("write the edges, the lead and the side".into()) };
        if drawn.len() != EDGES || !drawn.bytes().all(|edge| b"x-".contains(&edge)) {
            return Err(format!("the edges are {EDGES} of x and -, not '{drawn}'"));
        }
        let edges = drawn.bytes().enumerate().map(|(i, edge)| u64::from(edge == b'x') << i).sum();
        let lead = lead.parse().map_err(|_| format!("the lead is a number of boxes, not '{lead}'"))?;
        let turn = match side {
            "a" => Side::First,
            "b" => Side::Second,
            _ => return Err(format!("the side is a or b, not '{side}'")),
        };
        let board = Board { edges, lead, turn };
        if i32::from(lead).abs() > i32::from(board.completed()) || (lead - board.completed()) % 2 != 0 {
            return Err(format!("a lead of {lead} is not possible with {} boxes", board.completed()));
        }
        Ok(board)
    }
}
