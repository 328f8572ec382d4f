//! Comparison of compiled domains with the engine: reachable facts, and the derived atoms and applicable actions along
//! random walks.

use std::ops::ControlFlow;

use herbrand_datalog::{Evaluator, Firing, RelationId};
use herbrand_ground::{GroundOptions, NormalDomain, RelaxedProgram, ground};
use herbrand_limits::Budget;
use herbrand_pddl::{Domain, FunctionTerm, PredicateKind, Problem, Term};
use herbrand_step::Random;

use crate::pair::{Pair, numbers};
use crate::subject::{Compiled, Things, named};

/// The number of steps of a walk.
const STEPS: usize = 25;

/// Compares the results of `C` with those of the engine for each problem. The index of a problem is the seed of its walk.
pub fn check<C: Compiled>(domain: &str, problems: &[String]) {
    let domain = Domain::from_text(domain).expect("the engine takes it");
    for (text, seed) in problems.iter().zip(0..) {
        let problem = Problem::from_text(text, &domain).expect("the engine takes it");
        let pair = Pair::<C>::of(&domain, &problem);
        check_reachable(&pair);
        check_walk(&pair, seed);
    }
}

/// Checks that the relaxed program has the same atoms, that it has the same actions but for those that may read a function
/// without a value, and that the ground task has no other actions.
fn check_reachable<C: Compiled>(pair: &Pair<'_, C>) {
    let (atoms, actions) = pair.compiled.reachable();
    let normal = NormalDomain::of(pair.domain);
    let relaxed = RelaxedProgram::of(pair.domain, &normal, pair.problem, &Budget::unlimited());
    let relaxed = relaxed.expect("the engine takes it");
    let mut fired = Things::new();
    let mut sink = |firing: &Firing<'_>| {
        if let Some(schema) = relaxed.schemas[firing.rule.index()] {
            let schema = pair.domain.schema(schema);
            let arguments = firing.binding[..schema.arity as usize]
                .iter()
                .map(|symbol| symbol.number());
            fired.insert((schema.name.to_string(), arguments.collect()));
        }
        ControlFlow::Continue(())
    };
    let model = Evaluator::new(&relaxed.program)
        .expect("the engine takes it")
        .run(&relaxed.facts, &mut sink)
        .expect("the engine takes it");
    let mut expected = Things::new();
    for (predicate, relation) in pair.domain.predicates.iter().zip((0..).map(RelationId::new)) {
        if predicate.kind != PredicateKind::Action {
            let tuples = model
                .tuples(relation)
                .map(|tuple| tuple.iter().map(|symbol| symbol.number()).collect());
            expected.extend(tuples.map(|tuple| (predicate.name.to_string(), tuple)));
        }
    }
    assert_eq!(atoms, expected, "reachable atoms of {}", pair.problem.name);
    assert_eq!(pair.compiled.count_reachable(), actions.len());
    // The relaxed program of the engine knows which static functions have no value; a compiled domain does not.
    for action in actions.difference(&fired) {
        assert!(
            lacks_a_value(pair, &normal, action),
            "{action:?} is not reachable in {}",
            pair.problem.name
        );
    }
    assert!(
        fired.is_subset(&actions),
        "reachable actions of {}",
        pair.problem.name
    );

    let task = ground(pair.domain, pair.problem, &GroundOptions::default()).expect("the engine takes it");
    for action in task.actions.ids().map(|id| task.actions.get(id)) {
        let schema = pair.domain.schema(action.schema).name.to_string();
        let action = (schema, numbers(action.arguments));
        assert!(
            actions.contains(&action),
            "{action:?} is an action of {}",
            pair.problem.name
        );
    }
}

/// Returns whether every disjunct of an action's precondition reads a function of the action's arguments that has no initial
/// value.
fn lacks_a_value<C: Compiled>(
    pair: &Pair<'_, C>,
    normal: &NormalDomain,
    (name, arguments): &(String, Vec<u32>),
) -> bool {
    let is_missing = |term: &FunctionTerm| {
        let objects = term.arguments.iter().map(|argument| match argument {
            Term::Variable(variable) => arguments.get(variable.index()).copied(),
            Term::Object(object) => Some(object.number()),
        });
        let objects: Option<Vec<u32>> = objects.collect();
        let mut values = pair.problem.values.iter();
        objects.is_some_and(|objects| {
            !values.any(|value| value.function == term.function && numbers(&value.arguments) == objects)
        })
    };
    let mut schemas = normal.schemas.iter();
    let schema = schemas.find(|schema| pair.domain.schema(schema.schema).name.as_str() == name);
    schema.is_some_and(|schema| {
        let mut disjuncts = schema.precondition.iter();
        disjuncts.all(|disjunct| {
            let mut terms = disjunct
                .comparisons
                .iter()
                .filter_map(|comparison| comparison.defined_term());
            terms.any(is_missing)
        })
    })
}

/// Checks that every state of a walk has the same derived atoms and applicable actions.
fn check_walk<C: Compiled>(pair: &Pair<'_, C>, seed: u64) {
    let mut rng = Random::new(seed);
    let mut walker = pair.simulator.walker().expect("a state within the limits");
    walker.reset(&mut rng).expect("the engine takes it");
    for _ in 0..STEPS {
        let state = pair.facts(walker.state());
        let derived = walker.derived().map(|fact| {
            (
                pair.domain.predicate(fact.predicate).name.as_str(),
                numbers(fact.arguments),
            )
        });
        assert_eq!(
            pair.compiled.derived(&state),
            named(derived),
            "derived atoms of {:?}",
            walker.state()
        );
        assert_eq!(pair.compiled.count_applicable(&state), walker.valid().len());
        let valid = walker.valid().iter();
        let valid = valid.map(|one| {
            (
                pair.domain.schema(one.schema).name.as_str(),
                numbers(one.arguments),
            )
        });
        assert_eq!(
            pair.compiled.applicable(&state),
            named(valid),
            "actions of {:?}",
            walker.state()
        );
        let Some(action) = walker.sample(&mut rng) else {
            return;
        };
        let (schema, arguments) = (action.schema, action.arguments.to_vec());
        // An effect that reads an undefined value is an error and leaves the state unchanged.
        let _ = walker.apply(schema, &arguments, &mut rng);
    }
}
