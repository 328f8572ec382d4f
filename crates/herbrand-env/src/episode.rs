//! One episode: steps on an engine until something ends it.

use herbrand_step::Random;

use crate::{AgentActionId, Engine};

/// When an episode ends, and what an invalid action does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// After how many steps the episode is cut off; `None` for never.
    pub horizon: Option<u32>,
    /// Whether reaching the goal ends the episode. True unless set.
    pub goal_ends: bool,
    /// What a dead end does: a state without a valid action.
    pub dead_end: DeadEnd,
    /// What an invalid action does.
    pub invalid: InvalidAction,
}

/// What a state without a valid action does to an episode. Either way it is reported ([`Step::dead_end`]), and a step
/// there changes nothing and pays nothing, whatever its action: [`Step::applied`] is false.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DeadEnd {
    /// The step that leads there ends the episode. An episode that starts there ends with its first step.
    #[default]
    Ends,
    /// The episode goes on, until its horizon at most.
    Continues,
}

/// What an action that is not valid in the current state does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InvalidAction {
    /// The step is an error and the episode stays where it is.
    #[default]
    Error,
    /// The step counts, changes nothing and pays nothing: [`Step::applied`] is false.
    Ignore,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            horizon: None,
            goal_ends: true,
            dead_end: DeadEnd::Ends,
            invalid: InvalidAction::Error,
        }
    }
}

/// What one step of an episode brought about.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Step {
    /// The reward.
    pub reward: f64,
    /// Whether the episode ended in the problem's own terms: at the goal, or in a dead end where that ends it.
    pub terminated: bool,
    /// Whether the horizon cut the episode off.
    pub truncated: bool,
    /// Whether the goal holds in the new state.
    pub goal: bool,
    /// Whether no action is valid in the new state.
    pub dead_end: bool,
    /// Whether the action was carried out; false in a dead end, and for an invalid action that
    /// [`InvalidAction::Ignore`] let pass.
    pub applied: bool,
}

impl Step {
    /// Whether the episode is over.
    #[must_use]
    pub const fn ended(&self) -> bool {
        self.terminated || self.truncated
    }
}

/// Why an episode did not step.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EpisodeError<E> {
    /// The episode is over or has not begun.
    #[error("the episode is over: reset before the next step")]
    Ended,
    /// The engine refused the action.
    #[error(transparent)]
    Engine(#[from] E),
}

/// An episode on an engine.
///
/// [`start`](Self::start) begins one and [`step`](Self::step) goes on until a [`Step`] has
/// [`ended`](Step::ended); a step after the end is an error.
#[derive(Clone, Debug)]
pub struct Episode<E> {
    engine: E,
    rules: Rules,
    elapsed: u32,
    running: bool,
    /// Whether no action is valid in the current state.
    dead_end: bool,
}

impl<E: Engine> Episode<E> {
    /// Episodes on `engine`; none is running yet.
    pub fn new(engine: E, rules: Rules) -> Self {
        Self {
            engine,
            rules,
            elapsed: 0,
            running: false,
            dead_end: false,
        }
    }

    /// Begins an episode in an initial state, drawn from `chance` where it is not certain.
    ///
    /// A goal that holds from the start does not end the episode before its first step.
    ///
    /// # Errors
    /// When the engine finds no initial state.
    pub fn start(&mut self, chance: &mut Random) -> Result<(), E::Error> {
        self.engine.reset(chance)?;
        self.arrive(0, true);
        Ok(())
    }

    /// Carries out a joint action; outcomes are drawn from `chance`. In a dead end nothing happens, whatever the action
    /// ([`DeadEnd`]).
    ///
    /// # Errors
    /// [`EpisodeError::Ended`] after the end and before the start, and what the engine refuses; nothing changes then.
    // Out of line, a result is written piece by piece and read as a whole, which makes the processor wait.
    #[inline(always)]
    pub fn step(
        &mut self,
        joint: &[AgentActionId],
        chance: &mut Random,
    ) -> Result<Step, EpisodeError<E::Error>> {
        if !self.running {
            return Err(EpisodeError::Ended);
        }
        let ignores = self.rules.invalid == InvalidAction::Ignore;
        let idle = self.dead_end || (ignores && !self.engine.is_valid(joint));
        let (reward, goal) = if idle {
            (0.0, self.engine.is_goal())
        } else {
            let transition = self.engine.step(joint, chance)?;
            (transition.reward, transition.goal)
        };
        self.elapsed += 1;
        let dead_end = self.engine.valid_count() == 0;
        self.dead_end = dead_end;
        let reached = goal && !idle && self.rules.goal_ends;
        let terminated = reached || (dead_end && self.rules.dead_end == DeadEnd::Ends);
        let truncated = !terminated && self.rules.horizon.is_some_and(|horizon| self.elapsed >= horizon);
        self.running = !(terminated || truncated);
        Ok(Step {
            reward,
            terminated,
            truncated,
            goal,
            dead_end,
            applied: !idle,
        })
    }

    /// The engine and its current state.
    pub const fn engine(&self) -> &E {
        &self.engine
    }

    /// Goes to `state`; the steps taken so far still count, and an episode that was over goes on.
    ///
    /// # Errors
    /// When it is not a state of the engine; nothing changes then.
    pub fn set_state(&mut self, state: &E::State) -> Result<(), E::Error> {
        self.engine.set_state(state)?;
        self.arrive(self.elapsed, true);
        Ok(())
    }

    /// Goes to `state` as if `elapsed` steps had led there.
    pub(crate) fn resume(&mut self, state: &E::State, elapsed: u32, running: bool) -> Result<(), E::Error> {
        self.engine.set_state(state)?;
        self.arrive(elapsed, running);
        Ok(())
    }

    /// Notes that the engine's state was set, not stepped to.
    fn arrive(&mut self, elapsed: u32, running: bool) {
        self.elapsed = elapsed;
        self.running = running;
        self.dead_end = self.engine.valid_count() == 0;
    }

    /// Whether no action is valid in the current state.
    pub const fn is_dead_end(&self) -> bool {
        self.dead_end
    }

    /// The engine alone.
    pub fn into_engine(self) -> E {
        self.engine
    }

    /// The number of steps taken.
    pub const fn elapsed(&self) -> u32 {
        self.elapsed
    }

    /// Whether a step may be taken.
    pub const fn is_running(&self) -> bool {
        self.running
    }

    /// When the episode ends.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }
}
