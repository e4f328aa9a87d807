//! Loops on all cores with the feature `parallel`, on one core without it. Results are in the order of the items.

/// Applies `work` to each item.
#[cfg(feature = "parallel")]
pub(super) fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    use rayon::prelude::*;
    items.into_par_iter().map(work).collect()
}

/// Applies `work` to each item.
#[cfg(not(feature = "parallel"))]
pub(super) fn map<T, R>(items: Vec<T>, work: impl Fn(T) -> R) -> Vec<R> {
    items.into_iter().map(work).collect()
}

/// Applies `work` to each item, and returns an error if there is one.
#[cfg(feature = "parallel")]
pub(super) fn try_map<T: Send, R: Send, E: Send>(
    items: Vec<T>,
    work: impl Fn(T) -> Result<R, E> + Sync + Send,
) -> Result<Vec<R>, E> {
    use rayon::prelude::*;
    items.into_par_iter().map(work).collect()
}

/// Applies `work` to each item, and returns an error if there is one.
#[cfg(not(feature = "parallel"))]
pub(super) fn try_map<T, R, E>(items: Vec<T>, work: impl Fn(T) -> Result<R, E>) -> Result<Vec<R>, E> {
    items.into_iter().map(work).collect()
}

/// Calls `work` with each item and an empty list, which it must leave empty: its memory is reused for the next item.
#[cfg(feature = "parallel")]
pub(super) fn for_each_with_list<T: Sync, L>(items: &[T], work: impl Fn(&mut Vec<L>, &T) + Sync + Send) {
    use rayon::prelude::*;
    items.par_iter().for_each_init(Vec::new, work);
}

/// Calls `work` with each item and an empty list, which it must leave empty: its memory is reused for the next item.
#[cfg(not(feature = "parallel"))]
pub(super) fn for_each_with_list<T, L>(items: &[T], work: impl Fn(&mut Vec<L>, &T)) {
    let mut list = Vec::new();
    items.iter().for_each(|item| work(&mut list, item));
}
