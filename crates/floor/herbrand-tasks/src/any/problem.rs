//! A problem of any language that is walked through.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use herbrand_core::{Choice, Described, Random, RolloutPolicy, System, Transition};
use herbrand_limits::Budget;
use herbrand_render::{Moment, Picture, StateRenderer};

use super::playable::Playable;
use super::record::WalkRecord;
use super::system::{AnySystem, Posed};
use crate::any_error::{AnyError, ErrorKind};

/// A problem of any language with a current state that steps change. [`open`] makes one. The methods fail for the reasons of the
/// system's methods.
pub trait AnyProblem: Send {
    /// Returns the problem in its current state, to look at.
    fn look(&self) -> Box<dyn AnySystem + '_>;

    /// Returns the names of the set and of the problem.
    fn names(&self) -> (String, String);

    /// Returns the number of steps after which an episode ends; `None` for no limit.
    fn horizon(&self) -> Option<u32>;

    /// Moves to an initial state.
    fn reset(&mut self, chance: &mut Random) -> Result<(), AnyError>;

    /// Writes the joint action that a policy takes after some steps, and returns whether there is one.
    fn choose(
        &self,
        policy: &RolloutPolicy,
        elapsed: u32,
        random: &mut Random,
        joint: &mut Vec<Choice>,
    ) -> bool;

    /// Takes a step, and returns a description of its effects if `describe` is set, line by line. A step that
    /// fails changes nothing.
    fn step(
        &mut self,
        joint: &[Choice],
        chance: &mut Random,
        describe: bool,
    ) -> Result<(Transition, String), AnyError>;

    /// Returns the current state.
    fn state(&self) -> Box<dyn Any + Send>;

    /// Moves to a state that [`state`](Self::state) returned.
    fn set_state(&mut self, state: &dyn Any) -> Result<(), AnyError>;

    /// Returns the same problem, compiled once, at its initial state.
    fn fresh(&self) -> Result<Box<dyn AnyProblem>, AnyError>;

    /// Returns the picture of the problem and the scene of the current state. The first call makes the picture, also
    /// for all [`fresh`](Self::fresh) problems.
    fn picture(&self) -> Result<(&Picture, Moment), AnyError>;

    /// Writes a walk as a trace ([`Playable::record`]).
    fn record(&self, walk: &WalkRecord<'_>, budget: &Budget) -> Result<Vec<u8>, AnyError>;
}

/// Opens the first of a set of problems.
///
/// # Errors
/// Fails if the problem is faulty.
pub fn open<P: Playable>(problems: P) -> Result<Box<dyn AnyProblem>, AnyError> {
    Ok(Box::new(Current {
        system: problems.system(0).map_err(Into::into)?,
        problems,
        renderer: Arc::default(),
    }))
}

/// The first of a set of problems, with its system.
struct Current<P: Playable> {
    problems: P,
    system: P::System,
    renderer: Arc<OnceLock<StateRenderer<P::System>>>,
}

impl<P: Playable> AnyProblem for Current<P> {
    fn look(&self) -> Box<dyn AnySystem + '_> {
        Box::new(Posed {
            problems: &self.problems,
            index: 0,
            system: &self.system,
        })
    }

    fn names(&self) -> (String, String) {
        let name = self.problems.problem_name(0).unwrap_or_default();
        (self.problems.name().to_owned(), name)
    }

    fn horizon(&self) -> Option<u32> {
        self.problems.horizon(0)
    }

    fn reset(&mut self, chance: &mut Random) -> Result<(), AnyError> {
        self.system
            .reset(chance)
            .map_err(|error| P::Error::from(error).into())
    }

    fn choose(
        &self,
        policy: &RolloutPolicy,
        elapsed: u32,
        random: &mut Random,
        joint: &mut Vec<Choice>,
    ) -> bool {
        policy.choose(0, elapsed, &self.system, random, joint)
    }

    fn step(
        &mut self,
        joint: &[Choice],
        chance: &mut Random,
        describe: bool,
    ) -> Result<(Transition, String), AnyError> {
        let done = if describe {
            self.system.step_described(joint, chance)
        } else {
            self.system.step(joint, chance).map(|done| (done, String::new()))
        };
        done.map_err(|error| P::Error::from(error).into())
    }

    fn state(&self) -> Box<dyn Any + Send> {
        Box::new(self.system.state().clone())
    }

    fn set_state(&mut self, state: &dyn Any) -> Result<(), AnyError> {
        let foreign = || AnyError::new(ErrorKind::Form, "the state is one of another engine");
        let set = self.system.set_state(state.downcast_ref().ok_or_else(foreign)?);
        set.map_err(|error| P::Error::from(error).into())
    }

    fn fresh(&self) -> Result<Box<dyn AnyProblem>, AnyError> {
        Ok(Box::new(Self {
            system: self.problems.system(0).map_err(Into::into)?,
            problems: self.problems.clone(),
            renderer: Arc::clone(&self.renderer),
        }))
    }

    fn picture(&self) -> Result<(&Picture, Moment), AnyError> {
        let renderer = match self.renderer.get() {
            Some(renderer) => renderer,
            None => {
                let renderer = self.problems.renderer(0, &self.system).map_err(Into::into)?;
                self.renderer.get_or_init(|| renderer)
            }
        };
        Ok((renderer.picture(), renderer.moment(&self.system)))
    }

    fn record(&self, walk: &WalkRecord<'_>, budget: &Budget) -> Result<Vec<u8>, AnyError> {
        self.problems.record(0, walk, budget)
    }
}
