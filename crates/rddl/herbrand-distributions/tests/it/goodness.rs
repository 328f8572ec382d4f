//! The generator's draws follow their distributions: Kolmogorov–Smirnov tests of reals and chi-squared tests of counts, at
//! the level 0.001 with fixed seeds. The distribution functions are integrals of densities and sums of probabilities, given
//! here.

use std::f64::consts::PI;

use herbrand_distributions::{
    Draws, Family, ParameterError, RandomGenerator, Site, WeightKind, choose, dirichlet, multinomial,
    multivariate_normal, multivariate_student,
};
use libm::{exp, lgamma, log, pow};

const SAMPLES: u32 = 4_000;

const fn unasked() -> Result<(), ParameterError> {
    Ok(())
}

/// Draws once per step, at changing sites.
fn sample(family: Family, first: f64, second: f64) -> Vec<f64> {
    let draw = |step: u32| {
        let u = RandomGenerator::keyed(11, 2, u64::from(step)).uniform(Site(step % 7));
        family.quantile(u, first, second).unwrap()
    };
    (0..SAMPLES).map(draw).collect()
}

/// ∫ f from a to b by Simpson's rule on 64 intervals.
fn integral(f: &dyn Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    const PARTS: i32 = 64;
    let h = (b - a) / f64::from(PARTS);
    let inner: f64 = (1..PARTS)
        .map(|i| f(a + h * f64::from(i)) * if i % 2 == 1 { 4.0 } else { 2.0 })
        .sum();
    (f(a) + inner + f(b)) * h / 3.0
}

/// Returns the largest difference between the empirical distribution function and the integral of `density` from `start`.
fn kolmogorov_smirnov(mut sample: Vec<f64>, density: &dyn Fn(f64) -> f64, start: f64) -> f64 {
    sample.sort_by(f64::total_cmp);
    let n = f64::from(SAMPLES);
    let (mut largest, mut below, mut last) = (0.0_f64, 0.0, start);
    for (x, rank) in sample.into_iter().zip(0..) {
        below += integral(density, last, x);
        last = x;
        let rank = f64::from(rank);
        largest = largest
            .max((below - rank / n).abs())
            .max(((rank + 1.0) / n - below).abs());
    }
    largest
}

/// The critical value of the Kolmogorov–Smirnov test at the level 0.001.
fn critical_difference() -> f64 {
    1.949 / f64::from(SAMPLES).sqrt()
}

#[test]
fn reals_pass_kolmogorov_smirnov() {
    type Density = Box<dyn Fn(f64) -> f64>;
    let rows: Vec<(Family, f64, f64, f64, Density)> = vec![
        (Family::Uniform, -1.0, 3.0, -1.0, Box::new(|_| 0.25)),
        (
            Family::Normal,
            1.0,
            4.0,
            -15.0,
            Box::new(|x| exp(-(x - 1.0) * (x - 1.0) / 8.0) / (8.0 * PI).sqrt()),
        ),
        (
            Family::Exponential,
            2.0,
            0.0,
            0.0,
            Box::new(|x| 0.5 * exp(-x / 2.0)),
        ),
        (
            Family::Weibull,
            1.5,
            2.0,
            0.0,
            Box::new(|x| 0.75 * pow(x / 2.0, 0.5) * exp(-pow(x / 2.0, 1.5))),
        ),
        (
            Family::Gamma,
            2.5,
            0.5,
            0.0,
            Box::new(|x| exp(1.5 * log(2.0 * x) - 2.0 * x - lgamma(2.5)) * 2.0),
        ),
        (
            Family::Beta,
            2.0,
            3.0,
            0.0,
            Box::new(|x| 12.0 * x * (1.0 - x) * (1.0 - x)),
        ),
        (
            Family::ChiSquare,
            4.0,
            0.0,
            0.0,
            Box::new(|x| 0.25 * x * exp(-x / 2.0)),
        ),
        (
            Family::Student,
            3.0,
            0.0,
            -400.0,
            Box::new(|x| 2.0 / (PI * 3.0_f64.sqrt() * pow(1.0 + x * x / 3.0, 2.0))),
        ),
        (
            Family::Cauchy,
            0.0,
            1.0,
            f64::NAN,
            Box::new(|x| 1.0 / (PI * (1.0 + x * x))),
        ),
        (
            Family::Laplace,
            1.0,
            2.0,
            -60.0,
            Box::new(|x| exp(-(x - 1.0).abs() / 2.0) / 4.0),
        ),
        (
            Family::Gumbel,
            1.0,
            2.0,
            -20.0,
            Box::new(|x| 0.5 * exp(-(x - 1.0) / 2.0 - exp(-(x - 1.0) / 2.0))),
        ),
        (
            Family::Pareto,
            3.0,
            2.0,
            0.0,
            Box::new(|x| 1.5 * pow(1.0 + x / 2.0, -4.0)),
        ),
        (
            Family::Gompertz,
            0.5,
            2.0,
            0.0,
            Box::new(|x| exp(0.5 + 2.0 * x - 0.5 * exp(2.0 * x))),
        ),
        (
            Family::Kumaraswamy,
            2.0,
            3.0,
            0.0,
            Box::new(|x| 6.0 * x * (1.0 - x * x) * (1.0 - x * x)),
        ),
    ];
    for (family, first, second, start, density) in rows {
        let mut draws = sample(family, first, second);
        // Cauchy's tails are too long to integrate, so its distribution function transforms the draws to uniform numbers.
        let found = if family == Family::Cauchy {
            draws.iter_mut().for_each(|x| *x = 0.5 + x.atan() / PI);
            kolmogorov_smirnov(draws, &|_| 1.0, 0.0)
        } else {
            kolmogorov_smirnov(draws, &density, start)
        };
        assert!(found < critical_difference(), "{family:?}: {found}");
    }
}

/// Returns Pearson's statistic of counts and the number of cells. Cells with fewer than five expected counts are merged into
/// the last cell.
fn pearson(observed: &[f64], expected: &[f64]) -> (f64, usize) {
    let (mut statistic, mut cells, mut left) = (0.0, 0, (0.0, 0.0));
    for (&o, &e) in observed.iter().zip(expected) {
        if e < 5.0 {
            left = (left.0 + o, left.1 + e);
        } else {
            statistic += (o - e) * (o - e) / e;
            cells += 1;
        }
    }
    if left.1 > 1.0 {
        statistic += (left.0 - left.1) * (left.0 - left.1) / left.1;
        cells += 1;
    }
    (statistic, cells)
}

/// Returns the value that chi-squared exceeds with probability 0.001.
fn critical_statistic(cells: usize) -> f64 {
    Family::ChiSquare
        .quantile(0.999, (cells - 1) as f64, 0.0)
        .unwrap()
}

#[test]
fn counts_pass_chi_squared() {
    type Probability = Box<dyn Fn(f64) -> f64>;
    let choose = |n: f64, k: f64| exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0));
    let rows: Vec<(Family, f64, f64, Probability)> = vec![
        (
            Family::Poisson,
            3.0,
            0.0,
            Box::new(|k| exp(-3.0 + k * log(3.0) - lgamma(k + 1.0))),
        ),
        (
            Family::Poisson,
            60.0,
            0.0,
            Box::new(|k| exp(-60.0 + k * log(60.0) - lgamma(k + 1.0))),
        ),
        (
            Family::Binomial,
            10.0,
            0.3,
            Box::new(move |k| {
                if k > 10.0 {
                    0.0
                } else {
                    choose(10.0, k) * pow(0.3, k) * pow(0.7, 10.0 - k)
                }
            }),
        ),
        (
            Family::Binomial,
            200.0,
            0.4,
            Box::new(move |k| {
                if k > 200.0 {
                    0.0
                } else {
                    choose(200.0, k) * pow(0.4, k) * pow(0.6, 200.0 - k)
                }
            }),
        ),
        (
            Family::NegativeBinomial,
            3.0,
            0.4,
            Box::new(move |k| choose(k + 2.0, k) * 0.064 * pow(0.6, k)),
        ),
        (
            Family::Geometric,
            0.3,
            0.0,
            Box::new(|k| if k < 1.0 { 0.0 } else { 0.3 * pow(0.7, k - 1.0) }),
        ),
    ];
    for (family, first, second, probability) in rows {
        let mut observed = vec![0.0; 400];
        for k in sample(family, first, second) {
            observed[k as usize] += 1.0;
        }
        let expected: Vec<f64> = (0..400)
            .map(|k| probability(f64::from(k)) * f64::from(SAMPLES))
            .collect();
        let (statistic, cells) = pearson(&observed, &expected);
        assert!(
            statistic < critical_statistic(cells),
            "{family:?}({first}): {statistic}, {cells} cells"
        );
    }
}

#[test]
fn choices_pass_chi_squared() {
    let weights = [1.0, 0.0, 2.0, 5.0];
    let mut observed = [0.0; 4];
    for step in 0..SAMPLES {
        let u = RandomGenerator::keyed(3, 0, u64::from(step)).uniform(Site(0));
        observed[choose(WeightKind::Weights, &weights, u).unwrap()] += 1.0;
    }
    assert_eq!(observed[1], 0.0);
    let expected = weights.map(|w| w / 8.0 * f64::from(SAMPLES));
    let (statistic, cells) = pearson(&observed, &expected);
    assert!(statistic < critical_statistic(cells), "{observed:?}");
}

/// Neighbouring sites, steps, environments and seeds are independent: pairs of numbers fill a grid evenly.
#[test]
fn neighbouring_keys_are_independent() {
    type Pair = fn(u32) -> (f64, f64);
    let pairs: [(&str, Pair); 4] = [
        ("sites", |i| {
            let step = RandomGenerator::keyed(1, 0, 0);
            (step.uniform(Site(i)), step.uniform(Site(i + 1)))
        }),
        ("steps", |i| {
            let at = |step| RandomGenerator::keyed(1, 0, step).uniform(Site(5));
            (at(u64::from(i)), at(u64::from(i) + 1))
        }),
        ("environments", |i| {
            let at = |environment| RandomGenerator::keyed(1, environment, 9).uniform(Site(5));
            (at(u64::from(i)), at(u64::from(i) + 1))
        }),
        ("seeds", |i| {
            let at = |seed| RandomGenerator::keyed(seed, 0, 9).uniform(Site(5));
            (at(u64::from(i)), at(u64::from(i) + 1))
        }),
    ];
    for (name, pair) in pairs {
        let mut observed = [0.0; 64];
        for i in 0..SAMPLES {
            let (x, y) = pair(i);
            observed[(x * 8.0) as usize * 8 + (y * 8.0) as usize] += 1.0;
        }
        let expected = [f64::from(SAMPLES) / 64.0; 64];
        let (statistic, cells) = pearson(&observed, &expected);
        assert!(statistic < critical_statistic(cells), "{name}: {statistic}");
    }
}

/// Means and covariances of vectors are within five standard errors.
#[test]
fn vectors_have_their_moments() {
    let mean = [1.0, -2.0];
    let covariance = [2.0, 0.6, 0.6, 1.0];
    let (mut normal, mut student, mut parts, mut counts) = ([0.0; 5], [0.0; 5], [0.0; 2], [0.0; 3]);
    let moments = |sums: &mut [f64; 5], x: &[f64; 2]| {
        let centred = [x[0] - mean[0], x[1] - mean[1]];
        let terms = [
            centred[0],
            centred[1],
            centred[0] * centred[0],
            centred[0] * centred[1],
            centred[1] * centred[1],
        ];
        for (sum, term) in sums.iter_mut().zip(terms) {
            *sum += term / f64::from(SAMPLES);
        }
    };
    for step in 0..SAMPLES {
        let draws = RandomGenerator::keyed(5, 0, u64::from(step));
        let mut x = [0.0; 2];
        multivariate_normal(&draws, Site(0), &mean, &mut covariance.clone(), &mut x, unasked).unwrap();
        moments(&mut normal, &x);
        multivariate_student(
            &draws,
            Site(4),
            &mean,
            &mut covariance.clone(),
            10.0,
            &mut x,
            unasked,
        )
        .unwrap();
        moments(&mut student, &x);
        dirichlet(&draws, Site(8), &[2.0, 6.0], &mut x).unwrap();
        assert!((x[0] + x[1] - 1.0).abs() < 1e-12);
        parts[0] += x[0] / f64::from(SAMPLES);
        let mut count = [0.0; 3];
        multinomial(&draws, Site(12), 20.0, &[0.5, 0.2, 0.3], &mut count).unwrap();
        assert_eq!(count.iter().sum::<f64>(), 20.0);
        for (sum, count) in counts.iter_mut().zip(count) {
            *sum += count / f64::from(SAMPLES);
        }
    }
    let near = |found: f64, expected: f64, deviation: f64| {
        let error = 5.0 * deviation / f64::from(SAMPLES).sqrt();
        assert!((found - expected).abs() < error, "{found} is not near {expected}");
    };
    for (found, expected) in normal.into_iter().zip([0.0, 0.0, 2.0, 0.6, 1.0]) {
        near(found, expected, 3.0);
    }
    // The covariance of a Student distribution with d degrees is d / (d − 2) times its matrix.
    for (found, expected) in student.into_iter().zip([0.0, 0.0, 2.5, 0.75, 1.25]) {
        near(found, expected, 4.5);
    }
    near(parts[0], 0.25, 0.15);
    for (found, expected) in counts.into_iter().zip([10.0, 4.0, 6.0]) {
        near(found, expected, 2.3);
    }
}

/// The squares of a multivariate Student vector are correlated: its components share one denominator.
#[test]
fn components_of_student_vectors_are_dependent() {
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for step in 0..SAMPLES {
        let mut z = [0.0; 2];
        RandomGenerator::keyed(5, 0, u64::from(step))
            .standard_students(Site(0), 4.0, &mut z)
            .unwrap();
        let (a, b) = (z[0].abs().ln(), z[1].abs().ln());
        (xx, yy, xy) = (xx + a, yy + b, xy + a * b);
    }
    let n = f64::from(SAMPLES);
    let covariance = xy / n - xx / n * (yy / n);
    // A quarter of the trigamma function at 2: the variance of ln √(χ² / 4).
    assert!((covariance - 0.25 * 0.644_934).abs() < 0.1, "{covariance}");
}

/// The draws of a key are fixed: a change would change every seeded trajectory.
#[test]
fn the_stream_is_stable() {
    let generator = RandomGenerator::keyed(42, 3, 1);
    assert_eq!([0, 1, 2].map(|site| generator.word(Site(site))), STREAM);
    let draws = [Family::Normal, Family::Gamma, Family::Beta, Family::Weibull].map(|family| {
        family
            .quantile(generator.uniform(Site(9)), 1.5, 2.0)
            .unwrap()
            .to_bits()
    });
    assert_eq!(draws, DRAWS);
}

const STREAM: [u64; 3] = [
    7_306_680_296_220_438_774,
    1_471_361_160_523_727_892,
    5_948_801_947_544_349_629,
];
const DRAWS: [u64; 4] = [
    4_615_776_583_525_333_358,
    4_620_449_492_747_968_867,
    4_605_655_974_718_736_029,
    4_616_350_937_798_725_587,
];
