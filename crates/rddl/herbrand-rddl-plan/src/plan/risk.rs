//! Objectives that weigh the risk of a plan.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The objective of a planner: the number that is maximised, computed from the discounted returns of a plan in several
/// random scenarios. The options of the planners have one, such as [`PlanOptions::risk`](super::PlanOptions::risk); the
/// default is [`Neutral`](Self::Neutral).
///
/// Except for [`Neutral`](Self::Neutral), each objective prefers, of two plans with equal means, the one whose returns vary
/// less. An objective needs as many scenarios as its estimate takes: the worst tenth of four returns is a single return.
///
/// `Display` writes, and `FromStr` reads, `mean`, `entropic:B` and `mean-variance:B` with the aversion `B`, and
/// `cvar:F` with the fraction `F`. Only `FromStr` checks that the number is in its range.
///
/// ```
/// use herbrand_rddl_plan::plan::Risk;
///
/// let returns = [1.0, 2.0, 3.0, 10.0];
/// assert_eq!(Risk::Neutral.utility(&returns), 4.0);
/// assert_eq!(Risk::ConditionalValueAtRisk { fraction: 0.5 }.utility(&returns), 1.5);
/// assert_eq!("cvar:0.5".parse(), Ok(Risk::ConditionalValueAtRisk { fraction: 0.5 }));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub enum Risk {
    /// The mean of the returns.
    #[default]
    Neutral,
    /// The entropic utility −ln(mean(exp(−β R))) / β of the returns R, for the aversion β > 0. As β goes to 0 it goes to
    /// the mean, and as β grows, to the worst return.
    Entropic {
        /// The aversion β, in 1 per unit of the return.
        aversion: f64,
    },
    /// The mean of the returns minus β/2 times their variance, for the aversion β > 0.
    MeanVariance {
        /// The aversion β, in 1 per unit of the return.
        aversion: f64,
    },
    /// The conditional value at risk: the mean of the worst returns, which are this fraction of all.
    ConditionalValueAtRisk {
        /// The fraction, greater than 0 and at most 1. With 1 it is the mean.
        fraction: f64,
    },
}

/// The error of `FromStr` for [`Risk`]: the text has none of the forms, or its number is out of range. The message
/// quotes the text and lists the forms.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "`{0}` is not an objective: write mean, entropic:B or mean-variance:B with an aversion B > 0, or cvar:F with a fraction \
     0 < F <= 1"
)]
pub struct UnknownRisk(String);

impl Risk {
    /// Returns the utility of returns, one per scenario; larger is better. NaN if `returns` is empty or has a NaN.
    #[must_use]
    pub fn utility(&self, returns: &[f64]) -> f64 {
        let count = returns.len() as f64;
        let mean = returns.iter().sum::<f64>() / count;
        if mean.is_nan() {
            return f64::NAN;
        }
        match *self {
            Self::Neutral => mean,
            Self::Entropic { aversion } => {
                let least = returns.iter().copied().fold(f64::INFINITY, f64::min);
                if least.is_infinite() {
                    return least;
                }
                let sum: f64 = (returns.iter())
                    .map(|one| libm::exp(-aversion * (one - least)))
                    .sum();
                least - libm::log(sum / count) / aversion
            }
            Self::MeanVariance { aversion } => {
                let squares: f64 = returns.iter().map(|one| (one - mean).powi(2)).sum();
                mean - 0.5 * aversion * squares / count
            }
            Self::ConditionalValueAtRisk { .. } => {
                let mut weights = vec![0.0; returns.len()];
                self.weights(returns, &mut weights);
                // A return without weight may be infinite.
                let weighted = returns.iter().zip(&weights).filter(|(_, weight)| **weight > 0.0);
                weighted.map(|(one, weight)| one * weight).sum()
            }
        }
    }

    /// Writes the derivative of the [`utility`](Self::utility) by each return into `weights`, which must have the
    /// length of `returns`; a shorter one can cause a panic. If a return is not finite, the weights are those of the
    /// mean, except for [`ConditionalValueAtRisk`](Self::ConditionalValueAtRisk).
    pub fn weights(&self, returns: &[f64], weights: &mut [f64]) {
        let count = returns.len() as f64;
        weights.fill(1.0 / count);
        if !returns.iter().all(|one| one.is_finite()) && !matches!(self, Self::ConditionalValueAtRisk { .. })
        {
            return;
        }
        match *self {
            Self::Neutral => {}
            Self::Entropic { aversion } => {
                let least = returns.iter().copied().fold(f64::INFINITY, f64::min);
                let mut sum = 0.0;
                for (weight, one) in weights.iter_mut().zip(returns) {
                    *weight = libm::exp(-aversion * (one - least));
                    sum += *weight;
                }
                weights.iter_mut().for_each(|weight| *weight /= sum);
            }
            Self::MeanVariance { aversion } => {
                let mean = returns.iter().sum::<f64>() / count;
                for (weight, one) in weights.iter_mut().zip(returns) {
                    *weight = (1.0 - aversion * (one - mean)) / count;
                }
            }
            Self::ConditionalValueAtRisk { fraction } => {
                let mut order: Vec<usize> = (0..returns.len()).collect();
                order.sort_by(|&one, &other| returns[one].total_cmp(&returns[other]));
                // The number of returns that count. The last of them may count in part.
                let mut left = (fraction * count).max(f64::MIN_POSITIVE);
                let total = left;
                for at in order {
                    let part = left.clamp(0.0, 1.0);
                    weights[at] = part / total;
                    left -= part;
                }
            }
        }
    }
}

impl fmt::Display for Risk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Neutral => f.write_str("mean"),
            Self::Entropic { aversion } => write!(f, "entropic:{aversion}"),
            Self::MeanVariance { aversion } => write!(f, "mean-variance:{aversion}"),
            Self::ConditionalValueAtRisk { fraction } => write!(f, "cvar:{fraction}"),
        }
    }
}

impl FromStr for Risk {
    type Err = UnknownRisk;

    fn from_str(text: &str) -> Result<Self, UnknownRisk> {
        let unknown = || UnknownRisk(text.to_owned());
        let Some((name, number)) = text.split_once(':') else {
            return if text == "mean" {
                Ok(Self::Neutral)
            } else {
                Err(unknown())
            };
        };
        let number: f64 = number.parse().map_err(|_| unknown())?;
        let is_aversion = number > 0.0 && number.is_finite();
        match name {
            "entropic" if is_aversion => Ok(Self::Entropic { aversion: number }),
            "mean-variance" if is_aversion => Ok(Self::MeanVariance { aversion: number }),
            "cvar" if number > 0.0 && number <= 1.0 => Ok(Self::ConditionalValueAtRisk { fraction: number }),
            _ => Err(unknown()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Risk; 5] = [
        Risk::Neutral,
        Risk::Entropic { aversion: 0.3 },
        Risk::MeanVariance { aversion: 0.2 },
        Risk::ConditionalValueAtRisk { fraction: 0.3 },
        Risk::ConditionalValueAtRisk { fraction: 1.0 },
    ];

    proptest! {
        #[test]
        fn weights_are_the_derivatives_of_the_utility(returns in prop::collection::vec(-10.0..10.0, 1..12)) {
            for risk in ALL {
                let mut weights = vec![f64::NAN; returns.len()];
                risk.weights(&returns, &mut weights);
                for at in 0..returns.len() {
                    let near = |step: f64| {
                        let mut changed = returns.clone();
                        changed[at] += step;
                        risk.utility(&changed)
                    };
                    let h = 1e-6;
                    let slope = (near(h) - near(-h)) / (2.0 * h);
                    let gap = returns.iter().enumerate().filter(|(other, _)| *other != at);
                    let is_smooth = gap.map(|(_, one)| (one - returns[at]).abs()).all(|gap| gap > 2.0 * h);
                    prop_assert!(!is_smooth || (slope - weights[at]).abs() < 1e-6, "{risk}: {slope}, {weights:?}");
                }
            }
        }

        #[test]
        fn the_utility_is_between_the_worst_return_and_the_mean(returns in prop::collection::vec(-10.0..10.0, 1..12)) {
            let worst = returns.iter().copied().fold(f64::INFINITY, f64::min);
            let mean = Risk::Neutral.utility(&returns);
            for risk in ALL {
                let utility = risk.utility(&returns);
                prop_assert!(utility <= mean + 1e-9, "{risk}: {utility} > {mean}");
                let is_bounded = !matches!(risk, Risk::MeanVariance { .. });
                prop_assert!(!is_bounded || utility >= worst - 1e-9, "{risk}: {utility} < {worst}");
            }
        }
    }

    #[test]
    fn texts_name_objectives() {
        for risk in ALL {
            assert_eq!(risk.to_string().parse(), Ok(risk));
        }
        for text in [
            "",
            "median",
            "entropic",
            "entropic:0",
            "entropic:-1",
            "cvar:2",
            "cvar:nan",
            "mean:1",
            "entropic:inf",
        ] {
            let error = text.parse::<Risk>().unwrap_err();
            assert!(error.to_string().contains("cvar:F"), "{error}");
        }
    }

    #[test]
    fn values_that_are_not_finite_have_a_utility() {
        for risk in ALL {
            assert!(risk.utility(&[1.0, f64::NAN]).is_nan(), "{risk}");
            assert_eq!(
                risk.utility(&[1.0, f64::NEG_INFINITY]).max(-1e300),
                -1e300,
                "{risk}"
            );
        }
        assert_eq!(Risk::Entropic { aversion: 1.0 }.utility(&[5.0, 5.0]), 5.0);
    }
}
