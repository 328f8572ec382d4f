//! Tests of which domains can be edited, and of the messages for the others.

use herbrand_env::Registry;
use herbrand_pddl::{Problem, Source};
use herbrand_pddlworld::{Sketch, Target, Walks, WorldError};

use crate::target;

#[test]
fn literals_are_those_whose_types_fit() {
    let target = crate::pairs();
    let operators = target.vocabulary().operators();
    let literals = |number: usize| {
        operators[number]
            .literals
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        literals(2),
        [
            "(at ?t ?p)",
            "(at ?t home)",
            "(linked ?p home)",
            "(linked home ?p)",
            // The target uses an atom with a repeated parameter.
            "(linked ?p ?p)",
        ]
    );
    assert_eq!(operators[0].parameters, ["t", "from", "to"]);
    assert!(!target.vocabulary().is_propositional());
}

#[test]
fn everything_that_cannot_be_edited_is_told_at_once() {
    let domain = "(define (domain odd)
  (:requirements :adl :derived-predicates :probabilistic-effects)
  (:predicates (p) (q ?x) (r))
  (:derived (r) (p))
  (:action choose :precondition (or (p) (not (p))) :effect (when (p) (not (p))))
  (:action all :precondition (and (r) (forall (?x) (q ?x))) :effect (probabilistic 1/2 (p))))";
    let read = Target::from_sources(&Source::new("odd.pddl", domain), &[], Walks::default());
    assert!(
        matches!(read, Err(WorldError::Options(_))),
        "no problem comes first"
    );
    let problem = "(define (problem one) (:domain odd) (:init) (:goal (p)))";
    let read = Target::from_sources(
        &Source::new("odd.pddl", domain),
        &[Source::new("one", problem)],
        Walks::default(),
    );
    let error = read.expect_err("it cannot be edited").to_string();
    let lines: Vec<_> = error.lines().collect();
    let expected = [
        ("odd.pddl:4:", "derived predicates cannot be edited here"),
        ("odd.pddl:5:", "the precondition of `choose` has a disjunction"),
        ("odd.pddl:5:", "the effect of `choose` has a conditional effect"),
        (
            "odd.pddl:6:",
            "the precondition of `all` asks for `r`, which is derived",
        ),
        ("odd.pddl:6:", "the precondition of `all` has a quantifier"),
        ("odd.pddl:6:", "the effect of `all` has a probabilistic effect"),
    ];
    assert_eq!(lines.len(), expected.len(), "{error}");
    for (line, (place, text)) in lines.iter().zip(expected) {
        assert!(line.starts_with(place) && line.contains(text), "{line}");
    }
}

#[test]
fn goals_and_initial_states_are_conjunctions_too() {
    let domain = "(define (domain d) (:requirements :adl :probabilistic-effects) (:predicates (p) (q))
      (:action a :precondition (p) :effect (q)))";
    let problems = [
        "(define (problem either) (:domain d) (:init) (:goal (or (p) (q))))",
        "(define (problem drawn) (:domain d) (:init (probabilistic 1/2 (p))) (:goal (q)))",
    ];
    let problems = problems.map(|text| Source::new("problem", text));
    let error =
        Target::from_sources(&Source::new("d", domain), &problems, Walks::default()).expect_err("faults");
    let text = error.to_string();
    assert!(text.contains("the goal of `either` has a disjunction"), "{text}");
    assert!(text.contains("`drawn` draws its initial state"), "{text}");
}

#[test]
fn an_operator_has_at_most_128_literals() {
    let predicates: Vec<_> = (0..129).map(|number| format!("(p{number})")).collect();
    let domain = format!(
        "(define (domain wide) (:predicates {}) (:action a :effect (p0)))",
        predicates.join(" ")
    );
    let problem = Source::new("p", "(define (problem p) (:domain wide) (:init) (:goal (p0)))");
    let error = Target::from_sources(&Source::new("wide", &domain), &[problem], Walks::default());
    let error = error.expect_err("too many").to_string();
    assert!(
        error.contains("`a` has 129 literals to choose from; at most 128 can be edited"),
        "{error}"
    );
}

#[test]
fn what_is_added_and_deleted_is_added_and_costs_stay() {
    let target = target(
        "(define (domain d) (:requirements :action-costs) (:predicates (p) (q)) (:functions (total-cost))
           (:action a :precondition (and (q) (and (q))) :effect (and (not (p)) (p) (increase (total-cost) 2))))",
        &["(define (problem one) (:domain d) (:init (q) (= (total-cost) 0)) (:goal (p)) (:metric minimize (total-cost)))"],
    );
    let numbers = target
        .sketch()
        .integers(target.vocabulary())
        .map(|number| number.to_string());
    // For the literals p and q, the precondition is 100 010 and the effect is 010 100.
    assert_eq!(numbers, ["34", "20"]);
    let text = target
        .model(&Sketch::empty(target.vocabulary()), 0)
        .expect("a model")
        .domain_text();
    assert!(
        text.contains("(increase (total-cost) 2)") && !text.contains("(not (p))"),
        "{text}"
    );
}

/// The bundled domains whose operators are conjunctions of literals can be edited.
#[test]
fn many_bundled_domains_are_targets() {
    let mut suitable = Vec::new();
    for name in Registry::names().expect("names") {
        let suite = Registry::get(&name).expect("a domain");
        let problem =
            Problem::parse(suite.problem_source(0).expect("a text"), suite.domain()).expect("a problem");
        match Target::new(
            suite.domain(),
            &[problem],
            Walks {
                count: 1,
                steps: 5,
                seed: 0,
                scattered: false,
            },
        ) {
            Ok(target) => {
                assert!(target.is_equivalent(target.sketch()), "{name}");
                assert_eq!(target.predictions(target.sketch()).wrong, 0, "{name}");
                suitable.push(name);
            }
            Err(error) => assert!(matches!(error, WorldError::Unsuitable(_)), "{name}: {error}"),
        }
    }
    println!("{suitable:?}");
    for name in ["blocks", "ferry", "gripper", "logistics", "hanoi", "sokoban"] {
        assert!(
            suitable.iter().any(|one| one == name),
            "{name} is not among {suitable:?}"
        );
    }
}
