//! The classification of functions by how they change and who reads them.

use herbrand_pddl::{AssignOperator, Assignment, Domain, Effect, Expression, Formula, Function};

/// Whether the values of a function change in a domain, and who reads them: an element of
/// [`NormalDomain::functions`](crate::NormalDomain::functions) and
/// [`LiftedTask::functions`](crate::LiftedTask::functions).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FunctionKind {
    /// They never change: the values are those of the initial state.
    Static,
    /// Effects change them, and conditions or effects may read them. They are part of the state.
    Fluent,
    /// Effects only increase and decrease them, and only the metric reads them. They are not part of the state.
    Accumulator,
}

/// Returns the kind of each function of a domain.
///
/// Leaving an accumulator out of the state is sound, because no condition, effect or goal reads it. Accumulators have no
/// arguments and always have an initial value: they are `total-cost` and `reward`, which are zero by default.
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

/// Returns whether a function is zero by default in the initial state: `total-cost` and `reward` are, however they are used.
pub(crate) fn starts_at_zero(function: &Function) -> bool {
    matches!(function.name.as_str(), "total-cost" | "reward") && function.parameters.is_empty()
}

/// The functions that some effect changes, and the functions that rule out an accumulator: they are read, or an operator
/// other than increase and decrease changes them.
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
