//! Tests of the semantics of single steps.

use herbrand_ground::strategies::{Builder, atom};
use herbrand_ground::{ActionId, AtomId, Block, GroundAssignment, GroundExpression, NumericId};
use herbrand_pddl::{ArithmeticOperator, AssignOperator, Comparison, Domain, Problem};
use herbrand_step::{LiftedSimulator, NameError, Options, Random, Simulator, StepError};

const ACTION: ActionId = ActionId::new(0);

fn atoms(simulator: &Simulator, state: &herbrand_step::State) -> Vec<u32> {
    simulator.atoms(state).map(AtomId::number).collect()
}

/// Applies the only action of a task by the simulator and by a walker, and checks that both agree.
fn step(simulator: &Simulator) -> Result<Vec<u32>, StepError> {
    let state = simulator.initial_state();
    let mut walker = simulator.walker();
    let walked = walker.apply(ACTION, &mut Random::new(0));
    let outcomes = simulator.outcomes(&state, ACTION)?;
    let transition = walked?;
    assert_eq!(outcomes.len(), 1);
    assert_eq!(&outcomes[0].state, walker.state());
    assert_eq!(
        (outcomes[0].reward, outcomes[0].goal),
        (transition.reward, transition.goal)
    );
    assert!(walker.valid().iter().eq(simulator.valid_actions(walker.state())));
    Ok(atoms(simulator, walker.state()))
}

#[test]
fn an_add_wins_over_a_delete() {
    for initially in [true, false] {
        let mut b = Builder::new(2, 0, 0, 0);
        let always = b.condition(&[]);
        let yes = b.condition(&[!1]);
        let delete = b.change(&[], &[0]);
        let effect = b.block(Block {
            adds: &[atom(0)],
            whens: &[(yes, delete)],
            ..Block::default()
        });
        b.action(always, effect);
        b.task.initial = if initially { vec![atom(0)] } else { vec![] };
        assert_eq!(step(&Simulator::new(b.build())), Ok(vec![0]));
    }
}

#[test]
fn conditions_of_effects_read_the_old_state() {
    let mut b = Builder::new(3, 0, 0, 0);
    let always = b.condition(&[]);
    let (first, second) = (b.condition(&[0]), b.condition(&[1]));
    let (to_1, to_2) = (b.change(&[1], &[0]), b.change(&[2], &[]));
    let effect = b.block(Block {
        whens: &[(first, to_1), (second, to_2)],
        ..Block::default()
    });
    b.action(always, effect);
    b.task.initial = vec![atom(0)];
    assert_eq!(step(&Simulator::new(b.build())), Ok(vec![1]));
}

#[test]
fn derived_atoms_follow_stratum_by_stratum() {
    // p2 and p3 support each other and depend on p0; p4 holds if p3 does not.
    let mut b = Builder::new(2, 3, 0, 0);
    b.stratum(&[(2, &[0]), (2, &[3]), (3, &[2])]);
    b.stratum(&[(4, &[!3])]);
    let always = b.condition(&[3]);
    let effect = b.change(&[1], &[0]);
    b.action(always, effect);
    b.task.initial = vec![atom(0)];
    let simulator = Simulator::new(b.build());
    assert_eq!(atoms(&simulator, &simulator.initial_state()), [0, 2, 3]);
    assert_eq!(step(&simulator), Ok(vec![1, 4]));
}

#[test]
fn the_third_stratum_waits_for_the_second() {
    // The rules of the second stratum are in the order from last to first, so it takes a round for each.
    let mut b = Builder::new(2, 5, 0, 0);
    b.stratum(&[(2, &[0])]);
    b.stratum(&[(5, &[4]), (4, &[3]), (3, &[!2])]);
    b.stratum(&[(6, &[!5])]);
    let always = b.condition(&[6]);
    let effect = b.change(&[1], &[0]);
    b.action(always, effect);
    b.task.initial = vec![atom(0)];
    let simulator = Simulator::new(b.build());
    assert_eq!(atoms(&simulator, &simulator.initial_state()), [0, 2, 6]);
    assert_eq!(step(&simulator), Ok(vec![1, 3, 4, 5]));
}
/// Applies one action with the given effects on two numbers of the state and a reward. Returns the resulting atoms or the
/// error, and the two numbers.
fn numeric(
    effects: impl FnOnce(&mut Builder) -> Vec<GroundAssignment>,
) -> (Result<Vec<u32>, StepError>, Vec<Option<f64>>) {
    let mut b = Builder::new(1, 0, 2, 1);
    b.task.numerics[0].initial = Some(6.0);
    b.task.numerics[1].initial = None;
    let always = b.condition(&[]);
    let assignments = effects(&mut b);
    let effect = b.block(Block {
        assignments: &assignments,
        ..Block::default()
    });
    b.action(always, effect);
    let simulator = Simulator::new(b.build());
    let mut walker = simulator.walker();
    let _ = walker.apply(ACTION, &mut Random::new(0));
    let numbers = (0..2).map(|id| walker.numeric(NumericId::new(id))).collect();
    (step(&simulator), numbers)
}

#[test]
fn increases_and_decreases_add_up() {
    let (result, numbers) = numeric(|b| {
        vec![
            b.assignment(AssignOperator::Increase, 0, 2.0),
            b.assignment(AssignOperator::Decrease, 0, 5.0),
            b.assignment(AssignOperator::Assign, 1, 1.5),
        ]
    });
    assert_eq!((result, numbers), (Ok(vec![]), vec![Some(3.0), Some(1.5)]));
}

#[test]
fn contradicting_assignments_are_errors_and_change_nothing() {
    use AssignOperator::{Assign, Increase, ScaleUp};
    let cases = [
        (Assign, 1.0, Assign, 2.0),
        (Assign, 1.0, Increase, 1.0),
        (Increase, 1.0, ScaleUp, 2.0),
    ];
    for (first, x, second, y) in cases {
        let (result, numbers) = numeric(|b| vec![b.assignment(first, 0, x), b.assignment(second, 0, y)]);
        assert!(
            matches!(result, Err(StepError::ConflictingAssignments { .. })),
            "{result:?}"
        );
        assert_eq!(numbers, [Some(6.0), None]);
    }
    let (result, _) = numeric(|b| vec![b.assignment(Assign, 0, 1.0), b.assignment(Assign, 0, 1.0)]);
    assert_eq!(result, Ok(vec![]));
}

#[test]
fn undefined_values_zero_divisors_and_overflows_are_errors() {
    let (result, _) = numeric(|b| vec![b.assignment(AssignOperator::Increase, 1, 1.0)]);
    assert_eq!(
        result.unwrap_err().to_string(),
        "(a0): the effect on (n1) uses an undefined value"
    );
    let (result, _) = numeric(|b| vec![b.assignment(AssignOperator::ScaleDown, 0, 0.0)]);
    assert!(matches!(result, Err(StepError::DivisionByZero { .. })));
    let (result, _) = numeric(|b| {
        let (left, right) = (b.number(1.0), b.number(0.0));
        let value = b.expression(GroundExpression::Apply(ArithmeticOperator::Divide, left, right));
        let target = NumericId::new(0);
        vec![GroundAssignment {
            operator: AssignOperator::Assign,
            target,
            value,
        }]
    });
    assert!(matches!(result, Err(StepError::DivisionByZero { .. })));
    let (result, _) = numeric(|b| vec![b.assignment(AssignOperator::ScaleUp, 0, 1e308)]);
    assert!(matches!(result, Err(StepError::Overflow { .. })));
}

#[test]
fn expressions_of_any_depth_are_evaluated() {
    let (result, numbers) = numeric(|b| {
        let mut value = b.number(1.0);
        for _ in 0..100_000 {
            let one = b.number(1.0);
            value = b.expression(GroundExpression::Apply(ArithmeticOperator::Add, one, value));
        }
        let target = NumericId::new(1);
        vec![GroundAssignment {
            operator: AssignOperator::Assign,
            target,
            value,
        }]
    });
    assert_eq!((result, numbers[1]), (Ok(vec![]), Some(100_001.0)));
}

#[test]
fn comparisons_with_an_undefined_side_are_false() {
    let mut b = Builder::new(1, 0, 1, 0);
    b.task.numerics[0].initial = None;
    let nothing = b.change(&[], &[]);
    for comparison in [Comparison::Less, Comparison::Equal, Comparison::GreaterOrEqual] {
        for negated in [false, true] {
            let mut comparison = b.comparison(0, comparison, 1.0);
            comparison.negated = negated;
            b.conjunction(&[], &[comparison]);
            let condition = b.finish();
            b.action(condition, nothing);
        }
    }
    let simulator = Simulator::new(b.build());
    let valid = simulator.valid_actions(&simulator.initial_state());
    assert_eq!(valid, [1, 3, 5].map(ActionId::new));
}

/// One action with two draws: p0 with probability 1/4; and p1 with probability 1/2, or p1 and p2 with probability 1/3.
fn gamble() -> Builder {
    let mut b = Builder::new(4, 0, 0, 1);
    let never = b.condition(&[3]);
    let always = b.condition(&[!3]);
    let (a, b1, c) = (b.change(&[0], &[]), b.change(&[1], &[]), b.change(&[1, 2], &[]));
    let unseen = b.change(&[3], &[]);
    let guarded = b.block(Block {
        whens: &[(never, unseen)],
        ..Block::default()
    });
    let first = b.chance(&[((1, 4), a), ((1, 2), guarded)]);
    let second = b.chance(&[((1, 2), b1), ((1, 3), c)]);
    let paid = [b.assignment(AssignOperator::Increase, 0, 2.0)];
    let effect = b.block(Block {
        assignments: &paid,
        draws: &[first, second],
        ..Block::default()
    });
    b.action(always, effect);
    b
}

#[test]
fn independent_draws_multiply_and_equal_successors_merge() {
    let simulator = Simulator::new(gamble().build());
    let outcomes = simulator.outcomes(&simulator.initial_state(), ACTION).unwrap();
    let found: Vec<_> = outcomes
        .iter()
        .map(|o| {
            (
                atoms(&simulator, &o.state),
                o.reward,
                (o.probability * 24.0).round(),
            )
        })
        .collect();
    let expected = [
        (vec![0, 1], 2.0, 3.0),
        (vec![0, 1, 2], 2.0, 2.0),
        (vec![0], 2.0, 1.0),
        (vec![1], 2.0, 9.0),
        (vec![1, 2], 2.0, 6.0),
        (vec![], 2.0, 3.0),
    ];
    assert_eq!(found, expected);
    let sum: f64 = outcomes.iter().map(|o| o.probability).sum();
    assert!((sum - 1.0).abs() < 1e-12);
}

#[test]
fn too_many_outcomes_are_refused_but_sampled() {
    let options = Options {
        outcome_limit: 5,
        ..Options::default()
    };
    let simulator = Simulator::with_options(gamble().build(), options);
    let error = simulator
        .outcomes(&simulator.initial_state(), ACTION)
        .unwrap_err();
    assert!(matches!(error, StepError::TooManyOutcomes { limit: 5, .. }));
    assert!(simulator.walker().apply(ACTION, &mut Random::new(0)).is_ok());
}

#[test]
fn the_initial_state_can_be_drawn() {
    let mut b = gamble();
    let block = b.change(&[3], &[]);
    let chance = b.chance(&[((1, 2), block)]);
    b.task.initial_chance = b.block(Block {
        adds: &[],
        draws: &[chance],
        ..Block::default()
    });
    let simulator = Simulator::new(b.build());
    let outcomes = simulator.initial_outcomes().unwrap();
    assert_eq!(outcomes.len(), 2);
    let mut walker = simulator.walker();
    let mut rng = Random::new(5);
    let mut dead_ends = 0;
    for _ in 0..1000 {
        walker.reset(&mut rng).unwrap();
        assert!(outcomes.iter().any(|o| &o.state == walker.state()));
        dead_ends += usize::from(walker.valid().is_empty());
        assert_eq!(walker.sample(&mut rng).is_none(), walker.valid().is_empty());
    }
    assert!((450..550).contains(&dead_ends));
}

#[test]
fn rewards_count_the_goal_as_stated() {
    for (rewards, goal_reward, expected) in [
        (false, None, 1.0),
        (true, None, 2.0),
        (true, Some(10.0), 12.0),
        (false, Some(10.0), 10.0),
    ] {
        let mut b = Builder::new(1, 0, 0, 1);
        let always = b.condition(&[]);
        let paid = [b.assignment(AssignOperator::Increase, 0, 2.0)];
        let effect = b.block(Block {
            adds: &[atom(0)],
            assignments: &paid,
            ..Block::default()
        });
        b.action(always, effect);
        b.task.goal = b.condition(&[0]);
        b.task.goal_reward = goal_reward;
        b.task.reward = b.task.reward.filter(|_| rewards);
        let simulator = Simulator::new(b.build());
        let mut walker = simulator.walker();
        assert!(!walker.is_goal());
        let transition = walker.apply(ACTION, &mut Random::new(0)).unwrap();
        assert_eq!((transition.reward, transition.goal), (expected, true));
        assert_eq!(walker.changes().deltas, [(NumericId::new(0), 2.0)]);
        assert_eq!(step(&simulator), Ok(vec![0]));
    }
}

#[test]
fn explanations_name_the_first_failing_condition_of_each_way() {
    let mut b = Builder::new(3, 0, 1, 0);
    let small = b.comparison(0, Comparison::Less, -1.0);
    b.conjunction(&[!0, 1, 2], &[]);
    b.conjunction(&[!0], &[small]);
    let either = b.finish();
    let never = b.finish();
    let nothing = b.change(&[], &[]);
    b.action(either, nothing);
    b.action(never, nothing);
    let simulator = Simulator::new(b.build());
    let state = simulator.initial_state();
    let text = |action| {
        simulator
            .explain(&state, ActionId::new(action))
            .unwrap()
            .to_string()
    };
    assert_eq!(text(0), "(a0) is not valid: none of (p1), (< (n0) -1) holds");
    assert_eq!(text(1), "(a1) is not valid: its precondition cannot hold");
    let ready = simulator.state_from_atoms([atom(1), atom(2)]).unwrap();
    assert_eq!(
        simulator.explain(&ready, ACTION).unwrap().to_string(),
        "(a0) is valid"
    );
    let mut walker = simulator.walker();
    let refused = walker.apply(ACTION, &mut Random::new(0)).unwrap_err();
    assert_eq!(refused, simulator.outcomes(&state, ACTION).unwrap_err());
    assert_eq!(walker.state(), &state);
    let unknown = walker.apply(ActionId::new(9), &mut Random::new(0)).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "there is no action number 9: the task has 2 actions"
    );
}

#[test]
fn states_are_values() {
    let mut b = Builder::new(70, 1, 2, 0);
    b.stratum(&[(70, &[69])]);
    b.task.numerics[1].initial = None;
    b.task.initial = vec![atom(3), atom(64), atom(69)];
    let simulator = Simulator::new(b.build());
    let state = simulator.initial_state();
    let same = simulator
        .state_from_atoms([atom(69), atom(3), atom(64), atom(70)])
        .unwrap();
    assert_eq!(state, same);
    assert_eq!(state.pack().len(), 9 + 16);
    assert_eq!(simulator.unpack(&state.pack()), Some(state.clone()));
    assert_eq!(simulator.unpack(&state.pack()[1..]), None);
    let mut wrong = state.pack();
    wrong[8] |= 0x80;
    assert_eq!(simulator.unpack(&wrong), None);
    let mut other = state.clone();
    for (less, more) in [(-2.0, -1.0), (-1.0, 0.0), (0.0, 0.5), (0.5, 7.0)] {
        let mut greater = state.clone();
        simulator.set_numeric(&mut other, NumericId::new(0), Some(less));
        simulator.set_numeric(&mut greater, NumericId::new(0), Some(more));
        assert!(other < greater);
        assert_eq!(other.numeric(NumericId::new(0)), Some(less));
        assert_eq!(simulator.unpack(&other.pack()), Some(other.clone()));
    }
    simulator.set_numeric(&mut other, NumericId::new(0), Some(-0.0));
    assert_eq!(other, state);
    assert!(matches!(
        simulator.state_from_atoms([atom(71)]),
        Err(StepError::UnknownAtom { .. })
    ));
}

#[test]
fn bits_beyond_the_state_are_cleared() {
    for fluents in [1, 7, 63, 64, 65, 130] {
        let mut b = Builder::new(fluents, 0, 1, 0);
        b.task.initial = (0..fluents).step_by(2).map(atom).collect();
        let simulator = Simulator::new(b.build());
        let state = simulator.initial_state();
        for length in [0, 1, fluents as usize - 1, fluents as usize, 200, 260] {
            let mut bytes = vec![7; length];
            state.write_bits(&mut bytes);
            let expected = |place: usize| u8::from(place < fluents as usize && place.is_multiple_of(2));
            let expected: Vec<_> = (0..length).map(expected).collect();
            assert_eq!(bytes, expected, "{fluents} fluents in {length} bytes");
        }
        let mut mask = [u64::MAX; 3];
        simulator.walker().valid().write_mask(&mut mask);
        assert_eq!(mask, [0; 3]);
    }
}

#[test]
fn names_lead_to_ids() {
    let mut b = Builder::new(2, 0, 0, 0);
    let always = b.condition(&[]);
    let nothing = b.change(&[], &[]);
    b.action(always, nothing);
    let simulator = Simulator::new(b.build());
    assert_eq!(simulator.parse_atom(" (P1 )"), Ok(atom(1)));
    assert_eq!(simulator.parse_action("a0"), Ok(ACTION));
    assert!(matches!(
        simulator.parse_atom("(p1"),
        Err(NameError::Syntax { .. })
    ));
    assert!(matches!(simulator.parse_atom(""), Err(NameError::Syntax { .. })));
    assert_eq!(
        simulator.parse_action("(b)").unwrap_err().to_string(),
        "there is no action `b`"
    );
    assert!(matches!(
        simulator.parse_atom("(p1 x)"),
        Err(NameError::Arity {
            expected: 0,
            found: 1,
            ..
        })
    ));
}

#[test]
fn unknown_names_are_answered_with_near_ones() {
    let domain = Domain::from_text(
        "(define (domain house) (:requirements :strips :negative-preconditions) (:predicates (lit ?lamp))
           (:action switch-on :parameters (?lamp) :precondition (not (lit ?lamp)) :effect (lit ?lamp)))",
    )
    .unwrap();
    let problem = Problem::from_text(
        "(define (problem evening) (:domain house) (:objects kitchen hall) (:init) (:goal (lit hall)))",
        &domain,
    )
    .unwrap();
    let grounded = herbrand_step::compile(&domain, &problem).unwrap();
    let lifted = LiftedSimulator::compile(&domain, &problem).unwrap();
    for (text, expected) in [
        (
            "(swich-on hall)",
            "there is no action `swich-on`; did you mean `switch-on`?",
        ),
        ("(fly hall)", "there is no action `fly`"),
        (
            "(switch-on Kichen)",
            "there is no object `kichen`; did you mean `kitchen`?",
        ),
        ("(switch-on attic)", "there is no object `attic`"),
        ("(switch-on)", "`switch-on` takes 1 argument, not 0"),
    ] {
        let by_grounding = grounded.parse_action(text).expect_err(text).to_string();
        let by_views = lifted.parse_action(text).expect_err(text).to_string();
        assert_eq!(
            (by_grounding.as_str(), by_views.as_str()),
            (expected, expected),
            "{text}"
        );
    }
    assert_eq!(
        grounded.parse_atom("(lid hall)").unwrap_err().to_string(),
        "there is no predicate `lid`; did you mean `lit`?"
    );
}

#[test]
fn streams_are_independent_and_repeatable() {
    use rand::Rng;
    let root = Random::new(1);
    let first = |mut rng: Random| rng.next_u64();
    assert_eq!(first(root.stream(3)), first(Random::new(1).stream(3)));
    let mut seen: Vec<u64> = (0..1000).map(|k| first(root.stream(k))).collect();
    seen.extend((0..1000).map(|seed| first(Random::new(seed))));
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 2000);
}

#[test]
fn uniform_draws_fit_by_chi_squared() {
    let mut rng = Random::new(11);
    let bound = 7_u32;
    let mut counts = [0_u32; 7];
    for _ in 0..70_000 {
        counts[herbrand_step::uniform_below(&mut rng, bound) as usize] += 1;
    }
    let statistic: f64 = counts
        .iter()
        .map(|&count| (f64::from(count) - 1e4).powi(2) / 1e4)
        .sum();
    // The 99.9 % quantile with 6 degrees of freedom.
    assert!(statistic < 22.46, "{statistic}");
    assert_eq!(herbrand_step::uniform_below(&mut rng, 0), 0);
}
