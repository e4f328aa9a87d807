//! A game between a person and an engine, in a terminal.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use emtee::{Level, Side, Size};
use emtee_engine::{Clock, Control, Engine, Entry, GameResult, Play, Position, Record, Row, Why};
use serde_json::json;

use super::args::{PlayArgs, Sides};
use super::input::{Input, Line};
use super::leaving::Leaving;
use super::screen;
use super::words::{self, Said, Word};
use crate::books;
use crate::endings;
use crate::failure::Failure;
use crate::output::{FAINT, GOOD, HEADING, MARK, Output, POOR};

/// How many nodes a hint is worth: the same hint on every machine.
const HINT: u64 = 300_000;

/// What is said to moves after the end.
const OVER: &str = "the game is over; 'new' begins another, 'undo' goes back";

/// A side that is behind by no more than this accepts a draw.
const GOOD_ENOUGH: i32 = 0;

pub(super) struct TerminalGame<'t> {
    game: &'t dyn Entry,
    output: &'t mut Output,
    input: Input,
    leaving: Leaving,
    play: Play,
    /// The time for a move, where it is no level that limits it.
    time: Option<Duration>,
    engine: Box<dyn Engine>,
    adviser: Option<Box<dyn Engine>>,
    /// Where the game began, if not at the start.
    position: Option<String>,
    /// The positions so far, the present one last.
    line: Vec<Box<dyn Position>>,
    sides: Sides,
    names: [String; 2],
    flipped: bool,
    clock: Option<(Duration, Duration)>,
    left: [Duration; 2],
    /// What the engine thinks, as the first side sees it.
    value: Option<i32>,
    /// Whether that is told after each move of the engine.
    info: bool,
    /// How the game ended, and why.
    over: Option<(GameResult, String)>,
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
        // A level is as strong everywhere, whatever lies in a folder.
        let unnamed = if level.is_some() { Some("none") } else { None };
        let endings = endings::chosen_for_play(game, args.endings.as_deref().or(unnamed))?;
        let own = if level.is_none() && game.book().is_some() { "own" } else { "none" };
        let book = books::chosen(game, args.book.as_deref().unwrap_or(own))?;
        let mut play = Play { level, seed, endings, book, ..Play::by(args.algorithm) };
        play.options.size = args.hash.or(play.options.size);
        if let Some(threads) = args.threads {
            if level.is_some() {
                let why = "--threads needs --time: a level plays alike on every machine, with one thread";
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
        let mut played = TerminalGame {
            names: screen::side_names(start.as_ref()),
            game,
            output,
            input: Input::new(),
            leaving: Leaving::new(game),
            play,
            time: args.time,
            engine,
            adviser: None,
            position: None,
            line: vec![start],
            sides: args.side,
            flipped: false,
            clock: args.clock,
            left: [Duration::ZERO; 2],
            value: None,
            info: false,
            over: None,
        };
        played.set_up(record)?;
        Ok(played)
    }

    /// Puts a game on the board.
    fn set_up(&mut self, record: Record) -> Result<(), Failure> {
        let start = match &record.position {
            Some(text) => self.game.position(text)?,
            None => self.game.start(),
        };
        let mut line = vec![start];
        for m in &record.moves {
            let after = line[line.len() - 1].after(m)?;
            line.push(after);
        }
        (self.line, self.position) = (line, record.position);
        (self.value, self.over) = (None, None);
        self.left = [self.clock.map_or(Duration::ZERO, |(base, _)| base); 2];
        let bottom = self.game.conventions().bottom;
        self.flipped = bottom.is_some_and(|bottom| self.sides.has(!bottom) && !self.sides.has(bottom));
        self.engine.new_game()?;
        Ok(())
    }

    fn now(&self) -> &dyn Position {
        self.line[self.line.len() - 1].as_ref()
    }

    /// Plays until the person leaves.
    pub(super) fn run(mut self) -> Result<(), Failure> {
        let strength = self.strength();
        self.tell(format!(
            "{HEADING}{}{HEADING:#}: I play {strength}. 'help' tells what you can say.",
            self.game.name()
        ))?;
        self.show()?;
        let mut interrupted = false;
        loop {
            if self.over.is_none() {
                if let Some(ending) = self.now().ending() {
                    let result = GameResult::of(Some(ending));
                    self.end(result, ending.why.to_string())?;
                } else if self.now().moves() == ["pass"] {
                    let name = self.names[self.now().turn().index()].clone();
                    self.tell(format!("{name} has to pass"))?;
                    let after = self.now().after("pass")?;
                    self.played(after, "pass")?;
                    continue;
                } else if !self.sides.has(self.now().turn()) {
                    self.reply()?;
                    continue;
                }
            }
            if self.over.is_some() && self.sides.by_person == [false, false] && !self.input.is_terminal() {
                return Ok(());
            }
            let began = Instant::now();
            let line = match self.ask()? {
                Line::Typed(line) => line,
                Line::End => return self.tell("bye"),
                Line::Interrupted if interrupted => return Err(self.leaving.leave()),
                Line::Interrupted => {
                    interrupted = true;
                    self.tell("Ctrl-C once more saves the game and leaves")?;
                    continue;
                }
            };
            interrupted = false;
            match words::read(&line, self.now()) {
                Said::Nothing => {}
                Said::Move(_) if self.over.is_some() => self.object(OVER)?,
                Said::Move(after) => {
                    if self.in_time(began.elapsed())? {
                        self.played(after, "you")?;
                    }
                }
                Said::Word(Word::Quit, _) => return self.tell("bye"),
                Said::Word(word, rest) => self.obey(word, &rest)?,
                Said::Unknown(_) if self.over.is_some() => self.object(OVER)?,
                Said::Unknown(why) => self.object(&why)?,
            }
        }
    }

    /// The next line that the person types.
    fn ask(&mut self) -> Result<Line, Failure> {
        self.leaving.waits(&self.record(), self.game);
        let now = self.now();
        let mut names: Vec<String> = if self.over.is_some() { Vec::new() } else { now.moves() };
        let written: Vec<String> = names.iter().map(|m| now.written(m)).filter(|m| !names.contains(m)).collect();
        names.extend(written);
        names.extend(words::words().map(str::to_owned));
        let prompt = match &self.over {
            Some(_) => String::from("> "),
            None => format!("{}> ", self.names[now.turn().index()]),
        };
        self.input.line(&prompt, names)
    }

    /// Takes a move's time off the clock of whoever is to move. Whether there was enough.
    fn in_time(&mut self, took: Duration) -> Result<bool, Failure> {
        let Some((_, increment)) = self.clock else { return Ok(true) };
        let turn = self.now().turn();
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

    /// A move was made.
    fn played(&mut self, after: Box<dyn Position>, by: &str) -> Result<(), Failure> {
        let m = after.line().pop().unwrap_or_default();
        if self.output.json() {
            let (ply, position) = (self.line.len(), after.text());
            self.output
                .object(&json!({ "ply": ply, "by": by, "move": m, "position": position, "value": self.value }))?;
        }
        self.line.push(after);
        // A board that the reply changes at once is not worth showing, but to those who only watch.
        let replies = !self.sides.has(self.now().turn()) && self.sides.by_person != [false, false];
        if replies && self.now().ending().is_none() { Ok(()) } else { self.show() }
    }

    /// The engine's turn.
    fn reply(&mut self) -> Result<(), Failure> {
        let turn = self.now().turn();
        let mut clock = Clock { move_time: self.time, ..Clock::default() };
        if let Some((_, increment)) = self.clock {
            (clock.left, clock.increment) = (Some(self.left[turn.index()]), increment);
        }
        let spinner = self.output.spinner("thinking; Ctrl-C moves now");
        let began = Instant::now();
        let control = Control::default();
        self.leaving.thinks(&control, &self.record(), self.game);
        let now = self.line[self.line.len() - 1].as_ref();
        let choice = self.engine.think(now, &clock, &control, &mut |row| {
            spinner.set_message(format!("thinking, depth {}; Ctrl-C moves now", row.depth));
        });
        spinner.finish_and_clear();
        let choice = choice?;
        let Some(m) = choice.best_move else {
            return Err(Failure::Failed(String::from("the engine found no move")));
        };
        if !self.in_time(began.elapsed())? {
            return Ok(());
        }
        self.value =
            choice.row.value.map(|value| screen::a_ply_later(if turn == Side::First { value } else { -value }));
        let (written, name) = (self.now().written(&m), self.names[turn.index()].clone());
        let after = self.now().after(&m)?;
        self.tell(format!("{name} plays {MARK}{written}{MARK:#}"))?;
        if self.info && choice.from_book {
            self.tell(format!("{FAINT}from the opening book{FAINT:#}"))?;
        } else if self.info {
            self.tell_thoughts(&choice.row)?;
        }
        self.played(after, "emtee")
    }

    /// What the engine thought of its move, in a line.
    fn tell_thoughts(&mut self, row: &Row) -> Result<(), Failure> {
        let now = self.now();
        let line = written_line(now, &row.pv, 6).join(" ");
        let value = self.value.map_or_else(String::new, |value| format!(", {}", screen::told(value, &self.names)));
        let (nodes, time) = (crate::output::counted(row.counts.nodes(), "node", "nodes"), row.seconds);
        let time = crate::output::seconds(time);
        self.tell(format!("{FAINT}depth {}{value}; {nodes} in {time}; {line}{FAINT:#}", row.depth))
    }

    /// The board, the bar and the clocks.
    fn show(&mut self) -> Result<(), Failure> {
        if self.output.json() {
            return Ok(());
        }
        let board = screen::board(self.now(), self.flipped, self.output);
        self.output.line(format!("\n{board}"))?;
        if let Some(value) = self.value.filter(|_| self.now().ending().is_none()) {
            let bar = screen::bar(value, self.game.conventions().clear_lead, &self.names);
            self.output.line(format!("{bar}  {}", screen::told(value, &self.names)))?;
        }
        if self.clock.is_some() {
            let [first, second] = [0, 1].map(|at| format!("{} {}", self.names[at], screen::clock(self.left[at])));
            self.output.line(format!("{FAINT}clocks: {first}, {second}{FAINT:#}"))?;
        }
        Ok(())
    }

    fn obey(&mut self, word: Word, rest: &str) -> Result<(), Failure> {
        match word {
            Word::Help => {
                self.tell("a move, as players write it, or one of these:")?;
                words::help().into_iter().try_for_each(|line| self.tell(format!("  {line}")))
            }
            Word::Moves => {
                let mut moves: Vec<String> = self.now().moves().iter().map(|m| self.now().written(m)).collect();
                words::sort(&mut moves);
                let moves = textwrap::fill(&moves.join(" "), self.output.width());
                self.tell(if moves.is_empty() { String::from("there are none") } else { moves })
            }
            Word::Info => {
                self.info = !self.info;
                let told = if self.info { "I show what I think after each of my moves" } else { "I keep it to myself" };
                self.tell(told)
            }
            Word::Hint | Word::Eval => self.advise(word),
            Word::Undo => self.undo(),
            Word::Go => {
                if self.over.is_some() {
                    return self.object("the game is over; 'new' begins another");
                }
                let turn = self.now().turn().index();
                (self.sides.by_person[turn], self.sides.by_person[1 - turn]) = (false, true);
                Ok(())
            }
            Word::Level => self.set_level(rest),
            Word::Board => self.show(),
            Word::Flip => {
                self.flipped = !self.flipped;
                if !self.output.colours() {
                    return self.object("only boards in colour can be turned");
                }
                self.show()
            }
            Word::Position => self.tell(self.now().text()),
            Word::Draw => self.offer_draw(),
            Word::Resign if self.over.is_some() => self.object("the game is over already"),
            Word::Resign => {
                let turn = self.now().turn();
                self.end(GameResult::Won(!turn, None), String::from("by resignation"))
            }
            Word::New => {
                if self.play.book.is_some() {
                    // No two games need begin alike.
                    self.play.seed = self.play.seed.wrapping_add(1);
                    self.engine.reconfigure(&self.play)?;
                }
                self.set_up(Record { position: self.position.clone(), ..Record::default() })?;
                self.show()
            }
            Word::Save | Word::Load if rest.is_empty() => self.object("which file? Say it like 'save game.txt'"),
            Word::Save => {
                let text = self.record().write(self.game);
                match std::fs::write(rest, text) {
                    Ok(()) => self.tell(format!("saved as {rest}")),
                    Err(error) => self.object(&format!("cannot write {rest}: {error}")),
                }
            }
            Word::Load => match read_record(rest, self.game).and_then(|record| self.set_up(record)) {
                Ok(()) => self.show(),
                Err(Failure::BadInput(why)) => self.object(&why),
                Err(failure) => Err(failure),
            },
            Word::Quit => Ok(()),
        }
    }

    /// The best move, or what the position is worth.
    fn advise(&mut self, word: Word) -> Result<(), Failure> {
        if self.over.is_some() {
            return self.object("the game is over; 'undo' goes back");
        }
        if self.adviser.is_none() {
            let endings = self.play.endings.clone();
            let usual = Play::by(self.play.options.algorithm).with_hash(Size::of_bytes(16 << 20));
            let play = Play { endings, ..usual };
            self.adviser = Some(self.game.engine(&play)?);
        }
        let spinner = self.output.spinner("thinking");
        let now = self.line[self.line.len() - 1].as_ref();
        let row = match &mut self.adviser {
            Some(adviser) => adviser.think(now, &Clock::nodes(HINT), &Control::default(), &mut |_| ())?.row,
            None => return Ok(()),
        };
        spinner.finish_and_clear();
        let (turn, value) = (now.turn(), row.value);
        if word == Word::Eval {
            self.value = value.map(|value| if turn == Side::First { value } else { -value });
            let Some(value) = self.value else { return self.tell("I cannot say") };
            self.tell(format!("{}, {} plies deep", screen::told(value, &self.names), row.depth))?;
            return self.tell(screen::bar(value, self.game.conventions().clear_lead, &self.names));
        }
        let line = written_line(self.now(), &row.pv, 5);
        let Some(best) = line.first().cloned() else { return self.object("I have no idea") };
        let rest = if line.len() > 1 { format!(" {FAINT}({}){FAINT:#}", line.join(" ")) } else { String::new() };
        self.tell(format!("I would play {MARK}{best}{MARK:#}{rest}"))
    }

    /// Back to where the person was last to move.
    fn undo(&mut self) -> Result<(), Failure> {
        if self.line.len() < 2 {
            return self.object("there is nothing to take back");
        }
        let resigned = self.over.take().is_some() && self.now().ending().is_none();
        if !resigned {
            loop {
                self.line.pop();
                let forced = self.now().moves() == ["pass"];
                if self.line.len() == 1 || (self.sides.has(self.now().turn()) && !forced) {
                    break;
                }
            }
        }
        self.value = None;
        self.show()
    }

    fn set_level(&mut self, rest: &str) -> Result<(), Failure> {
        if rest.is_empty() {
            return self.tell(format!("I play {}", self.strength()));
        }
        match rest.parse::<Level>() {
            Ok(level) => {
                // A level is as strong everywhere, in the opening too.
                (self.play.level, self.play.book) = (Some(level), None);
                self.time = None;
                self.engine = self.game.engine(&self.play)?;
                self.tell(format!("I play {} from now on", self.strength()))
            }
            Err(error) => self.object(&error.to_string()),
        }
    }

    fn strength(&self) -> String {
        match (self.play.level, self.time) {
            (Some(level), _) => format!("at level {level} of 10"),
            (None, Some(time)) => format!("as well as I can in {} a move", crate::output::seconds(time.as_secs_f64())),
            (None, None) => String::from("as well as I can"),
        }
    }

    fn offer_draw(&mut self) -> Result<(), Failure> {
        if self.over.is_some() {
            return self.object("the game is over already");
        }
        let turn = self.now().turn();
        let both = self.sides.by_person == [true, true];
        let mine = self.value.map(|value| if turn == Side::First { -value } else { value });
        if both || mine.is_some_and(|mine| mine <= GOOD_ENOUGH) {
            return self.end(GameResult::Drawn, String::from("by agreement"));
        }
        self.tell("no, I would rather play on")
    }

    /// The game is over.
    fn end(&mut self, result: GameResult, why: String) -> Result<(), Failure> {
        let text = match result {
            GameResult::Open => return Ok(()),
            GameResult::Drawn => format!("{HEADING}a draw{HEADING:#} {why}"),
            GameResult::Won(side, points) => {
                let name = &self.names[side.index()];
                let style = if self.sides.has(side) { GOOD } else { POOR };
                let by = points.map_or_else(String::new, |points| format!(" by {}", points.abs()));
                let why = if why == Why::Position.to_string() { String::new() } else { format!(" {why}") };
                format!("{style}{name} wins{style:#}{by}{why}")
            }
        };
        let object = json!({ "result": result.text(), "why": why, "plies": self.line.len() - 1 });
        self.over = Some((result, why));
        if self.output.json() { self.output.object(&object) } else { self.tell(text) }
    }

    fn record(&self) -> Record {
        let engine = match self.play.level {
            Some(level) => format!("emtee, level {level}"),
            None => String::from("emtee"),
        };
        let names = self.sides.by_person.map(|person| if person { String::from("you") } else { engine.clone() });
        Record {
            names,
            position: self.position.clone(),
            moves: self.now().line(),
            result: self.over.as_ref().map_or(GameResult::Open, |(result, _)| *result),
            notes: vec![(String::from("Event"), String::from("emtee play"))],
        }
    }

    fn tell(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        if self.output.json() {
            let plain = anstream::adapter::strip_str(text.as_ref()).to_string();
            return self.output.object(&json!({ "message": plain }));
        }
        self.output.line(text)
    }

    /// Says that something cannot be done.
    fn object(&mut self, why: &str) -> Result<(), Failure> {
        let plain: String = why.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        if self.output.json() {
            return self.output.object(&json!({ "error": plain }));
        }
        self.output.line(format!("{POOR}{plain}{POOR:#}"))
    }
}

/// The first moves of a line as players write them.
fn written_line(from: &dyn Position, moves: &[String], most: usize) -> Vec<String> {
    let mut line = Vec::new();
    let mut at: Option<Box<dyn Position>> = None;
    for m in moves.iter().take(most) {
        let from = at.as_deref().unwrap_or(from);
        line.push(from.written(m));
        let Ok(after) = from.after(m) else { break };
        at = Some(after);
    }
    line
}

fn read_record(file: &str, game: &dyn Entry) -> Result<Record, Failure> {
    let text = crate::commands::read(file)?;
    Record::read(&text, game).map_err(|why| Failure::bad(format!("{file}: {why}")))
}
