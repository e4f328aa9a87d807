//! Rank 0 assigns tasks to the other ranks and collects their results.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use emtee::research::Peers;
use emtee_cli::{Job, Workers};

use crate::control::Control;
use crate::mpi_transport::{self, MpiTransport};
use crate::ranks::Ranks;
use emtee_engine::cluster::protocol::RankPeer;

/// How long ranks may take to stop their tasks. A launcher that ends a job waits a second for it.
const GRACE: Duration = Duration::from_millis(500);

/// All ranks but rank 0.
pub(crate) struct RankWorkers {
    ranks: Rc<Ranks>,
    /// The host of each rank.
    hosts: Vec<String>,
    /// The number of searches by all ranks so far, and the one in progress.
    searches: u64,
    search: Option<Arc<RankPeer<MpiTransport>>>,
}

/// What rank 0 knows about another rank.
struct RankState {
    /// The number of tasks it does at once.
    slots: usize,
    busy: usize,
    last_message: Instant,
}

impl RankWorkers {
    pub(crate) fn new(ranks: Rc<Ranks>, hosts: Vec<String>) -> RankWorkers {
        RankWorkers { ranks, hosts, searches: 0, search: None }
    }

    /// The number of working ranks on the host of this rank, itself included.
    fn ranks_on_host(&self, rank: usize) -> usize {
        self.hosts.iter().skip(1).filter(|host| **host == self.hosts[rank]).count()
    }

    /// A rank that can take a task. An exclusive task needs a host on which no other task runs.
    fn free_rank(&self, states: &[RankState], exclusive: bool) -> Option<usize> {
        let idle = |host: &String| (1..states.len()).all(|rank| self.hosts[rank] != *host || states[rank].busy == 0);
        // The rank with the most free slots, to spread the load over the machines.
        let free_slots = |rank: usize| states[rank].slots.saturating_sub(states[rank].busy);
        (1..states.len())
            .filter(|&rank| free_slots(rank) > 0 && (!exclusive || idle(&self.hosts[rank])))
            .max_by_key(|&rank| (free_slots(rank), usize::MAX - rank))
    }

    /// The error message if a rank has been silent for too long.
    fn silent_rank(&self, states: &[RankState]) -> Option<String> {
        let patience = self.ranks.patience;
        let rank = (1..states.len()).find(|&rank| states[rank].last_message.elapsed() > patience)?;
        let (host, seconds) = (&self.hosts[rank], patience.as_secs());
        Some(format!(
            "rank {rank} on {host} has been silent for {seconds} seconds; finished work is kept; run the same command again to \
             continue"
        ))
    }
}

impl Workers for RankWorkers {
    fn run_tasks(
        &mut self,
        job: &Job,
        tasks: &[String],
        stop: &AtomicBool,
        result: &mut dyn FnMut(usize, &str) -> bool,
    ) -> Result<(), String> {
        if tasks.is_empty() {
            return Ok(());
        }
        let ranks = self.ranks.clone();
        for rank in 1..ranks.size() {
            ranks.send(rank, &Control::Job { job: job.clone(), ranks_on_host: self.ranks_on_host(rank) });
        }
        let new_state = |_| RankState { slots: 0, busy: 0, last_message: Instant::now() };
        let mut states: Vec<RankState> = (0..ranks.size()).map(new_state).collect();
        let (mut next, mut in_flight) = (0, 0);
        // `enough`: no more tasks are assigned. `stopped`: tasks in progress are to stop too, since then.
        let (mut stopped, mut enough, mut failure) = (None, false, None);
        loop {
            let mut idle = true;
            while let Some((from, message)) = ranks.receive() {
                idle = false;
                states[from].last_message = Instant::now();
                match message {
                    Control::Ready { slots } => states[from].slots = slots,
                    Control::Result { number, text } => enough |= !result(number, &text),
                    Control::Finished { .. } => {
                        states[from].busy -= 1;
                        in_flight -= 1;
                    }
                    Control::Failed(why) => failure = failure.or(Some(why)),
                    _ => {}
                }
            }
            if stopped.is_none() && (failure.is_some() || stop.load(Relaxed)) {
                ranks.send_to_all(&Control::Stop);
                stopped = Some(Instant::now());
            }
            match stopped {
                Some(since) if in_flight == 0 || since.elapsed() > GRACE => break,
                None if in_flight == 0 && (enough || next == tasks.len()) => break,
                _ => {}
            }
            while !enough && stopped.is_none() && next < tasks.len() {
                let Some(rank) = self.free_rank(&states, job.exclusive) else { break };
                ranks.send(rank, &Control::Task { number: next, text: tasks[next].clone() });
                states[rank].busy += 1;
                (next, in_flight) = (next + 1, in_flight + 1);
            }
            (1..ranks.size()).for_each(|rank| ranks.send_alive(rank));
            if let Some(why) = self.silent_rank(&states) {
                ranks.mark_broken();
                return Err(why);
            }
            if idle {
                ranks.sleep();
            }
        }
        ranks.send_to_all(&Control::JobOver);
        failure.map_or(Ok(()), Err)
    }

    fn start_search(&mut self, job: &str, stop: &Arc<AtomicBool>) -> Result<Arc<dyn Peers>, String> {
        self.searches += 1;
        self.ranks.send_to_all(&Control::SharedSearch { job: job.to_owned(), number: self.searches });
        self.replies("ready")?;
        let transport = MpiTransport::new(0, self.ranks.size(), self.ranks.patience);
        let peers = Arc::new(RankPeer::new(transport, self.searches, stop.clone()));
        self.search = Some(peers.clone());
        Ok(peers)
    }

    fn finish_search(&mut self) -> Result<Vec<String>, String> {
        if let Some(search) = self.search.take() {
            search.close();
        }
        let found = self.replies("done");
        self.ranks.send_to_all(&Control::JobOver);
        mpi_transport::drain();
        found
    }
}

impl RankWorkers {
    /// Waits for a reply of every other rank: that it is ready, or the result of its search. `awaited` names it in errors.
    fn replies(&self, awaited: &str) -> Result<Vec<String>, String> {
        let ranks = &self.ranks;
        let mut replies: Vec<Option<String>> = vec![None; ranks.size()];
        replies[0] = Some(String::new());
        let began = Instant::now();
        while let Some(missing) = replies.iter().position(Option::is_none) {
            match ranks.receive() {
                Some((from, Control::Ready { .. })) => replies[from] = Some(String::new()),
                Some((from, Control::Result { text, .. })) => replies[from] = Some(text),
                Some((_, Control::Failed(why))) => {
                    ranks.mark_broken();
                    return Err(why);
                }
                Some(_) => {}
                None if began.elapsed() > ranks.patience => {
                    ranks.mark_broken();
                    let (host, seconds) = (&self.hosts[missing], ranks.patience.as_secs());
                    return Err(format!("rank {missing} on {host} was not {awaited} within {seconds} seconds"));
                }
                None => ranks.sleep(),
            }
        }
        Ok(replies.into_iter().skip(1).flatten().collect())
    }
}
