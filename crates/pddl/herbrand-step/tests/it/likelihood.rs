//! Tests of small probabilities, and of the most likely alternative.

use herbrand_ground::{ActionId, Block};
use herbrand_pddl::{Domain, Problem};
use herbrand_step::{LiftedSimulator, Random, Simulator, StepError};

use herbrand_ground::strategies::Builder;

/// Creates a task with one action, which draws one of these alternatives. Alternative `i` adds atom `i`.
fn draw(probabilities: &[f64]) -> Simulator {
    let mut b = Builder::new(probabilities.len() as u32, 0, 0, 0);
    let always = b.condition(&[]);
    let alternatives: Vec<_> = (0..)
        .zip(probabilities)
        .map(|(place, &probability)| {
            let trillionths = (probability * 1e12).round() as u64;
            ((trillionths, 1_000_000_000_000), b.change(&[place], &[]))
        })
        .collect();
    let chance = b.chance(&alternatives);
    let effect = b.block(Block {
        draws: &[chance],
        ..Block::default()
    });
    b.action(always, effect);
    Simulator::new(b.build())
}

fn outcomes(simulator: &Simulator) -> Vec<(f64, usize)> {
    let start = simulator.initial_state();
    let outcomes = simulator.outcomes(&start, ActionId::new(0)).unwrap();
    outcomes
        .iter()
        .map(|outcome| (outcome.probability, outcome.state.fluents().count()))
        .collect()
}

#[test]
fn a_small_remainder_is_an_outcome() {
    for rest in [1e-3, 5e-4, 1e-4, 1e-6, 1e-8] {
        let simulator = draw(&[1.0 - rest]);
        let [(likely, 1), (unlikely, 0)] = outcomes(&simulator)[..] else {
            panic!("{rest}: a change and no change");
        };
        assert!((likely - (1.0 - rest)).abs() < 1e-12, "{rest}: {likely}");
        assert!((unlikely / rest - 1.0).abs() < 1e-6, "{rest}: {unlikely}");
    }
}

/// A difference from 1 that is only a rounding error is not an outcome.
#[test]
fn a_remainder_of_rounding_is_none() {
    assert_eq!(outcomes(&draw(&[0.1; 10])).len(), 10);
}

#[test]
fn a_small_remainder_is_drawn_as_often_as_it_should_be() {
    let simulator = draw(&[0.9995]);
    let mut walker = simulator.walker();
    let start = walker.state().clone();
    let mut rng = Random::new(1);
    let mut nothing = 0;
    for _ in 0..100_000 {
        walker.set_state(&start).unwrap();
        let transition = walker.apply(ActionId::new(0), &mut rng).unwrap();
        if walker.state() == &start {
            nothing += 1;
            assert!((transition.probability - 5e-4).abs() < 1e-12);
        }
    }
    // The expected count is 50, with a standard deviation of 7.
    assert!((15..=85).contains(&nothing), "{nothing}");
}

#[test]
fn successors_are_sampled_as_often_as_their_probabilities_say() {
    const SAMPLES: u32 = 40_000;
    let simulator = draw(&[0.1, 0.25, 0.6]);
    let (start, action) = (simulator.initial_state(), ActionId::new(0));
    let outcomes = simulator.outcomes(&start, action).unwrap();
    assert_eq!(outcomes.len(), 4);
    let mut counts = vec![0; outcomes.len()];
    let mut rng = Random::new(4);
    for _ in 0..SAMPLES {
        let (state, reward) = simulator.sample(&start, action, &mut rng).unwrap();
        let among = outcomes
            .iter()
            .position(|outcome| outcome.state == state)
            .unwrap();
        assert_eq!(reward, outcomes[among].reward);
        counts[among] += 1;
    }
    for (outcome, count) in outcomes.iter().zip(counts) {
        let (p, n) = (outcome.probability, f64::from(SAMPLES));
        let deviation = (p * (1.0 - p) / n).sqrt();
        let share = f64::from(count) / n;
        assert!((share - p).abs() < 5.0 * deviation, "{p}: {share}");
    }
}

#[test]
fn a_sampled_step_pays_for_entering_the_goal_and_not_for_staying() {
    let domain = "(define (domain d) (:predicates (up)) (:action rise :effect (up)))";
    let domain = Domain::from_text(domain).unwrap();
    let problem = "(define (problem p) (:domain d) (:goal (up)))";
    let problem = Problem::from_text(problem, &domain).unwrap();
    let (simulator, lifted) = (
        herbrand_step::compile(&domain, &problem).unwrap(),
        LiftedSimulator::compile(&domain, &problem).unwrap(),
    );
    let mut rng = Random::new(0);
    let rise = ActionId::new(0);
    let (up, entered) = simulator
        .sample(&simulator.initial_state(), rise, &mut rng)
        .unwrap();
    let (still_up, stayed) = simulator.sample(&up, rise, &mut rng).unwrap();
    assert_eq!((entered, stayed, &still_up), (1.0, 0.0, &up));
    let (rise, none) = lifted.parse_action("(rise)").unwrap();
    let (up, entered) = lifted
        .sample(lifted.initial_state(), rise, &none, &mut rng)
        .unwrap();
    let (still_up, stayed) = lifted.sample(&up, rise, &none, &mut rng).unwrap();
    assert_eq!((entered, stayed, &still_up), (1.0, 0.0, &up));
}

#[test]
fn only_valid_actions_of_states_of_the_task_are_sampled() {
    let simulator = draw(&[0.5]);
    let mut rng = Random::new(0);
    let start = simulator.initial_state();
    let unknown = simulator.sample(&start, ActionId::new(7), &mut rng);
    assert!(matches!(unknown, Err(StepError::UnknownAction { number: 7, .. })));
    let foreign = draw(&[0.01; 100]).initial_state();
    let foreign = simulator.sample(&foreign, ActionId::new(0), &mut rng);
    assert_eq!(foreign, Err(StepError::ForeignState));
    let mut b = Builder::new(1, 0, 0, 0);
    let fluent = b.condition(&[0]);
    let effect = b.change(&[], &[0]);
    b.action(fluent, effect);
    let blocked = Simulator::new(b.build());
    let invalid = blocked.sample(&blocked.initial_state(), ActionId::new(0), &mut rng);
    assert!(matches!(invalid, Err(StepError::Invalid(_))), "{invalid:?}");
    assert_eq!(rng, Random::new(0), "nothing was drawn");
}

#[test]
fn of_equal_alternatives_the_first_is_the_most_likely() {
    // The index of the alternative taken; `None` for no change.
    for (probabilities, expected) in [
        (&[0.5, 0.5][..], Some(0)),
        (&[0.25, 0.25, 0.25, 0.25], Some(0)),
        (&[0.2, 0.4, 0.4], Some(1)),
        (&[0.25, 0.25, 0.5], Some(2)),
        (&[0.5], Some(0)),
        (&[0.25, 0.25], None),
        (&[0.3, 0.3], None),
    ] {
        let simulator = draw(probabilities).most_likely();
        let start = simulator.initial_state();
        let [outcome] = &simulator.outcomes(&start, ActionId::new(0)).unwrap()[..] else {
            panic!("one outcome");
        };
        let drawn = outcome.state.fluents().next().map(|atom| atom.index());
        assert_eq!(drawn, expected, "{probabilities:?}");
        let mut walker = simulator.walker();
        walker.apply(ActionId::new(0), &mut Random::new(0)).unwrap();
        assert_eq!(walker.state(), &outcome.state, "{probabilities:?}");
    }
}
