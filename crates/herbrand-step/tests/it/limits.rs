//! Small texts that ask for much: they are compiled in linear space, or refused within their budget.

use std::fmt::Write as _;
use std::time::Duration;

use herbrand_ground::GroundOptions;
use herbrand_limits::Limits;
use herbrand_pddl::{Domain, Problem};
use herbrand_step::{
    CompileError, LiftedSimulator, Options, Random, Simulator, StepError, Upkeep, compile_with,
};

fn models(domain: &str, problem: &str) -> (Domain, Problem) {
    let domain = Domain::from_text(domain).unwrap_or_else(|faults| panic!("{faults}"));
    let problem = Problem::from_text(problem, &domain).unwrap_or_else(|faults| panic!("{faults}"));
    (domain, problem)
}

/// What compiling within a budget of so many bytes comes to, and the most bytes that it held at once.
fn compiled((domain, problem): &(Domain, Problem), bytes: u64) -> (Result<Simulator, CompileError>, u64) {
    let options = GroundOptions {
        limits: Limits {
            bytes: Some(bytes),
            time: None,
        },
        ..GroundOptions::default()
    };
    let mut result = None;
    let info = allocation_counter::measure(|| result = Some(compile_with(domain, problem, &options)));
    (result.unwrap(), info.bytes_max)
}

/// Compiles with smaller and smaller budgets until it fails; no failure holds more than one and a half times its budget.
fn fails_within_its_budget(name: &str, models: &(Domain, Problem), bytes: u64) {
    let (result, held) = compiled(models, bytes);
    assert!(result.is_err(), "{name}: {bytes} bytes are enough");
    assert!(held <= bytes + bytes / 2, "{name}: {held} bytes of {bytes}");
}

const MEBI: u64 = 1 << 20;

/// Disjunctions in conditions of effects, each inside a draw of the one around it.
fn nested_draws(levels: usize) -> (Domain, Problem) {
    let (mut predicates, mut effect) = (String::new(), "(goal)".to_owned());
    for level in 0..levels {
        write!(predicates, "(a{level}) (b{level}) ").unwrap();
        effect = format!("(when (or (a{level}) (b{level})) (probabilistic 0.5 (and (b{level}) {effect})))");
    }
    models(
        &format!(
            "(define (domain d) (:requirements :adl :probabilistic-effects) (:predicates (goal) {predicates})
               (:action act :effect (and (a0) {effect})))"
        ),
        "(define (problem p) (:domain d) (:init) (:goal (goal)))",
    )
}

/// Derived predicates in a circle.
fn cycle(length: usize) -> (Domain, Problem) {
    let (mut predicates, mut rules) = (String::new(), String::new());
    for index in 0..length {
        write!(predicates, "(p{index}) ").unwrap();
        write!(
            rules,
            "(:derived (p{index}) (or (on) (p{}))) ",
            (index + 1) % length
        )
        .unwrap();
    }
    models(
        &format!(
            "(define (domain d) (:requirements :adl :derived-predicates) (:predicates (on) {predicates}) {rules}
               (:action act :effect (on)))"
        ),
        "(define (problem p) (:domain d) (:init) (:goal (p0)))",
    )
}

/// An equivalence of an equivalence of … . Its text doubles with each level.
fn equivalences(levels: usize) -> (Domain, Problem) {
    let (mut predicates, mut formula) = ("(p) ".to_owned(), "(p)".to_owned());
    for level in 0..levels {
        write!(predicates, "(q{level}) ").unwrap();
        formula = format!("(and (imply (q{level}) {formula}) (imply {formula} (q{level})))");
    }
    models(
        &format!(
            "(define (domain d) (:requirements :adl) (:predicates {predicates})
               (:action act :precondition {formula} :effect (p)))"
        ),
        "(define (problem p) (:domain d) (:init) (:goal (p)))",
    )
}

/// An effect that quantifies over seven variables of thirty objects.
fn quantified(effect: &str) -> (Domain, Problem) {
    let objects: String = (0..30).map(|index| format!("o{index} ")).collect();
    models(
        &format!(
            "(define (domain d) (:requirements :adl :numeric-fluents) (:predicates (h ?x)) (:functions (x))
               (:action act :effect (forall (?a ?b ?c ?d ?e ?f ?g) {effect})))"
        ),
        &format!("(define (problem p) (:domain d) (:objects {objects}) (:init (= (x) 0)) (:goal (h o0)))"),
    )
}

/// Asserts that a doubled text takes no more than about double the space.
fn grows_linearly(name: &str, of: impl Fn(usize) -> (Domain, Problem), size: usize) {
    let held = |size| {
        let (result, held) = compiled(&of(size), 1 << 30);
        assert!(result.is_ok(), "{name} of {size}: {}", result.unwrap_err());
        held
    };
    let (one, two) = (held(size), held(2 * size));
    assert!(two < 3 * one, "{name}: {one} bytes, then {two}");
}

#[test]
fn normal_forms_are_linear_in_the_text() {
    grows_linearly("nested draws", nested_draws, 12);
    grows_linearly("nested draws", nested_draws, 24);
    grows_linearly("a cycle of derived predicates", cycle, 500);
    grows_linearly("a cycle of derived predicates", cycle, 4000);
}

#[test]
fn what_is_too_large_is_refused_within_the_budget() {
    for levels in [9, 11, 13] {
        fails_within_its_budget("equivalences", &equivalences(levels), MEBI << (levels - 9));
    }
    for bytes in [MEBI, 4 * MEBI, 16 * MEBI, 64 * MEBI] {
        fails_within_its_budget("an increase", &quantified("(increase (x) 1)"), bytes);
    }
    for bytes in [MEBI, 4 * MEBI] {
        fails_within_its_budget("a cycle", &cycle(4000), bytes);
    }
}

/// Thirty to the seventh bindings hold nothing, but take their time.
#[test]
fn what_takes_too_long_is_refused() {
    let all = "(and (h ?b) (h ?c) (h ?d) (h ?e) (h ?f) (h ?g))";
    let (domain, problem) = quantified(&format!("(when {all} (not (h ?a)))"));
    let options = GroundOptions {
        limits: Limits {
            bytes: None,
            time: Some(Duration::from_millis(200)),
        },
        ..GroundOptions::default()
    };
    let error = compile_with(&domain, &problem, &options).unwrap_err();
    assert!(error.to_string().contains("time limit"), "{error}");
}

#[test]
fn variables_that_an_effect_does_not_use_cost_nothing() {
    let models = quantified("(h ?a)");
    let (result, held) = compiled(&models, 4 * MEBI);
    let simulator = result.unwrap_or_else(|error| panic!("{error}"));
    assert!(held < 4 * MEBI, "{held}");
    let mut walker = simulator.walker();
    let act = walker.valid().iter().next().unwrap();
    walker.apply(act, &mut Random::new(0)).unwrap();
    assert_eq!(walker.atoms().count(), 30);

    let lifted = LiftedSimulator::compile(&models.0, &models.1).unwrap();
    let mut walker = lifted.walker(Upkeep::Kept);
    let schema = walker.valid().nth(0).unwrap().schema;
    walker.apply(schema, &[], &mut Random::new(0)).unwrap();
    assert_eq!(walker.state().atoms().count(), 30);
}

#[test]
fn an_effect_over_a_type_without_objects_does_nothing() {
    let (domain, problem) = models(
        "(define (domain d) (:requirements :adl :typing) (:types none some) (:predicates (h) (k))
           (:action act :effect (and (forall (?x - none) (h)) (forall (?x - some) (k)))))",
        "(define (problem p) (:domain d) (:objects o - some) (:init) (:goal (k)))",
    );
    let simulator = herbrand_step::compile(&domain, &problem).unwrap();
    let mut walker = simulator.walker();
    let act = walker.valid().iter().next().unwrap();
    walker.apply(act, &mut Random::new(0)).unwrap();
    let atoms = walker
        .atoms()
        .map(|atom| simulator.task().display_atom(atom).to_string());
    assert_eq!(atoms.collect::<Vec<_>>(), ["(k)"]);
}

#[test]
fn a_lifted_step_ends_within_its_limits() {
    let (domain, problem) = quantified("(increase (x) 1)");
    for bytes in [MEBI, 16 * MEBI] {
        let task = herbrand_ground::LiftedTask::of(&domain, &problem).unwrap();
        let step = Limits {
            bytes: Some(bytes),
            time: None,
        };
        let options = Options {
            step,
            ..Options::default()
        };
        let simulator = LiftedSimulator::with_options(task, options).unwrap();
        let mut walker = simulator.walker(Upkeep::Kept);
        let schema = walker.valid().nth(0).unwrap().schema;
        let before = walker.state().clone();
        let mut result = None;
        let info = allocation_counter::measure(|| {
            result = Some(walker.apply(schema, &[], &mut Random::new(0)));
        });
        let error = result.unwrap().unwrap_err();
        assert!(matches!(error, StepError::Limit { .. }), "{error}");
        assert!(
            info.bytes_max <= bytes + bytes / 2,
            "{} of {bytes}",
            info.bytes_max
        );
        assert_eq!(walker.state(), &before);
    }
}
