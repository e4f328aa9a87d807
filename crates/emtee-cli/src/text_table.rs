//! Tables that line up, and fit the terminal.

use anstyle::Style;

use crate::failure::Failure;
use crate::output::{FAINT, HEADING, Output};

/// A cell: its text, and how it is shown.
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    pub(crate) fn styled(text: impl Into<String>, style: Style) -> Cell {
        Cell { text: text.into(), style }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell { text: text.into(), style: Style::new() }
    }
}

/// How a column is set.
#[derive(Clone, Copy, PartialEq)]
enum Set {
    Left,
    Right,
}

struct Column {
    heading: String,
    set: Set,
    /// Left out where there is no room.
    optional: bool,
}

/// A table. Columns whose heading begins with `<` are set flush left, the others flush right. Those that begin with `?` are left
/// out where the terminal is too narrow, the last ones first.
pub(crate) struct TextTable {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

/// What stands between two columns.
const GAP: usize = 2;

/// A first column is not cut shorter than this.
const NARROWEST: usize = 12;

impl TextTable {
    pub(crate) fn new(headings: impl IntoIterator<Item = impl Into<String>>) -> TextTable {
        let columns = headings.into_iter().map(|heading| {
            let heading: String = heading.into();
            let optional = heading.starts_with('?');
            let heading = heading.trim_start_matches('?');
            let set = if heading.starts_with('<') { Set::Left } else { Set::Right };
            Column { heading: heading.trim_start_matches('<').to_owned(), set, optional }
        });
        TextTable { columns: columns.collect(), rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// Prints it, and tells the headings of the columns that had no room.
    pub(crate) fn print(mut self, output: &mut Output) -> Result<Vec<String>, Failure> {
        let mut left_out = Vec::new();
        let room = output.width();
        while total(&self.widths()) > room
            && let Some(at) = self.columns.iter().rposition(|column| column.optional)
        {
            left_out.insert(0, self.columns.remove(at).heading);
            for row in self.rows.iter_mut().filter(|row| row.len() > at) {
                row.remove(at);
            }
        }
        let over = total(&self.widths()).saturating_sub(room);
        if over > 0 {
            let most = self.widths()[0].saturating_sub(over).max(NARROWEST);
            for cell in self.rows.iter_mut().filter_map(|row| row.first_mut()) {
                cell.text = shortened(&cell.text, most);
            }
        }
        let widths = self.widths();
        let headings = self.columns.iter().map(|column| (column.heading.as_str(), HEADING));
        output.line(self.line(headings, &widths))?;
        output.line(format!("{FAINT}{}{FAINT:#}", "─".repeat(total(&widths))))?;
        for row in &self.rows {
            output.line(self.line(row.iter().map(|cell| (cell.text.as_str(), cell.style)), &widths))?;
        }
        Ok(left_out)
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.columns.iter().enumerate();
        columns
            .map(|(at, column)| {
                // A row of one cell is a remark, and may run on.
                let rows = self.rows.iter().filter(|row| row.len() > 1 || self.columns.len() == 1);
                let cells = rows.filter_map(|row| row.get(at)).map(|cell| width(&cell.text));
                cells.max().unwrap_or(0).max(width(&column.heading))
            })
            .collect()
    }

    fn line<'c>(&self, cells: impl Iterator<Item = (&'c str, Style)>, widths: &[usize]) -> String {
        let mut line = String::new();
        for (at, (text, style)) in cells.enumerate() {
            let space = " ".repeat(widths[at].saturating_sub(width(text)));
            let gap = if at == 0 { String::new() } else { " ".repeat(GAP) };
            let text = format!("{style}{text}{style:#}");
            line += &match self.columns[at].set {
                Set::Left => format!("{gap}{text}{space}"),
                Set::Right => format!("{gap}{space}{text}"),
            };
        }
        line.trim_end().to_owned()
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}

fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
}

/// A text of at most so many letters, without its middle if it is longer.
fn shortened(text: &str, most: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= most {
        return text.to_owned();
    }
    let end = most / 3;
    let begin = most - end - 1;
    letters[..begin].iter().chain(&['…']).chain(&letters[letters.len() - end..]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_room_is_shortened_in_the_middle() {
        assert_eq!(shortened("mtd-f,level=6,hash=4MB", 14), "mtd-f,lev…=4MB");
        assert_eq!(shortened("mtd-f", 14), "mtd-f");
    }
}
