//! All states that a task can reach.

use crate::grounded::moves::Mask;
use crate::grounded::simulator::Simulator;
use crate::grounded::state::State;
use crate::grounded::walker::Walker;
use crate::search::store::StateStore;
use crate::semantics::error::StepError;

/// The states that breadth-first search finds, in the order in which it finds them.
#[derive(Clone, Debug)]
pub struct Reachable {
    store: StateStore,
    /// A state, of which others take the shape.
    shape: State,
    /// How many successors were computed, states found before included.
    pub generated: u64,
    /// How many states were expanded.
    pub expanded: usize,
    /// The first goal state, one of those nearest to the start.
    pub goal: Option<usize>,
    /// Whether all reachable states are there; otherwise the limit was crossed.
    pub complete: bool,
}

impl Reachable {
    /// The number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether there is none, which no search returns: the initial states are always found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The state number `index`: initial ones first, then by their distance.
    #[must_use]
    pub fn state(&self, index: usize) -> Option<State> {
        (index < self.len()).then(|| self.shape.with_words(self.store.get(index)))
    }

    /// The bytes that the states take, with the table that finds them.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.store.bytes()
    }
}

/// Searches breadth first from all initial states, by all valid actions and all outcomes, until every reachable state
/// is found or more than `limit` are. Goals are expanded like other states.
///
/// # Errors
/// When a numeric effect has no result, or an action has too many outcomes.
pub fn reachable_states(simulator: &Simulator, limit: usize) -> Result<Reachable, StepError> {
    let mut walker = simulator.walker();
    let shape = simulator.initial_state();
    let mut found = Reachable {
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

impl Reachable {
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
