//! A game between the user and an engine in a terminal.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use emtee::{Algorithm, Level, Side, Size};
use emtee_engine::{Clock, Control, EndReason, Engine, Entry, GameResult, Play, Position, Record, Row};
use serde_json::json;

use super::args::{PlayArgs, Sides};
use super::ctrl_c::CtrlC;
use super::input::{Input, Line};
use super::parse::{self, Command, Parsed};
use super::screen;
use crate::books;
use crate::commands::args::play_algorithm;
use crate::endings;
use crate::failure::Failure;
use crate::output::{FAINT, GOOD, HEADING, MARK, Output, POOR};

/// Nodes of a search for `hint` and `eval`; a node limit gives the same result on every machine.
const HINT_NODES: u64 = 300_000;

/// The same for MCTS, whose nodes are whole simulations.
const HINT_SIMULATIONS: u64 = 20_000;

/// The answer to moves after the end.
const OVER: &str = "the game is over; 'new' starts another, 'undo' takes a move back";

/// The engine accepts a draw if its own value is at most this.
const DRAW_VALUE: i32 = 0;

pub(super) struct TerminalGame<'t> {
    game: &'t dyn Entry,
    output: &'t mut Output,
    input: Input,
    ctrl_c: CtrlC,
    play: Play,
    /// The time per move, if no level limits the engine.
    time: Option<Duration>,
    engine: Box<dyn Engine>,
    /// The engine for `hint` and `eval`.
    adviser: Option<Box<dyn Engine>>,
    /// The start position of this game, if it is not that of the rules.
    position: Option<String>,
    /// The positions so far, the current one last.
    positions: Vec<Box<dyn Position>>,
    sides: Sides,
    names: [String; 2],
    flipped: bool,
    /// Time per game and increment per move.
    clock: Option<(Duration, Duration)>,
    /// The time left for each side.
    left: [Duration; 2],
    /// The last value of the engine, from the first side's view.
    value: Option<i32>,
    /// Whether the search result is shown after each move of the engine.
    show_info: bool,
    /// How the game ended, and why.
    result: Option<(GameResult, String)>,
}

impl<'t> TerminalGame<'t> {
    pub(super) fn new(
        game: &'t dyn Entry,
        args: &PlayArgs,
        output: &'t mut Output,
    ) -> Result<TerminalGame<'t>, Failure> {
        let seed = args
            .seed
            .unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64));
        let level = match (args.level, args.time) {
            (None, None) => Some(Level::new(5)?),
            (level, _) => level,
        };
        // The strength of a level must not depend on the files on this machine.
        let default = if level.is_some() { Some("none") } else { None };
        let endings = endings::load_for_play(game, args.endings.as_deref().or(default))?;
        let default = if level.is_none() && game.book().is_some() { "own" } else { "none" };
        let book = books::load(game, args.book.as_deref().unwrap_or(default))?;
        let mut play = Play { level, seed, endings, book, ..Play::by(play_algorithm(game, args.algorithm, None)) };
        play.options.size = args.hash.or(play.options.size);
        if let Some(threads) = args.threads {
            if level.is_some() {
                let why = "--threads needs --time: a level plays the same on every machine, with one thread";
                return Err(Failure::bad(why));
            }
            play.options.threads = threads;
        }
        let engine = game.engine(&play)?;
        let record = match &args.load {
            Some(file) => read_record(file, game)?,
            None => Record { position: args.position.clone(), ..Record::default() },
        };
        let start = game.start();
        let mut terminal_game = TerminalGame {
            names: screen::side_names(start.as_ref()),
            game,
            output,
            input: Input::new(),
            ctrl_c: CtrlC::new(game),
            play,
            time: args.time,
            engine,
            adviser: None,
            position: None,
            positions: vec![start],
            sides: args.side,
            flipped: false,
            clock: args.clock,
            left: [Duration::ZERO; 2],
            value: None,
            show_info: false,
            result: None,
        };
        terminal_game.set_up(record)?;
        Ok(terminal_game)
    }

    /// Sets up a recorded game.
    fn set_up(&mut self, record: Record) -> Result<(), Failure> {
        let start = match &record.position {
            Some(text) => self.game.position(text)?,
            None => self.game.start(),
        };
        let mut positions = vec![start];
        for m in &record.moves {
            let after = positions[positions.len() - 1].after(m)?;
            positions.push(after);
        }
        (self.positions, self.position) = (positions, record.position);
        (self.value, self.result) = (None, None);
        self.left = [self.clock.map_or(Duration::ZERO, |(base, _)| base); 2];
        let bottom = self.game.conventions().bottom;
        self.flipped = bottom.is_some_and(|bottom| self.sides.has(!bottom) && !self.sides.has(bottom));
        self.engine.new_game()?;
        Ok(())
    }

    /// The current position.
    fn current(&self) -> &dyn Position {
        self.positions[self.positions.len() - 1].as_ref()
    }

    /// Plays until the user quits.
    pub(super) fn run(mut self) -> Result<(), Failure> {
        let strength = self.strength();
        self.print(format!(
            "{HEADING}{}{HEADING:#}: the engine plays {strength}. Type 'help' for the commands.",
            self.game.name()
        ))?;
        self.show()?;
        let mut interrupted = false;
        loop {
            if self.result.is_none() {
                if let Some(ending) = self.current().ending() {
                    let result = GameResult::of(Some(ending));
                    self.end(result, ending.reason.to_string())?;
                } else if self.current().moves() == ["pass"] {
                    let name = self.names[self.current().turn().index()].clone();
                    self.print(format!("{name} must pass"))?;
                    let after = self.current().after("pass")?;
                    self.apply(after, "pass")?;
                    continue;
                } else if !self.sides.has(self.current().turn()) {
                    self.reply()?;
                    continue;
                }
            }
            if self.result.is_some() && self.sides.by_user == [false, false] && !self.input.is_terminal() {
                return Ok(());
            }
            let start = Instant::now();
            let line = match self.read_line()? {
                Line::Text(line) => line,
                Line::End => return self.print("bye"),
                Line::Interrupted if interrupted => return Err(self.ctrl_c.save_and_exit()),
                Line::Interrupted => {
                    interrupted = true;
                    self.print("press Ctrl-C again to save the game and quit")?;
                    continue;
                }
            };
            interrupted = false;
            match parse::parse(&line, self.current()) {
                Parsed::Empty => {}
                Parsed::Move(_) if self.result.is_some() => self.print_error(OVER)?,
                Parsed::Move(after) => {
                    if self.charge_clock(start.elapsed())? {
                        self.apply(after, "you")?;
                    }
                }
                Parsed::Command(Command::Quit, _) => return self.print("bye"),
                Parsed::Command(command, rest) => self.execute(command, &rest)?,
                Parsed::Unknown(_) if self.result.is_some() => self.print_error(OVER)?,
                Parsed::Unknown(why) => self.print_error(&why)?,
            }
        }
    }

    /// Reads the next line of the user.
    fn read_line(&mut self) -> Result<Line, Failure> {
        self.ctrl_c.waiting_for_input(&self.record(), self.game);
        let now = self.current();
        let mut completions: Vec<String> = if self.result.is_some() { Vec::new() } else { now.moves() };
        let written = completions.iter().map(|m| now.written(m)).filter(|m| !completions.contains(m));
        let written: Vec<String> = written.collect();
        completions.extend(written);
        completions.extend(parse::command_names().map(str::to_owned));
        let prompt = match &self.result {
            Some(_) => String::from("> "),
            None => format!("{}> ", self.names[now.turn().index()]),
        };
        self.input.line(&prompt, completions)
    }

    /// Subtracts the time of a move from the clock of the side to move. Returns false if the time is used up, which ends the
    /// game.
    fn charge_clock(&mut self, took: Duration) -> Result<bool, Failure> {
        let Some((_, increment)) = self.clock else { return Ok(true) };
        let turn = self.current().turn();
        match self.left[turn.index()].checked_sub(took) {
            Some(left) => {
                self.left[turn.index()] = left + increment;
                Ok(true)
            }
            None => {
                self.left[turn.index()] = Duration::ZERO;
                self.end(GameResult::Won(!turn, None), String::from("on time"))?;
                Ok(false)
            }
        }
    }

    /// Records a move and shows the board.
    fn apply(&mut self, after: Box<dyn Position>, by: &str) -> Result<(), Failure> {
        let m = after.line().pop().unwrap_or_default();
        if self.output.json() {
            let (ply, position) = (self.positions.len(), after.text());
            self.output
                .object(&json!({ "ply": ply, "by": by, "move": m, "position": position, "value": self.value }))?;
        }
        self.positions.push(after);
        // If the engine replies at once, the board is shown only after the reply, except when it plays both sides.
        let replies = !self.sides.has(self.current().turn()) && self.sides.by_user != [false, false];
        if replies && self.current().ending().is_none() { Ok(()) } else { self.show() }
    }

    /// Searches and plays the engine's move.
    fn reply(&mut self) -> Result<(), Failure> {
        let turn = self.current().turn();
        let mut clock = Clock { move_time: self.time, ..Clock::default() };
        if let Some((_, increment)) = self.clock {
            (clock.left, clock.increment) = (Some(self.left[turn.index()]), increment);
        }
        let spinner = self.output.spinner("thinking; Ctrl-C to move now");
        let start = Instant::now();
        let control = Control::default();
        self.ctrl_c.search_started(&control, &self.record(), self.game);
        let now = self.positions[self.positions.len() - 1].as_ref();
        let choice = self.engine.think(now, &clock, &control, &mut |event| {
            if let Some(row) = event.iteration() {
                spinner.set_message(format!("thinking, depth {}; Ctrl-C to move now", row.depth));
            }
        });
        spinner.finish_and_clear();
        let choice = choice?;
        let Some(m) = choice.best_move else {
            return Err(Failure::Failed(String::from("the engine found no move")));
        };
        if !self.charge_clock(start.elapsed())? {
            return Ok(());
        }
        self.value =
            choice.row.value.map(|value| screen::one_ply_later(if turn == Side::First { value } else { -value }));
        let (written, name) = (self.current().written(&m), self.names[turn.index()].clone());
        let after = self.current().after(&m)?;
        self.print(format!("{name} plays {MARK}{written}{MARK:#}"))?;
        if self.show_info && choice.from_book {
            self.print(format!("{FAINT}from the opening book{FAINT:#}"))?;
        } else if self.show_info {
            self.print_search_result(&choice.row)?;
        }
        self.apply(after, "emtee")
    }

    /// Prints the search result of the engine's move on one line.
    fn print_search_result(&mut self, row: &Row) -> Result<(), Failure> {
        let now = self.current();
        let line = written_line(now, &row.pv, 6).join(" ");
        let value =
            self.value.map_or_else(String::new, |value| format!(", {}", screen::value_text(value, &self.names)));
        let (nodes, time) = (crate::output::counted(row.counts.nodes(), "node", "nodes"), row.seconds);
        let time = crate::output::seconds(time);
        self.print(format!("{FAINT}depth {}{value}; {nodes} in {time}; {line}{FAINT:#}", row.depth))
    }

    /// Shows the board, the evaluation bar and the clocks.
    fn show(&mut self) -> Result<(), Failure> {
        if self.output.json() {
            return Ok(());
        }
        let board = screen::board(self.current(), self.flipped, self.output);
        self.output.line(format!("\n{board}"))?;
        if let Some(value) = self.value.filter(|_| self.current().ending().is_none()) {
            let bar = screen::bar(value, self.game.conventions().clear_lead, &self.names);
            self.output.line(format!("{bar}  {}", screen::value_text(value, &self.names)))?;
        }
        if self.clock.is_some() {
            let [first, second] = [0, 1].map(|side| format!("{} {}", self.names[side], screen::clock(self.left[side])));
            self.output.line(format!("{FAINT}clocks: {first}, {second}{FAINT:#}"))?;
        }
        Ok(())
    }

    fn execute(&mut self, command: Command, rest: &str) -> Result<(), Failure> {
        match command {
            Command::Help => {
                self.print("type a move, or one of these commands:")?;
                parse::help().into_iter().try_for_each(|line| self.print(format!("  {line}")))
            }
            Command::Moves => {
                let mut moves: Vec<String> = self.current().moves().iter().map(|m| self.current().written(m)).collect();
                parse::sort(&mut moves);
                let moves = textwrap::fill(&moves.join(" "), self.output.width());
                self.print(if moves.is_empty() { String::from("no legal moves") } else { moves })
            }
            Command::Info => {
                self.show_info = !self.show_info;
                let state = if self.show_info { "shown" } else { "hidden" };
                self.print(format!("the search result is {state} after each engine move"))
            }
            Command::Hint | Command::Eval => self.advise(command),
            Command::Undo => self.undo(),
            Command::Go => {
                if self.result.is_some() {
                    return self.print_error("the game is over; 'new' starts another");
                }
                let turn = self.current().turn().index();
                (self.sides.by_user[turn], self.sides.by_user[1 - turn]) = (false, true);
                Ok(())
            }
            Command::Level => self.set_level(rest),
            Command::Board => self.show(),
            Command::Flip => {
                self.flipped = !self.flipped;
                if !self.output.colours() {
                    return self.print_error("only a board in colour can be rotated");
                }
                self.show()
            }
            Command::Position => self.print(self.current().text()),
            Command::Draw => self.offer_draw(),
            Command::Resign if self.result.is_some() => self.print_error("the game is over already"),
            Command::Resign => {
                let turn = self.current().turn();
                self.end(GameResult::Won(!turn, None), String::from("by resignation"))
            }
            Command::New => {
                if self.play.book.is_some() {
                    // The next game may choose other book moves.
                    self.play.seed = self.play.seed.wrapping_add(1);
                    self.engine.reconfigure(&self.play)?;
                }
                self.set_up(Record { position: self.position.clone(), ..Record::default() })?;
                self.show()
            }
            Command::Save | Command::Load if rest.is_empty() => {
                self.print_error("which file? Type it like 'save game.txt'")
            }
            Command::Save => {
                let text = self.record().write(self.game);
                match std::fs::write(rest, text) {
                    Ok(()) => self.print(format!("saved as {rest}")),
                    Err(error) => self.print_error(&format!("cannot write {rest}: {error}")),
                }
            }
            Command::Load => match read_record(rest, self.game).and_then(|record| self.set_up(record)) {
                Ok(()) => self.show(),
                Err(Failure::BadInput(why)) => self.print_error(&why),
                Err(failure) => Err(failure),
            },
            Command::Quit => Ok(()),
        }
    }

    /// Shows the best move or the value of the position.
    fn advise(&mut self, command: Command) -> Result<(), Failure> {
        if self.result.is_some() {
            return self.print_error("the game is over; 'undo' takes a move back");
        }
        if self.adviser.is_none() {
            let endings = self.play.endings.clone();
            let default = Play::by(self.play.options.algorithm).with_hash(Size::of_bytes(16 << 20));
            let play = Play { endings, ..default };
            self.adviser = Some(self.game.engine(&play)?);
        }
        let is_mcts = self.play.options.algorithm == Algorithm::Mcts;
        let nodes = if is_mcts { HINT_SIMULATIONS } else { HINT_NODES };
        let spinner = self.output.spinner("thinking");
        let now = self.positions[self.positions.len() - 1].as_ref();
        let row = match &mut self.adviser {
            Some(adviser) => adviser.think(now, &Clock::nodes(nodes), &Control::default(), &mut |_| ())?.row,
            None => return Ok(()),
        };
        spinner.finish_and_clear();
        let (turn, value) = (now.turn(), row.value);
        if command == Command::Eval {
            self.value = value.map(|value| if turn == Side::First { value } else { -value });
            let Some(value) = self.value else { return self.print("the position has no value") };
            self.print(format!("{}, depth {}", screen::value_text(value, &self.names), row.depth))?;
            return self.print(screen::bar(value, self.game.conventions().clear_lead, &self.names));
        }
        let line = written_line(self.current(), &row.pv, 5);
        let Some(best) = line.first().cloned() else { return self.print_error("no best move found") };
        let rest = if line.len() > 1 { format!(" {FAINT}({}){FAINT:#}", line.join(" ")) } else { String::new() };
        self.print(format!("best move: {MARK}{best}{MARK:#}{rest}"))
    }

    /// Takes moves back to the last position with the user to move.
    fn undo(&mut self) -> Result<(), Failure> {
        if self.positions.len() < 2 {
            return self.print_error("there is no move to take back");
        }
        let resigned = self.result.take().is_some() && self.current().ending().is_none();
        if !resigned {
            loop {
                self.positions.pop();
                let forced = self.current().moves() == ["pass"];
                if self.positions.len() == 1 || (self.sides.has(self.current().turn()) && !forced) {
                    break;
                }
            }
        }
        self.value = None;
        self.show()
    }

    fn set_level(&mut self, rest: &str) -> Result<(), Failure> {
        if rest.is_empty() {
            return self.print(format!("the engine plays {}", self.strength()));
        }
        match rest.parse::<Level>() {
            Ok(level) => {
                // A level has the same strength everywhere, so it uses no book.
                (self.play.level, self.play.book) = (Some(level), None);
                self.time = None;
                self.engine = self.game.engine(&self.play)?;
                self.print(format!("the engine now plays {}", self.strength()))
            }
            Err(error) => self.print_error(&error.to_string()),
        }
    }

    fn strength(&self) -> String {
        match (self.play.level, self.time) {
            (Some(level), _) => format!("at level {level} of 10"),
            (None, Some(time)) => format!("at full strength, {} per move", crate::output::seconds(time.as_secs_f64())),
            (None, None) => String::from("at full strength"),
        }
    }

    fn offer_draw(&mut self) -> Result<(), Failure> {
        if self.result.is_some() {
            return self.print_error("the game is over already");
        }
        let turn = self.current().turn();
        let both = self.sides.by_user == [true, true];
        let engine_value = self.value.map(|value| if turn == Side::First { -value } else { value });
        if both || engine_value.is_some_and(|value| value <= DRAW_VALUE) {
            return self.end(GameResult::Drawn, String::from("by agreement"));
        }
        self.print("the engine declines the draw")
    }

    /// Ends the game and prints the result.
    fn end(&mut self, result: GameResult, why: String) -> Result<(), Failure> {
        let text = match result {
            GameResult::Unfinished => return Ok(()),
            GameResult::Drawn => format!("{HEADING}a draw{HEADING:#} {why}"),
            GameResult::Won(side, points) => {
                let name = &self.names[side.index()];
                let style = if self.sides.has(side) { GOOD } else { POOR };
                let by = points.map_or_else(String::new, |points| format!(" by {}", points.abs()));
                let why = if why == EndReason::Position.to_string() { String::new() } else { format!(" {why}") };
                format!("{style}{name} wins{style:#}{by}{why}")
            }
        };
        let object = json!({ "result": result.text(), "why": why, "plies": self.positions.len() - 1 });
        self.result = Some((result, why));
        if self.output.json() { self.output.object(&object) } else { self.print(text) }
    }

    fn record(&self) -> Record {
        let engine = match self.play.level {
            Some(level) => format!("emtee, level {level}"),
            None => String::from("emtee"),
        };
        let names = self.sides.by_user.map(|by_user| if by_user { String::from("you") } else { engine.clone() });
        Record {
            names,
            position: self.position.clone(),
            moves: self.current().line(),
            result: self.result.as_ref().map_or(GameResult::Unfinished, |(result, _)| *result),
            tags: vec![(String::from("Event"), String::from("emtee play"))],
        }
    }

    /// Prints a message.
    fn print(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        if self.output.json() {
            let plain = anstream::adapter::strip_str(text.as_ref()).to_string();
            return self.output.object(&json!({ "message": plain }));
        }
        self.output.line(text)
    }

    /// Prints the reason why an input was refused.
    fn print_error(&mut self, why: &str) -> Result<(), Failure> {
        let plain: String = why.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        if self.output.json() {
            return self.output.object(&json!({ "error": plain }));
        }
        self.output.line(format!("{POOR}{plain}{POOR:#}"))
    }
}

/// The first moves of a line in the usual notation.
fn written_line(from: &dyn Position, moves: &[String], most: usize) -> Vec<String> {
    let mut line = Vec::new();
    let mut last: Option<Box<dyn Position>> = None;
    for m in moves.iter().take(most) {
        let from = last.as_deref().unwrap_or(from);
        line.push(from.written(m));
        let Ok(after) = from.after(m) else { break };
        last = Some(after);
    }
    line
}

fn read_record(file: &str, game: &dyn Entry) -> Result<Record, Failure> {
    let text = crate::commands::read(file)?;
    Record::read(&text, game).map_err(|why| Failure::bad(format!("{file}: {why}")))
}
