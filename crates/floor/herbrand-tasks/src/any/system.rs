//! A problem of any language in its current state.

use herbrand_core::{ActionLayout, ActionTextError, ActionValidity, Choice, Described, Fact, Status, System};

use super::error::{AnyError, ErrorKind};
use super::playable::{LanguageFeatures, Playable};

/// A problem of any language in its current state, to look at. The methods are those of [`System`], [`Described`] and
/// [`Explained`](herbrand_core::Explained).
pub trait AnySystem {
    /// Returns the fields of an action.
    fn actions(&self) -> &ActionLayout;

    /// Returns the choices that are valid alone, in ascending order.
    fn choices(&self) -> Vec<Choice>;

    /// Writes which alternatives are valid.
    fn write_mask(&self, into: &mut [u8]);

    /// Returns the status of the state.
    fn status(&self) -> Status;

    /// Visits the facts of the state.
    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>));

    /// Reads a choice.
    ///
    /// # Errors
    /// Fails if the text is none; says why no state allows it, if the language can tell.
    fn parse_choice(&self, text: &str) -> Result<Choice, AnyError>;

    /// Explains why an action is or is not valid.
    ///
    /// # Errors
    /// Fails if the problem has fewer alternatives.
    fn explain(&self, joint: &[Choice]) -> Result<ActionValidity, AnyError>;

    /// Explains why no reachable state allows an action; `None` if a state may allow it or the language cannot tell.
    fn never_valid(&self, text: &str) -> Option<String>;

    /// Returns what the language has beyond the traits of the core.
    fn features(&self) -> Box<dyn LanguageFeatures + '_>;
}

/// A system of the problem at an index of a set.
pub(super) struct Posed<'a, P: Playable> {
    pub(super) problems: &'a P,
    pub(super) index: usize,
    pub(super) system: &'a P::System,
}

impl<P: Playable> AnySystem for Posed<'_, P> {
    fn actions(&self) -> &ActionLayout {
        self.system.actions()
    }

    fn choices(&self) -> Vec<Choice> {
        let mut choices = Vec::new();
        self.system.choices(&mut choices);
        choices
    }

    fn write_mask(&self, into: &mut [u8]) {
        self.system.write_mask(into);
    }

    fn status(&self) -> Status {
        self.system.status()
    }

    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>)) {
        self.system.facts(visit);
    }

    fn parse_choice(&self, text: &str) -> Result<Choice, AnyError> {
        let refused = |error: ActionTextError| match self.never_valid(text) {
            Some(why) => AnyError::new(ErrorKind::Name, why),
            None => error.into(),
        };
        self.system.parse_choice(text).map_err(refused)
    }

    fn explain(&self, joint: &[Choice]) -> Result<ActionValidity, AnyError> {
        check_numbers(self.system, joint)?;
        Ok(self.system.explain_action(joint))
    }

    fn never_valid(&self, text: &str) -> Option<String> {
        self.problems.never_valid(self.index, text)
    }

    fn features(&self) -> Box<dyn LanguageFeatures + '_> {
        self.problems.features(self.index, self.system)
    }
}

/// Checks that the choice of an only field is one of its alternatives.
pub(super) fn check_numbers(system: &impl System, joint: &[Choice]) -> Result<(), AnyError> {
    let number = joint.first().and_then(|choice| choice.alternative());
    match (number, system.actions().as_single()) {
        (Some(number), Some(count)) if number as usize >= count => {
            let text = format!("there is no action number {number}: the problem has {count}");
            Err(AnyError::new(ErrorKind::Name, text))
        }
        _ => Ok(()),
    }
}
