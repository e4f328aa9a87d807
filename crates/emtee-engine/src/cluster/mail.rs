//! How ranks search together: each makes the same passes with a table of its own, and they write to each other.
//!
//! * Notes, which are table entries and marks of positions that somebody is at, go to everybody, in batches. They may be lost.
//! * Who has the answer of a pass writes it to rank 0. Rank 0 takes the first, and tells everybody: a pass has one answer, even
//!   where half the ranks had another question, so that all ask the same next. These letters are not lost.
//!
//! Nobody writes to everybody. A rank writes to those that are 1, 2, 4, 8 … places further on, and what came over one of these
//! distances is passed on over the longer ones. So a note is with all N ranks after at most log₂ N letters, and a rank writes
//! and reads log₂ N letters at a time, not N.
//!
//! The same rules hold on a real network and on a simulated one: what is between the ranks is a [`Transport`].

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use emtee::research::{Message, PassResult, Peers, Polled};

/// What carries letters between ranks, and tells the time.
pub trait Transport: Debug + Send + Sync {
    /// Which rank this is.
    fn rank(&self) -> usize;
    /// How many there are.
    fn size(&self) -> usize;
    /// The time since the start.
    fn now(&self) -> Duration;
    /// Sends a letter, without waiting. `may_be_lost` if nothing depends on it.
    fn send(&self, to: usize, letter: &[u64], may_be_lost: bool);
    /// The next letter, if one has come, and who wrote it.
    fn receive(&self) -> Option<(usize, Vec<u64>)>;
    /// Waits a little for a letter.
    fn wait(&self);
    /// Called often: ends the job if a rank has been silent for too long.
    fn watch(&self) {}
    /// A thread begins a pass, has made visits, ends it (or never began it). Only virtual time wants to know.
    fn begin(&self, _thread: usize) {}
    /// A thread has made so many visits.
    fn visited(&self, _thread: usize, _visits: u64) {}
    /// A thread has ended a pass.
    fn end(&self, _thread: usize) {}
    /// All threads of this rank have ended the pass.
    fn meet(&self) {}
    /// How many visits may pass before the next look.
    fn interval(&self) -> u64 {
        LOOK
    }
}

/// How many visits pass between two looks at the mail.
pub(crate) const LOOK: u64 = 16;

/// The kinds of letters.
const NOTES: u64 = 1;
const HOME: u64 = 2;
const VERDICT: u64 = 3;

/// The bits that number the passes of a search; those above them number the search.
const PASSES: u32 = 24;

/// The answer that means that there is none.
const NOTHING: u64 = u64::MAX;

/// Letters are written this often, or less often where writing takes long. Where somebody is has to be known soon.
const FLUSH: Duration = Duration::from_micros(50);
const FLUSH_MARKS: Duration = Duration::from_micros(5);

/// How much of the time may go into writing letters: one part in so many.
const SHARE: u32 = 8;

/// The most notes in a letter.
const MOST_NOTES: usize = 1_000;

/// The longest letter.
pub const MOST_WORDS: usize = 2 + 2 * MOST_NOTES;

/// How many letters of notes may be on their way to a rank. More are not sent: the rank has not read those.
pub const WINDOW: u64 = 16;

/// The visits that a node must have taken for others to hear about it: so many, or more where there is too much mail. Fewer do
/// not pay even where there is little.
const LEAST_EFFORT: u32 = 24;
const MOST_EFFORT: u32 = 100_000;

/// How much of its time a rank may spend on letters. The more ranks there are and the more they have to tell, the larger a node
/// must be for them to hear about it. Less mail means more work done twice: on 64 simulated ranks of Othello a share of 0.15
/// took 10 % longer, and one of 0.3 took 2 %.
const MAIL: f64 = 0.22;

/// That is looked at this often.
const ADAPT: Duration = Duration::from_micros(500);

/// A rank among others.
#[derive(Debug)]
pub struct Correspondent<T> {
    transport: T,
    least_effort: AtomicU32,
    /// How often letters are written, at most.
    flush: Duration,
    outbox: Mutex<Vec<Message>>,
    /// Whether there is a mark in it.
    marked: AtomicBool,
    /// What the first thread alone uses.
    desk: Mutex<Desk>,
    /// Raised when there will be no answer: this rank ends its search.
    stop: Arc<AtomicBool>,
    letters: AtomicU64,
    notes: AtomicU64,
    lost: AtomicU64,
}

#[derive(Debug)]
struct Desk {
    pass: u64,
    /// The answers that have come, by pass.
    verdicts: BTreeMap<u64, u64>,
    last_letter: Duration,
    /// How long writing the last letters took, and the letters before them: who loses its core over one of them was not slow.
    efforts: [Duration; 2],
    /// Letters of notes to each rank; those that it has confirmed; those that came from it; those of them that it knows to have
    /// come.
    sent: Vec<u64>,
    confirmed: Vec<u64>,
    received: Vec<u64>,
    told: Vec<u64>,
    /// How long letters have taken since a time.
    spent: Duration,
    since: Duration,
    /// What is to be passed on over each distance.
    relays: Vec<Vec<Message>>,
    /// Facts that came when nobody could take them.
    backlog: Vec<Message>,
}

/// What a search of this rank sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Postage {
    /// Letters, one for each that was written to.
    pub letters: u64,
    /// Notes in them.
    pub notes: u64,
    /// Notes that were not sent, because their reader was behind.
    pub lost: u64,
}

impl<T: Transport> Correspondent<T> {
    /// A rank that raises a flag when all are to stop. The searches of a job are numbered, so that no letter of one is read in
    /// another; a rank begins with the next when all are done with the last.
    pub fn new(transport: T, number: u64, stop: Arc<AtomicBool>) -> Correspondent<T> {
        let nobody = vec![0; transport.size()];
        let desk = Desk {
            pass: number << PASSES,
            verdicts: BTreeMap::new(),
            last_letter: Duration::ZERO,
            efforts: [Duration::ZERO; 2],
            sent: nobody.clone(),
            confirmed: nobody.clone(),
            received: nobody.clone(),
            told: nobody,
            spent: Duration::ZERO,
            since: Duration::ZERO,
            relays: vec![Vec::new(); distances(transport.size()).count()],
            backlog: Vec::new(),
        };
        Correspondent {
            transport,
            least_effort: AtomicU32::new(LEAST_EFFORT),
            flush: FLUSH,
            marked: AtomicBool::new(false),
            outbox: Mutex::new(Vec::with_capacity(4 * MOST_NOTES)),
            desk: Mutex::new(desk),
            stop,
            letters: AtomicU64::new(0),
            notes: AtomicU64::new(0),
            lost: AtomicU64::new(0),
        }
    }

    /// Writes at once, and about small nodes too: for trees so small that they would be done before the first letter.
    pub fn eager(self) -> Correspondent<T> {
        Correspondent { least_effort: AtomicU32::new(0), flush: Duration::ZERO, ..self }
    }

    /// Rank 0 makes no more passes: whoever waits for the answer of one stops.
    pub fn close(&self) {
        self.decide(&mut self.desk(), NOTHING);
    }

    /// What was sent.
    pub fn postage(&self) -> Postage {
        let [letters, notes, lost] = [&self.letters, &self.notes, &self.lost].map(|count| count.load(Relaxed));
        Postage { letters, notes, lost }
    }

    /// What is between the ranks.
    pub fn transport(&self) -> &T {
        &self.transport
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn outbox(&self) -> MutexGuard<'_, Vec<Message>> {
        self.outbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The rank at some distance.
    fn further(&self, distance: usize) -> usize {
        (self.transport.rank() + distance) % self.transport.size()
    }

    fn send(&self, to: usize, letter: &[u64], may_be_lost: bool) {
        self.transport.send(to, letter, may_be_lost);
        self.letters.fetch_add(1, Relaxed);
    }

    /// Reads all letters that have come. Returns whether there were any.
    fn read(&self, desk: &mut Desk, take: &mut dyn FnMut(Message)) -> bool {
        let mut some = false;
        while let Some((from, letter)) = self.transport.receive() {
            some = true;
            let [head, second, ref notes @ ..] = letter[..] else { continue };
            let (kind, pass) = (head >> 56, head << 8 >> 8);
            if pass >> PASSES != desk.pass >> PASSES {
                continue;
            }
            match kind {
                NOTES => {
                    desk.confirmed[from] = desk.confirmed[from].max(second);
                    desk.received[from] += u64::from(!notes.is_empty());
                    let longer = self.place_of(from) + 1;
                    for note in notes.chunks_exact(2) {
                        let note = Message([note[0], note[1]]);
                        // Where somebody was in another pass matters to nobody.
                        if pass == desk.pass || note.is_fact() {
                            take(note);
                            desk.relays.iter_mut().skip(longer).for_each(|relay| relay.push(note));
                        }
                    }
                    // Who has nothing to write confirms what it has read all the same.
                    if desk.received[from] - desk.told[from] >= WINDOW / 2 {
                        self.write(desk, from, &[]);
                    }
                }
                HOME if self.transport.rank() == 0 && pass == desk.pass => self.decide(desk, second),
                VERDICT => {
                    desk.verdicts.insert(pass, second);
                    self.announce(self.place_of(from) + 1, pass, second);
                }
                _ => {}
            }
        }
        some
    }

    /// Rank 0 has an answer. The first one counts.
    fn decide(&self, desk: &mut Desk, home: u64) {
        let pass = desk.pass;
        if desk.verdicts.contains_key(&pass) {
            return;
        }
        desk.verdicts.insert(pass, home);
        self.announce(0, pass, home);
    }

    /// Tells the answer of a pass to those at the longer distances from some place on. It comes from rank 0, so each hears it once.
    fn announce(&self, longer: usize, pass: u64, home: u64) {
        let own = self.transport.rank();
        for distance in
            distances(self.transport.size()).skip(longer).filter(|distance| own + distance < self.transport.size())
        {
            self.send(own + distance, &[VERDICT << 56 | pass, home], false);
        }
    }

    /// Which of the distances a letter came over.
    fn place_of(&self, from: usize) -> usize {
        let size = self.transport.size();
        ((self.transport.rank() + size - from) % size).max(1).ilog2() as usize
    }

    fn write(&self, desk: &mut Desk, to: usize, notes: &[Message]) {
        let mut letter = Vec::with_capacity(2 + 2 * notes.len());
        letter.extend([NOTES << 56 | desk.pass, desk.received[to]]);
        letter.extend(notes.iter().flat_map(|note| note.0));
        desk.told[to] = desk.received[to];
        desk.sent[to] += u64::from(!notes.is_empty());
        self.send(to, &letter, true);
    }

    /// Writes what there is to tell, if it is time. Returns whether it was.
    fn flush(&self, desk: &mut Desk, now: Duration) -> bool {
        let often = if self.marked.load(Relaxed) { self.flush.min(FLUSH_MARKS) } else { self.flush };
        if now.saturating_sub(desk.last_letter) < often.max(desk.efforts[0].min(desk.efforts[1]) * SHARE) {
            return false;
        }
        let began = self.transport.now();
        self.marked.store(false, Relaxed);
        let mut notes = std::mem::take(&mut *self.outbox());
        let mut lost = 0;
        for (place, distance) in distances(self.transport.size()).enumerate() {
            let mut letter = std::mem::take(&mut desk.relays[place]);
            letter.extend_from_slice(&notes);
            // The newest are worth more: where somebody was is known soonest to be wrong.
            let dropped = letter.len().saturating_sub(MOST_NOTES);
            let to = self.further(distance);
            if desk.sent[to].saturating_sub(desk.confirmed[to]) >= WINDOW {
                lost += letter.len() as u64;
            } else if !letter.is_empty() {
                self.write(desk, to, &letter[dropped..]);
                self.notes.fetch_add((letter.len() - dropped) as u64, Relaxed);
                lost += dropped as u64;
            }
            letter.clear();
            desk.relays[place] = letter;
        }
        self.lost.fetch_add(lost, Relaxed);
        notes.clear();
        let mut outbox = self.outbox();
        notes.append(&mut outbox);
        *outbox = notes;
        drop(outbox);
        desk.last_letter = self.transport.now();
        desk.efforts = [desk.last_letter.saturating_sub(began), desk.efforts[0]];
        true
    }

    /// Where letters take too much of the time, others hear about larger nodes only; where they take little, about smaller ones.
    fn adapt(&self, desk: &mut Desk, now: Duration) {
        let passed = now.saturating_sub(desk.since);
        if passed < ADAPT || self.flush.is_zero() {
            return;
        }
        let share = desk.spent.as_secs_f64() / passed.as_secs_f64();
        (desk.spent, desk.since) = (Duration::ZERO, now);
        let least = self.least_effort.load(Relaxed);
        let next = if share > MAIL {
            least + least / 4 + 1
        } else if share < 0.7 * MAIL {
            least - least / 5
        } else {
            least
        };
        self.least_effort.store(next.clamp(LEAST_EFFORT, MOST_EFFORT), Relaxed);
    }
}

/// How far the ranks are that one writes to: 1, 2, 4, 8 …
fn distances(size: usize) -> impl Iterator<Item = usize> {
    (0..usize::BITS).map(|bit| 1 << bit).take_while(move |&distance| distance < size)
}

impl<T: Transport> Peers for Correspondent<T> {
    fn number(&self) -> usize {
        self.transport.rank()
    }

    fn least_effort(&self) -> u32 {
        self.least_effort.load(Relaxed)
    }

    fn begin(&self, thread: usize) {
        self.transport.begin(thread);
    }

    fn send(&self, note: Message) {
        self.marked.fetch_or(!note.is_fact(), Relaxed);
        self.outbox().push(note);
    }

    fn poll(&self, thread: usize, visits: u64, take: &mut dyn FnMut(Message)) -> Polled {
        self.transport.visited(thread, visits);
        if thread == 0 {
            self.transport.watch();
            let mut desk = self.desk();
            desk.backlog.drain(..).for_each(&mut *take);
            let before = self.transport.now();
            let (read, written) = (self.read(&mut desk, take), self.flush(&mut desk, before));
            if read || written {
                desk.spent += self.transport.now().saturating_sub(before);
            }
            self.adapt(&mut desk, before);
            if desk.verdicts.contains_key(&desk.pass) {
                return Polled::Done;
            }
        }
        Polled::Continue(self.transport.interval())
    }

    fn end(&self, thread: usize) {
        self.transport.end(thread);
    }

    fn agree(&self, own: Option<PassResult>) -> Option<PassResult> {
        self.transport.meet();
        let mut desk = self.desk();
        let (pass, own) = (desk.pass, own.map(|home| home.0));
        if self.transport.rank() == 0 {
            // Where rank 0 was stopped by a limit, all are.
            self.decide(&mut desk, own.unwrap_or(NOTHING));
        } else if let Some(home) = own.filter(|_| !desk.verdicts.contains_key(&pass)) {
            self.send(0, &[HOME << 56 | pass, home], false);
        }
        let verdict = loop {
            if let Some(verdict) = desk.verdicts.remove(&pass) {
                break verdict;
            }
            let mut facts = Vec::new();
            self.read(&mut desk, &mut |note| facts.extend(note.is_fact().then_some(note)));
            desk.backlog.append(&mut facts);
            self.transport.watch();
            if !desk.verdicts.contains_key(&pass) {
                self.transport.wait();
            }
        };
        desk.pass += 1;
        self.outbox().retain(|note| note.is_fact());
        desk.relays.iter_mut().for_each(|relay| relay.retain(|note| note.is_fact()));
        if verdict == NOTHING {
            self.stop.store(true, Relaxed);
            return None;
        }
        Some(PassResult(verdict))
    }
}
