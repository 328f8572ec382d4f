//! A compiled problem.

use std::sync::{Arc, OnceLock};

use herbrand_ground::{GroundOptions, NormalDomain};
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::{Domain, FunctionId, Problem};
use herbrand_step::{Derived, Options, Simulator, SlicedError, SlicedTask, compile_within};

use crate::action::ids::{Placed, SuiteIds};
use crate::action::{ActionSpace, AgentActionId, AgentActions};
use crate::atoms::{AtomSpace, FluentPlaces, TooManyAtoms};
use crate::error::EnvError;
use crate::time::{GroundTimes, Schedule};
use crate::visibility::ProblemVisibility;

/// A compiled problem of a suite: the simulator of the ground task, the agent actions and the observable atoms.
/// Returned by [`Suite::instance`](crate::Suite::instance) and [`compile`](Self::compile). In an `Arc`,
/// [`engine`](Self::engine) gives a system to step.
#[derive(Clone, Debug)]
// The fields that every step reads come first.
#[repr(C)]
pub struct CompiledProblem {
    /// Computed on first use.
    atoms: OnceLock<AtomSpace>,
    simulator: Simulator,
    space: Arc<ActionSpace>,
    /// The ids of the suite, if the problem uses them.
    ids: Option<Placed>,
    /// The simulator for observed walks if it differs from `simulator`; created on first use.
    observed: OnceLock<Simulator>,
    /// The visibility data, created when an observer of partial observability needs it.
    visibility: OnceLock<ProblemVisibility>,
    /// The places of numeric fluents in observations, computed on first use.
    fluents: OnceLock<Result<FluentPlaces, TooManyAtoms>>,
    /// The data of the clock of a problem with time.
    time: Option<(Arc<Schedule>, Arc<GroundTimes>)>,
    /// The tasks for blocks of copies, without and with all derived atoms, compiled on first use.
    sliced: [OnceLock<SlicedTask>; 2],
}

/// The most memory of a step list of the bit-sliced engine.
const MOST_SLICED_BYTES: u64 = 1 << 30;

impl CompiledProblem {
    /// Grounds and compiles a problem outside of a suite. The agent's actions are `actions`, or the operators if it is
    /// `None`. There are no limits of memory and time; [`Suite::with_limits`](crate::Suite::with_limits) sets some.
    ///
    /// # Errors
    /// Fails if the problem was checked against another domain, if its axioms are not stratified, or if it has more
    /// than 2^24 declared agent actions.
    pub fn compile(
        domain: &Domain,
        problem: &Problem,
        actions: Option<Arc<AgentActions>>,
    ) -> Result<Self, EnvError> {
        let budget = Budget::unlimited();
        Self::within(domain, &NormalDomain::of(domain), problem, actions, None, &budget)
    }

    /// Like [`compile`](Self::compile), with the precomputed normal form of the domain, within a budget, and optionally with
    /// the ids of a suite that contains the problem.
    pub(crate) fn within(
        domain: &Domain,
        normal: &NormalDomain,
        problem: &Problem,
        actions: Option<Arc<AgentActions>>,
        ids: Option<Arc<SuiteIds>>,
        budget: &Budget,
    ) -> Result<Self, EnvError> {
        let simulator = compile_within(domain, normal, problem, &GroundOptions::default(), budget)?;
        let ids = ids.map(|ids| Placed::new(ids, &simulator.task().vocabulary));
        let space = match (&ids, actions) {
            (Some(ids), actions) => ActionSpace::placed(actions, ids.clone(), simulator.clone()),
            (None, Some(actions)) => ActionSpace::declared(actions, simulator.clone())?,
            (None, None) => ActionSpace::operators(simulator.clone()),
        };
        Ok(Self {
            space: Arc::new(space),
            ids,
            ..Self::of(simulator)
        })
    }

    /// Creates an instance whose actions are the operators of a simulator.
    pub(crate) fn of(simulator: Simulator) -> Self {
        Self {
            space: Arc::new(ActionSpace::operators(simulator.clone())),
            simulator,
            ids: None,
            atoms: OnceLock::new(),
            observed: OnceLock::new(),
            visibility: OnceLock::new(),
            fluents: OnceLock::new(),
            time: None,
            sliced: Default::default(),
        }
    }

    /// Adds a clock.
    pub(crate) fn with_time(mut self, schedule: Schedule) -> Self {
        let times = GroundTimes::new(self.simulator.task(), &schedule);
        if self.space.are_operators() {
            let choices = schedule.choices(self.simulator.task());
            let space = ActionSpace::operators(self.simulator.clone());
            self.space = Arc::new(space.with_len(choices));
        }
        self.time = Some((Arc::new(schedule), Arc::new(times)));
        self
    }

    /// Returns the data of the clock of a problem with time.
    pub(crate) const fn time(&self) -> Option<&(Arc<Schedule>, Arc<GroundTimes>)> {
        self.time.as_ref()
    }

    /// Returns the simulator of the grounded problem. It steps operators, without agent actions; `walker` starts one.
    #[must_use]
    pub fn simulator(&self) -> &Simulator {
        &self.simulator
    }

    /// Returns the agent actions of the problem and their ids.
    #[must_use]
    pub fn space(&self) -> &Arc<ActionSpace> {
        &self.space
    }

    /// Returns the observable atoms of the problem and their ids. Computed on first use.
    #[must_use]
    #[inline]
    pub fn atoms(&self) -> &AtomSpace {
        self.atoms.get_or_init(|| match &self.ids {
            None => AtomSpace::new(self.simulator.clone()),
            Some(ids) => AtomSpace::placed(self.simulator.clone(), ids.clone()),
        })
    }

    /// Returns the task of the bit-sliced engine for walks that are observed or not, compiled on first use.
    pub(crate) fn sliced(&self, observed: bool) -> Result<&SlicedTask, SlicedError> {
        let observed = observed && self.simulator.has_unneeded_atoms();
        let place = &self.sliced[usize::from(observed)];
        if let Some(task) = place.get() {
            return Ok(task);
        }
        let simulator = if observed {
            self.observed_simulator()
        } else {
            &self.simulator
        };
        let limits = Limits {
            bytes: Some(MOST_SLICED_BYTES),
            time: None,
        };
        let task = SlicedTask::new(simulator, &Budget::new(limits))?;
        Ok(place.get_or_init(|| task))
    }

    /// Returns the places of numeric fluents in observations, for the functions of the domain's states. Computed on first use.
    pub(crate) fn fluent_places(&self, functions: &[FunctionId]) -> Result<&FluentPlaces, TooManyAtoms> {
        let vocabulary = &self.simulator.task().vocabulary;
        let make = || FluentPlaces::new(vocabulary, self.ids(), functions);
        self.fluents.get_or_init(make).as_ref().map_err(Clone::clone)
    }

    /// Returns the visibility data if it was created.
    pub(crate) fn visibility(&self) -> Option<&ProblemVisibility> {
        self.visibility.get()
    }

    pub(crate) fn set_visibility(&self, visibility: ProblemVisibility) -> &ProblemVisibility {
        self.visibility.get_or_init(|| visibility)
    }

    /// Returns the ids of the suite; `None` if the problem has its own.
    pub(crate) const fn ids(&self) -> Option<&Placed> {
        self.ids.as_ref()
    }

    /// Parses an agent action in PDDL syntax. The text may also be an operator, which yields the action that it
    /// carries out. `None` if the text is neither. An operator that no reachable state allows is found only if the
    /// suite shares ids and declares no actions. An action that is found may still be invalid in the current state.
    #[must_use]
    pub fn find_action(&self, text: &str) -> Option<AgentActionId> {
        let operator = self.simulator.parse_action(text).ok();
        operator
            .map(|operator| self.space.action_of(operator))
            .or_else(|| self.space.find_text(text))
    }

    /// Returns the simulator that updates all derived atoms incrementally. Its states and ids are those of
    /// [`simulator`](Self::simulator).
    pub(crate) fn observed_simulator(&self) -> &Simulator {
        if !self.simulator.has_unneeded_atoms() {
            return &self.simulator;
        }
        self.observed.get_or_init(|| {
            let options = Options {
                derived: Derived::All,
                ..self.simulator.options()
            };
            Simulator::with_options(self.simulator.shared_task(), options)
        })
    }
}
