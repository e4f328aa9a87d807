//! UCI, the Universal Chess Interface. Other games use their own position texts: `position fen TEXT moves …`.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use emtee::{MAX_DEPTH, Side, Value};

use super::engine_thread::EngineThread;
use super::lines::one_line;
use super::uci_options::Options;
use super::{ProtocolHandler, Setup};
use crate::error::Error;
use crate::event::{Event, Unfinished};
use crate::kit::WinChances;
use crate::position::Position;
use crate::registry::Entry;
use crate::row::{Row, TopMove};
use crate::session::Clock;

pub(super) struct Uci<'g> {
    game: &'g dyn Entry,
    /// `None` after a position that was refused.
    position: Option<Arc<dyn Position>>,
    options: Options<'g>,
}

impl<'g> Uci<'g> {
    pub(super) fn new(game: &'g dyn Entry, setup: &Setup) -> Uci<'g> {
        let options = Options::new(game, setup);
        Uci { game, position: Some(game.start().into()), options }
    }
}

impl ProtocolHandler for Uci<'_> {
    fn handle_line(&mut self, line: &str, thread: &mut EngineThread<'_, '_>) -> ControlFlow<()> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let done = match command {
            "uci" => {
                let name = format!("id name emtee {}\nid author the emtee developers", env!("CARGO_PKG_VERSION"));
                thread.write_lines(&format!("{name}\n{}uciok", self.options.list(thread)));
                Ok(())
            }
            // Slow preparations are done when an option is set, so the engine is always ready.
            "isready" => {
                thread.write_lines("readyok");
                Ok(())
            }
            "setoption" => self.set_option(rest, thread),
            "ucinewgame" => thread.new_game().map_err(|error| error.to_string()),
            "position" => {
                // If the new position is refused, the old one is not valid either.
                self.position = None;
                self.read_position(rest).map(|position| self.position = Some(position))
            }
            "go" => self.go(rest, thread),
            "stop" => {
                thread.stop();
                Ok(())
            }
            "ponderhit" => {
                thread.ponder_hit();
                Ok(())
            }
            "quit" => return ControlFlow::Break(()),
            // The first command of CECP, the other chess protocol. Without an answer, its programs wait forever.
            "xboard" => {
                thread.write_lines(
                    "tellusererror emtee speaks UCI, not CECP: add it as a UCI engine, in XBoard with -fUCI",
                );
                Ok(())
            }
            // Unknown commands are ignored, as the protocol requires.
            _ => Ok(()),
        };
        if let Err(why) = done {
            self.report_error(&why, thread);
        }
        ControlFlow::Continue(())
    }

    fn report_error(&mut self, why: &str, thread: &mut EngineThread<'_, '_>) {
        thread.write_lines(&format!("info string {}", one_line(why)));
    }
}

impl Uci<'_> {
    /// `name Move Overhead value 20`
    fn set_option(&mut self, rest: &str, thread: &mut EngineThread<'_, '_>) -> Result<(), String> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let Some((&"name", words)) = words.split_first() else {
            return Err(String::from("set an option with: setoption name NAME value VALUE"));
        };
        let value_at = words.iter().position(|word| *word == "value").unwrap_or(words.len());
        let (name, value) = words.split_at(value_at);
        self.options.set(&name.join(" "), &value.get(1..).unwrap_or_default().join(" "), thread)
    }

    /// `startpos moves e2e4`, `fen … moves …`
    fn read_position(&self, rest: &str) -> Result<Arc<dyn Position>, String> {
        let mut words = rest.split_whitespace();
        let position = match words.next() {
            Some("startpos") => self.game.start(),
            Some("fen") => {
                let text: Vec<&str> = words.by_ref().take_while(|word| *word != "moves").collect();
                self.game.position(&text.join(" ")).map_err(|error| error.to_string())?
            }
            _ => return Err(String::from("position needs startpos, or fen and a position")),
        };
        let moves: Vec<&str> = words.skip_while(|word| *word == "moves").collect();
        position.after_all(&moves).map(Arc::from).map_err(|error| error.to_string())
    }

    fn go(&mut self, rest: &str, thread: &mut EngineThread<'_, '_>) -> Result<(), String> {
        let Some(position) = self.position.clone() else {
            thread.stop_and_wait();
            self.report_error("the last position was refused, so there is nothing to search", thread);
            thread.write_lines(&answer(None, None));
            return Ok(());
        };
        let mut clock = read_clock(rest, position.turn());
        (clock.lines, clock.root_moves) = (self.options.lines, true);
        let named = clock.moves.len();
        clock.moves.retain(|m| position.after(m).is_ok());
        if clock.moves.len() < named {
            self.report_error("illegal moves in searchmoves are ignored", thread);
        }
        let (output, lines) = (thread.output(), clock.lines.max(1));
        let chances = self.options.win_chances();
        let first = position.moves().first().cloned();
        let fallback = answer(first.as_deref(), None);
        let started = thread.start(
            fallback.clone(),
            Box::new(move |engine, control| {
                let mut shown = |event: &Event<'_>| {
                    let text = match event {
                        Event::Pass(unfinished) => unfinished_info(unfinished, chances),
                        Event::RootMove { depth, m, number } => {
                            format!("info depth {depth} currmove {m} currmovenumber {number}")
                        }
                        _ => match event.row() {
                            Some(row) => info(row, lines, chances),
                            None => return,
                        },
                    };
                    if !output.write_lines(&text) {
                        control.stop();
                    }
                };
                output.write_lines(&match engine.think(&*position, &clock, control, &mut shown) {
                    Ok(choice) => answer(choice.best_move.as_deref(), choice.ponder.as_deref()),
                    Err(error) => format!("info string {}\n{fallback}", one_line(&error.to_string())),
                });
            }),
        );
        started.map_err(|error: Error| error.to_string())
    }
}

/// Parses the arguments of `go`.
fn read_clock(rest: &str, turn: Side) -> Clock {
    let mut clock = Clock::default();
    let mut words = rest.split_whitespace().peekable();
    let mut limited = false;
    while let Some(word) = words.next() {
        match word {
            "infinite" => clock.infinite = true,
            "ponder" => clock.ponder = true,
            "searchmoves" => {
                while let Some(m) = words.next_if(|word| !KEYWORDS.contains(word)) {
                    clock.moves.push(m.to_owned());
                }
            }
            _ if KEYWORDS.contains(&word) => {
                // Invalid numbers are clamped: the time on a clock may be negative.
                let Some(number) = words.next_if(|next| next.parse::<i128>().is_ok()) else { continue };
                let number = number.parse::<i128>().unwrap_or_default().clamp(0, i128::from(u32::MAX) * 1000) as u64;
                let time = Duration::from_millis(number);
                let ours = |first: bool| first == (turn == Side::First);
                match word {
                    "wtime" if ours(true) => clock.left = Some(time),
                    "btime" if ours(false) => clock.left = Some(time),
                    "winc" if ours(true) => clock.increment = time,
                    "binc" if ours(false) => clock.increment = time,
                    "movestogo" => clock.moves_to_go = Some(u32::try_from(number).unwrap_or(u32::MAX)),
                    "depth" => clock.depth = Some(number.clamp(1, u64::from(MAX_DEPTH)) as u8),
                    "nodes" => clock.nodes = Some(number.max(1)),
                    "mate" => clock.mate = Some(u32::try_from(number).unwrap_or(u32::MAX)),
                    "movetime" => clock.move_time = Some(time),
                    _ => continue,
                }
                limited |= !matches!(word, "movestogo" | "winc" | "binc");
            }
            _ => {}
        }
    }
    clock.infinite |= !limited && !clock.ponder;
    clock
}

const KEYWORDS: [&str; 12] = [
    "infinite",
    "ponder",
    "searchmoves",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
];

fn answer(best: Option<&str>, ponder: Option<&str>) -> String {
    match (best, ponder) {
        (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
        (Some(best), None) => format!("bestmove {best}"),
        (None, _) => String::from("bestmove (none)"),
    }
}

/// A row as `info` lines: one, or one for each of the best moves.
fn info(row: &Row, lines: usize, chances: Option<WinChances>) -> String {
    let single =
        [TopMove { value: row.value, lower: row.lower, upper: row.upper, pv: row.pv.clone(), ..TopMove::default() }];
    let top = match &row.top {
        Some(top) => &top[..top.len().min(lines)],
        None => &single,
    };
    let Row { depth, deepest, counts, seconds, table_used, .. } = *row;
    let totals = Totals { depth, deepest, nodes: counts.nodes(), seconds, table_used };
    let lines: Vec<String> = (1..).zip(top).map(|(number, line)| totals.info(number, line, chances)).collect();
    lines.join("\n")
}

/// A bound on the value of an unfinished iteration.
fn unfinished_info(unfinished: &Unfinished, chances: Option<WinChances>) -> String {
    let Unfinished { depth, deepest, lower, upper, counts, seconds, table_used, ref pv, .. } = *unfinished;
    let line = TopMove { lower, upper, pv: pv.clone(), ..TopMove::default() };
    Totals { depth, deepest, nodes: counts.nodes(), seconds, table_used }.info(1, &line, chances)
}

/// What all `info` lines of an event have in common.
struct Totals {
    depth: u8,
    deepest: u8,
    nodes: u64,
    seconds: f64,
    table_used: Option<u32>,
}

impl Totals {
    fn info(&self, number: usize, line: &TopMove, chances: Option<WinChances>) -> String {
        let Totals { depth, deepest, nodes, seconds, table_used } = *self;
        let deepest = deepest.max(depth);
        let mut text = format!("info depth {depth} seldepth {deepest} multipv {number} score {}", score(line));
        // Writing to a string cannot fail.
        if let Some(chances) = chances {
            // A game that has ended in a draw is a certain draw, unlike a value of 0 in play.
            let over = depth == 0 && !displayed(line).0.is_proven();
            let [win, draw, loss] = if over { [0, 1_000, 0] } else { chances.of(displayed(line).0) };
            let _ = write!(text, " wdl {win} {draw} {loss}");
        }
        let _ = write!(text, " nodes {nodes} nps {}", (nodes as f64 / seconds.max(1e-3)) as u64);
        if let Some(used) = table_used {
            let _ = write!(text, " hashfull {used}");
        }
        let _ = write!(text, " time {}", (seconds * 1e3) as u64);
        if !line.pv.is_empty() {
            let _ = write!(text, " pv {}", line.pv.join(" "));
        }
        text
    }
}

/// The value to show, or a bound on it.
fn displayed(line: &TopMove) -> (Value, &'static str) {
    let known = |value: i32| value.abs() < Value::INFINITY.get();
    let (value, bound) = match line.value {
        Some(value) => (value, ""),
        None if known(line.lower) => (line.lower, " lowerbound"),
        None if known(line.upper) => (line.upper, " upperbound"),
        None => (0, ""),
    };
    (Value::from_integer(value).unwrap_or_default(), bound)
}

fn score(line: &TopMove) -> String {
    let (value, bound) = displayed(line);
    match (value.wins_in(), value.loses_in()) {
        (_, Some(0)) => String::from("mate 0"),
        (Some(plies), _) => format!("mate {}{bound}", plies.div_ceil(2)),
        (_, Some(plies)) => format!("mate -{}{bound}", plies.div_ceil(2)),
        _ => format!("cp {}{bound}", value.get()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_read_for_the_side_to_move() {
        let text = "wtime 1000 btime 2000 winc 10 binc 20 movestogo 5";
        let white = read_clock(text, Side::First);
        let ms = Duration::from_millis;
        assert_eq!((white.left, white.increment, white.moves_to_go), (Some(ms(1000)), ms(10), Some(5)));
        let black = read_clock(text, Side::Second);
        assert_eq!((black.left, black.increment), (Some(ms(2000)), ms(20)));
        assert!(!black.infinite);
    }

    #[test]
    fn all_arguments_of_go_are_accepted() {
        assert!(read_clock("", Side::First).infinite);
        assert!(read_clock("infinite", Side::First).infinite);
        assert!(!read_clock("ponder", Side::First).infinite);
        assert!(read_clock("depth", Side::First).infinite);
        assert_eq!(read_clock("depth 0", Side::First).depth, Some(1));
        assert_eq!(read_clock("depth 9999", Side::First).depth, Some(MAX_DEPTH));
        assert_eq!(read_clock("wtime -50", Side::First).left, Some(Duration::ZERO));
        assert!(read_clock("wtime 99999999999999999999999 movestogo -1", Side::First).left.is_some());
        let clock = read_clock("searchmoves e2e4 d2d4 nodes 5 mate 2", Side::First);
        assert_eq!((clock.moves.len(), clock.nodes, clock.mate), (2, Some(5), Some(2)));
    }

    #[test]
    fn scores_are_centipawns_or_moves_to_mate() {
        let exact = |value: Value| score(&TopMove { value: Some(value.get()), ..TopMove::default() });
        assert_eq!(exact(Value::win_in(1)), "mate 1");
        assert_eq!(exact(Value::win_in(3)), "mate 2");
        assert_eq!(exact(Value::loss_in(2)), "mate -1");
        assert_eq!(exact(Value::loss_in(0)), "mate 0");
        assert_eq!(exact(Value::default()), "cp 0");
        let bound = |lower: Value, upper: Value| {
            score(&TopMove { lower: lower.get(), upper: upper.get(), ..TopMove::default() })
        };
        assert_eq!(bound(Value::default() + 7, Value::INFINITY), "cp 7 lowerbound");
        assert_eq!(bound(Value::NEG_INFINITY, Value::default() - 7), "cp -7 upperbound");
    }
}
