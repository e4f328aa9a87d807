//! What a page shows and what a command printed.

/// The mark for anything.
const ANYTHING: &str = "…";

/// Whether the output is what the page shows, or the first line that differs.
pub(super) fn matches(shown: &str, printed: &str) -> Result<(), String> {
    let lines = |text: &str| -> Vec<String> { text.trim_end().lines().map(normal).collect() };
    let (shown, printed) = (lines(shown), lines(printed));
    follow(&shown, &printed).map_err(|(shown, printed)| format!("shown:   {shown}\nprinted: {printed}"))
}

/// The first pair of lines that differ. `…` takes as few lines as it can.
fn follow(shown: &[String], printed: &[String]) -> Result<(), (String, String)> {
    let end = || String::from("(the end)");
    match (shown.split_first(), printed.split_first()) {
        (None, None) => Ok(()),
        (None, Some((line, _))) => Err((end(), line.clone())),
        (Some((mark, rest)), _) if mark == ANYTHING => {
            let mut first = None;
            for skipped in 0..=printed.len() {
                match follow(rest, &printed[skipped..]) {
                    Ok(()) => return Ok(()),
                    Err(why) => first = first.or(Some(why)),
                }
            }
            Err(first.unwrap_or((end(), end())))
        }
        (Some((line, _)), None) => Err((line.clone(), end())),
        (Some((line, rest)), Some((printed, more))) if fits(line, printed) => follow(rest, more),
        (Some((line, _)), Some((printed, _))) => Err((line.clone(), printed.clone())),
    }
}

/// Whether a line fits a pattern in which `…` is any text.
fn fits(pattern: &str, line: &str) -> bool {
    match pattern.split_once(ANYTHING) {
        None => pattern == line,
        Some((begin, rest)) => line.strip_prefix(begin).is_some_and(|line| {
            line.char_indices().map(|(at, _)| at).chain([line.len()]).any(|at| fits(rest, &line[at..]))
        }),
    }
}

/// Units of time.
const UNITS: [&str; 5] = ["µs", "ms", "s", "min", "seconds"];

/// A line without what is another on every run: times, what is a share of a time, speeds, and the width of columns.
fn normal(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut normal: Vec<String> = Vec::new();
    let bare = |word: &str| word.trim_matches(['(', ')', ',', ';', ':', '.']).to_owned();
    let is_number = |word: &str| {
        let word = bare(word);
        !word.is_empty() && word.chars().all(|letter| letter.is_ascii_digit() || ",.".contains(letter))
    };
    let mut at = 0;
    while at < words.len() {
        let word = words[at];
        let unit = words.get(at + 1).map(|unit| bare(unit));
        if is_number(word) && unit.as_deref().is_some_and(|unit| UNITS.contains(&unit)) {
            normal.push("⏱".into());
            at += 2;
            // A column of percentages follows the times.
            if words.get(at).is_some_and(|word| word.contains('.') && is_number(word)) {
                at += 1;
            }
        } else if is_number(word) && words[at + 1..].starts_with(&["million"]) {
            normal.push("⏱".into());
            at += 2;
        } else if word.starts_with('─') {
            normal.push("─".into());
            at += 1;
        } else {
            normal.push(word.to_owned());
            at += 1;
        }
    }
    normal.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_widths_are_no_matter() {
        matches("mtd-f   1,234  95.4   8.2 ms   95.0\n", "mtd-f 1,234 95.4   12.0 ms  101.3\n").unwrap();
        matches("a\n…\nd …\n", "a\nb\nc\nd and more\n").unwrap();
        matches("3 nodes, 2 passes, 1.0 ms (1.2 million nodes/s)", "3 nodes, 2 passes, 9.9 s (3.4 million nodes/s)")
            .unwrap();
        assert!(matches("mtd-f 1,234", "mtd-f 1,235").is_err());
        assert!(matches("a\n…\nd", "a\nb\n").is_err());
        assert!(matches("a", "a\nb").is_err());
    }
}
