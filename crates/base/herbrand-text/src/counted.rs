//! Counts of items in words.

/// Returns a count and a noun, whose plural ends in `s`: `1 problem`, `2 problems`. The noun of 0 is in the plural.
///
/// ```
/// use herbrand_text::counted;
///
/// assert_eq!([counted(0, "rule"), counted(1, "rule")], ["0 rules", "1 rule"]);
/// ```
#[must_use]
pub fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}
