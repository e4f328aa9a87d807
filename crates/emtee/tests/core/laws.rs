//! `laws`: games that obey the laws pass, and games that violate one get its name.

use std::collections::BTreeSet;
use std::sync::Mutex;

use emtee::{Budget, Evaluate, Game, Moves, Outcome, OwnEvaluation, Quiescence, Side, laws, player};

/// A game whose `move_from_code` accepts any code.
#[derive(Clone, Hash)]
struct AnyCode {
    left: u8,
    turn: Side,
}

impl Game for AnyCode {
    type Move = u8;
    fn turn(&self) -> Side {
        self.turn
    }
    fn moves(&self, moves: &mut Moves<u8>) {
        (1..=self.left.min(2)).for_each(|n| moves.push(n));
    }
    fn play(&self, n: u8) -> AnyCode {
        AnyCode { left: self.left.saturating_sub(n), turn: !self.turn }
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then_some(Outcome::Lost)
    }
    fn code(&self, n: u8, _: usize) -> u16 {
        u16::from(n)
    }
    fn move_from_code(&self, code: u16) -> Option<u8> {
        Some(code as u8)
    }
}

#[test]
fn a_move_from_any_code_is_a_violation_and_the_search_uses_only_codes_of_moves() {
    let start = AnyCode { left: 9, turn: Side::First };
    let violation = laws::check(&start, &OwnEvaluation, 5, 1).unwrap_err();
    assert_eq!(violation.law, "move_from_code returns None if no legal move has the code");
    // A search never calls it with the code that stands for no move.
    let mut ai = player(OwnEvaluation).selective(emtee::Selective::ALL).build().unwrap();
    let found = ai.think(&start, Budget::depth(9)).unwrap();
    assert!(found.value.is_some_and(|value| value.is_proven()), "{:?}", found.value);
}

/// The faults of [`Sticks`].
#[derive(Clone, Copy, Hash, PartialEq)]
enum Fault {
    None,
    /// Lists a noisy move that is not legal.
    IllegalNoisyMove,
    /// Is forced and lists only one of two moves.
    MissingForcedMove,
    /// `has_choice` is true with one move.
    Choice,
    /// The same side moves after a null move.
    NullMove,
    /// All moves have the same code.
    Code,
    /// Lists noisy moves and is quiet. This is not a violation.
    QuietWithMoves,
}

/// Take one or two sticks; the side that takes the last one wins. With a fault.
#[derive(Clone, Hash)]
struct Sticks {
    left: u8,
    turn: Side,
    fault: Fault,
}

impl Game for Sticks {
    type Move = u8;
    fn turn(&self) -> Side {
        self.turn
    }
    fn moves(&self, moves: &mut Moves<u8>) {
        (1..=self.left.min(2)).for_each(|n| moves.push(n));
    }
    fn play(&self, n: u8) -> Sticks {
        Sticks { left: self.left.saturating_sub(n), turn: !self.turn, ..*self }
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then_some(Outcome::Lost)
    }
    fn noisy_moves(&self, moves: &mut Moves<u8>) -> Quiescence {
        match self.fault {
            Fault::IllegalNoisyMove if self.left < 5 => {
                moves.push(9);
                Quiescence::Optional
            }
            Fault::MissingForcedMove if self.left > 1 => {
                moves.push(1);
                Quiescence::Forced
            }
            Fault::QuietWithMoves => {
                moves.push(1);
                Quiescence::Quiet
            }
            _ => Quiescence::Quiet,
        }
    }
    fn code(&self, n: u8, _: usize) -> u16 {
        if self.fault == Fault::Code { 1 } else { u16::from(n) }
    }
    fn move_from_code(&self, code: u16) -> Option<u8> {
        u8::try_from(code).ok().filter(|n| (1..=self.left.min(2)).contains(n))
    }
    fn has_choice(&self) -> bool {
        self.left >= 2 || self.fault == Fault::Choice && self.left == 1
    }
    fn null_move(&self) -> Option<Sticks> {
        let turn = if self.fault == Fault::NullMove { self.turn } else { !self.turn };
        (self.left > 0).then_some(Sticks { turn, ..*self })
    }
}

#[test]
fn violations_are_found_and_named() {
    for (fault, law) in [
        (Fault::None, None),
        (Fault::IllegalNoisyMove, Some("noisy moves are legal")),
        (Fault::MissingForcedMove, Some("a forced position lists all its moves as noisy")),
        (Fault::Choice, Some("has_choice is true only if there are two legal moves")),
        (Fault::NullMove, Some("after a null move the other side moves")),
        (Fault::Code, Some("every move has a code of its own, below 65535")),
    ] {
        let start = Sticks { left: 11, turn: Side::First, fault };
        let checked = laws::check(&start, &OwnEvaluation, 20, 1);
        assert_eq!(checked.as_ref().err().map(|violation| violation.law), law);
        if let Ok(checked) = checked {
            // Games of six to eleven moves, with at most two positions per number of sticks.
            assert_eq!(checked.games, 20);
            assert!((120..=240).contains(&checked.positions), "{checked:?}");
            assert!((12..=23).contains(&checked.keys), "{checked:?}");
        }
    }
}

/// A long line of quiet positions is not an endless line of noisy moves.
#[test]
fn quiet_positions_are_no_violation() {
    let start = Sticks { left: 250, turn: Side::First, fault: Fault::QuietWithMoves };
    let checked = laws::check(&start, &OwnEvaluation, 1, 1);
    assert!(checked.is_ok(), "{checked:?}");
}

/// An evaluator whose result changes with every call.
struct Unstable(std::sync::atomic::AtomicI32);

impl<G> Evaluate<G> for Unstable {
    fn evaluate(&self, _: &G) -> i32 {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % 100
    }
}

#[test]
fn an_unstable_evaluation_is_a_violation() {
    let start = Sticks { left: 11, turn: Side::First, fault: Fault::None };
    let violation = laws::check(&start, &Unstable(0.into()), 20, 1).unwrap_err();
    assert_eq!(violation.law, "outcome and evaluation depend only on the position");
}

#[test]
fn checkers_obeys_the_laws() {
    let checked = laws::check(&emtee_games::checkers::Board::default(), &OwnEvaluation, 5, 1);
    assert!(checked.is_ok(), "{checked:?}");
}

/// A game in which all positions have the same key.
#[derive(Clone, Hash)]
struct OneKey(Sticks);

impl Game for OneKey {
    type Move = u8;
    fn turn(&self) -> Side {
        self.0.turn()
    }
    fn moves(&self, moves: &mut Moves<u8>) {
        self.0.moves(moves);
    }
    fn play(&self, n: u8) -> OneKey {
        OneKey(self.0.play(n))
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
    fn key(&self) -> u64 {
        7
    }
}

#[test]
fn algorithms_agree_unless_keys_are_wrong() {
    let start = Sticks { left: 7, turn: Side::First, fault: Fault::None };
    assert!(laws::agree(&start, &OwnEvaluation, 7).is_ok());
    let violation = laws::agree(&OneKey(start), &OwnEvaluation, 7).unwrap_err();
    assert!(violation.law.starts_with("every algorithm finds the value of minimax"), "{violation:?}");
}

/// A game that records the codes with which `move_from_code` is called.
#[derive(Clone, Hash)]
struct RecordsCodes(Sticks);

static CODES: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());

impl Game for RecordsCodes {
    type Move = u8;
    fn turn(&self) -> Side {
        self.0.turn()
    }
    fn moves(&self, moves: &mut Moves<u8>) {
        self.0.moves(moves);
    }
    fn play(&self, n: u8) -> RecordsCodes {
        RecordsCodes(self.0.play(n))
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
    fn move_from_code(&self, code: u16) -> Option<u8> {
        CODES.lock().unwrap().insert(code);
        None
    }
}

#[test]
fn the_check_tries_codes_of_every_size() {
    // One stick: a single position, and the end of the game.
    let start = RecordsCodes(Sticks { left: 1, turn: Side::First, fault: Fault::None });
    laws::check(&start, &OwnEvaluation, 1, 1).unwrap();
    let codes = CODES.lock().unwrap();
    assert!((0..200).all(|code| codes.contains(&code)));
    // A few of the two hundred random codes may be equal.
    assert!(codes.len() > 395, "{}", codes.len());
    assert!(codes.iter().filter(|code| **code >= 1 << 15).count() > 60);
}
