//! Numeric fluents in observations, compared with the facts of the states by name.

use std::collections::BTreeMap;

use crate::ids::by_suite;
use herbrand_core::{Described, FactValue, Memory, Observer, System};
use herbrand_env::{
    ActionMode, BitsAndNumbers, Domain, GraphRows, GraphSizes, InstanceLearningGraph, LiftedSuite,
    ObservedAtoms, Planning, Problem, Random, SteppingEngine, Suite,
};
use herbrand_pddl::FunctionId;
use herbrand_pddl::strategies::{Shape, tasks};
use proptest::prelude::*;

/// Returns the values of a state's numeric fluents by name.
fn by_name<W: SteppingEngine>(planning: &Planning<W>) -> BTreeMap<Vec<String>, f64> {
    let mut numbers = BTreeMap::new();
    planning.facts(&mut |fact| {
        if let FactValue::Real(value) = fact.value {
            let words = std::iter::once(fact.name).chain(fact.arguments.iter().copied());
            numbers.insert(words.map(str::to_owned).collect(), value);
        }
    });
    numbers
}

/// Returns the values of the numeric fluents with all type-correct objects, in order; 0 for undefined ones.
fn listed<W: SteppingEngine>(functions: &[FunctionId], planning: &Planning<W>) -> Vec<f32> {
    let (values, vocabulary) = (by_name(planning), planning.walk().vocabulary());
    let mut numbers = Vec::new();
    for &id in functions {
        let function = vocabulary.function(id);
        let mut terms = vec![vec![function.name.to_string()]];
        for (_, types) in &function.parameters {
            let longer = terms.iter().flat_map(|term| {
                let objects = (0..).zip(&vocabulary.objects);
                let fitting =
                    objects.filter(|(index, _)| vocabulary.fits(herbrand_pddl::ObjectId::new(*index), types));
                fitting.map(|(_, object)| [term.clone(), vec![object.name.to_string()]].concat())
            });
            terms = longer.collect();
        }
        numbers.extend(terms.iter().map(|term| *values.get(term).unwrap_or(&0.0) as f32));
    }
    numbers
}

/// Returns the numeric fluents of a graph by name. `objects` are the names of its first nodes.
fn in_graph(suite: &Suite, graph: &InstanceLearningGraph, objects: &[String]) -> BTreeMap<Vec<String>, f64> {
    let sizes = GraphSizes::of(suite).expect("sizes");
    let first = (sizes.types + 4 * sizes.predicates) as u32;
    let nodes = (0..).zip(&graph.labels).zip(&graph.values);
    let fluents = nodes.filter(|((_, label), _)| **label >= first);
    let named = fluents.map(|((node, label), value)| {
        let function = &suite.domain().functions[(label - first) as usize];
        let edges = graph.sources.iter().zip(&graph.targets);
        let own = edges.filter(|(source, _)| **source == node);
        let arguments = own.map(|(_, target)| objects[*target as usize].clone());
        let words = std::iter::once(function.name.to_string()).chain(arguments);
        (words.collect(), *value)
    });
    named.collect()
}

/// Walks at random, and compares observations with facts in every state.
fn check<W: SteppingEngine>(
    suite: &Suite,
    mut planning: Planning<W>,
    (functions, seed): (&[FunctionId], u64),
    observe: impl Fn(&Planning<W>) -> (Vec<f32>, Vec<i64>, InstanceLearningGraph),
) -> Result<(), TestCaseError> {
    let (mut random, mut chance, mut joint) = (Random::new(seed), Random::new(seed), Vec::new());
    if planning.reset(&mut chance).is_err() {
        return Ok(());
    }
    let objects = planning.walk().vocabulary().objects.iter();
    let objects: Vec<_> = objects.map(|object| object.name.to_string()).collect();
    for _ in 0..6 {
        let (numbers, row, graph) = observe(&planning);
        prop_assert_eq!(numbers, listed(functions, &planning));
        prop_assert_eq!(in_graph(suite, &graph, &objects), by_name(&planning));
        let sizes = GraphSizes::of(suite).expect("sizes");
        prop_assert!(
            graph
                .labels
                .iter()
                .all(|&label| (label as usize) < sizes.labels())
        );
        let bits = graph.values.iter().map(|value| value.to_bits() as i64);
        let bits = bits.chain(std::iter::repeat(0));
        prop_assert_eq!(
            row.len() >= graph.labels.len(),
            sizes.functions > 0 || graph.labels.is_empty()
        );
        prop_assert!(row.iter().copied().eq(bits.take(row.len())));
        if !planning.sample(&mut random, &mut joint) || planning.step(&joint, &mut chance).is_err() {
            break;
        }
    }
    Ok(())
}

/// Compares both engines on a task.
fn compare((domain, problem): (Domain, Problem), seed: u64, by_place: bool) -> Result<(), TestCaseError> {
    let suite = Suite::from_problems(domain, [problem], ActionMode::Declared).expect("a suite");
    // The only problem of a suite has its objects in the order of places if there is one type.
    let suite = if by_place && suite.domain().types.len() == 1 {
        by_suite(&suite)
    } else {
        suite
    };
    let (part, memory) = (ObservedAtoms::All, Memory::default());
    if let Ok(observer) = BitsAndNumbers::of(&suite, part) {
        let rows = GraphRows::of(&suite, part).expect("a small problem");
        let range = observer
            .layout(&suite)
            .expect("a layout")
            .range("numbers")
            .expect("a part");
        let layout = rows.layout(&suite).expect("a layout");
        let values = layout.range("values").unwrap_or_default();
        check(
            &suite,
            suite.engine(0).expect("a problem"),
            (observer.functions(), seed),
            |planning| {
                let (mut row, mut arrays) = (vec![7.0; range.end], vec![7; layout.len()]);
                Observer::<Suite>::write(&observer, planning, &memory, &mut row);
                Observer::<Suite>::write(&rows, planning, &memory, &mut arrays);
                let mut graph = InstanceLearningGraph::default();
                planning
                    .instance()
                    .atoms()
                    .graph(planning.walker(), part, &mut graph);
                (
                    row[range.clone()].to_vec(),
                    arrays[values.clone()].to_vec(),
                    graph,
                )
            },
        )?;
    }
    let lifted = LiftedSuite::new(suite.clone());
    if let Ok(observer) = BitsAndNumbers::of_lifted(&lifted, part) {
        let rows = GraphRows::of_lifted(&lifted, part).expect("a small problem");
        let range = observer
            .layout(&lifted)
            .expect("a layout")
            .range("numbers")
            .expect("a part");
        let layout = rows.layout(&lifted).expect("a layout");
        let values = layout.range("values").unwrap_or_default();
        check(
            &suite,
            suite.lifted_engine(0).expect("a problem"),
            (observer.functions(), seed),
            |planning| {
                let (mut row, mut arrays) = (vec![7.0; range.end], vec![7; layout.len()]);
                Observer::<LiftedSuite>::write(&observer, planning, &memory, &mut row);
                Observer::<LiftedSuite>::write(&rows, planning, &memory, &mut arrays);
                let mut graph = InstanceLearningGraph::default();
                planning.walk().atoms().graph(planning.walker(), part, &mut graph);
                (
                    row[range.clone()].to_vec(),
                    arrays[values.clone()].to_vec(),
                    graph,
                )
            },
        )?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn numbers_in_observations_are_those_of_the_facts(
        task in tasks(&Shape::default()), seed: u64, by_place: bool,
    ) {
        compare(task, seed, by_place)?;
    }
}
