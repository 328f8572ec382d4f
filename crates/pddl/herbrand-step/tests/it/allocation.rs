//! Tests that steps do not allocate once the walker's buffers have grown.

use herbrand_ground::strategies::{EffectKinds, TaskSketch};
use herbrand_pddl::{Domain, Problem};
use herbrand_step::{LiftedSimulator, Matching, Options, Random, Simulator};

#[test]
fn steady_steps_allocate_nothing() {
    for (seed, matching) in (0..20).flat_map(|seed| [(seed, Matching::Counting), (seed, Matching::Watching)])
    {
        let sketch = TaskSketch {
            fluents: 12,
            derived: 6,
            // Numeric effects of random tasks may conflict, and error messages allocate.
            numbers: 0,
            actions: 40,
            literals: 2,
            disjunctions: seed % 2 == 0,
            effects: match seed % 3 {
                0 => EffectKinds::Drawn,
                1 => EffectKinds::Numeric,
                _ => EffectKinds::Plain,
            },
            seed,
        };
        let options = Options {
            matching,
            ..Options::default()
        };
        let simulator = Simulator::with_options(sketch.build(), options);
        let start = simulator.initial_state();
        let mut walker = simulator.walker();
        let mut rng = Random::new(seed);
        let mut walk = |steps: u32| {
            for step in 0..steps {
                let action = walker.sample(&mut rng).filter(|_| step % 50 > 0);
                if action.is_none_or(|action| walker.apply(action, &mut rng).is_err()) {
                    walker.set_state(&start).unwrap();
                }
            }
        };
        // Enough steps that rare draws occur too.
        walk(20_000);
        let counted = allocation_counter::measure(|| walk(2000));
        assert_eq!(counted.count_total, 0, "seed {seed}, {matching:?}");
    }
}

const TOWERS: &str = "(define (domain towers)
    (:predicates (on ?x ?y) (table ?x) (clear ?x) (empty) (holding ?x) (moved ?x) (above ?x ?y))
    (:derived (above ?x ?y) (or (on ?x ?y) (exists (?z) (and (on ?x ?z) (above ?z ?y)))))
    (:action take :parameters (?x) :precondition (and (clear ?x) (table ?x) (empty))
        :effect (and (not (table ?x)) (not (clear ?x)) (not (empty)) (holding ?x)
            (forall (?y) (when (moved ?y) (not (moved ?y))))))
    (:action put :parameters (?x) :precondition (holding ?x)
        :effect (and (not (holding ?x)) (clear ?x) (empty) (table ?x) (probabilistic 0.5 (moved ?x))))
    (:action stack :parameters (?x ?y) :precondition (and (holding ?x) (clear ?y))
        :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (empty) (on ?x ?y)))
    (:action unstack :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (empty))
        :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (empty)) (not (on ?x ?y)))))";

#[test]
fn steady_lifted_steps_keep_nothing() {
    let domain = Domain::from_text(TOWERS).unwrap();
    let problem = Problem::from_text(
        "(define (problem four) (:domain towers) (:objects a b c d) (:goal (above a d))
            (:init (empty) (table a) (table b) (table c) (table d) (clear a) (clear b) (clear c) (clear d)))",
        &domain,
    );
    let simulator = LiftedSimulator::compile(&domain, &problem.unwrap()).unwrap();
    let mut walker = simulator.walker().unwrap();
    let mut rng = Random::new(1);
    let mut arguments = Vec::with_capacity(2);
    let mut walk = |steps: u32| {
        for _ in 0..steps {
            let action = walker.sample(&mut rng).unwrap();
            let schema = action.schema;
            arguments.clear();
            arguments.extend_from_slice(action.arguments);
            walker.apply(schema, &arguments, &mut rng).unwrap();
        }
    };
    walk(20_000);
    let counted = allocation_counter::measure(|| walk(2000));
    // `ascent` allocates in each run, and frees what it allocated.
    assert!(counted.bytes_current <= 0, "{counted:?}");
}
