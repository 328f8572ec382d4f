//! Mapping states of a task to states of a task with fewer atoms.

use herbrand_ground::{AtomId, NumericId};
use herbrand_step::{Simulator, State, StepError};

/// Maps states of one task to states of another that has the same numbers and some of the same fluent atoms.
#[derive(Clone, Debug)]
pub(crate) struct Projection {
    to: Simulator,
    /// For each fluent atom of the target task, the atom of the source task; `None` if both tasks are the same.
    originals: Option<Vec<Option<AtomId>>>,
}

impl Projection {
    pub(crate) fn new(from: &Simulator, to: &Simulator) -> Self {
        let (given, task) = (from.task(), to.task());
        let original = |index: usize| {
            let fact = task.atoms.get(index)?;
            given.find_atom(fact.predicate, fact.arguments)
        };
        let same = std::ptr::eq(given, task);
        Self {
            to: to.clone(),
            originals: (!same).then(|| (0..task.fluent_count()).map(original).collect()),
        }
    }

    /// Returns the state of the target task with the same atoms, as far as it has them, and the same numbers.
    ///
    /// # Errors
    /// Never fails for a state of the source task.
    pub(crate) fn of(&self, state: &State) -> Result<State, StepError> {
        let Some(originals) = &self.originals else {
            return Ok(state.clone());
        };
        let holds = originals
            .iter()
            .map(|original| original.is_some_and(|atom| state.holds(atom)));
        let atoms = holds
            .enumerate()
            .filter(|(_, holds)| *holds)
            .map(|(index, _)| AtomId::from_index(index));
        let mut result = self.to.state_from_atoms(atoms)?;
        for id in (0..self.to.task().state_numerics).map(NumericId::new) {
            self.to.set_numeric(&mut result, id, state.numeric(id));
        }
        Ok(result)
    }
}
