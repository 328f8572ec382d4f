//! Natural order of names, for lists that people read.

use std::cmp::Ordering;

/// A name that sorts in natural order: runs of digits compare as numbers, so `p2` comes before `p10`. Wrap names in it
/// to sort them, and take them out of its field. Names with equal numbers, such as `p2` and `p02`, are ordered by their
/// bytes. Digits come before other characters.
///
/// ```
/// use herbrand_text::Natural;
///
/// let mut names = ["p10", "p2", "p02"].map(|name| Natural(name.to_owned()));
/// names.sort();
/// assert_eq!(names.map(|name| name.0), ["p02", "p2", "p10"]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Natural(pub String);

impl Natural {
    /// Returns the pieces that are compared in turn: single characters, and runs of digits without leading zeros, which
    /// compare by length first.
    fn pieces(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut rest = self.0.as_str();
        std::iter::from_fn(move || {
            let first = rest.chars().next()?;
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let (piece, later) = rest.split_at(if digits > 0 { digits } else { first.len_utf8() });
            rest = later;
            let number = piece.trim_start_matches('0');
            Some(if digits > 0 {
                (number.len(), number)
            } else {
                (usize::MAX, piece)
            })
        })
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        self.pieces()
            .cmp(other.pieces())
            .then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
