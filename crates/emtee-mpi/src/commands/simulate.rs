//! `emtee-mpi simulate`: the speedup of many ranks, in virtual time.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use emtee::research::Peers;
use emtee::{Budget, MAX_DEPTH, Size};
use emtee_engine::{Entry, Position, Registry, Row, Settings};
use serde_json::json;

use super::Failure;
use crate::control::Control;
use crate::mpi_transport::MpiTransport;
use crate::ranks::Ranks;
use emtee_engine::cluster::protocol::RankPeer;
use emtee_engine::cluster::simulator::{Cores, Faults, Network, Simulation};

/// Predict the speedup of many ranks on a virtual clock: without MPI, on any machine
#[derive(Args)]
pub(crate) struct SimulateArgs {
    /// Name of the game
    game: String,

    /// Numbers of ranks, separated by commas
    #[arg(long, value_name = "N,M", value_delimiter = ',', default_value = "4,16,64",
        value_parser = clap::value_parser!(u32).range(1..=4096))]
    ranks: Vec<u32>,

    /// Threads per rank
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,

    /// Depth in plies
    #[arg(long, value_name = "N", required_unless_present = "least", conflicts_with = "least",
        value_parser = clap::value_parser!(u8).range(2..=60))]
    depth: Option<u8>,

    /// Search each position to the first depth at which one thread visits this many nodes
    #[arg(long, value_name = "NODES", conflicts_with = "real")]
    least: Option<u64>,

    /// A position in the game's notation, instead of a set; may be given several times
    #[arg(long, value_name = "P", conflicts_with_all = ["positions", "set"])]
    position: Vec<String>,

    /// Number of positions from the set
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    positions: u32,

    /// Name of the set of positions
    #[arg(long, value_name = "NAME", default_value = "paper")]
    set: String,

    /// Table entries per rank
    #[arg(long, value_name = "N", default_value_t = 1 << 18, value_parser = clap::value_parser!(u32).range(16..))]
    entries: u32,

    /// Latency of a packet, in microseconds
    #[arg(long, value_name = "µs", default_value_t = 10.0)]
    latency: f64,

    /// Megabytes per second that a rank can send
    #[arg(long, value_name = "MB/s", default_value_t = 1000.0)]
    bandwidth: f64,

    /// Cost of a packet for its sender and for its receiver, in microseconds
    #[arg(long = "packet-cost", alias = "letter", value_name = "µs", default_value_t = 0.5)]
    packet_cost: f64,

    /// Cost of a visit, in nanoseconds [default: measured on this machine]
    #[arg(long, value_name = "ns")]
    visit: Option<f64>,

    /// Cores that the ranks share, taking turns on them [default: one for each thread]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    cores: Option<u32>,

    /// Time slice of a rank on a shared core, in milliseconds
    #[arg(long, value_name = "ms", default_value_t = 4.0, requires = "cores")]
    slice: f64,

    /// Make the same searches on the real ranks that mpirun has started, to compare the simulator with them
    #[arg(long)]
    real: bool,

    /// Sleep of a rank after each visit, in microseconds, during which other ranks can use its core
    #[arg(long, value_name = "µs", default_value_t = 0.0, requires = "real")]
    rest: f64,
}

/// The measurements of one search, or their sums over several.
#[derive(Clone, Copy)]
struct Measured {
    seconds: f64,
    nodes: u64,
    packets: u64,
    megabytes: f64,
}

impl Measured {
    const ZERO: Measured = Measured { seconds: 0.0, nodes: 0, packets: 0, megabytes: 0.0 };
}

pub(crate) fn run(
    ranks: Option<&Ranks>,
    registry: &Registry,
    args: &SimulateArgs,
    as_json: bool,
) -> Result<(), Failure> {
    let bad_input = |error: emtee_engine::Error| (2, error.to_string());
    let micros = |option: &str, time: f64| {
        let time = Duration::try_from_secs_f64(time * 1e-6).ok().filter(|time| *time < Duration::from_secs(1));
        time.ok_or_else(|| (2, format!("--{option} must be between 0 and a million microseconds")))
    };
    let network = Network {
        latency: micros("latency", args.latency)?,
        bandwidth: args.bandwidth * 1e6,
        packet_cost: micros("packet-cost", args.packet_cost)?,
        message_cost: Duration::from_nanos(40),
    };
    let slice = micros("slice", 1e3 * args.slice)?;
    let cores = args.cores.map(|number| Cores { number: number as usize, slice });
    if cores.is_some() && (args.threads > 1 || args.real) {
        return Err((2, String::from("--cores goes with one thread per rank, and not with --real")));
    }
    if !(args.bandwidth > 0.0 && args.bandwidth.is_finite()) {
        return Err((2, String::from("--bandwidth must be more than 0")));
    }
    let game = registry.get(&args.game).map_err(bad_input)?;
    let positions = positions(game, args).map_err(bad_input)?;
    if let Some(over) = positions.iter().find(|position| position.moves().is_empty()) {
        return Err((2, format!("the game is over in the position '{}'", over.text())));
    }
    if args.real {
        let ranks = ranks.ok_or_else(|| (2, String::from("--real needs ranks; start it with mpirun")))?;
        return on_real_ranks(ranks, args, micros("rest", args.rest)?, &positions, as_json);
    }
    // The reference: one thread.
    let alone: Vec<Row> = positions
        .iter()
        .map(|position| one_thread(position.as_ref(), args))
        .collect::<Result<_, _>>()
        .map_err(bad_input)?;
    let depths: Vec<u8> = alone.iter().map(|row| row.depth).collect();
    let nodes: u64 = alone.iter().map(|row| row.counts.nodes()).sum();
    let measured_visit = 1e9 * alone.iter().map(|row| row.seconds).sum::<f64>() / nodes.max(1) as f64;
    let visit = Duration::from_nanos(args.visit.unwrap_or(measured_visit).clamp(1.0, 1e9) as u64);
    for &ranks in &args.ranks {
        let began = Instant::now();
        let (mut logs, mut all_nodes, mut packets, mut megabytes, mut time) = (Vec::new(), 0, 0, 0.0, 0.0);
        for (position, one) in positions.iter().zip(&alone) {
            let done = simulate(position.as_ref(), ranks as usize, args, (visit, network, cores), one)?;
            let seconds = one.counts.nodes() as f64 * visit.as_secs_f64();
            logs.push((seconds / done.seconds.max(1e-9)).ln());
            (all_nodes, packets) = (all_nodes + done.nodes, packets + done.packets);
            (megabytes, time) = (megabytes + done.megabytes, time + done.seconds);
        }
        let mean = logs.iter().sum::<f64>() / logs.len().max(1) as f64;
        let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (logs.len().max(2) - 1) as f64;
        let (speedup, spread) = (mean.exp(), variance.sqrt().exp());
        let speedups: Vec<f64> = logs.iter().map(|log| log.exp()).collect();
        let arithmetic_mean = speedups.iter().sum::<f64>() / speedups.len().max(1) as f64;
        let overhead = all_nodes as f64 / nodes.max(1) as f64;
        let rate = megabytes / time.max(1e-9) / f64::from(ranks);
        if as_json {
            let row = json!({ "game": args.game, "ranks": ranks, "threads": args.threads, "depths": depths,
                "positions": positions.len(), "speedup": speedup, "spread": spread, "speedups": speedups,
                "nodes_ratio": overhead, "packets": packets, "megabytes_per_second": rate, "visit_ns": visit.as_nanos() as u64,
                "seconds": time, "simulated_in": began.elapsed().as_secs_f64() });
            println!("{row}");
        } else {
            println!(
                "{} {}, {} positions, {ranks} ranks × {} threads: speedup {speedup:.1} (×{spread:.2}, arithmetic mean \
                 {arithmetic_mean:.1}), {overhead:.2} times the nodes, {packets} packets, {time:.2} s, {rate:.1} \
                 MB/s out of each rank",
                args.game,
                depth_range(&depths),
                positions.len(),
                args.threads
            );
        }
    }
    Ok(())
}

fn positions(game: &dyn Entry, args: &SimulateArgs) -> Result<Vec<Box<dyn Position>>, emtee_engine::Error> {
    if !args.position.is_empty() {
        return args.position.iter().map(|text| game.position(text)).collect();
    }
    let set = game.set(&args.set)?;
    let wanted = (args.positions as usize).min(set.len());
    let step = set.len() / wanted.max(1);
    Ok(set.into_iter().step_by(step.max(1)).take(wanted).collect())
}

fn settings(args: &SimulateArgs, threads: usize) -> Settings {
    let mut settings = Settings::default();
    settings.options.size = Some(Size::of_entries(args.entries as usize));
    settings.options.principal_variation = false;
    settings.options.threads = threads;
    settings
}

/// The search of one thread, to `--depth` or to the first depth that takes `--least` nodes.
fn one_thread(position: &dyn Position, args: &SimulateArgs) -> Result<Row, emtee_engine::Error> {
    let (stop, least) = (Arc::new(AtomicBool::new(false)), args.least.unwrap_or(u64::MAX));
    let mut settings = settings(args, 1);
    settings.stop = Some(stop.clone().into());
    let budget = args.depth.map_or(Budget::depth(MAX_DEPTH), Budget::depth);
    let mut last = Row::default();
    position.search(&settings, budget, &mut |event| {
        let Some(row) = event.iteration() else { return };
        last = row.clone();
        stop.store(row.counts.nodes() >= least, Relaxed);
    })?;
    Ok(last)
}

/// The depths as text.
fn depth_range(depths: &[u8]) -> String {
    match (depths.iter().min(), depths.iter().max()) {
        (Some(least), Some(most)) if least < most => format!("depths {least} to {most}"),
        (Some(depth), _) => format!("depth {depth}"),
        _ => String::from("nothing"),
    }
}

/// One search on simulated ranks. All must find the value of one thread.
fn simulate(
    position: &dyn Position,
    ranks: usize,
    args: &SimulateArgs,
    (visit, network, cores): (Duration, Network, Option<Cores>),
    alone: &Row,
) -> Result<Measured, Failure> {
    let threads = args.threads as usize;
    let simulation = match cores {
        Some(cores) => Simulation::on_cores(ranks, cores, visit, network),
        None => Simulation::new(ranks, threads, visit, network, Faults::default()),
    };
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for rank in 0..ranks {
            let (simulation, results) = (&simulation, &results);
            scope.spawn(move || {
                let stop = Arc::default();
                let peers = Arc::new(RankPeer::new(simulation.enter(rank), 0, Arc::clone(&stop)));
                let mut settings = settings(args, threads);
                settings.stop = Some(stop.into());
                settings.peers = Some(peers.clone() as Arc<dyn Peers>);
                let row = position.search(&settings, Budget::depth(alone.depth), &mut |_| ());
                peers.transport().leave();
                results.lock().unwrap_or_else(PoisonError::into_inner).push(row);
            });
        }
    });
    let mut nodes = 0;
    for row in results.into_inner().unwrap_or_else(PoisonError::into_inner) {
        let row = row.map_err(|error| (1, error.to_string()))?;
        if row.value != alone.value {
            let (value, text) = (alone.value, position.text());
            return Err((1, format!("a rank found {:?}, one thread {value:?}: {text}", row.value)));
        }
        nodes += row.counts.nodes();
    }
    let (time, packets, bytes) = simulation.report();
    Ok(Measured { seconds: time.as_secs_f64(), nodes, packets, megabytes: bytes as f64 / 1e6 })
}

/// The same searches on real ranks. If rank 0 cannot go on, the other ranks end too.
fn on_real_ranks(
    ranks: &Ranks,
    args: &SimulateArgs,
    rest: Duration,
    positions: &[Box<dyn Position>],
    as_json: bool,
) -> Result<(), Failure> {
    let done = measure_real_ranks(ranks, args, rest, positions, as_json);
    if done.is_err() && ranks.rank() == 0 {
        ranks.send_to_all(&Control::Exit);
    }
    done
}

fn measure_real_ranks(
    ranks: &Ranks,
    args: &SimulateArgs,
    rest: Duration,
    positions: &[Box<dyn Position>],
    as_json: bool,
) -> Result<(), Failure> {
    // The other ranks are in the middle of a search or wait for the end of theirs.
    let failed = |error: emtee_engine::Error| -> Failure {
        eprintln!("error: rank {}: {error}", ranks.rank());
        ranks.abort()
    };
    let depth = args.depth.unwrap_or_default();
    let [mut alone, mut independent, mut shared] = [Measured::ZERO; 3];
    let mut rested = 0;
    for (number, position) in positions.iter().enumerate() {
        // One thread alone, while the other ranks sleep.
        let mut value = None;
        if ranks.rank() == 0 {
            // The first search finds out whether the options can be used.
            let bad_input = |error: emtee_engine::Error| (2, error.to_string());
            let row = position.search(&settings(args, 1), Budget::depth(depth), &mut |_| ()).map_err(bad_input)?;
            (alone.seconds, alone.nodes) = (alone.seconds + row.seconds, alone.nodes + row.counts.nodes());
            value = row.value;
            ranks.send_to_all(&Control::JobOver);
        } else {
            loop {
                match ranks.receive() {
                    Some((_, Control::Exit)) => return Ok(()),
                    Some(_) => break,
                    None => ranks.sleep(),
                }
            }
        }
        // All ranks at the same time without communication: their speed.
        ranks.barrier();
        let row = position.search(&settings(args, 1), Budget::depth(depth), &mut |_| ()).map_err(failed)?;
        (independent.seconds, independent.nodes) =
            (independent.seconds + row.seconds, independent.nodes + row.counts.nodes());
        let stop = Arc::default();
        let transport = MpiTransport::new(ranks.rank(), ranks.size(), ranks.patience).resting(rest);
        let peers = Arc::new(RankPeer::new(transport, number as u64, Arc::clone(&stop)));
        let mut settings = settings(args, args.threads as usize);
        (settings.stop, settings.peers) = (Some(stop.into()), Some(peers.clone() as Arc<dyn Peers>));
        ranks.barrier();
        let row = position.search(&settings, Budget::depth(depth), &mut |_| ()).map_err(failed)?;
        // All ranks end this search before any begins the next.
        ranks.barrier();
        let rest = peers.transport().rested().as_nanos() as u64;
        let (nodes, packets) = (row.counts.nodes(), peers.traffic().packets);
        if ranks.rank() > 0 {
            ranks.send(0, &Control::Result { number, text: format!("{nodes} {packets} {rest}") });
            continue;
        }
        if row.value != value {
            return Err((1, format!("the ranks found {:?}, one thread {value:?}: {}", row.value, position.text())));
        }
        shared.seconds += row.seconds;
        (shared.nodes, shared.packets) = (shared.nodes + nodes, shared.packets + packets);
        rested += rest;
        for _ in 1..ranks.size() {
            let text = loop {
                match ranks.receive() {
                    Some((_, Control::Result { text, .. })) => break text,
                    _ => ranks.sleep(),
                }
            };
            let mut counts = text.split(' ').map(|count| count.parse().unwrap_or(0_u64));
            shared.nodes += counts.next().unwrap_or(0);
            shared.packets += counts.next().unwrap_or(0);
            rested += counts.next().unwrap_or(0);
        }
    }
    if ranks.rank() > 0 {
        return Ok(());
    }
    let size = ranks.size();
    // With fewer cores than ranks, each rank has a share of a core.
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let share = (cores as f64 / size as f64).min(1.0);
    let visit = |measured: Measured, share: f64| 1e9 * share * measured.seconds / measured.nodes.max(1) as f64;
    let rest = rested as f64 / shared.nodes.max(1) as f64;
    let (visit, busy_visit) = (visit(alone, 1.0), visit(independent, share) + rest);
    let (speedup, overhead) = (alone.seconds / shared.seconds, shared.nodes as f64 / alone.nodes.max(1) as f64);
    let rate = |measured: Measured| measured.nodes as f64 / measured.seconds.max(1e-9);
    let throughput = rate(shared) / (size as f64 * rate(independent));
    let packets = shared.packets;
    if as_json {
        let row = json!({ "game": args.game, "real_ranks": size, "threads": args.threads, "depth": depth,
            "positions": positions.len(), "speedup": speedup, "nodes_ratio": overhead, "packets": packets,
            "visit_ns": visit as u64, "busy_visit_ns": busy_visit as u64, "throughput": throughput,
            "seconds": shared.seconds });
        println!("{row}");
    } else {
        let rested = if rest > 0.0 { ", sleep included" } else { "" };
        println!(
            "{} depth {}, {} positions, {size} real ranks × {} threads: speedup {speedup:.2}, {overhead:.2} times the nodes, \
             {packets} packets, {:.2} s, {throughput:.2} times the nodes per second of as many \
             independent searches; a visit took {visit:.0} ns, and {busy_visit:.0} ns of a core while all of these ran{rested}",
            args.game,
            depth,
            positions.len(),
            args.threads,
            shared.seconds
        );
    }
    Ok(())
}
