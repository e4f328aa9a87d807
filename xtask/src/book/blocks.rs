//! Fenced blocks, and what they are.

use super::edit::Edit;

/// A fenced block of a page.
pub(super) struct Block {
    /// Where it begins.
    pub(super) line: usize,
    pub(super) kind: Kind,
    pub(super) text: String,
    pub(super) long: bool,
    pub(super) fails: bool,
    pub(super) stays: bool,
    /// Whether it shows what commands print.
    shows: bool,
}

pub(super) enum Kind {
    Commands,
    /// A file, or a part of one. The text is what goes there.
    File(Edit),
    /// Rust that stands for itself.
    Program,
    /// Nothing to be run.
    Text,
}

/// The blocks of a page, or where one is not closed.
pub(super) fn read(page: &str) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let Some(info) = line.trim_start().strip_prefix("```") else { continue };
        let indent = line.len() - line.trim_start().len();
        let mut text = String::new();
        loop {
            let Some((_, line)) = lines.next() else {
                return Err(format!("the block of line {} is not closed", at + 1));
            };
            if line.trim_start().starts_with("```") {
                break;
            }
            text += line.get(indent..).unwrap_or("");
            text.push('\n');
        }
        blocks.push(block(at + 1, info, text)?);
    }
    Ok(blocks)
}

fn block(line: usize, info: &str, text: String) -> Result<Block, String> {
    let words: Vec<&str> = info.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let [language, flags @ ..] = &words[..] else {
        return Err(format!("the block of line {line} says nothing of what it is: console, sh, rust, toml or text"));
    };
    if let Some(flag) = flags.iter().find(|flag| !["long", "fails", "stays"].contains(flag)) {
        return Err(format!("the block of line {line} is said to be '{flag}', which means nothing"));
    }
    let has = |flag: &str| flags.contains(&flag);
    let edit = text.lines().next().and_then(Edit::read);
    let (kind, text) = match (*language, edit) {
        ("console" | "sh", _) => (Kind::Commands, text),
        ("rust" | "toml", Some(edit)) => {
            let rest = text.split_once('\n').map_or("", |(_, rest)| rest).to_owned();
            (Kind::File(edit), rest)
        }
        ("rust", None) => (Kind::Program, text),
        _ => (Kind::Text, text),
    };
    let shows = *language == "console";
    Ok(Block { line, kind, text, long: has("long"), fails: has("fails"), stays: has("stays"), shows })
}

impl Block {
    /// The commands, and what each is said to print, if anything is.
    pub(super) fn commands(&self) -> Vec<(String, Option<String>)> {
        let mut commands: Vec<(String, Option<String>)> = Vec::new();
        for line in self.text.lines() {
            let goes_on = commands.last().is_some_and(|(command, shown)| shown.is_none() && command.ends_with('\\'));
            match (line.strip_prefix("$ "), commands.last_mut()) {
                (_, Some((command, _))) if goes_on => {
                    command.pop();
                    command.push_str(line.trim_start());
                }
                (Some(command), _) => commands.push((command.to_owned(), None)),
                (None, Some((_, shown))) if self.shows => {
                    let shown = shown.get_or_insert_default();
                    shown.push_str(line);
                    shown.push('\n');
                }
                (None, _) if self.shows || line.trim().is_empty() || line.starts_with('#') => {}
                (None, _) => commands.push((without_comment(line).to_owned(), None)),
            }
        }
        commands
    }
}

/// A command without the remark behind it.
fn without_comment(line: &str) -> &str {
    line.split_once(" #").map_or(line, |(command, _)| command).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_what_they_print_are_told_apart() {
        let page = "text\n```console\n$ one\na\nb\n$ two \\\n   more\n```\n\n```sh long\nthree   # a remark\n\n# nothing\n```\n";
        let blocks = read(page).unwrap();
        let shown: Vec<_> = blocks.iter().map(Block::commands).collect();
        assert_eq!(shown[0], [("one".into(), Some("a\nb\n".into())), ("two more".into(), None)]);
        assert_eq!(shown[1], [("three".into(), None)]);
        assert_eq!((blocks[0].line, blocks[1].line, blocks[1].long), (2, 10, true));
        assert!(read("```\nx\n```\n").is_err() && read("```sh\n").is_err() && read("```sh quick\n```\n").is_err());
    }

    #[test]
    fn files_are_known_by_their_first_line() {
        for (page, is_file) in [
            ("```rust\n// src/main.rs\nfn main() {}\n```\n", true),
            ("```toml\n# kalah.toml\nx = 1\n```\n", true),
            ("```rust\n// A remark.\nlet x = 1;\n```\n", false),
        ] {
            assert_eq!(matches!(read(page).unwrap()[0].kind, Kind::File(_)), is_file, "{page}");
        }
    }
}
