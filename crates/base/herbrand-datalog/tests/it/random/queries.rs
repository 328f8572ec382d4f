//! Queries agree with the naive evaluator while facts are inserted into and removed from the database.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use herbrand_datalog::{
    Database, Facts, Firing, Program, Queries, Query, RelationId, Rule, RuleId, Symbol, Variable, naive,
};
use proptest::prelude::*;

use super::sketch::{ARITIES, SYMBOLS, empty_program, facts, input, rule, safe};

type Bindings = BTreeSet<Vec<Symbol>>;

/// Returns the bindings of a query, and asserts that each is found once.
fn found(query: Query, database: &Database, given: &[Symbol]) -> Bindings {
    let mut bindings = Bindings::new();
    let end = query.for_each(database, given, |binding| {
        if bindings.insert(binding.to_vec()) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    assert!(end.is_continue(), "a binding was found twice");
    bindings
}

/// Returns all bindings that satisfy the rule's body, by the naive evaluator.
fn expected(program: &Program, facts: &Facts) -> Bindings {
    let mut bindings = Bindings::new();
    let mut sink = |firing: &Firing<'_>| {
        bindings.insert(firing.binding.to_vec());
        ControlFlow::Continue(())
    };
    assert!(naive::evaluate(program, facts, &mut sink).is_ok());
    bindings
}

/// A program whose only rule is this query. Every other relation is fluent.
fn query_program(rule: Rule) -> Program {
    let mut program = empty_program();
    for relation in program
        .relation_ids()
        .filter(|relation| relation.index() % 2 == 1)
    {
        program.set_fluent(relation);
    }
    program.add_rule(Rule {
        heads: Vec::new(),
        ..safe(rule)
    });
    program
}

/// Returns the facts of the static relations.
fn statics(program: &Program, facts: &Facts) -> Facts {
    let mut statics = Facts::new();
    let tuples = facts.iter().filter(|(relation, _)| program.is_static(*relation));
    tuples.for_each(|(relation, tuple)| statics.add(relation, tuple));
    statics
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, ..Default::default() })]

    #[test]
    fn queries_agree_with_the_naive_evaluator(
        rule in rule(0..5),
        first in input(50),
        second in input(50),
        symbols in prop::collection::vec(0..SYMBOLS, 4),
    ) {
        let program = query_program(rule);
        let (first, second) = (facts(&first), facts(&second));
        let mut queries = Queries::new(&program, &first).unwrap();
        let rule = RuleId::new(0);
        let all = queries.prepare(rule, &[]).unwrap();
        let variables = program.rules()[0].variables;
        let given: Vec<Variable> = (0..variables).step_by(2).map(Variable::new).collect();
        let some = queries.prepare(rule, &given).unwrap();

        // The database contains the first facts, then only the second ones.
        let mut database = queries.database();
        let mut held = statics(&program, &first);
        let add = |database: &mut Database, facts: &Facts, held: &mut Facts| {
            for (relation, tuple) in facts.iter().filter(|(relation, _)| !program.is_static(*relation)) {
                let new = !database.contains(relation, tuple);
                prop_assert_eq!(database.insert(relation, tuple), new);
                held.add(relation, tuple);
            }
            Ok(())
        };
        add(&mut database, &first, &mut held)?;
        let compare = |database: &Database, held: &Facts| {
            let expected = expected(&program, held);
            prop_assert_eq!(&found(all, database, &[]), &expected, "{}", program);
            let symbols = symbols.iter().take(given.len()).map(|symbol| Symbol::new(*symbol));
            let symbols: Vec<Symbol> = symbols.collect();
            let fits = |binding: &&Vec<Symbol>| {
                given.iter().zip(&symbols).all(|(variable, symbol)| binding[variable.index()] == *symbol)
            };
            let fitting: Bindings = expected.iter().filter(fits).cloned().collect();
            prop_assert_eq!(found(some, database, &symbols), fitting, "{}", program);
            Ok(())
        };
        compare(&database, &held)?;
        for (relation, tuple) in first.iter().filter(|(relation, _)| !program.is_static(*relation)) {
            let there = database.contains(relation, tuple);
            prop_assert_eq!(database.remove(relation, tuple), there);
        }
        prop_assert!(database.is_empty());
        let mut held = statics(&program, &first);
        add(&mut database, &second, &mut held)?;
        compare(&database, &held)?;
    }
}

#[test]
fn what_does_not_fit_is_not_added() {
    let mut program = empty_program();
    program.set_fluent(RelationId::new(1));
    let queries = Queries::new(&program, &Facts::new()).unwrap();
    let mut database = queries.database();
    assert!(!database.insert(RelationId::new(1), &[]), "of another arity");
    assert!(
        !database.insert(RelationId::new(1), &[Symbol::new(SYMBOLS)]),
        "of an unknown symbol"
    );
    assert!(!database.insert(RelationId::new(0), &[]), "static");
    assert!(
        !database.insert(RelationId::new(ARITIES.len() as u32), &[]),
        "of an unknown relation"
    );
    assert!(database.is_empty());
}

#[test]
fn databases_may_be_sent_and_shared() {
    fn check<T: Send + Sync>() {}
    check::<Database>();
    check::<Queries>();
    check::<herbrand_datalog::Model>();
}
