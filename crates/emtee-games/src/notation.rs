//! The notations of explicit trees: nested lists and JSON.

use std::fmt;

use emtee::{Side, Value};
#[cfg(feature = "json")]
use serde_json::Value as Json;

use crate::error::{Error, ErrorKind, quoted};
use crate::tree::{Leaf, MAX_DEPTH, NO_CHILDREN, Shape, TreeNode, out_of_range};

/// Reads JSON if the text begins like a JSON array or object, else a nested list.
pub(crate) fn read(text: &str) -> Result<Shape, Error> {
    if text.trim_start().starts_with(['[', '{']) { read_json(text) } else { read_list(text) }
}

const EXPECTED: &str = "expected an integer, 'win', 'loss', 'draw' or a list";

/// `max` or `min`.
fn side(word: &str) -> Option<Side> {
    match word {
        "max" => Some(Side::First),
        "min" => Some(Side::Second),
        _ => None,
    }
}

/// The kind and the text of an error whose place is not known yet.
type Refusal = (ErrorKind, String);

fn leaf(word: &str) -> Result<Leaf, Refusal> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    match word {
        "win" => Ok(Leaf::Win),
        "loss" => Ok(Leaf::Loss),
        "draw" => Ok(Leaf::Draw),
        _ if digits.is_empty() || digits.contains(|c: char| !c.is_ascii_digit()) => {
            Err((ErrorKind::Syntax, format!("{EXPECTED}, found {}", quoted(word))))
        }
        // A number that does not fit into an integer is out of range.
        _ => word.parse().map_err(|_| (ErrorKind::Number, out_of_range(quoted(word)))).and_then(points),
    }
}

fn points(points: i32) -> Result<Leaf, Refusal> {
    match Value::score(points) {
        Some(_) => Ok(Leaf::Points(points)),
        None => Err((ErrorKind::Number, out_of_range(points))),
    }
}

/// A list that is not closed yet.
struct OpenList {
    offset: usize,
    side: Option<Side>,
    children: Vec<Shape>,
}

/// Reads a nested list. Not recursive: no text can overflow the stack.
fn read_list(text: &str) -> Result<Shape, Error> {
    let mut open: Vec<OpenList> = Vec::new();
    let mut root = None;
    for (offset, token) in tokens(text) {
        let refused = |(kind, reason): Refusal| Error::at(kind, text, offset, reason);
        let syntax = |reason: String| refused((ErrorKind::Syntax, reason));
        if root.is_some() {
            return Err(syntax(format!("expected the end, found {}", quoted(token))));
        }
        let finished = match token {
            "(" if open.len() == MAX_DEPTH => {
                return Err(refused((ErrorKind::Length, format!("lists nest more than {MAX_DEPTH} deep"))));
            }
            "(" => {
                open.push(OpenList { offset, side: None, children: Vec::new() });
                continue;
            }
            ")" => match open.pop() {
                Some(list) if list.children.is_empty() => {
                    return Err(Error::at(ErrorKind::Length, text, list.offset, NO_CHILDREN));
                }
                Some(list) => Shape::Node { side: list.side, children: list.children },
                None => return Err(syntax(format!("{EXPECTED}, found ')'"))),
            },
            word => match (side(word), open.last_mut()) {
                (Some(side), Some(list)) if list.children.is_empty() && list.side.is_none() => {
                    list.side = Some(side);
                    continue;
                }
                (Some(_), _) => return Err(syntax(format!("'{word}' belongs at the beginning of a list"))),
                (None, _) => Shape::Leaf(leaf(word).map_err(refused)?),
            },
        };
        match open.last_mut() {
            Some(list) => list.children.push(finished),
            None => root = Some(finished),
        }
    }
    if let Some(list) = open.pop() {
        return Err(Error::at(ErrorKind::Syntax, text, list.offset, "this list is not closed: a ')' is missing"));
    }
    root.ok_or_else(|| Error::new(ErrorKind::Syntax, "there is no tree here; write one like ((41 5) (12 90))"))
}

/// Parentheses and words, each with its offset in bytes.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut offset = 0;
    std::iter::from_fn(move || {
        let separates = |c: char| c.is_whitespace() || c == ',' || c == '|';
        let rest = &text[offset..];
        let start = offset + rest.find(|c| !separates(c))?;
        let rest = &text[start..];
        let length = match rest.find(|c| separates(c) || c == '(' || c == ')') {
            Some(0) => 1,
            Some(length) => length,
            None => rest.len(),
        };
        offset = start + length;
        Some((start, &text[start..offset]))
    })
}

#[cfg(not(feature = "json"))]
fn read_json(_: &str) -> Result<Shape, Error> {
    let message = "this program was built to read trees as nested lists; the feature 'json' lets it read JSON";
    Err(Error::new(ErrorKind::Unsupported, message))
}

#[cfg(feature = "json")]
fn read_json(text: &str) -> Result<Shape, Error> {
    match serde_json::from_str(text) {
        Ok(json) => from_json(&json, &mut String::new()),
        Err(error) => {
            let (line, column, reason) = (error.line(), error.column(), error.to_string());
            let place = format!(" at line {line} column {column}");
            let reason = reason.strip_suffix(&place).unwrap_or(&reason);
            let message = format!("line {line}, column {column}: this is not JSON: {reason}");
            Err(Error::new(ErrorKind::Syntax, message))
        }
    }
}

/// `path` is the place in the text, for example `[0].max[2]`. Recursive: serde_json refuses JSON that nests more than 128 deep.
#[cfg(feature = "json")]
fn from_json(json: &Json, path: &mut String) -> Result<Shape, Error> {
    let refused = |path: &str, (kind, reason): Refusal| {
        let place = if path.is_empty() { "the root" } else { path };
        Err(Error::new(kind, format!("{place}: {reason}")))
    };
    let syntax = |path: &str, reason: String| refused(path, (ErrorKind::Syntax, reason));
    let found = |json: &Json| quoted(&json.to_string());
    match json {
        Json::Array(list) => nodes_from_json(None, list, path),
        Json::Object(object) => match object.iter().next() {
            Some((word, Json::Array(list))) if object.len() == 1 && side(word).is_some() => {
                path.push('.');
                path.push_str(word);
                nodes_from_json(side(word), list, path)
            }
            _ => syntax(path, format!(r#"expected {{"max": [...]}} or {{"min": [...]}}, found {}"#, found(json))),
        },
        Json::String(word) => match leaf(word) {
            // Only words are written in quotes.
            Ok(leaf @ (Leaf::Win | Leaf::Loss | Leaf::Draw)) => Ok(Shape::Leaf(leaf)),
            _ => syntax(path, format!("{EXPECTED}, found {}", quoted(word))),
        },
        Json::Number(number) => match number.as_i64() {
            Some(integer) => {
                let number = i32::try_from(integer).map_err(|_| (ErrorKind::Number, out_of_range(integer)));
                match number.and_then(points) {
                    Ok(leaf) => Ok(Shape::Leaf(leaf)),
                    Err(refusal) => refused(path, refusal),
                }
            }
            None if number.is_u64() => refused(path, (ErrorKind::Number, out_of_range(number))),
            None => refused(path, (ErrorKind::Number, format!("expected an integer, found {number}"))),
        },
        _ => syntax(path, format!("{EXPECTED}, found {}", found(json))),
    }
}

#[cfg(feature = "json")]
fn nodes_from_json(side: Option<Side>, list: &[Json], path: &mut String) -> Result<Shape, Error> {
    if list.is_empty() {
        let place = if path.is_empty() { "the root" } else { path };
        return Err(Error::new(ErrorKind::Length, format!("{place}: {NO_CHILDREN}")));
    }
    let mut children = Vec::with_capacity(list.len());
    for (n, child) in list.iter().enumerate() {
        let length = path.len();
        path.push_str(&format!("[{n}]"));
        children.push(from_json(child, path)?);
        path.truncate(length);
    }
    Ok(Shape::Node { side, children })
}

/// Writes a nested list. A node names its side if that is not the `usual` one.
pub(crate) fn write(f: &mut fmt::Formatter<'_>, node: TreeNode<'_>, usual: Side) -> fmt::Result {
    match node.leaf() {
        Some(Leaf::Points(points)) => return write!(f, "{points}"),
        Some(Leaf::Win) => return f.write_str("win"),
        Some(Leaf::Loss) => return f.write_str("loss"),
        Some(Leaf::Draw) => return f.write_str("draw"),
        None => {}
    }
    let side = if node.is_max() { Side::First } else { Side::Second };
    f.write_str("(")?;
    if side != usual {
        f.write_str(if node.is_max() { "max " } else { "min " })?;
    }
    for (n, child) in node.children().enumerate() {
        f.write_str(if n > 0 { " " } else { "" })?;
        write(f, child, !side)?;
    }
    f.write_str(")")
}

#[cfg(test)]
mod tests {
    use crate::testing::refusal;
    use crate::tree::Tree;
    use proptest::prelude::*;

    #[test]
    fn trees_are_read() {
        for (text, written) in [
            ("((41 5) (12 90))", "((41 5) (12 90))"),
            ("((41,5)|(12\n90)\t)", "((41 5) (12 90))"),
            ("(+3(-4)win(loss draw))", "(3 (-4) win (loss draw))"),
            ("(max (min 1 2) (max 3 4))", "((1 2) (max 3 4))"),
            ("(min (max 1 2) (3 4))", "(min (1 2) (3 4))"),
            (" 7 ", "7"),
        ] {
            assert_eq!(text.parse::<Tree>().unwrap().to_string(), written, "{text}");
        }
    }

    #[cfg(feature = "json")]
    #[test]
    fn trees_are_read_as_json() {
        for (text, written) in [
            ("[[41,5],[12,90]]", "((41 5) (12 90))"),
            (r#"{"min": [[1, "win"], {"min": [-3, "loss", "draw"]}]}"#, "(min (1 win) (min -3 loss draw))"),
        ] {
            assert_eq!(text.parse::<Tree>().unwrap().to_string(), written, "{text}");
        }
    }

    #[cfg(not(feature = "json"))]
    #[test]
    fn json_is_refused_without_the_feature() {
        let reason = "this program was built to read trees as nested lists; the feature 'json' lets it read JSON";
        assert_eq!(refusal::<Tree>("[[41,5],[12,90]]"), reason);
    }

    #[test]
    fn refusals_of_lists() {
        let expected = "expected an integer, 'win', 'loss', 'draw' or a list";
        for (text, reason) in [
            ("", "there is no tree here; write one like ((41 5) (12 90))"),
            (" \n,| ", "there is no tree here; write one like ((41 5) (12 90))"),
            ("(1 2 x)", &format!("line 1, column 6: {expected}, found 'x'")),
            ("(1\n2.5)", &format!("line 2, column 1: {expected}, found '2.5'")),
            ("(1 -)", &format!("line 1, column 4: {expected}, found '-'")),
            (")", &format!("line 1, column 1: {expected}, found ')'")),
            ("(1 [2])", &format!("line 1, column 4: {expected}, found '[2]'")),
            ("(1 2", "line 1, column 1: this list is not closed: a ')' is missing"),
            ("((1 2) (3 4)", "line 1, column 1: this list is not closed: a ')' is missing"),
            ("(1 (2 (3 4)", "line 1, column 4: this list is not closed: a ')' is missing"),
            ("(1 2))", "line 1, column 6: expected the end, found ')'"),
            ("41 5", "line 1, column 4: expected the end, found '5'"),
            ("(1 ())", "line 1, column 4: a node needs at least one child, and this list is empty"),
            ("(max)", "line 1, column 1: a node needs at least one child, and this list is empty"),
            ("(1 max)", "line 1, column 4: 'max' belongs at the beginning of a list"),
            ("(max min 1)", "line 1, column 6: 'min' belongs at the beginning of a list"),
            ("max", "line 1, column 1: 'max' belongs at the beginning of a list"),
            ("(31001)", "line 1, column 2: a leaf of 31001 is outside ±31000, the range of scores"),
            ("(-31001)", "line 1, column 2: a leaf of -31001 is outside ±31000, the range of scores"),
            ("(99999999999)", "line 1, column 2: a leaf of '99999999999' is outside ±31000, the range of scores"),
            (&"(".repeat(100_000), "line 1, column 201: lists nest more than 200 deep"),
        ] {
            assert_eq!(refusal::<Tree>(text), reason, "{text}");
        }
        assert!(format!("{}1{}", "(".repeat(200), ")".repeat(200)).parse::<Tree>().is_ok());
    }

    #[cfg(feature = "json")]
    #[test]
    fn refusals_of_json() {
        let expected = "expected an integer, 'win', 'loss', 'draw' or a list";
        let object = r#"expected {"max": [...]} or {"min": [...]}, found"#;
        for (text, reason) in [
            ("[1, 2", "line 1, column 5: this is not JSON: EOF while parsing a list"),
            ("[1 2]", "line 1, column 4: this is not JSON: expected `,` or `]`"),
            ("[]", "the root: a node needs at least one child, and this list is empty"),
            ("[1, [2, []]]", "[1][1]: a node needs at least one child, and this list is empty"),
            ("[1, 2.5]", "[1]: expected an integer, found 2.5"),
            ("[1, true]", &format!("[1]: {expected}, found 'true'")),
            (r#"[1, "won"]"#, &format!("[1]: {expected}, found 'won'")),
            (r#"[1, "2"]"#, &format!("[1]: {expected}, found '2'")),
            (r#"[1, "max"]"#, &format!("[1]: {expected}, found 'max'")),
            ("[40000]", "[0]: a leaf of 40000 is outside ±31000, the range of scores"),
            ("[99999999999]", "[0]: a leaf of 99999999999 is outside ±31000, the range of scores"),
            ("[18446744073709551615]", "[0]: a leaf of 18446744073709551615 is outside ±31000, the range of scores"),
            ("{}", &format!("the root: {object} '{{}}'")),
            (r#"{"max": [1, {"min": 3}]}"#, &format!(".max[1]: {object} '{{\"min\":3}}'")),
            (r#"{"max": [1, {"min": [3, null]}]}"#, &format!(".max[1].min[1]: {expected}, found 'null'")),
        ] {
            assert_eq!(refusal::<Tree>(text), reason, "{text}");
        }
        assert!(refusal::<Tree>(&"[".repeat(100_000)).contains("recursion limit exceeded"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[()0-9 ,maxinwlosdr-]{0,40}|[\\[\\]{}\":0-9,maxin]{0,40}|\\PC{0,30}") {
            if let Ok(tree) = text.parse::<Tree>() {
                prop_assert_eq!(tree.to_string().parse(), Ok(tree));
            }
        }

        #[test]
        fn json_is_read_or_refused(json in r#"\[([0-9]{1,6},|\[[0-9]\],|"win",|\{"max":\[1\]\},){0,5}[0-9]\]"#) {
            if let Ok(tree) = json.parse::<Tree>() {
                prop_assert_eq!(tree.to_string().parse(), Ok(tree));
            }
        }
    }
}
