//! Tests that text outside of the wanted definition is rejected by every function that returns a model.

use herbrand_pddl::{Code, Domain, Faults, Problem, ReadOptions, Severity, Source, read};

const DOMAIN: &str = "(define (domain d) (:predicates (p)))";
const PROBLEM: &str = "(define (problem one) (:domain d) (:init) (:goal (p)))";

/// Texts with a fault that is not in the definition before them, with their codes.
const STRAY: [(&str, Code); 7] = [
    ("trailing", Code::Unexpected),
    ("(foo bar)", Code::NoDefinition),
    ("(defne (domain e))", Code::NoDefinition),
    ("(define)", Code::Unexpected),
    ("(:foo)", Code::NoDefinition),
    ("(define (world w))", Code::Unexpected),
    (")", Code::UnmatchedParenthesis),
];

fn codes<T>(read: Result<T, Faults>, text: &str) -> Vec<Code> {
    let faults = read.err().unwrap_or_else(|| panic!("{text} was accepted"));
    faults.diagnostics().iter().map(|d| d.code()).collect()
}

#[test]
fn text_outside_of_the_definition_is_an_error() {
    let domain = Domain::from_text(DOMAIN).unwrap();
    for (stray, code) in STRAY {
        for text in [format!("{DOMAIN} {stray}"), format!("{stray} {DOMAIN}")] {
            assert_eq!(codes(Domain::from_text(&text), &text), [code], "{text}");
        }
        for text in [format!("{PROBLEM} {stray}"), format!("{stray} {PROBLEM}")] {
            assert_eq!(codes(Problem::from_text(&text, &domain), &text), [code], "{text}");
        }
    }
}

#[test]
fn accepted_texts_have_warnings_only() {
    let domain = Domain::from_text(DOMAIN).unwrap();
    for lenient in [false, true] {
        let options = ReadOptions {
            lenient,
            ..ReadOptions::default()
        };
        for (stray, _) in STRAY {
            for text in [
                format!("{DOMAIN} {stray} {PROBLEM}"),
                format!("{DOMAIN} {PROBLEM} {stray}"),
            ] {
                let source = Source::new("both", &text);
                let errors = |all: &[herbrand_pddl::Diagnostic]| {
                    all.iter().any(|one| one.severity() == Severity::Error)
                };
                let is_sound = !errors(read(&source, &options).diagnostics());
                let (as_domain, as_problem) = (
                    Domain::parse_with(&source, &options),
                    Problem::parse_with(&source, &domain, &options),
                );
                assert_eq!(as_domain.is_ok(), is_sound, "{text}");
                assert_eq!(as_problem.is_ok(), is_sound, "{text}");
                assert!(
                    as_domain.is_ok_and(|(_, all)| !errors(&all)) || !is_sound,
                    "{text}"
                );
                assert!(
                    as_problem.is_ok_and(|(_, all)| !errors(&all)) || !is_sound,
                    "{text}"
                );
                assert!(lenient || !is_sound, "{text}");
            }
        }
    }
}

#[test]
fn domains_and_problems_may_share_a_text() {
    let domain = Domain::from_text(DOMAIN).unwrap();
    for text in [format!("{DOMAIN} {PROBLEM}"), format!("{PROBLEM}\n{DOMAIN}")] {
        assert_eq!(Domain::from_text(&text).unwrap().name.as_str(), "d");
        assert_eq!(Problem::from_text(&text, &domain).unwrap().name.as_str(), "one");
    }
}

#[test]
fn an_empty_text_is_told_how_problems_are_written() {
    let domain = Domain::from_text(DOMAIN).unwrap();
    let faults = Problem::from_text("; nothing", &domain).unwrap_err();
    assert!(
        faults.to_string().contains("`(define (problem NAME) …)`"),
        "{faults}"
    );
}
