//! Counts the valid joint actions of a state.

use herbrand_core::{ActionCount, ActionField, Choice, FieldDomain, FieldValue, System as _};

use super::compiled::CompiledInstance;
use super::simulator::RddlSimulator;
use super::valid::{count_others, powers_of_sum, product};

/// The maximum number of joint actions that are tried one by one.
const MOST_TRIED: f64 = 4096.0;

impl CompiledInstance {
    /// Counts the joint actions that set at most `max-nondef-actions` fluents to values other than their defaults, within
    /// their ranges and bounds. Other preconditions are ignored.
    fn count_within_bounds(&self) -> ActionCount {
        let layout = self.actions();
        let mut others: Vec<Option<u64>> = layout
            .fields()
            .iter()
            .map(|field| count_others(field.domain))
            .collect();
        others.sort_unstable();
        let most = layout.most().min(others.len());
        if most > 0 && others.first().is_some_and(Option::is_none) {
            return ActionCount::Infinite;
        }
        // By number of set fluents: the number of ways. Fluents with equally many values are handled together.
        let mut ways = vec![1.0];
        for equal in others.chunk_by(|a, b| a == b) {
            let values = equal[0].unwrap_or(0) as f64;
            let of_these = powers_of_sum(equal.len(), values, most);
            ways = product(&ways, &of_these, most);
        }
        let count: f64 = ways.iter().sum();
        if count.is_finite() {
            ActionCount::Finite(count)
        } else {
            ActionCount::Unknown
        }
    }
}

impl RddlSimulator {
    /// Returns the number of joint actions that are valid in the current state. A valid joint action sets at most
    /// `max-nondef-actions` fluents to values within their ranges and, unless preconditions are ignored, violates no
    /// precondition. The empty joint action counts as well.
    ///
    /// The number is computed from diagrams of the preconditions. If they do not cover all preconditions (see
    /// [`CompiledInstance::samples_exactly`]), up to 4,096 joint actions are tried one by one, and a larger number is
    /// unknown. If a field takes infinitely many values, the number is infinite in the first case and unknown in the
    /// second.
    #[must_use]
    pub fn count_valid(&self) -> ActionCount {
        let compiled = self.compiled();
        if let Some(valid) = self.valid() {
            let mut asides = self.asides();
            match asides.valid.ask(&valid, compiled, self.values()) {
                Some(false) => return ActionCount::Finite(0.0),
                Some(true) => {
                    if let Some(count) = asides.valid.count(&valid) {
                        return count;
                    }
                }
                None => {}
            }
        }
        let within_bounds = compiled.count_within_bounds();
        match within_bounds {
            ActionCount::Finite(count) if count <= MOST_TRIED => {
                let mut valid = 0_u32;
                self.each_tried(&mut |_| valid += 1);
                ActionCount::Finite(f64::from(valid))
            }
            _ => ActionCount::Unknown,
        }
    }

    /// Returns all joint actions that are valid in the current state, each with its choices other than defaults in
    /// ascending order of the fields. `None` if there are more than `limit`, infinitely many included, or if
    /// [`count_valid`](Self::count_valid) does not know their number. Empty if none is valid. Each can be passed to
    /// [`advance`](Self::advance).
    #[must_use]
    pub fn list_valid(&self, limit: usize) -> Option<Vec<Vec<Choice>>> {
        let count = self
            .count_valid()
            .finite()
            .filter(|&count| count <= limit as f64)?;
        let mut list = Vec::with_capacity(count as usize);
        if let Some(valid) = self.valid().filter(|valid| valid.is_exact()) {
            let mut asides = self.asides();
            match asides.valid.ask(&valid, self.compiled(), self.values()) {
                Some(false) => return Some(list),
                Some(true) => {
                    let query = &asides.valid;
                    query.each_joint(&valid, self.compiled(), &mut |joint| list.push(joint));
                    return Some(list);
                }
                None => {}
            }
        }
        self.each_tried(&mut |joint| list.push(joint.to_vec()));
        Some(list)
    }

    /// Calls `visit` with every valid joint action, found by trying all.
    fn each_tried(&self, visit: &mut dyn FnMut(&[Choice])) {
        let layout = self.actions();
        self.try_from(layout.fields(), 0, layout.most(), &mut Vec::new(), visit);
    }

    /// Tries the joint actions that extend `joint` by at most `most` choices of fields from number `first` on.
    fn try_from(
        &self,
        fields: &[ActionField],
        first: usize,
        most: usize,
        joint: &mut Vec<Choice>,
        visit: &mut dyn FnMut(&[Choice]),
    ) {
        if self.permits(joint) {
            visit(joint);
        }
        if most == 0 {
            return;
        }
        for (index, field) in fields.iter().enumerate().skip(first) {
            each_value(field.domain, |value| {
                if field.default != Some(value) {
                    joint.push(Choice {
                        field: index as u32,
                        value,
                    });
                    self.try_from(fields, index + 1, most - 1, joint, visit);
                    joint.pop();
                }
            });
        }
    }
}

/// Calls `visit` with every value of a finite domain. A real domain has only its default here.
fn each_value(domain: FieldDomain, mut visit: impl FnMut(FieldValue)) {
    match domain {
        FieldDomain::Discrete { count } => (0..count).map(FieldValue::Discrete).for_each(visit),
        FieldDomain::Int { low, high } => (low..=high).map(FieldValue::Int).for_each(visit),
        FieldDomain::Real { low, .. } => visit(FieldValue::Real(low)),
    }
}
