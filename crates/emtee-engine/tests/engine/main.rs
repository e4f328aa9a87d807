//! Tests that search real games. They form one program instead of unit tests, so that the search of every game is not
//! compiled a second time.

/// A value with some fields changed. Other crates cannot use struct update syntax, because these structs are
/// non-exhaustive.
macro_rules! with {
    ($value:expr, $($field:ident = $new:expr),+) => {{
        let mut value = $value;
        $(value.$field = $new;)+
        value
    }};
}

mod book;
mod check_mistakes;
mod check_warnings;
mod datagen;
mod ending;
mod endings;
mod explore;
mod games;
mod illegal_moves;
mod mcts;
mod names;
mod nboard;
mod opening;
mod perft;
mod protocol;
mod protocol_fuzz;
mod record;
mod referee;
mod session;
mod solve;
mod stop;
mod uci_client;
mod virtual_time;
