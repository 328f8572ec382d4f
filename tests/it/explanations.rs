//! Explanations of invalid actions: those of grounded and lifted walkers agree, and the conditions that they name do fail.

use crate::common::bundled;
use crate::random::{config, printed};
use herbrand::pddl::strategies::Shape;
use herbrand::pddl::{Formula, ObjectId, SchemaId};
use herbrand::step::{LiftedSimulator, LiftedWalker, NameError, Random, StepError, Walker};
use herbrand::{ActionId, Domain, Problem, compile};
use proptest::prelude::*;

/// Returns whether a precondition is a conjunction of literals, whose first unsatisfied literal is well defined.
fn is_plain(formula: &Formula) -> bool {
    match formula {
        Formula::Atom(_) => true,
        Formula::Not(inner) => matches!(**inner, Formula::Atom(_)),
        Formula::And(parts) => parts.len() <= 16 && parts.iter().all(is_plain),
        _ => false,
    }
}

/// Returns whether a literal of an explanation fails in the current state. An atom that is not in the ground task is never
/// true.
fn fails(walker: &Walker, literal: &str) -> bool {
    let positive = literal
        .strip_prefix("(not ")
        .and_then(|text| text.strip_suffix(')'));
    let (text, wanted) = positive.map_or((literal, true), |text| (text, false));
    let holds = match walker.simulator().parse_atom(text) {
        Ok(atom) => walker.holds(atom),
        Err(_) => walker.simulator().task().statics.iter().any(|fact| {
            let vocabulary = &walker.simulator().task().vocabulary;
            let name = &vocabulary.predicate(fact.predicate).signature.name;
            vocabulary.term(name, fact.arguments).to_string() == text
        }),
    };
    holds != wanted
}

fn is_literal(text: &str) -> bool {
    let inner = text.strip_prefix("(not ").unwrap_or(text);
    let head = inner
        .trim_start_matches('(')
        .split([' ', ')'])
        .next()
        .unwrap_or_default();
    ![
        "=", "<", "<=", ">", ">=", "exists", "forall", "and", "or", "imply", "not",
    ]
    .contains(&head)
}

/// Compares the explanations of a ground action; returns whether a single literal fails.
fn compare(
    domain: &Domain,
    grounded: &Walker,
    lifted: &LiftedWalker,
    action: ActionId,
) -> Result<bool, TestCaseError> {
    let ground = grounded.simulator().task().actions.get(action);
    let failed = |error: StepError| TestCaseError::fail(error.to_string());
    let one = grounded.explain(action).map_err(failed)?;
    let other = lifted.explain(ground.schema, ground.arguments).map_err(failed)?;
    prop_assert_eq!(&one.name, &other.name);
    prop_assert_eq!(one.valid, other.valid);
    prop_assert_eq!(other.valid, other.failures.is_empty(), "{}", other);
    for failure in other.failures.iter().filter(|text| is_literal(text)) {
        prop_assert!(fails(grounded, failure), "{failure} does not fail");
    }
    // A ground task tests positive literals first, so both sides name the same literal only if no other literal
    // fails.
    let plain = is_plain(&domain.schema(ground.schema).precondition);
    for failure in one
        .failures
        .iter()
        .filter(|failure| plain && is_literal(&failure.text))
    {
        prop_assert!(fails(grounded, &failure.text));
    }
    // An auxiliary atom, such as one for the values of a conditional effect, has no name in the domain.
    let named = one.failures.iter().all(|failure| !failure.text.contains(':'));
    let alone = plain && named && lacking(grounded, action) == 1;
    if alone {
        prop_assert_eq!(one.to_string(), other.to_string());
    }
    Ok(alone)
}

/// Counts the unsatisfied literals of an action's precondition, if it is a single conjunction.
fn lacking(walker: &Walker, action: ActionId) -> usize {
    let task = walker.simulator().task();
    let ways = task
        .conditions
        .conjunctions(task.actions.get(action).precondition);
    let literals = ways.flat_map(|way| task.conditions.get(way).literals);
    let fails = |literal: &&herbrand::ground::Literal| walker.holds(literal.atom()) == literal.is_negative();
    literals.filter(fails).count()
}

/// Explains all actions in some states of a walk; returns the number of explanations that had to be equal.
fn walk(domain: &Domain, problem: &Problem, seed: u64, steps: usize) -> Result<usize, TestCaseError> {
    let failed = |error: herbrand::step::CompileError| TestCaseError::fail(error.to_string());
    let simulator = compile(domain, problem).map_err(failed)?;
    let lifted = LiftedSimulator::compile(domain, problem).map_err(failed)?;
    let (mut grounded, mut kept) = (simulator.walker(), lifted.walker().unwrap());
    let mut random = Random::new(seed);
    let mut compared = 0;
    for _ in 0..steps {
        for action in simulator
            .task()
            .actions
            .ids()
            .step_by(1 + simulator.task().actions.len() / 64)
        {
            compared += usize::from(compare(domain, &grounded, &kept, action)?);
        }
        actions_that_never_hold(&grounded, &kept)?;
        let Some(action) = grounded.sample(&mut random) else {
            break;
        };
        let ground = simulator.task().actions.get(action);
        let mut again = random.clone();
        let step = grounded.apply(action, &mut random);
        let other = kept.apply(ground.schema, ground.arguments, &mut again);
        prop_assert_eq!(step.is_ok(), other.is_ok());
        if step.is_err() {
            break;
        }
    }
    Ok(compared)
}

/// A ground task lacks unreachable actions. The lifted walker explains why they are invalid.
fn actions_that_never_hold(grounded: &Walker, lifted: &LiftedWalker) -> Result<(), TestCaseError> {
    let simulator = grounded.simulator();
    let vocabulary = &simulator.task().vocabulary;
    for (index, schema) in vocabulary.schemas.iter().enumerate() {
        let fitting = |types| {
            let objects = (0..vocabulary.objects.len()).map(ObjectId::from_index);
            objects.rev().find(|&object| vocabulary.fits(object, types))
        };
        let last: Option<Vec<_>> = schema
            .parameters
            .iter()
            .map(|(_, types)| fitting(types))
            .collect();
        let Some(arguments) = last else { continue };
        let text = vocabulary.term(&schema.name, &arguments).to_string();
        if !matches!(simulator.parse_action(&text), Err(NameError::Unreachable { .. })) {
            continue;
        }
        let why = lifted.explain(SchemaId::from_index(index), &arguments);
        let why = why.map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert!(!why.valid);
        let never = why.to_string().ends_with("its precondition cannot hold");
        prop_assert_eq!(why.failures.is_empty(), never);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn on_strips_tasks(task in printed(&Shape::strips()), seed: u64) {
        walk(&task.0, &task.1, seed, 4)?;
    }

    #[test]
    fn on_tasks_with_everything(task in printed(&Shape::default()), seed: u64) {
        walk(&task.0, &task.1, seed, 4)?;
    }
}

#[test]
fn on_bundled_problems() {
    let mut compared = 0;
    for bundled in &bundled(1) {
        let walked = walk(&bundled.domain, &bundled.problem, 1, 3);
        compared += walked.unwrap_or_else(|error| panic!("{}: {error}", bundled.name));
    }
    assert!(compared >= 1000, "only {compared} explanations");
}

const DOMAIN: &str = "(define (domain shop)
  (:requirements :adl :fluents)
  (:types item place - object fruit - item)
  (:constants north - place)
  (:predicates (at ?x - item ?p - place) (open ?p - place) (road ?p ?q - place) (clean))
  (:functions (money) (price ?x - item))
  (:action buy :parameters (?x - fruit ?p - place)
    :precondition (and (at ?x ?p) (open ?p) (>= (money) (price ?x)))
    :effect (and (not (at ?x ?p)) (decrease (money) (price ?x))))
  (:action walk :parameters (?p ?q - place)
    :precondition (and (road ?p ?q) (or (open ?p) (clean)))
    :effect (clean))
  (:action close :parameters (?p - place)
    :precondition (and (open ?p) (forall (?x - item) (not (at ?x ?p))) (exists (?q - place) (road ?p ?q)))
    :effect (not (open ?p)))
  (:action open :parameters (?p - place)
    :precondition (and (not (= ?p north)) (imply (clean) (open ?p)) (not (and (clean) (open ?p))))
    :effect (open ?p)))";

const PROBLEM: &str = "(define (problem one) (:domain shop)
  (:objects south - place apple pear - fruit salt - item)
  (:init (at apple north) (at pear south) (at salt south) (open south) (road north south)
         (= (money) 2) (= (price apple) 3) (= (price pear) 3))
  (:goal (clean)))";

#[test]
fn explanations_in_words() {
    let (domain, problem) = shop();
    let simulator = LiftedSimulator::compile(&domain, &problem).expect("a sound problem");
    let rows = [
        (
            "(buy apple north)",
            "(open north) and (>= (money) (price apple)) do not hold",
        ),
        (
            "(buy apple south)",
            "(at apple south) and (>= (money) (price apple)) do not hold",
        ),
        ("(buy pear south)", "(>= (money) (price pear)) does not hold"),
        ("(walk south north)", "(road south north) does not hold"),
        ("(walk north south)", "none of (open north), (clean) holds"),
        (
            "(close south)",
            "(not (at pear south)) and (exists (?q - place) (road south ?q)) do not hold",
        ),
        (
            "(close north)",
            "(open north) and (not (at apple north)) do not hold",
        ),
        ("(open north)", "(not (= north north)) does not hold"),
    ];
    for (action, reason) in rows {
        let (schema, arguments) = simulator.parse_action(action).expect("an action");
        let why = simulator
            .explain(simulator.initial_state(), schema, &arguments)
            .expect("an action");
        assert_eq!(why.to_string(), format!("{action} is not valid: {reason}"));
    }
    let mut walker = simulator.walker().unwrap();
    let (schema, arguments) = simulator.parse_action("(buy pear south)").expect("an action");
    let refused = walker
        .apply(schema, &arguments, &mut Random::new(0))
        .expect_err("too dear");
    assert_eq!(
        refused.to_string(),
        "(buy pear south) is not valid: (>= (money) (price pear)) does not hold"
    );
    let (schema, arguments) = simulator.parse_action("open south").expect("an action");
    let why = walker.explain(schema, &arguments).expect("an action");
    assert_eq!(why.to_string(), "(open south) is valid");
}

#[test]
fn what_is_no_action_is_an_error() {
    let (domain, problem) = shop();
    let simulator = LiftedSimulator::compile(&domain, &problem).expect("a sound problem");
    let mut walker = simulator.walker().unwrap();
    let buy = domain.find_schema("buy").expect("a schema");
    let object = |name| simulator.vocabulary().find_object(name).expect("an object");
    let (salt, south) = (object("salt"), object("south"));
    let rows: [(SchemaId, &[ObjectId], &str); 4] = [
        (
            SchemaId::new(9),
            &[],
            "there is no action schema number 9: the task has 4 schemas",
        ),
        (buy, &[salt], "`buy` takes 2 arguments, not 1"),
        (
            buy,
            &[salt, ObjectId::new(77)],
            "there is no object number 77: the task has 5 objects",
        ),
        (
            buy,
            &[salt, south],
            "(buy salt south): salt is not of type fruit, the type of ?x",
        ),
    ];
    for (schema, arguments, message) in rows {
        let error = walker.explain(schema, arguments).expect_err("no action");
        assert_eq!(error.to_string(), message);
        let error = walker
            .apply(schema, arguments, &mut Random::new(0))
            .expect_err("no action");
        assert_eq!(error.to_string(), message);
    }
    assert!(matches!(
        simulator.parse_action("(buy pepper south)"),
        Err(NameError::UnknownObject { .. })
    ));
    assert!(matches!(
        simulator.parse_action("(sell pear south)"),
        Err(NameError::UnknownHead { .. })
    ));
}

fn shop() -> (Domain, Problem) {
    let domain = Domain::from_text(DOMAIN).unwrap_or_else(|error| panic!("{error}"));
    let problem = Problem::from_text(PROBLEM, &domain).unwrap_or_else(|error| panic!("{error}"));
    (domain, problem)
}
