//! Tables that line up.

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

/// A table. Columns whose heading begins with `<` are set flush left, the others flush right.
pub(crate) struct TextTable {
    headings: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl TextTable {
    pub(crate) fn new(headings: impl IntoIterator<Item = impl Into<String>>) -> TextTable {
        TextTable { headings: headings.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    pub(crate) fn print(&self, output: &mut Output) -> Result<(), Failure> {
        let width = |text: &str| text.chars().count();
        let widths: Vec<usize> = (0..self.headings.len())
            .map(|at| {
                let cells = self.rows.iter().filter_map(|row| row.get(at)).map(|cell| width(&cell.text));
                cells.max().unwrap_or(0).max(width(self.headings[at].trim_start_matches('<')))
            })
            .collect();
        let print = |cells: Vec<(&str, Style)>, output: &mut Output| {
            let mut line = String::new();
            for (at, (text, style)) in cells.into_iter().enumerate() {
                let space = " ".repeat(widths[at] - width(text));
                let left = self.headings[at].starts_with('<');
                let gap = if at == 0 { "" } else { "  " };
                let text = format!("{style}{text}{style:#}");
                line += &if left { format!("{gap}{text}{space}") } else { format!("{gap}{space}{text}") };
            }
            output.line(line.trim_end())
        };
        print(self.headings.iter().map(|heading| (heading.trim_start_matches('<'), HEADING)).collect(), output)?;
        let rule: usize = widths.iter().sum::<usize>() + 2 * (widths.len() - 1);
        output.line(format!("{FAINT}{}{FAINT:#}", "─".repeat(rule)))?;
        for row in &self.rows {
            print(row.iter().map(|cell| (cell.text.as_str(), cell.style)).collect(), output)?;
        }
        Ok(())
    }
}
