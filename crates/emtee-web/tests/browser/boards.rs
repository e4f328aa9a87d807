//! Boards: games by drag, by keyboard and with take-backs; arrows, slow responses, game records.

use serde_json::json;

use crate::client::Started;
use crate::driver::{Browser, Driver};
use crate::{DOWN, ESCAPE, LEFT, RIGHT, UP, open};

/// Mate in four moves: from and to, as rows and columns.
const MATE: [[(u8, u8); 2]; 7] = [
    [(6, 4), (4, 4)],
    [(1, 4), (3, 4)],
    [(7, 3), (3, 7)],
    [(0, 1), (2, 2)],
    [(7, 5), (4, 2)],
    [(0, 6), (2, 5)],
    [(3, 7), (1, 5)],
];

fn cell((row, column): (u8, u8)) -> String {
    format!("[data-row='{row}'][data-column='{column}']")
}

fn wait_for_plies(browser: &Browser, plies: usize) {
    browser.until("the move", &format!("document.querySelector('#board')?.dataset.plies === '{plies}'"));
}

fn assert_mate(browser: &Browser) {
    wait_for_plies(browser, 7);
    assert_eq!(browser.text("#status"), "White wins, by checkmate.");
    assert_eq!(browser.text("#moves"), "1.e4e52.Qh5Nc63.Bc4Nf64.Qxf7#");
    browser.assert_no_errors();
}

#[test]
#[ignore = "cargo xtask browser"]
fn a_game_by_drag_and_drop() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "#/games?game=chess");
    wait_for_plies(&browser, 0);
    let drag = |[from, to]: [(u8, u8); 2]| {
        let (start, end) = (browser.centre(&cell(from)), browser.centre(&cell(to)));
        browser.drag(&[start, ((start.0 + end.0) / 2.0, (start.1 + end.1) / 2.0), end]);
    };
    // An illegal move puts the piece back.
    drag([(7, 0), (3, 0)]);
    assert_eq!(browser.count("#board .ghost"), 0);
    for (ply, m) in MATE.into_iter().enumerate() {
        drag(m);
        wait_for_plies(&browser, ply + 1);
    }
    assert_mate(&browser);
}

/// Moves the focus of the board with the arrow keys.
fn walk(browser: &Browser, from: (u8, u8), to: (u8, u8)) {
    let mut keys = String::new();
    for (from, to, less, more) in [(from.0, to.0, UP, DOWN), (from.1, to.1, LEFT, RIGHT)] {
        keys += &if to < from { less } else { more }.repeat(from.abs_diff(to).into());
    }
    browser.press(&keys);
    assert_eq!(
        browser.run("const { row, column } = document.activeElement.dataset; return [Number(row), Number(column)]"),
        json!([to.0, to.1])
    );
}

#[test]
#[ignore = "cargo xtask browser"]
fn a_game_by_keyboard() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "#/games?game=chess");
    wait_for_plies(&browser, 0);
    let is_cell = "return document.activeElement.matches('.cell')";
    for _ in 0..40 {
        if browser.run(is_cell) == true {
            break;
        }
        browser.press("\u{e004}");
    }
    assert_eq!(browser.run(is_cell), true, "the tab key reaches the board");
    let focus = "const { row, column } = document.activeElement.dataset; return [Number(row), Number(column)]";
    let mut at: (u8, u8) = serde_json::from_value(browser.run(focus)).unwrap();
    for (ply, [from, to]) in MATE.into_iter().enumerate() {
        walk(&browser, at, from);
        browser.press(if ply % 2 == 0 { "\u{e007}" } else { " " });
        assert!(
            browser
                .run("return document.activeElement.getAttribute('aria-label')")
                .as_str()
                .unwrap()
                .ends_with("selected")
        );
        walk(&browser, from, to);
        browser.press("\u{e007}");
        wait_for_plies(&browser, ply + 1);
        at = to;
    }
    browser.press(ESCAPE);
    assert_mate(&browser);
}

#[test]
#[ignore = "cargo xtask browser"]
fn a_game_with_take_backs() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "#/games?game=connect4&engine=1&level=1");
    wait_for_plies(&browser, 0);
    let plies =
        || browser.run("return Number(document.querySelector('#board').dataset.plies)").as_u64().unwrap() as usize;
    let own_turn = "(document.querySelector('#board').dataset.turn === '0' && !document.querySelector('#status').textContent.includes('searching')) || document.querySelector('#board').dataset.over";
    let (mut took_back, mut turn) = (0, 0);
    let over = loop {
        browser.until("your turn", own_turn);
        let over = browser.run("return document.querySelector('#board').dataset.over");
        if over != "" {
            break over;
        }
        let before = plies();
        // The engine plays other columns; the same one is full after six discs.
        let column = browser.run(
            "return [...document.querySelectorAll(\"#board [data-row='0'].can\")].map((cell) => cell.dataset.column)",
        );
        let columns = column.as_array().unwrap();
        let column = columns[turn % columns.len()].as_str().unwrap();
        browser.click(&format!("[data-row='0'][data-column='{column}']"));
        browser.until("the move", &format!("Number(document.querySelector('#board').dataset.plies) > {before}"));
        browser.until("the answer", own_turn);
        turn += 1;
        if took_back < 3 && browser.run("return document.querySelector('#board').dataset.over") == "" {
            // Taking back removes the move and the answer, and the engine does not move again.
            browser.click("#take-back");
            wait_for_plies(&browser, before);
            std::thread::sleep(std::time::Duration::from_millis(300));
            assert_eq!(plies(), before, "the engine waits");
            assert_eq!(browser.count("#moves button") as usize, before);
            took_back += 1;
        }
    };
    assert_eq!(took_back, 3);
    assert!(over != "", "{over}");
    // Stepping back through the game does not make the engine move either.
    let end = plies();
    browser.press(&LEFT.repeat(3));
    wait_for_plies(&browser, end - 3);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(plies(), end - 3);
    browser.assert_no_errors();
}

#[test]
#[ignore = "cargo xtask browser"]
fn arrows_do_not_take_clicks() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "#/games?game=chess&analyse=1");
    browser.until(
        "an arrow",
        "document.querySelector('#board .arrows line') && document.querySelectorAll('#lines tr').length === 3",
    );
    // Both ends of the arrow of the best move: its squares.
    let ends = "const line = document.querySelector('#board .arrows line:last-of-type'); \
                const { a, d, e, f } = line.getScreenCTM(); const head = line.nextElementSibling.points[0]; \
                return [[line.x1.baseVal.value * a + e, line.y1.baseVal.value * d + f], [head.x * a + e, head.y * d + f]];";
    let [start, end]: [(f64, f64); 2] = serde_json::from_value(browser.run(ends)).unwrap();
    browser.drag(&[start]);
    browser.until("the selection", "document.querySelector('#board .from-mark')");
    browser.drag(&[end]);
    wait_for_plies(&browser, 1);
    browser.assert_no_errors();
}

#[test]
#[ignore = "cargo xtask browser"]
fn a_slow_response_is_dropped() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "#/games?game=chess&moves=e2e4,e7e5,g1f3,b8c6,f1b5,a7a6");
    wait_for_plies(&browser, 6);
    // The first response comes after those of the other three steps.
    browser.run(
        "const real = window.fetch; let asked = 0; window.fetch = async (...all) => { const first = asked++ === 0; \
         const answer = await real(all[0], { ...all[1], signal: undefined }); \
         if (first) { await new Promise((resolve) => setTimeout(resolve, 600)); window.slowDone = true; } return answer; }",
    );
    browser.press(&LEFT.repeat(4));
    wait_for_plies(&browser, 2);
    browser.until("the slow response", "window.slowDone");
    std::thread::sleep(std::time::Duration::from_millis(100));
    wait_for_plies(&browser, 2);
    assert_eq!(browser.text("#moves .now"), "e5");
    let position = browser.run("return document.querySelector('#paste').value");
    assert!(position.as_str().unwrap().starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w"), "{position}");
    assert!(browser.run("return location.hash").as_str().unwrap().ends_with("&at=2"));
    browser.assert_no_errors();
}

#[test]
#[ignore = "cargo xtask browser"]
fn comments_names_and_variations_of_a_record() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "#/games?game=chess");
    wait_for_plies(&browser, 0);
    let pgn = "[White \"Ada\"]\n[Black \"Ben\"]\n\n1. e4 e5 2. Nf3 $1 {attacks e5} Nc6 (2... d6 3. d4 (3. Bc4 Be7) exd4) 3. Bb5?! a6 *";
    browser.run(&format!("document.querySelector('#paste').value = {}", json!(pgn)));
    browser.click("#use-text");
    browser.until("the variations", "document.querySelectorAll('#moves .variation').length === 2");
    assert_eq!(browser.text("#names"), "Ada – Ben");
    assert_eq!(browser.text("#moves"), "1.e4e52.Nf3!attacks e52…Nc6(2…d63.d4(3.Bc4Be7)3…exd4)3.Bb5?!a6");
    // The moves of the line and the scores have their numbers and their side.
    browser.click("#analyse");
    browser
        .until("a line", "/^[+−]?[0-9]+[.][0-9][0-9]4[.]/.test(document.querySelector('#lines')?.textContent ?? '')");
    browser.click("#analyse");
    // The variations are in the address.
    browser.open(browser.run("return location.href").as_str().unwrap());
    browser.until("the variations again", "document.querySelectorAll('#moves .variation').length === 2");
    browser.assert_no_errors();
    // An error has the number of the move.
    browser.run("document.querySelector('#paste').value = '1. e4 e5 2. Nf3 Nc6 3. Qh7'");
    browser.click("#use-text");
    browser.until("the reason", "document.querySelector('.error:not([hidden])')?.textContent.startsWith('move 3: ')");
}

#[test]
#[ignore = "cargo xtask browser"]
fn the_search_tree_follows_its_board() {
    let (driver, server) = (Driver::start(), Started::new());
    let browser = open(&driver, &server, "#/search?game=connect4&depth=6");
    browser.until("the moves", "document.querySelectorAll('#search-tree [data-line]').length === 7");
    // Columns are aligned across levels, since all rows are in one table.
    browser.click("#search-tree [data-line='4'] button");
    browser.until("the moves below", "document.querySelectorAll(\"#search-tree [data-line^='4 ']\").length > 0");
    assert!(browser.count("#search-tree .mark.table") > 0, "table answers are marked");
    browser.run("document.querySelector(\"#search-tree [data-line^='4 ']\").click()");
    browser.until(
        "the line on the board",
        "document.querySelectorAll('#board .cell circle.disc-yellow, #board .cell circle.disc-red').length === 2",
    );
    // A move on the board is the next position that is searched.
    browser.click("[data-row='0'][data-column='6']");
    browser.until(
        "another search",
        "document.querySelectorAll('#board .cell circle.disc-yellow, #board .cell circle.disc-red').length === 3",
    );
    assert!(
        browser.run("return location.hash").as_str().unwrap().contains("moves=4+"),
        "{}",
        browser.run("return location.hash")
    );
    browser.assert_no_errors();
}
