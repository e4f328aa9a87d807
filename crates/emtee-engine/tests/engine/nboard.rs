//! The limits of a search over NBoard.

use std::time::Duration;

use emtee_engine::internals::clock_of_nboard;
use emtee_engine::{Play, Registry, Setup};

/// The protocol has no clock, so the limit is either a time that was set up, or a depth.
#[test]
fn a_move_time_replaces_the_depth() {
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
