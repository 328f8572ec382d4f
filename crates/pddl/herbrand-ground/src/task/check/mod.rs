//! The consistency checks of ground tasks.

mod effects;
mod logic;
mod names;
mod numbers;

use super::GroundTask;

/// The reason why a ground task is inconsistent, as a sentence: for example, an id without an element, or elements out
/// of order. [`GroundTask::check`](crate::GroundTask::check) returns it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a ground task: {0}")]
pub struct InvalidTask(String);

impl GroundTask {
    /// Checks the consistency of the task. Every task from [`ground`](crate::ground) satisfies these conditions, and all
    /// code that takes a task relies on them. Use this for hand-made tasks; deserialisation calls it too. Takes time linear
    /// in the size of the task, except for the types.
    ///
    /// - Ids are less than the number of their elements. Atoms and actions have as many arguments as declared.
    /// - Fluent atoms, derived atoms and actions are strictly ascending.
    /// - Axioms only derive derived atoms, and effects only set fluents. An axiom does not read atoms of later strata, and
    ///   only negates atoms of earlier strata. No conjunction contains an atom twice.
    /// - The operands of an expression have smaller ids than the expression, and inner blocks have smaller ids than the
    ///   block around them. A block is inside at most one other, and the nesting depth is at most 500. If shared nodes are
    ///   copied, the expressions in use grow by a factor of at most 256.
    /// - Accumulators are only increased and decreased, and only the metric reads them. Probabilities are not negative and
    ///   sum to at most 1. All numbers are finite.
    ///
    /// # Errors
    /// The first condition that is not satisfied.
    pub fn check(&self) -> Result<(), InvalidTask> {
        names::check(self)?;
        numbers::check(self)?;
        logic::check(self)?;
        effects::check(self)
    }
}

/// Returns an error with this text unless `holds`.
fn ensure(holds: bool, text: impl FnOnce() -> String) -> Result<(), InvalidTask> {
    if holds { Ok(()) } else { Err(InvalidTask(text())) }
}

/// Returns an error unless an index is less than the number of elements.
fn ensure_below(what: &str, index: usize, count: usize) -> Result<(), InvalidTask> {
    ensure(index < count, || {
        format!("{what} {index} is named, but there are {count}")
    })
}

/// Returns whether the items are strictly ascending.
fn is_ascending<T: PartialOrd>(items: impl IntoIterator<Item = T>) -> bool {
    items.into_iter().is_sorted_by(|a, b| a < b)
}
