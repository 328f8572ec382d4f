//! What following a trace takes of an engine, and the grounded one.

use std::collections::BTreeSet;
use std::sync::Arc;

use herbrand_step::{State, StepError};

use super::listed::Place;
use super::observer::{Observer, Seen};
use crate::{ActionSpace, Engine, Instance, ObservedId, Planning, PlanningError};

/// An engine that follows a trace: states are atoms by number, numbers have names, actions are texts.
pub(super) trait Follower {
    type State: Clone;

    /// The states that a walk may begin in; `None` when they are too many to say.
    fn initial(&mut self) -> Option<Vec<Self::State>>;

    fn go_to(&mut self, state: &Self::State) -> Result<(), PlanningError>;

    /// Goes to the state of these atoms, as far as they are known; numbers are those of the start.
    fn go_to_atoms(&mut self, seen: &Seen) -> Result<(), PlanningError>;

    /// The atoms that are true, ascending; those of static predicates too if `with_statics`.
    fn observe(&mut self, with_statics: bool) -> Vec<ObservedId>;

    /// The atoms of static predicates, ascending.
    fn statics(&mut self) -> Vec<ObservedId>;

    /// Reads atoms that a trace lists, each with the list it is in.
    fn read<'t>(&mut self, atoms: impl Iterator<Item = (Place, &'t str)>) -> Seen;

    /// The names of atoms, in alphabetical order.
    fn names<'i>(&self, atoms: impl IntoIterator<Item = &'i ObservedId>) -> Vec<String>;

    /// The actions that some operator fits: a trace lists ambiguous ones too.
    fn valid_actions(&self) -> BTreeSet<String>;

    fn is_goal(&self) -> bool;

    /// The states that an action may lead to, by all operators that fit it; `None` when they are too many to say. On an
    /// error, says why there is none.
    fn successors(&mut self, action: &str) -> Result<Option<Vec<Self::State>>, String>;
}

/// The grounded engine.
pub(super) struct Grounded {
    engine: Planning,
    observer: Observer,
}

impl Grounded {
    /// Follows with the agent's actions, or with operators.
    pub(super) fn new(instance: &Instance, by_agent: bool) -> Self {
        let simulator = instance.simulator();
        let space = if by_agent {
            Arc::clone(instance.space())
        } else {
            Arc::new(ActionSpace::operators(simulator.clone()))
        };
        Self {
            engine: Planning::new(simulator.walker(), space),
            observer: Observer::new(instance.atoms()),
        }
    }
}

impl Follower for Grounded {
    type State = State;

    fn initial(&mut self) -> Option<Vec<State>> {
        let outcomes = self.engine.walker().simulator().initial_outcomes().ok()?;
        Some(outcomes.into_iter().map(|outcome| outcome.state).collect())
    }

    fn go_to(&mut self, state: &State) -> Result<(), PlanningError> {
        self.engine.set_state(state)
    }

    fn go_to_atoms(&mut self, seen: &Seen) -> Result<(), PlanningError> {
        let atoms = self.observer.atoms(&seen.known);
        let state = self.engine.walker().simulator().state_from_atoms(atoms)?;
        self.engine.set_state(&state)
    }

    fn observe(&mut self, with_statics: bool) -> Vec<ObservedId> {
        self.observer.observe(self.engine.walker(), with_statics)
    }

    fn statics(&mut self) -> Vec<ObservedId> {
        self.observer.statics().to_vec()
    }

    fn read<'t>(&mut self, atoms: impl Iterator<Item = (Place, &'t str)>) -> Seen {
        self.observer.read(atoms)
    }

    fn names<'i>(&self, atoms: impl IntoIterator<Item = &'i ObservedId>) -> Vec<String> {
        self.observer.names(atoms)
    }

    fn valid_actions(&self) -> BTreeSet<String> {
        let mut valid = Vec::new();
        self.engine.fitting_actions(&mut valid);
        let name = |action| self.engine.space().display(action).to_string();
        valid.into_iter().map(name).collect()
    }

    fn is_goal(&self) -> bool {
        self.engine.is_goal()
    }

    fn successors(&mut self, action: &str) -> Result<Option<Vec<State>>, String> {
        let action = self
            .engine
            .space()
            .parse(action)
            .ok_or("there is no such action")?;
        let walker = self.engine.walker();
        let mut states = Vec::new();
        for operator in self.engine.fitting(action) {
            match walker.simulator().outcomes(walker.state(), operator) {
                Ok(outcomes) => states.extend(outcomes.into_iter().map(|outcome| outcome.state)),
                Err(StepError::TooManyOutcomes { .. }) => return Ok(None),
                Err(error) => return Err(error.to_string()),
            }
        }
        Ok(Some(states))
    }
}
