//! Tests of informal notation: each text parses to the same model as its canonical form.

use herbrand_pddl::{Domain, Formula, PredicateKind, Problem, TypeId};

#[test]
fn domains() {
    let rows = [
        (
            "any case",
            "(DEFINE (Domain D) (:PREDICATES (On ?X)) (:Action A :PARAMETERS (?x) :Effect (oN ?X)))",
            "(define (domain d) (:predicates (on ?x)) (:action a :parameters (?x) :effect (on ?x)))",
        ),
        (
            "sections in any order",
            "(define (domain d) (:action a :parameters (?x - t) :effect (on ?x)) (:predicates (on ?x - t)) (:types t))",
            "(define (domain d) (:types t) (:predicates (on ?x - t)) (:action a :parameters (?x - t) :effect (on ?x)))",
        ),
        (
            "parts in any order",
            "(define (domain d) (:predicates (p)) (:action a :effect (p) :precondition (p) :parameters ()))",
            "(define (domain d) (:predicates (p)) (:action a :parameters () :precondition (p) :effect (p)))",
        ),
        (
            "missing parts",
            "(define (domain d) (:action a))",
            "(define (domain d) (:action a :parameters () :precondition () :effect ()))",
        ),
        (
            "parts without a value",
            "(define (domain d) (:action a :parameters :precondition :effect))",
            "(define (domain d) (:action a))",
        ),
        (
            "empty conjunctions",
            "(define (domain d) (:action a :precondition (and) :effect (and)))",
            "(define (domain d) (:action a))",
        ),
        (
            "several names before one type",
            "(define (domain d) (:types a b c - t t) (:predicates (p ?x ?y - a ?z)))",
            "(define (domain d) (:types a - t b - t c - t t) (:predicates (p ?x - a ?y - a ?z - object)))",
        ),
        (
            "no space about a dash",
            "(define (domain d) (:types a) (:predicates (p ?x -a)))",
            "(define (domain d) (:types a) (:predicates (p ?x - a)))",
        ),
        (
            "either with one type",
            "(define (domain d) (:types a) (:predicates (p ?x - (either a))))",
            "(define (domain d) (:types a) (:predicates (p ?x - a)))",
        ),
        (
            "a type repeated in an either",
            "(define (domain d) (:types a b) (:predicates (p ?x - (either a b A))))",
            "(define (domain d) (:types a b) (:predicates (p ?x - (either a b))))",
        ),
        (
            "object declared",
            "(define (domain d) (:types object a - object))",
            "(define (domain d) (:types a))",
        ),
        (
            "a supertype not declared",
            "(define (domain d) (:types a - t))",
            "(define (domain d) (:types a - t t))",
        ),
        (
            "a list in pieces",
            "(define (domain d) (:predicates (p)) (:predicates (q)))",
            "(define (domain d) (:predicates (p) (q)))",
        ),
        (
            "one variable twice in a declaration",
            "(define (domain d) (:predicates (p ?x ?x)))",
            "(define (domain d) (:predicates (p ?x ?x)))",
        ),
        (
            "an untyped head",
            "(define (domain d) (:types t) (:predicates (p ?x - t) (q ?x - t)) (:derived (p ?y) (q ?y)))",
            "(define (domain d) (:types t) (:predicates (p ?x - t) (q ?x - t)) (:derived (p ?y - t) (q ?y)))",
        ),
        (
            "atoms without parentheses",
            "(define (domain d) (:predicates p q) (:action a :precondition (and p (not q)) :effect (probabilistic 0.5 (not p) 0.5 q)))",
            "(define (domain d) (:predicates (p) (q)) (:action a :precondition (and (p) (not (q))) :effect (probabilistic 0.5 (not (p)) 0.5 (q))))",
        ),
        (
            "functions without parentheses",
            "(define (domain d) (:functions f - number) (:action a :precondition (> f 1) :effect (increase f f)))",
            "(define (domain d) (:functions (f)) (:action a :precondition (> (f) 1) :effect (increase (f) (f))))",
        ),
        (
            "names with digits first",
            "(define (domain 2d) (:types 1) (:constants 1a 2 - 1) (:predicates (3 ?x)) (:action 4 :effect (3 2)))",
            "(define (domain 2d) (:types 1) (:constants 1a - 1 2 - 1) (:predicates (3 ?x)) (:action 4 :effect (3 2)))",
        ),
        (
            "fractions and decimals",
            "(define (domain d) (:predicates (p)) (:action a :effect (probabilistic 2/8 (p) .5 (and) 25e-2 (p))))",
            "(define (domain d) (:predicates (p)) (:action a :effect (probabilistic 0.25 (p) 1/2 () 0.25 (p))))",
        ),
        (
            "a comment without a line break",
            "(define (domain d)) ; \u{e4}h",
            "(define (domain d))",
        ),
        (
            "a byte order mark",
            "\u{feff}(define (domain d))",
            "(define (domain d))",
        ),
        (
            "line breaks of an old Macintosh",
            "; d\r(define (domain d))",
            "(define (domain d))",
        ),
        (
            "no conjunct but the agent's",
            "(define (domain d) (:predicates (p) (go)) (:actions go) (:action a :precondition (and (go)) :effect (p)))",
            "(define (domain d) (:predicates (p) (go)) ; (:actions go)\n (:action a :precondition (go) :effect (p)))",
        ),
        (
            "effects on the agent's actions",
            "(define (domain d) (:predicates (p) (go)) ;(:ACTIONS\n; go\n; )\n (:action a :precondition (go) :effect (and (p) (not (go)))))",
            "(define (domain d) (:predicates (p) (go)) ; (:actions go)\n (:action a :precondition (and (go)) :effect (and (p))))",
        ),
    ];
    for (name, liberal, canonical) in rows {
        let (liberal, canonical) = (
            Domain::from_text(liberal).unwrap(),
            Domain::from_text(canonical).unwrap(),
        );
        assert!(liberal == canonical, "{name}\n{liberal}\n{canonical}");
    }
}

#[test]
fn problems() {
    let domain = Domain::from_text(
        "(define (domain d) (:types t u) (:constants c - t) (:predicates (p ?x) (q)) (:functions (f ?x - object) (g)))",
    )
    .unwrap();
    let rows = [
        (
            "sections in any order",
            "(define (problem x) (:goal (p a)) (:init (p a)) (:objects a) (:domain d))",
            "(define (problem x) (:domain d) (:objects a) (:init (p a)) (:goal (p a)))",
        ),
        (
            "no domain",
            "(define (problem x))",
            "(define (problem x) (:domain d) (:objects) (:init))",
        ),
        (
            "facts repeated",
            "(define (problem x) (:domain d) (:init (p c) (q) (P C) q))",
            "(define (problem x) (:domain d) (:init (p c) (q)))",
        ),
        (
            "negative facts",
            "(define (problem x) (:domain d) (:init (not (p c)) (q) (= c c)))",
            "(define (problem x) (:domain d) (:init (q)))",
        ),
        (
            "a constant again",
            "(define (problem x) (:domain d) (:objects c - t a - u c))",
            "(define (problem x) (:domain d) (:objects a - u))",
        ),
        (
            "values",
            "(define (problem x) (:domain d) (:init (= (f c) -1.50) (= g +2) (= (f c) -1.5)))",
            "(define (problem x) (:domain d) (:init (= (f c) -1.5) (= (g) 2)))",
        ),
        (
            "chance",
            "(define (problem x) (:domain d) (:init (probabilistic 1/2 (and (q) (= g 1)) 0.25 q)))",
            "(define (problem x) (:domain d) (:init (probabilistic 0.5 (and (q) (= (g) 1)) 1/4 (q))))",
        ),
        (
            "a metric",
            "(define (problem x) (:domain d) (:metric MAXIMIZE (- g)) (:length (:serial 3)))",
            "(define (problem x) (:domain d) (:metric maximize (- (g))))",
        ),
    ];
    for (name, liberal, canonical) in rows {
        let read = |text| Problem::from_text(text, &domain).unwrap();
        let (liberal, canonical) = (read(liberal), read(canonical));
        assert!(
            liberal == canonical,
            "{name}\n{}\n{}",
            liberal.display(&domain),
            canonical.display(&domain)
        );
    }
}

#[test]
fn the_dialect_of_pddlgym() {
    let domain = Domain::from_text(
        "(define (domain d) (:predicates (at ?x) (go ?x) (near ?x ?y))
           ; (:actions go)
           (:action step :parameters (?x ?y) :precondition (and (go ?y) (at ?x) (near ?x ?y))
             :effect (and (at ?y) (not (at ?x)) (not (go ?y)))))",
    )
    .unwrap();
    let kinds: Vec<PredicateKind> = domain.predicates.iter().map(|p| p.kind).collect();
    assert_eq!(
        kinds,
        [
            PredicateKind::Fluent,
            PredicateKind::Action,
            PredicateKind::Static
        ]
    );
    let step = &domain.schemas[0];
    let agent = step.agent.as_ref().unwrap();
    assert_eq!(domain.predicate(agent.predicate).name.as_str(), "go");
    assert!(matches!(&step.precondition, Formula::And(parts) if parts.len() == 2));
    let problem = Problem::from_text(
        "(define (problem x) (:domain d) (:objects a b) (:init (at a) (near a b) (go a) (go b)) (:goal (at b)))",
        &domain,
    )
    .unwrap();
    assert_eq!(problem.init.len(), 2);
}

#[test]
fn a_domain_and_its_problem_in_one_text() {
    let text = "(define (problem x) (:domain d) (:init (p))) (define (domain d) (:predicates (p)))";
    let domain = Domain::from_text(text).unwrap();
    assert_eq!(Problem::from_text(text, &domain).unwrap().init.len(), 1);
}

#[test]
fn implicit_functions_come_with_their_use() {
    let names = |text: &str| {
        let domain = Domain::from_text(text).unwrap();
        domain
            .functions
            .iter()
            .map(|f| (f.name.to_string(), f.implicit))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names("(define (domain d) (:requirements :rewards))"),
        [("reward".to_owned(), true)]
    );
    assert_eq!(
        names("(define (domain d) (:requirements :mdp) (:functions (reward)))"),
        [("reward".to_owned(), false)]
    );
    assert_eq!(
        names(
            "(define (domain d) (:functions (f)) (:action a :effect (and (increase total-cost 1) (decrease (reward) 2))))"
        ),
        [
            ("f".to_owned(), false),
            ("total-cost".to_owned(), true),
            ("reward".to_owned(), true)
        ]
    );
}

#[test]
fn object_can_be_below_the_root() {
    let text = "(define (domain farm) (:requirements :typing)
        (:types animal object - entity cat - animal tool)
        (:predicates (held ?x - object) (hungry ?x - animal) (seen ?x - entity) (plain ?x)))";
    let domain = Domain::from_text(text).expect("a warning only");
    let names: Vec<_> = domain.types.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["entity", "animal", "object", "cat", "tool"]);
    let id = |name: &str| TypeId::from_index(names.iter().position(|other| *other == name).expect("a type"));
    for (below, above, expected) in [
        ("animal", "entity", true),
        ("object", "entity", true),
        ("tool", "object", true),
        ("cat", "entity", true),
        ("cat", "animal", true),
        ("animal", "object", false),
        ("cat", "object", false),
        ("entity", "object", false),
        ("object", "animal", false),
    ] {
        assert_eq!(
            domain.is_subtype(id(below), id(above)),
            expected,
            "{below} {above}"
        );
    }
    let plain = domain
        .predicates
        .iter()
        .find(|one| one.name.as_str() == "plain")
        .expect("declared");
    assert_eq!(
        plain.parameters[0].types.types(),
        [id("object")],
        "what has no type is an object"
    );
    let again = Domain::from_text(&domain.to_pddl()).expect("what is printed can be read");
    assert_eq!(again, domain);
    let problem = |objects: &str| {
        let text = format!("(define (problem p) (:domain farm) (:objects {objects}) (:init (held o)))");
        Problem::from_text(&text, &domain)
    };
    for fine in ["o - object", "o", "o - tool"] {
        assert!(problem(fine).is_ok(), "{fine}");
    }
    assert!(problem("o - cat").is_err());
}
