//! A server on a free port, and a client that sends raw HTTP requests.

// Each test uses another part of it.
#![allow(dead_code)]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::Duration;

use emtee_engine::{Kit, Playable, Registry};
use emtee_web::{Options, Server};
use serde_json::Value;

/// A server that runs until it is dropped.
pub(crate) struct Started {
    pub(crate) address: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Started {
    pub(crate) fn new() -> Started {
        Started::start(&Options::default())
    }

    pub(crate) fn with_searches(searches: usize) -> Started {
        let mut options = Options::default();
        options.searches = Some(searches);
        Started::start(&options)
    }

    pub(crate) fn with_reports(folder: PathBuf) -> Started {
        let mut options = Options::default();
        options.reports = vec![folder];
        Started::start(&options)
    }

    /// With a user-defined game besides the standard ones.
    pub(crate) fn with_game<G: Playable>(name: &str) -> Started {
        Started::serve(Registry::standard().with(name, Kit::<G>::new()), &Options::default())
    }

    fn start(options: &Options) -> Started {
        Started::serve(Registry::standard(), options)
    }

    fn serve(registry: Registry, options: &Options) -> Started {
        let server = Server::bind(Arc::new(registry), options).unwrap();
        let address = server.address().trim_start_matches("http://").trim_end_matches('/').to_owned();
        let stop = Arc::new(AtomicBool::new(false));
        let own = stop.clone();
        let thread = std::thread::spawn(move || server.run(&own).unwrap());
        Started { address, stop, thread: Some(thread) }
    }

    pub(crate) fn client(&self) -> Client {
        Client { address: self.address.clone() }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking(), "the server panicked");
        }
    }
}

pub(crate) struct Client {
    address: String,
}

/// A response.
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(self.body.lines().last().unwrap_or_default()).unwrap_or(Value::Null)
    }

    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let line = self.headers.lines().find(|line| line.to_ascii_lowercase().starts_with(&format!("{name}:")))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    }
}

/// A response in progress; dropping it closes the connection.
pub(crate) struct Begun {
    pub(crate) status: u16,
    stream: TcpStream,
}

impl Client {
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], "")
    }

    pub(crate) fn post(&self, request: &str, body: &str) -> Answer {
        self.send("POST", &format!("/api/{request}"), &[], body)
    }

    /// A request with headers that replace the default ones.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut stream = self.write(method, path, headers, body);
        let mut bytes = Vec::new();
        // A server that refuses a body without reading it may close the connection early.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
        Answer {
            status: status(head),
            headers: head.to_owned(),
            body: if chunked { unchunked(body) } else { body.to_owned() },
        }
    }

    /// Sends a request, and waits for the header of the response.
    pub(crate) fn begin(&self, request: &str, body: &str) -> Begun {
        let mut stream = self.write("POST", &format!("/api/{request}"), &[], body);
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        Begun { status: status(&String::from_utf8_lossy(&head)), stream }
    }

    fn write(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let length = body.len().to_string();
        let mut all = vec![
            ("host", self.address.as_str()),
            ("connection", "close"),
            ("content-type", "application/json"),
            ("content-length", &length),
        ];
        for (name, value) in headers {
            all.retain(|(default, _)| default != name);
            all.push((name, value));
        }
        let mut request = format!("{method} {path} HTTP/1.1\r\n");
        for (name, value) in all {
            request += &format!("{name}: {value}\r\n");
        }
        let _ = stream.write_all((request + "\r\n" + body).as_bytes());
        stream
    }
}

fn status(head: &str) -> u16 {
    head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0)
}

fn unchunked(mut rest: &str) -> String {
    let mut body = String::new();
    while let Some((size, after)) = rest.split_once("\r\n") {
        let Ok(size) = usize::from_str_radix(size.trim(), 16) else { break };
        if size == 0 || after.len() < size {
            break;
        }
        body += &after[..size];
        rest = after[size..].trim_start_matches("\r\n");
    }
    body
}
