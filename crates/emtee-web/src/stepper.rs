//! Parts of the page as self-contained HTML files: the stepper for lectures and papers, a board for notebooks.

use std::fmt::Write;

use crate::assets::asset;
use crate::recording::Recording;

/// The modules of the stepper, each after its imports.
const MODULES: [&str; 7] = ["dom.js", "replay.js", "drawing.js", "why.js", "figures.js", "panels.js", "stepper.js"];

/// The modules of a board, each after its imports.
const BOARD_MODULES: [&str; 6] = ["dom.js", "pieces.js", "board.js", "input.js", "playable.js", "cell.js"];

/// An HTML page that replays a recording, without a server and without a network.
///
/// ```
/// use emtee_games::tree::Tree;
/// use emtee_web::{Recording, Run, stepper};
/// let recording = Recording::of(&Tree::paper(), &[Run::by("sss".parse()?)])?;
/// let page = stepper(&recording, "SSS* on the paper's tree");
/// assert!(page.starts_with("<!doctype html>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn stepper(recording: &Recording, title: &str) -> String {
    // Escapes `</script`, which would end the script element.
    let data = recording.to_json().replace('<', "\\u003c");
    let content = format!(
        "<h1>{}</h1><div id=\"stepper\"></div></main>\n<script type=\"application/json\" id=\"recording\">{data}</script>",
        escaped(title)
    );
    page(title, &content, "", &(bundle(&MODULES) + "showFile();\n"))
}

/// An HTML page with a board to play on, for a cell of a notebook. It sends each request for a position or a move to its own
/// address: a POST with the JSON object `{"moves": […], "think": bool}`. The answer is a position as for the explorer.
///
/// ```
/// assert!(emtee_web::board_page("Nim").contains("<title>Nim</title>"));
/// ```
pub fn board_page(title: &str) -> String {
    let content = "<h1 class=\"offscreen\">The board</h1><div id=\"cell\"></div></main>";
    page(title, content, "connect-src 'self'; ", &(bundle(&BOARD_MODULES) + "showCell();\n"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn page(title: &str, content: &str, policy: &str, script: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; \
         style-src 'unsafe-inline'; {policy}img-src data:\">\n\
         <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body class=\"alone\">\n\
         <main id=\"view\" tabindex=\"-1\">{content}\n\
         <script type=\"module\">\n{script}</script>\n</body>\n</html>\n",
        title = escaped(title),
        style = text("style.css"),
    )
}

fn text(name: &str) -> &'static str {
    asset(name).map_or("", |(.., text)| text)
}

/// The modules as one script. Each module is a list of declarations, so it is enough to remove the import lines and the
/// `export` keywords. A test checks that all names are unique.
fn bundle(modules: &[&str]) -> String {
    let mut script = String::new();
    for name in modules {
        for line in text(name).lines().filter(|line| !line.starts_with("import ")) {
            let _ = writeln!(script, "{}", line.strip_prefix("export ").unwrap_or(line));
        }
    }
    script
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn check(modules: &[&'static str], start: &str) {
        let mut before = BTreeSet::new();
        let mut names = BTreeSet::new();
        for &module in modules {
            for line in text(module).lines() {
                if let Some(from) = line.strip_prefix("import ") {
                    let from = from.split("from \"./").nth(1).unwrap().trim_end_matches("\";");
                    assert!(before.contains(from), "{module} imports {from}, which comes later or not at all");
                    assert!(!line.contains(" as "), "{module} imports under another name");
                }
                let declared = line.strip_prefix("export ").unwrap_or(line);
                assert!(!declared.starts_with("default "), "{module} exports something without a name");
                for kind in ["function ", "const ", "let ", "class ", "async function "] {
                    if let Some(rest) = declared.strip_prefix(kind) {
                        let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
                        assert!(names.insert(name.to_owned()), "{module} declares {name} again");
                    }
                }
            }
            before.insert(module);
        }
        assert!(names.contains(start));
        let bundle = bundle(modules);
        assert!(!bundle.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
        assert!(!bundle.contains("</script"));
    }

    #[test]
    fn the_modules_can_be_bundled() {
        check(&MODULES, "showFile");
        check(&BOARD_MODULES, "showCell");
    }
}
