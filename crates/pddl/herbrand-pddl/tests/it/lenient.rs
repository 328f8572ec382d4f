//! Tests of lenient parsing: each faulty text parses to the same model as its correct form, with warnings.

use herbrand_pddl::{Code, Diagnostic, Domain, Problem, ReadOptions, Severity, Source};

const LENIENT: fn() -> ReadOptions = || ReadOptions {
    lenient: true,
    ..ReadOptions::default()
};

/// Formats each warning as `line:column code: note`.
fn told(warnings: &[Diagnostic]) -> Vec<String> {
    let line = |one: &Diagnostic| {
        assert_eq!(one.severity(), Severity::Warning, "{one}");
        let place = one.labels()[0].start();
        format!(
            "{}:{} {}: {}",
            place.line,
            place.column,
            one.code(),
            one.notes().join(", ")
        )
    };
    warnings.iter().map(line).collect()
}

const RIGHT: &str = "(define (domain d)
  (:predicates (p) (q))
  (:action a :precondition (p) :effect (q)))";

#[test]
fn domains() {
    let rows: [(&str, &str, &[&str]); 11] = [
        (
            "commas between names",
            "(define (domain d)\n(:predicates (p), (q))\n(:action a, :precondition (p) :effect (q)))",
            &["2:17 E0002: read as a blank", "3:10 E0002: read as a blank"],
        ),
        (
            "the last parenthesis is missing",
            "(define (domain d)\n(:predicates (p) (q))\n(:action a :precondition (p) :effect (q))",
            &["1:1 E0003: read as if one `)` stood at the end of the text"],
        ),
        (
            "several parentheses are missing at the end",
            "(define (domain d)\n(:predicates (p) (q))\n(:action a :precondition (p) :effect (q",
            &["3:38 E0003: read as if 3 `)` stood at the end of the text"],
        ),
        (
            "one too many at the end",
            "(define (domain d)\n(:predicates (p) (q))\n(:action a :precondition (p) :effect (q))))",
            &["3:43 E0004: read as if it were not there"],
        ),
        (
            "a section is not closed",
            "(define (domain d)\n(:predicates (p) (q)\n(:action a :precondition (p) :effect (q)))",
            &["2:20 E0003: read as if the parentheses were closed before `:action`"],
        ),
        (
            "a declaration is not closed",
            "(define (domain d)\n(:predicates (p (q))\n(:action a :precondition (p) :effect (q)))",
            &["2:15 E0003: read as if a `)` stood before `(q`"],
        ),
        (
            "a precondition is not closed",
            "(define (domain d)\n(:predicates (p) (q))\n(:action a :precondition (p :effect (q)))",
            &["3:27 E0003: read as if the parentheses were closed before `:effect`"],
        ),
        (
            "a list is begun between sections",
            "(define (domain d)\n(:predicates (p) (q))\n(and\n(:action a :precondition (p) :effect (q)))",
            &[
                "3:2 E0003: read as if the parentheses were closed before `:action`",
                "3:2 E0006: read as if it were not there",
            ],
        ),
        (
            "the definition ends before a section",
            "(define (domain d)\n(:predicates (p) (q)))\n(:action a :precondition (p) :effect (q))",
            &[
                "1:1 E0003: read as if one `)` stood at the end of the text",
                "3:2 E0004: read as if the definition did not end before this section",
            ],
        ),
        (
            "words and lists after the definition",
            "(define (domain d) (:predicates (p) (q)) (:action a :precondition (p) :effect (q)))\ns\n()",
            &[
                "2:1 E0006: read as if it were not there",
                "3:1 E0001: read as if it were not there",
            ],
        ),
        (
            "a word between sections",
            "(define (domain d) (:predicates (p) (q))\nand\n(:action a :precondition (p) :effect (q)))",
            &["2:1 E0006: read as if it were not there"],
        ),
    ];
    let right = Domain::from_text(RIGHT).unwrap();
    for (name, text, expected) in rows {
        let source = Source::new("domain.pddl", text);
        let (domain, warnings) =
            Domain::parse_with(&source, &LENIENT()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(told(&warnings), expected, "{name}");
        assert_eq!(domain.to_pddl(), right.to_pddl(), "{name}");
        let strict = ReadOptions {
            strict: true,
            ..LENIENT()
        };
        let faults = Domain::parse(&source).expect_err(name);
        assert!(
            faults.diagnostics().iter().all(|one| one.notes().is_empty()),
            "{name}"
        );
        assert!(Domain::parse_with(&source, &strict).is_err(), "{name}");
    }
}

#[test]
fn problems() {
    let domain =
        Domain::from_text("(define (domain d) (:types t u) (:predicates (p ?x - t ?y - u)))").unwrap();
    let right = "(define (problem p) (:domain d) (:objects a - t b - u) (:init (p a b)) (:goal (p a b)))";
    let right = Problem::from_text(right, &domain).unwrap().to_pddl(&domain);
    let rows: [(&str, &[&str]); 3] = [
        (
            "(define (problem p) (:domain d) (:objects a - t b - u) (:init (p a b (p a b)) (:goal (p a b)))",
            &["1:68 E0003: read as if a `)` stood before `(p`", "1:70 W0310: "],
        ),
        (
            "(define (problem p) (:domain d) (:objects a - t b - u) (:init (p a b)) (:goal (p a b)))))",
            &[
                "1:88 E0004: read as if it were not there",
                "1:89 E0004: read as if it were not there",
            ],
        ),
        (
            "(define (problem p) (:domain d) (:objects a - t b - u) (:init (p a b)\n(:goal (p a b)))\nend",
            &[
                "1:69 E0003: read as if the parentheses were closed before `:goal`",
                "3:1 E0006: read as if it were not there",
            ],
        ),
    ];
    for (text, expected) in rows {
        let source = Source::new("problem.pddl", text);
        let (problem, warnings) = Problem::parse_with(&source, &domain, &LENIENT()).unwrap();
        assert_eq!(told(&warnings), expected, "{text}");
        assert_eq!(problem.to_pddl(&domain), right);
    }
}

#[test]
fn arguments_of_the_wrong_type_are_kept() {
    let text = "(define (domain d) (:requirements :typing) (:types t u)\n(:predicates (p ?x - t ?y - u))
(:action a :parameters (?x - t ?y - u)\n:effect (p ?y ?x)))";
    let (domain, warnings) = Domain::parse_with(&Source::new("domain.pddl", text), &LENIENT()).unwrap();
    let note = "E0202: read as it is written";
    assert_eq!(told(&warnings), [format!("4:12 {note}"), format!("4:15 {note}")]);
    assert!(domain.to_pddl().contains("(p ?y ?x)"));
}

#[test]
fn what_has_no_obvious_reading_stays_an_error() {
    let rows = [
        ("(define (domain d) (:predicates (p ?x - t))", Code::UnknownType),
        (
            "(define (domain d) (:predicates (p)) (:action a :effect (q))",
            Code::UnknownPredicate,
        ),
        (
            "(define (domain d) (:predicates (p)) (:action a :parameters ?x :effect (p)))",
            Code::Unexpected,
        ),
        (
            "(define (domain d) (:functions (f)) (:action a :effect (assign (f) 0,5)))",
            Code::UnexpectedCharacter,
        ),
        ("(domain d)", Code::DefinitionCount),
        ("", Code::NoDefinition),
    ];
    for (text, code) in rows {
        let faults = Domain::parse_with(&Source::new("domain.pddl", text), &LENIENT()).expect_err(text);
        let mut errors = faults
            .diagnostics()
            .iter()
            .filter(|one| one.severity() == Severity::Error);
        assert!(errors.all(|one| one.code() == code), "{text}: {faults}");
    }
}

/// Every prefix of a domain either parses to a domain whose printed form is valid, or has errors.
#[test]
fn beginnings_of_a_text_are_read_or_refused() {
    for end in 0..=RIGHT.len() {
        let source = Source::new("domain.pddl", &RIGHT[..end]);
        if let Ok((domain, _)) = Domain::parse_with(&source, &LENIENT()) {
            assert_eq!(
                Domain::from_text(&domain.to_pddl()).unwrap(),
                domain,
                "{}",
                source.text()
            );
        }
    }
}

#[test]
fn objects_declared_again_keep_their_first_type() {
    let domain =
        "(define (domain d) (:requirements :typing) (:types cat dog) (:constants tom - cat spike - dog
        tom - dog) (:predicates (p ?x - cat)))";
    let (domain, warnings) = Domain::parse_with(&Source::new("d", domain), &LENIENT()).unwrap();
    assert_eq!(
        told(&warnings),
        ["2:9 E0106: read with the type of the first declaration"]
    );
    assert_eq!(domain.constants.len(), 2);
    let problem = "(define (problem q) (:domain d) (:objects felix - cat
        felix - dog
        spike - cat) (:init (p felix)) (:goal (p tom)))";
    let (problem, warnings) = Problem::parse_with(&Source::new("p", problem), &domain, &LENIENT()).unwrap();
    assert_eq!(
        told(&warnings),
        [
            "2:9 E0106: read with the type of the first declaration",
            "3:9 E0106: read with the type of the constant",
        ]
    );
    assert_eq!(problem.init.len(), 1);
    // An action is not left out: the second of two may be meant.
    let twice = "(define (domain d) (:predicates (p)) (:action a :effect (p)) (:action a :effect (not (p))))";
    let faults = Domain::parse_with(&Source::new("d", twice), &LENIENT()).unwrap_err();
    assert_eq!(faults.diagnostics()[0].code(), Code::DuplicateDeclaration);
}
