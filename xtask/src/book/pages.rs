//! The pages, and checks of their text.

use std::fs;
use std::path::{Path, PathBuf};

use super::blocks::{self, Block};
use crate::root;

/// README or a page of the book.
pub(super) struct Page {
    /// The name in messages and on the command line.
    pub(super) name: String,
    file: PathBuf,
    text: String,
    pub(super) blocks: Vec<Block>,
}

/// README and the pages of the book, in the order of its summary.
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

/// The maximum length of a line. Tables and images are exempt, because they cannot be broken.
const MAX_LINE: usize = 120;

/// The maximum number of lines of README.
const MAX_README_LINES: usize = 140;

/// Words and phrases that are not plain English.
const STILTED: [&str; 4] = ["foretold", "may better", "a line a game", "foresaid"];

/// Checks that links are valid, every page is in the book, lines are short and words plain.
pub(super) fn check(pages: &[Page]) -> Result<(), String> {
    for page in pages {
        let folder = page.file.parent().unwrap_or(root());
        for (line, link) in links(&page.text) {
            let wrong = |problem: &str| Err(format!("{}, line {line}: '{link}' {problem}", page.name));
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            if file.contains("://") || file.starts_with("mailto:") {
                continue;
            }
            let target = if file.is_empty() { page.file.clone() } else { folder.join(file) };
            if !target.exists() {
                return wrong("does not exist");
            }
            if !anchor.is_empty() && target.extension().is_some_and(|extension| extension == "md") {
                let headings = read(&target)?;
                if !headings.lines().filter(|line| line.starts_with('#')).any(|line| slug(line) == anchor) {
                    return wrong("is not a heading of that page");
                }
            }
        }
        for (index, line) in page.text.lines().enumerate() {
            let place = format!("{}, line {}", page.name, index + 1);
            if line.chars().count() > MAX_LINE && !line.starts_with('|') && !line.starts_with("<img") {
                return Err(format!("{place}: longer than {MAX_LINE} characters"));
            }
            if let Some(word) = STILTED.iter().find(|word| line.contains(*word)) {
                return Err(format!("{place}: '{word}' is not plain English"));
            }
        }
    }
    let lines = pages.iter().find(|page| page.name == "README").map_or(0, |page| page.text.lines().count());
    if lines > MAX_README_LINES {
        return Err(format!("README.md has {lines} lines, more than {MAX_README_LINES}: move text to the book"));
    }
    let folder = root().join("docs/book");
    for entry in fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_some_and(|extension| extension == "md") && !pages.iter().any(|page| page.file == path) {
            return Err(format!("{} is not listed in docs/SUMMARY.md", path.display()));
        }
    }
    Ok(())
}

/// The links and images of a page outside its blocks, with their line numbers.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut in_block = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        }
        if in_block {
            continue;
        }
        let mut rest = line;
        while let Some((_, after)) = rest.split_once("](") {
            let Some((link, more)) = after.split_once(')') else { break };
            found.push((index + 1, link.to_owned()));
            rest = more;
        }
        for image in line.split("src=\"").skip(1) {
            found.extend(image.split_once('"').map(|(link, _)| (index + 1, link.to_owned())));
        }
    }
    found
}

/// The anchor of a heading.
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
