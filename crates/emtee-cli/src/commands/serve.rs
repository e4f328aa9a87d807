//! `emtee serve`: the server of the explorer page.

use std::net::IpAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use clap::Args as ClapArgs;
use emtee_engine::Registry;
use emtee_web::{Options, Server};
use serde_json::json;

use crate::commands::args::integer;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{FAINT, MARK, Output};

/// Serve the explorer: watch MT search, play, race algorithms, browse reports
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee serve --open\n  emtee serve --port 8080 --reports reproduced\n  emtee serve --bind 0.0.0.0"
)]
pub(crate) struct ServeArgs {
    /// Port to listen on; 0 for any free port
    #[arg(long, value_name = "N", default_value_t = 8017, value_parser = integer(0, u16::MAX))]
    port: u16,

    /// Address to listen on; others than loopback need the printed token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = address)]
    bind: IpAddr,

    /// Open the page in a browser
    #[arg(long)]
    open: bool,

    /// Folder with experiments and matches; repeatable [default: the current folder]
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
        let hint = if error.kind() == std::io::ErrorKind::AddrInUse { "; choose another --port" } else { "" };
        Failure::bad(format!("cannot listen on {}:{}: {error}{hint}", args.bind, args.port))
    };
    let server = Server::bind(registry.clone(), &options).map_err(cannot)?;
    let address = server.address();
    if output.json() {
        output.object(&json!({ "address": address }))?;
    } else {
        output.line(format!("the explorer is at {MARK}{address}{MARK:#}   {FAINT}Ctrl-C stops it{FAINT:#}"))?;
    }
    if args.open && !browse(&address) {
        output.line("cannot start a browser; open the address yourself")?;
    }
    let stop = interrupt::flag();
    server.run(&stop).map_err(|error| Failure::Failed(format!("the server failed: {error}")))?;
    // Only Ctrl-C stops the server without an error.
    Err(Failure::Interrupted(String::from("the explorer is stopped")))
}

/// Opens an address in a browser with the opener of the system.
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
