//! Tests that parsing terminates quickly for every text and reports diagnostics.

#[path = "../../examples/fuzz/read.rs"]
mod reading;
#[path = "../../examples/fuzz/words.rs"]
mod words;

use std::time::Duration;

use cpu_time::ThreadTime;
use herbrand_pddl::{Code, Diagnostic, Domain, ReadOptions, Source, read};
use herbrand_text::fuzz::Xorshift;
use proptest::prelude::*;
use reading::exercise;

/// Returns the codes of all diagnostics of a domain.
fn codes(text: &str) -> Vec<Code> {
    let faults = Domain::from_text(text).unwrap_err();
    assert!(!faults.to_string().is_empty());
    faults.diagnostics().iter().map(|d| d.code()).collect()
}

#[test]
fn parentheses_by_the_hundred_thousand() {
    let many = 100_000;
    let rows = [
        "(".repeat(many),
        ")".repeat(many),
        "(".repeat(many) + &")".repeat(many),
        format!(
            "(define (domain d) (:action a :precondition {}",
            "(not ".repeat(many)
        ),
        format!(
            "(define (domain d) (:action a :effect {}{}))",
            "(and ".repeat(many),
            ")".repeat(many)
        ),
        format!(
            "(define (domain d) (:derived (p) {}{}))",
            "(forall (?x) ".repeat(many),
            ")".repeat(many)
        ),
        format!("(define (domain d) {})", "(:init ".repeat(many)),
        "(define (domain d)) (:types)".repeat(many / 10),
    ];
    for text in &rows {
        codes(text);
        exercise(text);
    }
    assert!(codes(&rows[3]).contains(&Code::NestedTooDeep));
    assert_eq!(codes(&rows[4]), [Code::NestedTooDeep]);
}

#[test]
fn nesting_up_to_the_limit_is_no_matter() {
    // The definition, the action and the atom are one nesting level each.
    for open in ["(not ", "(and ", "(forall () "] {
        let text = |depth: usize| {
            let formula = format!("{}(p){}", open.repeat(depth), ")".repeat(depth));
            format!("(define (domain d) (:predicates (p)) (:action a :precondition {formula} :effect (p)))")
        };
        exercise(&text(247));
        let is_deep = |d: &Diagnostic| d.code() == Code::NestedTooDeep;
        assert!(Domain::from_text(&text(247)).is_ok());
        let faults = Domain::from_text(&text(248)).unwrap_err();
        assert!(
            faults.errors() == 1 && faults.diagnostics().iter().any(is_deep),
            "{faults}"
        );
    }
}

#[test]
fn more_faults_than_anyone_reads() {
    let text = format!(
        "(define (domain d) (:action a :effect (and {})))",
        "(p) ".repeat(1000)
    );
    let codes = codes(&text);
    assert_eq!(codes.len(), 201);
    assert_eq!(codes[200], Code::TooManyFaults);
}

#[test]
fn names_as_long_as_books() {
    let name = "n".repeat(1_000_000);
    let text = format!(
        "(define (domain d) (:predicates (m{name})) (:action a :effect (and {})))",
        format!("({name}) ").repeat(3)
    );
    exercise(&text);
    assert_eq!(codes(&text), [Code::UnknownPredicate; 3]);
}

#[test]
fn bytes_that_are_no_text() {
    let source = Source::from_bytes("latin1.pddl", b"; \xfcber\n(define (domain d))".to_vec());
    assert!(source.text().starts_with("; \u{fc}ber"));
    assert!(Domain::parse(&source).is_ok());
    let noise: Vec<u8> = (0..=255).cycle().take(5000).collect();
    exercise(Source::from_bytes("noise", noise).text());
}

/// Returns the processor time that parsing takes, at best of two runs. Processor time is independent of other programs and
/// threads.
fn time(text: &str) -> Duration {
    let source = Source::new("text", text);
    let once = || {
        let start = ThreadTime::now();
        let document = read(&source, &ReadOptions::default());
        let mut diagnostics = document.diagnostics().to_vec();
        for domain in document.domains() {
            diagnostics.append(&mut domain.check().diagnostics);
        }
        assert!(diagnostics.iter().map(|d| d.to_string().len()).sum::<usize>() < 2_000_000);
        start.elapsed()
    };
    (0..2).map(|_| once()).min().unwrap()
}

#[test]
fn time_grows_with_the_length_of_the_text() {
    let domain = |body: &str| format!("(define (domain d) {body})");
    let numbered = |n: usize, item: &dyn Fn(usize) -> String| (0..n).map(item).collect::<String>();
    type Family = (&'static str, Box<dyn Fn(usize) -> String>);
    let families: [Family; 14] = [
        (
            "a chain of types",
            Box::new(move |n| {
                domain(&format!(
                    "(:types {})",
                    numbered(n, &|i| format!("t{i} - t{} ", i + 1))
                ))
            }),
        ),
        (
            "constants of a chain of types",
            Box::new(move |n| {
                let types = numbered(n, &|i| format!("t{i} - t{} ", i + 1));
                let constants = numbered(n, &|i| format!("c{i} - t{i} "));
                domain(&format!("(:types {types}) (:constants {constants})"))
            }),
        ),
        (
            "parameters",
            Box::new(move |n| {
                domain(&format!(
                    "(:action a :parameters ({}))",
                    numbered(n, &|i| format!("?x{i} "))
                ))
            }),
        ),
        (
            "one parameter",
            Box::new(move |n| domain(&format!("(:action a :parameters ({}))", "?x ".repeat(n)))),
        ),
        (
            "actions",
            Box::new(move |n| domain(&numbered(n, &|i| format!("(:action a{i} :parameters (?x{i}))")))),
        ),
        (
            "unknown predicates",
            Box::new(move |n| {
                domain(&format!(
                    "(:predicates {}) (:action a :effect (and {}))",
                    numbered(n, &|i| format!("(p{i})")),
                    numbered(n, &|i| format!("(q{i})"))
                ))
            }),
        ),
        (
            "parentheses too many",
            Box::new(move |n| domain(&"(:types a)) ".repeat(n))),
        ),
        (
            "parentheses too few",
            Box::new(move |n| domain(&"(:types a ".repeat(n))),
        ),
        (
            "rules in a circle",
            Box::new(move |n| {
                domain(&format!(
                    "(:predicates {}) {}",
                    numbered(n + 1, &|i| format!("(p{i})")),
                    numbered(n, &|i| format!("(:derived (p{i}) (p{}))", (i + 1) % n))
                ))
            }),
        ),
        (
            "arguments along a chain of types",
            Box::new(move |n| {
                let types = numbered(n, &|i| format!("t{i} - t{} ", i + 1));
                let parameters = numbered(n, &|i| format!("?x{i} - t{i} "));
                let effects = numbered(n, &|i| format!("(p ?x{i}) "));
                domain(&format!(
                    "(:types {types}) (:predicates (p ?x - t{})) (:action a :parameters ({parameters}) :effect (and {effects}))",
                    n / 2
                ))
            }),
        ),
        (
            "arguments in a lattice of types",
            Box::new(move |n| {
                let types = numbered(n, &|i| format!("t{i} - (either t{} t{}) ", i + 1, i + 2));
                let predicates = numbered(n, &|i| format!("(p{i} ?x - t{i}) "));
                let parameters = numbered(n, &|i| format!("?x{i} - t{i} "));
                let effects = numbered(n, &|i| format!("(p{i} ?x{}) ", n - 1 - i));
                domain(&format!(
                    "(:types {types}) (:predicates {predicates}) (:action a :parameters ({parameters}) :effect (and {effects}))"
                ))
            }),
        ),
        (
            "declarations far apart",
            Box::new(move |n| {
                let once = numbered(n, &|i| format!("(predicate-{i} ?x)\n"));
                domain(&format!("(:predicates {once} {once})"))
            }),
        ),
        (
            "unknown objects among many",
            Box::new(move |n| {
                let constants = numbered(n, &|i| format!("constant-of-the-domain-{i} "));
                let effects = numbered(n, &|i| format!("(p constant-of-some-domain-{i}) "));
                domain(&format!(
                    "(:constants {constants}) (:predicates (p ?x)) (:action a :effect (and {effects}))"
                ))
            }),
        ),
        (
            "characters of no use",
            Box::new(move |n| domain(&"\u{e9} ".repeat(n))),
        ),
    ];
    for (name, family) in families {
        let (short, long) = (time(&family(2_000)), time(&family(16_000)));
        // The text is eight times as long. The bound allows for noise and for caches that are cold at first.
        let allowed = short * 30 + Duration::from_millis(20);
        assert!(long <= allowed, "{name}: {short:?}, then {long:?}");
    }
}

/// Returns the texts of some bundled files.
fn samples() -> [&'static str; 4] {
    [
        "sokoban/domain.pddl",
        "sokoban/train/01.pddl",
        "supply/domain.pddl",
        "exploding-blocks/domain.pddl",
    ]
    .map(|path| herbrand_domains::file(path).expect("a bundled file"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn mutated_files_are_read_without_panic(seed: u64) {
        let mut random = Xorshift::new(seed);
        let samples = samples();
        let mut any = || samples[random.below(samples.len())];
        let (text, other) = (any(), any());
        exercise(&words::language().mutate(text, other, &mut random));
    }

    #[test]
    fn random_tokens_are_read_without_panic(seed: u64) {
        exercise(&words::language().tokens(&mut Xorshift::new(seed)));
    }

    #[test]
    fn random_text_is_read_without_panic(text in any::<String>()) {
        exercise(&text);
    }
}
