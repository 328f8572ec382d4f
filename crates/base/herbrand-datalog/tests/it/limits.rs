//! Limits stop an evaluation and name the rule that did the most work.

use std::ops::ControlFlow;
use std::time::Duration;

use herbrand_datalog::{
    BusiestRule, EvaluationError, Evaluator, Facts, Firing, Limits, Program, RuleId, Sink, Symbol, Variable,
    Views,
};
use herbrand_limits::Budget;

/// A program in which `explode` has symbols⁴ firings and `calm` has one firing per symbol.
fn exploding(symbols: u32) -> (Program, Facts) {
    let mut program = Program::new();
    program.reserve_symbols(symbols);
    let thing = program.fluent("thing", 1);
    let (pair, four) = (program.relation("calm", 1), program.relation("four", 4));
    let [a, b, c, d] = [0, 1, 2, 3].map(Variable::new);
    program.rule("calm").head(pair, [a]).when(thing, [a]).add();
    let all = program.rule("explode").head(four, [a, b, c, d]);
    all.when(thing, [a])
        .when(thing, [b])
        .when(thing, [c])
        .when(thing, [d])
        .add();
    let mut facts = Facts::new();
    (0..symbols).for_each(|symbol| facts.add(thing, &[Symbol::new(symbol)]));
    (program, facts)
}

#[test]
fn a_memory_limit_names_the_rule_that_fired_most() {
    let (program, facts) = exploding(500);
    let limits = Limits {
        bytes: Some(8 << 20),
        ..Limits::default()
    };
    let end = Evaluator::new(&program)
        .unwrap()
        .with_limits(limits)
        .run(&facts, &mut ());
    let Err(EvaluationError::Memory { limit, busiest }) = end else {
        panic!("{end:?}")
    };
    assert_eq!((limit, busiest.name.as_str()), (8 << 20, "explode"));
    // Each fact takes at least 28 bytes; the limit may be exceeded by a little.
    assert!(
        (10_000..600_000).contains(&busiest.firings),
        "{}",
        busiest.firings
    );
}

/// A sink that claims to use a hundred bytes per firing.
struct Hoard(u64);

impl Sink for Hoard {
    fn fired(&mut self, _: &Firing<'_>) -> ControlFlow<()> {
        self.0 += 100;
        ControlFlow::Continue(())
    }

    fn bytes(&self) -> u64 {
        self.0
    }
}

#[test]
fn what_the_sink_holds_counts() {
    let (program, facts) = Program::parse(
        "thing(0). thing(1). thing(2). thing(3). thing(4). thing(5). thing(6). thing(7). thing(8). thing(9). thing(10).
         :- thing(A), thing(B), thing(C), thing(D), thing(E), thing(F).",
    )
    .unwrap();
    let evaluator = Evaluator::new(&program).unwrap();
    let limits = Limits {
        bytes: Some(50 << 20),
        ..Limits::default()
    };
    assert!(evaluator.clone().with_limits(limits).run(&facts, &mut ()).is_ok());
    let mut hoard = Hoard(0);
    let end = evaluator.with_limits(limits).run(&facts, &mut hoard);
    assert!(matches!(end, Err(EvaluationError::Memory { .. })), "{end:?}");
    assert!((50 << 20..70 << 20).contains(&hoard.0), "{}", hoard.0);
}

/// A rule that seats `guests` guests on one chair less, one guest per chair. It has no binding, but very many candidates.
fn pigeonholes(guests: u32) -> (Program, Facts) {
    let mut program = Program::new();
    program.reserve_symbols(guests);
    let (chair, seated) = (program.relation("chair", 1), program.relation("seated", 0));
    let guest = |number: u32| Variable::new(number);
    let mut rule = program.rule("seat").head(seated, [] as [Variable; 0]);
    for one in 0..guests {
        rule = rule.when(chair, [guest(one)]);
        rule = (0..one).fold(rule, |rule, other| rule.distinct(guest(one), guest(other)));
    }
    rule.add();
    let mut facts = Facts::new();
    (1..guests).for_each(|symbol| facts.add(chair, &[Symbol::new(symbol)]));
    (program, facts)
}

#[test]
fn a_time_limit_names_the_rule_that_tried_most() {
    let (program, facts) = pigeonholes(20);
    let limits = Limits {
        time: Some(Duration::from_millis(30)),
        ..Limits::default()
    };
    let end = Evaluator::new(&program)
        .unwrap()
        .with_limits(limits)
        .run(&facts, &mut ());
    let Err(EvaluationError::Time { limit, busiest }) = end else {
        panic!("{end:?}")
    };
    assert_eq!(
        (limit, busiest.name.as_str(), busiest.firings),
        (Duration::from_millis(30), "seat", 0)
    );
    assert!(busiest.candidates > 0);
}

#[test]
fn enough_is_enough() {
    let (program, facts) = exploding(12);
    let limits = Limits {
        bytes: Some(64 << 20),
        time: Some(Duration::from_secs(600)),
    };
    let mut firings = 0;
    let mut sink = |_: &herbrand_datalog::Firing<'_>| {
        firings += 1;
        ControlFlow::Continue(())
    };
    let model = Evaluator::new(&program)
        .unwrap()
        .with_limits(limits)
        .run(&facts, &mut sink)
        .unwrap();
    assert_eq!(
        (model.len(), firings),
        (12 + 12 + 12 * 12 * 12 * 12, 12 + 12 * 12 * 12 * 12)
    );
    assert!(model.bytes() < 64 << 20);
}

#[test]
fn limits_read_well() {
    let busiest = BusiestRule {
        rule: RuleId::new(3),
        name: "drive".to_owned(),
        firings: 60_007,
        candidates: 65_536,
    };
    let memory = EvaluationError::Memory {
        limit: 1 << 20,
        busiest: busiest.clone(),
    };
    let time = EvaluationError::Time {
        limit: Duration::from_millis(1500),
        busiest,
    };
    insta::assert_snapshot!(format!("{memory}\n{time}"));
}

/// An update that a cancelled budget encloses is completed, so that the view stays consistent.
#[test]
fn an_exhausted_enclosing_budget_leaves_a_view_consistent() {
    let (program, facts) = Program::parse(
        "#fluent edge/2. edge(a, b). edge(b, c).
         path(X, Y) :- edge(X, Y).
         path(X, Z) :- path(X, Y), edge(Y, Z).",
    )
    .unwrap();
    let [edge, path] = ["edge", "path"].map(|name| {
        let mut relations = program.relation_ids().zip(program.relations());
        let found = relations.find(|(_, relation)| relation.name == name);
        found.unwrap().0
    });
    let [a, b, c] = [0, 1, 2].map(Symbol::new);
    let views = Views::new(&program, &facts).unwrap();
    let mut view = views.view(&facts, |_, _| ()).unwrap();
    let cancelled = Budget::unlimited();
    cancelled.cancel();
    cancelled.enclose(|| view.update([(edge, &[b, c][..], false)], |_, _, _| ()));
    assert!(view.contains(path, &[a, b]) && !view.contains(path, &[a, c]) && !view.contains(path, &[b, c]));
}
