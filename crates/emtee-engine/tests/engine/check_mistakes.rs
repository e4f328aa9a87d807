//! `check` on Dots and Boxes with one common mistake at a time.

use std::cell::Cell;
use std::fmt;
use std::str::FromStr;

use emtee::{Game, Moves, Outcome, Side, key_of};
use emtee_engine::{Checked, Error, Kit, Registry};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mistake {
    None,
    SignOfEvaluation,
    EvaluationOfOneSide,
    SignOfPoints,
    PointsOfOneSide,
    CounterInKey,
    OrderInKey,
    UnstableOrder,
    ClashingCodes,
    ImpurePlay,
    MovesAfterTheEnd,
    EndUnseen,
    TurnAfterABox,
    KeyWithoutTurn,
    DuplicateMoves,
    OtherRules,
}

thread_local! {
    static MISTAKE: Cell<Mistake> = const { Cell::new(Mistake::None) };
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

fn has(mistake: Mistake) -> bool {
    MISTAKE.get() == mistake
}

/// A call counter, which makes functions impure.
fn calls() -> u64 {
    CALLS.set(CALLS.get() + 1);
    CALLS.get()
}

/// Boxes per row and per column.
const SIZE: usize = 3;
/// Edges: the horizontal ones first, then the vertical ones.
const EDGES: u8 = 2 * (SIZE * (SIZE + 1)) as u8;

fn boxes() -> impl Iterator<Item = u32> {
    (0..SIZE * SIZE).map(|square| {
        let standing = SIZE * (SIZE + 1) + square / SIZE * (SIZE + 1) + square % SIZE;
        1 << square | 1 << (square + SIZE) | 1 << standing | 1 << (standing + 1)
    })
}

/// The side that draws the fourth edge of a box gets the box and moves again. The side with more boxes wins.
#[derive(Clone, Hash, Default)]
struct Dots {
    edges: u32,
    /// The lead of the side to move, in boxes.
    lead: i8,
    turn: Side,
    /// Always 0, except in some of the mistakes.
    counter: u64,
}

impl Dots {
    fn is_full(&self) -> bool {
        self.edges.count_ones() == u32::from(EDGES)
    }

    fn first(&self, of_mover: i32) -> i32 {
        if self.turn == Side::First { of_mover } else { -of_mover }
    }
}

impl Game for Dots {
    type Move = u8;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<u8>) {
        let free = |edge: &u8| self.edges >> edge & 1 == 0;
        let turned = if has(Mistake::UnstableOrder) { (calls() % u64::from(EDGES)) as u8 } else { 0 };
        (0..EDGES).map(|edge| (edge + turned) % EDGES).filter(free).for_each(|edge| moves.push(edge));
        if has(Mistake::DuplicateMoves) && free(&5) {
            moves.push(5);
        }
        if has(Mistake::MovesAfterTheEnd) && self.is_full() || has(Mistake::EndUnseen) && self.is_full() {
            moves.push(0);
        }
    }

    fn play(&self, edge: u8) -> Dots {
        let edges = self.edges | 1 << edge;
        let mut made = boxes().filter(|four| four >> edge & 1 == 1 && four & edges == *four).count() as i8;
        if edges == self.edges {
            made = 0;
        }
        if has(Mistake::ImpurePlay) && calls().is_multiple_of(97) {
            made = 1 - made.min(1);
        }
        let (lead, mut turn) = if made > 0 { (self.lead + made, self.turn) } else { (-self.lead, !self.turn) };
        let mut lead = lead;
        if has(Mistake::TurnAfterABox) || has(Mistake::OtherRules) {
            turn = !self.turn;
        }
        if has(Mistake::OtherRules) {
            lead = -(self.lead + made);
        }
        let counter = match MISTAKE.get() {
            Mistake::CounterInKey => self.counter + 1,
            Mistake::OrderInKey => key_of(&(self.counter, edge)),
            _ => 0,
        };
        Dots { edges, lead, turn, counter }
    }

    fn outcome(&self) -> Option<Outcome> {
        let lead = match MISTAKE.get() {
            Mistake::SignOfPoints => -i32::from(self.lead),
            Mistake::PointsOfOneSide => self.first(self.lead.into()),
            _ => self.lead.into(),
        };
        (self.is_full() && !has(Mistake::EndUnseen)).then_some(Outcome::Points(lead))
    }

    fn evaluate(&self) -> i32 {
        match MISTAKE.get() {
            Mistake::SignOfEvaluation => -10 * i32::from(self.lead),
            Mistake::EvaluationOfOneSide => 10 * self.first(self.lead.into()),
            _ => 10 * i32::from(self.lead),
        }
    }

    fn key(&self) -> u64 {
        if has(Mistake::KeyWithoutTurn) { key_of(&(self.edges, self.lead)) } else { key_of(self) }
    }

    fn code(&self, edge: u8, _: usize) -> u16 {
        if has(Mistake::ClashingCodes) { u16::from(edge / 2) } else { edge.into() }
    }
}

impl fmt::Display for Dots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = if self.turn == Side::First { 'a' } else { 'b' };
        write!(f, "{:06x} {} {side}", self.edges, self.lead)?;
        if has(Mistake::OrderInKey) { write!(f, " {}", self.counter) } else { Ok(()) }
    }
}

impl FromStr for Dots {
    type Err = String;

    fn from_str(text: &str) -> Result<Dots, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [edges, lead, side, ref more @ ..] = words[..] else {
            return Err("write the edges, the lead and the side".into());
        };
        let turn = if side == "a" { Side::First } else { Side::Second };
        let edges = u32::from_str_radix(edges, 16).map_err(|error| error.to_string())?;
        let lead = lead.parse().map_err(|_| format!("'{lead}' is no lead"))?;
        let counter = more.first().and_then(|word| word.parse().ok()).unwrap_or(0);
        Ok(Dots { edges, lead, turn, counter })
    }
}

fn check(mistake: Mistake) -> Result<Checked, Error> {
    MISTAKE.set(mistake);
    let registry = Registry::standard().with("dots", Kit::<Dots>::new());
    registry.get("dots").unwrap().start().tools().unwrap().check(100, 1, 3, &mut || ())
}

#[test]
fn a_correct_game_violates_no_law() {
    let checked = check(Mistake::None).unwrap();
    assert_eq!((checked.games, checked.warnings), (100, Vec::new()));
}

#[test]
fn common_mistakes_are_found() {
    for (mistake, expected) in [
        (Mistake::SignOfEvaluation, "`evaluate` and `outcome` contradict each other"),
        (Mistake::EvaluationOfOneSide, "`evaluate` seems to be for one side of the board"),
        (Mistake::SignOfPoints, "`evaluate` and `outcome` contradict each other"),
        (Mistake::PointsOfOneSide, "`outcome` seems to be for one side of the board"),
        (
            Mistake::CounterInKey,
            "positions with equal texts have equal keys: when read again, it has another key: the key",
        ),
        (Mistake::OrderInKey, "a position has the same key however it is reached"),
        (Mistake::UnstableOrder, "the list of moves depends only on the position: two calls return different lists"),
        (Mistake::ClashingCodes, "every move has a code of its own, below 65535: '1' has the code 0"),
        (Mistake::ImpurePlay, "playing a move twice gives the same position"),
        (Mistake::EndUnseen, "a game without repetitions ends"),
        (Mistake::TurnAfterABox, "before the end, `evaluate` contradicts the result"),
        (Mistake::KeyWithoutTurn, "different positions have different keys"),
        (Mistake::DuplicateMoves, "no move is listed twice: '5' and '5' are the same"),
    ] {
        let error = check(mistake).expect_err(&format!("{mistake:?}"));
        let Error::Violation(violation) = &error else { panic!("{error}") };
        let text = error.to_string();
        assert!(text.contains(expected), "{mistake:?}: {text}");
        assert!(text.lines().count() == 1 && text.chars().count() < 480, "{mistake:?}: {text}");
        // The position can be pasted, and the moves lead to it.
        MISTAKE.set(if mistake == Mistake::OrderInKey { mistake } else { Mistake::None });
        let start = Registry::standard().with("dots", Kit::<Dots>::new());
        let start = start.get("dots").unwrap();
        start.position(&violation.position).unwrap_or_else(|error| panic!("{mistake:?}: {error}"));
        let moves: Vec<&str> = violation.moves.iter().map(String::as_str).collect();
        if ![Mistake::TurnAfterABox, Mistake::UnstableOrder, Mistake::EndUnseen].contains(&mistake) {
            assert_eq!(start.start().after_all(&moves).unwrap().text(), violation.position, "{mistake:?}");
        }
        println!("{mistake:?}\n    {text}");
    }
}

/// Both positions with the same key are shown.
#[test]
fn equal_keys_name_both_positions() {
    let text = check(Mistake::KeyWithoutTurn).unwrap_err().to_string();
    assert!(text.contains("; the other one is '"), "{text}");
}

/// Moves after the end violate no law, because they are never played, but they are worth a warning.
#[test]
fn moves_after_the_end_get_a_warning() {
    let warnings = check(Mistake::MovesAfterTheEnd).unwrap().warnings;
    assert!(
        warnings.len() == 1 && warnings[0].starts_with("`moves` lists moves after the end, as in 'ffffff "),
        "{warnings:?}"
    );
}

/// If the turn always passes after a box, and everything else is consistent, the game is a different one, but a correct
/// one.
#[test]
fn consistent_other_rules_are_accepted() {
    assert_eq!(check(Mistake::OtherRules).unwrap().warnings, Vec::<String>::new());
}

/// The built-in games have none of these mistakes.
#[test]
fn built_in_games_violate_no_law() {
    for game in Registry::standard().iter() {
        let checked = game
            .start()
            .tools()
            .unwrap()
            .check(30, 7, 1, &mut || ())
            .unwrap_or_else(|error| panic!("{}: {error}", game.name()));
        println!("{}: {:?}", game.name(), checked.warnings);
    }
}
