//! Standard output: coloured text, or one JSON object per line with `--json`.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use serde::Serialize;
use textwrap::{Options, WordSplitter};

use crate::failure::Failure;

pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const POOR: Style = AnsiColor::Red.on_default();
pub(crate) const MARK: Style = AnsiColor::Cyan.on_default().bold();

/// Standard output.
pub(crate) struct Output {
    json: bool,
    width: usize,
    stdout: anstream::AutoStream<io::Stdout>,
}

impl Output {
    pub(crate) fn new(json: bool) -> Output {
        Output { json, width: width(), stdout: anstream::stdout() }
    }

    /// Whether `--json` was given.
    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// The maximum length of a line of text, in columns.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Prints a paragraph, wrapped to the width.
    pub(crate) fn prose(&mut self, text: &str, style: Style) -> Result<(), Failure> {
        wrapped(text, self.width).into_iter().try_for_each(|line| self.line(format!("{style}{line}{style:#}")))
    }

    /// Whether text has colours.
    pub(crate) fn colours(&self) -> bool {
        self.stdout.current_choice() != anstream::ColorChoice::Never
    }

    /// Prints a line of text.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        writeln!(self.stdout, "{}", text.as_ref())?;
        Ok(self.stdout.flush()?)
    }

    /// Prints a JSON object on one line.
    pub(crate) fn object(&mut self, object: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(object).map_err(io::Error::from)?;
        // JSON has no escape sequences for the adapter to strip.
        let mut stdout = self.stdout.as_inner();
        writeln!(stdout, "{text}")?;
        Ok(stdout.flush()?)
    }

    /// A spinner on standard error; hidden with `--json` or without a terminal.
    pub(crate) fn spinner(&self, what: &str) -> ProgressBar {
        if self.json || !io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let spinner = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{spinner:.cyan} {msg} {elapsed}");
        spinner.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        spinner.set_message(what.to_owned());
        spinner.enable_steady_tick(Duration::from_millis(200));
        spinner
    }

    /// A progress bar on standard error; hidden with `--json` or without a terminal.
    pub(crate) fn progress(&self, steps: u64, what: &str) -> ProgressBar {
        if self.json || !io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::new(steps);
        let style = ProgressStyle::with_template("{msg:.bold} {wide_bar:.cyan/dim} {pos}/{len}, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }
}

/// The minimum width, also for narrower terminals.
const MIN_WIDTH: usize = 60;

/// The width without a terminal and without `COLUMNS`.
const DEFAULT_WIDTH: usize = 100;

/// The width of the terminal; without a terminal, the value of `COLUMNS`.
fn width() -> usize {
    let terminal = console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    let from_environment = || std::env::var("COLUMNS").ok()?.trim().parse().ok();
    terminal.or_else(from_environment).unwrap_or(DEFAULT_WIDTH).max(MIN_WIDTH)
}

/// The text wrapped to lines of at most `width` characters, or one longer word. MTD-f is one word, and so are 95 % and < 1.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let options = Options::new(width).word_splitter(WordSplitter::NoHyphenation).break_words(false);
    let joined =
        SIGNS.iter().fold(text.to_owned(), |text, sign| text.replace(sign, &sign.replace(' ', NO_BREAK_SPACE)));
    textwrap::wrap(&joined, options).into_iter().map(|line| line.replace(NO_BREAK_SPACE, " ")).collect()
}

/// A space at which a line does not break.
const NO_BREAK_SPACE: &str = "\u{a0}";

/// Signs that stay on the line of the number beside them.
const SIGNS: [&str; 5] = [" %", " ~", "< ", "> ", "= "];

/// Formats 1234567 as 1,234,567.
pub(crate) fn thousands(n: u64) -> String {
    HumanCount(n).to_string()
}

/// A count with its noun: 1 leaf, 2 leaves.
pub(crate) fn counted(n: u64, singular: &str, plural: &str) -> String {
    format!("{} {}", thousands(n), if n == 1 { singular } else { plural })
}

/// A duration in the unit that suits it: 12 µs, 250.0 ms, 1.50 s, 2 min 10 s.
pub(crate) fn seconds(s: f64) -> String {
    match s {
        s if s < 0.000_999_5 => format!("{:.0} µs", s * 1e6),
        s if s < 0.999_5 => format!("{:.1} ms", s * 1e3),
        s if s < 99.95 => format!("{s:.2} s"),
        s => format!("{} min {:02} s", s.round() as u64 / 60, s.round() as u64 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_do_not_break_before_a_sign() {
        assert_eq!(wrapped("Alpha-Beta > 100 %", 16), ["Alpha-Beta", "> 100 %"]);
        assert_eq!(wrapped("in othello ~ and chess", 11), ["in", "othello ~", "and chess"]);
    }

    #[test]
    fn numbers_are_formatted() {
        for (n, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(thousands(n), text);
        }
        assert_eq!([0, 1, 2].map(|n| counted(n, "leaf", "leaves")), ["0 leaves", "1 leaf", "2 leaves"]);
        for (s, text) in
            [(0.000_012, "12 µs"), (0.25, "250.0 ms"), (1.5, "1.50 s"), (130.0, "2 min 10 s"), (239.7, "4 min 00 s")]
        {
            assert_eq!(seconds(s), text);
        }
    }
}
