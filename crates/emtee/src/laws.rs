//! The laws of the [`Game`] trait, and checks that a game obeys them.
//!
//! The search relies on these laws and does not check them: for example, that different positions have different keys, and
//! that playing a move twice gives the same position. If a game violates one, the search returns wrong results without an
//! error. Put this into your tests:
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

/// The number of games, positions and keys that were checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// Random games played.
    pub games: u32,
    /// Positions visited in them.
    pub positions: u64,
    /// Different keys of these positions.
    pub keys: usize,
}

/// A violation of a law.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The law.
    pub law: &'static str,
    /// What was found. `#3` is the move with index 3 in the position's list.
    pub detail: String,
    /// The moves that lead to the position: the index of each in the list of its position.
    pub path: Vec<usize>,
}

impl Violation {
    /// A violation of a law of your own.
    pub fn new(law: &'static str, detail: String) -> Violation {
        Violation { law, detail, path: Vec::new() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.law, self.detail)?;
        if self.path.is_empty() { Ok(()) } else { write!(f, " (after the moves numbered {:?})", self.path) }
    }
}

impl core::error::Error for Violation {}

/// The greatest length of a random game: some games need not end.
const LONGEST_GAME: usize = 300;

/// Longer lines of noisy moves are assumed to be endless.
const LONGEST_NOISY_LINE: usize = 200;

/// Checks the laws along `games` random games from a position. The same seed gives the same games.
///
/// * [`moves`](Game::moves) depends only on the position, and no move or code is listed twice.
/// * Playing a move twice gives the same position and leaves the original unchanged.
/// * [`key_after`](Game::key_after) is the key of the position after the move.
/// * Equal positions have equal keys. Positions with equal keys have the same side to move, moves, outcome and evaluation.
/// * Evaluations and points lie within the range of scores, and depend only on the position.
/// * [`noisy_moves`](Game::noisy_moves) are legal, a [`Forced`](Quiescence::Forced) position lists all its moves, and every
///   line of noisy moves ends. If the game uses selective search, [`forced`](Game::forced) is true in such a position.
/// * [`move_from_code`](Game::move_from_code) returns the move with the code or `None`.
/// * [`has_choice`](Game::has_choice) is true only if there are two legal moves.
/// * [`null_move`](Game::null_move) is `None` if there is no legal move, and passes the move to the other side.
pub fn check<G: Game>(start: &G, evaluator: &impl Evaluate<G>, games: u32, seed: u64) -> Result<Checked, Violation> {
    check_while(start, evaluator, games, seed, |_| true)
}

/// The same, as long as `proceed` returns true. It is called before each game, with the numbers so far.
///
/// ```
/// use emtee::{OwnEvaluation, laws};
/// use emtee_games::kalah::Board;
///
/// let few = laws::check_while(&Board::default(), &OwnEvaluation, 20, 1, |so_far| so_far.games < 3).unwrap();
/// assert_eq!(few.games, 3);
/// ```
pub fn check_while<G: Game>(
    start: &G,
    evaluator: &impl Evaluate<G>,
    games: u32,
    seed: u64,
    mut proceed: impl FnMut(&Checked) -> bool,
) -> Result<Checked, Violation> {
    let mut random = seed;
    let mut checked = Checked::default();
    let mut seen = Seen::default();
    while checked.games < games && proceed(&checked) {
        checked.games += 1;
        let mut position = start.clone();
        let mut path = Vec::new();
        for _ in 0..LONGEST_GAME {
            checked.positions += 1;
            let violation = |(law, detail)| Violation { law, detail, path: path.clone() };
            let moves = check_position(&position, evaluator, &mut seen).map_err(violation)?;
            if moves.is_empty() {
                break;
            }
            random = random.wrapping_add(1);
            let index = (mix(random) % moves.len() as u64) as usize;
            path.push(index);
            position = position.play(moves[index]);
        }
    }
    checked.keys = seen.signatures.len();
    Ok(checked)
}

/// The positions seen so far.
#[derive(Default)]
struct Seen {
    /// From a key to a hash of side, moves, outcome and evaluation.
    signatures: BTreeMap<u64, u64>,
    /// From the default key, a hash of the whole position, to the game's key.
    keys: BTreeMap<u64, u64>,
}

/// A law that was violated, and what was found.
type Failure = (&'static str, String);

/// An error with the law, unless it `holds`.
fn require(holds: bool, law: &'static str, detail: impl FnOnce() -> String) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err((law, detail())) }
}

fn check_position<G: Game>(n: &G, evaluator: &impl Evaluate<G>, seen: &mut Seen) -> Result<Vec<G::Move>, Failure> {
    let (outcome, score) = (n.outcome(), evaluator.evaluate(n));
    let same = outcome == n.outcome() && score == evaluator.evaluate(n);
    let law = "outcome and evaluation depend only on the position";
    require(same, law, || "two calls return different results".into())?;
    let points = if let Some(Outcome::Points(points)) = outcome { points } else { 0 };
    for value in [score, points] {
        require(Value::score(value).is_some(), "scores lie within ±31000", || format!("one is {value}"))?;
    }
    let moves = list(n)?;
    let mut codes: Vec<u16> = moves.iter().enumerate().map(|(index, &m)| n.code(m, index)).collect();
    check_codes(&codes)?;
    check_play(n, &moves)?;
    check_noisy_moves(n, &moves)?;
    check_selective(n, &moves)?;

    let key = n.key();
    let outcome_word = outcome.map(|outcome| match outcome {
        Outcome::Won => (0, 0),
        Outcome::Lost => (1, 0),
        Outcome::Drawn => (2, 0),
        Outcome::Points(points) => (3, points),
    });
    // Mirror images that share a key may list their moves in different orders.
    codes.sort_unstable();
    let signature = key_of(&(n.turn(), outcome_word, codes, score));
    let same = *seen.signatures.entry(key).or_insert(signature) == signature;
    let detail = || format!("two positions with the key {key:#x} differ in side, moves, outcome or evaluation");
    require(same, "different positions have different keys", detail)?;
    let same = *seen.keys.entry(key_of(n)).or_insert(key) == key;
    let detail = || format!("one position has the key {key:#x} and another key");
    require(same, "equal positions have equal keys", detail)?;
    Ok(moves)
}

fn list<G: Game>(n: &G) -> Result<Vec<G::Move>, Failure> {
    let moves = crate::game::legal_moves(n);
    let same = moves == crate::game::legal_moves(n);
    require(same, "the list of moves depends only on the position", || "two calls return different lists".into())?;
    for (index, m) in moves.iter().enumerate() {
        if let Some(first) = moves[..index].iter().position(|other| other == m) {
            return Err(("no move is listed twice", format!("#{first} and #{index} are the same")));
        }
    }
    Ok(moves)
}

fn check_codes(codes: &[u16]) -> Result<(), Failure> {
    let law = "every move has a code of its own, below 65535";
    codes.iter().enumerate().try_for_each(|(index, code)| {
        require(*code != NO_MOVE && !codes[..index].contains(code), law, || format!("#{index} has the code {code}"))
    })
}

fn check_play<G: Game>(n: &G, moves: &[G::Move]) -> Result<(), Failure> {
    let law = "playing a move twice gives the same position and leaves the original unchanged";
    let before = (key_of(n), n.key(), n.turn());
    for (index, &m) in moves.iter().enumerate() {
        let (once, twice) = (n.play(m), n.play(m));
        let same = (once.key(), once.turn(), key_of(&once)) == (twice.key(), twice.turn(), key_of(&twice));
        require(same, law, || format!("#{index} gives two different positions"))?;
        let right = n.key_after(m).is_none_or(|key| key == once.key());
        let law = "key_after is the key of the position after the move";
        require(right, law, || format!("for #{index} it is another key"))?;
    }
    require(before == (key_of(n), n.key(), n.turn()), law, || "the original changed".into())
}

fn check_noisy_moves<G: Game>(n: &G, legal: &[G::Move]) -> Result<(), Failure> {
    if n.outcome().is_some() {
        return Ok(());
    }
    let mut position = n.clone();
    for depth in 0..LONGEST_NOISY_LINE {
        let mut noisy = Moves::new();
        let quiescence = position.noisy_moves(&mut noisy);
        let noisy: Vec<G::Move> = noisy.iter().collect();
        let legal = if depth == 0 { legal.to_vec() } else { crate::game::legal_moves(&position) };
        if let Some(index) = noisy.iter().position(|m| !legal.contains(m)) {
            return Err(("noisy moves are legal", format!("noisy move {index} is not in the list of moves")));
        }
        if quiescence == Quiescence::Forced {
            let detail = || format!("{} of {} are listed", noisy.len(), legal.len());
            require(noisy.len() == legal.len(), "a forced position lists all its moves as noisy", detail)?;
            let forced = !G::TUNING.selective.is_on() || position.forced();
            require(forced, "forced is true if noisy_moves returns Forced", || "it is false".into())?;
        }
        match noisy.first() {
            Some(&m) if quiescence != Quiescence::Quiet => position = position.play(m),
            _ => return Ok(()),
        }
        if position.outcome().is_some() {
            return Ok(());
        }
    }
    Err(("every line of noisy moves ends", format!("found one longer than {LONGEST_NOISY_LINE} plies")))
}

fn check_selective<G: Game>(n: &G, legal: &[G::Move]) -> Result<(), Failure> {
    if n.outcome().is_some() {
        return Ok(());
    }
    for (index, &m) in legal.iter().enumerate() {
        let right = n.move_from_code(n.code(m, index)).is_none_or(|found| found == m);
        require(right, "move_from_code is the inverse of code", || format!("for #{index} it returns another move"))?;
    }
    // Codes of other positions, some of every size: a table entry of a position with the same key can contain them.
    let codes: Vec<u16> = legal.iter().enumerate().map(|(index, &m)| n.code(m, index)).collect();
    let others = (0..400).map(|i| if i < 200 { i } else { mix(n.key() ^ u64::from(i)) as u16 });
    for code in others.filter(|code| *code != NO_MOVE && !codes.contains(code)) {
        let detail = || format!("for the code {code} it returns a move");
        require(n.move_from_code(code).is_none(), "move_from_code returns None if no legal move has the code", detail)?;
    }
    let detail = || format!("it is true with {} legal moves", legal.len());
    require(!n.has_choice() || legal.len() >= 2, "has_choice is true only if there are two legal moves", detail)?;
    let Some(passed) = n.null_move() else { return Ok(()) };
    require(!legal.is_empty(), "null_move is None if there is no legal move", || "it returns a position".into())?;
    require(passed.turn() != n.turn(), "after a null move the other side moves", || "the same side moves".into())
}

/// Checks that every algorithm, with a table of 2^16 entries and with one of 64, returns the value of plain minimax at a small
/// depth, and a best move with that value.
pub fn agree<G: Game, E: Evaluate<G> + Clone>(position: &G, evaluator: &E, depth: u8) -> Result<(), Violation> {
    let law = "every algorithm finds the value of minimax, and a move with that value";
    let violation = |detail: String| Violation::new(law, detail);
    let budget = Budget::depth(depth);
    let error = |error: crate::Error| violation(format!("{error}"));
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
                return Err(violation(format!("{algorithm} finds {}, minimax finds {value}", found.f)));
            }
            let Some(best) = found.best_move else { continue };
            let worth = oracle.worth(position, best, budget).map_err(error)?.unwrap_or_default();
            if worth != value {
                return Err(violation(format!("{algorithm} plays a move worth {worth}, the best is worth {value}")));
            }
        }
    }
    Ok(())
}
