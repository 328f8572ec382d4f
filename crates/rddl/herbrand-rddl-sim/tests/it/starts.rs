//! An episode whose initial state is final has no step and the return 0, wherever it runs.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use herbrand_core::{
    Agent, Choice, EnvOptions, EpisodeEnd, EvaluateOptions, FieldValue, Random, RolloutOptions,
    RolloutPolicy, System, evaluate, roll_out,
};
use herbrand_rddl::Source;
use herbrand_rddl_sim::simulate::{FluentVector, RandomSource, Rollouts, StepError, Values};
use herbrand_rddl_sim::suite::{RddlEnv, RddlSuite};
use herbrand_rddl_sim::trace::{RecordOptions, record};

/// A countdown from `left`, which ends or breaks an invariant at 0 or below.
pub fn countdown(condition: &str, left: i64) -> RddlSuite {
    let text = format!(
        "domain over {{
            pvariables {{
                left : {{ state-fluent, int, default = 3 }};
                go : {{ action-fluent, bool, default = false }};
            }};
            cpfs {{ left' = left - 1; }};
            reward = if (go) then 99 else -1;
            {condition}
        }}
        instance over_1 {{ domain = over; init-state {{ left = {left}; }};
            max-nondef-actions = 1; horizon = 5; discount = 1.0; }}"
    );
    RddlSuite::from_sources(&[Source::new("over", text.as_str())]).unwrap()
}

const ENDS: [(&str, EpisodeEnd); 2] = [
    ("termination { left <= 0; };", EpisodeEnd::Terminal),
    (
        "state-invariants { left < 100; left > 0; };",
        EpisodeEnd::Invariant,
    ),
];

const GO: Choice = Choice {
    field: 0,
    value: FieldValue::Discrete(1),
};

/// An agent that always goes.
struct Going;

impl Agent<herbrand_rddl_sim::simulate::RddlSimulator> for Going {
    fn act(&mut self, _state: &Values) -> Result<Option<Vec<Choice>>, StepError> {
        Ok(Some(vec![GO]))
    }
}

#[test]
fn environments_take_no_step() {
    for (condition, end) in ENDS {
        let suite = countdown(condition, 0);
        let mut env = RddlEnv::observed(suite.clone(), FluentVector, EnvOptions::default()).unwrap();
        let reset = env.reset(Some(1)).unwrap();
        assert!(reset.status.is_final());
        let step = env.step(&[GO][..]).unwrap();
        assert_eq!(
            (step.reward, step.ended(), step.applied),
            (0.0, true, false),
            "{condition}"
        );
        assert_eq!(step.terminated, end == EpisodeEnd::Terminal);
        assert_eq!(env.episode().unwrap().end(&step), Some(end));
        assert_eq!(env.state().unwrap(), suite.compiled(0).unwrap().initial());
        assert!(env.step(&[GO][..]).is_err());
    }
}

#[test]
fn rollouts_take_no_step() {
    for (condition, end) in ENDS {
        let suite = countdown(condition, 0);
        let options = RolloutOptions {
            episodes: 7,
            count_broken: true,
            ..RolloutOptions::default()
        };
        let stop = AtomicBool::new(false);
        let found = roll_out(&suite, &RolloutPolicy::Random, &options, &|_| (), &stop).unwrap();
        assert_eq!(
            (found.episodes, found.steps, found.mean_return),
            (7, 0, 0.0),
            "{condition}"
        );
        let ends = [found.ends.terminal, found.ends.invariant];
        assert_eq!(
            ends,
            if end == EpisodeEnd::Terminal {
                [7, 0]
            } else {
                [0, 7]
            }
        );
        let mut rollouts = Rollouts::new(Arc::clone(suite.compiled(0).unwrap()));
        let start = rollouts.compiled().initial().clone();
        let ends = rollouts
            .run(&start, 70, 5, 1.0, RandomSource::Seed(1), |_, actions| {
                let count = actions.rollouts().len();
                actions.set(0, vec![1.0; count]);
            })
            .unwrap();
        assert!(
            ends.iter()
                .all(|one| one.steps == 0 && one.total == 0.0 && !one.refused)
        );
        assert!(
            ends.iter()
                .all(|one| one.broken == (end == EpisodeEnd::Invariant))
        );
        let mut simulator = suite.simulator(0).unwrap();
        let options = EvaluateOptions {
            episodes: 3,
            steps: 5,
            ..EvaluateOptions::default()
        };
        let found = evaluate(&mut simulator, &mut Going, &options, 1.0, |_| true).unwrap();
        assert_eq!((found.returns, found.lengths), (vec![0.0; 3], vec![0; 3]));
        assert_eq!(found.ends, [Some(end); 3]);
    }
}

#[test]
fn traces_have_the_initial_state_only() {
    for (condition, end) in ENDS {
        let suite = countdown(condition, 0);
        let mut trace = Vec::new();
        let options = RecordOptions::default();
        let counts = record(
            suite.simulator(0).unwrap(),
            ("over", "over_1"),
            &options,
            &mut trace,
        )
        .unwrap();
        assert_eq!(counts.steps, 0, "{condition}");
        let word = if end == EpisodeEnd::Terminal {
            "termination"
        } else {
            "state invariant"
        };
        assert!(String::from_utf8(trace).unwrap().contains(word));
    }
}

/// The simulator itself takes the step, and says which invariants are broken.
#[test]
fn broken_invariants_have_their_numbers() {
    let suite = countdown("state-invariants { left < 100; left > 0; left ~= 1; };", 2);
    let mut simulator = suite.simulator(0).unwrap();
    let mut chance = Random::new(1);
    assert_eq!(simulator.broken_invariants(), [0_usize; 0]);
    for expected in [vec![2], vec![1], vec![1]] {
        simulator.step(&[], &mut chance).unwrap();
        assert_eq!(simulator.broken_invariants(), expected);
    }
    let domain = &simulator.compiled().instance.domain;
    assert_eq!(domain.invariant_text(2), "left ~= 1");
    assert_eq!(domain.invariant_text(3), "");
}
