//! What can go wrong.

use std::convert::Infallible;
use std::fmt;

use herbrand_core::EpisodeFault;
use herbrand_edit::EditFaults;
use herbrand_pddl::{Faults, Origin, Place};

/// Why there is no world, or why it did not do what was asked.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum WorldError {
    /// The episode does not allow it.
    #[error(transparent)]
    Episode(#[from] EpisodeFault),
    /// A text is no PDDL.
    #[error(transparent)]
    Pddl(#[from] Faults),
    /// A domain or a problem has parts that cannot be edited here: all of them.
    #[error(transparent)]
    Unsuitable(#[from] Faulty),
    /// There is no target of this number.
    #[error("there is no target number {index}: there are {count}")]
    UnknownTarget {
        /// The number.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A state belongs to another target.
    #[error("the state is one of another target")]
    ForeignState,
    /// Options that do not go together, or that a target does not allow.
    #[error("{0}")]
    Options(String),
    /// An edit changes nothing, or names a literal that its operator does not have.
    #[error("{0}")]
    NotAnEdit(String),
    /// A sketch cannot be written as a domain.
    #[error("the sketch is no domain: {0}")]
    NotADomain(#[from] EditFaults),
}

impl From<Infallible> for WorldError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// Everything because of which a target cannot be edited, in the order of the text. Never empty.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct Faulty(Vec<Fault>);

/// One reason, with its place in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    place: Option<String>,
    message: String,
}

impl Fault {
    pub(crate) fn at(origin: &Origin, place: Place, message: String) -> Self {
        let place = origin.source().zip(place.span()).map(|(source, span)| {
            let position = source.position(span.start);
            format!("{}:{}:{}", source.name(), position.line, position.column)
        });
        Self { place, message }
    }

    /// What is wrong, without its place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl Faulty {
    /// An error, if there are faults.
    pub(crate) fn unless_none(faults: Vec<Fault>) -> Result<(), Self> {
        if faults.is_empty() {
            Ok(())
        } else {
            Err(Self(faults))
        }
    }

    /// The reasons.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.0
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl fmt::Display for Faulty {
    /// A line for each reason.
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
