//! Hub, version 2, the protocol of draughts programs: `command key=value key="several words"`.
//!
//! English draughts uses its standard numbering: squares 1 to 32, with Black on 1 to 12. Black moves first.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use emtee::{Algorithm, MAX_DEPTH, MAX_THREADS, Size, Value};

use super::book_option::BookOption;
use super::engine_thread::EngineThread;
use super::lines::one_line;
use super::{ProtocolHandler, Setup};
use crate::event::Event;
use crate::position::Position;
use crate::registry::Entry;
use crate::row::Row;
use crate::session::Clock;

/// The value of a man in the evaluation.
const MAN_VALUE: f64 = 100.0;

pub(super) struct Hub<'g> {
    game: &'g dyn Entry,
    /// `None` after a position that was refused.
    position: Option<Arc<dyn Position>>,
    clock: Clock,
    max_hash: usize,
    book: BookOption<'g>,
}

impl<'g> Hub<'g> {
    pub(super) fn new(game: &'g dyn Entry, setup: &Setup) -> Hub<'g> {
        // The default, if no level is set.
        let (position, book) = (Some(game.start().into()), BookOption::new(game, setup));
        Hub { game, position, clock: Clock::ms(1000), max_hash: setup.max_hash, book }
    }
}

impl ProtocolHandler for Hub<'_> {
    fn handle_line(&mut self, line: &str, thread: &mut EngineThread<'_, '_>) -> ControlFlow<()> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let arguments = Arguments::read(rest);
        let done = match command {
            "hub" => {
                thread.write_lines(&self.id_and_params(thread));
                Ok(())
            }
            "set-param" => self.set_parameter(&arguments, thread),
            "init" => {
                thread.write_lines("ready");
                Ok(())
            }
            "new-game" => thread.new_game().map_err(|error| error.to_string()),
            "pos" => {
                // If the new position is refused, the old one is not valid either.
                self.position = None;
                self.read_position(&arguments).map(|position| self.position = Some(position))
            }
            "level" => read_level(&arguments).map(|clock| self.clock = clock),
            "go" => self.go(&arguments, thread),
            "stop" => {
                thread.stop();
                Ok(())
            }
            "ponder-hit" => {
                thread.ponder_hit();
                Ok(())
            }
            "ping" => {
                thread.write_lines("pong");
                Ok(())
            }
            "quit" => return ControlFlow::Break(()),
            // Unknown commands are ignored, as the protocol requires.
            _ => Ok(()),
        };
        if let Err(why) = done {
            self.report_error(&why, thread);
        }
        ControlFlow::Continue(())
    }

    fn report_error(&mut self, why: &str, thread: &mut EngineThread<'_, '_>) {
        thread.write_lines(&format!("error message=\"{}\"", one_line(why).replace('"', "'")));
    }
}

impl Hub<'_> {
    fn id_and_params(&self, thread: &EngineThread<'_, '_>) -> String {
        let play = thread.play();
        let (hash, most) = (play.hash().bytes() >> 20, self.max_hash);
        [
            format!("id name=emtee version={} author=\"the emtee developers\"", env!("CARGO_PKG_VERSION")),
            String::from("param name=variant value=english type=enum values=\"english\""),
            format!("param name=hash value={} type=int min=1 max={most}", hash.max(1)),
            format!("param name=threads value={} type=int min=1 max={MAX_THREADS}", play.options.threads.max(1)),
            format!("param name=overhead value={} type=int min=0 max=5000", play.overhead.as_millis()),
            format!("param name=selective value={} type=bool", play.selective),
            format!("param name=book value={} type=bool", self.book.is_on()),
            String::from("param name=book-file value=\"\" type=string"),
            format!(
                "param name=algorithm value={} type=enum values=\"{}\"",
                play.options.algorithm,
                thread.algorithms().join(" ")
            ),
            String::from("wait"),
        ]
        .join("\n")
    }

    fn set_parameter(&mut self, arguments: &Arguments, thread: &mut EngineThread<'_, '_>) -> Result<(), String> {
        let name = arguments.get("name").ok_or("set-param needs a name and a value")?;
        let value = arguments.get("value").unwrap_or_default();
        let number = |least: usize, most: usize| {
            let bad = || format!("{name} is a number from {least} to {most}");
            value.parse::<usize>().ok().filter(|n| (least..=most).contains(n)).ok_or_else(bad)
        };
        let changed = match name {
            "variant" if value == "english" => Ok(()),
            "variant" => return Err(format!("there is no variant '{value}' here, only english")),
            "hash" => {
                let hash = Size::of_bytes(number(1, self.max_hash)? << 20);
                thread.change(|play| play.options.size = Some(hash))
            }
            "threads" => {
                let threads = number(1, MAX_THREADS)?;
                thread.change(|play| play.options.threads = threads)
            }
            "overhead" => {
                let overhead = Duration::from_millis(number(0, 5000)? as u64);
                thread.change(|play| play.overhead = overhead)
            }
            "selective" => {
                let selective = value.parse().map_err(|_| "selective is true or false")?;
                thread.change(|play| play.selective = selective)
            }
            "book" => return self.book.set(value.parse().map_err(|_| "book is true or false")?, thread),
            "book-file" => return self.book.set_file(value, thread),
            "algorithm" => {
                let algorithm: Algorithm = value.parse().map_err(|error: emtee::Error| error.to_string())?;
                thread.change(|play| play.options.algorithm = algorithm)
            }
            _ => return Err(format!("there is no parameter '{name}'")),
        };
        changed.map_err(|error| error.to_string())
    }

    fn read_position(&self, arguments: &Arguments) -> Result<Arc<dyn Position>, String> {
        let text = fen(arguments.get("pos").ok_or("pos needs a position: pos=…")?)?;
        let position = self.game.position(&text).map_err(|error| error.to_string())?;
        let moves: Vec<String> =
            arguments.get("moves").unwrap_or_default().split_whitespace().map(normalised).collect();
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        position.after_all(&moves).map(Arc::from).map_err(|error| error.to_string())
    }

    fn go(&mut self, arguments: &Arguments, thread: &mut EngineThread<'_, '_>) -> Result<(), String> {
        let mut clock = self.clock.clone();
        clock.ponder = arguments.has("ponder");
        if arguments.has("analyze") {
            clock.analysis = true;
            clock.infinite |= clock == Clock::ms(1000);
        }
        let Some(position) = self.position.clone() else {
            thread.stop_and_wait();
            thread.write_lines("error message=\"the last position was refused, so there is nothing to search\"\ndone");
            return Ok(());
        };
        let output = thread.output();
        let first = position.moves().first().map(|m| normalised(m));
        let fallback = answer(first.as_deref(), None);
        let started = thread.start(
            fallback.clone(),
            Box::new(move |engine, control| {
                let mut shown = |event: &Event<'_>| {
                    if let Some(row) = event.row().filter(|row| row.value.is_some())
                        && !output.write_lines(&info(row))
                    {
                        control.stop();
                    }
                };
                output.write_lines(&match engine.think(&*position, &clock, control, &mut shown) {
                    Ok(choice) => answer(choice.best_move.as_deref(), choice.ponder.as_deref()),
                    Err(error) => {
                        let why = one_line(&error.to_string()).replace('"', "'");
                        format!("error message=\"{why}\"\n{fallback}")
                    }
                });
            }),
        );
        started.map_err(|error| error.to_string())
    }
}

/// Translates the side to move and one character per square into a FEN.
fn fen(text: &str) -> Result<String, String> {
    let bad = || format!("a position is W or B and 32 characters of w, b, W, B and e, not '{text}'");
    let mut squares = text.chars();
    let turn = squares.next().filter(|side| matches!(side, 'W' | 'B')).ok_or_else(bad)?;
    let (mut white, mut black, mut count) = (Vec::new(), Vec::new(), 0);
    for (index, square) in squares.enumerate() {
        count += 1;
        match square {
            'w' => white.push((index + 1).to_string()),
            'W' => white.push(format!("K{}", index + 1)),
            'b' => black.push((index + 1).to_string()),
            'B' => black.push(format!("K{}", index + 1)),
            'e' => {}
            _ => return Err(bad()),
        }
    }
    if count != 32 {
        return Err(bad());
    }
    Ok(format!("{turn}:W{}:B{}", white.join(","), black.join(",")))
}

/// Captured squares come in any order. Ours is ascending.
fn normalised(m: &str) -> String {
    let parts: Vec<&str> = m.split('x').collect();
    let Ok(mut numbers) = parts.iter().map(|part| part.parse::<u8>()).collect::<Result<Vec<_>, _>>() else {
        return m.to_owned();
    };
    if let Some(captured) = numbers.get_mut(2..) {
        captured.sort_unstable();
    }
    numbers.iter().map(u8::to_string).collect::<Vec<_>>().join("x")
}

fn read_level(arguments: &Arguments) -> Result<Clock, String> {
    let seconds = |name: &str| {
        let read = |text: &str| {
            let bad = || format!("{name} is a number of seconds");
            let seconds = text.parse::<f64>().ok().filter(|seconds| !seconds.is_nan()).ok_or_else(bad)?;
            // The time on a clock may be negative.
            Ok::<_, String>(Duration::from_secs_f64(seconds.clamp(0.0, 1e9)))
        };
        arguments.get(name).map(read).transpose()
    };
    let number = |name: &str| {
        let read = |text: &str| text.parse::<u64>().map_err(|_| format!("{name} is a whole number"));
        arguments.get(name).map(read).transpose()
    };
    let increment = seconds("inc")?.unwrap_or_default();
    let clock = Clock {
        move_time: seconds("move-time")?,
        // The increment is added before the move.
        left: seconds("time")?.map(|left| left + increment),
        increment,
        moves_to_go: number("moves")?.map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
        depth: number("depth")?.map(|depth| depth.clamp(1, u64::from(MAX_DEPTH)) as u8),
        nodes: number("nodes")?.map(|nodes| nodes.max(1)),
        infinite: arguments.has("infinite"),
        ..Clock::default()
    };
    let limited = clock.move_time.is_some() || clock.left.is_some() || clock.depth.is_some() || clock.nodes.is_some();
    if !limited && !clock.infinite {
        return Err(String::from("level needs one of depth, nodes, move-time, time and infinite"));
    }
    Ok(clock)
}

fn info(row: &Row) -> String {
    let value = row.value.and_then(Value::from_integer).unwrap_or_default();
    let score = score(value);
    let mut text = format!("info depth={} score={score:.2} nodes={}", row.depth, row.counts.nodes());
    let speed = row.counts.nodes() as f64 / row.seconds.max(1e-3) / 1e6;
    // Writing to a string cannot fail.
    let _ = write!(text, " time={:.3} nps={speed:.3} pv=\"{}\"", row.seconds, row.pv.join(" "));
    text
}

/// A value in men. A proved win is 100 minus 0.01 per ply, so at least 90. A win according to a database or an
/// evaluation stays below that.
fn score(value: Value) -> f64 {
    if let Some(plies) = value.wins_in() {
        return 100.0 - f64::from(plies) / 100.0;
    }
    if let Some(plies) = value.loses_in() {
        return f64::from(plies) / 100.0 - 100.0;
    }
    let men = f64::from(value.get()) / MAN_VALUE;
    let (most, scale) = (f64::from(Value::MAX_SCORE) / MAN_VALUE, SCALED_MAX - LINEAR_MAX);
    let excess = (men.abs() - LINEAR_MAX).max(0.0) * scale / (most - LINEAR_MAX);
    men.signum() * (men.abs().min(LINEAR_MAX) + excess)
}

/// Scores up to this many men are exact. Larger ones are compressed, so that they stay below a proved win.
const LINEAR_MAX: f64 = 60.0;
const SCALED_MAX: f64 = 89.0;

fn answer(best: Option<&str>, ponder: Option<&str>) -> String {
    match (best, ponder) {
        (Some(best), Some(ponder)) => format!("done move={best} ponder={ponder}"),
        (Some(best), None) => format!("done move={best}"),
        // The game is over, so there is no move.
        (None, _) => String::from("error message=\"the game is over\"\ndone"),
    }
}

/// Parsed arguments: `key=value key="several words" flag`.
struct Arguments {
    pairs: Vec<(String, String)>,
}

impl Arguments {
    fn read(text: &str) -> Arguments {
        let mut pairs = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
            let (key, after) = rest.split_at(end);
            let after = after.trim_start();
            let (value, after) = match after.strip_prefix('=').map(str::trim_start) {
                None => ("", after),
                Some(quoted) if quoted.starts_with('"') => {
                    let inner = &quoted[1..];
                    inner.split_once('"').unwrap_or((inner, ""))
                }
                Some(plain) => plain.split_at(plain.find(char::is_whitespace).unwrap_or(plain.len())),
            };
            pairs.push((key.to_owned(), value.to_owned()));
            rest = after.trim_start();
        }
        Arguments { pairs }
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_have_values_or_not() {
        let read = Arguments::read(r#" pos=Wbe moves="11-15  22-17" infinite a = b open="x y"#);
        assert_eq!(read.get("pos"), Some("Wbe"));
        assert_eq!(read.get("moves"), Some("11-15  22-17"));
        assert_eq!(read.get("infinite"), Some(""));
        assert_eq!(read.get("a"), Some("b"));
        assert_eq!(read.get("open"), Some("x y"));
        assert!(!read.has("more"));
        for odd in ["=", "==", "= =", "\"", "=\"", "a=\"", "é=\"ü\"ö=", " = "] {
            Arguments::read(odd);
        }
    }

    #[test]
    fn positions_are_a_side_and_one_character_per_square() {
        assert_eq!(fen("BbeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeW").unwrap(), "B:WK32:B1");
        assert!(fen("").is_err() && fen("Bb").is_err() && fen(&"B".repeat(60)).is_err());
    }

    #[test]
    fn a_proved_win_has_the_highest_score() {
        let values = [0, 30, 5_000, 15_000, 20_000, 25_000, Value::MAX_SCORE].map(|value| Value::score(value).unwrap());
        let wins = [999, 40, 3].map(Value::win_in);
        let scores: Vec<f64> = values.into_iter().chain(wins).map(score).collect();
        assert!(scores.is_sorted_by(|a, b| a < b), "{scores:?}");
        assert_eq!((scores[1], scores[9]), (0.3, 99.97));
        for value in values.into_iter().chain(wins) {
            assert_eq!(score(-value), -score(value));
        }
    }

    #[test]
    fn captured_squares_may_come_in_any_order() {
        assert_eq!(normalised("26x26x23x14x22x15"), "26x26x14x15x22x23");
        assert_eq!(normalised("22x15"), "22x15");
        assert_eq!(normalised("11-15"), "11-15");
        assert_eq!(normalised("x"), "x");
    }

    #[test]
    fn a_level_is_one_of_several_limits() {
        let level = |text: &str| read_level(&Arguments::read(text));
        assert_eq!(level("move-time=0.1").unwrap(), Clock::ms(100));
        let clock = level("moves=9 time=2.5 inc=0.5").unwrap();
        assert_eq!((clock.left, clock.moves_to_go), (Some(Duration::from_secs(3)), Some(9)));
        assert!(level("infinite").unwrap().infinite);
        assert_eq!(level("time=-3").unwrap().left, Some(Duration::ZERO));
        for bad in ["", "moves=3", "depth=x", "time=NaN", "time=soon"] {
            assert!(level(bad).is_err(), "{bad}");
        }
    }
}
