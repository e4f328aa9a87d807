//! The files of the page, built into the program.

/// A file of the page: its name, its content type, its text.
type Asset = (&'static str, &'static str, &'static str);

macro_rules! assets {
    ($($name:literal $kind:literal)*) => {
        &[$(($name, $kind, include_str!(concat!("../page/", $name)))),*]
    };
}

/// All files: the page, a style sheet, an icon and plain ES modules.
pub(crate) const ASSETS: &[Asset] = assets! {
    "index.html" "text/html; charset=utf-8"
    "style.css" "text/css; charset=utf-8"
    "icon.svg" "image/svg+xml"
    "main.js" "text/javascript; charset=utf-8"
    "dom.js" "text/javascript; charset=utf-8"
    "api.js" "text/javascript; charset=utf-8"
    "server.js" "text/javascript; charset=utf-8"
    "inside.js" "text/javascript; charset=utf-8"
    "worker.js" "text/javascript; charset=utf-8"
    "controls.js" "text/javascript; charset=utf-8"
    "address.js" "text/javascript; charset=utf-8"
    "replay.js" "text/javascript; charset=utf-8"
    "drawing.js" "text/javascript; charset=utf-8"
    "why.js" "text/javascript; charset=utf-8"
    "figures.js" "text/javascript; charset=utf-8"
    "panels.js" "text/javascript; charset=utf-8"
    "stepper.js" "text/javascript; charset=utf-8"
    "tour.js" "text/javascript; charset=utf-8"
    "trees.js" "text/javascript; charset=utf-8"
    "mt.md" "text/plain; charset=utf-8"
    "pieces.js" "text/javascript; charset=utf-8"
    "board.js" "text/javascript; charset=utf-8"
    "input.js" "text/javascript; charset=utf-8"
    "playable.js" "text/javascript; charset=utf-8"
    "cell.js" "text/javascript; charset=utf-8"
    "scores.js" "text/javascript; charset=utf-8"
    "line.js" "text/javascript; charset=utf-8"
    "pgn.js" "text/javascript; charset=utf-8"
    "clock.js" "text/javascript; charset=utf-8"
    "analysis.js" "text/javascript; charset=utf-8"
    "setup.js" "text/javascript; charset=utf-8"
    "games.js" "text/javascript; charset=utf-8"
    "race.js" "text/javascript; charset=utf-8"
    "explore.js" "text/javascript; charset=utf-8"
    "chart.js" "text/javascript; charset=utf-8"
    "page.js" "text/javascript; charset=utf-8"
    "runs.js" "text/javascript; charset=utf-8"
    "reports.js" "text/javascript; charset=utf-8"
};

/// A file of the page, by its name.
pub(crate) fn asset(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|(own, ..)| *own == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_imported_files_exist() {
        for (name, kind, text) in ASSETS {
            for (_, rest) in
                text.match_indices("from \"./").map(|(offset, start)| (offset, &text[offset + start.len()..]))
            {
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
