//! The explorer in a real browser: Debian's chromium, driven by its chromedriver.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use crate::program::{cargo, install, succeed};
use crate::{end, root, say};

/// What Debian calls them.
const PACKAGES: [&str; 2] = ["chromium", "chromium-driver"];

/// Runs the suite. Where no browser can be had it is left out with a loud line, and in CI that is a failure.
pub(crate) fn test() -> ExitCode {
    end(suite(None))
}

/// Runs the suite, and keeps pictures of every view in a folder.
pub(crate) fn screenshots(folder: &OsString) -> ExitCode {
    end(suite(Some(root().join(folder))))
}

fn suite(pictures: Option<PathBuf>) -> Result<(), String> {
    if let Err(why) = browser() {
        if std::env::var_os("CI").is_some() {
            return Err(format!("no browser, and CI is set: {why}"));
        }
        say("\n!!! ===================================================================");
        say(&format!("!!! THE BROWSER SUITE IS LEFT OUT: {why}"));
        say("!!! install chromium and chromedriver, then: cargo xtask browser");
        say("!!! ===================================================================\n");
        return Ok(());
    }
    let mut command = Command::new(cargo());
    // The same features as in the test before, so that nothing is built twice.
    let test = "test --workspace --all-features --test browser -- --ignored --test-threads=1";
    command.args(test.split(" "));
    if let Some(folder) = pictures {
        command.env("EMTEE_SCREENSHOTS", folder);
    }
    succeed(command.current_dir(root()))
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
