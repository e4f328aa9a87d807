//! The browser tests of the explorer: Debian's chromium, driven by chromedriver.

use std::path::PathBuf;
use std::process::Command;

use crate::page::{self, Purpose};
use crate::program::{cargo, install, skip, starts, succeed, workspace};
use crate::{root, target};

/// The Debian packages.
const PACKAGES: [&str; 2] = ["chromium", "chromium-driver"];

/// The prefix of the tests of the page without a server.
const ALONE: &str = "alone_";

/// The checker of accessibility, from npm, and the test that needs it.
const AXE: &str = "axe-core@4.14.1";
const ACCESSIBLE: &str = "accessible_";

/// Runs the browser tests, and saves screenshots of every view if a folder is given. Skipped if no browser can be installed.
pub(crate) fn test(screenshots: Option<PathBuf>) -> Result<(), String> {
    if let Err(why) = find_or_install() {
        return skip("the browser tests", &why, &PACKAGES);
    }
    let mut test = workspace("test", "--test browser -- --ignored --test-threads=1 --skip speed_of_the_page");
    match page::compiler() {
        Ok(rustc) => {
            test.env("EMTEE_PAGE", page::write(&rustc, Purpose::Tests)?);
        }
        Err(why) => {
            skip("the page without a server", &why, &page::PACKAGES)?;
            test.args(["--skip", ALONE]);
        }
    }
    match axe() {
        Ok(script) => {
            test.env("EMTEE_AXE", script);
        }
        Err(why) => {
            skip("accessibility", &why, &["npm"])?;
            test.args(["--skip", ACCESSIBLE]);
        }
    }
    if let Some(folder) = screenshots {
        test.env("EMTEE_SCREENSHOTS", folder);
    }
    succeed(&mut test)
}

/// The script of axe-core, downloaded once.
fn axe() -> Result<PathBuf, String> {
    let folder = target().join("axe");
    let script = folder.join("node_modules/axe-core/axe.min.js");
    if !script.is_file() {
        if !starts("npm", "--version") {
            install(&["npm"])?;
        }
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--no-save", "--no-package-lock", "--ignore-scripts", "--prefix"]);
        succeed(npm.arg(&folder).arg(AXE))?;
    }
    if script.is_file() { Ok(script) } else { Err(format!("npm installs no {}", script.display())) }
}

/// Measures the search in a release build of the page against the same search in the program, and prints the speeds.
pub(crate) fn speed() -> Result<(), String> {
    find_or_install()?;
    let mut command = Command::new(cargo());
    let test =
        "test --release -p emtee-web --test browser -- --ignored --nocapture --exact standalone::speed_of_the_page";
    command.args(test.split(' ')).env("EMTEE_PAGE", page::write(&page::compiler()?, Purpose::Users)?);
    succeed(command.current_dir(root()))
}

/// The missing packages.
pub(crate) fn packages() -> Vec<&'static str> {
    if is_installed() { Vec::new() } else { PACKAGES.into() }
}

fn is_installed() -> bool {
    starts("chromedriver", "--version") && starts("chromium", "--version")
}

/// Installs the browser and its driver if they are missing.
fn find_or_install() -> Result<(), String> {
    if is_installed() {
        return Ok(());
    }
    install(&PACKAGES)?;
    if is_installed() { Ok(()) } else { Err("chromium does not start".into()) }
}
