//! Tests of domains under edit against the actual engine and against enumeration.

mod environment;
mod figures;
mod names;
mod pixels;
mod targets;
mod twins;

use std::collections::{BTreeMap, BTreeSet};

use herbrand_core::{Choice, Described, Fact, FactValue, Problems, Random, System};
use herbrand_edit::PlanningModel;
use herbrand_env::{ActionMode, Suite};
use herbrand_pddl::{AtomList, ObjectId, Problem, Source};
use herbrand_pddlworld::{Sign, Sketch, Target, Walks};
use proptest::prelude::*;

/// Returns a target with two places, one of them a constant, and a thing to carry. Two parameters may be the same object,
/// and a parameter may be the constant.
pub fn pairs() -> Target {
    let domain = "(define (domain pairs)
      (:requirements :typing :equality :negative-preconditions)
      (:types thing place)
      (:constants home - place)
      (:predicates (at ?t - thing ?p - place) (linked ?a ?b - place))
      (:action go :parameters (?t - thing ?from ?to - place)
        :precondition (and (at ?t ?from) (linked ?from ?to) (not (= ?from ?to)))
        :effect (and (at ?t ?to) (not (at ?t ?from))))
      (:action turn :parameters (?a ?b - place)
        :precondition (linked ?a ?b) :effect (and (linked ?b ?a) (not (linked ?a ?b))))
      (:action return :parameters (?t - thing ?p - place)
        :precondition (and (at ?t ?p) (not (linked ?p ?p)))
        :effect (and (at ?t home) (not (at ?t ?p)))))";
    let problem = "(define (problem away) (:domain pairs) (:objects box - thing shop - place)
      (:init (at box shop) (linked home shop)) (:goal (and (at box home) (not (at box shop)))))";
    target(domain, &[problem])
}

/// Returns the target of a domain with problems.
pub fn target(domain: &str, problems: &[&str]) -> Target {
    let problems: Vec<_> = problems.iter().map(|text| Source::new("problem", text)).collect();
    Target::from_sources(&Source::new("domain", domain), &problems, Walks::default()).expect("a target")
}

/// Generates sketches of a target, random ones and ones near the target.
pub fn sketches(target: &Target) -> impl Strategy<Value = Sketch> + use<> {
    let (vocabulary, aim) = (target.vocabulary().clone(), target.sketch().clone());
    let signs = proptest::collection::vec(0_u32..3, 2 * vocabulary.len());
    let far = signs.prop_map(move |signs| {
        let mut signs = signs.into_iter().filter_map(Sign::from_number);
        Sketch::from_signs(&vocabulary, |_, _, _| signs.next().unwrap_or_default())
    });
    let vocabulary = target.vocabulary().clone();
    let changes = proptest::collection::vec((0..2 * vocabulary.len(), 0_u32..3), 0..5);
    let near = changes.prop_map(move |changes| {
        let mut place = 0;
        Sketch::from_signs(&vocabulary, |part, operator, literal| {
            place += 1;
            let changed = changes.iter().find(|(at, _)| *at == place - 1);
            let sign = changed.and_then(|&(_, sign)| Sign::from_number(sign));
            sign.unwrap_or_else(|| aim.get(part, operator, literal))
        })
    });
    prop_oneof![far, near]
}

/// Returns the successors according to the engine: each valid action with the true atoms after it.
pub fn engine_successors(model: &PlanningModel, state: &[String]) -> BTreeMap<String, BTreeSet<String>> {
    let problem = with_initial(model, state);
    let suite = Suite::from_problems((**model.domain()).clone(), [problem], ActionMode::Operators);
    let mut planning = suite.expect("a suite").system(0).expect("a problem");
    let (start, mut choices) = (planning.state().clone(), Vec::new());
    planning.choices(&mut choices);
    let mut after = |choice: Choice| {
        planning.set_state(&start).expect("its own state");
        let name = planning.choice_text(choice);
        planning
            .step(&[choice], &mut Random::new(0))
            .expect("a valid action");
        let mut held = BTreeSet::new();
        planning.facts(&mut |fact: Fact<'_>| {
            if fact.value == FactValue::Bool(true) {
                held.insert(fact.to_string());
            }
        });
        (name, held)
    };
    choices.into_iter().map(&mut after).collect()
}

/// Returns the problem of a model with another initial state.
pub fn with_initial(model: &PlanningModel, state: &[String]) -> Problem {
    let (domain, problem) = (model.domain(), model.problem());
    let mut init = AtomList::default();
    for atom in state {
        let atom: herbrand_edit::Ground = atom.parse().expect("an atom");
        let predicate = domain.find_predicate(&atom.predicate).expect("a predicate");
        let object = |name: &String| {
            let place = problem
                .objects
                .iter()
                .position(|object| object.name.as_str() == name);
            ObjectId::from_index(place.expect("an object"))
        };
        init.push(predicate, &atom.arguments.iter().map(object).collect::<Vec<_>>());
    }
    Problem {
        init,
        ..(**problem).clone()
    }
}

/// Returns the atoms of a problem whose bits are set.
pub fn state_of(target: &Target, problem: usize, bits: u64) -> Vec<String> {
    let atoms = target.atoms(problem).iter().enumerate();
    let held = atoms.filter(|(atom, _)| bits >> atom & 1 != 0);
    held.map(|(_, atom)| atom.to_string()).collect()
}
