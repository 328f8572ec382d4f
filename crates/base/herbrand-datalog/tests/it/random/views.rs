//! Maintained views agree with the naive evaluation of their current input.

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

/// Moves two views through these inputs, one of which does not store all facts. Compares each model with the model of the
/// naive evaluator. The static facts are in `first`.
fn compare(program: &Program, first: &Facts, inputs: &[Facts]) -> Result<(), TestCaseError> {
    let derived = derived(program);
    let mut statics = Facts::new();
    let given = first.iter().filter(|(relation, _)| program.is_static(*relation));
    given.for_each(|(relation, tuple)| statics.add(relation, tuple));
    let fluents = |input: &Facts| -> Tuples {
        let fluents = input
            .iter()
            .filter(|(r, _)| !program.is_static(*r) && !derived.contains(r));
        fluents
            .map(|(relation, tuple)| (relation, tuple.to_vec()))
            .collect()
    };
    let states: Vec<Tuples> = [first].into_iter().chain(inputs).map(fluents).collect();
    let models: Vec<Tuples> = states
        .iter()
        .map(|state| expected(program, &statics, state))
        .collect();
    for stores in [true, false] {
        let mut views = Views::new(program, first).unwrap();
        if !stores {
            views = views.without_storing(derived.iter().copied());
        }
        let mut held = Tuples::new();
        let mut view = views
            .view(first, |relation, tuple| {
                held.insert((relation, tuple.to_vec()));
            })
            .unwrap();
        prop_assert_eq!(&held, &models[0], "{}", program);
        for (number, next) in states.iter().enumerate().skip(1) {
            go(program, &mut view, &states[number - 1], next, &mut held)?;
            prop_assert_eq!(&held, &models[number], "{}", program);
            let mut stored = held.iter().chain(next);
            prop_assert!(!stores || stored.all(|(relation, tuple)| view.contains(*relation, tuple)));
            prop_assert!(!stores || view.database().len() == held.len() + next.len());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(1024), ..Default::default() })]

    #[test]
    fn views_agree_with_the_naive_evaluator(
        rules in prop::collection::vec(rule(0..5), 0..7),
        inputs in prop::collection::vec(input(50), 1..5),
    ) {
        let mut program = program(rules);
        let derived = derived(&program);
        let relations = program.relation_ids().filter(|relation| !derived.contains(relation) && relation.index() != 2);
        relations.collect::<Vec<_>>().into_iter().for_each(|relation| program.set_fluent(relation));
        let inputs: Vec<Facts> = inputs.iter().map(|input| facts(input)).collect();
        compare(&program, &inputs[0], &inputs[1..])?;
    }
}

/// Long bodies, also within recursion and below negation; rules with two heads; and relations that derived relations read.
const LONG: &str = "
    #fluent edge/2. #fluent mark/1. #fluent on/0. town(a). town(b). town(c). town(d). town(e).
    walk(A, F) :- edge(A, B), edge(B, C), edge(C, D), edge(D, E), edge(E, F), A != F.
    reach(X, Y) :- edge(X, Y), not mark(Y).
    reach(X, Y) :- reach(X, A), edge(A, B), edge(B, C), edge(C, D), edge(D, E), edge(E, Y), on.
    reach(X, Z) :- reach(X, Y), reach(Y, Z), mark(Z).
    loop(X) :- reach(X, X), on.
    both(X), either(Y) :- mark(X), reach(X, Y), not loop(Y).
    far(X, Y) :- walk(X, Y), town(Y), not reach(X, Y).
    lost(X) :- town(X), not either(X), not loop(X).
    deep(X) :- both(A), reach(A, B), reach(B, C), reach(C, D), far(D, X), lost(X).
";

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.min(256) / 4, ..Default::default() })]

    #[test]
    fn long_bodies_are_followed(inputs in prop::collection::vec((0_u32..1 << 25, 0_u32..1 << 5, any::<bool>(), any::<u32>()), 1..6)) {
        let (program, statics) = Program::parse(LONG).unwrap();
        let [edge, mark, on] = ["edge", "mark", "on"].map(|name| {
            let mut relations = program.relation_ids().zip(program.relations());
            relations.find(|(_, relation)| relation.name == name).unwrap().0
        });
        let inputs: Vec<Facts> = inputs.into_iter().map(|(edges, marks, is_on, fewer)| {
            let mut facts = statics.clone();
            let symbols = |bits: u32, of: u32| (0..of).filter(move |bit| bits >> bit & 1 == 1);
            // A quarter of the edges, so that not all towns reach each other.
            for pair in symbols(edges & fewer, 25) {
                facts.add(edge, &[pair / 5, pair % 5].map(Symbol::new));
            }
            symbols(marks, 5).for_each(|town| facts.add(mark, &[Symbol::new(town)]));
            if is_on {
                facts.add(on, &[]);
            }
            facts
        }).collect();
        compare(&program, &inputs[0], &inputs[1..])?;
    }
}
