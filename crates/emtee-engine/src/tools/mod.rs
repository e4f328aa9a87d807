//! What can be done with a position besides playing and searching it: solving, counting lines of play, checking the rules,
//! and the measurements of the lab. A page without a server has none of it, so that it is small.

mod evaluations;
mod explore;
mod minimal;
mod perft;

use emtee::research::Mtd;
use emtee::{Budget, Moves, OwnEvaluation};
use emtee_games::packed::PACKED;

use crate::check::Checked;
use crate::error::Error;
use crate::now::now;
use crate::position::{GamePosition, Playable, Position, find};
use crate::row::RowMaker;
use crate::search::{ObservedSearch, SharedEvaluator, build_observed};
use crate::settings::Settings;
use crate::solve::{Answer, Solution, Solve, SolveError, SolveProgress, Solved, Solving, plain};

pub use evaluations::Evaluations;
pub use explore::{Branch, Explored};
pub use minimal::MinimalGraph;

/// The tools of a position; see [`Position::tools`](crate::Position::tools).
///
/// Searches of the tools use the evaluator of the settings, like any other search.
pub trait Tools {
    /// The exact value of the position, and a line that proves it. `shown` reports progress. If the stop flag is set
    /// first, the result is not [exact](Solved::exact).
    fn solve(&self, task: &Solve, shown: &mut dyn FnMut(&Solving)) -> Result<Solved, Error>;

    /// The number of lines of exactly `depth` moves from here.
    fn perft(&self, depth: u8) -> u64;

    /// Checks the game's laws along random games from here, and the algorithms against minimax. `step` is called after
    /// each of the [`check_steps`](crate::check_steps).
    fn check(&self, games: u32, seed: u64, depth: u8, step: &mut dyn FnMut()) -> Result<Checked, Error>;

    /// The left-first minimal graph at each depth of an iterative deepening up to `depth`; fewer if the stop flag is
    /// set.
    fn minimal_graphs(&self, settings: &Settings, depth: u8) -> Result<Vec<MinimalGraph>, Error>;

    /// The leaf evaluations of each iteration of a search to `depth`.
    fn evaluations(&self, settings: &Settings, depth: u8) -> Result<Vec<Evaluations>, Error>;

    /// The last iteration of a search as a tree: the moves of `line` from here, and everything visited up to `plies`
    /// below its end. See [`Explored`].
    fn explore(&self, settings: &Settings, budget: Budget, line: &[&str], plies: usize) -> Result<Explored, Error>;

    /// The board of a training record, if the position is quiet: `best` is the best move.
    fn packed(&self, best: &str) -> Option<[u8; PACKED]>;
}

impl<G: Playable> Tools for GamePosition<G> {
    fn solve(&self, task: &Solve, shown: &mut dyn FnMut(&Solving)) -> Result<Solved, Error> {
        if task.mate.is_some() && !self.kit.mates {
            return Err(Error::NoMates { game: self.game.to_string() });
        }
        if task.endings.is_some() {
            self.kit.endings_evaluator(&self.game)?;
        }
        let start = now();
        let mut progress = SolveProgress::new(shown);
        let solution = match self.kit.solve.unwrap_or(plain)(&self.board, task, &mut progress) {
            Ok(solution) => solution,
            Err(SolveError::Stopped) => Solution { answer: Answer::Unsolved(progress.text.clone()), line: Vec::new() },
            Err(SolveError::Error(error)) => return Err(error),
        };
        let solved = Solved::new(&solution, &progress, task, now().saturating_sub(start));
        Ok(Solved { game: self.game.to_string(), position: self.text(), ..solved })
    }

    fn perft(&self, depth: u8) -> u64 {
        match self.kit.perft {
            Some(perft) => perft(&self.board, depth.into()),
            None => perft::perft(&self.board, depth, &mut Moves::new()),
        }
    }

    fn check(&self, games: u32, seed: u64, depth: u8, step: &mut dyn FnMut()) -> Result<Checked, Error> {
        self.checked(games, seed, depth, step)
    }

    fn minimal_graphs(&self, settings: &Settings, depth: u8) -> Result<Vec<MinimalGraph>, Error> {
        let settings = minimal::settings(settings);
        minimal::minimal_graphs(self.observed_search(&settings)?.as_mut(), &self.board, &settings, depth)
    }

    fn evaluations(&self, settings: &Settings, depth: u8) -> Result<Vec<Evaluations>, Error> {
        evaluations::evaluations(self.observed_search(settings)?.as_mut(), &self.board, depth)
    }

    fn explore(&self, settings: &Settings, budget: Budget, line: &[&str], plies: usize) -> Result<Explored, Error> {
        let mut settings = settings.clone();
        // Finding the principal variation afterwards would count as visits.
        settings.options.principal_variation = false;
        let mut moves = Vec::new();
        let mut board = self.board.clone();
        for text in line {
            let m = find(&board, text)?;
            moves.push(m);
            board = board.play(m);
        }
        let mut recorder = explore::BranchRecorder::new(&self.board, &moves, plies);
        let found = self.observed_search(&settings)?.think(&self.board, &[], 1, budget, &mut recorder)?;
        let maker = RowMaker::new(&self.game, self.text(), settings.options.algorithm);
        Ok(recorder.explored(maker.result(&found)))
    }

    fn packed(&self, best: &str) -> Option<[u8; PACKED]> {
        let training = self.kit.training.as_ref()?;
        let quiet = self.find(best).is_ok_and(|best| (training.is_quiet)(&self.board, best));
        if quiet { (training.packed)(&self.board) } else { None }
    }
}

impl<G: Playable> GamePosition<G> {
    /// A search with these settings whose observers see every node.
    fn observed_search(&self, settings: &Settings) -> Result<Box<dyn ObservedSearch<G>>, Error> {
        let settings = self.kit.settings(settings.clone());
        let evaluator = match self.kit.chosen_evaluator(&self.game, &settings)? {
            Some(evaluator) => evaluator.shared(&settings),
            None => SharedEvaluator(Box::new(OwnEvaluation)),
        };
        build_observed(&settings, evaluator, None::<Mtd>)
    }
}
