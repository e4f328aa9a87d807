//! `emtee serve`: the address it prints is one that answers.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;

use crate::{command, emtee, words};

/// A server, ended with the test.
struct Serving(Child, String);

impl Serving {
    fn new(line: &str) -> Serving {
        let mut child = command(&words(line)).spawn().expect("the program runs");
        let mut told = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut told).expect("a line");
        Serving(child, told)
    }

    fn get(&self, path: &str) -> String {
        let address = self.1.split("http://").nth(1).unwrap().split(['/', ' ']).next().unwrap();
        let mut stream = TcpStream::connect(address).expect("somebody listens");
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_address_that_is_printed_answers() {
    let serving = Serving::new("serve --port 0");
    assert!(serving.1.starts_with("the explorer is at http://127.0.0.1:"), "{}", serving.1);
    assert!(serving.get("/").contains("<title>emtee explorer</title>"));
    assert!(serving.get("/api/about").contains("\"name\":\"chess\""));
}

#[test]
fn elsewhere_a_token_stands_behind_the_hash() {
    let serving = Serving::new("serve --port 0 --bind 127.0.0.1 --json");
    assert!(!serving.1.contains("token"), "{}", serving.1);
    let serving = Serving::new("serve --port 0 --bind 0.0.0.0 --json");
    assert!(serving.1.contains("/#token="), "{}", serving.1);
    assert!(serving.get("/").starts_with("HTTP/1.1 200"));
    assert!(serving.get("/api/about").starts_with("HTTP/1.1 401"));
}

#[test]
fn what_cannot_be_served_is_refused() {
    for (line, told) in [
        ("serve --port 99999", "choose a whole number from 0 to 65535"),
        ("serve --bind nowhere", "an address is like 127.0.0.1 or ::1"),
        ("serve --reports /no/such/folder", "there is no folder /no/such/folder"),
    ] {
        let run = emtee(line);
        assert!(run.code == Some(2) && run.stderr.contains(told), "{line}: {run:?}");
    }
    let taken = Serving::new("serve --port 0");
    let port = taken.1.split("127.0.0.1:").nth(1).unwrap().split('/').next().unwrap();
    let run = emtee(&format!("serve --port {port}"));
    assert!(run.code == Some(2) && run.stderr.contains("choose another --port"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it() {
    let mut serving = Serving::new("serve --port 0");
    let killed = std::process::Command::new("kill").args(["-INT", &serving.0.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    assert_eq!(serving.0.wait().expect("it ends").code(), Some(130));
}
