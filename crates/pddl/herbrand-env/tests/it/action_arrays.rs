//! Valid actions as arrays, compared with the names of the actions.

use herbrand_core::System;
use herbrand_env::{ActionArrays, Ids, Planning, Random, Registry, SteppingEngine, Suite};
use proptest::prelude::*;
use proptest::sample::select;

/// Domains with and without constants, several types, and declared actions.
const DOMAINS: [&str; 6] = [
    "blocks",
    "ferry",
    "sokoban",
    "baking",
    "elevator-adl",
    "tireworld",
];

/// Returns the names of a problem's objects in the order of their nodes.
fn in_order_of_nodes(suite: &Suite, problem: usize, by_place: bool) -> Vec<String> {
    let mut objects = suite.parse_problem(problem).expect("a sound problem").objects;
    if by_place {
        let constants = suite.domain().constants.len();
        objects[constants..].sort_by_key(|object| {
            let mut types = object.types.types().to_vec();
            types.sort_unstable();
            types
        });
    }
    objects.iter().map(|object| object.name.to_string()).collect()
}

/// The number, the schema and the nodes of an action.
type Listed = (i64, usize, Vec<i64>);

/// Walks at random; returns the arrays of the states, and the actions as they are made from names.
fn walk<W: SteppingEngine>(
    mut planning: Planning<W>,
    objects: &[String],
    seed: u64,
    write: impl Fn(&Planning<W>, &mut ActionArrays),
) -> (ActionArrays, Vec<Vec<Listed>>) {
    let (mut arrays, mut named) = (ActionArrays::default(), Vec::new());
    let (mut random, mut chance) = (Random::new(seed), Random::new(seed));
    let mut joint = Vec::new();
    planning.reset(&mut chance).expect("an initial state");
    for _ in 0..8 {
        write(&planning, &mut arrays);
        let walk = planning.walk();
        let heads: Vec<_> = match walk.agent_actions() {
            Some(declared) => declared
                .actions()
                .iter()
                .map(|one| one.name.to_string())
                .collect(),
            None => {
                let schemas = walk.vocabulary().schemas.iter();
                schemas.map(|one| one.name.to_string()).collect()
            }
        };
        let place = |list: &[String], word: &str| list.iter().position(|name| name == word).expect("a name");
        let actions = planning.valid_actions().into_iter().map(|id| {
            let text = walk.action_text(&walk.action(id).expect("a valid action"));
            let mut words = text.trim_matches(['(', ')']).split(' ');
            let head = place(&heads, words.next().expect("a name"));
            let arguments = words.map(|word| place(objects, word) as i64).collect();
            (i64::from(id.number()), head, arguments)
        });
        named.push(actions.collect());
        if !planning.sample(&mut random, &mut joint) {
            break;
        }
        planning.step(&joint, &mut chance).expect("a valid action");
    }
    (arrays, named)
}

/// Reads arrays as one list of actions per state.
fn read(arrays: &ActionArrays) -> Vec<Vec<(i64, usize, Vec<i64>)>> {
    let part = |ends: &[i64]| ends[0] as usize..ends[1] as usize;
    let action = |index: usize| {
        let arguments = &arrays.arguments[part(&arrays.offsets[index..])];
        (
            arrays.ids[index],
            arrays.schemas[index] as usize,
            arguments.to_vec(),
        )
    };
    let rows = arrays.rows.windows(2);
    rows.map(|ends| part(ends).map(action).collect()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn arrays_are_what_the_names_of_actions_say(
        name in select(&DOMAINS[..]),
        problem in 0_usize..3,
        by_place: bool,
        seed: u64,
    ) {
        let suite = Registry::get(name).expect("a bundled domain");
        let suite = if by_place { suite.with_ids(Ids::Suite).expect("few enough") } else { suite };
        let objects = in_order_of_nodes(&suite, problem, by_place);
        let grounded = suite.engine(problem).expect("a sound problem");
        let lifted = suite.lifted_engine(problem).expect("a sound problem");
        let (grounded, named) = walk(grounded, &objects, seed, |planning, into| planning.write_actions(into));
        prop_assert_eq!(read(&grounded), named);
        let (lifted, named) = walk(lifted, &objects, seed, |planning, into| planning.write_actions(into));
        prop_assert_eq!(read(&lifted), named);
        prop_assert_eq!((grounded.schemas, grounded.arguments), (lifted.schemas, lifted.arguments));
    }
}
