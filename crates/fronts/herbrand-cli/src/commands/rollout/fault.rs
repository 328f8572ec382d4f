//! The first episode of a rollout with a step that cannot be computed.

use std::sync::atomic::AtomicBool;

use herbrand::core::{
    Choice, Described as _, Problems as _, Rollout, RolloutOptions, RolloutPolicy, watch_roll_out,
};
use herbrand::rddl::simulate::StepError;
use herbrand::rddl::suite::{RddlError, RddlSuite};
use herbrand::tasks::AnyProblems;

use crate::failure::Failure;
use crate::output::counted;

/// The first episode of a rollout that could not be finished.
pub(super) struct Fault {
    /// The episodes before it.
    pub(super) finished: Rollout,
    /// The episode, its step, its joint action and the reason.
    pub(super) failure: Failure,
}

impl Fault {
    /// Finds the episode in which a rollout failed, by running it again; `None` if `failure` is not about a step that
    /// cannot be computed.
    ///
    /// # Errors
    /// Fails if a limit of the command is reached.
    pub(super) fn find(
        problems: &AnyProblems,
        policy: &RolloutPolicy,
        options: &RolloutOptions,
        failure: &Failure,
    ) -> Result<Option<Self>, Failure> {
        match (problems, failure) {
            (AnyProblems::Rddl(suite), Failure::Rddl(RddlError::Step(StepError::Value { .. }))) => {
                Self::of(suite, policy, options)
            }
            _ => Ok(None),
        }
    }

    fn of(
        suite: &RddlSuite,
        policy: &RolloutPolicy,
        options: &RolloutOptions,
    ) -> Result<Option<Self>, Failure> {
        let options = RolloutOptions {
            episodes: u64::MAX,
            duration: None,
            require_finite: false,
            ..*options
        };
        let never = AtomicBool::new(false);
        let (mut last, mut taken) = (None, Vec::new());
        let watch = |episode: u64, _: &_, _: Option<f64>, joint: Option<&[Choice]>| {
            last = match last {
                Some((same, step)) if same == episode => Some((episode, step + 1)),
                _ => Some((episode, 1_u32)),
            };
            joint.unwrap_or_default().clone_into(&mut taken);
        };
        let Err(error) = watch_roll_out(suite, policy, &options, &never, watch) else {
            return Ok(None);
        };
        let (episode, step) = match (&error, last) {
            (RddlError::Step(StepError::Value { .. }), Some(last)) => last,
            _ => return Err(error.into()),
        };
        let problem = (episode % suite.len() as u64) as usize;
        let system = suite.system(problem)?;
        let words: Vec<_> = taken.iter().map(|&choice| system.choice_text(choice)).collect();
        let before = if episode == 0 {
            String::new()
        } else {
            format!("; the table shows the {} before it", counted(episode, "episode"))
        };
        let message = format!(
            "episode {} (problem {}) fails at step {step}, joint action ({}): {error}{before}",
            episode + 1,
            suite.problem_name(problem).unwrap_or_default(),
            words.join(", "),
        );
        let finished = RolloutOptions {
            episodes: episode,
            ..options
        };
        Ok(Some(Self {
            finished: watch_roll_out(suite, policy, &finished, &never, |_, _, _, _| {})?,
            failure: Failure::Request(message),
        }))
    }
}
