//! A load test of the explorer: clients that start searches, disconnect midway, and send small requests in between.
//!
//! ```text
//! cargo xtask load-test 100 30
//! ```
//!
//! Prints the responses by status, the times of the small requests, the memory of the server after each third of the time
//! (growth from one to the next is a leak; a constant amount is what allocators keep for the next search), how soon a
//! search stops after its client disconnects, and how soon a client is answered while others hold all connections with
//! requests that they never send to the end. The server is a process of its own, so that the memory of the clients does not
//! count. This is a measurement: it asserts only that there is no error other than "busy", and that clients are answered
//! within 30 seconds.

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

/// How often each search is started and dropped to measure how soon it stops.
const DROPS: usize = 50;

/// Requests that are never sent to the end, of one kind in the header and of the other in the body: more than the 256
/// connections that the server accepts.
const HALF_SENT: usize = 320;
const HALF_REQUESTS: [&str; 2] = [
    "GET / HTTP/1.1\r\nHo",
    "POST /api/position HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{",
];

/// The time within which every request is answered, or this program fails.
const ANSWERED_WITHIN: Duration = Duration::from_secs(30);

fn main() {
    if std::env::args().nth(1).as_deref() == Some(SERVE) {
        let searches = std::env::args().nth(2).and_then(|word| word.parse().ok());
        return serve(searches);
    }
    let mut words = std::env::args().skip(1).map(|word| word.parse::<u64>().expect("a number"));
    let (clients, seconds) = (words.next().unwrap_or(100), words.next().unwrap_or(30));
    let served = Served::start(None);
    // Warm-up: data that is built once, by the first search of each game, is no leak.
    for (request, body) in SEARCHES {
        let _ = served.send(request, body, Duration::from_millis(400));
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
                scope.spawn(move || run_client(served, client, end, statuses, times));
            }
        });
        std::thread::sleep(Duration::from_secs(2));
        memory_held.push(served.memory());
    }

    let statuses = statuses.into_inner().expect("no panic");
    println!("{clients} clients, {seconds} s, answers by status: {statuses:?}");
    let [median, p99, max] = quantiles(times.into_inner().expect("no panic"), [0.5, 0.99, 1.0]);
    println!("small requests: {median:.1} ms at the median, {p99:.1} ms at the 99th percentile, {max:.1} ms at most");
    println!("memory of the server: {} MB before, {:?} MB after each third", memory_held[0], &memory_held[1..]);
    served.stop();
    assert!(statuses.keys().all(|status| [200, 429].contains(status)), "other errors than \"busy, try again\"");

    let served = Served::start(Some(1));
    for (request, body) in SEARCHES {
        let times: Vec<Duration> = (0..DROPS).map(|turn| served.stop_time(request, body, turn as u64)).collect();
        let [median, max] = quantiles(times, [0.5, 1.0]);
        let game = body.split('"').nth(3).unwrap_or_default();
        println!(
            "{request} of {game}: stopped {median:.1} ms after the client disconnected (median), {max:.1} ms at most of {DROPS}"
        );
    }
    served.stop();

    let served = Served::start(None);
    for half in HALF_REQUESTS {
        let time = served.time_beside(half);
        println!(
            "{HALF_SENT} requests like {half:?}, never sent to the end: another is answered after {:.1} s",
            time.as_secs_f64()
        );
    }
    served.stop();
}

/// Runs a client until the end time.
fn run_client(
    served: &Served,
    client: u64,
    end: Instant,
    statuses: &Mutex<BTreeMap<u16, u64>>,
    times: &Mutex<Vec<Duration>>,
) {
    let mut turn = client;
    while Instant::now() < end {
        let (request, body) = SEARCHES[(turn % 4) as usize];
        let status = served.send(request, body, Duration::from_millis(20 + turn * 37 % 180));
        let began = Instant::now();
        let small = served.send(SMALL.0, SMALL.1, Duration::from_secs(20));
        times.lock().expect("no panic").push(began.elapsed());
        let mut statuses = statuses.lock().expect("no panic");
        *statuses.entry(status).or_default() += 1;
        *statuses.entry(small).or_default() += 1;
        turn += 1;
    }
}

/// Quantiles of the times, in milliseconds.
fn quantiles<const N: usize>(mut times: Vec<Duration>, shares: [f64; N]) -> [f64; N] {
    times.sort();
    shares.map(|share| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3)
}

/// The argument that makes this program the server.
const SERVE: &str = "serve";

/// Runs the server until stdin is closed, with a limit of concurrent searches.
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

/// A running server process.
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
        let output = process.stdout.as_mut().expect("its output");
        BufReader::new(output).read_line(&mut address).expect("its address");
        let address = address.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
        Served { address, process }
    }

    fn stop(mut self) {
        drop(self.process.stdin.take());
        assert!(self.process.wait().expect("its end").success());
    }

    /// The memory of the server in megabytes, from /proc; 0 if unknown.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) >> 10
    }

    /// Sends a request, reads for the time `held`, and disconnects. Returns the status of the response.
    fn send(&self, request: &str, body: &str, held: Duration) -> u16 {
        let (address, length) = (&self.address, body.len());
        let mut stream = TcpStream::connect(address).expect("the server listens");
        let head_and_body = format!(
            "POST /api/{request} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(head_and_body.as_bytes()).expect("the server reads");
        let until = Instant::now() + held;
        let (mut bytes, mut some) = (Vec::new(), [0; 4096]);
        loop {
            // Waits for the status in any case.
            let left = until.saturating_duration_since(Instant::now());
            let wait = if bytes.len() < 12 { ANSWERED_WITHIN } else { left };
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

    /// The time until a small request is answered while others like this one are never sent to the end.
    fn time_beside(&self, half: &str) -> Duration {
        let half = half.replace("{address}", &self.address);
        let held: Vec<TcpStream> = (0..HALF_SENT)
            .map(|_| {
                let mut stream = TcpStream::connect(&self.address).expect("the server listens");
                stream.write_all(half.as_bytes()).expect("the server reads");
                stream
            })
            .collect();
        let began = Instant::now();
        let status = self.send(SMALL.0, SMALL.1, Duration::from_secs(20));
        let time = began.elapsed();
        assert_eq!(status, 200, "half-sent requests keep other clients out");
        drop(held);
        time
    }

    /// Starts the only search that is allowed, disconnects, and measures the time until another search is accepted. The time of
    /// the accepted request is included.
    fn stop_time(&self, request: &str, body: &str, turn: u64) -> Duration {
        let status = self.send(request, body, Duration::from_millis(50 + turn * 37 % 180));
        let began = Instant::now();
        assert_eq!(status, 200, "the search was accepted");
        while self.send("analyse", r#"{"game":"tictactoe","ms":1}"#, Duration::ZERO) == 429 {}
        let time = began.elapsed();
        // Waits for the end of that search.
        std::thread::sleep(Duration::from_millis(50));
        time
    }
}
