//! Suggestions for misspelt names.

/// The most similar candidate, if it is similar enough to be a suggestion: at most one edit per three letters.
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

/// The candidate with the fewest edits, the first one of equals. Swapping two neighbouring letters is one edit.
///
/// ```
/// assert_eq!(emtee_engine::nearest("chses", ["chess", "othello", "checkers"]), Some("chess"));
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Anything much longer than the candidates is about equally far from all of them, so the rest is not compared.
    let name: String = name.chars().take(100).collect();
    candidates.into_iter().min_by_key(|candidate| strsim::osa_distance(&name, candidate))
}
