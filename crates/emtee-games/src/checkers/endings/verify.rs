//! Verification of a database: each value against those of its successors, from the rules alone.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use emtee::mix;

use super::value::Wdl;
use super::{CHUNK, Counts, Endings, cores};
use crate::error::{Error, ErrorKind};

/// Checks every position. Returns false if `stop` was set.
pub(super) fn verify(endings: &Endings, stop: &AtomicBool, progress: &(dyn Fn(u64) + Sync)) -> Result<bool, Error> {
    let done = AtomicU64::new(0);
    for (slice, counts) in endings.index.slices.iter().zip(&endings.counts) {
        let chunks: Vec<usize> = (slice.start..slice.start + slice.len()).step_by(CHUNK).collect();
        let found = cores::try_map(chunks, |first| {
            if stop.load(Relaxed) {
                return Ok(Counts::default());
            }
            let last = (slice.start + slice.len()).min(first + CHUNK);
            let counts = check(endings, first, last);
            progress(done.fetch_add((last - first) as u64, Relaxed) + (last - first) as u64);
            counts
        })?;
        let found = found.into_iter().fold(Counts::default(), Counts::and);
        if stop.load(Relaxed) {
            return Ok(false);
        }
        if found != *counts {
            let Counts { wins, draws, losses } = found;
            let what = "positions are won, drawn and lost, not as many as the header says";
            return Err(Error::new(
                ErrorKind::InvalidFile,
                format!("with {}: {wins}, {draws} and {losses} {what}", slice.material),
            ));
        }
    }
    Ok(true)
}

/// Checks `count` positions, drawn by a seed. Returns false if `stop` was set.
pub(super) fn verify_some(
    endings: &Endings,
    count: u64,
    seed: u64,
    stop: &AtomicBool,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<bool, Error> {
    let done = AtomicU64::new(0);
    let chunks: Vec<u64> = (0..count).step_by(CHUNK).collect();
    cores::try_map(chunks, |first| {
        if stop.load(Relaxed) {
            return Ok(());
        }
        let last = count.min(first + CHUNK as u64);
        for which in first..last {
            check_one(endings, (mix(mix(seed) ^ which) % endings.index.len as u64) as usize)?;
        }
        progress(done.fetch_add(last - first, Relaxed) + (last - first));
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

/// The value of a position. An error if it is not the best value of its successors.
fn check_one(endings: &Endings, number: usize) -> Result<Wdl, Error> {
    let board = endings.index.board(number);
    let value = endings.probe(&board);
    // A probe of a position with a capture searches the captures, so its value is right by construction.
    if board.jumpers() != 0 {
        return Ok(value);
    }
    let mut best = Wdl::Loss;
    board.each_step(&mut |m| best = best.max(-endings.probe(&board.after(m))));
    if best != value {
        return Err(Error::new(
            ErrorKind::InvalidFile,
            format!("{board} is a {best} by its moves, and the database says {value}"),
        ));
    }
    Ok(value)
}
