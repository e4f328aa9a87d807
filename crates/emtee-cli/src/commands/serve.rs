//! `emtee serve`: the explorer page.

use std::net::IpAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use clap::Args as ClapArgs;
use emtee_engine::Registry;
use emtee_web::{Options, Server};
use serde_json::json;

use crate::commands::args::whole;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{FAINT, MARK, Output};

/// Open the explorer: watch MT think, play, race algorithms, look at reports
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee serve --open\n  emtee serve --port 8080 --reports reproduced\n  emtee serve --bind 0.0.0.0"
)]
pub(crate) struct ServeArgs {
    /// The port; 0 takes one that is free
    #[arg(long, value_name = "N", default_value_t = 8017, value_parser = whole(0, u16::MAX))]
    port: u16,

    /// The address to listen at; others than this machine's need the token that is printed
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = address)]
    bind: IpAddr,

    /// Open the page in a browser
    #[arg(long)]
    open: bool,

    /// Where folders of experiments and matches lie [default: here]
    #[arg(long, value_name = "DIR")]
    reports: Vec<PathBuf>,
}

fn address(text: &str) -> Result<IpAddr, String> {
    match text {
        "localhost" => Ok(IpAddr::from([127, 0, 0, 1])),
        _ => text.parse().map_err(|_| String::from("an address is like 127.0.0.1 or ::1")),
    }
}

pub(crate) fn run(registry: &Arc<Registry>, args: &ServeArgs, output: &mut Output) -> Result<(), Failure> {
    if let Some(missing) = args.reports.iter().find(|folder| !folder.is_dir()) {
        return Err(Failure::bad(format!("there is no folder {}", missing.display())));
    }
    let mut options = Options::default();
    (options.bind, options.port) = (args.bind, args.port);
    options.reports = if args.reports.is_empty() { vec![PathBuf::from(".")] } else { args.reports.clone() };
    let cannot = |error: std::io::Error| {
        let other = if error.kind() == std::io::ErrorKind::AddrInUse { "; choose another --port" } else { "" };
        Failure::bad(format!("cannot listen at {}:{}: {error}{other}", args.bind, args.port))
    };
    let server = Server::bind(registry.clone(), &options).map_err(cannot)?;
    let address = server.address();
    if output.json() {
        output.object(&json!({ "address": address }))?;
    } else {
        output.line(format!("the explorer is at {MARK}{address}{MARK:#}   {FAINT}Ctrl-C ends it{FAINT:#}"))?;
    }
    if args.open && !browse(&address) {
        output.line("no browser could be started; open the address yourself")?;
    }
    let stop = interrupt::flag();
    server.run(&stop).map_err(|error| Failure::Failed(format!("the server failed: {error}")))?;
    // It ends for no other reason than Ctrl-C.
    Err(Failure::Interrupted(String::from("the explorer is closed")))
}

/// Shows an address in a browser, by whatever the system opens addresses with.
fn browse(address: &str) -> bool {
    let openers: &[&[&str]] = if cfg!(target_os = "macos") {
        &[&["open"]]
    } else if cfg!(windows) {
        &[&["rundll32", "url.dll,FileProtocolHandler"]]
    } else {
        &[&["xdg-open"], &["x-www-browser"]]
    };
    openers.iter().any(|opener| {
        let mut command = Command::new(opener[0]);
        command.args(&opener[1..]).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok()
    })
}
