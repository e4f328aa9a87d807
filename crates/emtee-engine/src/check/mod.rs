//! Does a game keep its word? The library's laws, the mistakes that people make most, and the algorithms against minimax.
//!
//! A search believes what a game says, and a game that says something wrong is played badly without a word. What is wrong is
//! told in one line, with a position that can be pasted and the moves that lead to it.

mod keys;
mod signs;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use emtee::{Budget, Evaluate, Game, Outcome, OwnEvaluation, laws, legal_moves, mix, player};

use crate::error::Error;
use crate::position::{At, Playable};
use crate::settings::UNROUNDED;

/// What was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// Random games played.
    pub games: u32,
    /// Positions in them.
    pub positions: u64,
    /// Different keys among them.
    pub keys: usize,
    /// What breaks no law and is worth knowing.
    pub notes: Vec<String>,
}

/// A promise that a game breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Breach {
    /// What should hold.
    pub law: String,
    /// What happened.
    pub detail: String,
    /// Where, as a text that can be read again.
    pub position: String,
    /// The moves from the start of the check to there.
    pub moves: Vec<String>,
}

impl std::fmt::Display for Breach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}; the position is '{}'", self.law, self.detail, self.position)?;
        if self.moves.is_empty() { Ok(()) } else { write!(f, ", after {}", self.moves.join(" ")) }
    }
}

/// How many steps [`check`](crate::Position::check) takes: the laws, then a position from each of the first games.
pub fn check_steps(games: u32) -> u64 {
    1 + u64::from(games.min(10))
}

/// A finding before it has names: a law, what happened, and the places of the moves that lead there.
pub(crate) struct Finding {
    law: String,
    detail: String,
    path: Vec<usize>,
}

impl From<laws::Broken> for Finding {
    fn from(broken: laws::Broken) -> Finding {
        Finding { law: broken.law.to_owned(), detail: broken.detail, path: broken.path }
    }
}

/// The game's own evaluation, and the first position that was met with each key.
struct Recorder<G> {
    seen: Mutex<HashMap<u64, G>>,
}

impl<G: Game> Evaluate<G> for Recorder<G> {
    fn evaluate(&self, position: &G) -> i32 {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.entry(position.key()).or_insert_with(|| position.clone());
        position.evaluate()
    }
}

impl<G: Playable> Recorder<G> {
    /// A finding about two positions with one key names the other one as well.
    fn with_the_other(&self, start: &G, mut finding: Finding) -> Finding {
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

/// Random games are cut off here: some games need not end.
const LONGEST_GAME: usize = 300;

/// Games that cannot repeat themselves are followed so far before it is said that they have no end.
const ENDLESS: usize = 3_000;

/// How long a search is tried, and the least depth that it should reach.
const TRIED: Duration = Duration::from_millis(200);
const SHALLOW: u8 = 4;

/// How many late positions are looked at from all sides, and from how many plies before the end.
const LATE: u64 = 12;
const BEFORE_THE_END: usize = 7;

/// The positions of a random game, and the places of its moves.
pub(crate) struct Walk<G> {
    pub(crate) line: Vec<G>,
    pub(crate) path: Vec<usize>,
    /// Whether it came to its end.
    pub(crate) ended: bool,
}

/// A random game of at most `plies` moves. The same seed is the same game.
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

impl<G: Playable> At<G> {
    pub(crate) fn checked(&self, games: u32, seed: u64, depth: u8, step: &mut dyn FnMut()) -> Result<Checked, Error> {
        let recorder = Recorder { seen: Mutex::default() };
        let found = laws::check(&self.board, &recorder, games, seed);
        let found = found.map_err(|broken| self.named(recorder.with_the_other(&self.board, broken.into())))?;
        let walks: Vec<Walk<G>> =
            (0..u64::from(games)).map(|n| walk(&self.board, seed ^ n << 32, LONGEST_GAME)).collect();
        self.named_result(self.texts(&walks))?;
        self.named_result(self.ends(&walks, seed))?;
        self.named_result(signs::check(&walks))?;
        self.named_result(keys::check(&self.board, &walks))?;
        // Close to the end the same position is reached on many ways: whatever a key leaves out shows there.
        for walk in walks.iter().filter(|walk| walk.ended && walk.path.len() >= BEFORE_THE_END).take(LATE as usize) {
            let at = walk.path.len() - BEFORE_THE_END;
            let recorder = Recorder { seen: Mutex::default() };
            let late = laws::check(&walk.line[at], &recorder, 60, seed).map(|_| ()).map_err(|broken| {
                let finding = recorder.with_the_other(&walk.line[at], broken.into());
                Finding { path: [&walk.path[..at], &finding.path[..]].concat(), ..finding }
            });
            self.named_result(late)?;
        }
        step();
        for (game, walk) in (0..check_steps(games) - 1).zip(&walks) {
            let at = walk.path.len().min(4 * game as usize);
            let agree = laws::agree(&walk.line[at], &UNROUNDED, depth);
            let place = |broken: laws::Broken| Finding { path: walk.path[..at].to_vec(), ..broken.into() };
            self.named_result(agree.map_err(place))?;
            step();
        }
        let notes = self.notes(&walks)?;
        Ok(Checked { games, positions: found.positions, keys: found.keys, notes })
    }

    fn named_result(&self, result: Result<(), Finding>) -> Result<(), Error> {
        result.map_err(|finding| self.named(finding))
    }

    /// A finding with the names of its moves: `#3` in it is the move at the fourth place of the list.
    fn named(&self, finding: Finding) -> Error {
        let mut board = self.board.clone();
        let mut names = Vec::new();
        for &which in &finding.path {
            let Some(&m) = legal_moves(&board).get(which) else { break };
            names.push(m.to_string());
            board = board.play(m);
        }
        let moves = legal_moves(&board);
        let mut detail = String::new();
        for (at, piece) in finding.detail.split('#').enumerate() {
            let digits = piece.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(piece.len());
            match piece[..digits].parse::<usize>().ok().and_then(|which| moves.get(which)) {
                Some(m) if at > 0 => detail += &format!("'{m}'{}", &piece[digits..]),
                _ if at > 0 => detail += &format!("#{piece}"),
                _ => detail += piece,
            }
        }
        Error::Broken(Breach { law: finding.law, detail, position: board.to_string(), moves: names })
    }

    /// What is written can be read again and means the same, and moves can be told apart.
    fn texts(&self, walks: &[Walk<G>]) -> Result<(), Finding> {
        let law = "a position that is written can be read again";
        let looks = |board: &G| (board.turn(), board.outcome(), board.evaluate(), legal_moves(board).len());
        for walk in walks.iter().take(20) {
            for (at, board) in walk.line.iter().enumerate() {
                let broken =
                    |law: &str, detail| Err(Finding { law: law.to_owned(), detail, path: walk.path[..at].to_vec() });
                let text = board.to_string();
                match G::parse(&text) {
                    // Some texts are refused on purpose once the game is over.
                    Err(_) if walk.ended && at + 1 == walk.line.len() => {}
                    Err(why) => return broken(law, why),
                    Ok(read) if read.key() == board.key() => {}
                    Ok(read) if read.to_string() == text && looks(&read) == looks(board) => {
                        let detail = "read again it has another key; the key, or a field that derive(Hash) takes in, holds \
                                      something that the text does not, such as a counter of moves";
                        return broken("positions that are written alike have equal keys", detail.into());
                    }
                    Ok(read) if read.to_string() == text => {
                        let detail = "read again it has another side to move, other moves or another outcome, so the text \
                                      leaves something out";
                        return broken(law, detail.into());
                    }
                    Ok(read) => return broken(law, format!("it is read as '{read}'")),
                }
                let mut names: Vec<String> = legal_moves(board).iter().map(G::Move::to_string).collect();
                names.sort();
                if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
                    return broken(
                        "moves that differ are written differently",
                        format!("two are written '{}'", pair[0]),
                    );
                }
            }
        }
        Ok(())
    }

    /// A game whose positions never recur has an end.
    fn ends(&self, walks: &[Walk<G>], seed: u64) -> Result<(), Finding> {
        if walks.iter().any(|walk| walk.ended || walk.line.iter().any(|board| board.halfmove_clock().is_some())) {
            return Ok(());
        }
        let walk = walk(&self.board, seed, ENDLESS);
        if walk.ended {
            return Ok(());
        }
        let (few, law) =
            (walk.path[..walk.path.len().min(40)].to_vec(), "a game in which nothing recurs comes to an end");
        let detail = format!(
            "no random game had an outcome, or no moves left, within {ENDLESS} moves; `outcome` does not see the end, or `moves` \
             lists what cannot be played any more"
        );
        Err(Finding { law: law.into(), detail, path: few })
    }

    /// What breaks no law and is worth knowing.
    fn notes(&self, walks: &[Walk<G>]) -> Result<Vec<String>, Error> {
        let mut notes = Vec::new();
        let lists_more = |board: &G| {
            let mut moves = emtee::Moves::new();
            board.outcome().is_some() && {
                board.moves(&mut moves);
                !moves.is_empty()
            }
        };
        if let Some(walk) = walks.iter().find(|walk| walk.line.last().is_some_and(lists_more)) {
            let text = walk.line.last().map(G::to_string).unwrap_or_default();
            notes.push(format!(
                "`moves` lists moves after the end, as in '{text}'; nobody plays them, since `outcome` decides"
            ));
        }
        notes.extend(signs::note(walks));
        let turns = || walks.iter().flat_map(|walk| &walk.line[..walk.line.len() - 1]).map(G::turn);
        if turns().count() > 2 * walks.len() && turns().all(|turn| turn == self.board.turn()) {
            notes.push("the same side moves all the time: look whether `play` changes the turn".into());
        }
        let stuck = || walks.iter().filter(|walk| walk.ended).filter_map(|walk| walk.line.last());
        let stuck = || stuck().filter(|board| board.outcome().is_none());
        if let Some(board) = stuck().next()
            && stuck().all(|board| board.stuck() == Outcome::Drawn)
        {
            notes.push(format!(
                "games end because there are no moves, as in '{board}': that is a draw, unless `outcome` or `stuck` says \
                 otherwise"
            ));
        }
        if walks.iter().all(|walk| walk.line.iter().all(|board| board.evaluate() == 0)) {
            notes.push("`evaluate` is 0 everywhere: the search sees wins and points, and nothing before them".into());
        }
        let mut search = player(OwnEvaluation).build::<G>()?;
        let mut budget = Budget::UNLIMITED;
        budget.time = Some(TRIED);
        let tried = search.think(&self.board, budget)?;
        if tried.depth < SHALLOW && !tried.complete {
            let speed = tried.counts.nodes() as f64 / tried.time.as_secs_f64().max(1e-9) / 1e3;
            let build = if cfg!(debug_assertions) { "; build with --release" } else { "" };
            notes.push(format!(
                "a search of {} ms gets {} plies deep, at {speed:.0} thousand nodes a second: `moves`, `play` or `evaluate` is \
                 slow{build}",
                TRIED.as_millis(),
                tried.depth
            ));
        }
        Ok(notes)
    }
}
