//! The languages: PDDL with both engines, RDDL, domains under edit, and the balloon.

pub(super) mod pddl;
pub(super) mod rddl;

use herbrand_core::balloon::{BalloonError, BalloonProblems};
use herbrand_pddlworld::{PARTS, Sign, Worlds};

use super::error::{AnyError, ErrorKind};
use super::playable::{LanguageFeatures, Playable};

impl Playable for Worlds {
    fn features<'a>(&'a self, _index: usize, _model: &'a Self::System) -> Box<dyn LanguageFeatures + 'a> {
        Box::new(WorldFeatures(self))
    }
}

/// A domain under edit. A model is listed literal by literal, in the syntax of the edits.
struct WorldFeatures<'a>(&'a Worlds);

impl LanguageFeatures for WorldFeatures<'_> {
    fn action_forms(&self) -> Vec<String> {
        let operators = self.0.targets().iter().take(1);
        let operators = operators.flat_map(|target| target.vocabulary().operators());
        let forms = operators.flat_map(|operator| {
            let literals: Vec<_> = operator.literals.iter().map(ToString::to_string).collect();
            let literals = literals.join(" or ");
            let signs = Sign::ALL.map(Sign::name).join(" or ");
            PARTS.map(|part| format!("{part} {} <{literals}> <{signs}>", operator.name))
        });
        forms.collect()
    }
}

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
