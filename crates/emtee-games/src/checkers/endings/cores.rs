//! Work on all cores with the feature `parallel`, and on one without it. Results come in the order of the items.

/// What `work` makes of each item.
#[cfg(feature = "parallel")]
pub(super) fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    use rayon::prelude::*;
    items.into_par_iter().map(work).collect()
}

/// What `work` makes of each item.
#[cfg(not(feature = "parallel"))]
pub(super) fn map<T, R>(items: Vec<T>, work: impl Fn(T) -> R) -> Vec<R> {
    items.into_iter().map(work).collect()
}

/// The same, up to an error.
#[cfg(feature = "parallel")]
pub(super) fn try_map<T: Send, R: Send, E: Send>(
    items: Vec<T>,
    work: impl Fn(T) -> Result<R, E> + Sync + Send,
) -> Result<Vec<R>, E> {
    use rayon::prelude::*;
    items.into_par_iter().map(work).collect()
}

/// The same, up to an error.
#[cfg(not(feature = "parallel"))]
pub(super) fn try_map<T, R, E>(items: Vec<T>, work: impl Fn(T) -> Result<R, E>) -> Result<Vec<R>, E> {
    items.into_iter().map(work).collect()
}

/// Hands each item to `work`, with a list that it finds and leaves empty: its memory serves the next one.
#[cfg(feature = "parallel")]
pub(super) fn each_with_list<T: Sync, L>(items: &[T], work: impl Fn(&mut Vec<L>, &T) + Sync + Send) {
    use rayon::prelude::*;
    items.par_iter().for_each_init(Vec::new, work);
}

/// Hands each item to `work`, with a list that it finds and leaves empty: its memory serves the next one.
#[cfg(not(feature = "parallel"))]
pub(super) fn each_with_list<T, L>(items: &[T], work: impl Fn(&mut Vec<L>, &T)) {
    let mut list = Vec::new();
    items.iter().for_each(|item| work(&mut list, item));
}
