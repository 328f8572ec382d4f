//! Printing of durative actions and timed literals.

use super::layout::Layout;
use super::terms::{Names, typed_variables};
use crate::model::{Domain, DurationBound, DurativeAction, Effect, Formula, TimedLiterals};

impl Domain {
    pub(super) fn durative_section(&self, action: &DurativeAction) -> Layout {
        let names = Names {
            domain: self,
            objects: &self.constants,
            variables: &action.variables,
        };
        let parameters = typed_variables(action.parameters(), self, false);
        let bounds = action.duration.iter().map(|bound| names.bound(bound));
        let conditions = [
            ("at start", &action.start_condition),
            ("over all", &action.invariant),
            ("at end", &action.end_condition),
        ];
        let conditions = conditions
            .into_iter()
            .filter(|(_, formula)| **formula != Formula::TRUE)
            .map(|(time, formula)| Layout::list(time, vec![names.formula(formula)]));
        let effects = [("at start", &action.start_effect), ("at end", &action.end_effect)];
        let effects = effects
            .into_iter()
            .filter(|(_, effect)| **effect != Effect::NOTHING)
            .map(|(time, effect)| Layout::list(time, vec![names.effect(effect)]));
        let parts = vec![
            Layout::word(format!(":parameters ({parameters})")),
            Layout::pair(":duration", together(bounds.collect())),
            Layout::pair(":condition", together(conditions.collect())),
            Layout::pair(":effect", together(effects.collect())),
        ];
        Layout::lines(format!(":durative-action {}", action.name), parts)
    }
}

impl Names<'_> {
    /// `(<= ?duration 3)`
    fn bound(&self, bound: &DurationBound) -> Layout {
        let operands = vec![Layout::word("?duration"), self.expression(&bound.value)];
        let comparison = Layout::list(bound.comparison.symbol(), operands);
        if bound.at_end {
            Layout::list("at end", vec![comparison])
        } else {
            comparison
        }
    }

    /// Returns one element of an initial state for each literal: `(at 9 (p a))`.
    pub(super) fn timed_literals(&self, literals: &TimedLiterals) -> Vec<Layout> {
        let adds = literals.adds.iter().map(|fact| self.fact(fact));
        let deletes = literals.deletes.iter();
        let deletes = deletes.map(|fact| Layout::list("not", vec![self.fact(fact)]));
        let values = literals.values.iter().map(|value| self.value(value));
        let head = format!("at {}", literals.time);
        let timed = |literal| Layout::list(head.clone(), vec![literal]);
        adds.chain(deletes).chain(values).map(timed).collect()
    }
}

/// Returns one part as it is, and several or none in an `and`.
fn together(mut parts: Vec<Layout>) -> Layout {
    if parts.len() == 1 {
        parts.remove(0)
    } else {
        Layout::list("and", parts)
    }
}
