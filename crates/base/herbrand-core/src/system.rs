//! Transition systems: the interface between a planning language and the episodes, environments and batches of this crate.

use std::error::Error;
use std::fmt::Debug;

use crate::{ActionCount, ActionLayout, Choice, Random};

/// A transition system with a current state, on which an [`Episode`](crate::Episode) runs.
///
/// The trait is independent of the planning language. All random draws come from generators passed by the caller. Each
/// result depends only on the state and the generator, not on the path to the state.
pub trait System {
    /// A state, which can be stored and restored.
    type State: Clone + PartialEq + Debug + Send;
    /// The error if a step fails.
    type Error: Error + Send + 'static;

    /// Loads the start of each memory block that the next step reads, so that it is in the processor's cache by then.
    /// Batches call it before they step a system. The return value is meaningless; it keeps the loads from being optimised
    /// away.
    #[inline]
    fn touch(&self) -> u64 {
        0
    }

    /// Enters an initial state, drawn from `chance` if there are several.
    ///
    /// # Errors
    /// Fails if the draw has no result.
    fn reset(&mut self, chance: &mut Random) -> Result<(), Self::Error>;

    /// Returns the current state.
    fn state(&self) -> &Self::State;

    /// Sets the current state.
    ///
    /// # Errors
    /// Fails if `state` is not a state of this system.
    fn set_state(&mut self, state: &Self::State) -> Result<(), Self::Error>;

    /// Returns the layout of joint actions. It does not depend on the state.
    fn actions(&self) -> &ActionLayout;

    /// Returns the number of choices that [`choices`](Self::choices) lists.
    fn choice_count(&self) -> usize;

    /// Counts the valid joint actions of the current state. May take as long as that many steps.
    fn count_joint_actions(&self) -> ActionCount {
        ActionCount::Finite(self.choice_count() as f64)
    }

    /// Whether every joint action is a single choice. If so, [`count_joint_actions`](Self::count_joint_actions) equals
    /// [`choice_count`](Self::choice_count).
    const SINGLE_CHOICE: bool = true;

    /// Replaces the content of `into` by the choices that are valid in the current state without any other choice, in
    /// ascending order of field and alternative. Choices of integer and real fields are not listed.
    fn choices(&self, into: &mut Vec<Choice>);

    /// Writes the action mask: one byte per alternative of each discrete field ([`ActionLayout::mask_len`]), 1 if the
    /// alternative is valid. Extra bytes in `into` are zeroed; if it is too short, the mask is truncated.
    fn write_mask(&self, into: &mut [u8]);

    /// Returns whether [`step`](Self::step) accepts this joint action in the current state.
    fn is_valid(&self, joint: &[Choice]) -> bool;

    /// Returns whether every joint action that fits the layout is valid in every state. Callers may then skip validity
    /// checks.
    fn is_unrestricted(&self) -> bool {
        false
    }

    /// Draws a valid joint action and replaces the content of `into` by it. Returns `false` if no joint action is valid.
    /// Each system documents its distribution; with a single discrete field it is uniform over the valid alternatives.
    fn sample(&self, random: &mut Random, into: &mut Vec<Choice>) -> bool;

    /// Carries out a joint action, drawing outcomes from `chance`.
    ///
    /// # Errors
    /// Fails if the action is invalid or its effect is undefined. The state does not change then.
    fn step(&mut self, joint: &[Choice], chance: &mut Random) -> Result<Transition, Self::Error>;

    /// Carries out a joint action if it is valid; otherwise returns `None` and changes nothing. Equivalent to
    /// [`is_valid`](Self::is_valid) followed by [`step`](Self::step); a system may have a faster implementation.
    ///
    /// # Errors
    /// Fails if the effect of a valid action is undefined. The state does not change then.
    #[inline]
    fn step_if_valid(
        &mut self,
        joint: &[Choice],
        chance: &mut Random,
    ) -> Result<Option<Transition>, Self::Error> {
        if self.is_valid(joint) {
            self.step(joint, chance).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Returns the status of the current state.
    fn status(&self) -> Status;

    /// Returns the name and value of the first infinite or NaN value of the last step, in order of computation. After a
    /// reset, values of the initial state are considered. `None` if all are finite or the system does not track them, as in
    /// the default implementation.
    fn non_finite(&self) -> Option<(String, f64)> {
        None
    }

    /// Returns the number of action preconditions that the last step violated, if the system takes such steps. 0 after a
    /// reset, and in the default implementation.
    fn violation_count(&self) -> usize {
        0
    }

    /// Offers a row with one number per field, in the format of [`ActionLayout::read_row`], as the joint action of the next
    /// [`step_together`](Self::step_together). Returns `true` if the system stored it and [`step`](Self::step) would carry
    /// it out, so that no choices need to be built. Otherwise returns `false`, which does not imply that the action is
    /// invalid: the system may not support rows.
    fn take_row(&mut self, row: &[f64]) -> bool {
        let _ = row;
        false
    }

    /// The preferred number of systems per call of [`step_together`](Self::step_together); 1 if there is no gain from
    /// stepping several at once.
    const TOGETHER: usize = 1;

    /// Steps several systems at once and stores each result in its job. Bit for bit equivalent to one call of
    /// [`step`](Self::step) per job; systems may share work between jobs of the same problem.
    fn step_together(jobs: &mut [Job<'_, Self>])
    where
        Self: Sized,
    {
        jobs.iter_mut().for_each(Job::step_alone);
    }
}

/// One step in a call of [`System::step_together`]: a system, its action, and room for the result.
#[derive(Debug)]
pub struct Job<'a, S: System> {
    /// The system to step.
    pub system: &'a mut S,
    /// The joint action to carry out.
    pub joint: &'a [Choice],
    /// Whether the joint action is the row that [`System::take_row`] accepted; `joint` is unused then.
    pub by_row: bool,
    /// The generator for the outcomes.
    pub chance: &'a mut Random,
    /// The result of [`System::step`]; `None` until the step is taken. The error is boxed because it is rare and may be
    /// large, and a job should fit into a cache line.
    pub result: Option<Result<Transition, Box<S::Error>>>,
}

impl<'a, S: System> Job<'a, S> {
    /// Creates the job of a step by the choices of `joint`, without a result yet.
    pub const fn new(system: &'a mut S, joint: &'a [Choice], chance: &'a mut Random) -> Self {
        Self {
            system,
            joint,
            by_row: false,
            chance,
            result: None,
        }
    }

    /// Takes the step by a call of [`System::step`] for this job only, and stores the result. It ignores
    /// [`by_row`](Self::by_row).
    pub fn step_alone(&mut self) {
        self.result = Some(self.system.step(self.joint, self.chance).map_err(Box::new));
    }
}

/// The properties of a state that matter to an episode. Several may hold at once; in most states none does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Status {
    /// The goal holds.
    pub goal: bool,
    /// A termination condition of the problem other than the goal holds, such as one of RDDL.
    pub terminal: bool,
    /// There is no valid joint action.
    pub dead_end: bool,
    /// A condition that should hold in every state does not, such as a state invariant of RDDL. The episode is cut off.
    pub broken: bool,
}

/// The result of one step of a system.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Transition {
    /// The reward of the step.
    pub reward: f64,
    /// The status of the new state.
    pub status: Status,
}
