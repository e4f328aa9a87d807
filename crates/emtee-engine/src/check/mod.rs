//! Checks of a game's implementation: the library's laws, the most common mistakes, and the algorithms against minimax.
//!
//! A search trusts the game, and a wrong implementation silently plays badly. Each violation is reported in one line,
//! with a position that can be pasted and the moves that lead to it.

mod keys;
mod missing;
mod signs;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use emtee::{Budget, Evaluate, Game, Outcome, OwnEvaluation, laws, legal_moves, mix, player};

use crate::error::Error;
use crate::position::{GamePosition, Playable};
use crate::settings::UNROUNDED;

pub use missing::{bad_order, repeats};

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// Random games played.
    pub games: u32,
    /// Positions in them.
    pub positions: u64,
    /// Different keys among them.
    pub keys: usize,
    /// Findings that violate no law.
    pub warnings: Vec<String>,
}

/// A law that a game violates.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The law.
    pub law: String,
    /// What happened.
    pub detail: String,
    /// The position, as text that can be read again.
    pub position: String,
    /// The moves from the start of the check to the position.
    pub moves: Vec<String>,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}; the position is '{}'", self.law, self.detail, self.position)?;
        if self.moves.is_empty() { Ok(()) } else { write!(f, ", after {}", self.moves.join(" ")) }
    }
}

/// The number of steps of [`check`](crate::Tools::check): the laws, then a position from each of the first games.
pub fn check_steps(games: u32) -> u64 {
    1 + u64::from(games.min(10))
}

/// A violation before its moves are named: the law, what happened, and the indices of the moves that lead there.
pub(crate) struct Finding {
    law: String,
    detail: String,
    path: Vec<usize>,
}

impl From<laws::Violation> for Finding {
    fn from(broken: laws::Violation) -> Finding {
        Finding { law: broken.law.to_owned(), detail: broken.detail, path: broken.path }
    }
}

/// The game's own evaluation. It records the first position with each key.
struct KeyRecorder<G> {
    seen: Mutex<HashMap<u64, G>>,
}

impl<G: Game> Evaluate<G> for KeyRecorder<G> {
    fn evaluate(&self, position: &G) -> i32 {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.entry(position.key()).or_insert_with(|| position.clone());
        position.evaluate()
    }
}

impl<G: Playable> KeyRecorder<G> {
    /// Adds the other position to a finding about two positions with one key.
    fn with_other_position(&self, start: &G, mut finding: Finding) -> Finding {
        let end = finding
            .path
            .iter()
            .try_fold(start.clone(), |board, &which| legal_moves(&board).get(which).map(|&m| board.play(m)));
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((here, other)) =
            end.and_then(|board| Some((board.to_string(), seen.get(&board.key())?.to_string())))
            && here != other
        {
            finding.detail += &format!("; the other one is '{other}'");
        }
        finding
    }
}

/// The maximum length of random games, since some games need not end.
const MAX_GAME: usize = 300;

/// The maximum length of games without repetitions, before they count as endless.
const MAX_PLIES: usize = 3_000;

/// The time of a trial search, and the minimum depth that it should reach.
const TRIAL_TIME: Duration = Duration::from_millis(200);
const MIN_DEPTH: u8 = 4;

/// The number of late positions from which the laws are checked again, and their distance from the end.
const LATE_POSITIONS: u64 = 12;
const PLIES_BEFORE_END: usize = 7;

/// The positions of a random game, and the indices of its moves.
pub(crate) struct Walk<G> {
    pub(crate) line: Vec<G>,
    pub(crate) path: Vec<usize>,
    /// Whether the game ended.
    pub(crate) ended: bool,
}

/// A random game of at most `plies` moves. The same seed gives the same game.
pub(crate) fn walk<G: Game>(start: &G, seed: u64, plies: usize) -> Walk<G> {
    let mut walk = Walk { line: vec![start.clone()], path: Vec::new(), ended: false };
    for ply in 0..=plies {
        let now = &walk.line[ply];
        let moves = legal_moves(now);
        if moves.is_empty() {
            walk.ended = true;
            break;
        }
        if ply == plies {
            break;
        }
        let which = (mix(mix(seed) ^ ply as u64) % moves.len() as u64) as usize;
        let after = now.play(moves[which]);
        walk.path.push(which);
        walk.line.push(after);
    }
    walk
}

impl<G: Playable> GamePosition<G> {
    pub(crate) fn checked(&self, games: u32, seed: u64, depth: u8, step: &mut dyn FnMut()) -> Result<Checked, Error> {
        let recorder = KeyRecorder { seen: Mutex::default() };
        let found = laws::check(&self.board, &recorder, games, seed);
        let found =
            found.map_err(|violation| self.violation(recorder.with_other_position(&self.board, violation.into())))?;
        let walks: Vec<Walk<G>> = (0..u64::from(games)).map(|n| walk(&self.board, seed ^ n << 32, MAX_GAME)).collect();
        self.violation_result(self.texts(&walks))?;
        self.violation_result(self.ends(&walks, seed))?;
        self.violation_result(signs::check(&walks))?;
        self.violation_result(keys::check(&self.board, &walks))?;
        // Close to the end, many move orders reach the same position, so anything missing in a key shows up there.
        for walk in
            walks.iter().filter(|walk| walk.ended && walk.path.len() >= PLIES_BEFORE_END).take(LATE_POSITIONS as usize)
        {
            let ply = walk.path.len() - PLIES_BEFORE_END;
            let recorder = KeyRecorder { seen: Mutex::default() };
            let late = laws::check(&walk.line[ply], &recorder, 60, seed).map(|_| ()).map_err(|violation| {
                let finding = recorder.with_other_position(&walk.line[ply], violation.into());
                Finding { path: [&walk.path[..ply], &finding.path[..]].concat(), ..finding }
            });
            self.violation_result(late)?;
        }
        step();
        for (game, walk) in (0..check_steps(games) - 1).zip(&walks) {
            let ply = walk.path.len().min(4 * game as usize);
            let agree = laws::agree(&walk.line[ply], &UNROUNDED, depth);
            let add_path = |violation: laws::Violation| Finding { path: walk.path[..ply].to_vec(), ..violation.into() };
            self.violation_result(agree.map_err(add_path))?;
            step();
        }
        let warnings = self.warnings(&walks)?;
        Ok(Checked { games, positions: found.positions, keys: found.keys, warnings })
    }

    fn violation_result(&self, result: Result<(), Finding>) -> Result<(), Error> {
        result.map_err(|finding| self.violation(finding))
    }

    /// The violation of a finding, with the names of its moves: `#3` stands for the move with index 3.
    fn violation(&self, finding: Finding) -> Error {
        let mut board = self.board.clone();
        let mut names = Vec::new();
        for &which in &finding.path {
            let Some(&m) = legal_moves(&board).get(which) else { break };
            names.push(m.to_string());
            board = board.play(m);
        }
        let moves = legal_moves(&board);
        let mut detail = String::new();
        for (index, piece) in finding.detail.split('#').enumerate() {
            let digits = piece.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(piece.len());
            match piece[..digits].parse::<usize>().ok().and_then(|which| moves.get(which)) {
                Some(m) if index > 0 => detail += &format!("'{m}'{}", &piece[digits..]),
                _ if index > 0 => detail += &format!("#{piece}"),
                _ => detail += piece,
            }
        }
        Error::Violation(Violation { law: finding.law, detail, position: board.to_string(), moves: names })
    }

    /// Positions can be written and read again without a change, and different moves have different texts.
    fn texts(&self, walks: &[Walk<G>]) -> Result<(), Finding> {
        let law = "a written position can be read again";
        let observable = |board: &G| (board.turn(), board.outcome(), board.evaluate(), legal_moves(board).len());
        for walk in walks.iter().take(20) {
            for (ply, board) in walk.line.iter().enumerate() {
                let violation =
                    |law: &str, detail| Err(Finding { law: law.to_owned(), detail, path: walk.path[..ply].to_vec() });
                let text = board.to_string();
                match G::parse(&text) {
                    // Some games refuse texts of finished games on purpose.
                    Err(_) if walk.ended && ply + 1 == walk.line.len() => {}
                    Err(why) => return violation(law, why),
                    Ok(read) if read.key() == board.key() => {}
                    Ok(read) if read.to_string() == text && observable(&read) == observable(board) => {
                        let detail = "when read again, it has another key: the key, or a field included in derive(Hash), \
                                      contains something that the text does not, such as a move counter";
                        return violation("positions with equal texts have equal keys", detail.into());
                    }
                    Ok(read) if read.to_string() == text => {
                        let detail = "when read again, it has another side to move, other moves or another outcome, so the \
                                      text is incomplete";
                        return violation(law, detail.into());
                    }
                    Ok(read) => return violation(law, format!("it is read as '{read}'")),
                }
                let mut names: Vec<String> = legal_moves(board).iter().map(G::Move::to_string).collect();
                names.sort();
                if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
                    return violation(
                        "different moves have different texts",
                        format!("two moves have the text '{}'", pair[0]),
                    );
                }
            }
        }
        Ok(())
    }

    /// A game without repetitions ends.
    fn ends(&self, walks: &[Walk<G>], seed: u64) -> Result<(), Finding> {
        if walks.iter().any(|walk| walk.ended || walk.line.iter().any(|board| board.halfmove_clock().is_some())) {
            return Ok(());
        }
        let walk = walk(&self.board, seed, MAX_PLIES);
        if walk.ended {
            return Ok(());
        }
        let (few, law) = (walk.path[..walk.path.len().min(40)].to_vec(), "a game without repetitions ends");
        let detail = format!(
            "no random game had an outcome, or no moves left, within {MAX_PLIES} moves; `outcome` does not recognise the end, or \
             `moves` lists illegal moves"
        );
        Err(Finding { law: law.into(), detail, path: few })
    }

    /// Findings that violate no law.
    fn warnings(&self, walks: &[Walk<G>]) -> Result<Vec<String>, Error> {
        let mut warnings = Vec::new();
        let lists_more = |board: &G| {
            let mut moves = emtee::Moves::new();
            board.outcome().is_some() && {
                board.moves(&mut moves);
                !moves.is_empty()
            }
        };
        if let Some(walk) = walks.iter().find(|walk| walk.line.last().is_some_and(lists_more)) {
            let text = walk.line.last().map(G::to_string).unwrap_or_default();
            warnings.push(format!(
                "`moves` lists moves after the end, as in '{text}'; they are never played, since `outcome` ends the game"
            ));
        }
        warnings.extend(signs::warning(walks));
        let turns = || walks.iter().flat_map(|walk| &walk.line[..walk.line.len() - 1]).map(G::turn);
        if turns().count() > 2 * walks.len() && turns().all(|turn| turn == self.board.turn()) {
            warnings.push("the same side always moves: check that `play` changes the turn".into());
        }
        let stuck = || walks.iter().filter(|walk| walk.ended).filter_map(|walk| walk.line.last());
        let stuck = || stuck().filter(|board| board.outcome().is_none());
        if let Some(board) = stuck().next()
            && stuck().all(|board| board.stuck() == Outcome::Drawn)
        {
            warnings.push(format!(
                "games end because there are no moves, as in '{board}': that is a draw, unless `outcome` or `stuck` says \
                 otherwise"
            ));
        }
        if walks.iter().all(|walk| walk.line.iter().all(|board| board.evaluate() == 0)) {
            warnings.push("`evaluate` is 0 everywhere: the search only sees wins and points".into());
        }
        let mut search = player(OwnEvaluation).build::<G>()?;
        let mut budget = Budget::UNLIMITED;
        budget.time = Some(TRIAL_TIME);
        let trial = search.think(&self.board, budget)?;
        warnings.extend(missing::warnings(walks, &trial.counts));
        if trial.depth < MIN_DEPTH && !trial.complete {
            let speed = trial.counts.nodes() as f64 / trial.time.as_secs_f64().max(1e-9) / 1e3;
            let build = if cfg!(debug_assertions) { "; build with --release" } else { "" };
            warnings.push(format!(
                "a search of {} ms only reaches depth {}, at {speed:.0} thousand nodes per second: `moves`, `play` or \
                 `evaluate` is slow{build}",
                TRIAL_TIME.as_millis(),
                trial.depth
            ));
        }
        Ok(warnings)
    }
}
