//! Errors of worlds and targets.

use std::convert::Infallible;
use std::fmt;

use herbrand_core::{EpisodeFault, UnknownProblem};
use herbrand_edit::EditFaults;
use herbrand_pddl::{Faults, Origin, Place};

/// An error of a world (the environment), a target (the hidden domain) or an edit, returned by most fallible
/// functions of this crate.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum WorldError {
    /// The episode does not permit the operation, such as a step before a reset, or an action does not fit the layout
    /// of the world's actions.
    #[error(transparent)]
    Episode(#[from] EpisodeFault),
    /// A text is not valid PDDL.
    #[error(transparent)]
    Pddl(#[from] Faults),
    /// A domain has parts that cannot be edited, has no operators or more than 128 literals, or a problem has a random
    /// initial state or a goal that is not a conjunction of literals. The error lists all faults of the first kind found.
    #[error(transparent)]
    Unsuitable(#[from] UnsuitableTarget),
    /// There is no world with this index or name in [`Worlds`](crate::Worlds).
    #[error(transparent)]
    UnknownWorld(#[from] UnknownProblem),
    /// A state to be set has a sketch with other operators or literals than the target.
    #[error("the state belongs to another target")]
    ForeignState,
    /// Options contradict each other or do not fit a target, there is no target or no problem, a domain has other
    /// actions or literals than the target, or a picture cannot be drawn. Contains the message.
    #[error("{0}")]
    Options(String),
    /// An action changes nothing, does not exist, or names a literal that its operator does not have. Contains the
    /// message.
    #[error("{0}")]
    NotAnEdit(String),
    /// A sketch cannot be written as a domain.
    #[error("the sketch is not a valid domain: {0}")]
    NotADomain(#[from] EditFaults),
}

impl From<Infallible> for WorldError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// All reasons why a target cannot be edited, in the order of the text. Never empty. [`faults`](Self::faults) lists
/// them. It is in [`WorldError::Unsuitable`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct UnsuitableTarget(Vec<TargetFault>);

/// One reason why a domain or problem cannot be used for a target. [`UnsuitableTarget::faults`] lists them. `Display`
/// writes the position in the text, if it is known, and the message, as in `file:3:5: message`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetFault {
    place: Option<String>,
    message: String,
}

impl TargetFault {
    pub(crate) fn at(origin: &Origin, place: Place, message: String) -> Self {
        let place = origin.source().zip(place.span()).map(|(source, span)| {
            let position = source.position(span.start);
            format!("{}:{}:{}", source.name(), position.line, position.column)
        });
        Self { place, message }
    }

    /// Returns the message of the reason, without the position.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl UnsuitableTarget {
    /// Returns an error if there are faults.
    pub(crate) fn unless_none(faults: Vec<TargetFault>) -> Result<(), Self> {
        if faults.is_empty() {
            Ok(())
        } else {
            Err(Self(faults))
        }
    }

    /// Returns the reasons why the target cannot be edited, in the order of the text; at least one.
    #[must_use]
    pub fn faults(&self) -> &[TargetFault] {
        &self.0
    }
}

impl fmt::Display for TargetFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl fmt::Display for UnsuitableTarget {
    /// Writes a line per reason.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in self.0.iter().enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}
