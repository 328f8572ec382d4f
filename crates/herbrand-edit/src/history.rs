//! Models one after the other.

use crate::{Edit, EditFaults, Model, Rules};

/// A model with what it was before: edits that can be taken back.
///
/// ```
/// use herbrand_edit::{Edit, History, Model, Rules};
///
/// let model = Model::from_text(
///     "(define (domain d) (:predicates (lit)) (:action a :effect (lit)))",
///     "(define (problem p) (:domain d) (:init))",
/// )?;
/// let mut history = History::new(model.clone());
/// history.apply(&[Edit::add_fact("(lit)")?], &Rules::default())?;
/// assert_ne!(*history.model(), model);
/// assert!(history.undo());
/// assert_eq!(*history.model(), model);
/// assert!(!history.undo());
/// assert!(history.redo());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct History {
    /// All models, the first one first. Models share what they have in common by reference, whole or not at all.
    models: Vec<Model>,
    now: usize,
}

impl History {
    /// A model without a past.
    #[must_use]
    pub fn new(model: Model) -> Self {
        Self {
            models: vec![model],
            now: 0,
        }
    }

    /// The model now.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.models[self.now]
    }

    /// Carries out a batch. What was undone before can no longer be done again.
    ///
    /// # Errors
    /// All faults of the batch; then nothing has changed.
    pub fn apply(&mut self, edits: &[Edit], rules: &Rules) -> Result<(), EditFaults> {
        let next = self.model().apply(edits, rules)?;
        self.models.truncate(self.now + 1);
        self.models.push(next);
        self.now += 1;
        Ok(())
    }

    /// Takes the last batch back. Whether there was one.
    pub fn undo(&mut self) -> bool {
        let possible = self.now > 0;
        self.now -= usize::from(possible);
        possible
    }

    /// Does the batch again that was last undone. Whether there was one.
    pub fn redo(&mut self) -> bool {
        let possible = self.now + 1 < self.models.len();
        self.now += usize::from(possible);
        possible
    }
}
