//! Environments over PDDL problems: information about the current state and the last step, and explanations.

use std::sync::Arc;

use herbrand_core::{Env, EpisodeFault, Last, Observer, Snapshot, System};
use herbrand_step::{ActionExplanation, State, StepRecord};

use crate::action::AgentActionId;
use crate::error::EnvError;
use crate::instance::CompiledProblem;
use crate::observed::ObservedAtoms;
use crate::suite::Suite;

/// A description of an environment's state and of its last step, with names instead of ids; returned by
/// [`PlanningEnv::info`]. Texts of actions and operators are in PDDL syntax.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// The name of the problem with its part of the suite, such as `test/03`.
    pub problem: String,
    /// The name of the domain's source text, which is a path for files; `None` if it was not read from a text.
    pub domain_source: Option<String>,
    /// The name of the problem's source text; `None` if it was not read from a text.
    pub problem_source: Option<String>,
    /// The number of steps taken in the episode. 0 after a reset; setting a state keeps it.
    pub elapsed: u32,
    /// Whether the goal holds in the current state.
    pub goal: bool,
    /// Whether no action is valid in the current state. A goal state may be one.
    pub dead_end: bool,
    /// The last step; `None` if the current state was set or reached by a reset.
    pub step: Option<StepInfo>,
}

/// A description of an environment's last step: the field [`Info::step`]. An invalid action is described only with
/// [`InvalidAction::Ignore`](crate::InvalidAction::Ignore); otherwise its step fails and changes nothing.
#[derive(Clone, PartialEq, Debug)]
pub struct StepInfo {
    /// The agent action that was taken, in PDDL syntax. Empty if no action has the id.
    pub action: String,
    /// The ground operator that carried the action out, in PDDL syntax; `None` if the action was invalid.
    pub operator: Option<String>,
    /// The reason why the action was invalid; `None` if it was valid.
    pub failure: Option<String>,
    /// The parts of the step's reward.
    pub reward: RewardParts,
}

/// The parts of a reward, which is their sum: the field [`StepInfo::reward`]. Both are 0 for an invalid action.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RewardParts {
    /// The reward for entering a goal state; 0 in other steps, also from one goal state to another. It is 1, or what
    /// the problem declares; a problem with a changing fluent `reward` has none unless it declares one.
    pub goal: f64,
    /// The change of the PPDDL fluent `reward` by the step; 0 if the domain has no such fluent.
    pub change: f64,
}

/// Additional methods of an [`Env`] whose problems are PDDL, on the grounded engine. Import this trait to call them.
/// All but `unpack` and `explain_step` fail before the first reset.
pub trait PlanningEnv {
    /// Describes the current state and the last step. Allocates names, so it is not meant for inner loops.
    ///
    /// # Errors
    /// Fails before the first reset.
    fn info(&self) -> Result<Info, EnvError>;

    /// Returns the compiled form of the current problem, which is shared by all environments over the suite, with its
    /// simulator, action ids and atom ids. After a reset to another problem, it is the instance of that problem.
    ///
    /// # Errors
    /// Fails before the first reset.
    fn instance(&self) -> Result<&Arc<CompiledProblem>, EnvError>;

    /// Returns the agent actions that are valid now, in ascending order.
    ///
    /// # Errors
    /// Fails before the first reset.
    fn valid_actions(&self) -> Result<Vec<AgentActionId>, EnvError>;

    /// Draws a valid action uniformly; `None` in a dead end, where no action is valid. Every call draws again. The draw
    /// takes random numbers of the environment; the state does not change.
    ///
    /// # Errors
    /// Fails before the first reset.
    fn sample_action(&mut self) -> Result<Option<AgentActionId>, EnvError>;

    /// Explains why an action is invalid in the current state: for one operator, the first literal or comparison that
    /// fails in each disjunct of its precondition. Of the operators that can carry it out in some state, selects the
    /// one with the fewest unsatisfied precondition literals. For a valid action, [`ActionExplanation::valid`] is set
    /// and no literal fails.
    ///
    /// # Errors
    /// Fails before the first reset, if there is no such action, if no operator can ever carry it out, or if several
    /// valid operators carry it out and the settings make such an action invalid.
    fn explain(&self, action: AgentActionId) -> Result<ActionExplanation, EnvError>;

    /// Describes the step that `action` takes from a state saved by [`Env::save`]: the effects that apply, the values of
    /// conditions, the random draws, and the changes. The draws are those of the saved environment, so the account matches
    /// its next step. This environment does not change.
    ///
    /// # Errors
    /// Fails if the suite has no such problem or state, if the action is invalid there, or if a numeric effect has no
    /// result.
    fn explain_step(&self, saved: &Snapshot<State>, action: AgentActionId) -> Result<StepRecord, EnvError>;

    /// Reads a snapshot from the bytes of [`Snapshot::pack`]. Pass it to [`Env::restore`]. It works before the first
    /// reset, too.
    ///
    /// # Errors
    /// [`EnvError::NotASnapshot`] if the bytes are not a snapshot of an environment over this suite, as far as this can be
    /// detected.
    fn unpack(&self, bytes: &[u8]) -> Result<Snapshot<State>, EnvError>;

    /// Writes the observable atoms of the current state, one byte per atom by id, 1 for true. `part` selects all of them or
    /// only the changeable ones. Extra bytes in `into` are zeroed; if it is too short, the last atoms are left out.
    ///
    /// # Errors
    /// Fails before the first reset.
    fn write_bits(&self, part: ObservedAtoms, into: &mut [u8]) -> Result<(), EnvError>;
}

impl<O: Observer<Suite>> PlanningEnv for Env<Suite, O> {
    fn info(&self) -> Result<Info, EnvError> {
        let index = self.problem().ok_or(EpisodeFault::NotReset)?;
        let status = self.system()?.status();
        let name = |source: &herbrand_pddl::Source| source.name().to_owned();
        let suite = self.problems();
        Ok(Info {
            problem: suite.full_problem_name(index).unwrap_or_default(),
            domain_source: suite.domain().origin.source().map(name),
            problem_source: suite.problem_origin(index).map(name),
            elapsed: self.episode()?.elapsed(),
            goal: status.goal,
            dead_end: status.dead_end,
            step: self.last().map(|last| step_info(self, last)).transpose()?,
        })
    }

    fn instance(&self) -> Result<&Arc<CompiledProblem>, EnvError> {
        Ok(self.system()?.instance())
    }

    fn valid_actions(&self) -> Result<Vec<AgentActionId>, EnvError> {
        Ok(self.system()?.valid_actions())
    }

    fn sample_action(&mut self) -> Result<Option<AgentActionId>, EnvError> {
        let joint = self.sample()?;
        Ok(joint.and_then(|joint| AgentActionId::of(*joint.first()?)))
    }

    fn explain(&self, action: AgentActionId) -> Result<ActionExplanation, EnvError> {
        Ok(self.system()?.explain(action)?)
    }

    fn explain_step(&self, saved: &Snapshot<State>, action: AgentActionId) -> Result<StepRecord, EnvError> {
        let mut planning = self.problems().engine(saved.problem)?;
        planning.set_state(&saved.state)?;
        let mut streams = saved.streams.clone();
        let (_, fired) = planning.step_explained(action, &mut streams.outcomes)?;
        Ok(fired)
    }

    fn unpack(&self, bytes: &[u8]) -> Result<Snapshot<State>, EnvError> {
        Snapshot::unpack(self.problems(), bytes).ok_or(EnvError::NotASnapshot)
    }

    fn write_bits(&self, part: ObservedAtoms, into: &mut [u8]) -> Result<(), EnvError> {
        let system = self.system()?;
        system.instance().atoms().write_bits(system.walker(), part, into);
        Ok(())
    }
}

/// Describes the last step.
fn step_info<O: Observer<Suite>>(env: &Env<Suite, O>, last: &Last) -> Result<StepInfo, EnvError> {
    let system = env.system()?;
    let task = system.space().task();
    let operator = system.last_operator().filter(|_| last.step.applied);
    let action = last.joint.first().and_then(|&choice| AgentActionId::of(choice));
    let action = action.unwrap_or(AgentActionId::new(u32::MAX));
    Ok(StepInfo {
        action: system.space().display(action).to_string(),
        operator: operator.map(|&operator| task.display_action(operator).to_string()),
        // An invalid action has changed nothing, so the explanation still applies.
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
