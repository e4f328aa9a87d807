//! Run specifications: one position, one algorithm, one set of settings. The identity of a run is a text with all of them.
//! It identifies finished runs in the database.

use emtee::Algorithm;
use emtee::research::{Guess, Keep};

use crate::experiment::bounds;

/// The kind of measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RunKind {
    /// The counts of a search.
    Count,
    /// The counts of a search whose threads run in turns on a virtual clock, as if each had its own core, and its virtual time.
    Virtual,
    /// The counts of a search whose first guess in each iteration is the known value plus an offset (figure 10).
    FirstGuess {
        /// The offset, h − f.
        offset: i32,
    },
    /// The left-first minimal graph.
    Minimal,
    /// The number of different positions among the leaf evaluations.
    Evaluations,
    /// Processor time relative to another algorithm, measured in interleaved ABBA rounds.
    Time {
        /// Number of ABBA rounds.
        rounds: u32,
        /// The other algorithm.
        against: Algorithm,
        /// Lowest height of its enhanced transposition cutoffs; 0 for none.
        against_etc: u8,
        /// The source of its first guesses, if another one.
        against_guess: Option<Guess>,
    },
}

/// The specification of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Spec {
    /// The kind of measurement.
    pub kind: RunKind,
    /// The game.
    pub game: String,
    /// The position, in the text format of the game.
    pub position: String,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Search depth.
    pub depth: u8,
    /// Plies from one iteration to the next; 0 for a single iteration.
    pub step: u8,
    /// Size of the transposition table, in entries.
    pub entries: usize,
    /// Whether a table entry keeps one bound instead of two.
    pub one_bound: bool,
    /// Lowest height of enhanced transposition cutoffs; 0 for none.
    pub etc: u8,
    /// Grain: evaluations are rounded to multiples of this.
    pub grain: i32,
    /// Source of the first guess of each iteration.
    pub guess: Guess,
    /// Number of search threads.
    pub threads: usize,
    /// Name of the evaluator; `None`: the game's own evaluation.
    pub evaluator: Option<String>,
}

impl Spec {
    /// Number of bounds per table entry.
    pub fn keep(&self) -> Keep {
        if self.one_bound { Keep::OneBound } else { Keep::TwoBounds }
    }

    /// Whether this run measures time and must run alone on the machine.
    pub fn is_timing(&self) -> bool {
        matches!(self.kind, RunKind::Time { .. })
    }

    /// The kind of measurement, as in the database.
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            RunKind::Count => "count",
            RunKind::Virtual => "virtual",
            RunKind::FirstGuess { .. } => "guessing",
            RunKind::Minimal => "minimal",
            RunKind::Evaluations => "evaluations",
            RunKind::Time { .. } => "time",
        }
    }

    /// All settings of the run, in one line.
    pub fn identity(&self) -> String {
        let kind = match self.kind {
            RunKind::FirstGuess { offset } => format!("guessing{offset:+}"),
            RunKind::Time { rounds, against, against_etc, against_guess } => {
                let guess = against_guess.map_or_else(String::new, |guess| format!(" against-guess={guess}"));
                format!("time rounds={rounds} against={against} against-etc={against_etc}{guess}")
            }
            _ => String::from(self.kind_name()),
        };
        let Spec { game, position, algorithm, depth, step, entries, etc, grain, .. } = self;
        let (bounds, guess) = (bounds(self.keep()), self.guess);
        let threads = if self.threads == 1 { String::new() } else { format!(" threads={}", self.threads) };
        let evaluator = self.evaluator.as_ref().map_or_else(String::new, |name| format!(" evaluator={name}"));
        format!(
            "{kind} {game} [{position}] {algorithm} depth={depth} step={step} entries={entries} bounds={bounds} \
             etc={etc} grain={grain} guess={guess}{threads}{evaluator}"
        )
    }

    /// The run number in the database: a hash of the identity, the same in every database.
    pub fn number(&self) -> i64 {
        number(&self.identity())
    }
}

/// 63 bits of a mixed FNV-1a hash.
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
    fn identities_list_all_settings_and_are_stable() {
        let spec = Spec {
            kind: RunKind::Time { rounds: 2, against: Algorithm::BASELINE, against_etc: 3, against_guess: None },
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
        let expected = "time rounds=2 against=aspiration-negascout against-etc=3 tictactoe [XX-OO----] mtd-f depth=8 \
                        step=1 entries=1024 bounds=one etc=0 grain=1 guess=two-back";
        assert_eq!(spec.identity(), expected);
        assert_eq!(spec.number(), number(expected));
        assert_eq!(number("emtee"), 6_557_268_589_804_191_079);
        let guessed = Spec { kind: RunKind::FirstGuess { offset: -5 }, ..spec.clone() };
        assert!(guessed.identity().starts_with("guessing-5 tictactoe "));
        assert_ne!(guessed.number(), spec.number());
    }
}
