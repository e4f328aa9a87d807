//! The laws that every game must keep, to be checked on yours.
//!
//! A search believes what a game says: that a key tells positions apart, that a move leads to the same place twice. A game
//! that breaks its word is searched wrongly and nobody notices. Put this into your tests:
//!
//! ```
//! use emtee::{Game, OwnEvaluation, laws};
//! use emtee_games::kalah::Board;
//!
//! let checked = laws::check(&Board::default(), &OwnEvaluation, 20, 1).unwrap();
//! assert!(checked.positions > 100);
//! laws::agree(&Board::default(), &OwnEvaluation, 4).unwrap();
//! ```

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::algorithm::Algorithm;
use crate::builder::player;
use crate::game::{Evaluate, Game, Moves, Outcome, Quiescence};
use crate::key::{key_of, mix};
use crate::limits::Budget;
use crate::memory::table::{NO_MOVE, Size};
use crate::value::Value;

/// What was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// Random games played.
    pub games: u32,
    /// Positions in them.
    pub positions: u64,
    /// Different keys among them.
    pub keys: usize,
}

/// A law that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Broken {
    /// The law.
    pub law: &'static str,
    /// What happened. `#3` is the move at place 3 of the position's list.
    pub detail: String,
    /// How to get there: the place of each move in the list of its position.
    pub path: Vec<usize>,
}

impl Broken {
    /// A law of your own that was broken.
    pub fn new(law: &'static str, detail: String) -> Broken {
        Broken { law, detail, path: Vec::new() }
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.law, self.detail)?;
        if self.path.is_empty() { Ok(()) } else { write!(f, " (after the moves numbered {:?})", self.path) }
    }
}

impl core::error::Error for Broken {}

/// Random games are cut off here: some games need not end.
const LONGEST_GAME: usize = 300;

/// Loud lines that go on for longer have no end.
const LONGEST_NOISY_LINE: usize = 200;

/// Checks the laws along `games` random games from a position. The same seed plays the same games.
///
/// * the list of moves depends on the position alone, and no move or code stands in it twice;
/// * playing a move twice leads to the same place and leaves the position as it was;
/// * the key after a move is that of the position after it;
/// * equal positions have equal keys, and equal keys mean the same side, moves, outcome and evaluation;
/// * evaluations and points lie within the range of scores;
/// * noisy moves are legal, all of them are listed when they are forced, and every line of noisy moves ends;
/// * a code recalls the move that has it or nothing, whoever has a choice has two moves, nobody passes without a move to make, and where selective search is on, forced loud
///   positions say that they are forced.
pub fn check<G: Game>(start: &G, evaluator: &impl Evaluate<G>, games: u32, seed: u64) -> Result<Checked, Broken> {
    let mut random = seed;
    let mut checked = Checked { games, ..Checked::default() };
    let mut seen = Seen::default();
    for _ in 0..games {
        let mut position = start.clone();
        let mut path = Vec::new();
        for _ in 0..LONGEST_GAME {
            checked.positions += 1;
            let broken = |(law, detail)| Broken { law, detail, path: path.clone() };
            let moves = check_position(&position, evaluator, &mut seen).map_err(broken)?;
            if moves.is_empty() {
                break;
            }
            random = random.wrapping_add(1);
            let which = (mix(random) % moves.len() as u64) as usize;
            path.push(which);
            position = position.play(moves[which]);
        }
    }
    checked.keys = seen.signatures.len();
    Ok(checked)
}

/// What keys and hashes have stood for so far.
#[derive(Default)]
struct Seen {
    signatures: BTreeMap<u64, u64>,
    keys: BTreeMap<u64, u64>,
}

type Law = (&'static str, String);

/// A law, and what happened where it was not kept.
fn keep(kept: bool, law: &'static str, detail: impl FnOnce() -> String) -> Result<(), Law> {
    if kept { Ok(()) } else { Err((law, detail())) }
}

fn check_position<G: Game>(n: &G, evaluator: &impl Evaluate<G>, seen: &mut Seen) -> Result<Vec<G::Move>, Law> {
    let (outcome, score) = (n.outcome(), evaluator.evaluate(n));
    let same = outcome == n.outcome() && score == evaluator.evaluate(n);
    let law = "an outcome and an evaluation depend on the position alone";
    keep(same, law, || "they differ when asked twice".into())?;
    let points = if let Some(Outcome::Points(points)) = outcome { points } else { 0 };
    for value in [score, points] {
        keep(Value::score(value).is_some(), "scores lie within ±31000", || format!("one is {value}"))?;
    }
    let moves = list(n)?;
    let mut codes: Vec<u16> = moves.iter().enumerate().map(|(at, &m)| n.code(m, at)).collect();
    check_codes(&codes)?;
    check_play(n, &moves)?;
    check_loud(n, &moves)?;
    check_selective(n, &moves)?;

    let key = n.key();
    let outcome_word = outcome.map(|outcome| match outcome {
        Outcome::Won => (0, 0),
        Outcome::Lost => (1, 0),
        Outcome::Drawn => (2, 0),
        Outcome::Points(points) => (3, points),
    });
    // Mirror images that share a key may list their moves in another order.
    codes.sort_unstable();
    let signature = key_of(&(n.turn(), outcome_word, codes, score));
    let same = *seen.signatures.entry(key).or_insert(signature) == signature;
    let detail = || format!("two positions with the key {key:#x} differ in side, moves, outcome or evaluation");
    keep(same, "a key tells a position from every other", detail)?;
    let same = *seen.keys.entry(key_of(n)).or_insert(key) == key;
    let detail = || format!("a position was met with the key {key:#x} and with another");
    keep(same, "equal positions have equal keys", detail)?;
    Ok(moves)
}

fn list<G: Game>(n: &G) -> Result<Vec<G::Move>, Law> {
    let moves = crate::game::legal_moves(n);
    let same = moves == crate::game::legal_moves(n);
    keep(same, "the list of moves depends on the position alone", || "it differs when asked twice".into())?;
    for (at, m) in moves.iter().enumerate() {
        if let Some(before) = moves[..at].iter().position(|other| other == m) {
            return Err(("no move is listed twice", format!("#{before} and #{at} are the same")));
        }
    }
    Ok(moves)
}

fn check_codes(codes: &[u16]) -> Result<(), Law> {
    let law = "every move has a code of its own, below 65535";
    codes.iter().enumerate().try_for_each(|(at, code)| {
        keep(*code != NO_MOVE && !codes[..at].contains(code), law, || format!("#{at} has the code {code}"))
    })
}

fn check_play<G: Game>(n: &G, moves: &[G::Move]) -> Result<(), Law> {
    let law = "playing a move leads to the same place each time and leaves the position as it was";
    let before = (key_of(n), n.key(), n.turn());
    for (at, &m) in moves.iter().enumerate() {
        let (once, twice) = (n.play(m), n.play(m));
        let same = (once.key(), once.turn(), key_of(&once)) == (twice.key(), twice.turn(), key_of(&twice));
        keep(same, law, || format!("#{at} leads to two places"))?;
        let right = n.key_after(m).is_none_or(|key| key == once.key());
        let law = "the key after a move is that of the position after it";
        keep(right, law, || format!("that of #{at} is another"))?;
    }
    keep(before == (key_of(n), n.key(), n.turn()), law, || "the position changed".into())
}

fn check_loud<G: Game>(n: &G, legal: &[G::Move]) -> Result<(), Law> {
    if n.outcome().is_some() {
        return Ok(());
    }
    let mut position = n.clone();
    for depth in 0..LONGEST_NOISY_LINE {
        let mut noisy = Moves::new();
        let quiescence = position.noisy_moves(&mut noisy);
        let noisy: Vec<G::Move> = noisy.iter().collect();
        let legal = if depth == 0 { legal.to_vec() } else { crate::game::legal_moves(&position) };
        if let Some(at) = noisy.iter().position(|m| !legal.contains(m)) {
            return Err(("noisy moves are legal", format!("noisy move {at} is not among the moves")));
        }
        if quiescence == Quiescence::Forced {
            let detail = || format!("{} of {} are listed", noisy.len(), legal.len());
            keep(noisy.len() == legal.len(), "a forced position lists all its moves as noisy", detail)?;
            let detail = || "one is noisy and forced, and says that it is not forced".into();
            keep(!G::TUNING.selective.is_on() || position.forced(), "positions that are forced say so", detail)?;
        }
        match noisy.first() {
            Some(&m) if quiescence != Quiescence::Quiet => position = position.play(m),
            _ => return Ok(()),
        }
        if position.outcome().is_some() {
            return Ok(());
        }
    }
    Err(("every line of noisy moves ends", format!("one is longer than {LONGEST_NOISY_LINE} plies")))
}

fn check_selective<G: Game>(n: &G, legal: &[G::Move]) -> Result<(), Law> {
    if n.outcome().is_some() {
        return Ok(());
    }
    for (at, &m) in legal.iter().enumerate() {
        let right = n.move_from_code(n.code(m, at)).is_none_or(|recalled| recalled == m);
        keep(right, "a code recalls the move that has it", || format!("#{at} is taken for another"))?;
    }
    // The codes of other positions, which a key that two positions share could bring here: some of each size.
    let codes: Vec<u16> = legal.iter().enumerate().map(|(at, &m)| n.code(m, at)).collect();
    let others = (0..400).map(|at| if at < 200 { at } else { mix(n.key() ^ u64::from(at)) as u16 });
    for code in others.filter(|code| *code != NO_MOVE && !codes.contains(code)) {
        let detail = || format!("the code {code} recalls a move");
        keep(n.move_from_code(code).is_none(), "a code that no move has recalls nothing", detail)?;
    }
    let detail = || format!("a position says so and has {}", legal.len());
    keep(!n.has_choice() || legal.len() >= 2, "whoever has a choice has two moves", detail)?;
    let Some(passed) = n.null_move() else { return Ok(()) };
    keep(!legal.is_empty(), "nobody passes who has no move", || "somebody does".into())?;
    keep(passed.turn() != n.turn(), "after a pass the other side moves", || "the same side does".into())
}

/// Checks that every algorithm, with a table of 2^16 entries and with one of 64, finds the value of plain minimax at a small
/// depth, and a best move that has it.
pub fn agree<G: Game, E: Evaluate<G> + Clone>(position: &G, evaluator: &E, depth: u8) -> Result<(), Broken> {
    let law = "every algorithm finds the value of minimax, and a move that has it";
    let broken = |detail: String| Broken::new(law, detail);
    let budget = Budget::depth(depth);
    let error = |error: crate::Error| broken(format!("{error}"));
    let oracle = player(evaluator.clone()).algorithm(Algorithm::Minimax).principal_variation(false).fixed_depth();
    let mut oracle = oracle.build().map_err(error)?;
    let Some(value) = oracle.think(position, budget).map_err(error)?.value else { return Ok(()) };
    for algorithm in Algorithm::ALL {
        for entries in [1 << 16, 64] {
            let mut builder = player(evaluator.clone()).algorithm(algorithm).principal_variation(false);
            if !algorithm.is_oracle() {
                builder = builder.table(Size::of_entries(entries));
            }
            let found = builder.build().and_then(|mut search| search.think(position, budget)).map_err(error)?;
            let right = match found.value {
                Some(found) => found == value,
                None => found.f.contains(value),
            };
            if !right {
                return Err(broken(format!("{algorithm} finds {}, minimax {value}", found.f)));
            }
            let Some(best) = found.best_move else { continue };
            let worth = oracle.worth(position, best, budget).map_err(error)?.unwrap_or_default();
            if worth != value {
                return Err(broken(format!("{algorithm} plays a move worth {worth}, the best is worth {value}")));
            }
        }
    }
    Ok(())
}
