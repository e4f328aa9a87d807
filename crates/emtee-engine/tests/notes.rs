//! What `check` notes in games that break no law: a pile of matches, of which each side takes one or two.

use std::fmt;
use std::str::FromStr;

use emtee::{Game, Moves, Outcome, Side, mix};
use emtee_engine::Registry;

/// What may be odd about the game.
const NOTHING: u8 = 0;
const NO_OUTCOME: u8 = 1;
const ONE_SIDE: u8 = 2;
const DOUBTFUL: u8 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Hash)]
struct Pile<const ODD: u8> {
    left: u8,
    turn: Side,
}

impl<const ODD: u8> Default for Pile<ODD> {
    fn default() -> Self {
        Pile { left: 15, turn: Side::First }
    }
}

impl<const ODD: u8> Game for Pile<ODD> {
    type Move = u8;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<u8>) {
        (1..=self.left.min(2)).for_each(|n| moves.push(n));
    }

    fn play(&self, n: u8) -> Self {
        Pile { left: self.left - n, turn: if ODD == ONE_SIDE { self.turn } else { !self.turn } }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0 && ODD != NO_OUTCOME).then_some(Outcome::Lost)
    }

    /// Whoever can leave a multiple of three wins; much noise beside it.
    fn evaluate(&self) -> i32 {
        let good = if self.left.is_multiple_of(3) { -2 } else { 2 };
        let noise = (mix(u64::from(self.left)) % 13) as i32 - 6;
        if ODD == DOUBTFUL { noise - good } else { good }
    }
}

impl<const ODD: u8> fmt::Display for Pile<ODD> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.left, self.turn.index())
    }
}

impl<const ODD: u8> FromStr for Pile<ODD> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (left, turn) = text.split_once(' ').ok_or("write the matches and the side")?;
        let left = left.parse().map_err(|_| format!("'{left}' is no number"))?;
        Ok(Pile { left, turn: if turn == "0" { Side::First } else { Side::Second } })
    }
}

fn notes<const ODD: u8>() -> Vec<String> {
    let registry = Registry::standard().with::<Pile<ODD>>("pile");
    registry.get("pile").unwrap().start().check(400, 1, 3, &mut || ()).unwrap().notes
}

#[test]
fn what_is_odd_is_noted() {
    assert_eq!(notes::<NOTHING>(), Vec::<String>::new());
    for (notes, told) in [
        (notes::<NO_OUTCOME>(), "games end because there are no moves, as in '0 "),
        (notes::<ONE_SIDE>(), "the same side moves all the time"),
        (notes::<DOUBTFUL>(), "`evaluate` says the opposite of the result a little more often than not"),
    ] {
        assert!(notes.len() == 1 && notes[0].starts_with(told), "{told}: {notes:?}");
    }
}
