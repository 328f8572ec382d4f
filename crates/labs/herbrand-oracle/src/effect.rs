//! Effects of actions.

use std::collections::BTreeMap;

use herbrand_pddl::{AssignOperator, Effect, Formula, InitialOutcome};
use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::chance::{Distribution, choice, nothing, product};
use crate::error::OracleError;
use crate::oracle::Oracle;
use crate::state::{GroundAtom, GroundTerm, OracleState, OracleValue};
use crate::world::{Binding, Interpretation, NoValue};

/// An elementary change of the state.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Add(GroundAtom),
    Delete(GroundAtom),
    Assign(GroundTerm, AssignOperator, f64),
}

impl Interpretation<'_> {
    /// Returns the distribution of the changes that `effect` makes.
    pub(crate) fn changes(
        &self,
        effect: &Effect,
        binding: &mut Binding<'_>,
    ) -> Result<Distribution<Change>, OracleError> {
        let certain = |change| Ok(vec![(1.0, vec![change])]);
        match effect {
            Effect::Add(atom) => certain(Change::Add(binding.atom(atom))),
            Effect::Delete(atom) => certain(Change::Delete(binding.atom(atom))),
            Effect::Assign(assignment) => {
                let target = binding.term(&assignment.target);
                match self.value(&assignment.value, binding) {
                    Ok(value) => certain(Change::Assign(target, assignment.operator, value)),
                    Err(fault) => Err(self.oracle.fault(&target, fault)),
                }
            }
            Effect::And(parts) => {
                let mut all = nothing();
                for part in parts {
                    all = product(&all, &self.changes(part, binding)?)?;
                }
                Ok(all)
            }
            Effect::Forall(variables, inner) => {
                let mut all = nothing();
                for mut each in self.satisfying(variables, &Formula::TRUE, binding) {
                    all = product(&all, &self.changes(inner, &mut each)?)?;
                }
                Ok(all)
            }
            Effect::When(condition, inner) if self.holds(condition, binding) => self.changes(inner, binding),
            Effect::When(..) => Ok(nothing()),
            Effect::Probabilistic(alternatives) => choice(alternatives, |inner| self.changes(inner, binding)),
        }
    }
}

/// Returns the distribution of the changes that an alternative of an initial state makes.
pub(crate) fn initial_changes(outcome: &InitialOutcome) -> Result<Distribution<Change>, OracleError> {
    let facts = outcome.facts.iter().map(|fact| Change::Add(fact.into()));
    let values = outcome.values.iter().map(|value| {
        let term = GroundTerm {
            function: value.function,
            arguments: value.arguments.clone(),
        };
        Change::Assign(term, AssignOperator::Assign, value.value.value())
    });
    let mut all = vec![(1.0, facts.chain(values).collect())];
    for chance in &outcome.chances {
        all = product(&all, &choice(&chance.alternatives, initial_changes)?)?;
    }
    Ok(all)
}

impl Oracle<'_> {
    /// Returns the state after simultaneous changes: deletes, then adds, and the numeric effects of each term combined.
    pub(crate) fn successor(
        &self,
        state: &OracleState,
        changes: &[Change],
    ) -> Result<OracleState, OracleError> {
        let mut successor = state.clone();
        let mut assignments: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for change in changes {
            match change {
                Change::Delete(atom) => {
                    successor.atoms.remove(atom);
                }
                Change::Assign(term, operator, value) => {
                    assignments.entry(term).or_default().push((*operator, *value));
                }
                Change::Add(_) => {}
            }
        }
        for change in changes {
            if let Change::Add(atom) = change {
                successor.atoms.insert(atom.clone());
            }
        }
        for (term, effects) in assignments {
            let before = state.values.get(term).copied();
            let value = self.combine(term, before, &effects)?;
            successor.values.insert(term.clone(), value);
        }
        Ok(successor)
    }

    /// Returns the value of a term after all numeric effects on it. It is computed exactly and rounded once.
    #[expect(
        clippy::float_cmp,
        reason = "assignments agree only when they give the very same value"
    )]
    fn combine(
        &self,
        term: &GroundTerm,
        before: Option<OracleValue>,
        effects: &[(AssignOperator, f64)],
    ) -> Result<OracleValue, OracleError> {
        use AssignOperator::{Assign, Decrease, Increase, ScaleDown, ScaleUp};
        let all = |kinds: &[AssignOperator]| effects.iter().all(|(operator, _)| kinds.contains(operator));
        let undefined = || self.fault(term, NoValue::Undefined);
        let old = || before.map(OracleValue::get).ok_or_else(undefined);
        let result = if all(&[Assign]) {
            let (_, first) = *effects.first().ok_or_else(undefined)?;
            if effects.iter().any(|&(_, value)| value != first) {
                return Err(OracleError::Conflict(self.term_text(term)));
            }
            first
        } else if all(&[Increase, Decrease]) {
            effects
                .iter()
                .fold(exact(old()?), |sum, &(operator, value)| {
                    if operator == Increase {
                        sum + exact(value)
                    } else {
                        sum - exact(value)
                    }
                })
                .to_f64()
                .unwrap_or(f64::INFINITY)
        } else if all(&[ScaleUp, ScaleDown]) {
            if effects
                .iter()
                .any(|&(operator, value)| operator == ScaleDown && value == 0.0)
            {
                return Err(self.fault(term, NoValue::DivisionByZero));
            }
            effects
                .iter()
                .fold(exact(old()?), |product, &(operator, value)| {
                    if operator == ScaleUp {
                        product * exact(value)
                    } else {
                        product / exact(value)
                    }
                })
                .to_f64()
                .unwrap_or(f64::INFINITY)
        } else {
            return Err(OracleError::Conflict(self.term_text(term)));
        };
        OracleValue::new(result).ok_or_else(|| self.fault(term, NoValue::Overflow))
    }

    fn fault(&self, target: &GroundTerm, fault: NoValue) -> OracleError {
        let target = self.term_text(target);
        match fault {
            NoValue::Undefined => OracleError::Undefined(target),
            NoValue::DivisionByZero => OracleError::DivisionByZero(target),
            NoValue::Overflow => OracleError::Overflow(target),
        }
    }
}

/// Returns a finite number as an exact fraction.
fn exact(number: f64) -> BigRational {
    BigRational::from_float(number).unwrap_or_default()
}
