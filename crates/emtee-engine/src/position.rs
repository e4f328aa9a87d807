//! A position of any game, behind one trait object.

use std::any::Any;
use std::fmt::Display;
use std::str::FromStr;

#[cfg(feature = "study")]
use emtee::Moves;
use emtee::research::{Iteration, Observer};
use emtee::{Budget, Game, Side, legal_moves, mix};
use emtee_games::drawing::Drawing;
#[cfg(feature = "study")]
use emtee_games::packed::PACKED;

#[cfg(feature = "study")]
use crate::check::Checked;
use crate::ending::{Ending, ending};
use crate::error::Error;
#[cfg(feature = "study")]
use crate::evaluations::{Evaluations, evaluations};
#[cfg(feature = "study")]
use crate::explore::{Explored, explore};
use crate::kit::Kit;
#[cfg(feature = "study")]
use crate::minimal::{MinimalGraph, minimal_graphs};
#[cfg(feature = "study")]
use crate::now::now;
#[cfg(feature = "study")]
use crate::perft::perft;
use crate::row::Row;
use crate::search::AnySearch;
use crate::settings::Settings;
#[cfg(feature = "study")]
use crate::solve::{Answer, Solution, Solve, SolveError, SolveProgress, Solved, Solving};

/// Tables up to this size are touched before the clock starts.
const TOUCH_LIMIT: usize = 64 << 20;

/// A game that a program can offer: it has a start position, and its positions and moves have a text form.
///
/// Every [`Game`] that is also `Default`, `Display` and `FromStr`, and whose moves are `Display`, is playable. `{:#}`
/// may draw the board over several lines.
pub trait Playable: Game<Move: Display + Send + Sync> + Default + Display + Send + Sync + 'static {
    /// Reads a position. The error says what is wrong with it.
    fn parse(text: &str) -> Result<Self, String>;
}

impl<G> Playable for G
where
    G: Game<Move: Display + Send + Sync> + Default + Display + FromStr<Err: Display> + Send + Sync + 'static,
{
    fn parse(text: &str) -> Result<G, String> {
        text.parse().map_err(|error: G::Err| error.to_string())
    }
}

/// A position of any game.
pub trait Position: Any + Send + Sync {
    /// The name of the game.
    fn game(&self) -> &str;

    /// The position as one line of text that can be read again.
    fn text(&self) -> String;

    /// The board, drawn as plain text.
    fn plain_drawing(&self) -> String;

    /// The board as cells, with the changes of the last move marked. `None` for a game that is drawn as text only.
    fn drawing(&self) -> Option<Drawing>;

    /// The side to move.
    fn turn(&self) -> Side;

    /// The legal moves.
    fn moves(&self) -> Vec<String>;

    /// A legal move in the notation of players. Any other text is returned unchanged.
    fn written(&self, m: &str) -> String;

    /// Why a move is illegal here, in words for a player. `None`: the move is legal, the text does not look like a
    /// move, or the game has no explanations.
    fn illegal_reason(&self, text: &str) -> Option<String>;

    /// The key of the position in opening books, equal for mirror images.
    fn book_key(&self) -> u64;

    /// Whether the position has occurred before in this game.
    fn has_occurred(&self) -> bool;

    /// The moves that led here, oldest first, as far as they are known.
    fn line(&self) -> Vec<String>;

    /// How the game has ended, by the rules, a repetition or the count of moves. `None`: the game continues.
    fn ending(&self) -> Option<Ending>;

    /// The position after a move, or after several moves that players run together (`f5d6c3`).
    fn after(&self, m: &str) -> Result<Box<dyn Position>, Error> {
        self.after_all(&[m])
    }

    /// The position after several moves.
    fn after_all(&self, moves: &[&str]) -> Result<Box<dyn Position>, Error>;

    /// The position after `plies` random moves chosen by `seed`, or fewer if the game ends.
    fn after_random(&self, plies: u32, seed: u64) -> Box<dyn Position>;

    /// Searches the position. `shown` is called after each finished iteration.
    fn search(&self, settings: &Settings, budget: Budget, shown: &mut dyn FnMut(&Row)) -> Result<Row, Error>;

    /// The value of a move for the side to move, with a total depth of `depth`.
    fn worth(&self, m: &str, settings: &Settings, depth: u8) -> Result<i32, Error>;

    /// The left-first minimal graph at each depth of an iterative deepening up to `depth`; fewer if the stop flag is
    /// set.
    #[cfg(feature = "study")]
    fn minimal_graphs(&self, settings: &Settings, depth: u8) -> Result<Vec<MinimalGraph>, Error>;

    /// The leaf evaluations of each iteration of a search to `depth`.
    #[cfg(feature = "study")]
    fn evaluations(&self, settings: &Settings, depth: u8) -> Result<Vec<Evaluations>, Error>;

    /// The last iteration of a search as a tree: the moves of `line` from here, and everything visited up to `plies`
    /// below its end. See [`Explored`].
    #[cfg(feature = "study")]
    fn explore(&self, settings: &Settings, budget: Budget, line: &[&str], plies: usize) -> Result<Explored, Error>;

    /// The exact value of the position, and a line that proves it. `shown` reports progress. If the stop flag is set
    /// first, the result is not [exact](Solved::exact).
    #[cfg(feature = "study")]
    fn solve(&self, task: &Solve, shown: &mut dyn FnMut(&Solving)) -> Result<Solved, Error>;

    /// The number of lines of exactly `depth` moves from here.
    #[cfg(feature = "study")]
    fn perft(&self, depth: u8) -> u64;

    /// Checks the game's laws along random games from here, and the algorithms against minimax. `step` is called after
    /// each of the [`check_steps`](crate::check_steps).
    #[cfg(feature = "study")]
    fn check(&self, games: u32, seed: u64, depth: u8, step: &mut dyn FnMut()) -> Result<Checked, Error>;

    /// The board of a training record, if the position is quiet: `best` is the best move.
    #[cfg(feature = "study")]
    fn packed(&self, best: &str) -> Option<[u8; PACKED]>;
}

/// A position of a known game.
pub(crate) struct GamePosition<G: Playable> {
    pub(crate) game: String,
    /// The text as the user wrote it.
    pub(crate) text: Option<String>,
    pub(crate) kit: Kit<G>,
    pub(crate) board: G,
    /// The positions before it, oldest first.
    pub(crate) before: Vec<G>,
}

impl<G: Playable> GamePosition<G> {
    fn with_board(&self, board: G, before: Vec<G>) -> Box<dyn Position> {
        Box::new(GamePosition { game: self.game.clone(), text: None, kit: self.kit, board, before })
    }

    /// A search with these settings. In play it gets the game history.
    fn build(&self, settings: &Settings) -> Result<Box<dyn AnySearch<G>>, Error> {
        let mut search = self.kit.search(&self.game, settings)?;
        if settings.in_play {
            search.set_game(&self.before)?;
        }
        Ok(search)
    }

    /// The legal move with this text, ignoring case.
    pub(crate) fn find(&self, m: &str) -> Result<G::Move, Error> {
        find(&self.board, m)
    }

    /// Reads a move, or several moves that players run together.
    pub(crate) fn read(&self, board: &G, text: &str) -> Result<Vec<G::Move>, Error> {
        match (find(board, text), self.kit.read) {
            (Ok(m), _) => Ok(vec![m]),
            (Err(error), None) => Err(error),
            (Err(_), Some(read)) => {
                let bad = |why| Error::UnreadMove { text: text.trim().to_owned(), why };
                read(board, text.trim()).map_err(bad)
            }
        }
    }
}

/// The legal move with this text, ignoring case.
pub(crate) fn find<G: Playable>(board: &G, m: &str) -> Result<G::Move, Error> {
    let written = m.trim();
    let moves = legal_moves(board);
    // The alternate notation is unambiguous where the usual one may not be: castling and a king's step in Chess960.
    let other = moves.iter().find(|legal| format!("{legal:#}") == written);
    let exact = other.or_else(|| moves.iter().find(|legal| legal.to_string() == written));
    let found = exact.or_else(|| moves.iter().find(|legal| legal.to_string().eq_ignore_ascii_case(written)));
    let legal = || moves.iter().map(G::Move::to_string).collect();
    found.copied().ok_or_else(|| Error::BadMove { text: written.to_owned(), legal: legal() })
}

impl<G: Playable> Position for GamePosition<G> {
    fn game(&self) -> &str {
        &self.game
    }

    fn text(&self) -> String {
        self.text.clone().unwrap_or_else(|| self.board.to_string())
    }

    fn plain_drawing(&self) -> String {
        format!("{:#}", self.board)
    }

    fn drawing(&self) -> Option<Drawing> {
        let draw = self.kit.draw?;
        let drawing = draw(&self.board);
        Some(match self.before.last() {
            Some(before) => drawing.since(&draw(before)),
            None => drawing,
        })
    }

    fn turn(&self) -> Side {
        self.board.turn()
    }

    fn written(&self, m: &str) -> String {
        match (self.kit.write, self.find(m)) {
            (Some(write), Ok(found)) => write(&self.board, found),
            (None, Ok(found)) => found.to_string(),
            (_, Err(_)) => m.to_owned(),
        }
    }

    fn illegal_reason(&self, text: &str) -> Option<String> {
        self.kit.illegal_reason.and_then(|illegal_reason| illegal_reason(&self.board, text))
    }

    fn book_key(&self) -> u64 {
        self.kit.book_key.map_or_else(|| self.board.key(), |book_key| book_key(&self.board))
    }

    fn has_occurred(&self) -> bool {
        let key = self.board.key();
        self.before.iter().any(|before| before.key() == key)
    }

    fn line(&self) -> Vec<String> {
        let after = self.before.iter().skip(1).chain([&self.board]);
        let pairs = self.before.iter().zip(after);
        // Mirror images may have equal keys, but never equal texts.
        pairs
            .filter_map(|(before, after)| {
                let text = after.to_string();
                let led = legal_moves(before).into_iter().find(|&m| before.play(m).to_string() == text);
                led.map(|m| m.to_string())
            })
            .collect()
    }

    fn ending(&self) -> Option<Ending> {
        ending(&self.board, &self.before, self.kit.dead)
    }

    fn moves(&self) -> Vec<String> {
        legal_moves(&self.board).iter().map(G::Move::to_string).collect()
    }

    fn after_all(&self, moves: &[&str]) -> Result<Box<dyn Position>, Error> {
        let (mut board, mut before) = (self.board.clone(), self.before.clone());
        for text in moves {
            for m in self.read(&board, text)? {
                let after = board.play(m);
                before.push(std::mem::replace(&mut board, after));
            }
        }
        Ok(self.with_board(board, before))
    }

    fn after_random(&self, plies: u32, seed: u64) -> Box<dyn Position> {
        let (mut board, mut before) = (self.board.clone(), self.before.clone());
        for ply in 0..plies {
            let moves = legal_moves(&board);
            if moves.is_empty() {
                break;
            }
            let which = mix(seed.wrapping_mul(1_000).wrapping_add(u64::from(ply))) % moves.len() as u64;
            let after = board.play(moves[which as usize]);
            before.push(std::mem::replace(&mut board, after));
        }
        self.with_board(board, before)
    }

    fn search(&self, settings: &Settings, budget: Budget, shown: &mut dyn FnMut(&Row)) -> Result<Row, Error> {
        let mut search = self.build(settings)?;
        // Page faults on first access to the table would be charged to the first search.
        if settings.options.size.is_some_and(|size| size.bytes() <= TOUCH_LIMIT) {
            search.touch_table();
        }
        // The same holds for what a game builds on its first evaluation: Othello unpacks its patterns.
        self.board.evaluate();
        let base = Row::new(&self.game, self.text(), settings.options.algorithm);
        let base = Row { lines: settings.lines, ..base };
        let mut report = Report { base, iterations: Vec::new(), shown };
        let found = search.think(&self.board, &[], settings.lines, budget, &mut report)?;
        Ok(report.base.with_result(&found))
    }

    fn worth(&self, m: &str, settings: &Settings, depth: u8) -> Result<i32, Error> {
        let m = self.find(m)?;
        let value = self.build(settings)?.worth(&self.board, m, Budget::depth(depth))?;
        Ok(value.unwrap_or_default().get())
    }

    #[cfg(feature = "study")]
    fn minimal_graphs(&self, settings: &Settings, depth: u8) -> Result<Vec<MinimalGraph>, Error> {
        minimal_graphs(&self.board, settings, depth)
    }

    #[cfg(feature = "study")]
    fn evaluations(&self, settings: &Settings, depth: u8) -> Result<Vec<Evaluations>, Error> {
        evaluations(&self.board, settings, depth)
    }

    #[cfg(feature = "study")]
    fn explore(&self, settings: &Settings, budget: Budget, line: &[&str], plies: usize) -> Result<Explored, Error> {
        let base = Row::new(&self.game, self.text(), settings.options.algorithm);
        let mut moves = Vec::new();
        let mut board = self.board.clone();
        for text in line {
            let m = find(&board, text)?;
            moves.push(m);
            board = board.play(m);
        }
        explore(&self.board, base, settings, budget, &moves, plies)
    }

    #[cfg(feature = "study")]
    fn solve(&self, task: &Solve, shown: &mut dyn FnMut(&Solving)) -> Result<Solved, Error> {
        if task.mate.is_some() && !self.kit.mates {
            return Err(Error::NoMates { game: self.game.clone() });
        }
        if task.endings.is_some() {
            self.kit.endings_evaluator(&self.game)?;
        }
        let start = now();
        let mut progress = SolveProgress::new(shown);
        let solution = match (self.kit.solve)(&self.board, task, &mut progress) {
            Ok(solution) => solution,
            Err(SolveError::Stopped) => Solution { answer: Answer::Unsolved(progress.text.clone()), line: Vec::new() },
            Err(SolveError::Error(error)) => return Err(error),
        };
        let solved = Solved::new(&solution, &progress, task, now().saturating_sub(start));
        Ok(Solved { game: self.game.clone(), position: self.text(), ..solved })
    }

    #[cfg(feature = "study")]
    fn perft(&self, depth: u8) -> u64 {
        match self.kit.perft {
            Some(perft) => perft(&self.board, depth.into()),
            None => perft(&self.board, depth, &mut Moves::new()),
        }
    }

    #[cfg(feature = "study")]
    fn check(&self, games: u32, seed: u64, depth: u8, step: &mut dyn FnMut()) -> Result<Checked, Error> {
        self.checked(games, seed, depth, step)
    }

    #[cfg(feature = "study")]
    fn packed(&self, best: &str) -> Option<[u8; PACKED]> {
        let training = self.kit.training?;
        let quiet = self.find(best).is_ok_and(|best| (training.is_quiet)(&self.board, best));
        if quiet { (training.packed)(&self.board) } else { None }
    }
}

/// Shows a row after each iteration.
struct Report<'s, M> {
    base: Row,
    iterations: Vec<Iteration<M>>,
    shown: &'s mut dyn FnMut(&Row),
}

impl<G: Playable> Observer<G> for Report<'_, G::Move> {
    fn iteration(&mut self, iteration: &Iteration<G::Move>) {
        self.iterations.push(iteration.clone());
        (self.shown)(&self.base.clone().with_iterations(&self.iterations));
    }
}
