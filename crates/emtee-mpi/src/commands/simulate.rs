//! `emtee-mpi simulate`: what many ranks would do, in virtual time.

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
use crate::message::Message;
use crate::post::MpiPost;
use crate::ranks::Ranks;
use emtee_engine::cluster::mail::Correspondent;
use emtee_engine::cluster::simulator::{Cores, Disorder, Network, World};

/// How much faster many ranks would be, by a virtual clock: without MPI, and on any machine
#[derive(Args)]
pub(crate) struct SimulateArgs {
    /// The game
    game: String,

    /// How many ranks, separated by commas
    #[arg(long, value_name = "N,M", value_delimiter = ',', default_value = "4,16,64",
        value_parser = clap::value_parser!(u32).range(1..=4096))]
    ranks: Vec<u32>,

    /// How many threads each of them has
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,

    /// How deep, in plies
    #[arg(long, value_name = "N", required_unless_present = "least", conflicts_with = "least",
        value_parser = clap::value_parser!(u8).range(2..=60))]
    depth: Option<u8>,

    /// Each position as deep as it takes for one thread to visit so many nodes
    #[arg(long, value_name = "NODES", conflicts_with = "real")]
    least: Option<u64>,

    /// A position, in the game's own text, instead of a set; may be given several times
    #[arg(long, value_name = "P", conflicts_with_all = ["positions", "set"])]
    position: Vec<String>,

    /// How many positions of the set
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    positions: u32,

    /// The set of positions
    #[arg(long, value_name = "NAME", default_value = "paper")]
    set: String,

    /// The entries of each rank's table
    #[arg(long, value_name = "N", default_value_t = 1 << 18, value_parser = clap::value_parser!(u32).range(16..))]
    entries: u32,

    /// How long a letter travels, in microseconds
    #[arg(long, value_name = "µs", default_value_t = 10.0)]
    latency: f64,

    /// How many megabytes a second a rank can send
    #[arg(long, value_name = "MB/s", default_value_t = 1000.0)]
    bandwidth: f64,

    /// What a letter costs its writer and its reader, in microseconds
    #[arg(long, value_name = "µs", default_value_t = 0.5)]
    letter: f64,

    /// What a visit costs, in nanoseconds [default: what it costs here]
    #[arg(long, value_name = "ns")]
    visit: Option<f64>,

    /// Ranks share this many cores, and take turns on them [default: each thread has its own]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    cores: Option<u32>,

    /// For how long a rank keeps its core while others want it, in milliseconds
    #[arg(long, value_name = "ms", default_value_t = 4.0, requires = "cores")]
    slice: f64,

    /// Make the same searches for real, on the ranks that mpirun has started, to hold the simulator against them
    #[arg(long)]
    real: bool,

    /// In slow motion: a rank rests for so many microseconds after each visit, and leaves its core to others
    #[arg(long, value_name = "µs", default_value_t = 0.0, requires = "real")]
    rest: f64,
}

/// A search, as a clock saw it.
#[derive(Clone, Copy)]
struct Measured {
    seconds: f64,
    nodes: u64,
    letters: u64,
    megabytes: f64,
}

impl Measured {
    const NOTHING: Measured = Measured { seconds: 0.0, nodes: 0, letters: 0, megabytes: 0.0 };
}

pub(crate) fn run(
    ranks: Option<&Ranks>,
    registry: &Registry,
    args: &SimulateArgs,
    as_json: bool,
) -> Result<(), Failure> {
    let bad = |error: emtee_engine::Error| (2, error.to_string());
    let micros = |what: &str, time: f64| {
        let time = Duration::try_from_secs_f64(time * 1e-6).ok().filter(|time| *time < Duration::from_secs(1));
        time.ok_or_else(|| (2, format!("--{what} must be between 0 and a million microseconds")))
    };
    let network = Network {
        latency: micros("latency", args.latency)?,
        bandwidth: args.bandwidth * 1e6,
        letter: micros("letter", args.letter)?,
        note: Duration::from_nanos(40),
    };
    let slice = micros("slice", 1e3 * args.slice)?;
    let cores = args.cores.map(|number| Cores { number: number as usize, slice });
    if cores.is_some() && (args.threads > 1 || args.real) {
        return Err((2, String::from("--cores goes with one thread a rank, and not with --real")));
    }
    if !(args.bandwidth > 0.0 && args.bandwidth.is_finite()) {
        return Err((2, String::from("--bandwidth must be more than 0")));
    }
    let game = registry.get(&args.game).map_err(bad)?;
    let positions = positions(game, args).map_err(bad)?;
    if args.real {
        let ranks = ranks.ok_or_else(|| (2, String::from("--real needs ranks; start it with mpirun")))?;
        return for_real(ranks, args, micros("rest", args.rest)?, &positions, as_json);
    }
    // One thread alone: what is to be beaten.
    let alone: Vec<Row> = positions.iter().map(|at| alone(at.as_ref(), args)).collect::<Result<_, _>>().map_err(bad)?;
    let depths: Vec<u8> = alone.iter().map(|row| row.depth).collect();
    let nodes: u64 = alone.iter().map(|row| row.counts.nodes()).sum();
    let measured = 1e9 * alone.iter().map(|row| row.seconds).sum::<f64>() / nodes.max(1) as f64;
    let visit = Duration::from_nanos(args.visit.unwrap_or(measured).clamp(1.0, 1e9) as u64);
    for &ranks in &args.ranks {
        let began = Instant::now();
        let (mut logs, mut more, mut letters, mut megabytes, mut time) = (Vec::new(), 0, 0, 0.0, 0.0);
        for (position, one) in positions.iter().zip(&alone) {
            let done = simulate(position.as_ref(), ranks as usize, args, (visit, network, cores), one)?;
            let seconds = one.counts.nodes() as f64 * visit.as_secs_f64();
            logs.push((seconds / done.seconds.max(1e-9)).ln());
            (more, letters) = (more + done.nodes, letters + done.letters);
            (megabytes, time) = (megabytes + done.megabytes, time + done.seconds);
        }
        let mean = logs.iter().sum::<f64>() / logs.len().max(1) as f64;
        let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (logs.len().max(2) - 1) as f64;
        let (speedup, spread) = (mean.exp(), variance.sqrt().exp());
        let speedups: Vec<f64> = logs.iter().map(|log| log.exp()).collect();
        let plain_mean = speedups.iter().sum::<f64>() / speedups.len().max(1) as f64;
        let overhead = more as f64 / nodes.max(1) as f64;
        let rate = megabytes / time.max(1e-9) / f64::from(ranks);
        if as_json {
            let row = json!({ "game": args.game, "ranks": ranks, "threads": args.threads, "depths": depths,
                "positions": positions.len(), "speedup": speedup, "spread": spread, "speedups": speedups,
                "nodes_ratio": overhead, "letters": letters, "megabytes_per_second": rate, "visit_ns": visit.as_nanos() as u64,
                "seconds": time, "simulated_in": began.elapsed().as_secs_f64() });
            println!("{row}");
        } else {
            println!(
                "{} {}, {} positions, {ranks} ranks × {} threads: speedup {speedup:.1} (×{spread:.2}, plain mean \
                 {plain_mean:.1}), {overhead:.2} times the nodes, {letters} letters, {time:.2} s, {rate:.1} MB/s out of each rank",
                args.game,
                in_words(&depths),
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

/// What one thread finds, to the depth that is wanted or to the first that takes it as many nodes as are wanted.
fn alone(position: &dyn Position, args: &SimulateArgs) -> Result<Row, emtee_engine::Error> {
    let (stop, least) = (Arc::new(AtomicBool::new(false)), args.least.unwrap_or(u64::MAX));
    let mut settings = settings(args, 1);
    settings.stop = Some(stop.clone());
    let budget = args.depth.map_or(Budget::depth(MAX_DEPTH), Budget::depth);
    let mut last = Row::default();
    position.search(&settings, budget, &mut |row| {
        last = row.clone();
        stop.store(row.counts.nodes() >= least, Relaxed);
    })?;
    Ok(last)
}

/// One depth or several.
fn in_words(depths: &[u8]) -> String {
    match (depths.iter().min(), depths.iter().max()) {
        (Some(least), Some(most)) if least < most => format!("depths {least} to {most}"),
        (Some(depth), _) => format!("depth {depth}"),
        _ => String::from("nothing"),
    }
}

/// One search on simulated ranks, which must all find what one thread found.
fn simulate(
    position: &dyn Position,
    ranks: usize,
    args: &SimulateArgs,
    (visit, network, cores): (Duration, Network, Option<Cores>),
    alone: &Row,
) -> Result<Measured, Failure> {
    let threads = args.threads as usize;
    let world = match cores {
        Some(cores) => World::crowded(ranks, cores, visit, network),
        None => World::new(ranks, threads, visit, network, Disorder::default()),
    };
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for rank in 0..ranks {
            let (world, results) = (&world, &results);
            scope.spawn(move || {
                let stop = Arc::default();
                let peers = Arc::new(Correspondent::new(world.enter(rank), 0, Arc::clone(&stop)));
                let mut settings = settings(args, threads);
                settings.stop = Some(stop);
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
            return Err((1, format!("a rank found {:?}, and one thread {value:?}: {text}", row.value)));
        }
        nodes += row.counts.nodes();
    }
    let (time, letters, bytes) = world.report();
    Ok(Measured { seconds: time.as_secs_f64(), nodes, letters, megabytes: bytes as f64 / 1e6 })
}

/// The same searches on real ranks.
fn for_real(
    ranks: &Ranks,
    args: &SimulateArgs,
    rest: Duration,
    positions: &[Box<dyn Position>],
    as_json: bool,
) -> Result<(), Failure> {
    let bad = |error: emtee_engine::Error| (1, error.to_string());
    let depth = args.depth.unwrap_or_default();
    let [mut alone, mut beside, mut together] = [Measured::NOTHING; 3];
    let mut rested = 0;
    for (number, position) in positions.iter().enumerate() {
        // One thread alone, while the others sleep.
        let mut value = None;
        if ranks.rank() == 0 {
            let row = position.search(&settings(args, 1), Budget::depth(depth), &mut |_| ()).map_err(bad)?;
            (alone.seconds, alone.nodes) = (alone.seconds + row.seconds, alone.nodes + row.counts.nodes());
            value = row.value;
            ranks.tell_all(&Message::Rest);
        } else {
            while ranks.receive().is_none() {
                ranks.nap();
            }
        }
        // All at once, each for itself: what they could do if they had nothing to tell.
        ranks.meet();
        let row = position.search(&settings(args, 1), Budget::depth(depth), &mut |_| ()).map_err(bad)?;
        (beside.seconds, beside.nodes) = (beside.seconds + row.seconds, beside.nodes + row.counts.nodes());
        let stop = Arc::default();
        let post = MpiPost::new(ranks.rank(), ranks.size(), ranks.patience).resting(rest);
        let peers = Arc::new(Correspondent::new(post, number as u64, Arc::clone(&stop)));
        let mut settings = settings(args, args.threads as usize);
        (settings.stop, settings.peers) = (Some(stop), Some(peers.clone() as Arc<dyn Peers>));
        ranks.meet();
        let row = position.search(&settings, Budget::depth(depth), &mut |_| ()).map_err(bad)?;
        // Nobody begins with the next while others are at this one.
        ranks.meet();
        let rest = peers.transport().rested().as_nanos() as u64;
        let (nodes, letters) = (row.counts.nodes(), peers.postage().letters);
        if ranks.rank() > 0 {
            ranks.send(0, &Message::Result { number, text: format!("{nodes} {letters} {rest}") });
            continue;
        }
        if row.value != value {
            return Err((1, format!("the ranks found {:?}, and one thread {value:?}: {}", row.value, position.text())));
        }
        together.seconds += row.seconds;
        (together.nodes, together.letters) = (together.nodes + nodes, together.letters + letters);
        rested += rest;
        for _ in 1..ranks.size() {
            let text = loop {
                match ranks.receive() {
                    Some((_, Message::Result { text, .. })) => break text,
                    _ => ranks.nap(),
                }
            };
            let mut counts = text.split(' ').map(|count| count.parse().unwrap_or(0_u64));
            together.nodes += counts.next().unwrap_or(0);
            together.letters += counts.next().unwrap_or(0);
            rested += counts.next().unwrap_or(0);
        }
    }
    if ranks.rank() > 0 {
        return Ok(());
    }
    let size = ranks.size();
    // Where there are fewer cores than ranks, each rank has its part of one.
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let share = (cores as f64 / size as f64).min(1.0);
    let visit = |measured: Measured, share: f64| 1e9 * share * measured.seconds / measured.nodes.max(1) as f64;
    let rest = rested as f64 / together.nodes.max(1) as f64;
    let (visit, busy_visit) = (visit(alone, 1.0), visit(beside, share) + rest);
    let (speedup, overhead) = (alone.seconds / together.seconds, together.nodes as f64 / alone.nodes.max(1) as f64);
    let rate = |measured: Measured| measured.nodes as f64 / measured.seconds.max(1e-9);
    let throughput = rate(together) / (size as f64 * rate(beside));
    let letters = together.letters;
    if as_json {
        let row = json!({ "game": args.game, "real_ranks": size, "threads": args.threads, "depth": depth,
            "positions": positions.len(), "speedup": speedup, "nodes_ratio": overhead, "letters": letters,
            "visit_ns": visit as u64, "busy_visit_ns": busy_visit as u64, "throughput": throughput,
            "seconds": together.seconds });
        println!("{row}");
    } else {
        let rested = if rest > 0.0 { ", its rest included" } else { "" };
        println!(
            "{} depth {}, {} positions, {size} real ranks × {} threads: speedup {speedup:.2}, {overhead:.2} times the nodes, \
             {letters} letters, {:.2} s, {throughput:.2} times the nodes a second of as many searches that know nothing of each \
             other; a visit took {visit:.0} ns, and {busy_visit:.0} of a core while all of these ran{rested}",
            args.game,
            depth,
            positions.len(),
            args.threads,
            together.seconds
        );
    }
    Ok(())
}
