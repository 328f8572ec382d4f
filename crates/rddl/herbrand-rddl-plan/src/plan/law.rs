//! Sampling distributions of plan entries.

use herbrand_core::{ActionField, FieldDomain, FieldValue};
use herbrand_distributions::normal_quantile;

/// The sampling distribution of one action field in one step of a plan.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum PlanDistribution {
    /// Over the alternatives of a discrete field.
    Discrete {
        /// The probabilities of the alternatives; they sum to 1.
        weights: Vec<f64>,
        default: f64,
    },
    /// Over numbers: normal, truncated to the bounds.
    Number {
        mean: f64,
        deviation: f64,
        /// The initial standard deviation.
        widest: f64,
        low: f64,
        high: f64,
        /// Whether the field takes ints.
        whole: bool,
        default: f64,
    },
}

/// The weight of the old parameters in an update.
const INERTIA: f64 = 0.3;

/// The minimum probability of all alternatives together. Each alternative keeps an equal part of it.
const LEAST: f64 = 0.01;

/// The weight of the initial distribution when a distribution is loosened.
const LOOSENING: f64 = 0.3;

impl PlanDistribution {
    /// Returns the initial distribution of a field. A discrete field is set with probability `often`.
    pub(super) fn initial(field: &ActionField, often: f64) -> Self {
        let number = |value: FieldValue| match value {
            FieldValue::Discrete(value) => f64::from(value),
            FieldValue::Int(value) => value as f64,
            FieldValue::Real(value) => value,
        };
        let default = field.default.map_or(0.0, number);
        match field.domain {
            FieldDomain::Discrete { count } => {
                let others = f64::from(count.saturating_sub(1)).max(1.0);
                let mut weights = vec![often / others; count as usize];
                match weights.get_mut(default as usize) {
                    Some(weight) if count > 1 => *weight = 1.0 - often,
                    Some(weight) => *weight = 1.0,
                    None => {}
                }
                Self::Discrete { weights, default }
            }
            FieldDomain::Int { low, high } => {
                let bound = |bound: i64, none: i64, infinity: f64| {
                    if bound == none { infinity } else { bound as f64 }
                };
                let (low, high) = (
                    bound(low, i64::MIN, f64::NEG_INFINITY),
                    bound(high, i64::MAX, f64::INFINITY),
                );
                Self::number(low, high, default, true)
            }
            FieldDomain::Real { low, high } => Self::number(low, high, default, false),
        }
    }

    fn number(low: f64, high: f64, default: f64, whole: bool) -> Self {
        let (mean, deviation) = match (low.is_finite(), high.is_finite()) {
            // Half of the range on each side of the centre.
            (true, true) => (0.5 * low + 0.5 * high, 0.5 * high - 0.5 * low),
            (true, false) => (low + 1.0, 1.0),
            (false, true) => (high - 1.0, 1.0),
            (false, false) => (default, 1.0),
        };
        Self::Number {
            mean,
            deviation,
            widest: deviation,
            low,
            high,
            whole,
            default,
        }
    }

    pub(super) const fn default(&self) -> f64 {
        match self {
            Self::Discrete { default, .. } | Self::Number { default, .. } => *default,
        }
    }

    /// Returns the value at a quantile. With `u` uniform in (0, 1) this is a sample.
    pub(super) fn at(&self, u: f64) -> f64 {
        match self {
            Self::Discrete { weights, default } => {
                let mut sum = 0.0;
                let drawn = weights.iter().position(|weight| {
                    sum += weight;
                    u < sum
                });
                drawn.map_or(*default, |place| place as f64)
            }
            Self::Number { mean, deviation, .. } => {
                let inside = u.clamp(1e-16, 1.0 - 1e-16);
                self.within(mean + deviation * normal_quantile(inside))
            }
        }
    }

    /// Returns the mode of the distribution.
    pub(super) fn typical(&self) -> f64 {
        match self {
            Self::Discrete { weights, default } => {
                let first = (*default as usize).min(weights.len().saturating_sub(1));
                let better = |best: usize, one: usize| if weights[one] > weights[best] { one } else { best };
                (0..weights.len()).fold(first, better) as f64
            }
            Self::Number { mean, .. } => self.within(*mean),
        }
    }

    fn within(&self, number: f64) -> f64 {
        match self {
            Self::Number { low, high, whole, .. } => {
                let number = if *whole { number.round() } else { number };
                number.max(*low).min(*high)
            }
            Self::Discrete { .. } => number,
        }
    }

    /// Moves the distribution towards elite values.
    pub(super) fn learn(&mut self, numbers: &[f64]) {
        let count = numbers.len() as f64;
        match self {
            Self::Discrete { weights, .. } => {
                let alternatives = weights.len() as f64;
                for (place, weight) in weights.iter_mut().enumerate() {
                    let often =
                        numbers.iter().filter(|&&number| number == place as f64).count() as f64 / count;
                    let often = often * (1.0 - LEAST) + LEAST / alternatives;
                    *weight = INERTIA * *weight + (1.0 - INERTIA) * often;
                }
            }
            Self::Number { mean, deviation, .. } => {
                let centre = numbers.iter().sum::<f64>() / count;
                let squares: f64 = numbers.iter().map(|number| (number - centre).powi(2)).sum();
                *mean = INERTIA * *mean + (1.0 - INERTIA) * centre;
                *deviation = INERTIA * *deviation + (1.0 - INERTIA) * (squares / count).sqrt();
            }
        }
    }

    /// Restarts around a value. `width` is the fraction of the initial spread.
    pub(super) fn centre(&mut self, value: f64, width: f64) {
        match self {
            Self::Discrete { weights, .. } => {
                let even = width / weights.len().max(1) as f64;
                for (place, weight) in weights.iter_mut().enumerate() {
                    *weight = if place as f64 == value { 1.0 - width } else { 0.0 } + even;
                }
            }
            Self::Number {
                mean,
                deviation,
                widest,
                ..
            } => (*mean, *deviation) = (value, width * *widest),
        }
    }

    /// Widens the distribution.
    pub(super) fn loosen(&mut self) {
        match self {
            Self::Discrete { weights, .. } => {
                let even = 1.0 / weights.len().max(1) as f64;
                for weight in weights {
                    *weight = (1.0 - LOOSENING) * *weight + LOOSENING * even;
                }
            }
            Self::Number {
                deviation, widest, ..
            } => *deviation = deviation.max(LOOSENING * *widest),
        }
    }
}

#[cfg(test)]
mod tests {
    use herbrand_core::{Random, uniform_unit};

    use super::*;

    fn field(domain: FieldDomain, default: FieldValue) -> ActionField {
        ActionField {
            name: "x".to_owned(),
            domain,
            default: Some(default),
        }
    }

    fn mean(law: &PlanDistribution) -> f64 {
        let mut random = Random::new(3);
        (0..4000).map(|_| law.at(uniform_unit(&mut random))).sum::<f64>() / 4000.0
    }

    #[test]
    fn laws_begin_where_nothing_is_known() {
        let coin = PlanDistribution::initial(
            &field(FieldDomain::Discrete { count: 2 }, FieldValue::Discrete(1)),
            0.25,
        );
        assert!((mean(&coin) - 0.75).abs() < 0.03);
        let only = PlanDistribution::initial(
            &field(FieldDomain::Discrete { count: 1 }, FieldValue::Discrete(0)),
            0.5,
        );
        assert_eq!(mean(&only), 0.0);
        let force = PlanDistribution::initial(
            &field(FieldDomain::Real { low: -2.0, high: 6.0 }, FieldValue::Real(0.0)),
            0.5,
        );
        assert!((mean(&force) - 2.0).abs() < 0.2);
        let mut random = Random::new(5);
        assert!((0..1000).all(|_| (-2.0..=6.0).contains(&force.at(uniform_unit(&mut random)))));
        let count = PlanDistribution::initial(
            &field(
                FieldDomain::Int {
                    low: 0,
                    high: i64::MAX,
                },
                FieldValue::Int(0),
            ),
            0.5,
        );
        assert!(
            (0..1000)
                .map(|_| count.at(uniform_unit(&mut random)))
                .all(|drawn| drawn >= 0.0 && drawn.fract() == 0.0)
        );
    }

    #[test]
    fn laws_begin_again_around_a_value() {
        let mut law = PlanDistribution::initial(
            &field(FieldDomain::Discrete { count: 4 }, FieldValue::Discrete(0)),
            0.5,
        );
        law.centre(2.0, 0.2);
        let PlanDistribution::Discrete { weights, .. } = &law else {
            unreachable!()
        };
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{weights:?}");
        assert!((weights[2] - 0.85).abs() < 1e-12 && law.typical() == 2.0);
        let domain = FieldDomain::Real { low: -2.0, high: 6.0 };
        let mut law = PlanDistribution::initial(&field(domain, FieldValue::Real(0.0)), 0.5);
        law.centre(5.0, 0.01);
        assert!((mean(&law) - 5.0).abs() < 0.01);
    }

    #[test]
    fn laws_come_to_what_is_shown() {
        let mut law = PlanDistribution::initial(
            &field(FieldDomain::Discrete { count: 3 }, FieldValue::Discrete(0)),
            0.5,
        );
        (0..20).for_each(|_| law.learn(&[2.0, 2.0, 1.0]));
        assert_eq!(law.typical(), 2.0);
        let PlanDistribution::Discrete { weights, .. } = &law else {
            unreachable!()
        };
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{weights:?}");
        assert!(
            (weights[1] - 0.333).abs() < 0.01 && weights[0] > 0.0,
            "{weights:?}"
        );
        let mut law = PlanDistribution::initial(
            &field(FieldDomain::Real { low: -2.0, high: 6.0 }, FieldValue::Real(0.0)),
            0.5,
        );
        (0..20).for_each(|_| law.learn(&[5.0, 5.5, 6.0]));
        assert!((law.typical() - 5.5).abs() < 1e-6);
    }
}
