//! Whether the ranks fit together.

use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

use crate::message::{Identity, Message};
use crate::ranks::Ranks;

/// What this rank is, on a host.
pub(crate) fn identity(host: String) -> Result<Identity, String> {
    let program = std::env::current_exe().and_then(std::fs::read);
    let program = program.map_err(|error| format!("the program cannot be read: {error}"))?;
    let mut build = DefaultHasher::new();
    program.hash(&mut build);
    let arguments = std::env::args_os().skip(1).map(|argument: OsString| argument.to_string_lossy().into_owned());
    let version = String::from(env!("CARGO_PKG_VERSION"));
    Ok(Identity { host, version, build: build.finish(), arguments: arguments.collect() })
}

/// Rank 0 waits until all are there, and refuses those that are something else. Returns where each of them runs.
pub(crate) fn gather(ranks: &Ranks) -> Result<Vec<String>, String> {
    let own = identity(Ranks::host())?;
    let mut all: Vec<Option<Identity>> = vec![None; ranks.size()];
    let began = Instant::now();
    while let Some(missing) = all.iter().skip(1).position(Option::is_none) {
        match ranks.receive() {
            Some((from, Message::Hello(identity))) => all[from] = Some(identity),
            Some(_) => {}
            None if began.elapsed() > ranks.patience => {
                ranks.give_up();
                let patience = ranks.patience.as_secs();
                return Err(format!("rank {} has not come within {patience} seconds", missing + 1));
            }
            None => ranks.nap(),
        }
    }
    let all: Vec<Identity> = std::iter::once(own.clone()).chain(all.into_iter().skip(1).flatten()).collect();
    for (rank, other) in all.iter().enumerate() {
        refuse(rank, &own, other)?;
    }
    Ok(all.into_iter().map(|identity| identity.host).collect())
}

/// Says why a rank does not fit, if it does not.
fn refuse(rank: usize, own: &Identity, other: &Identity) -> Result<(), String> {
    let host = &other.host;
    if other.version != own.version {
        let (own, other) = (&own.version, &other.version);
        return Err(format!("rank {rank} on {host} is emtee-mpi {other}, and rank 0 is {own}; install the same"));
    }
    if other.build != own.build {
        return Err(format!("rank {rank} on {host} runs another build of the program; copy that of rank 0 there"));
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
    fn ranks_that_do_not_fit_are_named() {
        let own = identity(String::from("node0")).unwrap();
        let text = |other: &Identity| refuse(3, &own, other).unwrap_err();
        let other = |change: fn(&mut Identity)| {
            let mut other = Identity { host: String::from("node7"), ..own.clone() };
            change(&mut other);
            other
        };
        assert_eq!(refuse(3, &own, &other(|_| ())), Ok(()));
        assert!(
            text(&other(|other| other.version += "1")).starts_with("rank 3 on node7 is emtee-mpi 0.1.01, and rank 0")
        );
        assert!(text(&other(|other| other.build += 1)).starts_with("rank 3 on node7 runs another build"));
        let told = text(&other(|other| other.arguments.push(String::from("x"))));
        assert_eq!(told, "rank 3 on node7 has other arguments than rank 0; give all ranks the same");
    }
}
