//! The loop of the ranks other than 0: wait for a job, do its tasks, and send heartbeats.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Instant;

use emtee_cli::{Job, Worker};

use crate::control::Control;
use crate::handshake;
use crate::mpi_transport::{self, MpiTransport};
use crate::program::complain;
use crate::ranks::Ranks;
use emtee_engine::cluster::protocol::RankPeer;

/// Serves rank 0 until the program is over.
pub(crate) fn serve(ranks: &Ranks, program: &emtee_cli::Program) -> ExitCode {
    // Rank 0 alone handles Ctrl-C and the signals of the launcher.
    let _ = ctrlc::set_handler(|| ());
    match handshake::identity(Ranks::host()) {
        Ok(identity) => ranks.send(0, &Control::Hello(identity)),
        Err(why) => {
            complain(&format!("rank {}: {why}", ranks.rank()), 1);
            ranks.abort();
        }
    }
    loop {
        match ranks.receive() {
            Some((_, Control::Exit)) => return ExitCode::SUCCESS,
            Some((_, Control::Job { job, ranks_on_host })) => {
                let ended = match program.worker(&job.text, &Ranks::host()) {
                    Ok(worker) => do_tasks(ranks, &worker, &job, ranks_on_host),
                    Err(why) => {
                        ranks.send(0, &Control::Failed(why));
                        false
                    }
                };
                if ended {
                    return ExitCode::SUCCESS;
                }
            }
            Some((_, Control::SharedSearch { job, number })) => {
                let searched = program.worker(&job, &Ranks::host()).and_then(|worker| search(ranks, &worker, number));
                match searched {
                    Ok(text) => ranks.send(0, &Control::Result { number: 0, text }),
                    Err(why) => ranks.send(0, &Control::Failed(why)),
                }
            }
            Some((_, Control::JobOver)) => mpi_transport::drain(),
            Some(_) => {}
            None => ranks.sleep(),
        }
    }
}

/// Takes part in a search by all ranks.
fn search(ranks: &Ranks, worker: &Worker<'_>, number: u64) -> Result<String, String> {
    let stop = Arc::new(AtomicBool::new(false));
    let transport = MpiTransport::new(ranks.rank(), ranks.size(), ranks.patience);
    let peers = Arc::new(RankPeer::new(transport, number, stop.clone()));
    ranks.send(0, &Control::Ready { slots: 1 });
    worker.search(peers, &stop)
}

/// The number of tasks this rank does at once: its share of the cores of its host, over the threads of a task.
fn slots(job: &Job, ranks_on_host: usize) -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    match job.concurrency {
        0 => (cores / ranks_on_host.max(1)).checked_div(job.threads).unwrap_or(1).max(1),
        concurrency => concurrency,
    }
}

/// Sent by the threads of this rank to its first thread.
enum Report {
    Result(usize, String),
    Finished(usize),
    Failed(String),
}

/// Does tasks until the job is over. Returns whether the program is over too.
fn do_tasks(ranks: &Ranks, worker: &Worker<'_>, job: &Job, ranks_on_host: usize) -> bool {
    let stop = Arc::new(AtomicBool::new(false));
    let slots = slots(job, ranks_on_host);
    let (queue, tasks) = mpsc::channel::<(usize, String)>();
    let tasks = Mutex::new(tasks);
    let (report, reports) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..slots {
            let (report, tasks, stop) = (report.clone(), &tasks, &stop);
            scope.spawn(move || {
                while let Ok((number, text)) = next(tasks) {
                    let done = worker.run_task(&text, stop, &mut |text| {
                        let _ = report.send(Report::Result(number, text));
                    });
                    let _ = report.send(match done {
                        Ok(()) => Report::Finished(number),
                        Err(why) => Report::Failed(why),
                    });
                }
            });
        }
        ranks.send(0, &Control::Ready { slots });
        let mut received = Instant::now();
        let ended = loop {
            let mut idle = true;
            for report in reports.try_iter() {
                idle = false;
                ranks.send(
                    0,
                    &match report {
                        Report::Result(number, text) => Control::Result { number, text },
                        Report::Finished(number) => Control::Finished { number },
                        Report::Failed(why) => Control::Failed(why),
                    },
                );
            }
            if let Some((_, message)) = ranks.receive() {
                (idle, received) = (false, Instant::now());
                match message {
                    Control::Task { number, text } => {
                        let _ = queue.send((number, text));
                    }
                    Control::Stop => stop.store(true, Relaxed),
                    Control::JobOver => break false,
                    Control::Exit => break true,
                    _ => {}
                }
            }
            ranks.send_alive(0);
            if received.elapsed() > ranks.patience {
                let (rank, silent) = (ranks.rank(), ranks.patience.as_secs());
                complain(&format!("rank 0 has been silent for {silent} seconds; rank {rank} ends the job"), 1);
                ranks.abort();
            }
            if idle {
                ranks.sleep();
            }
        };
        stop.store(true, Relaxed);
        drop(queue);
        ended
    })
}

/// Waits for the next task.
fn next(tasks: &Mutex<mpsc::Receiver<(usize, String)>>) -> Result<(usize, String), mpsc::RecvError> {
    tasks.lock().unwrap_or_else(PoisonError::into_inner).recv()
}
