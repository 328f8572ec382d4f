//! Ground conditions.

use herbrand_datalog::{Model, Symbol};
use herbrand_pddl::{Atom, AtomRef, Comparison, PredicateId};

use super::binding::Binding;
use super::expression::Expressions;
use super::numbering::Numbering;
use super::ranges::Ranges;
use crate::normal::{NormalComparison, NormalConjunction};
use crate::program::{ReachabilityProgram, TruthSource, symbol};
use crate::task::{AtomId, ConditionId, Conditions, GroundComparison, Literal};

/// The model of the relaxed program and the ids of its atoms.
pub(super) struct Grounded<'a> {
    pub(super) reachability: &'a ReachabilityProgram<'a>,
    pub(super) model: &'a Model,
    pub(super) numbering: &'a Numbering,
    pub(super) ranges: Ranges,
}

/// The truth value of a ground atom or condition, as far as it is known.
pub(super) enum Value<T> {
    /// True in every state.
    Always,
    /// False in every reachable state.
    Never,
    /// It depends on the state.
    Depends(T),
}

/// The largest number of literals that are compared pairwise.
const FEW: usize = 16;

/// A ground conjunction under construction.
#[derive(Clone, PartialEq, Default)]
pub(super) struct GroundConjunction {
    pub(super) literals: Vec<Literal>,
    pub(super) comparisons: Vec<GroundComparison>,
}

impl GroundConjunction {
    /// Removes duplicate literals; returns `false` if two literals contradict each other.
    pub(super) fn settle(&mut self) -> bool {
        if self.literals.len() > FEW {
            // For the sake of time, long conjunctions do not keep their order.
            self.literals.sort_unstable();
            self.literals.dedup();
            return self.literals.windows(2).all(|pair| pair[0].negated() != pair[1]);
        }
        let mut kept = 0;
        for index in 0..self.literals.len() {
            let literal = self.literals[index];
            if self.literals[..kept].contains(&literal.negated()) {
                return false;
            }
            if !self.literals[..kept].contains(&literal) {
                self.literals[kept] = literal;
                kept += 1;
            }
        }
        self.literals.truncate(kept);
        true
    }

    pub(super) fn clear(&mut self) {
        self.literals.clear();
        self.comparisons.clear();
    }

    fn is_empty(&self) -> bool {
        self.literals.is_empty() && self.comparisons.is_empty()
    }
}

impl Grounded<'_> {
    /// Returns the truth value of an atom under a binding.
    pub(super) fn atom(&self, atom: &Atom, binding: &Binding) -> Value<AtomId> {
        let arguments = atom.arguments.iter().map(|&term| symbol(binding.object(term)));
        self.value(atom.predicate, arguments)
    }

    /// Returns the truth value of a ground atom.
    pub(super) fn fact(&self, fact: AtomRef<'_>) -> Value<AtomId> {
        self.value(fact.predicate, fact.arguments.iter().copied().map(symbol))
    }

    fn value(
        &self,
        predicate: PredicateId,
        arguments: impl ExactSizeIterator<Item = Symbol>,
    ) -> Value<AtomId> {
        let (mut short, mut long) = ([Symbol::new(0); 8], Vec::new());
        let tuple = if arguments.len() <= short.len() {
            &mut short[..arguments.len()]
        } else {
            long.resize(arguments.len(), Symbol::new(0));
            &mut long[..]
        };
        tuple
            .iter_mut()
            .zip(arguments)
            .for_each(|(cell, argument)| *cell = argument);
        let signature = &self.reachability.signature;
        let relation = signature.relations[predicate.index()];
        if signature.truth_source(predicate) == TruthSource::Static {
            return if self.model.contains(relation, tuple) {
                Value::Always
            } else {
                Value::Never
            };
        }
        match self.model.id(relation, tuple) {
            None => Value::Never,
            Some(fact) => self
                .numbering
                .atom(fact.number())
                .map_or(Value::Always, Value::Depends),
        }
    }

    /// Adds the literals and comparisons of `conjunction` to `ground`; returns `false` if it can never hold.
    pub(super) fn conjunction(
        &self,
        conjunction: &NormalConjunction,
        binding: &Binding,
        expressions: &mut Expressions,
        ground: &mut GroundConjunction,
    ) -> bool {
        let equal = |&(left, right, negated): &_| (binding.object(left) == binding.object(right)) != negated;
        conjunction.equalities.iter().all(equal)
            && conjunction
                .literals
                .iter()
                .all(|(atom, negated)| match (self.atom(atom, binding), negated) {
                    (Value::Always, negated) => !negated,
                    (Value::Never, negated) => *negated,
                    (Value::Depends(atom), negated) => {
                        let literal = Literal::positive(atom);
                        ground
                            .literals
                            .push(if *negated { literal.negated() } else { literal });
                        true
                    }
                })
            && ground.settle()
            && conjunction
                .comparisons
                .iter()
                .all(|one| compare(one, binding, expressions, ground))
    }

    /// Returns the ground disjuncts of a condition, one per binding of the existential variables.
    pub(super) fn condition(
        &self,
        condition: &[NormalConjunction],
        scope: &[herbrand_pddl::Variable],
        binding: &mut Binding,
        expressions: &mut Expressions,
    ) -> Value<Vec<GroundConjunction>> {
        let mut disjuncts: Vec<GroundConjunction> = Vec::new();
        for conjunction in condition {
            let mut always = false;
            self.ranges
                .for_each(&conjunction.existentials, scope, binding, &mut |binding| {
                    let mut ground = GroundConjunction::default();
                    if self.conjunction(conjunction, binding, expressions, &mut ground) {
                        always |= ground.is_empty();
                        if !disjuncts.contains(&ground) {
                            disjuncts.push(ground);
                        }
                    }
                });
            if always {
                return Value::Always;
            }
        }
        if disjuncts.is_empty() {
            Value::Never
        } else {
            Value::Depends(disjuncts)
        }
    }
}

/// The difference of two constants, relative to them, up to which rounding may decide their comparison.
const NEAR: f64 = 1e-9;

/// Adds a comparison to `ground`, or decides it if both sides are constant and not nearly equal; returns `false` if it can never hold.
pub(super) fn compare(
    compared: &NormalComparison,
    binding: &Binding,
    expressions: &mut Expressions,
    ground: &mut GroundConjunction,
) -> bool {
    if let Some(term) = compared.defined_term()
        && expressions.starts_with_value(term, binding)
    {
        return !compared.negated;
    }
    let left = expressions.expression(&compared.left, binding);
    let right = expressions.expression(&compared.right, binding);
    let holds = match (expressions.constant(left), expressions.constant(right)) {
        (Some(None), _) | (_, Some(None)) => Some(false),
        // Rounding may decide, so the users of the task have to see the comparison.
        (Some(Some(a)), Some(Some(b))) if a != b && (a - b).abs() <= NEAR * a.abs().max(b.abs()) => None,
        (Some(Some(a)), Some(Some(b))) => Some(match compared.comparison {
            Comparison::Less => a < b,
            Comparison::LessOrEqual => a <= b,
            Comparison::Equal => a == b,
            Comparison::GreaterOrEqual => a >= b,
            Comparison::Greater => a > b,
        }),
        _ => None,
    };
    if let Some(holds) = holds {
        return holds != compared.negated;
    }
    let (comparison, negated) = (compared.comparison, compared.negated);
    ground.comparisons.push(GroundComparison {
        comparison,
        left,
        right,
        negated,
    });
    true
}

/// Writes ground disjuncts as a condition.
pub(super) fn write(conditions: &mut Conditions, disjuncts: Vec<GroundConjunction>) -> ConditionId {
    for conjunction in disjuncts {
        conditions.conjunction(conjunction.literals, conjunction.comparisons);
    }
    conditions.finish()
}
