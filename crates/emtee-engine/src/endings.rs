//! Engines and searches that ask an endings database.

use std::sync::Arc;

use emtee::Budget;
use emtee_games::checkers;
use emtee_games::checkers::endings::{Endings, Judge};

use crate::error::Error;
use crate::position::{At, Playable};
use crate::row::{Row, TopMove};
use crate::session::{Engine, Play, Player};
use crate::settings::Settings;

/// What a game does that has such databases. The others need no searches of this kind, and so have none.
pub(crate) trait Probing<G: Playable>: Sync {
    /// A player of the game.
    fn engine(&self, game: &str, play: &Play, endings: &Arc<Endings>) -> Result<Box<dyn Engine>, Error>;

    /// A search.
    fn search(
        &self,
        at: &At<G>,
        endings: &Arc<Endings>,
        settings: &Settings,
        budget: Budget,
        shown: &mut dyn FnMut(&Row),
    ) -> Result<Row, Error>;

    /// The best moves.
    fn top(
        &self,
        at: &At<G>,
        endings: &Arc<Endings>,
        settings: &Settings,
        budget: Budget,
        count: usize,
    ) -> Result<Vec<TopMove>, Error>;

    /// What a move is worth.
    fn worth(
        &self,
        at: &At<G>,
        endings: &Arc<Endings>,
        m: G::Move,
        settings: &Settings,
        depth: u8,
    ) -> Result<i32, Error>;
}

/// Checkers has.
pub(crate) struct CheckersEndings;

impl Probing<checkers::Board> for CheckersEndings {
    fn engine(&self, game: &str, play: &Play, endings: &Arc<Endings>) -> Result<Box<dyn Engine>, Error> {
        Ok(Box::new(Player::<checkers::Board, _>::new(game, play, Judge::new(endings.clone()))?))
    }

    fn search(
        &self,
        at: &At<checkers::Board>,
        endings: &Arc<Endings>,
        settings: &Settings,
        budget: Budget,
        shown: &mut dyn FnMut(&Row),
    ) -> Result<Row, Error> {
        at.search_with(Judge::new(endings.clone()), settings, budget, shown)
    }

    fn top(
        &self,
        at: &At<checkers::Board>,
        endings: &Arc<Endings>,
        settings: &Settings,
        budget: Budget,
        count: usize,
    ) -> Result<Vec<TopMove>, Error> {
        at.top_with(Judge::new(endings.clone()), settings, budget, count)
    }

    fn worth(
        &self,
        at: &At<checkers::Board>,
        endings: &Arc<Endings>,
        m: checkers::Move,
        settings: &Settings,
        depth: u8,
    ) -> Result<i32, Error> {
        at.worth_with(Judge::new(endings.clone()), m, settings, depth)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::registry::Registry;
    use crate::session::{Clock, Control};
    use crate::solve::Solve;

    static THREE: LazyLock<Arc<Endings>> = LazyLock::new(|| Arc::new(Endings::build(3)));

    #[test]
    fn checkers_asks_and_other_games_say_that_they_cannot() {
        let registry = Registry::standard();
        let settings = Settings { endings: Some(THREE.clone()), ..Settings::default() };
        let play = Play { endings: Some(THREE.clone()), hash: emtee::Size::of_bytes(1 << 20), ..Play::default() };
        let position = registry.get("checkers").unwrap().position("B:WK1:BK14,6").unwrap();
        let row = position.search(&settings, Budget::depth(3), &mut |_| ()).unwrap();
        assert_eq!(row.value.map(i32::signum), Some(expected(&*position)));
        let top = position.top(&settings, Budget::depth(3), 2).unwrap();
        assert_eq!(Some(top[0].value), Some(row.value));
        let worth = position.worth(row.best_move.as_deref().unwrap(), &settings, 3).unwrap();
        assert_eq!(Some(worth), row.value);
        let mut engine = registry.get("checkers").unwrap().engine(&play).unwrap();
        let choice = engine.think(&*position, &Clock::depth(5), &Control::default(), &mut |_| ()).unwrap();
        assert!(choice.best_move.is_some());

        let chess = registry.get("chess").unwrap();
        let error = chess.start().search(&settings, Budget::depth(1), &mut |_| ()).unwrap_err();
        assert_eq!(error.to_string(), "there are endings databases of checkers, none of chess");
        assert_eq!(chess.engine(&play).err(), Some(error.clone()));
        let task = Solve { endings: Some(THREE.clone()), ..Solve::default() };
        assert_eq!(chess.start().solve(&task, &mut |_| ()).err(), Some(error));
    }

    fn expected(position: &dyn crate::position::Position) -> i32 {
        let board: checkers::Board = position.text().parse().unwrap();
        THREE.value(&board).unwrap() as i32 - 1
    }
}
