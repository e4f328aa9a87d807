//! Parsing of fenced code blocks.

use super::edit::Edit;

/// A fenced block of a page.
pub(super) struct Block {
    /// The line number of its first line.
    pub(super) line: usize,
    pub(super) kind: Kind,
    pub(super) text: String,
    /// Takes over 20 seconds.
    pub(super) long: bool,
    /// The commands are expected to fail.
    pub(super) fails: bool,
    /// The commands run until they are stopped.
    pub(super) stays: bool,
    /// Whether it contains the output of its commands.
    has_output: bool,
}

pub(super) enum Kind {
    Commands,
    /// A file, or a part of one. `text` is the content.
    File(Edit),
    /// Rust code that is compiled on its own.
    Program,
    /// Anything else: it is not run.
    Text,
}

/// Parses the blocks of a page.
pub(super) fn read(page: &str) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let Some(info) = line.trim_start().strip_prefix("```") else { continue };
        let indent = line.len() - line.trim_start().len();
        let mut text = String::new();
        loop {
            let Some((_, line)) = lines.next() else {
                return Err(format!("the block at line {} is not closed", index + 1));
            };
            if line.trim_start().starts_with("```") {
                break;
            }
            text += line.get(indent..).unwrap_or("");
            text.push('\n');
        }
        blocks.push(block(index + 1, info, text)?);
    }
    Ok(blocks)
}

fn block(line: usize, info: &str, text: String) -> Result<Block, String> {
    let words: Vec<&str> = info.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let [language, flags @ ..] = &words[..] else {
        return Err(format!("the block at line {line} has no language: use console, sh, rust, toml or text"));
    };
    if let Some(flag) = flags.iter().find(|flag| !["long", "fails", "stays"].contains(flag)) {
        return Err(format!("the block at line {line} has the unknown flag '{flag}'"));
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
    let has_output = *language == "console";
    Ok(Block { line, kind, text, long: has("long"), fails: has("fails"), stays: has("stays"), has_output })
}

impl Block {
    /// The commands, each with its expected output if the block has it.
    pub(super) fn commands(&self) -> Vec<(String, Option<String>)> {
        let mut commands: Vec<(String, Option<String>)> = Vec::new();
        for line in self.text.lines() {
            let is_continued =
                commands.last().is_some_and(|(command, output)| output.is_none() && command.ends_with('\\'));
            match (line.strip_prefix("$ "), commands.last_mut()) {
                (_, Some((command, _))) if is_continued => {
                    command.pop();
                    command.push_str(line.trim_start());
                }
                (Some(command), _) => commands.push((command.to_owned(), None)),
                (None, Some((_, output))) if self.has_output => {
                    let output = output.get_or_insert_default();
                    output.push_str(line);
                    output.push('\n');
                }
                (None, _) if self.has_output || line.trim().is_empty() || line.starts_with('#') => {}
                (None, _) => commands.push((without_comment(line).to_owned(), None)),
            }
        }
        commands
    }
}

/// A command without its trailing comment.
fn without_comment(line: &str) -> &str {
    line.split_once(" #").map_or(line, |(command, _)| command).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_outputs_are_separated() {
        let page =
            "text\n```console\n$ one\na\nb\n$ two \\\n   more\n```\n\n```sh long\nthree   # a note\n\n# nothing\n```\n";
        let blocks = read(page).unwrap();
        let commands: Vec<_> = blocks.iter().map(Block::commands).collect();
        assert_eq!(commands[0], [("one".into(), Some("a\nb\n".into())), ("two more".into(), None)]);
        assert_eq!(commands[1], [("three".into(), None)]);
        assert_eq!((blocks[0].line, blocks[1].line, blocks[1].long), (2, 10, true));
        assert!(read("```\nx\n```\n").is_err() && read("```sh\n").is_err() && read("```sh quick\n```\n").is_err());
    }

    #[test]
    fn files_are_recognised_by_their_first_line() {
        for (page, is_file) in [
            ("```rust\n// src/main.rs\nfn main() {}\n```\n", true),
            ("```toml\n# kalah.toml\nx = 1\n```\n", true),
            ("```rust\n// A comment.\nlet x = 1;\n```\n", false),
        ] {
            assert_eq!(matches!(read(page).unwrap()[0].kind, Kind::File(_)), is_file, "{page}");
        }
    }
}
