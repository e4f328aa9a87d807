//! What a search remembers: the transposition table, which all threads share, and what each thread learns for itself.

pub(crate) mod eval_cache;
pub(crate) mod history;
mod prefetch;
mod slot;
pub(crate) mod table;
