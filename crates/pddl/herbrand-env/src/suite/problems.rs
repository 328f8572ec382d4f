//! Suites as problem sets, on either engine.

use std::sync::{Arc, Mutex, PoisonError};

use herbrand_core::{PackedStates, Problems};
use herbrand_step::State;

use super::Suite;
use crate::engine::EngineKind;
use crate::error::{EnvError, PlanningError};
use crate::observed::ObservedAtoms;
use crate::planning::sliced::Slicing;
use crate::planning::{Grounded, Lifted, Planning};

impl Problems for Suite {
    type System = Planning<Grounded>;
    type Error = EnvError;

    fn name(&self) -> &str {
        Self::name(self)
    }

    fn len(&self) -> usize {
        Self::len(self)
    }

    fn problem_name(&self, index: usize) -> Option<String> {
        self.full_problem_name(index)
    }

    fn horizon(&self, _index: usize) -> Option<u32> {
        self.config().horizon
    }

    /// Creates a system that updates all derived atoms incrementally, so that observing them in every state is free. If
    /// observations are disabled, its systems skip that work.
    fn system(&self, index: usize) -> Result<Planning<Grounded>, EnvError> {
        let instance = self.instance(index)?;
        let system = if self.is_seen {
            instance.observed_engine()
        } else {
            instance.engine()
        };
        Ok(system.with_slicing(self.slicing))
    }

    fn mask_len(&self) -> Result<usize, EnvError> {
        Ok(self.sizes(ObservedAtoms::Changing)?.actions)
    }
}

impl PackedStates for Suite {
    fn pack(state: &State) -> Vec<u8> {
        state.pack()
    }

    fn unpack(&self, problem: usize, bytes: &[u8]) -> Option<State> {
        self.instance(problem).ok()?.simulator().unpack(bytes)
    }
}

/// A suite whose problems are stepped without grounding. [`LiftedSuite::new`] or [`Suite::on`] returns it;
/// `herbrand_core::Env` takes it.
///
/// Actions are numbered over all type-correct arguments. If there are too many, actions get ids as they are encountered,
/// and [`Problems::mask_len`] fails because no mask can have an element per action.
#[derive(Clone, Debug)]
pub struct LiftedSuite {
    suite: Suite,
    /// For each problem a system at the initial state, created on first use and then cloned.
    made: Arc<[Mutex<Option<Planning<Lifted>>>]>,
}

impl LiftedSuite {
    /// Creates a lifted suite from `suite`. Create an environment over it by [`Env::new`](herbrand_core::Env::new). Nothing is compiled yet; a faulty
    /// problem fails when it is first used.
    #[must_use]
    pub fn new(suite: Suite) -> Self {
        Self {
            made: suite.problems.iter().map(|_| Mutex::default()).collect(),
            suite,
        }
    }

    /// Creates a system for the problem at `index`, at its initial state. Its actions are the agent actions if
    /// `by_agent`, and the operators otherwise. Operators of a suite with declared actions have the ids of the problem
    /// alone.
    ///
    /// # Errors
    /// Fails like [`Suite::lifted_engine`].
    pub fn planning(&self, index: usize, by_agent: bool) -> Result<Planning<Lifted>, EnvError> {
        let system = self.made(index)?;
        if by_agent || self.suite.agent_actions().is_none() {
            return Ok(system);
        }
        let simulator = system.walker().simulator();
        let operators = Planning::lifted(simulator, None).map_err(PlanningError::from)?;
        Ok(match system.schedule() {
            Some(schedule) => operators.with_time(schedule),
            None => operators,
        })
    }

    /// Returns a system for the problem at `index` with the agent actions.
    fn made(&self, index: usize) -> Result<Planning<Lifted>, EnvError> {
        let slot = self.made.get(index).map(Mutex::lock);
        let mut slot = slot.map(|slot| slot.unwrap_or_else(PoisonError::into_inner));
        if let Some(made) = slot.as_deref().and_then(Option::as_ref) {
            return Ok(made.clone());
        }
        let made = self.suite.lifted_engine(index)?;
        if let Some(slot) = slot.as_deref_mut() {
            *slot = Some(made.clone());
        }
        Ok(made)
    }

    /// Returns the suite whose problems are stepped without grounding.
    #[must_use]
    pub const fn suite(&self) -> &Suite {
        &self.suite
    }
}

impl Problems for LiftedSuite {
    type System = Planning<Lifted>;
    type Error = EnvError;

    fn name(&self) -> &str {
        self.suite.name()
    }

    fn len(&self) -> usize {
        self.suite.len()
    }

    fn problem_name(&self, index: usize) -> Option<String> {
        self.suite.full_problem_name(index)
    }

    fn horizon(&self, _index: usize) -> Option<u32> {
        self.suite.config().horizon
    }

    fn system(&self, index: usize) -> Result<Planning<Lifted>, EnvError> {
        self.made(index)
    }

    fn mask_len(&self) -> Result<usize, EnvError> {
        if let Some(ids) = self.suite.ids() {
            return Ok(ids.action_count());
        }
        let mut longest = 0;
        for index in 0..self.len() {
            let system = self.system(index)?;
            system.walk().numbering()?;
            longest = longest.max(herbrand_core::System::actions(&system).mask_len());
        }
        Ok(longest)
    }
}

/// A suite together with the engine that [`Suite::on`] selected for it. Match on it and create an environment over the
/// suite inside. All problems of the suite have the same engine.
#[derive(Clone, Debug)]
pub enum Engines {
    /// A suite stepped by the grounded engine.
    Grounded(Suite),
    /// A suite stepped by the lifted engine.
    Lifted(LiftedSuite),
}

impl Suite {
    /// Selects the engine for the suite. [`EngineKind::Automatic`] grounds every problem. If a problem exceeds the
    /// limits of grounding, it selects the lifted engine and does not look at the problems after it. Create an
    /// environment over the suite in the result.
    ///
    /// # Errors
    /// [`EngineKind::Automatic`] fails if a problem is faulty or has more than 2^24 declared agent actions, or if a
    /// problem exceeds the limits of grounding and its initial state exceeds those of the lifted engine.
    /// [`EngineKind::Sliced`] fails if a problem is faulty, exceeds the limits of grounding, or does not fit that engine. The
    /// other kinds do not fail: they compile problems on first use.
    pub fn on(&self, engine: EngineKind) -> Result<Engines, EnvError> {
        let lifted = || Engines::Lifted(LiftedSuite::new(self.clone()));
        match engine {
            EngineKind::Grounded => Ok(Engines::Grounded(self.clone().with_slicing(Slicing::Never))),
            EngineKind::Sliced => {
                for index in 0..self.len() {
                    let instance = self.instance(index)?;
                    instance.sliced(false).map_err(|reason| EnvError::Sliced {
                        problem: self.full_problem_name(index).unwrap_or_default(),
                        reason,
                    })?;
                }
                Ok(Engines::Grounded(self.clone().with_slicing(Slicing::Always)))
            }
            EngineKind::Lifted => Ok(lifted()),
            EngineKind::Automatic => {
                let mut problems = 0..self.len();
                let fault = problems.find_map(|index| Some((index, self.instance(index).err()?)));
                match fault {
                    None => Ok(Engines::Grounded(self.clone())),
                    Some((index, error)) if error.is_grounding_limit() => {
                        self.lifted_engine(index).map_or(Err(error), |_| Ok(lifted()))
                    }
                    Some((_, error)) => Err(error),
                }
            }
        }
    }
}
