//! Plain text, for games that have no format of their own: tags in brackets, then moves.

use super::{GameResult, Record, first_moves};

pub(super) fn write(record: &Record, game: &str) -> String {
    let mut tags = vec![("Game".to_owned(), game.to_owned())];
    tags.extend(record.all_tags("First", "Second"));
    tags.extend(record.position.clone().map(|text| ("Position".to_owned(), text)));
    let mut text = String::new();
    for (tag, value) in tags {
        text += &format!("[{tag} \"{}\"]\n", value.replace('"', "'"));
    }
    format!("{text}\n{} {}\n\n", record.moves.join(" "), record.result.text())
}

pub(super) fn read(text: &str) -> Result<Record, String> {
    let (mut record, mut tags) = (Record::default(), Vec::new());
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        let tag = line.strip_prefix('[').and_then(|tag| tag.strip_suffix("\"]")).and_then(|tag| tag.split_once(" \""));
        if let Some((name, value)) = tag {
            tags.push((name.to_owned(), value.to_owned()));
            continue;
        }
        for word in line.split_whitespace() {
            match GameResult::read(word) {
                Some(result) => record.result = result,
                None => record.moves.push(word.to_owned()),
            }
        }
    }
    record.position = tags.iter().find(|(tag, _)| tag == "Position").map(|(_, value)| value.clone());
    Ok(record.with_tags(tags, "First", "Second"))
}

/// The moves of a game are in one line, as written by [`write`].
pub(super) fn each_line(bytes: &[u8], most: usize, shown: &mut dyn FnMut(Vec<String>)) -> Result<usize, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut elsewhere = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if line.starts_with('[') {
            elsewhere |= line.starts_with("[Position ");
        } else if !std::mem::take(&mut elsewhere) {
            let moves = line.split_whitespace().filter(|word| GameResult::read(word).is_none());
            shown(first_moves(moves, most));
        }
    }
    Ok(0)
}
