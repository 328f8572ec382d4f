//! Episodes with time: random tasks against the twin, on both engines, and classical tasks as tasks with time.

use herbrand::core::{Described, FactValue, Group, Problems, Random, System};
use herbrand::env::{ActionMode, LiftedSuite, Planning, SteppingEngine, Suite};
use herbrand::pddl::strategies::{Shape, tasks};
use herbrand::pddl::{
    Comparison, Domain, DurationBound, DurativeAction, Effect, Expression, Formula, Number, Problem,
};
use herbrand_oracle::Oracle;
use proptest::prelude::*;

use crate::common::timed::{agrees, episode, judge};

fn suite(domain: &Domain, problem: &Problem) -> Suite {
    Suite::from_problems(domain.clone(), [problem.clone()], ActionMode::Operators).expect("operators")
}

/// What people and agents see of a state, without the names of actions that can never be valid.
fn seen<W: SteppingEngine>(system: &Planning<W>) -> (Vec<String>, Vec<String>, String) {
    let mut choices = Vec::new();
    system.choices(&mut choices);
    let choices = choices.iter().map(|choice| system.choice_text(*choice)).collect();
    let mut facts = Vec::new();
    system.facts(&mut |fact| {
        // The grounded engine leaves out numbers that nothing can change.
        let is_kept = fact.name.contains('.') || matches!(fact.value, FactValue::Bool(_));
        if fact.group == Group::Fluent && is_kept {
            facts.push(format!("{} {:?} {:?}", fact.name, fact.arguments, fact.value));
        }
    });
    facts.sort();
    let mut agenda = system.walk().agenda();
    // The grounded engine evaluates static conditions beforehand, and does not name them.
    if let Some(failure) = agenda.as_mut().and_then(|agenda| agenda.failure.as_mut()) {
        failure.truncate("the episode failed".len());
    }
    (choices, facts, format!("{agenda:?} {:?}", system.status()))
}

fn has_chance(domain: &Domain, problem: &Problem) -> bool {
    let mut draws = !problem.chances.is_empty();
    let own = domain.schemas.iter().map(|schema| &schema.effect);
    let durative = domain.durative_actions.iter();
    let effects = own.chain(durative.flat_map(|action| [&action.start_effect, &action.end_effect]));
    for effect in effects {
        effect.walk(&mut |part| draws |= matches!(part, Effect::Probabilistic(_)));
    }
    draws
}

fn deletes_conditionally(effect: &Effect, conditional: bool) -> bool {
    match effect {
        Effect::And(parts) => parts.iter().any(|part| deletes_conditionally(part, conditional)),
        Effect::Forall(_, inner) => deletes_conditionally(inner, conditional),
        Effect::When(_, inner) => deletes_conditionally(inner, true),
        Effect::Delete(_) => conditional,
        Effect::Add(_) | Effect::Assign(_) | Effect::Probabilistic(_) => false,
    }
}

proptest! {
    #[test]
    fn episodes_are_what_the_twin_says((domain, problem) in tasks(&Shape::timed()), seed in 0..1000_u64) {
        if !domain.takes_time() {
            return Ok(());
        }
        let suite = suite(&domain, &problem);
        let Ok(mut system) = suite.system(0) else { return Ok(()) };
        let oracle = Oracle::new(&domain, &problem).expect("strata");
        let (plan, _) = episode(&domain, &mut system, (seed, 12), |_, _| ());
        if has_chance(&domain, &problem) {
            return Ok(());
        }
        let verdict = judge(&domain, &oracle, &plan, &system);
        prop_assert!(
            agrees(&verdict, &system),
            "{}\n{}\n{plan}\n{:?}\n{verdict:?}",
            domain.to_pddl(), problem.to_pddl(&domain), system.walk().agenda()
        );
    }

    #[test]
    fn both_engines_have_the_same_time((domain, problem) in tasks(&Shape::timed()), seed in 0..1000_u64) {
        if !domain.takes_time() {
            return Ok(());
        }
        // The grounded engine knows no conditional deletes of atoms that can never be true, so that no one interferes with them.
        let mut effects = domain.durative_actions.iter().flat_map(|action| [&action.start_effect, &action.end_effect]);
        if effects.any(|effect| deletes_conditionally(effect, false)) {
            return Ok(());
        }
        let suite = suite(&domain, &problem);
        let Ok(mut grounded) = suite.system(0) else { return Ok(()) };
        let mut lifted = LiftedSuite::new(suite.clone()).system(0).expect("a system");
        let mut again = suite.system(0).expect("a system");
        let (mut one, mut other) = (Vec::new(), Vec::new());
        episode(&domain, &mut grounded, (seed, 12), |system, reward| one.push((seen(system), reward)));
        episode(&domain, &mut lifted, (seed, 12), |system, reward| other.push((seen(system), reward)));
        prop_assert_eq!(one, other, "{}\n{}", domain.to_pddl(), problem.to_pddl(&domain));
        again.set_state(grounded.state()).expect("a state");
        prop_assert_eq!(seen(&again), seen(&grounded));
    }

    #[test]
    fn without_durations_time_changes_nothing((domain, problem) in tasks(&Shape::default()), seed in 0..1000_u64) {
        let mut timed = domain.clone();
        timed.durative_actions = domain.schemas.iter().map(|schema| DurativeAction {
            name: schema.name.clone(),
            arity: schema.arity,
            variables: schema.variables.clone(),
            duration: vec![DurationBound {
                comparison: Comparison::Equal,
                at_end: false,
                value: Expression::Number(Number::ZERO),
            }],
            start_condition: schema.precondition.clone(),
            invariant: Formula::TRUE,
            end_condition: Formula::TRUE,
            start_effect: schema.effect.clone(),
            end_effect: Effect::NOTHING,
            place: schema.place,
        }).collect();
        if timed.durative_actions.is_empty() {
            return Ok(());
        }
        timed.schemas.clear();
        let mut again = problem.clone();
        again.domain_fingerprint = timed.fingerprint();
        let classical = suite(&domain, &problem).system(0);
        let timed = suite(&timed, &again).system(0);
        let (Ok(mut classical), Ok(mut timed)) = (classical, timed) else { return Ok(()) };
        let (mut one, mut other) = (Random::new(seed), Random::new(seed));
        if classical.reset(&mut one).is_err() {
            return Ok(());
        }
        timed.reset(&mut other).expect("the same draws");
        for _ in 0..12 {
            let facts = |facts: Vec<String>| -> Vec<_> {
                facts.into_iter().filter(|fact| !fact.starts_with("time.")).collect()
            };
            let (left, right) = (seen(&classical), seen(&timed));
            let mut choices = right.0;
            choices.retain(|choice| choice != "(wait)" && choice != "(time.wait)");
            prop_assert_eq!((&left.0, left.1), (&choices, facts(right.1)));
            prop_assert_eq!(classical.status().goal, timed.status().goal);
            let Some(choice) = left.0.first().cloned() else { break };
            let [a, b] = [classical.find_action(&choice), timed.find_action(&choice)].map(|id| id.expect("a choice"));
            let done = [classical.step(&[a.into()], &mut one).is_ok(), timed.step(&[b.into()], &mut other).is_ok()];
            prop_assert_eq!(done[0], done[1]);
        }
    }
}

#[test]
fn times_are_exact() {
    let text = "(define (domain kettles) (:requirements :durative-actions) (:predicates (full) (hot))
        (:durative-action fill :parameters () :duration (= ?duration 0.1) :condition (and) :effect (at end (full)))
        (:durative-action heat :parameters () :duration (= ?duration 0.2)
          :condition (at start (full)) :effect (at end (hot))))";
    let domain = Domain::from_text(text).expect("a domain");
    let text = "(define (problem p) (:domain kettles) (:init) (:goal (hot)))";
    let problem = Problem::from_text(text, &domain).expect("a problem");
    let mut system = suite(&domain, &problem).system(0).expect("a system");
    for action in ["(fill)", "(wait)", "(heat)", "(wait)"] {
        let id = system.find_action(action).expect("an action");
        system
            .step(&[id.into()], &mut Random::new(0))
            .expect("a valid action");
    }
    // As floating point numbers, 0.1 + 0.001 + 0.2 is 0.30100000000000005.
    let clock = system.walk().agenda().map(|agenda| agenda.clock);
    assert_eq!((clock, system.status().goal), (Some(0.301), true));
}
