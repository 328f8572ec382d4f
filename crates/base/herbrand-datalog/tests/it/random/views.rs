//! A maintained view agrees with the naive evaluation of its current input.

use std::collections::BTreeSet;

use herbrand_datalog::{Facts, Program, RelationId, Symbol, View, Views, naive};
use proptest::prelude::*;

use super::sketch::{facts, input, program, rule};

type Tuples = BTreeSet<(RelationId, Vec<Symbol>)>;

fn derived(program: &Program) -> BTreeSet<RelationId> {
    let heads = program.rules().iter().flat_map(|rule| &rule.heads);
    heads.map(|head| head.relation).collect()
}

/// Returns the facts that are derived from static facts and the input, by the naive evaluator.
fn expected(program: &Program, statics: &Facts, input: &Tuples) -> Tuples {
    let mut facts = statics.clone();
    input
        .iter()
        .for_each(|(relation, tuple)| facts.add(*relation, tuple));
    let model = naive::evaluate(program, &facts, &mut ()).expect("facts that fit");
    let relations = derived(program).into_iter();
    let tuples = relations.flat_map(|relation| model.tuples(relation).map(move |t| (relation, t.to_vec())));
    tuples.collect()
}

/// Changes the input of the view, and applies the reported changes to `held`.
fn go(
    program: &Program,
    view: &mut View,
    from: &Tuples,
    to: &Tuples,
    held: &mut Tuples,
) -> Result<(), TestCaseError> {
    let gone = from
        .difference(to)
        .map(|(relation, tuple)| (*relation, &tuple[..], false));
    let come = to
        .difference(from)
        .map(|(relation, tuple)| (*relation, &tuple[..], true));
    let mut wrong = 0;
    view.update(gone.chain(come), |relation, tuple, holds| {
        let fact = (relation, tuple.to_vec());
        wrong += usize::from(if holds {
            !held.insert(fact)
        } else {
            !held.remove(&fact)
        });
    });
    prop_assert_eq!(wrong, 0, "a change was reported that is none: {}", program);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, ..Default::default() })]

    #[test]
    fn views_agree_with_the_naive_evaluator(
        rules in prop::collection::vec(rule(0..5), 0..7),
        inputs in prop::collection::vec(input(50), 1..5),
    ) {
        let mut program = program(rules);
        let derived = derived(&program);
        let relations = program.relation_ids().filter(|relation| !derived.contains(relation) && relation.index() != 2);
        relations.collect::<Vec<_>>().into_iter().for_each(|relation| program.set_fluent(relation));
        let first = facts(&inputs[0]);
        let mut statics = Facts::new();
        let given = first.iter().filter(|(relation, _)| program.is_static(*relation));
        given.for_each(|(relation, tuple)| statics.add(relation, tuple));
        let fluents = |input: &Facts| -> Tuples {
            let fluents = input.iter().filter(|(r, _)| !program.is_static(*r) && !derived.contains(r));
            fluents.map(|(relation, tuple)| (relation, tuple.to_vec())).collect()
        };

        let views = Views::new(&program, &first).unwrap();
        let mut held = Tuples::new();
        let mut view = views.view(&first, |relation, tuple| { held.insert((relation, tuple.to_vec())); }).unwrap();
        let mut now = fluents(&first);
        prop_assert_eq!(&held, &expected(&program, &statics, &now), "{}", program);
        for input in &inputs[1..] {
            let next = fluents(&facts(input));
            go(&program, &mut view, &now, &next, &mut held)?;
            prop_assert_eq!(&held, &expected(&program, &statics, &next), "{}", program);
            prop_assert!(held.iter().chain(&next).all(|(relation, tuple)| view.contains(*relation, tuple)));
            prop_assert_eq!(view.database().len(), held.len() + next.len());
            now = next;
        }
    }
}
