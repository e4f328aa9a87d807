//! `emtee-mpi verify`: random small searches by all ranks, compared with minimax.

use std::sync::Arc;

use clap::Args;
use serde_json::json;

use super::Failure;
use crate::mpi_transport::MpiTransport;
use crate::ranks::Ranks;
use crate::verify::Case;
use emtee_engine::cluster::protocol::RankPeer;

/// Search random small trees on all ranks together, and compare every value and move with minimax
#[derive(Args)]
pub(crate) struct VerifyArgs {
    /// Number of searches
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    searches: u64,

    /// Seed of the random trees
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(ranks: &Ranks, args: &VerifyArgs, as_json: bool) -> Result<(), Failure> {
    let (mut packets, mut messages) = (0, 0);
    for n in 0..args.searches {
        let case = Case::new(args.seed.wrapping_mul(1_000_003).wrapping_add(n), 7);
        let transport = MpiTransport::new(ranks.rank(), ranks.size(), ranks.patience);
        let peers = Arc::new(RankPeer::new(transport, n, Arc::default()).eager());
        let found = case.search(peers.clone()).map_err(|error| (1, error.to_string()))?;
        // All ranks end this search before any begins the next.
        ranks.barrier();
        let traffic = peers.traffic();
        (packets, messages) = (packets + traffic.packets, messages + traffic.messages);
        if let Err(why) = case.check(found) {
            eprintln!("error: rank {}: {why}", ranks.rank());
            ranks.abort();
        }
    }
    if ranks.rank() == 0 {
        let (ranks, searches) = (ranks.size(), args.searches);
        if as_json {
            println!("{}", json!({ "ranks": ranks, "searches": searches, "packets": packets, "messages": messages }));
        } else {
            println!(
                "{searches} searches on {ranks} ranks agree with minimax; \
                 rank 0 sent {packets} packets with {messages} messages"
            );
        }
    }
    Ok(())
}
