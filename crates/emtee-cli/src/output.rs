//! Where results go: text with colours for people, one JSON object per line for machines.

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
    to: anstream::AutoStream<io::Stdout>,
}

impl Output {
    pub(crate) fn new(json: bool) -> Output {
        Output { json, width: width(), to: anstream::stdout() }
    }

    /// Whether a machine reads.
    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// How many columns a line of text may have.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// A paragraph, in lines that fit.
    pub(crate) fn prose(&mut self, text: &str, style: Style) -> Result<(), Failure> {
        wrapped(text, self.width).into_iter().try_for_each(|line| self.line(format!("{style}{line}{style:#}")))
    }

    /// Whether colours are shown.
    pub(crate) fn colours(&self) -> bool {
        self.to.current_choice() != anstream::ColorChoice::Never
    }

    /// A line for people.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        writeln!(self.to, "{}", text.as_ref())?;
        Ok(self.to.flush()?)
    }

    /// An object for machines.
    pub(crate) fn object(&mut self, object: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(object).map_err(io::Error::from)?;
        // There are no colours in it that someone would have to take out.
        let mut to = self.to.as_inner();
        writeln!(to, "{text}")?;
        Ok(to.flush()?)
    }

    /// Something that turns while there is something to wait for, where someone can see it.
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

    /// A progress bar, where someone can see it and it does not get into anything's way.
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

/// Terminals that are narrower are written to as if they had so many columns.
const NARROWEST: usize = 60;

/// Where nobody says how wide a line may be.
const USUAL: usize = 100;

/// The columns of the terminal; those that `COLUMNS` names where there is none.
fn width() -> usize {
    let terminal = console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    let named = || std::env::var("COLUMNS").ok()?.trim().parse().ok();
    terminal.or_else(named).unwrap_or(USUAL).max(NARROWEST)
}

/// A text in lines of at most this many characters, where its words allow it: MTD-f is one word, and so are 95 % and < 1.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let options = Options::new(width).word_splitter(WordSplitter::NoHyphenation).break_words(false);
    let joined = SIGNS.iter().fold(text.to_owned(), |text, sign| text.replace(sign, &sign.replace(' ', JOIN)));
    textwrap::wrap(&joined, options).into_iter().map(|line| line.replace(JOIN, " ")).collect()
}

/// A space at which no line ends.
const JOIN: &str = "\u{a0}";

/// What belongs to the number beside it.
const SIGNS: [&str; 5] = [" %", " ~", "< ", "> ", "= "];

/// 1234567 as 1,234,567.
pub(crate) fn thousands(n: u64) -> String {
    HumanCount(n).to_string()
}

/// 1 leaf, 2 leaves.
pub(crate) fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(n), if n == 1 { one } else { many })
}

/// Seconds as a person says them.
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
    fn a_line_does_not_end_before_a_sign() {
        assert_eq!(wrapped("Alpha-Beta > 100 %", 16), ["Alpha-Beta", "> 100 %"]);
        assert_eq!(wrapped("in othello ~ and chess", 11), ["in", "othello ~", "and chess"]);
    }

    #[test]
    fn numbers_read_well() {
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
