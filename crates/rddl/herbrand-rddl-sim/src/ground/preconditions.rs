//! Lowers the preconditions of a problem apart from its step, for the set of its valid joint actions.

use std::collections::HashSet;

use fxhash::FxBuildHasher;
use herbrand_dataflow::{NodeId, Operation, ValueType};
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_rddl::{Node, PvariableKind};

use super::bounds::{fluent_bounds, intervals, not_bounds};
use super::compile::Compiler;
use super::guard::Guards;
use super::invariants::state_bounds;
use super::lower::Lowering;
use super::templates::Templates;
use crate::simulate::{CompiledInstance, GroundFluents, PreconditionGraph, Values};

/// Lowers the action preconditions, as one expression per ground condition. Returns `None` if they cannot be lowered.
pub(super) fn lower_conditions(
    compiled: &CompiledInstance,
    budget: &Budget,
) -> Result<Option<PreconditionGraph>, BudgetExhausted> {
    let instance = &compiled.instance;
    let domain = &instance.domain;
    let guards = match Guards::of(instance, &budget.rest(0)) {
        Ok(guards) => guards,
        Err(_) => return budget.check("compiling", 0).map(|()| None),
    };
    let meter = budget.meter("compiling the valid actions");
    let mut compiler = Compiler::new(
        instance,
        Lowering::new(instance, &guards, Templates::Never, meter),
    );
    let mut reads_computed = false;
    for condition in domain.preconditions.iter().chain(&domain.constraints) {
        condition.body.walk(&mut |part| {
            if let Node::Fluent(id, ..) = part.node {
                reads_computed |= matches!(
                    domain.pvariable(id).kind,
                    PvariableKind::Interm | PvariableKind::Derived
                );
            }
        });
    }
    if reads_computed {
        compiler.functions();
    }
    let preconditions = compiler.preconditions();
    // Lowering all functions once more is not worth it for a large problem.
    let state_bounds = if compiled.tape().len() <= MOST_LOWERED_AGAIN && reads_ints(&compiler, &preconditions)
    {
        if !reads_computed {
            compiler.functions();
        }
        reachable_bounds(compiled, &compiler, budget)?
    } else {
        Vec::new()
    };
    let Compiler {
        mut lowering,
        layout,
        action,
        ..
    } = compiler;
    lowering.meter.check()?;
    let graph = lowering.graph;
    if graph.is_full() {
        return Ok(None);
    }
    // The layout's bounds are wider than those of the preconditions if a default is outside them.
    let of_actions = fluent_bounds(&graph, &preconditions, &action, true);
    let conjuncts = if are_within(&action, &compiled.defaults, &of_actions) {
        not_bounds(&graph, &preconditions, &action).collect()
    } else {
        preconditions
    };
    Ok(Some(PreconditionGraph {
        graph,
        layout,
        conjuncts,
        bounds: state_bounds,
        bounds_of: |graph, conditions, fluents| fluent_bounds(graph, conditions, fluents, true),
    }))
}

/// The maximum number of instructions of a step whose functions are lowered again for bounds of its state.
const MOST_LOWERED_AGAIN: usize = 100_000;

/// Returns for each state fluent an interval of its values in all states that are reached from the initial state and break
/// no invariant.
fn reachable_bounds(
    compiled: &CompiledInstance,
    compiler: &Compiler<'_>,
    budget: &Budget,
) -> Result<Vec<(f64, f64)>, BudgetExhausted> {
    let Ok(mut bounds) = state_bounds(compiled, budget) else {
        return budget.check("compiling", 0).map(|()| Vec::new());
    };
    let section = &compiled.state.section;
    for &(pvariable, first) in &compiled.state.pvariables {
        let nodes = compiler.lowering.next[pvariable.index()].each();
        let next = intervals(&compiler.lowering.graph, nodes.iter().copied());
        for (fluent, (low, high)) in (first..).zip(next) {
            let initial = section.get(&compiled.initial, fluent).number();
            let bound = &mut bounds[fluent];
            *bound = (bound.0.max(low.min(initial)), bound.1.min(high.max(initial)));
        }
    }
    Ok(bounds)
}

/// Returns whether each default is within its bounds. A default outside them is in the action layout but not valid.
pub(super) fn are_within(action: &GroundFluents, defaults: &Values, bounds: &[(f64, f64)]) -> bool {
    (0..action.len()).all(|at| {
        let (low, high) = bounds[at];
        (low..=high).contains(&action.section.get(defaults, at).number())
    })
}

/// Returns whether one of the nodes depends on an int state fluent.
fn reads_ints(compiler: &Compiler<'_>, nodes: &[NodeId]) -> bool {
    let (graph, section) = (&compiler.lowering.graph, &compiler.state.section);
    let ints: HashSet<u32, FxBuildHasher> = (0..compiler.state.len())
        .filter(|&at| section.kind(at) == ValueType::Int)
        .map(|at| section.register(at))
        .collect();
    let of_state = |node: &NodeId| match *graph.operation(*node) {
        Operation::Input(register) => node.kind() == ValueType::Int && ints.contains(&register),
        _ => false,
    };
    graph.needed(nodes.iter().copied()).iter().any(of_state)
}
