//! Quantiles compared with a table of 40-digit arithmetic and with the reference corpus.

use std::fs;
use std::path::Path;

use herbrand_distributions::{
    Draws, Family, ParameterError, Quantiles, Site, WeightKind, bernoulli, choose, dirichlet, multinomial,
    multivariate_normal, multivariate_student,
};
use proptest::prelude::*;
use serde_json::Value;

fn family(name: &str) -> Option<Family> {
    Family::ALL.into_iter().find(|family| family.name() == name)
}

const fn unasked() -> Result<(), ParameterError> {
    Ok(())
}

fn close(found: f64, expected: f64, tolerance: f64) -> bool {
    found == expected || (found - expected).abs() <= tolerance * expected.abs()
}

#[test]
fn quantiles_agree_with_forty_digit_arithmetic() {
    let table = include_str!("quantiles.csv");
    for line in table.lines().skip(1) {
        let mut cells = line.split(',');
        let family = family(cells.next().unwrap()).unwrap();
        let [first, second, u, expected] = [(); 4].map(|()| cells.next().unwrap().parse::<f64>().unwrap());
        let found = family.quantile(u, first, second).unwrap();
        let tolerance = if family.is_counting() { 0.0 } else { 1e-12 };
        assert!(close(found, expected, tolerance), "{line}: found {found}");
    }
}

/// The rows of the corpus that are one distribution with numeric parameters.
#[test]
fn quantiles_agree_with_the_corpus() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/corpus/rddl/expressions.jsonl");
    let Ok(text) = fs::read_to_string(&path) else {
        return eprintln!("skipped: the corpus is not at ../shared/corpus");
    };
    let mut compared = 0;
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        if let (Some(u), Some((family, parameters))) = (
            row["u"].as_f64(),
            row["expression"].as_str().and_then(simple_draw),
        ) {
            let second = parameters.get(1).copied().unwrap_or(0.0);
            let found = family.quantile(u, parameters[0], second);
            match row["value"].as_f64() {
                Some(expected) => assert!(close(found.unwrap(), expected, 1e-9), "{}", row["id"]),
                None => assert!(found.is_err(), "{}", row["id"]),
            }
            compared += 1;
        }
    }
    assert!(compared >= 30, "only {compared} rows were compared");
}

fn simple_draw(expression: &str) -> Option<(Family, Vec<f64>)> {
    let (name, rest) = expression.split_once('(')?;
    let numbers: Result<Vec<f64>, _> = rest
        .strip_suffix(')')?
        .split(',')
        .map(|number| number.trim().parse())
        .collect();
    let family = family(name)?;
    numbers
        .ok()
        .filter(|numbers| numbers.len() == family.arity())
        .map(|numbers| (family, numbers))
}

#[test]
fn choices_go_by_running_sums() {
    let weights = [0.2, 0.3, 0.5];
    for (u, expected) in [(0.1, 0), (0.2, 1), (0.35, 1), (0.5, 2), (0.9, 2)] {
        assert_eq!(choose(WeightKind::Probabilities, &weights, u), Ok(expected));
        assert_eq!(
            choose(WeightKind::Weights, &weights.map(|w| 10.0 * w), u),
            Ok(expected)
        );
    }
    assert_eq!(choose(WeightKind::Probabilities, &[0.0, 1.0, 0.0], 0.9), Ok(1));
    assert_eq!(
        choose(WeightKind::Probabilities, &[0.4, 0.6 - 1e-6], 0.999_999_9),
        Ok(0)
    );
}

#[test]
fn bernoulli_is_true_up_to_its_probability() {
    assert_eq!(bernoulli(0.3, 0.5), Ok(true));
    assert_eq!(bernoulli(0.5, 0.5), Ok(true));
    assert_eq!(bernoulli(0.7, 0.5), Ok(false));
    let (least, most) = (Quantiles::at(0.0).u(), Quantiles::at(1.0).u());
    assert_eq!(
        (bernoulli(least, 0.0), bernoulli(most, 1.0)),
        (Ok(false), Ok(true))
    );
    assert!(bernoulli(0.5, 1.2).is_err() && bernoulli(0.5, f64::NAN).is_err());
}

#[test]
fn parameters_are_checked() {
    let faults = [
        Family::Normal.quantile(0.5, 0.0, -1.0).unwrap_err().to_string(),
        Family::Uniform.quantile(0.5, 2.0, 1.0).unwrap_err().to_string(),
        Family::Geometric.quantile(0.5, 0.0, 0.0).unwrap_err().to_string(),
        Family::Poisson
            .quantile(0.5, f64::NAN, 0.0)
            .unwrap_err()
            .to_string(),
        Family::Poisson.quantile(0.5, 1e300, 0.0).unwrap_err().to_string(),
        Family::Binomial.quantile(0.5, 2.5, 0.5).unwrap_err().to_string(),
        Family::Binomial.check(-1.0, 0.5).unwrap_err().to_string(),
        multinomial(&Quantiles::at(0.5), Site(0), 2.5, &[0.5, 0.5], &mut [0.0; 2])
            .unwrap_err()
            .to_string(),
        Family::Geometric
            .quantile(0.5, 1e-300, 0.0)
            .unwrap_err()
            .to_string(),
        Family::Beta.quantile(0.5, 1e300, 2.0).unwrap_err().to_string(),
        Family::Beta.quantile(0.5, 2.0, 1e16).unwrap_err().to_string(),
        Family::NegativeBinomial
            .quantile(0.5, 2.0, 1e-17)
            .unwrap_err()
            .to_string(),
        Family::NegativeBinomial
            .quantile(0.5, 1e17, 0.5)
            .unwrap_err()
            .to_string(),
        multinomial(&Quantiles::at(0.5), Site(0), 1e16, &[0.5, 0.5], &mut [0.0; 2])
            .unwrap_err()
            .to_string(),
        choose(WeightKind::Probabilities, &[0.5, 0.6, -0.1], 0.3)
            .unwrap_err()
            .to_string(),
        choose(WeightKind::Probabilities, &[0.5, 0.6], 0.3)
            .unwrap_err()
            .to_string(),
        choose(WeightKind::Weights, &[0.0, 0.0], 0.3)
            .unwrap_err()
            .to_string(),
        dirichlet(&Quantiles::at(0.5), Site(0), &[1.0, 0.0], &mut [0.0; 2])
            .unwrap_err()
            .to_string(),
        multivariate_normal(
            &Quantiles::at(0.5),
            Site(0),
            &[0.0; 2],
            &mut [1.0, 2.0, 2.0, 1.0],
            &mut [0.0; 2],
            unasked,
        )
        .unwrap_err()
        .to_string(),
    ];
    let expected = [
        "variance of Normal must be at least 0, not -1.0",
        "high of Uniform must be at least the lower bound, not 1.0",
        "probability of Geometric must be greater than 0 and at most 1, not 0.0",
        "rate of Poisson must be at least 0, not NaN",
        "rate of Poisson must be below 2^53, not 1e300",
        "trials of Binomial must be an integer of at least 0, not 2.5",
        "trials of Binomial must be an integer of at least 0, not -1.0",
        "trials of Multinomial must be an integer of at least 0, not 2.5",
        "probability of Geometric must be large enough for counts below 2^53, not 1e-300",
        "alpha of Beta must be below 2^53, not 1e300",
        "beta of Beta must be below 2^53, not 1e16",
        "probability of NegativeBinomial must be large enough for counts below 2^53, not 1e-17",
        "successes of NegativeBinomial must be below 2^53, not 1e17",
        "trials of Multinomial must be below 2^53, not 1e16",
        "a weight of Discrete must be at least 0, not -0.1",
        "the probabilities of Discrete must be 1 in sum, not 1.1",
        "the weights of UnnormDiscrete must be positive and finite in sum, not 0.0",
        "a concentration of Dirichlet must be greater than 0, not 0.0",
        "covariance of MultivariateNormal must be positive definite, not NaN",
    ];
    assert_eq!(faults.each_ref().map(String::as_str), expected);
}

/// The rows `vector` of the corpus, with their constants: m = (1.5, −2, 4), C = [[2, 1, −½], [1, 3, 0], [−½, 0, 1]].
#[test]
fn vectors_are_transformed_quantiles() {
    let mean = [1.5, -2.0, 4.0];
    let covariance = [2.0, 1.0, -0.5, 1.0, 3.0, 0.0, -0.5, 0.0, 1.0];
    let draws = Quantiles::at(0.3);
    let mut normal = [0.0; 3];
    multivariate_normal(
        &draws,
        Site(0),
        &mean,
        &mut covariance.clone(),
        &mut normal,
        unasked,
    )
    .unwrap();
    let expected = [
        0.758_385_682_812_884,
        -3.199_957_171_752_299,
        3.619_015_193_947_008_3,
    ];
    for (found, expected) in normal.iter().zip(expected) {
        assert!(close(*found, expected, 1e-12), "{normal:?}");
    }
    let mut parts = [0.0; 3];
    dirichlet(&draws, Site(0), &[0.5, 1.0, 2.5], &mut parts).unwrap();
    let expected = [
        0.038_446_982_660_937_57,
        0.184_722_885_750_158_86,
        0.776_830_131_588_903_6,
    ];
    for (found, expected) in parts.iter().zip(expected) {
        assert!(close(*found, expected, 1e-12), "{parts:?}");
    }
    // With the identity as covariance, each component is the quantile of Student's distribution.
    let mut student = [0.0; 2];
    let mut identity = [1.0, 0.0, 0.0, 1.0];
    multivariate_student(
        &draws,
        Site(0),
        &[0.0; 2],
        &mut identity,
        5.0,
        &mut student,
        unasked,
    )
    .unwrap();
    assert!(close(student[0], -0.559_429_644_469_360_4, 1e-12));
    assert_eq!(student[0], student[1]);
}

#[test]
fn extreme_numbers_stay_inside_the_unit_interval() {
    assert!(Quantiles::at(0.0).uniform(Site(0)) > 0.0);
    assert!(Quantiles::at(1.0).uniform(Site(0)) < 1.0);
}

/// For parameters of every magnitude, quantiles do not decrease as u increases, or the parameters are rejected.
#[test]
fn quantiles_of_extreme_parameters_come_to_an_end() {
    let sizes = [
        0.0,
        5e-324,
        1e-300,
        1e-20,
        1e-9,
        1e-3,
        0.5,
        1.0,
        40.0,
        1e5,
        9e8,
        1e11,
        1e15,
        9e15,
        1e16,
        1e50,
        1e300,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
    ];
    for family in Family::ALL
        .into_iter()
        .filter(|family| *family != Family::Kumaraswamy)
    {
        let seconds = if family.arity() == 2 {
            &sizes[..]
        } else {
            &sizes[..1]
        };
        for (first, second) in sizes
            .iter()
            .flat_map(|&first| seconds.iter().map(move |&second| (first, second)))
        {
            let mut last = f64::NEG_INFINITY;
            for u in [1e-300, 1e-12, 0.3, 0.5, 0.7, 1.0 - 1e-12] {
                let Ok(quantile) = family.quantile(u, first, second) else {
                    continue;
                };
                let slack = 1e-9 * quantile.abs();
                let rises = !quantile.is_finite() || last <= quantile + slack;
                assert!(
                    rises,
                    "{family:?}({first:e}, {second:e}) at {u:e}: {quantile:e} after {last:e}"
                );
                last = last.max(quantile);
            }
        }
    }
}

/// Quantiles of Beta where its series, its continued fraction and its expansion meet, compared with the identity Beta(a, 1):
/// u^(1/a), the mirror image, and the gamma and normal distributions as limits.
#[test]
fn quantiles_of_extreme_betas() {
    let beta = |u: f64, a: f64, b: f64| Family::Beta.quantile(u, a, b).unwrap();
    for u in [1e-9, 0.2, 0.5, 0.9] {
        for a in [1e-3, 0.01, 0.1, 0.5, 0.999, 3.0, 1e4, 1e9] {
            assert!(
                close(beta(u, a, 1.0), u.powf(1.0 / a), 1e-11),
                "Beta({a}, 1) at {u}"
            );
        }
        for a in [0.3, 1.0, 7.0, 1e3] {
            for b in [1e12, 1e15, 9e15] {
                let gamma = Family::Gamma.quantile(u, a, 1.0 / b).unwrap();
                assert!(close(beta(u, a, b), gamma, 1e-8), "Beta({a}, {b}) at {u}");
            }
        }
        let (below, above) = (beta(u, 9.9e9, 2e10), beta(u, 1.01e10, 2e10));
        assert!(
            close(below / (9.9 / 29.9), above / (10.1 / 30.1), 1e-6),
            "{below} {above}"
        );
        assert!(close(beta(u, 1e12, 3e12), 1.0 - beta(1.0 - u, 3e12, 1e12), 1e-12));
        if u != 0.5 {
            // Half of the weight is at each end.
            assert_eq!(beta(u, 1e-300, 1e-300), f64::from(u > 0.5));
        }
    }
    assert!(close(beta(0.5, 1e15, 1e15), 0.5, 1e-15));
}

proptest! {
    /// Quantiles do not decrease as u increases (do not increase for Kumaraswamy), and the computation terminates.
    #[test]
    fn quantiles_are_monotone(
        index in 0..Family::ALL.len(),
        first in 1e-3..200.0_f64,
        second in 1e-3..1.0_f64,
        low in 1e-12..1.0_f64,
        high in 1e-12..1.0_f64,
    ) {
        let family = Family::ALL[index];
        let first = match family {
            Family::Geometric => first / 200.0,
            Family::Binomial => first.round(),
            Family::Uniform => -first,
            _ => first,
        };
        let (low, high) = (low.min(high), low.max(high));
        let below = family.quantile(low, first, second).unwrap();
        let above = family.quantile(high, first, second).unwrap();
        let slack = 1e-13 * below.abs().max(above.abs());
        if family == Family::Kumaraswamy {
            prop_assert!(above <= below + slack, "{family:?}({first}, {second}): {below}, {above}");
        } else {
            prop_assert!(below <= above + slack, "{family:?}({first}, {second}): {below}, {above}");
        }
    }
}
