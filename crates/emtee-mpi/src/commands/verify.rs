//! `emtee-mpi verify`: random small searches by all ranks, held against minimax.

use std::sync::Arc;

use clap::Args;
use serde_json::json;

use super::Failure;
use crate::post::MpiPost;
use crate::ranks::Ranks;
use crate::verify::Case;
use emtee_engine::cluster::mail::Correspondent;

/// Search random small trees on all ranks together, and hold every value and move against minimax
#[derive(Args)]
pub(crate) struct VerifyArgs {
    /// How many
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    searches: u64,

    /// Which ones
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(ranks: &Ranks, args: &VerifyArgs, as_json: bool) -> Result<(), Failure> {
    let (mut letters, mut notes) = (0, 0);
    for n in 0..args.searches {
        let case = Case::new(args.seed.wrapping_mul(1_000_003).wrapping_add(n), 7);
        let post = MpiPost::new(ranks.rank(), ranks.size(), ranks.patience);
        let peers = Arc::new(Correspondent::new(post, n, Arc::default()).eager());
        let found = case.search(peers.clone()).map_err(|error| (1, error.to_string()))?;
        // Nobody begins with the next while others are at this one.
        ranks.meet();
        let postage = peers.postage();
        (letters, notes) = (letters + postage.letters, notes + postage.notes);
        if let Err(why) = case.check(found) {
            eprintln!("error: rank {}: {why}", ranks.rank());
            ranks.abort();
        }
    }
    if ranks.rank() == 0 {
        let (ranks, searches) = (ranks.size(), args.searches);
        if as_json {
            println!("{}", json!({ "ranks": ranks, "searches": searches, "letters": letters, "notes": notes }));
        } else {
            println!(
                "{searches} searches on {ranks} ranks are what minimax says; rank 0 wrote {letters} letters with {notes} notes"
            );
        }
    }
    Ok(())
}
