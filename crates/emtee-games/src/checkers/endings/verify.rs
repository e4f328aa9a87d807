//! Whether a database is right: each value against those of the positions after it, by the rules and nothing else.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use emtee::mix;

use super::value::Wdl;
use super::{Counts, Endings, SHARE, cores};
use crate::error::Error;

/// Looks at every position; false if `stop` went up.
pub(super) fn verify(endings: &Endings, stop: &AtomicBool, seen: &(dyn Fn(u64) + Sync)) -> Result<bool, Error> {
    let done = AtomicU64::new(0);
    for (slice, counts) in endings.index.slices.iter().zip(&endings.counts) {
        let shares: Vec<usize> = (slice.start..slice.start + slice.len()).step_by(SHARE).collect();
        let found = cores::try_map(shares, |first| {
            if stop.load(Relaxed) {
                return Ok(Counts::default());
            }
            let last = (slice.start + slice.len()).min(first + SHARE);
            let counts = check(endings, first, last);
            seen(done.fetch_add((last - first) as u64, Relaxed) + (last - first) as u64);
            counts
        })?;
        let found = found.into_iter().fold(Counts::default(), Counts::and);
        if stop.load(Relaxed) {
            return Ok(false);
        }
        if found != *counts {
            let Counts { wins, draws, losses } = found;
            let what = "positions are won, drawn and lost, not as many as the header says";
            return Err(Error::new(format!("with {}: {wins}, {draws} and {losses} {what}", slice.material)));
        }
    }
    Ok(true)
}

/// Looks at so many positions, drawn by a seed; false if `stop` went up.
pub(super) fn verify_some(
    endings: &Endings,
    count: u64,
    seed: u64,
    stop: &AtomicBool,
    seen: &(dyn Fn(u64) + Sync),
) -> Result<bool, Error> {
    let done = AtomicU64::new(0);
    let shares: Vec<u64> = (0..count).step_by(SHARE).collect();
    cores::try_map(shares, |first| {
        if stop.load(Relaxed) {
            return Ok(());
        }
        let last = count.min(first + SHARE as u64);
        for which in first..last {
            check_one(endings, (mix(mix(seed) ^ which) % endings.index.len as u64) as usize)?;
        }
        seen(done.fetch_add(last - first, Relaxed) + (last - first));
        Ok(())
    })?;
    Ok(!stop.load(Relaxed))
}

fn check(endings: &Endings, first: usize, last: usize) -> Result<Counts, Error> {
    let mut counts = Counts::default();
    for number in first..last {
        counts.add(check_one(endings, number)?);
    }
    Ok(counts)
}

/// The value of a position, if it is the best of those after its moves.
fn check_one(endings: &Endings, number: usize) -> Result<Wdl, Error> {
    let board = endings.index.board(number);
    let value = endings.settled(&board);
    // Captures are played out whenever they are asked for, so that value is the best after them by itself.
    if board.jumpers() != 0 {
        return Ok(value);
    }
    let mut best = Wdl::Loss;
    board.each_step(&mut |m| best = best.max(-endings.settled(&board.after(m))));
    if best != value {
        return Err(Error::new(format!("{board} is a {best} by its moves, and the database says {value}")));
    }
    Ok(value)
}
