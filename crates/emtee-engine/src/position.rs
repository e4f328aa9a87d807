//! A position of any game, behind one trait object.

use std::any::Any;
use std::fmt::{Display, Write};
use std::str::FromStr;
use std::sync::Arc;

use emtee::{Budget, Game, Side, legal_moves, mix};
use emtee_games::drawing::Drawing;

use crate::ending::{Ending, ending};
use crate::error::Error;
use crate::event::Event;
use crate::history::History;
use crate::kit::Kit;
use crate::row::Row;
use crate::search::{PositionSearch, Search};
use crate::settings::Settings;
use crate::tools::Tools;

/// A game that a program can offer: it has a start position, and its positions and moves have a text form.
///
/// Every [`Game`] that is also `Default`, `Display` and `FromStr`, and whose moves are `Display`, is playable. `{:#}`
/// may draw the board over several lines.
pub trait Playable: Game<Move: Display + Send + Sync> + Default + Display + Send + Sync + 'static {
    /// Reads a position. The error says what is wrong with it.
    #[doc(alias("FromStr", "notation"))]
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

    /// The move of a text in any notation, or the moves that players run together in it, in the notation of the game.
    fn read_moves(&self, text: &str) -> Result<Vec<String>, Error>;

    /// Why a move is illegal here, in words for a player. `None`: the move is legal, the text does not look like a
    /// move, or the game has no explanations.
    fn illegal_reason(&self, text: &str) -> Option<String>;

    /// The key of the position in opening books, equal for mirror images.
    fn book_key(&self) -> u64;

    /// Whether the position has occurred before in this game.
    fn has_occurred(&self) -> bool;

    /// The moves that led here, oldest first, as far as they are known.
    fn line(&self) -> Vec<String>;

    /// The text of the position before these moves.
    fn start_text(&self) -> String;

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

    /// Searches the position with a search of its own; see [`Search::think`].
    fn search(&self, settings: &Settings, budget: Budget, event: &mut dyn FnMut(&Event<'_>)) -> Result<Row, Error>;

    /// The value of a move for the side to move, with a total depth of `depth`; see [`Search::worth`].
    fn worth(&self, m: &str, settings: &Settings, depth: u8) -> Result<i32, Error>;

    /// What can be done with the position besides playing and searching. An error in a page without a server.
    fn tools(&self) -> Result<&dyn Tools, Error>;
}

/// Access to the board of a program's own game.
///
/// ```
/// use emtee_engine::Registry;
/// use emtee_games::kalah::Board;
///
/// let registry = Registry::standard();
/// let position = registry.get("kalah")?.start().after("1")?;
/// let board = position.board::<Board>().unwrap();
/// assert_eq!(position.with_board(*board).unwrap().text(), position.text());
/// assert_eq!(position.boards_before::<Board>().len(), 1);
/// # Ok::<(), emtee_engine::Error>(())
/// ```
impl dyn Position {
    fn typed<G: Playable>(&self) -> Option<&GamePosition<G>> {
        let any: &dyn Any = self;
        any.downcast_ref()
    }

    /// The board; `None` if it is not of the game G.
    pub fn board<G: Playable>(&self) -> Option<&G> {
        self.typed::<G>().map(|position| &position.board)
    }

    /// The boards before this one in the game, oldest first.
    pub fn boards_before<G: Playable>(&self) -> Vec<G> {
        self.typed::<G>().map(|position| position.history.positions()).unwrap_or_default()
    }

    /// Another position of the same game, without moves before it; `None` if the game is not G.
    pub fn with_board<G: Playable>(&self, board: G) -> Option<Box<dyn Position>> {
        self.typed::<G>().map(|position| position.with_board_after(board, History::default()))
    }
}

/// A position of a known game.
pub(crate) struct GamePosition<G: Playable> {
    pub(crate) game: Arc<str>,
    /// The text as the user wrote it.
    pub(crate) text: Option<String>,
    pub(crate) kit: Arc<Kit<G>>,
    pub(crate) board: G,
    pub(crate) history: History<G>,
}

impl<G: Playable> GamePosition<G> {
    fn with_board_after(&self, board: G, history: History<G>) -> Box<dyn Position> {
        Box::new(GamePosition { game: self.game.clone(), text: None, kit: self.kit.clone(), board, history })
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
    let mut text = String::new();
    let mut first = |alternate: bool, same: fn(&str, &str) -> bool| {
        moves.iter().copied().find(|legal| {
            text.clear();
            // Writing to a string cannot fail.
            let _ = if alternate { write!(text, "{legal:#}") } else { write!(text, "{legal}") };
            same(&text, written)
        })
    };
    // The alternate notation is unambiguous where the usual one may not be: castling and a king's step in Chess960.
    let found = first(true, |legal, written| legal == written)
        .or_else(|| first(false, |legal, written| legal == written))
        .or_else(|| first(false, str::eq_ignore_ascii_case));
    let legal = || moves.iter().map(G::Move::to_string).collect();
    found.ok_or_else(|| Error::BadMove { text: written.to_owned(), legal: legal() })
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
        Some(match self.history.latest_first().next() {
            Some((before, _)) => drawing.since(&draw(before)),
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

    fn read_moves(&self, text: &str) -> Result<Vec<String>, Error> {
        Ok(self.read(&self.board, text)?.iter().map(G::Move::to_string).collect())
    }

    fn illegal_reason(&self, text: &str) -> Option<String> {
        self.kit.illegal_reason.and_then(|illegal_reason| illegal_reason(&self.board, text))
    }

    fn book_key(&self) -> u64 {
        self.kit.book_key.map_or_else(|| self.board.key(), |book_key| book_key(&self.board))
    }

    fn has_occurred(&self) -> bool {
        let key = self.board.key();
        self.history.latest_first().any(|(before, _)| before.key() == key)
    }

    fn line(&self) -> Vec<String> {
        self.history.moves().iter().map(G::Move::to_string).collect()
    }

    fn start_text(&self) -> String {
        let earliest = self.history.latest_first().last();
        earliest.map_or_else(|| self.text(), |(position, _)| position.to_string())
    }

    fn ending(&self) -> Option<Ending> {
        ending(&self.board, &self.history, self.kit.dead)
    }

    fn moves(&self) -> Vec<String> {
        legal_moves(&self.board).iter().map(G::Move::to_string).collect()
    }

    fn after_all(&self, moves: &[&str]) -> Result<Box<dyn Position>, Error> {
        let (mut board, mut history) = (self.board.clone(), self.history.clone());
        for text in moves {
            for m in self.read(&board, text)? {
                let after = board.play(m);
                history = history.then(std::mem::replace(&mut board, after), m);
            }
        }
        Ok(self.with_board_after(board, history))
    }

    fn after_random(&self, plies: u32, seed: u64) -> Box<dyn Position> {
        let (mut board, mut history) = (self.board.clone(), self.history.clone());
        for ply in 0..plies {
            let moves = legal_moves(&board);
            if moves.is_empty() {
                break;
            }
            let which = mix(seed.wrapping_mul(1_000).wrapping_add(u64::from(ply))) % moves.len() as u64;
            let m = moves[which as usize];
            let after = board.play(m);
            history = history.then(std::mem::replace(&mut board, after), m);
        }
        self.with_board_after(board, history)
    }

    fn search(&self, settings: &Settings, budget: Budget, event: &mut dyn FnMut(&Event<'_>)) -> Result<Row, Error> {
        PositionSearch::new(&self.game, &self.kit, settings)?.think(self, budget, event)
    }

    fn worth(&self, m: &str, settings: &Settings, depth: u8) -> Result<i32, Error> {
        PositionSearch::new(&self.game, &self.kit, settings)?.worth(self, m, depth)
    }

    fn tools(&self) -> Result<&dyn Tools, Error> {
        let make = self.kit.tools.ok_or_else(|| Error::NoTools { game: self.game.to_string() })?;
        Ok(make(self))
    }
}
