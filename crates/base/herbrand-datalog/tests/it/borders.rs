//! Wide tuples and many symbols: packed keys never overflow.

use std::ops::ControlFlow;

use herbrand_datalog::{Evaluator, Facts, Firing, Model, Program, Queries, Symbol, Variable, naive};

/// Rules that reverse a tuple, join it with a mark on its last column, and look up all its columns.
fn turning_program(arity: u32, symbols: u32) -> Program {
    let mut program = Program::new();
    program.reserve_symbols(symbols);
    let given = program.relation("given", arity);
    let turned = program.relation("turned", arity);
    let mark = program.relation("mark", 1);
    let both = program.relation("both", arity);
    let lone = program.relation("lone", arity);
    let forth: Vec<Variable> = (0..arity).map(Variable::new).collect();
    let back: Vec<Variable> = forth.iter().rev().copied().collect();
    let last = *forth.last().unwrap();
    program
        .rule("turn")
        .head(turned, back)
        .when(given, forth.clone())
        .when(mark, [last])
        .add();
    program
        .rule("twice")
        .head(both, forth.clone())
        .when(turned, forth.clone())
        .when(given, forth.clone())
        .add();
    program
        .rule("once")
        .head(lone, forth.clone())
        .when(turned, forth.clone())
        .unless(given, forth)
        .add();
    program
}

/// Tuples that differ from each other in a few columns, with symbols from both ends of the range.
fn tuples(arity: u32, symbols: u32) -> Vec<Vec<Symbol>> {
    let base = |column: u32| (column * 7919 + symbols / 2) % symbols;
    let with = |change: &dyn Fn(u32) -> Option<u32>| {
        (0..arity)
            .map(|column| Symbol::new(change(column).unwrap_or(base(column))))
            .collect()
    };
    let mut tuples: Vec<Vec<Symbol>> = Vec::new();
    for changed in 0..arity {
        for symbol in [0, 1, 65_534, 65_535, 65_536, symbols - 1]
            .into_iter()
            .filter(|symbol| *symbol < symbols)
        {
            tuples.push(with(&|column| (column == changed).then_some(symbol)));
        }
    }
    // A palindrome, whose reversal is the same tuple.
    tuples.push(
        (0..arity)
            .map(|column| Symbol::new(base(column.min(arity - 1 - column))))
            .collect(),
    );
    tuples.push(vec![Symbol::new(symbols - 1); arity as usize]);
    tuples
}

fn facts(program: &Program, arity: u32, symbols: u32) -> Facts {
    let mut relations = program.relation_ids();
    let (given, mark) = (relations.next().unwrap(), relations.nth(1).unwrap());
    let mut facts = Facts::new();
    for tuple in tuples(arity, symbols) {
        facts.add(given, &tuple);
        facts.add(mark, &tuple[tuple.len() - 1..]);
    }
    facts
}

fn sorted<'t>(tuples: impl Iterator<Item = &'t [Symbol]>) -> Vec<Vec<Symbol>> {
    let mut tuples: Vec<Vec<Symbol>> = tuples.map(<[Symbol]>::to_vec).collect();
    tuples.sort();
    tuples
}

/// Asserts that the evaluator and the queries agree with the naive evaluator on tuples of this width.
#[track_caller]
fn check(arity: u32, symbols: u32) {
    let program = turning_program(arity, symbols);
    let facts = facts(&program, arity, symbols);
    let expected = naive::evaluate(&program, &facts, &mut ()).unwrap();
    let evaluator = Evaluator::new(&program).unwrap();
    let model = evaluator.run(&facts, &mut ()).unwrap();
    for relation in program.relation_ids() {
        assert_eq!(sorted(model.tuples(relation)), sorted(expected.tuples(relation)));
    }
    for fact in model.ids() {
        assert_eq!(model.id(model.relation(fact), model.tuple(fact)), Some(fact));
    }
    check_queries(&program, &facts, &model);
}

/// Asserts that each rule's query over the finished model has as many bindings as the rule has firings.
fn check_queries(program: &Program, facts: &Facts, model: &Model) {
    let mut queries = Queries::new(program, facts).unwrap();
    let prepared: Vec<_> = program
        .rule_ids()
        .map(|rule| (rule, queries.prepare(rule, &[]).unwrap()))
        .collect();
    let mut database = queries.database();
    for fact in model.ids() {
        assert!(database.insert(model.relation(fact), model.tuple(fact)));
    }
    for (rule, query) in prepared {
        let mut found = 0;
        let _ = query.for_each(&database, &[], |_| {
            found += 1;
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(
            found,
            model.statistics(rule).firings,
            "{}",
            program.display_rule(rule)
        );
    }
    for fact in model.ids() {
        assert!(database.remove(model.relation(fact), model.tuple(fact)));
        assert!(!database.contains(model.relation(fact), model.tuple(fact)));
    }
    assert!(database.is_empty());
}

#[test]
fn few_columns_at_the_border_of_sixteen_bits() {
    for symbols in [65_535, 65_536, 65_537, 70_000] {
        check(2, symbols);
    }
}

#[test]
fn keys_at_the_border_of_sixty_four_bits() {
    // Four columns of 65,535 symbols just fit into 64 bits; four of 65,536 just do not; five of either never do.
    for arity in [4, 5, 8, 9] {
        for symbols in [65_535, 65_536, 70_000] {
            check(arity, symbols);
        }
    }
}

#[test]
fn wide_tuples() {
    for arity in [31, 32, 33, 70] {
        check(arity, 300);
        check(arity, 70_000);
    }
}

#[test]
fn every_column_may_hold_every_symbol() {
    let mut program = Program::new();
    program.reserve_symbols(70_000);
    let chain = program.relation("chain", 2);
    let reached = program.relation("reached", 1);
    let pair = program.relation("pair", 2);
    let [x, y] = [0, 1].map(Variable::new);
    program
        .rule("go")
        .head(reached, [y])
        .when(reached, [x])
        .when(chain, [x, y])
        .add();
    program
        .rule("pair")
        .head(pair, [y, x])
        .when(reached, [x])
        .when(chain, [x, y])
        .add();
    let mut facts = Facts::new();
    facts.add(reached, &[Symbol::new(0)]);
    for symbol in 1..70_000 {
        facts.add(chain, &[Symbol::new(symbol - 1), Symbol::new(symbol)]);
    }
    let mut last = None;
    let mut sink = |firing: &Firing<'_>| {
        last = firing.binding.last().copied();
        ControlFlow::Continue(())
    };
    let model = Evaluator::new(&program).unwrap().run(&facts, &mut sink).unwrap();
    assert_eq!(model.tuples(reached).len(), 70_000);
    assert_eq!(model.tuples(pair).len(), 69_999);
    assert_eq!(last, Some(Symbol::new(69_999)));
    assert!(model.contains(pair, &[Symbol::new(69_999), Symbol::new(69_998)]));
    assert!(!model.contains(pair, &[Symbol::new(4_463), Symbol::new(4_462 + 65_536)]));
}
