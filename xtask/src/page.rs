//! The explorer as a page without a server: the search compiled to WebAssembly with Debian's compiler and standard library.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::program::{cargo, example, install, skip, succeed};
use crate::{root, say, target};

/// The Debian packages: a compiler, the sources of its standard library, and a linker.
pub(crate) const PACKAGES: [&str; 3] = ["rustc-web", "rust-web-src", "lld"];

/// Debian's compiler. Another may come first in the path.
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";

const TARGET: &str = "wasm32-unknown-unknown";

/// Compiler flags for small modules. The standard library is built too, because the prebuilt one is not optimised for size.
const FLAGS: [&str; 4] = [
    "-Ctarget-feature=+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint",
    "-Zunstable-options",
    "-Cpanic=immediate-abort",
    "-Zlocation-detail=none",
];
const LIBRARY: [&str; 2] = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"];

/// The purpose of a build.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A release: small and fast modules.
    Users,
    /// A test: fast build.
    Tests,
}

/// Builds the page, and copies it to `folder` if given.
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
    say(&format!("{} can be served by any web server; to try it: python3 -m http.server", page.display()));
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

/// A compiler with the sources of its standard library: the default one, or Debian's, which is installed if permitted.
pub(crate) fn compiler() -> Result<PathBuf, String> {
    if let Some(rustc) = found() {
        return Ok(rustc);
    }
    install(&PACKAGES)?;
    found().ok_or_else(|| "no compiler has the sources of its standard library".into())
}

/// The missing packages.
pub(crate) fn packages() -> Vec<&'static str> {
    if found().is_some() { Vec::new() } else { PACKAGES.into() }
}

fn found() -> Option<PathBuf> {
    let default = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    [PathBuf::from(default), PathBuf::from(DEBIAN_RUSTC)].into_iter().find(|rustc| has_sources(rustc))
}

fn has_sources(rustc: &Path) -> bool {
    let mut command = Command::new(rustc);
    command.args(["--print", "sysroot"]).stderr(Stdio::null());
    let Ok(output) = command.output() else { return false };
    let sysroot = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Path::new(&sysroot).join("lib/rustlib/src/rust/library/std/Cargo.toml").is_file()
}

/// Settings of the module that every page loads: small, but not at half the speed.
const SMALL: &[&str] = &[
    "--config",
    "profile.page.package.emtee-games.opt-level='s'",
    "--config",
    "profile.page.package.emtee-wasm.opt-level='s'",
];

/// Settings of the modules that are loaded on demand: fast. The settings of the last crate decide whether loops are
/// vectorised, also those of evaluations.
const FAST: &[&str] = &["--config", "profile.page.package.emtee-wasm.opt-level=3"];

/// Groups of modules: profile, modules, settings. Each different setting compiles our crates again.
const USERS: [(&str, &[&str], &[&str]); 2] =
    [("page", &["chess", "othello", "checkers"], FAST), ("page", &["small"], SMALL)];
const TESTS: [(&str, &[&str], &[&str]); 1] = [("page-test", &["chess", "othello", "checkers", "small"], &[])];

/// Builds the page in the build folder and returns its folder.
pub(crate) fn write(rustc: &Path, purpose: Purpose) -> Result<PathBuf, String> {
    let (page, groups) = match purpose {
        Purpose::Users => (target().join("page"), &USERS[..]),
        Purpose::Tests => (target().join("page-test"), &TESTS[..]),
    };
    let built = target().join("wasm");
    let page_error = |error: std::io::Error| format!("{}: {error}", page.display());
    fs::create_dir_all(&page).map_err(page_error)?;
    for (profile, modules, settings) in groups {
        let mut command = Command::new(cargo());
        command.args(["build", "--quiet", "--profile", profile, "-p", "emtee-wasm"]).args(*settings);
        command.args(modules.iter().flat_map(|module| ["--example", module]));
        command.args(LIBRARY).args(["--target", TARGET, "--target-dir"]).arg(&built);
        command.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTC_WRAPPER");
        command.env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"));
        if rustc == Path::new(DEBIAN_RUSTC) {
            // Other toolchains include a linker.
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
        }
        succeed(command.current_dir(root()))?;
        for module in *modules {
            let file = format!("{module}.wasm");
            let bytes = fs::read(built.join(TARGET).join(profile).join("examples").join(&file)).map_err(page_error)?;
            let bytes = without_custom_sections(&bytes).ok_or_else(|| format!("{file} is not a WebAssembly module"))?;
            fs::write(page.join(&file), bytes).map_err(page_error)?;
        }
    }
    succeed(Command::new(example("page")?).arg(&page))?;
    Ok(page)
}

/// A module without its custom sections. Debian's linker keeps the names of all functions, a tenth of the size.
fn without_custom_sections(module: &[u8]) -> Option<Vec<u8>> {
    let (head, mut rest) = module.split_at_checked(8)?;
    let mut kept = head.to_vec();
    while let Some(&kind) = rest.first() {
        let (mut length, mut start) = (0usize, 1);
        loop {
            let byte = *rest.get(start)?;
            length |= usize::from(byte & 127).checked_shl(7 * (start as u32 - 1))?;
            start += 1;
            if byte < 128 {
                break;
            }
        }
        let (section, after) = rest.split_at_checked(start + length)?;
        if kind != CUSTOM {
            kept.extend_from_slice(section);
        }
        rest = after;
    }
    Some(kept)
}

/// The id of custom sections, which have no effect on execution.
const CUSTOM: u8 = 0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_custom_sections_are_removed() {
        let module = [b"\0asm\x01\0\0\0".as_slice(), &[1, 2, 7, 7], &[0, 3, 1, b'n', 9], &[10, 0x81, 0, 5]].concat();
        let kept = [b"\0asm\x01\0\0\0".as_slice(), &[1, 2, 7, 7], &[10, 0x81, 0, 5]].concat();
        assert_eq!(without_custom_sections(&module), Some(kept));
        assert_eq!(without_custom_sections(&module[..module.len() - 1]), None);
    }
}
