//! Players as text: `mtd-f,hash=64MB,level=4` or `cmd:gnuchess --uci,option.Threads=1`.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use emtee::{Algorithm, Level, MAX_DEPTH, Selective, Size};

use super::built_in::BuiltIn;
use super::external::External;
use super::{Player, PlayerError};
use crate::baseline::Baseline;
use crate::duration::read_duration;
use crate::names::nearest;
use crate::protocol::Protocol;
use crate::registry::Entry;
use crate::session::Play;

/// The description of a player.
///
/// The text begins with one of our algorithms, or with a protocol and a command. Settings follow, separated by commas.
/// A comma inside a command is written twice.
///
/// ```
/// use emtee_engine::arena::PlayerSpec;
/// let ours: PlayerSpec = "mtd-f,hash=16MB,depth=9".parse()?;
/// assert_eq!((ours.name.as_str(), ours.depth), ("mtd-f,hash=16MB,depth=9", Some(9)));
/// let other: PlayerSpec = "uci:glaurung,option.Threads=1,name=Glaurung".parse()?;
/// assert_eq!(other.name, "Glaurung");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlayerSpec {
    /// Its name.
    pub name: String,
    /// The text of the description.
    pub text: String,
    /// The kind of player.
    pub kind: PlayerKind,
    /// Its own time per move. A player with its own limits ignores those of the match.
    pub move_time: Option<Duration>,
    /// Its own depth.
    pub depth: Option<u8>,
    /// Its own number of nodes.
    pub nodes: Option<u64>,
    /// Its own margin for late answers, instead of that of the match.
    pub margin: Option<Duration>,
    /// The file of an endings database for a built-in player. The caller reads it into [`Play::endings`].
    pub endings: Option<String>,
    /// The opening book of a built-in player: a file, `own` or `none`. The caller reads it into [`Play::book`].
    pub book: Option<String>,
}

/// The kind of player.
#[derive(Clone, Debug)]
pub enum PlayerKind {
    /// A built-in engine.
    BuiltIn(Box<Play>),
    /// Another program.
    Program {
        /// Its protocol. `None`: the usual one for the game.
        protocol: Option<Protocol>,
        /// The program and its arguments.
        words: Vec<String>,
        /// The options to set.
        options: Vec<(String, String)>,
    },
}

/// The communication overhead within one process.
const OVERHEAD: Duration = Duration::from_millis(1);

impl FromStr for PlayerSpec {
    type Err = String;
    fn from_str(text: &str) -> Result<PlayerSpec, String> {
        let parts = split_commas(text);
        let (head, settings) = parts.split_first().ok_or("a player is missing")?;
        let kind = match head.split_once(':') {
            Some((prefix, command)) if prefix == "cmd" || protocol(prefix).is_some() => PlayerKind::Program {
                protocol: protocol(prefix),
                words: split_words(command).map_err(|why| format!("'{head}': {why}"))?,
                options: Vec::new(),
            },
            _ => PlayerKind::BuiltIn(Box::new(Play {
                overhead: OVERHEAD,
                ..Play::by(match baseline(head) {
                    Ok(Some(_)) => Algorithm::BASELINE,
                    _ => algorithm(head)?,
                })
            })),
        };
        let name = text.trim().to_owned();
        let mut spec = PlayerSpec {
            text: name.clone(),
            name,
            kind,
            move_time: None,
            depth: None,
            nodes: None,
            margin: None,
            endings: None,
            book: None,
        };
        for setting in settings {
            let (key, value) = setting
                .split_once('=')
                .ok_or_else(|| format!("'{setting}' in '{text}' is not a setting: write it like hash=64MB"))?;
            spec.set(key.trim(), value.trim()).map_err(|why| format!("'{setting}' in '{text}': {why}"))?;
        }
        Ok(spec)
    }
}

const FOR_ALL: [&str; 5] = ["name", "time", "depth", "nodes", "margin"];
const FOR_BUILT_IN: [&str; 10] =
    ["hash", "selective", "level", "seed", "overhead", "threads", "evaluator", "endings", "chances", "book"];

impl PlayerSpec {
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "name" if value.is_empty() => return Err(String::from("a name needs at least one letter")),
            "name" => value.clone_into(&mut self.name),
            "time" => self.move_time = Some(read_duration(value)?),
            "depth" => self.depth = Some(whole(value, 1, u64::from(MAX_DEPTH))? as u8),
            "nodes" => self.nodes = Some(whole(value, 1, u64::MAX)?),
            "margin" => self.margin = Some(read_duration(value)?),
            _ => return self.set_kind(key, value),
        }
        Ok(())
    }

    fn set_kind(&mut self, key: &str, value: &str) -> Result<(), String> {
        match (&mut self.kind, key) {
            (PlayerKind::BuiltIn(play), "hash") => {
                play.options.size = Some(value.parse::<Size>().map_err(|error| error.to_string())?);
            }
            (PlayerKind::BuiltIn(play), "selective") => match value {
                "yes" if play.options.algorithm == Algorithm::Mcts => {
                    return Err(String::from("mcts has no selective search"));
                }
                "yes" => play.selective = true,
                "no" => play.selective = false,
                // Commas separate settings, so techniques are joined by plus signs.
                switches => {
                    let switches: Selective = switches.replace('+', ",").parse().map_err(|_| bad_switches())?;
                    (play.selective, play.switches) = (true, Some(switches));
                }
            },
            (PlayerKind::BuiltIn(play), "level") => {
                play.level = Some(value.parse::<Level>().map_err(|error| error.to_string())?);
            }
            (PlayerKind::BuiltIn(play), "seed") => play.seed = whole(value, 0, u64::MAX)?,
            (PlayerKind::BuiltIn(play), "evaluator") => play.evaluator = Some(value.to_owned()),
            (PlayerKind::BuiltIn(_), "endings") => self.endings = Some(value.to_owned()),
            (PlayerKind::BuiltIn(play), "chances") => {
                play.chances = match value {
                    "yes" => true,
                    "no" => false,
                    _ => return Err(String::from("choose yes or no")),
                }
            }
            (PlayerKind::BuiltIn(_), "book") => self.book = Some(value.to_owned()),
            (PlayerKind::BuiltIn(play), "overhead") => play.overhead = read_duration(value)?,
            (PlayerKind::BuiltIn(play), "threads") => play.options.threads = whole(value, 1, 1 << 10)? as usize,
            (PlayerKind::Program { options, .. }, _) if key.starts_with("option.") => {
                options.push((key["option.".len()..].to_owned(), value.to_owned()));
            }
            (PlayerKind::Program { .. }, _) if FOR_BUILT_IN.contains(&key) => {
                return Err(format!(
                    "only built-in players have '{key}'; options of a program are written option.NAME=VALUE"
                ));
            }
            (kind, _) => {
                let ours = matches!(kind, PlayerKind::BuiltIn(_));
                let known = FOR_ALL.into_iter().chain(if ours { FOR_BUILT_IN.to_vec() } else { vec!["option.NAME"] });
                let nearest = nearest(key, known).unwrap_or_default();
                return Err(format!("there is no setting '{key}'; did you mean '{nearest}'?"));
            }
        }
        Ok(())
    }

    /// Whether it has its own limits, instead of those of the match.
    pub fn has_own_limits(&self) -> bool {
        let level = matches!(&self.kind, PlayerKind::BuiltIn(play) if play.level.is_some());
        self.move_time.is_some() || self.depth.is_some() || self.nodes.is_some() || level
    }

    /// Makes the player. A program is not started before its first game.
    pub fn player(&self, game: &dyn Entry, stop: &Arc<AtomicBool>) -> Result<Box<dyn Player>, PlayerError> {
        match &self.kind {
            PlayerKind::BuiltIn(play) => {
                let mut play = play.clone();
                // Aspiration NegaScout without a window uses the game's own one.
                let parts = split_commas(&self.text);
                let head = parts.first().map_or("", String::as_str);
                if let Some(kind) = baseline(head)? {
                    let settings = game.baseline(kind);
                    (play.options.algorithm, play.options.guess) = (settings.algorithm, settings.guess);
                } else if play.options.algorithm == Algorithm::BASELINE && !head.contains(':') {
                    play.options.algorithm = game.baseline(Baseline::Tuned).algorithm;
                }
                Ok(Box::new(BuiltIn::new(game, &play, stop.clone())?))
            }
            PlayerKind::Program { protocol, words, options } => {
                let (name, known) = (game.name(), game.conventions().protocols);
                let Some(&usual) = known.first() else {
                    let why = format!("there is no protocol for {name} that other programs speak");
                    return Err(PlayerError::CannotStart(why));
                };
                let protocol = protocol.unwrap_or(usual);
                if !known.contains(&protocol) {
                    let titles: Vec<&str> = known.iter().map(|known| known.title()).collect();
                    let (wrong, right) = (protocol.title(), titles.join(" or "));
                    return Err(PlayerError::CannotStart(format!("programs for {name} speak {right}, not {wrong}")));
                }
                Ok(Box::new(External::new(protocol, words.clone(), options.clone(), stop.clone())))
            }
        }
    }
}

fn protocol(prefix: &str) -> Option<Protocol> {
    Protocol::ALL.into_iter().find(|protocol| protocol.to_string() == prefix)
}

/// The baseline that a player's name selects, like `aspiration-negascout:practice`.
fn baseline(text: &str) -> Result<Option<Baseline>, PlayerError> {
    Baseline::of_algorithm(text).map_err(|error| PlayerError::CannotStart(error.to_string()))
}

fn algorithm(text: &str) -> Result<Algorithm, String> {
    text.trim().parse().map_err(|error: emtee::Error| format!("{error} Or name a program, like 'cmd:gnuchess --uci'"))
}

fn bad_switches() -> String {
    let names: Vec<&str> = Selective::names().collect();
    format!(
        "choose yes, no, all, or techniques joined by plus signs, like null-move+late-move-reductions: {}",
        names.join(", ")
    )
}

fn whole(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|n| (least..=most).contains(n));
    number.ok_or_else(|| format!("choose a whole number from {least} to {most}"))
}

/// Splits at commas. A double comma stands for a comma.
fn split_commas(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == ',' && letters.next_if_eq(&',').is_none() {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    parts.into_iter().map(|part| part.trim().to_owned()).collect()
}

/// Splits a command into words like a shell.
fn split_words(command: &str) -> Result<Vec<String>, String> {
    // On Windows a backslash is part of a path.
    let command = if cfg!(windows) { command.replace('\\', "\\\\") } else { command.to_owned() };
    match shlex::split(&command) {
        None => Err(String::from("a quotation mark is not closed")),
        Some(words) if words.is_empty() => Err(String::from("no program is named")),
        Some(words) => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<PlayerSpec, String> {
        text.parse()
    }

    #[test]
    fn programs_are_read() {
        let text = "cmd:/opt/my engine/x --a 'two words' b,,c,option.Threads=1,option.Clear Hash=,margin=1s,name=X";
        let spec = read(&text.replace("my engine", "\"my engine\"")).unwrap();
        let PlayerKind::Program { protocol: None, words, options } = &spec.kind else { panic!("{spec:?}") };
        assert_eq!(words, &["/opt/my engine/x", "--a", "two words", "b,c"]);
        assert_eq!(options, &[("Threads".into(), "1".into()), ("Clear Hash".into(), String::new())]);
        assert_eq!((spec.name.as_str(), spec.margin), ("X", Some(Duration::from_secs(1))));
        let gtp = read("gtp:gtp-rhino -l 2").unwrap();
        assert!(matches!(gtp.kind, PlayerKind::Program { protocol: Some(Protocol::Gtp), .. }));
    }

    #[test]
    fn built_in_players_are_read() {
        let spec = read("aspiration-negascout:25, hash=1MB, selective=no, level=4, seed=7, nodes=1000").unwrap();
        let PlayerKind::BuiltIn(play) = &spec.kind else { panic!("{spec:?}") };
        assert_eq!((play.options.algorithm.to_string().as_str(), play.selective), ("aspiration-negascout:25", false));
        assert_eq!((play.level, play.seed, spec.nodes), (Level::new(4).ok(), 7, Some(1_000)));
        let spec = read("mtd-f,selective=all+-delta-pruning").unwrap();
        let PlayerKind::BuiltIn(play) = &spec.kind else { panic!("{spec:?}") };
        assert!(play.selective && play.switches.is_some_and(|by| by.null_move && !by.delta_pruning));
    }

    #[test]
    fn mistakes_get_one_line_errors() {
        for (text, why) in [
            ("", "there is no algorithm ''"),
            ("mtd-q", "there is no algorithm 'mtd-q'"),
            ("mtd-f,chances=some", "'chances=some' in 'mtd-f,chances=some': choose yes or no"),
            ("mtd-f,hash", "'hash' in 'mtd-f,hash' is not a setting: write it like hash=64MB"),
            ("mtd-f,hsh=1MB", "'hsh=1MB' in 'mtd-f,hsh=1MB': there is no setting 'hsh'; did you mean 'hash'?"),
            ("mtd-f,depth=0", "'depth=0' in 'mtd-f,depth=0': choose a whole number from 1 to 250"),
            ("mtd-f,level=11", "'level=11' in 'mtd-f,level=11': '11' is not a level; choose a number from 1 to 10"),
            (
                "mtd-f,selective=perhaps",
                "'selective=perhaps' in 'mtd-f,selective=perhaps': choose yes, no, all, or techniques",
            ),
            ("mtd-f,time=soon", "'time=soon' in 'mtd-f,time=soon': write a time like 5s, 200ms or 2m"),
            ("cmd:", "'cmd:': no program is named"),
            ("cmd:a 'b", "'cmd:a 'b': a quotation mark is not closed"),
            (
                "cmd:x,hash=1MB",
                "'hash=1MB' in 'cmd:x,hash=1MB': only built-in players have 'hash'; options of a program are written option.NAME=VALUE",
            ),
            ("cmd:x,foo=1", "'foo=1' in 'cmd:x,foo=1': there is no setting 'foo'; did you mean 'name'?"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(why), "{text}: {error}");
        }
    }

    #[test]
    fn a_protocol_is_for_its_game() {
        let registry = crate::Registry::standard();
        let make = |text: &str, game: &str| {
            let made = read(text).unwrap().player(registry.get(game).unwrap(), &Arc::default());
            made.err().map(|error| error.to_string())
        };
        assert_eq!(make("cmd:x", "chess"), None);
        assert_eq!(make("hub:x", "chess").as_deref(), Some("programs for chess speak UCI, not Hub"));
        let none = "there is no protocol for kalah that other programs speak";
        for text in ["cmd:x", "uci:x"] {
            assert_eq!(make(text, "kalah").as_deref(), Some(none));
        }
    }
}
