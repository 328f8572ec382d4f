//! Small programs with known models.

use std::ops::ControlFlow;

use herbrand_datalog::{
    EvaluationError, Evaluator, Facts, Firing, Model, Program, Stratification, Symbol, Views,
};

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

/// The numbered facts of a program, in order of their texts, by an evaluator that folds at least `least` rules of one shape.
fn facts_by(least: usize, program: &Program, facts: &Facts) -> Vec<String> {
    let evaluator = Evaluator::new(program).unwrap().with_folding(least);
    let model = evaluator.run(facts, &mut ()).unwrap();
    let fact = |id| {
        program
            .display_fact(model.relation(id), model.tuple(id))
            .to_string()
    };
    let mut facts: Vec<_> = model.ids().map(fact).collect();
    facts.sort();
    facts
}

/// Towers of negation over negation: a level holds for the symbols for which the level below does not.
#[test]
fn every_negation_of_a_negation_has_a_stratum_of_its_own() {
    for height in 1..9 {
        let mut text = "#fluent node/1. node(a). node(b). #fluent level0/1. level0(a). ".to_owned();
        let mut expected = vec!["level0(a)".to_owned(), "node(a)".to_owned(), "node(b)".to_owned()];
        // The rules are written from top to bottom, the opposite of the order of their evaluation.
        for level in (1..=height).rev() {
            text += &format!("level{level}(X) :- node(X), not level{}(X). ", level - 1);
            expected.push(format!(
                "level{level}({})",
                if level % 2 == 0 { "a" } else { "b" }
            ));
        }
        expected.sort();
        let (program, facts) = Program::parse(&text).unwrap();
        let strata = Stratification::of(&program).unwrap();
        assert_eq!(strata.strata().len(), height + 1, "{text}");
        for least in [2, usize::MAX] {
            assert_eq!(facts_by(least, &program, &facts), expected, "{text}");
        }
    }
}

/// Recursion in every stratum, beside rules of one shape that are evaluated as one.
#[test]
fn recursion_goes_on_in_every_stratum() {
    for height in 1..6 {
        let mut text = "#fluent node/1. node(a). node(b). node(c). #fluent edge/2. edge(a, b). edge(b, c). \
                        #fluent level0/1. mark(a) :- node(a). mark(b) :- node(b). "
            .to_owned();
        let mut expected: Vec<String> = [
            "node(a)",
            "node(b)",
            "node(c)",
            "edge(a, b)",
            "edge(b, c)",
            "mark(a)",
            "mark(b)",
        ]
        .map(str::to_owned)
        .to_vec();
        for level in 1..=height {
            // It begins at `a` if the level below does not hold there, and goes on along the edges.
            text += &format!(
                "level{level}(a) :- node(a), not level{}(a). level{level}(Y) :- level{level}(X), edge(X, Y). ",
                level - 1
            );
            if level % 2 == 1 {
                expected.extend(["a", "b", "c"].map(|node| format!("level{level}({node})")));
            }
        }
        expected.sort();
        let (program, facts) = Program::parse(&text).unwrap();
        for least in [2, usize::MAX] {
            assert_eq!(facts_by(least, &program, &facts), expected, "{text}");
        }
    }
}

/// Rules that copy two columns of a wide relation: from one tuple, from two tuples that share a column, and from tuples whose
/// columns are alike.
#[test]
fn columns_of_wide_relations_are_kept_apart() {
    for arity in 4..=7_usize {
        let list = |name: &dyn Fn(usize) -> String| (0..arity).map(name).collect::<Vec<_>>().join(", ");
        let symbols = list(&|column| format!("s{column}"));
        let variables = list(&|column| format!("X{column}"));
        let mut text = format!("#fluent wide/{arity}. wide({symbols}). ");
        let mut expected = vec![format!("wide({symbols})")];
        for one in 0..arity {
            for other in 0..arity {
                text += &format!("pair{one}_{other}(X{one}, X{other}) :- wide({variables}). ");
                expected.push(format!("pair{one}_{other}(s{one}, s{other})"));
                let sharing = list(&|column| format!("{}{column}", if column == one { "X" } else { "Y" }));
                let far = if one == other { "X" } else { "Y" };
                text += &format!(
                    "join{one}_{other}(X{other}, {far}{other}) :- wide({variables}), wide({sharing}). "
                );
                expected.push(format!("join{one}_{other}(s{other}, s{other})"));
                if one != other {
                    let alike = list(&|column| format!("X{}", if column == other { one } else { column }));
                    text += &format!("alike{one}_{other} :- wide({alike}). ");
                }
            }
        }
        expected.sort();
        let (program, facts) = Program::parse(&text).unwrap();
        for least in [2, usize::MAX] {
            let found = facts_by(least, &program, &facts);
            assert_eq!(found, expected, "arity {arity}, folding from {least}");
        }
    }
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

/// Changes of a view that are no facts of its input relations.
#[test]
fn changes_that_do_not_fit_a_program_are_ignored() {
    let (program, facts) = Program::parse("#fluent p/1. r(a). r(b). q(X) :- r(X), not p(X).").unwrap();
    let [p, q, r] = ["p", "q", "r"].map(|name| {
        let mut relations = program.relation_ids().zip(program.relations());
        let found = relations.find(|(_, relation)| relation.name == name);
        found.unwrap().0
    });
    let [a, b] = [0, 1].map(Symbol::new);
    let mut view = Views::new(&program, &facts)
        .unwrap()
        .view(&facts, |_, _| ())
        .unwrap();
    let long: &[Symbol] = &[a, a];
    view.update(
        [
            (p, long, true),
            (p, &[], true),
            (r, &[a], false),
            (q, &[b], false),
        ],
        |relation, tuple, holds| panic!("{relation:?} {tuple:?} {holds}"),
    );
    assert!(view.contains(q, &[a]) && view.contains(q, &[b]) && !view.contains(p, &[a]));
    let mut lost = Vec::new();
    view.update([(p, &[a][..], true)], |relation, tuple, holds| {
        lost.push((relation, tuple.to_vec(), holds));
    });
    assert_eq!(lost, [(q, vec![a], false)]);
}
