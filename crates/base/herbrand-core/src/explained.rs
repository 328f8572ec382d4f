//! Explanations from the text of a problem: the conjuncts of its goal, and actions that no state allows.

use crate::describe::Described;
use crate::problems::Problems;

/// Problems that explain their goals and the actions that are never valid. Both methods have defaults for languages without
/// goals.
pub trait Explained: Problems<System: Described> {
    /// Returns the conjuncts of the goal of the problem at `index`, and whether each holds in the current state of `system`,
    /// which is a system of that problem. Empty if there is no goal, as by default.
    ///
    /// # Errors
    /// Fails if there is no such problem or it is faulty.
    fn goal_conjuncts(
        &self,
        _index: usize,
        _system: &Self::System,
    ) -> Result<Vec<GoalConjunct>, Self::Error> {
        Ok(Vec::new())
    }

    /// Explains why no reachable state of the problem at `index` allows the action that `text` names; `None` if a state may
    /// allow it, if there is no such action or problem, or if the language cannot tell, as by default.
    fn never_valid(&self, _index: usize, _text: &str) -> Option<String> {
        None
    }
}

/// A conjunct of a goal. [`Explained::goal_conjuncts`] returns a list of them; the goal holds if all of them do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GoalConjunct {
    /// The conjunct in the syntax of its language; it may have several lines.
    pub text: String,
    /// Whether it holds in the current state; `None` if that depends on a comparison of numbers or takes too long to
    /// evaluate.
    pub holds: Option<bool>,
}

impl GoalConjunct {
    /// Returns the text on one line. Each run of white space becomes one space.
    #[must_use]
    pub fn on_one_line(&self) -> String {
        self.text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
