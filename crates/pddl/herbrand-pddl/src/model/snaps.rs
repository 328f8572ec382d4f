//! Durative actions as two actions without a duration.

use std::borrow::Cow;

use super::{ActionSchema, Comparison, Domain, DurativeAction, Effect, Expression, Formula, Number};

impl DurativeAction {
    /// Returns the start and the end as ordinary actions of the same name, over the same variables. The start needs the values
    /// of the bounds of the duration, and the end the invariant. Expressions may read `?duration`.
    #[must_use]
    pub fn snap_actions(&self) -> [ActionSchema; 2] {
        let mut start = vec![self.start_condition.clone()];
        let mut end = vec![self.invariant.clone(), self.end_condition.clone()];
        for bound in &self.duration {
            // A comparison holds only if its sides have values. No duration is below 0.
            let least = match bound.comparison {
                Comparison::Greater | Comparison::GreaterOrEqual => bound.value.clone(),
                _ => Expression::Number(Number::ZERO),
            };
            let value = Box::new(bound.value.clone());
            let needed = Formula::Compare(Comparison::GreaterOrEqual, value, Box::new(least));
            if bound.at_end {
                end.push(needed);
            } else {
                start.push(needed);
            }
        }
        let snap = |conditions, effect: &Effect| ActionSchema {
            name: self.name.clone(),
            arity: self.arity,
            variables: self.variables.clone(),
            precondition: Formula::And(conditions),
            effect: effect.clone(),
            agent: None,
            place: self.place,
        };
        [snap(start, &self.start_effect), snap(end, &self.end_effect)]
    }
}

impl Domain {
    /// Returns the domain with the start and the end of each durative action as two further schemas, in its place. A domain
    /// without durative actions stays as it is.
    pub(crate) fn with_snap_actions(&self) -> Cow<'_, Self> {
        if self.durative_actions.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut domain = self.clone();
        for action in std::mem::take(&mut domain.durative_actions) {
            domain.schemas.extend(action.snap_actions());
        }
        Cow::Owned(domain)
    }
}
