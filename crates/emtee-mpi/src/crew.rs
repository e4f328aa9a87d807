//! Rank 0 hands out tasks, and takes what comes back.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use emtee::research::Peers;
use emtee_cli::{Crew, Job};

use crate::message::Message;
use crate::post::{self, MpiPost};
use crate::ranks::Ranks;
use emtee_engine::cluster::mail::Correspondent;

/// How long ranks may take to stop what they do. A launcher that ends a job waits a second for it.
const GRACE: Duration = Duration::from_millis(500);

/// All ranks but this one.
pub(crate) struct RankCrew {
    ranks: Rc<Ranks>,
    /// Where each of them runs.
    hosts: Vec<String>,
    /// How many searches all have made together, and the one that they make.
    searches: u64,
    search: Option<Arc<Correspondent<MpiPost>>>,
}

/// What rank 0 knows of another.
struct State {
    places: usize,
    busy: usize,
    heard: Instant,
}

impl RankCrew {
    pub(crate) fn new(ranks: Rc<Ranks>, hosts: Vec<String>) -> RankCrew {
        RankCrew { ranks, hosts, searches: 0, search: None }
    }

    /// How many ranks work on the host of this one.
    fn neighbours(&self, rank: usize) -> usize {
        self.hosts.iter().skip(1).filter(|host| **host == self.hosts[rank]).count()
    }

    /// A rank that can take a task. One that must be alone goes where nothing else runs.
    fn free(&self, states: &[State], alone: bool) -> Option<usize> {
        let idle = |host: &String| (1..states.len()).all(|rank| self.hosts[rank] != *host || states[rank].busy == 0);
        // The one with the most places left, so that no machine is crowded while another rests.
        let left = |rank: usize| states[rank].places.saturating_sub(states[rank].busy);
        (1..states.len())
            .filter(|&rank| left(rank) > 0 && (!alone || idle(&self.hosts[rank])))
            .max_by_key(|&rank| (left(rank), usize::MAX - rank))
    }

    /// The rank that has been silent for too long, in words.
    fn silent(&self, states: &[State]) -> Option<String> {
        let patience = self.ranks.patience;
        let rank = (1..states.len()).find(|&rank| states[rank].heard.elapsed() > patience)?;
        let (host, seconds) = (&self.hosts[rank], patience.as_secs());
        Some(format!(
            "rank {rank} on {host} has been silent for {seconds} seconds; what is finished is kept, and the same command goes on \
             from there"
        ))
    }
}

impl Crew for RankCrew {
    fn work(
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
            ranks.send(rank, &Message::Job { job: job.clone(), neighbours: self.neighbours(rank) });
        }
        let fresh = |_| State { places: 0, busy: 0, heard: Instant::now() };
        let mut states: Vec<State> = (0..ranks.size()).map(fresh).collect();
        let (mut next, mut in_flight) = (0, 0);
        // When no more is handed out, and whether what is under way is to stop too.
        let (mut stopped, mut enough, mut failure) = (None, false, None);
        loop {
            let mut quiet = true;
            while let Some((from, message)) = ranks.receive() {
                quiet = false;
                states[from].heard = Instant::now();
                match message {
                    Message::Ready { places } => states[from].places = places,
                    Message::Result { number, text } => enough |= !result(number, &text),
                    Message::Finished { .. } => {
                        states[from].busy -= 1;
                        in_flight -= 1;
                    }
                    Message::Failed(why) => failure = failure.or(Some(why)),
                    _ => {}
                }
            }
            if stopped.is_none() && (failure.is_some() || stop.load(Relaxed)) {
                ranks.tell_all(&Message::Stop);
                stopped = Some(Instant::now());
            }
            match stopped {
                Some(since) if in_flight == 0 || since.elapsed() > GRACE => break,
                None if in_flight == 0 && (enough || next == tasks.len()) => break,
                _ => {}
            }
            while !enough && stopped.is_none() && next < tasks.len() {
                let Some(rank) = self.free(&states, job.alone) else { break };
                ranks.send(rank, &Message::Task { number: next, text: tasks[next].clone() });
                states[rank].busy += 1;
                (next, in_flight) = (next + 1, in_flight + 1);
            }
            (1..ranks.size()).for_each(|rank| ranks.reassure(rank));
            if let Some(why) = self.silent(&states) {
                ranks.give_up();
                return Err(why);
            }
            if quiet {
                ranks.nap();
            }
        }
        ranks.tell_all(&Message::Rest);
        failure.map_or(Ok(()), Err)
    }

    fn together(&mut self, job: &str, stop: &Arc<AtomicBool>) -> Result<Arc<dyn Peers>, String> {
        self.searches += 1;
        self.ranks.tell_all(&Message::Together { job: job.to_owned(), number: self.searches });
        self.answers("ready")?;
        let post = MpiPost::new(0, self.ranks.size(), self.ranks.patience);
        let peers = Arc::new(Correspondent::new(post, self.searches, stop.clone()));
        self.search = Some(peers.clone());
        Ok(peers)
    }

    fn apart(&mut self) -> Result<Vec<String>, String> {
        if let Some(search) = self.search.take() {
            search.close();
        }
        let found = self.answers("done");
        self.ranks.tell_all(&Message::Rest);
        post::drain();
        found
    }
}

impl RankCrew {
    /// Waits until every rank has said that it is ready, or what it has found.
    fn answers(&self, what: &str) -> Result<Vec<String>, String> {
        let ranks = &self.ranks;
        let mut answers: Vec<Option<String>> = vec![None; ranks.size()];
        answers[0] = Some(String::new());
        let began = Instant::now();
        while let Some(missing) = answers.iter().position(Option::is_none) {
            match ranks.receive() {
                Some((from, Message::Ready { .. })) => answers[from] = Some(String::new()),
                Some((from, Message::Result { text, .. })) => answers[from] = Some(text),
                Some((_, Message::Failed(why))) => {
                    ranks.give_up();
                    return Err(why);
                }
                Some(_) => {}
                None if began.elapsed() > ranks.patience => {
                    ranks.give_up();
                    let (host, seconds) = (&self.hosts[missing], ranks.patience.as_secs());
                    return Err(format!("rank {missing} on {host} was not {what} within {seconds} seconds"));
                }
                None => ranks.nap(),
            }
        }
        Ok(answers.into_iter().skip(1).flatten().collect())
    }
}
