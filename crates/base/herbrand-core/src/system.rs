//! Transition systems: the interface between a planning language and the episodes, environments and batches of this crate.

use std::error::Error;
use std::fmt::Debug;

use crate::action::{ActionCount, ActionLayout, Choice};
use crate::random::Random;

/// A transition system with a current state, on which an [`Episode`](crate::Episode) runs.
///
/// The trait is independent of the planning language. All random draws come from generators passed by the caller. Each
/// result depends only on the state and the generator, not on the path to the state.
///
/// A language implements this trait first. [`BatchSystem`](crate::BatchSystem) has the optional fast paths, and
/// [`Balloon`](crate::balloon::Balloon) is a complete example.
pub trait System {
    /// A state, which can be stored and restored.
    type State: Clone + PartialEq + Debug + Send + 'static;
    /// The error if a step fails.
    type Error: Error + Send + Sync + 'static;

    /// Enters an initial state, drawn from `chance` if there are several.
    ///
    /// # Errors
    /// Fails if a draw of the initial state has no result, such as one from a distribution with invalid parameters.
    /// Reset again before the next step then.
    fn reset(&mut self, chance: &mut Random) -> Result<(), Self::Error>;

    /// Returns the current state.
    fn state(&self) -> &Self::State;

    /// Sets the current state.
    ///
    /// # Errors
    /// Fails if the system notices that `state` is not one of its states, such as by its size, or if what follows from
    /// the state exceeds a limit. The current state does not change then.
    fn set_state(&mut self, state: &Self::State) -> Result<(), Self::Error>;

    /// Returns the layout of joint actions. It does not depend on the state.
    fn actions(&self) -> &ActionLayout;

    /// Returns the number of choices that [`choices`](Self::choices) lists. It counts alternatives of discrete fields
    /// only, so it is not the number of joint actions.
    fn choice_count(&self) -> usize;

    /// Counts the valid joint actions of the current state. If joint actions consist of several choices, each joint
    /// action may have to be tested, which takes about as long as a step each. The default returns
    /// [`choice_count`](Self::choice_count), which is wrong for systems with joint actions of several choices or with
    /// numeric fields.
    fn count_joint_actions(&self) -> ActionCount {
        ActionCount::Finite(self.choice_count() as f64)
    }

    /// Whether every joint action is a single choice; `true` by default. If so,
    /// [`count_joint_actions`](Self::count_joint_actions) equals [`choice_count`](Self::choice_count). Set it to
    /// `false` for a layout with several fields.
    const SINGLE_CHOICE: bool = true;

    /// Replaces the content of `into` by the choices that are valid in the current state without any other choice, in
    /// ascending order of field and alternative. Choices of integer and real fields are not listed. Empty in a dead
    /// end, if no field is discrete, and where only several choices together are valid.
    fn choices(&self, into: &mut Vec<Choice>);

    /// Writes the action mask: one byte per alternative of each discrete field ([`ActionLayout::mask_len`]), 1 if some
    /// valid joint action contains the alternative. A system that cannot tell marks those that are valid without any
    /// other choice. Extra bytes in `into` are zeroed; if it is too short, the mask is truncated.
    fn write_mask(&self, into: &mut [u8]);

    /// Returns whether [`step`](Self::step) accepts this joint action in the current state. Lists that the layout does
    /// not allow ([`ActionLayout::check`]) are not valid.
    fn is_valid(&self, joint: &[Choice]) -> bool;

    /// Draws a valid joint action and replaces the content of `into` by it. Returns `false` if it finds none. Each
    /// system documents its distribution; with a single discrete field it is uniform over the valid alternatives. The
    /// state does not change. If the result is `false`, the content of `into` does not matter.
    fn sample(&self, random: &mut Random, into: &mut Vec<Choice>) -> bool;

    /// Carries out a joint action, drawing outcomes from `chance`.
    ///
    /// # Errors
    /// Fails if the action is invalid or its effect is undefined. The state does not change then. Check with
    /// [`is_valid`](Self::is_valid) before if the action may be invalid.
    fn step(&mut self, joint: &[Choice], chance: &mut Random) -> Result<Transition, Self::Error>;

    /// Returns the status of the current state.
    fn status(&self) -> Status;

    /// Returns the name and value of the first infinite or NaN value of the last step, in order of computation. After a
    /// reset, values of the initial state are considered. `None` if all are finite or the system does not track them, as in
    /// the default implementation.
    fn non_finite(&self) -> Option<(String, f64)> {
        None
    }

    /// Returns the number of rules about actions that a step may violate and still be taken, such as the action
    /// preconditions of RDDL; 0 by default.
    fn rule_count(&self) -> usize {
        0
    }

    /// Calls `visit` with the index of each rule that the last step violated, below [`rule_count`](Self::rule_count), in
    /// ascending order. There are none after a reset, and in the default implementation.
    fn each_violated(&self, _visit: &mut dyn FnMut(usize)) {}

    /// Returns whether the last step violated a rule ([`each_violated`](Self::each_violated)).
    fn has_violated(&self) -> bool {
        let mut any = false;
        self.each_violated(&mut |_| any = true);
        any
    }
}

/// The properties of a state that matter to an episode. Several may hold at once; in most states none does.
/// [`System::status`], [`Transition`] and [`Reset`](crate::Reset) tell it. A goal state without a valid action is a
/// dead end too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Status {
    /// The goal holds.
    pub goal: bool,
    /// A termination condition of the problem other than the goal holds, such as one of RDDL.
    pub terminal: bool,
    /// There is no valid joint action, and the system found that out. PDDL always does, RDDL never: there, the flag is
    /// `false` in every state.
    pub dead_end: bool,
    /// A condition that should hold in every state does not, such as a state invariant of RDDL. The episode is cut off.
    pub broken: bool,
}

impl Status {
    /// Returns whether no episode continues from the state, whatever its rules: a termination condition holds, or a
    /// condition that should hold in every state does not. An initial state can be final too; then the episode has no
    /// step, and its return is 0.
    #[must_use]
    pub const fn is_final(self) -> bool {
        self.terminal || self.broken
    }
}

/// The result of one step of a system: its reward, which may be infinite or NaN, and the status of the new state.
/// [`System::step`] returns it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Transition {
    /// The reward of the step.
    pub reward: f64,
    /// The status of the new state.
    pub status: Status,
}
