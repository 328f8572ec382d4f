//! The effects of joint actions that violate an action precondition.

use herbrand_text::{did_you_mean, nearest};

herbrand_text::named! {
    /// The effect of a joint action that violates an action precondition or a state-action constraint. Pass it to
    /// [`RddlSimulator::new`](super::RddlSimulator::new) or
    /// [`RddlSuite::with_preconditions`](crate::suite::RddlSuite::with_preconditions).
    ///
    /// ```
    /// use herbrand_rddl_sim::simulate::Preconditions;
    ///
    /// assert_eq!("replaced".parse(), Ok(Preconditions::Replaced));
    /// assert_eq!(Preconditions::default().as_str(), "reported");
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub enum Preconditions {
        /// The step carries it out, and [`RddlSimulator::violated`](super::RddlSimulator::violated) lists what it violated.
        #[default]
        Reported = "reported",
        /// The step fails, and the state does not change.
        Refused = "refused",
        /// The step carries out the joint action in which every fluent has its default value, even if that one violates a
        /// precondition too. [`RddlSimulator::violated`](super::RddlSimulator::violated) lists what the replaced one violated.
        Replaced = "replaced",
        /// The step carries it out, and [`RddlSimulator::violated`](super::RddlSimulator::violated) is empty. Masks and samples
        /// contain it too: they keep only to `max-nondef-actions` and to the bounds of each fluent.
        Ignored = "ignored",
    }
    /// Returns the name in lower case, such as `reported`. `FromStr` parses it and fails for any other text.
    pub fn as_str; parses, or UnknownPreconditions: UnknownPreconditions
}

impl Preconditions {
    /// Returns whether a step depends on whether the preconditions hold.
    pub(super) const fn decide_steps(self) -> bool {
        matches!(self, Self::Refused | Self::Replaced)
    }
}

/// The error of `FromStr` for [`Preconditions`]; contains the unknown name. Its text lists all names.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("preconditions are {}, not `{}`{}", names().join(", "), .0, did_you_mean(nearest(.0, names())))]
pub struct UnknownPreconditions(pub String);

fn names() -> [&'static str; 4] {
    Preconditions::ALL.map(Preconditions::as_str)
}
