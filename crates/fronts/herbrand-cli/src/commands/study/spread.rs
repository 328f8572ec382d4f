//! Means and spreads.

use serde::Serialize;

/// The mean and the spread of several measurements of one quantity, such as the times of runs with different seeds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Spread {
    pub count: usize,
    pub mean: f64,
    /// The standard deviation of the sample; 0 for a single measurement.
    pub deviation: f64,
    pub least: f64,
    pub most: f64,
}

impl Spread {
    /// Computes the mean, minimum, maximum and standard deviation of `values`; `None` if `values` is empty.
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len();
        let least = values.iter().copied().min_by(f64::total_cmp)?;
        let most = values.iter().copied().max_by(f64::total_cmp)?;
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (squares / (count - 1).max(1) as f64).sqrt();
        Some(Self {
            count,
            mean,
            deviation,
            least,
            most,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_that_of_the_sample() {
        assert_eq!(Spread::of(&[]), None);
        let one = Spread::of(&[3.0]).map(|spread| (spread.mean, spread.deviation));
        assert_eq!(one, Some((3.0, 0.0)));
        let some = Spread::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).expect("values");
        assert_eq!((some.count, some.mean, some.least, some.most), (8, 5.0, 2.0, 9.0));
        assert!((some.deviation - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
    }
}
