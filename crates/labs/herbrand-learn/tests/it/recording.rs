//! Experience from transitions that were recorded elsewhere.

use std::sync::Arc;

use herbrand_env::{ActionMode, Domain, Problem, Registry, Suite};
use herbrand_learn::{
    ActionChoice, DomainSignature, Experience, Exploration, FoldtOptions, LearnError, NamedTerm,
    ObservedProblem, Recording, StateId, explore, learn_foldt, learn_safe,
};
use herbrand_limits::{Budget, Limits};
use proptest::prelude::*;

use crate::random_domain::suite;

fn words(text: &str) -> NamedTerm {
    NamedTerm::parse(text).unwrap()
}

/// Returns the atoms of a state by name, including static ones.
fn atoms(seen: &Experience, state: StateId) -> Vec<NamedTerm> {
    let scene = seen.scene_of(state);
    let ids = seen.state(state).atoms.iter();
    let facts = ids.map(|&id| scene.atom(id)).chain(scene.statics());
    facts
        .map(|fact| {
            let name = &scene.vocabulary().predicate(fact.predicate).signature.name;
            words(&scene.vocabulary().term(name, fact.arguments).to_string())
        })
        .collect()
}

/// Records an experience again, by name.
fn again(language: DomainSignature, seen: &Experience) -> Result<Experience, LearnError> {
    let mut recording = Recording::new(language, &Budget::unlimited());
    let scenes: Vec<_> = seen
        .scenes
        .iter()
        .map(|scene| recording.problem(scene.problem().clone()))
        .collect();
    for transition in &seen.transitions {
        let id = seen.state(transition.state).scene;
        let scene: &ObservedProblem = &seen.scenes[id.index()];
        let name = &seen.language.signatures()[transition.action].name;
        let action = words(&scene.vocabulary().term(name, &transition.arguments).to_string());
        let after = transition.next().map(|next| atoms(seen, next));
        recording.transition(
            scenes[id.index()],
            &atoms(seen, transition.state),
            &action,
            after.as_deref(),
        );
    }
    recording.finish()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Experience recorded by name gives the same models as the original.
    #[test]
    fn recorded_experience_gives_the_same_models(domain: u64, seed: u64) {
        let suite = suite(domain);
        let budget = Budget::unlimited();
        let options = Exploration { episodes: 5, horizon: 12, seed, choice: ActionChoice::Mixed };
        let seen = explore(&suite, &options, &budget).unwrap();
        let own = again(DomainSignature::of(&suite), &seen).unwrap();
        prop_assert_eq!(own.transitions.len(), seen.transitions.len());
        let foldt = |seen| learn_foldt(seen, &FoldtOptions::default(), &budget).unwrap().to_pddl().unwrap();
        prop_assert_eq!(foldt(&own), foldt(&seen));
        let safe = |seen| learn_safe(seen, &budget).unwrap().to_pddl().unwrap();
        prop_assert_eq!(safe(&own), safe(&seen));
    }
}

#[test]
fn derived_atoms_and_hidden_parameters_are_recorded() {
    for name in ["blocks-derived", "ferry", "doors"] {
        let suite = Registry::get(name).unwrap();
        let budget = Budget::unlimited();
        let options = Exploration {
            episodes: 6,
            ..Exploration::default()
        };
        let seen = explore(&suite, &options, &budget).unwrap();
        let own = again(DomainSignature::of(&suite), &seen).unwrap();
        let learn = |seen| {
            let learned = learn_foldt(seen, &FoldtOptions::default(), &budget).unwrap();
            learned.to_pddl().unwrap()
        };
        assert_eq!(learn(&own), learn(&seen), "{name}");
    }
}

fn ring() -> (Domain, Arc<Problem>) {
    let domain = Domain::from_text(
        "(define (domain ring) (:types place) (:predicates (at ?x - place) (next ?x ?y - place) (wet))
           (:action go :parameters (?x ?y - place)))",
    )
    .unwrap();
    let problem = Problem::from_text(
        "(define (problem p) (:domain ring) (:objects a b c - place)
           (:init (at a) (next a b) (next b c) (next c a)) (:goal (at c)))",
        &domain,
    )
    .unwrap();
    (domain, Arc::new(problem))
}

/// The domain declares no effects, so the recording has to find the fluent predicates from the changes.
#[test]
fn a_vocabulary_is_enough() {
    let (domain, problem) = ring();
    let budget = Budget::unlimited();
    let mut recording = Recording::new(DomainSignature::of_operators(&domain), &budget);
    let scene = recording.problem(problem.clone());
    for (from, to) in [("a", "b"), ("b", "c"), ("c", "a")] {
        let at = |place: &str| [words(&format!("(at {place})"))];
        recording.transition(
            scene,
            &at(from),
            &words(&format!("(go {from} {to})")),
            Some(&at(to)),
        );
        recording.transition(scene, &at(to), &words(&format!("go {from} {to}")), None);
    }
    let seen = recording.finish().unwrap();
    assert_eq!(seen.scenes[0].statics().len(), 3);
    for learned in [
        learn_safe(&seen, &budget).unwrap(),
        learn_foldt(&seen, &FoldtOptions::default(), &budget).unwrap(),
    ] {
        let prediction = learned.predict(&seen, &budget).unwrap();
        assert_eq!(
            (prediction.transitions, prediction.wrong),
            (6, 0),
            "{}",
            learned.to_pddl().unwrap()
        );
    }
    let learned = learn_safe(&seen, &budget).unwrap();
    let domain = Domain::from_text(&learned.to_pddl().unwrap()).unwrap();
    let text = problem.to_pddl(&domain);
    let problem = Problem::from_text(&text, &domain).unwrap();
    let suite = Suite::from_problems(domain, [problem], ActionMode::Operators).unwrap();
    assert_eq!(
        suite.instance(0).unwrap().simulator().task().actions.len(),
        3,
        "the ring is a precondition"
    );
}

#[test]
fn all_faults_are_told() {
    let (domain, problem) = ring();
    let mut recording = Recording::new(DomainSignature::of_operators(&domain), &Budget::unlimited());
    let scene = recording.problem(problem);
    recording.transition(
        scene,
        &[words("(att a)"), words("(at d)")],
        &words("(go a b)"),
        None,
    );
    recording.transition(
        scene,
        &[words("(at a)")],
        &words("(goo a b)"),
        Some(&[words("(wet a)")]),
    );
    let error = recording.finish().unwrap_err();
    let LearnError::Recorded { faults } = &error else {
        panic!("{error}");
    };
    assert_eq!(
        faults.as_slice(),
        [
            "transition 1, state: there is no predicate `att`; did you mean `at`?",
            "transition 1, state: there is no object `d`",
            "transition 2, action: there is no action `goo`; did you mean `go`?",
            "transition 2, next state: wet has 0 argument(s), not 1",
        ]
    );
    assert!(
        error
            .to_string()
            .starts_with("4 fault(s) in the recorded transitions\n  transition 1")
    );
}

#[test]
fn objects_of_wrong_types_and_foreign_problems_are_faults() {
    let (domain, problem) = ring();
    let other = Domain::from_text(
        "(define (domain other) (:types place thing) (:predicates (at ?x - place))
           (:action go :parameters (?x - place)))",
    )
    .unwrap();
    let own = Problem::from_text(
        "(define (problem q) (:domain other) (:objects a - place t - thing) (:init) (:goal (at a)))",
        &other,
    )
    .unwrap();
    let mut recording = Recording::new(DomainSignature::of_operators(&other), &Budget::unlimited());
    recording.problem(problem);
    let scene = recording.problem(Arc::new(own));
    recording.transition(scene, &[], &words("(go t)"), None);
    let error = recording.finish().unwrap_err().to_string();
    assert!(
        error.contains("problem p is not one of the domain other"),
        "{error}"
    );
    assert!(
        error.contains("t is not of a type that go takes there"),
        "{error}"
    );
    drop(domain);
}

#[test]
fn a_recording_has_a_budget() {
    let (domain, problem) = ring();
    let budget = Budget::new(Limits {
        bytes: Some(1 << 16),
        time: None,
    });
    let mut recording = Recording::new(DomainSignature::of_operators(&domain), &budget);
    let scene = recording.problem(problem);
    let states = [[words("(at a)")], [words("(at b)")]];
    let added = (0..100_000)
        .take_while(|step| {
            let [before, after] = [&states[step % 2], &states[(step + 1) % 2]];
            recording.transition(scene, before, &words("(go a b)"), Some(after))
        })
        .count();
    assert!(added < 10_000, "{added}");
    let error = recording.finish().unwrap_err();
    assert!(matches!(error, LearnError::BudgetExhausted(_)), "{error}");
}
