//! Monte-Carlo tree search behind the API of the engine.

use std::fmt;
use std::str::FromStr;

use emtee::{Algorithm, Budget, Game, Moves, Outcome, Side};
use emtee_engine::arena::PlayerSpec;
use emtee_engine::{Clock, Comparison, Control, Kit, Play, Registry, Settings};

/// Nim without an evaluation: take one to three of 21 matches.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Nim(u8);

impl Default for Nim {
    fn default() -> Nim {
        Nim(21)
    }
}

impl fmt::Display for Nim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Nim {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Nim, Self::Err> {
        text.parse().map(Nim)
    }
}

impl Game for Nim {
    type Move = u8;

    fn turn(&self) -> Side {
        if self.0 % 2 == 1 { Side::First } else { Side::Second }
    }

    /// Odd numbers only, so that the number of matches tells whose turn it is.
    fn moves(&self, moves: &mut Moves<u8>) {
        [1, 3].into_iter().filter(|&n| n <= self.0).for_each(|n| moves.push(n));
    }

    fn play(&self, n: u8) -> Nim {
        Nim(self.0 - n)
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.0 == 0).then_some(Outcome::Lost)
    }
}

fn mcts() -> Settings {
    with!(Settings::default(), options = with!(Settings::default().options, algorithm = Algorithm::Mcts))
}

#[test]
fn it_is_the_default_for_games_without_an_evaluation() {
    let standard = Registry::standard();
    for game in standard.iter() {
        assert_eq!(game.play_algorithm(None), Algorithm::MtdF, "{}", game.name());
    }
    let own = Registry::default()
        .with("nim", Kit::<Nim>::new())
        .with("counted", Kit::<Nim>::new().evaluator("count", |nim: &Nim| nim.0.into()).engine_evaluator("count"));
    assert_eq!(own.get("nim").unwrap().play_algorithm(None), Algorithm::Mcts);
    let counted = own.get("counted").unwrap();
    assert_eq!(counted.play_algorithm(None), Algorithm::MtdF);
    assert_eq!(counted.play_algorithm(Some("own")), Algorithm::Mcts);
}

#[test]
fn a_row_has_the_share_of_wins_and_the_simulations() {
    let registry = Registry::standard();
    let start = registry.get("connect4").unwrap().start();
    let mut iterations = 0;
    let row = start
        .search(&mcts(), Budget::nodes(1_000), &mut |event| iterations += u32::from(event.iteration().is_some()))
        .unwrap();
    assert_eq!((row.algorithm.as_str(), row.simulations, row.counts.nodes()), ("mcts", Some(1_000), 1_000));
    let rate = row.win_rate.unwrap();
    assert!((0.0..=1.0).contains(&rate) && row.value == Some(((2.0 * rate - 1.0) * 1_000.0).round() as i32));
    assert!(!row.complete && iterations >= 4 && row.pv.first() == row.best_move.as_ref());
    let won = registry.get("connect4").unwrap().position("112233").unwrap();
    let row = won.search(&mcts(), Budget::nodes(1_000), &mut |_| ()).unwrap();
    assert_eq!((row.win_in, row.win_rate, row.complete), (Some(1), Some(1.0), true));
}

#[test]
fn an_engine_can_change_to_it_and_back() {
    let registry = Registry::standard();
    let game = registry.get("connect4").unwrap();
    let mut engine = game.engine(&Play::default()).unwrap();
    assert!(game.algorithms(&Play::default()).contains(&Algorithm::Mcts));
    let position = game.position("112233").unwrap();
    for algorithm in [Algorithm::Mcts, Algorithm::MtdF, Algorithm::Mcts] {
        let play = with!(Play::default(), options = with!(Play::default().options, algorithm = algorithm));
        engine.reconfigure(&play).unwrap();
        let choice = engine.think(&*position, &Clock::nodes(2_000), &Control::default(), &mut |_| ()).unwrap();
        assert_eq!(choice.best_move.as_deref(), Some("4"));
        assert_eq!((choice.row.algorithm, choice.row.win_in), (algorithm.to_string(), Some(1)));
    }
}

#[test]
fn levels_and_lines_work() {
    let registry = Registry::standard();
    let game = registry.get("tictactoe").unwrap();
    let play = with!(Play::by(Algorithm::Mcts), level = Some(emtee::Level::LOWEST), seed = 3);
    let mut engine = game.engine(&play).unwrap();
    let choice = engine.think(&*game.start(), &Clock::default(), &Control::default(), &mut |_| ()).unwrap();
    assert!(choice.best_move.is_some() && choice.row.counts.nodes() <= 16);
    let mut engine = game.engine(&Play::by(Algorithm::Mcts)).unwrap();
    let clock = with!(Clock::nodes(500), lines = 4);
    let choice = engine.think(&*game.start(), &clock, &Control::default(), &mut |_| ()).unwrap();
    assert_eq!(choice.row.top.unwrap().len(), 4);
}

#[test]
fn what_needs_minimax_values_refuses_it() {
    let registry = Registry::standard();
    let game = registry.get("connect4").unwrap();
    let why = "mcts finds no minimax values, so it is for playing and for single searches; choose another algorithm";
    assert_eq!(Comparison::new(game, ["mtd-f", "uct"]).map(|_| ()).unwrap_err().to_string(), why);
    let selective = "mcts,selective=yes".parse::<PlayerSpec>().unwrap_err();
    assert!(selective.ends_with("mcts has no selective search"), "{selective}");
}
