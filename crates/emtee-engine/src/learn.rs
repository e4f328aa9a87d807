//! Learning an evaluation of any game of the registry, and learned evaluations as evaluators.

use std::any::Any;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use emtee::research::Mtd;
use emtee::{Budget, Evaluate, Game, Side, Size, legal_moves, mix};
use emtee_learn::{Features, FeaturesOf, Generation, Learner, MAX_KINDS, Model, Searcher, Task, Thought};

use crate::error::Error;
use crate::kit::{Kit, MakeEvaluator};
use crate::position::Playable;
use crate::search::{GameSearch, ObservedSearch, SharedEvaluator, build_observed};
use crate::settings::Settings;

/// The prefix of the names of learned evaluators: `learned:FILE`.
pub(crate) const LEARNED: &str = "learned:";

/// The size of the largest file that is read. A model has at most four million weights of two bytes.
const MAX_BYTES: u64 = 16 << 20;

/// The learning of an evaluation of a game; see [`Learner`]. Made by [`Entry::learning`](crate::Entry::learning).
pub trait Learning {
    /// See [`Learner::generation`].
    fn generation(&mut self, stop: &dyn Fn() -> bool) -> Result<Option<Generation>, Error>;

    /// See [`Learner::generations`].
    fn generations(&self) -> &[Generation];

    /// See [`Learner::is_done`].
    fn is_done(&self) -> bool;

    /// See [`Learner::spent`].
    fn spent(&self) -> u64;

    /// The file of the best evaluation so far.
    fn model(&self) -> Option<Vec<u8>>;

    /// See [`Learner::to_bytes`].
    fn to_bytes(&self) -> Vec<u8>;

    /// See [`Learner::resume`].
    fn resume(&mut self, bytes: &[u8]) -> Result<bool, Error>;
}

/// The learning of an evaluation of G.
pub(crate) struct GameLearning<G: Playable> {
    learner: Learner<G>,
    features: FeaturesOf<G>,
    game: String,
}

impl<G: Playable> GameLearning<G> {
    pub(crate) fn new(kit: &Kit<G>, task: Task) -> Result<GameLearning<G>, Error> {
        let (game, features) = (task.game.clone(), features(kit));
        let learner = Learner::new(task, (kit.start)(), features.clone()).map_err(|why| cannot(&game, why))?;
        Ok(GameLearning { learner, features, game })
    }
}

fn cannot(game: &str, why: impl ToString) -> Error {
    Error::CannotLearn { game: game.to_owned(), why: why.to_string() }
}

impl<G: Playable> Learning for GameLearning<G> {
    fn generation(&mut self, stop: &dyn Fn() -> bool) -> Result<Option<Generation>, Error> {
        let features = &self.features;
        let make = &mut |model: &Arc<Model>| {
            let mut settings = Settings::default();
            settings.options.size = Some(TABLE);
            settings.options.store_leaves = Some(true);
            let evaluator = shared(model.clone(), features.clone());
            let mut search = build_observed(&settings, evaluator, None::<Mtd>).map_err(|error| error.to_string())?;
            search.observe_nodes(false);
            Ok(Box::new(Thinking(search)) as Box<dyn Searcher<G>>)
        };
        self.learner.generation(make, stop).map_err(|why| cannot(&self.game, why))
    }

    fn generations(&self) -> &[Generation] {
        self.learner.generations()
    }

    fn is_done(&self) -> bool {
        self.learner.is_done()
    }

    fn spent(&self) -> u64 {
        self.learner.spent()
    }

    fn model(&self) -> Option<Vec<u8>> {
        self.learner.model().map(|model| model.to_bytes())
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.learner.to_bytes()
    }

    fn resume(&mut self, bytes: &[u8]) -> Result<bool, Error> {
        self.learner.resume(bytes).map_err(|why| cannot(&self.game, why))
    }
}

/// The work of a number of minutes on this machine: a short run is repeated with more work until it takes long enough to be
/// measured. `learning` begins a run with an amount of work, and `clock` is the CPU time so far. `None`: it was stopped.
pub fn work_of(
    minutes: f64,
    clock: &dyn Fn() -> Duration,
    learning: &mut dyn FnMut(u64) -> Result<Box<dyn Learning>, Error>,
    stop: &dyn Fn() -> bool,
) -> Result<Option<u64>, Error> {
    const ENOUGH: f64 = 0.8;
    let mut work = 5_000_000;
    loop {
        let mut run = learning(work)?;
        let start = clock();
        // A game that is slow is measured by its first generations.
        while !run.is_done() && clock().saturating_sub(start).as_secs_f64() < 2.0 * ENOUGH {
            if run.generation(stop)?.is_none() {
                return Ok(None);
            }
        }
        let time = clock().saturating_sub(start).as_secs_f64();
        if time < ENOUGH && work < 1 << 40 {
            work *= if time < ENOUGH / 8.0 { 4 } else { 2 };
            continue;
        }
        return Ok(Some((run.spent() as f64 / time * 60.0 * minutes) as u64));
    }
}

/// The table of the searches of self-play. It is cleared for every game.
const TABLE: Size = Size::of_entries(1 << 16);

/// A search of self-play.
struct Thinking<G: Game>(Box<dyn ObservedSearch<G>>);

impl<G: Game> Searcher<G> for Thinking<G> {
    fn search(&mut self, position: &G, nodes: u64) -> Result<Thought<G::Move>, String> {
        let found = self.0.think(position, &[], 1, Budget::nodes(nodes), &mut ()).map_err(|error| error.to_string())?;
        Ok(Thought { best_move: found.best_move, value: found.value, nodes: found.counts.nodes() })
    }

    fn clear(&mut self) -> Result<(), String> {
        self.0.clear().map_err(|error| error.to_string())
    }
}

/// A learned evaluator. All evaluators of a game that are read from files have one type, which the tools of the game use too,
/// so that no further search is compiled.
fn shared<G: Playable>(model: Arc<Model>, features: FeaturesOf<G>) -> SharedEvaluator<G> {
    SharedEvaluator(Box::new(LearnedEvaluator { model, features }))
}

struct LearnedEvaluator<G> {
    model: Arc<Model>,
    features: FeaturesOf<G>,
}

impl<G: Game> Evaluate<G> for LearnedEvaluator<G> {
    fn evaluate(&self, position: &G) -> i32 {
        let mut f = Features::new(position.turn());
        (self.features)(position, &mut f);
        self.model.evaluate(&f)
    }
}

/// An evaluation of boards of one game, for the side to move. `None`: the board is of another game.
pub type EvaluateAny = Arc<dyn Fn(&dyn Any) -> Option<i32> + Send + Sync>;

/// The evaluation of a model, for boards of G.
pub fn evaluate_any<G: Game + 'static>(model: Arc<Model>, features: FeaturesOf<G>) -> EvaluateAny {
    let evaluator = LearnedEvaluator { model, features };
    Arc::new(move |board| board.downcast_ref::<G>().map(|board| evaluator.evaluate(board)))
}

/// The evaluation in the bytes of a file of `emtee learn`, of a kit's game.
pub(crate) fn evaluate_from<G: Playable>(game: &str, kit: &Kit<G>, bytes: &[u8]) -> Result<EvaluateAny, String> {
    let features = features(kit);
    Ok(evaluate_any(checked(bytes, game, &(kit.start)(), &features)?, features))
}

/// The model in the bytes of a file. An error if it cannot evaluate positions of this game with these features.
pub fn checked<G: Game>(bytes: &[u8], game: &str, start: &G, features: &FeaturesOf<G>) -> Result<Arc<Model>, String> {
    let model = Model::from_bytes(bytes).map_err(|error| error.to_string())?;
    if model.game() != game {
        return Err(format!("it was learned for {}, not for {game}", model.game()));
    }
    let mut f = Features::new(start.turn());
    features(start, &mut f);
    if model.fits(&f) { Ok(Arc::new(model)) } else { Err("it was learned with other features; learn it again".into()) }
}

/// The evaluator `learned:FILE`.
pub(crate) struct FromFile<G> {
    model: Arc<Model>,
    features: FeaturesOf<G>,
}

impl<G: Playable> FromFile<G> {
    /// Reads the file of a game's evaluation.
    pub(crate) fn new(game: &str, kit: &Kit<G>, file: &str) -> Result<FromFile<G>, Error> {
        let bad = |why: String| Error::BadLearned { file: file.to_owned(), why };
        let mut bytes = Vec::new();
        let read = File::open(file).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
        read.map_err(|error| bad(error.to_string()))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(bad("it is too large for a file of 'emtee learn'".into()));
        }
        let features = features(kit);
        let model = checked(&bytes, game, &(kit.start)(), &features).map_err(bad)?;
        Ok(FromFile { model, features })
    }
}

impl<G: Playable> MakeEvaluator<G> for FromFile<G> {
    fn search(&self, settings: &Settings) -> Result<Box<dyn GameSearch<G>>, Error> {
        let mut search = build_observed(settings, self.shared(settings), None::<Mtd>)?;
        search.observe_nodes(false);
        Ok(search)
    }

    fn shared(&self, _: &Settings) -> SharedEvaluator<G> {
        shared(self.model.clone(), self.features.clone())
    }
}

/// The features of a game: its own, or those of its drawing.
fn features<G: Playable>(kit: &Kit<G>) -> FeaturesOf<G> {
    match kit.features {
        Some(features) => Arc::new(features),
        None => features_of_drawing(&(kit.start)(), |board| format!("{board:#}")),
    }
}

/// The features that are derived from a drawing of a game's positions. The last line of a drawing is not part of the board.
pub fn features_of_drawing<G: Game>(start: &G, draw: impl Fn(&G) -> String + Send + Sync + 'static) -> FeaturesOf<G> {
    let text = TextFeatures::new(start, &draw);
    Arc::new(move |board, f| text.list(&grid(&draw(board)), f))
}

/// Features that are derived from the text drawing of a position: one cell per character.
///
/// Which side a character belongs to is found by playing random games: a character that appears on the board mostly when one
/// side moves is a piece of that side.
struct TextFeatures {
    /// The characters of the drawing that change during a game, as rows and columns.
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// The characters that occur: their owners, and their kinds.
    symbols: Vec<(char, Option<Side>, u8)>,
}

/// The random games from which features are derived, and the most moves of each.
const GAMES: u64 = 12;
const PLIES: u64 = 200;

fn grid(drawing: &str) -> Vec<Vec<char>> {
    // The last line says who is to move, and often more: its length changes.
    drawing.lines().map(|line| line.chars().collect()).collect()
}

impl TextFeatures {
    fn new<G: Game>(start: &G, draw: &dyn Fn(&G) -> String) -> TextFeatures {
        let first = grid(&draw(start));
        let width = first.iter().map(Vec::len).max().unwrap_or(0);
        let mut changed = vec![vec![false; width]; first.len()];
        // For each character, how often it appeared when each side moved, and how often it stood on the board.
        let mut appeared: Vec<(char, [u32; 2])> = Vec::new();
        let mut note = |symbol: char, side: Option<Side>| {
            let index = appeared.iter().position(|&(known, _)| known == symbol).unwrap_or_else(|| {
                appeared.push((symbol, [0; 2]));
                appeared.len() - 1
            });
            if let Some(side) = side {
                appeared[index].1[side.index()] += 1;
            }
        };
        for game in 0..GAMES {
            let (mut board, mut before) = (start.clone(), first.clone());
            for ply in 0..PLIES {
                let moves = legal_moves(&board);
                if moves.is_empty() {
                    break;
                }
                let m = moves[(mix(mix(game) ^ ply) % moves.len() as u64) as usize];
                let after = board.play(m);
                let grid = grid(&draw(&after));
                for (row, (old, new)) in before.iter().zip(&grid).enumerate() {
                    // The line below the board describes the position in words.
                    if row + 1 == first.len() || old.len() != new.len() || new.len() > width {
                        continue;
                    }
                    for (column, (&old, &new)) in old.iter().zip(new).enumerate() {
                        if old != new {
                            changed[row][column] = true;
                            note(old, None);
                            note(new, Some(board.turn()));
                        }
                    }
                }
                (board, before) = (after, grid);
            }
        }
        let rows: Vec<usize> = (0..first.len()).filter(|&row| changed[row].contains(&true)).collect();
        let columns: Vec<usize> = (0..width).filter(|&column| changed.iter().any(|row| row[column])).collect();
        // The most common character at the start and in the games is an empty cell; it has no owner in any case.
        let count = |symbol: char| {
            let cells = rows.iter().flat_map(|&row| columns.iter().map(move |&column| (row, column)));
            cells.filter(|&(row, column)| first[row].get(column) == Some(&symbol)).count()
        };
        let owner = |[first, second]: [u32; 2]| match (first, second) {
            (first, second) if first > 3 * second => Some(Side::First),
            (first, second) if second > 3 * first => Some(Side::Second),
            _ => None,
        };
        let empty = appeared
            .iter()
            .filter(|(symbol, sides)| owner(*sides).is_none() || ".-_ ·".contains(*symbol))
            .max_by_key(|(symbol, _)| (".-_ ·".contains(*symbol), count(*symbol)))
            .map(|&(symbol, _)| symbol);
        let mut kinds = [0; 3];
        let mut symbols: Vec<(char, Option<Side>, u8)> = Vec::new();
        // Pieces of the two sides with the same letter in upper and lower case are of one kind.
        let mut sorted: Vec<(char, [u32; 2])> =
            appeared.into_iter().filter(|&(symbol, _)| Some(symbol) != empty).collect();
        sorted.sort_by_key(|&(symbol, _)| (symbol.to_ascii_lowercase(), symbol));
        for (symbol, sides) in sorted {
            let owner = owner(sides);
            let partner = symbols.iter().find(|(other, side, _)| {
                other.eq_ignore_ascii_case(&symbol) && side.is_some() && owner.is_some() && *side != owner
            });
            let index = owner.map_or(2, Side::index);
            let kind = partner.map_or(kinds[index], |&(_, _, kind)| kind);
            kinds[index] = kinds[index].max(kind + 1);
            // Digits may be more than there are kinds: the greatest are seen as one.
            symbols.push((symbol, owner, kind.min(MAX_KINDS - 1)));
        }
        TextFeatures { rows, columns, symbols }
    }

    /// Lists what is on the cells of a drawing.
    fn list(&self, grid: &[Vec<char>], f: &mut Features) {
        f.board(self.rows.len(), self.columns.len());
        for (row, &line) in self.rows.iter().enumerate() {
            for (column, &at) in self.columns.iter().enumerate() {
                let Some(symbol) = grid.get(line).and_then(|line| line.get(at)) else { continue };
                let cell = row * self.columns.len() + column;
                match self.symbols.iter().find(|(known, _, _)| known == symbol) {
                    Some(&(_, Some(side), kind)) => f.piece(cell, side, kind),
                    Some(&(_, None, kind)) => f.mark(cell, kind),
                    None => {}
                }
            }
        }
    }
}
