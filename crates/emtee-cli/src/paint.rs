//! Boards in colour.
//!
//! Squares and pieces both set their colours, so that the board looks the same on dark and light terminals. The backgrounds
//! are of medium brightness: white and black pieces are both readable on them.

use anstyle::{Ansi256Color, Style};
use emtee_games::drawing::{Cell, Drawing, Ground, Ink};

use crate::output::{FAINT, HEADING};

/// The width of a cell in columns.
const WIDTH: usize = 3;

/// The board as several lines of coloured text.
pub(crate) fn paint(drawing: &Drawing) -> String {
    let names = |side: usize| drawing.rows.iter().map(|row| row.names[side].chars().count()).max().unwrap_or(0);
    let margin = names(0);
    let columns = |names: &[String]| {
        let names: String = names.iter().map(|name| centred(name)).collect();
        let line = format!("{:margin$} {names}", "");
        if names.is_empty() { String::new() } else { format!("{FAINT}{}{FAINT:#}\n", line.trim_end()) }
    };
    let mut text = columns(&drawing.columns[0]);
    for row in &drawing.rows {
        let [left, right] = &row.names;
        let cells: String = row.cells.iter().map(cell).collect();
        let right = if right.is_empty() { String::new() } else { format!(" {FAINT}{right}{FAINT:#}") };
        text += &format!("{FAINT}{left:>margin$}{FAINT:#} {cells}{right}\n");
    }
    text += &columns(&drawing.columns[1]);
    format!("{text}{HEADING}{}{HEADING:#}", drawing.caption)
}

fn cell(cell: &Cell) -> String {
    let style = style(cell);
    format!("{style}{}{style:#}", centred(&cell.text))
}

fn style(cell: &Cell) -> Style {
    let ground = match cell.ground {
        Ground::Bare => None,
        _ if cell.changed => Some(136),
        Ground::Light => Some(67),
        Ground::Dark => Some(60),
        Ground::Green => Some(29),
        Ground::Blue => Some(25),
        _ => Some(60),
    };
    let style = Style::new().bg_color(ground.map(|colour| Ansi256Color(colour).into()));
    let ink = match cell.ink {
        Ink::White => 231,
        Ink::Black => 16,
        Ink::Yellow => 227,
        _ => 152,
    };
    let style = if ground.is_some() { style.fg_color(Some(Ansi256Color(ink).into())) } else { style };
    if cell.ink == Ink::Faint { style } else { style.bold() }
}

fn centred(text: &str) -> String {
    let width = text.chars().count();
    let left = WIDTH.saturating_sub(width) / 2 + WIDTH.saturating_sub(width) % 2;
    let right = WIDTH.saturating_sub(width + left);
    format!("{:left$}{text}{:right$}", "", "")
}

#[cfg(test)]
mod tests {
    use emtee_games::drawing::Drawn;

    use super::*;

    /// The text without escape sequences.
    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn cells_line_up_with_the_coordinates() {
        let chess = plain(&paint(&emtee_games::chess::Board::default().drawing()));
        let lines: Vec<&str> = chess.lines().collect();
        assert_eq!(lines[0], "   a  b  c  d  e  f  g  h");
        assert_eq!(lines[1], "8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜  8");
        assert_eq!((lines.len(), lines[10]), (11, "White to move"));
        let checkers = plain(&paint(&emtee_games::checkers::Board::default().drawing()));
        assert_eq!(checkers.lines().nth(4), Some("17     17    18    19    20 20"));
    }

    #[test]
    fn changed_squares_are_highlighted() {
        use emtee::{Game, legal_moves};
        let start = emtee_games::connect4::Board::default();
        let after = start.play(legal_moves(&start)[0]).drawing().since(&start.drawing());
        let marked = paint(&after).matches("48;5;136").count();
        assert_eq!(marked, 1);
    }
}
