//! Resolution of sketches to effects.

use super::scope::{Scope, Standing};
use super::sketch::EffectSketch;
use crate::model::{AssignOperator, Assignment, Effect, PredicateId};

impl Scope<'_> {
    /// Returns the effect described by the sketch. It adds and deletes only atoms whose predicate satisfies `target`.
    pub(super) fn effect(&mut self, sketch: &EffectSketch, target: &dyn Fn(PredicateId) -> bool) -> Effect {
        match sketch {
            EffectSketch::Add(atom) => self.atom(atom, target).map_or(Effect::NOTHING, Effect::Add),
            EffectSketch::Delete(atom) => self.atom(atom, target).map_or(Effect::NOTHING, Effect::Delete),
            EffectSketch::Assign(operator, term, value) => {
                let Some(target) = self.function_term(term, |_| true) else {
                    return Effect::NOTHING;
                };
                // `total-cost` and `reward` are only ever increased.
                let function = self.domain.function(target.function);
                let counts = matches!(function.name.as_str(), "total-cost" | "reward");
                Effect::Assign(Assignment {
                    operator: if counts {
                        AssignOperator::Increase
                    } else {
                        *operator
                    },
                    target,
                    value: self.expression(value),
                })
            }
            EffectSketch::And(parts) => {
                Effect::And(parts.iter().map(|part| self.effect(part, target)).collect())
            }
            EffectSketch::Forall(variables, inner) => {
                let (bound, inner) = self.within(variables, |this| this.effect(inner, target));
                Effect::Forall(bound, Box::new(inner))
            }
            EffectSketch::When(condition, inner) => {
                let condition = self.formula(condition, Standing::default());
                Effect::When(condition, Box::new(self.effect(inner, target)))
            }
            EffectSketch::Probabilistic(chance) => {
                Effect::Probabilistic(chance.resolve(|inner| self.effect(inner, target)))
            }
        }
    }
}
