//! Grounding time as a function of problem size.

use std::time::Duration;

use cpu_time::ProcessTime;

use crate::family::{FAMILIES, Family, ground_text, size};

/// The families whose curves are drawn.
const DRAWN: [&str; 3] = ["logistics", "network", "tiles"];
/// The sizes, three per decade.
const SIZES: [usize; 10] = [
    1_000, 2_154, 4_642, 10_000, 21_544, 46_416, 100_000, 215_443, 464_159, 1_000_000,
];
/// The minimum measuring time per size and the minimum number of runs; the fastest run counts.
const PATIENCE: Duration = Duration::from_secs(1);
const LEAST_RUNS: usize = 3;

/// The measured times of one family.
pub struct Curve {
    /// The family's name.
    pub name: &'static str,
    /// The number of atoms and actions, and the time in seconds.
    pub points: Vec<(f64, f64)>,
}

/// Measures all curves: the CPU time of this process from text to ground task.
pub fn measure() -> Vec<Curve> {
    let drawn = FAMILIES.iter().filter(|family| DRAWN.contains(&family.name));
    let curve = |family: &Family| Curve {
        name: family.name,
        points: SIZES.iter().map(|&size| point(family, size)).collect(),
    };
    drawn.map(curve).collect()
}

fn point(family: &Family, asked: usize) -> (f64, f64) {
    let problem = family.problem(asked);
    let found = size(&ground_text(family.domain, &problem));
    let ratio = found as f64 / asked as f64;
    assert!(
        (0.5..2.0).contains(&ratio),
        "{} of {asked} has {found} atoms and actions",
        family.name
    );
    let (mut best, mut exhausted, mut runs) = (Duration::MAX, Duration::ZERO, 0);
    while runs < LEAST_RUNS || exhausted < PATIENCE {
        let start = ProcessTime::now();
        let task = ground_text(family.domain, &problem);
        let time = start.elapsed();
        drop(task);
        best = best.min(time);
        exhausted += time;
        runs += 1;
    }
    (found as f64, best.as_secs_f64())
}

impl Curve {
    /// Fits time ≈ a·sizeᵇ by least squares on the logarithms; returns `(a, b)`.
    pub fn fit(&self) -> (f64, f64) {
        let logarithms = self.points.iter().map(|(size, time)| (size.ln(), time.ln()));
        let count = self.points.len() as f64;
        let (x, y) = logarithms
            .clone()
            .fold((0.0, 0.0), |(x, y), point| (x + point.0, y + point.1));
        let (x, y) = (x / count, y / count);
        let covariance: f64 = logarithms
            .clone()
            .map(|point| (point.0 - x) * (point.1 - y))
            .sum();
        let variance: f64 = logarithms.map(|point| (point.0 - x).powi(2)).sum();
        let exponent = covariance / variance;
        ((y - exponent * x).exp(), exponent)
    }
}

/// Prints a table of all points.
pub fn print(curves: &[Curve]) {
    for curve in curves {
        println!("{}: time ~ size^{:.2}", curve.name, curve.fit().1);
        for (size, time) in &curve.points {
            println!(
                "  {size:>10} {:>12.3} ms {:>8.0} ns each",
                1e3 * time,
                1e9 * time / size
            );
        }
    }
}
