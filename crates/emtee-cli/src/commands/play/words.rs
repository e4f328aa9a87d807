//! What a person types: a move in any spelling, or a word.

use emtee_engine::{Position, near};

/// A line, understood.
pub(super) enum Said {
    Nothing,
    /// A move, and the position after it.
    Move(Box<dyn Position>),
    Word(Word, String),
    /// What it may have been.
    Unknown(String),
}

/// A word that is no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Help,
    Moves,
    Hint,
    Eval,
    Info,
    Undo,
    Go,
    Level,
    Board,
    Flip,
    Position,
    Draw,
    Resign,
    New,
    Save,
    Load,
    Quit,
}

/// The words, their short forms, what may follow, and what they do.
const WORDS: [(&str, &str, Word, &str, &str); 17] = [
    ("help", "?", Word::Help, "", "this list"),
    ("moves", "", Word::Moves, "", "the moves there are"),
    ("hint", "h", Word::Hint, "", "what I would play"),
    ("eval", "", Word::Eval, "", "what I think of the position"),
    ("info", "i", Word::Info, "", "show what I think after each of my moves, or stop it"),
    ("undo", "u", Word::Undo, "", "take your last move back"),
    ("go", "", Word::Go, "", "let me play this side from now on"),
    ("level", "", Word::Level, "[1–10]", "how strong I play"),
    ("board", "", Word::Board, "", "the board again"),
    ("flip", "", Word::Flip, "", "turn the board around"),
    ("position", "", Word::Position, "", "the position as text"),
    ("draw", "", Word::Draw, "", "offer a draw"),
    ("resign", "", Word::Resign, "", "give up"),
    ("new", "", Word::New, "", "another game"),
    ("save", "", Word::Save, "FILE", "write the game down"),
    ("load", "", Word::Load, "FILE", "go on with a game from a file"),
    ("quit", "q", Word::Quit, "", "leave; so does Ctrl-D"),
];

/// The list that `help` shows.
pub(super) fn help() -> Vec<String> {
    WORDS
        .iter()
        .map(|(word, short, _, more, does)| {
            let short = if short.is_empty() { String::new() } else { format!(", {short}") };
            let more = if more.is_empty() { String::new() } else { format!(" {more}") };
            format!("{:<16}{does}", format!("{word}{short}{more}"))
        })
        .collect()
}

/// The words for completion.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|(word, ..)| *word)
}

/// Moves in an order in which one is found: pawns before pieces, letters by the alphabet, numbers by their size.
pub(super) fn sort(moves: &mut [String]) {
    moves.sort_by_cached_key(|m| {
        let named = m.starts_with(|letter: char| letter.is_ascii_uppercase());
        let mut parts: Vec<(u32, String)> = Vec::new();
        for letter in m.chars() {
            match (letter.to_digit(10), parts.last_mut()) {
                (Some(digit), Some((number, text))) if text.is_empty() => {
                    *number = number.saturating_mul(10).saturating_add(digit);
                }
                (Some(digit), _) => parts.push((digit, String::new())),
                (None, _) => parts.push((0, letter.to_string())),
            }
        }
        (named, parts)
    });
}

/// Reads a line. What can be a move is one.
pub(super) fn read(line: &str, position: &dyn Position) -> Said {
    let line = line.trim();
    if line.is_empty() {
        return Said::Nothing;
    }
    if let Some(after) = spellings(line).iter().find_map(|text| one_move(position, text)) {
        return Said::Move(after);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let word = word.to_lowercase();
    let aliases = [("exit", Word::Quit), ("back", Word::Undo), ("takeback", Word::Undo), ("restart", Word::New)];
    let known = WORDS.iter().find(|(name, short, ..)| *name == word || (!short.is_empty() && *short == word));
    let known = known.map(|(_, _, word, ..)| *word);
    match known.or_else(|| aliases.iter().find(|(alias, _)| *alias == word).map(|(_, word)| *word)) {
        Some(word) => Said::Word(word, rest.trim().to_owned()),
        None => Said::Unknown(unknown(line, position)),
    }
}

/// What is said to a line that is neither a move nor a word.
fn unknown(line: &str, position: &dyn Position) -> String {
    let moves = position.moves();
    let mut names: Vec<String> = moves.iter().map(|m| position.written(m)).collect();
    names.extend(moves);
    names.extend(words().map(str::to_owned));
    let shown: String = line.chars().take(40).collect();
    let near = near(&shown, names.iter().map(String::as_str));
    // A word with a slip in it is a word, whatever else it may look like.
    if let Some(word) = near.filter(|near| words().any(|word| word == *near)) {
        return format!("'{shown}' is no move here and no word of mine; did you mean '{word}'? Or try 'help'");
    }
    if let Some(why) = spellings(&shown).iter().find_map(|text| position.objection(text)) {
        return why;
    }
    match near {
        Some(near) => format!("'{shown}' is no move here and no word of mine; did you mean '{near}'? Or try 'moves'"),
        None => format!("'{shown}' is no move here and no word of mine; try 'help' or 'moves'"),
    }
}

/// The position after a line that is one move.
fn one_move(position: &dyn Position, text: &str) -> Option<Box<dyn Position>> {
    let after = position.after(text).ok()?;
    (after.line().len() == position.line().len() + 1).then_some(after)
}

/// What a hurried person may have meant, the likeliest first: `e2 e4`, `e2-e4`, `nf3`, `NF3`, `o-o`.
fn spellings(line: &str) -> Vec<String> {
    let mut all = vec![line.to_owned()];
    let mut add = |text: String| {
        if !text.is_empty() && !all.contains(&text) {
            all.push(text);
        }
    };
    let tight: String = line.chars().filter(|letter| !letter.is_whitespace()).collect();
    let plain: String = tight.chars().filter(|letter| !"-x=+#!?".contains(*letter)).collect();
    let lower = tight.to_lowercase();
    let mut letters = lower.chars();
    let raised: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let promoted = |text: &str| {
        let at = text.char_indices().next_back().map_or(0, |(at, _)| at);
        format!("{}{}", &text[..at], text[at..].to_uppercase())
    };
    for text in [tight.clone(), lower.clone(), plain.clone(), plain.to_lowercase()] {
        add(text);
    }
    add(promoted(&lower));
    for text in [raised.clone(), promoted(&raised), tight.to_uppercase()] {
        add(text);
    }
    add(line.split_whitespace().collect::<Vec<_>>().join("-"));
    match plain.to_lowercase().replace('0', "o").as_str() {
        "oo" => add(String::from("O-O")),
        "ooo" => add(String::from("O-O-O")),
        _ => {}
    }
    all
}

#[cfg(test)]
mod tests {
    use emtee_engine::Registry;

    use super::*;

    fn check(game: &str, position: Option<&str>, line: &str, expected: &str) {
        let registry = Registry::standard();
        let game = registry.get(game).unwrap();
        let position = position.map_or_else(|| game.start(), |text| game.position(text).unwrap());
        match read(line, position.as_ref()) {
            Said::Move(after) => assert_eq!(after.line(), [expected], "{line}"),
            Said::Word(word, rest) => assert_eq!(format!("{word:?} {rest}").trim(), expected, "{line}"),
            Said::Unknown(why) => assert!(why.contains(expected), "{line}: {why}"),
            Said::Nothing => assert_eq!(expected, "", "{line}"),
        }
    }

    #[test]
    fn moves_are_understood_in_any_spelling() {
        for line in ["e2e4", "E2E4", "e4", "E4", "e2-e4", "e2 e4", " e4! "] {
            check("chess", None, line, "e2e4");
        }
        for line in ["Nf3", "nf3", "NF3", "n f3", "g1f3", "G1-F3"] {
            check("chess", None, line, "g1f3");
        }
        let castling = Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        for line in ["O-O", "o-o", "0-0", "e1g1", "oo"] {
            check("chess", castling, line, "e1g1");
        }
        let promotion = Some("7k/P7/8/8/8/8/8/7K w - - 0 1");
        for line in ["a8=Q", "a8q", "a7a8q", "A8=q"] {
            check("chess", promotion, line, "a7a8q");
        }
        for line in ["11-15", "11 15", "11x15"] {
            check("checkers", None, line, "11-15");
        }
        for line in ["f5", "F5", " f 5"] {
            check("othello", None, line, "f5");
        }
        check("connect4", None, "4", "4");
    }

    #[test]
    fn words_are_understood_and_near_misses_set_right() {
        check("chess", None, "UNDO", "Undo");
        check("chess", None, "?", "Help");
        check("chess", None, "save my game.pgn", "Save my game.pgn");
        check("chess", None, "exit", "Quit");
        check("chess", None, "Nf6", "no knight of yours can go to f6");
        check("chess", None, "nf6", "no knight of yours can go to f6");
        check("chess", None, "O-O", "you cannot castle: there is a piece in between");
        check("chess", None, "0-0", "you cannot castle: there is a piece in between");
        check("chess", None, "castle", "try 'help' or 'moves'");
        check("othello", None, "d4", "that square is taken");
        check("checkers", Some("B:W18:B1,14"), "1-5", "you must capture: 14x23");
        check("chess", None, "hnit", "did you mean 'hint'?");
        check("connect4", None, "8", "the columns are numbered 1 to 7");
        check("othello", None, "f5d6", "'f5d6' is no move here");
        check("chess", None, "   ", "");
    }

    #[test]
    fn moves_stand_where_one_looks_for_them() {
        let sorted = |text: &str| {
            let mut moves: Vec<String> = text.split(' ').map(str::to_owned).collect();
            sort(&mut moves);
            moves.join(" ")
        };
        assert_eq!(sorted("Nf3 e4 a3 Nc3 a4 Bb5"), "a3 a4 e4 Bb5 Nc3 Nf3");
        assert_eq!(sorted("11-15 9-13 10-14 9-14"), "9-13 9-14 10-14 11-15");
        assert_eq!(sorted("4 10 3 2"), "2 3 4 10");
    }

    #[test]
    fn no_line_makes_it_panic() {
        let registry = Registry::standard();
        for game in registry.iter() {
            for line in ["é", "\u{0}", "🙂🙂", "ß", "-", "x", "İ", "=", "0", "99999999999999999999", &"a".repeat(9_999)]
            {
                assert!(!matches!(read(line, game.start().as_ref()), Said::Move(_)), "{}: {line}", game.name());
            }
        }
    }
}
