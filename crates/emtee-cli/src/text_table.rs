//! Text tables with aligned columns, no wider than the terminal.

use anstyle::Style;

use crate::failure::Failure;
use crate::output::{FAINT, HEADING, Output};

/// A cell: its text and its style.
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

/// The alignment of a column.
#[derive(Clone, Copy, PartialEq)]
enum Alignment {
    Left,
    Right,
}

struct Column {
    heading: String,
    alignment: Alignment,
    /// Dropped if the terminal is too narrow.
    optional: bool,
}

/// A table. A heading that begins with `<` aligns its column left; other columns are aligned right. Columns whose heading
/// begins with `?` are dropped if the terminal is too narrow, the last ones first.
pub(crate) struct TextTable {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

/// Spaces between two columns.
const GAP: usize = 2;

/// The first column is never shortened below this width.
const NARROWEST: usize = 12;

impl TextTable {
    pub(crate) fn new(headings: impl IntoIterator<Item = impl Into<String>>) -> TextTable {
        let columns = headings.into_iter().map(|heading| {
            let heading: String = heading.into();
            let optional = heading.starts_with('?');
            let heading = heading.trim_start_matches('?');
            let alignment = if heading.starts_with('<') { Alignment::Left } else { Alignment::Right };
            Column { heading: heading.trim_start_matches('<').to_owned(), alignment, optional }
        });
        TextTable { columns: columns.collect(), rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// Prints the table and returns the headings of the dropped columns.
    pub(crate) fn print(mut self, output: &mut Output) -> Result<Vec<String>, Failure> {
        let mut dropped = Vec::new();
        let available = output.width();
        while total(&self.widths()) > available
            && let Some(index) = self.columns.iter().rposition(|column| column.optional)
        {
            dropped.insert(0, self.columns.remove(index).heading);
            for row in self.rows.iter_mut().filter(|row| row.len() > index) {
                row.remove(index);
            }
        }
        let excess = total(&self.widths()).saturating_sub(available);
        if excess > 0 {
            let most = self.widths()[0].saturating_sub(excess).max(NARROWEST);
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
        Ok(dropped)
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.columns.iter().enumerate();
        columns
            .map(|(index, column)| {
                // A row with a single cell is a remark: it may extend over all columns.
                let rows = self.rows.iter().filter(|row| row.len() > 1 || self.columns.len() == 1);
                let cells = rows.filter_map(|row| row.get(index)).map(|cell| width(&cell.text));
                cells.max().unwrap_or(0).max(width(&column.heading))
            })
            .collect()
    }

    fn line<'c>(&self, cells: impl Iterator<Item = (&'c str, Style)>, widths: &[usize]) -> String {
        let mut line = String::new();
        for (index, (text, style)) in cells.enumerate() {
            let space = " ".repeat(widths[index].saturating_sub(width(text)));
            let gap = if index == 0 { String::new() } else { " ".repeat(GAP) };
            let text = format!("{style}{text}{style:#}");
            line += &match self.columns[index].alignment {
                Alignment::Left => format!("{gap}{text}{space}"),
                Alignment::Right => format!("{gap}{space}{text}"),
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

/// The text cut to `most` characters, with an ellipsis for its middle.
fn shortened(text: &str, most: usize) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= most {
        return text.to_owned();
    }
    let end = most / 3;
    let begin = most - end - 1;
    characters[..begin].iter().chain(&['…']).chain(&characters[characters.len() - end..]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_shortened_in_the_middle() {
        assert_eq!(shortened("mtd-f,level=6,hash=4MB", 14), "mtd-f,lev…=4MB");
        assert_eq!(shortened("mtd-f", 14), "mtd-f");
    }
}
