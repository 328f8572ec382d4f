//! Totals over the episodes of a rollout.

use super::ends::EndCounts;
use super::sum::Sum;

/// Totals over episodes, independent of the order in which episodes are added.
#[derive(Clone, Default)]
pub(super) struct Totals {
    pub(super) episodes: u64,
    pub(super) steps: u64,
    /// The number of states in which the policy was asked for an action, and the number of valid actions in them.
    pub(super) states: u64,
    pub(super) valid: u64,
    pub(super) goals: u64,
    pub(super) dead_ends: u64,
    pub(super) violating_steps: u64,
    pub(super) ends: EndCounts,
    /// The number of episodes whose returns are added.
    pub(super) counted: u64,
    /// The number of episodes with an infinite or NaN return, and the smallest of their indexes.
    pub(super) non_finite: u64,
    pub(super) first_non_finite: Option<u64>,
    pub(super) returns: Sum,
    pub(super) squares: Sum,
    pub(super) discounted: Sum,
    pub(super) digest: u64,
}

impl Totals {
    /// Adds the return and the discounted return of episode `index`. If not `is_counted`, only looks whether they are
    /// finite.
    pub(super) fn add_return(&mut self, index: u64, (reward, discounted): (f64, f64), is_counted: bool) {
        if is_counted {
            self.counted += 1;
            self.returns.add(reward);
            self.squares.add(reward * reward);
            self.discounted.add(discounted);
        }
        if !(reward.is_finite() && discounted.is_finite()) {
            self.non_finite += 1;
            self.first_non_finite = least(self.first_non_finite, Some(index));
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.episodes += other.episodes;
        self.steps += other.steps;
        self.states += other.states;
        self.valid += other.valid;
        self.goals += other.goals;
        self.dead_ends += other.dead_ends;
        self.violating_steps += other.violating_steps;
        self.ends.add(&other.ends);
        self.counted += other.counted;
        self.non_finite += other.non_finite;
        self.first_non_finite = least(self.first_non_finite, other.first_non_finite);
        self.returns.merge(&other.returns);
        self.squares.merge(&other.squares);
        self.discounted.merge(&other.discounted);
        self.digest = self.digest.wrapping_add(other.digest);
    }

    pub(super) fn mean_return(&self) -> f64 {
        self.returns.mean(self.counted)
    }

    pub(super) fn mean_discounted_return(&self) -> f64 {
        self.discounted.mean(self.counted)
    }

    /// Returns the sample standard deviation of the returns. NaN if a return is infinite or NaN; infinite if a square
    /// overflows.
    pub(super) fn return_deviation(&self) -> f64 {
        let mean = self.mean_return();
        if !mean.is_finite() {
            return f64::NAN;
        }
        if self.counted < 2 {
            return 0.0;
        }
        let squares = self.squares.mean(self.counted);
        if squares.is_infinite() {
            return f64::INFINITY;
        }
        let variance = squares - mean * mean;
        let unbiased = self.counted as f64 / (self.counted - 1) as f64;
        (variance * unbiased).max(0.0).sqrt()
    }
}

fn least(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.into_iter().chain(other).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(returns: &[f64]) -> Totals {
        let mut totals = Totals::default();
        for (index, &value) in (0..).zip(returns) {
            totals.add_return(index, (value, value), true);
        }
        totals
    }

    #[test]
    fn means_and_deviations_are_those_of_the_sample() {
        let totals = of(&[1.0, -2.5, 4.0, 0.125]);
        assert_eq!(totals.mean_return(), 0.65625);
        assert!((totals.return_deviation() - 2.679_736_849_642_766).abs() < 1e-9);
        assert_eq!(of(&[3.0]).return_deviation(), 0.0);
        assert_eq!((totals.non_finite, totals.first_non_finite), (0, None));
        let large = of(&[1e150, 3e150]);
        assert!((large.return_deviation() / 2_f64.sqrt() - 1e150).abs() < 1e140);
    }

    #[test]
    fn returns_that_are_not_finite_are_counted() {
        let (one, two) = (of(&[1.0, f64::NEG_INFINITY, 2.0]), of(&[0.0; 2]));
        assert_eq!(one.mean_return(), f64::NEG_INFINITY);
        assert!(one.return_deviation().is_nan());
        assert_eq!((one.non_finite, one.first_non_finite), (1, Some(1)));
        let mut both = two;
        both.add(&one);
        assert_eq!((both.non_finite, both.first_non_finite), (1, Some(1)));
        assert!(of(&[f64::NAN]).return_deviation().is_nan());
        // The first one is that with the least number, in whatever order episodes end and totals are added.
        let ended = |episodes: &[u64]| {
            let mut totals = Totals::default();
            let mut end = |&episode| totals.add_return(episode, (f64::NAN, 0.0), true);
            episodes.iter().for_each(&mut end);
            totals
        };
        assert_eq!(ended(&[5, 2, 9]).first_non_finite, Some(2));
        for (mine, others) in [([5, 7], [2, 8]), ([2, 8], [5, 7])] {
            let mut totals = ended(&mine);
            totals.add(&ended(&others));
            assert_eq!((totals.non_finite, totals.first_non_finite), (4, Some(2)));
        }
        // A discounted return counts too.
        let mut totals = Totals::default();
        totals.add_return(3, (1.0, f64::INFINITY), true);
        assert_eq!((totals.non_finite, totals.first_non_finite), (1, Some(3)));
        // So does one that is left out of the means.
        totals = of(&[1.0, 3.0]);
        totals.add_return(7, (f64::NAN, f64::NAN), false);
        assert_eq!((totals.non_finite, totals.counted), (1, 2));
        assert_eq!(
            (totals.mean_return(), totals.return_deviation()),
            (2.0, 2_f64.sqrt())
        );
        // Each return is finite but its square is not.
        assert!(of(&[1e200, -1e200]).return_deviation().is_infinite());
    }
}
