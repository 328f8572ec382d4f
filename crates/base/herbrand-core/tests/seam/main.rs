//! Runs a system without a planning language through the whole interface of this crate.

mod agents;
mod batches;
mod enumerated;
mod episodes;
mod finite;
mod lookahead;
mod minimal;
mod recorded;
mod rollouts;
mod space;
#[cfg(feature = "traces")]
mod traces;

use herbrand_core::balloon::{Altimeter, BalloonProblems};
use herbrand_core::{Env, EnvOptions, JointAction};

/// An environment over `count` flights with the altimeter as observer.
fn env(count: usize) -> Env<BalloonProblems, Altimeter> {
    Env::observed(BalloonProblems::new(count), Altimeter, EnvOptions::default()).expect("there are flights")
}

/// A record of one step of an environment.
#[derive(Clone, PartialEq, Debug)]
struct Seen {
    joint: JointAction,
    observation: [f32; 2],
    reward: f64,
    terminated: bool,
    truncated: bool,
}

/// Takes `steps` sampled steps. The step after the end of an episode starts a new one.
fn walk(env: &mut Env<BalloonProblems, Altimeter>, steps: usize) -> Vec<Seen> {
    let mut over = false;
    let steps = (0..steps).map(|_| {
        let mut seen = Seen {
            joint: JointAction::new(),
            observation: [0.0; 2],
            reward: 0.0,
            terminated: false,
            truncated: false,
        };
        if over {
            env.reset(None).expect("a reset");
            over = false;
        } else {
            seen.joint = env.sample().expect("reset before").expect("an action");
            let step = env.step(&seen.joint).expect("a valid action");
            (seen.reward, seen.terminated, seen.truncated) = (step.reward, step.terminated, step.truncated);
            over = step.ended();
        }
        env.write_observation(&mut seen.observation)
            .expect("reset before");
        seen
    });
    steps.collect()
}
