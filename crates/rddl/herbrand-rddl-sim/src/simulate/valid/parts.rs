//! Independent parts of joint actions, with the number of ways to set some of their fields.

use super::diagram::{Diagram, DiscreteField, FieldChange};

/// Discrete fields that share preconditions with no other field.
#[derive(Debug)]
pub(super) enum Part {
    /// Fields that share preconditions.
    Diagram(Diagram),
    /// Fields without preconditions.
    Group(Group),
}

/// Fields without preconditions that have equally many values. They include the fields whose preconditions are in no
/// diagram.
#[derive(Debug)]
pub(super) struct Group {
    /// The number of values of each field other than its default.
    pub(super) others: u32,
    /// Whether the fields have infinitely many values, which count as one.
    pub(super) is_infinite: bool,
    pub(super) fields: Vec<DiscreteField>,
    /// With a limit: the ways to set some of the fields, by their number.
    pub(super) ways: Vec<f64>,
}

impl Part {
    /// Returns the number of fields.
    pub(super) const fn len(&self) -> usize {
        match self {
            Self::Diagram(diagram) => diagram.fields.len(),
            Self::Group(group) => group.fields.len(),
        }
    }

    /// Returns the weights of a diagram's nodes; nothing for fields without preconditions.
    pub(super) fn weights(&self, holds: &[bool], limit: Option<usize>) -> Vec<f64> {
        let mut weights = Vec::new();
        if let Self::Diagram(diagram) = self {
            diagram.weigh(holds, limit, &mut weights);
        }
        weights
    }

    /// Returns the ways by number of fields that differ from their defaults, all multiplied by one factor.
    pub(super) fn ways<'w>(&'w self, weights: &'w [f64], limit: Option<usize>) -> &'w [f64] {
        match self {
            Self::Diagram(_) => &weights[..limit.map_or(1, |limit| limit + 1)],
            Self::Group(group) => &group.ways,
        }
    }
}

impl Group {
    /// Returns the number of ways to set `k` of the fields, for each `k` up to `most`, divided by the largest of them if
    /// it is above 2^1000.
    pub(super) fn scaled_ways(&self, most: usize) -> Vec<f64> {
        let count = self.fields.len();
        let mut logarithms = vec![0.0];
        for k in 0..count.min(most) {
            let factor = (count - k) as f64 * f64::from(self.others) / (k + 1) as f64;
            logarithms.push(logarithms[k] + factor.ln());
        }
        let largest = logarithms.iter().copied().fold(0.0, f64::max);
        if largest < 1000.0 * std::f64::consts::LN_2 {
            return powers_of_sum(count, f64::from(self.others), most);
        }
        logarithms.iter().map(|one| (one - largest).exp()).collect()
    }
}

impl Group {
    /// Calls `visit` with each way to set exactly `set` of the fields, or any number if `set` is `None`, to values
    /// other than their defaults.
    pub(super) fn each_way(&self, set: Option<usize>, visit: &mut dyn FnMut(&[FieldChange<'_>])) {
        each_way_from(&self.fields, set, &mut Vec::new(), visit);
    }
}

fn each_way_from<'g>(
    fields: &'g [DiscreteField],
    set: Option<usize>,
    way: &mut Vec<FieldChange<'g>>,
    visit: &mut dyn FnMut(&[FieldChange<'_>]),
) {
    let Some((field, rest)) = fields.split_first() else {
        return visit(way);
    };
    if set.is_none_or(|set| set <= rest.len()) {
        each_way_from(rest, set, way, visit);
    }
    if set != Some(0) {
        for value in (0..field.count).filter(|&value| value != field.default) {
            way.push((field, value));
            each_way_from(rest, set.map(|set| set - 1), way, visit);
            way.pop();
        }
    }
}

/// Returns, for each `k` up to `most`, the number of ways to set `k` of `count` fields, each to one of `values` values.
pub(in super::super) fn powers_of_sum(count: usize, values: f64, most: usize) -> Vec<f64> {
    let next = |(k, choices): &(usize, f64)| {
        let next = (choices * (count - k) as f64 / (k + 1) as f64).round();
        (*k < count.min(most)).then_some((k + 1, next))
    };
    std::iter::successors(Some((0, 1.0)), next)
        .map(|(k, choices)| choices * values.powi(k as i32))
        .collect()
}

/// Returns the ways to set no field.
pub(super) fn one(most: usize) -> Vec<f64> {
    let mut one = vec![0.0; most + 1];
    one[0] = 1.0;
    one
}

/// Returns the ways of two parts together, by number of fields that differ from their defaults, from 0 to `most`.
pub(in super::super) fn product(a: &[f64], b: &[f64], most: usize) -> Vec<f64> {
    let mut product = Vec::new();
    multiply(a, b, most, &mut product);
    product
}

/// Writes the [`product`] of the ways of two parts to `into`.
pub(super) fn multiply(a: &[f64], b: &[f64], most: usize, into: &mut Vec<f64>) {
    into.clear();
    into.resize(most + 1, 0.0);
    for (i, &a) in a.iter().enumerate().filter(|&(_, &a)| a != 0.0) {
        for (to, b) in into.iter_mut().skip(i).zip(b) {
            *to += a * b;
        }
    }
}
