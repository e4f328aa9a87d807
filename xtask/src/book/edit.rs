//! Blocks that are files, or go into them.

use std::fs;
use std::path::Path;

/// Where a block goes.
#[derive(Debug, PartialEq)]
pub(super) struct Edit {
    file: String,
    how: How,
}

#[derive(Debug, PartialEq)]
enum How {
    /// It is the whole file.
    Whole,
    /// It is the end of the block that begins with these words.
    Into(String),
    /// It takes the place of the item that begins with these words.
    InsteadOf(String),
}

/// What names of files end in here.
const ENDINGS: [&str; 3] = [".rs", ".toml", ".txt"];

impl Edit {
    /// `// src/dots.rs`, `// src/dots.rs: into impl Game for Dots`, `// src/dots.rs: instead of fn evaluate`.
    pub(super) fn read(line: &str) -> Option<Edit> {
        let line = line.strip_prefix("// ").or_else(|| line.strip_prefix("# "))?.trim();
        let (file, how) = line.split_once(": ").unwrap_or((line, ""));
        if file.contains(' ') || !ENDINGS.iter().any(|ending| file.ends_with(ending)) {
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
        let whole = match &self.how {
            How::Whole => text.to_owned(),
            how => edited(&fs::read_to_string(&path).map_err(error)?, how, text)
                .ok_or_else(|| format!("{} has no place for this: {how:?}", self.file))?,
        };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(error)?;
        }
        fs::write(&path, whole).map_err(error)
    }
}

/// The file with the text in its place. A block ends with a line that is indented like its first and begins with a bracket; an item
/// of one line ends with it.
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
        // What is said of an item goes with it.
        _ => {
            let about = |line: &&&str| line.trim_start().starts_with("///") || line.trim_start().starts_with("#[");
            let about = lines[..first].iter().rev().take_while(about).count();
            (&lines[..first - about], &lines[last + 1..])
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
    fn a_block_finds_its_place() {
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
