//! `emtee-mpi network`: latency, packet rate and bandwidth between the ranks.

use std::time::Instant;

use clap::Args;
use serde_json::json;

use super::Failure;
use crate::mpi_transport::MpiTransport;
use crate::ranks::Ranks;
use emtee_engine::cluster::protocol::{MAX_PACKET_WORDS, Transport};

/// Measure the latency and the throughput of packets from rank 0 to each other rank
#[derive(Args)]
pub(crate) struct NetworkArgs {
    /// Number of packets
    #[arg(long = "packets", alias = "letters", value_name = "N", default_value_t = 2_000,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    packets: u32,
}

/// The number of packets in flight when the rate is measured.
const BURST: u32 = 8;

/// The first word of the packets of a burst; those of round trips begin with another.
const IN_BURST: u64 = 9;

pub(crate) fn run(ranks: &Ranks, args: &NetworkArgs, as_json: bool) -> Result<(), Failure> {
    if ranks.size() < 2 {
        return Err((2, String::from("a network takes two ranks or more; start it with mpirun -n 2")));
    }
    let transport = MpiTransport::new(ranks.rank(), ranks.size(), ranks.patience);
    for other in 1..ranks.size() {
        if ranks.rank() == other {
            (0..2 * args.packets + args.packets / BURST).for_each(|_| echo(&transport));
        }
        if ranks.rank() > 0 {
            continue;
        }
        let short = round_trip(&transport, other, args.packets, 2);
        let long = round_trip(&transport, other, args.packets, MAX_PACKET_WORDS);
        // Bursts with one reply each: the cost of sending and receiving, without waiting.
        let began = Instant::now();
        for _ in 0..args.packets / BURST {
            (0..BURST).for_each(|_| transport.send(other, &[IN_BURST; 2], true));
            next(&transport);
        }
        let per_packet = began.elapsed().as_secs_f64() / f64::from(args.packets / BURST * BURST).max(1.0);
        let bandwidth = 8.0 * (MAX_PACKET_WORDS - 2) as f64 / ((long - short) / 2.0).max(1e-9);
        if as_json {
            let row = json!({ "rank": other, "latency_us": 1e6 * short / 2.0, "packet_us": 1e6 * per_packet,
                "megabytes_per_second": bandwidth / 1e6 });
            println!("{row}");
        } else {
            println!(
                "rank 0 to {other}: {:.1} µs one way, {:.2} µs per packet when many are sent, {:.0} MB/s",
                1e6 * short / 2.0,
                1e6 * per_packet,
                bandwidth / 1e6
            );
        }
    }
    Ok(())
}

/// The seconds of a round trip, the median of many.
fn round_trip(transport: &MpiTransport, to: usize, count: u32, words: usize) -> f64 {
    let packet = vec![1; words];
    let mut times: Vec<f64> = (0..count)
        .map(|_| {
            let began = Instant::now();
            transport.send(to, &packet, true);
            next(transport);
            began.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The next packet. It does not sleep, which would add to the measurement.
fn next(transport: &MpiTransport) -> (usize, Vec<u64>) {
    loop {
        if let Some(received) = transport.receive() {
            return received;
        }
        std::thread::yield_now();
    }
}

/// Returns a packet, or the last packet of a burst.
fn echo(transport: &MpiTransport) {
    let (from, mut packet) = next(transport);
    if packet[0] == IN_BURST {
        for _ in 1..BURST {
            packet = next(transport).1;
        }
    }
    transport.send(from, &packet, true);
}
