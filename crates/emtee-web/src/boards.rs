//! Positions and games: boards, legal moves, and game records.

use emtee::{Algorithm, Level, Side};
use emtee_engine::{Entry, GameResult, Piece, Position, Record, Registry};
use emtee_games::drawing::{Cell, Drawing, Ground, Ink};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::refusal::Refusal;

/// The most moves of a game.
const MAX_MOVES: usize = 1_000;

/// The most bytes of a pasted text.
const MAX_TEXT: usize = 32 << 10;

/// A position: a game, a start position and the moves since.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PositionRequest {
    pub(crate) game: String,
    /// The start position; by default that of the game.
    #[serde(default)]
    pub(crate) position: Option<String>,
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

/// A position and the moves that lead to it, in the notation of the game and in that of players.
struct Replayed {
    end: Box<dyn Position>,
    line: Vec<String>,
    written: Vec<String>,
}

impl PositionRequest {
    pub(crate) fn game<'r>(&self, registry: &'r Registry) -> Result<&'r dyn Entry, Refusal> {
        Ok(registry.get(&self.game)?)
    }

    fn start(&self, registry: &Registry) -> Result<Box<dyn Position>, Refusal> {
        let game = self.game(registry)?;
        match self.position.as_deref().map(str::trim) {
            None | Some("") => Ok(game.start()),
            Some(text) => Ok(game.position(text)?),
        }
    }

    /// The position with the moves that lead to it.
    fn replay(&self, registry: &Registry) -> Result<Replayed, Refusal> {
        self.check_length()?;
        let mut current = self.start(registry)?;
        let (mut line, mut written) = (Vec::new(), Vec::new());
        for text in &self.moves {
            for m in current.read_moves(text)? {
                written.push(current.written(&m));
                current = current.after(&m)?;
                line.push(m);
            }
        }
        Ok(Replayed { end: current, line, written })
    }

    fn check_length(&self) -> Result<(), Refusal> {
        match self.moves.len() {
            0..=MAX_MOVES => Ok(()),
            _ => Err(Refusal::bad(format!("a game can have at most {MAX_MOVES} moves here"))),
        }
    }

    /// The position.
    pub(crate) fn position(&self, registry: &Registry) -> Result<Box<dyn Position>, Refusal> {
        self.check_length()?;
        let moves: Vec<&str> = self.moves.iter().map(String::as_str).collect();
        Ok(self.start(registry)?.after_all(&moves)?)
    }
}

/// The games, algorithms and levels.
pub(crate) fn about(registry: &Registry) -> Value {
    let game = |game: &dyn Entry| {
        json!({
            "name": game.name(),
            "start": game.start().text(),
            "drawn": game.start().drawing().is_some(),
            "bottom": game.conventions().bottom.map(number),
            "record": game.conventions().record.extension,
            "sides": game.conventions().sides,
            "set_up": game.set_up().map(|set_up| json!({
                "pieces": set_up.pieces.iter().map(piece_json).collect::<Vec<_>>(),
                "turn": set_up.turn,
            })),
            "lead": game.conventions().clear_lead,
            // The default algorithm of analyses and of the engine.
            "algorithm": game.play_algorithm(None).to_string(),
            "sets": game.sets(),
        })
    };
    let algorithm = |algorithm: Algorithm| {
        json!({
            "name": algorithm.to_string(),
            "guesses": emtee_engine::uses_first_guess(algorithm),
            "table": !algorithm.is_oracle(),
            "driver": algorithm.driver().is_some(),
        })
    };
    json!({
        "games": registry.iter().map(game).collect::<Vec<_>>(),
        "algorithms": Algorithm::ALL.map(algorithm),
        // Analyses can also use those that find no minimax values.
        "analysis": Algorithm::named().map(|algorithm| algorithm.to_string()).collect::<Vec<_>>(),
        "baseline": Algorithm::BASELINE.to_string(),
        "levels": (Level::LOWEST.get()..=Level::HIGHEST.get()).collect::<Vec<_>>(),
        "version": env!("CARGO_PKG_VERSION"),
    })
}

pub(crate) fn number(side: Side) -> u8 {
    match side {
        Side::First => 0,
        Side::Second => 1,
    }
}

/// A position for the page.
#[derive(Serialize)]
pub(crate) struct Board {
    game: String,
    text: String,
    /// The cells of the board; `None` for a game that has only a text.
    drawing: Option<Painted>,
    plain: String,
    turn: u8,
    moves: Vec<LegalMove>,
    ending: Option<Value>,
    /// The moves that lead here, in the notation of the game and in that of players.
    line: Vec<String>,
    written: Vec<String>,
}

#[derive(Serialize)]
struct LegalMove {
    #[serde(rename = "move")]
    m: String,
    written: String,
    /// The cells that it changes: row, column, the new text and the new ink.
    changes: Vec<(usize, usize, String, String)>,
}

#[derive(Serialize)]
struct Painted {
    rows: Vec<Vec<PaintedCell>>,
    row_names: Vec<[String; 2]>,
    columns: [Vec<String>; 2],
    caption: String,
}

#[derive(Serialize)]
struct PaintedCell {
    text: String,
    ink: String,
    ground: String,
    changed: bool,
}

impl Painted {
    fn new(drawing: Drawing) -> Painted {
        let cell = |cell: &Cell| PaintedCell {
            text: cell.text.clone(),
            ink: ink(cell),
            ground: ground_name(cell.ground),
            changed: cell.changed,
        };
        Painted {
            rows: drawing.rows.iter().map(|row| row.cells.iter().map(cell).collect()).collect(),
            row_names: drawing.rows.iter().map(|row| row.names.clone()).collect(),
            columns: drawing.columns,
            caption: drawing.caption,
        }
    }
}

fn ink(cell: &Cell) -> String {
    name_of(cell.ink)
}

fn name_of(ink: Ink) -> String {
    format!("{ink:?}").to_lowercase()
}

fn ground_name(ground: Ground) -> String {
    format!("{ground:?}").to_lowercase()
}

/// The cells that differ between two boards.
fn changes(before: Option<&Drawing>, after: Option<&Drawing>) -> Vec<(usize, usize, String, String)> {
    let (Some(before), Some(after)) = (before, after) else { return Vec::new() };
    let mut changes = Vec::new();
    for (index, (row, old)) in after.rows.iter().zip(&before.rows).enumerate() {
        for (column, (cell, old)) in row.cells.iter().zip(&old.cells).enumerate() {
            if cell.text != old.text || cell.ink != old.ink {
                changes.push((index, column, cell.text.clone(), ink(cell)));
            }
        }
    }
    changes
}

pub(crate) fn position(registry: &Registry, request: PositionRequest) -> Result<Board, Refusal> {
    let Replayed { end, line, written } = request.replay(registry)?;
    let drawing = end.drawing();
    let ending = end.ending();
    // A game that ends by repetition still has legal moves, but none can be played.
    let moves = if ending.is_some() { Vec::new() } else { end.moves() };
    let legal = |m: String| -> Result<LegalMove, Refusal> {
        let after = end.after(&m)?;
        Ok(LegalMove { written: end.written(&m), changes: changes(drawing.as_ref(), after.drawing().as_ref()), m })
    };
    Ok(Board {
        game: end.game().to_owned(),
        text: end.text(),
        plain: end.plain_drawing(),
        turn: number(end.turn()),
        moves: moves.into_iter().map(legal).collect::<Result<_, _>>()?,
        ending: ending.map(|ending| {
            json!({
                "winner": ending.winner.map(number),
                "points": ending.points,
                "why": ending.reason.to_string(),
                "result": GameResult::of(Some(ending)).text(),
            })
        }),
        drawing: drawing.map(Painted::new),
        line,
        written,
    })
}

/// A pasted text: a game record, a list of moves, or a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pasted {
    game: String,
    text: String,
}

pub(crate) fn read(registry: &Registry, pasted: Pasted) -> Result<Value, Refusal> {
    let game = registry.get(&pasted.game)?;
    let text = pasted.text.trim();
    if text.is_empty() {
        return Err(Refusal::bad("there is nothing to read"));
    }
    if text.len() > MAX_TEXT {
        return Err(Refusal::bad(format!("the text is longer than {} KB", MAX_TEXT >> 10)));
    }
    let record = Record::read(text, game);
    if let Ok(Record { position, moves, names, .. }) = &record {
        return Ok(json!({ "position": position, "moves": moves, "names": names }));
    }
    // Moves, with or without their numbers.
    let words = text.split([' ', ',', '\n', '\r', '\t', ';']).map(unnumbered).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    let moves = after_words(game.start(), &words);
    if let Ok(end) = &moves {
        return Ok(json!({ "position": null, "moves": end.line(), "names": ["", ""] }));
    }
    match (game.position(text), moves) {
        (Ok(position), _) => Ok(json!({ "position": position.text(), "moves": [], "names": ["", ""] })),
        // Several words are most likely moves: report which of them is wrong.
        (Err(_), Err(why)) if words.len() > 1 && !text.contains(['[', '(', '/']) => Err(why),
        (Err(why), _) => match record {
            Err(bad) if text.contains(['[', '(']) => Err(Refusal::bad(bad)),
            _ => Err(why.into()),
        },
    }
}

/// The position after these moves. An error begins with the number of the move, as in a game record.
fn after_words(start: Box<dyn Position>, words: &[&str]) -> Result<Box<dyn Position>, Refusal> {
    words.iter().try_fold(start, |position, word| {
        let ply = position.line().len();
        let dots = if ply % 2 == 0 { "" } else { "…" };
        position.after(word).map_err(|why| Refusal::bad(format!("move {}{dots}: {why}", ply / 2 + 1)))
    })
}

/// `12.e4` as `e4`, and `12.` as nothing.
fn unnumbered(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

/// A piece that the page puts on cells.
fn piece_json(piece: &Piece) -> Value {
    json!({
        "label": piece.label,
        "text": piece.text,
        "ink": name_of(piece.ink),
        "ground": piece.ground.map(ground_name),
        "add": piece.add,
    })
}

/// A board that was set up by hand: its cells from the top left, and the side to move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetUp {
    game: String,
    turn: u8,
    rows: Vec<Vec<SetUpCell>>,
}

/// A cell, with its text and ink as in a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetUpCell {
    text: String,
    ink: String,
}

/// The text of a board that was set up, if it is a position.
pub(crate) fn set_up(registry: &Registry, board: SetUp) -> Result<Value, Refusal> {
    let game = registry.get(&board.game)?;
    let cell = |SetUpCell { text, ink }: SetUpCell| {
        let known = [Ink::Faint, Ink::White, Ink::Black, Ink::Yellow].into_iter().find(|known| name_of(*known) == ink);
        let ink = known.ok_or_else(|| Refusal::bad(format!("'{ink}' is no ink")))?;
        Ok(Cell { text, ink, ..Cell::default() })
    };
    let rows = board.rows.into_iter().map(|row| row.into_iter().map(cell).collect());
    let cells = rows.collect::<Result<Vec<Vec<Cell>>, Refusal>>()?;
    let turn = if board.turn == 0 { Side::First } else { Side::Second };
    let cannot = || Refusal::bad(format!("positions of {} cannot be set up by clicking", game.name()));
    let text = (game.set_up().ok_or_else(cannot)?.text)(&cells, turn);
    Ok(json!({ "text": game.position(&text)?.text() }))
}

/// A game to be written as a record.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Played {
    game: String,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    names: [String; 2],
}

pub(crate) fn write(registry: &Registry, played: Played) -> Result<Value, Refusal> {
    let Played { game, position, moves, names } = played;
    let request = PositionRequest { game, position, moves };
    let end = request.position(registry)?;
    let game = request.game(registry)?;
    let names = names.map(|name| name.chars().filter(|c| !c.is_control()).take(80).collect());
    let position = request.position.filter(|text| !text.trim().is_empty());
    let result = GameResult::of(end.ending());
    let record = Record { names, position, moves: end.line(), result, ..Record::default() };
    Ok(json!({ "text": record.write(game), "extension": game.conventions().record.extension }))
}
