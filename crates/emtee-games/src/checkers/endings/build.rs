//! Retrograde analysis: from the positions whose value is plain back to all others.
//!
//! A capture leads to fewer pieces, a man that is crowned to fewer men, a step of a man to men that have come further. So
//! positions are taken in that order, and all these moves lead to values that are known. What is left are the steps of kings
//! between positions whose men stand alike. They make a family, seen from both sides: a win or a loss in it is carried back
//! to the positions before it, until nothing changes; whatever is open then is a draw. Families whose men have come as far
//! know nothing of each other, and are worked out on all cores at once, if the feature `parallel` is on.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

use super::super::board::{Board, step, turned};
use super::cores;
use super::index::{Index, Slice, advance, kings_rank, seen, subsets};
use super::value::Wdl;

/// What is known of a position while families are worked out: a count of the king's steps that may yet save it from
/// losing, or one of these.
const OPEN: u8 = 0x40; // A draw at least.
const DRAWN: u8 = 0x80;
const LOST: u8 = 0x82;
const WON: u8 = 0x84;
/// Added to a value that the positions before it do not know yet.
const NEWLY: u8 = 0x01;
/// Added to the value of a position that must capture.
const LOUD: u8 = 0x20;

/// The values of all positions of an [`Index`], a byte each.
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

    /// The value of the position with this number, once its family has been worked out.
    #[inline(always)]
    pub(super) fn get(&self, number: usize) -> Wdl {
        match self.byte(number) & !(NEWLY | LOUD) {
            WON => Wdl::Win,
            LOST => Wdl::Loss,
            _ => Wdl::Draw,
        }
    }

    /// Whether the side to move must capture.
    pub(super) fn loud(&self, number: usize) -> bool {
        self.byte(number) & (DRAWN | LOUD) == DRAWN | LOUD
    }

    /// The value of a position in which White is to move, for White.
    #[inline(always)]
    fn reply(&self, after: &Board) -> Wdl {
        if after.pieces[1] == 0 { Wdl::Loss } else { self.get(self.index.of(&after.mirrored())) }
    }
}

/// Positions whose men stand alike, seen by one of the sides.
#[derive(Clone, Copy)]
struct Half<'i> {
    slice: &'i Slice,
    own: u32,
    other: u32,
    /// The number of the first.
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

/// A family: both halves, which are one where both sides look alike.
#[derive(Clone, Copy)]
struct Family<'i> {
    halves: [Half<'i>; 2],
}

impl Family<'_> {
    fn sides(&self) -> &[Half<'_>] {
        if self.halves[0].first == self.halves[1].first { &self.halves[..1] } else { &self.halves }
    }
}

/// The families with `pieces` pieces of which `men` are men, by how far those have come.
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

/// Families larger than this are begun on all cores.
const LARGE: usize = 1 << 16;

/// Works out all positions of up to `pieces` pieces. `seen` is told how many are done; nothing comes back if `stop` goes up.
pub(super) fn build(pieces: usize, stop: &AtomicBool, seen: &(dyn Fn(u64) + Sync)) -> Option<Values> {
    let index = Index::new(pieces);
    let mut bytes = Vec::new();
    bytes.resize_with(index.len, AtomicU8::default);
    let values = Values { index, bytes };
    let done = AtomicU64::new(0);
    for n in 2..=pieces {
        for men in 0..=n {
            for level in families(&values.index, n, men).iter().rev() {
                cores::each_with_list(level, |news, family| {
                    if !stop.load(Relaxed) {
                        work_out(&values, family, news);
                        let positions: usize = family.sides().iter().map(|half| half.slice.kings).sum();
                        seen(done.fetch_add(positions as u64, Relaxed) + positions as u64);
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

/// A position of a family whose value has become known: the half, its kings, and whether it is won.
type News = (usize, u32, u32, bool);

fn work_out(values: &Values, family: &Family<'_>, news: &mut Vec<News>) {
    for half in family.sides() {
        let kings = u32::from(half.slice.material.own.kings);
        let begin = |(at, own_kings)| begin(values, half, at, own_kings);
        if half.slice.kings >= LARGE {
            cores::map(subsets(half.free(), kings).enumerate().collect(), begin);
        } else {
            subsets(half.free(), kings).enumerate().for_each(begin);
        }
    }
    if family.halves[0].slice.material.men() == family.halves[0].slice.material.pieces() {
        return; // Without kings nothing leads back.
    }
    for (side, half) in family.sides().iter().enumerate() {
        let [own, other] = [half.slice.material.own.kings, half.slice.material.other.kings].map(u32::from);
        let mut number = half.first;
        for own_kings in subsets(half.free(), own) {
            for other_kings in subsets(half.free() & !own_kings, other) {
                let byte = values.byte(number);
                if byte & (DRAWN | NEWLY) == DRAWN | NEWLY {
                    values.set(number, byte & !NEWLY);
                    news.push((side, own_kings, other_kings, byte & !(NEWLY | LOUD) == WON));
                    while let Some(one) = news.pop() {
                        carry_back(values, family, one, news);
                    }
                }
                number += 1;
            }
        }
    }
}

/// What can be said of positions before any step of a king is followed.
fn begin(values: &Values, half: &Half<'_>, at: usize, own_kings: u32) {
    let others = subsets(half.free() & !own_kings, u32::from(half.slice.material.other.kings));
    for (number, other_kings) in (half.first + at * half.slice.other_kings..).zip(others) {
        values.set(number, first_look(values, &seen(half.own, half.other, own_kings, other_kings)));
    }
}

fn first_look(values: &Values, board: &Board) -> u8 {
    let jumpers = board.jumpers();
    let loud = if jumpers != 0 { LOUD } else { 0 };
    // Nothing to play is a loss.
    let mut best = Wdl::Loss;
    let mut steps_of_kings = 0;
    if jumpers != 0 {
        board.each_jump(jumpers, &mut |m| {
            if best != Wdl::Win {
                best = best.max(-values.reply(&board.after(m)));
            }
        });
    } else {
        board.each_step(&mut |m| {
            if board.kings & m.mask_from() != 0 {
                steps_of_kings += 1;
            } else if best != Wdl::Win {
                best = best.max(-values.reply(&board.after(m)));
            }
        });
    }
    match best {
        Wdl::Win => WON | NEWLY | loud,
        Wdl::Loss if steps_of_kings == 0 => LOST | NEWLY | loud,
        Wdl::Loss => steps_of_kings,
        Wdl::Draw if steps_of_kings == 0 => DRAWN | loud,
        Wdl::Draw => OPEN,
    }
}

/// Tells the positions from which a step of a king leads here.
#[inline(always)]
fn carry_back(values: &Values, family: &Family<'_>, (side, own_kings, other_kings, won): News, news: &mut Vec<News>) {
    let here = &family.halves[side];
    // Where both sides look alike there is one half.
    let before_side = (1 - side) % family.sides().len();
    let before = &family.halves[before_side];
    let (free, own_turned) = (here.free() & !own_kings & !other_kings, turned(own_kings));
    for d in 0..4 {
        let mut came_from = step(other_kings, d) & free;
        while came_from != 0 {
            let from = came_from & came_from.wrapping_neg();
            came_from ^= from;
            // Direction d ^ 2 is the way back.
            let kings_before = turned(other_kings & !step(from, d ^ 2) | from);
            let number = before.number(kings_before, own_turned);
            let byte = values.byte(number);
            let byte_now = match byte {
                // A position that must capture is known from the first look on, so these take no step in vain.
                1..=OPEN if !won => WON,
                1 => LOST,
                2..OPEN => byte - 1,
                _ => continue,
            };
            values.set(number, byte_now);
            if byte_now >= DRAWN {
                news.push((before_side, kings_before, own_turned, byte_now == WON));
            }
        }
    }
}
