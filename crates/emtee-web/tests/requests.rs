//! Bad requests to the server: each gets a clear 4xx, never a 5xx, never a panic.

mod client;

use std::time::{Duration, Instant};

use client::{Client, Started};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

/// The status and the error of a request.
fn refused(client: &Client, request: &str, body: Value) -> (u16, String) {
    let answer = client.post(request, &body.to_string());
    let error = answer.json()["error"].as_str().unwrap_or_default().to_owned();
    assert!(!error.contains('\n') && error.len() <= 2_000, "{error}");
    (answer.status, error)
}

#[test]
fn invalid_requests_are_refused_in_one_line() {
    let server = Started::new();
    let client = server.client();
    let send = |request: &str, body: Value| refused(&client, request, body);
    for (request, body, expected) in [
        (
            "tree",
            json!({ "tree": "((41 5", "runs": [] }),
            "line 1, column 2: this list is not closed: a ')' is missing",
        ),
        ("tree", json!({ "runs": [{ "algorithm": "mtd-g" }] }), "there is no algorithm 'mtd-g'; did you mean 'mtd-f'?"),
        (
            "tree",
            json!({ "runs": [{ "algorithm": "sss", "first": 3 }] }),
            "sss does not begin with a guess; leave it out",
        ),
        ("tree", json!({ "tree": "7", "runs": [] }), "the tree is a single leaf: there is nothing to search"),
        (
            "tree",
            json!({ "random": { "width": 9, "depth": 9, "order": 1, "seed": 1 }, "runs": [] }),
            "a tree of width 9 and depth 9 cannot be drawn",
        ),
        ("position", json!({ "game": "ches" }), "there is no game 'ches'; did you mean 'chess'?"),
        (
            "position",
            json!({ "game": "connect4", "moves": ["9"] }),
            "'9' is not a legal move here; the moves are 4 3 5 2 6 1 7",
        ),
        ("analyse", json!({ "game": "connect4", "lines": 0 }), "choose from 1 to 10 lines"),
        ("analyse", json!({ "game": "connect4", "ms": 0 }), "choose a time from 1 to 120000 milliseconds"),
        ("play", json!({ "game": "connect4", "level": 11 }), "'11' is not a level; choose a number from 1 to 10"),
        ("race", json!({ "game": "connect4", "algorithms": [], "depth": 3 }), "name an algorithm"),
        (
            "race",
            json!({ "game": "connect4", "algorithms": ["sss"], "depth": 99 }),
            "a race goes to a depth from 1 to 40",
        ),
        (
            "explore",
            json!({ "game": "connect4", "algorithm": "sss", "depth": 1, "line": ["1", "1"] }),
            "the line is longer than the depth of the search",
        ),
        ("report", json!({ "id": 0, "name": "../../etc" }), "there is no such folder; look at the list again"),
    ] {
        let (status, error) = send(request, body.clone());
        assert!((400..500).contains(&status), "{request} {body}: {status} {error}");
        assert_eq!(error, expected, "{request} {body}");
    }
    let (status, error) = send("position", json!({ "game": "chess", "tricks": 1 }));
    assert_eq!(status, 400);
    assert!(error.starts_with("the request cannot be read: unknown field `tricks`"), "{error}");
}

#[test]
fn large_bodies_and_other_paths_are_refused() {
    let server = Started::new();
    let client = server.client();
    let huge = format!("{{\"game\":\"{}\"}}", "x".repeat(300 << 10));
    assert_eq!(client.post("position", &huge).status, 413);
    assert_eq!(client.post("position", &"[".repeat(200_000)).status, 400);
    let long = json!({ "game": "connect4", "moves": vec!["4"; 2_000] });
    assert_eq!(client.post("position", &long.to_string()).status, 400);
    for path in
        ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/page/../style.css", "//etc/passwd", "/style.css/", "/api/../"]
    {
        assert_eq!(client.get(path).status, 404, "{path}");
    }
    assert_eq!(client.get("/style.css").status, 200);
    assert_eq!(client.get("/api/nothing").status, 404);
    assert_eq!(client.get("/api/tree").status, 405);
}

#[test]
fn every_response_has_security_headers_and_other_pages_are_refused() {
    let server = Started::new();
    let client = server.client();
    for answer in [client.get("/"), client.get("/nowhere"), client.get("/api/about"), client.post("tree", "{")] {
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options").as_deref(), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy").as_deref(), Some("no-referrer"));
    }
    let body = r#"{"game":"chess"}"#;
    for (header, value, status) in [
        ("host", "evil.example", 403),
        ("origin", "http://evil.example", 403),
        ("sec-fetch-site", "cross-site", 403),
        ("content-type", "text/plain", 415),
    ] {
        assert_eq!(client.send("POST", "/api/position", &[(header, value)], body).status, status, "{header}: {value}");
    }
    assert_eq!(client.post("position", body).status, 200);
}

/// The requests and their fields.
const REQUESTS: [(&str, &[&str]); 11] = [
    ("tree", &["tree", "random", "runs", "infinity"]),
    ("position", &["game", "position", "moves"]),
    ("read", &["game", "text"]),
    ("write", &["game", "position", "moves", "names"]),
    ("analyse", &["game", "position", "moves", "algorithm", "lines", "ms"]),
    ("play", &["game", "position", "moves", "level", "seed", "ms"]),
    ("race", &["game", "position", "moves", "set", "count", "algorithms", "entries", "depth"]),
    ("explore", &["game", "position", "moves", "algorithm", "line", "entries", "depth"]),
    ("report", &["id", "name"]),
    ("match", &["id", "name"]),
    ("nothing", &["game"]),
];

/// Values that are valid for a field in some requests.
fn plausible(field: &str) -> Vec<Value> {
    let of = |words: &[&str]| words.iter().map(|word| Value::from(*word)).collect();
    match field {
        "game" => of(&["chess", "othello", "checkers", "connect4", "kalah", "tictactoe", "Connect 4"]),
        "position" => {
            vec![Value::Null, "".into(), "4455".into(), "XO-------".into(), "7k/8/8/8/8/8/R7/7K w - - 0 1".into()]
        }
        "moves" | "line" => {
            vec![json!([]), json!(["4"]), json!(["e2e4"]), json!(["5", "1"]), json!(["f5"]), json!(["3"])]
        }
        "tree" => of(&["paper", "((1 2) (3 4))", "[[1,2],[3,[4,5]]]", "(win (loss 3))", "((max 1 2) 3)"]),
        "random" => vec![
            json!({ "width": 2, "depth": 3, "order": 50, "seed": 7 }),
            json!({ "width": 40, "depth": 1, "order": 0, "seed": 0 }),
        ],
        "runs" => vec![
            json!([]),
            json!([{ "algorithm": "sss" }]),
            json!([{ "algorithm": "mtd-f", "first": 3 }, { "algorithm": "dual", "entries": 1 }]),
            json!([{ "algorithm": "mtd-bi", "bounds": [3, -32_767, 2] }]),
            json!([{ "algorithm": "minimax", "bounds": [3] }]),
        ],
        "infinity" => vec![json!(1000), json!(1), json!(-5)],
        "algorithm" => of(&["mtd-f", "sss", "stockman-sss", "mtd-best", "minimax"]),
        "algorithms" => vec![json!(["sss"]), json!(["all"]), json!(["minimax", "dual", "dual"])],
        "set" => of(&["paper", "tuning", "tune", "held-out"]),
        "text" => of(&["e4 e5", "1. e4 e5 2. Nf3", "f5d6c3", "4 4 4", "[Event \"x\"]", "(;GM[Othello]", "11-15 23-19"]),
        "names" => vec![json!(["a", "b"]), json!(["\"]", "\n"])],
        "name" => of(&["small", "..", "/etc/passwd"]),
        _ => vec![json!(0), json!(1), json!(2), json!(7), json!(-1), json!(1_000)],
    }
}

fn anything() -> impl Strategy<Value = Value> {
    prop_oneof![
        "[-0-9()\\[\\], a-z/]{0,30}".prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(Value::Null),
        Just(json!(1.5)),
        Just(json!(["", {}, []])),
        Just(json!({ "algorithm": 3 })),
    ]
}

/// A request with a nearly valid body: most fields present, most values plausible.
fn requests() -> impl Strategy<Value = (&'static str, String)> {
    let request = proptest::sample::select(REQUESTS.to_vec());
    let object = request.clone().prop_flat_map(|(request, fields)| {
        let field = |name: &'static str| {
            let value = prop_oneof![8 => proptest::sample::select(plausible(name)), 1 => anything()];
            proptest::option::weighted(0.75, value).prop_map(move |value| value.map(|value| (name.to_owned(), value)))
        };
        let fields: Vec<_> = fields.iter().map(|name| field(name).boxed()).collect();
        (Just(request), fields).prop_map(|(request, fields)| {
            let mut object: serde_json::Map<String, Value> = fields.into_iter().flatten().collect();
            // Limits the time of valid requests.
            for (field, max) in [("depth", 2), ("ms", 2)] {
                if object.get(field).and_then(Value::as_i64).is_some_and(|n| n > max) {
                    object.insert(field.to_owned(), json!(max));
                }
            }
            if ["analyse", "play"].contains(&request) && object.get("ms").is_none_or(Value::is_null) {
                object.insert("ms".to_owned(), json!(1));
            }
            (request, Value::Object(object).to_string())
        })
    });
    let bytes = (request, "\\PC{0,40}").prop_map(|((request, _), text)| (request, text));
    prop_oneof![20 => object, 1 => bytes]
}

/// 10,000 random requests, most of them nearly valid.
#[test]
fn no_request_is_answered_with_a_5xx() {
    let server = Started::new();
    let client = server.client();
    let mut runner = TestRunner::new(Config { cases: 10_000, failure_persistence: None, ..Config::default() });
    let mut seen = std::collections::BTreeMap::<u16, u32>::new();
    let seen = std::cell::RefCell::new(&mut seen);
    runner
        .run(&requests(), |(request, body)| {
            let answer = client.post(request, &body);
            *seen.borrow_mut().entry(answer.status).or_default() += 1;
            prop_assert!(
                answer.status == 200 || (400..500).contains(&answer.status),
                "{} {}: {} {}",
                request,
                body,
                answer.status,
                answer.body
            );
            prop_assert!(!answer.body.contains("panicked"), "{} {}: {}", request, body, answer.body);
            Ok(())
        })
        .unwrap();
    // The test needs a mix of accepted and refused requests.
    let seen = seen.into_inner();
    assert!(seen[&200] > 500 && seen[&400] > 2_000, "{seen:?}");
    assert_eq!(client.get("/api/about").status, 200);
}

#[test]
fn a_search_stops_when_its_client_disconnects() {
    let server = Started::with_searches(1);
    let client = server.client();
    // The first sends lines all the time, the second none before its end.
    let endless = [
        ("analyse", json!({ "game": "chess", "ms": 60_000 })),
        ("explore", json!({ "game": "chess", "algorithm": "mtd-f", "depth": 30 })),
    ];
    for (request, body) in endless.iter().cycle().take(6) {
        let body = body.to_string();
        let stream = client.begin(request, &body);
        assert_eq!(stream.status, 200);
        // The limit is one search.
        assert_eq!(client.post(request, &body).status, 429);
        drop(stream);
        let disconnected = Instant::now();
        let stopped_after = loop {
            let next = client.begin("play", &json!({ "game": "tictactoe", "ms": 1 }).to_string());
            if next.status == 200 {
                break disconnected.elapsed();
            }
            assert_eq!(next.status, 429);
            assert!(disconnected.elapsed() < Duration::from_secs(10), "the search does not stop");
        };
        // The goal is 50 ms; a busy machine may take longer.
        assert!(stopped_after < Duration::from_secs(1), "{stopped_after:?}");
        while client.post("play", &json!({ "game": "tictactoe", "ms": 1 }).to_string()).status == 429 {}
    }
}

#[test]
fn searches_beyond_the_limit_are_refused_as_busy() {
    let server = Started::with_searches(1);
    let client = server.client();
    let held = client.begin("analyse", &json!({ "game": "chess", "ms": 30_000 }).to_string());
    assert_eq!(held.status, 200);
    let (status, error) = refused(&client, "explore", json!({ "game": "chess", "algorithm": "sss", "depth": 1 }));
    assert_eq!((status, error.as_str()), (429, "busy, try again"));
    // Requests without a search are not limited.
    assert_eq!(client.post("position", r#"{"game":"chess"}"#).status, 200);
}

#[test]
fn a_registered_game_is_served() {
    let server = Started::with_game::<emtee_games::tictactoe::Board>("own");
    let client = server.client();
    let about = client.get("/api/about").json();
    let own = about["games"].as_array().unwrap().iter().find(|game| game["name"] == "own").unwrap();
    assert_eq!((&own["drawn"], &own["start"]), (&json!(false), &json!("---------")));
    let position = client.post("position", r#"{"game":"own","moves":["5","1"]}"#).json();
    assert_eq!((&position["plain"], &position["line"]), (&json!("O 2 3\n4 X 6\n7 8 9\nX to move"), &json!(["5", "1"])));
    let played = client.post("play", r#"{"game":"own","moves":["5"],"ms":20}"#).json();
    assert!(played["done"] == true && played["best_move"].is_string(), "{played}");
    let explored = client.post("explore", r#"{"game":"own","algorithm":"sss","depth":4}"#).json();
    assert_eq!(explored["root"]["children"].as_array().unwrap().len(), 9);
    let raced = client.post("race", r#"{"game":"own","algorithms":["sss"],"depth":4}"#).json();
    assert_eq!(raced["summary"].as_array().unwrap().len(), 2);
}

#[test]
fn boards_are_set_up_by_their_cells() {
    let server = Started::new();
    let client = server.client();
    let board = client.post("position", r#"{"game":"checkers","moves":["11-15"]}"#).json();
    let rows: Vec<Vec<Value>> = board["drawing"]["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            row.as_array().unwrap().iter().map(|cell| json!({ "text": cell["text"], "ink": cell["ink"] })).collect()
        })
        .collect();
    let text = client.post("set_up", &json!({ "game": "checkers", "turn": 1, "rows": rows }).to_string()).json();
    assert_eq!(text["text"], board["text"]);
    let send = |body: Value| refused(&client, "set_up", body);
    assert!(send(json!({ "game": "chess", "turn": 0, "rows": [] })).1.starts_with("'"));
    let cell = json!([[{ "text": "x", "ink": "pink" }]]);
    assert_eq!(send(json!({ "game": "chess", "turn": 0, "rows": cell })), (400, "'pink' is no ink".into()));
    let server = Started::with_game::<emtee_games::tictactoe::Board>("own");
    let own = refused(&server.client(), "set_up", json!({ "game": "own", "turn": 0, "rows": [] }));
    assert_eq!(own, (400, "positions of own cannot be set up by clicking".into()));
}

#[test]
fn a_long_game_in_the_notation_of_players_is_replayed() {
    let server = Started::new();
    let moves: Vec<&str> = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(1_000).collect();
    let position = server.client().post("position", &json!({ "game": "chess", "moves": moves }).to_string()).json();
    assert_eq!(position["written"].as_array().unwrap().len(), 1_000);
    assert_eq!(position["line"][0], "g1f3");
    assert_eq!(position["ending"]["why"], "by repetition");
}

#[test]
fn pasted_texts_are_read() {
    let server = Started::new();
    let client = server.client();
    for (game, text, position, moves) in [
        ("chess", "1. e4 e5 2. Nf3 *", Value::Null, json!(["e2e4", "e7e5", "g1f3"])),
        ("chess", "e4 e5 Nf3", Value::Null, json!(["e2e4", "e7e5", "g1f3"])),
        ("chess", "7k/8/8/8/8/8/R7/7K w - - 0 1", json!("7k/8/8/8/8/8/R7/7K w - - 0 1"), json!([])),
        ("othello", "f5d6c3", Value::Null, json!(["f5", "d6", "c3"])),
        ("checkers", "1. 11-15 23-19 *", Value::Null, json!(["11-15", "23-19"])),
        ("connect4", "4, 4, 3", Value::Null, json!(["4", "4", "3"])),
    ] {
        let read = client.post("read", &json!({ "game": game, "text": text }).to_string()).json();
        assert_eq!((&read["position"], &read["moves"]), (&position, &moves), "{game}: {text}: {read}");
        // The record of the game is read back with the same moves.
        let played = json!({ "game": game, "position": position, "moves": moves, "names": ["a", "b"] });
        let written = client.post("write", &played.to_string()).json();
        let again = client.post("read", &json!({ "game": game, "text": written["text"] }).to_string()).json();
        assert_eq!(again["moves"], moves, "{written}");
    }
    for (game, text, why) in [
        ("chess", "e4 e9", "'e9' is not a move"),
        ("chess", "", "there is nothing to read"),
        ("connect4", "x", "'x' is not a position of connect4"),
    ] {
        let (status, error) = refused(&client, "read", json!({ "game": game, "text": text }));
        assert!(status == 400 && error.contains(why), "{error}");
    }
}
