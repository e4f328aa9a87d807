//! The explorer as a page without a server: the search compiled to WebAssembly, with Debian's compiler and library.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::program::{cargo, example, install, skip, succeed};
use crate::{root, say, target};

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

/// What a page is built for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To be loaded by many: small, and as fast as can be.
    Users,
    /// To be tested once: built in little time.
    Tests,
}

/// Builds the page, and copies it into a folder if one is given.
pub(crate) fn build(folder: Option<&Path>, purpose: Purpose) -> Result<(), String> {
    let copied = |page: PathBuf| match folder {
        None => Ok(page),
        Some(folder) => copy(&page, &root().join(folder)),
    };
    let rustc = match compiler() {
        Err(why) if purpose == Purpose::Tests => return skip("the page without a server", &why, &PACKAGES),
        found => found?,
    };
    let page = write(&rustc, purpose).and_then(copied)?;
    say(&format!("{} is ready for any web server; to look at it: python3 -m http.server", page.display()));
    Ok(())
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
    if let Some(rustc) = found() {
        return Ok(rustc);
    }
    install(&PACKAGES)?;
    found().ok_or_else(|| "no compiler has the sources of its library".into())
}

/// The packages that are missing.
pub(crate) fn packages() -> Vec<&'static str> {
    if found().is_some() { Vec::new() } else { PACKAGES.into() }
}

fn found() -> Option<PathBuf> {
    let usual = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    [PathBuf::from(usual), PathBuf::from(DEBIAN)].into_iter().find(|rustc| has_sources(rustc))
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

/// Modules that are built together, and how. A setting that differs compiles our crates once more.
const USERS: [(&str, &[&str], &[&str]); 2] =
    [("page", &["chess", "othello", "checkers"], FAST), ("page", &["small"], SMALL)];
const TESTS: [(&str, &[&str], &[&str]); 1] = [("page-test", &["chess", "othello", "checkers", "small"], &[])];

/// Builds the page into a folder below the build folder.
pub(crate) fn write(rustc: &Path, purpose: Purpose) -> Result<PathBuf, String> {
    let (page, groups) = match purpose {
        Purpose::Users => (target().join("page"), &USERS[..]),
        Purpose::Tests => (target().join("page-test"), &TESTS[..]),
    };
    let built = target().join("wasm");
    let told = |error: std::io::Error| format!("{}: {error}", page.display());
    fs::create_dir_all(&page).map_err(told)?;
    for (profile, modules, settings) in groups {
        let mut command = Command::new(cargo());
        command.args(["build", "--quiet", "--profile", profile, "-p", "emtee-wasm"]).args(*settings);
        command.args(modules.iter().flat_map(|module| ["--example", module]));
        command.args(LIBRARY).args(["--target", TARGET, "--target-dir"]).arg(&built);
        command.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTC_WRAPPER");
        command.env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"));
        if rustc == Path::new(DEBIAN) {
            // Others bring a linker along.
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
        }
        succeed(command.current_dir(root()))?;
        for module in *modules {
            let file = format!("{module}.wasm");
            let bytes = fs::read(built.join(TARGET).join(profile).join("examples").join(&file)).map_err(told)?;
            let bytes = without_names(&bytes).ok_or_else(|| format!("{file} is no module"))?;
            fs::write(page.join(&file), bytes).map_err(told)?;
        }
    }
    succeed(Command::new(example("page")?).arg(&page))?;
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
