//! One problem, compiled.

use std::sync::{Arc, OnceLock};

use herbrand_ground::{GroundOptions, NormalDomain};
use herbrand_limits::Budget;
use herbrand_pddl::{Domain, Problem};
use herbrand_step::{Derived, Options, Simulator, compile_within};

use crate::ids::{Placed, SuiteIds};
use crate::observe::Eye;
use crate::{ActionSpace, AgentActionId, AgentActions, AtomSpace, EnvError, Grounded, Planning};

/// A compiled problem: its simulator and the agent's actions.
#[derive(Clone, Debug)]
// What is read at every step comes first.
#[repr(C)]
pub struct Instance {
    /// Made when it is first asked for.
    atoms: OnceLock<AtomSpace>,
    simulator: Simulator,
    space: Arc<ActionSpace>,
    /// The numbers of the suite, if actions and atoms have those.
    ids: Option<Placed>,
    /// The simulator for walks that are observed, where that is another one; made when it is first asked for.
    observed: OnceLock<Simulator>,
    /// How states are looked at; made when observations of what was seen are asked for.
    eye: OnceLock<Eye>,
}

impl Instance {
    /// Grounds and compiles a problem, with the agent's `actions`, or with the operators as actions.
    ///
    /// # Errors
    /// When the problem cannot be grounded or has too many actions.
    pub fn compile(
        domain: &Domain,
        problem: &Problem,
        actions: Option<Arc<AgentActions>>,
    ) -> Result<Self, EnvError> {
        let budget = Budget::unlimited();
        Self::within(domain, &NormalDomain::of(domain), problem, actions, None, &budget)
    }

    /// [`compile`](Self::compile) for a problem of a domain whose normal form is at hand, within a budget, with the numbers of
    /// a suite that has the problem, if there are any.
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
            simulator,
            space: Arc::new(space),
            ids,
            atoms: OnceLock::new(),
            observed: OnceLock::new(),
            eye: OnceLock::new(),
        })
    }

    /// The simulator.
    #[must_use]
    pub fn simulator(&self) -> &Simulator {
        &self.simulator
    }

    /// The agent's actions.
    #[must_use]
    pub fn space(&self) -> &Arc<ActionSpace> {
        &self.space
    }

    /// The observable atoms.
    #[must_use]
    pub fn atoms(&self) -> &AtomSpace {
        self.atoms.get_or_init(|| match &self.ids {
            None => AtomSpace::new(self.simulator.clone()),
            Some(ids) => AtomSpace::placed(self.simulator.clone(), ids.clone()),
        })
    }

    /// How states are looked at, if that was asked for.
    pub(crate) fn eye(&self) -> Option<&Eye> {
        self.eye.get()
    }

    pub(crate) fn set_eye(&self, eye: Eye) -> &Eye {
        self.eye.get_or_init(|| eye)
    }

    /// The numbers of the suite, if actions and atoms have those.
    pub(crate) const fn ids(&self) -> Option<&Placed> {
        self.ids.as_ref()
    }

    /// The agent's action that `text` means, written as PDDL does: an operator stands for the action that it carries
    /// out. `None` when it is neither, or an operator that no reachable state allows.
    #[must_use]
    pub fn find_action(&self, text: &str) -> Option<AgentActionId> {
        let operator = self.simulator.parse_action(text).ok();
        operator
            .map(|operator| self.space.action_of(operator))
            .or_else(|| self.space.parse(text))
    }

    /// An engine at the initial state.
    #[must_use]
    pub fn engine(self: &Arc<Self>) -> Planning<Grounded> {
        let space = Arc::clone(&self.space);
        Planning::new(Arc::clone(self), self.simulator.walker(), space)
    }

    /// An engine at the initial state whose actions are the operators.
    #[must_use]
    pub fn operator_engine(self: &Arc<Self>) -> Planning<Grounded> {
        let space = Arc::new(ActionSpace::operators(self.simulator.clone()));
        Planning::new(Arc::clone(self), self.simulator.walker(), space)
    }

    /// An engine at the initial state that keeps all derived atoms from step to step, so that looking at them in every
    /// state costs nothing more. Its states and ids are those of [`engine`](Self::engine).
    #[must_use]
    pub fn observed_engine(self: &Arc<Self>) -> Planning<Grounded> {
        if !self.simulator.has_unneeded_atoms() {
            return self.engine();
        }
        let observed = self.observed.get_or_init(|| {
            let options = Options {
                derived: Derived::All,
                ..self.simulator.options()
            };
            Simulator::with_options(self.simulator.shared_task(), options)
        });
        Planning::new(Arc::clone(self), observed.walker(), Arc::clone(&self.space))
    }
}
