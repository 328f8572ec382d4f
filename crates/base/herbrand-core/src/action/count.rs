//! How many joint actions are valid in a state: [`ActionCount`], as systems and rollouts report it.

use std::fmt;

/// The number of valid joint actions in a state ([`System::count_joint_actions`](crate::System::count_joint_actions)),
/// or its mean over several states. [`Rollout`](crate::Rollout) reports the mean as the branching factor of a problem.
/// A mean is `Unknown` if any count is, or else `Infinite` if any is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ActionCount {
    /// A finite number, exact below 2^53. As a mean it may be a fraction; 0 if there are no states.
    Finite(f64),
    /// Infinitely many: a numeric action field has infinitely many valid values.
    Infinite,
    /// Unknown: there are too many joint actions to test each, possibly infinitely many.
    Unknown,
}

impl ActionCount {
    /// Returns the number or mean if it is [`Finite`](Self::Finite); `None` if it is infinite or unknown. An unknown
    /// number was too expensive to count.
    #[must_use]
    pub const fn finite(self) -> Option<f64> {
        match self {
            Self::Finite(count) => Some(count),
            Self::Infinite | Self::Unknown => None,
        }
    }

    /// Returns the mean of `counts`: `Unknown` if any count is unknown, otherwise `Infinite` if any is infinite; 0 if the
    /// slice is empty.
    pub(crate) fn mean(counts: &[Self]) -> Self {
        if counts.contains(&Self::Unknown) {
            return Self::Unknown;
        }
        let finite: Option<Vec<f64>> = counts.iter().map(|count| count.finite()).collect();
        finite.map_or(Self::Infinite, |all| {
            Self::Finite(all.iter().fold(0.0, |sum, count| sum + count) / all.len().max(1) as f64)
        })
    }
}

/// Writes the number in full below 10^15 and in scientific notation from there on; `∞` if infinite, `–` if unknown.
impl fmt::Display for ActionCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (*self, f.precision()) {
            (Self::Finite(count), _) if count >= 1e15 => write!(f, "{count:.2e}"),
            (Self::Finite(count), Some(digits)) => write!(f, "{count:.digits$}"),
            (Self::Finite(count), None) => write!(f, "{count}"),
            (Self::Infinite, _) => f.write_str("∞"),
            (Self::Unknown, _) => f.write_str("–"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_means_and_texts() {
        use ActionCount::{Finite, Infinite, Unknown};
        for (counts, mean, text) in [
            (&[][..], Finite(0.0), "0"),
            (&[Finite(2.0), Finite(5.0)], Finite(3.5), "3.5"),
            (&[Finite(2.0), Infinite], Infinite, "∞"),
            (&[Infinite, Unknown, Finite(1.0)], Unknown, "–"),
            (&[Finite(2_f64.powi(60))], Finite(2_f64.powi(60)), "1.15e18"),
        ] {
            assert_eq!(ActionCount::mean(counts), mean);
            assert_eq!(mean.to_string(), text);
        }
        assert_eq!(format!("{:.2}", Finite(5.0)), "5.00");
    }
}
