//! One episode: steps on a system until something ends it.

use crate::{Choice, EpisodeFault, Random, Status, System, Transition};

/// When an episode ends, and what an invalid action does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// After how many steps the episode is cut off; `None` for never.
    pub horizon: Option<u32>,
    /// Whether reaching the goal ends the episode. True unless set.
    pub goal_ends: bool,
    /// What a state without a valid action does.
    pub dead_end: DeadEnd,
    /// What an invalid action does.
    pub invalid: InvalidAction,
}

/// What a state without a valid action does to an episode. Either way it is reported ([`Step::dead_end`]), and a step
/// there changes nothing and its reward is 0, whatever its action: [`Step::applied`] is false.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DeadEnd {
    /// The step that leads there ends the episode. An episode that starts there ends with its first step.
    #[default]
    Ends,
    /// The episode continues, until its horizon at most.
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

/// The result of one step of an episode.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Step {
    /// The reward.
    pub reward: f64,
    /// Whether the episode ended in the problem's own terms: at the goal, in a terminal state, or at a dead end where that
    /// ends it.
    pub terminated: bool,
    /// Whether the episode was cut off: by the horizon, or in a state in which a condition that should always hold does
    /// not.
    pub truncated: bool,
    /// Whether the goal holds in the new state.
    pub goal: bool,
    /// Whether no action is valid in the new state.
    pub dead_end: bool,
    /// Whether the action was carried out; false in a dead end, and for an invalid one under [`InvalidAction::Ignore`].
    pub applied: bool,
}

impl Step {
    /// Whether the episode is over.
    #[must_use]
    pub const fn ended(&self) -> bool {
        self.terminated || self.truncated
    }
}

/// An episode on a system.
///
/// [`start`](Self::start) begins one and [`step`](Self::step) goes on until a [`Step`] has
/// [`ended`](Step::ended); a step after the end is an error.
///
/// ```
/// use herbrand_core::balloon::{Balloon, BalloonError};
/// use herbrand_core::{Choice, Episode, Random, Rules, Value};
///
/// let mut chance = Random::new(1);
/// let mut episode = Episode::new(Balloon::new(0), Rules::default());
/// episode.start(&mut chance)?;
/// let idle = Choice { field: 0, value: Value::Int(0) };
/// // Without gas a balloon comes down.
/// while !episode.step::<BalloonError>(&[idle], &mut chance)?.ended() {}
/// assert!(episode.status().terminal);
/// # Ok::<(), BalloonError>(())
/// ```
#[derive(Clone, Debug)]
// What every step reads is kept together: the last fields of a system may be seldom used.
#[repr(C)]
pub struct Episode<S> {
    rules: Rules,
    elapsed: u32,
    running: bool,
    /// What the current state is.
    status: Status,
    system: S,
}

impl<S: System> Episode<S> {
    /// Episodes on `system`; none is running yet.
    pub const fn new(system: S, rules: Rules) -> Self {
        Self {
            system,
            rules,
            elapsed: 0,
            running: false,
            status: Status {
                goal: false,
                terminal: false,
                dead_end: false,
                broken: false,
            },
        }
    }

    /// Begins an episode in an initial state, drawn from `chance` if there are several.
    ///
    /// A goal that holds initially does not end the episode before its first step.
    ///
    /// # Errors
    /// When the system finds no initial state.
    pub fn start(&mut self, chance: &mut Random) -> Result<(), S::Error> {
        self.system.reset(chance)?;
        self.arrive(0, true);
        Ok(())
    }

    /// Carries out a joint action; outcomes are drawn from `chance`. In a dead end nothing happens, whatever the action
    /// ([`DeadEnd`]).
    ///
    /// # Errors
    /// [`EpisodeFault::Ended`] after the end and before the start, and what the system refuses; nothing changes then.
    // Out of line, a result is written piece by piece and read as a whole, which makes the processor wait.
    #[inline(always)]
    pub fn step<E>(&mut self, joint: &[Choice], chance: &mut Random) -> Result<Step, E>
    where
        E: From<EpisodeFault> + From<S::Error>,
    {
        if !self.running {
            return Err(EpisodeFault::Ended.into());
        }
        let outcome = match self.rules.invalid {
            _ if self.status.dead_end => None,
            InvalidAction::Error => Some(self.system.step(joint, chance)?),
            InvalidAction::Ignore => self.system.step_if_valid(joint, chance)?,
        };
        Ok(self.conclude(outcome))
    }

    /// Whether a step by this joint action reaches the system; if not, it changes nothing.
    ///
    /// # Errors
    /// [`EpisodeFault::Ended`] after the end and before the start.
    #[inline(always)]
    pub(crate) fn admits(&self, joint: &[Choice]) -> Result<bool, EpisodeFault> {
        if !self.running {
            return Err(EpisodeFault::Ended);
        }
        let ignores = self.rules.invalid == InvalidAction::Ignore;
        Ok(!(self.status.dead_end || (ignores && !self.system.is_valid(joint))))
    }

    /// Whether the system has taken in a row as its next joint action.
    ///
    /// # Errors
    /// As for [`admits`](Self::admits).
    #[inline(always)]
    pub(crate) fn takes_row(&mut self, row: &[f64]) -> Result<bool, EpisodeFault> {
        if !self.running {
            return Err(EpisodeFault::Ended);
        }
        Ok(!self.status.dead_end && self.system.take_row(row))
    }

    /// Counts a step that the system has taken, or one that did not reach it.
    #[inline(always)]
    pub(crate) fn conclude(&mut self, outcome: Option<Transition>) -> Step {
        let ignored = outcome.is_none();
        let (reward, status) = match outcome {
            None => (0.0, self.status),
            Some(transition) => (transition.reward, transition.status),
        };
        self.elapsed += 1;
        self.status = status;
        let terminated = self.rules.terminate(status, ignored);
        let horizon = self.rules.horizon.is_some_and(|horizon| self.elapsed >= horizon);
        let truncated = !terminated && (horizon || status.broken);
        self.running = !(terminated || truncated);
        Step {
            reward,
            terminated,
            truncated,
            goal: status.goal,
            dead_end: status.dead_end,
            applied: !ignored,
        }
    }

    /// The system and its current state.
    pub const fn system(&self) -> &S {
        &self.system
    }

    /// The system, to be changed from outside the episode: undo, another state.
    pub const fn system_mut(&mut self) -> &mut S {
        &mut self.system
    }

    /// Goes to `state`. The steps taken so far still count, and an episode that was over continues.
    ///
    /// # Errors
    /// When it is not a state of the system; nothing changes then.
    pub fn set_state(&mut self, state: &S::State) -> Result<(), S::Error> {
        self.system.set_state(state)?;
        self.arrive(self.elapsed, true);
        Ok(())
    }

    /// Goes to `state` as if `elapsed` steps had led there.
    pub(crate) fn resume(&mut self, state: &S::State, elapsed: u32, running: bool) -> Result<(), S::Error> {
        self.system.set_state(state)?;
        self.arrive(elapsed, running);
        Ok(())
    }

    /// Takes in a state that no step led to.
    fn arrive(&mut self, elapsed: u32, running: bool) {
        self.elapsed = elapsed;
        self.running = running;
        self.status = self.system.status();
    }

    /// The system alone.
    pub fn into_system(self) -> S {
        self.system
    }

    /// What the current state is, as the system said when the episode came to it.
    pub const fn status(&self) -> Status {
        self.status
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

impl Rules {
    /// Whether a state ends the episode in the problem's own terms. An action that was ignored does not reach a goal.
    const fn terminate(&self, status: Status, ignored: bool) -> bool {
        let reached = status.goal && self.goal_ends && !ignored;
        reached
            || (status.terminal && !ignored)
            || (status.dead_end && matches!(self.dead_end, DeadEnd::Ends))
    }
}
