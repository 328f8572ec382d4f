//! Whether the parts of a ground task fit together.

mod effects;
mod logic;
mod names;
mod numbers;

use super::GroundTask;

/// Why a ground task is none: one of its parts names something that is not there, or is where it must not be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a ground task: {0}")]
pub struct InvalidTask(String);

impl GroundTask {
    /// An error unless the parts fit together: all that a task made by [`ground`](crate::ground) keeps, and that everything
    /// that takes a task relies on. For tasks from elsewhere: put together by hand, or read from a file (decoding calls
    /// it). Takes time linear in the size of the task, but for the types.
    ///
    /// - Ids are below the number of what they name; arguments are as many as declared.
    /// - Atoms, among the fluents and among the derived ones, and actions come in ascending order, each once.
    /// - Axioms derive derived atoms, effects set fluents. An axiom negates only atoms of earlier strata, and reads none
    ///   of later ones. No conjunction names an atom twice.
    /// - Operands come before the expression that uses them, and blocks before the one that they are in; a block is in one
    ///   other at most, and no more than 500 deep. Written out, all expressions are no more than 256 times as long.
    /// - Accumulators are only increased and decreased, and read by the metric alone. Probabilities are positive or zero,
    ///   of sum 1 at most. All numbers are finite.
    ///
    /// # Errors
    /// When something does not fit; the error says what.
    pub fn check(&self) -> Result<(), InvalidTask> {
        names::check(self)?;
        numbers::check(self)?;
        logic::check(self)?;
        effects::check(self)
    }
}

/// An error with this text unless something holds.
fn ensure(holds: bool, text: impl FnOnce() -> String) -> Result<(), InvalidTask> {
    if holds { Ok(()) } else { Err(InvalidTask(text())) }
}

/// An error unless an index of something is below how many there are.
fn ensure_below(what: &str, index: usize, count: usize) -> Result<(), InvalidTask> {
    ensure(index < count, || {
        format!("{what} {index} is named, but there are {count}")
    })
}

/// Whether each is greater than the one before.
fn is_ascending<T: PartialOrd>(items: impl IntoIterator<Item = T>) -> bool {
    items.into_iter().is_sorted_by(|a, b| a < b)
}
