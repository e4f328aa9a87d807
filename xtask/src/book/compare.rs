//! Comparison of the output in a page with the output of the command.

/// Matches any text or any lines.
const ANYTHING: &str = "…";

/// Compares the output in the page with the printed output. The error shows the first line that differs.
pub(super) fn matches(shown: &str, printed: &str) -> Result<(), String> {
    let lines = |text: &str| -> Vec<String> { text.trim_end().lines().map(normalized).collect() };
    let (shown, printed) = (lines(shown), lines(printed));
    match_lines(&shown, &printed).map_err(|(shown, printed)| format!("shown:   {shown}\nprinted: {printed}"))
}

/// Matches lines; the error is the first pair that differs. `…` matches as few lines as possible.
fn match_lines(shown: &[String], printed: &[String]) -> Result<(), (String, String)> {
    let end = || String::from("(the end)");
    match (shown.split_first(), printed.split_first()) {
        (None, None) => Ok(()),
        (None, Some((line, _))) => Err((end(), line.clone())),
        (Some((mark, rest)), _) if mark == ANYTHING => {
            let mut first_error = None;
            for skipped in 0..=printed.len() {
                match match_lines(rest, &printed[skipped..]) {
                    Ok(()) => return Ok(()),
                    Err(error) => first_error = first_error.or(Some(error)),
                }
            }
            Err(first_error.unwrap_or((end(), end())))
        }
        (Some((line, _)), None) => Err((line.clone(), end())),
        (Some((line, rest)), Some((printed, more))) if line_matches(line, printed) => match_lines(rest, more),
        (Some((line, _)), Some((printed, _))) => Err((line.clone(), printed.clone())),
    }
}

/// Whether a line matches a pattern in which `…` is any text.
fn line_matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once(ANYTHING) {
        None => pattern == line,
        Some((begin, rest)) => line.strip_prefix(begin).is_some_and(|line| {
            line.char_indices()
                .map(|(start, _)| start)
                .chain([line.len()])
                .any(|start| line_matches(rest, &line[start..]))
        }),
    }
}

/// The units of time.
const UNITS: [&str; 5] = ["µs", "ms", "s", "min", "seconds"];

/// A line with times, ratios of times, speeds and column widths replaced, which differ between runs.
fn normalized(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut normalized: Vec<String> = Vec::new();
    let bare = |word: &str| word.trim_matches(['(', ')', ',', ';', ':', '.']).to_owned();
    let is_number = |word: &str| {
        let word = bare(word);
        !word.is_empty() && word.chars().all(|letter| letter.is_ascii_digit() || ",.".contains(letter))
    };
    let mut index = 0;
    while index < words.len() {
        let word = words[index];
        let unit = words.get(index + 1).map(|unit| bare(unit));
        if is_number(word) && unit.as_deref().is_some_and(|unit| UNITS.contains(&unit)) {
            normalized.push("⏱".into());
            index += 2;
            // A column of time percentages follows the times.
            if words.get(index).is_some_and(|word| word.contains('.') && is_number(word)) {
                index += 1;
            }
        } else if is_number(word) && words[index + 1..].starts_with(&["million"]) {
            normalized.push("⏱".into());
            index += 2;
        } else if word.starts_with('─') {
            normalized.push("─".into());
            index += 1;
        } else {
            normalized.push(word.to_owned());
            index += 1;
        }
    }
    normalized.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_widths_are_ignored() {
        matches("mtd-f   1,234  95.4   8.2 ms   95.0\n", "mtd-f 1,234 95.4   12.0 ms  101.3\n").unwrap();
        matches("a\n…\nd …\n", "a\nb\nc\nd and more\n").unwrap();
        matches("3 nodes, 2 passes, 1.0 ms (1.2 million nodes/s)", "3 nodes, 2 passes, 9.9 s (3.4 million nodes/s)")
            .unwrap();
        assert!(matches("mtd-f 1,234", "mtd-f 1,235").is_err());
        assert!(matches("a\n…\nd", "a\nb\n").is_err());
        assert!(matches("a", "a\nb").is_err());
    }
}
