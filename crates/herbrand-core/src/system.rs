//! What steps: transition systems.

use std::error::Error;
use std::fmt::Debug;

use crate::{ActionCount, ActionLayout, Choice, Random};

/// A transition system at a current state: what an [`Episode`](crate::Episode) runs on.
///
/// Nothing here knows of a planning language. All draws come from the generators that are handed in, and are a function
/// of the state and the generator alone: how the system came to its state makes no difference.
pub trait System {
    /// A state that can be kept and returned to.
    type State: Clone + PartialEq + Debug + Send;
    /// What can go wrong in a step.
    type Error: Error + Send + 'static;

    /// Reads the beginning of each piece of memory that the next step reads, so that the processor has it at hand by
    /// then. What comes back means nothing.
    #[inline]
    fn touch(&self) -> u64 {
        0
    }

    /// Goes to an initial state, drawn from `chance` if there are several.
    ///
    /// # Errors
    /// When the draw has no result.
    fn reset(&mut self, chance: &mut Random) -> Result<(), Self::Error>;

    /// The current state.
    fn state(&self) -> &Self::State;

    /// Goes to `state`.
    ///
    /// # Errors
    /// When it is not a state of this system.
    fn set_state(&mut self, state: &Self::State) -> Result<(), Self::Error>;

    /// What a joint action consists of. It does not depend on the state.
    fn actions(&self) -> &ActionLayout;

    /// How many choices [`choices`](Self::choices) has.
    fn choice_count(&self) -> usize;

    /// The number of joint actions that are valid in the current state. It may take as long as many steps.
    fn count_joint_actions(&self) -> ActionCount {
        ActionCount::Finite(self.choice_count() as f64)
    }

    /// Whether a joint action is a single choice, so that [`count_joint_actions`](Self::count_joint_actions) is
    /// [`choice_count`](Self::choice_count).
    const SINGLE_CHOICE: bool = true;

    /// Writes the choices that are valid in the current state, each by itself, into `into`, in place of what it held:
    /// ascending by field and alternative. Choices of integer and real fields are not listed.
    fn choices(&self, into: &mut Vec<Choice>);

    /// Writes the action mask: one byte per alternative of each discrete field
    /// ([`ActionLayout::mask_len`]), 1 for a valid one. Extra bytes in `into` are zeroed; if it is too short, the mask
    /// is truncated.
    fn write_mask(&self, into: &mut [u8]);

    /// Whether [`step`](Self::step) accepts this joint action now.
    fn is_valid(&self, joint: &[Choice]) -> bool;

    /// Whether every joint action that fits the layout is valid in every state, so that nobody needs to ask for each.
    fn is_unrestricted(&self) -> bool {
        false
    }

    /// Draws a valid joint action and writes it into `into`, in place of what it held; false if there is none. Every
    /// system states its distribution; with a single discrete field it is uniform over the valid alternatives.
    fn sample(&self, random: &mut Random, into: &mut Vec<Choice>) -> bool;

    /// Carries out a joint action; outcomes are drawn from `chance`.
    ///
    /// # Errors
    /// When the action is not valid or its effect has no meaning. The state does not change then.
    fn step(&mut self, joint: &[Choice], chance: &mut Random) -> Result<Transition, Self::Error>;

    /// Carries out a joint action if it is valid; `None`, and nothing changes, if it is not. It does what
    /// [`is_valid`](Self::is_valid) and then [`step`](Self::step) do; a system may have a shorter way.
    ///
    /// # Errors
    /// When the effect of a valid action has no meaning. The state does not change then.
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

    /// What the current state is to an episode.
    fn status(&self) -> Status;

    /// The first value of the last step that is infinite or NaN, in the order in which they are computed: its name, and the
    /// value. After a reset it is a value of the initial state. `None` if all are finite or the system does not know.
    fn non_finite(&self) -> Option<(String, f64)> {
        None
    }

    /// Takes in the joint action of the next [`step_together`](Self::step_together) as a row with one number per field, as
    /// [`ActionLayout::read_row`] reads it: true if [`step`](Self::step) would carry it out, so that no choices need to be made of it.
    /// False says nothing: there may be something wrong with it, or the system has no use for rows.
    fn take_row(&mut self, row: &[f64]) -> bool {
        let _ = row;
        false
    }

    /// How many systems [`step_together`](Self::step_together) likes to have; 1 if it gains nothing from several.
    const TOGETHER: usize = 1;

    /// Takes a step in each of several systems, and puts what comes of it into each job. It does what as many calls of
    /// [`step`](Self::step) do, to the bit; systems of one problem may have a faster way, for many of them at once.
    fn step_together(jobs: &mut [Job<'_, Self>])
    where
        Self: Sized,
    {
        jobs.iter_mut().for_each(Job::step_alone);
    }
}

/// One of several steps that are taken together.
#[derive(Debug)]
pub struct Job<'a, S: System> {
    /// What steps.
    pub system: &'a mut S,
    /// The joint action.
    pub joint: &'a [Choice],
    /// Whether the joint action is the row that [`System::take_row`] took; there are no choices then.
    pub by_row: bool,
    /// The generator of the system's outcomes.
    pub chance: &'a mut Random,
    /// What [`System::step`] would have returned; `None` until the step is taken. Errors are rare and may be large: in a box, they
    /// leave a job to fit in a line of a processor's cache.
    pub result: Option<Result<Transition, Box<S::Error>>>,
}

impl<'a, S: System> Job<'a, S> {
    /// A step to be taken.
    pub const fn new(system: &'a mut S, joint: &'a [Choice], chance: &'a mut Random) -> Self {
        Self {
            system,
            joint,
            by_row: false,
            chance,
            result: None,
        }
    }

    /// Takes the step by itself.
    pub fn step_alone(&mut self) {
        self.result = Some(self.system.step(self.joint, self.chance).map_err(Box::new));
    }
}

/// What a state is to an episode. A state may be several of these at once; an ordinary one is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Status {
    /// The goal holds.
    pub goal: bool,
    /// The system ends here by its own rules, apart from a goal: a termination condition of RDDL holds.
    pub terminal: bool,
    /// There is no valid joint action.
    pub dead_end: bool,
    /// A condition that should hold in every state does not (a state invariant of RDDL): the episode is cut off.
    pub broken: bool,
}

/// The result of one step.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Transition {
    /// The reward.
    pub reward: f64,
    /// What the new state is to an episode.
    pub status: Status,
}
