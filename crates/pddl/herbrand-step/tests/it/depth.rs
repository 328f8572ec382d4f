//! Texts nested to any depth, on a thread with little stack: a task that steps, or a fault of the text.

use std::thread;

use herbrand_pddl::{
    Code, Diagnostic, Domain, Problem, ReadOptions, Source, doubts, format, format_lenient, lexemes,
    never_true, read, start_doubts, undefined_values,
};
use herbrand_step::{LiftedSimulator, ParsedPlan, compile};

/// The stack of the thread, less than any platform gives one.
const STACK: usize = 256 << 10;

/// A construct that nests: the text before the part inside it, the innermost part, and the text after it.
type Nesting = (&'static str, &'static str, &'static str);

const CONDITIONS: &[Nesting] = &[
    ("(and ", "(p)", ")"),
    ("(and (q o) ", "(p)", ")"),
    ("(or (p) (and (q o) ", "(p)", "))"),
    ("(not ", "(p)", ")"),
    ("(imply ", "(p)", " (p))"),
    ("(imply (p) ", "(p)", ")"),
    ("(forall (?x - t) ", "(q ?x)", ")"),
    ("(exists (?x - t) (and (q ?x) ", "(p)", "))"),
    ("(forall (?x - t) (or (not (q ?x)) ", "(p)", "))"),
    ("(>= (f) (+ (f) (- 1 ", "(f)", ")))"),
    ("(= (f) (* 1 ", "(f)", "))"),
    ("(= ", "o", " o)"),
];

const EFFECTS: &[Nesting] = &[
    ("(and ", "(p)", ")"),
    ("(when (p) ", "(p)", ")"),
    ("(forall (?x - t) (when (q ?x) ", "(q ?x)", "))"),
    ("(probabilistic 0.5 ", "(p)", ")"),
    ("(probabilistic 0.5 (p) 0.25 (and (not (p)) ", "(p)", "))"),
    ("(oneof (p) ", "(p)", ")"),
    ("(increase (f) (+ 1 ", "1", "))"),
];

const INITS: &[Nesting] = &[
    ("(probabilistic 0.5 (and (q o) ", "(p)", "))"),
    ("(oneof (p) (and (q o) ", "(p)", "))"),
    ("(", "p", ")"),
];

fn nested((before, innermost, after): Nesting, depth: usize) -> String {
    format!("{}{innermost}{}", before.repeat(depth), after.repeat(depth))
}

fn domain(types: &str, condition: &str, effect: &str) -> String {
    format!(
        "(define (domain d) (:requirements :adl :fluents :derived-predicates :probabilistic-effects)
            (:types t - {types}) (:predicates (p) (q ?x - t) (r)) (:functions (f))
            (:derived (r) {condition})
            (:action a :parameters () :precondition {condition} :effect {effect}))"
    )
}

fn problem(init: &str, goal: &str) -> String {
    format!("(define (problem i) (:domain d) (:objects o - t) (:init (= (f) 1) {init}) (:goal {goal}))")
}

/// Does with texts what the program does. Returns the codes of their faults.
fn used(domain: &str, problem: &str) -> Vec<Code> {
    for text in [domain, problem] {
        let source = Source::new("nested", text);
        let document = read(&source, &ReadOptions::default());
        assert!(document.mentions().len() <= lexemes(text).len());
        assert!(
            document
                .diagnostics()
                .iter()
                .all(|fault| !fault.to_string().is_empty())
        );
        let _ = format(&source);
        let _ = format_lenient(&source);
    }
    let codes = |faults: &[Diagnostic]| faults.iter().map(Diagnostic::code).collect();
    let domain = match Domain::from_text(domain) {
        Ok(domain) => domain,
        Err(faults) => return codes(faults.diagnostics()),
    };
    let problem = match Problem::from_text(problem, &domain) {
        Ok(problem) => problem,
        Err(faults) => return codes(faults.diagnostics()),
    };
    assert_eq!(Domain::from_text(&domain.to_pddl()).as_ref(), Ok(&domain));
    assert_eq!(
        Problem::from_text(&problem.to_pddl(&domain), &domain).as_ref(),
        Ok(&problem)
    );
    assert!(!problem.goal_text(&domain, &problem.goal).is_empty());
    let _ = doubts(&domain, false);
    let _ = never_true(&domain, &problem, false);
    let _ = start_doubts(&domain, &problem, false);
    let _ = undefined_values(&domain, &problem, false);
    if let Ok(simulator) = compile(&domain, &problem) {
        let state = simulator.initial_state();
        let _ = simulator.explain_goal(&state);
        for action in simulator.valid_actions(&state) {
            let _ = simulator.outcomes(&state, action);
        }
    }
    let _ = LiftedSimulator::compile(&domain, &problem);
    Vec::new()
}

fn on_a_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = thread::Builder::new().stack_size(STACK).spawn(work);
    thread.unwrap().join().unwrap()
}

const DEPTHS: [usize; 12] = [10, 80, 81, 82, 83, 122, 123, 124, 246, 247, 3_000, 100_000];

#[test]
fn each_construct_is_nested_to_any_depth() {
    let condition = |nesting, depth| {
        let nested = nested(nesting, depth);
        (domain("object", &nested, "(p)"), problem("(p)", &nested))
    };
    let effect = |nesting, depth| {
        (
            domain("object", "(p)", &nested(nesting, depth)),
            problem("(p)", "(p)"),
        )
    };
    let init = |nesting, depth| {
        (
            domain("object", "(p)", "(p)"),
            problem(&nested(nesting, depth), "(p)"),
        )
    };
    let either = |nesting, depth| {
        (
            domain(&nested(nesting, depth), "(p)", "(p)"),
            problem("(p)", "(p)"),
        )
    };
    type Texts = fn(Nesting, usize) -> (String, String);
    let kinds: [(&[Nesting], Texts); 4] = [
        (CONDITIONS, condition),
        (EFFECTS, effect),
        (INITS, init),
        (
            &[("(either ", "object", ")"), ("(either object ", "object", ")")],
            either,
        ),
    ];
    for (nestings, texts) in kinds {
        for &nesting in nestings {
            let found = on_a_small_stack(move || {
                DEPTHS.map(|depth| {
                    let (domain, problem) = texts(nesting, depth);
                    (depth, used(&domain, &problem))
                })
            });
            println!("{nesting:?} {found:?}");
            assert!(
                found[11].1.contains(&Code::NestedTooDeep),
                "{nesting:?} {:?}",
                found[11]
            );
        }
    }
}

#[test]
fn plans_are_nested_to_any_depth() {
    for depth in [10, 300, 100_000] {
        let text = nested(("(", "a", ")"), depth);
        let parsed = on_a_small_stack(move || ParsedPlan::parse(&Source::new("plan", &text)).is_ok());
        assert!(!parsed, "{depth}");
    }
}
