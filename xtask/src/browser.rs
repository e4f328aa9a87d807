//! The explorer in a real browser: Debian's chromium, driven by its chromedriver.

use std::path::PathBuf;
use std::process::Command;

use crate::page::{self, Purpose};
use crate::program::{cargo, install, skip, starts, succeed, workspace};
use crate::root;

/// What Debian calls them.
const PACKAGES: [&str; 2] = ["chromium", "chromium-driver"];

/// How the tests of the page without a server begin.
const ALONE: &str = "alone_";

/// Runs the suite, and keeps pictures of every view where a folder is given. Where no browser can be had it is skipped.
pub(crate) fn test(pictures: Option<PathBuf>) -> Result<(), String> {
    if let Err(why) = browser() {
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
    if let Some(folder) = pictures {
        test.env("EMTEE_SCREENSHOTS", folder);
    }
    succeed(&mut test)
}

/// How fast the search in a page is beside the same search in the program: built for speed, and printed.
pub(crate) fn speed() -> Result<(), String> {
    browser()?;
    let mut command = Command::new(cargo());
    let test = "test --release -p emtee-web --test browser -- --ignored --nocapture --exact alone::speed_of_the_page";
    command.args(test.split(' ')).env("EMTEE_PAGE", page::write(&page::compiler()?, Purpose::Users)?);
    succeed(command.current_dir(root()))
}

/// The packages that are missing.
pub(crate) fn packages() -> Vec<&'static str> {
    if is_there() { Vec::new() } else { PACKAGES.into() }
}

fn is_there() -> bool {
    starts("chromedriver", "--version") && starts("chromium", "--version")
}

/// Installs a browser and its driver unless they are there.
fn browser() -> Result<(), String> {
    if is_there() {
        return Ok(());
    }
    install(&PACKAGES)?;
    if is_there() { Ok(()) } else { Err("chromium does not start".into()) }
}
