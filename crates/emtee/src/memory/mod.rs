//! The memory of a search: the transposition table, which all threads share, and each thread's history and eval cache.

pub(crate) mod eval_cache;
pub(crate) mod history;
pub(crate) mod huge_pages;
mod prefetch;
mod slot;
pub(crate) mod table;
