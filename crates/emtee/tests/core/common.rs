//! Hashed games: every position is a number, and its moves, outcome and evaluation are hashes of that number. Also plain
//! minimax, and helpers of the other test files.
#![allow(unreachable_pub)] // Items used by other test files are public.

use std::hash::Hash;

use emtee::{
    Algorithm, Budget, Error, Found, Game, Moves, Outcome, OwnEvaluation, Quiescence, Side, Value, legal_moves, mix,
    player,
};

/// The rules of a hashed game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    pub seed: u64,
    /// The greatest number of moves.
    pub width: u8,
    /// The number of positions per ply: a small number makes a DAG, `u64::MAX` a tree.
    pub positions_per_ply: u64,
    /// Evaluations lie within ± this: a small number means ties everywhere.
    pub spread: i32,
    /// One position in this many is a win, loss or draw; 0 for none.
    pub ends: u64,
    /// One move in this many leaves the same side to move; 0 for none.
    pub same_side: u64,
    /// One position in this many is noisy; 0 for none.
    pub noisy: u64,
    /// One position in this many panics when it is evaluated or its moves are listed; 0 for none.
    pub panics: u64,
}

/// The message of these panics.
pub const PANIC: &str = "this position panics on purpose";

impl Rules {
    pub const TREE: Rules = Rules {
        seed: 1,
        width: 4,
        positions_per_ply: u64::MAX,
        spread: 5,
        ends: 12,
        same_side: 5,
        noisy: 0,
        panics: 0,
    };

    pub fn root(self) -> Hashed {
        Hashed { rules: self, id: 0, ply: 0, side: Side::First }
    }
}

/// A position of a hashed game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hashed {
    pub rules: Rules,
    pub id: u64,
    pub ply: u8,
    pub side: Side,
}

impl Hashed {
    fn roll(&self, salt: u64) -> u64 {
        mix(mix(self.rules.seed ^ salt << 48)
            ^ mix(self.id.wrapping_mul(2) + self.side.index() as u64)
            ^ u64::from(self.ply) << 32)
    }
    fn panic_on_purpose(&self) {
        assert!(self.ply == 0 || !self.one_in(9, self.rules.panics), "{PANIC}");
    }
    fn one_in(&self, salt: u64, n: u64) -> bool {
        n > 0 && self.roll(salt).is_multiple_of(n)
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
        let same_side = self.rules.same_side > 0 && roll.is_multiple_of(self.rules.same_side);
        let side = if same_side { self.side } else { !self.side };
        Hashed { id: mix(roll) % self.rules.positions_per_ply, ply: self.ply + 1, side, ..*self }
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
        mix(self.id ^ u64::from(self.ply) << 56) ^ self.side.index() as u64
    }
    fn noisy_moves(&self, moves: &mut Moves<u8>) -> Quiescence {
        // No noisy moves at every fourth ply, so that a noisy line has three plies at most.
        if self.ply % 4 == 3 || !self.one_in(7, self.rules.noisy) {
            return Quiescence::Quiet;
        }
        self.moves(moves);
        if self.roll(8).is_multiple_of(3) { Quiescence::Forced } else { Quiescence::Optional }
    }
}

/// Minimax by its definition, implemented independently of the library.
pub fn minimax<G: Game>(n: &G, depth: u8) -> Value {
    if let Some(outcome) = n.outcome() {
        return value_of(outcome);
    }
    if depth == 0 {
        return quiescence(n);
    }
    let moves = emtee::legal_moves(n);
    let best = moves.iter().map(|&m| to_parent(n, &n.play(m), |c| minimax(c, depth - 1))).max();
    best.unwrap_or_else(|| value_of(n.stuck()))
}

/// The value at the horizon, by quiescence search.
fn quiescence<G: Game>(n: &G) -> Value {
    if let Some(outcome) = n.outcome() {
        return value_of(outcome);
    }
    let mut moves = Moves::new();
    let kind = n.noisy_moves(&mut moves);
    let best = moves.iter().map(|m| to_parent(n, &n.play(m), quiescence)).max();
    let stand_pat = Value::score(n.evaluate()).unwrap();
    match (kind, best) {
        (Quiescence::Quiet, _) => stand_pat,
        (Quiescence::Optional, best) => best.map_or(stand_pat, |best| best.max(stand_pat)),
        (Quiescence::Forced, best) => best.unwrap_or_else(|| value_of(n.stuck())),
    }
}

/// The value of a child from the point of view of its parent.
pub fn to_parent<G: Game>(n: &G, c: &G, value: impl Fn(&G) -> Value) -> Value {
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

/// The value of a root move.
pub fn worth<G: Game>(n: &G, m: G::Move, depth: u8) -> Value {
    to_parent(n, &n.play(m), |c| minimax(c, depth - 1))
}

/// A search with default options.
pub fn think<G: Game>(algorithm: Algorithm, n: &G, depth: u8) -> Result<Found<G::Move>, Error> {
    player(OwnEvaluation).algorithm(algorithm).build()?.think(n, Budget::depth(depth))
}

/// Asserts that a search found the value of minimax and a best move with that value.
#[track_caller]
pub fn assert_right<G: Game>(n: &G, depth: u8, found: &Found<G::Move>, context: &str) {
    let value = minimax(n, depth);
    match found.value {
        Some(found) => assert_eq!(found, value, "{context}"),
        None => {
            assert!(found.f.lower <= value, "{context}: {} > {value}", found.f.lower);
            assert!(found.f.upper >= value, "{context}: {} < {value}", found.f.upper);
        }
    }
    assert_eq!(found.depth, depth, "{context}");
    assert!(found.complete, "{context}");
    assert_eq!(worth(n, found.best_move.unwrap(), depth), value, "{context}: the move");
}

/// A position after random moves from the start.
pub fn after<G: Game + Default>(plies: u64, seed: u64) -> G {
    let mut board = G::default();
    for ply in 0..plies {
        let moves = legal_moves(&board);
        let Some(&m) = moves.get(mix(seed << 8 | ply) as usize % moves.len().max(1)) else { break };
        board = board.play(m);
    }
    board
}
