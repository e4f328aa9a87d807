//! The trait that a game implements, and the evaluators of its positions.

use alloc::vec::Vec;
use core::hash::Hash;
use core::ops::Not;

use crate::key::{code_of, key_of};
use crate::selective::ProbCut;
use crate::tuning::Tuning;
use crate::value::{Bounds, Kind, Value};

/// The rules of a two-player game of perfect information. A value of the type is a position.
///
/// Four methods are required: [`turn`](Game::turn), [`moves`](Game::moves), [`play`](Game::play) and
/// [`outcome`](Game::outcome). The others have defaults:
///
/// | method | default | implement it if |
/// |---|---|---|
/// | [`evaluate`](Game::evaluate) | 0 | you can estimate which side is better |
/// | [`key`](Game::key) | a hash of the whole position | the position can update its key incrementally |
/// | [`code`](Game::code) | the numbers that make up the move, if they are small | they are not small: killers and history need the same code for the same move |
/// | [`stuck`](Game::stuck) | a draw | having no move means something else |
/// | [`noisy_moves`](Game::noisy_moves) | every position is quiet | a static evaluation in the middle of an exchange is worthless |
/// | [`halfmove_clock`](Game::halfmove_clock) | positions cannot repeat | positions can repeat, and a repetition has a meaning |
/// | [`move_from_code`](Game::move_from_code), [`has_choice`](Game::has_choice) | `None`, `false` | a move can be found by its code without listing all moves |
/// | [`TUNING`](Game::TUNING) | [`Tuning::DEFAULT`] | another move ordering, grain, selective search, levels or use of the table pays |
/// | [`forced`](Game::forced), [`null_move`](Game::null_move), [`tactical_gain`](Game::tactical_gain), [`probcut`](Game::probcut) | `false`, `None` | selective search pays in play |
///
/// **Convention**: outcomes, points and evaluations are from the point of view of the side to move. The same side may move
/// again, and a pass is a move like any other: signs follow [`turn`](Game::turn), not the ply.
///
/// ```
/// use emtee::{Game, Moves, Outcome, Side};
///
/// /// Take one, two or three matches; the side that takes the last one wins.
/// #[derive(Clone, Hash)]
/// struct Nim { matches: u8, turn: Side }
///
/// impl Game for Nim {
///     type Move = u8;
///     fn turn(&self) -> Side { self.turn }
///     fn moves(&self, moves: &mut Moves<u8>) {
///         for n in 1..=self.matches.min(3) { moves.push(n); }
///     }
///     fn play(&self, n: u8) -> Nim { Nim { matches: self.matches - n, turn: !self.turn } }
///     fn outcome(&self) -> Option<Outcome> { (self.matches == 0).then_some(Outcome::Lost) }
/// }
///
/// let mut ai = emtee::player(Nim::evaluate).build()?;
/// let found = ai.think(&Nim { matches: 10, turn: Side::First }, emtee::Budget::depth(10))?;
/// assert_eq!(found.best_move, Some(2)); // Leaves 8, a multiple of four.
/// assert_eq!(found.value.unwrap().to_string(), "win in 5");
/// # Ok::<(), emtee::Error>(())
/// ```
#[allow(unused_variables)] // Parameter names are part of the documentation.
pub trait Game: Clone + Hash + Send + Sync {
    /// A move. It should be small and cheap to copy.
    type Move: Copy + PartialEq + Hash + Send + Sync;

    /// The options with which this game is searched best.
    const TUNING: Tuning = Tuning::DEFAULT;

    /// The [`halfmove_clock`](Game::halfmove_clock) at which a game in play is drawn: 100 in chess (the fifty-move rule).
    const DRAWN_AFTER: Option<u32> = None;

    /// The side to move.
    #[doc(alias("side to move", "extra turn"))]
    fn turn(&self) -> Side;

    /// Lists the legal moves, each once, in an order that depends on the position alone. The search is faster if good moves
    /// come first, or get a higher hint with [`Moves::push_hinted`]. Never called if the position has an
    /// [`outcome`](Game::outcome).
    #[doc(alias("move generation", "legal moves"))]
    fn moves(&self, moves: &mut Moves<Self::Move>);

    /// The position after one of its [`moves`](Game::moves).
    #[doc(alias("copy-make", "make_move", "undo"))]
    fn play(&self, m: Self::Move) -> Self;

    /// How the game ended, for the side to move. `None`: it has not ended.
    fn outcome(&self) -> Option<Outcome>;

    /// The static evaluation for the side to move, within ±[`Value::MAX_SCORE`](crate::Value::MAX_SCORE). It must be a
    /// function of the position alone. [`player`](crate::player) takes this evaluation or any other [`Evaluate`].
    fn evaluate(&self) -> i32 {
        0
    }

    /// The hash key of the position, as a Zobrist key is. Positions that differ in anything that matters to the game,
    /// including the side to move, must have different keys.
    ///
    /// Positions of equal value by symmetry may share a key if [`code`](Game::code) gives corresponding moves the same code.
    /// Mirror images in Connect Four do, which halves the search from the start.
    #[doc(alias("Zobrist", "hash", "symmetry"))]
    fn key(&self) -> u64 {
        key_of(self)
    }

    /// The [key](Game::key) of the position after a move, if it can be computed much faster than by playing the move. The
    /// search uses it to prefetch table entries and to look up children.
    fn key_after(&self, m: Self::Move) -> Option<u64> {
        None
    }

    /// The code of a move in 16 bits, for the table, killers and history; `index` is the move's index in the list.
    /// The moves of a position must have different codes, and no code may be `u16::MAX`.
    ///
    /// By default a move that consists of one number below 4096, two below 64, three below 16 or four below 8, as
    /// `#[derive(Hash)]` hashes it, has a code made of these numbers, which is the same in all positions. So has a move that
    /// is one of the first seven variants of an enum with such fields, or any variant without fields. The code of any other
    /// move is made of its index.
    #[inline(always)]
    fn code(&self, m: Self::Move, index: usize) -> u16 {
        code_of(&m).unwrap_or(1 << 15 | index.min(0x7fff) as u16)
    }

    /// The outcome, for the side to move, of a position that has no moves and no [`outcome`](Game::outcome).
    #[doc(alias("no legal moves", "stalemate"))]
    fn stuck(&self) -> Outcome {
        Outcome::Drawn
    }

    /// Plies since the last irreversible move (a capture or a pawn move in chess): only positions within that distance can
    /// be repetitions of this one. Any large number if the game does not count them. `None`: positions cannot repeat.
    ///
    /// Only a search in play uses it, after [`Search::set_game`](crate::Search::set_game). Otherwise a value is a function of
    /// position and depth, and does not depend on the game history.
    #[doc(alias("fifty-move rule", "repetition"))]
    fn halfmove_clock(&self) -> Option<u32> {
        None
    }

    /// In play, the outcome for the side to move if this position has occurred before.
    fn repeated(&self) -> Outcome {
        Outcome::Drawn
    }

    /// Lists the moves of the quiescence search: captures, promotions, or the replies to a check. Returns whether the
    /// position is quiet, or whether the side to move may or must play one of the moves listed.
    ///
    /// At the horizon the search plays noisy moves until the position is [`Quiet`](Quiescence::Quiet). Every line of noisy
    /// moves must end by itself, as captures do.
    #[doc(alias("quiescence", "quiescence search", "qsearch"))]
    fn noisy_moves(&self, moves: &mut Moves<Self::Move>) -> Quiescence {
        Quiescence::Quiet
    }

    /// Whether the side to move has no free choice of moves, for example in check. The static evaluation of such a position
    /// is meaningless. Must be true if [`noisy_moves`](Game::noisy_moves) returns [`Forced`](Quiescence::Forced). Only
    /// selective search uses it.
    fn forced(&self) -> bool {
        false
    }

    /// The position after a null move, for null-move pruning in selective search: the side to move passes. `None`: no null
    /// move is tried. It must be `None` if there is no legal move, and should be if passing might be better than every move
    /// (zugzwang) or is impossible, as in check.
    #[doc(alias("null move", "null-move pruning", "NMP"))]
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// The ProbCut model: how the value of a shallower search predicts the value at this depth. `None`: not measured. Only
    /// selective search uses it.
    fn probcut(&self, depth: u8) -> Option<ProbCut> {
        None
    }

    /// The legal move with this [`code`](Game::code), if it can be found without listing all moves. Must be `None` for a code
    /// that no legal move has.
    ///
    /// With it the search tries the table move before it generates the others: always in selective search with late-move
    /// reductions, otherwise if [`has_choice`](Game::has_choice) is true.
    #[doc(alias("table move", "hash move"))]
    fn move_from_code(&self, code: u16) -> Option<Self::Move> {
        None
    }

    /// Whether there certainly are at least two legal moves, if that can be decided without listing them. `false`: unknown.
    fn has_choice(&self) -> bool {
        false
    }

    /// The most that a tactical move (a capture or a promotion) can win at once, in points of the evaluation. `None`: the move
    /// is quiet. Only selective search uses it.
    fn tactical_gain(&self, m: Self::Move) -> Option<i32> {
        None
    }
}

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Side {
    /// The player who moves first: Black, White or X, depending on the game.
    #[default]
    First,
    /// The other player.
    Second,
}

impl Side {
    /// 0 or 1.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Side {
    type Output = Side;
    fn not(self) -> Side {
        if self == Side::First { Side::Second } else { Side::First }
    }
}

/// How a game ended, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// The side to move has won. The search prefers the shorter of two wins.
    Won,
    /// The side to move has lost, as when the last move completed a row.
    Lost,
    /// A draw.
    Drawn,
    /// The game ended with a score. Its value does not depend on the distance.
    Points(i32),
}

/// Whether a position at the horizon is quiet: the result of [`Game::noisy_moves`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quiescence {
    /// The position is quiet: its value is the static evaluation.
    Quiet,
    /// The side to move may take the static evaluation (stand pat) or play one of the moves listed.
    Optional,
    /// The side to move must play one of the moves listed, which are all its legal moves: in check, or if captures are
    /// compulsory.
    Forced,
}

/// The list that [`Game::moves`] fills.
#[derive(Clone, Debug)]
pub struct Moves<M> {
    pub(crate) list: Vec<Ranked<M>>,
}

/// A move in a list, and its rank in the move ordering: higher ranks are tried first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked<M> {
    pub(crate) rank: i32,
    pub(crate) code: u16,
    pub(crate) m: M,
}

impl<M: Copy> Moves<M> {
    /// An empty list.
    pub const fn new() -> Moves<M> {
        Moves { list: Vec::new() }
    }

    /// Adds a move.
    #[inline(always)]
    pub fn push(&mut self, m: M) {
        self.push_hinted(m, 0);
    }

    /// Adds a move with a hint: moves with greater hints are tried first. [`push`](Moves::push) gives the hint 0.
    #[inline(always)]
    pub fn push_hinted(&mut self, m: M, hint: i16) {
        self.list.push(Ranked { rank: rank(hint), code: 0, m });
    }

    /// Adds several moves with their hints, a little faster than one by one.
    #[inline(always)]
    pub fn extend_hinted<const N: usize>(&mut self, moves: [(M, i16); N]) {
        let ranked = moves.map(|(m, hint)| Ranked { rank: rank(hint), code: 0, m });
        self.list.extend_from_slice(&ranked);
    }

    /// The moves, in the order they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = M> + '_ {
        self.list.iter().map(|ranked| ranked.m)
    }

    /// The move at this index, in the order they were added.
    pub fn get(&self, index: usize) -> Option<M> {
        self.list.get(index).map(|ranked| ranked.m)
    }

    /// The hint of the move at an index.
    pub fn hint(&self, index: usize) -> Option<i16> {
        Some(self.list.get(index)?.rank as i16)
    }

    /// Keeps the first `len` moves and drops the rest.
    pub fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are no moves.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// The rank of a hint. The least hint is raised by one, so that killers and history cannot overflow below it.
#[inline(always)]
fn rank(hint: i16) -> i32 {
    i32::from(hint.max(-i16::MAX))
}

impl<M: Copy> Default for Moves<M> {
    fn default() -> Self {
        Moves::new()
    }
}

/// The legal moves of a position. Empty if the game is over.
pub fn legal_moves<G: Game>(position: &G) -> Vec<G::Move> {
    if position.outcome().is_some() {
        return Vec::new();
    }
    let mut moves = Moves::new();
    position.moves(&mut moves);
    moves.iter().collect()
}

/// An evaluator of positions. It is separate from the rules, so that one game can be searched with several evaluators.
///
/// A function or a closure is an evaluator:
///
/// ```
/// use emtee_games::connect4::Board;
/// use emtee::{Budget, player};
/// let mut centre = player(|board: &Board| board.mobility() as i32).build()?;
/// let found = centre.think(&Board::default(), Budget::depth(4))?;
/// assert!(found.best_move.is_some());
/// # Ok::<(), emtee::Error>(())
/// ```
#[allow(unused_variables)] // Parameter names are part of the documentation.
pub trait Evaluate<G>: Sync {
    /// The static evaluation for the side to move, within ±[`Value::MAX_SCORE`](crate::Value::MAX_SCORE). It must be a
    /// function of the position alone.
    fn evaluate(&self, position: &G) -> i32;

    /// Bounds on the position's value that hold at every depth, for example from an endings database. `None`: no bounds are
    /// known.
    ///
    /// The search calls it at every node between the root and the horizon, and does not expand a node if the bounds cut it
    /// off. At the horizon it calls [`evaluate`](Evaluate::evaluate), whose result must lie within the bounds. Then the bounds
    /// save nodes and do not change the value.
    #[inline(always)]
    fn known(&self, position: &G) -> Option<Bounds> {
        None
    }

    /// The grain: all values of [`evaluate`](Evaluate::evaluate) are multiples of it. At least 1.
    fn grain(&self) -> i32 {
        1
    }

    /// Updates the evaluator, for example with an endings database that was loaded in the background. Returns true if its
    /// values may have changed.
    ///
    /// Values must not change during a search: [`Search::renew`](crate::Search::renew) calls this between two searches.
    fn renew(&mut self) -> bool {
        false
    }
}

impl<G, F: Fn(&G) -> i32 + Sync> Evaluate<G> for F {
    #[inline(always)]
    fn evaluate(&self, position: &G) -> i32 {
        self(position)
    }
}

/// The evaluator that calls the game's own [`Game::evaluate`].
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnEvaluation;

impl<G: Game> Evaluate<G> for OwnEvaluation {
    #[inline(always)]
    fn evaluate(&self, position: &G) -> i32 {
        position.evaluate()
    }
}

/// An evaluator whose values are rounded to multiples of `grain`. With coarser values a driver of MT needs fewer passes.
///
/// ```
/// use emtee::{Evaluate, Grain};
/// let coarse = Grain { grain: 10, evaluator: |&points: &i32| points };
/// assert_eq!(coarse.evaluate(&-26), -30);
/// assert_eq!(coarse.evaluate(&4), 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Grain<E> {
    /// The distance between neighbouring values, from 1 to [`Value::MAX_SCORE`](crate::Value::MAX_SCORE). 1: no rounding.
    pub grain: i32,
    /// The evaluator whose values are rounded.
    pub evaluator: E,
}

impl<E> Grain<E> {
    fn round(&self, value: i32) -> i32 {
        let grain = self.grain.max(1);
        // A value outside the range of scores is not rounded, so that the search reports it as an error.
        if grain == 1 || value.unsigned_abs() > Value::MAX_SCORE as u32 {
            return value;
        }
        let steps = (value.abs() + grain / 2) / grain;
        value.signum() * (steps * grain).min(Value::MAX_SCORE / grain * grain)
    }

    fn round_bound(&self, bound: Value) -> Value {
        match bound.kind() {
            Kind::Score(score) => Value::score(self.round(score)).unwrap_or(bound),
            _ => bound,
        }
    }
}

impl<G, E: Evaluate<G>> Evaluate<G> for Grain<E> {
    fn evaluate(&self, position: &G) -> i32 {
        self.round(self.evaluator.evaluate(position))
    }

    #[inline(always)]
    fn known(&self, position: &G) -> Option<Bounds> {
        let f = self.evaluator.known(position)?;
        Some(Bounds { lower: self.round_bound(f.lower), upper: self.round_bound(f.upper) })
    }

    fn grain(&self) -> i32 {
        self.grain
    }

    fn renew(&mut self) -> bool {
        self.evaluator.renew()
    }
}
