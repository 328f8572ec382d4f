//! The evaluator agrees with the naive evaluator in facts and firings.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use herbrand_datalog::{
    Atom, Evaluator, FactId, Facts, Firing, Literal, Program, RelationId, Rule, RuleId, Sink, Stratification,
    Symbol, Term, naive,
};
use proptest::prelude::*;

use super::sketch::{SYMBOLS, facts, input, program, rule};

/// A firing, with tuples in place of fact ids.
type Said = (RuleId, Vec<Symbol>, Vec<Tuple>, Vec<Tuple>);
type Tuple = (RelationId, Vec<Symbol>);

/// A firing as reported to the sink.
type Told = (RuleId, Vec<Symbol>, Vec<FactId>, Vec<FactId>);

#[derive(Default)]
struct Record(Vec<Told>);

impl Sink for Record {
    fn fired(&mut self, firing: &Firing<'_>) -> ControlFlow<()> {
        let (premises, conclusions) = (firing.premises.to_vec(), firing.conclusions.to_vec());
        self.0
            .push((firing.rule, firing.binding.to_vec(), premises, conclusions));
        ControlFlow::Continue(())
    }
}

impl Record {
    /// Counts each firing. `tuple` returns the tuple of a fact id.
    fn said(&self, tuple: impl Fn(&FactId) -> Tuple) -> BTreeMap<Said, usize> {
        let mut said = BTreeMap::new();
        for (rule, binding, premises, conclusions) in &self.0 {
            let premises = premises.iter().map(&tuple).collect();
            let conclusions = conclusions.iter().map(&tuple).collect();
            *said
                .entry((*rule, binding.clone(), premises, conclusions))
                .or_default() += 1;
        }
        said
    }
}

fn sorted<'t>(tuples: impl Iterator<Item = &'t [Symbol]>) -> Vec<Vec<Symbol>> {
    let mut tuples: Vec<Vec<Symbol>> = tuples.map(<[Symbol]>::to_vec).collect();
    tuples.sort();
    tuples
}

/// Asserts that the evaluator finds the same facts and the same firings, equally often, as the naive evaluator.
fn check(program: &Program, facts: &Facts) -> Result<(), TestCaseError> {
    let mut slow = Record::default();
    let expected = naive::evaluate(program, facts, &mut slow).unwrap();
    let slow = slow.said(|id| (expected.relation(*id), expected.tuple(*id).to_vec()));
    // Without folding, and with all rules of one shape folded.
    for least in [usize::MAX, 2] {
        let mut fast = Record::default();
        let evaluator = Evaluator::new(program).unwrap().with_folding(least);
        let model = evaluator.run(facts, &mut fast).unwrap();
        for relation in program.relation_ids() {
            let (found, expected) = (model.tuples(relation), expected.tuples(relation));
            prop_assert_eq!(sorted(found), sorted(expected), "{}", program);
        }
        let said = fast.said(|id| (model.relation(*id), model.tuple(*id).to_vec()));
        prop_assert_eq!(&said, &slow, "{}", program);
        for fact in model.ids() {
            let (relation, tuple) = (model.relation(fact), model.tuple(fact));
            prop_assert_eq!(model.id(relation, tuple), Some(fact));
            prop_assert!(model.contains(relation, tuple));
        }
        for rule in program.rule_ids() {
            let firings = fast.0.iter().filter(|said| said.0 == rule).count();
            prop_assert_eq!(model.statistics(rule).firings, firings as u64, "{}", program);
        }
        for (_, _, premises, conclusions) in &fast.0 {
            prop_assert!(
                premises
                    .iter()
                    .chain(conclusions)
                    .all(|fact| fact.index() < model.len())
            );
        }
    }
    Ok(())
}

/// Returns a copy of a rule with all constants shifted by `by`.
fn shifted(rule: &Rule, by: u32) -> Rule {
    let term = |term: &Term| match *term {
        Term::Constant(symbol) => Term::Constant(Symbol::new((symbol.number() + by) % SYMBOLS)),
        variable => variable,
    };
    let atom = |atom: &Atom| Atom::new(atom.relation, atom.terms.iter().map(term));
    let literal = |literal: &Literal| match literal {
        Literal::Positive(one) => Literal::Positive(atom(one)),
        Literal::Negative(one) => Literal::Negative(atom(one)),
        Literal::Equal(left, right) => Literal::Equal(term(left), term(right)),
        Literal::Distinct(left, right) => Literal::Distinct(term(left), term(right)),
    };
    Rule {
        heads: rule.heads.iter().map(atom).collect(),
        body: rule.body.iter().map(literal).collect(),
        ..rule.clone()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, ..Default::default() })]

    #[test]
    fn evaluators_agree_on_rules_of_one_shape(
        rules in prop::collection::vec(rule(0..5), 1..5),
        copies in prop::collection::vec((0usize..5, 0..SYMBOLS), 0..6),
        input in input(50),
    ) {
        let mut program = program(rules);
        for (rule, by) in copies {
            let copied = program.rules().get(rule).map(|rule| shifted(rule, by));
            copied.into_iter().for_each(|rule| { program.add_rule(rule); });
        }
        check(&program, &facts(&input))?;
    }

    #[test]
    fn evaluators_agree(rules in prop::collection::vec(rule(0..5), 0..7), input in input(50)) {
        check(&program(rules), &facts(&input))?;
    }

    /// The stratum of a relation is the greatest number of negations on a way down from it: found by raising relations until
    /// none is too low.
    #[test]
    fn strata_count_negations(rules in prop::collection::vec(rule(0..5), 0..9)) {
        let program = program(rules);
        let strata = Stratification::of(&program).unwrap();
        let mut heights = vec![0; program.relations().len()];
        loop {
            let before = heights.clone();
            for rule in program.rules() {
                let open = |atom: &&Atom| !program.is_static(atom.relation);
                let positive = rule.positive().filter(open).map(|atom| heights[atom.relation.index()]);
                let negative = rule.negative().filter(open).map(|atom| heights[atom.relation.index()] + 1);
                let least = positive.chain(negative).max().unwrap_or(0);
                for head in &rule.heads {
                    let height = &mut heights[head.relation.index()];
                    *height = least.max(*height);
                }
            }
            if heights == before {
                break;
            }
        }
        for relation in program.relation_ids() {
            prop_assert_eq!(strata.stratum(relation), heights[relation.index()], "{}", program);
        }
    }

    #[test]
    fn evaluators_agree_on_long_bodies(rules in prop::collection::vec(rule(3..8), 1..5), input in input(10)) {
        let mut program = program(rules);
        program.relation_ids().for_each(|relation| program.set_fluent(relation));
        check(&program, &facts(&input))?;
    }
}
