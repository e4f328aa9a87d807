//! Parses input lines: a move in any spelling, or a command.

use emtee_engine::{Position, near};

/// A parsed line.
pub(super) enum Parsed {
    Empty,
    /// A move, as the position after it.
    Move(Box<dyn Position>),
    /// A command and its argument.
    Command(Command, String),
    /// Neither; the text is the error message.
    Unknown(String),
}

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
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

/// The commands: name, abbreviation, command, argument, description.
const COMMANDS: [(&str, &str, Command, &str, &str); 17] = [
    ("help", "?", Command::Help, "", "show this list"),
    ("moves", "", Command::Moves, "", "list the legal moves"),
    ("hint", "h", Command::Hint, "", "show the best move"),
    ("eval", "", Command::Eval, "", "evaluate the position"),
    ("info", "i", Command::Info, "", "show or hide the search result after each engine move"),
    ("undo", "u", Command::Undo, "", "take your last move back"),
    ("go", "", Command::Go, "", "let the engine play this side from now on"),
    ("level", "", Command::Level, "[1–10]", "show or set the playing strength"),
    ("board", "", Command::Board, "", "show the board"),
    ("flip", "", Command::Flip, "", "rotate the board"),
    ("position", "", Command::Position, "", "show the position as text"),
    ("draw", "", Command::Draw, "", "offer a draw"),
    ("resign", "", Command::Resign, "", "resign the game"),
    ("new", "", Command::New, "", "start a new game"),
    ("save", "", Command::Save, "FILE", "save the game to a file"),
    ("load", "", Command::Load, "FILE", "continue a game from a file"),
    ("quit", "q", Command::Quit, "", "quit, like Ctrl-D"),
];

/// The list that `help` shows.
pub(super) fn help() -> Vec<String> {
    COMMANDS
        .iter()
        .map(|(name, short, _, argument, description)| {
            let short = if short.is_empty() { String::new() } else { format!(", {short}") };
            let argument = if argument.is_empty() { String::new() } else { format!(" {argument}") };
            format!("{:<16}{description}", format!("{name}{short}{argument}"))
        })
        .collect()
}

/// The names of the commands.
pub(super) fn command_names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(name, ..)| *name)
}

/// Sorts moves for reading: pawns before pieces, then alphabetically, with numbers by value.
pub(super) fn sort(moves: &mut [String]) {
    moves.sort_by_cached_key(|m| {
        let is_piece = m.starts_with(|letter: char| letter.is_ascii_uppercase());
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
        (is_piece, parts)
    });
}

/// Parses a line. A line that is both a move and a command is a move.
pub(super) fn parse(line: &str, position: &dyn Position) -> Parsed {
    let line = line.trim();
    if line.is_empty() {
        return Parsed::Empty;
    }
    if let Some(after) = spellings(line).iter().find_map(|text| one_move(position, text)) {
        return Parsed::Move(after);
    }
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let name = name.to_lowercase();
    let aliases =
        [("exit", Command::Quit), ("back", Command::Undo), ("takeback", Command::Undo), ("restart", Command::New)];
    let known = COMMANDS.iter().find(|(full, short, ..)| *full == name || (!short.is_empty() && *short == name));
    let known = known.map(|(_, _, command, ..)| *command);
    match known.or_else(|| aliases.iter().find(|(alias, _)| *alias == name).map(|(_, command)| *command)) {
        Some(command) => Parsed::Command(command, rest.trim().to_owned()),
        None => Parsed::Unknown(unknown(line, position)),
    }
}

/// The error message for a line that is neither a move nor a command.
fn unknown(line: &str, position: &dyn Position) -> String {
    let moves = position.moves();
    let mut names: Vec<String> = moves.iter().map(|m| position.written(m)).collect();
    names.extend(moves);
    names.extend(command_names().map(str::to_owned));
    let shown: String = line.chars().take(40).collect();
    let near = near(&shown, names.iter().map(String::as_str));
    // A misspelled command takes precedence over the reason why the line is not a legal move.
    if let Some(name) = near.filter(|near| command_names().any(|name| name == *near)) {
        return format!("'{shown}' is neither a legal move nor a command; did you mean '{name}'? Or try 'help'");
    }
    if let Some(why) = spellings(&shown).iter().find_map(|text| position.illegal_reason(text)) {
        return why;
    }
    match near {
        Some(near) => format!("'{shown}' is neither a legal move nor a command; did you mean '{near}'? Or try 'moves'"),
        None => format!("'{shown}' is neither a legal move nor a command; try 'help' or 'moves'"),
    }
}

/// The position after a line that is exactly one move.
fn one_move(position: &dyn Position, text: &str) -> Option<Box<dyn Position>> {
    let after = position.after(text).ok()?;
    (after.line().len() == position.line().len() + 1).then_some(after)
}

/// Possible spellings of a move typed loosely, like `e2 e4`, `e2-e4`, `nf3`, `NF3` or `o-o`; the most likely first.
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
        let end = text.char_indices().next_back().map_or(0, |(index, _)| index);
        format!("{}{}", &text[..end], text[end..].to_uppercase())
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
        match parse(line, position.as_ref()) {
            Parsed::Move(after) => assert_eq!(after.line(), [expected], "{line}"),
            Parsed::Command(command, rest) => assert_eq!(format!("{command:?} {rest}").trim(), expected, "{line}"),
            Parsed::Unknown(why) => assert!(why.contains(expected), "{line}: {why}"),
            Parsed::Empty => assert_eq!(expected, "", "{line}"),
        }
    }

    #[test]
    fn moves_are_parsed_in_any_spelling() {
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
    fn commands_are_parsed_and_errors_suggest_corrections() {
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
        check("othello", None, "f5d6", "'f5d6' is neither a legal move nor a command");
        check("chess", None, "   ", "");
    }

    #[test]
    fn moves_are_sorted() {
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
    fn no_line_panics() {
        let registry = Registry::standard();
        for game in registry.iter() {
            for line in ["é", "\u{0}", "🙂🙂", "ß", "-", "x", "İ", "=", "0", "99999999999999999999", &"a".repeat(9_999)]
            {
                assert!(!matches!(parse(line, game.start().as_ref()), Parsed::Move(_)), "{}: {line}", game.name());
            }
        }
    }
}
