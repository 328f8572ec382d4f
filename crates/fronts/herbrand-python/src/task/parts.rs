//! The parts of a task that do not depend on its engine, and the interface to the engine.

use std::ptr;
use std::sync::{Arc, Mutex};

use herbrand_core::{ActionValidity, Fact};
use herbrand_step::StepError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::domain::Domain;
use crate::errors::poisoned;
use crate::picture::StateDrawing;
use crate::problem::Problem;
use crate::random::Random;
use crate::term::{Action, Atom};

/// The parts of a task: its models, the drawing of its states, and a walker of its engine.
pub struct TaskParts<W> {
    pub domain: Py<Domain>,
    pub problem: Py<Problem>,
    pub drawing: StateDrawing,
    /// Positioned at the state of the last query, so that further queries about this state are cheap.
    pub walker: Mutex<W>,
    random: Mutex<herbrand_step::Random>,
}

impl<W> TaskParts<W> {
    pub fn new(domain: Py<Domain>, problem: Py<Problem>, drawing: StateDrawing, walker: W) -> Self {
        Self {
            domain,
            problem,
            drawing,
            walker: Mutex::new(walker),
            random: Mutex::new(herbrand_step::Random::new(0)),
        }
    }

    /// Fails if actions take time, for a search that has no clock, which `what` names.
    pub fn check_timeless(&self, py: Python<'_>, what: &str) -> PyResult<()> {
        if !self.domain.get().model.takes_time() {
            return Ok(());
        }
        let text = format!(
            "actions of this problem take time, and {what} has no clock: `herbrand.tasks.plan` and environments have one"
        );
        Err(crate::errors::message(py, "HerbrandError", &text))
    }

    /// Returns whether both tasks have the same domain and problem.
    pub fn is_same(&self, other: &Self) -> bool {
        let domains = (&self.domain.get().model, &other.domain.get().model);
        let problems = (&self.problem.get().model, &other.problem.get().model);
        ptr::eq(self, other)
            || ((Arc::ptr_eq(domains.0, domains.1) || domains.0 == domains.1)
                && (Arc::ptr_eq(problems.0, problems.1) || problems.0 == problems.1))
    }

    pub fn hash(&self) -> u64 {
        fxhash::hash64(&(self.domain.get().model.fingerprint(), &*self.problem.get().model))
    }

    /// Calls `work` with the given generator, or with the task's own.
    pub fn with_random<T>(
        &self,
        rng: Option<&Bound<'_, Random>>,
        work: impl FnOnce(&mut herbrand_step::Random) -> T,
    ) -> PyResult<T> {
        match rng {
            Some(random) => random.get().with(work),
            None => {
                let mut random = self.random.lock().map_err(|_| poisoned())?;
                Ok(work(&mut random))
            }
        }
    }
}

/// The successors of a state by an action.
pub enum Successors<S> {
    /// A single successor and its reward.
    Only(S, f64),
    /// Several: tuples of probability, state and reward.
    Several(Vec<(f64, S, f64)>),
}

impl<S> Successors<S> {
    /// Returns the successors of a distribution.
    pub fn of(distribution: Vec<(f64, S, f64)>) -> Self {
        match <[_; 1]>::try_from(distribution) {
            Ok([(_, state, reward)]) => Self::Only(state, reward),
            Err(several) => Self::Several(several),
        }
    }

    /// Returns the distribution.
    pub fn distribution(self) -> Vec<(f64, S, f64)> {
        match self {
            Self::Only(state, reward) => vec![(1.0, state, reward)],
            Self::Several(several) => several,
        }
    }
}

/// A distribution: pairs of probability and value.
pub type Distribution<T> = Vec<(f64, T)>;

/// The interface between a class of tasks and its engine. Methods without `self` are about a walker at a state.
pub trait PlanningTask: Sized {
    /// The engine at one state.
    type Walker;
    /// A state of the engine.
    type State;
    /// An action of the engine.
    type Action;

    /// Returns whether the tasks are equal: whether they step equal problems in the same way.
    fn is_same(&self, other: &Self) -> bool;

    /// Returns the initial state without its probabilistic part.
    fn initial(&self) -> Self::State;

    /// Returns the distribution of initial states.
    fn initial_outcomes(&self) -> PyResult<Result<Distribution<Self::State>, StepError>>;

    /// Returns the state with these atoms and numbers, given as by `Task.state`.
    fn state_of(
        &self,
        atoms: &Bound<'_, PyAny>,
        numbers: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self::State>;

    /// Returns the changeable atoms that are true in a state.
    fn changing(&self, py: Python<'_>, state: &Self::State) -> PyResult<Vec<Py<Atom>>>;

    /// Returns the defined numeric fluents of a state and their values.
    fn numbers(&self, state: &Self::State) -> Vec<(String, f64)>;

    /// Reads an action given by the caller.
    fn read_action(&self, given: &Bound<'_, PyAny>) -> PyResult<Self::Action>;

    /// Returns the Python object of an action.
    fn action_object(&self, py: Python<'_>, action: &Self::Action) -> PyResult<Py<Action>>;

    /// Explains why no reachable state allows an action; `None` if a state may allow it or the engine cannot tell.
    fn why_never(&self, _action: &str) -> Option<String> {
        None
    }

    /// Returns the successors of a state by an action.
    fn successors(
        &self,
        state: &Self::State,
        action: &Self::Action,
    ) -> PyResult<Result<Successors<Self::State>, StepError>>;

    /// Returns the valid actions of the walker's state.
    fn valid(walker: &Self::Walker) -> Vec<Self::Action>;

    /// Returns whether an action is valid in the walker's state.
    fn allows(walker: &Self::Walker, action: &Self::Action) -> bool;

    /// Draws a valid action uniformly; `None` in a dead end.
    fn draw_action(walker: &Self::Walker, random: &mut herbrand_step::Random) -> Option<Self::Action>;

    /// Takes a step; returns the new state and the reward.
    fn step(
        walker: &mut Self::Walker,
        action: &Self::Action,
        random: &mut herbrand_step::Random,
    ) -> Result<(Self::State, f64), StepError>;

    /// Explains why an action is or is not valid in the walker's state.
    fn validity(walker: &Self::Walker, action: &Self::Action) -> Result<ActionValidity, StepError>;

    /// Visits the facts of the walker's state.
    fn show(&self, walker: &Self::Walker, visit: &mut dyn FnMut(Fact<'_>));
}

/// Returns the error for a state of another task.
pub fn other_task() -> PyErr {
    PyValueError::new_err("the state belongs to another task")
}
