//! A problem of any language in its current state.

use std::collections::BTreeSet;

use herbrand_core::{
    ActionCount, ActionLayout, ActionTextError, ActionValidity, Choice, Described, Fact, GoalConjunct,
    Status, System,
};

use super::inside::{Internals, section};
use super::playable::{LanguageFeatures, Playable};
use crate::any_error::{AnyError, ErrorKind};
use crate::valid_actions::OfferedActions;

/// A problem of any language in its current state, to look at. The methods are those of [`System`], [`Described`] and
/// [`Explained`](herbrand_core::Explained).
pub trait AnySystem {
    /// Returns the fields of an action.
    fn actions(&self) -> &ActionLayout;

    /// Returns the choices that are valid as the only choice, in ascending order.
    fn choices(&self) -> Vec<Choice>;

    /// Returns whether a joint action is valid.
    fn is_valid(&self, joint: &[Choice]) -> bool;

    /// Returns the number of valid joint actions.
    fn count_joint_actions(&self) -> ActionCount;

    /// Returns the valid actions, for printing.
    fn offered(&self) -> OfferedActions;

    /// Returns the status of the state.
    fn status(&self) -> Status;

    /// Visits the facts of the state.
    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>));

    /// Returns the text of a choice.
    fn choice_text(&self, choice: Choice) -> String;

    /// Returns the text of a joint action.
    fn joint_text(&self, joint: &[Choice]) -> String;

    /// Returns the names of the objects that a choice concerns.
    fn choice_objects(&self, choice: Choice) -> Vec<String>;

    /// Reads a joint action.
    ///
    /// # Errors
    /// Fails if the text is none.
    fn parse_joint(&self, text: &str) -> Result<Vec<Choice>, ActionTextError>;

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

    /// Returns the conjuncts of the goal; none if there is no goal.
    ///
    /// # Errors
    /// Fails if the goal is faulty.
    fn goal_conjuncts(&self) -> Result<Vec<GoalConjunct>, AnyError>;

    /// Explains why no reachable state allows an action; `None` if a state may allow it or the language cannot tell.
    fn never_valid(&self, text: &str) -> Option<String>;

    /// Returns what the language has beyond the traits of the core.
    fn features(&self) -> Box<dyn LanguageFeatures + '_>;
}

impl dyn AnySystem + '_ {
    /// Returns the number of objects of the problem, or else of its facts.
    #[must_use]
    pub fn object_count(&self) -> usize {
        let of_facts = || {
            let mut objects = BTreeSet::new();
            self.facts(&mut |fact| objects.extend(fact.arguments.iter().map(|&name| name.to_owned())));
            objects.len()
        };
        self.features().object_count().unwrap_or_else(of_facts)
    }

    /// Returns the compiled problem as text, or else the facts of the state, with at most `listed` lines per section.
    #[must_use]
    pub fn internals(&self, listed: usize) -> Internals {
        let facts = || {
            let mut lines = Vec::new();
            self.facts(&mut |fact| lines.push(fact.to_string()));
            let count = lines.len();
            Internals {
                counts: vec![("facts".to_owned(), count as u64)],
                sections: vec![section("facts", lines.into_iter(), count, listed)],
            }
        };
        self.features().internals(listed).unwrap_or_else(facts)
    }
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

    fn is_valid(&self, joint: &[Choice]) -> bool {
        self.system.is_valid(joint)
    }

    fn count_joint_actions(&self) -> ActionCount {
        self.system.count_joint_actions()
    }

    fn offered(&self) -> OfferedActions {
        self.problems.offered(self.system)
    }

    fn status(&self) -> Status {
        self.system.status()
    }

    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>)) {
        self.system.facts(visit);
    }

    fn choice_text(&self, choice: Choice) -> String {
        self.system.choice_text(choice)
    }

    fn joint_text(&self, joint: &[Choice]) -> String {
        self.system.joint_text(joint)
    }

    fn choice_objects(&self, choice: Choice) -> Vec<String> {
        self.system.choice_objects(choice)
    }

    fn parse_joint(&self, text: &str) -> Result<Vec<Choice>, ActionTextError> {
        self.system.parse_joint(text)
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

    fn goal_conjuncts(&self) -> Result<Vec<GoalConjunct>, AnyError> {
        self.problems
            .goal_conjuncts(self.index, self.system)
            .map_err(Into::into)
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
