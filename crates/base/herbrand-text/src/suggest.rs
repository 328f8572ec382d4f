//! Suggestions for misspelt names.

/// Returns the candidate nearest to `name`, as a suggestion for a misspelt name. The measure is the optimal string alignment
/// distance, ignoring case: the number of letters that are wrong, missing, surplus or swapped. The distance may be at most
/// 3, and at most a third of the longer name, or 2 if their first three letters agree and neither ends there; `None` if
/// no candidate is that near, or if `name` is longer than 80 bytes. Among equally near candidates, returns the first. A
/// candidate that equals the name except for case is the nearest.
/// Only the first 5000 candidates are considered. [`did_you_mean`] writes the result as the end of a message.
#[must_use]
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    // Limits that keep the search fast; real names and vocabularies are smaller.
    const LONGEST: usize = 80;
    const MOST: usize = 5000;
    if name.len() > LONGEST {
        return None;
    }
    let name = name.to_ascii_lowercase();
    let distance = |candidate: &str| {
        let third = (name.len().max(candidate.len()) / 3).min(3);
        let (a, b) = (name.as_bytes(), candidate.as_bytes());
        let begins_alike = a.len().min(b.len()) > 3 && a[..3].eq_ignore_ascii_case(&b[..3]);
        let limit = if begins_alike { third.max(2) } else { third };
        let is_near = may_be_near(&name, candidate, limit);
        let distance = is_near.then(|| strsim::osa_distance(&name, &candidate.to_ascii_lowercase()))?;
        (distance <= limit).then_some(distance)
    };
    candidates
        .into_iter()
        .take(MOST)
        .filter_map(|candidate| Some((distance(candidate)?, candidate)))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Returns whether the distance of two names can be at most `limit`, judged by how often each letter occurs: a change adds
/// at most one letter that only one of the names has. `a` must be in lower case; the case of `b` is ignored. Takes linear
/// time, while the distance takes quadratic time.
fn may_be_near(a: &str, b: &str, limit: usize) -> bool {
    if a.len().abs_diff(b.len()) > limit {
        return false;
    }
    let mut surplus = [0i32; 256];
    a.bytes().for_each(|byte| surplus[usize::from(byte)] += 1);
    b.bytes()
        .for_each(|byte| surplus[usize::from(byte.to_ascii_lowercase())] -= 1);
    let only_in_a: i32 = surplus.iter().filter(|&&count| count > 0).sum();
    let only_in_b: i32 = -surplus.iter().filter(|&&count| count < 0).sum::<i32>();
    only_in_a.max(only_in_b) as usize <= limit
}

/// Returns the end of a message for a suggestion from [`nearest`]: `; did you mean …?`, or the empty string if there is
/// no suggestion. Append it to a message without a final full stop.
#[must_use]
pub fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn what_may_be_meant() {
        let names = ["clear", "clean", "on-table", "on", "hand-empty", "holding"];
        let rows = [
            ("claer", Some("clear")),
            ("CLEAR", Some("clear")),
            ("clea", Some("clear")),
            ("on_table", Some("on-table")),
            ("handempty", Some("hand-empty")),
            ("holdign", Some("holding")),
            ("no", None),
            ("of", None),
            ("table", None),
            ("", None),
            ("Holdings", Some("holding")),
            ("clear-table", None),
            ("holt", None),
            ("holding-up", Some("holding")),
            ("cleft", Some("clear")),
            ("cloud", None),
        ];
        for (name, expected) in rows {
            assert_eq!(nearest(name, names), expected, "{name}");
        }
    }
}
