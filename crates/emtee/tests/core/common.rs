//! Games made for proofs: every position is a number, and everything about it follows from a hash of that number.
#![allow(unreachable_pub)] // What a test file uses is public.

use std::hash::Hash;

use emtee::{
    Algorithm, Budget, Error, Found, Game, Moves, Outcome, OwnEvaluation, Quiescence, Side, Value, legal_moves, mix,
    player,
};

/// What the hashed games are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    pub seed: u64,
    /// The greatest number of moves.
    pub width: u8,
    /// Positions a ply: few make a DAG, `u64::MAX` makes a tree.
    pub places: u64,
    /// Evaluations lie within ± this: a small number means ties everywhere.
    pub spread: i32,
    /// One position in so many is a win, loss or draw; 0 for none.
    pub ends: u64,
    /// One move in so many leaves the same side to move; 0 for none.
    pub again: u64,
    /// One position in so many is loud; 0 for none.
    pub loud: u64,
    /// One position in so many panics when it is evaluated or its moves are listed; 0 for none.
    pub panics: u64,
}

/// What it says then.
pub const PANIC: &str = "this position panics on purpose";

impl Rules {
    pub const TREE: Rules =
        Rules { seed: 1, width: 4, places: u64::MAX, spread: 5, ends: 12, again: 5, loud: 0, panics: 0 };

    pub fn root(self) -> Hashed {
        Hashed { rules: self, place: 0, ply: 0, side: Side::First }
    }
}

/// A position of a hashed game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hashed {
    pub rules: Rules,
    pub place: u64,
    pub ply: u8,
    pub side: Side,
}

impl Hashed {
    fn roll(&self, what: u64) -> u64 {
        mix(mix(self.rules.seed ^ what << 48)
            ^ mix(self.place.wrapping_mul(2) + self.side.index() as u64)
            ^ u64::from(self.ply) << 32)
    }
    fn panic_on_purpose(&self) {
        assert!(self.ply == 0 || !self.one_in(9, self.rules.panics), "{PANIC}");
    }
    fn one_in(&self, what: u64, n: u64) -> bool {
        n > 0 && self.roll(what).is_multiple_of(n)
    }
}

impl Game for Hashed {
    type Move = u8;

    fn turn(&self) -> Side {
        self.side
    }
    fn moves(&self, moves: &mut Moves<u8>) {
        self.panic_on_purpose();
        for m in 0..=(self.roll(1) % u64::from(self.rules.width)) as u8 {
            moves.push_hinted(m, (mix(self.roll(2) + u64::from(m)) % 3) as i16);
        }
    }
    fn play(&self, m: u8) -> Hashed {
        let roll = mix(self.roll(3) + u64::from(m));
        let again = self.rules.again > 0 && roll.is_multiple_of(self.rules.again);
        let side = if again { self.side } else { !self.side };
        Hashed { place: mix(roll) % self.rules.places, ply: self.ply + 1, side, ..*self }
    }
    fn outcome(&self) -> Option<Outcome> {
        if self.ply == 0 || !self.one_in(4, self.rules.ends) {
            return None;
        }
        Some(match self.roll(5) % 4 {
            0 => Outcome::Won,
            1 => Outcome::Lost,
            2 => Outcome::Drawn,
            _ => Outcome::Points(self.evaluate()),
        })
    }
    fn evaluate(&self) -> i32 {
        self.panic_on_purpose();
        (self.roll(6) % (2 * self.rules.spread as u64 + 1)) as i32 - self.rules.spread
    }
    fn key(&self) -> u64 {
        mix(self.place ^ u64::from(self.ply) << 56) ^ self.side.index() as u64
    }
    fn noisy_moves(&self, moves: &mut Moves<u8>) -> Quiescence {
        // Three plies at most, so that every line ends: the quiet search goes no deeper than the ply tells it.
        if self.ply % 4 == 3 || !self.one_in(7, self.rules.loud) {
            return Quiescence::Quiet;
        }
        self.moves(moves);
        if self.roll(8).is_multiple_of(3) { Quiescence::Forced } else { Quiescence::Optional }
    }
}

/// Minimax by its definition, written apart from the library.
pub fn minimax<G: Game>(n: &G, depth: u8) -> Value {
    if let Some(outcome) = n.outcome() {
        return value_of(outcome);
    }
    if depth == 0 {
        return settled(n);
    }
    let moves = emtee::legal_moves(n);
    let best = moves.iter().map(|&m| back(n, &n.play(m), |c| minimax(c, depth - 1))).max();
    best.unwrap_or_else(|| value_of(n.stuck()))
}

/// The value at the horizon, once all is quiet.
fn settled<G: Game>(n: &G) -> Value {
    if let Some(outcome) = n.outcome() {
        return value_of(outcome);
    }
    let mut moves = Moves::new();
    let quiescence = n.noisy_moves(&mut moves);
    let best = moves.iter().map(|m| back(n, &n.play(m), settled)).max();
    let stand = Value::score(n.evaluate()).unwrap();
    match (quiescence, best) {
        (Quiescence::Quiet, _) => stand,
        (Quiescence::Optional, best) => best.map_or(stand, |best| best.max(stand)),
        (Quiescence::Forced, best) => best.unwrap_or_else(|| value_of(n.stuck())),
    }
}

/// What a child is worth to its parent.
pub fn back<G: Game>(n: &G, c: &G, value: impl Fn(&G) -> Value) -> Value {
    if c.turn() == n.turn() { value(c).age() } else { -value(c).age() }
}

fn value_of(outcome: Outcome) -> Value {
    match outcome {
        Outcome::Won => Value::win_in(0),
        Outcome::Lost => Value::loss_in(0),
        Outcome::Drawn => Value::default(),
        Outcome::Points(points) => Value::score(points).unwrap(),
    }
}

/// What each root move is worth.
pub fn worth<G: Game>(n: &G, m: G::Move, depth: u8) -> Value {
    back(n, &n.play(m), |c| minimax(c, depth - 1))
}

/// A search with nothing but the defaults.
pub fn think<G: Game>(algorithm: Algorithm, n: &G, depth: u8) -> Result<Found<G::Move>, Error> {
    player(OwnEvaluation).algorithm(algorithm).build()?.think(n, Budget::depth(depth))
}

/// Asserts that a search found minimax's value and a best move that has it.
#[track_caller]
pub fn assert_right<G: Game>(n: &G, depth: u8, found: &Found<G::Move>, told: &str) {
    let value = minimax(n, depth);
    match found.value {
        Some(found) => assert_eq!(found, value, "{told}"),
        None => {
            assert!(found.f.lower <= value, "{told}: {} > {value}", found.f.lower);
            assert!(found.f.upper >= value, "{told}: {} < {value}", found.f.upper);
        }
    }
    assert_eq!(found.depth, depth, "{told}");
    assert!(found.complete, "{told}");
    assert_eq!(worth(n, found.best_move.unwrap(), depth), value, "{told}: the move");
}

/// A position some random moves from the start.
pub fn after<G: Game + Default>(plies: u64, seed: u64) -> G {
    let mut board = G::default();
    for ply in 0..plies {
        let moves = legal_moves(&board);
        let Some(&m) = moves.get(mix(seed << 8 | ply) as usize % moves.len().max(1)) else { break };
        board = board.play(m);
    }
    board
}
