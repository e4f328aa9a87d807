//! The list of all runs of an experiment, in a deterministic order.

use std::collections::HashSet;
use std::sync::LazyLock;

use emtee::research::{Guess, Widen};
use emtee::{Algorithm, Size};
use emtee_engine::{Baseline, BaselineSettings, Position, Registry, Settings};

use crate::error::Error;
use crate::experiment::{Experiment, GameChoice, Positions};
use crate::ratios::{self, RatioChoice};
use crate::spec::{RunKind, Spec};

/// A game of an experiment, with its positions and settings resolved.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Subject {
    /// Name of the game.
    pub name: String,
    /// Search depth.
    pub depth: u8,
    /// Plies from one iteration to the next.
    pub step: u8,
    /// All positions.
    pub positions: Vec<String>,
    /// The sample of positions for the figures that vary a setting.
    pub sample: Vec<String>,
    /// Search depth of those figures.
    pub study_depth: u8,
    /// The tuned baseline: Aspiration NegaScout with the window of this game.
    pub baseline: Algorithm,
    /// The three baselines, in the order of [`Baseline::ALL`].
    pub baselines: [BaselineSettings; 3],
    /// Grain: evaluations are rounded to multiples of this.
    pub grain: i32,
    /// Source of first guesses.
    pub guess: Guess,
}

/// A validated experiment: its positions exist and its runs are listed.
#[non_exhaustive]
pub struct Plan {
    /// The experiment.
    pub experiment: Experiment,
    /// Its games.
    pub subjects: Vec<Subject>,
    /// Its runs, without duplicates.
    pub specs: Vec<Spec>,
    /// Its ratios, sweeps included.
    pub(crate) ratios: Vec<RatioChoice>,
    /// The branching factor of each game.
    branching: Vec<(String, f64)>,
    /// The mean number of moves in positions with a capture, and in others, of each game whose notation shows captures.
    moves_by_capture: Vec<(String, [f64; 2])>,
}

/// A position of a game of the registry, or of a synthetic tree.
pub(crate) fn position(registry: &Registry, game: &str, text: &str) -> Result<Box<dyn Position>, Error> {
    static SYNTHETIC: LazyLock<Registry> = LazyLock::new(Registry::synthetic);
    let entry = match registry.get(game) {
        Err(_) if game == Registry::SYNTHETIC => SYNTHETIC.get(game)?,
        entry => entry?,
    };
    Ok(entry.position(text)?)
}

impl Plan {
    /// Resolves the positions and lists the runs.
    pub fn new(experiment: Experiment, registry: &Registry) -> Result<Plan, Error> {
        let subjects: Result<_, Error> = experiment.games.iter().map(|choice| subject(choice, registry)).collect();
        let subjects: Vec<Subject> = subjects?;
        let branching: Result<_, Error> =
            subjects.iter().map(|subject| Ok((subject.name.clone(), branching(subject, registry)?))).collect();
        let ratios = ratios::all(&experiment.ratios, &experiment.sweeps)?;
        let mut by_capture = Vec::new();
        for subject in &subjects {
            by_capture.extend(moves_by_capture(subject, registry)?.map(|moves| (subject.name.clone(), moves)));
        }
        let mut plan = Plan {
            branching: branching?,
            moves_by_capture: by_capture,
            ratios,
            subjects,
            specs: Vec::new(),
            experiment,
        };
        let mut seen = HashSet::new();
        let all = plan.experiment.figures.iter().flat_map(|kind| kind.specs(&plan)).chain(ratios::specs(&plan));
        let all: Vec<Spec> = all.collect();
        for spec in &all {
            check_evaluator(spec, registry)?;
        }
        let (counts, timings): (Vec<Spec>, Vec<Spec>) =
            all.into_iter().filter(|spec| seen.insert(spec.clone())).partition(|spec| !spec.is_timing());
        plan.specs = counts.into_iter().chain(timings).collect();
        Ok(plan)
    }

    /// The runs of part `which` of `shards` equal parts, numbered from 1.
    pub fn shard(&self, which: usize, shards: usize) -> Vec<Spec> {
        self.specs.iter().skip(which.saturating_sub(1)).step_by(shards.max(1)).cloned().collect()
    }

    /// Estimated duration of a run relative to other runs. Workers finish sooner if the longest runs start first.
    pub fn effort(&self, spec: &Spec) -> f64 {
        let branching = self.branching(&spec.game).unwrap_or(4.0).max(1.1);
        // With good move ordering a search visits little more than the square root of the tree. The oracles search without
        // a table or a window and visit all of it.
        let exponent = if spec.algorithm.is_oracle() { 1.0 } else { 0.6 };
        let factor = match spec.kind {
            RunKind::Time { rounds, .. } => 4.0 * f64::from(rounds),
            RunKind::Minimal => 6.0,
            RunKind::FirstGuess { .. } | RunKind::Evaluations => 2.0,
            RunKind::Count => 1.0,
            RunKind::Virtual => 20.0,
        };
        factor * branching.powf(exponent * f64::from(spec.depth))
    }

    /// A search with the settings of the experiment.
    pub(crate) fn count(&self, subject: &Subject, position: &str, algorithm: Algorithm) -> Spec {
        let search = &self.experiment.search;
        Spec {
            kind: RunKind::Count,
            game: subject.name.clone(),
            position: position.to_owned(),
            algorithm: if algorithm == Algorithm::BASELINE { subject.baseline } else { algorithm },
            depth: subject.depth,
            step: subject.step,
            entries: search.entries,
            one_bound: search.bounds.0 == emtee::research::Keep::OneBound,
            etc: search.etc,
            grain: search.grain.unwrap_or(subject.grain),
            guess: search.guess.map_or(subject.guess, |guess| guess.0),
            threads: if algorithm.shares_work() { search.threads } else { 1 },
            evaluator: search.evaluator.clone(),
        }
    }

    /// One of the three baselines. The guess of the experiment replaces that of the game, but current practice keeps its
    /// average.
    pub(crate) fn baseline(&self, subject: &Subject, position: &str, kind: Baseline) -> Spec {
        let BaselineSettings { algorithm, guess, .. } = subject.baselines[kind as usize];
        let count = self.count(subject, position, algorithm);
        let guess = if kind == Baseline::Practice { guess } else { count.guess };
        Spec { algorithm, guess, ..count }
    }

    /// The time of MTD-f relative to a baseline.
    pub(crate) fn timed_against(&self, subject: &Subject, position: &str, kind: Baseline) -> Spec {
        let Spec { algorithm: against, guess, .. } = self.baseline(subject, position, kind);
        let Experiment { search, study, .. } = &self.experiment;
        let count = self.count(subject, position, Algorithm::MtdF);
        let against_guess = (guess != count.guess).then_some(guess);
        let kind = RunKind::Time { rounds: study.rounds, against, against_etc: search.etc, against_guess };
        Spec { kind, ..count }
    }

    /// The two depths of the main comparison, of both parities.
    pub(crate) fn pooled_depths(&self, subject: &Subject) -> [u8; 2] {
        [subject.depth.saturating_sub(1).max(1), subject.depth]
    }

    /// The run that contains the iteration of a depth of the main comparison.
    pub(crate) fn pooled(&self, subject: &Subject, spec: Spec, depth: u8) -> Spec {
        Spec { depth: if subject.step == 1 { subject.depth } else { depth }, ..spec }
    }

    /// Like [`Plan::count`], at the depth of the figures that vary a setting.
    pub(crate) fn sampled(&self, subject: &Subject, position: &str, algorithm: Algorithm) -> Spec {
        Spec { depth: subject.study_depth, ..self.count(subject, position, algorithm) }
    }

    /// The time of an algorithm relative to the baseline.
    pub(crate) fn timed(&self, subject: &Subject, position: &str, algorithm: Algorithm) -> Spec {
        let Experiment { search, study, .. } = &self.experiment;
        let kind = RunKind::Time {
            rounds: study.rounds,
            against: subject.baseline,
            against_etc: search.etc,
            against_guess: None,
        };
        Spec { kind, ..self.count(subject, position, algorithm) }
    }

    /// The time of MTD-f with enhanced transposition cutoffs relative to MTD-f without.
    pub(crate) fn etc_timed(&self, subject: &Subject, position: &str, etc: u8) -> Spec {
        let rounds = self.experiment.study.rounds;
        let kind = RunKind::Time { rounds, against: Algorithm::MtdF, against_etc: 0, against_guess: None };
        Spec { kind, etc, ..self.sampled(subject, position, Algorithm::MtdF) }
    }

    /// The left-first minimal graph, with a table in which no entry is overwritten.
    pub(crate) fn minimal(&self, subject: &Subject, position: &str) -> Spec {
        let entries = self.experiment.study.minimal_entries;
        let count = self.count(subject, position, Algorithm::MtdF);
        Spec { kind: RunKind::Minimal, entries, one_bound: false, etc: 0, threads: 1, ..count }
    }

    /// The minimal graph with enhanced transposition cutoffs at all heights: the tightest measured upper bound
    pub(crate) fn minimal_with_etc(&self, subject: &Subject, position: &str) -> Spec {
        Spec { etc: 1, ..self.minimal(subject, position) }
    }

    /// The number of different positions among the leaf evaluations of an algorithm.
    pub(crate) fn evaluations(&self, subject: &Subject, position: &str, algorithm: Algorithm) -> Spec {
        Spec { kind: RunKind::Evaluations, threads: 1, ..self.count(subject, position, algorithm) }
    }

    /// The compared algorithms, including the baseline.
    pub(crate) fn algorithms(&self) -> Vec<Algorithm> {
        let named: Vec<Algorithm> = self.experiment.algorithms.iter().map(|named| named.0).collect();
        let missing = !named.contains(&Algorithm::BASELINE);
        named.into_iter().chain(missing.then_some(Algorithm::BASELINE)).collect()
    }

    /// The compared algorithms that are MT drivers; MTD-f if there is none.
    pub(crate) fn drivers(&self) -> Vec<Algorithm> {
        let drivers: Vec<_> = self.algorithms().into_iter().filter(|algorithm| algorithm.driver().is_some()).collect();
        if drivers.is_empty() { vec![Algorithm::MtdF] } else { drivers }
    }

    /// MTD-f whose first guess in each iteration is the known value plus `offset`.
    pub(crate) fn first_guess(&self, subject: &Subject, position: &str, offset: i32) -> Spec {
        Spec { kind: RunKind::FirstGuess { offset }, ..self.count(subject, position, Algorithm::MtdF) }
    }

    /// The baseline with the known value of each iteration as its guess, and a window of one grain to either side.
    pub(crate) fn baseline_first_guess(&self, subject: &Subject, position: &str) -> Spec {
        let count = self.count(subject, position, Algorithm::BASELINE);
        let algorithm = Algorithm::AspirationNegaScout { width: count.grain, widen: Widen::Open };
        Spec { kind: RunKind::FirstGuess { offset: 0 }, algorithm, ..count }
    }

    /// The same run with the table of the minimal graphs, in which no entry is overwritten.
    pub(crate) fn with_lossless_table(&self, spec: Spec) -> Spec {
        Spec { entries: self.experiment.study.minimal_entries, ..spec }
    }

    /// The average branching factor of the trees below the positions of a game.
    pub(crate) fn branching(&self, game: &str) -> Option<f64> {
        self.branching.iter().find(|(name, _)| name == game).map(|(_, mean)| *mean)
    }

    /// The mean number of moves in positions with a capture, and in others.
    pub(crate) fn moves_by_capture(&self, game: &str) -> Option<[f64; 2]> {
        self.moves_by_capture.iter().find(|(name, _)| name == game).map(|(_, moves)| *moves)
    }

    /// The algorithms of the main claim: baseline, MTD-f and the default driver.
    pub(crate) fn contenders(&self) -> Vec<Algorithm> {
        let mut all = vec![Algorithm::BASELINE, Algorithm::MtdF, Algorithm::default()];
        all.dedup();
        all
    }

    /// The lowest heights of enhanced transposition cutoffs in the figure `etc`, starting with 0 for none.
    pub(crate) fn etc_heights(&self) -> Vec<u8> {
        std::iter::once(0).chain(self.experiment.study.etc.iter().copied().filter(|&etc| etc > 0)).collect()
    }
}

/// Fails if the game has no such evaluator.
fn check_evaluator(spec: &Spec, registry: &Registry) -> Result<(), Error> {
    let Some(name) = &spec.evaluator else { return Ok(()) };
    let game = registry.get(&spec.game)?;
    if name.starts_with("learned:") {
        // A small search finds out whether its file can be used.
        let mut settings = Settings::default();
        (settings.options.size, settings.evaluator) = (Some(Size::of_entries(1)), Some(name.clone()));
        return Ok(game.search(&settings).map(drop)?);
    }
    let names = game.evaluators();
    let unknown = || format!("{} has no evaluator '{name}'; choose {}", spec.game, names.join(" or "));
    if names.contains(&name.as_str()) { Ok(()) } else { Err(Error::bad(unknown())) }
}

fn subject(choice: &GameChoice, registry: &Registry) -> Result<Subject, Error> {
    let GameChoice { name, depth, step, .. } = choice;
    let mut positions: Vec<String> = match &choice.positions {
        Positions::Set(sets) => {
            let sets: Result<Vec<_>, _> = sets.split('+').map(|set| registry.get(name)?.set(set.trim())).collect();
            sets?.iter().flatten().map(|position| position.text()).collect()
        }
        Positions::File { file } => {
            let text = std::fs::read_to_string(file).map_err(|error| Error::file("read", file, error))?;
            emtee_engine::positions(&text).map(str::to_owned).collect()
        }
        Positions::Listed(texts) if texts.is_empty() => vec![registry.get(name)?.start().text()],
        Positions::Listed(texts) => texts.clone(),
        Positions::Random { random, plies, seed, from } => {
            let start = match from {
                Some(text) => position(registry, name, text)?,
                None => registry.get(name)?.start(),
            };
            // Positions in which the game is over are replaced by others.
            (0..u64::from(*random) * 20)
                .map(|n| start.after_random(*plies, seed.wrapping_mul(1_000_003).wrapping_add(n)))
                .filter(|position| !position.moves().is_empty())
                .take(*random as usize)
                .map(|position| position.text())
                .collect()
        }
    };
    let mut seen = HashSet::new();
    positions.retain(|text| seen.insert(text.clone()));
    if positions.is_empty() {
        return Err(Error::bad(format!("{name}: there are no positions to search")));
    }
    for text in &positions {
        if position(registry, name, text)?.moves().is_empty() {
            return Err(Error::bad(format!("{name}: the game is over in the position '{text}'")));
        }
    }
    let game = registry.get(name).ok();
    let mut baselines = Baseline::ALL.map(|kind| match game {
        Some(game) => game.baseline(kind),
        None => Registry::default_baseline(kind),
    });
    if let Some(width) = choice.window {
        let widen = choice.rule.map_or(Widen::default(), |rule| rule.0);
        baselines[Baseline::Tuned as usize].algorithm = Algorithm::AspirationNegaScout { width, widen };
    }
    let count = choice.sample.unwrap_or(positions.len()).clamp(1, positions.len());
    let index = |n: usize| n * (positions.len() - 1) / (count - 1).max(1);
    let sample = (0..count).map(|n| positions[index(n)].clone()).collect();
    Ok(Subject {
        name: name.clone(),
        depth: *depth,
        step: *step,
        sample,
        study_depth: choice.study_depth.unwrap_or(*depth),
        baseline: baselines[Baseline::Tuned as usize].algorithm,
        baselines,
        grain: game.map_or(1, |game| game.grain()),
        guess: game.map_or_else(Guess::default, |game| game.guess()),
        positions,
    })
}

/// Number of lines below a position that is enough for its branching factor.
const ENOUGH_LINES: u64 = 1_000;

/// The branching factor of uniform trees with as many lines as the trees below the positions.
fn branching(subject: &Subject, registry: &Registry) -> Result<f64, Error> {
    let mut logs = 0.0;
    for text in &subject.positions {
        let position = position(registry, &subject.name, text)?;
        let tools = position.tools()?;
        // An even depth counts the moves of both sides equally often.
        let (mut depth, mut lines) = (2, tools.perft(2));
        while (1..ENOUGH_LINES).contains(&lines) && depth < 12 {
            depth += 2;
            lines = tools.perft(depth);
        }
        logs += (lines.max(1) as f64).ln() / f64::from(depth);
    }
    Ok((logs / subject.positions.len() as f64).exp())
}

/// The mean number of moves in positions with a capture, and in others, over the positions of a game and their children.
/// `None` if the notation does not show captures, as `22x15` does.
fn moves_by_capture(subject: &Subject, registry: &Registry) -> Result<Option<[f64; 2]>, Error> {
    let is_capture = |m: &String| m.contains('x') && m.starts_with(|c: char| c.is_ascii_digit());
    let (mut sums, mut counts) = ([0.0; 2], [0.0; 2]);
    for text in &subject.positions {
        let position = position(registry, &subject.name, text)?;
        let moves = position.moves();
        if sums[0] == 0.0 && counts[1] > 0.0 && !moves[0].starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(None);
        }
        let mut add = |moves: &[String]| {
            let kind = usize::from(!moves.iter().any(is_capture));
            if !moves.is_empty() {
                (sums[kind], counts[kind]) = (sums[kind] + moves.len() as f64, counts[kind] + 1.0);
            }
        };
        add(&moves);
        for m in &moves {
            add(&position.after(m)?.moves());
        }
    }
    Ok((counts[0] > 0.0).then(|| [sums[0] / counts[0], sums[1] / counts[1]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quick() -> Plan {
        Plan::new(Experiment::reproduce("quick").unwrap(), &Registry::standard()).unwrap()
    }

    #[test]
    fn the_list_of_runs_is_deterministic_and_has_no_duplicates() {
        let (one, other) = (quick(), quick());
        assert_eq!(one.specs, other.specs);
        let numbers: HashSet<i64> = one.specs.iter().map(Spec::number).collect();
        assert_eq!(numbers.len(), one.specs.len());
        // Timed runs come last: they run alone.
        let first_timed = one.specs.iter().position(Spec::is_timing).unwrap();
        assert!(one.specs[first_timed..].iter().all(Spec::is_timing));
    }

    #[test]
    fn parts_are_disjoint_and_complete() {
        let plan = quick();
        let parts: Vec<Vec<Spec>> = (1..=7).map(|which| plan.shard(which, 7)).collect();
        let all: HashSet<&Spec> = parts.iter().flatten().collect();
        assert_eq!(parts.iter().map(Vec::len).sum::<usize>(), plan.specs.len());
        assert_eq!(all.len(), plan.specs.len());
        assert!(parts.iter().all(|part| part.len().abs_diff(parts[0].len()) <= 1));
    }

    #[test]
    fn samples_are_spread_over_the_positions() {
        let plan = quick();
        let subject = &plan.subjects[0];
        assert_eq!((subject.positions.len(), subject.sample.len()), (20, 5));
        assert_eq!(subject.sample.first(), subject.positions.first());
        assert_eq!(subject.sample.last(), subject.positions.last());
        assert!((20.0..50.0).contains(&plan.branching("chess").unwrap()));
    }

    fn tictactoe(more: &str) -> Result<Plan, Error> {
        let text = format!("title = \"x\"\nfigures = [11]\n{more}");
        Plan::new(text.parse::<Experiment>()?, &Registry::standard())
    }

    #[test]
    fn an_algorithm_with_another_window_is_kept_beside_the_baseline() {
        let game = "[[game]]\nname = \"tictactoe\"\ndepth = 2\nwindow = 3\n";
        let plan = tictactoe(&format!("algorithms = [\"mtd-f\", \"aspiration-negascout:7:double\"]\n{game}")).unwrap();
        let algorithms: Vec<String> = plan.specs.iter().map(|spec| spec.algorithm.to_string()).collect();
        assert_eq!(algorithms, ["mtd-f", "aspiration-negascout:7:double", "aspiration-negascout:3"]);
        let rule = tictactoe("[[game]]\nname = \"tictactoe\"\ndepth = 2\nrule = \"double\"\n").err().unwrap();
        assert_eq!(rule.to_string(), "tictactoe: a rule needs a window; add window = N");
    }

    #[test]
    fn random_positions_have_moves() {
        let plan =
            tictactoe("[[game]]\nname = \"tictactoe\"\ndepth = 1\npositions = { random = 40, plies = 7 }\n").unwrap();
        assert!(plan.subjects[0].positions.len() > 20);
        let last =
            "[[game]]\nname = \"tictactoe\"\ndepth = 1\npositions = { random = 3, plies = 0, from = \"XX-OO----\" }\n";
        assert_eq!(tictactoe(last).unwrap().subjects[0].positions, ["XX-OO----"]);
        let over = tictactoe("[[game]]\nname = \"tictactoe\"\ndepth = 1\npositions = { random = 3, plies = 9 }\n");
        assert_eq!(over.err().unwrap().to_string(), "tictactoe: there are no positions to search");
    }

    #[test]
    fn positions_are_read_from_a_file() {
        let file = std::env::temp_dir().join(format!("emtee-positions-{}.txt", std::process::id()));
        std::fs::write(&file, "# two of them\nXX-OO----  # a comment\n\n---------\n").unwrap();
        let game = |file: &std::path::Path| {
            let path = file.display();
            tictactoe(&format!("[[game]]\nname = \"tictactoe\"\ndepth = 2\npositions = {{ file = '{path}' }}\n"))
        };
        let plan = game(&file).unwrap();
        assert_eq!(plan.subjects[0].positions, ["XX-OO----", "---------"]);
        std::fs::write(&file, "# none\n").unwrap();
        assert_eq!(game(&file).err().unwrap().to_string(), "tictactoe: there are no positions to search");
        std::fs::remove_file(&file).unwrap();
        assert!(game(&file).err().unwrap().to_string().starts_with("cannot read "));
    }
}
