//! The page without a server: files for any web space, with the search inside.

use emtee_engine::Registry;
use serde::Serialize;

use crate::assets::ASSETS;
use crate::boards::about;

/// A file of WebAssembly, which answers questions about its games. The first of them answers those about trees as well.
#[derive(Clone, Debug, Serialize)]
pub struct Module {
    /// The name of the file.
    pub file: String,
    /// The games that it knows.
    pub games: Vec<String>,
    /// What has to be loaded: its bytes when they are compressed.
    pub bytes: u64,
}

/// The sets of positions that modules have: the others are many positions, and modules are to be small.
const SETS: [&str; 2] = ["paper", "tuning"];

/// What a browser is told by a header of the server, here a line of the page: nothing from elsewhere, nothing inline.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self' \
                      'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'\">\n";

/// The files of a page without a server, but for its modules: names and texts.
///
/// ```
/// use emtee_engine::Registry;
/// let files = emtee_web::page_alone(&Registry::standard(), &[]);
/// assert!(files.iter().any(|(name, text)| *name == "index.html" && text.contains("data-search=\"inside\"")));
/// ```
pub fn page_alone(registry: &Registry, modules: &[Module]) -> Vec<(&'static str, String)> {
    let mut about = about(registry);
    about["modules"] = serde_json::json!(modules);
    for game in about["games"].as_array_mut().into_iter().flatten() {
        let sets = game["sets"].as_array_mut();
        sets.into_iter().for_each(|sets| sets.retain(|set| SETS.iter().any(|known| set == known)));
    }
    let text = |name: &str, text: &str| match name {
        "index.html" => text
            .replace("<html lang=\"en\">", "<html lang=\"en\" data-search=\"inside\">")
            .replace("<meta charset=\"utf-8\">\n", &format!("<meta charset=\"utf-8\">\n{POLICY}")),
        _ => text.to_owned(),
    };
    let mut files: Vec<_> = ASSETS.iter().map(|(name, _, asset)| (*name, text(name, asset))).collect();
    files.push(("about.json", about.to_string()));
    files
}
