//! Games between two players.

use std::time::Duration;

use emtee_engine::arena::*;
use emtee_engine::{Registry, internals};

/// Plays moves from a list, each after a delay.
struct Scripted {
    replies: Vec<Result<Reply, PlayerError>>,
    delay: Duration,
}

impl Player for Scripted {
    fn new_game(&mut self) -> Result<(), PlayerError> {
        Ok(())
    }
    fn choose(&mut self, game: &GameSoFar<'_>, _: &Limits) -> Result<Reply, PlayerError> {
        std::thread::sleep(self.delay);
        if self.replies.is_empty() {
            return Ok(Reply { m: game.current.moves()[0].clone(), ..Reply::default() });
        }
        self.replies.remove(0)
    }
}

fn scripted(moves: &[(&str, i32)]) -> Scripted {
    let reply = |&(m, value): &(&str, i32)| Ok(Reply { m: m.into(), value: Some(value), ..Reply::default() });
    Scripted { replies: moves.iter().map(reply).collect(), delay: Duration::ZERO }
}

fn play(referee: &Referee, mut first: Scripted, mut second: Scripted) -> GameRow {
    let registry = Registry::standard();
    let specs = ["mtd-f,name=one", "mtd-f,name=two"].map(|text| text.parse::<PlayerSpec>().unwrap());
    internals::play(referee, registry.get("connect4").unwrap(), [&mut first, &mut second], &specs).unwrap()
}

#[test]
fn a_game_is_played_to_its_end() {
    let row = play(&Referee::default(), scripted(&[("1", 0); 4]), scripted(&[("2", 0); 4]));
    assert_eq!((row.result.text(), row.ending.as_str(), row.moves.len()), ("1-0", "position", 7));
    assert_eq!((row.first.as_str(), row.second.as_str(), row.forfeit), ("one", "two", None));
}

#[test]
fn a_player_error_forfeits_the_game() {
    let faulty = |error: PlayerError| Scripted { replies: vec![Err(error)], delay: Duration::ZERO };
    for error in [PlayerError::Died, PlayerError::Silent, PlayerError::Failed("no idea".into())] {
        let row = play(&Referee::default(), scripted(&[]), faulty(error.clone()));
        assert_eq!((row.result.text(), row.ending.as_str()), ("1-0", error.name()));
        assert_eq!(row.forfeit.as_deref(), Some("two"));
    }
    let row = play(&Referee::default(), scripted(&[("9", 0)]), scripted(&[]));
    assert_eq!((row.result.text(), row.ending.as_str()), ("0-1", "illegal"));
    assert_eq!(row.detail.as_deref(), Some("it answered '9', which is not a legal move"));
    let row = play(&Referee::default(), faulty(PlayerError::Resigned), scripted(&[]));
    assert_eq!((row.result.text(), row.forfeit), ("0-1", None));
}

#[test]
fn an_overrun_forfeits_the_game_and_is_measured() {
    let mut referee = with!(Referee::default(), margin = Duration::from_millis(1));
    let slow = || Scripted { replies: Vec::new(), delay: Duration::from_millis(30) };
    referee.control.move_time = Some(Duration::from_millis(5));
    let row = play(&referee, slow(), scripted(&[]));
    assert_eq!((row.result.text(), row.ending.as_str()), ("0-1", "overran"));
    assert!(row.overrun_ms[0] >= 24.0 && row.overrun_ms[1] == 0.0);
    referee.control =
        TimeControl { clock: Some((Duration::from_millis(40), Duration::ZERO)), ..TimeControl::default() };
    let row = play(&referee, slow(), scripted(&[]));
    assert_eq!((row.ending.as_str(), row.moves.len()), ("overran", 2));
}

#[test]
fn agreed_and_long_games_are_adjudicated() {
    let mut referee = Referee::default();
    (referee.win_at, referee.draw_at) = ("500:2".parse().ok(), "5:2".parse().ok());
    let columns = ["1", "2", "1", "2"];
    let with_values = |values: [i32; 4]| scripted(&[0, 1, 2, 3].map(|index| (columns[index], values[index])));
    let row = play(&referee, with_values([700; 4]), with_values([-700; 4]));
    assert_eq!((row.result.text(), row.ending.as_str(), row.moves.len()), ("1-0", "agreed-win", 3));
    let row = play(&referee, with_values([3, -40, 3, 0]), with_values([4, 0, 0, 0]));
    assert_eq!((row.result.text(), row.ending.as_str(), row.moves.len()), ("1/2-1/2", "agreed-draw", 6));
    // Only one side reports a win.
    let row = play(&referee, with_values([700; 4]), scripted(&[]));
    assert_eq!(row.ending, "position");
    referee.longest = 5;
    let row = play(&referee, scripted(&[]), scripted(&[]));
    assert_eq!((row.ending.as_str(), row.moves.len()), ("length", 5));
}

#[test]
fn clocks_and_agreements_are_read() {
    let clock = (Duration::from_secs(10), Duration::from_millis(100));
    assert_eq!(TimeControl::read_clock("10s+0.1s"), Ok(clock));
    assert_eq!(TimeControl::read_clock("5m").unwrap().0, Duration::from_secs(300));
    for bad in ["", "+", "10s+", "0s+1s", "x"] {
        assert!(TimeControl::read_clock(bad).is_err(), "{bad}");
    }
    assert_eq!("600".parse(), Ok(Agreement { value: 600, moves: 4 }));
    for bad in ["", "-5", "600:0", "a:b", "1:2:3"] {
        assert!(bad.parse::<Agreement>().is_err(), "{bad}");
    }
}
