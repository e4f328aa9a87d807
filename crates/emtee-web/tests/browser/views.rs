//! Every view: fits its window, is accessible, and is restored from its address.

use serde_json::json;

use crate::client::Started;
use crate::driver::{Browser, Driver};
use crate::fixtures::Folder;

/// A view: a name, an address, and a selector that matches when it is complete.
const VIEWS: [(&str, &str, &str); 16] = [
    ("tour", "#/trees?tour=4", "#tour"),
    ("tree", "#/trees?step=46&node=u", "#why-text"),
    ("trees", "#/trees?b=mtd-f&first=35&step=60&node=f", ".picture + .picture svg"),
    ("drive", "#/trees?drive=1000,41&step=46", ".driver"),
    ("large", "#/trees?random=4,4,60,1&step=50", ".overview:not([hidden])"),
    ("chess", "#/games?game=chess&moves=e2e4,e7e5(c7c5,g1f3),g1f3,b8c6&analyse=1", "#lines tr + tr + tr"),
    ("othello", "#/games?game=othello&moves=f5,d6,c3,d3,c4,f4,f6&analyse=1", "#lines tr + tr + tr"),
    ("checkers", "#/games?game=checkers&level=clock", "#board svg"),
    ("connect4", "#/games?game=connect4&moves=4,4,3", "#board svg"),
    ("kalah", "#/games?game=kalah&moves=3,6,2,1&analyse=1", "#lines tr + tr + tr"),
    ("race", "#/race?game=connect4&depth=8&run=1", "#race-table"),
    ("search", "#/search?game=connect4&depth=7&open=4,4_3&line=4_3", "#search-tree [data-line='4 3 4']"),
    ("report", "#/reports?name=small", "#report-page"),
    ("runs", "#/reports?name=small&tab=runs", "#report-chart [data-point]"),
    ("figures", "#/reports?name=small&tab=figures", ".figures-list img"),
    ("match", "#/reports?name=drivers", "#match-games"),
];

/// Opens a view and waits until it is complete.
fn open(browser: &Browser, server: &Started, (name, address, selector): (&str, &str, &str)) {
    browser.open(&format!("http://{}/{address}", server.address));
    browser.until(
        name,
        &format!("document.querySelector('main').dataset.view && document.querySelector({})", json!(selector)),
    );
}

/// Windows: a name, width, height, dark.
const LOOKS: [(&str, u32, u32, bool); 6] = [
    ("light", 1280, 900, false),
    ("phone", 390, 844, false),
    ("tablet", 768, 1024, false),
    ("dark", 1280, 900, true),
    ("phone-dark", 390, 844, true),
    ("tablet-dark", 768, 1024, true),
];

/// Every view fits its window on a desktop, a tablet and a phone, and its address has its state: its text is the same after
/// a reload. `EMTEE_SCREENSHOTS` names a folder for screenshots, also of the dark views.
#[test]
#[ignore = "cargo xtask browser"]
fn every_view_fits_and_is_restored() {
    let folder = Folder::with_reports("views");
    let (driver, server) = (Driver::start(), Started::with_reports(folder.path.clone()));
    let browser = driver.browser();
    browser.set_appearance(1280, 900, false);
    let screenshots = std::env::var_os("EMTEE_SCREENSHOTS").map(std::path::PathBuf::from);
    for view in VIEWS {
        let (name, address, complete) = view;
        open(&browser, &server, view);
        // Not the views whose text changes while a search runs.
        if !address.contains("analyse") && !address.contains("run=") {
            let text = "(document.querySelector('main').innerText.replace(/[0-9.]+ (µs|ms|s)\\b/g, ''))";
            let before = browser.until(name, text);
            let address = browser.run("return location.hash");
            open(&browser, &server, (name, address.as_str().unwrap(), complete));
            assert_eq!(browser.until(name, text), before, "{name}: {address}");
        }
        for &(look, width, height, dark) in &LOOKS[..if screenshots.is_some() { 6 } else { 3 }] {
            browser.set_appearance(width, height, dark);
            // Not innerWidth, which grows with the content on a phone.
            let content = browser.run("return document.documentElement.scrollWidth").as_i64().unwrap();
            let overflow = content - i64::from(width);
            assert!(overflow <= 0, "{name} is {overflow} pixels too wide for {look}");
            if let Some(folder) = &screenshots {
                open(&browser, &server, view);
                // Waits for animations to end.
                std::thread::sleep(std::time::Duration::from_millis(600));
                // A phone shows one screen: its buttons stay at the bottom of the window.
                let height = if width < 600 { 844.0 } else { 1_500.0 };
                std::fs::create_dir_all(folder).unwrap();
                std::fs::write(folder.join(format!("{name}-{look}.png")), browser.screenshot(height)).unwrap();
            }
        }
        browser.set_appearance(1280, 900, false);
    }
    browser.assert_no_errors();
}

/// axe-core finds no serious or critical violation in any view.
#[test]
#[ignore = "cargo xtask browser"]
fn accessible_every_view() {
    let script = std::env::var_os("EMTEE_AXE").expect("EMTEE_AXE names axe.min.js; cargo xtask browser sets it");
    let axe = std::fs::read_to_string(script).unwrap();
    let folder = Folder::with_reports("accessible");
    let (driver, server) = (Driver::start(), Started::with_reports(folder.path.clone()));
    let browser = driver.browser();
    browser.bypass_policy();
    let check = |options: &str| {
        format!(
            "const {{ violations }} = await axe.run(document, {{ {options} resultTypes: ['violations'] }}); \
             return violations.filter(({{ impact }}) => ['serious', 'critical'].includes(impact)) \
                 .map(({{ id, nodes }}) => `${{id}}: ${{nodes.map(({{ html }}) => html.slice(0, 120)).join(' | ')}}`);"
        )
    };
    for view in VIEWS {
        browser.set_appearance(1280, 900, false);
        open(&browser, &server, view);
        browser.run(&axe);
        for (dark, options) in [(false, ""), (true, "runOnly: ['color-contrast'],")] {
            // Dark differs only in its colours.
            browser.set_appearance(1280, 900, dark);
            let violations = browser.run_with(&check(options), &json!(null));
            assert_eq!(violations, json!([]), "{}, {}", view.0, if dark { "dark" } else { "light" });
        }
    }
    // A page that breaks the rules is noticed.
    browser.run("document.querySelector('#view').insertAdjacentHTML('beforeend', '<img src=\"icon.svg\"><input>')");
    assert_ne!(browser.run_with(&check(""), &json!(null)), json!([]));
}
