//! Machines that search together do alike what they do alone.

use std::sync::{Arc, Mutex};

use emtee::research::{Message, PassResult, Peers, Polled};
use emtee::{Budget, Game, Search, Size, player};
use emtee_games::connect4::Board;

/// The mail of a machine whose letters all come at once, and whose own go nowhere else.
#[derive(Debug, Default)]
struct Mail {
    number: usize,
    /// One more than this many visits make a node worth a letter.
    effort: u32,
    come: Vec<Message>,
    told: Mutex<Vec<Message>>,
}

impl Peers for Mail {
    fn number(&self) -> usize {
        self.number
    }
    fn least_effort(&self) -> u32 {
        self.effort + 1
    }
    fn begin(&self, _: usize) {}
    fn send(&self, note: Message) {
        self.told.lock().unwrap().push(note);
    }
    fn poll(&self, _: usize, _: u64, take: &mut dyn FnMut(Message)) -> Polled {
        self.come.iter().copied().for_each(take);
        Polled::Continue(16)
    }
    fn end(&self, _: usize) {}
    fn agree(&self, own: Option<PassResult>) -> Option<PassResult> {
        own
    }
}

const DEPTH: u8 = 8;

fn searcher(share_from: u64, mail: Option<Arc<Mail>>) -> Search<Board, fn(&Board) -> i32> {
    let evaluate: fn(&Board) -> i32 = Board::evaluate;
    let builder = player(evaluate).table(Size::of_entries(1 << 16)).with(|options| options.share_from = share_from);
    let mut search = builder.build().unwrap();
    search.research().set_peers(mail.map(|mail| mail as Arc<dyn Peers>)).unwrap();
    search
}

/// Every machine decides by its own count of nodes when the others are needed. One that took in what those ahead of it have
/// found would count fewer, call later, and all would wait for each other.
#[test]
fn a_machine_that_is_late_calls_for_help_when_the_others_did() {
    let (board, budget) = (Board::default(), Budget::depth(DEPTH));
    let alone = searcher(u64::MAX, None).think(&board, budget).unwrap();
    let counts = |found: &emtee::Found<_>| -> Vec<u64> {
        found.iterations.iter().map(|iteration| iteration.counts.nodes()).collect()
    };
    let counted = counts(&alone);
    let share_from = counted[counted.len() / 2];
    let ahead = Arc::new(Mail::default());
    searcher(share_from, Some(ahead.clone())).think(&board, budget).unwrap();
    let come = ahead.told.lock().unwrap().clone();
    assert!(come.len() > 100, "only {} notes were told", come.len());
    let behind = searcher(share_from, Some(Arc::new(Mail { come, ..Mail::default() }))).think(&board, budget).unwrap();
    assert_eq!(behind.value, alone.value);
    let together = counted.iter().position(|&nodes| nodes >= share_from).unwrap() + 1;
    assert!(together > 1 && together < counted.len());
    assert_eq!(counts(&behind)[..together], counted[..together], "what is done alone");
    assert!(
        counts(&behind)[together..].iter().sum::<u64>() < counted[together..].iter().sum(),
        "the mail is read then"
    );
}

/// Letters told, those that are facts among them, and the nodes that it took, for a machine that tells of nodes of so many visits,
/// and for another that has its letters from the start and tries the moves in an order of its own.
fn counted(effort: u32) -> [[u64; 3]; 2] {
    let mut come = Vec::new();
    [0, 1].map(|number| {
        let mail = Arc::new(Mail { number, effort, come: come.clone(), ..Mail::default() });
        let found = searcher(100, Some(mail.clone())).think(&Board::default(), Budget::depth(DEPTH)).unwrap();
        come.clone_from(&mail.told.lock().unwrap());
        let facts = come.iter().filter(|note| note.is_fact()).count();
        [come.len() as u64, facts as u64, found.counts.nodes()]
    })
}

#[test]
fn letters_are_told_and_read_as_they_were() {
    let counts =
        [[[713, 399, 2600], [236, 152, 1168]], [[145, 88, 2600], [45, 27, 808]], [[16, 7, 2600], [11, 5, 1337]]];
    assert_eq!([3, 30, 300].map(counted), counts, "if this is meant, say so in the commit");
}

/// A guess that is right takes two passes to prove. Every other machine begins with the second, once many machines search.
#[test]
fn every_other_machine_begins_with_the_other_half_of_the_proof() {
    let first_probes = |number: usize| -> Vec<i32> {
        let mail = Arc::new(Mail { number, effort: 30, ..Mail::default() });
        let found = searcher(100, Some(mail)).think(&Board::default(), Budget::depth(DEPTH)).unwrap();
        let pairs = found.iterations.windows(2);
        pairs.map(|pair| pair[1].passes[0].window.beta().get() - pair[0].value.unwrap().get()).collect()
    };
    // The first two iterations are too small to share.
    assert_eq!([2, 3].map(first_probes), [[0, 0, 0], [0, 1, 1]]);
}
