//! How the explorer bears a crowd: clients that start searches, drop them halfway, and ask small things in between.
//!
//! ```text
//! cargo xtask crowd 100 30
//! ```
//!
//! Prints how many requests were answered and how, how long the small ones took, what memory the server holds after each
//! third of the time (what grows from one to the next is a leak; what stays is what allocators keep for the next search),
//! and how soon a search has stopped after its page went away. The server is a process of its own, so that what the
//! clients hold does not count. A measurement: nothing is asserted but that there is no other error than "busy".

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use emtee_engine::Registry;
use emtee_web::{Options, Server};

const SEARCHES: [(&str, &str); 4] = [
    ("analyse", r#"{"game":"chess","ms":20000,"lines":2}"#),
    ("analyse", r#"{"game":"othello","ms":20000}"#),
    ("race", r#"{"game":"checkers","algorithms":["mtd-f","sss"],"depth":20}"#),
    ("explore", r#"{"game":"connect4","algorithm":"mtd-f","depth":14}"#),
];
const SMALL: (&str, &str) = ("position", r#"{"game":"chess","moves":["e2e4","e7e5","g1f3"]}"#);

/// How often each search is started and dropped to see how soon it stops.
const DROPS: usize = 50;

fn main() {
    if std::env::args().nth(1).as_deref() == Some(SERVE) {
        let searches = std::env::args().nth(2).and_then(|word| word.parse().ok());
        return serve(searches);
    }
    let mut words = std::env::args().skip(1).map(|word| word.parse::<u64>().expect("a number"));
    let (clients, seconds) = (words.next().unwrap_or(100), words.next().unwrap_or(30));
    let served = Served::start(None);
    // What is built once, on a first search of each game, is no leak.
    for (question, body) in SEARCHES {
        let _ = served.ask(question, body, Duration::from_millis(400));
    }
    std::thread::sleep(Duration::from_secs(1));
    let mut memory_held = vec![served.memory()];
    let statuses = Mutex::new(BTreeMap::<u16, u64>::new());
    let times = Mutex::new(Vec::new());
    for _ in 0..3 {
        let end = Instant::now() + Duration::from_secs(seconds) / 3;
        std::thread::scope(|scope| {
            for client in 0..clients {
                let (served, statuses, times) = (&served, &statuses, &times);
                scope.spawn(move || visit(served, client, end, statuses, times));
            }
        });
        std::thread::sleep(Duration::from_secs(2));
        memory_held.push(served.memory());
    }

    let statuses = statuses.into_inner().expect("no panic");
    println!("{clients} clients, {seconds} s, answers by status: {statuses:?}");
    let [median, most, all] = shares(times.into_inner().expect("no panic"), [0.5, 0.99, 1.0]);
    println!("small questions: {median:.1} ms at the median, {most:.1} ms at the 99th percentile, {all:.1} ms at most");
    println!("memory of the server: {} MB before, {:?} MB after each third", memory_held[0], &memory_held[1..]);
    served.stop();
    assert!(statuses.keys().all(|status| [200, 429].contains(status)), "other errors than \"busy, try again\"");

    let served = Served::start(Some(1));
    for (question, body) in SEARCHES {
        let times: Vec<Duration> = (0..DROPS).map(|turn| served.dropped(question, body, turn as u64)).collect();
        let [median, most] = shares(times, [0.5, 1.0]);
        let game = body.split('"').nth(3).unwrap_or_default();
        println!("{question} of {game}: stopped {median:.1} ms after its page went away, {most:.1} at most of {DROPS}");
    }
    served.stop();
}

/// A client, until it is time to go.
fn visit(
    served: &Served,
    client: u64,
    end: Instant,
    statuses: &Mutex<BTreeMap<u16, u64>>,
    times: &Mutex<Vec<Duration>>,
) {
    let mut turn = client;
    while Instant::now() < end {
        let (question, body) = SEARCHES[(turn % 4) as usize];
        let status = served.ask(question, body, Duration::from_millis(20 + turn * 37 % 180));
        let began = Instant::now();
        let small = served.ask(SMALL.0, SMALL.1, Duration::from_secs(20));
        times.lock().expect("no panic").push(began.elapsed());
        let mut statuses = statuses.lock().expect("no panic");
        *statuses.entry(status).or_default() += 1;
        *statuses.entry(small).or_default() += 1;
        turn += 1;
    }
}

/// Milliseconds that these shares of the times do not exceed.
fn shares<const N: usize>(mut times: Vec<Duration>, shares: [f64; N]) -> [f64; N] {
    times.sort();
    shares.map(|share| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3)
}

/// What this program is told to be the server.
const SERVE: &str = "serve";

/// Serves until nobody listens any more, so many searches at once.
fn serve(searches: Option<usize>) {
    let mut options = Options::default();
    options.searches = searches;
    let server = Server::bind(Arc::new(Registry::standard()), &options).expect("a free port");
    println!("{}", server.address());
    let stop = Arc::new(AtomicBool::new(false));
    let own = stop.clone();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        own.store(true, Relaxed);
    });
    server.run(&stop).expect("no failure");
}

/// A server at work.
struct Served {
    address: String,
    process: Child,
}

impl Served {
    fn start(searches: Option<usize>) -> Served {
        let mut command = Command::new(std::env::current_exe().expect("a path"));
        command.arg(SERVE).args(searches.map(|searches| searches.to_string()));
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a process");
        let mut address = String::new();
        let said = process.stdout.as_mut().expect("its output");
        BufReader::new(said).read_line(&mut address).expect("its address");
        let address = address.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
        Served { address, process }
    }

    fn stop(mut self) {
        drop(self.process.stdin.take());
        assert!(self.process.wait().expect("its end").success());
    }

    /// Megabytes that it holds, where the system tells.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) >> 10
    }

    /// Asks, reads for as long as it is held, and goes away. The status of the answer.
    fn ask(&self, question: &str, body: &str, held: Duration) -> u16 {
        let (address, length) = (&self.address, body.len());
        let mut stream = TcpStream::connect(address).expect("the server listens");
        let request = format!(
            "POST /api/{question} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
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

    /// Begins the only search there is room for, goes away, and says how long it took until there was room again. The
    /// question that found the room is part of that.
    fn dropped(&self, question: &str, body: &str, turn: u64) -> Duration {
        let status = self.ask(question, body, Duration::from_millis(50 + turn * 37 % 180));
        let began = Instant::now();
        assert_eq!(status, 200, "there was room");
        while self.ask("analyse", r#"{"game":"tictactoe","ms":1}"#, Duration::ZERO) == 429 {}
        let time = began.elapsed();
        // That one is to be gone as well.
        std::thread::sleep(Duration::from_millis(50));
        time
    }
}
