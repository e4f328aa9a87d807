//! The loop of learning: self-play, fit, match against the previous version.

use std::sync::Arc;

use emtee::{Game, mix};

use crate::features::{Features, MAX_KINDS};
use crate::fit::{Fit, Samples, candidates};
use crate::geometry::{Group, Shape, Symmetry};
use crate::model::{Layout, MAX_SHIFT, Model, STATES, Scale, Structure};
use crate::play::{Player, Record, Rules, Searcher};
use crate::symmetry::symmetries;

/// What is learned, and how much work is spent on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The name of the game, which the model carries.
    pub game: String,
    /// The seed of all games. The same task gives the same model.
    pub seed: u64,
    /// The work, in units of roughly ten nanoseconds.
    pub work: u64,
}

/// A function that lists the features of a position.
pub type FeaturesOf<G> = Arc<dyn Fn(&G, &mut Features) + Send + Sync>;

/// Makes a search that evaluates with a model.
pub type MakeSearcher<'m, G> = dyn FnMut(&Arc<Model>) -> Result<Box<dyn Searcher<G>>, String> + 'm;

/// The result of a generation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Generation {
    /// Its number, from 0. In generation 0 games are random.
    pub number: u32,
    /// The games of self-play so far.
    pub games: u64,
    /// The positions that the evaluation was fitted to.
    pub positions: u64,
    /// The error on games that were held out: the logarithmic loss, or the squared error of points.
    pub error: f64,
    /// The Elo gain over the previous version in a match, and its 95 % interval. `None`: there was no previous version.
    pub elo: Option<[f64; 3]>,
    /// The games of that match.
    pub match_games: u64,
    /// Whether the new version was accepted.
    pub accepted: bool,
    /// The gains of the accepted versions, added up.
    pub total_elo: f64,
    /// The share of the work that is done.
    pub done: f64,
    /// The patterns of the evaluation, in words.
    pub patterns: String,
}

/// Learns an evaluation of a game, one generation at a time.
///
/// ```
/// use std::sync::Arc;
/// use emtee::{Game, player};
/// use emtee_games::tictactoe::Board;
/// use emtee_learn::{Features, Learned, Learner, Searcher, Task};
///
/// fn features(board: &Board, f: &mut Features) {
///     f.board(3, 3);
///     for (cell, symbol) in board.to_string().chars().take(9).enumerate() {
///         match symbol {
///             'X' => f.piece(cell, emtee::Side::First, 0),
///             'O' => f.piece(cell, emtee::Side::Second, 0),
///             _ => {}
///         }
///     }
/// }
///
/// let task = Task { game: "tictactoe".into(), seed: 1, work: 1_000_000 };
/// let mut learner = Learner::new(task, Board::default(), Arc::new(features))?;
/// while !learner.is_done() {
///     learner.generation(
///         &mut |model| {
///             let search = player(Learned::new(model.clone(), features)).hash("1MB").build::<Board>();
///             Ok(Box::new(search.map_err(|error| error.to_string())?))
///         },
///         &|| false,
///     )?;
/// }
/// let bytes = learner.model().expect("a generation is finished").to_bytes();
/// # assert!(emtee_learn::Model::from_bytes(&bytes).is_ok());
/// # Ok::<(), String>(())
/// ```
pub struct Learner<G> {
    pub(crate) task: Task,
    start: G,
    features: FeaturesOf<G>,
    symmetries: Vec<Symmetry>,
    pub(crate) records: Vec<Record>,
    pub(crate) model: Option<Arc<Model>>,
    pub(crate) rows: Vec<Generation>,
    pub(crate) spent: u64,
    pub(crate) games: u64,
    /// What generation 0 found: whether the game ends with points, the mean number of moves, and the mean length.
    pub(crate) points: bool,
    pub(crate) branching: u64,
    pub(crate) length: u64,
}

/// The work of the first generation as a share of the whole, and the growth from one generation to the next.
const FIRST_SHARE: f64 = 0.01;
const GROWTH: f64 = 1.25;

/// The most positions that the evaluation is fitted to.
const MOST_POSITIONS: usize = 500_000;

impl<G: Game> Learner<G> {
    /// An error if the features of the start position cannot be used.
    pub fn new(task: Task, start: G, features: FeaturesOf<G>) -> Result<Learner<G>, String> {
        let mut f = Features::new(start.turn());
        features(&start, &mut f);
        check(&f, None)?;
        let symmetries = symmetries(&start, &*features, f.size());
        Ok(Learner {
            task,
            start,
            features,
            symmetries,
            records: Vec::new(),
            model: None,
            rows: Vec::new(),
            spent: 0,
            games: 0,
            points: false,
            branching: 1,
            length: 1,
        })
    }

    /// Whether the work is done.
    pub fn is_done(&self) -> bool {
        // What is left is too little for a generation.
        self.spent >= self.task.work - self.task.work / 20 && self.model.is_some()
    }

    /// The work that was spent so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// The best model so far.
    pub fn model(&self) -> Option<&Arc<Model>> {
        self.model.as_ref()
    }

    /// The generations so far.
    pub fn generations(&self) -> &[Generation] {
        &self.rows
    }

    /// Plays, fits and tests one generation. `None`: it was stopped; nothing of it is kept.
    pub fn generation(
        &mut self,
        make: &mut MakeSearcher<'_, G>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Generation>, String> {
        let number = self.rows.len() as u32;
        let share = FIRST_SHARE * GROWTH.powi(number as i32);
        let left = self.task.work.saturating_sub(self.spent);
        let mut work = (self.task.work as f64 * share) as u64;
        // What would be left for a generation that is too small is added to this one.
        if left < 2 * work {
            work = left;
        }
        let seed = mix(mix(self.task.seed) ^ mix(u64::from(number) + 1));
        let Some((records, mut spent)) = self.play(number, work * 7 / 10, seed, make, stop)? else { return Ok(None) };
        let games = records.len() as u64;
        let kept = self.records.len();
        self.records.extend(records);
        let samples = self.samples(self.games + games - self.records.len() as u64)?;
        let fitted = self.fit(number, &samples, work, seed, &mut spent, stop);
        let Some((model, error)) = fitted? else {
            self.records.truncate(kept);
            return Ok(None);
        };
        let model = Arc::new(model);
        let mut row = Generation {
            number,
            games: self.games + games,
            positions: samples.len() as u64,
            error,
            elo: None,
            match_games: 0,
            accepted: true,
            total_elo: self.rows.last().map_or(0.0, |row| row.total_elo),
            done: 0.0,
            patterns: describe(&model.layout.structure),
        };
        if let Some(previous) = &self.model {
            let (mut a, mut b) = (make(&model)?, make(previous)?);
            let mut player = Player::new(&self.start, self.rules(number));
            player.points = self.points;
            let cost = node_cost(&model);
            let pairs = player.match_of(&mut *a, &mut *b, !seed, work * 15 / 100 / cost, stop)?;
            if stop() {
                self.records.truncate(kept);
                return Ok(None);
            }
            spent += player.nodes * cost;
            let elo = elo(&pairs);
            (row.elo, row.match_games) = (Some(elo), 2 * pairs.len() as u64);
            row.accepted = elo[1] >= 0.0;
            row.total_elo += if row.accepted { elo[1] } else { 0.0 };
        }
        if row.accepted {
            self.model = Some(model);
        }
        self.spent += spent;
        self.games += games;
        row.done = (self.spent as f64 / self.task.work.max(1) as f64).min(1.0);
        self.rows.push(row.clone());
        self.forget();
        Ok(Some(row))
    }

    /// How games of a generation are played.
    fn rules(&self, number: u32) -> Rules {
        // Measured in Gomoku: 8 instead of 3 nodes per legal move give fewer games, and 22 % in a match after equal work. In Connect
        // Four, 24 nodes instead of 64 are too few: 15 of 40 points, instead of more than 26, against an evaluation of 0.
        let nodes =
            if number == 0 { 0 } else { (3 * self.branching).clamp(64, 600) * u64::from(5 + number.min(10)) / 5 };
        Rules { nodes, opening: 2 + self.length / 6, random: 30, longest: longest(self.length) }
    }

    /// Self-play for a part of the work. The games, and the work it took.
    fn play(
        &mut self,
        number: u32,
        work: u64,
        seed: u64,
        make: &mut MakeSearcher<'_, G>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<(Vec<Record>, u64)>, String> {
        let mut player = Player::new(&self.start, self.rules(number));
        if number == 0 {
            player.rules = Rules { nodes: 0, opening: 2, random: 0, longest: 1_000 };
        }
        player.points = self.points;
        let mut searcher = match &self.model {
            Some(model) => Some(make(model)?),
            None => None,
        };
        let cost = self.model.as_deref().map_or(RANDOM_COST, node_cost);
        let (mut records, mut plies) = (Vec::new(), 0);
        while (player.nodes + plies) * cost < work || records.len() < LEAST_GAMES {
            if stop() {
                return Ok(None);
            }
            let seed = mix(seed ^ mix(records.len() as u64));
            let opening = mix(seed) % (player.rules.opening + 1);
            // One search plays both sides.
            let record = match &mut searcher {
                Some(searcher) => Both(&mut **searcher).game(&mut player, seed, opening)?,
                None => player.game(&mut [None, None], seed, opening)?,
            };
            plies += record.moves.len() as u64;
            records.push(Record { generation: number, ..record });
            if number == 0 && records.len() >= MOST_RANDOM_GAMES {
                break;
            }
        }
        if number == 0 {
            self.points = player.points;
            self.branching = (player.branches.0 / player.branches.1.max(1)).max(1);
            self.length = (plies / records.len() as u64).max(1);
        }
        Ok(Some((records, (player.nodes + plies) * cost)))
    }

    fn scale(&self) -> Scale {
        if self.points { Scale::Points } else { Scale::Result }
    }

    /// The positions of the games that are kept. `first` is the number of the first of these games, of all that were played.
    fn samples(&self, first: u64) -> Result<Samples, String> {
        let mut f = Features::new(self.start.turn());
        (self.features)(&self.start, &mut f);
        let (size, counters) = (f.size(), f.counters().len());
        let mut samples = Samples::new(f.cells().len(), counters);
        let problem = std::cell::Cell::new(None);
        let checked = |board: &G, f: &mut Features| {
            (self.features)(board, f);
            if let Err(error) = check(f, Some((size, counters))) {
                problem.set(Some(error));
                *f = Features::new(board.turn());
                f.set_all(size, &vec![0; size.0 * size.1], &vec![0; counters]);
            }
        };
        for (number, record) in (first..).zip(&self.records) {
            record.add_to(&self.start, &checked, self.scale(), number as u32, &mut samples);
        }
        match problem.take() {
            Some(error) => Err(error),
            None if samples.len() == 0 => Err("no positions were found: games end without a choice of moves".into()),
            None => Ok(samples),
        }
    }

    /// Keeps the games of the last two thirds of the generations, and not too many.
    fn forget(&mut self) {
        let oldest = self.rows.len() as u32 / 3;
        let mut positions = 0;
        let keep = self.records.iter().rev().take_while(|record| {
            positions += record.moves.len();
            record.generation >= oldest && positions <= MOST_POSITIONS
        });
        let keep = keep.count();
        self.records.drain(..self.records.len() - keep);
    }

    /// Fits a model to the positions. `None`: stopped.
    fn fit(
        &self,
        number: u32,
        samples: &Samples,
        work: u64,
        seed: u64,
        spent: &mut u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<(Model, f64)>, String> {
        let spread = if self.points { (samples.greatest() / 2.0).max(1.0) } else { 1.0 };
        let base = Structure { shift: shift(spread), ..self.structure(samples) };
        let mut trial = |structure: Structure, most: usize| -> Option<(Fit, f64)> {
            let mut fit = Fit::new(Layout::new(structure)?, None, spread);
            *spent += fit.epoch(samples, seed, true, most) * sample_cost(&fit.layout);
            let error = fit.held_out(samples, samples.len() / 200_000 + 1);
            Some((fit, error))
        };
        let current = self.model.as_ref().map(|model| &model.layout.structure);
        let mut structures: Vec<Structure> = current.cloned().into_iter().collect();
        if structures.is_empty() || SELECTIONS.contains(&number) {
            let rough = small(base.states());
            let sides = candidates(&self.symmetries, base.size);
            let groups = choices(base.states(), base.size);
            let trials = (sides.len() + groups.len()) as u64;
            let most = (work / 5 / trials / 400).clamp(2_000, 2 * samples.len() as u64 + 2_000) as usize;
            // How the board is turned for the second side.
            let mut best: Option<(f64, Structure)> = None;
            for turned in sides {
                let structure = Structure { turned, groups: rough.clone(), ..base.clone() };
                let Some((_, error)) = trial(structure.clone(), most) else { continue };
                // Shared weights learn faster: they need not be better by the positions so far.
                let error = error * if turned.is_none() { 1.005 } else { 1.0 };
                if best.as_ref().is_none_or(|(least, _)| error < *least) {
                    best = Some((error, structure));
                }
            }
            let (_, base) = best.ok_or("the board is too large")?;
            let mut best: Option<(f64, Structure)> = None;
            for groups in groups {
                if stop() {
                    return Ok(None);
                }
                let structure = Structure { groups, ..base.clone() };
                let Some((fit, error)) = trial(structure.clone(), most) else { continue };
                let error = error * price(&fit.layout);
                if best.as_ref().is_none_or(|(least, _)| error < *least) {
                    best = Some((error, structure));
                }
            }
            structures.push(best.ok_or("the board is too large")?.1);
        }
        // A short trial prefers few weights. So another structure must also be better than the present one after the whole fit.
        let mut best: Option<(f64, Model, f64)> = None;
        for structure in structures {
            let layout = Layout::new(structure).ok_or("the board is too large")?;
            let mut fit = Fit::new(layout, self.model.as_deref(), spread);
            let cost = sample_cost(&fit.layout);
            let epochs = if fit.is_warm() { 3 } else { 8 };
            let most = (work / 4 / cost).max(5_000).min(epochs * samples.len() as u64) as usize;
            for part in 0..8 {
                if stop() {
                    return Ok(None);
                }
                *spent += fit.epoch(samples, mix(seed) ^ part, true, most / 8 + 1) * cost;
                let error = fit.held_out(samples, samples.len() / 100_000 + 1);
                let priced = error * price(&fit.layout);
                // The version with the least error: later, the fit may learn the games by heart.
                if best.as_ref().is_none_or(|(least, ..)| priced < *least) {
                    best = Some((priced, fit.model(&self.task.game), error));
                }
            }
        }
        Ok(best.map(|(_, model, error)| (model, error)))
    }

    /// A structure without groups: the states that occur, and the stages.
    fn structure(&self, samples: &Samples) -> Structure {
        let mut f = Features::new(self.start.turn());
        (self.features)(&self.start, &mut f);
        let (mut occurs, mut occupied) = ([false; STATES], vec![0_u64; crate::MAX_CELLS + 1]);
        for sample in 0..samples.len() {
            let cells = samples.content(sample);
            cells.iter().for_each(|&state| occurs[usize::from(state)] = true);
            occupied[cells.iter().filter(|&&state| state != 0).count()] += 1;
        }
        let mut dense = [0; STATES];
        let mut next = 0;
        for (state, dense) in dense.iter_mut().enumerate().skip(1) {
            // Pieces of both sides occur together: each can be either's turn.
            let pair = [1, 2].contains(&(state % 3)).then_some(if state % 3 == 1 { state + 1 } else { state - 1 });
            if occurs[state] || pair.is_some_and(|pair| occurs[pair]) {
                next += 1;
                *dense = next;
            }
        }
        // Stages of equal numbers of positions.
        let (total, mut sum, mut stages) = (samples.len() as u64, 0, Vec::new());
        for (cells, count) in occupied.iter().enumerate() {
            if sum > total * (stages.len() as u64 + 1) / STAGES {
                stages.push(cells as u16);
            }
            sum += count;
        }
        stages.truncate(STAGES as usize - 1);
        Structure {
            size: f.size(),
            counters: f.counters().len(),
            dense,
            scale: self.scale(),
            shift: MAX_SHIFT,
            stages,
            turned: None,
            symmetries: self.symmetries.clone(),
            groups: Vec::new(),
        }
    }
}

/// The shift with which weights of this many points fit into 16 bits.
fn shift(spread: f32) -> u32 {
    (0..=MAX_SHIFT).rev().find(|&shift| 4.0 * spread * (1 << shift) as f32 <= f32::from(i16::MAX)).unwrap_or(0)
}

/// The number of stages.
const STAGES: u64 = 4;

/// The generations in which the structure is chosen.
const SELECTIONS: [u32; 4] = [0, 2, 5, 9];

/// The factor on the error of a structure: the error must decrease by this much for one more lookup per evaluation.
fn price(layout: &Layout) -> f64 {
    1.0 + 0.000_1 * layout.lookups as f64
}

/// The least number of games of a generation, and the greatest of random games.
const LEAST_GAMES: usize = 20;
const MOST_RANDOM_GAMES: usize = 4_000;

/// The work of a move in a random game.
const RANDOM_COST: u64 = 200;

/// The work of a node of a search with this model.
fn node_cost(model: &Model) -> u64 {
    40 + model.layout.lookups as u64 / 3
}

/// The work of a step of the fit.
fn sample_cost(layout: &Layout) -> u64 {
    60 + 2 * layout.lookups as u64
}

/// The length at which a game is a draw, if random games have this mean length.
fn longest(length: u64) -> usize {
    (4 * length + 40) as usize
}

/// One search for both sides.
struct Both<'s, G: Game>(&'s mut dyn Searcher<G>);

impl<G: Game> Both<'_, G> {
    fn game(self, player: &mut Player<'_, G>, seed: u64, opening: u64) -> Result<Record, String> {
        let shared = std::cell::RefCell::new(self.0);
        let (mut a, mut b) = (Half(&shared), Half(&shared));
        player.game(&mut [Some(&mut a), Some(&mut b)], seed, opening)
    }
}

/// One of the two sides that share a search.
struct Half<'r, 's, G: Game>(&'r std::cell::RefCell<&'s mut dyn Searcher<G>>);

impl<G: Game> Searcher<G> for Half<'_, '_, G> {
    fn search(&mut self, position: &G, nodes: u64) -> Result<crate::Thought<G::Move>, String> {
        self.0.borrow_mut().search(position, nodes)
    }

    fn clear(&mut self) -> Result<(), String> {
        self.0.borrow_mut().clear()
    }
}

/// Features that cannot be used.
fn check(f: &Features, expected: Option<((usize, usize), usize)>) -> Result<(), String> {
    if f.is_bad() {
        return Err(format!(
            "the features of a position are out of range: a board has at most {} cells, {MAX_KINDS} kinds of pieces and {} counters",
            crate::MAX_CELLS,
            crate::MAX_COUNTERS
        ));
    }
    match expected {
        None if f.cells().is_empty() => {
            Err("the features must begin with the size of the board: f.board(rows, columns)".into())
        }
        Some((size, _)) if f.size() != size => Err("the board has the same size in all positions".into()),
        Some((_, counters)) if f.counters().len() != counters => {
            Err("the same counters are counted in all positions, if need be with 0".into())
        }
        _ => Ok(()),
    }
}

/// The groups of the first structures: single cells and small neighbourhoods.
fn small(states: usize) -> Vec<Group> {
    let pair = if states <= 8 { Shape::Block(2, 2) } else { Shape::Block(1, 2) };
    vec![SQUARES, Group { shape: pair, shared: false, staged: false }]
}

/// Piece-square tables by stage.
const SQUARES: Group = Group { shape: Shape::Block(1, 1), shared: false, staged: true };

/// The most weights of a table of a pattern.
const MOST_PER_TABLE: usize = 20_000;

/// The structures to choose from.
fn choices(states: usize, (rows, columns): (usize, usize)) -> Vec<Vec<Group>> {
    let fits = |cells: u32| states.checked_pow(cells).is_some_and(|weights| weights <= MOST_PER_TABLE);
    let block = if fits(9) {
        Shape::Block(3, 3)
    } else if fits(6) {
        Shape::Block(2, 3)
    } else if fits(4) {
        Shape::Block(2, 2)
    } else {
        Shape::Block(1, 2)
    };
    let length = (1..=rows.max(columns).min(6) as u8).rev().find(|&cells| fits(cells.into())).unwrap_or(1);
    let local = |shape| Group { shape, shared: false, staged: false };
    let shared = |shape, staged| Group { shape, shared: true, staged };
    let line = Shape::Line(length);
    let alone = |shape| Group { shape, shared: false, staged: true };
    vec![
        vec![SQUARES],
        small(states),
        small(states).split_off(1).into_iter().map(|pair| alone(pair.shape)).collect(),
        vec![local(block)],
        vec![SQUARES, local(block)],
        vec![SQUARES, shared(line, true)],
        vec![SQUARES, shared(block, true), local(Shape::Block(1, 2))],
        vec![SQUARES, local(block), shared(line, true)],
        vec![SQUARES, local(block), local(line)],
        vec![SQUARES, shared(block, true), local(line), shared(line, true)],
    ]
}

/// The patterns of a structure, in words.
fn describe(structure: &Structure) -> String {
    let group = |group: &Group| {
        let shape = match group.shape {
            Shape::Block(rows, columns) => format!("{rows}×{columns}"),
            Shape::Line(length) => format!("lines of {length}"),
        };
        if group.shared { format!("{shape} anywhere") } else { shape }
    };
    let groups: Vec<String> = structure.groups.iter().map(group).collect();
    groups.join(", ")
}

/// The Elo difference of a match, with its 95 % interval: low, estimate, high.
fn elo(pairs: &[f32]) -> [f64; 3] {
    let n = pairs.len().max(1) as f64;
    let scores = pairs.iter().map(|&pair| f64::from(pair) / 2.0);
    let mean = scores.clone().sum::<f64>() / n;
    let variance = scores.map(|score| (score - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    // A few equal results do not make the interval empty.
    let error = 1.96 * (variance.max(0.02) / n).sqrt();
    [mean - error, mean, mean + error].map(|score| {
        let score = score.clamp(0.002, 0.998);
        400.0 * (score / (1.0 - score)).log10()
    })
}
