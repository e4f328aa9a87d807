//! The explorer in a real browser. These tests need chromium and chromedriver: `cargo xtask browser` installs and runs them.

mod boards;
#[path = "../client/mod.rs"]
mod client;
mod driver;
mod fixtures;
mod standalone;
mod tour;
mod views;
mod web_space;

use client::Started;
use driver::{Browser, Driver};
use emtee_games::tree::Tree;
use emtee_web::{Recording, Run, stepper};
use fixtures::Folder;
use serde_json::{Value, json};

/// W3C code points of keys without a character.
const RIGHT: &str = "\u{e014}";
const LEFT: &str = "\u{e012}";
const UP: &str = "\u{e013}";
const DOWN: &str = "\u{e015}";
const END: &str = "\u{e010}";
const HOME: &str = "\u{e011}";
const ESCAPE: &str = "\u{e00c}";

/// γ, g and the new leaves of the four passes of SSS* on the paper's tree (section 2.2).
const PASSES: [(&str, &str, &str); 4] =
    [("+∞", "41", "e=41 g=12 k=34 m=36"), ("40.5", "36", "n=5"), ("35.5", "35", "o=35"), ("34.5", "35", "r=50 s=36")];

/// The bounds of nodes after each pass, as in figures 4 to 7.
const BOUNDS: [&[(&str, &str)]; 4] = [
    &[
        ("a", "≤ 41"),
        ("b", "≤ 41"),
        ("c", "≤ 41"),
        ("d", "≤ 41"),
        ("f", "≤ 12"),
        ("h", "≤ 36"),
        ("j", "≤ 34"),
        ("l", "≤ 36"),
    ],
    &[("a", "≤ 36"), ("b", "≤ 12"), ("c", "≤ 12"), ("d", "≤ 5"), ("h", "≤ 36")],
    &[("a", "≤ 35"), ("h", "≤ 35"), ("i", "≤ 35"), ("l", "≤ 35")],
    &[("a", "= 35"), ("h", "= 35"), ("i", "= 35"), ("p", "≥ 36"), ("q", "≥ 36")],
];

fn open<'d>(driver: &'d Driver, server: &Started, path: &str) -> Browser<'d> {
    let browser = driver.browser();
    browser.open(&format!("http://{}/{path}", server.address));
    browser
}

fn wait_for_stepper(browser: &Browser) {
    browser.until("the stepper", "document.querySelector('#step')?.textContent");
}

/// The passes on the page: γ, g, new leaves.
fn shown_passes(browser: &Browser) -> Vec<[String; 3]> {
    let script = "return [...document.querySelectorAll('.pass')].map((pass) => [pass.dataset.gamma, pass.dataset.g, pass.dataset.leaves])";
    serde_json::from_value(browser.run(script)).unwrap()
}

fn check_passes(browser: &Browser, passes: usize) {
    let expected: Vec<[String; 3]> =
        PASSES[..passes].iter().map(|(a, b, c)| [a, b, c].map(|text| (*text).to_owned())).collect();
    assert_eq!(shown_passes(browser), expected);
    for (name, bound) in BOUNDS[passes - 1] {
        assert_eq!(&browser.text(&format!("[data-bound='{name}']")), bound, "{name} after pass {passes}");
    }
}

#[test]
#[ignore = "cargo xtask browser"]
fn the_papers_example_pass_by_pass() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "");
    wait_for_stepper(&browser);
    // It starts paused, at the first step.
    assert_eq!((browser.text("#step").as_str(), browser.count(".pass")), ("step 0 of 90", 0));
    assert_eq!(browser.count("[data-status='unseen']"), 31);
    for pass in 1..=4 {
        browser.click("#pass-forward");
        check_passes(&browser, pass);
        let g = PASSES[pass - 1].1;
        assert!(
            browser.text("#narration").starts_with(&format!("Pass {pass} returns g = {g} ")),
            "{}",
            browser.text("#narration")
        );
    }
    assert_eq!(browser.text("#totals"), "8 leaves · 23 interior · 10 table answers · f = 35");
    // The OPEN list ends with the root, solved.
    assert_eq!(browser.text("#panel-open tr:nth-child(2)"), "asolved35");
    browser.assert_no_errors();
}

#[test]
#[ignore = "cargo xtask browser"]
fn the_papers_example_node_by_node() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "");
    wait_for_stepper(&browser);
    let mut leaves = Vec::new();
    for step in 1..=90 {
        browser.press(RIGHT);
        assert_eq!(browser.text("#step"), format!("step {step} of 90"));
        let narration = browser.text("#narration");
        if let Some(rest) = narration.strip_prefix("The leaf ") {
            leaves.push(rest.trim_end_matches('.').replace(" is evaluated: ", "="));
        }
        assert!(browser.count(".code .lit") >= 1, "step {step}: a line is highlighted");
    }
    assert_eq!(leaves.join(" "), "e=41 g=12 k=34 m=36 n=5 o=35 r=50 s=36");
    check_passes(&browser, 4);
    browser.assert_no_errors();
}

#[test]
#[ignore = "cargo xtask browser"]
fn the_open_list_is_that_of_sss() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "");
    wait_for_stepper(&browser);
    // After the first pass the list has the four leaves of the solution tree, by merit. SSS* takes the first.
    browser.press(DOWN);
    let list = "[...document.querySelectorAll('#panel-open tr')].slice(1).map((row) => [...row.children].map((cell) => cell.textContent).join(' ')).join(', ')";
    assert_eq!(browser.run(&format!("return {list}")), json!("e solved 41, m solved 36, k solved 34, g solved 12"));
    browser.press(DOWN);
    assert_eq!(browser.run(&format!("return {list}")), json!("m solved 36, k solved 34, g solved 12, n solved 5"));
    browser.press(DOWN);
    assert_eq!(browser.run(&format!("return {list}")), json!("o solved 35, k solved 34, g solved 12, n solved 5"));
}

#[test]
#[ignore = "cargo xtask browser"]
fn a_chosen_node_is_explained() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "#/trees?step=90&node=u");
    wait_for_stepper(&browser);
    let why = "The MAX node u was not visited, because the table answered for the MIN node b: f⁺ = 12 < γ = 34.5.";
    assert_eq!(browser.text("#why-text"), why);
    browser.open(&format!("http://{}/#/trees?a=alpha-beta&step=200&node=aa", server.address));
    wait_for_stepper(&browser);
    let why = "The leaf aa lies below y, which was cut off: the MAX node u was finished because its child v is worth 80, \
               at least β = 12, so MIN avoids this node.";
    assert_eq!(browser.text("#why-text"), why);
    browser.assert_no_errors();
}

#[test]
#[ignore = "cargo xtask browser"]
fn two_algorithms_side_by_side() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "#/trees?b=dual");
    wait_for_stepper(&browser);
    browser.press(END);
    assert_eq!(browser.count(".picture"), 2);
    let alone = browser.text("#panel-difference tr:nth-child(2)");
    assert!(alone.starts_with("only dual"), "{alone}");
    let evaluated = "return [0, 1].map((run) => document.querySelectorAll(`[data-run='${run}'] .node .value`).length)";
    assert_eq!(browser.run(evaluated), json!([16, 16]));
    assert!(browser.text(".strips").contains("8 leaves") && browser.text(".strips").contains("12 leaves"));
    browser.assert_no_errors();
}

#[test]
#[ignore = "cargo xtask browser"]
fn driving_editing_and_a_small_table() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "");
    wait_for_stepper(&browser);
    browser.click("#drive");
    for (bound, passes) in [("1000", 1), ("41", 2), ("36", 3), ("35", 4)] {
        browser.until("the field of γ", "document.querySelector('#gamma')");
        browser.set("#gamma", bound);
        browser.click("#call-mt");
        browser.until("the pass", &format!("document.querySelectorAll('.pass').length === {passes}"));
    }
    check_passes(&browser, 4);
    assert!(browser.text(".driver").contains("you have found the value in 4 passes"));

    // Another value of a leaf makes another tree, which is searched again.
    browser.open(&format!("http://{}/#/trees?node=o&step=90", server.address));
    wait_for_stepper(&browser);
    browser.set("#leaf-value", "99");
    browser.until("the new value", "document.querySelector('#totals')?.textContent.includes('f = 36')");
    assert!(browser.run("return location.hash").as_str().unwrap().contains("tree="));

    // A table of four entries replaces leaves, which are evaluated again.
    browser.open(&format!("http://{}/#/trees?entries=4&step=5000", server.address));
    wait_for_stepper(&browser);
    assert!(browser.text("#totals").contains("evaluated again"), "{}", browser.text("#totals"));

    // A text that cannot be read gives an error, and the old tree stays.
    browser.run("document.querySelector('details.editor').open = true");
    browser.run("document.querySelector('#tree-text').value = '((1 2'");
    browser.click("#use-tree");
    browser.until("the reason", "document.querySelector('.error:not([hidden])')?.textContent.includes('not closed')");
}

#[test]
#[ignore = "cargo xtask browser"]
fn the_stepper_works_by_keyboard() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "");
    wait_for_stepper(&browser);
    let step = || browser.text("#step");
    for (keys, expected) in [
        (RIGHT, "step 1 of 90"),
        (RIGHT, "step 2 of 90"),
        (LEFT, "step 1 of 90"),
        (END, "step 90 of 90"),
        (HOME, "step 0 of 90"),
    ] {
        browser.press(keys);
        assert_eq!(step(), expected);
    }
    browser.press(DOWN);
    let after_first = step();
    assert_eq!(shown_passes(&browser).len(), 1);
    browser.press(DOWN);
    browser.press(UP);
    assert_eq!(step(), after_first);
    browser.press(HOME);
    browser.press(" ");
    browser.until("playing", "document.querySelector('#step').textContent.startsWith('step 3 ')");
    browser.press(" ");
    let stopped = step();
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert_eq!(step(), stopped, "the space bar pauses");
    browser.press("n");
    assert!(browser.text("#panel-why").starts_with("Why is a in this state?"));
    browser.press("?");
    assert!(browser.text("dialog").contains("one step back or forward"));
    browser.press(ESCAPE);
    browser.until("the dialog is closed", "!document.querySelector('dialog')");
    // The address restores the state.
    let address = browser.run("return location.href");
    browser.open(address.as_str().unwrap());
    wait_for_stepper(&browser);
    assert_eq!(step(), stopped);
    browser.press("gg");
    browser.until("the games", "document.querySelector('#board svg')");
    browser.assert_no_errors();
}

/// Cells to click one after the other: rows and columns.
type Clicks = &'static [(u8, u8)];

/// A game that is played to its end: its start position as it is in an address, if it is not the game's own, a level at which
/// the game is short, and the clicks of the first move.
struct Played {
    game: &'static str,
    position: Option<&'static str>,
    level: u8,
    clicks: Clicks,
}

/// The games. Chess and checkers begin with few pieces, so that they are short.
const GAMES: [Played; 6] = [
    Played { game: "chess", position: Some("6k1/R7/1R6/8/8/8/4P3/4K3+w+-+-+0+1"), level: 1, clicks: &[(6, 4), (4, 4)] },
    Played { game: "othello", position: None, level: 1, clicks: &[(4, 5)] },
    Played { game: "checkers", position: Some("B:W31,32:B1,2,3,K10,K11"), level: 6, clicks: &[(0, 1), (1, 2)] },
    Played { game: "connect4", position: None, level: 1, clicks: &[(0, 3)] },
    Played { game: "kalah", position: None, level: 1, clicks: &[(2, 3)] },
    Played { game: "tictactoe", position: None, level: 1, clicks: &[(1, 1)] },
];

/// Plays a game in the page to its end, the first move by clicking. Returns its moves and its result.
fn play_to_the_end(browser: &Browser, address: &str, played: &Played) -> (Value, Value) {
    let Played { game, position, level, clicks } = *played;
    let position = position.map_or(String::new(), |position| format!("&position={position}"));
    browser.open(&format!("{address}#/games?game={game}{position}&level={level}"));
    browser.until(game, "document.querySelector('#board svg')");
    for (row, column) in clicks {
        browser.click(&format!("[data-row='{row}'][data-column='{column}']"));
    }
    browser.until(game, "document.querySelector('#board').dataset.plies === '1'");
    // Then the engine plays both sides.
    browser.set("#engine", "both");
    let over = browser.until(game, "document.querySelector('#board').dataset.over");
    // The address is updated later than the board if moves are fast.
    let written = "new URLSearchParams(location.hash.split('?')[1]).get('moves').split(',').length";
    browser.until(game, &format!("{written} === Number(document.querySelector('#board').dataset.plies)"));
    let status = browser.text("#status");
    assert!(status.contains("wins") || status.contains("draw"), "{game}: {status}");
    (browser.run("return new URLSearchParams(location.hash.split('?')[1]).get('moves').split(',')"), over)
}

#[test]
#[ignore = "cargo xtask browser"]
fn a_game_of_each_kind_to_its_end() {
    let (driver, server) = (Driver::start(), Started::new());
    let client = server.client();
    let browser = driver.browser();
    for played in &GAMES {
        let (moves, over) = play_to_the_end(&browser, &format!("http://{}/", server.address), played);
        let (game, position) = (played.game, played.position.map(|position| position.replace('+', " ")));
        let answer =
            client.post("position", &json!({ "game": game, "position": position, "moves": moves }).to_string());
        assert_eq!(answer.status, 200, "{game}: {}", answer.body);
        let position = answer.json();
        assert_eq!(position["ending"]["result"], over, "{game}");
        assert_eq!(position["line"].as_array().unwrap().len(), moves.as_array().unwrap().len(), "{game}");
    }
    browser.assert_no_errors();
}

/// A game without a drawing is drawn from its text, and played like the others.
#[test]
#[ignore = "cargo xtask browser"]
fn a_game_of_your_own() {
    let (driver, server) = (Driver::start(), Started::with_game::<emtee_games::othello::Board>("own"));
    let browser = open(&driver, &server, "#/games?game=own");
    browser.until("the board", "document.querySelectorAll('#board svg .cell').length === 64");
    browser.click("[data-row='4'][data-column='5']");
    browser.until("a move", "document.querySelector('#board').dataset.plies === '1'");
    browser.set("#engine", "1");
    browser.until("the answer", "document.querySelector('#board').dataset.plies === '2'");
    browser.assert_no_errors();
}

#[test]
#[ignore = "cargo xtask browser"]
fn analysis_pasting_and_saving() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "#/games?game=chess");
    browser.until("the board", "document.querySelector('#board svg')");
    browser.run("document.querySelector('#paste').value = '1. f3 e5 2. g4'");
    browser.click("#use-text");
    browser.until("the moves", "document.querySelector('#board').dataset.plies === '3'");
    assert_eq!(browser.text("#moves").replace(char::is_whitespace, ""), "1.f3e52.g4");
    browser.click("#analyse");
    browser.until("the mate", "document.querySelector('#lines')?.textContent.startsWith('Black mates in 1')");
    assert!(browser.text("#lines").contains("2…Qh4#"), "{}", browser.text("#lines"));
    assert!(browser.count(".arrow") >= 1);
    browser.click("#analyse");
    // One move back and a different move: a variation.
    browser.click("#undo");
    browser.until("one back", "document.querySelector('#board').dataset.plies === '2'");
    for (row, column) in [(6, 4), (4, 4)] {
        browser.click(&format!("[data-row='{row}'][data-column='{column}']"));
    }
    browser.until("a variation", "document.querySelector('.variation')?.textContent.includes('e4')");
    browser.run("document.querySelector('#paste').value = 'no position at all'");
    browser.click("#use-text");
    browser.until("the reason", "document.querySelector('.error:not([hidden])')?.textContent");
}

#[test]
#[ignore = "cargo xtask browser"]
fn positions_are_set_up_by_clicking() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "#/games?game=connect4");
    browser.until("the board", "document.querySelector('#board svg')");
    browser.click("#setup");
    browser.click("[data-row='5'][data-column='1']");
    browser.click("#use-setup");
    browser.until("the new position", "document.querySelector('#status').textContent === 'Red to move'");
    assert!(browser.run("return location.hash").as_str().unwrap().contains("-X-----"));
    // Pieces that change a number; every position has 48 seeds.
    browser.open(&format!("http://{}/#/games?game=kalah", server.address));
    browser.until("the board", "document.querySelector('#board svg')");
    browser.click("#setup");
    browser.click("[data-row='2'][data-column='1']");
    browser.click("[data-piece='1']");
    browser.click("[data-row='2'][data-column='2']");
    browser.click("#use-setup");
    browser.until("the new position", "decodeURIComponent(location.hash).includes('5,3,4,4,4,4,0')");
    browser.assert_no_errors();
}

#[test]
#[ignore = "cargo xtask browser"]
fn a_race_and_a_search_tree() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "#/race?game=connect4&depth=7&algorithms=mtd-f,sss,alpha-beta");
    browser.until("the race", "document.querySelector('#start')");
    browser.click("#start");
    browser.until("its end", "document.querySelector('#race-table')");
    let rows = browser.run(
        "return [...document.querySelectorAll('#race-table tbody tr')].map((row) => [row.dataset.algorithm, ...[...row.children].map((cell) => cell.textContent)])",
    );
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 4);
    let values: Vec<&Value> = rows.iter().map(|row| &row[9]).collect();
    assert!(
        values.iter().all(|value| *value == values[0] && *value != ""),
        "every algorithm finds the same value: {rows:?}"
    );
    let baseline = rows.iter().find(|row| row[0].as_str().unwrap().starts_with("aspiration")).unwrap();
    assert_eq!((&baseline[3], &baseline[5]), (&json!("100.0 %"), &json!("100.0 %")));

    browser.open(&format!("http://{}/#/search?game=connect4&depth=6", server.address));
    browser.until("the root's moves", "document.querySelectorAll('#search-tree [data-line]').length === 7");
    browser.click("#search-tree [data-line='4'] button");
    browser.until("the moves below", "document.querySelectorAll(\"#search-tree [data-line^='4 ']\").length > 0");
    browser.assert_no_errors();
}

#[test]
#[ignore = "cargo xtask browser"]
fn reports_are_opened() {
    let folder = Folder::with_reports("reports");
    let (driver, server) = (Driver::start(), Started::with_reports(folder.path.clone()));
    let browser = open(&driver, &server, "#/reports");
    browser.until("the list", "document.querySelectorAll('[data-folder]').length === 2");
    browser.click("[data-folder='small']");
    browser.until("the page", "document.querySelector('#report-page')?.textContent.includes('Figure 11')");
    browser.click("[data-tab='runs']");
    browser.until("the chart", "document.querySelectorAll('#report-chart [data-point]').length > 5");
    browser.run("document.querySelector('#report-chart [data-point]').dispatchEvent(new Event('pointerenter'))");
    assert!(browser.text("#tip").contains("% of the baseline"), "{}", browser.text("#tip"));
    browser.set("#report-metric", "nodes");
    browser.until("nodes", "document.querySelector('#report-chart').textContent.includes('nodes, %')");
    // The address restores the tab and the choices.
    browser.open(browser.run("return location.href").as_str().unwrap());
    browser.until("nodes again", "document.querySelector('#report-chart')?.textContent.includes('nodes, %')");
    browser.click("[data-tab='figures']");
    browser.until(
        "the figures",
        "[...document.querySelectorAll('.figures-list img')].some((img) => img.complete && img.naturalWidth > 0)",
    );
    browser.click("[data-folder='drivers']");
    browser.until("the games of the match", "document.querySelectorAll('#match-games tbody tr').length === 2");
    assert!(browser.text("#cross").contains("+1 =0 −0"), "{}", browser.text("#cross"));
    browser.click("#match-games a");
    browser.until("a game to replay", "document.querySelector('#board')?.dataset.plies === '7'");
    browser.assert_no_errors();
}

#[test]
#[ignore = "cargo xtask browser"]
fn the_stepper_as_one_file() {
    let folder = Folder::new("file");
    let runs = ["sss", "mtd-f"].map(|name| Run::by(name.parse().unwrap()));
    let recording = Recording::of(&Tree::paper(), &runs[..1]).unwrap();
    let file = folder.path.join("lecture.html");
    std::fs::write(&file, stepper(&recording, "SSS* on <the> paper's tree")).unwrap();
    let driver = Driver::start();
    let browser = driver.browser();
    browser.open(&format!("file://{}", file.display()));
    wait_for_stepper(&browser);
    assert_eq!(browser.text("h1"), "SSS* on <the> paper's tree");
    assert_eq!(browser.text("#step"), "step 0 of 90");
    for pass in 1..=4 {
        browser.press(DOWN);
        check_passes(&browser, pass);
    }
    browser.press("?");
    assert!(browser.text("dialog").contains("play or pause"));
    browser.assert_no_errors();

    std::fs::write(&file, stepper(&Recording::of(&Tree::paper(), &runs).unwrap(), "two")).unwrap();
    browser.open(&format!("file://{}", file.display()));
    wait_for_stepper(&browser);
    browser.press(END);
    assert_eq!(browser.count(".picture"), 2);
    browser.assert_no_errors();
}

/// The page asks again if the server is busy, which it knows by the status, and only then.
#[test]
#[ignore = "cargo xtask browser"]
fn a_busy_server_is_asked_again() {
    let (server, driver) = (Started::new(), Driver::start());
    let browser = open(&driver, &server, "");
    browser.run(
        r#"const answers = [429, 429, 200];
        window.asked = 0;
        window.fetch = async () => {
          const status = answers[window.asked++] ?? 500;
          return new Response(status === 200 ? '{"done":1}\n' : '{"error":"no room"}', { status });
        };
        window.lines = [];
        import("/api.js").then(async ({ requestLines }) => {
          await requestLines("play", {}, undefined, (line) => window.lines.push(line.done));
          window.failed = await requestLines("play", {}, undefined, () => {}).catch((error) => error.status);
        });"#,
    );
    browser.until("the answers", "window.failed");
    assert_eq!(browser.run("return [window.asked, window.lines, window.failed]"), json!([4, [1], 500]));
}
