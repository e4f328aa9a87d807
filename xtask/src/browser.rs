//! The explorer in a real browser: Debian's chromium, driven by its chromedriver.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use crate::program::{cargo, install, succeed};
use crate::{end, page, root, say};

/// What Debian calls them.
const PACKAGES: [&str; 2] = ["chromium", "chromium-driver"];

/// How the tests of the page without a server begin.
const ALONE: &str = "alone_";

/// Runs the suite. Where no browser can be had it is left out with a loud line, and in CI that is a failure.
pub(crate) fn test() -> ExitCode {
    end(suite(None))
}

/// Runs the suite, and keeps pictures of every view in a folder.
pub(crate) fn screenshots(folder: &OsString) -> ExitCode {
    end(suite(Some(root().join(folder))))
}

/// How fast the search in a page is beside the same search in the program: built for speed, and printed.
pub(crate) fn speed() -> ExitCode {
    let measure = || {
        browser()?;
        let mut command = Command::new(cargo());
        let test =
            "test --release -p emtee-web --test browser -- --ignored --nocapture --exact alone::speed_of_the_page";
        command.args(test.split(' ')).env("EMTEE_PAGE", page::write(&page::compiler()?)?);
        succeed(command.current_dir(root()))
    };
    end(measure())
}

fn suite(pictures: Option<PathBuf>) -> Result<(), String> {
    if let Err(why) = browser() {
        return left_out("the browser suite", &why, &PACKAGES);
    }
    let mut command = Command::new(cargo());
    // The same features as in the test before, so that nothing is built twice.
    let test = "test --workspace --all-features --test browser -- --ignored --test-threads=1 --skip speed_of_the_page";
    command.args(test.split(' '));
    match page::compiler() {
        Ok(rustc) => {
            command.env("EMTEE_PAGE", page::write(&rustc)?);
        }
        Err(why) => {
            left_out("the page without a server", &why, &page::PACKAGES)?;
            command.args(["--skip", ALONE]);
        }
    }
    if let Some(folder) = pictures {
        command.env("EMTEE_SCREENSHOTS", folder);
    }
    succeed(command.current_dir(root()))
}

/// Says loudly that something is not tested. In CI that is a failure.
fn left_out(what: &str, why: &str, packages: &[&str]) -> Result<(), String> {
    let packages = packages.join(", ");
    if std::env::var_os("CI").is_some() {
        return Err(format!("{what} cannot be tested, and CI is set: {why}; install {packages}"));
    }
    say("\n!!! ===================================================================");
    say(&format!("!!! {} IS LEFT OUT: {why}", what.to_uppercase()));
    say(&format!("!!! install {packages}, then: cargo xtask browser"));
    say("!!! ===================================================================\n");
    Ok(())
}

/// Sees to it that there are a browser and its driver.
fn browser() -> Result<(), String> {
    if starts("chromedriver") && starts("chromium") {
        return Ok(());
    }
    install(&PACKAGES)?;
    if starts("chromedriver") && starts("chromium") { Ok(()) } else { Err("chromium does not start".into()) }
}

fn starts(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
