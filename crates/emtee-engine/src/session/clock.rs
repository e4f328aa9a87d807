//! The limits of a move: clock, depth, nodes and the kind of search.

use std::time::Duration;

/// The limits of a move. Every field is optional. Without limits, an engine thinks until it is stopped or the result is
/// exact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// A fixed time for this move.
    pub move_time: Option<Duration>,
    /// The time left on the clock.
    pub left: Option<Duration>,
    /// The increment per move.
    pub increment: Duration,
    /// The number of moves until the next time control. `None`: the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// The maximum depth.
    pub depth: Option<u8>,
    /// The maximum number of nodes.
    pub nodes: Option<u64>,
    /// Stop once a win within this many of our own moves is proved.
    pub mate: Option<u32>,
    /// Ponder: the opponent is still thinking. The clock starts with
    /// [`Control::ponder_hit`](super::Control::ponder_hit).
    pub ponder: bool,
    /// Do not answer before [`Control::stop`](super::Control::stop), even when the result is exact.
    pub infinite: bool,
    /// Search only these moves. Empty: all moves.
    pub moves: Vec<String>,
    /// The number of best moves to rank. 0 means 1.
    pub lines: usize,
    /// The caller analyses the position, so the opening book is not probed.
    pub analysis: bool,
    /// Whether a long search shows the root moves as it searches them.
    pub root_moves: bool,
}

impl Clock {
    /// A fixed time per move.
    pub fn move_time(time: Duration) -> Clock {
        Clock { move_time: Some(time), ..Clock::default() }
    }

    /// A fixed time per move, in milliseconds.
    pub fn ms(ms: u64) -> Clock {
        Clock::move_time(Duration::from_millis(ms))
    }

    /// A number of nodes per move: the same on every machine.
    pub fn nodes(nodes: u64) -> Clock {
        Clock { nodes: Some(nodes), ..Clock::default() }
    }

    /// A fixed depth.
    pub fn depth(depth: u8) -> Clock {
        Clock { depth: Some(depth), ..Clock::default() }
    }

    /// A clock with an increment per move.
    pub fn left(left: Duration, increment: Duration) -> Clock {
        Clock { left: Some(left), increment, ..Clock::default() }
    }

    /// Whether nothing but a stop is sure to end the search. A mate may never be found.
    pub(crate) fn is_unlimited(&self) -> bool {
        let limited = self.move_time.is_some() || self.left.is_some() || self.depth.is_some() || self.nodes.is_some();
        self.infinite || self.mate.is_some() && !limited
    }

    /// Whether only a move is needed, so that an opening book may choose it.
    pub(crate) fn only_needs_a_move(&self) -> bool {
        let more = self.analysis || self.infinite || self.ponder || self.mate.is_some();
        !more && self.lines <= 1 && self.moves.is_empty()
    }

    /// The time allowance of a move. `overhead` is lost in communication. `None`: there is no time limit.
    pub(crate) fn allowance(&self, overhead: Duration) -> Option<Allowance> {
        let by_clock = self.left.map(|left| self.clock_allowance(left, overhead));
        let by_move = self.move_time.map(|time| {
            // A fixed move time is used fully, except what the answer takes.
            let max = time.saturating_sub(overhead.min(time / 20)).max(MIN_TIME);
            Allowance { target: None, max }
        });
        match (by_clock, by_move) {
            (Some(clock), Some(fixed)) => Some(Allowance { max: clock.max.min(fixed.max), ..clock }),
            (one, other) => one.or(other),
        }
    }

    fn clock_allowance(&self, left: Duration, overhead: Duration) -> Allowance {
        let usable = left.saturating_sub(overhead);
        let (moves, increment) = match self.moves_to_go {
            Some(moves) => (moves.clamp(1, MOVES_TO_GO), self.increment * 3 / 4),
            None if self.increment.is_zero() => (MOVES_TO_GO, Duration::ZERO),
            // With an increment, a larger part of the remaining time can be spent. A move usually takes half its share.
            None => (MOVES_WITH_INCREMENT, self.increment * 3 / 2),
        };
        // Each of the remaining moves also costs the overhead.
        let shared = left.saturating_sub(overhead * moves.min(10)).max(usable / 2);
        // The last move before the next time control may take nearly all of the time.
        let cap = if moves == 1 { usable * 9 / 10 } else { usable * 2 / 3 };
        let target = (shared / moves + increment).min(cap).max(MIN_TIME);
        let max = (target * 4).min(cap).max(MIN_TIME);
        Allowance { target: Some(target), max }
    }
}

/// The minimum time for a move.
const MIN_TIME: Duration = Duration::from_millis(1);

/// The expected number of remaining moves.
const MOVES_TO_GO: u32 = 28;

/// The same, if there is an increment.
const MOVES_WITH_INCREMENT: u32 = 16;

/// The time allowance of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// The usual time. `None`: all of the time is used.
    pub(crate) target: Option<Duration>,
    /// The maximum time.
    pub(crate) max: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn no_allowance_exceeds_the_clock() {
        for left in [0, 1, 5, 11, 50, 200, 1_000, 60_000, 7_200_000] {
            for increment in [0, 1, 100, 10_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let clock = Clock { moves_to_go, ..Clock::left(ms(left), ms(increment)) };
                    let allowance = clock.allowance(OVERHEAD).unwrap();
                    let usable = ms(left).saturating_sub(OVERHEAD).max(MIN_TIME);
                    assert!(allowance.max <= usable, "{clock:?}: {allowance:?}");
                    assert!(allowance.target.unwrap() <= allowance.max, "{clock:?}: {allowance:?}");
                }
            }
        }
    }

    #[test]
    fn no_game_length_uses_up_the_clock() {
        let mut left = ms(60_000);
        for _ in 0..200 {
            let allowance = Clock::left(left, Duration::ZERO).allowance(OVERHEAD).unwrap();
            left = left.saturating_sub(allowance.target.unwrap() + OVERHEAD / 4);
        }
        assert!(left > ms(20), "{left:?}");
    }

    /// The time left after this many moves, if each takes this share of its target.
    fn left_after(moves: u32, base: u64, increment: u64, hundredths: u32) -> Duration {
        (0..moves).fold(ms(base), |left, _| {
            let target = Clock::left(left, ms(increment)).allowance(OVERHEAD / 10).unwrap().target.unwrap();
            let used = target * hundredths / 100;
            assert!(used < left, "{left:?}");
            left - used + ms(increment)
        })
    }

    /// A move usually takes half of its target: most best moves stay the same for many iterations.
    #[test]
    fn an_increment_lets_most_of_the_time_be_used() {
        for (base, increment) in [(2_000, 20), (60_000, 600), (180_000, 2_000)] {
            let left = left_after(60, base, increment, 50);
            assert!(left < ms(base) / 4, "{base}+{increment}: {left:?}");
            assert!(left_after(300, base, increment, 50) >= ms(increment), "{base}+{increment}");
            // Even if every move takes the maximum.
            assert!(left_after(300, base, increment, 150) >= ms(increment), "{base}+{increment}");
        }
    }

    #[test]
    fn a_move_time_is_used_and_never_exceeded() {
        assert_eq!(Clock::ms(100).allowance(OVERHEAD), Some(Allowance { target: None, max: ms(95) }));
        assert_eq!(Clock::ms(10_000).allowance(OVERHEAD), Some(Allowance { target: None, max: ms(9_990) }));
        assert_eq!(Clock::ms(0).allowance(OVERHEAD), Some(Allowance { target: None, max: MIN_TIME }));
        assert_eq!(Clock::nodes(1_000).allowance(OVERHEAD), None);
    }
}
