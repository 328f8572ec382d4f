//! State spaces up to symmetry, against the orbits by all permutations.

use std::collections::{BTreeSet, HashMap};

use herbrand_core::uniform_below;
use herbrand_ground::{AtomId, GroundTask};
use herbrand_limits::Budget;
use herbrand_pddl::{Domain, ObjectId, Problem};
use herbrand_step::{Random, Simulator, SpaceOptions, State, StateSpace, compile};
use proptest::prelude::*;

const LIMIT: usize = 3_000;

fn explored(simulator: &Simulator, symmetry: bool) -> StateSpace {
    let options = SpaceOptions {
        states: LIMIT,
        symmetry,
        ..SpaceOptions::default()
    };
    let cost = |deltas: &[(_, f64)]| deltas.first().map_or(1.0, |delta| delta.1);
    StateSpace::explore_costs(
        simulator,
        &options,
        |_, _, deltas| cost(deltas),
        &Budget::unlimited(),
    )
    .unwrap()
}

/// All permutations of the objects within their groups.
fn permutations(groups: &[Vec<ObjectId>]) -> Vec<HashMap<ObjectId, ObjectId>> {
    let mut all = vec![HashMap::new()];
    for group in groups {
        for &object in group {
            let mut next = Vec::new();
            for known in &all {
                for &image in group
                    .iter()
                    .filter(|&image| !known.values().any(|other| other == image))
                {
                    let mut longer = known.clone();
                    longer.insert(object, image);
                    next.push(longer);
                }
            }
            all = next;
        }
    }
    all
}

/// The true atoms of a state after a permutation.
fn image(task: &GroundTask, state: &State, permutation: &HashMap<ObjectId, ObjectId>) -> Vec<AtomId> {
    let renamed = |id: AtomId| {
        let atom = task.atoms.get(id.index()).unwrap();
        let new = |object| *permutation.get(object).unwrap_or(object);
        let arguments: Vec<_> = atom.arguments.iter().map(new).collect();
        task.find_atom(atom.predicate, &arguments).unwrap()
    };
    let mut atoms: Vec<_> = state.fluents().map(renamed).collect();
    atoms.sort_unstable();
    atoms
}

/// Compares the space up to symmetry with the whole space. Returns the number of interchangeable objects, and of states in
/// both, if the whole space is small.
fn check(simulator: &Simulator) -> Option<(usize, usize, usize)> {
    let whole = explored(simulator, false);
    if !whole.graph.is_complete() {
        return None;
    }
    let space = explored(simulator, true);
    let task = simulator.task();
    let groups = space.symmetry.as_ref().unwrap().groups();
    let all = permutations(groups);
    let states = (0..whole.len()).map(|number| whole.state(number).unwrap());
    let least = |state: State| {
        all.iter()
            .map(|permutation| image(task, &state, permutation))
            .min()
    };
    let orbits: BTreeSet<_> = states.map(least).collect();
    assert_eq!((space.len(), space.apart), (orbits.len(), 0), "{groups:?} {task}");
    let [found, expected] = [&space, &whole].map(|space| space.graph.analyse(&Budget::unlimited()).unwrap());
    for number in 0..space.len() {
        let state = space.state(number).unwrap();
        let same = whole.number(&state).expect("states are reachable");
        assert_eq!(space.graph.goals[number], whole.graph.goals[same]);
        assert!(found.start_steps[number] <= expected.start_steps[same]);
        assert_eq!(
            found.goal_steps[number],
            expected.goal_steps[same],
            "{}",
            state.display(task)
        );
        assert_eq!(found.goal_costs[number], expected.goal_costs[same]);
        assert_eq!(found.dead_ends[number], expected.dead_ends[same]);
    }
    Some((groups.concat().len(), space.len(), whole.len()))
}

fn simulator(domain: &str, problem: &str) -> Simulator {
    let domain = Domain::from_text(domain).unwrap_or_else(|faults| panic!("{faults}"));
    let problem = Problem::from_text(problem, &domain).unwrap_or_else(|faults| panic!("{faults}"));
    compile(&domain, &problem).unwrap()
}

/// A random domain over things and places, most of which are interchangeable.
fn random(seed: u64) -> Simulator {
    let mut random = Random::new(seed);
    let mut below = |bound: u32| uniform_below(&mut random, bound) as usize;
    let fluents = [
        "(at ?t ?p)",
        "(at ?u ?q)",
        "(at ?u ?p)",
        "(on ?t ?u)",
        "(on ?u ?t)",
        "(held ?t)",
        "(held ?u)",
        "(open ?p)",
    ];
    let extra = [
        "(forall (?x - thing) (when (on ?t ?x) (not (on ?t ?x))))",
        "(forall (?x - thing) (when (held ?x) (at ?x ?p)))",
        "(probabilistic 1/2 (held ?t) 1/4 (not (at ?t ?p)))",
        "(increase (total-cost) (price ?t))",
        "(increase (total-cost) 2)",
        "(when (full ?p) (on ?t ?u))",
    ];
    let conditions = [
        "(road ?p ?q)",
        "(not (full ?p))",
        "(not (= ?t ?u))",
        "(full ?q)",
        "(not (= ?t o1))",
    ];
    let mut actions = String::new();
    for action in 0..=below(3) {
        let (mut needs, mut effects) = (String::new(), String::new());
        for list in [&mut needs, &mut effects] {
            for _ in 0..=below(2) {
                let atom = fluents[below(8)];
                *list += &if below(3) == 0 {
                    format!("(not {atom})")
                } else {
                    atom.to_owned()
                };
            }
        }
        if below(2) == 0 {
            needs += conditions[below(5)];
        }
        if below(2) == 0 {
            effects += extra[below(6)];
        }
        actions += &format!(
            "(:action a{action} :parameters (?t ?u - thing ?p ?q - place) :precondition (and {needs}) :effect (and {effects}))"
        );
    }
    let domain = format!(
        "(define (domain things) (:requirements :adl :derived-predicates :action-costs :probabilistic-effects)
         (:types thing place) (:constants o1 - thing) (:predicates (at ?t - thing ?p - place) (on ?t ?u - thing)
          (held ?t - thing) (open ?p - place) (full ?p - place) (road ?p ?q - place))
         (:functions (total-cost) (price ?t - thing))
         (:derived (full ?p - place) (exists (?t - thing) (and (at ?t ?p) (open ?p)))) {actions})"
    );
    let goals = [
        "(forall (?t - thing) (held ?t))",
        "(exists (?t - thing) (held ?t))",
        "(held o0)",
        "(at o0 p0)",
        "(full p1)",
        "(exists (?t - thing) (and (on ?t o1) (held ?t)))",
        "(forall (?p - place) (open ?p))",
    ];
    let mut initial = String::new();
    let atoms = [
        "(at o0 p0)",
        "(at o1 p1)",
        "(at o2 p0)",
        "(on o0 o1)",
        "(on o2 o0)",
        "(held o2)",
        "(open p0)",
        "(open p1)",
    ];
    atoms
        .iter()
        .filter(|_| below(3) == 0)
        .for_each(|atom| initial += atom);
    initial += ["(road p0 p1) (road p1 p0)", "(road p0 p1)", ""][below(3)];
    let dear = below(2) + 1;
    let problem = format!(
        "(define (problem p) (:domain things) (:objects o0 o2 - thing p0 p1 - place) (:init {initial} (= (total-cost) 0)
          (= (price o0) 1) (= (price o1) 1) (= (price o2) {dear})) (:goal {}) (:metric minimize (total-cost)))",
        goals[below(7)]
    );
    simulator(&domain, &problem)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_space_up_to_symmetry_has_a_state_of_each_orbit(seed in any::<u64>()) {
        check(&random(seed));
    }
}

/// Most random tasks should have interchangeable objects, and some should have fewer orbits than states.
#[test]
fn random_tasks_have_interchangeable_objects() {
    let all: Vec<_> = (0..100).filter_map(|seed| check(&random(seed))).collect();
    let with_groups = all.iter().filter(|one| one.0 > 0).count();
    let smaller = all.iter().filter(|one| one.1 < one.2).count();
    assert!(
        with_groups > 20 && smaller > 10,
        "{with_groups} {smaller} of {}",
        all.len()
    );
}

/// Balls that a robot with two hands carries between two rooms.
fn gripper(balls: usize, goal: &str) -> Simulator {
    let domain = "(define (domain gripper) (:predicates (room ?r) (ball ?b) (hand ?h) (robot ?r) (at ?b ?r) (free ?h) (carry ?b ?h))
        (:action move :parameters (?from ?to) :precondition (and (room ?from) (room ?to) (robot ?from)) :effect (and (robot ?to) (not (robot ?from))))
        (:action pick :parameters (?b ?r ?h) :precondition (and (ball ?b) (hand ?h) (at ?b ?r) (robot ?r) (free ?h))
         :effect (and (carry ?b ?h) (not (at ?b ?r)) (not (free ?h))))
        (:action drop :parameters (?b ?r ?h) :precondition (and (hand ?h) (room ?r) (carry ?b ?h) (robot ?r))
         :effect (and (at ?b ?r) (free ?h) (not (carry ?b ?h)))))";
    let names: Vec<_> = (0..balls).map(|ball| format!("b{ball}")).collect();
    let all = |form: &str| {
        names
            .iter()
            .map(|name| form.replace('?', name))
            .collect::<String>()
    };
    let problem = format!(
        "(define (problem p) (:domain gripper) (:objects r s left right {}) (:init (room r) (room s) (hand left) (hand right)
          (free left) (free right) (robot r) {} {}) (:goal (and {} {goal})))",
        names.join(" "),
        all("(ball ?)"),
        all("(at ? r)"),
        all("(at ? s)"),
    );
    simulator(domain, &problem)
}

#[test]
fn balls_and_hands_are_interchangeable() {
    let space = explored(&gripper(20, ""), true);
    let simulator = gripper(20, "");
    let task = simulator.task();
    let symmetry = space.symmetry.as_ref().unwrap();
    let names: Vec<Vec<_>> = symmetry
        .groups()
        .iter()
        .map(|group| {
            group
                .iter()
                .map(|&object| task.vocabulary.object(object))
                .collect()
        })
        .collect();
    assert_eq!((names.len(), names[0].as_slice()), (2, &["left", "right"][..]));
    assert_eq!(names[1].len(), 20);
    // The robot is in one of two rooms; of the balls that it does not carry (none, one or two), a number is in the first.
    assert_eq!((space.len(), space.apart), (2 * (21 + 20 + 19), 0));
    assert_eq!(check(&gripper(3, "")), Some((5, 2 * (4 + 3 + 2), 88)));
    // A ball that the goal names alone is like no other.
    assert_eq!(check(&gripper(3, "(carry b0 left)")).unwrap().0, 2);
}
