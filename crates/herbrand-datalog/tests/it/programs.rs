//! Small programs with known models.

use std::ops::ControlFlow;

use herbrand_datalog::{EvaluationError, Evaluator, Facts, Firing, Model, Program};

fn evaluate(text: &str) -> (Program, Model) {
    let (program, facts) = Program::parse(text).unwrap();
    let model = Evaluator::new(&program).unwrap().run(&facts, &mut ()).unwrap();
    (program, model)
}

/// Formats all numbered facts in order of discovery.
fn facts(text: &str) -> String {
    let (program, model) = evaluate(text);
    let fact = |id| {
        program
            .display_fact(model.relation(id), model.tuple(id))
            .to_string()
    };
    model.ids().map(fact).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(facts(text), expected, "{text}");
}

#[test]
fn an_empty_program_has_an_empty_model() {
    check("", "");
}

#[test]
fn facts_are_numbered_in_order_of_discovery() {
    check(
        "edge(a, b). edge(b, c). edge(c, d). path(d, a).
         path(X, Y) :- edge(X, Y).
         path(X, Z) :- edge(X, Y), path(Y, Z).",
        "path(d, a) path(a, b) path(b, c) path(c, d) path(c, a) path(a, c) path(b, d) path(b, a) \
         path(a, d) path(a, a)",
    );
}

#[test]
fn negation_looks_at_finished_strata() {
    check(
        "node(a). node(b). node(c). edge(a, b).
         reached(a). reached(Y) :- reached(X), edge(X, Y).
         lost(X) :- node(X), not reached(X).
         calm :- lost(c), not lost(a).",
        "reached(a) reached(b) lost(c) calm",
    );
}

#[test]
fn equalities_bind_and_compare() {
    check(
        "#fluent p/2. p(a, b). p(b, b). p(c, a).
         q(X, Y) :- p(X, X), Y = Z, Z = c.
         r(X) :- p(X, Y), X != Y, Y != a.",
        "p(a, b) p(b, b) p(c, a) r(a) q(b, c)",
    );
}

#[test]
fn one_rule_may_have_heads_in_several_strata() {
    check(
        "seed(x). low(X), high(X) :- seed(X).
         high(X) :- other(X), not low(X). other(y). #fluent other/1. top(X) :- high(X).",
        "other(y) low(x) high(x) high(y) top(x) top(y)",
    );
}

#[test]
fn a_fact_in_two_places_of_a_body_fires_once() {
    let (program, facts) = Program::parse("#fluent p/1. p(a). p(b). pair(X, Y) :- p(X), p(Y).").unwrap();
    let mut bindings = Vec::new();
    let mut sink = |firing: &Firing<'_>| {
        bindings.push(firing.binding.to_vec());
        ControlFlow::Continue(())
    };
    Evaluator::new(&program).unwrap().run(&facts, &mut sink).unwrap();
    assert_eq!(bindings.len(), 4);
    bindings.sort();
    bindings.dedup();
    assert_eq!(bindings.len(), 4);
}

#[test]
fn a_sink_can_stop() {
    let (program, facts) = Program::parse("p(a). p(b). q(X) :- p(X).").unwrap();
    let mut seen = 0;
    let mut sink = |_: &Firing<'_>| {
        seen += 1;
        ControlFlow::Break(())
    };
    let end = Evaluator::new(&program).unwrap().run(&facts, &mut sink);
    assert_eq!((end.err(), seen), (Some(EvaluationError::Stopped), 1));
}

#[test]
fn input_that_does_not_fit_is_an_error() {
    let (program, facts) = Program::parse("p(a). q(X) :- p(X).").unwrap();
    let (relation, _) = facts.iter().next().unwrap();
    let mut wrong = Facts::new();
    wrong.add(relation, &[]);
    let error = Evaluator::new(&program)
        .unwrap()
        .run(&wrong, &mut ())
        .unwrap_err();
    insta::assert_snapshot!(error, @"input fact number 0 does not fit the program: `p` has 1 columns, not 0");
}
