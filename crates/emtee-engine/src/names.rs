//! Names that are nearly right.

/// The nearest candidate, if it is near enough that it may have been meant: at most one edit in three letters.
///
/// ```
/// assert_eq!(emtee_engine::near("hnit", ["hint", "help"]), Some("hint"));
/// assert_eq!(emtee_engine::near("O-O", ["a3", "Nf3"]), None);
/// ```
pub fn near<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let nearest = nearest(name, candidates)?;
    let (letters, edits) = (name.chars().count(), strsim::osa_distance(name, nearest));
    (edits <= (letters / 3).max(1) && edits < letters).then_some(nearest)
}

/// The candidate that takes the fewest edits to get to, the first of equals. Two neighbouring letters that are swapped are
/// one edit.
///
/// ```
/// assert_eq!(emtee_engine::nearest("chses", ["chess", "othello", "checkers"]), Some("chess"));
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // What is much longer than any name is as far from all of them; nobody waits for how far exactly.
    let name: String = name.chars().take(100).collect();
    candidates.into_iter().min_by_key(|candidate| strsim::osa_distance(&name, candidate))
}
