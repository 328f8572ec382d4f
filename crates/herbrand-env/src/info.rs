//! What an environment has to say about where it is.

use herbrand_step::Explanation;

use crate::{AgentActionId, Engine, Env, EnvError};

/// Where an environment is and how the last step went, in names.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// The problem, with its part of the suite: `test/03`.
    pub problem: String,
    /// The name of the domain's text, if it was read from one: a path, for files.
    pub domain_source: Option<String>,
    /// The name of the problem's text, if it was read from one.
    pub problem_source: Option<String>,
    /// How many steps the episode has taken.
    pub elapsed: u32,
    /// Whether the goal holds.
    pub goal: bool,
    /// Whether no action is valid.
    pub dead_end: bool,
    /// The last step; `None` after a reset and after going to a state in another way.
    pub step: Option<StepInfo>,
}

/// How a step went.
#[derive(Clone, PartialEq, Debug)]
pub struct StepInfo {
    /// The agent's action.
    pub action: String,
    /// The operator that carried it out; `None` when it was not valid.
    pub operator: Option<String>,
    /// Why it was not valid; `None` when it was.
    pub failure: Option<String>,
    /// Where the reward came from.
    pub reward: RewardParts,
}

/// The parts of a reward; it is their sum.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RewardParts {
    /// For entering a goal state.
    pub goal: f64,
    /// The change of the fluent `reward` (PPDDL).
    pub change: f64,
}

/// The last step of an environment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Last {
    pub(crate) action: AgentActionId,
    pub(crate) applied: bool,
    /// Whether the step led from a state that is no goal state to one that is.
    pub(crate) entered_goal: bool,
    pub(crate) reward: f64,
}

impl Env {
    /// Where the environment is and how the last step went. Names are made anew: not for the inner loop.
    ///
    /// # Errors
    /// Before the first reset.
    pub fn info(&self) -> Result<Info, EnvError> {
        let index = self.problem().ok_or(EnvError::NotReset)?;
        let episode = self.episode()?;
        let name = |source: &crate::Source| source.name().to_owned();
        let step = self.last().map(|last| self.step_info(last)).transpose()?;
        Ok(Info {
            problem: self.suite().full_problem_name(index).unwrap_or_default(),
            domain_source: self.suite().domain_source().map(name),
            problem_source: self.suite().problem_source(index).map(name),
            elapsed: episode.elapsed(),
            goal: episode.engine().is_goal(),
            dead_end: episode.is_dead_end(),
            step,
        })
    }

    fn step_info(&self, last: &Last) -> Result<StepInfo, EnvError> {
        let engine = self.episode()?.engine();
        let operator = self.last_operator().filter(|_| last.applied);
        let task = engine.walker().simulator().task();
        Ok(StepInfo {
            action: engine.space().display(last.action).to_string(),
            operator: operator.map(|operator| task.display_action(operator).to_string()),
            failure: match last.applied {
                true => None,
                // An invalid action has changed nothing.
                false => Some(self.why_not(last.action)?),
            },
            reward: self.reward_parts(last)?,
        })
    }

    /// Why an action is not valid now: of the operators that can carry it out in some state, the one that lacks the
    /// fewest literals.
    ///
    /// # Errors
    /// Before the first reset, when there is no such action, and when no operator can ever carry it out.
    pub fn explain(&self, action: AgentActionId) -> Result<Explanation, EnvError> {
        Ok(self.episode()?.engine().explain(action)?)
    }

    fn why_not(&self, action: AgentActionId) -> Result<String, EnvError> {
        match self.explain(action) {
            Ok(explanation) => Ok(explanation.to_string()),
            Err(EnvError::Planning(error)) => Ok(error.to_string()),
            Err(error) => Err(error),
        }
    }

    fn reward_parts(&self, last: &Last) -> Result<RewardParts, EnvError> {
        let task = self.episode()?.engine().walker().simulator().task();
        if !last.applied {
            return Ok(RewardParts::default());
        }
        let plain = task.reward.is_none() && task.goal_reward.is_none();
        let for_goal = if plain { Some(1.0) } else { task.goal_reward };
        let goal = for_goal.filter(|_| last.entered_goal).unwrap_or(0.0);
        Ok(RewardParts {
            goal,
            change: last.reward - goal,
        })
    }
}
