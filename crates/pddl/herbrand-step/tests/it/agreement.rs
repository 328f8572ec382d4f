//! Tests that walkers agree with the simulator after any sequence of steps.

use herbrand_ground::AtomId;
use herbrand_ground::strategies::{EffectKinds, TaskSketch, sketches};
use herbrand_step::{
    Derived, Matching, Options, Random, Simulator, State, StepError, Valuation, Walker, uniform_below,
};
use proptest::prelude::*;
use rand::Rng;

/// Compares everything a walker maintains with what the simulator computes from scratch.
pub fn check(walker: &Walker) {
    let simulator = walker.simulator();
    let state = walker.state();
    let valid = simulator.valid_actions(state);
    assert_eq!(walker.valid().iter().collect::<Vec<_>>(), valid);
    assert_eq!(walker.valid().len(), valid.len());
    assert_eq!(walker.valid().is_empty(), valid.is_empty());
    for (n, &action) in valid.iter().enumerate() {
        assert_eq!(walker.valid().nth(n), Some(action));
        assert!(walker.valid().contains(action));
    }
    assert_eq!(walker.valid().nth(valid.len()), None);
    let mut mask = vec![u64::MAX; simulator.task().actions.len() / 64 + 2];
    walker.valid().write_mask(&mut mask);
    assert_eq!(
        mask.iter().map(|word| word.count_ones() as usize).sum::<usize>(),
        valid.len()
    );
    assert!(
        valid
            .iter()
            .all(|action| mask[action.index() / 64] >> (action.index() % 64) & 1 == 1)
    );
    assert_eq!(
        walker.atoms().collect::<Vec<_>>(),
        simulator.atoms(state).collect::<Vec<_>>()
    );
    assert!(!walker.holds(AtomId::from_index(simulator.task().atom_count())));
    assert_eq!(walker.is_goal(), simulator.is_goal(state));
    assert_eq!(simulator.unpack(&state.pack()).as_ref(), Some(state));
}

/// Returns the derived atoms that differ between a state and the walker's state, both computed from scratch.
fn derived_changes(walker: &Walker, before: &State) -> Vec<(AtomId, bool)> {
    let simulator = walker.simulator();
    let (before, now) = (simulator.close(before), simulator.close(walker.state()));
    let derived = simulator.task().fluents as usize..simulator.task().atom_count();
    let atoms = derived.map(AtomId::from_index);
    let differ = atoms.filter(|&atom| before.holds(atom) != now.holds(atom));
    differ.map(|atom| (atom, now.holds(atom))).collect()
}

/// Takes a sampled action and compares with the enumerated outcomes and with a sample of the simulator from the same
/// generator. False in a dead end.
pub fn step(walker: &mut Walker, rng: &mut Random) -> bool {
    let Some(action) = walker.sample(rng) else {
        return false;
    };
    let before = walker.state().clone();
    let outcomes = walker.simulator().outcomes(&before, action);
    let mut again = rng.clone();
    let sampled = walker.simulator().sample(&before, action, &mut again);
    let taken = walker.apply(action, rng);
    let reached = taken.clone().map(|taken| (walker.state().clone(), taken.reward));
    assert_eq!(sampled, reached);
    assert_eq!(&again, rng, "a sample draws as a step does");
    match taken {
        Ok(transition) => {
            if let Ok(outcomes) = outcomes {
                let sum: f64 = outcomes.iter().map(|o| o.probability).sum();
                assert!((sum - 1.0).abs() < 1e-12, "{sum}");
                let found = outcomes
                    .iter()
                    .find(|o| &o.state == walker.state() && o.deltas == walker.changes().deltas);
                let found = found.expect("a state that is reached is an outcome");
                assert!(found.probability >= transition.probability - 1e-12);
                assert_eq!((found.reward, found.goal), (transition.reward, transition.goal));
            }
            let mut rebuilt: Vec<_> = before
                .fluents()
                .filter(|&a| walker.changes().deleted().all(|d| d != a))
                .collect();
            rebuilt.extend(walker.changes().added());
            rebuilt.sort_unstable();
            assert!(rebuilt.into_iter().eq(walker.state().fluents()));
            assert_eq!(walker.derived_changes(), derived_changes(walker, &before));
        }
        Err(error) => {
            assert_eq!(walker.state(), &before);
            assert!(!matches!(error, StepError::Invalid(_)));
            assert!(outcomes.is_err());
        }
    }
    true
}

fn agree(sketch: &TaskSketch, matching: Matching, seed: u64) {
    let options = Options {
        matching,
        derived: if seed.is_multiple_of(2) {
            Derived::Needed
        } else {
            Derived::All
        },
        ..Options::default()
    };
    let simulator = Simulator::with_options(sketch.build(), options);
    let mut rng = Random::new(seed);
    let mut walker = simulator.walker();
    let mut saved: Vec<State> = vec![walker.state().clone()];
    check(&walker);
    let checks = if sketch.actions > 1000 { 12 } else { 40 };
    for _ in 0..checks {
        match uniform_below(&mut rng, 8) {
            0 => {
                let target = saved[uniform_below(&mut rng, saved.len() as u32) as usize].clone();
                walker.set_state(&target).unwrap();
                assert_eq!(walker.state(), &target);
                assert!(!walker.undo());
                assert_eq!(walker.derived_changes(), []);
            }
            1 => match walker.reset(&mut rng) {
                Ok(()) => assert_eq!(walker.changes().added().count(), 0),
                Err(_) => assert!(simulator.initial_outcomes().is_err()),
            },
            2 => {
                let before = walker.state().clone();
                let (mut moved, action) = (walker.clone(), walker.sample(&mut rng));
                if action.is_some_and(|action| moved.apply(action, &mut rng).is_ok()) {
                    assert!(moved.undo());
                    assert_eq!(moved.state(), &before);
                    walker = moved;
                }
            }
            _ => _ = step(&mut walker, &mut rng),
        }
        check(&walker);
        saved.push(walker.state().clone());
    }
    // The sampled action depends on the state and the generator, not on the history or the matching method.
    let mut fresh = Simulator::new(sketch.build()).walker();
    fresh.set_state(walker.state()).unwrap();
    let word = rng.next_u64();
    assert_eq!(
        fresh.sample(&mut Random::new(word)),
        walker.sample(&mut Random::new(word))
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn counting_walkers_agree_with_the_definition(sketch in sketches(), seed: u64) {
        agree(&sketch, Matching::Counting, seed);
    }

    #[test]
    fn watching_walkers_agree_with_the_definition(sketch in sketches(), seed: u64) {
        agree(&sketch, Matching::Watching, seed);
    }
}

/// In a large task, rows are not numbered like actions: rows with the same truck and place are neighbours.
#[test]
fn walkers_of_large_tasks_agree_with_the_definition() {
    let domain = "(define (domain haul) (:requirements :strips :typing) (:types package truck place)
        (:predicates (parked ?t - truck ?p - place) (lies ?x - package ?p - place) (in ?x - package ?t - truck))
        (:action drive :parameters (?t - truck ?from ?to - place) :precondition (parked ?t ?from)
            :effect (and (not (parked ?t ?from)) (parked ?t ?to)))
        (:action load :parameters (?x - package ?t - truck ?p - place) :precondition (and (parked ?t ?p) (lies ?x ?p))
            :effect (and (not (lies ?x ?p)) (in ?x ?t)))
        (:action unload :parameters (?x - package ?t - truck ?p - place) :precondition (and (parked ?t ?p) (in ?x ?t))
            :effect (and (not (in ?x ?t)) (lies ?x ?p))))";
    let list = |name: &str, count: u32| (0..count).map(|n| format!("{name}{n} ")).collect::<String>();
    let lies: String = (0..120).map(|n| format!("(lies x{n} p{})", n % 8)).collect();
    let problem = format!(
        "(define (problem large) (:domain haul) (:objects {} - package {} - truck {} - place)
            (:init (parked t0 p0) (parked t1 p0) (parked t2 p3) {lies}) (:goal (in x3 t0)))",
        list("x", 120),
        list("t", 3),
        list("p", 8),
    );
    let domain = herbrand_pddl::Domain::from_text(domain).unwrap();
    let problem = herbrand_pddl::Problem::from_text(&problem, &domain).unwrap();
    let simulator = herbrand_step::compile(&domain, &problem).unwrap();
    assert!(simulator.task().actions.len() > 5000);
    let mut walker = simulator.walker();
    let mut rng = Random::new(3);
    for _ in 0..60 {
        check(&walker);
        assert!(step(&mut walker, &mut rng));
    }
}

#[test]
fn sampling_follows_the_enumerated_distribution_by_chi_squared() {
    let mut tested = 0;
    for seed in 0..40 {
        let sketch = TaskSketch {
            fluents: 4,
            derived: 2,
            numbers: 0,
            actions: 3,
            literals: 1,
            disjunctions: false,
            effects: EffectKinds::Drawn,
            seed,
        };
        let simulator = Simulator::new(sketch.build());
        let mut walker = simulator.walker();
        let start = walker.state().clone();
        let mut rng = Random::new(seed);
        for action in simulator.valid_actions(&start) {
            let outcomes = simulator.outcomes(&start, action).unwrap();
            let mut counts = vec![0_u32; outcomes.len()];
            for _ in 0..4000 {
                walker.set_state(&start).unwrap();
                walker.apply(action, &mut rng).unwrap();
                let same = |o: &herbrand_step::Outcome| {
                    &o.state == walker.state() && o.deltas == walker.changes().deltas
                };
                counts[outcomes.iter().position(same).unwrap()] += 1;
            }
            let expected = outcomes.iter().map(|o| o.probability * 4000.0);
            let statistic: f64 = counts
                .iter()
                .zip(expected)
                .map(|(&n, e)| (f64::from(n) - e).powi(2) / e)
                .sum();
            let freedom = (outcomes.len() - 1) as f64;
            // Far above the 99.9 % quantile for any number of degrees of freedom.
            assert!(
                statistic <= freedom + 4.0 * (2.0 * freedom).sqrt() + 6.0,
                "{statistic} of {freedom}"
            );
            tested += usize::from(outcomes.len() > 1);
        }
    }
    assert!(tested > 15, "{tested}");
}
