//! A static file server, like that of any web host.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;

/// Serves a folder below a path until the process ends. Returns the address.
pub(crate) fn serve(folder: PathBuf) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = format!("http://{}/some/where/", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let folder = folder.clone();
            std::thread::spawn(move || answer(stream, &folder));
        }
    });
    address
}

fn answer(mut stream: TcpStream, folder: &std::path::Path) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let request_line = lines.next().unwrap_or_default();
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    let path = request_line.split(' ').nth(1).unwrap_or_default();
    let name = path.strip_prefix("/some/where/").map(|name| if name.is_empty() { "index.html" } else { name });
    let file = name.and_then(|name| fs::read(folder.join(name)).ok());
    let kind = match name.and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        _ => "application/json",
    };
    let status = if file.is_some() { "200 OK" } else { "404 Not Found" };
    let body = file.unwrap_or_default();
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n");
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
}
