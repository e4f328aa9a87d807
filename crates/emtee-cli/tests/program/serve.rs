//! `emtee serve`: the printed address, tokens, errors and Ctrl-C.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;

use crate::{command, emtee, words};

/// A running server and the line that it printed; killed when dropped.
struct RunningServer(Child, String);

impl RunningServer {
    fn new(line: &str) -> RunningServer {
        let mut child = command(&words(line)).spawn().expect("the program runs");
        let mut printed = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut printed).expect("a line");
        RunningServer(child, printed)
    }

    fn get(&self, path: &str) -> String {
        let address = self.1.split("http://").nth(1).unwrap().split(['/', ' ']).next().unwrap();
        let mut stream = TcpStream::connect(address).expect("the server listens");
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_printed_address_works() {
    let server = RunningServer::new("serve --port 0");
    assert!(server.1.starts_with("the explorer is at http://127.0.0.1:"), "{}", server.1);
    assert!(server.get("/").contains("<title>emtee explorer</title>"));
    assert!(server.get("/api/about").contains("\"name\":\"chess\""));
}

#[test]
fn other_addresses_need_a_token() {
    let server = RunningServer::new("serve --port 0 --bind 127.0.0.1 --json");
    assert!(!server.1.contains("token"), "{}", server.1);
    let server = RunningServer::new("serve --port 0 --bind 0.0.0.0 --json");
    assert!(server.1.contains("/#token="), "{}", server.1);
    assert!(server.get("/").starts_with("HTTP/1.1 200"));
    assert!(server.get("/api/about").starts_with("HTTP/1.1 401"));
}

#[test]
fn bad_options_are_refused() {
    for (line, message) in [
        ("serve --port 99999", "choose a whole number from 0 to 65535"),
        ("serve --bind nowhere", "an address is like 127.0.0.1 or ::1"),
        ("serve --reports /no/such/folder", "there is no folder /no/such/folder"),
    ] {
        let run = emtee(line);
        assert!(run.code == Some(2) && run.stderr.contains(message), "{line}: {run:?}");
    }
    let taken = RunningServer::new("serve --port 0");
    let port = taken.1.split("127.0.0.1:").nth(1).unwrap().split('/').next().unwrap();
    let run = emtee(&format!("serve --port {port}"));
    assert!(run.code == Some(2) && run.stderr.contains("choose another --port"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_the_server() {
    let mut server = RunningServer::new("serve --port 0");
    let killed = std::process::Command::new("kill").args(["-INT", &server.0.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    assert_eq!(server.0.wait().expect("it ends").code(), Some(130));
}
