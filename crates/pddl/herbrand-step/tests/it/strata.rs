//! Towers of negation over negation: derived predicates in three strata and more, by all engines, against an evaluation of
//! the rules level by level.

use std::collections::BTreeSet;
use std::fmt::Write;

use herbrand_ground::Vocabulary;
use herbrand_pddl::{AtomRef, Domain, Problem};
use herbrand_step::{LiftedSimulator, Random, compile, uniform_below};
use proptest::prelude::*;

const OBJECTS: usize = 3;

/// A condition on an object; levels are numbered from 0, which is the fluent `(level0 ?x)`.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// The level holds for the object.
    Holds(usize),
    /// The level does not hold for the object.
    Lacks(usize),
    /// The level holds for a successor.
    SomeNext(usize),
    /// The level holds for no successor.
    NoNext(usize),
}

/// For each level from 1 the rules that derive it, each a conjunction.
type Tower = Vec<Vec<Vec<Part>>>;

fn below(rng: &mut Random, bound: usize) -> usize {
    uniform_below(rng, bound as u32) as usize
}

/// A random tower. The first rule of each level negates the level below, so that each has a stratum of its own.
fn tower(levels: usize, rng: &mut Random) -> Tower {
    let level = |level: usize, rng: &mut Random| {
        let negation = [Part::Lacks, Part::NoNext][below(rng, 2)](level - 1);
        let mut rules = vec![vec![negation]];
        for _ in 0..below(rng, 3) {
            let part = |rng: &mut Random| match below(rng, 4) {
                0 => Part::Holds(below(rng, level)),
                1 => Part::Lacks(below(rng, level)),
                // Recursion within the level.
                2 => Part::SomeNext(1 + below(rng, level)),
                _ => Part::NoNext(below(rng, level)),
            };
            rules.push((0..=below(rng, 2)).map(|_| part(rng)).collect());
        }
        rules
    };
    (1..=levels).map(|number| level(number, rng)).collect()
}

fn pddl(tower: &Tower) -> (Domain, Problem) {
    let mut text =
        "(define (domain tower) (:requirements :adl :derived-predicates) (:predicates (next ?x ?y)"
            .to_owned();
    for level in 0..=tower.len() {
        write!(text, " (level{level} ?x)").unwrap();
    }
    text.push(')');
    for (number, rules) in (1..).zip(tower) {
        for rule in rules {
            let parts = rule.iter().map(|part| match part {
                Part::Holds(level) => format!("(level{level} ?x)"),
                Part::Lacks(level) => format!("(not (level{level} ?x))"),
                Part::SomeNext(level) => format!("(exists (?y) (and (next ?x ?y) (level{level} ?y)))"),
                Part::NoNext(level) => format!("(forall (?y) (imply (next ?x ?y) (not (level{level} ?y))))"),
            });
            let parts = parts.collect::<Vec<_>>().join(" ");
            write!(text, " (:derived (level{number} ?x) (and {parts}))").unwrap();
        }
    }
    let top = tower.len();
    write!(
        text,
        " (:action flip :parameters (?x)
             :effect (and (when (level0 ?x) (not (level0 ?x))) (when (not (level0 ?x)) (level0 ?x))))
           (:action link :parameters (?x ?y) :precondition (or (level{top} ?x) (not (level{} ?y)))
             :effect (and (when (next ?x ?y) (not (next ?x ?y))) (when (not (next ?x ?y)) (next ?x ?y)))))",
        top - 1
    )
    .unwrap();
    let domain = Domain::from_text(&text).unwrap_or_else(|faults| panic!("{faults}\n{text}"));
    let problem = format!(
        "(define (problem p) (:domain tower) (:objects o0 o1 o2) (:init (level0 o0) (next o0 o1))
           (:goal (and (level{top} o0) (not (level{top} o1)))))"
    );
    let problem = Problem::from_text(&problem, &domain).unwrap_or_else(|faults| panic!("{faults}"));
    (domain, problem)
}

/// The atoms of a state with these fluents, level by level.
fn evaluate(tower: &Tower, fluents: &BTreeSet<String>) -> BTreeSet<String> {
    let next = |x: usize, y: usize| fluents.contains(&format!("(next o{x} o{y})"));
    let mut levels = vec![[0, 1, 2].map(|x| fluents.contains(&format!("(level0 o{x})")))];
    for rules in tower {
        levels.push([false; OBJECTS]);
        loop {
            let before = levels.clone();
            let holds = |part: &Part, x: usize| match *part {
                Part::Holds(level) => before[level][x],
                Part::Lacks(level) => !before[level][x],
                Part::SomeNext(level) => (0..OBJECTS).any(|y| next(x, y) && before[level][y]),
                Part::NoNext(level) => (0..OBJECTS).all(|y| !next(x, y) || !before[level][y]),
            };
            let top = levels.last_mut().unwrap();
            for (x, value) in top.iter_mut().enumerate() {
                *value |= rules.iter().any(|rule| rule.iter().all(|part| holds(part, x)));
            }
            if levels == before {
                break;
            }
        }
    }
    let mut atoms = fluents.clone();
    for (number, level) in levels.iter().enumerate() {
        let names = (0..OBJECTS)
            .filter(|&x| level[x])
            .map(|x| format!("(level{number} o{x})"));
        atoms.extend(names);
    }
    atoms
}

fn text(vocabulary: &Vocabulary, fact: AtomRef<'_>) -> String {
    let name = &vocabulary.predicate(fact.predicate).signature.name;
    vocabulary.term(name, fact.arguments).to_string()
}

/// Walks on all engines, and compares the derived atoms and the goal of every state with the evaluation of the tower.
fn check(tower: &Tower, seed: u64) -> Result<(), TestCaseError> {
    let (domain, problem) = pddl(tower);
    let simulator = compile(&domain, &problem).unwrap();
    let task = simulator.task();
    // Universal conditions are predicates of their own, with strata of their own.
    prop_assert!(task.strata().count() >= tower.len(), "{tower:?}");
    let lifted = LiftedSimulator::compile(&domain, &problem).unwrap();
    let mut walker = simulator.walker();
    let mut lifted = lifted.walker().unwrap();
    let mut rng = Random::new(seed);
    for _ in 0..12 {
        let shown = |atoms: &mut dyn Iterator<Item = herbrand_ground::AtomId>| -> BTreeSet<String> {
            let declared = atoms.filter(|atom| {
                let predicate = task.atoms.get(atom.index()).unwrap().predicate;
                !task.vocabulary.predicate(predicate).auxiliary
            });
            declared.map(|atom| task.display_atom(atom).to_string()).collect()
        };
        let fluents = shown(&mut walker.state().fluents());
        let expected = evaluate(tower, &fluents);
        let top = tower.len();
        let goal =
            expected.contains(&format!("(level{top} o0)")) && !expected.contains(&format!("(level{top} o1)"));
        prop_assert_eq!(
            &shown(&mut simulator.atoms(walker.state())),
            &expected,
            "{:?}",
            tower
        );
        prop_assert_eq!(&shown(&mut walker.atoms()), &expected, "{:?}", tower);
        prop_assert_eq!(walker.is_goal(), goal);
        let vocabulary = lifted.simulator().vocabulary();
        let facts = lifted.state().atoms().chain(lifted.derived());
        let facts: BTreeSet<_> = facts.map(|fact| text(vocabulary, fact)).collect();
        prop_assert_eq!(&facts, &expected, "{:?}", tower);
        prop_assert_eq!(lifted.is_goal(), goal);
        let Some(action) = walker.sample(&mut rng) else {
            break;
        };
        walker.apply(action, &mut rng).unwrap();
        let ground = task.actions.get(action);
        lifted.apply(ground.schema, ground.arguments, &mut rng).unwrap();
    }
    Ok(())
}

#[test]
fn a_plain_tower_of_negations_alternates() {
    for levels in 1..8 {
        let tower: Tower = (0..levels).map(|level| vec![vec![Part::Lacks(level)]]).collect();
        check(&tower, levels as u64).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn random_towers_are_evaluated_level_by_level(levels in 3..6_usize, seed: u64) {
        let tower = tower(levels, &mut Random::new(seed));
        check(&tower, seed)?;
    }
}
