//! Forward and backward passes over a relaxed step.

use std::ops::Range;

use herbrand_distributions::{Draws, RandomGenerator, Site, WeightKind};

use super::program::{Cell, Pair, Relaxed, Rule, Smooth};
use super::smooth::{binary, draw, logit, sigmoid, unary};
use crate::norm::TNorm;

/// Rows of values and of gradients, one per cell.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub(super) lanes: usize,
    pub(super) values: Vec<f64>,
    pub(super) gradients: Vec<f64>,
    /// By lane: the sharpness of its steps.
    pub(super) sharpness: Vec<f64>,
    /// By cell: the factor of the sharpness.
    pub(super) factors: Vec<f64>,
}

impl Rows {
    pub(super) fn new(relaxed: &Relaxed, lanes: usize, sharpness: f64) -> Self {
        let mut rows = Self {
            lanes,
            values: vec![0.0; relaxed.len() * lanes],
            gradients: vec![0.0; relaxed.len() * lanes],
            sharpness: vec![sharpness; lanes],
            factors: vec![1.0; relaxed.len()],
        };
        for (cell, rule) in relaxed.rules.iter().enumerate() {
            if let Rule::Constant(value) = rule {
                rows.values[cell * lanes..][..lanes].fill(*value);
            }
        }
        rows
    }

    pub(super) fn value(&self, cell: Cell) -> &[f64] {
        &self.values[cell as usize * self.lanes..][..self.lanes]
    }

    pub(super) fn gradient_mut(&mut self, cell: Cell) -> &mut [f64] {
        &mut self.gradients[cell as usize * self.lanes..][..self.lanes]
    }
}

/// By cell: the sum of the distances of compared numbers, and their count.
pub(super) type Gaps = Vec<(f64, u32)>;

/// Mixes two values by a truth degree. A value with weight 0 is ignored, even if it is NaN.
fn mixed(c: f64, a: f64, b: f64) -> f64 {
    if c >= 1.0 {
        a
    } else if c <= 0.0 {
        b
    } else {
        c * a + (1.0 - c) * b
    }
}

/// Returns the softmax of values.
fn shares(values: impl Iterator<Item = f64> + Clone, w: f64) -> impl Iterator<Item = f64> + Clone {
    let most = values
        .clone()
        .map(|value| w * value)
        .fold(f64::NEG_INFINITY, f64::max);
    // The difference of two infinities is no number.
    let weight = move |value: f64| {
        if w * value == most {
            1.0
        } else {
            libm::exp(w * value - most)
        }
    };
    let sum: f64 = values.clone().map(weight).sum();
    values.map(move |value| weight(value) / sum)
}

impl Relaxed {
    /// Computes all cells, given the rows of inputs and one generator per lane.
    pub(super) fn forward(&self, rows: &mut Rows, inputs: &[f64], draws: &[RandomGenerator]) {
        let (n, sharpness) = (rows.lanes, &rows.sharpness);
        for (cell, rule) in self.rules.iter().enumerate() {
            let factor = rows.factors[cell];
            let (known, rest) = rows.values.split_at_mut(cell * n);
            let out = &mut rest[..n];
            let row = |cell: Cell| &known[cell as usize * n..][..n];
            match *rule {
                Rule::Constant(_) => {}
                Rule::Input(number) => out.copy_from_slice(&inputs[number as usize * n..][..n]),
                Rule::Unary(op, a) => {
                    for ((out, &a), w) in out.iter_mut().zip(row(a)).zip(sharpness) {
                        *out = unary(op, a, w * factor).0;
                    }
                }
                Rule::Binary(op, a, b) => {
                    for (((out, &a), &b), w) in out.iter_mut().zip(row(a)).zip(row(b)).zip(sharpness) {
                        *out = binary(op, a, b, w * factor).0;
                    }
                }
                Rule::If(c, a, b) => {
                    let (c, a, b) = (row(c), row(a), row(b));
                    for (lane, out) in out.iter_mut().enumerate() {
                        *out = mixed(c[lane], a[lane], b[lane]);
                    }
                }
                Rule::Sum(list) => {
                    out.fill(0.0);
                    for &one in self.list(list) {
                        out.iter_mut().zip(row(one)).for_each(|(sum, one)| *sum += one);
                    }
                }
                Rule::Product(list) => {
                    out.fill(1.0);
                    for &one in self.list(list) {
                        out.iter_mut()
                            .zip(row(one))
                            .for_each(|(product, one)| *product *= one);
                    }
                }
                Rule::All(norm, list) => {
                    conjunction(norm, out, self.list(list).iter().map(|&one| row(one)), |degree| {
                        degree
                    });
                }
                Rule::Any(norm, list) => {
                    conjunction(norm, out, self.list(list).iter().map(|&one| row(one)), |degree| {
                        1.0 - degree
                    });
                    out.iter_mut().for_each(|none| *none = 1.0 - *none);
                }
                Rule::Own(function, list) => {
                    for lanes in alike(sharpness) {
                        let operands: Vec<&[f64]> = self
                            .list(list)
                            .iter()
                            .map(|&one| &row(one)[lanes.clone()])
                            .collect();
                        let mut slopes = vec![vec![0.0; lanes.len()]; operands.len()];
                        let w = sharpness[lanes.start];
                        self.own[function as usize].apply(&operands, w, &mut out[lanes], &mut slopes);
                    }
                }
                Rule::Place(largest, list) => {
                    let list = self.list(list);
                    for (lane, out) in out.iter_mut().enumerate() {
                        let w = if largest {
                            sharpness[lane]
                        } else {
                            -sharpness[lane]
                        };
                        let shares = shares(list.iter().map(|&one| row(one)[lane]), w);
                        *out = (0_u32..)
                            .zip(shares)
                            .map(|(place, share)| f64::from(place) * share)
                            .sum();
                    }
                }
                Rule::Gather(index, list) => {
                    let list = self.list(list);
                    for (lane, out) in out.iter_mut().enumerate() {
                        let (first, second, part) = neighbours(row(index)[lane], list.len());
                        *out = mixed(1.0 - part, row(list[first])[lane], row(list[second])[lane]);
                    }
                }
                Rule::Bernoulli(p, site) => {
                    for (((out, &p), draws), &w) in out.iter_mut().zip(row(p)).zip(draws).zip(sharpness) {
                        *out = drawn_bool(p, draws.uniform(Site(site)), w);
                    }
                }
                Rule::Draw(family, a, b, site) => {
                    for (lane, (out, draws)) in out.iter_mut().zip(draws).enumerate() {
                        *out = draw(family, draws.uniform(Site(site)), row(a)[lane], row(b)[lane]).0;
                    }
                }
                Rule::Choose(choice, list, site) => {
                    let list = self.list(list);
                    for (lane, (out, draws)) in out.iter_mut().zip(draws).enumerate() {
                        let weights = list.iter().map(|&one| row(one)[lane]);
                        *out = chosen(choice, weights, draws.uniform(Site(site)), sharpness[lane]);
                    }
                }
            }
        }
    }

    /// Adds the distances of the numbers that the last forward pass compared in the lanes that count.
    pub(super) fn add_gaps(&self, rows: &Rows, counts: impl Fn(usize) -> bool, gaps: &mut Gaps) {
        gaps.resize(self.rules.len(), (0.0, 0));
        for (rule, (sum, count)) in self.rules.iter().zip(gaps) {
            for lane in (0..rows.lanes).filter(|&lane| counts(lane)) {
                let value = |cell: Cell| rows.value(cell)[lane];
                let gap = match *rule {
                    Rule::Binary(Pair::Less(halves), a, b) => value(b) + 0.5 * f64::from(halves) - value(a),
                    Rule::Binary(Pair::Equal, a, b) => value(b) - value(a),
                    Rule::Unary(Smooth::Sign, a) => value(a),
                    _ => break,
                };
                if gap.is_finite() {
                    *sum += gap.abs();
                    *count += 1;
                }
            }
        }
    }

    /// Back-propagates the gradients of all cells and adds the gradients of inputs to `inputs`. The values must be
    /// those of [`forward`](Self::forward).
    pub(super) fn backward(&self, rows: &mut Rows, inputs: &mut [f64], draws: &[RandomGenerator]) {
        let (n, sharpness) = (rows.lanes, &rows.sharpness);
        let (values, gradients) = (&rows.values, &mut rows.gradients);
        for (cell, rule) in self.rules.iter().enumerate().rev() {
            let (before, rest) = gradients.split_at_mut(cell * n);
            let own = &rest[..n];
            if own.iter().all(|&gradient| gradient == 0.0) {
                continue;
            }
            let factor = rows.factors[cell];
            let value = |cell: Cell, lane: usize| values[cell as usize * n + lane];
            let mut add = |cell: Cell, lane: usize, gradient: f64| {
                // An infinite or NaN slope counts as 0.
                if gradient.is_finite() {
                    before[cell as usize * n + lane] += gradient;
                }
            };
            match *rule {
                Rule::Constant(_) => {}
                Rule::Input(number) => {
                    let into = &mut inputs[number as usize * n..][..n];
                    into.iter_mut()
                        .zip(own)
                        .for_each(|(sum, gradient)| *sum += gradient);
                }
                Rule::Unary(op, a) => {
                    for (lane, own) in own.iter().enumerate() {
                        add(
                            a,
                            lane,
                            own * unary(op, value(a, lane), sharpness[lane] * factor).1,
                        );
                    }
                }
                Rule::Binary(op, a, b) => {
                    for (lane, own) in own.iter().enumerate() {
                        let w = sharpness[lane] * factor;
                        let (_, by_a, by_b) = binary(op, value(a, lane), value(b, lane), w);
                        add(a, lane, own * by_a);
                        add(b, lane, own * by_b);
                    }
                }
                Rule::If(c, a, b) => {
                    for (lane, own) in own.iter().enumerate() {
                        let holds = value(c, lane);
                        add(c, lane, own * (value(a, lane) - value(b, lane)));
                        if holds > 0.0 {
                            add(a, lane, own * holds);
                        }
                        if holds < 1.0 {
                            add(b, lane, own * (1.0 - holds));
                        }
                    }
                }
                Rule::Sum(list) => {
                    for &one in self.list(list) {
                        for (lane, &own) in own.iter().enumerate() {
                            add(one, lane, own);
                        }
                    }
                }
                Rule::Product(list) => {
                    let list = self.list(list);
                    for (lane, own) in own.iter().enumerate() {
                        others(
                            list.len(),
                            |at| value(list[at], lane),
                            |at, rest| add(list[at], lane, own * rest),
                        );
                    }
                }
                Rule::All(norm, list) => {
                    let list = self.list(list);
                    for (lane, own) in own.iter().enumerate() {
                        let degree = |at: usize| value(list[at], lane);
                        slopes_of_all(norm, list.len(), degree, |at, slope| {
                            add(list[at], lane, own * slope)
                        });
                    }
                }
                // The two complements cancel in the derivative.
                Rule::Any(norm, list) => {
                    let list = self.list(list);
                    for (lane, own) in own.iter().enumerate() {
                        let degree = |at: usize| 1.0 - value(list[at], lane);
                        slopes_of_all(norm, list.len(), degree, |at, slope| {
                            add(list[at], lane, own * slope)
                        });
                    }
                }
                Rule::Own(function, list) => {
                    let list = self.list(list);
                    for lanes in alike(sharpness) {
                        let row = |one: &Cell| &values[*one as usize * n..][lanes.clone()];
                        let operands: Vec<&[f64]> = list.iter().map(row).collect();
                        let mut again = vec![0.0; lanes.len()];
                        let mut slopes = vec![vec![0.0; lanes.len()]; list.len()];
                        let w = sharpness[lanes.start];
                        self.own[function as usize].apply(&operands, w, &mut again, &mut slopes);
                        for (&one, slopes) in list.iter().zip(&slopes) {
                            for (lane, slope) in lanes.clone().zip(slopes) {
                                add(one, lane, own[lane] * slope);
                            }
                        }
                    }
                }
                Rule::Place(largest, list) => {
                    let list = self.list(list);
                    for (lane, own) in own.iter().enumerate() {
                        let w = if largest {
                            sharpness[lane]
                        } else {
                            -sharpness[lane]
                        };
                        let mean = value(cell as Cell, lane);
                        let shares = shares(list.iter().map(|&one| value(one, lane)), w);
                        for ((place, share), &one) in (0_u32..).zip(shares).zip(list) {
                            add(one, lane, own * w * share * (f64::from(place) - mean));
                        }
                    }
                }
                Rule::Gather(index, list) => {
                    let list = self.list(list);
                    for (lane, own) in own.iter().enumerate() {
                        let (first, second, part) = neighbours(value(index, lane), list.len());
                        let (a, b) = (value(list[first], lane), value(list[second], lane));
                        if first != second {
                            add(index, lane, own * (b - a));
                        }
                        add(list[first], lane, own * (1.0 - part));
                        add(list[second], lane, own * part);
                    }
                }
                Rule::Bernoulli(p, site) => {
                    for (lane, own) in own.iter().enumerate() {
                        let (p_value, u, w) =
                            (value(p, lane), draws[lane].uniform(Site(site)), sharpness[lane]);
                        let inside = p_value.clamp(1e-6, 1.0 - 1e-6);
                        let s = sigmoid(w * (logit(p_value) - logit(u)));
                        add(p, lane, own * w * s * (1.0 - s) / (inside * (1.0 - inside)));
                    }
                }
                Rule::Draw(family, a, b, site) => {
                    for (lane, own) in own.iter().enumerate() {
                        let u = draws[lane].uniform(Site(site));
                        let (_, by_a, by_b) = draw(family, u, value(a, lane), value(b, lane));
                        add(a, lane, own * by_a);
                        add(b, lane, own * by_b);
                    }
                }
                Rule::Choose(choice, list, site) => {
                    let list = self.list(list);
                    for (lane, own) in own.iter().enumerate() {
                        let u = draws[lane].uniform(Site(site));
                        let weights = |at: usize| value(list[at], lane);
                        slopes_of_choice(choice, list.len(), weights, u, sharpness[lane], |at, slope| {
                            add(list[at], lane, own * slope);
                        });
                    }
                }
            }
        }
    }
}

/// Returns the ranges of neighbouring lanes with the same sharpness.
fn alike(sharpness: &[f64]) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    sharpness.chunk_by(|one, next| one == next).map(move |lanes| {
        let end = start + lanes.len();
        std::mem::replace(&mut start, end)..end
    })
}

/// Writes the conjunction of truth degrees of each lane into `out`; `degree` maps each operand to its truth degree.
fn conjunction<'r>(
    norm: TNorm,
    out: &mut [f64],
    rows: impl Iterator<Item = &'r [f64]>,
    degree: impl Fn(f64) -> f64,
) {
    out.fill(1.0);
    for row in rows {
        for (all, &one) in out.iter_mut().zip(row) {
            *all = match norm {
                TNorm::Product => *all * degree(one),
                TNorm::Godel => all.min(degree(one)),
                // Only the sum may be cut off at 0, below.
                TNorm::Lukasiewicz => *all + degree(one) - 1.0,
            };
        }
    }
    if norm == TNorm::Lukasiewicz {
        out.iter_mut().for_each(|all| *all = all.max(0.0));
    }
}

/// Calls `each` for every operand of a conjunction with the derivative by it. Operands without a call have the
/// derivative 0.
fn slopes_of_all(norm: TNorm, count: usize, degree: impl Fn(usize) -> f64, mut each: impl FnMut(usize, f64)) {
    match norm {
        TNorm::Product => others(count, degree, each),
        TNorm::Godel => {
            let least = (0..count).map(&degree).fold(f64::INFINITY, f64::min);
            let share = 1.0 / (0..count).filter(|&at| degree(at) == least).count() as f64;
            (0..count)
                .filter(|&at| degree(at) == least)
                .for_each(|at| each(at, share));
        }
        TNorm::Lukasiewicz => {
            let sum: f64 = (0..count).map(|at| degree(at) - 1.0).sum();
            if sum > -1.0 {
                (0..count).for_each(|at| each(at, 1.0));
            }
        }
    }
}

/// Calls `each` for every factor of a product with the product of the other factors.
fn others(count: usize, factor: impl Fn(usize) -> f64, mut each: impl FnMut(usize, f64)) {
    let zeros = (0..count).filter(|&at| factor(at) == 0.0).count();
    match zeros {
        0 => {
            let product: f64 = (0..count).map(&factor).product();
            (0..count).for_each(|at| each(at, product / factor(at)));
        }
        1 => {
            for zero in (0..count).filter(|&at| factor(at) == 0.0) {
                let rest: f64 = (0..count).filter(|&at| at != zero).map(&factor).product();
                each(zero, rest);
            }
        }
        _ => {}
    }
}

/// Returns the indices on both sides of a fractional index, and the fraction between them. An index outside the list is
/// clamped.
fn neighbours(index: f64, count: usize) -> (usize, usize, f64) {
    let last = count - 1;
    let index = if index >= 0.0 { index.min(last as f64) } else { 0.0 };
    let first = (index.floor() as usize).min(last);
    (first, (first + 1).min(last), index - first as f64)
}

fn drawn_bool(p: f64, u: f64, w: f64) -> f64 {
    if p <= 0.0 {
        0.0
    } else if p >= 1.0 {
        1.0
    } else {
        sigmoid(w * (logit(p) - logit(u)))
    }
}

/// The additional sharpness of choices, which compare numbers between 0 and 1.
const STEEPER: f64 = 10.0;

/// Returns a smooth version of the index of the first weight whose cumulative sum exceeds `u`: the number of smaller
/// cumulative sums.
fn chosen(choice: WeightKind, weights: impl Iterator<Item = f64> + Clone, u: f64, w: f64) -> f64 {
    let count = weights.clone().count();
    let total = total(choice, weights.clone());
    let mut sum = 0.0;
    let passed = weights.take(count - 1).map(|weight| {
        sum += weight;
        sigmoid(STEEPER * w * (u - sum / total))
    });
    passed.sum()
}

fn total(choice: WeightKind, weights: impl Iterator<Item = f64>) -> f64 {
    match choice {
        WeightKind::Probabilities => 1.0,
        WeightKind::Weights => weights.sum(),
    }
}

/// Calls `each` with the derivative of a choice by each weight.
fn slopes_of_choice(
    choice: WeightKind,
    count: usize,
    weight: impl Fn(usize) -> f64,
    u: f64,
    w: f64,
    mut each: impl FnMut(usize, f64),
) {
    let total = total(choice, (0..count).map(&weight));
    // By cumulative sum: the slope, and the sum divided by the total.
    let mut sum = 0.0;
    let slopes: Vec<(f64, f64)> = (0..count - 1)
        .map(|at| {
            sum += weight(at);
            let s = sigmoid(STEEPER * w * (u - sum / total));
            (-STEEPER * w * s * (1.0 - s) / total, sum / total)
        })
        .collect();
    // Each weight is part of the cumulative sums from its own index on, and of the total.
    let common: f64 = match choice {
        WeightKind::Probabilities => 0.0,
        WeightKind::Weights => slopes.iter().map(|(slope, part)| slope * part).sum(),
    };
    let mut after = 0.0;
    let mut from_here = vec![0.0; count];
    for at in (0..count - 1).rev() {
        after += slopes[at].0;
        from_here[at] = after;
    }
    for (at, slope) in from_here.into_iter().enumerate() {
        each(at, slope - common);
    }
}
