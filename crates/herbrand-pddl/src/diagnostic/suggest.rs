//! "Did you mean": the nearest of some names.

/// The candidate nearest to `name` by Damerau–Levenshtein distance, if it is near enough to be meant: at most a
/// third of the name is different. The first of several equally near ones.
pub(crate) fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    // Nobody misspells a name as long as that, and the distance takes quadratic time.
    const LONGEST: usize = 80;
    if name.len() > LONGEST {
        return None;
    }
    let name = name.to_ascii_lowercase();
    let limit = (name.len() / 3).min(3);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= limit)
        .map(|candidate| (strsim::osa_distance(&name, candidate), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}
