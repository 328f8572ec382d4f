//! Environments over PDDL problems: what they say about where they are, and explanations.

use std::sync::Arc;

use herbrand_core::{Env, EpisodeFault, Last, Observer, Snapshot, System};
use herbrand_step::{Explanation, Fired, State};

use crate::{AgentActionId, EnvError, Instance, Part, Suite};

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

/// What environments over PDDL problems can say beyond what all environments can.
pub trait PlanningEnv {
    /// Where the environment is and how the last step went. Names are made anew: not for the inner loop.
    ///
    /// # Errors
    /// Before the first reset.
    fn info(&self) -> Result<Info, EnvError>;

    /// The current problem, compiled.
    ///
    /// # Errors
    /// Before the first reset.
    fn instance(&self) -> Result<&Arc<Instance>, EnvError>;

    /// The agent's actions that are valid now, ascending.
    ///
    /// # Errors
    /// Before the first reset.
    fn valid_actions(&self) -> Result<Vec<AgentActionId>, EnvError>;

    /// A valid action, drawn uniformly; `None` in a dead end, where a step does nothing, whatever its action.
    ///
    /// # Errors
    /// Before the first reset.
    fn sample_action(&mut self) -> Result<Option<AgentActionId>, EnvError>;

    /// Why an action is not valid now: of the operators that can carry it out in some state, the one that lacks the
    /// fewest literals.
    ///
    /// # Errors
    /// Before the first reset, when there is no such action, and when no operator can ever carry it out.
    fn explain(&self, action: AgentActionId) -> Result<Explanation, EnvError>;

    /// What a step by `action` does from where the environment was saved: which effects happen, how conditions and draws are
    /// decided, and what changes. The step that followed did the same. The environment stays where it is.
    ///
    /// # Errors
    /// When the suite has no such problem or state, or the action is not valid there.
    fn explain_step(&self, saved: &Snapshot<State>, action: AgentActionId) -> Result<Fired, EnvError>;

    /// The snapshot that [`Snapshot::pack`] wrote.
    ///
    /// # Errors
    /// [`EnvError::NotASnapshot`] when an environment over another suite wrote it, as far as can be told.
    fn unpack(&self, bytes: &[u8]) -> Result<Snapshot<State>, EnvError>;

    /// Writes the observable atoms of the current state as one byte per atom, 1 for true
    /// ([`AtomSpace::write_bits`](crate::AtomSpace::write_bits)).
    ///
    /// # Errors
    /// Before the first reset.
    fn write_bits(&self, part: Part, into: &mut [u8]) -> Result<(), EnvError>;
}

impl<O: Observer<Suite>> PlanningEnv for Env<Suite, O> {
    fn info(&self) -> Result<Info, EnvError> {
        let index = self.problem().ok_or(EpisodeFault::NotReset)?;
        let status = self.system()?.status();
        let name = |source: &crate::Source| source.name().to_owned();
        let suite = self.problems();
        Ok(Info {
            problem: suite.full_problem_name(index).unwrap_or_default(),
            domain_source: suite.domain_source().map(name),
            problem_source: suite.problem_source(index).map(name),
            elapsed: self.episode()?.elapsed(),
            goal: status.goal,
            dead_end: status.dead_end,
            step: self.last().map(|last| step_info(self, last)).transpose()?,
        })
    }

    fn instance(&self) -> Result<&Arc<Instance>, EnvError> {
        Ok(self.system()?.instance())
    }

    fn valid_actions(&self) -> Result<Vec<AgentActionId>, EnvError> {
        Ok(self.system()?.valid_actions())
    }

    fn sample_action(&mut self) -> Result<Option<AgentActionId>, EnvError> {
        let joint = self.sample()?;
        Ok(joint.and_then(|joint| AgentActionId::of(*joint.first()?)))
    }

    fn explain(&self, action: AgentActionId) -> Result<Explanation, EnvError> {
        Ok(self.system()?.explain(action)?)
    }

    fn explain_step(&self, saved: &Snapshot<State>, action: AgentActionId) -> Result<Fired, EnvError> {
        let mut planning = self.problems().engine(saved.problem)?;
        planning.set_state(&saved.state)?;
        let mut streams = saved.streams.clone();
        let (_, fired) = planning.step_explained(action, &mut streams.outcomes)?;
        Ok(fired)
    }

    fn unpack(&self, bytes: &[u8]) -> Result<Snapshot<State>, EnvError> {
        Snapshot::unpack(self.problems(), bytes).ok_or(EnvError::NotASnapshot)
    }

    fn write_bits(&self, part: Part, into: &mut [u8]) -> Result<(), EnvError> {
        let system = self.system()?;
        system.instance().atoms().write_bits(system.walker(), part, into);
        Ok(())
    }
}

/// How the last step went.
fn step_info<O: Observer<Suite>>(env: &Env<Suite, O>, last: &Last) -> Result<StepInfo, EnvError> {
    let system = env.system()?;
    let task = system.space().task();
    let operator = system.last_operator().filter(|_| last.step.applied);
    let action = last.joint.first().and_then(|&choice| AgentActionId::of(choice));
    let action = action.unwrap_or(AgentActionId::new(u32::MAX));
    Ok(StepInfo {
        action: system.space().display(action).to_string(),
        operator: operator.map(|&operator| task.display_action(operator).to_string()),
        // An invalid action has changed nothing.
        failure: if last.step.applied {
            None
        } else {
            Some(match system.explain(action) {
                Ok(explanation) => explanation.to_string(),
                Err(error) => error.to_string(),
            })
        },
        reward: reward_parts(env, last)?,
    })
}

fn reward_parts<O: Observer<Suite>>(env: &Env<Suite, O>, last: &Last) -> Result<RewardParts, EnvError> {
    let task = env.system()?.space().task();
    if !last.step.applied {
        return Ok(RewardParts::default());
    }
    let plain = task.reward.is_none() && task.goal_reward.is_none();
    let for_goal = if plain { Some(1.0) } else { task.goal_reward };
    let entered = last.step.goal && !last.goal_before;
    let goal = for_goal.filter(|_| entered).unwrap_or(0.0);
    Ok(RewardParts {
        goal,
        change: last.step.reward - goal,
    })
}
