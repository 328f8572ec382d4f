//! Snapshots of the join orders and statistics of small programs.

use herbrand_datalog::{Evaluator, Program, Queries, RuleId};

/// Formats the plans of a program and the statistics of its rules.
fn explain(text: &str) -> String {
    let (program, facts) = Program::parse(text).unwrap();
    let model = Evaluator::new(&program).unwrap().run(&facts, &mut ()).unwrap();
    let plans = model
        .plans()
        .iter()
        .map(|plan| plan.display(&program).to_string());
    let statistics = program.rule_ids().map(|rule| {
        let did = model.statistics(rule);
        format!(
            "{}: {} firings, {} candidates",
            program.display_rule(rule),
            did.firings,
            did.candidates
        )
    });
    plans.chain(statistics).collect::<Vec<_>>().join("\n")
}

#[test]
fn plans_begin_with_what_arrives_and_follow_connections() {
    insta::assert_snapshot!(explain(
        "truck(t1). truck(t2). package(p1). package(p2). package(p3).
         at(t1, a). at(t2, c). at(p1, a). at(p2, b). at(p3, c).
         road(a, b). road(b, a). road(b, c). road(c, b).
         at(T, To) :- truck(T), at(T, From), road(From, To).
         in(P, T) :- package(P), truck(T), at(P, L), at(T, L).
         at(P, L) :- in(P, T), at(T, L)."
    ));
}

#[test]
fn type_atoms_are_implied_and_cross_products_come_last() {
    insta::assert_snapshot!(explain(
        "room(r1). room(r2). room(r3). light(l1). light(l2). #fluent on/1. on(l1). key(r3). joins(r1, r2).
         pair(X, Y, L) :- room(X), room(Y), on(L), light(L), joins(X, Z), Y != X, not key(Z).
         lit(X) :- room(X), on(l1), on(l1)."
    ));
}

#[test]
fn queries_show_their_plans() {
    let (program, facts) = Program::parse(
        "#fluent at/2. #fluent holds/2. at(rob, a). at(ann, b). at(box1, a). at(box2, b). holds(rob, box1).
         near(a, b). near(b, a).
         :- at(Who, Here), near(Here, There), holds(Who, What), not at(What, There).",
    )
    .unwrap();
    let mut queries = Queries::new(&program, &facts).unwrap();
    let all = queries.prepare(RuleId::new(0), &[]).unwrap();
    let what = program.rules()[0]
        .positive()
        .last()
        .unwrap()
        .variables()
        .last()
        .unwrap();
    let given = queries.prepare(RuleId::new(0), &[what]).unwrap();
    let text = |query| queries.plan(query).unwrap().display(&program).to_string();
    insta::assert_snapshot!([text(all), text(given)].join("\n"));
}
