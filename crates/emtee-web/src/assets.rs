//! The page itself, inside the program.

use axum::http::{Method, Uri};
use axum::response::{IntoResponse, Response};

use crate::refusal::Refusal;

/// A file of the page: its name, its kind, what is in it.
type Asset = (&'static str, &'static str, &'static str);

macro_rules! assets {
    ($($name:literal $kind:literal)*) => {
        &[$(($name, $kind, include_str!(concat!("../page/", $name)))),*]
    };
}

/// All of it: plain ES modules, a style sheet, and the page that names them.
const ASSETS: &[Asset] = assets! {
    "index.html" "text/html; charset=utf-8"
    "style.css" "text/css; charset=utf-8"
    "icon.svg" "image/svg+xml"
    "main.js" "text/javascript; charset=utf-8"
    "dom.js" "text/javascript; charset=utf-8"
    "ask.js" "text/javascript; charset=utf-8"
    "address.js" "text/javascript; charset=utf-8"
    "replay.js" "text/javascript; charset=utf-8"
    "drawing.js" "text/javascript; charset=utf-8"
    "why.js" "text/javascript; charset=utf-8"
    "figures.js" "text/javascript; charset=utf-8"
    "stepper.js" "text/javascript; charset=utf-8"
    "trees.js" "text/javascript; charset=utf-8"
    "pieces.js" "text/javascript; charset=utf-8"
    "board.js" "text/javascript; charset=utf-8"
    "line.js" "text/javascript; charset=utf-8"
    "setup.js" "text/javascript; charset=utf-8"
    "games.js" "text/javascript; charset=utf-8"
    "race.js" "text/javascript; charset=utf-8"
    "explore.js" "text/javascript; charset=utf-8"
    "chart.js" "text/javascript; charset=utf-8"
    "reports.js" "text/javascript; charset=utf-8"
};

/// A file of the page, by its name.
pub(crate) fn asset(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|(own, ..)| *own == name)
}

/// Everything that is no question is a file of the page, or nothing.
pub(crate) async fn serve(method: Method, uri: Uri) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return Refusal::new(axum::http::StatusCode::METHOD_NOT_ALLOWED, "only questions are sent").into_response();
    }
    let name = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    match asset(name) {
        // A new program is a new page: nothing is kept for longer than it can be checked.
        Some((_, kind, text)) => ([("content-type", *kind), ("cache-control", "no-cache")], *text).into_response(),
        None => Refusal::missing("there is no such page").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_the_page_names_is_there() {
        for (name, kind, text) in ASSETS {
            for (_, rest) in text.match_indices("from \"./").map(|(at, start)| (at, &text[at + start.len()..])) {
                let imported = rest.split('"').next().unwrap();
                assert!(asset(imported).is_some(), "{name} imports {imported}");
            }
            if kind.starts_with("text/html") {
                for attribute in ["src=\"", "href=\""] {
                    for part in text.split(attribute).skip(1) {
                        let file = part.split('"').next().unwrap().trim_start_matches('/');
                        assert!(file.starts_with('#') || asset(file).is_some(), "{name} names {file}");
                    }
                }
                assert!(!text.contains("<style") && !text.contains("onclick") && !text.contains("style="));
            }
        }
    }
}
