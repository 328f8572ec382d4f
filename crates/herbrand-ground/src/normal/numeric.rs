//! Which functions change, and which of them only count up.

use herbrand_pddl::{AssignOperator, Domain, Effect, Expression, Formula, Function, FunctionId};

/// What may change a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FunctionKind {
    /// Nothing: its values are those of the initial state.
    Static,
    /// Effects, and it is part of the state.
    Fluent,
    /// Increases and decreases only, and nothing but the metric reads it: not part of the state.
    Accumulator,
}

/// The kind of each function of a domain.
///
/// Leaving an accumulator out of the state is sound since no condition, no effect and no goal can tell two states
/// apart by it. It has no arguments, so that its initial value is known to exist: zero for `total-cost` and `reward`,
/// which start at zero unless the problem says otherwise.
pub(super) fn kinds(domain: &Domain) -> Vec<FunctionKind> {
    let mut usage = Usage {
        changed: vec![false; domain.functions.len()],
        read: vec![false; domain.functions.len()],
    };
    for schema in &domain.schemas {
        usage.formula(&schema.precondition);
        usage.effect(&schema.effect);
    }
    domain.axioms.iter().for_each(|axiom| usage.formula(&axiom.body));
    let kind = |(index, function): (usize, &Function)| match (usage.changed[index], usage.read[index]) {
        (false, _) => FunctionKind::Static,
        (true, false) if starts_at_zero(function) => FunctionKind::Accumulator,
        (true, _) => FunctionKind::Fluent,
    };
    domain.functions.iter().enumerate().map(kind).collect()
}

/// Whether a function is zero at first when the problem does not say otherwise: total cost and reward, whatever reads
/// or changes them.
pub(crate) fn starts_at_zero(function: &Function) -> bool {
    matches!(function.name.as_str(), "total-cost" | "reward") && function.parameters.is_empty()
}

/// Which functions some effect changes, and which are read by something or changed other than by counting.
struct Usage {
    changed: Vec<bool>,
    read: Vec<bool>,
}

impl Usage {
    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Atom(_) | Formula::Equal(..) => {}
            Formula::Compare(_, left, right) => {
                self.expression(left);
                self.expression(right);
            }
            Formula::Not(inner) | Formula::Forall(_, inner) | Formula::Exists(_, inner) => {
                self.formula(inner)
            }
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| self.formula(part)),
            Formula::Imply(premise, conclusion) => {
                self.formula(premise);
                self.formula(conclusion);
            }
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Add(_) | Effect::Delete(_) => {}
            Effect::And(parts) => parts.iter().for_each(|part| self.effect(part)),
            Effect::Forall(_, inner) => self.effect(inner),
            Effect::When(condition, inner) => {
                self.formula(condition);
                self.effect(inner);
            }
            Effect::Probabilistic(alternatives) => {
                alternatives.iter().for_each(|(_, inner)| self.effect(inner))
            }
            Effect::Assign(assignment) => {
                self.changed[assignment.target.function.index()] = true;
                let counts = matches!(
                    assignment.operator,
                    AssignOperator::Increase | AssignOperator::Decrease
                );
                if !counts {
                    self.see(assignment.target.function);
                }
                self.expression(&assignment.value);
            }
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Number(_) | Expression::Special(_) => {}
            Expression::Fluent(term) => self.see(term.function),
            Expression::Apply(_, operands) => operands.iter().for_each(|operand| self.expression(operand)),
        }
    }

    fn see(&mut self, function: FunctionId) {
        self.read[function.index()] = true;
    }
}
