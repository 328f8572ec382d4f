//! Mapping states of a task to states of a task with fewer atoms and numbers.

use std::collections::HashMap;

use herbrand_ground::{AtomId, Numeric, NumericId};
use herbrand_step::{Simulator, State, StepError};

/// Maps states of one task to states of another that has some of the same fluent atoms and numbers.
#[derive(Clone, Debug)]
pub(crate) struct Projection {
    to: Simulator,
    /// For each fluent atom of the target task, the atom of the source task; `None` if both tasks are the same.
    originals: Option<Vec<Option<AtomId>>>,
    /// For each number in a state of the target task, the number of the source task.
    numbers: Vec<Option<NumericId>>,
}

impl Projection {
    pub(crate) fn new(from: &Simulator, to: &Simulator) -> Self {
        let (given, task) = (from.task(), to.task());
        let original = |index: usize| {
            let fact = task.atoms.get(index)?;
            given.find_atom(fact.predicate, fact.arguments)
        };
        let numerics = given.numerics.iter().enumerate();
        let ids: HashMap<_, _> = numerics
            .map(|(index, numeric)| {
                (
                    (numeric.function, &numeric.arguments),
                    NumericId::from_index(index),
                )
            })
            .collect();
        let number = |numeric: &Numeric| ids.get(&(numeric.function, &numeric.arguments)).copied();
        let same = std::ptr::eq(given, task);
        Self {
            to: to.clone(),
            originals: (!same).then(|| (0..task.fluent_count()).map(original).collect()),
            numbers: if same {
                Vec::new()
            } else {
                task.numerics[..task.state_numerics as usize]
                    .iter()
                    .map(number)
                    .collect()
            },
        }
    }

    /// Returns the state of the target task with the same atoms, and the same numbers, as far as it has them.
    ///
    /// # Errors
    /// Never fails for a state of the source task.
    pub(crate) fn of(&self, state: &State) -> Result<State, StepError> {
        let Some(originals) = &self.originals else {
            return Ok(state.clone());
        };
        let holds = originals
            .iter()
            .map(|original| original.is_some_and(|atom| state.holds(atom) == Some(true)));
        let atoms = holds
            .enumerate()
            .filter(|(_, holds)| *holds)
            .map(|(index, _)| AtomId::from_index(index));
        let mut result = self.to.state_from_atoms(atoms)?;
        for (index, original) in self.numbers.iter().enumerate() {
            let value = original.and_then(|original| state.numeric(original));
            self.to
                .set_numeric(&mut result, NumericId::from_index(index), value);
        }
        Ok(result)
    }
}
