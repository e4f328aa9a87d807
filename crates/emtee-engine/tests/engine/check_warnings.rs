//! The warnings of `check` about games that violate no law: a pile of matches from which each side takes one or two.

use std::cell::Cell;
use std::fmt;
use std::str::FromStr;

use emtee::{Game, Moves, Outcome, Side, mix};
use emtee_engine::{Kit, Registry};

/// What is odd about the game. The value is local to the thread, and each test runs on its own.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Odd {
    Nothing,
    NoOutcome,
    OneSide,
    Doubtful,
}

thread_local!(static ODD: Cell<Odd> = const { Cell::new(Odd::Nothing) });

fn is(odd: Odd) -> bool {
    ODD.get() == odd
}

#[derive(Clone, Copy, Debug, PartialEq, Hash)]
struct Pile {
    left: u8,
    turn: Side,
}

impl Default for Pile {
    fn default() -> Self {
        Pile { left: 15, turn: Side::First }
    }
}

impl Game for Pile {
    type Move = u8;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<u8>) {
        (1..=self.left.min(2)).for_each(|n| moves.push(n));
    }

    fn play(&self, n: u8) -> Self {
        Pile { left: self.left - n, turn: if is(Odd::OneSide) { self.turn } else { !self.turn } }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0 && !is(Odd::NoOutcome)).then_some(Outcome::Lost)
    }

    /// The side that can leave a multiple of three wins. `Doubtful` adds much noise.
    fn evaluate(&self) -> i32 {
        let good = if self.left.is_multiple_of(3) { -2 } else { 2 };
        let noise = (mix(u64::from(self.left)) % 13) as i32 - 6;
        if is(Odd::Doubtful) { noise - good } else { good }
    }
}

impl fmt::Display for Pile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.left, self.turn.index())
    }
}

impl FromStr for Pile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (left, turn) = text.split_once(' ').ok_or("write the matches and the side")?;
        let left = left.parse().map_err(|_| format!("'{left}' is no number"))?;
        Ok(Pile { left, turn: if turn == "0" { Side::First } else { Side::Second } })
    }
}

fn warnings(odd: Odd) -> Vec<String> {
    ODD.set(odd);
    let registry = Registry::default().with("pile", Kit::<Pile>::new());
    registry.get("pile").unwrap().start().tools().unwrap().check(400, 1, 3, &mut || ()).unwrap().warnings
}

#[test]
fn odd_games_get_warnings() {
    assert_eq!(warnings(Odd::Nothing), Vec::<String>::new());
    for (warnings, expected) in [
        (warnings(Odd::NoOutcome), "games end because there are no moves, as in '0 "),
        (warnings(Odd::OneSide), "the same side always moves"),
        (warnings(Odd::Doubtful), "`evaluate` contradicts the result slightly more often than not"),
    ] {
        assert!(warnings.len() == 1 && warnings[0].starts_with(expected), "{expected}: {warnings:?}");
    }
}
