//! The guided tour, from the first visit to the exercise.

use crate::client::Started;
use crate::driver::{Browser, Driver};
use crate::{ESCAPE, open, wait_for_stepper};

/// The title of each step, the step of the search, and the frame around the part of the view that it describes.
const STEPS: [(&str, &str, &str); 7] = [
    ("1 of 7 MAX and MIN nodes", "step 0 of 90", ".legend"),
    ("2 of 7 What γ asks", "step 1 of 90", "#narration"),
    ("3 of 7 Why this leaf was cut off", "step 28 of 90", "#panel-why"),
    ("4 of 7 What the table saves in pass 2", "step 46 of 90", "#panel-table"),
    ("5 of 7 When it ends", "step 90 of 90", "#totals"),
    ("6 of 7 What a driver is", "step 90 of 90", ".code"),
    ("7 of 7 Exercise: be the driver", "step 0 of 0", ".driver"),
];

fn wait_for_step(browser: &Browser, number: usize) {
    let condition = format!("document.querySelector('#tour h2')?.textContent.startsWith('{number} of')");
    browser.until("the step", &condition);
    let (title, step, part) = STEPS[number - 1];
    assert_eq!(browser.text("#tour h2"), title);
    browser.until(title, &format!("document.querySelector('#step')?.textContent === '{step}'"));
    let frame = format!("return getComputedStyle(document.querySelector('{part}')).outlineStyle");
    assert_eq!(browser.run(&frame), "solid", "{title}: {part} has a frame");
}

#[test]
#[ignore = "cargo xtask browser"]
fn the_whole_tour() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "");
    for number in 1..=6 {
        wait_for_step(&browser, number);
        match number {
            3 => assert!(
                browser.text("#why-text").starts_with("The leaf n was cut off"),
                "{}",
                browser.text("#why-text")
            ),
            4 => assert_eq!(browser.count("[data-status='answered'] .marked"), 3),
            5 => assert!(browser.text("#narration").ends_with("f⁻ = f⁺ = 35: the value is found.")),
            _ => {}
        }
        browser.click("#tour-next");
    }
    wait_for_step(&browser, 7);
    assert!(browser.text("#tour p").contains("needs 5 passes"), "{}", browser.text("#tour p"));
    // The value is 24: two passes prove it.
    for (bound, passes) in [("24", 1), ("25", 2)] {
        browser.set("#gamma", bound);
        browser.click("#call-mt");
        browser.until("the pass", &format!("document.querySelectorAll('.pass').length === {passes}"));
    }
    browser.until("the value", "document.querySelector('.driver').textContent.includes('f⁻ = f⁺ = 24')");
    assert!(browser.text("#tour p").contains("You needed 2"), "{}", browser.text("#tour p"));
    browser.click("#tour-guess");
    browser.until("MTD-f", "document.querySelector('#a').value === 'mtd-f'");
    browser.until("five passes", "document.querySelectorAll('.pass').length === 5");
    browser.set("#first", "24");
    browser.until("a better guess", "document.querySelector('#step').textContent.startsWith('step 0')");
    browser.click("#last");
    assert_eq!(browser.count(".pass"), 2);
    browser.click("#tour-end");
    browser.until("the end", "!document.querySelector('#tour')");
    browser.assert_no_errors();
}

#[test]
#[ignore = "cargo xtask browser"]
fn the_tour_is_skipped_resumed_and_linked() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "#/trees?tour=3");
    wait_for_step(&browser, 3);
    browser.click("#tour-back");
    wait_for_step(&browser, 2);
    // A later visit does not begin again; the button resumes.
    browser.open(&format!("http://{}/", server.address));
    wait_for_stepper(&browser);
    assert_eq!(browser.count("#tour"), 0);
    browser.click("#start-tour");
    wait_for_step(&browser, 2);
    browser.click("#tour-end");
    browser.until("skipped", "!document.querySelector('#tour')");
    browser.open(&format!("http://{}/", server.address));
    wait_for_stepper(&browser);
    assert_eq!(browser.count("#tour"), 0);
    // The symbols are explained, with a link to the chapter of the book.
    browser.click("#symbols summary");
    assert!(browser.text("#symbols").contains("γ = bound − ε"));
    let chapter =
        browser.run_with("return (await fetch(document.querySelector('#symbols a').href)).text();", &().into());
    assert!(chapter.as_str().unwrap().starts_with("# MT explained"));
    // A value that is no integer is refused.
    browser.run("document.querySelector('details.editor').open = true");
    browser.run("document.querySelector('#tree-text').value = '((41.5 2) (3 4))'");
    browser.click("#use-tree");
    browser.until(
        "the reason",
        "document.querySelector('.error:not([hidden])')?.textContent.includes('expected an integer')",
    );
    browser.press(ESCAPE);
}

/// A tree of 256 leaves is shown whole, enlarged, and scrolled to the current node.
#[test]
#[ignore = "cargo xtask browser"]
fn a_large_tree_has_an_overview() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "#/trees?random=4,4,60,1");
    wait_for_stepper(&browser);
    let hidden = "const frame = document.querySelector('.scroll'); return frame.scrollWidth - frame.clientWidth";
    assert!(browser.run(hidden).as_f64().unwrap() > 5_000.0);
    assert_eq!(browser.count(".overview:not([hidden]) .dot"), 341);
    browser.open(&format!("http://{}/#/trees?random=4,4,60,1&step=300", server.address));
    wait_for_stepper(&browser);
    let inside = "const box = document.querySelector('.node.current').getBoundingClientRect(); \
                  const frame = document.querySelector('.scroll').getBoundingClientRect(); \
                  return box.left >= frame.left && box.right <= frame.right";
    assert_eq!(browser.run(inside), true);
    browser.click("#zoom-fit");
    assert!(browser.run(hidden).as_f64().unwrap() <= 1.0);
    assert!(browser.run("return location.hash").as_str().unwrap().contains("zoom=fit"));
    browser.click("#zoom-in");
    assert!(browser.run(hidden).as_f64().unwrap() > 50.0);
    // On a phone the buttons stay in the window, and the tree scrolls to the current node.
    browser.set_appearance(390, 844, false);
    browser.open(&format!("http://{}/#/trees?step=80", server.address));
    wait_for_stepper(&browser);
    assert_eq!(browser.run(inside), true);
    let reach = "return document.querySelector('#forward').getBoundingClientRect().bottom <= innerHeight";
    assert_eq!(browser.run(reach), true);
    browser.assert_no_errors();
}
