//! The page without a server gives the same results as the page with one, to the node.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use emtee_engine::Registry;
use serde_json::{Value, json};

use crate::driver::{Browser, Driver};
use crate::{GAMES, check_passes, play_to_the_end, wait_for_stepper, web_space};

/// The folder of the page that `cargo xtask page` has built.
fn page() -> PathBuf {
    let folder = std::env::var_os("EMTEE_PAGE").expect("EMTEE_PAGE names the folder; cargo xtask browser sets it");
    PathBuf::from(folder)
}

/// The response to a request in this process, as lines.
fn native(request: &str, body: &Value) -> Vec<Value> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let own = lines.clone();
    emtee_web::answer(&Arc::new(Registry::standard()), request, body.to_string().as_bytes(), move |line| {
        own.lock().unwrap().push(serde_json::from_slice(&line).unwrap());
    });
    let lines = lines.lock().unwrap();
    lines.clone()
}

/// The response in the page.
fn in_page(browser: &Browser, request: &str, body: &Value) -> Vec<Value> {
    let script = "const { requestLines } = await import(new URL('api.js', document.baseURI)); const lines = []; \
                  try { await requestLines(given[0], given[1], undefined, (line) => lines.push(line)); } \
                  catch (error) { lines.push({ error: error.message }); } return lines;";
    let lines = browser.run_with(script, &json!([request, body]));
    lines.as_array().unwrap().clone()
}

/// A response without its times.
fn without_times(mut lines: Vec<Value>) -> Vec<Value> {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, _| !["seconds", "seconds_pct"].contains(&name.as_str()));
                fields.values_mut().for_each(strip);
            }
            Value::Array(all) => all.iter_mut().for_each(strip),
            // JavaScript prints 100.0 as 100, and the last digit of a logarithm depends on the system.
            Value::Number(number) => *value = json!(number.as_f64().map(|number| format!("{number:.6}"))),
            _ => {}
        }
    }
    lines.iter_mut().for_each(strip);
    lines
}

#[test]
#[ignore = "cargo xtask browser"]
fn alone_the_papers_example_a_game_and_a_race() {
    let (driver, address) = (Driver::start(), web_space::serve(page()));
    let browser = driver.browser();
    browser.open(&address);
    wait_for_stepper(&browser);
    assert_eq!(browser.text("#step"), "step 0 of 90");
    for pass in 1..=4 {
        browser.click("#pass-forward");
        check_passes(&browser, pass);
    }
    assert_eq!(browser.count("nav [data-view='reports']"), 0, "a page without a server has no reports");
    for played in GAMES.iter().filter(|played| ["connect4", "chess"].contains(&played.game)) {
        play_to_the_end(&browser, &address, played);
    }
    // The module of chess is loaded on demand, and the list shows its size.
    assert!(browser.text("#game option[value='chess']").ends_with(" KB)"), "{}", browser.text("#game"));
    assert_eq!(browser.text("#game option[value='connect4']"), "connect4");

    browser.open(&format!("{address}#/race?game=kalah&depth=6&algorithms=mtd-f,sss"));
    browser.until("the race", "document.querySelector('#start')");
    browser.click("#start");
    browser.until("its end", "document.querySelector('#race-table')");
    let leaves = browser.text("#race-table [data-algorithm='mtd-f'] td:nth-child(2)").replace(',', "");
    let race = native("race", &json!({ "game": "kalah", "algorithms": ["mtd-f"], "depth": 6 }));
    assert_eq!(leaves, race.last().unwrap()["summary"][0]["leaves"].to_string());
    // Stopping a race ends its search.
    browser.open(&format!("{address}#/race?game=connect4&depth=30&algorithms=mtd-f"));
    browser.until("the race", "document.querySelector('#start')");
    browser.click("#start");
    browser.until("a lap", "document.querySelector('.lane')");
    browser.click("#start");
    browser.until("its end", "document.querySelector('#start').textContent === 'Start'");
    // Without a network the page goes on, and addresses restore its views: what it needs has been loaded.
    browser.open(&format!("{address}#/games?game=connect4"));
    browser.until("the board", "document.querySelector('#board svg')");
    browser.set_offline(true);
    let visit = |hash: &str| browser.run(&format!("location.hash = {}", json!(hash)));
    visit("#/trees?b=mtd-f&step=46&node=u");
    browser.until("two algorithms", "document.querySelectorAll('.picture').length === 2");
    assert_eq!(browser.text("#step"), "step 46 of 116", "the longer of the two, MTD-f");
    visit("#/games?game=connect4&moves=4,4,3&at=2&engine=1&level=2");
    browser.until("two moves", "document.querySelector('#board')?.dataset.plies === '2'");
    browser.click("[data-row='0'][data-column='0']");
    browser.until("the answer", "document.querySelector('#board').dataset.plies === '4'");
    visit("#/race?game=kalah&depth=5&algorithms=mtd-f&run=1");
    browser.until("a race", "document.querySelector('#race-table')");
    browser.set_offline(false);
    browser.open(&format!("{address}#/search?game=connect4&depth=6"));
    browser.until("the error", "document.querySelector('.error')?.textContent.includes('emtee serve')");
    browser.assert_no_errors();
}

#[test]
#[ignore = "cargo xtask browser"]
fn alone_the_counts_are_those_of_the_program() {
    let (driver, address) = (Driver::start(), web_space::serve(page()));
    let browser = driver.browser();
    browser.open(&address);
    wait_for_stepper(&browser);
    let all = ["sss", "dual", "mtd-f", "mtd-bi", "mtd-step", "mtd-best", "negascout", "alpha-beta", "minimax"];
    let mut requests = vec![
        ("tree", json!({ "runs": all[..4].iter().map(|name| json!({ "algorithm": name })).collect::<Vec<_>>() })),
        (
            "tree",
            json!({ "random": { "width": 3, "depth": 5, "order": 60, "seed": 7 }, "runs": [{ "algorithm": "mtd-f", "entries": 16 }] }),
        ),
        ("position", json!({ "game": "chess", "moves": ["e4", "e5", "Nf3"] })),
        ("read", json!({ "game": "checkers", "text": "1. 11-15 23-19" })),
        ("write", json!({ "game": "othello", "moves": ["f5", "d6"], "names": ["a", "b"] })),
        ("position", json!({ "game": "kalah", "moves": ["9"] })),
    ];
    for (game, depth) in
        [("chess", 4), ("othello", 5), ("checkers", 7), ("connect4", 8), ("kalah", 6), ("tictactoe", 9)]
    {
        requests.push(("race", json!({ "game": game, "algorithms": all, "depth": depth })));
        // A page without a server has no networks, only the games' own evaluations.
        requests.push(("analyse", json!({ "game": game, "depth": depth, "lines": 2, "evaluator": "own" })));
        requests.push(("play", json!({ "game": game, "level": 3, "seed": 5, "evaluator": "own" })));
    }
    let about = browser.run_with("return (await fetch('about.json')).json();", &json!([]));
    for game in about["games"].as_array().unwrap() {
        for set in game["sets"].as_array().unwrap() {
            requests.push(("race", json!({ "game": game["name"], "set": set, "algorithms": ["mtd-f"], "depth": 2 })));
        }
    }
    for (request, body) in requests {
        let (native, in_page) =
            (without_times(native(request, &body)), without_times(in_page(&browser, request, &body)));
        assert!(!native.is_empty());
        assert_eq!(native, in_page, "{request} {body}");
    }
    browser.assert_no_errors();
}

/// Searches that take about a second each in the program.
const LONG: [(&str, u8); 5] = [("chess", 9), ("othello", 15), ("checkers", 17), ("connect4", 18), ("kalah", 18)];

#[test]
#[ignore = "cargo xtask page --speed"]
fn speed_of_the_page() {
    let (driver, address) = (Driver::start(), web_space::serve(page()));
    let browser = driver.browser();
    browser.open(&address);
    wait_for_stepper(&browser);
    println!("nodes per second in the program and in the page; the pair with the median ratio of 5 pairs");
    for (game, depth) in LONG {
        let body = json!({ "game": game, "algorithms": ["aspiration-negascout"], "depth": depth });
        let speed = |lines: Vec<Value>| {
            let sum = &lines.last().unwrap()["summary"][0];
            sum["nodes"].as_f64().unwrap() / sum["seconds"].as_f64().unwrap()
        };
        let pairs = (0..5).map(|_| (speed(native("race", &body)), speed(in_page(&browser, "race", &body))));
        let mut pairs: Vec<(f64, f64)> = pairs.collect();
        pairs.sort_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)));
        let (program, page) = pairs[2];
        println!("{game:9} depth {depth:2}: {program:10.0} {page:10.0}  {:.2} of the program", page / program);
    }
}
