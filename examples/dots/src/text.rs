use std::fmt;
use std::str::FromStr;

use emtee::Side;

use crate::dots::Dots;

/// The edges as x and -, the lead of the side to move, and that side, a or b. `{:#}` draws the board, with the
/// numbers of the free edges.
impl fmt::Display for Dots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = if self.turn == Side::First { 'a' } else { 'b' };
        if !f.alternate() {
            let edges: String = (0..24).map(|edge| if self.is_drawn(edge) { 'x' } else { '-' }).collect();
            return write!(f, "{edges} {} {side}", self.lead);
        }
        let text = |edge: u8, drawn: &str| if self.is_drawn(edge) { drawn.to_owned() } else { format!("{edge:>2}") };
        for row in 0..4 {
            let horizontal: String = (0..3).map(|i| format!("{} + ", text(3 * row + i, "--"))).collect();
            writeln!(f, " + {horizontal}")?;
            if row < 3 {
                let vertical: Vec<String> = (0..4).map(|i| text(12 + 4 * row + i, " |")).collect();
                writeln!(f, "{}", vertical.join("   "))?;
            }
        }
        write!(f, "{side} to move, {:+} boxes", self.lead)
    }
}

impl FromStr for Dots {
    type Err = String;

    fn from_str(text: &str) -> Result<Dots, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [drawn, lead, side] = words[..] else { return Err("write the edges, the lead and the side".into()) };
        if drawn.len() != 24 || !drawn.bytes().all(|edge| b"x-".contains(&edge)) {
            return Err(format!("the edges are 24 of x and -, not '{drawn}'"));
        }
        let edges = drawn.bytes().enumerate().map(|(i, edge)| u32::from(edge == b'x') << i).sum();
        let lead = lead.parse().map_err(|_| format!("the lead is a number of boxes, not '{lead}'"))?;
        let turn = match side {
            "a" => Side::First,
            "b" => Side::Second,
            _ => return Err(format!("the side is a or b, not '{side}'")),
        };
        Ok(Dots { edges, lead, turn })
    }
}
