//! Writes the page without a server into the folder of its modules. `cargo xtask page` builds the modules and runs this.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use emtee_engine::Registry;
use emtee_web::{Module, standalone_page};

fn main() {
    let folder = PathBuf::from(std::env::args_os().nth(1).expect("the folder with the modules"));
    let modules = [
        ("small.wasm", Registry::default().with_small()),
        ("chess.wasm", Registry::default().with_chess()),
        ("othello.wasm", Registry::default().with_othello()),
        ("checkers.wasm", Registry::default().with_checkers()),
    ];
    let modules = modules.map(|(file, registry)| Module {
        file: file.to_owned(),
        games: registry.names().map(str::to_owned).collect(),
        bytes: compressed(&folder.join(file)),
    });
    for (name, text) in standalone_page(&Registry::standard(), &modules) {
        fs::write(folder.join(name), text).expect("the folder can be written to");
    }
    for Module { file, games, bytes } in modules {
        println!("{file:14} {:6.1} KB compressed: {}", bytes as f64 / 1e3, games.join(", "));
    }
}

/// The size of a file, compressed as by web servers.
fn compressed(file: &Path) -> u64 {
    let packed = Command::new("gzip").arg("-9c").arg(file).output().expect("gzip");
    assert!(packed.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&packed.stderr));
    packed.stdout.len() as u64
}
