//! GGF, the Generic Game Format of Othello servers and NBoard.

use std::fmt;
use std::str::FromStr;

use emtee::{Game, Side};

use super::notation::{Error, excerpt, letter, play};
use super::{Board, Move};

/// A game in GGF: the players, the first position and the moves.
///
/// ```
/// use emtee_games::othello::Ggf;
/// let text = "(;GM[Othello]PB[Ann]PW[Bob]RE[?]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5//1.5]W[D6];)";
/// let game: Ggf = text.parse()?;
/// assert_eq!(game.moves.len(), 2);
/// assert_eq!(game.board().empties(), 58);
/// # Ok::<(), emtee_games::othello::notation::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Ggf {
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// The result, as written in the file.
    pub result: String,
    /// All other properties and their values, in order.
    pub others: Vec<(String, String)>,
    /// The first position.
    pub start: Board,
    /// The moves, passes included.
    pub moves: Vec<GgfMove>,
}

/// A move in GGF, with its evaluation and time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GgfMove {
    /// The move.
    pub m: Move,
    /// The text after the first `/`: evaluation, then time; often empty.
    pub notes: String,
}

impl Ggf {
    /// The position after the last move.
    pub fn board(&self) -> Board {
        self.moves.iter().fold(self.start, |board, played| board.play(played.m))
    }
}

impl FromStr for Ggf {
    type Err = Error;
    fn from_str(text: &str) -> Result<Ggf, Error> {
        let wrong = |why, offset| Error::Ggf { why, at: offset };
        let begin = text.find("(;").ok_or(wrong("there is no \"(;\", with which a game begins", 0))? + 2;
        let mut game = Ggf::default();
        let mut board = None;
        let mut offset = begin;
        loop {
            let rest = &text[offset..];
            let spaces = rest.len() - rest.trim_start().len();
            let rest = &rest[spaces..];
            offset += spaces;
            if rest.starts_with(";)") || rest.starts_with(")") {
                break;
            }
            let open =
                rest.find('[').ok_or(wrong("a property, like PB[name], or the end, \";)\", is missing", offset))?;
            let name = &rest[..open];
            if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                return Err(wrong("the name of a property is made of letters", offset));
            }
            let length = rest[open..].find(']').ok_or(wrong("a property is not closed with ]", offset))?;
            let value = &rest[open + 1..open + length];
            game.property(name, value, &mut board, offset)?;
            offset += open + length + 1;
        }
        game.start = match board {
            Some((start, _)) => start,
            None => return Err(wrong("the board, BO[8 …], is missing", offset)),
        };
        Ok(game)
    }
}

impl Ggf {
    /// Adds a property. `board` is the first and the current position.
    fn property(
        &mut self,
        name: &str,
        value: &str,
        board: &mut Option<(Board, Board)>,
        offset: usize,
    ) -> Result<(), Error> {
        let wrong = |why| Err(Error::Ggf { why, at: offset });
        match name {
            "GM" if !value.eq_ignore_ascii_case("othello") => return wrong("this is not a game of Othello"),
            "TY" if !value.starts_with('8') => return wrong("only the board of 8 by 8 squares is known here"),
            "GM" | "TY" => {}
            "PB" => self.black = value.into(),
            "PW" => self.white = value.into(),
            "RE" => self.result = value.into(),
            "BO" => {
                let Some(squares) = value.trim_start().strip_prefix('8') else {
                    return wrong("only the board of 8 by 8 squares is known here");
                };
                if board.is_some() {
                    return wrong("a second board");
                }
                let start: Board = squares.parse()?;
                *board = Some((start, start));
            }
            "B" | "W" => {
                let Some((_, now)) = board else { return wrong("a move before the board") };
                let (m, notes) = value.split_once('/').unwrap_or((value, ""));
                let m: Move =
                    m.trim().parse().map_err(|_| Error::MoveOfGame { found: excerpt(m), at: self.moves.len() + 1 })?;
                let mut played = Vec::new();
                let mover = if name == "B" { Side::First } else { Side::Second };
                let passes_first = !m.is_pass() && now.is_legal(Move::PASS);
                if (now.turn() == mover) == passes_first {
                    return wrong("it is the other side's turn");
                }
                play(now, &mut played, m).map_err(|_| Error::Illegal { m, at: self.moves.len() + 1 })?;
                for m in played {
                    let notes = if m.is_pass() && passes_first { String::new() } else { notes.into() };
                    self.moves.push(GgfMove { m, notes });
                }
            }
            _ => self.others.push((name.into(), value.into())),
        }
        Ok(())
    }
}

impl fmt::Display for Ggf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A bracket would end the value.
        let clean = |text: &str| text.replace(['[', ']'], "");
        write!(f, "(;GM[Othello]PB[{}]PW[{}]RE[{}]", clean(&self.black), clean(&self.white), clean(&self.result))?;
        for (name, value) in &self.others {
            write!(f, "{name}[{}]", clean(value))?;
        }
        let squares = self.start.to_string().replace('X', "*");
        write!(f, "TY[8]BO[8 {squares}]")?;
        let mut turn = self.start.turn();
        for played in &self.moves {
            let name = if letter(turn) == 'X' { 'B' } else { 'W' };
            let m = if played.m.is_pass() { String::from("PA") } else { played.m.to_string().to_uppercase() };
            write!(f, "{name}[{m}")?;
            if !played.notes.is_empty() {
                write!(f, "/{}", clean(&played.notes))?;
            }
            write!(f, "]")?;
            turn = !turn;
        }
        write!(f, ";)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "(;GM[Othello]PB[Ann]PW[Bob]RE[+4.000]PC[Here]TI[5:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5//1.5]W[D6/0.3/2]B[C3];)";

    #[test]
    fn games_are_read_and_written() {
        let game: Ggf = GAME.parse().unwrap();
        assert_eq!((game.black.as_str(), game.white.as_str(), game.result.as_str()), ("Ann", "Bob", "+4.000"));
        assert_eq!(game.others, [("PC".into(), "Here".into()), ("TI".into(), "5:00".into())]);
        assert_eq!(game.moves[1], GgfMove { m: "d6".parse().unwrap(), notes: "0.3/2".into() });
        assert_eq!(game.start, Board::default());
        assert_eq!(game.to_string(), GAME);
        assert_eq!(game.to_string().parse(), Ok(game));
    }

    #[test]
    fn errors_name_the_place() {
        for (from, to, error) in [
            ("(;", "", "the GGF game is wrong at byte 0: there is no \"(;\", with which a game begins"),
            ("Othello", "Amazons", "the GGF game is wrong at byte 2: this is not a game of Othello"),
            ("TY[8]", "TY[10]", "the GGF game is wrong at byte 53: only the board of 8 by 8 squares is known here"),
            ("W[D6", "B[D6", "the GGF game is wrong at byte 140: it is the other side's turn"),
            ("[C3]", "[H8]", "move 3, h8, is not legal"),
            ("[C3]", "[C9]", "move 3, \"C9\", is not a move: a column from a to h and a row from 1 to 8, or pass"),
            ("[C3];)", "[C3", "the GGF game is wrong at byte 151: a property is not closed with ]"),
            (
                "[C3];)",
                "[C3]",
                "the GGF game is wrong at byte 156: a property, like PB[name], or the end, \";)\", is missing",
            ),
            ("PB[", "P B[", "the GGF game is wrong at byte 13: the name of a property is made of letters"),
        ] {
            let text = GAME.replacen(from, to, 1);
            assert_eq!(text.parse::<Ggf>().unwrap_err().to_string(), error, "{text}");
        }
        assert_eq!(
            "(;GM[Othello];)".parse::<Ggf>().unwrap_err().to_string(),
            "the GGF game is wrong at byte 13: the board, BO[8 …], is missing"
        );
    }
}
