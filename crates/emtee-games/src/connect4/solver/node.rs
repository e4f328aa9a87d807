//! The nodes of the search.

use core::ops::{BitAnd, BitOr, Shl, Shr};

use super::cpu::Cpu;
use super::{Shared, points};
use crate::connect4::completions_by;
use crate::connect4::has_four_by;
use crate::connect4::shape::Shape;
use crate::connect4::sized::Board;
use crate::team::{Team, search_shared};

/// From this many empty cells on, nodes are stored in the table. A lookup costs as much as searching a smaller tree.
const TABLE_FROM: u32 = 8;
/// From this many empty cells on, enhanced transposition cutoffs are tried: 22 % fewer nodes in positions with 12 stones.
const ETC_FROM: u32 = 10;
/// Up to this many empty cells, a node tests whether the side to win still has an open line.
const HOPELESS_TO: u32 = 16;
/// From this many empty cells on, several threads avoid searching the same child.
const SHARED_FROM: u32 = 16;
/// Visits between two checks whether to stop.
const CHECK_INTERVAL: u64 = 1 << 13;
/// More than every value.
const INFINITY: i32 = 60;

/// The cells of a board, and what is known about each by its bit.
#[derive(Debug)]
pub(super) struct Geometry {
    pub(super) shape: Shape,
    bottom: u64,
    full: u64,
    /// The lower cell of each pair, if the cells of a column are paired from the top.
    lower: u64,
    cells: u32,
    /// Each cell in the mirror image.
    image: [u64; 64],
    /// The distance of its column from the edge.
    weight: [i32; 64],
}

impl Geometry {
    pub(super) fn new(shape: Shape) -> Geometry {
        let (mut image, mut weight, mut lower) = ([0; 64], [0; 64], 0);
        for (column, row) in (0..shape.columns()).flat_map(|column| (0..shape.rows()).map(move |row| (column, row))) {
            let cell = shape.bit(column, row);
            let mirrored = shape.columns() - 1 - column;
            image[cell.trailing_zeros() as usize] = shape.bit(mirrored, row);
            weight[cell.trailing_zeros() as usize] = column.min(mirrored) as i32;
            if (shape.rows() - row).is_multiple_of(2) {
                lower |= cell;
            }
        }
        Geometry { shape, bottom: shape.bottom(), full: shape.full(), lower, cells: shape.cells(), image, weight }
    }

    fn mirrored(&self, cells: u64) -> u64 {
        (0..64).filter(|n| cells >> n & 1 == 1).fold(0, |image, n| image | self.image[n])
    }
}

/// A position in which the side to move cannot complete four with its next stone, and can prevent the other side from doing
/// so.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// The stones of the side to move.
    own: u64,
    all: u64,
    /// The cells that can be played without losing at once.
    safe: u64,
    /// The sum of X's stones and all stones, which identifies the position, and the same of the mirror image.
    key: u64,
    image: u64,
    stones: u32,
}

impl Node {
    /// The root of a pass, which is not [decided](super::decided).
    pub(super) fn new(geometry: &Geometry, board: &Board) -> Node {
        let [x, o] = board.by_colour();
        let theirs = completions_by(board.other(), board.shape().right());
        Node {
            own: board.own,
            all: board.all,
            safe: safe(theirs & geometry.full & !board.all, board.open()),
            key: x + (x | o),
            image: geometry.mirrored(x) + geometry.mirrored(x | o),
            stones: board.stones(),
        }
    }
}

/// The playable cells that do not lose at once. `theirs` has the empty cells that complete four for the other side.
#[inline(always)]
pub(super) const fn safe(theirs: u64, open: u64) -> u64 {
    let forced = theirs & open;
    let playable = if forced == 0 { open } else { forced };
    // Two threats cannot both be blocked.
    if forced & forced.wrapping_sub(1) != 0 { 0 } else { playable & !(theirs >> 1) }
}

/// One thread of a pass.
pub(super) struct Thread<'s, 'w> {
    pub(super) shared: &'s Shared<'s>,
    /// Called by the main thread only.
    watch: Option<&'w mut dyn FnMut(u64) -> bool>,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
}

impl<'s, 'w> Thread<'s, 'w> {
    pub(super) fn new(shared: &'s Shared<'s>, watch: Option<&'w mut dyn FnMut(u64) -> bool>) -> Thread<'s, 'w> {
        Thread { shared, watch, nodes: 0, stopped: false }
    }

    #[cold]
    #[inline(never)]
    fn check(&mut self) {
        let stop = self.watch.as_mut().is_some_and(|watch| watch(self.nodes));
        self.stopped |= stop;
        if let Some(team) = &self.shared.team {
            self.stopped |= team.is_done();
            if stop {
                team.finish();
            }
        }
    }
}

/// The same word of four children. Operations on all four let the compiler emit vector instructions.
#[derive(Clone, Copy)]
struct Four([u64; 4]);

impl BitAnd for Four {
    type Output = Four;
    #[inline(always)]
    fn bitand(self, other: Four) -> Four {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Four([a & e, b & f, c & g, d & h])
    }
}

impl BitOr for Four {
    type Output = Four;
    #[inline(always)]
    fn bitor(self, other: Four) -> Four {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Four([a | e, b | f, c | g, d | h])
    }
}

impl Shl<u32> for Four {
    type Output = Four;
    #[inline(always)]
    fn shl(self, by: u32) -> Four {
        let [a, b, c, d] = self.0;
        Four([a << by, b << by, c << by, d << by])
    }
}

impl Shr<u32> for Four {
    type Output = Four;
    #[inline(always)]
    fn shr(self, by: u32) -> Four {
        let [a, b, c, d] = self.0;
        Four([a >> by, b >> by, c >> by, d >> by])
    }
}

/// The children of a node that are still to be searched.
struct Children<const COLUMNS: usize> {
    cells: [u64; COLUMNS],
    safe: [u64; COLUMNS],
    scores: [i32; COLUMNS],
    count: usize,
}

impl<const COLUMNS: usize> Children<COLUMNS> {
    /// Swaps the child with the best score from `start` on to `start`.
    #[inline(always)]
    fn next(&mut self, start: usize) -> (u64, u64) {
        let mut best = start;
        for other in start + 1..self.count {
            if self.scores[other] > self.scores[best] {
                best = other;
            }
        }
        let chosen = (self.cells[best], self.safe[best]);
        self.scores[best] = self.scores[start];
        self.cells[best] = self.cells[start];
        self.safe[best] = self.safe[start];
        chosen
    }
}

/// The body of [`Cpu::node`]: MT at γ = `bound` − ½. Returns g: if g ≥ `bound`, the value is at least g, else at most g.
#[inline(always)]
pub(super) fn node_body<M: Cpu, const COLUMNS: usize>(thread: &mut Thread<'_, '_>, n: &Node, bound: i32) -> i32 {
    let shared = thread.shared;
    let geometry = shared.geometry;
    thread.nodes += 1;
    if thread.nodes.is_multiple_of(CHECK_INTERVAL) {
        thread.check();
    }
    let left = geometry.cells - n.stones;
    if left <= 2 {
        return 0;
    }
    // Neither side can complete four with its next stone.
    let most = points(geometry.shape, n.stones + 3);
    if most < bound {
        return most;
    }
    let least = -points(geometry.shape, n.stones + 4);
    if least >= bound {
        return least;
    }
    let right = M::right(geometry.shape);
    let (open, empty) = ((n.all + geometry.bottom) & geometry.full, geometry.full ^ n.all);
    let other = n.own ^ n.all;
    // The follow-up rule.
    if open & !geometry.lower == 0 && !has_four_by(n.own | empty & geometry.lower, right) {
        let most = if has_four_by(other | empty & !geometry.lower, right) { -1 } else { 0 };
        if most < bound {
            return most;
        }
    }
    if left <= HOPELESS_TO {
        let hopeful = if bound > 0 { n.own } else { other };
        if !has_four_by(hopeful | empty, right) {
            return 0;
        }
    }
    let key = n.key.min(n.image);
    if left >= TABLE_FROM
        && let Some((lower, upper)) = shared.table.retrieve(shared.table.slot(key))
    {
        if lower >= bound {
            return lower;
        }
        if upper < bound {
            return upper;
        }
    }
    let before = thread.nodes;
    let (g, _) = expand_body::<M, COLUMNS>(thread, n, bound);
    if left >= TABLE_FROM && !thread.stopped {
        // The table may have grown since.
        shared.table.store(shared.table.slot(key), bound, g, thread.nodes - before + 1);
        if shared.team.is_none() {
            shared.table.count();
        }
    }
    g
}

/// Searches the children of a node. Returns g and its cell, 0 for none.
#[inline(always)]
pub(super) fn expand_body<M: Cpu, const COLUMNS: usize>(
    thread: &mut Thread<'_, '_>,
    n: &Node,
    bound: i32,
) -> (i32, u64) {
    let shared = thread.shared;
    let geometry = shared.geometry;
    let left = geometry.cells - n.stones;
    let right = M::right(geometry.shape);
    let (open, empty) = ((n.all + geometry.bottom) & geometry.full, geometry.full ^ n.all);
    if left <= 2 {
        return (0, n.safe & n.safe.wrapping_neg());
    }
    let most = points(geometry.shape, n.stones + 3);
    let mut children = Children { cells: [0; COLUMNS], safe: [0; COLUMNS], scores: [0; COLUMNS], count: 0 };
    let mut rest = n.safe;
    while rest != 0 {
        let mut cells = [0; 4];
        let mut count = 0;
        while rest != 0 && count < 4 {
            cells[count] = rest & rest.wrapping_neg();
            rest &= rest - 1;
            count += 1;
        }
        let stones = cells.map(|cell| n.own | cell);
        let threats = completions_by(Four(stones), right).0;
        for i in 0..count {
            let cell = cells[i];
            let threats = threats[i] & (empty ^ cell);
            let safe = safe(threats, open ^ cell | cell << 1 & geometry.full);
            if safe == 0 {
                return (most, cell); // The other side has lost.
            }
            children.cells[children.count] = cell;
            children.safe[children.count] = safe;
            children.scores[children.count] =
                16 * threats.count_ones() as i32 + geometry.weight[cell.trailing_zeros() as usize & 63];
            children.count += 1;
        }
    }
    // No other win is soon enough.
    let next = points(geometry.shape, n.stones + 5);
    if next < bound {
        return (next, 0);
    }
    let own_weight = if n.stones.is_multiple_of(2) { 2 } else { 1 };
    let child_of = |cell: u64, safe: u64| Node {
        own: n.own ^ n.all,
        all: n.all | cell,
        safe,
        key: n.key + cell * own_weight,
        image: n.image + geometry.image[cell.trailing_zeros() as usize & 63] * own_weight,
        stones: n.stones + 1,
    };
    if left >= ETC_FROM {
        for &cell in &children.cells[..children.count] {
            let child = child_of(cell, 0);
            if let Some((_, upper)) = shared.table.retrieve(shared.table.slot(child.key.min(child.image)))
                && -upper >= bound
            {
                return (-upper, cell);
            }
        }
    }
    if left >= SHARED_FROM
        && let Some(team) = &shared.team
    {
        return expand_shared::<M, COLUMNS>(thread, team, &mut children, child_of, bound);
    }
    let (mut g, mut best) = (-INFINITY, 0);
    for i in 0..children.count {
        let (cell, safe) = children.next(i);
        let v = -M::node(thread, &child_of(cell, safe), 1 - bound);
        if thread.stopped {
            break; // `v` is not a bound.
        }
        if v > g {
            (g, best) = (v, cell);
            if v >= bound {
                break;
            }
        }
    }
    (g, best)
}

/// The same by several threads.
#[inline(never)]
fn expand_shared<M: Cpu, const COLUMNS: usize>(
    thread: &mut Thread<'_, '_>,
    team: &Team,
    children: &mut Children<COLUMNS>,
    child_of: impl Fn(u64, u64) -> Node,
    bound: i32,
) -> (i32, u64) {
    let (mut g, mut best) = (-INFINITY, 0);
    let key = |(cell, safe)| {
        let child = child_of(cell, safe);
        child.key.min(child.image)
    };
    let ordered = (0..children.count).map(|i| children.next(i));
    search_shared(team, ordered, key, |(cell, safe)| {
        let v = -M::node(thread, &child_of(cell, safe), 1 - bound);
        if !thread.stopped && v > g {
            (g, best) = (v, cell);
        }
        thread.stopped || v >= bound
    });
    (g, best)
}
