//! Searches of several machines together.

use std::sync::{Arc, Mutex};

use emtee::research::{Message, PassResult, Peers, Polled};
use emtee::{Budget, Game, Search, Size, player};
use emtee_games::connect4::Board;

/// The peers of a machine whose messages to receive are all given in advance, and whose own messages are recorded.
#[derive(Debug, Default)]
struct RecordedPeers {
    number: usize,
    /// A message is sent about nodes of more visits than this.
    effort: u32,
    inbox: Vec<Message>,
    sent: Mutex<Vec<Message>>,
}

impl Peers for RecordedPeers {
    fn number(&self) -> usize {
        self.number
    }
    fn least_effort(&self) -> u32 {
        self.effort + 1
    }
    fn begin(&self, _: usize) {}
    fn send(&self, message: Message) {
        self.sent.lock().unwrap().push(message);
    }
    fn poll(&self, _: usize, _: u64, take: &mut dyn FnMut(Message)) -> Polled {
        self.inbox.iter().copied().for_each(take);
        Polled::Continue(16)
    }
    fn end(&self, _: usize) {}
    fn agree(&self, own: Option<PassResult>) -> Option<PassResult> {
        own
    }
}

const DEPTH: u8 = 8;

fn searcher(share_from: u64, peers: Option<Arc<RecordedPeers>>) -> Search<Board, fn(&Board) -> i32> {
    let evaluate: fn(&Board) -> i32 = Board::evaluate;
    let builder = player(evaluate).table(Size::of_entries(1 << 16)).with(|options| options.share_from = share_from);
    let mut search = builder.build().unwrap();
    search.research().set_peers(peers.map(|peers| peers as Arc<dyn Peers>)).unwrap();
    search
}

/// Every machine decides by its own node count when the machines begin to search together. If a machine used messages before
/// that, it would count fewer nodes and begin later, and all would wait for each other.
#[test]
fn a_late_machine_begins_to_share_at_the_same_iteration() {
    let (board, budget) = (Board::default(), Budget::depth(DEPTH));
    let alone = searcher(u64::MAX, None).think(&board, budget).unwrap();
    let counts = |found: &emtee::Found<_>| -> Vec<u64> {
        found.iterations.iter().map(|iteration| iteration.counts.nodes()).collect()
    };
    let counted = counts(&alone);
    let share_from = counted[counted.len() / 2];
    let ahead = Arc::new(RecordedPeers::default());
    searcher(share_from, Some(ahead.clone())).think(&board, budget).unwrap();
    let inbox = ahead.sent.lock().unwrap().clone();
    assert!(inbox.len() > 100, "only {} messages were sent", inbox.len());
    let late = Arc::new(RecordedPeers { inbox, ..RecordedPeers::default() });
    let late = searcher(share_from, Some(late)).think(&board, budget).unwrap();
    assert_eq!(late.value, alone.value);
    let together = counted.iter().position(|&nodes| nodes >= share_from).unwrap() + 1;
    assert!(together > 1 && together < counted.len());
    assert_eq!(counts(&late)[..together], counted[..together], "messages are not used before");
    let shared = counts(&late)[together..].iter().sum::<u64>();
    assert!(shared < counted[together..].iter().sum(), "messages are used from then on");
}

/// The messages sent, the facts among them, and the nodes visited: of a machine that sends messages about nodes of more than
/// `effort` visits, and of a second machine that receives all its messages at the start and has its own move order.
fn counted(effort: u32) -> [[u64; 3]; 2] {
    let mut inbox = Vec::new();
    [0, 1].map(|number| {
        let peers = Arc::new(RecordedPeers { number, effort, inbox: inbox.clone(), ..RecordedPeers::default() });
        let found = searcher(100, Some(peers.clone())).think(&Board::default(), Budget::depth(DEPTH)).unwrap();
        inbox.clone_from(&peers.sent.lock().unwrap());
        let facts = inbox.iter().filter(|message| message.is_fact()).count();
        [inbox.len() as u64, facts as u64, found.counts.nodes()]
    })
}

#[test]
fn message_counts_are_unchanged() {
    let counts =
        [[[713, 399, 2600], [236, 152, 1168]], [[145, 88, 2600], [45, 27, 808]], [[16, 7, 2600], [11, 5, 1337]]];
    assert_eq!([3, 30, 300].map(counted), counts, "if this is meant, say so in the commit");
}

/// A right guess is proved by two passes. If many machines search together, every other machine begins with the second pass.
#[test]
fn every_other_machine_begins_with_the_second_pass() {
    let first_probes = |number: usize| -> Vec<i32> {
        let peers = Arc::new(RecordedPeers { number, effort: 30, ..RecordedPeers::default() });
        let found = searcher(100, Some(peers)).think(&Board::default(), Budget::depth(DEPTH)).unwrap();
        let pairs = found.iterations.windows(2);
        pairs.map(|pair| pair[1].passes[0].window.beta().get() - pair[0].value.unwrap().get()).collect()
    };
    // The first two iterations are too small to share.
    assert_eq!([2, 3].map(first_probes), [[0, 0, 0], [0, 1, 1]]);
}
