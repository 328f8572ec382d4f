//! Which functions change, and which of them only count up.

use herbrand_pddl::{AssignOperator, Assignment, Domain, Effect, Expression, Formula, Function};

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

/// Whether a function is initially zero when the problem does not say otherwise: total cost and reward, whatever reads
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
        formula.walk(&mut |part, _| {
            if let Formula::Compare(_, left, right) = part {
                self.expression(left);
                self.expression(right);
            }
        });
    }

    fn effect(&mut self, effect: &Effect) {
        effect.walk(&mut |part| match part {
            Effect::When(condition, _) => self.formula(condition),
            Effect::Assign(assignment) => self.assignment(assignment),
            _ => {}
        });
    }

    fn assignment(&mut self, assignment: &Assignment) {
        let function = assignment.target.function.index();
        self.changed[function] = true;
        let counts = matches!(
            assignment.operator,
            AssignOperator::Increase | AssignOperator::Decrease
        );
        self.read[function] |= !counts;
        self.expression(&assignment.value);
    }

    fn expression(&mut self, expression: &Expression) {
        expression.walk(&mut |part| {
            if let Expression::Fluent(term) = part {
                self.read[term.function.index()] = true;
            }
        });
    }
}
