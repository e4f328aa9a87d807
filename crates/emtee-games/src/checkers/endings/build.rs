//! Retrograde analysis: computes the values of all positions backwards from the decided ones.
//!
//! A capture leads to fewer pieces, crowning a man to fewer men, a step of a man to men that are further advanced.
//! Positions are therefore solved in that order, and all these moves lead to known values. What remains are the steps
//! of kings between positions with the same men. Such positions, with either side to move, are a family. Wins and
//! losses inside a family are propagated to their predecessors until nothing changes; the remaining positions are
//! draws. Families with equally advanced men are independent of each other and are solved on all cores at once, with
//! the feature `parallel`.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

use super::super::board::{Board, step, turned};
use super::cores;
use super::index::{Index, Slice, advance, kings_rank, position, subsets};
use super::value::Wdl;

// The state of a position during the analysis is a byte. Below `AT_LEAST_DRAWN` it is the number of king steps that are
// not yet known to lose, of a position in which all other moves lose. Otherwise it is one of these:
const AT_LEAST_DRAWN: u8 = 0x40;
const DRAWN: u8 = 0x80;
const LOST: u8 = 0x82;
const WON: u8 = 0x84;
/// Added to a value that is not yet propagated to its predecessors.
const NEW: u8 = 0x01;
/// Added to the value of a position in which the side to move must capture.
const CAPTURE: u8 = 0x20;

/// The values of all positions of an [`Index`], one byte each.
pub(super) struct Values {
    pub(super) index: Index,
    bytes: Vec<AtomicU8>,
}

impl Values {
    fn byte(&self, number: usize) -> u8 {
        self.bytes[number].load(Relaxed)
    }

    fn set(&self, number: usize, byte: u8) {
        self.bytes[number].store(byte, Relaxed);
    }

    /// The value of the position with this number, after its family is solved.
    #[inline(always)]
    pub(super) fn get(&self, number: usize) -> Wdl {
        match self.byte(number) & !(NEW | CAPTURE) {
            WON => Wdl::Win,
            LOST => Wdl::Loss,
            _ => Wdl::Draw,
        }
    }

    /// Whether the side to move must capture.
    pub(super) fn must_capture(&self, number: usize) -> bool {
        self.byte(number) & (DRAWN | CAPTURE) == DRAWN | CAPTURE
    }

    /// The value of a position in which White is to move, for White.
    #[inline(always)]
    fn value_for_white(&self, after: &Board) -> Wdl {
        if after.pieces[1] == 0 { Wdl::Loss } else { self.get(self.index.of(&after.mirrored())) }
    }
}

/// The positions of a family with one side to move.
#[derive(Clone, Copy)]
struct Half<'i> {
    slice: &'i Slice,
    own: u32,
    other: u32,
    /// The number of the first position.
    first: usize,
}

impl<'i> Half<'i> {
    fn new(slice: &'i Slice, own: u32, other: u32) -> Half<'i> {
        Half { slice, own, other, first: slice.first(own, other) }
    }

    fn number(&self, own_kings: u32, other_kings: u32) -> usize {
        self.first + kings_rank(self.slice.other_kings, self.own | self.other, own_kings, other_kings)
    }

    fn free(&self) -> u32 {
        !(self.own | self.other)
    }
}

/// All positions with the same men: two halves, one for each side to move. They are the same if the men are symmetric.
#[derive(Clone, Copy)]
struct Family<'i> {
    halves: [Half<'i>; 2],
}

impl Family<'_> {
    fn distinct_halves(&self) -> &[Half<'_>] {
        if self.halves[0].first == self.halves[1].first { &self.halves[..1] } else { &self.halves }
    }
}

/// The families with `pieces` pieces of which `men` are men, by the advance of the men.
fn families(index: &Index, pieces: usize, men: usize) -> Vec<Vec<Family<'_>>> {
    let mut families = vec![Vec::new(); 6 * men + 1];
    for slice in index.slices.iter().filter(|slice| slice.material.pieces() == pieces && slice.material.men() == men) {
        let swapped = slice.material.swapped();
        if slice.material < swapped {
            continue;
        }
        let other_slice = index.slice(swapped);
        for (own, other) in slice.men() {
            let halves = [Half::new(slice, own, other), Half::new(other_slice, turned(other), turned(own))];
            if slice.material != swapped || halves[0].first <= halves[1].first {
                families[advance(own, other)].push(Family { halves });
            }
        }
    }
    families
}

/// Halves with more positions than this per placing of the men are initialised on all cores.
const LARGE: usize = 1 << 16;

/// Computes the values of all positions with up to `pieces` pieces. Calls `progress` with the number of positions done.
/// Returns `None` if `stop` is set.
pub(super) fn build(pieces: usize, stop: &AtomicBool, progress: &(dyn Fn(u64) + Sync)) -> Option<Values> {
    let index = Index::new(pieces);
    let mut bytes = Vec::new();
    bytes.resize_with(index.len, AtomicU8::default);
    let values = Values { index, bytes };
    let done = AtomicU64::new(0);
    for n in 2..=pieces {
        for men in 0..=n {
            for level in families(&values.index, n, men).iter().rev() {
                cores::for_each_with_list(level, |queue, family| {
                    if !stop.load(Relaxed) {
                        solve_family(&values, family, queue);
                        let positions: usize = family.distinct_halves().iter().map(|half| half.slice.kings).sum();
                        progress(done.fetch_add(positions as u64, Relaxed) + positions as u64);
                    }
                });
                if stop.load(Relaxed) {
                    return None;
                }
            }
        }
    }
    Some(values)
}

/// A solved position whose predecessors are not yet updated: the index of its half, its kings, and whether it is won.
type Solved = (usize, u32, u32, bool);

fn solve_family(values: &Values, family: &Family<'_>, queue: &mut Vec<Solved>) {
    for half in family.distinct_halves() {
        let kings = u32::from(half.slice.material.own.kings);
        let initialise = |(placing, own_kings)| initialise(values, half, placing, own_kings);
        if half.slice.kings >= LARGE {
            cores::map(subsets(half.free(), kings).enumerate().collect(), initialise);
        } else {
            subsets(half.free(), kings).enumerate().for_each(initialise);
        }
    }
    if family.halves[0].slice.material.men() == family.halves[0].slice.material.pieces() {
        return; // Without kings there are no moves inside the family.
    }
    for (side, half) in family.distinct_halves().iter().enumerate() {
        let [own, other] = [half.slice.material.own.kings, half.slice.material.other.kings].map(u32::from);
        let mut number = half.first;
        for own_kings in subsets(half.free(), own) {
            for other_kings in subsets(half.free() & !own_kings, other) {
                let byte = values.byte(number);
                if byte & (DRAWN | NEW) == DRAWN | NEW {
                    values.set(number, byte & !NEW);
                    queue.push((side, own_kings, other_kings, byte & !(NEW | CAPTURE) == WON));
                    while let Some(solved) = queue.pop() {
                        propagate(values, family, solved, queue);
                    }
                }
                number += 1;
            }
        }
    }
}

/// Sets the initial states of the positions with these kings of the side to move.
fn initialise(values: &Values, half: &Half<'_>, placing: usize, own_kings: u32) {
    let others = subsets(half.free() & !own_kings, u32::from(half.slice.material.other.kings));
    for (number, other_kings) in (half.first + placing * half.slice.other_kings..).zip(others) {
        values.set(number, initial_state(values, &position(half.own, half.other, own_kings, other_kings)));
    }
}

/// The state of a position before any step of a king is considered.
fn initial_state(values: &Values, board: &Board) -> u8 {
    let jumpers = board.jumpers();
    let capture = if jumpers != 0 { CAPTURE } else { 0 };
    // A side without a move has lost.
    let mut best = Wdl::Loss;
    let mut king_steps = 0;
    if jumpers != 0 {
        board.each_jump(jumpers, &mut |m| {
            if best != Wdl::Win {
                best = best.max(-values.value_for_white(&board.after(m)));
            }
        });
    } else {
        board.each_step(&mut |m| {
            if board.kings & m.mask_from() != 0 {
                king_steps += 1;
            } else if best != Wdl::Win {
                best = best.max(-values.value_for_white(&board.after(m)));
            }
        });
    }
    match best {
        Wdl::Win => WON | NEW | capture,
        Wdl::Loss if king_steps == 0 => LOST | NEW | capture,
        Wdl::Loss => king_steps,
        Wdl::Draw if king_steps == 0 => DRAWN | capture,
        Wdl::Draw => AT_LEAST_DRAWN,
    }
}

/// Updates the predecessors of a solved position inside its family, and adds those that it solves to the queue.
#[inline(always)]
fn propagate(
    values: &Values,
    family: &Family<'_>,
    (side, own_kings, other_kings, won): Solved,
    queue: &mut Vec<Solved>,
) {
    let here = &family.halves[side];
    // Symmetric men: there is only one half.
    let before_side = (1 - side) % family.distinct_halves().len();
    let before = &family.halves[before_side];
    let (free, own_turned) = (here.free() & !own_kings & !other_kings, turned(own_kings));
    for d in 0..4 {
        let mut sources = step(other_kings, d) & free;
        while sources != 0 {
            let from = sources & sources.wrapping_neg();
            sources ^= from;
            // Direction d ^ 2 is the opposite of d.
            let kings_before = turned(other_kings & !step(from, d ^ 2) | from);
            let number = before.number(kings_before, own_turned);
            let byte = values.byte(number);
            let updated = match byte {
                // Positions that must capture are solved from the start, so these can make the step.
                1..=AT_LEAST_DRAWN if !won => WON,
                1 => LOST,
                2..AT_LEAST_DRAWN => byte - 1,
                _ => continue,
            };
            values.set(number, updated);
            if updated >= DRAWN {
                queue.push((before_side, kings_before, own_turned, updated == WON));
            }
        }
    }
}
