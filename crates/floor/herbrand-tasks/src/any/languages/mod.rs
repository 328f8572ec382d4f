//! The languages: PDDL with both engines, RDDL, domains under edit, and the balloon.

mod pddl;
mod rddl;

use herbrand_core::balloon::{BalloonError, BalloonProblems};
use herbrand_pddlworld::Worlds;

use super::error::{AnyError, ErrorKind};
use super::playable::Playable;

impl Playable for Worlds {}

impl Playable for BalloonProblems {}

impl From<BalloonError> for AnyError {
    fn from(error: BalloonError) -> Self {
        match error {
            BalloonError::NotEnoughGas { .. } => Self::new(ErrorKind::Action, error),
            BalloonError::Unknown(_) => Self::new(ErrorKind::Name, error),
            BalloonError::Episode(fault) => fault.into(),
        }
    }
}
