//! Intervals of random draws.

use herbrand_dataflow::VectorOp;
use herbrand_distributions::Family;

use super::DrawCoverage;
use super::value::Interval;

/// Returns the possible values of a Bernoulli draw.
pub(super) fn bernoulli(p: Interval, coverage: DrawCoverage) -> Interval {
    match coverage {
        DrawCoverage::Support | DrawCoverage::Mean => Interval::truth(p.low < 1.0, p.high > 0.0),
        // True if the uniform number is at most p.
        DrawCoverage::Between(low, high) => Interval::truth(high > p.low, low <= p.high),
    }
}

/// Returns the interval of a univariate draw.
pub(super) fn univariate(family: Family, a: Interval, b: Interval, coverage: DrawCoverage) -> Interval {
    // A draw with a negative rate has no value.
    let a = match family {
        Family::Poisson => a.within(0.0, f64::INFINITY),
        _ => a,
    };
    let drawn = match coverage {
        DrawCoverage::Support => support(family, a, b),
        DrawCoverage::Between(low, high) => between(family, a, b, low, high),
        DrawCoverage::Mean => mean(family, a, b),
    };
    // NaN arises if a parameter is NaN, or if an infinite mean meets an infinite variance.
    let is_infinite = a.infinite || b.infinite;
    // With a small shape, a power with a large exponent is drawn.
    let has_long_tail = matches!(family, Family::Weibull | Family::Pareto | Family::Student) && a.low < 0.1;
    Interval {
        nan: (a.nan || b.nan || is_infinite) && !family.is_counting(),
        infinite: (is_infinite || has_long_tail) && !drawn.is_finite(),
        ..drawn
    }
}

fn support(family: Family, a: Interval, b: Interval) -> Interval {
    const INFINITE: f64 = f64::INFINITY;
    match family {
        // Rounding may place a draw just outside the bounds.
        Family::Uniform => Interval::new(slightly(a.low, -1.0), slightly(b.high, 1.0)),
        Family::Normal if b.high <= 0.0 => a,
        Family::Normal | Family::Cauchy | Family::Laplace | Family::Gumbel | Family::Student => {
            Interval::NUMBERS
        }
        Family::Beta | Family::Kumaraswamy => Interval::new(0.0, 1.0),
        Family::Exponential
        | Family::Weibull
        | Family::Gamma
        | Family::ChiSquare
        | Family::Pareto
        | Family::Gompertz => Interval::new(0.0, INFINITE),
        Family::Poisson if a.high <= 0.0 => Interval::FALSE,
        Family::Binomial => Interval::new(0.0, a.high.floor()),
        Family::Geometric if a.low >= 1.0 => Interval::TRUE,
        Family::Geometric => Interval::new(1.0, largest_count(family, a, b)),
        Family::Poisson | Family::NegativeBinomial => Interval::new(0.0, largest_count(family, a, b)),
    }
}

/// Returns the largest count that a draw can have. A draw is the quantile of a number below 1, so it has a bound unless the
/// quantile has none.
fn largest_count(family: Family, a: Interval, b: Interval) -> f64 {
    let corners = [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)];
    let last = |(first, second)| match family.quantile(1.0_f64.next_down(), first, second) {
        // Rounding may place the quantile of a smaller number at the next count.
        Ok(count) if count.is_finite() => count + 1.0,
        _ => i64::MAX as f64,
    };
    corners.into_iter().map(last).fold(0.0, f64::max)
}

/// Moves a bound outwards by a tiny relative amount. Infinite bounds stay.
fn slightly(end: f64, sign: f64) -> f64 {
    if end.is_infinite() {
        return end;
    }
    end + sign * 1e-12 * end.abs().max(1e-300)
}

/// Returns the interval between two quantiles. Quantiles are monotone in each parameter, so the extremes are at corners.
fn between(family: Family, a: Interval, b: Interval, low: f64, high: f64) -> Interval {
    let mut all: Option<Interval> = None;
    for u in [low, high] {
        for first in [a.low, a.high] {
            for second in [b.low, b.high] {
                match family.quantile(u, first, second) {
                    // Both parameters have no bound.
                    Ok(value) if value.is_nan() => return support(family, a, b),
                    Ok(value) => {
                        let value = Interval::point(value);
                        all = Some(all.map_or(value, |all| all.or(value)));
                    }
                    // A parameter is at or beyond the limit of its domain.
                    Err(_) => return support(family, a, b),
                }
            }
        }
    }
    let all = all.unwrap_or(Interval::ANY);
    let loose = Interval::new(slightly(all.low, -1.0), slightly(all.high, 1.0));
    if family.is_counting() {
        // Cumulative sums are exact only up to rounding, so the neighbouring counts are possible too.
        Interval::new(all.low - 1.0, all.high + 1.0).within(support(family, a, b).low, f64::INFINITY)
    } else {
        Interval {
            nan: all.nan,
            ..loose
        }
    }
}

/// Returns the interval of means. Means are monotone in each parameter.
fn mean(family: Family, a: Interval, b: Interval) -> Interval {
    let mut all: Option<Interval> = None;
    for first in [a.low, a.high] {
        for second in [b.low, b.high] {
            let value = mean_of(family, first, second).filter(|mean| mean.is_finite());
            let Some(value) = value.filter(|_| family.check(first, second).is_ok()) else {
                return support(family, a, b);
            };
            let value = Interval::point(value);
            all = Some(all.map_or(value, |all| all.or(value)));
        }
    }
    all.unwrap_or(Interval::ANY)
}

/// Returns the mean of a distribution; `None` if it has no mean in closed form.
fn mean_of(family: Family, a: f64, b: f64) -> Option<f64> {
    const EULER: f64 = 0.577_215_664_901_532_9;
    let gamma = libm::tgamma;
    Some(match family {
        Family::Uniform => 0.5 * a + 0.5 * b,
        Family::Normal | Family::Laplace | Family::Exponential | Family::ChiSquare | Family::Poisson => a,
        Family::Weibull => b * gamma(1.0 + 1.0 / a),
        Family::Gamma | Family::Binomial => a * b,
        Family::Beta => a / (a + b),
        Family::Student if a > 1.0 => 0.0,
        Family::Gumbel => a + EULER * b,
        Family::Pareto if a > 1.0 => b / (a - 1.0),
        Family::Kumaraswamy => b * gamma(1.0 + 1.0 / a) * gamma(b) / gamma(1.0 + 1.0 / a + b),
        Family::NegativeBinomial => a * (1.0 - b) / b,
        Family::Geometric => 1.0 / a,
        Family::Student | Family::Pareto | Family::Cauchy | Family::Gompertz => return None,
    })
}

/// Returns an interval that contains all results of a vector operation.
pub(super) fn vector(op: VectorOp, operands: &[Interval]) -> Interval {
    match op {
        VectorOp::Dirichlet => Interval::new(0.0, 1.0),
        VectorOp::Multinomial => Interval::new(0.0, operands.first().map_or(f64::INFINITY, |n| n.high)),
        VectorOp::MultivariateNormal => {
            let is_infinite = operands.iter().any(|one| one.infinite);
            Interval::NUMBERS
                .or_nan(is_infinite || operands.iter().any(|one| one.nan))
                .or_infinite(is_infinite)
        }
        _ => Interval::ANY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_infinite_end_stays_one() {
        let infinite = Interval::point(f64::INFINITY);
        let drawn = univariate(
            Family::Normal,
            infinite,
            Interval::point(0.5),
            DrawCoverage::Between(0.1, 0.9),
        );
        assert!(drawn.contains(f64::INFINITY) && drawn.nan, "{drawn:?}");
    }

    /// Counts are bounded where the quantile is, also if an interval of rates begins below 0.
    #[test]
    fn counts_have_the_bounds_of_their_quantiles() {
        let between = DrawCoverage::Between(0.01, 0.99);
        for (family, a, b) in [
            (Family::Poisson, Interval::new(0.0, 3.0), Interval::TRUE),
            (Family::Poisson, Interval::new(-2.0, 70.0), Interval::TRUE),
            (
                Family::NegativeBinomial,
                Interval::new(1.0, 4.0),
                Interval::new(0.25, 0.5),
            ),
            (Family::Geometric, Interval::new(0.125, 0.5), Interval::TRUE),
        ] {
            let [all, most] = [DrawCoverage::Support, between].map(|one| univariate(family, a, b, one));
            for number in [1e-300, 0.01, 0.5, 0.99, 1.0 - 1e-16] {
                for (first, second) in [(a.low.max(0.0), b.low), (a.high, b.low), (a.high, b.high)] {
                    let drawn = family.quantile(number, first, second).unwrap_or(f64::NAN);
                    assert!(
                        all.contains(drawn) && all.high < 1e4,
                        "{family:?} {number}: {all:?}"
                    );
                    assert!(
                        !(0.01..=0.99).contains(&number) || most.contains(drawn),
                        "{most:?}"
                    );
                }
            }
            assert!(most.high < all.high, "{family:?}: {most:?}");
        }
        let endless = univariate(
            Family::Poisson,
            Interval::new(0.0, f64::INFINITY),
            Interval::TRUE,
            between,
        );
        assert_eq!(endless.high, i64::MAX as f64);
    }

    #[test]
    fn means_are_those_of_many_quantiles() {
        for family in Family::ALL {
            let (a, b) = match family {
                Family::Binomial => (7.0, 0.3),
                Family::NegativeBinomial => (3.0, 0.4),
                Family::Geometric => (0.3, 0.0),
                Family::Pareto | Family::Student => (5.0, 2.0),
                _ => (1.7, 2.3),
            };
            let Some(mean) = mean_of(family, a, b) else {
                continue;
            };
            let count = 200_000;
            let quantile = |at: u32| {
                family
                    .quantile((f64::from(at) + 0.5) / f64::from(count), a, b)
                    .unwrap_or(f64::NAN)
            };
            let found = (0..count).map(quantile).sum::<f64>() / f64::from(count);
            assert!(
                (found - mean).abs() < 2e-3 * (1.0 + mean.abs()),
                "{family:?}: {found}, not {mean}"
            );
        }
    }
}
