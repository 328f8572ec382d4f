//! Sampling of joint actions.

use herbrand_core::{Choice, FieldDomain, FieldValue, Random, uniform_below, uniform_unit};
use herbrand_distributions::{Family, normal_quantile};

use super::simulator::{Preconditions, RddlSimulator};

/// The maximum number of attempts to sample an allowed joint action.
const ATTEMPTS: usize = 16;

/// The maximum number of times that a disallowed number is moved halfway to its default.
const HALVINGS: usize = 8;

impl RddlSimulator {
    /// Samples a joint action. The number of fields to set is uniform from 0 to the maximum, the choice of fields is
    /// uniform, and each value is uniform over the values other than the default. A number without bounds is normal with
    /// variance 1. A number with a single bound has an exponential distance with mean 1 from it.
    ///
    /// If preconditions are enforced, the fields are set one by one. A field that makes the joint action disallowed is dropped;
    /// a number is first moved halfway to its default up to eight times. If no allowed joint action results, everything is
    /// sampled again, at most sixteen times. If that fails too, the empty joint action is the result.
    ///
    /// Returns whether the result is allowed.
    pub(super) fn draw_joint(&self, random: &mut Random, into: &mut Vec<Choice>) -> bool {
        into.clear();
        for _ in 0..ATTEMPTS {
            if self.draw_once(random, into) {
                return true;
            }
        }
        into.clear();
        self.allows(into)
    }

    fn draw_once(&self, random: &mut Random, into: &mut Vec<Choice>) -> bool {
        self.draw_fields(random, into);
        into.sort_unstable_by_key(|choice| choice.field);
        if self.preconditions() == Preconditions::Reported || self.allows(into) {
            return true;
        }
        self.build_up(into)
    }

    /// Samples which fields to set, by Floyd's sampling of a set (Bentley and Floyd, 1987), and their values.
    fn draw_fields(&self, random: &mut Random, into: &mut Vec<Choice>) {
        into.clear();
        let fields = self.compiled.actions().fields().len() as u32;
        let most = self.compiled.actions().most().min(fields as usize) as u32;
        let count = uniform_below(random, most + 1);
        let mut asides = self.asides();
        asides.begin_joint();
        for last in fields - count..fields {
            let drawn = uniform_below(random, last + 1);
            let field = if asides.mark(drawn) { drawn } else { last };
            asides.mark(field);
            let value = self.draw_value(field, random);
            into.push(Choice { field, value });
        }
    }

    /// Sets the choices of a joint action one by one and drops the disallowed ones. Returns whether the rest is allowed.
    fn build_up(&self, joint: &mut Vec<Choice>) -> bool {
        let wanted = joint.len();
        let mut kept = 0;
        for next in 0..wanted {
            joint.swap(kept, next);
            if self.fit(joint, kept) {
                kept += 1;
            }
        }
        joint.truncate(kept);
        self.allows(joint)
    }

    /// Returns whether the joint action up to index `last` is allowed, moving the last number closer to its default if
    /// necessary.
    fn fit(&self, joint: &mut [Choice], last: usize) -> bool {
        for _ in 0..=HALVINGS {
            if self.allows(&joint[..=last]) {
                return true;
            }
            let choice = &mut joint[last];
            let default = self.compiled.actions().fields()[choice.field as usize].default;
            choice.value = match (choice.value, default) {
                (FieldValue::Real(value), Some(FieldValue::Real(default))) => {
                    FieldValue::Real(0.5 * (value + default))
                }
                (FieldValue::Int(value), Some(FieldValue::Int(default))) => {
                    FieldValue::Int(default + value.saturating_sub(default) / 2)
                }
                _ => return false,
            };
        }
        false
    }

    fn draw_value(&self, field: u32, random: &mut Random) -> FieldValue {
        let field = &self.compiled.actions().fields()[field as usize];
        match (field.domain, field.default) {
            (FieldDomain::Discrete { count }, Some(FieldValue::Discrete(default))) => {
                let drawn = uniform_below(random, count.saturating_sub(1));
                FieldValue::Discrete(drawn + u32::from(drawn >= default && count > 1))
            }
            (FieldDomain::Discrete { count }, _) => FieldValue::Discrete(uniform_below(random, count)),
            (FieldDomain::Int { low, high }, _) => FieldValue::Int(draw_int(low, high, random)),
            (FieldDomain::Real { low, high }, _) => FieldValue::Real(draw_real(low, high, random)),
        }
    }
}

fn draw_int(low: i64, high: i64, random: &mut Random) -> i64 {
    let (lower, upper) = (low == i64::MIN, high == i64::MAX);
    let as_bound = |bound: i64, open: bool, infinity: f64| if open { infinity } else { bound as f64 };
    let (below, above) = (
        as_bound(low, lower, f64::NEG_INFINITY),
        as_bound(high, upper, f64::INFINITY),
    );
    if !lower && !upper {
        // The smallest and the largest integer are as likely as the others.
        return (draw_real(below - 0.5, above + 0.5, random).round() as i64).clamp(low, high);
    }
    (draw_real(below, above, random).round() as i64).clamp(low, high)
}

fn draw_real(low: f64, high: f64, random: &mut Random) -> f64 {
    let u = uniform_unit(random).clamp(1e-16, 1.0 - 1e-16);
    let distance = || Family::Exponential.quantile(u, 1.0, 0.0).unwrap_or(0.0);
    match (low.is_finite(), high.is_finite()) {
        (true, true) => low + u * (high - low),
        (true, false) => low + distance(),
        (false, true) => high - distance(),
        (false, false) => normal_quantile(u),
    }
}
