//! Univariate distributions with one or two numeric parameters.

use std::cmp::Ordering;

use crate::beta::{beta_quantile, student_quantile};
use crate::counting::{LARGEST, binomial_quantile, negative_binomial_quantile, poisson_quantile};
use crate::error::{ParameterError, ParameterFault};
use crate::gamma::gamma_quantile;
use crate::normal::normal_quantile;

/// A univariate distribution with numeric parameters, named as in RDDL.
///
/// `Poisson`, `Binomial`, `NegativeBinomial` and `Geometric` draw integers, the others reals. Pass a family to
/// [`Draws::draw`](crate::Draws::draw), or a uniform number to [`quantile`](Self::quantile).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// `Uniform(low, high)`.
    Uniform,
    /// `Normal(mean, variance)`.
    Normal,
    /// `Exponential(scale)`; the scale is the mean.
    Exponential,
    /// `Weibull(shape, scale)`.
    Weibull,
    /// `Gamma(shape, scale)`.
    Gamma,
    /// `Beta(alpha, beta)`.
    Beta,
    /// `ChiSquare(degrees)`.
    ChiSquare,
    /// `Student(degrees)`.
    Student,
    /// `Cauchy(location, scale)`.
    Cauchy,
    /// `Laplace(location, scale)`.
    Laplace,
    /// `Gumbel(location, scale)`, of maxima.
    Gumbel,
    /// `Pareto(shape, scale)` in the form of Lomax: its support begins at 0.
    Pareto,
    /// `Gompertz(shape, rate)`.
    Gompertz,
    /// `Kumaraswamy(a, b)`. Its draws decrease as the uniform number increases.
    Kumaraswamy,
    /// `Poisson(rate)`.
    Poisson,
    /// `Binomial(trials, probability)`.
    Binomial,
    /// `NegativeBinomial(successes, probability)`: the number of failures before the last success.
    NegativeBinomial,
    /// `Geometric(probability)`: the number of trials up to and including the first success, at least 1.
    Geometric,
}

/// A check of one parameter: its name, its condition and the fault if the condition does not hold.
type Check = (&'static str, fn(f64) -> bool, ParameterFault);

const fn positive(name: &'static str) -> Check {
    (name, |x| x > 0.0, ParameterFault::NotPositive)
}

const fn not_negative(name: &'static str) -> Check {
    (name, |x| x >= 0.0, ParameterFault::Negative)
}

const fn count(name: &'static str) -> Check {
    (name, |x| x >= 0.0 && x.trunc() == x, ParameterFault::NotACount)
}

const fn any(name: &'static str) -> Check {
    (name, |_| true, ParameterFault::TooLarge)
}

const fn probability(name: &'static str) -> Check {
    (
        name,
        |x| (0.0..=1.0).contains(&x),
        ParameterFault::NotAProbability,
    )
}

const fn positive_probability(name: &'static str) -> Check {
    (
        name,
        |x| x > 0.0 && x <= 1.0,
        ParameterFault::NotAPositiveProbability,
    )
}

impl Family {
    /// All families, for iteration.
    pub const ALL: [Self; 18] = [
        Self::Uniform,
        Self::Normal,
        Self::Exponential,
        Self::Weibull,
        Self::Gamma,
        Self::Beta,
        Self::ChiSquare,
        Self::Student,
        Self::Cauchy,
        Self::Laplace,
        Self::Gumbel,
        Self::Pareto,
        Self::Gompertz,
        Self::Kumaraswamy,
        Self::Poisson,
        Self::Binomial,
        Self::NegativeBinomial,
        Self::Geometric,
    ];

    /// Returns the name of the family in RDDL.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uniform => "Uniform",
            Self::Normal => "Normal",
            Self::Exponential => "Exponential",
            Self::Weibull => "Weibull",
            Self::Gamma => "Gamma",
            Self::Beta => "Beta",
            Self::ChiSquare => "ChiSquare",
            Self::Student => "Student",
            Self::Cauchy => "Cauchy",
            Self::Laplace => "Laplace",
            Self::Gumbel => "Gumbel",
            Self::Pareto => "Pareto",
            Self::Gompertz => "Gompertz",
            Self::Kumaraswamy => "Kumaraswamy",
            Self::Poisson => "Poisson",
            Self::Binomial => "Binomial",
            Self::NegativeBinomial => "NegativeBinomial",
            Self::Geometric => "Geometric",
        }
    }

    /// Returns `true` if the family draws integers, such as `Poisson`.
    #[must_use]
    pub const fn is_counting(self) -> bool {
        matches!(
            self,
            Self::Poisson | Self::Binomial | Self::NegativeBinomial | Self::Geometric
        )
    }

    /// Returns the number of parameters of the family, 1 or 2.
    #[must_use]
    pub fn arity(self) -> usize {
        self.checks().1.map_or(1, |_| 2)
    }

    #[inline]
    const fn checks(self) -> (Check, Option<Check>) {
        match self {
            Self::Uniform => (any("low"), Some(any("high"))),
            Self::Normal => (any("mean"), Some(not_negative("variance"))),
            Self::Exponential => (positive("scale"), None),
            Self::Weibull | Self::Gamma | Self::Pareto => (positive("shape"), Some(positive("scale"))),
            Self::Beta => (positive("alpha"), Some(positive("beta"))),
            Self::ChiSquare | Self::Student => (positive("degrees"), None),
            Self::Cauchy | Self::Laplace | Self::Gumbel => (any("location"), Some(positive("scale"))),
            Self::Gompertz => (positive("shape"), Some(positive("rate"))),
            Self::Kumaraswamy => (positive("a"), Some(positive("b"))),
            Self::Poisson => (not_negative("rate"), None),
            Self::Binomial => (count("trials"), Some(probability("probability"))),
            Self::NegativeBinomial => (positive("successes"), Some(positive_probability("probability"))),
            Self::Geometric => (positive_probability("probability"), None),
        }
    }

    /// Checks that the distribution is defined for these parameters, given in RDDL's order. Families with one parameter
    /// ignore `second`. [`quantile`](Self::quantile) calls it. Infinite parameters pass, except probabilities, and NaN
    /// passes as the mean of `Normal` or as a location; a real draw is then infinite or NaN.
    ///
    /// # Errors
    /// Fails with the first parameter for which the distribution is not defined.
    #[inline]
    pub fn check(self, first: f64, second: f64) -> Result<(), ParameterError> {
        let (one, two) = self.checks();
        self.check_one(one, first)?;
        two.map_or(Ok(()), |two| self.check_one(two, second))?;
        if self == Self::Uniform && first.partial_cmp(&second).is_none_or(Ordering::is_gt) {
            return Err(self.fault("high", second, ParameterFault::BoundsOutOfOrder));
        }
        Ok(())
    }

    #[inline]
    fn check_one(self, (name, holds, fault): Check, value: f64) -> Result<(), ParameterError> {
        if holds(value) {
            Ok(())
        } else {
            Err(self.fault(name, value, fault))
        }
    }

    const fn fault(self, parameter: &'static str, value: f64, fault: ParameterFault) -> ParameterError {
        ParameterError {
            distribution: self.name(),
            parameter,
            value,
            fault,
        }
    }

    /// Returns the `u`-quantile of the distribution with these parameters, given in RDDL's order, for `u` in (0, 1): a draw,
    /// if `u` is uniform. Families with one parameter ignore `second`.
    ///
    /// `Kumaraswamy` returns its (1 − `u`)-quantile. Other values of `u` are not checked and give meaningless results.
    /// A result beyond the range of `f64` is infinite.
    ///
    /// # Errors
    /// Fails if the distribution is not defined for a parameter, or if an integer result or a parameter of `Beta` is 2^53 or
    /// more.
    #[inline]
    pub fn quantile(self, u: f64, first: f64, second: f64) -> Result<f64, ParameterError> {
        self.check(first, second)?;
        let (a, b) = (first, second);
        Ok(match self {
            Self::Uniform => a + u * (b - a),
            Self::Normal => a + b.sqrt() * normal_quantile(u),
            Self::Exponential => -a * libm::log1p(-u),
            Self::Weibull => b * libm::pow(-libm::log1p(-u), 1.0 / a),
            Self::Gamma => b * gamma_quantile(a, u),
            Self::Beta => {
                self.counted(a.max(b), a, b)?;
                beta_quantile(a, b, u)
            }
            Self::ChiSquare => 2.0 * gamma_quantile(0.5 * a, u),
            Self::Student => student_quantile(a, u),
            Self::Cauchy => a + b * libm::tan(std::f64::consts::PI * (u - 0.5)),
            Self::Laplace if u < 0.5 => a + b * libm::log(2.0 * u),
            Self::Laplace => a - b * libm::log(2.0 * (1.0 - u)),
            Self::Gumbel => a - b * libm::log(-libm::log(u)),
            Self::Pareto => b * libm::expm1(-libm::log1p(-u) / a),
            Self::Gompertz => libm::log1p(-libm::log1p(-u) / a) / b,
            Self::Kumaraswamy => libm::pow(-libm::expm1(libm::log(u) / b), 1.0 / a),
            Self::Poisson => self.counted(poisson_quantile(a, u), a, b)?,
            Self::Binomial => self.counted(binomial_quantile(a, b, u), a, b)?,
            Self::NegativeBinomial => {
                // An expected count of 2^53 or more would make the search loop without progress.
                self.counted(a * (1.0 - b) / b, a, b)?;
                self.counted(negative_binomial_quantile(a, b, u), a, b)?
            }
            Self::Geometric => self.counted(geometric_quantile(a, u), a, b)?,
        })
    }

    /// Returns the count if it is below 2^53, else an error for the parameter that makes it too large.
    pub(super) fn counted(self, count: f64, first: f64, second: f64) -> Result<f64, ParameterError> {
        let (one, two) = self.checks();
        match (self, two) {
            _ if count < LARGEST => Ok(count),
            (Self::Geometric, _) => Err(self.fault(one.0, first, ParameterFault::TooSmall)),
            (Self::NegativeBinomial, Some((name, ..))) if first < LARGEST => {
                Err(self.fault(name, second, ParameterFault::TooSmall))
            }
            (Self::Beta, Some((name, ..))) if first < LARGEST => {
                Err(self.fault(name, second, ParameterFault::TooLarge))
            }
            _ => Err(self.fault(one.0, first, ParameterFault::TooLarge)),
        }
    }
}

/// Returns the smallest k ≥ 1 with 1 − (1 − p)^k ≥ u.
fn geometric_quantile(p: f64, u: f64) -> f64 {
    if p >= 1.0 {
        return 1.0;
    }
    let tail = libm::log1p(-p);
    let target = libm::log1p(-u);
    let guess = (target / tail).ceil().max(1.0);
    // The quotient is rounded, so at a boundary the neighbour may be correct.
    if guess > 1.0 && (guess - 1.0) * tail <= target {
        guess - 1.0
    } else {
        guess
    }
}
