//! One search on many machines: each has a table of its own and makes the same passes, and they tell each other what they find.
//!
//! A guess that is right takes two passes to prove, f ≥ g and f < g + 1. So every other machine begins an iteration with the
//! second: two searches that have little in common are shared better than one. The first of the two answers counts for all, and
//! then all go on with the other.

use core::fmt::Debug;

use crate::memory::table::NO_MOVE;
use crate::value::{Gamma, Value};

/// The other machines at work on the same search, and the way to them.
///
/// All make the same passes, one after the other, but for the first of an iteration. A note is a fact, or a hint where somebody
/// is: one that is lost, comes late or comes twice costs time, never correctness.
pub trait Peers: Debug + Send + Sync {
    /// Which of the machines this is, from 0.
    fn number(&self) -> usize;

    /// The least number of visits that a node must have taken for the others to hear about it.
    fn least_effort(&self) -> u32;

    /// A thread begins with the pass, from 0.
    fn begin(&self, thread: usize);

    /// Takes a note for the others.
    fn send(&self, note: Message);

    /// A thread has made so many more visits. Hands over the notes of others, and says whether the pass is over, and after how many
    /// visits to ask again.
    fn poll(&self, thread: usize, visits: u64, take: &mut dyn FnMut(Message)) -> Polled;

    /// A thread is done with the pass, or could not begin it.
    fn end(&self, thread: usize);

    /// All threads are done with the pass. Takes the answer of this machine, if it has one, and gives that which counts for
    /// all; nothing where there will be none.
    fn agree(&self, own: Option<PassResult>) -> Option<PassResult>;
}

/// What a thread hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polled {
    /// Go on for so many visits.
    Continue(u64),
    /// Somebody has the answer of the pass.
    Done,
}

/// A table entry, or the mark of a position that somebody has come to; its entry tells that he has left. Two words that
/// machines of one kind understand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message(pub [u64; 2]);

/// The answer of a pass, with its move: a word that machines of one kind understand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassResult(pub u64);

impl Message {
    /// Whether it is a table entry, which is true for ever, rather than a mark.
    pub fn is_fact(self) -> bool {
        self.0[1] != VISITING
    }
}

impl PassResult {
    pub(super) fn new(gamma: Gamma, g: Value, code: Option<u16>, estimated: bool) -> PassResult {
        let (gamma, g) = (u64::from(gamma.bound().to_bits()), u64::from(g.to_bits()));
        PassResult(g | u64::from(code.unwrap_or(NO_MOVE)) << 16 | gamma << 32 | u64::from(estimated) << 48)
    }

    /// The question, its answer, the code of the move, and whether the answer rests on an evaluation.
    pub(super) fn unpacked(self) -> (Gamma, Value, u16, bool) {
        let [g, code, gamma] = [0, 16, 32].map(|at| (self.0 >> at) as u16);
        (Gamma::below(Value::from_bits(gamma)), Value::from_bits(g), code, self.0 >> 48 & 1 == 1)
    }
}

/// How many visits nodes of each depth take: an average of the last few, in sixteenths. The same depth is a handful of visits
/// in one game and thousands in another.
pub(crate) struct Efforts([u32; 256]);

/// Averages stop here, so that they cannot overflow.
const MOST_EFFORT: u32 = 1 << 20;

impl Efforts {
    /// Until more is known, a ply makes a node three times as large.
    pub(crate) fn new() -> Efforts {
        Efforts(core::array::from_fn(|depth| 16 * 3_u32.saturating_pow(depth as u32).min(MOST_EFFORT)))
    }

    pub(super) fn learn(&mut self, depth: u8, visits: u64) {
        let average = &mut self.0[usize::from(depth)];
        *average = *average - *average / 16 + visits.min(u64::from(MOST_EFFORT)) as u32;
    }

    pub(super) fn expected(&self, depth: u8) -> u32 {
        self.0[usize::from(depth)] / 16
    }
}

/// The second word of a mark. No entry has it: it has a generation.
pub(super) const VISITING: u64 = 0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_comes_home_as_it_was_sent() {
        let value = Value::score(-321).unwrap_or_default();
        for (code, estimated) in [(None, true), (Some(77), false)] {
            let gamma = Gamma::below(value + 5);
            let unpacked = PassResult::new(gamma, value, code, estimated).unpacked();
            assert_eq!(unpacked, (gamma, value, code.unwrap_or(NO_MOVE), estimated));
        }
    }

    #[test]
    fn efforts_follow_what_nodes_take() {
        let mut efforts = Efforts::new();
        assert_eq!([0, 1, 2, 5].map(|depth| efforts.expected(depth)), [1, 3, 9, 243]);
        assert_eq!(efforts.expected(255), MOST_EFFORT);
        (0..200).for_each(|_| efforts.learn(2, 1_000));
        assert!((990..=1_000).contains(&efforts.expected(2)), "{}", efforts.expected(2));
        (0..200).for_each(|_| efforts.learn(2, u64::MAX));
        assert!(efforts.expected(2) <= MOST_EFFORT);
        assert_eq!(efforts.expected(3), 27);
    }
}
