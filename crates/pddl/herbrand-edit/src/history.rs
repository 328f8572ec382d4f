//! Undo and redo of edits.

use crate::edit::Edit;
use crate::fault::EditFaults;
use crate::model::PlanningModel;
use crate::rules::EditRules;

/// A history of models, with undo and redo of the batches of edits between them. [`new`](Self::new) creates it. It
/// keeps every model, without a limit.
///
/// ```
/// use herbrand_edit::{Edit, EditRules, History, PlanningModel};
///
/// let model = PlanningModel::from_text(
///     "(define (domain d) (:predicates (lit)) (:action a :effect (lit)))",
///     "(define (problem p) (:domain d) (:init))",
/// )?;
/// let mut history = History::new(model.clone());
/// history.apply(&[Edit::add_fact("(lit)")?], &EditRules::default())?;
/// assert_ne!(*history.model(), model);
/// assert!(history.undo());
/// assert_eq!(*history.model(), model);
/// assert!(!history.undo());
/// assert!(history.redo());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct History {
    /// All models, the oldest first. Models share their domain or problem if it is unchanged.
    models: Vec<PlanningModel>,
    /// The index of the current model.
    now: usize,
}

impl History {
    /// Creates a history that consists of one model, so that there is nothing to undo. Then call
    /// [`apply`](Self::apply).
    #[must_use]
    pub fn new(model: PlanningModel) -> Self {
        Self {
            models: vec![model],
            now: 0,
        }
    }

    /// Returns the current model: the result of the batches that are not undone.
    #[must_use]
    pub fn model(&self) -> &PlanningModel {
        &self.models[self.now]
    }

    /// Applies a batch of edits to the current model; the result must satisfy `rules` ([`PlanningModel::apply`]).
    /// Batches that were undone can no longer be redone. An empty batch is a step of the history too.
    ///
    /// # Errors
    /// Fails with all faults of the batch. The history is unchanged then.
    pub fn apply(&mut self, edits: &[Edit], rules: &EditRules) -> Result<(), EditFaults> {
        let next = self.model().apply(edits, rules)?;
        self.models.truncate(self.now + 1);
        self.models.push(next);
        self.now += 1;
        Ok(())
    }

    /// Undoes the last batch. Returns `false` if there is no batch to undo. The model before it is then the current
    /// one. The batch can be redone until the next [`apply`](Self::apply).
    pub fn undo(&mut self) -> bool {
        let possible = self.now > 0;
        self.now -= usize::from(possible);
        possible
    }

    /// Redoes the batch that was undone last. Returns `false` if there is no batch to redo. The model after it is then
    /// the current one.
    pub fn redo(&mut self) -> bool {
        let possible = self.now + 1 < self.models.len();
        self.now += usize::from(possible);
        possible
    }
}
