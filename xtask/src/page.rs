//! The explorer as a page without a server: the search compiled to WebAssembly, with Debian's compiler and library.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::program::{cargo, install, succeed};
use crate::{end, root, say, target};

/// A compiler, the sources of its library, and a linker.
pub(crate) const PACKAGES: [&str; 3] = ["rustc-web", "rust-web-src", "lld"];

/// Where Debian has its compiler; another may come first in the path.
const DEBIAN: &str = "/usr/bin/rustc";

const TARGET: &str = "wasm32-unknown-unknown";

/// How the compiler is told to be brief. It also builds the library, because none is ready that is brief.
const FLAGS: [&str; 4] = [
    "-Ctarget-feature=+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint",
    "-Zunstable-options",
    "-Cpanic=immediate-abort",
    "-Zlocation-detail=none",
];
const LIBRARY: [&str; 2] = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"];

/// Builds the page into a folder.
pub(crate) fn build(folder: Option<&Path>) -> ExitCode {
    let copied = |page: PathBuf| match folder {
        None => Ok(page),
        Some(folder) => copy(&page, &root().join(folder)),
    };
    let built = compiler().and_then(|rustc| write(&rustc)).and_then(copied);
    end(built.map(|page| {
        say(&format!("{} is ready for any web server; to look at it: python3 -m http.server", page.display()));
    }))
}

fn copy(page: &Path, folder: &Path) -> Result<PathBuf, String> {
    let copied = || -> std::io::Result<()> {
        fs::create_dir_all(folder)?;
        for file in fs::read_dir(page)? {
            let file = file?;
            fs::copy(file.path(), folder.join(file.file_name()))?;
        }
        Ok(())
    };
    copied().map(|()| folder.to_owned()).map_err(|error| format!("{}: {error}", folder.display()))
}

/// A compiler that has the sources of its library beside it: the usual one, or Debian's, which is installed where it may be.
pub(crate) fn compiler() -> Result<PathBuf, String> {
    let usual = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let known = [PathBuf::from(usual), PathBuf::from(DEBIAN)];
    let found = || known.iter().find(|rustc| has_sources(rustc)).cloned();
    if let Some(rustc) = found() {
        return Ok(rustc);
    }
    install(&PACKAGES)?;
    found().ok_or_else(|| "no compiler has the sources of its library".into())
}

fn has_sources(rustc: &Path) -> bool {
    let mut command = Command::new(rustc);
    command.args(["--print", "sysroot"]).stderr(Stdio::null());
    let Ok(output) = command.output() else { return false };
    let sysroot = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Path::new(&sysroot).join("lib/rustlib/src/rust/library/std/Cargo.toml").is_file()
}

/// What every page loads is to be small, but never at the cost of half its speed.
const SMALL: &[&str] = &[
    "--config",
    "profile.page.package.emtee-games.opt-level='s'",
    "--config",
    "profile.page.package.emtee-wasm.opt-level='s'",
];

/// What is loaded when it is needed is to be fast. The crate that comes last in line says whether loops become vectors, in
/// evaluations too.
const FAST: &[&str] = &["--config", "profile.page.package.emtee-wasm.opt-level=3"];

/// The modules.
const MODULES: [(&str, &[&str]); 4] = [("chess", FAST), ("othello", FAST), ("checkers", FAST), ("small", SMALL)];

/// Builds the page into the usual folder.
pub(crate) fn write(rustc: &Path) -> Result<PathBuf, String> {
    let (built, page) = (target().join("wasm"), target().join("page"));
    let told = |error: std::io::Error| format!("{}: {error}", page.display());
    fs::create_dir_all(&page).map_err(told)?;
    for (module, settings) in MODULES {
        let mut command = Command::new(cargo());
        command.args(["build", "--quiet", "--profile", "page", "-p", "emtee-wasm", "--example", module]).args(settings);
        command.args(LIBRARY).args(["--target", TARGET, "--target-dir"]).arg(&built);
        command.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTC_WRAPPER");
        command.env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"));
        if rustc == Path::new(DEBIAN) {
            // Others bring a linker along.
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
        }
        succeed(command.current_dir(root()))?;
        let file = format!("{module}.wasm");
        let bytes = fs::read(built.join(TARGET).join("page/examples").join(&file)).map_err(told)?;
        let bytes = without_names(&bytes).ok_or_else(|| format!("{file} is no module"))?;
        fs::write(page.join(&file), bytes).map_err(told)?;
    }
    let mut command = Command::new(cargo());
    // Built as the tests are, so that hardly anything is built again.
    command.args("build --quiet --profile test --workspace --all-features --example page".split(' '));
    succeed(command.current_dir(root()))?;
    succeed(Command::new(target().join("debug/examples/page")).arg(&page))?;
    Ok(page)
}

/// A module without its custom sections: Debian's linker leaves the names of all functions in, a tenth of what is to be loaded.
fn without_names(module: &[u8]) -> Option<Vec<u8>> {
    let (head, mut rest) = module.split_at_checked(8)?;
    let mut kept = head.to_vec();
    while let Some(&kind) = rest.first() {
        let (mut length, mut at) = (0usize, 1);
        loop {
            let byte = *rest.get(at)?;
            length |= usize::from(byte & 127).checked_shl(7 * (at as u32 - 1))?;
            at += 1;
            if byte < 128 {
                break;
            }
        }
        let (section, after) = rest.split_at_checked(at + length)?;
        if kind != CUSTOM {
            kept.extend_from_slice(section);
        }
        rest = after;
    }
    Some(kept)
}

/// The kind of a section that says nothing about what a module does.
const CUSTOM: u8 = 0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_left_out_and_nothing_else() {
        let module = [b"\0asm\x01\0\0\0".as_slice(), &[1, 2, 7, 7], &[0, 3, 1, b'n', 9], &[10, 0x81, 0, 5]].concat();
        let kept = [b"\0asm\x01\0\0\0".as_slice(), &[1, 2, 7, 7], &[10, 0x81, 0, 5]].concat();
        assert_eq!(without_names(&module), Some(kept));
        assert_eq!(without_names(&module[..module.len() - 1]), None);
    }
}
