//! Exact distributions over the alternatives of a draw.

use herbrand_pddl::Probability;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

/// The probabilities of the alternatives of a draw, such as one `probabilistic` effect. The rest up to 1 is the
/// probability that nothing happens. [`of`](Self::of) creates one; [`BlockDraw::distribution`](crate::BlockDraw::distribution) is
/// that of a draw of a task.
///
/// Sums, remainders and comparisons are computed with the exact fractions of the text. Only [`draw`](Self::draw) and
/// the returned `f64` values are rounded: a draw uses 64 random bits, so each alternative has its exact probability up
/// to 2^-64. If the sum of the probabilities exceeds 1, they are divided by it.
///
/// ```
/// use herbrand_ground::Distribution;
/// use herbrand_pddl::Probability;
///
/// let third = Probability::new(1, 3).expect("a probability");
/// let thirds = Distribution::of([third, third]);
/// assert_eq!((thirds.share(0), thirds.rest()), (1.0 / 3.0, 1.0 / 3.0));
/// assert_eq!(thirds.most_likely(), Some(0), "the first of equals");
/// assert_eq!(thirds.draw(u64::MAX), None, "no change");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Distribution {
    written: Box<[Probability]>,
    /// The probability of each alternative.
    shares: Box<[f64]>,
    /// The probability that nothing happens.
    rest: f64,
    /// For each alternative, the end of its interval of random words, which begins at the end of the one before.
    ends: Box<[u64]>,
    /// The result for words after the last interval: the last possible alternative if the probabilities sum to 1, otherwise
    /// `None`.
    last: Option<usize>,
    most_likely: Option<usize>,
    /// The sum of the probabilities in the text.
    sum: f64,
}

/// The amount by which a sum of probabilities may exceed 1. The PDDL checker is stricter.
const EXCESS: f64 = 1e-8;

impl Distribution {
    /// Creates the distribution of alternatives with these probabilities, in order. Without alternatives, nothing ever
    /// happens.
    #[must_use]
    pub fn of(probabilities: impl IntoIterator<Item = Probability>) -> Self {
        let written: Box<[Probability]> = probabilities.into_iter().collect();
        let exact: Vec<_> = written.iter().copied().map(exact).collect();
        let sum: BigRational = exact.iter().sum();
        let whole = sum.clone().max(BigRational::one());
        let shares: Vec<_> = exact.into_iter().map(|share| share / &whole).collect();
        let rest = BigRational::one() - &sum / &whole;
        let mut reached = BigRational::zero();
        let ends = shares.iter().map(|share| {
            reached += share;
            first_word(&reached)
        });
        Self {
            ends: ends.collect(),
            last: shares
                .iter()
                .rposition(|share| !share.is_zero())
                .filter(|_| rest.is_zero()),
            most_likely: most_likely(&shares, &rest),
            shares: shares.iter().map(nearest).collect(),
            rest: nearest(&rest),
            sum: nearest(&sum),
            written,
        }
    }

    /// Returns the number of alternatives, without the case that nothing happens.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shares.len()
    }

    /// Returns whether there is no alternative. Then nothing ever happens.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shares.is_empty()
    }

    /// Returns the probabilities as they are in the text, before any division by their sum.
    #[must_use]
    pub fn written(&self) -> &[Probability] {
        &self.written
    }

    /// Returns the probability of the alternative with this index, from 0 to 1. It is the written probability, divided by
    /// the sum of all if that exceeds 1.
    ///
    /// # Panics
    /// If there is no such alternative.
    #[must_use]
    pub fn share(&self, alternative: usize) -> f64 {
        self.shares[alternative]
    }

    /// Returns the probability that nothing happens. It is above 0 exactly if the alternatives sum to less than 1.
    #[must_use]
    pub fn rest(&self) -> f64 {
        self.rest
    }

    /// Returns the probability of an alternative, or for `None` the probability that nothing happens. Panics if there
    /// is no such alternative.
    #[must_use]
    pub fn probability(&self, drawn: Option<usize>) -> f64 {
        drawn.map_or(self.rest, |alternative| self.shares[alternative])
    }

    /// Returns the index of the alternative that a random word selects; `None` if nothing happens. The word must be
    /// uniformly distributed over all `u64`.
    #[inline]
    #[must_use]
    pub fn draw(&self, word: u64) -> Option<usize> {
        self.ends.iter().position(|&end| word < end).or(self.last)
    }

    /// Returns for each alternative the end of its interval of random words: [`draw`](Self::draw) returns the first alternative
    /// whose end exceeds the word. A word beyond the last end draws what [`draw`](Self::draw) returns for `u64::MAX`.
    #[must_use]
    pub fn ends(&self) -> &[u64] {
        &self.ends
    }

    /// Returns the index of the most likely alternative, the first one among equals; `None` if nothing happening is
    /// likelier.
    #[must_use]
    pub fn most_likely(&self) -> Option<usize> {
        self.most_likely
    }

    /// Returns the sum of the probabilities in the text, which may exceed 1.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.sum
    }

    /// Returns whether the sum of the probabilities is at most 1, up to rounding.
    /// [`GroundTask::check`](crate::GroundTask::check) requires it of every draw.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.sum <= 1.0 + EXCESS
    }
}

fn exact(probability: Probability) -> BigRational {
    BigRational::new_raw(probability.numerator().into(), probability.denominator().into())
}

/// Returns the nearest floating-point number to a number from 0 to 1.
fn nearest(value: &BigRational) -> f64 {
    value.to_f64().unwrap_or(0.0)
}

/// Returns the number of 64-bit words in this share of all 2^64 words; `u64::MAX` if the share is 1.
fn first_word(share: &BigRational) -> u64 {
    let words = share * BigRational::from_integer(BigInt::one() << 64);
    words.round().to_integer().to_u64().unwrap_or(u64::MAX)
}

fn most_likely(shares: &[BigRational], rest: &BigRational) -> Option<usize> {
    let mut best = (rest, None);
    for (alternative, share) in shares.iter().enumerate().rev() {
        if share >= best.0 {
            best = (share, Some(alternative));
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[(u64, u64)]) -> Distribution {
        let probability = |&(p, q): &(u64, u64)| Probability::new(p, q).expect("a probability");
        Distribution::of(rows.iter().map(probability))
    }

    #[test]
    fn what_is_left_of_one_is_kept_however_small() {
        let nearly = of(&[(9_999_999_999, 10_000_000_000)]);
        assert_eq!((nearly.share(0), nearly.rest()), (0.999_999_999_9, 1e-10));
        assert_eq!(nearly.draw(u64::MAX), None);
        assert_eq!(nearly.draw(0), Some(0));
        // 2^64 · 1e-10 words select no change.
        let end = u64::MAX - 1_844_674_407;
        assert_eq!((nearly.draw(end - 2), nearly.draw(end + 2)), (Some(0), None));
    }

    #[test]
    fn a_sum_of_one_leaves_nothing() {
        for rows in [
            &[(1, 3), (2, 3)][..],
            &[(1, 3), (1, 3), (1, 3)],
            &[(1, 10); 10],
            &[(1, 1)],
            &[(1, 7), (2, 11), (52, 77), (0, 1)],
        ] {
            let whole = of(rows);
            assert_eq!((whole.rest(), whole.sum()), (0.0, 1.0), "{rows:?}");
            let last = rows.iter().rposition(|&(p, _)| p > 0);
            assert_eq!(whole.draw(u64::MAX), last, "{rows:?}");
        }
    }

    #[test]
    fn a_sum_above_one_is_divided_by() {
        let above = of(&[(5_000_000_000, 10_000_000_000), (5_000_000_009, 10_000_000_000)]);
        assert!(above.is_sound() && above.rest() == 0.0);
        assert_eq!(above.share(0), 5_000_000_000.0 / 10_000_000_009.0);
        assert!(!of(&[(3, 4), (1, 2)]).is_sound());
    }

    #[test]
    fn the_first_of_equals_is_the_most_likely_and_no_change_the_last() {
        type Row<'a> = (&'a [(u64, u64)], Option<usize>);
        let rows: [Row<'_>; 7] = [
            (&[(1, 3), (1, 3)], Some(0)),
            (&[(1, 10), (2, 10), (2, 10)], None),
            (&[(1, 2)], Some(0)),
            (&[(49, 100)], None),
            (&[(1, 3), (333_333_333_333, 1_000_000_000_000)], None),
            (&[(333_333_333_333, 1_000_000_000_000), (1, 3), (1, 3)], Some(1)),
            (&[], None),
        ];
        for (row, expected) in rows {
            assert_eq!(of(row).most_likely(), expected, "{row:?}");
        }
    }

    #[test]
    fn what_is_impossible_is_never_drawn() {
        let some = of(&[(0, 1), (1, 2), (0, 1), (1, 2), (0, 1)]);
        for word in [0, 1, u64::MAX / 2, u64::MAX / 2 + 2, u64::MAX - 1, u64::MAX] {
            assert!(matches!(some.draw(word), Some(1 | 3)), "{word}");
        }
    }
}
