//! Tests that walkers agree with the simulator if the precondition of a schema splits into independent parts, and if it
//! nearly does.

use herbrand_pddl::{Domain, Problem};
use herbrand_step::{Matching, Options, Random, Simulator, uniform_below};
use proptest::prelude::*;

use crate::agreement::{check, step};

/// The condition that connects the two parts, if any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Joint {
    Nothing,
    /// A fluent with parameters of both parts.
    Fluent,
    /// A static predicate that excludes some pairs.
    Static,
    /// A condition without parameters, which occurs in every row.
    Global,
    /// A disjunction, so that actions have several rows.
    Disjunction,
}

const JOINTS: [Joint; 5] = [
    Joint::Nothing,
    Joint::Fluent,
    Joint::Static,
    Joint::Global,
    Joint::Disjunction,
];

/// The number of rows, and of columns.
const OBJECTS: u32 = 12;

/// Creates a task in which one action moves a piece along one relation over rows and a gate along another over columns.
fn simulator(joint: Joint, matching: Matching, seed: u64) -> Simulator {
    let condition = match joint {
        Joint::Nothing => "",
        Joint::Fluent => "(not (closed ?from ?gate))",
        Joint::Static => "(allowed ?to ?gate)",
        Joint::Global => "(running)",
        Joint::Disjunction => "(or (running) (lit ?to))",
    };
    let domain = format!(
        "(define (domain cross) (:requirements :adl :typing) (:types row column)
            (:predicates (at ?r - row) (lit ?r - row) (hop ?r ?s - row) (gate ?c - column) (wet ?c - column)
                (beside ?c ?d - column) (closed ?r - row ?c - column) (allowed ?r - row ?c - column) (running))
            (:action cross :parameters (?from ?to - row ?gate ?next - column)
                :precondition (and (at ?from) (hop ?from ?to) (not (lit ?to)) (gate ?gate) (beside ?gate ?next)
                    (not (wet ?next)) {condition})
                :effect (and (not (at ?from)) (at ?to) (lit ?from) (not (gate ?gate)) (gate ?next) (wet ?gate)
                    (closed ?to ?next)))
            (:action dry :parameters (?c - column) :precondition (wet ?c) :effect (and (not (wet ?c)) (gate ?c) (running)))
            (:action dim :parameters (?r - row) :precondition (lit ?r) :effect (and (not (lit ?r)) (at ?r) (not (running)))))"
    );
    let mut rng = Random::new(seed);
    let mut init = String::from("(running) (at r0) (gate c0)");
    for (relation, prefix) in [("hop", 'r'), ("beside", 'c')] {
        for from in 0..OBJECTS {
            for _ in 0..3 {
                let to = uniform_below(&mut rng, OBJECTS);
                init += &format!(" ({relation} {prefix}{from} {prefix}{to})");
            }
        }
    }
    for row in 0..OBJECTS {
        for column in (0..OBJECTS).filter(|column| (row + column) % 7 != 0) {
            init += &format!(" (allowed r{row} c{column})");
        }
    }
    let names = |prefix: char| (0..OBJECTS).map(|n| format!("{prefix}{n} ")).collect::<String>();
    let problem = format!(
        "(define (problem one) (:domain cross) (:objects {} - row {} - column) (:init {init}) (:goal (at r8)))",
        names('r'),
        names('c'),
    );
    let domain = Domain::from_text(&domain).unwrap();
    let problem = Problem::from_text(&problem, &domain).unwrap();
    let task = herbrand_step::compile(&domain, &problem).unwrap().shared_task();
    let options = Options {
        matching,
        ..Options::default()
    };
    Simulator::with_options(task, options)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn walkers_agree_with_the_definition(joint in prop::sample::select(&JOINTS[..]), watching: bool, seed: u64) {
        let matching = if watching { Matching::Watching } else { Matching::Counting };
        let simulator = simulator(joint, matching, seed);
        // Rarely, a random problem has fewer actions, and then products are not used.
        prop_assume!(simulator.task().actions.len() > 400);
        let mut rng = Random::new(seed);
        let mut walker = simulator.walker();
        let start = walker.state().clone();
        for _ in 0..25 {
            check(&walker);
            if uniform_below(&mut rng, 6) == 0 {
                walker.set_state(&start).unwrap();
            } else if uniform_below(&mut rng, 6) == 0 {
                walker.undo();
            } else {
                step(&mut walker, &mut rng);
            }
        }
    }
}
