//! Single environments.

use herbrand_core::balloon::{BalloonError, BalloonProblems, BalloonState};
use herbrand_core::{
    Choice, Described, EpisodeFault, FieldValue, JointError, ProblemChoice, Snapshot, Streams, System,
    uniform_below, uniform_unit,
};

use crate::{env, walk};

#[test]
fn a_flight_ends_on_the_ground_or_at_the_horizon() {
    let mut env = env(6);
    let ends = (0..20).map(|seed| {
        env.reset(Some(seed)).expect("a reset");
        let steps = walk(&mut env, 60);
        let last = steps.iter().position(|step| step.terminated || step.truncated);
        let last = last.expect("the horizon is 40");
        assert_eq!(steps[last].truncated, last == 39, "seed {seed}");
        steps[last].terminated
    });
    let landed = ends.filter(|&landed| landed).count();
    assert!((1..20).contains(&landed), "{landed} of 20 flights landed");
}

#[test]
fn the_definition_says_what_a_step_does() {
    let mut env = env(1);
    env.reset(Some(3)).expect("a reset");
    let mut streams = Streams::new(3);
    uniform_below(&mut streams.problems, 1);
    let (mut height, mut gas) = (5.0, 10);
    let mut shown = height + uniform_unit(&mut streams.observations) - 0.5;
    let mut greatest = shown;
    for step in walk(&mut env, 5) {
        let burners = i64::from(uniform_below(&mut streams.actions, 4.min(gas as u32 + 1)));
        let vent = 2.0 * uniform_unit(&mut streams.actions) - 1.0;
        gas -= burners;
        height += 0.5 * burners as f64 + 0.1 * vent - 0.6 + 0.2 * (uniform_unit(&mut streams.outcomes) - 0.5);
        shown = height + uniform_unit(&mut streams.observations) - 0.5;
        greatest = f64::max(greatest, shown);
        assert_eq!(step.joint[0].value, FieldValue::Int(burners));
        assert_eq!(step.joint[1].value, FieldValue::Real(vent));
        assert_eq!(step.observation, [shown as f32, greatest as f32]);
        assert_eq!(step.reward, -(height - 5.0).abs());
    }
    assert_eq!(env.state().expect("reset before"), &BalloonState { height, gas });
}

#[test]
fn what_was_saved_comes_back_with_memory_and_streams() {
    let mut env = env(3);
    env.reset(Some(11)).expect("a reset");
    walk(&mut env, 3);
    let saved = env.save().expect("reset before");
    let expected = walk(&mut env, 100);
    env.restore(&saved).expect("the same problems");
    assert_eq!(walk(&mut env, 100), expected);
    let mut other = crate::env(3);
    other.restore(&saved).expect("the same problems");
    assert_eq!(walk(&mut other, 100), expected);
    let mut copy = env.clone();
    assert_eq!(walk(&mut copy, 50), walk(&mut env, 50));
    let bytes = saved.pack::<BalloonProblems>();
    assert_eq!(Snapshot::unpack(env.problems(), &bytes), Some(saved));
    for cut in 0..bytes.len() {
        assert_eq!(
            Snapshot::unpack(env.problems(), &bytes[..cut]),
            None,
            "{cut} bytes"
        );
    }
}

#[test]
fn refused_steps_change_nothing() {
    let mut env = env(1);
    assert_eq!(
        env.step(Choice::discrete(0)),
        Err(BalloonError::from(EpisodeFault::NotReset))
    );
    env.reset(Some(0)).expect("a reset");
    let burn = |burners| Choice {
        field: 0,
        value: FieldValue::Int(burners),
    };
    for _ in 0..3 {
        env.step(burn(3)).expect("there is gas for three burners");
    }
    let before = env.save().expect("reset before");
    assert_eq!(
        env.step(burn(2)),
        Err(BalloonError::NotEnoughGas { burners: 2, gas: 1 })
    );
    let twice: &[Choice] = &[burn(0), burn(0)];
    let refused = JointError::SetTwice {
        field: "burn".to_owned(),
    };
    assert_eq!(env.step(twice), Err(EpisodeFault::from(refused).into()));
    assert_eq!(env.save().expect("reset before"), before);
    let nothing: &[Choice] = &[];
    env.step(nothing).expect("doing nothing is always possible");
}

#[test]
fn choices_are_read_as_they_are_written() {
    let mut env = env(1);
    env.reset_to(Some(5), ProblemChoice::Index(0))
        .expect("there is a problem");
    let sampled = env.sample().expect("reset before").expect("an action");
    let system = env.system().expect("reset before");
    for choice in sampled {
        assert_eq!(system.parse_choice(&system.choice_text(choice)), Ok(choice));
    }
    assert!(system.parse_choice("burn = 9").is_err());
    let mut facts = Vec::new();
    system.facts(&mut |fact| facts.push(fact.to_string()));
    assert_eq!(facts, ["(height) = 5", "(gas) = 10"]);
    assert!(!system.status().terminal);
}
