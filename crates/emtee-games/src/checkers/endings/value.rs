//! Win, draw or loss.

use std::fmt;
use std::ops::Neg;

/// The value of a position for the side to move, with perfect play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// The side to move wins.
    Win,
}

impl Neg for Wdl {
    type Output = Wdl;
    #[inline(always)]
    fn neg(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Wdl::Loss => "loss",
            Wdl::Draw => "draw",
            Wdl::Win => "win",
        })
    }
}

/// The numbers of positions that are won, drawn and lost for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The positions won by the side to move.
    pub wins: u64,
    /// The drawn positions.
    pub draws: u64,
    /// The positions lost by the side to move.
    pub losses: u64,
}

impl Counts {
    /// The number of positions.
    pub const fn positions(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The sum of two counts.
    pub const fn and(self, more: Counts) -> Counts {
        Counts { wins: self.wins + more.wins, draws: self.draws + more.draws, losses: self.losses + more.losses }
    }

    pub(super) fn add(&mut self, value: Wdl) {
        match value {
            Wdl::Win => self.wins += 1,
            Wdl::Draw => self.draws += 1,
            Wdl::Loss => self.losses += 1,
        }
    }
}
