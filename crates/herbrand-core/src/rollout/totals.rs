//! What episodes come to, added up so that the order makes no difference.

/// Sums over episodes; they do not depend on the order of the episodes.
#[derive(Clone, Copy, Default)]
pub(super) struct Totals {
    pub(super) episodes: u64,
    pub(super) steps: u64,
    /// States in which an action was chosen or sought, and how many actions were valid in all of them.
    pub(super) states: u64,
    pub(super) valid: u64,
    pub(super) goals: u64,
    pub(super) dead_ends: u64,
    pub(super) returns: Sum,
    pub(super) squares: Sum,
    pub(super) discounted: Sum,
    pub(super) digest: u64,
}

/// A sum of numbers in units of 2^-40: whole numbers add up to the same in any order.
#[derive(Clone, Copy, Default)]
pub(super) struct Sum(i128);

impl Sum {
    const UNITS: f64 = (1_u64 << 40) as f64;

    pub(super) const fn add(&mut self, value: f64) {
        self.0 = self.0.saturating_add((value * Self::UNITS) as i128);
    }

    fn mean(self, count: u64) -> f64 {
        self.0 as f64 / Self::UNITS / count.max(1) as f64
    }
}

impl Totals {
    pub(super) const fn add(&mut self, other: &Self) {
        self.episodes += other.episodes;
        self.steps += other.steps;
        self.states += other.states;
        self.valid += other.valid;
        self.goals += other.goals;
        self.dead_ends += other.dead_ends;
        self.returns.0 = self.returns.0.saturating_add(other.returns.0);
        self.squares.0 = self.squares.0.saturating_add(other.squares.0);
        self.discounted.0 = self.discounted.0.saturating_add(other.discounted.0);
        self.digest = self.digest.wrapping_add(other.digest);
    }

    pub(super) fn mean_return(&self) -> f64 {
        self.returns.mean(self.episodes)
    }

    pub(super) fn mean_discounted_return(&self) -> f64 {
        self.discounted.mean(self.episodes)
    }

    /// The standard deviation of the returns of this sample.
    pub(super) fn return_deviation(&self) -> f64 {
        if self.episodes < 2 {
            return 0.0;
        }
        let mean = self.mean_return();
        let variance = self.squares.mean(self.episodes) - mean * mean;
        let unbiased = self.episodes as f64 / (self.episodes - 1) as f64;
        (variance * unbiased).max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_deviations_are_those_of_the_sample() {
        let mut totals = Totals::default();
        for value in [1.0, -2.5, 4.0, 0.125] {
            totals.episodes += 1;
            totals.returns.add(value);
            totals.squares.add(value * value);
        }
        assert_eq!(totals.mean_return(), 0.65625);
        assert!((totals.return_deviation() - 2.679_736_849_642_766).abs() < 1e-9);
        let one = Totals {
            episodes: 1,
            ..totals
        };
        assert_eq!(one.return_deviation(), 0.0);
    }
}
