//! Symmetries of a board, and where the patterns of a model lie on it.

use std::collections::BTreeMap;

/// A symmetry of a rectangle: bit 0 mirrors the rows, bit 1 the columns, bit 2 swaps rows and columns (squares only).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Symmetry(pub(crate) u8);

impl Symmetry {
    pub(crate) const IDENTITY: Symmetry = Symmetry(0);

    /// All symmetries of a board of this size, the identity first.
    pub(crate) fn all((rows, columns): (usize, usize)) -> impl Iterator<Item = Symmetry> {
        (0..if rows == columns { 8 } else { 4 }).map(Symmetry)
    }

    /// For each cell, the cell onto which it is mapped.
    pub(crate) fn map(self, (rows, columns): (usize, usize)) -> Vec<u8> {
        let image = |cell: usize| {
            let (mut row, mut column) = (cell / columns, cell % columns);
            if self.0 & 4 != 0 {
                (row, column) = (column, row);
            }
            if self.0 & 1 != 0 {
                row = rows - 1 - row;
            }
            if self.0 & 2 != 0 {
                column = columns - 1 - column;
            }
            (row * columns + column) as u8
        };
        (0..rows * columns).map(image).collect()
    }
}

/// The shape of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A rectangle of this many rows and columns, or columns and rows.
    Block(u8, u8),
    /// A line of this many cells, in any of four directions.
    Line(u8),
}

/// Patterns of one shape, everywhere on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) shape: Shape,
    /// Whether all places on the board share their weights. If not, only symmetric places do.
    pub(crate) shared: bool,
    /// Whether each stage of the game has weights of its own.
    pub(crate) staged: bool,
}

impl Group {
    /// The number of cells of the pattern.
    pub(crate) fn cells(&self) -> usize {
        match self.shape {
            Shape::Block(rows, columns) => usize::from(rows) * usize::from(columns),
            Shape::Line(length) => length.into(),
        }
    }

    /// The places of the pattern: the number of the table of weights, counted from 0, and the cells in the order of its index.
    pub(crate) fn places(&self, size: (usize, usize), symmetries: &[Symmetry]) -> (usize, Vec<(usize, Vec<u8>)>) {
        let maps: Vec<Vec<u8>> = symmetries.iter().map(|symmetry| symmetry.map(size)).collect();
        let mut tables: BTreeMap<Vec<(u8, u8)>, usize> = BTreeMap::new();
        let mut places = Vec::new();
        for cells in self.sets(size) {
            // The image under the symmetry that gives the least key.
            let images = maps.iter().map(|map| {
                let mut image: Vec<(u8, u8)> = cells.iter().map(|&cell| (map[usize::from(cell)], cell)).collect();
                image.sort_unstable();
                let key = self.key(image.iter().map(|&(to, _)| usize::from(to)), size.1);
                (key, image.into_iter().map(|(_, cell)| cell).collect::<Vec<u8>>())
            });
            let Some((key, ordered)) = images.min() else { continue };
            let next = tables.len();
            places.push((*tables.entry(key).or_insert(next), ordered));
        }
        (tables.len(), places)
    }

    /// What places with the same weights have in common.
    fn key(&self, cells: impl Iterator<Item = usize> + Clone, columns: usize) -> Vec<(u8, u8)> {
        let at = cells.map(|cell| ((cell / columns) as u8, (cell % columns) as u8));
        let least = |all: &mut dyn Iterator<Item = u8>| if self.shared { all.min().unwrap_or(0) } else { 0 };
        let (top, left) = (least(&mut at.clone().map(|cell| cell.0)), least(&mut at.clone().map(|cell| cell.1)));
        at.map(|(row, column)| (row - top, column - left)).collect()
    }

    /// All places of the shape, as sets of cells.
    fn sets(&self, (rows, columns): (usize, usize)) -> Vec<Vec<u8>> {
        let offsets: Vec<Vec<(isize, isize)>> = match self.shape {
            Shape::Block(height, width) => {
                let block = |height: u8, width: u8| {
                    (0..height as isize).flat_map(|row| (0..width as isize).map(move |column| (row, column))).collect()
                };
                if height == width {
                    vec![block(height, width)]
                } else {
                    vec![block(height, width), block(width, height)]
                }
            }
            Shape::Line(length) => [(0, 1), (1, 0), (1, 1), (1, -1)]
                .map(|(down, right)| (0..length as isize).map(|step| (down * step, right * step)).collect())
                .into(),
        };
        let mut sets = Vec::new();
        for offsets in offsets {
            for cell in 0..rows * columns {
                let at = offsets
                    .iter()
                    .map(|(down, right)| ((cell / columns) as isize + down, (cell % columns) as isize + right));
                let inside = |(row, column): (isize, isize)| {
                    let inside = (0..rows as isize).contains(&row) && (0..columns as isize).contains(&column);
                    inside.then_some((row * columns as isize + column) as u8)
                };
                sets.extend(at.map(inside).collect::<Option<Vec<u8>>>());
            }
        }
        sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_are_different_permutations() {
        for size in [(3, 3), (2, 4)] {
            let maps: Vec<Vec<u8>> = Symmetry::all(size).map(|symmetry| symmetry.map(size)).collect();
            for (index, map) in maps.iter().enumerate() {
                let mut sorted = map.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, (0..(size.0 * size.1) as u8).collect::<Vec<u8>>());
                assert!(!maps[..index].contains(map));
            }
        }
        assert_eq!(Symmetry(4).map((2, 2)), [0, 2, 1, 3]);
    }

    #[test]
    fn symmetric_places_share_their_weights() {
        let all: Vec<Symmetry> = Symmetry::all((3, 3)).collect();
        let group = |shape, shared| Group { shape, shared, staged: false };
        // Corners, edges and the centre.
        assert_eq!(group(Shape::Block(1, 1), false).places((3, 3), &all).0, 3);
        assert_eq!(group(Shape::Block(1, 1), false).places((3, 3), &all[..1]).0, 9);
        assert_eq!(group(Shape::Block(1, 1), true).places((3, 3), &all[..1]).0, 1);
        // The rows at the edges, those in the middle, and the diagonals: eight lines.
        let (tables, places) = group(Shape::Line(3), false).places((3, 3), &all);
        assert_eq!((tables, places.len()), (3, 8));
        assert_eq!(group(Shape::Line(3), true).places((3, 3), &all).0, 2);
        assert_eq!(group(Shape::Block(1, 2), true).places((3, 3), &all), {
            let (tables, places) = group(Shape::Block(1, 2), true).places((3, 3), &all);
            assert_eq!((tables, places.len()), (1, 12));
            (tables, places)
        });
    }
}
