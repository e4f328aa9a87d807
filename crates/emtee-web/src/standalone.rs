//! The page without a server: static files for any web server, with the search as WebAssembly.

use emtee_engine::Registry;
use serde::Serialize;

use crate::assets::ASSETS;
use crate::boards::about;

/// A WebAssembly file that answers the requests about its games. The first module answers those about trees as well.
#[derive(Clone, Debug, Serialize)]
pub struct Module {
    /// The name of the file.
    pub file: String,
    /// Its games.
    pub games: Vec<String>,
    /// The bytes to download: its compressed size.
    pub bytes: u64,
}

/// The sets of positions in the modules. The other sets are too large for them.
const SETS: [&str; 2] = ["paper", "tuning"];

/// The content security policy, which is a header if there is a server: nothing from other sites, nothing inline.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self' \
                      'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'\">\n";

/// The files of a page without a server, except its modules: names and contents.
///
/// ```
/// use emtee_engine::Registry;
/// let files = emtee_web::standalone_page(&Registry::standard(), &[]);
/// assert!(files.iter().any(|(name, text)| *name == "index.html" && text.contains("data-search=\"inside\"")));
/// ```
pub fn standalone_page(registry: &Registry, modules: &[Module]) -> Vec<(&'static str, String)> {
    let mut about = about(registry);
    about["modules"] = serde_json::json!(modules);
    for game in about["games"].as_array_mut().into_iter().flatten() {
        let sets = game["sets"].as_array_mut();
        sets.into_iter().for_each(|sets| sets.retain(|set| SETS.iter().any(|known| set == known)));
    }
    let content = |name: &str, text: &str| match name {
        "index.html" => text
            .replace("<html lang=\"en\">", "<html lang=\"en\" data-search=\"inside\">")
            .replace("<meta charset=\"utf-8\">\n", &format!("<meta charset=\"utf-8\">\n{POLICY}")),
        _ => text.to_owned(),
    };
    let mut files: Vec<_> = ASSETS.iter().map(|(name, _, asset)| (*name, content(name, asset))).collect();
    files.push(("about.json", about.to_string()));
    files
}
