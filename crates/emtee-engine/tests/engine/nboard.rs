//! How long an engine thinks that is asked by NBoard.

use std::time::Duration;

use emtee_engine::internals::clock_of_nboard;
use emtee_engine::{Play, Registry, Setup};

/// The language has no clock, so one of the two is the limit: a time that was set, or a depth.
#[test]
fn whoever_is_given_a_time_is_held_to_no_depth() {
    let registry = Registry::standard();
    let game = registry.get("othello").unwrap();
    let limits = |move_time| {
        let setup = with!(Setup::new(Play::default()), move_time = move_time);
        let clock = clock_of_nboard(game, &setup);
        (clock.move_time, clock.depth)
    };
    assert_eq!(limits(None), (None, Some(12)));
    let time = Some(Duration::from_millis(100));
    assert_eq!(limits(time), (time, None));
}
