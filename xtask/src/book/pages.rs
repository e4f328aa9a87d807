//! The pages, and what must hold of their text.

use std::fs;
use std::path::{Path, PathBuf};

use super::blocks::{self, Block};
use crate::root;

pub(super) struct Page {
    /// What it is called in messages and on the command line.
    pub(super) name: String,
    file: PathBuf,
    text: String,
    pub(super) blocks: Vec<Block>,
}

/// README, and the pages that the summary of the book lists, in its order.
pub(super) fn all() -> Result<Vec<Page>, String> {
    let summary = root().join("docs/SUMMARY.md");
    let listed = links(&read(&summary)?);
    let book = listed.iter().map(|(_, link)| root().join("docs").join(link));
    let mut pages = Vec::new();
    for file in std::iter::once(root().join("README.md")).chain(book) {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = read(&file)?;
        let blocks = blocks::read(&text).map_err(|why| format!("{}: {why}", file.display()))?;
        pages.push(Page { name, file, text, blocks });
    }
    Ok(pages)
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// The longest line, but for tables and pictures, which cannot be broken.
const WIDEST: usize = 120;

/// README is what a stranger reads first, and no more.
const README_LINES: usize = 140;

/// Words that a reader would stumble over.
const STILTED: [&str; 4] = ["foretold", "may better", "a line a game", "foresaid"];

/// Links lead somewhere, every page is in the book, lines are short and words plain.
pub(super) fn check(pages: &[Page]) -> Result<(), String> {
    for page in pages {
        let folder = page.file.parent().unwrap_or(root());
        for (line, link) in links(&page.text) {
            let wrong = |why: &str| Err(format!("{}, line {line}: '{link}' {why}", page.name));
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            if file.contains("://") || file.starts_with("mailto:") {
                continue;
            }
            let to = if file.is_empty() { page.file.clone() } else { folder.join(file) };
            if !to.exists() {
                return wrong("leads nowhere");
            }
            if !anchor.is_empty() && to.extension().is_some_and(|ending| ending == "md") {
                let headings = read(&to)?;
                if !headings.lines().filter(|line| line.starts_with('#')).any(|line| slug(line) == anchor) {
                    return wrong("names no heading there");
                }
            }
        }
        for (at, line) in page.text.lines().enumerate() {
            let place = format!("{}, line {}", page.name, at + 1);
            if line.chars().count() > WIDEST && !line.starts_with('|') && !line.starts_with("<img") {
                return Err(format!("{place}: longer than {WIDEST} characters"));
            }
            if let Some(word) = STILTED.iter().find(|word| line.contains(*word)) {
                return Err(format!("{place}: '{word}' is no plain English"));
            }
        }
    }
    let lines = pages.iter().find(|page| page.name == "README").map_or(0, |page| page.text.lines().count());
    if lines > README_LINES {
        return Err(format!("README.md has {lines} lines, more than {README_LINES}: the book has room"));
    }
    let folder = root().join("docs/book");
    for entry in fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_some_and(|ending| ending == "md") && !pages.iter().any(|page| page.file == path) {
            return Err(format!("{} is not listed in docs/SUMMARY.md", path.display()));
        }
    }
    Ok(())
}

/// The links and pictures of a page outside its blocks, and their lines.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut in_block = false;
    for (at, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        }
        if in_block {
            continue;
        }
        let mut rest = line;
        while let Some((_, after)) = rest.split_once("](") {
            let Some((link, more)) = after.split_once(')') else { break };
            found.push((at + 1, link.to_owned()));
            rest = more;
        }
        for picture in line.split("src=\"").skip(1) {
            found.extend(picture.split_once('"').map(|(link, _)| (at + 1, link.to_owned())));
        }
    }
    found
}

/// A heading as links name it.
fn slug(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_headings_are_read() {
        let text = "[a](b.md#c-d) and [e](f)\n```sh\n[no](link)\n```\n<img src=\"p.png\">\n";
        assert_eq!(links(text), [(1, "b.md#c-d".into()), (1, "f".into()), (5, "p.png".into())]);
        assert_eq!(slug("## What came out, and `why`"), "what-came-out-and-why");
    }
}
