//! `emtee engine`: a player for the programs around a game.

use std::io;

use emtee_engine::{Play, Protocol, Registry, Setup, speak};

use crate::args::EngineArgs;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(registry: &Registry, args: &EngineArgs, output: &Output) -> Result<(), Failure> {
    let game = registry.get(&args.game)?;
    if output.json() {
        return Err(Failure::bad("an engine speaks its protocol; leave --json out"));
    }
    let play = Play {
        algorithm: args.algorithm,
        hash: args.hash,
        switches: args.selective,
        overhead: args.overhead,
        ..Play::default()
    };
    let mut setup = Setup::new(play);
    setup.protocol = args.protocol;
    setup.move_time = args.time;
    let protocol = args.protocol.unwrap_or_else(|| Protocol::of(game.name()));
    if args.time.is_some() && protocol != Protocol::NBoard {
        return Err(Failure::bad(format!("the clock of {protocol} says how long a move takes; leave --time out")));
    }
    if let Some(most) = memory() {
        setup.most_hash = (most >> 20).max(args.hash.bytes() >> 20).max(1);
    }
    speak(game, &setup, &mut io::stdin().lock(), &mut io::stdout())?;
    Ok(())
}

/// How much memory a table can have, where the system says so.
fn memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some((kilobytes / 10 * 9) << 10)
}
