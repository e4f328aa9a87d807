//! Names that are nearly right.

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
