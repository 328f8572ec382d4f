//! The instantiation: makes the ground task from the relaxed model and the recorded firings.

mod action;
mod axiom;
mod binding;
mod condition;
mod effect;
mod expression;
mod initial;
mod numbering;
mod order;
mod ranges;
mod recorder;

use std::sync::Arc;

use herbrand_datalog::Model;
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_pddl::{AtomList, Domain, PredicateKind, Problem};

use crate::normal::{NormalDomain, NormalGoal};
use crate::program::{ReachabilityProgram, TruthSource};
use crate::task::{
    BlockParts, Conditions, Effects, GroundActions, GroundTask, PredicateDeclaration, Signature, Vocabulary,
};
use binding::Binding;
use condition::{Grounded, Value};
use expression::Expressions;
use numbering::Numbering;
use ranges::Ranges;

pub(crate) use initial::{function_kinds, rewards};
pub(crate) use recorder::Recorder;

/// The input of the instantiation.
pub(crate) struct Input<'a> {
    pub(crate) normal: &'a NormalDomain,
    pub(crate) goal: &'a NormalGoal,
    pub(crate) reachability: &'a ReachabilityProgram<'a>,
    pub(crate) model: &'a Model,
    /// The stratum of each axiom.
    pub(crate) strata: &'a [u32],
    pub(crate) budget: &'a Budget,
}

/// The lists of the task under construction.
struct Output {
    expressions: Expressions,
    conditions: Conditions,
    effects: Effects,
    spare: Vec<BlockParts>,
}

/// Makes the ground task from the firings recorded during the evaluation of the relaxed program.
///
/// # Errors
/// If the budget is exhausted.
pub(crate) fn instantiate(input: &Input<'_>, mut recorder: Recorder) -> Result<GroundTask, BudgetExhausted> {
    let signature = &input.reachability.signature;
    let (domain, problem) = (signature.domain, signature.problem);
    let numbering = Numbering::of(input.reachability, input.model);
    let schemas = input.normal.schemas.iter().map(|schema| &*schema.scope);
    let meter = input.budget.meter("writing the ground task");
    let ranges = Ranges::of(signature, schemas.chain([&*input.goal.scope]), meter);
    let grounded = Grounded {
        reachability: input.reachability,
        model: input.model,
        numbering: &numbering,
        ranges,
    };
    let kinds = initial::function_kinds(input.normal, input.goal, problem);
    let (counter, goal_reward) = rewards(domain, problem, &kinds);
    let mut output = Output {
        expressions: Expressions::new(domain, problem, kinds),
        conditions: Conditions::default(),
        effects: Effects::default(),
        spare: Vec::new(),
    };
    let mut actions = GroundActions::default();
    for index in 0..input.normal.schemas.len() {
        action::instantiate_schema(input, &mut recorder, &grounded, index, &mut output, &mut actions);
        grounded.ranges.check()?;
    }
    let (axioms, stratum_ends) = axiom::instantiate(input, recorder, &grounded, &mut output);
    let goal = goal(input, &grounded, &mut output);
    grounded.ranges.check()?;
    let initial = initial::atoms(&grounded);
    let initial_chance = initial::chance(&grounded, &problem.chances, &mut output);
    let nothing = Binding::new(0);
    let metric = problem.metric.as_ref();
    let metric = metric.map(|m| {
        (
            m.direction,
            output.expressions.expression(&m.expression, &nothing),
        )
    });
    let reward = counter.map(|function| output.expressions.numeric(function, &[]));
    let Output {
        expressions,
        conditions,
        mut effects,
        ..
    } = output;
    let (numerics, state_numerics, expressions, renumbering) = expressions.finish(&mut effects);
    Ok(GroundTask {
        vocabulary: Arc::new(vocabulary(domain, problem, input.normal, input.goal)),
        statics: statics(input, &numbering),
        fluents: numbering.fluents,
        atoms: numbering.table,
        numerics,
        state_numerics,
        expressions,
        conditions,
        effects,
        actions,
        axioms,
        strata: stratum_ends,
        initial,
        initial_chance,
        goal,
        reward: reward.map(|id| renumbering.id(id)),
        goal_reward,
        metric,
    })
}

fn goal(input: &Input<'_>, grounded: &Grounded<'_>, output: &mut Output) -> crate::task::ConditionId {
    let scope = &input.goal.scope;
    let mut binding = Binding::new(scope.len());
    match grounded.condition(
        &input.goal.condition,
        scope,
        &mut binding,
        &mut output.expressions,
    ) {
        Value::Never => output.conditions.finish(),
        Value::Always => {
            output.conditions.conjunction([], []);
            output.conditions.finish()
        }
        Value::Depends(disjuncts) => condition::write(&mut output.conditions, disjuncts),
    }
}

/// Returns the atoms that are true in every state: first the problem's facts of static predicates, then derived atoms.
fn statics(input: &Input<'_>, numbering: &Numbering) -> AtomList {
    let signature = &input.reachability.signature;
    let mut statics = AtomList::default();
    for fact in signature.problem.init.iter() {
        let is_action = signature.domain.predicate(fact.predicate).kind == PredicateKind::Action;
        if signature.truth_source(fact.predicate) == TruthSource::Static && !is_action {
            statics.push(fact.predicate, fact.arguments);
        }
    }
    for fact in numbering.static_derived.iter() {
        if fact.predicate.index() < signature.domain.predicates.len() {
            statics.push(fact.predicate, fact.arguments);
        }
    }
    statics
}

/// Returns the names of the domain, the problem, and the auxiliary predicates.
pub(crate) fn vocabulary(
    domain: &Domain,
    problem: &Problem,
    normal: &NormalDomain,
    goal: &NormalGoal,
) -> Vocabulary {
    let mut vocabulary = Vocabulary::of(domain, problem);
    for auxiliary in normal.auxiliaries.iter().chain(&goal.auxiliaries) {
        vocabulary.predicates.push(PredicateDeclaration {
            signature: Signature {
                name: auxiliary.name.clone(),
                parameters: auxiliary.parameters.clone(),
            },
            kind: PredicateKind::Derived,
            auxiliary: true,
        });
    }
    vocabulary
}
