//! One episode: steps on a system until the goal, a terminal state, a dead end or the horizon ends it.

use crate::action::Choice;
use crate::batch_system::BatchSystem;
use crate::error::EpisodeFault;
use crate::random::Random;
use crate::system::{Status, System, Transition};

/// The rules of an [`Episode`]: when it ends, and the treatment of invalid actions. A terminal state and a broken
/// state invariant end it under all rules. Pass them to [`Episode::new`]. The default has no horizon, ends at goals
/// and dead ends, and makes invalid actions errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EpisodeRules {
    /// The number of steps after which the episode is truncated; `None` for no limit. 0 acts like 1: the first step is
    /// still taken.
    pub horizon: Option<u32>,
    /// Whether reaching the goal ends the episode; `true` by default.
    pub goal_ends: bool,
    /// Whether a state without a valid action ends the episode.
    pub dead_end: DeadEnd,
    /// How to treat an invalid action.
    pub invalid: InvalidAction,
}

/// Whether a dead end, a state without a valid action, ends the episode.
///
/// Both variants report dead ends in [`Step::dead_end`]. A step taken in a dead end changes nothing and has reward 0,
/// whatever its action; its [`Step::applied`] is false.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DeadEnd {
    /// The default: the step that reaches the dead end terminates the episode. If the initial state is a dead end, the
    /// first step does, which changes nothing.
    #[default]
    Ends,
    /// The episode continues until its horizon.
    Continues,
}

/// How an episode treats an action that is invalid in the current state. If the action is valid but its effect is
/// undefined, the step fails in both cases. [`EnvOptions::invalid`](crate::EnvOptions::invalid) and
/// [`EpisodeRules::invalid`] set it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InvalidAction {
    /// The default: the step fails and the episode is unchanged. A step in a dead end does not fail; it changes nothing
    /// ([`DeadEnd`]).
    #[default]
    Error,
    /// The step counts but changes nothing and has reward 0; [`Step::applied`] is false.
    Ignore,
}

impl Default for EpisodeRules {
    fn default() -> Self {
        Self {
            horizon: None,
            goal_ends: true,
            dead_end: DeadEnd::Ends,
            invalid: InvalidAction::Error,
        }
    }
}

/// The result of one step of an episode, returned by [`Episode::step`] and [`Env::step`](crate::Env::step). At most
/// one of [`terminated`](Self::terminated) and [`truncated`](Self::truncated) is set. The reward may be infinite or
/// NaN.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Step {
    /// The reward.
    pub reward: f64,
    /// Whether the episode ended by the problem's own rules: in a goal state, in a terminal state, or in a dead end if
    /// [`DeadEnd::Ends`] is set.
    pub terminated: bool,
    /// Whether the episode was cut off by its horizon or by a violated state invariant.
    pub truncated: bool,
    /// Whether the goal holds in the new state.
    pub goal: bool,
    /// Whether the new state has no valid action.
    pub dead_end: bool,
    /// Whether the action was carried out. False in a dead end, in a state that ends the episode from its start, and for
    /// an invalid action under [`InvalidAction::Ignore`].
    pub applied: bool,
}

impl Step {
    /// Returns whether the step ended the episode, by termination or truncation. Then start a new episode before the
    /// next step.
    #[must_use]
    pub const fn ended(&self) -> bool {
        self.terminated || self.truncated
    }
}

/// Why an episode ended. [`Episode::end`] returns it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EpisodeEnd {
    /// The goal was reached, and [`EpisodeRules::goal_ends`] is set.
    Goal,
    /// A termination condition of the problem other than the goal holds.
    Terminal,
    /// No action is valid, and [`EpisodeRules::dead_end`] is [`DeadEnd::Ends`].
    DeadEnd,
    /// A state invariant does not hold: the episode was cut off, because the model has no meaning in such a state.
    Invariant,
    /// The maximum number of steps was reached.
    Horizon,
}

/// A runner of episodes on one system, with [`EpisodeRules`] that end them. To draw problems from a set and to write
/// observations, use an [`Env`](crate::Env).
///
/// [`start`](Self::start) begins an episode. [`step`](Self::step) advances it until a [`Step`] has [`ended`](Step::ended);
/// further steps fail.
///
/// ```
/// use herbrand_core::balloon::{Balloon, BalloonError};
/// use herbrand_core::{Choice, Episode, EpisodeRules, FieldValue, Random};
///
/// let mut chance = Random::new(1);
/// let mut episode = Episode::new(Balloon::new(0), EpisodeRules::default());
/// episode.start(&mut chance)?;
/// let idle = Choice { field: 0, value: FieldValue::Int(0) };
/// // Without gas a balloon comes down.
/// while !episode.step::<BalloonError>(&[idle], &mut chance)?.ended() {}
/// assert!(episode.status().terminal);
/// # Ok::<(), BalloonError>(())
/// ```
#[derive(Clone, Debug)]
// In declaration order, the fields that every step reads are adjacent; the last fields of a system may be rarely used.
#[repr(C)]
pub struct Episode<S> {
    rules: EpisodeRules,
    elapsed: u32,
    running: bool,
    /// The status of the current state.
    status: Status,
    system: S,
}

impl<S: System> Episode<S> {
    /// Creates an episode runner on `system` with these rules. No episode is running until [`start`](Self::start).
    pub const fn new(system: S, rules: EpisodeRules) -> Self {
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

    /// Starts an episode in an initial state, drawn from `chance` if there are several. A running episode is abandoned,
    /// and the number of steps is 0 again.
    ///
    /// If the initial state already ends the episode, as a goal does, the first step changes nothing, has reward 0 and
    /// is the last.
    ///
    /// # Errors
    /// Fails if the system cannot draw an initial state ([`System::reset`]). Start again before the next step then.
    pub fn start(&mut self, chance: &mut Random) -> Result<(), S::Error> {
        self.system.reset(chance)?;
        self.arrive(0, true);
        Ok(())
    }

    /// Carries out a joint action, drawing outcomes from `chance`. A step in a dead end, or in a state that ended the
    /// episode before its first step, changes nothing, whatever the action.
    ///
    /// # Errors
    /// [`EpisodeFault::Ended`] if no episode is running, or the error of the system. Nothing changes then.
    // Inlined: out of line, the result would be written in parts and read as a whole, which stalls store forwarding.
    #[inline(always)]
    pub fn step<E>(&mut self, joint: &[Choice], chance: &mut Random) -> Result<Step, E>
    where
        S: BatchSystem,
        E: From<EpisodeFault> + From<S::Error>,
    {
        if !self.running {
            return Err(EpisodeFault::Ended.into());
        }
        let outcome = match self.rules.invalid {
            _ if self.rests() => None,
            InvalidAction::Error => Some(self.system.step(joint, chance)?),
            InvalidAction::Ignore => self.system.step_if_valid(joint, chance)?,
        };
        Ok(self.conclude(outcome))
    }

    /// Returns whether a step by this joint action reaches the system. If not, the step changes nothing.
    ///
    /// # Errors
    /// [`EpisodeFault::Ended`] if no episode is running.
    #[inline(always)]
    pub(crate) fn admits(&self, joint: &[Choice]) -> Result<bool, EpisodeFault> {
        if !self.running {
            return Err(EpisodeFault::Ended);
        }
        let ignores = self.rules.invalid == InvalidAction::Ignore;
        Ok(!(self.rests() || (ignores && !self.system.is_valid(joint))))
    }

    /// Offers a row as the next joint action; returns whether the system accepted it.
    ///
    /// # Errors
    /// [`EpisodeFault::Ended`] if no episode is running.
    #[inline(always)]
    pub(crate) fn accept_row(&mut self, row: &[f64]) -> Result<bool, EpisodeFault>
    where
        S: BatchSystem,
    {
        if !self.running {
            return Err(EpisodeFault::Ended);
        }
        Ok(!self.rests() && self.system.accept_row(row))
    }

    /// Counts a step and returns its result; `outcome` is `None` if the step did not reach the system.
    #[inline(always)]
    pub(crate) fn conclude(&mut self, outcome: Option<Transition>) -> Step {
        let ignored = outcome.is_none();
        let (reward, status) = match outcome {
            None => (0.0, self.status),
            Some(transition) => (transition.reward, transition.status),
        };
        self.elapsed += 1;
        self.status = status;
        let end = self.end_of_state();
        let terminated = !matches!(end, None | Some(EpisodeEnd::Invariant));
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

    /// Returns the system, at its current state. Before the first [`start`](Self::start) it is in the state in which it
    /// was given to [`new`](Self::new).
    pub const fn system(&self) -> &S {
        &self.system
    }

    /// Returns the system for changes from outside the episode, such as undo or a new state. The episode does not notice
    /// such changes: [`status`](Self::status) stays that of the old state until the next step.
    /// [`set_state`](Self::set_state) recomputes it.
    pub const fn system_mut(&mut self) -> &mut S {
        &mut self.system
    }

    /// Sets the current state. The number of steps taken is kept, and an episode that was over continues. Without a
    /// previous start, an episode begins in this state with 0 steps taken.
    ///
    /// # Errors
    /// Fails if `state` is not a state of the system; nothing changes then.
    pub fn set_state(&mut self, state: &S::State) -> Result<(), S::Error> {
        self.system.set_state(state)?;
        self.arrive(self.elapsed, true);
        Ok(())
    }

    /// Sets the current state and the number of steps taken.
    pub(crate) fn resume(&mut self, state: &S::State, elapsed: u32, running: bool) -> Result<(), S::Error> {
        self.system.set_state(state)?;
        self.arrive(elapsed, running);
        Ok(())
    }

    /// Initialises the bookkeeping for a state that was set rather than reached by a step.
    fn arrive(&mut self, elapsed: u32, running: bool) {
        self.elapsed = elapsed;
        self.running = running;
        self.status = self.system.status();
    }

    /// Returns the system, at its current state, and drops the episode.
    pub fn into_system(self) -> S {
        self.system
    }

    /// Returns the status of the current state, as computed when the episode entered it. Before the first
    /// [`start`](Self::start) or [`set_state`](Self::set_state), all its fields are `false`.
    pub const fn status(&self) -> Status {
        self.status
    }

    /// Returns why `step`, which must be the result of the last [`step`](Self::step), ended the episode; `None` if it did
    /// not. If several reasons hold, the first in the order of [`EpisodeEnd`] counts.
    pub const fn end(&self, step: &Step) -> Option<EpisodeEnd> {
        match self.end_of_state() {
            _ if !step.ended() => None,
            None => Some(EpisodeEnd::Horizon),
            end => end,
        }
    }

    /// Returns why the current state ends the episode, however many steps were taken; `None` if it does not.
    pub(crate) const fn end_of_state(&self) -> Option<EpisodeEnd> {
        let Status {
            goal,
            terminal,
            dead_end,
            broken,
        } = self.status;
        if goal && self.rules.goal_ends {
            Some(EpisodeEnd::Goal)
        } else if terminal {
            Some(EpisodeEnd::Terminal)
        } else if dead_end && matches!(self.rules.dead_end, DeadEnd::Ends) {
            Some(EpisodeEnd::DeadEnd)
        } else if broken {
            Some(EpisodeEnd::Invariant)
        } else {
            None
        }
    }

    /// Returns whether a step changes nothing in the current state, whatever its action. In a running episode, the state
    /// is then a dead end, or ended the episode before its first step.
    const fn rests(&self) -> bool {
        self.status.dead_end || self.end_of_state().is_some()
    }

    /// Returns the number of steps taken since the start of the episode. Ignored steps count. It is 0 before the first
    /// start, and remains after the end of an episode.
    pub const fn elapsed(&self) -> u32 {
        self.elapsed
    }

    /// Returns whether an episode is running, so that a step may be taken. It is false before the first
    /// [`start`](Self::start) and after the step that ended the episode. A [`set_state`](Self::set_state) makes it
    /// true, also without a start or after the end.
    pub const fn is_running(&self) -> bool {
        self.running
    }

    /// Returns whether no step can change the state any more: the episode has ended or not begun, or its initial state
    /// ends it.
    pub const fn is_over(&self) -> bool {
        !self.running || self.end_of_state().is_some()
    }

    /// Returns the rules of the episode.
    pub const fn rules(&self) -> &EpisodeRules {
        &self.rules
    }
}
