//! Tests that built models equal parsed ones.

use herbrand_pddl::build::{
    ActionBuilder, DomainBuilder, Effect, Expression, Formula, Initial, ProblemBuilder, Types,
};
use herbrand_pddl::{Code, Domain, Problem, Requirement};

const DOMAIN: &str = "(define (domain trips)
  (:requirements :adl :numeric-fluents :derived-predicates :probabilistic-effects)
  (:types vehicle place - object car truck - vehicle)
  (:constants depot - place)
  (:predicates (at ?v - vehicle ?p - place) (road ?a - place ?b - place) (near ?a - place ?b - place) (dry)
    (full ?x - (either car truck)))
  (:functions (fuel ?v - vehicle) (price))
  (:derived (near ?a - place ?b - place) (or (= ?a ?b) (exists (?c - place) (and (road ?a ?c) (near ?c ?b)))))
  (:action drive
    :parameters (?v - vehicle ?a - place ?b - place)
    :precondition (and (at ?v ?a) (imply (not (dry)) (near ?a depot)) (>= (fuel ?v) (+ 1 (* 2 (price)))))
    :effect (and (not (at ?v ?a)) (at ?v ?b) (decrease (fuel ?v) 0.5)
      (forall (?o - vehicle) (when (at ?o ?b) (not (full ?o))))
      (probabilistic 1/3 (dry) 0.5 (and (assign (price) (- (price))) (not (dry)))))))";

fn domain() -> DomainBuilder {
    let two_places = [("a", "place"), ("b", "place")];
    let value = |function: &str, terms: &[&'static str]| Expression::value(function, terms.iter().copied());
    let near = Formula::or([
        Formula::equal("?a", "?b"),
        Formula::exists(
            [("c", "place")],
            Formula::and([
                Formula::atom("road", ["?a", "?c"]),
                Formula::atom("near", ["?c", "?b"]),
            ]),
        ),
    ]);
    let drive = ActionBuilder::new("Drive")
        .parameters([("v", "vehicle"), ("a", "place"), ("b", "place")])
        .precondition(Formula::and([
            Formula::atom("at", ["?v", "?a"]),
            (!Formula::atom("dry", [])).implies(Formula::atom("near", ["?a", "depot"])),
            Formula::at_least(
                value("fuel", &["?v"]),
                Expression::from(1) + Expression::from(2) * value("price", &[]),
            ),
        ]))
        .effect(Effect::all([
            Effect::delete("at", ["?v", "?a"]),
            Effect::add("at", ["?v", "?b"]),
            Effect::decrease(value("fuel", &["?v"]), 0.5),
            Effect::forall(
                [("o", "vehicle")],
                Effect::when(Formula::atom("at", ["?o", "?b"]), Effect::delete("full", ["?o"])),
            ),
            Effect::chance([
                ((1, 3), Effect::add("dry", [])),
                (
                    (1, 2),
                    Effect::all([
                        Effect::assign(value("price", &[]), -value("price", &[])),
                        Effect::delete("dry", []),
                    ]),
                ),
            ]),
        ]));
    DomainBuilder::new("trips")
        .requirements([Requirement::Adl, Requirement::NumericFluents])
        .requirements([Requirement::DerivedPredicates, Requirement::ProbabilisticEffects])
        .types(["vehicle", "place"])
        .subtypes("vehicle", ["car", "truck"])
        .constants("place", ["depot"])
        .predicate("at", [("v", "vehicle"), ("p", "place")])
        .predicate("road", two_places)
        .predicate("near", two_places)
        .proposition("dry")
        .predicate("full", [("x", ["car", "truck"])])
        .function("fuel", [("v", "vehicle")])
        .function::<Types>("price", [])
        .rule("near", two_places, near)
        .action(drive)
}

#[test]
fn a_built_domain_is_the_one_that_is_read() {
    let (built, read) = (domain().build().unwrap(), Domain::from_text(DOMAIN).unwrap());
    assert!(built == read, "{built}\n{read}");
    assert_eq!(built.fingerprint(), read.fingerprint());
}

#[test]
fn a_built_problem_is_the_one_that_is_read() {
    let domain = domain().build().unwrap();
    let built = ProblemBuilder::new("monday", &domain)
        .requirements([Requirement::Adl])
        .objects("car", ["beetle"])
        .objects(["car", "truck"], ["odd"])
        .fact("at", ["beetle", "depot"])
        .value("fuel", ["beetle"], 3.5)
        .initially([Initial::chance([
            (0.25, Initial::fact("dry", [])),
            (
                0.5,
                Initial::all([Initial::fact("full", ["odd"]), Initial::value("price", [], 2.0)]),
            ),
        ])])
        .goal(Formula::less(Expression::value("fuel", ["beetle"]), 1))
        .goal_reward(10.0)
        .minimize(Expression::value("total-time", []))
        .build()
        .unwrap();
    let read = Problem::from_text(
        "(define (problem monday) (:domain trips) (:requirements :adl)
          (:objects beetle - car odd - (either car truck))
          (:init (at beetle depot) (= (fuel beetle) 3.5)
            (probabilistic 0.25 (dry) 1/2 (and (full odd) (= (price) 2))))
          (:goal (< (fuel beetle) 1)) (:goal-reward 10) (:metric minimize (total-time)))",
        &domain,
    )
    .unwrap();
    assert!(
        built == read,
        "{}\n{}",
        built.to_pddl(&domain),
        read.to_pddl(&domain)
    );
}

#[test]
fn faults_are_those_of_texts() {
    let codes = |builder: DomainBuilder| {
        let faults = builder.build().unwrap_err();
        faults.diagnostics().iter().map(|d| d.code()).collect::<Vec<_>>()
    };
    let new = || DomainBuilder::new("d").requirements([Requirement::Adl, Requirement::ProbabilisticEffects]);
    let action = |effect| {
        new()
            .proposition("p")
            .action(ActionBuilder::new("a").effect(effect))
    };
    let p = || Effect::add("p", []);
    assert_eq!(codes(action(Effect::add("q", []))), [Code::UnknownPredicate]);
    assert_eq!(
        codes(action(Effect::add("p", ["?x"]))),
        [Code::ArityMismatch, Code::UnboundVariable]
    );
    assert_eq!(
        codes(action(Effect::chance([(0.5, p()), (0.7, p())]))),
        [Code::ProbabilitySum]
    );
    assert_eq!(
        codes(action(Effect::chance([(f64::NAN, p())]))),
        [Code::InvalidProbability]
    );
    assert_eq!(
        codes(new().proposition("p").proposition("and")),
        [Code::ReservedName]
    );
    assert_eq!(
        codes(new().subtypes("b", ["a"]).subtypes("a", ["b"])),
        [Code::TypeCycle]
    );
}

#[test]
fn names_cannot_break_out() {
    for name in [
        "",
        "a b",
        "a) (:goal (p)",
        "a;b",
        "?x",
        ":init",
        "a\nb",
        "-a",
        "a=b",
        "caf\u{e9}",
    ] {
        let faults = DomainBuilder::new("d").proposition(name).build().unwrap_err();
        assert_eq!(
            faults.diagnostics()[0].code(),
            Code::UnexpectedCharacter,
            "{name}: {faults}"
        );
    }
}
