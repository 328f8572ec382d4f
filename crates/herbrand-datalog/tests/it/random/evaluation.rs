//! The fast evaluator finds the naive one's model and firings.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use herbrand_datalog::{Evaluator, FactId, Firing, Model, Program, RelationId, RuleId, Sink, Symbol, naive};
use proptest::prelude::*;

use super::sketch::{facts, input, program, rule};

/// What a firing says, without the numbers of facts.
type Said = (RuleId, Vec<Symbol>, Vec<Tuple>, Vec<Tuple>);
type Tuple = (RelationId, Vec<Symbol>);

/// A firing as it was told.
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
    /// How often each thing was said.
    fn said(&self, model: &Model) -> BTreeMap<Said, usize> {
        let mut said = BTreeMap::new();
        for (rule, binding, premises, conclusions) in &self.0 {
            let tuple = |id: &FactId| (model.relation(*id), model.tuple(*id).to_vec());
            let premises = premises.iter().map(tuple).collect();
            let conclusions = conclusions.iter().map(tuple).collect();
            *said
                .entry((*rule, binding.clone(), premises, conclusions))
                .or_default() += 1;
        }
        said
    }
}

fn tuples(program: &Program, model: &Model) -> Vec<Vec<Vec<Symbol>>> {
    let sorted = |relation| {
        let mut tuples: Vec<Vec<Symbol>> = model.tuples(relation).map(<[Symbol]>::to_vec).collect();
        tuples.sort();
        tuples
    };
    program.relation_ids().map(sorted).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, ..Default::default() })]

    #[test]
    fn evaluation_agrees_with_the_naive_evaluator(
        rules in prop::collection::vec(rule(), 0..7),
        input in input(),
    ) {
        let (program, facts) = (program(rules), facts(&input));
        let (mut fast, mut slow) = (Record::default(), Record::default());
        let model = Evaluator::new(&program).unwrap().run(&facts, &mut fast).unwrap();
        let expected = naive::evaluate(&program, &facts, &mut slow).unwrap();
        prop_assert_eq!(tuples(&program, &model), tuples(&program, &expected), "{}", program);
        prop_assert_eq!(fast.said(&model), slow.said(&expected), "{}", program);
        for fact in model.ids() {
            let (relation, tuple) = (model.relation(fact), model.tuple(fact));
            prop_assert_eq!(model.id(relation, tuple), Some(fact));
            prop_assert!(model.contains(relation, tuple));
        }
        for (_, _, premises, conclusions) in &fast.0 {
            // A fact that a firing discovers comes after its premises.
            let newest = premises.iter().max();
            prop_assert!(premises.iter().chain(conclusions).all(|fact| fact.index() < model.len()));
            prop_assert!(newest.is_none_or(|newest| newest.index() < model.len()));
        }
    }
}
