//! The laws of games: who keeps them passes, and who does not is told which.

use std::collections::BTreeSet;
use std::sync::Mutex;

use emtee::{Budget, Evaluate, Game, Moves, Outcome, OwnEvaluation, Quiescence, Side, laws, player};

/// The last move of a won race, by a player who recalls any code at all.
#[derive(Clone, Hash)]
struct Careless {
    left: u8,
    turn: Side,
}

impl Game for Careless {
    type Move = u8;
    fn turn(&self) -> Side {
        self.turn
    }
    fn moves(&self, moves: &mut Moves<u8>) {
        (1..=self.left.min(2)).for_each(|n| moves.push(n));
    }
    fn play(&self, n: u8) -> Careless {
        Careless { left: self.left.saturating_sub(n), turn: !self.turn }
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
fn no_game_is_asked_to_recall_no_move_and_the_laws_find_who_recalls_anything() {
    let start = Careless { left: 9, turn: Side::First };
    let broken = laws::check(&start, &OwnEvaluation, 5, 1).unwrap_err();
    assert_eq!(broken.law, "a code that no move has recalls nothing");
    // A search never asks it for a move that there is none of.
    let mut ai = player(OwnEvaluation).selective(emtee::Selective::ALL).build().unwrap();
    let found = ai.think(&start, Budget::depth(9)).unwrap();
    assert!(found.value.is_some_and(|value| value.is_proven()), "{:?}", found.value);
}

/// A race to the last stick, with a fault.
#[derive(Clone, Copy, Hash, PartialEq)]
enum Fault {
    None,
    /// Lists a loud move that is not legal.
    Loud,
    /// Says that it is forced and lists one of two moves.
    Half,
    /// Says that there is a choice where there is one move.
    Choice,
    /// Passes to itself.
    Pass,
    /// Gives all moves one code.
    Code,
    /// Lists moves as loud and says that it is quiet. That is none.
    Idle,
}

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
            Fault::Loud if self.left < 5 => {
                moves.push(9);
                Quiescence::Optional
            }
            Fault::Half if self.left > 1 => {
                moves.push(1);
                Quiescence::Forced
            }
            Fault::Idle => {
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
        let turn = if self.fault == Fault::Pass { self.turn } else { !self.turn };
        (self.left > 0).then_some(Sticks { turn, ..*self })
    }
}

#[test]
fn the_laws_name_what_is_broken() {
    for (fault, law) in [
        (Fault::None, None),
        (Fault::Loud, Some("noisy moves are legal")),
        (Fault::Half, Some("a forced position lists all its moves as noisy")),
        (Fault::Choice, Some("whoever has a choice has two moves")),
        (Fault::Pass, Some("after a pass the other side moves")),
        (Fault::Code, Some("every move has a code of its own, below 65535")),
    ] {
        let start = Sticks { left: 11, turn: Side::First, fault };
        let checked = laws::check(&start, &OwnEvaluation, 20, 1);
        assert_eq!(checked.as_ref().err().map(|broken| broken.law), law);
        if let Ok(checked) = checked {
            // Games of six to eleven moves, by both sides: no more than two positions a stick.
            assert_eq!(checked.games, 20);
            assert!((120..=240).contains(&checked.positions), "{checked:?}");
            assert!((12..=23).contains(&checked.keys), "{checked:?}");
        }
    }
}

/// It is no loud line, however long it is.
#[test]
fn the_laws_leave_quiet_positions_in_peace() {
    let start = Sticks { left: 250, turn: Side::First, fault: Fault::Idle };
    let checked = laws::check(&start, &OwnEvaluation, 1, 1);
    assert!(checked.is_ok(), "{checked:?}");
}

/// Answers differently each time it is asked.
struct Fickle(std::sync::atomic::AtomicI32);

impl<G> Evaluate<G> for Fickle {
    fn evaluate(&self, _: &G) -> i32 {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % 100
    }
}

#[test]
fn the_laws_name_an_evaluation_that_changes() {
    let start = Sticks { left: 11, turn: Side::First, fault: Fault::None };
    let broken = laws::check(&start, &Fickle(0.into()), 20, 1).unwrap_err();
    assert_eq!(broken.law, "an outcome and an evaluation depend on the position alone");
}

#[test]
fn the_laws_hold_where_captures_follow_captures() {
    let checked = laws::check(&emtee_games::checkers::Board::default(), &OwnEvaluation, 5, 1);
    assert!(checked.is_ok(), "{checked:?}");
}

/// Sticks that all look alike to a table.
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
fn algorithms_agree_unless_a_key_misleads_them() {
    let start = Sticks { left: 7, turn: Side::First, fault: Fault::None };
    assert!(laws::agree(&start, &OwnEvaluation, 7).is_ok());
    let broken = laws::agree(&OneKey(start), &OwnEvaluation, 7).unwrap_err();
    assert!(broken.law.starts_with("every algorithm finds the value of minimax"), "{broken:?}");
}

/// Sticks that note which codes they are asked about.
#[derive(Clone, Hash)]
struct Noting(Sticks);

static ASKED: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());

impl Game for Noting {
    type Move = u8;
    fn turn(&self) -> Side {
        self.0.turn()
    }
    fn moves(&self, moves: &mut Moves<u8>) {
        self.0.moves(moves);
    }
    fn play(&self, n: u8) -> Noting {
        Noting(self.0.play(n))
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
    fn move_from_code(&self, code: u16) -> Option<u8> {
        ASKED.lock().unwrap().insert(code);
        None
    }
}

#[test]
fn the_laws_ask_about_codes_of_every_size() {
    // The last stick: one position, and the end.
    let start = Noting(Sticks { left: 1, turn: Side::First, fault: Fault::None });
    laws::check(&start, &OwnEvaluation, 1, 1).unwrap();
    let asked = ASKED.lock().unwrap();
    assert!((0..200).all(|code| asked.contains(&code)));
    // Two of two hundred may be the same.
    assert!(asked.len() > 395, "{}", asked.len());
    assert!(asked.iter().filter(|code| **code >= 1 << 15).count() > 60);
}
