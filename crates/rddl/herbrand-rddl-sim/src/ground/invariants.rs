//! Bounds of numeric state fluents, derived from state invariants.

use herbrand_limits::{Budget, deep};
use herbrand_rddl::{PvariableKind, Range};

use super::bounds::fluent_bounds;
use super::compile::CompileError;
use super::guard::Guards;
use super::lower::Lowering;
use super::templates::Templates;
use super::values::Values;
use crate::simulate::CompiledInstance;

/// Returns for each ground state fluent, by index, the interval of values that the state invariants allow, as its lower and
/// upper end. Unlimited ends are infinite. The indices are those of [`CompiledInstance::state`]. A strict comparison of
/// reals gives its limit as the end. Invariants that contradict each other can give a lower end above the upper end.
///
/// Only invariants of these forms give bounds: comparisons of a fluent, or of a sum, difference or multiple of fluents, with
/// an expression whose bounds are known. The bounds of actions in [`CompiledInstance::actions`] are derived from
/// preconditions in the same way. The initial state may still violate an invariant, and so may the state after a step; an
/// episode is truncated there.
///
/// # Errors
/// Fails if the budget is exhausted, or the guards of aggregations have too many tuples.
pub fn state_bounds(compiled: &CompiledInstance, budget: &Budget) -> Result<Vec<(f64, f64)>, CompileError> {
    deep(|| bounds(compiled, budget))
}

fn bounds(compiled: &CompiledInstance, budget: &Budget) -> Result<Vec<(f64, f64)>, CompileError> {
    let instance = &compiled.instance;
    let domain = &instance.domain;
    let guards = Guards::of(instance, &budget.rest(0))?;
    let meter = budget.meter("state bounds");
    // Invariants are lowered one by one, so that bounds can be derived from them.
    let mut lowering = Lowering::new(instance, &guards, Templates::Never, meter);
    let section = compiled.state.section();
    for &(pvariable, first) in &compiled.state.pvariables {
        if instance.count(pvariable) > 0 {
            lowering.now[pvariable.index()] = lowering.inputs(pvariable, section.register(first));
        }
    }
    for &id in domain.levels.iter().flatten() {
        let cpf = domain.cpf(id);
        let head = domain.pvariable(cpf.head);
        if head.kind != PvariableKind::Derived {
            continue;
        }
        lowering.begin(&cpf.formula);
        let value = |number| {
            let items = instance.arguments(cpf.head, number);
            lowering.formula(&cpf.formula, &items, head.range)
        };
        let values = (0..instance.count(cpf.head)).map(value).collect();
        lowering.now[cpf.head.index()] = Values::Each(values);
    }
    let mut holds = Vec::new();
    for invariant in &domain.invariants {
        lowering.begin(invariant);
        holds.push(lowering.formula(invariant, &[], Range::Bool));
    }
    lowering.meter.check()?;
    Ok(fluent_bounds(&lowering.graph, &holds, &compiled.state, false))
}
