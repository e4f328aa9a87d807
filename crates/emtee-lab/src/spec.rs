//! A run: one position, one algorithm, one setting. Its identity is all of them written out, so that a run that was
//! finished once is known again.

use emtee::Algorithm;
use emtee::research::{Guess, Keep};

use crate::experiment::bounds;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RunKind {
    /// The counts of a search.
    Count,
    /// The counts of a search whose threads take turns by a virtual clock, as if each had a core of its own, and the time that
    /// would take.
    Virtual,
    /// The counts of a search whose first guess in each iteration is the value plus this (figure 10).
    Guessing {
        /// h − f.
        offset: i32,
    },
    /// The left-first minimal graph.
    Minimal,
    /// The positions that leaf evaluations were spent on.
    Evaluations,
    /// Processor time against another algorithm, interleaved.
    Time {
        /// How many times ABBA.
        rounds: u32,
        /// The other algorithm.
        against: Algorithm,
        /// Its enhanced transposition cutoffs.
        against_etc: u8,
    },
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Spec {
    /// What is measured.
    pub kind: RunKind,
    /// The game.
    pub game: String,
    /// The position, as the game reads it.
    pub position: String,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// How deep.
    pub depth: u8,
    /// Plies from one iteration to the next; 0 for one iteration.
    pub step: u8,
    /// The size of the table.
    pub entries: usize,
    /// One bound an entry or two.
    pub one_bound: bool,
    /// Enhanced transposition cutoffs from this height up; 0 for none.
    pub etc: u8,
    /// What evaluations are rounded to.
    pub grain: i32,
    /// Where first guesses come from.
    pub guess: Guess,
    /// How many threads search.
    pub threads: usize,
    /// What positions are evaluated with; the game's own evaluation if not given.
    pub evaluator: Option<String>,
}

impl Spec {
    /// How many bounds an entry keeps.
    pub fn keep(&self) -> Keep {
        if self.one_bound { Keep::OneBound } else { Keep::TwoBounds }
    }

    /// Whether this run must be alone on the machine.
    pub fn is_timing(&self) -> bool {
        matches!(self.kind, RunKind::Time { .. })
    }

    /// The word for what is measured.
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            RunKind::Count => "count",
            RunKind::Virtual => "virtual",
            RunKind::Guessing { .. } => "guessing",
            RunKind::Minimal => "minimal",
            RunKind::Evaluations => "evaluations",
            RunKind::Time { .. } => "time",
        }
    }

    /// Everything that makes this run what it is, in a line.
    pub fn identity(&self) -> String {
        let kind = match self.kind {
            RunKind::Guessing { offset } => format!("guessing{offset:+}"),
            RunKind::Time { rounds, against, against_etc } => {
                format!("time rounds={rounds} against={against} against-etc={against_etc}")
            }
            _ => String::from(self.kind_name()),
        };
        let Spec { game, position, algorithm, depth, step, entries, etc, grain, .. } = self;
        let (bounds, guess) = (bounds(self.keep()), self.guess);
        let threads = if self.threads == 1 { String::new() } else { format!(" threads={}", self.threads) };
        let evaluator = self.evaluator.as_ref().map_or_else(String::new, |name| format!(" evaluator={name}"));
        format!(
            "{kind} {game} [{position}] {algorithm} depth={depth} step={step} entries={entries} bounds={bounds} etc={etc} \
             grain={grain} guess={guess}{threads}{evaluator}"
        )
    }

    /// The number of the run in the database: its identity, hashed, so that it is the same in every database.
    pub fn number(&self) -> i64 {
        number(&self.identity())
    }
}

/// 63 bits of FNV-1a, mixed.
pub(crate) fn number(identity: &str) -> i64 {
    let hash = identity
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    (emtee::mix(hash) >> 1) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_tells_all_and_never_changes() {
        let spec = Spec {
            kind: RunKind::Time { rounds: 2, against: Algorithm::BASELINE, against_etc: 3 },
            game: String::from("tictactoe"),
            position: String::from("XX-OO----"),
            algorithm: Algorithm::MtdF,
            depth: 8,
            step: 1,
            entries: 1024,
            one_bound: true,
            etc: 0,
            grain: 1,
            guess: Guess::TwoBack,
            threads: 1,
            evaluator: None,
        };
        let told = "time rounds=2 against=aspiration-negascout against-etc=3 tictactoe [XX-OO----] mtd-f depth=8 step=1 \
                    entries=1024 bounds=one etc=0 grain=1 guess=two-back";
        assert_eq!(spec.identity(), told);
        assert_eq!(spec.number(), number(told));
        assert_eq!(number("emtee"), 6_557_268_589_804_191_079);
        let guessing = Spec { kind: RunKind::Guessing { offset: -5 }, ..spec.clone() };
        assert!(guessing.identity().starts_with("guessing-5 tictactoe "));
        assert_ne!(guessing.number(), spec.number());
    }
}
