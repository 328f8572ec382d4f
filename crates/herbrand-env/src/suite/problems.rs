//! Suites as sets of problems, on either engine.

use std::sync::{Arc, Mutex, PoisonError};

use herbrand_core::{PackedStates, Problems};
use herbrand_step::{Maintenance, State};

use super::Suite;
use crate::{EngineKind, EnvError, Grounded, Lifted, Part, Planning, PlanningError};

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

    /// A system that keeps all derived atoms from step to step, so that looking at them in every state costs nothing more,
    /// unless nobody looks.
    fn system(&self, index: usize) -> Result<Planning<Grounded>, EnvError> {
        let instance = self.instance(index)?;
        Ok(if self.is_seen {
            instance.observed_engine()
        } else {
            instance.engine()
        })
    }

    fn mask_len(&self) -> Result<usize, EnvError> {
        Ok(self.sizes(Part::Changing)?.actions)
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

/// A suite whose problems are stepped without grounding them.
///
/// Actions are numbered as all type-correct choices of objects; where these are too many, there is no mask
/// ([`Problems::mask_len`] says so), and actions are numbered as they are met.
#[derive(Clone, Debug)]
pub struct LiftedSuite {
    suite: Suite,
    maintenance: Maintenance,
    /// By problem: its system at the initial state, once somebody has asked for it; others are copies.
    made: Arc<[Mutex<Option<Planning<Lifted>>>]>,
}

impl LiftedSuite {
    /// The problems of `suite`, kept up to date as `maintenance` says.
    #[must_use]
    pub fn new(suite: Suite, maintenance: Maintenance) -> Self {
        Self {
            made: suite.problems.iter().map(|_| Mutex::default()).collect(),
            suite,
            maintenance,
        }
    }

    /// The problem at `index`, with the agent's actions or with the operators as actions.
    ///
    /// # Errors
    /// When there is no such problem, or it is at fault.
    pub fn planning(&self, index: usize, by_agent: bool) -> Result<Planning<Lifted>, EnvError> {
        let system = self.made(index)?;
        if by_agent || self.suite.agent_actions().is_none() {
            return Ok(system);
        }
        let simulator = system.walker().simulator();
        Ok(Planning::lifted(simulator, self.maintenance, None).map_err(PlanningError::from)?)
    }

    /// The problem at `index` with the agent's actions.
    fn made(&self, index: usize) -> Result<Planning<Lifted>, EnvError> {
        let slot = self.made.get(index).map(Mutex::lock);
        let mut slot = slot.map(|slot| slot.unwrap_or_else(PoisonError::into_inner));
        if let Some(made) = slot.as_deref().and_then(Option::as_ref) {
            return Ok(made.clone());
        }
        let made = self.suite.lifted_engine(index, self.maintenance)?;
        if let Some(slot) = slot.as_deref_mut() {
            *slot = Some(made.clone());
        }
        Ok(made)
    }

    /// The suite.
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

/// A suite on the engine that steps it.
#[derive(Clone, Debug)]
pub enum Engines {
    /// Grounded.
    Grounded(Suite),
    /// Lifted.
    Lifted(LiftedSuite),
}

impl Suite {
    /// The suite on an engine of this kind. [`EngineKind::Automatic`] grounds every problem, and takes the lifted engine if
    /// one of them crosses the limits of grounding, but not if its initial state crosses them on the lifted engine too. This
    /// is the one place where that is decided.
    ///
    /// # Errors
    /// When a problem is at fault.
    pub fn on(&self, engine: EngineKind) -> Result<Engines, EnvError> {
        let lifted = |maintenance| Engines::Lifted(LiftedSuite::new(self.clone(), maintenance));
        match engine {
            EngineKind::Grounded => Ok(Engines::Grounded(self.clone())),
            EngineKind::Lifted => Ok(lifted(Maintenance::Incremental)),
            EngineKind::Datalog => Ok(lifted(Maintenance::FromScratch)),
            EngineKind::Automatic => {
                let mut problems = 0..self.len();
                let fault = problems.find_map(|index| Some((index, self.instance(index).err()?)));
                match fault {
                    None => Ok(Engines::Grounded(self.clone())),
                    Some((index, error)) if error.is_grounding_limit() => {
                        match self.lifted_engine(index, Maintenance::Incremental) {
                            Ok(_) => Ok(lifted(Maintenance::Incremental)),
                            Err(_) => Err(error),
                        }
                    }
                    Some((_, error)) => Err(error),
                }
            }
        }
    }
}
