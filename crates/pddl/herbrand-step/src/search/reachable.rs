//! Breadth-first enumeration of the reachable states of a task.

use crate::grounded::moves::Mask;
use crate::grounded::simulator::Simulator;
use crate::grounded::state::State;
use crate::grounded::walker::Walker;
use crate::search::store::StateStore;
use crate::semantics::error::StepError;

/// The states found by a breadth-first search ([`reachable_states`]), in the order of discovery. The index of a state
/// is its position in this order. [`complete`](Self::complete) says whether these are all reachable states.
#[derive(Clone, Debug)]
pub struct ReachableStates {
    store: StateStore,
    /// A state with the shape that all states of the task have.
    shape: State,
    /// The number of successors generated from the expanded states, including duplicates.
    pub generated: u64,
    /// The number of states expanded: exactly those with smaller indices.
    pub expanded: usize,
    /// The index of the first expanded goal state, which has the least distance from the initial states. `None` if no
    /// expanded state is a goal state.
    pub goal: Option<usize>,
    /// Whether all reachable states were found and expanded; `false` if the search stopped because it exceeded its limit.
    pub complete: bool,
}

impl ReachableStates {
    /// Returns the number of states found.
    #[must_use]
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Returns whether no states were found. This is never the case for the result of a search, which contains the initial
    /// states.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the state at an index. Initial states come first, then states by their distance from them. `None` if the
    /// index is too large.
    #[must_use]
    pub fn state(&self, index: usize) -> Option<State> {
        (index < self.len()).then(|| self.shape.with_words(self.store.get(index)))
    }

    /// Returns the memory used by the states and the hash table, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.store.bytes()
    }
}

/// Finds the reachable states by a breadth-first search from all initial states, through all outcomes of all valid
/// actions. It stops when all are found or more than `limit` states are. Goal states are expanded like others. With a
/// `limit` of 0, only initial states are found. Reaching the limit is no error: [`ReachableStates::complete`] is
/// `false` then. The result can have more than `limit` states, because the last expansion is finished. Successors are
/// inserted in batches, so up to 63 of the last ones generated can be missing then.
///
/// # Errors
/// Fails if a numeric effect has no result in some outcome of a valid action, or if an action or the initial state has
/// more combinations of draws than [`Options::outcome_limit`](crate::Options::outcome_limit). The states found so far
/// are then lost.
pub fn reachable_states(simulator: &Simulator, limit: usize) -> Result<ReachableStates, StepError> {
    let mut walker = simulator.walker();
    let shape = simulator.initial_state();
    let mut found = ReachableStates {
        store: StateStore::new(shape.words().len()),
        shape,
        generated: 0,
        expanded: 0,
        goal: None,
        complete: false,
    };
    for outcome in simulator.initial_outcomes()? {
        found.store.insert(outcome.state.words());
    }
    found.store.flush();
    let mut masks = Vec::new();
    while found.store.len() <= limit {
        if found.expanded == found.store.len() {
            found.store.flush();
            if found.expanded == found.store.len() {
                found.complete = true;
                break;
            }
        }
        found.expand(&mut walker, &mut masks)?;
    }
    Ok(found)
}

impl ReachableStates {
    /// Expands the next state. `masks` is a buffer.
    fn expand(&mut self, walker: &mut Walker, masks: &mut Vec<Mask>) -> Result<(), StepError> {
        let store = &mut self.store;
        walker.go_to(store.get(self.expanded));
        if walker.is_goal() && self.goal.is_none() {
            self.goal = Some(self.expanded);
        }
        store.set_parent(self.expanded);
        self.expanded += 1;
        for action in walker.valid().iter() {
            if let Some(masks) = walker.masks(action, masks) {
                store.insert_changed(masks);
                self.generated += 1;
            } else {
                self.generated += walker.each_outcome(action, |branch| store.insert(branch.state.words()))?;
            }
        }
        Ok(())
    }
}
