//! Blocks that are files or are inserted into files.

use std::fs;
use std::path::Path;

/// The destination of a block.
#[derive(Debug, PartialEq)]
pub(super) struct Edit {
    file: String,
    how: How,
}

#[derive(Debug, PartialEq)]
enum How {
    /// The block is the whole file.
    Whole,
    /// The block is inserted at the end of the code block that begins with these words.
    Into(String),
    /// The block replaces the item that begins with these words.
    InsteadOf(String),
}

/// The extensions of files in the book.
const EXTENSIONS: [&str; 3] = [".rs", ".toml", ".txt"];

impl Edit {
    /// Parses `// src/dots.rs`, `// src/dots.rs: into impl Game for Dots`, or `// src/dots.rs: instead of fn evaluate`.
    pub(super) fn read(line: &str) -> Option<Edit> {
        let line = line.strip_prefix("// ").or_else(|| line.strip_prefix("# "))?.trim();
        let (file, how) = line.split_once(": ").unwrap_or((line, ""));
        if file.contains(' ') || !EXTENSIONS.iter().any(|extension| file.ends_with(extension)) {
            return None;
        }
        let how = match (how.strip_prefix("into "), how.strip_prefix("instead of ")) {
            _ if how.is_empty() => How::Whole,
            (Some(block), _) => How::Into(block.to_owned()),
            (_, Some(item)) => How::InsteadOf(item.to_owned()),
            _ => return None,
        };
        Some(Edit { file: file.to_owned(), how })
    }

    pub(super) fn apply(&self, folder: &Path, text: &str) -> Result<(), String> {
        let path = folder.join(&self.file);
        let error = |error: std::io::Error| format!("{}: {error}", path.display());
        let content = match &self.how {
            How::Whole => text.to_owned(),
            how => edited(&fs::read_to_string(&path).map_err(error)?, how, text)
                .ok_or_else(|| format!("{} has no such code: {how:?}", self.file))?,
        };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(error)?;
        }
        fs::write(&path, content).map_err(error)
    }
}

/// The file with the text inserted. A code block ends with a line that has the indentation of its first line and begins with a
/// closing bracket. An item of one line ends with that line.
fn edited(file: &str, how: &How, text: &str) -> Option<String> {
    let (How::Into(begins) | How::InsteadOf(begins)) = how else { return None };
    let lines: Vec<&str> = file.lines().collect();
    let first = lines.iter().position(|line| line.trim_start().starts_with(begins.as_str()))?;
    let indent = indent(lines[first]);
    let closes = |line: &&str| self::indent(line) == indent && line.trim_start().starts_with(['}', ')', ']']);
    let last = if lines[first].trim_end().ends_with(['{', '(', '[']) {
        first + 1 + lines[first + 1..].iter().position(closes)?
    } else {
        first
    };
    let (before, after) = match how {
        How::Into(_) => (&lines[..last], &lines[last..]),
        // The documentation and attributes of the item are replaced too.
        _ => {
            let is_attached =
                |line: &&&str| line.trim_start().starts_with("///") || line.trim_start().starts_with("#[");
            let attached = lines[..first].iter().rev().take_while(is_attached).count();
            (&lines[..first - attached], &lines[last + 1..])
        }
    };
    let join = |lines: &[&str]| lines.iter().fold(String::new(), |text, line| text + line + "\n");
    Some(join(before) + text + &join(after))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_inserted() {
        let file = "impl Game for Dots {\n    /// Says a.\n    fn a() {\n        1\n    }\n}\n\nfn b() {\n}\n";
        let edit = |line: &str| edited(file, &Edit::read(line).unwrap().how, "    // new\n").unwrap();
        let into = edit("// src/dots.rs: into impl Game for Dots");
        assert_eq!(
            into,
            "impl Game for Dots {\n    /// Says a.\n    fn a() {\n        1\n    }\n    // new\n}\n\nfn b() {\n}\n"
        );
        let instead = edit("// src/dots.rs: instead of fn a");
        assert_eq!(instead, "impl Game for Dots {\n    // new\n}\n\nfn b() {\n}\n");
        assert_eq!(Edit::read("// Not a file."), None);
        assert_eq!(Edit::read("# kalah.toml"), Some(Edit { file: "kalah.toml".into(), how: How::Whole }));
    }
}
