//! What ranks do that are not rank 0: wait for a job, do its tasks, and say that they live.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Instant;

use emtee_cli::{Job, Worker};

use crate::handshake;
use crate::message::Message;
use crate::post::{self, MpiPost};
use crate::program::complain;
use crate::ranks::Ranks;
use emtee_engine::cluster::mail::Correspondent;

/// Serves rank 0 until the program is over.
pub(crate) fn serve(ranks: &Ranks, program: &emtee_cli::Program) -> ExitCode {
    // Rank 0 decides what becomes of a Ctrl-C, and of the launcher's wish to end.
    let _ = ctrlc::set_handler(|| ());
    match handshake::identity(Ranks::host()) {
        Ok(identity) => ranks.send(0, &Message::Hello(identity)),
        Err(why) => {
            complain(&format!("rank {}: {why}", ranks.rank()), 1);
            ranks.abort();
        }
    }
    loop {
        match ranks.receive() {
            Some((_, Message::End)) => return ExitCode::SUCCESS,
            Some((_, Message::Job { job, neighbours })) => {
                let ended = match program.worker(&job.text, &Ranks::host()) {
                    Ok(worker) => do_tasks(ranks, &worker, &job, neighbours),
                    Err(why) => {
                        ranks.send(0, &Message::Failed(why));
                        false
                    }
                };
                if ended {
                    return ExitCode::SUCCESS;
                }
            }
            Some((_, Message::Together { job, number })) => {
                let searched = program.worker(&job, &Ranks::host()).and_then(|worker| search(ranks, &worker, number));
                match searched {
                    Ok(text) => ranks.send(0, &Message::Result { number: 0, text }),
                    Err(why) => ranks.send(0, &Message::Failed(why)),
                }
            }
            Some((_, Message::Rest)) => post::drain(),
            Some(_) => {}
            None => ranks.nap(),
        }
    }
}

/// Takes part in a search that all ranks make.
fn search(ranks: &Ranks, worker: &Worker<'_>, number: u64) -> Result<String, String> {
    let stop = Arc::new(AtomicBool::new(false));
    let post = MpiPost::new(ranks.rank(), ranks.size(), ranks.patience);
    let peers = Arc::new(Correspondent::new(post, number, stop.clone()));
    ranks.send(0, &Message::Ready { places: 1 });
    worker.search(peers, &stop)
}

/// How many tasks this rank does at once: its cores, shared with the ranks beside it, over the threads of a task.
fn places(job: &Job, neighbours: usize) -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    match job.at_once {
        0 => (cores / neighbours.max(1)).checked_div(job.threads).unwrap_or(1).max(1),
        at_once => at_once,
    }
}

/// What the threads of a rank report.
enum Report {
    Result(usize, String),
    Finished(usize),
    Failed(String),
}

/// Does tasks until the job is over. Whether the program is over too.
fn do_tasks(ranks: &Ranks, worker: &Worker<'_>, job: &Job, neighbours: usize) -> bool {
    let stop = Arc::new(AtomicBool::new(false));
    let places = places(job, neighbours);
    let (hand_out, tasks) = mpsc::channel::<(usize, String)>();
    let tasks = Mutex::new(tasks);
    let (report, reports) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..places {
            let (report, tasks, stop) = (report.clone(), &tasks, &stop);
            scope.spawn(move || {
                while let Ok((number, text)) = next(tasks) {
                    let done = worker.work(&text, stop, &mut |text| {
                        let _ = report.send(Report::Result(number, text));
                    });
                    let _ = report.send(match done {
                        Ok(()) => Report::Finished(number),
                        Err(why) => Report::Failed(why),
                    });
                }
            });
        }
        ranks.send(0, &Message::Ready { places });
        let mut heard = Instant::now();
        let ended = loop {
            let mut quiet = true;
            for report in reports.try_iter() {
                quiet = false;
                ranks.send(
                    0,
                    &match report {
                        Report::Result(number, text) => Message::Result { number, text },
                        Report::Finished(number) => Message::Finished { number },
                        Report::Failed(why) => Message::Failed(why),
                    },
                );
            }
            if let Some((_, message)) = ranks.receive() {
                (quiet, heard) = (false, Instant::now());
                match message {
                    Message::Task { number, text } => {
                        let _ = hand_out.send((number, text));
                    }
                    Message::Stop => stop.store(true, Relaxed),
                    Message::Rest => break false,
                    Message::End => break true,
                    _ => {}
                }
            }
            ranks.reassure(0);
            if heard.elapsed() > ranks.patience {
                let (rank, silent) = (ranks.rank(), ranks.patience.as_secs());
                complain(&format!("rank {rank} has not heard of rank 0 for {silent} seconds, and ends the job"), 1);
                ranks.abort();
            }
            if quiet {
                ranks.nap();
            }
        };
        stop.store(true, Relaxed);
        drop(hand_out);
        ended
    })
}

/// The next task, when there is one.
fn next(tasks: &Mutex<mpsc::Receiver<(usize, String)>>) -> Result<(usize, String), mpsc::RecvError> {
    tasks.lock().unwrap_or_else(PoisonError::into_inner).recv()
}
