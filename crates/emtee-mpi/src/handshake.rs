//! Checks at the start that all ranks run the same program with the same arguments.

use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

use crate::control::{Control, Identity};
use crate::ranks::Ranks;

/// The identity of this rank.
pub(crate) fn identity(host: String) -> Result<Identity, String> {
    let program = std::env::current_exe().and_then(std::fs::read);
    let program = program.map_err(|error| format!("the program cannot be read: {error}"))?;
    let mut build = DefaultHasher::new();
    program.hash(&mut build);
    let arguments = std::env::args_os().skip(1).map(|argument: OsString| argument.to_string_lossy().into_owned());
    let version = String::from(env!("CARGO_PKG_VERSION"));
    Ok(Identity { host, version, build: build.finish(), arguments: arguments.collect() })
}

/// Rank 0 waits until all ranks have started, and refuses those that differ from it. Returns the host of each.
pub(crate) fn gather(ranks: &Ranks) -> Result<Vec<String>, String> {
    let own = identity(Ranks::host())?;
    let mut all: Vec<Option<Identity>> = vec![None; ranks.size()];
    let began = Instant::now();
    while let Some(missing) = all.iter().skip(1).position(Option::is_none) {
        match ranks.receive() {
            Some((from, Control::Hello(identity))) => all[from] = Some(identity),
            Some(_) => {}
            None if began.elapsed() > ranks.patience => {
                ranks.mark_broken();
                let patience = ranks.patience.as_secs();
                return Err(format!("rank {} did not start within {patience} seconds", missing + 1));
            }
            None => ranks.sleep(),
        }
    }
    let all: Vec<Identity> = std::iter::once(own.clone()).chain(all.into_iter().skip(1).flatten()).collect();
    for (rank, other) in all.iter().enumerate() {
        check(rank, &own, other)?;
    }
    Ok(all.into_iter().map(|identity| identity.host).collect())
}

/// Fails if a rank differs from rank 0.
fn check(rank: usize, own: &Identity, other: &Identity) -> Result<(), String> {
    let host = &other.host;
    if other.version != own.version {
        let (own, other) = (&own.version, &other.version);
        return Err(format!("rank {rank} on {host} is emtee-mpi {other}, and rank 0 is {own}; install the same"));
    }
    if other.build != own.build {
        return Err(format!("rank {rank} on {host} runs another build of the program; copy the one of rank 0 there"));
    }
    if other.arguments != own.arguments {
        return Err(format!("rank {rank} on {host} has other arguments than rank 0; give all ranks the same"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_that_differ_from_rank_0_are_named() {
        let own = identity(String::from("node0")).unwrap();
        let text = |other: &Identity| check(3, &own, other).unwrap_err();
        let other = |change: fn(&mut Identity)| {
            let mut other = Identity { host: String::from("node7"), ..own.clone() };
            change(&mut other);
            other
        };
        assert_eq!(check(3, &own, &other(|_| ())), Ok(()));
        assert!(
            text(&other(|other| other.version += "1")).starts_with("rank 3 on node7 is emtee-mpi 0.1.01, and rank 0")
        );
        assert!(text(&other(|other| other.build += 1)).starts_with("rank 3 on node7 runs another build"));
        let message = text(&other(|other| other.arguments.push(String::from("x"))));
        assert_eq!(message, "rank 3 on node7 has other arguments than rank 0; give all ranks the same");
    }
}
