//! The text of boards: rows from the top, separated by `/`, one symbol per cell; and squares like `a1`.

use std::fmt;

use emtee::Side;

/// Writes a board on one line, or with `{:#}` drawn over several lines with its coordinates.
pub fn write_board<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    symbols: [char; N],
    columns: usize,
    turn: Side,
) -> fmt::Result {
    let rows = N / columns;
    let side = if turn == Side::First { 'x' } else { 'o' };
    if !f.alternate() {
        for (row, cells) in symbols.chunks(columns).enumerate() {
            let slash = if row > 0 { "/" } else { "" };
            write!(f, "{slash}{}", cells.iter().collect::<String>())?;
        }
        return write!(f, " {side}");
    }
    for (row, cells) in symbols.chunks(columns).enumerate() {
        write!(f, "{:>2} ", rows - row)?;
        cells.iter().try_for_each(|symbol| write!(f, " {symbol}"))?;
        writeln!(f)?;
    }
    write!(f, "   ")?;
    ('a'..).take(columns).try_for_each(|column| write!(f, " {column}"))?;
    write!(f, "\n{side} to move")
}

/// Reads a board on one line: the symbols of its cells, which are among `allowed`, and the side to move.
pub fn read_board<const N: usize>(text: &str, columns: usize, allowed: &str) -> Result<([char; N], Side), String> {
    let (rows, side) = text.trim().rsplit_once(' ').ok_or("the side to move is missing after the rows: x or o")?;
    let turn = match side {
        "x" => Side::First,
        "o" => Side::Second,
        _ => return Err(format!("the side to move is x or o, not '{side}'")),
    };
    let rows: Vec<&str> = rows.trim().split('/').collect();
    if rows.len() != N / columns {
        return Err(format!("a board has {} rows separated by /, and this one has {}", N / columns, rows.len()));
    }
    let mut symbols = ['-'; N];
    for (row, text) in rows.iter().enumerate() {
        let count = text.chars().count();
        if count != columns {
            return Err(format!("row {} has {count} cells instead of {columns}", N / columns - row));
        }
        for (column, symbol) in text.chars().enumerate() {
            if !allowed.contains(symbol) {
                let cell =
                    Square { cell: (row * columns + column) as u8, columns: columns as u8, rows: (N / columns) as u8 };
                return Err(format!("{cell}: expected one of {allowed}, found '{symbol}'"));
            }
            symbols[row * columns + column] = symbol;
        }
    }
    Ok((symbols, turn))
}

/// The name of a cell: its column as a letter, and its row as a number from the bottom.
pub struct Square {
    pub cell: u8,
    pub columns: u8,
    pub rows: u8,
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.cell % self.columns) as char, self.rows - self.cell / self.columns)
    }
}

/// The cells of a row in a direction from a cell, on a board of `N` × `N` cells.
pub fn ray<const N: i8>(from: u8, (down, right): (i8, i8)) -> impl Iterator<Item = u8> {
    let (mut row, mut column) = (from as i8 / N, from as i8 % N);
    std::iter::from_fn(move || {
        (row, column) = (row + down, column + right);
        let inside = (0..N).contains(&row) && (0..N).contains(&column);
        inside.then_some((row * N + column) as u8)
    })
}

/// The eight directions, as steps down and right.
pub const DIRECTIONS: [(i8, i8); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
