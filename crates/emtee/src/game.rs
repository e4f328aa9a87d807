//! The game a user plugs in, and the evaluators that judge its positions.

use alloc::vec::Vec;
use core::hash::Hash;
use core::ops::Not;

use crate::key::{code_of, key_of};
use crate::selective::ProbCut;
use crate::tuning::Tuning;
use crate::value::{Bounds, Kind, Value};

/// A two-player game of perfect information: the rules, seen from a position.
///
/// Four methods make a game. Everything else has a default that a game can improve on:
///
/// | method | default | write it when |
/// |---|---|---|
/// | [`evaluate`](Game::evaluate) | 0 | you know who stands better |
/// | [`key`](Game::key) | a hash of the whole position | the position can keep its key up to date |
/// | [`code`](Game::code) | the numbers that make the move, if they are small | yours are not: the same move should be known again |
/// | [`stuck`](Game::stuck) | a draw | having no move means something else |
/// | [`noisy_moves`](Game::noisy_moves) | no position is loud | a static evaluation in the middle of an exchange is worthless |
/// | [`halfmove_clock`](Game::halfmove_clock) | nothing ever recurs | positions do, and that means something |
/// | [`move_from_code`](Game::move_from_code), [`has_choice`](Game::has_choice) | nothing | a move can be found by its code without listing all moves |
/// | [`TUNING`](Game::TUNING) | [`Tuning::DEFAULT`] | another order of moves, grain, selective search, levels or use of the table pays |
/// | [`forced`](Game::forced), [`null_move`](Game::null_move), [`tactical_gain`](Game::tactical_gain) | nothing | selective search pays in play |
///
/// **One convention**: outcomes, points and evaluations are all seen from the side to move. The same side may move again,
/// and a pass is a move like any other: signs follow [`turn`](Game::turn), not the ply.
///
/// ```
/// use emtee::{Game, Moves, Outcome, Side};
///
/// /// Take one, two or three matches; who takes the last one wins.
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
/// assert_eq!(found.best_move, Some(2)); // leaves 8, a multiple of four
/// assert_eq!(found.value.unwrap().to_string(), "win in 5");
/// # Ok::<(), emtee::Error>(())
/// ```
#[allow(unused_variables)] // They name what is asked.
pub trait Game: Clone + Hash + Send + Sync {
    /// A move. Small and cheap to copy.
    type Move: Copy + PartialEq + Hash + Send + Sync;

    /// The options that pay in this game.
    const TUNING: Tuning = Tuning::DEFAULT;

    /// In play, a game is drawn after so many [`halfmove_clock`](Game::halfmove_clock) moves in a row: 100 in chess.
    const DRAWN_AFTER: Option<u32> = None;

    /// Whose turn it is.
    fn turn(&self) -> Side;

    /// Lists the legal moves, each once, in an order that depends on the position alone. Better moves first is better;
    /// [`Moves::push_hinted`] says so in numbers. Never called on a position that has an [`outcome`](Game::outcome).
    fn moves(&self, moves: &mut Moves<Self::Move>);

    /// The position after a move of [`moves`](Game::moves).
    fn play(&self, m: Self::Move) -> Self;

    /// How the game ended, for the side to move, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// How good the position is for the side to move, within ±[`Value::MAX_SCORE`](crate::Value::MAX_SCORE). It must be
    /// a function of the position alone. Searches use it unless they are given another [`Evaluate`].
    fn evaluate(&self) -> i32 {
        0
    }

    /// A number that tells this position from every other: two positions that differ in anything that matters, the side
    /// to move included, have different keys.
    ///
    /// Positions that are worth the same by symmetry may share a key, if [`code`](Game::code) names their moves alike: mirror
    /// images in Connect Four do, which halves the search from the start.
    fn key(&self) -> u64 {
        key_of(self)
    }

    /// The [key](Game::key) of the position after a move, if that is found much faster than by playing it. The search then asks
    /// for the memory it will need before it needs it.
    fn key_after(&self, m: Self::Move) -> Option<u64> {
        None
    }

    /// 16 bits that name the move in this position, for the table, killers and history; `index` is its place in the list.
    /// No two moves of a position share a code, and none is `u16::MAX`.
    ///
    /// A move that is one number below 4096, or two below 64, three below 16 or four below 8, as its `#[derive(Hash)]` has it, is
    /// named by them wherever it occurs. So is one of the first seven variants of an enum, with such fields, and any variant
    /// without fields. Any other move is named by its place.
    #[inline(always)]
    fn code(&self, m: Self::Move, index: usize) -> u16 {
        code_of(&m).unwrap_or(1 << 15 | index.min(0x7fff) as u16)
    }

    /// What having no move means, for the side to move, in a position without an outcome.
    fn stuck(&self) -> Outcome {
        Outcome::Drawn
    }

    /// How many moves in a row have brought the game here that a player could take back, so that positions may recur; as
    /// many as you like if nobody counted. `None` if positions never recur.
    ///
    /// It matters in play alone, after [`Search::set_game`](crate::Search::set_game): elsewhere a value is a function of
    /// position and depth, and what came before has no part in it.
    fn halfmove_clock(&self) -> Option<u32> {
        None
    }

    /// What it means that this position has occurred before, for the side to move.
    fn repeated(&self) -> Outcome {
        Outcome::Drawn
    }

    /// Whether the position is too lively to be evaluated as it stands, and if so the moves that settle it.
    ///
    /// At the horizon the search plays these out until the position is [`Quiet`](Quiescence::Quiet). Each line must come
    /// to an end by itself, as captures do.
    fn noisy_moves(&self, moves: &mut Moves<Self::Move>) -> Quiescence {
        Quiescence::Quiet
    }

    /// Whether the side to move has no free choice, as in check: a static evaluation means nothing then. Wherever
    /// [`noisy_moves`](Game::noisy_moves) is [`Forced`](Quiescence::Forced), so is this. Used by selective search alone.
    fn forced(&self) -> bool {
        false
    }

    /// The position if the side to move passed: the null move of selective search. Nothing where passing might be better
    /// than any move (zugzwang), is out of the question, as in check, or where there is no move to make.
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// How a shallower search predicts one to this depth, where that was measured. Used by selective search alone.
    fn probcut(&self, depth: u8) -> Option<ProbCut> {
        None
    }

    /// The legal move that has this [`code`](Game::code), if that is found without listing all moves. A code that no legal move
    /// has gives nothing. The search then tries the table's move before it lists the others: in play always, in the exact
    /// search where the position [has a choice](Game::has_choice).
    fn move_from_code(&self, code: u16) -> Option<Self::Move> {
        None
    }

    /// Whether it is plain at a glance that there are at least two moves. `false` says nothing.
    fn has_choice(&self) -> bool {
        false
    }

    /// What a move wins at most and at once, in points of the evaluation, if it is one that changes the balance: a capture
    /// or a promotion. Such moves are tactical; nothing says that a move is quiet. Used by selective search alone.
    fn tactical_gain(&self, m: Self::Move) -> Option<i32> {
        None
    }
}

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Side {
    /// The player who moves first: Black, White or X, as the game has it.
    #[default]
    First,
    /// The other one.
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
pub enum Outcome {
    /// The side to move has won. Sooner is better, and the search knows.
    Won,
    /// The side to move has lost, as when the last move completed a row.
    Lost,
    /// Nobody has won.
    Drawn,
    /// The game ended with a score, which is the value whenever it comes about.
    Points(i32),
}

/// What [`Game::noisy_moves`] found at the horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quiescence {
    /// The static evaluation is the value.
    Quiet,
    /// The side to move may settle for the static evaluation (stand pat), or play one of the moves listed.
    Optional,
    /// The side to move must play one of the moves listed, which are all it has: a check, or captures that are compulsory.
    Forced,
}

/// The list that [`Game::moves`] fills.
#[derive(Clone, Debug)]
pub struct Moves<M> {
    pub(crate) list: Vec<Ranked<M>>,
}

/// A move in a list, and how early it should be tried.
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

    /// Adds a move that is tried before all moves with a lesser hint. Plain moves have hint 0.
    #[inline(always)]
    pub fn push_hinted(&mut self, m: M, hint: i16) {
        self.list.push(Ranked { rank: rank(hint), code: 0, m });
    }

    /// Adds several at once, each with its hint: a little faster than one by one.
    #[inline(always)]
    pub fn extend_hinted<const N: usize>(&mut self, moves: [(M, i16); N]) {
        let ranked = moves.map(|(m, hint)| Ranked { rank: rank(hint), code: 0, m });
        self.list.extend_from_slice(&ranked);
    }

    /// The moves, in the order they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = M> + '_ {
        self.list.iter().map(|ranked| ranked.m)
    }

    /// The move at this place, in the order they were added.
    pub fn get(&self, at: usize) -> Option<M> {
        self.list.get(at).map(|ranked| ranked.m)
    }

    /// Takes back all moves but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
    }

    /// How many moves there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// The rank of a hint. The least hint is raised by one, to leave room for killers and history below it.
#[inline(always)]
fn rank(hint: i16) -> i32 {
    i32::from(hint.max(-i16::MAX))
}

impl<M: Copy> Default for Moves<M> {
    fn default() -> Self {
        Moves::new()
    }
}

/// The legal moves of a position: none when the game is over.
pub fn legal_moves<G: Game>(position: &G) -> Vec<G::Move> {
    if position.outcome().is_some() {
        return Vec::new();
    }
    let mut moves = Moves::new();
    position.moves(&mut moves);
    moves.iter().collect()
}

/// Judges positions. Rules and judgement are apart, so that one game can be searched with several evaluators.
///
/// A plain function or closure is an evaluator:
///
/// ```
/// use emtee_games::connect4::Board;
/// use emtee::{Budget, player};
/// let mut centre = player(|board: &Board| board.mobility() as i32).build()?;
/// let found = centre.think(&Board::default(), Budget::depth(4))?;
/// assert!(found.best_move.is_some());
/// # Ok::<(), emtee::Error>(())
/// ```
#[allow(unused_variables)] // They name what is asked.
pub trait Evaluate<G>: Sync {
    /// How good the position is for the side to move, within ±[`Value::MAX_SCORE`](crate::Value::MAX_SCORE).
    fn evaluate(&self, position: &G) -> i32;

    /// Bounds on the position's value that hold at every depth, if there are any: what an endings database says.
    ///
    /// A search asks at every node between the root and the horizon, and goes no deeper where the bounds are answer enough. At
    /// the horizon it calls [`evaluate`](Evaluate::evaluate), which must lie within them. Then they change how a value is
    /// found, not what it is.
    #[inline(always)]
    fn known(&self, position: &G) -> Option<Bounds> {
        None
    }

    /// What all values of [`evaluate`](Evaluate::evaluate) are multiples of, at least 1.
    fn grain(&self) -> i32 {
        1
    }

    /// Takes up what it has learnt since it was made: an endings database that was being loaded. True if its values may be
    /// others now.
    ///
    /// Nothing changes while a search is under way: [`Search::renew`](crate::Search::renew) calls this between two.
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

/// The evaluator that asks the game: [`Game::evaluate`].
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnEvaluation;

impl<G: Game> Evaluate<G> for OwnEvaluation {
    #[inline(always)]
    fn evaluate(&self, position: &G) -> i32 {
        position.evaluate()
    }
}

/// An evaluator whose values are rounded to multiples of `grain`: coarser values mean fewer passes.
///
/// ```
/// use emtee::{Evaluate, Grain};
/// let coarse = Grain { grain: 10, evaluator: |&points: &i32| points };
/// assert_eq!(coarse.evaluate(&-26), -30);
/// assert_eq!(coarse.evaluate(&4), 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Grain<E> {
    /// The distance between two neighbouring values, from 1 to [`Value::MAX_SCORE`](crate::Value::MAX_SCORE); 1 changes nothing.
    pub grain: i32,
    /// Whose values are rounded.
    pub evaluator: E,
}

impl<E> Grain<E> {
    fn round(&self, value: i32) -> i32 {
        let grain = self.grain.max(1);
        // What lies outside the range of scores stays there, so that the search reports it.
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
