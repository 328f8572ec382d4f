//! The initial state, and the functions that change in this problem.

use std::sync::Arc;

use herbrand_pddl::{AssignOperator, Domain, Expression, FunctionId, InitialChance, InitialOutcome, Problem};

use super::Output;
use super::binding::Binding;
use super::condition::{Grounded, Value};
use crate::normal::{FunctionKind, NormalDomain, NormalGoal};
use crate::program::{TruthSource, for_each_outcome};
use crate::task::{AtomId, Block, BlockId, ChanceId, Distribution, GroundAssignment};

/// Returns the fluent atoms that are initially true, ascending.
pub(super) fn atoms(grounded: &Grounded<'_>) -> Vec<AtomId> {
    let signature = &grounded.reachability.signature;
    let fluents = signature
        .problem
        .init
        .iter()
        .filter(|fact| signature.truth_source(fact.predicate) == TruthSource::Fluent);
    let mut atoms: Vec<_> = fluents.filter_map(|fact| atom(grounded, fact)).collect();
    atoms.sort_unstable();
    atoms.dedup();
    atoms
}

/// Returns the block of draws that are made before the first step.
pub(super) fn chance(grounded: &Grounded<'_>, chances: &[InitialChance], output: &mut Output) -> BlockId {
    let draws = draws(grounded, chances, output);
    output.effects.block(Block {
        draws: &draws,
        ..Block::default()
    })
}

fn draws(grounded: &Grounded<'_>, chances: &[InitialChance], output: &mut Output) -> Vec<ChanceId> {
    let mut draws = Vec::new();
    for chance in chances {
        let alternatives = &chance.alternatives;
        let possible = || {
            alternatives
                .iter()
                .filter(|(probability, _)| !probability.is_zero())
        };
        if possible().next().is_none() {
            continue;
        }
        let distribution = Distribution::of(possible().map(|(probability, _)| *probability));
        let blocks: Vec<_> = possible()
            .map(|(_, out)| outcome(grounded, out, output))
            .collect();
        draws.push(output.effects.chance(Arc::new(distribution), blocks));
    }
    draws
}

fn outcome(grounded: &Grounded<'_>, outcome: &InitialOutcome, output: &mut Output) -> BlockId {
    let mut adds: Vec<_> = outcome
        .facts
        .iter()
        .filter_map(|fact| atom(grounded, fact))
        .collect();
    adds.sort_unstable();
    adds.dedup();
    let assignments = outcome.values.iter().map(|value| GroundAssignment {
        operator: AssignOperator::Assign,
        target: output.expressions.numeric(value.function, &value.arguments),
        value: output
            .expressions
            .expression(&Expression::Number(value.value), &Binding::new(0)),
    });
    let assignments = assignments.collect::<Vec<_>>();
    let draws = draws(grounded, &outcome.chances, output);
    output.effects.block(Block {
        adds: &adds,
        assignments: &assignments,
        draws: &draws,
        ..Block::default()
    })
}

fn atom(grounded: &Grounded<'_>, fact: herbrand_pddl::AtomRef<'_>) -> Option<AtomId> {
    match grounded.fact(fact) {
        Value::Depends(id) => Some(id),
        Value::Always | Value::Never => None,
    }
}

/// Returns the function that accumulates the reward, and the reward for entering a goal state. If both are `None`, the goal
/// reward is 1 and there are no other rewards.
///
/// A `reward` that nothing changes does not count. If the problem has rewards, a goal without a stated reward yields 0.
pub(crate) fn rewards(
    domain: &Domain,
    problem: &Problem,
    kinds: &[FunctionKind],
) -> (Option<FunctionId>, Option<f64>) {
    let stated = problem.goal_reward.map(herbrand_pddl::Number::value);
    if !problem.has_rewards(domain) {
        return (None, stated);
    }
    let counter = domain
        .find_function("reward")
        .filter(|&id| domain.function(id).parameters.is_empty() && kinds[id.index()] != FunctionKind::Static);
    (counter, stated.or(Some(0.0).filter(|_| counter.is_none())))
}

/// Returns the kind of each function in this problem. It is the domain's kind, except that a function that initial chance
/// sets is a fluent, and an accumulator that the goal reads is a fluent too.
pub(crate) fn function_kinds(
    normal: &NormalDomain,
    goal: &NormalGoal,
    problem: &Problem,
) -> Vec<FunctionKind> {
    let mut kinds = normal.functions.clone();
    for_each_outcome(&problem.chances, &mut |outcome| {
        outcome
            .values
            .iter()
            .for_each(|value| kinds[value.function.index()] = FunctionKind::Fluent);
    });
    let bodies = goal
        .condition
        .iter()
        .chain(goal.axioms.iter().map(|axiom| &axiom.body));
    for comparison in bodies.flat_map(|body| &body.comparisons) {
        for side in [&comparison.left, &comparison.right] {
            mark_read(side, &mut kinds);
        }
    }
    kinds
}

fn mark_read(expression: &Expression, kinds: &mut [FunctionKind]) {
    expression.walk(&mut |part| {
        if let Expression::Fluent(term) = part
            && kinds[term.function.index()] == FunctionKind::Accumulator
        {
            kinds[term.function.index()] = FunctionKind::Fluent;
        }
    });
}
