//! "Did you mean": the nearest of some names.

/// The candidate nearest to `name` by the number of letters that are wrong, missing, too many or swapped, regardless of
/// case, if it is near enough to be meant: a third of the longer name at most, and three letters. The first of several
/// equally near ones.
#[must_use]
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    // Nobody misspells a longer name, nor reads through more of them.
    const LONGEST: usize = 80;
    const MOST: usize = 5000;
    if name.len() > LONGEST {
        return None;
    }
    let name = name.to_ascii_lowercase();
    let distance = |candidate: &str| {
        let limit = (name.len().max(candidate.len()) / 3).min(3);
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

/// Whether two names can be within `limit` of each other, by their letters regardless of order: each change of a letter
/// adds one to what either name has and the other has not. `a` is in lower case; the case of `b` plays no role. Takes linear
/// time, where the distance takes quadratic time.
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

/// The end of a message: a question if there is something to suggest, else nothing.
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
        ];
        for (name, expected) in rows {
            assert_eq!(nearest(name, names), expected, "{name}");
        }
    }
}
