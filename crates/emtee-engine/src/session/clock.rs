//! What the clock says, and how much of it a move may use.

use std::time::Duration;

/// What limits a move. All of it is optional; with nothing given an engine thinks until it is stopped or knows everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Exactly so long.
    pub move_time: Option<Duration>,
    /// What is left for the moves to come.
    pub left: Option<Duration>,
    /// What each move adds.
    pub increment: Duration,
    /// For how many moves the time must do; for the rest of the game if not given.
    pub moves_to_go: Option<u32>,
    /// No deeper than this.
    pub depth: Option<u8>,
    /// No more nodes than these.
    pub nodes: Option<u64>,
    /// Only until a win within so many moves of one's own is proved.
    pub mate: Option<u32>,
    /// The opponent is still thinking: the clock starts with [`Control::ponder_hit`](super::Control::ponder_hit).
    pub ponder: bool,
    /// No answer before [`Control::stop`](super::Control::stop), even when everything is known.
    pub infinite: bool,
    /// Only these moves; all of them if there are none.
    pub moves: Vec<String>,
    /// How many of the best moves are looked at; 0 is the same as 1.
    pub lines: usize,
    /// Somebody wants to know what the position is worth: no opening book is asked.
    pub analysis: bool,
    /// Whether the moves of the root are shown as they are looked at, once a search takes long.
    pub root_moves: bool,
}

impl Clock {
    /// So long a move.
    pub fn move_time(time: Duration) -> Clock {
        Clock { move_time: Some(time), ..Clock::default() }
    }

    /// So many milliseconds a move.
    pub fn ms(ms: u64) -> Clock {
        Clock::move_time(Duration::from_millis(ms))
    }

    /// So many nodes a move: the same on every machine.
    pub fn nodes(nodes: u64) -> Clock {
        Clock { nodes: Some(nodes), ..Clock::default() }
    }

    /// So deep.
    pub fn depth(depth: u8) -> Clock {
        Clock { depth: Some(depth), ..Clock::default() }
    }

    /// So much time left, and so much more with each move.
    pub fn left(left: Duration, increment: Duration) -> Clock {
        Clock { left: Some(left), increment, ..Clock::default() }
    }

    /// Whether the thinking has no end of its own: not even a mate need ever be found.
    pub(crate) fn is_endless(&self) -> bool {
        let limited = self.move_time.is_some() || self.left.is_some() || self.depth.is_some() || self.nodes.is_some();
        self.infinite || self.mate.is_some() && !limited
    }

    /// Whether a move is wanted and nothing else, so that an opening book may choose it.
    pub(crate) fn wants_a_move(&self) -> bool {
        let more = self.analysis || self.infinite || self.ponder || self.mate.is_some();
        !more && self.lines <= 1 && self.moves.is_empty()
    }

    /// How long a move may take, `overhead` being lost on the way. Nothing where time is no matter.
    pub(crate) fn allowance(&self, overhead: Duration) -> Option<Allowance> {
        let by_clock = self.left.map(|left| self.share_of(left, overhead));
        let by_move = self.move_time.map(|time| {
            // A move time is kept to the last: all of it but what answering takes.
            let most = time.saturating_sub(overhead.min(time / 20)).max(LEAST);
            Allowance { target: None, most }
        });
        match (by_clock, by_move) {
            (Some(clock), Some(fixed)) => Some(Allowance { most: clock.most.min(fixed.most), ..clock }),
            (one, other) => one.or(other),
        }
    }

    fn share_of(&self, left: Duration, overhead: Duration) -> Allowance {
        let usable = left.saturating_sub(overhead);
        let (moves, more) = match self.moves_to_go {
            Some(moves) => (moves.clamp(1, MOVES_TO_GO), self.increment * 3 / 4),
            None if self.increment.is_zero() => (MOVES_TO_GO, Duration::ZERO),
            // Whoever gets more time with every move can spend more of what is left; a move takes half its share as a rule.
            None => (MOVES_WITH_INCREMENT, self.increment * 3 / 2),
        };
        // Every move to come has its overhead too.
        let shared = left.saturating_sub(overhead * moves.min(10)).max(usable / 2);
        // The last move before more time comes may take nearly all of it.
        let cap = if moves == 1 { usable * 9 / 10 } else { usable * 2 / 3 };
        let target = (shared / moves + more).min(cap).max(LEAST);
        let most = (target * 4).min(cap).max(LEAST);
        Allowance { target: Some(target), most }
    }
}

/// However late it is, so much is thought: enough for a move.
const LEAST: Duration = Duration::from_millis(1);

/// How many more moves a game is thought to last.
const MOVES_TO_GO: u32 = 28;

/// The same where every move adds time.
const MOVES_WITH_INCREMENT: u32 = 16;

/// How long a move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// What a move takes if nothing happens; nothing where all of the time is to be used.
    pub(crate) target: Option<Duration>,
    /// What it takes at most.
    pub(crate) most: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn no_move_may_take_what_is_not_there() {
        for left in [0, 1, 5, 11, 50, 200, 1_000, 60_000, 7_200_000] {
            for increment in [0, 1, 100, 10_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let clock = Clock { moves_to_go, ..Clock::left(ms(left), ms(increment)) };
                    let allowance = clock.allowance(OVERHEAD).unwrap();
                    let usable = ms(left).saturating_sub(OVERHEAD).max(LEAST);
                    assert!(allowance.most <= usable, "{clock:?}: {allowance:?}");
                    assert!(allowance.target.unwrap() <= allowance.most, "{clock:?}: {allowance:?}");
                }
            }
        }
    }

    #[test]
    fn a_game_of_any_length_leaves_time() {
        let mut left = ms(60_000);
        for _ in 0..200 {
            let allowance = Clock::left(left, Duration::ZERO).allowance(OVERHEAD).unwrap();
            left = left.saturating_sub(allowance.target.unwrap() + OVERHEAD / 4);
        }
        assert!(left > ms(20), "{left:?}");
    }

    /// What is left after so many moves, each of which takes this share of its target.
    fn left_after(moves: u32, base: u64, increment: u64, hundredths: u32) -> Duration {
        (0..moves).fold(ms(base), |left, _| {
            let target = Clock::left(left, ms(increment)).allowance(OVERHEAD / 10).unwrap().target.unwrap();
            let used = target * hundredths / 100;
            assert!(used < left, "{left:?}");
            left - used + ms(increment)
        })
    }

    /// As a rule a move takes half of its target: most stay the best for many iterations.
    #[test]
    fn little_time_is_left_when_every_move_adds_some() {
        for (base, increment) in [(2_000, 20), (60_000, 600), (180_000, 2_000)] {
            let left = left_after(60, base, increment, 50);
            assert!(left < ms(base) / 4, "{base}+{increment}: {left:?}");
            assert!(left_after(300, base, increment, 50) >= ms(increment), "{base}+{increment}");
            // Even where all of them take as long as they may.
            assert!(left_after(300, base, increment, 150) >= ms(increment), "{base}+{increment}");
        }
    }

    #[test]
    fn a_move_time_is_used_and_never_overrun() {
        assert_eq!(Clock::ms(100).allowance(OVERHEAD), Some(Allowance { target: None, most: ms(95) }));
        assert_eq!(Clock::ms(10_000).allowance(OVERHEAD), Some(Allowance { target: None, most: ms(9_990) }));
        assert_eq!(Clock::ms(0).allowance(OVERHEAD), Some(Allowance { target: None, most: LEAST }));
        assert_eq!(Clock::nodes(1_000).allowance(OVERHEAD), None);
    }
}
