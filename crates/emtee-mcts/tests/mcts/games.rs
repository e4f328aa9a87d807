//! Small games for the tests.

use emtee::{Game, Moves, Outcome, Side, legal_moves, mix};

/// Nim with one heap: take one, two or three; no match is left for the loser.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Nim {
    pub(crate) matches: u8,
    pub(crate) turn: Side,
}

impl Game for Nim {
    type Move = u8;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<u8>) {
        (1..=self.matches.min(3)).for_each(|n| moves.push(n));
    }

    fn play(&self, n: u8) -> Nim {
        Nim { matches: self.matches - n, turn: !self.turn }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.matches == 0).then_some(Outcome::Lost)
    }
}

/// The side to move waits, which may repeat a position, or resigns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Waiting {
    pub(crate) turn: Side,
    pub(crate) resigned: bool,
}

impl Game for Waiting {
    type Move = bool;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<bool>) {
        moves.push(false);
        moves.push(true);
    }

    fn play(&self, resigns: bool) -> Waiting {
        Waiting { turn: !self.turn, resigned: resigns }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.resigned.then_some(Outcome::Won)
    }

    fn halfmove_clock(&self) -> Option<u32> {
        Some(u32::MAX)
    }
}

/// A position after random moves, or `None` if the game ends before.
pub(crate) fn after_random<G: Game>(start: &G, plies: u64, seed: u64) -> Option<G> {
    let mut position = start.clone();
    for ply in 0..plies {
        let moves = legal_moves(&position);
        let m = moves.get((mix(seed << 32 | ply) % moves.len().max(1) as u64) as usize)?;
        position = position.play(*m);
    }
    (!legal_moves(&position).is_empty()).then_some(position)
}
