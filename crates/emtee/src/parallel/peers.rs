//! One search by several ranks, for example on several machines. Each has its own table and makes the same passes; they send
//! each other table entries and in-progress marks.
//!
//! A correct guess g takes two passes to prove: f ≥ g and f < g + 1. So every other rank begins an iteration with the second
//! pass: two searches that have little in common are shared better than one. All ranks use the result that is found first, and
//! then continue with the other pass.

use core::fmt::Debug;

use crate::memory::table::NO_MOVE;
use crate::value::{Gamma, Value};

/// The transport between the ranks of one search.
///
/// All ranks make the same passes in the same order, except the first of an iteration. A [`Message`] that is lost, late or
/// duplicated costs time, never correctness.
pub trait Peers: Debug + Send + Sync {
    /// The number of this rank, from 0.
    fn number(&self) -> usize;

    /// The least number of visits that a node must take for its entry to be sent to the other ranks.
    fn least_effort(&self) -> u32;

    /// A thread begins the pass. Threads are numbered from 0.
    fn begin(&self, thread: usize);

    /// Sends a message to the other ranks.
    fn send(&self, message: Message);

    /// Called by a thread after `visits` more visits. Passes the messages of other ranks to `receive`. Returns whether the
    /// pass is over, and if not, after how many visits to poll again.
    fn poll(&self, thread: usize, visits: u64, receive: &mut dyn FnMut(Message)) -> Polled;

    /// A thread has ended the pass, or could not begin it.
    fn end(&self, thread: usize);

    /// Called once all threads have ended the pass, with the result of this rank if it has one. Returns the result that all
    /// ranks use; `None` if there will be none.
    fn agree(&self, own: Option<PassResult>) -> Option<PassResult>;
}

/// The result of [`Peers::poll`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polled {
    /// The pass continues; poll again after this many visits.
    Continue(u64),
    /// The pass is over: a rank has its result.
    Done,
}

/// A table entry, or the in-progress mark of a position that a rank has begun to search; the position's entry removes the mark.
/// Two words, which only machines of the same kind can exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message(pub [u64; 2]);

/// The result of a pass with its move: one word, which only machines of the same kind can exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassResult(pub u64);

impl Message {
    /// Whether it is a table entry, which stays true forever, not a mark.
    pub fn is_fact(self) -> bool {
        self.0[1] != VISITING
    }
}

impl PassResult {
    pub(super) fn new(gamma: Gamma, g: Value, code: Option<u16>, estimated: bool) -> PassResult {
        let (gamma, g) = (u64::from(gamma.bound().to_bits()), u64::from(g.to_bits()));
        PassResult(g | u64::from(code.unwrap_or(NO_MOVE)) << 16 | gamma << 32 | u64::from(estimated) << 48)
    }

    /// γ, g, the code of the move, and whether g depends on a static evaluation.
    pub(super) fn unpacked(self) -> (Gamma, Value, u16, bool) {
        let [g, code, gamma] = [0, 16, 32].map(|shift| (self.0 >> shift) as u16);
        (Gamma::below(Value::from_bits(gamma)), Value::from_bits(g), code, self.0 >> 48 & 1 == 1)
    }
}

/// The average visits per node at each depth, in sixteenths: a moving average of recent nodes. The same depth takes a few
/// visits in one game and thousands in another.
pub(crate) struct Efforts([u32; 256]);

/// The greatest average, so that averages cannot overflow.
const MAX_EFFORT: u32 = 1 << 20;

impl Efforts {
    /// Until nodes are measured, each ply is assumed to triple the visits.
    pub(crate) fn new() -> Efforts {
        Efforts(core::array::from_fn(|depth| 16 * 3_u32.saturating_pow(depth as u32).min(MAX_EFFORT)))
    }

    pub(super) fn learn(&mut self, depth: u8, visits: u64) {
        let average = &mut self.0[usize::from(depth)];
        *average = *average - *average / 16 + visits.min(u64::from(MAX_EFFORT)) as u32;
    }

    pub(super) fn expected(&self, depth: u8) -> u32 {
        self.0[usize::from(depth)] / 16
    }
}

/// The second word of a mark message. No entry has this value, because its generation is never 0.
pub(super) const VISITING: u64 = 0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_result_round_trips() {
        let value = Value::score(-321).unwrap_or_default();
        for (code, estimated) in [(None, true), (Some(77), false)] {
            let gamma = Gamma::below(value + 5);
            let unpacked = PassResult::new(gamma, value, code, estimated).unpacked();
            assert_eq!(unpacked, (gamma, value, code.unwrap_or(NO_MOVE), estimated));
        }
    }

    #[test]
    fn efforts_follow_the_visits_of_nodes() {
        let mut efforts = Efforts::new();
        assert_eq!([0, 1, 2, 5].map(|depth| efforts.expected(depth)), [1, 3, 9, 243]);
        assert_eq!(efforts.expected(255), MAX_EFFORT);
        (0..200).for_each(|_| efforts.learn(2, 1_000));
        assert!((990..=1_000).contains(&efforts.expected(2)), "{}", efforts.expected(2));
        (0..200).for_each(|_| efforts.learn(2, u64::MAX));
        assert!(efforts.expected(2) <= MAX_EFFORT);
        assert_eq!(efforts.expected(3), 27);
    }
}
