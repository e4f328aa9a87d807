//! A stop takes effect in the middle of an iteration.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, mpsc};
use std::time::Duration;

use emtee::{Game, Moves, Outcome, Side, mix};
use emtee_engine::arena::{Contest, ContestError};
use emtee_engine::datagen::Datagen;
use emtee_engine::{BookBuilder, BookTask, Kit, Registry};

/// The evaluation that sets the flag: in the middle of an iteration, which takes many times as many.
const STOP_AT: u64 = 20_000;

static EVALUATIONS: AtomicU64 = AtomicU64::new(0);
static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// A game without an end, with 40 moves in each position. Its evaluation counts its calls.
#[derive(Clone, Copy, Debug, PartialEq, Hash)]
struct Wide {
    code: u64,
    turn: Side,
}

impl Default for Wide {
    fn default() -> Self {
        Wide { code: 1, turn: Side::First }
    }
}

impl Game for Wide {
    type Move = u8;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<u8>) {
        (0..40).for_each(|m| moves.push(m));
    }

    fn play(&self, m: u8) -> Self {
        Wide { code: mix(self.code + u64::from(m)), turn: !self.turn }
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn evaluate(&self) -> i32 {
        if EVALUATIONS.fetch_add(1, Relaxed) + 1 == STOP_AT {
            STOP.store(true, Relaxed);
        }
        (mix(self.code) % 201) as i32 - 100
    }
}

impl fmt::Display for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code, self.turn.index())
    }
}

impl FromStr for Wide {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (code, turn) = text.split_once(' ').ok_or("write the code and the side")?;
        let code = code.parse().map_err(|_| format!("'{code}' is no number"))?;
        Ok(Wide { code, turn: if turn == "0" { Side::First } else { Side::Second } })
    }
}

/// The evaluations between the stop and the end of the run.
fn evaluations_after_the_stop(run: impl FnOnce(&Registry)) -> u64 {
    EVALUATIONS.store(0, Relaxed);
    STOP.store(false, Relaxed);
    run(&Registry::default().with("wide", Kit::<Wide>::new()));
    EVALUATIONS.load(Relaxed).checked_sub(STOP_AT).expect("the flag was set")
}

#[test]
fn a_match_and_a_book_stop_within_an_iteration() {
    let in_match = evaluations_after_the_stop(|registry| {
        let [a, b] = ["mtd-f,depth=20", "sss,depth=20"].map(|text| text.parse().unwrap());
        let ended = Contest::new("wide", a, b).run(registry, &[], &STOP, &mut |_| ());
        assert_eq!(ended, Err(ContestError::Stopped));
    });
    let in_book = evaluations_after_the_stop(|registry| {
        let mut builder = BookBuilder::new(registry.get("wide").unwrap());
        let task = BookTask { positions: 8, nodes: 1 << 40, plies: 4, threads: 1 };
        assert!(!builder.run(&task, &STOP, &mut |_| ()).unwrap(), "it was stopped");
    });
    // The limits are checked every 512 visits.
    assert!(in_match <= 512 && in_book <= 512, "{in_match} {in_book}");
}

#[test]
fn training_games_stop_within_a_search() {
    let (sender, ended) = mpsc::channel();
    let stop: Arc<AtomicBool> = Arc::default();
    let own = stop.clone();
    std::thread::spawn(move || {
        // A search that takes days.
        let task = Datagen { game: "checkers".to_owned(), nodes: 1 << 40, seed: 1, threads: 2 };
        let shown = &mut |_: &[_]| panic!("a game was finished");
        sender.send(task.run(&Registry::standard(), 0..10, &own, shown)).unwrap();
    });
    std::thread::sleep(Duration::from_millis(300));
    stop.store(true, Relaxed);
    assert_eq!(ended.recv_timeout(Duration::from_secs(60)), Ok(Ok(())));
}
