//! Positions as text: the columns played, or the rows from the top.

use std::fmt;

use super::shape::Shape;
use super::{four_by, has_four_by};
use crate::error::{Error, ErrorKind, quoted};

/// The stones of X and of O.
pub(super) type Stones = [u64; 2];

/// Reads the columns played, from the first move on, or the rows from the top separated by `/`. White space is ignored.
pub(super) fn read(shape: Shape, text: &str) -> Result<Stones, Error> {
    if text.contains('/') { from_rows(shape, text) } else { from_columns(shape, text) }
}

fn from_columns(shape: Shape, text: &str) -> Result<Stones, Error> {
    let mut stones = [0; 2];
    for (played, c) in text.chars().filter(|c| !c.is_whitespace()).enumerate() {
        let refused = |kind, reason: String| Err(Error::new(kind, format!("move {}: {reason}", played + 1)));
        let column = c.to_digit(36).and_then(|digit| digit.checked_sub(1)).filter(|&column| column < shape.columns());
        let Some(column) = column else {
            let (found, last) = (quoted(c.encode_utf8(&mut [0; 4])), Shape::name(shape.columns() - 1));
            return refused(ErrorKind::Syntax, format!("expected a column from 1 to {last}, found {found}"));
        };
        let all = stones[0] | stones[1];
        if has_four_by(stones[(played + 1) % 2], shape.right()) || all == shape.full() {
            return refused(ErrorKind::IllegalMove, format!("the game was over after move {played}"));
        }
        let cell = (all + shape.bit(column, 0)) & shape.column(column);
        if cell == 0 {
            return refused(ErrorKind::IllegalMove, format!("column {c} is full"));
        }
        stones[played % 2] |= cell;
    }
    Ok(stones)
}

fn from_rows(shape: Shape, text: &str) -> Result<Stones, Error> {
    let (height, width) = (shape.rows(), shape.columns());
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != height as usize {
        let message = format!("a board has {height} rows, and this one has {}", rows.len());
        return Err(Error::new(ErrorKind::Length, message));
    }
    let [mut x, mut o] = [0, 0];
    for (number, (row, line)) in (0..height).rev().zip(rows).enumerate() {
        let number = number + 1;
        let mut cells = 0;
        for c in line.chars().filter(|c| !c.is_whitespace()) {
            let cell = if cells < width { shape.bit(cells, row) } else { 0 };
            cells += 1;
            match c {
                'X' | 'x' => x |= cell,
                'O' | 'o' => o |= cell,
                '-' | '.' | '_' => {}
                _ => {
                    let found = quoted(c.encode_utf8(&mut [0; 4]));
                    let message = format!("row {number}, column {cells}: expected X, O or -, found {found}");
                    return Err(Error::new(ErrorKind::Syntax, message));
                }
            }
        }
        if cells != width {
            let message = format!("row {number}: a row has {width} cells, and this one has {cells}");
            return Err(Error::new(ErrorKind::Length, message));
        }
    }
    check(shape, x, o)?;
    Ok([x, o])
}

/// Refuses stones that gravity or the order of moves rule out. Does not check whether play can lead to the position.
fn check(shape: Shape, x: u64, o: u64) -> Result<(), Error> {
    let all = x | o;
    let refused = |reason: String| Err(Error::new(ErrorKind::IllegalPosition, reason));
    let floating = all & !(all << 1 | shape.bottom());
    if floating != 0 {
        let (column, row) = (floating.trailing_zeros() / shape.right(), floating.trailing_zeros() % shape.right());
        let (column, row) = (column + 1, shape.rows() - row);
        return refused(format!("row {row}, column {column}: nothing is under this stone"));
    }
    let (xs, os) = (x.count_ones(), o.count_ones());
    if xs != os && xs != os + 1 {
        return refused(format!("X has {xs} stones and O has {os}, but X moves first: X has as many as O or one more"));
    }
    let has_four = |stones| has_four_by(stones, shape.right());
    let (winner, name, rival) = match (has_four(x), has_four(o)) {
        (false, false) => return Ok(()),
        (true, true) => return refused("X and O cannot both have four in a row".into()),
        (true, false) => (x, 'X', 'O'),
        (false, true) => (o, 'O', 'X'),
    };
    if (name == 'X') == (xs == os) {
        return refused(format!("{name} has four in a row, but {rival} has moved since"));
    }
    let topmost = all & !(all >> 1);
    let last_moves = (0..64).map(|n| 1 << n).filter(|stone| winner & topmost & stone != 0);
    if last_moves.into_iter().all(|stone: u64| has_four(winner ^ stone)) {
        return refused(format!("{name} has four in a row, but not by a last move"));
    }
    Ok(())
}

/// The symbol of a cell: `X`, `O`, or `empty`.
fn symbol([x, o]: Stones, cell: u64, empty: char) -> char {
    match (x & cell != 0, o & cell != 0) {
        (true, _) => 'X',
        (_, true) => 'O',
        _ => empty,
    }
}

/// Writes the rows from the top, separated by `/`.
pub(super) fn write_rows(f: &mut fmt::Formatter<'_>, shape: Shape, stones: Stones) -> fmt::Result {
    for row in (0..shape.rows()).rev() {
        (0..shape.columns()).try_for_each(|column| write!(f, "{}", symbol(stones, shape.bit(column, row), '-')))?;
        f.write_str(if row > 0 { "/" } else { "" })?;
    }
    Ok(())
}

/// Draws the board over several lines.
pub(super) fn write_board(f: &mut fmt::Formatter<'_>, shape: Shape, stones: Stones, turn: char) -> fmt::Result {
    let spaced = |column| if column + 1 < shape.columns() { ' ' } else { '\n' };
    for row in (0..shape.rows()).rev() {
        for column in 0..shape.columns() {
            write!(f, "{}{}", symbol(stones, shape.bit(column, row), '.'), spaced(column))?;
        }
    }
    for column in 0..shape.columns() {
        write!(f, "{}{}", Shape::name(column), spaced(column))?;
    }
    write!(f, "{turn} to move")
}

/// The board as cells, with the fours of the side that has just moved marked.
pub(super) fn drawing(shape: Shape, stones: Stones, turn: char) -> crate::drawing::Drawing {
    use crate::drawing::{Cell, Drawing, Ground, Ink};
    let (height, width) = (shape.rows(), shape.columns());
    let cell = |row: usize, column: usize| {
        let symbol = symbol(stones, shape.bit(column as u32, height - 1 - row as u32), '·');
        let ink = match symbol {
            'X' => Ink::Yellow,
            'O' => Ink::White,
            _ => Ink::Faint,
        };
        Cell::new(symbol, ink, Ground::Blue)
    };
    let names: String = (0..width).map(Shape::name).collect();
    let mut drawing = Drawing::board(height as usize, width as usize, cell).columns_named(&names);
    drawing.columns[0].clear();
    let fours = four_by(stones[usize::from(turn == 'X')], shape.right());
    let won = (0..width).flat_map(|column| (0..height).map(move |row| (column, row)));
    let won = won.filter(|&(column, row)| fours & shape.bit(column, row) != 0);
    let won = won.map(|(column, row)| ((height - 1 - row) as usize, column as usize));
    drawing.marked(won).captioned(format!("{turn} to move"))
}
