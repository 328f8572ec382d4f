//! Observations and saved states.

use herbrand_env::{
    ActionMode, AtomRole, Domain, Env, EnvOptions, InstanceLearningGraph, ObservedAtoms, ObservedId,
    PlanningEnv, Problem, ProblemChoice, Registry, Suite,
};

/// A tower of blocks with a static predicate for a heavy block and a derived predicate for the blocks above others.
fn tower() -> Env {
    let domain = Domain::from_text(
        "(define (domain tower) (:types block table)
           (:predicates (on ?a ?b - block) (heavy ?b - block) (above ?a ?b - block))
           (:derived (above ?a ?b - block) (or (on ?a ?b) (exists (?c - block) (and (on ?a ?c) (above ?c ?b)))))
           (:action move :parameters (?a ?b ?c - block) :precondition (and (on ?a ?b) (not (above ?c ?a)) (not (= ?a ?c)))
             :effect (and (not (on ?a ?b)) (on ?a ?c))))",
    )
    .expect("a domain");
    let problem = Problem::from_text(
        "(define (problem three) (:domain tower) (:objects a b c - block t - table)
           (:init (on a b) (on b c) (heavy c)) (:goal (and (on a c) (not (on a b)))))",
        &domain,
    )
    .expect("a problem");
    let suite = Suite::from_problems(domain, [problem], ActionMode::Declared).expect("a suite");
    let mut env = Env::new(suite, EnvOptions::default()).expect("an environment");
    env.reset(Some(0)).expect("a problem");
    env
}

fn seen(env: &Env, part: ObservedAtoms) -> Vec<String> {
    let atoms = env.instance().expect("a problem").atoms();
    let walker = env.system().expect("an episode").walker();
    atoms
        .observe(walker, part)
        .map(|id| atoms.display(id).to_string())
        .collect()
}

#[test]
fn an_observation_has_fluent_derived_and_static_atoms() {
    let env = tower();
    let all = seen(&env, ObservedAtoms::All);
    for atom in [
        "(on a b)",
        "(on b c)",
        "(above a b)",
        "(above b c)",
        "(above a c)",
        "(heavy c)",
    ] {
        assert!(all.iter().any(|seen| seen == atom), "{atom} in {all:?}");
    }
    assert_eq!(all.len(), 6);
    assert_eq!(seen(&env, ObservedAtoms::Changing).len(), 5);
}

#[test]
fn atoms_have_numbers_and_names_both_ways() {
    let env = tower();
    let atoms = env.instance().expect("a problem").atoms();
    for number in 0..atoms.len(ObservedAtoms::All) as u32 {
        let id = ObservedId::new(number);
        assert_eq!(atoms.parse(&atoms.display(id).to_string()), Some(id));
    }
    assert_eq!(
        atoms.parse(" (HEAVY  c) "),
        Some(ObservedId::new(atoms.len(ObservedAtoms::Changing) as u32))
    );
    for nothing in ["(heavy a)", "(on t a)", "(on a)", "(flies a)", "", "()"] {
        assert_eq!(atoms.parse(nothing), None, "{nothing}");
    }
}

#[test]
fn bits_are_the_atoms_that_hold() {
    let env = tower();
    let atoms = env.instance().expect("a problem").atoms();
    let mut bits = vec![5; atoms.len(ObservedAtoms::All) + 3];
    env.write_bits(ObservedAtoms::All, &mut bits).expect("a state");
    let ones = bits.iter().enumerate().filter(|&(_, &bit)| bit == 1);
    let names = ones.map(|(index, _)| atoms.display(ObservedId::new(index as u32)).to_string());
    assert_eq!(names.collect::<Vec<_>>(), seen(&env, ObservedAtoms::All));
    assert!(bits.iter().all(|&bit| bit < 2) && bits.ends_with(&[0, 0, 0]));
    env.write_bits(ObservedAtoms::All, &mut bits[..1])
        .expect("what is too short is cut off");
}

/// Bits are written word by word if possible; observing goes atom by atom.
#[test]
fn bits_are_the_observed_atoms_on_random_walks() {
    for name in [
        "sokoban",
        "blocks-derived",
        "supply",
        "philosophers",
        "tireworld",
        "casino",
    ] {
        let suite = Registry::get(name).expect("a bundled domain");
        let mut env = Env::new(suite, EnvOptions::default()).expect("an environment");
        env.reset_to(Some(4), ProblemChoice::Index(2)).expect("a problem");
        for _ in 0..30 {
            let instance = env.instance().expect("a problem");
            let walker = env.system().expect("an episode").walker();
            for part in [ObservedAtoms::All, ObservedAtoms::Changing] {
                let width = instance.atoms().len(part);
                for length in [width + 5, width, width / 2] {
                    let mut bits = vec![7; length];
                    env.write_bits(part, &mut bits).expect("a state");
                    let mut slow = vec![0; length];
                    for id in instance.atoms().observe(walker, part) {
                        if let Some(bit) = slow.get_mut(id.index()) {
                            *bit = 1;
                        }
                    }
                    assert_eq!(bits, slow, "{name}");
                }
            }
            let Some(action) = env.sample_action().expect("a problem") else {
                break;
            };
            if env.step(action).expect("a valid action").ended() {
                break;
            }
        }
    }
}

#[test]
fn a_graph_has_objects_atoms_and_the_goal() {
    let env = tower();
    let instance = env.instance().expect("a problem");
    let walker = env.system().expect("an episode").walker();
    let mut graph = InstanceLearningGraph::default();
    instance.atoms().graph(walker, ObservedAtoms::All, &mut graph);
    let vocabulary = &instance.simulator().task().vocabulary;
    let types = vocabulary.types.len() as u32;
    let label = |name: &str, role: AtomRole| {
        let predicate = vocabulary.find_predicate(name).expect("a predicate");
        types + 4 * predicate.number() + role as u32
    };
    // Four objects, six atoms that hold, one goal atom that does not.
    assert_eq!((graph.objects, graph.labels.len()), (4, 11));
    let count = |wanted: u32| graph.labels.iter().filter(|&&label| label == wanted).count();
    for (name, role, expected) in [
        ("on", AtomRole::Forbidden, 1),
        ("on", AtomRole::Holds, 1),
        ("on", AtomRole::Wanted, 1),
        ("above", AtomRole::Holds, 3),
        ("heavy", AtomRole::Holds, 1),
    ] {
        assert_eq!(count(label(name, role)), expected, "{name} {role:?}");
    }
    let edges = graph.sources.len();
    assert_eq!((edges, graph.targets.len(), graph.positions.len()), (13, 13, 13));
    assert!(
        graph
            .sources
            .iter()
            .all(|&source| source as usize >= graph.objects)
    );
    assert!(
        graph
            .targets
            .iter()
            .all(|&target| (target as usize) < graph.objects)
    );
    assert_eq!(
        graph.positions.iter().filter(|&&position| position == 1).count(),
        6
    );
    let before = graph.clone();
    instance.atoms().graph(walker, ObservedAtoms::All, &mut graph);
    assert_eq!(graph, before);
}

#[test]
fn the_goal_says_what_it_lacks() {
    let mut env = tower();
    let progress = env.system().expect("a state").goal_progress();
    assert_eq!((progress.literals, progress.missing.len()), (2, 2));
    let action = env
        .instance()
        .expect("a problem")
        .space()
        .parse("(move a b c)")
        .expect("an action");
    env.step(action).expect("a valid action");
    assert!(env.system().expect("a state").goal_progress().missing.is_empty());
}

#[test]
fn what_was_saved_goes_on_as_it_would_have() {
    let suite = Registry::get("tireworld").expect("a bundled domain");
    let mut env = Env::new(suite.clone(), EnvOptions::default()).expect("an environment");
    env.reset_to(Some(3), ProblemChoice::Index(2)).expect("a problem");
    let walk = |env: &mut Env| {
        let mut course = Vec::new();
        for _ in 0..30 {
            let sampled = env.sample_action().expect("a state");
            match sampled.map(|action| env.step(action)) {
                Some(Ok(step)) => course.push((env.problem(), sampled, Some(step))),
                // The end of the episode or a dead end.
                _ => {
                    let reset = env.reset(None).expect("a problem");
                    course.push((Some(reset.problem), None, None));
                }
            }
        }
        course
    };
    walk(&mut env);
    let saved = env.save().expect("a state");
    let course = walk(&mut env);
    let mut other = Env::new(suite, EnvOptions::default()).expect("an environment");
    assert!(other.save().is_err());
    for env in [&mut env, &mut other] {
        env.restore(&saved).expect("a state of this suite");
        assert_eq!(walk(env), course);
    }
}
