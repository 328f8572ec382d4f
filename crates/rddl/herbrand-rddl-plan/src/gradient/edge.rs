//! Detection of steps near a discontinuity.

use herbrand_dataflow::UnaryOp;
use herbrand_distributions::{Draws, RandomGenerator, Site, WeightKind};

use super::program::{Pair, Relaxed, Rule, Smooth};
use super::tape::Rows;
use crate::norm::TNorm;

impl Relaxed {
    /// Returns whether any cell of the last forward pass is within a margin of a discontinuity or a kink.
    pub(super) fn is_near_edge(&self, rows: &Rows, draws: &[RandomGenerator], margin: f64) -> bool {
        let rules = self.rules.iter();
        let mut lanes = 0..rows.lanes;
        lanes.any(|lane| {
            let value = |cell: u32| rows.value(cell)[lane];
            let uniform = |site: u32| draws[lane].uniform(Site(site));
            let is_crisp = |degree: f64| degree == 0.0 || degree == 1.0;
            // The difference of two infinities is no number.
            let near = |a: f64, b: f64| a == b || (a - b).abs() < margin * (1.0 + a.abs());
            rules.clone().any(|rule| match *rule {
                Rule::Unary(Smooth::Sign, a) => near(0.0, value(a)),
                Rule::Unary(Smooth::Round, a) => {
                    let x = value(a);
                    near(x - x.floor(), 0.5) || near(x, x.round()) && x != x.round()
                }
                Rule::Unary(Smooth::Floor | Smooth::Ceil | Smooth::Truncate, a) => {
                    near(value(a), value(a).round())
                }
                Rule::Unary(Smooth::Function(op), a) => match op {
                    UnaryOp::AbsReal | UnaryOp::Sqrt | UnaryOp::Ln => near(0.0, value(a)),
                    UnaryOp::Asin | UnaryOp::Acos => near(value(a).abs(), 1.0),
                    _ => false,
                },
                Rule::Binary(Pair::Less(0) | Pair::Min | Pair::Max, a, b) => near(value(a), value(b)),
                Rule::Binary(Pair::Less(halves), a, b) => near(value(a), value(b) + 0.5 * f64::from(halves)),
                Rule::Binary(Pair::Equal, a, b) => value(a) != value(b) && near(value(a), value(b)),
                Rule::Binary(Pair::Quotient | Pair::Remainder, a, b) => {
                    let quotient = value(a) / value(b);
                    near(quotient, quotient.round())
                }
                Rule::Binary(Pair::Div | Pair::Log | Pair::Pow, a, b) => {
                    near(0.0, value(a)) || near(0.0, value(b))
                }
                Rule::Binary(Pair::Both(norm) | Pair::Either(norm) | Pair::Same(norm), a, b)
                    if norm != TNorm::Product =>
                {
                    let (a, b) = (value(a), value(b));
                    !(is_crisp(a) && is_crisp(b)) && (near(a, b) || near(a, 1.0 - b))
                }
                Rule::All(TNorm::Godel, list) | Rule::Any(TNorm::Godel, list) => {
                    let mut degrees: Vec<f64> = self.list(list).iter().map(|&one| value(one)).collect();
                    degrees.sort_by(f64::total_cmp);
                    let mut pairs = degrees.windows(2);
                    pairs.any(|pair| !(is_crisp(pair[0]) && is_crisp(pair[1])) && near(pair[0], pair[1]))
                }
                Rule::All(TNorm::Lukasiewicz, list) => {
                    let list = self.list(list).iter();
                    let falsity: f64 = list.map(|&one| 1.0 - value(one)).sum();
                    !is_crisp(falsity) && near(falsity, 1.0)
                }
                Rule::Any(TNorm::Lukasiewicz, list) => {
                    let sum: f64 = self.list(list).iter().map(|&one| value(one)).sum();
                    !is_crisp(sum) && near(sum, 1.0)
                }
                Rule::Place(_, list) => {
                    let mut values: Vec<f64> = self.list(list).iter().map(|&one| value(one)).collect();
                    values.sort_by(f64::total_cmp);
                    values.windows(2).any(|pair| near(pair[0], pair[1]))
                }
                Rule::Gather(index, _) => {
                    let index = value(index);
                    index < -margin || near(index, index.round()) && index != index.round()
                }
                Rule::Bernoulli(p, site) => near(value(p), uniform(site)),
                Rule::Choose(choice, list, site) => {
                    let weights: Vec<f64> = self.list(list).iter().map(|&one| value(one)).collect();
                    let total = match choice {
                        WeightKind::Probabilities => 1.0,
                        WeightKind::Weights => weights.iter().sum(),
                    };
                    let u = uniform(site);
                    let mut sum = 0.0;
                    weights.iter().any(|weight| {
                        sum += weight;
                        near(sum / total, u)
                    })
                }
                _ => false,
            })
        })
    }
}
