//! The Adam optimiser.

/// The Adam optimiser (Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015), used for gradient ascent. Each
/// parameter moves by about the learning rate, whatever the scale of its gradient. [`new`](Self::new) creates one,
/// [`ascend`](Self::ascend) changes the caller's parameters by one step.
#[derive(Clone, Debug)]
pub struct Adam {
    rate: f64,
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
}

const MEAN_DECAY: f64 = 0.9;
const SQUARE_DECAY: f64 = 0.999;
const LEAST: f64 = 1e-8;

impl Adam {
    /// Creates an optimiser for `count` parameters with learning rate `rate`, with moments of zero. The caller keeps the
    /// parameters and passes them to [`ascend`](Self::ascend).
    #[must_use]
    pub fn new(count: usize, rate: f64) -> Self {
        Self {
            rate,
            mean: vec![0.0; count],
            square: vec![0.0; count],
            steps: 0,
        }
    }

    /// Takes one ascent step: moves the parameters in `numbers` along `gradient`, upwards. Both slices have one element
    /// per parameter. A gradient that is infinite or NaN counts as 0. If the lengths differ, elements beyond the
    /// shortest of them and the `count` of [`new`](Self::new) are ignored.
    pub fn ascend(&mut self, numbers: &mut [f64], gradient: &[f64]) {
        self.ascend_each(numbers, gradient, &[1.0]);
    }

    /// Like [`ascend`](Self::ascend), but multiplies the learning rate of each parameter by a factor. `parts` holds the
    /// factors; if it is shorter than `numbers`, it is repeated cyclically. If it is empty, no parameter moves.
    pub fn ascend_each(&mut self, numbers: &mut [f64], gradient: &[f64], parts: &[f64]) {
        self.steps = self.steps.saturating_add(1);
        let mean_part = 1.0 - MEAN_DECAY.powi(self.steps);
        let square_part = 1.0 - SQUARE_DECAY.powi(self.steps);
        let moments = self.mean.iter_mut().zip(&mut self.square);
        let numbers = numbers.iter_mut().zip(parts.iter().cycle());
        for (((number, part), &gradient), (mean, square)) in numbers.zip(gradient).zip(moments) {
            let gradient = if gradient.is_finite() { gradient } else { 0.0 };
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * gradient;
            *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * gradient * gradient;
            let deviation = (*square / square_part).sqrt() + LEAST;
            *number += part * self.rate * (*mean / mean_part) / deviation;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_is_climbed() {
        let mut numbers = [5.0, -3.0];
        let mut adam = Adam::new(2, 0.1);
        for _ in 0..2000 {
            let gradient = [-2.0 * (numbers[0] - 1.0), -200.0 * (numbers[1] - 2.0)];
            adam.ascend(&mut numbers, &gradient);
        }
        assert!(
            (numbers[0] - 1.0).abs() < 1e-3 && (numbers[1] - 2.0).abs() < 1e-3,
            "{numbers:?}"
        );
        let before = numbers;
        Adam::new(2, 0.1).ascend(&mut numbers, &[f64::NAN, 0.0]);
        assert_eq!(numbers, before);
    }
}
