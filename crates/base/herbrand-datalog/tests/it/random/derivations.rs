//! Maintained derivations agree with the naive evaluation of the current input, in facts and firings.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use herbrand_datalog::{
    Derivations, DerivationsError, Facts, Firing, FiringId, Limits, Literal, Program, RelationId, Rule,
    RuleId, Symbol, Term, naive,
};
use proptest::prelude::*;

use super::sketch::{ARITIES, SYMBOLS, empty_program, facts, input, program, rule};

type Tuple = (RelationId, Vec<Symbol>);
/// A firing: its rule, its binding, its premises and its conclusions.
type Said = (RuleId, Vec<Symbol>, Vec<Tuple>, Vec<Tuple>);

/// The facts and firings that hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Holding {
    facts: BTreeSet<Tuple>,
    firings: BTreeSet<Said>,
}

impl Holding {
    /// Evaluates with the naive evaluator; includes only facts of non-static relations.
    fn expected(program: &Program, given: &BTreeMap<Tuple, usize>, statics: &Facts) -> Self {
        let mut facts = statics.clone();
        let times = given.iter().filter(|(_, times)| **times > 0);
        times.for_each(|((relation, tuple), _)| facts.add(*relation, tuple));
        let mut told = Vec::new();
        let model = naive::evaluate(program, &facts, &mut |firing: &Firing<'_>| {
            let (premises, conclusions) = (firing.premises.to_vec(), firing.conclusions.to_vec());
            told.push((firing.rule, firing.binding.to_vec(), premises, conclusions));
            ControlFlow::Continue(())
        })
        .expect("facts that fit");
        let fact = |id| (model.relation(id), model.tuple(id).to_vec());
        let named = |(rule, binding, premises, conclusions): (RuleId, Vec<Symbol>, Vec<_>, Vec<_>)| {
            let [premises, conclusions] =
                [premises, conclusions].map(|ids| ids.into_iter().map(fact).collect());
            (rule, binding, premises, conclusions)
        };
        Self {
            facts: model.ids().map(fact).collect(),
            firings: told.into_iter().map(named).collect(),
        }
    }

    /// Reads the current state of derivations.
    fn of(kept: &Derivations) -> Self {
        let held = kept.model().ids().filter(|id| kept.is_held(*id));
        let firing = (0..kept.firings() as u32).map(FiringId::new);
        Self {
            facts: held.map(|id| fact(kept, id)).collect(),
            firings: firing
                .filter(|id| kept.fires(*id))
                .map(|id| said(kept, id))
                .collect(),
        }
    }
}

fn fact(kept: &Derivations, id: herbrand_datalog::FactId) -> Tuple {
    (kept.model().relation(id), kept.model().tuple(id).to_vec())
}

fn said(kept: &Derivations, id: FiringId) -> Said {
    let premises = kept.premises(id).map(|id| fact(kept, id)).collect();
    let conclusions = kept.conclusions(id).map(|id| fact(kept, id)).collect();
    (kept.rule(id), kept.binding(id).to_vec(), premises, conclusions)
}

/// All symbols in all columns of non-static relations.
fn room(program: &Program) -> Facts {
    let mut room = Facts::new();
    for relation in program.relation_ids().filter(|id| !program.is_static(*id)) {
        for symbol in (0..SYMBOLS).map(Symbol::new) {
            room.add(relation, &vec![symbol; ARITIES[relation.index()] as usize]);
        }
    }
    room
}

/// The rules that neither derive relation 2, which stays static, nor negate any other relation. Each rule is added `copies`
/// times with different constants; enough copies are folded into one rule.
fn monotone(rules: Vec<Rule>, copies: u32) -> Program {
    let stratified = program(rules);
    let mut candidate = empty_program();
    let fluents = candidate.relation_ids().filter(|id| id.index() != 2);
    fluents.for_each(|id| candidate.set_fluent(id));
    let says_static = |rule: &Rule| rule.heads.iter().any(|head| head.relation.index() == 2);
    let negates = |rule: &Rule| rule.negative().any(|atom| atom.relation.index() != 2);
    for rule in stratified
        .rules()
        .iter()
        .filter(|rule| !says_static(rule) && !negates(rule))
    {
        for copy in 0..copies {
            candidate.add_rule(turned(rule, copy));
        }
    }
    candidate
}

/// Returns a copy of a rule with all constants shifted by `by`.
fn turned(rule: &Rule, by: u32) -> Rule {
    let mut rule = rule.clone();
    let turn = |term: &mut Term| {
        if let Term::Constant(symbol) = term {
            *term = Term::Constant(Symbol::new((symbol.number() + by) % SYMBOLS));
        }
    };
    rule.heads
        .iter_mut()
        .flat_map(|head| &mut head.terms)
        .for_each(turn);
    for literal in &mut rule.body {
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.terms.iter_mut().for_each(turn),
            Literal::Equal(left, right) | Literal::Distinct(left, right) => {
                [left, right].into_iter().for_each(turn);
            }
        }
    }
    rule
}

/// Changes the input from `given` to `next`, and compares the reported changes with the actual ones.
fn go(
    program: &Program,
    kept: &mut Derivations,
    given: &mut BTreeMap<Tuple, usize>,
    next: &BTreeMap<Tuple, usize>,
) -> Result<(), TestCaseError> {
    let before = Holding::of(kept);
    let touched: BTreeSet<Tuple> = given.keys().chain(next.keys()).cloned().collect();
    for (relation, tuple) in &touched {
        let times = |map: &BTreeMap<Tuple, usize>| map.get(&(*relation, tuple.clone())).copied().unwrap_or(0);
        for _ in times(next)..times(given) {
            prop_assert!(kept.take(*relation, tuple));
        }
        for _ in times(given)..times(next) {
            prop_assert!(kept.give(*relation, tuple));
        }
    }
    prop_assert_eq!(
        &Holding::of(kept),
        &before,
        "nothing changes before the derivations are settled"
    );
    let shift = kept.settle(Limits::default()).expect("no limit").clone();
    let after = Holding::of(kept);
    let facts = |ids: &[_]| ids.iter().map(|id| fact(kept, *id)).collect::<Vec<_>>();
    let firings = |ids: &[_]| ids.iter().map(|id| said(kept, *id)).collect::<Vec<_>>();
    let told = Holding {
        facts: &(&before.facts - &facts(&shift.ended).into_iter().collect())
            | &facts(&shift.began).into_iter().collect(),
        firings: &(&before.firings - &firings(&shift.ceased).into_iter().collect())
            | &firings(&shift.fired).into_iter().collect(),
    };
    prop_assert_eq!(&told, &after, "{}", program);
    prop_assert_eq!(shift.began.len(), after.facts.difference(&before.facts).count());
    prop_assert_eq!(shift.ended.len(), before.facts.difference(&after.facts).count());
    prop_assert_eq!(
        shift.fired.len(),
        after.firings.difference(&before.firings).count()
    );
    prop_assert_eq!(
        shift.ceased.len(),
        before.firings.difference(&after.firings).count()
    );
    prop_assert_eq!(kept.live(), after.firings.len());
    *given = next.clone();
    Ok(())
}

/// Returns how often each fact of a non-static relation is given.
fn given(program: &Program, input: &Facts) -> BTreeMap<Tuple, usize> {
    let mut given = BTreeMap::new();
    for (relation, tuple) in input.iter().filter(|(relation, _)| !program.is_static(*relation)) {
        *given.entry((relation, tuple.to_vec())).or_default() += 1;
    }
    given
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, ..Default::default() })]

    #[test]
    fn derivations_agree_with_the_naive_evaluator(
        rules in prop::collection::vec(rule(0..5), 0..7),
        inputs in prop::collection::vec(input(40), 1..6),
        copies in prop::sample::select(vec![1, 1, 1, 8]),
    ) {
        let program = monotone(rules, copies);
        let first = facts(&inputs[0]);
        let mut statics = Facts::new();
        let given_for_good = first.iter().filter(|(relation, _)| program.is_static(*relation));
        given_for_good.for_each(|(relation, tuple)| statics.add(relation, tuple));
        let mut kept =
            Derivations::new(&program, &first, &room(&program), Limits::default()).expect("a sound program");
        let mut now = given(&program, &first);
        prop_assert_eq!(&Holding::of(&kept), &Holding::expected(&program, &now, &statics), "{}", program);
        for input in &inputs[1..] {
            let next = given(&program, &facts(input));
            go(&program, &mut kept, &mut now, &next)?;
            let expected = Holding::expected(&program, &now, &statics);
            prop_assert_eq!(&Holding::of(&kept), &expected, "{}", program);
            for (relation, tuple) in &expected.facts {
                prop_assert!(kept.holds(*relation, tuple));
            }
        }
    }

    /// A fact without room is rejected and has no effect.
    #[test]
    fn facts_without_room_are_refused(
        rules in prop::collection::vec(rule(0..4), 0..5),
        first in input(20),
        second in input(20),
    ) {
        let program = monotone(rules, 1);
        let first = facts(&first);
        let mut kept = Derivations::new(&program, &first, &Facts::new(), Limits::default()).expect("a sound program");
        let (mut now, before) = (given(&program, &first), Holding::of(&kept));
        let mut statics = Facts::new();
        let for_good = first.iter().filter(|(relation, _)| program.is_static(*relation));
        for_good.for_each(|(relation, tuple)| statics.add(relation, tuple));
        for (relation, tuple) in facts(&second).iter() {
            let has_room = kept.has_room(relation, tuple);
            prop_assert_eq!(kept.give(relation, tuple), has_room);
            prop_assert!(!has_room || !program.is_static(relation));
            if has_room {
                *now.entry((relation, tuple.to_vec())).or_default() += 1;
            }
        }
        prop_assert_eq!(Holding::of(&kept), before);
        kept.settle(Limits::default()).expect("no limit");
        prop_assert_eq!(Holding::of(&kept), Holding::expected(&program, &now, &statics), "{}", program);
    }
}

#[test]
fn what_changes_may_not_be_negated() {
    let (program, facts) = Program::parse("#fluent p/1. #fluent q/1. p(a). r(X) :- p(X), not q(X).").unwrap();
    let error = Derivations::new(&program, &facts, &Facts::new(), Limits::default()).unwrap_err();
    assert!(matches!(error, DerivationsError::Negation { .. }));
    assert_eq!(
        error.to_string(),
        "rule `r` negates a relation that is not static"
    );
}

/// If a limit is reached during an update, the same facts hold as before.
#[test]
fn a_limit_leaves_what_holds() {
    let (program, facts) = Program::parse(
        "#fluent on/1. #fluent n/1. n(0). n(1). n(2). n(3). n(4). n(5). n(6). n(7). n(8). n(9). n(10). n(11).
         all(A, B, C, D, E) :- on(A), n(A), n(B), n(C), n(D), n(E).",
    )
    .unwrap();
    let mut room = Facts::new();
    (0..12).for_each(|symbol| room.add(RelationId::new(0), &[Symbol::new(symbol)]));
    let mut kept = Derivations::new(&program, &facts, &room, Limits::default()).unwrap();
    let before = Holding::of(&kept);
    let limits = Limits {
        bytes: Some(kept.bytes() + (1 << 20)),
        time: None,
    };
    (0..12).for_each(|symbol| assert!(kept.give(RelationId::new(0), &[Symbol::new(symbol)])));
    assert!(kept.settle(limits).is_err());
    assert_eq!(Holding::of(&kept), before);
}
