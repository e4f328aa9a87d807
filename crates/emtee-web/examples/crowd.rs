//! How the explorer bears a crowd: clients that start searches, drop them halfway, and ask small things in between.
//!
//! ```text
//! cargo xtask crowd 100 30
//! ```
//!
//! Prints how many requests were answered and how, how long the small ones took, how soon a dropped search has gone, and
//! what memory is held before and after. A measurement: nothing is asserted but that there is no other error than "busy".

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use emtee_engine::Registry;
use emtee_web::{Options, Server};

const SEARCHES: [(&str, &str); 4] = [
    ("analyse", r#"{"game":"chess","ms":20000,"lines":2}"#),
    ("analyse", r#"{"game":"othello","ms":20000}"#),
    ("race", r#"{"game":"checkers","algorithms":["mtd-f","sss"],"depth":20}"#),
    ("explore", r#"{"game":"connect4","algorithm":"mtd-f","depth":12}"#),
];
const SMALL: (&str, &str) = ("position", r#"{"game":"chess","moves":["e2e4","e7e5","g1f3"]}"#);

fn main() {
    let mut words = std::env::args().skip(1).map(|word| word.parse::<u64>().expect("a number"));
    let (clients, seconds) = (words.next().unwrap_or(100), words.next().unwrap_or(30));
    let server = Server::bind(Arc::new(Registry::standard()), &Options::default()).expect("a free port");
    let address = server.address().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let stop = Arc::new(AtomicBool::new(false));
    let own = stop.clone();
    let serving = std::thread::spawn(move || server.run(&own));

    // What is built once, on a first search of each game, is no leak.
    for (question, body) in SEARCHES {
        let _ = ask(&address, question, body, Duration::from_millis(400));
    }
    std::thread::sleep(Duration::from_secs(1));
    let before = memory();
    let statuses = Mutex::new(BTreeMap::<u16, u64>::new());
    let times = Mutex::new(Vec::new());
    let end = Instant::now() + Duration::from_secs(seconds);
    std::thread::scope(|scope| {
        for client in 0..clients {
            let (address, statuses, times) = (&address, &statuses, &times);
            scope.spawn(move || {
                let mut turn = client;
                while Instant::now() < end {
                    let (question, body) = SEARCHES[(turn % 4) as usize];
                    let held = Duration::from_millis(20 + turn * 37 % 180);
                    let status = ask(address, question, body, held);
                    let began = Instant::now();
                    let small = ask(address, SMALL.0, SMALL.1, Duration::from_secs(20));
                    times.lock().expect("no panic").push(began.elapsed());
                    let mut statuses = statuses.lock().expect("no panic");
                    *statuses.entry(status).or_default() += 1;
                    *statuses.entry(small).or_default() += 1;
                    turn += 1;
                }
            });
        }
    });
    let gone = Instant::now();
    while ask(&address, "analyse", r#"{"game":"tictactoe","ms":1}"#, Duration::from_secs(5)) == 429 {}
    let gone = gone.elapsed();
    std::thread::sleep(Duration::from_secs(2));
    let after = memory();

    let mut times = times.into_inner().expect("no panic");
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    let statuses = statuses.into_inner().expect("no panic");
    println!("{clients} clients, {seconds} s, answers by status: {statuses:?}");
    println!("small questions: {:.1} ms at the median, {:.1} at 99 %, {:.1} at most", at(0.5), at(0.99), at(1.0));
    println!("room for a search {:.1} ms after the last was dropped", gone.as_secs_f64() * 1e3);
    println!("memory held: {before} MB before, {after} MB after");
    stop.store(true, Relaxed);
    serving.join().expect("no panic").expect("no failure");
    assert!(statuses.keys().all(|status| [200, 429].contains(status)), "other errors than \"busy, try again\"");
}

/// Asks, reads for as long as it is held, and goes away. The status of the answer.
fn ask(address: &str, question: &str, body: &str, held: Duration) -> u16 {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let length = body.len();
    let request = format!(
        "POST /api/{question} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).expect("the server reads");
    let until = Instant::now() + held;
    let (mut bytes, mut some) = (Vec::new(), [0; 4096]);
    loop {
        // The status is waited for in any case.
        let left = until.saturating_duration_since(Instant::now());
        let wait = if bytes.len() < 12 { Duration::from_secs(20) } else { left };
        if wait.is_zero() {
            break;
        }
        stream.set_read_timeout(Some(wait)).expect("a time");
        match stream.read(&mut some) {
            Ok(0) | Err(_) => break,
            Ok(read) => bytes.extend_from_slice(&some[..read]),
        }
    }
    String::from_utf8_lossy(&bytes).split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

/// Megabytes that the process holds, where the system tells.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) >> 10
}
