//! Tests that search real games. They are one program of their own and not unit tests, so that every search of every game is not
//! compiled a second time for them.

/// A value with some fields changed. Other crates cannot write such structs out, since they may grow.
macro_rules! with {
    ($value:expr, $($field:ident = $new:expr),+) => {{
        let mut value = $value;
        $(value.$field = $new;)+
        value
    }};
}

mod book;
mod datagen;
mod ending;
mod endings;
mod explore;
mod games;
mod names;
mod nboard;
mod noise;
mod notes;
mod objections;
mod opening;
mod perft;
mod protocol;
mod record;
mod referee;
mod seeded;
mod session;
mod solve;
mod uci_client;
mod virtual_time;
