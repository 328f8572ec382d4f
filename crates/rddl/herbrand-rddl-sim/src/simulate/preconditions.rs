//! The effects of joint actions that violate an action precondition.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use herbrand_text::{did_you_mean, nearest};

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
    Reported,
    /// The step fails, and the state does not change.
    Refused,
    /// The step carries out the joint action in which every fluent has its default value, even if that one violates a
    /// precondition too. [`RddlSimulator::violated`](super::RddlSimulator::violated) lists what the replaced one violated.
    Replaced,
    /// The step carries it out, and [`RddlSimulator::violated`](super::RddlSimulator::violated) is empty. Masks and samples
    /// contain it too: they keep only to `max-nondef-actions` and to the bounds of each fluent.
    Ignored,
}

impl Preconditions {
    /// All values, the default first.
    pub const ALL: [Self; 4] = [Self::Reported, Self::Refused, Self::Replaced, Self::Ignored];

    /// Returns the name in lower case, such as `reported`. `FromStr` parses it and fails for any other text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reported => "reported",
            Self::Refused => "refused",
            Self::Replaced => "replaced",
            Self::Ignored => "ignored",
        }
    }

    /// Returns whether a step depends on whether the preconditions hold.
    pub(super) const fn decide_steps(self) -> bool {
        matches!(self, Self::Refused | Self::Replaced)
    }
}

impl Display for Preconditions {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error of `FromStr` for [`Preconditions`]; contains the unknown name. Its text lists all names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPreconditions(pub String);

impl Display for UnknownPreconditions {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names = Preconditions::ALL.map(Preconditions::as_str);
        let guess = did_you_mean(nearest(&self.0, names));
        write!(
            f,
            "preconditions are {}, not `{}`{guess}",
            names.join(", "),
            self.0
        )
    }
}

impl Error for UnknownPreconditions {}

impl FromStr for Preconditions {
    type Err = UnknownPreconditions;

    fn from_str(name: &str) -> Result<Self, UnknownPreconditions> {
        let found = Self::ALL.into_iter().find(|one| one.as_str() == name);
        found.ok_or_else(|| UnknownPreconditions(name.to_owned()))
    }
}
